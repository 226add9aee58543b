"""The page in the hand: a pointer, keys, number fields, fingers."""

import json
import re

import numpy as np
import pytest

from browsing import (
    RESTS,
    address,
    button,
    copied,
    drag,
    enter,
    field,
    fingers,
    handle,
    limb_of,
    middle,
    place,
    press,
    scale_of,
    world_of,
)
from twobone.play import page_state
from twobone.play.page_state import DEFAULTS

pytestmark = pytest.mark.sampled(3, "nightly")

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def world(told):
    """Return the joint that Python gives for what the page copied."""
    limb = {name: told[name] for name in DEFAULTS}
    return page_state.answer_in_world(limb).joint.tolist()


# --- the hand ------------------------------------------------------------------------------


def test_the_target_follows_the_hand_and_the_joint_is_that_of_python(visit):
    page = visit()
    x, y = middle(page, "target")
    want = world_of(page, x - 120, y + 60)
    # The grab keeps its offset: the target does not jump to the pointer.
    drag(page, (x + 3, y - 2), (x - 117, y + 58))
    assert limb_of(page)["target"][:2] == pytest.approx(want, abs=2e-3)
    assert middle(page, "target") == pytest.approx((x - 120, y + 60), abs=1)
    told = json.loads(copied(page, "JSON"))
    assert told["joint"] == world(told)
    assert place(page, "joint") == pytest.approx(told["joint"], abs=6e-4)


def test_a_press_on_the_ground_brings_the_target(visit):
    page = visit()
    want = world_of(page, 300, 300)
    page.mouse.click(300, 300)
    assert limb_of(page)["target"][:2] == pytest.approx(want, abs=2e-3)


def test_root_joint_and_lengths_are_dragged(visit):
    page = visit()
    x, y = middle(page, "root")
    want = world_of(page, x - 50, y + 30)
    drag(page, (x, y), (x - 50, y + 30))
    assert limb_of(page)["root"][:2] == pytest.approx(want, abs=2e-3)
    x, y = middle(page, "joint")
    joint = np.array(world_of(page, x - 40, y - 20))
    drag(page, (x, y), (x - 40, y - 20))
    limb = limb_of(page)
    assert limb["r1"] == pytest.approx(np.linalg.norm(joint - limb["root"][:2]), abs=2e-3)
    assert limb["r2"] == pytest.approx(np.linalg.norm(joint - limb["target"][:2]), abs=2e-3)
    for name, centre in (("r1", "root"), ("r2", "target")):
        x, y = middle(page, name)
        to = np.array(world_of(page, x + 20, y + 15))
        drag(page, (x, y), (x + 20, y + 15))
        limb = limb_of(page)
        assert limb[name] == pytest.approx(np.linalg.norm(to - limb[centre][:2]), abs=3e-3)


def test_the_joint_can_be_dragged_to_the_other_side(visit):
    page = visit()
    (x, y), (u, v), scale = middle(page, "root"), middle(page, "joint"), scale_of(page)
    other = page_state.answer_in_world({**DEFAULTS, "side": -1}).joint
    drag(page, (u, v), (x + scale * other[0], y - scale * other[1]))
    assert limb_of(page)["side"] == -1


def test_the_space_arm_is_dragged_and_orbited(visit):
    page = visit("scene=space&r1=0.8", webgl=True)
    x, y = middle(page, "target")
    drag(page, (x, y), (x + 60, y + 30))
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((x + 60, y + 30), abs=1.5)
    told = json.loads(copied(page, "JSON"))
    assert told["target"] != DEFAULTS["target"]
    assert told["joint"] == world(told)
    x, y = middle(page, "pole")
    drag(page, (x, y), (x + 80, y + 40))
    pole = limb_of(page)["pole"]
    assert pole != [0, 1, 0]
    assert np.linalg.norm(pole) == pytest.approx(1, abs=2e-3)
    drag(page, (150, 650), (250, 600))
    view = address(page)
    assert {"yaw", "pitch"} <= view.keys()
    assert limb_of(page)["target"] == told["target"]
    page.mouse.move(400, 400)
    page.mouse.wheel(0, -300)
    assert float(address(page)["zoom"]) > 1.2


