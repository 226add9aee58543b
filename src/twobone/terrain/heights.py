"""Heights of the landforms at one place, in numbers alone.

They have the bits of `Terrain.height`, which takes arrays. A walker asks for a few places at a
time, for which arrays are slow.
"""

from __future__ import annotations

import math
from typing import NamedTuple

# Added to a number and subtracted again, it rounds it to the nearest whole one, as `numpy.rint`.
WHOLE = 6755399441055744.0
# Of the cosine of t turns, from -1/2 to 1/2, as a polynomial in t^2 that interpolates at
# Chebyshev's nodes, but for the first coefficient, which is 1. The error is below 1e-15.
COSINE_1 = -19.739208802178684
COSINE_2 = 64.93939402266314
COSINE_3 = -85.45681720637177
COSINE_4 = 60.24464136156249
COSINE_5 = -26.426256590531025
COSINE_6 = 7.903534122041613
COSINE_7 = -1.7143738447256551
COSINE_8 = 0.2819245703565778
COSINE_9 = -0.03613799133425832
COSINE_10 = 0.003359676254891574


class Wave(NamedTuple):
    """A plane wave: turns for each unit of x and z, and its phase in turns."""

    along_x: float
    along_z: float
    phase: float


class Grid(NamedTuple):
    """Heights on a square grid, rows along z."""

    heights: tuple[tuple[float, ...], ...]
    spacing: float
    x: float  # of the first height
    z: float


class Nodes(NamedTuple):
    """Where a place is on an axis of a grid: its cell, and the place in it from 0 to 1."""

    cell: int
    part: float


def slope_height(along_x: float, along_z: float, x: float, z: float) -> float:
    """Return the height of an inclined plane through the origin."""
    return along_x * x + along_z * z


def steps_height(rise: float, run: float, face: float, z: float) -> float:
    """Return the height of a staircase along z; a face takes a fraction of the run."""
    runs = z / run
    step = math.floor(runs)
    t = (runs - step - 0.5) / face + 0.5
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    return rise * (step + t * t * (3.0 - 2.0 * t))


def noise_height(waves: tuple[Wave, ...], high: float, x: float, z: float) -> float:
    """Return the height of a sum of plane waves, each `high`."""
    total = 0.0
    for wave in waves:
        turns = wave.along_x * x + wave.along_z * z + wave.phase
        rest = turns - ((turns + WHOLE) - WHOLE)
        u = rest * rest
        c = (((COSINE_10 * u + COSINE_9) * u + COSINE_8) * u + COSINE_7) * u + COSINE_6
        c = (((c * u + COSINE_5) * u + COSINE_4) * u + COSINE_3) * u + COSINE_2
        total += (c * u + COSINE_1) * u + 1.0
    return high * total


def grid_height(grid: Grid, x: float, z: float) -> float:
    """Return the height of a bicubic Catmull-Rom spline through a grid of heights."""
    columns = len(grid.heights[0])
    rows = len(grid.heights)
    across = nodes_at((x - grid.x) / grid.spacing, columns)
    along = nodes_at((z - grid.z) / grid.spacing, rows)
    total = 0.0
    for i in range(4):
        row = grid.heights[kept(along.cell + i - 1, rows)]
        line = 0.0
        for j in range(4):
            line += weight(j, across.part) * row[kept(across.cell + j - 1, columns)]
        total += weight(i, along.part) * line
    return total


def nodes_at(place: float, count: int) -> Nodes:
    """Return where a place is on an axis, in units of the spacing; at most two cells outside."""
    most = count + 1.0
    clipped = -2.0 if place < -2.0 else most if place > most else place
    cell = math.floor(clipped)
    return Nodes(cell, clipped - cell)


def kept(node: int, count: int) -> int:
    """Return the node of the border for one beyond it."""
    return 0 if node < 0 else count - 1 if node >= count else node


def weight(node: int, t: float) -> float:
    """Return the weight of one of the four nodes around a place."""
    if node == 0:
        return 0.5 * t * ((2.0 - t) * t - 1.0)
    if node == 1:
        return 0.5 * (t * t * (3.0 * t - 5.0) + 2.0)
    if node == 2:
        return 0.5 * t * ((4.0 - 3.0 * t) * t + 1.0)
    return 0.5 * t * t * (t - 1.0)
