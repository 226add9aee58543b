"""Support polygons: convex hulls, and how far points are inside of them, for many at once."""

from typing import Any

import numpy as np

from twobone.core.array_types import NDArray

BLOCK = 2_000_000  # numbers at once


def signed_distance(
    points: NDArray[Any], corners: NDArray[Any], counted: NDArray[np.bool]
) -> NDArray[np.float64]:
    """Return the distance of points to the edge of convex hulls, negative outside.

    Parameters
    ----------
    points : array, shape (T, 2)
        A point for each hull.
    corners : array, shape (T, L, 2)
        What the hulls are spanned by.
    counted : array of bool, shape (T, L)
        Which of the corners there are.

    Returns
    -------
    array, shape (T)
        Minus the distance where a hull is a segment or a point, -inf where it is nothing.

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
    """Return the distances of the origin.

    In a direction u a hull reaches as far as its farthest corner. Inside, the least of that
    over all directions is the distance to the edge, and it is found square to an edge: among
    the directions square to the ways between any two corners. Where it is negative the
    origin is outside, and the nearest point of the hull is on one of those ways.
    """
    first, second = np.triu_indices(corners.shape[1])  # also each with itself: a point
    a, way = corners[:, first], corners[:, second] - corners[:, first]
    used = counted[:, first] & counted[:, second]
    square = np.sum(way * way, axis=-1)
    apart = used & (square > 0.0)
    inside = _least_reach(corners, counted, way, square, apart)
    # Rounding may put the corners of a flat hull a little beside its line; a point has no ways.
    scale = np.max(np.abs(corners), axis=(1, 2), where=counted[..., None], initial=0.0)
    within = (inside > 4e-15 * scale) & np.any(apart, axis=1)
    outside = _distance_to_ways(a, way, square, used)
    lost = np.any(np.isnan(corners).any(axis=-1) & counted, axis=1)
    return np.where(lost, np.nan, np.where(within, inside, 0.0 - outside))


def _least_reach(corners, counted, way, square, apart):
    length = np.sqrt(np.where(apart, square, 1.0))
    across = np.stack([way[..., 1], -way[..., 0]], axis=-1) / length[..., None]
    along = np.einsum("tpd,tld->tpl", across, corners)
    there = np.broadcast_to(counted[:, None], along.shape)
    most = np.max(along, axis=-1, where=there, initial=-np.inf)
    least = np.min(along, axis=-1, where=there, initial=np.inf)
    return np.min(np.minimum(most, -least), axis=-1, where=apart, initial=np.inf)


def _distance_to_ways(a, way, square, used):
    safe = np.where(square > 0.0, square, 1.0)
    share = np.clip(-np.sum(a * way, axis=-1) / safe, 0.0, 1.0)
    nearest = a + share[..., None] * way
    return np.min(np.hypot(*np.moveaxis(nearest, -1, 0)), axis=-1, where=used, initial=np.inf)


def hull(points: NDArray[Any]) -> list[int]:
    """Return which points, shape (N, 2), are corners of their hull, in order (Andrew's chain)."""
    order = np.lexsort(points.T[::-1]).tolist()
    if len(order) < 3:
        return order
    found = []
    for chain in (order, order[::-1]):
        corners = []
        for i in chain:
            while len(corners) > 1 and _turn(*points[[*corners[-2:], i]]) <= 0.0:
                corners.pop()
            corners.append(i)
        found += corners[:-1]
    return found


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
