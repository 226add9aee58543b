"""The rotations that bend a limb so that its end meets a target.

Written in the portable subset of `quaternions.py`, in any frame whose scale is the same in all
directions. The joint is a hinge: rotating the second bone about the hinge axis moves the end on
a circle around that axis, and leaves the end's coordinate along the axis (`offset`, 0 if the
axis is perpendicular to both bones) as it is. What remains are two bones in the plane
perpendicular to the axis, and `core` solves for their joint. Then the first bone is rotated:
by the shortest arc that brings the end onto the line to the target, and about that line until
the hinge axis points along `target x pole`.
"""

from typing import Any, NamedTuple

from twobone.core import formula, vectors
from twobone.core.answer import AMBIGUOUS, NAN, TOO_FAR, TOO_NEAR
from twobone.core.exact import Array
from twobone.core.formula import dot
from twobone.rotations import frames, quaternions
from twobone.rotations.quaternions import Half

BISECTIONS = 12  # until Halley's method is close enough
STEPS = 6  # of Halley's method, each of which triples the number of correct digits
NEWTON = 10  # steps to the nearest point: 8 leave 1e-8 of the ellipse's size at worst, of 200,000


class Task(NamedTuple):
    """A limb in its present pose and its target: vectors relative to the root, in any frame."""

    joint: tuple
    end: tuple
    target: tuple
    axis: tuple  # unit vector of the hinge; a positive rotation about it opens the joint
    pole: tuple | None  # direction towards which to bend; None: `normal` decides
    normal: tuple | None  # unit normal of the plane to bend in without a pole; None: the limb's own
    ellipse: tuple | None = None  # an `Ellipse` where the end does not move on a circle
    direction_at_root: tuple | None = None  # for a target at the root; None: `default_direction`
    weighted_normal: tuple | None = None  # normal that replaces those of pole and rest pose


class BendOptions(NamedTuple):
    """Options of `rotate_limb`; None where one has no effect."""

    fade: float  # sine of the angle between pole and target direction below which the pole fades
    weights: Any = None  # weights of position and pole, if the joint is blended from the given pose
    twist: Half | None = None
    softness: Array = None


class Hinge(NamedTuple):
    """A limb measured in the plane perpendicular to its hinge axis."""

    axis: tuple
    first: tuple  # unit vector from the root to the joint, perpendicular to the axis
    across: tuple  # axis x first
    offset: Array  # coordinate of the end along the axis
    is_skew: Array  # bool: the offset is more than rounding error
    r1: Array  # lengths of the bones, measured perpendicular to the axis
    r2: Array
    joint_angle: tuple  # cosine and sine of the present joint angle


class Ellipse(NamedTuple):
    """The path of the end while the joint rotates: `center + cos along + sin across`."""

    center: tuple
    along: tuple
    across: tuple
    applies: Array  # bool: the path differs from a circle by more than rounding error


class Triangle(NamedTuple):
    """The solved bones in their plane: coordinates of the joint, and the distance of the end."""

    x: Array  # of the joint, along the line from root to end
    y: Array  # of the joint, perpendicular to that line; negative only if bent the wrong way
    end: Array  # distance from the root


class Solution(NamedTuple):
    """The rotations that bring the end of a limb to its target."""

    start: tuple  # rotation of the first bone and all its descendants
    mid: Half  # half the rotation about the hinge axis, applied before `start`
    status: Array
    sine: Array  # of the angle between pole and target direction; 1 without a pole
    triangle: Triangle
    hinge: Hinge
    bends: tuple | None = None  # with weights: the `Joint` of the given pose and the new one


class Joint(NamedTuple):
    """How a limb is bent in the plane of its hinge."""

    bend: Half  # 0 is straight, 90 degrees folded; negative if bent the wrong way
    r1: Array
    r2: Array


