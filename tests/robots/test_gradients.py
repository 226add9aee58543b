"""Derivatives by rotations, of every class of limbs, against finite differences."""

import math

import numpy as np
import pytest

from robot_files import POSE_LIMBS, SEVEN
from slow import nightly, slow
from twobone import robots, rotations

STEP = 1e-5
CLASSES = {
    name: files[name]
    for files, names in (
        (POSE_LIMBS, ["humanoid leg", "other ankle", "crossed arm", "late arm", "parallel arm"]),
        (POSE_LIMBS, ["rounded leg"]),
        (SEVEN, ["iiwa", "panda", "offset shoulder"]),
    )
    for name in names
}


def regular_poses(limb, count):
    """Return poses within limits that are not near singular ones."""
    rng, found = np.random.default_rng(41), []
    while len(found) < count:
        angles = rng.uniform(*limb.limits.clip(-1.5, 1.5).T)
        if np.linalg.cond(limb.jacobian(angles)) < 30.0:
            found.append(angles)
    return np.array(found)


def differences(solve, rotation):
    """Return the derivative of angles by each component of rotations, by central differences."""
    flat = rotation.reshape(len(rotation), -1)
    found = []
    for i in range(flat.shape[1]):
        more, less = flat.copy(), flat.copy()
        more[:, i] += STEP
        less[:, i] -= STEP
        up, down = (solve(part.reshape(rotation.shape)) for part in (more, less))
        found.append((up - down) / (2.0 * STEP))
    return np.stack(found, -1)


def by_torch(solve, rotation):
    import torch

    given = torch.tensor(rotation, requires_grad=True)
    found = [torch.autograd.grad(p.sum(), given, retain_graph=True)[0] for p in solve(given).T]
    return torch.stack(found, 1).numpy()


def by_jax(solve, rotation):
    import jax

    with jax.enable_x64(True):
        angles, pull = jax.vjp(solve, jax.numpy.asarray(rotation))
        rows = jax.numpy.eye(angles.shape[1])[:, None] * jax.numpy.ones((len(rotation), 1))
        return np.asarray(jax.vmap(pull, out_axes=1)(rows)[0])


# XLA compiles each of these for seconds. The formulas are those of PyTorch, which has all classes.
SLOW = [("crossed arm", by_jax)]
NIGHTLY = [(name, by_jax) for name in CLASSES if (name, by_jax) not in SLOW]


@pytest.mark.parametrize(
    ("name", "library"),
    [*((name, by_torch) for name in CLASSES), *slow(*SLOW), *nightly(*NIGHTLY)],
)
def test_derivatives_by_a_rotation_are_those_of_finite_differences(name, library):
    package, said = {by_torch: ("torch", "PyTorch"), by_jax: ("jax", "JAX")}[library]
    pytest.importorskip(package, reason=f"{said} is not installed")
    limb = robots.read_urdf(CLASSES[name]()).limb("tip")
    angles = regular_poses(limb, 6)
    position, quaternion = limb.forward_kinematics(angles)
    more = {"swivel": limb.swivel(angles)} if name in SEVEN else {}

    def solve(rotation):
        return limb.reach(position, rotation, near=angles, **more).angles

    for rotation in (rotations.quaternion_to_matrix(quaternion), quaternion):
        np.testing.assert_allclose(solve(rotation), angles, atol=1e-8)
        wanted = differences(solve, rotation)
        found = library(solve, rotation).reshape(wanted.shape)
        scale = np.abs(wanted).max(axis=(1, 2))[:, None, None]
        assert (scale > 0.1).all()
        assert (np.abs(found - wanted) / scale).max() < 1e-6
    # The length of a quaternion does not matter.
    radial = found @ quaternion[..., None]
    assert np.abs(radial).max() < 1e-9
    assert math.isfinite(radial.sum())
