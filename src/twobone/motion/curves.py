"""Curves over the frames of a clip: runs of frames, smoothing, envelopes, and rotations.

The last axis holds frames. Rotations are interpolated as modified Rodrigues parameters, `xyz / (1
+ w)`: three numbers, smooth up to a full turn, with no trigonometric function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.intp]

DIRECT = 1 << 9  # frames: wider windows are multiplied as spectra


# --- runs ---------------------------------------------------------------------------------


def runs(on: Flags) -> Counts:
    """Return the runs of true frames of a one-dimensional array, shape (N, 2): first, last + 1.

    Examples
    --------
    >>> from twobone.motion.curves import runs
    >>> runs(np.array([True, True, False, True])).tolist()
    [[0, 2], [3, 4]]
    """
    edges = np.flatnonzero(np.diff(on.astype(np.int8), prepend=0, append=0))
    return edges.reshape(-1, 2)


def neighbours(on: Flags) -> tuple[Counts, Counts]:
    """Return for each frame the last true frame up to it (-1: none) and the next one (T: none)."""
    count = on.shape[-1]
    frames = np.arange(count)
    before = np.maximum.accumulate(np.where(on, frames, -1), axis=-1)
    after = np.minimum.accumulate(np.where(on, frames, count)[..., ::-1], axis=-1)[..., ::-1]
    return before, after


# --- smoothing ----------------------------------------------------------------------------


def bell(width: int) -> Floats:
    """Return the weights of a smoothing window: a bell over `2 width + 1` frames, with sum 1."""
    weights = 0.5 + 0.5 * np.cos(np.pi * np.arange(-width, width + 1) / (width + 1))
    return weights / weights.sum()


def convolved(padded: Floats, weights: Floats) -> Floats:
    """Return the sums of products of values with weights, wherever these are all inside.

    Wide windows, as at thousands of frames per second, are multiplied as spectra: that takes time
    for the frames alone, not for each frame times the window.
    """
    if len(weights) <= DIRECT:
        return np.convolve(padded, weights, mode="valid")
    count = len(padded)
    product = np.fft.rfft(padded) * np.fft.rfft(weights, count)
    return np.fft.irfft(product, count)[len(weights) - 1 :]


def smooth(values: Floats, width: int) -> Floats:
    """Return averages over a bell of `2 width + 1` frames; the ends are continued by reflection.

    Reflection is about the first and the last value, so that a straight line stays one.
    """
    count = values.shape[-1]
    if width < 1 or count < 2:
        return values.copy()
    weights, out = bell(width), np.empty(values.shape)
    for row, own in zip(out.reshape(-1, count), values.reshape(-1, count), strict=True):
        padded = np.pad(own, width, mode="reflect", reflect_type="odd")
        row[:] = convolved(padded, weights)
    return out


def highest(values: Floats, width: int) -> Floats:
    """Return the maximum over `2 width + 1` frames around each frame."""
    count = values.shape[-1]
    pad = [(0, 0)] * (values.ndim - 1) + [(width, width)]
    found = np.pad(values, pad, mode="edge")
    span = 1  # how many frames each value stands for; doubled until it would be too many
    while span < 2 * width + 1:
        step = min(span, 2 * width + 1 - span)
        found = np.maximum(found[..., :-step], found[..., step:])
        span += step
    return found[..., :count]


def envelope(values: Floats, width: int) -> Floats:
    """Return a smooth curve that is nowhere below the given values, which are 0 or more.

    It rises `2 width` frames ahead of a peak: the average, over a bell, of maxima over as many
    frames as the bell.
    """
    if width < 1:
        return values.copy()
    count = values.shape[-1]
    weights, raised = bell(width), highest(values, width)
    out = np.empty(values.shape)
    for row, own in zip(out.reshape(-1, count), raised.reshape(-1, count), strict=True):
        row[:] = convolved(np.pad(own, width, mode="edge"), weights)
    return np.maximum(out, values)  # against rounding


# --- corrections --------------------------------------------------------------------------


def ease(u: Floats) -> Floats:
    """Return a smooth step from 0 to 1, with no velocity and no acceleration at its ends."""
    u = np.clip(u, 0.0, 1.0)
    return u * u * u * (10.0 - u * (15.0 - 6.0 * u))


def to_parameters(q: Floats) -> Floats:
    """Return modified Rodrigues parameters (3, ...) of unit quaternions (4, ...)."""
    q = np.where(q[3] < 0.0, -q, q)
    return q[:3] / (1.0 + q[3])


def to_quaternions(p: Floats) -> Floats:
    """Return the unit quaternions (4, ...) of modified Rodrigues parameters (3, ...)."""
    square = (p * p).sum(0)
    return np.concatenate([2.0 * p, (1.0 - square)[None]]) / (1.0 + square)
