"""Sine, cosine, arctangent and exponential of single numbers: the same bits in every language.

Those of C, Python and browsers differ in their last digits. These use only `+ - * /` and are
printed as JavaScript and C++. They are accurate to 1 unit in the last place, the arctangent to 2.
The coefficients interpolate at Chebyshev's nodes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

# A quarter of a turn in three parts: whole multiples of the first two are exact to 2^20 quarters.
QUARTER_1, QUARTER_2, QUARTER_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
QUARTERS = 0.6366197723675814  # in a radian
LARGEST_ANGLE = 1e9  # radians; beyond that the result is NaN
EIGHTH, EIGHTH_REST = 0.7853981633974483, 3.061616997868383e-17  # of a turn; thrice is exact
TAN_SIXTEENTH = 0.41421356237309503  # of a turn: sqrt(2) - 1
HUGE = 1e300
LOG2_HIGH, LOG2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # products with 700 are exact
LOG2_E = 1.4426950408889634
LARGEST_EXPONENT = 700.0  # beyond that the exponential is infinite, or 0


class Turn(NamedTuple):
    """Cosine and sine of an angle."""

    c: float
    s: float


def turn(angle: float) -> Turn:
    """Return cosine and sine of an angle in radians.

    Beyond 8e5 radians the error grows, to 1e-10 at 1e9; from there on the result is NaN.
    """
    if not abs(angle) < LARGEST_ANGLE:
        return Turn(math.nan, math.nan)
    quarters = math.floor(angle * QUARTERS + 0.5)
    # The rest and its rounding error, as fdlibm has them (Cody and Waite).
    first = angle - quarters * QUARTER_1
    step = quarters * QUARTER_2
    second = first - step
    third = quarters * QUARTER_3 - ((first - second) - step)
    x = second - third
    error = (second - x) - third
    z = x * x
    p = 0.008333333333330948 + z * (
        -0.00019841269836756774
        + z * (2.7557316101617874e-06 + z * (-2.505113165023518e-08 + z * 1.5918115263265974e-10))
    )
    v = z * x
    s = x - ((z * (0.5 * error - v * p) - error) + v * 0.16666666666666666)
    q = z * (
        0.041666666666666664
        + z
        * (
            -0.0013888888888887398
            + z
            * (
                2.480158729876456e-05
                + z
                * (
                    -2.7557317271145144e-07
                    + z * (2.087614614655861e-09 - z * 1.1382623647474604e-11)
                )
            )
        )
    )
    half = 0.5 * z
    near = 1.0 - half
    c = near + (((1.0 - near) - half) + (z * q - x * error))
    quadrant = quarters % 4
    if quadrant == 0:
        return Turn(c, s)
    if quadrant == 1:
        return Turn(-s, c)
    return Turn(-c, -s) if quadrant == 2 else Turn(s, -c)


def cosine(angle: float) -> float:
    """Return the cosine of an angle in radians."""
    return turn(angle).c


def sine(angle: float) -> float:
    """Return the sine of an angle in radians."""
    return turn(angle).s


def arctangent(y: float, x: float) -> float:
    """Return the angle of a point, from -pi to pi, as `math.atan2(y, x)` does.

    Infinite coordinates give NaN.
    """
    wide, high = abs(x), abs(y)
    # Eighths of a turn from which the angle is counted, and in which direction.
    eighths, sign = 0.0, 1.0
    low, great = high, wide
    if high > wide:
        low, great = wide, high
        eighths, sign = 2.0, -1.0
    if great > HUGE:  # their sum must not overflow
        low, great = 0.5 * low, 0.5 * great
    t = low / great if great > 0.0 else low
    if t > TAN_SIXTEENTH:
        t = (low - great) / (low + great)
        eighths += sign
    if math.copysign(1.0, x) < 0.0:
        eighths, sign = 4.0 - eighths, -sign
    z = t * t
    p = 0.058789275544738068 + z * (
        -0.05230443640686948
        + z * (0.045515447340221615 + z * (-0.03456931506332609 + z * 0.016284375050043393))
    )
    p = 0.11111111105150588 + z * (
        -0.09090908753259112 + z * (0.07692296368042296 + z * (-0.0666642476020052 + z * p))
    )
    p = -0.3333333333333333 + z * (0.19999999999999804 + z * (-0.14285714285659779 + z * p))
    part = eighths * EIGHTH_REST + sign * (t * z * p)
    angle = eighths * EIGHTH + (part + sign * t)
    return math.copysign(angle, y)


def exponential(x: float) -> float:
    """Return e to the power of a number."""
    if not abs(x) <= LARGEST_EXPONENT:
        if math.isnan(x):
            return x
        return math.inf if x > 0.0 else 0.0
    power = math.floor(x * LOG2_E + 0.5)
    high = x - power * LOG2_HIGH
    low = power * LOG2_LOW
    r = high - low
    error = (high - r) - low
    p = 0.0013888888917213717 + r * (
        0.00019841269863053618
        + r
        * (
            2.4801521295954376e-05
            + r
            * (2.7557268459997064e-06 + r * (2.7620088445409746e-07 + r * 2.510038549551032e-08))
        )
    )
    p = 0.5000000000000001 + r * (
        0.16666666666666669 + r * (0.04166666666662413 + r * (0.008333333333330062 + r * p))
    )
    found = 1.0 + (r + (r * r * p + error))
    # Times 2 to the power, by squares: exact.
    left, square = abs(power), 2.0
    scale = 1.0
    while left > 0:
        if left % 2 == 1:
            scale *= square
        square *= square
        left = left // 2
    return found * scale if power > 0 else found / scale
