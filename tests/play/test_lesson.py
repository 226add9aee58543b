"""The lessons: each step has a pose, live numbers and a task that the page notices."""

import itertools
import math
import re

import pytest

from browsing import (
    RESTS,
    address,
    arrive,
    button,
    centre,
    current,
    description,
    drag,
    handle,
    limb_of,
    middle,
    numbers,
    place,
    press,
    visit_again,
)
from twobone.play.page_state import DEFAULTS

pytestmark = pytest.mark.sampled(3, "nightly")

STEPS = {"plane": 7, "space": 5, "break": 7}
QUIET = {"reduced_motion": "reduce"}
FRAME = "() => new Promise(requestAnimationFrame)"  # keys come once in each picture


def slider(page, name):
    """Return a number of the current step that is dragged."""
    return current(page).get_by_role("slider", name=name)


def is_solved(page):
    return current(page).get_by_text("Task, done:").count() == 1


def heard(page):
    """Return what a screen reader is told of the lesson."""
    lesson = page.get_by_role("region", name="Lesson", exact=True)
    return lesson.get_by_role("status").text_content()


# What solves the task of each step with the keyboard alone: what to focus, and the keys; the last
# key is pressed until it is solved.
KEYS = {
    ("plane", 1): [("hand", ["Shift+ArrowLeft"])],
    ("plane", 2): [("Length of the upper arm", ["ArrowRight"])],
    ("plane", 3): [("hand", ["ArrowRight"])],
    ("plane", 4): [("hand", ["Shift+ArrowLeft"] * 9 + ["Shift+ArrowDown"])],
    ("plane", 5): [("hand", ["ArrowLeft"])],
    ("plane", 6): [("hand", ["ArrowLeft"])],
    ("plane", 7): [("side", ["Enter"])],
    ("space", 1): [("hand", ["Shift+ArrowRight"] * 5)],
    ("space", 2): [("pole", ["Shift+ArrowRight", *["Shift+ArrowDown"] * 3])],
    ("space", 3): [("hand", ["Shift+ArrowLeft"] * 6 + ["Shift+PageDown"] * 2)],
    ("space", 4): [("Softness", ["ArrowRight"] * 5), ("hand", ["Shift+ArrowRight"] * 3)],
    ("space", 5): [("Carry", ["Enter"]), ("hand", ["Shift+ArrowLeft"] * 4 + ["Shift+PageUp"] * 2)],
    ("break", 1): [("hand", ["ArrowRight"])],
    ("break", 2): [("Gap to full stretch", ["ArrowLeft"])],
    ("break", 3): [("Gap to the minimum", ["ArrowLeft"])],
    ("break", 4): [("hand", ["ArrowLeft"] * 17 + ["ArrowDown"] * 9)],
    ("break", 5): [("hand", ["Shift+ArrowLeft"] * 9 + ["Shift+ArrowDown"] * 7)],
    ("break", 6): [("Distance", ["Home", "End"])],
    ("break", 7): [("float32", ["Enter"]), ("Gap to full", ["ArrowLeft"])],
}


def to_focus(page, name):
    if name in ("hand", "pole"):
        return handle(page, {"hand": "target"}.get(name, name))
    named = re.compile(name)
    step = current(page)
    return step.get_by_role("slider", name=named).or_(step.get_by_role("button", name=named)).first


@pytest.mark.parametrize(("lesson", "step"), KEYS)
def test_every_task_is_solved_with_keys(visit, lesson, step):
    page = visit(f"lesson={lesson}&step={step}", **QUIET)
    arrive(page, step)
    assert not is_solved(page)
    paragraphs = current(page).get_by_role("paragraph").count()
    for name, keys in KEYS[lesson, step]:
        to_focus(page, name).focus()
        for key in keys:
            page.keyboard.press(key)
            page.evaluate(FRAME)
    for _ in range(80):
        if is_solved(page):
            break
        page.keyboard.press(key)
        page.evaluate(FRAME)
    assert is_solved(page)
    assert current(page).get_by_role("paragraph").count() == paragraphs + 1  # the reply
    assert "Task done" in heard(page)
    dots = page.get_by_role("listitem").get_by_role("button")
    [dot] = dots.and_(page.locator("[aria-current=step]")).all()
    assert dot.get_attribute("aria-label").startswith(f"Step {step}: ")
    assert dot.get_attribute("aria-label").endswith("task done")


