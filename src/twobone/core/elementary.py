"""Cosine, sine and exponential of sums and products alone: the same bits on all machines.

Those of NumPy, C and browsers differ in their last digits, and walking amplifies differences: after
some seconds a foot would land elsewhere. The page has the same functions
(`play/page/walker/elementary.js`). They are accurate to about 1e-15, cosine and sine absolutely.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray

TURN = 1.0 / (2.0 * math.pi)  # turns in a radian
# Coefficients of polynomials in t^2, for the cosine of t turns and the sine over t, from -1/2 to
# 1/2: they interpolate at Chebyshev's nodes, but for the first.
COSINE = np.array(
    [
        1.0,
        -19.739208802178684,
        64.93939402266314,
        -85.45681720637177,
        60.24464136156249,
        -26.426256590531025,
        7.903534122041613,
        -1.7143738447256551,
        0.2819245703565778,
        -0.03613799133425832,
        0.003359676254891574,
    ]
)
SINE = np.array(
    [
        6.283185307179586,
        -41.34170224039976,
        81.60524927607493,
        -76.70585975304577,
        42.0586939440974,
        -15.094642555990186,
        3.8199522731539615,
        -0.7181194600581844,
        0.10421310130329274,
        -0.011976553914496188,
        0.001025689655916714,
    ]
)
CIRCLE = TURN, COSINE, SINE  # as the kernel takes them
# The exponential: that of what is left after multiples of log 2, which is split into two numbers so
# that the products are exact, by its Taylor polynomial.
LOG2_HIGH, LOG2_LOW = 0.6931471803691238, 1.9082149292705877e-10
LOG2_E = 1.4426950408889634
TERMS = [1.0 / math.factorial(n) for n in range(14)]
LARGEST = 700.0  # beyond that the result is infinite, or 0


def turned(turns: Any) -> NDArray[np.complex128]:
    """Return the complex numbers of length 1 at angles in turns, an array of any shape."""
    turns = np.asarray(turns, np.float64)
    rest = turns - np.rint(turns)
    square, out = rest * rest, np.empty(turns.shape, np.complex128)
    out.real = _polynomial(COSINE, square)
    out.imag = rest * _polynomial(SINE, square)
    return out


def cis(angles: Any) -> NDArray[np.complex128]:
    """Return `exp(i angles)`, for angles in radians."""
    if engine.KERNEL is not None and type(angles) is np.ndarray:
        return engine.KERNEL.cis(angles, CIRCLE)
    return turned(np.multiply(angles, TURN))


@functools.lru_cache(maxsize=4096)
def exp(x: float) -> float:
    """Return the exponential of a float."""
    if not abs(x) <= LARGEST:
        return x if math.isnan(x) else math.inf if x > 0.0 else 0.0
    power = round(x * LOG2_E)
    rest = (x - power * LOG2_HIGH) - power * LOG2_LOW
    return math.ldexp(_polynomial(TERMS, rest), power)


def _polynomial(coefficients, x):
    found = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        found = found * x + coefficient
    return found
