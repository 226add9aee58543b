"""The boundary of what a leg reaches within its limits: arcs and corners of fixed joints.

In the plane of c and a (see `geometry`), a joint that stays at a limit leaves a limb of one joint
less, whose tip moves on a circle. So does a leg that is straight or folded. With both joints at
limits, the tip is at a corner. The first joint sweeps these arcs and corners around its axis.
"""

import math
from typing import NamedTuple

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.vectors import plus
from twobone.rotations.angles import PI, nearest_turn, rotated_in_plane

POINT = 2.0**-40  # of the leg's length: arcs of smaller radius are points


class Arc(NamedTuple):
    """The circle on which the tip moves while one of the two parallel joints is fixed."""

    moves: int  # which of them moves: 0 or 1
    fixed: float  # the angle of the other
    x: float  # the centre along c, from the first axis
    y: float  # the centre along a, from the hip
    radius: float
    zero: float  # the direction of the tip from the centre while the angle that moves is 0
    sign: float  # +1 if the direction grows with that angle
    at_limit: bool  # whether the fixed angle is a limit, not that of a straight or folded leg


class Corner(NamedTuple):
    """Where the tip is while both parallel joints are fixed."""

    bends: tuple[float, float]
    x: float
    y: float
    at_limit: bool


class Boundary(NamedTuple):
    """The boundary of a leg: all arcs and corners, and the limits of the first joint."""

    arcs: tuple[Arc, ...]  # those at limits come first
    corners: tuple[Corner, ...]
    offset: float  # of the tip along b; 0 if it is nearly so
    firsts: tuple[float, ...]  # limits of the first joint; none if it can take any direction
    middles: tuple[float, ...]  # of the ranges of the joints
    ranges: tuple[tuple[float, ...], ...]  # infinite for joints that can take any direction


def boundary_of(problem):
    """Return the boundary of a leg, or None if the limb is an arm."""
    g = problem.geometry
    if g.tool is not None:
        return None
    *firsts, one, two = [_limits(*limits) for limits in problem.ranges]
    arcs = [_arc_of_first(problem, each, True) for each in two]
    arcs += [_arc_of_second(problem, each) for each in one]
    straight = math.atan2(*_cross_and_dot(g.lower, g.upper))
    for angle in (straight, straight + PI):
        knee = nearest_turn(FINITE_FLOATS, FLOAT64, g.signs[1] * angle, 0.0, problem.middle[-1])
        if not two or two[0] < knee < two[-1]:
            arcs.append(_arc_of_first(problem, knee, False))
    corners = [_corner(problem, (p, q), True) for p in one for q in two]
    small = POINT * g.length
    for arc in arcs:
        if arc.radius <= small:
            ends = one or (problem.middle[-2],)
            corners += [_corner(problem, (p, arc.fixed), arc.at_limit) for p in ends]
    return Boundary(
        tuple(arc for arc in arcs if arc.radius > small),
        tuple(corners),
        g.offset if abs(g.offset) > small else 0.0,
        firsts[0] if firsts else (),
        problem.middle,
        tuple(limits if _limits(*limits) else (-math.inf, math.inf) for limits in problem.ranges),
    )


def _limits(low, high):
    """Return both limits, one if they are equal, or none if a joint can take any direction."""
    if high - low >= 2.0 * PI:
        return ()
    return (low, high) if low < high else (low,)


def _cross_and_dot(u, v):
    return u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]


def _arc_of_first(problem, knee, at_limit):
    """Return the arc on which the tip moves with the first of the parallel joints."""
    g = problem.geometry
    bone = plus(g.upper, rotated_in_plane(FINITE_FLOATS, g.signs[1] * knee, g.lower))
    zero = math.atan2(bone[1], bone[0])
    return Arc(0, knee, g.hip, 0.0, math.hypot(*bone), zero, g.signs[0], at_limit)


def _arc_of_second(problem, angle):
    """Return the arc on which the tip moves with the second of the parallel joints."""
    g = problem.geometry
    turn = g.signs[0] * angle
    x, y = rotated_in_plane(FINITE_FLOATS, turn, g.upper)
    zero = turn + math.atan2(g.lower[1], g.lower[0])
    return Arc(1, angle, g.hip + x, y, problem.r2, zero, g.signs[1], True)


def _corner(problem, bends, at_limit):
    arc = _arc_of_second(problem, bends[0])
    direction = arc.zero + arc.sign * bends[1]
    x = arc.x + arc.radius * math.cos(direction)
    y = arc.y + arc.radius * math.sin(direction)
    return Corner(bends, x, y, at_limit)
