"""What other systems get wrong, named, one test each: we don't.

What is written of them was measured with them or read in their source or trackers, late in 2026.
"""

import numpy as np
import pytest

import twobone
from rigs import Rig, affine, correct, place, random_rotation, rotation, square_to, unit, walk
from twobone import Limits, Soft, Status, Stretch

AXIS = np.array([0.0, 0.0, -1.0])  # a positive turn opens what bends from +x to +y


def arm(first, second, mid_axis=AXIS):
    """Return a limb from the origin: matrices that only move, and the hinge."""
    first, second = np.asarray(first, float), np.asarray(second, float)
    joints = [affine(np.eye(3), v) for v in (0 * first, first, first + second)]
    return Rig(*joints, np.asarray(mid_axis, float))


def posed(rig, found):
    """Return joint and end after corrections."""
    _, mid, end = walk(rig, found)
    return place(mid), place(end)


def assert_bones(rig, knee, end):
    """Both bones are as long as before: rotations cannot stretch, so the walk did not either."""
    first, second = place(rig.mid) - place(rig.start), place(rig.end) - place(rig.mid)
    root = place(rig.start)
    np.testing.assert_allclose(np.linalg.norm(knee - root), np.linalg.norm(first), rtol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(end - knee), np.linalg.norm(second), rtol=4e-15)


def turn_between(before, after):
    """Return the angle between two quaternions, in degrees."""
    relative = np.swapaxes(rotation(before), -1, -2) @ rotation(after)
    cosine = (np.trace(relative, axis1=-2, axis2=-1) - 1) / 2
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


# --- too close ----------------------------------------------------------------------------

CLOSE = arm([1.0, 0.0, 0.0], [0.0, 0.4, 0.0])


def test_too_close_the_lower_bone_does_not_grow():
    """Unreal leaves the end on the target, with a lower bone 1.7 times too long."""
    for far in (0.59, 0.3, 0.1, 1e-3, 1e-9):
        target = far * unit(np.array([0.3, 0.5, 0.8]))
        found = correct(CLOSE, target, [0.0, 1.0, 0.0])
        assert found.status == Status.TOO_NEAR
        knee, end = posed(CLOSE, found)
        assert_bones(CLOSE, knee, end)
        np.testing.assert_allclose(end, 0.6 * unit(target), rtol=0, atol=1e-15)
        joint, tip, status = twobone.reach(target, 1.0, 0.4, pole=[0.0, 1.0, 0.0])
        assert status == Status.TOO_NEAR
        np.testing.assert_allclose(np.linalg.norm(joint - tip), 0.4, rtol=1e-14)


def test_a_near_target_within_reach_is_met():
    """O3DE is 0.44 off on one."""
    for far in (0.6, 0.601, 0.65, 0.8):
        target = far * unit(np.array([-0.3, 0.5, 0.8]))
        found = correct(CLOSE, target, [0.0, 1.0, 0.0])
        assert found.status == Status.REACHED
        np.testing.assert_allclose(posed(CLOSE, found)[1], target, rtol=0, atol=2e-15)


def test_too_close_does_not_snap_straight():
    """mGear's limb does: here the opening goes to that of the folded limb and stays."""
    way = unit(np.array([0.2, -0.5, 0.4]))
    openings = []
    for far in np.linspace(0.7, 0.0, 71):
        knee, end = posed(CLOSE, correct(CLOSE, far * way, [0.0, 1.0, 0.0]))
        cosine = unit(-knee) @ unit(end - knee)
        openings.append(np.degrees(np.arccos(np.clip(cosine, -1, 1))))
    assert np.all(np.diff(openings) <= 1e-5)
    assert max(openings) < 34
    assert openings[-1] < 1e-5


def test_no_arc_cosine_of_what_is_none():
    """Godot's 2-D limb takes acos of a NaN and freezes: it does not follow later targets either."""
    joints = [affine(np.eye(2), v) for v in ([0.0, 0.0], [1.0, 0.0], [1.0, 0.4])]
    for target in ([0.1, 0.0], [0.0, 0.0], [5.0, 0.0], [1e-300, 0.0], [1.4, 0.0], [0.6, 0.0]):
        found = twobone.correct_limb(*joints, target, mid_axis=1)
        assert np.isfinite([found.start, found.mid]).all()
        # Frame after frame: the next one follows again.
        moved = affine(turn(found.start))
        second = moved @ joints[1] @ affine(turn(found.mid))
        tip = second @ np.linalg.solve(joints[1], joints[2])
        again = twobone.correct_limb(moved, second, tip, [1.0, 0.5], mid_axis=1)
        assert again.status == Status.REACHED
        assert np.isfinite([again.start, again.mid]).all()


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


