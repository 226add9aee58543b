"""What part of the world the picture shows, and what may not lie on it or move it."""

import re

import numpy as np
import pytest

from browsing import RESTING, drag, fingers, limb_of, middle
from twobone.play import page_state

RESTS = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 80))"

# --- out of sight -------------------------------------------------------------------------


def test_a_target_that_is_dropped_behind_the_panel_comes_back_into_sight(visit):
    page = visit()
    for name, place in (("target", (1200, 400)), ("root", (1100, 500)), ("target", (40, 36))):
        start = middle(page, name)
        drag(page, start, place)
        page.evaluate(RESTS)
        x, y = middle(page, name)
        assert 0 < x < 960
        assert 0 < y < 800
        on_top = page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [x, y])
        assert on_top == f"handle-{name}"


def test_a_hand_that_works_close_up_keeps_its_view(visit):
    page = visit()
    x, y = middle(page, "target")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -1200)
    page.wait_for_function("() => plane.view.scale > 800")
    scale = page.evaluate("plane.view.scale")
    drag(page, middle(page, "target"), (x + 50, y + 20))
    page.evaluate(RESTS)
    assert page.evaluate("plane.view.scale") == scale


# --- the address --------------------------------------------------------------------------


def test_zoom_and_pan_are_in_the_address(visit):
    page = visit()
    page.mouse.move(200, 600)
    page.mouse.wheel(0, -700)
    page.wait_for_function("() => location.hash.includes('at=')")
    view = "[plane.toWorld([0, 0]), plane.toWorld([960, 800])].flat()"
    there = page.evaluate(view)
    other = visit(page.evaluate("location.hash.slice(1)"))
    assert other.evaluate(view) == pytest.approx(there, abs=2e-3)
    # In a window of another size it is the same middle, as near.
    small = visit(page.evaluate("location.hash.slice(1)"), width=390, height=844)
    middle_of = "plane.toWorld([main.size().width / 2, main.size().height / 2])"
    assert small.evaluate(middle_of) == pytest.approx(other.evaluate(middle_of), abs=2e-3)
    page.keyboard.press("0")
    page.wait_for_function("() => !location.hash.includes('at=')")


@pytest.mark.parametrize(
    "address",
    ["r1=1e6&r2=1e6&root=1e6,1e6,0&target=-1e6,-1e6,0", "r1=1e-6&r2=1e-6&target=1e-6,5e-7,0",
     "r1=1e-12&r2=1e-12&target=1e-12,5e-13,0", "at=0,0,1e-300", "at=1,1,1e-9", "at=0,0,1e8"],
)  # fmt: skip
def test_huge_and_tiny_views_are_zoomed_the_right_way_and_in_the_address(visit, address):
    for first, second in ("+-", "-+"):
        page = visit(address)
        scale = page.evaluate("plane.view.scale")
        for key in (first, second):
            page.keyboard.press(key)
            scale, before = page.evaluate("plane.view.scale"), scale
            assert scale >= before if key == "+" else scale <= before
    link = page.evaluate("state.write()")
    if "1e-12" not in address:  # finer than an address can say
        assert visit(link).evaluate("plane.view.scale") == pytest.approx(scale, rel=1e-3)


@pytest.mark.parametrize(("address", "key"), [("zoom=40", "+"), ("zoom=0.06", "-")])
def test_a_view_beyond_the_bounds_does_not_jump_to_them(visit, address, key):
    page = visit(f"scene=space&{address}&pitch=-60")
    before = page.evaluate("[state.now.zoom, state.now.pitch]")
    page.keyboard.press(key)
    page.keyboard.press("k")
    assert page.evaluate("[state.now.zoom, state.now.pitch]") == before
    # The animal is looked at from within the bounds, and from there the keys go on.
    page.evaluate("state.set({ scene: 'creature' }, 'address')")
    page.keyboard.press("-" if key == "+" else "+")
    page.keyboard.press("i")
    least, most = page.evaluate("orbit.ZOOMS.creature")
    assert least < page.evaluate("state.now.zoom") < most
    assert page.evaluate("state.now.pitch") == 10


