"""One target in Python floats, for control loops: the operations of `closed_form`, written out.

A function call and a tuple cost as much as ten products here, so there are few that can be
avoided. Tests compare the results with those of `closed_form`. With `solve_xy`, this is
the only module beside `rotations/angles.py` that knows an angle.
"""

from math import atan2, cos, remainder, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.solver import solve_xy
from twobone.robots import choice, closed_form, float_corrections, kinematics
from twobone.robots.closed_form import (
    AMBIGUOUS,
    INFINITE,
    REACHED,
    SIZE,
    TOO_FAR,
    TOO_NEAR,
    Goal,
)
from twobone.robots.float_corrections import NEAR, Seen, turned_near
from twobone.rotations.angles import PI, nearest_turn, rotated_in_plane

SLACK = closed_form.slack_of(FLOAT64)
TURN = 2.0 * PI
FAR = (kinematics.STEPS + 1) * kinematics.MOST
UNSEEN = Seen((0.0, 0.0), 0.0, 0.0, 0.0, 0.0, (0.0, 0.0), (0.0, 0.0, 0.0))  # of square axes
LOOSE = 20.0  # times `far`: nearer to the first axis, its angle may change by any amount


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
    if not g.yaw or g.last is not None or g.roll is not None or problem.corrects:
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


class Shared(NamedTuple):
    """What the branches of a limb share, whatever the target is."""

    yaw: bool
    skewed: bool  # whether axes are off by so much that branches must be corrected
    shift: tuple[float, ...]
    signs: tuple[float, ...]  # of the parallel joints but the first
    allowed: tuple[tuple[float, float], ...]  # limits, with some slack
    wide: tuple[bool, ...]  # whether limits allow a whole turn
    tolerance: float
    tiny: float
    far: float  # the most by which axes that are not square can move a tip
    chain: tuple  # axis and offset before each joint, from the last to the first
    end: tuple[float, ...]  # the tip from the last joint
    hinges: tuple  # the same of the parallel joints, in the frame
    back: tuple[float, ...]  # how the third parallel joint keeps the pitch of an arm
    count: int  # of joints but the one that rolls


def shared_of(problem):
    """Return what the branches of a limb share."""
    g = problem.geometry
    chain = zip(g.chain.joints, g.chain.offsets, strict=False)
    return Shared(
        g.yaw,
        problem.corrects,
        g.shift,
        g.signs[1:],
        tuple((low - SLACK, high + SLACK) for low, high in problem.ranges),
        tuple(high - low >= TURN for low, high in problem.ranges),
        closed_form.tolerance(FLOAT64, g),
        closed_form.tiny(FLOAT64, g),
        kinematics.reasonable(g),
        tuple((joint.axis, offset) for joint, offset in chain)[::-1],
        g.chain.offsets[-1],
        tuple(zip(g.hinges, g.places, strict=True))[::-1],
        tuple(-g.signs[2] * sign for sign in g.signs[:2]) if len(g.signs) > 2 else (),
        int(g.yaw) + len(g.signs),
    )


def find(problem, shared, goal):
    """Return all branches as the closed form has them, and the goal that they share.

    A branch is its angles, its status, the status if a correction does not bring the tip to the
    target, and the target of the two bones: a tuple, because a named one takes as long as a root.
    No number is large or not finite.
    """
    g, last, turned = problem.geometry, (0.0, 0.0), 0.0
    (x, y, z), pitch, roll = goal
    (bx, by, bz), (cx, cy, cz), (ax, ay, az) = g.frame
    kb, kc, ka = shared.shift
    b = bx * x + by * y + bz * z - kb
    c = cx * x + cy * y + cz * z - kc
    py = ax * x + ay * y + az * z - ka
    offset, hip = g.offset, g.hip
    end = g.beyond
    if pitch is not None:
        bone = g.last
        if roll is not None:
            end = aside, *bone = _rolled(g, roll)
            offset += aside
        turned = closed_form.pitch_to_turn(FINITE_FLOATS, g, pitch)
        last = rotated_in_plane(FINITE_FLOATS, turned, bone)
    up = py
    py -= last[1]
    size, radius, s, gap = abs(offset), 1.0, c, abs(b - offset)
    if shared.yaw:
        radius = sqrt(b * b + c * c)
        s = sqrt((radius - size) * (radius + size)) if radius > size else 0.0
        gap = size - radius
    found, before, head = [], None, ()
    (ux, uy), (vx, vy), r1, r2 = g.upper, g.lower, problem.r1, problem.r2
    for sign, side in problem.signs:
        if sign != before:
            before, px = sign, s
            if shared.yaw:
                px = sign * s if radius else 0.0
                first = atan2(offset * c - px * b, offset * b + px * c) if radius else 0.0
                head = (first,)
            px -= hip
            px -= last[0]
            status, missed = _status(problem, shared, px * px + py * py, gap, (radius, size))
        jx, jy = solve_xy(px, py, r1, r2, side)
        one = atan2(ux * jy - uy * jx, ux * jx + uy * jy)
        jx, jy = px - jx, py - jy
        two = atan2(vx * jy - vy * jx, vx * jx + vy * jy)
        angles = (*head, one, shared.signs[0] * (two - one))
        if pitch is not None:
            angles += (shared.signs[1] * (turned - two),)
            if roll is not None:
                angles += (roll,)
        found.append((turned_near(angles, problem.middle), status, missed, (px, py)))
    if shared.skewed:
        return found, Seen((b, c), up, radius, s, turned, last, end)
    return found, UNSEEN


