"""Pace of walkers: how they follow commanded velocities, and how fast gait cycles advance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.core.elementary import exp
from twobone.creature.anatomy import SLOW_FROM, Anatomy
from twobone.creature.animals import Animal
from twobone.creature.few import some
from twobone.creature.footing import distance, from_above, rotated
from twobone.creature.gait import EARLY, between
from twobone.creature.state import Course, Cycle, Delay, State

EASE = 5.0  # per second: rate at which the motion approaches what is asked
AGILE = 6.0  # per second: maximum acceleration over full speed
# The same for four legs that do not wait for each other: their first steps take a whole cycle, and
# a body that is ahead of them has to brake.
GENTLE = 0.7
SLOW_TO = 0.95  # of reach: speed falls from full at SLOW_FROM to 0 here
WAIT = 0.3  # fraction of the gait's rate that remains when a leg is so far out
LATE = 0.6  # of a stride: the gait is faster while a foot in stance is far from its foothold
HURRY = 12.0  # per second: rate at which the gait's rate is adapted
# Strides per second over those that full speed takes, if feet were always on the ground: minimum of
# the gait's rate while a foot is in swing or has strayed.
RESTLESS = 0.25
# The same for walkers told to walk slowly, so that their steps are longer. It depends on the
# desired speed, not on the speed itself: an animal that is to walk fast but is held up by the
# ground soon needs its feet elsewhere, and so does one that is to stand.
CALM = 0.15
CALM_FROM, CALM_TO, NEARLY = 0.1, 0.2, 0.1  # speeds, and how far from them, over full speed
NIMBLE = 1.35  # times full speed: maximum speed of the outermost foot due to turning
SLIPS = 0.2  # of its rate: how fast the gait cycle goes on while a foot waits for the body
CREEPS = (
    0.4  # of full speed: maximum at which the body then moves over the feet that are to bear it
)
CURVED = 0.6  # fraction of full speed lost at the fastest turn
SEEKS = 0.3  # seconds without progress after which a walker puts its feet ahead
AHEAD = 0.2  # of the leg's length: how far ahead at most


class Strayed(NamedTuple):
    """How far feet are from their nominal footholds."""

    distance: NDArray[np.float64]  # (N, L)
    steps: NDArray[np.bool]  # (N, L): the foot should take a step


def fastest_turn(state: State) -> float:
    """Return the fastest turn the animal can do, in radians per second."""
    return float(NIMBLE * state.animal.speed / state.anatomy.breadth)


def limit_orders(state: State, asked) -> None:
    """Limit the desired motion, shape (N, 3), to what the animal can do, in place."""
    full, most = state.animal.speed, fastest_turn(state)
    if engine.KERNEL is not None:
        engine.KERNEL.limit_orders(asked, full, most, CURVED)
        return
    asked[:, 2] = np.minimum(np.maximum(asked[:, 2], -most), most)
    speed, part = distance(from_above(asked)), asked[:, 2] / most
    fast = full * (1.0 - CURVED * (part * part))
    asked[:, :2] *= (fast / np.maximum(speed, fast))[:, None]


def ease(state: State, dt: float, asked) -> None:
    """Change the motion towards the desired one."""
    follow, most = 1.0 - exp(-EASE * dt), AGILE * dt * state.animal.speed
    waits = state.anatomy.pairs == 2 and state.animal.gait.balance == "dynamic"
    gentle = GENTLE / AGILE if waits else 1.0
    if state.anatomy.balances:
        asked = _over_bearing_feet(state, asked)
    if engine.KERNEL is not None:
        given = Course, state.course, asked, state.limits
        state.course = engine.KERNEL.ease(*given, SLOW_FROM, SLOW_TO, follow, most, gentle)
        return
    reach, strain, motion = state.limits.reach, state.limits.strain, state.course.motion
    slow = pace(np.maximum(reach, strain))
    change = follow * (asked * slow[:, None] - motion)
    along = change[:, :2] * motion[:, :2]
    most = np.where(along[:, 0] + along[:, 1] >= 0.0, gentle, 1.0) * most
    change[:, :2] *= (most / np.maximum(distance(from_above(change)), most))[:, None]
    motion = motion + change
    state.course = state.course.moving(motion)


def _over_bearing_feet(state, asked):
    """Return the desired motion, shape (N, 3); while a foot waits, it is over the other feet.

    The body does not go on, or it would leave the polygon that the foot needs in order to lift.
    It goes towards the middle of the feet that are to bear it, forward or back: there their polygon
    is wider than below a body that has come too close to its corner, as after short steps.
    """
    course, feet, waits = state.course, state.feet, state.footholds.waits
    who = np.logical_or.reduce(waits, 1)
    if not some(who):
        return asked
    bears = ~(feet.flies | waits)
    seen = rotated(feet.places - course.place[:, None], course.facing.conj()[:, None])
    # NumPy adds along an axis in order unless it is the last.
    sums = np.add.reduce(np.stack([bears * seen.imag, 1.0 * bears], -1), 1)
    away = sums[:, 0] / np.maximum(sums[:, 1], 1.0) - state.suspension.sway.imag
    most, creeping = CREEPS * state.animal.speed, np.zeros_like(asked)
    creeping[:, 1] = between(EASE * away, -most, most)
    return np.where(who[:, None], creeping, asked)


def pace(reach):
    """Return the fraction of its pace that a walker keeps; `reach` is the extension of its legs."""
    return between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)


def foothold_speed(anatomy: Anatomy, motion):
    """Return the maximum speed of a nominal foothold over the ground, shape (N)."""
    if engine.KERNEL is not None:
        return engine.KERNEL.foothold_speed(motion, anatomy.footholds)
    turning = motion[:, 2:] * (-1j * anatomy.footholds)
    return np.maximum.reduce(distance(from_above(motion)[:, None] + turning), 1)


def resting(animal: Animal, anatomy: Anatomy, phase, duty_factor) -> Cycle:
    """Return the gait cycle of walkers that stand still."""
    n = len(phase)
    least = np.full(n, RESTLESS * animal.speed / anatomy.stride)
    return Cycle(phase, duty_factor, np.ones(n), np.zeros(n), least, np.zeros(n))


def advance_gait(state: State, dt: float, asked, speed, strayed: Strayed) -> None:
    """Advance the gait cycle; `asked` is the desired motion, `speed` that of the footholds."""
    cycle = state.cycle
    _advance_gait(state, dt, asked, speed, strayed)
    if state.anatomy.balances:
        _slip(state, cycle)


def _slip(state, before):
    """Let the gait cycle advance more slowly where a foot waits for the body.

    It does not stop: if the body cannot get over the other feet, it is another foot's turn.
    """
    who = np.logical_or.reduce(state.footholds.waits, 1)
    if some(who):
        phase, duty_factor = (
            np.where(who, then + SLIPS * (now - then), now)
            for then, now in zip(before[:2], state.cycle[:2], strict=True)
        )
        state.cycle = state.cycle._replace(phase=phase, duty_factor=duty_factor)


def _advance_gait(state, dt, asked, speed, strayed):
    full, follow = state.animal.speed, 1.0 - exp(-HURRY * dt)
    if engine.KERNEL is not None:
        anatomy, feet, late = state.anatomy, state.feet, state.footholds.late
        given = Cycle, state.cycle, asked, anatomy.footholds, speed, strayed, feet.progress
        calm = RESTLESS * full, (RESTLESS - CALM) * full
        calm_at = CALM_FROM * full, CALM_TO * full, NEARLY * full
        reach = LATE * anatomy.stride, WAIT, SLOW_FROM, SLOW_TO, follow
        rates = dt, full, *calm, *calm_at, anatomy.stride, *reach
        changes = *state.animal.gait.duty_factor, most_change(state), EARLY
        state.cycle = engine.KERNEL.advance_gait(*given, state.limits, late, *rates, *changes)
        return
    least, told = state.cycle.least, foothold_speed(state.anatomy, asked)
    least = least + follow * (least_rate(state, told) - least)
    rate, hurry, waits = gait_rate(state, follow, least, speed, strayed)
    cycles = dt * rate
    # The cycle stops until a late foot has landed.
    phase, duty_factor = advanced(state, np.where(waits, 0.0, cycles), speed / full)
    swing_rate = cycles / (EARLY * (1.0 - duty_factor) * dt)
    state.cycle = Cycle(phase, duty_factor, hurry, rate, least, swing_rate)


def least_rate(state: State, told):
    """Return the minimum of the gait's rate for footholds that should move at some speeds."""
    full = state.animal.speed
    away = np.maximum(np.maximum(CALM_FROM * full - told, told - CALM_TO * full), 0.0)
    calm = np.maximum(1.0 - away / (NEARLY * full), 0.0)
    return (RESTLESS * full - calm * ((RESTLESS - CALM) * full)) / state.anatomy.stride


