"""Paths: an animal comes by every waypoint, and stands at the last."""

import numpy as np
import pytest

from measured import measured
from slow import slow
from twobone import creature
from twobone.creature import measures
from twobone.creature.paths import Pursuit, as_path
from twobone.errors import ArrayTypeError, CreatureError, ShapeError, TwoBoneError

LENGTH = creature.animal("insect").length
CORNERS = {
    "square": [(0, 2), (2, 2), (2, 0), (0, 0)],  # of the leg's length
    "spike": [(0, 2), (0, 1), (1, 1)],
    "behind": [(0, -2)],
    "near": [(0.3, 0.3), (0, 0), (0.1, 0)],
    "twice": [(0, 1), (0, 1), (0, 1.5)],
}


class Ghost:
    """What goes as it is told, a little late, without legs."""

    def __init__(self, name="insect"):
        self.animal = creature.animal(name)
        self.length = self.animal.length
        self.place, self.heading = np.zeros((1, 2)), np.zeros(1)
        self.velocity, self.turning = np.zeros(2), 0.0

    @property
    def front(self):
        """Place and heading of the front of its trunk, which is stiff."""
        half, heading = self.animal.anatomy.span / 2.0, self.heading[0]
        x, z = self.place[0] + half * np.array([np.sin(heading), np.cos(heading)])
        return np.array([[x, z, heading]])

    def follow(self, path, pace=1.0, seconds=200.0, dt=1 / 30):
        """Return places, velocities and turns until it is there."""
        return self.led(Pursuit(path, self, pace), seconds, dt)

    def led(self, pursuit, seconds=200.0, dt=1 / 30):
        """Return the same for a path that it may have begun."""
        found = []
        while not pursuit.there and len(found) * dt < seconds:
            velocity, turn = pursuit.orders()
            self.velocity = self.velocity + 0.2 * (velocity - self.velocity)
            self.turning = self.turning + 0.2 * (turn - self.turning)
            self.heading = self.heading + dt * self.turning
            c, s = np.cos(self.heading[0]), np.sin(self.heading[0])
            aside, ahead = dt * self.velocity
            self.place += [aside * c + ahead * s, ahead * c - aside * s]
            found.append([*self.place[0], *velocity, turn, pursuit.fraction])
        return np.array(found)


def missed(places, path):
    """Return how far from each waypoint one passed."""
    way = places[:, None] - np.asarray(path, float)
    return np.min(np.hypot(way[..., 0], way[..., 1]), axis=0)


def away_from(places, path):
    """Return how far from a path places are."""
    path = np.asarray(path, float)
    starts, steps = path[:-1], np.diff(path, axis=0)
    beyond = places[:, None] - starts
    share = np.sum(beyond * steps, -1) / np.sum(steps * steps, -1)
    beside = beyond - np.clip(share, 0.0, 1.0)[..., None] * steps
    return np.min(np.hypot(beside[..., 0], beside[..., 1]), axis=-1)


def led(name, path, pace, seconds=400.0, dt=1 / 60):
    """Lead a walker along a path; return it, its speeds over the pace, and all its stations."""
    walker = creature.Walker(name)
    pursuit = Pursuit(path, walker, pace * walker.animal.walking_speed)
    speeds, stations = [], []
    while not pursuit.there:
        walker.step(dt, *pursuit.orders())
        speeds.append(np.hypot(*walker.motion[0, :2]) / pursuit.pace)
        stations.append(walker.state.stations[:, [0, 2]])
        assert len(speeds) * dt < seconds, f"the {name} does not arrive"
    return walker, np.array(speeds), np.array(stations)


def ground(walk):
    return walk.body_position[:, [0, 2]]


@pytest.mark.parametrize("name", ["insect", *slow("dog")])
def test_an_animal_comes_by_every_waypoint_and_stands_at_the_last(name):
    length = creature.animal(name).length
    path = length * np.array([(0.0, 0.8), (0.6, 1.0)])
    walk = creature.walk(name, path=path, terrain=0.05, fps=30)
    assert np.all(missed(ground(walk), path) < 0.3 * length)  # an arc of .2; a dog sways by .12
    assert np.all(walk.stance[-15:])
    assert np.max(np.abs(np.diff(ground(walk)[-5:], axis=0))) < 1e-3 * length
    assert np.hypot(*(ground(walk)[-1] - path[-1])) < 0.25 * length  # a dog rests leaning
    assert measured("slide", walk) == 0.0


@pytest.mark.parametrize("corners", CORNERS)
def test_corners_are_not_cut(corners):
    path = LENGTH * np.array(CORNERS[corners], float)
    ghost = Ghost()
    found = ghost.follow(path)
    away = missed(found[:, :2], path)
    assert np.all(away < 0.26 * LENGTH)  # it comes a bit late onto an arc of .2
    assert np.hypot(*(ghost.place[0] - path[-1])) < 0.01 * LENGTH
    assert np.all(found[:, 3] >= 0.0)  # never told to go back
    assert np.max(np.hypot(*found[:, 2:4].T)) <= 1.0 + 1e-9
    assert np.all(np.diff(found[:, 5]) >= 0.0)
    assert len(found) / 30 < Pursuit(path, Ghost(), 1.0).longest()


