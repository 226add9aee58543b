"""Room for the belly: the trunk clears the ground, and stops before what is too high."""

from __future__ import annotations

import math

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.limbs import range_of
from twobone.creature.stepping.numbers import HUGE, TINY, Ground, facing, larger, placed, smaller
from twobone.creature.stepping.path import at_rest, is_stiff, velocity
from twobone.creature.stepping.records import Pose, Stand, Walk
from twobone.creature.stepping.rhythm import ENOUGH, WITH_STEPS, clock
from twobone.creature.stepping.support import SINKS
from twobone.creature.stepping.swings import CLEARANCE

NINE_TENTHS = 3.9  # time constants in which a damped number goes nine tenths of its way: a law
AHEAD = 3  # places on the way of a station at which the ground is looked at
ROOM = 0.5  # of the hip: a trunk stops so far before a wall, for its head and its knees; taste


def free_belly(
    animal: Anatomy, walk: Walk, pose: Pose, heave: float, ground: Ground, least: list[float]
) -> None:
    """Note by how much each station must rise at the least for its belly, now and on its way.

    It looks as far ahead as it comes while its height changes, as slowly as its legs let it, but
    not so slowly that it would be blocked. It goes on no faster than it can rise to what comes, and
    stops before ground that is too high for its legs to carry it over: see `is_walled`.
    """
    v = velocity(walk, walk.aside.at, walk.ahead.at)
    seconds = foresight(animal, walk)
    clear = animal.belly + CLEARANCE * animal.hip
    room = ROOM * animal.hip
    rolled = facing(walk.roll.at).s
    for k, station in enumerate(walk.stations):
        frame = pose.frames[k]
        own = frame.y - heave
        top = top_under(animal, frame.x, frame.z, station.facing, rolled, ground)
        station.under = top + animal.belly
        most = station.level.at + animal.highest - clear
        ux = (v.x + walk.turn.at * (station.z - walk.z)) * seconds
        uz = (v.z - walk.turn.at * (station.x - walk.x)) * seconds
        far = math.sqrt(ux * ux + uz * uz)
        slow = larger(walk.slow, ENOUGH)
        near = slow * far
        station.floor = top + clear
        station.free = 1.0
        lacks = station.floor - own
        coming = larger(station.goal - station.level.at, 0.0)
        if far > TINY:
            for n in range(AHEAD):
                before = n / AHEAD
                part = (n + 1.0) / AHEAD
                x = frame.x + part * near / far * ux
                z = frame.z + part * near / far * uz
                high = top_under(animal, x, z, station.facing, rolled, ground)
                rise = smaller(station.level.speed * part * slow * seconds, coming)
                need = high + clear - (own + rise)
                lacks = larger(lacks, need)
                need -= station.shift.at + clear - animal.belly
                if need > 0.0:
                    # Legs that hold it down give up, or step up, while it sinks into them.
                    risen = larger(station.fastest * seconds, SINKS * animal.hip)
                    station.free = smaller(station.free, before * near / far * risen / need)
                reach = walk.slow + room / far
                if is_walled(animal, walk, k, part * reach * ux, part * reach * uz, most, ground):
                    station.free = smaller(station.free, larger(before * reach - room / far, 0.0))
                    break
        least[k] = larger(least[k], lacks)


def top_under(
    animal: Anatomy, x: float, z: float, turn: Turn, rolled: float, ground: Ground
) -> float:
    """Return how high a station must be for the ground across its width.

    `rolled` is the sine of its roll.
    """
    top = ground(x, z)
    if animal.half > 0.0:
        left = placed(x, z, turn, animal.half, 0.0)
        right = placed(x, z, turn, -animal.half, 0.0)
        up = animal.half * rolled
        top = larger(top, ground(left.x, left.z) - up)
        top = larger(top, ground(right.x, right.z) + up)
    return top


def is_walled(
    animal: Anatomy, walk: Walk, k: int, x: float, z: float, most: float, ground: Ground
) -> bool:
    """Return whether a station that moves by (x, z), or a foot beside it, comes to such a height.

    A foot beside which the ground is so high already is left to its footholds. The station rises
    with the ground there that its feet find where they stand nearest to it.
    """
    station = walk.stations[k]
    top = ground(station.x + x, station.z + z)
    rises = 0.0
    feet = 0.0
    for leg in animal.legs:
        if leg.station == k:
            foot = at_rest(leg, station.x, station.z, station.facing)
            if ground(foot.x + x, foot.z + z) > most and ground(foot.x, foot.z) <= most:
                return True
            if top > most:
                aside = animal.wide * leg.foot_aside
                near = placed(station.x + x, station.z + z, station.facing, aside, leg.foot_ahead)
                rises += ground(near.x, near.z) - station.level.at
                feet += 1.0
    return top > most + larger(rises / larger(feet, 1.0), 0.0)


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
    return math.sqrt(square) - (stand.hip.y - stand.foot.y)  # unreached: kernel-walks
