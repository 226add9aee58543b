"""Rendering of the ground: its depth and shading in each pixel.

Each column of pixels sees a vertical plane, so its ground is a profile of heights from near to
far. A point is hidden if a nearer point of the profile is seen above it. A tilted camera has no
such columns: each of its rays goes on by as much as the ground, however steep, cannot be before.
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
APART = 1.02  # ratio of depths of two profiles between which nothing is interpolated
MARCH, NEARLY = 32, 1e-4  # most steps of a ray, and how near it ends, in units as above
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
    steep: float  # the greatest slope


class Profiles(NamedTuple):
    """What every `post`-th column of a picture sees, line by line, from near to far."""

    rows: np.ndarray  # (lines, profiles): where lines are seen
    shade: list  # arrays (lines, profiles)
    inverse: np.ndarray  # (lines): 1 / depth, which is linear in the picture
    post: int

    def widened(self):
        """Return the profiles of all columns between these."""
        shade = [_widened(values, self.post) for values in self.shade]
        return Profiles(_widened(self.rows, self.post), shade, self.inverse, 1)


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
        steep = float(np.sqrt(np.max(along_x**2 + along_z**2)))
        return Table(_pack(heights - base, light, hollow), base, float(heights.max()), steep)

    def see(self, camera):
        """Return the ground that a camera sees, as `Seen`."""
        corner, table = self._around(camera)
        if camera.is_tilted():
            return self._march(camera, corner, table)
        ahead = self._lines(camera, table.top - camera.place[1])
        width, rows = camera.size
        post = max(1, int(POST * CELL * camera.focal))  # columns, at the animal's distance
        cells = -(-width // post)
        posts = post * np.arange(cells + 1) - camera.middle[0]
        level, *shade = _between(table.nodes, *self._nodes(camera, corner, ahead, posts))
        level += np.float32(table.base - camera.place[1])
        level *= (-camera.focal / ahead)[:, None]
        level += np.float32(camera.middle[1])  # rows
        inverse = (1.0 / ahead).astype(np.float32)
        *found, crests = _fill(Profiles(level, shade, inverse, post), rows)
        inside = crests[1] < width
        ahead, light, hollow = (np.ascontiguousarray(values[:, :width]) for values in found)
        return Seen(ahead, light, hollow, tuple(part[inside] for part in crests))

    def _march(self, camera, corner, table):
        """Return the ground that a tilted camera sees."""
        across, up = camera.rays()
        right, above, straight = camera.axes.astype(np.float32)
        ways = [
            straight[axis] + across * right[axis] + up[:, None] * above[axis] for axis in range(3)
        ]
        eye, fall = camera.place[1], np.minimum(ways[1], np.float32(-1e-6))
        ahead = np.maximum(np.float32(table.top - eye) / fall, np.float32(0.0))
        closing = np.float32(table.steep) * np.hypot(ways[0], ways[2]) - fall
        for _ in range(MARCH):
            # A ray towards the sky goes far beyond the fog.
            np.minimum(ahead, np.float32(10.0 * FARTHEST * camera.unit), out=ahead)
            place = [
                (camera.place[axis] / self.cell - first) + ahead * (ways[axis] / self.cell)
                for axis, first in ((0, corner[0]), (2, corner[1]))
            ]
            level, light, hollow = _between(table.nodes, *_cells(*place))
            gap = (ahead * fall - level) + np.float32(eye - table.base)
            if np.max(gap) <= NEARLY * camera.unit:
                break
            ahead += gap / closing
        ahead = np.where(ahead < FARTHEST * camera.unit, ahead, np.float32(np.inf))
        nowhere = np.zeros(0, np.intp)
        return Seen(ahead, light, hollow, (nowhere, nowhere, np.zeros(0, np.float32)))

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
        places = []
        for axis, first in ((0, corner[0]), (2, corner[1])):
            start = camera.place[axis] / self.cell - first
            step = camera.axes[2, axis] + columns * (camera.axes[0, axis] / camera.focal)
            places.append(
                ahead[:, None] * (step / self.cell).astype(np.float32) + np.float32(start)
            )
        return _cells(*places)


def _cells(*places):
    """Return the node before each place, given in cells from the corner, and the fractions."""
    index, fractions = 0, []
    for place in places:
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


def _fill(profiles, rows):
    """Return the depth and the shades of each pixel of so many rows, and the crests, see `Seen`.

    Where neighbouring profiles see about the same depth, pixels between them are interpolated.
    Elsewhere, as at a crest that rises from one to the other, each is looked up.
    """
    crest = _accumulated(np.minimum, profiles.rows.copy())  # rows count downwards
    middles = np.arange(rows, dtype=np.float32)[:, None] + np.float32(0.5)
    columns = np.arange(crest.shape[1])
    found = _look_up(profiles, crest, _count(crest, rows), columns, middles)
    out = [_widened(values, profiles.post) for values in found]
    at, cell = np.nonzero(_differ(found[0]))
    crest = None
    if len(at):
        at = np.repeat(at, profiles.post)
        column = (cell[:, None] * profiles.post + np.arange(profiles.post)).reshape(-1)
        every = profiles.widened()
        crest = _accumulated(np.minimum, every.rows.copy())
        middle = middles[at, 0]
        line = _search(crest, column, middle)
        for target, values in zip(out, _look_up(every, crest, line, column, middle), strict=True):
            target[at, column] = values
    with np.errstate(divide="ignore"):
        ahead = np.divide(1.0, out[0], out=out[0])
    at, column = np.nonzero(ahead[:-1] > STEEP * ahead[1:])
    if crest is None:
        crest = _accumulated(np.minimum, _widened(profiles.rows, profiles.post))
    # The last line below the pixel above it is hidden: what is seen there is the crest.
    line = np.clip(_search(crest, column, at + 0.5), 1, len(crest) - 1) - 1
    rise = at + 1 - crest[line, column]
    return *out, (at + 1, column, np.clip(rise, -0.5, 0.5))


def _differ(inverse):
    """Return whether two neighbouring profiles see different depths, in each row."""
    low, high = inverse[:, :-1], inverse[:, 1:]
    return np.maximum(low, high) > APART * np.minimum(low, high)


def _count(crest, rows):
    """Return how many lines are seen at or below the middle of each of so many rows.

    `crest` is the highest row so far at which a line is seen, (lines, columns).
    """
    lines, width = crest.shape
    # A line covers all pixels whose centre is below it; this is the topmost of them. Lines above
    # the picture go to row 0.
    topmost = np.clip(np.floor(crest + 0.5), 0, rows).astype(np.intp)
    marks = np.zeros((rows + 1) * width, np.int16)
    # Several lines may fall on a pixel: written from near to far, the farthest stays.
    marks[topmost * width + np.arange(width)] = np.arange(1, lines + 1, dtype=np.int16)[:, None]
    marks = marks.reshape(rows + 1, width)[::-1]
    return _accumulated(np.maximum, marks)[::-1][1:].astype(np.intp)


def _search(crest, columns, rows):
    """Return what `_count` does, in a few places: columns and rows, which may be fractions."""
    low, high = np.zeros(len(columns), np.intp), np.full(len(columns), len(crest))
    for _ in range(len(crest).bit_length()):
        middle = (low + high) // 2
        below = (middle < high) & (crest[np.minimum(middle, len(crest) - 1), columns] >= rows)
        low, high = np.where(below, middle + 1, low), np.where(below, high, middle)
    return low


def _look_up(profiles, crest, count, columns, middles):
    """Return 1 / depth and the shades at the middles of pixels, given the lines below them."""
    lines, width = crest.shape
    upper = np.minimum(count, lines - 1)
    lower = np.maximum(upper - 1, 0)
    above, below = upper * width + columns, lower * width + columns
    low, high = profiles.rows.take(below), crest.take(above)
    share = low - middles
    low -= high
    share /= np.maximum(low, 1e-6, out=low)
    np.clip(share, 0.0, 1.0, out=share)
    found = []
    for values, near, far in [
        (profiles.inverse, lower, upper),
        *((values, below, above) for values in profiles.shade),
    ]:
        near, far = values.take(near), values.take(far)
        far -= near
        far *= share
        near += far
        found.append(near)
    found[0][count >= lines] = 0.0  # sky
    return found


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
