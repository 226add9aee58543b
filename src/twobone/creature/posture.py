"""Position and orientation of a body from its heading and the plane it follows."""

import numpy as np

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


def placed(anatomy, height, at, turned, plane):
    """Return the positions, axes and hips of bodies that stand at a height over a plane."""
    axes = axes_of(plane, turned)
    body = np.empty_like(plane)
    from_above(body)[...] = at
    body[:, 2] = plane[:, 2] + height
    return body, axes, body[:, None] + anatomy.hips @ axes
