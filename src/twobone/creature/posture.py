"""How a body is turned: by its heading, and by the plane that it follows (see `footing`)."""

import numpy as np

from twobone.creature.footing import from_above

UPRIGHT = np.eye(3)  # axes of who stands straight: left, forward, up


def axes_of(plane, turned):
    """Return the body's axes, a row each: left and forward, then up along the plane's normal.

    From the world's they are the heading, then the shortest turn from upright.
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
    """Return the turn of these axes as quaternions xyzw with w >= 0."""
    leans, half = from_above(plane), np.exp(-0.5j * heading)
    upright = 1.0 + np.sqrt(1.0 + np.abs(leans) ** 2)
    aside = -1j * leans * half  # about which it is turned from upright
    rotation = np.stack([aside.real, -upright * half.imag, aside.imag, upright * half.real], -1)
    size = np.sqrt(np.vecdot(rotation, rotation))
    return rotation / np.copysign(size, rotation[:, 3])[:, None]


def placed(made, height, at, turned, plane):
    """Return where bodies over a plane are, their axes and their hips."""
    axes = axes_of(plane, turned)
    body = np.empty_like(plane)
    from_above(body)[...] = at
    body[:, 2] = plane[:, 2] + height
    return body, axes, body[:, None] + made.hips @ axes
