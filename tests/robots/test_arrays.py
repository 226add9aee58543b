"""Legs and arms for every array library: dtypes, jit, vmap and derivatives."""

import math

import numpy as np
import pytest

import robot_files
from conftest import LIBRARIES_AND_TYPES
from twobone import ArrayTypeError, Status, robots

LEG = robots.read_urdf(robot_files.quadruped()).limb("FR_foot")
ARM = robots.read_urdf(robot_files.desk_arm()).limb("tip")
SKEWED = robots.read_urdf(
    robot_files.quadruped().replace('axis xyz="0 1 0"', 'axis xyz="0 1 0.00001"', 2)
).limb("FL_foot")
ROUNDED = [
    robots.read_urdf(
        make().replace("0 1 0", "5e-12 1 3e-12").replace('axis xyz="0 0 1"', 'axis xyz="3e-12 0 1"')
    ).limb(tip)
    for make, tip in ((robot_files.large_quadruped, "LF_foot"), (robot_files.desk_arm, "tip"))
]
ANGLES = np.random.default_rng(1).uniform(*LEG.limits.T, (50, 3))
HALF = [0.2, -0.3, 1.1, 0.4, 0.6]


@pytest.mark.parametrize(("xp", "dtype"), LIBRARIES_AND_TYPES, indirect=["xp"])
def test_every_library_answers_as_numpy_does(xp, dtype):
    target = LEG.forward_kinematics(ANGLES)
    target[3], target[4], target[5] = np.nan, 3.0, [0.2, -0.05, 0.01]
    rounding = 1e-11 if dtype == "float64" else 1e-3
    wanted = LEG.solve_all(target)
    found = xp.compiled(LEG.solve_all)(xp(target, dtype))
    assert type(found.angles) is type(xp(target, dtype))
    assert xp.back(found.angles).dtype == dtype
    assert xp.back(found.status).dtype == np.int8
    assert xp.back(found.within).dtype == bool
    keep = np.arange(50) > 5
    np.testing.assert_allclose(
        xp.back(found.angles)[keep], wanted.angles[keep], rtol=0, atol=rounding
    )
    np.testing.assert_array_equal(xp.back(found.status), wanted.status)
    near = LEG.rest + 0.1
    best = LEG.reach(target, near=near)
    again = xp.compiled(lambda p, q: LEG.reach(p, near=q))(xp(target, dtype), xp(near, dtype))
    np.testing.assert_allclose(xp.back(again.end)[keep], best.end[keep], atol=rounding / 1e3)
    np.testing.assert_array_equal(xp.back(again.status), best.status)
    if dtype == "float32":
        ends = LEG.forward_kinematics(xp.back(again.angles)[keep].astype(np.float64))
        assert np.linalg.norm(ends - target[keep], axis=-1).max() < 3e-7


def test_arms_kinematics_and_clipping_for_every_library(xp):
    target = ARM.forward_kinematics(HALF)
    pitch = float(ARM.pitch(HALF))
    wanted = ARM.reach(target, pitch=pitch, roll=0.6, limits="clamp")
    solve = xp.compiled(lambda p: ARM.reach(p, pitch=pitch, roll=0.6, limits="clamp"))
    found = solve(xp(target))
    np.testing.assert_allclose(xp.back(found.angles), wanted.angles, atol=1e-12)
    assert xp.back(found.status).tolist() == wanted.status
    matrix = xp.compiled(ARM.jacobian)(xp(HALF))
    np.testing.assert_allclose(xp.back(matrix), ARM.jacobian(HALF), atol=1e-15)
    np.testing.assert_allclose(
        xp.back(ARM.forward_kinematics(xp([HALF] * 2))), [target] * 2, atol=1e-15
    )
    assert xp.back(ARM.pitch(xp(HALF))) == pytest.approx(pitch)


def test_axes_that_are_not_square_for_every_library(xp):
    target = SKEWED.forward_kinematics(ANGLES)
    found = xp.compiled(SKEWED.reach)(xp(target))
    reached = xp.back(found.status) == Status.REACHED
    assert reached.mean() > 0.95
    missed = np.linalg.norm(xp.back(found.end) - target, axis=-1)
    assert missed[reached].max() < 1e-9


