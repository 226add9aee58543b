"""Choice of footholds, lift of a swing over obstacles, and the plane through the feet.

A place seen from above is a complex number x + iz, so a rotation by a heading is a multiplication.
Points are stored as x, z, y, so that their places are a view of the same memory (`from_above`).
Heights are along y.
"""

import functools
from typing import NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.elementary import cis, turned
from twobone.creature.few import some
from twobone.creature.gait import arch, between, glide_weights, warp

OFFSETS = np.array([0.0, *turned(np.arange(8) / 8)])  # the place and eight around it
FOOT = OFFSETS[[0, 1, 3, 5, 7]]  # samples under a foot: its middle and four on its border
ASIDE = 0.12  # of the leg's length: distance of alternative footholds from the nominal one
PAD = 0.03  # of the leg's length: radius of a foot
STEEP = 0.8  # slope under a foot from which a place is penalised
ALONG = np.linspace(
    0.1, 0.9, 9
)  # parts of a swing, as from `warp`, at which the ground under it is sampled
TRAVELLED = ALONG * ALONG * ALONG * (10.0 - 15.0 * ALONG + 6.0 * (ALONG * ALONG))
TRAVELLED = TRAVELLED[:, None]  # fraction of its path
HIGH = arch(ALONG)
STEEPEST = 1.5  # slope: feet lean no further
TIE = 1e-9  # costs, over the leg's length, that differ by less are equal: see `least`
UNEVEN = 0.1  # of the leg's length: maximum difference in height under a foot
# Where to search for ground if none near the nominal foothold can be stood on.
WIDE = np.outer([0.12, 0.24, 0.36, 0.48, 0.6], turned(np.arange(16) / 16)).reshape(-1)
# Of the leg's length, times what remains of the swing: how far from the foot ground may then be
# found, and how far from the foot's goal another goal may be.
FARTHEST = 1.0
# Fractions of the rest of a swing at which the foot must be above the ground, and the weights with
# which `glide` gives its position there.
REST = np.array([0.02, 0.04, 0.06, *np.linspace(0.08, 0.92, 25), 0.96])
GLIDES = glide_weights(REST)[:, 0].T.copy()


class Standing(NamedTuple):
    """Legs that need a foothold: where they stood last, and their hips when the feet land."""

    stood: np.ndarray  # points: the foot's last foothold
    hips: np.ndarray  # places
    tops: np.ndarray  # heights of the hips
    near: np.ndarray  # minimum distance of a foot from its hip
    far: np.ndarray  # maximum distance


def facing(heading):
    """Return the complex factor that rotates places by a heading, from +z towards +x."""
    return cis(-heading)


def from_above(points):
    """Return the places x + iz of points (x, z, y), as a view."""
    return points[..., :2].view(np.complex128)[..., 0]


def heights(terrain, places):
    """Return the height of the ground at places."""
    return terrain.height(places.real, places.imag)


def distance(places):
    """Return `|places|` as the kernel computes it."""
    return _hypotenuse(places.real, places.imag)


def _hypotenuse(a, b):
    return np.sqrt(a * a + b * b)


def dot(u, v):
    """Return `u . v`, summed in the order of the kernel; `np.vecdot` may sum in another."""
    return u[..., 0] * v[..., 0] + u[..., 1] * v[..., 1] + u[..., 2] * v[..., 2]


def cross(u, v):
    """Return `v x u` of points stored as x, z, y."""
    parts = [(1, 2), (2, 0), (0, 1)]
    return np.stack([u[..., i] * v[..., j] - u[..., j] * v[..., i] for i, j in parts], -1)


def times_axes(points, axes):
    """Return `points @ axes`, (N, L, 3) and (N, 3, 3), summed in the order of the kernel."""
    parts = (points[..., i, None] * axes[:, None, i] for i in range(3))
    return next(parts) + next(parts) + next(parts)


def rotated(places, turned):
    """Return `places * turned`, as the kernel computes it.

    Some processors fuse a product and a sum in NumPy's products of complex numbers.
    """
    if engine.KERNEL is not None:
        return engine.KERNEL.rotated(places, turned)
    out = np.empty(np.broadcast_shapes(places.shape, turned.shape), np.complex128)
    out.real = places.real * turned.real - places.imag * turned.imag
    out.imag = places.real * turned.imag + places.imag * turned.real
    return out


