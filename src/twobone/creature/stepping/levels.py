"""How high the trunk is: over its feet, and shifted where belly or legs need room."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.belly import foresight, free_belly
from twobone.creature.stepping.lines import fit, line_over
from twobone.creature.stepping.numbers import (
    GRAVITY,
    HUGE,
    TINY,
    Damped,
    Ground,
    Point,
    clamp,
    larger,
    side,
    smaller,
    smooth,
)
from twobone.creature.stepping.path import fold_of, is_stiff, reach_of
from twobone.creature.stepping.records import Pose, Station, Step, Walk
from twobone.creature.stepping.rhythm import (
    DECIDED,
    WITH_STEPS,
    clock,
    left_to_stand,
    left_to_swing,
    settle,
)
from twobone.creature.stepping.support import USED

PUSH = 1.0  # of gravity: legs that bear twice the weight accelerate a body up by so much; taste
FALL = 0.7  # of gravity: a body that sinks falls at most so fast, beside what its legs give; taste


def level(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Move each station to the height of the ground under its feet, planned footholds included."""
    count = len(walk.stations)
    own = [0.0 for _ in range(count)]
    feet = [0.0 for _ in range(count)]
    tipped = 0.0
    width = 0.0
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        own[leg.station] += step.base
        feet[leg.station] += 1.0
        tipped += step.base * leg.side
        width += abs(leg.foot_aside)
    for k in range(count):
        own[k] /= feet[k]
    fitted = fit(animal, own)
    # Feet are farther apart than the stations over which the line is fitted.
    slope = animal.tilt / animal.fan * fitted.slope
    rate = WITH_STEPS * clock(animal, walk)
    for k, station in enumerate(walk.stations):
        line = fitted.middle + slope * (animal.along[k] - animal.middle)
        near = own[k]
        if count > 2:
            before = k - 1 if k > 0 else 0
            after = k + 1 if k + 1 < count else k
            near = (own[before] + 2.0 * own[k] + own[after]) / 4.0
        station.goal = line + animal.limp * (near - line)
        speed = station.level.speed
        move(station.level, station.goal, rate, HUGE, FALL * GRAVITY, dt)
        station.sinks = (speed - station.level.speed) / dt if dt > 0.0 else 0.0
    settle(walk.roll, animal.bank * tipped / width, rate, dt)


def move(value: Damped, goal: float, rate: float, fastest: float, sinks: float, dt: float) -> None:
    """Settle a height that rises at most so fast, and accelerates down by at most `sinks`."""
    before = value.at
    speed = value.speed
    settle(value, goal, rate, dt)
    if dt > 0.0:
        most = PUSH * GRAVITY * dt
        value.speed = clamp(smaller(value.speed, fastest), speed - sinks * dt, speed + most)
        value.at = before + 0.5 * (speed + value.speed) * dt


def shift(animal: Anatomy, walk: Walk, pose: Pose, heave: float, ground: Ground, dt: float) -> None:
    """Raise or lower stations, so that the belly clears the ground and legs reach their feet.

    Where both do not go together, the belly comes first, but the trunk rises no faster than legs
    that stand allow. Both are looked at now and when they will matter: the belly on its way, a leg
    when it lifts or lands, at most so far ahead. The heave of a pose is left out: it passes before
    a shift follows it.
    """
    count = len(walk.stations)
    least = [-HUGE for _ in range(count)]
    down = [0.0 for _ in range(count)]
    rate = WITH_STEPS * clock(animal, walk)
    free_belly(animal, walk, pose, heave, ground, least)
    for station in walk.stations:
        station.fastest = HUGE
    flight = True
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        high = pose.stands[i].hip
        hip = Point(high.x, high.y - heave, high.z)
        flight = flight and not step.down
        free_leg(animal, walk, leg, step, hip, least, down)
        bearer = walk.stations[leg.station]
        if step.down:
            bearer.fastest = smaller(
                bearer.fastest, fastest_rise(animal, walk, leg, step.foot, hip)
            )
        elif animal.steady and step.part > DECIDED:
            # It cannot do without the foot that lands; until then, another place may do.
            later = moved(bearer, hip, left_to_swing(animal, walk, step))
            there = Point(later.x, hip.y, later.z)
            fastest = fastest_rise(animal, walk, leg, step.goal, there)
            bearer.fastest = smaller(bearer.fastest, fastest)
    up = [larger(rise, 0.0) for rise in least]
    together(animal, up)
    together(animal, down)
    rises = False
    if is_stiff(animal):
        slowest = HUGE
        for k, station in enumerate(walk.stations):
            rises = rises or up[k] > 0.0
            slowest = smaller(slowest, station.fastest)
        for station in walk.stations:
            station.fastest = slowest
    for k, station in enumerate(walk.stations):
        goal = up[k]
        if rises or goal > 0.0:
            station.floor = larger(station.floor, pose.frames[k].y - heave + goal)
        else:
            goal = larger(-down[k], smaller(least[k], 0.0))
            if flight:
                goal = smaller(goal, station.shift.at)
        # Both together fall no faster than one may.
        sinks = clamp(FALL * GRAVITY - station.sinks, 0.0, FALL * GRAVITY)
        # A leg that cannot reach its foot lifts; it does not press the trunk into another one.
        room = smaller(rate * (least[k] - station.shift.at), 0.0)
        move(station.shift, goal, rate, larger(station.fastest, room), sinks, dt)
    if is_stiff(animal):
        straighten(animal, walk)


