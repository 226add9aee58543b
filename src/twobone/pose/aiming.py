"""`correct_aim`: a local rotation of one joint that points one of its axes at a target."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import arrays, batches, formula, programs, vectors
from twobone.core.answer import AMBIGUOUS, INVALID, NAN, TOO_NEAR
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, C, F, Mixed, NDArray, Of, X
from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.core.halves import in_float32
from twobone.errors import PoseError
from twobone.pose import bending
from twobone.pose.corrections import (
    between_0_and_1,
    column,
    half_angle,
    in_space,
    into,
    is_default,
    space_of,
)
from twobone.pose.faults import LAST_ROW, last_row_error, last_row_is_wrong, raise_fault
from twobone.rotations import quaternions

NEEDED = ("joint", "forward")
PROGRAMS = programs.Programs()  # of tensors
FAULTS = {
    1: ("forward", "not have length 0", "0"),
    2: ("joint", "be invertible", "a singular matrix"),
    3: ("joint", LAST_ROW, "a different row"),
}


class Aim(NamedTuple, Of[X, C]):
    """The result of `correct_aim`.

    `correction` is a quaternion xyzw, shape (..., 4), to multiply on the right of the joint's local
    rotation; in the plane it is an angle in radians, shape (...). `status` holds codes of `Status`,
    shape (...).
    """

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
@in_float32
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
    """Compute the rotation of a joint that points one of its axes at a target or along a direction.

    Use it for the last joint of a limb: a hand that points, a head or an eye that looks at a point,
    a foot that stands flat on a slope. Nothing is changed in place.

    Parameters
    ----------
    joint : array, shape (..., 4, 4)
        Matrix of the joint in model space, in its present pose. Points are columns, so the
        translation is in the last column. It may have any rotation and any scale, also mirrored.
    target : array, shape (..., 3)
        The point in model space to aim at.
    direction : array, shape (..., 3)
        Alternative to `target`: the direction in model space to point along, such as the normal of
        the ground.
    forward : array, shape (..., 3)
        The axis that should point at the target, in the local space of the joint; any length but 0.
    up, pole : array, shape (..., 3), optional
        Control the roll about the aiming direction: the axis `up`, in the local space of the joint,
        is rotated as near as possible to the direction `pole` in model space. Give both or neither;
        without them the joint is rotated by the shortest arc.
    offset : array, shape (..., 3), optional
        Where the axis starts, in the local space of the joint, such as an eye beside the centre of
        the head. It has no effect with `direction`.
    twist : number or array, shape (...)
        Angle in radians of an additional rotation about the aiming direction, applied last.
    weight : number or array, shape (...)
        How much of the correction to apply, from 0 (none) to 1 (all); clamped. `status` ignores it.

    Returns
    -------
    Aim
        `correction`, a unit quaternion xyzw with w >= 0, shape (..., 4), to multiply on the right
        of the joint's local rotation; and `status`, shape (...): REACHED; AMBIGUOUS if `up` or
        `pole` is parallel to the aiming direction, which leaves the roll undetermined; TOO_NEAR if
        the target is at the joint, or too near for an axis that starts at `offset` to point at it
        (the correction is then the identity); INVALID if an argument is NaN or infinite.

    Raises
    ------
    ShapeError, ArrayTypeError
        If an argument has a wrong shape or type.
    PoseError
        If not exactly one of `target` and `direction` is given, or only one of `up` and `pole`.
        With NumPy, also if `forward` has length 0, if `joint` is singular, or if its last row is
        not 0, 0, 0, 1; with other libraries such rows are NaN and INVALID. A matrix of scale 0 in
        all directions does not raise: it gives the identity and INVALID.

    Notes
    -----
    **In the plane:** the matrix has shape (..., 3, 3), vectors have shape (..., 2), and there is no
    `up`, `pole` or `twist`. The correction is an angle in radians, shape (...), counterclockwise if
    x points right and y points up.

    The conventions are those of ozz-animation's `IKAimJob`.

    Examples
    --------
    Point the +x axis of a joint at a target in the direction +y:

    >>> import numpy as np
    >>> import twobone
    >>> x, y = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]
    >>> twobone.correct_aim(np.eye(4), [0.0, 2.0, 0.0], forward=x).correction.round(4)
    array([0.    , 0.    , 0.7071, 0.7071])

    A foot whose sole has the normal +y, on a slope:

    >>> aim = twobone.correct_aim(np.eye(4), direction=[1.0, 1.0, 0.0], forward=y)
    >>> aim.correction.round(4)
    array([ 0.    ,  0.    , -0.3827,  0.9239])

    A head that looks along +z turns half of the way to a point, with its top (+y) kept upright:

    >>> aim = twobone.correct_aim(
    ...     np.eye(4), [2.0, 0.5, 2.0], forward=[0.0, 0.0, 1.0], up=y, pole=y, weight=0.5
    ... )
    >>> aim.correction.round(4)
    array([-0.0412,  0.1945,  0.0171,  0.9799])
    """
    if arrays.is_taken_into_graph():
        from twobone.core import torch_graphs  # unreached: dynamo

        given = joint, target, direction, forward, up, pole, offset, twist, weight
        return Aim(*torch_graphs.call(__name__, "_correct_aim", "clamp", *given))
    if (target is None) == (direction is None):
        came = "neither" if target is None else "both"
        raise PoseError("target", "be given, or `direction` instead", came)
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
        "twist": None if is_default(twist, 0.0) else twist,
        "weight": None if is_default(weight, 1.0) else weight,
    }
    plane = joint is not None and batches.shape_of("joint", joint)[-1:] == (3,)
    if plane and not (up is None and is_default(twist, 0.0)):
        raise PoseError("up" if up is not None else "twist", "be left out in the plane", "one")
    size = 2 if plane else 3
    tails = dict.fromkeys(("target", "direction", "forward", "up", "pole", "offset"), (size,))
    tails |= {"joint": (size + 1, size + 1), "twist": (), "weight": ()}
    given = batches.gather(arguments, tails, NEEDED)
    formula, rotation_shape = (plane_aim, ()) if plane else (aim_correction, (4,))
    kept = None if given.library is NUMPY else PROGRAMS
    outputs = [rotation_shape, None, None]
    correction, status, faults = batches.run(formula, given, outputs, kept, plane)
    raise_fault(given.library, FAULTS, faults)
    return Aim(correction, status)


def _correct_aim(_, joint, target, *others):
    """Do the same; all arguments have their place."""
    names = ("direction", "forward", "up", "pole", "offset", "twist", "weight")
    return tuple(correct_aim(joint, target, **dict(zip(names, others, strict=True))))


class Roll(NamedTuple):
    """What controls the roll about the aiming direction; None where nothing does."""

    up: tuple | None = None
    pole: tuple | None = None
    twist: Any = None


class Request(NamedTuple):
    """The arguments of `correct_aim` for one joint; `target` is None if `direction` is given."""

    joint: tuple
    forward: tuple
    target: tuple | None = None
    direction: tuple | None = None
    offset: tuple | None = None
    roll: Roll = Roll()
    weight: Any = None
    fallback_axis: tuple | None = None  # to rotate about if `forward` points away from the target


class Pointed(NamedTuple):
    """A rotation that points an axis at a target by the shortest arc."""

    correction: tuple
    direction: tuple  # unit vector towards the target
    distance: Any  # of the target
    too_near: Any  # bool: the axis cannot point at the target


def request_of(parts):
    """Return the arguments of one joint from a dictionary by name."""
    roll = Roll(*(parts.pop(name, None) for name in Roll._fields))
    return Request(**parts, roll=roll)


def aim_correction(xp, t, **parts):
    """Return the correction, the status, and the number of the fault in the arguments."""
    return aim_in_space(xp, t, request_of(parts))


def aim_in_space(xp, t, request):
    """Return what `aim_correction` returns."""
    space = space_of(xp, t, request.joint)
    forward = vectors.moderate(xp, t, request.forward)
    pointed = point(xp, t, space, request, vectors.unit(xp, forward))
    correction, ambiguous = rolled(xp, t, space, request.roll, pointed)
    correction, distance = quaternions.upright(xp, correction), pointed.distance
    if request.weight is not None:
        correction = quaternions.blend(xp, between_0_and_1(xp, request.weight), correction)
    zero = 0.0 * xp.where(distance < math.inf, distance, 0.0)
    long = dot(forward, forward)
    fault = xp.where(last_row_is_wrong(request.joint), zero + 3.0, zero)
    fault = xp.where(space.flat, zero + 2.0, xp.where(long == 0.0, zero + 1.0, fault))
    good = (dot(correction, correction) > 0.5) & (fault == 0.0)
    good = good & (last_row_error(request.joint) == 0.0)
    identity, too_near = quaternions.identity(zero), pointed.too_near
    correction = tuple(xp.where(good, part, NAN) for part in correction)
    correction = vectors.choose(xp, space.empty | (too_near & good), identity, correction)
    status = xp.where(too_near, TOO_NEAR, xp.where(ambiguous, zero + AMBIGUOUS, zero))
    status = xp.where(space.empty, INVALID, xp.where(good, status, INVALID))
    return correction, status, fault


def point(xp, t, space, request, axis):
    """Return the rotation that points `axis`, the unit vector along `forward`, at the target."""
    if request.direction is None:
        goal = into(space, vectors.minus(request.target, column(request.joint, 3)))
    else:
        goal = into(space, request.direction)
    distance = formula.magnitude(xp, space.inverse) * vectors.length(xp, goal)
    goal = vectors.moderate(xp, t, goal)
    direction, start_direction = vectors.unit(xp, goal), axis
    too_near = dot(goal, goal) == 0.0
    if request.offset is not None and request.direction is None:
        start_direction, is_missed = meeting_direction(xp, request.offset, axis, distance)
        too_near = too_near | is_missed
    fallback = quaternions.axis_square_to(xp, start_direction, request.fallback_axis or axis)
    arc = quaternions.shortest_arc_of_units(xp, start_direction, direction, fallback)
    return Pointed(arc, direction, distance, too_near)


def rolled(xp, t, space, roll, pointed):
    """Return a correction rolled about the aiming direction, and where the roll is ambiguous."""
    correction, direction, distance, _ = pointed
    ambiguous = distance < 0.0
    if roll.up is not None:
        up, pole = vectors.moderate(xp, t, roll.up), vectors.moderate(xp, t, into(space, roll.pole))
        own, wanted = quaternions.rotate(correction, vectors.unit(xp, up)), vectors.unit(xp, pole)
        own, wanted = vectors.square_to(own, direction), vectors.square_to(wanted, direction)
        half = quaternions.half_of(xp, dot(own, wanted), dot(vectors.cross(direction, own), wanted))
        least = 4.0 * t.eps
        ambiguous = (dot(own, own) <= least * least) | (dot(wanted, wanted) <= least * least)
        half = quaternions.Half(
            xp.where(ambiguous, 1.0, half.cos), xp.where(ambiguous, 0.0, half.sin)
        )
        correction = quaternions.multiply(bending.rotation_about(direction, half), correction)
    if roll.twist is not None:
        half = half_angle(xp, roll.twist)
        correction = quaternions.multiply(bending.rotation_about(direction, half), correction)
    return correction, ambiguous


def plane_aim(xp, t, *, joint, forward, weight=None, **others):
    """Return the correction as an angle, the status and the number of the fault, in the plane."""
    zero = forward[0] * 0.0
    square = zero, zero, zero + 1.0
    request = Request(in_space(xp, joint), (*forward, zero), fallback_axis=square)
    request = request._replace(**{name: (*vector, zero) for name, vector in others.items()})
    q, status, fault = aim_in_space(xp, t, request)
    angle = 2.0 * xp.xp.atan2(q[2], q[3])
    angle = angle if weight is None else between_0_and_1(xp, weight) * angle
    return angle, status, fault


def meeting_direction(xp, offset, axis, distance):
    """Return the direction of the point where a ray meets a sphere, and whether it misses.

    The ray starts at `offset` and points along `axis`; the sphere about the origin has the radius
    `distance`, that of the target. The rotation that takes the meeting point to the target points
    the ray at the target.
    """
    along = dot(offset, axis)
    aside = vectors.square_to(offset, axis)
    square = distance * distance - dot(aside, aside)
    depth = xp.sqrt(vectors.positive(xp, square))
    # A ray that begins outside the sphere and points away from it misses it too.
    missed = (square < 0.0) | ((along > 0.0) & (along * along > square))
    point = vectors.plus(aside, vectors.times(xp.where(square > 0.0, depth, 0.0 * along), axis))
    return vectors.unit(xp, point), missed
