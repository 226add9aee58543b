"""Limbs of skeletons and of matrices: parameters of policies may differ from pose to pose."""

import numpy as np
import pytest

import twobone
from twobone import Limb, Limits, LocalPose, PoseError, ShapeError, Skeleton, Soft, Status, Stretch

ROWS = 24
LEG = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
POSE = LocalPose(LEG.rotations)
POLE, AXIS = [0.3, 0.2, 1.0], [0.0, 0.0, 1.0]
MAKES = {
    "soft": lambda s, k, a, b: Soft(s),
    "stretch": lambda s, k, a, b: Stretch(k),
    "chain": lambda s, k, a, b: Limits(a, b) | Soft(s) | Stretch(k),
}


def rows():
    """Return targets and parameters, of which rows 2 and 3 are out of range."""
    rng = np.random.default_rng(0)
    numbers = [rng.uniform(*span, ROWS) for span in ((0.05, 0.6), (1, 1.4), (0, 60), (90, 180))]
    numbers[0][2], numbers[1][2], numbers[3][3] = 2.0, 0.5, np.nan
    numbers[0][3], numbers[1][3] = np.nan, np.nan
    return rng.normal(size=(ROWS, 3)) * 0.8 + [0.0, 0.5, 0.0], numbers


def joints(size):
    """Return matrices of the joints of an arm that is bent by a right angle."""
    start, mid, end = (np.eye(size + 1) for _ in range(3))
    mid[1, size] = end[1, size] = end[0, size] = 1.0
    return start, mid, end


def compare_rows(call, make):
    """Compare a call for all rows with calls for each, with numbers and with arrays of one."""
    targets, numbers = rows()
    found = call(targets, make(*numbers))
    for i, target in enumerate(targets):
        for each in (call(target[None], make(*(number[i : i + 1] for number in numbers))),):
            for part, one in zip(found, each, strict=True):
                np.testing.assert_array_equal(part[i], one[0])
        if i in (2, 3):
            assert found[-1][i] == Status.INVALID
            assert np.isnan(found[0][i]).all()
            continue
        each = call(target, make(*(float(number[i]) for number in numbers)))
        for part, one in zip(found, each, strict=True):
            np.testing.assert_array_equal(part[i], one)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_each_pose_of_matrices_has_the_bits_of_its_own_numbers(both_engines, make):
    def call(targets, policy):
        options = {"pole": POLE, "mid_axis": AXIS, "unreachable": policy}
        return twobone.correct_limb(*joints(3), 2.0 * targets, **options)

    compare_rows(call, make)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_in_the_plane_too(both_engines, make):
    def call(targets, policy):
        return twobone.correct_limb(
            *joints(2), 2.0 * targets[..., :2], mid_axis=1, unreachable=policy
        )

    compare_rows(call, make)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("limits", [(0, 180), (20, 170)])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_each_pose_of_a_skeleton_has_the_bits_of_its_own_numbers(both_engines, make, limits):
    leg = Limb(LEG, 0, 1, 2, limits=limits)

    def call(targets, policy):
        posed = leg.reach(POSE, targets, pole=POLE, unreachable=policy)
        return posed.pose.rotations[..., 0, :], posed.pose.rotations, posed.status

    compare_rows(call, make)


def test_weights_and_transport_go_with_parameters():
    targets, numbers = rows()
    leg, soft = Limb(LEG, 0, 1, 2), np.where(numbers[0] < 1, numbers[0], 0.1)
    found = leg.reach(POSE, targets, position_weight=0.5, unreachable=Soft(soft))
    one = leg.reach(POSE, targets[4], position_weight=0.5, unreachable=Soft(soft[4]))
    np.testing.assert_array_equal(found.pose.rotations[4], one.pose.rotations)
    found = leg.reach(POSE, targets, bend="transport", unreachable=Soft(soft))
    same = leg.reach(POSE, targets, bend="transport", unreachable=Soft(0.1))
    np.testing.assert_array_equal(found.transported, same.transported)
    assert found.pose.rotations.shape == (ROWS, 3, 4)


