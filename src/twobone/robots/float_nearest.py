"""The nearest pose within limits, one target in Python floats: `nearest`, written out."""

from math import acos, atan2, cos, hypot, inf, sin, sqrt
from typing import Any, NamedTuple

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.core.solver import solve_xy
from twobone.robots import choice, closed_form
from twobone.rotations.angles import PI, nearest_turn

EPS = 2.0**-52
ENOUGH = 4.0 * EPS  # radians: a smaller step of Newton's method is the last
STEPS = 60  # at most: halving an interval takes as many


class Pose(NamedTuple):
    """A pose in which the tip is no farther from the target than in all poses beside it."""

    square: float  # of that distance
    angles: tuple[float, ...]
    within: bool  # whether no joint is at a limit


class Seen(NamedTuple):
    """A target in the frame of a leg; `up` is from the hip."""

    b: float
    c: float
    up: float
    radius: float


def nearest(t, problem, target, near):
    """Return the pose within limits in which the tip of a leg is nearest to a target.

    Of poses that are equally near up to rounding, it is the one nearest to given angles.
    """
    g, edge = problem.geometry, problem.boundary
    b, c, up = (
        axis[0] * target[0] + axis[1] * target[1] + axis[2] * target[2] - shift
        for axis, shift in zip(g.frame, g.shift, strict=True)
    )
    most = closed_form.FAR * g.length
    if not (abs(b) <= most and abs(c) <= most and abs(up) <= most):
        b, c, up = closed_form.moved_near(FINITE_FLOATS, g, (b, c, up))
    radius = sqrt(b * b + c * c)
    tie = closed_form.tie(t, g, radius + abs(up))
    if not g.yaw:
        poses = [
            Pose(square + (b - g.offset) ** 2, bends, within)
            for square, bends, within in _in_plane(problem, c, up)
        ]
        return _chosen(t, problem, poses, near, tie)
    seen = Seen(b, c, up, radius)
    poses, best, beyond = [], inf, inf
    for square, bends, x, within in _swept(problem, seen):
        first = _first(problem, seen, x, near[0])
        low, high = edge.ranges[0]
        if low <= first <= high:
            poses.append(Pose(square, (first, *bends), within))
            best = min(best, square)
        else:
            beyond = min(beyond, square)
    # Otherwise no angle of the first joint at all brings the tip nearer.
    if sqrt(beyond) <= sqrt(best) + tie:
        for first in edge.firsts:
            k, m = cos(first), sin(first)
            aside = k * b + m * c - g.offset
            if abs(aside) > sqrt(best) + tie:
                continue
            for square, bends, _ in _in_plane(problem, k * c - m * b, up):
                poses.append(Pose(square + aside * aside, (first, *bends), False))
                best = min(best, poses[-1].square)
    return _chosen(t, problem, poses, near, tie)


def _chosen(t, problem, poses, near, tie):
    """Return the best pose, of those that are equally near that with angles nearest to others."""
    most = (sqrt(min(pose.square for pose in poses)) + tie) ** 2
    least = inf
    best: Any = None
    for pose in poses:
        if pose.square > most:
            continue
        angles, away = pose.angles, 0.0
        if problem.wide:
            angles = choice.near_to(FINITE_FLOATS, t, problem, angles, near)
        for angle, other in zip(angles, near, strict=True):
            away += (angle - other) * (angle - other)
        if best is None or choice.is_nearer(t, away, least):
            best, least = pose._replace(angles=angles), away
    return best


def _first(problem, seen, x, near):
    """Return the angle of the first joint that brings the tip nearest to the target.

    If it is not determined, it is the one nearest to another angle.
    """
    offset = problem.geometry.offset
    if seen.radius == 0.0 or (x == 0.0 and offset == 0.0):
        low, high = problem.boundary.ranges[0]
        return min(max(near, low), high) if near == near else problem.middle[0]
    angle = atan2(offset * seen.c - x * seen.b, offset * seen.b + x * seen.c)
    return _turned(angle, problem.middle[0])


def _turned(angle, middle):
    if -PI <= angle - middle <= PI:
        return angle
    return nearest_turn(FINITE_FLOATS, FLOAT64, angle, 0.0, middle)


def _swept(problem, seen):
    """Yield the poses nearest to a target that the first joint sweeps, in the order of `nearest`.

    Each is the square of the distance, the angles of the parallel joints, the tip along c, and
    whether no joint is at a limit. The first joint has no limits here.
    """
    edge, offset, radius = problem.boundary, problem.boundary.offset, seen.radius
    size = offset * offset
    away = radius * radius - size
    reach = sqrt(away) if away > 0.0 else 0.0
    beside = abs(offset) - radius if away < 0.0 else 0.0  # no tip is so near to the first axis
    for square, bends, _ in _two_bones(problem, reach, seen.up):
        yield square + beside * beside, bends, reach, True
    ways = [directions(offset, arc.x, arc.radius, radius, seen.up - arc.y) for arc in edge.arcs]
    for each in zip(*ways, strict=True):
        for arc, direction in zip(edge.arcs, each, strict=True):
            if direction is None:
                continue
            i = arc.moves - 2
            (low, high), middle = edge.ranges[i], edge.middles[i]
            angle = _turned(arc.sign * (direction - arc.zero), middle)
            if low <= angle <= high:
                x = arc.x + arc.radius * cos(direction)
                above = seen.up - arc.y - arc.radius * sin(direction)
                beside = radius - sqrt(size + x * x)
                bends = (arc.fixed, angle) if arc.moves else (angle, arc.fixed)
                yield beside * beside + above * above, bends, x, not arc.at_limit
    for bends, x, y, at_limit in edge.corners:
        beside, above = radius - sqrt(size + x * x), seen.up - y
        yield beside * beside + above * above, bends, x, not at_limit
    # On the other side they tell whether the limits of the first joint matter.
    for square, bends, _ in _two_bones(problem, -reach, seen.up) if reach else ():
        yield square, bends, -reach, True


