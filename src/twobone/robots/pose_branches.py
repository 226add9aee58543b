"""The closed form of limbs with six joints: all angles with which the tip is in a pose.

Three axes at one end meet: the position of the point in which they do does not depend on their
angles. So the other three joints bring that point to where the target's pose puts it, with two
bones between them (`_reach`), and the three angles of the joints that meet are those of the
rotation that remains (`subproblems.three_turns`). If instead three axes in the middle are parallel,
the first and the last two angles follow from what the parallel joints cannot change, and two bones
move in the plane perpendicular to them (`_parallel`).

A limb whose axes meet at its base is read from its tip: its axes are reversed, and the target is
the pose of the base seen from the tip. Axes of a file that miss each other by rounding are taken
to meet; then the target is moved by as much as the file's own kinematics miss it, a few times.

`xp` and `t` are those of `core.formula`; a rotation is a matrix, a tuple of rows.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

from twobone.core import vectors
from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.formula import dot
from twobone.core.vectors import cross, minus, times
from twobone.robots import closed_form, kinematics, structure
from twobone.robots.chain import Chain, Link
from twobone.robots.closed_form import AMBIGUOUS, TOO_FAR, TOO_NEAR, Goal
from twobone.robots.geometry import geometry_of
from twobone.robots.structure import CROSSED, LATE, LEG, PARALLEL, Fit, View
from twobone.robots.subproblems import (
    TINY,
    Ball,
    Basis,
    Pair,
    angle_of,
    ball_of,
    basis_of,
    beside,
    in_plane,
    pair_of,
    rotated_by,
    three_turns,
    times_matrix,
    transposed,
    turned,
    two_turns,
)
from twobone.rotations import angles as angle_formulas

REACHED_WITHIN = 1e-9  # of the limb's length, and radians
SIGNS = tuple((s, e, w) for s in (1.0, -1.0) for e in (1.0, -1.0) for w in (1.0, -1.0))
EXACT = 1e-14  # of the limb's length: what a limb may be off without a correction
NEWTON = 25  # steps of a limb that is only close to its class
LOOSE = 64.0  # eps: by how much a rotation may be off so that two bones reach
EASY, HARD = 0.25, 8.0  # by which its damping changes after a step that is nearer, or is not


class Bones(NamedTuple):
    """Two bones in a plane perpendicular to the axis between them."""

    basis: Basis  # of the axis
    upper: tuple  # in the plane, from the first point to the axis
    lower: tuple  # from the axis to the last point, while the angle is 0
    r1: float
    r2: float
    aside: float  # along the axis, from the first point to the last
    start: tuple  # in space, from the first point to a point of the axis
    end: tuple  # from there to the last point


class Sphere(NamedTuple):
    """How the first three joints bring the point in which the last three meet to a target."""

    kind: structure.Kind
    leg: Any  # the `Problem` of a leg, or None
    pair: Pair | None  # of the two axes that meet
    bones: Bones | None
    start: tuple  # the point in which they meet, or one of the first axis
    ball: Ball
    wrist: tuple  # the point in which the last three meet, while all angles are 0


class Planes(NamedTuple):
    """Three parallel axes, and two that meet."""

    first: Basis  # of the first joint; x is in the plane of its axis and the parallel ones
    cos: float  # of the angle between them
    sin: float
    parallel: Basis  # x is the same direction as in `first`, or any if ...
    signs: tuple  # of the parallel joints
    aside: float  # along the parallel axes, from the first joint to the wrist
    root: tuple  # a point of the first axis
    hip: tuple  # in the plane, from there to the first parallel joint
    upper: tuple
    lower: tuple
    last: tuple  # from the last parallel joint to the wrist
    r1: float
    r2: float
    pair: Pair  # of the last two axes, both reversed: see `_parallel`
    wrist: tuple


class Problem(NamedTuple):
    """A limb of six joints as the formulas need it."""

    chain: Chain  # as the file has it
    view: View
    solver: Any  # `Sphere` or `Planes`
    zero: tuple  # the inverse of the tip's rotation while all angles are 0
    size: float
    steps: int  # of the correction; negative if these are Newton's
    signs: tuple  # of the branches
    ranges: tuple
    middle: tuple
    wide: bool


class Pose(NamedTuple):
    """Where the tip must be, and how it must be rotated from where it is while all angles are 0."""

    position: tuple
    rotation: tuple


class Found(NamedTuple):
    """One branch."""

    angles: tuple
    status: Any
    within: Any  # bool: all angles are within their limits


class Raw(NamedTuple):
    """The angles of a branch before whole turns are added."""

    angles: tuple
    missed: Any  # the status if the tip is not in its pose
    free: Any  # bool: an angle may be any
    short: tuple  # from where exact axes would put the tip to its pose
    exact: bool  # whether the directions of the axes are those of the file


# --- constants ----------------------------------------------------------------------------


def problem_of(chain: Chain, fit: Fit, rest) -> Problem:
    """Return the problem of a chain of six joints; branch 0 is that of its rest pose."""
    size = structure.size_of(chain)
    solver = (_planes_of if fit.kind == PARALLEL else _sphere_of)(fit)
    ranges = tuple(joint.limits for joint in chain.joints)
    middle = tuple(closed_form.middle_of(*limits) for limits in ranges)
    wide = any(high - low >= 2.0 * angle_formulas.PI for low, high in ranges)
    zero = tuple(map(structure.snapped, transposed(chain.rotation)))
    problem = Problem(
        chain, fit.view, solver, zero, size, steps_of(fit, size), SIGNS, ranges, middle, wide
    )
    return problem._replace(signs=in_order(signs_of(problem, middle if rest is None else rest)))


def in_order(first):
    """Return the signs of all branches, from those of the first one on."""
    return tuple(tuple(a * b for a, b in zip(first, signs, strict=True)) for signs in SIGNS)


def steps_of(fit, size):
    """Return how many corrections bring the tip to its pose to the last digits, about."""
    off = max(fit.gap / size, fit.skew)
    if off <= EXACT:
        return 0
    if fit.size > 1.0:
        return -NEWTON
    # Each correction leaves about `10 off` of the miss, and at poses so near to singular ones that
    # it moves angles by its root, about the root of that.
    return math.ceil(math.log(EXACT / off) / math.log(math.sqrt(10.0 * off)))


def signs_of(problem, rest):
    """Return the signs of the branch that is nearest to a pose."""
    rest = tuple(math.remainder(angle, 2.0 * angle_formulas.PI) for angle in rest)
    pose = Pose(*kinematics.pose(FINITE_FLOATS, problem.chain, rest))
    return nearest_signs(
        rest, lambda signs: raw(FINITE_FLOATS, FLOAT64, problem, pose, rest, signs)
    )


def nearest_signs(rest, solve):
    """Return those signs for which a function returns the branch nearest to a pose."""

    def away(signs):
        found = solve(signs).angles
        apart = (
            math.remainder(a - b, 2.0 * angle_formulas.PI) for a, b in zip(found, rest, strict=True)
        )
        return round(sum(part * part for part in apart), 9)

    return min(SIGNS, key=away)


def _sphere_of(fit):
    view, kind = fit.view, fit.kind
    wrist = structure.meeting_point(view.axes[3:], view.points[3:])
    ball, leg, pair, bones, start = ball_of(view.axes[3:]), None, None, None, view.points[0]
    if kind == LEG:
        leg = _leg_of(view, wrist)
    elif kind == CROSSED:
        start = structure.meeting_point(view.axes[:2], view.points[:2])
        pair = pair_of(*view.axes[:2])
        bones = bones_of(view.axes[2], start, view.points[2], wrist)
    else:
        middle = structure.meeting_point(view.axes[1:3], view.points[1:3])
        pair = pair_of(*view.axes[1:3])
        bones = bones_of(view.axes[0], wrist, start, middle)
        bones = bones._replace(start=minus(middle, start), end=minus(wrist, middle))
    return Sphere(kind, leg, pair, bones, start, ball, wrist)


def _leg_of(view, wrist):
    """Return the problem of the leg that brings the wrist's point to a target."""
    points = [*view.points[:3], wrist]
    offsets = (points[0], *(minus(b, a) for a, b in itertools.pairwise(points)))
    free = (-math.inf, math.inf)
    joints = tuple(Link(f"joint {i + 1}", axis, free) for i, axis in enumerate(view.axes[:3]))
    problem = closed_form.problem_of(geometry_of(Chain("wrist", "base", joints, offsets)), None)
    return problem._replace(corrects=False)


