"""The body over the feet that stand: how far they let it go, and how it moves to their middle."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import straightest
from twobone.creature.stepping.numbers import (
    HUGE,
    TINY,
    Damped,
    Point,
    between,
    damp,
    facing,
    larger,
    length,
    side,
    smaller,
    smooth,
)
from twobone.creature.stepping.path import at_rest, lasting, reach_of
from twobone.creature.stepping.records import Station, Step, Walk
from twobone.creature.stepping.rhythm import clock, left_to_stand, settle

FOLLOW = 3.9  # per swing: a body goes nine tenths of its way over its feet in one; taste
MARGIN = 0.06  # of a leg: how far inside each edge the body stays; the bar of .05, and some room
SINKS = 0.12  # of the hip: how far a hip may sink until its leg lifts; taste
USED = 0.97  # of the reach of a straight leg: how far the body goes over a foot; taste


def allowed(animal: Anatomy, walk: Walk, vx: float, vz: float) -> float:
    """Return the share of a velocity with which each leg that stands reaches until it lifts.

    A leg without a foothold is not left farther behind; where others wait for it, it is if it does
    not reach where it stood.
    A hip at h over its foot, moving by u in that time, stays within R for the share s that solves
    |foot - hip - s u|^2 = R^2 - h^2.
    """
    share = 1.0
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        station = walk.stations[leg.station]
        if (
            step.lost
            and lags(leg, station, step.goal, vx, vz)
            and not (animal.waits and beyond(animal, leg, step, step.hip) > 0.0)
        ):
            share = 0.0
        if step.down:
            seconds = lasting(animal, walk, left_to_stand(animal, walk, step))
            reach = reach_of(leg, USED)
            high = lowest(animal, leg, walk, step) - step.foot.y
            room = side(reach, high * high)
            ux = (vx + walk.turn.at * (step.hip.z - walk.z)) * seconds
            uz = (vz - walk.turn.at * (step.hip.x - walk.x)) * seconds
            dx = step.foot.x - step.hip.x
            dz = step.foot.z - step.hip.z
            a = ux * ux + uz * uz
            b = dx * ux + dz * uz
            c = dx * dx + dz * dz - room * room
            if a > TINY:
                if c <= 0.0:
                    share = smaller(share, (b + math.sqrt(larger(b * b - a * c, 0.0))) / a)
                elif b <= 0.0:
                    share = 0.0
    return share


def lowest(animal: Anatomy, leg: Leg, walk: Walk, step: Step) -> float:
    """Return how low a hip may sink until its leg lifts, over the ground below its trunk."""
    least = walk.stations[leg.station].floor + leg.up
    return larger(step.hip.y - SINKS * animal.hip, smaller(least, step.hip.y))


def beyond(animal: Anatomy, leg: Leg, step: Step, hip: Point) -> float:
    """Return by how much a leg is too short for its foothold from a hip."""
    return length(between(step.goal, hip)) - reach_of(leg, straightest(animal))


def lags(leg: Leg, station: Station, foot: Point, ux: float, uz: float) -> bool:
    """Return whether a foot would be farther behind its place at rest if its station moved so."""
    rest = at_rest(leg, station.x, station.z, station.facing)
    return (rest.x - foot.x) * ux + (rest.z - foot.z) * uz > 0.0


class Margin(NamedTuple):
    """How far the body is inside the polygon of the feet that stand, beyond `MARGIN`."""

    inside: float  # distance to the nearest edge
    share: float  # of a velocity that keeps it there


def margin(animal: Anatomy, walk: Walk, without: int, ux: float, uz: float) -> Margin:
    """Return the margin of support without a leg, -1 for none, while the body moves by (ux, uz).

    Two feet make an edge if all others are on one side of them.
    """
    inside = HUGE
    share = 1.0
    turn = facing(walk.yaw)
    x = walk.x + walk.balance_x.at + animal.middle * turn.s
    z = walk.z + walk.balance_z.at + animal.middle * turn.c
    feet = bearing(animal, walk, without)
    for a in feet:
        for b in feet:
            ex = b.x - a.x
            ez = b.z - a.z
            size = math.sqrt(ex * ex + ez * ez)
            if size > TINY:
                nx = -ez / size
                nz = ex / size
                if all_beyond(feet, a, nx, nz):
                    d = (x - a.x) * nx + (z - a.z) * nz - MARGIN * animal.reach
                    out = -(ux * nx + uz * nz)
                    inside = smaller(inside, d)
                    if out > TINY and d < out:
                        share = smaller(share, larger(d, 0.0) / out)
    return Margin(inside, share)


def bearing(animal: Anatomy, walk: Walk, without: int) -> list[Point]:
    """Return the feet that bear the body, without that of a leg which lifts, -1 for none.

    A leg that finds no foothold soon lets go; so may one near the end of its reach, before the leg
    that lifts has landed.
    """
    feet: list[Point] = []
    for i, step in enumerate(walk.steps):
        if i != without and step.down and not step.lost:
            reach = reach_of(animal.legs[i], USED)
            if without < 0 or length(between(step.foot, step.hip)) <= reach:
                feet.append(step.foot)
    return feet


def all_beyond(feet: list[Point], foot: Point, nx: float, nz: float) -> bool:
    """Return whether feet are on the side of a line through one to which (nx, nz) points."""
    for each in feet:
        inside = (each.x - foot.x) * nx + (each.z - foot.z) * nz
        if inside < -TINY:
            return False
    return True


def over_feet(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Move the body towards the middle of the feet that bear it.

    A foot bears more and more after it has landed, and less and less before it lifts or while it
    waits to.
    """
    if animal.balance == 0.0:
        return
    weight = 0.0
    x = 0.0
    z = 0.0
    rest_x = 0.0
    rest_z = 0.0
    count = len(walk.steps)
    duty = walk.duty.at
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        part = 0.0
        if step.down:
            part = 1.0
            if walk.rate > 0.0:
                part = smooth(smaller(duty - step.phase, step.since) / animal.lead)
        weight += part
        x += part * (step.foot.x - walk.x)
        z += part * (step.foot.z - walk.z)
        station = walk.stations[leg.station]
        rest = at_rest(leg, station.x, station.z, station.facing)
        rest_x += (rest.x - walk.x) / count
        rest_z += (rest.z - walk.z) / count
    if weight > 0.0:  # unreached: kernel-walks
        rate = FOLLOW * clock(animal, walk) / (1.0 - duty)
        drift(walk, walk.balance_x, animal.balance * (x / weight - rest_x), rate, dt)
        drift(walk, walk.balance_z, animal.balance * (z / weight - rest_z), rate, dt)


def drift(walk: Walk, value: Damped, goal: float, rate: float, dt: float) -> None:
    """Move the body towards a place over its feet, as slowly as the reach of legs lets it go."""
    if dt > 0.0:
        damp(value, goal, rate, walk.lets * dt)
    else:
        settle(value, goal, rate, 0.0)
