"""The mathematics: where is the joint of two bones?

Bones `r1`, `r2` hang from the origin; the second must end at `p`. With `h = p.p`

    w = h + r1^2 - r2^2         S = 4 r1^2 h - w^2 = a b
    a = (r1 + r2)^2 - h         b = h - (r1 - r2)^2
    x = (w p + q sqrt(S)) / (2 h),   q.p = 0,  q.q = h

(Inigo Quilez, "simple inverse kinematics", iquilezles.org/articles/simpleik, in one
division; S in factors after Kahan, "Miscalculating Area and Angles of a Needle-like
Triangle".) `a` is what is left to full reach, `b` what is left to the fold; both cancel
just where limbs spend their time, so they are computed in double words. One subtraction
of large numbers is enough, the others follow from it without loss:

    b = h - (r1 - r2)^2         a = 4 r1 r2 - b         w = b + 2 r1 (r1 - r2)

Only `+ - * /`, comparisons, `xp.sqrt` and `xp.where`, each rounded once: no branches, no
loops over data, no angles. A vector is a tuple of its parts, a pair is a number and its
rounding error (`exact.py`), `t` holds the constants of the floating-point type. Every root
is guarded: where there is no triangle its argument is replaced before it is taken, so
that neither values nor derivatives can become NaN.
"""

from typing import NamedTuple

from twobone.core import exact
from twobone.core.exact import Array


class Bones(NamedTuple):
    """What the two lengths give, whatever the target."""

    r1: Array  # first bone
    fold: tuple  # pair: r1 - r2
    four: tuple  # pair: 4 r1 r2
    reach: Array  # r1 + r2
    folded: Array  # |r1 - r2|


class Bend(NamedTuple):
    """How far the limb bends: a triangle, or none, before it is known in which plane."""

    h: tuple  # pair: p.p
    w: tuple  # pair: 2 x.p
    area: tuple  # pair: a b, 16 times the square of the triangle's area
    inside: Array  # bool: there is a triangle
    met: Array  # bool: the end is on the target
    too_far: Array  # bool
    too_near: Array  # bool
    straight: Array  # where there is no triangle: +1 first bone towards the target, -1 away
    r1: Array
    edge: Array  # where there is no triangle: how far from the root the end is


class Limb(NamedTuple):
    """A limb in its plane, ready for a policy: `x = along p + across q`, `along = w / (2 h)`."""

    p: tuple
    q: tuple  # the direction across, of any length
    across: Array
    root: Array  # of what is under it, or sqrt(h) where there is no triangle
    inverse: Array  # 1 / (2 h), rounded somehow
    bend: Bend
    ambiguous: Array  # bool: the side or the pole does not say where the joint is


# --- the bend -----------------------------------------------------------------------------


def bones(xp, t, r1, r2):
    """Prepare two lengths."""
    fold = exact.two_sum(r1, -r2)
    four = exact.two_product(t, exact.split(t, 4.0 * r1), exact.split(t, r2))
    return Bones(r1, fold, four, r1 + r2, magnitude(xp, fold[0]))


def squares(t, p):
    """Square the parts of a target: pairs."""
    return tuple(exact.two_square(t, exact.split(t, part)) for part in p)


def gap(t, squared, fold):
    """Return the pairs `h` and `b`, good to 2^-104 h: enough for bones of like size."""
    f, f_low = fold
    ff, ff_low = exact.two_square(t, exact.split(t, f))
    h, h_low = exact.sum_of_pairs(squared)
    b, lost = exact.two_sum(h, -ff)
    b_low = lost + (h_low - (ff_low + 2.0 * (f * f_low)))
    return (h, h_low), exact.fast_two_sum(b, b_low)


def fine_gap(t, squared, fold):
    """Return what `gap` does, good to 2^-158 h: a thin first bone needs every digit."""
    f, f_low = fold
    ff, ff_low = exact.two_square(t, exact.split(t, f))
    fe, fe_low = exact.two_product(t, exact.split(t, 2.0 * f), exact.split(t, f_low))
    h, h_low = exact.sum_of_pairs(squared)
    (b, low), *rest = squared
    words = [low]
    for square, square_low in rest:
        b, lost = exact.two_sum(b, square)
        words += [square_low, lost]
    b, lost = exact.two_sum(b, -ff)
    words += [lost, -ff_low, -fe]
    b = exact.two_sum(*exact.sum_of_words(b, words, -(fe_low + f_low * f_low)))
    return (h, h_low), b