def bones_of(axis, first, point, last):
    """Return the two bones from a point to an axis, and from there to another point."""
    basis = basis_of(axis)
    start, end = minus(point, first), minus(last, point)
    upper, lower = ((total_dot(basis.x, v), total_dot(basis.y, v)) for v in (start, end))
    aside = total_dot(axis, start) + total_dot(axis, end)
    return Bones(basis, upper, lower, math.hypot(*upper), math.hypot(*lower), aside, start, end)


def total_dot(u, v):
    """Return the dot product, rounded once more than its terms."""
    return math.fsum(a * b for a, b in zip(u, v, strict=True))


def _planes_of(fit):
    view = fit.view
    a, b = view.axes[:2]
    wrist = structure.meeting_point(view.axes[4:], view.points[4:])
    first, parallel = basis_of(a, b), basis_of(b)
    pair = pair_of(a, b)
    signs = tuple(math.copysign(1.0, total_dot(axis, b)) for axis in view.axes[1:4])
    root = view.points[0]
    hip, upper, lower, last = (
        tuple(total_dot(axis, minus(end, start)) for axis in parallel[1:])
        for start, end in zip((root, *view.points[1:4]), (*view.points[1:4], wrist), strict=True)
    )
    opposite = [tuple(-part + 0.0 for part in axis) for axis in view.axes[4:]]
    return Planes(
        first,
        pair.cos,
        pair.sin,
        parallel,
        signs,
        total_dot(b, minus(wrist, root)),
        root,
        hip,
        upper,
        lower,
        last,
        math.hypot(*upper),
        math.hypot(*lower),
        pair_of(opposite[1], opposite[0]),
        wrist,
    )


