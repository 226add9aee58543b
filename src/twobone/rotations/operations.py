"""Quaternion operations: from vectors, products, interpolation, and twist-swing decomposition.

Quaternions are `x, y, z, w`, of length 1 unless a function accepts any length. They rotate vectors
(not frames): `multiply(p, q)` rotates by `q` first, then by `p`. `q` and `-q` are the same
rotation. The last axis holds the components of a vector (3) or a quaternion (4); batch axes in
front broadcast. Lists and numbers give NumPy arrays, arrays of PyTorch and JAX give arrays of the
same library, and float32 stays float32. NaN or infinity makes its own row NaN and never raises.
Gradients are finite everywhere: where the result is not differentiable, as at 0 or at exact
opposites, they are those of the result that was chosen.

Errors are below 4 eps compared with the exact result for the given floats. They are relative to
the vector part and to `w` each for `shortest_arc`, `inverse`, `normalize` and `twist_swing`,
relative to the size of the factors for `multiply` and `rotate`, and absolute for the others (for
interpolation with weights from 0 to 1).
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

from twobone.core import batches, vectors
from twobone.core.array_types import A, AnyArray, Array, ArrayLike, Arrays, F, Mixed, NDArray, Of, X
from twobone.core.batches import NUMBER, QUATERNION, VECTOR
from twobone.rotations import angles, frames, quaternions


class TwistSwing(NamedTuple, Of[X]):
    """A rotation as `multiply(swing, twist)`; both have shape (..., 4)."""

    twist: X
    swing: X


# --- from vectors -------------------------------------------------------------------------


@overload
def shortest_arc(
    a: ArrayLike[F], b: ArrayLike[F], *, axis: ArrayLike[F] | None = None
) -> NDArray[F]: ...
@overload
def shortest_arc(a: Arrays[A], b: Mixed[A], *, axis: Mixed[A] | None = None) -> A: ...
@overload
def shortest_arc(a: ArrayLike[Any], b: Arrays[A], *, axis: Mixed[A] | None = None) -> A: ...
def shortest_arc(a: AnyArray, b: AnyArray, *, axis: AnyArray | None = None) -> NDArray[Any] | Array:
    """Return the shortest-arc rotation from the direction of one vector to that of another.

    Parameters
    ----------
    a, b : array, shape (..., 3)
        The rotation is from `a` to `b`. Vectors of any size; only their directions matter.
        Components 1e400 times smaller than the largest (1e48 times in float32) may count as 0.
    axis : array, shape (..., 3), optional
        The axis of rotation where `a` and `b` are exactly opposite; its part perpendicular to `a`
        is used. By default, and where that part is 0, the axis is perpendicular to `a` and to the
        coordinate axis along which `a` has its smallest component.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`; the identity where `a` or `b` is 0. Vector part and `w` are
        each accurate relative to their own size, even for angles of 1e-300, or that close to a
        half turn.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: Stan Melax, "The Shortest Arc Quaternion", Game Programming Gems (2000). Near half
    turns, `|a| |b| + a.b` is computed as `|a x b|^2 / (|a| |b| - a.b)`.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.shortest_arc([1.0, 0.0, 0.0], [0.0, 2.0, 0.0]).round(6)
    array([0.      , 0.      , 0.707107, 0.707107])

    Opposite vectors, with a given axis:

    >>> rotations.shortest_arc([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0], axis=[0.0, 0.0, 3.0])
    array([0., 0., 1., 0.])
    """
    axis = (0.0, 0.0, 0.0) if axis is None else axis
    return batches.answer(
        quaternions.shortest_arc, QUATERNION, a=(a, VECTOR), b=(b, VECTOR), axis=(axis, VECTOR)
    )


@overload
def frame(x: ArrayLike[F], y: ArrayLike[F]) -> NDArray[F]: ...
@overload
def frame(x: Arrays[A], y: Mixed[A]) -> A: ...
@overload
def frame(x: ArrayLike[Any], y: Arrays[A]) -> A: ...
def frame(x: AnyArray, y: AnyArray) -> NDArray[Any] | Array:
    """Return the rotation of a frame: +x to the direction of `x`, +y as near as possible to `y`.

    Parameters
    ----------
    x, y : array, shape (..., 3)
        Vectors of any size. The rotated +y is perpendicular to `x`, in the plane of `x` and `y`, on
        the side of `y`.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`. Where `y` is 0 or parallel to `x` to within 4 eps, it is
        `shortest_arc([1, 0, 0], x, axis=[0, 1, 0])`; where `x` is 0, it is the identity.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: Harold D. Black, "A passive system for determining the attitude of a satellite",
    AIAA Journal 2 (1964).

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.frame([-1.0, 0.0, 0.0], [5.0, 1.0, 0.0])
    array([0., 1., 0., 0.])
    """
    return batches.answer(frames.frame, QUATERNION, x=(x, VECTOR), y=(y, VECTOR))


@overload
def look_at(
    direction: ArrayLike[F],
    up: ArrayLike[F],
    *,
    forward: ArrayLike[F] = (0.0, 0.0, 1.0),
    local_up: ArrayLike[F] = (0.0, 1.0, 0.0),
) -> NDArray[F]: ...
@overload
def look_at(
    direction: Arrays[A],
    up: Mixed[A],
    *,
    forward: Mixed[A] = (0.0, 0.0, 1.0),
    local_up: Mixed[A] = (0.0, 1.0, 0.0),
) -> A: ...
@overload
def look_at(
    direction: ArrayLike[Any],
    up: Arrays[A],
    *,
    forward: Mixed[A] = (0.0, 0.0, 1.0),
    local_up: Mixed[A] = (0.0, 1.0, 0.0),
) -> A: ...
def look_at(
    direction: AnyArray,
    up: AnyArray,
    *,
    forward: AnyArray = (0.0, 0.0, 1.0),
    local_up: AnyArray = (0.0, 1.0, 0.0),
) -> NDArray[Any] | Array:
    """Return the rotation that points `forward` along a direction and keeps `local_up` upright.

    Parameters
    ----------
    direction, up : array, shape (..., 3)
        The rotation takes `forward` to `direction` and `local_up` as near to `up` as possible.
        Vectors of any size, as are the following.
    forward, local_up : array, shape (..., 3)
        The axes to rotate, by default +z and +y as in glTF.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`. Where `up` is 0 or parallel to `direction` to within 4 eps, or
        `local_up` to `forward`, it is `shortest_arc(forward, direction, axis=local_up)`.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: as for `frame`, from the frame of `forward` to that of `direction`.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.look_at([0.0, 0.0, -3.0], [0.0, 1.0, 1.0])
    array([0., 1., 0., 0.])
    """
    return batches.answer(
        frames.look_at,
        QUATERNION,
        direction=(direction, VECTOR),
        up=(up, VECTOR),
        forward=(forward, VECTOR),
        local_up=(local_up, VECTOR),
    )


# --- on quaternions -----------------------------------------------------------------------


@overload
def multiply(p: ArrayLike[F], q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def multiply(p: Arrays[A], q: Mixed[A]) -> A: ...
@overload
def multiply(p: ArrayLike[Any], q: Arrays[A]) -> A: ...
def multiply(p: AnyArray, q: AnyArray) -> NDArray[Any] | Array:
    """Multiply two quaternions: rotate by `q` first, then by `p`.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        Quaternions of any length.

    Returns
    -------
    array, shape (..., 4)
        The Hamilton product `p q`. Its length is the product of both lengths.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.multiply([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0])
    array([0., 0., 1., 0.])
    """
    return batches.answer(
        lambda xp, t, p, q: quaternions.multiply(vectors.finite(p), vectors.finite(q)),
        QUATERNION,
        p=(p, QUATERNION),
        q=(q, QUATERNION),
    )


@overload
def inverse(q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def inverse(q: Arrays[A]) -> A: ...
def inverse(q: AnyArray) -> NDArray[Any] | Array:
    """Return the inverse of a quaternion.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 4)
        The conjugate over the squared length. 0, which has no inverse, gives 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.inverse([0.0, 2.0, 0.0, 0.0])
    array([-0. , -0.5, -0. ,  0. ])
    """
    return batches.answer(quaternions.inverse, QUATERNION, q=(q, QUATERNION))


@overload
def normalize(q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def normalize(q: Arrays[A]) -> A: ...
def normalize(q: AnyArray) -> NDArray[Any] | Array:
    """Scale a quaternion to length 1.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 4)
        A unit quaternion; 0 gives the identity.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.normalize([0.0, 3e300, 0.0, 4e300])
    array([0. , 0.6, 0. , 0.8])
    """
    return batches.answer(quaternions.normalize, QUATERNION, q=(q, QUATERNION))


@overload
def rotate(q: ArrayLike[F], v: ArrayLike[F]) -> NDArray[F]: ...
@overload
def rotate(q: Arrays[A], v: Mixed[A]) -> A: ...
@overload
def rotate(q: ArrayLike[Any], v: Arrays[A]) -> A: ...
def rotate(q: AnyArray, v: AnyArray) -> NDArray[Any] | Array:
    """Rotate a vector by a quaternion.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.
    v : array, shape (..., 3)
        The vector. Beyond a quarter of the largest float, the result may overflow to infinity.

    Returns
    -------
    array, shape (..., 3)
        The rotated vector; `v` itself where `q` is 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.rotate([0.0, 0.0, 1.0, 1.0], [2.0, 0.0, 0.0])
    array([0., 2., 0.])
    """
    return batches.answer(frames.rotate, VECTOR, q=(q, QUATERNION), v=(v, VECTOR))


@overload
def nlerp(p: ArrayLike[F], q: ArrayLike[F], weight: ArrayLike[F]) -> NDArray[F]: ...
@overload
def nlerp(p: Arrays[A], q: Mixed[A], weight: Mixed[A]) -> A: ...
@overload
def nlerp(p: ArrayLike[Any], q: Arrays[A], weight: Mixed[A]) -> A: ...
def nlerp(p: AnyArray, q: AnyArray, weight: AnyArray) -> NDArray[Any] | Array:
    """Interpolate linearly between two rotations, and normalise.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        The rotations at `weight` 0 and 1. Of `q` and `-q`, the one nearer to `p` is used, and `q`
        if both are equally near.
    weight : number or array, shape (...)
        The fraction of the distance from `p` to `q`; values outside [0, 1] extrapolate.

    Returns
    -------
    array, shape (..., 4)
        A rotation on the shortest arc between both. As `weight` grows evenly, the rotation is
        faster in the middle than at the ends.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: Jonathan Blow, "Understanding Slerp, Then Not Using It" (2004).

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.nlerp([0.0, 0.0, 0.0, 1.0], [0.0, -0.6, 0.0, -0.8], 1.0)
    array([0. , 0.6, 0. , 0.8])
    """
    return _between(quaternions.nlerp, p, q, weight)


@overload
def slerp(p: ArrayLike[F], q: ArrayLike[F], weight: ArrayLike[F]) -> NDArray[F]: ...
@overload
def slerp(p: Arrays[A], q: Mixed[A], weight: Mixed[A]) -> A: ...
@overload
def slerp(p: ArrayLike[Any], q: Arrays[A], weight: Mixed[A]) -> A: ...
def slerp(p: AnyArray, q: AnyArray, weight: AnyArray) -> NDArray[Any] | Array:
    """Interpolate between two rotations at constant angular velocity.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        The rotations at `weight` 0 and 1. Of `q` and `-q`, the one nearer to `p` is used, and `q`
        if both are equally near.
    weight : number or array, shape (...)
        The fraction of the angle from `p` to `q`; values outside [0, 1] extrapolate: 2 rotates
        twice as far, -1 in the opposite direction.

    Returns
    -------
    array, shape (..., 4)
        A rotation on the shortest arc between both. Where `weight` is 0, it is `p`, bit for bit.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: Ken Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985. The angle is
    computed from the lengths of sum and difference, after Kahan.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.slerp([0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8], 2.0).round(12)
    array([0.  , 0.96, 0.  , 0.28])
    """
    return _between(angles.slerp, p, q, weight)


@overload
def twist_swing(q: ArrayLike[F], axis: ArrayLike[F]) -> TwistSwing[NDArray[F]]: ...
@overload
def twist_swing(q: Arrays[A], axis: Mixed[A]) -> TwistSwing[A]: ...
@overload
def twist_swing(q: ArrayLike[Any], axis: Arrays[A]) -> TwistSwing[A]: ...
def twist_swing(q: AnyArray, axis: AnyArray) -> TwistSwing[Any]:
    """Split a rotation into a twist about an axis, then a swing about a perpendicular axis.

    Parameters
    ----------
    q : array, shape (..., 4)
        The rotation.
    axis : array, shape (..., 3)
        The axis of the twist, of any size.

    Returns
    -------
    TwistSwing
        `q = multiply(swing, twist)`, with equal sign; the `w` of the swing is not negative. If the
        swing is exactly a half turn, the twist is not determined and is the identity, as it is if
        the axis is 0. Gradients are large near a swing of a half turn.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Notes
    -----
    Source: Przemyslaw Dobrowolski, "Swing-twist decomposition in Clifford algebra",
    arXiv:1506.05481.

    Examples
    --------
    >>> from twobone import rotations
    >>> rotations.twist_swing([0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0]).twist.round(6)
    array([0.      , 0.      , 0.707107, 0.707107])
    """
    return TwistSwing(
        *batches.answers(
            quaternions.twist_swing,
            (QUATERNION, QUATERNION),
            q=(q, QUATERNION),
            axis=(axis, VECTOR),
        )
    )


def _between(formula, p, q, weight):
    return batches.answer(
        lambda xp, t, p, q, weight: formula(xp, p, q, weight),
        QUATERNION,
        p=(p, QUATERNION),
        q=(q, QUATERNION),
        weight=(weight, NUMBER),
    )