def bend(xp, t, h, b, bones, near: Array = 1.0, thin: Array = 1.0):
    """Find the triangle from the pairs `h` and `b`.

    `near` is the unit of the target over that of the longer bone, `thin` the unit of the
    longer bone over that of the first one: powers of two. `h` and `bones.fold` are in
    units of the target, `bones.reach` and `bones.folded` of the longer bone.
    """
    f, f_low = bones.fold
    four, four_low = bones.four
    small = b[0] < -8.0 * t.eps * (f * f)  # an edge met but for rounding is met:
    b, b_low = thin * b[0], thin * b[1]  # 4 eps of its radius are 8 eps of its square
    square = near * near
    left, lost = exact.two_sum(four, -(square * b))
    a, a_low = exact.fast_two_sum(left, lost + (four_low - square * b_low))
    large = a < -8.0 * t.eps * (bones.reach * bones.reach) * thin
    c, c_low = exact.two_product(t, exact.split(t, 2.0 * bones.r1), exact.split(t, f))
    w = (c + near * b, near * b_low + (c_low + 2.0 * (bones.r1 * f_low)))
    extended = a <= 0.0
    one = f * 0.0 + 1.0
    straight = xp.where(extended | (f >= 0.0), one, -one)
    edge = xp.where(extended, bones.reach, bones.folded)
    met = (a >= 0.0) & (b >= 0.0)
    b, b_low = xp.where(met, b, 1.0), xp.where(met, b_low, 0.0)
    area = exact.product_of_pairs(t, (a, a_low), (b, b_low))
    inside = met & (area[0] > t.speck * (h[0] * (bones.r1 * bones.r1)))
    return Bend(h, w, area, inside, met, large, small, straight, bones.r1, edge)


# --- the plane it bends in ----------------------------------------------------------------


def bend_in_plane(xp, t, p, bend, side):
    """Return the limb in the plane: side +1 bends left. There `q = perp(p)`, `q.q = h`."""
    px, py = p
    root = root_of(xp, bend, bend.area[0] + bend.area[1])
    double = twice(bend.h)
    inverse = 1.0 / double[0]
    across = exact.quotient_of_pairs(t, (root, root * 0.0), double, inverse)
    return Limb(p, (-side * py, side * px), across, root, inverse, bend, bend.h[0] < 0.0)


def bend_in_space(xp, t, p, m, bend, side):
    """Return the limb in space: side +1 bends along `m`, which is square to `p`, of any length.

    Then `x = w / (2 h) p + sqrt(a b / (4 h m.m)) m`. One division serves both quotients.
    """
    mm = exact.sum_of_pairs(squares(t, m))
    below = exact.product_of_pairs(t, bend.h, mm)
    double = bend.h[0] + bend.h[0]
    both = 1.0 / (double * below[0])
    root = root_of(xp, bend, exact.quotient_of_pairs(t, bend.area, below, both * double))
    q = tuple(side * part for part in m)
    return Limb(p, q, 0.5 * root, root, both * below[0], bend, bend.h[0] < 0.0)


def root_of(xp, bend, under):
    """Return the root of what is under it, or of `h` where there is no triangle."""
    return xp.sqrt(xp.where(bend.inside, under, bend.h[0] + bend.h[1]))


def place(xp, t, limb, w):
    """Return the joint `w / (2 h) p + across q`, `w` a pair."""
    along = exact.quotient_of_pairs(t, w, twice(limb.bend.h), limb.inverse)
    across = xp.where(limb.bend.inside, limb.across, 0.0)
    return tuple(along * p + across * q for p, q in zip(limb.p, limb.q, strict=True))


def straight_along(limb):
    """Return in place of `w` what keeps the first bone's length where there is no triangle."""
    w = 2.0 * limb.bend.straight * limb.bend.r1 * limb.root
    return w, w * 0.0


def twice(pair):
    """Return twice a pair."""
    return pair[0] + pair[0], pair[1] + pair[1]


def towards(t, p, pole, h):
    """Return `m = h pole - (p.pole) p`, the pole made square to `p`, each part rounded once."""
    split_p = tuple(exact.split(t, part) for part in p)
    split_pole = tuple(exact.split(t, part) for part in pole)
    products = (exact.two_product(t, a, b) for a, b in zip(split_p, split_pole, strict=True))
    d, d_low = exact.sum_of_pairs(tuple(products))
    (h, h_low), split_h, split_d = h, exact.split(t, h[0]), exact.split(t, d)
    m = ()
    for part, along in zip(split_pole, split_p, strict=True):
        u, u_low = exact.two_product(t, part, split_h)
        v, v_low = exact.two_product(t, along, split_d)
        s, lost = exact.two_sum(u, -v)
        m += (s + (lost + ((u_low - v_low) + (part.whole * h_low - along.whole * d_low))),)
    return m


