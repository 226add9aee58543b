"""Legs that lift with a plan, swing along it and land."""

from __future__ import annotations

import math

from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.footholds import choose
from twobone.creature.stepping.levels import moved
from twobone.creature.stepping.numbers import HUGE, Ground, Point, clamp, facing, larger, smaller
from twobone.creature.stepping.path import ahead, at_rest, left_to_go, resting, wanted
from twobone.creature.stepping.records import Course, Walk
from twobone.creature.stepping.rhythm import (
    ASTRAY,
    DECIDED,
    WITH_SWINGS,
    catch_up,
    clock,
    eased,
    left_to_swing,
    other,
)
from twobone.creature.stepping.soles import LANDED, lie_of, lift_over
from twobone.creature.stepping.support import beyond, lowest, margin
from twobone.creature.stepping.swings import aim, from_here, goes_on, highest, lifted_by, planned

BRIEFEST = 1.0 / 3.0  # of a swing: the least of it that a foot which lifts late takes; taste
LOW = 0.35  # of the arc of a stride: that of a step on the spot; taste
SAMPLES = 66  # of the ground below a swing: one in about .02 of a leg of a long one


def swing(animal: Anatomy, walk: Walk, ground: Ground, dt: float) -> None:
    """Move all legs on in their cycles: they lift, swing and land.

    A leg that may not lift when it is due does so later, in the first half of its swing. An animal
    that stops lifts only feet that will be astray; at once where its trunk is nearly at rest, and
    one of a pair after the other.
    """
    duty = walk.duty.at
    is_there = left_to_go(animal, walk) < ASTRAY * animal.hip
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        station = walk.stations[leg.station]
        late = catch_up(walk.phase - step.offset.at - step.phase)
        if walk.stops:
            late = larger(late, 0.0)  # it need not be in its turn
        was = step.phase
        step.phase += walk.rate * dt * (1.0 + late)
        if step.down:
            step.since += walk.rate * dt
            stood = step.since > LANDED * duty
            early = step.phase < 0.5 + 0.5 * duty and stood
            due = step.phase >= duty and (was < duty or early)
            if walk.stops:
                astray = step.stray > ASTRAY * animal.hip
                due = astray and (due or (is_there and stood and walk.steps[other(i)].down))
                due = due or i == walk.fidget
                if due:
                    step.phase = duty  # it does not wait for its turn
            if due:
                if may_lift(animal, walk, i):
                    if i == walk.fidget:
                        walk.fidget = -1  # unreached: kernel-walks
                    lift(walk, i)
                    plan(animal, walk, i, ground)
                else:
                    step.phase = duty  # it waits
        elif step.phase >= 1.0:
            soon = briefest(walk) / clock(animal, walk)
            if beyond(animal, leg, step, step.hip) <= 0.0:
                land(walk, i)
            elif beyond(animal, leg, step, moved(station, step.hip, soon)) <= 0.0:
                step.phase = was  # it waits until its hip has come near
            else:
                step.phase = duty  # it looks for another foothold, from where it is
                step.stood = step.goal
                lift(walk, i)
                plan(animal, walk, i, ground)
        if step.phase >= 1.0:
            step.phase -= 1.0
        if not step.down:
            fly(animal, walk, i, ground)
            step.facing = eased(step.facing, station.yaw, WITH_SWINGS * clock(animal, walk), dt)
            step.toes = facing(step.facing)


def may_lift(animal: Anatomy, walk: Walk, i: int) -> bool:
    """Return whether a leg may lift: its neighbours stand, and so would the animal."""
    if not animal.waits:
        return True
    count = len(walk.steps)
    for j in (i - 2, i + 2, other(i)):
        if j >= 0 and j < count and not walk.steps[j].down:
            return False
    if animal.steady:
        return margin(animal, walk, i, 0.0, 0.0).inside > 0.0
    return True


