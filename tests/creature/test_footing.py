"""Where feet can stand: the plane through them, footholds in reach, better ones beside."""

import numpy as np
import pytest

from twobone.creature import as_terrain, footing
from twobone.creature.footing import facing, from_above
from twobone.creature.gait import arch

LEANS, HEIGHT = np.array([-0.3, 0.2]), 0.7  # of the normal, for 1 upwards


def tilted(x, z):
    return HEIGHT - LEANS[0] * x - LEANS[1] * z


def random_places(seed, *shape):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def test_places_turn_from_ahead_to_the_left():
    np.testing.assert_allclose(1j * facing(np.array([0.0, np.pi / 2])), [1j, 1.0], atol=1e-15)


def test_the_plane_is_found_that_feet_stand_on_wherever_the_body_is():
    place, heading = random_places(1, 5), np.linspace(-3.0, 3.0, 5)
    feet = footing.on_ground(as_terrain(tilted), random_places(2, 5, 6))
    plane = footing.plane_through(feet, place, facing(heading), 0.0)
    np.testing.assert_allclose(plane[:, 2], tilted(place.real, place.imag), atol=1e-12)
    leans = from_above(plane) * facing(heading)  # back in the world
    np.testing.assert_allclose(leans, np.full(5, LEANS[0] + 1j * LEANS[1]), atol=1e-12)


def test_two_feet_have_a_plane_that_is_level_across_the_line_between_them():
    feet = np.array([[[1.0, 0.0, 0.5], [-1.0, 0.0, -0.5]]])  # x, z, y
    plane = footing.plane_through(feet, np.zeros(1, complex), facing(np.zeros(1)), 0.02)
    np.testing.assert_allclose(plane, [[-1.0 / 2.02, 0.0, 0.0]], atol=1e-12)


@pytest.mark.parametrize("level", [0.0, 5.0])
def test_what_is_in_reach_stays_and_what_is_not_comes_nearer(level):
    places = np.array([0.5, 0.5 + 0.6j, 1.0j, 1.3, 9.0j])
    tops, reach = np.full(5, level + 0.8), np.full(5, 1.2)
    points = footing.within_reach(as_terrain(level), places, np.zeros(5), tops, reach)
    far = np.hypot(np.abs(from_above(points)), 0.8)
    in_reach = np.hypot(np.abs(places), 0.8) <= reach
    assert in_reach.tolist() == [True, True, False, False, False]
    assert np.all(from_above(points)[in_reach] == places[in_reach])
    # Nothing comes nearer than to .6 of its way: the last is as near as that.
    np.testing.assert_allclose(far[2:4], reach[2:4], atol=1e-9)
    np.testing.assert_allclose(from_above(points)[4], 0.6 * places[4])


@pytest.mark.parametrize("level", [0.0, -5.0])
def test_a_better_foothold_is_looked_for_only_where_the_place_itself_is_bad(level):
    def edge(x, z):  # not too high to be stepped on, but not to be stood on
        return np.where(z > 0.01, 0.3, 0.0) + level + 0.0 * x

    aside = beside(edge, np.array([0.5j, 0.0]), level + 0.15)
    assert aside[0] == 0.0
    assert np.abs(aside[1].imag - 0.01) > footing.PAD


def test_what_lies_much_higher_or_lower_than_the_last_stand_is_no_foothold():
    for step in (-2.0, 2.0):

        def narrow(x, z, step=step):
            return np.where(np.abs(z) < 0.05, step, 0.0) + 0.0 * x

        aside = beside(narrow, np.zeros(1, complex), 0.0)
        assert np.abs(aside[0].imag) > 0.05 + footing.PAD


@pytest.mark.parametrize("level", [0.0, 5.0])
def test_a_foothold_is_where_the_leg_is_neither_too_straight_nor_too_folded(level):
    def slope(x, z):
        return level - 0.5 * z + 0.0 * x

    # From a hip that is 0.6 over the ground it is 0.6 down here, and more or less beside.
    hip = {"start": 1.0, "hip": 0.0, "top": level + 0.6}
    assert beside(slope, np.zeros(1, complex), level, near=0.4, far=0.8, **hip) == 0.0
    up = beside(slope, np.zeros(1, complex), level, near=0.2, far=0.56, **hip)[0]
    assert up.imag < -0.05
    assert abs(up) == pytest.approx(footing.ASIDE)
    down = beside(slope, np.zeros(1, complex), level, near=0.64, far=0.8, **hip)[0]
    assert down.imag > 0.05
    assert abs(down) == pytest.approx(footing.ASIDE)


@pytest.mark.parametrize("level", [0.0, 5.0])
def test_who_is_over_a_hole_looks_twice_as_far_and_others_do_not(level):
    def hole(x, z):
        return level - np.where(np.hypot(x, z) < 1.5 * footing.ASIDE, 0.3, 0.0)

    places = np.array([0.0j, 0.0j])
    legs = {"start": 1.0, "hip": 0.0, "top": level + 0.6, "far": np.array([0.8, 1.0])}
    found = beside(hole, places, level, **legs)
    assert abs(found[0]) == pytest.approx(2.0 * footing.ASIDE)
    assert found[1] == 0.0


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_a_better_foothold_rather_makes_a_step_shorter(heading):
    def crack(x, z):
        along = (x + 1j * z) / facing(heading)
        return np.where(np.abs(along.imag) < 0.05, -2.0, 0.0)

    aside = beside(crack, np.zeros(1, complex), 0.0, start=-0.5j * facing(heading))
    assert (aside / facing(heading))[0].imag < -0.05 - footing.PAD


def test_footholds_that_are_equally_good_are_chosen_alike_whatever_is_rounded():
    def pit(x, z):  # all that are as far from its middle are alike
        return 0.25 * np.hypot(x, z) ** 2 - np.where(np.hypot(x, z) < 0.5 * footing.ASIDE, 0.9, 0)

    draw = np.random.default_rng(3)
    places = 1e-15 * (draw.normal(size=50) + 1j * draw.normal(size=50))
    aside = beside(pit, places, 0.0, start=0.0j, hip=0.0, top=0.6)
    np.testing.assert_allclose(aside, footing.ASIDE)  # to the left, the first that is tried
    assert footing.least(np.array([2.0, 1.0 + 1e-12, 1.0]), 1e-9) == 1
    assert footing.least(np.array([2.0, 1.0 + 1e-6, 1.0]), 1e-9) == 2


def beside(ground, places, stood, *, start=None, hip=None, top=0.0, near=0.0, far=np.inf):
    """Return how far beside places footholds are better, for legs one long."""
    points, hips = np.empty((len(places), 3)), places if hip is None else hip
    from_above(points)[...], points[:, 2] = places if start is None else start, stood
    parts = [np.broadcast_to(part, places.shape) for part in (hips, top, near, far)]
    return footing.better(as_terrain(ground), places, 1.0, footing.Standing(points, *parts))


@pytest.mark.parametrize("level", [0.0, 5.0])
def test_feet_are_lifted_over_what_lies_between(level):
    def wall(x, z):
        return np.where(np.abs(z + 0.36) < 0.06, 0.2, 0.0) + level + 0.0 * x

    start, end = np.array([[0.0, -0.5, level]]), np.array([[0.0, 0.5, level]])
    assert footing.lift_over(as_terrain(level), start, end, 0.2, 1.0) == [0.2]
    # It is over the wall .3 of the way through the swing, where it is not yet as high as it gets.
    np.testing.assert_allclose(
        footing.lift_over(as_terrain(wall), start, end, 0.2, 1.0), [0.2 + 0.2 / arch(0.3)]
    )
