"""Where the body goes so that planted feet can stay: along with them, and low enough to reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.motion.curves import Flags, envelope, runs, smooth

Floats = NDArray[np.float64]


def follow(positions: list[Floats], held: list[Flags], ramp: int) -> Floats:
    """Return the shift (3, T) of the body that stops the mean sliding of all held joints.

    `positions` (3, L, T) and `held` (L, T) are those of ends, and of toes. A joint counts less in
    the first and the last `ramp` frames of a footplant, so that it does not jerk the body.
    """
    velocity = -mean_velocity(positions, held, ramp)[0]
    return np.concatenate([np.zeros((3, 1)), np.cumsum(velocity, axis=-1)], axis=-1)


def mean_velocity(positions: list[Floats], held: list[Flags], ramp: int) -> tuple[Floats, Floats]:
    """Return the mean velocity (3, T - 1) of held joints per frame, and their weights (T - 1)."""
    count = held[0].shape[-1]
    total, weights = np.zeros((3, count - 1)), np.zeros(count - 1)
    for points, flags in zip(positions, held, strict=True):
        pairs = flags[:, 1:] & flags[:, :-1]
        weight = depth(pairs, ramp)
        total += (weight * np.diff(points, axis=-1)).sum(1)
        weights += weight.sum(0)
    return total / np.maximum(weights, 1.0), weights


def beside_lasting(shift: Floats, positions: list[Floats], held: list[Flags], width: int) -> Floats:
    """Return a shift of the body that does not drift away from joints held for a long time.

    The mean velocity of joints that come and go does not quite cancel in the long run, so that the
    body would leave those that stay. These are held for more than `2 width` frames; what is slow
    in their motion after the shift is taken from it.
    """
    lasting = [np.zeros_like(flags) for flags in held]
    for flags, long in zip(held, lasting, strict=True):
        for row, out in zip(flags, long, strict=True):
            for first, last in runs(row).tolist():
                out[first:last] = last - first > 2 * width
    if not any(flags.any() for flags in lasting):
        return shift
    velocity, weights = mean_velocity(positions, lasting, width // 2)
    velocity += np.minimum(weights, 1.0) * np.diff(shift, axis=-1)
    slow = np.cumsum(smooth(velocity, width), axis=-1)
    return shift - np.concatenate([np.zeros((3, 1)), slow], axis=-1)


def without_drift(shift: Floats, travel: Floats, first: int, period: int) -> Floats:
    """Return the shift of the body of a loop that stays where it is, cycle after cycle.

    That is where a foot never leaves the ground: the mean velocity of all feet, as they come and
    go, does not quite cancel over a cycle. Shift and `travel` have shape (3, T) and (3,): the loop
    travels by `travel` in each cycle, of `period` frames from frame `first` on.
    """
    drift = travel + shift[:, first + period] - shift[:, first]
    cycles = (np.arange(shift.shape[-1]) - first) / period
    return shift - drift[:, None] * cycles


def depth(on: Flags, ramp: int) -> Floats:
    """Return 1 inside runs of true frames, falling linearly to 0 over `ramp` frames at the ends."""
    weight = on.astype(float)
    if ramp < 1 or not weight.size:
        return weight
    shifted = np.pad(weight, [(0, 0), (ramp, ramp)], mode="edge")
    sums = np.cumsum(np.pad(shifted, [(0, 0), (1, 0)]), axis=-1)
    share = (sums[:, 2 * ramp + 1 :] - sums[:, : -2 * ramp - 1]) / (2 * ramp + 1)
    return weight * np.clip(2.0 * share - 1.0, 0.0, 1.0)


def lowering(
    hips: Floats, targets: Floats, limits: Floats, on: Flags, up: int, lowest: float
) -> Floats:
    """Return how far the body must go down in each frame, shape (T), for all ends to be reached.

    `hips` and `targets` have shape (3, L, T), `limits` (L, T) are the lengths of limbs. A
    hip is not brought lower than `lowest` times that length above its target.
    """
    away = hips - targets
    height = away[up]
    level = (away * away).sum(0) - height * height
    square = limits * limits
    allowed = np.sqrt(np.maximum(square - level, lowest * lowest * square))
    return np.where(on, np.maximum(height - allowed, 0.0), 0.0).max(0)


def ahead(needed: Floats, width: int) -> Floats:
    """Return a smooth lowering that is nowhere less than needed, and begins ahead of need."""
    return envelope(needed, width)