def rotate_limb(xp, t, solve, limb, options):
    """Return the rotations that bring the end of a limb to its target.

    `solve(xp, d, r1, r2)` returns the triangle whose end is at the distance `d`, and a status.
    """
    hinge = measure(xp, t, limb)
    target_distance = vectors.length(xp, limb.target)
    d, short = distance_in_plane(xp, t, hinge, target_distance)
    softness = options.softness
    d, lags = (d, None) if softness is None else soften(xp, d, hinge.r1 + hinge.r2, softness)
    triangle, status = solve(xp, d, hinge.r1, hinge.r2)
    status = xp.where(short, TOO_NEAR, status)
    mid = joint_rotation(xp, hinge, triangle)
    bends = None
    if options.weights is not None:
        mid, triangle, bends = blend_joint(xp, solve, limb, hinge, options.weights, (mid, triangle))
    end_direction = direction_of_end(xp, hinge, triangle)
    if limb.ellipse is not None:
        on_circle = mid, end_direction, status
        mid, end_direction, status = solve_on_ellipse(
            xp, t, limb.ellipse, on_circle, target_distance
        )
    start, sine = rotate_first_bone(xp, limb, options, end_direction, target_distance)
    ambiguous = (sine <= 4.0 * t.eps) & (formula.magnitude(xp, triangle.y) > 0.0) & (status == 0.0)
    status = xp.where(ambiguous, AMBIGUOUS, status)
    if lags is not None:
        met = (status == 0.0) | (status == AMBIGUOUS)
        status = xp.where(lags & met, TOO_FAR, status)
    return Solution(quaternions.upright(xp, start), mid, status, sine, triangle, hinge, bends)


# --- in the plane of the hinge ------------------------------------------------------------


def measure(xp, t, limb):
    """Measure a limb in the plane perpendicular to its hinge axis."""
    axis = limb.axis
    first = vectors.square_to(limb.joint, axis)
    second = vectors.square_to(vectors.minus(limb.end, limb.joint), axis)
    r1, r2 = vectors.length(xp, first), vectors.length(xp, second)
    # A first bone of no length takes the direction of the second one.
    bone = vectors.choose(xp, r1 > 0.0, first, second)
    long = xp.where(r1 > 0.0, r1, r2)
    first = vectors.times(1.0 / vectors.positive(xp, long), bone)
    across = vectors.cross(axis, first)
    back = -1.0 / vectors.positive(xp, r2)
    joint_angle = back * dot(second, first), back * dot(second, across)
    offset = dot(limb.end, axis)
    is_skew = formula.magnitude(xp, offset) > 8.0 * t.eps * (r1 + r2)
    return Hinge(axis, first, across, offset, is_skew, r1, r2, joint_angle)


def distance_in_plane(xp, t, hinge, target_distance):
    """Return how far from the root the end must be in the hinge's plane to be at `target_distance`.

    Return also whether the target is too near for that, because the hinge axis is not
    perpendicular to both bones.
    """
    square = (target_distance - hinge.offset) * (target_distance + hinge.offset)
    planar_distance = xp.where(square > 0.0, xp.sqrt(vectors.positive(xp, square)), 0.0)
    planar = target_distance
    if xp.differentiates:
        # An offset within rounding error is ignored, but second derivatives still depend on it.
        no_slope = (
            (target_distance <= 2.0**-16 * (hinge.r1 + hinge.r2))
            | hinge.is_skew
            | ~(square <= t.largest)
        )
        slope = xp.sqrt(vectors.positive(xp, xp.where(no_slope, 1.0, square)))
        planar = xp.where(no_slope, target_distance, vectors.with_slope(xp, target_distance, slope))
    return xp.where(hinge.is_skew, planar_distance, planar), hinge.is_skew & (square < 0.0)


def soften(xp, d, reach, softness):
    """Return the softened distance of the end, and whether it lags behind the target.

    The curve is that of `core.policies.Soft`: C1, monotone, and never beyond the target.
    """
    zone = softness * reach
    left = reach + zone - d
    lags = (zone > 0.0) & (d > reach - zone)
    left = xp.where(lags & (left > 0.0), left, 0.0)
    soft = reach - left * left / (4.0 * vectors.positive(xp, zone))
    return xp.where(zone >= 0.0, xp.where(lags, soft, d), NAN), lags


