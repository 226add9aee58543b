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

NAN, INFINITY = float("nan"), float("inf")


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


def over(s, v):
    """Return `v / s`."""
    return tuple(part / s for part in v)


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
    return xp.where(square == 0.0, square, xp.sqrt(positive(xp, square)))


def positive(xp, v):
    """Return `v`, or 1 where it is 0 or less: something that a root and a quotient can bear.

    NaN stays, so that one part that is NaN makes NaN of all that has been divided by a length.
    """
    return xp.where(v <= 0.0, 1.0, v)


def with_slope(xp, value, slope):
    """Return `value`, bit for bit, with the derivatives of `slope`: the same by another formula."""
    return xp.constant(value) - (xp.constant(slope) - slope)


def finite(v):
    """Return parts as they are; NaN for what is infinite, so that it spreads and never raises."""
    return tuple(part + 0.0 * part for part in v)


def unit(xp, v):
    """Return `v / |v|`; 0 stays 0."""
    return times(1.0 / positive(xp, length(xp, v)), v)


def square_to(v, axis):
    """Return what is left of `v` without its share along a unit axis."""
    return minus(v, times(dot(v, axis), axis))


def moderate(xp, t, v):
    """Return `v` over a power of two, so that its largest part is between 1 and 2, or 0.

    Parts that are nothing beside the largest become 0; `scaled` keeps them.
    """
    return scaling.in_units_of_its_own(xp, t, v)


def scaled(xp, t, v):
    """Return `v` over a power of two, and that power: the largest part is in [1, 2), or 0."""
    size = formula.largest(xp, [formula.magnitude(xp, part) for part in v])
    unit = exact.power_of_two(xp, t, positive(xp, size))
    return tuple(part / unit for part in v), unit


def is_along(t, c, a, b):
    """Say whether, by `c = a x b`, one of both is 0 or within 4 eps of the other's line."""
    return dot(c, c) <= (16.0 * t.eps * t.eps) * (dot(a, a) * dot(b, b))


def enlarged(xp, t, v):
    """Return `v` over a power of two, so that the largest part is as large as squares allow."""
    _, unit = scaled(xp, t, v)
    one, big = unit * 0.0 + 1.0, unit > 1.0
    grow, shrink = xp.where(big, one, t.coarse), xp.where(big, unit / t.coarse, unit)
    return tuple(part * grow / shrink for part in v)


def fine_length(xp, t, v):
    """Return `|v|` rounded hardly more than once; its derivative at 0 is 0."""
    square, _ = fine_dot(t, v, v)
    return xp.where(square == 0.0, square, xp.sqrt(positive(xp, square)))


def fine_dot(t, u, v):
    """Return the pair `u.v`, good to 2^-100 of the largest product."""
    pairs = zip((exact.split(t, a) for a in u), (exact.split(t, b) for b in v), strict=True)
    first, *rest = (exact.two_product(t, a, b) for a, b in pairs)
    for pair in rest:
        first = exact.sum_of_pairs((first, pair))
    return exact.two_sum(*first)


def finest_dot(t, u, v):
    """Return `u.v` to its last digits, unless all but eps^2 of the products cancels."""
    pairs = zip((exact.split(t, a) for a in u), (exact.split(t, b) for b in v), strict=True)
    (s, low), *rest = (exact.two_product(t, a, b) for a, b in pairs)
    words = [low]
    for product, product_low in rest:
        s, lost = exact.two_sum(s, product)
        words += [lost, product_low]
    high, low = exact.sum_of_words(s, words, 0.0 * s)
    return high + low


def pairs_of_cross(t, u, v):
    """Return `u x v` in pairs."""
    a, b, c = (exact.split(t, part) for part in u)
    d, e, f = (exact.split(t, part) for part in v)
    return tuple(
        exact.two_sum(
            *exact.sum_of_pairs((exact.two_product(t, *first), exact.two_product(t, *second)))
        )
        for first, second in (
            ((b, f), (opposite(c), e)),
            ((c, d), (opposite(a), f)),
            ((a, e), (opposite(b), d)),
        )
    )


def opposite(v):
    """Return `-v` of a `Split`."""
    return exact.Split(-v.whole, -v.high, -v.low)


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
    q, _ = scaled(xp, t, q)
    size = length(xp, q)
    x, y, z, w = over(positive(xp, size), q)
    return x, y, z, xp.where(size == 0.0, w + 1.0, w)