# --- keys and fields -----------------------------------------------------------------------


def test_tab_walks_the_handles_and_arrows_move_them(visit):
    page = visit()
    handle(page, "root").focus()
    seen = []
    for name in ("root", "r1", "joint", "r2", "target"):
        seen.append(handle(page, name).evaluate("(one) => one === document.activeElement"))
        page.keyboard.press("Tab")
    assert all(seen)
    handle(page, "target").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    handle(page, "r1").focus()
    page.keyboard.press("ArrowUp")
    limb = limb_of(page)
    assert limb["target"][:2] == pytest.approx([0.75 + 0.014, 0.55 + 0.14])
    assert limb["r1"] == pytest.approx(0.814)


@pytest.mark.parametrize(
    ("yaw", "moved"), [(35, [1, 0]), (90, [0, -1]), (-170, [-1, 0]), (275, [0, 1])]
)
def test_in_space_the_right_arrow_goes_to_the_right_of_the_picture(visit, yaw, moved):
    page = visit(f"scene=space&yaw={yaw}&r1=0.8")
    before, target = middle(page, "target"), DEFAULTS["target"]
    handle(page, "target").focus()
    page.keyboard.press("Shift+ArrowRight")
    after = limb_of(page)["target"]
    assert [after[0] - target[0], after[2] - target[2]] == pytest.approx([0.14 * v for v in moved])
    assert middle(page, "target")[0] > before[0] + 5


@pytest.mark.parametrize("scene", ["space", "creature"])
def test_keys_turn_the_camera_and_the_page_says_so(visit, scene):
    page = visit(f"scene={scene}&yaw=10&pitch=20&liveliness=0", reduced_motion="reduce")
    seen = []
    for key in "ljik":
        page.keyboard.press(key)
        view = address(page)
        seen.append([float(view["yaw"]), float(view["pitch"])])
    assert seen == [[5, 20], [10, 20], [10, 25], [10, 20]]
    page.keyboard.press("Shift+L")
    assert float(address(page)["yaw"]) == -5
    assert page.get_by_text("orbit the camera of a scene in space").is_visible()


def test_f_flips_and_undo_goes_back_and_forth(visit):
    page = visit()
    first = limb_of(page)
    page.keyboard.press("f")
    assert limb_of(page)["side"] == -1
    page.mouse.click(300, 300)
    last = limb_of(page)
    page.keyboard.press("Control+z")
    assert limb_of(page) == first | {"side": -1}
    press(page, "Undo")
    assert limb_of(page) == first
    assert button(page, "Undo").is_disabled()
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+z")
    assert limb_of(page) == last
    assert button(page, "Redo").is_disabled()


def test_all_that_is_dragged_has_number_fields(visit):
    page = visit("scene=space&r1=0.81")
    wanted = {}
    for number, (name, at) in enumerate([("Target", 0), ("Target", 2), ("Root", 1), ("Pole", 2)]):
        value = wanted[name, at] = round(0.31 + 0.1 * number, 2)
        title = f"{name}: .*, {'xyz'[at]}$"
        page.get_by_role("spinbutton", name=re.compile(title)).fill(str(value))
        page.keyboard.press("Enter")
    enter(page, "Length of the first bone", "0.71")
    enter(page, "Length of the second bone", "0.82")
    field(page, "Length of the first bone").focus()
    page.keyboard.press("ArrowUp")
    limb = limb_of(page)
    assert {key: limb[key[0].lower()][key[1]] for key in wanted} == wanted
    assert (limb["r1"], limb["r2"]) == (0.72, 0.82)


# --- a finger ------------------------------------------------------------------------------


