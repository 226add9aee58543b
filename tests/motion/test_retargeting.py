"""`retarget`: bones point to where they did, feet stay, whatever the rest pose, axes and unit."""

import numpy as np
import pytest

import clip_files
import people
import walkers
from twobone import LocalPose, Skeleton
from twobone.errors import ArrayTypeError, ClipError
from twobone.motion import (
    Clip,
    JointPoint,
    bodies,
    find_contacts,
    find_limbs,
    load,
    load_all,
    move_end,
    retarget,
    save,
)
from twobone.rotations import inverse, multiply, rotate

MM = 0.001
HALF = 0.5**0.5


def walking(frames=90):
    """Return a person who walks with bent knees and arms that hang down."""
    clip = people.standing(frames)
    person, time = clip.skeleton, np.arange(frames) / clip.fps
    rotations, translations = clip.pose.rotations.copy(), clip.pose.translations.copy()
    translations[:, 0, 1] -= 0.08
    translations[:, 0, 2] += 1.0 * time
    turn = 0.1 * np.sin(2.0 * np.pi * time)
    rotations[:, 0, 1], rotations[:, 0, 3] = np.sin(turn), np.cos(turn)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        rotations[:, person.index(f"{side}Arm")] = [0.0, 0.0, -sign * HALF, HALF]
        rotations[:, person.index(f"{side}ForeArm")] = [0.0, -sign * 0.2, 0.0, 0.96**0.5]
    clip = clip.with_pose(LocalPose(rotations, translations))
    for side, x, later in (("Left", 0.1, 0.0), ("Right", -0.1, 0.5)):
        step, phase = np.divmod(time + later, 1.0)
        t = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
        ahead = step - later + 0.3 + t * t * (3.0 - 2.0 * t)
        path = np.stack([x + 0.0 * t, 0.09 + 0.1 * np.sin(np.pi * t) ** 2, ahead], axis=-1)
        clip = move_end(clip, f"{side}Foot", path)
    # Feet that are level: `move_end` keeps their rotation in the world.
    return clip


