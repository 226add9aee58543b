"""Solutions within limits: no pose within the limits of a leg brings its tip nearer to a target."""

import math

import numpy as np
import pytest

import robot_files
from conftest import LIBRARIES_AND_TYPES
from robot_files import exact_miss, many_tips
from twobone import Status, robots

GO2 = robots.read_urdf(robot_files.quadruped()).leg("FR_foot")
HIP = np.array([0.1934, -0.0465, 0.0])
BASE = np.array([0.1, 0.02, 0.3])  # of other legs
LIMIT = '<limit lower="-2" upper="2" effort="1" velocity="1"/>'


def leg_text(rng, kind):
    """Return a leg of any measures: with `kind` its hip, its offset, or both are 0."""
    d, h = (0.0 if kind & bit else rng.uniform(-0.1, 0.1) for bit in (1, 2))
    r1, r2 = rng.uniform(0.05, 0.3, 2)
    r2 = r1 if rng.random() < 0.2 else r2
    low = rng.uniform(-3.0, 3.0, 3)
    width = rng.choice([0.0, 0.1, 0.5, 1.5, 3.0, 5.0, 7.0], 3)
    made = robot_files.leg(
        "x",
        "0.1 0.02 0.3",
        abduct=f"{rng.uniform(-0.1, 0.1)} {d} {h}",
        axes=("1 0 0", "0 1 0", rng.choice(["0 1 0", "0 -1 0"])),
        thigh=f"{rng.uniform(-0.1, 0.1)} 0.01 {-r1}",
        shin=f"{rng.uniform(-0.1, 0.1)} -0.01 {-r2 / 2}",
        foot=f"0 0 {-r2 / 2}",
        limits=list(zip(low.tolist(), (low + width).tolist(), strict=True)),
    )
    return robot_files.robot(made)


def any_leg(seed):
    """Return a leg, and targets: anywhere, on its first axis, and beside that."""
    rng = np.random.default_rng(seed)
    leg = robots.read_urdf(leg_text(rng, seed % 4)).leg("x_foot")
    target = rng.uniform(-0.5, 0.5, (12, 3)) + BASE
    target[:2, 1:] = [0.02, 0.3]
    target[2:4, 1:] = [0.02, 0.3] + 0.02 * rng.uniform(-1.0, 1.0, (2, 2))
    near = rng.uniform(*leg.limits.T, target.shape)
    return leg, target, near


def least_misses(leg, target):
    """Return the least distances to targets of poses within limits: by a grid, then downhill.

    It shares no code with the solution but forward kinematics and their derivative.
    """
    low, high = leg.limits.T
    high = np.minimum(high, low + 2.0 * math.pi)
    ways = [np.linspace(*both, 21) for both in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*ways, indexing="ij"), -1).reshape(-1, len(ways))
    target = target[:, None]
    missed = np.linalg.norm(leg.forward_kinematics(grid) - target, axis=-1)
    q = grid[np.argpartition(missed, 150)[:, :150]]
    rest = leg.forward_kinematics(q) - target
    damping = np.full(q.shape[:-1], 1e-3)
    for _ in range(60):  # steps of Levenberg and Marquardt for the joints that limits leave free
        slope = leg.jacobian(q)
        down = np.einsum("...ij,...i->...j", slope, rest)
        free = ~(((q <= low) & (down > 0.0)) | ((q >= high) & (down < 0.0)))
        slope = slope * free[..., None, :]
        matrix = slope.swapaxes(-1, -2) @ slope
        matrix += (damping[..., None] * np.where(free, 0.01, 1.0))[..., None] * np.eye(len(ways))
        moved = np.clip(q - np.linalg.solve(matrix, (down * free)[..., None])[..., 0], low, high)
        there = leg.forward_kinematics(moved) - target
        better = np.linalg.norm(there, axis=-1) < np.linalg.norm(rest, axis=-1)
        q, rest = (np.where(better[..., None], *both) for both in ((moved, q), (there, rest)))
        damping = np.where(better, 0.3 * damping, 4.0 * damping) + 1e-12
    return np.linalg.norm(rest, axis=-1).min(axis=-1)


