"""Where feet can stand: the ground under them, better places beside, how high to lift a foot.

Seen from above a place is one complex number, x + iz: to turn it by a heading is to multiply it.
Points lie as x, z, y here, so that their places are a view of them (`from_above`).
"""

from typing import NamedTuple

import numpy as np

from twobone.creature.gait import GLIDE, POWERS, arch, between

RING = np.array([0.0, *np.exp(0.25j * np.pi * np.arange(8))])  # here, and beside
FOOT = RING[[0, 1, 3, 5, 7]]  # the middle and the border of what is under a foot
ASIDE = 0.12  # of the leg's length: how far beside its home a foothold is looked for
PAD = 0.03  # of the leg's length: what must be even under a foot
STEEP = 0.8  # rise over PAD beyond which a place is no foothold
ALONG = np.linspace(0.1, 0.9, 9)  # where the ground is looked at under a swing
MADE = (ALONG**3 * (10.0 - 15.0 * ALONG + 6.0 * ALONG**2))[:, None]  # of the way, there
HIGH = arch(ALONG)
UNEVEN = 0.1  # of the leg's length: how much the ground under a foot may rise and fall at most
# Where feet look for ground when what is near their home does not bear them.
WIDE = np.outer([0.12, 0.24, 0.36, 0.48, 0.6], np.exp(0.125j * np.pi * np.arange(16))).reshape(-1)
REST = np.array(
    [0.02, 0.04, 0.06, *np.linspace(0.08, 0.92, 25), 0.96]
)  # of the rest of a swing: where it must be above the ground
GLIDES = ((REST[:, None] ** POWERS) @ GLIDE).reshape(-1, 3, 4)[:, 0]  # places there, as `glide`


class Standing(NamedTuple):
    """Legs whose feet look for a foothold: what they stood on, and where they will hang."""

    stood: np.ndarray  # points: the foot's last stand
    hips: np.ndarray  # places
    tops: np.ndarray  # heights of the hips
    near: np.ndarray  # how near to their hips feet may stand
    far: np.ndarray


def facing(heading):
    """Return what turns places by a heading, +z towards +x, when they are multiplied with it."""
    return np.exp(-1j * heading)


def from_above(points):
    """Return the places x + iz of points (x, z, y): a view of them."""
    return points[..., :2].view(np.complex128)[..., 0]


def heights(terrain, places):
    """Return the ground's height at places."""
    return terrain.height(places.real, places.imag)


def on_ground(terrain, places):
    """Return points of the ground at places."""
    points = np.empty((*places.shape, 3))
    from_above(points)[...] = places
    points[..., 2] = heights(terrain, places)
    return points


def better(terrain, places, length, legs):
    """Return how far beside each place a better foothold is: none where the place itself is good.

    Looked at are nine places; bad is what is steep under the foot, what lies much higher or
    lower than the foot's last stand, where the leg would be too straight or too folded, and to a
    lesser degree what makes the step longer. Who finds all of them too far, as over a hole, looks
    around once more, twice as far.
    """
    asides = ASIDE * length * RING
    cost, far = _badness(terrain, places, asides, length, legs)
    aside = asides[np.argmin(cost, -1)]
    feet = np.logical_and.reduce(far, 1).nonzero()[0]
    if feet.size:
        asides = np.concatenate([asides, 2.0 * asides[1:]])
        legs = Standing(*(part[feet] for part in legs))
        cost, _ = _badness(terrain, places[feet], asides, length, legs)
        aside[feet] = asides[np.argmin(cost, -1)]
    return aside


def _badness(terrain, places, asides, length, legs):
    """Return how bad footholds beside places are, and whether they are too far from the hip."""
    tried = places[:, None] + asides
    found = heights(terrain, tried[..., None] + PAD * length * FOOT)
    middle, around = found[..., 0], found[..., 1:]
    steep = (np.max(around, -1) - np.min(around, -1)) / (2.0 * PAD * length)
    jump = np.abs(middle - legs.stood[:, 2:]) / length
    start = from_above(legs.stood)
    longer = np.abs(tried - start[:, None]) - np.abs(places - start)[:, None]
    away = np.hypot(np.abs(tried - legs.hips[:, None]), legs.tops[:, None] - middle)
    over, under = away - legs.far[:, None], legs.near[:, None] - away
    reach = np.maximum(np.maximum(over, under), 0.0) / length
    cost = np.maximum(steep - STEEP, 0.0) + 4.0 * (np.maximum(jump - 0.35, 0.0) + reach)
    cost += (2.0 * np.maximum(longer, 0.0) + 0.02 / ASIDE * np.abs(asides)) / length
    return cost, over > 0.0


class Legs(NamedTuple):
    """Legs that look for ground that bears them: M of them."""

    swing: np.ndarray  # (M, 4, 3), as `glide` takes it
    progress: np.ndarray  # (M), of their swings
    lands: np.ndarray  # places of hips as the foot lands
    middle: np.ndarray  # places of hips in the middle of the stance
    tops: np.ndarray  # heights of hips
    far: np.ndarray  # how far from their hips feet may stand
    hips: np.ndarray  # (M, 3), points: where hips are now
    fold: np.ndarray  # how near to their hips feet may come on their way
    lift: np.ndarray  # how high feet swing over even ground
    most: np.ndarray  # how high they can be lifted

    def some(self, which):
        """Return some of them."""
        return Legs(*(part[which] for part in self))


