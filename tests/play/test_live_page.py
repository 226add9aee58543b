"""The page and the Python that serves it, in a real browser: both ways, and when one goes."""

import threading

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

import twobone
from browsing import drag, limb_of, middle, random_states
from twobone.errors import PageError
from twobone.play import page_state
from visitors import wait_until


def says(page, words):
    """Wait until the page says something of its engine."""
    page.wait_for_function(
        "(words) => document.getElementById('engine').textContent.includes(words)", arg=words
    )


def test_the_page_tells_which_engine_answers_and_that_both_agree(live, visitor):
    page = visitor(live.address)
    says(page, f"Python: {twobone.engine().name}")
    says(page, "Difference: 0")
    for state in random_states(40, seed=7):
        state |= {"least": 0, "greatest": 180}
        page.evaluate("(s) => { state.set(s); }", state)
        page.wait_for_function(
            "() => live.heard() === JSON.stringify(state.limb())"
            " && document.getElementById('engine').textContent.endsWith('Difference: 0')"
        )


def test_python_can_answer_in_place_of_the_page(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    page.locator("#by-python").click()
    page.evaluate("state.set({ target: [0.3, 0.9, 0] })")
    page.wait_for_function("() => live.given() !== null")
    found = page.evaluate("live.given().joint")
    np.testing.assert_array_equal(found, live.answer().joint)
    assert page.locator("#by-python").get_attribute("aria-pressed") == "true"
    page.locator("#by-page").click()
    assert page.evaluate("live.given()") is None


def test_a_script_drives_the_page(live, visitor):
    page = visitor(live.address)
    live.target = (1.2, 0.4)
    page.wait_for_function("() => state.now.target[0] === 1.2")
    assert limb_of(page)["target"][:2] == [1.2, 0.4]
    live.update(scene="space", target=(0.1, 0.2, 0.3), policy="proportion", limit=1.5)
    page.wait_for_function("() => state.now.scene === 'space' && main.found().wide === 3")
    assert limb_of(page)["target"] == [0.1, 0.2, 0.3]
    assert page.locator("#limit").input_value() == "1.5"


def test_a_script_hears_what_a_hand_does(live, visitor):
    heard, told = [], threading.Event()

    @live.on_change
    def listen(page):
        heard.append(page.target)
        told.set()

    page = visitor(live.address)
    says(page, "Difference: 0")
    told.clear()
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 80, y - 40))
    assert told.wait(5)
    target = limb_of(page)["target"]
    wait_until(lambda: list(live.target) == target[:2])
    assert heard


def test_python_hears_that_a_lesson_left_space(live, visitor):
    live.update(scene="space", target=(0.1, 0.2, 0.3))
    page = visitor(live.address)
    page.wait_for_function("() => state.now.scene === 'space'")
    says(page, "Difference: 0")
    page.locator("#lesson-open").click()
    page.locator("#lesson-plane").click()
    wait_until(lambda: live.scene == "plane")
    page.keyboard.press("Escape")
    page.locator("#undo").click()
    wait_until(lambda: live.scene == "space")


def test_two_pages_show_the_same(live, visitor):
    first, second = visitor(live.address), visitor(live.address)
    says(first, "Difference: 0")
    says(second, "Difference: 0")
    first.evaluate("state.set({ side: -1, r2: 0.7 })")
    second.wait_for_function("() => state.now.side === -1 && state.now.r2 === 0.7")


def test_a_page_outlives_its_server_and_finds_the_next_one(state_home, visitor):
    first = twobone.play(port=0, open_browser=False)
    page = visitor(first.address, gone=True)
    says(page, "Difference: 0")
    first.close()
    says(page, "Lost the connection to Python; reconnecting")
    assert page.locator("#by-python").is_disabled()
    # It goes on by itself meanwhile.
    page.mouse.click(300, 300)
    target = limb_of(page)["target"]
    with twobone.play(port=port_of(first), open_browser=False) as second:
        assert second.address == first.address
        says(page, "Difference: 0")
        wait_until(lambda: list(second.target) == target[:2])
        second.side = -1
        page.wait_for_function("() => state.now.side === -1")


def port_of(page):
    return int(page.address.split(":")[2].split("/")[0])


# Moves the target in each frame, as the motion and a hand do.
MOVES = """(by) => {
  let i = 0;
  const move = () => {
    requestAnimationFrame(move); // so that the limb moves before each frame
    state.set({ target: [0.7 + 0.2 * Math.sin(++i / 9), 0.5, 0] }, by);
  };
  move();
}"""


