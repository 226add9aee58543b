"""Limbs of skeletons on a page: where points come to lie, and that the text is a picture."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from twobone.pictures import stage as on

RIGHT, UP, FORWARD = np.eye(3)


@pytest.mark.parametrize(
    ("view", "right", "up"),
    [(on.SIDE, FORWARD, UP), (on.FRONT, RIGHT, UP), (on.ABOVE, FORWARD, RIGHT)],
)
def test_a_view_says_what_lies_to_the_right_and_what_up(view, right, up):
    place = on.stage((100.0, 50.0), 10.0, view=view)
    np.testing.assert_allclose(place.at(right), (110.0, 50.0), atol=1e-12)
    np.testing.assert_allclose(place.at(up), (100.0, 40.0), atol=1e-12)
    assert place.toward(np.cross(right, up)) == pytest.approx(1.0)


def test_the_centre_lies_where_it_was_put():
    centre = (0.3, -0.2, 0.7)
    place = on.stage((100.0, 50.0), 10.0, view=(37.0, 21.0), centre=centre)
    np.testing.assert_allclose(place.at(centre), (100.0, 50.0))


def test_what_is_drawn_is_flat_and_keeps_lengths_across_the_line_of_sight():
    place = on.stage((0.0, 0.0), 1.0, view=(37.0, 21.0))
    towards_us = np.cross(place.right, place.up)
    assert np.hypot(*place.along(towards_us)) == pytest.approx(0.0, abs=1e-12)
    assert np.hypot(*place.along(place.right)) == pytest.approx(1.0)


def test_an_arrow_that_points_at_us_is_a_ring():
    place = on.stage((0.0, 0.0), 100.0)
    assert "<circle" in on.arrow(place, "across", np.zeros(3), -RIGHT, 1.0)
    assert "<path" in on.arrow(place, "across", np.zeros(3), UP, 1.0)


@pytest.mark.parametrize(("stop", "beyond"), [(UP, 1.0), (-UP, -1.0)])
def test_an_arc_goes_the_shorter_way_and_keeps_its_radius(stop, beyond):
    place = on.stage((0.0, 0.0), 100.0)
    drawn = on.angle(place, "first", on.Angle(np.zeros(3), FORWARD, stop), 20.0, head=False)
    points = np.array(re.findall(r"[ML](\S+) ([\d.-]+)", drawn), float)
    np.testing.assert_allclose(np.hypot(*points.T), 20.0, atol=0.01)
    np.testing.assert_allclose(points[[0, -1]], [(20.0, 0.0), (0.0, -20.0 * beyond)], atol=0.01)
    assert np.all(points[:, 0] > -0.01)


def test_a_page_is_a_picture_with_a_title():
    place = on.stage((50.0, 50.0), 20.0)
    points = (np.zeros(3), UP, UP + FORWARD)
    parts = [on.bones(place, points), on.bones(place, points, ghost=True), on.faint(place, points)]
    parts += [on.target(place, UP), on.solid(place, "ring", *points), on.code((9.0, 9.0), "a < b")]
    text = on.page("A title", "What is seen", (100.0, 80.0), parts)
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 100 80"
    assert root.find("{*}title").text == "A title"
    assert "a < b" in "".join(root.itertext())
    assert "NaN" not in text
    assert "nan" not in text
