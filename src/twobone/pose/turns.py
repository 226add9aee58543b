"""Turns out of vectors: quaternions without angles.

The same tiny language as `core/formula.py`: a vector is a tuple `(x, y, z)`, a quaternion a
tuple `(x, y, z, w)` with `q = axis sin(angle / 2), cos(angle / 2)`, parts are numbers or
arrays of any library. A turn from `a` to `b` needs no angle: with `c = a x b`, `d = a.b` and
`n = |a| |b|`,

    q = c, n + d     over  sqrt(2 n (n + d))

Near a half turn `n + d` cancels. There `n + d = c.c / (n - d)`, because
`n^2 = d^2 + c.c`, and nothing does. Parts of `c` are differences of products, taken with the
rounding errors of both, so that even a turn by 1e-15 is known to the last digits.
"""

from typing import NamedTuple

from twobone.core import exact, formula, scaling
from twobone.core.exact import Array
from twobone.core.formula import dot


class Half(NamedTuple):
    """Cosine and sine of half an angle."""

    cos: Array
    sin: Array


# --- vectors ------------------------------------------------------------------------------


def plus(u, v):
    """Return `u + v`."""
    return tuple(a + b for a, b in zip(u, v, strict=True))


def minus(u, v):
    """Return `u - v`."""
    return tuple(a - b for a, b in zip(u, v, strict=True))


def times(s, v):
    """Return `s v`."""
    return tuple(s * part for part in v)


def choose(xp, condition, u, v):
    """Return `u` where the condition holds, else `v`."""
    return tuple(xp.where(condition, a, b) for a, b in zip(u, v, strict=True))


def cross(u, v):
    """Return `u x v`, plainly."""
    (a, b, c), (d, e, f) = u, v
    return b * f - c * e, c * d - a * f, a * e - b * d


def fine_cross(t, u, v):
    """Return `u x v` with every part good to its last digits, however much cancels."""
    a, b, c = (exact.split(t, part) for part in u)
    d, e, f = (exact.split(t, part) for part in v)
    return (
        difference_of_products(t, b, f, c, e),
        difference_of_products(t, c, d, a, f),
        difference_of_products(t, a, e, b, d),
    )


def difference_of_products(t, a, b, c, d):
    """Return `a b - c d` of four `Split`s."""
    p, p_low = exact.two_product(t, a, b)
    q, q_low = exact.two_product(t, c, d)
    return (p - q) + (p_low - q_low)


def length(xp, v):
    """Return `|v|`; its derivative at 0 is 0."""
    square = dot(v, v)
    return xp.where(square > 0.0, xp.sqrt(positive(xp, square)), square)


def positive(xp, v):
    """Return `v`, or 1 where it is not positive: something that a root and a quotient can bear."""
    return xp.where(v > 0.0, v, 1.0)


def unit(xp, v):
    """Return `v / |v|`; 0 stays 0."""
    return times(1.0 / positive(xp, length(xp, v)), v)


def square_to(v, axis):
    """Return what is left of `v` without its share along a unit axis."""
    return minus(v, times(dot(v, axis), axis))


def moderate(xp, t, v):
    """Return `v` over a power of two, so that its largest part is between 1 and 2, or 0."""
    return scaling.in_units_of_its_own(xp, t, v)


# --- quaternions --------------------------------------------------------------------------


