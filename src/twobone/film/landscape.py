"""Rendering of the ground: its depth and shading in each pixel.

Each column of pixels sees a vertical plane, so its ground is a profile of heights from near to
far. A point is hidden if a nearer point of the profile is seen above it.
"""

import itertools
from functools import lru_cache
from typing import NamedTuple

import numpy as np

NEAREST = 0.3  # depth of the nearest ground, in distances of the camera from the animal
FARTHEST = 3.4  # depth of the farthest ground, in the same unit; fog hides it
NODES = 384  # nodes of the table of heights, along each side
CELL = 1.0 / 110.0  # spacing of its nodes, in the same unit
HOP = 48  # nodes; the table moves with the camera in steps of this size
LINES = 300  # number of heights from near to far
POST = 0.6  # distance of profiles, between which heights are interpolated, in cells of the table
STEEP = 1.05  # ratio of depths of neighbouring pixels between which there is a crest
RELIEF = 0.9  # how much lighter crests are than hollows


class Seen(NamedTuple):
    """The ground in each pixel, (rows, columns) of float32."""

    ahead: np.ndarray  # depth; inf where there is no ground
    light: np.ndarray  # fraction of the key light received, by the slope alone
    hollow: np.ndarray  # light from the sky, about 1, less in hollows
    crests: tuple  # rows and columns of the pixels below crests, and how far these are above them


class Table(NamedTuple):
    """Heights and shades at the nodes of a square."""

    nodes: np.ndarray  # (NODES * NODES) of complex128: four of float32, see `_pack`
    base: float  # height from which those of the nodes are measured
    top: float  # height of the highest node


