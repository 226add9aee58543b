"""Anatomies of animals from their measures, and what follows from these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from twobone.core.transcendental import Turn
from twobone.creature.checking import checked, checked_names
from twobone.creature.stepping.anatomy import Anatomy, Leg, Manner
from twobone.creature.stepping.limbs import ankle_of, bend, between, pole_of, range_of
from twobone.creature.stepping.numbers import FLAT, GRAVITY, Point, side
from twobone.creature.stepping.path import SINKS, USED, reach_of
from twobone.creature.stepping.swings import CLEARANCE
from twobone.errors import CreatureError

SLOWEST = 0.16  # of sqrt(g / hip): cycles per second at the least; slower looks unreal; taste
BRIEF = 0.08  # seconds: the least time of a swing, of which a film shows two frames; taste
PARTS = 100  # of the distance of a foot at rest: how exactly `near` is found
ON_SIX = Manner(1.0, 0.6, 0.5, 0.12, 0.10, 0.07, 0.03, 0.3, 0.2, 0.5, 1.3)


# What animals on six legs and more have in common, and where others begin; sizes are derived.
USUAL = Anatomy(
    name="",
    height=0.0,
    along=(),
    bend=0.0,
    limp=0.0,
    tilt=0.8,
    bank=0.6,
    belly=0.0,
    half=0.0,
    legs=(),
    gaits=(),
    stride=2.4,
    lift=0.2,
    quick=0.22,
    strong=0.6,
    waits=True,
    steady=True,
    balance=0.2,
    lead=0.08,
    straight=0.965,
    least=0.15,
    wide=0.6,
    manner=ON_SIX,
    tail=0,
    hip=0.0,
    middle=0.0,
    span=0.0,
    highest=0.0,
    travel=0.0,
    across=0.0,
    reach=0.0,
    slowest=0.0,
    fastest=0.0,
    top_speed=0.0,
)


def make_anatomy(**fields: Any) -> Anatomy:
    """Make an animal from its measures, and derive what follows from them.

    Parameters
    ----------
    **fields
        Those of `Anatomy`, in metres, radians and cycles, but for the derived ones. What is not
        given is as for an animal on six legs. `height`, `along`, `legs` (see `pair`) and `gaits`
        are needed.

    Returns
    -------
    Anatomy

    Raises
    ------
    CreatureError
        If a field is unknown, missing or out of range, or a leg does not reach the ground; the
        message names it.
    ShapeError, ArrayTypeError
        If a field is of another kind.

    Examples
    --------
    >>> from twobone.creature import Gait, make_anatomy, pair
    >>> legs = [
    ...     leg
    ...     for station in (0, 1)
    ...     for leg in pair(
    ...         station, hip=(0.1, 0.0), foot=(0.1, 0.0), bones=(0.3, 0.3, 0.0), pole=(0, 0, 1)
    ...     )
    ... ]
    >>> offsets = (0.0, 0.5, 0.5, 0.0)
    >>> trot = Gait(0.0, 1.0, 0.5, 0.5, offsets, offsets, 0.0, 0.0, 1.0, 0.0)
    >>> stool = make_anatomy(
    ...     height=0.5, along=(-0.3, 0.3), legs=legs, gaits=[trot], waits=False, steady=False
    ... )
    >>> round(stool.top_speed, 1)
    2.2
    """
    return derived(checked(USUAL._replace(**checked_names(fields))))


def pair(
    station: int,
    *,
    hip: tuple[float, float],
    foot: tuple[float, float],
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    share: float = 1.0,
    radial: bool = False,
) -> tuple[Leg, Leg]:
    """Return the left and the right leg of a station.

    Parameters
    ----------
    station : int
        Which station of the trunk bears them, counted from the rear.
    hip : (float, float)
        Of the left leg, to the left of the station and above it.
    foot : (float, float)
        Of the left leg at rest, to the left of the station and ahead of it.
    bones : (float, float, float)
        Lengths of the two bones, and of the third segment, on which the leg stands: 0 for none.
    pole : (float, float, float)
        Where the left knee points: to the left, up and ahead.
    angles : (float, float, float, float)
        Of the third segment, in radians: at rest above the ground, by how much it has risen when
        the foot lifts, by how much it folds more in a swing, and is stretched when it lands.
    share : float
        Of the weight that a leg bears, in any unit.
    radial : bool
        Whether the third segment lies away from the body, as a tarsus, and not forward.
    """
    size = sqrt(total(part * part for part in pole)) or 1.0
    found = []
    for sign in (1.0, -1.0):
        ends = hip[0] * sign, hip[1], foot[0] * sign, foot[1]
        towards = pole[0] / size * sign, pole[1] / size, pole[2] / size
        found.append(Leg(station, sign, *ends, *bones, *towards, *angles, radial, share, 0.0, 0.0))
    return found[0], found[1]


def standing_out(
    feet: Sequence[tuple[float, float]],
    *,
    hip: float,
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float],
) -> tuple[Leg, ...]:
    """Return legs that stand out from a trunk: a pair at each station, with its left foot."""
    return tuple(
        leg
        for k, foot in enumerate(feet)
        for leg in pair(
            k, hip=(hip, 0.0), foot=foot, bones=bones, pole=pole, angles=angles, radial=True
        )
    )


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
    return animal._replace(
        legs=tuple(
            leg._replace(follows=follows(animal, leg), near=near(animal, leg))
            for leg in animal.legs
        ),
        hip=hip,
        span=animal.along[-1] - animal.along[0],
        highest=min(highest),
        travel=longest,
        across=min(across),
        reach=max(reach),
        slowest=SLOWEST * sqrt(GRAVITY / hip),
        fastest=fastest,
        top_speed=min(last.high * sqrt(GRAVITY * hip), longest * fastest / last.duty_high),
    )


def total(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added one by one.

    That of `sum` has other last bits from Python 3.12 on.
    """
    found = 0.0
    for number in numbers:
        found += number
    return found


def follows(animal: Anatomy, leg: Leg) -> float:
    """Return how far a station rises with the ground under one foot: see `levels.level`."""
    count = len(animal.along)
    feet = sum(each.station == leg.station for each in animal.legs)
    squares = total((z - animal.middle) ** 2 for z in animal.along)
    arm = animal.along[leg.station] - animal.middle
    line = 1.0 / count + (animal.tilt * arm * arm / squares if squares else 0.0)
    near = 1.0 if count < 3 else 0.5 if 0 < leg.station < count - 1 else 0.75
    return (line + animal.limp * (near - line)) / feet


def near(animal: Anatomy, leg: Leg) -> float:
    """Return how near the hip of a standing leg comes to its foot before the knee is in the ground.

    Seen from above, for a leg that stands out from its trunk; others pass their feet.
    """
    if not leg.radial:
        return 0.0
    out = abs(leg.foot_aside - leg.aside)
    high = animal.height + leg.up
    allowed = range_of(leg, animal.least, animal.straight)
    turn = Turn(1.0, 0.0)
    free = out
    for k in range(PARTS, -1, -1):
        distance = out * k / PARTS
        hip, foot = Point(0.0, high, 0.0), Point(leg.side * distance, 0.0, 0.0)
        ankle = ankle_of(leg, hip, foot, leg.rest, turn, allowed)
        way = between(hip, ankle)
        knee = bend(way, leg.upper, leg.lower, pole_of(leg, turn, way))
        if high + knee.y < CLEARANCE * animal.height:
            break
        free = distance
    return free
