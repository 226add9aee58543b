"""Clips of BVH files: their joints move as the file says, and only edits are written."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import people
from bvh_files import ODD
from real_clips import BVH, clip_named, with_bvh
from twobone import ClipError, LocalPose, Skeleton, motion, rotations
from twobone.files import bvh
from twobone.motion import from_bvh

ODD_CLIP = from_bvh.to_clip(bvh.read(ODD))


# --- forward kinematics that is not ours --------------------------------------------------


def matrix_about(axis, degrees):
    """Return the matrices, shape (T, 3, 3), of rotations about a coordinate axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = ((1, 2), (2, 0), (0, 1))["XYZ".index(axis)]
    found = np.tile(np.eye(3), (len(degrees), 1, 1))
    found[:, i, i], found[:, i, j], found[:, j, i], found[:, j, j] = c, -s, s, c
    return found


def positions_by_matrices(data):
    """Return the positions of all joints and end sites, from the text of a BVH file alone."""
    header, _, motion_part = data.decode().partition("MOTION")
    rows = motion_part.split("\n")
    start = next(i for i, row in enumerate(rows) if "Frame Time" in row) + 1
    numbers = np.array([row.split() for row in rows[start:] if row.strip()], float)
    column, stack, found = 0, [], []
    place, turn = np.zeros((len(numbers), 3)), np.tile(np.eye(3), (len(numbers), 1, 1))
    for line in header.split("\n"):
        words = line.split()
        if words[:1] == ["{"]:
            stack.append((place, turn))
        elif words[:1] == ["}"]:
            place, turn = stack.pop()
            place, turn = stack[-1] if stack else (place, turn)
        elif words[:1] == ["OFFSET"]:
            offset = np.tile(np.array(words[1:], float), (len(numbers), 1))
            parent = stack[-2] if len(stack) > 1 else (np.zeros((len(numbers), 3)), np.eye(3))
            place, turn = parent[0] + (parent[1] @ offset[..., None])[..., 0], parent[1]
            stack[-1] = place, turn
            found.append(place)
        elif words[:1] == ["CHANNELS"]:
            parent = stack[-2] if len(stack) > 1 else (np.zeros((len(numbers), 3)), np.eye(3))
            for name in words[2:]:
                if name.lower().endswith("position"):
                    offset[:, "XYZ".index(name[0].upper())] = numbers[:, column]
                else:
                    turn = turn @ matrix_about(name[0].upper(), numbers[:, column])
                column += 1
            place = parent[0] + (parent[1] @ offset[..., None])[..., 0]
            stack[-1], found[-1] = (place, turn), place
    return np.stack(found, axis=1)


def global_positions(clip):
    return clip.skeleton.to_global(clip.pose).positions


@pytest.mark.sampled(3)
@with_bvh
def test_joints_are_where_matrices_put_them(path):
    expected = positions_by_matrices(path.read_bytes())
    np.testing.assert_allclose(global_positions(motion.load(path)), expected, atol=1e-11)


def test_joints_of_an_unusual_file_are_where_matrices_put_them():
    data = ODD.replace(
        b"\t\t\tCHANNELS 2 Zrotation Xrotation\r\n\t\t\tOFFSET 0 -0.5 0\r\n",
        b"\t\t\tOFFSET 0 -0.5 0\r\n\t\t\tCHANNELS 2 Zrotation Xrotation\r\n",
    )
    assert data != ODD
    expected = positions_by_matrices(data)
    np.testing.assert_allclose(global_positions(ODD_CLIP), expected, atol=1e-14)


@with_bvh
def test_pybvh_puts_joints_there_too(path):
    pybvh = pytest.importorskip("pybvh", reason="pybvh is not installed")
    theirs = pybvh.read_bvh_file(path, world_up="+y", warn_on_world_up_disagreement=False)
    found = pybvh.frames_to_node_positions(theirs, theirs.root_pos, theirs.joint_angles)
    np.testing.assert_allclose(global_positions(motion.load(path)), found, atol=1e-9)


# --- what a clip says of its file ---------------------------------------------------------


def test_end_sites_are_joints_that_never_rotate():
    names = ODD_CLIP.skeleton.names
    assert names == ("Hips", "Left Leg", "Foot", "Foot End Site", "Right Leg", "Foot")
    assert ODD_CLIP.pose.rotations[:, 3].tolist() == [[0.0, 0.0, 0.0, 1.0]] * 2
    assert ODD_CLIP.skeleton.index("Right Leg/Foot") == 5