def gait_rate(state: State, follow: float, least, speed, strayed: Strayed):
    """Return the rate of the gait cycle, how much it hurries, and which cycles wait for a foot."""
    cycle, late, stride = state.cycle, state.footholds.late, state.anatomy.stride
    strain, flies = state.limits.strain, state.feet.flies
    restless = np.logical_or.reduce(strayed.steps | flies, 1)
    rate = np.maximum(cycle.duty_factor * speed / stride, least * restless)
    # The swings advance with the gait cycle, so its rate must not jump.
    behind = np.maximum.reduce(strayed.distance * ~flies, 1) / (LATE * stride)
    goal = between(behind, 1.0, 1.4) * (WAIT + (1.0 - WAIT) * pace(strain))
    hurry = cycle.hurry + follow * (goal - cycle.hurry)
    rate = rate * hurry
    late &= flies
    return rate, hurry, np.logical_or.reduce(late, 1)


def advanced(state: State, cycles, speed):
    """Return the phase after so many cycles, and the duty factor closer to that of the speed.

    `speed` is a fraction of full speed.
    """
    cycle = state.cycle
    change = state.animal.gait.duty_factor_at(speed) - cycle.duty_factor
    most = most_change(state) * cycles
    return cycle.phase + cycles, cycle.duty_factor + np.maximum(np.minimum(change, most), -most)


def most_change(state: State) -> float:
    """Return by how much at most the duty factor changes in a cycle: no leg's phase decreases."""
    return 0.3 / state.anatomy.steepness


def measure_delay(state: State, dt: float, asked) -> None:
    """Measure how long commands have had no effect, and then put footholds ahead of the body.

    From feet that stand farther ahead the body may rise over an obstacle, or get out of a hole.
    """
    far, breadth = AHEAD * state.anatomy.length, state.anatomy.breadth
    follow = 1.0 - exp(-EASE * dt)
    motion, full = state.course.motion, state.animal.speed
    if engine.KERNEL is not None:
        given = Delay, state.delay, asked, motion
        state.delay = engine.KERNEL.delay(*given, dt, breadth, full, far, SEEKS, follow)
        return
    seconds, lead = state.delay
    told, goes = (
        distance(from_above(each)) + breadth * np.abs(each[:, 2]) for each in (asked, motion)
    )
    waits = (told > 0.02 * full) & (goes < 0.1 * told)
    seconds = np.where(waits, seconds + dt, 0.0)
    far = far * between(seconds / SEEKS - 1.0, 0.0, 1.0)
    goal = asked * (far / np.maximum(told, 1e-300))[:, None]
    state.delay = Delay(seconds, lead + follow * (goal - lead))