def on_ground(terrain, places):
    """Return the points of the ground at places."""
    points = np.empty((*places.shape, 3))
    from_above(points)[...] = places
    points[..., 2] = heights(terrain, places)
    return points


def least(costs, margin):
    """Return the index of the first cost in each row that is at most `margin` above the smallest.

    Costs of places that are mirror images, or equally far from another, differ by nothing but
    rounding; so the choice does not depend on it, and is the same on all machines and in the page.
    """
    return np.argmax(costs <= np.minimum.reduce(costs, -1)[..., None] + margin, -1)


def leans(terrain, places, length):
    """Return how feet lean that stand flat at places: x + iz of the ground's normal with y = 1."""
    around = heights(terrain, places[..., None] + PAD * length * FOOT[1:])
    return _leans(around, length)


def _leans(around, length):
    """Return the leans of feet, given the heights of the ground on their border."""
    leans = -(around[..., :2] - around[..., 2:]) / (2.0 * PAD * length)
    return _limited(leans.view(np.complex128)[..., 0])


def lean_of(rotations):
    """Return the leans of feet with rotations xyzw, shape (..., 4)."""
    x, y, z, w = np.moveaxis(rotations, -1, 0)
    lean = np.stack([2.0 * (x * y - w * z), 2.0 * (y * z + w * x)], -1)
    up = np.maximum(w * w - x * x + y * y - z * z, 0.1)
    return _limited(from_above(lean / up[..., None]))


def _limited(lean):
    parts = lean[..., None].view(np.float64) / np.maximum(distance(lean) / STEEPEST, 1.0)[..., None]
    return from_above(parts)


def better(terrain, places, length, legs):
    """Return the offset from each place to the best foothold near it, 0 for the place itself.

    Nine candidates are compared. The cost of a candidate grows with the slope under the foot, with
    the difference in height to the last foothold, if the leg would be too straight or too folded,
    and, less, with the length of the step. If every candidate is out of reach, as over a hole,
    search again with twice the radius.
    """
    offsets = ASIDE * length * OFFSETS
    cost, far = _badness(terrain, places, offsets, length, legs)
    offset = offsets[least(cost, TIE)]
    feet = np.logical_and.reduce(far, 1).nonzero()[0]
    if feet.size:
        offsets = np.concatenate([offsets, 2.0 * offsets[1:]])
        legs = Standing(*(part[feet] for part in legs))
        cost, _ = _badness(terrain, places[feet], offsets, length, legs)
        offset[feet] = offsets[least(cost, TIE)]
    return offset


def _badness(terrain, places, offsets, length, legs):
    """Return the cost of footholds at offsets from places, and whether they are out of reach."""
    tried = places[:, None] + offsets
    found = heights(terrain, tried[..., None] + PAD * length * FOOT)
    middle, around = found[..., 0], found[..., 1:]
    steep = (np.max(around, -1) - np.min(around, -1)) / (2.0 * PAD * length)
    jump = np.abs(middle - legs.stood[:, 2:]) / length
    start = from_above(legs.stood)
    longer = distance(tried - start[:, None]) - distance(places - start)[:, None]
    away = _hypotenuse(distance(tried - legs.hips[:, None]), legs.tops[:, None] - middle)
    over, under = away - legs.far[:, None], legs.near[:, None] - away
    reach = np.maximum(np.maximum(over, under), 0.0) / length
    cost = np.maximum(steep - STEEP, 0.0) + 4.0 * (np.maximum(jump - 0.35, 0.0) + reach)
    cost += (2.0 * np.maximum(longer, 0.0) + 0.02 / ASIDE * distance(offsets)) / length
    return cost, over > 0.0


class HipsAhead(NamedTuple):
    """Where the hips of M legs are, and where they will be."""

    now: np.ndarray  # (M, 3), points
    landing: np.ndarray  # (M), places, when the foot lands
    middle: np.ndarray  # (M), places, in the middle of the stance
    height: np.ndarray  # (M), at both times