@pytest.mark.parametrize("pace", [0.6, *slow(1.0)])
def test_a_centipede_keeps_its_pace_round_a_corner_and_its_trunk_lies_along_the_curve(pace):
    path = [(0.0, 9.0), (9.0, 9.0)]
    walker, speeds, stations = led("centipede", path, pace)
    on_its_way = slice(60, -300)  # until it begins to stop
    assert np.min(speeds[on_its_way]) > 0.5
    np.testing.assert_allclose(walker.place[0], path[-1], atol=0.02)
    near = 0.2 * 2.36  # of the distance of its outermost foot: how near the curve is to the corner
    for k in range(10):
        assert np.max(away_from(stations[:, k], [(0, -3), (0, 9), (12, 9)])) < 0.85 * near
    # Where one has walked, the next one walks, all but its first and last metres.
    for k in range(9):
        assert np.max(away_from(stations[240:-60:6, k], stations[:, k + 1])) < 0.15


@pytest.mark.parametrize(
    "name", ["horse", *slow("dog", "human", "bird", "insect", "spider", "crab")]
)
def test_an_animal_goes_round_a_right_angle_without_stopping(name):
    size = max(creature.animal(name).length, 1.0)
    walker, speeds, stations = led(name, 4.0 * size * np.array([(0, 1), (1, 1)]), 0.6)
    cruise = np.argmax(speeds > 0.9)
    assert np.min(speeds[cruise:-120]) > 0.35
    bent = away_from(np.mean(stations, 1), 4.0 * size * np.array([(0, 0), (0, 1), (1, 1)]))
    assert np.max(bent) < 0.25 * size
    assert np.hypot(*(walker.place[0] - 4.0 * size)) < 0.06 * size


@pytest.mark.parametrize("name", ["human", *slow("dog", "horse", "bird")])
@pytest.mark.parametrize("pace", [0.6, 1.0])
def test_an_animal_arrives_at_the_end_of_hairpins(name, pace):
    length = creature.animal(name).length
    path = length * np.array([(2.0, 2.0), (-2.0, 4.0), (2.0, 6.0)])
    walker = led(name, path, pace, seconds=30.0)[0]
    assert np.hypot(*(walker.place[0] - path[-1])) < 0.06 * length


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["insect", "spider"])
@pytest.mark.parametrize(("kind", "laps"), [("circle", 1), ("eight", 2)])
def test_circles_are_round(kind, laps, name):
    path, ghost = creature.make_path(kind, name), Ghost(name)
    found = ghost.follow(path, pace=0.6 * ghost.animal.walking_speed, seconds=1000.0)
    assert np.all(missed(found[:, :2], path) < 0.05 * ghost.length)
    radius = np.max(path[:, 0]) / 2.0
    assert radius >= 2.0 * ghost.length
    way = np.sum(np.hypot(*np.diff(found[:, :2], axis=0).T))
    assert way == pytest.approx(laps * 2.0 * np.pi * radius, rel=0.02)
    x = found[:, 0]
    assert np.argmax(x) < len(x) / laps  # to the left first
    assert (np.min(x) < -radius) == (kind == "eight")


def test_the_outermost_feet_go_round_no_faster_than_half_of_full_speed():
    found = Ghost("spider").follow([(0.0, -5.0)])
    anatomy = creature.animal("spider").anatomy
    outermost = max(
        np.hypot(leg.foot_aside, anatomy.along[leg.station] + leg.foot_ahead)
        for leg in anatomy.legs
    )
    most = np.max(np.abs(found[:, 4])) * outermost
    assert most == pytest.approx(0.5 * creature.animal("spider").walking_speed)
    turns_left = Ghost("spider").follow([(1.0, -5.0)])[0, 4]
    assert turns_left > 0.0 > Ghost("spider").follow([(-1.0, -5.0)])[0, 4]


def test_it_slows_down_before_the_end_and_leaves_its_way_by_little():
    ghost = Ghost()
    pursuit = Pursuit([(0.0, 1.5)], ghost, 5.0)
    ghost.place[0, 1] = 0.7
    np.testing.assert_allclose(pursuit.orders()[0], [0.0, 1.5 * 0.8])
    for heading in (0.3, np.pi / 3, 1.4):
        ghost = Ghost()
        ghost.heading[:] = heading
        pursuit = Pursuit([(0.0, 9.0)], ghost, 1.0)
        (_, ahead), turn = pursuit.orders()
        assert 0.0 < ahead <= 1.0
        assert turn < 0.0
        assert ahead / -turn * (1.0 - np.cos(heading)) < 0.2 * LENGTH + 1e-9


