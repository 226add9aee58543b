"""correct_limb: what to multiply onto the rotations of two joints, so that a third arrives."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import batches, dispatch, engine, exact, formula, policies, solver, vectors
from twobone.core.answer import AMBIGUOUS, INVALID, NAN, TOO_FAR, TOO_NEAR
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, C, F, Mixed, NDArray, Of, X
from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.core.policies import Unreachable
from twobone.errors import PoseError
from twobone.pose import bending
from twobone.pose.bending import Ellipse, Triangle
from twobone.pose.faults import FAULTS, PLANE_FAULTS, fault_of, off_last_row, raise_fault
from twobone.rotations import quaternions

FADE = 0.17364817766693033  # sine of 10 degrees
MATRICES, OPTIONS = ("start", "mid", "end"), ("twist", "soften", "weight")
SPACE = dict.fromkeys(MATRICES, (4, 4)) | dict.fromkeys(("target", "pole", "mid_axis"), (3,))
PLANE = dict.fromkeys(MATRICES, (3, 3)) | {"target": (2,), "pole": (2,), "mid_axis": ()}


class Correction(NamedTuple, Of[X, C]):
    """Local corrections of a limb: quaternions xyzw, shape (..., 4), and `status`, shape (...)."""

    start: X
    mid: X
    status: C


@overload
def correct_limb(
    start: ArrayLike[F],
    mid: ArrayLike[F],
    end: ArrayLike[F],
    target: ArrayLike[F],
    *,
    pole: ArrayLike[F] | None = None,
    mid_axis: ArrayLike[F] | None = None,
    twist: ArrayLike[F] = 0.0,
    soften: ArrayLike[F] = 1.0,
    weight: ArrayLike[F] = 1.0,
    unreachable: Unreachable = "clamp",
) -> Correction[NDArray[F], NDArray[np.int8]]: ...
@overload
def correct_limb(
    start: Arrays[A],
    mid: Mixed[A],
    end: Mixed[A],
    target: Mixed[A],
    *,
    pole: Mixed[A] | None = None,
    mid_axis: Mixed[A] | None = None,
    twist: Mixed[A] = 0.0,
    soften: Mixed[A] = 1.0,
    weight: Mixed[A] = 1.0,
    unreachable: Unreachable = "clamp",
) -> Correction[A, A]: ...
@overload
def correct_limb(
    start: ArrayLike[Any],
    mid: Mixed[A],
    end: Mixed[A],
    target: Arrays[A],
    *,
    pole: Mixed[A] | None = None,
    mid_axis: Mixed[A] | None = None,
    twist: Mixed[A] = 0.0,
    soften: Mixed[A] = 1.0,
    weight: Mixed[A] = 1.0,
    unreachable: Unreachable = "clamp",
) -> Correction[A, A]: ...
def correct_limb(
    start: AnyArray,
    mid: AnyArray,
    end: AnyArray,
    target: AnyArray,
    *,
    pole: AnyArray | None = None,
    mid_axis: AnyArray | None = None,
    twist: AnyArray = 0.0,
    soften: AnyArray = 1.0,
    weight: AnyArray = 1.0,
    unreachable: Unreachable = "clamp",
) -> Correction[Any, Any]:
    """Turn the joints of a limb so that its end meets a target.

    Parameters
    ----------
    start, mid, end : array, shape (..., 4, 4)
        Matrices of the three joints in the model as they are, points as columns (translation in
        the last column): any mix of translation, rotation and scale, also mirrored, not the same
        in all directions, or zero. Joints between them ride along.
    target : array, shape (..., 3)
        Where the end shall be, a point in the model.
    pole : array, shape (..., 3), optional
        The direction in the model, not a point, towards which the limb bends; of any length whose
        square is a number. By default the limb keeps its plane, turned the shortest way.
    mid_axis : array, shape (..., 3)
        The hinge's axis in the space of `mid`, length 1: a positive turn about it opens the joint.
        For a straight limb it alone says which way the joint bends.
    twist : number or array, shape (...)
        An angle in radians about the way from start to target, after the pole.
    soften : number or array, shape (...)
        From this share of full reach on the end lags behind (see `Soft`, of which this is the far
        edge): 1 not at all, 0 from the root on; clamped to [0, 1].
    weight : number or array, shape (...)
        How much of both corrections, from 0 (none) to 1; clamped.
    unreachable : str or Policy
        As for `solve`. Where bones give, the turns are those of the longer bones; to make them
        longer is up to you. A policy of your own sees the three lengths by a common factor, that
        of no unit: let it depend on their ratios alone.

    Returns
    -------
    Correction
        `start` and `mid`, unit quaternions xyzw with w >= 0, shape (..., 4), to be multiplied on
        the right of the local rotations, and `status`, shape (...). With `S`, `M`, `E` the matrices
        and `R(q)` that of a quaternion, the limb then is `S' = S R(start)`,
        `M' = S' S^-1 M R(mid)`, `E' = M' M^-1 E`.

    Raises
    ------
    ShapeError, ArrayTypeError, PolicyError, UnreachableError
        As `solve` does.
    PoseError
        If there is no `mid_axis`; in NumPy, where values can be seen without waiting for a
        device, also if it has not length 1, if `start` or `mid` makes space flat, or if the last
        row of a matrix is not 0, 0, 0, 1. Elsewhere such rows are NaN and INVALID.

    Notes
    -----
    **In the plane:** matrices of shape (..., 3, 3), target and pole (..., 2). Corrections are
    angles in radians, shape (...), counterclockwise where x goes right and y goes up. The pole says
    on which side the joint is, or `mid_axis`, +1 or -1, does: the sense in which a turn opens it.

    Where the pole is nearer than 10 degrees to the way, the limb's own plane fades in, so that
    turning through the pole does not flip the limb (`Limb` can do more). A pole along the way is
    AMBIGUOUS if the limb is bent, as in `solve`.

    The status is that of weight 1. Where `mid_axis` is not square to both bones the joint still is
    a hinge: its ring is narrower. Where `mid` is scaled, beside `start`, more in one direction than
    in another (by a share of 1e-6 or more; what is less counts as none), the end moves on an
    ellipse: the turn of the joint is then found by iteration, and `soften` and policies have no
    effect. An ellipse may come near the root twice, and the search can overlook the nearer
    place: of 66,507 targets of random shears that could be met, 3 were called TOO_NEAR.
    A matrix that scales all to nothing, or a hinge along both bones, gives identity corrections
    and INVALID, a row with NaN or infinity NaN and INVALID. Distances whose squares overflow or
    vanish (beyond 1e150, float32: 1e18) are too much.

    Gradients (PyTorch, JAX) are finite, as those of `solve`.

    Conventions are those of ozz-animation's `IKTwoBoneJob`; its curve for `soften` is not: that one
    lets the end overshoot.

    Examples
    --------
    An arm along +x, bent by a right angle about z, reaches out:

    >>> import numpy as np
    >>> import twobone
    >>> start, mid, end = np.eye(4), np.eye(4), np.eye(4)
    >>> mid[:3, 3], end[:3, 3] = [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]
    >>> reached = twobone.correct_limb(
    ...     start, mid, end, [2.0, 0.0, 0.0], pole=[0.0, 1.0, 0.0], mid_axis=[0.0, 0.0, 1.0]
    ... )
    >>> reached.start.round(3), reached.mid.round(3)
    (array([ 0.   ,  0.   , -0.707,  0.707]), array([0.   , 0.   , 0.707, 0.707]))
    """
    policy = policies.resolve(unreachable)
    if is_number(twist, 0.0) and is_number(soften, 1.0) and is_number(weight, 1.0):
        found = engine.short_correction(start, mid, end, target, pole, mid_axis, policy)
        if found is not None and not np.any(found[2] == engine.FOR_PYTHON):
            return seen(NUMPY, policy, FAULTS, *found)
    plane = batches.shape_of("start", start)[-1:] == (3,)
    check_axis(plane, pole, mid_axis, twist)
    arguments = {
        "start": start,
        "mid": mid,
        "end": end,
        "target": target,
        "pole": pole,
        "mid_axis": mid_axis,
        # What has no effect costs nothing.
        "twist": None if is_number(twist, 0.0) else twist,
        "soften": None if is_number(soften, 1.0) else soften,
        "weight": None if is_number(weight, 1.0) else weight,
    }
    tails = (PLANE if plane else SPACE) | dict.fromkeys(OPTIONS, ())
    given = batches.gather(arguments, tails, (*MATRICES, "target"))
    # Turns that were signalled by NaN in the plane could not be told from invalid ones.
    solve = in_plane("clamp" if policy.signals or policy.raises else unreachable)
    answer = plane_corrections if plane else limb_corrections

    def corrections(xp, t, **parts):
        start, mid, status, fault = answer(xp, t, solve, **parts)
        if policy.signals:
            start, mid = signal(xp, status, start), signal(xp, status, mid)
        return start, mid, status, fault

    turn = () if plane else (4,)
    outputs = [turn, turn, None, None]
    if engine.KERNEL is None or given.library is not NUMPY or plane:
        found = batches.run(corrections, given, outputs)
    else:
        found = by_kernel(given, policy, solve)
        found = batches.mend(corrections, given, outputs, found, found[2] == engine.FOR_PYTHON)
    return seen(given.library, policy, PLANE_FAULTS if plane else FAULTS, *found)


def seen(library, policy, kinds, start, mid, status, faults):
    """Return corrections, or raise what is to be raised."""
    raise_fault(library, kinds, faults)
    if policy.raises:
        dispatch.raise_if_unreachable(library, status)
    return Correction(start, mid, status)


def by_kernel(given, policy, solve):
    """Return what `limb_corrections` does, signals and all, compiled."""

    def triangles(d, r1, r2):
        triangle, status = solve(NUMPY, d, r1, r2)
        return (*triangle, status)

    values = [given.values.get(name) for name in given.tails]
    word = "clamp" if policy.raises else getattr(policy, "word", None)
    with np.errstate(all="ignore"):
        values[6:7] = (None, None) if values[6] is None else half_turn(NUMPY, values[6])
        return engine.correct(values, word, given.shape, triangles)


def check_axis(plane, pole, mid_axis, twist):
    """Raise if too little or too much is said of how the limb bends."""
    if mid_axis is None and not plane:
        raise PoseError("mid_axis", "be given, shape (..., 3)", "nothing")
    if mid_axis is None and pole is None:
        raise PoseError("mid_axis", "be given, +1 or -1, or else `pole`", "neither")
    if plane and not is_number(twist, 0.0):
        raise PoseError("twist", "be left out in the plane, where nothing can twist", "one")


def is_number(value, wanted):
    """Say whether an option is the plain number that does nothing."""
    return isinstance(value, int | float) and value == wanted


def in_plane(unreachable):
    """Return what solves limbs in their planes by `core`, for parts of any library."""

    def solve(xp, d, r1, r2):
        if xp.name == "float":
            found = solver.reach([d, 0.0], r1, r2, unreachable=unreachable)
            (x, y), (end, _) = found.joint.tolist(), found.end.tolist()
            return Triangle(x, y, end), float(found.status)
        target = xp.xp.stack([d, d * 0.0], axis=-1)
        found = solver.reach(target, r1, r2, unreachable=unreachable)
        status = xp.xp.astype(xp.xp.asarray(found.status), d.dtype)
        return Triangle(found.joint[..., 0], found.joint[..., 1], found.end[..., 0]), status

    return solve


def signal(xp, status, turn):
    """Return NaN for the turns of limbs whose target cannot be reached."""
    missed = (status == TOO_FAR) | (status == TOO_NEAR)
    if isinstance(turn, tuple):
        return tuple(xp.where(missed, NAN, part) for part in turn)
    return xp.where(missed, NAN, turn)


# --- the formula --------------------------------------------------------------------------


class Space(NamedTuple):
    """What takes vectors into the space of a matrix, but for a factor."""

    rows: tuple  # of the inverse, times the determinant
    sign: Any  # of the determinant
    empty: Any  # bool: scaled to nothing
    flat: Any  # bool: scaled to a plane or a line
    inverse: Any  # what the factor is over


def limb_corrections(
    xp,
    t,
    solve,
    *,
    start,
    mid,
    end,
    target,
    mid_axis,
    pole=None,
    twist=None,
    soften=None,
    weight=None,
):
    """Return both corrections, the status and what is at fault with the arguments."""
    root, space, hand = column(start, 3), space_of(xp, t, start), space_of(xp, t, mid)
    joint, tip, goal = (
        into(space, vectors.minus(point, root))
        for point in (column(mid, 3), column(end, 3), target)
    )
    # Turning about an axis is mirrored where space is.
    axis = vectors.unit(
        xp, into(space, vectors.times(hand.sign * space.sign, turned_by(mid, mid_axis)))
    )
    span = vectors.minus(column(end, 3), column(mid, 3))
    ellipse = ellipse_of(xp, t, mid, vectors.unit(xp, mid_axis), space, hand, span, axis, tip)
    ellipse = ellipse if may_hold(xp, ellipse.holds) else None
    towards = None if pole is None else into(space, pole)
    limb = bending.Task(joint, tip, goal, axis, towards, None, ellipse)
    wishes = bending.Wishes(
        fade=FADE,
        twist=None if twist is None else half_turn(xp, twist),
        softness=None if soften is None else 1.0 - between_0_and_1(xp, soften),
    )
    found = bending.turn_limb(xp, t, solve, limb, wishes)
    at_start, at_mid = found.start, bending.about(vectors.unit(xp, mid_axis), found.mid)
    if weight is not None:
        weight = between_0_and_1(xp, weight)
        at_start, at_mid = (
            quaternions.blend(xp, weight, at_start),
            quaternions.blend(xp, weight, at_mid),
        )
    fault = fault_of(xp, t, mid_axis, space, hand, (start, mid, end))
    empty = space.empty | hand.empty | (found.hinge.r1 + found.hinge.r2 == 0.0)
    good = (dot(at_start, at_start) > 0.5) & (dot(at_mid, at_mid) > 0.5) & (fault == 0.0)
    for matrix in (start, mid, end):
        good = good & (off_last_row(matrix) == 0.0)
    good = good & (found.status != INVALID)
    still = quaternions.identity(found.status)
    at_start, at_mid = (
        vectors.choose(xp, empty, still, tuple(xp.where(good, part, NAN) for part in q))
        for q in (at_start, at_mid)
    )
    status = xp.where(empty, INVALID, xp.where(good, found.status, INVALID))
    return at_start, at_mid, status, fault


def column(matrix, j):
    """Return a column of a matrix, without the last row."""
    return tuple(row[j] for row in matrix[:3])


def space_of(xp, t, matrix):
    """Return what takes vectors into the space of a matrix."""
    columns = [column(matrix, j) for j in range(3)]
    aa, bb, cc = (dot(v, v) for v in columns)
    size = aa + bb + cc
    unit = 1.0 / exact.power_of_two(xp, t, xp.sqrt(vectors.positive(xp, size)))
    a, b, c = (vectors.times(unit, v) for v in columns)
    rows = vectors.cross(b, c), vectors.cross(c, a), vectors.cross(a, b)
    volume = dot(a, rows[0])
    square = unit * unit
    most = (aa * square) * (bb * square) * (cc * square)
    empty = size == 0.0
    flat = volume * volume <= (64.0 * t.eps * t.eps) * most
    inverse = unit / bending.nonzero(xp, volume)
    return Space(rows, sign_of(xp, volume), empty, flat & (size > 0.0), inverse)


def into(space, v):
    """Return a vector in a space, but for a factor that is the same for all."""
    return tuple(space.sign * dot(row, v) for row in space.rows)


def turned_by(matrix, v):
    """Return a direction as a matrix has it."""
    return tuple(dot(row[:3], v) for row in matrix[:3])


def ellipse_of(xp, t, mid, mid_axis, space, hand, span, axis, tip):
    """Return what the end moves on while the joint turns, and where that is no circle.

    It is a circle unless the matrix of the joint, as that of the start sees it, makes one
    direction longer than another. `span` goes from the joint to the end in the model.
    """
    bone = tuple(hand.inverse * dot(row, span) for row in hand.rows)
    bone = vectors.square_to(bone, mid_axis)
    along = into(space, turned_by(mid, bone))
    across = into(space, turned_by(mid, vectors.cross(mid_axis, bone)))
    circle = vectors.square_to(into(space, span), axis)
    off_along, off_across = (
        vectors.minus(along, circle),
        vectors.minus(across, vectors.cross(axis, circle)),
    )
    off = dot(off_along, off_along) + dot(off_across, off_across)
    tolerance = max(2.0**-20, 64.0 * t.eps)
    holds = off > tolerance * tolerance * dot(circle, circle)
    return Ellipse(vectors.minus(tip, along), along, across, holds)


def may_hold(xp, condition):
    """Say whether a condition may hold anywhere; who cannot look at values says yes."""
    return xp.name not in ("float", "numpy") or bool(np.any(condition))


def half_turn(xp, angle):
    """Return cosine and sine of half an angle."""
    return quaternions.Half(xp.xp.cos(0.5 * angle), xp.xp.sin(0.5 * angle))


def between_0_and_1(xp, v):
    """Clamp a weight; NaN stays NaN."""
    return formula.least(xp, 1.0, formula.greatest(xp, 0.0, v))


# --- in the plane -------------------------------------------------------------------------


def plane_corrections(
    xp, t, solve, *, start, mid, end, target, pole=None, mid_axis=None, soften=None, weight=None
):
    """Return both corrections as angles: the limb in space whose hinge is square to the plane."""
    root, tip = start[0][2], start[1][2]
    goal = target[0] - root, target[1] - tip
    side = mid_axis
    vague = goal[0] < goal[0]
    if pole is not None:
        # A turn opens the joint in the sense in which the pole is seen from the way, or in the
        # other one where the joint's own space is mirrored.
        across = goal[0] * pole[1] - goal[1] * pole[0]
        flip = sign_of(xp, mid[0][0] * mid[1][1] - mid[0][1] * mid[1][0])
        present = side_of(xp, start, mid, end) * flip if side is None else side
        vague = across == 0.0
        side = xp.where(vague, present, sign_of(xp, across) * flip)
    zero = goal[0] * 0.0
    at_start, at_mid, status, fault = limb_corrections(
        xp,
        t,
        solve,
        start=in_space(xp, start),
        mid=in_space(xp, mid),
        end=in_space(xp, end),
        target=(*target, zero),
        mid_axis=(zero, zero, side + zero),
        soften=soften,
    )
    angles = tuple(2.0 * xp.xp.atan2(q[2], q[3]) for q in (at_start, at_mid))
    if weight is not None:
        weight = between_0_and_1(xp, weight)
        angles = tuple(weight * angle for angle in angles)
        status = xp.where(weight == weight, status, INVALID)
    bent = xp.where(vague, status, 1.0) == 0.0
    return *angles, xp.where(bent, AMBIGUOUS, status), fault


def in_space(xp, matrix):
    """Return a matrix of the plane as one of space; one that scales to nothing does so in all."""
    (a, b, x), (c, d, y), last = matrix
    zero = a * 0.0
    some = xp.where(a * a + b * b + c * c + d * d == 0.0, zero, zero + 1.0)
    third = zero, zero, some, zero
    return (a, b, zero, x), (c, d, zero, y), third, (last[0], last[1], zero, last[2])


def side_of(xp, start, mid, end):
    """Return the side of the way from start to end on which mid is: +1 left, -1 right."""
    x, y = start[0][2], start[1][2]
    joint, tip = (mid[0][2] - x, mid[1][2] - y), (end[0][2] - x, end[1][2] - y)
    return sign_of(xp, tip[0] * joint[1] - tip[1] * joint[0])


def sign_of(xp, v):
    """Return -1 where `v` is negative, else 1."""
    one = v * 0.0 + 1.0
    return xp.where(v < 0.0, -one, one)
