"""The animal in the page, in a real browser, exported and served; legs that are looked at."""

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

from measured import measured
from twobone import creature
from twobone.pictures import figure, hocks
from twobone.play import steps
from twobone.play.animals_table import animals_table
from twobone.rotations import rotate

WALK = "scene=creature"
SMALL = (800, 480)  # pixels; software draws them here
GROUNDS = {"flat": "flat", "0.15": 0.15, "slope": "slope", "steps": "steps"}
STANDS = "() => walk.at() !== null && walk.isStill()"


@pytest.fixture
def walker(visit):
    """Open an exported page whose animal stands and waits."""

    def open_page(state=WALK, **options):
        page = visit(state, *SMALL, **options)
        page.wait_for_function("() => walk.at() !== null")
        page.evaluate("main.wander(false)")
        page.wait_for_function(STANDS)
        return page

    return open_page


def place(page):
    return np.array(page.evaluate("walk.at().place"))


def heading(page):
    """Return x and z of where it looks."""
    return np.array(page.evaluate("walk.rotate(walk.at().turned, [0, 0, 1])"))[[0, 2]]


def test_it_wanders_and_its_figures_are_shown(visit):
    page = visit(WALK, *SMALL, webgl=True)
    page.wait_for_function("() => walk.report() !== null")
    start = place(page)
    page.wait_for_function(
        "(start) => Math.hypot(...walk.at().place.map((v, i) => v - start[i])) > 0.3",
        arg=start.tolist(),
    )
    assert page.locator("#figure-slide").inner_text() == "0"
    assert page.locator("#figure-feet").inner_text().endswith(" of 6")
    assert page.locator("#figure-least_feet_down").inner_text() in "3456"
    # A machine that is slow with WebGL has lines.
    assert page.locator("#picture #solid").is_visible() == page.evaluate("main.isLit()")
    assert page.locator("#formula").is_hidden()
    # Space stops it.
    page.keyboard.press("Space")
    page.wait_for_function(STANDS)
    rests = place(page)
    page.wait_for_timeout(300)
    np.testing.assert_allclose(place(page)[[0, 2]], rests[[0, 2]], atol=1e-3)  # it breathes


def test_ground_and_feet_are_where_python_has_them(walker):
    page = walker(f"{WALK}&ground=flat&animal=dog&seed=3")
    places = np.random.default_rng(1).uniform(-20, 20, (200, 2))
    for ground, kind in (("flat", 0), ("0.15", "noise"), ("slope", 0), ("steps", 0)):
        page.locator("#choose-ground").select_option(ground)
        page.wait_for_function(
            "(kind) => walk.ground()?.formula().kind === kind", arg=kind or ground
        )
        page.wait_for_function(STANDS)
        terrain = creature.make_terrain(GROUNDS[ground], "dog", seed=3)
        found = page.evaluate(
            "(places) => places.map(([x, z]) => walk.ground().height(x, z))", places.tolist()
        )
        np.testing.assert_allclose(found, terrain.height(*places.T), atol=1e-12)
        feet = np.array(page.evaluate("walk.at().feet"))
        under = terrain.height(feet[:, 0], feet[:, 2])
        np.testing.assert_allclose(feet[:, 1], under, atol=1e-14)
        check_grid(page, terrain, 2e-2 if ground == "steps" else 1e-5)


def check_grid(page, terrain, most):
    """See that the grid that is drawn lies on the ground, and its normals are square to it."""
    grid = page.evaluate(
        "() => { const v = land.around(walk.ground(), walk.at().place, 5, 64);"
        " return [v.corner, Array.from(v.vertices)]; }"
    )
    corner, vertices = np.array(grid[0]), np.array(grid[1]).reshape(-1, 6)
    x, y, z = (vertices[:, :3] + corner).T
    np.testing.assert_allclose(y, terrain.height(x, z), atol=most)
    inner = np.sum(terrain.normal(x, z) * vertices[:, 3:], axis=1)
    assert np.quantile(inner, 0.1) > 1 - 1e-5


def test_the_margin_on_the_page_is_that_of_the_measures(walker):
    page = walker()
    page.evaluate("walk.push([1.7, 2.6])")
    page.wait_for_function("() => walk.at().down.includes(false)")
    at, margin = page.evaluate("[walk.at(), walk.support().margin]")
    one = [np.array([at[name]]) for name in ("place", "turned", "hips", "knees", "feet", "down")]
    bones, ground = creature.animal("insect").legs.bones, one[4][..., 1]
    recording = creature.Recording(np.zeros(1), *one, bones, ground, 1 / 60)
    assert margin == pytest.approx(measured("static_margin", recording)[0], abs=1e-12)


