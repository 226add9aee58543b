"""The formulas in common use, written plainly in NumPy: what others would write, to compare with.

`(target, r1, r2, side, pole) -> joint`, in the dtype of the target; bones and side are numbers or
an array each, the pole is None in the plane.
"""

import numpy as np


def article(target, r1, r2, side, pole):
    """One division, as in Inigo Quilez's article."""
    h = np.sum(target * target, axis=-1)
    w = h + r1 * r1 - r2 * r2
    s = np.maximum(4 * r1 * r1 * h - w * w, 0)
    across = _across(target, pole) * np.sqrt(h)[:, None]
    return (w[:, None] * target + (side * np.sqrt(s))[:, None] * across) / (2 * h)[:, None]


def heron(target, r1, r2, side, pole):
    """The height of the triangle from its area."""
    d = np.sqrt(np.sum(target * target, axis=-1))
    half = (r1 + r2 + d) / 2
    area = np.sqrt(np.maximum(half * (half - r1) * (half - r2) * (half - d), 0))
    along = (d * d + r1 * r1 - r2 * r2) / (2 * d)
    height = side * 2 * area / d
    return along[:, None] * target / d[:, None] + height[:, None] * _across(target, pole)


def cosines(target, r1, r2, side, pole):
    """The law of cosines: acos, cos, sin."""
    d = np.sqrt(np.sum(target * target, axis=-1))
    angle = np.arccos(np.clip((d * d + r1 * r1 - r2 * r2) / (2 * d * r1), -1, 1))
    first = r1[:, None] if np.ndim(r1) else r1
    if pole is None:
        way = np.arctan2(target[:, 1], target[:, 0]) + side * angle
        return first * np.stack([np.cos(way), np.sin(way)], axis=-1)
    u, v = target / d[:, None], _across(target, pole)
    turned = (side * np.sin(angle))[:, None]
    return first * (np.cos(angle)[:, None] * u + turned * v)


def _across(target, pole):
    """Return the unit vector square to the target: to the left, or towards the pole."""
    if pole is None:
        v = np.stack([-target[:, 1], target[:, 0]], axis=-1)
    else:
        h = np.sum(target * target, axis=-1, keepdims=True)
        v = pole - target * (np.sum(target * pole, axis=-1, keepdims=True) / h)
    return v / np.sqrt(np.sum(v * v, axis=-1, keepdims=True))
