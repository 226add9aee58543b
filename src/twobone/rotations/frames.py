"""Three axes square to each other, matrices, and the quaternions that belong to them.

The same tiny language as `quaternions.py`. A matrix is a tuple of three rows; it takes columns of
parts, so that its own columns are the images of the axes.
"""

from twobone.core import vectors
from twobone.core.formula import dot
from twobone.rotations import quaternions

NAN = float("nan")


def axes(xp, t, x, y):
    """Return `x`, what of `y` is square to it, and `x x y`, all of length 1; and if there are none.

    Vectors of any size. Where one is 0, or within 4 eps of the other's line, there are none.
    """
    (x, _), (y, _) = vectors.scaled(xp, t, x), vectors.scaled(xp, t, y)
    z = vectors.fine_cross(t, x, y)
    none = vectors.is_along(t, z, x, y)
    return tuple(vectors.unit(xp, v) for v in (x, vectors.cross(z, x), z)), none


def frame(xp, t, x, y):
    """Return the turn that brings +x along `x` and +y into the half plane of `y`."""
    to, none = axes(xp, t, x, y)
    zero = x[0] * 0.0
    one = zero + 1.0
    turn = from_rows(xp, tuple(zip(*to, strict=True)))
    only_x = quaternions.shortest_arc(xp, t, (one, zero, zero), x, (zero, one, zero))
    return vectors.choose(xp, none, only_x, turn)


def look_at(xp, t, direction, up, forward, local_up):
    """Return the turn that brings `forward` along `direction` and `local_up` next to `up`."""
    to, none = axes(xp, t, direction, up)
    own, nothing = axes(xp, t, forward, local_up)
    rows = tuple(
        tuple(dot(tuple(axis[i] for axis in to), tuple(axis[j] for axis in own)) for j in range(3))
        for i in range(3)
    )
    only_direction = quaternions.shortest_arc(xp, t, forward, direction, local_up)
    return vectors.choose(xp, none | nothing, only_direction, from_rows(xp, rows))


def to_matrix(xp, t, q):
    """Return the matrix of a quaternion of any length; that of 0 is the identity."""
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
    """Turn a vector by a quaternion of any length.

    By way of the matrix no part is added that is larger than what comes out: an error of 3 eps
    where `quaternions.rotate`, which adds twice the vector, makes 6.
    """
    v = vectors.finite(v)
    return tuple(dot(row, v) for row in to_matrix(xp, t, q))


def from_matrix(xp, t, matrix):
    """Return the quaternion of a rotation, or of one scaled; NaN for a matrix that mirrors."""
    parts, _ = vectors.scaled(xp, t, tuple(part for row in matrix for part in row))
    rows = (parts[:3], parts[3:6], parts[6:])
    proper = dot(rows[0], vectors.cross(rows[1], rows[2])) > 0.0
    third = dot(parts, parts) / 3.0
    size = xp.sqrt(vectors.positive(xp, third))
    return tuple(xp.where(proper, part, NAN) for part in from_rows(xp, rows, size))


def from_rows(xp, rows, size: float = 1.0):
    """Return the quaternion, `w >= 0`, of a rotation times `size`.

    Each of four columns is `q` by four times one of its parts; the one with a part of at least
    one half is taken.
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
