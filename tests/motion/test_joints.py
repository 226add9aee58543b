"""From joint positions to rotations: joints come back, limbs do not flip, errors are named."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moving_joints
import people
from twobone import motion
from twobone.errors import ArrayTypeError, ClipError
from twobone.motion import JointsWarning, from_joints
from twobone.motion.joints import features, filling, limbs

MICRON = 1e-6


def converted(points, *args, **options):
    """Return the clip of points, whatever is said about them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JointsWarning)
        return from_joints(points, *args, **options)


def most_apart(clip, points):
    return np.abs(moving_joints.positions(clip)[:, : points.shape[1]] - points).max()


def twists(clip, joint, child):
    """Return by how many degrees a bone twists about itself from frame to frame, in the world."""
    turned = clip.skeleton.to_global(clip.pose).rotations[:, joint]
    x, y, z, w = np.moveaxis(turned, -1, 0)
    inverse = np.stack([-x, -y, -z, w], axis=-1)[:-1]
    a, b = inverse[:, :3], turned[1:, :3]
    vector = inverse[:, 3:] * b + turned[1:, 3:] * a + np.cross(a, b)
    scalar = inverse[:, 3] * turned[1:, 3] - (a * b).sum(-1)
    axis = clip.skeleton.offsets[child] / np.linalg.norm(clip.skeleton.offsets[child])
    angle = np.degrees(2.0 * np.arctan2(vector @ axis, scalar))
    return np.abs((angle + 180.0) % 360.0 - 180.0)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(1, 60),
    st.integers(0, 2**31),
    st.sampled_from([(20.0, 90.0), (0.0, 0.0), (0.0, 120.0), (-40.0, -20.0), (-10.0, 30.0)]),
    st.floats(-400.0, 400.0),
)
def test_the_joints_of_a_skeleton_with_constant_bones_come_back(frames, seed, bent, turning):
    points = moving_joints.positions(moving_joints.person(frames, seed, bent, turning=turning))
    clip = converted(points, 20)
    assert len(clip) == frames
    assert most_apart(clip, points) < MICRON
    np.testing.assert_allclose(clip.joints(), points, atol=MICRON)
    assert np.ptp(clip.pose.translations[:, 1:], axis=0).max() == 0.0


@pytest.mark.parametrize("ends", ["shared", "exact"])
def test_noise_does_not_flip_limbs_and_errors_do_not_add_up(ends):
    person = moving_joints.person(200, turning=200.0)
    true = moving_joints.positions(person)
    noise = 0.005 * np.random.default_rng(0).normal(size=true.shape)
    clip = converted(true + noise, 20, ends=ends)
    apart = np.linalg.norm(moving_joints.positions(clip) - true - noise, axis=-1)
    tips = apart[:, [7, 8, 20, 21]]
    assert np.percentile(apart, 95) < 0.020
    assert np.percentile(tips, 95) < (1e-5 if ends == "exact" else 0.011)
    for joint, child in ((16, 18), (17, 19), (1, 4), (2, 5)):
        true_twists = twists(person, joint, child)
        assert (twists(clip, joint, child) < np.maximum(60.0, true_twists + 30.0)).all()


def test_exact_ends_of_straight_limbs_do_not_let_noise_twist_them():
    person = moving_joints.person(200, 0, bent=(0.0, 2.0), turning=60.0)
    true = moving_joints.positions(person)
    noise = 0.005 * np.random.default_rng(1).normal(size=true.shape)
    clips = [converted(true + noise, 20, ends=ends) for ends in ("shared", "exact")]
    for joint, child in ((16, 18), (17, 19), (1, 4), (2, 5)):
        usual = np.maximum(60.0, twists(person, joint, child) + 30.0)
        assert all((twists(clip, joint, child) < usual).all() for clip in clips)


def test_knees_that_are_recorded_just_beyond_straight_do_not_flip():
    bent = moving_joints.person(120, 3, bent=(-6.0, 60.0))
    clip = converted(moving_joints.positions(bent), 20)
    for joint, child in ((1, 4), (2, 5), (16, 18), (17, 19)):
        assert (
            twists(clip, joint, child) < np.maximum(40.0, 20.0 + twists(bent, joint, child))
        ).all()


