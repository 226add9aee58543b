"""Limbs of six joints: every branch against forward kinematics that share no code with twobone."""

import copy
import math
import pickle
import re

import numpy as np
import pytest

import robot_files
from robot_files import POSE_LIMBS, TURN, exact_pose, many_poses, series
from twobone import ArrayTypeError, RobotError, ShapeError, Status, robots, rotations
from twobone.robots import PoseLimb, straight

every = pytest.mark.parametrize("name", POSE_LIMBS)
EXACT = [name for name in POSE_LIMBS if name != "rounded leg"]
# Pairs of whose branches end in one pose, where a rounded target may be beyond all branches.
ENDING = ["oblique", "parallel arm", "offset hip"]
LIMITED = ["humanoid leg", "kuka"]
IDENTITY = [0.0, 0.0, 0.0, 1.0]


def limb_named(name, **options):
    return robots.read_urdf(POSE_LIMBS[name]()).limb("tip", **options)


def pose_at(name, limb, angles):
    return many_poses(POSE_LIMBS[name](), "tip", limb.joint_names, angles)


def some_angles(count, seed):
    return np.random.default_rng(seed).uniform(-math.pi, math.pi, (count, 6))


def apart(angles, other):
    return np.abs((angles - other + math.pi) % TURN - math.pi).max(-1)


def missed(name, limb, angles, position, rotation):
    """Return by how much a tip misses a pose, in metres and radians."""
    there, turned = pose_at(name, limb, angles)
    away = np.linalg.norm(there - position, axis=-1)
    return away, np.linalg.norm(turned - rotation, axis=(-2, -1))


def reached(status):
    return (status == Status.REACHED) | (status == Status.AMBIGUOUS)


# --- accuracy -----------------------------------------------------------------------------


@every
def test_the_generating_pose_is_among_the_branches_and_all_reach_the_target(name):
    limb = limb_named(name)
    assert type(limb) is PoseLimb
    angles = some_angles(1000, seed=1)
    position, rotation = pose_at(name, limb, angles)
    found = limb.solve_all(position, rotation)
    assert found.angles.shape == (1000, 8, 6)
    good = reached(found.status)
    gaps = np.where(good, apart(found.angles, angles[:, None]), np.inf).min(-1)
    assert (
        np.sort(gaps)[-3] < 1e-5
    )  # the root of eps: straight limbs; or rounded ones at their ends
    assert name == "rounded leg" or gaps.max() < 1e-5
    assert np.quantile(gaps, 0.99) < 1e-11
    away, turned = missed(name, limb, found.angles, position[:, None], rotation[:, None])
    assert away[good].max() < (3e-15 if name in EXACT else 1e-9)
    assert turned[good].max() < (6e-15 if name in EXACT else 1e-9)
    assert np.quantile(away[good], 0.99) < (2e-15 if name in EXACT else 1e-12)


@every
def test_reached_branches_are_different_solutions(name):
    limb = limb_named(name)
    angles = some_angles(500, seed=2)
    found = limb.solve_all(*pose_at(name, limb, angles))
    good = reached(found.status)
    others = apart(found.angles[:, :, None], found.angles[:, None])
    both = good[:, :, None] & good[:, None] & ~np.eye(8, dtype=bool)
    assert others[both].min() > 1e-5
    assert good.sum(-1).min() >= 2  # two wrists at least
    assert good.sum(-1).max() == 8


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", EXACT)
def test_the_tip_is_exact_with_forty_digits(name):
    limb, text = limb_named(name), POSE_LIMBS[name]()
    angles = some_angles(3, seed=3)
    position, rotation = pose_at(name, limb, angles)
    found = limb.solve_all(position, rotation)
    for row in range(len(angles)):
        for branch in found.angles[row][reached(found.status[row])]:
            end, turned = exact_pose(text, "tip", limb.joint_names, branch.tolist())
            np.testing.assert_allclose(np.array(end, float), position[row], rtol=0, atol=2e-15)
            np.testing.assert_allclose(np.array(turned, float), rotation[row], rtol=0, atol=2e-15)


