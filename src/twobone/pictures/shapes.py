"""Triangle meshes of bones, balls, rounded boxes and ground, counter-clockwise from outside."""

from typing import NamedTuple

import numpy as np

from twobone.creature.appearance import Capsule
from twobone.rotations import rotate, rotation_vector_to_quaternion, shortest_arc
from twobone.terrain.ground import as_terrain

SIDES = 14  # of surfaces of revolution
MOST_CELLS = 6000  # of the ground; about 250 kB
CELL = 0.06  # size of a cell of the ground, in lengths of a leg
LEAST_REACH = 3.0  # of the ground from the path, in cells; narrower ground would have gaps


class Shape(NamedTuple):
    """A triangle mesh with V vertices and F triangles."""

    points: np.ndarray  # (V, 3)
    normals: np.ndarray  # (V, 3), unit vectors
    triangles: np.ndarray  # (F, 3), indices


def capsule(length, start, end, sides=SIDES, bands=1):
    """Return a bone along +y from the origin, with round ends of radii `start` and `end`.

    Between its ends it has so many bands of triangles: more than one if it is to bend.
    """
    if length == 0.0:
        return ball(max(start, end), sides=sides)
    if abs(start - end) > 0.7 * length:  # one end would contain the other
        start = end = min(start, end)
    slope = np.arcsin((start - end) / length)
    rings = max(3, round(sides / 3))
    low, high = np.linspace(-np.pi / 2, slope, rings), np.linspace(slope, np.pi / 2, rings)
    angles = np.concatenate([low, np.full(bands - 1, slope), high])
    along = np.concatenate([np.zeros(rings), np.arange(1, bands) / bands, np.ones(rings)])
    radii = start + along * (end - start)
    heights = length * along + radii * np.sin(angles)
    return _revolve(radii * np.cos(angles), heights, angles, sides)


