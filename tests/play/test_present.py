"""The presentation: slides, keys of clickers, large type; a link opens it, Escape leaves it."""

import re
from pathlib import Path

import numpy as np
import pytest

from browsing import (
    PEN,
    RESTING,
    RESTS,
    address,
    arrive,
    button,
    current,
    drag,
    drawn,
    handle,
    middle,
    place,
    press,
    still,
)

pytestmark = pytest.mark.sampled(3, "nightly")

AXE = Path(__file__).parents[2] / ".ci/page/node_modules/axe-core/axe.min.js"
SLIDES = [*(f"In the plane, {n} of 7" for n in range(1, 8)),
          *(f"In space, {n} of 5" for n in range(1, 6)),
          *(f"Break it, {n} of 7" for n in range(1, 8))]  # fmt: skip
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)))"
FOCUS = "(one) => one === document.activeElement"


def strip(page):
    return page.get_by_role("navigation", name="Presentation")


def slide(page):
    page.evaluate(FRAME)
    return strip(page).get_by_role("paragraph").inner_text()


def on_strip(page, name):
    return strip(page).get_by_role("button", name=re.compile(f"^{name}"))


def test_a_link_opens_it_with_nothing_but_picture_text_and_strip(visit):
    page = visit("step=3&present=1", panel=False)
    for name in ("Plane", "Controls", "Undo", "Close the lesson", "In space"):
        assert button(page, name).is_hidden()
    assert page.get_by_role("link", name="Skip to the controls").is_hidden()
    assert current(page).get_by_role("heading").inner_text().endswith("Two lengths are two circles")
    assert slide(page) == "In the plane, 3 of 7"
    assert strip(page).bounding_box()["height"] <= 56
    assert page.evaluate("document.body.scrollWidth <= innerWidth")


def test_the_buttons_open_it_and_escape_leaves_it(visit):
    page = visit(RESTING)
    press(page, "Present")
    assert page.get_by_role("complementary").is_hidden()
    assert strip(page).is_visible()
    assert address(page)["present"] == "1"
    page.keyboard.press("Escape")
    strip(page).wait_for(state="hidden")
    assert button(page, "Controls").evaluate(FOCUS)
    assert "present" not in address(page)


def test_a_lesson_goes_on_where_the_presentation_ended(visit):
    page = visit("step=2", panel=False)
    arrive(page, 2)
    press(page, "Present")
    for _ in range(2):
        page.keyboard.press("PageDown")
    assert slide(page) == "In the plane, 4 of 7"
    page.keyboard.press("Escape")
    strip(page).wait_for(state="hidden")
    assert button(page, "Present").evaluate(FOCUS)
    top = page.get_by_role("region", name="Steps of the lesson").bounding_box()["y"]
    assert abs(current(page).bounding_box()["y"] - top) < 8
    still(page)
    assert address(page)["step"] == "4"  # scrolling did not move on


def test_leaving_the_full_screen_leaves_the_presentation(visit):
    # A browser with a screen to fill, and a reader who leaves it by the browser's own Escape.
    script = """
      let full = null;
      Object.defineProperty(document, 'fullscreenElement', { get: () => full });
      const tell = (element) => { full = element; document.dispatchEvent(new Event('fullscreenchange')); };
      Element.prototype.requestFullscreen = async function () { tell(this); };
      document.exitFullscreen = async () => tell(null);
    """  # fmt: skip  # noqa: E501
    page = visit("step=2", panel=False, script=script)
    press(page, "Present")
    assert page.evaluate("document.fullscreenElement?.tagName") == "HTML"
    page.evaluate("document.exitFullscreen()")
    strip(page).wait_for(state="hidden")
    press(page, "Present")
    on_strip(page, "Leave").click()
    assert page.evaluate("document.fullscreenElement") is None


# Whether the text of a slide fits its box, both ways, and how large a line of it is.
TEXT = """(box) => {
  const line = parseFloat(getComputedStyle(box.querySelector("section:not([aria-hidden=true]) p")).fontSize);
  const zoom = box.querySelector("section:not([aria-hidden=true])").currentCSSZoom ?? 1;
  return [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth, line * zoom];
}"""  # noqa: E501


def text_of(page):
    return page.get_by_role("region", name="Steps of the lesson").evaluate(TEXT)


@pytest.mark.parametrize(("width", "height", "least"), [(1920, 1080, 25), (1280, 800, 18)])
def test_the_slides_are_the_first_screen_and_all_lessons_in_large_type(visit, width, height, least):
    page = visit("present=1&r1=0.81", panel=False, width=width, height=height)
    assert slide(page) == "Start"
    assert on_strip(page, "Back").is_disabled()
    for wanted in SLIDES:
        page.keyboard.press("PageDown")
        assert slide(page) == wanted
        over, wide, type_ = text_of(page)
        assert over <= 0, wanted
        assert wide <= 0, wanted
        assert type_ >= least, wanted
    page.keyboard.press("PageDown")
    assert slide(page) == SLIDES[-1]
    assert on_strip(page, "Next").is_disabled()
    for wanted in [*SLIDES[-2::-1], "Start"]:
        page.keyboard.press("PageUp")
        assert slide(page) == wanted


@pytest.mark.parametrize(
    ("key", "back"),
    [("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp"), ("Space", "Shift+Space")],
)
def test_other_keys_change_the_slide_too(visit, key, back):
    page = visit("step=6&present=1", panel=False)
    for pressed, wanted in ((key, 6), (key, 7), (back, 6), (back, 5)):
        page.keyboard.press(pressed)
        assert slide(page) == SLIDES[wanted]


