"""What shares a place on the screen: cards and tools, labels and lines, a task and its reply."""

import pytest

from browsing import DROP, arrive, drag, middle
from characters import made_clip
from twobone import motion

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
    page = visit("step=7", height=1200, reduced_motion="reduce")
    arrive(page, 7)
    task = page.locator(".step:nth-child(7) .task")
    words, reply = task.locator("p").first, task.locator(".reply")
    flip = page.locator(".step:nth-child(7) [data-act=flip]")
    flip.scroll_into_view_if_needed()
    high, before = page.evaluate(LONG), words.bounding_box()
    assert before["height"] < 64  # one line and its padding
    flip.click()
    page.evaluate("main.drawNow()")
    assert reply.is_visible()
    assert page.evaluate(LONG) == high
    after, below = words.bounding_box(), reply.bounding_box()
    assert after["y"] == before["y"]
    assert abs(after["y"] + after["height"] - below["y"]) < 1


# A text that is longer than its column: its task is in sight, and then the reply to it.
@pytest.mark.parametrize(("width", "height"), [(1280, 640), (390, 844)])
def test_the_reply_to_a_task_is_in_sight_and_so_is_the_task_on_a_desk(visit, width, height):
    page = visit("step=7", width=width, height=height, reduced_motion="reduce")
    arrive(page, 7)
    section = page.locator(".step:nth-child(7)")
    box = page.locator("#lesson-scroll").bounding_box()
    ends = lambda part: sum(part.bounding_box()[key] for key in ("y", "height"))  # noqa: E731
    if width > 1000:
        assert ends(section.locator(".task p").first) < box["y"] + box["height"]
    section.locator("[data-act=flip]").click()
    page.evaluate("main.drawNow()")
    reply = section.locator(".reply")
    assert box["y"] < reply.bounding_box()["y"]
    assert ends(reply) < box["y"] + box["height"]
    assert page.evaluate("state.now.step") == 7


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


# How far the label of a bone in space is from the middle line of one, in pixels.
TO_BONE = """([name, bone]) => {
  const { joint, end } = main.found(), { root } = state.now, cam = space.camera(state.now);
  const ends = [[0, 0, 0], joint, end].slice(bone, bone + 2).map((v) => v.map((part, i) => part + root[i]));
  const [[a, b], [c, d]] = ends.map((v) => space.project(cam, v));
  const [x, y] = main.shapes(false).find((v) => v.text === name).at, [u, v] = [c - a, d - b];
  const t = Math.min(1, Math.max(0, ((x - a) * u + (y - b) * v) / (u * u + v * v)));
  return Math.hypot(x - a - t * u, y - b - t * v);
}"""  # noqa: E501


def test_on_a_phone_the_labels_of_the_bones_in_space_are_beside_their_own_bone(visit):
    page = visit("lesson=space&step=1", width=390, height=844, reduced_motion="reduce")
    arrive(page, 1)
    for own, other, name in ((0, 1, "r₁"), (1, 0, "r₂")):
        near, far = (page.evaluate(TO_BONE, [name, bone]) for bone in (own, other))
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


# The gap between the boxes of two labels, in pixels.
APART = """(names) => {
  const [[a, b, c, d], [e, f, g, h]] = names.map((name) => {
    const { text, at: [x, y], size, italic } = main.shapes(false).find((v) => v.text === name);
    const wide = draw.widthOf(text, size, italic) / 2;
    return [x - wide, y - 0.4 * size, x + wide, y + 0.4 * size];
  });
  return Math.max(a - g, e - c, b - h, f - d);
}"""


@pytest.mark.parametrize("step", [2, 7])
def test_on_a_phone_the_label_of_a_bone_is_not_beside_that_of_the_joint(visit, step):
    address = f"lesson=break&step={step}"
    page = visit(address, width=390, height=844, reduced_motion="reduce")
    arrive(page, step)
    assert page.evaluate(APART, ["x", "r\N{SUBSCRIPT ONE}"]) >= 10


# --- the narrowest phone ----------------------------------------------------------------------

TOPS = """(selector) =>
  [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect().top)"""


@pytest.mark.parametrize(("lesson", "step"), [("plane", 7), ("space", 5), ("break", 7)])
def test_on_the_narrowest_phone_lessons_and_dots_stand_in_one_line_each(visit, lesson, step):
    address = f"lesson={lesson}&scene={'space' if lesson == 'space' else 'plane'}&step={step}"
    page = visit(f"{address}&language=de", width=320, height=568, reduced_motion="reduce")
    arrive(page, step)
    for row in ("#lesson > header button", "#lesson-dots button"):
        tops = page.evaluate(TOPS, row)
        assert max(tops) - min(tops) < 8, row
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    right = "document.getElementById('lesson-next').getBoundingClientRect().right"
    assert page.evaluate(right) <= 320


