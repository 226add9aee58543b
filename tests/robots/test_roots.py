"""All roots of trigonometric polynomials, however near to each other."""

import math

import numpy as np
import pytest

from twobone.robots.roots import Values, roots_in


def product_of(roots, others=()):
    """Return the polynomial with roots, and with pairs of roots that are complex."""

    def evaluate(rows, angles):
        assert rows.shape == angles.shape[:1]
        values = np.prod(np.sin((angles[..., None] - roots) / 2.0), axis=-1)
        for root in others:
            values = values * np.abs(np.sin((angles - root) / 2.0)) ** 2
        values = np.stack([values, np.ones_like(values)], axis=-1)
        return Values(values, 1e-15 * np.abs(values))

    return evaluate


def found_in(evaluate, degree, low=-math.pi, high=math.pi):
    rows, angles = roots_in(evaluate, degree, np.array([7]), np.array([low]), np.array([high]))
    assert (rows == 7).all()
    return np.sort(angles)


@pytest.mark.parametrize("seed", range(20))
def test_all_roots_are_found_also_if_two_are_close(seed):
    rng = np.random.default_rng(seed)
    roots = rng.uniform(-3.0, 3.0, 6)
    gap = 10.0 ** rng.uniform(-6.0, -3.0)
    roots[1] = roots[0] + gap
    others = rng.uniform(-3.0, 3.0, 5) + 1j * rng.uniform(0.05, 1.0, 5)
    found = found_in(product_of(roots, others), 8)
    away = np.abs(found[:, None] - roots).min(axis=0)
    assert away.max() < 0.1 * gap
    assert np.abs(found[:, None] - roots).min(axis=1).max() < 0.1 * gap  # and no others


def test_roots_outside_of_the_interval_are_left_out():
    evaluate = product_of(np.array([-1.0, 0.25, 0.52, 2.0]))
    np.testing.assert_allclose(found_in(evaluate, 4, 0.0, 1.0), [0.25, 0.52], rtol=0, atol=1e-12)
    assert found_in(evaluate, 4, 0.6, 1.9).size == 0
    assert roots_in(evaluate, 4, *[np.zeros(0, int)] + [np.zeros(0)] * 2)[0].size == 0


def test_where_a_polynomial_touches_0_an_angle_near_is_told():
    found = found_in(product_of(np.array([0.3, 0.3, -1.0, 2.0])), 2)
    assert np.abs(found - 0.3).min() < 1e-6
    four = found_in(product_of(np.array([0.3] * 4)), 8)
    assert np.abs(four - 0.3).min() < 1e-3


def test_a_polynomial_that_is_0_but_for_rounding_takes_few_steps():
    rng, calls = np.random.default_rng(1), []

    def evaluate(rows, angles):
        calls.append(len(rows))
        values = 1e-16 * rng.uniform(-1.0, 1.0, (*angles.shape, 1))
        return Values(values, np.full(values.shape, 1e-15))

    found = found_in(evaluate, 8)
    assert len(calls) == 1
    assert found.min() == pytest.approx(-math.pi)
    assert found.max() == pytest.approx(math.pi)


def test_small_values_beside_large_ones_are_computed_again():
    roots = np.array([0.5, 0.5 + 1e-7, 2.0, -2.0])
    calls = []

    def evaluate(rows, angles):
        calls.append(len(rows))
        return product_of(roots)(rows, angles)

    found = found_in(evaluate, 2)
    assert len(calls) > 1
    assert np.abs(found[:, None] - roots).min(axis=0).max() < 1e-9
