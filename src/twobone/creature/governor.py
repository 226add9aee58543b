"""How far bodies may go on: until a leg, a knee, the body or its support is at its limit.

Points are x, z, y and places complex numbers, as in `footing`. Slacks are lengths: how much is
left until a limit, negative beyond it.
"""

from typing import Any, NamedTuple

import numpy as np

from twobone.core import solver
from twobone.core.array_types import NDArray
from twobone.creature.anatomy import Made

STRAIGHT = 0.94  # of reach: no leg becomes straighter
BRAKE = 0.12  # seconds: a body may use up what is left in no less time, and looks so far ahead
BLOCK = 128  # poses: with more at once, memory takes longer to be had than to be filled


class Slack(NamedTuple):
    """What is left until limits."""

    legs: np.ndarray  # (M, L): until a leg is too straight or too folded
    knees: np.ndarray  # (M, L): above the ground
    belly: np.ndarray  # (M): the least height of the underside above the ground


def slack(terrain: Any, made: Made, body, axes, hips, feet) -> Slack:
    """Return what is left until limits, for M poses of bodies and feet."""
    if len(body) <= BLOCK:
        return _slack(terrain, made, body, axes, hips, feet)
    blocks = [slice(start, start + BLOCK) for start in range(0, len(body), BLOCK)]
    found = [_slack(terrain, made, body[k], axes[k], hips[k], feet[k]) for k in blocks]
    return Slack(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _slack(terrain, made, body, axes, hips, feet):
    way = feet - hips
    away = np.sqrt(np.vecdot(way, way))
    legs = np.minimum(STRAIGHT * made.reach - away, away - made.fold)
    knees = hips + solver.solve(way, *made.bones, side=1.0, pole=made.poles @ axes)
    belly = axes.mT @ made.keel  # coordinates first: three long rows for each body
    belly += body[:, :, None]
    x, z = (np.concatenate([knees[..., i], belly[:, i]], 1) for i in (0, 1))
    under, count = terrain.height(x, z), knees.shape[1]
    left = belly[:, 2] - under[:, count:]
    return Slack(legs, knees[..., 2] - under[:, :count], np.minimum.reduce(left, 1))


def free_share(now: Any, later: Any) -> NDArray[np.float64]:
    """Return the share of its speed that each of N bodies may keep.

    Parameters
    ----------
    now, later : array, shape (N, S)
        Slacks now and after `BRAKE`, if the speed stayed as it is. What is beyond its limit
        already may not get worse.

    Returns
    -------
    array, shape (N)
        How soon the first slack is used up, over `BRAKE`; at most 1. So speed fades at least
        exponentially before a limit, which is never passed.
    """
    before, after = np.maximum(now, 0.0), later - np.minimum(now, 0.0)
    short = after < 0.0
    share = np.where(short, before / np.where(short, before - after, 1.0), 1.0)
    return np.minimum.reduce(share, 1)


def support_ahead(feet: Any, bears: Any, way: Any) -> NDArray[np.float64]:
    """Return how far bodies may go along a way until they leave their support polygon.

    Parameters
    ----------
    feet : array of complex, shape (N, L)
        Seen from the body.
    bears : array of bool, shape (N, L)
        Which feet span the polygon.
    way : array of complex, shape (N)
        Directions, of length 1.

    Returns
    -------
    array, shape (N)
        Minus infinity for who is not over its polygon.
    """
    seen = feet * way.conj()[:, None]
    along, aside = seen.real, seen.imag
    left, right = bears & (aside >= 0.0), bears & (aside < 0.0)
    apart = aside[:, :, None] - aside[:, None, :]
    crosses = along[:, None, :] * aside[:, :, None] - along[:, :, None] * aside[:, None, :]
    both = left[:, :, None] & right[:, None, :]
    exits = np.where(both, crosses / np.where(both, apart, 1.0), -np.inf)
    return np.maximum.reduce(exits, (1, 2))


def support_share(ahead, spare, speed, seconds):
    """Return the share of its speed that a body keeps with so much support ahead of it."""
    room, need = np.maximum(ahead - spare, 0.0), speed * seconds
    short = room < need
    return np.where(short, room / np.where(short, need, 1.0), 1.0)
