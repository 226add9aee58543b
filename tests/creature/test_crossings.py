"""Ditches, holes, cliffs, walls and islands: crossed, or told and left alone.

Statistics of many walks are made by `tools/walk_crossings.py`, run by hand.
"""

import numpy as np
import pytest

import walk_crossings
from measured import measured
from slow import slow
from twobone import creature
from twobone.creature import Walker, animals, swinging
from twobone.errors import CreatureError


def bar(start, end, height):
    return lambda x, z: np.where((z > start) & (z < end), height, 0.0) + 0.0 * x


def edge(z, depth=8.0):
    return bar(z, np.inf, -depth)


def walked(walker, seconds, velocity, turn=0.0):
    found = [walker.state]
    for _ in range(round(60 * seconds)):
        walker.step(1 / 60, velocity, turn)
        found.append(walker.state)
    return creature.record(walker, found, 1 / 60)


@pytest.mark.slow
def test_at_a_cliff_an_insect_slows_down_stands_on_all_feet_and_goes_back_when_told():
    walker = Walker("insect", edge(4.0))
    walk = walked(walker, 11.0, 1.2)
    assert walker.blocked
    speed = np.linalg.norm(np.diff(walk.body_position, axis=0), axis=1) * 60
    assert np.max(np.abs(np.diff(speed))) < 0.35 * walker.animal.speed
    assert np.max(walk.feet[..., 1]) <= 1.01 * walker.animal.gait.lift * walker.length
    rests = walked(walker, 1.0, 1.2)
    assert np.all(rests.stance)
    assert np.ptp(rests.body_position[:, [0, 2]], axis=0).max() < 1e-3  # it breathes
    assert np.min(measured("static_margin", rests)) > 0.03 * walker.length
    walked(walker, 2.0, -1.2)
    assert not walker.blocked
    assert walker.place[0, 1] < walk.body_position[-1, 2] - 1.0


@pytest.mark.slow
def test_at_a_cliff_no_foot_of_a_centipede_hangs():
    walker = Walker("centipede", edge(3.0))
    walk = walked(walker, 10.0, 0.5)
    assert walker.blocked
    assert np.all(walk.stance[-1])
    assert np.min(measured("static_margin", walk)) > 0.3 * walker.length


@pytest.mark.slow
def test_who_cannot_go_on_may_still_turn_away():
    walker = Walker("insect", edge(4.0))
    walked(walker, 6.0, 1.2)
    heading = walker.heading[0]
    walked(walker, 4.0, 1.2, 0.6)
    assert walker.heading[0] > heading + 1.2


@pytest.mark.parametrize(
    ("name", "ground"),
    [
        *slow(
            ("crab", bar(2.089, 2.939, 1.02)),
            ("insect", bar(2.724, 4.124, 1.96)),
            ("crab", bar(2.089, 4.129, -0.68)),  # it stands in the ditch, its body near the border
        ),
    ],
)
def test_who_is_blocked_goes_back_when_told(name, ground):
    """Feet go ahead of a body that is held up, and what hangs in the air goes with it."""
    walker = Walker(name, ground)
    walked(walker, 10.0, 0.8 * walker.animal.speed)
    assert walker.blocked
    place = walker.place.copy()
    walk = walked(walker, 4.0, -0.8 * walker.animal.speed)
    assert walker.place[0, 1] < place[0, 1] - 0.4 * walker.length
    assert measured("greatest_reach", walk) <= 0.95


@pytest.mark.slow
def test_feet_do_not_seek_the_top_of_a_high_wall():
    """Once they did, and since they could not reach it, the insect could not go back either."""
    walker = Walker("insect", lambda x, z: 9.0 * (z > 3.0) + 0.0 * x)
    walked(walker, 3.0, 1.8)
    assert walker.blocked
    place = walker.place.copy()
    walked(walker, 1.5, -0.9)
    assert walker.place[0, 1] < place[0, 1] - 0.5


def test_a_knee_in_a_slope_turns_aside_while_its_foot_cannot_go_on():
    walker = Walker("dog", creature.Noise(0.2, 1.6, seed=9106))
    walk = walked(walker, 4.0, 0.9)
    assert walker.place[0, 1] > 1.5
    assert measured("depth_of_knees", walk, walker.terrain) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ground"),
    [
        ("insect", bar(2.724, 4.124, -1.4)),
        *slow(("spider", bar(2.77, 5.25, 1.55))),
    ],
)
def test_what_is_half_a_leg_high_or_deep_is_crossed(name, ground):
    """Until feet are put ahead of it, the body would touch what it is to climb.

    From other distances a spider may stop with a shin at an edge (docs/walking.md, limits).
    """
    walker = Walker(name, ground)
    walk = walked(walker, 15.0, 0.8 * walker.animal.speed)
    assert walker.place[0, 1] > 5.25 + walker._state.anatomy.breadth
    told = creature.report(walk, ground)
    assert max(told.depth_of_knees, told.depth_of_feet) <= 1e-9
    assert told.greatest_reach <= 0.95
    assert walk_crossings.belly(walk, walker.terrain, walker.animal) <= 0.0


def test_a_spider_crosses_a_bar_from_some_distances():
    """A shin over its front edge would stop leg and body if the foot did not rise first."""
    animal = creature.animal("spider")
    length, count = animals.length(animal), 4
    ground = bar(2.525, 2.525 + 0.8 * length, length / 3)
    away = np.arange(count) / count * animal.gait.stride * length
    starts = np.stack([0.0 * away, -away], -1)
    walker = Walker(animal, ground, count=count, position=starts)
    for _ in range(15 * 60):
        walker.step(1 / 60, 0.8 * animal.speed)
    beyond = 2.525 + 0.8 * length + walker._state.anatomy.breadth
    assert np.all(walker.place[:, 1] > beyond)