# How far what is drawn of a scene is from the words above and from the button below, in pixels.
ROOM = """(scene) => {
  const box = (id) => {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById(id));
    return range.getBoundingClientRect();
  };
  const button = scene === "character" ? "character-open" : "intro-why";
  const top = box("intro-count").bottom, low = sight.box(button).top;
  const ys = [];
  if (scene === "character") {
    const { source, world } = character.it();
    for (const v of world.positions) ys.push(character.view.toPixels(v, source.up)[1]);
  } else {
    const list = scene === "plane" ? plane.shapes(state.now, main.found())
      : space.shapes(state.now, main.found(), true);
    for (const { disc, text, at, size } of list) {
      if (disc) ys.push(disc[1] - disc[2], disc[1] + disc[2]);
      if (text) ys.push(at[1] - size / 2, at[1] + size / 2);
    }
  }
  return [Math.min(...ys) - top, low - Math.max(...ys)];
}"""


@pytest.mark.parametrize("scene", ["plane", "space", "character"])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_on_a_phone_a_scene_is_between_the_words_and_the_button(visit, scene, width, height):
    address = f"scene={scene}&target=0.75,0.55,0&r1=0.81&language=de"
    page = visit(address, panel=False, width=width, height=height, reduced_motion="reduce")
    # As from another scene, too: what is free is measured before the view is fitted.
    for _ in range(2):
        above, below = page.evaluate(ROOM, scene)
        assert above > 0
        assert below > (12 if scene == "character" else 0)
        other = "plane" if scene == "character" else "character"
        for name in (other, scene):
            page.locator(f"#scene-{name}").click()
            page.evaluate("main.drawNow()")


def test_on_a_tablet_held_upright_the_picture_of_a_lesson_has_the_whole_width(visit):
    page = visit("step=1", width=768, height=1024, reduced_motion="reduce")
    arrive(page, 1)
    assert page.evaluate("main.size().width") == 768
    assert 2 * 1.4 * page.evaluate("plane.view.scale") > 430  # the reachable range
    assert page.locator("#lesson-scroll p").first.bounding_box()["width"] <= 640


# Labels that a circle passes through.
CUT = """() => {
  const all = main.shapes(false), pen = document.createElement("canvas").getContext("2d");
  const circles = all.filter((v) => v.disc && v.stroke && v.disc[2] > 14 && v.alpha > 0.5);
  return all.filter((v) => v.text).filter(({ text, at: [x, y], size, italic }) => {
    const wide = draw.widthOf(text, size, italic) / 2, high = 0.4 * size;
    return circles.some(({ disc: [a, b, r] }) => {
      const [u, v] = [Math.abs(a - x), Math.abs(b - y)];
      const near = Math.hypot(Math.max(0, u - wide), Math.max(0, v - high));
      return near < r && Math.hypot(u + wide, v + high) > r;
    });
  }).map((v) => v.text);
}"""


@pytest.mark.parametrize("address", ["r1=0.8", "step=1", "step=3", "step=4"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1280, 800)])
def test_no_circle_passes_through_a_word(visit, address, width, height):
    page = visit(address, panel=False, width=width, height=height, reduced_motion="reduce")
    if "step" in address:
        arrive(page, int(address[-1]))
    # Beside a target that cannot be reached, a phone leaves the hand no place off its circle.
    assert set(page.evaluate(CUT)) <= ({"hand"} if address == "step=4" else set())


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


