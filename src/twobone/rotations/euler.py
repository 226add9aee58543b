"""Euler angles of quaternions and back: any order of axes, exact at gimbal lock, without jumps."""

from __future__ import annotations

from typing import Any, overload

from twobone.core import batches
from twobone.core.array_types import A, AnyArray, Array, ArrayLike, Arrays, F, Mixed, NDArray
from twobone.core.batches import QUATERNION
from twobone.errors import ArrayTypeError
from twobone.rotations import angles as formulas


@overload
def euler_to_quaternion(angles: ArrayLike[F], order: str) -> NDArray[F]: ...
@overload
def euler_to_quaternion(angles: Arrays[A], order: str) -> A: ...
def euler_to_quaternion(angles: AnyArray, order: str) -> NDArray[Any] | Array:
    """Convert Euler angles to a quaternion.

    Parameters
    ----------
    angles : array, shape (..., n)
        Angles in radians, one for each letter of `order`.
    order : str
        The axes: one to three of the letters X, Y and Z, such as "ZYX"; neighbours must differ. The
        angles are intrinsic: each rotation is about an axis that the previous rotations have
        rotated. So "ZYX" is the product of the rotations about z, y and x, in this order, as in BVH
        files and in SciPy with upper-case letters.

    Returns
    -------
    array, shape (..., 4)
        A quaternion of length 1, to within 4 eps.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type, or `order` is not an order of axes.

    See Also
    --------
    quaternion_to_euler

    Examples
    --------
    >>> import numpy as np
    >>> from twobone import rotations
    >>> rotations.euler_to_quaternion([np.pi / 2, 0.0, 0.0], "ZYX").round(6)
    array([0.      , 0.      , 0.707107, 0.707107])

    A joint that rotates about two axes:

    >>> rotations.euler_to_quaternion([0.3, 0.1], "ZX").round(6)
    array([0.049418, 0.007469, 0.149251, 0.987535])
    """
    axes = _axes(order)
    return batches.answer(
        lambda xp, t, angles: formulas.from_euler(xp, axes, angles),
        QUATERNION,
        angles=(angles, (len(axes),)),
    )


@overload
def quaternion_to_euler(
    q: ArrayLike[F], order: str, near: ArrayLike[Any] | None = None
) -> NDArray[F]: ...
@overload
def quaternion_to_euler(q: Arrays[A], order: str, near: Mixed[A] | None = None) -> A: ...
def quaternion_to_euler(
    q: AnyArray, order: str, near: AnyArray | None = None
) -> NDArray[Any] | Array:
    """Convert a quaternion to Euler angles, optionally those nearest to given ones.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length; 0 counts as the identity.
    order : str
        The axes, as for `euler_to_quaternion`.
    near : array, shape (..., n), optional
        Angles in radians, such as those of the previous frame or of the file that is edited. Of
        all angles that give the same rotation, including those that differ by whole turns, the
        ones nearest to `near` are returned. At gimbal lock, where only the sum or the difference of
        the first and the third angle is determined, both change by the same amount.

    Returns
    -------
    array, shape (..., n)
        Angles in radians, one for each letter of `order`. Without `near`, the first and the third
        are between -pi and pi, and the second is between -pi/2 and pi/2, or between 0 and pi if
        first and third axis are the same; at gimbal lock, the third is 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type, or `order` is not an order of axes.

    See Also
    --------
    euler_to_quaternion

    Notes
    -----
    Converting the angles back gives the rotation to within 4 eps, for every quaternion, also at and
    near gimbal lock (the usual formula with an arcsine loses half of the digits there); angles of
    many turns are as exact as their rounding permits. Near gimbal lock, a rounding error of `q`
    changes the first and the third angle a lot, so they are moved towards `near` as far as rounding
    errors of 2 eps permit.

    An order of one or two axes cannot represent every rotation. With one axis, the angle is that
    of the twist about it. With two, convert the angles back to find out what is lost.

    Source: Evandro Bernardes and Stephane Viollet, "Quaternion to Euler angles conversion: A
    direct, general and computationally efficient method", PLOS ONE 17 (2022).

    Examples
    --------
    >>> import numpy as np
    >>> from twobone import rotations
    >>> rotations.quaternion_to_euler([0.0, 0.0, 1.0, 1.0], "ZYX")
    array([1.57079633, 0.        , 0.        ])

    With the angles of the previous frame as `near`, angles continue beyond 180 degrees:

    >>> q = rotations.euler_to_quaternion(np.radians([185.0, 20.0, 0.0]), "ZYX")
    >>> np.degrees(rotations.quaternion_to_euler(q, "ZYX")).round(6)
    array([-175.,   20.,    0.])
    >>> np.degrees(rotations.quaternion_to_euler(q, "ZYX", np.radians([180, 20, 0]))).round(6)
    array([185.,  20.,   0.])

    At gimbal lock, the first and the third angle stay as near as possible to the given ones:

    >>> locked = rotations.euler_to_quaternion(np.radians([30.0, 90.0, 20.0]), "ZYX")
    >>> np.degrees(rotations.quaternion_to_euler(locked, "ZYX")).round(6)
    array([10., 90.,  0.])
    >>> np.degrees(rotations.quaternion_to_euler(locked, "ZYX", np.radians([32, 90, 20]))).round(6)
    array([31., 90., 21.])
    """
    axes = _axes(order)
    tail = (len(axes),)
    given = {"q": (q, QUATERNION)}
    if len(axes) == 3 and near is None:
        full = _described(axes)
        return batches.answer(
            lambda xp, t, q: formulas.to_euler(xp, t, q, full), tail, q=(q, QUATERNION)
        )
    given["near"] = ([0.0] * len(axes) if near is None else near, tail)

    def nearest(xp, t, q, near):
        if len(axes) == 1:
            return formulas.to_one_euler(xp, t, q, near, *axes)
        find = formulas.to_two_euler if len(axes) == 2 else formulas.to_euler_near
        return find(xp, t, q, near, _described(axes))

    return batches.answer(nearest, tail, **given)


def _axes(order):
    """Return an order of axes, such as "ZYX", as indices."""
    is_text = isinstance(order, str)
    if not is_text or not 1 <= len(order) <= 3 or not set(order) <= set("XYZ"):
        wanted = "one to three of the letters X, Y and Z"
        raise ArrayTypeError("order", wanted, repr(order) if is_text else type(order).__name__)
    if any(one + one in order for one in order):
        raise ArrayTypeError("order", "axes of which neighbours differ", repr(order))
    return tuple("XYZ".index(letter) for letter in order)


def _described(axes):
    """Return what the formulas need to know of an order of two or three axes."""
    first, second = axes[:2]
    other = 3 - first - second
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    differ = len(axes) == 3 and axes[2] == other
    return formulas.EulerOrder(
        first, second, other, sign, 1.0 if differ else 0.0, -sign if differ else 1.0
    )
