"""A module with everything that the printer knows, for tests/test_printing.py."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from printed import shapes
from printed.shapes import Point, total
from twobone.core.exact import Array, Flag

WEIGHTS = (0.5, 0.25, 2.0**-3)  # of three numbers
LIMIT, STEPS = 1e300, 3
ORIGIN = Point(0.0, 0.0)


class Found(NamedTuple):
    """What a search found."""

    place: Point
    cost: float  # of `place`
    count: int = 0
    library: Any = None


@dataclass(slots=True)
class Leg:
    """A leg, which changes."""

    foot: list[float]
    is_up: bool
    next_to: Point | None = None


# --- numbers ------------------------------------------------------------------------------


def arithmetic(a: float, b: float) -> float:
    """Return something of `a` and `b`."""
    c = (a + b) * (a - b) / 2.0 - -a
    c += 1.0  # more
    c -= b / 3.0
    c *= 1.5
    return -(c - (a - b)) - (a - (b - c))


def library(a: float) -> list[float]:
    """Return what functions of `math` return."""
    small = 2.0**-20
    low, high = a - 1.0, a + 1.0
    return [
        math.sqrt(abs(a)),
        math.floor(a) + 0.0,
        math.ceil(a) + 0.0,
        int(a) + 0.5,
        min(low, high),
        max(a, small),
        small,
        math.inf,
        math.pi,
    ]


def least(a: float, b: float) -> float:
    """Return Python's `min`, whatever the order of NaN."""
    return min(a, b)


def comparisons(a: float, b: float) -> list[bool]:
    """Return comparisons."""
    return [
        a < b,
        a == b or not a <= b,
        0.0 <= a < b,
        (a > 0.0) & (b > 0.0) | (a != b),
        math.isnan(a),
        math.isfinite(b),
        not (a < b and b < 1.0),
    ]


# --- sequences ----------------------------------------------------------------------------


def sequences(xp: Any, values: tuple[float, ...]) -> list[float]:
    """Return numbers of several kinds."""
    first, *rest = values
    found: list[float] = []
    for i in range(1, len(values)):
        found += [values[i] * i, values[-1]]
    for i, value in enumerate(rest):
        found.append(value + i)
    for i in range(len(values) - 1, -1, -1):
        found.append(values[i])
    shares = [WEIGHTS[i % STEPS] for i in range(len(values))]
    for one, weight in zip(values, shares, strict=True):
        if one > 100.0:
            break
        if one < 0.0:
            continue
        found.append(one * weight)
    doubled = tuple(2.0 * value for value in rest)
    pairs = tuple((a, b) for a, b in zip(doubled, rest, strict=True))
    found += [a - b for a, b in pairs][:1]
    squares = [float(i) * i for i in range(STEPS)]
    zeros = [0.0] * len(values)
    zeros[0] = first
    is_less = any(a > b for a, b in zip(values, shares, strict=True))
    if is_less and all(value > 0.0 for value in rest):
        zeros[1] = 7.0
    if not doubled:
        return zeros
    for each in (*found, *squares):
        zeros.append(each)
    positive = xp.where(first > 0.0, first, -first)
    return [*zeros, positive, total(rest)]


def copies(values: list[float], flags: list[bool]) -> list[float]:
    """Return numbers whose lists are copied, zipped in one another, or counted down."""
    twice = list(values)
    twice[0] = 100.0
    again = [value for value in values]  # noqa: C416
    again[0] = 200.0
    rows = [[1.0, 2.0], [3.0, 4.0]]
    products = [
        total([a * b for a, b in zip(row, other, strict=True)])
        for row, other in zip(rows, rows, strict=True)
    ]
    found = [*values, *twice, *again, *products]
    for i in range(-3, 4):
        found += [float(i % 3), float(i // 2)]
    if all(flag for flag in flags):
        found.append(1.0)
    elif values[0] > 1.0:
        x = values[0] * 3.0
        found.append(x)
    else:
        x = 5.0
        found.append(x)
    return found


def places(points: tuple[Point, ...]) -> list[float]:
    """Return the coordinates of points, taken apart as they come."""
    found = [x * y for x, y in points]
    for x, y in points:
        found += [x, y]
    return found


# --- records ------------------------------------------------------------------------------


def search(places: tuple[Point, ...], limit: float = LIMIT) -> Found:
    """Return the place nearest to the origin."""
    best = Found(place=ORIGIN, cost=limit)
    for place in places:
        x, y = place
        cost = shapes.distance(place, ORIGIN)
        if cost < best.cost:
            best = best._replace(place=Point(x, y=y), cost=cost, count=best.count + 1)
    return best


def lift(leg: Leg, high: float) -> None:
    """Lift a leg, unless it is up."""
    if leg.is_up:
        return
    leg.is_up = True
    leg.foot[1] += high
    leg.foot = [leg.foot[0] + 1.0, leg.foot[1]]
    leg.next_to = ORIGIN


def lifted(high: float) -> Leg:
    """Return a leg that was lifted twice."""
    leg = Leg([1.0, 2.0], False)
    lift(leg, high)
    lift(leg, high)
    return leg


def chosen(xp: Any, flag: Flag, a: Array) -> tuple[Array, bool]:
    """Return a number that is bound in branches."""
    if flag:
        b, c = a, 1.0
        for _ in range(2):
            b, c = b + c, b
    elif a > 1.0:
        b = 2.0 * a
    else:
        b = xp.sqrt(-a) if a < 0.0 else 0.0
    while b > 4.0:
        b /= 2.0
    return b, not flag
