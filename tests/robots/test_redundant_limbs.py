"""Limbs of seven joints: branches for a swivel angle, and the ranges of that angle."""

import math
import pickle
import re

import numpy as np
import pytest

from robot_files import SEVEN, TURN, many_poses, series
from twobone import ArrayTypeError, RobotError, ShapeError, Status, robots, rotations
from twobone.robots import RedundantLimb
from twobone.robots.given_limits import DEGREES, Limits

every = pytest.mark.parametrize("name", SEVEN)
SWIVELS = ["iiwa", "human arm", "rounded iiwa"]
GIVEN = {"panda": "j7", "offset shoulder": "j1"}


def limb_named(name, **options):
    return robots.read_urdf(SEVEN[name]()).limb("tip", **options)


def pose_at(name, limb, angles):
    return many_poses(SEVEN[name](), "tip", limb.joint_names, angles)


def within_limits(limb, count, seed):
    limits = limb.limits.clip(-math.pi, math.pi).T if np.isinf(limb.limits).any() else limb.limits.T
    return np.random.default_rng(seed).uniform(*limits, (count, 7))


def apart(angles, other):
    return np.abs((angles - other + math.pi) % TURN - math.pi).max(-1)


def reached(status):
    return (status == Status.REACHED) | (status == Status.AMBIGUOUS)


# --- branches -----------------------------------------------------------------------------


@every
def test_the_generating_pose_is_among_the_branches_and_all_reach_the_target(name):
    limb = limb_named(name)
    assert type(limb) is RedundantLimb
    assert limb.given == GIVEN.get(name, "swivel")
    angles = np.random.default_rng(1).uniform(-math.pi, math.pi, (1000, 7))
    position, rotation = pose_at(name, limb, angles)
    swivel = limb.swivel(angles)
    found = limb.solve_all(position, rotation, swivel=swivel)
    good = reached(found.status)
    gaps = np.where(good, apart(found.angles, angles[:, None]), np.inf).min(-1)
    assert (gaps < 1e-6).mean() > (0.995 if name == "rounded iiwa" else 0.999)
    assert name == "rounded iiwa" or gaps.max() < 1e-5
    there, turned = pose_at(name, limb, found.angles)
    away = np.linalg.norm(there - position[:, None], axis=-1)
    off = np.linalg.norm(turned - rotation[:, None], axis=(-2, -1))
    assert np.quantile(away[good], 0.99) < (1e-10 if name == "rounded iiwa" else 3e-15)
    assert np.quantile(off[good], 0.99) < (1e-10 if name == "rounded iiwa" else 6e-15)
    assert away[good].max() < 1e-9
    others = apart(found.angles[:300, :, None], found.angles[:300, None])
    both = good[:300, :, None] & good[:300, None] & ~np.eye(8, dtype=bool)
    assert others[both].min() > 1e-5  # eight different solutions
    kept = np.abs((limb.swivel(found.angles) - swivel[:, None] + math.pi) % TURN - math.pi)
    assert np.quantile(kept[good], 0.99) < (1e-4 if name == "rounded iiwa" else 1e-12)


def elbow_of(limb, angles):
    """Return shoulder, wrist and elbow (the foot of the shoulder on the fourth axis) of an iiwa."""
    text = SEVEN["iiwa"]()
    points = [many_poses(text, link, limb.joint_names, angles)[0] for link in ("l2", "l4", "l6")]
    return points[0], points[2], points[1]


def test_the_swivel_angle_is_that_of_the_elbow_about_the_line_to_the_wrist():
    limb = limb_named("iiwa", rest=[0.0, 0.5, 0.0, -1.5, 0.0, 1.0, 0.0])
    angles = within_limits(limb, 300, seed=2)
    shoulder, wrist, elbow = elbow_of(limb, angles)
    line = wrist - shoulder
    line /= np.linalg.norm(line, axis=-1)[:, None]
    x = np.array(limb.reference) - (line @ limb.reference)[:, None] * line
    x /= np.linalg.norm(x, axis=-1)[:, None]
    away = elbow - shoulder
    wanted = np.arctan2((away * np.cross(line, x)).sum(-1), (away * x).sum(-1))
    bent = np.abs(angles[:, 3]) > 1e-3
    off = (limb.swivel(angles) - wanted + math.pi) % TURN - math.pi
    assert np.abs(off[bent]).max() < 1e-10