class SwingLegs(NamedTuple):
    """M legs in swing that need ground to land on."""

    swing: np.ndarray  # (M, 4, 3), see `glide`
    progress: np.ndarray  # (M), of the swing
    lift: np.ndarray  # (M), current height of the swing
    max_lift: np.ndarray  # (M)
    hips: HipsAhead
    max_reach: np.ndarray  # (M), maximum distance of a foot on the ground from its hip
    min_reach: np.ndarray  # (M), minimum distance of a foot from its hip during the swing

    def select(self, which):
        """Return the legs that a mask or indices select."""
        return SwingLegs(
            self.swing[which],
            self.progress[which],
            self.lift[which],
            self.max_lift[which],
            HipsAhead(*(part[which] for part in self.hips)),
            self.max_reach[which],
            self.min_reach[which],
        )


class Bearing(NamedTuple):
    """What C points of the ground are to each of M feet."""

    good: np.ndarray  # (M, C), bool: the foot can stand there
    lift: np.ndarray  # (M, C): height of the swing that it needs
    leans: np.ndarray  # (M, C), complex: see `leans`


def bears(terrain, points, legs, length):
    """Return which points of the ground, shape (M, C, 3), can be stood on, as `Bearing`.

    The ground under the foot must be even enough, the leg must reach the point both when the foot
    lands and in the middle of its stance, and a swing of at most the maximum lift must pass over
    the ground on the way and keep clear of the leg's own hip.
    """
    if engine.KERNEL is not None:
        path = legs.swing, legs.progress, legs.lift, legs.max_lift, *legs.hips
        ground, far = terrain.for_kernel(), (legs.max_reach, legs.min_reach)
        return engine.KERNEL.bearing(Bearing, ground, points, *path, *far, *soles_of(length))
    border, uneven = PAD * length * FOOT[1:], UNEVEN * length
    places = from_above(points)
    border = heights(terrain, places[..., None] + border)
    around = np.concatenate([border, points[..., 2:]], -1)
    even = np.maximum.reduce(around, -1) - np.minimum.reduce(around, -1) <= uneven
    drop = legs.hips.height[:, None] - points[..., 2]
    hips = legs.hips.landing[:, None], legs.hips.middle[:, None]
    away = np.maximum(distance(places - hips[0]), distance(places - hips[1]))
    near = np.sqrt(away * away + drop * drop) <= legs.max_reach[:, None]
    need, free = lift_needed(terrain, points, legs)
    good = even & near & free & (need <= legs.max_lift[:, None])
    return Bearing(good, need, _leans(border, length))


def is_sudden(points, legs, length):
    """Return which feet in the air have too little time left to turn to another goal.

    `points` are those goals, shape (M, 3).
    """
    change = distance(from_above(points) - from_above(legs.swing[:, 3]))
    return (legs.progress > 0.0) & (change > FARTHEST * length * (1.0 - legs.progress))


@functools.lru_cache(maxsize=64)
def soles_of(length):
    """Return what the kernel looks at under feet and on their paths."""
    return PAD * length * FOOT[1:], GLIDES, REST, 2.0 * PAD * length, UNEVEN * length, STEEPEST


def lift_needed(terrain, goals, legs):
    """Return the lift that feet need on their paths to goals, shape (M, C, 3).

    Also return whether the feet then keep clear of their own hips.
    """
    own = (GLIDES[i, :, None] * legs.swing[:, None, i] for i in range(3))
    path = (next(own) + next(own) + next(own))[:, None] + GLIDES[3, :, None] * goals[:, :, None]
    under = heights(terrain, from_above(path)) - path[..., 2]
    along = warp(legs.progress)[:, None]
    high = arch(along + (1.0 - along) * REST)
    need = np.max(under / high[:, None], -1)
    path[..., 2] += np.maximum(need, legs.lift[:, None])[..., None] * high[:, None]
    now, landing, _, height = legs.hips
    lands = np.concatenate([landing[:, None].view(np.float64), height[:, None]], 1)
    hips = now[:, None] + REST[:, None] * (lands - now)[:, None]
    away = path - hips[:, None]
    near = dot(away, away) < (legs.min_reach * legs.min_reach)[:, None, None]
    return need, ~np.logical_or.reduce(near, -1)