def test_keys_walk_it(walker):
    page = walker()
    start, ahead = place(page), heading(page)
    page.keyboard.down("w")
    page.wait_for_function("(z) => walk.at().place[2] > z + 0.4", arg=start[2])
    page.keyboard.up("w")
    page.wait_for_function(STANDS)
    went = (place(page) - start)[[0, 2]]
    assert np.dot(went, ahead) > 0.99 * np.hypot(*went)
    page.keyboard.down("ArrowLeft")
    page.wait_for_function("() => walk.rotate(walk.at().turned, [0, 0, 1])[0] > 0.3")  # +x is left
    page.keyboard.up("ArrowLeft")
    page.wait_for_function(STANDS)
    start, left = place(page), np.array(page.evaluate("walk.rotate(walk.at().turned, [1, 0, 0])"))
    page.keyboard.down("q")
    page.wait_for_function(
        "(start) => Math.hypot(...walk.at().place.map((v, i) => v - start[i])) > 0.3",
        arg=start.tolist(),
    )
    page.keyboard.up("q")
    page.wait_for_function(STANDS)
    went = place(page) - start
    assert np.dot(went, left) > 0.9 * np.linalg.norm(went)


def test_a_click_on_the_ground_brings_it_there(walker):
    page = walker(f"{WALK}&ground=0.15")
    box = page.locator("#picture").bounding_box()
    spot = (box["x"] + 0.68 * box["width"], box["y"] + 0.72 * box["height"])
    wanted = np.array(page.evaluate("(v) => creatureInput.groundAt(v)", spot))
    page.mouse.click(*spot)
    assert page.evaluate("steering.goal()") == pytest.approx(wanted, abs=0.05)
    page.wait_for_function(STANDS)
    assert np.hypot(*(place(page) - wanted)[[0, 2]]) < 0.15 * 2.8


def test_a_click_on_it_is_a_shove_and_a_drag_turns_the_camera(walker):
    page = walker()
    x, y, _ = page.evaluate("space.project(creature.camera(), walk.at().place)")
    start, yaw = place(page), page.evaluate("state.now.yaw")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=4)
    page.mouse.up()
    assert page.evaluate("state.now.yaw") == pytest.approx(yaw - 24, abs=2)
    np.testing.assert_allclose((place(page) - start)[[0, 2]], 0.0, atol=1e-3)  # it breathes
    x, y, _ = page.evaluate("space.project(creature.camera(), walk.at().place)")
    back = np.array(page.evaluate("creature.camera().back"))[[0, 2]]
    page.mouse.click(x, y)
    page.wait_for_function("() => walk.at().down.includes(false)")
    page.wait_for_function(STANDS)
    went = (place(page) - start)[[0, 2]]
    assert np.dot(went, -back) > 0.8 * np.hypot(*went) > 0.1


def test_a_finger_leads_it_and_two_turn_the_camera(visit):
    page = visit(WALK, 390, 844, has_touch=True)
    page.wait_for_function("() => walk.at() !== null")
    page.evaluate("main.wander(false)")
    page.wait_for_function(STANDS)
    touch = """([kind, id, x, y]) => document.getElementById("picture").dispatchEvent(
        new PointerEvent(kind, { pointerId: id, clientX: x, clientY: y, pointerType: "touch",
        bubbles: true, cancelable: true, button: 0, isPrimary: id === 1 }))"""
    for name in ("setPointerCapture", "releasePointerCapture"):
        page.evaluate("(name) => { Element.prototype[name] = () => {}; }", name)
    say = lambda *event: page.evaluate(touch, event)  # noqa: E731
    say("pointerdown", 1, 200, 400)
    say("pointermove", 1, 250, 420)
    assert page.evaluate("steering.goal()") == pytest.approx(
        page.evaluate("creatureInput.groundAt([250, 420])"), abs=0.2
    )
    say("pointerup", 1, 250, 420)
    yaw, zoom = page.evaluate("[state.now.yaw, state.now.zoom]")
    say("pointerdown", 1, 150, 300)
    say("pointerdown", 2, 250, 300)
    say("pointermove", 2, 290, 300)
    say("pointermove", 2, 330, 300)
    assert page.evaluate("state.now.yaw") != yaw
    assert page.evaluate("state.now.zoom") > zoom


