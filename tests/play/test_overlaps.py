"""What shares a place on the screen: cards and tools, labels and lines, a task and its reply."""

import pytest

from browsing import arrive

LONG = "document.getElementById('lesson-scroll').scrollHeight"


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (390, 844)])
def test_the_card_of_a_leg_leaves_the_tools_free(visit, width, height):
    page = visit("scene=creature&leg=1", panel=False, width=width, height=height)
    page.locator("#leg").wait_for()
    card, tools = (page.locator(name).bounding_box() for name in ("#leg", "#tools"))
    lies_above = card["y"] + card["height"] <= tools["y"]
    assert lies_above or tools["y"] + tools["height"] <= card["y"]


# Resolves when the text has not been scrolled for a while.
SCROLLED = """() => new Promise((done) => {
  const box = document.getElementById("lesson-scroll");
  let top = box.scrollTop, still = 0;
  const look = setInterval(() => {
    still = box.scrollTop === top ? still + 1 : 0;
    top = box.scrollTop;
    if (still === 10) done(clearInterval(look));
  }, 50);
})"""


# Numbers make the text longer, so it must have them before it is scrolled.
@pytest.mark.parametrize(("lesson", "step"), [("plane", 5), ("break", 7)])
def test_a_link_to_a_step_shows_its_heading_at_the_top(visit, lesson, step):
    page = visit(f"lesson={lesson}&step={step}", width=768, height=1024)
    arrive(page, step)
    page.evaluate(SCROLLED)
    box = page.locator("#lesson-scroll").bounding_box()
    assert 0 <= page.locator(f"#step-{step}").bounding_box()["y"] - box["y"] < 32


def test_the_box_of_a_task_grows_by_its_reply_and_moves_nothing(visit):
    page = visit("step=7", reduced_motion="reduce")
    arrive(page, 7)
    task = page.locator(".step:nth-child(7) .task")
    words, reply = task.locator("p").first, task.locator(".reply")
    high, before = page.evaluate(LONG), words.bounding_box()
    assert before["height"] < 64  # one line and its padding
    page.locator(".step:nth-child(7) [data-act=flip]").click()
    page.evaluate("main.drawNow()")
    assert reply.is_visible()
    assert page.evaluate(LONG) == high
    after, below = words.bounding_box(), reply.bounding_box()
    assert after["y"] == before["y"]
    assert abs(after["y"] + after["height"] - below["y"]) < 1


# For each label of the picture, how far it is from the nearest of some lines, in pixels.
GAPS = """([names, strokes]) => {
  const all = main.shapes(false), far = ([x, y], [[a, b], [c, d]]) => {
    const [u, v] = [c - a, d - b], t = ((x - a) * u + (y - b) * v) / (u * u + v * v);
    const at = Math.min(1, Math.max(0, t));
    return Math.hypot(x - a - at * u, y - b - at * v);
  };
  const lines = all.filter((v) => v.line?.length === 2 && strokes.includes(v.stroke));
  return Object.fromEntries(all.filter((v) => names.includes(v.text)).map(({ text, at }) =>
    [text, Math.min(...lines.map(({ line }) => far(at, line)))]));
}"""


@pytest.mark.parametrize("address", ["step=5", "step=7", "lesson=break&step=1"])
def test_a_symbol_does_not_touch_the_line_across(visit, address):
    page = visit(address, reduced_motion="reduce")
    arrive(page, int(address[-1]))
    gaps = page.evaluate(GAPS, [["x", "p"], ["across"]])
    assert min(gaps.values()) > 12, gaps


def test_on_a_phone_the_labels_of_the_bones_in_space_are_beside_their_own_bone(visit):
    page = visit("lesson=space&step=1", width=390, height=844, reduced_motion="reduce")
    arrive(page, 1)
    for own, other, name in (("r1", "r2", "r₁"), ("r2", "r1", "r₂")):
        near, far = (page.evaluate(GAPS, [[name], [stroke]])[name] for stroke in (own, other))
        assert 8 < near < far, name


def test_a_narrow_picture_of_space_fills_its_width_and_keeps_the_limb_in_sight(visit):
    page = visit("scene=space", panel=False, width=390, height=844)
    scale = page.evaluate("space.project(space.camera(state.now), state.now.root)[2]")
    assert 2 * 0.8 * scale > 0.48 * 390  # the sphere of the first bone
    page.evaluate("main.wander(true)")
    seen = page.evaluate("""async () => {
      let lost = 0;
      for (let i = 0; i < 200; i++) {
        motion.step(1000 + 300 * i);
        lost += !sight.isLimbInSight();
      }
      return lost;
    }""")
    assert seen == 0


# A phone in landscape, and a window that is hardly wider than high.
@pytest.mark.parametrize("scene", ["space", "creature"])
@pytest.mark.parametrize(("width", "height"), [(740, 360), (960, 800)])
def test_the_words_of_the_first_screen_leave_the_middle_of_a_scene_free(
    visit, scene, width, height
):
    page = visit(f"scene={scene}", panel=False, width=width, height=height)
    page.wait_for_function("() => state.isLimb() || walk.at()")
    if scene == "space":
        middle = page.evaluate("sight.toPixels(state.now.root)[0] - 0.8 * sight.scale()")
    else:
        at = "space.project(creature.camera(), creature.view.centre)[0]"
        middle = page.evaluate(at) - 0.24 * height
    assert middle > 344  # where the longest line ends


def test_on_a_phone_in_landscape_the_animal_is_beside_the_card_of_its_leg(visit):
    page = visit("scene=creature&leg=1", panel=False, width=740, height=360)
    page.locator("#leg").wait_for()
    card = page.locator("#leg").bounding_box()
    middle = page.evaluate("space.project(creature.camera(), creature.view.centre)[0]")
    assert card["x"] + card["width"] + 100 < middle < 640
