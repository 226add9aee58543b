"""Any limb at all: invalid rows found, sizes brought near 1, what is ambiguous given an answer.

The same tiny language as `formula.py`. Target, longer bone and first bone each get a power of
two as unit of their own, because their sizes may have nothing to do with each other: bones of
1e-300 and 1e300, a target of 1e-30 for bones of 1. Multiplying by a power of two loses nothing.
"""

from typing import NamedTuple

from twobone.core import exact, formula
from twobone.core.exact import Array


class Units(NamedTuple):
    """Powers of two by which a limb was made smaller or larger, and what is lost by it."""

    target: Array
    longer: Array  # of the longer bone
    first: Array  # of the first bone
    distance: Array  # target / longer, bounded where it no longer matters
    near: Array  # target / longer, bounded closely
    thin: Array  # longer / first, bounded
    at_root: Array  # bool: the target is at the root
    wild: Array  # bool: so far out of reach that `near` or the fold was bounded
    wild_along: Array  # w / (2 h) in that case, for a joint in units of the target


class Ring(NamedTuple):
    """The targets that can be reached, in units of the longer bone."""

    outer: tuple  # pair: r1 + r2
    inner: tuple  # pair: |r1 - r2|
    width: Array  # outer - inner, twice the shorter bone
    r1: Array
    r2: Array
    fold: tuple  # pair: r1 - r2


def is_valid(xp, t, p, r1, r2, side, pole):
    """Say whether all is finite, no length negative and the side +1 or -1."""
    good = (r1 >= 0.0) & (r1 <= t.largest) & (r2 >= 0.0) & (r2 <= t.largest)
    good = good & (side * side == 1.0)
    for part in (*p, *pole):
        good = good & (formula.magnitude(xp, part) <= t.largest)
    return good


def any_limb(xp, t, p, r1, r2, side, pole):
    """Solve any valid limb: `pole` is () in the plane, a vector in space."""
    pole = in_units_of_its_own(xp, t, pole)
    size = formula.largest(xp, [formula.magnitude(xp, part) for part in p])
    at_root = size == 0.0
    beginning = start(xp, p, pole)
    p = tuple(xp.where(at_root, other, part) for other, part in zip(beginning, p, strict=True))
    size_of_p = formula.largest(xp, [formula.magnitude(xp, part) for part in p])
    target = exact.power_of_two(xp, t, size_of_p)
    p = tuple(part / target for part in p)
    units, ring = scale(xp, t, target, at_root, r1, r2)
    prepared = scaled_bones(xp, t, units, ring, r1)
    seen = tuple(without_tiny(xp, part, t.faint) for part in p)
    h, b = formula.fine_gap(t, formula.squares(t, seen), prepared.fold)
    bent = formula.bend(xp, t, h, b, prepared, units.near, units.thin)
    # At the root nothing is too far, and the joint is square to the way exactly.
    bent = bent._replace(
        too_far=bent.too_far & (size > 0.0),
        w=tuple(xp.where(at_root & bent.inside, 0.0, part) for part in bent.w),
    )
    limb = bend_anywhere(xp, t, p, pole, bent, side)
    limb = limb._replace(ambiguous=bent.inside & (at_root | limb.ambiguous))
    return limb, go_wild(xp, p, units, ring, prepared), ring


def bend_anywhere(xp, t, p, pole, bend, side):
    """Bend in the plane, or in space with another pole where this one lies along the way."""
    if not pole:
        return formula.bend_in_plane(xp, t, p, bend, side)
    m = formula.towards(t, p, pole, bend.h)
    along = formula.is_along(t, m, bend.h, pole)
    other = formula.towards(t, p, formula.least_axis(xp, p), bend.h)
    m = tuple(xp.where(along, o, part) for o, part in zip(other, m, strict=True))
    return formula.bend_in_space(xp, t, p, m, bend, side)._replace(ambiguous=along)


def start(xp, p, pole):
    """Return where a target at the root is taken to lie: on +x, or square to the pole."""
    one = p[0] * 0.0 + 1.0
    if not pole:
        return (one, one * 0.0)
    away = formula.cross_least_axis(xp, pole)
    none = formula.largest(xp, [formula.magnitude(xp, part) for part in pole]) == 0.0
    on_x = (one, one * 0.0, one * 0.0)
    return tuple(xp.where(none, axis, part) for axis, part in zip(on_x, away, strict=True))


def in_units_of_its_own(xp, t, pole):
    """Scale a pole by a power of two, so that its largest part is between 1 and 2, or 0."""
    if not pole:
        return ()
    size = formula.largest(xp, [formula.magnitude(xp, part) for part in pole])
    unit = exact.power_of_two(xp, t, xp.where(size > 0.0, size, 1.0))
    scaled = tuple(part / unit for part in pole)
    return tuple(without_tiny(xp, part, t.flush) for part in scaled)


def without_tiny(xp, v, least):
    """Return `v`, or 0 where it is smaller than `least`.

    The value is subtracted, not replaced by 0, so that the derivative with respect to `v` stays 1
    there too: a part that is exactly 0 has a derivative like any other.
    """
    return v - xp.constant(xp.where(formula.magnitude(xp, v) < least, v, 0.0))


def scale(xp, t, target, at_root, r1, r2):
    """Choose powers of two that bring the bones to the size of 1; measure the ring in them.

    What is too extreme to change the answer is bounded, so that nothing can overflow.
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
    fold, low = exact.two_sum(r1, -r2)
    inner = (formula.magnitude(xp, fold), xp.where(fold < 0.0, -low, low))
    ring = Ring(outer, inner, 2.0 * formula.least(xp, r1, r2), r1, r2, (fold, low))
    return Units(target, longer, first, distance, near, thin, at_root, None, None), ring


def scaled_bones(xp, t, units, ring, r1):
    """Prepare bones as `bend` wants them: each quantity in its own unit, the fold bounded."""
    r1 = r1 / units.first
    # At the root the fold has no slope that a float could hold.
    f, f_low = (xp.where(units.at_root, xp.constant(part), part) / units.near for part in ring.fold)
    tame = formula.magnitude(xp, f) < 8.0
    bounded = xp.where(f < 0.0, f * 0.0 - 8.0, 8.0)
    fold = (xp.where(tame, f, bounded), xp.where(tame, f_low, 0.0))
    four = exact.two_product(t, exact.split(t, 4.0 * r1), exact.split(t, ring.r2))
    return formula.Bones(r1, fold, four, ring.outer[0], ring.inner[0])


def go_wild(xp, p, units, ring, bones):
    """Note where the target is far out of reach, and how far along it the joint is all the same."""
    wild = (units.distance > 4.0) | (formula.magnitude(xp, bones.fold[0]) > 4.0)
    far = units.distance
    along = 0.5 + 0.5 * ((ring.fold[0] / far) * (ring.outer[0] / far) / formula.dot(p, p))
    return units._replace(wild=wild, wild_along=along)
