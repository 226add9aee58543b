"""What is on the screen: after a switch of scenes, in hidden frames, on slow machines."""

import itertools
import re

import numpy as np
import pytest

from browsing import (
    PEN,
    RESTS,
    button,
    drag,
    drawn,
    middle,
    pixels_of,
    press,
    rgb,
    saved,
)
from twobone.pictures import theme

pytestmark = pytest.mark.sampled(3, "nightly")

FLAT_FOR_NOW = "Flat for now: WebGL is too slow here."
MISSING = "Flat: WebGL is not available here."


def joint_is_shown(page):
    """Return whether the joint is seen: lines that end there may cover some of it."""
    x, y = map(round, middle(page, "joint"))
    page.get_by_role("group", name=re.compile("^Handles")).evaluate(
        "(one) => one.style.visibility = 'hidden'"
    )
    near = pixels_of(page.screenshot())[y - 4 : y + 5, x - 4 : x + 5].astype(int)
    red, green, blue, _ = np.moveaxis(near, -1, 0)
    return np.any((red > green + 40) & (red > blue + 60))


def test_space_is_drawn_when_nothing_moves_after_the_switch(visit):
    page = visit(width=800, height=500, webgl=True)
    drag(page, middle(page, "target"), (200, 200))
    press(page, "Space")
    page.evaluate(RESTS)
    assert joint_is_shown(page)


@pytest.mark.parametrize("state", ["target=3,0.2,0", "scene=space&r1=0.8"])
def test_a_page_in_a_frame_that_opens_later_fits_it(browser, exported, tmp_path, state):
    outer = tmp_path / "outer.html"
    outer.write_text(
        f'<body style="margin:0"><iframe src="{exported.as_uri()}#{state}" width="700"'
        ' height="420" style="display:none;border:0"></iframe>'
    )
    page = browser.new_page(viewport={"width": 700, "height": 420})
    page.goto(outer.as_uri())
    page.wait_for_timeout(300)
    page.locator("iframe").evaluate("(one) => one.style.display = ''")
    frame = page.frames[1]
    frame.evaluate(RESTS)
    picture = frame.get_by_role("img")
    assert picture.evaluate("(one) => [one.width, one.height]") == [700, 420]
    before = middle(frame, "target")
    press(frame, "Fit")
    frame.evaluate(RESTS)
    assert middle(frame, "target") == pytest.approx(before, abs=0.2)
    page.close()


def test_a_picture_that_was_hidden_is_as_it_was(visit):
    page = visit(panel=False)
    before, picture = middle(page, "target"), page.get_by_role("main")
    for display in ("none", ""):
        picture.or_(page.locator("main")).evaluate("(one, v) => one.style.display = v", display)
        page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx(before, abs=0.2)


# --- slow machines ------------------------------------------------------------------------

# A graphics card that takes its time for each thing it draws, under a name that says nothing. The
# time passes on the page's clock alone: nobody waits for it.
SLOW_CARD = """
let late = 0;
const clock = performance.now.bind(performance), frame = requestAnimationFrame;
performance.now = () => clock() + late;
window.requestAnimationFrame = (act) => frame((time) => act(time + late));
for (const name of ["drawElements", "drawElementsInstanced"]) {
  const real = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...all) {
    late += COST;
    real.apply(this, all);
  };
}
const parameter = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  return name === 37446 ? "WebKit WebGL" : parameter.call(this, name);
};
"""


def move(page):
    if button(page, "Motion").get_attribute("aria-pressed") == "false":
        press(page, "Motion")


def is_flat(page):
    """Return whether the picture is drawn flat: the canvas of WebGL is not shown."""
    return page.locator("canvas[aria-hidden=true]").is_hidden()


def until_flat(page, flat=True):
    page.locator("canvas[aria-hidden=true]").wait_for(state="hidden" if flat else "visible")


@pytest.mark.parametrize(("scene", "cost"), [("space", 60), ("creature", 90)])
def test_a_slow_card_is_left_for_lines(visit, scene, cost):
    script = SLOW_CARD.replace("COST", str(cost)) + PEN
    page = visit(f"scene={scene}&r1=0.8", 700, 480, script=script, webgl=True)
    move(page)
    page.get_by_text(FLAT_FOR_NOW).wait_for()
    assert is_flat(page)
    assert len(drawn(page)) > 20


# --- at rest, and back to WebGL -----------------------------------------------------------


# The card of SLOW_CARD, until it is told to be fast.
PASSING = SLOW_CARD.replace("late += COST", "late += window.isFast ? 0 : 90")
LARGE = "(one) => one.width / one.clientWidth"  # pixels for each of the screen's


@pytest.mark.parametrize(("scene", "times"), [("space", 2), ("creature", 1), ("character", 1)])
def test_what_does_not_move_is_drawn_at_full_quality(visit, scene, times):
    state = f"scene={scene}&r1=0.8&ground=flat&liveliness=0"
    page = visit(state, 480, 360, script=SLOW_CARD.replace("COST", "4"), webgl=True)
    canvas = page.locator("canvas[aria-hidden=true]")
    for _ in range(times):
        move(page)
        page.wait_for_function(f"(one) => ({LARGE})(one) < 1", arg=canvas.element_handle())
        page.keyboard.press("Space")
        # An animal makes some more steps.
        page.wait_for_function(f"(one) => ({LARGE})(one) === 1", arg=canvas.element_handle())
        # Nothing moves, so nothing is drawn.
        before = pixels_of(canvas.screenshot()).astype(int)
        page.wait_for_timeout(300)
        assert np.abs(pixels_of(canvas.screenshot()) - before).mean() < 0.1