def test_limbs_that_bend_the_other_way_turn_no_faster_than_limbs_can():
    bent = moving_joints.person(120, 3, bent=(-40.0, 60.0))
    clip = converted(moving_joints.positions(bent), 20)
    for joint, child in ((1, 4), (2, 5), (16, 18), (17, 19)):
        own, true = twists(clip, joint, child), twists(bent, joint, child)
        assert (own < true + np.degrees(limbs.TWIST) / 20.0 + 1.0).all()


def test_the_trunk_gives_way_where_exact_ends_are_beyond_the_reach_of_straight_limbs():
    person = moving_joints.person(200, 0, bent=(0.0, 2.0), turning=60.0)
    true = moving_joints.positions(person)
    noise = 0.005 * np.random.default_rng(1).normal(size=true.shape)
    exact, shared = (converted(true + noise, 20, ends=ends) for ends in ("exact", "shared"))
    apart = np.linalg.norm(moving_joints.positions(exact) - true - noise, axis=-1)
    assert np.percentile(apart[:, [7, 8, 20, 21]], 95) < 1e-5
    trunk = [0, 1, 2, 3, 6, 9, 12, 13, 14, 15, 16, 17]
    moved = moving_joints.positions(exact) - moving_joints.positions(shared)
    assert np.percentile(np.linalg.norm(moved[:, trunk], axis=-1), 95) < 0.025


@pytest.mark.parametrize("bent", [5.0, 20.0, 60.0])
@pytest.mark.parametrize("longer", [0.99, 1.01])
def test_errors_are_shared_so_that_those_of_ends_count_twice(bent, longer):
    bones = limbs.Bones(0.4, 0.35, 0.0)
    turn = np.radians(bent)
    mid = longer * 0.4 * np.array([1.0, 0.0, 0.0])
    end = mid + longer * 0.35 * np.array([np.cos(turn), np.sin(turn), 0.0])
    start = np.zeros((3, 1))

    def cost(end_there):
        """Return the error of a limb whose end is there: elbows are compared by direction."""
        found = limbs.place(start, mid[:, None], end_there[:, None], bones, exact=True)[:, 0]
        there = np.linalg.norm(found - 0.4 * mid / np.linalg.norm(mid))
        return 2.0 * np.linalg.norm(end_there - end) ** 2 + there**2

    found = limbs.place(start, mid[:, None], end[:, None], bones, exact=False)[:, 0]
    chosen = solved_end(found, end, bones)
    away = end / np.linalg.norm(end)
    most = 0.999999 * 0.75
    others = [chosen + step * away for step in np.linspace(-0.01, 0.01, 41)]
    others = [each for each in others if np.linalg.norm(each) < most]
    assert cost(chosen) < 1.02 * min(map(cost, others))


def solved_end(mid, end, bones):
    """Return the end of a limb whose middle joint is known, on the way to where it was observed."""
    away = end / np.linalg.norm(end)
    along = mid @ away
    return (along + np.sqrt(bones.second**2 - mid @ mid + along**2)) * away


def test_exact_ends_far_away_bend_no_spine():
    true = moving_joints.positions(moving_joints.person(60))
    noise = 0.005 * np.random.default_rng(2).normal(size=true.shape)
    stray = true + noise
    stray[30, 20] += [3.0, 0.0, 0.0]  # a wrist
    clips = [converted(each, 20, ends="exact") for each in (true + noise, stray)]
    apart = np.subtract(*(moving_joints.positions(clip) for clip in clips))
    assert np.abs(apart[:, [0, 3, 6, 9, 12, 13]]).max() < 0.05


def test_the_spine_shares_the_twist_of_the_chest():
    person = moving_joints.person(3, bent=(20.0, 20.0), turning=0.0)
    vectors = np.zeros((3, 22, 3))
    vectors[:, 9, 1] = [0.0, 30.0, 60.0]  # the chest turns to the left, all at one joint
    pose = person.pose._replace(rotations=moving_joints.rotations(vectors))
    clip = converted(moving_joints.positions(person.with_pose(pose)), 20)
    turns = 2.0 * np.degrees(np.arctan2(clip.pose.rotations[:, :, 1], clip.pose.rotations[:, :, 3]))
    for joint in (3, 6, 9):
        np.testing.assert_allclose(turns[:, joint], [0.0, 10.0, 20.0], atol=2.0)