def test_a_limb_that_always_moves_is_compared_from_the_first_picture_on(live, visitor):
    page = visitor(live.address, state="", panel=False)
    assert page.evaluate("motion.isOn()")
    says(page, "Difference: 0")
    assert page.evaluate("motion.isOn()")


@pytest.mark.parametrize("by", ["wander", "hand"])
def test_a_limb_that_always_moves_does_not_hide_a_new_connection(state_home, visitor, by):
    first = twobone.play(port=0, open_browser=False)
    page, other = (visitor(first.address, gone=True) for _ in range(2))
    page.evaluate(MOVES, by)
    first.close()
    for each in (page, other):
        says(each, "Lost the connection to Python; reconnecting")
    with twobone.play(port=port_of(first), open_browser=False):
        for each in (page, other):
            says(each, "Difference: 0")
        wait_until(lambda: other.evaluate("state.now.target[1]") == 0.5)


# What a browser does to a page in a hidden tab: no frames until it is shown.
HIDES = """
const real = requestAnimationFrame, held = [];
let isHidden = false;
window.requestAnimationFrame = (then) => (isHidden ? held.push(then) : real(then));
window.hide = (value) => {
  isHidden = value;
  if (!isHidden) held.splice(0).forEach((then) => real(then));
};
"""


@pytest.mark.parametrize("solver", ["python", "page"])
def test_a_tab_shows_what_is_true_when_it_is_shown_again(state_home, visitor, solver):
    first = twobone.play(port=0, open_browser=False)
    page = visitor(first.address, gone=True, script=HIDES)
    says(page, "Difference: 0")
    page.locator(f"#by-{solver}").click()
    page.evaluate("main.wander(true), hide(true)")
    first.close()
    wait_until(lambda: not page.evaluate("live.isOpen()"))
    with twobone.play(port=port_of(first), open_browser=False):
        wait_until(lambda: page.evaluate("!!live.heard()"))
        page.evaluate("hide(false)")
        says(page, "Difference: 0")
        assert page.evaluate("motion.isOn()")


def test_a_page_that_has_not_been_greeted_yet_says_so(live, visitor):
    page = visitor(live.address, script="window.WebSocket = class { close() {} };")
    says(page, "Connecting to Python")


def test_a_complaint_of_python_is_shown_until_it_answers(live, visitor, monkeypatch):
    page = visitor(live.address)
    says(page, "Difference: 0")
    page.locator("#by-python").click()

    def fail(state):
        raise PageError("state", "be possible", "another")

    with monkeypatch.context() as patch:
        patch.setattr(page_state, "answer", fail)
        page.locator("#flip").click()
        says(page, "Python says: ")
        page.wait_for_timeout(300)  # frames are drawn meanwhile, by this page
        says(page, "Python says: ")
        assert page.locator("#by-python").get_attribute("aria-pressed") == "false"
    page.locator("#flip").click()
    says(page, "Difference: 0")
    assert page.locator("#by-python").get_attribute("aria-pressed") == "true"


def test_a_page_that_draws_slowly_does_not_call_python_silent(live, visitor):
    """A frame that takes longer than Python may take sees no answer before it has ended."""
    page = visitor(live.address)
    says(page, "Difference: 0")
    page.evaluate(
        """() => {
          const real = limb.describe, text = document.getElementById("engine");
          window.said = new Set();
          new MutationObserver(() => said.add(text.textContent)).observe(text, { childList: true });
          limb.describe = (...all) => {
            const end = performance.now() + 600;
            while (performance.now() < end);
            return real(...all);
          };
          main.wander(true);
        }"""
    )
    page.wait_for_function(
        "(was) => main.times.length > was + 5", arg=page.evaluate("main.times.length")
    )
    assert not [words for words in page.evaluate("[...said]") if "No answer" in words]


