"""Gaits: who swings when, and how a foot goes through the air."""

import numpy as np
import pytest

from slow import all_but, slow
from twobone import creature
from twobone.creature import GAITS, Gait, Walker
from twobone.creature.gait import EARLY, arch, glide, settle
from twobone.errors import ArrayTypeError, CreatureError, ShapeError


@pytest.mark.parametrize(
    ("pairs", "duty_factor", "down"), [(3, 0.75, 4), (4, 0.75, 6), (3, 0.5, 3)]
)
def test_enough_feet_stay_down(pairs, duty_factor, down):
    """At duty factor .75 four of six and six of eight; three of six from .5 on."""
    offsets = Gait().offsets_at(duty_factor, pairs)
    phases = (np.linspace(0.0, 1.0, 5000)[:, None] - offsets) % 1.0
    swings = phases < EARLY * (1.0 - duty_factor)
    assert np.min(np.sum(~swings, -1)) >= down


def test_waves_run_from_rear_to_front_and_sides_take_turns():
    offsets = Gait().offsets_at(0.75, 3)
    left, right = offsets[0::2], offsets[1::2]
    np.testing.assert_allclose(np.diff(left), 0.25)
    np.testing.assert_allclose((right - left) % 1.0, 0.5)


def test_at_duty_half_six_legs_walk_in_tripods():
    phases = Gait().offsets_at(0.5, 3)
    assert set(np.flatnonzero(phases == 0.0)) == {0, 3, 4}
    assert set(np.flatnonzero(phases == 0.5)) == {1, 2, 5}


def test_duty_falls_from_rest_to_full_speed_and_stays():
    shares = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(
        Gait("wave", (0.8, 0.5)).duty_factor_at(shares), [0.8, 0.8, 0.65, 0.5, 0.5]
    )


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
        Gait(**arguments)


# --- gaits by name ------------------------------------------------------------------------

FOUR = ["crawl", "walk", "trot", "pace", "bound"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [  # left hind, right hind, left fore, right fore
        ("walk", [0.0, 0.5, 0.25, 0.75]),
        ("trot", [0.0, 0.5, 0.5, 0.0]),
        ("pace", [0.0, 0.5, 0.0, 0.5]),
        ("bound", [0.0, 0.0, 0.5, 0.5]),
        ("crawl", [0.0, 0.5, 0.12, 0.62]),
    ],
)
def test_four_legs_step_in_the_order_of_their_gait(name, wanted):
    gait = Gait(name)
    assert gait.offsets_at(gait.duty_factor[0], 2).tolist() == pytest.approx(wanted)


@pytest.mark.parametrize(("name", "down"), [("wave", 5), ("ripple", 4), ("tripod", 3)])
def test_six_legs_have_as_many_feet_down_as_their_gait_says(name, down):
    gait = Gait(name)
    duty_factor = gait.duty_factor[0]
    phases = (np.linspace(0.0, 1.0, 5000)[:, None] - gait.offsets_at(duty_factor, 3)) % 1.0
    assert np.min(np.sum(phases >= EARLY * (1.0 - duty_factor), -1)) == down


def test_a_walk_becomes_a_trot_in_proportion_to_the_duty_factor():
    gait = Gait(("walk", "trot"), (0.7, 0.55))
    found = gait.offsets_at(np.array([0.8, 0.7, 0.625, 0.55, 0.5]), 2)
    np.testing.assert_allclose(found[:, 2], [0.25, 0.25, 0.375, 0.5, 0.5])
    np.testing.assert_allclose(found[:, 3], [0.75, 0.75, 0.875, 0.0, 0.0], atol=1e-12)


def test_phases_as_numbers_change_the_short_way_round():
    gait = Gait([[0.9, 0.5], [0.2, 0.5]], (0.7, 0.6))
    np.testing.assert_allclose(gait.offsets_at(0.65, 1), [0.05, 0.5])
    assert gait.with_duty_factor(0.65).duty_factor == (0.65, 0.65)
    assert Gait([0.0, 0.5]).offsets_at(0.6, 1).tolist() == [0.0, 0.5]


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"offsets": "gallop"}, CreatureError, "`offsets` must be one of wave, "),
        ({"offsets": ("walk", "trot", "pace")}, ShapeError, "got 3 names"),
        ({"offsets": [0.0, 1.5]}, CreatureError, "phases from 0 to 1"),
        ({"offsets": [0.0, float("nan")]}, CreatureError, "phases from 0 to 1"),
        ({"offsets": []}, ShapeError, "`offsets`"),
        ({"offsets": object()}, ArrayTypeError, "`offsets`"),
        ({"offsets": [[0.0, 0.5], [0.2, 0.5]]}, CreatureError, "differ if the offsets do"),
        ({"sway": (0.1, 2.0)}, CreatureError, "`sway` must be from"),
        ({"balance": "perfect"}, CreatureError, '`balance` must be "static" or "dynamic"'),
    ],
)
def test_what_is_no_gait_is_refused(arguments, error, said):
    with pytest.raises(error, match=said):
        Gait(**arguments)


