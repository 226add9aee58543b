"""Vector arithmetic on tuples of components; the code is pure, as in `formula.py`."""

from twobone.core import exact, scaling
from twobone.core.formula import dot


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
    """Return `u x v` in working precision."""
    (a, b, c), (d, e, f) = u, v
    return b * f - c * e, c * d - a * f, a * e - b * d


def fine_cross(t, u, v):
    """Return `u x v`, every component accurate to its last digits despite cancellation."""
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
    """Return `v`, or 1 where it is zero or negative, for use under a root or as a divisor.

    NaN stays NaN, so that a NaN component makes NaN of everything divided by the length.
    """
    return xp.where(v <= 0.0, 1.0, v)


def with_slope(xp, value, slope):
    """Return `value`, bit for bit, with the derivatives of `slope`, another formula for it."""
    return xp.constant(value) - (xp.constant(slope) - slope)


def finite(v):
    """Return the components with NaN in place of infinity, so that all results become NaN."""
    return tuple(part + 0.0 * part for part in v)


def unit(xp, v):
    """Return `v / |v|`; 0 stays 0."""
    return times(1.0 / positive(xp, length(xp, v)), v)


def square_to(v, axis):
    """Return the component of `v` perpendicular to a unit axis."""
    return minus(v, times(dot(v, axis), axis))


def moderate(xp, t, v):
    """Return `v` over a power of two, so that its largest component is in [1, 2), or 0.

    Components that are tiny compared with the largest become 0; `scaled` keeps them.
    """
    return scaling.in_units_of_its_own(xp, t, v)


def scaled(xp, t, v):
    """Return `v` over a power of two, and that power: the largest component is in [1, 2), or 0."""
    size = scaling.largest_part(xp, v)
    unit = exact.power_of_two(xp, t, positive(xp, size))
    return tuple(part / unit for part in v), unit


def is_along(t, c, a, b):
    """Return whether `a` and `b` are parallel to within 4 eps, or one is 0, given `c = a x b`."""
    return dot(c, c) <= (16.0 * t.eps * t.eps) * (dot(a, a) * dot(b, b))


def enlarged(xp, t, v):
    """Return `v` times a power of two, as large as products of components allow."""
    _, unit = scaled(xp, t, v)
    one, big = unit * 0.0 + 1.0, unit > 1.0
    grow, shrink = xp.where(big, one, t.coarse), xp.where(big, unit / t.coarse, unit)
    return tuple(part * grow / shrink for part in v)


def fine_length(xp, t, v):
    """Return `|v|`, almost correctly rounded; its derivative at 0 is 0."""
    square, _ = fine_dot(t, v, v)
    return xp.where(square == 0.0, square, xp.sqrt(positive(xp, square)))


def fine_dot(t, u, v):
    """Return `u.v` as a pair, with an error of 2^-100 of the largest product."""
    pairs = zip((exact.split(t, a) for a in u), (exact.split(t, b) for b in v), strict=True)
    first, *rest = (exact.two_product(t, a, b) for a, b in pairs)
    for pair in rest:
        first = exact.sum_of_pairs((first, pair))
    return exact.two_sum(*first)


def finest_dot(t, u, v):
    """Return `u.v`, accurate to its last digits unless the products cancel to within eps^2."""
    pairs = zip((exact.split(t, a) for a in u), (exact.split(t, b) for b in v), strict=True)
    (s, low), *rest = (exact.two_product(t, a, b) for a, b in pairs)
    words = [low]
    for product, product_low in rest:
        s, lost = exact.two_sum(s, product)
        words += [lost, product_low]
    high, low = exact.sum_of_words(s, words, 0.0 * s)
    return high + low


def pairs_of_cross(t, u, v):
    """Return `u x v` as pairs."""
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