def joint_rotation(xp, hinge, triangle):
    """Return half the rotation about the hinge axis that gives the joint the triangle's angle."""
    cos, sin = angle_of_joint(xp, hinge, triangle)
    c, s = hinge.joint_angle
    return quaternions.half_of(xp, cos * c + sin * s, sin * c - cos * s)


def angle_of_joint(xp, hinge, triangle):
    """Return cosine and sine of a triangle's joint angle, times a factor if bones are stretched."""
    x, y, end = triangle
    beyond = end - x
    # From the joint the bones go to the root, (-x, -y), and to the end, (beyond, -y).
    long = vectors.positive(xp, hinge.r1 * hinge.r2)
    return (y * y - x * beyond) / long, (x * y + y * beyond) / long


def blend_joint(xp, solve, limb, hinge, weights, solved):
    """Return the joint's rotation and triangle between the given pose and the solution, and bends.

    The solution for the end where it is need not be the given pose: the policy may move that end
    (a limb within the zone of `Soft`, or beyond its limits), and the joint may be bent the wrong
    way. Both differences are angles of the joint and lengths of the bones. They are added to the
    solution, and fade as the weight of the position grows, the wrong bend also as that of the pole
    grows. So all depends continuously on the weights, and at 0 is the given pose.

    Angles are the halves of bends (0 is straight), so all of them are blended through straight.
    """
    position = weights.position
    mid, triangle = solved
    distance = vectors.length(xp, vectors.square_to(limb.end, hinge.axis))
    unmoved, _ = solve(xp, distance, hinge.r1, hinge.r2)
    cos, sin = hinge.joint_angle
    given = quaternions.half_of(xp, -cos, sin)
    right = Half(given.cos, formula.magnitude(xp, given.sin))
    of_solution, of_unmoved = (bend_of(xp, hinge, each) for each in (triangle, unmoved))
    by_position = 1.0 - position
    by_both = by_position * (1.0 - weights.pole)
    bend = of_solution
    for share, more, less in ((by_position, right, of_unmoved), (by_both, given, right)):
        bend = sum_of_halves(bend, share_of_half(xp, share, more))
        bend = sum_of_halves(bend, opposite(share_of_half(xp, share, less)))
    r1, r2 = (
        now - by_position * (then - own)
        for now, then, own in zip(
            lengths(xp, triangle), lengths(xp, unmoved), (hinge.r1, hinge.r2), strict=True
        )
    )
    along = r1 + r2 * (bend.cos * bend.cos - bend.sin * bend.sin)
    across = 2.0 * r2 * bend.cos * bend.sin
    end = vectors.length(xp, (along, across))
    scale = r1 / vectors.positive(xp, end)
    blended = Triangle(
        xp.where(end == 0.0, 0.0, scale * along), xp.where(end == 0.0, r1, scale * across), end
    )
    part = sum_of_halves(given, opposite(bend))
    return (
        Half(*part_or_whole(xp, position, part, quaternions.nearer(xp, part, mid))),
        Triangle(*part_or_whole(xp, position, blended, triangle)),
        (Joint(given, hinge.r1, hinge.r2), Joint(bend, r1, r2)),
    )


def part_or_whole(xp, weight, part, whole):
    """Return `part`, which depends on a weight, or `whole` bit for bit where the weight is 1.

    There, too, the derivatives are those of `part`.
    """
    if xp.differentiates:
        whole = tuple(vectors.with_slope(xp, a, b) for a, b in zip(whole, part, strict=True))
    return vectors.choose(xp, weight >= 1.0, whole, part)


def bend_of(xp, hinge, triangle):
    """Return half the bend of the joint of a triangle: 0 is straight, 90 degrees folded.

    A bone of no length has no direction, so that a limb with one counts as straight.
    """
    cos, sin = angle_of_joint(xp, hinge, triangle)
    bends = hinge.r1 * hinge.r2 > 0.0
    return quaternions.half_of(xp, xp.where(bends, -cos, 1.0), xp.where(bends, sin, 0.0))


