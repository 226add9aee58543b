"""Orders are limited to what an animal can do, however they come."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measured import measured
from slow import all_but
from twobone import creature
from twobone.creature import Walker
from twobone.errors import CreatureError

SIX_OR_MORE = ["insect", "spider", "crab", "centipede"]


def walked(walker, orders, fps=60):
    found = [walker.state]
    for velocity, turn in orders:
        walker.step(1 / fps, velocity, turn)
        found.append(walker.state)
    return creature.record(walker, found, 1 / fps)


def paces(walk):
    steps = np.diff(walk.body_position[:, [0, 2]], axis=0)
    return np.hypot(*steps.T) / walk.dt


@pytest.mark.slow
@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_speeds_and_turns_beyond_what_it_can_do_are_those_that_it_can(name):
    fast, full = Walker(name), Walker(name)
    walk = walked(fast, [([60.0, 80.0], 0.0)] * 120)
    walked(full, [([0.6 * full.animal.speed, 0.8 * full.animal.speed], 0.0)] * 120)
    np.testing.assert_allclose(fast.place, full.place, rtol=1e-9)
    assert measured("slide", walk) == 0.0
    left, right = Walker(name), Walker(name)
    walked(left, [(0.0, 1e9)] * 120)
    walked(right, [(0.0, -50.0)] * 120)
    assert left.heading[0] == pytest.approx(-right.heading[0], rel=0.2)
    assert left.heading[0] <= left.fastest_turn * 2.0
    assert left.fastest_turn * left._state.anatomy.breadth == pytest.approx(
        1.35 * left.animal.speed
    )


def test_who_turns_fast_goes_slower():
    straight, turns = Walker("insect"), Walker("insect")
    walk = walked(straight, [(1e3, 0.0)] * 120)
    bend = walked(turns, [(1e3, 1e3)] * 120)
    assert paces(bend)[-30:].max() < 0.6 * paces(walk)[-30:].max()


@pytest.mark.slow
@pytest.mark.parametrize("name", all_but(SIX_OR_MORE, "insect"))
@pytest.mark.parametrize("aside", [0.0, 1.0])
def test_six_legs_are_stable_while_their_speed_is_reversed_every_second(name, aside):
    walker = Walker(name)
    full = np.array([aside, 1.0 - aside]) * walker.animal.speed
    walk = walked(walker, [(full * (-1.0) ** (frame // 60), 0.0) for frame in range(360)])
    assert np.min(measured("static_margin", walk)) > 0.02 * walker.length


def test_speed_changes_no_faster_than_it_can():
    walker = Walker("centipede")  # whose support never makes it brake
    walk = walked(walker, [(10.0 * (-1.0) ** (frame // 40), 0.0) for frame in range(120)])
    steps = np.diff(walk.body_position[:, [0, 2]], axis=0) * 60
    most = 6.0 * walker.animal.speed / 60
    assert np.max(np.abs(np.diff(steps, axis=0))) == pytest.approx(most, rel=0.05)


numbers = st.one_of(st.floats(-8.0, 8.0), st.sampled_from([0.0, 1e-300, -1e9, 1e9]))


@settings(max_examples=12)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=25), st.data())
def test_whatever_is_ordered_feet_stay_and_legs_reach(orders, data):
    name = data.draw(st.sampled_from(SIX_OR_MORE[:3]))
    ground = data.draw(st.sampled_from([0.0, lambda x, z: np.where(np.abs(z) > 3.0, -9.0, 0 * x)]))
    walker = Walker(name, ground)
    walk = walked(walker, [([a, b], c) for a, b, c in orders for _ in range(4)])
    assert measured("slide", walk) == 0.0
    assert measured("greatest_reach", walk) <= 0.95
    assert measured("depth_of_feet", walk) <= 1e-12
    assert measured("depth_of_knees", walk, walker.terrain) <= 1e-12
    assert np.min(measured("static_margin", walk)) > 0.02 * walker.length
    assert np.max(paces(walk)) <= walker.animal.speed * (1.0 + 1e-9)


@pytest.mark.parametrize(
    ("seconds", "fps", "said"),
    [
        (1e6, 60, r"`seconds` must take at most 1,000,000 frames, got 1e\+06 seconds at 60 frames"),
        (1.0, 1e8, "`seconds` must take at most 1,000,000 frames"),
        (2.5e4, 1.0, "`seconds` must take at most 20,000 seconds, got 25000"),
    ],
)
def test_walks_that_would_take_for_ever_are_refused_at_once(seconds, fps, said):
    with pytest.raises(CreatureError, match=said):
        creature.walk("insect", seconds=seconds, fps=fps)
    with pytest.raises(CreatureError, match=said):
        creature.walk("insect", seconds=seconds, fps=fps, path=[[0.0, 1.0]])
    with pytest.raises(CreatureError, match=said):
        creature.original_insect(0.0, seconds, 1.0 / fps)


def test_a_path_that_would_take_for_ever_is_refused_at_once():
    with pytest.raises(CreatureError, match="`path` must take at most 1,000,000 frames"):
        creature.walk("insect", path=[[0.0, 1e8]])
    with pytest.raises(CreatureError, match="`path` must take at most 20,000 seconds"):
        creature.walk("insect", path=[[0.0, 1e4]], speed=0.1, fps=2.0)
