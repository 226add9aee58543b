"""The presentation: slides, keys of clickers, large type; a link opens it, Escape leaves it."""

from pathlib import Path

import pytest

from browsing import RESTING, drag, limb_of, middle

AXE = Path(__file__).parents[2] / ".ci/page/node_modules/axe-core/axe.min.js"
WHERE = "[state.now.lesson, state.now.step]"
SLIDES = [("plane", n + 1) for n in range(7)] + [("space", n + 1) for n in range(5)]
SLIDES += [("break", n + 1) for n in range(7)]


def slide(page):
    page.evaluate("main.drawNow()")
    lesson, step = page.evaluate(WHERE)
    return (lesson, step) if step else None


def test_a_link_opens_it_with_nothing_but_picture_text_and_strip(visit):
    page = visit("step=3&present=1", panel=False)
    for part in ("#bar button", "#tools", "#panel"):
        assert page.locator(part).first.is_hidden()
    for part in ("#lesson > header", "#lesson > footer", ".skip"):
        assert page.locator(part).is_hidden()
    assert page.locator(".step:visible").count() == 1
    assert page.locator(".step:visible h2").inner_text().endswith("Two lengths are two circles")
    strip = page.locator("#strip")
    assert strip.inner_text().split()[:7] == ["Back", "In", "the", "plane,", "3", "of", "7"]
    assert strip.bounding_box()["height"] <= 56
    assert page.evaluate("document.body.scrollWidth <= innerWidth")


def test_the_buttons_open_it_and_escape_leaves_it(visit):
    page = visit(RESTING)
    page.locator("#panel [data-present]").click()
    assert page.locator("#panel").is_hidden()
    assert page.locator("#strip").is_visible()
    page.wait_for_function("() => location.hash.includes('present=1')")
    page.keyboard.press("Escape")
    assert page.locator("#strip").is_hidden()
    assert page.locator("#panel-open").is_visible()
    assert page.evaluate("document.activeElement.id") == "panel-open"
    page.wait_for_function("() => !location.hash.includes('present')")


def test_a_lesson_goes_on_where_the_presentation_ended(visit):
    page = visit("step=2", panel=False)
    page.locator("#present-tool").click()
    for _ in range(2):
        page.keyboard.press("PageDown")
    assert slide(page) == ("plane", 4)
    page.keyboard.press("Escape")
    assert slide(page) == ("plane", 4)
    assert page.evaluate("document.activeElement.id") == "present-tool"
    top = "document.querySelectorAll('.step')[3].getBoundingClientRect().top"
    header = page.locator("#lesson > header").bounding_box()
    assert abs(page.evaluate(top) - header["y"] - header["height"]) < 8
    page.wait_for_timeout(300)
    assert slide(page) == ("plane", 4)  # scrolling did not move on


def test_leaving_the_full_screen_leaves_the_presentation(visit):
    script = """
      let full = null;
      Object.defineProperty(document, 'fullscreenElement', { get: () => full });
      const tell = (element) => { full = element; document.dispatchEvent(new Event('fullscreenchange')); };
      Element.prototype.requestFullscreen = async function () { tell(this); };
      document.exitFullscreen = async () => tell(null);
    """  # fmt: skip  # noqa: E501
    page = visit("step=2", panel=False, script=script)
    page.locator("#present-tool").click()
    assert page.evaluate("document.fullscreenElement?.tagName") == "HTML"
    page.evaluate("document.exitFullscreen()")  # what a browser does with Escape
    assert page.locator("#strip").is_hidden()
    page.locator("#present-tool").click()
    page.locator("#strip-leave").click()
    assert page.evaluate("document.fullscreenElement") is None


def test_the_slides_are_the_first_screen_and_all_lessons(visit):
    page = visit("present=1&r1=0.81", panel=False)
    assert slide(page) is None
    assert page.locator("#strip-back").is_disabled()
    for wanted in SLIDES:
        page.keyboard.press("PageDown")
        assert slide(page) == wanted
        assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("PageDown")
    assert slide(page) == SLIDES[-1]
    assert page.locator("#strip-next").is_disabled()
    for wanted in [*SLIDES[-2::-1], None]:
        page.keyboard.press("PageUp")
        assert slide(page) == wanted


@pytest.mark.parametrize(
    ("key", "back"),
    [("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp"), ("Space", "Shift+Space")],
)
def test_other_keys_change_the_slide_too(visit, key, back):
    page = visit("step=6&present=1", panel=False)
    for wanted in (("plane", 7), ("space", 1)):
        page.keyboard.press(key)
        assert slide(page) == wanted
    for wanted in (("plane", 7), ("plane", 6)):
        page.keyboard.press(back)
        assert slide(page) == wanted


def test_the_strip_is_worked_by_keys_and_keeps_the_focus(visit):
    page = visit("step=6&present=1", panel=False)
    page.locator("#strip-next").focus()
    page.keyboard.press("Enter")
    assert slide(page) == ("plane", 7)
    assert page.evaluate("document.activeElement.id") == "strip-next"
    page.keyboard.press("Space")  # presses the button, once
    assert slide(page) == ("space", 1)
    page.locator("#strip-theme").press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("#strip-leave").press("Enter")
    assert page.locator("#strip").is_hidden()
    page = visit("lesson=break&step=6&present=1", panel=False)
    page.locator("#strip-next").press("Enter")
    assert page.evaluate("document.activeElement.id") == "strip-back"


