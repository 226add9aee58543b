"""The way of the trunk: its middle with the velocity, each station after the one before it."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core import transcendental
from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import range_of
from twobone.creature.stepping.numbers import TINY, Above, clamp, facing, larger, placed, smaller
from twobone.creature.stepping.records import Station, Step, Walk
from twobone.creature.stepping.rhythm import (
    AT_EASE,
    WITH_SWINGS,
    answer,
    clock,
    eased,
    left_to_swing,
    over_of,
)

FOLDED = 0.5  # of the third segment: the length of it that a folded leg uses; taste
RESTS = 8.0  # time constants in which a damped number goes to 3 thousandths of its way: a law


def reach_of(leg: Leg, used: float) -> float:
    """Return the distance between hip and foot at which two bones use that part of their reach."""
    return used * (leg.upper + leg.lower) + leg.third


def fold_of(leg: Leg, used: float) -> float:
    """Return the least distance from hip to foot, where two bones keep that part of their reach."""
    return range_of(leg, used, 1.0).least + FOLDED * leg.third


def velocity(walk: Walk, aside: float, ahead: float) -> Above:
    """Return a velocity in the world, given to the left and ahead of each station of a trunk."""
    x = 0.0
    z = 0.0
    for station in walk.stations:
        x += aside * station.facing.c + ahead * station.facing.s
        z += ahead * station.facing.c - aside * station.facing.s
    return Above(x / len(walk.stations), z / len(walk.stations))


def advance(animal: Anatomy, walk: Walk, vx: float, vz: float, share: float, dt: float) -> None:
    """Move the trunk for a time, with the share of a velocity that legs allow."""
    # It slows down at once and speeds up at ease.
    rate = WITH_SWINGS * clock(animal, walk) if share < walk.slow else AT_EASE
    walk.slow = eased(walk.slow, share, rate, dt)
    walk.x += vx * walk.slow * dt
    walk.z += vz * walk.slow * dt
    turn_stations(animal, walk, dt)
    place_stations(animal, walk, dt)


def turn_stations(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Turn the station that leads; each other follows the one before it, as a trailer does.

    Between two, the line has their mean yaw. If both go straight ahead, it turns by their sideways
    difference: gap (spin + spin before) / 2 = v (yaw before - yaw). What a trunk cannot follow,
    since it would have to bend more than it can, it turns as a whole.
    """
    count = len(walk.stations)
    forward = walk.ahead.at >= 0.0
    lead = count - 1 if forward else 0
    whole = swinging(animal, walk.ahead.at, walk.turn.at) * walk.slow
    spin = walk.turn.at * walk.slow - whole
    yaw = walk.stations[lead].yaw
    after = yaw + (spin + whole) * dt
    set_yaw(walk, lead, after, dt)
    if count > 1:
        gap = (animal.along[count - 1] - animal.along[0]) / (count - 1)
        rate = abs(walk.ahead.at) * walk.slow / gap
        for j in range(1, count):
            i = lead - j if forward else j
            was = walk.stations[i].yaw
            spin = 2.0 * rate * (yaw - was) - spin
            now = was + (spin + whole) * dt
            after -= clamp(after - now, -animal.bend, animal.bend)
            yaw = was
            set_yaw(walk, i, after, dt)


def swinging(animal: Anatomy, ahead: float, turn: float) -> float:
    """Return the yaw rate by which a trunk turns as a whole.

    It is what is left of a turn when the trunk bends as the way does that it goes, or as it can.
    """
    if animal.span == 0.0:
        return turn
    most = bends(animal) * abs(ahead) / animal.span
    return turn - clamp(turn, -most, most)


def bends(animal: Anatomy) -> float:
    """Return the angle by which a trunk bends at most, from end to end."""
    return (len(animal.along) - 1) * animal.bend


def set_yaw(walk: Walk, i: int, yaw: float, dt: float) -> None:
    """Turn a station to a yaw."""
    station = walk.stations[i]
    station.spin = (yaw - station.yaw) / dt
    station.yaw = yaw
    station.facing = facing(yaw)


def place_stations(animal: Anatomy, walk: Walk, dt: float) -> None:
    """Place the stations along a line through the middle; a part of it has its ends' mean yaw.

    Where the trunk rises, its stations are nearer to each other, seen from above. With `dt` 0 they
    have no velocity.
    """
    count = len(walk.stations)
    x = 0.0
    z = 0.0
    sum_x = 0.0
    sum_z = 0.0
    yaw = 0.0
    xs = [0.0 for _ in range(count)]
    zs = [0.0 for _ in range(count)]
    for k in range(count):
        if k > 0:
            rise = height(walk.stations[k]) - height(walk.stations[k - 1])
            gap = animal.along[k] - animal.along[k - 1]
            gap = gap * gap / math.sqrt(gap * gap + rise * rise)
            mean = facing(0.5 * (walk.stations[k].yaw + walk.stations[k - 1].yaw))
            x += gap * mean.s
            z += gap * mean.c
        xs[k] = x
        zs[k] = z
        sum_x += x / count
        sum_z += z / count
        yaw += walk.stations[k].yaw / count
    walk.yaw = yaw
    turn = facing(yaw)
    for k, station in enumerate(walk.stations):
        was_x = station.x
        was_z = station.z
        station.x = walk.x + xs[k] - sum_x + animal.middle * turn.s
        station.z = walk.z + zs[k] - sum_z + animal.middle * turn.c
        station.ux = (station.x - was_x) / dt if dt > 0.0 else 0.0
        station.uz = (station.z - was_z) / dt if dt > 0.0 else 0.0


