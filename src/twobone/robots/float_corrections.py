"""Axes that are not square, one target in Python floats: `kinematics.corrected`, written out."""

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.solver import solve_xy
from twobone.robots import kinematics
from twobone.robots.closed_form import AMBIGUOUS
from twobone.rotations.angles import nearest_turn

NEAR = 3.14  # an angle within this of the middle of its limits needs no turn


class Seen(NamedTuple):
    """A goal in the frame of a limb."""

    across: tuple[float, float]
    up: float
    radius: float  # 1 if there is no first joint
    s: float
    turned: float  # of an arm
    last: tuple[float, float]
    end: tuple[float, ...]  # the tip from the last parallel joint


def corrected(problem, shared, seen, branch, signs):
    """Return angles and status of a branch after what `closed_form._corrected` does."""
    angles, status, missed, p = branch
    g, begin, end = problem.geometry, int(shared.yaw), seen.end
    before = angles[begin : shared.count]
    x = carried(shared.hinges, before, end)
    square = _missed(shared, seen, x)
    bends = _again(problem, shared, seen, before, p, x, signs)
    x, v, w = _slopes(shared, bends, end)
    now = _missed(shared, seen, x)
    if now < square and _are_near(bends, before):
        square = now
    else:
        bends = before
        x, v, w = _slopes(shared, bends, end)
    sign, enough = kinematics.bending(g, signs), shared.tiny * shared.tiny
    for left in range(kinematics.STEPS if square <= shared.far * shared.far else 0, 0, -1):
        if square <= enough:
            break
        moved = _moved(shared, bends, _step(shared, seen, x, v, w, sign))
        there = carried(shared.hinges, moved, end)
        now = _missed(shared, seen, there)
        if not (now < square and _are_near(moved, bends)):
            break
        bends, square, x = moved, now, there
        if left > 1 and square > enough:
            x, v, w = _slopes(shared, bends, end)
    reached, first = square <= shared.tolerance * shared.tolerance, ()
    if shared.yaw:
        (b, c), radius, (p, q, _) = seen.across, seen.radius, x
        if not reached:
            size = abs(p)
            q = signs[0] * sqrt((radius - size) * (radius + size)) if radius > size else 0.0
        first = (atan2(p * c - q * b, p * b + q * c) if radius else 0.0,)
        first = turned_near(first, problem.middle[:1])
    if not reached:
        status = missed
    elif status != AMBIGUOUS:
        status = 0.0
    return (*first, *bends, *angles[shared.count :]), status


def carried(joints, angles, v):
    """Return where joints take a point of the last link: `kinematics.forward` and `in_frame`.

    `joints` are axis and offset of each, from the last to the first.
    """
    x, y, z = v
    for ((a, b, c), (ox, oy, oz)), angle in zip(joints, angles[::-1], strict=True):
        s, t = sin(angle), cos(angle)
        along = (1.0 - t) * (a * x + b * y + c * z)
        x, y, z = (
            t * x + (s * (b * z - c * y) + along * a) + ox,
            t * y + (s * (c * x - a * z) + along * b) + oy,
            t * z + (s * (a * y - b * x) + along * c) + oz,
        )
    return x, y, z


def _missed(shared, seen, x):
    """Return the square of the distance of the tip from the target: `kinematics.miss_of`."""
    b, c, a = x
    a = seen.up - a
    if shared.yaw:
        b = seen.radius - sqrt(b * b + c * c)
        return a * a + b * b
    b, c = seen.across[0] - b, seen.across[1] - c
    return a * a + b * b + c * c


def _are_near(bends, others):
    """Return whether no angle changes by more than a step may."""
    for angle, other in zip(bends, others, strict=True):
        if not -kinematics.MOST <= angle - other <= kinematics.MOST:
            return False  # unreached: too-long-step
    return True


def _again(problem, shared, seen, before, p, x, signs):
    """Return the angles of the parallel joints for a moved target: `closed_form._again`."""
    g, (sign, side), (px, py) = problem.geometry, signs, p
    (ux, uy), (vx, vy), last = g.upper, g.lower, seen.last
    # Where the closed form takes the tip to be.
    one = before[0]
    two = one + shared.signs[0] * before[1]
    s, t, m, n = sin(one), cos(one), sin(two), cos(two)
    px -= x[1] - (t * ux - s * uy + (n * vx - m * vy) + g.hip + last[0])
    py -= x[2] - (s * ux + t * uy + (m * vx + n * vy) + last[1])
    if shared.yaw:
        radius, size = seen.radius, abs(x[0])
        now = sqrt((radius - size) * (radius + size)) if radius > size else 0.0
        px += sign * (now - seen.s)
    jx, jy = solve_xy(px, py, problem.r1, problem.r2, side)
    one = atan2(ux * jy - uy * jx, ux * jx + uy * jy)
    jx, jy = px - jx, py - jy
    two = atan2(vx * jy - vy * jx, vx * jx + vy * jy)
    bends = (one, shared.signs[0] * (two - one))
    if shared.back:
        bends += (shared.signs[1] * (seen.turned - two),)
    return turned_near(bends, before)


