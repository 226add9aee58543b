"""The formulas of published measures, for many motions at once.

Arrays of positions have shape (N, T, J, 3), y up, in metres, with zeros in frames that a motion
does not have; `known` (N, T) says which those are. Results have shape (N,). Each motion has the
bits that it has alone: sums go over one axis, and nothing is shared.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

UP = 1
LOW, FAST, WINDOW = 0.05, 0.5, 5  # GMD: metres, metres per second, steps
ANKLE, TOE = 0.08, 0.04  # NeMF: metres
TOLERANCE = 0.005  # PhysDiff: metres
CENTIMETRES, MILLIMETRES = 100.0, 1000.0


def length(vectors: Any) -> Floats:
    """Return the lengths of vectors (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.sqrt(x * x + y * y + z * z)


def level_length(vectors: Any) -> Floats:
    """Return the horizontal lengths of vectors (..., 3)."""
    x, z = vectors[..., 0], vectors[..., 2]
    return np.sqrt(x * x + z * z)


def mean(values: Any, known: Flags) -> Floats:
    """Return the mean of values (N, T, ...) over the frames that are known; 0 if there are none."""
    wide = known.reshape(*known.shape, *[1] * (values.ndim - 2))
    kept = np.ascontiguousarray(np.where(wide, values, 0.0)).reshape(len(values), -1)
    each = kept.shape[1] // max(known.shape[1], 1)
    return kept.sum(axis=-1) / np.maximum(known.sum(axis=-1) * each, 1)


def skating_ratio(toes: Floats, known: Flags, fps: float) -> Floats:
    """Return the share of steps in which a low joint moves fast, as GMD defines it."""
    steps = known[:, 1:]
    speed = np.where(steps[..., None], level_length(np.diff(toes, axis=1)), 0.0) * fps
    side = WINDOW // 2
    padded = np.pad(speed, [(0, 0), (side, side), (0, 0)])
    average = sum(padded[:, k : k + speed.shape[1]] for k in range(WINDOW)) / WINDOW
    low = toes[..., UP] < LOW
    skates = low[:, :-1] & low[:, 1:] & (speed > FAST) & (average > FAST)
    return mean(skates.any(axis=-1).astype(float), steps)


def foot_skating(ankles: Floats, toes: Floats, known: Flags) -> Floats:
    """Return the horizontal steps of low feet in centimetres, as NeMF defines it."""
    parts = []
    for at, limit in ((ankles, ANKLE), (toes, TOE)):
        height = np.clip(at[:, 1:, :, UP] / limit, 0.0, 1.0)
        parts.append(level_length(np.diff(at, axis=1)) * (2.0 - 2.0**height))
    return CENTIMETRES * mean(np.concatenate(parts, axis=-1), known[:, 1:])


def physical_foot_contact(
    root: Floats, ankles: Floats, toes: Floats, known: Flags, fps: float
) -> Floats:
    """Return the PFC of EDGE; `root` has shape (N, T, 3)."""
    pushes = np.diff(root, 2, axis=1) * fps**2
    pushes[..., UP] = np.maximum(pushes[..., UP], 0.0)
    frames = known[:, 2:]
    size = np.where(frames, length(pushes), 0.0)
    most = size.max(axis=1, initial=0.0)
    share = size / np.where(most > 0.0, most, 1.0)[:, None]
    steps = [level_length(np.diff(joints[:, 1:], axis=1)) for joints in (ankles, toes)]
    slower = np.minimum(*steps)
    return 10_000.0 * mean(slower[..., 0] * slower[..., 1] * share, frames)


def jitter(points: Floats, known: Flags, fps: float) -> Floats:
    """Return the mean size of the third differences of positions, over time cubed."""
    return mean(length(np.diff(points, 3, axis=1)), known[:, 3:]) * fps**3


def acceleration(points: Floats, known: Flags, fps: float) -> Floats:
    """Return the mean size of the second differences of positions, over time squared."""
    return mean(length(np.diff(points, 2, axis=1)), known[:, 2:]) * fps**2


def penetration(points: Floats, known: Flags) -> Floats:
    """Return how deep the lowest joint is below the ground, in millimetres, beyond 5 mm."""
    lowest = points[..., UP].min(axis=-1)
    return MILLIMETRES * mean(np.maximum(-lowest - TOLERANCE, 0.0), known)


def floating(points: Floats, known: Flags) -> Floats:
    """Return how high the lowest joint is above the ground, in millimetres, beyond 5 mm."""
    lowest = points[..., UP].min(axis=-1)
    return MILLIMETRES * mean(np.maximum(lowest - TOLERANCE, 0.0), known)


def sliding(points: Floats, known: Flags) -> Floats:
    """Return the horizontal steps of the lowest joint while it is down, in millimetres."""
    lowest = points[:, :-1, :, UP].argmin(axis=-1)[..., None]
    steps = np.take_along_axis(level_length(np.diff(points, axis=1)), lowest, axis=-1)[..., 0]
    down = [
        np.take_along_axis(each[..., UP], lowest, axis=-1)[..., 0] <= TOLERANCE
        for each in (points[:, :-1], points[:, 1:])
    ]
    return MILLIMETRES * mean(np.where(down[0] & down[1], steps, 0.0), known[:, 1:])
