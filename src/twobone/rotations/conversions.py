"""From quaternions to matrices and rotation vectors, and back; words as in `operations.py`.

Errors are below 4 eps: absolute for matrices and what comes of them, of their own size for
rotation vectors and what comes of those.
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
    """Return the matrix of a rotation, whose columns are the images of the axes.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 3, 3)
        Row by row, to be multiplied with columns; of 0 the identity.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return the quaternion of a rotation given as a matrix.

    Parameters
    ----------
    matrix : array, shape (..., 3, 3)
        Row by row, its columns the images of the axes. A factor greater than 0, the same for
        all parts, is divided out.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`. NaN for a matrix that mirrors or flattens (whose determinant
        is not positive). A matrix that shears or scales axes differently gives the turn of some
        rotation near it, not always of the nearest.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return the axis of a rotation, as long as its angle.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 3)
        Radians, of length 0 to pi. A half turn (`w` is 0) is about the vector part of `q` as it
        stands; of its two axes neither is better, and there derivatives are those of that one.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return the quaternion of a rotation given as its axis, as long as its angle.

    Parameters
    ----------
    rotation_vector : array, shape (..., 3)
        Radians, of any length.

    Returns
    -------
    array, shape (..., 4)
        `w` is negative where the angle is beyond pi (and below 3 pi, and so on). Vector part
        and `w` are each within 4 eps of their own size, beside half and whole turns too, and
        within `angle eps^2` where they are smaller than that.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
