"""How an animal starts: it stands on all its feet, if it fits where it is put."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.footholds import choose
from twobone.creature.stepping.legs import land
from twobone.creature.stepping.levels import level
from twobone.creature.stepping.limbs import buried, range_of
from twobone.creature.stepping.numbers import (
    HUGE,
    TINY,
    Damped,
    Ground,
    Point,
    between,
    facing,
    larger,
    length,
)
from twobone.creature.stepping.path import at_rest, place_stations, reach_of
from twobone.creature.stepping.pose import blank, put
from twobone.creature.stepping.records import Hanging, Pose, Station, Step, Walk
from twobone.creature.stepping.soles import lie_of

# Why an animal does not fit where it is put.
FITS, TOO_FAR, TOO_NEAR, LEG_BURIED, BELLY_BURIED = 0, 1, 2, 3, 4


def started(animal: Anatomy, x: float, z: float, yaw: float, ground: Ground) -> Walk:
    """Return an animal that stands on all its feet."""
    gait = animal.gaits[0]
    turn = facing(yaw)
    walk = Walk(
        x=x,
        z=z,
        yaw=yaw,
        duty=Damped(gait.duty_low),
        vault=Damped(gait.vault),
        flex=Damped(gait.flex),
        stations=[Station(yaw, turn, HUGE) for _ in animal.along],
        steps=[Step(-at - math.floor(-at), Damped(at), yaw, turn) for at in gait.offsets_low],
        links=[Hanging() for _ in animal.links],
        tail_yaw=[Damped() for _ in range(animal.tail)],
        tail_pitch=[Damped() for _ in range(animal.tail)],
    )
    pose = blank(animal)
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
        put(animal, walk, pose, ground, 0.0)
        place_stations(animal, walk, 0.0)
    return walk


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
            return BELLY_BURIED  # unreached: kernel-walks
    for i, leg in enumerate(animal.legs):
        stand = pose.stands[i]
        distance = length(between(stand.hip, stand.foot))
        if distance > reach_of(leg, 1.0):
            return TOO_FAR
        if distance < range_of(leg, animal.least, 1.0).least - leg.third:
            return TOO_NEAR  # unreached: kernel-walks
        turn = facing(stand.facing)
        still = Point(0.0, 0.0, 0.0)
        if buried(animal, leg, stand.hip, stand.foot, stand.angle, turn, still, ground) > 0.0:
            return LEG_BURIED  # unreached: kernel-walks
    return FITS
