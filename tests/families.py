"""Limbs of every kind, above all those near a seam: `make(name, dtype, size, count, rng)`.

Each family returns `target (n, d), r1 (n,), r2 (n,), side (n,), pole (n, d) or None`, whose
values are what the dtype can hold.
"""

import numpy as np


def make(name, dtype, size, count, rng):
    """Return a family of limbs by name."""
    with np.errstate(all="ignore"):
        if name in PLACED:
            target, r1, r2 = PLACED[name](dtype, size, count, rng)
        else:
            distance, r1, r2 = FAMILIES[name](dtype, count, rng)
            axes = np.eye(size)[rng.integers(0, size, count)]
            direction = axes if name.startswith("axis") else _directions(size, count, rng)
            target = np.asarray(distance, float)[:, None] * direction
        pole = _poles(dtype, target, rng) if size == 3 else None
        target, r1, r2, pole = _cast(dtype, target, r1, r2, pole)
    side = rng.choice([-1.0, 1.0], count).astype(dtype)
    return target, r1, r2, side, pole


def make_bits(dtype, size, count, rng):
    """Return limbs of random bit patterns: any size, any sign, NaN and infinity too."""
    whole = {np.float32: np.uint32, np.float64: np.uint64}[dtype]

    def bits(*shape):
        return rng.integers(0, np.iinfo(whole).max, shape, dtype=whole, endpoint=True).view(dtype)

    side = rng.choice([-1.0, 1.0], count).astype(dtype)
    pole = bits(count, size) if size == 3 else None
    return bits(count, size), np.abs(bits(count)), np.abs(bits(count)), side, pole


def _cast(dtype, *values):
    largest = np.finfo(dtype).max
    return [None if v is None else np.clip(v, -largest, largest).astype(dtype) for v in values]


def _directions(size, count, rng):
    v = rng.normal(size=(count, size))
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def _poles(dtype, target, rng):
    """Return poles at angles from 2e-6 to a right angle from the target line, of any length."""
    count = len(target)
    with np.errstate(all="ignore"):
        size = np.abs(target).max(axis=-1, keepdims=True)
        unit = target / np.where(size > 0, size, 1.0)
        norm = np.linalg.norm(unit, axis=-1, keepdims=True)
        unit = unit / np.where(norm > 0, norm, 1.0)
    other = rng.normal(size=target.shape)
    other -= unit * np.sum(unit * other, axis=-1, keepdims=True)
    other /= np.linalg.norm(other, axis=-1, keepdims=True)
    angle = 10.0 ** rng.uniform(-5.7, 0.19, (count, 1))
    pole = unit * np.cos(angle) * rng.choice([-1.0, 1.0], (count, 1)) + other * np.sin(angle)
    most = 290 if dtype == np.float64 else 20
    power = np.where(
        rng.random((count, 1)) < 0.9,
        rng.uniform(-3, 3, (count, 1)),
        rng.uniform(-most, most, (count, 1)),
    )
    return pole * 10.0**power


def _lengths(count, rng, spread=0.6):
    return 10.0 ** rng.uniform(-spread, spread, count), 10.0 ** rng.uniform(-spread, spread, count)


def _digits(dtype):
    return 16.5 if dtype == np.float64 else 8.0


def _between(count, rng, r1, r2):
    inner, outer = np.abs(r1 - r2), r1 + r2
    return inner + (outer - inner) * rng.uniform(0, 1, count)


def generic(dtype, count, rng):
    r1, r2 = _cast(dtype, *_lengths(count, rng))
    return _between(count, rng, r1.astype(float), r2.astype(float)), r1, r2


def extended(dtype, count, rng):
    """Up to and beyond the last bit of full reach."""
    r1, r2 = _cast(dtype, *_lengths(count, rng))
    less = 10.0 ** rng.uniform(-_digits(dtype), -1, count) * rng.choice([1, 1, 1, -1], count)
    return (r1.astype(float) + r2) * (1 - less), r1, r2


def folded(dtype, count, rng):
    """Up to and beyond the last bit of the inner edge."""
    r1, r2 = _cast(dtype, *_lengths(count, rng))
    more = 10.0 ** rng.uniform(-_digits(dtype), -1, count) * rng.choice([1, 1, 1, -1], count)
    return np.abs(r1.astype(float) - r2) * (1 + more), r1, r2