def test_a_dog_climbs_a_kerb_from_some_distances():
    """A shin over its edge stopped leg and body for good: from 14 of 16 if it was .3 high."""
    animal = creature.animal("dog")
    length, count = animals.length(animal), 4
    starts = np.array([[0.0, (0.8 * each / count - 0.5) * length] for each in range(count)])
    kerb = edge(1.5 * length, depth=-0.15 * length)
    walker = Walker(animal, kerb, count=count, position=starts)
    for _ in range(8 * 60):
        walker.step(1 / 60, 0.6 * animal.speed)
    assert np.all(walker.place[:, 1] > 2.5 * length)


def test_who_would_stand_in_the_ground_is_refused():
    with pytest.raises(CreatureError, match="leaves room for its knees and body"):
        Walker("insect", bar(0.3, 0.6, 4.0))
    walker = Walker("insect", bar(20.3, 20.6, 4.0))
    with pytest.raises(CreatureError, match=r"got \(0, 20\)"):
        walker.put([0.0, 20.0])


@pytest.mark.parametrize(("start", "end", "z"), [(-1.0, 1.0, 0.0), (20.0, 30.0, 20.0)])
def test_who_starts_on_a_block_puts_all_feet_on_it(start, end, z):
    walker = Walker("insect", bar(start, end, 3.0), position=[0.0, z])
    assert np.all(walker.state.feet[:, 1] == 3.0)
    assert walker._state.slack.belly[0] > 0.0


def test_a_foot_that_is_held_up_keeps_the_goal_of_its_swing():
    walker = Walker("insect", position=[100.0, 50.0])
    walked(walker, 1.1, 1.2)
    feet = walker._state.feet
    flies = feet.flies
    goals = feet.swing[flies, 3]
    assert len(goals) > 0
    swinging.swing_anew(walker._state, flies)
    assert np.all(feet.progress[flies] == 0.0)
    np.testing.assert_array_equal(feet.swing[flies, 3], goals)


@pytest.mark.slow
def test_a_foot_that_finds_no_ground_stays_where_it_is():
    """It stands on six stakes, too thin to be found by a foot."""
    walker = Walker("insect")
    feet = walker.state.feet

    def stakes(x, z):
        away = np.hypot(
            np.asarray(x)[..., None] - feet[:, 0], np.asarray(z)[..., None] - feet[:, 2]
        )
        return np.where(np.min(away, -1) < 0.02, 0.0, -8.0)

    walker.terrain = creature.as_terrain(stakes)
    walk = walked(walker, 6.0, 1.2, 0.3)
    assert np.all(walk.stance)
    assert np.all(walk.feet == feet)
    assert np.any(walker._state.footholds.stuck)
    assert walker.blocked
    assert measured("greatest_reach", walk) <= 0.95
    assert np.min(measured("static_margin", walk)) > 0.035 * walker.length
    assert walk.body_position[-1, 2] > 0.1


@pytest.mark.slow
def test_a_recording_and_its_report_tell_that_the_ground_blocked_it():
    path = [[0.0, 6.0]]
    walk = creature.walk("insect", terrain=edge(4.0), path=path, speed=1.2)
    assert walk.blocked is not None
    assert not walk.blocked[0]
    assert walk.blocked[-1]
    assert walk.time[-1] < 12.0  # it does not wait for ever
    report = creature.report(walk)
    assert report.blocked == pytest.approx(np.count_nonzero(walk.blocked) / 60)
    assert any(line.startswith("blocked") for line in report.lines())
    free = creature.walk("insect", path=[[0.0, 1.0]])
    assert creature.report(free).blocked == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("z", [9.0, *slow(3.0)])
def test_a_waypoint_in_a_ditch_or_beyond_it_is_not_reached(z):
    def ditch(x, z):
        return np.where(np.abs(z - 4.0) < 1.8, -8.0, 0.0) + 0.0 * x

    walk = creature.walk("insect", terrain=ditch, path=[[0.0, z]], speed=1.2)
    assert walk.blocked is not None
    assert walk.blocked[-1]
    assert measured("greatest_reach", walk) <= 0.95
    assert walk.body_position[-1, 2] < 3.0


def test_who_starts_at_an_edge_puts_its_feet_on_this_side_of_it():
    walker = Walker("insect", edge(1.0))
    assert np.all(walker.state.feet[:, 1] == 0.0)
    assert np.all(walker.state.feet[:, 2] <= 1.0)
    walker.put([0.0, 0.3])
    assert np.all(walker.state.feet[:, 2] <= 1.0)
    walk = walked(walker, 2.0, 0.0)
    assert measured("greatest_reach", walk) <= 0.95


def test_where_feet_find_no_ground_nobody_can_be_put():
    def spikes(x, z):
        return np.sin(40.0 * x) * np.sin(37.0 * z)

    with pytest.raises(CreatureError, match=r"`position` must be where all feet find ground"):
        Walker("dog", spikes, position=[3.0, 0.0])
    walker = Walker("dog", edge(4.0))
    with pytest.raises(CreatureError, match=r"got \(0, 4.3\)"):
        walker.put([0.0, 4.3])