def test_position_channels_replace_their_part_of_the_offset():
    assert ODD_CLIP.pose.translations[0, 4].tolist() == [-0.1, -0.1, 0.0]
    assert ODD_CLIP.pose.translations[1, 0].tolist() == [0.5, 1.0, 0.25]
    data = ODD.replace(b"-0.1 10 4.00", b"0.7 10 4.00")
    assert from_bvh.to_clip(bvh.read(data)).pose.translations[1, 4].tolist() == [-0.1, 0.7, 0.0]


def test_the_frame_rate_is_not_rounded():
    assert motion.load(clip_named("cmu1_jumping_jacks.bvh")).fps == 1 / 0.03333


@pytest.mark.sampled(3)
@with_bvh
def test_units_and_axes_are_guessed(path):
    clip = motion.load(path)
    assert clip.guessed == {"up", "metres"}
    assert clip.up == ("z" if path.stem.startswith("fair1") else "y")
    if not path.stem.startswith("fair1"):
        assert clip.metres == 0.0254 / 0.45  # of all CMU files
    height = np.ptp(global_positions(clip)[..., "xyz".index(clip.up)], axis=1)
    assert 1.3 < np.median(height) * clip.metres < 1.9


@pytest.mark.sampled(3)
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254])
def test_metres_centimetres_and_inches_are_recognised(unit):
    clip = motion.load(clip_named("02_01.bvh"))
    pose = clip.pose
    factor = 0.0254 / 0.45 / unit
    skeleton = Skeleton(
        clip.skeleton.parents, clip.skeleton.offsets * factor, names=clip.skeleton.names
    )
    larger = motion.Clip(skeleton, LocalPose(pose.rotations, pose.translations * factor), 120)
    again = from_bvh.to_clip(bvh.read(from_bvh.to_bytes(larger)))
    assert again.metres == unit


def test_all_takes_of_one_skeleton_have_the_same_unit():
    """Also one in which the head is mostly lower than the feet."""
    standing = people.standing(30)
    rotations, translations = (part.copy() for part in standing.pose)
    half = np.radians(-50.0)
    rotations[12:, 0] = [np.sin(half), 0.0, 0.0, np.cos(half)]  # a fall on the back
    for unit in (1.0, 0.01, 0.0254, 0.0254 / 0.45, 0.7):
        units = set()
        for pose in (standing.pose, LocalPose(rotations, translations)):
            skeleton = Skeleton(
                standing.skeleton.parents,
                standing.skeleton.offsets / unit,
                names=standing.skeleton.names,
            )
            scaled = LocalPose(pose.rotations, pose.translations / unit)
            clip = motion.Clip(skeleton, scaled, 50)
            units.add(from_bvh.to_clip(bvh.read(from_bvh.to_bytes(clip))).metres)
        assert len(units) == 1, units


@pytest.mark.sampled(4)
@pytest.mark.parametrize("value", [1e60, 1e160, -1e300, 1.7e308])
@pytest.mark.parametrize("frame", [slice(None), slice(7, 8)], ids=["always", "once"])
@pytest.mark.parametrize("place", ["root", "rotation"])
def test_numbers_that_are_far_too_large_give_no_warning(tmp_path, value, frame, place):
    """As angles of a file, or as positions of a clip that is made in Python."""
    clip = people.standing(30)
    if place == "root":
        translations = clip.pose.translations.copy()
        translations[frame, 0, 1] = value
        pose = LocalPose(clip.pose.rotations, translations)
        clip = motion.Clip(clip.skeleton, pose, clip.fps)
    else:
        document = bvh.read(from_bvh.to_bytes(clip))
        numbers = document.numbers.copy()
        numbers[frame, 7] = value
        clip = from_bvh.to_clip(bvh.read(document.to_bytes(numbers)))
    motion.find_limbs(clip)
    motion.find_contacts(clip)
    motion.find_ground(clip)
    with contextlib.suppress(ClipError):  # it may be too large for a file
        motion.save(motion.pin(clip).clip, tmp_path / "pinned.bvh")


