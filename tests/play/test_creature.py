"""The animal in the page, in a real browser: with Python behind it, and recorded."""

import threading

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

from measured import measured
from twobone import creature
from twobone.play import stroll
from twobone.rotations import rotate

WALK = "scene=creature"
SMALL = (800, 480)  # pixels; software draws them here
STANDS = "() => walk.at() !== null && walk.isStill()"


@pytest.fixture
def walker(live, visitor):
    """Open a page whose animal stands and waits."""

    def open_page(state=WALK):
        page = visitor(live.address, state=state, size=SMALL)
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


def test_it_wanders_and_its_figures_are_shown(live, visitor):
    page = visitor(live.address, state=WALK, size=SMALL)
    page.wait_for_function("() => walk.report() !== null", timeout=60_000)
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


def test_legs_bend_as_pythons_do(walker):
    page = walker()
    page.evaluate("walk.push([1.2, 0.8]); main.redraw()")
    page.wait_for_function("() => walk.at().down.includes(false)")
    at, bones = page.evaluate("[walk.at(), walk.animal().bones]")
    hips, knees, feet = (np.array(at[name]) for name in ("hips", "knees", "feet"))
    beast = creature.animal("insect")
    stance = creature.WalkerState(
        *(np.array(at[k]) for k in ("place", "turned")), hips, knees, feet, 0, 0
    )
    from twobone.rotations import rotate

    np.testing.assert_allclose(
        hips, stance.body_position + rotate(stance.body_rotation, beast.legs.hips), atol=1e-14
    )
    for first, second, lengths in ((hips, knees, 0), (knees, feet, 1)):
        found = np.linalg.norm(second - first, axis=1)
        np.testing.assert_allclose(found, np.array(bones)[:, lengths], rtol=1e-14)
    assert np.all(knees[:, 1] > 0.5 * (hips + feet)[:, 1])


