"""The formula: the position of the joint between two bones.

Two bones of lengths `r1` and `r2` start at the origin and must end at `p`. With `h = p.p`,

    w = h + r1^2 - r2^2         S = 4 r1^2 h - w^2 = a b
    a = (r1 + r2)^2 - h         b = h - (r1 - r2)^2
    x = (w p + q sqrt(S)) / (2 h),   q.p = 0,  q.q = h

This is Inigo Quilez, "simple inverse kinematics", iquilezles.org/articles/simpleik, with a single
division; the factors of S are after Kahan, "Miscalculating Area and Angles of a Needle-like
Triangle". `a` is 0 at the maximum reach and `b` at the minimum reach. Near these, where limbs often
are, both are differences of nearly equal numbers, so they are computed in double words. One such
subtraction is enough, because the rest follows from `b` without cancellation:

    b = h - (r1 - r2)^2         a = 4 r1 r2 - b         w = b + 2 r1 (r1 - r2)

The code is pure: only `+ - * /`, comparisons, `xp.sqrt` and `xp.where`, each rounded once; no
branches, no loops over data, no angles. A vector is a tuple of its components, a pair is a number
and its rounding error (`exact.py`), and `t` holds the constants of the floating-point type. Where
there is no triangle, the argument of a square root is replaced before the root is taken, so that
neither values nor gradients can become NaN.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from twobone.core import exact
from twobone.core.exact import Array, Flag, Pair, Real, Split, Vector

# `gap` or `fine_gap`.
FindGap: TypeAlias = Callable[[Real, tuple[Pair, ...], Pair], tuple[Pair, Pair]]


class Bones(NamedTuple):
    """Quantities that depend on the two lengths alone."""

    r1: Array  # first bone
    difference: Pair  # r1 - r2
    four: Pair  # 4 r1 r2
    maximum_reach: Array  # r1 + r2
    minimum_reach: Array  # |r1 - r2|


class Triangle(NamedTuple):
    """The triangle of root, joint and target; the plane in which it lies is not determined yet."""

    h: Pair  # p.p
    w: Pair  # 2 x.p
    area: Pair  # S = a b, 16 times the squared area of the triangle
    inside: Flag  # there is a triangle
    met: Flag  # the end is on the target
    too_far: Flag
    too_near: Flag
    straight: Array  # without a triangle: +1 if the first bone points at the target, -1 away
    r1: Array  # length of the first bone
    edge: Array  # without a triangle: the distance from root to end
    a: Pair  # the first factor of S
    b: Pair  # the second one


class Solution(NamedTuple):
    """A solution before the policy: `x = along p + across q` with `along = w / (2 h)`."""

    p: Vector  # the target
    q: Vector  # perpendicular to p, of any length
    across: Array  # factor of q
    root: Array  # square root in `across`, not the limb's root; without a triangle: sqrt(h)
    inverse: Array  # an approximation of 1 / (2 h)
    triangle: Triangle
    ambiguous: Flag  # side and pole do not determine the joint


# --- the triangle -------------------------------------------------------------------------


def bones(xp: Any, t: Real, r1: Array, r2: Array) -> Bones:
    """Compute what depends on the two lengths alone."""
    difference = exact.two_sum(r1, -r2)
    four = exact.two_product(t, exact.split(t, 4.0 * r1), exact.split(t, r2))
    return Bones(r1, difference, four, r1 + r2, magnitude(xp, difference[0]))


def squares(t: Real, p: Vector) -> tuple[Pair, ...]:
    """Return the squares of the components of a target, as pairs."""
    return tuple(exact.two_square(t, exact.split(t, part)) for part in p)


def gap(t: Real, squared: tuple[Pair, ...], difference: Pair) -> tuple[Pair, Pair]:
    """Return the pairs `h` and `b`, with an error of 2^-104 h.

    This is accurate enough unless the first bone is thin; see `fine_gap`.
    """
    f, f_low = difference
    ff, ff_low = exact.two_square(t, exact.split(t, f))
    h, h_low = exact.sum_of_pairs(squared)
    b, lost = exact.two_sum(h, -ff)
    b_low = lost + (h_low - (ff_low + 2.0 * (f * f_low)))
    return (h, h_low), exact.fast_two_sum(b, b_low)


def fine_gap(t: Real, squared: tuple[Pair, ...], difference: Pair) -> tuple[Pair, Pair]:
    """Return the same as `gap` with an error of 2^-158 h, as a thin first bone requires."""
    f, f_low = difference
    ff, ff_low = exact.two_square(t, exact.split(t, f))
    fe, fe_low = exact.two_product(t, exact.split(t, 2.0 * f), exact.split(t, f_low))
    h, h_low = exact.sum_of_pairs(squared)
    (total, low), *rest = squared
    words = [low]
    for square, square_low in rest:
        total, lost = exact.two_sum(total, square)
        words += [square_low, lost]
    total, lost = exact.two_sum(total, -ff)
    words += [lost, -ff_low, -fe]
    b, b_low = exact.sum_of_words(total, words, -(fe_low + f_low * f_low))
    return (h, h_low), exact.two_sum(b, b_low)


def triangle(
    xp: Any, t: Real, h: Pair, gap: Pair, bones: Bones, near: Array = 1.0, thin: Array = 1.0
) -> Triangle:
    """Compute the triangle from the pairs `h` and `b`; the latter is `gap`.

    `near` is the unit of the target over that of the longer bone, `thin` the unit of the longer
    bone over that of the first one, both powers of two. `h` and `bones.difference` are in units of
    the target, `bones.maximum_reach` and `bones.minimum_reach` in units of the longer bone.
    """
    f, f_low = bones.difference
    four, four_low = bones.four
    # A target beyond an edge by at most 4 eps of its radius (8 eps of its square) is REACHED.
    small = gap[0] < -8.0 * t.eps * (f * f)
    b, b_low = thin * gap[0], thin * gap[1]
    square = near * near
    left, lost = exact.two_sum(four, -(square * b))
    a, a_low = exact.fast_two_sum(left, lost + (four_low - square * b_low))
    large = a < -8.0 * t.eps * (bones.maximum_reach * bones.maximum_reach) * thin
    c, c_low = exact.two_product(t, exact.split(t, 2.0 * bones.r1), exact.split(t, f))
    w = (c + near * b, near * b_low + (c_low + 2.0 * (bones.r1 * f_low)))
    extended = a <= 0.0
    one = f * 0.0 + 1.0
    straight = xp.where(extended | (f >= 0.0), one, -one)
    edge = xp.where(extended, bones.maximum_reach, bones.minimum_reach)
    met = (a >= 0.0) & (b >= 0.0)
    sound = xp.where(met, b, 1.0), xp.where(met, b_low, 0.0)
    area = exact.product_of_pairs(t, (a, a_low), sound)
    inside = met & (area[0] > t.speck * (h[0] * (bones.r1 * bones.r1)))
    return Triangle(
        h,
        w,
        area,
        inside,
        met,
        large,
        small,
        straight,
        bones.r1,
        edge,
        (a, a_low),
        (b, b_low),
    )


# --- the solution in its plane ------------------------------------------------------------


def solve_in_plane(xp: Any, t: Real, p: Vector, triangle: Triangle, side: Array) -> Solution:
    """Return the solution in the plane: `q = perp(p)`, `q.q = h`; side +1 bends to the left."""
    px, py = p
    root = root_of(xp, triangle, triangle.area[0] + triangle.area[1])
    double = twice(triangle.h)
    inverse = 1.0 / double[0]
    across = exact.quotient_of_pairs(t, (root, root * 0.0), double, inverse)
    return Solution(
        p, (-side * py, side * px), across, root, inverse, triangle, triangle.h[0] < 0.0
    )


def solve_in_space(
    xp: Any, t: Real, p: Vector, m: Vector, triangle: Triangle, side: Array
) -> Solution:
    """Return the solution in space; side +1 bends along `m`, perpendicular to `p`.

    `x = w / (2 h) p + sqrt(a b / (4 h m.m)) m`, for `m` of any length. Both quotients use the same
    division.
    """
    mm = exact.sum_of_pairs(squares(t, m))
    below = exact.product_of_pairs(t, triangle.h, mm)
    double = triangle.h[0] + triangle.h[0]
    both = 1.0 / (double * below[0])
    root = root_of(xp, triangle, exact.quotient_of_pairs(t, triangle.area, below, both * double))
    q = tuple(side * part for part in m)
    return Solution(p, q, 0.5 * root, root, both * below[0], triangle, triangle.h[0] < 0.0)


def root_of(xp: Any, triangle: Triangle, under: Array) -> Array:
    """Return the square root of `under`, or of `h` where there is no triangle."""
    return xp.sqrt(xp.where(triangle.inside, under, triangle.h[0] + triangle.h[1]))


def place(xp: Any, t: Real, solution: Solution, w: Pair) -> Vector:
    """Return the joint `w / (2 h) p + across q` for a pair `w`."""
    along = exact.quotient_of_pairs(t, w, twice(solution.triangle.h), solution.inverse)
    across = xp.where(solution.triangle.inside, solution.across, 0.0)
    return tuple(along * p + across * q for p, q in zip(solution.p, solution.q, strict=True))


def straight_along(solution: Solution) -> Pair:
    """Return the `w` that keeps the length of the first bone where there is no triangle."""
    w = 2.0 * solution.triangle.straight * solution.triangle.r1 * solution.root
    return w, w * 0.0


def twice(pair: Pair) -> Pair:
    """Return a pair times 2."""
    return pair[0] + pair[0], pair[1] + pair[1]


def towards(t: Real, p: Vector, pole: Vector, h: Pair) -> Vector:
    """Return `m = h pole - (p.pole) p`, perpendicular to `p`; each component is rounded once."""
    split_p = tuple(exact.split(t, part) for part in p)
    split_pole = tuple(exact.split(t, part) for part in pole)
    products = tuple(exact.two_product(t, a, b) for a, b in zip(split_p, split_pole, strict=True))
    d, d_low = exact.sum_of_pairs(products)
    split_h, split_d = exact.split(t, h[0]), exact.split(t, d)
    return tuple(
        rejected(t, part, along, split_h, split_d, h[1], d_low)
        for part, along in zip(split_pole, split_p, strict=True)
    )


def rejected(
    t: Real, part: Split, along: Split, h: Split, d: Split, h_low: Array, d_low: Array
) -> Array:
    """Return `h part - d along`, for pairs `h` and `d`, rounded once."""
    u, u_low = exact.two_product(t, part, h)
    v, v_low = exact.two_product(t, along, d)
    s, lost = exact.two_sum(u, -v)
    return s + (lost + ((u_low - v_low) + (part.whole * h_low - along.whole * d_low)))


def dot(u: Vector, v: Vector) -> Array:
    """Return the dot product in working precision."""
    first, *rest = tuple(a * b for a, b in zip(u, v, strict=True))
    for product in rest:
        first = first + product
    return first


def is_along(t: Real, m: Vector, h: Pair, pole: Vector) -> Flag:
    """Return whether the pole is zero or within 4 eps of the line through root and target."""
    return dot(m, m) <= (16.0 * t.eps * t.eps) * ((h[0] * h[0]) * dot(pole, pole))


def least_axis(xp: Any, v: Vector) -> Vector:
    """Return the coordinate axis along which `v` is smallest, the first of equals."""
    first, second = is_least(xp, v)
    zero = magnitude(xp, v[0]) * 0.0
    one = zero + 1.0
    return (
        xp.where(first, one, zero),
        xp.where(first, zero, xp.where(second, one, zero)),
        xp.where(first, zero, xp.where(second, zero, one)),
    )


def cross_least_axis(xp: Any, v: Vector) -> Vector:
    """Return `v x e`, where `e` is the `least_axis` of `v`."""
    x, y, z = v
    first, second = is_least(xp, v)
    zero = x * 0.0
    return (
        xp.where(first, zero, xp.where(second, -z, y)),
        xp.where(first, z, xp.where(second, zero, -x)),
        xp.where(first, -y, xp.where(second, x, zero)),
    )


def is_least(xp: Any, v: Vector) -> tuple[Flag, Flag]:
    """Return whether the first component is smallest, and otherwise whether the second is."""
    x, y, z = tuple(magnitude(xp, part) for part in v)
    return (x <= y) & (x <= z), y <= z


# --- ordinary limbs, without scaling ------------------------------------------------------


def easy_limb_in_plane(
    xp: Any, t: Real, p: Vector, r1: Array, r2: Array, side: Array, find_gap: FindGap = gap
) -> Solution:
    """Solve limbs for which `is_easy_in_plane` holds; `find_gap` is `gap` or `fine_gap`."""
    prepared = bones(xp, t, r1, r2)
    h, b = find_gap(t, squares(t, p), prepared.difference)
    return solve_in_plane(xp, t, p, triangle(xp, t, h, b, prepared), side)


def easy_limb_in_space(
    xp: Any,
    t: Real,
    p: Vector,
    r1: Array,
    r2: Array,
    side: Array,
    pole: Vector,
    find_gap: FindGap = gap,
) -> Solution:
    """Solve limbs for which `is_easy_in_space` holds, except where the result is `ambiguous`."""
    prepared = bones(xp, t, r1, r2)
    h, b = find_gap(t, squares(t, p), prepared.difference)
    m = towards(t, p, pole, h)
    along = is_along(t, m, h, pole)
    m = tuple(xp.where(along, 1.0, part) for part in m)
    found = triangle(xp, t, h, b, prepared)
    return solve_in_space(xp, t, p, m, found, side)._replace(ambiguous=along)


def is_easy_in_plane(xp: Any, t: Real, p: Vector, r1: Array, r2: Array, side: Array) -> Flag:
    """Return whether limbs are finite and accurate without scaling."""
    return is_easy(xp, p, r1, r2, side, t.plane_size, t.plane_part, t.thick)


def is_easy_in_space(
    xp: Any, t: Real, p: Vector, r1: Array, r2: Array, side: Array, pole: Vector
) -> Flag:
    """Return the same in space, except that a pole along the target direction is not detected."""
    fine_pole = is_easy_vector(xp, pole, t.space_size, t.space_part)
    return fine_pole & is_easy(xp, p, r1, r2, side, t.space_size, t.space_part, t.thick)


def is_easy(
    xp: Any,
    p: Vector,
    r1: Array,
    r2: Array,
    side: Array,
    size: float,
    part: float,
    thick: float,
) -> Flag:
    """Return whether target and bones have moderate sizes and the first bone is not thin."""
    small, sound = 1.0 / size, (thick * r1 >= r2) & (side * side == 1.0)
    moderate = (r1 >= small) & (r1 <= size) & (r2 >= small) & (r2 <= size)
    return sound & moderate & is_easy_vector(xp, p, size, part)


def is_easy_vector(xp: Any, v: Vector, size: float, part: float) -> Flag:
    """Return whether the largest component is moderate and none is tiny but nonzero."""
    sizes = tuple(magnitude(xp, each) for each in v)
    good = largest(xp, sizes) >= 1.0 / size
    for each in sizes:
        good = good & (each <= size) & ((each >= 1.0 / part) | (each == 0.0))
    return good


# --- scalar functions ---------------------------------------------------------------------


def magnitude(xp: Any, v: Array) -> Array:
    """Return `|v|`."""
    return xp.where(v < 0.0, -v, v)


def least(xp: Any, u: Array, v: Array) -> Array:
    """Return the smaller of two numbers."""
    return xp.where(u < v, u, v)


def greatest(xp: Any, u: Array, v: Array) -> Array:
    """Return the larger of two numbers."""
    return xp.where(u > v, u, v)


def largest(xp: Any, sizes: Sequence[Array]) -> Array:
    """Return the largest of several numbers."""
    first, *rest = sizes
    for size in rest:
        first = greatest(xp, first, size)
    return first