def test_after_a_drag_the_keys_belong_to_the_slides(visit):
    page = visit("step=3&present=1", panel=False, width=1920, height=1080)
    page.wait_for_function("() => !lesson.isMoving()")
    assert page.evaluate("mode.scale()") > 1.5
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 90, y + 60))
    page.wait_for_timeout(60)
    assert middle(page, "target") == pytest.approx((x - 90, y + 60), abs=1)
    shown = page.evaluate("plane.toPixels(state.now.target).map((v) => v * mode.scale())")
    assert shown == pytest.approx((x - 90, y + 60), abs=1)
    before = limb_of(page)["target"]
    page.keyboard.press("PageDown")
    assert slide(page) == ("plane", 4)
    page.keyboard.press("ArrowLeft")
    assert slide(page) == ("plane", 3)
    assert before != [0.75, 0.55, 0.35]


def test_with_the_focus_on_the_hand_arrows_move_it_and_page_keys_change_the_slide(visit):
    page = visit("lesson=space&step=2&present=1", panel=False)
    page.wait_for_function("() => !lesson.isMoving()")
    page.locator("#handle-target").focus()
    before = limb_of(page)["target"]
    page.keyboard.press("ArrowRight")
    after = limb_of(page)["target"]
    assert after != before
    assert slide(page) == ("space", 2)
    page.keyboard.press("PageDown")
    assert slide(page) == ("space", 3)


def test_a_press_on_the_picture_brings_the_hand_there(visit):
    page = visit("step=3&present=1", panel=False, width=1920, height=1080)
    page.wait_for_function("() => !lesson.isMoving()")
    page.mouse.click(500, 700)
    page.wait_for_timeout(60)
    assert middle(page, "target") == pytest.approx((500, 700), abs=1)


TEXT = """() => {
  const scroller = document.getElementById("lesson-scroll");
  const p = document.querySelector(".step.now p");
  const line = p.getBoundingClientRect().height / p.offsetHeight;
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--slide"));
  return { over: scroller.scrollHeight - scroller.clientHeight,
    wide: scroller.scrollWidth - scroller.clientWidth, type: 16 * zoom };
}"""


@pytest.mark.parametrize(("width", "height", "least"), [(1920, 1080, 25), (1280, 800, 18)])
def test_every_slide_fits_and_has_large_type(visit, width, height, least):
    page = visit("present=1&r1=0.81", panel=False, width=width, height=height)
    for wanted in SLIDES:
        page.keyboard.press("PageDown")
        page.evaluate("main.drawNow()")
        text = page.evaluate(TEXT)
        assert text["over"] <= 0, wanted
        assert text["wide"] <= 0, wanted
        assert text["type"] >= least, wanted


def test_at_a_zoom_of_400_percent_the_text_has_the_window(visit):
    page = visit("step=4&present=1", panel=False, width=320, height=256)
    lesson, strip = (page.locator(f"#{id}").bounding_box() for id in ("lesson", "strip"))
    assert (lesson["x"], lesson["width"]) == (0, 320)
    assert lesson["y"] + lesson["height"] == pytest.approx(strip["y"], abs=1)
    text = page.evaluate(TEXT)
    assert text["wide"] <= 0
    assert text["over"] > 0
    for button in page.locator("#strip button:visible").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        assert min(box["width"], box["height"]) >= 24
    page.keyboard.press("ArrowDown")  # scrolls
    assert slide(page) == ("plane", 4)
    page.keyboard.press("ArrowRight")
    assert slide(page) == ("plane", 5)


def test_the_reply_to_a_task_fits_too(visit):
    page = visit("step=7&present=1", panel=False)
    page.wait_for_function("() => !lesson.isMoving()")
    assert page.locator(".step.now .reply").is_hidden()
    page.keyboard.press("f")
    page.wait_for_function("() => lesson.isSolved('plane', 7)")
    page.evaluate("main.drawNow()")
    assert page.locator(".step.now .reply").is_visible()
    assert page.evaluate(TEXT)["over"] <= 0


def test_the_picture_is_drawn_larger_and_the_first_slide_asks(visit):
    page = visit("present=1&r1=0.81", panel=False, width=1920, height=1080)
    scale = page.evaluate("mode.scale()")
    assert scale > 1.8
    assert page.evaluate("main.size()")["width"] == pytest.approx(1920 / scale, abs=1)
    size = "parseFloat(getComputedStyle(document.getElementById('intro-line')).fontSize)"
    slide = "Number(getComputedStyle(document.documentElement).getPropertyValue('--slide'))"
    assert page.evaluate(f"{size} * {slide}") >= 56
    page.locator("#intro-why").click()
    page.wait_for_function("() => state.now.step === 1")
    page.keyboard.press("Escape")
    assert page.evaluate("mode.scale()") == 1


def test_what_an_address_gets_wrong_is_said_over_the_picture(visit):
    page = visit("r1=x&present=1", panel=False)
    assert "Ignored in the address" in page.locator("#notice").inner_text()
    assert page.locator("#panel").is_hidden()
    drag(page, middle(page, "target"), (600, 300))
    assert page.locator("#notice").is_hidden()


def test_a_clicker_leads_from_the_creature_to_the_lesson(visit):
    page = visit("scene=creature&present=1", panel=False)
    page.keyboard.press("PageDown")
    assert slide(page) == ("plane", 1)


@pytest.mark.slow
@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci --prefix .ci/page")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_a_contrast_of_seven_to_one(visit, scheme):
    run = (
        "axe.run(document, { runOnly: ['color-contrast-enhanced', 'target-size'] })"
        ".then((found) => found.violations.flatMap((v) => v.nodes.map((n) => [v.id, n.html])))"
    )
    options = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
    for address in ("r1=0.81", "step=3", "step=5", "step=7", "lesson=space&step=4",
                    "lesson=break&step=1", "lesson=break&step=6"):  # fmt: skip
        page = visit(f"{address}&present=1", panel=False, **options)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(run) == [], address
