"""What a foothold costs, from where its leg will stand."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import buried, range_of, slope_under, straightest
from twobone.creature.stepping.numbers import HUGE, Above, Ground, Point, larger, smaller
from twobone.creature.stepping.path import fold_of, reach_of
from twobone.creature.stepping.support import SINKS
from twobone.creature.stepping.swings import CLEARANCE
from twobone.creature.stepping.thirds import angle_with

# What a foothold costs: for each hip's height by which a leg is too long, too short or in the
# ground; for steepness, a change of height or an arc, and a ring. Taste, but for their order.
LONG, SHORT, BURIED, STEEP, HIGH, FAR = 4.0, 9.0, 10.0, 0.5, 0.5, 0.25
RAISED = 1.5  # times its depth in the ground, by which the hip of a leg is raised to free it; taste


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
    lacks: float  # metres by which the leg is too short for it, though its hip has sunk
    slope: float  # angle of the ground that its third segment clears as it lands and lifts


def cost(
    animal: Anatomy, leg: Leg, stance: Stance, foot: Point, far: float, best: float, ground: Ground
) -> Cost:
    """Return what a foothold costs which costs that much for its distance.

    The rest is not looked at where that is more than the best already.
    """
    found = far + HIGH * abs(foot.y - stance.base) / animal.hip
    hip = foot.y
    if found < best:
        edge = CLEARANCE * animal.hip
        steep = abs(ground(foot.x + edge, foot.z) - foot.y)
        steep += abs(ground(foot.x, foot.z + edge) - foot.y)
        found += STEEP * steep / edge
    own = liked(leg, stance, foot)
    slope = 0.0
    if found < best:
        landing = cost_of(animal, leg, foot, own, stance.landing, ground)
        found += landing.cost
        hip = landing.hip
        slope = landing.slope
        if landing.lacks > 0.0:
            found = HUGE
    if found < best:
        # A tarsus lies towards the hip, and turns about the foot while the leg stands.
        lifting = cost_of(animal, leg, foot, own, stance.lifting, ground)
        found += lifting.cost
        hip = larger(hip, lifting.hip)
        slope = larger(slope, lifting.slope)
    return Cost(found, hip, 0.0, slope)


def liked(leg: Leg, stance: Stance, foot: Point) -> float:
    """Return the height that a hip would like, if its foot stands there."""
    return smaller(stance.line + leg.follows * (foot.y - stance.base), stance.highest)


def cost_of(
    animal: Anatomy, leg: Leg, foot: Point, own: float, leaning: Leaning, ground: Ground
) -> Cost:
    """Return what a leg costs that stands on a foothold with its hip at such a place.

    `own` is the height that the hip would like. If the leg is in the ground there, it is raised.
    """
    y = larger(own, leaning.least_y)
    dx = foot.x - leaning.hip.x
    dz = foot.z - leaning.hip.z
    square = dx * dx + dz * dz
    most = reach_of(leg, animal.straight)
    least = fold_of(leg, animal.least)
    distance = math.sqrt(square + (foot.y - y) * (foot.y - y))
    found = LONG * larger(distance - most, 0.0) + SHORT * larger(least - distance, 0.0)
    below = Point(leaning.hip.x, foot.y, leaning.hip.z)
    slope = slope_under(leg, below, foot, leaning.toes, ground)
    depth = depth_of(animal, leg, y, foot, slope, leaning, ground)
    hip = foot.y
    if depth > 0.0 and most * most > square:
        top = smaller(y + RAISED * depth, foot.y + math.sqrt(most * most - square))
        left = depth_of(animal, leg, top, foot, slope, leaning, ground) if top > y else depth
        if left < depth:
            found += HIGH * (top - y)
            depth = left
            hip = top
    low = foot.y - larger(own - SINKS * animal.hip, leaning.least_y)
    lacks = math.sqrt(square + low * low) - reach_of(leg, straightest(animal))
    return Cost((found + BURIED * depth) / animal.hip, hip, lacks, slope)


def depth_of(
    animal: Anatomy,
    leg: Leg,
    y: float,
    foot: Point,
    slope: float,
    leaning: Leaning,
    ground: Ground,
) -> float:
    """Return how deep a leg would be in the ground with its hip at that height."""
    hip = Point(leaning.hip.x, y, leaning.hip.z)
    allowed = range_of(leg, animal.least, animal.straight)
    toes = leaning.toes
    angle = angle_with(animal, leg, hip, foot, leaning.angle + slope, 1.0, toes, toes)
    return buried(leg, hip, foot, angle, toes, allowed, leaning.clear, ground)
