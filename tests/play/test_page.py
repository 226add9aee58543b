"""The page itself: one file, what it says, its address, day and night."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from browsing import (
    PEN,
    RESTING,
    RESTS,
    address,
    button,
    description,
    drag,
    drawn,
    limb_of,
    middle,
    pixels_of,
    place,
    press,
    rgb,
    visit_again,
)
from twobone.pictures import theme
from twobone.play.page_state import DEFAULTS

pytestmark = pytest.mark.sampled(3, "nightly")

PROJECT = Path(__file__).parents[2]

# --- one file ------------------------------------------------------------------------------


def test_the_page_names_no_site_but_two(exported):
    html = exported.read_text(encoding="utf-8")
    links = set(re.findall(r"https?://([\w.]+)", html))
    of_three = "jcgt.org"  # a paper that a comment of three.js names
    assert links <= {"iquilezles.org", "www.w3.org", of_three}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_those_of_every_other_picture(visit, scheme):
    page = visit("target=3,1,0", color_scheme=scheme, script=PEN)
    marks = drawn(page)
    seen = {mark[key].upper() for mark in marks for key in ("fill", "stroke") if key in mark}
    tones = (theme.RING, theme.INK, theme.FIRST, theme.SECOND, theme.JOINT, theme.TARGET)
    assert {getattr(tone, scheme) for tone in (*tones, theme.ACROSS, theme.AMBER)} <= seen
    corner = pixels_of(page.screenshot())[790, 5, :3]
    assert corner.tolist() == pytest.approx(rgb(getattr(theme.GROUND, scheme)), abs=1)


CLIPPED = """() => [...document.querySelectorAll("body, body > :is(aside, section), body > * *")]
  .filter((e) => !e.closest("main"))
  .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1
    && !["INPUT", "SELECT", "PRE"].includes(e.tagName)).map((e) => e.innerText || e.outerHTML)"""
SMALL = """() => [...document.querySelectorAll("button:not([aria-roledescription])")]
  .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 24).map((e) => e.innerText)"""


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
@pytest.mark.parametrize(
    "state", [RESTING, "scene=space&r1=0.8", "step=4", "step=7", "lesson=break&step=7"]
)
def test_nothing_is_clipped_at_any_width(visit, width, state):
    page = visit(state, width=width, height=740)
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(SMALL) == []
    box = page.get_by_role("img").bounding_box()
    assert box["height"] > 350
    assert box["width"] >= min(width, 440) - 1


@pytest.mark.parametrize("scene", ["plane", "space", "creature"])
def test_text_that_is_spaced_widely_has_room(visit, scene):
    page = visit(f"scene={scene}&r1=0.8")
    style = "letter-spacing: .12em !important; word-spacing: .16em !important; line-height: 1.5"
    page.add_style_tag(content=f"* {{ {style} !important; }}")  # WCAG 1.4.12
    for width in (1280, 844, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        buttons = page.get_by_role("complementary").get_by_role("button").all()
        assert len(buttons) > 10
        assert [one.inner_text() for one in buttons if one.evaluate(
            "(e) => e.scrollWidth > e.clientWidth + 1")] == [], width  # fmt: skip
        assert page.evaluate("document.body.scrollWidth") <= width


@pytest.mark.parametrize("scale", ["1e6", "91234.5"])
def test_large_numbers_have_room(visit, scale):
    three = ",".join([scale] * 3)
    page = visit(f"scene=space&root={three}&target=-{three.replace(',', ',-')}&r1={scale}")
    assert page.evaluate(CLIPPED) == []


# --- words for those who do not see --------------------------------------------------------


def test_a_screen_reader_hears_all_that_is_there(visit):
    page = visit()
    heard = page.locator("body").aria_snapshot()
    for line in (
        'button "Target: 0.750, 0.550"',
        'button "Root: 0, 0"',
        'button "Length of the first bone: 0.800"',
        'button "Flip the side F"',
        'spinbutton "Target: where the end of the limb should be, x"\': "0.75"',
        'combobox "What to do with a target that cannot be reached"',
        'img "A limb in the plane: Reached. The elbow is at 0.19, 0.78, the other solution at ',
        "status: Reached",
        'heading "twobone" [level=1]',
        'heading "Formula" [level=2]',
    ):
        assert line in heard, line
    nameless = re.findall(
        r"^\s*- (?:button|spinbutton|slider|combobox|textbox|link)(?!.*\").*$", heard, re.M
    )
    assert nameless == []


def test_a_screen_reader_is_told_when_things_rest(visit):
    page = visit()
    told = page.get_by_role("status").first
    assert told.text_content() == "Reached"
    page.mouse.move(*middle(page, "target"))
    page.mouse.down()
    page.mouse.move(900, 90, steps=8)
    page.wait_for_timeout(800)  # longer than things take to rest: the hand still holds it
    assert told.text_content() == "Reached"
    page.mouse.up()
    page.wait_for_timeout(800)
    said = told.text_content()
    assert said.startswith("Too far by")
    page.keyboard.press("Space")
    page.wait_for_timeout(1500)
    assert told.text_content() == said  # nothing is told of a target that wanders


def luminance(colour):
    parts = np.array([float(part) for part in re.findall(r"[\d.]+", colour)[:3]]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def ratio(colour, ground):
    """Return the contrast of two colours, rgb(), as in WCAG 2."""
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


WORDS = """(aside) => [...aside.querySelectorAll("p, h2, span, i")].filter((e) => e.offsetParent
  && e.textContent.trim() && !e.closest(":disabled") && !e.closest("button"))
  .map((e) => [e.textContent, getComputedStyle(e).color])"""
BORDERS = """(aside) => [...aside.querySelectorAll("button, input[type=text], select")]
  .filter((e) => e.offsetParent && !e.disabled).map((e) => [e.innerText || e.ariaLabel,
    getComputedStyle(e).borderTopColor])"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_borders_stand_out_from_the_ground(visit, scheme):
    """Contrast as in WCAG 2: 4.5 for words, 3 for borders of what one presses or types in."""
    page = visit(color_scheme=scheme, reduced_motion="reduce")
    controls = page.get_by_role("complementary")
    card = controls.evaluate("(one) => getComputedStyle(one).backgroundColor")
    words, borders = controls.evaluate(WORDS), controls.evaluate(BORDERS)
    assert len(words) > 30
    assert len(borders) > 15
    assert [text for text, colour in words if ratio(colour, card) < 4.5] == []
    assert [name for name, colour in borders if ratio(colour, card) < 3] == []


