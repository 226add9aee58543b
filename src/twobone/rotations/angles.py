"""Angles: rotation vectors, turns on the way from one to another, a hinge and its limits.

The tiny language of `quaternions.py` and, here only, `xp.xp.sin`, `xp.xp.cos` and `xp.xp.atan2`.
"""

from twobone.core import exact, formula, vectors
from twobone.rotations import quaternions

# 2 pi as a sum: a few turns times the first two words are exact in either type.
TURN = (6.28125, 1.9350051879882812e-3, 3.019915981956753e-7)
TURNS = 0.15915494309189535  # 1 / (2 pi)
NAN = float("nan")
PI = 3.141592653589793
HALF_TURN = 3.1415932  # and what rounding to float32 may add


def from_rotation_vector(xp, t, rotation_vector):
    """Return the quaternion of `axis angle`.

    `|r|` is taken as a pair of floats, so that beside a half turn, and beside whole turns,
    what is left is known to the last digits.
    """
    r, unit = vectors.scaled(xp, t, rotation_vector)
    h, h_low = vectors.fine_dot(t, r, r)
    still = h == 0.0
    root = xp.sqrt(vectors.positive(xp, h))
    square, lost = exact.two_square(t, exact.split(t, root))
    rest = (((h - square) - lost) + h_low) / (root + root)
    half = 0.5 * unit
    angle, more = root * half, rest * half
    s, c = xp.xp.sin(angle), xp.xp.cos(angle)
    ds, dc = xp.xp.sin(more), xp.xp.cos(more)
    sin, cos = s * dc + c * ds, c * dc - s * ds
    factor = xp.where(still, half, sin / root)
    # At 0 the cosine's series keeps its second derivative.
    return (*vectors.times(factor, r), xp.where(still, 1.0 - 0.125 * h, cos))


def to_rotation_vector(xp, t, q):
    """Return `axis angle`, the angle in [0, pi], of a quaternion of any length."""
    q = quaternions.upright(xp, vectors.finite(q))
    v, unit = vectors.scaled(xp, t, q[:3])
    w = q[3]
    m = vectors.length(xp, v)
    still = m == 0.0
    y = vectors.positive(xp, m)
    angle = 2.0 * xp.xp.atan2(y * unit, w)
    factor = xp.where(still, 2.0 / vectors.positive(xp, w), angle / y)
    return vectors.times(factor, v)


def slerp(xp, p, q, weight):
    """Return the turn at a share of the shorter way from `p` to `q`, at an even pace.

    With `omega` the angle between them, from `|q - p|` and `|q + p|`,

        cos((weight - 1/2) omega) / cos(omega / 2) p + sin(weight omega) / sin(omega) (q - p)

    is the usual sum of both, but no derivative is lost where they are nearly equal.
    """
    p, q = vectors.finite(p), vectors.finite(q)
    q = quaternions.nearer(xp, p, q)
    apart = vectors.minus(q, p)
    chord = vectors.length(xp, apart)
    equal = chord == 0.0
    half = xp.xp.atan2(chord, vectors.positive(xp, vectors.length(xp, vectors.plus(q, p))))
    omega = half + half
    middle, way = vectors.finite(((weight - 0.5) * omega, weight * omega))
    # Where both are equal the series keeps the second derivative of what is even in omega.
    share = xp.where(equal, weight, 0.0)
    even = 1.0 + 0.5 * share * (1.0 - share) * formula.dot(apart, apart)
    along = xp.where(equal, even, xp.xp.cos(middle) / xp.xp.cos(half))
    across = xp.xp.sin(way) / xp.where(equal, half * 0.0 + 1.0, xp.xp.sin(omega))
    across = xp.where(equal, weight, across)
    return vectors.plus(vectors.times(along, p), vectors.times(across, apart))


def share_of_twist(xp, q, axis, share):
    """Return a share of the turn that `q` makes about a unit axis."""
    sin, cos = formula.dot(q[:3], axis), q[3]
    none = (sin == 0.0) & (cos == 0.0)
    back = cos < 0.0
    sin, cos = xp.where(back, -sin, sin), xp.where(back, -cos, cos)
    half = share * xp.xp.atan2(sin, xp.where(none, 1.0, cos))
    return (*vectors.times(xp.xp.sin(half), axis), xp.xp.cos(half))


def about(xp, t, axis, a, b):
    """Return the angle about an axis from `a`'s share square to it to `b`'s.

    Its sine is `axis.(a x b) |axis|`, its cosine `(axis x a).(axis x b)`, by the same factor.
    """
    (axis, _), (a, _), (b, _) = (vectors.scaled(xp, t, v) for v in (axis, a, b))
    u, v = vectors.fine_cross(t, axis, a), vectors.fine_cross(t, axis, b)
    none = vectors.is_along(t, u, axis, a) | vectors.is_along(t, v, axis, b)
    volume = exact.sum_of_pairs(
        tuple(
            exact.product_of_pairs(t, (part, part * 0.0), pair)
            for part, pair in zip(axis, vectors.pairs_of_cross(t, a, b), strict=True)
        )
    )
    y = (volume[0] + volume[1]) * vectors.fine_length(xp, t, axis)
    x, _ = vectors.fine_dot(t, u, v)
    # The sum of pairs is never -0.0, so that half a turn is never -pi.
    return xp.xp.atan2(xp.where(none, 0.0, y), xp.where(none, 1.0, x))


def clamp(xp, t, angle, least, greatest):
    """Return an angle, or an end where it lies outside the limits modulo 2 pi.

    That is the nearer one modulo 2 pi; for limits within half a turn to either side, which a
    joint does not pass, the nearer one on the way that does not go through pi.
    """
    wide = greatest - least >= 2.0 * PI
    low, high = xp.where(wide, angle, least), xp.where(wide, angle, greatest)
    middle = 0.5 * low + 0.5 * high
    away, turn = without_turns(xp, t, angle - middle)
    inside = formula.magnitude(xp, away) <= 0.5 * (high - low)
    straight, whole = without_turns(xp, t, angle)
    blocked = (low >= -HALF_TURN) & (high <= HALF_TURN)
    away, turn = xp.where(blocked, straight - middle, away), xp.where(blocked, whole, turn)
    end = xp.where(away > 0.0, high, low)
    end = end + (turn * TURN[0] + (turn * TURN[1] + turn * TURN[2]))
    end = xp.where(high < low, NAN, end)
    return xp.where(inside, angle, end) + 0.0 * angle


def without_turns(xp, t, angle):
    """Return an angle without its whole turns, from -pi to pi, and how many these are."""
    # Rounded to a whole number; a compiler must not think that nothing is added and taken away.
    turn = xp.constant(t.pin(angle * TURNS + 1.5 * t.digits) - 1.5 * t.digits)
    return ((angle - turn * TURN[0]) - turn * TURN[1]) - turn * TURN[2], turn