def test_in_space_the_address_says_how_near(visit):
    page = visit("scene=space&zoom=2.5&yaw=80")
    page.evaluate(RESTS)
    assert page.evaluate("state.now.zoom") == 2.5
    page.keyboard.press("0")
    assert page.evaluate("state.now.zoom") == 1


# --- fingers and keys ---------------------------------------------------------------------


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("where", ["ground", "handle"])
def test_a_pinch_moves_no_target(visit, scene, where):
    page = visit(f"scene={scene}&r1=0.8", width=390, height=844, has_touch=True, is_mobile=True)
    before, touch = limb_of(page), fingers(page)
    x, y = middle(page, "target") if where == "handle" else (120, 330)
    page.evaluate("() => { window.seen = []; state.on(() => seen.push(...state.now.target)); }")
    touch("touchStart", (x, y))
    touch("touchMove", (x + 2, y + 1))
    touch("touchStart", (x + 2, y + 1), (x + 90, y - 60))
    for step in range(1, 5):
        touch("touchMove", (x - 10 * step, y + 8 * step), (x + 90 + 10 * step, y - 60 - 8 * step))
    touch("touchEnd", (x - 40, y + 32))
    touch("touchMove", (x - 90, y + 70))  # the finger that is left
    touch("touchEnd")
    page.evaluate(RESTS)
    assert limb_of(page) == before
    assert set(page.evaluate("seen")) <= set(before["target"])
    assert not page.evaluate("state.canUndo()")
    scale = "state.now.zoom" if scene == "space" else "plane.view.scale / 200"
    assert page.evaluate(scale) > 1.2 or page.evaluate("state.now.at[2]") > 0


def test_a_finger_brings_the_target_by_a_tap_and_by_a_drag(visit):
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    page.touchscreen.tap(120, 330)
    assert middle(page, "target") == pytest.approx((120, 330), abs=1)
    touch = fingers(page)
    touch("touchStart", (300, 120))
    touch("touchMove", (280, 150))
    touch("touchEnd")
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((280, 150), abs=1)


@pytest.mark.parametrize("scene", ["space", "creature"])
def test_keys_turn_the_camera_and_the_page_says_so(visit, scene):
    page = visit(f"scene={scene}&yaw=10&pitch=20")
    for key, wanted in (("l", (5, 20)), ("j", (10, 20)), ("i", (10, 25)), ("k", (10, 20))):
        page.keyboard.press(key)
        assert page.evaluate("[state.now.yaw, state.now.pitch]") == list(wanted)
    assert limb_of(page)["target"] == page_state.DEFAULTS["target"]
    assert "orbit the camera" in page.locator("#panel footer").inner_text()


# Chromium's emulation changes the density without telling the page, so this does.
DENSITIES = """
const asked = [], real = matchMedia;
window.matchMedia = (query) => (asked.push(real(query)), asked.at(-1));
window.setDensity = (value) => {
  Object.defineProperty(window, "devicePixelRatio", { value, configurable: true });
  asked.findLast((list) => list.media.includes("resolution"))?.dispatchEvent(new Event("change"));
};
"""


def test_a_picture_is_sharp_after_the_density_alone_has_changed(visit):
    page = visit(width=800, height=500, script=DENSITIES)
    page.set_default_timeout(5000)
    for density in (2, 1.5):
        page.evaluate("setDensity", density)
        page.wait_for_function("(k) => ink.width === k * ink.clientWidth", arg=density)


# --- labels -------------------------------------------------------------------------------