@pytest.mark.parametrize("near", [None, [7.0, math.nan, -9.0]])
def test_joints_without_limits_for_every_library(xp, near):
    text = robot_files.quadruped().replace('"revolute"', '"continuous"')
    limb = robots.read_urdf(text).limb("FR_foot")
    target = LEG.forward_kinematics(ANGLES)
    wanted = limb.reach(target, near=near)
    given = {} if near is None else {"near": xp(near)}
    found = xp.compiled(lambda p: limb.reach(p, **given))(xp(target))
    np.testing.assert_allclose(xp.back(found.angles), wanted.angles, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(xp.back(found.status), wanted.status)


# --- derivatives --------------------------------------------------------------------------


def slopes(library, limb, target, **options):
    """Return the derivative of the angles of every branch: shape (4, n, 3)."""
    if library == "jax":
        jax = pytest.importorskip("jax", reason="jax is not installed")
        jax.config.update("jax_enable_x64", True)
        function = jax.jacobian(lambda p: limb.solve_all(p, **options).angles)
        return np.asarray(jax.vmap(function)(jax.numpy.asarray(target)))
    torch = pytest.importorskip("torch", reason="torch is not installed")
    rows = [
        torch.autograd.functional.jacobian(
            lambda p: limb.solve_all(p, **options).angles, torch.tensor(row)
        )
        for row in target
    ]
    return torch.stack(rows).numpy()


@pytest.mark.parametrize("leg", [LEG, SKEWED], ids=["square", "skewed"])
@pytest.mark.parametrize("library", ["jax", "torch"])
def test_the_jacobian_times_the_derivative_of_the_angles_is_one(library, leg):
    count = 400 if library == "jax" else 8
    angles = np.random.default_rng(2).uniform(*leg.limits.T, (count, 3))
    target = leg.forward_kinematics(angles)
    slope = slopes(library, leg, target)
    matrix = leg.jacobian(leg.solve_all(target).angles)
    off = np.abs(matrix @ slope - np.eye(3)).max((-1, -2))
    assert np.quantile(off, 0.99) < 1e-12


@pytest.mark.parametrize("library", ["jax", "torch"])
def test_a_leg_of_two_joints_has_derivatives_in_its_plane(library):
    limb = robots.read_urdf(robot_files.planar().replace("-3 -4 0", "-3 -4 1e-10")).limb("foot")
    assert len(limb.joint_names) == 2
    assert limb.skew > 0.0
    angles = np.random.default_rng(3).uniform(0.3, 1.3, (8, 2))
    target = limb.forward_kinematics(angles)
    matrix = limb.jacobian(limb.solve_all(target).angles)
    found = slopes(library, limb, target) @ matrix
    assert np.abs(found - np.eye(2)).max() < 1e-6


@pytest.mark.parametrize(
    ("limb", "bound"), [(ROUNDED[0], 1e-12), (ROUNDED[1], 3e-12)], ids=["leg", "arm"]
)
def test_axes_rounded_to_12_digits_cost_no_digits_of_a_derivative(limb, bound):
    """Published files write quarter turns so; derivatives were off by 2e-10 then.

    What is left is rounding: where the slope is large, going backward sums terms of its square.
    """
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert 1e-12 < limb.skew < 1e-11
    angles = np.random.default_rng(2).uniform(*limb.limits.clip(-3, 3).T, (200, len(limb.limits)))
    tool = {} if limb is ROUNDED[0] else {"pitch": limb.pitch(angles), "roll": angles[:, -1]}
    target = torch.tensor(limb.forward_kinematics(angles), requires_grad=True)
    found = limb.solve_all(target, **{name: torch.tensor(v) for name, v in tool.items()})
    parts = found.angles.sum(0).flatten()
    slope = [torch.autograd.grad(part, target, retain_graph=True)[0] for part in parts]
    slope = torch.stack(slope, 1).reshape(200, 4, -1, 3).numpy()
    matrix = limb.jacobian(found.angles.detach().numpy())
    off = np.abs(matrix @ slope - np.eye(3)).max((-1, -2))
    reached = found.status.numpy() == Status.REACHED
    assert reached.mean() > 0.4
    assert np.quantile(off[reached], 0.99) < bound
    assert np.isfinite(slope).all()


def test_an_arm_keeps_its_pitch_in_its_derivative():
    pitch = float(ARM.pitch(HALF))
    target = ARM.forward_kinematics(HALF)
    slope = slopes("jax", ARM, target[None], pitch=pitch, roll=0.6)[0]
    matrix = ARM.jacobian(ARM.solve_all(target, pitch=pitch, roll=0.6).angles)
    np.testing.assert_allclose(matrix[:2] @ slope[:2], [np.eye(3)] * 2, atol=1e-11)
    np.testing.assert_allclose(slope[:, 1:4].sum(1), 0.0, atol=1e-11)


def test_derivatives_of_special_targets_are_finite():
    special = [
        [0.1934, -0.0465, 0.0],  # on the first axis
        [0.1934, -0.142, -0.426],  # straight
        [0.1934, -0.142, -0.9],  # too far
        [0.1934, -0.142, 0.0],  # at the hip
        [math.inf, 0.0, 0.0],
    ]
    slope = slopes("jax", LEG, np.array(special))
    assert np.all(np.isfinite(slope[:4]))


def test_a_lazy_array_is_refused():
    dask = pytest.importorskip("dask.array", reason="dask is not installed")
    with pytest.raises(ArrayTypeError, match="`target` must be an array of NumPy, PyTorch or JAX"):
        LEG.solve(dask.zeros((4, 3)))
