"""Weights of `Limb.reach`: they blend from the given pose, and nothing jumps as they change."""

import itertools

import numpy as np
import pytest

import twobone
from twobone import LocalPose, Skeleton, Soft, Status
from twobone.rotations import multiply
from weighted_limbs import POLICIES, WEIGHTS, a_case, largest_jumps, unit, used_bounds

OFFSETS = [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]]
LEG = twobone.Limb(Skeleton([-1, 0, 1], OFFSETS), 0, 1, 2)
FORWARD, ASIDE = [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]


def about(axis, degrees):
    half = np.radians(degrees) / 2.0
    return np.array([*(np.sin(half) * np.asarray(axis, float)), np.cos(half)])


def bent(degrees, hip=(0.0, 0.0, 0.0, 1.0)):
    """Return a pose of the leg whose knee is bent by an angle from the rest pose."""
    return LocalPose(np.array([hip, about(-LEG.mid_axis, degrees), [0, 0, 0, 1.0]]))


def in_world(pose, limb=LEG):
    return limb.skeleton.to_global(pose)


@pytest.mark.parametrize("seed", range(4))
def test_no_weight_moves_a_limb_farther_than_its_bound(seed):
    rng = np.random.default_rng(seed)
    assert 0.1 < used_bounds(a_case(rng, 200, hinged=True), rng) < 1.0


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("hinged", [True, False])
def test_nothing_jumps_as_a_weight_grows(name, policy, hinged):
    """Whatever the pose: also if bones are bent the wrong way, or beyond limits or soft zones."""
    for limits in (False, True):
        rng = np.random.default_rng(7)
        case = a_case(rng, 100, hinged=hinged, policy=policy, limits=limits)
        assert largest_jumps(case, name).max() < 1e-4


@pytest.mark.sampled(4)
@pytest.mark.parametrize("weights", list(itertools.product((0.0, 1e-12), repeat=3)))
def test_small_weights_give_nearly_the_given_pose(weights):
    rng = np.random.default_rng(3)
    for policy, hinged in itertools.product(POLICIES, (True, False)):
        case = a_case(rng, 100, hinged=hinged, policy=policy, limits=True)
        posed = case.at(**{name: np.full(100, w) for name, w in zip(WEIGHTS, weights, strict=True)})
        given = in_world(case.pose, case.limb)
        for found, wanted in zip(in_world(posed.pose, case.limb), given, strict=True):
            assert np.max(np.abs(found - wanted)) < 2e-5 * case.length


def test_weights_of_1_are_the_solution_bit_for_bit():
    for seed, bend in enumerate(("rest", "pole", "pole_point")):
        rng = np.random.default_rng(seed)
        case = a_case(rng, 50, hinged=False, bend=bend)
        plain = case.limb.reach(case.pose, case.target, **case.options)
        ones = case.at(**dict.fromkeys(WEIGHTS, np.ones(50)))
        for found, wanted in zip(ones[1:], plain[1:], strict=True):
            np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(ones.pose.rotations, plain.pose.rotations)


def test_an_end_takes_its_rotation_where_the_limb_stays():
    """Its parent is where it was, not where the solution for a weight of 1 would put it."""
    rng = np.random.default_rng(5)
    case = a_case(rng, 500, hinged=False)
    wanted = unit(rng.normal(size=(500, 4)))
    posed = case.limb.reach(
        case.pose, case.target, position_weight=0.0, pole_weight=0.0, end_rotation=wanted
    )
    np.testing.assert_array_equal(posed.pose.rotations[:, 1:3], case.pose.rotations[:, 1:3])
    found = in_world(posed.pose, case.limb).rotations[:, 3]
    np.testing.assert_allclose(np.abs(np.sum(found * wanted, axis=-1)), 1.0, atol=1e-12)


def test_an_end_takes_its_rotation_to_the_last_digits_where_a_straight_limb_stays():
    """It hangs from mid as given: the root of a rounded square would give half the digits."""
    rng = np.random.default_rng(6)
    straight = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0], [0, -0.5, 0]])
    limb = twobone.Limb(straight, 0, 1, 2, bend_towards=FORWARD)
    rotations = unit(rng.normal(size=(500, 3, 4)))
    half = 10.0 ** rng.uniform(-16, -6, 500)
    rotations[:, 1] = np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=-1)
    wanted = unit(rng.normal(size=(500, 4)))
    still = {"position_weight": 0.0, "pole_weight": 0.0, "end_rotation": wanted}
    posed = limb.reach(LocalPose(rotations), [0.3, 0.4, 0.1], pole=ASIDE, **still)
    found = in_world(posed.pose, limb).rotations[:, 2]
    found *= np.sign(np.sum(found * wanted, axis=-1))[:, None]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-15)


