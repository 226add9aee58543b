"""Where a foot lands: the place it wants, or a better one near it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import buried, range_of, slope_under
from twobone.creature.stepping.numbers import (
    HUGE,
    Point,
    clamp,
    facing,
    larger,
    smaller,
)
from twobone.creature.stepping.path import (
    Seen,
    ahead,
    fold_of,
    is_stiff,
    placed_x,
    placed_z,
    reach_of,
    top_under,
    wanted,
)
from twobone.creature.stepping.records import Step, Walk
from twobone.creature.stepping.rhythm import clock, left_to_swing

# Places that are compared: rings around the one that is wanted. Taste.
RINGS = 4
DIRECTIONS = 8  # of the places of a ring
APART = 0.1  # of a leg: between rings
GOOD = 0.35  # a foothold that costs less is taken before the next ring is looked at
# What a foothold costs: for each hip's height by which a leg is too long, too short or in the
# ground; for steepness, a change of height, and a ring. Taste, but for their order.
LONG, SHORT, BURIED, STEEP, HIGH, FAR = 4.0, 9.0, 10.0, 0.5, 0.5, 0.25
RAISED = 1.5  # times its depth in the ground, by which the hip of a leg is raised to free it; taste
CLEARANCE = 0.04  # of the hip: between the ground and a leg, a swinging foot or a belly; taste


class Leaning(NamedTuple):
    """A leg as it will stand: its hip, the angle of its third segment, where its toes point."""

    hip_x: float
    hip_z: float
    least_y: float  # of the hip, over the crest of the ground below the trunk
    angle: float
    turn: Turn


class Stance(NamedTuple):
    """A leg in its next stance: when it lands, when it lifts, and the height that its hip likes."""

    landing: Leaning
    lifting: Leaning
    line: float  # of the hip, if the foot stands where it stood
    base: float  # height of the foot where it stood


class Cost(NamedTuple):
    """What a foothold costs, and the least height of the hip with which the leg is free."""

    cost: float
    hip: float


def choose(animal: Anatomy, walk: Walk, i: int, ground: Callable[[float, float], float]) -> None:
    """Choose where a foot lands: its goal, what that costs, and the slope below its third segment.

    Places in rings around the one that is wanted are compared until one is good.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    rest = wanted(animal, leg, walk, step)
    step.want_x = placed_x(rest.x, rest.turn, leg.foot_aside, leg.foot_ahead)
    step.want_z = placed_z(rest.z, rest.turn, leg.foot_aside, leg.foot_ahead)
    first = ahead(leg, walk, left_to_swing(animal, walk, step))
    stance = stance_of(animal, leg, walk, step, first, ground)
    size = APART * (leg.upper + leg.lower + leg.third)
    best = HUGE
    ring = 0
    while ring <= RINGS and (best > GOOD or ring == 0):
        count = 1 if ring == 0 else DIRECTIONS
        for j in range(count):
            around = facing(2.0 * math.pi * j / DIRECTIONS)
            x = step.want_x + size * ring * around.s
            z = step.want_z + size * ring * around.c
            # On its own side of the trunk.
            aside = ((x - first.x) * first.turn.c - (z - first.z) * first.turn.s) * leg.side
            inward = larger(animal.wide * abs(leg.foot_aside) - aside, 0.0)
            x += inward * leg.side * first.turn.c
            z -= inward * leg.side * first.turn.s
            foot = Point(x, ground(x, z), z)
            found = cost(animal, leg, stance, foot, FAR * ring, best, ground)
            if found.cost < best:
                best = found.cost
                step.goal = foot
                step.least_hip = found.hip
        ring += 1
    # A foothold that costs no more than two rings is as good as any.
    step.cost = clamp(best - 2.0 * FAR, 0.0, 2.0)
    # A tarsus lies towards the hip, and turns about the foot while the leg stands.
    landing = slope_at(leg, step.goal, stance.landing, ground)
    step.slope = larger(landing, slope_at(leg, step.goal, stance.lifting, ground))


