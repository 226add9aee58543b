"""What a screen reader gets of a lesson: the current step alone, and what each number is."""

import re

import pytest

from browsing import (
    RESTS,
    arrive,
    button,
    current,
    description,
    handle,
    press,
)

pytestmark = pytest.mark.sampled(3, "nightly")


def tree_of(page):
    """Return the accessibility tree of the lesson."""
    return page.get_by_role("region", name="Lesson", exact=True).aria_snapshot()


@pytest.mark.parametrize(("lesson", "step"), [("plane", 4), ("space", 2), ("break", 3)])
def test_a_screen_reader_reads_the_current_step_alone(visit, lesson, step):
    scene = "space" if lesson == "space" else "plane"
    state = f"lesson={lesson}&scene={scene}&step={step}"
    page = visit(state, width=768, height=1024, reduced_motion="reduce")
    arrive(page, step)
    for n in (step, step + 1):
        if n > step:
            press(page, "Next")
            arrive(page, n)
        tree = tree_of(page)
        [title] = re.findall(r"heading \"\d (.*)\"", tree)
        assert tree.count("Task:") == 1
        assert tree.count("- slider") == current(page).get_by_role("slider").count()
        # Every step is listed, so that one finds the others.
        listed = re.findall(r"button \"Step (\d): (.*?)\"", tree)
        assert len(listed) >= 5
        assert (str(n), title) in listed


def test_the_description_of_a_picture_names_only_what_is_drawn(visit):
    # Step 2 leaves out the forearm, step 6 the other solution; step 3 draws both.
    for step, says, hides in (
        (2, "A limb in the plane. The elbow", ("Reached", "the other solution")),
        (3, "the other solution at 0.80", ()),
        (6, "Reached. The elbow", ("the other solution",)),
    ):
        page = visit(f"step={step}", reduced_motion="reduce")
        arrive(page, step)
        words = description(page)
        assert says in words
        assert not [each for each in hides if each in words]


def test_the_handle_of_a_target_out_of_reach_is_not_called_the_hand(visit):
    for step, name in ((3, "Hand: "), (4, "Target: ")):
        page = visit(f"step={step}", reduced_motion="reduce")
        arrive(page, step)
        assert handle(page, "target").get_attribute("aria-label").startswith(name)


def test_no_number_is_a_negative_zero(visit):
    page = visit("scene=space&lesson=space&step=3&target=0.55,0.75,0.001", reduced_motion="reduce")
    arrive(page, 3)
    words = description(page)
    assert "0.00" in words
    assert "\N{MINUS SIGN}0.00" not in words


def test_no_cell_of_the_table_that_is_read_is_empty(visit):
    page = visit("lesson=break&step=2", reduced_motion="reduce")
    arrive(page, 2)
    tree = tree_of(page)
    assert tree.count("- cell") == 15
    assert not re.search(r"- cell$", tree, re.MULTILINE)


def test_steps_that_are_not_current_show_the_numbers_of_their_own_pose(visit):
    page = visit("step=4&target=0.1,0.1,0", height=2400, reduced_motion="reduce")
    arrive(page, 4)
    assert "no point" in current(page).inner_text()
    assert page.get_by_text("2 points").is_visible()  # of the step before
    press(page, "Back")
    arrive(page, 3)
    assert page.get_by_text("1.57").first.is_visible()  # of the step after, when it is left


def has_focus(one):
    return one.evaluate("(one) => one === document.activeElement")


def test_tab_goes_through_the_current_step_alone(visit):
    page = visit("step=2", reduced_motion="reduce")
    arrive(page, 2)
    page.get_by_role("region", name="Steps of the lesson").focus()
    page.keyboard.press("Tab")
    assert has_focus(current(page).get_by_role("slider").first)
    for _ in range(current(page).get_by_role("slider").count()):
        page.keyboard.press("Tab")
    assert has_focus(button(page, "Back"))


def test_whoever_takes_a_number_of_another_step_is_there(visit):
    page = visit("step=1&r1=0.7", width=1280, height=1400, reduced_motion="reduce")
    arrive(page, 1)
    page.get_by_title("Drag to the left or right").nth(2).click()  # of the second step
    arrive(page, 2)
    number = current(page).get_by_role("slider").first
    assert has_focus(number)
    assert number.inner_text() == "0.70"
    # A step that is left takes no focus with it.
    page.get_by_role("listitem").get_by_role("button").nth(2).evaluate("(one) => one.click()")
    arrive(page, 3)
    page.evaluate(RESTS)
    assert has_focus(page.get_by_role("region", name="Steps of the lesson"))
