"""How far a leg turns about the line from hip to ankle, where the ground is in its knee's way."""

from __future__ import annotations

import math

from twobone.core import transcendental
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import bent
from twobone.creature.stepping.numbers import (
    TINY,
    Ground,
    Point,
    between,
    clamp,
    cross,
    facing,
    larger,
    length,
    plus,
)
from twobone.creature.stepping.records import Stand
from twobone.creature.stepping.swings import CLEARANCE

# Of the hip: so near the ground, a knee begins to turn aside: twice the clearance of what plans are
# about, since it turns more slowly than the ground comes.
NEAR = 2.0 * CLEARANCE
WIDEST = 0.8  # radians: a knee turns aside at most so far; taste


def splayed(animal: Anatomy, leg: Leg, stand: Stand, now: float, ground: Ground) -> float:
    """Return the angle by which a leg must turn for its knee to clear the ground, 0 if it does.

    The knee goes around a circle whose radius r leads to it now. Where the ground is a plane with
    the normal n, it has the height h at an angle t for

        r . n cos t + (axis x r) . n sin t = r . n + h - height now

    which is a line that meets a circle. Of the two places, that nearer to the angle `now` is taken.
    """
    if leg.radial:
        return 0.0
    toes = facing(stand.facing)
    found = bent(animal, leg, stand.hip, stand.foot, stand.angle, toes)
    knee = found.knee
    there = plus(stand.hip, knee)
    clear = NEAR * animal.hip
    under = ground(there.x, there.z)
    lacks = under + clear - there.y
    if lacks <= 0.0:
        return 0.0
    slope_x = (ground(there.x + clear, there.z) - under) / clear
    slope_z = (ground(there.x, there.z + clear) - under) / clear
    way = between(stand.hip, found.ankle)
    square = larger(way.x * way.x + way.y * way.y + way.z * way.z, TINY * TINY)
    part = (knee.x * way.x + knee.y * way.y + knee.z * way.z) / square
    r = Point(knee.x - part * way.x, knee.y - part * way.y, knee.z - part * way.z)
    size = math.sqrt(square)
    turned = cross(way, r)
    a = r.y - slope_x * r.x - slope_z * r.z
    b = turned.y / size - slope_x * turned.x / size - slope_z * turned.z / size
    need = a + lacks
    left = math.sqrt(larger(a * a + b * b - need * need, 0.0))
    one = transcendental.arctangent(need * b - a * left, need * a + b * left)
    two = transcendental.arctangent(need * b + a * left, need * a - b * left)
    return clamp(one if abs(one - now) < abs(two - now) else two, -WIDEST, WIDEST)


def turned_by(pole: Point, way: Point, angle: float) -> Point:
    """Return a pole that is turned about the way from hip to ankle."""
    size = larger(length(way), TINY)
    turn = facing(angle)
    s = turn.s / size
    across = cross(way, pole)
    return Point(
        turn.c * pole.x + s * across.x,
        turn.c * pole.y + s * across.y,
        turn.c * pole.z + s * across.z,
    )
