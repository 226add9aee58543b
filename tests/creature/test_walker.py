"""Walkers go where they are told, at any frame rate, one or many, and keep their promises."""

import copy
import pickle
import signal
import threading

import numpy as np
import pytest

import twobone
from slow import all_but, slow
from twobone import creature
from twobone.creature import Noise, Slope, Steps, Walker
from twobone.errors import ArrayTypeError, CreatureError
from twobone.rotations import rotate

NAMES = list(creature.ANIMALS)


def hills(x, z):
    return 0.15 * np.sin(1.1 * x + 0.3) * np.cos(0.9 * z)


def go(walker, seconds, velocity, turn=0.0, fps=60):
    """Let a walker walk; return its states, with one axis more in front."""
    found = [walker.state]
    for _ in range(round(seconds * fps)):
        walker.step(1.0 / fps, velocity, turn)
        found.append(walker.state)
    return creature.WalkerState(*(np.stack(parts) for parts in zip(*found, strict=True)))


def go_on(walker, velocity, seen):
    """Let a walker walk for ten seconds; note its state and motion before each step."""
    for _ in range(600):
        seen.append((*walker.state, walker.motion))
        walker.step(1 / 60, velocity)


def assert_same(walk, other):
    for have, want in zip(walk, other, strict=True):
        np.testing.assert_array_equal(have, want)


def pace(name):
    return 0.6 * creature.animal(name).walking_speed


# --- how it walks -------------------------------------------------------------------------


@pytest.mark.parametrize("name", all_but(NAMES, "insect", "dog", "bird", "human"))
def test_a_planted_foot_does_not_move_by_a_bit_and_bones_keep_their_lengths(name):
    walker = Walker(name, hills)
    walk = go(walker, 3.0, pace(name), 0.2)
    both = walk.stance[1:] & walk.stance[:-1]
    assert np.any(~both)
    assert np.all(np.diff(walk.feet, axis=0)[both] == 0.0)
    joints = walk.hips, walk.knees, walk.ankles, walk.feet
    size = np.max(np.abs(walk.feet)) + walker.length
    for k, part in enumerate(("upper", "lower", "third")):
        lengths = np.linalg.norm(joints[k + 1] - joints[k], axis=-1)
        wanted = [getattr(leg, part) for leg in walker.animal.anatomy.legs]
        np.testing.assert_allclose(lengths, np.tile(wanted, (181, 1)), rtol=0, atol=1e-15 * size)
    ground = hills(walk.feet[..., 0], walk.feet[..., 2])
    assert np.all(walk.feet[..., 1][walk.stance] == ground[walk.stance])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("aside", "ahead"), [(0, -1), (-0.6, 0.8), (1, 0)])
def test_it_goes_forward_backward_and_sideways(name, aside, ahead):
    walker, speed = Walker(name), 0.5 * pace(name)
    go(walker, 4.0, [speed * aside, speed * ahead])
    way = walker.place[0]
    assert way @ [aside, ahead] == pytest.approx(np.hypot(*way), rel=1e-3)
    assert 0.75 * 4.0 * speed < np.hypot(*way) < 4.0 * speed


@pytest.mark.parametrize("name", NAMES)
def test_it_turns_on_the_spot_and_stops_with_its_feet_at_rest(name):
    walker = Walker(creature.animal(name).with_liveliness(0.0))
    turn = min(0.3, 0.8 * walker.fastest_turn)
    go(walker, 3.0, 0.0, turn)
    assert 0.2 * 3.0 * turn < walker.heading[0] < 1.05 * 3.0 * turn
    assert np.hypot(*walker.place[0]) < 1e-9
    go(walker, 4.0, 0.0)
    rest = go(walker, 1.0, 0.0)
    assert np.all(rest.stance)
    assert np.all(rest.feet == rest.feet[0])
    assert np.ptp(rest.body_position, axis=0).max() < 1e-3 * walker.length


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("insect", 2.0),
        ("spider", 1.9),
        ("dog", 1.3),
        ("bird", 1.3),
        ("crab", 1.9),
        ("centipede", 1.3),
    ],
)
def test_who_stops_soon_stands(name, seconds):
    walker = Walker(name)
    go(walker, 4.0, pace(name))
    go(walker, seconds, 0.0)
    rest = go(walker, 1.0, 0.0)
    assert np.all(rest.stance)
    assert np.all(rest.feet == rest.feet[0])


