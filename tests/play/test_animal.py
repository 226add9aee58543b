"""The animal of the page in node: where its parts are drawn, its camera, a leg to look at."""

import itertools

import numpy as np
import pytest

from twobone import creature
from twobone.creature import polygons
from twobone.play import steps
from twobone.rotations import multiply, rotate

CREATURE = ("walk", "creature", "leg", "land", "steering")
LINKS = ("neck", "tail")
WALK = {
    **{f"scenes/creature/{name}": name for name in CREATURE},
    "scenes/creature/body": "placed",
    "stage/camera": "camera",
    "stage/frame": "frame",
}
# Frames of 50 ms; each walk begins anew, where nobody leads the animal.
FRAMES = """const view = (width, height) => Object.assign(frame,
  { width, height, free: { left: 0, top: 0, width, height } });
let time = (globalThis.later = (globalThis.later ?? 0) + 1e7);
const walkFor = (seconds, each = () => {}) => {
  for (let i = 0; i < 20 * seconds; i++) {
    walk.step((time += 50));
    creature.follow(time);
    each(i);
  }
};
steering.lead(null), steering.obey(null);
view(800, 480);
walk.rest();
walkFor(0.1);
"""


@pytest.fixture
def animal(logic):
    """Return a function that lets an animal stand, and returns what code says of it."""
    return lambda address, code, given=None: logic(
        f"scene=creature&{address}", WALK, f"(() => {{ {FRAMES} {code} }})()", given
    )


# --- ground and measures ------------------------------------------------------------------

GROUNDS = {"flat": "flat", "0.15": 0.15, "slope": "slope", "steps": "steps"}


@pytest.mark.parametrize("ground", GROUNDS)
def test_ground_and_feet_are_where_python_has_them(animal, ground):
    places = np.random.default_rng(1).uniform(-20, 20, (200, 2))
    heights, feet, corner, vertices = animal(
        f"ground={ground}&animal=dog&seed=3&liveliness=0",
        """const grid = land.around(walk.ground(), walk.at().place, 5, 64);
           return [given.map(([x, z]) => walk.ground().height(x, z)), walk.at().feet, grid.corner,
             [...grid.vertices]];""",
        places,
    )
    terrain = creature.make_terrain(GROUNDS[ground], "dog", seed=3)
    np.testing.assert_allclose(heights, terrain.height(*places.T), atol=1e-12)
    feet = np.array(feet)
    np.testing.assert_allclose(feet[:, 1], terrain.height(feet[:, 0], feet[:, 2]), atol=1e-14)
    # The grid that is drawn lies on the ground, and its normals are square to it.
    vertices = np.reshape(vertices, (-1, 6))
    x, y, z = (vertices[:, :3] + corner).T
    np.testing.assert_allclose(y, terrain.height(x, z), atol=2e-2 if ground == "steps" else 1e-5)
    inner = np.sum(terrain.normal(x, z) * vertices[:, 3:], axis=1)
    assert np.quantile(inner, 0.1) > 0.99


def test_the_margin_on_the_page_is_that_of_the_measures(animal):
    at, margin, hull = animal(
        "",
        """walk.push([1.7, 2.6]);
           while (!walk.at().down.includes(false)) walk.step((time += 50));
           return [walk.at(), walk.support().margin, walk.support().hull];""",
    )
    points = [np.array([at[name]])[..., [0, 2]] for name in ("place", "feet")]
    wanted = polygons.signed_distance(*points, np.array([at["down"]]))
    assert margin == pytest.approx(wanted[0], abs=1e-12)
    feet = [foot for foot, down in zip(at["feet"], at["down"], strict=True) if down]
    assert all(corner in feet for corner in hull)


