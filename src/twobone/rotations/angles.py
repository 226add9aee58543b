"""Formulas with angles: rotation vectors, slerp, partial twists, hinge and Euler angles, limits.

The code is pure, as in `core/formula.py`, except that it may use `xp.xp.sin`, `xp.xp.cos` and
`xp.xp.atan2`. No other module of formulas uses trigonometry.
"""

from typing import NamedTuple

from twobone.core import exact, formula, vectors
from twobone.core.exact import Array
from twobone.rotations import quaternions

# 2 pi as a sum of three words. For a few turns, products with the first two are exact in float32
# and float64.
TURN = (6.28125, 1.9350051879882812e-3, 3.019915981956753e-7)
TURNS = 0.15915494309189535  # 1 / (2 pi)
NAN = float("nan")
PI = 3.141592653589793
HALF_TURN = 3.1415932  # pi, and a little more, because float32 rounds pi up


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


def between(xp, u, v):
    """Return the angle from one vector of the plane to another, in [-pi, pi]; neither is 0."""
    (a, b), (c, d) = u, v
    return xp.xp.atan2(a * d - b * c, a * c + b * d)


def rotated_in_plane(xp, angle, v):
    """Return a vector of the plane, rotated counterclockwise."""
    sin, cos = xp.xp.sin(angle), xp.xp.cos(angle)
    return cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]


def rotated_about(xp, axis, angle, v):
    """Return a vector, rotated about a unit axis (the formula of Rodrigues)."""
    (a, b, c), (x, y, z) = axis, v
    sin, cos = xp.xp.sin(angle), xp.xp.cos(angle)
    along = (1.0 - cos) * (a * x + b * y + c * z)
    return (
        cos * x + (sin * (b * z - c * y) + along * a),
        cos * y + (sin * (c * x - a * z) + along * b),
        cos * z + (sin * (a * y - b * x) + along * c),
    )


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
    turn = whole_turns(xp, t, angle)
    return ((angle - turn * TURN[0]) - turn * TURN[1]) - turn * TURN[2], turn


def whole_turns(xp, t, angle):
    """Return the number of whole turns nearest to an angle."""
    # Adding and subtracting 1.5 / eps rounds to an integer; `pin` keeps compilers from removing it.
    return xp.constant(t.pin(angle * TURNS + 1.5 * t.digits) - 1.5 * t.digits)


# --- Euler angles -------------------------------------------------------------------------


class EulerOrder(NamedTuple):
    """Axes of intrinsic Euler angles, as indices, and what follows from them."""

    first: int
    second: int
    other: int  # the third axis; that of neither angle if the first and the third are the same
    sign: float  # +1 if first, second and other are in cyclic order, else -1
    shift: float  # 1 if all three axes differ, else 0
    last: float  # the sign of the third angle where both are about the first axis


class EulerSums(NamedTuple):
    """Half the sum and half the difference of the outer Euler angles, and the middle angle.

    With `b` the second angle plus `shift` quarter turns, and `a` and `c` those about the first
    axis before and after it, `plus` is `(a + c) / 2` and `minus` is `(a - c) / 2`.
    """

    plus: Array
    minus: Array
    second: Array  # b, from 0 to pi
    cos: Array  # cos(b / 2) and sin(b / 2), times the same factor
    sin: Array
    size: Array  # that factor


def from_euler(xp, axes, angles):
    """Return the product of rotations about coordinate axes, given by their indices."""
    found = quaternions.identity(angles[0])
    for axis, angle in zip(axes, angles, strict=True):
        half = 0.5 * angle
        sin, zero = xp.xp.sin(half), 0.0 * half
        about = tuple(sin if each == axis else zero for each in range(3))
        found = quaternions.multiply(found, (*about, xp.xp.cos(half)))
    return found


def euler_sums(xp, t, q, order):
    """Return sums and differences of the Euler angles of a quaternion of any length.

    A rotation about three different axes is one about the first, the second and the first axis
    again, times a quarter turn about the second. Each component of that product is a single sum
    of two components of `q`, so it has all digits, also where it nearly vanishes: at gimbal lock.
    """
    x, y, z, w = vectors.scaled(xp, t, vectors.finite(q))[0]
    w = xp.where((x == 0.0) & (y == 0.0) & (z == 0.0) & (w == 0.0), w + 1.0, w)
    i, j, k = ((x, y, z)[axis] for axis in order[:3])
    k = order.sign * k
    a, b, c, d = w - order.shift * j, i - order.shift * k, j + order.shift * w, order.shift * i + k
    cos, sin = vectors.length(xp, (a, b)), vectors.length(xp, (c, d))
    return EulerSums(
        xp.xp.atan2(b, xp.where(cos == 0.0, 1.0, a)),
        xp.xp.atan2(d, xp.where(sin == 0.0, 1.0, c)),
        2.0 * xp.xp.atan2(sin, cos),
        cos,
        sin,
        vectors.length(xp, (cos, sin)),
    )