def test_turning_left_goes_to_the_left():
    walker = Walker("insect")
    go(walker, 3.0, 1.0, 0.5)
    assert walker.place[0, 0] > 0.5
    assert walker.motion[0] == pytest.approx([0.0, 1.0, 0.5], abs=0.1)


@pytest.mark.parametrize("fps", [24, 30, 240])
def test_the_frame_rate_makes_no_difference(fps):
    ground = Noise(0.1, 2.0, seed=4)
    other, usual = Walker("dog", ground), Walker("dog", ground)
    go(other, 3.0, 1.0, 0.3, fps=fps)
    go(usual, 3.0, 1.0, 0.3, fps=120)
    assert_same(other.state, usual.state)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fps", [50, 144, 240])
def test_what_is_told_of_the_body_between_two_steps_lies_between_theirs(both_engines, fps):
    walker, found = Walker("dog"), []
    go(walker, 4.0, [0.1, 1.0], 0.3)
    for _ in range(fps):
        walker.step(1.0 / fps, [0.1, 1.0], 0.3)
        found.append([*walker.place[0], *walker.heading, *walker.motion[0]])
    moved = np.diff(found, axis=0)
    speed = np.hypot(*moved[:, :2].T) * fps
    assert np.ptp(speed) < 0.02 * np.mean(speed)
    np.testing.assert_allclose(moved[:, 2] * fps, walker.motion[0, 2], rtol=0.02)
    assert np.abs(moved[:, 3:]).max() < 0.01


@pytest.mark.slow
def test_a_frame_may_last_for_seconds():
    once, often = Walker("insect", hills), Walker("insect", hills)
    once.step(5.0, 1.0, 0.2)
    go(often, 5.0, 1.0, 0.2)
    assert_same(once.state, often.state)
    once.step(0.0, 1.0)
    assert_same(once.state, often.state)


def test_the_same_orders_lead_to_the_same_walk_to_the_bit():
    first, second = (go(Walker("dog", hills), 2.0, [0.1, 0.3], -0.4) for _ in range(2))
    assert_same(first, second)


def test_many_walk_as_one_does():
    places, ground = np.array([[0.0, 0.0], [9.0, -2.0], [-7.0, 1.0]]), Noise(0.2, 4.0, seed=2)
    many = Walker("spider", ground, count=3, position=places, heading=[0.0, 1.0, 2.0])
    speeds, turns = np.array([[0.0, 1.0], [0.2, 0.5], [0.0, 0.0]]), np.array([0.0, 0.3, -0.2])
    walk = go(many, 2.0, speeds, turns)
    assert walk.feet.shape == (121, 3, 8, 3)
    assert walk.body_position.shape == (121, 3, 3)
    for n in range(3):
        one = Walker("spider", ground, position=places[n], heading=float(n))
        alone = go(one, 2.0, speeds[n], turns[n])
        assert_same([part[:, n] for part in walk], alone)
        assert one.blocked == many.blocked[n]


def test_a_state_has_the_shapes_that_it_says():
    state = Walker("dog").state
    found = {name: part.shape for name, part in state._asdict().items()}
    assert found == {
        "stations": (2, 3),
        "station_rotations": (2, 4),
        **dict.fromkeys(("hips", "knees", "ankles", "feet"), (4, 3)),
        "stance": (4,),
        "foot_rotation": (4, 4),
        "neck": (4, 4),
        "tail": (4, 4),
    }
    assert state.stance.dtype == bool
    np.testing.assert_allclose(state.body_position, state.stations.mean(axis=0))
    for turns in (state.station_rotations, state.foot_rotation, state.neck, state.tail):
        np.testing.assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-12)


