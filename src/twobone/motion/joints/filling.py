"""Points that are missing, filled in; and points smoothed by local parabolas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.motion.curves import Flags, convolved, runs

Floats = NDArray[np.float64]


def filled(points: Floats, valid: Flags, root: int) -> Floats:
    """Return points (J, 3, T) without gaps; `valid` (J, T) says which of them are known.

    Inside, a cubic Hermite curve joins both ends with the velocities there. Before the first known
    point and after the last one, a joint keeps its distance from the root, and the root its place.
    Each joint must be known in one frame.
    """
    out = points.copy()
    if not valid[root].all():
        out[root] = _joined(points[root], valid[root])
    for joint in np.flatnonzero(~valid.all(1)).tolist():
        if joint != root:
            out[joint] = out[root] + _joined(points[joint] - out[root], valid[joint])
    return out


def _joined(values: Floats, valid: Flags) -> Floats:
    """Return curves (3, T) through the valid frames."""
    out, count = values.copy(), len(valid)
    for first, stop in runs(~valid).tolist():
        if first == 0 or stop == count:
            out[:, first:stop] = out[:, [stop if first == 0 else first - 1]]
            continue
        before, after = first - 1, stop
        start = out[:, before] - out[:, before - 1] if before and valid[before - 1] else None
        end = None
        if after + 1 < count and valid[after + 1]:
            end = values[:, after + 1] - values[:, after]
        out[:, first:stop] = _hermite(out[:, before], values[:, after], start, end, stop - before)
    return out


def _hermite(a: Floats, b: Floats, start: Floats | None, end: Floats | None, steps: int) -> Floats:
    """Return the points between `a` and `b`, given velocities per frame; None: straight on."""
    straight = (b - a) / steps
    m = steps * (straight if start is None else start)[:, None]
    n = steps * (straight if end is None else end)[:, None]
    a, b = a[:, None], b[:, None]
    t = np.arange(1, steps) / steps
    t2, t3 = t * t, t * t * t
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * m + (3 * t2 - 2 * t3) * b + (t3 - t2) * n


def smoothed(points: Floats, width: int) -> Floats:
    """Return points (..., T), each on the parabola that fits `2 width + 1` frames around it best.

    Source: Savitzky and Golay, "Smoothing and differentiation of data", 1964. In the first and the
    last `width` frames it is the first and the last parabola that fits whole.
    """
    count = points.shape[-1]
    width = min(width, (count - 1) // 2)
    if width < 2:  # a parabola through three points changes none
        return points.copy()
    frames = np.arange(-width, width + 1.0)
    powers = np.stack([np.ones_like(frames), frames, frames * frames], axis=1)
    hat = powers @ np.linalg.pinv(powers)  # values of a window to those of its parabola
    out = np.empty_like(points)
    for row, own in zip(out.reshape(-1, count), points.reshape(-1, count), strict=True):
        row[width : count - width] = convolved(own, hat[width])
        row[:width] = hat[:width] @ own[: 2 * width + 1]
        row[count - width :] = hat[width + 1 :] @ own[-2 * width - 1 :]
    return out