# Shares of a wandering minute in which two labels overlap, and how many labels there are.
LABELS = """([scene, count]) => {
  const pen = document.createElement("canvas").getContext("2d"), { r1, r2 } = state.now;
  let piled = 0, labels = 0;
  for (let i = 0; i < count; i++) {
    const t = (60 * i) / count, way = [0.82 * Math.sin(0.9 * t + 0.9),
      0.66 * Math.sin(1.31 * t + 0.6), 0.6 * Math.sin(0.71 * t + 0.4)];
    const s = { ...state.now, scene, target: way.map((v) => v * (r1 + r2)) };
    const found = limb.solve(s);
    const all = scene === "space" ? space.shapes(s, found, true) : plane.shapes(s, found);
    const boxes = all.filter((v) => v.text !== undefined).map(({ text, at: [x, y], size }) => {
      pen.font = `italic ${size}px serif`;
      const wide = pen.measureText(text).width / 2;
      return [x - wide, y - 0.4 * size, x + wide, y + 0.4 * size];
    });
    labels += boxes.length;
    piled += boxes.some((a, i) => boxes.some((b, j) => j > i && a[0] < b[2] && b[0] < a[2]
      && a[1] < b[3] && b[1] < a[3]));
  }
  return [piled / count, labels / count];
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_labels_do_not_pile_up_while_the_target_wanders(visit, width, height):
    page = visit("scene=space&r1=0.8", width=width, height=height)
    for scene, least in (("space", 4.5), ("plane", 3.5)):
        page.evaluate("(scene) => state.set({ scene })", scene)
        page.evaluate(RESTS)
        piled, labels = page.evaluate(LABELS, [scene, 400])
        assert piled == 0, scene
        assert labels > least, scene


TOO_WIDE = """() => {
  const beyond = (e) => e.scrollWidth - e.clientWidth;
  const shown = (e) => e.checkVisibility();
  const buttons = [...document.querySelectorAll("#panel button")].filter(shown);
  const wholes = [document.body, document.getElementById("panel")];
  const wide = [...wholes.filter((e) => beyond(e) > 0), ...buttons.filter((e) => beyond(e) > 1)];
  return wide.map((e) => e.id || e.innerText || e.tagName);
}"""


@pytest.mark.parametrize("scene", ["plane", "space", "creature"])
def test_text_that_is_spaced_widely_has_room(visit, scene):
    page = visit(f"scene={scene}&r1=0.8")
    style = "letter-spacing: .12em !important; word-spacing: .16em !important; line-height: 1.5"
    page.add_style_tag(content=f"* {{ {style} !important; }}")  # WCAG 1.4.12
    for width in (1280, 844, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TOO_WIDE) == [], width


# --- contrast -----------------------------------------------------------------------------


def ratio(colour, ground):
    """Return the contrast of two colours, #RRGGBB or rgb(), as in WCAG 2."""
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def parts(colour):
    if colour.startswith("#"):
        return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]


def luminance(colour):
    part = np.array(parts(colour)) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def over(colour, alpha, ground):
    """Return what is seen of a colour that lets some of its ground through."""
    mixed = alpha * np.array(parts(colour)) + (1 - alpha) * np.array(parts(ground))
    return f"rgb({', '.join(map(str, mixed))})"


BORDERS = """() => [...document.querySelectorAll("#panel button, .number, #panel select,"
  + "#tools button, textarea")].filter((e) => !e.disabled).map((e) => {
    const style = getComputedStyle(e);
    return [e.id || e.className, style.borderTopColor, style.backgroundColor,
      getComputedStyle(e.closest("#panel") ?? document.body).backgroundColor];
  })"""
