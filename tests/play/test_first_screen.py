"""The first ten seconds: one line, a large limb, one button; controls for those who open them."""

import re

import numpy as np
import pytest

from browsing import (
    PEN,
    RESTING,
    RESTS,
    button,
    drag,
    handle,
    middle,
    press,
    words_of,
)
from looks import SEEN

SIZES = [(1280, 800), (390, 844), (844, 390), (768, 1024)]
SYMBOLS = {"p", "q", "r\N{SUBSCRIPT ONE}", "r\N{SUBSCRIPT TWO}", "x"}


def has_focus(locator):
    return locator.evaluate("(one) => one === document.activeElement")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_picture_line_and_button_are_on_the_first_screen(visit, width, height):
    page = visit(panel=False, width=width, height=height, script=SEEN)
    page.get_by_text("Drag the hand.\nWhere is the elbow?").wait_for()
    assert page.get_by_role("complementary").is_hidden()
    assert button(page, "Show me why").is_visible()
    assert page.evaluate("faults()") == []
    # The limb is large.
    bones = page.evaluate("pictured().filter(isBone).map((v) => v.line)")
    length = sum(np.linalg.norm(np.subtract(*line)) for line in bones)
    assert length > 0.3 * min(width, height)
    for one in page.get_by_role("main").get_by_role("button").all():
        assert one.inner_text().strip() or one.get_attribute("aria-roledescription") == "handle"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("target=0.75,0.55,0", "Two places: the elbow of this arm, or that of the dashed one."),
        ("target=1.4,0,0", "One place: the arm is straight."),
        ("target=0.2,0,0", "One place: the arm is folded."),
        ("target=2,0,0", "None: too far away by 0.60."),
        ("target=0.1,0,0", "None: too near by 0.10."),
        ("target=0,0,0&r2=0.8", "Anywhere on a circle: the hand is at the shoulder."),
        ("scene=space&r1=0.8", "To any point of the purple circle: drag the pole."),
    ],
)
def test_the_first_screen_says_how_many_places_there_are(visit, state, words):
    assert visit(state, panel=False).get_by_text(words, exact=True).is_visible()


def test_the_first_screen_has_words_and_the_controls_have_symbols(visit):
    page = visit(panel=False, script=PEN)
    assert words_of(page) == ["elbow", "hand", "or here", "shoulder"]
    group = page.get_by_role("group", name=re.compile("^Handles"))
    [only] = group.get_by_role("button").all()
    assert only.get_attribute("aria-label").startswith("Hand: ")
    press(page, "Controls")
    controls = button(page, "Controls")
    page.evaluate(RESTS)
    assert set(words_of(page)) == SYMBOLS | {"s"}
    assert len(group.get_by_role("button").all()) == 5
    assert controls.get_attribute("aria-expanded") == "true"
    assert has_focus(page.get_by_role("complementary"))
    page.keyboard.press("Escape")
    page.get_by_role("complementary").wait_for(state="hidden")
    assert has_focus(controls)


def test_the_first_screen_in_space_has_words_too(visit):
    page = visit("scene=space&r1=0.8", panel=False, script=PEN)
    assert words_of(page) == ["elbow", "hand", "pole", "shoulder"]
    press(page, "Controls")
    page.evaluate(RESTS)
    assert set(words_of(page)) == SYMBOLS | {"pole", "shoulder"}


def test_the_hand_rests_where_a_mouse_comes_to_take_it(visit):
    page = visit("", panel=False)
    page.mouse.move(5, 700)
    for _ in range(40):  # towards where the hand is now
        page.mouse.move(*middle(page, "target"), steps=2)
        if button(page, "Motion").get_attribute("aria-pressed") == "false":
            break
    rests = middle(page, "target")
    page.wait_for_timeout(150)
    assert middle(page, "target") == rests
    drag(page, rests, (rests[0] - 20, rests[1] + 10))
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((rests[0] - 20, rests[1] + 10), abs=1)


def test_what_an_address_gets_wrong_is_said_where_it_is_seen(visit):
    page = visit("r1=x", panel=False)
    assert "Ignored in the address" in page.get_by_role("alert").inner_text()


def test_opening_the_controls_fits_the_view_again(visit):
    page = visit(RESTING, panel=False)
    before, picture = middle(page, "target"), page.get_by_role("img")
    press(page, "Controls")
    page.evaluate(RESTS)
    assert picture.bounding_box()["width"] == 960
    assert middle(page, "target") != before
    press(page, "Close the controls")
    page.evaluate(RESTS)
    assert picture.bounding_box()["width"] == 1280
    assert middle(page, "target") == pytest.approx(before, abs=0.2)


def test_what_cannot_be_reached_is_a_target_and_the_hand_is_where_the_arm_ends(visit):
    page = visit("target=0.75,0.55,0", panel=False, script=PEN)
    assert "target" not in words_of(page)
    page = visit("target=1.3,0.9,0", panel=False, script=PEN)
    assert {"hand", "target"} <= set(words_of(page))
    assert handle(page, "target").get_attribute("aria-label").startswith("Target: ")


# --- an animal --------------------------------------------------------------------------------


def test_the_first_screen_of_the_animal_says_what_one_can_do_and_opens_a_leg(visit):
    page = visit("scene=creature", panel=False)
    page.get_by_text("Click the ground:\nit walks there.").wait_for()
    press(page, "Look at a leg")
    card = page.get_by_role("region", name=re.compile("^(Left|Right) .*leg"))
    card.wait_for()
    assert button(page, "Look at a leg").is_hidden()
    assert has_focus(button(page, "Close the numbers of the leg"))
    page.keyboard.press("Enter")
    card.wait_for(state="hidden")
    assert has_focus(button(page, "Look at a leg"))


def test_on_a_phone_the_first_screen_of_the_animal_speaks_of_taps(visit):
    phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    page = visit("scene=creature", panel=False, **phone)
    page.get_by_text("Tap the ground:\nit walks there.").wait_for()
    assert page.get_by_text("A finger on the ground leads it").is_visible()
    assert page.get_by_text("keys").locator("visible=true").count() == 0
