"""What an eye sees: gaits that change without jolts, arms that swing, animals that live at rest."""

import itertools

import numpy as np
import pytest

from slow import slow
from twobone import creature
from twobone.creature import Slope, Walker
from twobone.rotations import multiply, rotate

FPS, GRAVITY = 120, 9.81


def go(walker, seconds, speed_at):
    """Walk forward at speeds that a function of time gives; return a recording."""
    states = [walker.state]
    for frame in range(round(seconds * FPS)):
        walker.step(1.0 / FPS, speed_at(frame / FPS))
        states.append(walker.state)
    return creature.record(walker, states, 1.0 / FPS)


def forces(walk):
    """Return the vertical acceleration of the hips in g."""
    return np.diff(walk.hips[..., 1].mean(axis=1), n=2) * FPS * FPS / GRAVITY


@pytest.mark.parametrize(
    ("name", "speeds"),
    slow(("dog", (0.9, 2.2, 3.6, 6.0)), ("horse", (1.6, 3.6, 5.5, 10.0)), ("human", (1.3, 5.0))),
)
def test_changes_of_gait_take_little_more_force_than_the_gaits(name, speeds):
    steady = []
    for speed in speeds:
        walker = Walker(name)
        walker.step(6.0, speed)
        steady.append(forces(go(walker, 2.0, lambda _, speed=speed: speed)))
    fastest = speeds[-1]
    there_and_back = go(Walker(name), 14.0, lambda time: fastest * max(0.0, 1 - abs(time / 7 - 1)))
    needed = np.concatenate(steady)
    found = forces(there_and_back)
    assert found.min() > needed.min() - 0.5
    assert found.max() < needed.max() + 0.5


@pytest.mark.parametrize("name", ["dog", "human"])
def test_at_rest_it_breathes_and_makes_small_steps_with_one_leg_after_another(name):
    walk = go(Walker(name), 26.0, lambda _: 0.0)
    hip = creature.animal(name).anatomy.hip
    assert 0.003 * hip < np.ptp(walk.body_position[:, 1]) < 0.03 * hip
    assert 0.01 * hip < np.ptp(walk.body_position[:, 0]) < 0.1 * hip
    lifts = np.argwhere(walk.stance[:-1] & ~walk.stance[1:])
    assert len(lifts) >= 2
    assert all(a[1] != b[1] for a, b in itertools.pairwise(lifts))
    assert np.max(np.linalg.norm(walk.feet - walk.feet[0], axis=-1)) < 0.15 * hip


@pytest.mark.parametrize(("name", "node"), [("dog", "head"), ("insect", "antenna_left")])
def test_at_rest_it_looks_around_and_when_it_walks_it_looks_ahead(name, node):
    index = [link.node for link in creature.animal(name).anatomy.links].index(node)
    turned = {}
    for speed in (0.0, 0.9):
        walker = Walker(name)
        walker.step(4.0, speed)
        walk = go(walker, 20.0, lambda _, speed=speed: speed)
        aside = rotate(walk.neck[:, index], np.array([0.0, 0.0, 1.0]))[:, 0]
        turned[speed] = np.std(aside)
    assert turned[0.0] > 0.2
    assert turned[0.9] < 0.6 * turned[0.0]


def test_without_liveliness_it_rests():
    walk = go(Walker(creature.animal("dog").with_liveliness(0.0)), 10.0, lambda _: 0.0)
    assert walk.stance.all()
    assert np.ptp(walk.stations, axis=0).max() < 1e-6


@pytest.mark.parametrize("name", creature.ANIMALS)
def test_no_step_straggles_after_a_stop(name):
    """The last foot lands within 1/3 s after the body has a tenth of its speed left."""
    speed = 0.8 * creature.animal(name).walking_speed
    for seconds in (5.0, 5.2, 5.4):
        walker = Walker(creature.animal(name).with_liveliness(0.0))
        walker.step(seconds, speed)
        walk = go(walker, 4.0, lambda _: 0.0)
        lifted = np.flatnonzero(~walk.stance.all(axis=1))
        pace = np.linalg.norm(np.diff(walk.body_position[:, ::2], axis=0), axis=1) * FPS
        slow_from = np.flatnonzero(pace > 0.1 * speed)[-1]
        assert lifted[-1] < slow_from + FPS / 3


