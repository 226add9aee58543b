"""The page handled roughly: odd places, odd numbers, odd windows, several hands at once."""

import re

import numpy as np
import pytest

from browsing import RESTING, RESTS, drag, fingers, limb_of, middle

# --- several hands -------------------------------------------------------------------------


def test_a_finger_on_another_handle_does_not_take_the_first_one_over(visit):
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
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
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    touch, places = fingers(page), {"f0": (60, 380), "f1": (200, 380), "f2": (330, 380)}
    touch("touchStart", f0=places["f0"])
    touch("touchStart", f0=places["f0"], f1=places["f1"])
    before = limb_of(page)
    touch("touchStart", **places)
    touch("touchEnd")
    assert limb_of(page) == before


def test_to_undo_stops_the_wandering(visit):
    page = visit("")
    page.wait_for_function("() => state.now.target[0] !== 0.75")
    page.keyboard.press("Control+z")
    assert limb_of(page)["target"] == [0.75, 0.55, 0.35]
    page.wait_for_timeout(100)
    assert limb_of(page)["target"] == [0.75, 0.55, 0.35]


def test_what_ends_the_wandering_is_a_step_of_its_own(visit):
    page = visit("")
    for field, text in (("target-x", "1.25"), ("r1", "0.9")):
        page.evaluate("main.wander(true)")
        page.wait_for_function(
            "(was) => state.now.target[1] !== was", arg=limb_of(page)["target"][1]
        )
        page.locator(f"#{field}").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        typed = limb_of(page)
        page.locator("#undo").click()
        undone = limb_of(page)
        assert {name for name in typed if typed[name] != undone[name]} == {field.split("-")[0]}
        assert undone["target"][1:] == typed["target"][1:]  # where the wandering ended
        page.locator("#redo").click()
        assert limb_of(page) == typed
    page.evaluate("main.wander(true)")
    page.locator("#flip").click()
    page.locator("#undo").click()
    assert limb_of(page)["side"] == 1
    assert limb_of(page)["target"] != typed["target"]


def test_a_number_taken_back_ends_the_wandering_alone(visit):
    page = visit("")
    page.wait_for_function("() => state.now.target[0] !== 0.75")
    page.locator("#target-x").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("12x")
    page.keyboard.press("Escape")
    rests = limb_of(page)
    assert rests["target"][0] != 0.75
    page.locator("#undo").click()
    page.locator("#redo").click()
    assert limb_of(page) == rests


def test_what_arrives_swallows_no_pose(visit):
    page = visit()
    undo = page.locator("#undo")
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 50, y + 30))
    dragged = limb_of(page)
    page.evaluate("location.hash = 'target=0.2,0.3,0'")
    page.wait_for_function("() => state.now.target[0] === 0.2")
    undo.click()
    assert limb_of(page) == dragged
    # A script that sends many is one step.
    for length in (1, 2, 3):
        page.evaluate("(r1) => { state.set({ r1 }, 'python'); state.settle(); }", length)
    assert not page.evaluate("state.canRedo()")
    undo.click()
    assert limb_of(page) == dragged
    undo.click()
    assert limb_of(page)["r1"] == 0.8
    assert page.evaluate("[state.canUndo(), state.canRedo()]") == [False, True]
    # What was undone before an address came belongs to another limb.
    page.evaluate("location.hash = 'target=0.4,0.3,0'")
    page.wait_for_function("() => state.now.target[0] === 0.4")
    assert not page.evaluate("state.canRedo()")


# --- keys ----------------------------------------------------------------------------------


def test_the_way_to_the_numbers_leaves_the_limb_alone(visit):
    page = visit("r1=0.9&side=-1")
    before = limb_of(page)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert limb_of(page) == before
    assert page.evaluate("document.activeElement.id") == "panel"


def test_escape_takes_nobody_elsewhere(visit):
    page = visit()
    page.locator("#handle-target").focus()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "handle-target"


def test_a_handle_out_of_sight_does_not_shift_the_picture(visit):
    page = visit()
    page.evaluate("() => { for (let i = 0; i < 15; i++) handles.zoom(1.4, [900, 100]); }")
    page.wait_for_timeout(50)
    page.locator("#handle-root").focus()
    assert page.evaluate("[window.picture.scrollLeft, window.picture.scrollTop]") == [0, 0]


def test_a_screen_reader_is_told_when_things_rest(visit):
    page = visit()
    page.evaluate(
        "() => { window.told = []; new MutationObserver(() => told.push(heard.textContent))"
        ".observe(heard, { childList: true, characterData: true, subtree: true }); }"
    )
    assert page.locator("#heard").get_attribute("role") == "status"
    assert page.locator("#status").get_attribute("role") is None
    start, (x, y) = middle(page, "target"), (900, 90)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(x, y, steps=8)
    page.wait_for_timeout(800)  # longer than things take to rest: the hand still holds it
    page.mouse.move(x + 20, y - 20, steps=2)
    assert page.evaluate("told") == []
    page.mouse.up()
    page.wait_for_function("() => told.length === 1 && told[0].startsWith('Too far by')")
    page.keyboard.press("Space")
    page.wait_for_timeout(1500)
    assert page.evaluate("told.length") == 1


