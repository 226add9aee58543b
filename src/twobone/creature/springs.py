"""Damped springs with exact steps, and how strongly they move the body of an animal.

Three numbers of a body are offset: its lean to the left and forward (x and z of the normal of its
plane) and its height. Each offset is the sum of two springs. The stiff one follows the feet; it
passes the frequency of steps and smooths what is faster. The soft one takes what happens to the
whole body: starts, stops, turns and pushes, after which it overshoots and settles.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.elementary import TURN, exp, turned
from twobone.creature import animals
from twobone.creature.animals import Animal

# Undamped frequencies, and damping ratios. That of the stiff spring is a multiple of the frequency
# of steps at full speed (two in a gait cycle), that of the soft one in radians per second.
STIFF, SOFT = (1.2, 0.7), (8.0, 0.4)
# How far a body sinks or leans towards feet in the air, if all of them were. A foot contributes its
# share, and to the lean as far as it is to one side or to one end.
SINKS = 0.14  # of the leg's length
VAULTS = 0.07  # of the leg's length: a body on two legs rises over the foot that bears it
DROOPS = 0.2  # x and z of the normal
# Leans are accelerations over gravity, and gravity is that for which this is the Froude number of
# full speed, v^2 / (g length), so that small and large animals lean alike.
FROUDE = 0.3
CURVE, START = 1.0, 0.25  # lean over acceleration in turns, and at starts and stops
DUCKS = 0.5  # leg lengths per second: speed down after a change of the velocity by full speed
LEANS = 0.12  # maximum lean, of a body whose feet are below it
DEPTH = 0.06  # of the leg's length: maximum offset of the height


class Gains(NamedTuple):
    """How strongly the springs move the body of an animal with L legs."""

    frequencies: tuple[float, float]  # of the stiff and the soft spring, radians per second
    feet: NDArray[np.float64]  # (L, 3): offset by a foot in the air
    sets: NDArray[np.float64]  # (L): share of a foot in its set, negative in one of two sets
    sink: float  # change of the height while one of the sets swings and the other stands
    turn: float  # lean to one side over acceleration, in turns
    push: NDArray[np.float64]  # (3): rates over changes of velocity, aside, ahead and by size
    most: NDArray[np.float64]  # (3): bounds of the offsets


def gains_of(animal: Animal) -> Gains:
    """Return how strongly the springs move the body of an animal.

    The wider and the longer its stance is, compared to its height, the less a body leans.
    """
    length, feet = animals.length(animal), animal.legs.footholds
    wide, long = np.maximum(np.max(np.abs(feet), 0), 1e-3 * length)
    narrow, short = (1.0 / (1.0 + (far / animal.body.height) ** 2) for far in (wide, long))
    each = np.zeros((len(feet), 3))
    each[:, 0], each[:, 1] = DROOPS * feet[:, 0] / wide, DROOPS * short * feet[:, 1] / long
    sets = np.zeros(len(feet))
    if len(feet) < 6:
        each[:, 2] = length * (VAULTS if len(feet) == 2 else -SINKS)
    else:
        # Of many feet some are always in the air; but two sets, such as tripods, take turns.
        sets[:] = [(-1.0) ** (leg // 2 + leg) for leg in range(len(feet))]
    cycles = float(animal.gait.duty_factor_at(1.0)) * animal.speed / (animal.gait.stride * length)
    gravity = animal.speed**2 / (FROUDE * length)
    start = START * SOFT[0] ** 2 / gravity
    return Gains(
        frequencies=(STIFF[0] * 4.0 * math.pi * cycles, SOFT[0]),
        feet=each / len(feet),
        sets=sets / len(feet),
        sink=-0.5 * SINKS * length,
        turn=CURVE * narrow / gravity,
        push=np.array([start * narrow, start * short, -DUCKS * length / animal.speed]),
        most=np.array([LEANS * narrow, LEANS * short, DEPTH * length]),
    )


class Step(NamedTuple):
    """Coefficients by which two springs advance by a time step; arrays of shape (2, 1)."""

    offset_by_offset: NDArray[np.float64]
    offset_by_rate: NDArray[np.float64]
    rate_by_offset: NDArray[np.float64]
    rate_by_rate: NDArray[np.float64]


@functools.lru_cache(maxsize=64)
def step_of(frequencies: tuple[float, float], dt: float) -> Step:
    """Return the coefficients of the stiff and the soft spring; see `coefficients`."""
    return Step(*table_of(frequencies, dt)[:, :, None])


@functools.lru_cache(maxsize=64)
def table_of(frequencies: tuple[float, float], dt: float) -> NDArray[np.float64]:
    """Return the fields of `Step` as the rows of an array of shape (4, 2)."""
    rows = [
        coefficients(frequency, damping, dt)
        for frequency, (_, damping) in zip(frequencies, (STIFF, SOFT), strict=True)
    ]
    return np.array(rows).T.copy()


@functools.lru_cache(maxsize=64)
def coefficients(frequency: float, damping: float, dt: float) -> tuple[float, float, float, float]:
    """Return the coefficients of the exact solution of `x'' = -2 z w x' - w^2 x` after a time.

    They are those of x and x' in x, then those in x'; `frequency` is w, and `damping`, which must
    be below 1, is z.
    """
    turns = frequency * math.sqrt(1.0 - damping * damping)
    fade, way = exp(-damping * frequency * dt), complex(turned(turns * dt * TURN))
    cosine, sine = fade * way.real, fade * way.imag / turns
    shift = damping * frequency * sine
    return cosine + shift, sine, -frequency * frequency * sine, cosine - shift


def advance(frequencies: tuple[float, float], offset, rate, goal, dt: float):
    """Return offset and rate of both springs after a time step, exact for a constant goal.

    Parameters
    ----------
    frequencies : (float, float)
        Of the stiff and the soft spring, in radians per second.
    offset, rate, goal : array, shape (..., 2, K)
        Of the stiff and the soft spring.
    dt : float
        Seconds.

    Returns
    -------
    offset, rate : array, shape (..., 2, K)
    """
    step, away = step_of(frequencies, dt), offset - goal
    return (
        goal + step.offset_by_offset * away + step.offset_by_rate * rate,
        step.rate_by_offset * away + step.rate_by_rate * rate,
    )


def one_step(spring: tuple[float, float], offset, rate, dt: float):
    """Return offset and rate after a time step, exact, of a spring whose goal is 0.

    `spring` is its undamped frequency in radians per second, and its damping ratio.
    """
    step = coefficients(*spring, dt)
    return step[0] * offset + step[1] * rate, step[2] * offset + step[3] * rate


def bounded(offset, most, size=None):
    """Return offsets that stay below a bound; small ones hardly change.

    `size` are the sizes of offsets that are vectors; by default they are numbers.
    """
    over = (offset if size is None else size) / most
    return offset / np.sqrt(1.0 + over * over)
