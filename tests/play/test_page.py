"""The page itself: one file, what it says, its address, day and night."""

import base64
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from browsing import RESTING, limb_of, random_states
from twobone.pictures import theme
from twobone.play import page_state

PROJECT = Path(__file__).parents[2]

# --- one file ------------------------------------------------------------------------------


def test_the_page_names_no_site_but_two(exported):
    html = exported.read_text(encoding="utf-8")
    links = set(re.findall(r"https?://([\w.]+)", html))
    assert links <= {"iquilezles.org", "www.w3.org"}


def test_colours_are_those_of_every_other_picture(visit):
    names = {
        "ground": theme.GROUND,
        "reachable": theme.RING,
        "ink": theme.INK,
        "soft-ink": theme.HUSHED,
        "r1": theme.FIRST,
        "r2": theme.SECOND,
        "joint": theme.JOINT,
        "target": theme.TARGET,
        "across": theme.ACROSS,
        "amber": theme.AMBER,
        "red": theme.RED,
    }
    for scheme in ("light", "dark"):
        page = visit(color_scheme=scheme)
        have = {name: page.evaluate("(n) => draw.colour(n)", name).upper() for name in names}
        assert have == {name: getattr(colour, scheme).upper() for name, colour in names.items()}


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
@pytest.mark.parametrize(
    "address", [RESTING, "scene=space&r1=0.8", "step=4", "step=7", "lesson=break&step=7"]
)
def test_nothing_is_clipped_at_any_width(visit, width, address):
    page = visit(address, width=width, height=740)
    wide = page.evaluate(
        "[...document.querySelectorAll('body, #panel, #panel *, #lesson, #lesson *')]"
        ".filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1"
        " && !['INPUT', 'SELECT', 'PRE'].includes(e.tagName)).map((e) => e.id || e.outerHTML)"
    )
    assert wide == []
    small = page.evaluate(
        "[...document.querySelectorAll('button:not(.handle)')].filter((e) => e.offsetParent"
        " && e.getBoundingClientRect().height < 24).map((e) => e.id)"
    )
    assert small == []
    box = page.locator("#picture").bounding_box()
    assert box["height"] > 350
    assert box["width"] >= min(width, 440) - 1


# --- words for those who do not see --------------------------------------------------------


def test_a_screen_reader_hears_all_that_is_there(visit):
    page = visit()
    heard = page.locator("body").aria_snapshot()
    for line in (
        'button "Target: 0.750, 0.550"',
        'button "Root: 0, 0"',
        'button "Length of the first bone: 0.800"',
        'button "Flip the side F"',
        'spinbutton "Target: where the end of the limb should be, x"\': "0.75"',
        'combobox "What to do with a target that cannot be reached"',
        'img "A limb in the plane: Reached. The elbow is at 0.19, 0.78, the other solution at ',
        "status: Reached",
        'heading "twobone" [level=1]',
        'heading "Formula" [level=2]',
    ):
        assert line in heard, line
    nameless = re.findall(
        r"^\s*- (?:button|spinbutton|slider|combobox|textbox|link)(?!.*\").*$", heard, re.M
    )
    assert nameless == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_the_ground(visit, scheme):
    """Contrast as in WCAG 2: 4.5 for all words, 7 for the plain ones."""
    page = visit(color_scheme=scheme)
    found = page.evaluate(
        "[...document.querySelectorAll('#panel p, #panel h1, #panel h2, #panel span, #panel i')]"
        ".filter((e) => e.offsetParent && e.textContent.trim() && !e.closest(':disabled'))"
        ".map((e) => [e.textContent, getComputedStyle(e).color, e.closest('button') !== null])"
    )
    card = luminance(
        page.evaluate("getComputedStyle(document.getElementById('panel')).backgroundColor")
    )
    for text, colour, on_button in found:
        light, dark = sorted((luminance(colour), card), reverse=True)
        assert on_button or (light + 0.05) / (dark + 0.05) >= 4.5, (text, colour)


def luminance(colour):
    parts = np.array([int(part) for part in re.findall(r"\d+", colour)[:3]]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


# --- status and policies -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "words", "kind"),
    [
        ("target=0.75,0.55,0", "Reached", "reached"),
        ("target=2.4,0,0", "Too far by 1.00", "far"),
        ("target=0.05,0,0", "Too near by 0.15", "near"),
        ("target=0,0,0&r2=0.8", "Ambiguous: the target is at the root", "ambiguous"),
        ("scene=space&target=0,1,0", "Ambiguous: pole parallel to target direction", "ambiguous"),
        ("target=1.38,0,0&soft=0.1", "Softened: short of the target by 0.0", "far"),
        ("target=1.4,0,0&greatest=90", "Too far by 0.40", "far"),
        ("target=2.4,0,0&policy=raise", "UnreachableError: too far by 1.00", "far"),
        ("target=2.4,0,0&policy=nan", "Too far by 1.00", "far"),
        ("target=2.4,0,0&policy=stretch", "Too far by 1.00", "far"),
    ],
)
def test_the_status_is_said_in_words_and_shown_by_a_mark(visit, address, words, kind):
    page = visit(address)
    assert page.locator("#status-words").inner_text().startswith(words)
    assert kind in page.locator("#status").get_attribute("class").split()
    assert page.locator("#status-mark").get_attribute("d")


