"""Where feet can stand, one function at a time."""

import numpy as np
import pytest

from twobone.creature import as_terrain, footing

LEFT = np.pi / 2  # a heading along +x


def test_a_heading_turns_ahead_to_the_left():
    ahead, left = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    np.testing.assert_allclose(footing.turned(ahead, LEFT), [1.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(footing.turned(left, LEFT), [0.0, -1.0], atol=1e-15)
    np.testing.assert_allclose(footing.turned(footing.turned(ahead, 0.3), -0.3), ahead)


@pytest.mark.parametrize("depth", [-3.0, 3.0])
def test_a_better_place_is_looked_for_beside_holes_and_blocks_only(depth):
    ground = as_terrain(lambda x, z: np.where(x > 0.5, depth, 0.0))
    places = np.array([[0.0, 0.0], [0.55, 0.0], [0.2, 7.0]])
    aside = footing.better(ground, places, np.zeros(3), 2.0)
    assert np.all(aside[[0, 2]] == 0.0)
    assert places[1, 0] + aside[1, 0] < 0.5
    assert np.hypot(*aside[1]) == pytest.approx(footing.ASIDE * 2.0)


def test_what_is_steep_under_the_foot_is_no_place():
    ground = as_terrain(lambda x, z: np.where(np.abs(x) < 0.1, 2.0 * np.abs(0.1 - x), 0.0))
    aside = footing.better(ground, np.zeros((1, 2)), np.zeros(1), 2.0)
    assert abs(aside[0, 0]) > 0.1


@pytest.mark.parametrize("height", [-0.6, 0.0, 0.6])
def test_places_too_far_come_nearer_until_a_leg_gets_there(height):
    ground = as_terrain(lambda x, z: height + 0.0 * x)
    hips = np.array([[1.0, 2.0, 0.8], [1.0, 2.0, 0.8]])
    far, near = [1.0, 4.0], [1.1, 2.1]
    found = footing.within_reach(ground, np.array([far, near]), hips, 2.0)
    np.testing.assert_allclose(found[1], [1.1, height, 2.1])
    along = np.sqrt(4.0 - (0.8 - height) ** 2)
    np.testing.assert_allclose(found[0], [1.0, height, 2.0 + min(along, 2.0)])


def test_a_place_above_an_abyss_keeps_three_fifths_of_the_way():
    ground = as_terrain(lambda x, z: -9.0 + 0.0 * x)
    found = footing.within_reach(ground, np.array([[0.0, 1.0]]), np.zeros((1, 3)), 2.0)
    np.testing.assert_allclose(found, [[0.0, -9.0, 0.6]])


def test_feet_are_lifted_over_what_lies_between():
    ridge = as_terrain(lambda x, z: np.where(np.abs(z - 0.5) < 0.2, 0.3, 0.0) + 0.0 * x)
    start, end = np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]])
    assert footing.lift_over(as_terrain(0.0), start, end, 0.2) == 0.2
    lift = footing.lift_over(ridge, start, end, 0.2)[0]
    t = np.linspace(0.0, 1.0, 1001)
    z = t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
    high = lift * 64.0 * (t * (1.0 - t)) ** 3
    inside = np.abs(z - 0.5) < 0.15
    assert np.all(high[inside] > 0.3)
    assert lift <= 0.2 + 4.0 * 0.2


@pytest.mark.parametrize("heading", [0.0, 0.7, LEFT])
def test_the_plane_through_feet_on_a_slope_is_the_slope(heading):
    homes = np.array([[1.0, -1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    place = np.array([[5.0, -3.0]])
    flat = place[:, None] + footing.turned(homes, heading)
    seen = footing.turned(flat - place[:, None], -heading)
    high = 2.0 + 0.3 * seen[..., 0] - 0.2 * seen[..., 1]
    feet = np.stack([flat[..., 0], high, flat[..., 1]], -1)
    found = footing.plane_through(feet, place, np.array([heading]), homes)
    soft = 4.0 / (4.0 + 0.02 * 8.0)  # what the stiffness leaves of slopes
    np.testing.assert_allclose(found, [[2.0, 0.3 * soft, -0.2 * soft]], atol=1e-12)
