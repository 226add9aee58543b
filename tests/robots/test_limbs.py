"""Legs and arms: every branch against forward kinematics that share no code with the solver."""

import math
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robot_files
from formula_arguments import FINITE_FLOATS
from robot_files import ARMS, LEGS, LIMBS, TURN, exact_miss, many_tips
from twobone import ArrayTypeError, RobotError, ShapeError, Status, robots
from twobone.robots import Arm, Leg, float_corrections, kinematics

limbs = pytest.mark.parametrize("name", LIMBS)
PER_METRE = {"quadruped": 2e-15, "desk arm": 5e-15, "four joints": 5e-15}


def limb_named(name, **options):
    make, tip = LIMBS[name]
    return robots.read_urdf(make()).limb(tip, **options)


def tips(name, limb, angles):
    make, tip = LIMBS[name]
    return many_tips(make(), tip, limb.joint_names, angles)


def tool(limb, angles):
    """Return what must be asked of an arm beside the target."""
    if isinstance(limb, Leg):
        return {}
    rolls = {"roll": angles[..., 4]} if len(limb.joint_names) == 5 else {}
    return {"pitch": limb.pitch(angles)} | rolls


def poses(limb, count, seed):
    """Return poses of which a quarter are straight but for 1e-12 to 1e-2."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-math.pi, math.pi, (count, len(limb.joint_names)))
    few = count // 4
    knee = 2 if len(limb.joint_names) > 2 else 1
    g = limb._problem.geometry
    straight = math.atan2(
        g.lower[0] * g.upper[1] - g.lower[1] * g.upper[0],
        g.upper[0] * g.lower[0] + g.upper[1] * g.lower[1],
    )
    nearly = 10.0 ** rng.uniform(-12.0, -2.0, few) * rng.choice([-1.0, 1.0], few)
    angles[:few, knee] = g.signs[1] * (straight + nearly)
    return angles


def apart(angles, other):
    """Return the greatest difference of angles, up to whole turns."""
    return np.abs((angles - other + math.pi) % TURN - math.pi).max(-1)


# --- accuracy -----------------------------------------------------------------------------


@pytest.mark.sampled(3)
@limbs
def test_every_reached_branch_puts_the_tip_on_the_target(name):
    limb = limb_named(name)
    angles = poses(limb, 20_000, seed=1)
    target = tips(name, limb, angles)
    found = limb.solve_all(target, **tool(limb, angles))
    reached = found.status == Status.REACHED
    assert np.all(reached.any(-1))
    ends = tips(name, limb, found.angles)
    missed = np.linalg.norm(ends - target[:, None], axis=-1)[reached]
    assert missed.max() < 1e-15
    nearest = apart(found.angles, angles[:, None]).min(-1)
    assert nearest.max() < 1e-6  # the root of eps: straight limbs
    assert np.quantile(nearest[5000:], 0.999) < 1e-9


@limbs
def test_folded_limbs_are_reached(name):
    """As far as rounding may be nearer than two bones of different lengths reach."""
    limb = limb_named(name)
    angles = poses(limb, 2000, seed=6)[:500]
    angles[:, 2 if len(limb.joint_names) > 2 else 1] += math.pi
    found = limb.solve_all(limb.forward_kinematics(angles), **tool(limb, angles))
    assert np.all(np.isin(found.status, [Status.REACHED, Status.AMBIGUOUS]).any(-1))


@pytest.mark.sampled(5)
@limbs
def test_the_tip_is_exact_with_forty_digits(name):
    limb = limb_named(name)
    make, tip = LIMBS[name]
    text, angles = make(), poses(limb, 40, seed=2)
    target = limb.forward_kinematics(angles)
    found = limb.solve_all(target, **tool(limb, angles))
    rows = zip(found.angles, found.status, target, strict=True)
    missed = [
        exact_miss(text, tip, limb.joint_names, branch, where)
        for branches, statuses, where in rows
        for branch, status in zip(branches, statuses, strict=True)
        if status == Status.REACHED
    ]
    assert len(missed) >= 40
    assert max(missed) < (5e-15 if isinstance(limb, Arm) else 2e-15)


@limbs
def test_forward_kinematics_are_those_of_the_file(name):
    limb = limb_named(name)
    angles = poses(limb, 1000, seed=3)
    np.testing.assert_allclose(
        limb.forward_kinematics(angles), tips(name, limb, angles), rtol=0, atol=1e-15
    )


def test_an_arm_that_moves_in_a_plane():
    text = robot_files.planar_arm()
    arm = robots.read_urdf(text).limb("tip")
    assert type(arm) is Arm
    rng = np.random.default_rng(31)
    angles = rng.uniform(-3.0, 3.0, (2000, 3))
    target, pitch = many_tips(text, "tip", arm.joint_names, angles), arm.pitch(angles)
    found = arm.solve_all(target, pitch=pitch)
    assert found.angles.shape == (2000, 2, 3)
    assert (found.status == Status.REACHED).all()
    assert apart(found.angles, angles[:, None]).min(-1).max() < 1e-6
    ends = many_tips(text, "tip", arm.joint_names, found.angles)
    assert np.abs(ends - target[:, None]).max() < 1e-15
    off = (arm.pitch(found.angles) - pitch[:, None] + math.pi) % TURN - math.pi
    assert np.abs(off).max() < 1e-14
    for i in range(20):
        for k in range(2):
            alone = arm.solve_xyz(*target[i].tolist(), pitch=float(pitch[i]), branch=k)
            np.testing.assert_allclose(alone, found.angles[i, k], atol=1e-12)
    beside = arm.reach(target + 0.1 * np.array([0.6, 0.8, 0.0]), pitch=pitch)
    assert (beside.status == Status.TOO_FAR).all()
    far = arm.reach(5.0 * target, pitch=0.0)
    assert (far.status == Status.TOO_FAR).all()
    rested = robots.read_urdf(text).limb("tip", rest=angles[0])
    again = rested.solve_all(target[0], pitch=pitch[0]).angles[0]
    np.testing.assert_allclose(again, angles[0], atol=1e-12)


@pytest.mark.parametrize("name", LEGS)
def test_targets_at_the_cylinder_of_the_offset(name):
    limb = limb_named(name)
    g = limb._problem.geometry
    if not g.yaw:
        pytest.skip("no first joint")
    rng = np.random.default_rng(4)
    around, along = rng.uniform(-math.pi, math.pi, 2000), rng.uniform(-0.1, 0.1, 2000)
    off = np.concatenate([10.0 ** rng.uniform(-15, -3, 1999), [0.0]])
    b, c, a = np.array(g.frame)
    radius = abs(limb.offset) * (1.0 + off)
    inside = radius[:, None] * (np.cos(around)[:, None] * b + np.sin(around)[:, None] * c)
    at = np.array(g.chain.offsets[0]) + along[:, None] * a
    found = limb.solve_all(at + inside)
    ends = tips(name, limb, found.angles)
    missed = np.linalg.norm(ends - (at + inside)[:, None], axis=-1)
    reached = found.status == Status.REACHED
    assert reached.any(-1).mean() > 0.3
    assert missed[reached].max() < 1e-15
    nearer = limb.solve_all(at + 0.9 * inside / (1.0 + off)[:, None])
    assert np.all(nearer.status == Status.TOO_NEAR)


def test_float32_stays_float32():
    limb = limb_named("quadruped")
    angles = poses(limb, 2000, seed=5)
    target = limb.forward_kinematics(angles).astype(np.float32)
    found = limb.solve_all(target)
    assert found.angles.dtype == np.float32
    ends = tips("quadruped", limb, found.angles.astype(np.float64))
    assert np.linalg.norm(ends - target[:, None], axis=-1).max() < 3e-7
    answer = limb.reach(target[0])
    assert answer.angles.dtype == answer.end.dtype == np.float32


@pytest.mark.parametrize("many", [True, False])
def test_float32_has_its_own_tolerances(many):
    """Rounded to float32, a straight leg may be too long, and an angle beyond its limit."""
    limb = limb_named("quadruped")
    angles = np.random.default_rng(15).uniform(*limb.limits.T, (60, 3))
    angles[:30, 2] = 0.0
    angles[30:, 0] = limb.limits[0, 1]
    target = limb.forward_kinematics(angles).astype(np.float32)
    if many:
        found, answer = limb.solve_all(target), limb.reach(target, near=angles.astype(np.float32))
        assert np.all(found.status == Status.REACHED)
        assert answer.angles.dtype == np.float32
        assert answer.within[30:].all()
        return
    for where, pose in zip(target, angles.astype(np.float32), strict=True):
        assert np.all(limb.solve_all(where).status == Status.REACHED)
        assert limb.reach(where, near=pose).within or pose[2] == 0.0


def skewed(amount):
    """Return a leg whose axes are off by an amount of radians, in both ways."""
    return robot_files.robot(
        *robot_files.joint(
            "a", "base", "hip", "0.2 0 0", f"1 {amount!r} 0", limits=(-1, 1)
        ).splitlines(True),
        robot_files.joint("b", "hip", "thigh", "0.01 0.09 0", "0 1 0", limits=(-1, 2)),
        robot_files.joint(
            "c", "thigh", "calf", "0 0.01 -0.213", f"{amount!r} 1 0", limits=(-2.7, -0.6)
        ),
        robot_files.joint("d", "calf", "foot", "0 0 -0.2", kind="fixed"),
    )


@pytest.mark.parametrize(("amount", "bound"), [(1e-12, 1e-11), (1e-5, 1e-9), (9e-5, 1e-9)])
def test_axes_that_are_not_quite_square(amount, bound):
    text = skewed(amount)
    limb = robots.read_urdf(text).limb("foot")
    assert 0.9 * amount < limb.skew < 1.1 * amount
    rng = np.random.default_rng(6)
    angles = rng.uniform(*limb.limits.T, (2000, 3))
    target = many_tips(text, "foot", limb.joint_names, angles)
    answer = limb.reach(target, near=angles)
    assert np.all(answer.status == Status.REACHED)
    ends = many_tips(text, "foot", limb.joint_names, answer.angles)
    assert np.linalg.norm(ends - target, axis=-1).max() < bound
    assert apart(answer.angles, angles).max() < 1e-6
    one = limb.reach(target[0], near=angles[0])
    assert np.linalg.norm(one.end - target[0]) < bound
    assert limb.solve_xyz(*target[0]) == pytest.approx(limb.solve_all(target[0]).angles[0])


def test_an_arm_and_a_plane_that_are_not_quite_square():
    text = robot_files.desk_arm().replace("1.5707963267948966", "1.5708")
    at = text.index('name="wrist"')
    arm = text[:at] + text[at:].replace('axis xyz="0 0 1"', 'axis xyz="0.00003 0.00002 1"', 1)
    limb = robots.read_urdf(arm).limb("tip")
    assert 1e-5 < limb.skew < 1e-4
    angles = np.random.default_rng(7).uniform(-1.0, 1.0, (500, 5))
    angles[:, 2] += 1.2
    target = many_tips(arm, "tip", limb.joint_names, angles)
    found = limb.reach(target, near=angles, **tool(limb, angles))
    assert np.all(found.status == Status.REACHED)
    ends = many_tips(arm, "tip", limb.joint_names, found.angles)
    assert np.linalg.norm(ends - target, axis=-1).max() < 1e-9
    np.testing.assert_allclose(limb.pitch(found.angles), limb.pitch(angles), atol=1e-12)
    plane = robot_files.planar().replace("-3 -4 0", "-3 -4 0.0001")
    flat = robots.read_urdf(plane).limb("foot")
    assert 1e-5 < flat.skew < 3e-5
    bent = np.random.default_rng(8).uniform(0.3, 1.3, (200, 2))
    where = many_tips(plane, "foot", flat.joint_names, bent)
    answer = flat.reach(where, near=bent)
    assert np.linalg.norm(answer.end - where, axis=-1).max() < 1e-5
    again = flat.reach(answer.end, near=bent)
    assert np.all(again.status == Status.REACHED)


@pytest.mark.parametrize("amount", [1e-9, 1e-7, 1e-5, 9e-5])
@pytest.mark.parametrize("bend", [0.0, 1e-9, 1e-6, 1e-4, 1e-2])
def test_straight_legs_whose_axes_are_not_quite_square_are_reached(amount, bend):
    """Newton's method alone fails here: the tip moves with the square of the knee's angle."""
    text = skewed(amount).replace('upper="-0.6"', 'upper="0.6"')
    limb = robots.read_urdf(text).limb("foot")
    rng = np.random.default_rng(19)
    angles = rng.uniform(*limb.limits.T, (500, 3))
    angles[:, 1] = rng.uniform(-1.0, 1.0, 500)  # the foot is not beside the first axis as well
    angles[:, 2] = rng.choice([-bend, bend], 500)
    target = many_tips(text, "foot", limb.joint_names, angles)
    answer = limb.reach(target, near=angles)
    assert np.all(answer.status == Status.REACHED)
    ends = many_tips(text, "foot", limb.joint_names, answer.angles)
    assert np.linalg.norm(ends - target, axis=-1).max() < 1e-9 * 0.42
    # At most: the knee's angle is the root of an error of the target.
    assert apart(answer.angles, angles).max() < max(3.0 * amount, 1e-4)
    for where, pose in zip(target[:20], angles, strict=False):
        single = limb.reach(where, near=pose)
        assert single.status == Status.REACHED
        assert np.linalg.norm(single.end - where) < 1e-9 * 0.42


def test_straight_legs_whose_axes_are_not_quite_square_reach_no_farther():
    text = skewed(1e-5).replace('upper="-0.6"', 'upper="0.6"')
    robot = robots.read_urdf(text)
    pose = np.array([0.2, 0.4, 0.0])
    foot = robot.leg("foot").forward_kinematics(pose)
    shin = robot.leg("calf", point=[0.0, 0.0, -0.3]).forward_kinematics(pose) - foot
    beyond = foot + 1e-5 * shin / np.linalg.norm(shin)
    for limb_target in (beyond, np.stack([beyond, beyond])):
        answer = robot.leg("foot").reach(limb_target)
        assert np.all(answer.status == Status.TOO_FAR)
        missed = np.linalg.norm(answer.end - beyond, axis=-1)
        np.testing.assert_allclose(missed, 1e-5, rtol=0.1)


@pytest.mark.parametrize("name", ["desk arm", "planar"])
def test_straight_arms_and_planes_that_are_not_quite_square_are_reached(name):
    make, tip = LIMBS[name]
    text = make().replace("1.5707963267948966", "1.5708").replace("-3 -4 0", "-3.0001 -4 0")
    limb = robots.read_urdf(text).limb(tip)
    assert 3e-6 < limb.skew < 2e-5
    angles = poses(limb, 2000, seed=20)[:500]
    target = many_tips(text, tip, limb.joint_names, angles)
    answer = limb.reach(target, near=angles, **tool(limb, angles))
    assert np.all(answer.status == Status.REACHED)
    ends = many_tips(text, tip, limb.joint_names, answer.angles)
    assert np.linalg.norm(ends - target, axis=-1).max() < 1e-9 * 0.55


def beside_first_axis(limb, angles, away):
    """Return those of some poses whose second angle can bring the tip beside the first axis.

    Seen along the first axis, the tip is then `away` from the line through it on which the target
    is if no other is nearer to the axis.
    """
    g, flat = limb._problem.geometry, angles.copy()
    flat[:, 0] = 0.0

    def along(angle):
        flat[:, 1] = angle
        return limb.forward_kinematics(flat) @ np.array(g.frame[1]) - g.shift[1]

    zero, quarter, half = map(along, (0.0, 0.5 * math.pi, math.pi))
    middle, cos = 0.5 * (zero + half), 0.5 * (zero - half)
    sin = quarter - middle
    ratio = (away - middle) / np.hypot(cos, sin)
    flat[:, 0], keep = angles[:, 0], np.abs(ratio) < 0.99
    flat[:, 1] = np.arctan2(sin, cos) + np.arccos(np.where(keep, ratio, 0.0))
    return flat[keep]


@pytest.mark.parametrize("amount", [1e-9, 1e-7, 1e-5, 9e-5])
@pytest.mark.parametrize("name", ["leg", "four joints", "arm"])
def test_tips_beside_the_first_axis_are_reached_if_axes_are_not_quite_square(name, amount):
    """The first angle changes there with the root of what axes are off: most were TOO_NEAR."""
    text, tip = {
        "leg": (skewed(amount).replace('"revolute"', '"continuous"'), "foot"),
        "four joints": (robot_files.four_joints().replace("0 -1 0", f"{amount!r} -1 0", 2), "tip"),
        "arm": (skewed_arm(amount), "tip"),
    }[name]
    limb = robots.read_urdf(text).limb(tip)
    assert 0.5 * amount < limb.skew < 2.0 * amount
    rng = np.random.default_rng(23)
    angles = rng.uniform(-math.pi, math.pi, (600, len(limb.joint_names)))
    angles[:, 2] = rng.choice([-1.0, 1.0], 600) * rng.uniform(0.4, 1.2, 600)
    away = 10.0 ** rng.uniform(-10.0, -2.0, 600) * rng.choice([-1.0, 1.0], 600)
    angles = beside_first_axis(limb, angles, away)
    assert len(angles) > 300
    target = many_tips(text, tip, limb.joint_names, angles)
    more = tool(limb, angles)
    found = limb.solve_all(target, **more)
    reached = found.status == Status.REACHED
    near = np.where(reached, apart(found.angles, angles[:, None]), math.inf).min(-1)
    assert near.max() < 1e-4
    ends = many_tips(text, tip, limb.joint_names, found.angles)
    assert np.linalg.norm(ends - target[:, None], axis=-1)[reached].max() < 1e-9 * 0.55
    for i, where in enumerate(target[:40]):
        own = {key: value[i] for key, value in more.items()}
        one = limb.solve_all(where, **own)
        assert one.status.tolist() == found.status[i].tolist()
        answer = limb.reach(where, near=angles[i], **own)
        if not limb._problem.wide:
            continue
        assert answer.status == Status.REACHED
        assert apart(answer.angles, angles[i]) < 1e-4


@pytest.mark.parametrize("yaw", [True, False])
def test_a_step_of_either_sign_finds_a_small_motion(yaw):
    """One of both roots is the motion by which the tip was moved; both copies agree."""
    rng, shared = np.random.default_rng(25), SimpleNamespace(yaw=yaw, signs=(-1.0,))
    missed = []
    for x, v, w in zip(*rng.uniform(-1.0, 1.0, (3, 400, 3)), strict=True):
        v[2], w[2] = 4.0 * v[2], 4.0 * w[2]  # the height is the equation taken as linear
        k, m = motion = rng.uniform(-0.01, 0.01) * np.array([-w[2], v[2]])
        # Both bones rotate about b, the second against its sign.
        turned = k * k * v + 2.0 * k * m * w - m * m * w
        there = x + k * v + m * w + 0.5 * np.array([0.0, -turned[2], turned[1]])
        radius, across, up = math.hypot(*there[:2]), (there[0], there[1]), there[2]
        wanted = kinematics.Wanted(radius if yaw else None, across, up)
        seen = SimpleNamespace(up=up, radius=radius, across=across)
        found = [
            kinematics.step(FINITE_FLOATS, x, v, w, wanted, sign, -1.0) for sign in (1.0, -1.0)
        ]
        for each, sign in zip(found, (1.0, -1.0), strict=True):
            other = float_corrections._step(shared, seen, x, v, w, sign)
            assert other == pytest.approx(each, abs=1e-12)
        missed.append(np.abs(np.array(found) - motion).max(axis=1).min())
    assert np.median(missed) < 1e-5  # without the second degree, 1e-3


def test_a_step_in_which_the_tip_does_not_curve_is_linear():
    wanted = kinematics.Wanted(None, (0.0, 0.02), 0.03)
    step = kinematics.step(FINITE_FLOATS, (0, 0, 0), (0, 0, 1), (0, 1, 0), wanted, 1.0, 0.0)
    assert step == pytest.approx((0.03, 0.02), abs=1e-15)


def skewed_arm(amount):
    """Return the desk arm with an axis that is off by an amount of radians."""
    text = robot_files.desk_arm()
    at = text.index('name="elbow"')
    return text[:at] + text[at:].replace('axis xyz="0 0 1"', f'axis xyz="{amount!r} 0 1"', 1)


def test_out_of_reach_the_tip_is_at_its_nearest_also_if_axes_are_not_quite_square():
    """As for square axes: no other angles of the parallel joints bring it nearer."""
    limb = robots.read_urdf(skewed(9e-5).replace('"revolute"', '"continuous"')).leg("foot")
    rng = np.random.default_rng(24)
    target = rng.uniform(-0.7, 0.7, (40, 3))
    found = limb.solve_all(target)
    far = found.status == Status.TOO_FAR
    assert far.mean() > 0.5
    missed = np.linalg.norm(limb.forward_kinematics(found.angles) - target[:, None], axis=-1)
    around = 1e-3 * rng.uniform(-1.0, 1.0, (40, 4, 500, 3))
    around[..., 0] = 0.0
    others = limb.forward_kinematics(found.angles[:, :, None] + around) - target[:, None, None]
    nearer = missed - np.linalg.norm(others, axis=-1).min(-1)
    assert nearer[far].max() < 1e-8


# --- what is returned ---------------------------------------------------------------------


@pytest.mark.sampled(3)
@limbs
def test_the_first_branch_is_that_of_the_rest_pose(name):
    limb = limb_named(name)
    count = len(limb.joint_names)
    rest = np.random.default_rng(9).uniform(-1.4, 1.4, (40, count))
    for pose in rest:
        posed = limb_named(name, rest=pose)
        assert posed.rest.tolist() == pose.tolist()
        target = posed.forward_kinematics(pose)
        more = tool(posed, pose)
        found = posed.solve_all(target, **more)
        assert apart(found.angles[0], pose) < 1e-7
        answer = posed.reach(target, **more)
        assert apart(answer.angles, pose) < 1e-7 or not found.within[0]
        assert apart(np.array(posed.solve_xyz(*target.tolist(), **more)), pose) < 1e-7


def test_the_first_branch_is_that_of_the_rest_pose_where_the_roll_decides_it():
    robot, point = robots.read_urdf(robot_files.desk_arm()), [0.1, 0.05, -0.1]
    missed = []
    for pose in np.random.default_rng(31).uniform(-2.5, 2.5, (60, 5)):
        arm = robot.arm("gripper", point=point, rest=pose)
        found = arm.solve_all(arm.forward_kinematics(pose), **tool(arm, pose))
        missed.append(apart(found.angles[0], pose))
    assert max(missed) < 1e-7


@limbs
def test_one_target_is_answered_as_many(name):
    limb = limb_named(name)
    angles = poses(limb, 60, seed=10)
    target = tips(name, limb, angles)
    target[::7] *= 3.0
    target[5] = np.nan
    target[6, 2] = np.inf
    target[8] = 1e200
    more = tool(limb, angles)
    many, best = limb.solve_all(target, **more), limb.reach(target, near=angles, **more)
    for i, where in enumerate(target):
        own = {key: value[i] for key, value in more.items()}
        one = limb.solve_all(where, **own)
        rounding = 1e-6 if i < 15 else 1e-11  # the first are nearly straight
        np.testing.assert_allclose(one.angles, many.angles[i], rtol=0, atol=rounding)
        assert one.status.tolist() == many.status[i].tolist()
        assert one.within.tolist() == many.within[i].tolist()
        for k, branch in enumerate(one.angles):
            alone = limb.solve_xyz(
                *where.tolist(), **{k: float(v) for k, v in own.items()}, branch=k
            )
            np.testing.assert_array_equal(alone, branch)
        single = limb.reach(where, near=angles[i], **own)
        assert single.status == best.status[i]
        assert single.within == best.within[i]
        if single.status == Status.REACHED:
            np.testing.assert_allclose(single.end, best.end[i], rtol=0, atol=4e-15)
        assert single.rotation is best.rotation is None  # targets are points
        for part, whole in zip(single[:4], best[:4], strict=True):
            assert np.asarray(part).dtype == whole.dtype
            assert np.shape(part) == whole[i].shape


def skewed_limbs():
    """Return limbs whose axes are not quite square, by name: (text, tip)."""
    arm = robot_files.desk_arm().replace("1.5707963267948966", "1.5708")
    return {
        "leg": (skewed(1e-5), "foot"),
        "very skewed leg": (skewed(9e-5), "foot"),
        "leg that bends both ways": (skewed(1e-5).replace('"-0.6"', '"2.6"'), "foot"),
        "leg without limits": (skewed(1e-5).replace('"revolute"', '"continuous"'), "foot"),
        "plane": (robot_files.planar().replace("-3 -4 0", "-3.0001 -4 0"), "foot"),
        "arm": (arm, "tip"),
        "four joints": (robot_files.four_joints().replace("0 -1 0", "0 -1 0.00001"), "tip"),
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", skewed_limbs())
def test_one_target_is_answered_as_many_if_axes_are_not_quite_square(name):
    """One target alone corrects only branches that may be the answer: it must be the same one."""
    text, tip = skewed_limbs()[name]
    limb = robots.read_urdf(text).limb(tip)
    assert limb.skew > 1e-6
    angles, near = poses(limb, 120, seed=21), poses(limb, 120, seed=22)
    angles[::2] = angles[::2] * 0.2 + limb.rest  # within limits, most of them
    near[::3] = angles[::3] + 1e-3
    target = limb.forward_kinematics(angles)
    target[::10] *= 1.5
    more = tool(limb, angles)
    many, best = limb.solve_all(target, **more), limb.reach(target, near=near, **more)
    resting = limb.reach(target, **more)
    assert (best.status == Status.REACHED).mean() > 0.8
    for i, where in enumerate(target):
        own = {key: value[i] for key, value in more.items()}
        one = limb.solve_all(where, **own)
        assert one.status.tolist() == many.status[i].tolist()
        assert one.within.tolist() == many.within[i].tolist()
        reached = one.status == Status.REACHED
        bent = abs(angles[i, 1 if name == "plane" else 2]) > 0.2 and i >= 30
        rounding = 1e-10 if bent else 1e-4
        assert apart(one.angles, many.angles[i])[reached].max(initial=0.0) < rounding
        for known, options in ((best, {"near": near[i]}), (resting, {})):
            single = limb.reach(where, **options, **own)
            assert (single.status, single.within) == (known.status[i], known.within[i])
            if single.status == Status.REACHED:
                np.testing.assert_allclose(single.angles, known.angles[i], rtol=0, atol=rounding)
                np.testing.assert_allclose(single.end, known.end[i], rtol=0, atol=1e-9)
        alone = limb.solve_xyz(*where.tolist(), **{k: float(v) for k, v in own.items()}, branch=1)
        np.testing.assert_array_equal(alone, one.angles[1])


@limbs
def test_shapes_and_empty_batches(name):
    limb = limb_named(name)
    n, k = len(limb.joint_names), 2 if name == "planar" else 4
    more = {} if isinstance(limb, Leg) else {"pitch": 0.3}
    for shape in ((), (0,), (2, 5), (1, 3, 1)):
        found = limb.solve_all(np.full((*shape, 3), 0.1), **more)
        assert found.angles.shape == (*shape, k, n)
        assert found.status.shape == found.within.shape == (*shape, k)
        assert found.status.dtype == np.int8
        assert found.within.dtype == bool
        answer = limb.reach(np.full((*shape, 3), 0.1), near=np.zeros(n), **more)
        assert answer.angles.shape == (*shape, n)
        assert answer.end.shape == (*shape, 3)
        assert np.shape(answer.status) == np.shape(answer.within) == shape
        assert limb.jacobian(answer.angles).shape == (*shape, 3, n)


def test_bad_rows_spoil_no_other():
    limb = limb_named("quadruped")
    target = limb.forward_kinematics(poses(limb, 8, seed=11))
    clean = limb.solve_all(target)
    dirty = target.copy()
    dirty[2, 1], dirty[5] = np.nan, np.inf
    found = limb.solve_all(dirty)
    keep = [0, 1, 3, 4, 6, 7]
    np.testing.assert_array_equal(found.angles[keep], clean.angles[keep])
    assert np.all(found.status[[2, 5]] == Status.INVALID)
    assert np.all(np.isnan(found.angles[[2, 5]]))
    assert not found.within[[2, 5]].any()
    answer = limb.reach(dirty)
    assert answer.status[[2, 5]].tolist() == [Status.INVALID] * 2
    assert not answer.within[2]
    assert np.all(np.isnan(limb.solve_xyz(math.nan, 0.0, 0.0)))


def test_an_invalid_row_is_within_no_limits():
    free = limb_named("planar")  # its joints have none
    assert free.solve_all([[0.1, 0.1, 0.1]] * 2).within.all()
    assert not free.solve_all([[math.nan, 0.1, 0.1]] * 2).within.any()
    assert not free.reach([0.1, math.inf, 0.1]).within


def test_a_pose_at_a_limit_is_within_limits_also_if_the_leg_is_almost_straight():
    text = robot_files.quadruped().replace('upper="-0.83776"', 'upper="-0.0001"')
    limb = robots.read_urdf(text).limb("FR_foot")
    angles = np.random.default_rng(17).uniform(*limb.limits.T, (500, 3))
    angles[:, 2] = -0.0001
    target = limb.forward_kinematics(angles)
    answer = limb.reach(target)
    assert answer.within.all()
    assert np.all(answer.status == Status.REACHED)
    assert all(limb.reach(where).within for where in target[:50])
    clipped = limb.reach(target, limits="clamp")
    assert np.all(clipped.status == Status.REACHED)
    assert np.all(clipped.angles[:, 2] <= -0.0001)
    assert not limb.reach(limb.forward_kinematics([0.1, 0.5, -0.00009])).within


def test_limits_are_met_by_whole_turns():
    text = robot_files.quadruped().replace(
        'lower="-1.5708" upper="3.4907"', 'lower="2.5" upper="7.0"'
    )
    limb = robots.read_urdf(text).limb("FR_foot")
    angles = np.array([[0.2, 5.0, -1.5], [-0.3, 6.9, -2.0]])
    answer = limb.reach(limb.forward_kinematics(angles))
    assert answer.within.all()
    np.testing.assert_allclose(answer.angles, angles, atol=1e-13)
    assert limb.solve_xyz(*answer.end[0]) == pytest.approx(angles[0], abs=1e-13)


def test_the_nearest_turn_is_taken_where_limits_allow_several():
    limb = limb_named("knees inward")  # two joints with limits of 3 pi
    angles = np.array([0.1, 3.5, -4.0])
    target = limb.forward_kinematics(angles)
    np.testing.assert_allclose(limb.solve(target, near=angles), angles, atol=1e-12)
    np.testing.assert_allclose(limb.solve([target] * 2, near=angles)[1], angles, atol=1e-12)
    far = angles + 4.0 * TURN * np.eye(3)[1]
    assert abs(limb.solve(target, near=far)[1]) < 9.43


def test_of_the_turns_that_limits_allow_the_nearest_is_taken():
    limb = limb_named("knees inward")  # two joints with limits of 3 pi
    rng = np.random.default_rng(16)
    angles, near = (rng.uniform(*limb.limits.T, (300, 3)) for _ in range(2))
    target = limb.forward_kinematics(angles)
    answer = limb.reach(target, near=near)
    assert answer.within.all()
    turns = TURN * np.stack(np.meshgrid([-1, 0, 1], [-2, -1, 0, 1, 2], [-2, -1, 0, 1, 2]), -1)
    every = limb.solve_all(target).angles[:, :, None] + turns.reshape(-1, 3)
    low, high = limb.limits.T
    allowed = ((every >= low - 1e-9) & (every <= high + 1e-9)).all(-1)
    away = np.linalg.norm(every - near[:, None, None], axis=-1)
    least = np.where(allowed, away, np.inf).min((1, 2))
    np.testing.assert_allclose(np.linalg.norm(answer.angles - near, axis=-1), least, atol=1e-9)
    one = limb.reach(target[0], near=near[0])
    np.testing.assert_allclose(one.angles, answer.angles[0], atol=1e-11)


@pytest.mark.parametrize("size", [1e4, 1e8, 1e17, 1e30])
def test_no_number_of_turns_moves_the_tip_away(size):
    """Angles of many turns have too few digits after the point: they are brought near 0."""
    free = robots.read_urdf(robot_files.quadruped().replace('"revolute"', '"continuous"'))
    angles = np.array([0.3, 0.7, -1.4])
    for limb, near in (
        (free.limb("FR_foot"), [size, -size, size]),
        (free.limb("FR_foot", rest=[size, -size, size]), None),
    ):
        target = limb.forward_kinematics(angles)
        for where in (target, target[None], target[None].astype(np.float32)):
            answer = limb.reach(where, near=near)
            assert np.all(answer.status == Status.REACHED)
            allowed = 1e-9 if where.dtype == np.float64 else 3e-7
            ends = limb.forward_kinematics(np.asarray(answer.angles, np.float64))
            assert np.linalg.norm(ends - where) < allowed * 0.426
        ends = limb.forward_kinematics(limb.solve_xyz(*target.tolist()))
        assert np.linalg.norm(ends - target) < 1e-9 * 0.426
    text = robot_files.quadruped().replace('upper="3.4907"', 'upper="9e8"')
    wide = robots.read_urdf(text).limb("FR_foot")
    assert abs(wide.rest[1]) < 7.0
    np.testing.assert_allclose(wide.solve(target), angles, atol=1e-12)


def test_a_pose_out_of_limits_is_told_and_clipped_if_asked():
    limb = limb_named("quadruped")
    pose = np.array([1.3, 0.6, -1.2])  # the first limit is 1.0472
    for target, near in (
        (limb.forward_kinematics(pose), pose),
        (limb.forward_kinematics(np.stack([pose, pose])), np.stack([pose, pose])),
    ):
        free = limb.reach(target, near=near)
        assert np.all(free.status == Status.REACHED)
        assert not np.any(free.within)
        np.testing.assert_allclose(free.end, target, atol=1e-15)
        clipped = limb.reach(target, near=near, limits="clamp")
        low, high = limb.limits.T
        assert np.all((clipped.angles >= low) & (clipped.angles <= high))
        assert np.all(np.isin(clipped.status, [Status.TOO_FAR, Status.TOO_NEAR]))
        np.testing.assert_allclose(clipped.end, limb.forward_kinematics(clipped.angles), atol=1e-15)
    inside = limb.forward_kinematics([0.2, 0.6, -1.2])
    assert limb.reach(inside, limits="clamp").status == Status.REACHED
    np.testing.assert_allclose(limb.solve(inside, limits="clamp"), [0.2, 0.6, -1.2], atol=1e-13)


def test_out_of_reach_the_leg_points_at_the_target():
    limb = limb_named("quadruped")
    hip = np.array([0.1934, -0.0465 - 0.0955, 0.0])
    answer = limb.reach(hip - [0.0, 0.0, 0.9])
    assert answer.status == Status.TOO_FAR
    np.testing.assert_allclose(answer.end, hip - [0.0, 0.0, 0.426], atol=1e-15)
    assert limb.reach(hip - [0.0, 0.0, 0.426 * (1 + 1e-10)]).status == Status.REACHED
    assert limb.reach(hip - [0.0, 0.0, 0.426 * (1 + 1e-8)]).status == Status.TOO_FAR


def test_out_of_reach_no_angles_of_the_other_joints_bring_the_tip_nearer():
    limb = limb_named("hexapod")
    rng = np.random.default_rng(18)
    target = rng.uniform(-0.6, 0.6, (40, 3))
    found = limb.solve_all(target)
    far = found.status == Status.TOO_FAR
    assert far.mean() > 0.5
    missed = np.linalg.norm(limb.forward_kinematics(found.angles) - target[:, None], axis=-1)
    around = rng.uniform(-math.pi, math.pi, (40, 4, 500, 3))
    around[:, :, :250] = found.angles[:, :, None] + 0.01 * around[:, :, :250]
    around[..., 0] = found.angles[:, :, None, 0]
    others = limb.forward_kinematics(around) - target[:, None, None]
    assert np.all((np.linalg.norm(others, axis=-1).min(-1) > missed - 1e-15)[far])


def test_a_tip_beside_the_axis_of_a_roll_joint_on_the_wrist_is_reached():
    """Neither the tip nor the joint before says which way along the axis is ahead."""
    text = robot_files.desk_arm().replace("0 -0.0611 0.0181", "0 0 0")
    text = text.replace("-0.0079 -0.0002 -0.0981", "0.02 0 0")
    arm = robots.read_urdf(text).limb("tip")
    angles = np.random.default_rng(20).uniform(-1.0, 1.0, (200, 5))
    target = many_tips(text, "tip", arm.joint_names, angles)
    found = arm.reach(target, near=angles, **tool(arm, angles))
    assert np.all(found.status == Status.REACHED)
    ends = many_tips(text, "tip", arm.joint_names, found.angles)
    assert np.linalg.norm(ends - target, axis=-1).max() < 1e-9


def test_statuses_of_special_targets():
    text = robot_files.four_joints()
    for name in ("0.02 0.03 0.05", "0.0 0.01 0.3", "0.25 -0.02 0.0", "0.1 0.005 0.02"):
        x, _, z = name.split()
        text = text.replace(name, f"{x} 0 {z}")
    arm = robots.read_urdf(text).limb("tip")  # no offset
    above = arm.solve_all([0.0, 0.0, 0.5], pitch=1.0)
    assert set(above.status.tolist()) == {Status.AMBIGUOUS}
    assert np.all(above.angles[:, 0] == 0.0)
    np.testing.assert_allclose(
        arm.forward_kinematics(above.angles), [[0.0, 0.0, 0.5]] * 4, atol=1e-15
    )
    exact = robot_files.quadruped().replace("0 -0.0955 0", "0 -0.125 0")
    limb = robots.read_urdf(exact.replace("0.1934 -0.0465 0", "0 0 0")).limb("FR_foot")
    at_hip = limb.solve_all([0.0, -0.125, 0.0])
    assert set(at_hip.status.tolist()) == {Status.AMBIGUOUS}
    assert np.all(np.isfinite(at_hip.angles))
    nearly = skewed(1e-9).replace("0.01 0.09 0", "0.01 0 0").replace("0 0.01 -0.213", "0 0 -0.213")
    leg = robots.read_urdf(nearly.replace("1 1e-09 0", "1 0 0", 1)).limb("foot")
    assert leg.skew > 1e-10
    found = leg.reach([0.3, 0.0, 0.0])
    assert found.status == leg.reach([[0.3, 0.0, 0.0]] * 2).status[0] == Status.AMBIGUOUS
    np.testing.assert_allclose(found.end, [0.3, 0.0, 0.0], atol=1e-9)
    on_axis = limb.solve_all([[0.1, 0.0, 0.0]] * 2)
    assert set(on_axis.status.ravel().tolist()) == {Status.TOO_NEAR}
    assert np.all(np.isfinite(on_axis.angles))
    assert limb.solve_all([0.1, 0.0, 0.0]).status.tolist() == [Status.TOO_NEAR] * 4
    flat = limb_named("planar")
    pose = flat.forward_kinematics([0.4, 0.9])
    beside = pose + 0.01 * np.array([0.6, 0.8, 0.0])
    found = flat.solve_all(beside)
    assert set(found.status.tolist()) == {Status.TOO_FAR}
    np.testing.assert_allclose(flat.forward_kinematics(found.angles), [pose] * 2, atol=1e-15)


@settings(max_examples=200)
@given(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True, width=64)] * 3))
def test_any_floats_have_an_answer(target):
    limb = HEXAPOD
    found = limb.solve_all(list(target))
    finite = np.isfinite(target).all()
    assert np.isfinite(found.angles).all() == finite
    assert np.all((found.status == Status.INVALID) == (not finite))
    many = limb.solve_all([target, (0.1, 0.1, 0.0)])
    np.testing.assert_array_equal(many.status[0], found.status)
    assert np.isfinite(many.angles[0]).all() == finite
    assert np.isfinite(many.angles[1]).all()
    assert limb.reach(list(target)).status == limb.reach([target] * 2).status[1]


HEXAPOD = limb_named("hexapod")


# --- arms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_the_pitch_is_that_of_the_tool(name):
    """Measured by hand: move the tip along the tool's axis, and look at the two points."""
    limb = limb_named(name)
    angles = poses(limb, 500, seed=12)
    text = LIMBS[name][0]()
    hand = "gripper" if name == "desk arm" else "hand"
    ahead = {"desk arm": (0.0, 0.0, -0.1), "four joints": (0.1, 0.005, 0.02)}[name]
    robot = robots.read_urdf(text)
    moved = robot.limb(hand, point=ahead).forward_kinematics(angles)
    begins = many_tips(text, hand, limb.joint_names, angles)
    way = moved - begins
    zero = np.zeros((1, angles.shape[1]))
    first = many_tips(text, "tip", limb.joint_names, zero)[0] - [
        float(v) for v in robot_files.numbers(robot_files.path_of(text, "tip")[0], "origin", "xyz")
    ]
    # Forward rotates with the first joint.
    yaw = -angles[:, 0] if name == "desk arm" else angles[:, 0]
    axis = np.array([0.0, 0.0, 1.0])
    offset = limb.offset
    b = np.array(limb._problem.geometry.frame[0])
    ahead = first - axis * first[2] - b * (first @ b)
    ahead /= np.linalg.norm(ahead)
    forward = np.stack(
        [
            np.cos(yaw) * ahead[0] - np.sin(yaw) * ahead[1],
            np.sin(yaw) * ahead[0] + np.cos(yaw) * ahead[1],
            0.0 * yaw,
        ],
        -1,
    )
    wanted = np.arctan2(way[:, 2], np.sum(way * forward, -1))
    assert apart(limb.pitch(angles)[:, None], wanted[:, None]).max() < 1e-12
    assert math.isfinite(offset)


