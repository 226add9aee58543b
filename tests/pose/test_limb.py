"""Limb: two bones of a skeleton reach; held against 4x4 matrices, searches and plain NumPy."""

from dataclasses import dataclass

import numpy as np
import pytest

import twobone
from skeletons import (
    LEG,
    about,
    angle_between,
    between_of,
    chain,
    hinged,
    matrix_of,
    norm,
    places,
    random_skeleton,
    turn_between,
    turns,
    unit,
)
from twobone import Soft, Status, Stretch
from twobone.pose import GlobalPose, LocalPose

SEEDS = range(4)


def a_limb(seed, between=None, count=50, **options):
    """Return a random limb, poses its hinge allows, and targets that it can reach."""
    rng = np.random.default_rng(seed)
    skeleton, joints = random_skeleton(rng, between=seed % 3 if between is None else between)
    limb = twobone.Limb(skeleton, *joints, **options)
    pose = hinged(skeleton, limb, rng, (count,))
    positions = places(skeleton, pose)[0]
    r1, r2 = bones(limb, positions)
    far = rng.uniform(1.02 * np.abs(r1 - r2), 0.98 * (r1 + r2))
    way = unit(rng.normal(size=(count, 3)))
    return limb, pose, positions[:, limb.start] + far[:, None] * way, rng


def bones(limb, positions):
    """Return the lengths of both bones."""
    root, knee, end = (positions[..., joint, :] for joint in (limb.start, limb.mid, limb.end))
    return norm(knee - root), norm(end - knee)


def opening(limb, positions):
    """Return the angle between the bones in degrees."""
    root, knee, end = (positions[..., joint, :] for joint in (limb.start, limb.mid, limb.end))
    return np.degrees(angle_between(root - knee, end - knee))


def after(limb, posed):
    """Return positions and rotation matrices of what was reached."""
    return places(limb.skeleton, posed.pose)


# --- the end is on the target --------------------------------------------------------------


