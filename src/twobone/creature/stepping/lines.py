"""Straight lines along a trunk: the nearest to some heights, and the lowest over them."""

from __future__ import annotations

from typing import NamedTuple

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import HUGE, clamp, larger, mix, smaller


class Line(NamedTuple):
    """Heights along a trunk that is straight."""

    middle: float
    slope: float


def fit(animal: Anatomy, heights: list[float]) -> Line:
    """Return the line that is nearest to the heights of stations, by least squares."""
    count = len(heights)
    mean = 0.0
    for k in range(count):
        mean += heights[k] / count
    products = 0.0
    squares = 0.0
    for k in range(count):
        arm = animal.along[k] - animal.middle
        products += (heights[k] - mean) * arm
        squares += arm * arm
    return Line(mean, products / squares if squares > 0.0 else 0.0)


def line_over(animal: Anatomy, heights: list[float]) -> Line:
    """Return the line over the heights of stations that is lowest in the middle of the trunk.

    Of all these lines it is the most level one.
    """
    count = len(heights)
    middle = -HUGE
    for i in range(count):
        for j in range(count):
            back = animal.middle - animal.along[i]
            fore = animal.along[j] - animal.middle
            if back >= 0.0 and fore >= 0.0:
                part = back / (back + fore) if back > 0.0 else 0.0
                middle = larger(middle, mix(heights[i], heights[j], part))
    least = -HUGE
    most = HUGE
    for k in range(count):
        arm = animal.along[k] - animal.middle
        if arm > 0.0:
            least = larger(least, (heights[k] - middle) / arm)
        elif arm < 0.0:
            most = smaller(most, (heights[k] - middle) / arm)
    return Line(middle, clamp(0.0, least, most))