# --- at the root, no length ---------------------------------------------------------------


@pytest.mark.parametrize("second", [1.0, 0.4, 2.5])
def test_a_target_at_the_root_is_no_nan_and_the_status_is_right(second):
    """Babylon: NaN, its root included. Spine, Rive, DragonBones: angle 0. ozz: "not reached"."""
    rig = arm([1.0, 0.0, 0.0], [0.0, second, 0.0])
    for pole in (None, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]):
        found = correct(rig, [0.0, 0.0, 0.0], pole)
        assert found.status == (Status.AMBIGUOUS if second == 1.0 else Status.TOO_NEAR)
        knee, end = posed(rig, found)
        assert_bones(rig, knee, end)
        np.testing.assert_allclose(np.linalg.norm(end), abs(1 - second), rtol=0, atol=5e-16)
        if second == 1.0 and pole is not None and any(pole):
            np.testing.assert_allclose(knee, pole, rtol=0, atol=5e-16)
    # No jump to a certain angle: the limb stays in its plane as the target comes to the root.
    near, at = (correct(rig, [v, 0.0, 0.0], [0.0, 0.0, 1.0]) for v in (1e-9, 0.0))
    if second == 1.0:
        np.testing.assert_allclose(near.mid, at.mid, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "bones", [([0, 0, 0], [1, 0, 0]), ([1, 0, 0], [0, 0, 0]), ([0, 0, 0], [0, 0, 0])]
)
def test_a_bone_of_no_length_is_no_nan(bones):
    """Unity's TwoBoneIK: NaN."""
    rig = arm(*bones)
    for target in ([0.0, 0.0, 1.0], [0.3, 0.2, 0.1], [0.0, 0.0, 0.0], [0.0, 9.0, 0.0]):
        for pole in (None, [0.0, 1.0, 0.0]):
            found = correct(rig, target, pole)
            assert np.isfinite(found.start).all()
            assert np.isfinite(found.mid).all()
            _, end = posed(rig, found)
            if any(bones[0]) or any(bones[1]):
                if any(target):
                    np.testing.assert_allclose(end, unit(np.array(target)), rtol=0, atol=1e-15)
            else:
                assert found.status == Status.INVALID
    joint, _, _ = twobone.reach([0.0, 0.0, 1.0], 0.0, 1.0, pole=[0.0, 1.0, 0.0])
    assert joint.tolist() == [0.0, 0.0, 0.0]


# --- pole ---------------------------------------------------------------------------------


def test_a_pole_on_the_target_line_costs_neither_length_nor_the_target():
    """Babylon shortens a bone to 0.6, Blender flattens and misses by 0.79, Godot overshoots."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    for target in ([0.0, 0.0, 1.2], [0.3, -1.0, 0.5], [1.0, 1.0, 0.0]):
        for along in (1.0, -1.0, 5.0):
            found = correct(rig, target, along * np.array(target))
            assert found.status == Status.AMBIGUOUS
            knee, end = posed(rig, found)
            assert_bones(rig, knee, end)
            np.testing.assert_allclose(end, target, rtol=0, atol=1e-15)


def test_near_the_pole_axis_a_small_step_is_a_small_turn():
    """ozz jerks there (its issues 187 and 172), however far the limb was bent the right way.

    Targets pass the pole in steps of 1 mm, through it and beside it, on the side to which the
    limb bends as it is. (On the other side no rule without memory is without a jump: that would
    be combing a hedgehog. `Limb` has one with memory.)
    """
    rig = arm([0.5, 0.0, 0.0], [0.0, 0.45, 0.0])
    pole, across = np.array([0.0, 1.0, 0.0]), np.linspace(-0.2, 0.2, 401)
    for aside in (0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05):
        target = np.stack([0 * across - aside, 0 * across + 0.6, across], axis=-1)
        found = correct(rig, target, pole)
        assert {*found.status.tolist()} <= {Status.REACHED, Status.AMBIGUOUS}
        turned = turn_between(found.start[:-1], found.start[1:])
        # From one side of the pole to the other the plane turns by 180 degrees in 200 mm.
        assert np.max(turned) < 3.0, aside
        np.testing.assert_allclose(posed(rig, found)[1], target, rtol=0, atol=1e-15)


def test_a_joint_exactly_opposite_the_hint_is_turned_about_the_way():
    """Unity's half turn there does not know the limb's axis: the end comes out mirrored."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        turned = affine(random_rotation(rng, 1)[0])
        rig = arm([1.0, 0.0, 0.0], [0.3, 0.9, 0.0])
        rig = Rig(*(turned @ matrix for matrix in rig[:3]), AXIS)
        target, joint = place(rig.end), place(rig.mid)
        hint = -square_to(joint, unit(target))
        found = correct(rig, target, hint)
        assert found.status == Status.REACHED
        knee, end = posed(rig, found)
        np.testing.assert_allclose(end, target, rtol=0, atol=2e-15)
        np.testing.assert_allclose(unit(square_to(knee, unit(target))), unit(hint), atol=2e-15)
        # A turn about the way and nothing else: what hangs from the end is turned, not mirrored.
        axis = found.start[:3] / np.linalg.norm(found.start[:3])
        local = unit(np.linalg.solve(rig.start[:3, :3], target))
        np.testing.assert_allclose(np.abs(axis @ local), 1.0, rtol=0, atol=1e-15)