# Keys and shoves by the clock of the page, one tick after the other; `told` is what Python is told.
PLAN = [
    (60, "w", None),
    (90, "a", None),
    (1, None, [0.9, -0.6]),
    (100, "q", None),
    (60, "e", None),
    (60, "s", None),
    (60, "d", None),
    (120, None, None),
]
WALKED = """
  state.set({ seed: state.now.seed + 1 }, "view"); // so that it begins anew, and stands
  walk.rest();
  walk.step(time);
  const { place, heading } = walk.walker(), seen = [];
  for (const [ticks, key, shove] of given) {
    if (key) steering.press(key);
    if (shove) walk.push(shove);
    for (let i = 0; i < ticks; i++) walk.step((time += 1000 / 120));
    steering.release();
    seen.push(walk.told());
  }
  walk.rest();
  return [place, heading, seen];
"""


@pytest.mark.parametrize("name", ["insect", "dog"])
def test_keys_give_the_walk_that_python_has_for_the_same_orders(animal, name):
    spot, heading, seen = animal(f"animal={name}&ground=0.15&seed=4", WALKED, PLAN)
    terrain = creature.make_terrain(0.15, name, seed=5)
    python = creature.Walker(name, terrain, position=spot, heading=heading)
    easy, fast = python.animal.walking_speed, python.animal.top_speed
    nimble, ticks = 1.1 * easy / python.length, 0
    orders = {"w": ((0, min(2 * easy, fast)), 0), "a": ((0, 0), nimble), "d": ((0, 0), -nimble)}
    orders |= {"q": ((0.8 * easy, 0), 0), "e": ((-0.8 * easy, 0), 0), "s": ((0, -0.6 * easy), 0)}
    orders[None] = (0, 0), 0
    for (count, key, shove), told in zip(PLAN, seen, strict=True):
        if shove:
            python.shove(shove)
        for _ in range(count):
            python.step(1 / 120, *orders[key])
        ticks += count
        step = steps.check(told)
        assert step.seconds == pytest.approx(ticks / 120)
        # The page's clock counts milliseconds, whose rounding reaches the last digits.
        for field, value in python.state._asdict().items():
            found = np.asarray(getattr(step.state, field))
            if field.endswith("rotations"):  # quaternions, which may have either sign
                found = found * np.sign(np.sum(found * value, axis=-1, keepdims=True))
            np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-9, err_msg=field)


def test_a_walk_does_not_depend_on_the_frame_rate(logic):
    feet = logic(
        "",
        {
            "scenes/creature/animal": "anatomyOf",
            "scenes/creature/ground": "makeTerrain",
            "scenes/creature/walker": "Walker",
        },
        """given.map((rate) => {
             const anatomy = anatomyOf(ANIMALS.dog, 0, 1);
             const walker = new Walker(anatomy, makeTerrain(0.15, anatomy.reach, 5), [0, 0], 1);
             for (let i = 0; i < 2 * rate; i++)
               walker.step(1 / rate, { velocity: [0, 1.2], turn: 0.3 });
             return walker.pose.feet;
           })""",
        [24, 60, 120, 144, 240],
    )
    for each in feet:
        np.testing.assert_allclose(each, feet[0], atol=1e-6)


LED = """
  const seen = [walk.at().place];
  steering.lead([seen[0][0] + given[0], 0, seen[0][2] + given[1]]);
  walkFor(given[2], () => seen.push(walk.at().place));
  return [seen, steering.goal(), walk.isStill()];
"""


def test_a_centipede_that_is_led_aside_goes_there_by_its_front(animal):
    """Its trunk follows later: 25 s, and 42 s if it were led by its mean heading."""
    _, goal, _ = animal("ground=flat&animal=centipede", LED, [8.4, 0.0, 29])
    assert goal is None


@pytest.mark.parametrize(("name", "way"), [("insect", (1.0, 1.0)), ("crab", (0.3, 1.2))])
def test_a_goal_is_walked_to_and_given_up_there(animal, name, way):
    seen, goal, is_still = animal(f"animal={name}&ground=flat&liveliness=0", LED, [*way, 20])
    seen = np.array(seen)[:, [0, 2]]
    length = creature.animal(name).length
    assert goal is None
    assert is_still
    assert np.linalg.norm(seen[-1] - seen[0] - way) < 0.15 * length
    far = np.linalg.norm(seen - seen[0] - way, axis=1)
    assert np.max(np.diff(far)) < 0.05 * length  # without a detour