def _in_plane(problem, c, up):
    """Yield poses nearest to a point of the plane of c and a: see `_swept`."""
    yield from _two_bones(problem, c, up)
    edge = problem.boundary
    for arc in edge.arcs:
        if not arc.at_limit:
            continue
        i = arc.moves - 2
        x, y = c - arc.x, up - arc.y
        angle = _turned(arc.sign * (atan2(y, x) - arc.zero), edge.middles[i])
        if edge.ranges[i][0] <= angle <= edge.ranges[i][1]:
            missed = hypot(x, y) - arc.radius
            yield missed * missed, (arc.fixed, angle) if arc.moves else (angle, arc.fixed), False
    for bends, x, y, at_limit in edge.corners:
        yield (c - x) ** 2 + (up - y) ** 2, bends, not at_limit


def _two_bones(problem, c, up):
    """Yield the poses of two bones without limits that are nearest to a point of their plane."""
    g, edge = problem.geometry, problem.boundary
    (ux, uy), (vx, vy), r1, r2 = g.upper, g.lower, problem.r1, problem.r2
    (low, high), (least, greatest) = edge.ranges[-2:]
    px = c - g.hip
    for side in (1.0, -1.0):
        jx, jy = solve_xy(px, up, r1, r2, side)
        one = atan2(ux * jy - uy * jx, ux * jx + uy * jy)
        x, y = px - jx, up - jy
        two = atan2(vx * y - vy * x, vx * x + vy * y)
        knee = _turned(g.signs[1] * (two - one), edge.middles[-1])
        one = _turned(one, edge.middles[-2])
        if low <= one <= high and least <= knee <= greatest:
            missed = hypot(x, y) - r2
            yield missed * missed, (one, knee), True


def directions(d, h, rho, radius, up):
    """Return the directions of the nearest points of an arc that is swept about the first axis.

    Both, None where there is none: see `nearest.directions`.
    """
    height = abs(up)
    inner, outer = _splits(d, h, rho, radius, height)
    found: list[float | None] = [None, None]
    value, slope = _slope(d, h, rho, radius, height, outer, 1.0)
    if value >= 0.0:
        x = outer - value / slope if value < slope * outer else atan2(height, radius - h)
        found[0] = _root(d, h, rho, radius, height, 0.0, outer, 1.0, x)
    value, slope = _slope(d, h, rho, radius, height, inner, -1.0)
    if value <= 0.0:
        x = inner - value / slope if -value < slope * (PI - inner) else atan2(height, -radius - h)
        found[1] = _root(d, h, rho, radius, height, inner, PI, -1.0, x)
    return [None if each is None else -each for each in found] if up < 0.0 else found


def _splits(d, h, rho, radius, height):
    """Return the directions between which the square of the distance is concave along c."""
    p, q = (height * rho * rho) ** (2 / 3), (radius * d * d) ** (2 / 3)
    if p + q == 0.0:
        return (0.5 * PI, 0.5 * PI)
    middle = -p * h / (p + q)
    square = middle * middle - (p * (d * d + h * h) - q * rho * rho) / (p + q)
    root = sqrt(square) if square > 0.0 else 0.0
    return [acos(min(max(v / rho, -1.0), 1.0)) for v in (middle - root, middle + root)]


def _slope(d, h, rho, radius, height, x, side):
    """Return half the slope of the square of the distance over `rho`, and its slope.

    If `d` is 0, the first joint turns by half a turn where the arc crosses its axis, from the side
    +1 to -1.
    """
    s, c = sin(x), cos(x)
    along, bent = radius * side, 0.0
    if d:
        u = h + rho * c
        r = sqrt(d * d + u * u)
        along, bent = radius * u / r, radius * rho * s * s * d * d / (r * r * r)
    return (along - h) * s - height * c, (along - h) * c + height * s - bent


def _root(d, h, rho, radius, height, low, high, side, x):
    """Return where the slope vanishes between two directions, from a guess."""
    noise = EPS * (radius + abs(h) + height)
    for _ in range(STEPS):  # unreached: more-steps
        if not low <= x <= high:
            x = 0.5 * (low + high)
        value, slope = _slope(d, h, rho, radius, height, x, side)
        if value < 0.0:
            low = x
        elif value > 0.0:
            high = x
        else:
            break
        step = value / slope if slope > 0.0 else inf
        x -= step
        if abs(step) <= ENOUGH or abs(value) <= noise:
            break
    return min(max(x, low), high)