@pytest.mark.parametrize(
    ("axis", "along"), [("0 1 0", 0), ("0 -1 0", 0), ("1 0 0", 1), ("-1 0 0", 1), ("3 4 0", 0)]
)
@pytest.mark.parametrize("noise", ["0", "1e-12", "-1e-12"])
def test_the_forward_of_an_arm_that_is_upright_at_zero(axis, along, noise):
    """It is the base's +x, or +y where the arm cannot point to x; rounding does not decide."""
    joint = robot_files.joint
    arm = robots.read_urdf(
        robot_files.robot(
            joint("pan", "base", "turret", "0.01 0.02 0.06", "0 0 1", limits=(-2.6, 2.6)),
            joint("lift", "turret", "upper", "0 0 0.04", axis, limits=(-2, 2)),
            joint("elbow", "upper", "lower", f"{noise} {noise} 0.105", axis, limits=(-2, 2)),
            joint("wrist", "lower", "hand", "0 0 0.105", axis, limits=(-2, 2)),
            joint("tool", "hand", "tip", "0 0 0.11", kind="fixed"),
        )
    ).limb("tip")
    towards = 1.0 if arm.forward_kinematics([0.0, 0.5, 0.5, 0.2])[along] > 0.1 else -1.0
    leant = towards * np.array([0.0, 0.5, 0.5, 0.2])
    assert arm.forward_kinematics(leant)[along] > 0.1
    assert arm.pitch(leant) == pytest.approx(math.pi / 2 - 1.2, abs=1e-9)
    answer = arm.reach(arm.forward_kinematics(leant), pitch=math.pi / 2 - 1.2, near=leant)
    np.testing.assert_allclose(answer.angles, leant, atol=1e-9)


