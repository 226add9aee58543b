"""Whole walks: where they start, how they wander, and recordings of them."""

import itertools

import numpy as np
import pytest

import twobone
from measured import measured
from slow import all_but, slow
from twobone import creature
from twobone.creature import Walker, WalkerState
from twobone.creature.journey import BACK, DETOUR, SOON, TURNS, Detour, record
from twobone.creature.report import as_dt_halves
from twobone.errors import ArrayTypeError, CreatureError, ShapeError


def recorded(walker, seconds, velocity):
    """Return a recording of an animal that walks for a time, and whether it was blocked."""
    states, blocked = [walker.state], [walker.blocked]
    for _ in range(round(60 * seconds)):
        walker.step(1 / 60, velocity)
        states.append(walker.state)
        blocked.append(walker.blocked)
    return record(walker, states, 1 / 60, blocked=blocked)


# --- seeds and starts ---------------------------------------------------------------------


def test_a_seed_decides_ground_speed_and_turns():
    walks = [creature.walk("dog", terrain=0.1, seconds=2.0, fps=30, seed=s) for s in (1, 1, 2)]
    for have, want in zip(walks[0], walks[1], strict=True):
        np.testing.assert_array_equal(have, want)
    assert not np.array_equal(walks[0].feet, walks[2].feet)


def test_ground_on_which_a_walk_cannot_start_is_told_by_its_name():
    with pytest.raises(CreatureError, match="`terrain` must let the animal stand where it starts"):
        creature.walk("insect", terrain=lambda x, z: 40.0 * z + 0.0 * x, seconds=0.1)
    with pytest.raises(CreatureError, match="`terrain` must return finite heights everywhere"):
        creature.walk("insect", terrain=lambda x, z: np.where(x < 0.0, np.nan, z), seconds=0.1)
    with pytest.raises(CreatureError, match="`terrain` must be a roughness from 0 to 1 of the leg"):
        creature.walk("insect", terrain=1.5, seconds=0.1)
    with pytest.raises(CreatureError, match=r"must be one of flat, slope, .*, got 'lake'"):
        creature.walk("insect", terrain="lake", seconds=0.1)


def test_a_walk_starts_as_near_to_the_origin_as_there_is_room():
    def post(x, z):
        return 9.0 * (np.hypot(x, z) < 0.5)

    with pytest.raises(CreatureError, match="`position` must"):
        Walker("insect", post)
    walk = creature.walk("insect", terrain=post, seconds=0.1, speed=0.0)
    beside = np.hypot(*walk.body_position[0, [0, 2]])
    step = 0.4 * creature.animal("insect").length
    assert 0.5 < beside < 4.0 * step
    with pytest.raises(CreatureError, match="`position` must"):
        Walker("insect", post, position=[0.0, beside - step])


def test_detours_go_to_both_sides_and_further_if_they_do_not_help():
    detour, blocked = Detour(1.0), lambda time: detour.order(time, True, 2.0)
    assert detour.order(0.0, False, 2.0) is None
    first, second = DETOUR / TURNS, 2.0 * DETOUR / TURNS
    assert blocked(1.0) == blocked(0.99 + first) == (0.0, TURNS)
    assert detour.order(1.01 + first, False, 2.0) is None
    start = 2.0 + first
    assert blocked(start) == blocked(start + 0.99 * BACK) == (-1.0, 0.0)
    turns = (0.0, -TURNS)
    assert blocked(start + 1.01 * BACK) == blocked(start + BACK + 0.99 * second) == turns
    late = start + BACK + second + 1.01 * SOON
    assert blocked(late) == blocked(late + 0.99 * first) == (0.0, TURNS)
    assert detour.order(late + 1.01 * first, False, 2.0) is None


@pytest.mark.parametrize("wrong", [5, "yes", []])
def test_progress_is_a_function(wrong):
    with pytest.raises(ArrayTypeError, match="`progress` must be a function of a fraction, got "):
        creature.walk(seconds=0.1, progress=wrong)


@pytest.mark.parametrize("option", ["speed", "turn", "seconds", "fps"])
def test_options_that_are_no_numbers_are_told(option):
    with pytest.raises(ArrayTypeError, match=f"^`{option}` must be "):
        creature.walk(**{"seconds": 0.05, option: "fast"})


