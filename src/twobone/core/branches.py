"""Which of the two answers: the nearest to a joint, or the one that goes on in time."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import arrays, batches, vectors
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, F, Mixed, NDArray, Of, X
from twobone.core.formula import dot
from twobone.errors import PoseError, ShapeError


class Branch(NamedTuple, Of[X]):
    """One of two answers: `joint`, shape (..., d), and its `side`, shape (...), +1 or -1."""

    joint: X
    side: X


@overload
def nearest_branch(joints: ArrayLike[F], joint: ArrayLike[F]) -> Branch[NDArray[F]]: ...
@overload
def nearest_branch(joints: Arrays[A], joint: Mixed[A]) -> Branch[A]: ...
@overload
def nearest_branch(joints: ArrayLike[Any], joint: Arrays[A]) -> Branch[A]: ...
def nearest_branch(joints: AnyArray, joint: AnyArray) -> Branch[Any]:
    """Choose the one of two answers that is nearer to a joint.

    Parameters
    ----------
    joints : array, shape (..., 2, d)
        Both answers, as `twobone.solve_both` gives them.
    joint : array, shape (..., d)
        Where the joint was, or where it had better be.

    Returns
    -------
    Branch
        `joint` and `side`; +1 where both are as near, or where there is NaN.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has another shape or type.

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
@np.errstate(all="ignore")
def follow_branch(joints: AnyArray, *, side: AnyArray = 1, hysteresis: float = 0.1) -> Branch[Any]:
    """Follow one of two answers from frame to frame, without flicker between them.

    The side stays what it is unless the other answer is clearly nearer to the joint of the frame
    before: when the limb goes through full stretch or its target through the root.

    Parameters
    ----------
    joints : array, shape (F, ..., 2, d)
        Both answers for each frame, as `twobone.solve_both` gives them; frames come first, then
        clips.
    side : +1, -1 or array, shape (...)
        The side on which to begin.
    hysteresis : float
        The side changes where the other answer is nearer by more than this share of the distance:
        0 always takes the nearest, 1 never changes.

    Returns
    -------
    Branch
        `joint`, shape (F, ..., d), and `side`, shape (F, ...). A frame with NaN keeps the side and
        what it is compared with.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has another shape or type.
    PoseError
        If `hysteresis` is not between 0 and 1.

    Examples
    --------
    A target that goes through the root: the joint stays where it is, so its side changes.

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
    """Return the answer on the side it was, or the other one if that is nearer by so much."""
    plus, minus = (vectors.minus(each, joint) for each in joints)
    plus, minus = dot(plus, plus), dot(minus, minus)
    other = (1.0 - hysteresis) * (1.0 - hysteresis)
    # As many sides as distances, whatever these are.
    side = side + xp.where(plus - plus == 0.0, plus - plus, 0.0)
    swap = xp.where(side > 0.0, minus < other * plus, plus < other * minus)
    side = xp.where(swap, -side, side)
    return vectors.choose(xp, side > 0.0, *joints), side


def _size(joints):
    shape = batches.shape_of("joints", joints)
    if len(shape) < 2 or shape[-2] != 2 or shape[-1] not in (2, 3):
        raise ShapeError("joints", "have shape (..., 2, 2) or (..., 2, 3)", shape)
    return shape[-1]
