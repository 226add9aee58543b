"""Legs that lift with a plan, swing along it and land."""

from __future__ import annotations

import math
from collections.abc import Callable

from twobone.creature.stepping.anatomy import Anatomy, Leg
from twobone.creature.stepping.footholds import choose
from twobone.creature.stepping.numbers import Point, clamp, damp, larger, mix, smaller, smooth
from twobone.creature.stepping.path import placed_x, placed_z, wanted
from twobone.creature.stepping.records import Course, Step, Walk
from twobone.creature.stepping.rhythm import ASTRAY, DECIDED, WITH_SWINGS, catch_up, clock, eased
from twobone.creature.stepping.support import margin
from twobone.creature.stepping.swings import HIGHEST, aim, arc, at, from_here, lift_over

LANDED = 0.3  # of a stance: how long a foot rolls onto the ground, and stays there at least; taste
BRIEFEST = 0.1  # of a cycle: the least time in the air; taste
LOW = 0.35  # of the arc of a stride: that of a step on the spot; taste
SAMPLES = 66  # of the ground below a swing: one in about .02 of a leg of a long one


def swing(animal: Anatomy, walk: Walk, ground: Callable[[float, float], float], dt: float) -> None:
    """Move all legs on in their cycles: they lift, swing and land.

    A leg that may not lift when it is due does so later, in the first half of its swing.
    """
    duty = walk.duty.at
    for i, leg in enumerate(animal.legs):
        step = walk.steps[i]
        late = catch_up(walk.phase - step.offset - step.phase)
        was = step.phase
        step.phase += walk.rate * dt * (1.0 + late)
        if step.down:
            step.since += walk.rate * dt
            early = step.phase < 0.5 + 0.5 * duty and step.since > LANDED * duty
            due = step.phase >= duty and (was < duty or early)
            if due and (walk.moving or step.stray > ASTRAY * animal.hip):
                if may_lift(animal, walk, i):
                    lift(walk, i)
                    plan(animal, walk, i, ground)
                else:
                    step.phase = duty  # it waits
        elif step.phase >= 1.0:
            land(walk, i)
        if step.phase >= 1.0:
            step.phase -= 1.0
        if not step.down:
            fly(animal, walk, i, ground, dt)
            station = walk.stations[leg.station]
            step.facing = eased(step.facing, station.yaw, WITH_SWINGS * clock(animal, walk), dt)


def may_lift(animal: Anatomy, walk: Walk, i: int) -> bool:
    """Return whether a leg may lift: its neighbours stand, and so would the animal."""
    if not animal.waits:
        return True
    count = len(walk.steps)
    for j in (i - 2, i + 2, i + 1 - 2 * (i % 2)):
        if j >= 0 and j < count and not walk.steps[j].down:
            return False
    if animal.steady:
        return margin(animal, walk, i, 0.0, 0.0).inside > 0.0
    return True


def lift(walk: Walk, i: int) -> None:
    """Let a foot leave the ground."""
    step = walk.steps[i]
    step.down = False
    step.gate = smaller(step.phase, 1.0 - BRIEFEST)
    step.lift.at = 0.0
    step.lift.speed = 0.0
    step.high = 0.0
    step.part = 0.0
    step.slope_before = step.slope
    step.x = Course(0.0, step.foot.x, 0.0, 0.0)
    step.y = Course(0.0, step.foot.y, 0.0, 0.0)
    step.z = Course(0.0, step.foot.z, 0.0, 0.0)


def land(walk: Walk, i: int) -> None:
    """Put a foot down on its goal."""
    step = walk.steps[i]
    step.down = True
    step.since = 0.0
    step.foot = step.goal
    step.stood = step.goal
    step.base = step.goal.y


def fly(
    animal: Anatomy, walk: Walk, i: int, ground: Callable[[float, float], float], dt: float
) -> None:
    """Move a foot along its plan, and plan again if where it wants to land has moved."""
    leg = animal.legs[i]
    step = walk.steps[i]
    part = clamp((step.phase - step.gate) / (1.0 - step.gate), 0.0, 1.0)
    step.part = part
    if part < DECIDED:
        near = ASTRAY * animal.hip
        rest = wanted(animal, leg, walk, step)
        dx = placed_x(rest.x, rest.turn, leg.foot_aside, leg.foot_ahead) - step.want_x
        dz = placed_z(rest.z, rest.turn, leg.foot_aside, leg.foot_ahead) - step.want_z
        if dx * dx + dz * dz > near * near:
            step.x = from_here(step.x, step.goal.x, part)
            step.y = from_here(step.y, step.goal.y, part)
            step.z = from_here(step.z, step.goal.z, part)
            plan(animal, walk, i, ground)
    step.base = at(step.y, step.goal.y, part)
    x = at(step.x, step.goal.x, part)
    z = at(step.z, step.goal.z, part)
    # An arc that must be higher than it was planned becomes so without a jump of the foot.
    damp(step.lift, step.high, WITH_SWINGS * clock(animal, walk), dt)
    step.foot = Point(x, step.base + step.lift.at * arc(part), z)


def plan(animal: Anatomy, walk: Walk, i: int, ground: Callable[[float, float], float]) -> None:
    """Choose a foothold, and the height of the swing which clears the ground on the way."""
    step = walk.steps[i]
    choose(animal, walk, i, ground)
    goal = step.goal
    aim(step, goal, walk.duty.at)
    gait = animal.gaits[walk.gait]
    lifted = animal.lift * animal.hip * gait.lift * (LOW + (1.0 - LOW) * walk.vigour)
    lifted = larger(lifted, lift_over(animal, step, goal, SAMPLES, ground))
    step.high = larger(step.high, smaller(lifted, HIGHEST * animal.hip))
    if step.part == 0.0:
        step.lift.at = step.high


def angle_of(leg: Leg, walk: Walk, step: Step) -> float:
    """Return the angle of the third segment above the ground: it lands, rolls, peels off, curls."""
    duty = walk.duty.at
    vigour = walk.vigour
    if not step.down:
        part = step.part
        over = smooth(part / DECIDED)
        bent = leg.peel * (1.0 - over) + leg.curl * arc(part) - leg.land * smooth(2.0 * part - 1.0)
        return leg.rest + vigour * bent + mix(step.slope_before, step.slope, over)
    landed = 1.0
    left = 0.0
    if walk.rate > 0.0:
        landed = smooth(step.since / (LANDED * duty))
        left = step.phase / duty if step.phase < duty else 1.0
    bent = landed * leg.peel * smooth(2.0 * left - 1.0) - (1.0 - landed) * leg.land
    return leg.rest + vigour * bent + step.slope


def stray(animal: Anatomy, walk: Walk) -> None:
    """Measure how far feet are from where they would be at rest."""
    for leg, step in zip(animal.legs, walk.steps, strict=True):
        station = walk.stations[leg.station]
        dx = placed_x(station.x, station.facing, leg.foot_aside, leg.foot_ahead) - step.foot.x
        dz = placed_z(station.z, station.facing, leg.foot_aside, leg.foot_ahead) - step.foot.z
        step.stray = math.sqrt(dx * dx + dz * dz)