def test_a_desk_arm_picks_with_the_gripper_down():
    arm = limb_named("desk arm")
    down, where = -math.pi / 2, [-0.17, 0.04, 0.0]
    answer = arm.reach(where, pitch=down, roll=0.3)
    assert answer.status == Status.REACHED
    assert answer.angles[4] == 0.3
    assert arm.pitch(answer.angles) == pytest.approx(down, abs=1e-14)
    np.testing.assert_allclose(answer.end, where, atol=1e-15)
    assert arm.solve(where, pitch=down)[4] == 0.0
    grid = arm.solve_all(np.full((3, 3), 0.2), pitch=[[0.0], [1.0]], roll=[0.0, 0.1, 0.2])
    assert grid.angles.shape == (2, 3, 4, 5)


def test_floats_come_out_whatever_goes_in():
    arm, leg = limb_named("desk arm"), limb_named("quadruped")
    assert {type(angle) for angle in arm.solve_xyz(0, 0, 0, 0, 0)} == {float}
    assert {type(angle) for angle in leg.solve_xyz(0, 0, -1)} == {float}
    one_sided = robots.read_urdf(robot_files.quadruped().replace('upper="1.0472"', 'upper="inf"'))
    limb = one_sided.limb("FR_foot")
    assert limb.limits[0].tolist() == [-1.0472, math.inf]
    answer = limb.reach([0.2, -0.14, -0.3], near=[6.0, 0.7, -1.4])
    assert answer.status == Status.REACHED
    assert answer.within
    assert 5.0 < answer.angles[0] < 7.0
    assert limb.reach([0.2, -0.14, -0.3], near=[-9.0, 0.7, -1.4]).angles[0] > -1.0472


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_if_near_is_not_finite_the_first_branch_is_taken(number):
    free = robots.read_urdf(robot_files.quadruped().replace('"revolute"', '"continuous"'))
    leg, where = free.leg("FR_foot"), [0.2, -0.14, -0.3]
    for target in (where, [where]):
        answer = leg.reach(target, near=[0.0, number, 0.0])
        assert np.all(answer.status == Status.REACHED)
        np.testing.assert_allclose(np.ravel(answer.angles), leg.solve_xyz(*where), atol=1e-12)


