"""The Whittaker smoother: the curve of least squares, solved as fast for any number of frames."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twobone.motion import whittaker


def dense(values, weights, rests, bends, stiffness):
    """Return the curves of `smoother` by dense matrices."""
    count = values.shape[-1]
    second = np.zeros((max(count - 2, 0), count))
    for t in range(count - 2):
        second[t, t : t + 3] = 1.0, -2.0, 1.0
    found = np.empty_like(values)
    for limb in range(values.shape[1]):
        stiff = np.diag(stiffness[limb, 1:-1]) if count > 2 else np.zeros((0, 0))
        matrix = np.diag(weights[limb] + rests[limb]) + second.T @ stiff @ second
        for axis in range(len(values)):
            right = weights[limb] * values[axis, limb]
            right -= second.T @ stiff @ bends[axis, limb, 1 : max(count - 1, 1)]
            found[axis, limb] = np.linalg.solve(matrix, right)
    return found


@given(st.integers(1, 40), st.integers(0, 2**31))
def test_curves_are_those_of_least_squares(count, seed):
    rng = np.random.default_rng(seed)
    known = rng.random((2, count)) < 0.6
    weights = np.where(known, 10.0 ** rng.uniform(-3, 3, known.shape), 0.0)
    rests = np.where(known, 0.0, 1e-3)
    values, bends = rng.normal(size=(2, 3, 2, count))
    stiffness = rng.uniform(0.5, 2.0, known.shape)
    found = whittaker.smoother(values, weights, rests, bends, stiffness)
    wanted = dense(values, weights, rests, bends, stiffness)
    assert np.abs(found - wanted).max() < 1e-7 * max(1.0, np.abs(wanted).max())


def test_straight_lines_stay_as_they_are():
    line = np.linspace(-1.0, 2.0, 50)[None, None]
    found = whittaker.smoother(line, np.full((1, 50), 0.01), np.zeros((1, 50)))
    assert found == pytest.approx(line, abs=1e-10)


def test_values_that_are_not_known_are_bridged_or_fade():
    values, weights = np.zeros((1, 1, 60)), np.zeros((1, 60))
    values[..., :10], weights[:, :10] = 1.0, 1e9
    rests = np.where(weights > 0.0, 0.0, 1e-2)
    (found,) = whittaker.smoother(values, weights, rests)[0]
    assert found[:10] == pytest.approx(1.0)
    assert np.abs(np.diff(found, 2)).max() < 0.1
    assert np.abs(found[40:]).max() < 0.01


def test_a_curve_without_any_value_is_zero():
    nothing = np.zeros((1, 30))
    assert not whittaker.smoother(np.ones((3, 1, 30)), nothing, nothing).any()


def test_the_variance_of_noise_is_found_and_that_of_a_single_error_is_large():
    rng = np.random.default_rng(5)
    values, on = rng.normal(scale=0.1, size=(3, 1, 3000)), np.ones((1, 3000), bool)
    values[:, 0, 1000] += 5.0
    found = whittaker.variances(values, on)[0]
    assert 0.01 < np.median(found) < 0.03  # the largest of three
    assert found[[999, 1000, 1001]].min() > 0.3
    on[:, ::3] = False
    assert not whittaker.variances(values, on).any()