@pytest.mark.sampled(4)
@every
def test_straight_knees_and_locked_wrists(name):
    """The middle of three axes that meet is nearly in line with the others; then the elbow."""
    limb = limb_named(name)
    angles = some_angles(1000, seed=4)
    found = limb.solve_all(*pose_at(name, limb, angles))
    # Between two wrists, and two elbows, of a target there is a pose in which both are one.
    off = (10.0 ** np.random.default_rng(5).uniform(-17, -1, 1000))[:, None]
    for branch in (1, 2, 4):
        other = found.angles[:, branch]
        both = reached(found.status[:, 0]) & reached(found.status[:, branch])
        middle = 0.5 * (found.angles[:, 0] + other) + off
        position, rotation = pose_at(name, limb, middle)
        again = limb.solve_all(position, rotation)
        good = reached(again.status)
        away, turned = missed(name, limb, again.angles, position[:, None], rotation[:, None])
        assert away[good].max() < 1e-9
        assert turned[good].max() < 1e-9
        assert both.any()
        if name in ENDING:
            assert good.any(-1).mean() > 0.998
            assert away.min(-1).max() < 1e-4
            assert np.quantile(away[good], 0.999) < 1e-10
            assert np.quantile(turned[good], 0.999) < 1e-10
        elif name in EXACT:  # rounded ones may miss what is within their gap of their reach
            assert good.any(-1).all()
            assert away[good].max() < 1e-12
            assert turned[good].max() < 1e-13


def test_a_locked_wrist_keeps_the_angle_that_it_has():
    limb = limb_named("kuka")
    angles = np.array([0.3, -1.2, 1.5, 0.7, 0.0, -0.4])
    pose = pose_at("kuka", limb, angles)
    answer = limb.reach(*pose, near=angles)
    assert answer.status == Status.AMBIGUOUS
    np.testing.assert_allclose(answer.angles, angles, rtol=0, atol=1e-12)
    rested = limb.reach(*pose)
    assert rested.angles[3] == limb.rest[3]
    assert sum(rested.angles[[3, 5]]) == pytest.approx(0.3, abs=1e-12)
    near = np.tile(angles, (3000, 1))
    many = limb.reach(*(np.broadcast_to(part, (3000, *part.shape)) for part in pose), near=near)
    np.testing.assert_allclose(many.angles, near, rtol=0, atol=1e-12)
    assert (many.status == Status.AMBIGUOUS).all()


def test_a_wrist_on_the_first_axis_keeps_the_first_angle():
    limb = robots.read_urdf(
        series(
            ("0 0 0.3", "0 0 1"),
            ("0 0 0", "0 1 0"),
            ("0.3 0 0", "0 1 0"),
            ("0.3 0 0", "1 0 0"),
            ("0 0 0", "0 1 0"),
            ("0 0 0", "1 0 0"),
            tip="0.1 0 0",
        )
    ).limb("tip")
    angles = np.array([0.6, -0.3, -2.0 * (math.pi / 2 - 0.3), 0.4, 0.5, 0.6])
    pose = limb.forward_kinematics(angles)
    answer = limb.reach(*pose, near=angles)
    np.testing.assert_allclose(answer.angles, angles, atol=1e-7)


# --- what cannot be reached, and what is no pose --------------------------------------------


@every
def test_targets_out_of_reach_say_so_and_are_finite(name):
    limb = limb_named(name)
    angles = some_angles(300, seed=6)
    position, rotation = pose_at(name, limb, angles)
    direction = position / np.linalg.norm(position, axis=-1)[:, None]
    for size in (5.0, 1e9, 1e300):
        found = limb.solve_all(size * direction, rotation)
        assert np.isfinite(found.angles).all()
        assert (found.status == Status.TOO_FAR).mean() > 0.95
        assert not reached(found.status).any()
    answer = limb.reach(5.0 * direction, rotation)
    there, turned = pose_at(name, limb, answer.angles)
    np.testing.assert_allclose(answer.end, there, rtol=0, atol=1e-14)
    turned = rotations.matrix_to_quaternion(turned)
    cosines = np.abs((turned * answer.rotation).sum(-1))
    np.testing.assert_allclose(cosines, 1.0, atol=1e-14)


def test_the_wrist_keeps_its_rotation_where_the_arm_is_too_short():
    limb = limb_named("kuka")
    rotation = rotations.normalize([0.1, 0.5, -0.3, 0.7])
    answer = limb.reach([9.0, 2.0, 1.0], rotation)
    assert answer.status == Status.TOO_FAR
    np.testing.assert_allclose(answer.rotation, rotation, atol=1e-12)
    towards = np.array([9.0, 2.0, 1.0]) - [0, 0, 0.675]
    assert np.dot(answer.end, towards) / np.linalg.norm(towards) > 1.3
    leg = limb_named("humanoid leg")
    assert leg.reach([-0.02, 0.085, -0.27105 - 0.02 - 0.107], IDENTITY).status == Status.TOO_NEAR


