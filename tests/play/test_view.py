"""What part of the world the picture shows, what may not lie on it or move it, and odd places."""

import numpy as np
import pytest

from browsing import (
    PEN,
    RESTING,
    RESTS,
    address,
    button,
    centre,
    drag,
    drawn,
    enter,
    handle,
    limb_of,
    middle,
    press,
    scale_of,
)

pytestmark = pytest.mark.sampled(3, "nightly")

R1 = "Length of the first bone"


def apart(page, one="target", other="root"):
    """Return how far two handles are from each other, in pixels."""
    return np.linalg.norm(np.subtract(middle(page, one), middle(page, other)))


# --- out of sight -------------------------------------------------------------------------


def test_a_target_that_is_dropped_behind_the_panel_comes_back_into_sight(visit):
    page = visit()
    for name, place in (("target", (1200, 400)), ("root", (1100, 500)), ("target", (40, 36))):
        drag(page, middle(page, name), place)
        page.evaluate(RESTS)
        x, y = middle(page, name)
        assert 0 < x < 960
        assert 0 < y < 800
        handle(page, name).click(trial=True, timeout=2000)  # nothing lies on it


def test_a_hand_that_works_close_up_keeps_its_view(visit):
    page = visit()
    x, y = middle(page, "target")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -1200)
    at = address(page)["at"]
    drag(page, middle(page, "target"), (x + 50, y + 20))
    assert address(page)["at"] == at


def test_a_handle_out_of_sight_does_not_shift_the_picture(visit):
    page = visit("at=3,3,0.5&r1=0.81")
    handle(page, "root").focus()
    page.evaluate(RESTS)
    box = page.get_by_role("img").bounding_box()
    assert (box["x"], box["y"]) == (0, 0)


def test_a_number_out_of_sight_is_shown_in_space_too(visit):
    page = visit("scene=space&r1=0.8")
    box = page.get_by_role("img").bounding_box()
    for name, text in (("Target", "50"), (R1, "1000")):
        field = page.get_by_role("spinbutton", name=name).first
        field.fill(text)
        page.keyboard.press("Enter")
        page.evaluate(RESTS)
        for mark in ("target", "root"):
            x, y = middle(page, mark)
            assert 0 < x < box["width"]
            assert 0 < y < box["height"]


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_a_limb_that_has_become_a_dot_is_shown_large_again(visit, scene):
    page = visit(f"scene={scene}&r1=0.8")
    before = apart(page)
    enter(page, R1, "1000")
    page.evaluate(RESTS)
    assert apart(page) < 5
    press(page, "Undo")
    page.evaluate(RESTS)
    assert apart(page) == pytest.approx(before, abs=0.5)


def test_a_small_limb_is_dragged_finely(visit):
    page = visit("r1=0.0008&r2=0.0006&target=0.0007,0.0005,0")
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 31, y + 17))
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((x - 31, y + 17), abs=1)
    before = limb_of(page)["target"][0]
    handle(page, "target").focus()
    page.keyboard.press("ArrowRight")
    assert limb_of(page)["target"][0] == pytest.approx(before + 0.000014)


def test_escape_takes_nobody_elsewhere(visit):
    page = visit(panel=False)
    handle(page, "target").focus()
    page.keyboard.press("Escape")
    assert handle(page, "target").evaluate("(one) => one === document.activeElement")


# --- the address --------------------------------------------------------------------------


def test_zoom_and_pan_are_in_the_address(visit):
    page = visit()
    page.mouse.move(200, 600)
    page.mouse.wheel(0, -300)
    view = address(page)["at"]
    there = [middle(page, name) for name in ("root", "target")]
    other = visit(f"at={view}&r1=0.8")
    seen = [middle(other, name) for name in ("root", "target")]
    np.testing.assert_allclose(seen, there, atol=0.6)
    # In a window of another size it is the same middle, as near.
    small = visit(f"at={view}&r1=0.8", panel=False, width=480, height=400)
    middles, sides = [], []
    for each, at in ((page, there[1]), (small, middle(small, "target"))):
        box = each.get_by_role("img").bounding_box()
        middles.append(np.subtract(at, centre(each.get_by_role("img"))))
        sides.append(min(box["width"], box["height"]))
    np.testing.assert_allclose(middles[1], middles[0] * sides[1] / sides[0], atol=1)
    page.keyboard.press("0")
    assert "at" not in address(page)


@pytest.mark.parametrize(
    "state",
    ["r1=1e6&r2=1e6&root=1e6,1e6,0&target=-1e6,-1e6,0", "r1=1e-6&r2=1e-6&target=1e-6,5e-7,0",
     "r1=1e-12&r2=1e-12&target=1e-12,5e-13,0", "at=1,1,1e-9", "at=0,0,1e8"],
)  # fmt: skip
def test_huge_and_tiny_views_are_zoomed_the_right_way(visit, state):
    for keys in ("+-", "-+"):
        page = visit(state)
        far = np.linalg.norm(np.subtract(middle(page, "target"), middle(page, "r2")))
        for key in keys:
            page.keyboard.press(key)
            page.evaluate(RESTS)
            before, far = (
                far,
                np.linalg.norm(np.subtract(middle(page, "target"), middle(page, "r2"))),
            )
            assert far >= before - 0.2 if key == "+" else far <= before + 0.2