@pytest.mark.parametrize("heading", [0.0, 2.0, -9.0])
def test_the_body_faces_its_heading_and_leans_with_the_slope(heading):
    walker = Walker("insect", Slope(20.0, 50.0), heading=heading)
    state = walker.state
    ahead = rotate(state.body_rotation, [0.0, 0.0, 1.0])
    np.testing.assert_allclose(
        ahead[[0, 2]] / np.hypot(*ahead[[0, 2]]), [np.sin(heading), np.cos(heading)], atol=1e-9
    )
    assert rotate(state.body_rotation, [0.0, 1.0, 0.0])[1] < 0.97
    assert walker.heading[0] == pytest.approx(np.remainder(heading + np.pi, 2 * np.pi) - np.pi)


def test_legs_without_a_third_segment_stand_on_their_ankles():
    legs = [
        leg._replace(third=0.0, lower=leg.lower + leg.third)
        for leg in creature.animal("insect").anatomy.legs
    ]
    insect = creature.animal("insect").anatomy._replace(legs=tuple(legs))
    walk = go(Walker(creature.Animal(insect), hills), 2.0, 1.0)
    np.testing.assert_array_equal(walk.ankles, walk.feet)


@pytest.mark.parametrize("size", [0.005, 20.0])
def test_an_animal_may_be_small_or_large(size):
    lengths = "aside", "up", "foot_aside", "foot_ahead", "upper", "lower", "third"
    dog = creature.animal("dog").anatomy
    legs = [
        leg._replace(**{name: size * getattr(leg, name) for name in lengths}) for leg in dog.legs
    ]
    found = dog._replace(
        legs=tuple(legs),
        **{name: size * getattr(dog, name) for name in ("height", "belly", "half")},
        along=tuple(size * z for z in dog.along),
    )
    animal = creature.Animal(found)
    walker = Walker(animal, Steps(0.1 * size, size))
    # As Froude's number has it; but a swing takes as long as a film needs to show it.
    like = creature.animal("dog").top_speed * size**0.5
    assert walker.top_speed == pytest.approx(like) if size > 1.0 else walker.top_speed < like
    speed = 0.6 * walker.animal.walking_speed
    walk = go(walker, 2.0, speed)
    both = walk.stance[1:] & walk.stance[:-1]
    assert np.all(np.diff(walk.feet, axis=0)[both] == 0.0)
    assert walker.place[0, 1] > (speed if size > 1.0 else 0.7 * speed)


def test_a_foot_that_swings_is_seen_in_the_air_at_24_frames_a_second():
    animal = creature.animal("dog").with_gait(duty_factor=0.95)
    walker, feet, stance = Walker(animal), [], []
    for _ in range(96):
        walker.step(1 / 24, 9.0)
        feet.append(walker.state.feet)
        stance.append(walker.state.stance)
    both = np.array(stance[1:]) & np.array(stance[:-1])
    assert not np.all(stance)
    assert np.all(np.diff(feet, axis=0)[both] == 0.0)


def test_the_middle_of_a_trunk_need_not_be_its_origin():
    gait = creature.GAITS["wave"]
    offsets = tuple(0.3 * k + 0.5 * j for k in range(3) for j in (0, 1))
    wave = creature.Gait(0.0, 0.5, 0.7, 0.7, offsets, offsets, 0.0, 0.0, 1.0, 0.0)
    assert gait.is_static

    def way(middle):
        legs = [
            leg
            for k in range(3)
            for leg in creature.pair(
                k, hip=(0.1, 0.0), foot=(0.5, 0.0), bones=(0.4, 0.4, 0.0), pole=(0.3, 1.0, 0.0)
            )
        ]
        along = tuple(middle + z for z in (-0.3, 0.0, 0.3))
        anatomy = creature.make_anatomy(height=0.3, along=along, legs=legs, gaits=[wave])
        walker = Walker(creature.Animal(anatomy))
        walker.step(5.0, 0.5 * walker.top_speed)
        return walker.place[0, 1]

    assert way(0.3) == pytest.approx(way(0.0), rel=0.05)