def test_forced_colours_show_what_is_pressed(visit):
    page = visit(forced_colors="active")
    scenes = [button(page, name) for name in ("Plane", "Space", "Creature")]
    pressed, *others = (pixels_of(one.screenshot())[4, 12].tolist() for one in scenes)
    assert others[0] == others[1]
    assert pressed != others[0]


# --- status and policies -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "words", "errors"),
    [
        ("target=0.75,0.55,0", "Reached", "Length errors: "),
        ("target=2.4,0,0", "Too far by 1.00", "Length errors: "),
        ("target=0.05,0,0", "Too near by 0.15", "Length errors: "),
        ("target=0,0,0&r2=0.8", "Ambiguous: the target is at the root", "Length errors: "),
        ("scene=space&target=0,1,0", "Ambiguous: pole parallel to target", "Length errors: "),
        ("scene=space&pole=0,0,0", "Ambiguous: the pole is zero", "Length errors: "),
        ("target=1.38,0,0&soft=0.1", "Softened: short of the target by 0.0", "Length errors: "),
        ("target=1.4,0,0&greatest=90", "Too far by 0.40", "Length errors: "),
        ("target=2.4,0,0&policy=raise", "UnreachableError: too far by 1.00", "Length errors: "),
        ("target=2.4,0,0&policy=nan", "Too far by 1.00", "No joint: the policy is NaN"),
        ("target=3,0,0&policy=stretch", "Too far by 1.60", "Bones stretched by 137 %, 243 %"),
        ("target=3,1,0&policy=stretch&r1=0", "Too far by", "Bones stretched by ∞ %, 323 %"),
        ("target=1e-5,0,0&r1=1e-6&r2=1e-6", "Too far by 8.0e\u22126", "Length errors: 0 eps"),
        (
            "target=1.2,0.1,0&policy=proportion&limit=1.9&soft=.2",
            "Reached with stretched bones",
            "Bones stretched by",
        ),
    ],
)
def test_the_status_is_said_in_words_and_shown_by_a_mark(visit, state, words, errors):
    page = visit(state)
    verdict = page.get_by_role("region", name="Status")
    status, lengths = verdict.get_by_role("paragraph").all_inner_texts()
    assert status.startswith(words)
    assert lengths.startswith(errors)
    mark = verdict.locator("path").get_attribute("d")
    shapes = {"Reached": "M8 2a", "Too far": "M8 2l", "Too near": "M8 14", "Ambiguous": "M8 1l"}
    kind = "Too far" if words.startswith(("Soft", "Unreach", "Reached with")) else words
    assert mark.startswith(next(shapes[key] for key in shapes if kind.startswith(key)))
    if "raise" not in state:
        assert words in description(page)


@pytest.mark.parametrize(
    ("policy", "joint"),
    [("Stretch: bones change length", True), ("NaN: no joint", False), ("Raise an error", True)],
)
def test_a_policy_is_chosen(visit, policy, joint):
    page = visit("target=3,1,0")
    page.get_by_role("combobox", name="What to do with a target").select_option(label=policy)
    page.evaluate(RESTS)
    assert len(page.get_by_role("button", name=re.compile("^Joint: ")).all()) == joint
    assert page.get_by_role("slider").is_disabled()
    assert address(page)["policy"] == policy.split(":")[0].split()[0].lower()
    page.keyboard.press("Control+z")
    assert "policy" not in address(page)


