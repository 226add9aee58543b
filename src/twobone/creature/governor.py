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
# Parts of the way from knee to foot at which shins must be above the ground. At the last, so close
# to the foot that they are always near the ground, a step is undone but a body does not slow down.
SHIN = np.array([0.4, 0.7, 0.85, 0.95])
# At how many a body slows down. Shins whose knees point up are steep and brush the edges of what
# they cross.
BRAKING, BRAKING_UP = 2, 1
SPARE = 0.02  # of the leg's length: how far those of legs that turn aside must be above hills there
# The same for knees of all legs, and in proportion less for points nearer to the foot: hills may be
# higher between the points.
BETWEEN = 0.008
INSIDE = 0.04  # of the leg's length: how far beyond its limit a knee in the body's middle is
BLOCK = 128  # poses at once: with more, allocating the memory takes longer than filling it


class Slack(NamedTuple):
    """Distances left to the limits of M poses."""

    legs: NDArray[np.float64]  # (M, L): until a leg is too straight or too folded
    knees: NDArray[np.float64]  # (M, L): height above the ground of knees, or shins (see `SHIN`)
    belly: NDArray[np.float64]  # (M): minimum height of the body's underside above the ground
    least: NDArray[np.float64]  # (M, L): minimum of a leg, with what only undoes a step

    @classmethod
    def unknown(cls, shape) -> Slack:
        """Return infinite slacks; `shape` is (M, L)."""
        far = np.full(shape, np.inf)
        return cls(far, far, far[:, 0], far)


def slack(terrain: Any, anatomy: Anatomy, pose: Pose, feet, flies=None) -> Slack:
    """Return the distances left to the limits for M poses of bodies and feet.

    If `flies` is given, (M, L), `least` is also the minimum of the heights above the ground of the
    feet that it selects, of all points of the shins and of how far a knee is outside the body.
    Otherwise only what bodies slow down for counts.
    """
    if engine.KERNEL is not None:
        limits, ground, spine = anatomy.legs, terrain.for_kernel(), anatomy.spine
        legs = anatomy.bones, limits.reach, STRAIGHT, limits.min_reach
        points = (
            anatomy.underside.keel,
            spine and spine.keel,
            *shins_of(anatomy, terrain, flies is None),
        )
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


class Shins(NamedTuple):
    """Where shins must be above the ground, and by how much."""

    parts: NDArray[np.float64]  # of the way from knee to foot
    braking: int  # at how many of them, from the first, a body slows down
    spare: float  # height of those above the ground
    between: float  # height of the knee above the ground; less towards the foot


def shins_of(anatomy: Anatomy, terrain: Any, ahead: bool) -> Shins:
    """Return where shins must be above a terrain, now or `ahead`, where bodies will be.

    Only on hills it is by some height: at the edge of a step that would keep shins from what they
    can cross.
    """
    braking = BRAKING if anatomy.spreads else BRAKING_UP
    if terrain.has_edges:
        return Shins(SHIN[:braking], braking, 0.0, 0.0)
    spare = SPARE * anatomy.length if anatomy.spreads else 0.0
    return Shins(SHIN[:braking] if ahead else SHIN, braking, spare, BETWEEN * anatomy.length)


def _slack(terrain, anatomy, pose, feet, flies):
    limits, keel = anatomy.legs, anatomy.underside.keel
    shins, braking, spare, between = shins_of(anatomy, terrain, flies is None)
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
    low = [knees, *(knees + part * (feet - knees) for part in shins)]
    x, z = (np.concatenate([*(part[..., i] for part in low), belly[:, i]], 1) for i in (0, 1))
    under, count = terrain.height(x, z), knees.shape[1]
    left = belly[:, 2] - under[:, len(low) * count :]
    above = [
        part[..., 2] - under[:, number * count : (number + 1) * count]
        for number, part in enumerate(low)
    ]
    high = above[0]
    for shin in above[1 : 1 + braking]:
        high = np.minimum(high, shin - spare)
    least = np.minimum(legs, high)
    if flies is not None:
        for point, part in zip(above, (0.0, *shins), strict=True):
            least = np.minimum(least, point - between * (1.0 - part))
        if anatomy.trunk is not None:
            away = away_from(anatomy.trunk, in_body(anatomy, pose, thighs))
            least = np.minimum(least, INSIDE * anatomy.length * (away - 1.0))
        foot = feet[..., 2] - footing.heights(terrain, footing.from_above(feet))
        least = np.minimum(least, np.where(flies, foot, np.inf))
    return Slack(legs, high, np.minimum.reduce(left, 1), least)


def is_clear(terrain: Any, anatomy: Anatomy, knees, feet):
    """Return for which legs knee and shin are within these limits, given points (..., 3)."""
    shins, braking, spare, between = shins_of(anatomy, terrain, ahead=False)
    clear = []
    for number, part in enumerate((0.0, *shins)):
        point = knees + part * (feet - knees)
        above = point[..., 2] - footing.heights(terrain, footing.from_above(point))
        least = between * (1.0 - part)
        clear.append(above > (max(least, spare) if 0 < number <= braking else least))
    return np.logical_and.reduce(clear)


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