def test_it_wanders_and_stops_when_it_is_told_so(logic):
    wandered, rested = logic(
        "scene=creature&ground=flat&liveliness=0",
        {**WALK, "stage/motion": "motion"},
        f"""(() => {{ {FRAMES}
          const seen = [];
          motion.set(true);
          walkFor(4, () => seen.push(walk.at().place));
          motion.set(false);
          const brakes = !walk.isStill();
          walkFor(6);
          const rests = walk.at().place;
          walkFor(1);
          return [seen, [rests, walk.at().place, walk.isStill(), brakes]];
        }})()""",
    )
    assert np.linalg.norm(np.subtract(wandered[-1], wandered[0])) > 0.5
    assert rested[0] == rested[1]
    assert rested[2:] == [True, True]


# --- what is drawn ------------------------------------------------------------------------


def test_its_body_and_feet_are_drawn_where_they_are(animal, table):
    told = table["insect"]
    parts, at = animal(
        "",
        """steering.press("w"), steering.press("a"), walkFor(0.6), steering.release();
           return [creature.parts(), walk.at()];""",
    )
    assert all(abs(at[name][0][3]) < 1 - 1e-7 for name in LINKS)  # they have turned
    round_parts = [part for part in told["parts"] if "half" in part]
    bones = [part for part in told["parts"] if "start" in part]
    assert len(parts["boxes"]) == len(round_parts)
    assert len(parts["solids"]) == len(bones) + 6 * 4  # three bones and a ball for each leg
    along, middle = told["anatomy"]["along"], 0
    stations, turns = np.array(at["stations"]), np.array(at["rotations"])
    head = next(np.array(each["pivot"]) for each in told["links"] if each["node"] == "head")
    in_front = stations[-1] + rotate(turns[-1], head - [0, 0, along[-1]])
    for box, part in zip(parts["boxes"], round_parts, strict=True):
        centre = np.array(part["centre"])
        if part["node"] == "head":
            turn = multiply(turns[-1], np.array(at["neck"][0]))
            np.testing.assert_allclose(box["axes"], rotate(turn, np.array(part["axes"])), atol=1e-9)
            np.testing.assert_allclose(
                box["centre"], in_front + rotate(turn, centre - head), atol=1e-9
            )
        elif part["node"] == "body" and centre[2] == along[1]:  # it sits on the middle station
            middle += 1
            np.testing.assert_allclose(box["centre"], stations[1] + rotate(turns[1], centre))
    assert middle


def test_the_trunk_is_continuous_and_its_tail_a_chain(logic):
    """The spot of a part changes little with its place, also from station to station."""
    along, pivot, tip = [-1.0, 0.0, 0.7], [0.0, 0.1, -1.2], [0.0, 0.3, -2.0]
    draw = np.random.default_rng(1)
    turns = draw.normal(size=(6, 4)) * 0.2 + [0, 0, 0, 1]
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    turns[1] *= -1  # the same rotation
    stance = {"stations": draw.normal(size=(3, 3)), "rotations": turns[:3], "tail": turns[3:]}
    places = np.linspace(-2.0, 2.0, 4001)
    spots, tail = logic(
        "",
        {"scenes/creature/body": "placed, tailAt, trunkAt"},
        """[
             given.places.map((z) => placed(trunkAt(given.along, given.stance, z), [0.1, 0.2, z])),
             tailAt(given.along, given.stance, given.pivot, given.tip),
           ]""",
        {"along": along, "stance": stance, "places": places, "pivot": pivot, "tip": tip},
    )
    speeds = np.linalg.norm(np.diff(spots, axis=0), axis=1) / np.diff(places)
    assert speeds.max() < 10.0
    at_ends = [np.argmin(abs(places - z)) for z in along]
    wanted = stance["stations"] + rotate(turns[:3], np.array([0.1, 0.2, 0.0]))
    np.testing.assert_allclose(np.array(spots)[at_ends], wanted, atol=0.01)
    links = (np.array(tip) - pivot) / 3
    for one, other in itertools.pairwise(tail):
        np.testing.assert_allclose(
            other["to"], np.array(one["to"]) + rotate(np.array(one["turn"]), links), atol=1e-12
        )


