"""What follows from the measures of an animal: sizes, how far it steps, and its highest speed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Gait, Leg
from twobone.creature.stepping.limbs import ankle_of, between, length, range_of
from twobone.creature.stepping.numbers import FLAT, GRAVITY, Point, side
from twobone.creature.stepping.path import reach_of
from twobone.creature.stepping.rhythm import SLOWEST
from twobone.creature.stepping.support import SINKS, USED
from twobone.errors import CreatureError

BRIEF = 0.08  # seconds: the least time of a swing, of which a film shows two frames; taste


def derived(animal: Anatomy) -> Anatomy:
    """Return an animal with what follows from its other numbers."""
    count = len(animal.legs)
    hip = total(animal.height + leg.up for leg in animal.legs) / count
    travel, across, reach, highest = [], [], [], []
    for leg in animal.legs:
        # As `path.allowed` lets a leg stand.
        size = reach_of(leg, USED)
        high = (1.0 - SINKS) * (animal.height + leg.up)
        wide = abs(leg.foot_aside - leg.aside)
        flat = side(size, high * high)
        travel.append(2.0 * (side(size, high * high + wide * wide) - abs(leg.foot_ahead)))
        out = min(flat - wide, (1.0 - animal.wide) * abs(leg.foot_aside))
        across.append(2.0 * max(out, FLAT * flat))
        highest.append(side(reach_of(leg, animal.straight), wide * wide) - leg.up)
        reach.append(leg.upper + leg.lower + leg.third)
    last, longest = animal.gaits[-1], min(travel)
    if longest <= 0.0:
        leg = travel.index(longest)
        wanted = "be long enough for the trunk to move over its foot (try longer bones)"
        raise CreatureError(f"legs[{leg}]", wanted, f"{longest:.3g} of way")
    most = max(max(gait.duty_low, gait.duty_high) for gait in animal.gaits)
    fastest = min(sqrt(GRAVITY / hip * last.high) / animal.stride, (1.0 - most) / BRIEF)
    animal = animal._replace(middle=total(z / len(animal.along) for z in animal.along))
    animal = animal._replace(fan=fan(animal))
    animal = animal._replace(legs=tuple(hanging(animal, leg) for leg in animal.legs))
    return animal._replace(
        legs=tuple(leg._replace(follows=follows(animal, leg)) for leg in animal.legs),
        hip=hip,
        span=animal.along[-1] - animal.along[0],
        highest=min(highest),
        travel=longest,
        across=min(across),
        reach=max(reach),
        slowest=min(SLOWEST * sqrt(GRAVITY / hip), fastest),
        fastest=fastest,
        top_speed=fastest_of(animal.gaits, sqrt(GRAVITY * hip), longest * fastest),
    )


def fastest_of(gaits: Sequence[Gait], root: float, way: float) -> float:
    """Return the highest speed v of gaits at which v times the duty factor is at most `way`.

    That is the length of a stance over the time of the shortest cycle. Within a gait, the duty
    factor changes in proportion to the speed over `root`, sqrt(g hip).
    """
    found = low = 0.0
    for gait in gaits:
        high = gait.high * root
        rise = (gait.duty_high - gait.duty_low) / ((gait.high - gait.low) * root)
        duty = gait.duty_low - rise * gait.low * root
        if high * gait.duty_high <= way:
            found = high
        elif low * (duty + rise * low) < way:
            found = 2.0 * way / (duty + sqrt(duty * duty + 4.0 * rise * way))
        low = high
    return found


def total(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added one by one.

    That of `sum` has other last bits from Python 3.12 on.
    """
    found = 0.0
    for number in numbers:
        found += number
    return found


def fan(animal: Anatomy) -> float:
    """Return how many times as far apart as its stations the feet of an animal are, at least 1.

    It is the slope of the line through feet over stations, by least squares.
    """
    arms = [z - animal.middle for z in animal.along]
    squares = total(arm * arm for arm in arms)
    if squares == 0.0:
        return 1.0
    ahead = [0.0] * len(arms)
    for leg in animal.legs:
        feet = sum(each.station == leg.station for each in animal.legs)
        ahead[leg.station] += leg.foot_ahead / feet
    return max(1.0, 1.0 + total(a * arm for a, arm in zip(ahead, arms, strict=True)) / squares)


def follows(animal: Anatomy, leg: Leg) -> float:
    """Return how far a station rises with the ground under one foot: see `levels.level`."""
    count = len(animal.along)
    feet = sum(each.station == leg.station for each in animal.legs)
    squares = total((z - animal.middle) ** 2 for z in animal.along)
    arm = animal.along[leg.station] - animal.middle
    tilt = animal.tilt / animal.fan
    line = 1.0 / count + (tilt * arm * arm / squares if squares else 0.0)
    near = 1.0 if count < 3 else 0.5 if 0 < leg.station < count - 1 else 0.75
    return (line + animal.limp * (near - line)) / feet


def hanging(animal: Anatomy, leg: Leg) -> Leg:
    """Return a leg that knows where its ankle is at rest, seen from the hip."""
    hip = Point(leg.aside, animal.height + leg.up, 0.0)
    foot = Point(leg.foot_aside, 0.0, leg.foot_ahead)
    allowed = range_of(leg, animal.least, animal.straight)
    way = between(hip, ankle_of(leg, hip, foot, leg.rest, Turn(1.0, 0.0), allowed))
    size = length(way)
    return leg._replace(ankle_aside=way.x / size, ankle_up=way.y / size, ankle_ahead=way.z / size)