def _slopes(shared, bends, v):
    """Return the tip and its derivatives by the first two angles: `kinematics.slopes`."""
    (x, y, z), columns = v, []
    for ((a, b, c), (ox, oy, oz)), angle in zip(shared.hinges, bends[::-1], strict=True):
        s, t = sin(angle), cos(angle)
        along = (1.0 - t) * (a * x + b * y + c * z)
        x, y, z = (
            t * x + (s * (b * z - c * y) + along * a),
            t * y + (s * (c * x - a * z) + along * b),
            t * z + (s * (a * y - b * x) + along * c),
        )
        for i, (i1, i2, i3) in enumerate(columns):
            along = (1.0 - t) * (a * i1 + b * i2 + c * i3)
            columns[i] = (
                t * i1 + (s * (b * i3 - c * i2) + along * a),
                t * i2 + (s * (c * i1 - a * i3) + along * b),
                t * i3 + (s * (a * i2 - b * i1) + along * c),
            )
        columns.append((b * z - c * y, c * x - a * z, a * y - b * x))
        x, y, z = x + ox, y + oy, z + oz
    if not shared.back:
        w, v = columns
        return (x, y, z), v, w
    (i, j, k), (w1, w2, w3), (v1, v2, v3) = columns
    one, two = shared.back
    v = v1 + one * i, v2 + one * j, v3 + one * k
    return (x, y, z), v, (w1 + two * i, w2 + two * j, w3 + two * k)


def _step(shared, seen, x, v, w, sign):
    """Return the change of the first two angles: `kinematics.step`."""
    (b, c, a), (vb, vc, va), (wb, wc, wa) = x, v, w
    if shared.yaw:
        radius = seen.radius
        one, two = b * vb + c * vc, b * wb + c * wc
        other = 0.5 * (radius * radius - (b * b + c * c))
    else:
        radius, one, two, other = 1.0, vc, wc, seen.across[1] - c
    p, q, miss = radius * va, radius * wa, radius * (seen.up - a)
    flat = p * p + q * q >= one * one + two * two
    if not flat:
        sign, p, q, miss, one, two, other = -sign, one, two, other, p, q, miss
    square = p * p + q * q or 1.0
    along, part = miss / square, (one * p + two * q) / square
    slope = p * two - q * one
    here, there = q * q, shared.signs[0] * p * p - 2.0 * p * q
    bent, beside = -(here * va + there * wa), radius * (here * vc + there * wc)
    if shared.yaw:
        tb, tc = p * wb - q * vb, p * wc - q * vc
        bent = tb * tb + tc * tc + c * bent
    if not flat:
        bent, beside = beside, bent
    bent, rise = bent - part * beside, other - miss * part
    under = slope * slope + 2.0 * bent * rise
    root = sign * sqrt(under) if under > 0.0 else 0.0
    if under > 0.0 and slope * sign >= 0.0:
        y = 2.0 * rise / (slope + root)
    else:
        y = (root - slope) / (bent or 1.0)
    along -= 0.5 * y * y * beside / square
    return along * p - y * q, along * q + y * p


def _moved(shared, bends, turns):
    """Return the angles of the parallel joints after a step."""
    one, two = turns
    moved = bends[0] + one, bends[1] + two
    if shared.back:
        moved += (bends[2] + shared.back[0] * one + shared.back[1] * two,)
    return moved


def turned_near(angles, others):
    """Return angles with the whole turns that bring them nearest to others."""
    for angle, m in zip(angles, others, strict=True):
        if not -NEAR < angle - m < NEAR:
            break
    else:
        return angles
    return tuple(
        [
            angle
            if -NEAR < angle - m < NEAR
            else nearest_turn(FINITE_FLOATS, FLOAT64, angle, 0.0, m)
            for angle, m in zip(angles, others, strict=True)
        ]
    )