def test_the_longest_time_counts_the_turn_to_the_first_way():
    ahead, behind = Ghost(), Ghost()
    ahead.heading[:], behind.heading[:] = np.pi / 2, -np.pi / 2
    paths = [Pursuit([(3.0, 0.0)], ghost, 1.0) for ghost in (ahead, behind)]  # to the left
    least = 15.0 + 3.0 * 3.0
    assert paths[0].longest() == pytest.approx(least)
    assert paths[1].longest() == pytest.approx(least + 3.0 * np.pi / paths[1].most)


def test_who_is_carried_past_a_sharp_corner_goes_back_to_it():
    path = LENGTH * np.array([(0.0, 3.0), (0.0, 0.0)])
    ghost = Ghost()
    pursuit = Pursuit(path, ghost, 1.0)
    ghost.place[0] = LENGTH * np.array([1.5, 4.0])
    assert np.all(missed(ghost.led(pursuit)[:, :2], path) < 0.1 * LENGTH)


def test_a_path_to_where_one_is_has_ended():
    pursuit = Pursuit([(0.0, 0.0)], Ghost(), 1.0)
    assert pursuit.there
    assert pursuit.fraction == 1.0
    velocity, turn = pursuit.orders()
    assert [*velocity, turn] == [0.0, 0.0, 0.0]


@pytest.mark.slow
def test_seconds_end_a_walk_before_its_path_does_and_after():
    path = [(0.0, 3.0)]
    short = creature.walk("insect", path=path, seconds=1.0, fps=30)
    assert len(short.time) == 31
    assert missed(ground(short), path)[0] > 1.0
    long = creature.walk("insect", path=path, seconds=7.0, fps=30)
    assert len(long.time) == 211
    assert np.all(long.stance[-15:])


def test_the_speed_is_that_asked_for():
    walk = creature.walk("insect", path=[(0.0, 6.0)], seconds=5.0, speed=0.5, fps=30)
    way = walk.body_position[-1, 2] - walk.body_position[30, 2]
    assert way == pytest.approx(4.0 * 0.5, rel=0.05)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_crab_walks_sideways_along_a_path(side):
    path = [(2.0 * side, 0.0), (2.0 * side, 1.5)]
    walk = creature.walk("crab", path=path, fps=30)
    assert np.hypot(*(walk.body_position[-1, [0, 2]] - path[-1])) < 0.1
    way = np.diff(walk.body_position, axis=0)
    ahead = np.abs(measures.velocity(walk.body_position, walk.body_rotation, walk.dt)[:, 1])
    assert np.sum(ahead) * walk.dt < 0.3 * np.sum(np.hypot(way[:, 0], way[:, 2]))


@pytest.mark.slow
def test_a_path_that_ends_where_it_begins_is_walked_and_no_path_is_stood():
    assert creature.walk("insect", path=[(0.0, 0.0)], fps=30).time[-1] == 0.5
    there_and_back = creature.walk("insect", path=[(0.0, 1.5), (0.0, 0.0)], fps=30)
    assert np.max(there_and_back.body_position[:, 2]) > 0.9


def test_progress_goes_up_to_the_whole():
    shares = []
    creature.walk("insect", path=[(0.0, 1.0)], fps=30, progress=shares.append)
    assert shares == sorted(shares)
    assert 0.98 < shares[-1] <= 1.0


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"path": [1.0, 2.0, 3.0]}, ShapeError, r"`path` must have shape \(K, 2\)"),
        ({"path": np.zeros((0, 2))}, ShapeError, r"`path` must have shape \(K, 2\)"),
        ({"path": [[0.0, 1.0], [np.nan, 2.0]]}, CreatureError, r"finite, got \(nan, 2.0\) as way"),
        ({"path": [(0.0, -2e9)]}, CreatureError, r"`path` must be at most 1e\+09, got 2e\+09"),
        ({"path": "circle"}, TwoBoneError, "`path`"),
        ({"path": [(0.0, 1.0)], "turn": 0.1}, CreatureError, "`turn` must be omitted"),
        ({"path": [(0.0, 1.0)], "speed": 0.0}, CreatureError, "`speed` must be positive"),
        ({"path": [(0.0, 1e7)]}, CreatureError, "at most 1,000,000 frames"),
    ],
)
def test_what_makes_no_path_is_named(options, error, said):
    with pytest.raises(error, match=said):
        creature.walk("insect", **options)


def test_unknown_paths_are_named():
    with pytest.raises(CreatureError, match="`path` must be circle or eight, or waypoints"):
        creature.make_path("square")


def test_what_is_no_walker_is_not_led():
    with pytest.raises(ArrayTypeError, match=r"^`walker` must be a Walker, got 5"):
        Pursuit([(0.0, 1.0)], 5, 1.0)


def test_one_waypoint_needs_no_second_axis():
    np.testing.assert_array_equal(as_path([1.0, 2.0]), [[1.0, 2.0]])
