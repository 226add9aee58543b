"""Half a minute of each scene: labels do not overlap, limbs are not below what covers the picture.

The clock is the test's, so that this takes a second or two.
"""

import pytest

from browsing import arrive, button
from looks import SEEN, watched
from slow import slow

pytestmark = pytest.mark.sampled(3, "nightly")

SIZES = {"desk": (1280, 800), "tablet": (768, 1024), "phone": (390, 844)}
QUIET = {"reduced_motion": "reduce", "script": SEEN}


def assert_clear(found, labels=-1):
    assert found["wrong"] == []
    assert found["moved"]
    assert found["labels"] > labels
    assert found["bones"] > 0


def start(page):
    page.keyboard.press("Space")
    page.wait_for_timeout(50)


# --- a limb -------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("size", ["desk", "phone", *slow("tablet")])
@pytest.mark.parametrize("panel", [True, False])
def test_words_do_not_pile_up_while_the_hand_wanders(visit, scene, size, panel):
    page = visit(f"scene={scene}", *SIZES[size], panel=panel, **QUIET)
    start(page)
    least = {"plane": 3.5, "space": 4.5} if panel else {"plane": 3, "space": 3.5}
    assert_clear(watched(page, 400, 150), least[scene])


@pytest.mark.parametrize(
    ("name", "step", "size"),
    [
        *(("plane", 6, "desk"), ("break", 6, "desk")),
        *slow(  # a phone has the least room
            *(("plane", step, "phone") for step in (1, 2, 3, 4, 5, 6, 7)),
            *(("space", step, "phone") for step in (1, 3, 5)),
            *(("break", step, "phone") for step in (1, 3, 6, 7)),
        ),
    ],
)
def test_a_target_that_wanders_through_a_lesson_stays_in_sight(visit, name, step, size):
    scene = "space" if name == "space" else "plane"
    page = visit(f"lesson={name}&scene={scene}&step={step}", *SIZES[size], **QUIET)
    arrive(page, step)
    start(page)
    assert_clear(watched(page, 300, 200), 1.5)


# --- an animal ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("animal", "number", "size", "seconds"),
    [
        ("spider", 8, "desk", 20),
        *slow(
            ("insect", 6, "desk", 20),
            ("dog", 4, "tablet", 20),
            ("bird", 2, "phone", 20),
            ("crab", 8, "tablet", 20),
            ("centipede", 20, "phone", 20),
        ),
    ],
)
def test_the_leg_of_an_animal_is_beside_its_card(visit, animal, number, size, seconds):
    address = f"scene=creature&ground=0.15&animal={animal}&leg={number}"
    page = visit(address, *SIZES[size], panel=False, **QUIET)
    start(page)
    assert_clear(watched(page, 5 * seconds, 200), 2)


@pytest.mark.parametrize(
    ("animal", "width", "height"),
    [
        ("spider", 960, 800),
        ("spider", 667, 375),
        *slow(
            ("spider", 740, 360),
            ("spider", 1280, 800),
            ("insect", 960, 1000),
            ("spider", 390, 844),
        ),
    ],
)
def test_no_leg_of_an_animal_is_below_the_words_of_the_first_screen(visit, animal, width, height):
    address = f"scene=creature&ground=0.15&animal={animal}&language=de&bones=1"
    page = visit(address, width, height, panel=False, **QUIET)
    start(page)
    assert_clear(watched(page, 100, 200))


# --- a figure -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "panel"), [("phone", True), *slow(("desk", False), ("tablet", True))]
)
def test_limbs_of_the_figure_are_seen_in_all_of_its_clips(visit, size, panel):
    page = visit("scene=character", *SIZES[size], panel=panel, **QUIET)
    button(page, "Play").click()
    for clip in ("Wave", "Walk"):
        page.get_by_role("combobox", name="Clip").select_option(label=clip)
        for limb in ("Left leg", "Right leg", "Left arm", "Right arm") if panel else (None,):
            if limb:
                button(page, limb).click()
            assert_clear(watched(page, 30, 190), 0.7)