def assert_none_is_nearer(leg, target, answer, tolerance=1e-9):
    missed = np.linalg.norm(answer.end - target, axis=-1)
    assert np.all(missed < least_misses(leg, target) + tolerance)


# --- the nearest pose ---------------------------------------------------------------------


@pytest.mark.sampled(15)  # each kind of `leg_text` among them
@pytest.mark.parametrize("seed", range(60))
def test_no_pose_within_limits_is_nearer(seed):
    leg, target, near = any_leg(seed)
    answer = leg.reach(target, near=near, limits="clamp")
    low, high = leg.limits.T
    assert np.all((answer.angles >= low) & (answer.angles <= high))
    assert_none_is_nearer(leg, target, answer)


@pytest.mark.parametrize("seed", range(40))
def test_floats_find_the_pose_that_arrays_find(seed):
    leg, target, near = any_leg(seed)
    answer = leg.reach(target, near=near, limits="clamp")
    for i, where in enumerate(target):
        one = leg.reach(where, near=near[i], limits="clamp")
        np.testing.assert_allclose(one.angles, answer.angles[i], rtol=0, atol=1e-7)
        np.testing.assert_allclose(one.end, answer.end[i], rtol=0, atol=1e-9)
        assert (one.status, one.within) == (answer.status[i], answer.within[i])


def test_free_joints_cannot_bring_the_tip_nearer_to_the_last_digits():
    """The derivative by a joint between its limits is 0, and at a limit it points outwards."""
    target = np.random.default_rng(3).uniform(-0.5, 0.5, (3000, 3)) + HIP
    answer = GO2.reach(target, limits="clamp")
    low, high = GO2.limits.T
    down = np.einsum("nij,ni->nj", GO2.jacobian(answer.angles), answer.end - target)
    at_low, at_high = answer.angles == low, answer.angles == high
    assert at_low.any(0).all()
    assert at_high.any(0).all()
    assert np.abs(down[~(at_low | at_high)]).max() < 1e-15
    assert down[at_low & ~at_high].min() > -1e-15
    assert down[at_high & ~at_low].max() < 1e-15


def test_the_tip_is_there_with_forty_digits():
    text = robot_files.quadruped()
    target = np.random.default_rng(4).uniform(-0.5, 0.5, (30, 3)) + HIP
    answer = GO2.reach(target, limits="clamp")
    for pose, end in zip(answer.angles, answer.end, strict=True):
        assert exact_miss(text, "FR_foot", GO2.joint_names, pose, end) < 1e-15


def test_a_leg_beyond_its_limits_misses_by_far_less_than_with_clipped_angles():
    """A Go2's foot misses by 30 cm on average if each angle is clipped, where 23 are possible."""
    target = np.random.default_rng(48).uniform(-0.6, 0.6, (600, 3)) + HIP
    found = GO2.solve_all(target)
    target = target[~found.within.any(1)]
    low, high = GO2.limits.T
    clipped = np.clip(GO2.solve_all(target).angles, low, high)
    clipped = np.linalg.norm(GO2.forward_kinematics(clipped) - target[:, None], axis=-1).min(-1)
    answer = GO2.reach(target, limits="clamp")
    missed = np.linalg.norm(answer.end - target, axis=-1)
    assert np.all(missed <= clipped + 1e-15)
    assert np.mean(clipped > missed + 0.01) > 0.8


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["planar", "hexapod", "inward"])
def test_other_legs(name):
    make, tip = {
        "planar": (robot_files.planar, "foot"),
        "hexapod": (robot_files.hexapod, "leg2_foot"),
        "inward": (robot_files.inward, "LH_foot"),
    }[name]
    text = make()
    if name == "planar":
        text = text.replace('type="continuous"', 'type="revolute"')
        text = text.replace("<axis", '<limit lower="-0.4" upper="1.1"/><axis')
    leg = robots.read_urdf(text).leg(tip)
    rng = np.random.default_rng(5)
    target = leg.forward_kinematics(rng.uniform(-3.0, 3.0, (10, len(leg.limits))))
    target += rng.uniform(-0.1, 0.1, target.shape)
    answer = leg.reach(target, limits="clamp")
    ends = many_tips(text, tip, leg.joint_names, answer.angles)
    np.testing.assert_allclose(answer.end, ends, rtol=0, atol=1e-14)
    for where, end, least in zip(target, answer.end, least_misses(leg, target), strict=True):
        one = leg.reach(where, limits="clamp")
        assert np.linalg.norm(one.end - where) < least + 1e-9
        np.testing.assert_allclose(one.end, end, rtol=0, atol=1e-12)


