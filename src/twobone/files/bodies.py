"""What an animal's body looks like: rounded boxes that hold its hips, in its own axes."""

from typing import NamedTuple

import numpy as np

POWER = 3.0


class Part(NamedTuple):
    """|x/a|^p + |y/b|^p + |z/c|^p = 1 about a centre."""

    half: np.ndarray  # (3,): a, b, c
    centre: np.ndarray  # (3,)
    power: float  # 2: an ellipsoid; higher: nearer to a box
    name: str  # "body" or "head"


def body_parts(hips, leg):
    """Return a body that holds the hips, and a head, to say which way it looks.

    Parameters
    ----------
    hips : array, shape (..., 3)
        In the body's axes.
    leg : float
        Length of the longest leg.
    """
    hips = np.reshape(hips, (-1, 3))
    low, high = np.min(hips, axis=0), np.max(hips, axis=0)
    half = (high - low) / 2 + np.array([0.02, 0.06, 0.12]) * leg
    half[1] = max(half[1], 0.4 * half[0])
    centre = (low + high) / 2
    # Its corners are round, and hips at the corners should not hang in the air.
    farthest = np.max(np.sum(np.abs((hips - centre) / half)[:, [0, 2]] ** POWER, axis=1))
    half[[0, 2]] *= max(1.0, farthest) ** (1 / POWER)
    head = np.array([0.5, 0.55, 0.4]) * min(half[0], half[1] * 1.5)
    place = centre + np.array([0.0, 0.15 * half[1], half[2] + 0.35 * head[2]])
    return Part(half, centre, POWER, "body"), Part(head, place, 2.2, "head")
