"""The closed form: all angles with which the tip of a limb is at a target.

Undo the first joint: the tip has the constant coordinate `offset` along b, so the target, at the
distance `r` from the first axis, is at `(offset, s)` in the plane perpendicular to it, with

    s = +- sqrt((r - |offset|) (r + |offset|))

The angle from `(offset, s)` to the target is that of the first joint. What remains is the library's
own two bones in the plane of c and a: `twobone.solve` gives the joint between them, and the angles
are those between the bones now and the bones while all angles are 0. In an arm the last bone, whose
direction the wanted pitch determines, is subtracted from the target before.

There is no difference of nearly equal angles and no arc cosine, so a limb that is almost straight,
or a target next to the cylinder of radius `offset` around the first axis, costs no digits.

`xp` and `t` are those of `core.formula`; vectors are tuples of components. A branch is a pair of
signs: that of `s`, and the side of the joint between the bones.
"""

import math
from typing import Any, NamedTuple

import twobone
from twobone.core import batches, formula, vectors
from twobone.core.arrays import FINITE_FLOATS
from twobone.core.policies import Status
from twobone.robots import kinematics
from twobone.robots.boundary import Boundary, boundary_of
from twobone.robots.geometry import Geometry
from twobone.rotations import angles

NAN, INFINITE = float("nan"), float("inf")
TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID = (float(status) for status in list(Status)[1:])
REACHED_WITHIN = 1e-9  # of the limb's length
REACHED = 0.0, AMBIGUOUS  # statuses of tips that are at their targets
SLACK = 2.0**-32  # radians by which angles may be beyond their limits, or 4096 eps
HALF = 3.14  # angles within this of the middle of their limits need no whole turn
FAR = 2.0**24  # of a leg's length: nearest poses are then exact to less than 1e-7 of it
SIZE = 2.0**50  # metres; targets farther away are moved to this distance
FINE = 2.0**-30  # radians to which angles must be exact; those of more turns are not
FREE = 1000.0  # radians; limits that are farther apart are taken as none when the middle is chosen
SKEWED = 1e-10  # radians; limbs whose axes are off by more are corrected by Newton's method


class Problem(NamedTuple):
    """A limb as the formulas need it."""

    geometry: Geometry
    r1: float
    r2: float
    signs: tuple[tuple[float, ...], ...]  # of the branches
    ranges: tuple[tuple[float, ...], ...]  # limits of the angles
    middle: tuple[float, ...]  # the middle of each, or 0
    wide: bool  # whether a joint can make a whole turn
    corrects: bool  # whether branches are corrected because axes are not square
    boundary: Boundary | None = None  # of a leg: the boundary of what it reaches within limits


class Goal(NamedTuple):
    """What the tip must do."""

    target: tuple
    pitch: Any = None  # of an arm
    roll: Any = None  # of an arm with a roll joint


class Found(NamedTuple):
    """One branch."""

    angles: tuple
    status: Any
    within: Any  # bool: all angles are within their limits


class Side(NamedTuple):
    """What the branches of one sign of `s` share."""

    first: Any  # the angle of the first joint, None if there is none
    p: tuple  # the target of the two bones in the plane of c and a
    status: Any


class Preparation(NamedTuple):
    """What all branches share."""

    radius: Any  # distance of the target from the first axis
    offset: Any
    across: tuple  # the target in b and c
    up: Any  # the target along a
    s: Any
    gap: Any  # by how much the target is too near to the first axis, or beside the plane
    last: tuple | None  # the last bone
    turned: Any  # sum of the parallel joints' angles


def problem_of(geometry, rest):
    """Return the problem of a limb, and its branches in the order that its rest pose determines."""
    ranges = tuple(joint.limits for joint in geometry.chain.joints)
    middle = tuple(middle_of(*limits) for limits in ranges)
    wide = any(high - low >= 2.0 * angles.PI for low, high in ranges)
    r1, r2 = (vectors.length(FINITE_FLOATS, bone) for bone in (geometry.upper, geometry.lower))
    s, side = _signs_of(geometry, middle if rest is None else rest)
    signs = [(sign, each) for sign in (s, -s) for each in (side, -side)]
    signs = tuple(signs[: 4 if geometry.yaw else 2])
    problem = Problem(geometry, r1, r2, signs, ranges, middle, wide, geometry.skew > SKEWED)
    return problem._replace(boundary=boundary_of(problem))