def test_a_finger_drags_and_a_tap_on_a_handle_moves_nothing(visit):
    page = visit(device_scale_factor=2, **PHONE | {"width": 360, "height": 740})
    for name in ("r1", "r2", "root", "joint", "target"):
        page.touchscreen.tap(*middle(page, name))
    assert limb_of(page) == DEFAULTS
    x, y = middle(page, "target")
    want, touch = world_of(page, x - 60, y + 30), fingers(page)
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 12 * step, y + 6 * step))
    touch("touchEnd")
    assert limb_of(page)["target"][:2] == pytest.approx(want, abs=0.01)


def test_a_finger_brings_the_target_by_a_tap_and_by_a_drag(visit):
    page = visit(**PHONE)
    page.touchscreen.tap(120, 330)
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((120, 330), abs=1)
    touch = fingers(page)
    touch("touchStart", (300, 120))
    touch("touchMove", (280, 150))
    touch("touchEnd")
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((280, 150), abs=1)


def test_two_fingers_zoom(visit):
    page = visit(**PHONE)
    scale, touch = scale_of(page), fingers(page)
    touch("touchStart", (100, 300))
    touch("touchStart", (100, 300), (200, 300))
    touch("touchMove", (60, 300), (260, 300))
    touch("touchEnd")
    page.evaluate(RESTS)
    assert scale_of(page) == pytest.approx(2 * scale, rel=0.05)


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("where", ["ground", "handle"])
def test_a_pinch_moves_no_target(visit, scene, where):
    page = visit(f"scene={scene}&r1=0.8", **PHONE)
    touch = fingers(page)
    x, y = middle(page, "target") if where == "handle" else (120, 330)
    touch("touchStart", (x, y))
    touch("touchMove", (x + 2, y + 1))
    touch("touchStart", (x + 2, y + 1), (x + 90, y - 60))
    for step in range(1, 5):
        touch("touchMove", (x - 10 * step, y + 8 * step), (x + 90 + 10 * step, y - 60 - 8 * step))
    touch("touchEnd", (x - 40, y + 32))
    touch("touchMove", (x - 90, y + 70))  # the finger that is left
    touch("touchEnd")
    assert limb_of(page) == {**DEFAULTS, "scene": scene}
    assert button(page, "Undo").is_disabled()
    view = address(page)
    assert float(view["zoom"]) > 1.2 if scene == "space" else "at" in view


def test_two_fingers_turn_and_zoom_in_space(visit):
    page = visit("scene=space&r1=0.8", **PHONE)
    touch = fingers(page)
    touch("touchStart", (60, 380))
    touch("touchStart", (60, 380), (160, 380))
    for step in range(1, 6):
        touch("touchMove", (60 + 10 * step, 380), (160 + 30 * step, 380))
    touch("touchEnd")
    view = address(page)
    assert float(view["zoom"]) == pytest.approx(2, rel=0.1)
    assert float(view["yaw"]) == pytest.approx(35 - 40, abs=5)


def test_a_finger_on_another_handle_does_not_take_the_first_one_over(visit):
    page = visit(**PHONE)
    (x, y), root, touch = middle(page, "target"), middle(page, "root"), fingers(page)
    touch("touchStart", f0=(x, y))
    touch("touchMove", f0=(x - 6, y))
    touch("touchStart", f0=(x - 6, y), f1=root)
    for step in range(2, 6):
        touch("touchMove", f0=(x - 6 * step, y), f1=root)
    touch("touchEnd")
    assert limb_of(page)["root"] == [0, 0, 0]
    assert middle(page, "target") == pytest.approx((x - 30, y), abs=1)


def test_a_third_finger_moves_nothing(visit):
    page = visit(**PHONE)
    touch, places = fingers(page), {"f0": (60, 380), "f1": (200, 380), "f2": (330, 380)}
    touch("touchStart", f0=places["f0"])
    touch("touchStart", f0=places["f0"], f1=places["f1"])
    before = limb_of(page)
    touch("touchStart", **places)
    touch("touchEnd")
    assert limb_of(page) == before
