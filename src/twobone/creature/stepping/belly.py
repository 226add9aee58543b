"""Room for the belly: the trunk clears the ground, and stops before what is too high."""

from __future__ import annotations

import math
from collections.abc import Callable

from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import range_of
from twobone.creature.stepping.numbers import HUGE, TINY, larger, smaller
from twobone.creature.stepping.path import is_stiff, top_under, velocity
from twobone.creature.stepping.records import Pose, Stand, Walk
from twobone.creature.stepping.rhythm import WITH_STEPS, clock
from twobone.creature.stepping.swings import CLEARANCE

NINE_TENTHS = 3.9  # time constants in which a damped number goes nine tenths of its way: a law
AHEAD = 4  # places on the way of a station at which the ground is looked at
ROOM = 0.5  # of the hip: a trunk stops so far before a wall, for its head and its knees; taste


def free_belly(
    animal: Anatomy,
    walk: Walk,
    pose: Pose,
    heave: float,
    ground: Callable[[float, float], float],
    up: list[float],
) -> None:
    """Note by how much each station must rise for its belly, now and on its way.

    It looks as far ahead as it comes, as slowly as its legs let it, while its height changes. Where
    the ground is too high for its legs to carry it over, it stops before.
    """
    v = velocity(walk, walk.aside.at, walk.ahead.at)
    seconds = foresight(animal, walk)
    clear = animal.belly + CLEARANCE * animal.hip
    for k, station in enumerate(walk.stations):
        frame = pose.frames[k]
        top = top_under(animal, frame.x, frame.z, station.facing, ground)
        station.under = top + animal.belly
        most = station.level.at + animal.highest - clear
        ux = (v.x + walk.turn.at * (station.z - walk.z)) * seconds
        uz = (v.z - walk.turn.at * (station.x - walk.x)) * seconds
        far = math.sqrt(ux * ux + uz * uz)
        near = walk.slow * far
        room = ROOM * animal.hip
        station.floor = top + clear
        station.free = 1.0
        lacks = station.floor - (frame.y - heave)
        coming = larger(station.goal - station.level.at, 0.0)
        if far > TINY:
            for n in range(AHEAD):
                way = (n + 1.0) / AHEAD * (near + room)
                x = frame.x + way / far * ux
                z = frame.z + way / far * uz
                high = top_under(animal, x, z, station.facing, ground)
                if high > most:
                    station.free = larger(n / AHEAD * (near + room) - room, 0.0) / far
                    break
                if way <= near:
                    rise = smaller(station.level.speed * way / far * seconds, coming)
                    lacks = larger(lacks, high + clear - (frame.y - heave + rise))
        up[k] = larger(lacks, 0.0)


def foresight(animal: Anatomy, walk: Walk) -> float:
    """Return the seconds in which a height goes nine tenths of its way: see `WITH_STEPS`."""
    return NINE_TENTHS / (WITH_STEPS * clock(animal, walk))


def keep_off(animal: Anatomy, walk: Walk, pose: Pose) -> None:
    """Keep the belly out of the ground and over folded legs: the one constraint on a pose.

    The hips of the pose are not yet shifted with their stations.
    """
    up = [larger(walk.stations[k].under - pose.frames[k].y, 0.0) for k in range(len(pose.frames))]
    for leg, stand in zip(animal.legs, pose.stands, strict=True):
        if stand.down:
            shift = walk.stations[leg.station].shift.at
            up[leg.station] = larger(up[leg.station], folded_by(leg, stand) - shift)
    most = 0.0
    for k in range(len(up)):
        most = larger(most, up[k])
    for k, frame in enumerate(pose.frames):
        frame.y += most if is_stiff(animal) else up[k]


def folded_by(leg: Leg, stand: Stand) -> float:
    """Return by how much a hip must rise until its leg is folded no further than it can."""
    least = range_of(leg, 0.0, 1.0).least - leg.third
    dx = stand.hip.x - stand.foot.x
    dz = stand.hip.z - stand.foot.z
    square = least * least - dx * dx - dz * dz
    if least <= 0.0 or square <= 0.0:
        return -HUGE
    return math.sqrt(square) - (stand.hip.y - stand.foot.y)
