"""Sums and products without error: a result is a pair, the rounded value and what rounding lost.

Double-word arithmetic after Knuth (two_sum), Veltkamp (split) and Dekker (two_product);
Rump's way to the unit in the last place. Nothing here but `+ - *` and, for scaling, `/`
and comparisons, so the same source runs on floats, NumPy, PyTorch, JAX and SymPy (where
every error term is zero). With a fused multiply-add, `two_product` is `p = a b` and
`fma(a, b, -p)`: the same bits. A compiler that fuses on its own, here and not there, makes
`p` two different numbers; `Real.pin` is there to forbid it.

`t` is a `Real`: the constants of a floating-point type.
"""

from typing import Any, NamedTuple

Array = Any  # a number, or an array of any library


def as_it_is(v):
    """Return a product as it is: nothing beyond this line looks into it."""
    return v


class Real(NamedTuple):
    """Constants of a floating-point type; the ranges are explained where they are used."""

    eps: float  # spacing of the type at 1
    splitter: float  # Veltkamp's constant: halves the digits
    nudge: float  # v + nudge v is the next number after v
    digits: float  # 1 / eps
    largest: float
    coarse: float  # beyond coarse or 1/coarse, `power_of_two` steps by `step` first
    step: float
    flush: float  # a second bone or a part of a pole smaller than this beside 1 counts as 0
    faint: float  # a part of a target smaller than this beside 1 has no square
    speck: float  # a triangle flatter than this (as h r1^2 to S) counts as none
    near: float  # closer than this, beside the bones, is as good as at the root
    thin: float  # a first bone thinner than 1/thin is solved as if it were that thick
    plane_size: float  # plane: sizes from 1/plane_size to plane_size need no scaling
    plane_part: float  # plane: parts of a target from 1/plane_part, or zero
    space_size: float
    space_part: float
    pin: Any = as_it_is  # keeps a compiler from fusing a product with what is added to it
    constant: Any = as_it_is  # keeps a derivative from passing


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


class Split(NamedTuple):
    """A number and its two halves, `whole == high + low`, each short enough to multiply exactly."""

    whole: Array
    high: Array
    low: Array


def two_sum(a, b):
    """Return `s, e` with `s + e == a + b` exactly."""
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)


def fast_two_sum(a, b):
    """Return what `two_sum` does, where `a` is not smaller than `b`."""
    s = a + b
    return s, b - (s - a)


def split(t, a):
    """Return `a` with its halves. The derivative of `high` is that of `a`, without a detour."""
    c = t.constant(t.pin(t.splitter * a))
    high = c - (c - a)
    return Split(a, high, a - high)


def two_product(t, a, b):
    """Return `p, e` with `p + e == a b` exactly, for two `Split`s."""
    p = t.pin(a.whole * b.whole)
    e = ((a.high * b.high - p) + a.high * b.low + a.low * b.high) + a.low * b.low
    return p, e


def two_square(t, a):
    """Return `p, e` with `p + e == a a` exactly, for a `Split`."""
    p = t.pin(a.whole * a.whole)
    cross = a.high * a.low
    return p, ((a.high * a.high - p) + (cross + cross)) + a.low * a.low


def sum_of_pairs(pairs):
    """Return the sum of two or three pairs as one pair, not yet normalised."""
    (high, low), *rest = pairs
    for other_high, other_low in rest:
        high, lost = two_sum(high, other_high)
        low = lost + (low + other_low)
    return high, low


def product_of_pairs(t, u, v):
    """Return the product of two pairs as a pair, not yet normalised."""
    p, e = two_product(t, split(t, u[0]), split(t, v[0]))
    return p, e + (u[0] * v[1] + u[1] * v[0])


def quotient_of_pairs(t, u, v, inverse):
    """Return `u / v` of two pairs, rounded once or nearly so, given `1 / v` rounded somehow.

    One step of long division: what `q v` leaves of `u` is divided again.
    """
    q = u[0] * inverse
    p, e = two_product(t, split(t, q), split(t, v[0]))
    return q + (((u[0] - p) - e) + (u[1] - q * v[1])) * inverse


def sum_of_words(first, words, tail):
    """Return `first + sum(words) + tail` as a pair, as if added with threefold precision.

    `words` are rounding errors of `first` (smaller by eps), `tail` an error of theirs.
    """
    high, *rest = words
    for word in rest:
        high, lost = two_sum(high, word)
        tail = tail + lost
    high, low = two_sum(first, high)
    return high, low + tail


def power_of_two(xp, t, v):
    """Return the power of two just below `v > 0` (Rump: unit in the first place).

    A fused multiply-add in the first line cannot hurt: `v + nudge v` lies far from any tie.
    No derivative passes: it is a constant for whoever differentiates.
    """
    v = xp.constant(v)
    one = v * 0.0 + 1.0
    grow = xp.where(v < 1.0 / t.coarse, one * t.step, xp.where(v > t.coarse, one / t.step, one))
    v = v * grow
    return ((v + t.nudge * v) - v) * t.digits / grow
