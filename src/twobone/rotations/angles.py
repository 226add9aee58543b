"""Formulas with angles: rotation vectors, slerp, partial twists, hinge angles and limits.

The code is pure, as in `core/formula.py`, except that it may use `xp.xp.sin`, `xp.xp.cos` and
`xp.xp.atan2`. No other module of formulas uses trigonometry.
"""

from twobone.core import exact, formula, vectors
from twobone.rotations import quaternions

# 2 pi as a sum of three words. For a few turns, products with the first two are exact in float32
# and float64.
TURN = (6.28125, 1.9350051879882812e-3, 3.019915981956753e-7)
TURNS = 0.15915494309189535  # 1 / (2 pi)
NAN = float("nan")
PI = 3.141592653589793
HALF_TURN = 3.1415932  # pi, increased by what rounding to float32 may add


def from_rotation_vector(xp, t, rotation_vector):
    """Return the quaternion of a rotation vector.

    The angle is computed as a pair of floats, so that the small differences to half turns and
    whole turns are accurate to the last digits.
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
    # At 0, the series of the cosine provides the second derivative.
    return (*vectors.times(factor, r), xp.where(still, 1.0 - 0.125 * h, cos))


def to_rotation_vector(xp, t, q):
    """Return the rotation vector, of length 0 to pi, of a quaternion of any length."""
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
    """Interpolate from `p` to the nearer of `q` and `-q` at constant angular velocity.

    With `omega` the angle between them, computed from `|q - p|` and `|q + p|`,

        cos((weight - 1/2) omega) / cos(omega / 2) p + sin(weight omega) / sin(omega) (q - p)

    equals the usual formula, but gradients remain accurate where both are nearly equal.
    """
    p, q = vectors.finite(p), vectors.finite(q)
    q = quaternions.nearer(xp, p, q)
    apart = vectors.minus(q, p)
    chord = vectors.length(xp, apart)
    equal = chord == 0.0
    half = xp.xp.atan2(chord, vectors.positive(xp, vectors.length(xp, vectors.plus(q, p))))
    omega = half + half
    middle, part = vectors.finite(((weight - 0.5) * omega, weight * omega))
    # Where both are equal, the series provides the second derivative of the term even in omega.
    fraction = xp.where(equal, weight, 0.0)
    even = 1.0 + 0.5 * fraction * (1.0 - fraction) * formula.dot(apart, apart)
    along = xp.where(equal, even, xp.xp.cos(middle) / xp.xp.cos(half))
    across = xp.xp.sin(part) / xp.where(equal, half * 0.0 + 1.0, xp.xp.sin(omega))
    across = xp.where(equal, weight, across)
    return vectors.plus(vectors.times(along, p), vectors.times(across, apart))


def share_of_twist(xp, q, axis, share):
    """Return a fraction of the twist of `q` about a unit axis."""
    sin, cos = formula.dot(q[:3], axis), q[3]
    none = (sin == 0.0) & (cos == 0.0)
    back = cos < 0.0
    sin, cos = xp.where(back, -sin, sin), xp.where(back, -cos, cos)
    half = share * xp.xp.atan2(sin, xp.where(none, 1.0, cos))
    return (*vectors.times(xp.xp.sin(half), axis), xp.xp.cos(half))


def about(xp, t, axis, a, b):
    """Return the angle from `a` to `b` about an axis, measured perpendicular to the axis.

    Up to a common factor, its sine is `axis.(a x b) |axis|` and its cosine
    `(axis x a).(axis x b)`.
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
    # The sum of pairs is never -0.0, so a half turn is always pi and never -pi.
    return xp.xp.atan2(xp.where(none, 0.0, y), xp.where(none, 1.0, x))


def clamp(xp, t, angle, least, greatest):
    """Return the angle, or a limit where the angle is outside the limits modulo 2 pi.

    This is the limit nearest modulo 2 pi. If both limits are within [-pi, pi], it is the limit
    nearest without passing through pi, because such a joint cannot pass pi.
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
    """Return an angle reduced to [-pi, pi], and the number of whole turns removed."""
    # Adding and subtracting 1.5 / eps rounds to an integer; `pin` keeps compilers from removing it.
    turn = xp.constant(t.pin(angle * TURNS + 1.5 * t.digits) - 1.5 * t.digits)
    return ((angle - turn * TURN[0]) - turn * TURN[1]) - turn * TURN[2], turn