def other_frames(skeleton, seed=0):
    """Return the same body with other spaces of joints: bones along any axis, rests rotated."""
    turns = np.random.default_rng(seed).normal(size=(len(skeleton.parents), 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    parents = np.array(skeleton.parents)
    above = np.where(parents[:, None] >= 0, turns[parents], [0.0, 0.0, 0.0, 1.0])
    rotations = multiply(inverse(above), turns)
    offsets = rotate(inverse(above), skeleton.offsets)
    return Skeleton(skeleton.parents, offsets, names=skeleton.names, rotations=rotations)


def at(clip):
    return walkers.positions(clip)


def test_a_body_like_that_of_the_clip_moves_as_in_the_clip():
    clip = walking()
    made = retarget(clip, clip.skeleton, hold=False)
    assert np.abs(at(made) - at(clip)).max() < 1e-9
    assert (made.fps, len(made), made.up) == (clip.fps, len(clip), "y")


def test_a_body_without_head_and_spine_moves_as_in_the_clip():
    """Its legs begin at the joint of its arms; they are no neck."""
    clip = walking()
    keep = [k for k, name in enumerate(clip.skeleton.names) if name not in ("Neck", "Head")]
    parents = [keep.index(clip.skeleton.parents[k]) if k else -1 for k in keep]
    names = [clip.skeleton.names[k] for k in keep]
    body = Skeleton(parents, clip.skeleton.offsets[keep], names=names)
    headless = Clip(body, LocalPose(*(part[:, keep] for part in clip.pose)), clip.fps)
    assert bodies.parts_of(headless, None, "the clip").neck == ()
    made = retarget(headless, other_frames(body), hold=False)
    assert np.abs(at(made) - at(headless)).max() < 1e-9


def test_without_names_the_head_is_the_last_joint_above_the_arms_and_not_a_foot():
    clip = walking(3)
    names, parents = clip.skeleton.names, clip.skeleton.parents
    nameless = Clip(Skeleton(parents, clip.skeleton.offsets), clip.pose, clip.fps)
    found = bodies.parts_of(nameless, find_limbs(clip), "the clip")
    assert [names[joint] for joint in found.neck] == ["Neck", "Head"]


def test_a_body_is_one_tree():
    clip = walking(3)
    names = clip.skeleton.names
    offsets = np.concatenate([clip.skeleton.offsets, [[0.0, 1.4, 0.0]]])
    parents = [
        len(names) if name.endswith("Arm") and "Fore" not in name else parent
        for name, parent in zip(names, clip.skeleton.parents, strict=True)
    ]
    apart = Skeleton([*parents, -1], offsets, names=[*names, "Chest"])
    pose = LocalPose(np.tile(apart.rotations, (3, 1, 1)))
    with pytest.raises(
        ClipError, match="legs and arms that are below one joint, got no such joint"
    ):
        retarget(Clip(apart, pose, 30.0), clip.skeleton)


def test_spaces_of_joints_and_rest_poses_do_not_matter():
    clip = walking()
    other = other_frames(clip.skeleton)
    assert np.abs(at(retarget(clip, other, hold=False)) - at(clip)).max() < 1e-9
    # Arms that hang down at rest instead of a T-pose.
    rotations = other.rotations.copy()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        joint = other.index(f"{side}Arm")
        down = np.array([0.0, 0.0, -sign * np.sin(0.6), np.cos(0.6)])
        above = other.rest.rotations[other.parents[joint]]
        turned = multiply(multiply(inverse(above), down), above)
        rotations[joint] = multiply(turned, rotations[joint])
    lowered = Skeleton(other.parents, other.offsets, names=other.names, rotations=rotations)
    assert np.abs(lowered.rest.positions - other.rest.positions).max() > 0.3
    assert np.abs(at(retarget(clip, lowered, hold=False)) - at(clip)).max() < 1e-9


def test_feet_that_point_down_at_rest_are_flat_where_they_were():
    clip = walking()
    person, down = clip.skeleton, np.array([np.sin(0.3), 0.0, 0.0, np.cos(0.3)])
    rest, rotations = person.rotations.copy(), clip.pose.rotations
    rest[[person.index("LeftFoot"), person.index("RightFoot")]] = down
    source = Skeleton(person.parents, person.offsets, names=person.names, rotations=rest)
    assert np.abs(source.rest.positions - person.rest.positions).max() > 0.05
    made = retarget(
        Clip(source, LocalPose(rotations, clip.pose.translations), clip.fps), person, hold=False
    )
    assert np.abs(at(made) - at(clip)).max() < 1e-9


def test_feet_that_sink_are_lifted():
    clip = walking(500)  # so that one step in which a foot sinks is not the ground
    foot = clip.skeleton.index("LeftFoot")
    low = at(clip)[45, foot] - [0.0, 0.05 + at(clip)[45, foot, 1] - 0.09, 0.0]
    clip = move_end(clip, "LeftFoot", low, frames=(45, 46), blend=0.02)
    toe = clip.skeleton.index("LeftToeBase")
    ground = np.percentile(at(clip)[:, [toe, clip.skeleton.index("RightToeBase")], 1].min(1), 1)
    made = retarget(clip, clip.skeleton, hold=False)
    assert at(clip)[:, toe, 1].min() < ground - 0.01
    assert at(made)[:, toe, 1].min() > 0.03 - 1e-9  # the height of toes at rest


def test_z_up_and_another_unit_do_not_matter():
    clip = walking()
    turned = clip_files.moved(clip, [HALF, 0.0, 0.0, HALF], scale=100.0, up="z")
    rest = turned.skeleton.rotations.copy()
    rest[0] = [HALF, 0.0, 0.0, HALF]
    offsets = turned.skeleton.offsets.copy()
    offsets[0] = [0.0, 0.0, offsets[0, 1]]
    tall = Skeleton(turned.skeleton.parents, offsets, names=turned.skeleton.names, rotations=rest)
    made = retarget(clip, Clip(tall, LocalPose(rest[None]), 24.0, up="z", metres=0.01), hold=False)
    x, y, z = np.moveaxis(at(clip), -1, 0)
    assert np.abs(at(made) - np.stack([x, -z, y], axis=-1)).max() < 1e-9
    back = retarget(made, clip.skeleton, hold=False)
    assert np.abs(at(back) - at(clip)).max() < 1e-9


def test_bones_point_to_where_they_did_and_feet_stay_on_a_smaller_body():
    clip = walking()
    offsets = 0.6 * clip.skeleton.offsets
    for joint, name in enumerate(clip.skeleton.names):
        offsets[joint] *= 0.9 if name.endswith(("Leg", "Hand")) else 1.0
    small = Skeleton(clip.skeleton.parents, offsets, names=clip.skeleton.names)
    made = retarget(clip, small)
    index, before, after = small.index, at(clip), at(made)
    for name in ("LeftForeArm", "LeftHand", "RightHand", "Head"):
        joint = index(name)
        parent = small.parents[joint]
        bones = [each[:, joint] - each[:, parent] for each in (before, after)]
        units = [bone / np.linalg.norm(bone, axis=-1, keepdims=True) for bone in bones]
        assert np.abs(units[0] - units[1]).max() < 1e-9
    contacts = find_contacts(clip)
    assert sum(len(spans) for spans in contacts.values()) > 5
    assert walkers.drift(made, contacts).max() < 1e-6 * MM
    travel = np.ptp(after[:, 0, 2]) / np.ptp(before[:, 0, 2])
    legs = [
        np.linalg.norm(each[0, index("LeftLeg")] - each[0, index("LeftUpLeg")])
        + np.linalg.norm(each[0, index("LeftFoot")] - each[0, index("LeftLeg")])
        for each in (before, after)
    ]
    assert abs(travel - legs[1] / legs[0]) < 1e-3
    toes = after[:, [index("LeftToeBase"), index("RightToeBase")], 1]
    assert toes.min() > -1e-9
    assert np.abs(walkers.bones(made)[:, 1:] - np.linalg.norm(offsets, axis=-1)[1:]).max() < 1e-9


def test_hands_are_where_they_were_in_the_world_if_asked_for():
    clip = walking()
    clip = move_end(clip, "LeftHand", JointPoint("Head", [0.15, 0.0, 0.15]))
    offsets = clip.skeleton.offsets.copy()
    offsets[[clip.skeleton.index("LeftArm"), clip.skeleton.index("LeftForeArm")]] *= 1.1
    other = Skeleton(clip.skeleton.parents, offsets, names=clip.skeleton.names)
    hand = clip.skeleton.index("LeftHand")
    apart = {
        hands: np.abs(at(retarget(clip, other, hands=hands, hold=False)) - at(clip))[:, hand].max()
        for hands in ("body", "world")
    }
    assert apart["world"] < 1e-9
    assert apart["body"] > 0.03


def test_spines_of_other_numbers_of_joints_bend_as_much():
    clip = walking()
    person = clip.skeleton
    rotations = clip.pose.rotations.copy()
    rotations[:, person.index("Head")] = [np.sin(0.2), 0.0, 0.0, np.cos(0.2)]
    rotations[:, person.index("Neck")] = [np.sin(0.1), 0.0, 0.0, np.cos(0.1)]
    clip = clip.with_pose(LocalPose(rotations, clip.pose.translations))
    # A spine of two joints, which the arms hang from, and a neck of two.
    names = [*person.names, "Spine", "Chest", "Neck2"]
    parents, offsets = [*person.parents, 0, 17, person.index("Neck")], [*person.offsets]
    offsets += [np.array([0.0, 0.2, 0.0]), np.array([0.0, 0.2, 0.0]), np.array([0.0, 0.1, 0.0])]
    for joint, name in enumerate(person.names):
        if name in ("LeftArm", "RightArm", "Neck"):
            parents[joint] = 18
            offsets[joint] = offsets[joint] - [0.0, 0.4, 0.0]
    parents[person.index("Head")] = 19
    offsets[person.index("Head")] = np.array([0.0, 0.1, 0.0])
    other = Skeleton(parents, offsets, names=names)
    made = retarget(clip, other, hold=False)
    hand, head = person.index("LeftHand"), person.index("Head")
    assert np.abs(at(made)[:, hand] - at(clip)[:, hand]).max() < 1e-9
    turned = [each.skeleton.to_global(each.pose).rotations[:, head] for each in (clip, made)]
    assert np.abs(np.abs(np.sum(turned[0] * turned[1], axis=-1)) - 1.0).max() < 1e-12


def test_the_motion_is_a_further_animation_of_a_model(tmp_path):
    path = clip_files.path_of(clip_files.CHARACTER)
    before = load_all(path)
    clip = walking(30)
    made = retarget(clip, before[0])
    made.name = "walking"
    out = tmp_path / "out.glb"
    save(made, out)
    after = load_all(out)
    assert [each.name for each in after] == [*(each.name for each in before), "walking"]
    for old, new in zip(before, after, strict=False):
        assert np.array_equal(old.pose.rotations, new.pose.rotations)
    assert np.abs(at(after[-1]) - at(made)).max() < 1e-5
    contacts = find_contacts(clip)
    held = {"Foot.L": contacts["LeftFoot"], "Foot.R": contacts["RightFoot"]}
    assert walkers.drift(made, held).max() < 1e-6 * MM


def test_a_rest_pose_in_which_nobody_stands_is_replaced_by_a_frame():
    clip = walking()
    flat = np.zeros_like(clip.skeleton.offsets)
    flat[:, 0] = np.linalg.norm(clip.skeleton.offsets, axis=-1)  # all bones along x
    own = np.stack([flat[:, 0], 0.0 * flat[:, 0], 0.0 * flat[:, 0]], axis=-1)
    translations = np.tile(clip.skeleton.offsets, (len(clip), 1, 1))
    odd = Skeleton(clip.skeleton.parents, own, names=clip.skeleton.names)
    source = Clip(odd, LocalPose(clip.pose.rotations, clip.pose.translations), clip.fps)
    assert translations.shape == source.pose.translations.shape
    made = retarget(source, clip.skeleton, hold=False)
    assert np.abs(at(made) - at(clip)).max() < 0.02
    with pytest.raises(ClipError, match="the skeleton: expected a body whose legs point down"):
        retarget(clip, odd)


@pytest.mark.parametrize(
    ("skeleton", "options", "error", "message"),
    [
        (None, {}, ArrayTypeError, "`skeleton` must be a Skeleton or a Clip, got NoneType"),
        (
            walkers.FIGURE,
            {},
            ClipError,
            "the skeleton: expected one left and one right arm, got none",
        ),
        (people.skeleton(), {"hands": "feet"}, ClipError, "expected 'body' or 'world', got 'feet'"),
        (people.skeleton(), {"contacts": {"Tail": []}}, ClipError, "the contacts: expected joints"),
    ],
)
def test_what_does_not_fit_is_refused(skeleton, options, error, message):
    with pytest.raises(error, match=message):
        retarget(people.standing(30), skeleton, **options)


def test_clips_that_are_not_finite_are_refused():
    clip = people.standing(30)
    rotations = clip.pose.rotations.copy()
    rotations[7, 2, 1] = np.inf
    with pytest.raises(ClipError, match="rotations: expected finite numbers, got NaN or infinity"):
        retarget(clip.with_pose(clip.pose._replace(rotations=rotations)), people.skeleton())


def test_recorded_clips_keep_their_knees_smooth(tmp_path):
    clip = clip_files.cmu("02_01")
    other = load(clip_files.path_of(clip_files.DAB))
    made = retarget(clip, other)
    scale = [
        np.median(
            walkers.bones(each)[
                :, [each.skeleton.index(part) for part in ("LeftLeg", "LeftFoot")]
            ].sum(1)
        )
        for each in (clip, made)
    ]
    joints = [
        [each.skeleton.index(f"{side}Leg") for side in ("Left", "Right")] for each in (clip, made)
    ]
    old, new = (
        walkers.accelerations(each, knees) for each, knees in zip((clip, made), joints, strict=True)
    )
    assert np.percentile(new, 99.5) < 2.0 * np.percentile(old, 99.5) * scale[1] / scale[0]
    assert walkers.drift(made, find_contacts(clip)).max() < 1e-6 * MM


@pytest.mark.parametrize("frames", [1, 2])
def test_a_few_frames_are_enough(frames):
    clip = walking(10)[4 : 4 + frames]
    made = retarget(clip, clip.skeleton, hold=False)
    assert np.abs(at(made) - at(clip)).max() < 1e-9
    assert np.isfinite(retarget(clip, clip.skeleton).pose.rotations).all()
