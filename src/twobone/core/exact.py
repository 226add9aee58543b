"""Double-word arithmetic: exact sums and products as pairs of a rounded value and its error.

Algorithms: Knuth's two_sum, Veltkamp's split, Dekker's two_product and Rump's unit in the first
place. They use only `+ - *` and, for scaling, `/` and comparisons, so the same source runs on
floats, NumPy, PyTorch, JAX and SymPy (where every error term is zero). With a fused multiply-add,
`two_product` is `p = a b` and `fma(a, b, -p)`, with the same bits. A compiler that fuses a product
with a sum in one place and not in another would compute two different values of `p`; `Real.pin`
prevents this.

Throughout, `t` is a `Real`, the constants of a floating-point type.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

Array: TypeAlias = Any  # a number, or an array of any library
Flag: TypeAlias = Any  # the same of truth values
Pair: TypeAlias = tuple[Array, Array]  # a number and its rounding error
Vector: TypeAlias = tuple[Array, ...]  # the components


def as_it_is(v):
    """Return the argument; the default of `Real.pin` and of `constant`."""
    return v


class Real(NamedTuple):
    """Constants of a floating-point type: for rounding, and for ranges of safe sizes."""

    eps: float  # spacing of the numbers from 1 on
    splitter: float  # Veltkamp's constant, for halves with half of the digits each
    nudge: float  # v + nudge v is the next number after v > 0
    digits: float  # 1 / eps
    largest: float
    coarse: float  # `power_of_two` first scales numbers beyond coarse or 1/coarse by `step`
    step: float
    flush: float  # scaled to 1, a smaller second bone or pole component counts as 0
    faint: float  # scaled to 1, a smaller target component counts as 0: its square underflows
    speck: float  # a triangle with S <= speck h r1^2 counts as straight
    near: float  # a target nearer than `near` times the longer bone is treated as if it were there
    thin: float  # a first bone below 1/thin of the second is treated as about 1/thin of it
    plane_size: float  # in the plane, sizes from 1/plane_size to plane_size need no scaling
    plane_part: float  # nor target components that are zero or at least 1/plane_part
    space_size: float  # the same in space
    space_part: float
    thick: float = 4.0  # nor a first bone of at least 1/thick of the second
    pin: Any = as_it_is  # keeps a compiler from fusing a product with a sum
    fma: Any = None  # a b + c, rounded once, of devices that have it
    constant: Any = as_it_is  # stops gradients


FLOAT64 = Real(
    eps=2.0**-52,
    splitter=2.0**27 + 1.0,
    nudge=2.0**-53 * (1.0 + 2.0**-52),
    digits=2.0**52,
    largest=(2.0 - 2.0**-52) * 2.0**1023,
    coarse=2.0**500,
    step=2.0**600,
    flush=2.0**-480,
    faint=2.0**-511,
    speck=2.0**-200,
    near=2.0**-480,
    thin=2.0**900,
    plane_size=2.0**100,
    plane_part=2.0**200,
    space_size=2.0**60,
    space_part=2.0**80,
)

FLOAT32 = Real(
    eps=2.0**-23,
    splitter=2.0**12 + 1.0,
    nudge=2.0**-24 * (1.0 + 2.0**-23),
    digits=2.0**23,
    largest=(2.0 - 2.0**-23) * 2.0**127,
    coarse=2.0**60,
    step=2.0**70,
    flush=2.0**-50,
    faint=2.0**-62,
    speck=2.0**-60,
    near=2.0**-60,
    thin=2.0**100,
    plane_size=2.0**12,
    plane_part=2.0**24,
    space_size=2.0**6,
    space_part=2.0**16,
)

# For float32 numbers in float64 arrays: the tolerances are those of float32, the additional digits
# are enough for thinner bones, and no float32 number is so small that products underflow.
WIDE = FLOAT64._replace(eps=FLOAT32.eps, thick=2.0**20, space_part=2.0**149)


class Split(NamedTuple):
    """A number and its two halves, `whole == high + low`; products of halves are exact."""

    whole: Array
    high: Array
    low: Array


def two_sum(a: Array, b: Array) -> Pair:
    """Return `s, e` with `s + e == a + b` exactly."""
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)


def fast_two_sum(a: Array, b: Array) -> Pair:
    """Return the same as `two_sum` with fewer operations, for `|a| >= |b|`."""
    s = a + b
    return s, b - (s - a)


def split(t: Real, a: Array) -> Split:
    """Return `a` with its halves. The gradient passes through `high`, not through the rounding."""
    c = t.constant(t.pin(t.splitter * a))
    high = c - (c - a)
    return Split(a, high, a - high)


def two_product(t: Real, a: Split, b: Split) -> Pair:
    """Return `p, e` with `p + e == a b` exactly, for two `Split`s.

    The derivatives are those of `p`: those of its rounding error are 0.
    """
    p = t.pin(a.whole * b.whole)
    e = ((a.high * b.high - p) + a.high * b.low + a.low * b.high) + a.low * b.low
    return p, t.constant(t.fma(a.whole, b.whole, -p) if t.fma else e)


def two_square(t: Real, a: Split) -> Pair:
    """Return `p, e` with `p + e == a a` exactly, for a `Split`."""
    p = t.pin(a.whole * a.whole)
    cross = a.high * a.low
    e = ((a.high * a.high - p) + (cross + cross)) + a.low * a.low
    return p, t.constant(t.fma(a.whole, a.whole, -p) if t.fma else e)


def sum_of_pairs(pairs: Sequence[Pair]) -> Pair:
    """Return the sum of two or three pairs as one pair, not normalised."""
    (high, low), *rest = pairs
    for other_high, other_low in rest:
        high, lost = two_sum(high, other_high)
        low = lost + (low + other_low)
    return high, low


def product_of_pairs(t: Real, u: Pair, v: Pair) -> Pair:
    """Return the product of two pairs as a pair, not normalised."""
    p, e = two_product(t, split(t, u[0]), split(t, v[0]))
    return p, e + (u[0] * v[1] + u[1] * v[0])


def quotient_of_pairs(t: Real, u: Pair, v: Pair, inverse: Array) -> Array:
    """Return `u / v` of two pairs, almost correctly rounded, given an approximation of `1 / v`.

    One step of long division: the remainder `u - q v` is divided as well.
    """
    q = t.pin(u[0] * inverse)
    p, e = two_product(t, split(t, q), split(t, v[0]))
    return q + (((u[0] - p) - e) + (u[1] - q * v[1])) * inverse


def sum_of_words(first: Array, words: Sequence[Array], tail: Array) -> Pair:
    """Return `first + sum(words) + tail` as a pair, as if added with threefold precision.

    `words` are rounding errors of `first`, smaller by a factor eps, and `tail` is of the size of
    their rounding errors.
    """
    high, *rest = words
    for word in rest:
        high, lost = two_sum(high, word)
        tail = tail + lost
    high, low = two_sum(first, high)
    return high, low + tail


def power_of_two(xp: Any, t: Real, v: Array) -> Array:
    """Return the largest power of two that is at most `v`, for `v > 0` (Rump's ufp).

    A fused multiply-add in the return line gives the same bits: `v + nudge v` is far from a tie.
    The result is a constant for automatic differentiation.
    """
    v = xp.constant(v)
    one = v * 0.0 + 1.0
    grow = xp.where(v < 1.0 / t.coarse, one * t.step, xp.where(v > t.coarse, one / t.step, one))
    v = v * grow
    return ((v + t.nudge * v) - v) * t.digits / grow
