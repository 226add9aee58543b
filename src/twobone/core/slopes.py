"""Slopes: `blocks.any` with short derivatives, for libraries that differentiate.

Differentiated by a library, the thousand operations of `any` become several thousand, and nearly
all of them serve rounding errors, which have no derivative. So `any` gets constants here, and its
values, bit for bit, the derivatives of the short formulas below. These are the textbook's, with
one exception: the few numbers that are differences of nearly equal ones (`a`, `b`, the vector
across, the distances from the edges) take their values from `any`. Then first and higher
derivatives are accurate at the edges of the reachable range, too. At the special places they are
those that `any` would have.
"""

from typing import NamedTuple

from twobone.core import answer, arrays, blocks, fitting, formula, scaling, vectors
from twobone.core.answer import TOO_FAR, TOO_NEAR, Answer, Targets
from twobone.core.easing import keep_within
from twobone.core.exact import Array
from twobone.core.policies import with_leaves
from twobone.core.vectors import with_slope


class Slope(NamedTuple):
    """A limb in the units of `scaling.py`, measured in working precision, with derivatives."""

    p: tuple
    q: tuple  # perpendicular to p
    h: Array  # p.p
    d: Array  # its root
    first: Array  # r1 in its own unit
    reachable: scaling.ReachableRange


class TriangleSlope(NamedTuple):
    """The triangle of root, joint and target, with derivatives."""

    w: Array
    across: Array  # factor of q, 0 where there is no triangle


def any(xp, t, targets, policy):
    """Return what `blocks.any` returns, with short derivatives. The side is a constant."""
    given = Targets(*(arrays.each(xp.constant, part) for part in targets))
    fixed = policy._mapped(xp.constant) if policy.per_row else policy
    found, known = blocks.any_known(xp, t, given, fixed)
    missed = None
    if policy.signals:
        missed = (found.status == TOO_FAR) | (found.status == TOO_NEAR)
    leaves = tuple(policy._leaves()) if policy.per_row else ()
    narrow, t, targets, known, leaves = arrays.widened(xp, t, targets, known, leaves)
    targets = answer.only_valid(xp, known.valid, targets)
    if policy.per_row:
        leaves = [xp.where(known.valid, leaf, xp.constant(leaf)) for leaf in leaves]
        policy = with_leaves(policy, leaves)
    joint, end = differentiated(xp, t, targets, known, policy)
    if missed is not None:
        joint, end = (tuple(xp.where(missed, 0.0, part) for part in v) for v in (joint, end))
    joint, end = (
        tuple(
            with_slope(xp, value, slope)
            for value, slope in zip(values, arrays.each(narrow, slopes), strict=True)
        )
        for values, slopes in ((found.joint, joint), (found.end, end))
    )
    return Answer(joint, end, found.status)


def differentiated(xp, t, targets, known, policy):
    """Return joint and end in working precision, with derivatives."""
    limb = measure(xp, t, targets, known.scaled)
    if policy.fits:
        return fitted(xp, t, targets.p, limb, known, policy)
    triangle = measure_triangle(xp, limb, known.scaled)
    if policy.gives:
        return stretched(xp, t, limb, triangle, known.scaled), targets.p
    joint = vectors.times(known.scaled.units.first, clamped(xp, limb, triangle, known.scaled))
    return joint, clamped_end(xp, targets.p, limb, known.scaled)


# --- the triangle -------------------------------------------------------------------------


def measure(xp, t, targets, scaled):
    """Return the `Slope` of limbs; `scaled` is what `scaling.any_limb` found of them."""
    units = scaled.units
    pole = scaling.in_units_of_its_own(xp, t, targets.pole)
    start = scaling.start(xp, targets.p, pole)
    p = vectors.choose(xp, units.at_root, start, targets.p)
    p = tuple(part / units.target for part in p)
    h = formula.dot(p, p)
    q = perpendicular(xp, p, h, pole, targets.side, scaled)
    return Slope(p, q, h, xp.sqrt(h), *bones(xp, t, targets, scaled))


def measure_triangle(xp, limb, scaled):
    """Return the `TriangleSlope` of limbs."""
    units, triangle = scaled.units, scaled.solution.triangle
    first, reachable, h = limb.first, limb.reachable, limb.h
    difference = bounded(xp, units, reachable.difference[0] / units.near)
    b = with_slope(xp, total(triangle.b), units.thin * (h - difference * difference))
    four = 4.0 * first * reachable.r2
    a = with_slope(xp, total(triangle.a), four - units.near * units.near * b)
    w = 2.0 * first * difference + units.near * b
    w = xp.where(units.at_root & triangle.inside, 0.0, w)
    root = xp.sqrt(xp.where(triangle.inside, a * b, 1.0))
    across = root / (2.0 * limb.d * xp.sqrt(formula.dot(limb.q, limb.q)))
    return TriangleSlope(w, xp.where(triangle.inside, across, 0.0))


def bones(xp, t, targets, scaled):
    """Return r1 in its own unit, and the `ReachableRange`."""
    units, known = scaled.units, scaled.reachable
    first = targets.r1 / units.first
    r1 = first / units.thin
    r2 = scaling.without_tiny(xp, targets.r2 / units.longer, t.flush)
    difference = r1 - r2
    inner = formula.magnitude(xp, difference)
    width = 2.0 * formula.least(xp, r1, r2)
    # The lower words of the pairs are constants.
    outer, inner, difference = (
        (high, pair[1])
        for high, pair in (
            (r1 + r2, known.outer),
            (inner, known.inner),
            (difference, known.difference),
        )
    )
    return first, scaling.ReachableRange(outer, inner, width, r1, r2, difference)