def lift(walk: Walk, i: int) -> None:
    """Let a foot leave the ground."""
    step = walk.steps[i]
    step.down = False
    step.phase = smaller(step.phase, 1.0 - briefest(walk))
    step.gate = step.phase
    step.over = Course()
    step.high = 0.0
    step.part = 0.0
    step.slope_before = step.slope
    step.lie_before = step.lie
    step.x = Course(place=step.foot.x)
    step.y = Course(place=step.foot.y)
    step.z = Course(place=step.foot.z)


def briefest(walk: Walk) -> float:
    """Return the cycles that a foot is in the air at the least."""
    return BRIEFEST * (1.0 - walk.duty.at)


def land(walk: Walk, i: int) -> None:
    """Put a foot down on its goal."""
    step = walk.steps[i]
    step.down = True
    step.since = 0.0
    step.foot = step.goal
    step.stood = step.goal
    step.base = step.goal.y


def fly(animal: Anatomy, walk: Walk, i: int, ground: Ground) -> None:
    """Move a foot along its plan, and plan again if where it wants to land has moved.

    An animal that stays over its feet also plans again if the foothold will be out of reach, as its
    trunk rises: it cannot do without the foot. Others lose more speed by it than they gain.
    """
    leg = animal.legs[i]
    step = walk.steps[i]
    part = clamp((step.phase - step.gate) / (1.0 - step.gate), 0.0, 1.0)
    step.part = part
    if part < DECIDED:
        near = ASTRAY * animal.hip
        want = wanted(animal, leg, walk, step)
        dx = want.x - step.want.x
        dz = want.z - step.want.z
        again = dx * dx + dz * dz > near * near
        if animal.steady:
            station = walk.stations[leg.station]
            hip = moved(station, step.hip, left_to_swing(animal, walk, step))
            low = Point(hip.x, lowest(animal, leg, walk, step), hip.z)
            again = again or beyond(animal, leg, step, low) > 0.0
        if again:
            plan_again(animal, walk, i, ground)
    foot = planned(step, step.goal, part)
    step.base = foot.y
    step.foot = Point(foot.x, foot.y + lifted_by(step, part), foot.z)


def plan_again(animal: Anatomy, walk: Walk, i: int, ground: Ground) -> None:
    """Choose another foothold for a leg in the air, from where it is."""
    step = walk.steps[i]
    step.x = from_here(step.x, step.goal.x, step.part)
    step.y = from_here(step.y, step.goal.y, step.part)
    step.z = from_here(step.z, step.goal.z, step.part)
    step.over = goes_on(step)
    step.high = 0.0
    plan(animal, walk, i, ground)


def meet(animal: Anatomy, walk: Walk, ground: Ground) -> None:
    """Let an animal notice another ground: where it is not under a foot, this has to step."""
    for i, step in enumerate(walk.steps):
        step.under = ground(step.goal.x, step.goal.z)
        if not step.down and step.part < DECIDED:
            plan_again(animal, walk, i, ground)


def plan(animal: Anatomy, walk: Walk, i: int, ground: Ground) -> None:
    """Choose a foothold, and the height of the swing which clears the ground on the way."""
    step = walk.steps[i]
    if step.part == 0.0:
        stride = animal.lift * animal.hip * animal.gaits[walk.gait].lift
        step.low = stride * (LOW + (1.0 - LOW) * walk.vigour.at)
    choose(animal, walk, i, ground)
    step.lie = lie_of(animal, walk, i, ground)
    aim(step, step.goal, walk.duty.at)
    lifted = lift_over(animal, walk, i, step.goal, step.slope, SAMPLES, ground)
    step.high = smaller(lifted, highest(animal, step))


def stray(animal: Anatomy, walk: Walk) -> None:
    """Measure how far feet are from where they would be at rest, when the trunk has come to it."""
    seconds = resting(animal) if walk.stops else 0.0
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        there = ahead(animal, walk, walk.stations[leg.station], seconds)
        rest = at_rest(leg, there.x, there.z, there.turn)
        dx = rest.x - step.foot.x
        dz = rest.z - step.foot.z
        step.stray = math.sqrt(dx * dx + dz * dz) if step.foot.y == step.under else HUGE