# Faint on purpose, and nothing that must be found: the floor's grid, tints of glass, shadows.
FAINT = {"line"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_must_be_found_stands_out_from_its_ground(visit, scheme):
    page = visit(RESTING, color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("document.getElementById('copied').hidden = false")
    for name, border, _, ground in page.evaluate(BORDERS):
        assert ratio(border, ground) >= 3, name
    colours = page.evaluate("['ground', 'reachable', 'card'].map(draw.colour)")
    for text in ("plane.shapes(state.now, main.found())",
                 "space.shapes({ ...state.now, scene: 'space' }, limb.solve({ ...state.now,"
                 " scene: 'space' }), false)"):  # fmt: skip
        seen = 0
        for shape in page.evaluate(f"{text}.map((v) => ({{ ...v, hex: draw.colour(v.stroke) }}))"):
            if "stroke" not in shape or shape["stroke"] in FAINT or shape.get("alpha", 1) < 0.2:
                continue
            for ground in colours[:2]:
                colour = over(shape["hex"], shape.get("alpha", 1), ground)
                assert ratio(colour, ground) >= 3, (shape["stroke"], shape.get("alpha"))
            seen += 1
        assert seen > 8


def test_the_reachable_range_and_the_other_solution_have_lines_of_their_own(visit):
    page = visit(RESTING)
    shapes = page.evaluate("plane.shapes(state.now, main.found())")
    rings = [v for v in shapes if v.get("stroke") == "edge" and "disc" in v]
    outer, inner = page.evaluate(
        "[main.found().outer, main.found().inner].map((v) => v * plane.view.scale)"
    )
    assert [v["disc"][2] for v in rings] == pytest.approx([outer, inner])
    dashed = [v["stroke"] for v in shapes if v.get("dash") == [9, 8]]
    assert dashed == ["r1-ghost", "r2-ghost"]


# --- the orbit of the camera --------------------------------------------------------------


def test_what_an_orbit_does_not_change_keeps_its_number(visit):
    page = visit("scene=space&yaw=275&pitch=12.345&zoom=1.23456")
    page.mouse.move(300, 500)
    page.mouse.wheel(0, -200)
    page.wait_for_function("() => state.now.zoom > 1.5")
    assert page.evaluate("[state.now.yaw, state.now.pitch]") == [275, 12.345]
    drag(page, (300, 600), (400, 600))
    yaw, pitch, zoom = page.evaluate("[state.now.yaw, state.now.pitch, state.now.zoom]")
    assert yaw == pytest.approx(275 - 40, abs=0.5)  # and not -125
    assert pitch == 12.345
    assert zoom > 1.5


def test_a_drag_ends_at_the_bounds(visit):
    page = visit("scene=space&r1=0.8")
    for end, wanted in ((780, 85), (20, -20)):
        for _ in range(2):
            drag(page, (150, 400), (150, end))
        assert page.evaluate("state.now.pitch") == wanted


def test_nothing_on_the_picture_turns_the_camera(visit):
    page = visit("scene=space&r1=0.8")
    before = page.evaluate("[state.now.yaw, state.now.pitch, state.now.zoom]")
    for name in ("#fit", "#handle-target"):
        box = page.locator(name).bounding_box()
        start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        drag(page, start, (start[0] + 50, start[1] + 50))
        assert page.evaluate("[state.now.yaw, state.now.pitch, state.now.zoom]") == before


def test_two_fingers_turn_and_zoom(visit):
    page = visit("scene=space&r1=0.8", width=390, height=844, has_touch=True, is_mobile=True)
    touch = fingers(page)
    touch("touchStart", (60, 380))
    touch("touchStart", (60, 380), (160, 380))
    for step in range(1, 6):
        touch("touchMove", (60 + 10 * step, 380), (160 + 30 * step, 380))
    touch("touchEnd")
    page.evaluate(RESTS)
    assert page.evaluate("state.now.zoom") == pytest.approx(2, rel=0.1)
    assert page.evaluate("state.now.yaw") == pytest.approx(35 - 40, abs=5)


def test_a_button_on_the_picture_is_pressed_and_turns_nothing(visit):
    page = visit("scene=space&r1=0.8", panel=False)
    before = page.evaluate("[state.now.yaw, state.now.pitch]")
    page.locator("#intro-why").click()
    page.locator("#lesson").wait_for()
    assert page.evaluate("[state.now.yaw, state.now.pitch]") == before
