"""Hinge angles: the angle about an axis, and its limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from twobone.core import arrays, batches
from twobone.core.array_types import (
    A,
    AnyArray,
    Array,
    ArrayLike,
    Arrays,
    F,
    Mixed,
    NDArray,
    Number,
)
from twobone.core.batches import NUMBER, VECTOR
from twobone.errors import LimitsError
from twobone.rotations import angles


@overload
def angle_about(axis: Sequence[Number], a: Sequence[Number], b: Sequence[Number]) -> np.float64: ...
@overload
def angle_about(axis: ArrayLike[F], a: ArrayLike[F], b: ArrayLike[F]) -> NDArray[F]: ...
@overload
def angle_about(axis: Mixed[A], a: Arrays[A], b: Mixed[A]) -> A: ...
@overload
def angle_about(axis: Mixed[A], a: ArrayLike[Any], b: Arrays[A]) -> A: ...
def angle_about(axis: AnyArray, a: AnyArray, b: AnyArray) -> np.float64 | NDArray[Any] | Array:
    """Return the signed angle from one vector to another about an axis.

    Parameters
    ----------
    axis, a, b : array, shape (..., 3)
        Vectors of any size. Only the parts of `a` and `b` perpendicular to the axis matter.

    Returns
    -------
    array, shape (...)
        Radians in (-pi, pi], counterclockwise if the axis points at the viewer. 0 where a vector is
        0, or `a` or `b` is parallel to the axis to within 4 eps. The error is below 4 eps of the
        angle, or below 16 eps^2 over the product of the sines of the angles between the axis and
        both vectors, whichever is larger.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: W. Kahan, "Computing Cross-Products and Rotations" (2016), sections on angles.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.angle_about([0.0, 0.0, 1.0], [1.0, 0.0, 5.0], [0.0, -1.0, 0.0])
    np.float64(-1.5707963267948966)
    """
    return batches.answer(angles.about, NUMBER, axis=(axis, VECTOR), a=(a, VECTOR), b=(b, VECTOR))


@overload
def clamp_angle(
    angle: Number, least: Number | None = None, greatest: Number | None = None
) -> np.float64: ...
@overload
def clamp_angle(
    angle: ArrayLike[F], least: ArrayLike[F] | None = None, greatest: ArrayLike[F] | None = None
) -> NDArray[F]: ...
@overload
def clamp_angle(
    angle: Arrays[A], least: Mixed[A] | None = None, greatest: Mixed[A] | None = None
) -> A: ...
def clamp_angle(
    angle: AnyArray, least: AnyArray | None = None, greatest: AnyArray | None = None
) -> np.float64 | NDArray[Any] | Array:
    """Clamp an angle to limits, where angles that differ by whole turns are the same.

    Parameters
    ----------
    angle : number or array, shape (...)
        The angle in radians; it may be more than a whole turn.
    least, greatest : number or array, shape (...), optional
        The limits in radians. They may be more than half a turn: 3 and 4 are a range across pi. If
        one limit is omitted or infinite, every angle is within the limits modulo 2 pi.

    Returns
    -------
    array, shape (...)
        The angle, unchanged, where it is within the limits modulo 2 pi; otherwise the nearest
        limit, plus whole turns. If both limits are within [-pi, pi], a joint with such limits
        cannot pass pi: then the nearest limit is the one that is reached without passing pi.
        Halfway between both limits the result is either of them.

    Raises
    ------
    LimitsError
        If `least` is greater than `greatest`. Under jit, vmap and grad, where values are not
        available, the result is NaN instead.
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.clamp_angle([2.5, 1.0, 7.0], 0.0, 2.0)
    array([2., 1., 7.])
    """
    least = -math.inf if least is None else least
    greatest = math.inf if greatest is None else greatest
    _check_limits(least, greatest)
    return batches.answer(
        angles.clamp,
        NUMBER,
        angle=(angle, NUMBER),
        least=(least, NUMBER),
        greatest=(greatest, NUMBER),
    )


def _check_limits(least, greatest):
    """Raise if `least` is greater than `greatest` and values are available."""
    given = batches.gather({"least": least, "greatest": greatest}, {"least": (), "greatest": ()})
    try:
        low, high = (arrays.concrete(given.library, v) for v in given.values.values())
    except Exception:  # of the library: under jit, vmap and grad there are no values
        return
    low, high = np.broadcast_arrays(low, high)
    wrong = low > high
    if np.any(wrong):
        raise LimitsError(low[wrong].flat[0], high[wrong].flat[0])