def middle_of(low, high):
    """Return the middle of limits, or the angle nearest to 0 if they are far apart or infinite."""
    if high - low < FREE:
        return 0.5 * low + 0.5 * high
    return min(max(0.0, low + angles.PI), high - angles.PI)


def _signs_of(g, found):
    """Return the branch of a pose."""
    first = int(g.yaw)
    turn, turned, x = 0.0, [], g.hip
    bones = [g.upper, g.lower]
    last = g.last if g.roll is None else rolled(FINITE_FLOATS, g.roll, _remainder(found[-1]))[1:]
    for bone, sign, angle in zip(
        bones if last is None else [*bones, last], g.signs, found[first:], strict=False
    ):
        turn += sign * _remainder(angle)
        turned.append(angles.rotated_in_plane(FINITE_FLOATS, turn, bone))
        x += turned[-1][0]
    (a, b), (c, d) = turned[:2]
    return (1.0 if x >= 0.0 else -1.0), (1.0 if a * d - b * c <= 0.0 else -1.0)


def _remainder(angle):
    """Return an angle without whole turns: sums of huge angles overflow."""
    return math.remainder(angle, 2.0 * angles.PI)


def rolled(xp, roll, angle):
    """Return the point that a rolling joint rotates."""
    sin, cos = xp.xp.sin(angle), xp.xp.cos(angle)
    return tuple(part + (cos * even + sin * odd) for part, even, odd in zip(*roll, strict=True))


def branches(xp, t, limb, goal):
    """Return one `Found` for each of the limb's branches, in their order."""
    moderate, valid = batches.holds_everywhere(xp, is_moderate(xp, goal)), None
    if not moderate:
        valid = is_valid(xp, goal)
        goal = made_sound(xp, goal, valid)
    prepared = prepare(xp, limb.geometry, goal)
    sides = {sign: side_of(xp, t, limb, prepared, sign) for sign, _ in limb.signs}
    joints = _joints(xp, limb, {sign: side.p for sign, side in sides.items()})
    found = [
        _branch(xp, t, limb, goal, prepared, sides[signs[0]], joint, signs)
        for signs, joint in zip(limb.signs, joints, strict=True)
    ]
    if xp.differentiates and not limb.corrects and limb.geometry.skew > 4.0 * t.eps:
        found = _with_derivatives(xp, limb.geometry, goal, prepared, found)
    return found if moderate else [_masked(xp, each, valid) for each in found]


def is_valid(xp, goal):
    """Return whether all numbers of a goal are finite."""
    total = goal.target[0] * 0.0
    for part in (*goal.target[1:], goal.pitch, goal.roll):
        total = total if part is None else total + part * 0.0
    return total == 0.0


def is_moderate(xp, goal):
    """Return whether all numbers of a goal are finite, and its target is at most SIZE away."""
    x, y, z = goal.target
    moderate = x * x + y * y + z * z <= SIZE * SIZE  # false for NaN
    for part in goal[1:]:
        moderate = moderate if part is None else moderate & (part - part == 0.0)
    return moderate


def made_sound(xp, goal, valid):
    """Return a goal whose numbers are finite, with the target at most SIZE away."""
    size = formula.largest(xp, [formula.magnitude(xp, part) for part in goal.target])
    shrink = xp.where(size > SIZE, SIZE / xp.where(size > SIZE, size, 1.0), 1.0)
    target = tuple(
        xp.where(valid, part, 1.0) * xp.where(valid, shrink, 1.0) for part in goal.target
    )
    rest = (None if part is None else xp.where(valid, part, 0.0) for part in goal[1:])
    return Goal(target, *rest)


def _masked(xp, each, valid):
    """Return a branch whose invalid rows are NaN and INVALID."""
    return Found(
        tuple(xp.where(valid, angle, NAN) for angle in each.angles),
        xp.where(valid, each.status, INVALID),
        valid & each.within,
    )