def test_what_does_not_fit_is_named():
    targets, _ = rows()
    bad = Soft(np.full(5, 0.1))
    with pytest.raises(ShapeError, match="`softness` must broadcast with the others"):
        Limb(LEG, 0, 1, 2).reach(POSE, targets, unreachable=bad)
    with pytest.raises(ShapeError, match="`softness` must broadcast with the others"):
        twobone.correct_limb(*joints(3), targets, mid_axis=AXIS, unreachable=bad)
    with pytest.raises(PoseError, match="`limits` must be the minimum and maximum joint angle"):
        Limb(LEG, 0, 1, 2, limits=(np.zeros(2), 170))


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_tensors_of_poses_take_parameters_with_derivatives(make):
    torch = pytest.importorskip("torch")
    targets, numbers = rows()
    leg = Limb(LEG, 0, 1, 2)
    pose = LocalPose(torch.tensor(LEG.rotations))
    expected = leg.reach(POSE, targets, pole=POLE, unreachable=make(*numbers))
    leaves = [torch.tensor(number).requires_grad_() for number in numbers]
    given = torch.tensor(targets)
    posed = leg.reach(pose, given, pole=POLE, unreachable=make(*leaves))
    rotations = posed.pose.rotations
    np.testing.assert_allclose(rotations.detach(), expected.pose.rotations, atol=1e-14)
    np.testing.assert_array_equal(posed.status, expected.status)
    corrected = twobone.correct_limb(
        *joints(3), 2.0 * given, pole=POLE, mid_axis=AXIS, unreachable=make(*leaves)
    )
    weights = torch.tensor(np.random.default_rng(1).normal(size=(ROWS, 4)))

    def total(rotation):
        return (torch.nan_to_num(rotation) * weights).sum(-1)

    both = total(rotations[:, 1]) + total(corrected.mid)
    slopes = torch.autograd.grad(both.sum(), leaves, allow_unused=True)
    for place, slope in enumerate(slopes):
        if slope is None:
            continue
        sides = []
        for way in (-1e-6, 1e-6):
            moved = [torch.tensor(n + way * (i == place)) for i, n in enumerate(numbers)]
            rotation = leg.reach(pose, given, pole=POLE, unreachable=make(*moved)).pose.rotations
            other = twobone.correct_limb(
                *joints(3), 2.0 * given, pole=POLE, mid_axis=AXIS, unreachable=make(*moved)
            )
            sides.append(total(rotation[:, 1]) + total(other.mid))
        near = (sides[1] - sides[0]) / 2e-6
        close = (near - slope).abs() <= 1e-5 * (1 + near.abs())
        assert close.sum() >= ROWS - 2  # the others have a kink near by
        assert slope.any()
        assert not slope[2:4].any()


def test_jit_and_compiled_programs_of_poses_take_parameters():
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    targets, numbers = rows()
    targets, soft = targets.astype("f"), numbers[0].astype("f")
    pose = LocalPose(LEG.rotations.astype("f"))
    leg = Limb(LEG, 0, 1, 2)
    expected = leg.reach(pose, targets, unreachable=Soft(soft)).pose.rotations

    @jax.jit
    def reach(policy, targets):
        return leg.reach(LocalPose(pose.rotations), targets, unreachable=policy).pose.rotations

    found = reach(Soft(jax.numpy.asarray(soft)), targets)
    np.testing.assert_allclose(found, expected, atol=2e-6)
    of_tensors = LocalPose(torch.tensor(pose.rotations))

    def reach_tensors(softness, targets):
        return leg.reach(of_tensors, targets, unreachable=Soft(softness)).pose.rotations

    compiled = torch.compile(reach_tensors, fullgraph=True, backend="aot_eager")
    leaf = torch.tensor(soft, requires_grad=True)
    found = compiled(leaf, torch.tensor(targets))
    np.testing.assert_allclose(found.detach(), expected, atol=2e-6)
    (slope,) = torch.autograd.grad(torch.nansum(found), leaf)
    plain = torch.nansum(reach_tensors(leaf, torch.tensor(targets)))
    torch.testing.assert_close(slope, torch.autograd.grad(plain, leaf)[0])
