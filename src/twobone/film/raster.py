"""Rasterization: the pixels that may see each of many solids, given as convex hulls of balls."""

from typing import NamedTuple

import numpy as np

NEAR = 0.02  # minimum depth of what is drawn, in distances of the camera from the animal
MARGIN = 0.75  # px: the corner of a pixel is at most .71 from its centre


class Pixels(NamedTuple):
    """Pairs of a pixel and a solid that it may see, n in all, ordered by solid."""

    rows: np.ndarray  # (n)
    columns: np.ndarray
    owner: np.ndarray  # (n): index of the solid

    def some(self, which):
        """Return some of the pairs."""
        return Pixels(*(part[which] for part in self))


def rasterize(camera, middles, radii, margin=MARGIN):
    """Return the `Pixels` of solids, each inside the convex hull of k balls.

    Parameters
    ----------
    camera : Camera
    middles : array, shape (n, k, 3)
        In the camera's space. Solids that reach behind the camera are left out.
    radii : array, shape (n, k)
    margin : float
        In px, added on all sides.
    """
    some, middles, radii = _in_front(camera, middles, radii)
    if len(some) == 0:
        none = np.zeros(0, np.intp)
        return Pixels(none, none, none)
    ways = _directions(middles)
    low, high = _limits(camera, middles, radii, ways, margin)
    # The first two directions are those of the picture: to the right, and up.
    column, row = camera.middle
    rows, owner = _expand(*_inside(row - high[:, 1], row - low[:, 1], camera.size[1]))
    up = row - rows - 0.5
    left, right = low[owner, 0], high[owner, 0]
    for way in (2, 3):
        across, rise = ways[owner, way].T
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = (np.stack([low[owner, way], high[owner, way]]) - rise * up) / across
        level = np.abs(across) < 1e-6  # it limits rows, which are limited already
        left = np.where(level, left, np.maximum(left, ends.min(axis=0)))
        right = np.where(level, right, np.minimum(right, ends.max(axis=0)))
    columns, span = _expand(*_inside(left + column, right + column, camera.size[0]))
    return Pixels(rows[span], columns, some[owner[span]])


def rectangle(camera, middles, radii):
    """Return rows and columns, as slices, that contain solids (see `rasterize`) in the picture.

    They start and end at even numbers. None if there is no such solid.
    """
    _, middles, radii = _in_front(camera, middles, radii)
    if len(middles) == 0:
        return None
    low, high = _limits(camera, middles, radii, np.eye(2)[None], MARGIN)
    (left, low), (right, high) = low.min(axis=0), high.max(axis=0)
    column, row = camera.middle
    limits = (row - high, row - low), (left + column, right + column)
    found = []
    for (first, last), most in zip(limits, camera.size[::-1], strict=True):
        first, last = _inside(first, last, most)
        if first > last:
            return None
        found.append(slice(int(first) // 2 * 2, int(last) // 2 * 2 + 2))
    return tuple(found)


def _in_front(camera, middles, radii):
    """Return the indices of solids in front of the camera, and their balls."""
    middles, radii = np.asarray(middles, np.float64), np.asarray(radii, np.float64)
    some = np.nonzero(np.min(middles[..., 2] - radii, axis=1) >= NEAR * camera.unit)[0]
    return some, middles[some], radii[some]


def _limits(camera, middles, radii, ways, margin):
    """Return how far solids reach in each direction and its opposite, in px, (n, ways) each."""
    low, high = -_farthest(middles, radii, -ways), _farthest(middles, radii, ways)
    return camera.focal * low - margin, camera.focal * high + margin


def _directions(middles):
    """Return four directions in the picture per solid, (n, 4, 2): its axes and the solid's."""
    flat = middles[..., :2] / middles[..., 2:]
    flat = flat - flat.mean(axis=1, keepdims=True)
    x, y = flat[..., 0], flat[..., 1]
    angle = 0.5 * np.arctan2(2.0 * np.sum(x * y, axis=1), np.sum(x * x - y * y, axis=1))
    ways = np.zeros((len(middles), 4, 2))
    ways[:, 0, 0] = ways[:, 1, 1] = 1.0
    ways[:, 2] = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    ways[:, 3] = np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
    return ways


def _farthest(middles, radii, ways):
    """Return how far balls reach in each direction in the picture at depth 1, (n, ways)."""
    along = middles[:, :, :2] @ np.swapaxes(ways, 1, 2)  # (n, k, ways)
    ahead, size = middles[:, :, 2:], radii[..., None]
    # The plane through the eye that touches the ball.
    apart = ahead * ahead - size * size
    root = np.sqrt(along * along + apart)
    return np.max((along * ahead + size * root) / apart, axis=1)


def _inside(low, high, most):
    """Return the first and the last pixel with a centre from `low` to `high`, in the picture."""
    first = np.clip(np.ceil(low - 0.5), 0, most).astype(np.intp)
    last = np.clip(np.floor(high - 0.5), -1, most - 1).astype(np.intp)
    return first, last


def _expand(first, last):
    """Return all whole numbers of n ranges, ends included, and the range of each."""
    count = np.maximum(last - first + 1, 0)
    owner = np.repeat(np.arange(len(count)), count)
    start = np.cumsum(count) - count
    return np.arange(len(owner)) + (first - start)[owner], owner