# --- what is done to it -------------------------------------------------------------------


def test_a_shove_is_answered_with_steps_and_is_no_faster_than_the_animal():
    walker = Walker(creature.animal("spider").with_liveliness(0.0))
    before = walker.state.feet
    walker.shove([2.5, 0.0])
    walk = go(walker, 6.0, 0.0)
    assert not np.all(walk.stance)
    assert np.all(walk.stance[-1])
    assert walker.place[0, 0] > 0.2
    assert np.all((walker.state.feet - before)[:, 0] > 0.1)
    walker.shove(1e9)
    walker.step(1 / 120, 0.0)
    aside, ahead, _ = walker.motion[0]
    assert 0.5 * walker.top_speed < ahead <= walker.top_speed
    assert abs(aside) < 0.1 * ahead


def test_a_copy_walks_on_by_itself_and_what_was_seen_stays():
    walker = Walker("insect", Noise(0.2, 4.0, seed=1))
    go(walker, 1.0, 1.0, 0.3)
    seen = walker.state
    before = copy.deepcopy(seen)
    twins = copy.deepcopy(walker), pickle.loads(pickle.dumps(walker))
    walk = go(walker, 1.0, 1.0, 0.3)
    assert_same(seen, before)
    for twin in twins:
        assert_same(twin.state, before)
        assert_same(go(twin, 1.0, 1.0, 0.3), walk)


def test_who_is_put_elsewhere_walks_as_one_that_starts_there():
    walker, other = Walker("insect"), Walker("insect", position=[3.0, -2.0], heading=1.2)
    go(walker, 1.0, 1.0)
    walker.put([3.0, -2.0], 1.2)
    assert_same(go(walker, 1.0, 1.0), go(other, 1.0, 1.0))


def test_who_cannot_be_put_somewhere_stays_where_it_is():
    walker = Walker("insect", lambda x, z: np.where(z > 9.0, 9.0 * np.sin(40.0 * x), 0.0))
    go(walker, 1.0, 1.0)
    twin = copy.deepcopy(walker)
    for wrong in ({"position": [0.0, 20.0]}, {"position": [0.0, 1.0], "heading": np.nan}):
        with pytest.raises(CreatureError):
            walker.put(**wrong)
    assert_same(go(walker, 1.0, 1.0), go(twin, 1.0, 1.0))


def test_what_is_told_of_a_walker_does_not_change_it():
    walker = Walker("insect")
    for told in (walker.place, walker.heading, walker.motion, *walker.state):
        told[...] = 1
    assert walker.place.tolist() == [[0.0, 0.0]]
    assert walker.heading.tolist() == [0.0]
    assert walker.motion.tolist() == [[0.0, 0.0, 0.0]]
    assert_same(walker.state, Walker("insect").state)


@pytest.mark.parametrize("frames", [0, 40])  # standing, and in the middle of a step
def test_feet_step_onto_another_ground(both_engines, frames):
    walker = Walker("dog")
    go(walker, frames / 60, 1.0)
    before = walker.state
    walker.terrain = 0.2
    assert_same(walker.state, before)
    walk = go(walker, 2.5, 0.0)
    assert np.all(walk.feet[-1, :, 1] == 0.2)
    assert np.all(walk.stance[-1])
    assert np.abs(np.diff(walk.feet, axis=0)).max() < 0.2  # none jumps


def test_after_an_error_of_another_ground_the_walker_is_where_it_was(both_engines):
    def ground(x, z):
        raise KeyError("no map")

    walker = Walker("dog", count=2, position=[[0.0, 0.0], [3.0, 0.0]])
    go(walker, 0.5, 1.0)
    twin = copy.deepcopy(walker)
    with pytest.raises(KeyError, match="no map"):
        walker.terrain = ground
    assert repr(walker.terrain) == "Flat(0.0)"
    assert_same(go(walker, 0.5, 1.0), go(twin, 0.5, 1.0))