# Where to drag the hand, in the plane, for the tasks that are about it.
PLACES = {
    1: (-0.5, 0.4),
    3: (1.4 * math.cos(0.5) + 0.005, 1.4 * math.sin(0.5) - 0.004),  # it snaps to the edge
    4: (0.05, 0.03),
    5: (0.2, 0.49),
    6: (0.5, 0.175),
}


@pytest.mark.parametrize("step", PLACES)
def test_tasks_of_the_hand_are_solved_by_dragging_it(visit, step):
    page = visit(f"step={step}", width=1500, height=900, **QUIET)
    arrive(page, step)
    # Pixels for a unit: those by which a key moves the hand.
    start, at = middle(page, "target"), place(page, "target")
    handle(page, "target").focus()
    for key in ("Shift+ArrowUp", "Shift+ArrowDown"):
        for _ in range(3):
            page.keyboard.press(key)
        page.evaluate(RESTS)
        if key == "Shift+ArrowUp":
            scale = (start[1] - middle(page, "target")[1]) / (place(page, "target")[1] - at[1])
    way = [(a - b) * scale for a, b in zip(PLACES[step], at, strict=True)]
    drag(page, start, (start[0] + way[0], start[1] - way[1]), steps=12)
    page.evaluate(RESTS)
    assert is_solved(page)
    if step == 3:
        assert math.hypot(*limb_of(page)["target"][:2]) == pytest.approx(1.4, abs=1e-12)
        assert "1 point" in current(page).inner_text()


def test_a_number_in_a_sentence_is_dragged(visit):
    page = visit("step=2", **QUIET)
    arrive(page, 2)
    number = slider(page, "Length of the upper arm")
    x, y = centre(number)
    drag(page, (x, y), (x + 52, y))
    assert limb_of(page)["r1"] == 0.93
    assert is_solved(page)
    assert number.inner_text() == "0.93"
    assert number.get_attribute("aria-valuenow") == "0.93"
    number.press("Home")
    assert limb_of(page)["r1"] == 0.1


@pytest.mark.parametrize(
    ("state", "names"),
    [
        ("step=2", ["Length of the upper arm"]),
        ("lesson=space&scene=space&step=4", ["Softness"]),
        ("lesson=break&step=6", ["Distance of the target minus one"]),
    ],
)
def test_a_number_that_is_dragged_says_what_it_is_with_its_unit(visit, state, names):
    page = visit(state, **QUIET)
    arrive(page, int(state[-1]))
    sliders = current(page).get_by_role("slider").all()
    assert set(names) <= {one.get_attribute("aria-label") for one in sliders}
    for one in sliders:
        assert re.fullmatch(r".*\d.*[a-z].*", one.get_attribute("aria-valuetext"))


def test_text_and_picture_drive_each_other(visit):
    page = visit("step=6&target=0.9,0.2,0&r1=0.7", **QUIET)
    arrive(page, 6)
    far = math.hypot(0.9, 0.2)
    foot = (far**2 + 0.7**2 - 0.6**2) / (2 * far)
    length = math.sqrt(0.7**2 - foot**2)
    text = current(page).inner_text()
    for shown in (f"{length:.2f}", f"{foot:.2f}", f"{foot**2:.2f}", f"{100 * foot / far:.0f} %"):
        assert shown in text


def test_each_case_breaks_what_it_says(visit):
    page = visit("lesson=break&step=4&target=0,0,0&r1=0.7&r2=0.7", **QUIET)
    arrive(page, 4)

    def errors():
        """Return the cells of the table by its rows."""
        rows = current(page).get_by_role("row").all()[1:]
        return [row.get_by_role("cell").all_inner_texts() for row in rows]

    found = [cells[-1] for cells in errors()]
    assert found.count("NaN") >= 2
    assert min(float(cell) for cell in found if cell[0].isdigit()) < 2.5
    assert "AMBIGUOUS" in current(page).inner_text()
    press(page, "Next")
    arrive(page, 5)
    assert "100+" in [cell for cells in errors() for cell in cells]
    assert "TOO_FAR" in current(page).inner_text()


# --- moving from step to step -----------------------------------------------------------------