# The contrast of every stroke of a step on the ground, where it is drawn with its own alpha.
FAINT = """() => {
  const bytes = (name) => draw.colour(name).match(/[0-9a-f]{2}/gi).map((v) => parseInt(v, 16));
  const light = (rgb) => rgb.map((v) => v / 255)
    .map((v) => (v > 0.04045 ? ((v + 0.055) / 1.055) ** 2.4 : v / 12.92))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
  const ground = bytes("ground");
  return main.shapes(false).filter((v) => v.stroke && !v.text).map(({ stroke, alpha = 1 }) => {
    const seen = bytes(stroke).map((v, i) => alpha * v + (1 - alpha) * ground[i]);
    const [a, b] = [light(seen), light(ground)].sort((u, v) => v - u);
    return [stroke, a / b];
  }).filter(([, contrast]) => contrast < 3).map(([stroke]) => stroke);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["step=2", "step=6", "step=7", "lesson=break&step=1"])
def test_thin_lines_of_a_step_are_not_faint(visit, address, scheme):
    page = visit(address, reduced_motion="reduce", color_scheme=scheme)
    arrive(page, int(address[-1]))
    assert page.evaluate("main.shapes(false).length") > 8
    assert page.evaluate(FAINT) == []


# Circles of a step that the lesson, a bar or the edge of the picture cuts.
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (390, 844)])
@pytest.mark.parametrize("address", ["step=3", "step=7", "lesson=break&step=2"])
def test_the_circles_of_a_step_are_whole(visit, address, width, height):
    page = visit(address, width=width, height=height, reduced_motion="reduce")
    arrive(page, int(address[-1]))
    boxes = page.evaluate(
        "main.shapes(false).filter((v) => v.disc && v.stroke)"
        ".map(({ disc: [x, y, r] }) => [x - r, y - r, x + r, y + r])"
    )
    size = page.evaluate("main.size()")
    assert len(boxes) > 1
    for left, top, right, low in boxes:
        assert min(left, top) > 0
        assert right < size["width"]
        assert low < size["height"]


# --- all sizes --------------------------------------------------------------------------------

# From 1280 x 1024 at a zoom of 400 % to a desk; phones upright and in landscape; and between.
SIZES = [
    (320, 256), (360, 225), (480, 300), (320, 568), (360, 640), (390, 844), (440, 440), (568, 320),
    (561, 600), (667, 375), (700, 700), (720, 520), (740, 360), (768, 1024), (844, 390), (900, 700),
    (1024, 768), (1280, 720), (1280, 360), (320, 1200),
]  # fmt: skip
TEXTS = ["bar", "intro-line", "intro-count", "intro-why", "character-open", "character-hint",
         "support-hint", "character-said", "leg", "transport", "tools"]  # fmt: skip
# What is drawn, as boxes over the picture.
FIGURE = """() => {
  const boxes = [], add = ([x, y], r = 0) => boxes.push([x - r, y - r, x + r, y + r]);
  const { scene } = state.now;
  if (scene === "character") {
    const { source, world } = character.it();
    for (const v of world.positions) add(character.view.toPixels(v, source.up));
    for (const { target } of character.limbs()) add(character.view.toPixels(target, source.up), 9);
  } else if (scene === "creature") {
    const { hips, knees, feet, place } = walk.at(), cam = creature.camera();
    for (const v of [...hips, ...knees, ...feet, place]) add(space.project(cam, v).slice(0, 2), 4);
  } else {
    const list = scene === "plane" ? plane.shapes(state.now, main.found())
      : space.shapes(state.now, main.found(), true);
    for (const { disc, annulus, line, stroke, text, at, size, italic } of list) {
      if (disc) add(disc, disc[2]);
      if (annulus) add(annulus, annulus[2]);
      if (line && stroke) for (const v of line) add(v);
      if (text) {
        const wide = draw.widthOf(text, size, italic) / 2;
        add([at[0] - wide, at[1] - 0.4 * size]), add([at[0] + wide, at[1] + 0.4 * size]);
      }
    }
  }
  return boxes;
}"""
# What is wrong: what meets, is cut or cannot be reached.
WRONG = """(ids) => {
  const wrong = [], stage = document.getElementById("stage"), { width, height } = sight.size();
  const isSeen = (id) => getComputedStyle(document.getElementById(id)).visibility !== "hidden";
  const boxes = ids.map((id) => [id, sight.box(id)]).filter(([id, box]) => box && isSeen(id));
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  boxes.forEach(([name, a], i) => {
    for (const [other, b] of boxes.slice(i + 1))
      if (meet(a, b)) wrong.push(`${name} meets ${other}`);
    const isIn = a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height + 0.5;
    if (!isIn) wrong.push(`${name} is outside`);
  });
  for (const [left, top, right, bottom] of (FIGURE)()) {
    const shape = { left, top, right, bottom };
    const isCut = left < 0 || top < 0 || right > width || bottom > height;
    if (isCut) wrong.push("the picture is cut");
    for (const [name, box] of boxes) if (meet(shape, box)) wrong.push(`the picture meets ${name}`);
  }
  for (const { scrollWidth, clientWidth, tagName, id } of [stage, document.documentElement])
    if (scrollWidth > clientWidth) wrong.push(`${id || tagName} scrolls sideways`);
  const used = "button:not(.handle), select, input[type=range]";
  for (const part of stage.querySelectorAll(`${used}, #intro p, h2`)) {
    const { clipPath } = getComputedStyle(part);
    if (part.getClientRects().length === 0 || clipPath !== "none") continue;
    const name = part.id || part.tagName;
    if (part.clientWidth && part.scrollWidth > part.clientWidth + 1) wrong.push(`${name} is cut`);
    if (!part.matches(used)) continue;
    part.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!part.contains(there)) wrong.push(`${name} cannot be reached`);
    if (right - left < 24 || bottom - top < 24) wrong.push(`${name} is too small`);
  }
  stage.scrollTop = 0;
  return [...new Set(wrong)];
}""".replace("FIGURE", FIGURE)
DUE = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"


def faults(page, sizes=SIZES):
    """Return what is wrong at some sizes of the window, one after the other."""
    found = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(size) => `${innerWidth}x${innerHeight}` === size",
                               arg=f"{width}x{height}")  # fmt: skip
        page.evaluate(DUE)
        page.evaluate("main.drawNow()")
        if wrong := page.evaluate(WRONG, TEXTS):
            found[width, height] = wrong
    return found


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_nothing_overlaps_in_any_window(visit, scene, language):
    address = f"scene={scene}&language={language}&target=0.75,0.55,0.35"
    page = visit(address, panel=False, reduced_motion="reduce")
    page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
    assert faults(page) == {}


@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_nothing_overlaps_beside_the_controls(visit, scene):
    page = visit(f"scene={scene}&language=de&r1=0.8", reduced_motion="reduce")
    page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
    # In the smallest windows the controls are all there is.
    assert faults(page, [size for size in SIZES if min(size) > 400 or size[0] > 560]) == {}


# A message about a file, as it is shown for some seconds or until there is another one.
SAY = """(words) => {
  const said = document.getElementById("character-said");
  said.textContent = words;
  said.hidden = false;
}"""


@pytest.mark.parametrize("panel", [False, True])
def test_a_message_about_a_file_covers_nothing_of_the_character(visit, tmp_path, panel):
    page = visit("scene=character", panel=panel, reduced_motion="reduce")
    motion.save(made_clip(True), tmp_path / "made.bvh")  # with arms at right angles to the body
    page.evaluate(DROP, ["made.bvh", list((tmp_path / "made.bvh").read_bytes())])
    page.wait_for_function("() => character.it().character.name === 'made.bvh'")
    page.evaluate(SAY, "Cannot show a_file_with_a_rather_long_name.glb. It is larger than 128 MB.")
    sizes = [size for size in SIZES if not panel or min(size) > 400 or size[0] > 560]
    assert faults(page, sizes) == {}


# Text of twice its size: as browsers make it that enlarge text alone, or by their size of text.
ENLARGE = """() => {
  const sizes = [...document.querySelectorAll("#stage *")].map((part) => {
    const { fontSize, lineHeight } = getComputedStyle(part);
    return [part, fontSize, lineHeight];
  });
  for (const [part, fontSize, lineHeight] of sizes) {
    part.style.fontSize = `${2 * parseFloat(fontSize)}px`;
    if (lineHeight !== "normal") part.style.lineHeight = `${2 * parseFloat(lineHeight)}px`;
  }
}"""


LARGE = {"zoomed": ENLARGE, "set": "document.documentElement.style.fontSize = '200%'"}


@pytest.mark.parametrize("how", LARGE)
@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_nothing_overlaps_where_text_is_twice_as_large(visit, scene, how):
    address = f"scene={scene}&language=de&target=0.75,0.55,0.35"
    page = visit(address, panel=False, reduced_motion="reduce")
    page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
    page.evaluate(LARGE[how])
    assert faults(page) == {}


def test_nothing_overlaps_beside_the_card_of_a_leg(visit):
    page = visit("scene=creature&leg=1&language=de", panel=False, reduced_motion="reduce")
    page.locator("#leg").wait_for()
    assert faults(page) == {}


@pytest.mark.parametrize("scene", ["creature", "character"])
@pytest.mark.parametrize("width", [320, 360, 390, 667, 740, 768, 844, 1280])
def test_the_words_of_the_first_screen_and_the_tools_do_not_meet(visit, scene, width):
    height = {320: 568, 360: 640, 390: 844, 667: 375, 740: 360, 768: 1024, 844: 390}.get(width, 800)
    page = visit(f"scene={scene}&language=de", panel=False, width=width, height=height)
    page.wait_for_function("() => state.now.scene === 'character' || walk.at()")
    page.evaluate("main.drawNow()")
    ids = ["bar", "tools", "transport", "intro-line", "intro-count", "intro-why", "character-open",
           "character-hint", "support-hint"]  # fmt: skip
    boxes = page.evaluate("(ids) => ids.map((id) => [id, sight.box(id)])", ids)
    boxes = [(name, box) for name, box in boxes if box]
    assert len(boxes) >= 5
    for i, (name, a) in enumerate(boxes):
        for other, b in boxes[i + 1 :]:
            beside = a["right"] <= b["left"] or b["right"] <= a["left"]
            assert beside or a["bottom"] <= b["top"] or b["bottom"] <= a["top"], (name, other)


@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_an_embedded_picture_fits_a_small_frame(visit, scene):
    page = visit(f"scene={scene}&embed=1", panel=False, width=320, height=200)
    page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
    assert not page.evaluate("sight.isLong()")
    assert page.evaluate(WRONG, TEXTS) == []


# Labels that lie on a handle.
ON_HANDLES = """() => {
  const handles = [...document.querySelectorAll(".handle:not([hidden])")].map((handle) => {
    const { left, top, width, height } = handle.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  return main.shapes(false).filter((v) => v.text).filter(({ text, at: [x, y], size, italic }) => {
    const wide = draw.widthOf(text, size, italic) / 2 + 5, high = 0.4 * size + 5;
    return handles.some(([a, b]) => Math.abs(a - x) < wide && Math.abs(b - y) < high);
  }).map((v) => v.text);
}"""


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (900, 700), (1280, 720)])
def test_no_label_lies_on_a_handle(visit, scene, width, height):
    page = visit(f"scene={scene}&r1=0.8", width=width, height=height, reduced_motion="reduce")
    page.evaluate(DUE)
    page.evaluate("main.drawNow()")
    assert page.evaluate(ON_HANDLES) == []


# --- a picture that is longer than its window -------------------------------------------------

SCROLLS = {"width": 320, "height": 256, "reduced_motion": "reduce"}


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_a_hand_is_dragged_where_the_picture_is_scrolled(visit, scene):
    page = visit(f"scene={scene}&r1=0.8", panel=False, **SCROLLS)
    page.evaluate("document.getElementById('stage').scrollTop = 100")
    (x, y), before = middle(page, "target"), page.evaluate("state.now.target")
    assert 0 < y < 256
    drag(page, (x, y), (x - 20, y + 30))
    page.evaluate("main.drawNow()")
    assert middle(page, "target") == pytest.approx((x - 20, y + 30), abs=1)
    assert page.evaluate("state.now.target") != before


def test_an_animal_goes_to_the_place_that_was_clicked_where_the_picture_is_scrolled(visit):
    page = visit("scene=creature&ground=flat", panel=False, **SCROLLS)
    page.wait_for_function("() => walk.at()")
    page.evaluate("document.getElementById('stage').scrollTop = 100")
    page.mouse.click(60, 190)
    goal = "space.project(creature.camera(), steering.goal()).slice(0, 2)"
    top = page.locator("#picture").bounding_box()["y"]
    page.wait_for_function("() => steering.goal()")
    x, y = page.evaluate(goal)
    assert (x, y + top) == pytest.approx((60, 190), abs=8)  # the camera follows the animal


@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_a_wheel_and_a_finger_scroll_a_picture_that_is_longer_than_the_window(visit, scene):
    page = visit(f"scene={scene}&r1=0.8", panel=False, has_touch=True, **SCROLLS)
    zoom = page.evaluate("[plane.view.scale, state.now.zoom]")
    page.mouse.move(160, 220)
    page.mouse.wheel(0, 90)
    page.wait_for_function("() => document.getElementById('stage').scrollTop > 60")
    assert page.evaluate("[plane.view.scale, state.now.zoom]") == zoom
    touch = "() => getComputedStyle(document.getElementById('picture')).touchAction"
    assert page.evaluate(touch) == "pan-y"
    page.set_viewport_size({"width": 1024, "height": 768})
    page.wait_for_function(f"() => ({touch})() === 'none'")


@pytest.mark.parametrize("scene", ["plane", "space", "creature", "character"])
def test_a_phone_that_is_turned_and_turned_back_shows_the_same(visit, scene):
    address = f"scene={scene}&ground=flat&target=0.75,0.55,0.35"
    page = visit(address, panel=False, width=390, height=844, reduced_motion="reduce")
    page.wait_for_function("() => state.now.scene !== 'creature' || walk.at()")
    page.evaluate("main.drawNow()")
    before = page.evaluate(FIGURE)
    assert faults(page, [(844, 390), (390, 844)]) == {}
    for old, new in zip(before, page.evaluate(FIGURE), strict=True):
        assert new == pytest.approx(old, abs=3 if scene == "creature" else 0.01)
