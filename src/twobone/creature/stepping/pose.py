"""The trunk in space, from the path, the levels and the rhythm of the legs."""

from __future__ import annotations

import math
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.belly import keep_off
from twobone.creature.stepping.hanging import follow, hang
from twobone.creature.stepping.knees import splayed
from twobone.creature.stepping.levels import shift
from twobone.creature.stepping.numbers import GRAVITY, Ground, Point, clamp, facing, placed
from twobone.creature.stepping.path import height
from twobone.creature.stepping.records import Angles, Frame, Pose, Stand, Sums, Walk
from twobone.creature.stepping.rhythm import (
    AT_EASE,
    MOST_TILT,
    WITH_GAITS,
    WITH_KNEES,
    WITH_SWINGS,
    clock,
    settle,
    sums,
)
from twobone.creature.stepping.soles import angle_of, foot_of, sole_of
from twobone.creature.stepping.support import over_feet
from twobone.creature.stepping.thirds import angle_with, hold_of

CROUCH = 0.8  # of the hip per squared radian: an animal that leans sinks so much; taste
TUCK = 0.22  # of the trunk's length per radian: an arched back draws its ends together; taste
SLOW, QUICK = 0.13, 0.21  # shifts of weight per breath: two waves that repeat together late; taste


class Tilt(NamedTuple):
    """Cosines and sines of the angles of a station."""

    yaw: Turn
    pitch: Turn
    roll: Turn


def blank(animal: Anatomy) -> Pose:
    """Return a pose that is still to be filled."""
    return Pose(
        frames=[Frame() for _ in animal.along],
        stands=[Stand() for _ in animal.legs],
        links=[Angles() for _ in animal.links],
        tail_yaw=[0.0 for _ in range(animal.tail)],
        tail_pitch=[0.0 for _ in range(animal.tail)],
    )


def put(animal: Anatomy, walk: Walk, pose: Pose, ground: Ground, dt: float) -> None:
    """Put an animal into its pose after a time, in which what follows the legs moves on."""
    swings = sums(animal, walk)
    bend_trunk(animal, walk, swings, dt)
    over_feet(animal, walk, dt)
    put_trunk(animal, walk, swings, pose)
    tilts = [tilt_of(frame) for frame in pose.frames]
    rate = WITH_SWINGS * clock(animal, walk)
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        stand = pose.stands[i]
        settle(step.angle, angle_of(leg, walk, step), rate, dt)
        settle(step.hold, hold_of(walk, step), rate, dt)
        stand.hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station])
        stand.foot = foot_of(animal, walk, leg, step)
        stand.facing = step.facing
        stand.down = step.down
        stand.gives = 0.0 if step.down else 4.0 * step.part * (1.0 - step.part)
    shift(animal, walk, pose, swings.heave, ground, dt)
    for k, station in enumerate(walk.stations):
        pose.frames[k].y += station.shift.at
    keep_off(animal, walk, pose)
    for i in range(len(animal.legs)):
        put_leg(animal, walk, pose, i, tilts[animal.legs[i].station])
        turn_knee(animal, walk, pose, i, ground, dt)
    hang(animal, walk, swings, pose, dt)
    follow(animal, walk, pose, dt)


def put_leg(animal: Anatomy, walk: Walk, pose: Pose, i: int, tilt: Tilt) -> None:
    """Put the hip of a leg on its station, and turn third segment and sole as that lets them."""
    leg = animal.legs[i]
    step = walk.steps[i]
    stand = pose.stands[i]
    hip = hip_of(leg, pose.frames[leg.station], tilt)
    angle, hold = step.angle.at, step.hold.at
    step.hip = hip
    stand.hip = hip
    stand.angle = angle_with(animal, leg, hip, stand.foot, angle, hold, step.toes, tilt.yaw)
    sole = sole_of(leg, step, stand.foot, stand.angle)
    stand.pitch = sole.pitch
    stand.roll = sole.roll


def turn_knee(animal: Anatomy, walk: Walk, pose: Pose, i: int, ground: Ground, dt: float) -> None:
    """Turn the knee of a leg aside where the ground is in its way, and back with less haste."""
    splay = walk.steps[i].splay
    goal = splayed(animal, animal.legs[i], pose.stands[i], splay.at, ground)
    rate = WITH_KNEES if abs(goal) > abs(splay.at) else WITH_SWINGS
    settle(splay, goal, rate * clock(animal, walk), dt)
    pose.stands[i].splay = splay.at


