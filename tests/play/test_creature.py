"""The animal in the page, in a real browser, exported and served: led by hand, keys and Python."""

import json
import re
import time

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

from browsing import (
    FEW_FRAMES,
    PEN,
    address,
    button,
    centre,
    copied,
    description,
    drag,
    drawn,
    fingers,
    numbers,
    press,
)
from twobone import creature
from twobone.pictures import theme
from visitors import wait_until

WALK = "scene=creature"
SMALL = (800, 480)  # pixels; software draws them here
AWAKE = 60  # seconds to wait for an animal, on a busy machine


class Walked:
    """The animal of a served page, as Python is told of it."""

    def __init__(self, live):
        self.steps = []
        live.on_step(lambda page, step: self.steps.append(step))

    @property
    def state(self):
        return self.steps[-1].state

    @property
    def place(self):
        return self.state.body_position[[0, 2]]

    @property
    def turn(self):
        """Radians from +z to +x, which is on its left."""
        return 2 * np.arcsin(self.state.body_rotation[1])

    def until(self, is_so):
        """Wait until something is so of the newest step."""
        wait_until(lambda: self.steps and is_so(self.steps[-1].state), AWAKE)

    def rests(self):
        """Wait until the animal stands: a page does not tell of an animal that sleeps."""
        before = None
        while before is None or len(self.steps) > before:
            before = len(self.steps)
            time.sleep(0.6)


@pytest.fixture
def walked(live):
    return Walked(live)


@pytest.fixture
def walker(live, walked, visitor):
    """Open a served page whose animal stands, and sleeps when it stands."""

    def open_page(state="ground=flat", script="", **options):
        address, script = f"{WALK}&liveliness=0&{state}", FEW_FRAMES + script
        page = visitor(live.address, state=address, size=SMALL, script=script, **options)
        walked.until(lambda _: True)
        press(page, "Motion")
        walked.rests()
        return page

    return open_page


def motion(page):
    return button(page, "Motion").get_attribute("aria-pressed") == "true"


def choice(page, name):
    return page.get_by_role("combobox", name=name, exact=True)


def colour(tone):
    """Return a colour of the light theme as canvases write it."""
    return tone.light.lower()


def goal_of(page):
    """Return the middle of the rings on the ground in pixels; None if there are none."""
    lines = [mark for mark in drawn(page) if mark.get("stroke") == colour(theme.TARGET)]
    spots = np.array([point for mark in lines for point in mark["line"]])
    return spots.mean(axis=0) if len(spots) else None


def middle_of(page, *tones):
    """Return the middle of all that is drawn in some colours, in pixels."""
    wanted = {colour(tone) for tone in tones}
    marks = [mark for mark in drawn(page) if {mark.get("fill"), mark.get("stroke")} & wanted]
    return np.median([point for mark in marks for point in mark.get("line", [])], axis=0)


# --- led by hand and by keys --------------------------------------------------------------


@pytest.mark.nightly
def test_it_wanders_and_its_figures_are_shown(visit):
    page = visit(f"{WALK}&liveliness=0", *SMALL)
    figures = page.get_by_role("region", name="Measured over the last four seconds")
    figures.get_by_text("0.0", exact=False).first.wait_for()
    told = figures.inner_text()
    assert re.search(r"Foot sliding\s+0\n", told)
    assert re.search(r"Feet down now\s+[3-6] of 6\n", told)
    assert re.search(r"Fewest feet down\s+[3-6]\n", told)
    assert description(page).startswith("A walking insect: ")
    assert page.get_by_role("region", name="Formula").is_hidden()
    seen = page.screenshot()
    page.wait_for_timeout(300)
    assert page.screenshot() != seen
    page.keyboard.press("Space")  # stops it
    before = None
    while (now := page.screenshot()) != before:
        before = now
        page.wait_for_timeout(300)


