"""Position and orientation of a body from its heading and the plane it follows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.creature.footing import from_above

UPRIGHT = np.eye(3)  # axes of an upright body: left, forward, up, as x, z, y


def axes_of(plane, turned):
    """Return the axes of bodies as rows: left, forward, and up along the normal of the plane.

    They are the world's axes rotated first along the shortest arc from upright to the normal, then
    by the heading; `turned` is its complex factor (see `footing.facing`).
    """
    up = plane.copy()
    up[:, 2] = 1.0
    up /= np.sqrt(np.vecdot(up, up))[:, None]
    both = up + UPRIGHT[2]
    axes = UPRIGHT - both[:, :, None] * (both / both[:, 2:])[:, None]
    axes[:, 2] = up
    places = from_above(axes)
    places *= turned[:, None]
    return axes


def rotation_of(plane, heading):
    """Return the rotation of these axes as quaternions xyzw with w >= 0."""
    leans, half = from_above(plane), np.exp(-0.5j * heading)
    upright = 1.0 + np.sqrt(1.0 + np.abs(leans) ** 2)
    aside = -1j * leans * half  # the horizontal axis of the rotation from upright
    rotation = np.stack([aside.real, -upright * half.imag, aside.imag, upright * half.real], -1)
    size = np.sqrt(np.vecdot(rotation, rotation))
    return rotation / np.copysign(size, rotation[:, 3])[:, None]


class Pose(NamedTuple):
    """Position and orientation of N bodies; points are x, z, y."""

    body: NDArray[np.float64]  # (N, 3): the middle
    axes: NDArray[np.float64]  # (N, 3, 3), see `axes_of`
    hips: NDArray[np.float64]  # (N, L, 3)
    poles: NDArray[np.float64]  # (N, L, 3), pole vectors of the legs

    def raised(self, by) -> Pose:
        """Return the pose raised by heights of shape (N)."""
        body, hips = self.body.copy(), self.hips.copy()
        body[:, 2] += by
        hips[..., 2] += by[:, None]
        return Pose(body, self.axes, hips, self.poles)


def pose_over(anatomy, height, at, turned, plane, spread) -> Pose:
    """Return the pose of bodies at a height over a plane.

    `at` are places, `turned` rotations by headings, `spread` is that of `state.Feet`.
    """
    axes = axes_of(plane, turned)
    body = np.empty_like(plane)
    from_above(body)[...] = at
    body[:, 2] = plane[:, 2] + height
    poles = anatomy.poles
    if anatomy.spreads:
        poles = poles + spread[..., None] * anatomy.outward
    return Pose(body, axes, body[:, None] + anatomy.hips @ axes, poles @ axes)