def prepare(xp, g, goal):
    b, c, a = (
        formula.dot(axis, goal.target) - shift for axis, shift in zip(g.frame, g.shift, strict=True)
    )
    offset, last, turned = b * 0.0 + g.offset, g.last, None
    if goal.roll is not None and g.roll is not None:
        last = rolled(xp, g.roll, goal.roll)
        offset, last = offset + last[0], last[1:]
    if goal.pitch is not None:
        turned = pitch_to_turn(xp, g, goal.pitch)
        last = angles.rotated_in_plane(xp, turned, last)
    if not g.yaw:
        gap = formula.magnitude(xp, b - offset)
        return Preparation(gap * 0.0 + 1.0, offset, (b, c), a, c, gap, last, turned)
    radius, size = kinematics.root_of(xp, b * b + c * c), formula.magnitude(xp, offset)
    s = beside(xp, radius, offset)
    return Preparation(radius, offset, (b, c), a, s, size - radius, last, turned)


def pitch_to_turn(xp, g, pitch):
    """Return the sum of the parallel joints' angles with which the tool has a pitch."""
    forward, up = g.forward
    wanted = forward * xp.xp.cos(pitch), up * xp.xp.sin(pitch)
    return angles.between(xp, g.tool, wanted)


def turn_to_pitch(xp, g, turned):
    """Return the pitch of the tool, from -pi to pi, given the sum of the parallel angles."""
    x, y = angles.rotated_in_plane(xp, turned, g.tool)
    return xp.xp.atan2(g.forward[1] * y, g.forward[0] * x)


def side_of(xp, t, limb, prepared, sign):
    """Return what the branches of one sign of `s` share."""
    g, first = limb.geometry, None
    x, y = prepared.s, prepared.up
    if g.yaw:
        x = sign * x
        none = prepared.radius == 0.0
        across = prepared.across
        if not batches.holds_nowhere(xp, none):
            x, across = (
                xp.where(none, 0.0, x),
                (xp.where(none, prepared.offset, across[0]), across[1]),
            )
        first = angles.between(xp, (prepared.offset, x), across)
        if not batches.holds_nowhere(xp, none):
            first = xp.where(none, 0.0, first)
        x = x - g.hip
    if prepared.last is not None:
        x, y = x - prepared.last[0], y - prepared.last[1]
    return Side(first, (x, y), _status(xp, t, limb, prepared, (x, y)))


def _joints(xp, limb, planar):
    """Return the joint between the two bones for each branch: (target, joint)."""
    ready = {sign: p if xp.name == "float" else _stacked(xp, p) for sign, p in planar.items()}
    return [_joint(xp, limb, ready[sign], side) for sign, side in limb.signs]


def _stacked(xp, p):
    return xp.xp.stack(xp.xp.broadcast_arrays(*p), axis=-1)


def _joint(xp, limb, p, side):
    """Return the joint between the two bones; `p` is a pair of floats, or stacked."""
    if xp.name == "float":
        x, y = p
        return twobone.solve_xy(x, y, limb.r1, limb.r2, side)
    joint = twobone.solve(p, limb.r1, limb.r2, side=side)
    return joint[..., 0], joint[..., 1]


def joint_of(xp, p, r1, r2, side):
    """Return the joint between two bones; `p` is a pair of numbers, and bones may be numbers."""
    if xp.name == "straight":
        return xp.solve_xy(*p, r1, r2, side)
    if xp.name == "float":
        x, y = p
        return twobone.solve_xy(x, y, r1, r2, side)
    joint = twobone.solve(_stacked(xp, p), r1, r2, side=side)
    return joint[..., 0], joint[..., 1]


def _branch(xp, t, limb, goal, prepared, side, joint, signs):
    g, p = limb.geometry, side.p
    bends = bends_of(xp, g, p, joint, prepared.turned)
    found = [] if side.first is None else [side.first]
    found += bends if g.roll is None else [*bends, goal.roll]
    # An angle that is an arc tangent is nearest to 0 as it is.
    done = 1 if side.first is None else 2
    found = tuple(
        angle if middle == 0.0 and i < done else _turned(xp, t, angle, middle)
        for i, (angle, middle) in enumerate(zip(found, limb.middle, strict=True))
    )
    status = side.status
    if limb.corrects:
        found, status = _corrected(xp, t, limb, goal, prepared, side, found, signs)
    return Found(found, status, is_within(xp, t, limb, found))


