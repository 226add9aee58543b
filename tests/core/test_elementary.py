"""Cosine, sine and exponential of sums and products: how accurate, and the same bits compiled."""

import math

import numpy as np
import pytest

from engines import KERNEL
from twobone.core import elementary

ANGLES = np.concatenate(
    [
        np.linspace(-20.0, 20.0, 4001),
        np.random.default_rng(0).uniform(-1e4, 1e4, 500),
        [0.0, -0.0, 1e-300, 5e15, -1e18],
    ]
)


def test_angles_are_accurate():
    near = ANGLES[np.abs(ANGLES) <= 20.0]
    np.testing.assert_allclose(elementary.cis(near), np.exp(1j * near), rtol=0.0, atol=4e-15)
    np.testing.assert_allclose(np.abs(elementary.cis(ANGLES)), 1.0, rtol=2e-15)
    small = np.geomspace(1e-300, 1e-3, 50)
    np.testing.assert_allclose(elementary.cis(small).imag, np.sin(small), rtol=4e-16)


def test_quarters_of_a_turn_are_what_they_should_be():
    assert elementary.turned(0.0) == 1.0
    assert elementary.cis(np.zeros((2, 3))).tolist() == [[1.0] * 3] * 2
    found = elementary.turned(np.arange(8) / 4)
    np.testing.assert_allclose(found, [1, 1j, -1, -1j] * 2, rtol=0.0, atol=2e-15)


@pytest.mark.skipif(KERNEL is None, reason="the kernel is not built")
def test_the_kernel_has_the_same_bits(engines):
    compiled = elementary.cis(ANGLES.reshape(-1, 2))
    engines.use("numpy")
    np.testing.assert_array_equal(elementary.cis(ANGLES.reshape(-1, 2)), compiled)


def test_exponentials_are_accurate():
    powers = [*np.linspace(-40.0, 5.0, 2001).tolist(), -699.0, 699.0, 1e-20]
    found = [elementary.exp(x) for x in powers]
    np.testing.assert_allclose(found, np.exp(powers), rtol=4e-16)
    assert elementary.exp(0.0) == 1.0
    assert elementary.exp(-1e9) == elementary.exp(-math.inf) == 0.0
    assert elementary.exp(1e9) == math.inf
    assert math.isnan(elementary.exp(math.nan))