def test_small_weights_leave_twist_joints_where_they_are():
    """Also if they are not where their share of the twist would put them."""
    rng = np.random.default_rng(4)
    offsets = [[0, 0, 0], [0.3, 0, 0], [0.14, 0, 0], [0.28, 0, 0]]
    arm = Skeleton([-1, 0, 1, 1], offsets, names=list("ulth"))
    limb = twobone.Limb(arm, "u", "l", "h", bend_towards=[0, 0, -1], twist={"t": 0.5})
    rotations = unit(rng.normal(size=(100, 4, 4)))
    end = {"end_rotation": unit(rng.normal(size=(100, 4)))}
    for name in WEIGHTS:
        small = dict.fromkeys(WEIGHTS, 0.0) | {name: 1e-9}
        posed = limb.reach(LocalPose(rotations), [0.2, 0.3, 0.1], **small, **end)
        same = np.abs(np.sum(posed.pose.rotations * rotations, axis=-1))  # up to the sign
        np.testing.assert_allclose(same, 1.0, rtol=0, atol=1e-12)


def test_twist_joints_and_end_follow_the_returned_rotations():
    arm = Skeleton(
        [-1, 0, 1, 1], [[0, 0, 0], [0.3, 0, 0], [0.14, 0, 0], [0.28, 0, 0]], names=list("ulth")
    )
    limb = twobone.Limb(arm, "u", "l", "h", bend_towards=[0, 0, -1], twist={"t": 0.5})
    rng = np.random.default_rng(2)
    rotations = np.tile(arm.rotations, (200, 1, 1))
    rotations[:, 0] = unit(rng.normal(size=(200, 4)))
    hand = in_world(LocalPose(rotations), limb).rotations[:, 3]
    wanted = multiply(hand, about([1, 0, 0], 80.0))
    posed = limb.reach(
        LocalPose(rotations), [9.0, 0, 0], position_weight=0.0, pole_weight=0.0, end_rotation=wanted
    )
    np.testing.assert_array_equal(posed.pose.rotations[:, :2], rotations[:, :2])
    for joint, degrees in ((2, 40.0), (3, 80.0)):
        turned = np.abs(posed.pose.rotations[:, joint] @ about([1, 0, 0], degrees))
        np.testing.assert_allclose(turned, 1.0, atol=1e-12)