@pytest.mark.parametrize("name", ["bird", "dog"])
def test_toes_stay_as_they_landed_and_out_of_the_ground(animal, name):
    seen = animal(
        f"animal={name}&ground=flat",
        """const seen = [];
           steering.press("w");
           walkFor(3, () => {
             const { feet, down } = walk.at(), made = creature.parts();
             const parts = walk.animal().parts.filter((part) => part.node === "foot");
             const count = parts.filter((part) => part.start).length * feet.length;
             const toes = count ? made.solids.slice(-count).map((v) => [v.a, v.b])
               : made.boxes.slice(-feet.length).map((v) => [v.centre, v.axes[2]]);
             seen.push({ toes, feet, down });
           });
           steering.release();
           return seen;""",
    )
    down = np.array([one["down"] for one in seen])
    still = down[1:] & down[:-1]
    toes = np.array([one["toes"] for one in seen]).reshape(len(seen), -1, down.shape[1], 2, 3)
    moves = np.max(np.abs(np.diff(toes, axis=0)), axis=(1, 3, 4))
    assert np.max(moves[still]) < 1e-9
    assert np.sum(still) > 20
    assert np.min(toes[..., 0, 1]) > -0.01


def test_the_bones_of_a_leg_have_no_common_surface(animal, table):
    """Where they have one, the picture flickers between their colours."""
    balls = {}
    for solid in animal("animal=dog&ground=flat&bones=1", "return creature.parts().solids;"):
        for end, radius in (("a", "ra"), ("b", "rb")):
            key = (*np.round(solid[end], 9), round(solid[radius], 9))
            balls.setdefault(key, set()).add(solid["colour"])
    assert sum("r1" in colours for colours in balls.values()) == 8
    below = table["dog"]["colours"]["metatarsi"][0]
    for one, other in itertools.combinations(["r1", "r2", below], 2):
        assert not any({one, other} <= colours for colours in balls.values())


def test_an_animal_has_its_own_colours_and_legs_those_of_bones_if_they_are_shown(animal, table):
    told = table["crab"]["colours"]
    code = "return [...creature.parts().solids, ...creature.parts().boxes];"
    own, bones = (
        {part["colour"] for part in animal(f"animal=crab&bones={shown}", code)} for shown in (0, 1)
    )
    paints = {"body", "light", "accent", "dark", "thighs", "shins", "metatarsi", "feet"}
    assert own == {told[paint][0] for paint in paints}
    assert bones == {"r1", "r2"} | {told[paint][0] for paint in paints - {"thighs", "shins"}}


def test_there_are_soft_shadows_below_feet_and_body(animal):
    """That of a foot that swings is fainter; those of feet come first."""
    spots, at, length = animal(
        "animal=dog&ground=flat",
        """steering.press("w"), walkFor(1), steering.release();
           return [creature.parts().spots, walk.at(), walk.animal().length];""",
    )
    feet, body = spots[:4], spots[4:]
    assert [spot["at"] for spot in feet] == at["feet"]
    for spot, down, place in zip(feet, at["down"], at["feet"], strict=True):
        assert spot["dark"] == 0.5 if down else spot["dark"] < 0.5 or place[1] < 0.01
    assert body
    for spot in body:
        assert 0.0 < spot["dark"] < 0.5
        assert 0.1 * length < spot["r"] < length


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("name", creature.ANIMALS)
def test_an_animal_takes_most_of_the_picture_from_all_sides(animal, name, size):
    shares = animal(
        f"ground=flat&animal={name}",
        """view(...given);
           walkFor(1);
           const { box } = walk.animal(), { place, turned } = walk.at(), [a, b, c] = box.half;
           const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
             box.centre.map((v, k) => v + [a, b, c][k] * ((i >> k) & 1 ? 1 : -1)));
           const spot = { from: [0, 0, 0], to: place, turn: turned };
           return Array.from({ length: 24 }, (_, i) => {
             state.set({ yaw: 15 * i, pitch: 18 }, "view");
             const cam = creature.camera();
             const seen = corners.map((v) => camera.project(cam, placed(spot, v)));
             return [0, 1].map((k) => {
               const values = seen.map((v) => v[k] / given[k]);
               return [Math.min(...values), Math.max(...values)];
             });
           });""",
        size,
    )
    shares = np.array(shares)
    assert np.all((shares > -0.02) & (shares < 1.02))
    sizes = np.max(shares[..., 1] - shares[..., 0], axis=1)
    assert 0.5 < np.mean(sizes) < 0.8