def slope_at(
    leg: Leg, foot: Point, leaning: Leaning, ground: Callable[[float, float], float]
) -> float:
    """Return the slope below the third segment of a leg that stands with its hip there."""
    hip = Point(leaning.hip_x, foot.y, leaning.hip_z)
    return slope_under(leg, hip, foot, leaning.turn, ground)


def stance_of(
    animal: Anatomy,
    leg: Leg,
    walk: Walk,
    step: Step,
    first: Seen,
    ground: Callable[[float, float], float],
) -> Stance:
    """Return how a leg will land, with its station as it is seen then, and how it will lift."""
    landing = left_to_swing(animal, walk, step)
    lifting = landing + walk.duty.at / clock(animal, walk)
    last = ahead(leg, walk, lifting)
    # The trunk rises before a crest, so it is high enough for both.
    top = larger(
        crest(animal, walk, first, landing, ground), crest(animal, walk, last, lifting, ground)
    )
    high = top + animal.belly + CLEARANCE * animal.hip + leg.up
    angle = leg.rest + step.slope
    station = walk.stations[leg.station]
    return Stance(
        Leaning(first.hip_x, first.hip_z, high, angle - walk.vigour * leg.land, first.turn),
        Leaning(last.hip_x, last.hip_z, high, angle + walk.vigour * leg.peel, last.turn),
        animal.height + leg.up + station.level.at + station.shift.at,
        step.base,
    )


def crest(
    animal: Anatomy, walk: Walk, seen: Seen, seconds: float, ground: Callable[[float, float], float]
) -> float:
    """Return the height of the ground under the part of the trunk that a leg bears, later.

    A stiff trunk clears what is under any of it.
    """
    top = ground(seen.x, seen.z)
    if is_stiff(animal):
        for station in walk.stations:
            x = station.x + station.ux * seconds
            z = station.z + station.uz * seconds
            top = larger(top, top_under(animal, x, z, seen.turn, ground))
    return top


def cost(
    animal: Anatomy,
    leg: Leg,
    stance: Stance,
    foot: Point,
    far: float,
    best: float,
    ground: Callable[[float, float], float],
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
    own = stance.line + leg.follows * (foot.y - stance.base)
    if found < best:
        landing = cost_of(animal, leg, foot, own, stance.landing, ground)
        found += landing.cost
        hip = landing.hip
    if found < best:
        lifting = cost_of(animal, leg, foot, own, stance.lifting, ground)
        found += lifting.cost
        hip = larger(hip, lifting.hip)
    return Cost(found, hip)


def cost_of(
    animal: Anatomy,
    leg: Leg,
    foot: Point,
    own: float,
    leaning: Leaning,
    ground: Callable[[float, float], float],
) -> Cost:
    """Return what a leg costs that stands on a foothold with its hip at such a place.

    `own` is the height that the hip would like. If the leg is in the ground there, it is raised.
    """
    y = larger(own, leaning.least_y)
    dx = foot.x - leaning.hip_x
    dz = foot.z - leaning.hip_z
    square = dx * dx + dz * dz
    most = reach_of(leg, animal.straight)
    least = fold_of(leg, animal.least)
    distance = math.sqrt(square + (foot.y - y) * (foot.y - y))
    found = LONG * larger(distance - most, 0.0) + SHORT * larger(least - distance, 0.0)
    depth = depth_of(animal, leg, y, foot, leaning, ground)
    hip = foot.y
    if depth > 0.0 and most * most > square:
        top = smaller(y + RAISED * depth, foot.y + math.sqrt(most * most - square))
        left = depth_of(animal, leg, top, foot, leaning, ground) if top > y else depth
        if left < depth:
            found += HIGH * (top - y)
            depth = left
            hip = top
    return Cost((found + BURIED * depth) / animal.hip, hip)


def depth_of(
    animal: Anatomy,
    leg: Leg,
    y: float,
    foot: Point,
    leaning: Leaning,
    ground: Callable[[float, float], float],
) -> float:
    """Return how deep a leg would be in the ground with its hip at that height."""
    hip = Point(leaning.hip_x, y, leaning.hip_z)
    allowed = range_of(leg, animal.least, animal.straight)
    clear = CLEARANCE * animal.hip
    return buried(leg, hip, foot, leaning.angle, leaning.turn, allowed, clear, ground)