def dot(u, v):
    """Return the dot product, plainly."""
    first, *rest = (a * b for a, b in zip(u, v, strict=True))
    for product in rest:
        first = first + product
    return first


def is_along(t, m, h, pole):
    """Say whether the pole is zero or within 4 eps of the target line."""
    return dot(m, m) <= (16.0 * t.eps * t.eps) * ((h[0] * h[0]) * dot(pole, pole))


def least_axis(xp, v):
    """Return the axis of coordinates least along `v`, the first of equals."""
    first, second = is_least(xp, v)
    zero = magnitude(xp, v[0]) * 0.0
    one = zero + 1.0
    return (
        xp.where(first, one, zero),
        xp.where(first, zero, xp.where(second, one, zero)),
        xp.where(first, zero, xp.where(second, zero, one)),
    )


def cross_least_axis(xp, v):
    """Return `v x e`, where `e` is the axis of coordinates least along `v`."""
    x, y, z = v
    first, second = is_least(xp, v)
    zero = x * 0.0
    return (
        xp.where(first, zero, xp.where(second, -z, y)),
        xp.where(first, z, xp.where(second, zero, -x)),
        xp.where(first, -y, xp.where(second, x, zero)),
    )


def is_least(xp, v):
    """Say whether the first part is the smallest, and if not, whether the second one is."""
    x, y, z = (magnitude(xp, part) for part in v)
    return (x <= y) & (x <= z), y <= z


# --- a limb without scaling: the usual one ------------------------------------------------


def easy_limb_in_plane(xp, t, p, r1, r2, side):
    """Solve a limb for which `is_easy_in_plane` holds."""
    prepared = bones(xp, t, r1, r2)
    bent = bend(xp, t, *gap(t, squares(t, p), prepared.fold), prepared)
    return bend_in_plane(xp, t, p, bent, side)


def easy_limb_in_space(xp, t, p, r1, r2, side, pole):
    """Solve a limb for which `is_easy_in_space` holds, except where it is `ambiguous`."""
    prepared = bones(xp, t, r1, r2)
    h, b = gap(t, squares(t, p), prepared.fold)
    m = towards(t, p, pole, h)
    along = is_along(t, m, h, pole)
    m = tuple(xp.where(along, 1.0, part) for part in m)
    bent = bend(xp, t, h, b, prepared)
    return bend_in_space(xp, t, p, m, bent, side)._replace(ambiguous=along)


def is_easy_in_plane(xp, t, p, r1, r2, side):
    """Say whether nothing needs scaling, no digit is at risk and all is finite."""
    return is_easy(xp, p, r1, r2, side, t.plane_size, t.plane_part)


def is_easy_in_space(xp, t, p, r1, r2, side, pole):
    """Say the same in space; a pole along the target line is found later."""
    fine_pole = is_easy_vector(xp, pole, t.space_size, t.space_part)
    return fine_pole & is_easy(xp, p, r1, r2, side, t.space_size, t.space_part)


def is_easy(xp, p, r1, r2, side, size, part):
    """Say whether target and bones are of moderate size and the first bone is not thin."""
    small, thick = 1.0 / size, (4.0 * r1 >= r2) & (side * side == 1.0)
    moderate = (r1 >= small) & (r1 <= size) & (r2 >= small) & (r2 <= size)
    return thick & moderate & is_easy_vector(xp, p, size, part)


def is_easy_vector(xp, v, size, part):
    """Say whether the largest part is moderate and none is tiny without being zero."""
    sizes = [magnitude(xp, each) for each in v]
    good = largest(xp, sizes) >= 1.0 / size
    for each in sizes:
        good = good & (each <= size) & ((each >= 1.0 / part) | (each == 0.0))
    return good


# --- small words --------------------------------------------------------------------------


def magnitude(xp, v: Array):
    """Return `|v|`."""
    return xp.where(v < 0.0, -v, v)


def least(xp, u, v):
    """Return the smaller one."""
    return xp.where(u < v, u, v)


def greatest(xp, u, v):
    """Return the larger one."""
    return xp.where(u > v, u, v)


def largest(xp, sizes):
    """Return the largest of some sizes."""
    first, *rest = sizes
    for size in rest:
        first = greatest(xp, first, size)
    return first