def test_a_leg_that_is_folded_for_good_moves_on_no_arc():
    """Its thigh turns freely, but its tip stays at the hip, which the first joint carries along."""
    made = robot_files.leg(
        "x",
        "0.1 0.02 0.3",
        abduct="0 0.05 -0.08",
        thigh="0 0 -0.2",
        shin="0 0 -0.1",
        foot="0 0 -0.1",
        limits=[(-1.0, 1.0), (-9.0, 9.0), (math.pi, math.pi)],
    )
    leg = robots.read_urdf(robot_files.robot(made)).leg("x_foot")
    target = np.random.default_rng(11).uniform(-0.5, 0.5, (20, 3)) + BASE
    answer = leg.reach(target, limits="clamp")
    assert_none_is_nearer(leg, target, answer)
    for i, where in enumerate(target):
        one = leg.reach(where, limits="clamp")
        np.testing.assert_allclose(one.end, answer.end[i], rtol=0, atol=1e-12)


def test_targets_level_with_the_hip_of_a_leg_without_an_offset():
    text = robot_files.quadruped().replace("0.0955", "0.0").replace("-0.0955", "0.0")
    leg = robots.read_urdf(text).leg("FR_foot")
    angle = np.linspace(0.0, 2.0 * math.pi, 12)
    target = HIP + 0.7 * np.stack([0.0 * angle, np.cos(angle), np.sin(angle)], -1)
    answer = leg.reach(target, limits="clamp")
    assert_none_is_nearer(leg, target, answer)
    for i, where in enumerate(target):
        one = leg.reach(where, limits="clamp")
        np.testing.assert_allclose(one.angles, answer.angles[i], rtol=0, atol=1e-7)
        np.testing.assert_allclose(one.end, answer.end[i], rtol=0, atol=1e-9)


# --- statuses, and which pose -------------------------------------------------------------


def test_targets_within_limits_keep_their_bits():
    angles = np.random.default_rng(6).uniform(*GO2.limits.T, (500, 3))
    target = GO2.forward_kinematics(angles)
    free, clamped = GO2.reach(target), GO2.reach(target, limits="clamp")
    assert free.within.all()
    for one, two in zip(free, clamped, strict=True):
        np.testing.assert_array_equal(one, two)
    for where in target[:50]:
        for one, two in zip(GO2.reach(where), GO2.reach(where, limits="clamp"), strict=True):
            np.testing.assert_array_equal(one, two)


def test_out_of_reach_without_a_limit_in_the_way_the_pose_is_within_limits():
    text = robot_files.quadruped().replace('upper="-0.83776"', 'upper="0.5"')
    leg = robots.read_urdf(text).leg("FR_foot")
    below = HIP + np.array([0.05, -0.15, -0.6])
    answer = leg.reach(below, limits="clamp")
    assert (answer.status, answer.within) == (Status.TOO_FAR, True)
    assert answer.angles[2] == pytest.approx(0.0, abs=1e-9)  # straight
    # Without limits the first joint rotates as if the target could be reached: a little farther.
    assert np.linalg.norm(answer.end - below) < np.linalg.norm(leg.reach(below).end - below) - 1e-6
    beside = HIP + np.array([0.0, -0.05, -0.01])
    answer = leg.reach([beside] * 2, limits="clamp")
    assert np.all(answer.status == Status.TOO_NEAR)


def test_a_joint_at_a_limit_is_told():
    target = GO2.forward_kinematics([1.3, 0.6, -1.2])
    for where in (target, target[None]):
        answer = GO2.reach(where, limits="clamp")
        assert np.ravel(answer.angles)[0] == 1.0472
        assert not np.any(answer.within)
        assert np.all(answer.status == Status.TOO_FAR)


