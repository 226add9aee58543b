"""The lesson in the plane: each step has a pose, live numbers and a task that the page notices."""

import math
import re

import pytest

from browsing import HAND, RESTS, arrive, drag, limb_of, middle, section

MINUS = "\N{MINUS SIGN}"
STEPS = 7
SOLVED = "(n) => lesson.isSolved('plane', n)"


def press_until_solved(page, step, key, at_most=80):
    for _ in range(at_most):
        if page.evaluate(SOLVED, step):
            return
        page.keyboard.press(key)
        page.evaluate("main.drawNow()")
    assert page.evaluate(SOLVED, step), step


# What solves the task of each step with the keyboard alone: what to focus, and the keys.
KEYS = {
    1: (HAND, ["Shift+ArrowLeft"]),
    2: (".step:nth-child(2) [data-scrub=r1]", ["ArrowRight"]),
    3: (HAND, ["ArrowRight"]),
    4: (HAND, ["Shift+ArrowLeft"] * 9 + ["Shift+ArrowDown"]),
    5: (HAND, ["ArrowLeft"]),
    6: (HAND, ["ArrowLeft"]),
    7: (".step:nth-child(7) [data-act=flip]", ["Enter"]),
}


@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_every_task_is_solved_with_keys(visit, step):
    page = visit(f"step={step}", reduced_motion="reduce")
    arrive(page, step)
    assert not page.evaluate(SOLVED, step)
    assert section(page, step).locator(".reply").is_hidden()
    focus, (*first, last) = KEYS[step]
    page.locator(focus).focus()
    for key in first:
        page.keyboard.press(key)
    press_until_solved(page, step, last)
    assert section(page, step).locator(".reply").is_visible()
    assert "Task done" in page.locator("#lesson-heard").inner_text()
    dot = page.locator(f"#lesson-dots [data-step='{step}']")
    assert dot.get_attribute("aria-label").endswith("task done")
    assert dot.get_attribute("aria-current") == "step"


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
    page = visit(f"step={step}", reduced_motion="reduce", width=1500, height=900)
    arrive(page, step)
    place = page.evaluate("(v) => plane.toPixels(v)", PLACES[step])
    drag(page, middle(page, "target"), place, steps=12)
    page.evaluate(RESTS)
    assert page.evaluate(SOLVED, step)
    if step == 3:
        limb = limb_of(page)
        assert math.hypot(*limb["target"][:2]) == pytest.approx(1.4, abs=1e-12)
        assert "1 point" in section(page, 3).inner_text()


