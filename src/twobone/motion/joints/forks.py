"""Joints where bones fork, such as hips and chest: their mean shape, and its rotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.rotations import matrix_to_quaternion

Floats = NDArray[np.float64]

ROUNDS = 4
NOISE = 1e-5 / 0.4**2  # variance, of the squared longest bone, that no child goes below
HINT = 1e-9  # weight of the hint, of the squares of all bones


def mean_shape(bones: Floats, longest: float) -> tuple[Floats, Floats]:
    """Return the mean shape (C, 3) of bones (T, C, 3), as rotated in the first frame, and weights.

    Procrustes analysis. Children that move together have large weights (C), so that they decide:
    hips and not the spine, which bends. Shapes come out with the mean lengths of aligned bones.
    """
    shape, weights = bones[0], np.ones(bones.shape[1])
    for _ in range(ROUNDS):
        turned = bones @ rotations(shape, bones, weights)  # by their inverses: rows of vectors
        shape = turned.mean(0)
        variance = ((turned - shape) ** 2).sum(-1).mean(0)
        weights = 1.0 / (variance + NOISE * longest * longest)
        weights /= weights.sum()
    return shape, weights


def rotations(shape: Floats, bones: Floats, weights: Floats, hint: Floats | None = None) -> Floats:
    """Return the rotation matrices (T, 3, 3) that bring a shape (C, 3) nearest to bones (T, C, 3).

    Where the bones leave a rotation open, since they are on one line, it is the one nearest to the
    hint (T, 3, 3), by default the identity. Source: Kabsch, "A solution for the best rotation to
    relate two sets of vectors", 1976.
    """
    covariance = np.swapaxes(bones, 1, 2) @ (weights[:, None] * shape)
    size = np.sqrt((covariance * covariance).sum((1, 2), keepdims=True))
    least = HINT * size + (size == 0.0)
    covariance = covariance + least * (np.eye(3) if hint is None else hint)
    u, _, v = np.linalg.svd(covariance)
    found = u @ v
    mirrored = np.linalg.det(found) < 0.0
    if mirrored.any():
        u[mirrored, :, 2] *= -1.0
        found[mirrored] = u[mirrored] @ v[mirrored]
    return found


def aligned(shape: Floats, target: Floats) -> Floats:
    """Return a shape (C, 3), rotated to be as near to another as it can."""
    return shape @ rotations(shape, target[None], np.ones(len(shape)))[0].T


def quaternions(matrices: Floats) -> Floats:
    """Return rotation matrices (T, 3, 3) as quaternions (4, T)."""
    return np.ascontiguousarray(matrix_to_quaternion(matrices).T)
