"""A limb whose end a policy puts elsewhere than on the target.

The same tiny language as `formula.py`, in units of the longer bone.
"""

from typing import NamedTuple

from twobone.core import exact, formula
from twobone.core.exact import Array


class Fit(NamedTuple):
    """Where along the way to the target the end is put, in units of the longer bone.

    The distance is held as what is left to either edge of the ring, because near an edge
    the joint moves as the root of what is left. Full reach of the bones themselves lies
    `outer_rest` (as a difference of squares) beyond `outer`, their fold `inner_rest` below
    `inner`: both 0 unless a policy narrowed the ring.
    """

    distance: Array  # of the target, as it came
    far: Array  # outer - distance of the end
    near: Array  # distance of the end - inner
    outer: Array
    inner: Array
    width: Array  # outer - inner
    outer_rest: Array  # (r1 + r2)^2 - outer^2
    inner_rest: Array  # inner^2 - (r1 - r2)^2
    stretch: Array  # factor on both bones
    moved: Array  # bool: the end is not simply on the target
    met: Array  # bool: it is on the target all the same, because the bones gave
    four: Array  # 4 r1 r2
    unit: Array  # of the longer bone


def fit_target(xp, t, limb, units, ring):
    """Measure the target against the ring, in double words."""
    h, low = exact.sum_of_pairs(formula.squares(t, limb.p))
    root = xp.sqrt(h)
    square, square_low = exact.two_square(t, exact.split(t, root))
    root_low = ((h - square) + (low - square_low)) / (root + root)
    d, d_low = root * units.distance, root_low * units.distance
    zero = d * 0.0
    false = zero > 0.0
    return Fit(
        distance=d,
        far=pair_difference(ring.outer, (d, d_low)),
        near=pair_difference((d, d_low), ring.inner),
        outer=ring.outer[0] + zero,
        inner=ring.inner[0] + zero,
        width=ring.width + zero,
        outer_rest=zero,
        inner_rest=zero,
        stretch=zero + 1.0,
        moved=false,
        met=false,
        four=4.0 * ring.r1 * ring.r2,
        unit=units.longer,
    )


def pair_difference(u, v):
    """Return `u - v` of two pairs, rounded once."""
    high, lost = exact.two_sum(u[0], -v[0])
    return high + (lost + (u[1] - v[1]))


def end_distance(xp, fit):
    """Return how far from the root the end is put, before the bones stretch."""
    return xp.where(fit.far < fit.near, fit.outer - fit.far, fit.inner + fit.near)


def limb_at(xp, limb, ring, fit):
    """Return joint and end of a limb whose end is put at a distance, in units of the longer bone.

    As above with `a`, `b` from what is left to the edges; the bones then grow by `stretch`.
    """
    a = fit.outer_rest + fit.far * (2.0 * fit.outer - fit.far)
    b = fit.inner_rest + fit.near * (2.0 * fit.inner + fit.near)
    w = b + 2.0 * (ring.r1 * ring.fold[0])
    d = end_distance(xp, fit)
    safe = xp.where(d > 0.0, d, 1.0)
    along = xp.where(d > 0.0, w / (safe + safe), 0.0)
    bent = (a > 0.0) & (b > 0.0)
    s = xp.sqrt(xp.where(bent, a, 1.0)) * xp.sqrt(xp.where(bent, b, 1.0))
    across = xp.where(bent & (d > 0.0), s / (safe + safe), 0.0)
    to_p = fit.stretch / xp.sqrt(formula.dot(limb.p, limb.p))
    to_q = fit.stretch / xp.sqrt(formula.dot(limb.q, limb.q))
    along, across = along * to_p, across * to_q
    joint = tuple(along * p + across * q for p, q in zip(limb.p, limb.q, strict=True))
    return joint, tuple(d * to_p * p for p in limb.p)