def test_huge_angles_have_an_answer():
    huge = [1e308] * 5
    arm = limb_named("desk arm", rest=huge)
    assert np.isfinite(arm.solve([-0.17, 0.04, 0.0], pitch=-1.5)).all()
    for angles in (huge, [huge, [0.1] * 5]):
        assert np.isnan(np.ravel(arm.pitch(angles))[0])
    assert arm.pitch([huge, [0.1] * 5])[1] == arm.pitch([0.1] * 5)


def test_roll_is_only_for_five_joints_and_pitch_is_needed():
    arm = limb_named("four joints")
    with pytest.raises(RobotError, match="`roll` must be left out, because no joint rolls"):
        arm.solve([0.2, 0.0, 0.3], pitch=0.0, roll=0.1)
    with pytest.raises(TypeError, match="pitch"):
        arm.solve([0.2, 0.0, 0.3])
    with pytest.raises(ArrayTypeError, match="`pitch` must be an array, got None"):
        arm.solve([0.2, 0.0, 0.3], pitch=None)


# --- derivatives of angles ----------------------------------------------------------------


@limbs
def test_velocities_move_the_tool_as_wanted_and_stay_finite_near_singular_poses(name):
    limb = limb_named(name)
    rng, step = np.random.default_rng(31), 1e-6
    angles, wanted = poses(limb, 400, seed=30), rng.normal(size=(400, 3))
    given, rates = {}, []
    if isinstance(limb, Arm):
        rates = list(rng.normal(size=(len(tool(limb, angles)), 400)))
        given = dict(zip(("pitch_rate", "roll_rate"), rates, strict=False))
    exact = limb.velocity(angles, wanted, damping=0.0, **given)

    def moved(part):
        more, less = (part(angles + way * exact) for way in (step, -step))
        return (more - less) / (2.0 * step)

    if len(limb.joint_names) > 2:
        regular = np.linalg.cond(limb.jacobian(angles)[:, :, :3]) < 30.0
        regular &= np.abs(exact).max(-1) < 30.0
        assert regular.sum() > 100
        found = moved(limb.forward_kinematics)
        np.testing.assert_allclose(found[regular], wanted[regular], atol=1e-6)
        if rates:
            jump = np.abs(moved(limb.pitch)) > 1e3  # from -pi to pi
            regular &= ~jump
            np.testing.assert_allclose(moved(limb.pitch)[regular], rates[0][regular], atol=1e-6)
            for i, rate in enumerate(rates[1:], 4):
                np.testing.assert_allclose(exact[regular, i], rate[regular], atol=1e-9)
    slow = limb.velocity(angles, wanted, **given)  # a quarter of the poses are straight
    assert np.isfinite(slow).all()
    assert np.abs(slow).max() < 1e4
    np.testing.assert_allclose(
        limb.velocity(angles[300], wanted[300], **{k: v[300] for k, v in given.items()}),
        slow[300],
        rtol=1e-9,
    )