def is_unit(t, square):
    """Say whether a length is 1 to rounding, within 16 eps, by its square."""
    return (square >= 1.0 - 32.0 * t.eps) & (square <= 1.0 + 32.0 * t.eps)


def is_moderate(t, square):
    """Say whether the square of a length is far from overflow and underflow."""
    return (square >= 1.0 / t.coarse) & (square <= t.coarse)


def is_some(q):
    """Say whether a quaternion is not 0, and so stands for a rotation."""
    x, y, z, w = q
    return (x != 0.0) | (y != 0.0) | (z != 0.0) | (w != 0.0)


def unit_quaternion(xp, t, q):
    """Return `q / |q|`, or `q` to the bit where its length is 1 to rounding; 0 stays 0.

    Any length will do, the smallest and the largest too. What is infinite becomes NaN.
    """
    far = 2.0**20 * t.step
    square = xp.constant(dot(q, q))
    large, small = square > t.coarse, square < 1.0 / t.coarse
    q = times(xp.where(large, 1.0 / far, xp.where(small, far, 0.0 * square + 1.0)), q)
    square = positive(xp, dot(q, q))
    return over_length(xp, t, q, xp.where(square < INFINITY, square, NAN))


def over_length(xp, t, q, square):
    """Return what `unit_quaternion` does, of a `q` whose `square` neither overflows nor vanishes.

    The derivative is that of `q / |q|` everywhere: there is none along `q`, not even where `q` is
    returned as it is.
    """
    scale = 1.0 / xp.sqrt(square)
    scale = xp.where(is_unit(t, square), 1.0 + (scale - xp.constant(scale)), scale)
    return times(scale, q)


def inverse(xp, t, q):
    """Return the inverse of a quaternion of any length; that of 0 is 0."""
    q, unit = scaled(xp, t, q)
    x, y, z, w = over(positive(xp, dot(q, q)), q)
    return over(unit, (-x, -y, -z, w))


def twist_swing(xp, t, q, axis):
    """Split `q = swing twist`, the twist about an axis of any length, the swing square to it.

    With `s` the share of the vector part along the axis and `h^2 = s^2 + w^2` the twist is
    `s axis, w` over `h`. The swing has no share along the axis: with `c = q x axis` it is
    `(w axis x c - s c) / h, h`. Nothing cancels, since `s` and `c` come from pairs of floats.
    Where `h` is 0, a swing by a half turn, or the axis is, the twist is the identity.
    """
    v, w = q[:3], q[3]
    axis, _ = scaled(xp, t, axis)
    size = fine_length(xp, t, axis)
    each = positive(xp, size)
    (s, w), unit = scaled(xp, t, (finest_dot(t, v, axis) / each, w))
    h = length(xp, (s, w))
    none = (h == 0.0) | (size == 0.0)
    sin = xp.where(none, 0.0 * h, s / positive(xp, h))
    cos = xp.where(none, 0.0 * h + 1.0, w / positive(xp, h))
    c = over(each, fine_cross(t, v, axis))
    swing = minus(times(cos, over(each, cross(axis, c))), times(sin, c))
    untouched = size == 0.0
    return (
        (*over(each, times(sin, axis)), cos),
        (*choose(xp, untouched, v, swing), xp.where(untouched, w * unit, h * unit)),
    )


def upright(xp, q):
    """Return the one of `q` and `-q`, which are the same turn, with `w >= 0`."""
    return choose(xp, q[3] < 0.0, times(-1.0, q), q)


def nearer(xp, p, q):
    """Return the one of `q` and `-q`, which are the same turn, that is nearer to `p`."""
    return choose(xp, dot(p, q) < 0.0, times(-1.0, q), q)


def identity(like):
    """Return the turn that turns nothing."""
    zero = like * 0.0
    return zero, zero, zero, zero + 1.0


def blend(xp, weight, q):
    """Return the turn on the straight way from the identity to `q`, brought to length 1."""
    x, y, z, w = upright(xp, q)
    x, y, z, w = weight * x, weight * y, weight * z, (1.0 - weight) + weight * w
    return times(1.0 / xp.sqrt(positive(xp, x * x + y * y + z * z + w * w)), (x, y, z, w))


def nlerp(xp, p, q, weight):
    """Return the turn on the straight way from `p` to the nearer of `q` and `-q`."""
    p, q = finite(p), finite(q)
    mixed = plus(times(1.0 - weight, p), times(weight, nearer(xp, p, q)))
    return over(positive(xp, length(xp, mixed)), mixed)