def test_the_elbow_follows_a_point():
    limb = limb_named("iiwa")
    angles = within_limits(limb, 100, seed=3)
    pose = limb.forward_kinematics(angles)
    shoulder, wrist, elbow = elbow_of(limb, angles)
    answer = limb.reach(*pose, elbow=elbow, near=angles)
    bent = np.abs(angles[:, 3]) > 1e-2
    np.testing.assert_allclose(answer.angles[bent], angles[bent], rtol=0, atol=1e-8)
    point = np.array([0.3, 2.0, 0.4])
    answer = limb.reach(*pose, elbow=point)
    _, _, elbow = elbow_of(limb, answer.angles)
    line = wrist - shoulder
    normal = np.cross(line, point - shoulder)
    size = np.linalg.norm(normal, axis=-1)
    assert np.abs(((elbow - shoulder) * normal).sum(-1) / size).max() < 1e-12  # in one plane
    side = np.cross(np.cross(line, point - shoulder), line)
    assert ((elbow - shoulder) * side).sum(-1).min() > -1e-12
    again = limb.reach(pose.position[0], pose.rotation[0], elbow=point)
    np.testing.assert_allclose(again.angles, answer.angles[0], atol=1e-10)


@every
def test_near_keeps_the_swivel_angle_and_finds_the_pose(name):
    limb = limb_named(name)
    angles = within_limits(limb, 200, seed=4)
    pose = limb.forward_kinematics(angles)
    found = limb.reach(*pose, near=angles)
    assert (apart(found.angles, angles) < 1e-6).mean() > 0.98
    assert found.within.mean() > 0.98
    assert limb.solve(*pose, near=angles).tolist() == found.angles.tolist()
    rested = limb.reach(*pose)
    other = limb.reach(*pose, swivel=float(limb.swivel(limb.rest)))
    np.testing.assert_allclose(rested.angles, other.angles, atol=1e-12)


@every
def test_the_rest_pose_is_in_branch_0(name):
    rng = np.random.default_rng(5)
    for angles in rng.uniform(-math.pi, math.pi, (5, 7)):
        limb = limb_named(name, rest=angles)
        pose = pose_at(name, limb, angles)
        assert apart(limb.solve_all(*pose).angles[0], angles) < 1e-6


@pytest.mark.sampled(4)
@every
@pytest.mark.parametrize("swivel", [None, 0.2, "limits"])
def test_angles_near_which_are_not_finite_spoil_their_row_alone(name, swivel):
    limb = limb_named(name)
    angles = within_limits(limb, 4, seed=6)
    pose, near = limb.forward_kinematics(angles), angles.copy()
    near[1, 5], near[2, 0] = np.nan, np.inf
    answer = limb.reach(*pose, near=near, swivel=swivel)
    good = limb.reach(*pose, near=angles, swivel=swivel)
    assert (answer.status[[1, 2]] == Status.INVALID).all()
    assert np.isnan(answer.angles[[1, 2]]).all()
    assert not answer.within[[1, 2]].any()
    np.testing.assert_array_equal(answer.angles[[0, 3]], good.angles[[0, 3]])