@every
def test_bad_rows_spoil_no_other(name):
    limb = limb_named(name)
    position, rotation = pose_at(name, limb, some_angles(12, seed=7))
    position, rotation = position.copy(), rotations.matrix_to_quaternion(rotation)
    good = limb.solve_all(position, rotation)
    best = limb.reach(position, rotation)
    position[1], position[2, 0], rotation[3], rotation[4, 2] = np.nan, np.inf, 0.0, np.nan
    bad = [1, 2, 3, 4]
    found, answer = limb.solve_all(position, rotation), limb.reach(position, rotation)
    for status, angles, within in (
        (found.status, found.angles, found.within),
        (answer.status, answer.angles, answer.within),
    ):
        assert (status[bad] == Status.INVALID).all()
        assert np.isnan(angles[bad]).all()
        assert not within[bad].any()
    assert np.isnan(answer.end[bad]).all()
    assert np.isnan(answer.rotation[bad]).all()
    rest = np.setdiff1d(np.arange(12), bad)
    np.testing.assert_array_equal(found.angles[rest], good.angles[rest])
    np.testing.assert_array_equal(answer.angles[rest], best.angles[rest])


@every
def test_angles_near_which_are_not_finite_spoil_their_row_alone(name):
    limb = limb_named(name)
    angles = some_angles(4, seed=7)
    pose, near = pose_at(name, limb, angles), angles.copy()
    near[1, 5], near[2, 0] = np.nan, np.inf
    answer, good = limb.reach(*pose, near=near), limb.reach(*pose, near=angles)
    assert (answer.status[[1, 2]] == Status.INVALID).all()
    assert np.isnan(answer.angles[[1, 2]]).all()
    assert not answer.within[[1, 2]].any()
    np.testing.assert_array_equal(answer.angles[[0, 3]], good.angles[[0, 3]])
    assert limb.reach(pose[0][1], pose[1][1], near=near[1]).status == Status.INVALID


@pytest.mark.parametrize(
    "matrix",
    [
        np.diag([1.0, 1.0, -1.0]),
        np.zeros((3, 3)),
        2.0 * np.eye(3),
        [[1.0, 0.01, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        np.full((3, 3), np.nan),
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, np.inf, 1.0]],
    ],
)
def test_matrices_that_are_no_rotations_are_invalid(matrix):
    limb = limb_named("humanoid leg")
    for rows in (np.array(matrix), np.array([matrix, np.eye(3)])):
        found = limb.reach([0.0, 0.1, -0.9], rows)
        assert np.ravel(found.status)[0] == Status.INVALID
    assert found.status[1] != Status.INVALID


def test_rotations_may_be_rounded_matrices_and_quaternions_of_any_length():
    limb = limb_named("humanoid leg")
    quaternion = rotations.normalize([0.02, -0.03, 0.1, 1.0])
    matrix = rotations.quaternion_to_matrix(quaternion)
    wanted = limb.reach([0.05, 0.1, -0.95], quaternion)
    assert wanted.status == Status.REACHED
    for rotation in (matrix, -quaternion, 1e-200 * quaternion, 1e200 * quaternion):
        answer = limb.reach([0.05, 0.1, -0.95], rotation)
        np.testing.assert_allclose(answer.angles, wanted.angles, rtol=0, atol=1e-13)
    rough = limb.reach([0.05, 0.1, -0.95], matrix.round(5))
    assert rough.status == Status.REACHED
    np.testing.assert_allclose(rough.angles, wanted.angles, rtol=0, atol=1e-4)
    for shape in ((3,), (4, 5), ()):
        with pytest.raises(ShapeError, match=r"`rotation` must have shape \(\.\.\., 4\) or"):
            limb.reach([0.0, 0.1, -0.9], np.ones(shape))
    with pytest.raises(ShapeError, match="`position` must have shape"):
        limb.solve_all([0.0, 0.1], IDENTITY)


# --- one, many, floats --------------------------------------------------------------------


@pytest.mark.sampled(4)
@every
def test_one_pose_is_answered_as_many(name):
    limb = limb_named(name)
    angles = some_angles(6, seed=8)
    position, rotation = pose_at(name, limb, angles)
    rotation = rotations.matrix_to_quaternion(rotation)
    position[0] *= 5.0
    position[1, 1] = np.nan
    rotation[2] = 0.0
    position[3] = 1e200
    found, best = limb.solve_all(position, rotation), limb.reach(position, rotation, near=angles)
    for _ in range(2):  # as a formula, and as code
        for i in range(6):
            one = limb.solve_all(position[i], rotation[i])
            np.testing.assert_allclose(one.angles, found.angles[i], rtol=0, atol=1e-9)
            assert one.status.tolist() == found.status[i].tolist()
            assert one.within.tolist() == found.within[i].tolist()
            single = limb.reach(position[i], rotation[i], near=angles[i])
            np.testing.assert_allclose(single.angles, best.angles[i], rtol=0, atol=1e-9)
            assert single.status == best.status[i]
            for k in range(8):
                alone = limb.solve_pose(position[i].tolist(), rotation[i].tolist(), k)
                np.testing.assert_allclose(alone, one.angles[k], rtol=0, atol=1e-9)
                named = limb.branch_names[k]
                assert limb.solve_pose(position[i], rotation[i], named)[0] is not None


