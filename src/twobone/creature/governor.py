"""Speed limits: how much of its speed a body may keep before a leg, knee or its support limits it.

Points are x, z, y and places complex numbers, as in `footing`. A slack is the distance left to a
limit; it is negative beyond the limit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from twobone.core import engine, solver
from twobone.core.array_types import NDArray
from twobone.creature import footing
from twobone.creature.anatomy import Anatomy
from twobone.creature.posture import Pose, bent

STRAIGHT = 0.94  # of reach: maximum extension of a leg
BRAKE = 0.12  # seconds: how far ahead a body looks; its slack must last at least as long
# Parts of the way from knee to foot at which shins must be above the ground. Those of legs whose
# knees point up are steep and brush the edges of what they cross, so only the first counts there.
SHIN = np.array([0.4, 0.7])
SHIN_UP = SHIN[:1]
SPARE = 0.02  # of the leg's length: how far those of legs that turn aside must be above hills
# Parts at which these must also be above hills. Bodies do not slow down for them: so close to the
# foot, a shin is always near the ground.
ANKLE = np.array([0.85, 0.95])
INSIDE = 0.04  # of the leg's length: how far beyond its limit a knee in the body's middle is
BLOCK = 128  # poses at once: with more, allocating the memory takes longer than filling it


class Slack(NamedTuple):
    """Distances left to the limits of M poses."""

    legs: NDArray[np.float64]  # (M, L): until a leg is too straight or too folded
    knees: NDArray[np.float64]  # (M, L): height above the ground of knees, or shins (see `SHIN`)
    belly: NDArray[np.float64]  # (M): minimum height of the body's underside above the ground
    # (M, L): minimum of a leg: of `legs`, of `knees`, of its ankle, of its foot, of its knee
    # outside the body
    least: NDArray[np.float64]

    @classmethod
    def unknown(cls, shape) -> Slack:
        """Return infinite slacks; `shape` is (M, L)."""
        far = np.full(shape, np.inf)
        return cls(far, far, far[:, 0], far)


def slack(terrain: Any, anatomy: Anatomy, pose: Pose, feet, flies=None) -> Slack:
    """Return the distances left to the limits for M poses of bodies and feet.

    If `flies` is given, (M, L), the height above the ground of the feet that it selects counts in
    `least`; otherwise no foot's does.
    """
    if engine.KERNEL is not None:
        limits, ground, spine = anatomy.legs, terrain.for_kernel(), anatomy.spine
        legs = anatomy.bones, limits.reach, STRAIGHT, limits.min_reach
        points = anatomy.underside.keel, spine and spine.keel, *shins_of(anatomy, terrain)
        trunk = anatomy.hips, anatomy.trunk, INSIDE * anatomy.length
        return engine.KERNEL.slack(Slack, ground, pose, feet, *legs, *points, *trunk, flies)
    if len(feet) <= BLOCK:
        return _slack(terrain, anatomy, pose, feet, flies)
    blocks = [slice(start, start + BLOCK) for start in range(0, len(feet), BLOCK)]
    found = [
        _slack(
            terrain,
            anatomy,
            Pose(*(part[block] for part in pose)),
            feet[block],
            None if flies is None else flies[block],
        )
        for block in blocks
    ]
    return Slack(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def shins_of(anatomy: Anatomy, terrain: Any):
    """Return parts of the way from knee to foot at which shins must be above ground by a height.

    Also return that height, and parts at which they must be above ground without slowing a body.
    Both are for hills: at the edge of a step they would keep shins from what they can cross.
    """
    if not anatomy.spreads:
        return SHIN_UP, 0.0, ANKLE[:0]
    return (SHIN, 0.0, ANKLE[:0]) if terrain.has_edges else (SHIN, SPARE * anatomy.length, ANKLE)


def _slack(terrain, anatomy, pose, feet, flies):
    limits, keel = anatomy.legs, anatomy.underside.keel
    shins, spare, ankles = shins_of(anatomy, terrain)
    longest = STRAIGHT * limits.reach
    body, axes, hips, poles, bend = pose
    to_feet = feet - hips
    away = np.sqrt(footing.dot(to_feet, to_feet))
    legs = np.minimum(longest - away, away - limits.min_reach)
    thighs = solver.solve(to_feet, *anatomy.bones, side=1.0, pole=poles)
    knees = hips + thighs
    # Rows of points (M, 3, Q) are long, so NumPy is fast on them.
    if anatomy.spine is not None:
        keel = keel[0], keel[1], (keel[2] + bent(anatomy.spine.keel, bend))[:, None]
    belly = sum((axes[:, i, :, None] * keel[i] for i in range(1, 3)), axes[:, 0, :, None] * keel[0])
    belly += body[:, :, None]
    low = [knees, *(knees + part * (feet - knees) for part in (*shins, *ankles))]
    x, z = (np.concatenate([*(part[..., i] for part in low), belly[:, i]], 1) for i in (0, 1))
    under, count = terrain.height(x, z), knees.shape[1]
    left = belly[:, 2] - under[:, len(low) * count :]
    above = [
        part[..., 2] - under[:, number * count : (number + 1) * count]
        for number, part in enumerate(low)
    ]
    high, upper = above[0], 1 + len(shins)
    for shin in above[1:upper]:
        high = np.minimum(high, shin - spare)
    least = np.minimum(legs, high)
    for ankle in above[upper:]:
        least = np.minimum(least, ankle)
    if anatomy.trunk is not None:
        away = away_from(anatomy.trunk, in_body(anatomy, pose, thighs))
        least = np.minimum(least, INSIDE * anatomy.length * (away - 1.0))
    if flies is not None:
        above = feet[..., 2] - footing.heights(terrain, footing.from_above(feet))
        least = np.minimum(least, np.where(flies, above, np.inf))
    return Slack(legs, high, np.minimum.reduce(left, 1), least)


def in_body(anatomy: Anatomy, pose: Pose, thighs):
    """Return knees in the bodies' space, from the ways from hips to knees."""
    return footing.times_axes(thighs, pose.axes.mT) + anatomy.hips


