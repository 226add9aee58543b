"""Gaits: who swings when, and how a foot goes through the air."""

import numpy as np
import pytest

from twobone.creature import WaveGait
from twobone.creature.gait import EARLY, arch, glide, settle
from twobone.errors import CreatureError


@pytest.mark.parametrize(
    ("pairs", "duty_factor", "down"), [(3, 0.75, 4), (4, 0.75, 6), (3, 0.5, 3)]
)
def test_enough_feet_stay_down(pairs, duty_factor, down):
    """At duty factor .75 four of six and six of eight; three of six from .5 on."""
    offsets = WaveGait().offsets(pairs, duty_factor)
    phases = (np.linspace(0.0, 1.0, 5000)[:, None] - offsets) % 1.0
    swings = phases < EARLY * (1.0 - duty_factor)
    assert np.min(np.sum(~swings, -1)) >= down


def test_waves_run_from_rear_to_front_and_sides_take_turns():
    offsets = WaveGait().offsets(3, 0.75)
    left, right = offsets[0::2], offsets[1::2]
    np.testing.assert_allclose(np.diff(left), 0.25)
    np.testing.assert_allclose((right - left) % 1.0, 0.5)


def test_at_duty_half_six_legs_walk_in_tripods():
    phases = WaveGait().offsets(3, 0.5) % 1.0
    assert set(np.flatnonzero(phases == 0.0)) == {0, 3, 4}
    assert set(np.flatnonzero(phases == 0.5)) == {1, 2, 5}


def test_duty_falls_from_rest_to_full_speed_and_stays():
    shares = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(WaveGait().duty_factor_at(shares), [0.8, 0.8, 0.65, 0.5, 0.5])


def test_a_glide_is_the_same_in_one_step_or_many_and_ends_at_rest():
    rng = np.random.default_rng(3)
    start, goal = rng.normal(size=(2, 7, 3))
    swing = at_rest(start, goal)
    for step in range(100):
        swing[:, :3] = glide(swing, np.full(7, 1.0 / (100 - step)))
        t = (step + 1) / 100
        way = start + t**3 * (10 - 15 * t + 6 * t * t) * (goal - start)
        np.testing.assert_allclose(swing[:, 0], way, atol=1e-12)
        speed = (1 - t) * 30 * t**2 * (1 - t) ** 2 * (goal - start)
        np.testing.assert_allclose(swing[:, 1], speed, atol=1e-12)
        bend = (1 - t) ** 2 * 60 * t * (1 - t) * (1 - 2 * t) * (goal - start)
        np.testing.assert_allclose(swing[:, 2], bend, atol=1e-12)
    np.testing.assert_allclose(swing[:, 1:3], 0.0, atol=1e-12)


def test_a_glide_to_a_goal_that_jumps_keeps_place_speed_and_bend():
    swing = at_rest(np.zeros((1, 3)), np.ones((1, 3)))
    for step in range(50):
        swing[:, :3] = glide(swing, np.full(1, 1.0 / (100 - step)))
    swing[:, 3] = -2.0
    tiny = glide(swing, np.full(1, 2e-7))
    np.testing.assert_allclose(tiny, swing[:, :3], atol=1e-4)
    np.testing.assert_allclose(tiny[:, 0], swing[:, 0], atol=1e-6)


def at_rest(places, goals):
    return np.stack([places, 0.0 * places, 0.0 * places, goals], axis=1)


def test_the_arch_begins_and_ends_at_rest():
    t = np.array([0.0, 1e-3, 0.5, 1.0 - 1e-3, 1.0, 7.0])
    np.testing.assert_allclose(arch(t), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], atol=1e-6)


def test_settling_is_exact_for_any_step():
    value, speed = np.array([2.0]), np.array([-1.0])
    once = settle(value, speed, 0.5, 9.0, 0.3)
    for _ in range(1000):
        value, speed = settle(value, speed, 0.5, 9.0, 0.0003)
    np.testing.assert_allclose([value, speed], once, rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [({"stride": 0}, "stride"), ({"duty_factor": 0.4}, "duty_factor"), ({"lift": -1}, "lift")],
)
def test_gaits_that_make_no_sense_are_refused(arguments, name):
    with pytest.raises(CreatureError, match=f"`{name}` must be from"):
        WaveGait(**arguments)