def test_a_turned_scaled_or_upright_figure_gives_the_same_rotations():
    points = moving_joints.positions(moving_joints.person(40))
    clip = from_joints(points, 20)
    z_up = np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
    other = from_joints(100.0 * z_up, 20, metres=0.01)
    assert (clip.up, other.up) == ("y", "z")
    assert most_apart(other, 100.0 * z_up) < 100.0 * MICRON
    x, y, z, w = np.moveaxis(clip.pose.rotations, -1, 0)
    turned = np.stack([x, -z, y, w], axis=-1)
    dots = np.abs((turned * other.pose.rotations).sum(-1))
    np.testing.assert_allclose(dots, 1.0, atol=1e-9)


@pytest.mark.parametrize("name", ["coco17", "h36m17", "kit21", "smpl24"])
def test_layouts_of_other_sizes(name):
    points = moving_joints.positions(moving_joints.person(30))

    def middle(a, b):
        return 0.5 * (points[:, a] + points[:, b])

    def of(side, count):
        return [points[:, joint] for joint in legs[side][:count]]

    legs, arms = (
        {"l": (1, 4, 7, 10, 10), "r": (2, 5, 8, 11, 11)},
        {"l": (16, 18, 20), "r": (17, 19, 21)},
    )
    hands = {side: [points[:, joint] for joint in arms[side]] for side in "lr"}
    head, neck = points[:, 15], middle(16, 17)
    spine, root = [points[:, 3], points[:, 9], neck], middle(1, 2)
    if name == "smpl24":
        chosen = [
            *points.transpose(1, 0, 2),
            points[:, 20] * 2 - points[:, 18],
            points[:, 21] * 2 - points[:, 19],
        ]
    elif name == "h36m17":
        rest = [points[:, 6], neck, head, head + np.array([0, 0.1, 0])]
        chosen = [root, *of("r", 3), *of("l", 3), *rest, *hands["l"], *hands["r"]]
    elif name == "kit21":
        toes = {side: [of(side, 4)[3] + [0, 0, 0.05]] for side in "lr"}
        chosen = [root, *spine, head, *hands["r"], *hands["l"]]
        chosen += [*of("r", 4), *toes["r"], *of("l", 4), *toes["l"]]
    else:
        face = [
            head + 0.05 * np.array(v)
            for v in ([0, 0, 2], [1, 1, 1], [-1, 1, 1], [2, 0, 0], [-2, 0, 0])
        ]
        chosen = [*face, *(hands[s][n] for n in range(3) for s in "lr")]
        chosen += [of(s, 3)[n] for n in range(3) for s in "lr"]
    points = np.stack(chosen, axis=1)
    clip = converted(points, 30, skeleton=name, metres=1.0)
    ends = [
        clip.skeleton.index(f"{side}_{part}")
        for side in ("left", "right")
        for part in ("wrist", "ankle")
    ]
    apart = np.abs(moving_joints.positions(clip)[:, ends] - points[:, ends]).max()
    assert apart < 0.03  # the trunk of these points changes its shape
    assert motion.find_limbs(clip).legs


def test_where_several_skeletons_have_so_many_joints_the_error_lists_them():
    with pytest.raises(ClipError, match="skeleton: expected 'coco17' or 'h36m17' for 17 joints"):
        from_joints(np.zeros((5, 17, 3)), 20)
    with pytest.raises(ClipError, match=r"22 \(smpl22\), 24 \(smpl24\)"):
        from_joints(np.zeros((5, 18, 3)), 20)
    with pytest.raises(ClipError, match="17 joints for h36m17"):
        from_joints(np.zeros((5, 22, 3)), 20, skeleton="h36m17")


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 20), st.integers(0, 2**31), st.booleans())
def test_any_tree_of_joints_even_with_bones_of_length_0(frames, seed, has_none):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    parents = [-1, *(int(rng.integers(0, joint)) for joint in range(1, count))]
    points = np.cumsum(rng.normal(size=(frames, count, 3)), axis=0)
    for joint in range(1, count):
        if has_none and rng.random() < 0.4:
            points[:, joint] = points[:, parents[joint]]
    clip = from_joints(points, 30, parents=parents)
    assert np.isfinite(clip.pose.rotations).all()
    np.testing.assert_allclose(np.linalg.norm(clip.pose.rotations, axis=-1), 1.0, atol=1e-9)
    assert np.abs(moving_joints.positions(clip)[:, 0] - points[:, 0]).max() < 1e-9