def away_from(half, points):
    """Return how far points are from a body's middle: 1 on its surface, 2 at twice its size.

    The body is a superellipsoid with some half sizes, of the exponent `animals.ROUND`, 4.
    """
    part = points / half
    part *= part
    return np.sqrt(np.sqrt(footing.dot(part, part)))


def free_fraction(now: Any, later: Any) -> NDArray[np.float64]:
    """Return the fraction of its speed that each of N bodies may keep.

    Parameters
    ----------
    now, later : array, shape (N, S)
        Slacks now, and after `BRAKE` at the current speed. A slack that is negative now may not
        decrease further.

    Returns
    -------
    array, shape (N)
        Time until the first slack is used up, divided by `BRAKE`; at most 1. So speed decays at
        least exponentially towards a limit and does not pass it.
    """
    before, after = np.maximum(now, 0.0), later - np.minimum(now, 0.0)
    short = after < 0.0
    fraction = np.where(short, before / np.where(short, before - after, 1.0), 1.0)
    return np.minimum.reduce(fraction, 1)


def support_ahead(feet: Any, bears: Any, direction: Any) -> NDArray[np.float64]:
    """Return the distance that bodies can move in a direction before leaving the support polygon.

    Parameters
    ----------
    feet : array of complex, shape (N, L)
        Places of the feet relative to the body.
    bears : array of bool, shape (N, L)
        Which feet span the polygon.
    direction : array of complex, shape (N)
        Unit vectors.

    Returns
    -------
    array, shape (N)
        Signed distance along the direction to the point where the line through the body leaves the
        polygon: negative if the polygon lies behind the body, minus infinity if the line misses it.
    """
    if engine.KERNEL is not None:
        return engine.KERNEL.support_ahead(feet, bears, direction)
    seen = footing.rotated(feet, direction.conj()[:, None])
    along, aside = seen.real, seen.imag
    left, right = bears & (aside >= 0.0), bears & (aside < 0.0)
    apart = aside[:, :, None] - aside[:, None, :]
    crosses = along[:, None, :] * aside[:, :, None] - along[:, :, None] * aside[:, None, :]
    both = left[:, :, None] & right[:, None, :]
    exits = np.where(both, crosses / np.where(both, apart, 1.0), -np.inf)
    return np.maximum.reduce(exits, (1, 2))


def support_fraction(ahead, spare, speed, seconds):
    """Return the fraction of its speed that a body may keep with a distance of support ahead.

    The distance, less `spare`, must last for `seconds`.
    """
    room, need = np.maximum(ahead - spare, 0.0), speed * seconds
    short = room < need
    return np.where(short, room / np.where(short, need, 1.0), 1.0)
