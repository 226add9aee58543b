"""Keyframes: interpolate them at given times, and find the frame rate of their times.

Source: Khronos, "glTF 2.0 Specification", 2021, appendix C.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from twobone.rotations import slerp

NEAR = 0.02  # frames between a key and the frame that it belongs to
RATES = (24, 25, 30, 48, 50, 60, 90, 100, 120, 240)  # frames per second that are usual
DENSE = 20.0  # keys per second that are frames; others may have been left out between them
SLOWEST = 10.0  # frames per second; keys that are further apart were set by hand
SAME = 5e-4  # seconds between keys of different joints that belong together
ROUNDED = 1.1e-3  # seconds; times that were written with three decimals differ by so much
SHARE = 0.95  # of the keys that are on frames of the rate that is found
UNSTEADY = 0.25  # frames between a key whose time is imprecise and the frame that it belongs to
ERRORS = 3.0  # standard errors by which a rate may differ from the whole number that it is


class Rate(NamedTuple):
    """How keys are spread over time."""

    fps: float
    near: float  # frames; keys that are so near to a frame belong to it


def interpolate(times, values, interpolation, frames, near):
    """Interpolate keys at the times of frames.

    Parameters
    ----------
    times : array, shape (n,)
        Of the keys, increasing.
    values : array, shape (n, width), or (n, 3, width) for "CUBICSPLINE"
        Of the keys; of splines: incoming tangent, value, outgoing tangent.
    interpolation : {"LINEAR", "STEP", "CUBICSPLINE"}
        Quaternions, values of width 4, are interpolated on the shortest arc by "LINEAR".
    frames : array, shape (T,)
        Before the first key and after the last one the nearest key counts.
    near : float
        Frames that are so near to a key have its value, exactly.

    Returns
    -------
    array, shape (T, width)
    """
    last = len(times) - 1
    before = np.clip(np.searchsorted(times, frames, "right") - 1, 0, last)
    after = np.minimum(before + 1, last)
    is_near_after = np.abs(times[after] - frames) < near
    before = np.where(is_near_after, after, before)
    after = np.minimum(before + 1, last)
    step = times[after] - times[before]
    past = frames - times[before]
    at_key = (np.abs(past) < near) | (past < 0.0) | (step <= 0.0)
    keys = values[:, 1] if interpolation == "CUBICSPLINE" else values
    found = keys[before]
    between = np.flatnonzero(~at_key)
    if interpolation == "STEP" or not len(between):
        return found
    i, j, step = before[between], after[between], step[between, None]
    share = past[between, None] / step
    if interpolation == "CUBICSPLINE":
        found[between] = _spline(values, i, j, step, share)
    elif keys.shape[1] == 4:
        found[between] = slerp(unit(keys[i]), unit(keys[j]), share[:, 0])
    else:
        found[between] = keys[i] + share * (keys[j] - keys[i])
    return found


def _spline(values, i, j, step, share):
    """Return cubic Hermite splines from keys i to keys j, in steps of time."""
    t, t2, t3 = share, share**2, share**3
    before, outgoing = values[i, 1], step * values[i, 2]
    after, incoming = values[j, 1], step * values[j, 0]
    start = (2 * t3 - 3 * t2 + 1) * before + (t3 - 2 * t2 + t) * outgoing
    return start + (-2 * t3 + 3 * t2) * after + (t3 - t2) * incoming


def unit(quaternions):
    """Return quaternions of length 1; NaN for those of length 0."""
    with np.errstate(invalid="ignore"):
        scaled = quaternions / np.max(np.abs(quaternions), axis=-1, keepdims=True)
    return scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)


def frame_rate(times):
    """Find the frames per second of keys.

    Parameters
    ----------
    times : list of arrays
        The times of the keys of each channel, increasing.

    Returns
    -------
    Rate
        That of the commonest step between keys, if they are as dense as frames. If the steps
        vary, but each key is near a frame, the rate of the line that fits the keys best. Otherwise
        a rate with most keys at its frames: a usual one, or a multiple of the keys' own.
    """
    merged = merge(times)
    if len(merged) < 2:
        return Rate(30.0, NEAR)
    step, share = _commonest(np.diff(merged))
    own = _refined(1.0 / step, merged)
    if share < 0.5 and not _covers(own, merged):
        unsteady = _unsteady_rate(max(times, key=len))
        if unsteady is not None:
            return Rate(unsteady, UNSTEADY)
    if own >= DENSE or (own >= SLOWEST and _covers(own, merged)):
        return Rate(own, NEAR)
    for rate in RATES:
        if rate >= own and _covers(rate, merged):
            return Rate(float(rate), NEAR)
    return Rate(own if own >= SLOWEST else own * math.ceil(RATES[0] / own), NEAR)


def frame_count(first, last, rate):
    """Return the number of frames from the first key to the last, the last frame included."""
    return math.ceil((last - first) * rate.fps - rate.near) + 1


def frame_times(first, last, rate):
    """Return the times of all frames. The last is at the last key, if that comes too early."""
    return np.minimum(first + np.arange(frame_count(first, last, rate)) / rate.fps, last)


def merge(times):
    """Return the times of all channels as one increasing array."""
    merged = np.unique(np.concatenate(times))
    return merged[np.concatenate([[True], np.diff(merged) > SAME])]


def _commonest(steps):
    """Return the mean of the largest group of steps equal but for rounding, and its share."""
    steps = np.sort(steps)
    widest = steps + np.minimum(0.05 * steps, ROUNDED)
    ends = np.searchsorted(steps, widest, "right")
    first = int(np.argmax(ends - np.arange(len(steps))))
    group = steps[first : ends[first]]
    return float(np.mean(group)), len(group) / len(steps)


def _refined(rate, times):
    """Return a rate, measured from the first key to the last, and a whole number if it is near."""
    whole = times[-1] - times[0]
    count = round(whole * rate)
    if count and _covers(count / whole, times):
        rate = count / whole
    return float(round(rate)) if whole * abs(rate - round(rate)) < NEAR else rate


def _unsteady_rate(times):
    """Return the rate of keys whose times are imprecise by less than a quarter of a frame, or None.

    A line is fitted to the times of the keys by their frames. The rate is a whole number if that
    differs by less than the error that the fit has.
    """
    steps = np.diff(times)
    if len(steps) < 2:
        return None
    frames = np.concatenate([[0.0], np.cumsum(np.maximum(np.round(steps / np.median(steps)), 1.0))])
    centred = frames - np.mean(frames)
    square = np.sum(centred**2)
    step = float(np.sum(centred * times) / square)
    off = (times - np.mean(times)) / step - centred
    rate = 1.0 / step
    if rate < SLOWEST or np.mean(np.abs(off) < UNSTEADY) < SHARE:
        return None
    error = rate * math.sqrt(np.mean(off**2) / square)
    return float(round(rate)) if abs(rate - round(rate)) < ERRORS * error else rate


def _covers(rate, times):
    """Return whether most keys are at frames."""
    frames = (times - times[0]) * rate
    return np.mean(np.abs(frames - np.round(frames)) < NEAR) >= SHARE


def continuous(quaternions, first):
    """Return quaternions with signs that bring each near the one before, as players expect."""
    dots = np.sum(quaternions * np.concatenate([first[None], quaternions[:-1]]), axis=-1)
    return quaternions * np.cumprod(np.where(dots < 0.0, -1.0, 1.0))[:, None]