def test_scrolling_leads_from_step_to_step(visit):
    page = visit("step=1", **QUIET)
    arrive(page, 1)
    page.get_by_role("region", name="Steps of the lesson").hover()
    seen = [1]
    for _ in range(60):
        page.mouse.wheel(0, 160)
        page.evaluate(RESTS)
        step = int(address(page)["step"])
        if step != seen[-1]:
            seen.append(step)
        if step == STEPS["plane"]:
            break
    assert seen == list(range(1, STEPS["plane"] + 1))
    assert place(page, "target") == [0.8, 0.55]


# Every other frame is told a time that is 30 ms too early, as Chromium does when frames are late.
TIMES_GO_BACK = """{
  const real = requestAnimationFrame.bind(window);
  let count = 0;
  window.requestAnimationFrame = (then) => real((time) => then(time - 30 * (count++ % 2)));
}"""


@pytest.mark.parametrize("late", [False, True])
def test_each_step_moves_to_its_pose_and_a_hand_stops_the_motion(visit, late):
    page = visit("step=3", script=TIMES_GO_BACK if late else None)
    arrive(page, 3)
    seen = [place(page, "target")[0]]
    press(page, "Next")
    while seen[-1] != 1.25:
        seen.append(place(page, "target")[0])
    assert len(set(seen)) > 3
    assert seen == sorted(seen)
    arrive(page, 4)
    press(page, "Next")
    page.mouse.move(*middle(page, "target"))
    page.mouse.down()
    page.mouse.up()
    page.evaluate(FRAME)
    page.evaluate(FRAME)
    rests = place(page, "target")
    page.wait_for_timeout(300)
    assert place(page, "target") == rests


def test_the_lesson_scrolls_to_the_step_that_is_gone_to_and_passes_no_other(visit):
    page = visit("step=2")
    arrive(page, 2)
    steps = page.get_by_role("region", name="Steps of the lesson")
    # One script presses and watches: a slow machine may have scrolled before a second one begins.
    seen = steps.evaluate(
        """async (steps, dot) => {
          const seen = [];
          dot.click();
          for (let rest = 0; rest < 20; ) {
            await new Promise(requestAnimationFrame);
            const top = steps.scrollTop;
            rest = top === seen.at(-1)?.top ? rest + 1 : 0;
            seen.push({ top, step: document.querySelector("[aria-current=step]").ariaLabel });
          }
          return seen.map(({ top, step }) => [top, step.split(":")[0]]);
        }""",
        page.get_by_role("button", name="Step 5:").element_handle(),
    )
    tops = [top for top, _ in seen]
    assert tops == sorted(tops)
    assert tops[-1] > tops[0] + 500  # pixels
    assert {step for _, step in seen} == {"Step 5"}
    heading = current(page).get_by_role("heading").bounding_box()
    assert 0 <= heading["y"] - steps.bounding_box()["y"] < 100  # pixels


def test_who_scrolls_stops_the_scroll_to_a_step_and_is_led_to_the_step_that_is_read(visit):
    page = visit("step=2")
    arrive(page, 2)
    steps = page.get_by_role("region", name="Steps of the lesson")
    page.get_by_role("button", name="Step 6:").dispatch_event("click")
    steps.evaluate("(steps) => { steps.scrollTop = 0; }")
    arrive(page, 1)
    assert steps.evaluate("(steps) => steps.scrollTop") == 0
    # And from there by one leap to the end and back.
    for key, step in [("End", STEPS["plane"]), ("Home", 1)]:
        steps.press(key)
        arrive(page, step)


def test_those_who_want_less_motion_see_none(visit):
    page = visit("step=3", **QUIET)
    arrive(page, 3)
    seen = {place(page, "target")[0]}
    press(page, "Next")
    for _ in range(20):
        seen.add(place(page, "target")[0])
    arrive(page, 4)
    assert seen | {place(page, "target")[0]} == {0.75, 1.25}


def has_focus(one):
    return one.evaluate("(one) => one === document.activeElement")


def test_buttons_and_dots_lead_through_and_keep_the_focus(visit):
    page = visit("step=2", **QUIET)
    arrive(page, 2)
    button(page, "Back").focus()
    page.keyboard.press("Enter")
    arrive(page, 1)
    assert button(page, "Back").is_disabled()
    assert has_focus(button(page, "Next"))
    page.get_by_role("listitem").get_by_role("button").nth(4).click()
    arrive(page, 5)
    box = page.get_by_role("region", name="Steps of the lesson").bounding_box()
    assert abs(current(page).bounding_box()["y"] - box["y"]) < 2
    assert heard(page).startswith("Step 5 of 7: ")


