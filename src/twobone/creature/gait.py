"""Gaits: when each leg swings, and how a foot goes through the air.

Each side swings from rear to front, a leg `1 - duty` of a cycle after the one behind it, and
the sides are half a cycle apart (the wave gait of walking arthropods: J. Exp. Biol. 221(22),
jeb189142; Nirody, arXiv:2104.01203). `duty`, the share of a cycle that a foot is on the ground,
falls continuously as speed rises: from one leg at a time to tripods. The phase goes on with
the way, not with time, so a step covers the same ground at any speed.
"""

import functools
import math

import numpy as np

from twobone.creature import arguments
from twobone.errors import CreatureError

EARLY = 0.96  # a foot lands that much before the next one may leave
LOCK = 0.75  # share of a swing after which its foothold stays


class WaveGait:
    """Waves of steps that run along each side from rear to front.

    Parameters
    ----------
    stride : float
        How far the body goes while a foot is on the ground, over the leg's length.
    duty : float or (float, float)
        The share of a cycle that a foot is on the ground, at least 0.5: one number, or what it
        is at rest and at full speed.
    lift : float
        How high a foot swings over even ground, over the leg's length.

    Examples
    --------
    Six legs at duty 0.75: legs of one side never swing together.

    >>> from twobone.creature import WaveGait
    >>> WaveGait().offsets(3, 0.75).tolist()
    [0.0, 0.5, 0.25, 0.75, 0.5, 0.0]
    """

    def __init__(self, stride=0.4, duty=(0.8, 0.5), lift=0.2):
        low, high = duty if isinstance(duty, tuple | list) else (duty, duty)
        self.duty = (_number("duty", low, 0.5, 0.95), _number("duty", high, 0.5, 0.95))
        self.stride = _number("stride", stride, 0.01, 2.0)
        self.lift = _number("lift", lift, 0.0, 2.0)

    def duty_at(self, share):
        """Return the duty at a share of full speed."""
        slow, fast = self.duty
        return slow + (fast - slow) * between(share, 0.0, 1.0)

    def offsets(self, pairs, duty):
        """Return when each leg leaves the ground, in cycles: legs in pairs from rear to front.

        Parameters
        ----------
        pairs : int
        duty : float or array, shape (...)

        Returns
        -------
        array, shape (..., 2 pairs)
        """
        duty = np.asarray(duty, np.float64)[..., None]
        ranks, sides = _order(pairs)
        return (ranks * (1.0 - duty) + sides) % 1.0

    def __repr__(self):
        return f"WaveGait(stride={self.stride}, duty={self.duty}, lift={self.lift})"


@functools.cache
def _order(pairs):
    """Return the rank of each leg from rear to front, and the phase of its side."""
    return np.repeat(np.arange(float(pairs)), 2), np.tile([0.0, 0.5], pairs)


POWERS = np.arange(6.0)
# What a share s of the way makes of a swing: factors of 1, s, s^2 ... s^5 in its next place, speed
# and bend (rows), for what is missing to the goal, speed and bend now (in threes). The first three
# are Flash and Hogan's 10 s^3 - 15 s^4 + 6 s^5 and its like; the next are their derivatives times
# 1 - s, the last those of second order times (1 - s)^2, since then less of the way is left.
GLIDE = np.array(
    [
        [[0, 0, 0, 10, -15, 6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5]],
        [[0, 0, 30, -90, 90, -30], [1, -1, -18, 50, -47, 15], [0, 1, -5.5, 10.5, -8.5, 2.5]],
        [[0, 60, -300, 540, -420, 120], [0, -36, 168, -288, 216, -60], [1, -11, 37, -55, 38, -10]],
    ]
).reshape(9, 6)


def glide(swing, goal, share):
    """Carry feet a share of what is left of the smoothest way to a goal that may itself move.

    The way is the polynomial of fifth degree from where, how fast and how bent the foot goes
    now to rest at the goal (Flash and Hogan's, `10 t^3 - 15 t^4 + 6 t^5` from rest to rest).
    It is taken anew at each step, so position, speed and acceleration never jump.

    Parameters
    ----------
    swing : array, shape (M, 3, 3)
        Where feet are, how fast they go and how bent their way is, a row each; the time in which
        they go what is left of their way is 1.
    goal : array, shape (M, 3)
    share : array, shape (M)
        From 0 to 1.
    """
    weights = (share[:, None] ** POWERS) @ GLIDE.T
    parts = swing.copy()
    parts[:, 0] = goal - swing[:, 0]
    there = weights.reshape(-1, 3, 3) @ parts
    there[:, 0] += swing[:, 0]
    return there


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
    away = value - goal
    pull = (speed + rate * away) * dt
    fade = math.exp(-rate * dt)
    return goal + (away + pull) * fade, (speed - rate * pull) * fade


def _number(name, value, least, greatest):
    found = arguments.number(name, value)
    if not least <= found <= greatest:
        raise CreatureError(name, f"be from {least} to {greatest}", repr(value))
    return found