# --- formulas -----------------------------------------------------------------------------


def raw(xp, t, limb, pose, hold, signs):
    """Return the angles of a branch, corrected for axes that do not meet by rounding.

    `hold` are angles from which those are taken that may be any.
    """
    solve = _parallel if isinstance(limb.solver, Planes) else _sphere
    hold, view = [hold[i] for i in limb.view.numbers], limb.view

    def once(seen):
        found = solve(xp, t, limb.solver, seen_from(view, seen), view.tip, hold, signs)
        if not view.backwards:
            return found
        short = times(-1.0, rotated_by(seen.rotation, found.short))
        return found._replace(angles=found.angles[::-1], short=short)

    return corrected(xp, limb, pose, once)


def corrected(xp, limb, pose, solve):
    """Return what `solve` finds for a pose that is moved so that the limb reaches the wanted one.

    It is off the wanted one by as much as the limb is off where exact axes would put its tip. Where
    these do not reach the pose, that is not the pose itself.
    """
    if limb.steps < 0:
        return _by_newton(xp, limb, pose, solve(pose))

    def moved(seen):
        found = solve(seen)
        position, rotation = kinematics.pose(xp, limb.chain, found.angles)
        there = minus(seen.position, found.short)
        there = vectors.plus(there, minus(pose.position, position))
        if found.exact:
            return Pose(there, pose.rotation)
        back = times_matrix(pose.rotation, transposed(rotation))
        return Pose(there, times_matrix(back, seen.rotation))

    return solve(xp.repeat(limb.steps, moved, pose))


def _by_newton(xp, limb, pose, found):
    """Return a branch after damped Newton steps of the file's own kinematics, from what is near.

    A step that does not bring the tip nearer to its pose is not taken, and the next one is damped
    more (Levenberg and Marquardt). Metres are in units of the limb's length.
    """

    def nearer_by_one(state):
        angles, miss, square, damping = state
        columns = [
            (*times(1.0 / limb.size, c[:3]), *c[3:])
            for c in kinematics.twists(xp, limb.chain, angles)
        ]
        turns = kinematics.damped(xp, columns, miss, damping)
        moved = vectors.plus(angles, turns)
        other, now = _miss(xp, limb, pose, moved)
        nearer = now < square
        angles = vectors.choose(xp, nearer, moved, angles)
        miss = vectors.choose(xp, nearer, other, miss)
        square = xp.where(nearer, now, square)
        damping = xp.where(nearer, EASY, HARD) * damping
        damping = xp.where(damping < 1e-9, 1e-9, xp.where(damping > 1.0, 1.0, damping))
        return angles, miss, square, damping

    miss, square = _miss(xp, limb, pose, found.angles)
    state = found.angles, miss, square, 1e-2 + 0.0 * square
    return found._replace(angles=xp.repeat(-limb.steps, nearer_by_one, state)[0])