@pytest.mark.sampled(3)
@every
def test_one_pose_is_answered_as_many_and_in_floats(name):
    limb = limb_named(name)
    angles = within_limits(limb, 12, seed=6)
    position, rotation = limb.forward_kinematics(angles)
    position[0] *= 7.0
    position[1, 1] = np.nan
    rotation[2] = 0.0
    swivel = limb.swivel(angles)
    swivel[3] = np.inf
    found = limb.solve_all(position, rotation, swivel=swivel)
    assert np.isfinite(found.angles[0]).all()
    assert not reached(found.status[0]).any()
    assert (found.status[[1, 2, 3]] == Status.INVALID).all()
    assert np.isnan(found.angles[[1, 2, 3]]).all()
    assert np.isfinite(found.angles[4:]).all()
    for i in range(12):
        one = limb.solve_all(position[i], rotation[i], swivel=swivel[i])
        np.testing.assert_allclose(one.angles, found.angles[i], rtol=0, atol=1e-8)
        assert one.status.tolist() == found.status[i].tolist()
        for k in range(8):
            alone = limb.solve_pose(position[i], rotation[i], k, swivel=swivel[i])
            np.testing.assert_allclose(alone, one.angles[k], rtol=0, atol=1e-8)
    rested = limb.solve_pose(position[5], rotation[5], limb.branch_names[0])
    np.testing.assert_allclose(
        rested, limb.solve_all(position[5], rotation[5]).angles[0], atol=1e-9
    )


# --- ranges -------------------------------------------------------------------------------


def is_in(ranges, angle):
    """Return whether an angle is in an interval of each branch."""
    low, high = ranges[..., 0], ranges[..., 1]
    one = (angle >= low) & (angle <= high)
    return (one | ((angle + TURN >= low) & (angle + TURN <= high))).any(-1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["iiwa", "human arm"])
def test_ranges_of_the_swivel_angle_are_those_of_a_search(name):
    limb = limb_named(name)
    angles = within_limits(limb, 12, seed=7)
    pose = limb.forward_kinematics(angles)
    ranges = limb.swivel_ranges(*pose)
    assert ranges.shape[:2] == (12, 8)
    assert ranges.shape[3] == 2
    assert is_in(ranges, limb.swivel(angles)[:, None, None]).any(-1).all()
    grid = np.linspace(-math.pi, math.pi, 4001)
    for i in range(12):
        rows = (
            np.broadcast_to(pose.position[i], (4001, 3)),
            np.broadcast_to(pose.rotation[i], (4001, 4)),
        )
        found = limb.solve_all(*rows, swivel=grid)
        wanted = found.within & reached(found.status)
        np.testing.assert_array_equal(is_in(ranges[i], grid[:, None, None]), wanted)


