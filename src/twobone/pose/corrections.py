"""`correct_limb`: local rotations of two joints that bring the end of a limb to a target."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from twobone.core import (
    arrays,
    batches,
    dispatch,
    engine,
    exact,
    formula,
    policies,
    programs,
    solver,
    vectors,
)
from twobone.core.answer import AMBIGUOUS, INVALID, NAN, TOO_FAR, TOO_NEAR
from twobone.core.array_types import A, AnyArray, ArrayLike, Arrays, C, F, Mixed, NDArray, Of, X
from twobone.core.arrays import NUMPY
from twobone.core.formula import dot
from twobone.core.halves import in_float32
from twobone.core.policies import Unreachable
from twobone.errors import PoseError
from twobone.pose import bending, compiled
from twobone.pose.bending import Ellipse, Triangle
from twobone.pose.faults import FAULTS, PLANE_FAULTS, fault_of, last_row_error, raise_fault
from twobone.rotations import quaternions

FADE = 0.17364817766693033  # sine of 10 degrees
MATRICES, OPTIONS = ("start", "mid", "end"), ("twist", "soften", "weight")
SPACE = dict.fromkeys(MATRICES, (4, 4)) | dict.fromkeys(("target", "pole", "mid_axis"), (3,))
PROGRAMS = programs.Programs()  # of tensors
PLANE = dict.fromkeys(MATRICES, (3, 3)) | {"target": (2,), "pole": (2,), "mid_axis": ()}


class Correction(NamedTuple, Of[X, C]):
    """The result of `correct_limb`.

    `start` and `mid` are quaternions xyzw, shape (..., 4), to multiply on the right of the local
    rotations of these joints; in the plane they are angles in radians, shape (...). `status` holds
    codes of `Status`, shape (...).
    """

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
@in_float32
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
    """Compute the rotations of two joints that bring the end of a limb to a target.

    Nothing is changed in place: the result holds a correction for the local rotation of `start` and
    one for that of `mid`. This is the function for engines that give a matrix for each joint; for a
    `Skeleton` use `Limb`.

    Parameters
    ----------
    start, mid, end : array, shape (..., 4, 4)
        Matrices of the three joints in model space, in their present pose. Points are columns, so
        the translation is in the last column. They may have any scale: mirrored, different for each
        axis, or zero. `end` need not be a child of `mid`, nor `mid` of `start`: joints in between
        keep their local transforms.
    target : array, shape (..., 3)
        The position in model space that the end must reach.
    pole : array, shape (..., 3), optional
        The direction in model space towards which the joint bends: a direction, not a point, of any
        length whose square is finite. By default the limb keeps its present plane, rotated by the
        shortest arc.
    mid_axis : array, shape (..., 3)
        Unit vector along the hinge axis, in the local space of `mid`. A positive rotation about it
        opens (straightens) the joint. It is required because a straight limb does not show how its
        joint bends.
    twist : number or array, shape (...)
        Angle in radians by which the limb is rotated about the line from start to target, after the
        pole was applied.
    soften : number or array, shape (...)
        Fraction of the maximum reach beyond which the end lags behind the target, so that the limb
        straightens smoothly; clamped to the range from 0 to 1. 1 (the default) turns it off.
        `soften=0.95` is `Soft(0.05)` at the maximum reach.
    weight : number or array, shape (...)
        How much of both corrections to apply, from 0 (none) to 1 (all); clamped. `status` ignores
        it.
    unreachable : str or Policy
        What to do with targets that cannot be reached, as in `twobone.solve`. A policy that
        stretches the bones gives the rotations of the stretched limb; lengthening the bones is left
        to the caller. A policy of your own gets the three distances in an arbitrary common unit, so
        it should depend on their ratios alone.

    Returns
    -------
    Correction
        `start` and `mid`, unit quaternions xyzw with w >= 0, shape (..., 4), to multiply on the
        right of the local rotations of these joints; and `status`, shape (...). If `S`, `M` and `E`
        are the given matrices and `R(q)` is the matrix of a quaternion, the corrected matrices are
        `S' = S R(start)`, `M' = S' S^-1 M R(mid)` and `E' = M' M^-1 E`.

    Raises
    ------
    ShapeError, ArrayTypeError, PolicyError, UnreachableError
        As in `twobone.solve`.
    PoseError
        If `mid_axis` is missing. With NumPy, whose values can be seen without waiting for a device,
        also if its length is not 1, if `start` or `mid` is singular (but not 0), or if the last row
        of a matrix is not 0, 0, 0, 1. With other libraries such rows are NaN and INVALID.

    Notes
    -----
    **In the plane:** matrices have shape (..., 3, 3), `target` and `pole` (..., 2). The corrections
    are angles in radians, shape (...), counterclockwise if x points right and y points up. Either
    `pole` or `mid_axis` (+1 if a counterclockwise rotation in the space of `mid` opens the joint,
    else -1) determines the side to which the joint bends; if both are given, the pole does.

    **Pole.** Where the pole is within 10 degrees of the target direction, the limb's present plane
    is blended in, so that a target that passes through the pole does not flip the limb (`Limb` has
    more options). A pole parallel to the target direction is AMBIGUOUS if the limb is bent, as in
    `solve`.

    **Hinge.** If `mid_axis` is not perpendicular to both bones, the joint is still a hinge, and the
    reachable range is narrower. If the scale of `mid`, relative to `start`, differs between
    directions (by more than about one part in a million), the end moves on an ellipse. The rotation
    of the joint is then found by iteration, and `soften` and policies have no effect. If no point
    of the ellipse is at the distance of the target, the end goes to the nearest or farthest one.

    **Degenerate input.** A matrix of scale 0 in all directions, or a hinge axis along both bones,
    gives identity corrections and INVALID. A row with NaN or infinity gives NaN and INVALID.
    Distances whose squares overflow or underflow (beyond 1e150, float32: 1e18) are not supported.

    Gradients (PyTorch, JAX) are finite, as those of `solve`.

    The conventions are those of ozz-animation's `IKTwoBoneJob`, except for the curve of `soften`,
    which in ozz-animation lets the end overshoot the target.

    Examples
    --------
    An arm bent by a right angle reaches out along +x, with the elbow towards +y:

    >>> import numpy as np
    >>> import twobone
    >>> start, mid, end = np.eye(4), np.eye(4), np.eye(4)
    >>> mid[:3, 3], end[:3, 3] = [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]
    >>> pole, axis = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    >>> found = twobone.correct_limb(start, mid, end, [2.0, 0.0, 0.0], pole=pole, mid_axis=axis)
    >>> found.start.round(3), found.mid.round(3)
    (array([ 0.   ,  0.   , -0.707,  0.707]), array([0.   , 0.   , 0.707, 0.707]))
    >>> twobone.Status(found.status).name
    'REACHED'

    Many targets at once; arrays broadcast, and here the three matrices are the same for all:

    >>> targets = [[1.2, 0.0, 0.0], [1.6, 0.0, 0.0], [2.4, 0.0, 0.0]]
    >>> found = twobone.correct_limb(start, mid, end, targets, pole=pole, mid_axis=axis)
    >>> found.mid.shape, found.status
    ((3, 4), array([0, 0, 1], dtype=int8))

    In the plane the corrections are angles, and `mid_axis=1` opens the joint counterclockwise:

    >>> start, mid, end = np.eye(3), np.eye(3), np.eye(3)
    >>> mid[:2, 2], end[:2, 2] = [0.0, 1.0], [1.0, 1.0]
    >>> found = twobone.correct_limb(start, mid, end, [2.0, 0.0], mid_axis=1)
    >>> np.degrees([found.start, found.mid]).round(3)
    array([-90.,  90.])
    """
    if arrays.is_taken_into_graph():
        from twobone.core import torch_graphs  # unreached: dynamo

        given = start, mid, end, target, pole, mid_axis, twist, soften, weight
        told = torch_graphs.told(unreachable)
        return Correction(*torch_graphs.call(__name__, "_correct_limb", told, *given))
    policy = policies.resolve(unreachable)
    if is_default(twist, 0.0) and is_default(soften, 1.0) and is_default(weight, 1.0):
        found = compiled.correct_plain((start, mid, end, target, pole, mid_axis), policy)
        if found is not None and not np.any(found[2] == compiled.FOR_PYTHON):
            return checked_result(NUMPY, policy, FAULTS, found)
    plane = batches.shape_of("start", start)[-1:] == (3,)
    check_axis(plane, pole, mid_axis, twist)
    arguments = {
        "start": start,
        "mid": mid,
        "end": end,
        "target": target,
        "pole": pole,
        "mid_axis": mid_axis,
        # An option at its default is left out, so that it costs nothing.
        "twist": None if is_default(twist, 0.0) else twist,
        "soften": None if is_default(soften, 1.0) else soften,
        "weight": None if is_default(weight, 1.0) else weight,
    }
    numbers = policies.parameters(policy)
    tails = (PLANE if plane else SPACE) | dict.fromkeys([*OPTIONS, *numbers], ())
    given = batches.gather(arguments | numbers, tails, (*MATRICES, "target"))
    # NaN from the plane solver could not be told from an invalid row, so "nan" comes after it.
    inner = "clamp" if policy.signals or policy.raises else unreachable
    answer = plane_corrections if plane else limb_corrections

    def corrections(xp, t, **parts):
        solve = plane_solver(with_parameters(inner, parts))
        start, mid, status, fault = answer(xp, t, solve, request_of(parts))
        if policy.signals:
            start, mid = signal(xp, status, start), signal(xp, status, mid)
        return start, mid, status, fault

    rotation_shape = () if plane else (4,)
    outputs = [rotation_shape, rotation_shape, None, None]
    if engine.KERNEL is None or given.library is not NUMPY or plane:
        # Policies that users write may define equality and hashes in any way: they are no keys.
        kept = given.library is not NUMPY and engine.is_compiled(inner)
        found = batches.run(
            corrections, given, outputs, PROGRAMS if kept else None, (policy, plane)
        )
    else:
        solve = plane_solver(with_parameters(inner, given.values))
        found = run_kernel(given, policy, solve)
        found = batches.mend(corrections, given, outputs, found, found[2] == compiled.FOR_PYTHON)
    return checked_result(given.library, policy, PLANE_FAULTS if plane else FAULTS, found)


def _correct_limb(unreachable, start, mid, end, target, *others):
    """Do the same; all arguments have their place."""
    names = ("pole", "mid_axis", "twist", "soften", "weight")
    options = dict(zip(names, others, strict=True))
    return tuple(correct_limb(start, mid, end, target, **options, unreachable=unreachable))


def checked_result(library, policy, kinds, found):
    """Return a `Correction`, or raise the error that the faults or the policy ask for."""
    start, mid, status, faults = found
    raise_fault(library, kinds, faults)
    if policy.raises:
        dispatch.raise_if_unreachable(library, status)
    return Correction(start, mid, status)


def run_kernel(given, policy, solve):
    """Return what `limb_corrections` returns, "nan" applied, computed by the compiled kernel."""

    def triangles(d, r1, r2):
        triangle, status = solve(NUMPY, d, r1, r2)
        return (*triangle, status)

    values = [given.values.get(name) for name in (*SPACE, *OPTIONS)]
    word = "clamp" if policy.raises else getattr(policy, "word", None)
    with np.errstate(all="ignore"):
        values[6:7] = (None, None) if values[6] is None else half_angle(NUMPY, values[6])
        return compiled.correct(values, word, given.shape, triangles)


def check_axis(plane, pole, mid_axis, twist):
    """Raise an error if the bending plane is not defined, or if a twist is given in the plane."""
    if mid_axis is None and not plane:
        raise PoseError("mid_axis", "be given, shape (..., 3)", "nothing")
    if mid_axis is None and pole is None:
        raise PoseError("mid_axis", "be given, +1 or -1, if there is no `pole`", "neither")
    if plane and not is_default(twist, 0.0):
        raise PoseError("twist", "be left out in the plane, where a limb cannot twist", "one")


def is_default(value, default):
    """Return whether an option is the plain number that has no effect."""
    return isinstance(value, int | float) and value == default


def with_parameters(unreachable, values):
    """Return a policy with the arrays of these rows in the place of its own; others unchanged."""
    if isinstance(unreachable, str) or not unreachable.per_row:
        return unreachable
    names = policies.parameters(unreachable)
    # Numbers become arrays without axes, whose values do not raise.
    rows = [np.asarray(v) if type(v) is float else v for v in map(values.__getitem__, names)]
    return policies.with_leaves(unreachable, rows)


def plane_solver(unreachable):
    """Return a function that solves limbs in their own plane with `core`, for any library."""

    def solve(xp, d, r1, r2):
        if xp.name == "program":
            x, y, end, status = xp.triangle(d, r1, r2, unreachable)
            return Triangle(x, y, end), status
        if xp.name == "float":
            found = solver.reach([d, 0.0], r1, r2, unreachable=unreachable)
            (x, y), (end, _) = found.joint.tolist(), found.end.tolist()
            return Triangle(x, y, end), float(found.status)
        target = xp.xp.stack([d, d * 0.0], axis=-1)
        found = solver.reach(target, r1, r2, unreachable=unreachable)
        status = xp.xp.astype(xp.xp.asarray(found.status), d.dtype)
        return Triangle(found.joint[..., 0], found.joint[..., 1], found.end[..., 0]), status

    return solve


def signal(xp, status, rotation):
    """Return a rotation with NaN where the target cannot be reached."""
    missed = (status == TOO_FAR) | (status == TOO_NEAR)
    if isinstance(rotation, tuple):
        return tuple(xp.where(missed, NAN, part) for part in rotation)
    return xp.where(missed, NAN, rotation)


# --- the formula --------------------------------------------------------------------------


class Matrices(NamedTuple):
    """The matrices of the three joints, as rows of numbers."""

    start: tuple
    mid: tuple
    end: tuple


class Options(NamedTuple):
    """The options of `correct_limb` that are numbers; None where one has no effect."""

    twist: Any = None
    soften: Any = None
    weight: Any = None


class Request(NamedTuple):
    """The arguments of `correct_limb` for one limb."""

    matrices: Matrices
    target: tuple
    pole: tuple | None
    mid_axis: Any  # a vector; in the plane +1, -1 or None
    options: Options


def request_of(parts):
    """Return the arguments of one limb from a dictionary by name."""
    return Request(
        Matrices(*(parts[name] for name in MATRICES)),
        parts["target"],
        parts.get("pole"),
        parts.get("mid_axis"),
        Options(*(parts.get(name) for name in OPTIONS)),
    )


class Space(NamedTuple):
    """The map from the model into the space of a matrix, up to a positive factor."""

    rows: tuple  # of the inverse, times the determinant
    sign: Any  # of the determinant
    empty: Any  # bool: all three columns are 0
    flat: Any  # bool: singular, but not 0
    inverse: Any  # factor that makes `rows` those of the inverse


def limb_corrections(xp, t, solve, request):
    """Return both corrections, the status, and the number of the fault in the arguments."""
    (start, mid, end), target, pole, mid_axis, options = request
    root, start_space, mid_space = column(start, 3), space_of(xp, t, start), space_of(xp, t, mid)
    joint, tip, goal = (
        into(start_space, vectors.minus(point, root))
        for point in (column(mid, 3), column(end, 3), target)
    )
    # A mirrored space reverses the sense of a rotation about its axes.
    axis = vectors.unit(
        xp,
        into(
            start_space,
            vectors.times(mid_space.sign * start_space.sign, map_direction(mid, mid_axis)),
        ),
    )
    axes = vectors.unit(xp, mid_axis), axis
    ellipse = ellipse_of(xp, t, request.matrices, (start_space, mid_space), axes, tip)
    ellipse = ellipse if may_be_true(xp, ellipse.applies) else None
    towards = None if pole is None else into(start_space, pole)
    limb = bending.Task(joint, tip, goal, axis, towards, None, ellipse)
    bend_options = bending.BendOptions(
        fade=FADE,
        twist=None if options.twist is None else half_angle(xp, options.twist),
        softness=None if options.soften is None else 1.0 - between_0_and_1(xp, options.soften),
    )
    found = bending.rotate_limb(xp, t, solve, limb, bend_options)
    at_start, at_mid = found.start, bending.rotation_about(axes[0], found.mid)
    if options.weight is not None:
        weight = between_0_and_1(xp, options.weight)
        at_start, at_mid = (
            quaternions.blend(xp, weight, at_start),
            quaternions.blend(xp, weight, at_mid),
        )
    fault = fault_of(xp, t, mid_axis, start_space, mid_space, request.matrices)
    empty = start_space.empty | mid_space.empty | (found.hinge.r1 + found.hinge.r2 == 0.0)
    good = (dot(at_start, at_start) > 0.5) & (dot(at_mid, at_mid) > 0.5) & (fault == 0.0)
    for matrix in request.matrices:
        good = good & (last_row_error(matrix) == 0.0)
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
    """Return the map into the space of a matrix."""
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
    """Return a vector in a space, up to a positive factor that is the same for all vectors."""
    return tuple(space.sign * dot(row, v) for row in space.rows)


def map_direction(matrix, v):
    """Return a direction mapped by a matrix, without its translation."""
    return tuple(dot(row[:3], v) for row in matrix[:3])


def ellipse_of(xp, t, matrices, spaces, axes, tip):
    """Return the ellipse on which the end moves while the joint rotates.

    The path is a circle (`applies` is False) unless the matrix of mid, seen from that of start,
    scales some directions more than others. `spaces` are those of start and mid, `axes` the hinge
    axis as a unit vector in the space of mid and of start, `tip` the end in the space of start.
    """
    (start_space, mid_space), (mid_axis, axis), mid = spaces, axes, matrices.mid
    span = vectors.minus(column(matrices.end, 3), column(mid, 3))
    bone = tuple(mid_space.inverse * dot(row, span) for row in mid_space.rows)
    bone = vectors.square_to(bone, mid_axis)
    along = into(start_space, map_direction(mid, bone))
    across = into(start_space, map_direction(mid, vectors.cross(mid_axis, bone)))
    circle = vectors.square_to(into(start_space, span), axis)
    off_along, off_across = (
        vectors.minus(along, circle),
        vectors.minus(across, vectors.cross(axis, circle)),
    )
    off = dot(off_along, off_along) + dot(off_across, off_across)
    tolerance = max(2.0**-20, 64.0 * t.eps)
    applies = off > tolerance * tolerance * dot(circle, circle)
    return Ellipse(vectors.minus(tip, along), along, across, applies)


def may_be_true(xp, condition):
    """Return whether a condition may be true anywhere: always True if values cannot be seen."""
    return xp.name not in ("float", "numpy") or bool(np.any(condition))


def half_angle(xp, angle):
    """Return the cosine and sine of half an angle."""
    return quaternions.Half(xp.xp.cos(0.5 * angle), xp.xp.sin(0.5 * angle))


def between_0_and_1(xp, v):
    """Clamp a number to 0 and 1; NaN stays NaN."""
    return formula.least(xp, 1.0, formula.greatest(xp, 0.0, v))


# --- in the plane -------------------------------------------------------------------------


def plane_corrections(xp, t, solve, request):
    """Return both corrections as angles, the status and the number of the fault.

    The limb is solved in space with its hinge axis perpendicular to the plane.
    """
    (start, mid, end), target, pole, side, options = request
    root, tip = start[0][2], start[1][2]
    goal = target[0] - root, target[1] - tip
    ambiguous = goal[0] < goal[0]
    if pole is not None:
        # The joint opens in the sense of the rotation from target direction to pole, or in the
        # opposite one if the space of `mid` is mirrored.
        across = goal[0] * pole[1] - goal[1] * pole[0]
        flip = sign_of(xp, mid[0][0] * mid[1][1] - mid[0][1] * mid[1][0])
        present = side_of(xp, start, mid, end) * flip if side is None else side
        ambiguous = across == 0.0
        side = xp.where(ambiguous, present, sign_of(xp, across) * flip)
    zero = goal[0] * 0.0
    matrices = Matrices(*(in_space(xp, matrix) for matrix in request.matrices))
    soften_only = Options(soften=options.soften)
    in_3d = Request(matrices, (*target, zero), None, (zero, zero, side + zero), soften_only)
    at_start, at_mid, status, fault = limb_corrections(xp, t, solve, in_3d)
    angles = tuple(2.0 * xp.xp.atan2(q[2], q[3]) for q in (at_start, at_mid))
    if options.weight is not None:
        weight = between_0_and_1(xp, options.weight)
        angles = tuple(weight * angle for angle in angles)
        status = xp.where(weight == weight, status, INVALID)
    met = xp.where(ambiguous, status, 1.0) == 0.0
    return *angles, xp.where(met, AMBIGUOUS, status), fault


def in_space(xp, matrix):
    """Return a matrix of the plane as one of space; its third axis is 0 only if both others are."""
    (a, b, x), (c, d, y), last = matrix
    zero = a * 0.0
    some = xp.where(a * a + b * b + c * c + d * d == 0.0, zero, zero + 1.0)
    third = zero, zero, some, zero
    return (a, b, zero, x), (c, d, zero, y), third, (last[0], last[1], zero, last[2])


def side_of(xp, start, mid, end):
    """Return the side of the line from start to end on which mid lies: +1 left, -1 right."""
    x, y = start[0][2], start[1][2]
    joint, tip = (mid[0][2] - x, mid[1][2] - y), (end[0][2] - x, end[1][2] - y)
    return sign_of(xp, tip[0] * joint[1] - tip[1] * joint[0])


def sign_of(xp, v):
    """Return -1 where `v` is negative, else 1."""
    one = v * 0.0 + 1.0
    return xp.where(v < 0.0, -one, one)
