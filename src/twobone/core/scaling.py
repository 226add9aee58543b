"""Scaling: solve limbs of any size, detect invalid rows, and resolve ambiguous ones.

Target, longer bone and first bone each have their own power of two as a unit, because their sizes
may differ by any factor: bones of 1e-300 and 1e300, or a target of 1e-30 for bones of 1. Scaling
by a power of two is exact. The code is pure, as in `formula.py`.
"""

from typing import Any, NamedTuple

from twobone.core import exact, formula
from twobone.core.exact import Array, Flag, Pair, Real, Vector


class Units(NamedTuple):
    """The powers of two in which a limb is measured, and where they had to be bounded."""

    target: Array  # unit of the target
    longer: Array  # unit of the longer bone
    first: Array  # unit of the first bone
    distance: Array  # target / longer, within bounds that do not change the answer
    near: Array  # the same, at most 8
    thin: Array  # longer / first, at most t.thin
    at_root: Flag  # the target is at the root


class FarOutside(NamedTuple):
    """Targets so far out of reach that `Units.near` or r1 - r2 was bounded."""

    there: Flag
    along: Array  # w / (2 h) there, for a joint in units of the target


class ReachableRange(NamedTuple):
    """The reachable range: distances from root to target that can be reached.

    In units of the longer bone.
    """

    outer: Pair  # r1 + r2
    inner: Pair  # |r1 - r2|
    width: Array  # outer - inner, twice the shorter bone
    r1: Array
    r2: Array
    difference: Pair  # r1 - r2


class ScaledSolution(NamedTuple):
    """The solution of any limb before the policy, and the units in which it was computed."""

    solution: formula.Solution
    units: Units
    reachable: ReachableRange
    outside: FarOutside
    is_along: Flag  # the pole is along the target direction, so an axis replaces it


def is_valid(xp: Any, t: Real, p: Vector, r1: Array, r2: Array, side: Array, pole: Vector) -> Flag:
    """Return whether all values are finite, lengths not negative, and the side +1 or -1."""
    good = (r1 >= 0.0) & (r1 <= t.largest) & (r2 >= 0.0) & (r2 <= t.largest)
    good = good & (side * side == 1.0)
    for part in (*p, *pole):
        good = good & (formula.magnitude(xp, part) <= t.largest)
    return good


def any_limb(
    xp: Any, t: Real, p: Vector, r1: Array, r2: Array, side: Array, pole: Vector
) -> ScaledSolution:
    """Solve any valid limb; `pole` is () in the plane and a vector in space."""
    pole = in_units_of_its_own(xp, t, pole)
    size = largest_part(xp, p)
    at_root = size == 0.0
    if not xp.none(at_root):
        beginning = start(xp, p, pole)
        p = tuple(xp.where(at_root, other, part) for other, part in zip(beginning, p, strict=True))
    target = exact.power_of_two(xp, t, largest_part(xp, p))
    p = tuple(part / target for part in p)
    units, reachable = scale(xp, t, target, at_root, r1, r2)
    prepared = scaled_bones(xp, t, units, reachable, r1)
    seen = tuple(without_tiny(xp, part, t.faint) for part in p)
    h, b = formula.fine_gap(t, formula.squares(t, seen), prepared.difference)
    triangle = formula.triangle(xp, t, h, b, prepared, units.near, units.thin)
    # A target at the root is never too far, and the joint is exactly perpendicular to the
    # direction taken for it.
    lies = at_root & triangle.inside
    triangle = triangle._replace(
        too_far=triangle.too_far & (size > 0.0),
        w=(xp.where(lies, 0.0, triangle.w[0]), xp.where(lies, 0.0, triangle.w[1])),
    )
    solution = solve_anywhere(xp, t, p, pole, triangle, side)
    is_along = solution.ambiguous
    solution = solution._replace(ambiguous=triangle.inside & (at_root | is_along))
    outside = far_outside(xp, p, units, reachable, prepared)
    return ScaledSolution(solution, units, reachable, outside, is_along)


def solve_anywhere(
    xp: Any, t: Real, p: Vector, pole: Vector, triangle: formula.Triangle, side: Array
) -> formula.Solution:
    """Return the solution; in space, replace a pole along the target direction by an axis."""
    if not pole:
        return formula.solve_in_plane(xp, t, p, triangle, side)
    m = formula.towards(t, p, pole, triangle.h)
    along = formula.is_along(t, m, triangle.h, pole)
    if not xp.none(along):
        other = formula.towards(t, p, formula.least_axis(xp, p), triangle.h)
        m = tuple(xp.where(along, o, part) for o, part in zip(other, m, strict=True))
    return formula.solve_in_space(xp, t, p, m, triangle, side)._replace(ambiguous=along)


