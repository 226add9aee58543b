"""What a screen reader gets of a lesson: the current step alone, and what each number is."""

import re

import pytest

from browsing import RESTS, arrive, section


def heard(page):
    """Return the accessibility tree of the lesson."""
    return page.locator("#lesson").aria_snapshot()


@pytest.mark.parametrize(("lesson", "step"), [("plane", 4), ("space", 2), ("break", 3)])
def test_a_screen_reader_reads_the_current_step_alone(visit, lesson, step):
    scene = "space" if lesson == "space" else "plane"
    address = f"lesson={lesson}&scene={scene}&step={step}"
    page = visit(address, width=768, height=1024, reduced_motion="reduce")
    arrive(page, step)
    titles = [text.strip() for text in page.locator(".step h2").all_inner_texts()]
    for n in (step, step + 1):
        if n > step:
            page.locator("#lesson-next").click()
            arrive(page, n)
        tree = heard(page)
        assert re.findall(r"heading \"(.*)\"", tree) == [" ".join(titles[n - 1].split())]
        assert tree.count("Task:") == 1
        assert tree.count("- slider") == section(page, n).locator(".scrub").count()
        # Every step is listed, so that one finds the others.
        assert len(re.findall(r"button \"Step \d:", tree)) == len(titles)


def test_the_description_of_a_picture_names_only_what_is_drawn(visit):
    # Step 2 leaves out the forearm, step 6 the other solution; step 3 draws both.
    for step, says, hides in (
        (2, "A limb in the plane. The elbow", ("Reached", "the other solution")),
        (3, "the other solution at 0.80", ()),
        (6, "Reached. The elbow", ("the other solution",)),
    ):
        page = visit(f"step={step}", reduced_motion="reduce")
        arrive(page, step)
        words = page.locator("#ink").get_attribute("aria-label")
        assert says in words
        assert not [each for each in hides if each in words]


def test_the_handle_of_a_target_out_of_reach_is_not_called_the_hand(visit):
    for step, name in ((3, "Hand: "), (4, "Target: ")):
        page = visit(f"step={step}", reduced_motion="reduce")
        arrive(page, step)
        assert page.locator("#handle-target").get_attribute("aria-label").startswith(name)


def test_no_number_is_a_negative_zero(visit):
    page = visit("scene=space&lesson=space&step=3&target=0.55,0.75,0.001", reduced_motion="reduce")
    arrive(page, 3)
    words = page.locator("#ink").get_attribute("aria-label")
    assert "0.00" in words
    assert "\N{MINUS SIGN}0.00" not in words


def test_no_cell_of_the_table_that_is_read_is_empty(visit):
    page = visit("lesson=break&step=2", reduced_motion="reduce")
    arrive(page, 2)
    tree = heard(page)
    assert tree.count("- cell") == 15
    assert not re.search(r"- cell$", tree, re.MULTILINE)


def test_steps_that_are_not_current_show_the_numbers_of_their_own_pose(visit):
    page = visit("step=4&target=0.1,0.1,0", reduced_motion="reduce")
    arrive(page, 4)
    assert "no point" in section(page, 4).inner_text()
    assert "2 points" in section(page, 3).inner_text()
    # After it is left, too.
    page.locator("#lesson-back").click()
    arrive(page, 3)
    assert "1.57" in section(page, 4).inner_text()
    page = visit("lesson=break&step=1", reduced_motion="reduce")
    arrive(page, 1)
    assert not [text for text in page.locator(".bench td").all_inner_texts() if not text]


def test_tab_goes_through_the_current_step_alone(visit):
    page = visit("step=2", reduced_motion="reduce")
    arrive(page, 2)
    page.locator("#lesson-scroll").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.step.now') !== null")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "lesson-back"


def test_whoever_takes_a_number_of_another_step_is_there(visit):
    page = visit("step=1&r1=0.7", width=1280, height=1400, reduced_motion="reduce")
    arrive(page, 1)
    number = section(page, 2).locator("[data-scrub=r1]")
    number.click()
    arrive(page, 2)
    assert page.evaluate("document.activeElement.dataset.scrub") == "r1"
    assert page.evaluate("state.now.r1") == 0.7
    # A step that is left takes no focus with it.
    page.evaluate("lesson.go(3)")
    arrive(page, 3)
    page.evaluate(RESTS)
    assert page.evaluate("document.activeElement.id") == "lesson-scroll"


@pytest.mark.parametrize(
    ("address", "names"),
    [
        (
            "step=1",
            ['"Length of the upper arm": 0.80 units', '"Length of the forearm": 0.60 units'],
        ),
        ("step=5", ['"Distance of the purple point from the middle of the line": 0.30 units']),
        ("lesson=space&scene=space&step=4", ['"Softness": 0.00 of the reach']),
        (
            "lesson=break&step=2",
            [
                '"Gap to full stretch, as a fraction of the reach":'
                " 10 to the power of \N{MINUS SIGN}3.00"
            ],
        ),
        ("lesson=break&step=6", ['"Distance of the target minus one": 0.2 millionths']),
    ],
)
def test_a_number_that_is_dragged_says_what_it_is_with_its_unit(visit, address, names):
    page = visit(address, reduced_motion="reduce")
    arrive(page, int(address[-1]))
    sliders = [
        f'"{each.get_attribute("aria-label")}": {each.get_attribute("aria-valuetext")}'
        for each in section(page, int(address[-1])).locator("[role=slider]").all()
    ]
    assert sliders == names


def test_the_sliders_of_the_controls_say_their_unit(visit):
    page = visit()
    page.evaluate("state.set({ soft: 0.2 }), main.drawNow()")
    slider = page.locator("#soft-slider")
    assert slider.get_attribute("aria-label").startswith("Softness")
    assert slider.get_attribute("aria-valuetext") == "0.2 of the reach"