def test_branches_that_are_equally_near_are_chosen_as_in_arrays():
    """Many targets are in a plane of symmetry of the leg, where branches mirror each other."""
    limb = limb_named("humanoid leg")
    rng = np.random.default_rng(4)
    position = np.round(8.0 * rng.uniform(-0.6, 0.6, (120, 3))) / 8.0
    rotation = np.eye(4)[rng.integers(0, 4, 120)]
    near = [0.0] * 6
    many = limb.reach(position, rotation, near=near)
    for _ in range(2):  # as a formula, and as code
        for i in range(120):
            one = limb.reach(position[i].tolist(), rotation[i].tolist(), near=near)
            np.testing.assert_allclose(one.angles, many.angles[i], rtol=0, atol=1e-6)
            assert (one.status, one.within) == (many.status[i], many.within[i])


def test_branches_that_do_not_exist_are_told():
    limb = limb_named("humanoid leg")
    with pytest.raises(RobotError, match=r"`branch` must be 0, 1, 2, 3, 4, 5, 6 or 7, got 8\."):
        limb.solve_pose([0, 0, -1], IDENTITY, 8)
    with pytest.raises(RobotError, match="no branch 'wrist up'; this limb has: 'knee for"):
        limb.solve_pose([0, 0, -1], IDENTITY, "wrist up")


@pytest.mark.sampled(3)
@every
def test_the_rest_pose_is_in_branch_0_and_near_finds_the_pose(name):
    for angles in some_angles(4, seed=9):
        limb = limb_named(name, rest=angles)
        pose = pose_at(name, limb, angles)
        assert limb.rest.tolist() == angles.tolist()
        assert apart(limb.reach(*pose, near=angles).angles, angles) < 1e-7 or name in LIMITED
        assert apart(limb.solve_all(*pose).angles[0], angles) < 1e-7
        with pytest.raises(RobotError, match="`rest` must be 6 finite angles"):
            limb_named(name, rest=angles[:5])
    limb = limb_named(name)
    angles = some_angles(500, seed=10)
    found = limb.reach(*pose_at(name, limb, angles), near=angles)
    if not np.isfinite(limb.limits).any():
        assert np.abs(found.angles - angles).max() < 1e-5


def test_limits_choose_the_branch():
    limb = limb_named("humanoid leg")
    rng = np.random.default_rng(11)
    angles = rng.uniform(*limb.limits.T, (500, 6))
    pose = limb.forward_kinematics(angles)
    answer = limb.reach(*pose)
    assert answer.within.all()
    assert (limb.limits[:, 0] - 1e-9 <= answer.angles).all()
    assert (answer.angles <= limb.limits[:, 1] + 1e-9).all()
    beyond = angles.copy()
    beyond[:, 3] = -0.5  # a knee that bends forward
    answer = limb.reach(*limb.forward_kinematics(beyond), near=beyond)
    assert reached(answer.status).all()


def test_wide_limits_are_used():
    """The last joint of a KR 16 makes almost two turns."""
    limb = limb_named("kuka")
    angles = np.array([0.3, -1.2, 1.5, 5.0, 0.5, -5.5])
    answer = limb.reach(*limb.forward_kinematics(angles), near=angles)
    np.testing.assert_allclose(answer.angles, angles, atol=1e-12)
    assert answer.within


def test_straight_limbs_reach_targets_that_float32_has_rounded():
    """A rounded target is up to 1e-7 of the length beyond what a straight leg reaches."""
    limb = limb_named("humanoid leg")
    angles = np.random.default_rng(23).uniform(*limb.limits.T, (200, 6))
    angles[:, 3] = 0.0
    pose = limb.forward_kinematics(angles)
    single = [part.astype(np.float32) for part in pose]
    far = limb.reach(*(part.astype(np.float64) for part in single))
    assert (far.status == Status.TOO_FAR).mean() > 0.3
    found = limb.reach(*single, near=angles.astype(np.float32))
    assert (found.status == Status.REACHED).all()
    assert found.within.all()
    assert np.linalg.norm(found.end - pose.position, axis=-1).max() < 1e-6
    one = limb.reach(single[0][0], single[1][0])
    assert one.status == Status.REACHED
    beyond = limb.reach(np.float32(1.001) * single[0], single[1])
    assert (beyond.status == Status.TOO_FAR).all()