# --- odd numbers ---------------------------------------------------------------------------


def test_commas_that_a_messenger_has_encoded_are_commas(visit):
    page = visit("target=1.2%2C0.1%2C0&r1=0.9")
    assert limb_of(page)["target"] == [1.2, 0.1, 0]
    assert limb_of(page)["r1"] == 0.9


@pytest.mark.parametrize(
    ("address", "status", "errors"),
    [
        ("target=3,0,0&policy=stretch", "Too far by 1.60", "Bones stretched by 137 %, 243 %"),
        ("target=3,1,0&policy=stretch&r1=0", "Too far by", "Bones stretched by ∞ %, 323 %"),
        ("target=1e-5,0,0&r1=1e-6&r2=1e-6", "Too far by 8.0e\u22126", "Length errors: 0 eps"),
        (
            "target=1.2,0.1,0&policy=proportion&limit=1.9&soft=.2",
            "Reached with stretched bones",
            "Bones stretched by",
        ),
        ("target=1.2,0.1,0&soft=.2", "Softened: short of the target by 0.0", "Length errors: "),
        ("scene=space&pole=0,0,0", "Ambiguous: the pole is zero", "Length errors: "),
    ],
)
def test_odd_numbers_have_words_that_fit(visit, address, status, errors):
    page = visit(address)
    assert page.locator("#status-words").inner_text().startswith(status)
    assert page.locator("#errors").inner_text().startswith(errors)
    assert status in page.locator("#ink").get_attribute("aria-label")


@pytest.mark.parametrize("scale", ["1e6", "91234.5"])
def test_large_numbers_have_room(visit, scale):
    three = ",".join([scale] * 3)
    page = visit(f"scene=space&root={three}&target=-{three.replace(',', ',-')}&r1={scale}")
    beyond = "(() => { const p = document.getElementById('panel');"
    assert page.evaluate(f"{beyond} return p.scrollWidth - p.clientWidth; }})()") <= 0


def test_a_small_limb_is_dragged_finely(visit):
    page = visit("r1=0.0008&r2=0.0006&target=0.0007,0.0005,0")
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 31, y + 17))
    assert middle(page, "target") == pytest.approx((x - 31, y + 17), abs=1)
    before = limb_of(page)["target"][0]
    page.locator("#handle-target").focus()
    page.keyboard.press("ArrowRight")
    assert limb_of(page)["target"][0] == pytest.approx(before + 0.000014)


def test_a_picture_of_what_lies_without_end_is_still_one(visit):
    page = visit("target=1e-160,0,0")
    text = page.evaluate("draw.svg(main.shapes(false), 800, 600, '')")
    assert "Infinity" not in text
    assert "NaN" not in text


def test_what_lies_far_beyond_the_picture_is_not_drawn(visit):
    """A browser takes a minute for dashes a million pixels long, such as from within a bone."""
    page = visit("scene=space&zoom=40&pitch=-60")
    assert (
        np.max(np.abs(page.evaluate("main.shapes(true).flatMap((v) => v.line ?? []).flat()"))) > 1e5
    )
    drawn = page.evaluate("draw.svg(main.shapes(true), 1280, 800, '')")
    paths = re.findall(r' d="([^"]+)"', drawn)
    numbers = [float(v) for path in paths for v in re.split("[MLZ ]", path) if v]
    assert len(numbers) > 8
    assert np.max(np.abs(numbers)) <= 8000


@pytest.mark.parametrize(
    ("line", "close", "wanted"),
    [
        ([[0, 0], [10, 5]], False, "M0 0L10 5"),
        ([[0, 0], [10, 5], [3, 9]], True, "M0 0L10 5L3 9Z"),
        ([[-1e6, 5], [1e6, 5]], False, "M-4000 5L8000 5"),
        ([[1, 1], [1, 1e7], [2, 1e7], [2, 1]], False, "M1 1L1 8000M2 8000L2 1"),
        ([[0, 0], [100, 0], [100, 1e7]], True, "M0 0L100 0L100 8000M0.08 8000L0 0"),
        ([[1e5, 0], [1e6, 5]], False, ""),
        ([[1e5, 1e5], [1e5, 1e6]], False, ""),
        ([[0, 1e5], [1e5, 0]], False, ""),
    ],
)  # fmt: skip
def test_a_line_ends_beyond_the_picture(visit, line, close, wanted):
    shape = {"line": line, "close": close, "stroke": "ink"}
    drawn = visit().evaluate("(shape) => draw.svg([shape], 400, 300, '')", shape)
    (path,) = re.findall(r' d="([^"]*)"', drawn)
    assert path == wanted