def lengths(xp, triangle):
    """Return the lengths of the bones of a triangle."""
    x, y, end = triangle
    return vectors.length(xp, (x, y)), vectors.length(xp, (end - x, y))


def sum_of_halves(a, b):
    """Return half the sum of two angles, given their halves."""
    return Half(a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin)


def opposite(half):
    """Return half the opposite angle."""
    return Half(half.cos, -half.sin)


def share_of_half(xp, weight, half):
    """Return half of a share of an angle within 360 degrees.

    Two quarters of the angle are shared as `quaternions.blend` shares rotations: linearly, and
    normalised. Their speed is that of the weight to within a third for angles within 180 degrees.
    """
    quarter = quaternions.half_of(xp, half.cos, half.sin)
    cos, sin = (1.0 - weight) + weight * quarter.cos, weight * quarter.sin
    square = vectors.positive(xp, cos * cos + sin * sin)
    return Half((cos * cos - sin * sin) / square, 2.0 * cos * sin / square)


def direction_of_end(xp, hinge, triangle):
    """Return the unit vector from the root to the end after the joint's rotation alone."""
    x, y, end = triangle
    r1 = vectors.length(xp, (x, y))
    safe = vectors.positive(xp, r1)
    x, y = xp.where(r1 > 0.0, x / safe, 1.0), y / safe
    in_plane = vectors.minus(vectors.times(x, hinge.first), vectors.times(y, hinge.across))
    # With the end at the root, an offset within rounding error would decide the direction;
    # elsewhere it is kept for its derivative.
    use_offset = hinge.is_skew | (end > 2.0**-20 * (hinge.r1 + hinge.r2))
    with_offset = vectors.plus(
        vectors.times(end, in_plane), vectors.times(hinge.offset, hinge.axis)
    )
    return vectors.choose(xp, use_offset, vectors.unit(xp, with_offset), in_plane)


def direction_in_plane(xp, joint):
    """Return half the angle about the hinge axis from the first bone to the end.

    With half the bend `b`, the end is at `r1 + r2 exp(-2ib) = exp(-ib) ((r1 + r2) cos b + i (r1 -
    r2) sin b)`. So the angle does not jump where the limb is folded.
    """
    bend, r1, r2 = joint
    return sum_of_halves(
        quaternions.half_of(xp, (r1 + r2) * bend.cos, (r1 - r2) * bend.sin),
        opposite(quaternions.half_of(xp, bend.cos, bend.sin)),
    )


def solve_on_ellipse(xp, t, ellipse, on_circle, target_distance):
    """Return half the rotation of mid, the direction of the end and the status on an ellipse.

    `on_circle` holds the same for an end that moves on a circle. Halley's method solves for the
    distance of the end, starting at the rotation that would be right for a circle. If it does not
    find the distance, the nearest or the farthest point of the ellipse is the answer, or else the
    distance lies between that of the start and one of them, and is found by bisection.
    """
    mid, end_direction, status = on_circle
    c, s = mid.cos * mid.cos - mid.sin * mid.sin, 2.0 * mid.cos * mid.sin
    radii = dot(ellipse.along, ellipse.along) + dot(ellipse.across, ellipse.across)
    size = xp.sqrt(vectors.positive(xp, dot(ellipse.center, ellipse.center) + radii))
    # Scaled to a size of about 1, so that fourth powers neither overflow nor underflow.
    center, along, across = (vectors.times(1.0 / size, v) for v in ellipse[:3])
    ellipse, target_distance = (
        Ellipse(center, along, across, ellipse.applies),
        target_distance / size,
    )
    square = target_distance * target_distance
    tolerance = 64.0 * t.eps
    start = c, s
    c, s = refine(xp, ellipse, square, *start)
    missed = formula.magnitude(xp, excess(xp, ellipse, target_distance, (c, s))) > tolerance
    second = search_ellipse(xp, ellipse, target_distance, start)
    c, s = (xp.where(missed, v, u) for u, v in zip((c, s), second, strict=True))
    end = on_ellipse(ellipse, c, s)[0]
    f = vectors.length(xp, end) - target_distance
    found = xp.where(f < -tolerance, TOO_FAR, xp.where(f > tolerance, TOO_NEAR, 0.0 * f))
    applies, half = ellipse.applies, quaternions.half_of(xp, c, s)
    mid = Half(xp.where(applies, half.cos, mid.cos), xp.where(applies, half.sin, mid.sin))
    known = applies & (status <= TOO_NEAR)
    end_direction = vectors.choose(xp, applies, vectors.unit(xp, end), end_direction)
    return mid, end_direction, xp.where(known, found, status)


