"""Rotations as quaternions: out of vectors, one after the other, blended, taken apart.

Everywhere: quaternions are `x, y, z, w`, of length 1 unless a function says otherwise, and turn
vectors (not frames): `multiply(p, q)` turns by `q` first, then by `p`. `q` and `-q` are the same
turn. The last axis is that of a vector (3) or a quaternion (4); axes in front broadcast. Lists
and numbers give NumPy arrays, arrays of PyTorch and JAX give their like, float32 stays float32.
What is NaN or infinite makes NaN of its own row, and nothing is raised. Derivatives are finite
everywhere: where there is none, as at 0 or at exact opposites, they are those of the answer that
was chosen.

Errors are below 4 eps, measured against the exact answer for the given floats. For
`shortest_arc`, `inverse`, `normalize` and `twist_swing` that is 4 eps of the vector part's own
size and of `w`'s; for `multiply` and `rotate` of the size of what is multiplied; for the rest it
is absolute (weights of blends from 0 to 1).
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

from twobone.core import batches, vectors
from twobone.core.array_types import A, AnyArray, Array, ArrayLike, Arrays, F, Mixed, NDArray, Of, X
from twobone.core.batches import NUMBER, QUATERNION, VECTOR
from twobone.rotations import angles, frames, quaternions


class TwistSwing(NamedTuple, Of[X]):
    """A rotation in two: `multiply(swing, twist)`. Both of shape (..., 4)."""

    twist: X
    swing: X


# --- out of vectors -----------------------------------------------------------------------


@overload
def shortest_arc(
    a: ArrayLike[F], b: ArrayLike[F], *, axis: ArrayLike[F] | None = None
) -> NDArray[F]: ...
@overload
def shortest_arc(a: Arrays[A], b: Mixed[A], *, axis: Mixed[A] | None = None) -> A: ...
@overload
def shortest_arc(a: ArrayLike[Any], b: Arrays[A], *, axis: Mixed[A] | None = None) -> A: ...
def shortest_arc(a: AnyArray, b: AnyArray, *, axis: AnyArray | None = None) -> NDArray[Any] | Array:
    """Return the shortest turn that brings the direction of one vector onto that of another.

    Parameters
    ----------
    a, b : array, shape (..., 3)
        From and to. Vectors of any size; only their directions count. Parts 1e400 times smaller
        than the largest (1e48 times in float32) may count as 0.
    axis : array, shape (..., 3), optional
        What to turn about where they are exactly opposite, and only there: its share square
        to `a`. By default, and where it has no such share, it is square to `a` and to the axis
        of coordinates least along `a`.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`; the identity where `a` or `b` is 0. Vector part and `w` are
        each as exact as their own size allows, for a turn by 1e-300 as for one that lacks as
        much to a half turn.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

    Notes
    -----
    Source: Stan Melax, "The Shortest Arc Quaternion", Game Programming Gems (2000); near half
    turns `|a| |b| + a.b` is taken as `|a x b|^2 / (|a| |b| - a.b)`.

    Examples
    --------
    >>> from twobone import rotations
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
    """Return the rotation whose image of +x lies along `x`, that of +y on the side of `y`.

    Parameters
    ----------
    x, y : array, shape (..., 3)
        Of any size. The image of +y lies in the half plane that `x` bounds and `y` is in.

    Returns
    -------
    array, shape (..., 4)
        Where `y` is 0 or within 4 eps of the line of `x`, that is to rounding along it,
        `shortest_arc([1, 0, 0], x, axis=[0, 1, 0])`: the identity where `x` is 0. Always with
        `w >= 0`.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
        Where `forward` is to point, and what `local_up` is to be as near to as it can. Vectors
        of any size, here and below.
    forward, local_up : array, shape (..., 3)
        The axes that are turned: +z and +y, as in glTF, unless said otherwise.

    Returns
    -------
    array, shape (..., 4)
        A quaternion with `w >= 0`. Where `up` is 0 or along `direction` to rounding, as for
        `frame`, or `local_up` along `forward`: `shortest_arc(forward, direction,
        axis=local_up)`.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

    Notes
    -----
    Source: as for `frame`, with a frame on either side.

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


# --- of quaternions -----------------------------------------------------------------------


@overload
def multiply(p: ArrayLike[F], q: ArrayLike[F]) -> NDArray[F]: ...
@overload
def multiply(p: Arrays[A], q: Mixed[A]) -> A: ...
@overload
def multiply(p: ArrayLike[Any], q: Arrays[A]) -> A: ...
def multiply(p: AnyArray, q: AnyArray) -> NDArray[Any] | Array:
    """Return the rotation that turns by `q` first, then by `p`.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        Quaternions of any length.

    Returns
    -------
    array, shape (..., 4)
        Hamilton's product; its length is the product of theirs.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return the quaternion that undoes another.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 4)
        Its conjugate over the square of its length; of 0, which has no inverse, 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return a quaternion brought to length 1.

    Parameters
    ----------
    q : array, shape (..., 4)
        A quaternion of any length.

    Returns
    -------
    array, shape (..., 4)
        Of 0 the identity.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Turn a vector.

    Parameters
    ----------
    q : array, shape (..., 4)
        The turn, of any length.
    v : array, shape (..., 3)
        The vector. Beyond a quarter of the largest float it may come out infinite.

    Returns
    -------
    array, shape (..., 3)
        `v` itself where `q` is 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return a rotation on the straight way between two, brought to length 1.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        Where `weight` is 0, and 1. Of `q` and `-q` the one nearer to `p` is taken; `q` where
        they are as near.
    weight : number or array, shape (...)
        The share of the way; not clamped: beyond 0 and 1 the straight way goes on.

    Returns
    -------
    array, shape (..., 4)
        On the shortest way between both, faster in the middle than at its ends.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
    """Return a rotation on the shorter way between two, at an even pace.

    Parameters
    ----------
    p, q : array, shape (..., 4)
        Where `weight` is 0, and 1. Of `q` and `-q` the one nearer to `p` is taken; `q` where
        they are as near.
    weight : number or array, shape (...)
        The share of the way; not clamped: 2 turns as far again beyond `q`, -1 the other way.

    Returns
    -------
    array, shape (..., 4)
        `p` itself, to the bit, where `weight` is 0.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

    Notes
    -----
    Source: Ken Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985; the angle
    after Kahan, from the lengths of sum and difference.

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
    """Split a rotation into a turn about an axis, and after it one about an axis square to it.

    Parameters
    ----------
    q : array, shape (..., 4)
        The rotation.
    axis : array, shape (..., 3)
        Of any size.

    Returns
    -------
    TwistSwing
        `q = multiply(swing, twist)`, the sign too; the `w` of the swing is not negative. Where
        the swing is exactly a half turn any twist would do: it is the identity, as it is where
        the axis is 0. Derivatives near a swing by a half turn are large.

    Raises
    ------
    ShapeError, ArrayTypeError
        Naming the argument.

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
