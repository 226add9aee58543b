"""The page and the Python that serves it, in a real browser: both ways, and when one goes."""

import json
import threading

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

import twobone
from browsing import (
    RESTS,
    address,
    button,
    copied,
    drag,
    enter,
    field,
    limb_of,
    middle,
    place,
    press,
    random_states,
    scale_of,
    visit_again,
)
from twobone.errors import PageError
from twobone.play import page_state
from visitors import wait_until

pytestmark = pytest.mark.sampled(3, "nightly")

R1 = "Length of the first bone"


def engine(page):
    return page.get_by_role("region", name="Solved by").get_by_role("status")


def says(page, words):
    """Wait until the page says something of its engine."""
    engine(page).filter(has_text=words).wait_for()


def solver(page):
    """Return the button that is pressed of those that say who solves."""
    group = page.get_by_role("group", name="Solved by")
    return group.get_by_role("button", pressed=True).inner_text()


def choose(page, name):
    page.get_by_role("group", name="Solved by").get_by_role("button", name=name).click()


def pasted(state):
    """Return a state as an address has it."""
    values = {name: np.ravel(value).tolist() for name, value in state.items()}
    return "&".join(f"{name}={','.join(map(str, value))}" for name, value in values.items())


def test_the_page_tells_which_engine_answers_and_that_both_agree(live, visitor):
    page = visitor(live.address)
    says(page, f"Python: {twobone.engine().name}")
    says(page, "Difference: 0")
    for state in random_states(12, seed=7):
        visit_again(page, pasted(state | {"least": 0, "greatest": 180}))
        wait_until(lambda state=state: list(live.target) == state["target"][: len(live.target)])
        page.evaluate(RESTS)
        assert engine(page).inner_text().endswith("Difference: 0")