def test_feet_that_reach_the_place_of_a_stop_do_not_step_again():
    walker = Walker(creature.animal("human").with_liveliness(0.0))
    walker.step(5.0, 1.35)
    walk = go(walker, 4.0, lambda _: 0.0)
    assert np.sum(walk.stance[:-1] & ~walk.stance[1:]) <= 3


def test_a_knee_that_locks_is_nearly_straight_while_its_foot_stands():
    horse = creature.animal("horse")
    free = tuple(leg._replace(locks=0.0) for leg in horse.anatomy.legs)
    bent = []
    for legs in (horse.anatomy.legs, free):
        walker = Walker(horse._replace(anatomy=horse.anatomy._replace(legs=legs)))
        walker.step(4.0, 1.6)
        walk = go(walker, 2.0, lambda _: 1.6)
        shin, third = walk.ankles - walk.knees, walk.feet - walk.ankles
        lengths = np.linalg.norm(shin, axis=-1) * np.linalg.norm(third, axis=-1)
        angles = np.degrees(np.arccos(np.clip(np.sum(shin * third, axis=-1) / lengths, -1, 1)))
        bent.append(np.percentile(angles[:, 2:][walk.stance[:, 2:]], 80))
    assert bent[0] < 0.5 * bent[1]


def test_a_tail_streams_behind_in_a_gallop():
    ends = {}
    for speed in (1.6, 9.0):
        walker = Walker("horse")
        walker.step(8.0, speed)
        tail = go(walker, 1.0, lambda _, speed=speed: speed).tail[:, -1]
        ends[speed] = rotate(tail, np.array([0.0, -1.0, 0.0]))[:, 2]
    assert np.abs(ends[1.6]).max() < 0.4
    assert ends[9.0].mean() < -0.5


def test_arms_swing_against_the_legs_of_their_side():
    walker = Walker("human")
    walker.step(4.0, 1.35)
    walk = go(walker, 3.0, lambda _: 1.35)
    nodes = [link.node for link in walker.animal.anatomy.links]
    for leg, side in enumerate(["left", "right"]):
        arm = rotate(walk.neck[:, nodes.index(f"arm_{side}")], np.array([0.0, -1.0, 0.0]))[:, 2]
        ahead = walk.feet[:, leg, 2] - walk.hips[:, leg, 2]
        assert np.corrcoef(arm, ahead)[0, 1] < -0.6
        assert np.degrees(np.ptp(np.arcsin(arm))) > 25.0