def test_another_animal_on_other_ground_in_another_gait(walker):
    page = walker()
    page.locator("#choose-animal").select_option("spider")
    page.wait_for_function("() => walk.at()?.feet.length === 8")
    page.locator("#choose-ground").select_option("steps")
    page.wait_for_function("() => walk.ground().formula().kind === 'steps'")
    assert page.locator("#other-ground").is_disabled()
    page.locator("#choose-ground").select_option("0.15")
    page.wait_for_function("() => walk.ground().formula().kind === 'noise'")
    page.locator("#other-ground").click()
    wanted = creature.make_terrain(0.15, "spider", seed=2).height(3.0, 4.0)
    page.wait_for_function(
        "(y) => Math.abs(walk.ground().height(3, 4) - y) < 1e-12", arg=float(wanted)
    )
    page.locator("#choose-duty_factor").select_option("0.75")
    page.locator("#choose-liveliness").select_option("0.5")
    page.wait_for_function(
        "() => { const { gait, liveliness } = walk.walker().animal;"
        " return gait.dutyFactor[1] === 0.75 && liveliness === 0.5; }"
    )
    page.locator("#show-triangles").click()
    page.wait_for_function("() => location.hash.includes('triangles=1')")
    for part in ("animal=spider", "ground=0.15", "seed=2", "duty_factor=0.75", "liveliness=0.5"):
        assert part in page.evaluate("location.hash")


def test_its_body_and_feet_are_drawn_where_they_are(visit):
    page = visit(WALK, *SMALL)
    told = animals_table()["insect"]
    moves = "() => ['head', 'tail'].every((name) => Math.abs(walk.at()?.[name][3] ?? 1) < 0.9999)"
    page.wait_for_function(moves)
    drawn = page.evaluate("({ ...creature.parts(), at: walk.at() })")
    round_parts = [part for part in told["parts"] if "half" in part]
    bones = [part for part in told["parts"] if "start" in part]
    assert len(drawn["boxes"]) == len(round_parts)
    assert len(drawn["solids"]) == len(bones) + 6 * 5  # two bones and three balls for each leg
    turn, at = np.array(drawn["at"]["turned"]), np.array(drawn["at"]["place"])
    own = {"body": ([0.0] * 3, [0.0, 0.0, 0.0, 1.0])}  # pivots and rotations
    own |= {name: (told["pivots"][name], drawn["at"][name]) for name in ("head", "tail")}

    def in_world(node, point):
        pivot, rotation = map(np.array, own[node])
        return at + rotate(turn, pivot + rotate(rotation, np.array(point) - pivot))

    for box, part in zip(drawn["boxes"], round_parts, strict=True):
        wanted = in_world(part["node"], part["centre"])
        np.testing.assert_allclose(box["centre"], wanted, atol=1e-9)
        axes = rotate(turn, rotate(np.array(own[part["node"]][1]), np.array(part["axes"])))
        np.testing.assert_allclose(box["axes"], axes, atol=1e-9)
    for solid, part in zip(drawn["solids"][-len(bones) :], bones, strict=True):
        for end, name in (("a", "start"), ("b", "end")):
            np.testing.assert_allclose(solid[end], in_world(part["node"], part[name]), atol=1e-9)


def test_toes_stay_as_they_landed(visit):
    page = visit(f"{WALK}&animal=bird&ground=flat", *SMALL)
    page.wait_for_function("() => walk.animal()?.name === 'bird' && walk.at() !== null")
    seen = page.evaluate(
        """async () => {
            const seen = [];
            for (let i = 0; i < 40; i++) {
                await new Promise((done) => setTimeout(done, 40));
                const toes = creature.parts().solids.slice(-8), { feet, down } = walk.at();
                seen.push({ toes: toes.map((v) => [v.a, v.b]), feet, down });
            }
            return seen;
        }"""
    )
    toes = np.array([one["toes"] for one in seen]).reshape(len(seen), 4, 2, 2, 3)  # toe, foot, end
    feet = np.array([one["feet"] for one in seen])
    down = np.array([one["down"] for one in seen])
    assert np.max(np.linalg.norm(toes[:, :, :, 0] - feet[:, None], axis=-1)) < 0.05
    directions = toes[:, :, :, 1] - toes[:, :, :, 0]
    still = down[1:] & down[:-1] & np.all(np.abs(np.diff(feet, axis=0)) < 1e-9, axis=-1)
    moves = np.max(np.abs(np.diff(directions, axis=0)), axis=(1, 3))
    assert np.max(moves[still], initial=0.0) < 1e-9
    assert np.sum(still) > 5


