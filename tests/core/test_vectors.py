"""Vectors as tuples of their components: the words that formulas of limbs are made of."""

from fractions import Fraction

import numpy as np

from twobone.core import vectors
from twobone.core.arrays import NUMPY
from twobone.core.exact import FLOAT64

A, B = np.random.default_rng(31).normal(size=(2, 100, 3))
SQUARE = np.stack([A, np.cross(A, B)], axis=1)  # square up to rounding


def parts(v):
    return tuple(v.T)


def close(have, want, eps=16.0):
    have = np.stack(have, -1) if isinstance(have, tuple) else have
    np.testing.assert_allclose(have, want, rtol=0, atol=eps * 2.0**-52)


def test_the_small_words():
    a, b = parts(A), parts(B)
    close(vectors.cross(a, b), np.cross(A, B))
    close(vectors.fine_cross(FLOAT64, a, b), np.cross(A, B))
    close(vectors.plus(a, b), A + B)
    close(vectors.minus(a, b), A - B)
    close(vectors.length(NUMPY, a), np.linalg.norm(A, axis=1))
    unit = vectors.unit(NUMPY, b)
    close(np.sum(np.stack(vectors.square_to(a, unit), -1) * B, axis=1), 0.0, 32.0)


def test_the_finest_dot_keeps_its_digits_where_products_cancel():
    exact = [sum(map(Fraction.__mul__, map(Fraction, u), map(Fraction, v))) for u, v in SQUARE]
    found = vectors.finest_dot(FLOAT64, *(parts(v) for v in np.moveaxis(SQUARE, 1, 0)))
    np.testing.assert_allclose(found, np.array(exact, np.float64), rtol=4 * 2.0**-52, atol=0)


def test_moderate_vectors_have_sizes_from_1_to_2():
    for size in (1e-300, 1.0, 1e300):
        for v in (
            vectors.moderate(NUMPY, FLOAT64, parts(size * A)),
            vectors.scaled(NUMPY, FLOAT64, parts(size * A))[0],
        ):
            largest = np.max(np.abs(v), axis=0)
            assert np.all((largest >= 1.0) & (largest < 2.0))