def search(terrain, places, legs, length, clear=None):
    """Search around places for ground to stand on.

    Return points, which of them were found, their lifts and their leans, as in `Bearing`.

    The best candidate is near its place, makes the step no longer and is still within reach at the
    end of the stance. The later in the swing, the nearer to the foot it must be, so that the foot
    need not hurry. `clear`, if given, is a function that takes points of shape (M, C, 3) and
    returns for which of them the leg itself is clear of the ground.
    """
    around = np.concatenate([[0.0], length * WIDE])
    tried = np.concatenate(
        [places[:, None] + around, from_above(legs.swing[:, 0])[:, None] + around[:33]], 1
    )
    points = on_ground(terrain, tried)
    good, need, leaning = bears(terrain, points, legs, length)
    if clear is not None:
        good &= clear(points)
    start = from_above(legs.swing[:, 0])
    step = distance(tried - start[:, None])
    good &= step <= (FARTHEST * length * (1.0 - legs.progress))[:, None]
    longer = step - distance(places - start)[:, None]
    leaves = 2.0 * legs.hips.middle - legs.hips.landing
    drop = legs.hips.height[:, None] - points[..., 2]
    over = _hypotenuse(distance(tried - leaves[:, None]), drop) - legs.max_reach[:, None]
    cost = distance(tried - places[:, None]) + np.maximum(longer, 0.0) + 2.0 * np.maximum(over, 0.0)
    best = least(np.where(good, cost, np.inf), TIE * length)
    which = np.arange(len(places)), best
    return points[which], good[which], need[which], leaning[which]


def within_reach(terrain, places, hips, tops, reach):
    """Return the points of the ground at places; those out of reach are moved towards the hips.

    `hips` are places and `tops` their heights. A place is moved to no less than three fifths of its
    distance from below the hip, even if the ground there is still out of reach.
    """
    points = on_ground(terrain, places)
    if engine.KERNEL is not None:
        far = engine.KERNEL.out_of_reach(points, hips, tops, reach)
    else:
        away, drop = places - hips, tops - points[:, 2]
        square = away.real * away.real + away.imag * away.imag
        far = square + drop * drop > reach * reach
    if some(far):
        points[far] = _nearer(terrain, points[far], hips[far], tops[far], reach[far])
    return points


def _nearer(terrain, points, hips, tops, reach):
    away = from_above(points) - hips
    far = distance(away) + 1e-12
    for _ in range(2):  # twice, since the ground may have another height at the new place
        drop = np.minimum(np.abs(tops - points[:, 2]), reach)
        fraction = between(np.sqrt(reach * reach - drop * drop) / far, 0.6, 1.0)
        points = on_ground(terrain, hips + fraction * away)
    return points


def lift_over(terrain, start, end, clearance, most):
    """Return the lift that clears the ground between start and end, if that is at most `most`."""
    path = start[:, None] + TRAVELLED * (end - start)[:, None]
    under = heights(terrain, from_above(path)) - path[..., 2]
    need = np.max(under / HIGH, -1)
    return np.minimum(clearance + np.maximum(need, 0.0), np.maximum(most, clearance))


def plane_through(feet, place, turned, stiff):
    """Fit planes to feet by least squares; return lean and height, shape (N, 3).

    The lean is x and z of the normal when its y is 1, in the space of a body with the rotation
    `turned` (see `facing`). The height is that of the plane at the body's place. `stiff` is added
    to the variances, so that the feet of two legs define a plane too.
    """
    middle = np.add.reduce(feet, 1) / feet.shape[1]
    spread = feet - middle[:, None]
    x, z, y = np.moveaxis(spread, -1, 0)
    # NumPy adds along an axis in order unless it is the last.
    sums = np.add.reduce(np.stack([x * x, z * z, x * z, x * y, z * y], -1), 1)
    xx, zz = sums[:, 0] + stiff, sums[:, 1] + stiff
    xz, xy, zy = sums[:, 2], sums[:, 3], sums[:, 4]
    plane = np.empty(middle.shape)
    plane[:, 0] = xz * zy - zz * xy
    plane[:, 1] = xz * xy - xx * zy
    plane[:, :2] /= (xx * zz - xz * xz)[:, None]
    leans, away = from_above(plane), from_above(middle) - place
    plane[:, 2] = middle[:, 2] + (leans.real * away.real + leans.imag * away.imag)
    leans[...] = rotated(leans, turned.conj())
    return plane