def fastest_rise(animal: Anatomy, walk: Walk, leg: Leg, foot: Point, hip: Point) -> float:
    """Return how fast a station may be shifted up for a leg that stands to keep its foot in reach.

    The nearer to the end of its reach, the slower; `hip` is its hip before the shift.
    """
    bearer = walk.stations[leg.station]
    top = foot.y + height_at(reach_of(leg, USED), hip, foot)
    left = top - hip.y - bearer.shift.at
    rises = bearer.level.speed + leg.aside * walk.roll.speed
    rate = WITH_STEPS * clock(animal, walk)
    brakes = math.sqrt(2.0 * FALL * GRAVITY * larger(left, 0.0))
    return smaller(rate * left, brakes) - rises


def free_leg(
    animal: Anatomy,
    walk: Walk,
    leg: Leg,
    step: Step,
    hip: Point,
    least: list[float],
    down: list[float],
) -> None:
    """Note by how much the station of a leg must rise or sink for it, now and when it lifts.

    What a leg in the air needs where it will land counts more and more. Where `least` is below 0,
    a station may sink so far, and no farther for another leg.
    """
    at = leg.station
    bearer = walk.stations[at]
    share = 1.0
    foot = step.goal
    first = 0.0
    if step.down:
        foot = step.foot
        seconds = smaller(left_to_stand(animal, walk, step), foresight(animal, walk))
        down[at] = larger(down[at], too_high(animal, leg, hip, foot))
    else:
        share = smooth(step.part / DECIDED)
        seconds = left_to_swing(animal, walk, step)
        first = seconds
    later = moved(bearer, hip, seconds)
    # It is nearest to its foot in between.
    u = bearer.ux * bearer.ux + bearer.uz * bearer.uz + TINY
    way = (foot.x - hip.x) * bearer.ux + (foot.z - hip.z) * bearer.uz
    over = clamp(way / u, first, larger(seconds, foresight(animal, walk)))
    high = hip.y if step.down else later.y
    lacks = too_low(animal, leg, moved(bearer, hip, over), foot)
    lacks = larger(lacks, step.least_hip - high)
    least[at] = larger(least[at], smaller(lacks, share * lacks))
    down[at] = larger(down[at], share * too_high(animal, leg, later, foot))


def moved(bearer: Station, hip: Point, seconds: float) -> Point:
    """Return a hip after a time, if its station moves on as now."""
    return Point(
        hip.x + bearer.ux * seconds,
        hip.y + bearer.level.speed * seconds,
        hip.z + bearer.uz * seconds,
    )


def too_high(animal: Anatomy, leg: Leg, hip: Point, foot: Point) -> float:
    """Return by how much a hip is too high for its leg to reach a foot, in metres; 0 if not."""
    return larger(hip.y - foot.y - height_at(reach_of(leg, animal.straight), hip, foot), 0.0)


def too_low(animal: Anatomy, leg: Leg, hip: Point, foot: Point) -> float:
    """Return by how much a hip is too low for its leg to fold, in metres, less than 0 if not."""
    return height_at(fold_of(leg, animal.least), hip, foot) - (hip.y - foot.y)


def height_at(distance: float, hip: Point, foot: Point) -> float:
    """Return how high a hip is over a foot at a distance from it, or little if it is far away."""
    dx = foot.x - hip.x
    dz = foot.z - hip.z
    return side(distance, dx * dx + dz * dz)


def together(animal: Anatomy, shifts: list[float]) -> None:
    """Shift a stiff trunk along a line; of a limp one, neighbours by half as much."""
    count = len(shifts)
    if is_stiff(animal):
        line = line_over(animal, shifts)
        for k in range(count):
            shifts[k] = line.middle + line.slope * (animal.along[k] - animal.middle)
    elif count > 2:
        before = 0.0
        for k in range(count):
            own = shifts[k]
            after = shifts[k + 1] if k + 1 < count else own
            shifts[k] = larger(own, 0.5 * (before + after))
            before = own


def straighten(animal: Anatomy, walk: Walk) -> None:
    """Move the shifts of a stiff trunk, and their rates, to those of a line."""
    at = fit(animal, [station.shift.at for station in walk.stations])
    speed = fit(animal, [station.shift.speed for station in walk.stations])
    for k, station in enumerate(walk.stations):
        arm = animal.along[k] - animal.middle
        station.shift.at = at.middle + at.slope * arm
        station.shift.speed = speed.middle + speed.slope * arm