def test_float32_stays_float32():
    limb = limb_named("humanoid leg")
    angles = np.random.default_rng(12).uniform(*limb.limits.T, (50, 6))
    pose = limb.forward_kinematics(angles)
    single = [part.astype(np.float32) for part in pose]
    found, answer = limb.solve_all(*single), limb.reach(*single)
    assert found.angles.dtype == answer.angles.dtype == answer.end.dtype == np.float32
    assert found.status.dtype == np.int8
    assert (apart(found.angles, angles[:, None]).min(-1) < 1e-2).all()
    assert (answer.status == Status.REACHED).all()


# --- files that are rounded ---------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("gap", "angle"), [(1e-5, 1e-6), (1e-9, 0.0), (1e-7, 1e-8), (5e-5, 9e-5)])
def test_rounded_files_are_corrected(gap, angle):
    text = robot_files.rounded_leg(gap, angle)
    limb = robots.read_urdf(text).limb("tip")
    assert limb.gap == pytest.approx(0.75 * gap, rel=0.5)
    assert limb.skew == pytest.approx(angle, rel=1.0, abs=1e-12)
    assert not limb.approximate
    angles = some_angles(2000, seed=13)
    position, rotation = many_poses(text, "tip", limb.joint_names, angles)
    found = limb.solve_all(position, rotation)
    good = reached(found.status)
    gaps = np.where(good, apart(found.angles, angles[:, None]), np.inf).min(-1)
    assert (gaps < 1e-6).mean() > 0.995  # others are next to a singular pose
    there, turned = many_poses(text, "tip", limb.joint_names, found.angles)
    away = np.linalg.norm(there - position[:, None], axis=-1)
    off = np.linalg.norm(turned - rotation[:, None], axis=(-2, -1))
    assert np.quantile(away[good], 0.99) < 1e-12
    assert np.quantile(off[good], 0.99) < 1e-12
    assert away[good].max() < 1e-9


def almost_a_leg():
    """Return a humanoid's leg whose hip axes miss each other by 5 mm."""
    text = robot_files.humanoid_leg()
    at = text.index('name="j2"')
    return text[:at] + text[at:].replace('xyz="0 0 0"', 'xyz="0 0.01 0"', 1)


def test_structures_that_almost_fit_are_solved_if_asked_for():
    text = almost_a_leg()
    with pytest.raises(RobotError, match="must meet, and miss by 5 mm"):
        robots.read_urdf(text).limb("tip")
    limb = robots.read_urdf(text).limb("tip", approximate=True)
    assert limb.approximate
    assert limb.gap == pytest.approx(0.005, rel=0.1)
    rng = np.random.default_rng(21)
    angles = rng.uniform(*limb.limits.T, (150, 6))
    position, rotation = many_poses(text, "tip", limb.joint_names, angles)
    answer = limb.reach(position, rotation)
    good = reached(answer.status)
    assert (good & answer.within).mean() > 0.9
    there, turned = many_poses(text, "tip", limb.joint_names, answer.angles)
    away = np.linalg.norm(there - position, axis=-1)
    off = np.linalg.norm(turned - rotation, axis=(-2, -1))
    assert away[good].max() < 2e-9
    assert off[good].max() < 2e-9
    assert ((away > 1e-9) | (off > 1e-9))[~good].all()  # the status is honest
    one = limb.reach(position[0], rotations.matrix_to_quaternion(rotation[0]))
    np.testing.assert_allclose(one.angles, answer.angles[0], atol=1e-6)
    far = limb.reach([5.0, 0.0, 0.0], IDENTITY)
    assert not reached(far.status)
    assert np.isfinite(far.angles).all()


# --- what there is, and what is missing -----------------------------------------------------


def test_refusals_say_what_is_there_and_what_is_missing():
    text = robot_files.humanoid_leg()
    at = text.index('name="j2"')
    text = text[:at] + text[at:].replace('xyz="0 0 0"', 'xyz="0 0.003 0"', 1)
    with pytest.raises(RobotError) as caught:
        robots.read_urdf(text).limb("tip")
    told = str(caught.value)
    assert told.startswith("tip: 6 joints from l0 (j1, j2, j3, j4, j5, j6) of which ")
    assert "j1, j2 and j3 meet but for" in told
    assert "j3, j4 and j5 are parallel" in told
    assert "the axes of j3, j2 and j1 must meet, and miss by" in told
    assert "`approximate=True`" in told
    assert caught.value.tip == "tip"