def test_edges_of_ranges_are_exact():
    limb = limb_named("human arm")
    pose = limb.forward_kinematics(within_limits(limb, 40, seed=8))
    ranges = limb.swivel_ranges(*pose)
    edges = ranges.reshape(40, -1)
    found = limb.solve_all(
        pose.position[:, None], pose.rotation[:, None], swivel=np.nan_to_num(edges)
    )
    some = ~np.isnan(edges)
    branch = np.repeat(np.arange(8), edges.shape[1] // 8)
    own = np.take_along_axis(found.angles, branch[None, :, None, None], axis=2)[:, :, 0]
    slack = np.minimum(np.abs(own - limb.limits[:, 0]), np.abs(own - limb.limits[:, 1])).min(-1)
    partial = some & ~np.isclose(edges, math.pi) & ~np.isclose(edges, -math.pi)
    assert partial.sum() > 100
    assert np.quantile(slack[partial], 0.95) < 1e-12  # a joint is at its limit
    assert slack[partial].max() < 1e-7


def test_without_limits_all_swivel_angles_are_in_range_and_bad_rows_have_none():
    text = SEVEN["iiwa"]()
    start = text.index("<limit")
    while start >= 0:
        end = text.index("/>", start) + 2
        text = text[:start] + text[end:]
        start = text.find("<limit")
    limb = robots.read_urdf(text.replace("revolute", "continuous")).limb("tip")
    position, rotation = limb.forward_kinematics(np.full((3, 7), 0.4))
    position[1] = 9.0
    position[2] = np.nan
    ranges = limb.swivel_ranges(position, rotation)
    assert ranges.shape == (3, 8, 1, 2)
    assert (ranges[0] == [-math.pi, math.pi]).all()
    assert np.isnan(ranges[1:]).all()
    one = limb.swivel_ranges(position[0], rotation[0])
    assert one.shape == (8, 1, 2)


LIMIT = (-2.5, 2.5)
LATE = (
    ("0 0.05 0.1", "0 0 1"),
    ("0.3 0 0.05", "0 1 0"),
    ("0 0 0", "1 0 0"),
    ("0.02 0.03 0.28", "0 0 1"),
    ("0 0 0", "0 1 0.2"),
    ("0 0 0", "1 0 0"),
)
FREE = {  # limbs with a joint given: the file, and the axes of the other six
    "panda": SEVEN["panda"],
    "offset shoulder": SEVEN["offset shoulder"],
    "leg": lambda: series(
        ("0.15 0.03 0", "0.1 0 1"),
        ("0.2 0.02 0.1", "0 0 1"),
        ("0.05 0.02 0.1", "0 1 0"),
        ("0.3 0.03 0.05", "0 -1 0"),
        ("0.25 0 0.02", "1 0 0"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "1 0 0"),
        tip="0.1 0.02 0",
        limits=(LIMIT,) * 7,
    ),
    "late": lambda: series(
        ("0.15 0.03 0", "0.1 0 1"), *LATE, tip="0.1 0.02 0", limits=(LIMIT,) * 7
    ),
    "late, and the last is given": lambda: series(
        *LATE, ("0.05 0.03 0.1", "0 1 0.2"), tip="0.1 0.02 0", limits=(LIMIT,) * 7
    ),
    "without limits": lambda: series(
        ("0.15 0.03 0", "0.1 0 1"), *LATE, tip="0.1 0 0", limits=(None, *(LIMIT,) * 6)
    ),
}
free = pytest.mark.parametrize("name", FREE)


def free_limb(name):
    return robots.read_urdf(FREE[name]()).limb("tip")


def searched(limb, pose, grid):
    """Return whether all joints are within limits in each branch, for each angle of a grid."""
    rows = [np.broadcast_to(part, (len(grid), len(part))) for part in pose]
    found = limb.solve_all(*rows, swivel=grid)
    return found.within & reached(found.status)


@free
def test_limits_are_polynomials_of_known_degrees(name):
    """The angles of the given joint at which others are at limits are all of their roots."""
    limb = free_limb(name)
    limits = Limits(limb._problem)
    pose = limb.forward_kinematics(within_limits(limb, 50, seed=18))
    rotation = rotations.quaternion_to_matrix(pose.rotation)
    zero = np.array(limb._problem.zero)
    angles = np.tile(np.arange(64) * (TURN / 64), (50, 1))
    for which, degree in enumerate(DEGREES):
        values, noise = limits.evaluate(which, pose.position, rotation @ zero)(
            np.arange(50), angles
        )
        waves = np.abs(np.fft.fft(values, axis=1))
        beyond = waves[:, degree + 1 : 64 - degree].max(axis=1) / waves.max(axis=1)
        assert np.quantile(beyond, 0.95) < 1e-13
        assert beyond.max() < 1e-9  # next to where a polynomial is divided by 0
        assert (np.median(noise, axis=1) < 1e-10 * np.abs(values).max(axis=1)).all()


@pytest.mark.sampled(3)
@free
def test_ranges_of_a_joint_that_is_given_are_those_of_a_search(name):
    limb = free_limb(name)
    angles = within_limits(limb, 8, seed=9)
    pose = limb.forward_kinematics(angles)
    ranges = limb.swivel_ranges(*pose)
    assert is_in(ranges, limb.swivel(angles)[:, None, None]).any(-1).all()
    low, high = limb.limits[limb.joint_names.index(limb.given)]
    grid = np.linspace(max(low, -math.pi), min(high, math.pi), 2002)[1:-1]
    some = 0
    for i in range(8):
        wanted = searched(limb, (pose.position[i], pose.rotation[i]), grid)
        np.testing.assert_array_equal(is_in(ranges[i], grid[:, None, None]), wanted)
        some += int(wanted.any()) + int(wanted.any(axis=-1).all())
    assert 8 <= some < 16


@pytest.mark.sampled(3)
@free
def test_edges_of_ranges_of_a_joint_that_is_given_are_exact(name):
    limb = free_limb(name)
    pose = limb.forward_kinematics(within_limits(limb, 20, seed=8))
    ranges = limb.swivel_ranges(*pose)
    i, branch, k, end = np.nonzero(~np.isnan(ranges))
    edges = ranges[i, branch, k, end]
    assert len(edges) > 40

    def margin(swivel):
        found = limb.solve_all(pose.position[i], pose.rotation[i], swivel=swivel)
        at = np.arange(len(i)), branch
        inside = np.minimum(found.angles - limb.limits[:, 0], limb.limits[:, 1] - found.angles)
        return np.where(reached(found.status[at]), inside[at].min(-1), np.nan)

    now = margin(edges)
    outward = np.where(end == 0, -1e-6, 1e-6)
    beyond = margin(edges + outward)
    ends = np.isnan(beyond)  # where the branch itself ends
    assert ends.any() or name == "offset shoulder"
    assert now[ends].min() > -1e-9
    wide = (ranges[..., 1] - ranges[..., 0])[i, branch, k] > 1e-5
    assert (beyond[wide & ~ends] < 0.0).mean() > 0.95  # both limits of a joint may be crossed
    assert np.quantile(np.abs(now[~ends]), 0.9) < 1e-12
    assert np.abs(now[~ends]).max() < 1e-10
    assert margin(edges - 0.5 * outward)[wide].min() > 0.0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["panda", "offset shoulder", "leg", "late"])
