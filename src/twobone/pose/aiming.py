"""correct_aim: what to multiply onto a joint's rotation, so that it looks at a point."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import batches, formula, vectors
from twobone.core.answer import AMBIGUOUS, INVALID, NAN, TOO_NEAR
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, C, F, Mixed, NDArray, Of, X
from twobone.core.formula import dot
from twobone.errors import PoseError
from twobone.pose import bending
from twobone.pose.corrections import (
    between_0_and_1,
    column,
    half_turn,
    in_space,
    into,
    is_number,
    space_of,
)
from twobone.pose.faults import LAST_ROW, last_row_is_wrong, off_last_row, raise_fault
from twobone.rotations import quaternions

NEEDED = ("joint", "forward")
FAULTS = {
    1: ("forward", "have a length", "0"),
    2: ("joint", "keep all three directions apart", "a matrix that makes space flat"),
    3: ("joint", LAST_ROW, "another"),
}


class Aim(NamedTuple, Of[X, C]):
    """The local correction of a joint: a quaternion xyzw, shape (..., 4), and `status`, (...)."""

    correction: X
    status: C


@overload
def correct_aim(
    joint: ArrayLike[F],
    target: ArrayLike[F] | None = None,
    *,
    direction: ArrayLike[F] | None = None,
    forward: ArrayLike[F],
    up: ArrayLike[F] | None = None,
    pole: ArrayLike[F] | None = None,
    offset: ArrayLike[F] | None = None,
    twist: ArrayLike[F] = 0.0,
    weight: ArrayLike[F] = 1.0,
) -> Aim[NDArray[F], NDArray[np.int8]]: ...
@overload
def correct_aim(
    joint: Arrays[A],
    target: Mixed[A] | None = None,
    *,
    direction: Mixed[A] | None = None,
    forward: Mixed[A],
    up: Mixed[A] | None = None,
    pole: Mixed[A] | None = None,
    offset: Mixed[A] | None = None,
    twist: Mixed[A] = 0.0,
    weight: Mixed[A] = 1.0,
) -> Aim[A, A]: ...
@overload
def correct_aim(
    joint: ArrayLike[Any],
    target: Arrays[A],
    *,
    direction: None = None,
    forward: Mixed[A],
    up: Mixed[A] | None = None,
    pole: Mixed[A] | None = None,
    offset: Mixed[A] | None = None,
    twist: Mixed[A] = 0.0,
    weight: Mixed[A] = 1.0,
) -> Aim[A, A]: ...
@overload
def correct_aim(
    joint: ArrayLike[Any],
    target: None = None,
    *,
    direction: Arrays[A],
    forward: Mixed[A],
    up: Mixed[A] | None = None,
    pole: Mixed[A] | None = None,
    offset: Mixed[A] | None = None,
    twist: Mixed[A] = 0.0,
    weight: Mixed[A] = 1.0,
) -> Aim[A, A]: ...
def correct_aim(
    joint: AnyArray,
    target: AnyArray | None = None,
    *,
    direction: AnyArray | None = None,
    forward: AnyArray,
    up: AnyArray | None = None,
    pole: AnyArray | None = None,
    offset: AnyArray | None = None,
    twist: AnyArray = 0.0,
    weight: AnyArray = 1.0,
) -> Aim[Any, Any]:
    """Turn a joint so that an axis of it points at a target, or along a direction.

    For the last joint of a limb: a hand that points, a head that looks, a foot on a slope
    (`direction` is the normal of the ground, `forward` the axis of the foot that stands on it).

    Parameters
    ----------
    joint : array, shape (..., 4, 4)
        The joint's matrix in the model, points as columns, of any translation, rotation and scale.
    target : array, shape (..., 3)
        The point in the model to look at.
    direction : array, shape (..., 3)
        Instead of `target`: the direction in the model to point along.
    forward : array, shape (..., 3)
        The axis that points, in the space of the joint, of any length.
    up, pole : array, shape (..., 3), optional
        The axis `up` in the space of the joint is turned as near as can be to the direction
        `pole` in the model. Without both the joint turns the shortest way.
    offset : array, shape (..., 3), optional
        Where the axis begins, in the space of the joint: an eye beside the middle of the head.
    twist : number or array, shape (...)
        An angle in radians about the way to the target, after all else.
    weight : number or array, shape (...)
        How much of the correction, from 0 (none) to 1; clamped.

    Returns
    -------
    Aim
        `correction`, to be multiplied on the right of the joint's local rotation, w >= 0; and
        `status`: REACHED, AMBIGUOUS where up or pole lies along the way and so cannot say how
        to roll, TOO_NEAR where the target is at the joint, or nearer than the offset lets the
        axis point at it (nothing is turned then), INVALID where an argument is NaN or infinite.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has another shape or type.
    PoseError
        If neither or both of target and direction are given, `up` without `pole`, or in NumPy
        `forward` has no length or a matrix makes space flat. One that makes it a point
        gives the identity, INVALID.

    Notes
    -----
    **In the plane:** a matrix of shape (..., 3, 3), vectors (..., 2), no `up`, `pole` or `twist`.
    The correction is an angle in radians, shape (...), as with `correct_limb`.

    After the look-at and ankle alignment of ozz-animation (`IKAimJob`), whose conventions these
    are. The status is that of weight 1.

    Examples
    --------
    A foot whose sole looks along +y, on a slope:

    >>> import numpy as np
    >>> import twobone
    >>> aim = twobone.correct_aim(np.eye(4), direction=[1.0, 1.0, 0.0], forward=[0.0, 1.0, 0.0])
    >>> aim.correction.round(4)
    array([ 0.    ,  0.    , -0.3827,  0.9239])
    """
    if (target is None) == (direction is None):
        came = "neither" if target is None else "both"
        raise PoseError("target", "be given, or else `direction`", came)
    if (up is None) != (pole is None):
        missing, there = ("up", "pole") if up is None else ("pole", "up")
        raise PoseError(missing, f"be given with `{there}`", "nothing")
    arguments = {
        "joint": joint,
        "target": target,
        "direction": direction,
        "forward": forward,
        "up": up,
        "pole": pole,
        "offset": offset,
        "twist": None if is_number(twist, 0.0) else twist,
        "weight": None if is_number(weight, 1.0) else weight,
    }
    plane = joint is not None and batches.shape_of("joint", joint)[-1:] == (3,)
    if plane and not (up is None and is_number(twist, 0.0)):
        raise PoseError("up" if up is not None else "twist", "be left out in the plane", "one")
    size = 2 if plane else 3
    tails = dict.fromkeys(("target", "direction", "forward", "up", "pole", "offset"), (size,))
    tails |= {"joint": (size + 1, size + 1), "twist": (), "weight": ()}
    given = batches.gather(arguments, tails, NEEDED)
    formula, turn = (plane_aim, ()) if plane else (aim_correction, (4,))
    correction, status, faults = batches.run(formula, given, [turn, None, None])
    raise_fault(given.library, FAULTS, faults)
    return Aim(correction, status)


def aim_correction(
    xp,
    t,
    *,
    joint,
    forward,
    target=None,
    direction=None,
    up=None,
    pole=None,
    offset=None,
    twist=None,
    weight=None,
    about=None,
):
    """Return the correction, the status and what is at fault with the arguments.

    `about` is what to turn about where the axis looks exactly away from the target.
    """
    space = space_of(xp, t, joint)
    if direction is None:
        goal = into(space, vectors.minus(target, column(joint, 3)))
    else:
        goal = into(space, direction)
    far = formula.magnitude(xp, space.inverse) * vectors.length(xp, goal)
    goal, forward = vectors.moderate(xp, t, goal), vectors.moderate(xp, t, forward)
    way, axis = vectors.unit(xp, goal), vectors.unit(xp, forward)
    long = dot(forward, forward)
    short = dot(goal, goal) == 0.0
    looks = axis
    if offset is not None and direction is None:
        looks, missed = through(xp, offset, axis, far)
        short = short | missed
    correction = quaternions.turn_of_units(
        xp, looks, way, quaternions.axis_square_to(xp, looks, about or axis)
    )
    vague = far < 0.0
    if up is not None:
        up, pole = vectors.moderate(xp, t, up), vectors.moderate(xp, t, into(space, pole))
        own, wanted = quaternions.rotate(correction, vectors.unit(xp, up)), vectors.unit(xp, pole)
        own, wanted = vectors.square_to(own, way), vectors.square_to(wanted, way)
        # Normals or the directions themselves: turned by a right angle both, it is the same roll.
        roll = quaternions.half_of(xp, dot(own, wanted), dot(vectors.cross(way, own), wanted))
        least = 4.0 * t.eps
        vague = (dot(own, own) <= least * least) | (dot(wanted, wanted) <= least * least)
        roll = quaternions.Half(xp.where(vague, 1.0, roll.cos), xp.where(vague, 0.0, roll.sin))
        correction = quaternions.multiply(bending.about(way, roll), correction)
    if twist is not None:
        correction = quaternions.multiply(bending.about(way, half_turn(xp, twist)), correction)
    correction = quaternions.upright(xp, correction)
    if weight is not None:
        correction = quaternions.blend(xp, between_0_and_1(xp, weight), correction)
    zero = 0.0 * xp.where(far < math.inf, far, 0.0)
    fault = xp.where(last_row_is_wrong(joint), zero + 3.0, zero)
    fault = xp.where(space.flat, zero + 2.0, xp.where(long == 0.0, zero + 1.0, fault))
    good = (dot(correction, correction) > 0.5) & (fault == 0.0) & (off_last_row(joint) == 0.0)
    still = quaternions.identity(zero)
    correction = tuple(xp.where(good, part, NAN) for part in correction)
    correction = vectors.choose(xp, space.empty | (short & good), still, correction)
    status = xp.where(short, TOO_NEAR, xp.where(vague, zero + AMBIGUOUS, zero))
    status = xp.where(space.empty, INVALID, xp.where(good, status, INVALID))
    return correction, status, fault


def plane_aim(xp, t, *, joint, forward, target=None, direction=None, offset=None, weight=None):
    """Return the correction as an angle, the status and what is at fault: the same, seen flat."""
    zero = forward[0] * 0.0
    vectors = {"forward": forward, "target": target, "direction": direction, "offset": offset}
    vectors = {name: (*v, zero) for name, v in vectors.items() if v is not None}
    square = zero, zero, zero + 1.0
    q, status, fault = aim_correction(xp, t, joint=in_space(xp, joint), about=square, **vectors)
    angle = 2.0 * xp.xp.atan2(q[2], q[3])
    angle = angle if weight is None else between_0_and_1(xp, weight) * angle
    return angle, status, fault


def through(xp, offset, axis, far):
    """Return the way to where a ray meets a sphere about the origin, and where it meets none.

    The ray begins at an offset; when its meeting point is turned onto the target, which is as
    far, the ray points at the target.
    """
    along = dot(offset, axis)
    aside = vectors.square_to(offset, axis)
    rest = far * far - dot(aside, aside)
    root = xp.sqrt(vectors.positive(xp, rest))
    # A ray that begins outside and looks outwards meets nothing either.
    missed = (rest < 0.0) | ((along > 0.0) & (along * along > rest))
    point = vectors.plus(aside, vectors.times(xp.where(rest > 0.0, root, 0.0 * along), axis))
    return vectors.unit(xp, point), missed