def test_more_joints_than_channels_can_move_are_refused():
    ends = b"End Site { OFFSET 0 0 0 }" * 100
    data = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation %s } MOTION Frames: 1" % ends
    with pytest.raises(ClipError, match="at most 4 joints, got 101"):
        from_bvh.to_clip(bvh.read(data + b" Frame Time: 1 0"))


@pytest.mark.parametrize(("old", "field"), [(b"-.5", "OFFSET"), (b"0.25", "a position")])
def test_coordinates_of_which_lengths_overflow_are_refused(old, field):
    assert old in ODD
    with pytest.raises(ClipError, match=rf"{field}: .*coordinates up to 1e\+100, got 1e\+308"):
        from_bvh.to_clip(bvh.read(ODD.replace(old, b"1e308", 1)))


# --- what is written ----------------------------------------------------------------------


@with_bvh
def test_a_clip_that_is_not_changed_has_the_same_bytes(path, tmp_path):
    motion.save(motion.load(path), tmp_path / "new.bvh")
    assert (tmp_path / "new.bvh").read_bytes() == path.read_bytes()


def edited(clip, joint, rotation):
    """Return a clip in which a joint is rotated further."""
    found = clip.pose.rotations.copy()
    found[:, joint] = rotations.multiply(found[:, joint], rotation)
    return clip.with_pose(clip.pose._replace(rotations=found))


@pytest.mark.sampled(3)
@with_bvh
def test_an_edit_of_one_joint_changes_its_numbers_alone(path):
    clip = motion.load(path)
    joint = 3
    new = edited(clip, joint, rotations.rotation_vector_to_quaternion([0.02, -0.01, 0.03]))
    data = from_bvh.to_bytes(new)
    before, after = bvh.read(path), bvh.read(data)
    columns = range(before.columns[joint], before.columns[joint] + 3)
    kept = [
        [token for place, token in enumerate(line.split()) if place not in columns]
        for line in path.read_bytes().split(b"\n")[-len(clip) - 1 :]
    ]
    found = [
        [token for place, token in enumerate(line.split()) if place not in columns]
        for line in data.split(b"\n")[-len(clip) - 1 :]
    ]
    assert found == kept
    assert data.partition(b"MOTION")[0] == path.read_bytes().partition(b"MOTION")[0]
    change = np.abs(after.numbers - before.numbers)
    assert 0.0 < change.max() < 20.0  # no whole turns
    np.testing.assert_allclose(
        global_positions(from_bvh.to_clip(after)), global_positions(new), atol=1e-12
    )


@with_bvh
def test_rotations_that_differ_by_rounding_keep_their_numbers(path):
    clip = motion.load(path)
    other = clip.pose._replace(rotations=-clip.pose.rotations * (1.0 + 1e-9))
    assert from_bvh.to_bytes(clip.with_pose(other)) == path.read_bytes()


def test_angles_at_gimbal_lock_stay_near_those_of_the_file_and_exact():
    """Ankles at exactly 90 degrees; the shin above is edited, and the foot must stay in place."""
    rows = b"\n".join(b"0 1 0 0 0 0 10 5 0 %d 90 %d" % (20 + i, 40 + i) for i in range(50))
    data = (
        b"""HIERARCHY ROOT hip { OFFSET 0 1 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
    JOINT shin { OFFSET 0 -0.4 0 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT ankle { OFFSET 0 -0.4 0 CHANNELS 3 Zrotation Yrotation Xrotation
    End Site { OFFSET 0.02 -0.05 0.2 } } } }
    MOTION Frames: 50 Frame Time: 0.01
    """
        + rows
    )
    clip = from_bvh.to_clip(bvh.read(data))
    spin = rotations.euler_to_quaternion([0.0, 0.0, 0.1], "ZYX")
    new = edited(clip, 2, spin)
    after = bvh.read(from_bvh.to_bytes(new))
    moved = global_positions(from_bvh.to_clip(after)) - global_positions(new)
    assert np.abs(moved).max() < 1e-15
    ankle = after.numbers[:, 9:] - clip.document.numbers[:, 9:]
    half = 0.5 * np.degrees(0.1)
    np.testing.assert_allclose(np.abs(ankle[:, [0, 2]]), half, atol=1e-9)
    np.testing.assert_allclose(ankle[:, 1], 0.0, atol=1e-12)


