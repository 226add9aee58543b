"""How a limb bends and turns: from where its joints are to what brings its end to a target.

The same tiny language as `quaternions.py`, in any frame with equal scale in all directions. The
joint is a hinge: turning the second bone about the hinge's axis moves the end on a circle
around that axis, and no turn about it changes the end's share along it (`lift`, 0 where the
axis is square to both bones). What is left is two bones in the plane square to the axis, and
`core` knows where their joint is. Then the first bone turns: the shortest way that brings the
end onto the line to the target, and about that line until the hinge's axis is where the pole
wants it, along `target x pole`.
"""

import math
from typing import NamedTuple

from twobone.core import formula, vectors
from twobone.core.answer import AMBIGUOUS, NAN, TOO_FAR, TOO_NEAR
from twobone.core.exact import Array
from twobone.core.formula import dot
from twobone.rotations import frames, quaternions
from twobone.rotations.quaternions import Half

ANGLES = 16  # where an ellipse is looked at, all round
STEPS = 6  # Halley's: three times the digits each


class Task(NamedTuple):
    """A limb as it is and what it is to do: vectors from its root, in any frame."""

    joint: tuple
    end: tuple
    target: tuple
    axis: tuple  # of the hinge, a unit vector; a positive turn about it opens the joint
    pole: tuple | None  # towards which to bend; None: as `plane` says
    plane: tuple | None  # unit normal to bend square to, where the pole says nothing; None: own
    ellipse: tuple | None = None  # an `Ellipse` where the end does not move on a circle
    last: tuple | None = None  # the way taken where the target is at the root; None: as it lies


class Wishes(NamedTuple):
    """What else is wanted of a limb; None where it has no effect."""

    fade: float  # sine of the angle between pole and way from which the pole has its full say
    pole_weight: Array = 1.0
    twist: Half | None = None
    softness: Array = None


class Hinge(NamedTuple):
    """A limb in the plane in which it bends."""

    axis: tuple
    first: tuple  # unit vector from the root to the joint, square to the axis
    aside: tuple  # axis x first
    lift: Array  # the end's share along the axis
    skew: Array  # bool: it is more than rounding
    r1: Array  # lengths of the bones, square to the axis
    r2: Array
    opening: tuple  # cosine and sine of the present opening


class Ellipse(NamedTuple):
    """What the end moves on while the joint turns: `center + cos along + sin across`."""

    center: tuple
    along: tuple
    across: tuple
    holds: Array  # bool: it is an ellipse indeed


class Triangle(NamedTuple):
    """The bones in their plane: the joint, and how far from the root the end is."""

    x: Array  # share of the joint along the way to the end
    y: Array  # share across it, never negative
    end: Array


class Turned(NamedTuple):
    """What brings a limb to its target."""

    start: tuple  # the turn of the first bone, and of all that hangs from it
    mid: Half  # half the turn about the hinge's axis, done before
    status: Array
    sine: Array  # of the angle between pole and way; 1 without a pole
    triangle: Triangle
    hinge: Hinge


def turn_limb(xp, t, solve, limb, wishes):
    """Return the turns of a limb. `solve` finds the triangle of a distance and two lengths."""
    hinge = measure(xp, t, limb)
    far = vectors.length(xp, limb.target)
    d, short = distance(xp, t, hinge, far)
    softness = wishes.softness
    d, lags = (d, None) if softness is None else soften(xp, d, hinge.r1 + hinge.r2, softness)
    triangle, status = solve(xp, d, hinge.r1, hinge.r2)
    status = xp.where(short, TOO_NEAR, status)
    mid = open_joint(xp, hinge, triangle)
    came = way_of(xp, hinge, triangle)
    if limb.ellipse is not None:
        mid, came, status = settle(xp, t, limb.ellipse, mid, came, status, far)
    start, sine = turn_first_bone(xp, limb, wishes, came, far)
    vague = (sine <= 4.0 * t.eps) & (triangle.y > 0.0) & (status == 0.0)
    status = xp.where(vague, AMBIGUOUS, status)
    if lags is not None:
        met = (status == 0.0) | (status == AMBIGUOUS)
        status = xp.where(lags & met, TOO_FAR, status)
    return Turned(quaternions.upright(xp, start), mid, status, sine, triangle, hinge)


# --- in the hinge's plane -----------------------------------------------------------------