def test_without_a_graphics_card_it_is_drawn_with_lines(animal, table):
    shapes = animal("triangles=1&bones=1", "return creature.shapes(false);")
    colours = [shape.get("fill") or shape.get("stroke") for shape in shapes]
    assert min(colours.count("r1"), colours.count("r2")) >= 6  # each in some pieces
    assert {table["insect"]["colours"]["body"][0], "shade", "line"} < {*colours}
    assert colours.count("across") == 12
    numbers = [v for shape in shapes for point in shape.get("line", []) for v in point]
    assert np.all(np.isfinite(numbers))
    plain = animal("", "return creature.shapes(false);")
    assert "across" not in [shape.get("fill") or shape.get("stroke") for shape in plain]


def test_the_shadow_begins_at_the_feet(animal):
    for ground in ("flat", "0.2"):
        distances = animal(
            f"ground={ground}",
            """const [shadow] = creature.shapes(false).filter((v) => v.fill === "shade");
               const cam = creature.camera(), { feet, down } = walk.at();
               return feet.filter((_, i) => down[i]).map((foot) => {
                 const [x, y] = camera.project(cam, foot);
                 return Math.min(...shadow.areas.flat().map(([u, v]) => Math.hypot(u - x, v - y)));
               });""",
        )
        assert len(distances) >= 3
        assert max(distances) < 8


def test_the_camera_stays_above_the_ground(animal):
    """Nor does that change what the address says."""
    seen = animal(
        "zoom=2&pitch=5&ground=0.25",
        """return Array.from({ length: 24 }, (_, i) => {
             state.set({ yaw: 15 * i }, "view");
             const { eye } = creature.camera();
             return [eye[1], walk.ground().height(eye[0], eye[2]), state.now.zoom];
           });""",
    )
    assert all(eye > ground for eye, ground, _ in seen)
    assert {zoom for *_, zoom in seen} == {2}


@pytest.mark.parametrize(("name", "size"), [("dog", (1280, 800)), ("spider", (390, 844))])
def test_feet_stay_in_the_picture_on_rough_ground(animal, name, size):
    spans = animal(
        f"ground=0.15&animal={name}",
        """view(...given);
           const seen = [];
           steering.press("w");
           walkFor(6, () => {
             const { hips, knees, feet } = walk.at(), cam = creature.camera();
             const all = [...hips, ...knees, ...feet].map((v) => camera.project(cam, v));
             seen.push(...all.map(([x, y]) => [x / given[0], y / given[1]]));
           });
           steering.release();
           return seen;""",
        size,
    )
    assert np.min(spans, axis=0)[1] > 0.04
    assert np.max(spans, axis=0)[1] < 0.96
    assert np.min(spans, axis=0)[0] > 0
    assert np.max(spans, axis=0)[0] < 1


def test_at_rest_it_stands_still(animal):
    heights, is_still, places = animal(
        "ground=0.15&liveliness=0",
        """const places = [], seen = [];
           steering.press("w"), walkFor(1), steering.release();
           walkFor(6, () => seen.push(walk.isStill()));
           walkFor(1, () => places.push(walk.at().feet, walk.at().stations));
           return [seen, walk.isStill(), places.map((v) => JSON.stringify(v))];""",
    )
    assert heights[0] is False
    assert is_still
    assert len(set(places)) == 2


