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

    h: Array  # p.p
    w: Array  # 2 x.p
    a: Array  # what is left to full reach
    b: Array  # what is left to the fold
    inside: Array  # bool: there is a triangle
    too_far: Array  # bool
    too_near: Array  # bool
    straight: Array  # where there is no triangle: +1 first bone towards the target, -1 away
    r1: Array
    edge: Array  # where there is no triangle: how far from the root the end is


class Limb(NamedTuple):
    """A limb in its plane, ready for a policy: `x = (along p + across) unit`."""

    p: tuple
    across: tuple
    q: tuple  # the direction across, of any length
    root: Array  # sqrt(h) where there is no triangle
    bend: Bend
    ambiguous: Array  # bool: the side or the pole does not say where the joint is


# --- the bend -----------------------------------------------------------------------------


def bones(xp, t, r1, r2):
    """Prepare two lengths."""
    fold = exact.two_sum(r1, -r2)
    four = exact.two_product(exact.split(t, 4.0 * r1), exact.split(t, r2))
    return Bones(r1, fold, four, r1 + r2, magnitude(xp, fold[0]))


def squares(t, p):
    """Square the parts of a target: pairs."""
    return tuple(exact.two_square(exact.split(t, part)) for part in p)


def gap(t, squared, fold):
    """Return `h` and the pair `b`, good to 2^-104 h: enough for bones of like size."""
    f, f_low = fold
    ff, ff_low = exact.two_square(exact.split(t, f))
    h, h_low = exact.sum_of_pairs(squared)
    b, lost = exact.two_sum(h, -ff)
    b_low = lost + (h_low - (ff_low + 2.0 * (f * f_low)))
    return h + h_low, exact.two_sum(b, b_low)


def fine_gap(t, squared, fold):
    """Return what `gap` does, good to 2^-158 h: a thin first bone needs every digit."""
    f, f_low = fold
    ff, ff_low = exact.two_square(exact.split(t, f))
    fe, fe_low = exact.two_product(exact.split(t, 2.0 * f), exact.split(t, f_low))
    h, h_low = exact.sum_of_pairs(squared)
    (b, low), *rest = squared
    words = [low]
    for square, square_low in rest:
        b, lost = exact.two_sum(b, square)
        words += [square_low, lost]
    b, lost = exact.two_sum(b, -ff)
    words += [lost, -ff_low, -fe]
    return h + h_low, exact.two_sum(*exact.sum_of_words(b, words, -(fe_low + f_low * f_low)))


def bend(xp, t, h, b, bones, near: Array = 1.0, thin: Array = 1.0):
    """Find the triangle from `h` and the pair `b`.

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
    a = left + (lost + (four_low - square * b_low))
    large = a < -8.0 * t.eps * (bones.reach * bones.reach) * thin
    c, c_low = exact.two_product(exact.split(t, 2.0 * bones.r1), exact.split(t, f))
    w, lost = exact.two_sum(c, near * b)
    w = w + (lost + (c_low + (near * b_low + 2.0 * (bones.r1 * f_low))))
    extended = a <= 0.0
    one = h * 0.0 + 1.0
    straight = xp.where(extended | (f >= 0.0), one, -one)
    edge = xp.where(extended, bones.reach, bones.folded)
    inside = (a > 0.0) & (b > 0.0)
    return Bend(h, w, a, b, inside, large, small, straight, bones.r1, edge)


# --- the plane it bends in ----------------------------------------------------------------


def bend_in_plane(xp, p, bend, side):
    """Return the root, the vector across and its direction in the plane: side +1 bends left."""
    px, py = p
    root = xp.sqrt(xp.where(bend.inside, bend.a * bend.b, bend.h))
    k = side * xp.where(bend.inside, root, 0.0) / (bend.h + bend.h)
    return root, (-k * py, k * px), (-side * py, side * px)


def bend_in_space(xp, p, m, bend, side):
    """Return the root, the vector across and its direction in space: side +1 bends along `m`.

    `m` is square to `p`, of any length: `|m|^2` divides under the root.
    """
    mx, my, mz = m
    mm = mx * mx + my * my + mz * mz
    bent = bend.a * (bend.b / bend.h) / mm
    root = xp.sqrt(xp.where(bend.inside, bent, bend.h))
    k = 0.5 * (side * xp.where(bend.inside, root, 0.0))
    return root, (k * mx, k * my, k * mz), (side * mx, side * my, side * mz)


def cross(t, u, v):
    """Return the cross product of two vectors, each part rounded once."""
    ux, uy, uz = (exact.split(t, part) for part in u)
    vx, vy, vz = (exact.split(t, part) for part in v)
    return (
        exact.difference_of_products(uy, vz, uz, vy),
        exact.difference_of_products(uz, vx, ux, vz),
        exact.difference_of_products(ux, vy, uy, vx),
    )


def dot(u, v):
    """Return the dot product, plainly."""
    first, *rest = (a * b for a, b in zip(u, v, strict=True))
    for product in rest:
        first = first + product
    return first


def is_along(t, n, p, pole):
    """Say whether the pole is zero or within 4 eps of the target line; `n = p x pole`."""
    return dot(n, n) <= (16.0 * t.eps * t.eps) * dot(p, p) * dot(pole, pole)


def cross_least_axis(xp, v):
    """Return `v x e`, where `e` is the axis of coordinates least along `v`, the first of equals."""
    x, y, z = v
    ax, ay, az = (magnitude(xp, part) for part in v)
    first = (ax <= ay) & (ax <= az)
    second = ay <= az
    zero = x * 0.0
    return (
        xp.where(first, zero, xp.where(second, -z, y)),
        xp.where(first, z, xp.where(second, zero, -x)),
        xp.where(first, -y, xp.where(second, x, zero)),
    )


# --- a limb without scaling: the usual one ------------------------------------------------


def easy_limb_in_plane(xp, t, p, r1, r2, side):
    """Solve a limb for which `is_easy_in_plane` holds."""
    prepared = bones(xp, t, r1, r2)
    h, b = gap(t, squares(t, p), prepared.fold)
    bent = bend(xp, t, h, b, prepared)
    root, across, q = bend_in_plane(xp, p, bent, side)
    return Limb(p, across, q, root, bent, bent.h < 0.0)


def easy_limb_in_space(xp, t, p, r1, r2, side, pole):
    """Solve a limb for which `is_easy_in_space` holds, except where it is `ambiguous`."""
    prepared = bones(xp, t, r1, r2)
    h, b = gap(t, squares(t, p), prepared.fold)
    bent = bend(xp, t, h, b, prepared)
    n = cross(t, p, pole)
    along = is_along(t, n, p, pole)
    safe = tuple(xp.where(along, 1.0, part) for part in n)
    root, across, q = bend_in_space(xp, p, cross(t, safe, p), bent, side)
    return Limb(p, across, q, root, bent, along)


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