@pytest.mark.parametrize("between", [0, 1, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_meets_the_target_and_bones_keep_their_lengths(seed, between):
    limb, pose, target, rng = a_limb(seed, between)
    before, _ = places(limb.skeleton, pose)
    for options in ({}, {"pole": rng.normal(size=(50, 3))}, {"pole_point": rng.normal(size=3)}):
        posed = limb.reach(pose, target, **options)
        assert np.all(posed.status == Status.REACHED)
        positions, _ = after(limb, posed)
        np.testing.assert_allclose(positions[:, limb.end], target, atol=1e-12)
        np.testing.assert_allclose(bones(limb, positions), bones(limb, before), atol=1e-13)
        np.testing.assert_allclose(norm(posed.pose.rotations), 1.0, atol=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_start_mid_and_end_change(seed):
    """Everything else keeps its rotation to the bit; what is not below start keeps its place."""
    limb, pose, target, rng = a_limb(seed)
    posed = limb.reach(pose, target, pole=rng.normal(size=3), end_rotation=turns(rng))
    others = [
        j for j in range(len(limb.skeleton.parents)) if j not in (limb.start, limb.mid, limb.end)
    ]
    np.testing.assert_array_equal(posed.pose.rotations[:, others], pose.rotations[:, others])
    assert posed.pose.translations is None
    given = limb.skeleton.to_global(pose)
    found = limb.reach(given, target).pose
    below = limb.skeleton.below(limb.start)
    kept = [j for j in range(len(limb.skeleton.parents)) if j not in below]
    assert 1 in kept
    for name in GlobalPose._fields:
        np.testing.assert_array_equal(getattr(found, name)[:, kept], getattr(given, name)[:, kept])


@pytest.mark.parametrize("seed", SEEDS)
def test_descendants_ride_along(seed):
    limb, pose, target, _ = a_limb(seed)
    skeleton = limb.skeleton
    before, turned = places(skeleton, pose)
    positions, now = after(limb, limb.reach(pose, target, end_rotation="local"))
    for joint in skeleton.below(limb.start)[1:]:
        parent = skeleton.parents[joint]
        beside = [np.swapaxes(m[:, parent], -1, -2) @ m[:, joint] for m in (turned, now)]
        if joint != limb.mid:
            np.testing.assert_allclose(*beside, atol=1e-13)
        moved = [
            np.einsum("nji,nj->ni", m[:, parent], p[:, joint] - p[:, parent])
            for m, p in ((turned, before), (now, positions))
        ]
        np.testing.assert_allclose(*moved, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hinge_is_all_that_turns_at_mid(seed):
    limb, pose, target, _ = a_limb(seed)
    posed = limb.reach(pose, target)
    old, new = matrix_of(pose.rotations[:, limb.mid]), matrix_of(posed.pose.rotations[:, limb.mid])
    np.testing.assert_allclose(old @ limb.mid_axis, new @ limb.mid_axis, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_knee_is_in_the_plane_of_the_pole_and_on_its_side(seed):
    limb, pose, target, rng = a_limb(seed)
    root = places(limb.skeleton, pose)[0][:, limb.start]
    pole = rng.normal(size=(50, 3))
    for options in ({"pole": pole}, {"pole_point": root + pole}):
        posed = limb.reach(pose, target, **options)
        way, towards = unit(target - root), unit(pole)
        sine = norm(np.cross(way, towards))
        np.testing.assert_allclose(posed.conditioning, sine, atol=1e-14)
        clear = sine > np.sin(np.radians(10.0))
        assert clear.sum() > 30
        positions, _ = after(limb, posed)
        knee = (positions[:, limb.mid] - root)[clear]
        normal = unit(np.cross(way, towards))[clear]
        np.testing.assert_allclose(np.sum(knee * normal, axis=-1), 0.0, atol=1e-12)
        aside = np.cross(normal, way[clear])
        assert np.all(np.sum(knee * aside, axis=-1) > 0.0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_with_any_pose_the_end_comes_as_near_as_a_search_finds(seed):
    """Poses in which everything is turned: the hinge is not square to the bones any more."""
    limb, _, _, rng = a_limb(seed)
    count = len(limb.skeleton.parents)
    pose = LocalPose(turns(rng, (60, count)), rng.normal(size=(60, count, 3)))
    before, _ = places(limb.skeleton, pose)
    target = before[:, limb.start] + rng.normal(size=(60, 3)) * rng.choice(
        [0.3, 1.0, 3.0, 9.0], (60, 1)
    )
    posed = limb.reach(pose, target, pole=rng.normal(size=3))
    positions, _ = after(limb, posed)
    missed = norm(positions[:, limb.end] - target)
    far = norm(target - before[:, limb.start])
    hinge = [on_circle(limb, pose, d) for d in np.arange(0.0, 360.0, 0.5)]
    best = np.min(np.abs(np.stack(hinge) - far), axis=0)
    assert np.all(missed <= best + 1e-9)
    assert np.all((missed < 1e-9) == (posed.status == Status.REACHED))
    assert {0, 1, 2} <= set(posed.status.tolist())
    np.testing.assert_allclose(bones(limb, positions), bones(limb, before), rtol=1e-12)


def on_circle(limb, pose, degrees):
    """Return how far the end is from the root once the hinge is turned, by matrices alone."""
    rotations = np.array(pose.rotations)
    turn = matrix_of(rotations[:, limb.mid]) @ matrix_of(about(limb.mid_axis, degrees))
    before, turned = places(limb.skeleton, pose)
    above = turned[:, limb.skeleton.parents[limb.mid]]
    arm = before[:, limb.end] - before[:, limb.mid]
    arm = np.einsum("fij,fj->fi", above @ turn @ np.swapaxes(turned[:, limb.mid], -1, -2), arm)
    return norm(before[:, limb.mid] + arm - before[:, limb.start])


# --- the end's rotation, weights -------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_keeps_its_rotation_takes_one_or_rides_along(seed):
    limb, pose, target, rng = a_limb(seed)
    turned = places(limb.skeleton, pose)[1]
    wanted = turns(rng, (50,))
    for options, matrix in (
        ({}, turned[:, limb.end]),
        ({"end_rotation": "world"}, turned[:, limb.end]),
        ({"end_rotation": wanted}, matrix_of(wanted)),
        ({"end_rotation": -3.0 * wanted}, matrix_of(wanted)),
    ):
        now = after(limb, limb.reach(pose, target, **options))[1]
        np.testing.assert_allclose(now[:, limb.end], matrix, atol=1e-12)
    riding = limb.reach(pose, target, end_rotation="local").pose.rotations
    np.testing.assert_array_equal(riding[:, limb.end], pose.rotations[:, limb.end])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weighted_end_is_on_the_straight_way_to_the_target(seed):
    limb, pose, _, rng = a_limb(seed)
    before, _ = places(limb.skeleton, pose)
    # Near by, so that the way lies in the ring.
    target = before[:, limb.end] + 0.02 * rng.normal(size=(50, 3))
    for weight in (0.0, 0.25, np.float64(0.5), rng.uniform(0.0, 1.0, 50), 1.0):
        posed = limb.reach(pose, target, position_weight=weight)
        share = np.broadcast_to(weight, 50)[:, None]
        wanted = before[:, limb.end] + share * (target - before[:, limb.end])
        there = posed.status == Status.REACHED
        assert there.sum() > 40
        found = after(limb, posed)[0][:, limb.end]
        np.testing.assert_allclose(found[there], wanted[there], atol=1e-12)


@pytest.mark.parametrize("weights", [0.0, -1.0, np.zeros(50), -0.0], ids=str)
@pytest.mark.parametrize("unreachable", ["clamp", "stretch", Soft(0.1) | Stretch(1.2)], ids=str)
def test_with_weights_of_0_not_a_bit_changes(weights, unreachable):
    limb, pose, target, rng = a_limb(1, twist={})
    pose = LocalPose(pose.rotations, rng.normal(size=(50, len(limb.skeleton.parents), 3)))
    names = ("position_weight", "rotation_weight", "pole_weight")
    posed = limb.reach(
        pose,
        target * 9.0,
        pole=[1.0, 2.0, 3.0],
        end_rotation=turns(rng),
        unreachable=unreachable,
        **dict.fromkeys(names, weights),
    )
    np.testing.assert_array_equal(posed.pose.rotations, pose.rotations)
    np.testing.assert_array_equal(posed.pose.translations, pose.translations)


def test_weights_are_clamped():
    limb, pose, target, rng = a_limb(2)
    wanted = turns(rng)
    names = ("position_weight", "rotation_weight", "pole_weight")
    for name in names:
        for beyond, edge in ((3.0, 1.0), (-2.0, 0.0)):
            found, asked = (
                limb.reach(pose, target, pole=[1, 2, 3], end_rotation=wanted, **{name: weight})
                for weight in (beyond, edge)
            )
            np.testing.assert_array_equal(found.pose.rotations, asked.pose.rotations)


def test_a_weighted_rotation_is_on_the_way_from_riding_along():
    limb, pose, target, rng = a_limb(3)
    wanted = turns(rng)
    riding, full = (
        after(limb, limb.reach(pose, target, end_rotation=kind))[1][:, limb.end]
        for kind in ("local", wanted)
    )
    for weight in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        now = after(limb, limb.reach(pose, target, end_rotation=wanted, rotation_weight=weight))[1]
        now = now[:, limb.end]
        # It is between them: the turns to both add up to the turn from one to the other, the
        # shorter or the longer way round.
        to, on, whole = (
            turn_between(*pair) for pair in ((riding, now), (now, full), (riding, full))
        )
        shorter = np.abs(to + on - whole) < 1e-6
        longer = np.abs(to + on + whole - 2.0 * np.pi) < 1e-6
        folded = np.abs(np.abs(to - on) - whole) < 1e-6  # one part is longer than a half turn
        assert np.all(shorter | longer | folded)
    np.testing.assert_allclose(now, full, atol=1e-12)


# --- which way it bends ----------------------------------------------------------------------


def test_the_axis_comes_from_a_bent_rest_pose():
    rng = np.random.default_rng(5)
    for _ in range(20):
        skeleton, joints = random_skeleton(rng)
        axis = twobone.Limb(skeleton, *joints).mid_axis
        root, knee, end = (skeleton.rest.positions[j] for j in joints)
        world = matrix_of(skeleton.rest.rotations[joints[1]]) @ axis
        np.testing.assert_allclose([world @ (knee - root), world @ (end - knee)], 0.0, atol=1e-13)
        assert norm(axis) == pytest.approx(1.0, abs=1e-15)
        # A positive turn opens: the end goes away from the root.
        limb = twobone.Limb(skeleton, *joints)
        further = on_circle(limb, LocalPose(skeleton.rotations[None]), 1.0)
        assert further > norm(end - root)


def test_the_axis_of_a_straight_limb_comes_from_where_it_shall_bend():
    straight = chain([0, 0, 0], [0, -0.5, 0], [0, -0.45, 0])
    for towards in ([0, 0, 1], [0, 7, 1e3], [1, 0, 0], [-0.3, 0.2, -0.9]):
        limb = twobone.Limb(straight, 0, 1, 2, bend_towards=towards)
        posed = limb.reach(LocalPose(straight.rotations), [0.0, -0.8, 0.0])
        knee = after(limb, posed)[0][1]
        wanted = unit(np.array(towards) * [1.0, 0.0, 1.0])
        np.testing.assert_allclose(unit(knee * [1, 0, 1]), wanted, atol=1e-12)
        again = twobone.Limb(straight, 0, 1, 2, mid_axis=limb.mid_axis)
        np.testing.assert_allclose(again.mid_axis, limb.mid_axis, atol=1e-15)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_what_is_straight_does_not_depend_on_the_size(size):
    straight = chain([0, 0, 0], [0, -0.5 * size, 0], [0, -0.45 * size, 0])
    with pytest.raises(twobone.PoseError, match=r"`mid_axis` or `bend_towards`.* got neither"):
        twobone.Limb(straight, 0, 1, 2)
    with pytest.raises(twobone.PoseError, match=r"`bend_towards` .* got \[0.0, 1.0, 0.0\]"):
        twobone.Limb(straight, 0, 1, 2, bend_towards=[0.0, 1.0, 0.0])
    for towards in (1e-9, 1.0, 1e9, -1.0):
        limb = twobone.Limb(straight, 0, 1, 2, bend_towards=[0.0, 0.0, towards])
        np.testing.assert_allclose(
            limb.mid_axis, [1, 0, 0] if towards < 0.0 else [-1, 0, 0], atol=1e-15
        )
    bent = chain([0, 0, 0], [0, -0.5 * size, 0.01 * size], [0, -0.45 * size, 0])
    np.testing.assert_allclose(twobone.Limb(bent, 0, 1, 2).mid_axis, [-1, 0, 0], atol=1e-15)


def test_rounding_in_a_file_does_not_say_how_a_limb_bends():
    """A straight leg, its offsets written with two digits: bent by 1e-4, in any direction."""
    along = unit([0.3, -1.0, 0.02])
    rounded = chain([0, 0, 0], np.round(45.0 * along, 2), np.round(41.0 * along, 2))
    with pytest.raises(twobone.PoseError, match="got neither"):
        twobone.Limb(rounded, 0, 1, 2)


# --- limits ----------------------------------------------------------------------------------

LIMITS = [(0, 180), (30, 150), (0, 90), (90, 180), (60, 60), (179, 180), (0, 5)]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_limits_are_kept_and_the_end_comes_as_near_as_a_search_finds(seed, limits):
    limb, pose, _, rng = a_limb(seed, limits=limits)
    before, _ = places(limb.skeleton, pose)
    root = before[:, limb.start]
    r1, r2 = bones(limb, before)
    target = (
        root + unit(rng.normal(size=(50, 3))) * (rng.uniform(0.01, 1.4, 50) * (r1 + r2))[:, None]
    )
    posed = limb.reach(pose, target, pole=rng.normal(size=3))
    positions, _ = after(limb, posed)
    degrees = opening(limb, positions)
    assert np.all((degrees > limits[0] - 1e-5) & (degrees < limits[1] + 1e-5))
    # The search: all openings between the limits, by the law of cosines.
    allowed = np.radians(np.linspace(*limits, 3601))[:, None]
    reached = np.sqrt(r1**2 + r2**2 - 2.0 * r1 * r2 * np.cos(allowed))
    far = norm(target - root)
    missed = norm(positions[:, limb.end] - target)
    assert np.all(missed <= np.min(np.abs(reached - far), axis=0) + 1e-9)
    np.testing.assert_array_equal(posed.status == Status.TOO_FAR, far > reached.max(0) + 1e-9)
    np.testing.assert_array_equal(posed.status == Status.TOO_NEAR, far < reached.min(0) - 1e-9)
    np.testing.assert_array_equal(posed.status == Status.REACHED, missed < 1e-9)


def test_limits_go_with_policies():
    limb, pose, _, _ = a_limb(0, limits=(20, 120))
    before, _ = places(limb.skeleton, pose)
    root = before[:, limb.start]
    r1, r2 = bones(limb, before)
    outer = np.sqrt(r1**2 + r2**2 + r1 * r2)  # 120 degrees
    target = root + [1.0, 0.0, 0.0] * (1.1 * outer)[:, None]
    nan = limb.reach(pose, target, unreachable="nan")
    assert np.all(nan.status == Status.TOO_FAR)
    assert np.all(np.isnan(nan.pose.rotations[:, [limb.start, limb.mid, limb.end]]))
    assert np.all(np.isfinite(nan.pose.rotations[:, :2]))
    near = limb.reach(pose, root + 1e-3 * r1[:, None], unreachable="nan")
    assert np.all(near.status == Status.TOO_NEAR)
    assert np.all(np.isnan(near.pose.rotations[:, [limb.start, limb.mid, limb.end]]))
    with pytest.raises(twobone.UnreachableError, match="50 of 50 targets"):
        limb.reach(pose, target, unreachable="raise")
    stretched = limb.reach(pose, target, unreachable="stretch")
    positions, _ = after(limb, stretched)
    np.testing.assert_allclose(positions[:, limb.end], target, atol=1e-12)
    np.testing.assert_allclose(opening(limb, positions), 120.0, atol=1e-5)
    soft = after(limb, limb.reach(pose, target, unreachable=Soft(0.2)))[0]
    assert np.all(norm(soft[:, limb.end] - root) < outer)


# --- policies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("between", [0, 2])
@pytest.mark.parametrize("policy", ["stretch", Stretch(9.0), Soft(0.1) | Stretch(9.0)], ids=str)
def test_stretching_moves_the_joints_of_the_limb_and_meets_the_target(policy, between):
    limb, pose, _, rng = a_limb(7, between)
    before, _ = places(limb.skeleton, pose)
    root, lengths = before[:, limb.start], bones(limb, before)
    target = root + unit(rng.normal(size=(50, 3))) * (1.3 * sum(lengths))[:, None]
    posed = limb.reach(pose, target, unreachable=policy)
    positions, _ = after(limb, posed)
    np.testing.assert_allclose(positions[:, limb.end], target, atol=1e-12)
    assert np.all(posed.status == Status.TOO_FAR)
    factors = np.divide(bones(limb, positions), lengths)
    assert np.all(factors > 1.05)
    if policy != "stretch":
        np.testing.assert_allclose(*factors, atol=1e-12)
    moved = [*between_of(limb.skeleton, limb), limb.end]
    others = [j for j in range(len(limb.skeleton.parents)) if j not in moved]
    np.testing.assert_array_equal(
        posed.pose.translations[:, others],
        np.broadcast_to(limb.skeleton.offsets[others], (50, len(others), 3)),
    )


def test_stretching_has_a_limit_and_leaves_near_targets_alone():
    pose = LocalPose(LEG.rotations)
    limb = twobone.Limb(LEG, "hip", "knee", "foot")
    posed = limb.reach(pose, [0.0, -2.0, 0.0], unreachable=Stretch(1.2))
    first, second = bones(limb, after(limb, posed)[0])
    plain = bones(limb, LEG.rest.positions)
    np.testing.assert_allclose([first, second], 1.2 * np.array(plain), rtol=1e-12)
    near = limb.reach(pose, [0.0, 0.3, 0.1], unreachable="stretch")
    np.testing.assert_allclose(near.pose.translations, LEG.offsets, atol=1e-15)
    assert near.status == Status.REACHED


def test_policies_of_ones_own_have_their_say():
    @dataclass  # has no hash
    class Half(twobone.Policy):
        share: float = 0.5

        def place(self, xp, distance, inner, outer):
            return self.share * distance

    limb = twobone.Limb(LEG, "hip", "knee", "foot", limits=(20, 175))
    target = np.array([0.0, 0.2, 0.2])
    posed = limb.reach(LocalPose(LEG.rotations), target, unreachable=Half())
    root = LEG.rest.positions[0]
    np.testing.assert_allclose(after(limb, posed)[0][2], root + 0.5 * (target - root), atol=1e-14)
    assert posed.pose.translations is None


def test_unreachable_targets_leave_a_straight_or_folded_limb():
    limb, pose, _, rng = a_limb(4)
    before, _ = places(limb.skeleton, pose)
    way = unit(rng.normal(size=(50, 3)))
    r1, r2 = bones(limb, before)
    for far, status, degrees in ((3.0, Status.TOO_FAR, 180.0), (0.2, Status.TOO_NEAR, 0.0)):
        gap = np.where(far > 1, r1 + r2, np.abs(r1 - r2))
        posed = limb.reach(pose, before[:, limb.start] + (far * gap)[:, None] * way)
        positions, _ = after(limb, posed)
        assert np.all(posed.status == status)
        np.testing.assert_allclose(opening(limb, positions), degrees, atol=1e-5)
        end = positions[:, limb.end] - before[:, limb.start]
        np.testing.assert_allclose(end, gap[:, None] * way, atol=1e-7)
