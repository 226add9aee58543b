"""Sums and products without error."""

from types import SimpleNamespace

import numpy as np
import pytest

from twobone.core import exact
from twobone.core.arrays import FLOATS, NUMPY
from twobone.core.exact import FLOAT32, FLOAT64


@pytest.mark.parametrize(
    ("real", "dtype"), [(FLOAT64, np.float64), (FLOAT32, np.float32)], ids=["float64", "float32"]
)
def test_the_largest_power_of_two_is_found_of_every_size(real, dtype):
    limits = np.finfo(dtype)
    powers = np.ldexp(dtype(1.0), np.arange(limits.minexp, limits.maxexp))
    above = np.nextafter(powers, dtype(np.inf))
    below = np.nextafter(2.0 * powers[:-1], dtype(0.0))
    values = np.concatenate([powers, above, 1.5 * powers, below, [limits.max]], dtype=dtype)
    found = exact.power_of_two(NUMPY, real, values)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.concatenate([powers, powers, powers, powers]))
    assert exact.power_of_two(NUMPY, real, dtype(3.0)) == 2.0


def test_so_is_that_of_a_float():
    for power in (2.0**-1022, 2.0**-500, 0.5, 1.0, 2.0**500, 2.0**1023):
        assert exact.power_of_two(FLOATS, FLOAT64, 1.5 * power) == power


def test_it_is_a_constant_for_derivatives():
    """Libraries that differentiate stop gradients there; this one doubles what it is given."""
    doubling = SimpleNamespace(where=NUMPY.where, constant=lambda v: 2.0 * v)
    assert exact.power_of_two(doubling, FLOAT64, np.float64(3.0)) == 4.0
