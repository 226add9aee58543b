"""Sine, cosine, arctangent and exponential: how accurate, against mpmath.

That all languages have the same bits is tested in tests/test_printing.py.
"""

import math

import numpy as np
import pytest

from twobone.core import transcendental

mpmath = pytest.importorskip("mpmath")

RNG = np.random.default_rng(7)
ANGLES = [
    *RNG.uniform(-1e4, 1e4, 2000),
    *RNG.uniform(-4.0, 4.0, 2000),
    *(np.arange(-12000, 12000, 17) * (math.pi / 4.0)),  # near the zeros
    1e-300,
]
EXPONENTS = [*RNG.uniform(-50.0, 50.0, 3000), *RNG.uniform(-700.0, 700.0, 500), 0.0, 1e-300]
POINTS = [
    *(RNG.normal(size=(3000, 2)) * 10.0 ** RNG.uniform(-6.0, 6.0, (3000, 2))),
    *([math.sin(angle), math.cos(angle)] for angle in ANGLES[:2000]),
]


def units(found, wanted):
    """Return an error in units in the last place."""
    return abs(float((mpmath.mpf(found) - wanted) / mpmath.mpf(math.ulp(float(wanted)))))


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workprec(200):
        yield


def test_angles_are_accurate_to_one_unit_in_the_last_place():
    for angle in map(float, ANGLES):
        exact = mpmath.mpf(angle)
        assert units(transcendental.cosine(angle), mpmath.cos(exact)) < 1.0, angle
        assert angle == 0.0 or units(transcendental.sine(angle), mpmath.sin(exact)) < 1.0, angle


def test_the_exponential_is_accurate_to_one_unit_in_the_last_place():
    for x in map(float, EXPONENTS):
        assert units(transcendental.exponential(x), mpmath.exp(mpmath.mpf(x))) < 1.0, x


def test_the_arctangent_is_accurate_to_two_units_in_the_last_place():
    for y, x in np.array(POINTS).tolist():
        wanted = mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))
        assert units(transcendental.arctangent(y, x), wanted) < 2.0, (y, x)


def test_what_is_exact():
    assert transcendental.turn(0.0) == (1.0, 0.0)
    assert transcendental.exponential(0.0) == 1.0
    for y in (0.0, -0.0, 1.0, -1.0):
        for x in (0.0, -0.0, 1.0, -1.0):
            found = transcendental.arctangent(y, x)
            assert repr(found) == repr(math.atan2(y, x))


def test_values_that_are_absurd_do_not_raise():
    for angle in (math.nan, math.inf, -math.inf, 1e9, 1e300):
        assert all(map(math.isnan, transcendental.turn(angle)))
    assert transcendental.turn(math.nextafter(1e9, 0.0)).c == pytest.approx(math.cos(1e9), abs=1e-6)
    assert transcendental.exponential(math.inf) == transcendental.exponential(701.0) == math.inf
    assert transcendental.exponential(-math.inf) == transcendental.exponential(-701.0) == 0.0
    assert math.isnan(transcendental.exponential(math.nan))
    assert math.isnan(transcendental.arctangent(math.inf, math.inf))
    assert math.isnan(transcendental.arctangent(math.nan, 1.0))
