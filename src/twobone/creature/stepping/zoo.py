"""The animals, in numbers. Lengths are metres, angles radians, phases cycles."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin, sqrt

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Gait, Leg, Manner
from twobone.creature.stepping.footholds import CLEARANCE
from twobone.creature.stepping.limbs import ankle_of, bend, between, pole_of, range_of
from twobone.creature.stepping.numbers import FLAT, GRAVITY, Point, side
from twobone.creature.stepping.path import SINKS, USED, reach_of

SLOWEST = 0.16  # of sqrt(g / hip): cycles per second at the least; slower looks unreal; taste
PARTS = 100  # of the distance of a foot at rest: how exactly `near` is found


def pair(
    station: int,
    *,
    hip: tuple[float, float],
    foot: tuple[float, float],
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float],
    share: float = 1.0,
    radial: bool = False,
) -> list[Leg]:
    """Return the left and the right leg of a station.

    `angles` are those of the third segment: rest, peel, curl, land.
    """
    size = sqrt(sum(part * part for part in pole))
    found = []
    for sign in (1.0, -1.0):
        ends = hip[0] * sign, hip[1], foot[0] * sign, foot[1]
        towards = pole[0] / size * sign, pole[1] / size, pole[2] / size
        found.append(Leg(station, sign, *ends, *bones, *towards, *angles, radial, share, 0.0, 0.0))
    return found


def standing_out(
    feet: Sequence[tuple[float, float]],
    *,
    hip: float,
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float],
) -> tuple[Leg, ...]:
    """Return legs that stand out from a trunk: a pair at each station, with its left foot."""
    parts = {"hip": (hip, 0.0), "bones": bones, "pole": pole, "angles": angles}
    return tuple(
        leg for k, foot in enumerate(feet) for leg in pair(k, foot=foot, radial=True, **parts)
    )


def derived(animal: Anatomy) -> Anatomy:
    """Return an animal with what follows from its other numbers."""
    count = len(animal.legs)
    hip = sum(animal.height + leg.up for leg in animal.legs) / count
    travel, across, reach = [], [], []
    for leg in animal.legs:
        # As `path.allowed` lets a leg stand.
        size = reach_of(leg, USED)
        high = (1.0 - SINKS) * (animal.height + leg.up)
        wide = abs(leg.foot_aside - leg.aside)
        flat = side(size, high * high)
        travel.append(2.0 * (side(size, high * high + wide * wide) - abs(leg.foot_ahead)))
        out = min(flat - wide, (1.0 - animal.wide) * abs(leg.foot_aside))
        across.append(2.0 * max(out, FLAT * flat))
        reach.append(leg.upper + leg.lower + leg.third)
    last, longest = animal.gaits[-1], min(travel)
    fastest = sqrt(GRAVITY / hip * last.high) / animal.stride
    return animal._replace(
        legs=tuple(
            leg._replace(follows=follows(animal, leg), near=near(animal, leg))
            for leg in animal.legs
        ),
        hip=hip,
        span=animal.along[-1] - animal.along[0],
        travel=longest,
        across=min(across),
        reach=max(reach),
        slowest=SLOWEST * sqrt(GRAVITY / hip),
        fastest=fastest,
        top_speed=min(last.high * sqrt(GRAVITY * hip), longest * fastest / last.duty_high),
    )


def follows(animal: Anatomy, leg: Leg) -> float:
    """Return how far a station rises with the ground under one foot: see `levels.level`."""
    count = len(animal.along)
    feet = sum(each.station == leg.station for each in animal.legs)
    middle = sum(animal.along) / count
    squares = sum((z - middle) ** 2 for z in animal.along)
    arm = animal.along[leg.station] - middle
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


def wave(pairs, slow, fast, high):
    """Return the gait of many legs: waves from rear to front, on both sides in turn."""

    def offsets(duty):
        return tuple(k * (1.0 - duty) + 0.5 * j for k in range(pairs) for j in (0, 1))

    return Gait(0.0, high, slow, fast, offsets(slow), offsets(fast), 0.0, 0.0, 1.0, 0.0)


WALK = 0.0, 0.5, 0.25, 0.75  # hind left, hind right, fore left, fore right
TROT = 0.0, 0.5, 0.5, 0.0
GALLOP = 0.0, 0.09, 0.40, 0.50
TURNS = 0.0, 0.5
WALKS_ON_FOUR = (
    Gait(0.0, 0.62, 0.68, 0.52, WALK, WALK, 0.35, 0.05, 1.0, 0.0),
    Gait(0.55, 1.3, 0.46, 0.34, TROT, TROT, 0.0, 0.03, 1.4, 0.03),
    Gait(1.15, 3.2, 0.30, 0.17, GALLOP, GALLOP, 0.0, 0.45, 2.4, 0.08),
)
WALKS_ON_TWO = (
    Gait(0.0, 0.85, 0.66, 0.52, TURNS, TURNS, 0.27, 0.0, 1.2, 0.0),
    Gait(0.75, 2.4, 0.42, 0.28, TURNS, TURNS, 0.0, 0.0, 2.0, 0.03),
)
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
    look=0.3,
    tail=0,
    hip=0.0,
    span=0.0,
    travel=0.0,
    across=0.0,
    reach=0.0,
    slowest=0.0,
    fastest=0.0,
    top_speed=0.0,
)


def dog() -> Anatomy:
    """Return a dog: it walks, trots and gallops."""
    hind = pair(
        0,
        hip=(0.10, -0.08),
        foot=(0.10, 0.03),
        bones=(0.245, 0.25, 0.19),
        pole=(0.12, 0.1, 1.0),
        angles=(1.15, 0.75, 0.35, 0.25),
        share=0.45,
    )
    fore = pair(
        1,
        hip=(0.10, -0.06),
        foot=(0.10, 0.02),
        bones=(0.235, 0.315, 0.13),
        pole=(0.12, 0.1, -1.0),
        angles=(1.25, 0.85, 1.1, 0.35),
        share=0.55,
    )
    return derived(
        USUAL._replace(
            name="dog",
            height=0.70,
            along=(-0.37, 0.38),
            bend=0.55,
            limp=1.0,
            tilt=0.95,
            bank=0.5,
            belly=0.16,
            legs=(*hind, *fore),
            gaits=WALKS_ON_FOUR,
            stride=2.0,
            lift=0.16,
            quick=0.30,
            strong=0.7,
            waits=False,
            steady=False,
            balance=0.0,
            straight=0.955,
            least=0.5,
            wide=0.35,
            manner=Manner(1.0, 0.25, 0.10, 0.12, 0.18, 0.12, 0.07, 0.5, 0.35, 0.5, 1.6),
            tail=4,
        )
    )


def bird() -> Anatomy:
    """Return a bird: two legs that walk and run."""
    legs = pair(
        0,
        hip=(0.13, 0.0),
        foot=(0.11, 0.10),
        bones=(0.30, 0.43, 0.40),
        pole=(0.2, 0.0, 1.0),
        angles=(1.15, 0.65, 0.35, 0.2),
    )
    return derived(
        USUAL._replace(
            name="bird",
            height=0.92,
            along=(0.0,),
            tilt=0.0,
            bank=0.1,
            belly=0.2,
            legs=tuple(legs),
            gaits=WALKS_ON_TWO,
            stride=2.2,
            lift=0.16,
            quick=0.25,
            strong=0.6,
            waits=False,
            steady=False,
            balance=0.0,
            straight=0.95,
            least=0.5,
            wide=0.3,
            manner=Manner(1.0, 0.0, 0.0, 0.12, 0.16, 0.16, 0.06, 0.4, 0.4, 0.5, 1.0),
            tail=2,
        )
    )


def insect() -> Anatomy:
    """Return an insect on six legs, like Quilez's."""
    along = (-0.8, 0.0, 0.8)
    legs = standing_out(
        [(1.65, 0.75 * z) for z in along],
        hip=0.5,
        bones=(1.6, 0.95, 0.32),
        pole=(0.3, 1.0, 0.0),
        angles=(0.75, 0.7, 0.5, 0.15),
    )
    return derived(
        USUAL._replace(
            name="insect",
            height=1.1,
            along=along,
            legs=legs,
            gaits=(wave(3, 0.7, 0.52, 0.56),),
            belly=0.28,
            half=0.4,
            tilt=0.9,
            limp=0.15,
            bend=0.08,
            stride=2.6,
            lift=0.16,
            tail=2,
        )
    )