def test_a_thousand_messages_of_garbage_disturb_nobody(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    answers = page.evaluate(
        """async () => {
          const socket = new WebSocket(live.address());
          await new Promise((done) => (socket.onopen = done));
          let seed = 1, errors = 0;
          const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
          const good = JSON.stringify({ type: "state", state: state.limb(), id: 1 });
          const letters = '{}[]",:0123456789.eE+-truefalsnN ';
          const made = [
            () => good.slice(0, random(good.length - 1)),
            () => "[".repeat(random(50000)),
            () => Array.from({ length: random(200) }, () => letters[random(33)]).join("") + "!",
            () => JSON.stringify({ type: ["eval", "set", "__proto__", 7][random(4)], state: {} }),
            () => new Uint8Array(random(100)),
          ];
          const done = new Promise((end) => {
            socket.onmessage = ({ data }) => {
              if (JSON.parse(data).type === "error" && ++errors === 1000) end();
            };
          });
          for (let i = 0; i < 1000; i++) socket.send(made[i % 5]());
          await done;
          return errors;
        }"""
    )
    assert answers == 1000
    assert live.errors == 1000
    live.target = (0.5, 0.5)
    page.wait_for_function("() => state.now.target[0] === 0.5")
    says(page, "Difference: 0")


# --- who answers ---------------------------------------------------------------------------

# Counts the pictures of a limb by who has solved them, and what is pressed meanwhile.
COUNTED = """(count) => new Promise((done) => {
  const real = limb.solve, seen = { python: 0, page: 0, pressed: 0, places: new Set() };
  limb.solve = (s, given = null) => {
    if (s === state.now && new Error().stack.includes("drawNow")) {
      seen[given ? "python" : "page"]++;
      seen.places.add(s.target[0]);
      if (document.getElementById("by-python").getAttribute("aria-pressed") === "true") seen.pressed++;
      if (seen.python + seen.page === count) {
        limb.solve = real;
        done({ ...seen, places: seen.places.size });
      }
    }
    return real(s, given);
  };
})"""  # noqa: E501


def test_python_answers_each_picture_of_a_target_that_wanders(live, visitor):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    page.locator("#by-python").click()
    page.wait_for_function("() => live.given() !== null")
    page.evaluate("main.wander(true)")
    seen = page.evaluate(COUNTED, 60)
    assert seen["python"] >= 20  # a machine with much else to do is late at times
    assert seen["places"] >= 20
    assert page.locator("#by-python").get_attribute("aria-pressed") == "true"


def test_python_is_not_called_the_solver_while_it_is_slow(live, visitor, monkeypatch):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    page.locator("#by-python").click()
    page.wait_for_function("() => live.given() !== null")
    real, slow = page_state.answer, threading.Event()

    def answer(state):
        slow.wait(0.9)
        return real(state)

    monkeypatch.setattr(page_state, "answer", answer)
    page.evaluate("main.wander(true)")
    says(page, "this page solves meanwhile")
    assert page.locator("#by-python").get_attribute("aria-pressed") == "false"
    assert page.locator("#by-page").get_attribute("aria-pressed") == "true"
    # It is asked all the time, so that it answers again as soon as it can.
    slow.set()
    page.wait_for_function(
        "() => document.getElementById('by-python').getAttribute('aria-pressed') === 'true'"
    )


@pytest.mark.parametrize("solver", ["python", "page"])
def test_a_python_that_hangs_is_not_said_to_agree(live, visitor, monkeypatch, solver):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    page.locator(f"#by-{solver}").click()
    says(page, "Difference: 0")
    real, hangs = page_state.answer, threading.Event()
    monkeypatch.setattr(page_state, "answer", lambda state: hangs.wait(20) and real(state))
    page.locator("#flip").click()  # one change, and nothing moves after it
    says(page, {"python": "this page solves meanwhile", "page": "No answer yet"}[solver])
    assert page.locator("#by-python").get_attribute("aria-pressed") == "false"
    hangs.set()
    says(page, "Difference: 0")


def test_a_drag_is_drawn_while_python_answers(live, visitor):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    page.locator("#by-python").click()
    page.wait_for_function("() => live.given() !== null")
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 90, y + 50), steps=30)
    page.wait_for_function("() => live.given() !== null")
    assert middle(page, "target") == pytest.approx((x - 90, y + 50), abs=1)
    np.testing.assert_array_equal(page.evaluate("main.found().joint"), live.answer().joint)


def test_a_link_from_a_served_page_holds_neither_its_address_nor_its_token(live, visitor):
    page = visitor(live.address.removesuffix("/"))  # also opens without the last slash
    says(page, "Difference: 0")
    page.locator("[data-copy=link]").click()
    assert page.locator("#copied").input_value().startswith("#")
    assert page.evaluate("keep.link(new URL('https://tunnel.example.org/x/'))").startswith("#")


def test_a_served_page_that_is_loaded_again_keeps_its_view(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    live.target = (0.3, 0.9)
    page.wait_for_function("() => state.now.target[1] === 0.9")
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -400)
    page.wait_for_function("() => location.hash.includes('at=')")
    scale = page.evaluate("plane.view.scale")
    page.reload()
    page.wait_for_function("() => typeof main !== 'undefined' && main.found() !== null")
    says(page, "Difference: 0")
    assert page.evaluate("plane.view.scale") == pytest.approx(scale, rel=1e-3)