def _rolled(g, roll):
    """Return the tip of an arm from its last parallel joint, in the axes b, c and a."""
    s, c = sin(roll), cos(roll)
    return tuple([part + (c * even + s * odd) for part, even, odd in zip(*g.roll, strict=True)])


def _status(problem, shared, square, gap, around):
    """Return the status of both branches with the same target of the two bones, and `missed`."""
    r1, r2, slack, tiny = problem.r1, problem.r2, shared.tolerance, shared.tiny
    thickness, d = abs(r1 - r2), sqrt(square)
    missed = TOO_FAR if square > r1 * r1 + r2 * r2 else TOO_NEAR
    if gap > slack:
        status = TOO_NEAR if shared.yaw else TOO_FAR
    elif d > r1 + r2 + slack:
        status = TOO_FAR
    elif d < thickness - slack:
        status = TOO_NEAR
    elif (d <= tiny and thickness <= tiny) or max(around) <= tiny:
        status = AMBIGUOUS
    else:
        return 0.0, missed
    return status, missed if status == AMBIGUOUS else status


def finished(problem, shared, seen, branch, signs):
    """Return angles and status of a branch, corrected if axes are not square, and `within`."""
    if shared.skewed:
        angles, status = float_corrections.corrected(problem, shared, seen, branch, signs)
    else:
        angles, status, _, _ = branch
    for angle, (low, high) in zip(angles, shared.allowed, strict=True):
        if not low <= angle <= high:
            return angles, status, False
    return angles, status, True


def choose(problem, shared, goal, near):
    """Return the branch that `closed_form.choose` returns, with its end.

    A correction moves no angle by more than FAR, except for the first one near its axis. So a
    branch need not be corrected that would be beyond its limits even then, or farther from `near`
    than one that is reached and within limits.
    """
    found, seen = find(problem, shared, goal)
    order, bounds = range(len(found)), [0.0] * len(found)
    if shared.skewed:
        begin = int(shared.yaw and seen.radius <= LOOSE * shared.far)
        bounds = [_least(shared, each[0], near, begin) for each in found]
        order = sorted(order, key=bounds.__getitem__)
    best: Any = None
    least = INFINITE, INFINITE, 0
    for number in order:
        if least[0] == 0 and choice.is_nearer(FLOAT64, least[1], bounds[number]):
            continue
        angles, status, within = finished(
            problem, shared, seen, found[number], problem.signs[number]
        )
        if problem.wide and not _is_nearest(shared, angles, near):
            angles = choice.near_to(FINITE_FLOATS, FLOAT64, problem, angles, near)
        rank, away = 0 if status in REACHED else 2, 0.0
        if not within:
            rank += 1
        for angle, other in zip(angles, near, strict=True):
            away += (angle - other) * (angle - other)
        if _is_better((rank, away, number), least):
            best, least = (angles, status, within), (rank, away, number)
    angles, status, within = best
    end = float_corrections.carried(shared.chain, angles, shared.end)
    return choice.Chosen(angles, end, status, within)


def _is_better(one, other):
    """Return whether a branch is better than another: of equally near ones, the first."""
    if one[0] != other[0]:
        return one[0] < other[0]
    if one[2] < other[2]:
        return not choice.is_nearer(FLOAT64, other[1], one[1])
    return choice.is_nearer(FLOAT64, one[1], other[1])


def _is_nearest(shared, angles, near):
    """Return whether no angle has a turn nearer to others: what `near_to` finds takes longer."""
    for angle, other, (low, high), wide in zip(
        angles, near, shared.allowed, shared.wide, strict=True
    ):
        if wide and not (abs(angle - other) < NEAR and low + TURN <= other <= high - TURN):
            return False
    return True


def _least(shared, angles, near, begin):
    """Return the least square of the distance that angles can have from others once corrected.

    It is infinite if they cannot get within their limits. Angles before `begin` may become any.
    """
    least = 0.0
    for i in range(begin, len(angles)):
        away = abs(angles[i] - near[i])
        if shared.wide[i]:
            away = abs(remainder(away, TURN))
        else:
            low, high = shared.allowed[i]
            if not low - FAR <= angles[i] <= high + FAR:
                return INFINITE
        if away > FAR:
            least += (away - FAR) * (away - FAR)
    return least


# --- numbers as they are given ------------------------------------------------------------


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


def goal_of(target, **tool):
    """Return a goal of finite floats of moderate size, or None if a number is not plain."""
    xyz = numbers_of(target, 3)
    if xyz is None:
        return None
    for angle in tool.values():
        if not (isinstance(angle, float) and -SIZE <= angle <= SIZE):
            return None
    return Goal(xyz, **tool)


def solve_any(problem, shared, number, goal):
    """Return the angles of one branch of any limb, for any numbers."""
    one = problem._replace(signs=(problem.signs[number],))
    goal = Goal(
        tuple(map(float, goal.target)), *(None if v is None else float(v) for v in goal[1:])
    )
    moderate = all(-SIZE <= v <= SIZE for v in (*goal.target, goal.pitch or 0.0, goal.roll or 0.0))
    if not moderate:
        return closed_form.branches(FINITE_FLOATS, FLOAT64, one, goal)[0].angles
    (branch,), seen = find(one, shared, goal)
    return finished(one, shared, seen, branch, *one.signs)[0]