def test_the_page_answers_as_python_does(visit):
    page = visit()
    states = list(random_states(3000))
    found = page.evaluate(
        "(states) => states.map((s) => { const { joint, end, status } = limb.solve(s);"
        " return { joint, end, status }; })",
        states,
    )
    for state, have in zip(states, found, strict=True):
        want = page_state.answer(state)
        slack = 0 if state["least"] == 0 and state["greatest"] == 180 else 1e-15
        assert have["status"] == want["status"], state
        for name in ("joint", "end"):
            told = np.array([np.nan if v is None else v for v in want[name]])
            size = 1 + abs(state["r1"]) + abs(state["r2"])
            np.testing.assert_allclose(have[name], told, rtol=0, atol=slack * size, err_msg=state)


# --- the address ---------------------------------------------------------------------------


def test_an_address_carries_all_to_the_last_bit(visit):
    page = visit()
    for state in random_states(40, seed=5):
        there = page.evaluate(
            "(s) => { state.set({ least: 0, greatest: 180 }); state.set(s);"
            " return state.write(); }",
            state,
        )
        back = page.evaluate("(text) => state.read(text)", there)
        assert {name: back[name] for name in state} == {**state}
    page.evaluate("state.set({ scene: 'space', target: [0.1, 0.2, 1 / 3], step: 0, yaw: 12.5 })")
    page.wait_for_function("() => location.hash.includes('0.3333333333333333')")
    other = visit(page.evaluate("location.hash.slice(1)"))
    assert limb_of(other) == limb_of(page)
    assert other.evaluate("state.now.yaw") == 12.5


@pytest.mark.parametrize(
    "address",
    [
        "target=NaN,1,2&r1=-3&r2=Infinity&side=2&scene=moon&soft=1e9",
        "__proto__=1&constructor=2&toString=3&target=1",
        "%E0%A4%A&target=%3Cimg%20src=x%3E&" + "a=b&" * 2000,
        "step=99&pitch=1e300&zoom=0",
        "step=2.5",
    ],
)
def test_a_hostile_address_changes_nothing(visit, address):
    page = visit(address)
    assert limb_of(page) == page_state.DEFAULTS


def test_an_address_pasted_into_an_open_page_is_taken(visit):
    page = visit()
    page.evaluate("location.hash = '#target=0.25,0.5,0&side=-1'")
    page.wait_for_function("() => state.now.side === -1")
    assert limb_of(page)["target"] == [0.25, 0.5, 0]


# --- wandering, day and night ---------------------------------------------------------------


def test_the_target_wanders_until_somebody_takes_it(visit):
    page = visit("")
    page.wait_for_function("() => state.now.target[0] !== 0.75")
    places = []
    for _ in range(4):
        places.append(tuple(limb_of(page)["target"]))
        page.wait_for_timeout(60)
    assert len(set(places)) > 1
    page.mouse.click(300, 300)
    rests = limb_of(page)
    page.wait_for_timeout(150)
    assert limb_of(page) == rests
    page.keyboard.press("Space")
    page.wait_for_function("(t) => state.now.target[0] !== t", arg=rests["target"][0])


def test_nothing_moves_by_itself_for_those_who_asked_for_less(visit):
    page = visit("", reduced_motion="reduce")
    page.wait_for_timeout(200)
    assert limb_of(page) == page_state.DEFAULTS


def test_day_and_night(visit):
    page = visit(color_scheme="dark")
    assert page.evaluate("draw.colour('ground')") == theme.GROUND.dark
    page.locator("#theme").click()
    assert page.evaluate("draw.colour('ground')") == theme.GROUND.light


# --- without WebGL2 ------------------------------------------------------------------------


def pixel(page, x, y):
    """Return the colour of the composed picture at some CSS pixels."""
    return page.evaluate(
        "([x, y]) => { const c = document.createElement('canvas'); main.compose(c);"
        " return [...c.getContext('2d').getImageData(x, y, 1, 1).data]; }",
        [round(x), round(y)],
    )


@pytest.mark.parametrize("webgl", [True, False], ids=["webgl2", "canvas2d"])
def test_the_space_arm_is_drawn_either_way(visit, webgl):
    page = visit("scene=space&r1=0.8", webgl=webgl)
    assert bool(page.evaluate("main.isLit()")) == webgl
    joint = page.evaluate("space.project(space.camera(state.now), main.found().joint).slice(0, 2)")
    red, green, blue, _ = pixel(page, *joint)
    assert red > green + 40
    assert red > blue + 60


# --- its picture --------------------------------------------------------------------------

DIFFERENCE = """async (pictures) => {
  const pixels = [];
  for (const text of pictures) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const b = await createImageBitmap(new Blob([bytes]));
    const c = new OffscreenCanvas(280, 182).getContext("2d");
    c.drawImage(b, 0, 0, 280, 182);
    pixels.push(c.getImageData(0, 0, 280, 182).data, [b.width, b.height]);
  }
  const [first, size, second, other] = pixels;
  const apart = first.reduce((sum, v, i) => sum + Math.abs(v - second[i]), 0) / first.length;
  return [apart, String(size) === String(other)];
}"""


@pytest.mark.parametrize("file", ["page.png", "creature.png"])
def test_the_pictures_of_the_readme_are_of_this_page(browser, page, tmp_path, file):
    """Fonts differ between machines: what is compared is a small picture, on average."""
    name = PROJECT / "docs" / "photograph_page.py"
    spec = importlib.util.spec_from_file_location("photograph_page", name)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.PHOTOGRAPHS[file](browser, tmp_path / file)
    both = (script.PICTURES / file, tmp_path / file)
    kept, made = (base64.b64encode(path.read_bytes()).decode() for path in both)
    apart, same_size = page.evaluate(DIFFERENCE, [kept, made])
    assert same_size
    assert apart < 6, "run docs/photograph_page.py"