def test_limbs_that_are_straight_throughout_come_back():
    clip = people.standing(4)
    points = moving_joints.positions(clip)
    made = from_joints(points, 30, parents=clip.skeleton.parents, names=clip.skeleton.names)
    assert most_apart(made, points) < MICRON
    assert np.linalg.norm(made.pose.rotations, axis=-1) == pytest.approx(1.0)


def test_a_skeleton_of_ones_own_comes_back_too():
    person = moving_joints.person(50)
    points = moving_joints.positions(person)
    clip = from_joints(points, 20, parents=moving_joints.PARENTS)
    assert most_apart(clip, points) < MICRON
    # Joints that coincide share their rotation.
    doubled = np.concatenate([points, points[:, :1]], axis=1)
    parents = [0 if parent < 0 else parent for parent in moving_joints.PARENTS]
    parents = [22 if parent == 0 else parent for parent in parents]
    parents[0] = -1
    clip = from_joints(doubled, 20, parents=[*parents, 0])
    assert most_apart(clip, doubled) < MICRON


def test_gaps_are_filled_and_said_and_change_nothing_else():
    points = moving_joints.positions(moving_joints.person(60))
    holes = points.copy()
    holes[20:24, 20], holes[:3, 15], holes[50:, 7, 1] = np.nan, np.inf, np.nan
    with pytest.warns(JointsWarning, match="17 of 60 frames, of left_ankle, head, left_wrist"):
        clip = from_joints(holes, 20)
    apart = np.linalg.norm(clip.joints() - points, axis=-1)
    assert apart[20:24, 20].max() < 0.02
    assert apart[4:49].max(axis=0)[[1, 2, 3, 16]].max() < 1e-3
    holes[:, 20] = np.nan
    with pytest.raises(ClipError, match="in at least one frame, got none of left_wrist"):
        from_joints(holes, 20)


def test_gaps_of_the_root_are_filled_beside_those_of_others():
    points = moving_joints.positions(moving_joints.person(60))
    holes = points.copy()
    holes[20:23, 0] = holes[24:26, 0] = holes[21:23, 7] = np.nan
    with pytest.warns(JointsWarning, match="pelvis"):
        clip = from_joints(holes, 20)
    assert np.linalg.norm(clip.joints() - points, axis=-1).max() < 0.02
    # Three frames on a line in time: a curve that ends beside another gap ends straight on.
    line = np.arange(9.0) * np.ones((3, 1))
    valid = np.array([1, 1, 0, 0, 1, 0, 0, 1, 1], bool)
    found = filling.filled(np.where(valid, line, np.nan)[None], valid[None], 0)
    np.testing.assert_allclose(found[0], line, atol=1e-12)


def test_smoothing_over_three_frames_changes_nothing():
    points = np.random.default_rng(0).normal(size=(2, 3, 9))
    np.testing.assert_array_equal(filling.smoothed(points, 1), points)


def test_smoothing_keeps_parabolas_and_lessens_noise():
    time = np.linspace(-1.0, 1.0, 41)
    parabola = np.stack([time, time * time, 3.0 - time])
    np.testing.assert_allclose(filling.smoothed(parabola, 5), parabola, atol=1e-12)
    points = moving_joints.positions(moving_joints.person(80))
    noisy = points + 0.005 * np.random.default_rng(0).normal(size=points.shape)
    plain, smooth = (np.abs(from_joints(noisy, 30, smooth=s).joints() - points) for s in (0.0, 0.3))
    assert smooth.mean() < 0.8 * plain.mean()


def test_features_of_humanml3d_are_positions_and_contacts():
    points = moving_joints.positions(moving_joints.person(40))
    points -= points[:1, :1] * [1.0, 0.0, 1.0]
    across = points[0, 1] - points[0, 2]
    yaw = np.arctan2(-across[2], across[0])
    turn = np.array([[np.cos(yaw), 0, -np.sin(yaw)], [0, 1, 0], [np.sin(yaw), 0, np.cos(yaw)]])
    points = points @ turn.T
    contacts = np.random.default_rng(0).random((40, 4)) < 0.5
    found = features.decoded(moving_joints.features(points, contacts))
    np.testing.assert_allclose(found.points, points, atol=1e-9)
    np.testing.assert_array_equal(found.contacts["right_ankle"], contacts[:, 2])
    clip = converted(moving_joints.features(points, contacts), 20)
    assert most_apart(clip, points) < MICRON
    with pytest.raises(ClipError, match="263 or 251"):
        from_joints(np.zeros((5, 66)), 20)