def test_no_range_is_missed_however_narrow(name):
    """A joint turns back next to its limit: between both angles there is next to nothing."""
    text, limb, rng, done = FREE[name](), free_limb(name), np.random.default_rng(16), 0
    number = limb.joint_names.index(limb.given)
    others = [joint for joint in range(7) if joint != number]
    grid = np.linspace(*limb.limits[number], 4001)
    for angles in within_limits(limb, 200, seed=14):
        pose = limb.forward_kinematics(angles)
        branch, joint = rng.integers(8), rng.choice(others)
        rows = [np.broadcast_to(part, (len(grid), len(part))) for part in pose]
        found = limb.solve_all(*rows, swivel=grid)
        inside = (found.within & reached(found.status))[:, branch]
        x = np.where(inside, found.angles[:, branch, joint], np.nan)
        bends = (2.0 * x[1:-1] - x[:-2] - x[2:]) / (grid[1] - grid[0]) ** 2
        turns = (x[1:-1] > x[:-2]) & (x[1:-1] > x[2:]) & (bends > 0.02)
        if not turns.any():
            continue
        k = int(np.flatnonzero(turns)[0]) + 1
        fine = np.linspace(grid[k - 1], grid[k + 1], 2001)
        rows = [np.broadcast_to(part, (len(fine), len(part))) for part in pose]
        x = limb.solve_all(*rows, swivel=fine).angles[:, branch, joint]
        top = fine[x.argmax()]
        least = float(x.max() - 0.125 * bends[k - 1] * 1e-4**2)  # 1e-4 radians below are less
        at = text.index(f'<joint name="{limb.joint_names[joint]}"')
        narrow = text[:at] + re.sub('lower="[^"]*"', f'lower="{least!r}"', text[at:], count=1)
        found = robots.read_urdf(narrow).limb("tip", rest=limb.rest).swivel_ranges(*pose)
        low, high = found[branch].T
        width = np.where((low <= top) & (top <= high), high - low, 0.0).max()
        assert width == pytest.approx(1e-4, rel=0.3)
        done += 1
        if done == 4:
            return
    raise AssertionError("no joint turns back")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", range(12))