def excess(xp, ellipse, distance, angle):
    """Return by how much a point of an ellipse is farther from the root than a distance."""
    return vectors.length(xp, on_ellipse(ellipse, *angle)[0]) - distance


def search_ellipse(xp, ellipse, distance, start):
    """Return the angle at which an end is at a distance or, if there is none, as near as can be.

    Between the angle `start` and the nearest or farthest point of the ellipse there is a solution,
    unless one of the two is the answer itself. Bisection finds it, and Halley's method refines it.
    """
    is_far = excess(xp, ellipse, distance, start) > 0.0
    extremes = (extreme_angle(xp, ellipse, start, sign) for sign in (1.0, -1.0))
    extreme = vectors.choose(xp, is_far, *extremes)
    out_of_reach = (excess(xp, ellipse, distance, extreme) > 0.0) == is_far
    inside, outside = (
        vectors.choose(xp, is_far, extreme, start),
        vectors.choose(xp, is_far, start, extreme),
    )
    for _ in range(BISECTIONS):
        middle = vectors.plus(inside, outside)
        none = dot(middle, middle) <= 2.0**-40  # opposite to each other: either way round
        middle = vectors.choose(xp, none, (-inside[1], inside[0]), middle)
        middle = vectors.unit(xp, middle)
        beyond = excess(xp, ellipse, distance, middle) > 0.0
        inside = vectors.choose(xp, beyond, inside, middle)
        outside = vectors.choose(xp, beyond, middle, outside)
    found = refine(xp, ellipse, distance * distance, *inside)
    return vectors.choose(xp, out_of_reach, extreme, found)


def extreme_angle(xp, ellipse, start, sign):
    """Return the angle of the point of an ellipse nearest to the root, or farthest for `sign` -1.

    Of two such points, it is the one on the side of the angle `start`.

    On the axes `u` and `v` of the ellipse, the squared distance is a constant plus
    `u.u C^2 + v.v S^2 - 2 (p C + q S)`. A Lagrange multiplier gives `(u.u + m) C = p` and
    `(v.v + m) S = q`; of all its values, the one that makes both factors positive belongs to the
    nearest point, and the one that makes both negative to the farthest. With the smaller factor
    `w` and the difference `d` of both, `p^2 / (d + w)^2 + q^2 / w^2 = 1`. One over the root of the
    left side is an increasing concave function of `w`, so that Newton's method comes from below and
    never goes past the solution; as the function is nearly a straight line, it comes fast. (Conn,
    Gould and Toint, Trust-Region Methods, section 7.3, call this the secular equation.)
    """
    center, along, across, _ = ellipse
    aa, bb, ab = dot(along, along), dot(across, across), dot(along, across)
    axis = quaternions.half_of(xp, aa - bb, 2.0 * ab)
    u = vectors.plus(vectors.times(axis.cos, along), vectors.times(axis.sin, across))
    v = vectors.minus(vectors.times(axis.cos, across), vectors.times(axis.sin, along))
    d = formula.greatest(xp, dot(u, u) - dot(v, v), 0.0)
    p, q = -sign * dot(center, u), -sign * dot(center, v)
    if sign < 0.0:  # of the negative factors, the larger one is that of the short axis
        p, q = q, p
    far, near = formula.magnitude(xp, p), formula.magnitude(xp, q)
    w = formula.greatest(xp, near, far - d)
    for _ in range(NEWTON):
        x, y = far / nonzero(xp, d + w), near / nonzero(xp, w)
        squares = vectors.positive(xp, x * x + y * y)
        slope = x * x / nonzero(xp, d + w) + y * y / nonzero(xp, w)
        root = xp.sqrt(squares)
        w = formula.greatest(xp, w + squares * (root - 1.0) / nonzero(xp, slope), w)
    x, y = p / nonzero(xp, d + w), q / nonzero(xp, w)
    # The root is on one axis, and so near the center that both sides of that axis are the same.
    rest = xp.sqrt(vectors.positive(xp, 1.0 - x * x))
    c, s = start
    aside = axis.cos * s - axis.sin * c if sign > 0.0 else axis.cos * c + axis.sin * s
    rest = xp.where(aside < 0.0, -rest, rest)
    y = xp.where((w <= 0.0) & (x * x < 1.0), rest, y)
    x, y = vectors.unit(xp, (x, y))
    if sign < 0.0:
        x, y = y, x
    return axis.cos * x - axis.sin * y, axis.sin * x + axis.cos * y


