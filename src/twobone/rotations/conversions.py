"""Conversions between quaternions, matrices and rotation vectors.

Conventions are those of `operations.py`. Errors are below 4 eps: absolute for conversions to and
from matrices, relative for conversions to and from rotation vectors.
"""

from __future__ import annotations

from typing import Any, overload

from twobone.core import batches
from twobone.core.array_types import A, AnyArray, Array, ArrayLike, Arrays, F, NDArray
from twobone.core.batches import MATRIX, QUATERNION, VECTOR
from twobone.rotations import angles, frames


@overload
def quaternion_to_matrix(q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def quaternion_to_matrix(q: Arrays[A]) -> A: ...
def quaternion_to_matrix(q: AnyArray) -> NDArray[Any] | Array:
    """Convert a quaternion to a rotation matrix, whose columns are the rotated axes.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 3, 3)
        The matrix that rotates column vectors: `matrix @ v`. A zero quaternion gives the identity.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.quaternion_to_matrix([0.0, 0.0, 1.0, 1.0])
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return batches.answer(frames.to_matrix, MATRIX, q=(q, QUATERNION))


@overload
def matrix_to_quaternion(matrix: ArrayLike[F]) -> NDArray[F]: ...
@overload
def matrix_to_quaternion(matrix: Arrays[A]) -> A: ...
def matrix_to_quaternion(matrix: AnyArray) -> NDArray[Any] | Array:
    """Convert a rotation matrix to a quaternion.

    Parameters
    ----------
    matrix : array, shape (..., 3, 3)
        A rotation matrix, whose columns are the rotated axes. A positive uniform scale is
        ignored.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`, or NaN if the determinant is not positive. A matrix with shear
        or non-uniform scale gives a nearby rotation, not necessarily the nearest.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: F. Landis Markley, "Unit Quaternion from Rotation Matrix", Journal of Guidance,
    Control, and Dynamics 31 (2008).

    Examples
    --------
    >>> from twobone import rotations
    >>> matrix = [[0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]
    >>> rotations.matrix_to_quaternion(matrix).round(6)
    array([0.      , 0.      , 0.707107, 0.707107])
    """
    return batches.answer(frames.from_matrix, QUATERNION, matrix=(matrix, MATRIX))


@overload
def quaternion_to_rotation_vector(q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def quaternion_to_rotation_vector(q: Arrays[A]) -> A: ...
def quaternion_to_rotation_vector(q: AnyArray) -> NDArray[Any] | Array:
    """Convert a quaternion to a rotation vector, the rotation axis times the angle.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 3)
        In radians, of length 0 to pi. For a half turn (`w` is 0), both directions of the axis are
        valid: the result, and its gradients, are those of the vector part of `q`.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: F. Sebastian Grassia, "Practical parameterization of rotations using the exponential
    map", Journal of Graphics Tools 3 (1998).

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.quaternion_to_rotation_vector([0.0, 1.0, 0.0, 0.0])
    array([0.        , 3.14159265, 0.        ])
    """
    return batches.answer(angles.to_rotation_vector, VECTOR, q=(q, QUATERNION))


@overload
def rotation_vector_to_quaternion(rotation_vector: ArrayLike[F]) -> NDArray[F]: ...
@overload
def rotation_vector_to_quaternion(rotation_vector: Arrays[A]) -> A: ...
def rotation_vector_to_quaternion(rotation_vector: AnyArray) -> NDArray[Any] | Array:
    """Convert a rotation vector, the rotation axis times the angle, to a quaternion.

    Parameters
    ----------
    rotation_vector : array, shape (..., 3)
        In radians, of any length.

    Returns
    -------
    array, shape (..., 4)
        A unit quaternion; `w` is negative for angles from pi to 3 pi, and so on. Vector part and
        `w` each have a relative error below 4 eps, also near half and whole turns, or an absolute
        error below `angle eps^2`, whichever is larger.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: as for `quaternion_to_rotation_vector`.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.rotation_vector_to_quaternion([0.0, 1e-300, 0.0])
    array([0.e+000, 5.e-301, 0.e+000, 1.e+000])
    """
    return batches.answer(
        angles.from_rotation_vector, QUATERNION, rotation_vector=(rotation_vector, VECTOR)
    )
