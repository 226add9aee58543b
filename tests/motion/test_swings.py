"""Legs in the air: not straightened beyond straight, and lifted smoothly."""

import numpy as np
import pytest

from twobone.motion import swings
from twobone.motion.legs import Turns, no_turn

COUNT = 60


def test_joints_in_the_air_open_by_less_than_there_is_room():
    angle = np.linspace(-0.4, 0.8, COUNT)
    turn = no_turn((1, COUNT))
    turn[0, 0], turn[3, 0] = np.sin(angle / 2), np.cos(angle / 2)
    axis = np.zeros((3, 1, COUNT))
    axis[0] = 1.0
    held = np.zeros((1, COUNT), bool)
    room = np.full((1, COUNT), 0.3)
    found = swings.not_beyond_straight(Turns(turn, turn), room, axis, held, 5, 0)
    opened = 2.0 * np.arctan2(found.mid[0, 0], found.mid[3, 0])
    assert opened.max() < 0.3
    assert opened[-1] > 0.25
    small = angle < 0.2
    assert opened[small] == pytest.approx(angle[small])
    assert (np.diff(opened) > 0.0).all()
    assert found.start == pytest.approx(found.mid)  # scaled together, so that the end keeps its way
    held[:] = True
    found = swings.not_beyond_straight(Turns(turn, turn), room, axis, held, 5, 0)
    assert found.mid == pytest.approx(turn)


def test_corrections_are_reduced_smoothly_before_a_leg_is_straight_for_a_few_frames():
    turn, axis = no_turn((1, COUNT)), np.zeros((3, 1, COUNT))
    turn[0], turn[3], axis[0] = np.sin(0.1), np.cos(0.1), 1.0
    held, room = np.zeros((1, COUNT), bool), np.full((1, COUNT), 0.5)
    room[0, 30:33] = 0.0
    jerks = []
    for ahead in (0, 5):
        found = swings.not_beyond_straight(Turns(turn, turn), room, axis, held, 5, ahead)
        opened = 2.0 * np.arctan2(found.mid[0, 0], found.mid[3, 0])
        assert np.abs(opened[30:33]).max() < 1e-12
        assert opened[[5, 55]] == pytest.approx(0.2)
        jerks.append(np.abs(np.diff(opened, 2)).max())
    assert jerks[1] < 0.2 * jerks[0]


def test_a_lift_is_no_less_than_needed_and_0_where_the_foot_is_held():
    needed, held = np.zeros((1, COUNT)), np.zeros((1, COUNT), bool)
    needed[0, 30:34], held[0, :20] = 0.02, True
    found = swings.lift(needed, held, 4)
    assert (found >= needed).all()
    assert found[held].max() == 0.0
    assert np.abs(np.diff(found, 2)).max() < 0.005
    assert not swings.lift(np.zeros((1, COUNT)), held, 4).any()
