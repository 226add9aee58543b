"""The first ten seconds: one line, a large limb, one button; controls for those who open them."""

import pytest

from browsing import RESTING, drag, limb_of, middle

SIZES = [(1280, 800), (390, 844), (844, 390), (768, 1024)]
BOX = "(id) => document.getElementById(id).getBoundingClientRect().toJSON()"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_picture_line_and_button_are_on_the_first_screen(visit, width, height):
    page = visit(panel=False, width=width, height=height)
    assert page.locator("#intro-line").inner_text() == "Drag the hand.\nWhere is the elbow?"
    assert page.locator("#panel").is_hidden()
    boxes = {name: page.evaluate(BOX, name) for name in ("intro-line", "intro-why", "tools", "bar")}
    for name, box in boxes.items():
        assert box["left"] >= 0, name
        assert box["top"] >= 0, name
        assert box["right"] <= width, name
        assert box["bottom"] <= height, name
    # The limb is large, and nothing lies on it.
    length = page.evaluate("plane.view.scale * (state.now.r1 + state.now.r2)")
    assert length > 0.3 * min(width, height)
    for name in ("root", "joint", "end"):
        there = f"plane.toPixels(limb.vectors.plus(main.found().root, main.found().{name}))"
        x, y = page.evaluate(there if name != "root" else "plane.toPixels(main.found().root)")
        for box in boxes.values():
            assert not (
                box["left"] <= x <= box["right"]
                and box["top"] <= y <= box["bottom"]
                and box["height"] < 100
            ), name


def test_every_button_on_the_picture_has_a_written_label(visit):
    page = visit(panel=False)
    for button in page.locator("#tools button, #bar button").all():
        assert button.inner_text().strip()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("target=0.75,0.55,0", "Two places: the elbow of this arm, or that of the dashed one."),
        ("target=1.4,0,0", "One place: the arm is straight."),
        ("target=0.2,0,0", "One place: the arm is folded."),
        ("target=2,0,0", "None: too far away by 0.60."),
        ("target=0.1,0,0", "None: too near by 0.10."),
        ("target=0,0,0&r2=0.8", "Anywhere on a circle: the hand is at the shoulder."),
        ("scene=space&r1=0.8", "To any point of the purple circle: drag the pole."),
    ],
)
def test_the_first_screen_says_how_many_places_there_are(visit, address, words):
    assert visit(address, panel=False).locator("#intro-count").inner_text() == words


def test_the_first_screen_has_words_and_the_controls_have_symbols(visit):
    page = visit(panel=False)
    texts = "main.shapes(false).map((v) => v.text).filter(Boolean).sort()"
    assert page.evaluate(texts) == ["elbow", "hand", "or here", "shoulder"]
    assert [b.get_attribute("id") for b in page.locator(".handle:visible").all()] == [
        "handle-target"
    ]
    page.locator("#panel-open").click()
    assert set(page.evaluate(texts)) == {"p", "q", "r₁", "r₂", "s", "x"}
    assert page.locator("#panel-open").get_attribute("aria-expanded") == "true"
    assert page.evaluate("document.activeElement.id") == "panel"
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()
    assert page.evaluate("document.activeElement.id") == "panel-open"


def test_the_first_screen_in_space_has_words_too(visit):
    page = visit("scene=space&r1=0.8", panel=False)
    texts = "main.shapes(false).map((v) => v.text).filter(Boolean).sort()"
    assert page.evaluate(texts) == ["elbow", "hand", "pole", "shoulder"]
    page.locator("#panel-open").click()
    assert set(page.evaluate(texts)) == {
        "p",
        "q",
        "r\N{SUBSCRIPT ONE}",
        "r\N{SUBSCRIPT TWO}",
        "x",
        "pole",
        "shoulder",
    }


