"""Visibility: the pixels that show solids, with antialiased edges.

One ray through the middle of each pixel finds the nearest solid. Only where neighbouring pixels
see different solids, four rays do, at the corners of a rotated square, so that edges of any
direction are antialiased.
"""

from typing import NamedTuple

import numpy as np

from twobone.film.raster import rasterize
from twobone.film.rays import cast

# Offsets, in columns and rows, of the rays of a pixel at an edge.
CORNERS = np.array([[0.125, -0.375], [0.375, 0.125], [-0.125, 0.375], [-0.375, -0.125]])


class Fragments(NamedTuple):
    """Parts of pixels, n in all; of pixels at edges, there may be several."""

    owner: np.ndarray  # (n): index of the solid, in ascending order
    rows: np.ndarray  # (n)
    columns: np.ndarray
    share: np.ndarray  # (n), float32: the fraction of the pixel
    depth: np.ndarray  # (n), float32: of the solid, on average over the fragment


def find(camera, solids, ahead):
    """Return the `Fragments` of solids that are nearer than the ground.

    Parameters
    ----------
    camera : Camera
    solids : Solids
    ahead : Window
        The depth of the ground. It contains all pixels that may see a solid.
    """
    pixels = rasterize(camera, solids.middles, solids.radii)
    flat = ahead.index(pixels.rows, pixels.columns)
    depth = cast(solids, pixels.owner, *_rays(camera, pixels))
    shape = ahead.values.shape
    nearest = _nearest(flat, depth, ahead.values.reshape(-1).copy())
    seen = np.append(pixels.owner, -1).astype(np.int16)[nearest].reshape(shape)
    share = np.zeros(len(flat), np.float32)
    share[nearest[nearest >= 0]] = 1.0
    edge = _edges(seen)
    pairs = np.nonzero(edge.take(flat))[0]
    share[pairs] = 0.0
    pairs = pairs[_is_near(seen, flat[pairs], pixels.owner[pairs])]
    _split(camera, solids, pixels.some(pairs), ahead, (flat[pairs], pairs, edge), share, depth)
    pairs = np.nonzero(share)[0]
    owner, rows, columns = pixels.owner[pairs], pixels.rows[pairs], pixels.columns[pairs]
    return Fragments(owner, rows, columns, share[pairs], depth[pairs])


def _rays(camera, pixels, aside=(0.0, 0.0)):
    across, up = camera.rays(aside)
    return across.take(pixels.columns), up.take(pixels.rows)


def _nearest(flat, depth, nearest):
    """Return for each place the number of the pair of least depth, -1 if `nearest` is less."""
    np.minimum.at(nearest, flat, depth)
    found = np.full(len(nearest), -1, np.int32)
    seen = np.nonzero((depth == nearest.take(flat)) & (depth < np.inf))[0]
    found[flat[seen]] = seen  # of equal ones, one
    return found


def _edges(seen):
    """Return whether a pixel or one of its four neighbours sees another solid than it, flat."""
    edge = np.zeros(seen.shape, bool)
    beside, below = seen[:, 1:] != seen[:, :-1], seen[1:] != seen[:-1]
    edge[:, 1:] |= beside
    edge[:, :-1] |= beside
    edge[1:] |= below
    edge[:-1] |= below
    return edge.reshape(-1)


def _is_near(seen, flat, owner):
    """Return for pairs of pixel and solid whether the pixel or one of its neighbours sees it."""
    width = seen.shape[1]
    around = np.concatenate([np.full(width + 1, -1), seen.reshape(-1), np.full(width + 1, -1)])
    found = np.zeros(len(flat), bool)
    for down in (0, width, 2 * width):
        for aside in (0, 1, 2):
            found |= around.take(flat + (down + aside)) == owner
    return found


def _split(camera, solids, pixels, ahead, at_edge, share, depth):
    """Cast four rays per pixel at edges; put in the share and the mean depth of those that hit."""
    flat, pairs, edge = at_edge
    places = np.nonzero(edge)[0]
    numbers = np.empty(len(edge), np.intp)
    numbers[places] = np.arange(len(places))
    rays = zip(*(_rays(camera, pixels, aside) for aside in CORNERS), strict=True)
    x, y = (np.stack(part, axis=-1).reshape(-1) for part in rays)
    far = cast(solids, np.repeat(pixels.owner, 4), x, y)
    index = (4 * numbers.take(flat)[:, None] + np.arange(4)).reshape(-1)
    nearest = _nearest(index, far, np.repeat(ahead.values.reshape(-1)[places], 4))
    seen = nearest.take(index) == np.arange(len(far))
    far[~seen] = 0.0
    count = seen.reshape(-1, 4).sum(axis=1, dtype=np.float32)
    share[pairs] = 0.25 * count
    depth[pairs] = far.reshape(-1, 4).sum(axis=1) / np.maximum(count, 1.0)
