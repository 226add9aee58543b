"""Lively bodies bob, lean, settle and breathe, within bounds; heads look, tails lag."""

import hashlib
import math

import numpy as np
import pytest

import twobone
from slow import all_but, slow
from twobone import creature
from twobone.creature import Walker, following, liveliness, posture, springs
from twobone.rotations import inverse, multiply, rotate

STILL = {  # walks with liveliness 0, recorded anew when shins got a clearance
    "insect": "ff993fda0974f74f",
    "dog": "a4d3d6555888dd86",
    "bird": "29818b24b862c4e9",
}


def calm(name, amount=0.0):
    return creature.animal(name)._replace(liveliness=amount)


def go(walker, seconds, velocity=0.0, turn=0.0, fps=60):
    """Return lean to the left and forward and height by liveliness, frame by frame."""
    found = []
    for _ in range(round(seconds * fps)):
        walker.step(1.0 / fps, velocity, turn)
        found.append(walker._state.suspension.bounce)
    return np.stack(found)


# --- springs ------------------------------------------------------------------------------


@pytest.mark.parametrize(("frequency", "damping"), [(30.0, 0.7), (8.0, 0.4)])
def test_a_spring_is_the_solution_of_its_equation(frequency, damping):
    def offset(time):
        a, b, _, _ = springs.coefficients(frequency, damping, time)
        return 0.3 * a - 2.0 * b

    time, h = np.linspace(0.01, 0.5, 7), 1e-4
    for t in time.tolist():
        before, now, after = (offset(t + k * h) for k in (-1, 0, 1))
        pulls = (after - 2.0 * now + before) / h**2
        drags = 2.0 * damping * frequency * (after - before) / (2.0 * h)
        assert pulls + drags + frequency**2 * now == pytest.approx(0.0, abs=1e-2)
    _, _, c, d = springs.coefficients(frequency, damping, 0.2)
    assert 0.3 * c - 2.0 * d == pytest.approx(
        (offset(0.2 + h) - offset(0.2 - h)) / (2 * h), rel=1e-4
    )
    assert offset(0.0) == 0.3


def test_two_short_steps_of_the_springs_are_one_long_one():
    draw = np.random.default_rng(3)
    offset, rate, goal = draw.normal(size=(3, 4, 2, 3))
    frequencies = 21.0, 8.0
    once = springs.advance(frequencies, offset, rate, goal, 0.02)
    half = springs.advance(frequencies, offset, rate, goal, 0.01)
    np.testing.assert_allclose(springs.advance(frequencies, *half, goal, 0.01), once, rtol=1e-12)
    there, rests = springs.advance(frequencies, offset, rate, goal, 9.0)
    np.testing.assert_allclose(there, goal, atol=1e-9)
    np.testing.assert_allclose(rests, 0.0, atol=1e-9)


def test_offsets_are_bounded_and_small_ones_are_kept():
    assert springs.bounded(np.array([1e9, -1e9]), 0.1) == pytest.approx([0.1, -0.1])
    assert springs.bounded(0.001, 0.1) == pytest.approx(0.001, rel=1e-4)


def test_who_stands_wide_and_low_leans_less():
    gains = {name: Walker(name)._state.anatomy.gains for name in creature.ANIMALS}
    most = np.stack([gains[name].most for name in ("bird", "dog", "insect", "crab")])
    asides, aheads = most.T[:2].tolist()
    assert asides == sorted(asides, reverse=True)
    assert aheads[0] == max(aheads)
    assert gains["centipede"].most[1] < 0.1 * gains["dog"].most[1]  # it would hit the ground


@pytest.mark.parametrize("scale", all_but([0.1, 30.0], 30.0))
def test_a_large_animal_moves_as_a_small_one_does(scale):
    """Times are those of Froude: lengths by s, times by its root. Leans do not change."""
    dog = creature.animal("dog")
    legs = dog.legs._replace(
        **{name: scale * getattr(dog.legs, name) for name in ("hips", "footholds", "bones")}
    )
    body = dog.body._replace(height=scale * dog.body.height, size=None)
    big = dog._replace(legs=legs, body=body, speed=math.sqrt(scale) * dog.speed)
    one, other = springs.gains_of(dog), springs.gains_of(big)
    np.testing.assert_allclose(one.feet[:, :2], other.feet[:, :2], rtol=1e-9)
    np.testing.assert_allclose(scale * one.feet[:, 2], other.feet[:, 2], rtol=1e-9)
    assert one.turn == pytest.approx(other.turn, rel=1e-9)  # of an acceleration v w
    np.testing.assert_allclose(one.most[:2], other.most[:2], rtol=1e-9)