def test_single_angles_between_two_limits_are_no_ranges(row):
    """Two joints are at limits at the same angle, from which one may go on and one back."""
    free = free_limb("without limits")
    grid = np.linspace(-math.pi, math.pi, 102)[1:-1]
    angles = np.random.default_rng(19).uniform(-2.0, 2.0, (12, 7))[row]
    pose = free.forward_kinematics(angles)
    found = free.solve_all(*pose, swivel=angles[0] + np.array([0.0, 1e-5]))
    branch = int(apart(found.angles[0], angles).argmin())
    now, later = found.angles[:, branch]
    moves = later - now
    limits = [LIMIT] * 7
    for joint, goes_on in ((3, True), (5, False)):
        up = (moves[joint] > 0.0) == goes_on
        limits[joint] = (now[joint], now[joint] + 2.0) if up else (now[joint] - 2.0, now[joint])
    rows = ("0.15 0.03 0", "0.1 0 1"), *LATE
    text = series(
        *rows, tip="0.1 0 0", limits=(None, *(tuple(map(float, each)) for each in limits[1:]))
    )
    limb = robots.read_urdf(text).limb("tip", rest=free.rest)
    ranges = limb.swivel_ranges(*pose)
    np.testing.assert_array_equal(is_in(ranges, grid[:, None, None]), searched(limb, pose, grid))
    low, high = ranges[branch].T
    there = (low < angles[0] + 1e-9) & (high > angles[0] - 1e-9)
    assert (high - low)[there].max(initial=0.0) < 1e-9


@pytest.mark.parametrize("name", ["iiwa", "panda"])
def test_the_angle_within_limits_keeps_shapes_and_dtypes(name):
    limb = limb_named(name)
    pose = limb.forward_kinematics(within_limits(limb, 20, seed=20))
    near = within_limits(limb, 20, seed=21)
    wide = limb.reach(*pose, near=near, swivel="limits")
    narrow = [part.astype(np.float32) for part in (*pose, near)]
    found = limb.reach(*narrow[:2], near=narrow[2], swivel="limits")
    assert found.angles.dtype == found.end.dtype == found.rotation.dtype == np.float32
    assert found.within.all()
    assert np.median(apart(found.angles, wide.angles)) < 1e-5
    none = limb.reach(np.zeros((2, 0, 3)), np.zeros((2, 0, 4)), swivel="limits")
    assert none.angles.shape == (2, 0, 7)
    none = limb.reach(pose.position[0], pose.rotation[0], near=near[:0], swivel="limits")
    assert none.angles.shape == (0, 7)
    with pytest.raises(ShapeError, match="near"):
        limb.reach(*pose, near=near[:3], swivel="limits")


def test_a_given_joint_that_is_locked_stays_where_it_is():
    limits = [LIMIT] * 6 + [(0.4, 0.4)]
    limb = robots.read_urdf(
        series(*LATE, ("0.05 0.03 0.1", "0 1 0.2"), tip="0.1 0.02 0", limits=limits)
    ).limb("tip")
    angles = within_limits(limb, 10, seed=22)
    pose = limb.forward_kinematics(angles)
    assert np.isnan(limb.swivel_ranges(*pose)).all()
    for near in (np.zeros(7), np.full(7, 2.0)):
        answer = limb.reach(*pose, near=near, swivel="limits")
        assert answer.within.all()
        assert (answer.angles[:, 6] == 0.4).all()


@pytest.mark.parametrize("name", ["iiwa", "panda"])
def test_ranges_of_float32_are_those_of_the_same_numbers(name):
    limb = limb_named(name)
    pose = limb.forward_kinematics(within_limits(limb, 5, seed=17).astype(np.float32))
    assert pose.position.dtype == np.float32
    wide = [part.astype(np.float64) for part in pose]
    np.testing.assert_array_equal(limb.swivel_ranges(*pose), limb.swivel_ranges(*wide))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", range(3))