def test_as_long_as_it_is_shown_it_breathes(animal):
    """It is at rest then: few frames are drawn. Small steps are more than that."""
    heights, rests, calm = animal(
        "ground=flat&animal=dog",
        """const heights = [], rests = [], calm = [];
           steering.press("w"), walkFor(1), steering.release();
           walkFor(4);
           walkFor(20, () => {
             heights.push(walk.at().place[1]);
             rests.push(walk.isStill() && walk.breathes());
             calm.push(creature.isCalm());
           });
           return [heights, rests, calm];""",
    )
    assert np.mean(rests) > 0.6
    assert np.mean(np.logical_and(rests, calm)) > 0.6
    heights = np.reshape(heights, (4, -1))  # in each five seconds there is a breath
    assert np.all(np.ptp(heights, axis=1) > 0.004)


# --- a leg that is looked at --------------------------------------------------------------


def test_a_leg_that_is_looked_at_has_its_circles_and_its_formula(animal):
    s, found, at, shapes, solids, names = animal(
        "ground=flat&animal=spider&leg=3",
        """const { s, found } = leg.solved();
           return [s, found, walk.at(), leg.shapes(creature.camera()), creature.parts().solids,
             leg.names(walk.animal())];""",
    )
    np.testing.assert_allclose(np.add(s["root"], found["joint"]), at["knees"][2], atol=1e-12)
    bones = creature.animal("spider").anatomy.legs[2]
    assert (s["r1"], s["r2"]) == (bones.upper, bones.lower)
    assert s["target"] == at["ankles"][2]
    rings = [v["stroke"] for v in shapes if v.get("close")]
    assert rings == ["r1", "r2", "across"]
    assert all(name.startswith(("Left leg ", "Right leg ")) for name in names)
    assert {"x", "p"} <= {v.get("text") for v in shapes}
    # Only this leg keeps its colours.
    colours = [v["colour"] for v in solids]
    assert colours.count("r1") == colours.count("r2") == 1


def test_a_click_near_a_leg_is_on_it(animal):
    hits = animal(
        "ground=flat&animal=spider",
        """const cam = creature.camera(), { knees, ankles } = walk.at();
           const spots = ankles.map((ankle, i) => {
             const [[x, y], [u, v]] = [knees[i], ankle].map((p) => camera.project(cam, p));
             return [0.3 * x + 0.7 * u, 0.3 * y + 0.7 * v];
           });
           const away = leg.under(cam, [frame.width - 5, 5], "touch");
           return [spots.map((spot) => leg.under(cam, spot, "mouse")), away];
        """,
    )
    spots, away = hits
    assert sum(i == hit for i, hit in enumerate(spots)) >= 5  # some may lie before others
    assert away == -1


def test_the_segment_below_an_ankle_is_drawn_and_can_be_clicked(animal, table):
    seen = animal(
        "ground=flat&animal=dog&leg=1&yaw=90&zoom=1.6",
        """const cam = creature.camera(), { ankles, feet } = walk.at();
           const to = (v) => camera.project(cam, v).slice(0, 2);
           const [a, b] = [to(ankles[0]), to(feet[0])];
           const hit = leg.under(cam, a.map((v, i) => (v + b[i]) / 2), "mouse");
           const lines = leg.shapes(cam).filter((v) => v.line?.length === 2).map((v) => v.line);
           return { ankles, feet, hit, below: lines.some((line) => `${line}` === `${[a, b]}`),
             solids: creature.parts().solids };""",
    )
    colour = table["dog"]["colours"]["metatarsi"][0]
    for ankle, foot in zip(seen["ankles"], seen["feet"], strict=True):
        [shin] = [v for v in seen["solids"] if v["b"] == ankle != v["a"]]
        heel = np.subtract(ankle, foot)
        assert shin["rb"] > 0
        near = [v for v in seen["solids"] if np.linalg.norm(np.subtract(v["a"], ankle)) < 0.1]
        below = [v for v in near if np.linalg.norm(np.subtract(v["b"], foot)) < 0.05]
        [direction] = [np.subtract(v["a"], v["b"]) for v in below if v["colour"] == colour]
        sine = np.linalg.norm(np.cross(heel, direction)) / np.linalg.norm(direction)
        assert sine < 1e-9
    assert seen["below"]
    assert seen["hit"] == 0