def test_a_leg_of_two_joints_moves_in_its_plane():
    limb = robots.read_urdf(robot_files.planar()).limb("foot")
    angles = np.random.default_rng(32).uniform(0.4, 1.2, (20, 2))
    matrix = limb.jacobian(angles)
    turns = np.random.default_rng(33).normal(size=(20, 2))
    velocity = (matrix @ turns[..., None])[..., 0]
    np.testing.assert_allclose(limb.velocity(angles, velocity, damping=0.0), turns, atol=1e-9)
    beside = np.cross(matrix[:, :, 0], matrix[:, :, 1])
    found = limb.velocity(angles, velocity + 3.0 * beside, damping=0.0)
    np.testing.assert_allclose(found, turns, atol=1e-9)


def test_velocities_of_bad_numbers():
    limb = limb_named("desk arm")
    assert np.isnan(limb.velocity(np.full(5, np.nan), np.ones(3))).all()
    with pytest.raises(ShapeError, match="`velocity` must have shape"):
        limb.velocity(np.zeros(5), np.zeros(6))
    with pytest.raises(RobotError, match="`damping` must be a positive number or 0"):
        limb.velocity(np.zeros(5), np.zeros(3), damping=-1.0)
    with pytest.raises(RobotError, match="`roll_rate` must be left out"):
        limb_named("four joints").velocity(np.zeros(4), np.zeros(3), roll_rate=1.0)


