"""Room for the belly: the trunk clears the ground, and stops before what is too high."""

from __future__ import annotations

import math
from collections.abc import Callable

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import TINY, facing, larger, smaller
from twobone.creature.stepping.path import is_stiff, top_under
from twobone.creature.stepping.records import Frame, Pose, Walk
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

    It looks as far ahead as it would come while its height changes. Where the ground is too high
    for its legs to carry it over, it stops before.
    """
    turn = facing(walk.yaw)
    vx = walk.aside.at * turn.c + walk.ahead.at * turn.s
    vz = walk.ahead.at * turn.c - walk.aside.at * turn.s
    seconds = foresight(animal, walk)
    clear = animal.belly + CLEARANCE * animal.hip
    for k, station in enumerate(walk.stations):
        frame = pose.frames[k]
        top = top_under(animal, frame.x, frame.z, station.facing, ground)
        station.under = top + animal.belly
        most = station.level.at + animal.highest - clear
        ux = (vx + walk.turn.at * (station.z - walk.z)) * seconds
        uz = (vz - walk.turn.at * (station.x - walk.x)) * seconds
        far = math.sqrt(ux * ux + uz * uz)
        room = ROOM * animal.hip
        station.floor = top + clear
        station.free = 1.0
        lacks = station.floor - (frame.y - heave)
        coming = larger(station.goal - station.level.at, 0.0)
        if far > TINY:
            for n in range(AHEAD):
                way = (n + 1.0) / AHEAD * (far + room)
                x = frame.x + way / far * ux
                z = frame.z + way / far * uz
                high = top_under(animal, x, z, station.facing, ground)
                if high > most:
                    station.free = larger(n / AHEAD * (far + room) - room, 0.0) / far
                    break
                if way <= far:
                    rise = smaller(station.level.speed * way / far * seconds, coming)
                    lacks = larger(lacks, high + clear - (frame.y - heave + rise))
        up[k] = larger(lacks, 0.0)


def foresight(animal: Anatomy, walk: Walk) -> float:
    """Return the seconds in which a height goes nine tenths of its way: see `WITH_STEPS`."""
    return NINE_TENTHS / (WITH_STEPS * clock(animal, walk))


def keep_off(animal: Anatomy, walk: Walk, frames: list[Frame]) -> None:
    """Keep the belly out of the ground: the one constraint on a pose."""
    most = 0.0
    for k, station in enumerate(walk.stations):
        most = larger(most, station.under - frames[k].y)
        if not is_stiff(animal):
            frames[k].y = larger(frames[k].y, station.under)
    if is_stiff(animal):
        for frame in frames:
            frame.y += most