@pytest.mark.parametrize("width", [360, 1280])
def test_without_a_graphics_card_it_is_drawn_with_lines(visit, width):
    page = visit(f"{WALK}&triangles=1", width=width)
    page.wait_for_function("() => walk.at() !== null")
    shapes = page.evaluate("creature.shapes(false)")
    colours = [shape.get("fill") or shape.get("stroke") for shape in shapes]
    assert min(colours.count("r1"), colours.count("r2")) >= 6  # each in some pieces
    assert {"body", "shade"} < {*colours}
    assert "line" in colours
    assert colours.count("across") == 12
    assert page.locator("#solid").is_hidden()
    svg = page.evaluate("draw.svg(creature.shapes(false), 400, 300, 'it')")
    assert svg.count("<path") > 30
    assert "NaN" not in svg
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_who_wants_no_motion_sees_it_stand(visit):
    page = visit(WALK, *SMALL, reduced_motion="reduce", webgl=True)
    page.wait_for_function("() => walk.at() !== null")
    start = place(page)
    page.wait_for_timeout(300)
    np.testing.assert_array_equal(place(page), start)
    # It goes where it is sent, and stands still again.
    page.evaluate("steering.lead([0, 0, 0.8])")
    page.wait_for_function("() => walk.at().place[2] > 0.4 && walk.isStill()")
    page.wait_for_timeout(300)
    rests = place(page)
    page.wait_for_timeout(300)
    np.testing.assert_array_equal(place(page), rests)
    assert not page.evaluate("state.canUndo()")  # an address is no step of one's own


def test_the_limb_stays_as_it_is_while_the_animal_walks(live, visitor):
    page = visitor(live.address, state="target=1.2,0.4,0.35", size=SMALL)
    page.locator("#scene-creature").click()
    page.wait_for_function("() => walk.at() !== null")
    live.target = (0.3, 0.9)  # nor does the animal stop when the limb is told something
    page.wait_for_function("() => state.now.target[1] === 0.9")
    assert page.locator("#wander").get_attribute("aria-pressed") == "true"
    page.locator("#scene-plane").click()
    page.wait_for_timeout(300)
    assert page.evaluate("state.now.target.slice(0, 2)") == [0.3, 0.9]
    assert page.locator("#wander").get_attribute("aria-pressed") == "false"


def test_the_camera_stays_above_the_ground_and_as_near_as_the_address_says(visit):
    page = visit(f"{WALK}&zoom=2&pitch=5", *SMALL)
    page.wait_for_function("() => walk.at() !== null")
    for yaw in range(0, 360, 45):
        eye = page.evaluate("(yaw) => (state.set({ yaw }, 'view'), creature.camera().eye)", yaw)
        under = page.evaluate("([x, y, z]) => walk.ground().height(x, z)", eye)
        assert eye[1] > under
    assert page.evaluate("state.now.zoom") == 2
    page.keyboard.press("0")
    assert page.evaluate("state.now.zoom") == 1


# The lowest and the highest place of any foot, knee or hip, in shares of the picture's height.
SPAN = """async (count) => {
  let low = 0, high = 1;
  for (let i = 0; i < count; i++) {
    await new Promise((done) => setTimeout(done, 60));
    const { hips, knees, feet } = walk.at();
    for (const v of [...hips, ...knees, ...feet]) {
      const y = space.project(creature.camera(), v)[1] / main.size().height;
      [low, high] = [Math.max(low, y), Math.min(high, y)];
    }
  }
  return [low, high];
}"""


@pytest.mark.parametrize(("animal", "size"), [("dog", (1280, 800)), ("spider", (390, 844))])
def test_feet_stay_in_the_picture_on_rough_ground(visit, animal, size):
    page = visit(f"{WALK}&ground=0.15&animal={animal}", *size)
    page.wait_for_function("() => walk.at() !== null")
    low, high = page.evaluate(SPAN, 50)
    assert low < 0.96
    assert high > 0.04