def test_keys_walk_it(walker, walked):
    page = walker()
    start, turn = walked.place, walked.turn
    page.keyboard.down("w")
    walked.until(lambda state: np.linalg.norm(walked.place - start) > 0.4)
    page.keyboard.up("w")
    walked.rests()
    went = walked.place - start
    assert went @ [np.sin(turn), np.cos(turn)] > 0.99 * np.linalg.norm(went)
    start = walked.place
    page.keyboard.down("ArrowLeft")
    walked.until(lambda state: walked.turn > turn + 0.3)
    page.keyboard.up("ArrowLeft")
    walked.rests()
    assert np.linalg.norm(walked.place - start) < 0.1
    start, turn = walked.place, walked.turn
    page.keyboard.down("q")
    walked.until(lambda state: np.linalg.norm(walked.place - start) > 0.3)
    page.keyboard.up("q")
    went = walked.place - start
    assert went @ [np.cos(turn), -np.sin(turn)] > 0.9 * np.linalg.norm(went)  # to its own left


def test_a_click_on_the_ground_brings_it_there(walker, walked):
    page = walker("ground=0.15&polygon=0", script=PEN)
    start, (x, y) = walked.place, centre(page.get_by_role("img"))
    spot = x + 120, y + 100
    page.mouse.click(*spot)
    page.wait_for_timeout(60)
    np.testing.assert_allclose(goal_of(page), spot, atol=12)
    walked.rests()
    assert np.linalg.norm(walked.place - start) > 0.3
    assert goal_of(page) is None


def test_a_click_on_it_is_a_shove_and_a_drag_turns_the_camera(walker, walked):
    page = walker("ground=flat&bones=1", script=PEN)
    x, y = middle_of(page, theme.FIRST)  # the thighs of all legs
    start, told = walked.place, len(walked.steps)
    drag(page, (x, y), (x + 60, y + 20))
    assert float(address(page)["yaw"]) == pytest.approx(35 - 24, abs=2)
    assert len(walked.steps) == told
    page.mouse.click(*middle_of(page, theme.FIRST))
    walked.until(lambda state: not np.all(state.stance))
    walked.rests()
    went, yaw = walked.place - start, np.radians(float(address(page)["yaw"]))
    assert went @ [-np.sin(yaw), -np.cos(yaw)] > 0.8 * np.hypot(*went) > 0.1


def test_a_finger_leads_it_and_two_turn_the_camera(walker):
    page = walker("polygon=0", script=PEN, has_touch=True)
    touch, (x, y) = fingers(page), centre(page.get_by_role("img"))
    touch("touchStart", (x - 60, y + 80))
    touch("touchMove", (x - 100, y + 110))
    page.wait_for_timeout(60)
    np.testing.assert_allclose(goal_of(page), (x - 100, y + 110), atol=12)
    touch("touchEnd")
    touch("touchStart", (x - 100, y))
    touch("touchStart", (x - 100, y), (x, y))
    for step in range(1, 4):
        touch("touchMove", (x - 100, y), (x + 30 * step, y))
    touch("touchEnd")
    view = address(page)
    assert "yaw" in view
    assert float(view["zoom"]) > 1


def test_another_animal_on_other_ground_in_another_gait(walker, walked):
    page = walker()
    choose = lambda what, option: choice(page, what).select_option(label=option)  # noqa: E731
    choose("Animal", "Spider, 8 legs")
    choose("Ground", "Steps")
    assert button(page, "New hills").is_disabled()
    choose("Ground", "Rough, 15 %")
    press(page, "New hills")
    choose("Gait", "Duty factor 0.75")
    page.get_by_role("group", name="Show").get_by_role("button", name="Triangles").click()
    told = len(walked.steps)
    press(page, "Shove X")
    wait_until(lambda: len(walked.steps) > told + 1)
    walked.rests()
    terrain = creature.make_terrain(0.15, "spider", seed=2)
    feet = walked.state.feet
    assert len(feet) == 8
    np.testing.assert_allclose(feet[:, 1], terrain.height(feet[:, 0], feet[:, 2]), atol=1e-12)
    wanted = {"animal": "spider", "ground": "0.15", "seed": "2", "duty_factor": "0.75"}
    assert wanted | {"triangles": "1"} == {
        name: value for name, value in address(page).items() if name not in ("scene", "liveliness")
    }