@pytest.mark.parametrize(("name", "speed"), [("dog", 5.0), ("horse", 9.0)])
def test_in_a_gallop_the_neck_sinks_with_the_fore_hand_and_hind_legs_reach_behind(name, speed):
    walker = Walker(name)
    walker.step(8.0, speed)
    walk = go(walker, 1.0, lambda _: speed)
    neck = multiply(walk.station_rotations[:, -1], walk.neck[:, 0])
    pitch = np.degrees(np.arcsin(rotate(neck, np.array([0.0, 0.0, 1.0]))[:, 1]))
    assert np.ptp(pitch) > 10.0
    assert np.corrcoef(pitch, walk.stations[:, -1, 1])[0, 1] > 0.6
    behind = (walk.hips - walk.feet)[:, :2, 2] / walker.animal.anatomy.hip
    assert -behind.min() < 1.15 * behind.max()
    assert behind.max() > 0.48


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0)])
def test_a_trunk_leans_away_from_a_push_comes_back_and_arms_stay_behind(way):
    walker = Walker("human")
    walker.step(1.0, 0.0)
    walker.shove([1.5 * part for part in way])
    walk = go(walker, 3.0, lambda _: 0.0)
    along = np.array([way[0], 0.0, way[1]])
    up = rotate(walk.station_rotations[:, 0], np.array([0.0, 1.0, 0.0])) @ along
    nodes = [link.node for link in walker.animal.anatomy.links]
    soon, hands = slice(0, FPS // 3), []
    for side in ("left", "right"):
        arm = multiply(walk.station_rotations[:, -1], walk.neck[:, nodes.index(f"arm_{side}")])
        hands.append(rotate(arm, np.array([0.0, -1.0, 0.0])) @ along)
    assert 5.0 < np.degrees(np.arcsin(up[soon].max())) < 20.0
    assert max(hand[soon].mean() for hand in hands) < -0.05
    assert np.abs(np.degrees(np.arcsin(up[-1]))) < 1.0


@pytest.mark.parametrize("name", ["dog", "insect"])
@pytest.mark.parametrize("turn", [-0.4, 0.4])
def test_who_walks_a_curve_looks_into_it(name, turn):
    walker = Walker(name)
    walker.step(3.0, 0.5 * walker.animal.walking_speed, turn)
    nodes = [link.node for link in walker.animal.anatomy.links]
    ahead = rotate(walker.state.neck[nodes.index("head")], np.array([0.0, 0.0, 1.0]))
    assert ahead[0] / turn > 0.3


def test_a_bird_holds_its_head_still_as_it_walks_and_not_as_it_runs():
    """The head stays where it is in space for half of each step, and is thrust forward."""
    still = {}
    for speed in (0.6, 0.9, 3.0):
        walker = Walker("bird")
        walker.step(4.0, speed)
        walk = go(walker, 2.0, lambda _, speed=speed: speed)
        shape = walker.animal.appearance
        up = np.subtract(shape.head, shape.pivots[0].place) * walk.bones.sum(axis=1).max()
        turned = rotate(walk.station_rotations[:, -1], rotate(walk.neck[:, 0], up))
        head = walk.stations[:, -1, 2] + turned[:, 2]
        still[speed] = np.mean(np.abs(np.diff(head) / walk.dt) < 0.25 * speed)
    assert min(still[0.6], still[0.9]) > 0.5
    assert still[3.0] == 0.0


def test_a_human_walks_on_legs_that_are_nearly_straight_and_lands_on_its_heels():
    walker = Walker("human")
    walker.step(4.0, 1.35)
    walk = go(walker, 2.0, lambda _: 1.35)
    thigh, shin = walk.knees - walk.hips, walk.ankles - walk.knees
    lengths = np.linalg.norm(thigh, axis=-1) * np.linalg.norm(shin, axis=-1)
    knee = np.degrees(np.arccos(np.sum(thigh * shin, axis=-1) / lengths))
    under = walk.stance & (np.abs(walk.ankles - walk.hips)[..., 2] < 0.1)
    assert np.median(knee[under]) < 21.0
    assert 50.0 < knee[~walk.stance].max() < 75.0
    toes = rotate(walk.foot_rotation, np.array([0.0, 0.0, 1.0]))[..., 1]
    heel = walk.feet[..., 1] - 0.18 * toes
    lands = ~walk.stance[:-1] & walk.stance[1:]
    before = np.roll(lands, -7, axis=0)  # .06 s
    assert np.degrees(np.arcsin(toes[:-1][before])).min() > 4.0
    assert np.abs(heel[:-1][before]).max() < 0.04
    assert heel.min() > -0.03


@pytest.mark.parametrize("uphill", [0.0, 90.0])
def test_feet_that_stand_are_flat_on_a_slope(uphill):
    walker = Walker("dog", Slope(10.0, uphill))
    walk = go(walker, 2.0, lambda _: 0.6)
    up = rotate(walk.foot_rotation, np.array([0.0, 1.0, 0.0]))
    rise, angle = np.tan(np.radians(10.0)), np.radians(uphill)
    normal = np.array([-rise * np.sin(angle), 1.0, -rise * np.cos(angle)])
    normal /= np.linalg.norm(normal)
    off = np.degrees(np.arccos(np.clip(up @ normal, -1.0, 1.0)))
    flat = off[walk.stance]
    assert np.median(flat) < 1.0
    assert off[~walk.stance].max() > 20.0  # in the air they curl