def test_a_card_that_was_slow_for_a_while_draws_again(visit):
    page = visit("scene=space&r1=0.8", 700, 480, script=PASSING, webgl=True)
    move(page)
    words = page.get_by_text(FLAT_FOR_NOW)
    words.wait_for()
    # Another scene is tried with one frame, out of sight.
    press(page, "Character")
    page.wait_for_timeout(600)
    assert is_flat(page)
    page.evaluate("window.isFast = true")
    press(page, "Space")
    until_flat(page, False)
    words.wait_for(state="hidden")


def test_a_reader_chooses_how_scenes_are_drawn(visit):
    page = visit("scene=space&r1=0.8", 700, 480, script=PASSING, webgl=True)
    choose = lambda how: page.get_by_label("Drawing").select_option(label=how)  # noqa: E731
    words = page.get_by_text(re.compile("^Flat"))
    choose("Flat shapes")
    until_flat(page)
    assert words.and_(page.locator("p")).count() == 0
    choose("Solid shapes")
    until_flat(page, False)
    move(page)
    page.wait_for_timeout(2500)
    assert not is_flat(page)  # hopelessly slow as it is
    choose("Automatic")
    until_flat(page)


# A graphics card that is taken away, and comes back when a test says so.
LOSE = """() => {
  window.losing = [...document.querySelectorAll("canvas")]
    .map((one) => one.getContext("webgl2")).find(Boolean).getExtension("WEBGL_lose_context");
  losing.loseContext();
}"""


def test_a_context_that_nobody_restores_is_replaced(visit):
    page = visit("scene=space&r1=0.8", 700, 480, webgl=True)
    page.evaluate(LOSE)
    page.get_by_text(MISSING).wait_for()
    press(page, "Character")
    until_flat(page, False)
    # And once more, by hand.
    page.evaluate(LOSE)
    page.get_by_text(MISSING).wait_for()
    page.get_by_label("Drawing").select_option(label="Solid shapes")
    until_flat(page, False)


@pytest.mark.parametrize("scene", ["space", "creature"])  # one that moves, one that does not
def test_a_lost_context_leaves_lines_and_no_warnings(visit, scene):
    page = visit(f"scene={scene}&r1=0.8&animal=dog", 480, 360, webgl=True)
    until_flat(page, False)
    warnings = []
    page.on("console", lambda m: warnings.append(m.text))
    page.evaluate(LOSE)
    until_flat(page)
    page.evaluate("losing.restoreContext()")
    until_flat(page, False)
    # All that was made in the lost context is let go of, or replaced, in one of these.
    for other in ("Creature", "Character", "Space", scene.title()):
        press(page, other)
        page.evaluate(RESTS)
    assert [text for text in warnings if "ReadPixels" not in text] == []  # of software, in tests


# --- flat shapes --------------------------------------------------------------------------

ANIMALS = ("insect", "spider", "dog", "horse", "bird", "human", "crab", "centipede")
HUES = {"r1": 201, "r2": 36, "joint": 18}


def hues(pixels):
    """Return the hue of each pixel in degrees, NaN where it has hardly any."""
    red, green, blue, alpha = np.moveaxis(pixels.astype(float), -1, 0)
    high, low = pixels[..., :3].max(-1).astype(float), pixels[..., :3].min(-1)
    wide = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        hue = np.where(high == red, (green - blue) / wide, np.where(
            high == green, 2 + (blue - red) / wide, 4 + (red - green) / wide))  # fmt: skip
    faint = (wide < 0.45 * high) | (wide < 40) | (alpha < 128)
    return np.where(faint, np.nan, (60 * hue + 360) % 360)


# Before parts were drawn from back to front in short pieces, with their real outlines, these shares
# were as low as 0.57, 0.65 and 0.30; now the lowest are 0.73, 0.85 and 0.61.
# From the front and from behind in turn.
STATES = ["character", *(f"creature&animal={name}" for name in ANIMALS)]


@pytest.mark.parametrize(
    ("state", "yaw"), list(zip(STATES, itertools.cycle([35, 160]), strict=False))
)
def test_flat_shapes_are_where_the_solids_are(visit, state, yaw):
    """A picture without a ground is drawn with lines, one with a ground as on the screen."""
    # A solid body hides more of a hip than a flat one, and animals have no balls at joints.
    alike = (
        {"r1": 0.7, "r2": 0.8, "joint": 0.55} if state == "character" else {"r1": 0.6, "r2": 0.6}
    )
    state = f"scene={state}&ground=flat&liveliness=0&bones=1&yaw={yaw}"
    page = visit(state, 820, 400, reduced_motion="reduce", webgl=True)
    until_flat(page, False)
    solid = hues(pixels_of(saved(page, "PNG")[0]))
    page.get_by_label("Background").select_option(label="None, for light slides")
    flat = hues(pixels_of(saved(page, "PNG")[0]))
    for name, least in alike.items():
        one, other = (np.abs(picture - HUES[name]) < 8 for picture in (solid, flat))
        assert np.sum(one | other) > 50
        assert np.sum(one & other) > least * np.sum(one | other), name


def test_a_ball_is_in_front_of_the_bone_that_begins_in_it(visit):
    page = visit("scene=space&r1=0.8")
    page.get_by_label("Background").select_option(label="None, for light slides")
    pixels = pixels_of(saved(page, "PNG")[0])
    (x, y), (u, v) = middle(page, "root"), middle(page, "joint")
    far = np.hypot(u - x, v - y)
    spot = round(y - 5 * (v - y) / far), round(x - 5 * (u - x) / far)
    np.testing.assert_allclose(pixels[spot][:3], rgb(theme.INK.light), atol=2)
