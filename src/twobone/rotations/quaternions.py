"""Quaternion formulas: products, interpolation and shortest arcs, without trigonometry.

The code is pure, as in `core/formula.py`. A vector is a tuple `(x, y, z)`, a quaternion a tuple
`(x, y, z, w)`, `q = axis sin(angle / 2), cos(angle / 2)`, whose components are numbers or arrays of
any library. The rotation from `a` to `b` needs no angle: with `c = a x b`, `d = a.b` and
`n = |a| |b|`, it is

    q = (c, n + d) / sqrt(2 n (n + d))

Near a half turn, `n + d` cancels. It is then computed as `c.c / (n - d)`, because
`n^2 = d^2 + c.c`. The components of `c` are differences of products, computed with the rounding
errors of both products, so that even a rotation by 1e-15 is accurate to the last digits.
"""

from typing import NamedTuple

from twobone.core import formula, vectors
from twobone.core.exact import Array
from twobone.core.formula import dot

NAN, INFINITY = float("nan"), float("inf")


class Half(NamedTuple):
    """Cosine and sine of half an angle."""

    cos: Array
    sin: Array


# --- quaternions --------------------------------------------------------------------------


def multiply(p, q):
    """Return `p q`: rotate by `q` first, then by `p`."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy + py * qw + pz * qx - px * qz,
        pw * qz + pz * qw + px * qy - py * qx,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def conjugate(q):
    """Return the conjugate, which is the inverse of a unit quaternion."""
    x, y, z, w = q
    return -x, -y, -z, w


def rotate(q, v):
    """Rotate a vector by a unit quaternion."""
    axis, w = q[:3], q[3]
    twice = vectors.times(2.0, vectors.cross(axis, v))
    return vectors.plus(vectors.plus(v, vectors.times(w, twice)), vectors.cross(axis, twice))


def normalize(xp, t, q):
    """Scale a quaternion of any length to length 1; 0 becomes the identity."""
    q, _ = vectors.scaled(xp, t, q)
    size = vectors.length(xp, q)
    x, y, z, w = vectors.over(vectors.positive(xp, size), q)
    return x, y, z, xp.where(size == 0.0, w + 1.0, w)


def is_unit(t, square):
    """Return whether a length is 1 to within 16 eps, given its square."""
    return (square >= 1.0 - 32.0 * t.eps) & (square <= 1.0 + 32.0 * t.eps)


def is_moderate(t, square):
    """Return whether the square of a length is far from overflow and underflow."""
    return (square >= 1.0 / t.coarse) & (square <= t.coarse)


def is_some(q):
    """Return whether a quaternion is not 0, so that it represents a rotation."""
    x, y, z, w = q
    return (x != 0.0) | (y != 0.0) | (z != 0.0) | (w != 0.0)


def unit_quaternion(xp, t, q):
    """Return `q / |q|`, or `q` bit for bit where its length is 1 to rounding; 0 stays 0.

    The length may be anything from the smallest to the largest float. Infinities become NaN.
    """
    far = 2.0**20 * t.step
    square = xp.constant(dot(q, q))
    large, small = square > t.coarse, square < 1.0 / t.coarse
    q = vectors.times(xp.where(large, 1.0 / far, xp.where(small, far, 0.0 * square + 1.0)), q)
    square = vectors.positive(xp, dot(q, q))
    return over_length(xp, t, q, xp.where(square < INFINITY, square, NAN))


def over_length(xp, t, q, square):
    """Return the same as `unit_quaternion`, if `square` neither overflows nor underflows.

    The gradient is that of `q / |q|` everywhere, also where `q` is returned unchanged.
    """
    scale = 1.0 / xp.sqrt(square)
    scale = xp.where(is_unit(t, square), 1.0 + (scale - xp.constant(scale)), scale)
    return vectors.times(scale, q)


def inverse(xp, t, q):
    """Return the inverse of a quaternion of any length; 0 gives 0."""
    q, unit = vectors.scaled(xp, t, q)
    x, y, z, w = vectors.over(vectors.positive(xp, dot(q, q)), q)
    return vectors.over(unit, (-x, -y, -z, w))


def twist_swing(xp, t, q, axis):
    """Split `q = swing twist`, with the twist about an axis and the swing perpendicular to it.

    Let `axis` be a unit vector, `s` the component of the vector part `v` along it, `c = v x axis`
    and `h^2 = s^2 + w^2`. The twist is `(s axis, w) / h`, the swing `(w axis x c - s c) / h, h`.
    Nothing cancels, because `s` and `c` are computed with pairs of floats. Where `h` is 0, which
    is a swing of a half turn, or the given axis is 0, the twist is the identity.
    """
    v, w = q[:3], q[3]
    axis, _ = vectors.scaled(xp, t, axis)
    size = vectors.fine_length(xp, t, axis)
    each = vectors.positive(xp, size)
    (s, w), unit = vectors.scaled(xp, t, (vectors.finest_dot(t, v, axis) / each, w))
    h = vectors.length(xp, (s, w))
    none = (h == 0.0) | (size == 0.0)
    sin = xp.where(none, 0.0 * h, s / vectors.positive(xp, h))
    cos = xp.where(none, 0.0 * h + 1.0, w / vectors.positive(xp, h))
    c = vectors.over(each, vectors.fine_cross(t, v, axis))
    swing = vectors.minus(
        vectors.times(cos, vectors.over(each, vectors.cross(axis, c))), vectors.times(sin, c)
    )
    untouched = size == 0.0
    return (
        (*vectors.over(each, vectors.times(sin, axis)), cos),
        (*vectors.choose(xp, untouched, v, swing), xp.where(untouched, w * unit, h * unit)),
    )


def upright(xp, q):
    """Return the one of `q` and `-q`, which are the same rotation, with `w >= 0`."""
    return vectors.choose(xp, q[3] < 0.0, vectors.times(-1.0, q), q)


def nearer(xp, p, q):
    """Return the one of `q` and `-q`, which are the same rotation, that is nearer to `p`."""
    return vectors.choose(xp, dot(p, q) < 0.0, vectors.times(-1.0, q), q)


def identity(like):
    """Return the identity, with components like the argument."""
    zero = like * 0.0
    return zero, zero, zero, zero + 1.0


def blend(xp, weight, q):
    """Interpolate linearly from the identity to `q`, and normalise."""
    x, y, z, w = upright(xp, q)
    x, y, z, w = weight * x, weight * y, weight * z, (1.0 - weight) + weight * w
    return vectors.times(
        1.0 / xp.sqrt(vectors.positive(xp, x * x + y * y + z * z + w * w)), (x, y, z, w)
    )


def nlerp(xp, p, q, weight):
    """Interpolate linearly from `p` to the nearer of `q` and `-q`, and normalise."""
    p, q = vectors.finite(p), vectors.finite(q)
    mixed = vectors.plus(vectors.times(1.0 - weight, p), vectors.times(weight, nearer(xp, p, q)))
    return vectors.over(vectors.positive(xp, vectors.length(xp, mixed)), mixed)


# --- rotations from vectors ---------------------------------------------------------------


def shortest_arc_of_units(xp, a, b, axis):
    """Return the shortest arc between unit vectors, with absolute errors of a few eps.

    `axis`, a unit vector perpendicular to `a`, is the axis of rotation where they are opposite.
    """
    c, d = vectors.cross(a, b), dot(a, b)
    large = xp.sqrt(0.5 + 0.5 * formula.magnitude(xp, d))
    small = 0.5 / large
    # For nearly opposite vectors, `c` is small and mostly rounding error. It is made perpendicular
    # to `a` and scaled to its proper length, or replaced by `axis` if nothing remains.
    aside = vectors.square_to(c, a)
    left = dot(aside, aside)
    none = left <= 2.0**-20 * dot(c, c)
    m = xp.sqrt(vectors.positive(xp, left))
    about = vectors.choose(xp, none, axis, vectors.times(large / m, aside))
    about = vectors.choose(xp, d < 0.0, about, vectors.times(small, c))
    return (*about, xp.where(d < 0.0, xp.where(none, 0.0 * left, m * small), large))


def shortest_arc(xp, t, a, b, axis):
    """Return the shortest arc from `a` to `b`, vectors of any sizes; 0 gives the identity.

    Where they are exactly opposite, the axis of rotation is the part of `axis` perpendicular to
    `a`, or, if `axis` is exactly parallel to `a`, some axis perpendicular to `a`. Lengths are
    computed with pairs of floats. `a x b` is computed from enlarged vectors, so that products of
    small components do not underflow, and has its own unit.
    """
    large_a, large_b = vectors.enlarged(xp, t, a), vectors.enlarged(xp, t, b)
    (a, _), (b, _) = vectors.scaled(xp, t, a), vectors.scaled(xp, t, b)
    c, unit = vectors.scaled(xp, t, vectors.fine_cross(t, large_a, large_b))
    unit = unit / t.coarse / t.coarse
    d, _ = vectors.fine_dot(t, a, b)
    (aa, _), (bb, _), (cc, _) = (vectors.fine_dot(t, v, v) for v in (a, b, c))
    nn = aa * bb
    n = xp.sqrt(vectors.positive(xp, nn))
    m = xp.sqrt(vectors.positive(xp, cc))
    sum_ = n + formula.magnitude(xp, d)
    large = xp.sqrt(sum_ / (n + n))
    small = large / sum_
    beyond, along = d < 0.0, cc == 0.0
    about = vectors.choose(
        xp, along, fine_axis_square_to(xp, t, a, axis), vectors.times(large / m, c)
    )
    about = vectors.choose(xp, beyond, about, vectors.times(small * unit, c))
    w = xp.where(beyond, xp.where(along, cc, m * small * unit), large)
    still = nn == 0.0
    return (*vectors.choose(xp, still, vectors.times(0.0, a), about), xp.where(still, 1.0, w))


def axis_square_to(xp, a, axis):
    """Return a unit vector perpendicular to `a`: the direction of `axis` minus its part along `a`.

    If `axis` is parallel to `a`, any perpendicular unit vector is returned.
    """
    aa = vectors.positive(xp, dot(a, a))
    given = vectors.minus(axis, vectors.times(dot(axis, a) / aa, a))
    left = dot(given, given)
    own = formula.cross_least_axis(xp, a)
    return vectors.unit(xp, vectors.choose(xp, left > 1e-12 * dot(axis, axis), given, own))


def fine_axis_square_to(xp, t, a, axis):
    """Return the same as `axis_square_to` with full accuracy, for vectors of any size."""
    axis, _ = vectors.scaled(xp, t, axis)
    across, _ = vectors.scaled(xp, t, vectors.fine_cross(t, axis, a))
    own = formula.cross_least_axis(xp, a)
    return vectors.unit(
        xp, vectors.choose(xp, dot(across, across) == 0.0, own, vectors.cross(a, across))
    )


def half_of(xp, c, s):
    """Return cosine and sine of half an angle in (-180, 180] degrees.

    `c` and `s` are its cosine and sine times any positive factor; the angle of 0 and 0 is 0.
    """
    square = c * c + s * s
    n, none = xp.sqrt(vectors.positive(xp, square)), square == 0.0
    beyond = c < 0.0
    large = xp.sqrt(0.5 + 0.5 * (formula.magnitude(xp, c) / n))
    small = formula.magnitude(xp, s) / (n * (large + large))
    sign = xp.where(s < 0.0, s * 0.0 - 1.0, s * 0.0 + 1.0)
    cos, sin = xp.where(beyond, small, large), xp.where(beyond, large, small)
    return Half(xp.where(none, 1.0, cos), xp.where(none, 0.0, sign * sin))
