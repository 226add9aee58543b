"""One leg in Python floats, for control loops: the operations of `closed_form`, written out.

A function call and a tuple cost as much as ten products here, so there are none that can be
avoided. Tests compare the results with those of `closed_form` bit for bit. With `solve_xy`, this is
the only module beside `rotations/angles.py` that knows an angle.
"""

from math import atan2, sqrt
from typing import NamedTuple

import numpy as np

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.solver import solve_xy
from twobone.robots import closed_form, kinematics
from twobone.robots.closed_form import (
    AMBIGUOUS,
    SIZE,
    SKEWED,
    TOO_FAR,
    TOO_NEAR,
    Chosen,
    Found,
    Goal,
)
from twobone.rotations.angles import nearest_turn

SLACK = closed_form.slack_of(FLOAT64)
NEAR = 3.14  # an angle within this of the middle of its limits needs no turn


class Constants(NamedTuple):
    """What one branch of a leg with three joints needs."""

    frame: tuple[float, ...]  # b, c and a, one after the other
    shift: tuple[float, ...]
    offset: float
    size: float  # of the offset
    hip: float
    upper: tuple[float, ...]
    lower: tuple[float, ...]
    r1: float
    r2: float
    sign: float  # of s
    side: float
    signs: tuple[float, ...]  # of the parallel joints
    middle: tuple[float, ...]


def constants_of(problem):
    """Return the constants of each branch by its number, or None if the limb is of another kind."""
    g = problem.geometry
    if not g.yaw or g.last is not None or g.roll is not None or g.skew > SKEWED:
        return None
    frame = tuple(part for axis in g.frame for part in axis)
    return {
        branch: Constants(
            frame,
            g.shift,
            g.offset,
            abs(g.offset),
            g.hip,
            g.upper,
            g.lower,
            problem.r1,
            problem.r2,
            sign,
            side,
            g.signs,
            problem.middle,
        )
        for branch, (sign, side) in enumerate(problem.signs)
    }


def solve_leg(constants, x, y, z):
    """Return the three angles of one branch; the target is finite and not farther than SIZE."""
    (
        (bx, by, bz, cx, cy, cz, ax, ay, az),
        (kb, kc, ka),
        offset,
        size,
        hip,
        (ux, uy),
        (vx, vy),
        r1,
        r2,
        sign,
        side,
        (_, third),  # the first of them is +1, because its axis is b
        (m1, m2, m3),
    ) = constants
    b = bx * x + by * y + bz * z - kb
    c = cx * x + cy * y + cz * z - kc
    py = ax * x + ay * y + az * z - ka
    radius = sqrt(b * b + c * c)
    s = sign * sqrt((radius - size) * (radius + size)) if radius > size else 0.0
    px = s - hip
    jx, jy = solve_xy(px, py, r1, r2, side)
    q1 = atan2(offset * c - s * b, offset * b + s * c) if radius else 0.0
    q2 = atan2(ux * jy - uy * jx, ux * jx + uy * jy)
    px -= jx
    py -= jy
    q3 = third * (atan2(vx * py - vy * px, vx * px + vy * py) - q2)
    if not -NEAR < q1 - m1 < NEAR:
        q1 = nearest_turn(FINITE_FLOATS, FLOAT64, q1, 0.0, m1)
    if not -NEAR < q2 - m2 < NEAR:
        q2 = nearest_turn(FINITE_FLOATS, FLOAT64, q2, 0.0, m2)
    if not -NEAR < q3 - m3 < NEAR:
        q3 = nearest_turn(FINITE_FLOATS, FLOAT64, q3, 0.0, m3)
    return q1, q2, q3


def find_leg(problem, constants, x, y, z):
    """Return all branches of a leg; the target is finite and not farther than SIZE."""
    g = problem.geometry
    tolerance, tiny = closed_form.tolerance(FLOAT64, g), closed_form.tiny(FLOAT64, g)
    bones, thickness = problem.r1 + problem.r2, abs(problem.r1 - problem.r2)
    (bx, by, bz), (cx, cy, cz), (ax, ay, az) = g.frame
    kb, kc, ka = g.shift
    b = bx * x + by * y + bz * z - kb
    c = cx * x + cy * y + cz * z - kc
    py = ax * x + ay * y + az * z - ka
    size, radius = abs(g.offset), sqrt(b * b + c * c)
    s = sqrt((radius - size) * (radius + size)) if radius > size else 0.0
    found = []
    for one in constants.values():
        px = one.sign * s - one.hip
        d = sqrt(px * px + py * py)
        if size - radius > tolerance:
            status = TOO_NEAR
        elif d > bones + tolerance:
            status = TOO_FAR
        elif d < thickness - tolerance:
            status = TOO_NEAR
        elif (d <= tiny and thickness <= tiny) or (radius <= tiny and size <= tiny):
            status = AMBIGUOUS
        else:
            status = 0.0
        angles = solve_leg(one, x, y, z)
        within = True
        for angle, (low, high) in zip(angles, problem.ranges, strict=True):
            within = within and low - SLACK <= angle <= high + SLACK
        found.append(Found(angles, status, within))
    return found


def choose(problem, found, near):
    """Return the branch that `closed_form.choose` returns, with its end."""
    best, least = (found[0].angles, found[0]), None
    for each in found:
        angles = each.angles
        if problem.wide:
            angles = closed_form.near_to(FINITE_FLOATS, FLOAT64, problem, angles, near)
        reached = each.status in (0.0, AMBIGUOUS)
        rank = (0 if reached else 2) + (0 if each.within else 1)
        away = 0.0
        for angle, other in zip(angles, near, strict=True):
            away += (angle - other) * (angle - other)
        if least is None or (rank, away) < least:
            best, least = (angles, each), (rank, away)
    angles, each = best
    end = kinematics.forward(FINITE_FLOATS, problem.geometry.chain, angles)
    return Chosen(angles, end, each.status, each.within)


def numbers_of(vector, count):
    """Return the numbers of a vector as finite floats of moderate size; None if it is not plain."""
    if type(vector) is np.ndarray:
        if vector.dtype != np.float64 or vector.shape != (count,):
            return None
        vector = vector.tolist()
    elif not (type(vector) in (list, tuple) and len(vector) == count):
        return None
    for number in vector:
        if not (type(number) is float and -SIZE <= number <= SIZE):
            return None
    return vector


def solve_any(problem, branch, x, y, z, pitch=None, roll=None):
    """Return the angles of one branch of any limb, for any numbers."""
    one = problem._replace(signs=(problem.signs[branch],))
    pitch, roll = (None if part is None else float(part) for part in (pitch, roll))
    goal = Goal((float(x), float(y), float(z)), pitch, roll)
    return closed_form.branches(FINITE_FLOATS, FLOAT64, one, goal)[0].angles