def test_ranges_of_limbs_that_only_almost_fit_are_searched(row):
    text = FREE["panda"]().replace('xyz="0.088 0 0"', 'xyz="0.088 0.001 0"')
    text = text.replace('xyz="0 -0.316 0"', 'xyz="0.001 -0.316 0"')
    limb = robots.read_urdf(text).limb("tip", approximate=True)
    assert limb.approximate
    pose = limb.forward_kinematics(within_limits(limb, 3, seed=15)[row])
    ranges = limb.swivel_ranges(*pose)
    grid = np.linspace(*limb.limits[6], 101)
    same = is_in(ranges, grid[:, None, None]) == searched(limb, pose, grid)
    assert same.mean() > 0.99


@pytest.mark.sampled(3)
@every
def test_the_swivel_angle_is_chosen_within_limits(name):
    limb = limb_named(name)
    angles = within_limits(limb, 15, seed=10)
    pose = limb.forward_kinematics(angles)
    other = within_limits(limb, 15, seed=11)
    answer = limb.reach(*pose, near=other, swivel="limits")
    assert answer.within.mean() > 0.9
    assert (answer.within | ~limb.reach(*pose, near=other).within).all()
    kept = limb.reach(*pose, near=angles, swivel="limits")
    assert (apart(kept.angles, angles) < 1e-6).mean() > 0.9
    far = limb.reach([9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], swivel="limits")
    assert far.status == Status.TOO_FAR


def test_what_is_asked_wrongly_is_told():
    arm, panda = limb_named("iiwa"), limb_named("panda")
    pose = [0.5, 0.1, 0.5], [0.0, 0.0, 0.0, 1.0]
    with pytest.raises(RobotError, match="`swivel` and `elbow` exclude each other"):
        arm.reach(*pose, swivel=0.1, elbow=[0.0, 0.0, 1.0])
    with pytest.raises(RobotError, match="this one is given the angle of j7"):
        panda.reach(*pose, elbow=[0.0, 0.0, 1.0])
    with pytest.raises(RobotError, match="`swivel` must be numbers or \"limits\", got 'limit'"):
        arm.reach(*pose, swivel="limit")
    with pytest.raises(RobotError, match="`branch` must be 0, 1, 2, 3, 4, 5, 6 or 7"):
        arm.solve_pose(*pose, 9)
    with pytest.raises(ShapeError, match=r"`swivel` must have shape \(\), got \(2,\)"):
        arm.solve_pose(*pose, swivel=[0.1, 0.2])
    with pytest.raises(ArrayTypeError, match=r"`position` must be of float32, .* got NoneType"):
        panda.swivel_ranges(None, pose[1])
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    with pytest.raises(ArrayTypeError, match="an array of NumPy"):
        arm.swivel_ranges(torch.zeros(3), torch.ones(4))
    with pytest.raises(ArrayTypeError, match="`near` must be an array of NumPy, got one of torch"):
        arm.reach(*pose, near=torch.zeros(7, requires_grad=True), swivel="limits")


# --- singular poses, libraries, other programs -----------------------------------------------


def test_straight_arms_and_locked_wrists():
    limb = limb_named("iiwa")
    for angles in (
        [0.1, 0.4, 0.2, 0.0, 0.3, 0.5, 0.1],  # straight
        [0.1, 0.4, 0.2, 1.0, 0.3, 0.0, 0.1],  # wrist
        [0.1, 0.0, 0.2, 1.0, 0.3, 0.5, 0.1],  # shoulder
        [0.0] * 7,  # all, with the wrist over the shoulder
    ):
        pose = limb.forward_kinematics(angles)
        answer = limb.reach(*pose, near=angles)
        assert reached(answer.status)
        np.testing.assert_allclose(answer.end, pose.position, rtol=0, atol=1e-9)
        np.testing.assert_allclose(np.abs(answer.rotation @ pose.rotation), 1.0, atol=1e-12)
        assert reached(limb.solve_all(*pose).status).any()