def ball(radius, height=0.0, sides=SIDES):
    """Return a ball whose centre is at `height` on the y axis."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 2)
    return _revolve(radius * np.cos(angles), height + radius * np.sin(angles), angles, sides)


def rounded_box(half, centre=(0.0, 0.0, 0.0), power=3.0, sides=28):
    """Return a superellipsoid: |x/a|^p + |y/b|^p + |z/c|^p = 1 around `centre`.

    `half` is (a, b, c) and `power` is p: 2 is an ellipsoid, larger is closer to a box.
    """
    angles = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 3)
    points, _, triangles = _revolve(np.cos(angles), np.sin(angles), angles, sides)
    points = points / np.sum(np.abs(points) ** power, axis=-1, keepdims=True) ** (1 / power)
    normals = np.sign(points) * np.abs(points) ** (power - 1) / half
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return Shape(points * half + centre, normals, triangles)


def part_shape(part, leg, bands=1):
    """Return an `Ellipsoid` or a `Capsule` of an animal, with fewer triangles if it is small.

    `leg` is the length of the longest leg, `bands` as for `capsule`.
    """
    if not isinstance(part, Capsule):
        size = float(np.max(part.half)) / leg
        sides = 28 if size > 0.15 else 20 if size > 0.06 else 12
        shape = rounded_box(part.half, (0.0, 0.0, 0.0), part.power, sides)
        return moved(shape, rotation_vector_to_quaternion(np.array(part.turn)), part.centre)
    start, axis = np.array(part.start), np.array(part.end) - part.start
    length = float(np.linalg.norm(axis))
    shape = capsule(length, *part.radii, sides_of(max(part.radii), leg), bands)
    turn = shortest_arc([0.0, 1.0, 0.0], axis) if length > 0.0 else np.array([0.0, 0.0, 0.0, 1.0])
    return moved(shape, turn, start)


def sides_of(radius, leg):
    """Return the number of sides of a ball or bone of a radius: fewer if it is small."""
    return 18 if radius > 0.08 * leg else 12 if radius > 0.03 * leg else 8


def moved(shape, rotation, offset):
    """Return a mesh rotated by a quaternion, then moved."""
    return Shape(
        rotate(rotation, shape.points) + offset, rotate(rotation, shape.normals), shape.triangles
    )


def _revolve(radii, heights, angles, sides=SIDES):
    """Revolve a profile around the y axis; `angles` are those of its normals to the horizontal."""
    around = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    flat = np.stack([np.sin(around), np.zeros(sides), np.cos(around)], axis=-1)
    up = np.array([0.0, 1.0, 0.0])
    points = radii[:, None, None] * flat + heights[:, None, None] * up
    normals = np.cos(angles)[:, None, None] * flat + np.sin(angles)[:, None, None] * up
    low = np.arange((len(radii) - 1) * sides).reshape(-1, sides)
    right = np.roll(low, -1, axis=1)
    # Half the triangles next to the poles would have no area, and are left out.
    first = np.stack([low, right, right + sides], axis=-1)[1:]
    second = np.stack([low, right + sides, low + sides], axis=-1)[:-1]
    triangles = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
    return Shape(points.reshape(-1, 3), normals.reshape(-1, 3), triangles)


# --- ground -------------------------------------------------------------------------------


def ground(terrain, path, reach, leg):
    """Return the ground near a path.

    On a long path cells are larger, so that there are at most `MOST_CELLS`. The ground extends at
    least `LEAST_REACH` cells from the path.

    Parameters
    ----------
    terrain : number, terrain or callable
        As for `as_terrain`.
    path : array, shape (T, 2)
        x and z; straight from each place to the next.
    reach : float
        How far the ground extends from the path; farther if the cells are too large for that.
    leg : float
        The length of a leg, which determines the size of a cell.

    Returns
    -------
    Shape

    Raises
    ------
    CreatureError, ShapeError, ArrayTypeError
        If the terrain does not return one finite height for each place.
    """
    cell = CELL * leg
    while True:
        reach = max(reach, LEAST_REACH * cell)
        corner = np.floor((path.min(axis=0) - reach) / cell)
        counts = np.ceil((path.max(axis=0) + reach) / cell) - corner
        near = _near(path / cell - corner, reach / cell, counts)
        if near is not None:
            break
        cell *= 1.25
    rows, edge, triangles = _cells(near)
    places = (rows + corner) * cell
    places[edge] = _round_off(places[edge], path, reach)
    return _lay(terrain, places, _from_above(places, triangles, cell), 0.1 * cell)


def _near(path, reach, counts):
    """Return which cells are within reach of a path, both in units of cells; None if too many."""
    wide, deep = map(int, counts)
    if wide * deep > 100 * MOST_CELLS:
        return None
    near = np.zeros((wide, deep), bool)
    some = _along(path, 1.0)
    if len(some) > MOST_CELLS:  # they are in as many cells, all of which are near
        return None
    for x, z in some:
        low = np.maximum(np.floor([x - reach, z - reach]).astype(int), 0)
        rows = np.arange(low[0], min(int(x + reach) + 1, wide))
        columns = np.arange(low[1], min(int(z + reach) + 1, deep))
        inside = np.hypot(rows[:, None] + 0.5 - x, columns + 0.5 - z) <= reach
        near[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] |= inside
    return near if near.sum() <= MOST_CELLS else None


def _along(path, size):
    """Return places along a path: one in each square of a size that it crosses."""
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=-1)
    steps = np.concatenate([[0.0], np.cumsum(lengths)])
    even = np.linspace(0.0, steps[-1], int(np.ceil(2.0 * steps[-1] / size)) + 1)
    places = np.stack([np.interp(even, steps, values) for values in path.T], axis=-1)
    _, some = np.unique(np.floor(places / size), axis=0, return_index=True)
    return places[some]


def _cells(near):
    """Return corners (V, 2) of cells, which of them are at the edge, and two triangles per cell."""
    i, k = np.nonzero(near)
    corners = np.stack([[i, k], [i, k + 1], [i + 1, k + 1], [i + 1, k]], axis=-1)  # (2, n, 4)
    width = near.shape[1] + 1
    names, numbers, uses = np.unique(
        corners[0] * width + corners[1], return_inverse=True, return_counts=True
    )
    numbers = numbers.reshape(-1, 4)
    triangles = np.concatenate([numbers[:, [0, 1, 2]], numbers[:, [0, 2, 3]]])
    return np.stack(divmod(names, width), axis=-1), uses < 4, triangles


def _round_off(places, path, reach):
    """Move places at the edge to the distance `reach` from the path, for a smooth edge."""
    along = _along(path, reach / 25)
    nearest = np.empty_like(places)
    for i, place in enumerate(places):
        nearest[i] = along[np.argmin(np.sum((along - place) ** 2, axis=-1))]
    away = places - nearest
    return nearest + reach * away / np.linalg.norm(away, axis=-1, keepdims=True)


def _from_above(places, triangles, cell):
    """Leave out triangles that smoothing the edge has flattened or flipped."""
    a, b, c = (places[triangles[:, i]] for i in range(3))
    (ux, uz), (vx, vz) = (b - a).T, (c - a).T
    return triangles[uz * vx - ux * vz > 1e-3 * cell**2]


def _lay(terrain, places, triangles, step):
    """Return the mesh of the ground; normals by central differences with a given step."""
    x, z = places.T
    height = as_terrain(terrain).height
    slopes = [
        (height(x + a, z + b) - height(x - a, z - b)) / (2 * step)
        for a, b in ((step, 0.0), (0.0, step))
    ]
    normals = np.stack([-slopes[0], np.ones(len(x)), -slopes[1]], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return Shape(np.stack([x, height(x, z), z], axis=-1), normals, triangles)
