"""Where a foot lands: the place it wants, or a better one near it."""

from __future__ import annotations

import math

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.belly import top_under
from twobone.creature.stepping.costs import (
    BURIED,
    FAR,
    HIGH,
    SHORT,
    Leaning,
    Stance,
    cost,
    depth_of,
    liked,
    square_of,
)
from twobone.creature.stepping.levels import height_at, moved, together
from twobone.creature.stepping.numbers import (
    HUGE,
    Above,
    Ground,
    Point,
    clamp,
    facing,
    larger,
    length,
    mix,
    placed,
    smaller,
)
from twobone.creature.stepping.path import Seen, ahead, fold_of, is_stiff, lasting, reach_of, wanted
from twobone.creature.stepping.records import Step, Walk
from twobone.creature.stepping.rhythm import clock, left_to_stand, left_to_swing, other
from twobone.creature.stepping.soles import lift_over
from twobone.creature.stepping.swings import (
    CLEARANCE,
    aim,
    highest,
    lifted_by,
    planned,
    risen_by,
)

# Places that are compared: rings around the one that is wanted. Taste.
RINGS = 4
DIRECTIONS = 8  # of the places of a ring
APART = 0.1  # of a leg: between rings
NOWHERE = 3.0  # a foothold that costs so much is none; taste
SWING = 14  # places below a swing that are looked at to choose it; taste
LATE = 3  # of them, the last: there the leg is nearly as it lands, with the ground behind it; taste
GOOD = 0.35  # a foothold that costs less is taken before the next ring is looked at


def choose(animal: Anatomy, walk: Walk, i: int, ground: Ground) -> None:
    """Choose where a foot lands: its goal, what that costs, and the slope below its third segment.

    Places in rings around the one that is wanted are compared until one is good.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    station = walk.stations[leg.station]
    step.want = wanted(animal, leg, walk, step)
    landing = left_to_swing(animal, walk, step)
    first = ahead(animal, walk, station, landing)
    stance = stance_of(animal, leg, walk, step, first, ground)
    size = APART * (leg.upper + leg.lower + leg.third)
    # On its own side of the trunk, and of the other foot of the pair, where the trunk goes across
    # that; legs of one that turns may cross.
    beside = walk.steps[other(i)].goal
    across = aside_of(leg, station.facing, beside.x - station.x, beside.z - station.z)
    across -= leg.side * walk.aside.at * lasting(animal, walk, landing)
    own = animal.wide * abs(leg.foot_aside)
    least = larger(own, across + 2.0 * own)
    best = NOWHERE
    ring = 0
    while ring <= RINGS and best > larger(GOOD, FAR * ring):
        count = 1 if ring == 0 else DIRECTIONS
        for j in range(count):
            around = facing(2.0 * math.pi * j / DIRECTIONS)
            x = step.want.x + size * ring * around.s
            z = step.want.z + size * ring * around.c
            inward = larger(least - aside_of(leg, first.turn, x - first.x, z - first.z), 0.0)
            x += inward * leg.side * first.turn.c
            z -= inward * leg.side * first.turn.s
            foot = Point(x, ground(x, z), z)
            found = cost(animal, leg, stance, foot, FAR * ring, best, ground)
            if found.cost < best:
                swing = swung(animal, walk, i, stance, foot, found.slope, best - found.cost, ground)
                if found.cost + swing < best:
                    best = found.cost + swing
                    step.goal = foot
                    step.least_hip = found.hip
                    step.slope = found.slope
        ring += 1
    step.lost = best == NOWHERE
    if step.lost:
        # A leg in the air keeps its plan; another one steps where it stood.
        best = 0.0
        if step.part == 0.0:
            step.goal = Point(step.stood.x, ground(step.stood.x, step.stood.z), step.stood.z)
            step.least_hip = step.goal.y
            step.slope = step.slope_before
    step.under = step.goal.y
    # A foothold that costs no more than two rings is as good as any.
    step.cost = clamp(best - 2.0 * FAR, 0.0, 2.0)


def aside_of(leg: Leg, turn: Turn, x: float, z: float) -> float:
    """Return how far a way leads to the side of a leg, for one who faces so."""
    return (x * turn.c - z * turn.s) * leg.side


def swung(
    animal: Anatomy,
    walk: Walk,
    i: int,
    stance: Stance,
    foot: Point,
    slope: float,
    most: float,
    ground: Ground,
) -> float:
    """Return what it costs to swing to a foothold: over what is in its way, below the hip.

    A leg that comes down behind an edge may be in the ground before it lands: that is looked at
    only where the rest costs less than `most`.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    if step.down:
        return 0.0
    aim(step, foot, walk.duty.at)
    lifted = lift_over(animal, walk, i, foot, slope, SWING, ground)
    if lifted > highest(animal, step):
        return HUGE
    hip = liked(leg, stance, foot)
    least = fold_of(leg, animal.least)
    landing = stance.landing
    angle = landing.angle + slope
    short = 0.0
    found = HIGH * lifted / animal.hip
    for n in range(SWING):
        gone = (n + 1.0) / (SWING + 1.0)
        part = mix(step.part, 1.0, gone)
        way = planned(step, foot, part)
        high = way.y + lifted_by(step, part) + risen_by(step, lifted, part)
        x = mix(step.hip.x, landing.hip.x, gone)
        y = mix(step.hip.y, hip, gone)
        z = mix(step.hip.z, landing.hip.z, gone)
        square = least * least - square_of(Above(x, z), way)
        if square > 0.0:
            more = larger(high - y + math.sqrt(square) - short, 0.0)
            short += more
            found += SHORT * more / animal.hip
        if n >= SWING - LATE and found < most:
            raised = Point(way.x, high, way.z)
            still = Point(0.0, 0.0, 0.0)
            toes = landing.toes
            deep = depth_of(animal, leg, Point(x, y, z), raised, angle, toes, still, ground)
            found += BURIED * deep / animal.hip
    return found


