"""The trunk in space, from the path, the levels and the rhythm of the legs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twobone.core.transcendental import Turn
from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.belly import keep_off
from twobone.creature.stepping.legs import angle_of
from twobone.creature.stepping.levels import shift
from twobone.creature.stepping.numbers import (
    GRAVITY,
    Damped,
    Point,
    clamp,
    facing,
)
from twobone.creature.stepping.path import height, placed_x, placed_z
from twobone.creature.stepping.records import Frame, Pose, Stand, Sums, Walk
from twobone.creature.stepping.rhythm import (
    AT_EASE,
    MOST_TILT,
    WITH_STEPS,
    WITH_SWINGS,
    clock,
    settle,
    sums,
)
from twobone.creature.stepping.support import over_feet

CROUCH = 0.8  # of the hip per squared radian: an animal that leans sinks so much; taste
TUCK = 0.22  # of the trunk's length per radian: an arched back draws its ends together; taste
STILL_HEAD = 0.8  # of the yaw and pitch of the front station, which the head undoes; taste
LASH = 9.0  # radians per second: a link of the tail, if it swings freely; taste


class Tilt(NamedTuple):
    """Cosines and sines of the angles of a station."""

    yaw: Turn
    pitch: Turn
    roll: Turn


def posed(animal: Anatomy, walk: Walk, ground: Callable[[float, float], float], dt: float) -> Pose:
    """Return the pose of an animal after a time, in which what follows the legs moves on."""
    swings = sums(animal, walk)
    bend_trunk(animal, walk, swings, dt)
    over_feet(animal, walk, dt)
    pose = trunk(animal, walk, swings)
    tilts = [tilt_of(frame) for frame in pose.frames]
    rate = WITH_SWINGS * clock(animal, walk)
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        settle(step.angle, angle_of(leg, walk, step), rate, dt)
        hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station])
        pose.stands[i] = Stand(hip, step.foot, step.angle.at, step.facing, step.down)
    shift(animal, walk, pose, swings.heave, ground, dt)
    for k, station in enumerate(walk.stations):
        pose.frames[k].y += station.shift.at
    keep_off(animal, walk, pose.frames)
    for i, leg in enumerate(animal.legs):
        hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station])
        pose.stands[i].hip = hip
        walk.steps[i].hip = hip
    follow(animal, walk, pose, dt)
    return pose


def bend_trunk(animal: Anatomy, walk: Walk, swings: Sums, dt: float) -> None:
    """Move girdles and back with the feet, and lean, bank and rise with the speed."""
    count = len(walk.stations)
    rate = WITH_SWINGS * clock(animal, walk)
    for k, station in enumerate(walk.stations):
        part = k / (count - 1.0) if count > 1 else 0.0
        manner = animal.manner
        yaw = manner.pelvis_yaw + (manner.shoulder_yaw - manner.pelvis_yaw) * part
        settle(station.swing, -0.5 * yaw * swings.apart[k], rate, dt)
        settle(station.drop, 0.5 * manner.drop * walk.vigour * swings.air[k], rate, dt)
    flex = 0.5 * walk.flex * (swings.fore[0] - swings.fore[count - 1])
    settle(walk.back, flex, rate, dt)
    lean = animal.manner.lean * walk.ahead.speed / GRAVITY
    bank = animal.manner.bank * walk.ahead.at * walk.turn.at / GRAVITY
    settle(walk.lean, lean, AT_EASE, dt)
    settle(walk.bank, clamp(bank, -MOST_TILT, MOST_TILT), AT_EASE, dt)
    rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour
    settle(walk.rise, rise, WITH_STEPS * clock(animal, walk), dt)


def trunk(animal: Anatomy, walk: Walk, swings: Sums) -> Pose:
    """Return the stations in space, before they are shifted; legs are still empty."""
    count = len(walk.stations)
    turn = facing(walk.yaw)
    x = walk.balance_x.at + swings.sway * turn.c
    z = walk.balance_z.at - swings.sway * turn.s
    lean = walk.lean.at
    crouch = CROUCH * animal.hip * lean * lean
    frames: list[Frame] = []
    for k, station in enumerate(walk.stations):
        a = k + 1 if k + 1 < count else k
        b = k - 1 if k > 0 else 0
        tilt = 0.0
        if count > 1:
            up = height(walk.stations[a]) - height(walk.stations[b])
            tilt = up / (animal.along[a] - animal.along[b])
        end = 2.0 * k / (count - 1.0) - 1.0 if count > 1 else 0.0
        tuck = -TUCK * animal.span * end * walk.back.at
        frames.append(
            Frame(
                station.x + x + tuck * station.facing.s,
                animal.height
                + station.level.at
                + walk.rise.at
                + swings.heave
                - crouch
                + (animal.along[k] - animal.middle) * (swings.pitch - lean),
                station.z + z + tuck * station.facing.c,
                station.yaw + station.swing.at,
                tilt + swings.pitch - lean - walk.back.at * end,
                walk.roll.at + swings.roll - walk.bank.at + station.drop.at,
            )
        )
    origin = Point(0.0, 0.0, 0.0)
    stands = [Stand(origin, origin, 0.0, 0.0, True) for _ in animal.legs]
    links = len(walk.tail_yaw)
    tail_yaw = [0.0 for _ in range(links)]
    tail_pitch = [0.0 for _ in range(links)]
    return Pose(frames, stands, 0.0, 0.0, tail_yaw, tail_pitch)


def tilt_of(frame: Frame) -> Tilt:
    """Return the rotation of a station."""
    return Tilt(facing(frame.yaw), facing(frame.pitch), facing(frame.roll))


def hip_of(leg: Leg, frame: Frame, tilt: Tilt) -> Point:
    """Return the hip of a leg that a station bears."""
    aside = leg.aside * tilt.roll.c - leg.up * tilt.roll.s
    up = leg.aside * tilt.roll.s + leg.up * tilt.roll.c
    ahead = -up * tilt.pitch.s
    return Point(
        placed_x(frame.x, tilt.yaw, aside, ahead),
        frame.y + up * tilt.pitch.c,
        placed_z(frame.z, tilt.yaw, aside, ahead),
    )


def follow(animal: Anatomy, walk: Walk, pose: Pose, dt: float) -> None:
    """Let the head look where the animal goes, and the tail swing after the pelvis."""
    count = len(walk.stations)
    front = walk.stations[count - 1]
    yaw = clamp(animal.manner.look * walk.turn.at, -MOST_TILT, MOST_TILT)
    settle(walk.look, yaw, AT_EASE, dt)
    pose.head_yaw = walk.look.at - STILL_HEAD * front.swing.at
    pose.head_pitch = -STILL_HEAD * pose.frames[count - 1].pitch
    yaw = animal.manner.wag * walk.stations[0].swing.at
    pitch = pose.frames[0].pitch
    for j in range(len(walk.tail_yaw)):
        walk.tail_yaw[j] = lash(walk.tail_yaw[j].at, walk.tail_yaw[j].speed, yaw, dt)
        walk.tail_pitch[j] = lash(walk.tail_pitch[j].at, walk.tail_pitch[j].speed, pitch, dt)
        yaw = walk.tail_yaw[j].at
        pitch = walk.tail_pitch[j].at
        pose.tail_yaw[j] = yaw - walk.stations[0].swing.at
        pose.tail_pitch[j] = pitch - pose.frames[0].pitch


def lash(place: float, speed: float, goal: float, dt: float) -> Damped:
    """Return a spring damped by half of the critical amount after a time, by a symplectic step."""
    acceleration = LASH * (LASH * (goal - place) - speed)
    faster = speed + acceleration * dt
    return Damped(place + faster * dt, faster)