def nearly_equal(dtype, count, rng):
    """Bones that differ by a few bits, targets as near to the root."""
    r1, _ = _cast(dtype, *_lengths(count, rng))
    step = (10.0 ** rng.uniform(-_digits(dtype), -2, count)).astype(dtype)
    r2 = (r1 * (1 + step)).astype(dtype)
    gap = np.abs(r1.astype(float) - r2)
    return np.maximum(gap, 1e-30) * 10.0 ** rng.uniform(-0.01, 3, count), r1, r2


def tiny_target(dtype, count, rng):
    r1, _ = _cast(dtype, *_lengths(count, rng))
    least = -300 if dtype == np.float64 else -38
    return 10.0 ** rng.uniform(least, -1, count), r1, r1.copy()


def lopsided(dtype, count, rng):
    """Bones of 1 : 1e12 (1 : 1e6 in float32) either way round, targets anywhere in the ring."""
    most = 12 if dtype == np.float64 else 6
    ratio = 10.0 ** rng.uniform(0, most, count)
    size = 10.0 ** rng.uniform(-1, 1, count)
    swap = rng.random(count) < 0.5
    r1, r2 = _cast(dtype, np.where(swap, size, size / ratio), np.where(swap, size / ratio, size))
    return _between(count, rng, r1.astype(float), r2.astype(float)), r1, r2


def lopsided_edge(dtype, count, rng):
    """The same at the edges of the ring."""
    _, r1, r2 = lopsided(dtype, count, rng)
    a, b = r1.astype(float), r2.astype(float)
    inner, outer = np.abs(a - b), a + b
    part = 10.0 ** rng.uniform(-10, -0.3, count)
    return (
        np.where(
            rng.random(count) < 0.5, inner + (outer - inner) * part, outer - (outer - inner) * part
        ),
        r1,
        r2,
    )


def axis_lopsided(dtype, count, rng):
    """Targets on an axis, where a thin bone of any thinness can be held to all its digits."""
    most = 250 if dtype == np.float64 else 27
    ratio = 10.0 ** rng.uniform(0, most, count)
    r2 = np.ones(count) * 2.0 ** rng.integers(-3, 3, count)
    r1, r2 = _cast(dtype, r2 / ratio, r2)
    return r2.astype(float), r1, r2


def axis_edge(dtype, count, rng):
    """Exactly at the edges: bones and targets of few bits on an axis."""
    r1 = rng.integers(1, 40, count) / 8.0
    r2 = rng.integers(1, 40, count) / 8.0
    return np.where(rng.random(count) < 0.5, r1 + r2, np.maximum(np.abs(r1 - r2), 0.125)), *_cast(
        dtype, r1, r2
    )


def small(dtype, count, rng):
    """Everything among the subnormal numbers or near them."""
    return _sized(dtype, count, rng, (-323.0, -290.0) if dtype == np.float64 else (-44.0, -30.0))


def large(dtype, count, rng):
    """Everything near the largest number."""
    return _sized(dtype, count, rng, (290.0, 307.9) if dtype == np.float64 else (30.0, 38.2))


def _sized(dtype, count, rng, powers):
    size = 10.0 ** rng.uniform(*powers, count)
    r1, r2 = _cast(dtype, size * rng.uniform(0.2, 1, count), size * rng.uniform(0.2, 1, count))
    half = _between(count, rng, r1.astype(float) / 2, r2.astype(float) / 2)
    return 2 * half, r1, r2


def out_of_reach(dtype, count, rng):
    """Anywhere, any ratio."""
    r1, r2 = _cast(dtype, *_lengths(count, rng, 5))
    return 10.0 ** rng.uniform(-8, 8, count), r1, r2


def one_bone(dtype, count, rng):
    """A bone of no length."""
    r1, r2 = _cast(dtype, *_lengths(count, rng))
    which = rng.random(count) < 0.5
    r1, r2 = np.where(which, 0, r1).astype(dtype), np.where(which, r2, 0).astype(dtype)
    return (r1 + r2).astype(float) * 10.0 ** rng.choice([0, 0, 1, -1], count), r1, r2


def right_angle(dtype, count, rng):
    """The first bone nearly square to the way: `w` cancels."""
    a, b = _lengths(count, rng)
    r1, r2 = _cast(dtype, np.minimum(a, b), np.maximum(a, b) * 1.01)
    more = 10.0 ** rng.uniform(-_digits(dtype), -1, count) * rng.choice([-1.0, 1.0], count)
    return np.sqrt(r2.astype(float) ** 2 - r1.astype(float) ** 2) * (1 + more), r1, r2


