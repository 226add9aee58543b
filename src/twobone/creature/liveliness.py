"""Liveliness: bodies that bob and roll over their feet, lean into starts and turns, and breathe.

All of it offsets the plane over which the body is (see `springs`). The offsets are bounded, scaled
by `Animal.liveliness` and part of the suspension, so whatever restrains a body restrains them too.
"""

from __future__ import annotations

import functools

import numpy as np

from twobone.core import engine
from twobone.core.elementary import CIRCLE, cis
from twobone.creature import springs
from twobone.creature.few import some
from twobone.creature.footing import distance
from twobone.creature.gait import arch, between
from twobone.creature.state import Feel, State, Suspension

SPARE = 0.05  # of the leg's length: with less distance to a limit, bodies move less
IDLE = 0.1  # of full speed: a body that is slower breathes and shifts its weight
BREATHS = 1.9  # radians per second
BREATH = 0.006  # of the leg's length: how far a body rises as it breathes in
CHEST = 0.006  # and how far it leans back, as z of the normal
# Two waves whose periods have no common multiple, so that the motion never seems to repeat.
SHIFTS = (0.61, 1.07)  # radians per second
ROCKS = 0.02  # lean towards the side that bears more of the weight, as x of the normal
IDLES = BREATHS, *SHIFTS, ROCKS, CHEST  # as the kernel takes them
APART = (3.1, 5.3)  # seconds per leg's length along x and z: neighbours do not breathe in unison


def calm(anatomy, place):
    """Return what bodies feel that stand still at places."""
    seconds = (APART[0] * place.real + APART[1] * place.imag) / anatomy.length
    return Feel(seconds, np.zeros(place.shape, np.complex128))


def stir(state: State, dt: float, speed, phases) -> None:
    """Move bodies by their springs.

    `speed` is that of the footholds, `phases` are those of the legs.
    """
    liveliness = state.animal.liveliness
    if not liveliness:
        return
    gains, suspension, course = state.anatomy.gains, state.suspension, state.course
    many = state.anatomy.pairs > 2
    # Close to a limit a body keeps still, so that liveliness does not stop a walk.
    spring, rate, spare = suspension.spring, suspension.spring_rate, SPARE * state.anatomy.length
    if engine.KERNEL is not None:
        given = spring, rate, state.slack, state.feel, state.feet.progress, phases
        moves = state.cycle.duty_factor, speed, course.motion
        body = gains, springs.table_of(gains.frequencies, dt), dt, many, spare, liveliness
        idle = IDLE * state.animal.speed, BREATH * state.anatomy.length, IDLES, 2.0 * np.pi, CIRCLE
        spring, rate, bounce, *feel = engine.KERNEL.stir(*given, *moves, *body, *idle)
        feel = Feel(*feel)
    else:
        feel, before = Feel(state.feel.seconds + dt, course.velocity.copy()), state.feel.velocity
        goal = np.zeros(spring.shape)
        goal[:, 0] = np.add.reduce(arch(state.feet.progress)[..., None] * gains.feet, 1)
        if many:
            goal[:, 0, 2] = _bob(state, speed, phases)
        goal[:, 1] = idle_goal(state, feel.seconds, speed)
        goal[:, 1, 0] += gains.turn * course.motion[:, 1] * course.motion[:, 2]
        # The last of the slacks would put a foot that is just above the ground at a limit.
        legs, knees, belly, _ = state.slack
        least = np.minimum(np.minimum.reduce(np.minimum(legs, knees), 1), belly)
        free = between(least / spare, 0.0, 1.0)[:, None]
        goal *= free[:, None]
        change, rate = feel.velocity - before, rate.copy()
        push = np.stack([change.real, change.imag, distance(change)], -1)
        rate[:, 1] += free * gains.push * push
        spring, rate = springs.advance(gains.frequencies, spring, rate, goal, dt)
        bounce = liveliness * springs.bounded(spring[:, 0] + spring[:, 1], gains.most)
    state.feel = feel
    state.suspension = Suspension(*suspension[:6], spring, rate, bounce)


def _bob(state, speed, phases):
    """Return the heights of bodies on many legs, which sink twice in a gait cycle.

    Each foot is a wave that is 1 in the middle of its swing and -1 half a cycle later. The waves of
    two sets of feet differ by 2 in tripods, and by less the more a gait is a wave along the body.
    """
    middle = 0.5 * (1.0 - state.cycle.duty_factor)
    waves = cis(2.0 * np.pi * (phases - middle[:, None])).real * state.anatomy.gains.sets
    turns = functools.reduce(np.add, waves.T)
    return state.anatomy.gains.sink * (1.0 - idleness(state, speed)) * turns * turns


def idleness(state: State, speed):
    """Return how much bodies behave as if idle, from 0 to 1; `speed` is that of the footholds."""
    return between(1.0 - speed / (IDLE * state.animal.speed), 0.0, 1.0)


def idle_goal(state: State, seconds, speed):
    """Return the offsets (N, 3) of bodies that breathe and shift their weight while they stand."""
    offset = np.zeros((len(seconds), 3))
    idle = idleness(state, speed)
    if some(idle):
        breath = idle * cis(BREATHS * seconds).imag
        slow, quick = (cis(rate * seconds).imag for rate in SHIFTS)
        offset[:, 0] = ROCKS * idle * (0.6 * slow + 0.4 * quick)
        offset[:, 1], offset[:, 2] = -CHEST * breath, BREATH * state.anatomy.length * breath
    return offset