def test_humanoids_become_animations_of_vrm(tmp_path):
    points = moving_joints.positions(moving_joints.person(12))
    clip = from_joints(points, 20)
    motion.save(clip, tmp_path / "walk.vrma")
    loaded = motion.load(tmp_path / "walk.vrma")
    named = {bone: loaded.skeleton.names[joint] for bone, joint in loaded.human_bones.items()}
    assert named["hips"] == "pelvis"
    assert named["leftToes"] == "left_foot"
    assert named["rightUpperArm"] == "right_shoulder"
    assert len(named) == 22
    motion.save(clip, tmp_path / "walk.glb")
    assert not motion.load(tmp_path / "walk.glb").human_bones
    own = from_joints(points, 20, parents=moving_joints.PARENTS)
    motion.save(own, tmp_path / "own.vrma")
    assert not motion.load(tmp_path / "own.vrma").human_bones


def test_joints_can_have_other_names():
    points = moving_joints.positions(moving_joints.person(5))
    names = [f"j{joint}" for joint in range(22)]
    clip = from_joints(points, 20, names=names)
    assert list(clip.skeleton.names) == names
    assert clip.human_bones["leftUpperLeg"] == 1
    with pytest.raises(ClipError, match="22 names, got 21"):
        from_joints(points, 20, names=names[1:])


def test_units_that_cannot_be():
    points = 100.0 * moving_joints.positions(moving_joints.person(5))
    with pytest.raises(
        ClipError, match=r"one of 1[67]\d m; its unit is probably 0.01 m: metres=0.01"
    ):
        converted(points, 20)
    assert converted(points, 20, metres=0.01).metres == 0.01
    with pytest.raises(ClipError, match=r"got one of 0.0017 m$"):  # no unit is so large
        converted(1e-5 * points, 20)


def test_normalized_features_are_taken_for_what_they_are():
    normalized = np.random.default_rng(0).normal(size=(50, 263))
    with pytest.raises(ClipError, match="features normalized"):
        from_joints(normalized, 20)


def test_what_seems_wrong_is_said():
    points = moving_joints.positions(moving_joints.person(30))
    with pytest.warns(JointsWarning, match="left and right seem to be exchanged"):
        from_joints(points * [-1.0, 1.0, 1.0], 20)
    with pytest.warns(JointsWarning, match="seems to have y up, and not z"):
        from_joints(points, 20, up="z")
    with pytest.warns(JointsWarning, match="seems to have y down"):
        from_joints(points * [1.0, -1.0, -1.0], 20)


@pytest.mark.parametrize(
    ("points", "options", "text"),
    [
        (np.zeros((5, 22, 2)), {}, "points"),
        (np.zeros((0, 22, 3)), {}, "points"),
        (np.zeros((2, 5, 22, 3)), {}, "one motion at a time"),
        (np.zeros((5, 22, 3)), {}, "bones of some length"),
        (np.zeros((5, 22, 3)), {"skeleton": "smpl"}, "expected one of smpl22"),
        (np.zeros((5, 22, 3)), {"skeleton": "smpl22", "parents": [-1]}, "got both"),
        (np.zeros((5, 22, 3)), {"parents": [-1, 0]}, "22 parents, got 2"),
        (np.ones((5, 22, 3)), {"ends": "near"}, "'shared' or 'exact'"),
        (np.ones((5, 22, 3)), {"smooth": -1.0}, "smooth"),
        (np.ones((5, 22, 3)), {"up": "x"}, "'y' or 'z'"),
        (np.ones((5, 22, 3)), {"metres": 0.0}, "metres"),
        (np.full((5, 22, 3), 1e200), {}, "coordinates up to"),
    ],
)
def test_bad_input_is_named(points, options, text):
    with pytest.raises(ClipError, match=text):
        from_joints(points, 20, **options)


def test_points_are_real_numbers():
    for points in (np.ones((5, 22, 3), complex), [["a"]], [[[0.0]], [1.0]]):
        with pytest.raises(ArrayTypeError):
            from_joints(points, 20)
    for fps in (0.0, float("nan")):
        with pytest.raises(ClipError, match="fps"):
            from_joints(np.ones((5, 22, 3)), fps)
