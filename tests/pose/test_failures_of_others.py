"""What other systems get wrong, one test each: we do not.

Their failures were measured or read in their sources; the names say whose they are.
"""

import numpy as np
import pytest

import twobone
from rigs import rotation
from twobone import LocalPose, Skeleton, Status

Z, POLE = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]


def rig(r1=1.0, r2=1.0, opening=90.0, parent=None):
    """Return the matrices of an arm: the first bone up +y, the joint opens about z."""
    angle = np.radians(opening)
    start, mid, end = np.eye(4), np.eye(4), np.eye(4)
    mid[:3, 3] = [0.0, r1, 0.0]
    end[:3, 3] = mid[:3, 3] + r2 * np.array([np.sin(angle), -np.cos(angle), 0.0])
    parent = np.eye(4) if parent is None else parent
    return parent @ start, parent @ mid, parent @ end


def walk(matrices, found):
    """Return where the joint and the end are after the corrections."""
    start, mid, end = matrices
    turn = [np.eye(4), np.eye(4)]
    for matrix, q in zip(turn, (found.start, found.mid), strict=True):
        matrix[:3, :3] = rotation(q)
    new = start @ turn[0]
    knee = new @ np.linalg.inv(start) @ mid @ turn[1]
    return knee[:3, 3], (knee @ np.linalg.inv(mid) @ end)[:3, 3]


def reach(target, *, r1=1.0, r2=1.0, pole=POLE, opening=90.0, parent=None, **options):
    """Return joint, end and status of an arm that reaches, walked forwards."""
    matrices = rig(r1, r2, opening, parent)
    found = twobone.correct_limb(*matrices, target, pole=pole, mid_axis=Z, **options)
    return *walk(matrices, found), Status(int(found.status))


def lengths(joint, end):
    return [np.linalg.norm(joint), np.linalg.norm(end - joint)]


# --- too close, at the root, bones of no length ---------------------------------------------


@pytest.mark.parametrize("distance", [0.3, 0.1, 0.01])
def test_unreal_makes_the_lower_bone_1_7_times_too_long_for_a_target_too_close(distance):
    joint, end, status = reach([distance, 0.0, 0.0], r1=1.0, r2=0.5)
    assert status == Status.TOO_NEAR
    np.testing.assert_allclose(lengths(joint, end), [1.0, 0.5], atol=1e-14)
    np.testing.assert_allclose(end, [0.5, 0.0, 0.0], atol=1e-14)  # as near as it can


def test_o3de_is_44_off_on_a_target_that_is_close_but_can_be_reached():
    for distance in np.linspace(0.51, 0.7, 20):
        target = [distance, 0.0, 0.0]
        joint, end, status = reach(target, r1=1.0, r2=0.5)
        assert status == Status.REACHED
        np.testing.assert_allclose(end, target, atol=1e-14)
        np.testing.assert_allclose(lengths(joint, end), [1.0, 0.5], atol=1e-14)


def test_mgear_snaps_straight_for_a_target_too_close():
    for distance in (0.49, 0.2, 1e-3):
        joint, end, _ = reach([distance, 0.0, 0.0], r1=1.0, r2=0.5)
        first, second = joint / 1.0, (end - joint) / 0.5
        assert first @ second < -1.0 + 1e-12  # folded


def test_godot_takes_the_arc_cosine_of_a_nan_and_freezes_for_a_target_too_close():
    for r1, r2, distance in ((3.0, 1.0, 1.0), (3.0, 1.0, 0.0), (1.0, 3.0, 1e-9)):
        joint, end, _ = reach([0.0, 0.0, distance], r1=r1, r2=r2, pole=[1.0, 0.0, 0.0])
        assert np.all(np.isfinite([*joint, *end]))
        again, _, _ = reach([1.5, 0.0, 2.0], r1=r1, r2=r2)
        assert np.all(np.isfinite(again))


def test_babylon_gives_nan_for_everything_with_the_target_at_the_root():
    for r2 in (1.0, 0.5):
        joint, end, status = reach([0.0, 0.0, 0.0], r2=r2)
        assert np.all(np.isfinite([*joint, *end]))
        assert status == (Status.AMBIGUOUS if r2 == 1.0 else Status.TOO_NEAR)