def multiply(p, q):
    """Return `p q`: the turn `q`, then the turn `p`."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy + py * qw + pz * qx - px * qz,
        pw * qz + pz * qw + px * qy - py * qx,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def conjugate(q):
    """Return the turn back, for a unit quaternion."""
    x, y, z, w = q
    return -x, -y, -z, w


def rotate(q, v):
    """Turn a vector by a unit quaternion."""
    axis, w = q[:3], q[3]
    twice = times(2.0, cross(axis, v))
    return plus(plus(v, times(w, twice)), cross(axis, twice))


def normalize(xp, t, q):
    """Bring a quaternion of any length to length 1; 0 becomes the identity."""
    q = moderate(xp, t, q)
    x, y, z, w = times(1.0 / positive(xp, length(xp, q)), q)
    return x, y, z, xp.where(dot(q, q) == 0.0, w + 1.0, w)


def upright(xp, q):
    """Return the one of `q` and `-q`, which are the same turn, with `w >= 0`."""
    return choose(xp, q[3] < 0.0, times(-1.0, q), q)


def upright_like(xp, q, other):
    """Return the one of `q` and `-q`, which are the same turn, that is nearer to another."""
    return choose(xp, dot(q, other) < 0.0, times(-1.0, q), q)


def identity(like):
    """Return the turn that turns nothing."""
    zero = like * 0.0
    return zero, zero, zero, zero + 1.0


def blend(xp, weight, q):
    """Return the turn on the straight way from the identity to `q`, brought to length 1."""
    x, y, z, w = upright(xp, q)
    x, y, z, w = weight * x, weight * y, weight * z, (1.0 - weight) + weight * w
    return times(1.0 / xp.sqrt(positive(xp, x * x + y * y + z * z + w * w)), (x, y, z, w))


# --- turns from vectors -------------------------------------------------------------------


def shortest_turn(xp, t, a, b, axis):
    """Return the shortest turn from `a` to `b`, vectors of moderate size; 0 turns nothing.

    `axis` is what to turn about where they are exactly opposite, of any length; what is not
    square to `a` is taken from it. Where nothing is left of it, some axis square to `a`.
    """
    c, d = fine_cross(t, a, b), dot(a, b)
    cc, nn = dot(c, c), dot(a, a) * dot(b, b)
    n = xp.sqrt(positive(xp, nn))
    m = xp.sqrt(positive(xp, cc))
    sum_ = n + formula.magnitude(xp, d)
    large = xp.sqrt(sum_ / (n + n))
    small = large / sum_
    beyond = d < 0.0
    about = choose(xp, cc == 0.0, axis_square_to(xp, a, axis), times(large / m, c))
    about = choose(xp, beyond, about, times(small, c))
    w = xp.where(beyond, xp.where(cc == 0.0, cc, m * small), large)
    still = nn == 0.0
    return (*choose(xp, still, times(0.0, a), about), xp.where(still, 1.0, w))


def turn_of_units(xp, a, b, axis):
    """Return the shortest turn between unit vectors, plainly: good to eps, not to its last digits.

    `axis`, a unit vector square to `a`, is what to turn about where they are opposite.
    """
    c, d = cross(a, b), dot(a, b)
    cc = dot(c, c)
    large = xp.sqrt(0.5 + 0.5 * formula.magnitude(xp, d))
    small = 0.5 / large
    m = xp.sqrt(positive(xp, cc))
    # Of a nearly opposite vector little but rounding tells the axis; square to `a` it must be.
    about = choose(xp, cc == 0.0, axis, times(large / m, square_to(c, a)))
    about = choose(xp, d < 0.0, about, times(small, c))
    return (*about, xp.where(d < 0.0, xp.where(cc == 0.0, cc, m * small), large))


def axis_square_to(xp, a, axis):
    """Return a unit vector square to `a`, along an axis if that has any share square to `a`."""
    aa = positive(xp, dot(a, a))
    given = minus(axis, times(dot(axis, a) / aa, a))
    left = dot(given, given)
    own = formula.cross_least_axis(xp, a)
    return unit(xp, choose(xp, left > 1e-12 * dot(axis, axis), given, own))


def half_of(xp, c, s):
    """Return cosine and sine of half the angle whose cosine and sine are `c`, `s` by any factor.

    The angle is taken in (-180, 180] degrees; of 0 and 0 it is 0.
    """
    n = xp.sqrt(positive(xp, c * c + s * s))
    some = c * c + s * s > 0.0
    beyond = c < 0.0
    large = xp.sqrt(0.5 + 0.5 * (formula.magnitude(xp, c) / n))
    small = formula.magnitude(xp, s) / (n * (large + large))
    sign = xp.where(s < 0.0, s * 0.0 - 1.0, s * 0.0 + 1.0)
    cos, sin = xp.where(beyond, small, large), xp.where(beyond, large, small)
    return Half(xp.where(some, cos, 1.0), xp.where(some, sign * sin, 0.0))
