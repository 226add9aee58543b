"""What is asked of `twobone.rotations`: inputs of every kind, the exact answer, how near is near.

`CASES` is read by `tests/rotations/test_accuracy.py` and by `tools/climb_rotations.py`. The
greatest errors of two to four climbs of 15 to 60 seconds, some of them before the last changes, in
the units of each case and rounded up:

    float64, float32                    float64, float32
    shortest_arc  2.0, 2.5             slerp                          2.6, 3.2
    frame          1.3, 1.5             twist_swing                    2.9, 2.5
    look_at        1.5, 1.4             quaternion_to_matrix           2.9, 2.0
    multiply       2.0, 2.0             matrix_to_quaternion           1.1, 1.2
    inverse        2.0, 2.2             quaternion_to_rotation_vector  1.8, 2.5
    normalize      1.7, 1.6             rotation_vector_to_quaternion  1.6, 2.1
    rotate         2.9, 2.6             angle_about                    3.1, 3.2
    nlerp          1.2, 1.3
"""

from typing import Any, NamedTuple

import numpy as np

import rotations_oracle as oracle
from twobone import rotations


class Case(NamedTuple):
    """A function and what holds it: `bound` is that of the largest error, in `error`'s units."""

    function: Any
    make: Any  # (rng, count, dtype) -> arguments, an array each
    exact: Any  # arguments of mpmath -> the answer
    error: Any  # (have, want, dtype, arguments) -> a number
    bound: float
    precision: int = oracle.DIGITS
    tidy: Any = None  # brings arguments that have been changed back to what the function takes


X, Y = np.eye(3)[:2]

# --- vectors ------------------------------------------------------------------------------


def powers(rng, count, dtype, most=None):
    """Return powers of ten from the least to the greatest that the type holds with all digits."""
    most = most or (300 if dtype == "float64" else 36)
    return 10.0 ** rng.uniform(-most, most, (count, 1))


def shaken(rng, v, dtype):
    """Return vectors whose parts differ from those of others by some ulps, or a little more."""
    v = np.asarray(v, dtype)
    eps = oracle.EPS[dtype]
    by = rng.integers(-3, 4, v.shape) * eps
    more = rng.normal(size=v.shape) * 10.0 ** rng.uniform(-15 if eps < 1e-10 else -7, -1, v.shape)
    return v.astype(float) * (1.0 + np.where(rng.random((len(v), 1)) < 0.5, by, more))


def pairs_of_vectors(rng, count, dtype):
    """Return vectors at any angle: above all nearly parallel, opposite, square, lopsided."""
    a, other = rng.normal(size=(2, count, 3))
    a = np.where(rng.random((count, 3)) < 0.1, 0.0, a)
    a[~a.any(axis=1)] = 1.0
    kind = rng.integers(0, 6, count)[:, None]
    square = np.cross(a, other)
    lopsided = powers(rng, 3 * count, dtype).reshape(count, 3)
    near = shaken(rng, a, dtype)
    b = np.choose(kind, [other, near, -near, square, other * lopsided, near])
    a = np.where(kind == 4, a * lopsided[::-1], a)
    whole = (kind == 5) & (rng.random((count, 1)) < 0.5)
    b = np.where(whole, -b, b)
    grow = rng.random((count, 1)) < 0.3
    wild = np.where(grow & (kind != 4), powers(rng, count, dtype), 1.0)
    limit = np.finfo(dtype).max
    return without_dust(*(np.clip(v, -limit, limit).astype(dtype) for v in (a * wild, b / wild)))


def without_dust(*vectors):
    """Return vectors without parts that are nothing beside the largest, as `shortest_arc` says."""
    least = {"float64": -400.0, "float32": -48.0}[vectors[0].dtype.name]
    result = []
    for v in vectors:
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.log10(np.abs(v.astype(float)))
            result.append(np.where(size - size.max(axis=1, keepdims=True) < least, 0.0, v))
    return tuple(v.astype(vectors[0].dtype) for v in result)


