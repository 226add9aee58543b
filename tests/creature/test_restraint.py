"""Restraint: a step that passes a limit is undone, as little of it as will do."""

import numpy as np
import pytest

from twobone.creature import Walker, carriage, restraint

DT = 1.0 / 120.0
SHIFT, RAISED, ASTRAY = 0.001, 0.8, 0.6  # of the leg's length: harmless, too high, too far away


def stepped(ahead, up):
    """Return a walking insect's state after a step, and what `hold` needs of the state before.

    The step moves the body ahead and raises it, both in units of the leg's length.
    """
    state = Walker("insect")._state
    state.course = state.course.moving(np.array([[0.0, 1.0, 0.0]]))
    state.suspension = state.suspension._replace(plane_rate=np.array([[0.0, 0.0, 1.0]]))
    before = restraint.kept(state)
    length = state.anatomy.length
    state.course = state.course._replace(place=state.course.place + 1j * ahead * length)
    rise = np.array([[0.0, 0.0, up * length]])
    state.suspension = state.suspension._replace(plane=state.suspension.plane + rise)
    state.pose = carriage.pose_of(state)
    return state, before


@pytest.mark.parametrize(
    ("ahead", "up", "goes", "rises"),
    [
        (SHIFT, SHIFT, True, True),
        (ASTRAY, SHIFT, False, True),
        (SHIFT, RAISED, True, False),
        (ASTRAY, RAISED, False, False),
    ],
    ids=["nothing", "the motion", "the settling", "both"],
)
def test_of_motion_and_settling_only_what_straightens_a_leg_is_undone(ahead, up, goes, rises):
    state, before = stepped(ahead, up)
    moved, raised = state.course.place.copy(), state.suspension.plane.copy()
    restraint.hold(state, before, DT)
    place, plane = state.course.place, state.suspension.plane
    assert np.array_equal(place, moved if goes else before.course.place)
    assert np.array_equal(plane, raised if rises else before.suspension.plane)
    assert state.course.motion[0, 1] == (1.0 if goes else restraint.SLOWER)
    assert state.suspension.plane_rate[0, 2] == (1.0 if rises else restraint.SLOWER)
    assert np.all(state.slack.least >= 0.0)


@pytest.mark.parametrize("ahead", [SHIFT, ASTRAY])
def test_feet_in_the_air_go_on_where_setting_back_the_body_is_enough(ahead):
    state, before = stepped(ahead, RAISED)
    state.feet.progress[0, 0] = 0.5  # a hind leg: the first that gets too straight
    state.feet.swing[0, 0, 0, 1] += 0.01
    feet = state.feet.copy()
    restraint.hold(state, before, DT)
    assert all(map(np.array_equal, state.feet, feet))
    assert not state.footholds.held.any()


def test_only_the_walkers_that_pass_a_limit_are_set_back():
    state = Walker("insect", count=2, position=[[0.0, 0.0], [3.0, 0.0]])._state
    before = restraint.kept(state)
    rise = np.array([0.0, RAISED])[:, None] * state.anatomy.length * [0.0, 0.0, 1.0]
    rise[0, 2] = SHIFT
    state.suspension = state.suspension._replace(plane=state.suspension.plane + rise)
    raised = state.suspension.plane.copy()
    state.pose = carriage.pose_of(state)
    restraint.hold(state, before, DT)
    plane = state.suspension.plane
    assert np.array_equal(plane, [raised[0], before.suspension.plane[1]])


def test_a_foot_whose_first_step_is_undone_tries_again():
    state = Walker("insect")._state
    before = restraint.kept(state)
    state.feet.progress[0, 0] = 0.1
    state.feet.swing[0, 0, 0, 2] -= ASTRAY * state.anatomy.length
    state.footholds.nominal[0, 0] += 1j
    state.slack = carriage.slack_of(state)
    restraint.hold(state, before, DT)
    assert not state.feet.flies.any()
    assert np.array_equal(state.footholds.nominal, before.nominal)