def _miss(xp, limb, pose, angles):
    """Return the twist that would take the tip to its pose, if that is near, and its square."""
    position, rotation = kinematics.pose(xp, limb.chain, angles)
    away = times(1.0 / limb.size, minus(pose.position, position))
    turn = (0.0, 0.0, 0.0)
    for one, two in zip(transposed(rotation), transposed(pose.rotation), strict=True):
        turn = vectors.plus(turn, times(0.5, cross(one, two)))
    apart = minus(flat(pose.rotation), flat(rotation))
    return (*away, *turn), dot(away, away) + 0.5 * dot(apart, apart)


def seen_from(view, pose):
    """Return a pose as it is seen in the direction in which a limb is read."""
    if not view.backwards:
        return pose
    rotation = transposed(pose.rotation)
    return Pose(times(-1.0, rotated_by(rotation, pose.position)), rotation)


def finished(xp, t, limb, pose, found, slack):
    """Return a branch with whole turns, its status and whether it is within limits.

    `slack` is by how much angles may be beyond their limits; in float32 it is 4096 eps, also where
    NumPy computes in float64.
    """
    position, rotation = kinematics.pose(xp, limb.chain, found.angles)
    angles = tuple(
        angle_formulas.nearest_turn(xp, t, angle, 0.0, middle)
        for angle, middle in zip(found.angles, limb.middle, strict=True)
    )
    away = minus(position, pose.position)
    turned_by = minus(flat(rotation), flat(pose.rotation))
    reached = False
    for within in (REACHED_WITHIN, slack / 64.0):
        most = within * limb.size
        there = (dot(away, away) <= most * most) & (dot(turned_by, turned_by) <= within * within)
        reached = reached | there
    status = xp.where(reached, xp.where(found.free, AMBIGUOUS, 0.0), found.missed)
    return Found(angles, status, within_of(xp, limb.ranges, angles, slack))


def within_of(xp, ranges, angles, slack):
    """Return whether all angles are within their limits, up to rounding."""
    within = angles[0] == angles[0]
    for angle, (low, high) in zip(angles, ranges, strict=True):
        if math.isfinite(low):
            within = within & (angle >= low - slack)
        if math.isfinite(high):
            within = within & (angle <= high + slack)
    return within


def flat(matrix):
    """Return the components of a matrix, row by row."""
    return tuple(part for row in matrix for part in row)


def _sphere(xp, t, s, pose, tip, hold, signs):
    shoulder, elbow, wrist = signs
    there = minus(pose.position, rotated_by(pose.rotation, minus(tip, s.wrist)))
    reach = {LEG: _as_leg, CROSSED: _crossed, LATE: _late}[s.kind]
    axes, first, missed, free, short = reach(xp, t, s, there, hold, (shoulder, elbow))

    def remaining(v):
        v = rotated_by(pose.rotation, v)
        for axis, angle in zip(axes, first, strict=True):
            v = turned(xp, axis, -angle, v)
        return v

    last, over, locked = three_turns(xp, t, s.ball, remaining, wrist, hold[3])
    missed = xp.where(over < 0.0, TOO_FAR, missed)
    return Raw((*first, *last), missed, free | locked, short, True)


def _as_leg(xp, t, s, there, hold, signs):
    """Bring a point to a target as a leg does: a joint, and two parallel ones square to it."""
    g = s.leg.geometry
    prepared = closed_form.prepare(xp, g, Goal(there))
    side = closed_form.side_of(xp, t, s.leg, prepared, signs[0])
    joint = closed_form.joint_of(xp, side.p, s.leg.r1, s.leg.r2, signs[1])
    bends = closed_form.bends_of(xp, g, side.p, joint, None)
    missed = missed_by(xp, dot(side.p, side.p), s.leg.r1, s.leg.r2)
    small = TINY * t.eps * g.length
    on_axis = prepared.radius <= small
    first = xp.where(on_axis, hold[0], side.first)
    missed = xp.where(prepared.gap > 0.0, TOO_NEAR, missed)
    axes = [joint.axis for joint in g.chain.joints]
    aside, above = past(xp, side.p, joint, s.leg.r2)
    end = angle_formulas.rotated_in_plane(xp, first, (prepared.offset, side.p[0] + g.hip - aside))
    b, c, a = g.frame
    short = vectors.plus(*map(times, minus(prepared.across, end), (b, c)))
    return axes, (first, *bends), missed, on_axis, vectors.plus(short, times(above, a))


