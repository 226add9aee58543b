"""The nearest pose within limits: where the tip of a leg is nearest to a target it cannot reach.

There each joint is at one of its limits or free, and the free ones cannot bring the tip nearer.
So the tip is, in the plane of c and a, at a point that two bones reach, on an arc or at a corner of
`boundary`; and the first joint is at a limit, or rotates the tip nearest to the target. All such
poses are tried, and the nearest one within limits is taken. They are closed forms but for one: the
nearest point of an arc that the first joint sweeps around its axis (see `directions`).

Angles of a solution are functions of the target with the derivatives of that solution: joints at
limits have none.
"""

from typing import Any, NamedTuple

import numpy as np

from twobone.core import formula, vectors
from twobone.robots import choice, closed_form, kinematics
from twobone.robots.choice import column
from twobone.robots.closed_form import INFINITE
from twobone.rotations import angles
from twobone.rotations.angles import PI

STEPS = 12  # of Newton's method, where values are not visible; 60,000 wild legs need at most 14
MOST = 60  # the same, where they are: halving an interval takes as many


class Poses(NamedTuple):
    """Poses that are tried, one after the other on the first axis."""

    angles: tuple
    square: Any  # of the distance from the tip to the target
    allowed: Any  # whether all angles are within their limits
    within: list[float]  # for each, 1 if no joint is at a limit, else 0


class Seen(NamedTuple):
    """A target in the frame of a leg; `up` is from the hip."""

    b: Any
    c: Any
    up: Any
    radius: Any
    near: tuple  # given angles


class Planar(NamedTuple):
    """Poses of the parallel joints, one after the other on the first axis."""

    bends: tuple
    square: Any  # of the distance in the plane of c and a
    allowed: Any
    x: Any  # the tip along c
    within: list[float]


def nearest(xp, t, limb, target, near):
    """Return the angles within limits with which the tip of a leg is nearest to a target.

    Also returned is whether no joint is at a limit. Of poses that are equally near up to
    rounding, it is the one nearest to given angles.
    """
    g, edge = limb.geometry, limb.boundary
    given = near[0] + 0.0 * target[0]
    zero = 0.0 * xp.where(given == given, target[0], target[0])  # of the shape of both
    near = tuple(part + zero for part in near)
    b, c, up = closed_form.moved_near(
        xp,
        g,
        [
            formula.dot(axis, target) - shift + zero
            for axis, shift in zip(g.frame, g.shift, strict=True)
        ],
    )
    radius = kinematics.root_of(xp, b * b + c * c)
    if not g.yaw:
        planar = _in_plane(xp, t, limb, c, up)
        aside = b - g.offset
        poses = [_with_first(planar, None, aside * aside)]
        return _chosen(xp, t, limb, poses, near, radius + formula.magnitude(xp, up))
    seen = Seen(b, c, up, radius, near)
    poses = [_swept(xp, t, limb, seen)]
    for first in edge.firsts:
        (s, k) = angles.rotated_in_plane(xp, -first + zero, (b, c))
        planar = _in_plane(xp, t, limb, k, up)
        aside = s - g.offset
        poses.append(_with_first(planar, first + zero, aside * aside))
    return _chosen(xp, t, limb, poses, near, radius + formula.magnitude(xp, up))


def _with_first(planar, first, square):
    """Return planar poses with a fixed first angle; `square` is that of the distance beside."""
    bends, zero = planar.bends, 0.0 * planar.square
    if first is None:
        return Poses(bends, planar.square + square, planar.allowed, planar.within)
    within = [0.0] * len(planar.within)
    return Poses((first + zero, *bends), planar.square + square, planar.allowed, within)


def _chosen(xp, t, limb, poses, near, away):
    """Return the best pose, of those that are equally near that with angles nearest to others.

    `away` is at least the distance of the target from the hip.
    """
    turned = tuple(_joined(xp, parts) for parts in zip(*(p.angles for p in poses), strict=True))
    allowed = _joined(xp, [p.allowed for p in poses])
    square = xp.constant(_joined(xp, [p.square for p in poses]))
    square = xp.where(allowed, square, INFINITE)
    zero = 0.0 * away
    within = column(xp, zero, [each for p in poses for each in p.within])
    if limb.wide:
        turned = choice.near_to(xp, t, limb, turned, near)
    least = xp.xp.min(square, axis=0)
    most = xp.sqrt(least) + closed_form.tie(t, limb.geometry, xp.constant(away))
    apart = choice.apart(turned, near)
    apart = xp.where(apart == apart, apart, 0.0)
    rank = xp.where(square <= most * most, 0.0 * within, 1.0)
    tried = choice.Tried(choice.Chosen(turned, (), rank, within == 1.0), rank, apart)
    best = choice.best_on_axis(xp, t, tried)
    return best.angles, best.within