def test_the_reference_in_line_with_the_arm_is_replaced():
    limb = limb_named("iiwa")
    line = np.array(limb.reference)
    position = np.array([0.0, 0.0, 0.36]) + 0.6 * line + [0.0, 0.0, 0.126]
    found = limb.solve_all(position, [0.0, 0.0, 0.0, 1.0], swivel=0.3)
    assert reached(found.status).all()
    np.testing.assert_allclose(limb.swivel(found.angles), 0.3, atol=1e-9)


@every
def test_pinocchio_sees_the_same_tip(name):
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    model = pin.buildModelFromXML(SEVEN[name]())
    data, frame = model.createData(), model.getFrameId("tip")
    limb = limb_named(name)
    for angles in within_limits(limb, 10, seed=12):
        position, rotation = limb.forward_kinematics(angles)
        answer = limb.reach(position, rotation, near=angles)
        pin.framesForwardKinematics(model, data, answer.angles)
        np.testing.assert_allclose(data.oMf[frame].translation, position, rtol=0, atol=1e-9)
        matrix = rotations.quaternion_to_matrix(rotation)
        np.testing.assert_allclose(data.oMf[frame].rotation, matrix, rtol=0, atol=1e-9)
        jacobian = pin.computeFrameJacobian(
            model, data, angles, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        np.testing.assert_allclose(limb.jacobian(angles), jacobian, atol=1e-12)


@pytest.mark.slow  # XLA compiles for seconds
@pytest.mark.parametrize("name", ["iiwa", "panda"])
def test_torch_and_jax_give_the_same_with_gradients(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    limb = limb_named(name)
    angles = np.tile([0.3, 0.5, -0.4, -1.2, 0.6, 0.8, 0.2], (4, 1))
    angles = angles + np.random.default_rng(13).uniform(-0.1, 0.1, (4, 7))
    position, rotation = limb.forward_kinematics(angles)
    swivel = limb.swivel(angles)
    p, r = torch.tensor(position, requires_grad=True), torch.tensor(rotation)
    s, near = torch.tensor(swivel, requires_grad=True), torch.tensor(angles)
    answer = limb.reach(p, r, near=near, swivel=s)
    np.testing.assert_allclose(answer.angles.detach().numpy(), angles, atol=1e-9)
    by_swivel = torch.stack(
        [torch.autograd.grad(answer.angles[:, i].sum(), s, retain_graph=True)[0] for i in range(7)]
    ).T.numpy()
    step = 1e-6
    more, less = (
        limb.reach(position, rotation, near=angles, swivel=swivel + d).angles for d in (step, -step)
    )
    np.testing.assert_allclose(by_swivel, (more - less) / (2 * step), rtol=1e-5, atol=1e-6)
    # The tip does not move along with the swivel angle.
    assert np.abs(limb.jacobian(angles) @ by_swivel[..., None]).max() < 1e-9
    kept = limb.reach(p, r, near=near)
    np.testing.assert_allclose(kept.angles.detach().numpy(), angles, atol=1e-9)
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    with jax.enable_x64(True):
        given = map(jax.numpy.asarray, (position, rotation, angles, swivel))
        solve = jax.jit(lambda p, r, near, s: limb.reach(p, r, near=near, swivel=s).angles)
        np.testing.assert_allclose(solve(*given), angles, atol=1e-9)


def test_copies():
    limb = limb_named("panda")
    other = pickle.loads(pickle.dumps(limb))
    pose = limb.forward_kinematics(limb.rest)
    np.testing.assert_array_equal(other.reach(*pose).angles, limb.reach(*pose).angles)
    assert repr(limb).startswith("RedundantLimb('tip', joints=('j1',")
    assert limb.reference is None