@pytest.mark.parametrize("degrees", [0.0, 40.0, 90.0])
def test_a_pole_of_no_weight_keeps_the_plane_of_the_given_pose(degrees):
    """Also that of a straight limb, which is the rest pose's, rotated with the limb."""
    hip = about([0, 1, 0], 70.0)
    pose = bent(degrees, hip)
    old = in_world(pose).positions
    old_line = unit(old[2] - old[0])
    old_normal = unit(np.cross(old_line, twobone.rotations.rotate(hip, FORWARD)))
    target = np.array([0.3, 0.4, 0.1])
    posed = LEG.reach(pose, target, pole=ASIDE, pole_weight=0.0)
    line = unit(target - old[0])
    normal = np.cross(line, in_world(posed.pose).positions[1] - old[0])
    arc = twobone.rotations.shortest_arc(old_line, line)
    np.testing.assert_allclose(
        unit(normal), twobone.rotations.rotate(arc, old_normal), rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("bend", ["pole", "rest", "transport"])
def test_the_pole_weight_rotates_the_knee_evenly_to_the_plane_of_the_solution(bend):
    pose = bent(60.0, about([0, 1, 0], 100.0))
    target = np.array([[0.0, 0.3, 0.2]])
    pole = [-0.5, 0.0, 1.0]
    weights = np.linspace(0.0, 1.0, 21)
    knees = [
        in_world(LEG.reach(pose, target, bend=bend, pole=pole, pole_weight=weight).pose).positions[
            0, 1
        ]
        for weight in weights
    ]
    line = unit(target[0] - [0.0, 1.0, 0.0])
    radii = np.subtract(knees, [0.0, 1.0, 0.0])
    radii = unit(radii - (radii @ line)[:, None] * line)
    steps = np.degrees(np.arccos(np.minimum(np.sum(radii[1:] * radii[:-1], axis=-1), 1.0)))
    whole = steps.sum()
    assert 60.0 < whole < 180.0
    np.testing.assert_allclose(steps, whole / 20.0, rtol=0.3)
    full = in_world(LEG.reach(pose, target, bend=bend, pole=pole).pose).positions[0, 1]
    np.testing.assert_allclose(knees[-1], full, atol=1e-12)


def test_a_knee_is_bent_the_right_way_by_either_weight():
    pose = bent(-20.0)
    ankle = in_world(pose).positions[2]
    for weights in ({"position_weight": 1.0}, {"pole_weight": 1.0}):
        weights = dict.fromkeys(("position_weight", "pole_weight"), 0.0) | weights
        posed = LEG.reach(pose, ankle, pole=FORWARD, **weights)
        positions = in_world(posed.pose).positions
        np.testing.assert_allclose(positions[2], ankle, atol=1e-12)
        assert positions[1, 2] > 0.01
    still = LEG.reach(pose, ankle, position_weight=0.0, pole_weight=1e-9)
    np.testing.assert_allclose(still.pose.rotations, pose.rotations, atol=1e-7)


def test_a_soft_limb_that_stands_straight_keeps_its_end_where_it_is():
    """The zone of `Soft` would move the end; by the position weight, from 0 on."""
    pose = bent(4.0)
    ankle = in_world(pose).positions[2]
    for weight, most in ((0.0, 1e-12), (1e-6, 1e-6), (0.5, 0.03)):
        posed = LEG.reach(
            pose, [0.0, -0.5, 0.0], position_weight=weight, unreachable=Soft(0.05), pole=FORWARD
        )
        assert np.linalg.norm(in_world(posed.pose).positions[2] - ankle) <= most
    whole = LEG.reach(pose, [0.0, -0.5, 0.0], unreachable=Soft(0.05), pole=FORWARD)
    assert whole.status == Status.TOO_FAR


def test_the_end_takes_the_same_way_round_for_all_weights():
    """So the way from riding along to the wanted rotation may be the longer one."""
    rng = np.random.default_rng(8)
    case = a_case(rng, 100, hinged=True, bend="rest")
    wanted = unit(rng.normal(size=(100, 4)))
    case = case._replace(options={"end_rotation": wanted, "unreachable": "clamp"})
    weights = np.linspace(0.0, 1.0, 201)[:, None]
    rows = np.broadcast_to(np.arange(100), (201, 100))
    share = np.broadcast_to(weights, (201, 100))
    whole = {name: np.ones((201, 100)) for name in WEIGHTS} | {"rotation_weight": share}
    posed = case.at(rows, **whole)
    found = in_world(posed.pose, case.limb).rotations[..., 3, :]
    cos = np.minimum(np.abs(np.sum(found[1:] * found[:-1], axis=-1)), 1.0)
    total = np.degrees(2.0 * np.arccos(cos)).sum(axis=0)
    direct = np.degrees(
        2.0 * np.arccos(np.minimum(np.abs(np.sum(found[0] * found[-1], axis=-1)), 1.0))
    )
    missed = np.minimum(np.abs(total - direct), np.abs(360.0 - direct - total))
    np.testing.assert_allclose(missed, 0.0, atol=0.1)


def test_opposite_quaternions_of_one_rotation_do_not_make_a_row_invalid():
    """The end that rides along and the end that is wanted: the same rotation by 190 degrees."""
    limb = twobone.Limb(
        Skeleton([-1, 0, 1], [[0, 0, 0], [0, -0.5, 0], [0, -0.5, 0]]), 0, 1, 2, bend_towards=FORWARD
    )
    pose, target = (
        LocalPose(limb.skeleton.rotations),
        [0.0, 0.32139380484326974, -0.38302222155948895],
    )
    riding = in_world(limb.reach(pose, target, end_rotation="local").pose, limb).rotations[2]
    posed = limb.reach(pose, target, end_rotation=riding, rotation_weight=[0.499, 0.5, 0.501])
    assert posed.status.tolist() == [Status.REACHED] * 3


def test_a_bone_of_length_0_does_not_rotate_its_joint():
    """Rounding errors of a triangle without a corner would do it."""
    skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.1], [0, 0, 0]])
    limb = twobone.Limb(skeleton, 0, 1, 2, mid_axis=[1.0, 0, 0])
    pose = LocalPose(
        unit(np.array([[0.21, 0.51, 0.2, -0.81], [0.71, 0.35, -0.42, 0.45], [0, 0, 0, 1]]))
    )
    weights = np.linspace(0.0, 1.0, 2001)
    posed = limb.reach(pose, [-0.74, -0.16, -0.48], end_rotation="local", position_weight=weights)
    np.testing.assert_allclose(
        posed.pose.rotations[:, 1], posed.pose.rotations[:1, 1] * np.ones((2001, 1)), atol=1e-12
    )


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_of_0_have_the_derivatives_of_weights_beside_them(name):
    """An optimiser that starts at the given pose must be able to leave it."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    pose = LocalPose(torch.tensor(bent(40.0, about([0, 1, 0], 20.0)).rotations))
    target = torch.tensor([0.1, 0.3, 0.2], dtype=torch.float64)
    wanted = torch.tensor(about([0, 0, 1], 50.0))

    def reach(value):
        weights = dict.fromkeys(WEIGHTS, torch.tensor(0.0, dtype=torch.float64)) | {name: value}
        found = LEG.reach(pose, target, pole=[0.5, 0.0, 1.0], end_rotation=wanted, **weights)
        return found.pose.rotations

    at, beside = (
        torch.autograd.functional.jacobian(reach, torch.tensor(v, dtype=torch.float64))
        for v in (0.0, 1e-9)
    )
    torch.testing.assert_close(at, beside, atol=1e-6, rtol=1e-6)
    assert float(beside.abs().max()) > 0.01