def test_python_can_answer_in_place_of_the_page(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    choose(page, "Python")
    enter(page, "Target: where the end of the limb should be, y", "0.9")
    page.evaluate(RESTS)
    assert solver(page) == "Python"
    told = json.loads(copied(page, "JSON"))
    np.testing.assert_array_equal(told["joint"], live.answer().joint)
    choose(page, "This page")
    assert solver(page) == "This page"


def test_a_script_drives_the_page(live, visitor):
    page = visitor(live.address)
    live.target = (1.2, 0.4)
    wait_until(lambda: place(page, "target") == [1.2, 0.4])
    live.update(scene="space", target=(0.1, 0.2, 0.3), policy="proportion", limit=1.5)
    wait_until(lambda: place(page, "target") == [0.1, 0.2, 0.3])
    assert button(page, "Space").get_attribute("aria-pressed") == "true"
    assert field(page, "Maximum stretch").input_value() == "1.5"


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


def test_numbers_that_python_sends_meanwhile_are_those_that_stand(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    one = field(page, R1)
    one.click(click_count=3)
    page.keyboard.type("1e")
    page.evaluate(RESTS)
    live.r1 = 0.65
    wait_until(lambda: place(page, "r1") == [0.65])
    page.keyboard.press("Escape")
    assert one.input_value() == "0.65"
    # A field that nobody types in shows the limb as it is; what was selected is replaced.
    one.click()
    page.keyboard.press("Control+a")
    live.update(r1=0.4567, soft=0.3)
    wait_until(lambda: one.input_value() == "0.4567")
    page.keyboard.type("0.5")
    page.keyboard.press("Enter")
    assert limb_of(page)["r1"] == 0.5
    assert page.get_by_role("slider").input_value() == "0.3"


def test_a_limb_that_python_moves_out_of_sight_or_makes_a_dot_is_shown(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    for fields in ({"target": (30, 20)}, {"r1": 1e-4, "r2": 1e-4, "target": (1e-4, 0)}):
        live.update(**fields)
        wait_until(lambda fields=fields: list(live.target) == list(fields["target"]))
        page.evaluate(RESTS)
        (x, y), (u, v) = middle(page, "target"), middle(page, "root")
        assert 0 < x < 780
        assert 0 < y < 750
        assert np.hypot(x - u, y - v) > 24


def test_a_script_that_sends_many_is_one_step(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    page.keyboard.press("f")
    for length in (1, 2, 3):
        live.r1 = length
    wait_until(lambda: place(page, "r1") == [3])
    assert button(page, "Redo").is_disabled()
    press(page, "Undo")
    assert limb_of(page) == page_state.DEFAULTS | {"side": -1}


def test_python_hears_that_a_lesson_left_space(live, visitor):
    live.update(scene="space", target=(0.1, 0.2, 0.3))
    page = visitor(live.address)
    says(page, "Difference: 0")
    press(page, "Step by step")
    press(page, "In the plane")
    wait_until(lambda: live.scene == "plane")
    page.keyboard.press("Escape")
    press(page, "Undo")
    wait_until(lambda: live.scene == "space")


def test_two_pages_show_the_same(live, visitor):
    first, second = visitor(live.address), visitor(live.address)
    says(first, "Difference: 0")
    says(second, "Difference: 0")
    first.keyboard.press("f")
    enter(first, "Length of the second bone", "0.7")
    wait_until(lambda: place(second, "r2") == [0.7])
    assert second.get_by_text("bends right").is_visible()


def test_a_page_outlives_its_server_and_finds_the_next_one(state_home, visitor):
    first = twobone.play(port=0, open_browser=False)
    page = visitor(first.address, gone=True)
    says(page, "Difference: 0")
    first.close()
    says(page, "Lost the connection to Python; reconnecting")
    group = page.get_by_role("group", name="Solved by")
    assert group.get_by_role("button", name="Python").is_disabled()
    page.mouse.click(300, 300)  # it goes on by itself meanwhile
    target = limb_of(page)["target"]
    with twobone.play(port=port_of(first), open_browser=False) as second:
        assert second.address == first.address
        says(page, "Difference: 0")
        wait_until(lambda: list(second.target) == target[:2])
        second.side = -1
        page.get_by_text("bends right").wait_for()


def port_of(page):
    return int(page.address.split(":")[2].split("/")[0])


def moves(page):
    return button(page, "Motion").get_attribute("aria-pressed") == "true"


def test_a_limb_that_always_moves_is_compared_and_does_not_hide_a_new_connection(
    state_home, visitor
):
    first = twobone.play(port=0, open_browser=False)
    page, other = (visitor(first.address, gone=True, state=state) for state in ("", "r1=0.81"))
    for each in (page, other):
        says(each, "Difference: 0")
    # It stands if the other one has told of its own limb since.
    wait_until(lambda: moves(page) or press(page, "Motion"))
    first.close()
    for each in (page, other):
        says(each, "Lost the connection to Python; reconnecting")
    with twobone.play(port=port_of(first), open_browser=False):
        for each in (page, other):
            says(each, "Difference: 0")
        wait_until(lambda: moves(page) or press(page, "Motion"))
        before = place(other, "target")
        wait_until(lambda: place(other, "target") != before)
        assert moves(page)


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


@pytest.mark.parametrize("who", ["Python", "This page"])
def test_a_tab_shows_what_is_true_when_it_is_shown_again(state_home, visitor, who):
    first = twobone.play(port=0, open_browser=False)
    page = visitor(first.address, gone=True, script=HIDES)
    says(page, "Difference: 0")
    choose(page, who)
    press(page, "Motion")
    page.evaluate("hide(true)")
    first.close()
    with twobone.play(port=port_of(first), open_browser=False):
        page.wait_for_timeout(1500)
        page.evaluate("hide(false)")
        says(page, "Difference: 0")
        assert moves(page)


def test_a_page_that_has_not_been_greeted_yet_says_so(live, visitor):
    page = visitor(live.address, script="window.WebSocket = class { close() {} };")
    says(page, "Connecting to Python")


@pytest.fixture
def slow_python(monkeypatch):
    """Let Python's answers wait for an event, at most some seconds."""

    def patience(seconds):
        real, goes_on = page_state.answer, threading.Event()

        def answer(state):
            goes_on.wait(seconds)
            return real(state)

        monkeypatch.setattr(page_state, "answer", answer)
        return goes_on

    return patience


def test_a_complaint_of_python_is_shown_until_it_answers(live, visitor, monkeypatch):
    page = visitor(live.address)
    says(page, "Difference: 0")
    choose(page, "Python")

    def fail(state):
        raise PageError("state", "be possible", "another")

    with monkeypatch.context() as patch:
        patch.setattr(page_state, "answer", fail)
        page.keyboard.press("f")
        says(page, "Python says: ")
        page.wait_for_timeout(300)  # frames are drawn meanwhile, by this page
        says(page, "Python says: ")
        assert solver(page) == "This page"
    page.keyboard.press("f")
    says(page, "Difference: 0")
    assert solver(page) == "Python"


# Frames that take longer than Python may take, so that none sees an answer before it has ended.
LONG_FRAMES = """{
const real = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (then) => real((time) => {
  then(time);
  const end = performance.now() + (window.isSlow ? 600 : 0);
  while (performance.now() < end);
}); }"""


def test_a_page_that_draws_slowly_does_not_call_python_silent(live, visitor):
    page = visitor(live.address, script=LONG_FRAMES)
    says(page, "Difference: 0")
    press(page, "Motion")
    page.evaluate("window.isSlow = true")
    for _ in range(6):
        assert "No answer" not in engine(page).inner_text()


# Messages of a page that sends nonsense, over a socket of its own.
GARBAGE = """async ([address, limb]) => {
  const socket = new WebSocket(`${address.replace("http", "ws")}live`);
  await new Promise((done) => (socket.onopen = done));
  let seed = 1, errors = 0;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const good = JSON.stringify({ type: "state", state: JSON.parse(limb), id: 1 });
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


def test_a_thousand_messages_of_garbage_disturb_nobody(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    answers = page.evaluate(GARBAGE, [live.address, json.dumps(page_state.DEFAULTS)])
    assert answers == 1000
    assert live.errors == 1000
    live.target = (0.5, 0.5)
    wait_until(lambda: place(page, "target") == [0.5, 0.5])
    says(page, "Difference: 0")


# --- who answers ---------------------------------------------------------------------------


def test_python_answers_while_a_target_wanders(live, visitor):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    choose(page, "Python")
    press(page, "Motion")
    seen, solvers = set(), []

    def it_has_wandered():
        seen.add(tuple(live.target))
        solvers.append(solver(page))
        return len(seen) > 10

    wait_until(it_has_wandered)
    assert solvers.count("Python") > len(solvers) / 2  # a loaded machine is late at times


def test_python_is_not_called_the_solver_while_it_is_slow(live, visitor, slow_python):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    choose(page, "Python")
    goes_on = slow_python(0.9)
    press(page, "Motion")
    says(page, "this page solves meanwhile")
    assert solver(page) == "This page"
    # It is asked all the time, so that it answers again as soon as it can.
    goes_on.set()
    wait_until(lambda: solver(page) == "Python")


@pytest.mark.parametrize("who", ["Python", "This page"])
def test_a_python_that_hangs_is_not_said_to_agree(live, visitor, slow_python, who):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    choose(page, who)
    says(page, "Difference: 0")
    goes_on = slow_python(20)
    page.keyboard.press("f")  # one change, and nothing moves after it
    says(page, {"Python": "this page solves meanwhile", "This page": "No answer yet"}[who])
    assert solver(page) == "This page"
    goes_on.set()
    says(page, "Difference: 0")


def test_a_drag_is_drawn_while_python_answers(live, visitor):
    page = visitor(live.address, size=(500, 400))
    says(page, "Difference: 0")
    choose(page, "Python")
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 90, y + 50), steps=30)
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((x - 90, y + 50), abs=1)
    told = json.loads(copied(page, "JSON"))
    np.testing.assert_array_equal(told["joint"], live.answer().joint)


def test_a_link_from_a_served_page_holds_neither_its_address_nor_its_token(live, visitor):
    page = visitor(live.address.removesuffix("/"))  # also opens without the last slash
    says(page, "Difference: 0")
    assert copied(page, "Link", "Share").startswith("#")


def test_a_served_page_that_is_loaded_again_keeps_its_view(live, visitor):
    page = visitor(live.address)
    says(page, "Difference: 0")
    live.target = (0.3, 0.9)
    wait_until(lambda: place(page, "target") == [0.3, 0.9])
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -400)
    assert "at" in address(page)
    scale = scale_of(page)
    page.reload()
    press(page, "Controls")
    says(page, "Difference: 0")
    page.evaluate(RESTS)
    assert scale_of(page) == pytest.approx(scale, rel=1e-2)