def _joined(xp, parts):
    return xp.xp.concat(list(parts), axis=0) if len(parts) > 1 else parts[0]


# --- poses with a free first joint --------------------------------------------------------


def _swept(xp, t, limb, seen):
    """Return the poses nearest to a target with a free first joint."""
    g, d, radius = limb.geometry, limb.boundary.offset, seen.radius
    planar = _planar_swept(xp, t, limb, seen)
    none = (radius == 0.0) | ((planar.x == 0.0) & (d == 0.0))
    x, c = xp.where(none, 1.0, planar.x), xp.where(none, 1.0, seen.c)
    first = angles.between(xp, (g.offset + 0.0 * x, x), (seen.b, c))
    middle, (low, high) = limb.middle[0], limb.boundary.ranges[0]
    wanted = xp.where(seen.near[0] == seen.near[0], seen.near[0], middle)
    wanted = xp.where(wanted < low, low, xp.where(wanted > high, high, wanted))
    first = xp.where(none, wanted, angles.nearest_turn(xp, t, first, 0.0, middle))
    allowed = planar.allowed & (first >= low) & (first <= high)
    return Poses((first, *planar.bends), planar.square, allowed, planar.within)


def _planar_swept(xp, t, limb, seen):
    """Return the poses of the parallel joints, with the square of the distance in space."""
    edge, radius, up = limb.boundary, seen.radius, seen.up
    d, zero = edge.offset, 0.0 * radius
    # Where no tip is so near to the first axis. Elsewhere what two bones reach is a branch already.
    two = _two_bones(xp, t, limb, closed_form.beside(xp, radius, d + zero), up)
    gap = xp.where(radius < abs(d), abs(d) - radius, 0.0)
    found = [two._replace(square=two.square + gap * gap)]
    if edge.arcs:
        at, height, rho = (
            column(xp, zero, [getattr(arc, name) for arc in edge.arcs])
            for name in ("x", "y", "radius")
        )
        way, there = directions(xp, t, d, at, rho, radius, up - height)
        arcs = [*edge.arcs, *edge.arcs]
        at, height, rho = (xp.xp.concat([v, v], axis=0) for v in (at, height, rho))
        x, y = at + rho * xp.xp.cos(way), height + rho * xp.xp.sin(way)
        found.append(_on_arcs(xp, t, limb, arcs, way, there, x, _away(xp, d, radius, up, x, y)))
    if edge.corners:
        corners = _corners(xp, zero, edge)
        x, y = corners.x, column(xp, zero, [corner.y for corner in edge.corners])
        found.append(corners._replace(square=_away(xp, d, radius, up, x, y)))
    return _all(xp, found)


def _away(xp, d, radius, up, x, y):
    """Return the square of the distance from a tip to the target, with the best first angle."""
    beside, above = radius - kinematics.root_of(xp, d * d + x * x), up - y
    return beside * beside + above * above


def _all(xp, found):
    bends = tuple(_joined(xp, parts) for parts in zip(*(p.bends for p in found), strict=True))
    square, allowed, x = (
        _joined(xp, [getattr(p, name) for p in found]) for name in ("square", "allowed", "x")
    )
    return Planar(bends, square, allowed, x, [each for p in found for each in p.within])


# --- poses in the plane of c and a --------------------------------------------------------


def _in_plane(xp, t, limb, c, up):
    """Return the poses of the parallel joints that are nearest to a point of their plane."""
    edge, zero = limb.boundary, 0.0 * c
    found = [_two_bones(xp, t, limb, c, up)]
    arcs = [arc for arc in edge.arcs if arc.at_limit]
    if arcs:
        at, height, rho = (
            column(xp, zero, [getattr(arc, name) for arc in arcs]) for name in ("x", "y", "radius")
        )
        x, y = c - at, up - height
        none = (x == 0.0) & (y == 0.0)
        way = xp.xp.atan2(y, xp.where(none, 1.0, x))
        missed = vectors.length(xp, (x, y)) - rho
        found.append(_on_arcs(xp, t, limb, arcs, way, way == way, x, missed * missed))
    if edge.corners:
        corners = _corners(xp, zero, edge)
        x, y = c - corners.x, up - column(xp, zero, [corner.y for corner in edge.corners])
        found.append(corners._replace(square=x * x + y * y))
    return _all(xp, found)


