"""Orders are limited to what an animal can do, however they come."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from measured import measured
from twobone import creature
from twobone.creature import Walker
from twobone.errors import CreatureError

STEADY = ["insect", "spider", "crab"]


def walked(walker, orders, fps=60):
    found = [walker.state]
    for velocity, turn in orders:
        walker.step(1 / fps, velocity, turn)
        found.append(walker.state)
    return creature.record(walker, found, 1 / fps)


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_speeds_and_turns_beyond_what_it_can_do_are_those_that_it_can(name):
    fast, full = Walker(name), Walker(name)
    walk = walked(fast, [([60.0, 80.0], 0.0)] * 60)
    walked(full, [([0.6 * full.top_speed, 0.8 * full.top_speed], 0.0)] * 60)
    np.testing.assert_allclose(fast.place, full.place, rtol=1e-9)
    assert measured("slide", walk) == 0.0
    left, right = Walker(name), Walker(name)
    walked(left, [(0.0, 1e9)] * 60)
    walked(right, [(0.0, -50.0)] * 60)
    assert left.heading[0] == pytest.approx(-right.heading[0], rel=0.2)
    assert 0.0 < left.motion[0, 2] <= left.fastest_turn * (1.0 + 1e-9)


def test_who_turns_fast_goes_slower():
    straight, turns = Walker("insect"), Walker("insect")
    walked(straight, [(1e3, 0.0)] * 120)
    walked(turns, [(1e3, 1e3)] * 120)
    assert turns.motion[0, 1] < 0.6 * straight.motion[0, 1]


@pytest.mark.parametrize("name", STEADY)
@pytest.mark.parametrize("aside", [0.0, 1.0])
def test_steady_animals_are_stable_while_their_speed_is_reversed_every_second(name, aside):
    walker = Walker(name)
    full = np.array([aside, 1.0 - aside]) * walker.top_speed
    walk = walked(walker, [(full * (-1.0) ** (frame // 60), 0.0) for frame in range(240)])
    assert np.min(measured("static_margin", walk)) > 0.02 * walker.length


def test_speed_changes_no_faster_than_it_can():
    walker = Walker("centipede")
    walk = walked(walker, [(10.0 * (-1.0) ** (frame // 40), 0.0) for frame in range(120)])
    speeds = measured("velocity", walk)[:, 1]
    most = walker.animal.anatomy.strong * 9.81 / 60
    assert np.max(np.abs(np.diff(speeds))) < most * 1.05


numbers = st.one_of(st.floats(-8.0, 8.0), st.sampled_from([0.0, 1e-300, -1e9, 1e9]))


@settings(max_examples=12, phases=[Phase.explicit, Phase.generate])  # it shrinks too slowly
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=15), st.data())
def test_whatever_is_ordered_feet_stay_and_bones_keep_their_lengths(orders, data):
    walker = Walker(data.draw(st.sampled_from([*STEADY, "dog", "bird"])))
    walk = walked(walker, [([a, b], c) for a, b, c in orders for _ in range(6)])
    assert measured("slide", walk) == 0.0
    assert measured("bone_error", walk) < 4.0
    assert measured("unreachable", walk) == 0
    assert measured("depth_of_feet", walk) <= 1e-12
    assert measured("depth_of_legs", walk, 0.0) <= 0.01 * walker.length
    speeds = np.hypot(*measured("velocity", walk).T)
    assert np.max(speeds) <= walker.top_speed * 1.3  # the body also comes over its feet


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