def test_the_axes_that_are_off_are_on_the_error():
    text = robot_files.kuka().replace("0.67 0 -0.035", "0.67 0 -0.035", 1)
    at = text.index('name="j3"')
    text = text[:at] + text[at:].replace('axis xyz="0 1 0"', 'axis xyz="0.01 1 0"', 1)
    with pytest.raises(RobotError) as caught:
        robots.read_urdf(text).limb("tip")
    assert caught.value.axes == (("j2", "j3", "parallel", pytest.approx(0.01, rel=1e-3)),)
    assert "must be parallel, and are off by 0.573 degrees" in str(caught.value)


def test_limbs_of_nothing_known_say_so():
    rng = np.random.default_rng(14)
    rows = [
        (" ".join(map(str, rng.uniform(0.1, 0.3, 3))), " ".join(map(str, rng.normal(size=3))))
        for _ in range(6)
    ]
    with pytest.raises(RobotError, match="of which no axes meet or are parallel"):
        robots.read_urdf(series(*rows)).limb("tip")
    same = [("0 0 0.1", "0 0 1")] * 6
    with pytest.raises(RobotError, match="j1, j2, j3, j4, j5 and j6 are parallel"):
        robots.read_urdf(series(*same)).limb("tip")


# --- kinematics, libraries, copies ----------------------------------------------------------


@every
def test_forward_kinematics_and_jacobian(name):
    limb = limb_named(name)
    angles = some_angles(200, seed=15)
    position, rotation = pose_at(name, limb, angles)
    found = limb.forward_kinematics(angles)
    np.testing.assert_allclose(found.position, position, rtol=0, atol=2e-15)
    matrix = rotations.quaternion_to_matrix(found.rotation)
    np.testing.assert_allclose(matrix, rotation, rtol=0, atol=4e-15)
    assert (found.rotation[:, 3] >= 0.0).all()
    jacobian, step = limb.jacobian(angles), 1e-6
    for i in range(6):
        more, less = angles.copy(), angles.copy()
        more[:, i] += step
        less[:, i] -= step
        (p, r), (q, s) = pose_at(name, limb, more), pose_at(name, limb, less)
        np.testing.assert_allclose(jacobian[:, :3, i], (p - q) / (2 * step), atol=1e-8)
        spin = (r - s) @ np.swapaxes(rotation, -1, -2) / (2 * step)
        omega = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], -1)
        np.testing.assert_allclose(jacobian[:, 3:, i], omega, atol=1e-8)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", POSE_LIMBS)
def test_poses_that_are_almost_singular_in_many_ways_are_reached(name):
    """Angles are at multiples of a quarter turn but for 1e-17 to 1e-3 radians, half of them."""
    limb, rng = limb_named(name), np.random.default_rng(20)
    angles = rng.uniform(-math.pi, math.pi, (3000, 6))
    off = rng.choice([-1.0, 1.0], angles.shape) * 10.0 ** rng.uniform(-17.0, -3.0, angles.shape)
    special = rng.integers(-1, 3, angles.shape) * (math.pi / 2.0) + off
    angles = np.where(rng.random(angles.shape) < 0.5, special, angles)
    pose = limb.forward_kinematics(angles)
    answer = limb.reach(*pose, near=angles)
    good = np.isin(answer.status, [Status.REACHED, Status.AMBIGUOUS])
    assert good.mean() > (0.9 if name == "rounded leg" else 0.9999)
    miss = np.linalg.norm(answer.end - pose.position, axis=-1)
    assert np.quantile(miss[good], 0.99) < (1e-9 if name == "rounded leg" else 1e-12)
    assert miss.max() < 1e-3


@pytest.mark.parametrize(
    ("position", "rotation", "told"),
    [
        ([1.0, 2.0], [0.0, 0.0, 0.0, 1.0], r"`position` must have shape \(3,\), got \(2,\)"),
        ([0.1] * 3, np.eye(3), r"`rotation` must have shape \(4,\), got \(3, 3\)"),
        ([0.1] * 4, [0.0, 0.0, 1.0], r"`position` must have shape \(3,\), got \(4,\)"),
        ([0.1] * 3, None, "`rotation` must be numbers, got None"),
        ([0.1] * 3, "wxyz", "`rotation` must be"),
        ([0.1] * 3, [0.0, 0.0, 0.0, 1j], "`rotation"),
    ],
)
def test_what_is_no_pose_is_told_in_control_loops_too(position, rotation, told):
    limb = limb_named("humanoid leg")
    with pytest.raises((ShapeError, ArrayTypeError), match=told):
        limb.solve_pose(position, rotation)


