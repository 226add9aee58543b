"""Feet in the air: how long their legs are, near straight as well, and never through the floor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from twobone.motion import curves
from twobone.motion.curves import Flags
from twobone.motion.legs import TINY

Floats = NDArray[np.float64]
Height = Callable[[Floats], Floats]  # of the ground below points (3, ...)
KEPT = 0.75  # of the bend of a leg that is as straight as a planted one may be


def bend(short: Floats, scale: Floats) -> Floats:
    """Return how bent legs are that are `short` of straight: like an angle if they are straight.

    The angle of a knee is as the root of `short`. So a small change of the length of a leg would
    jerk the knee near straight. A bent leg is `short + scale` here, so that changes of it are those
    of its length; one short of straight by much less than `scale` is as its angle.

    Examples
    --------
    >>> from twobone.motion.swings import bend
    >>> bend(np.array([0.0, 0.0001, 0.0004, 0.1, 0.2]), 0.01).round(3)
    array([0.   , 0.001, 0.003, 0.11 , 0.21 ])
    """
    short = np.maximum(short, 0.0)
    return np.sqrt(short * (short + 2.0 * scale))


def short_of(bent: Floats, scale: Floats) -> Floats:
    """Return by how much legs are short of straight that are bent by so much; see `bend`."""
    square = bent * bent
    return square / (np.sqrt(square + scale * scale) + scale)


def kept_bent(bent: Floats, least: Floats) -> Floats:
    """Return bends that are reduced below `least`, but smoothly, and to `KEPT` of it at most.

    Examples
    --------
    >>> from twobone.motion.swings import kept_bent
    >>> kept_bent(np.array([5.0, 4.0, 3.0, -1e9]), np.array(4.0)).round(3)
    array([5. , 4. , 3.5, 3. ])
    """
    rest = np.maximum((1.0 - KEPT) * least, TINY)
    below = np.maximum(least - bent, 0.0)
    return np.maximum(bent, least) - rest * below / (rest + below)


def away_from(fixed: Flags, width: int) -> Floats:
    """Return a smooth step from 0 in true frames to 1 where all are `width` frames away."""
    before, after = curves.neighbours(fixed)
    count = fixed.shape[-1]
    frames = np.arange(count)
    since = np.where(before < 0, count, frames - before)
    until = np.where(after >= count, count, after - frames)
    return curves.ease(np.minimum(since, until) / width)


def depth_allowed(points: Floats, height: Height, up: int) -> Floats:
    """Return how high above the ground points must stay: 0, or where they are if that is lower."""
    return np.minimum(points[up] - height(points), 0.0)


def too_deep(points: Floats, allowed: Floats, height: Height, up: int) -> Floats:
    """Return how far points are below the height above the ground that is allowed."""
    return np.maximum(allowed + height(points) - points[up], 0.0)


def lift(needed: Floats, fixed: Flags, width: int) -> Floats:
    """Return a smooth lift (L, T), no less than needed, and 0 where a foot is fixed."""
    if not needed.any():
        return needed
    ramp = away_from(fixed, 2 * width + 1)
    return np.where(fixed, 0.0, np.maximum(curves.envelope(needed, width) * ramp, needed))