def test_the_bones_of_a_leg_have_no_common_surface(visit):
    """Where they have one, the picture flickers between their colours."""
    page = visit(f"{WALK}&animal=dog&ground=flat", *SMALL)
    page.wait_for_function("() => walk.animal()?.name === 'dog' && walk.at() !== null")
    balls = {}
    for solid in page.evaluate("creature.parts().solids"):
        for end, radius in (("a", "ra"), ("b", "rb")):
            key = (*np.round(solid[end], 9), round(solid[radius], 9))
            balls.setdefault(key, set()).add(solid["colour"])
    assert sum("r1" in colours for colours in balls.values()) == 8
    assert not any({"r1", "r2"} <= colours for colours in balls.values())


def test_it_breathes_at_rest_unless_it_is_not_lively(walker):
    page = walker(f"{WALK}&ground=flat")
    high = place(page)[1]
    page.wait_for_function("(y) => Math.abs(walk.at().place[1] - y) > 1e-4", arg=high)
    page.locator("#choose-liveliness").select_option("0")
    page.wait_for_function("() => walk.walker().animal.liveliness === 0 && walk.isAsleep()")
    high = place(page)[1]
    page.wait_for_timeout(300)
    assert place(page)[1] == high


# Keys and shoves by the clock of the page, one tick after the other; `told` is what Python is told.
PLAN = [
    (60, "w", None),
    (90, "a", None),
    (1, None, [0.9, -0.6]),
    (100, "q", None),
    (120, None, None),
]
WALKED = """(plan) => {
  state.set({ seed: 5 }, "view");
  const { place, heading } = walk.walker(), seen = [];
  let time = 1e7;
  walk.rest();
  walk.step(time);
  for (const [ticks, key, shove] of plan) {
    if (key) steering.press(key);
    if (shove) walk.push(shove);
    for (let i = 0; i < ticks; i++) walk.step((time += 1000 / 120));
    steering.release();
    seen.push(walk.told());
  }
  walk.rest();
  return [place, heading, seen];
}"""


@pytest.mark.parametrize("animal", ["insect", "dog"])
def test_keys_give_the_walk_that_python_has_for_the_same_orders(walker, animal):
    page = walker(f"{WALK}&animal={animal}&ground=0.15")
    spot, heading, seen = page.evaluate(WALKED, PLAN)
    terrain = creature.make_terrain(0.15, animal, seed=5)
    python = creature.Walker(animal, terrain, position=spot, heading=heading)
    speed, ticks = python.animal.speed, 0
    nimble = 1.1 * speed / python.length
    orders = {"w": ((0, speed), 0), "a": ((0, 0), nimble), "q": ((0.8 * speed, 0), 0), None: (0, 0)}
    for (count, key, shove), told in zip(PLAN, seen, strict=True):
        if shove:
            python.shove(shove)
        for _ in range(count):
            python.step(1 / 120, *orders[key])
        ticks += count
        step = steps.check(told)
        assert told["ticks"] == ticks
        for name, value in python.state._asdict().items():
            np.testing.assert_allclose(getattr(step.state, name), value, atol=1e-9, err_msg=name)


# --- a leg that is looked at --------------------------------------------------------------


# Spots on the shins of all legs.
SHINS = """() => {
  const { knees, feet } = walk.at(), cam = creature.camera();
  return knees.map((knee, i) => {
    const [a, b] = [knee, feet[i]].map((v) => space.project(cam, v));
    return [0, 1].map((k) => 0.3 * a[k] + 0.7 * b[k]);
  });
}"""


