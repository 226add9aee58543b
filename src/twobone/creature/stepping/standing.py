"""How an animal starts: it stands on all its feet, if it fits where it is put."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.footholds import choose
from twobone.creature.stepping.legs import land
from twobone.creature.stepping.levels import level
from twobone.creature.stepping.limbs import between, buried, length, range_of
from twobone.creature.stepping.numbers import (
    HUGE,
    TINY,
    Above,
    Damped,
    Ground,
    Point,
    facing,
    larger,
)
from twobone.creature.stepping.path import at_rest, place_stations, reach_of
from twobone.creature.stepping.pose import posed
from twobone.creature.stepping.records import Course, Hanging, Lie, Order, Pose, Station, Step, Walk
from twobone.creature.stepping.soles import lie_of

# Why an animal does not fit where it is put.
FITS, TOO_FAR, TOO_NEAR, LEG_BURIED, BELLY_BURIED = 0, 1, 2, 3, 4


def started(animal: Anatomy, x: float, z: float, yaw: float, ground: Ground) -> Walk:
    """Return an animal that stands on all its feet."""
    gait = animal.gaits[0]
    walk = Walk(
        x=x,
        z=z,
        yaw=yaw,
        aside=still_at(0.0),
        ahead=still_at(0.0),
        turn=still_at(0.0),
        asked=Order(0.0, 0.0, 0.0),
        felt_aside=still_at(0.0),
        felt_ahead=still_at(0.0),
        duty=still_at(gait.duty_low),
        vault=still_at(gait.vault),
        flex=still_at(gait.flex),
        beat=still_at(0.0),
        vigour=still_at(0.0),
        stations=[
            Station(
                yaw=yaw,
                facing=facing(yaw),
                level=still_at(0.0),
                shift=still_at(0.0),
                fastest=HUGE,
                swing=still_at(0.0),
                drop=still_at(0.0),
            )
            for _ in animal.along
        ],
        steps=[leg_at_rest(offset, yaw) for offset in gait.offsets_low],
        roll=still_at(0.0),
        back=still_at(0.0),
        lean=still_at(0.0),
        bank=still_at(0.0),
        rise=still_at(0.0),
        balance_x=still_at(0.0),
        balance_z=still_at(0.0),
        look=still_at(0.0),
        links=[Hanging(still_at(0.0), still_at(0.0), still_at(0.0)) for _ in animal.links],
        front_high=still_at(0.0),
        tail_yaw=[still_at(0.0) for _ in range(animal.tail)],
        tail_pitch=[still_at(0.0) for _ in range(animal.tail)],
        tail_high=still_at(0.0),
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


def still_at(value: float) -> Damped:
    """Return a number at rest."""
    return Damped(value, 0.0)


def leg_at_rest(offset: float, yaw: float) -> Step:
    """Return a leg that has stood since ever; `put_feet` tells where."""
    origin = Point(0.0, 0.0, 0.0)
    return Step(
        phase=-offset - math.floor(-offset),
        offset=still_at(offset),
        foot=origin,
        goal=origin,
        stood=origin,
        x=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        y=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        z=Course(0.0, 0.0, 0.0, 0.0, 0.0),
        lift=still_at(0.0),
        lie=Lie(0.0, 0.0),
        lie_before=Lie(0.0, 0.0),
        angle=still_at(0.0),
        hold=still_at(0.0),
        splay=still_at(0.0),
        want=Above(0.0, 0.0),
        facing=yaw,
        hip=origin,
    )


def put_feet(animal: Anatomy, walk: Walk, ground: Ground) -> None:
    """Put all feet where they are at rest; those in a pit count as if it were filled."""
    mean = 0.0
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        station = walk.stations[leg.station]
        foot = at_rest(leg, station.x, station.z, station.facing)
        step.foot = Point(foot.x, ground(foot.x, foot.z), foot.z)
        step.goal = step.foot
        step.stood = step.foot
        step.least_hip = step.foot.y
        mean += step.foot.y / len(walk.steps)
    for step in walk.steps:
        step.base = larger(step.foot.y, mean)


def misfit(animal: Anatomy, walk: Walk, pose: Pose, ground: Ground) -> int:
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
        if buried(leg, stand.hip, stand.foot, stand.angle, turn, allowed, 0.0, ground) > 0.0:
            return LEG_BURIED
    return FITS
