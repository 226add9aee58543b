"""What a foothold costs, from where its leg will stand."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import buried, slope_under, straightest
from twobone.creature.stepping.numbers import HUGE, Above, Ground, Point, larger, mix, side, smaller
from twobone.creature.stepping.path import fold_of, reach_of
from twobone.creature.stepping.support import SINKS
from twobone.creature.stepping.swings import CLEARANCE
from twobone.creature.stepping.thirds import angle_with

# What a foothold costs: for each hip's height by which a leg is too long, too short or in the
# ground; for steepness, a change of height or an arc, and a ring. Taste, but for their order.
LONG, SHORT, BURIED, STEEP, HIGH, FAR = 4.0, 9.0, 30.0, 0.5, 0.5, 0.25
RAISED = 1.5  # times its depth in the ground, by which the hip of a leg is raised to free it; taste
RISEN = 0.5  # of that way: how far the hip has come when its foot lands; taste


class Leaning(NamedTuple):
    """A leg as it will stand: its hip, the angle of its third segment, where its toes point."""

    hip: Above
    least_y: float  # of the hip, over the crest of the ground below the trunk
    angle: float  # on level ground
    toes: Turn
    clear: Point  # by which the leg shall be free of the ground: see `buried`


class Stance(NamedTuple):
    """A leg in its next stance: when it lands, when it lifts, and the height that its hip likes."""

    landing: Leaning
    lifting: Leaning
    line: float  # of the hip, if the foot stands where it stood
    highest: float  # of the hip, as far as legs that stand let it rise
    base: float  # height of the foot where it stood


class Cost(NamedTuple):
    """What a foothold costs, and the least height of the hip with which the leg is free."""

    cost: float
    hip: float
    slope: float  # angle of the ground that its third segment clears as it lands and lifts


def cost(
    animal: Anatomy, leg: Leg, stance: Stance, foot: Point, far: float, best: float, ground: Ground
) -> Cost:
    """Return what a foothold costs which costs that much for its distance.

    What takes the least time is looked at first, and the rest not where that is more than the best
    already.
    """
    found = far + HIGH * abs(foot.y - stance.base) / animal.hip
    hip = foot.y
    slope = 0.0
    own = liked(leg, stance, foot)
    if found < best:
        found += stretched(animal, leg, foot, own, stance.landing)
        found += stretched(animal, leg, foot, own, stance.lifting)
        if lacks(animal, leg, foot, own, stance.landing):
            found = HUGE
    if found < best:
        edge = CLEARANCE * animal.hip
        steep = abs(ground(foot.x + edge, foot.z) - foot.y)
        steep += abs(ground(foot.x, foot.z + edge) - foot.y)
        found += STEEP * steep / edge
    if found < best:
        landing = freed(animal, leg, foot, own, stance.landing, ground)
        found += landing.cost
        hip = landing.hip
        slope = landing.slope
    if found < best:
        # A tarsus lies towards the hip, and turns about the foot while the leg stands.
        lifting = freed(animal, leg, foot, own, stance.lifting, ground)
        found += lifting.cost
        hip = larger(hip, lifting.hip)
        slope = larger(slope, lifting.slope)
    return Cost(found, hip, slope)


def liked(leg: Leg, stance: Stance, foot: Point) -> float:
    """Return the height that a hip would like, if its foot stands there."""
    return smaller(stance.line + leg.follows * (foot.y - stance.base), stance.highest)


def stretched(animal: Anatomy, leg: Leg, foot: Point, own: float, leaning: Leaning) -> float:
    """Return what a leg costs that is too long or too short, with its hip at such a place.

    `own` is the height that the hip would like.
    """
    y = larger(own, leaning.least_y)
    distance = math.sqrt(square_of(leaning.hip, foot) + (foot.y - y) * (foot.y - y))
    most = reach_of(leg, animal.straight)
    least = fold_of(leg, animal.least)
    found = LONG * larger(distance - most, 0.0) + SHORT * larger(least - distance, 0.0)
    return found / animal.hip


def lacks(animal: Anatomy, leg: Leg, foot: Point, own: float, leaning: Leaning) -> bool:
    """Return whether a leg is too short for a foothold, though its hip has sunk."""
    low = foot.y - larger(own - SINKS * animal.hip, leaning.least_y)
    reach = reach_of(leg, straightest(animal))
    return square_of(leaning.hip, foot) + low * low > reach * reach


def square_of(hip: Above, foot: Point) -> float:
    """Return the squared distance of a foot from its hip, seen from above."""
    dx = foot.x - hip.x
    dz = foot.z - hip.z
    return dx * dx + dz * dz


def freed(
    animal: Anatomy, leg: Leg, foot: Point, own: float, leaning: Leaning, ground: Ground
) -> Cost:
    """Return what a leg costs that is in the ground, or whose hip must rise to free it."""
    y = larger(own, leaning.least_y)
    below = Point(leaning.hip.x, foot.y, leaning.hip.z)
    slope = slope_under(leg, below, foot, leaning.toes, ground)
    angle = leaning.angle + slope
    high = Point(leaning.hip.x, y, leaning.hip.z)
    depth = depth_of(animal, leg, high, foot, angle, leaning.toes, leaning.clear, ground)
    found = 0.0
    hip = foot.y
    if depth > 0.0:
        room = side(reach_of(leg, animal.straight), square_of(leaning.hip, foot))
        top = smaller(y + RAISED * depth, foot.y + room)
        left = depth
        if top > y:
            risen = Point(high.x, mix(y, top, RISEN), high.z)
            left = depth_of(animal, leg, risen, foot, angle, leaning.toes, leaning.clear, ground)
        if left < depth:
            found = HIGH * (top - y)
            depth = left
            hip = top
    return Cost((found + BURIED * depth) / animal.hip, hip, slope)


def depth_of(
    animal: Anatomy,
    leg: Leg,
    hip: Point,
    foot: Point,
    free: float,
    toes: Turn,
    clear: Point,
    ground: Ground,
) -> float:
    """Return how deep a leg would be in the ground, as `buried`.

    Its third segment would have such an angle if it were free.
    """
    angle = angle_with(animal, leg, hip, foot, free, 1.0, toes, toes)
    return buried(animal, leg, hip, foot, angle, toes, clear, ground)
