"""Small functions of numbers, and records that the other modules share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from twobone.core import transcendental
from twobone.core.transcendental import Turn

GRAVITY = 9.81  # metres per second squared, a law
TINY = 1.0e-9  # metres, or of 1: differences below it are those of rounding
FLAT = 0.2  # of a leg: what is left of its height or length, where it does not reach; taste
HUGE = 1.0e30  # more than any length or cost

Ground: TypeAlias = Callable[[float, float], float]  # its height at x and z


class Point(NamedTuple):
    """A place: y is up, +z forward, +x to the left."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class Above(NamedTuple):
    """A place or a vector, seen from above."""

    x: float = 0.0
    z: float = 0.0


@dataclass(slots=True)
class Damped:
    """A number that follows a goal without overshoot, and its rate of change per second."""

    at: float = 0.0
    speed: float = 0.0


def placed(x: float, z: float, turn: Turn, aside: float, ahead: float) -> Above:
    """Return a place that is given to the left and ahead of another, which faces so."""
    return Above(x + aside * turn.c + ahead * turn.s, z - aside * turn.s + ahead * turn.c)


def facing(angle: float) -> Turn:
    """Return cosine and sine of an angle in radians, with the same bits in every language."""
    return transcendental.turn(angle)


def smaller(a: float, b: float) -> float:
    """Return the smaller number."""
    return b if b < a else a


def larger(a: float, b: float) -> float:
    """Return the larger number."""
    return b if b > a else a


def clamp(x: float, low: float, high: float) -> float:
    """Return the number from `low` to `high` that is nearest to x."""
    return low if x < low else high if x > high else x


def mix(a: float, b: float, part: float) -> float:
    """Return the number between two; the same one if they are equal."""
    return a + part * (b - a)


def wrapped(turns: float) -> float:
    """Return the same angle from -1/2 to 1/2 turns."""
    return turns - math.floor(turns + 0.5)


def smooth(t: float) -> float:
    """Return 0 up to 0, 1 from 1, and between them a cubic with level ends (smoothstep)."""
    s = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    return s * s * (3.0 - 2.0 * s)


def length(p: Point) -> float:
    """Return the distance from the origin."""
    return math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z)


def between(a: Point, b: Point) -> Point:
    """Return the vector from a to b."""
    return Point(b.x - a.x, b.y - a.y, b.z - a.z)


def cross(a: Point, b: Point) -> Point:
    """Return the vector product."""
    return Point(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


def plus(a: Point, b: Point) -> Point:
    """Return the sum of two vectors."""
    return Point(a.x + b.x, a.y + b.y, a.z + b.z)


def side(longest: float, square: float) -> float:
    """Return a side of a right triangle, from its longest side and the square of another.

    It is at least `FLAT` of the longest, even where there is no such triangle.
    """
    least = FLAT * longest
    return math.sqrt(larger(longest * longest - square, least * least))


def damp(value: Damped, goal: float, rate: float, dt: float) -> None:
    """Move a number to its goal, critically damped, for a time.

    Exact but for the exponential, whose rational approximation is within 1e-3 (Lowe, Critically
    damped ease-in/ease-out smoothing, Game Programming Gems 4). The rate is the inverse of the time
    constant, per second.
    """
    k = rate * dt
    decay = 1.0 / (1.0 + k + 0.48 * k * k + 0.235 * k * k * k)
    away = value.at - goal
    step = (value.speed + rate * away) * dt
    value.at = goal + (away + step) * decay
    value.speed = (value.speed - rate * step) * decay
