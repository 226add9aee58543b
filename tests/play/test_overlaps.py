"""What shares a place on the screen: cards and tools, labels and lines, a task and its reply."""

import itertools
import re
from typing import get_args

import numpy as np
import pytest

from browsing import (
    DROP,
    RESTS,
    address,
    arrive,
    button,
    centre,
    current,
    drag,
    drawn,
    middle,
    press,
    rgb,
)
from characters import made_clip
from looks import SEEN
from twobone import motion
from twobone.pictures import theme
from twobone.play.schema import Scene

pytestmark = pytest.mark.sampled(3, "nightly")

QUIET = {"reduced_motion": "reduce", "script": SEEN}
LESSON = "Steps of the lesson"
TYPICAL = [(1280, 800), (768, 1024), (390, 844)]  # a desk, a tablet, a phone
DUE = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))"


def end(box):
    return box["y"] + box["height"]


def resize(page, size):
    """Give the window another size, and wait until the page is drawn in it."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "(size) => `${innerWidth}x${innerHeight}` === size", arg=f"{width}x{height}"
    )
    page.evaluate(DUE)


def lines_of(page, tone):
    """Return the segments of all lines of a colour."""
    colour = tone.light.lower()
    marks = [
        mark["line"] for mark in drawn(page) if mark.get("stroke") == colour and "line" in mark
    ]
    return [np.array(pair) for line in marks for pair in itertools.pairwise(line)]


def far(point, segments):
    """Return how far a point is from the nearest of some segments."""
    found = []
    for a, b in segments:
        way = b - a
        t = np.clip((point - a) @ way / max(way @ way, 1e-9), 0, 1)
        found.append(np.linalg.norm(point - a - t * way))
    return min(found)


def label(page, text):
    """Return the middle of a label and half of its size."""
    [mark] = [mark for mark in drawn(page) if mark.get("text") == text]
    low, high = np.array(mark["line"])
    return (low + high) / 2, (high - low) / 2


# --- lessons ------------------------------------------------------------------------------


# Numbers make the text longer, so it must have them before it is scrolled.
@pytest.mark.parametrize(("lesson", "step"), [("plane", 5), ("break", 7)])
def test_a_link_to_a_step_shows_its_heading_at_the_top(visit, lesson, step):
    page = visit(f"lesson={lesson}&step={step}", width=768, height=1024)
    arrive(page, step)
    page.wait_for_timeout(700)  # it scrolls smoothly
    box = page.get_by_role("region", name=LESSON).bounding_box()
    heading = current(page).get_by_role("heading")
    assert 0 <= heading.bounding_box()["y"] - box["y"] < 32


def test_the_box_of_a_task_grows_by_its_reply_and_moves_nothing(visit):
    page = visit("step=7", height=1200, reduced_motion="reduce")
    arrive(page, 7)
    words, flip = (
        current(page).get_by_text(re.compile("^Task")).locator(".."),
        current(page).get_by_role("button"),
    )
    flip.scroll_into_view_if_needed()
    high, before = current(page).bounding_box()["height"], words.bounding_box()
    paragraphs = current(page).get_by_role("paragraph")
    count, reply = paragraphs.count(), paragraphs.last
    flip.click()
    page.get_by_text("Task, done:").wait_for()
    assert paragraphs.count() == count + 1
    assert current(page).bounding_box()["height"] == high
    assert words.bounding_box()["y"] == before["y"]
    assert 0 <= reply.bounding_box()["y"] - end(words.bounding_box()) < 24


# A text that is longer than its column: its task is in sight, and then the reply to it.
@pytest.mark.parametrize(("width", "height"), [(1280, 640), (390, 844)])
def test_the_reply_to_a_task_is_in_sight_and_so_is_the_task_on_a_desk(visit, width, height):
    page = visit("step=7", width=width, height=height, reduced_motion="reduce")
    arrive(page, 7)
    box = page.get_by_role("region", name=LESSON).bounding_box()
    if width > 1000:
        assert end(current(page).get_by_text("Task:").bounding_box()) < end(box)
    current(page).get_by_role("button").click()
    page.get_by_text("Task, done:").wait_for()
    page.wait_for_timeout(100)
    reply = current(page).get_by_role("paragraph").last.bounding_box()
    assert box["y"] < reply["y"]
    assert end(reply) < end(box)
    arrive(page, 7)


@pytest.mark.parametrize("state", ["step=5", "step=7", "lesson=break&step=1"])
def test_a_symbol_does_not_touch_the_line_across(visit, state):
    page = visit(state, **QUIET)
    arrive(page, int(state[-1]))
    across = lines_of(page, theme.ACROSS)
    for text in {"x", "p"} & {mark.get("text") for mark in drawn(page)}:
        assert far(label(page, text)[0], across) > 12, text


def test_on_a_phone_the_labels_of_the_bones_in_space_are_beside_their_own_bone(visit):
    page = visit("lesson=space&step=1", width=390, height=844, **QUIET)
    arrive(page, 1)
    bones = []
    for tone in (theme.FIRST, theme.SECOND):
        marks = [mark for mark in drawn(page) if mark.get("fill") == tone.light.lower()]
        solid = [mark["line"] for mark in marks if "text" not in mark and mark["alpha"] > 0.5]
        bones.append(np.concatenate(solid))
    for own, other, name in ((0, 1, "r\N{SUBSCRIPT ONE}"), (1, 0, "r\N{SUBSCRIPT TWO}")):
        at, _ = label(page, name)
        near, away = (np.min(np.linalg.norm(bones[i] - at, axis=1)) for i in (own, other))
        assert near < away, name


def test_a_narrow_picture_of_space_fills_its_width(visit):
    page = visit("scene=space", panel=False, width=390, height=844, **QUIET)
    rings = [mark for mark in drawn(page) if mark.get("stroke") == theme.FIRST.light.lower()]
    sphere = max(np.ptp(mark["line"], axis=0)[0] for mark in rings)
    assert sphere > 0.48 * 390


@pytest.mark.parametrize("step", [2, 7])
def test_on_a_phone_the_label_of_a_bone_is_not_beside_that_of_the_joint(visit, step):
    page = visit(f"lesson=break&step={step}", width=390, height=844, **QUIET)
    arrive(page, step)
    (at, half), (there, wide) = (label(page, text) for text in ("x", "r\N{SUBSCRIPT ONE}"))
    assert np.max(np.abs(at - there) - half - wide) >= 10


@pytest.mark.parametrize(("lesson", "step"), [("plane", 7), ("space", 5), ("break", 7)])
def test_on_the_narrowest_phone_lessons_and_dots_stand_in_one_line_each(visit, lesson, step):
    scene = "space" if lesson == "space" else "plane"
    state = f"lesson={lesson}&scene={scene}&step={step}&language=de"
    page = visit(state, width=320, height=568, reduced_motion="reduce")
    page.evaluate(RESTS)
    boxes = [one.bounding_box() for one in page.get_by_role("listitem").get_by_role("button").all()]
    assert len(boxes) >= 5
    assert np.ptp([box["y"] for box in boxes]) < 8
    names = [button(page, name).first for name in ("In der Ebene", "Im Raum", "Mach es kaputt")]
    assert np.ptp([one.bounding_box()["y"] for one in names]) < 8
    assert all(box["x"] + box["width"] <= 320 for box in boxes)
    page.mouse.wheel(200, 0)  # nothing lies beside the window
    page.evaluate(RESTS)
    assert names[0].bounding_box()["x"] >= 0


def test_on_a_tablet_held_upright_the_picture_of_a_lesson_has_the_whole_width(visit):
    page = visit("step=1", width=768, height=1024, **QUIET)
    arrive(page, 1)
    assert page.get_by_role("img").bounding_box()["width"] == 768
    radii = [mark["disc"][2] for mark in drawn(page) if "disc" in mark]
    assert 2 * max(radii) > 430  # the reachable range
    assert current(page).get_by_role("paragraph").first.bounding_box()["width"] <= 640


@pytest.mark.parametrize("state", ["r1=0.8", "step=1", "step=3", "step=4"])
def test_no_circle_passes_through_a_word(visit, state):
    page = visit(state, panel=False, **QUIET)
    if "step" in state:
        arrive(page, int(state[-1]))
    # Beside a target that cannot be reached, a phone leaves the hand no place off its circle.
    least = {"hand"} if state == "step=4" else set()
    for size in TYPICAL:
        resize(page, size)
        assert words_cut(page) <= least, size


def words_cut(page):
    """Return the words of a picture through which a circle passes."""
    marks, cut = drawn(page), set()
    circles = [v["disc"] for v in marks if "disc" in v and "stroke" in v and v["alpha"] > 0.5]
    for mark in (mark for mark in marks if "text" in mark):
        (left, top), (right, bottom) = mark["line"]
        for x, y, r in (circle for circle in circles if circle[2] > 14):
            near = np.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
            away = np.hypot(max(x - left, right - x), max(y - top, bottom - y))
            if near < r < away:
                cut.add(mark["text"])
    return cut


def contrast(colour, alpha, ground):
    """Return the contrast of what is seen of a colour, as in WCAG 2."""
    parts = alpha * np.array(rgb(colour)) + (1 - alpha) * np.array(rgb(ground))
    values = np.array([parts, rgb(ground)]) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    light, dark = sorted(linear @ [0.2126, 0.7152, 0.0722], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", ["r1=0.8", "step=2", "step=6", "step=7", "lesson=break&step=1"])
def test_thin_lines_of_a_picture_are_not_faint(visit, state, scheme):
    page = visit(state, color_scheme=scheme, **QUIET)
    if "step" in state:
        arrive(page, int(state[-1]))
    strokes = [mark for mark in drawn(page) if "stroke" in mark]
    assert len(strokes) > 6
    for ground in (theme.GROUND, theme.RING):
        ground = getattr(ground, scheme)
        for mark in strokes if ground == getattr(theme.GROUND, scheme) or state == "r1=0.8" else ():
            assert contrast(mark["stroke"], mark["alpha"], ground) >= 3, mark


@pytest.mark.parametrize("state", ["step=3", "step=7", "lesson=break&step=2"])
def test_the_circles_of_a_step_are_whole(visit, state):
    page = visit(state, **QUIET)
    arrive(page, int(state[-1]))
    for size in TYPICAL:
        resize(page, size)
        box = page.get_by_role("img").bounding_box()
        circles = [mark["disc"] for mark in drawn(page) if "disc" in mark and "stroke" in mark]
        assert len(circles) > 1
        for x, y, r in circles:
            assert x - r > box["x"]
            assert y - r > box["y"]
            assert x + r < box["x"] + box["width"]
            assert y + r < end(box)


# --- all sizes --------------------------------------------------------------------------------

# From 1280 x 1024 at a zoom of 400 % to a desk; phones upright and in landscape; and between.
SIZES = [
    (320, 256), (360, 225), (480, 300), (320, 568), (360, 640), (390, 844), (440, 440), (568, 320),
    (561, 600), (667, 375), (700, 700), (720, 520), (740, 360), (768, 1024), (844, 390), (900, 700),
    (1024, 768), (1280, 720), (1280, 360), (320, 1200),
]  # fmt: skip
# In the smallest windows the controls are all there is.
BESIDE = [size for size in SIZES if min(size) > 400 or size[0] > 560]
SCENES = get_args(Scene)
STATE = "ground=flat&liveliness=0&target=0.75,0.55,0.35"


def faults(page, sizes=SIZES):
    """Return what is wrong at some sizes of the window, one after the other."""
    found = {}
    for size in sizes:
        resize(page, size)
        if wrong := page.evaluate("faults()"):
            found[size] = wrong
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_in_any_window(visit, scene, language):
    page = visit(f"scene={scene}&language={language}&{STATE}", panel=False, **QUIET)
    assert faults(page) == {}


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_beside_the_controls(visit, scene):
    page = visit(f"scene={scene}&language=de&r1=0.8&liveliness=0", **QUIET)
    assert faults(page, BESIDE) == {}


@pytest.mark.parametrize("panel", [False, True])
def test_a_message_about_a_file_covers_nothing_of_the_character(visit, tmp_path, panel):
    page = visit("scene=character", panel=panel, **QUIET)
    motion.save(made_clip(True), tmp_path / "made.bvh")  # with arms at right angles to the body
    page.evaluate(DROP, ["made.bvh", list((tmp_path / "made.bvh").read_bytes())])
    page.get_by_text("made.bvh: 17 joints, 4 limbs.").wait_for(state="attached")
    page.evaluate(DROP, ["a_file_with_a_rather_long_name.glb", []])
    page.get_by_text("Cannot show a_file_with_a_rather_long_name.glb.").wait_for()
    assert faults(page, BESIDE if panel else SIZES) == {}


# Text of twice its size: as browsers make it that enlarge text alone, or by their size of text.
ENLARGE = """() => {
  const sizes = [...document.querySelectorAll("main *")].map((part) => {
    const { fontSize, lineHeight } = getComputedStyle(part);
    return [part, fontSize, lineHeight];
  });
  for (const [part, fontSize, lineHeight] of sizes) {
    part.style.fontSize = `${2 * parseFloat(fontSize)}px`;
    if (lineHeight !== "normal") part.style.lineHeight = `${2 * parseFloat(lineHeight)}px`;
  }
}"""
LARGE = {"zoomed": ENLARGE, "set": "document.documentElement.style.fontSize = '200%'"}


@pytest.mark.parametrize("how", LARGE)
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_where_text_is_twice_as_large(visit, scene, how):
    page = visit(f"scene={scene}&language=de&{STATE}", panel=False, **QUIET)
    page.evaluate(LARGE[how])
    assert faults(page) == {}


def test_nothing_overlaps_beside_the_card_of_a_leg(visit):
    page = visit("scene=creature&leg=1&language=de&liveliness=0", panel=False, **QUIET)
    page.get_by_role("region").first.wait_for()
    assert faults(page) == {}


@pytest.mark.parametrize("scene", SCENES)
def test_an_embedded_picture_fits_a_small_frame(visit, scene):
    page = visit(f"scene={scene}&embed=1&{STATE}", panel=False, width=320, height=200, **QUIET)
    assert page.evaluate("faults()") == []
    page.mouse.move(160, 60)
    page.mouse.wheel(0, 300)  # the picture is not longer than its frame
    page.evaluate(RESTS)
    assert page.get_by_role("img").bounding_box()["y"] == 0


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_no_label_lies_on_a_handle(visit, scene):
    page = visit(f"scene={scene}&r1=0.8", **QUIET)
    for size in ((390, 844), (900, 700), (1280, 720)):
        resize(page, size)
        group = page.get_by_role("group", name=re.compile("^Handles"))
        handles = [centre(one) for one in group.get_by_role("button").all()]
        assert len(handles) >= 5
        for mark in (mark for mark in drawn(page) if "text" in mark):
            (left, top), (right, bottom) = mark["line"]
            for x, y in handles:
                assert not (left - 5 < x < right + 5 and top - 5 < y < bottom + 5), mark["text"]


def test_a_scene_that_is_chosen_is_between_the_words_and_the_button(visit):
    """What is free is measured before the view is fitted."""
    page = visit(f"language=de&{STATE}", panel=False, width=390, height=844, **QUIET)
    for name in ("Figur", "Raum", "Tier", "Ebene", "Figur", "Ebene"):
        press(page, name)
        page.evaluate(DUE)
        assert page.evaluate("faults()") == [], name


# --- a picture that is longer than its window -------------------------------------------------

SCROLLS = {"width": 320, "height": 256}
SCROLL = "document.querySelector('main').scrollTop = 100"  # as a hand would


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_a_hand_is_dragged_where_the_picture_is_scrolled(visit, scene):
    page = visit(f"scene={scene}&r1=0.8", panel=False, **SCROLLS, **QUIET)
    page.evaluate(SCROLL)
    x, y = middle(page, "target")
    assert 0 < y < 256
    drag(page, (x, y), (x - 20, y + 30))
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((x - 20, y + 30), abs=1)
    assert "target" in address(page)


def test_an_animal_goes_to_the_place_that_was_clicked_where_the_picture_is_scrolled(visit):
    state = "scene=creature&ground=flat&polygon=0&liveliness=0"
    page = visit(state, panel=False, **SCROLLS, **QUIET)
    page.evaluate(SCROLL)
    page.mouse.click(60, 190)
    page.wait_for_timeout(60)
    goal = np.mean([point for pair in lines_of(page, theme.TARGET) for point in pair], axis=0)
    # The camera follows the animal meanwhile; without its scroll, the place were 100 higher.
    assert goal == pytest.approx((60, 190), abs=30)


@pytest.mark.parametrize("scene", SCENES)
def test_a_wheel_and_a_finger_scroll_a_picture_that_is_longer_than_the_window(visit, scene):
    page = visit(f"scene={scene}&r1=0.81", panel=False, has_touch=True, **SCROLLS, **QUIET)
    state, picture = address(page), page.get_by_role("img")
    page.mouse.move(160, 220)
    page.mouse.wheel(0, 90)
    page.wait_for_timeout(300)
    assert picture.bounding_box()["y"] < -60
    # No finger of a headless browser scrolls; a real one does where the browser is told so.
    touch = "(one) => getComputedStyle(one).touchAction"
    assert picture.locator("..").evaluate(touch) == "pan-y"
    assert address(page) == state  # nor does it zoom
    page.set_viewport_size({"width": 1024, "height": 768})
    page.evaluate(DUE)
    assert picture.locator("..").evaluate(touch) == "none"


@pytest.mark.parametrize("scene", SCENES)
def test_a_phone_that_is_turned_and_turned_back_shows_the_same(visit, scene):
    page = visit(f"scene={scene}&{STATE}", panel=False, width=390, height=844, **QUIET)
    page.evaluate(DUE)
    before = page.evaluate("boxes()")
    assert faults(page, [(844, 390), (390, 844)]) == {}
    after = page.evaluate("boxes()")
    for old, new in zip(before, after, strict=True):
        assert new == pytest.approx(old, abs=3 if scene == "creature" else 0.01)