# --- the address ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state",
    [
        "target=NaN,1,2&r1=-3&r2=Infinity&side=2&scene=moon&soft=1e9",
        "__proto__=1&constructor=2&toString=3&target=1",
        "%E0%A4%A&target=%3Cimg%20src=x%3E&" + "a=b&" * 2000,
        "step=99&pitch=1e300&zoom=0",
    ],
)
def test_a_hostile_address_changes_nothing(visit, state):
    page = visit(state, panel=False)
    assert page.get_by_role("alert").is_visible()
    assert place(page, "target") == [0.75, 0.55]
    page.keyboard.press("f")
    assert limb_of(page) == {**DEFAULTS, "side": -1}
    assert address(page) == {"side": "-1"}


def test_an_address_pasted_into_an_open_page_is_taken(visit):
    page = visit()
    visit_again(page, "target=0.25,0.3333333333333333,0&side=-1&scene=space&yaw=12.5")
    page.evaluate(RESTS)
    assert place(page, "target") == [0.25, 0.333, 0]
    page.keyboard.press("f")
    told = address(page)
    assert (told["target"], told["yaw"]) == ("0.25,0.3333333333333333,0", "12.5")
    assert "side" not in told


def test_what_arrives_swallows_no_pose(visit):
    page = visit()
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 50, y + 30))
    dragged = limb_of(page)
    visit_again(page, "target=0.2,0.3,0")
    page.evaluate(RESTS)
    assert place(page, "target") == [0.2, 0.3]
    press(page, "Undo")
    assert limb_of(page) == dragged
    assert button(page, "Redo").is_enabled()
    # What was undone before an address came belongs to another limb.
    visit_again(page, "target=0.4,0.3,0")
    page.evaluate(RESTS)
    assert button(page, "Redo").is_disabled()


# --- wandering, day and night ---------------------------------------------------------------


def test_the_target_wanders_until_somebody_takes_it(visit):
    page = visit("")
    places = []
    for _ in range(4):
        page.wait_for_timeout(60)
        places.append(tuple(place(page, "target")))
    assert len(set(places)) > 1
    page.mouse.click(300, 300)
    rests = limb_of(page)
    page.wait_for_timeout(150)
    assert limb_of(page) == rests
    page.keyboard.press("Space")
    page.wait_for_timeout(200)
    assert place(page, "target") != rests["target"][:2]


def test_nothing_moves_by_itself_for_those_who_asked_for_less(visit):
    page = visit("", reduced_motion="reduce")
    page.wait_for_timeout(200)
    assert place(page, "target") == [0.75, 0.55]
    assert button(page, "Motion").get_attribute("aria-pressed") == "false"


def test_day_and_night(visit):
    page = visit(color_scheme="dark")
    corner = lambda: pixels_of(page.screenshot())[790, 5, :3].tolist()  # noqa: E731
    assert corner() == pytest.approx(rgb(theme.GROUND.dark), abs=1)
    press(page, "Theme")
    page.evaluate(RESTS)
    assert corner() == pytest.approx(rgb(theme.GROUND.light), abs=1)


# --- keys ----------------------------------------------------------------------------------


def test_the_way_to_the_numbers_leaves_the_limb_alone(visit):
    page = visit("r1=0.9&side=-1", panel=False)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first link skips the picture
    controls = page.get_by_role("complementary")
    assert controls.evaluate("(one) => one === document.activeElement")
    assert limb_of(page) == {**DEFAULTS, "r1": 0.9, "side": -1}


def test_single_keys_can_be_switched_off(visit):
    page = visit()
    page.keyboard.press("f")
    assert address(page) == {"side": "-1"}
    page.get_by_label("Single keys are commands").uncheck()
    page.keyboard.press("f")
    assert address(page) == {"side": "-1", "shortcuts": "0"}


# --- its picture --------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["page.png", "creature.png"])
def test_the_pictures_of_the_readme_are_of_this_page(browser, tmp_path, file):
    """Fonts differ between machines: what is compared is a small picture, on average."""
    name = PROJECT / "docs" / "photograph_page.py"
    spec = importlib.util.spec_from_file_location("photograph_page", name)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.PHOTOGRAPHS[file](browser, tmp_path / file)
    kept, made = (pixels_of(path.read_bytes())[..., :3] for path in
                  (script.PICTURES / file, tmp_path / file))  # fmt: skip
    assert kept.shape == made.shape
    apart = np.abs(small(kept) - small(made)).mean()
    assert apart < 6, "run docs/photograph_page.py"


def small(pixels):
    """Return the means of squares of four pixels."""
    high, wide = (size - size % 4 for size in pixels.shape[:2])
    squares = pixels[:high, :wide].reshape(high // 4, 4, wide // 4, 4, 3)
    return squares.mean(axis=(1, 3))