def bends_of(xp, g, p, joint, turned):
    """Return the angles of the parallel joints, given the joint between the two bones."""
    one = angles.between(xp, g.upper, joint)
    two = angles.between(xp, g.lower, vectors.minus(p, joint))
    bends = [one, two - one]
    if turned is not None:
        bends.append(turned - two)
    return [sign * angle for sign, angle in zip(g.signs, bends, strict=True)]


def _turned(xp, t, angle, middle):
    """Return an angle with the whole turns that bring it nearest to the middle of its limits."""
    if batches.holds_everywhere(xp, (angle <= middle + HALF) & (angle >= middle - HALF)):
        return angle
    return angles.nearest_turn(xp, t, angle, 0.0, middle)


def _corrected(xp, t, limb, goal, prepared, side, found, signs):
    """Return angles for axes that are not square, and the status that they have then."""
    g, status, (sign, _) = limb.geometry, side.status, signs
    begin, count = int(g.yaw), int(g.yaw) + len(g.signs)
    end, wanted = _ends(xp, g, goal, prepared)
    bends = _again(xp, t, limb, prepared, side, found[begin:count], end, wanted, signs)
    bends, x, square = kinematics.corrected(
        xp, g, bends, end, wanted, kinematics.bending(g, signs), tiny(t, g)
    )
    slack = tolerance(t, g)
    missed = square > slack * slack
    first = ()
    if g.yaw:
        # The target is at the distance `radius`, and the tip is not if it misses.
        along = xp.where(missed, sign * beside(xp, prepared.radius, x[0]), x[1])
        none = prepared.radius == 0.0
        angle = angles.between(xp, (xp.where(none, 1.0, x[0]), along), prepared.across)
        first = (_turned(xp, t, xp.where(none, 0.0, angle), limb.middle[0]),)
    known = (status == TOO_FAR) | (status == TOO_NEAR)
    far = formula.dot(side.p, side.p) > limb.r1 * limb.r1 + limb.r2 * limb.r2
    bad = xp.where(known, status, xp.where(far, TOO_FAR, 0.0 * status + TOO_NEAR))
    status = xp.where(missed, bad, xp.where(known, 0.0, status))
    return (*first, *bends, *found[count:]), status


def _ends(xp, g, goal, prepared):
    """Return the tip from the last parallel joint, and where it must be."""
    end = g.beyond if g.roll is None else rolled(xp, g.roll, goal.roll)
    radius = prepared.radius if g.yaw else None
    return end, kinematics.Wanted(radius, prepared.across, prepared.up)


def _with_derivatives(xp, g, goal, prepared, found):
    """Return branches with the derivatives that they have on the file's own kinematics.

    Axes that are off by less than SKEWED move the tip by nothing that counts, but a derivative
    multiplies what they are off by: near full stretch by thousands. All branches are one array.
    """
    begin, count = int(g.yaw), int(g.yaw) + len(g.signs)
    status = xp.xp.stack([each.status for each in found])
    every = tuple(
        xp.xp.stack([part + 0.0 * each.status for part, each in zip(parts, found, strict=True)])
        for parts in zip(*(each.angles for each in found), strict=True)
    )
    end, wanted = _ends(xp, g, goal, prepared)
    turns = kinematics.without_value(
        xp, g, every[:begin], every[begin:count], end, wanted, status == 0.0
    )
    every = (*vectors.plus(every[:count], turns), *every[count:])
    return [each._replace(angles=tuple(part[i] for part in every)) for i, each in enumerate(found)]