def test_a_click_on_a_leg_opens_its_circles_and_its_formula(walker):
    # With less motion it never walks away, so its legs are where they are however slow the page is.
    page = walker(f"{WALK}&ground=flat&animal=spider", reduced_motion="reduce", panel=False)
    assert page.locator("#leg").is_hidden()
    for i, spot in enumerate(page.evaluate(SHINS)):
        page.mouse.move(*spot)
        # The page shows that a leg can be clicked there: neither body nor panel is in front of it.
        on_leg = "([spot, i]) => picture.matches('.clickable') && leg.under(creature.camera(), spot, 'mouse') === i"  # noqa: E501
        if page.evaluate(on_leg, [spot, i]):
            break
    page.mouse.click(*spot)
    page.wait_for_function("() => !document.getElementById('leg').hidden")
    chosen = page.evaluate("leg.index()")
    name = page.evaluate("leg.names(walk.animal())[leg.index()]")
    assert chosen == i
    assert page.locator("#leg-title").inner_text() == name
    assert page.locator("#leg-heard").inner_text().startswith(f"{name}. Hip to foot: ")
    assert page.locator("#choose-leg").input_value() == str(chosen + 1)
    assert page.evaluate("steering.goal()") is None
    # The formula gives the knee, and the circles are its bones.
    s, found, at = page.evaluate(
        "(() => { const { s, found } = leg.solved(); return [s, found, walk.at()]; })()"
    )
    np.testing.assert_allclose(np.add(s["root"], found["joint"]), at["knees"][chosen], atol=1e-12)
    bones = creature.animal("spider").legs.bones[chosen]
    np.testing.assert_array_equal([s["r1"], s["r2"]], bones)
    shapes = page.evaluate("leg.shapes(creature.camera())")
    rings = [v["stroke"] for v in shapes if v.get("close")]
    assert rings == ["r1", "r2", "across"]
    assert name.startswith(("Left leg ", "Right leg "))
    assert {v.get("text") for v in shapes} >= {"x", "p"}
    # Only this leg keeps its colours.
    colours = [v["colour"] for v in page.evaluate("creature.parts().solids")]
    assert colours.count("r1") == colours.count("r2") == 1
    page.keyboard.press("Escape")
    assert page.locator("#leg").is_hidden()


def test_the_numbers_of_a_leg_live_and_lead_into_the_lesson_and_back(visit):
    page = visit(f"{WALK}&animal=dog&leg=1&liveliness=0", *SMALL)
    page.wait_for_function("() => !document.getElementById('leg').hidden")
    told = page.locator("#leg-formula-p > span").nth(1)
    before = told.inner_text()
    page.wait_for_function(
        "(text) => document.querySelector('#leg-formula-p > span:last-child').textContent !== text",
        arg=before,
    )
    page.evaluate("main.wander(false)")
    page.wait_for_function(STANDS)
    leg, spot = page.evaluate("[leg.solved(), walk.at().place]")
    page.locator("#leg-lesson").click()
    page.wait_for_function("() => layout.side() === 'lesson' && state.now.scene === 'space'")
    limb = page.evaluate("state.limb()")
    assert (limb["r1"], limb["r2"]) == (leg["s"]["r1"], leg["s"]["r2"])
    np.testing.assert_allclose(limb["target"], leg["found"]["p"], atol=2e-3)
    np.testing.assert_allclose(limb["pole"], leg["s"]["pole"], atol=2e-3)
    assert page.locator("#lesson-leg").inner_text() == "dog: Left hind leg"
    page.locator("#lesson-return").click()
    there = page.wait_for_function(
        "() => state.now.scene === 'creature' && leg.index() === 0 && walk.at().place"
    ).json_value()
    assert page.locator("#lesson-from").is_hidden()
    assert np.linalg.norm(np.subtract(there, spot)) < 0.1  # it has waited


# All at once, since the animal breathes.
DRAWN = """() => {
  const cam = creature.camera(), { hips, knees, feet } = walk.at(), found = hips.map((_, i) => leg.hockOf(i));
  const flat = [knees[0], found[0], feet[0]].map((v) => space.project(cam, v).slice(0, 2));
  // Beside the hock, on the side away from the straight bone.
  const out = flat[1].map((v, i) => v - 0.45 * flat[0][i] - 0.55 * flat[2][i]), far = Math.hypot(...out);
  const hit = leg.under(cam, flat[1].map((v, i) => v + (10 * out[i]) / far), "mouse"), lines = leg.shapes(cam).filter((v) => v.stroke === "r2");
  return { hips, knees, feet, hocks: found, flat, hit, lines, solids: creature.parts().solids.filter((v) => v.ra) };
}"""  # noqa: E501