def test_who_wants_no_motion_sees_it_stand(visit):
    page = visit(f"{WALK}&polygon=0", *SMALL, reduced_motion="reduce", script=FEW_FRAMES + PEN)
    assert not motion(page)
    seen = page.screenshot()
    page.wait_for_timeout(300)
    assert page.screenshot() == seen
    # It goes where it is sent, and stands still again.
    x, y = centre(page.get_by_role("img"))
    page.mouse.click(x + 60, y + 110)
    page.wait_for_timeout(100)
    assert goal_of(page) is not None
    before = None
    while (now := page.screenshot()) != before:
        before = now
        page.wait_for_timeout(400)
    assert now != seen
    assert button(page, "Undo").is_disabled()  # neither it nor an address is a step of one's own


def test_the_limb_stays_as_it_is_while_the_animal_walks(live, visitor):
    page = visitor(live.address, state="target=1.2,0.4,0.35", size=SMALL, script=FEW_FRAMES)
    press(page, "Creature")
    page.get_by_role("img", name="A walking insect").wait_for()
    live.target = (0.3, 0.9)  # nor does the animal stop when the limb is told something
    page.wait_for_timeout(300)
    assert motion(page)
    press(page, "Plane")
    assert not motion(page)
    assert json.loads(copied(page, "JSON"))["target"][:2] == [0.3, 0.9]


# --- a leg that is looked at --------------------------------------------------------------


def test_a_click_on_a_leg_opens_its_numbers(visit):
    # With less motion it never walks away, so its legs are where they are however slow the page is.
    page = visit(
        f"{WALK}&polygon=0&bones=1&animal=spider", *SMALL, script=PEN, reduced_motion="reduce"
    )
    shins = [mark["line"] for mark in drawn(page) if mark.get("fill") == colour(theme.SECOND)]
    spots = sorted((np.mean(line, axis=0) for line in shins), key=lambda at: at[1])
    page.mouse.click(*spots[-1])  # the shin that is nearest to the reader
    card = page.get_by_role("region", name=re.compile("^(Left|Right) leg [1-4] of 4"))
    card.wait_for()
    assert re.search(r"Hip to ankle: \d+ % of the reach\. On the ground", card.inner_text())
    name = card.get_by_role("heading").inner_text()
    assert choice(page, "Look at").locator("option:checked").inner_text() == name
    heard = page.get_by_role("status").all_text_contents()
    assert [text for text in heard if text.startswith(f"{name}. Hip to ankle: ")]
    assert {"x", "p"} <= {mark.get("text") for mark in drawn(page)}
    assert goal_of(page) is None
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")


def test_a_mouse_over_a_leg_shows_that_it_can_be_clicked(visit):
    page = visit(f"{WALK}&ground=flat&bones=1", *SMALL, script=PEN, reduced_motion="reduce")
    shape = "([x, y]) => getComputedStyle(document.elementFromPoint(x, y)).cursor"  # as it is seen
    shins = [mark["line"] for mark in drawn(page) if mark.get("fill") == colour(theme.SECOND)]
    on_leg, beside = max((np.mean(line, axis=0) for line in shins), key=lambda at: at[1]), (30, 300)
    for spot, cursor in ((on_leg, "pointer"), (beside, "grab"), (on_leg, "pointer")):
        page.mouse.move(*spot)
        assert page.evaluate(shape, [*map(float, spot)]) == cursor


