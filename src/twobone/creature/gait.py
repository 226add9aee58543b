"""Gaits: when each leg swings, and how a foot goes through the air.

Each side swings from rear to front, a leg `1 - duty` of a cycle after the one behind it, and
the sides are half a cycle apart (the wave gait of walking arthropods: J. Exp. Biol. 221(22),
jeb189142; Nirody, arXiv:2104.01203). `duty`, the share of a cycle that a foot is on the ground,
falls continuously as speed rises: from one leg at a time to tripods. The phase goes on with
the way, so that who stands takes no steps; but while a foot is in the air it goes at least half as
fast as full speed asks for, and slow walkers make shorter steps.
"""

from typing import NamedTuple

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
        return slow + (fast - slow) * np.clip(share, 0.0, 1.0)

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
        rank = np.repeat(np.arange(pairs), 2)
        return (rank * (1.0 - duty) + np.tile([0.0, 0.5], pairs)) % 1.0

    def __repr__(self):
        return f"WaveGait(stride={self.stride}, duty={self.duty}, lift={self.lift})"


class Swing(NamedTuple):
    """Feet on their way, by the progress of the swing from 0 to 1: where, how fast, how bent."""

    place: np.ndarray
    speed: np.ndarray
    bend: np.ndarray


def glide(swing, goal, left, step):
    """Carry feet a step further on the smoothest way to a goal that may itself move.

    The way is the polynomial of fifth degree from where, how fast and how bent the foot goes
    now to rest at the goal (Flash and Hogan's, `10 t^3 - 15 t^4 + 6 t^5` from rest to rest).
    It is taken anew at each step, so position, speed and acceleration never jump.

    Parameters
    ----------
    swing : Swing
        Arrays of shape (..., 3).
    goal : array, shape (..., 3)
    left, step : array, shape (..., 1)
        Progress that is left, and that is made now.
    """
    s = np.clip(step / left, 0.0, 1.0)
    speed, bend = swing.speed * left, swing.bend * left * left
    away = goal - swing.place - speed - 0.5 * bend
    short, flat = -speed - bend, -bend
    c3 = 10.0 * away - 4.0 * short + 0.5 * flat
    c4 = -15.0 * away + 7.0 * short - flat
    c5 = 6.0 * away - 3.0 * short + 0.5 * flat
    place = swing.place + s * (speed + s * (0.5 * bend + s * (c3 + s * (c4 + s * c5))))
    faster = speed + s * (bend + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    bent = bend + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
    return Swing(place, faster / left, bent / (left * left))


def arch(progress):
    """Return the height of a foot over the straight way, 1 at the top: `64 (t (1 - t))^3`."""
    t = np.clip(progress, 0.0, 1.0)
    return 64.0 * (t * (1.0 - t)) ** 3


def settle(value, speed, goal, rate, dt):
    """Go towards a goal as a critically damped spring does; exact for any step of time."""
    away = value - goal
    pull = (speed + rate * away) * dt
    fade = np.exp(-rate * dt)
    return goal + (away + pull) * fade, (speed - rate * pull) * fade


def _number(name, value, least, greatest):
    found = arguments.number(name, value)
    if not least <= found <= greatest:
        raise CreatureError(name, f"be from {least} to {greatest}", repr(value))
    return found
