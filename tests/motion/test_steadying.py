"""Corrections: carried over gaps smoothly, deaf to single frames, and never rougher than before."""

import numpy as np
import pytest

from twobone.motion.steadying import Steady

COUNT = 200
RATES = pytest.mark.parametrize("fps", [24, 30, 60, 120])


def roughness(path):
    return float((np.diff(path, 2, axis=-1) ** 2).sum())


@RATES
def test_carried_values_keep_value_and_slope_and_fade(fps):
    steady, on = Steady(0.85, fps), np.zeros((1, COUNT), bool)
    on[:, 60:90] = True
    values = np.zeros((1, 1, COUNT))
    slope = 0.05 / fps  # 5 cm a second
    values[..., 60:90] = 0.02 + slope * np.arange(-29, 1)
    (found,) = steady.carried(values, on, 0.3)[0]
    assert np.array_equal(found[60:90], values[0, 0, 60:90])
    assert found[90] - found[89] == pytest.approx(slope, abs=2.0 * steady.bend)
    assert np.abs(np.diff(found[70:], 2)).max() < 2.0 * steady.bend
    gone = 90 + round(0.6 * fps)
    assert np.abs(found[gone:]).max() < 0.002


@RATES
def test_a_single_wrong_frame_is_not_carried_on(fps):
    steady, on = Steady(0.85, fps), np.zeros((1, COUNT), bool)
    on[:, 60:90] = True
    values = np.where(on, 0.03, 0.0)[None]
    clean = steady.carried(values, on, 0.3)
    wrong = values.copy()
    wrong[..., 89] += 0.02
    found = steady.carried(wrong, on, 0.3)
    assert found[0, 0, 89] == 0.05  # it is held there
    assert np.abs(found - clean)[..., 90:].max() < 0.01


@RATES
def test_a_path_that_is_certain_is_not_corrected(fps):
    steady, rng = Steady(0.85, fps), np.random.default_rng(2)
    path = 0.002 * rng.normal(size=(3, 1, COUNT))
    still = np.zeros((3, 1, COUNT))
    certainty = steady.certainty(still, np.ones((1, COUNT), bool))
    assert np.abs(steady.correction(path, certainty, 0.3)).max() < 1e-8


@RATES
def test_a_corrected_path_is_smoother_and_moves_by_as_much_as_it_is_uncertain(fps):
    steady, rng = Steady(0.85, fps), np.random.default_rng(3)
    noise = 0.002 * rng.normal(size=(3, 1, COUNT))
    on = np.ones((1, COUNT), bool)
    certainty = steady.certainty(noise, on)
    found = steady.correction(noise, certainty, 0.3)
    assert roughness(noise + found) < roughness(noise)
    assert np.abs(found).max() < 0.02
    smooth = np.zeros_like(noise)  # a path that is smooth already stays, however feet jitter
    assert not steady.correction(smooth, certainty, 0.3).any()


@RATES
def test_jitter_that_another_path_shares_is_taken_from_both(fps):
    steady, rng = Steady(0.85, fps), np.random.default_rng(4)
    noise, on = 0.002 * rng.normal(size=(3, 1, COUNT)), np.ones((1, COUNT), bool)
    certainty = steady.certainty(noise, on)
    same = steady.variance(np.zeros_like(noise), on)
    found = steady.correction(noise, certainty, 0.3, [(noise, same)])
    assert roughness(noise + found) < 0.02 * roughness(noise)
