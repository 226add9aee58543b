"""How far a body may go on: slacks, shares of its speed, the support ahead of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twobone import creature
from twobone.creature import Walker, anatomy, braking, carriage, governor, restraint
from twobone.creature.footing import from_above
from twobone.creature.polygons import signed_distance

NEAR = st.floats(-2.0, 2.0)


def share_of(now, later):
    """Return the share of one body with one slack."""
    return governor.free_fraction(np.array([[now]]), np.array([[later]]))[0]


def test_who_has_slack_enough_keeps_its_speed():
    assert share_of(1.0, 0.0) == 1.0
    assert share_of(0.1, 0.3) == 1.0


def test_the_share_is_that_of_the_time_until_the_slack_is_used_up():
    np.testing.assert_allclose(share_of(0.1, -0.3), 0.25)
    np.testing.assert_allclose(share_of(0.3, -0.1), 0.75)
    assert share_of(0.0, -0.2) == 0.0


def test_what_is_beyond_its_limit_may_come_back_but_go_no_farther():
    assert share_of(-0.3, -0.1) == 1.0
    assert share_of(-0.3, -0.3) == 1.0
    assert share_of(-0.3, -0.5) == 0.0


def test_the_least_of_all_slacks_counts():
    now, later = np.array([[1.0, 0.3], [0.1, 1.0]]), np.array([[1.0, -0.1], [-0.1, 1.0]])
    np.testing.assert_allclose(governor.free_fraction(now, later), [0.75, 0.5])


@given(st.lists(st.tuples(NEAR, NEAR), min_size=3, max_size=8), st.floats(-3.0, 3.0))
def test_the_support_ahead_ends_on_the_edge_of_the_polygon(corners, heading):
    feet = np.array([complex(*corner) for corner in corners])[None]
    way, bears = np.exp(1j * np.array([heading])), np.ones(feet.shape, bool)
    ahead = governor.support_ahead(feet, bears, way)
    points = np.array(corners)[None]
    if np.isfinite(ahead[0]):
        there = ahead * way
        edge = np.stack([there.real, there.imag], -1)
        assert np.abs(signed_distance(edge, points, bears))[0] < 1e-9
        beyond = edge + 1e-3 * np.stack([way.real, way.imag], -1)
        assert signed_distance(beyond, points, bears)[0] <= 1e-9
    else:
        middle = signed_distance(np.zeros((1, 2)), points, bears)
        assert middle[0] <= 1e-9


def test_feet_in_the_air_do_not_bear():
    feet = np.array([[1.0 + 1.0j, 1.0 - 1.0j, -1.0 + 0.0j, 3.0 + 0.1j]])
    bears = np.array([[True, True, True, False]])
    assert governor.support_ahead(feet, bears, np.ones(1)) == 1.0
    assert governor.support_ahead(feet, ~bears | bears, np.ones(1)) > 2.0


@pytest.mark.parametrize("heading", np.arange(0.0, 6.2, 0.7))
def test_a_body_keeps_its_margin_whatever_way_it_goes(heading):
    """Also where it leaves its polygon at an acute angle to an edge."""
    state = Walker("insect")._state
    state.feet.progress[0, [0, 3, 4]] = 0.5  # a tripod in the air
    velocity = 1.2 * np.exp(1j * np.array([heading]))
    motion, places = np.array([[velocity[0].real, velocity[0].imag, 0.0]]), state.feet.places
    spare, least = restraint.SPARE[3] * state.anatomy.length, np.inf
    for _ in range(300):
        share = braking._supported(state, motion)
        state.course = state.course.moving(share[:, None] * motion).after(1.0 / 120.0)
        point = state.course.place[:, None].view(np.float64)
        corners = places[..., None].view(np.float64)
        least = min(least, signed_distance(point, corners, ~state.feet.flies)[0])
    assert spare - 1e-9 <= least < spare + 1e-3


@pytest.mark.parametrize(
    ("gait", "beside", "share"), [("walk", 0.03, 1.0), ("walk", 0.13, 0.0), ("crawl", 0.03, 0.0)]
)
def test_only_in_a_dynamic_gait_a_body_beside_its_feet_goes_on(gait, beside, share):
    """Once it stood still for good where feet found ground on one side only."""
    walker = Walker(creature.animal("dog").with_gait(gait))
    state, length = walker._state, walker.length
    feet = state.feet.swing[..., 0, 0]
    feet += beside * length - feet.min()
    state.course = state.course.moving(np.array([[0.0, 0.1, 0.0]]))
    state.suspension.sway[:] = 0.0
    assert braking._supported(state, state.course.motion) == share


def test_speed_fades_towards_the_edge_of_the_support():
    shares = governor.support_fraction(np.array([3.0, 0.6, 0.2, 0.1, -1.0]), 0.1, 2.0, 0.5)
    np.testing.assert_allclose(shares, [1.0, 0.5, 0.1, 0.0, 0.0])


def slack_of(walker):
    return carriage.slack_of(walker._state)


def test_slacks_are_those_of_legs_knees_and_belly():
    walker = Walker("insect", 0.5)
    left, length = slack_of(walker), walker.length
    away = np.linalg.norm(walker.state.feet - walker.state.hips, axis=-1)
    np.testing.assert_allclose(left.legs[0], governor.STRAIGHT * length - away)
    shins = (1.0 - governor.SHIN[0]) * (walker.state.knees[:, 1] - 0.5)  # lower than the knees
    np.testing.assert_allclose(left.knees[0], shins)
    np.testing.assert_allclose(left.belly, 1.1 - 0.5 * 0.56 - anatomy.DEEPER * length)


def test_shins_are_limits_further_down_if_knees_do_not_point_up():
    walker = Walker("dog", 0.5)
    part = governor.SHIN[governor.BRAKING - 1]
    shins = (1.0 - part) * (walker.state.knees[:, 1] - 0.5)  # lower than the knees
    np.testing.assert_allclose(slack_of(walker).knees[0], shins - 0.02 * walker.length)
    walker.terrain = lambda x, z: 0.5 + 0.0 * x  # it may have edges
    np.testing.assert_allclose(slack_of(walker).knees[0], shins)


@pytest.mark.parametrize("name", ["dog", "insect"])
def test_bodies_do_not_slow_down_for_shins_close_to_the_feet(name):
    walker = Walker(name, 0.5)
    state, legs = walker._state, slice(0, 2)  # those in stance
    # At the last point the shin is as high as the knee, times how far it is from the foot.
    part, clearance = 1.0 - governor.SHIN[-1], governor.BETWEEN * walker.length
    ankles = part * (walker.state.knees[legs, 1] - 0.5)
    ahead = governor.slack(state.terrain, state.anatomy, state.pose, state.feet.points())
    np.testing.assert_allclose(slack_of(walker).least[0, legs], ankles - part * clearance)
    np.testing.assert_array_equal(slack_of(walker).knees, ahead.knees)
    assert np.all(ahead.least[0, legs] > ankles)
    walker.terrain = lambda x, z: 0.5 + 0.0 * x  # it may have edges
    assert np.all(slack_of(walker).least[0, legs] > ankles)


def test_a_folded_leg_has_no_slack():
    walker = Walker("insect")
    state = walker._state
    state.feet.swing[0, 2, 0] = state.pose.hips[0, 2] - [0.0, 0.0, 0.45]
    np.testing.assert_allclose(slack_of(walker).legs[0, 2], 0.45 - 0.4 - 0.04 * walker.length)


def test_a_knee_in_the_body_is_beyond_its_limit():
    walker = Walker("dog")
    state, size = walker._state, np.array(walker.animal.body.size)
    length = walker.length
    assert np.all(slack_of(walker).least > 0.0)
    # A fore foot that is high beside the body folds its leg.
    state.feet.swing[0, 2, 0] = [0.45, 0.44, state.pose.body[0, 2] - 0.15]
    knee = (walker.state.knees[2] - walker.state.body_position) / (0.5 * size)
    away = np.sum(knee**4) ** 0.25
    assert away < 1.0
    np.testing.assert_allclose(slack_of(walker).least[0, 2], 0.04 * length * (away - 1.0))


def test_knees_may_be_in_a_body_that_they_enter_in_a_stride():
    dog, trunks = creature.animal("dog"), []
    for wide in (0.33, 0.43):
        animal = dog._replace(body=dog.body._replace(size=(wide, 0.29, 1.02)))
        walker = Walker(animal)
        trunks.append(walker._state.anatomy.trunk is not None)
        for _ in range(180):
            walker.step(1 / 60, 1.0)
        assert walker.place[0, 1] > 2.0
    assert trunks == [True, False]
    for name in ("insect", "spider", "crab", "centipede"):  # knees point up, beside the body
        assert Walker(name)._state.anatomy.trunk is None


def test_a_narrow_obstacle_under_the_body_and_before_its_head_is_noticed():
    for place in (0.0, 0.9j, 0.4 - 0.5j, 1.3j):

        def post(x, z, place=place):
            return np.where(np.abs(x + 1j * z - place) < 0.3, 1.0, 0.0)

        walker = Walker("insect")
        walker.terrain = type(walker)("insect", post).terrain
        assert slack_of(walker).belly[0] < 0.2, place


def test_the_keel_turns_with_the_body():
    walker = Walker("insect", lambda x, z: 0.3 * z + 0.0 * x, heading=0.7)
    pose, keel = walker._state.pose, walker._state.anatomy.underside.keel
    points = pose.body[0] + keel.T @ pose.axes[0]
    places = from_above(points)
    least = np.min(points[:, 2] - 0.3 * places.imag)
    np.testing.assert_allclose(slack_of(walker).belly, least)