def test_ground_and_feet_are_where_python_has_them(walker):
    page = walker(f"{WALK}&ground=flat&animal=dog&seed=3")
    places = np.random.default_rng(1).uniform(-20, 20, (200, 2))
    for ground, kind in (("flat", 0), ("0.15", "noise"), ("slope", 0), ("steps", 0)):
        page.locator("#choose-ground").select_option(ground)
        page.wait_for_function("(kind) => walk.ground()?.kind === kind", arg=kind or ground)
        page.wait_for_function(STANDS)
        terrain = creature.make_terrain(stroll.GROUNDS[ground], "dog", seed=3)
        found = page.evaluate(
            "(places) => places.map(([x, z]) => land.height(walk.ground(), x, z))", places.tolist()
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
    page.evaluate("walk.push([0.9, 1.4]); main.redraw()")
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
    wanted = np.array(page.evaluate("(v) => creature.groundAt(v)", spot))
    page.mouse.click(*spot)
    assert page.evaluate("walk.goal()") == pytest.approx(wanted, abs=0.05)
    page.wait_for_function(STANDS, timeout=60_000)
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


def test_a_finger_leads_it_and_two_turn_the_camera(live, opened):
    size = {"width": 390, "height": 844}
    page = opened(f"{live.address}#{WALK}", lambda url: True, viewport=size, has_touch=True)
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
    assert page.evaluate("walk.goal()") == pytest.approx(
        page.evaluate("creature.groundAt([250, 420])"), abs=0.2
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
    page.wait_for_function("() => walk.ground().kind === 'steps'")
    assert page.locator("#other-ground").is_disabled()
    page.locator("#choose-ground").select_option("0.15")
    page.wait_for_function("() => walk.ground().kind === 'noise'")
    waves = page.evaluate("walk.ground().waves")
    page.locator("#other-ground").click()
    page.wait_for_function(
        "(waves) => JSON.stringify(walk.ground().waves) !== waves", arg=str(waves)
    )
    page.locator("#choose-duty_factor").select_option("0.75")
    page.locator("#show-triangles").click()
    page.wait_for_function("() => location.hash.includes('triangles=1')")
    for part in ("animal=spider", "ground=0.15", "seed=2", "duty_factor=0.75", "scene=creature"):
        assert part in page.evaluate("location.hash")


def test_python_goes_and_comes_back(live, visitor):
    page = visitor(live.address, gone=True, state=WALK, size=SMALL)
    page.wait_for_function("() => walk.at() !== null")
    live.close()
    page.wait_for_function(
        "() => document.getElementById('walk-words').textContent === 'Waiting for Python'"
    )
    for name in ("shove", "other-ground", "choose-animal", "choose-ground", "choose-duty_factor"):
        assert page.locator(f"#{name}").is_disabled(), name


def test_a_python_that_hangs_is_waited_for(walker, monkeypatch):
    page, goes_on = walker(), threading.Event()
    says = "(words) => document.getElementById('walk-words').textContent.includes(words)"
    page.wait_for_function(says, arg="Click the ground")
    real = stroll.Stroll.answer
    monkeypatch.setattr(stroll.Stroll, "answer", lambda *all: (goes_on.wait(20), real(*all))[1])
    page.locator("#choose-animal").select_option("dog")  # nothing moves until it comes
    page.wait_for_function(says, arg="Waiting for Python")
    goes_on.set()
    page.wait_for_function(says, arg="Click the ground")
    # The question that was open when the dog was chosen is still answered with the insect.
    page.wait_for_function("() => walk.animal().name === 'dog'")


def test_an_exported_page_plays_a_walk(visit):
    page = visit(WALK, *SMALL)
    page.wait_for_function("() => walk.at() !== null")
    seen = page.evaluate(
        """async () => {
            const seen = [];
            while (seen.length < 25) {
                const at = walk.at();
                if (seen.at(-1) !== at) seen.push(at);
                await new Promise(requestAnimationFrame);
            }
            return seen;
        }"""
    )
    feet = np.array([at["feet"] for at in seen])
    down = np.array([at["down"] for at in seen])
    both = down[1:] & down[:-1]
    moves = np.linalg.norm(np.diff(feet, axis=0), axis=-1)
    assert np.median(moves[both]) == 0.0
    assert np.max(moves[both]) < 0.025 * 2.8
    assert np.linalg.norm(np.diff([at["place"] for at in seen], axis=0), axis=1).sum() > 0.1
    for at in seen[::8]:
        for a, b, length in (("hips", "knees", 1.6), ("knees", "feet", 1.2)):
            found = np.linalg.norm(np.subtract(at[a], at[b]), axis=1)
            np.testing.assert_allclose(found, length, rtol=1e-13)
    assert page.locator("#choose-animal").is_disabled()
    assert "recorded" in page.locator("#walk-words").inner_text()
    # Space pauses it; a click leads nobody.
    page.keyboard.press("Space")
    page.wait_for_timeout(100)
    rests = place(page)
    page.mouse.click(300, 400)
    page.wait_for_timeout(200)
    np.testing.assert_array_equal(place(page), rests)


def test_its_body_and_feet_are_drawn_where_they_are(visit):
    page = visit(WALK, *SMALL)
    page.wait_for_function("() => walk.at() !== null")
    page.evaluate("main.wander(false)")
    told = stroll.describe(creature.animal("insect"))
    drawn = page.evaluate("(walk.seek(5, 0), { ...creature.parts(), at: walk.at() })")
    round_parts = [part for part in told["parts"] if "half" in part]
    bones = [part for part in told["parts"] if "start" in part]
    assert len(drawn["boxes"]) == len(round_parts)
    assert len(drawn["solids"]) == len(bones) + 6 * 5  # two bones and three balls for each leg
    turn, at = np.array(drawn["at"]["turned"]), np.array(drawn["at"]["place"])
    own = {"body": ([0.0] * 3, [0.0, 0.0, 0.0, 1.0])}  # pivots and rotations
    own |= {name: (told["pivots"][name], drawn["at"][name]) for name in ("head", "tail")}
    assert all(abs(own[name][1][3]) < 0.9999 for name in ("head", "tail"))

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


def test_toes_stay_as_they_landed(live, visitor):
    page = visitor(live.address, state=f"{WALK}&animal=bird&ground=flat", size=SMALL)
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


def test_the_recording_begins_again(visit):
    page = visit(WALK, *SMALL)
    page.wait_for_function("() => walk.at() !== null")
    start = np.array(page.evaluate("(walk.seek(0, 0), walk.at().place)"))
    late = np.array(page.evaluate("(walk.seek(15.5, 0), walk.at().place)"))
    again = np.array(page.evaluate("(walk.seek(16, 0), walk.at().place)"))
    assert np.linalg.norm(late - start) > 3
    np.testing.assert_array_equal(again, start)


@pytest.mark.parametrize("width", [360, 1280])
def test_without_a_graphics_card_it_is_drawn_with_lines(visit, width):
    gone = (
        "const real = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return kind === 'webgl2' ? null : real.call(this, kind, ...rest); };"
    )
    page = visit(f"{WALK}&triangles=1", width=width, script=gone)
    page.wait_for_function("() => walk.at() !== null")
    shapes = page.evaluate("creature.shapes(false)")
    colours = [shape.get("fill") or shape.get("stroke") for shape in shapes]
    assert colours.count("r1") == colours.count("r2") == 6
    assert "body" in colours
    assert "line" in colours
    assert colours.count("across") == 12
    assert page.locator("#solid").is_hidden()
    svg = page.evaluate("draw.svg(creature.shapes(false), 400, 300, 'it')")
    assert svg.count("<path") > 30
    assert "NaN" not in svg
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_who_wants_no_motion_sees_it_stand(visit):
    page = visit(WALK, *SMALL, reduced_motion="reduce")
    page.wait_for_function("() => walk.at() !== null")
    start = place(page)
    page.wait_for_timeout(300)
    np.testing.assert_array_equal(place(page), start)
    assert page.evaluate("getComputedStyle(document.getElementById('solid')).opacity") == "1"
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
        under = page.evaluate("([x, y, z]) => land.height(walk.ground(), x, z)", eye)
        assert eye[1] > under
    assert page.evaluate("state.now.zoom") == 2
    page.keyboard.press("0")
    assert page.evaluate("state.now.zoom") == 1


NO_WEBGL = (
    "const real = HTMLCanvasElement.prototype.getContext;"
    "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
    " return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest); };"
)
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
def test_feet_stay_in_the_picture_on_rough_ground(live, opened, animal, size):
    page = opened(
        f"{live.address}#{WALK}&ground=0.15&animal={animal}",
        lambda url: True,
        script=NO_WEBGL,  # so that pictures are quick
        viewport=dict(zip(("width", "height"), size, strict=True)),
    )
    page.wait_for_function("() => walk.at() !== null")
    low, high = page.evaluate(SPAN, 50)
    assert low < 0.96
    assert high > 0.04
