"""correct_limb: what to multiply onto the rotations of two joints, so that the third meets a target."""

from typing import NamedTuple

import numpy as np

from twobone.core import engine, exact, formula, policies, solver
from twobone.core.answer import INVALID, NAN, TOO_FAR, TOO_NEAR
from twobone.core.arrays import NUMPY
from twobone.core.exact import Array
from twobone.core.formula import dot
from twobone.core.policies import Policy
from twobone.errors import PoseError
from twobone.pose import batches, bending, turns
from twobone.pose.bending import Ellipse, Triangle

FADE = 0.17364817766693033  # sine of 10 degrees
LAST_ROW = "have 0, 0, 0, 1 as its last row (points are columns, `M @ [x, y, z, 1]`)"
TAILS = {name: (4, 4) for name in ("start", "mid", "end")}
TAILS |= {name: (3,) for name in ("target", "pole", "mid_axis")}
TAILS |= {name: () for name in ("twist", "soften", "weight")}


class Correction(NamedTuple):
    """Local corrections of a limb: quaternions xyzw, shape (..., 4), and `status`, shape (...)."""

    start: Array
    mid: Array
    status: Array


def correct_limb(
    start: Array,
    mid: Array,
    end: Array,
    target: Array,
    *,
    pole: Array,
    mid_axis: Array,
    twist: Array = 0.0,
    soften: Array = 1.0,
    weight: Array = 1.0,
    unreachable: str | Policy = "clamp",
) -> Correction:
    """..."""
    policy = policies.resolve(unreachable)
    solve = in_plane(policy)
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
    given = batches.gather(arguments, TAILS)

    def corrections(xp, t, **parts):
        start, mid, status, fault = limb_corrections(xp, t, solve, **parts)
        if policy.signals:
            start, mid = signal(xp, status, start), signal(xp, status, mid)
        return start, mid, status, fault

    if engine.KERNEL is not None and given.library is NUMPY:
        start, mid, status, faults = by_kernel(given, policy, solve)
    else:
        start, mid, status, faults = batches.run(corrections, given, [(4,), (4,), None, None])
    check_faults(given, faults)
    if policy.raises:
        solver.raise_if_unreachable(given.library, status)
    return Correction(start, mid, status)


def by_kernel(given, policy, solve):
    """Return what `limb_corrections` does, and what a policy signals, compiled."""
    values = [given.values.get(name) for name in TAILS]
    with np.errstate(all="ignore"):
        values[6:7] = (None, None) if values[6] is None else half_turn(NUMPY, values[6])

    def triangles(d, r1, r2):
        triangle, status = solve(NUMPY, d, r1, r2)
        return (*triangle, status)

    word = "clamp" if policy.raises else getattr(policy, "word", None)
    return engine.correct(values, word, given.shape, triangles)


def is_number(value, wanted):
    """Say whether an option is the plain number that does nothing."""
    return isinstance(value, int | float) and value == wanted


def in_plane(policy):
    """Return what solves limbs in their planes by `core`, for parts of any library."""
    # Turns that have been signalled by NaN could not be told from invalid ones.
    unreachable = "clamp" if policy.signals or policy.raises else getattr(policy, "word", policy)

    def solve(xp, d, r1, r2):
        if xp.name == "float":
            found = solver.reach([d, 0.0], r1, r2, unreachable=unreachable)
            (x, y), (end, _) = found.joint.tolist(), found.end.tolist()
            return Triangle(x, y, end), float(found.status)
        target = xp.xp.stack([d, d * 0.0], axis=-1)
        found = solver.reach(target, r1, r2, unreachable=unreachable)
        status = xp.xp.astype(found.status, d.dtype)
        return Triangle(found.joint[..., 0], found.joint[..., 1], found.end[..., 0]), status

    return solve


def signal(xp, status, q):
    """Return NaN for the turns of limbs whose target cannot be reached."""
    missed = (status == TOO_FAR) | (status == TOO_NEAR)
    return tuple(xp.where(missed, NAN, part) for part in q)


# --- the formula --------------------------------------------------------------------------


class Space(NamedTuple):
    """What takes vectors into the space of a matrix, but for a factor."""

    rows: tuple  # of the inverse, times the determinant
    sign: Array  # of the determinant
    empty: Array  # bool: scaled to nothing
    flat: Array  # bool: scaled to a plane or a line
    inverse: Array  # what the factor is over