def test_angles_beyond_half_a_turn_stay_there():
    new = edited(ODD_CLIP, 0, rotations.rotation_vector_to_quaternion([0.001, 0.0, 0.0]))
    numbers = bvh.read(from_bvh.to_bytes(new)).numbers
    assert np.abs(numbers - ODD_CLIP.document.numbers).max() < 1.0


@pytest.mark.parametrize("joint", [2, 5])
def test_joints_with_one_or_two_channels_can_rotate_about_them(joint):
    x = rotations.rotation_vector_to_quaternion([0.3, 0.0, 0.0])
    new = edited(ODD_CLIP, joint, x)
    back = from_bvh.to_clip(bvh.read(from_bvh.to_bytes(new)))
    np.testing.assert_allclose(global_positions(back), global_positions(new), atol=1e-15)
    np.testing.assert_allclose(back.pose.rotations, new.pose.rotations, atol=1e-15)


@pytest.mark.parametrize("joint", [2, 3, 5])
def test_a_rotation_that_the_channels_cannot_hold_is_refused(joint):
    y = rotations.rotation_vector_to_quaternion([0.0, 0.01, 0.0])
    with pytest.raises(ClipError, match=r"rotation channels for joint .* which rotates in frame 0"):
        from_bvh.to_bytes(edited(ODD_CLIP, joint, y), "new.bvh")


@pytest.mark.parametrize("joint", [1, 3])
def test_a_translation_that_the_channels_cannot_hold_is_refused(joint):
    translations = ODD_CLIP.pose.translations.copy()
    translations[1, joint, 2] += 0.01
    moved = ODD_CLIP.with_pose(ODD_CLIP.pose._replace(translations=translations))
    with pytest.raises(
        ClipError, match=r"new\.bvh.*position channels .* in frame 1 \(or a \.glb"
    ) as caught:
        from_bvh.to_bytes(moved, "new.bvh")
    assert caught.value.field == "positions"


PAIRS = 8000  # of frames: more frames and bytes than are read, changed or written at a time


def motion_lines(file):
    """Return the lines of the two or more frames of the odd file, or of a long one."""
    return file.partition(b"Frame Time: .0083333  \r\n")[2].split(b"\r\n")[:-3]


@pytest.fixture(scope="module")
def long_odd_clip():
    """Return the clip whose two frames are those of the odd file over and over again."""
    start, time, rest = ODD.partition(b"Frame Time: .0083333  \r\n")
    lines = motion_lines(ODD)
    start = start.replace(b"Frames:\t2", b"Frames:\t%d" % (2 * PAIRS))
    end = rest[sum(len(line) + 2 for line in lines) :]
    return from_bvh.to_clip(bvh.read(start + time + b"\r\n".join(lines * PAIRS) + b"\r\n" + end))


def test_long_files_have_the_lines_of_short_ones(long_odd_clip):
    turn = rotations.rotation_vector_to_quaternion([0.1, 0.0, 0.2])
    wanted = motion_lines(from_bvh.to_bytes(edited(ODD_CLIP, 1, turn)))
    assert len(wanted) == 2
    assert wanted != motion_lines(ODD)
    assert motion_lines(from_bvh.to_bytes(edited(long_odd_clip, 1, turn))) == wanted * PAIRS


def test_the_frame_that_cannot_be_written_is_counted_from_the_first(long_odd_clip):
    y = rotations.rotation_vector_to_quaternion([0.0, 0.01, 0.0])
    found = long_odd_clip.pose.rotations.copy()
    found[5001, 2] = rotations.multiply(found[5001, 2], y)
    with pytest.raises(ClipError, match="rotates in frame 5001"):
        from_bvh.to_bytes(long_odd_clip.with_pose(long_odd_clip.pose._replace(rotations=found)))


@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize("part", ["rotations", "translations"])
def test_what_is_not_finite_is_refused(part, number):
    array = getattr(ODD_CLIP.pose, part).copy()
    array[1, 2, 0] = number
    with pytest.raises(ClipError, match=r"finite numbers, .* for joint 2 in frame 1"):
        from_bvh.to_bytes(ODD_CLIP.with_pose(ODD_CLIP.pose._replace(**{part: array})))


