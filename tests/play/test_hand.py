"""The page in the hand: a pointer, keys, number fields, fingers."""

import numpy as np
import pytest

from browsing import drag, fingers, limb_of, middle, world_of
from twobone.play import page_state

# --- the hand ------------------------------------------------------------------------------


def test_the_target_follows_the_hand_and_the_joint_is_that_of_python(visit):
    page = visit()
    start = middle(page, "target")
    # The grab keeps its offset: the target does not jump to the pointer.
    drag(page, (start[0] + 3, start[1] - 2), (start[0] - 117, start[1] + 58))
    want = world_of(page, start[0] - 120, start[1] + 60)
    limb = limb_of(page)
    assert limb["target"][:2] == pytest.approx(want, abs=2e-3)
    assert page.evaluate("main.found().joint") == page_state.answer(limb)["joint"]
    x, y = middle(page, "target")
    assert (x, y) == pytest.approx((start[0] - 120, start[1] + 60), abs=1)


def test_a_press_on_the_ground_brings_the_target(visit):
    page = visit()
    page.mouse.click(300, 300)
    assert limb_of(page)["target"][:2] == pytest.approx(world_of(page, 300, 300), abs=2e-3)


def test_root_joint_and_lengths_are_dragged(visit):
    page = visit()
    x, y = middle(page, "root")
    drag(page, (x, y), (x - 50, y + 30))
    assert limb_of(page)["root"][:2] == pytest.approx(world_of(page, x - 50, y + 30), abs=2e-3)
    x, y = middle(page, "joint")
    drag(page, (x, y), (x - 40, y - 20))
    limb = limb_of(page)
    joint = np.array(world_of(page, x - 40, y - 20))
    assert limb["r1"] == pytest.approx(np.linalg.norm(joint - limb["root"][:2]), abs=2e-3)
    assert limb["r2"] == pytest.approx(np.linalg.norm(joint - limb["target"][:2]), abs=2e-3)
    for name, centre in (("r1", "root"), ("r2", "target")):
        x, y = middle(page, name)
        drag(page, (x, y), (x + 20, y + 15))
        place = np.array(world_of(page, x + 20, y + 15))
        want = np.linalg.norm(place - limb_of(page)[centre][:2])
        assert limb_of(page)[name] == pytest.approx(want, abs=2e-3)


def test_the_joint_can_be_dragged_to_the_other_side(visit):
    page = visit()
    other = page.evaluate("plane.toPixels(main.found().other)")
    drag(page, middle(page, "joint"), other)
    assert limb_of(page)["side"] == -1


def test_the_space_arm_is_dragged_and_orbited(visit):
    page = visit("scene=space&r1=0.8", webgl=True)
    start = middle(page, "target")
    drag(page, start, (start[0] + 60, start[1] + 30))
    assert middle(page, "target") == pytest.approx((start[0] + 60, start[1] + 30), abs=1.5)
    limb = limb_of(page)
    assert limb["target"] != page_state.DEFAULTS["target"]
    assert page.evaluate("main.found().joint") == page_state.answer(limb)["joint"]
    x, y = middle(page, "pole")
    drag(page, (x, y), (x + 80, y + 40))
    pole = limb_of(page)["pole"]
    assert pole != [0, 1, 0]
    assert np.linalg.norm(pole) == pytest.approx(1, abs=2e-3)
    before = page.evaluate("[state.now.yaw, state.now.pitch]")
    drag(page, (150, 650), (250, 600))
    assert page.evaluate("[state.now.yaw, state.now.pitch]") != before
    assert limb_of(page)["target"] == limb["target"]
    page.mouse.move(400, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_function("() => state.now.zoom > 1.2")


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_handling_a_drag_is_quick(visit, scene):
    """The bar is 2 ms (benchmarks/page.py); here only that it is not lost by far."""
    page = visit(f"scene={scene}&r1=0.8", webgl=True)
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 200, y + 100), steps=60)
    costs = page.evaluate("handles.costs")
    assert len(costs) >= 30
    assert np.percentile(costs, 95) < 20


# --- keys and fields -----------------------------------------------------------------------