def test_bones_stay_in_the_plane_of_the_bend():
    """Godot (54891, 48722), Flax (2166): half-turn rolls, bones out of their plane."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 0.9, 0.0])
    rng = np.random.default_rng(2)
    target, pole = rng.normal(size=(500, 3)), rng.normal(size=(500, 3))
    target = unit(target) * rng.uniform(0.2, 1.8, (500, 1))
    way, side = unit(target), unit(pole)
    clear = np.linalg.norm(np.cross(way, side), axis=-1) > 0.18
    found = correct(rig, target, pole)
    first, mid, _ = walk(rig, found)
    # The hinge, a direction of both bones, is square to target and pole: no bone has rolled.
    normal = unit(np.cross(way, side))
    for matrix in (first, mid):
        hinge = matrix[:, :3, :3] @ AXIS
        np.testing.assert_allclose(hinge[clear], normal[clear], rtol=0, atol=1e-14)


# --- opposite, straight -------------------------------------------------------------------


def test_a_target_exactly_opposite_the_end_turns_the_limb():
    """Holden's older code does not turn at all."""
    rig = arm([1.0, 0.0, 0.0], [0.3, 0.9, 0.0])
    for factor in (-1.0, -0.5, -1.2):
        target = factor * place(rig.end)
        for pole in (None, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
            found = correct(rig, target, pole)
            assert found.status == Status.REACHED
            np.testing.assert_allclose(posed(rig, found)[1], target, rtol=0, atol=2e-15)
    # And all that is nearly opposite, where rounding alone says about which axis.
    rng = np.random.default_rng(3)
    away = 10.0 ** rng.uniform(-18, -6, (2000, 1)) * rng.normal(size=(2000, 3))
    target = -place(rig.end) + away
    found = correct(rig, target)
    assert np.all(found.status == Status.REACHED)
    for q in found[:2]:
        np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1.0, rtol=0, atol=5e-16)
    np.testing.assert_allclose(place(walk(rig, found)[2]), target, rtol=0, atol=4e-15)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_straight_limb_whose_target_is_on_its_line_bends(side):
    """three.js' CCD and Blender stay stuck for ever. And it bends the right way."""
    rig = arm([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], side * AXIS)
    for far in (1.9, 1.0, 0.1, 1e-6):
        found = correct(rig, [far, 0.0, 0.0])
        assert found.status == Status.REACHED
        knee, end = posed(rig, found)
        np.testing.assert_allclose(end, [far, 0.0, 0.0], rtol=0, atol=1e-15)
        # To open is a positive turn, so the joint is where a negative one of the second bone is.
        assert np.sign(np.cross(knee, end - knee)[2]) == side
        for pole in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]):
            knee, end = posed(rig, correct(rig, [far, 0.0, 0.0], pole))
            np.testing.assert_allclose(end, [far, 0.0, 0.0], rtol=0, atol=2e-15)
            np.testing.assert_allclose(unit(square_to(knee, end / far)), pole, rtol=0, atol=1e-14)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_side_is_yours_to_say(side):
    """Godot 25533: no control of the side."""
    joints = [affine(np.eye(2), v) for v in ([0.0, 0.0], [1.0, 0.0], [1.5, 0.5])]
    found = twobone.correct_limb(*joints, [1.0, 0.3], mid_axis=side)
    knee = affine(turn(found.start)) @ [1.0, 0.0, 1.0]
    assert np.sign(1.0 * knee[1] - 0.3 * knee[0]) == side
    joint = twobone.solve([1.0, 0.3], 1.0, 0.7, side=side)
    assert np.sign(1.0 * joint[1] - 0.3 * joint[0]) == side