@every
def test_velocities_give_the_twist_and_stay_finite_near_singular_poses(name):
    limb = limb_named(name)
    rng = np.random.default_rng(20)
    angles, twist = some_angles(200, seed=19), rng.normal(size=(200, 6))
    jacobian = limb.jacobian(angles)
    exact = limb.velocity(angles, twist, damping=0.0)
    regular = np.linalg.cond(jacobian) < 50.0
    assert regular.sum() > 50
    given = (jacobian @ exact[..., None])[..., 0]
    np.testing.assert_allclose(given[regular], twist[regular], atol=1e-9)
    most = np.abs(limb.velocity(angles, twist)).max()
    found = limb.solve_all(*pose_at(name, limb, angles))
    singular = 0.5 * (found.angles[:, 0] + found.angles[:, 1])  # both wrists are one
    slow = limb.velocity(singular, twist)
    assert np.isfinite(slow).all()
    assert np.abs(slow).max() < max(most, 1e3)
    one = limb.velocity(angles[0], twist[0])
    np.testing.assert_allclose(one, limb.velocity(angles, twist)[0], rtol=1e-9)


def test_velocities_of_bad_numbers():
    limb = limb_named("puma")
    assert np.isnan(limb.velocity(np.full(6, np.nan), np.ones(6))).all()
    with pytest.raises(ShapeError, match="`twist` must have shape"):
        limb.velocity(np.zeros(6), np.zeros(3))
    for damping in (-1.0, math.nan, math.inf):
        with pytest.raises(RobotError, match="`damping` must be a positive number or 0"):
            limb.velocity(np.zeros(6), np.zeros(6), damping=damping)