# --- turns from vectors -------------------------------------------------------------------


def turn_of_units(xp, a, b, axis):
    """Return the shortest turn between unit vectors, plainly: good to eps, not to its last digits.

    `axis`, a unit vector square to `a`, is what to turn about where they are opposite.
    """
    c, d = cross(a, b), dot(a, b)
    large = xp.sqrt(0.5 + 0.5 * formula.magnitude(xp, d))
    small = 0.5 / large
    # Of a nearly opposite vector little but rounding tells the axis; square to `a` it must be,
    # and of full length. Where rounding is all there is, `axis` is as good.
    aside = square_to(c, a)
    left = dot(aside, aside)
    none = left <= 2.0**-20 * dot(c, c)
    m = xp.sqrt(positive(xp, left))
    about = choose(xp, none, axis, times(large / m, aside))
    about = choose(xp, d < 0.0, about, times(small, c))
    return (*about, xp.where(d < 0.0, xp.where(none, 0.0 * left, m * small), large))


def shortest_turn(xp, t, a, b, axis):
    """Return the shortest turn from `a` to `b`, of any size, however lopsided; 0 turns nothing.

    `axis` is what to turn about where they are exactly opposite; what is not square to `a` is
    taken from it. Where nothing is left of it, some axis square to `a`.
    Lengths come from pairs of floats. `a x b` is made of large vectors, so that the products of
    small parts are not lost, and has a unit of its own. `axis` counts where it is not exactly
    along `a`.
    """
    large_a, large_b = enlarged(xp, t, a), enlarged(xp, t, b)
    (a, _), (b, _) = scaled(xp, t, a), scaled(xp, t, b)
    c, unit = scaled(xp, t, fine_cross(t, large_a, large_b))
    unit = unit / t.coarse / t.coarse
    d, _ = fine_dot(t, a, b)
    (aa, _), (bb, _), (cc, _) = (fine_dot(t, v, v) for v in (a, b, c))
    nn = aa * bb
    n = xp.sqrt(positive(xp, nn))
    m = xp.sqrt(positive(xp, cc))
    sum_ = n + formula.magnitude(xp, d)
    large = xp.sqrt(sum_ / (n + n))
    small = large / sum_
    beyond, along = d < 0.0, cc == 0.0
    about = choose(xp, along, fine_axis_square_to(xp, t, a, axis), times(large / m, c))
    about = choose(xp, beyond, about, times(small * unit, c))
    w = xp.where(beyond, xp.where(along, cc, m * small * unit), large)
    still = nn == 0.0
    return (*choose(xp, still, times(0.0, a), about), xp.where(still, 1.0, w))


def axis_square_to(xp, a, axis):
    """Return a unit vector square to `a`, along an axis if that has any share square to `a`."""
    aa = positive(xp, dot(a, a))
    given = minus(axis, times(dot(axis, a) / aa, a))
    left = dot(given, given)
    own = formula.cross_least_axis(xp, a)
    return unit(xp, choose(xp, left > 1e-12 * dot(axis, axis), given, own))


def fine_axis_square_to(xp, t, a, axis):
    """Return a unit vector square to `a`, along an axis of any size if that is not along `a`."""
    axis, _ = scaled(xp, t, axis)
    across, _ = scaled(xp, t, fine_cross(t, axis, a))
    own = formula.cross_least_axis(xp, a)
    return unit(xp, choose(xp, dot(across, across) == 0.0, own, cross(a, across)))


def half_of(xp, c, s):
    """Return cosine and sine of half the angle whose cosine and sine are `c`, `s` by any factor.

    The angle is taken in (-180, 180] degrees; of 0 and 0 it is 0.
    """
    square = c * c + s * s
    n, none = xp.sqrt(positive(xp, square)), square == 0.0
    beyond = c < 0.0
    large = xp.sqrt(0.5 + 0.5 * (formula.magnitude(xp, c) / n))
    small = formula.magnitude(xp, s) / (n * (large + large))
    sign = xp.where(s < 0.0, s * 0.0 - 1.0, s * 0.0 + 1.0)
    cos, sin = xp.where(beyond, small, large), xp.where(beyond, large, small)
    return Half(xp.where(none, 1.0, cos), xp.where(none, 0.0, sign * sin))