@pytest.mark.parametrize("many", [True, False])
def test_on_the_first_axis_limits_that_exclude_0_are_kept(many):
    """The first angle is not determined there: without limits it is 0."""
    text = robot_files.quadruped().replace("0.0955", "0.0").replace("-0.0955", "0.0")
    text = text.replace('lower="-1.0472" upper="1.0472"', 'lower="0.5" upper="1.0"')
    leg = robots.read_urdf(text).leg("FR_foot")
    target = HIP + np.array([0.25, 0.0, 0.0])
    near = np.array([0.7, -0.6, -1.9])
    answer = leg.reach(target[None] if many else target, near=near, limits="clamp")
    assert np.all(answer.status == Status.AMBIGUOUS)
    np.testing.assert_allclose(np.ravel(answer.end), target, rtol=0, atol=1e-15)
    assert np.ravel(answer.angles)[0] in (0.5, 0.7, 1.0)


def test_of_poses_that_are_equally_near_that_nearest_to_given_angles_is_taken():
    text = robot_files.quadruped().replace('lower="-1.5708" upper="3.4907"', 'lower="-2" upper="2"')
    text = text.replace('lower="-2.7227" upper="-0.83776"', 'lower="-1" upper="1"')
    leg = robots.read_urdf(text).leg("FR_foot")
    above_hip = HIP + np.array([0.0, -0.0955, -0.1])  # too near: the knee is at a limit
    for side in (1.0, -1.0):
        near = [0.0, -0.5 * side, side]
        one = leg.reach(above_hip, near=near, limits="clamp")
        many = leg.reach([above_hip], near=[near], limits="clamp")
        assert one.angles[2] == side
        np.testing.assert_allclose(many.angles[0], one.angles, rtol=0, atol=1e-15)
        assert one.status == many.status[0] == Status.TOO_NEAR


def test_joints_that_allow_several_turns_take_the_nearest():
    text = robot_files.quadruped().replace('lower="-1.5708" upper="3.4907"', 'lower="-9" upper="9"')
    leg = robots.read_urdf(text).leg("FR_foot")
    target = HIP + np.array([0.3, -0.3, 0.1])
    for near in ([0.0, 6.0, -1.0], [0.0, -6.0, -1.0]):
        one = leg.reach(target, near=near, limits="clamp")
        many = leg.reach([target], near=near, limits="clamp")
        assert abs(one.angles[1] - near[1]) < math.pi
        np.testing.assert_allclose(many.angles[0], one.angles, rtol=0, atol=1e-12)
    text = robot_files.desk_arm().replace('lower="-1.92" upper="1.92"', 'lower="-9" upper="9"')
    arm = robots.read_urdf(text).arm("tip")
    for pan in (-6.0, 0.5, 6.0):
        options = {"pitch": -0.3, "roll": 0.2, "near": [pan, 0.0, 0.0, 0.0, 0.2], "limits": "clamp"}
        one, many = (arm.reach(where, **options) for where in ([0.3, 0.2, 0.1], [[0.3, 0.2, 0.1]]))
        assert abs(one.angles[0] - pan) < math.pi
        np.testing.assert_allclose(many.angles[0], one.angles, rtol=0, atol=1e-12)


def test_rows_that_are_not_finite_spoil_no_other():
    target = np.random.default_rng(8).uniform(-0.5, 0.5, (6, 3)) + HIP
    clean = GO2.reach(target, limits="clamp")
    dirty = target.copy()
    dirty[1, 0], dirty[4, 2], dirty[5] = math.nan, math.inf, [0.0, 1e200, 0.0]
    answer = GO2.reach(dirty, limits="clamp")
    assert answer.status[[1, 4]].tolist() == [Status.INVALID] * 2
    assert np.isnan(answer.angles[[1, 4]]).all()
    for row in (0, 2, 3):
        np.testing.assert_array_equal(answer.angles[row], clean.angles[row])
    far = GO2.reach([0.0, 1e6, 0.0], limits="clamp")
    for answer in (GO2.reach(dirty[5], limits="clamp"), GO2.reach(dirty, limits="clamp")):
        np.testing.assert_allclose(np.atleast_2d(answer.angles)[-1], far.angles, atol=1e-5)
        assert np.ravel(answer.status)[-1] == Status.TOO_FAR
    for row in (1, 4):
        assert GO2.reach(dirty[row], limits="clamp").status == Status.INVALID
    nowhere = GO2.reach(target[0], near=[math.nan] * 3, limits="clamp")
    np.testing.assert_allclose(nowhere.end, clean.end[0], atol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(4))