def test_an_interrupt_leaves_all_walkers_where_they_were(engines):
    engines.use("numpy")
    walker = Walker("dog", count=30, position=np.outer(np.arange(30.0), [2.0, 0.0]))
    go(walker, 0.1, 1.0)
    before = *walker.state, walker.motion
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        walker.step(600.0, 0.5)
    timer.join()
    assert_same((*walker.state, walker.motion), before)


@pytest.mark.parametrize(("name", "place"), [*slow(("spider", 4.0)), ("bird", 3.0)])
def test_feet_step_over_a_wall_a_tenth_of_a_leg_thick(name, place):
    leg = creature.animal(name).length

    def wall(x, z):
        return np.where(np.abs(z - place) < 0.05 * leg, 0.15 * leg, 0.0) + 0.0 * x

    walker = Walker(name, wall)
    walk = go(walker, 10.0, pace(name))
    assert walker.place[0, 1] > place + leg
    depth = wall(walk.feet[..., 0], walk.feet[..., 2]) - walk.feet[..., 1]
    assert np.max(depth) <= 0.01 * leg
    assert not walker.blocked


def test_another_ground_is_walked_from_the_next_step_on():
    walker = Walker("insect")
    go(walker, 0.5, 1.0)
    walker.terrain = Slope(10.0)
    go(walker, 3.0, 1.0)
    found = walker.state
    ground = walker.terrain.height(found.feet[:, 0], found.feet[:, 2])
    np.testing.assert_allclose(found.feet[:, 1][found.stance], ground[found.stance], rtol=1e-15)
    with pytest.raises(ArrayTypeError, match="`make_terrain` makes ground by name"):
        walker.terrain = "flat"
    assert repr(walker.terrain) == repr(Slope(10.0))


# --- ground -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["insect", "dog"])
def test_ground_without_heights_is_named_and_leaves_the_walker_as_it_was(name):
    bad = True

    def ground(x, z):
        return np.where((z > 2.2) & bad, np.nan, 0.0 * x)

    walker = Walker(name, ground, count=2, position=[[0.0, -9.0], [0.0, 0.0]])
    seen = []
    with pytest.raises(CreatureError, match=r"`terrain` must "):
        go_on(walker, pace(name), seen)
    assert_same((*walker.state, walker.motion), seen[-1])
    bad = False
    start = walker.place[1, 1]
    go(walker, 1.0, pace(name))
    assert walker.place[1, 1] > start + 0.3


def test_an_error_of_your_ground_is_raised_and_leaves_the_walker_as_it_was():
    calls = 0

    def ground(x, z):
        nonlocal calls
        calls += 1
        if calls > 3000:
            raise KeyError("no map")
        return 0.0 * x

    walker = Walker("insect", ground)
    seen = []
    with pytest.raises(KeyError, match="no map"):
        go_on(walker, 1.0, seen)
    assert_same((*walker.state, walker.motion), seen[-1])


def test_ground_of_a_class_of_ones_own_may_not_be_nan():
    class Gap:
        def height(self, x, z):
            return np.where(np.asarray(z) > 1.0, np.nan, 0.0) + 0.0 * np.asarray(x)

    with pytest.raises(CreatureError, match="height"):
        go(Walker("insect", Gap()), 3.0, 1.0)


@pytest.mark.parametrize("word", ["flat", "slope", "rough"])
def test_ground_by_name_is_made_by_make_terrain(word):
    with pytest.raises(ArrayTypeError, match="`make_terrain` makes ground by name, got "):
        Walker("insect", word)


def test_who_starts_on_a_block_puts_all_feet_on_ground_that_it_reaches():
    walker = Walker("dog", lambda x, z: np.where(np.abs(z) < 0.55, 0.3, 0.0) + 0.0 * x)
    state = walker.state
    assert np.all(np.linalg.norm(state.ankles - state.hips, axis=-1) < 0.6)