def test_space_looks_the_same_far_from_the_origin(visit):
    pictures = []
    for far in (0, 300_000):
        root, target = [far] * 3, [far + part for part in (0.75, 0.5, 0.25)]
        page = visit(f"scene=space&root={join(root)}&target={join(target)}", width=700, height=500)
        pictures.append(
            page.evaluate(
                "() => { const c = document.createElement('canvas'); main.compose(c);"
                " const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);"
                " return data.reduce((text, v) => text + String.fromCharCode(v), ''); }"
            )
        )
    near, away = (np.frombuffer(text.encode("latin-1"), np.uint8) for text in pictures)
    near, away = near.astype(float), away.astype(float)
    assert near.size == away.size > 10**5
    assert np.abs(near - away).mean() < 0.5


def join(numbers):
    return ",".join(map(str, numbers))


def test_a_number_out_of_sight_is_shown_in_space_too(visit):
    page = visit("scene=space&r1=0.8")
    page.locator("#target-x").fill("50")
    page.keyboard.press("Enter")
    page.wait_for_function("() => space.view.reach > 40")
    page.locator("#target-x").fill("0.5")
    page.keyboard.press("Enter")
    page.locator("#r1").fill("1000")
    page.keyboard.press("Enter")
    page.wait_for_function("() => space.view.reach > 1000")


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_a_limb_that_has_become_a_dot_is_shown_large_again(visit, scene):
    page = visit(f"scene={scene}&r1=0.8")
    apart = "(([x, y], [u, v]) => Math.hypot(x - u, y - v))" + (
        "(sight.toPixels(state.now.target), sight.toPixels(state.now.root))"
    )
    before = page.evaluate(apart)
    page.locator("#r1").fill("1000")
    page.keyboard.press("Enter")
    page.wait_for_function("() => sight.scale() < 1")
    page.locator("#undo").click()
    assert page.evaluate(apart) == pytest.approx(before)
    page.evaluate("state.set({ r1: 1e-4, r2: 1e-4, target: [1e-4, 0, 0] }, 'python')")
    assert page.evaluate(apart) > 24


def test_the_letter_of_a_straight_limb_stands_beside_it(visit):
    page = visit("target=3,0,0")
    below, above = page.evaluate(
        "[main.shapes().find((v) => v.text === 'x').at[1], plane.toPixels(main.found().joint)[1]]"
    )
    assert abs(below - above) >= 16


# --- odd windows ---------------------------------------------------------------------------


def test_a_page_that_was_hidden_is_drawn_when_it_shows(visit):
    page = visit()
    before = page.evaluate("plane.view.scale")
    for display in ("none", ""):
        page.evaluate("(v) => { document.getElementById('picture').style.display = v; }", display)
        page.wait_for_timeout(100)
    assert page.evaluate("plane.view.scale") == pytest.approx(before)


def test_forced_colours_show_what_is_pressed(visit):
    page = visit(forced_colors="active")
    colours = page.evaluate(
        "['plane', 'space'].map((v) => getComputedStyle(document.getElementById(`scene-${v}`))"
        ".backgroundColor)"
    )
    assert colours[0] != colours[1]


@pytest.mark.parametrize("scene", ["space", "creature", "character"])
def test_a_lost_context_leaves_lines_and_no_warnings(visit, scene):
    page = visit(f"scene={scene}&r1=0.8&animal=dog", webgl=True)
    page.wait_for_function("() => main.isLit() && (state.now.scene !== 'creature' || walk.at())")
    page.evaluate("main.drawNow()")
    warnings = []
    page.on("console", lambda m: warnings.append(m.text))
    page.evaluate(
        "() => { window.losing = stage.context().getExtension('WEBGL_lose_context');"
        " losing.loseContext(); }"
    )
    page.wait_for_function("() => main.isLit() === false")
    page.evaluate("losing.restoreContext()")
    page.wait_for_function("() => main.isLit() === true")
    # All that was made in the lost context is let go of, or replaced, in one of these.
    for other in ("creature", "character", "space", scene):
        page.evaluate("(scene) => { state.set({ scene }); main.drawNow(); }", other)
        page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
        page.evaluate("stage.coarsen(1), main.drawNow()")
    page.evaluate(RESTS)
    assert [text for text in warnings if "ReadPixels" not in text] == []  # of software, in tests


# --- a video -------------------------------------------------------------------------------


def test_a_film_keeps_its_size(visit):
    page = visit(RESTING, width=900, height=600)
    page.locator("#record").click()
    size = page.evaluate("[keep.film().width, keep.film().height]")
    page.set_viewport_size({"width": 1000, "height": 500})
    page.wait_for_function("() => main.size().height === 500")
    page.wait_for_timeout(100)
    assert page.evaluate("[keep.film().width, keep.film().height]") == size
    with page.expect_download():
        page.locator("#record").click()


def test_a_browser_that_cannot_record_goes_on(visit):
    script = (
        "window.MediaRecorder = class { constructor() { throw new Error('no'); }"
        " static isTypeSupported() { return true; } };"
    )
    page = visit(RESTING, script=script)
    page.locator("#record").click()
    assert "cannot record" in page.locator("#said").inner_text()
    assert page.evaluate("keep.film()") is None
