"""Gaits: when each leg swings, and how a foot goes through the air.

Each side swings from rear to front, a leg 1 - `duty_factor` of a cycle after the one behind it, and
the sides are half a cycle apart (the wave gait of walking arthropods: J. Exp. Biol. 221(22),
jeb189142; Nirody, arXiv:2104.01203). The duty factor, the fraction of a cycle that a foot is on the
ground, falls continuously as speed rises: from one leg at a time to tripods. The phase advances
with the distance walked, so an animal that stands takes no steps and a step covers the same ground
at any speed. While a foot is in the air or away from its nominal foothold, the phase advances at
least as fast as at a quarter of full speed, and slow animals take shorter steps.
"""

from __future__ import annotations

import functools
import math
from typing import Any, overload

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray, Number
from twobone.errors import CreatureError
from twobone.terrain import arguments

EARLY = 0.96  # a foot lands that much before the next one may leave
LOCK = 0.75  # share of a swing after which its foothold stays


class WaveGait:
    """Waves of steps that run along each side from rear to front.

    Parameters
    ----------
    stride : float
        How far the body goes while a foot is on the ground, over the leg's length.
    duty_factor : float or (float, float)
        The share of a cycle that a foot is on the ground, at least 0.5: one number, or what it
        is at rest and at full speed.
    lift : float
        How high a foot swings over even ground, over the leg's length.

    Examples
    --------
    Six legs at duty factor 0.75: legs of one side never swing together.

    >>> from twobone.creature import WaveGait
    >>> WaveGait().offsets(3, 0.75).tolist()
    [0.0, 0.5, 0.25, 0.75, 0.5, 0.0]
    """

    def __init__(
        self,
        stride: float = 0.4,
        duty_factor: float | tuple[float, float] | list[float] = (0.8, 0.5),
        lift: float = 0.2,
    ) -> None:
        low, high = (
            duty_factor if isinstance(duty_factor, tuple | list) else (duty_factor, duty_factor)
        )
        self.duty_factor = (
            _number("duty_factor", low, 0.5, 0.95),
            _number("duty_factor", high, 0.5, 0.95),
        )
        self.stride = _number("stride", stride, 0.01, 2.0)
        self.lift = _number("lift", lift, 0.0, 2.0)

    @overload
    def duty_factor_at(self, share: Number) -> np.float64: ...
    @overload
    def duty_factor_at(self, share: NDArray[Any]) -> NDArray[np.float64]: ...
    def duty_factor_at(self, share: Any) -> Any:
        """Return the duty factor at a share of full speed."""
        slow, fast = self.duty_factor
        return slow + (fast - slow) * between(share, 0.0, 1.0)

    def offsets(self, pairs: int, duty_factor: ArrayLike[Any]) -> NDArray[np.float64]:
        """Return when each leg leaves the ground, in cycles: legs in pairs from rear to front.

        Parameters
        ----------
        pairs : int
        duty factor : float or array, shape (...)

        Returns
        -------
        array, shape (..., 2 pairs)
        """
        duty_factor = np.asarray(duty_factor, np.float64)[..., None]
        ranks, sides = _order(pairs)
        return (ranks * (1.0 - duty_factor) + sides) % 1.0

    def __repr__(self) -> str:
        return f"WaveGait(stride={self.stride}, duty_factor={self.duty_factor}, lift={self.lift})"


@functools.cache
def _order(pairs):
    """Return the rank of each leg from rear to front, and the phase of its side."""
    return np.repeat(np.arange(float(pairs)), 2), np.tile([0.0, 0.5], pairs)


POWERS = np.arange(6.0)
# What a share s of what is left of the way makes of a swing: factors of 1, s, s^2 ... s^5, for
# its next place, speed and bend (rows), of its place, speed and bend now and of its goal. A place
# goes as Flash and Hogan's 10 s^3 - 15 s^4 + 6 s^5 and its like; a speed is its derivative times
# 1 - s, a bend that of second order times (1 - s)^2, since then less of the way is left.
PLACE = [[1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5]]
SPEED = [[0, 0, -30, 90, -90, 30], [1, -1, -18, 50, -47, 15], [0, 1, -5.5, 10.5, -8.5, 2.5]]
BEND = [[0, -60, 300, -540, 420, -120], [0, -36, 168, -288, 216, -60], [1, -11, 37, -55, 38, -10]]
GOAL = [[0, 0, 0, 10, -15, 6], [0, 0, 30, -90, 90, -30], [0, 60, -300, 540, -420, 120]]
ROWS = [[*now, goal] for now, goal in zip((PLACE, SPEED, BEND), GOAL, strict=True)]
GLIDE = np.array(ROWS, np.float64).reshape(12, 6).T.copy()


def glide(swing, share):
    """Carry feet a share of what is left of the smoothest way to a goal that may itself move.

    The way is the polynomial of fifth degree from where, how fast and how bent the foot goes
    now to rest at the goal (Flash and Hogan's, `10 t^3 - 15 t^4 + 6 t^5` from rest to rest).
    It is taken anew at each step, so position, speed and acceleration never jump.

    Parameters
    ----------
    swing : array, shape (M, 4, 3)
        Where feet are, how fast they go, how bent their way is and where it ends, a row each.
        The unit of time is what they need for the rest of their way.
    share : array, shape (M)
        From 0 to 1.

    Returns
    -------
    array, shape (M, 3, 3)
        Place, speed and bend, in the time of the way that is then left.
    """
    weights = (share[:, None] ** POWERS) @ GLIDE
    return weights.reshape(-1, 3, 4) @ swing


def arch(progress):
    """Return the height of a foot over the straight way, 1 at the top: `64 (t (1 - t))^3`."""
    t = between(progress, 0.0, 1.0)
    t = t * (1.0 - t)
    return 64.0 * t * t * t


def between(value, least, greatest):
    """Return what `np.clip` does, in half the time for a few numbers."""
    return np.minimum(np.maximum(value, least), greatest)


def settle(value, speed, goal, rate, dt):
    """Go towards a goal as a critically damped spring does; exact for any step of time."""
    away, turn, fade = value - goal, rate * dt, math.exp(-rate * dt)
    there = goal + (fade * (1.0 + turn)) * away + (fade * dt) * speed
    return there, (fade * (1.0 - turn)) * speed - (fade * rate * turn) * away


def _number(name: str, value: Any, least: float, greatest: float) -> float:
    found = arguments.number(name, value)
    if not least <= found <= greatest:
        raise CreatureError(name, f"be from {least} to {greatest}", repr(value))
    return found