def test_axes_that_are_not_quite_square_miss_by_no_more_than_they_are_off(part):
    text = robot_files.quadruped().replace('axis xyz="1 0 0"', 'axis xyz="1 0.00001 0"', 1)
    leg = robots.read_urdf(text).leg("FL_foot")
    assert leg.skew > 1e-6
    target = np.random.default_rng(9).uniform(-0.5, 0.5, (20, 3)) + HIP * [1, -1, 1]
    target = target[5 * part :][:5]
    answer = leg.reach(target, limits="clamp")
    assert_none_is_nearer(leg, target, answer, leg.skew)
    for i, where in enumerate(target):
        one = leg.reach(where, limits="clamp")
        np.testing.assert_allclose(one.end, answer.end[i], rtol=0, atol=1e-9)


# --- array libraries ----------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("xp", "dtype"), LIBRARIES_AND_TYPES, indirect=["xp"])
def test_every_library_finds_the_same(xp, dtype):
    target = np.random.default_rng(10).uniform(-0.5, 0.5, (40, 3)) + HIP
    target[3] = math.nan
    wanted = GO2.reach(target, limits="clamp")
    found = xp.compiled(lambda p: GO2.reach(p, limits="clamp"))(xp(target, dtype))
    end = xp.back(found.end)
    assert end.dtype == dtype
    rows = np.arange(40) != 3
    missed, least = (np.linalg.norm(v - target, axis=-1)[rows] for v in (end, wanted.end))
    np.testing.assert_allclose(missed, least, rtol=0, atol=1e-14 if dtype == "float64" else 1e-6)
    if dtype == "float64":
        np.testing.assert_array_equal(xp.back(found.status), wanted.status)
        np.testing.assert_array_equal(xp.back(found.within), wanted.within)
        np.testing.assert_allclose(end[rows], wanted.end[rows], rtol=0, atol=1e-9)


@pytest.mark.parametrize("library", [pytest.param("jax", marks=pytest.mark.slow), "torch"])
def test_derivatives_are_those_of_the_nearest_pose(library):
    rng = np.random.default_rng(11)
    leg, target = any_leg(2)[0], rng.uniform(-0.4, 0.4, (30, 3)) + BASE
    near = leg.rest + 0.01
    step = 1e-6
    moved = target[:, None] + step * np.concatenate([np.eye(3), -np.eye(3)])
    angles = leg.reach(moved, near=near, limits="clamp").angles
    wanted = np.moveaxis(angles[:, :3] - angles[:, 3:], 1, 2) / (2.0 * step)

    def solve(p, q):
        return leg.reach(p, near=q, limits="clamp").angles

    if library == "jax":
        jax = pytest.importorskip("jax", reason="jax is not installed")
        jax.config.update("jax_enable_x64", True)
        slope = jax.jit(jax.vmap(jax.jacobian(lambda p: solve(p, jax.numpy.asarray(near)))))
        found = np.asarray(slope(jax.numpy.asarray(target)))
    else:
        torch = pytest.importorskip("torch", reason="torch is not installed")
        p = torch.tensor(target, requires_grad=True)
        rows = [
            torch.autograd.grad(part, p, retain_graph=True)[0]
            for part in solve(p, torch.tensor(near)).sum(0)
        ]
        found = torch.stack(rows, 1).numpy()
    assert np.isfinite(found).all()
    smooth = np.abs(wanted).max((1, 2)) < 1e3  # no jump from one pose to another
    assert smooth.sum() >= 25
    np.testing.assert_allclose(found[smooth], wanted[smooth], rtol=1e-4, atol=1e-6)
    assert np.abs(found).max() > 0.1