def _again(xp, t, limb, prepared, side, bends, end, wanted, signs):
    """Return the angles of the parallel joints for a target moved by what axes are off.

    That is how far the tip is from where the closed form takes it to be. Where the leg is straight
    or the tip beside the first axis, angles are then off by far less: for an error `e` of the
    target, the closed form is off by its square root.
    """
    g, (sign, bend) = limb.geometry, signs
    x = kinematics.in_frame(xp, g, bends, end)
    one = g.signs[0] * bends[0]
    two = one + g.signs[1] * bends[1]
    ends = vectors.plus(
        angles.rotated_in_plane(xp, one, g.upper), angles.rotated_in_plane(xp, two, g.lower)
    )
    hip, last = (g.hip, 0.0), (0.0, 0.0) if prepared.last is None else prepared.last
    ends = tuple(sum(parts) for parts in zip(hip, ends, last, strict=True))
    p = vectors.minus(side.p, vectors.minus(x[1:], ends))
    if g.yaw:
        p = p[0] + sign * (beside(xp, prepared.radius, x[0]) - prepared.s), p[1]
    joint = _joint(xp, limb, p if xp.name == "float" else _stacked(xp, p), bend)
    moved = bends_of(xp, g, p, joint, prepared.turned)
    moved = tuple(
        angles.nearest_turn(xp, t, angle, 0.0, before)
        for angle, before in zip(moved, bends, strict=True)
    )
    return kinematics.better(xp, g, bends, moved, x, end, wanted)


def beside(xp, radius, offset):
    """Return the root of the difference of two squares."""
    size = formula.magnitude(xp, offset)
    return kinematics.root_of(xp, (radius - size) * (radius + size))


def is_reached(status):
    """Return whether tips are at their targets, given statuses as arrays."""
    return (status == 0.0) | (status == AMBIGUOUS)


def tolerance(t, geometry):
    """Return by how much the tip may miss a target that is REACHED."""
    return max(REACHED_WITHIN, 8.0 * t.eps) * geometry.length


def tiny(t, geometry):
    """Return the distance below which a target is taken to be on an axis."""
    return 4.0 * t.eps * geometry.length


def moved_near(xp, g, target):
    """Return a target in a leg's frame, moved along its direction to at most FAR lengths away.

    Farther away, squares of distances would not have the digits in which poses differ.
    """
    size = formula.largest(xp, [formula.magnitude(xp, part) for part in target])
    most = FAR * g.length
    shrink = xp.where(size > most, most / xp.where(size > most, size, 1.0), 1.0)
    return vectors.times(shrink, target)


def tie(t, geometry, away):
    """Return the difference of two distances below which they are taken to be equal.

    `away` is about the distance of the target, if it is far from the limb.
    """
    return 16.0 * t.eps * geometry.length + 8.0 * t.eps * away


def is_short(t, geometry, reach, wanted):
    """Return whether a tip is nearer to the hip than its target, by more than it may miss it.

    Where it is as near, as on a circle around the hip, the last bits do not decide.
    """
    return reach + tolerance(t, geometry) < wanted


def _status(xp, t, limb, prepared, p):
    """Return the status of both branches with the same `p`."""
    r1, r2, g = limb.r1, limb.r2, limb.geometry
    slack, small = tolerance(t, g), tiny(t, g)
    square = formula.dot(p, p)
    zero = 0.0 * square
    most, least = r1 + r2 + slack, max(abs(r1 - r2) - slack, 0.0)
    far, near = square > most * most, square < least * least
    at_root = square <= (small * small if abs(r1 - r2) <= small else -1.0)
    on_axis = prepared.radius <= small
    gap = prepared.gap > slack
    if batches.holds_nowhere(xp, far | near | at_root | on_axis | gap):
        return zero
    free = at_root | (on_axis & (formula.magnitude(xp, prepared.offset) <= small))
    status = xp.where(free, AMBIGUOUS, zero)
    status = xp.where(far, TOO_FAR, xp.where(near, TOO_NEAR, status))
    return xp.where(gap, TOO_NEAR if g.yaw else TOO_FAR, status)


def slack_of(t):
    """Return by how much an angle may be beyond its limit: near full stretch it is less exact."""
    return max(SLACK, 4096.0 * t.eps)


def is_within(xp, t, limb, found):
    """Return whether all angles are within their limits, up to rounding."""
    slack = slack_of(t)
    within = found[0] == found[0]
    for angle, (low, high) in zip(found, limb.ranges, strict=True):
        within = within & (angle >= low - slack) & (angle <= high + slack)
    return within