def near_powers(dtype, count, rng):
    """Lengths within a few bits of powers of two, where rounding errors are largest."""
    eps = np.finfo(dtype).eps

    def near():
        return 2.0 ** rng.integers(-3, 4, count) * (1 + eps * rng.integers(-4, 5, count))

    r1, r2 = _cast(dtype, near(), near())
    ring = _between(count, rng, r1.astype(float), r2.astype(float))
    edge = np.where(rng.random(count) < 0.5, r1 + r2.astype(float), np.abs(r1.astype(float) - r2))
    distance = np.where(
        rng.random(count) < 0.5, ring, edge * (1 + eps * rng.integers(-9, 10, count))
    )
    return np.where(rng.random(count) < 0.3, near(), np.maximum(distance, eps)), r1, r2


# --- families that place the target themselves: `(dtype, size, count, rng)` ----------------

WHOLE = {2: [(3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29)], 3: [(1, 2, 2, 3), (2, 3, 6, 7)]}


def any_size(dtype, size, count, rng):
    """All digits random, sizes within a few powers of two of one of any exponent."""
    most = 1015 if dtype == np.float64 else 120
    power = rng.integers(-most, most, (count, 1)) + rng.integers(-3, 4, (count, size + 2))
    values = np.ldexp(rng.uniform(1, 2, (count, size + 2)), power)
    values[:, :size] *= rng.choice([-1.0, 1.0], (count, size))
    return values[:, :size], values[:, size], values[:, size + 1]


def exact_edge(dtype, size, count, rng):
    """Exactly at an edge off the axes (3, 4, 5 and the like), or a few bits beside it."""
    rows = np.array([WHOLE[size][i] for i in rng.integers(0, len(WHOLE[size]), count)], float)
    target, distance = rng.permuted(rows[:, :size], axis=1), rows[:, size]
    eighths = 8.0 * distance
    part = np.floor(rng.uniform(1, eighths, count)) / 8.0
    outer = rng.random(count) < 0.5
    r1, r2 = part, np.where(outer, distance - part, distance + part)
    r1, r2 = np.where(rng.random(count) < 0.5, (r1, r2), (r2, r1))
    scale = rng.integers(1, 2**12, count) * 2.0 ** rng.integers(-12, 0, count)
    target, r1, r2 = _cast(
        dtype,
        target * scale[:, None] * rng.choice([-1.0, 1.0], (count, size)),
        r1 * scale,
        r2 * scale,
    )
    beside = rng.integers(-2, 3, (count, size)) * (rng.random((count, 1)) < 0.6)
    return target + np.spacing(np.abs(target)) * beside, r1, r2


def thin_edge(dtype, size, count, rng):
    """A first bone as thin as the rounding error of the target's length, at its ring."""
    eps = float(np.finfo(dtype).eps)
    rows = np.array([WHOLE[size][i] for i in rng.integers(0, len(WHOLE[size]), count)], float)
    scale = 2.0 ** rng.integers(-4, 5, count)
    target = rows[:, :size] * scale[:, None]
    step = rng.integers(-3, 4, count) * eps / 4
    # square to the target, so that its length changes by a square only
    target = (target[:, 0] - step * target[:, 1], target[:, 1] + step * target[:, 0], target[:, 2:])
    target = np.column_stack(target)
    thin = 10.0 ** rng.uniform(2 * np.log10(eps), np.log10(eps), count)
    return target, thin * scale, rows[:, size] * scale


def thin_flat(dtype, size, count, rng):
    """A target a little off an axis: its length differs from one part by less than any rounding."""
    most = 260 if dtype == np.float64 else 30
    thin = 10.0 ** rng.uniform(-most, -2, count)
    target = np.zeros((count, size))
    target[:, 0] = 2.0 ** rng.integers(-3, 4, count)
    target[:, 1:] = (
        np.sqrt(thin)[:, None]
        * rng.uniform(0, np.sqrt(2.1), (count, 1))
        * _directions(size - 1, count, rng)
        * target[:, :1]
    )
    return rng.permuted(target, axis=1), thin * target[:, 0], target[:, 0].copy()


PLACED = {family.__name__: family for family in (any_size, exact_edge, thin_edge, thin_flat)}
FAMILIES = {
    family.__name__: family
    for family in (
        generic,
        extended,
        folded,
        nearly_equal,
        tiny_target,
        lopsided,
        lopsided_edge,
        axis_lopsided,
        axis_edge,
        small,
        large,
        out_of_reach,
        one_bone,
        right_angle,
        near_powers,
    )
} | PLACED
