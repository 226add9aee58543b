"""A limb whose end a policy puts elsewhere than on the target.

The same tiny language as `formula.py`, in units of the longer bone.
"""

from typing import NamedTuple

from twobone.core import exact, formula
from twobone.core.exact import Array, Real
from twobone.core.scaling import Ring


class Fit(NamedTuple):
    """Where along the way to the target the end is put, in units of the longer bone.

    The distance is held as what is left to either edge of the ring, because near an edge
    the joint moves as the root of what is left. A policy may narrow the ring. How far its
    edges are from full reach and from the fold is held as differences of squares, each in
    both ways, because one of two ways cancels where a limb may hardly open or hardly close.
    """

    distance: Array  # of the target, as it came
    far: Array  # outer - distance of the end
    near: Array  # distance of the end - inner
    outer: Array
    inner: Array
    width: Array  # outer - inner
    outer_rest: Array  # (r1 + r2)^2 - outer^2
    outer_over: Array  # outer^2 - (r1 - r2)^2
    inner_rest: Array  # inner^2 - (r1 - r2)^2
    inner_under: Array  # (r1 + r2)^2 - inner^2
    stretch: Array  # factor on both bones, unless met
    moved: Array  # bool: the end is not simply on the target
    met: Array  # bool: it is on the target all the same, because the bones gave
    ring: Ring  # as the bones have it
    real: Real  # constants of the dtype
    unit: Array  # of the longer bone
    fine: Array  # power of two just below the width


def fit_target(xp, t, limb, units, ring):
    """Measure the target against the ring, in double words."""
    h, low = exact.sum_of_pairs(formula.squares(t, limb.p))
    root = xp.sqrt(h)
    square, square_low = exact.two_square(t, exact.split(t, root))
    root_low = ((h - square) + (low - square_low)) / (root + root)
    unit = formula.least(xp, units.target / units.longer, farthest(t))
    unit = xp.where(units.at_root, 0.0, unit)
    d, d_low = root * unit, root_low * unit
    zero = d * 0.0
    four = 4.0 * ring.r1 * ring.r2 + zero
    return Fit(
        distance=d,
        far=pair_difference(ring.outer, (d, d_low)),
        near=pair_difference((d, d_low), ring.inner),
        outer=ring.outer[0] + zero,
        inner=ring.inner[0] + zero,
        width=ring.width + zero,
        outer_rest=zero,
        outer_over=four,
        inner_rest=zero,
        inner_under=four,
        stretch=zero + 1.0,
        moved=zero > 0.0,
        met=zero > 0.0,
        ring=ring,
        real=t,
        unit=units.longer,
        fine=exact.power_of_two(xp, t, xp.where(ring.width > 0.0, ring.width, 1.0)),
    )


def farthest(t):
    """Return the greatest distance that is told from others, in units of the longer bone."""
    return 0.25 * t.largest


def pair_difference(u, v):
    """Return `u - v` of two pairs, rounded once."""
    high, lost = exact.two_sum(u[0], -v[0])
    return high + (lost + (u[1] - v[1]))


def end_distance(xp, fit):
    """Return how far from the root the end is put, before the bones stretch."""
    return xp.where(fit.far < fit.near, fit.outer - fit.far, fit.inner + fit.near)


def limb_at(xp, t, limb, units, fit):
    """Return joint and end of a limb whose end is put at a distance.

    As above with `a`, `b` from what is left to the edges. The bones then grow by `stretch`,
    or as much as the end needs to meet the target.
    """
    ring = fit.ring
    a = fit.outer_rest + fit.far * (2.0 * fit.outer - fit.far)
    b = fit.inner_rest + fit.near * (2.0 * fit.inner + fit.near)
    w = b + 2.0 * (ring.r1 * ring.fold[0])
    d = end_distance(xp, fit)
    apart = (d > t.near) | (d != d)  # a policy may have put it nowhere
    safe = xp.where(apart, d, 1.0)
    along = xp.where(apart, w / (safe + safe), 0.0)
    # An end at the root leaves the first bone square to the way: a = 4 r1^2, b / d^2 = 1.
    bent = (a > 0.0) & ((b > 0.0) | (d <= t.near))
    root = xp.sqrt(xp.where(bent, a, 1.0)) * xp.sqrt(xp.where(bent & apart, b, 1.0))
    across = xp.where(bent, root / (safe + safe), 0.0)
    length = xp.sqrt(formula.dot(limb.p, limb.p))
    to_p, to_q = 1.0 / length, 1.0 / xp.sqrt(formula.dot(limb.q, limb.q))
    along, across = along * units.thin * to_p, across * units.thin * to_q
    joint = tuple(along * p + across * q for p, q in zip(limb.p, limb.q, strict=True))
    joint = as_long_as(xp, t, joint, ring.r1 * units.thin)
    # The order keeps the greatest factors and the smallest units from overflowing.
    factor = xp.where(fit.met, length / safe / units.thin, 1.0)
    unit = xp.where(fit.met, units.target, units.first)
    end = tuple(d * to_p * p * units.longer * fit.stretch for p in limb.p)
    return tuple(part * factor * unit * fit.stretch for part in joint), end


def as_long_as(xp, t, v, length):
    """Return a vector that is that long but for rounding, exactly so but for the last."""
    vv, low = exact.sum_of_pairs(formula.squares(t, v))
    square, square_low = exact.two_square(t, exact.split(t, length))
    sound = square > 0.0
    excess = ((vv - square) + (low - square_low)) / xp.where(sound, square + square, 1.0)
    excess = xp.constant(xp.where(sound, excess, 0.0))
    return tuple(part - excess * part for part in v)