def measure(xp, t, limb):
    """Measure a limb in the plane square to its hinge."""
    axis = limb.axis
    first = vectors.square_to(limb.joint, axis)
    second = vectors.square_to(vectors.minus(limb.end, limb.joint), axis)
    r1, r2 = vectors.length(xp, first), vectors.length(xp, second)
    # A first bone of no length points where the second one does.
    bone = vectors.choose(xp, r1 > 0.0, first, second)
    long = xp.where(r1 > 0.0, r1, r2)
    first = vectors.times(1.0 / vectors.positive(xp, long), bone)
    aside = vectors.cross(axis, first)
    back = -1.0 / vectors.positive(xp, r2)
    opening = back * dot(second, first), back * dot(second, aside)
    lift = dot(limb.end, axis)
    skew = formula.magnitude(xp, lift) > 8.0 * t.eps * (r1 + r2)
    return Hinge(axis, first, aside, lift, skew, r1, r2, opening)


def distance(xp, t, hinge, far):
    """Return how far the end must be in the hinge's plane for a target that is `far`.

    Return also whether the target is nearer than the hinge's skewness lets the end come.
    """
    rest = (far - hinge.lift) * (far + hinge.lift)
    root = xp.where(rest > 0.0, xp.sqrt(vectors.positive(xp, rest)), 0.0)
    flat = far
    if xp.differentiates:
        # A lift that is rounding changes no distance, but second derivatives still pass through it.
        vague = (far <= 2.0**-16 * (hinge.r1 + hinge.r2)) | hinge.skew | ~(rest <= t.largest)
        slope = xp.sqrt(vectors.positive(xp, xp.where(vague, 1.0, rest)))
        flat = xp.where(vague, far, vectors.with_slope(xp, far, slope))
    return xp.where(hinge.skew, root, flat), hinge.skew & (rest < 0.0)


def soften(xp, d, reach, softness):
    """Return the distance at which a limb that lags behind puts its end, and whether it lags.

    The curve of `core.policies.Soft`: C1, monotone, never beyond the target.
    """
    zone = softness * reach
    left = reach + zone - d
    lags = (zone > 0.0) & (d > reach - zone)
    left = xp.where(lags & (left > 0.0), left, 0.0)
    soft = reach - left * left / (4.0 * vectors.positive(xp, zone))
    return xp.where(zone >= 0.0, xp.where(lags, soft, d), NAN), lags


def open_joint(xp, hinge, triangle):
    """Return half the turn about the hinge's axis that makes the limb the triangle."""
    x, y, end = triangle
    beyond = end - x
    # From the joint the bones go to the root, (-x, -y), and to the end, (beyond, -y).
    long = vectors.positive(xp, hinge.r1 * hinge.r2)
    cos, sin = (y * y - x * beyond) / long, (x * y + y * beyond) / long
    c, s = hinge.opening
    return quaternions.half_of(xp, cos * c + sin * s, sin * c - cos * s)


def way_of(xp, hinge, triangle):
    """Return the way to the end, a unit vector, once the joint is open and nothing else is done."""
    x, y, end = triangle
    r1 = vectors.length(xp, (x, y))
    safe = vectors.positive(xp, r1)
    x, y = xp.where(r1 > 0.0, x / safe, 1.0), y / safe
    way = vectors.minus(vectors.times(x, hinge.first), vectors.times(y, hinge.aside))
    # A lift that is rounding says nothing of an end at the root; elsewhere its derivative does.
    says = hinge.skew | (end > 2.0**-20 * (hinge.r1 + hinge.r2))
    lifted = vectors.plus(vectors.times(end, way), vectors.times(hinge.lift, hinge.axis))
    return vectors.choose(xp, says, vectors.unit(xp, lifted), way)