def refine(xp, ellipse, square, c, s):
    """Refine an angle (cosine, sine) until the squared distance of the end is `square`."""
    for _ in range(STEPS):
        end, first, second = on_ellipse(ellipse, c, s)
        f, f1 = dot(end, end) - square, 2.0 * dot(end, first)
        f2 = 2.0 * (dot(first, first) + dot(end, second))
        discriminant = f1 * f1 - 2.0 * f * f2
        root = xp.sqrt(vectors.positive(xp, discriminant))
        divisor = f1 + xp.where(f1 < 0.0, -root, root)
        step = xp.where(discriminant > 0.0, -2.0 * f / nonzero(xp, divisor), -f1 / nonzero(xp, f2))
        step = formula.least(xp, formula.greatest(xp, step, -0.5), 0.5)
        c, s = c - s * step, s + c * step
        long = 1.0 / vectors.positive(xp, vectors.length(xp, (c, s)))
        c, s = c * long, s * long
    return c, s


def on_ellipse(ellipse, c, s):
    """Return a point of an ellipse and its first and second derivatives by the angle."""
    radius = vectors.plus(vectors.times(c, ellipse.along), vectors.times(s, ellipse.across))
    slope = vectors.minus(vectors.times(c, ellipse.across), vectors.times(s, ellipse.along))
    return vectors.plus(ellipse.center, radius), slope, vectors.times(-1.0, radius)


def nonzero(xp, v):
    """Return `v`, or 1 where it is 0."""
    return xp.where(v == 0.0, 1.0, v)


def stretch_factors(xp, found):
    """Return the factors by which the two bones are stretched; 1 for a bone of no length."""
    first, second = lengths(xp, found.triangle)
    r1, r2 = found.hinge.r1, found.hinge.r2
    return (
        xp.where(r1 > 0.0, first / vectors.positive(xp, r1), 1.0),
        xp.where(r2 > 0.0, second / vectors.positive(xp, r2), 1.0),
    )


# --- in space -----------------------------------------------------------------------------


