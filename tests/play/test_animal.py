"""The animal of the page in node: where its parts are drawn, its camera, a leg to look at."""

import numpy as np
import pytest

from measured import measured
from twobone import creature
from twobone.pictures import figure, hocks
from twobone.play import steps
from twobone.play.animals_table import animals_table
from twobone.rotations import rotate

CREATURE = ("walk", "creature", "leg", "land", "steering")
WALK = {
    **{f"scenes/creature/{name}": name for name in CREATURE},
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
        f"ground={ground}&animal=dog&seed=3",
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
    assert np.quantile(inner, 0.1) > 1 - 1e-5


def test_the_margin_on_the_page_is_that_of_the_measures(animal):
    at, margin, hull = animal(
        "",
        """walk.push([1.7, 2.6]);
           while (!walk.at().down.includes(false)) walk.step((time += 50));
           return [walk.at(), walk.support().margin, walk.support().hull];""",
    )
    one = [np.array([at[name]]) for name in ("place", "turned", "hips", "knees", "feet", "down")]
    bones, ground = creature.animal("insect").legs.bones, one[4][..., 1]
    recording = creature.Recording(np.zeros(1), *one, bones, ground, 1 / 60)
    assert margin == pytest.approx(measured("static_margin", recording)[0], abs=1e-12)
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
    speed, ticks = python.animal.speed, 0
    nimble = 1.1 * speed / python.length
    orders = {"w": ((0, speed), 0), "a": ((0, 0), nimble), "d": ((0, 0), -nimble), None: (0, 0)}
    orders |= {"q": ((0.8 * speed, 0), 0), "e": ((-0.8 * speed, 0), 0), "s": ((0, -0.6 * speed), 0)}
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


LED = """
  const seen = [walk.at().place];
  steering.lead([seen[0][0] + given[0], 0, seen[0][2] + given[1]]);
  walkFor(given[2], () => seen.push(walk.at().place));
  return [seen, steering.goal(), walk.isStill()];
"""


@pytest.mark.parametrize(("name", "way"), [("insect", (1.0, 1.0)), ("crab", (0.3, 1.2))])
def test_a_goal_is_walked_to_and_given_up_there(animal, name, way):
    seen, goal, is_still = animal(f"animal={name}&ground=flat&liveliness=0", LED, [*way, 20])
    seen = np.array(seen)[:, [0, 2]]
    length = np.max(creature.animal(name).legs.bones.sum(1))
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
          walkFor(3);
          const rests = walk.at().place;
          walkFor(1);
          return [seen, [rests, walk.at().place, walk.isStill(), brakes]];
        }})()""",
    )
    assert np.linalg.norm(np.subtract(wandered[-1], wandered[0])) > 0.5
    assert rested[0] == rested[1]
    assert rested[2:] == [True, True]


# --- what is drawn ------------------------------------------------------------------------


def test_its_body_and_feet_are_drawn_where_they_are(animal):
    told = animals_table()["insect"]
    drawn = animal("", "walk.push([0.5, 2]), walkFor(0.4); return [creature.parts(), walk.at()];")
    parts, at = drawn
    assert all(abs(at[name][3]) < 0.9999 for name in ("head", "tail"))  # they have turned
    round_parts = [part for part in told["parts"] if "half" in part]
    bones = [part for part in told["parts"] if "start" in part]
    assert len(parts["boxes"]) == len(round_parts)
    assert len(parts["solids"]) == len(bones) + 6 * 5  # two bones and three balls for each leg
    turn, place = np.array(at["turned"]), np.array(at["place"])
    own = {"body": ([0.0] * 3, [0.0, 0.0, 0.0, 1.0])}  # pivots and rotations
    own |= {name: (told["pivots"][name], at[name]) for name in ("head", "tail")}

    def in_world(node, point):
        pivot, rotation = map(np.array, own[node])
        return place + rotate(turn, pivot + rotate(rotation, np.array(point) - pivot))

    for box, part in zip(parts["boxes"], round_parts, strict=True):
        wanted = in_world(part["node"], part["centre"])
        np.testing.assert_allclose(box["centre"], wanted, atol=1e-9)
        axes = rotate(turn, rotate(np.array(own[part["node"]][1]), np.array(part["axes"])))
        np.testing.assert_allclose(box["axes"], axes, atol=1e-9)
    for solid, part in zip(parts["solids"][-len(bones) :], bones, strict=True):
        for end, name in (("a", "start"), ("b", "end")):
            np.testing.assert_allclose(solid[end], in_world(part["node"], part[name]), atol=1e-9)


def test_toes_stay_as_they_landed(animal):
    seen = animal(
        "animal=bird&ground=flat",
        """const seen = [];
           steering.press("w");
           walkFor(2, () => {
             const toes = creature.parts().solids.slice(-8), { feet, down } = walk.at();
             seen.push({ toes: toes.map((v) => [v.a, v.b]), feet, down });
           });
           steering.release();
           return seen;""",
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


def test_the_bones_of_a_leg_have_no_common_surface(animal):
    """Where they have one, the picture flickers between their colours."""
    balls = {}
    for solid in animal("animal=dog&ground=flat", "return creature.parts().solids;"):
        for end, radius in (("a", "ra"), ("b", "rb")):
            key = (*np.round(solid[end], 9), round(solid[radius], 9))
            balls.setdefault(key, set()).add(solid["colour"])
    assert sum("r1" in colours for colours in balls.values()) == 8
    assert not any({"r1", "r2"} <= colours for colours in balls.values())


def test_without_a_graphics_card_it_is_drawn_with_lines(animal):
    shapes = animal("triangles=1", "return creature.shapes(false);")
    colours = [shape.get("fill") or shape.get("stroke") for shape in shapes]
    assert min(colours.count("r1"), colours.count("r2")) >= 6  # each in some pieces
    assert {"body", "shade", "line"} < {*colours}
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


def test_it_breathes_at_rest_unless_it_is_not_lively(animal):
    heights = """const heights = [];
      walkFor(1), walkFor(2, () => heights.push(walk.at().place[1]));
      return [heights, walk.isAsleep()];"""
    breathing, is_asleep = animal("ground=flat", heights)
    assert 1e-4 < np.ptp(breathing) < 0.05
    assert not is_asleep
    still, is_asleep = animal("ground=flat&liveliness=0", heights)
    assert np.ptp(still) == 0
    assert is_asleep


# --- a leg that is looked at --------------------------------------------------------------


def test_a_leg_that_is_looked_at_has_its_circles_and_its_formula(animal):
    s, found, at, shapes, solids, names = animal(
        "ground=flat&animal=spider&leg=3",
        """const { s, found } = leg.solved();
           return [s, found, walk.at(), leg.shapes(creature.camera()), creature.parts().solids,
             leg.names(walk.animal())];""",
    )
    np.testing.assert_allclose(np.add(s["root"], found["joint"]), at["knees"][2], atol=1e-12)
    np.testing.assert_array_equal([s["r1"], s["r2"]], creature.animal("spider").legs.bones[2])
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
        """const cam = creature.camera(), { hips, knees, feet } = walk.at();
           const spots = feet.map((foot, i) => {
             const [[x, y], [u, v]] = [knees[i], foot].map((p) => camera.project(cam, p));
             return [0.3 * x + 0.7 * u, 0.3 * y + 0.7 * v];
           });
           const away = leg.under(cam, [frame.width - 5, 5], "touch");
           return [spots.map((spot) => leg.under(cam, spot, "mouse")), away];
        """,
    )
    spots, away = hits
    assert sum(i == hit for i, hit in enumerate(spots)) >= 6  # some may lie before others
    assert away == -1


def test_a_hock_is_drawn_where_python_draws_it_and_the_solved_bone_beside_it(animal):
    seen = animal(
        "ground=flat&animal=dog&leg=1&yaw=90&zoom=1.6",
        """const cam = creature.camera(), { hips, knees, feet } = walk.at();
           const found = hips.map((_, i) => leg.hockOf(i));
           const to = (v) => camera.project(cam, v).slice(0, 2);
           const flat = [knees[0], found[0], feet[0]].map(to);
           // Beside the hock, on the side away from the straight bone.
           const out = flat[1].map((v, i) => v - 0.45 * flat[0][i] - 0.55 * flat[2][i]);
           const spot = flat[1].map((v, i) => v + (10 * out[i]) / Math.hypot(...out));
           const lines = leg.shapes(cam).filter((v) => v.stroke === "r2");
           const solids = creature.parts().solids.filter((v) => v.ra);
           const hit = leg.under(cam, spot, "mouse");
           return { hips, knees, feet, hocks: found, flat, hit, lines, solids };""",
    )
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