def test_a_hock_is_drawn_where_python_draws_it_and_the_solved_bone_beside_it(walker):
    page = walker(f"{WALK}&ground=flat&animal=dog&leg=1&yaw=90&zoom=1.6")
    seen = page.evaluate(DRAWN)
    # The pose as a recording of one frame, whose body is not rotated.
    walk = creature.walk("dog", seconds=0.1).select(slice(0, 1))
    at = {name: np.array(seen[name]) for name in ("hips", "knees", "feet")}
    walk = walk._replace(**{name: points[None] for name, points in at.items()})
    own = figure.figure_of_animal(creature.animal("dog")).hocks
    wanted = hocks.hock_points(own, walk, np.array([[0.0, 0.0, 0.0, 1.0]]))[0]
    np.testing.assert_allclose(seen["hocks"][:2], wanted[:2], atol=1e-9)
    assert seen["hocks"][2:] == [None, None]
    # Below the knee of a hind leg there are two parts, without colour, since the bone that is
    # solved, from knee to foot, is drawn over them.
    cones = [v for v in seen["solids"] if v["a"] != v["b"]]
    for leg, (knee, hock) in enumerate(zip(seen["knees"], wanted, strict=True)):
        [shin] = [v for v in cones if v["a"] == knee]
        np.testing.assert_allclose(shin["b"], hock, atol=1e-9 if leg < 2 else 0.04)
        below = [v for v in cones if np.linalg.norm(np.subtract(v["a"], hock)) < 0.04]
        assert [v["colour"] for v in (shin, *below)] == ["light"] * (1 + (leg < 2))
    knee, _, foot = seen["flat"]
    lines = [v["line"] for v in seen["lines"] if len(v["line"]) == 2]
    np.testing.assert_allclose(lines, [[knee, foot]], atol=1e-6)
    assert seen["hit"] == 0  # a click on the hock is one on the leg
    assert page.locator("#leg-hock").inner_text() == "The knee is solved, the hock is only drawn."
    page.evaluate("leg.open(2)")
    page.wait_for_function("() => document.getElementById('leg-hock').hidden")


def test_legs_are_chosen_by_keyboard(walker):
    page = walker(f"{WALK}&animal=bird")
    page.locator("#choose-leg").focus()
    options = page.locator("#choose-leg option").all_inner_texts()
    assert options == ["No leg", "Left leg", "Right leg"]
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => leg.index() === 0")
    assert page.locator("#leg").get_attribute("aria-labelledby") == "leg-title"
    page.locator("#leg-close").focus()
    page.keyboard.press("Enter")
    assert page.locator("#leg").is_hidden()
    assert page.evaluate("document.activeElement.id") == "choose-leg"


# --- led by Python ------------------------------------------------------------------------


def test_python_leads_and_is_told_of_steps(live, visitor):
    heard = []
    live.on_step(lambda page, step: heard.append(step))
    live.scene = "creature"
    live.animal = creature.animal("dog")._replace(name="Rex", liveliness=0.0)
    live.terrain = lambda x, z: 0.05 * np.sin(x)
    live.lead(0.7, turn=0.2)
    page = visitor(live.address, state="", size=SMALL)
    page.wait_for_function("() => walk.walker()?.animal.name === 'Rex'")
    page.wait_for_function("() => walk.told().ticks > 120")
    assert page.locator("#choose-animal option:checked").inner_text() == "Rex, from Python"
    assert page.locator("#choose-ground option:checked").inner_text() == "From Python"
    assert page.locator("#wander").get_attribute("aria-pressed") == "false"
    step = heard[-1]
    assert (step.page, step.animal, step.blocked) == (1, "Rex", False)
    assert step.state.feet.shape == (4, 3)
    under = 0.05 * np.sin(step.state.feet[:, 0])
    down = step.state.stance
    np.testing.assert_allclose(step.state.feet[down, 1], under[down], atol=1e-4)
    # A person takes the ground back; a shove is for every page.
    page.locator("#choose-ground").select_option("flat")
    page.wait_for_function("() => walk.ground().formula().kind === 'flat'")
    live.lead(0)
    page.wait_for_function(STANDS)
    live.shove((0.0, 1.0))
    page.wait_for_function("() => walk.at().down.includes(false)")
    live.terrain = creature.Slope(80)
    page.wait_for_function("() => walk.problem() !== ''")
    assert "no room to stand" in page.locator("#walk-words").inner_text()
    assert live.errors == 0


def test_the_page_goes_on_without_python(live, visitor):
    page = visitor(live.address, gone=True, state=WALK, size=SMALL)
    page.wait_for_function("() => walk.at() !== null && live.isOpen()")
    live.close()
    page.wait_for_function("() => !live.isOpen()")
    start = place(page).tolist()
    page.wait_for_function(
        "(start) => Math.hypot(...walk.at().place.map((v, i) => v - start[i])) > 0.3", arg=start
    )