def bounded(xp, units, difference):
    """Return r1 - r2 in units of the target, bounded as in `scaling.scaled_bones`."""
    free = (formula.magnitude(xp, difference) < 8.0) & ~units.at_root
    bound = formula.least(xp, formula.greatest(xp, difference, -8.0), 8.0)
    return xp.where(free, difference, xp.constant(bound))


def perpendicular(xp, p, h, pole, side, scaled):
    """Return `q`."""
    side = xp.constant(side)
    if not pole:
        return -side * p[1], side * p[0]
    pole = vectors.choose(xp, scaled.is_along, formula.least_axis(xp, p), pole)
    along = formula.dot(p, pole)
    m = tuple(side * (h * k - along * part) for k, part in zip(pole, p, strict=True))
    return tuple(
        with_slope(xp, exact, part) for exact, part in zip(scaled.solution.q, m, strict=True)
    )


def total(pair):
    """Return the sum of a pair."""
    return pair[0] + pair[1]


# --- named policies -----------------------------------------------------------------------


def clamped(xp, limb, triangle, scaled):
    """Return the joint in units of the first bone; without a triangle, the limb is straight."""
    inside, straight = scaled.solution.triangle.inside, scaled.solution.triangle.straight
    w = xp.where(inside, triangle.w, 2.0 * straight * limb.first * limb.d)
    return placed(limb, triangle, w)


def placed(limb, triangle, w):
    """Return the joint `w / (2 h) p + across q`."""
    along = w / (limb.h + limb.h)
    return tuple(along * p + triangle.across * q for p, q in zip(limb.p, limb.q, strict=True))


def clamped_end(xp, p, limb, scaled):
    """Return the end: at the target, or at an edge of the reachable range."""
    triangle = scaled.solution.triangle
    extended = triangle.a[0] <= 0.0
    edge = xp.where(extended, limb.reachable.outer[0], limb.reachable.inner[0])
    edge = edge / limb.d
    away = tuple(edge * part * scaled.units.longer for part in limb.p)
    return vectors.choose(xp, triangle.met, p, away)


def stretched(xp, t, limb, triangle, scaled):
    """Return the joint of "stretch"."""
    units, inside, outside = scaled.units, scaled.solution.triangle.inside, scaled.outside
    difference, outer = limb.reachable.difference[0], limb.reachable.outer[0]
    # Unlike `units.distance` not bounded to 1 / t.near, which would bound the derivatives, too.
    far = formula.least(xp, units.target / units.longer, fitting.farthest(t))
    far = formula.greatest(xp, far, units.distance)
    along = 0.5 + 0.5 * ((difference / far) * (outer / far) / limb.h)
    away = tuple(along * part * units.target for part in limb.p)
    folded = vectors.times(units.first, clamped(xp, limb, triangle, scaled))
    away = vectors.choose(xp, units.at_root, folded, away)
    unit = xp.where(inside, units.first, units.longer / units.thin)
    joint = vectors.times(unit, placed(limb, triangle, triangle.w))
    return vectors.choose(xp, outside.there, away, joint)


# --- policy objects -----------------------------------------------------------------------


def fitted(xp, t, p, limb, known, policy):
    """Return joint and end of a policy object, by the formula of `fitting.py`.

    It also serves rows that the policy does not move, if there is a triangle.
    """
    fit = keep_within(xp, policy.fit(xp, fit_of(xp, t, limb, known)))
    solution = known.scaled.solution._replace(p=limb.p, q=limb.q)
    scaled = known.scaled._replace(solution=solution, reachable=limb.reachable)
    joint, end = fitting.stretched(xp, scaled, fit, *fitting.bent(xp, t, scaled, fit))
    triangle = known.scaled.solution.triangle
    along = triangle.straight * limb.first / limb.d * scaled.units.first
    straight = vectors.times(along, limb.p)
    joint = vectors.choose(xp, fit.moved | triangle.inside, joint, straight)
    end = vectors.choose(xp, fit.met, p, end)
    return joint, vectors.choose(xp, fit.moved, end, clamped_end(xp, p, limb, scaled))


def fit_of(xp, t, limb, known):
    """Return the `Fit` before any policy."""
    fit, units, reachable = known.fit, known.scaled.units, limb.reachable
    unit = formula.least(xp, units.target / units.longer, fitting.farthest(t))
    d = with_slope(xp, fit.distance, limb.d * xp.where(units.at_root, 0.0, unit))
    outer, inner = reachable.outer[0] + 0.0 * d, reachable.inner[0] + 0.0 * d
    four = 4.0 * reachable.r1 * reachable.r2 + 0.0 * d
    return fit._replace(
        distance=d,
        far=with_slope(xp, fit.far, outer - d),
        near=with_slope(xp, fit.near, d - inner),
        outer=outer,
        inner=inner,
        width=reachable.width + 0.0 * d,
        outer_over=four,
        inner_under=four,
        reachable=reachable,
        real=t,
    )
