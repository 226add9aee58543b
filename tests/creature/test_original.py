"""The original insect, re-created: what was measured of it, and where it fails."""

import math

import numpy as np
import pytest

from measured import measured
from twobone import creature, rotations
from twobone.creature import Noise, original
from twobone.creature.original import original_insect
from twobone.creature.report import report
from twobone.errors import ArrayTypeError, CreatureError

LEG = sum(original.BONES)
FINE = 1 / 997  # no multiple of the stride's parts


def test_what_was_measured_of_the_original_holds():
    found = report(original_insect(Noise(0.1 * LEG, LEG, seed=2), 60.0))
    assert found.slide == 0.0
    assert found.least_feet_down == 3
    assert found.mean_feet_down == pytest.approx(3.96, abs=0.01)
    assert found.least_margin == pytest.approx(-0.146, abs=0.001)
    assert 0 < found.backwards < 0.002


def test_its_wave_runs_the_wrong_way():
    even = original_insect(0.0, 3.0, FINE, surge=0.0)
    assert np.min(measured("static_margin", even)) == pytest.approx(-0.053, abs=0.001)
    phases = tuple(-phase for phase in original.PHASES)
    reversed_wave = original._recorded(creature.Flat(), even.time, FINE, 0.7, 0.0, phases)
    assert np.min(measured("static_margin", reversed_wave)) == pytest.approx(0.047, abs=0.001)


def test_the_front_leg_lifts_before_the_middle_and_the_rear():
    walk = original_insect(0.0, 3.0, FINE)
    lifts = [np.flatnonzero(walk.stance[:-1, leg] & ~walk.stance[1:, leg]) for leg in range(6)]
    assert walk.hips[0, 0, 2] > walk.hips[0, 1, 2] > walk.hips[0, 2, 2]
    third = 0.8 / 0.7 / FINE / 3
    front = lifts[0][0]
    assert np.min(np.abs(lifts[1] - front - third)) < 3
    assert np.min(np.abs(lifts[2] - front - 2 * third)) < 3
    assert np.min(np.abs(lifts[3] - front - 1.5 * third)) < 3  # the other side: half a cycle


def test_its_feet_start_and_stop_at_full_speed():
    """The jump is that of the swing, 2.35 metres a stride along z, however fine the frames."""
    peaks = []
    for dt in (1 / 60, 1 / 120, 1 / 240):
        walk = original_insect(0.0, 8.0, dt)
        peaks.append(measured("peak_acceleration", walk))
        assert np.max(measured("touch_down_speed", walk)) > 2.5
    assert peaks[2] > 3.5 * peaks[0]
    speed = np.diff(original_insect(0.0, 3.0, FINE).feet[..., 2], axis=0) / FINE
    assert np.max(speed) * 0.8 / 0.7 == pytest.approx(0.8 / 0.34, rel=1e-9)


def test_its_bones_stretch_in_silence():
    gentle = report(original_insect(Noise(0.15 * LEG, 2 * LEG, seed=1), 60.0))
    assert gentle.unreachable == 0
    assert gentle.bone_error <= 4.0
    rough = report(original_insect(Noise(0.6 * LEG, 2 * LEG, seed=1), 60.0))
    assert rough.unreachable > 1000
    assert rough.greatest_reach > 2.0  # more than twice as long
    assert rough.greatest_reach > 1.5


def test_a_stretched_knee_lies_on_the_way_to_the_foot():
    walk = original_insect(Noise(0.6 * LEG, 2 * LEG, seed=1), 20.0)
    way, thigh = walk.feet - walk.hips, walk.knees - walk.hips
    far = np.linalg.norm(way, axis=-1) > LEG * (1 + 1e-9)
    sine = np.linalg.norm(np.cross(way, thigh), axis=-1)
    assert np.max(sine[far]) < 1e-9
    size = np.sum(way**2, axis=-1)[far]
    share = (size + 1.6**2 - 1.2**2) / (2 * size)  # the foot point of the article
    np.testing.assert_allclose(thigh[far], share[:, None] * way[far], rtol=0, atol=1e-9)


def test_it_stands_where_the_facts_say():
    walk = original_insect(0.25, 5.0)
    np.testing.assert_array_equal(np.unique(np.abs(walk.hips[..., 0])), [0.5])
    np.testing.assert_array_equal(np.unique(np.abs(walk.feet[..., 0])), [1.5])
    assert walk.hips[0, 0, 0] > 0  # left first
    np.testing.assert_array_equal(walk.bones, np.tile([1.6, 1.2, 0.0], (6, 1)))
    assert np.min(walk.feet[..., 1]) == 0.25
    assert np.all(walk.feet[walk.stance][:, 1] == 0.25)
    assert np.all(walk.knees[..., 1] > 0.25)
    assert walk.time[-1] == pytest.approx(5.0)
    assert len(walk.time) == 301


def test_it_is_pitched_by_the_ground_ahead():
    walk = original_insect(lambda x, z: 0.5 * z, 2.0)  # uphill: the nose goes up
    assert measured("tilt", walk) == pytest.approx(math.atan(0.5), rel=1e-12)
    assert np.all(walk.hips[:, 0, 1] > walk.hips[:, 2, 1])
    nose = walk.hips[:, 0] - walk.hips[:, 2]
    np.testing.assert_allclose(nose[:, 1] / nose[:, 2], 0.5, rtol=1e-12)
    assert np.linalg.norm(nose[0]) == pytest.approx(2.6, rel=1e-12)


def test_the_ground_ahead_is_that_of_a_stride():
    walk = original_insect(lambda x, z: z**2, 0.0)
    assert measured("tilt", walk) == pytest.approx(math.atan(0.8**2 / 0.8), rel=1e-12)


def test_knees_bend_towards_the_up_of_the_body():
    walk = original_insect(lambda x, z: 1.5 * z, 5.0)
    up = rotations.rotate(walk.body_rotation, np.array([0.0, 1.0, 0.0]))[:, None]
    way, thigh = walk.feet - walk.hips, walk.knees - walk.hips
    assert np.max(np.abs(np.sum(np.cross(way, up) * thigh, axis=-1))) < 1e-12
    along = np.sum(way * thigh, axis=-1) / np.sum(way * way, axis=-1)
    assert np.min(np.sum((thigh - along[..., None] * way) * up, axis=-1)) > 0.1


def test_arguments_that_make_no_sense_are_named():
    with pytest.raises(CreatureError, match="`dt` must be positive"):
        original_insect(0.0, 1.0, 0.0)
    with pytest.raises(CreatureError, match="`seconds` must be at least 0"):
        original_insect(0.0, -1.0)
    with pytest.raises(ArrayTypeError, match="`terrain` must be a number, a terrain"):
        original_insect("hills", 1.0)
    assert len(original_insect(0.0, 0.0).time) == 1