@every
def test_pinocchio_and_mujoco_see_the_same_tip(name):
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    text, limb = POSE_LIMBS[name](), limb_named(name)
    model = pin.buildModelFromXML(text)
    data, frame = model.createData(), model.getFrameId("tip")
    inertia = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    )
    more = re.sub(r'<link name="(\w+)"/>', rf'<link name="\1">{inertia}</inertial></link>', text)
    more = more.replace(
        '<robot name="robot">',
        '<robot name="robot"><mujoco><compiler fusestatic="false"/></mujoco>',
    )
    world = mujoco.MjModel.from_xml_string(more)
    state = mujoco.MjData(world)
    same = robots.from_mujoco(world, "tip")
    assert type(same) is PoseLimb
    rng = np.random.default_rng(16)
    angles = rng.uniform(-1.0, 1.0, (20, 6))
    pose = limb.forward_kinematics(angles)
    for q, position, rotation in zip(angles, *pose, strict=True):
        answer = limb.reach(position, rotation, near=q)
        assert reached(answer.status)
        full = pin.neutral(model)
        for joint_name, angle in zip(limb.joint_names, answer.angles, strict=True):
            joint = model.joints[model.getJointId(joint_name)]
            wide = [math.cos(angle), math.sin(angle)] if joint.nq == 2 else [angle]
            full[joint.idx_q : joint.idx_q + joint.nq] = wide
            state.joint(joint_name).qpos = angle
        pin.framesForwardKinematics(model, data, full)
        mujoco.mj_kinematics(world, state)
        matrix = rotations.quaternion_to_matrix(rotation)
        np.testing.assert_allclose(data.oMf[frame].translation, position, rtol=0, atol=1e-12)
        np.testing.assert_allclose(data.oMf[frame].rotation, matrix, rtol=0, atol=1e-12)
        # MuJoCo's compiler rounds rotations of a file to some 1e-15 or 1e-10.
        np.testing.assert_allclose(state.body("tip").xpos, position, rtol=0, atol=1e-9)
        np.testing.assert_allclose(state.body("tip").xmat.reshape(3, 3), matrix, atol=1e-9)
        theirs = same.forward_kinematics(answer.angles)
        np.testing.assert_allclose(state.body("tip").xpos, theirs.position, rtol=0, atol=1e-12)
        jacobian = pin.computeFrameJacobian(
            model, data, full, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        np.testing.assert_allclose(limb.jacobian(answer.angles), jacobian, atol=1e-12)


@pytest.mark.parametrize("name", ["humanoid leg", "parallel arm", "crossed arm", "rounded leg"])
def test_torch_gives_the_same_and_gradients_are_those_of_the_exact_answer(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    limb = limb_named(name)
    angles = np.random.default_rng(17).uniform(0.2, 1.0, (20, 6))
    position, rotation = limb.forward_kinematics(angles)
    p, r = torch.tensor(position, requires_grad=True), torch.tensor(rotation)
    answer = limb.reach(p, r, near=torch.tensor(angles))
    np.testing.assert_allclose(answer.angles.detach().numpy(), angles, atol=1e-9)
    assert answer.status.dtype == torch.int8
    assert (answer.status == 0).all()
    rows = [
        torch.autograd.grad(answer.angles[:, i].sum(), p, retain_graph=True)[0] for i in range(6)
    ]
    slopes = torch.stack(rows, 1).numpy()
    inverse = np.linalg.inv(limb.jacobian(angles))[:, :, :3]
    scale = np.abs(inverse).max(axis=(1, 2))[:, None, None]
    assert (np.abs(slopes - inverse) / scale).max() < 1e-6
    found = limb.solve_all(p, r)
    assert found.angles.shape == (20, 8, 6)
    assert found.within.dtype == torch.bool


@pytest.mark.slow  # XLA compiles for ten seconds
def test_jax_gives_the_same_also_under_jit_and_vmap():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    limb = limb_named("humanoid leg")
    angles = np.random.default_rng(18).uniform(0.2, 1.0, (5, 6))

    def solve(p, r, near):
        return limb.reach(p, r, near=near).angles

    with jax.enable_x64(True):
        given = list(map(jax.numpy.asarray, (*limb.forward_kinematics(angles), angles)))
        both = jax.vmap(lambda *row: (solve(*row), jax.jacobian(solve)(*row)))
        found, slopes = jax.jit(both)(*given)
        np.testing.assert_allclose(found, angles, atol=1e-9)
        inverse = np.linalg.inv(limb.jacobian(angles))[:, :, :3]
        scale = np.abs(inverse).max(axis=(1, 2))[:, None, None]
        assert (np.abs(slopes - inverse) / scale).max() < 1e-6


@pytest.mark.parametrize("arrays", [False, True])
def test_what_a_formula_knows_is_computed_before(arrays):
    def formula(xp, t, *, x):
        big = x > 1.0
        return (
            xp.where(xp.sqrt(4.0) > 1.0, x, 5.0),
            xp.where(xp.where(False, True, False), 5.0, x + 1.0),
            *(xp.where(each, 1.0, 2.0) for each in (big & True, big & False, big | True)),
            xp.where(big | False, 1.0, 2.0),
            0.0 / x,
            x - x,
        )

    code = straight.compiled(formula, {"x": 1}, arrays)
    for x in (0.5, 3.0):
        is_big = 1.0 if x > 1.0 else 2.0
        wanted = (x, x + 1.0, is_big, 2.0, 1.0, is_big, 0.0, 0.0)
        found = code(np.array([x]) if arrays else x)
        assert tuple(float(np.ravel(each)[0]) for each in found) == wanted
    zero = code(np.zeros(1) if arrays else 0.0)
    assert zero[-2:] == (0.0, 0.0)  # known, as for any other number


def test_many_rows_of_a_library_have_the_branches_of_few():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    limb = limb_named("humanoid leg")
    angles = np.random.default_rng(19).uniform(0.2, 1.0, (1100, 6))
    given = list(map(torch.as_tensor, limb.forward_kinematics(angles)))
    many = limb.solve_all(*given).angles[:3]
    few = limb.solve_all(*(each[:3] for each in given)).angles
    np.testing.assert_allclose(many, few, rtol=0.0, atol=1e-12)


def test_a_pose_that_is_missing_is_named():
    limb = limb_named("humanoid leg")
    position, rotation = limb.forward_kinematics([0.1, 0.2, -0.5, 1.0, -0.4, 0.1])
    with pytest.raises(ArrayTypeError, match="`position` must be an array, got None"):
        limb.reach(None, rotation)
    with pytest.raises(ArrayTypeError, match="`rotation` must be an array, got None"):
        limb.solve_all(position, None)


def test_copies_and_words():
    limb = limb_named("humanoid leg")
    position, rotation = limb.forward_kinematics([0.1, 0.2, -0.5, 1.0, -0.4, 0.1])
    wanted = limb.reach(position, rotation).angles
    for other in (pickle.loads(pickle.dumps(limb)), copy.deepcopy(limb)):
        np.testing.assert_array_equal(other.reach(position, rotation).angles, wanted)
        assert other.branch_names == limb.branch_names
    assert repr(limb) == "PoseLimb('tip', joints=('j1', 'j2', 'j3', 'j4', 'j5', 'j6'))"
    assert limb.kind.startswith("three axes that meet at one end, and two parallel ones")
    assert limb_named("parallel arm").kind == "three parallel axes, and two that meet"
    with pytest.raises(AttributeError, match="immutable"):
        limb.rest = None
    assert limb.solve(position, rotation).tolist() == wanted.tolist()
