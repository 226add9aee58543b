"""Position and orientation of a body from its heading and the plane it follows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.core.elementary import cis
from twobone.creature.footing import dot, from_above, rotated, times_axes

UPRIGHT = np.eye(3)  # axes of an upright body: left, forward, up, as x, z, y


def axes_of(plane, turned):
    """Return the axes of bodies as rows: left, forward, and up along the normal of the plane.

    They are the world's axes rotated first along the shortest arc from upright to the normal, then
    by the heading; `turned` is its complex factor (see `footing.facing`).
    """
    up = plane.copy()
    up[:, 2] = 1.0
    up /= np.sqrt(dot(up, up))[:, None]
    both = up + UPRIGHT[2]
    axes = UPRIGHT - both[:, :, None] * (both / both[:, 2:])[:, None]
    axes[:, 2] = up
    places = from_above(axes)
    places[...] = rotated(places, turned[:, None])
    return axes


def rotation_of(plane, heading):
    """Return the rotation of these axes as quaternions xyzw with w >= 0."""
    leans, half = from_above(plane), cis(-0.5 * heading)
    upright = 1.0 + np.sqrt(1.0 + (leans.real * leans.real + leans.imag * leans.imag))
    aside = rotated(-1j * leans, half)  # the horizontal axis of the rotation from upright
    rotation = np.stack([aside.real, -upright * half.imag, aside.imag, upright * half.real], -1)
    size = np.sqrt(dot(rotation, rotation) + rotation[:, 3] * rotation[:, 3])
    return rotation / np.copysign(size, rotation[:, 3])[:, None]


def _products():
    """Return the signs, (16, 4), with which products of components make up `inverse(q) r`.

    A row belongs to a component of q and one of r, in the order xyzw, and a column to one of the
    result.
    """
    signs = np.zeros((4, 4, 4))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        signs[3, i, i] = signs[k, j, i] = signs[i, i, 3] = 1.0
        signs[i, 3, i] = signs[j, k, i] = -1.0
    signs[3, 3, 3] = 1.0
    return signs.reshape(16, 4)


PRODUCTS = _products()


def rotation_between(first, second):
    """Return `inverse(first) second`, the rotations from one to another; quaternions xyzw (N, 4).

    Poses are read often and NumPy's call overhead dominates, so all products are added at once, in
    order.
    """
    products = (first[:, :, None] * second[:, None]).reshape(-1, 16, 1)
    return np.add.reduce(products * PRODUCTS, 1)


class Pose(NamedTuple):
    """Position and orientation of N bodies; points are x, z, y."""

    body: NDArray[np.float64]  # (N, 3): the middle
    axes: NDArray[np.float64]  # (N, 3, 3), see `axes_of`
    hips: NDArray[np.float64]  # (N, L, 3)
    poles: NDArray[np.float64]  # (N, L, 3), pole vectors of the legs
    bend: NDArray[np.float64]  # (N, 2), of the trunk, see `anatomy.Spine`

    def raised(self, by) -> Pose:
        """Return the pose raised by heights of shape (N)."""
        body, hips = self.body.copy(), self.hips.copy()
        body[:, 2] += by
        hips[..., 2] += by[:, None]
        return Pose(body, self.axes, hips, self.poles, self.bend)


def pose_over(anatomy, height, at, turned, plane, bend, poles) -> Pose:
    """Return the pose of bodies at a height over a plane.

    `at` are places, `turned` rotations by headings, `bend` is that of `state.Suspension` and
    `poles` those of `state.Feet`.
    """
    hips = anatomy.hips
    if engine.KERNEL is not None:
        trunk = anatomy.spine and anatomy.spine.hips
        given = Pose, plane, at, turned, height
        return engine.KERNEL.pose(*given, hips, trunk, bend, poles)
    axes = axes_of(plane, turned)
    body = np.empty_like(plane)
    from_above(body)[...] = at
    body[:, 2] = plane[:, 2] + height
    if anatomy.spine is not None:
        hips = np.tile(hips, (len(bend), 1, 1))
        hips[..., 2] += bent(anatomy.spine.hips, bend)
    return Pose(body, axes, body[:, None] + times_axes(hips, axes), times_axes(poles, axes), bend)


def bent(shapes, bend):
    """Return heights, (N, P), of trunks that are bent; `shapes` are those of a `Spine`, (2, P)."""
    return bend[:, :1] * shapes[0] + bend[:, 1:] * shapes[1]