# --- NaN ----------------------------------------------------------------------------------


def test_a_nan_target_spoils_its_own_row_alone():
    """Everywhere else NaN comes out of everything; spine-runtimes 903."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    target = np.array([[1.0, 0.5, 0.0], [np.nan, 0.0, 0.0], [0.0, 1.0, 0.5]])
    found = correct(rig, target, [0.0, 1.0, 0.0])
    assert found.status.tolist() == [Status.REACHED, Status.INVALID, Status.REACHED]
    assert np.isnan(found.start).any(axis=-1).tolist() == [False, True, False]
    joint, _, status = twobone.reach(target, 1.0, 1.0, pole=[0.0, 1.0, 0.0])
    assert status.tolist() == [Status.REACHED, Status.INVALID, Status.REACHED]
    assert np.isnan(joint).any(axis=-1).tolist() == [False, True, False]


# --- the last of the reach ----------------------------------------------------------------


def opening(rig, found):
    knee, end = posed(rig, found)
    cosine = np.sum(unit(-knee) * unit(end - knee), axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def test_the_last_of_the_reach_pops_as_the_root_does_and_not_with_soft():
    """Any exact limb opens by 16.2, 5.1 and 1.6 degrees in the last 1, 0.1 and 0.01 % of reach.

    That is the knee pop (spine-runtimes 1383). With `soften`, or `Soft`, the opening has a bound.
    """
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    for share, degrees in ((0.99, 16.2), (0.999, 5.1), (0.9999, 1.6)):
        found = correct(rig, [2.0 * share, 0.0, 0.0], [0.0, 1.0, 0.0])
        assert abs(180 - opening(rig, found) - degrees) < 0.05
    far = np.linspace(1.0, 3.0, 4001)  # in steps of 0.5 mm, of a limb of 2 m
    target = far[:, None] * np.array([1.0, 0.0, 0.0])
    hard = opening(rig, correct(rig, target, [0.0, 1.0, 0.0]))
    assert np.max(np.diff(hard)) > 2.5
    for options in ({"soften": 0.95}, {"unreachable": Soft(0.05)}):
        soft = opening(rig, correct(rig, target, [0.0, 1.0, 0.0], **options))
        assert np.max(np.diff(soft)) < 0.15
        assert np.min(np.diff(soft)) > -1e-6


def test_a_soft_end_never_overshoots_and_comes_to_full_reach():
    """ozz's end goes up to 0.0279 of the zone too far (slope 4/3); an exponential never arrives."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    far = np.linspace(1.5, 2.5, 20001)
    target = far[:, None] * unit(np.array([1.0, 2.0, 2.0]))
    for soften in (0.97, 0.9, 0.75):
        found = correct(rig, target, [0.0, 1.0, 0.0], soften=soften)
        came = np.linalg.norm(posed(rig, found)[1], axis=-1)
        assert np.all(came <= far + 2e-15)
        slope = np.diff(came) / np.diff(far)
        assert np.max(slope) <= 1 + 1e-10
        assert np.min(slope) >= -1e-10
        whole = far >= 2.0 * (2 - soften)
        np.testing.assert_allclose(came[whole], 2.0, rtol=0, atol=1e-15)


