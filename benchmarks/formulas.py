"""Formulas in common use, in plain NumPy, to compare with.

All have the signature `(target, r1, r2, side, pole) -> joint` and keep the dtype of the target.
Bones and side are numbers or arrays; the pole is None in the plane.
"""

import numpy as np


def article(target, r1, r2, side, pole):
    """Solve by Inigo Quilez's formula, with one division."""
    h = np.sum(target * target, axis=-1)
    w = h + r1 * r1 - r2 * r2
    s = np.maximum(4 * r1 * r1 * h - w * w, 0)
    across = _across(target, pole) * np.sqrt(h)[:, None]
    return (w[:, None] * target + (side * np.sqrt(s))[:, None] * across) / (2 * h)[:, None]


def heron(target, r1, r2, side, pole):
    """Solve by Heron's formula: the height of the triangle from its area."""
    d = np.sqrt(np.sum(target * target, axis=-1))
    half = (r1 + r2 + d) / 2
    area = np.sqrt(np.maximum(half * (half - r1) * (half - r2) * (half - d), 0))
    along = (d * d + r1 * r1 - r2 * r2) / (2 * d)
    height = side * 2 * area / d
    return along[:, None] * target / d[:, None] + height[:, None] * _across(target, pole)


def cosines(target, r1, r2, side, pole):
    """Solve by the law of cosines, with acos, cos and sin."""
    d = np.sqrt(np.sum(target * target, axis=-1))
    angle = np.arccos(np.clip((d * d + r1 * r1 - r2 * r2) / (2 * d * r1), -1, 1))
    first = r1[:, None] if np.ndim(r1) else r1
    if pole is None:
        heading = np.arctan2(target[:, 1], target[:, 0]) + side * angle
        return first * np.stack([np.cos(heading), np.sin(heading)], axis=-1)
    u, v = target / d[:, None], _across(target, pole)
    turned = (side * np.sin(angle))[:, None]
    return first * (np.cos(angle)[:, None] * u + turned * v)


def _across(target, pole):
    """Return the unit vector perpendicular to the target: to the left, or towards the pole."""
    if pole is None:
        v = np.stack([-target[:, 1], target[:, 0]], axis=-1)
    else:
        h = np.sum(target * target, axis=-1, keepdims=True)
        v = pole - target * (np.sum(target * pole, axis=-1, keepdims=True) / h)
    return v / np.sqrt(np.sum(v * v, axis=-1, keepdims=True))