def settle(xp, t, ellipse, mid, came, status, far):
    """Return what `mid`, `came` and `status` are for an end that moves on an ellipse.

    Halley's steps on the end's distance, from where a circle would have put it: to the root
    nearest by, or where there is none to where the distance comes nearest to the wanted one.
    """
    c, s = mid.cos * mid.cos - mid.sin * mid.sin, 2.0 * mid.cos * mid.sin
    sides = dot(ellipse.along, ellipse.along) + dot(ellipse.across, ellipse.across)
    size = xp.sqrt(vectors.positive(xp, dot(ellipse.center, ellipse.center) + sides))
    # Of moderate size, so that the square of a square neither overflows nor vanishes.
    center, along, across = (vectors.times(1.0 / size, v) for v in ellipse[:3])
    ellipse, far = Ellipse(center, along, across, ellipse.holds), far / size
    square = far * far
    c, s = approach(xp, ellipse, square, c, s)
    slack = 64.0 * t.eps
    missed = formula.magnitude(xp, vectors.length(xp, on_ellipse(ellipse, c, s)[0]) - far) > slack
    # An ellipse may come near twice, and the other time may be the better one.
    other = approach(xp, ellipse, square, *nearest_of_many(xp, ellipse, square))
    c, s = (xp.where(missed, v, u) for u, v in zip((c, s), other, strict=True))
    end = on_ellipse(ellipse, c, s)[0]
    f = vectors.length(xp, end) - far
    found = xp.where(f < -slack, TOO_FAR, xp.where(f > slack, TOO_NEAR, 0.0 * f))
    holds, half = ellipse.holds, quaternions.half_of(xp, c, s)
    mid = Half(xp.where(holds, half.cos, mid.cos), xp.where(holds, half.sin, mid.sin))
    known = holds & (status <= TOO_NEAR)
    came = vectors.choose(xp, holds, vectors.unit(xp, end), came)
    return mid, came, xp.where(known, found, status)


def approach(xp, ellipse, square, c, s):
    """Go from an angle, cosine and sine, to where the square of the end's distance is as wanted."""
    for _ in range(STEPS):
        end, slope, curve = on_ellipse(ellipse, c, s)
        f, f1 = dot(end, end) - square, 2.0 * dot(end, slope)
        f2 = 2.0 * (dot(slope, slope) + dot(end, curve))
        under = f1 * f1 - 2.0 * f * f2
        root = xp.sqrt(vectors.positive(xp, under))
        below = f1 + xp.where(f1 < 0.0, -root, root)
        step = xp.where(under > 0.0, -2.0 * f / nonzero(xp, below), -f1 / nonzero(xp, f2))
        step = formula.least(xp, formula.greatest(xp, step, -0.5), 0.5)
        c, s = c - s * step, s + c * step
        long = 1.0 / vectors.positive(xp, vectors.length(xp, (c, s)))
        c, s = c * long, s * long
    return c, s


def nearest_of_many(xp, ellipse, square):
    """Return the one of many angles, cosine and sine, where the distance is nearest to the wanted.

    Where it passes that between two of them, as the joint opens, return what lies between.
    """
    center, along, across, _ = ellipse
    mean = dot(center, center) + dot(across, across) - square
    by_c, by_s = 2.0 * dot(center, along), 2.0 * dot(center, across)
    by_cc, by_cs = dot(along, along) - dot(across, across), 2.0 * dot(along, across)
    # The same square of the distance, but for rounding, as that of a point of the ellipse.
    before = mean + by_c + by_cc
    best, c, s = formula.magnitude(xp, before), mean * 0.0 + 1.0, mean * 0.0
    old_cos, old_sin = 1.0, 0.0
    for i in range(1, ANGLES + 1):
        angle = 2.0 * math.pi * i / ANGLES
        cos, sin = math.cos(angle), math.sin(angle)
        over = mean + cos * by_c + sin * by_s + (cos * cos) * by_cc + (cos * sin) * by_cs
        passes = (before < 0.0) & (over >= 0.0)
        share = xp.where(passes, before / nonzero(xp, before - over), 1.0)
        miss = xp.where(passes, -1.0, formula.magnitude(xp, over))
        better = miss < best
        best = xp.where(better, miss, best)
        c = xp.where(better, old_cos + share * (cos - old_cos), c)
        s = xp.where(better, old_sin + share * (sin - old_sin), s)
        before, old_cos, old_sin = over, cos, sin
    return c, s


def on_ellipse(ellipse, c, s):
    """Return a point of an ellipse and its first and second derivative by the angle."""
    turned = vectors.plus(vectors.times(c, ellipse.along), vectors.times(s, ellipse.across))
    slope = vectors.minus(vectors.times(c, ellipse.across), vectors.times(s, ellipse.along))
    return vectors.plus(ellipse.center, turned), slope, vectors.times(-1.0, turned)


def nonzero(xp, v):
    """Return `v`, or 1 where it is 0."""
    return xp.where(v == 0.0, 1.0, v)


def stretch_of(xp, found):
    """Return the factors by which both bones give; 1 where they have no length."""
    x, y, end = found.triangle
    first, second = vectors.length(xp, (x, y)), vectors.length(xp, (end - x, y))
    r1, r2 = found.hinge.r1, found.hinge.r2
    return (
        xp.where(r1 > 0.0, first / vectors.positive(xp, r1), 1.0),
        xp.where(r2 > 0.0, second / vectors.positive(xp, r2), 1.0),
    )