def limb_corrections(
    xp, t, solve, *, start, mid, end, target, pole, mid_axis, twist=None, soften=None, weight=None
):
    """Return both corrections, the status and what is at fault with the arguments."""
    root, space, hand = column(start, 3), space_of(xp, t, start), space_of(xp, t, mid)
    joint, tip, goal = (
        into(space, turns.minus(point, root)) for point in (column(mid, 3), column(end, 3), target)
    )
    # Turning about an axis is mirrored where space is.
    axis = turns.unit(xp, into(space, turns.times(hand.sign * space.sign, turned_by(mid, mid_axis))))
    span = turns.minus(column(end, 3), column(mid, 3))
    ellipse = ellipse_of(xp, t, mid, turns.unit(xp, mid_axis), space, hand, span, axis, tip)
    ellipse = ellipse if may_hold(xp, ellipse.holds) else None
    limb = bending.Limb(joint, tip, goal, axis, into(space, pole), None, ellipse)
    wishes = bending.Wishes(
        fade=FADE,
        twist=None if twist is None else half_turn(xp, twist),
        softness=None if soften is None else 1.0 - between_0_and_1(xp, soften),
    )
    found = bending.turn_limb(xp, t, solve, limb, wishes)
    at_start, at_mid = found.start, bending.about(turns.unit(xp, mid_axis), found.mid)
    if weight is not None:
        weight = between_0_and_1(xp, weight)
        at_start, at_mid = turns.blend(xp, weight, at_start), turns.blend(xp, weight, at_mid)
    fault = fault_of(xp, t, mid_axis, space, hand, (start, mid, end))
    empty = space.empty | hand.empty | (found.hinge.r1 + found.hinge.r2 == 0.0)
    good = (dot(at_start, at_start) > 0.5) & (dot(at_mid, at_mid) > 0.5) & (fault == 0.0)
    good = good & (found.status != INVALID)
    still = turns.identity(found.status)
    at_start, at_mid = (
        turns.choose(xp, empty, still, tuple(xp.where(good, part, NAN) for part in q))
        for q in (at_start, at_mid)
    )
    return at_start, at_mid, xp.where(good & ~empty, found.status, INVALID), fault


def column(matrix, j):
    """Return a column of a matrix, without the last row."""
    return tuple(row[j] for row in matrix[:3])


def space_of(xp, t, matrix):
    """Return what takes vectors into the space of a matrix."""
    columns = [column(matrix, j) for j in range(3)]
    aa, bb, cc = (dot(v, v) for v in columns)
    size = aa + bb + cc
    unit = 1.0 / exact.power_of_two(xp, t, xp.sqrt(turns.positive(xp, size)))
    a, b, c = (turns.times(unit, v) for v in columns)
    rows = turns.cross(b, c), turns.cross(c, a), turns.cross(a, b)
    volume = dot(a, rows[0])
    square = unit * unit
    most = (aa * square) * (bb * square) * (cc * square)
    one = volume * 0.0 + 1.0
    empty = size == 0.0
    flat = volume * volume <= (64.0 * t.eps * t.eps) * most
    inverse = unit / xp.where(volume == 0.0, one, volume)
    return Space(rows, xp.where(volume < 0.0, -one, one), empty, flat & ~empty, inverse)


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
    bone = turns.square_to(bone, mid_axis)
    along = into(space, turned_by(mid, bone))
    across = into(space, turned_by(mid, turns.cross(mid_axis, bone)))
    circle = turns.square_to(into(space, span), axis)
    off_along, off_across = turns.minus(along, circle), turns.minus(across, turns.cross(axis, circle))
    off = dot(off_along, off_along) + dot(off_across, off_across)
    tolerance = max(2.0**-20, 64.0 * t.eps)
    holds = off > tolerance * tolerance * dot(circle, circle)
    return Ellipse(turns.minus(tip, along), along, across, holds)


def may_hold(xp, condition):
    """Say whether a condition may hold anywhere; who cannot look at values says yes."""
    return xp.name not in ("float", "numpy") or bool(np.any(condition))


def half_turn(xp, angle):
    """Return cosine and sine of half an angle."""
    return turns.Half(xp.xp.cos(0.5 * angle), xp.xp.sin(0.5 * angle))


def between_0_and_1(xp, v):
    """Clamp a weight."""
    return formula.least(xp, formula.greatest(xp, v, 0.0), 1.0)


# --- what is at fault ---------------------------------------------------------------------

FAULTS = {
    1: ("mid_axis", "have length 1", "another length"),
    2: ("start", "keep all three directions apart", "a matrix that makes space flat"),
    3: ("mid", "keep all three directions apart", "a matrix that makes space flat"),
    4: ("start", LAST_ROW, "another"),
    5: ("mid", LAST_ROW, "another"),
    6: ("end", LAST_ROW, "another"),
}


def fault_of(xp, t, mid_axis, space, hand, matrices):
    """Return the number of what is at fault, 0 for nothing; NaN is no fault."""
    long = dot(mid_axis, mid_axis)
    zero = long * 0.0
    fault = xp.where((long < 0.996) | (long > 1.004), zero + 1.0, zero)
    fault = xp.where(hand.flat, 3.0, xp.where(space.flat, 2.0, fault))
    for number, matrix in enumerate(matrices, start=4):
        x, y, z, w = matrix[3]
        wrong = x * x + y * y + z * z + (w - 1.0) * (w - 1.0) > 0.0
        fault = xp.where(wrong, float(number), fault)
    return fault


def check_faults(given, faults):
    """Raise if anything is at fault, where values can be seen without waiting for a device."""
    if given.library is not NUMPY or not faults.any():
        return
    rows = np.argwhere(faults)
    name, wanted, came = FAULTS[int(np.asarray(faults)[tuple(rows[0])])]
    raise PoseError(name, wanted, came, rows)