def bears(terrain, points, legs, length):
    """Return which points of the ground, shape (M, C, 3), bear a foot, and the lift to get there.

    That is where the ground under the foot is even enough, where the leg reaches when the foot
    lands and in the middle of its stance, and where the way there is above the ground if the foot
    is lifted enough.
    """
    places = from_above(points)
    around = heights(terrain, places[..., None] + PAD * length * FOOT[1:])
    around = np.concatenate([around, points[..., 2:]], -1)
    even = np.max(around, -1) - np.min(around, -1) <= UNEVEN * length
    drop = legs.tops[:, None] - points[..., 2]
    away = np.maximum(*(np.abs(places - hips[:, None]) for hips in (legs.lands, legs.middle)))
    near = np.hypot(away, drop) <= legs.far[:, None]
    need, free = lift_needed(terrain, points, legs)
    return even & near & free & (need <= legs.most[:, None]), need


def lift_needed(terrain, goals, legs):
    """Return how high feet must be lifted on their ways to goals, shape (M, C, 3).

    And whether they then keep clear of their own hips.
    """
    way = (GLIDES[:, :3] @ legs.swing[:, :3])[:, None] + GLIDES[:, 3:] * goals[:, :, None]
    under = heights(terrain, from_above(way)) - way[..., 2]
    high = arch(legs.progress[:, None] + (1.0 - legs.progress[:, None]) * REST)
    need = np.max(under / high[:, None], -1)
    way[..., 2] += np.maximum(need, legs.lift[:, None])[..., None] * high[:, None]
    lands = np.concatenate([legs.lands[:, None].view(np.float64), legs.tops[:, None]], 1)
    hips = legs.hips[:, None] + REST[:, None] * (lands - legs.hips)[:, None]
    away = way - hips[:, None]
    near = np.vecdot(away, away) < (legs.fold * legs.fold)[:, None, None]
    return need, ~np.logical_or.reduce(near, -1)


def search(terrain, places, legs, length, clear=None):
    """Return points near places where feet can stand, which were found, and the lifts to get there.

    The best are those near to the places, which need no longer steps and which the leg still
    reaches at the end of the stance. `clear` says of points, shape (M, C, 3), whether the leg
    itself has room there.
    """
    around = np.concatenate([[0.0], length * WIDE])
    tried = np.concatenate(
        [places[:, None] + around, from_above(legs.swing[:, 0])[:, None] + around[:33]], 1
    )
    points = on_ground(terrain, tried)
    good, need = bears(terrain, points, legs, length)
    if clear is not None:
        good &= clear(points)
    start = from_above(legs.swing[:, 0])
    longer = np.abs(tried - start[:, None]) - np.abs(places - start)[:, None]
    leaves = 2.0 * legs.middle - legs.lands
    drop = legs.tops[:, None] - points[..., 2]
    over = np.hypot(np.abs(tried - leaves[:, None]), drop) - legs.far[:, None]
    cost = np.abs(tried - places[:, None]) + np.maximum(longer, 0.0) + 2.0 * np.maximum(over, 0.0)
    best = np.argmin(np.where(good, cost, np.inf), -1)
    which = np.arange(len(places)), best
    return points[which], good[which], need[which]


def within_reach(terrain, places, hips, tops, reach):
    """Return points of the ground at places, or nearer to under the hips where they lie too far.

    `hips` are places, `tops` their heights. A place never comes nearer than three fifths of its
    way: where even what is straight below is too far, it stays there.
    """
    points = on_ground(terrain, places)
    distance, drop = np.abs(places - hips), tops - points[:, 2]
    far = (distance * distance + drop * drop > reach * reach).nonzero()[0]
    if far.size:
        points[far] = _nearer(terrain, points[far], hips[far], tops[far], reach[far])
    return points


def _nearer(terrain, points, hips, tops, reach):
    away = from_above(points) - hips
    distance = np.abs(away) + 1e-12
    for _ in range(2):  # nearer, the ground may be higher or lower
        drop = np.minimum(np.abs(tops - points[:, 2]), reach)
        share = between(np.sqrt(reach * reach - drop * drop) / distance, 0.6, 1.0)
        points = on_ground(terrain, hips + share * away)
    return points


def lift_over(terrain, start, end, clearance):
    """Return how high to lift feet so that all the ground between is passed with clearance."""
    way = start[:, None] + MADE * (end - start)[:, None]
    under = heights(terrain, from_above(way)) - way[..., 2]
    need = np.max(under / HIGH, -1)
    return clearance + between(need, 0.0, 4.0 * clearance)


def plane_through(feet, place, turned, stiff):
    """Return the plane through feet, shape (N, 3): which way its normal leans, and its height.

    The normal leans by x and z for 1 upwards, in the space of who is `turned` (see `facing`); the
    height is that at the body's place. Least squares, with a little stiffness, so that two
    feet, too, have a plane.
    """
    middle = np.add.reduce(feet, 1) / feet.shape[1]
    spread = feet - middle[:, None]
    sums = spread.mT @ spread
    xx, zz = sums[:, 0, 0] + stiff, sums[:, 1, 1] + stiff
    xz, xy, zy = sums[:, 0, 1], sums[:, 0, 2], sums[:, 1, 2]
    plane = np.empty(middle.shape)
    plane[:, 0] = xz * zy - zz * xy
    plane[:, 1] = xz * xy - xx * zy
    leans, away = from_above(plane), from_above(middle) - place
    leans /= xx * zz - xz * xz
    plane[:, 2] = middle[:, 2] + (leans.conj() * away).real
    leans *= turned.conj()
    return plane