def missed_by(xp, square, r1, r2, over=None):
    """Return the status of two bones that do not reach a target at the root of `square`.

    If `over` is negative, another joint does not reach it, also if the bones do.
    """
    far = square > r1 * r1 + r2 * r2
    if over is not None:
        far = far & ((over >= 0.0) | (square > (r1 + r2) * (r1 + r2)))
    return xp.where(far, TOO_FAR, TOO_NEAR + 0.0 * square)


def past(xp, target, joint, r2):
    """Return by how much the end of the second bone misses a target in a plane; 0 in reach."""
    away = minus(target, joint)
    distance = kinematics.root_of(xp, dot(away, away))
    return times(1.0 - r2 / xp.where(distance == 0.0, 1.0, distance), away)


def bend(xp, bones, square, side):
    """Return the angle between two bones whose ends have a distance, given as its square.

    The result also has the square of the distance in the plane of the bones.
    """
    flat_square = square - bones.aside * bones.aside
    distance = kinematics.root_of(xp, flat_square)
    joint = closed_form.joint_of(xp, (distance, 0.0 * distance), bones.r1, bones.r2, side)
    # As complex numbers: the turn from one bone to the other, less that while the angle is 0.
    x, y = _quotient((distance - joint[0], -joint[1]), joint)
    return angle_of(xp, _quotient(bones.lower, bones.upper), (x, y)), flat_square


def _quotient(u, v):
    """Return the quotient of complex numbers, times a positive number."""
    return u[0] * v[0] + u[1] * v[1], u[1] * v[0] - u[0] * v[1]


def _crossed(xp, t, s, there, hold, signs):
    """Bring a point to a target: two joints whose axes meet, then one between two bones."""
    bones, pair = s.bones, s.pair
    w = minus(there, s.start)
    third, square = bend(xp, bones, dot(w, w), signs[1])
    m = vectors.plus(bones.start, turned(xp, bones.basis.axis, third, bones.end))
    turns = two_turns(xp, t, pair, m, w, signs[0], hold[0])
    axes = [pair.a, pair.b, bones.basis.axis]
    missed = missed_by(xp, square, bones.r1, bones.r2, turns.over)
    end = turned(xp, pair.a, turns.first, turned(xp, pair.b, turns.second, m))
    return axes, (turns.first, turns.second, third), missed, turns.free, minus(w, end)


def _late(xp, t, s, there, hold, signs):
    """Bring a point to a target: one joint, then two whose axes meet.

    The first joint moves the point in which they meet to the distance from the target that the
    rest of the limb has: two bones from the first axis.
    """
    bones, pair = s.bones, s.pair
    axis = bones.basis.axis
    w = minus(there, s.start)
    across = in_plane(bones.basis, w)
    along = dot(axis, w) - total_dot(axis, bones.start)
    out = in_plane(bones.basis, bones.start)
    radius = kinematics.root_of(xp, dot(across, across))
    square = total_dot(bones.end, bones.end) - along * along
    distance = kinematics.root_of(xp, square)
    r1 = math.hypot(*out)
    joint = closed_form.joint_of(xp, (radius, 0.0 * radius), r1, distance, signs[1])
    first = angle_of(xp, product(out, (joint[0], -joint[1])), across)
    m = minus(turned(xp, axis, -first, w), bones.start)
    turns = two_turns(xp, t, pair, bones.end, m, signs[0], hold[1])
    missed = xp.where(radius > r1, TOO_FAR, TOO_NEAR + 0.0 * radius)
    end = turned(xp, pair.a, turns.first, turned(xp, pair.b, turns.second, bones.end))
    end = turned(xp, axis, first, vectors.plus(bones.start, end))
    angles = first, turns.first, turns.second
    return [axis, pair.a, pair.b], angles, missed, turns.free, minus(w, end)