class Landscape:
    """Ground whose heights are computed once per place, not once per frame.

    Parameters
    ----------
    height : callable
        `height(x, z)`.
    unit : float
        The distance of the camera from the animal.
    sun : array, shape (3)
        The direction towards the key light, in the world.
    """

    def __init__(self, height, unit, sun):
        self.height = height
        self.cell = CELL * unit
        self.sun = sun
        # Frames are drawn in parallel. A table depends on its place alone, so they can share it.
        self._table = lru_cache(maxsize=4)(self._make_table)

    def _make_table(self, i, k):
        """Return the table of nodes (x, z) that starts at a corner of a lattice."""
        x = (i + np.arange(NODES)) * self.cell
        z = (k + np.arange(NODES)) * self.cell
        heights = self.height(*np.meshgrid(x, z, indexing="ij"))
        along_x, along_z = np.gradient(heights, self.cell)
        facing = self.sun[1] - along_x * self.sun[0] - along_z * self.sun[2]
        light = np.maximum(facing / np.sqrt(1.0 + along_x**2 + along_z**2), 0.0)
        reach = 10
        hollow = 1.0 + RELIEF * np.clip(
            (heights - _blurred(heights, reach)) / (reach * self.cell), -0.6, 0.4
        )
        base = float(heights[NODES // 2, NODES // 2])
        return Table(_pack(heights - base, light, hollow), base, float(heights.max()))

    def see(self, camera):
        """Return the ground that a camera sees, as `Seen`."""
        corner, table = self._around(camera)
        ahead = self._lines(camera, table.top - camera.place[1])
        width, rows = camera.size
        post = max(1, int(POST * CELL * camera.focal))  # columns, at the animal's distance
        cells = -(-width // post)
        posts = post * np.arange(cells + 1) - camera.middle[0]
        level, *shade = _between(table.nodes, *self._nodes(camera, corner, ahead, posts))
        level += np.float32(table.base - camera.place[1])
        level *= (-camera.focal / ahead)[:, None]
        level += np.float32(camera.middle[1])  # rows
        out = [np.empty((rows, cells * post), np.float32) for _ in range(3)]
        crests = _fill(
            _widened(level, post), ahead, [_widened(values, post) for values in shade], out
        )
        inside = crests[1] < width
        ahead, light, hollow = (np.ascontiguousarray(values[:, :width]) for values in out)
        return Seen(ahead, light, hollow, tuple(part[inside] for part in crests))

    def _around(self, camera):
        """Return the corner of the table that covers a camera's view, and the table."""
        middle = camera.place + camera.axes[2] * camera.unit * 0.5 * (NEAREST + FARTHEST) * 0.86
        i, k = (
            int(HOP * round((place / self.cell - NODES // 2) / HOP)) for place in middle[[0, 2]]
        )
        return (i, k), self._table(i, k)

    def _lines(self, camera, high):
        """Return the depths at which heights are taken, evenly spaced in the picture if flat."""
        bottom = camera.size[1] - camera.middle[1] + 2.0
        near = min(camera.focal * -high / bottom, camera.unit * 0.9)
        near = max(near, NEAREST * camera.unit)
        far = FARTHEST * camera.unit
        return (1.0 / np.linspace(1.0 / near, 1.0 / far, LINES)).astype(np.float32)

    def _nodes(self, camera, corner, ahead, columns):
        """Return, for lines and columns, the node before each place and the fractions beyond it."""
        index, fractions = 0, []
        for axis, first in ((0, corner[0]), (2, corner[1])):
            start = camera.place[axis] / self.cell - first
            step = camera.axes[2, axis] + columns * (camera.axes[0, axis] / camera.focal)
            place = ahead[:, None] * (step / self.cell).astype(np.float32) + np.float32(start)
            place = np.clip(place, 0.0, NODES - 1.001, out=place)
            node = place.astype(np.intp)
            fractions.append(place - node.astype(np.float32))
            index = index * NODES + node
        return index, *fractions


def _pack(*tables):
    """Pack the values of each node into 16 bytes, which are fetched at once."""
    nodes = np.zeros((NODES * NODES, 4), np.float32)
    for column, table in enumerate(tables):
        nodes[:, column] = table.reshape(-1)
    return nodes.view(np.complex128)[:, 0]


def _between(nodes, index, across, along):
    """Interpolate the three values of each node bilinearly between four nodes."""
    a, b, c, d = (
        nodes.take(index + step).view(np.float32).reshape(*index.shape, 4)
        for step in (0, NODES, 1, NODES + 1)
    )
    a += (b - a) * across[..., None]
    c += (d - c) * across[..., None]
    a += (c - a) * along[..., None]
    return [np.ascontiguousarray(a[..., column]) for column in range(3)]


def _widened(values, post):
    """Interpolate between profiles, each of which is `post` columns from the one before it."""
    low = values[:, :-1]
    step = np.diff(values, axis=1)
    out = np.empty((*low.shape, post), np.float32)
    for column in range(post):
        np.add(low, step * np.float32((column + 0.5) / post), out=out[..., column])
    return out.reshape(len(values), -1)


def _fill(seen, ahead, shade, out):
    """Fill columns with ground, given the rows at which lines are seen; `out` is three pictures.

    Returns the crests, see `Seen`.
    """
    (lines, width), rows = seen.shape, len(out[0])
    crest = _accumulated(np.minimum, seen.copy())  # rows count downwards: the highest so far
    # A line covers all pixels whose centre is below it; this is the topmost of them. Lines above
    # the picture go to row 0.
    topmost = np.clip(np.floor(crest + 0.5), 0, rows).astype(np.intp)
    marks = np.zeros((rows + 1) * width, np.int16)
    columns = np.arange(width)
    # Several lines may fall on a pixel: written from near to far, the farthest stays.
    marks[topmost * width + columns] = np.arange(1, lines + 1, dtype=np.int16)[:, None]
    marks = marks.reshape(rows + 1, width)[::-1]
    after = _accumulated(np.maximum, marks)[::-1][1:]  # at or below a pixel
    sky = after >= lines
    upper = np.minimum(after, lines - 1).astype(np.intp)
    lower = np.maximum(upper - 1, 0)
    above, below = upper * width + columns, lower * width + columns
    low, high = seen.take(below), crest.take(above)
    middle = (np.arange(rows, dtype=np.float32) + 0.5)[:, None]
    share = low - middle
    low -= high
    share /= np.maximum(low, 1e-6, out=low)
    np.clip(share, 0.0, 1.0, out=share)
    # Perspective-correct interpolation: 1/depth is linear in the picture.
    inverse = (1.0 / ahead).astype(np.float32)
    near, far = inverse.take(lower), inverse.take(upper)
    far -= near
    far *= share
    near += far
    np.divide(1.0, near, out=out[0])
    out[0][sky] = np.inf
    for target, values in zip(out[1:], shade, strict=True):
        near, far = values.take(below), values.take(above)
        far -= near
        far *= share
        np.add(near, far, out=target)
    at, column = np.nonzero(out[0][:-1] > STEEP * out[0][1:])
    # The last line below the pixel above it is hidden: what is seen there is the crest.
    rise = at + 1 - crest.take(below[at, column])
    return at + 1, column, np.clip(rise, -0.5, 0.5)


def _accumulated(function, values):
    """Accumulate along columns, in place. This is faster than `accumulate`."""
    for before, after in itertools.pairwise(values):
        function(before, after, out=after)
    return values


def _blurred(values, reach):
    """Average over squares with sides of 2 reach + 1 nodes."""
    for axis in (0, 1):
        padded = np.pad(
            values, [(reach + 1, reach) if i == axis else (0, 0) for i in (0, 1)], "edge"
        )
        total = np.cumsum(padded, axis=axis)
        size = values.shape[axis]
        upper = np.take(total, np.arange(2 * reach + 1, 2 * reach + 1 + size), axis)
        values = (upper - np.take(total, np.arange(size), axis)) / (2 * reach + 1)
    return values