@limbs
def test_the_jacobian_is_the_difference_of_tips(name):
    limb = limb_named(name)
    angles = poses(limb, 50, seed=13)
    found = limb.jacobian(angles)
    step = 1e-6
    for i in range(angles.shape[1]):
        moved = step * np.eye(angles.shape[1])[i]
        slope = (tips(name, limb, angles + moved) - tips(name, limb, angles - moved)) / (2 * step)
        np.testing.assert_allclose(found[..., i], slope, rtol=0, atol=1e-9)


# --- objects and errors -------------------------------------------------------------------


def test_limbs_say_what_they_are_and_do_not_change():
    limb = limb_named("quadruped")
    assert repr(limb).startswith("Leg('FR_foot', joints=('FR_hip_joint', 'FR_thigh_joint',")
    assert limb.base == "base"
    assert limb.limits.tolist() == [list(each) for each in robot_files.GO2_LIMITS]
    assert limb.offset == pytest.approx(-0.0955)
    with pytest.raises(AttributeError, match="immutable"):
        limb.tip = "other"
    with pytest.raises(ValueError, match="read-only"):
        limb.limits[0, 0] = 3.0
    again = pickle.loads(pickle.dumps(limb))
    assert again.solve_xyz(0.2, -0.14, -0.3) == limb.solve_xyz(0.2, -0.14, -0.3)
    arm = limb_named("desk arm")
    assert arm.bones == pytest.approx((0.1160, 0.1350, 0.159), abs=1e-3)