# How many words overlap another one, the bar, the line or the button, in a minute of wandering.
PILES = """() => {
  const rect = (id) => document.getElementById(id).getBoundingClientRect();
  const pen = document.createElement("canvas").getContext("2d");
  const over = ["bar", "intro-line", "intro-why"].map(rect)
    .map((b) => [b.left, b.top, b.right, b.bottom]);
  let piled = 0;
  for (let i = 0; i < 400; i++) {
    const t = (60 * i) / 400;
    const way = [0.82 * Math.sin(0.9 * t + 0.9), 0.66 * Math.sin(1.31 * t + 0.6)];
    const s = { ...state.now, target: [...way.map((v) => 1.4 * v), 0] };
    const all = plane.shapes(s, limb.solve(s));
    const boxes = all.filter((v) => v.text !== undefined).map(({ text, at: [x, y], size }) => {
      pen.font = `${size}px sans-serif`;
      const wide = pen.measureText(text).width / 2;
      return [x - wide, y - 0.4 * size, x + wide, y + 0.4 * size];
    });
    piled += boxes.some((a, i) => [...boxes, ...over].some((b, j) => j !== i && a[0] < b[2]
      && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]));
  }
  return piled;
}"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_words_do_not_pile_up_while_the_hand_wanders(visit, width, height):
    assert visit(panel=False, width=width, height=height).evaluate(PILES) == 0


def test_the_hand_rests_where_a_mouse_comes_to_take_it(visit):
    page = visit("", panel=False)
    page.wait_for_function("() => state.now.target[0] !== 0.75")
    page.mouse.move(5, 700)
    for _ in range(40):  # towards where the hand is now
        x, y = middle(page, "target")
        page.mouse.move(x, y, steps=2)
        if page.locator("#wander").get_attribute("aria-pressed") == "false":
            break
    rests = limb_of(page)
    page.wait_for_timeout(150)
    assert limb_of(page) == rests
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 20, y + 10))
    assert middle(page, "target") == pytest.approx((x - 20, y + 10), abs=1)


def test_what_an_address_gets_wrong_is_said_where_it_is_seen(visit):
    page = visit("r1=x", panel=False)
    assert "Ignored in the address" in page.locator("#refused").inner_text()


def test_opening_the_controls_fits_the_view_again(visit):
    page = visit(RESTING, panel=False)
    x = page.evaluate("plane.toPixels([0, 0])[0]")
    page.locator("#panel-open").click()
    page.wait_for_function("() => main.size().width === 960")
    assert page.evaluate("plane.toPixels([0, 0])[0]") != x
    page.locator("#panel-close").click()
    page.wait_for_function("() => main.size().width === 1280")
    assert page.evaluate("plane.toPixels([0, 0])[0]") == pytest.approx(x)


# --- an animal --------------------------------------------------------------------------------


def test_the_first_screen_of_the_animal_says_what_one_can_do_and_opens_a_leg(visit):
    page = visit("scene=creature", panel=False)
    page.wait_for_function("() => walk.at() !== null")
    assert page.locator("#intro-line").inner_text() == "Click the ground:\nit walks there."
    page.locator("#intro-why", has_text="Look at a leg").click()
    assert page.evaluate("state.now.leg") > 0
    assert page.locator("#leg").is_visible()
    assert page.locator("#intro").is_hidden()
    assert page.evaluate("document.activeElement.id") == "leg-close"
    page.keyboard.press("Enter")
    assert page.locator("#leg").is_hidden()
    assert page.evaluate("document.activeElement.id") == "intro-why"


def test_on_a_phone_the_first_screen_of_the_animal_speaks_of_taps(visit):
    page = visit(
        "scene=creature", panel=False, width=390, height=844, has_touch=True, is_mobile=True
    )
    assert page.locator("#intro-line").inner_text() == "Tap the ground:\nit walks there."
    assert "keys" not in page.locator("#intro-count").inner_text()


def test_what_cannot_be_reached_is_a_target_and_the_hand_is_where_the_arm_ends(visit):
    texts = "main.shapes(false).filter((v) => v.text).map((v) => v.text)"
    page = visit("target=0.75,0.55,0", panel=False)
    assert "target" not in page.evaluate(texts)
    page.evaluate("state.set({ target: [1.3, 0.9, 0] }), main.drawNow()")
    assert {"hand", "target"} <= set(page.evaluate(texts))