# --- in space -----------------------------------------------------------------------------


def turn_first_bone(xp, limb, wishes, came, far):
    """Return the turn of the first bone and the pole's sine.

    `came` is the way to the end before the turn, `far` the distance of the target.
    """
    pole = None if limb.pole is None else vectors.unit(xp, limb.pole)
    way = vectors.times(1.0 / vectors.positive(xp, far), limb.target)
    normal = quaternions.axis_square_to(xp, came, limb.axis)
    at_root = start_of(xp, came, normal, pole) if limb.last is None else limb.last
    way = vectors.choose(xp, far == 0.0, at_root, way)
    start = quaternions.turn_of_units(xp, came, way, normal)
    own = quaternions.rotate(start, normal)
    plane, sine = own if limb.plane is None else limb.plane, far * 0.0 + 1.0
    if pole is not None:
        plane, sine = bend_towards(xp, way, pole, plane, wishes)
    # Both are square to the way: only its axis is left to turn about.
    roll = quaternions.half_of(xp, dot(own, plane), dot(vectors.cross(way, own), plane))
    start = quaternions.multiply(about(way, roll), start)
    if xp.differentiates and not (limb.plane is None and pole is None):
        start = with_slope_of_frames(xp, start, (came, normal), (way, plane))
    if wishes.twist is not None:
        start = quaternions.multiply(about(way, wishes.twist), start)
    return start, sine


def with_slope_of_frames(xp, turn, before, after):
    """Return a turn of frames as it is, with derivatives from both frames at once.

    A frame is a unit vector and a direction beside it. The turn was made of a shortest turn and a
    roll. Where the vectors are opposite, the shortest turn has no derivative, but both together do.
    """
    sides = (before, after)
    (x, y, z), (u, v, w) = (
        (a, b, vectors.cross(a, b)) for a, b in (unit_frame(xp, *f) for f in sides)
    )
    rows = tuple(tuple(x[j] * u[i] + y[j] * v[i] + z[j] * w[i] for j in range(3)) for i in range(3))
    slope = quaternions.nearer(xp, turn, frames.from_rows(xp, rows))
    found = tuple(vectors.with_slope(xp, a, b) for a, b in zip(turn, slope, strict=True))
    aside = vectors.square_to(after[1], after[0])
    return vectors.choose(xp, dot(aside, aside) > 0.0, found, turn)


def unit_frame(xp, a, b):
    """Return a unit vector and what is square to it of another vector, of length 1."""
    return a, vectors.unit(xp, vectors.square_to(b, a))


def start_of(xp, came, normal, pole):
    """Return which way a target at the root is taken to lie: as the limb does, square to the pole.

    A limb that lies along the pole is turned in its own plane.
    """
    if pole is None:
        return came
    aside = vectors.square_to(came, pole)
    across = vectors.times(-dot(came, pole), vectors.cross(normal, came))
    along = dot(aside, aside) <= 2.0**-20
    return vectors.unit(xp, vectors.choose(xp, along, across, aside))


def bend_towards(xp, way, pole, own, wishes):
    """Return the normal of the plane in which a pole wants a limb to bend, where it can say so.

    `way`, `pole` and `own`, the normal of the plane that takes over, are unit vectors. Where the
    pole is nearer to the way than an angle of sine `fade`, the other plane fades in. Return also
    that sine.
    """
    across = vectors.cross(way, pole)
    sine = vectors.length(xp, across)
    share = share_of(xp, sine, wishes.fade) * wishes.pole_weight
    normal = vectors.times(share / vectors.positive(xp, sine), across)
    return vectors.plus(normal, vectors.times(1.0 - share, own)), sine


def share_of(xp, sine, fade):
    """Return how much a pole has to say: all of it from `fade` on, nothing along the way."""
    share = formula.least(xp, sine / fade, 1.0)
    return share * share * (3.0 - 2.0 * share)


def sine_of(xp, way, pole):
    """Return the sine of the angle between two directions; 0 if one has no length."""
    return vectors.length(xp, vectors.cross(vectors.unit(xp, way), vectors.unit(xp, pole)))


def about(axis, half):
    """Return the turn about a unit axis by twice the angle of a `Half`."""
    return (*vectors.times(half.sin, axis), half.cos)