@limbs
@pytest.mark.parametrize("branch", [4, -1, 1.5, None, [0]])
def test_a_branch_that_does_not_exist_is_told(name, branch):
    limb = limb_named(name)
    more = [] if isinstance(limb, Leg) else [0.1]
    there = "0 or 1" if name == "planar" else "0, 1, 2 or 3"
    with pytest.raises(RobotError) as caught:
        limb.solve_xyz(0.2, 0.1, -0.3, *more, branch=branch)
    assert str(caught.value) == f"{limb.tip}: `branch` must be {there}, got {branch!r}."
    assert caught.value.tip == limb.tip
    numpys = limb.solve_xyz(0.2, 0.1, -0.3, *more, branch=np.int64(1))
    assert numpys == limb.solve_xyz(0.2, 0.1, -0.3, *more, branch=1)


def test_wrong_arguments_are_named():
    limb = limb_named("quadruped")
    with pytest.raises(ShapeError, match=re.escape("`target` must have shape (..., 3), got (2,)")):
        limb.solve([0.1, 0.2])
    with pytest.raises(ShapeError, match=re.escape("`near` must have shape (..., 3), got (2,)")):
        limb.solve([0.1, 0.2, 0.3], near=[0.0, 0.0])
    with pytest.raises(RobotError, match="`limits` must be None or \"clamp\", got 'clip'"):
        limb.solve([0.1, 0.2, 0.3], limits="clip")
    with pytest.raises(ArrayTypeError, match="`target` must be"):
        limb.solve(["a", "b", "c"])
    with pytest.raises(RobotError, match="`rest` must be 3 finite angles"):
        limb_named("quadruped", rest=[0.0, 1.0])
    with pytest.raises(
        RobotError, match="`rest` must have all joints, and has no 'FR_thigh_joint'"
    ):
        limb_named("quadruped", rest={"FR_hip_joint": 0.0})
    named = dict(zip(limb.joint_names, [0.1, 0.2, -1.0], strict=True))
    assert limb_named("quadruped", rest=named).rest.tolist() == [0.1, 0.2, -1.0]