def test_spine_rive_and_dragonbones_jump_to_angle_0_with_the_target_at_the_root():
    """On the way through the root the joint stays where it is, and so does it at the root."""
    before, _, _ = reach([1e-9, 0.0, 0.0])
    there, end, _ = reach([0.0, 0.0, 0.0])
    np.testing.assert_allclose(there, before, atol=1e-8)
    np.testing.assert_allclose(end, 0.0, atol=1e-15)
    plane = twobone.solve([[1e-300, 0.0], [0.0, 0.0]], 1.0, 1.0)
    np.testing.assert_allclose(plane, [[0.0, 1.0], [0.0, 1.0]], atol=1e-15)


def test_ozz_folds_onto_the_root_but_says_that_it_is_not_reached():
    _, end, status = reach([0.0, 0.0, 0.0])
    np.testing.assert_allclose(end, 0.0, atol=1e-15)
    assert status == Status.AMBIGUOUS  # met, and more than one way to


@pytest.mark.parametrize(("r1", "r2"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
def test_unity_gives_nan_for_a_bone_of_no_length(r1, r2):
    joint, end, _ = reach([0.6, 0.0, 0.0], r1=r1, r2=r2)
    assert np.all(np.isfinite([*joint, *end]))
    np.testing.assert_allclose(lengths(joint, end), [r1, r2], atol=1e-15)


# --- the pole -------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_pole_on_the_target_line_shortens_flattens_straightens_or_jerks_elsewhere(sign):
    """Babylon shortens a bone to .6, Blender misses by .79, Godot overshoots, ozz jerks."""
    for beside in (0.0, 1e-17, 1e-12, 1e-6):
        joint, end, status = reach([1.2, 0.0, 0.0], pole=[sign, beside, 0.0])
        assert status in (Status.REACHED, Status.AMBIGUOUS)
        np.testing.assert_allclose(lengths(joint, end), 1.0, atol=1e-14)
        np.testing.assert_allclose(end, [1.2, 0.0, 0.0], atol=1e-14)


def test_ozz_jerks_when_the_target_passes_the_pole():
    """Issues #187 and #172: a millimetre turns the joint by as much as there is round the way."""
    joints = [reach([1.2, 0.001 * i, 0.02], pole=[1.0, 0.0, 0.0])[0] for i in range(-40, 41)]
    steps = np.linalg.norm(np.diff(joints, axis=0), axis=-1)
    assert steps.max() < 0.05  # the old way: twice the joint's distance from the way, 1.6


def test_unitys_hint_exactly_opposite_the_joint_mirrors_the_end():
    joint, end, status = reach([1.0, 1.0, 0.0], pole=[1.0, -0.0, 0.0])  # the joint is at +y
    assert status == Status.REACHED
    np.testing.assert_allclose(end, [1.0, 1.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(joint, [1.0, 0.0, 0.0], atol=1e-14)


def test_holdens_limb_does_not_turn_for_a_target_exactly_opposite_the_end():
    joint, end, status = reach([-1.0, -1.0, 0.0])
    assert status == Status.REACHED
    np.testing.assert_allclose(end, [-1.0, -1.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(lengths(joint, end), 1.0, atol=1e-14)


@pytest.mark.parametrize("distance", [1.999, 1.5, 0.2])
def test_three_and_blender_stay_stuck_with_a_straight_limb_and_the_target_on_its_line(distance):
    joint, end, status = reach([0.0, distance, 0.0], pole=[-1.0, 0.0, 0.0], opening=180.0)
    assert status == Status.REACHED
    np.testing.assert_allclose(end, [0.0, distance, 0.0], atol=1e-14)
    assert joint[0] < -1e-3  # bent, and towards the pole


def test_half_turn_rolls_as_in_godot_and_flax():
    """Godot #54891 and #48722, Flax #2166: bones stay in the plane they bend in."""
    skeleton = Skeleton([-1, 0, 1], [[0, 0, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
    limb = twobone.Limb(skeleton, 0, 1, 2)
    angles = np.linspace(-1.2, 1.2, 301)
    target = 0.8 * np.stack([0.0 * angles, -np.cos(angles), np.sin(angles)], axis=-1)
    pose = LocalPose(np.tile(skeleton.rotations, (301, 1, 1)))
    turned = limb.reach(pose, target, pole=[0.0, 0.0, 1.0]).pose.rotations[:, 0]
    assert np.abs(np.sum(turned[1:] * turned[:-1], axis=-1)).min() > np.cos(0.02)
    np.testing.assert_allclose(turned[:, 1:3], 0.0, atol=1e-15)  # about x and nothing else


# --- mirrored and scaled, NaN, near full reach -------------------------------------------------


@pytest.mark.parametrize(
    "scale", [(-1, 1, 1), (-2, -2, -2), (1, 3, -0.5), (100, 100, 100)], ids=str
)
def test_mirrored_and_scaled_parents_as_in_godot_and_spine(scale):
    """Godot #75224, #80252, #25544; spine-runtimes #1373."""
    parent = np.diag([*scale, 1.0])
    target = parent[:3, :3] @ [0.7, 0.9, 0.4]
    pole = parent[:3, :3] @ [-0.3, 1.0, 0.2]
    joint, end, status = reach(target, pole=pole, parent=parent)
    assert status == Status.REACHED
    np.testing.assert_allclose(end, target, atol=1e-13 * np.max(np.abs(scale)))
    joint, pole, way = (np.linalg.solve(parent[:3, :3], v) for v in (joint, pole, target))
    normal = np.cross(way, pole)
    assert abs(joint @ normal) < 1e-13
    assert np.cross(way, joint) @ normal > 0.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_target_with_nan_makes_nan_of_everything_elsewhere(bad):
    target = np.tile([0.7, 0.9, 0.4], (5, 1))
    target[2, 1] = bad
    found = twobone.correct_limb(*rig(), target, pole=POLE, mid_axis=Z)
    assert found.status.tolist() == [0, 0, Status.INVALID, 0, 0]
    assert np.isnan(found.start).all(axis=-1).tolist() == [False, False, True, False, False]


def opening_at(share, **options):
    joint, end, _ = reach([2.0 * share, 0.0, 0.0], **options)
    cosine = -joint @ (end - joint)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def test_the_last_per_cent_of_reach_opens_the_joint_by_16_degrees_unless_it_is_soft():
    """The square root behind every knee pop (spine-runtimes #1383); ours has a cure."""
    left = [180.0 - opening_at(share) for share in (0.99, 0.999, 0.9999)]
    np.testing.assert_allclose(left, [16.2, 5.1, 1.6], atol=0.1)
    sharpest = {}
    for soften in (1.0, 0.9):
        openings = [opening_at(share, soften=soften) for share in np.linspace(0.8, 1.2, 401)]
        sharpest[soften] = np.abs(np.diff(openings)).max()
    assert sharpest[1.0] > 5.0
    assert sharpest[0.9] < 0.6


def test_the_soft_curve_of_ozz_overshoots():
    """Its slope is 4/3 where it begins; ours is 1 there, and the end never passes the target."""
    distances = np.linspace(1.0, 3.0, 2001)
    ends = np.array([reach([d, 0.0, 0.0], soften=0.6)[1][0] for d in distances])
    assert np.all(ends <= distances + 1e-14)
    slope = np.diff(ends) / np.diff(distances)
    assert slope.max() < 1.0 + 1e-9
    assert slope.min() > -1e-9
    assert np.abs(np.diff(slope)).max() < 2e-3  # C1


def test_stretch_is_bounded_and_can_be_switched_off_as_asked_of_flax():
    """Flax #3946."""
    target = [3.0, 0.0]
    ends = [
        twobone.reach(target, 1.0, 1.0, unreachable=policy).end[0]
        for policy in ("clamp", twobone.Stretch(limit=1.2), twobone.Stretch(limit=1.5))
    ]
    np.testing.assert_allclose(ends, [2.0, 2.4, 3.0], atol=1e-15)
