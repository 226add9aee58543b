"""How an animal starts: it stands on all its feet, if it fits where it is put."""

from __future__ import annotations

import math
from collections.abc import Callable

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.footholds import choose
from twobone.creature.stepping.legs import land
from twobone.creature.stepping.levels import level
from twobone.creature.stepping.limbs import between, buried, length, range_of
from twobone.creature.stepping.numbers import HUGE, TINY, Damped, Point, facing, larger
from twobone.creature.stepping.path import place_stations, placed_x, placed_z, reach_of
from twobone.creature.stepping.pose import posed
from twobone.creature.stepping.records import (
    Course,
    Hanging,
    Lie,
    Order,
    Pose,
    Station,
    Step,
    Walk,
)
from twobone.creature.stepping.soles import lie_of

# Why an animal does not fit where it is put.
FITS, TOO_FAR, TOO_NEAR, LEG_BURIED, BELLY_BURIED = 0, 1, 2, 3, 4


def started(
    animal: Anatomy, x: float, z: float, yaw: float, ground: Callable[[float, float], float]
) -> Walk:
    """Return an animal that stands on all its feet."""
    gait = animal.gaits[0]
    walk = Walk(
        x=x,
        z=z,
        yaw=yaw,
        aside=at_rest(0.0),
        ahead=at_rest(0.0),
        turn=at_rest(0.0),
        asked=Order(0.0, 0.0, 0.0),
        felt_aside=at_rest(0.0),
        felt_ahead=at_rest(0.0),
        duty=at_rest(gait.duty_low),
        vault=at_rest(gait.vault),
        flex=at_rest(gait.flex),
        beat=at_rest(0.0),
        vigour=at_rest(0.0),
        stations=[
            Station(
                yaw=yaw,
                facing=facing(yaw),
                level=at_rest(0.0),
                shift=at_rest(0.0),
                fastest=HUGE,
                swing=at_rest(0.0),
                drop=at_rest(0.0),
            )
            for _ in animal.along
        ],
        steps=[leg_at_rest(offset, yaw) for offset in gait.offsets_low],
        roll=at_rest(0.0),
        back=at_rest(0.0),
        lean=at_rest(0.0),
        bank=at_rest(0.0),
        rise=at_rest(0.0),
        balance_x=at_rest(0.0),
        balance_z=at_rest(0.0),
        look=at_rest(0.0),
        links=[Hanging(at_rest(0.0), at_rest(0.0), at_rest(0.0)) for _ in animal.links],
        front_high=at_rest(0.0),
        tail_yaw=[at_rest(0.0) for _ in range(animal.tail)],
        tail_pitch=[at_rest(0.0) for _ in range(animal.tail)],
        tail_high=at_rest(0.0),
    )
    place_stations(animal, walk, 0.0)
    put_feet(animal, walk, ground)
    level(animal, walk, 0.0)
    # Footholds depend on the height of the trunk, and that on them.
    for _ in range(3):
        for i in range(len(animal.legs)):
            choose(animal, walk, i, ground)
            walk.steps[i].lie = lie_of(animal, walk, i, ground)
            land(walk, i)
            walk.steps[i].since = 1.0
        level(animal, walk, 0.0)
        posed(animal, walk, ground, 0.0)
        place_stations(animal, walk, 0.0)
    return walk


def at_rest(value: float) -> Damped:
    """Return a number at rest."""
    return Damped(value, 0.0)


def leg_at_rest(offset: float, yaw: float) -> Step:
    """Return a leg that has stood since ever; `put_feet` tells where."""
    origin = Point(0.0, 0.0, 0.0)
    return Step(
        phase=-offset - math.floor(-offset),
        offset=at_rest(offset),
        foot=origin,
        goal=origin,
        stood=origin,
        x=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        y=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        z=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        lift=at_rest(0.0),
        lie=Lie(0.0, 0.0),
        lie_before=Lie(0.0, 0.0),
        angle=at_rest(0.0),
        hold=at_rest(0.0),
        splay=at_rest(0.0),
        facing=yaw,
        hip=origin,
    )


def put_feet(animal: Anatomy, walk: Walk, ground: Callable[[float, float], float]) -> None:
    """Put all feet where they are at rest; those in a pit count as if it were filled."""
    mean = 0.0
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        station = walk.stations[leg.station]
        foot_x = placed_x(station.x, station.facing, leg.foot_aside, leg.foot_ahead)
        foot_z = placed_z(station.z, station.facing, leg.foot_aside, leg.foot_ahead)
        step.foot = Point(foot_x, ground(foot_x, foot_z), foot_z)
        step.goal = step.foot
        step.stood = step.foot
        step.least_hip = step.foot.y
        mean += step.foot.y / len(walk.steps)
    for step in walk.steps:
        step.base = larger(step.foot.y, mean)


def misfit(animal: Anatomy, walk: Walk, pose: Pose, ground: Callable[[float, float], float]) -> int:
    """Return why an animal cannot stand as it does, or `FITS`."""
    for station, frame in zip(walk.stations, pose.frames, strict=True):
        if frame.y < station.under - TINY:
            return BELLY_BURIED
    for i, leg in enumerate(animal.legs):
        stand = pose.stands[i]
        distance = length(between(stand.hip, stand.foot))
        if distance > reach_of(leg, 1.0):
            return TOO_FAR
        if distance < range_of(leg, animal.least, 1.0).least - leg.third:
            return TOO_NEAR
        turn = facing(stand.facing)
        allowed = range_of(leg, animal.least, animal.straight)
        still = Point(0.0, 0.0, 0.0)
        if buried(leg, stand.hip, stand.foot, stand.angle, turn, allowed, still, ground) > 0.0:
            return LEG_BURIED
    return FITS