def test_a_gait_for_other_legs_is_refused():
    dog = creature.animal("dog")._replace(gait=Gait([0.0, 0.5, 0.2, 0.7, 0.4, 0.9]))
    with pytest.raises(CreatureError, match=r"`gait.offsets` must be 4, one for each leg, got 6"):
        Walker(dog)
    with pytest.raises(CreatureError, match="`gait` must be a Gait or one of wave"):
        creature.animal("dog").with_gait("gallop")


def lift_offs(walker, seconds, velocity):
    """Return the times at which each foot leaves the ground."""
    found, before = [[] for _ in range(4)], walker.state.stance
    for tick in range(round(120 * seconds)):
        walker.step(1 / 120, velocity)
        now = walker.state.stance
        for leg in np.flatnonzero(before & ~now):
            found[leg].append(tick / 120)
        before = now
    return found


@pytest.mark.parametrize(("speed", "lag"), [(1.5, 0.5), *slow((0.05, 0.25))])
def test_a_dog_walks_in_lateral_sequence_and_trots_when_it_is_fast(speed, lag):
    walker = Walker("dog")
    found = lift_offs(walker, 12.0, speed)
    cycle = np.diff(found[0])[-1]
    after = [(times[-2] - found[0][-3]) / cycle % 1.0 for times in found]
    np.testing.assert_allclose(after[1], 0.5, atol=0.06)
    np.testing.assert_allclose(after[2], lag, atol=0.06)
    assert abs((after[3] - lag - 0.5 + 0.5) % 1.0 - 0.5) < 0.06


@pytest.mark.parametrize("name", all_but(FOUR, "pace"))
def test_four_legs_walk_in_every_gait(name):
    dog = creature.animal("dog").with_gait(name)
    walk = creature.walk(dog, seconds=6.0, speed=0.6 * dog.speed, turn=0.0)
    report = creature.report(walk)
    assert walk.body_position[-1, 2] > 0.5 * 6.0 * 0.6 * dog.speed
    assert (report.slide, report.blocked, report.unreachable) == (0.0, 0.0, 0)
    assert report.greatest_reach <= 0.95
    assert report.least_feet_down >= (3 if GAITS[name].balance == "static" else 2)
    if name == "crawl":
        assert report.least_margin > 0.0


@pytest.mark.slow
def test_a_change_of_gait_with_speed_moves_no_foot_by_a_jump():
    walker, feet = Walker("dog"), []
    for tick in range(1200):
        walker.step(1 / 120, 0.75 * (1.0 - np.cos(2 * np.pi * tick / 600)))
        feet.append(walker.state.feet)
    speed = 120 * np.diff(feet, axis=0)
    jumps = np.linalg.norm(np.diff(speed, axis=0), axis=-1)
    assert np.max(jumps) < 0.26 * np.max(np.linalg.norm(speed, axis=-1))


def test_with_a_gait_of_longer_stances_an_animal_is_slower():
    dog = creature.animal("dog")
    assert dog.with_gait("trot").speed == pytest.approx(dog.speed * 0.52 * 0.45 / (0.48 * 0.55))
    assert dog.with_gait("crawl").speed < 0.2 * dog.speed
    assert dog.with_gait(dog.gait).speed == dog.speed
    assert dog.with_gait("trot", 0.6).gait.duty_factor == (0.6, 0.6)
    assert dog.with_gait(Gait("pace"), 0.7).gait.duty_factor == (0.7, 0.7)


def test_what_a_gait_has_of_its_own_is_shown():
    assert "sway" not in repr(Gait("trot"))
    assert repr(Gait("trot", sway=(0.3, 0.0))).endswith(", sway=(0.3, 0.0))")
    assert "balance" not in repr(Gait("trot"))
    assert repr(Gait("trot", balance="static")).endswith(", balance='static')")