def test_other_frames_and_another_rate_keep_the_hierarchy():
    pose = LocalPose(ODD_CLIP.pose.rotations[[1, 1, 0]], ODD_CLIP.pose.translations[[1, 1, 0]])
    document = ODD_CLIP.document
    clip = motion.Clip(ODD_CLIP.skeleton, pose, 50.0, document=document)
    data = from_bvh.to_bytes(clip)
    assert data.startswith(ODD.partition(b"Frames")[0])
    back = from_bvh.to_clip(bvh.read(data))
    assert back.fps == 50.0
    np.testing.assert_allclose(global_positions(back), global_positions(clip), atol=1e-14)


# --- new files ----------------------------------------------------------------------------


def test_a_clip_of_arrays_becomes_a_new_file():
    pose = ODD_CLIP.pose
    back = from_bvh.to_clip(bvh.read(from_bvh.to_bytes(motion.Clip(ODD_CLIP.skeleton, pose, 30))))
    assert back.skeleton.names == ODD_CLIP.skeleton.names
    assert back.skeleton.parents == ODD_CLIP.skeleton.parents
    assert back.document.end_sites == ODD_CLIP.document.end_sites
    assert len(back.document.channels[1]) == 3
    assert back.fps == 30.0
    np.testing.assert_allclose(global_positions(back), global_positions(ODD_CLIP), atol=1e-14)
    again = motion.Clip(back.skeleton, back.pose, back.fps, document=back.document)
    assert from_bvh.to_bytes(again) == from_bvh.to_bytes(back)


def test_rest_rotations_scales_and_any_order_of_joints_become_plain():
    rng = np.random.default_rng(1)
    skeleton = Skeleton(
        [2, 0, -1, 2],
        rng.normal(size=(4, 3)),
        names=["a", "b {\n}", "c", "d"],
        rotations=rng.normal(size=(4, 4)),
        scales=[0.5, 1.0, 3.0, 2.0],
    )
    offsets = np.tile(skeleton.offsets, (5, 1, 1))
    offsets[:, 3] += rng.normal(size=(5, 3))
    clip = motion.Clip(skeleton, LocalPose(rng.normal(size=(5, 4, 4)), offsets), 30)
    back = from_bvh.to_clip(bvh.read(from_bvh.to_bytes(clip)))
    assert back.skeleton.names == ("c", "a", "b ___".strip(), "d")
    order = [2, 0, 1, 3]
    np.testing.assert_allclose(
        back.skeleton.rest.positions, (skeleton.rest.positions)[order], atol=1e-14
    )
    np.testing.assert_allclose(global_positions(back), global_positions(clip)[:, order], atol=1e-13)
    assert [len(channels) for channels in back.document.channels] == [6, 3, 3, 6]


def test_angles_of_new_files_have_no_jumps():
    turns = np.linspace(0.0, 4.0 * np.pi, 200)
    angles = np.stack([turns, 0.3 * np.sin(turns), 0.1 * turns], axis=-1)
    q = rotations.euler_to_quaternion(angles, "ZXY")[:, None]
    clip = motion.Clip(Skeleton([-1], [[0, 1, 0]]), LocalPose(q), 60)
    numbers = bvh.read(from_bvh.to_bytes(clip)).numbers[:, 3:]
    np.testing.assert_allclose(numbers, np.degrees(angles), atol=1e-9)


# --- broken files -------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.data())
def test_a_broken_file_becomes_a_clip_or_is_refused(draw):
    at = draw.draw(st.integers(0, len(ODD)))
    more = draw.draw(st.binary(max_size=3) | st.sampled_from([b"1e308", b"9" * 300, b"-", b"}"]))
    data = ODD[:at] + more + ODD[at + draw.draw(st.integers(0, 3)) :]
    try:
        clip = from_bvh.to_clip(bvh.read(data))
    except ClipError:
        return
    assert from_bvh.to_bytes(clip) == data


@pytest.mark.slow
@pytest.mark.skipif(not BVH, reason="no motion clips beside the project")
@settings(max_examples=100)
@given(st.data())
def test_a_real_file_broken_anywhere_becomes_a_clip_or_is_refused(draw):
    data = BVH[0].read_bytes()
    at = draw.draw(st.integers(0, len(data)))
    data = data[:at] + draw.draw(st.binary(max_size=2)) + data[at + draw.draw(st.integers(0, 2)) :]
    try:
        clip = from_bvh.to_clip(bvh.read(data))
    except ClipError:
        return
    assert from_bvh.to_bytes(clip) == data
