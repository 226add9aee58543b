"""Support polygons: signed distances to batches of convex hulls, and the hull of points."""

import functools
from typing import Any

import numpy as np

from twobone.core.array_types import NDArray

BLOCK = 2_000_000  # maximum size of a temporary array


def signed_distance(
    points: NDArray[Any], corners: NDArray[Any], counted: NDArray[np.bool]
) -> NDArray[np.float64]:
    """Return the distance of points to the boundary of convex hulls, negative outside.

    Parameters
    ----------
    points : array, shape (T, 2)
        One point for each hull.
    corners : array, shape (T, L, 2)
        Points that span the hulls.
    counted : array of bool, shape (T, L)
        Which of `corners` to use.

    Returns
    -------
    array, shape (T)
        The signed distances. If a hull is a segment or a point, minus the distance to it; if no
        corner counts, -inf; if a corner that counts is NaN, NaN.

    Examples
    --------
    >>> square = np.array([[[0, 0], [2, 0], [2, 2], [0, 2]]])
    >>> signed_distance(np.array([[1.0, 0.5]]), square, np.ones((1, 4), bool))
    array([0.5])
    """
    frames, legs = counted.shape
    found = np.empty(frames)
    size = max(1, BLOCK // max(1, legs**3))
    for start in range(0, frames, size):
        part = slice(start, start + size)
        from_point = corners[part] - points[part, None]
        found[part] = _of_block(from_point, counted[part])
    return found


def _of_block(corners, counted):
    """Return the signed distances of the origin.

    The extent of a hull in a direction u is the maximum of u . corner. If the origin is inside, its
    distance to the boundary is the minimum extent over all directions. That minimum occurs at the
    normal of an edge, so it is enough to try the normals of the segments between any two corners.
    If it is negative, the origin is outside, and the nearest point is on one of those segments.
    """
    first, second = _pairs(corners.shape[1])
    a, segment = corners[:, first], corners[:, second] - corners[:, first]
    used = counted[:, first] & counted[:, second]
    square = np.sum(segment * segment, axis=-1)
    apart = used & (square > 0.0)
    inside = _least_reach(corners, counted, segment, square, apart)
    # Rounding may move the corners of a degenerate hull slightly off its line; a single point has
    # no segments.
    scale = np.max(np.abs(corners), axis=(1, 2), where=counted[..., None], initial=0.0)
    within = (inside > 4e-15 * scale) & np.any(apart, axis=1)
    outside = _distance_to_segments(a, segment, square, used)
    lost = np.any(np.isnan(corners).any(axis=-1) & counted, axis=1)
    return np.where(lost, np.nan, np.where(within, inside, 0.0 - outside))


@functools.lru_cache(maxsize=16)
def _pairs(count):
    """Return the indices of all pairs of corners; each with itself too, for single points."""
    return np.triu_indices(count)


def _least_reach(corners, counted, segment, square, apart):
    length = np.sqrt(np.where(apart, square, 1.0))
    across = np.stack([segment[..., 1], -segment[..., 0]], axis=-1) / length[..., None]
    x, z = (across[..., None, axis] * corners[:, None, :, axis] for axis in (0, 1))
    along = x + z
    there = np.broadcast_to(counted[:, None], along.shape)
    most = np.max(along, axis=-1, where=there, initial=-np.inf)
    least = np.min(along, axis=-1, where=there, initial=np.inf)
    return np.min(np.minimum(most, -least), axis=-1, where=apart, initial=np.inf)


def _distance_to_segments(a, segment, square, used):
    safe = np.where(square > 0.0, square, 1.0)
    fraction = np.clip(-np.sum(a * segment, axis=-1) / safe, 0.0, 1.0)
    nearest = a + fraction[..., None] * segment
    distance = np.sqrt(np.sum(nearest * nearest, axis=-1))
    return np.min(distance, axis=-1, where=used, initial=np.inf)


def hull(points: NDArray[Any]) -> list[int]:
    """Return the indices of the corners of a convex hull, in order (Andrew's monotone chain).

    `points` has shape (N, 2).
    """
    order = np.lexsort(points.T[::-1]).tolist()
    if len(order) < 3:
        return order
    found = []
    for chain in (order, order[::-1]):
        corners = []
        for i in chain:
            while len(corners) > 1 and _orientation(*points[[*corners[-2:], i]]) <= 0.0:
                corners.pop()
            corners.append(i)
        found += corners[:-1]
    return found


def _orientation(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
