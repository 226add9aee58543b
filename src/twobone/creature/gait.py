"""Gaits: when each leg swings, and the trajectory of a foot through the air.

On each side the swings run from rear to front, each leg 1 - `duty_factor` of a cycle after the one
behind it, and the sides are half a cycle apart (the wave gait of walking arthropods: J. Exp. Biol.
221(22), jeb189142; Nirody, arXiv:2104.01203). The duty factor, the fraction of a cycle that a foot
is on the ground, falls continuously as speed rises, from one leg at a time to tripods. The phase
advances with the distance walked, so a standing animal takes no steps and the step length does not
depend on speed. The exception is slow walking: while a foot is in the air or away from its nominal
foothold, the phase advances at least as fast as at a quarter of full speed, so steps are shorter.
"""

from __future__ import annotations

import functools
import math
from typing import Any, overload

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray, Number
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

EARLY = 0.96  # a swing takes this fraction of its time slot, so it ends before the next may start
LOCK = 0.75  # fraction of a swing after which its foothold no longer changes


class WaveGait(Immutable):
    """Wave gait: on each side, the legs step one after the other from rear to front.

    Parameters
    ----------
    stride : float
        Distance that the body covers in one stance, divided by the leg's length; from 0.01 to 2.
    duty_factor : float or (float, float)
        Fraction of a cycle that a foot is on the ground, from 0.5 to 0.95: one number, or the
        values at rest and at full speed.
    lift : float
        Height of a swing over flat ground, divided by the leg's length; from 0 to 2.

    Raises
    ------
    CreatureError, ArrayTypeError
        If an argument is outside its range, or is not a number.

    Examples
    --------
    >>> from twobone.creature import WaveGait
    >>> WaveGait(stride=0.3, duty_factor=0.75)
    WaveGait(stride=0.3, duty_factor=(0.75, 0.75), lift=0.2)

    At duty factor 0.75, legs of one side never swing at the same time:

    >>> WaveGait().offsets(3, 0.75).tolist()
    [0.0, 0.5, 0.25, 0.75, 0.5, 0.0]
    """

    _set_once = ("stride", "duty_factor", "lift")

    def __init__(
        self,
        stride: float = 0.4,
        duty_factor: float | tuple[float, float] | list[float] = (0.8, 0.5),
        lift: float = 0.2,
    ) -> None:
        pair = duty_factor if isinstance(duty_factor, tuple | list) else [duty_factor] * 2
        if len(pair) != 2:
            raise ShapeError("duty_factor", "be one number or two", (len(pair),), f"{len(pair)}")
        low, high = pair
        self.duty_factor = (
            _number("duty_factor", low, 0.5, 0.95),
            _number("duty_factor", high, 0.5, 0.95),
        )
        self.stride = _number("stride", stride, 0.01, 2.0)
        self.lift = _number("lift", lift, 0.0, 2.0)

    @overload
    def duty_factor_at(self, speed_fraction: Number) -> np.float64: ...
    @overload
    def duty_factor_at(self, speed_fraction: NDArray[Any]) -> NDArray[np.float64]: ...
    def duty_factor_at(self, speed_fraction: Any) -> Any:
        """Return the duty factor at a speed.

        Parameters
        ----------
        speed_fraction : float or array, shape (...)
            The speed divided by full speed; clipped to the range from 0 to 1.

        Returns
        -------
        float or array, shape (...)
            The duty factor: at 0 that at rest, at 1 that at full speed, linear in between.
        """
        if type(speed_fraction) is not np.ndarray:  # checked only here: it is called in each step
            speed_fraction = _array("speed_fraction", speed_fraction)
        slow, fast = self.duty_factor
        return slow + (fast - slow) * between(speed_fraction, 0.0, 1.0)

    def offsets(self, pairs: int, duty_factor: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return the phase at which each leg leaves the ground.

        Parameters
        ----------
        pairs : int
            Number of pairs of legs.
        duty_factor : float or array, shape (...)

        Returns
        -------
        array, shape (..., 2 pairs)
            Phases in cycles, from 0 to 1, for legs in pairs from rear to front, left before right.
        """
        if type(pairs) is not int:
            raise ArrayTypeError("pairs", "a whole number", arguments.shown(pairs))
        duty_factor = _array("duty_factor", duty_factor)[..., None]
        ranks, sides = _order(pairs)
        return (ranks * (1.0 - duty_factor) + sides) % 1.0

    def __repr__(self) -> str:
        return f"WaveGait(stride={self.stride}, duty_factor={self.duty_factor}, lift={self.lift})"


@functools.cache
def _order(pairs):
    """Return the rank of each leg on its side, from rear to front, and the phase of that side."""
    return np.repeat(np.arange(float(pairs)), 2), np.tile([0.0, 0.5], pairs)


POWERS = np.arange(6.0)
# Polynomials in s, the fraction of the remaining swing by which a foot advances: coefficients of
# 1, s, s^2 ... s^5. PLACE, SPEED and BEND give the position, velocity and acceleration after that
# advance, each in terms of the position, velocity and acceleration before it (the three rows); GOAL
# has the terms in the goal. Positions follow the quintic Hermite basis (Flash and Hogan's
# 10 s^3 - 15 s^4 + 6 s^5 for the goal); velocities are its first derivative times 1 - s and
# accelerations its second times (1 - s)^2, because time is measured in units of what remains.
PLACE = [[1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5]]
SPEED = [[0, 0, -30, 90, -90, 30], [1, -1, -18, 50, -47, 15], [0, 1, -5.5, 10.5, -8.5, 2.5]]
BEND = [[0, -60, 300, -540, 420, -120], [0, -36, 168, -288, 216, -60], [1, -11, 37, -55, 38, -10]]
GOAL = [[0, 0, 0, 10, -15, 6], [0, 0, 30, -90, 90, -30], [0, 60, -300, 540, -420, 120]]
ROWS = [[*now, goal] for now, goal in zip((PLACE, SPEED, BEND), GOAL, strict=True)]
GLIDE = np.array(ROWS, np.float64).reshape(12, 6).T.copy()


def glide(swing, fraction):
    """Advance feet along the minimum-jerk path to their goals, which may move between calls.

    The path is the polynomial of fifth degree from the foot's current position, velocity and
    acceleration to rest at the goal (Flash and Hogan 1985; `10 t^3 - 15 t^4 + 6 t^5` from rest to
    rest). It is computed anew at each step, so all three stay continuous when the goal moves.

    Parameters
    ----------
    swing : array, shape (M, 4, 3)
        Position, velocity, acceleration and goal of each foot, one row each. The unit of time is
        the time that remains of the swing.
    fraction : array, shape (M)
        Fraction of the remaining time by which to advance, from 0 to 1.

    Returns
    -------
    array, shape (M, 3, 3)
        New position, velocity and acceleration, in units of the time that then remains.
    """
    weights = (fraction[:, None] ** POWERS) @ GLIDE
    return weights.reshape(-1, 3, 4) @ swing


def arch(progress):
    """Return the height of a swing relative to its top, `64 (t (1 - t))^3`; `t` is the progress."""
    t = between(progress, 0.0, 1.0)
    t = t * (1.0 - t)
    return 64.0 * t * t * t


def between(value, least, greatest):
    """Return values clipped to a range, like `np.clip` but twice as fast on small arrays."""
    return np.minimum(np.maximum(value, least), greatest)


def settle(value, speed, goal, rate, dt):
    """Return value and speed of a critically damped spring after `dt`; exact for any time step."""
    away, turn, fade = value - goal, rate * dt, math.exp(-rate * dt)
    there = goal + (fade * (1.0 + turn)) * away + (fade * dt) * speed
    return there, (fade * (1.0 - turn)) * speed - (fade * rate * turn) * away


def _array(name, value):
    """Return a value as a float64 array; raise if it does not consist of numbers."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    return np.asarray(arrays.as_array(arrays.NUMPY, name, value), np.float64)


def _number(name: str, value: Any, least: float, greatest: float) -> float:
    found = arguments.number(name, value)
    if not least <= found <= greatest:
        raise CreatureError(name, f"be from {least} to {greatest}", repr(value))
    return found