def test_a_number_in_a_sentence_is_dragged(visit):
    page = visit("step=2", reduced_motion="reduce")
    arrive(page, 2)
    box = section(page, 2).locator("[data-scrub=r1]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, (x, y), (x + 52, y))
    assert limb_of(page)["r1"] == 0.93
    page.evaluate(RESTS)
    assert page.evaluate(SOLVED, 2)
    number = section(page, 2).locator("[data-scrub=r1]")
    assert number.inner_text() == "0.93"
    assert number.get_attribute("role") == "slider"
    assert number.get_attribute("aria-label") == "Length of the upper arm"
    assert number.get_attribute("aria-valuenow") == "0.93"
    number.press("Home")
    assert limb_of(page)["r1"] == 0.1


def test_text_and_picture_drive_each_other(visit):
    page = visit("step=6&target=0.9,0.2,0&r1=0.7", reduced_motion="reduce")
    arrive(page, 6)
    found = page.evaluate("main.found()")
    text = section(page, 6).inner_text()
    length = found["s"] * found["far"]  # s is a length
    foot = math.hypot(*found["q"])
    assert length == pytest.approx(math.sqrt(0.7**2 - foot**2))
    for shown in (
        f"{length:.2f}",
        f"{foot:.2f}",
        f"{foot**2:.2f}",
        f"{100 * foot / found['far']:.0f} %",
    ):
        assert shown in text
    page.locator(HAND).focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.evaluate(RESTS)
    assert section(page, 6).inner_text() != text
    # A thing that is pointed at in the text stands out in the picture.
    count = "main.shapes(false).filter((v) => v.stroke === 'r1')[0].alpha"
    before = page.evaluate(count)
    section(page, 6).locator("[data-part=foot]").hover()
    assert page.evaluate(count) < before


@pytest.mark.parametrize("target", [(0.75, 0.55), (1.25, 0.95), (0.05, 0.05)])
def test_the_lines_of_the_last_step_are_python_and_right(visit, target):
    """Beyond the reachable range too, where the elbow is another one: bones keep their lengths."""
    x, y = target
    page = visit(f"step=7&target={x},{y},0&r1=0.9", reduced_motion="reduce")
    arrive(page, 7)
    rows = [row.locator("td").all_inner_texts() for row in section(page, 7).locator("tr").all()]
    space = {"px": x, "py": y, "r1": 0.9, "r2": 0.6, "side": 1, "sqrt": math.sqrt}
    for code, shown in rows:
        exec(code, space)
        assert shown.replace(MINUS, "-") == f"{space[code.split(' =')[0]]:.4f}"
    elbow = [space["ex"], space["ey"]]
    if space["S"] > 0:
        assert elbow == pytest.approx(page.evaluate("main.found().joint"))
    else:
        assert math.hypot(*elbow) != pytest.approx(0.9, abs=0.01)


# --- moving from step to step -----------------------------------------------------------------


def test_scrolling_leads_from_step_to_step(visit):
    page = visit("step=1", reduced_motion="reduce")
    arrive(page, 1)
    page.locator("#lesson-scroll").hover()
    seen = [1]
    for _ in range(60):
        page.mouse.wheel(0, 160)
        page.evaluate(RESTS)
        step = page.evaluate("state.now.step")
        if step != seen[-1]:
            seen.append(step)
    assert seen == list(range(1, STEPS + 1))
    pose = limb_of(page)
    assert pose["target"][:2] == [0.8, 0.55]


def test_each_step_moves_to_its_pose_and_a_hand_stops_the_motion(visit):
    page = visit("step=3")
    arrive(page, 3)
    page.evaluate("() => { window.seen = []; state.on(() => seen.push(state.now.target[0])); }")
    page.locator("#lesson-next").click()
    arrive(page, 4)
    seen = page.evaluate("[...new Set(seen)]")
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1.25
    page.evaluate("document.getElementById('lesson-next').click()")
    page.wait_for_function("() => lesson.isMoving()")
    page.mouse.move(*middle(page, "target"))
    page.mouse.down()
    page.mouse.up()
    assert not page.evaluate("lesson.isMoving()")


# Every other frame is told a time that is 30 ms too early, as Chromium does when frames are late.
TIMES_GO_BACK = """() => {
  const real = requestAnimationFrame.bind(window);
  let count = 0;
  window.requestAnimationFrame = (then) => real((time) => then(time - 30 * (count++ % 2)));
}"""


def test_a_motion_does_not_go_back_where_times_of_frames_do(visit):
    page = visit("step=3")
    arrive(page, 3)
    page.evaluate(TIMES_GO_BACK)
    page.evaluate("() => { window.seen = []; state.on(() => seen.push(state.now.target[0])); }")
    page.evaluate(
        "() => { window.told = []; const tell = (t) => { told.push(t); "
        "if (told.length < 20) frames.next(tell); }; frames.next(tell); }"
    )
    page.locator("#lesson-next").click()
    arrive(page, 4)
    page.wait_for_function("() => told.length === 20")
    for times in (page.evaluate("seen"), page.evaluate("told")):
        assert len(set(times)) > 3
        assert times == sorted(times)


def test_those_who_want_less_motion_see_none(visit):
    page = visit("step=3", reduced_motion="reduce")
    arrive(page, 3)
    page.evaluate("() => { window.seen = []; state.on(() => seen.push(state.now.target[0])); }")
    page.locator("#lesson-next").click()
    arrive(page, 4)
    assert page.evaluate("[...new Set(seen)].filter((v) => v !== 0.75)") == [1.25]


def test_buttons_and_dots_lead_through_and_keep_the_focus(visit):
    page = visit("step=2", reduced_motion="reduce")
    arrive(page, 2)
    page.locator("#lesson-back").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('lesson-back').disabled")
    assert page.evaluate("document.activeElement.id") == "lesson-next"
    page.locator("#lesson-dots [data-step='5']").click()
    arrive(page, 5)
    visible = (
        "(n) => { const a = document.querySelectorAll('.step')[n - 1].getBoundingClientRect(),"
    )
    visible += " b = document.getElementById('lesson-scroll').getBoundingClientRect();"
    visible += " return Math.abs(a.top - b.top) < 2; }"
    assert page.evaluate(visible, 5)


def test_one_button_opens_the_lesson_and_escape_leaves_it(visit):
    page = visit("r1=0.9&side=-1&target=3,1,0", panel=False, reduced_motion="reduce")
    before = limb_of(page)
    page.locator("#intro-why").click()
    arrive(page, 1)
    assert page.locator("#intro").is_hidden()
    assert limb_of(page)["target"][:2] == [0.75, 0.55]
    page.keyboard.press("Escape")
    page.locator("#lesson").wait_for(state="hidden")
    assert page.locator("#intro").is_visible()
    assert page.evaluate("document.activeElement.id") == "intro-why"
    page.keyboard.press("Control+z")
    assert limb_of(page) == before


def test_a_link_to_a_step_keeps_the_limb_that_it_holds(visit):
    page = visit("step=3&target=3,1,0", reduced_motion="reduce")
    arrive(page, 3)
    assert limb_of(page)["target"] == [3, 1, 0]
    assert "no point" in section(page, 3).inner_text()
    page.wait_for_function("() => location.hash.includes('step=3')")
    page.locator("#lesson-next").click()
    arrive(page, 4)
    assert limb_of(page)["target"][:2] == [1.25, 0.95]


def test_a_link_pasted_into_an_open_lesson_is_taken(visit):
    page = visit("step=3", reduced_motion="reduce")
    arrive(page, 3)
    page.locator("#lesson-next").click()
    arrive(page, 4)
    page.evaluate("location.hash = '#step=6&target=0.5,0.4,0'")
    arrive(page, 6)
    assert limb_of(page)["target"] == [0.5, 0.4, 0]
    page.evaluate("location.hash = '#lesson=space&step=2'")
    arrive(page, 2)
    assert limb_of(page)["scene"] == "space"
    page.evaluate("state.set({ scene: 'plane' }, 'python')")
    page.locator("#lesson").wait_for(state="hidden")


def test_a_step_is_announced(visit):
    page = visit("step=2", reduced_motion="reduce")
    arrive(page, 2)
    page.locator("#lesson-next").click()
    arrive(page, 3)
    assert page.locator("#lesson-heard").inner_text() == "Step 3 of 7: Two lengths are two circles"
    # So is the status of its pose, once the arm has come there.
    page.locator("#lesson-next").click()
    page.wait_for_function(
        "() => document.getElementById('heard').textContent.startsWith('Too far')"
    )


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 800), (390, 844), (768, 1024), (667, 375), (320, 256)]
)
@pytest.mark.parametrize("step", [1, 4, 7])
def test_a_lesson_is_read_in_any_window(visit, width, height, step):
    page = visit(f"step={step}", width=width, height=height, reduced_motion="reduce")
    arrive(page, step)
    assert page.locator("#lesson-scroll").bounding_box()["height"] >= 96
    if width > 320:  # the picture stays in sight beside it
        lesson = page.locator("#lesson").bounding_box()
        for name in ("root", "joint"):
            at = f"plane.toPixels(limb.vectors.plus(main.found().root, main.found().{name}))"
            x, y = page.evaluate("plane.toPixels([0, 0])" if name == "root" else at)
            assert x < lesson["x"] or y < lesson["y"]
            assert 0 < x < width
            assert 0 < y < height


def test_numbers_in_sentences_are_written_well(visit):
    page = visit("step=1", reduced_motion="reduce")
    for step in range(1, STEPS + 1):
        page.locator(f"#lesson-dots [data-step='{step}']").click()
        arrive(page, step)
        text = section(page, step).inner_text()
        assert not re.search(r"NaN|undefined|Infinity|-\d", text), text