def start(xp: Any, p: Vector, pole: Vector) -> Vector:
    """Return the direction taken for a target at the root: +x, or perpendicular to the pole."""
    one = p[0] * 0.0 + 1.0
    if not pole:
        return (one, one * 0.0)
    away = formula.cross_least_axis(xp, pole)
    none = largest_part(xp, pole) == 0.0
    on_x = (one, one * 0.0, one * 0.0)
    return tuple(xp.where(none, axis, part) for axis, part in zip(on_x, away, strict=True))


def in_units_of_its_own(xp: Any, t: Real, pole: Vector) -> Vector:
    """Scale a vector by a power of two so that its largest component is in [1, 2), or 0.

    Components that are tiny compared with the largest become 0. `()` stays `()`.
    """
    if not pole:
        return ()
    size = largest_part(xp, pole)
    unit = exact.power_of_two(xp, t, xp.where(size > 0.0, size, 1.0))
    scaled = tuple(part / unit for part in pole)
    return tuple(without_tiny(xp, part, t.flush) for part in scaled)


def largest_part(xp: Any, v: Vector) -> Array:
    """Return the magnitude of the largest component of a vector."""
    return formula.largest(xp, tuple(formula.magnitude(xp, part) for part in v))


def without_tiny(xp: Any, v: Array, least: float) -> Array:
    """Return `v`, or 0 where its magnitude is below `least`.

    The value is subtracted, not replaced by 0, so that the derivative with respect to `v` remains
    1, as for every other component.
    """
    return v - xp.constant(xp.where(formula.magnitude(xp, v) < least, v, 0.0))


def scale(
    xp: Any, t: Real, target: Array, at_root: Flag, r1: Array, r2: Array
) -> tuple[Units, ReachableRange]:
    """Choose powers of two as units, and return them and the reachable range.

    Ratios too extreme to change the answer are bounded, so that nothing overflows.
    """
    longer_bone = formula.greatest(xp, r1, r2)
    longer_bone = xp.where(longer_bone > 0.0, longer_bone, 1.0)
    longer = exact.power_of_two(xp, t, longer_bone)
    first = exact.power_of_two(xp, t, xp.where(r1 > 0.0, r1, longer_bone))
    thin = formula.least(xp, longer / first, t.thin)
    distance = formula.greatest(xp, formula.least(xp, target / longer, 1.0 / t.near), t.near)
    distance = xp.where(at_root, t.near, distance)
    near = formula.least(xp, distance, 8.0)
    r1 = r1 / first / thin
    r2 = r2 / longer
    r2 = without_tiny(xp, r2, t.flush)
    outer = exact.two_sum(r1, r2)
    difference, low = exact.two_sum(r1, -r2)
    inner = (formula.magnitude(xp, difference), xp.where(difference < 0.0, -low, low))
    reachable = ReachableRange(
        outer, inner, 2.0 * formula.least(xp, r1, r2), r1, r2, (difference, low)
    )
    return Units(target, longer, first, distance, near, thin, at_root), reachable


def scaled_bones(
    xp: Any, t: Real, units: Units, reachable: ReachableRange, r1: Array
) -> formula.Bones:
    """Return the bones in the units that `triangle` expects, with a bounded `r1 - r2`."""
    r1 = r1 / units.first
    # With the target at the root, the derivative of this quotient is too large for a float.
    f, f_low = tuple(
        xp.where(units.at_root, xp.constant(part), part) / units.near
        for part in reachable.difference
    )
    tame = formula.magnitude(xp, f) < 8.0
    bounded = xp.where(f < 0.0, f * 0.0 - 8.0, 8.0)
    difference = (xp.where(tame, f, bounded), xp.where(tame, f_low, 0.0))
    four = exact.two_product(t, exact.split(t, 4.0 * r1), exact.split(t, reachable.r2))
    return formula.Bones(r1, difference, four, reachable.outer[0], reachable.inner[0])


def far_outside(
    xp: Any, p: Vector, units: Units, reachable: ReachableRange, bones: formula.Bones
) -> FarOutside:
    """Return which targets are `FarOutside`, and `along` from a formula that cannot overflow."""
    there = (units.distance > 4.0) | (formula.magnitude(xp, bones.difference[0]) > 4.0)
    far = units.distance
    along = 0.5 + 0.5 * (
        (reachable.difference[0] / far) * (reachable.outer[0] / far) / formula.dot(p, p)
    )
    return FarOutside(there, along)