def product(u, v):
    """Return the product of complex numbers."""
    return u[0] * v[0] - u[1] * v[1], u[0] * v[1] + u[1] * v[0]


def _parallel(xp, t, p, pose, tip, hold, signs):
    """Return the angles of a limb with three parallel axes.

    The parallel joints do not move the wrist's point along their axes: that gives the first angle.
    Nor do they rotate the direction of their axes, which gives the last two: seen from the tip,
    they rotate it to where the target's rotation puts it. Two bones remain, in the plane.
    """
    shoulder, elbow, wrist = signs
    there = minus(pose.position, rotated_by(pose.rotation, minus(tip, p.wrist)))
    w, first = minus(there, p.root), p.first
    across = in_plane(first, w)
    radius = kinematics.root_of(xp, dot(across, across))
    aside = (p.aside - p.cos * dot(first.axis, w)) / p.sin
    over = radius - closed_form.formula.magnitude(xp, aside)
    one = angle_of(xp, (aside, shoulder * beside(xp, radius, aside)), across)
    on_axis = radius <= TINY * t.eps * (p.r1 + p.r2)
    one = xp.where(on_axis, hold[0], one)
    back = transposed(pose.rotation)
    b = p.parallel.axis
    turns = two_turns(
        xp, t, p.pair, b, rotated_by(back, turned(xp, first.axis, one, b)), wrist, hold[5]
    )
    six, five = turns.first, turns.second
    # The rotation of all parallel joints together.
    x = turned(xp, p.pair.a, six, turned(xp, p.pair.b, five, p.parallel.x))
    x = in_plane(p.parallel, turned(xp, first.axis, -one, rotated_by(pose.rotation, x)))
    every = angle_of(xp, (1.0, 0.0), x)
    flat_w = minus(in_plane(p.parallel, turned(xp, first.axis, -one, w)), p.hip)
    # Where the last axis is parallel to the others, what it rotates less they rotate more.
    last = turned(xp, p.pair.b, -five, p.pair.a)
    aside = vectors.cross(b, last)
    more = _into_reach(xp, p, flat_w, every)
    lost = dot(aside, aside) * (more * more)
    more = xp.where(lost <= (LOOSE * t.eps) ** 2, more, 0.0)
    six = six + xp.where(dot(b, last) > 0.0, more, -more)
    every = every + more
    flat_w = minus(flat_w, angle_formulas.rotated_in_plane(xp, every, p.last))
    joint = closed_form.joint_of(xp, flat_w, p.r1, p.r2, elbow)
    two = angle_formulas.between(xp, p.upper, joint)
    three = angle_formulas.between(xp, p.lower, minus(flat_w, joint))
    signed = (two, three - two, every - three)
    middle = (sign * angle for sign, angle in zip(p.signs, signed, strict=True))
    over = xp.where(turns.over < 0.0, turns.over, over)
    missed = missed_by(xp, dot(flat_w, flat_w), p.r1, p.r2, over)
    short = map(times, past(xp, flat_w, joint, p.r2), (p.parallel.x, p.parallel.y))
    along = dot(b, turned(xp, first.axis, -one, w)) - p.aside
    short = turned(xp, first.axis, one, vectors.plus(vectors.plus(*short), times(along, b)))
    return Raw((one, *middle, five, six), missed, turns.free | on_axis, short, False)


def _into_reach(xp, p, target, every):
    """Return by how much the parallel joints must rotate more so that the two bones reach.

    It is 0 where they do. Otherwise they are straight then, or folded.
    """
    end = angle_formulas.rotated_in_plane(xp, every, p.last)
    away = minus(target, end)
    distance = kinematics.root_of(xp, dot(away, away))
    near, far = abs(p.r1 - p.r2), p.r1 + p.r2
    wanted = xp.where(distance > far, far, xp.where(distance < near, near, distance))
    radius = kinematics.root_of(xp, dot(target, target))
    side = xp.where(target[0] * end[1] >= target[1] * end[0], 1.0, -1.0)  # the least rotation
    joint = closed_form.joint_of(xp, (radius, 0.0 * radius), math.hypot(*p.last), wanted, side)
    more = angle_of(xp, end, product(joint, target))
    return xp.where(wanted != distance, more, 0.0)
