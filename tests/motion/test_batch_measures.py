"""Published measures of batches: definitions written as loops, padding, NaN, bits, bad input."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twobone.errors import ClipError, ShapeError
from twobone.motion import batch_measures, measures

MEASURES = {
    "skating_ratio": batch_measures.skating_ratio,
    "foot_skating": batch_measures.foot_skating,
    "physical_foot_contact": batch_measures.physical_foot_contact,
    "jitter": lambda points, **more: batch_measures.jitter(points, 20, **more),
    "acceleration": lambda points, **more: batch_measures.acceleration(points, 20, **more),
    "penetration": batch_measures.penetration,
    "floating": batch_measures.floating,
    "sliding": batch_measures.sliding,
}
every = pytest.mark.parametrize("name", MEASURES)


def walkers(count, frames, seed=0):
    """Return random walks of joints near the ground, (count, frames, 22, 3)."""
    rng = np.random.default_rng(seed)
    points = 0.02 * rng.normal(size=(count, frames, 22, 3)).cumsum(axis=1)
    points[..., 1] = 0.02 * rng.normal(size=(count, frames, 22)) + 0.01
    return points


# --- the definitions, written out ---------------------------------------------------------


def skating_ratio(points, fps=20.0):
    steps = len(points) - 1
    speeds = np.linalg.norm(np.diff(points[:, [10, 11]][..., [0, 2]], axis=0), axis=-1) * fps
    heights = points[:, [10, 11], 1]
    count = 0
    for t in range(steps):
        for foot in (0, 1):
            around = [speeds[k, foot] for k in range(t - 2, t + 3) if 0 <= k < steps]
            low = heights[t, foot] < 0.05 and heights[t + 1, foot] < 0.05
            if low and speeds[t, foot] > 0.5 and sum(around) / 5 > 0.5:
                count += 1
                break
    return count / steps


def foot_skating(points):
    found = []
    for joints, limit in (((7, 8), 0.08), ((10, 11), 0.04)):
        for joint in joints:
            for before, after in zip(points[:-1, joint], points[1:, joint], strict=True):
                height = min(max(after[1], 0.0), limit)
                step = np.hypot(*(after - before)[[0, 2]])
                found.append(100.0 * step * (2.0 - 2.0 ** (height / limit)))
    return np.mean(found)


def physical_foot_contact(points, fps=30.0):
    push = np.diff(points[:, 0], 2, axis=0) * fps**2
    push[:, 1] = np.maximum(push[:, 1], 0.0)
    push = np.linalg.norm(push, axis=-1)
    step = np.linalg.norm(np.diff(points[1:][..., [0, 2]], axis=0), axis=-1)
    left, right = (np.minimum(step[:, a], step[:, b]) for a, b in ((7, 10), (8, 11)))
    return np.mean(push / push.max() * left * right) * 1e4


def jitter(points, fps=20.0):
    jerk = points[3:] - 3 * points[2:-1] + 3 * points[1:-2] - points[:-3]
    return np.linalg.norm(jerk * fps**3, axis=-1).mean()


def acceleration(points, fps=20.0):
    return np.linalg.norm((points[2:] - 2 * points[1:-1] + points[:-2]) * fps**2, axis=-1).mean()


def penetration(points):
    return np.mean([1000.0 * max(-(min(frame[:, 1]) + 0.005), 0.0) for frame in points])


def floating(points):
    return np.mean([1000.0 * max(min(frame[:, 1]) - 0.005, 0.0) for frame in points])


def sliding(points):
    found = []
    for before, after in itertools.pairwise(points):
        lowest = before[:, 1].argmin()
        down = before[lowest, 1] <= 0.005 and after[lowest, 1] <= 0.005
        step = np.linalg.norm((after - before)[lowest, [0, 2]])
        found.append(1000.0 * step if down else 0.0)
    return np.mean(found)


@every
def test_measures_are_those_of_their_definitions(name):
    points = walkers(5, 40)
    points[3, :, :, 1] += 0.05
    found = MEASURES[name](points)
    expected = [globals()[name](each) for each in points]
    assert max(expected) > 0.0
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=0.0)


def test_measures_of_one_motion_are_the_same():
    points = walkers(3, 40)
    toes, ankles, root = points[:, :, [10, 11]], points[:, :, [7, 8]], points[:, :, 0]
    for n in range(3):
        assert measures.skating_ratio(toes[n], 20) == batch_measures.skating_ratio(points)[n]
        both = measures.foot_skating(ankles[n], toes[n]), batch_measures.foot_skating(points)[n]
        assert both[0] == both[1]
        score = measures.physical_foot_contact(root[n], ankles[n], toes[n], 30)
        assert score == batch_measures.physical_foot_contact(points)[n]


# --- batches ------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@every
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_a_motion_has_the_bits_that_it_has_alone(name, data):
    count = data.draw(st.sampled_from([1, 2, 3, 65]))
    frames = data.draw(st.integers(0, 40))
    points = walkers(count, frames, data.draw(st.integers(0, 99)))
    lengths = np.array([data.draw(st.integers(0, frames)) for _ in range(count)])
    measure = MEASURES[name]
    whole = measure(points, lengths=lengths)
    assert whole.shape == (count,)
    for n in range(count):
        [alone] = measure(points[n : n + 1], lengths=lengths[n : n + 1])
        assert whole[n] == alone
    spoiled = points.copy()
    bad = data.draw(st.integers(0, count - 1))
    if lengths[bad]:
        spoiled[bad, data.draw(st.integers(0, lengths[bad] - 1)), 10] = np.nan
    spoiled[bad, :, 0, 0] = np.inf
    for n in range(count):  # what is after the end does not count
        spoiled[n, lengths[n] :] = np.nan
    again = measure(spoiled, lengths=lengths)
    others = np.arange(count) != bad
    np.testing.assert_array_equal(again[others], whole[others])
    if lengths[bad]:
        assert np.isnan(again[bad])


@every
def test_padding_changes_no_more_than_rounding(name):
    points = walkers(2, 30)
    padded = np.concatenate([points, np.full((2, 50, 22, 3), 7.0)], axis=1)
    found = MEASURES[name](padded, lengths=[30, 30])
    np.testing.assert_allclose(found, MEASURES[name](points), rtol=1e-13)


@every
def test_batches_have_any_shape_layout_and_type(name):
    points = walkers(6, 20)
    measure, flat = MEASURES[name], MEASURES[name](points)
    shaped = measure(points.reshape(2, 3, 20, 22, 3), lengths=np.full((2, 3), 20))
    np.testing.assert_array_equal(shaped, flat.reshape(2, 3))
    of_mdm = np.ascontiguousarray(points.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    np.testing.assert_array_equal(measure(of_mdm), flat)
    assert measure(points[0]).shape == ()
    assert measure(points[0]) == flat[0]
    single = points.astype(np.float32)
    np.testing.assert_array_equal(measure(single), measure(single.astype(np.float64)))
    assert measure(single).dtype == np.float64
    assert measure(np.zeros((0, 20, 22, 3))).shape == (0,)
    assert measure(np.zeros((1, 0, 22, 3))) == [0.0]
    np.testing.assert_array_equal(points, walkers(6, 20))  # arguments stay as they are


def test_other_skeletons_have_other_joints():
    points = walkers(2, 30)[:, :, :21]
    moved = np.zeros((2, 30, 22, 3))
    moved[:, :, [10, 11]] = points[:, :, batch_measures.KIT_TOES]
    found = batch_measures.skating_ratio(points, toes=batch_measures.KIT_TOES)
    np.testing.assert_array_equal(found, batch_measures.skating_ratio(moved))


def test_the_error_of_an_acceleration_is_that_of_the_difference():
    points, truth = walkers(3, 20), walkers(3, 20, seed=1)
    found = batch_measures.acceleration_error(points, truth, 30)
    np.testing.assert_allclose(found, batch_measures.acceleration(points - truth, 30), rtol=1e-15)
    truth[1, 3, 5] = np.nan
    again = batch_measures.acceleration_error(points, truth, 30)
    np.testing.assert_array_equal(again[[0, 2]], found[[0, 2]])
    assert np.isnan(again[1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: batch_measures.jitter(p[0, 0], 20), r"\(\.\.\., T, J, 3\), got \(22, 3\)"),
        (lambda p: batch_measures.jitter(p[..., :2], 20), r"\(\.\.\., T, J, 3\)"),
        (lambda p: batch_measures.jitter("ab", 20), "no array of numbers"),
        (lambda p: batch_measures.penetration(p, lengths=[20]), r"whole numbers of shape \(2,\)"),
        (lambda p: batch_measures.penetration(p, lengths=[1.0, 2.0]), "whole numbers of shape"),
        (lambda p: batch_measures.penetration(p, lengths=[1, 21]), "must be from 0 to 20"),
        (lambda p: batch_measures.skating_ratio(p, toes=(10, 22)), "indices of 22 joints"),
        (lambda p: batch_measures.skating_ratio(p, toes="10"), "must be indices of joints"),
        (lambda p: batch_measures.foot_skating(p, ankles=()), "must be indices of joints"),
        (lambda p: batch_measures.physical_foot_contact(p, toes=(10,)), "must be two joints"),
        (lambda p: batch_measures.acceleration_error(p, p[:1], 20), "the shape of `points`"),
        (lambda p: batch_measures.skating_ratio(p, 0), "a number above 0"),
        (lambda p: batch_measures.jitter(p, np.nan), "a number above 0"),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises((ShapeError, ClipError), match=message):
        call(walkers(2, 20))