@pytest.mark.parametrize("off", [1e-14, 0.0, -1e-14])
def test_forward_of_an_upright_arm_does_not_depend_on_rounded_axes(off):
    joints = [("turn", "0 0 0", "0 0 1")]
    joints += [(name, f"0 0 {z}", f"1 {off} 0") for name, z in (("a", 0.1), ("b", 0.2), ("c", 0.2))]
    text, parent = '<robot name="upright"><link name="base"/>', "base"
    for name, place, axis in [*joints, ("tip", "0 0 0.1", None)]:
        kind = "fixed" if axis is None else "revolute"
        text += f'<link name="{name}"/><joint name="to_{name}" type="{kind}">'
        text += f'<parent link="{parent}"/><child link="{name}"/><origin xyz="{place}"/>'
        text += "" if axis is None else f'<axis xyz="{axis}"/><limit lower="-3" upper="3"/>'
        text, parent = f"{text}</joint>", name
    arm = robots.read_urdf(text + "</robot>").arm("tip")
    leans = arm.forward_kinematics([0.0, -0.5, 0.0, 0.0])
    assert leans[1] > 0.2
    assert arm.pitch([0.0, -0.5, 0.0, 0.0]) == pytest.approx(math.pi / 2.0 - 0.5)


def test_the_status_of_a_clamped_leg_says_whether_it_is_too_long_or_too_short():
    leg = robots.read_urdf(robot_files.quadruped()).limb("FR_foot")
    target = leg.forward_kinematics([[0.0, 0.5, -0.3], [0.0, 0.5, -2.8]])  # the knee is limited
    wanted = [Status.TOO_FAR, Status.TOO_NEAR]
    assert leg.reach(target, limits="clamp").status.tolist() == wanted
    assert [leg.reach(each, limits="clamp").status for each in target] == wanted