def stance_of(
    animal: Anatomy, leg: Leg, walk: Walk, step: Step, first: Seen, ground: Ground
) -> Stance:
    """Return how a leg will land, with its station as it is seen then, and how it will lift."""
    landing = left_to_swing(animal, walk, step)
    lifting = landing + walk.duty.at / clock(animal, walk)
    station = walk.stations[leg.station]
    last = ahead(animal, walk, station, lifting)
    # The trunk rises before a crest, so it is high enough for both.
    rolled = facing(walk.roll.at).s
    top = larger(
        crest(animal, leg, walk, first, landing, rolled, ground),
        crest(animal, leg, walk, last, lifting, rolled, ground),
    )
    hip = leg.up + leg.aside * rolled
    high = larger(top + animal.belly + CLEARANCE * animal.hip, station.floor) + hip
    # A foot that lands on its heel has rolled over it when it stands.
    land = leg.land if leg.heel == 0.0 else 0.0
    landed = leg.rest - walk.vigour.at * land
    peeled = leg.rest + walk.vigour.at * leg.peel
    # Until a leg lands, the body stays over the others.
    x = first.x + walk.balance_x.at
    z = first.z + walk.balance_z.at
    lands = placed(x, z, first.turn, leg.aside, 0.0)
    lifts = placed(last.x, last.z, last.turn, leg.aside, 0.0)
    # It comes from above, and leaves upwards and ahead.
    clear = CLEARANCE * animal.hip
    way = Point(last.x - first.x, 0.0, last.z - first.z)
    share = math.sqrt(0.5) * clear / larger(length(way), clear)
    above = Point(0.0, -clear, 0.0)
    before = Point(share * way.x, -math.sqrt(0.5) * clear, share * way.z)
    return Stance(
        Leaning(lands, high, landed, first.turn, above),
        Leaning(lifts, high, peeled, first.turn, before),
        animal.height + hip + station.level.at + station.shift.at,
        HUGE if step.down else held(animal, leg, walk, landing, rolled) + hip,
        step.base,
    )


def held(animal: Anatomy, leg: Leg, walk: Walk, seconds: float, rolled: float) -> float:
    """Return how high the legs let the station of one in the air be, which stand when it lands."""
    station = walk.stations[leg.station]
    high = animal.highest + station.level.at
    for bearer, step in zip(animal.legs, walk.steps, strict=True):
        stays = step.down and left_to_stand(animal, walk, step) > seconds
        if stays and bearer.station == leg.station:
            hip = moved(station, step.hip, seconds)
            top = step.foot.y + height_at(reach_of(bearer, animal.straight), hip, step.foot)
            high = smaller(high, top - bearer.up - bearer.aside * rolled)
    return high


def crest(
    animal: Anatomy, leg: Leg, walk: Walk, seen: Seen, seconds: float, rolled: float, ground: Ground
) -> float:
    """Return how high the ground lets the trunk be where it bears a leg, later."""
    if not is_stiff(animal):
        return top_under(animal, seen.x, seen.z, seen.turn, rolled, ground)
    tops: list[float] = []
    for station in walk.stations:
        x = station.x + station.ux * seconds
        z = station.z + station.uz * seconds
        tops.append(top_under(animal, x, z, seen.turn, rolled, ground))
    together(animal, tops)
    return tops[leg.station]
