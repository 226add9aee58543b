"""Intervals of an angle for many rows at once, from flags of segments; padded with NaN."""

from __future__ import annotations

import math

import numpy as np

from twobone.robots.closed_form import NAN

TINY = 1e-12  # radians; shorter intervals are none


def intervals(turns, inside):
    """Return the intervals of rows on a circle: shape (rows, k, 2).

    `turns` are the edges of segments, (rows, n + 1), and `inside` says whether a segment counts.
    Segments of no length take the flag of the one before.
    """
    inside = filled(inside, np.diff(turns, axis=-1) < TINY)
    starts = inside & ~np.roll(inside, 1, axis=-1)
    ends = inside & ~np.roll(inside, -1, axis=-1)
    found = pairs(starts, ends, turns[:, :-1], turns[:, 1:], wraps=True)
    whole = inside.all(axis=-1)
    found[whole, 0] = -math.pi, math.pi
    return found


def filled(flags, tiny):
    """Return flags of segments on a circle; those of no length take that of the one before."""
    flags = flags.copy()
    for _ in range(2):  # the first ones depend on the last ones
        for i in range(flags.shape[1]):
            flags[:, i] = np.where(tiny[:, i], flags[:, i - 1], flags[:, i])
    return flags


def pairs(starts, ends, lows, highs, wraps=False):
    """Return intervals from where they start to where they end: shape (rows, k, 2).

    Where a search for both edges leaves an interval no length, there is none.
    """
    count = max(1, int(starts.sum(axis=-1).max(initial=1)))
    found = np.full((len(starts), count, 2), NAN)
    for flags, numbers, i in ((starts, lows, 0), (ends, highs, 1)):
        rows, columns = np.nonzero(flags)
        place = (np.cumsum(flags, axis=-1) - 1)[rows, columns]
        found[rows, place, i] = numbers[rows, columns]
    if wraps:
        # Where the first end is before the first start, it belongs to the last start.
        late = ends.argmax(axis=-1) < starts.argmax(axis=-1)
        for row in np.nonzero(late)[0]:
            n = int(starts[row].sum())
            found[row, :n, 1] = np.roll(found[row, :n, 1], -1)
            found[row, n - 1, 1] += math.tau
    for row in np.nonzero((found[..., 1] - found[..., 0] < TINY).any(axis=-1))[0]:
        sound = found[row][found[row, :, 1] - found[row, :, 0] >= TINY]
        found[row] = NAN
        found[row, : len(sound)] = sound
    return found


def joined(found):
    """Return the intervals of all branches as one array, padded with NaN."""
    most = max(each.shape[1] for each in found)
    padded = [
        np.pad(each, ((0, 0), (0, most - each.shape[1]), (0, 0)), constant_values=NAN)
        for each in found
    ]
    return np.stack(padded, axis=1)
