"""The exact answers of `twobone.pose`, by the textbook and with as many digits as it takes.

Numbers are mpmath's, made of floats without loss; quaternions are lists `x, y, z, w`. Nothing
here comes from the package under test, and nothing is clever: where a textbook's formula loses
digits it is given more of them. `PRECISION` is enough for vectors whose parts are 1e-300 : 1e300.
"""

import numpy as np
import pytest

mpmath = pytest.importorskip("mpmath")
mp, mpf = mpmath.mp, mpmath.mpf

PRECISION = 5000  # binary digits, for vectors of any size
DIGITS = 300  # binary digits, for what needs sines

EPS = {"float64": 2.0**-52, "float32": 2.0**-23}
TINY = {"float64": 2.0**-1074, "float32": 2.0**-149}


def exact(row):
    """Return the floats of a row as they are."""
    return [mpf(float(part)) for part in np.ravel(row)]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def cross(u, v):
    (a, b, c), (d, e, f) = u, v
    return [b * f - c * e, c * d - a * f, a * e - b * d]


def size(v):
    return mpmath.sqrt(dot(v, v))


def unit(v):
    return [part / size(v) for part in v]


def multiply(p, q):
    (*u, a), (*v, b) = p, q
    return [a * y + b * x + z for x, y, z in zip(u, v, cross(u, v), strict=True)] + [
        a * b - dot(u, v)
    ]


def conjugate(q):
    return [-part for part in q[:3]] + [q[3]]


def upright(q):
    return [-part for part in q] if q[3] < 0 else q


def rotate(q, v):
    turned = multiply(multiply(q, [*v, mpf(0)]), conjugate(q))
    return [part / dot(q, q) for part in turned[:3]]


def shortest_arc(a, b):
    """Return the turn, for vectors of which neither is 0."""
    v = cross(a, b)
    if any(v):
        return unit([*v, size(a) * size(b) + dot(a, b)])
    return [mpf(0)] * 3 + [mpf(1)] if dot(a, b) > 0 else half_turn(a, least_axis(a))


def least_axis(a):
    """Return a vector square to `a` and to the axis least along it, the first of equals."""
    sizes = [abs(part) for part in a]
    k = sizes.index(min(sizes))
    return cross(a, [mpf(i == k) for i in range(3)])


def half_turn(a, axis):
    """Return the turn of `a` to its opposite about the share of an axis square to it."""
    share = dot(a, axis) / dot(a, a)
    return [*unit([n - share * part for n, part in zip(axis, a, strict=True)]), mpf(0)]


def frame(x, y):
    z = unit(cross(x, y))
    x = unit(x)
    return of_matrix(list(zip(x, cross(z, x), z, strict=True)))


def of_matrix(m):
    """Return the quaternion of a rotation, after Shepperd."""
    trace = m[0][0] + m[1][1] + m[2][2]
    sizes = [m[0][0], m[1][1], m[2][2], trace]
    k = sizes.index(max(sizes))
    off = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    if k == 3:
        return upright(unit([*off, 1 + trace]))
    q = [m[i][k] + m[k][i] for i in range(3)] + [off[k]]
    q[k] = 1 - trace + 2 * m[k][k]
    return upright(unit(q))


def look_at(direction, up, forward, local_up):
    return upright(multiply(frame(direction, up), conjugate(frame(forward, local_up))))


def nearer(p, q):
    return [-part for part in q] if dot(p, q) < 0 else q


def nlerp(p, q, weight):
    q = nearer(p, q)
    return unit([(1 - weight) * a + weight * b for a, b in zip(p, q, strict=True)])


def slerp(p, q, weight):
    p, q = unit(p), unit(nearer(p, q))
    omega = mpmath.acos(min(dot(p, q), mpf(1)))
    if omega == 0:
        return p
    u, v = mpmath.sin((1 - weight) * omega), mpmath.sin(weight * omega)
    return [(u * a + v * b) / mpmath.sin(omega) for a, b in zip(p, q, strict=True)]


def twist_swing(q, axis):
    """Return twist and swing, where the axis is not 0."""
    twist = [*(dot(q[:3], axis) * part for part in axis), q[3] * dot(axis, axis)]
    if not any(twist):
        return [mpf(0)] * 3 + [mpf(1)], q
    return unit(twist), multiply(q, conjugate(unit(twist)))


def matrix(q):
    """Return the rows of the matrix."""
    columns = [rotate(q, [mpf(i == j) for i in range(3)]) for j in range(3)]
    return list(zip(*columns, strict=True))


def of_rotation_vector(r):
    angle = size(r)
    if angle == 0:
        return [mpf(0)] * 3 + [mpf(1)]
    return [part / angle * mpmath.sin(angle / 2) for part in r] + [mpmath.cos(angle / 2)]


def to_rotation_vector(q):
    q = upright(q)
    angle = 2 * mpmath.atan2(size(q[:3]), q[3])
    return [part / size(q[:3]) * angle if angle else mpf(0) for part in q[:3]]


def angle_about(axis, a, b):
    axis = unit(axis)

    def square_to_it(v):
        return [part - dot(v, axis) * n for part, n in zip(v, axis, strict=True)]

    a, b = square_to_it(a), square_to_it(b)
    return mpmath.atan2(dot(axis, cross(a, b)), dot(a, b))


# --- how far an answer is from them -------------------------------------------------------


def apart(have, want, allowed):
    """Return the distance of an answer from the exact one, in units of what is allowed."""
    have = np.ravel(have)
    if not np.all(np.isfinite(have)):
        return float("inf")
    want = want if isinstance(want, list | tuple) else [want]
    return float(size([mpf(float(h)) - w for h, w in zip(have, want, strict=True)]) / allowed)


def spacing(dtype, value):
    """Return eps times a size, or the smallest number of the type where that is less."""
    return max(mpf(EPS[dtype]) * abs(value), mpf(TINY[dtype]))


def relative(have, want, dtype):
    """Return the larger of the errors of vector part and `w`, each in eps of its own size."""
    return max(
        apart(have[:3], want[:3], spacing(dtype, size(want[:3]))),
        apart(have[3], want[3], spacing(dtype, want[3])),
    )


def absolute(have, want, dtype):
    """Return the greatest error of a part, in eps."""
    flat = [part for row in want for part in (row if isinstance(row, list | tuple) else [row])]
    return max(apart(h, w, mpf(EPS[dtype])) for h, w in zip(np.ravel(have), flat, strict=True))


def up_to_sign(error):
    """Return an error of quaternions, of which `q` and `-q` are the same."""
    return lambda have, want, dtype: min(
        error(have, want, dtype), error(have, [-part for part in want], dtype)
    )