def test_the_numbers_of_a_leg_live_and_lead_into_the_lesson_and_back(visit):
    page = visit(
        f"{WALK}&animal=dog&leg=1&liveliness=0", *SMALL, reduced_motion="reduce", script=FEW_FRAMES
    )
    press(page, "Motion")
    card = page.get_by_role("region", name="Left hind leg")
    before = card.inner_text()
    assert "The knee is solved; the segment below the ankle turns" in before
    page.wait_for_timeout(500)
    assert card.inner_text() != before
    press(page, "Motion")
    told = None
    while (now := card.inner_text()) != told:  # until it stands
        told = now
        page.wait_for_timeout(500)
    button(page, "Why? Open the lesson with this leg").click()
    page.get_by_role("region", name="Lesson", exact=True).wait_for()
    limb = address(page)
    bones = creature.animal("dog").anatomy.legs[0]
    assert float(limb.get("r1", 0.8)) == pytest.approx(bones.upper)
    assert float(limb.get("r2", 0.6)) == pytest.approx(bones.lower)
    p = [float(part) for part in limb["target"].split(",")]
    shown = [float(v) for v in re.findall(r"-?\d\.\d\d", told.replace("\N{MINUS SIGN}", "-"))[:3]]
    assert p == pytest.approx(shown, abs=0.01)
    assert page.get_by_text("dog: Left hind leg").is_visible()
    press(page, "Back to the animal")
    card.wait_for()
    assert page.get_by_text("dog: Left hind leg").is_hidden()
    page.wait_for_timeout(300)
    far = [numbers(text.partition("Hip to ankle")[2])[0] for text in (told, card.inner_text())]
    assert far[1] == pytest.approx(far[0], abs=2)  # it has waited


def test_legs_are_chosen_by_keyboard(visit):
    page = visit(f"{WALK}&animal=dog&liveliness=0", *SMALL, script=FEW_FRAMES)
    legs = choice(page, "Look at")
    options = legs.get_by_role("option").all_inner_texts()
    assert sorted(options) == sorted(
        [
            "No leg",
            *(f"{side} {end} leg" for side in ("Left", "Right") for end in ("hind", "front")),
        ]
    )
    legs.focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("region", name="Left hind leg").wait_for()
    page.keyboard.press("End")
    card = page.get_by_role("region", name="Right front leg")
    card.wait_for()
    button(page, "Close the numbers of the leg").focus()
    page.keyboard.press("Enter")
    card.wait_for(state="hidden")
    assert legs.evaluate("(one) => one === document.activeElement")


# --- led by Python ------------------------------------------------------------------------


def test_python_leads_and_is_told_of_steps(live, walked, visitor):
    live.scene = "creature"
    dog = creature.animal("dog")
    live.animal = dog._replace(anatomy=dog.anatomy._replace(name="Rex"))
    live.terrain = lambda x, z: 0.05 * np.sin(x)
    live.lead(0.7, turn=0.2)
    page = visitor(live.address, state="liveliness=0", size=SMALL, script=FEW_FRAMES)
    walked.until(lambda _: walked.steps[-1].seconds > 1)
    chosen = lambda what: choice(page, what).locator("option:checked").inner_text()  # noqa: E731
    assert chosen("Animal") == "Rex, from Python"
    assert chosen("Ground") == "From Python"
    assert not motion(page)
    step = walked.steps[-1]
    assert (step.page, step.animal, step.blocked) == (1, "Rex", False)
    assert step.state.feet.shape == (4, 3)
    under = 0.05 * np.sin(step.state.feet[:, 0])
    down = step.state.stance
    np.testing.assert_allclose(step.state.feet[down, 1], under[down], atol=1e-4)
    # A person takes the ground back; a shove is for every page.
    choice(page, "Ground").select_option("flat")
    walked.until(lambda state: np.all(state.feet[state.stance, 1] == 0))
    live.lead(0)
    walked.rests()
    live.shove((0.0, 1.0))
    walked.until(lambda state: not np.all(state.stance))
    live.terrain = creature.Slope(80)
    page.get_by_text("no room to stand").wait_for()
    assert live.errors == 0


def test_the_page_goes_on_without_python(live, walked, visitor):
    page = visitor(
        live.address, gone=True, state=f"{WALK}&liveliness=0", size=SMALL, script=FEW_FRAMES + PEN
    )
    walked.until(lambda _: True)
    live.close()
    told = len(walked.steps)
    before = drawn(page)
    page.wait_for_timeout(500)
    assert drawn(page) != before
    assert len(walked.steps) <= told + 1
