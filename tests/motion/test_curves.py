"""Curves over frames: runs, smoothing, envelopes that are never too low, and rotations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twobone.motion import curves

flags = st.lists(st.booleans(), min_size=1, max_size=40).map(np.array)
heights = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=60).map(np.array)


@given(flags)
def test_runs_hold_exactly_the_true_frames(on):
    again = np.zeros(len(on), bool)
    for first, last in curves.runs(on):
        assert first < last
        again[first:last] = True
    assert np.array_equal(again, on)


@given(flags)
def test_neighbours_are_the_nearest_true_frames(on):
    before, after = curves.neighbours(on)
    for frame in range(len(on)):
        true = np.flatnonzero(on)
        assert before[frame] == max(true[true <= frame], default=-1)
        assert after[frame] == min(true[true >= frame], default=len(on))


@given(heights, st.integers(0, 12))
def test_an_envelope_is_nowhere_too_low_and_nowhere_above_the_highest(values, width):
    found = curves.envelope(values, width)
    assert (found >= values).all()
    assert found.max() <= values.max() * (1.0 + 1e-12) + 1e-300  # subnormals round coarsely


@pytest.mark.parametrize("count", [2000, 5003])
@pytest.mark.parametrize("width", [255, 256, 900])
def test_wide_windows_are_those_of_narrow_ones(count, width):
    values = np.cumsum(np.random.default_rng(7).normal(size=(2, count)), axis=-1)
    smooth, raised = curves.smooth(values, width), curves.envelope(np.abs(values), width)
    weights = curves.bell(width)
    pad = dict(pad_width=width, mode="reflect", reflect_type="odd")
    for row, own in zip(smooth, values, strict=True):
        wanted = np.convolve(np.pad(own, **pad), weights, mode="valid")
        assert np.abs(row - wanted).max() < 1e-11
    assert (raised >= np.abs(values)).all()
    high = curves.highest(np.abs(values), width)
    for row, own in zip(raised, high, strict=True):
        wanted = np.convolve(np.pad(own, width, mode="edge"), weights, mode="valid")
        assert np.abs(row - wanted).max() < 1e-11


def test_an_envelope_rises_smoothly_ahead_of_a_peak():
    peak = np.zeros(101)
    peak[50] = 1.0
    found = curves.envelope(peak, 10)
    assert found[50] == pytest.approx(1.0)
    assert found[29] == 0.0 < found[31]
    assert np.abs(np.diff(found)).max() < 0.15
    assert np.allclose(found, found[::-1])


@given(st.floats(-2, 2), st.floats(-1, 1), st.integers(1, 30), st.integers(1, 60))
def test_smoothing_keeps_straight_lines(start, slope, width, count):
    line = start + slope * np.arange(count)
    assert np.abs(curves.smooth(line, width) - line).max() < 1e-9


def test_smoothing_removes_what_is_faster_than_its_window():
    jitter = np.tile([1.0, -1.0], 30)
    assert np.abs(curves.smooth(jitter, 8))[8:-8].max() < 0.02


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.hypot(*q[:2]) > 0.01))
def test_rotations_survive_as_parameters(q):
    q = np.array(q)[:, None] / np.linalg.norm(q)
    again = curves.to_quaternions(curves.to_parameters(q))
    assert min(np.abs(again - q).max(), np.abs(again + q).max()) < 1e-12
