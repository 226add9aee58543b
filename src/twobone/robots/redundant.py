"""The closed form of limbs with seven joints: one angle is free, and given.

If three axes meet at the shoulder and three at the wrist, the free angle is the *swivel angle* of
the elbow: shoulder and wrist stay where they are, and the elbow moves on a circle about the line
between them. Two bones give the angle of the elbow; the swivel angle gives the rotation of the
upper arm, from which the three angles of the shoulder follow, and then those of the wrist.

All limits are reached at swivel angles that are solved for, not searched: for each joint, being at
a limit is an equation `a sin(swivel) + b cos(swivel) = c` (Shimizu, Kakuya, Yoon, Kitagaki and
Kosuge, "Analytical inverse kinematic computation for 7-DOF redundant manipulators with joint limits
and its application to redundancy resolution", IEEE Transactions on Robotics 24, 2008).

If axes meet at one end alone, the angle of the joint at an end is given, and six joints remain.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from twobone.core import vectors
from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.formula import dot
from twobone.core.vectors import cross, minus, plus, times
from twobone.robots import closed_form, kinematics, pose_branches, structure
from twobone.robots.chain import Chain, total
from twobone.robots.closed_form import TOO_FAR
from twobone.robots.pose_branches import (
    Bones,
    Pose,
    Raw,
    bend,
    bones_of,
    corrected,
    in_order,
    missed_by,
    nearest_signs,
    steps_of,
)
from twobone.robots.structure import SWIVEL, View
from twobone.robots.subproblems import (
    TINY,
    Ball,
    angle_of,
    ball_of,
    rotated_by,
    three_turns,
    turned,
)
from twobone.rotations import angles as angle_formulas

AXES = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


class Problem(NamedTuple):
    """A limb with a swivel angle as the formulas need it."""

    chain: Chain
    view: View
    shoulder: Ball
    bones: Bones
    wrist: Ball
    root: tuple  # the point in which the first three axes meet
    end: tuple  # that of the last three, while all angles are 0
    references: tuple  # the swivel is measured from the first; from the second in line with it
    zero: tuple
    size: float
    steps: int
    signs: tuple
    ranges: tuple
    middle: tuple
    wide: bool


class Given(NamedTuple):
    """A limb with one joint given as the formulas need it."""

    chain: Chain
    six: pose_branches.Problem  # the other joints
    number: int  # of the joint that is given, 0 or 6
    axis: tuple
    point: tuple  # of its axis: from the base, or from there to the tip
    zero: tuple
    size: float
    signs: tuple
    ranges: tuple
    middle: tuple
    wide: bool


class Circle(NamedTuple):
    """The circle on which the elbow moves."""

    axis: tuple  # the direction from the shoulder to the wrist
    x: tuple  # where the swivel angle is 0
    y: tuple


# --- constants ----------------------------------------------------------------------------


def problem_of(chain, fit, rest):
    """Return the problem of a chain of seven joints; branch 0 is that of its rest pose."""
    ranges = tuple(joint.limits for joint in chain.joints)
    middle = tuple(closed_form.middle_of(*limits) for limits in ranges)
    wide = any(high - low >= 2.0 * angle_formulas.PI for low, high in ranges)
    size = structure.size_of(chain)
    rest = middle if rest is None else rest
    rest = tuple(math.remainder(angle, 2.0 * angle_formulas.PI) for angle in rest)
    make = _swivel_of if fit.kind == SWIVEL else _given_of
    problem = make(chain, fit, rest)._replace(size=size, ranges=ranges, middle=middle, wide=wide)
    pose = Pose(*kinematics.pose(FINITE_FLOATS, chain, rest))
    free = free_of(FINITE_FLOATS, problem, rest)
    first = nearest_signs(
        rest, lambda signs: raw(FINITE_FLOATS, FLOAT64, problem, pose, rest, signs, free)
    )
    return problem._replace(signs=in_order(first))


def _swivel_of(chain, fit, rest):
    view = fit.view
    root = structure.meeting_point(view.axes[:3], view.points[:3])
    end = structure.meeting_point(view.axes[4:], view.points[4:])
    zero = tuple(map(structure.snapped, zip(*chain.rotation, strict=True)))
    problem = Problem(
        chain,
        view,
        ball_of(view.axes[:3]),
        bones_of(view.axes[3], root, view.points[3], end),
        ball_of(view.axes[4:]),
        root,
        end,
        AXES[:2],
        zero,
        0.0,
        steps_of(fit, structure.size_of(chain)),
        pose_branches.SIGNS,
        (),
        (),
        False,
    )
    # The reference is the axis of the base that is most square to the arm at rest.
    line = wrist_of(FINITE_FLOATS, problem, rest)
    order = sorted(AXES, key=lambda axis: round(abs(dot(axis, line)) / math.hypot(*line), 6))
    return problem._replace(references=tuple(order[:2]))


def _given_of(chain, fit, rest):
    number = fit.given
    zero = tuple(map(structure.snapped, zip(*chain.rotation, strict=True)))
    six = six_of(chain, number)
    others = [angle for i, angle in enumerate(rest) if i != number]
    numbers = tuple(i - (number == 0) for i in fit.view.numbers)
    problem = pose_branches.problem_of(
        six, fit._replace(view=fit.view._replace(numbers=numbers)), others
    )
    axis = structure.snapped(chain.joints[number].axis)
    point = chain.offsets[0] if number == 0 else chain.offsets[-1]
    return Given(chain, problem, number, axis, point, zero, 0.0, problem.signs, (), (), False)


def six_of(chain, number):
    """Return a chain whose first or last joint does not rotate."""
    if number == 0:
        first, second, *others = chain.offsets
        offsets, joints = (total([first, second]), *others), chain.joints[1:]
    else:
        *others, last, end = chain.offsets
        offsets, joints = (*others, total([last, end])), chain.joints[:-1]
    return chain._replace(joints=joints, offsets=offsets)


# --- formulas -----------------------------------------------------------------------------


def raw(xp, t, limb, pose, hold, signs, free):
    """Return the angles of a branch, given the swivel angle or the angle of the joint."""
    if isinstance(limb, Given):
        return _with_given(xp, t, limb, pose, hold, signs, free)
    return corrected(xp, limb, pose, lambda seen: _swivelled(xp, t, limb, seen, hold, signs, free))


def _with_given(xp, t, limb, pose, hold, signs, free):
    seen = without_given(xp, limb, pose, free)
    others = [angle for i, angle in enumerate(hold) if i != limb.number]
    found = pose_branches.raw(xp, t, limb.six, seen, others, signs)
    free = free + 0.0 * found.angles[0]
    angles = (free, *found.angles) if limb.number == 0 else (*found.angles, free)
    return found._replace(angles=angles)


def without_given(xp, limb, pose, free):
    """Return the pose that the tip would have if the joint that is given did not rotate."""
    back = _matrix(xp, limb.axis, -free)
    if limb.number == 0:
        away = minus(pose.position, limb.point)
        position = plus(limb.point, rotated_by(back, away))
        return Pose(position, _product(back, pose.rotation))
    rotation = _product(pose.rotation, back)
    away = minus(rotated_by(rotation, limb.point), rotated_by(pose.rotation, limb.point))
    return Pose(plus(pose.position, away), rotation)


def _matrix(xp, axis, angle):
    columns = [
        turned(xp, axis, angle, v) for v in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    ]
    return tuple(zip(*columns, strict=True))


def _product(a, b):
    columns = tuple(zip(*b, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in a)


class Upper(NamedTuple):
    """The upper arm: how the elbow bends, and how its rotation depends on the swivel angle."""

    elbow: Any  # the angle
    square: Any  # of the distance of the wrist, in the plane of the bones
    circle: Circle
    along: tuple  # unit vectors that the shoulder rotates: to the wrist, of the elbow's axis,
    bent: tuple
    aside: tuple  # and square to both
    side: float
    free: Any  # whether the wrist is at the shoulder
    straight: tuple  # from the shoulder to the wrist, while the shoulder does not rotate
    wrist: tuple  # where the wrist must be, from the shoulder


def upper_of(xp, t, limb, pose, side):
    """Return the upper arm for a pose; its elbow bends to a side."""
    there = minus(pose.position, rotated_by(pose.rotation, minus(limb.view.tip, limb.end)))
    w, bones = minus(there, limb.root), limb.bones
    elbow, square = bend(xp, bones, dot(w, w), side)
    axis = bones.basis.axis
    v = plus(bones.start, turned(xp, axis, elbow, bones.end))
    free = dot(w, w) <= (TINY * t.eps * limb.size) ** 2
    w = vectors.choose(xp, free, AXES[0], w)
    circle = circle_of(xp, t, limb, w)
    along = vectors.unit(xp, v)
    bent = vectors.unit(xp, vectors.square_to(axis, along))
    return Upper(elbow, square, circle, along, bent, cross(along, bent), side, free, v, w)


def circle_of(xp, t, limb, w):
    """Return the circle of the elbow about a vector from the shoulder to the wrist."""
    axis = vectors.unit(xp, w)
    first, second = (vectors.square_to(each, axis) for each in limb.references)
    x = vectors.choose(xp, dot(first, first) <= 64.0 * t.eps, second, first)
    x = vectors.unit(xp, x)
    return Circle(axis, x, cross(axis, x))


def rotation_of(xp, upper, swivel):
    """Return the function by which the shoulder rotates vectors, and its inverse."""
    sin, cos = xp.xp.sin(swivel), xp.xp.cos(swivel)
    axis, x, y = upper.circle
    # The elbow's axis is square to the direction of the elbow and to the line to the wrist.
    towards = times(cos, x), times(sin, y)
    elbow = plus(*towards)
    bent = times(upper.side, cross(axis, elbow))
    to = axis, bent, cross(axis, bent)
    of = upper.along, upper.bent, upper.aside

    def rotate(v):
        parts = [dot(each, v) for each in of]
        return plus(plus(times(parts[0], to[0]), times(parts[1], to[1])), times(parts[2], to[2]))

    def back(v):
        parts = [dot(each, v) for each in to]
        return plus(plus(times(parts[0], of[0]), times(parts[1], of[1])), times(parts[2], of[2]))

    return rotate, back


def _swivelled(xp, t, limb, pose, hold, signs, swivel):
    shoulder, elbow, wrist = signs
    upper = upper_of(xp, t, limb, pose, elbow)
    rotate, _ = rotation_of(xp, upper, swivel)
    first, over, locked = three_turns(xp, t, limb.shoulder, rotate, shoulder, hold[0])
    every = (*first, upper.elbow)

    def remaining(v):
        v = rotated_by(pose.rotation, v)
        for axis, angle in zip(limb.view.axes, every, strict=False):
            v = turned(xp, axis, -angle, v)
        return v

    end = upper.straight
    for axis, angle in zip(limb.view.axes[2::-1], first[::-1], strict=True):
        end = turned(xp, axis, angle, end)
    last, under, fixed = three_turns(xp, t, limb.wrist, remaining, wrist, hold[4])
    missed = missed_by(xp, upper.square, limb.bones.r1, limb.bones.r2, over)
    missed = xp.where(under < 0.0, TOO_FAR, missed)
    short = minus(upper.wrist, end)
    return Raw((*every, *last), missed, locked | fixed | upper.free, short, True)


# --- the free angle of a pose ----------------------------------------------------------------


def wrist_of(xp, limb, angles):
    """Return the vector from the shoulder to the wrist for some angles."""
    bones = limb.bones
    v = plus(bones.start, turned(xp, bones.basis.axis, angles[3], bones.end))
    return _by_shoulder(xp, limb, angles, v)


def _by_shoulder(xp, limb, angles, v):
    for axis, angle in zip(limb.view.axes[2::-1], angles[2::-1], strict=True):
        v = turned(xp, axis, angle, v)
    return v


def free_of(xp, limb, angles, t=FLOAT64):
    """Return the free angle of some angles."""
    if isinstance(limb, Given):
        return angles[limb.number]
    circle = circle_of(xp, t, limb, wrist_of(xp, limb, angles))
    bones = limb.bones
    (a, b), (c, d) = bones.upper, angle_formulas.rotated_in_plane(xp, angles[3], bones.lower)
    side = xp.where(a * d - b * c <= 0.0, 1.0, -1.0)
    elbow = times(side, cross(_by_shoulder(xp, limb, angles, bones.basis.axis), circle.axis))
    return angle_of(xp, (1.0, 0.0), (dot(circle.x, elbow), dot(circle.y, elbow)))


def free_towards(xp, t, limb, pose, point):
    """Return the swivel angle with which the elbow is as near to a point as it can be."""
    there = minus(pose.position, rotated_by(pose.rotation, minus(limb.view.tip, limb.end)))
    circle = circle_of(xp, t, limb, minus(there, limb.root))
    away = minus(point, limb.root)
    return angle_of(xp, (1.0, 0.0), (dot(circle.x, away), dot(circle.y, away)))


# --- limits -------------------------------------------------------------------------------


def is_narrow(low, high):
    """Return whether limits exclude an angle."""
    return high - low < 2.0 * angle_formulas.PI


def edges(xp, t, limb, pose, side):
    """Return the swivel angles at which joints may get to their limits, of shoulder and wrist.

    They are those of both shoulders and of both wrists, for one elbow, and those where axes are
    nearest to being in line. Where there is no such angle, it is 0.
    """
    upper = upper_of(xp, t, limb, pose, side)
    rotate, _ = rotation_of(xp, upper, 0.0 * upper.elbow)
    axes, ends = limb.view.axes, []
    elbow = limb.bones.basis.axis

    def lower(v):
        return rotate(turned(xp, elbow, upper.elbow, v))

    def end(v):
        return rotated_by(pose.rotation, v)

    for ball, first, before, after in (
        (limb.shoulder, 0, lambda v: v, rotate),
        (limb.wrist, 4, end, lower),
    ):
        # `u . K v` for the rotation K of the three joints is `before(..) . Rot(swivel) after(..)`;
        # for the wrist both sides change places, because its rotation is the one that remains.
        a, b, c = axes[first : first + 3]
        flip = first == 4
        found = []
        for u, v, wanted in equations(ball, (a, b, c), limb.ranges[first : first + 3]):
            u, v = (v, u) if flip else (u, v)
            found += _solutions(xp, upper.circle.axis, before(u), after(v), wanted)
        ends.append(found)
    return ends


def equations(ball, axes, ranges):
    """Yield `(u, v, c)`: a joint is at a limit only if `u . K v = c`; `c` is None for extremes."""
    a, b, c = axes
    for low_high, make in zip(ranges, (_first, _second, _third), strict=True):
        if is_narrow(*low_high):
            for limit in low_high:
                yield make(a, b, c, limit)
    pair, middle = ball.pair, dot(b, c)
    if pair.cos or middle:
        rest = pair.sin * math.sqrt(max(0.0, 1.0 - middle * middle))
        for sign in (1.0, -1.0):
            yield a, c, pair.cos * middle + sign * rest
    yield a, c, None


def _first(a, b, c, limit):
    return turned(FINITE_FLOATS, a, limit, b), c, dot(b, c)


def _second(a, b, c, limit):
    return a, c, dot(a, turned(FINITE_FLOATS, b, limit, c))


def _third(a, b, c, limit):
    return a, turned(FINITE_FLOATS, c, -limit, b), dot(a, b)


def _solutions(xp, axis, u, v, wanted):
    """Return the angles about an axis with which `u . Rot(angle) v` is as wanted, or extreme."""
    along = dot(u, axis) * dot(v, axis)
    x, y = dot(u, v) - along, dot(u, cross(axis, v))
    middle = angle_of(xp, (1.0, 0.0), (x, y))
    if wanted is None:
        return [middle, middle + angle_formulas.PI]
    left = wanted - along
    square = x * x + y * y - left * left
    half = xp.xp.atan2(kinematics.root_of(xp, square), left)
    none = square < 0.0
    return [xp.where(none, 0.0, middle + half), xp.where(none, 0.0, middle - half)]


def counts_of_edges(limb):
    """Return how many angles `edges` returns, of shoulder and wrist."""
    counts = []
    for ball, first in ((limb.shoulder, 0), (limb.wrist, 4)):
        axes = limb.view.axes[first : first + 3]
        counts.append(2 * len(list(equations(ball, axes, limb.ranges[first : first + 3]))))
    return counts


def insides(xp, t, limb, pose, hold, slack, swivel, side, end):
    """Return whether both shoulders, or both wrists, are within their limits.

    `end` is 0 for the shoulder and 1 for the wrist, and `side` that to which the elbow bends.
    """
    upper = upper_of(xp, t, limb, pose, side)
    rotate, back = rotation_of(xp, upper, swivel)
    elbow = limb.bones.basis.axis

    def remaining(v):
        return turned(xp, elbow, -upper.elbow, back(rotated_by(pose.rotation, v)))

    ball, rotation, first = ((limb.shoulder, rotate, 0), (limb.wrist, remaining, 4))[end]
    found = []
    for sign in (1.0, -1.0):
        angles, over, _ = three_turns(xp, t, ball, rotation, sign, hold[first])
        ranges, middles = limb.ranges[first : first + 3], limb.middle[first : first + 3]
        angles = [_near(xp, t, a, m) for a, m in zip(angles, middles, strict=True)]
        within = pose_branches.within_of(xp, ranges, angles, slack)
        found.append(xp.where(within & (over >= -64.0 * t.eps), 1.0, 0.0))
    return tuple(found)


def elbow_within(xp, t, limb, pose, slack, side):
    """Return 1 where the bones reach the wrist, and the elbow is within its limits, else 0."""
    upper = upper_of(xp, t, limb, pose, side)
    bent = _near(xp, t, upper.elbow, limb.middle[3])
    r1, r2 = limb.bones.r1, limb.bones.r2
    small = pose_branches.REACHED_WITHIN * limb.size
    most, least = r1 + r2 + small, max(abs(r1 - r2) - small, 0.0)
    reaches = (upper.square <= most * most) & (upper.square >= least * least)
    within = pose_branches.within_of(xp, [limb.ranges[3]], [bent], slack)
    return xp.where(within & reaches, 1.0, 0.0)


def _near(xp, t, angle, middle):
    return angle_formulas.nearest_turn(xp, t, angle, 0.0, middle)