def test_one_button_opens_the_lesson_and_escape_leaves_it(visit):
    page = visit("r1=0.9&side=-1&target=3,1,0", panel=False, **QUIET)
    press(page, "Show me why")
    arrive(page, 1)
    assert button(page, "Show me why").is_hidden()
    assert place(page, "target") == [0.75, 0.55]
    page.keyboard.press("Escape")
    button(page, "Show me why").wait_for()
    assert has_focus(button(page, "Show me why"))
    page.keyboard.press("Control+z")
    assert limb_of(page) == {**DEFAULTS, "r1": 0.9, "side": -1, "target": [3, 1, 0]}


def test_a_link_to_a_step_keeps_the_limb_that_it_holds(visit):
    page = visit("step=3&target=3,1,0", **QUIET)
    arrive(page, 3)
    assert limb_of(page)["target"] == [3, 1, 0]
    assert "no point" in current(page).inner_text()
    press(page, "Next")
    arrive(page, 4)
    assert place(page, "target") == [1.25, 0.95]
    visit_again(page, "step=6&target=0.5,0.4,0")
    arrive(page, 6)
    assert place(page, "target") == [0.5, 0.4]
    visit_again(page, "lesson=space&step=2")
    arrive(page, 2)
    assert button(page, "Space").get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("step", [1, 4, 7])
def test_a_lesson_is_read_in_any_window(visit, step):
    page = visit(f"step={step}", **QUIET)
    arrive(page, step)
    steps = page.get_by_role("region", name="Steps of the lesson")
    for width, height in ((1280, 800), (390, 844), (768, 1024), (667, 375), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        arrive(page, step)
        assert steps.bounding_box()["height"] >= 96
        if width > 320:  # the picture stays in sight beside it
            handle(page, "target").click(trial=True, timeout=2000)


@pytest.mark.parametrize("lesson", STEPS)
def test_numbers_in_sentences_are_written_well(visit, lesson):
    page = visit(f"lesson={lesson}&step=1", **QUIET)
    arrive(page, 1)
    for step in range(1, STEPS[lesson] + 1):
        page.get_by_role("listitem").get_by_role("button").nth(step - 1).click()
        arrive(page, step)
        text = current(page).inner_text()
        assert not re.search(r"undefined|Infinity|-\d", text), text
        assert lesson == "break" or "NaN" not in text


def test_a_pole_that_is_carried_along_is_perpendicular_from_the_start(visit):
    page = visit("lesson=space&step=5", **QUIET)
    arrive(page, 5)
    assert "47\N{DEGREE SIGN}" in current(page).inner_text()
    words = description(page)
    current(page).get_by_role("button", name="Carry").click()
    page.evaluate(RESTS)
    assert "90\N{DEGREE SIGN}" in current(page).inner_text()
    # The elbow stays where it is: only the part along the line has gone.
    assert description(page) == words


def test_a_plane_that_is_carried_along_does_not_flip(visit):
    """Here over the shoulder: the elbow of a pole that is fixed jumps to the other side."""
    most = []
    for is_carried in (False, True):
        page = visit("lesson=space&step=5&target=0.6,0.7,0.02", **QUIET)
        arrive(page, 5)
        if is_carried:
            current(page).get_by_role("button", name="Carry").click()
        handle(page, "target").focus()
        elbows = []
        for _ in range(60):
            page.keyboard.press("ArrowLeft")
            page.evaluate(FRAME)
            elbows.append(numbers(description(page).partition("elbow is at")[2])[:3])
        most.append(max(math.dist(a, b) for a, b in itertools.pairwise(elbows)))
    assert most[1] < 0.1 < most[0]


def test_the_plot_shows_where_the_elbow_is(visit):
    page = visit("lesson=space&step=4", **QUIET)
    arrive(page, 4)
    spot = current(page).locator("svg circle").last
    before = centre(spot)
    handle(page, "target").focus()
    for _ in range(10):
        page.keyboard.press("Shift+ArrowRight")
    page.evaluate(RESTS)
    after = centre(spot)
    assert after[0] > before[0] + 5
    assert after[1] > before[1] + 5