def to_euler(xp, t, q, order):
    """Return the Euler angles of a quaternion; the third is 0 at gimbal lock."""
    sums = euler_sums(xp, t, q, order)
    lowest, highest = sums.sin <= t.eps * sums.size, sums.cos <= t.eps * sums.size
    first = xp.where(lowest, 2.0 * sums.plus, sums.plus + sums.minus)
    first = xp.where(highest, 2.0 * sums.minus, first)
    third = order.last * without_turns(xp, t, sums.plus - sums.minus)[0] + 0.0  # never -0.0
    return (
        without_turns(xp, t, first)[0],
        sums.second - 0.5 * PI * order.shift,
        xp.where(lowest | highest, 0.0, third),
    )


def to_euler_near(xp, t, q, near, order):
    """Return those Euler angles of a quaternion that are nearest to a triple."""
    sums = euler_sums(xp, t, q, order)
    quarter = 0.5 * PI * order.shift
    one = _nearest_wrap(xp, t, sums, 0.0, sums.second - quarter, near, order)
    two = _nearest_wrap(xp, t, sums, PI, -sums.second - quarter, near, order)
    apart, away = (vectors.minus(each, near) for each in (one, two))
    return vectors.choose(xp, formula.dot(away, away) < formula.dot(apart, apart), two, one)


def _nearest_wrap(xp, t, sums, more, second, near, order):
    """Return Euler angles, with the whole turns that bring them nearest to a triple.

    `more`, 0 or half a turn, is added to the first angle and subtracted from the third.
    """
    first, third = near[0], order.last * near[2]
    middle, half = 0.5 * first + 0.5 * third, 0.5 * first - 0.5 * third
    minus = sums.minus + more
    plus = sums.plus + _towards(xp, t, sums.plus, middle, minus - half, sums.cos, sums.size)
    minus = sums.minus + _towards(xp, t, minus, half, sums.plus - middle, sums.sin, sums.size)
    return (
        nearest_turn(xp, t, *_sum_of_three(plus, minus, more), first),
        nearest_turn(xp, t, second, 0.0, near[1]),
        order.last * nearest_turn(xp, t, *_sum_of_three(plus, -minus, -more), third),
    )


def _sum_of_three(a, b, c):
    """Return the sum of three numbers as a pair."""
    s, low = exact.two_sum(a, b)
    s, lost = exact.two_sum(s, c)
    return s, low + lost


def _towards(xp, t, angle, wanted, other, radius, size):
    """Return how far an angle can move towards the wanted one if the rotation may change by 2 eps.

    It moves only near gimbal lock, where `radius`, which multiplies its sine and cosine, is small.
    `other` is how far the other angle is from what is wanted of it. Half turns of that one are
    whole turns of the Euler angles only together with half turns of this one.
    """
    halves = without_turns(xp, t, other + other)[1]
    away = without_turns(xp, t, (wanted + halves * PI) - angle)[0]
    most = 2.0 * t.eps * size / xp.where(radius == 0.0, 1.0, radius)
    most = xp.where(radius <= t.eps * size, 2.0 * PI, most)
    most = xp.where(radius <= 2.0**-10 * size, most, 0.0)
    return xp.where(away > most, most, xp.where(away < -most, -most, away))


def to_two_euler(xp, t, q, near, order):
    """Return angles about two axes, nearest to given ones, whose product is a quaternion."""
    x, y, z, w = q = vectors.scaled(xp, t, vectors.finite(q))[0]
    i, j, k = ((x, y, z)[axis] for axis in order[:3])
    k = order.sign * k
    # (w, i) is cos(b / 2) and (j, k) is sin(b / 2) times cosine and sine of half the first angle.
    large = w * w + i * i >= j * j + k * k
    cos, sin = xp.where(large, w, j), xp.where(large, i, k)
    size = vectors.positive(xp, vectors.length(xp, (cos, sin)))
    none = (cos == 0.0) & (sin == 0.0)
    half = xp.xp.atan2(sin, xp.where(none, 1.0, cos))
    cos, sin = xp.where(none, 1.0, cos / size), sin / size
    along, across = w * cos + i * sin, j * cos + k * sin
    none = (along == 0.0) & (across == 0.0)
    second = 2.0 * xp.xp.atan2(across, xp.where(none, 1.0, along)) + 0.0 * formula.dot(q, q)
    return (
        nearest_turn(xp, t, 2.0 * half + 0.0 * formula.dot(q, q), 0.0, near[0]),
        nearest_turn(xp, t, second, 0.0, near[1]),
    )


def to_one_euler(xp, t, q, near, axis):
    """Return the angle about a coordinate axis, nearest to a given one: the twist."""
    q = vectors.scaled(xp, t, vectors.finite(q))[0]
    sin, cos = q[axis], q[3]
    none = (sin == 0.0) & (cos == 0.0)
    angle = 2.0 * xp.xp.atan2(sin, xp.where(none, 1.0, cos)) + 0.0 * formula.dot(q, q)
    return (nearest_turn(xp, t, angle, 0.0, near[0]),)


def nearest_turn(xp, t, angle, low, near):
    """Return an angle, given as a pair, plus the whole turns that bring it nearest to another."""
    turn = whole_turns(xp, t, angle - near)
    return (angle - turn * TURN[0]) - ((turn * TURN[1] - low) + turn * TURN[2])