# --- liveliness 0 -------------------------------------------------------------------------


def seen(walk):
    """Return a digest of a walk; it does not change with the last bits of another processor."""
    leg = walk.bones.sum(1).max()
    parts = [walk.body_position / leg, walk.body_rotation, walk.knees / leg, walk.feet / leg]
    digest = hashlib.sha256(walk.stance.tobytes())
    for part in parts:
        digest.update(np.rint(1e6 * part).astype(np.int64).tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("name", STILL)
def test_without_liveliness_walks_are_what_they_were_before(name):
    animal = calm(name)
    ground = creature.make_terrain(0.1, animal, seed=4)
    walk = creature.walk(animal, terrain=ground, seconds=2.0, seed=4)
    assert seen(walk) == STILL[name]
    assert walk.head_rotation is None
    assert walk.tail_rotation is None


def test_without_liveliness_nothing_is_offset_nor_turned():
    walker = Walker(calm("dog"))
    assert not go(walker, 1.0, 0.9, 0.5).any()
    state = walker.state
    assert state.head_rotation.tolist() == state.tail_rotation.tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("amount", [-0.1, 1.5, np.nan, "much", None])
def test_liveliness_out_of_range_is_told(amount):
    with pytest.raises(twobone.TwoBoneError, match="`liveliness` must"):
        Walker(calm("dog", amount))


@pytest.mark.slow
def test_it_scales_all_that_moves_the_body():
    whole, half = (go(Walker(calm("insect", amount)), 3.0, 1.0, 0.3) for amount in (1.0, 0.5))
    np.testing.assert_allclose(half, 0.5 * whole, atol=1e-3 * np.abs(whole).max())


# --- bodies -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", all_but(creature.ANIMALS, "insect"))
def test_it_bobs_and_holds_its_bounds(name):
    """Bodies went up and down by less than .002 of a leg before."""
    animal = creature.animal(name)
    found = creature.report(creature.walk(animal, seconds=8.0, seed=2), 0.0)
    assert 0.006 < found.bob < 0.05
    assert found.slide == found.depth_of_knees == found.backwards == 0.0
    assert found.greatest_reach < 0.95
    assert found.lateral_speed < (0.35 if name == "bird" else 0.2)  # it sways from foot to foot
    assert found.path_over_distance < 1.08


@pytest.mark.parametrize(("name", "gait"), [("dog", "trot"), *slow(("insect", "wave"))])
def test_it_bobs_twice_in_a_cycle(name, gait):
    walker = Walker(creature.animal(name).with_gait(gait, 0.62))
    speed = 0.8 * walker.animal.speed
    go(walker, 2.0, speed)
    height = go(walker, 4.0, speed)[:, 0, 2]
    spectrum = np.abs(np.fft.rfft((height - height.mean()) * np.hanning(len(height))))
    peak = np.argmax(spectrum) / 4.0
    assert peak == pytest.approx(2.0 * walker._state.cycle.rate[0], abs=0.26)


@pytest.mark.slow
def test_a_bird_rises_over_the_foot_that_bears_it_and_others_sink():
    for name, sign in (("bird", 1.0), ("dog", -1.0), ("insect", -1.0)):
        walker = Walker(name)
        height = go(walker, 3.0, 0.6 * walker.animal.speed)[60:, 0, 2]
        assert sign * np.mean(height) > 0.003 * walker.length


@pytest.mark.parametrize("name", all_but(["dog", "bird", "insect"], "dog"))
def test_it_leans_into_starts_stops_and_turns_and_settles(name):
    walker = Walker(name)
    speed, most = 0.6 * walker.animal.speed, walker._state.anatomy.gains.most
    starts = go(walker, 1.0, speed)[:, 0, 1]
    assert starts.max() > 0.3 * most[1]
    steady = go(walker, 2.0, speed)[-60:, 0, 1]
    assert abs(steady.mean()) < 0.1 * most[1]
    left = go(walker, 2.0, speed, 0.5)[-60:, 0, 0].mean()
    right = go(walker, 2.0, speed, -0.5)[-60:, 0, 0].mean()
    assert left > 0.1 * most[0] > 0.0 > -0.1 * most[0] > right
    go(walker, 2.0, speed)
    stops = go(walker, 1.0)[:, 0, 1]
    assert stops.min() < -0.3 * most[1]
    assert stops.max() > 0.02 * most[1]  # it overshoots
    rests = go(walker, 4.0)[-60:, 0]
    assert np.all(np.abs(rests[:, :2]) < 0.03)
    assert np.abs(rests[:, 2]).max() < 0.01 * walker.length


@pytest.mark.parametrize("aside", all_but([1.0, -1.0], 1.0))
def test_a_shove_is_felt_without_a_jump(aside):
    walker = Walker("dog")
    go(walker, 0.5)
    before = walker._state.suspension.bounce[0].copy()
    walker.shove((0.6 * aside, 0.0))
    felt = go(walker, 0.5, fps=120)[:, 0]
    most = walker._state.anatomy.gains.most
    assert np.max(aside * felt[:, 0]) > 0.2 * most[0]
    assert felt[0, 2] < before[2] - 5e-4 * walker.length  # while its feet still stand
    assert np.min(felt[:, 2]) < -0.01 * walker.length
    assert np.all(np.abs(felt[0] - before) < 0.2 * most)


def test_the_hardest_shoves_and_commands_stay_in_bounds():
    draw = np.random.default_rng(5)
    walker = Walker("dog")
    most = walker._state.anatomy.gains.most
    for _ in range(20):
        walker.shove(draw.normal(size=2) * 20.0)
        found = go(walker, 0.25, draw.normal(size=2) * 9.0, draw.normal() * 9.0)
        assert np.all(np.abs(found[:, 0]) <= most)


@pytest.mark.slow
def test_it_breathes_and_shifts_its_weight_while_it_stands_and_not_while_it_walks():
    walker = Walker("dog")
    stands = go(walker, 12.0)[:, 0]
    swings = np.ptp(stands, axis=0) / [1.0, 1.0, walker.length]
    assert np.all(swings > [0.02, 0.008, 0.008])
    assert np.all(swings < [0.05, 0.02, 0.02])
    assert walker.state.stance.all()
    state = walker._state
    assert liveliness.idleness(state, np.array([0.6 * state.animal.speed])) == 0.0
    assert liveliness.idleness(state, np.zeros(1)) == 1.0


@pytest.mark.slow
def test_neighbours_do_not_breathe_in_unison():
    walkers = Walker("dog", count=2, position=[[0.0, 0.0], [2.0, 0.0]])
    found = go(walkers, 6.0)[:, :, 2]
    assert np.corrcoef(found.T)[0, 1] < 0.9


@pytest.mark.slow
def test_walks_at_30_60_and_120_frames_a_second_are_the_same():
    found = [go(Walker("dog"), 2.0, 0.9, 0.4, fps)[-1] for fps in (30, 60, 120)]
    np.testing.assert_allclose(found[1:], found[:1] * 2, rtol=1e-9)


def test_close_to_a_limit_the_body_keeps_still():
    def goal_of(spare):
        state = Walker("insect")._state
        state.feet.progress[0, :3] = 0.5
        legs = np.full_like(state.slack.legs, spare * state.anatomy.length)
        state.slack = state.slack._replace(legs=legs)
        phases = state.cycle.leg_phases(state.animal.gait, 3)
        liveliness.stir(state, 1.0 / 120.0, np.zeros(1), phases)
        return np.abs(state.suspension.bounce).max()

    assert goal_of(-0.01) == goal_of(0.0) == 0.0
    assert 0.0 < goal_of(0.025) < 0.6 * goal_of(0.05)
    assert goal_of(0.05) == goal_of(0.5)


# --- heads and tails ----------------------------------------------------------------------


def test_a_head_stays_level_and_looks_into_the_turn():
    walker = Walker("dog", lambda x, z: 0.2 * z + 0.0 * x)
    for _ in range(120):
        walker.step(1 / 60, 0.6)
    state = walker.state
    ahead = rotate(state.body_rotation, [0.0, 0.0, 1.0])
    looks = rotate(multiply(state.body_rotation, state.head_rotation), [0.0, 0.0, 1.0])
    assert ahead[1] > 0.1
    assert abs(looks[1]) < 0.3 * ahead[1]
    assert abs(looks[0]) < 0.05
    for _ in range(60):
        walker.step(1 / 60, 0.6, 0.5)
    state = walker.state
    ahead, looks = (
        rotate(turn, [0.0, 0.0, 1.0])
        for turn in (state.body_rotation, multiply(state.body_rotation, state.head_rotation))
    )
    left = math.atan2(looks[0], looks[2]) - math.atan2(ahead[0], ahead[2])
    assert left == pytest.approx(following.AHEAD * 0.5, abs=0.08)


def test_a_head_looks_no_farther_aside_than_it_may():
    walker = Walker("bird")
    for _ in range(120):
        walker.step(1 / 60, 0.0, 9.0)
    assert abs(walker._state.ends.look[0]) <= following.ASIDE


@pytest.mark.parametrize("name", all_but(["insect", "spider"], "insect"))
def test_an_abdomen_lags_behind_a_turn_and_comes_back(name):
    walker = Walker(name)
    aside = []
    for _ in range(30):
        walker.step(1 / 60, 0.0, 0.8)
        aside.append(tail(walker)[0])
    assert max(aside, key=abs) > 0.004  # to the left, from where it came
    for _ in range(240):
        walker.step(1 / 60)
    assert abs(tail(walker)[0]) < 0.02


def tail(walker):
    """Return the direction of the tail in the body's space, less that at rest."""
    arm = walker._state.anatomy.tail.arm[[0, 2, 1]]
    arm = arm / np.linalg.norm(arm)
    return rotate(walker.state.tail_rotation, arm) - arm


def test_a_tail_lags_no_farther_than_it_may():
    walker = Walker("dog")
    walker.shove((50.0, 30.0))
    for _ in range(120):
        walker.step(1 / 120)
        assert np.linalg.norm(tail(walker)) < following.FARTHEST


def test_an_animal_that_is_drawn_without_a_tail_has_none():
    walker = Walker(creature.animal("dog")._replace(appearance=None))
    go(walker, 1.0, 0.8)
    assert walker.state.tail_rotation.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_recordings_have_heads_and_tails_of_the_same_shape_as_the_body():
    walk = creature.walk("bird", seconds=0.5)
    for rotation in (walk.head_rotation, walk.tail_rotation):
        assert rotation.shape == walk.body_rotation.shape
        np.testing.assert_allclose(np.linalg.norm(rotation, axis=-1), 1.0, rtol=1e-12)


def test_states_without_heads_can_be_recorded():
    walker = Walker("dog")
    state = creature.WalkerState(*walker.state[:6])
    assert creature.record(walker, [state], 0.1).head_rotation is None


def test_many_are_as_one():
    places = [[0.0, 0.0], [3.0, 1.0]]
    both = Walker("dog", count=2, position=places)
    alone = [Walker("dog", position=place) for place in places]
    for _ in range(60):
        both.step(1 / 60, 0.9, 0.4)
        for walker in alone:
            walker.step(1 / 60, 0.9, 0.4)
    for n, walker in enumerate(alone):
        for part, own in zip(both.state, walker.state, strict=True):
            np.testing.assert_allclose(part[n], own, rtol=1e-12, atol=1e-12)


def test_the_rotation_between_two_is_that_of_the_algebra():
    first, second = np.random.default_rng(8).normal(size=(2, 5, 4))
    first, second = (q / np.linalg.norm(q, axis=-1, keepdims=True) for q in (first, second))
    found = posture.rotation_between(first, second)
    np.testing.assert_allclose(found, multiply(inverse(first), second), atol=1e-14)
