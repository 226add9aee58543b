"""Formulas with frames: orthonormal axes and matrices, and their quaternions.

The code is pure, as in `core/formula.py`. A matrix is a tuple of three rows and rotates column
vectors, so its columns are the rotated axes.
"""

from twobone.core import vectors
from twobone.core.formula import dot
from twobone.rotations import quaternions

NAN = float("nan")


def axes(xp, t, x, y):
    """Return unit vectors along `x`, the part of `y` perpendicular to it, and `x x y`.

    Return also where they do not exist: where a vector is 0, or both are parallel to within 4 eps.
    The vectors may have any size.
    """
    (x, _), (y, _) = vectors.scaled(xp, t, x), vectors.scaled(xp, t, y)
    z = vectors.fine_cross(t, x, y)
    none = vectors.is_along(t, z, x, y)
    return tuple(vectors.unit(xp, v) for v in (x, vectors.cross(z, x), z)), none


def frame(xp, t, x, y):
    """Return the rotation that takes +x to the direction of `x`, and +y near that of `y`."""
    to, none = axes(xp, t, x, y)
    zero = x[0] * 0.0
    one = zero + 1.0
    rotation = from_rows(xp, tuple(zip(*to, strict=True)))
    only_x = quaternions.shortest_arc(xp, t, (one, zero, zero), x, (zero, one, zero))
    return vectors.choose(xp, none, only_x, rotation)


def look_at(xp, t, direction, up, forward, local_up):
    """Return the rotation that takes `forward` to `direction` and `local_up` towards `up`."""
    to, none = axes(xp, t, direction, up)
    own, nothing = axes(xp, t, forward, local_up)
    rows = tuple(
        tuple(dot(tuple(axis[i] for axis in to), tuple(axis[j] for axis in own)) for j in range(3))
        for i in range(3)
    )
    only_direction = quaternions.shortest_arc(xp, t, forward, direction, local_up)
    return vectors.choose(xp, none | nothing, only_direction, from_rows(xp, rows))


def to_matrix(xp, t, q):
    """Return the matrix of a quaternion of any length; 0 gives the identity."""
    q, _ = vectors.scaled(xp, t, q)
    square = dot(q, q)
    x, y, z, w = q
    w = xp.where(square == 0.0, w + 1.0, w)
    inverse = 1.0 / vectors.positive(xp, square)
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    twice = 2.0 * inverse
    return (
        (((ww + xx) - (yy + zz)) * inverse, (x * y - z * w) * twice, (x * z + y * w) * twice),
        ((x * y + z * w) * twice, ((ww + yy) - (zz + xx)) * inverse, (y * z - x * w) * twice),
        ((x * z - y * w) * twice, (y * z + x * w) * twice, ((ww + zz) - (xx + yy)) * inverse),
    )


def rotate(xp, t, q, v):
    """Rotate a vector by a quaternion of any length.

    With the matrix, no term is larger than the result, so the error is below 3 eps. It is 6 eps
    with `quaternions.rotate`, whose terms are up to twice as large.
    """
    v = vectors.finite(v)
    return tuple(dot(row, v) for row in to_matrix(xp, t, q))


def from_matrix(xp, t, matrix):
    """Return the quaternion of a rotation matrix with any positive scale, or NaN if it mirrors."""
    parts, _ = vectors.scaled(xp, t, tuple(part for row in matrix for part in row))
    rows = (parts[:3], parts[3:6], parts[6:])
    proper = dot(rows[0], vectors.cross(rows[1], rows[2])) > 0.0
    third = dot(parts, parts) / 3.0
    size = xp.sqrt(vectors.positive(xp, third))
    return tuple(xp.where(proper, part, NAN) for part in from_rows(xp, rows, size))


def from_rows(xp, rows, size: float = 1.0):
    """Return the quaternion, with `w >= 0`, of a rotation matrix times `size`.

    Each of the four candidates is `q` times four times one of its components. The candidate whose
    component is at least one half is used.
    """
    (a, b, c), (d, e, f), (g, h, i) = rows
    x = (size + a - e - i, b + d, c + g, h - f)
    y = (b + d, size - a + e - i, f + h, c - g)
    z = (c + g, f + h, size - a - e + i, d - b)
    w = (h - f, c - g, d - b, size + a + e + i)
    upper = vectors.choose(xp, a > e, x, y)
    lower = vectors.choose(xp, a < -e, z, w)
    q = vectors.choose(xp, i < 0.0, upper, lower)
    return quaternions.upright(xp, vectors.over(vectors.positive(xp, vectors.length(xp, q)), q))
