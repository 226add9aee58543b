"""Walk cycles: closed, at the speed that was asked for, with feet that stand still."""

import numpy as np
import pytest

from slow import all_but
from twobone import creature
from twobone.errors import CreatureError


def way_of(cycle):
    """Return how far a cycle goes, and how long it takes."""
    return (cycle.body_position[-1] - cycle.body_position[0])[2], cycle.time[-1]


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog"))
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_a_cycle_ends_as_it_began_and_has_its_speed(name, share):
    animal = creature.animal(name)
    speed = share * animal.top_speed
    cycle = creature.walk_cycle(animal, speed=speed)
    way, seconds = way_of(cycle)
    assert way / seconds == pytest.approx(speed, rel=3e-3)
    moved = np.array([0.0, 0.0, way])
    for field in ("stations", "hips", "knees", "ankles", "feet"):
        values = getattr(cycle, field)
        np.testing.assert_allclose(values[-1], values[0] + moved, atol=1e-12 * animal.length)
    for field in ("station_rotations", "foot_rotation", "neck"):
        np.testing.assert_array_equal(getattr(cycle, field)[-1], getattr(cycle, field)[0])
    found = creature.report(cycle)
    assert found.slide == 0.0
    assert found.bone_error < 4.5
    assert found.depth_of_feet == 0.0
    # It begins when the first leg lands.
    assert cycle.stance[1, 0]
    assert not cycle.stance[-3, 0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fps", [24, 30, 60, 59.94])
def test_a_cycle_lasts_a_whole_number_of_frames(fps):
    cycle = creature.walk_cycle("dog", speed=0.9, fps=fps)
    np.testing.assert_allclose(cycle.time, np.arange(len(cycle.time)) / fps, rtol=1e-12)
    way, seconds = way_of(cycle)
    assert way / seconds == pytest.approx(0.9, rel=1e-3)
    assert seconds == pytest.approx(0.84, rel=0.05)


def test_a_cycle_is_that_of_a_steady_walk():
    """Each leg takes one step, as in a walk that goes on."""
    cycle = creature.walk_cycle("dog", speed=0.9, fps=120)
    landed = cycle.stance[1:] & ~cycle.stance[:-1]
    np.testing.assert_array_equal(landed.sum(axis=0), 1)
    walker = creature.Walker("dog")
    walker.step(12.0, 0.9)
    heights = []
    for _ in range(400):
        walker.step(1 / 120, 0.9)
        heights.append(walker.state.body_position[1])
    assert cycle.body_position[:, 1].mean() == pytest.approx(np.mean(heights), abs=1e-3)
    # Breath, which has another rhythm, is averaged out.
    assert 0.5 * np.ptp(heights) < np.ptp(cycle.body_position[:, 1]) <= 1.1 * np.ptp(heights)
    # The body sways around the line on which the root moves.
    assert abs(cycle.body_position[:-1, 0].mean()) < 1e-12


def test_its_usual_speed_is_that_of_walks():
    cycle = creature.walk_cycle("insect")
    way, seconds = way_of(cycle)
    usual = 0.6 * creature.animal("insect").walking_speed
    assert way / seconds == pytest.approx(usual, rel=1e-3)


def test_an_animal_at_its_top_speed_has_cycles_of_this_speed():
    """They have a frame less than the nearest number where it had to be faster for that."""
    speed = creature.animal("dog").top_speed
    for fps in (24, 60):
        way, seconds = way_of(creature.walk_cycle("dog", speed=speed, fps=fps))
        assert way / seconds == pytest.approx(speed, rel=3e-3)


def test_a_leg_that_stands_for_less_than_a_frame_never_stands():
    animal = creature.animal("dog")
    cycle = creature.walk_cycle(animal, speed=0.9 * animal.top_speed, fps=13.6)
    assert len(cycle.time) == 5
    stands = cycle.stance.any(axis=0)
    assert not stands.all()
    assert stands.any()
    assert np.all(cycle.feet[:, ~stands, 1] > 0.0)
    assert creature.report(cycle).bone_error < 4.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 0.0}, "`speed` must be"),
        ({"speed": 99.0}, r"`speed` must be from 0.0\d+ to 7.96, got 99"),
        ({"speed": float("nan")}, "`speed` must be"),
        ({"fps": 3}, r"`fps` must be from 4.\d+ to 1.\d+e\+04, for 4 to 10000 frames of a cycle"),
        ({"speed": 0.01}, r"`speed` must be from 0.0"),
        ({"fps": -1}, "`fps` must be"),
        ({"creature": "cow"}, "`creature` must be one of insect, "),
    ],
)
def test_cycles_that_cannot_be_say_so(options, message):
    with pytest.raises(CreatureError, match=message):
        creature.walk_cycle(**({"creature": "dog", "speed": 0.9} | options))