@pytest.mark.parametrize("wrong", [5, None, [], creature.animal])
def test_what_is_no_animal_is_told(wrong):
    for call in (Walker, creature.walk, creature.make_path, creature.make_terrain):
        with pytest.raises(ArrayTypeError, match="must be an Animal or the name of one, got"):
            call(wrong) if call in (Walker, creature.walk) else call("circle", wrong)
    with pytest.raises(CreatureError, match=r"`name` must be one of insect, "):
        creature.animal(wrong)


# --- feet ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_feet_swing_without_a_jump_also_where_their_plans_change(name):
    """A jump of a place would make accelerations four times as large, one of a velocity twice."""
    walks = [creature.walk(name, seconds=4.0, seed=1, fps=fps) for fps in (60, 120)]
    found = as_dt_halves(*walks)
    assert found["acceleration_as_dt_halves"] < 1.4


# --- what is in the way -------------------------------------------------------------------


def assert_whole(walk, terrain):
    """Check that nothing slid, was torn or was in the ground."""
    found = creature.report(walk, terrain)
    assert found.slide == found.unreachable == 0.0
    assert found.bone_error < 4.0
    assert max(found.depth_of_feet, found.depth_of_legs) < 0.01 * found.leg


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog", "bird"))
@pytest.mark.parametrize("kind", ["ditch", "hole", "step up", "step down"])
def test_small_obstacles_are_crossed(name, kind):
    leg = creature.animal(name).length

    def ground(x, z):
        inside = (z > 1.5 * leg) & (z < 1.7 * leg)
        if kind == "hole":
            inside &= np.abs(x) < 0.1 * leg
        if kind.startswith("step"):
            return np.where(z > 1.5 * leg, 0.12 if kind == "step up" else -0.12, 0.0) * leg + 0 * x
        return np.where(inside, -leg, 0.0) + 0.0 * x

    walker = Walker(name, ground)
    speed = 0.7 * walker.animal.walking_speed
    walk = recorded(walker, 3.5 * leg / speed + 1.0, speed)
    assert_whole(walk, walker.terrain)
    assert not np.any(walk.blocked)
    assert walker.place[0, 1] > 2.5 * leg


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "dog", "bird"))
def test_at_a_wide_ditch_an_animal_stops_is_blocked_and_goes_back_when_told(name):
    animal = creature.animal(name)
    leg = animal.length
    walker = Walker(name, lambda x, z: np.where(z > 2.0 * leg + 0.5 * animal.anatomy.span, -9.0, 0))
    speed = 0.6 * animal.walking_speed
    walk = recorded(walker, 5.0 * leg / speed + 8.0, speed)
    assert walker.blocked
    assert_whole(walk, walker.terrain)
    assert np.all(walk.feet[walk.stance][:, 1] == 0.0)
    before = walker.place[0, 1]
    back = recorded(walker, 2.0, -speed)
    assert not walker.blocked
    assert walker.place[0, 1] < before - 0.5 * speed
    assert_whole(back, walker.terrain)


EDGES = (3.0, 0.0), (3.0, 0.5), (0.4, 0.0), (-0.4, 0.0)  # height over a leg's length, slant
SLOW_EDGES = [(name, *edge) for name in creature.ANIMALS if name != "dog" for edge in EDGES]


def test_before_a_post_between_its_feet_an_animal_is_blocked(both_engines):
    animal = creature.animal("dog")
    leg = animal.length

    def ground(x, z):
        return np.where(
            (np.abs(x) < 0.1 * leg) & (np.abs(z - 3.0 * leg) < 0.1 * leg), 2.0 * leg, 0.0
        )

    walker = Walker("dog", ground)
    speed = 0.6 * animal.walking_speed
    walk = recorded(walker, 5.0 * leg / speed, speed)
    assert_whole(walk, walker.terrain)
    assert walk.blocked[-1]
    assert walk.stations[:, :, 2].max() < 2.9 * leg


