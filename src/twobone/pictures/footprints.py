"""Footprints of a recording, and a ground surface estimated from them."""

from typing import NamedTuple

import numpy as np

from twobone.creature import contacts
from twobone.terrain.ground import Flat, HeightArray

MOST = 2000  # maximum number of footprints used for the ground
NODES = 64  # nodes of the ground along each side
CELL = 0.2  # minimum spacing of the nodes, in lengths of a leg


class Footprints(NamedTuple):
    """All N stance phases of a recording."""

    leg: np.ndarray  # (N)
    first: np.ndarray  # (N), the first frame
    after: np.ndarray  # (N), the frame after the last
    place: np.ndarray  # (N, 3)


def footprints(recording):
    """Return all footprints of a recording, leg by leg."""
    leg, first, after = contacts.spans(recording.stance)
    return Footprints(leg, first, after, recording.feet[first, leg])


def ground_of(recording, leg):
    """Return ground through the footprints: flat if they are level, else smooth between them."""
    found = footprints(recording)
    places = found.place.copy()
    if len(places) == 0:
        return Flat(float(np.min(recording.ground)))
    places[:, 1] = recording.ground[found.first, found.leg]
    low, high = places.min(axis=0), places.max(axis=0)
    if high[1] - low[1] <= 1e-6 * leg:
        return Flat(float(low[1]))
    places = places[:: -(-len(places) // MOST)]
    spacing = max(CELL * leg, float(max(high - low)) / (NODES - 9))
    start = low - 4 * spacing
    x, z = (start[axis] + spacing * np.arange(NODES) for axis in (0, 2))
    heights = np.zeros((NODES, NODES))
    for row, there in zip(heights, z, strict=True):
        away = (places[:, 0] - x[:, None]) ** 2 + (places[:, 2] - there) ** 2
        # Passes nearly through isolated footprints, and through the mean of crowded ones.
        weight = 1.0 / (away / spacing**2 + 0.05) ** 2
        row[:] = weight @ places[:, 1] / weight.sum(axis=1)
    return HeightArray(heights, spacing, (float(start[0]), float(start[2])))
