"""Legs in the air: how bent they are, not straightened too far, and lifted smoothly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twobone.motion import swings

COUNT = 60


@given(st.floats(0.0, 10.0), st.floats(1e-3, 1.0))
def test_how_bent_a_leg_is_tells_how_short_of_straight_it_is(short, scale):
    bent = swings.bend(np.array(short), np.array(scale))
    assert swings.short_of(bent, scale) == pytest.approx(short, rel=1e-9, abs=1e-12)


def test_a_bend_is_as_the_angle_near_straight_and_as_the_length_elsewhere():
    near, far = (swings.bend(np.array(short), 0.01) for short in ([1e-6, 4e-6], [1.0, 1.1]))
    assert near[1] / near[0] == pytest.approx(2.0, rel=1e-3)  # twice the angle is four times short
    assert far[1] - far[0] == pytest.approx(0.1, rel=1e-3)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1.0))
def test_legs_in_the_air_are_not_straightened_beyond_a_part_of_what_may_be(bent, least):
    kept = float(swings.kept_bent(np.array(bent), np.array(least)))
    assert kept >= swings.KEPT * least * (1.0 - 1e-9)
    assert kept >= bent * (1.0 - 1e-12)
    assert bent < least or kept == bent


def test_a_leg_that_straightens_evenly_slows_down_smoothly():
    kept = swings.kept_bent(np.linspace(1.0, -1.0, 201), np.array(0.4))
    assert (np.diff(kept) < 0.0).all()
    assert np.abs(np.diff(kept, 2)).max() < 0.2 * 0.01


def test_a_lift_is_no_less_than_needed_and_0_where_the_foot_is_held():
    needed, held = np.zeros((1, COUNT)), np.zeros((1, COUNT), bool)
    needed[0, 30:34], held[0, :20] = 0.02, True
    found = swings.lift(needed, held, 4)
    assert (found >= needed).all()
    assert found[held].max() == 0.0
    assert np.abs(np.diff(found, 2)).max() < 0.005
    assert not swings.lift(np.zeros((1, COUNT)), held, 4).any()