def not_parallel(rng, count, dtype):
    """Return vectors of moderate shape, of any size, not exactly parallel."""
    a, b = pairs_of_vectors(rng, 3 * count, dtype)
    a, b = (v / np.abs(v).max(axis=1, keepdims=True) for v in (a, b))
    fine = ~nearly_parallel(a, b)
    return tuple(v[fine][:count].astype(dtype) for v in (a, b))


def nearly_parallel(a, b):
    eps = oracle.EPS[a.dtype.name]
    a, b = (v.astype(float) for v in (a, b))
    size = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.linalg.norm(np.cross(a, b), axis=1) <= 16 * eps * size


def not_parallel_again(*vectors):
    """Return pairs of vectors, those replaced that are nearly parallel."""
    result = []
    for a, b in zip(vectors[::2], vectors[1::2], strict=True):
        bad = nearly_parallel(a, b) | (np.abs(a).max(axis=1) > 1e6) | (np.abs(b).max(axis=1) > 1e6)
        result += [np.where(bad[:, None], v, old) for v, old in zip((X, Y), (a, b), strict=True)]
    return tuple(v.astype(vectors[0].dtype) for v in result)


def two_frames(rng, count, dtype):
    return *not_parallel(rng, count, dtype), *not_parallel(rng, count, dtype)


def three_vectors(rng, count, dtype):
    """Return an axis and two vectors, neither of them nearly along it."""
    axis = rng.normal(size=(6 * count, 3))
    a, b = not_parallel(rng, 6 * count, dtype)
    axis = axis[: len(a)]
    sines = [np.linalg.norm(np.cross(axis, v), axis=1) / np.linalg.norm(v, axis=1) for v in (a, b)]
    fine = np.min(sines, axis=0) > 1e-3
    return tuple(v[fine][:count].astype(dtype) for v in (axis, a, b))


# --- quaternions --------------------------------------------------------------------------