def test_tab_walks_the_handles_and_arrows_move_them(visit):
    page = visit()
    page.locator("#picture").evaluate("() => document.activeElement.blur()")
    seen = []
    for _ in range(16):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id"))
    walked = [name for name in seen if name.startswith("handle-")]
    assert walked == [f"handle-{name}" for name in ("root", "r1", "joint", "r2", "target")]
    page.locator("#handle-target").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert limb_of(page)["target"][:2] == pytest.approx([0.75 + 0.014, 0.55 + 0.14])
    page.locator("#handle-r1").focus()
    page.keyboard.press("ArrowUp")
    assert limb_of(page)["r1"] == pytest.approx(0.814)


@pytest.mark.parametrize(
    ("yaw", "moved"), [(35, [1, 0]), (90, [0, -1]), (-170, [-1, 0]), (275, [0, 1])]
)
def test_in_space_the_right_arrow_goes_to_the_right_of_the_picture(visit, yaw, moved):
    page = visit(f"scene=space&yaw={yaw}&r1=0.8")
    before, target = middle(page, "target"), limb_of(page)["target"]
    page.locator("#handle-target").focus()
    page.keyboard.press("Shift+ArrowRight")
    after = limb_of(page)["target"]
    assert [after[0] - target[0], after[2] - target[2]] == pytest.approx([0.14 * v for v in moved])
    page.wait_for_function("(x) => sight.toPixels(state.now.target)[0] > x + 5", arg=before[0])


def test_f_flips_and_undo_goes_back_and_forth(visit):
    page = visit()
    first = limb_of(page)
    page.keyboard.press("f")
    assert limb_of(page)["side"] == -1
    page.mouse.click(300, 300)
    last = limb_of(page)
    page.keyboard.press("Control+z")
    assert limb_of(page)["target"] == first["target"]
    page.locator("#undo").click()
    assert limb_of(page) == first
    page.wait_for_function("() => document.getElementById('undo').disabled")
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+z")
    assert limb_of(page) == last
    page.wait_for_function("() => document.getElementById('redo').disabled")


def test_all_that_is_dragged_has_number_fields(visit):
    page = visit("scene=space&r1=0.8")
    wanted = {"target-x": ("target", 0), "target-z": ("target", 2), "root-y": ("root", 1)}
    wanted |= {"pole-z": ("pole", 2), "r1": ("r1", None), "r2": ("r2", None)}
    for number, (field, (name, at)) in enumerate(wanted.items()):
        value = 0.31 + 0.1 * number
        page.locator(f"#{field}").fill(f"{value:.2f}")
        page.keyboard.press("Enter")
        have = limb_of(page)[name]
        assert (have if at is None else have[at]) == float(f"{value:.2f}")
    page.locator("#r1").focus()
    page.keyboard.press("ArrowUp")
    assert limb_of(page)["r1"] == pytest.approx(float("0.71") + 0.01)


def test_a_field_takes_no_nonsense(visit):
    page = visit()
    before = limb_of(page)
    for text in ("", "-1", "1e9"):
        page.locator("#r1").fill(text)
        page.keyboard.press("Tab")
        assert limb_of(page) == before
        assert page.locator("#r1").input_value() == "0.8"


# --- a finger ------------------------------------------------------------------------------


def test_a_finger_drags_and_a_tap_on_a_handle_moves_nothing(visit):
    page = visit(width=360, height=740, has_touch=True, is_mobile=True, device_scale_factor=2)
    first = limb_of(page)
    for name in ("r1", "r2", "root", "joint", "target"):
        page.touchscreen.tap(*middle(page, name))
        assert limb_of(page) == first, name
    x, y = middle(page, "target")
    touch = fingers(page)
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 12 * step, y + 6 * step))
    touch("touchEnd")
    want = world_of(page, x - 60, y + 30)
    assert limb_of(page)["target"][:2] == pytest.approx(want, abs=0.01)


def test_two_fingers_zoom(visit):
    page = visit(width=360, height=740, has_touch=True, is_mobile=True)
    scale = page.evaluate("plane.view.scale")
    touch = fingers(page)
    touch("touchStart", (100, 300))
    touch("touchStart", (100, 300), (200, 300))
    touch("touchMove", (60, 300), (260, 300))
    touch("touchEnd")
    assert page.evaluate("plane.view.scale") == pytest.approx(2 * scale, rel=0.05)
