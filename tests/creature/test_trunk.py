"""Trunks that bend: they follow the ground, hips and head with them, and stay above it."""

import contextlib

import numpy as np
import pytest

from slow import slow
from twobone import creature
from twobone.creature import Walker, carriage
from twobone.creature.anatomy import anatomy_of, shapes
from twobone.errors import CreatureError
from twobone.rotations import inverse, rotate
from walk_crossings import belly

ROUGHEST = 0.25
CENTIPEDE = creature.animal("centipede")


def bent(amount, body=None):
    """Return the state of a centipede on ground with the shapes of its bends."""
    animal = CENTIPEDE if body is None else CENTIPEDE._replace(body=body)
    half = 0.5 * animal.body.size[2]

    def ground(x, z):
        arch, curve = shapes(z, half)
        return 0.3 + 0.0 * x + amount[0] * arch + amount[1] * curve

    return Walker(animal, ground)._state


@pytest.mark.parametrize("amount", [(0.1, 0.0), (0.0, -0.08), (0.06, 0.05)])
def test_a_trunk_bends_as_the_ground_does(amount):
    state = bent(amount)
    np.testing.assert_allclose(state.suspension.bend[0], amount, atol=1e-3)
    hips = state.pose.hips[0]
    above = hips[:, 2] - state.terrain.height(hips[:, 0], hips[:, 1])
    assert np.ptp(above) < 0.03 * state.anatomy.length


def test_half_as_willing_it_bends_half_as_far():
    whole, half = (bent((0.1, 0.0), CENTIPEDE.body._replace(bend=bend)) for bend in (1.0, 0.5))
    np.testing.assert_allclose(half.suspension.bend, 0.5 * whole.suspension.bend, rtol=1e-9)


def test_on_a_slope_it_stays_straight():
    for slope in (0.0, 0.2):
        state = Walker("centipede", lambda x, z, slope=slope: slope * (z + 0.5 * x))._state
        np.testing.assert_allclose(state.suspension.bend, 0.0, atol=1e-12)


def test_it_bends_by_a_limited_amount():
    state = Walker("centipede")._state
    under = np.full((1, len(state.anatomy.underside.belly)), 0.0)
    under[0, from_ends(state)] = 50.0
    most = carriage.BENDS * state.anatomy.spine.half
    assert carriage.best_bend(state, under)[0, 0] == most


def from_ends(state):
    along = np.abs(state.anatomy.underside.belly.imag)
    return along > 0.9 * np.max(along)


@pytest.mark.parametrize("seed", [3, *slow(710, 716)])
def test_the_body_of_a_centipede_stays_above_the_hills(seed):
    ground = creature.make_terrain(ROUGHEST, "centipede", seed=seed)
    walk = creature.walk("centipede", terrain=ground, seconds=10.0, seed=seed)
    assert belly(walk, ground, CENTIPEDE) <= 0.0
    assert np.max(np.abs(walk.body_bend)) > 0.05
    assert creature.report(walk, ground).greatest_reach <= 0.95


def test_a_recording_says_where_the_trunk_is():
    ground = creature.make_terrain(ROUGHEST, "centipede", seed=5)
    walk = creature.walk("centipede", terrain=ground, seconds=1.0, seed=5)
    hips = rotate(inverse(walk.body_rotation)[:, None], walk.hips - walk.body_position[:, None])
    straight = CENTIPEDE.legs.hips
    heights = [np.polynomial.polynomial.polyval(straight[:, 2], c) for c in walk.body_bend]
    np.testing.assert_allclose(hips[..., 1], straight[:, 1] + heights, atol=1e-12)
    beside = np.tile(straight[:, [0, 2]], (61, 1, 1))
    np.testing.assert_allclose(hips[..., [0, 2]], beside, atol=1e-12)


def test_a_stiff_trunk_does_not_bend():
    walker = Walker("dog", creature.make_terrain(ROUGHEST, "dog", seed=1))
    for _ in range(30):
        walker.step(1 / 60, 0.5)
    assert not walker.state.body_bend.any()
    assert creature.record(walker, [walker.state], 1 / 60).body_bend is None
    assert anatomy_of(walker.animal).spine is None


def test_your_own_animal_can_bend():
    dog = creature.animal("dog")
    dog = dog._replace(body=dog.body._replace(bend=0.5))
    ground = creature.make_terrain(0.15, dog, seed=2)
    found = creature.report(creature.walk(dog, terrain=ground, seconds=4.0, seed=2), ground)
    assert found.slide == found.depth_of_feet == 0.0
    assert found.greatest_reach <= 0.95


@pytest.mark.parametrize("bend", [-0.1, 1.1, np.nan, "much"])
def test_other_fractions_are_refused(bend):
    animal = CENTIPEDE._replace(body=CENTIPEDE.body._replace(bend=bend))
    with pytest.raises((CreatureError, TypeError), match="bend"):
        Walker(animal)


def test_no_body_starts_in_the_ground():
    starts = 0
    for seed in range(40):
        ground = creature.make_terrain(ROUGHEST, "centipede", seed=seed)
        with contextlib.suppress(CreatureError):  # it says that there is no room
            assert Walker("centipede", ground)._state.slack.belly[0] >= -1e-9
            starts += 1
    assert starts >= 35
