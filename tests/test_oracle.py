"""The oracle against mpmath: the same limbs by angles, with 400 digits and more."""

import mpmath
import numpy as np
import pytest

from families import FAMILIES, make
from oracle import (
    REACHED,
    TOO_FAR,
    TOO_NEAR,
    bend_in_eps,
    end_error_in_eps,
    exact_joint,
    is_strictly_within,
    is_within,
    length_error_in_eps,
    turn,
)

EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
DIGITS = 400
EXTREME = {"small", "large", "any_size", "tiny_target"}  # hundreds of digits apart


def numbers(values):
    return [mpmath.mpf(float(value)) for value in values]


def length(v):
    return mpmath.sqrt(mpmath.fsum(part * part for part in v))


def by_angles(p, r1, r2, side, pole):
    """Return the joint, by the law of cosines: from the way to the target by an angle."""
    d = length(p)
    cosine = (d * d + r1 * r1 - r2 * r2) / (2 * d * r1) if r1 else mpmath.mpf(1)
    angle = mpmath.acos(max(min(cosine, mpmath.mpf(1)), mpmath.mpf(-1)))
    if pole is None:
        way = mpmath.atan2(p[1], p[0]) + side * angle
        return [r1 * mpmath.cos(way), r1 * mpmath.sin(way)]
    u = [part / d for part in p]
    along = mpmath.fsum(a * b for a, b in zip(u, pole, strict=True))
    v = [b - along * a for a, b in zip(u, pole, strict=True)]
    v = [part / length(v) for part in v]
    turned = side * r1 * mpmath.sin(angle)
    return [r1 * mpmath.cos(angle) * a + turned * b for a, b in zip(u, v, strict=True)]


def status_by_lengths(p, r1, r2):
    d = length(p)
    if d > r1 + r2:
        return TOO_FAR
    return TOO_NEAR if d < abs(r1 - r2) else REACHED


def rows(name, dtype, size, count):
    target, r1, r2, side, pole = make(name, dtype, size, count, np.random.default_rng(20))
    for i in range(count):
        if np.any(target[i]) and (r1[i] or r2[i]):
            yield target[i], r1[i], r2[i], int(side[i]), None if pole is None else pole[i]


def value(exact):
    """Return an `Exact` joint as mpmath numbers."""
    unit = mpmath.ldexp(1, exact.exponent - exact.shift)
    return [mpmath.mpf(part) * unit for part in exact.joint]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", FAMILIES)
def test_the_oracle_equals_the_law_of_cosines(name, size, dtype):
    with mpmath.workdps(1600 if name in EXTREME or name.startswith("axis") else DIGITS):
        for p, r1, r2, side, pole in rows(name, dtype, size, 8 if name in EXTREME else 12):
            exact = exact_joint(p, r1, r2, side, pole)
            p, (r1, r2) = numbers(p), numbers([r1, r2])
            want = by_angles(p, r1, r2, side, None if pole is None else numbers(pole))
            apart = length([a - b for a, b in zip(value(exact), want, strict=True)])
            assert exact.status == status_by_lengths(p, r1, r2)
            assert apart <= r1 * mpmath.mpf(10) ** -45


@pytest.mark.parametrize("size", [2, 3])
def test_the_foot_point_is_the_radical_line_s(size):
    with mpmath.workdps(DIGITS):
        for p, r1, r2, side, pole in rows("out_of_reach", np.float64, size, 40):
            exact = exact_joint(p, r1, r2, side, pole, gives=True)
            if exact.status == REACHED:
                continue
            foot, p, (r1, r2) = value(exact), numbers(p), numbers([r1, r2])
            far = [a - b for a, b in zip(foot, p, strict=True)]
            power = length(foot) ** 2 - r1**2
            assert mpmath.almosteq(power, length(far) ** 2 - r2**2, 1e-40)
            assert abs(length(foot) + length(far) - length(p)) < 1e-40 or (
                abs(abs(length(foot) - length(far)) - length(p)) < 1e-40 * length(foot)
            )


def test_an_error_is_measured_in_units_of_eps_r1():
    eps = EPS[np.float64]
    p, r1, r2 = (3.0, 4.0), 2.5, 2.5
    exact = exact_joint(p, r1, r2, 1)
    off = [1.5 + 3 * 2.5 * eps, 2.0 + 4 * 2.5 * eps]
    assert exact.status == REACHED
    assert exact.error(off, eps * r1) == pytest.approx(5.0, abs=0.2)
    assert exact.error([1.5, 2.0], eps * r1) == 0.0
    assert exact.error([np.nan, 2.0], eps * r1) == np.inf
    assert length_error_in_eps(off, r1, eps=eps) == pytest.approx(5.0, abs=0.2)


def test_the_end_of_a_limb_that_cannot_reach_is_on_the_way_at_the_edge():
    eps = EPS[np.float64]
    assert end_error_in_eps([3.0, 4.0], [30.0, 40.0], 2.0, 3.0, eps=eps) == 0.0
    assert end_error_in_eps([3.0, 4.0], [0.375, 0.5], 2.0, 7.0, eps=eps) == 0.0
    assert end_error_in_eps([-3.0, 4.0], [0.375, 0.5], 2.0, 7.0, eps=eps) > 1e15


def test_the_ring_is_exact_to_the_last_bit():
    eps = EPS[np.float64]
    assert is_within([3.0, 4.0], 2.0, 3.0) == (True, True)
    assert not is_strictly_within([3.0, 4.0], 2.0, 3.0)
    assert is_strictly_within([3.0, np.nextafter(4.0, 0)], 2.0, 3.0)
    beyond = [3.0, np.nextafter(4.0, 5)]
    assert is_within(beyond, 2.0, 3.0) == (False, True)
    assert is_within(beyond, 2.0, 3.0, eps) == (True, True)
    below = [3.0, np.nextafter(4.0, 0)]
    assert is_within(below, 2.0, 7.0) == (True, False)
    assert is_within(below, 2.0, 7.0, eps) == (True, True)


def test_turns_and_bends_are_those_of_the_drawing():
    assert turn([0.0, 1.0], [1.0, 0.0]) == 1
    assert turn([1.0, -1.0], [1.0, 0.0]) == -1
    assert turn([5.0, 0.0], [1.0, 0.0]) == 0
    assert turn([1.0, 2.0, 3.0], [1.0, 0.0, 0.0], [7.0, 0.0, 1.0]) == 1
    assert turn([1.0, 2.0, -3.0], [1.0, 0.0, 0.0], [7.0, 0.0, 1.0]) == -1
    eps = EPS[np.float32]
    assert bend_in_eps([1.0, 1.0], 1.0, 1.0, eps=eps) == pytest.approx(0.5**0.5 / eps)
    assert bend_in_eps([2.0, 0.0], 1.0, 1.0, eps=eps) == 0.0
