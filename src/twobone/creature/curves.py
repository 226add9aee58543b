"""Curves of straight lines and arcs: a polygon whose corners are rounded."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray


class Curve(NamedTuple):
    """Lines and arcs, each from where the one before ends; it goes on straight at both ends.

    Angles are from +z towards +x. The first and the last element are lines.
    """

    starts: NDArray[np.float64]  # (K,): distance along the curve
    x: NDArray[np.float64]  # (K,): where the element begins
    z: NDArray[np.float64]
    angles: NDArray[np.float64]  # (K,): its direction there, without jumps
    bends: NDArray[np.float64]  # (K,): curvature; to the left if positive, 0 for a line
    total: float  # length

    def at(self, along: Any) -> NDArray[np.float64]:
        """Return x, z and direction at distances along the curve, shape (3, ...)."""
        row = self.row(along)
        way, bends = along - self.starts[row], self.bends[row]
        x, z, angle = _gone(self.angles[row], bends, way)
        return np.stack([self.x[row] + x, self.z[row] + z, angle])

    def row(self, along: Any) -> Any:
        """Return the element at a distance along the curve."""
        return np.clip(np.searchsorted(self.starts, along, "right") - 1, 0, None)


def rounded(path: NDArray[Any], near: float, sharp: float) -> list[Curve]:
    """Round the corners of a path, and divide it where they are sharp.

    Parameters
    ----------
    path : array, shape (K, 2)
        Waypoints, x and z, each different from the one before.
    near : float
        Distance by which an arc misses its waypoint at most. An arc takes no more than half of a
        straight line on either side.
    sharp : float
        Change of direction, in radians, from which a corner is not rounded.

    Returns
    -------
    list of Curve
        Each begins where the one before ends.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.creature.curves import rounded
    >>> curve, = rounded(np.array([[0.0, 0.0], [0.0, 4.0], [4.0, 4.0]]), 0.5, 2.0)
    >>> curve.at(0.5 * curve.total).round(3)          # half a metre from the corner
    array([0.354, 3.646, 0.785])
    """
    steps = np.diff(path, axis=0)
    sizes, angles = np.hypot(*steps.T), np.arctan2(*steps.T)
    turns = changes(angles)
    if not len(sizes):
        return []
    cuts = [0, *(np.flatnonzero(np.abs(turns) >= sharp) + 1).tolist(), len(sizes)]
    return [
        _round(path[a], angles[a], sizes[a:b], turns[a : b - 1], near)
        for a, b in itertools.pairwise(cuts)
    ]


def changes(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much each angle differs from the one before, from -pi to pi."""
    return np.remainder(np.diff(angles) + np.pi, 2.0 * np.pi) - np.pi


def _gone(angles, bends, ways):
    """Return x, z and direction at the ends of arcs that begin at the origin in a direction."""
    half = 0.5 * bends * ways
    chords, middles = ways * np.sinc(half / np.pi), angles + half
    return chords * np.sin(middles), chords * np.cos(middles), middles + half


def _round(start, angle, sizes, turns, near):
    """Return a curve from a place in a direction: lines of given lengths, and turns between."""
    # An arc that begins d before a corner misses it by d tan(turn / 4), and has the radius
    # d / tan(turn / 2).
    most = 0.5 * np.minimum(sizes[:-1], sizes[1:])
    before = most * near / np.maximum(near, most * np.tan(0.25 * np.abs(turns)))
    bends, lengths = np.zeros(2 * len(sizes) - 1), np.empty(2 * len(sizes) - 1)
    bends[1::2] = np.tan(0.5 * turns) / before
    lengths[1::2] = np.divide(turns, bends[1::2], out=2.0 * before, where=bends[1::2] != 0.0)
    lengths[::2] = sizes
    lengths[:-1:2] -= before
    lengths[2::2] -= before
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    angles = angle + np.concatenate([[0.0], np.cumsum(bends * lengths)])
    away_x, away_z, _ = _gone(angles[:-1], bends, lengths)
    x = start[0] + np.concatenate([[0.0], np.cumsum(away_x)])
    z = start[1] + np.concatenate([[0.0], np.cumsum(away_z)])
    return Curve(starts[:-1], x[:-1], z[:-1], angles[:-1], bends, float(starts[-1]))