def test_the_strip_is_worked_by_keys_and_keeps_the_focus(visit):
    page = visit("step=6&present=1", panel=False)
    following = on_strip(page, "Next")
    following.focus()
    page.keyboard.press("Enter")
    assert slide(page) == SLIDES[6]
    assert following.evaluate(FOCUS)
    page.keyboard.press("Space")  # presses the button, once
    assert slide(page) == SLIDES[7]
    before = page.screenshot()
    on_strip(page, "Theme").press("Enter")
    page.evaluate(RESTS)
    assert page.screenshot() != before
    on_strip(page, "Leave").press("Enter")
    strip(page).wait_for(state="hidden")
    page = visit("lesson=break&step=6&present=1", panel=False)
    on_strip(page, "Next").press("Enter")
    page.evaluate(FRAME)
    assert on_strip(page, "Back").evaluate(FOCUS)


def test_after_a_drag_the_keys_belong_to_the_slides(visit):
    page = visit("step=3&present=1", panel=False, width=1920, height=1080, script=PEN)
    still(page)
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 90, y + 60))
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((x - 90, y + 60), abs=1)
    spots = [mark["disc"][:2] for mark in drawn(page) if "disc" in mark and "fill" in mark]
    away = np.linalg.norm(np.subtract(spots, (x - 90, y + 60)), axis=1)
    assert min(away) < 1  # what is drawn is where the hand is
    page.mouse.click(500, 700)  # a press on the picture brings it there
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((500, 700), abs=1)
    page.keyboard.press("PageDown")
    assert slide(page) == SLIDES[3]
    page.keyboard.press("ArrowLeft")
    assert slide(page) == SLIDES[2]


def test_with_the_focus_on_the_hand_arrows_move_it_and_page_keys_change_the_slide(visit):
    page = visit("lesson=space&step=2&present=1", panel=False)
    still(page)
    handle(page, "target").focus()
    before = place(page, "target")
    page.keyboard.press("ArrowRight")
    assert slide(page) == "In space, 2 of 5"
    assert place(page, "target") != before
    page.keyboard.press("PageDown")
    assert slide(page) == "In space, 3 of 5"


def test_at_a_zoom_of_400_percent_the_text_has_the_window(visit):
    page = visit("step=4&present=1", panel=False, width=320, height=256)
    steps = page.get_by_role("region", name="Steps of the lesson")
    box, low = steps.bounding_box(), strip(page).bounding_box()
    assert box["x"] >= 0
    assert box["width"] > 280
    assert box["y"] + box["height"] <= low["y"] + 1
    over, wide, _ = text_of(page)
    assert wide <= 0
    assert over > 0
    for one in strip(page).get_by_role("button").all():
        box = one.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        assert min(box["width"], box["height"]) >= 24
    page.keyboard.press("ArrowDown")  # scrolls
    assert slide(page) == SLIDES[3]
    page.keyboard.press("ArrowRight")
    assert slide(page) == SLIDES[4]


def test_the_reply_to_a_task_fits_too(visit):
    page = visit("step=7&present=1", panel=False)
    still(page)
    page.keyboard.press("f")
    page.get_by_text("Task, done:").wait_for(state="attached")
    page.evaluate(FRAME)
    reply = current(page).get_by_role("paragraph").last
    assert reply.is_visible()
    assert text_of(page)[0] <= 0


def test_the_picture_is_drawn_larger_and_the_first_slide_asks(visit):
    page = visit("present=1&r1=0.81", panel=False, width=1920, height=1080, script=PEN)
    words = [mark for mark in drawn(page) if "text" in mark]
    line = page.get_by_text("Drag the hand.\nWhere is the elbow?")
    assert line.bounding_box()["height"] > 2 * 56  # two lines
    sizes = [mark["line"][1][1] - mark["line"][0][1] for mark in words]
    assert min(sizes) > 1.8 * 0.8 * 16
    press(page, "Show me why")
    assert slide(page) == SLIDES[0]
    page.keyboard.press("Escape")
    page.evaluate(RESTS)
    sizes = [v["line"][1][1] - v["line"][0][1] for v in drawn(page) if "text" in v]
    assert max(sizes) < 1.2 * 0.8 * 22


def test_what_an_address_gets_wrong_is_said_over_the_picture(visit):
    page = visit("r1=x&present=1", panel=False)
    said = page.get_by_role("alert")
    assert "Ignored in the address" in said.inner_text()
    assert page.get_by_role("complementary").is_hidden()
    drag(page, middle(page, "target"), (600, 300))
    said.wait_for(state="hidden")


def test_a_clicker_leads_from_the_creature_to_the_lesson(visit):
    page = visit("scene=creature&present=1", panel=False)
    page.keyboard.press("PageDown")
    strip(page).get_by_text(SLIDES[0]).wait_for()


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci --prefix .ci/page")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_a_contrast_of_seven_to_one(visit, scheme):
    run = (
        "axe.run(document, { runOnly: ['color-contrast-enhanced', 'target-size'] })"
        ".then((found) => found.violations.flatMap((v) => v.nodes.map((n) => [v.id, n.html])))"
    )
    options = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
    for state in ("r1=0.81", "step=3", "step=5", "step=7", "lesson=space&step=4",
                    "lesson=break&step=1", "lesson=break&step=6"):  # fmt: skip
        page = visit(f"{state}&present=1", panel=False, **options)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(run) == [], state