def rotate_first_bone(xp, limb, options, end_direction, target_distance):
    """Return the rotation of the first bone, and the sine of the pole's angle.

    `end_direction` is the direction from the root to the end before that rotation. The angle is
    that between the pole and the target direction.
    """
    pole = None if limb.pole is None else vectors.unit(xp, limb.pole)
    direction = vectors.times(1.0 / vectors.positive(xp, target_distance), limb.target)
    normal = quaternions.axis_square_to(xp, end_direction, limb.axis)
    at_root = (
        default_direction(xp, end_direction, normal, pole)
        if limb.direction_at_root is None
        else limb.direction_at_root
    )
    direction = vectors.choose(xp, target_distance == 0.0, at_root, direction)
    start = quaternions.shortest_arc_of_units(xp, end_direction, direction, normal)
    rotated_normal = quaternions.rotate(start, normal)
    wanted_normal, sine = (
        rotated_normal if limb.normal is None else limb.normal,
        target_distance * 0.0 + 1.0,
    )
    if pole is not None:
        wanted_normal, sine = bending_normal(xp, direction, pole, wanted_normal, options.fade)
    if limb.weighted_normal is not None:
        wanted_normal = vectors.choose(
            xp, target_distance == 0.0, wanted_normal, limb.weighted_normal
        )
    # Both normals are perpendicular to the target direction: only a roll about it is left.
    roll = quaternions.half_of(
        xp,
        dot(rotated_normal, wanted_normal),
        dot(vectors.cross(direction, rotated_normal), wanted_normal),
    )
    start = quaternions.multiply(rotation_about(direction, roll), start)
    if xp.differentiates and not (limb.normal is None and pole is None):
        start = with_slope_of_frames(xp, start, (end_direction, normal), (direction, wanted_normal))
    if options.twist is not None:
        start = quaternions.multiply(rotation_about(direction, options.twist), start)
    return start, sine


def with_slope_of_frames(xp, rotation, before, after):
    """Return a rotation between two frames with derivatives with respect to both; its value stays.

    A frame is a unit vector and a second direction. The rotation was computed as a shortest arc and
    a roll. Where the unit vectors are opposite, the shortest arc has no derivative, but its product
    with the roll does.
    """
    sides = (before, after)
    (x, y, z), (u, v, w) = (
        (a, b, vectors.cross(a, b)) for a, b in (unit_frame(xp, *f) for f in sides)
    )
    rows = tuple(tuple(x[j] * u[i] + y[j] * v[i] + z[j] * w[i] for j in range(3)) for i in range(3))
    slope = quaternions.nearer(xp, rotation, frames.from_rows(xp, rows))
    found = tuple(vectors.with_slope(xp, a, b) for a, b in zip(rotation, slope, strict=True))
    perpendicular = vectors.square_to(after[1], after[0])
    return vectors.choose(xp, dot(perpendicular, perpendicular) > 0.0, found, rotation)


def unit_frame(xp, a, b):
    """Return a unit vector, and the component of another one perpendicular to it, of length 1."""
    return a, vectors.unit(xp, vectors.square_to(b, a))


def default_direction(xp, end_direction, normal, pole):
    """Return the direction assumed for a target at the root.

    That is the direction of the end, made perpendicular to the pole. An end that lies along the
    pole is rotated in the limb's own plane.
    """
    if pole is None:
        return end_direction
    perpendicular = vectors.square_to(end_direction, pole)
    across = vectors.times(-dot(end_direction, pole), vectors.cross(normal, end_direction))
    is_along = dot(perpendicular, perpendicular) <= 2.0**-20
    return vectors.unit(xp, vectors.choose(xp, is_along, across, perpendicular))


def bending_normal(xp, direction, pole, fallback, fade):
    """Return the normal of the bending plane that a pole asks for, and the sine of its angle.

    `direction`, `pole` and `fallback` are unit vectors; the angle is that between the first two.
    Where its sine is below `fade`, the plane with the normal `fallback` is blended in. It alone
    counts where direction and pole are parallel.
    """
    across = vectors.cross(direction, pole)
    sine = vectors.length(xp, across)
    influence = pole_influence(xp, sine, fade)
    normal = vectors.times(influence / vectors.positive(xp, sine), across)
    return vectors.plus(normal, vectors.times(1.0 - influence, fallback)), sine


def pole_influence(xp, sine, fade):
    """Return the weight of a pole by its angle: 0 along the target direction, 1 from `fade` on."""
    x = formula.least(xp, sine / fade, 1.0)
    return x * x * (3.0 - 2.0 * x)


def sine_between(xp, direction, pole):
    """Return the sine of the angle between two directions; 0 if one has no length."""
    return vectors.length(xp, vectors.cross(vectors.unit(xp, direction), vectors.unit(xp, pole)))


def rotation_about(axis, half):
    """Return the quaternion of a rotation about a unit axis, given half of its angle."""
    return (*vectors.times(half.sin, axis), half.cos)