def quaternions(rng, count, dtype):
    """Return unit quaternions, as nearly as the type can: small turns, half turns, any turn."""
    q = rng.normal(size=(count, 4))
    small = 10.0 ** rng.uniform(-20, 0, (count, 1))
    kind = rng.integers(0, 4, count)[:, None]
    ones = np.ones((1, 3))
    q = np.where(kind == 1, q * np.hstack([small * ones, np.ones((count, 1))]), q)
    q = np.where(kind == 2, q * np.hstack([np.ones((count, 3)), small]), q)
    q = np.where((kind == 3) & (rng.random((count, 4)) < 0.4), 0.0, q)
    q[~q.any(axis=1)] = 1.0
    return (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(dtype)


def one_quaternion(rng, count, dtype):
    return (quaternions(rng, count, dtype),)


def any_length(rng, count, dtype):
    q = quaternions(rng, count, dtype) * powers(rng, count, dtype)
    return (q.astype(dtype),)


def two_quaternions(rng, count, dtype):
    """Return pairs that may be nearly equal or nearly opposite."""
    p = quaternions(rng, count, dtype)
    near = shaken(rng, p, dtype) * rng.choice([-1.0, 1.0], (count, 1))
    q = np.where(rng.random((count, 1)) < 0.3, near, quaternions(rng, count, dtype))
    return p, (q / np.linalg.norm(q.astype(float), axis=1, keepdims=True)).astype(dtype)


def blends(rng, count, dtype):
    """Return pairs of which one is clearly the nearer of q and -q, and weights."""
    p, q = two_quaternions(rng, 2 * count, dtype)
    fine = np.abs(np.sum(p.astype(float) * q, axis=1)) > 1e-6
    p, q = p[fine][:count], q[fine][:count]
    weight = rng.choice([0.0, 1.0, 0.5, 0.25, 1e-20], len(p))
    weight = np.where(rng.random(len(p)) < 0.7, rng.random(len(p)), weight)
    return p, q, weight.astype(dtype)


def quaternion_and_vector(rng, count, dtype):
    v = rng.normal(size=(count, 3)) * powers(rng, count, dtype)
    return quaternions(rng, count, dtype), v.astype(dtype)


def quaternion_and_axis(rng, count, dtype):
    """Return turns and axes, some of them nearly along or square to the axis of the turn."""
    q = quaternions(rng, count, dtype)
    other = rng.normal(size=(count, 3))
    kind = rng.integers(0, 3, count)[:, None]
    axis = np.choose(kind, [other, shaken(rng, q[:, :3], dtype), np.cross(other, q[:, :3])])
    axis[~axis.any(axis=1)] = 1.0
    return q, axis.astype(dtype)


def rotation_vectors(rng, count, dtype):
    """Return rotation vectors: tiny ones, and those near half a turn, whole turns and beyond."""
    v = rng.normal(size=(count, 3))
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    turns = np.pi * rng.integers(1, 20, (count, 1)) * shaken(rng, np.ones((count, 1)), dtype)
    tiny = powers(rng, count, dtype) ** -1.0
    tiny = np.where(tiny > 1.0, 1.0 / tiny, tiny)
    kind = rng.integers(0, 3, count)[:, None]
    size = np.choose(kind, [turns, tiny, rng.uniform(0, 7, (count, 1))])
    return ((v * size).astype(dtype),)


# --- back to what a function takes --------------------------------------------------------


def unit(q):
    size = np.linalg.norm(q.astype(float), axis=1, keepdims=True)
    return (q / np.where(size > 0, size, 1.0)).astype(q.dtype)


def unit_first(q, *others):
    return unit(q), *others


def unit_and_share(p, q, weight):
    p, q = unit(p), unit(q)
    clear = np.abs(np.sum(p.astype(float) * q, axis=1)) > 1e-6
    return p, np.where(clear[:, None], q, p), np.clip(weight, 0.0, 1.0)


def not_along(axis, a, b):
    """Return an axis and vectors, those replaced that are nearly along the axis."""

    def replaced(v):
        sine = np.linalg.norm(np.cross(axis, v), axis=1)
        along = sine < 1e-3 * np.linalg.norm(axis, axis=1) * np.linalg.norm(v, axis=1)
        return np.where(along[:, None], axis[:, [1, 2, 0]] * [1, -1, 2], v).astype(v.dtype)

    return axis, replaced(a), replaced(b)


# --- errors -------------------------------------------------------------------------------


def relative(have, want, dtype, arguments):
    return oracle.relative(have, want, dtype)


def absolute(have, want, dtype, arguments):
    return oracle.absolute(have, want, dtype)


def either_sign(have, want, dtype, arguments):
    return oracle.up_to_sign(oracle.absolute)(have, want, dtype)


def of_own_size(have, want, dtype, arguments):
    """Return the error of a whole vector, or number, in eps of its own size."""
    size = oracle.size(want) if isinstance(want, list) else want
    return oracle.apart(have, want, oracle.spacing(dtype, size))


def of_the_product(have, want, dtype, arguments):
    size = oracle.size(arguments[0]) * oracle.size(arguments[1])
    return oracle.apart(have, want, oracle.spacing(dtype, size))


def of_the_vector(have, want, dtype, arguments):
    return oracle.apart(have, want, oracle.spacing(dtype, oracle.size(arguments[1])))


def both_relative(have, want, dtype, arguments):
    return max(oracle.relative(h, w, dtype) for h, w in zip(have, want, strict=True))


def beside_turns(have, want, dtype, arguments):
    """Return what `relative` does, but no more is asked than that the angle is right to eps^2."""
    size, eps = oracle.size(arguments[0]), oracle.mpf(oracle.EPS[dtype])
    if size < 1:
        return oracle.relative(have, want, dtype)
    floor = size * eps * eps
    return max(
        oracle.apart(have[:3], want[:3], max(eps * oracle.size(want[:3]), floor)),
        oracle.apart(have[3], want[3], max(eps * abs(want[3]), floor)),
    )


def of_an_angle(have, want, dtype, arguments):
    """Return the error in eps of the angle, or in 4 eps^2 over the sines of both to the axis."""
    axis, *both = (oracle.unit(v) for v in arguments)
    eps = oracle.mpf(oracle.EPS[dtype])
    sines = [oracle.size(oracle.cross(axis, v)) for v in both]
    return oracle.apart(have, want, max(eps * abs(want), 4 * eps * eps / (sines[0] * sines[1])))


def matrix_of(q):
    return [list(row) for row in oracle.matrix(q)]


def there_and_back(q, *, factor=1.0):
    """Return the quaternion of the exact matrix of `q`, rounded to the type of `q`."""
    rows = np.empty((len(q), 3, 3), q.dtype)
    for i, one in enumerate(q):
        with oracle.mp.workprec(oracle.DIGITS):
            rows[i] = [
                [float(part * factor) for part in row] for row in oracle.matrix(oracle.exact(one))
            ]
    return rotations.matrix_to_quaternion(rows)


CASES = {
    "shortest_arc": Case(
        rotations.shortest_arc,
        pairs_of_vectors,
        oracle.shortest_arc,
        relative,
        4.0,
        oracle.PRECISION,
        tidy=without_dust,
    ),
    "frame": Case(
        rotations.frame, not_parallel, oracle.frame, either_sign, 4.0, tidy=not_parallel_again
    ),
    "look_at": Case(
        lambda d, u, f, lu: rotations.look_at(d, u, forward=f, local_up=lu),
        two_frames,
        oracle.look_at,
        either_sign,
        4.0,
        tidy=not_parallel_again,
    ),
    "multiply": Case(rotations.multiply, two_quaternions, oracle.multiply, of_the_product, 4.0),
    "inverse": Case(
        rotations.inverse,
        any_length,
        lambda q: [part / oracle.dot(q, q) for part in oracle.conjugate(q)],
        relative,
        4.0,
    ),
    "normalize": Case(rotations.normalize, any_length, oracle.unit, relative, 4.0),
    "rotate": Case(rotations.rotate, quaternion_and_vector, oracle.rotate, of_the_vector, 4.0),
    "nlerp": Case(rotations.nlerp, blends, oracle.nlerp, absolute, 4.0, tidy=unit_and_share),
    "slerp": Case(rotations.slerp, blends, oracle.slerp, absolute, 4.0, tidy=unit_and_share),
    "twist_swing": Case(
        rotations.twist_swing,
        quaternion_and_axis,
        oracle.twist_swing,
        both_relative,
        4.0,
        oracle.PRECISION,
        tidy=unit_first,
    ),
    "quaternion_to_matrix": Case(
        rotations.quaternion_to_matrix, any_length, matrix_of, absolute, 4.0
    ),
    "matrix_to_quaternion": Case(
        there_and_back, one_quaternion, oracle.unit, either_sign, 4.0, tidy=unit_first
    ),
    "quaternion_to_rotation_vector": Case(
        rotations.quaternion_to_rotation_vector,
        one_quaternion,
        oracle.to_rotation_vector,
        of_own_size,
        4.0,
    ),
    "rotation_vector_to_quaternion": Case(
        rotations.rotation_vector_to_quaternion,
        rotation_vectors,
        oracle.of_rotation_vector,
        beside_turns,
        4.0,
    ),
    "angle_about": Case(
        rotations.angle_about, three_vectors, oracle.angle_about, of_an_angle, 4.0, tidy=not_along
    ),
}


def errors(case, dtype, arguments):
    """Return the error of every row of some arguments."""
    with np.errstate(all="ignore"):
        found = case.function(*arguments)
    found = list(zip(*found, strict=True)) if isinstance(found, tuple) else found
    result = []
    with oracle.mp.workprec(case.precision):
        for have, *row in zip(found, *arguments, strict=True):
            given = [oracle.exact(v) for v in row]
            given = [v if np.ndim(r) else v[0] for v, r in zip(given, row, strict=True)]
            result.append(case.error(have, case.exact(*given), dtype, given))
    return np.array(result)
