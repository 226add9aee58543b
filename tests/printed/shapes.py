"""What sample.py imports."""

import math
from typing import NamedTuple


class Point(NamedTuple):
    """A point of the plane."""

    x: float
    y: float


def distance(a: Point, b: Point) -> float:
    """Return how far apart two points are."""
    x, y = a.x - b.x, a.y - b.y
    return math.sqrt(x * x + y * y)


def total(values: tuple[float, ...]) -> float:
    """Return a sum, from the first value on."""
    found = 0.0
    for value in values:
        found = found + value
    return found
