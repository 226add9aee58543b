"""A hinge: the angle about an axis, and its limits; words as in `operations.py`."""

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
    """Return the signed angle about an axis, from one vector to another.

    Parameters
    ----------
    axis, a, b : array, shape (..., 3)
        Of any size. Of `a` and `b` the shares square to the axis count.

    Returns
    -------
    array, shape (...)
        Radians in (-pi, pi], counterclockwise seen from the tip of the axis; 0 where a vector
        is 0, or `a` or `b` within 4 eps of the axis. Within 4 eps of the angle itself, or
        16 eps^2 over the sines of both vectors to the axis where that is more.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return an angle within limits modulo 2 pi, or brought to the nearer of them.

    Parameters
    ----------
    angle : number or array, shape (...)
        Radians; any number of turns.
    least, greatest : number or array, shape (...), optional
        Radians; any number of turns too, so that [3, 4] is a range across pi. Left out or
        infinite: no limit on that side, and then, modulo 2 pi, none at all.

    Returns
    -------
    array, shape (...)
        The angle as it is where it is within the limits modulo 2 pi; else an end, with whole
        turns added. It is the nearer one modulo 2 pi. Limits that both lie within -pi and pi are
        those of a joint that cannot pass pi: there the nearer one is sought without passing it.
        Halfway between both: either.

    Raises
    ------
    LimitsError
        Where `least` is greater than `greatest`; under jit, vmap and grad, where there are no
        values to see, NaN instead.
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Raise where limits are the wrong way round, if there are values to see."""
    given = batches.gather({"least": least, "greatest": greatest}, {"least": (), "greatest": ()})
    try:
        low, high = (arrays.concrete(given.library, v) for v in given.values.values())
    except Exception:  # as the library has it: under jit, vmap and grad there are none
        return
    low, high = np.broadcast_arrays(low, high)
    wrong = low > high
    if np.any(wrong):
        raise LimitsError(low[wrong].flat[0], high[wrong].flat[0])