def _two_bones(xp, t, limb, c, up):
    """Return the poses of two bones without limits that are nearest to a point of their plane."""
    g, edge = limb.geometry, limb.boundary
    p = c - g.hip, up
    poses = []
    for side in (1.0, -1.0):
        joint = closed_form.joint_of(xp, p, limb.r1, limb.r2, side)
        one = angles.between(xp, g.upper, joint)
        rest = vectors.minus(p, joint)
        none = (rest[0] == 0.0) & (rest[1] == 0.0)
        rest = xp.where(none, 1.0, rest[0]), rest[1]
        knee = g.signs[1] * (angles.between(xp, g.lower, rest) - one)
        missed = vectors.length(xp, rest) - limb.r2
        poses.append((one, knee, missed * missed))
    one, knee, square = (xp.xp.stack(parts) for parts in zip(*poses, strict=True))
    one, knee = (
        angles.nearest_turn(xp, t, angle, 0.0, middle)
        for angle, middle in zip((one, knee), limb.middle[-2:], strict=True)
    )
    allowed = _between(one, edge.ranges[-2]) & _between(knee, edge.ranges[-1])
    return Planar((one, knee), square, allowed, c + 0.0 * one, [1.0, 1.0])


def _between(angle, limits):
    return (angle >= limits[0]) & (angle <= limits[1])


def _on_arcs(xp, t, limb, arcs, way, there, x, square):
    """Return poses on arcs, given the directions of the tip from their centres."""
    edge, zero = limb.boundary, 0.0 * way[0, ...]
    zeros, signs, fixed, low, high, middle, moves = (
        column(xp, zero, numbers)
        for numbers in zip(*(_told(edge, arc) for arc in arcs), strict=True)
    )
    angle = angles.nearest_turn(xp, t, signs * (way - zeros), 0.0, middle)
    allowed = there & (angle >= low) & (angle <= high)
    second = moves == 1.0
    bends = xp.where(second, fixed, angle), xp.where(second, angle, fixed)
    return Planar(bends, square, allowed, x, [0.0 if arc.at_limit else 1.0 for arc in arcs])


def _told(edge, arc):
    i = arc.moves - 2
    return arc.zero, arc.sign, arc.fixed, *edge.ranges[i], edge.middles[i], arc.moves


def _corners(xp, zero, edge):
    """Return the poses of corners, without the square of a distance."""
    bends = tuple(column(xp, zero, [c.bends[i] for c in edge.corners]) for i in range(2))
    x = column(xp, zero, [corner.x for corner in edge.corners])
    within = [0.0 if corner.at_limit else 1.0 for corner in edge.corners]
    return Planar(bends, None, x == x, x, within)


# --- arcs that the first joint sweeps -----------------------------------------------------


def directions(xp, t, d, h, rho, radius, up):
    """Return the directions of the nearest points of an arc that is swept about the first axis.

    The arc is the circle of radius `rho` around `h` along c, in the plane at `d` along b, and the
    target is at the distance `radius` from the axis, at the height `up`. With `u` the tip along c
    and `w` its height, half the square of the distance is, up to constants,

        h u - radius sqrt(d^2 + u^2) - up w

    As a function of `u` the first terms are concave. So is the last where `w` and `up` have
    different signs: no minimum is there. Elsewhere it is convex, and the second derivative vanishes
    where

        (|up| rho^2)^(2/3) (d^2 + u^2) = (radius d^2)^(2/3) (rho^2 - (u - h)^2)

    which is an equation of second degree. Between its roots the sum is concave, and on both sides
    of them convex: there are at most two minima, one on each side, where the derivative changes its
    sign once. That is an equation of degree eight, which is solved by Newton's method between these
    bounds. Where `d` is 0, the two sides are those of the first axis.

    Returns the directions of both minima, joined on the first axis, and whether they exist.
    """
    here = tuple(xp.constant(v) for v in (h, rho, radius, formula.magnitude(xp, up)))
    inner, outer = _splits(xp, d, here)
    zero = 0.0 * outer
    low = xp.xp.concat([zero, inner], axis=0)
    high = xp.xp.concat([outer, zero + PI], axis=0)
    side = xp.xp.concat([zero + 1.0, zero - 1.0], axis=0)
    twice = tuple(xp.xp.concat([v + zero, v + zero], axis=0) for v in here)
    ends = xp.xp.concat([outer, inner], axis=0)
    value, slope = _slope(xp, d, twice, ends, side)
    there = side * value >= 0.0
    search = Search(_from_end(xp, ends, value, slope), low, high, side, twice)
    x = xp.constant(_root(xp, t, d, search, there))
    live = h, rho, radius, formula.magnitude(xp, up)
    live = tuple(xp.xp.concat([v + zero, v + zero], axis=0) for v in live)
    if xp.differentiates:
        value, slope = _slope(xp, d, live, x, side)
        slope = xp.constant(slope)
        step = value / xp.where(slope > 0.0, slope, 1.0)
        x = x - xp.where(slope > 0.0, step - xp.constant(step), 0.0)
    down = xp.xp.concat([up + zero, up + zero], axis=0) < 0.0
    return xp.where(down, -x, x), there