def limited_arm(name):
    """Return an arm with limits, 300 targets, and what else is asked of it."""
    make, tip = robot_files.LIMBS[name]
    text = make().replace('type="continuous"', 'type="revolute"')
    arm = robots.read_urdf(text.replace('xyz="0 1 0"/></joint>', f'xyz="0 1 0"/>{LIMIT}</joint>'))
    arm = arm.arm(tip)
    rng = np.random.default_rng(5)
    target = rng.uniform(-0.5, 0.5, (300, 3))
    goal = {"pitch": rng.uniform(-3.0, 3.0, 300)}
    if len(arm.joint_names) == 5:
        goal["roll"] = rng.uniform(-3.0, 3.0, 300)
    return arm, target, goal


def assert_one_is_answered_as_many(limb, target, atol=1e-7, near=None, **goal):
    """Angles that are different poses differ by far more than rounding."""
    many = limb.reach(target, near=near, limits="clamp", **goal)
    for i, where in enumerate(target):
        given = {name: value[i] for name, value in goal.items()}
        one = limb.reach(where, near=near, limits="clamp", **given)
        np.testing.assert_allclose(one.angles, many.angles[i], rtol=0, atol=atol)
        assert (one.status, one.within) == (many.status[i], many.within[i])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_clipped_branches_that_miss_by_the_same_are_chosen_as_in_arrays(dtype):
    """Both elbows miss alike; and with one joint at a limit the tip is on a circle of the hip.

    There, whether the tip is nearer to the hip than the target is a question of the last bit.
    """
    arm, target, goal = limited_arm("four joints")
    goal = {name: value.astype(dtype) for name, value in goal.items()}
    tolerance = 1e-7 if dtype == "float64" else 1e-2
    assert_one_is_answered_as_many(arm, target.astype(dtype), tolerance, **goal)


@pytest.mark.parametrize("far", [None, 1e200])
def test_mirrored_poses_that_are_equally_near_are_chosen_as_in_arrays(far):
    """In the plane of symmetry of the limits; squares of the differences from 1e200 overflow."""
    rng = np.random.default_rng(5)
    target = np.round(8.0 * rng.uniform(-0.5, 0.5, (300, 3))) / 8.0
    near = None if far is None else np.full(3, far)
    assert_one_is_answered_as_many(GO2, target, near=near)
    made = robot_files.leg(
        "x",
        "0 0 0",
        abduct="0 0.05 0",
        axes=("1 0 0", "0 1 0", "0 1 0"),
        thigh="0 0 -0.2",
        shin="0 0 -0.1",
        foot="0 0 -0.1",
        limits=[(-0.5, 0.5), (-1.0, 1.0), (-1.0, 1.0)],
    )
    leg = robots.read_urdf(robot_files.robot(made)).leg("x_foot")
    near = np.zeros(3) if far is None else near
    assert_one_is_answered_as_many(leg, target, near=near)


@pytest.mark.parametrize("name", ["four joints", "desk arm"])
def test_of_the_clipped_branches_of_an_arm_the_nearest_is_taken(name):
    """That is all that is promised of arms: within limits, and reached if a branch is within."""
    arm, target, goal = limited_arm(name)
    answer = arm.reach(target, **goal, limits="clamp")
    low, high = arm.limits.T
    assert ((answer.angles >= low) & (answer.angles <= high)).all()
    found = arm.solve_all(target, **goal)
    clipped = found.angles.clip(low, high)
    misses = np.linalg.norm(arm.forward_kinematics(clipped) - target[:, None], axis=-1)
    miss = np.linalg.norm(answer.end - target, axis=-1)
    assert (miss <= misses.min(axis=-1) + 1e-12).all()
    good = (found.within & (found.status == Status.REACHED)).any(axis=-1)
    assert 3 < good.sum() < 290
    assert miss[good].max() < 1e-12
    assert answer.within[good].all()
    for i in range(0, 300, 10):
        one = arm.reach(target[i], **{name: v[i] for name, v in goal.items()}, limits="clamp")
        assert ((one.angles >= low) & (one.angles <= high)).all()
        assert abs(np.linalg.norm(one.end - target[i]) - miss[i]) < 1e-12
        assert one.within == answer.within[i]