def spider() -> Anatomy:
    """Return a spider: eight long legs around a small trunk."""
    along = (-0.375, -0.125, 0.125, 0.375)
    legs = standing_out(
        [
            (1.75 * cos(angle), 1.75 * sin(angle) - z)
            for z, angle in zip(along, map(radians, (-58, -20, 20, 58)), strict=True)
        ],
        hip=0.35,
        bones=(1.5, 1.25, 0.42),
        pole=(0.5, 1.0, 0.0),
        angles=(0.8, 0.6, 0.5, 0.15),
    )
    return derived(
        USUAL._replace(
            name="spider",
            height=1.05,
            along=along,
            legs=legs,
            gaits=(wave(4, 0.7, 0.55, 0.45),),
            belly=0.31,
            half=0.3,
            tail=2,
        )
    )


def crab() -> Anatomy:
    """Return a crab: eight legs, wide and low."""
    along = (-0.6, -0.2, 0.2, 0.6)
    legs = standing_out(
        [(1.5, 0.5 * z) for z in along],
        hip=0.6,
        bones=(0.8, 0.68, 0.26),
        pole=(0.4, 1.0, 0.0),
        angles=(1.15, 0.4, 0.3, 0.15),
    )
    return derived(
        USUAL._replace(
            name="crab",
            height=0.62,
            along=along,
            legs=legs,
            gaits=(wave(4, 0.7, 0.52, 0.49),),
            belly=0.26,
            half=0.6,
            lift=0.22,
        )
    )


def centipede() -> Anatomy:
    """Return a centipede: twenty short legs along a trunk that bends."""
    along = tuple(-2.25 + 0.5 * k for k in range(10))
    legs = standing_out(
        [(0.7, 0.0)] * len(along),
        hip=0.22,
        bones=(0.48, 0.40, 0.17),
        pole=(1.0, 1.0, 0.0),
        angles=(0.8, 0.6, 0.5, 0.15),
    )
    manner = Manner(0.8, 0.0, 0.3, 0.5, 0.12, 0.12, 0.05, 0.0, 0.1, 0.8, 1.6)
    return derived(
        USUAL._replace(
            name="centipede",
            height=0.45,
            along=along,
            legs=legs,
            gaits=(wave(10, 0.70, 0.62, 0.35),),
            belly=0.11,
            limp=1.0,
            bend=0.32,
            stride=2.0,
            lift=0.22,
            quick=0.3,
            strong=0.5,
            steady=False,
            balance=0.0,
            manner=manner,
            tail=3,
        )
    )


ANIMALS = {
    "insect": insect,
    "spider": spider,
    "dog": dog,
    "bird": bird,
    "crab": crab,
    "centipede": centipede,
}