def _from_end(xp, ends, value, slope):
    """Return a guess: a step from the bound between both minima; infinite if it has no slope."""
    rises = slope > 0.0
    return xp.where(rises, ends - value / xp.where(rises, slope, 1.0), INFINITE)


def _splits(xp, d, arc):
    """Return the directions between which the square of the distance is concave along c."""
    h, rho, radius, height = arc
    p, q = (height * rho * rho) ** (2 / 3), (radius * d * d) ** (2 / 3)
    total = p + q
    total = xp.where(total == 0.0, 1.0, total)
    middle = -p * h / total
    square = middle * middle - (p * (d * d + h * h) - q * rho * rho) / total
    root = kinematics.root_of(xp, square)
    found = []
    for v in (middle - root, middle + root):
        v = xp.where(v < -rho, -rho, xp.where(v > rho, rho, v))
        found.append(xp.xp.atan2(xp.sqrt((rho - v) * (rho + v)), v))
    return found


def _slope(xp, d, arc, x, side):
    """Return half the slope of the square of the distance over `rho`, and its slope."""
    h, rho, radius, height = arc
    s, c = xp.xp.sin(x), xp.xp.cos(x)
    along, bent = radius * side, 0.0
    if d:
        u = h + rho * c
        r = xp.sqrt(d * d + u * u)
        along, bent = radius * u / r, radius * rho * s * s * d * d / (r * r * r)
    return (along - h) * s - height * c, (along - h) * c + height * s - bent


class Search(NamedTuple):
    """The search for a zero of the slope between two bounds."""

    x: Any
    low: Any
    high: Any
    side: Any
    arc: tuple  # h, rho, radius and height


def _root(xp, t, d, search, there):
    """Return where the slope vanishes, from a guess, if it does."""
    h, _, radius, height = search.arc
    inside = (search.x >= search.low) & (search.x <= search.high)
    guess = xp.xp.atan2(height, radius * search.side - h)
    search = search._replace(x=xp.where(inside, search.x, guess))
    if xp.name == "numpy":
        return _root_of_rows(xp, t, d, search, there)
    return _inside(xp, xp.repeat(STEPS, lambda each: _step(xp, t, d, each)[0], search))


def _root_of_rows(xp, t, d, search, there):
    """Return where the slope vanishes, with no more steps for each number than it needs."""
    found = search.x.copy()
    rows = np.nonzero(there)
    search = _picked(search, rows)
    for _ in range(MOST):  # unreached: more-steps
        search, going = _step(xp, t, d, search)
        found[rows] = _inside(xp, search)
        if not going.any():
            break
        rows, search = tuple(index[going] for index in rows), _picked(search, going)
    return found


def _picked(search, rows):
    x, low, high, side = (v[rows] for v in search[:4])
    return Search(x, low, high, side, tuple(v[rows] for v in search.arc))


def _inside(xp, search):
    x, low, high = search[:3]
    return xp.where(x < low, low, xp.where(x > high, high, x))


def _step(xp, t, d, search):
    """Return the search after a step of Newton's method, and whether another is needed.

    A step that leaves the bounds is replaced by half of the interval between them.
    """
    x, low, high, side, arc = search
    x = xp.where((x >= low) & (x <= high), x, 0.5 * (low + high))
    value, slope = _slope(xp, d, arc, x, side)
    low, high = xp.where(value < 0.0, x, low), xp.where(value > 0.0, x, high)
    step = value / xp.where(slope > 0.0, slope, 1.0)
    step = xp.where((slope > 0.0) | (value == 0.0), step, INFINITE)
    h, _, radius, height = arc
    noise = t.eps * (radius + formula.magnitude(xp, h) + height)
    going = formula.magnitude(xp, value) > noise
    going = going & (formula.magnitude(xp, step) > 4.0 * t.eps)
    return search._replace(x=x - step, low=low, high=high), going