def bend_trunk(animal: Anatomy, walk: Walk, swings: Sums, dt: float) -> None:
    """Move girdles and back with the feet, and lean, bank and rise with the speed."""
    count = len(walk.stations)
    rate = WITH_SWINGS * clock(animal, walk)
    for k, station in enumerate(walk.stations):
        part = k / (count - 1.0) if count > 1 else 0.0
        manner = animal.manner
        yaw = manner.pelvis_yaw + (manner.shoulder_yaw - manner.pelvis_yaw) * part
        settle(station.swing, -0.5 * yaw * swings.apart[k], rate, dt)
        settle(station.drop, 0.5 * manner.drop * walk.vigour.at * swings.air[k], rate, dt)
    flex = 0.5 * walk.flex.at * (swings.fore[0] - swings.fore[count - 1])
    settle(walk.back, flex, rate, dt)
    lean = animal.gaits[walk.gait].lean * walk.vigour.at
    bank = animal.manner.bank * walk.ahead.at * walk.turn.at / GRAVITY
    settle(walk.lean, lean, AT_EASE, dt)
    settle(walk.bank, clamp(bank, -MOST_TILT, MOST_TILT), AT_EASE, dt)
    rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour.at
    settle(walk.beat, walk.rate, AT_EASE, dt)
    walk.breath += animal.manner.breathes * (1.0 + walk.vigour.at) * dt
    settle(walk.rise, rise, WITH_GAITS * clock(animal, walk), dt)


def put_trunk(animal: Anatomy, walk: Walk, swings: Sums, pose: Pose) -> None:
    """Put the stations of the trunk where they are before they are shifted."""
    count = len(walk.stations)
    turn = facing(walk.yaw)
    sway = swings.sway + shifted(animal, walk)
    x = walk.balance_x.at + sway * turn.c
    z = walk.balance_z.at - sway * turn.s
    lean = walk.lean.at + animal.manner.lean * walk.felt_ahead.speed / GRAVITY
    bank = walk.bank.at + animal.manner.bank * walk.felt_aside.speed / GRAVITY
    crouch = CROUCH * animal.hip * lean * lean + breathed(animal, walk)
    for k, frame in enumerate(pose.frames):
        station = walk.stations[k]
        a = k + 1 if k + 1 < count else k
        b = k - 1 if k > 0 else 0
        tilt = 0.0
        if count > 1:
            up = height(walk.stations[a]) - height(walk.stations[b])
            tilt = up / (animal.along[a] - animal.along[b])
        end = 2.0 * k / (count - 1.0) - 1.0 if count > 1 else 0.0
        aside = animal.manner.ripple * animal.hip * walk.vigour.at * swings.air[k]
        tuck = -TUCK * animal.span * end * walk.back.at
        high = animal.height + station.level.at + walk.rise.at + swings.heave - crouch
        frame.x = station.x + x + tuck * station.facing.s - aside * station.facing.c
        frame.y = high + (animal.along[k] - animal.middle) * (swings.pitch - lean)
        frame.z = station.z + z + tuck * station.facing.c + aside * station.facing.s
        frame.yaw = station.yaw + station.swing.at
        frame.pitch = tilt + swings.pitch - lean - walk.back.at * end
        frame.roll = walk.roll.at + swings.roll - bank + station.drop.at


def breathed(animal: Anatomy, walk: Walk) -> float:
    """Return how far the trunk has sunk, as it breathes."""
    return 0.5 * animal.manner.breath * animal.hip * (1.0 - facing(2.0 * math.pi * walk.breath).c)


def shifted(animal: Anatomy, walk: Walk) -> float:
    """Return how far to the left an animal that stands has shifted its weight."""
    turns = 2.0 * math.pi * walk.breath
    waves = facing(SLOW * turns).s + facing(QUICK * turns).s
    return 0.5 * (1.0 - walk.vigour.at) * animal.manner.shift * animal.hip * waves


def tilt_of(frame: Frame) -> Tilt:
    """Return the rotation of a station."""
    return Tilt(facing(frame.yaw), facing(frame.pitch), facing(frame.roll))


def hip_of(leg: Leg, frame: Frame, tilt: Tilt) -> Point:
    """Return the hip of a leg that a station bears."""
    aside = leg.aside * tilt.roll.c - leg.up * tilt.roll.s
    up = leg.aside * tilt.roll.s + leg.up * tilt.roll.c
    ahead = -up * tilt.pitch.s
    hip = placed(frame.x, frame.z, tilt.yaw, aside, ahead)
    return Point(hip.x, frame.y + up * tilt.pitch.c, hip.z)