@pytest.mark.parametrize(
    ("name", "rise", "slant"),
    [
        *(("dog", *edge) for edge in EDGES),
        *slow(*SLOW_EDGES),
    ],
)
def test_who_comes_to_a_kerb_goes_over_it_and_to_a_wall_is_blocked(name, rise, slant):
    animal = creature.animal(name)
    leg, anatomy = animal.length, animal.anatomy
    edge = 0.5 * anatomy.span + anatomy.legs[-1].foot_ahead + leg

    def ground(x, z):
        return rise * leg * np.minimum(np.maximum((z + slant * x - edge) / (0.02 * leg), 0.0), 1.0)

    walker = Walker(name, ground)
    speed = 0.6 * animal.walking_speed
    walk = recorded(walker, (edge + leg) / speed + 4.0, speed)
    found = creature.report(walk, walker.terrain)
    assert found.slide == 0.0
    assert np.all(walk.feet[walk.stance][:, 1] == walk.ground[walk.stance])
    assert found.depth_of_legs < 0.03 * leg
    fall = np.min(creature.measures.vertical_acceleration(walk.body_position, walk.dt))
    assert fall > -1.2 * 9.81
    if rise < 1.0:
        assert not walker.blocked
        assert walker.place[0, 1] > edge + 0.5 * leg
    else:
        assert np.all(walk.blocked[-60:])
        assert np.max(walk.feet[..., 1]) < leg


# --- recordings of states -----------------------------------------------------------------


def test_a_teleport_is_a_slip_and_nothing_else():
    walker, states = Walker("insect"), []
    for frame in range(120):
        if frame == 60:
            walker.put([3.0, 4.0], 0.5)
        walker.step(1 / 60, 1.0)
        states.append(walker.state)
    walks = [record(walker, part, 1 / 60) for part in (states, states[:60], states[60:])]
    assert measured("slide", walks[0]) > 3.0
    assert measured("slide", walks[1]) == measured("slide", walks[2]) == 0.0


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([], r"`states` must have at least one state, got none"),
        (5, r"`states` must be a sequence of WalkerState, got 5"),
        ([1], r"`states` must be a sequence of WalkerState, got 1 as state 0"),
        ([None, 2.0], r"`states` must be a sequence of WalkerState, got None as state 0"),
    ],
)
def test_what_is_no_state_is_not_recorded(states, message):
    with pytest.raises(twobone.TwoBoneError, match=f"^{message}"):
        record(Walker("dog"), states, 0.1)


def test_only_one_walker_is_recorded_at_a_time():
    herd = Walker("dog", count=2, position=[[0.0, 0.0], [3.0, 0.0]])
    message = r"^`states` must have stations of shape \(2, 3\), .* got shape \(2, 2, 3\) as state 0"
    with pytest.raises(ShapeError, match=message):
        record(herd, [herd.state], 0.1)
    with pytest.raises(ShapeError, match=r"got shape \(3, 3\) as state 1"):
        record(Walker("dog"), [Walker("dog").state, Walker("insect").state], 0.1)
    second = [WalkerState(*(part[1] for part in herd.state))]
    assert record(herd, second, 0.1).feet.shape == (1, 4, 3)


def test_a_state_that_is_no_array_is_not_recorded():
    walker = Walker("dog")
    state = walker.state._replace(neck=None)
    with pytest.raises(ArrayTypeError, match="arrays of a walker, got None as neck of state 1"):
        record(walker, [walker.state, state], 0.1)


def test_states_may_come_from_an_iterator():
    walker = Walker("dog")
    assert record(walker, itertools.repeat(walker.state, 3), 0.1).time.shape == (3,)


@pytest.mark.parametrize(
    ("blocked", "message"),
    [
        ([True], r"`blocked` must have shape \(T\), here T = 2, got \(1,\)"),
        (True, r"`blocked` must have shape \(T\), here T = 2, got a single value"),
        ([0.0, np.nan], r"`blocked` must be of type bool, got float64"),
    ],
)
def test_blocked_is_one_truth_a_state(blocked, message):
    walker = Walker("dog")
    with pytest.raises(twobone.TwoBoneError, match=message):
        record(walker, [walker.state] * 2, 0.1, blocked=blocked)


def test_only_a_walker_is_recorded():
    with pytest.raises(ArrayTypeError, match=r"^`walker` must be a Walker, got 5"):
        record(5, [Walker("dog").state], 0.1)


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan])
def test_frames_are_apart_in_time(dt):
    with pytest.raises(CreatureError, match=r"`dt` must be (positive|finite)"):
        record(Walker("dog"), [Walker("dog").state], dt)
