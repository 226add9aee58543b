"""Branches: choose between the two solutions, by distance to a joint or over time."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import arrays, batches, vectors
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, F, Mixed, NDArray, Of, X
from twobone.core.formula import dot
from twobone.core.halves import in_float32
from twobone.errors import PoseError, ShapeError


class Branch(NamedTuple, Of[X]):
    """One of the two solutions, the result of `nearest_branch` and `follow_branch`."""

    joint: X  # shape (..., d), the point between the bones
    side: X  # shape (...), which of the two solutions it is: +1 or -1


@overload
def nearest_branch(joints: ArrayLike[F], joint: ArrayLike[F]) -> Branch[NDArray[F]]: ...
@overload
def nearest_branch(joints: Arrays[A], joint: Mixed[A]) -> Branch[A]: ...
@overload
def nearest_branch(joints: ArrayLike[Any], joint: Arrays[A]) -> Branch[A]: ...
@in_float32
def nearest_branch(joints: AnyArray, joint: AnyArray) -> Branch[Any]:
    """Choose that of two solutions which is nearer to a given joint.

    Parameters
    ----------
    joints : array, shape (..., 2, d)
        Both solutions, as returned by `twobone.solve_both`.
    joint : array, shape (..., d)
        The previous or preferred position of the joint.

    Returns
    -------
    Branch
        The nearer joint and its side. The side is +1 where both are equally near, or if there is
        a NaN.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.

    Examples
    --------
    >>> import twobone
    >>> both = twobone.solve_both([1.0, 1.0], 1.0, 1.0)
    >>> twobone.nearest_branch(both, [0.9, 0.1]).side
    np.float64(-1.0)
    """
    size = _size(joints)
    given = batches.gather(
        {"joints": joints, "joint": joint}, {"joints": (2, size), "joint": (size,)}
    )

    def formula(xp, t, *, joints, joint):
        return choose_nearer(xp, joints, joint, 1.0, 0.0)

    return Branch(*batches.run(formula, given, [(size,), ()]))


@overload
def follow_branch(
    joints: ArrayLike[F], *, side: ArrayLike[F] = 1, hysteresis: float = 0.1
) -> Branch[NDArray[F]]: ...
@overload
def follow_branch(
    joints: Arrays[A], *, side: Mixed[A] = 1, hysteresis: float = 0.1
) -> Branch[A]: ...
@in_float32
@np.errstate(all="ignore")
def follow_branch(joints: AnyArray, *, side: AnyArray = 1, hysteresis: float = 0.1) -> Branch[Any]:
    """Follow one of two solutions from frame to frame, without flicker between them.

    The side changes only if the other solution is clearly nearer to the joint of the previous
    frame, as when the limb passes through full extension or its target through the root.

    Parameters
    ----------
    joints : array, shape (F, ..., 2, d)
        Both solutions for each of F frames, as returned by `twobone.solve_both`. The first axis
        counts frames, further batch axes count clips.
    side : +1, -1 or array, shape (...)
        The side in the first frame.
    hysteresis : float
        The side changes if the other solution is nearer to the previous joint by more than this
        fraction of the distance: 0 always takes the nearer solution, 1 never changes the side.

    Returns
    -------
    Branch
        `joint`, shape (F, ..., d), and `side`, shape (F, ...). A frame with a NaN keeps the side,
        and the next frame is compared with the last joint without NaN.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has an invalid shape or type.
    PoseError
        If `hysteresis` is not between 0 and 1.

    Examples
    --------
    The target passes through the root. The joint stays where it is, so its side changes:

    >>> import twobone
    >>> both = twobone.solve_both([[0.2, 0.0], [0.1, 0.0], [-0.1, 0.0], [-0.2, 0.0]], 1.0, 1.0)
    >>> twobone.follow_branch(both).side
    array([ 1.,  1., -1., -1.])
    """
    hysteresis = arrays.to_float("hysteresis", hysteresis)
    if not 0.0 <= hysteresis <= 1.0:
        raise PoseError("hysteresis", "be between 0 and 1", repr(hysteresis))
    size = _size(joints)
    given = batches.gather(
        {"joints": joints, "side": side}, {"joints": (2, size), "side": ()}, ("side",)
    )
    if not given.shape:
        raise ShapeError("joints", f"have shape (F, ..., 2, {size})", given.values["joints"].shape)
    library, xp = given.library, given.library.xp
    answers = xp.broadcast_to(given.values["joints"], (*given.shape, 2, size))
    sides = xp.broadcast_to(given.values["side"], given.shape)
    sides = library.where(sides < 0.0, xp.full_like(sides, -1.0), xp.full_like(sides, 1.0))
    if given.shape[0] == 0:
        return Branch(answers[..., 0, :], sides)
    shape = given.shape[1:]

    def step(state, frame):
        (both,) = frame
        old, side = arrays.parts(state[0], size), state[1]
        both = tuple(arrays.parts(both[..., i, :], size) for i in range(2))
        joint, side = choose_nearer(library, both, old, side, hysteresis)
        sound = dot(joint, joint) >= 0.0
        kept = vectors.choose(library, sound, joint, old)
        return arrays.join(library, kept, shape), side

    first = library.where(sides[0, ..., None] > 0.0, answers[0, ..., 0, :], answers[0, ..., 1, :])
    state = first, sides[0, ...]
    _, sides = arrays.scan(library, step, state, (answers,))
    left = library.where(sides[..., None] > 0.0, answers[..., 0, :], answers[..., 1, :])
    return Branch(left, sides)


def choose_nearer(xp, joints, joint, side, hysteresis):
    """Return the solution on `side`, or the other one where it is nearer by `hysteresis`."""
    plus, minus = (vectors.minus(each, joint) for each in joints)
    plus, minus = dot(plus, plus), dot(minus, minus)
    other = (1.0 - hysteresis) * (1.0 - hysteresis)
    # Broadcasts `side` to the shape of the distances, also where these are not finite.
    side = side + xp.where(plus - plus == 0.0, plus - plus, 0.0)
    swap = xp.where(side > 0.0, minus < other * plus, plus < other * minus)
    side = xp.where(swap, -side, side)
    return vectors.choose(xp, side > 0.0, *joints), side


def _size(joints):
    shape = batches.shape_of("joints", joints)
    if len(shape) < 2 or shape[-2] != 2 or shape[-1] not in (2, 3):
        raise ShapeError("joints", "have shape (..., 2, 2) or (..., 2, 3)", shape)
    return shape[-1]
