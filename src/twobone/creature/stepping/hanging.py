"""What hangs on the trunk: neck, head, arms, ears and tail, as damped springs."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import (
    GRAVITY,
    TINY,
    Damped,
    clamp,
    facing,
    smaller,
    smooth,
    wrapped,
)
from twobone.creature.stepping.records import Angles, Pose, Sums, Walk
from twobone.creature.stepping.rhythm import AT_EASE, MOST_TILT, settle

RUNS = 0.55  # the duty factor below which an animal begins to run; at half of it it does; taste
SELDOM, OFTEN = 0.17, 0.29  # glances per breath of the first link, in two waves; others more
ABRUPT = 4.0  # by which these waves are cut off: an animal looks somewhere for a while; taste
# Of a step: how long the head of a bird is held still in space (Frost, J. Exp. Biol. 74, 1978).
HELD = 0.6
MOST_HELD = 0.3  # of the hip: half the way that a head can be held behind; taste
NODS = 40.0  # radians per second: how soon a neck feels that its bearer rises; taste
LASH = 14.0  # radians per second: a link of the tail, if it swings freely; taste


def hang(animal: Anatomy, walk: Walk, swings: Sums, pose: Pose, dt: float) -> None:
    """Let neck, head, arms and the like follow what bears them, with goals of their own."""
    count = len(walk.stations)
    front = walk.stations[count - 1]
    frame = pose.frames[count - 1]
    look = clamp(animal.manner.look * walk.turn.at, -MOST_TILT, MOST_TILT)
    settle(walk.look, look, AT_EASE, dt)
    sway(walk.front_high, frame.y, NODS, dt)
    rises = walk.front_high.speed / math.sqrt(GRAVITY * animal.hip)
    runs = running(walk)
    nod = (walk.vigour.at - runs) * nodded(walk)
    held = (walk.vigour.at - runs) * held_back(animal, walk)
    for i, link in enumerate(animal.links):
        own = walk.links[i]
        yaw = front.swing.at
        pitch = frame.pitch
        roll = frame.roll
        if link.parent >= 0:
            bearer = walk.links[link.parent]
            yaw = bearer.yaw.at
            pitch = bearer.pitch.at
            roll = bearer.roll.at
        yaw = link.twist * yaw + link.look * walk.look.at
        if link.glance > 0.0 and walk.vigour.at < 1.0 - TINY:
            yaw += link.glance * glanced(walk, i + 1.0)
        swung = link.swing * (1.0 + link.pump * runs)
        swung *= swings.ahead[link.leg] if link.leg >= 0 else 0.0
        sway(own.yaw, yaw, link.quick, dt)
        swung += link.bobs * rises + link.run * runs - link.nod * nod + link.holds * held
        swung -= link.trails * walk.felt_ahead.speed / GRAVITY
        sway(own.pitch, link.tip * pitch + swung, link.quick, dt)
        rolled = link.tip * roll - link.trails * walk.felt_aside.speed / GRAVITY
        sway(own.roll, rolled, link.quick, dt)
        pose.links[i] = Angles(
            own.yaw.at - front.swing.at, own.pitch.at - frame.pitch, own.roll.at - frame.roll
        )


def running(walk: Walk) -> float:
    """Return how much of a run a gait is, 0 to 1: the less of a cycle feet stand, the more."""
    return walk.vigour.at * smooth(2.0 * (1.0 - walk.duty.at / RUNS))


def glanced(walk: Walk, rate: float) -> float:
    """Return to where an animal that stands turns a link, -1 to 1: here and there for a while."""
    turns = 2.0 * math.pi * walk.breath * rate
    waves = facing(SELDOM * turns).s + facing(OFTEN * turns).s
    return (1.0 - walk.vigour.at) * clamp(ABRUPT * waves, -1.0, 1.0)


def nodded(walk: Walk) -> float:
    """Return a wave, -1 to 1, that begins to rise when each of the two front feet lands."""
    landed = walk.phase - walk.steps[len(walk.steps) - 1].offset.at
    return facing(4.0 * math.pi * landed).s


def held_back(animal: Anatomy, walk: Walk) -> float:
    """Return how far behind its middle a head is that is held still in space, of the hip.

    In each step it goes back as fast as the body goes on, and while both feet stand it is thrust
    forward, by a cubic that begins and ends with the speed at which it goes back.
    """
    if walk.beat.at <= 0.0:
        return 0.0
    landed = walk.phase - walk.steps[len(walk.steps) - 1].offset.at
    part = wrapped(2.0 * landed - (walk.duty.at - 0.5)) + 0.5 * (1.0 - HELD)
    most = smaller(0.25 * HELD * walk.ahead.at / (walk.beat.at * animal.hip), MOST_HELD)
    if part > 1.0 - HELD or part < 0.0:
        begun = part - (1.0 - HELD) if part > 0.0 else part + HELD
        return most * (2.0 * begun / HELD - 1.0)
    t = part / (1.0 - HELD)
    steep = 2.0 * (1.0 - HELD) / HELD
    return most * (1.0 - 2.0 * smooth(t) + steep * t * (1.0 - t) * (1.0 - 2.0 * t))


def follow(animal: Anatomy, walk: Walk, pose: Pose, dt: float) -> None:
    """Let the tail swing after the pelvis, and its end stay behind as that goes up and down."""
    manner = animal.manner
    yaw = manner.wag * walk.stations[0].swing.at + walk.felt_aside.speed / GRAVITY
    high = pose.frames[0].y
    sway(walk.tail_high, high, LASH, dt)
    whipped = manner.whip * (high - walk.tail_high.at) / animal.hip
    pitch = pose.frames[0].pitch - manner.streams * running(walk)
    pitch += clamp(whipped, -MOST_TILT, MOST_TILT)
    for j in range(len(walk.tail_yaw)):
        sway(walk.tail_yaw[j], yaw, LASH, dt)
        sway(walk.tail_pitch[j], pitch, LASH, dt)
        yaw = walk.tail_yaw[j].at
        pitch = walk.tail_pitch[j].at
        pose.tail_yaw[j] = yaw - walk.stations[0].swing.at
        pose.tail_pitch[j] = pitch - pose.frames[0].pitch


def sway(value: Damped, goal: float, quick: float, dt: float) -> None:
    """Move a spring damped by half of the critical amount, by a symplectic step.

    Without time, or if it is not `quick`, it is at its goal at once.
    """
    if dt > 0.0 and quick > 0.0:
        value.speed += quick * (quick * (goal - value.at) - value.speed) * dt
        value.at += value.speed * dt
    else:
        value.at = goal
        value.speed = 0.0