@pytest.mark.parametrize(("view", "key"), [("zoom=40", "+"), ("zoom=0.06", "-")])
def test_a_view_beyond_the_bounds_does_not_jump_to_them(visit, view, key):
    page = visit(f"scene=space&{view}&pitch=-60")
    page.keyboard.press(key)
    page.keyboard.press("k")
    told = address(page)
    assert (f"zoom={told['zoom']}", told["pitch"]) == (view, "-60")
    # The animal is looked at from within the bounds, and from there the keys go on.
    press(page, "Creature")
    page.keyboard.press("-" if key == "+" else "+")
    page.keyboard.press("i")
    told = address(page)
    assert 0.35 < float(told.get("zoom", 1)) < 3
    assert told["pitch"] == "10"


def test_in_space_the_address_says_how_near(visit):
    page = visit("scene=space&zoom=2.5&yaw=80")
    near = apart(page)
    page.keyboard.press("0")
    assert "zoom" not in address(page)
    assert apart(page) < 0.6 * near


# Chromium's emulation changes the density without telling the page, so this does.
DENSITIES = """
const asked = [], real = matchMedia;
window.matchMedia = (query) => (asked.push(real(query)), asked.at(-1));
window.setDensity = (value) => {
  Object.defineProperty(window, "devicePixelRatio", { value, configurable: true });
  asked.findLast((list) => list.media.includes("resolution"))?.dispatchEvent(new Event("change"));
};
"""


def test_a_picture_is_sharp_after_the_density_alone_has_changed(visit):
    page = visit(width=800, height=500, script=DENSITIES)
    picture = page.get_by_role("img")
    for density in (2, 1.5):
        page.evaluate("setDensity", density)
        page.evaluate(RESTS)
        assert picture.evaluate("(one) => one.width / one.clientWidth") == density


# --- what is drawn ------------------------------------------------------------------------


def test_the_reachable_range_and_the_other_solution_have_lines_of_their_own(visit):
    page = visit(RESTING, script=PEN)
    marks, scale, root = drawn(page), scale_of(page), middle(page, "root")
    rings = [mark["disc"] for mark in marks if mark.get("stroke") == "#7c8087" and "disc" in mark]
    assert sorted(ring[2] for ring in rings) == pytest.approx([0.2 * scale, 1.4 * scale], rel=0.01)
    for x, y, _ in rings:
        assert (x, y) == pytest.approx(root, abs=0.5)
    strokes = [mark.get("stroke") for mark in marks]
    assert strokes.count("#2e87b8") == strokes.count("#c07200") == 1


def test_what_lies_far_beyond_the_picture_is_not_drawn(visit):
    """A browser takes a minute for dashes a million pixels long, such as from within a bone."""
    marks = drawn(visit("scene=space&zoom=40&pitch=-60", script=PEN))
    numbers = [v for mark in marks if "stroke" in mark for at in mark.get("line", []) for v in at]
    assert len(numbers) > 8
    assert np.max(np.abs(numbers)) <= 8000


def test_the_letter_of_a_straight_limb_stands_beside_it(visit):
    page = visit("target=3,0,0", script=PEN)
    [mark] = [mark for mark in drawn(page) if mark.get("text") == "x"]
    assert abs(np.mean(mark["line"], axis=0)[1] - middle(page, "joint")[1]) >= 16


# --- the orbit of the camera --------------------------------------------------------------


def test_what_an_orbit_does_not_change_keeps_its_number(visit):
    page = visit("scene=space&yaw=275&pitch=12.345&zoom=1.23456")
    page.mouse.move(300, 500)
    page.mouse.wheel(0, -200)
    view = address(page)
    assert (view["yaw"], view["pitch"]) == ("275", "12.345")
    assert float(view["zoom"]) > 1.5
    drag(page, (300, 600), (400, 600))
    turned = address(page)
    assert float(turned["yaw"]) == pytest.approx(275 - 40, abs=0.5)  # and not -125
    assert (turned["pitch"], turned["zoom"]) == ("12.345", view["zoom"])


def test_a_drag_ends_at_the_bounds(visit):
    page = visit("scene=space&r1=0.8")
    for end, wanted in ((780, "85"), (20, "-20")):
        for _ in range(2):
            drag(page, (150, 400), (150, end))
        assert address(page)["pitch"] == wanted


def test_nothing_on_the_picture_turns_the_camera(visit):
    page = visit("scene=space&r1=0.8")
    for one in (button(page, "Fit"), handle(page, "target")):
        x, y = centre(one)
        drag(page, (x, y), (x + 50, y + 50))
        assert not {"yaw", "pitch", "zoom"} & address(page).keys()