# --- errors -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((np.nan, 1.0), "dt"),
        ((-0.1, 1.0), "dt"),
        ((1e6, 1.0), "dt"),
        ((0.1, np.inf), "velocity"),
        ((0.1, 1e300), "velocity"),
        ((0.1, [1.0, 2.0, 3.0]), "velocity"),
        ((0.1, "fast"), "velocity"),
        ((0.1, "1"), "velocity"),
        (("0.1", 1.0), "dt"),
        ((0.1, 1.0, True), "turn"),
        ((0.1, 1.0, np.nan), "turn"),
        ((0.1, 1.0, [1.0, 2.0]), "turn"),
        ((0.1, [1.0]), "velocity"),
        ((0.1, [[1.0], [2.0]]), "velocity"),
    ],
)
def test_orders_that_make_no_sense_are_refused(arguments, name):
    walker = Walker("insect")
    before = walker.state
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must "):
        walker.step(*arguments)
    assert_same(walker.state, before)


@pytest.mark.parametrize("velocity", [np.nan, [1.0], [1.0, 2.0, 3.0], "far", 1e10])
def test_pushes_that_make_no_sense_are_refused(velocity):
    walker = Walker("insect")
    with pytest.raises(twobone.TwoBoneError, match="`velocity` must "):
        walker.shove(velocity)
    assert walker.motion.tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"count": 0}, "count"),
        ({"count": 2.5}, "count"),
        ({"count": True}, "count"),
        ({"count": 10**30}, "count"),
        ({"count": 2, "position": [1.0]}, "position"),
        ({"count": 2, "position": [[1.0, 2.0]]}, "position"),
        ({"count": 2, "heading": [1.0]}, "heading"),
        ({"position": [np.nan, 0.0]}, "position"),
        ({"position": [1e300, 0.0]}, "position"),
        ({"position": [0.0, 0.0, 0.0]}, "position"),
        ({"heading": np.inf}, "heading"),
        ({"heading": [1.0, 2.0]}, "heading"),
    ],
)
def test_where_nobody_can_stand_is_told(options, name):
    with pytest.raises(twobone.TwoBoneError, match=f"`{name}` must"):
        Walker("insect", **options)


@pytest.mark.parametrize(
    ("name", "ground", "said"),
    [
        ("insect", lambda x, z: np.where(x > 0.5, -50.0, 0.0 * z), "have ground within reach of"),
        ("bird", lambda x, z: 20.0 * np.abs(x) + 0.0 * z, "have room for all legs above the"),
    ],
)
def test_who_does_not_fit_is_told_why(name, ground, said):
    with pytest.raises(CreatureError, match=f"`position` must {said}"):
        Walker(name, ground)


def test_animals_and_walkers_are_shown_in_one_line():
    assert repr(creature.animal("dog")) == "Animal('dog', <4 legs, 0.685 long>)"
    assert repr(Walker("dog", 0.5)) == "Walker('dog', Flat(0.5))"
    herd = Walker("bird", Noise(0.1, 2.0, seed=1), count=3)
    assert repr(herd) == "Walker('bird', Noise(0.1, 2.0, seed=1), count=3)"


def test_its_ground_must_not_move_it():
    told = []

    def ground(x, z):
        if told:
            told.append(0)
            walker.step(0.1, 1.0)
        return 0.0 * x

    walker = Walker("dog", ground)
    walker.step(0.1, 0.5)
    place, told = walker.place, [0]
    with pytest.raises(CreatureError, match=r"`step` must not be called by the terrain"):
        walker.step(0.1, 0.5)
    told = []
    np.testing.assert_array_equal(walker.place, place)
    walker.step(0.1, 0.5)


def test_a_shallow_copy_is_a_walker_of_its_own():
    walker = Walker("dog")
    copy.copy(walker).step(1.0, 0.5)
    assert walker.place.tolist() == [[0.0, 0.0]]
