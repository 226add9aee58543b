"""Fit: place the end of a limb at the distance that a policy chooses.

Lengths are in units of the longer bone. The code is pure, as in `formula.py`.
"""

from typing import Any, NamedTuple

from twobone.core import exact, formula
from twobone.core.exact import Array, Flag, Pair, Real, Vector
from twobone.core.scaling import ReachableRange, ScaledSolution


class Fit(NamedTuple):
    """The distance from root to end along the target direction, in units of the longer bone.

    The distance is stored as its differences `far` and `near` to both edges of the reachable
    range, because near an edge the joint moves as the square root of that difference. A policy
    may narrow the range: `outer` and `inner` are its edges, `r1 + r2` and `|r1 - r2|` the maximum
    and minimum reach of the bones. The distance of each edge from both of these is stored as a
    difference of squares. One of the two could be computed from the other, but digits would cancel
    if the joint can hardly open or hardly close.
    """

    distance: Array  # from root to target, unchanged by policies
    far: Array  # outer - distance of the end
    near: Array  # distance of the end - inner
    outer: Array
    inner: Array
    width: Array  # outer - inner
    outer_rest: Array  # (r1 + r2)^2 - outer^2
    outer_over: Array  # outer^2 - (r1 - r2)^2
    inner_rest: Array  # inner^2 - (r1 - r2)^2
    inner_under: Array  # (r1 + r2)^2 - inner^2
    stretch: Array  # factor on both bones where not `met`
    moved: Flag  # a policy changed the distance or the bones
    met: Flag  # `moved`, but the bones stretch so that the end meets the target
    reachable: ReachableRange  # of the bones, before any policy
    real: Real  # constants of the dtype
    unit: Array  # the unit of the longer bone, a power of two
    fine: Array  # largest power of two that is at most the width


def fit_target(xp: Any, t: Real, scaled: ScaledSolution) -> Fit:
    """Return the `Fit` before any policy, with differences computed in double words."""
    solution, units, reachable = scaled.solution, scaled.units, scaled.reachable
    h, low = exact.sum_of_pairs(formula.squares(t, solution.p))
    root = xp.sqrt(h)
    square, square_low = exact.two_square(t, exact.split(t, root))
    root_low = ((h - square) + (low - square_low)) / (root + root)
    unit = formula.least(xp, units.target / units.longer, farthest(t))
    unit = xp.where(units.at_root, 0.0, unit)
    d, d_low = root * unit, root_low * unit
    zero = d * 0.0
    four = 4.0 * reachable.r1 * reachable.r2 + zero
    return Fit(
        distance=d,
        far=pair_difference(reachable.outer, (d, d_low)),
        near=pair_difference((d, d_low), reachable.inner),
        outer=reachable.outer[0] + zero,
        inner=reachable.inner[0] + zero,
        width=reachable.width + zero,
        outer_rest=zero,
        outer_over=four,
        inner_rest=zero,
        inner_under=four,
        stretch=zero + 1.0,
        moved=zero > 0.0,
        met=zero > 0.0,
        reachable=reachable,
        real=t,
        unit=units.longer,
        fine=exact.power_of_two(xp, t, xp.where(reachable.width > 0.0, reachable.width, 1.0)),
    )


def farthest(t: Real) -> float:
    """Return the largest distance that does not overflow, in units of the longer bone."""
    return 0.25 * t.largest


def pair_difference(u: Pair, v: Pair) -> Array:
    """Return `u - v` of two pairs, rounded once."""
    high, lost = exact.two_sum(u[0], -v[0])
    return high + (lost + (u[1] - v[1]))


def end_distance(xp: Any, fit: Fit) -> Array:
    """Return the distance from root to end before the bones stretch."""
    return xp.where(fit.far < fit.near, fit.outer - fit.far, fit.inner + fit.near)


def limb_at(xp: Any, t: Real, scaled: ScaledSolution, fit: Fit) -> tuple[Vector, Vector]:
    """Return the joint and the end of a limb whose end is at the distance of a `Fit`.

    Both bones are scaled by `stretch`, or, where `met`, so that the end meets the target.
    """
    joint, length, safe = bent(xp, t, scaled, fit)
    joint = as_long_as(xp, t, joint, scaled.reachable.r1 * scaled.units.thin)
    return stretched(xp, scaled, fit, joint, length, safe)


def bent(xp: Any, t: Real, scaled: ScaledSolution, fit: Fit) -> tuple[Vector, Array, Array]:
    """Return the joint in units of the first bone, before the bones stretch.

    The formula is that of `formula.py`, with `a` and `b` from the differences to the edges. Return
    also the length of the scaled target, and the distance of the end, or 1 where it is at the root.
    """
    solution, units, reachable = scaled.solution, scaled.units, scaled.reachable
    a = fit.outer_rest + fit.far * (2.0 * fit.outer - fit.far)
    b = fit.inner_rest + fit.near * (2.0 * fit.inner + fit.near)
    w = b + 2.0 * (reachable.r1 * reachable.difference[0])
    d = end_distance(xp, fit)
    apart = (d > t.near) | (d != d)  # d is NaN where a policy returned NaN
    safe = xp.where(apart, d, 1.0)
    along = xp.where(apart, w / (safe + safe), 0.0)
    # With the end at the root, the first bone is perpendicular to the target direction:
    # a = 4 r1^2, b / d^2 = 1.
    bends = (a > 0.0) & ((b > 0.0) | (d <= t.near))
    root = xp.sqrt(xp.where(bends, a, 1.0)) * xp.sqrt(xp.where(bends & apart, b, 1.0))
    across = xp.where(bends, root / (safe + safe), 0.0)
    length = xp.sqrt(formula.dot(solution.p, solution.p))
    to_p, to_q = 1.0 / length, 1.0 / xp.sqrt(formula.dot(solution.q, solution.q))
    along, across = along * units.thin * to_p, across * units.thin * to_q
    joint = tuple(along * p + across * q for p, q in zip(solution.p, solution.q, strict=True))
    return joint, length, safe


def stretched(
    xp: Any, scaled: ScaledSolution, fit: Fit, joint: Vector, length: Array, safe: Array
) -> tuple[Vector, Vector]:
    """Return joint and end after the bones stretch; the arguments are what `bent` returns."""
    solution, units = scaled.solution, scaled.units
    d, to_p = end_distance(xp, fit), 1.0 / length
    # This order of products avoids overflow and underflow.
    factor = xp.where(fit.met, length / safe / units.thin, 1.0)
    unit = xp.where(fit.met, units.target, units.first)
    end = tuple(d * to_p * p * units.longer * fit.stretch for p in solution.p)
    return tuple(part * factor * unit * fit.stretch for part in joint), end


def as_long_as(xp: Any, t: Real, v: Vector, length: Array) -> Vector:
    """Correct a vector whose length is `length` to rounding, to nearly full accuracy."""
    vv, low = exact.sum_of_pairs(formula.squares(t, v))
    square, square_low = exact.two_square(t, exact.split(t, length))
    sound = square > 0.0
    excess = ((vv - square) + (low - square_low)) / xp.where(sound, square + square, 1.0)
    excess = xp.constant(xp.where(sound, excess, 0.0))
    return tuple(part - excess * part for part in v)