def test_stretch_has_a_bound_and_is_off_unless_asked_for():
    """Flax 3946: it could be neither bounded nor switched off."""
    plain = twobone.reach([9.0, 0.0], 1.0, 1.0)
    assert plain.end.tolist() == [2.0, 0.0]
    bounded = twobone.reach([9.0, 0.0], 1.0, 1.0, unreachable=Stretch(limit=1.2))
    np.testing.assert_allclose(bounded.end, [2.4, 0.0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(bounded.joint, [1.2, 0.0], rtol=0, atol=1e-15)
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    for policy in ("clamp", "stretch", Stretch(limit=1.2)):
        found = correct(rig, [0.0, 9.0, 0.0], [1.0, 0.0, 0.0], unreachable=policy)
        assert found.status == Status.TOO_FAR
        np.testing.assert_allclose(opening(rig, found), 180.0, rtol=0, atol=1e-5)


def test_a_joint_has_limits():
    """three.js 25331 asks for them; Unreal has the least angle alone, Babylon the greatest."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 0.7, 0.0])
    target = np.linspace(0.0, 2.0, 201)[:, None] * unit(np.array([0.3, 0.1, 0.9]))
    found = correct(rig, target, [0.0, 1.0, 0.0], unreachable=Limits(30, 150))
    opened = opening(rig, found)
    assert np.min(opened) > 30 - 1e-9
    assert np.max(opened) < 150 + 1e-9
    assert {Status.REACHED, Status.TOO_FAR, Status.TOO_NEAR} <= set(found.status.tolist())


# --- scale and mirrors --------------------------------------------------------------------

SCALES = {
    "mirrored": [-1.0, 1.0, 1.0],
    "mirrored twice": [-2.0, -2.0, 2.0],
    "mirrored thrice": [-1.5, -1.5, -1.5],
    "uneven": [1.0, 2.0, 3.0],
    "uneven and mirrored": [1.0, -2.0, 0.5],
    "tiny": [1e-6, 1e-6, 1e-6],
}


@pytest.mark.parametrize("scale", SCALES)
def test_mirrored_and_scaled_parents_are_followed(scale):
    """Godot 75224, 80252, 25544; spine-runtimes 1373."""
    rng = np.random.default_rng(4)
    parent = affine(random_rotation(rng, 1)[0] * SCALES[scale], [1.0, 2.0, 3.0])
    rig = arm([1.0, 0.0, 0.0], [0.0, 0.8, 0.0])
    rig = Rig(*(parent @ matrix for matrix in rig[:3]), AXIS)
    size = np.max(np.abs(SCALES[scale]))
    for _ in range(50):
        local, pole = rng.normal(size=3), rng.normal(size=3)
        local *= rng.uniform(0.3, 1.7) / np.linalg.norm(local)
        target, towards = (parent[:3, :3] @ v for v in (local, pole))
        target = target + place(parent)
        found = correct(rig, target, towards)
        assert found.status == Status.REACHED
        knee, end = posed(rig, found)
        np.testing.assert_allclose(end, target, rtol=0, atol=2e-15 * (1 + size) * 4)
        # As the parent sees it the joint is towards the pole: on the mirrored side in the model.
        if np.linalg.norm(np.cross(unit(local), unit(pole))) > 0.18:
            out = np.linalg.solve(parent[:3, :3], knee - place(parent))
            normal = np.cross(local, pole)
            assert abs(unit(normal) @ out) <= 1e-8
            assert np.cross(normal, local) @ out > 0


def test_a_mirrored_arm_is_the_mirror_of_the_other():
    """The left arm of a character made from the right one by a scale of -1 somewhere above."""
    right = arm([1.0, 0.0, 0.0], [0.0, 0.8, 0.0])
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    left = Rig(*(mirror @ matrix for matrix in right[:3]), AXIS)
    rng = np.random.default_rng(5)
    target, pole = 0.7 * rng.normal(size=(200, 3)), rng.normal(size=(200, 3))
    one = correct(right, target, pole)
    other = correct(left, target * [-1, 1, 1], pole * [-1, 1, 1])
    np.testing.assert_array_equal(one.status, other.status)
    # Local corrections are the same: the mirror is above them.
    np.testing.assert_allclose(one.start, other.start, rtol=0, atol=1e-14)
    np.testing.assert_allclose(one.mid, other.mid, rtol=0, atol=1e-14)
    met = one.status == Status.REACHED
    ends = posed(right, one)[1], posed(left, other)[1]
    np.testing.assert_allclose(ends[0][met], target[met], rtol=0, atol=4e-15)
    np.testing.assert_allclose(ends[1], ends[0] * [-1, 1, 1], rtol=0, atol=4e-15)


def test_targets_in_batches_and_a_status_for_each():
    """pytorch_kinematics 69, mgear_core 65: others solve one limb a call, and few say what came."""
    rig = arm([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    target = np.random.default_rng(6).normal(size=(4, 250, 3))
    found = correct(rig, target, [0.0, 1.0, 0.0])
    assert found.start.shape == (4, 250, 4)
    far = np.linalg.norm(target, axis=-1)
    np.testing.assert_array_equal(found.status, np.where(far > 2.0, 1, 0))
