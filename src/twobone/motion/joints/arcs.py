"""Directions and rotations over the frames of a clip; components are on the first axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.core.arrays import NUMPY
from twobone.motion.chains import inverse, multiply, rotate
from twobone.rotations import frames, quaternions

Floats = NDArray[np.float64]

TINY = 1e-300  # keeps divisions by lengths of 0 finite


def dot(a: Floats, b: Floats) -> Floats:
    """Return the scalar product of vectors."""
    return (a * b).sum(0)


def cross(a: Floats, b: Floats) -> Floats:
    """Return the vector product of vectors (3, T) and (3, T) or (3, 1)."""
    return np.stack(
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    )


def length(a: Floats) -> Floats:
    """Return the lengths of vectors."""
    return np.sqrt(dot(a, a))


def unit(a: Floats) -> Floats:
    """Return vectors of length 1, or 0."""
    return a / np.maximum(length(a), TINY)


def arc(a: Floats, b: Floats) -> Floats:
    """Return the shortest rotations (4, T) from unit vectors to others, (3, T) or (3, 1).

    Vectors of length 0 give the identity.
    """
    aside = quaternions.axis_square_to(NUMPY, a, np.zeros_like(a))
    found = np.stack(quaternions.shortest_arc_of_units(NUMPY, a, b, aside))
    return found / length(found)


def frame(x: Floats, y: Floats) -> Floats:
    """Return the rotations (4, T) that bring x and y axis to perpendicular unit vectors (3, T)."""
    rows = tuple(zip(x, y, cross(x, y), strict=True))
    return np.stack(frames.from_rows(NUMPY, rows))


def about(axis: Floats, angles: Floats) -> Floats:
    """Return the rotations (4, T) about a unit vector (3) by angles (T)."""
    return np.concatenate([np.sin(0.5 * angles) * axis[:, None], np.cos(0.5 * angles)[None]])


def twist_angles(rotations: Floats, axis: Floats) -> Floats:
    """Return the angles (T) by which rotations twist about a unit vector (3), without jumps."""
    angles = 2.0 * np.arctan2(dot(rotations[:3], axis[:, None]), rotations[3])
    angles = np.unwrap(angles)
    return angles - 2.0 * np.pi * np.round(np.median(angles) / (2.0 * np.pi))


def transported(directions: Floats) -> Floats:
    """Return rotations (4, T) that carry a frame along directions (3, T) without twist.

    Each is the shortest arc from the direction before, after the rotation before; the first is the
    identity. The products of all frames take log2(T) steps.
    """
    count = directions.shape[-1]
    products = np.zeros((4, count))
    products[3] = 1.0
    if count > 1:
        products[:, 1:] = arc(directions[:, :-1], directions[:, 1:])
    step = 1
    while step < count:
        later = multiply(products[:, step:], products[:, :-step])
        products[:, step:] = later / np.sqrt(dot(later, later))
        step *= 2
    return products


def between(a: Floats, b: Floats) -> Floats:
    """Return the rotations from `a` to `b` in the space of `a`."""
    return multiply(inverse(a), b)


__all__ = [
    "about",
    "arc",
    "between",
    "cross",
    "dot",
    "frame",
    "inverse",
    "length",
    "multiply",
    "rotate",
    "transported",
    "twist_angles",
    "unit",
]