def height(station: Station) -> float:
    """Return the height of a station over that of level ground."""
    return station.level.at + station.shift.at


class Seen(NamedTuple):
    """A station as it will be: where it is, and where it faces."""

    x: float
    z: float
    turn: Turn


def ahead(animal: Anatomy, walk: Walk, station: Station, seconds: float) -> Seen:
    """Return a station after some time, if it goes on as now or slows down."""
    if seconds == 0.0:
        return Seen(station.x, station.z, station.facing)
    way = lasting(animal, walk, seconds)
    turned = station.spin * way
    half = facing(0.5 * turned)
    x = station.x + (station.ux * half.c + station.uz * half.s) * way
    z = station.z + (station.uz * half.c - station.ux * half.s) * way
    return Seen(x, z, facing(station.yaw + turned))


def at_rest(leg: Leg, x: float, z: float, turn: Turn) -> Above:
    """Return where the foot of a leg is at rest, beside its station."""
    return placed(x, z, turn, leg.foot_aside, leg.foot_ahead)


def lasting(animal: Anatomy, walk: Walk, seconds: float) -> float:
    """Return the seconds in which a trunk would come as far, if it went on as fast as now.

    Its velocity v follows what is asked for as a critically damped number. Where it becomes slower,
    along the way that it goes, it is (g + (a + (s + r a) t) exp(-r t)) v, with the share g of v
    that it shall have, a = 1 - g, the rate r, and the share s by which it changes in a second.
    """
    h = animal.hip * animal.hip
    aside = walk.aside.at
    forward = walk.ahead.at
    turn = h * walk.turn.at
    square = aside * aside + forward * forward + turn * walk.turn.at + TINY * TINY
    asked = walk.asked
    goal = (asked.aside * aside + asked.ahead * forward + asked.turn * turn) / square
    if goal >= 1.0:
        return seconds
    goal = larger(goal, 0.0)
    away = 1.0 - goal
    change = walk.aside.speed * aside + walk.ahead.speed * forward + walk.turn.speed * turn
    rate = answer(animal)
    push = smaller(change / square, 0.0) + rate * away
    decay = transcendental.exponential(-rate * seconds)
    damped = away * (1.0 - decay) + push * ((1.0 - decay) / rate - seconds * decay)
    return larger(goal * seconds + damped / rate, 0.0)


def wanted(animal: Anatomy, leg: Leg, walk: Walk, step: Step) -> Above:
    """Return where a foot wants to land: it is at rest there when its station is over it.

    In the middle of a stance, it is the foothold of Raibert (Legged robots that balance, 1986)
    without its correction. A foot that lands on its heel and lifts from its toes stands later. It
    need not step again where the trunk comes to rest, if it reaches that place.
    """
    station = walk.stations[leg.station]
    landing = left_to_swing(animal, walk, step)
    seconds = landing + over_of(animal, walk) * walk.duty.at / clock(animal, walk)
    if walk.stops:
        rest = resting(animal)
        left = lasting(animal, walk, rest) - lasting(animal, walk, landing)
        if left * strides(animal, walk) <= 0.5:  # unreached: kernel-walks
            seconds = rest
    there = ahead(animal, walk, station, seconds)
    return at_rest(leg, there.x, there.z, there.turn)


def strides(animal: Anatomy, walk: Walk) -> float:
    """Return over how many of the longest stances a trunk goes in a second."""
    return abs(walk.ahead.at) / animal.travel + abs(walk.aside.at) / animal.across


def resting(animal: Anatomy) -> float:
    """Return the seconds in which an animal that stops comes to rest, nearly: see `RESTS`."""
    return RESTS / answer(animal)


def left_to_go(animal: Anatomy, walk: Walk) -> float:
    """Return how far an animal that stops still goes; a turn counts a hip's height from it."""
    speed = abs(walk.aside.at) + abs(walk.ahead.at) + abs(walk.turn.at) * animal.hip
    return speed * lasting(animal, walk, resting(animal))


def is_stiff(animal: Anatomy) -> bool:
    """Return whether the stations of a trunk rise and sink together."""
    return animal.limp < 0.5
