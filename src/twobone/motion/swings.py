"""Feet in the air: corrections carried over from footplants, and never through the floor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from twobone.motion import curves
from twobone.motion.curves import Flags
from twobone.motion.legs import TINY, Turns

Floats = NDArray[np.float64]
FREE = 0.7  # of the room that is left to open a joint, this share is used as it is
Height = Callable[[Floats], Floats]  # of the ground below points (3, ...)


def carried(turns: Turns, held: Flags, fade: int, steep: float) -> Turns:
    """Return corrections, known where ends are held, faded out over the other frames.

    It is the rotations that are carried over, not the positions of feet: where a leg is almost
    straight, a small change of its length would jerk the knee.
    """
    known = np.concatenate([curves.to_parameters(turn) for turn in turns])
    known = curves.carry(known, held, fade, steep)
    return Turns(curves.to_quaternions(known[:3]), curves.to_quaternions(known[3:]))


def not_beyond_straight(
    turns: Turns, room: Floats, axis: Floats, held: Flags, width: int, ahead: int
) -> Turns:
    """Return corrections that do not open joints in the air by more than the room there is.

    `room` (L, T) is the angle in radians by which a joint can open, `axis` (3, L, T) its hinge.
    Most of the room is used as it is; the rest is approached, and never passed. `width` is the
    number of frames beside footplants over which this sets in. Corrections are scaled as a whole,
    start joints as well, so that the end stays on its way. They are reduced smoothly, up to twice
    `ahead` frames before the room is gone: a leg that the clip straightens for a few frames would
    jerk the foot otherwise.
    """
    known = [curves.to_parameters(turn) for turn in turns]
    opens = (known[1] * axis).sum(0)  # tan(angle / 4)
    passing = ~held & (opens > 0.0)
    if not passing.any():
        return turns
    most = np.tan(0.25 * np.clip(room, 0.0, np.pi))
    free = FREE * most
    beyond, rest = np.maximum(opens - free, 0.0), np.maximum(most - free, TINY)
    size = np.where(passing, opens, 1.0)
    soft = np.minimum(opens, free) + rest * beyond / (rest + beyond)
    cut = curves.envelope(np.where(passing, 1.0 - soft / size, 0.0), ahead)
    needed = np.where(passing, 1.0 - np.minimum(most / size, 1.0), 0.0)
    cut = np.where(held, 0.0, np.maximum(away_from(held, width) * cut, needed))
    return Turns(*(curves.to_quaternions((1.0 - cut) * each) for each in known))


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
