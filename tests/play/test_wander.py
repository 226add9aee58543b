"""A minute of each scene: no labels overlap, and no limb is hidden below what covers the picture.

The clock is the test's, so that a minute takes a second or two.
"""

import pytest

from slow import slow

SIZES = {"desk": (1280, 800), "tablet": (768, 1024), "phone": (390, 844)}
QUIET = {"reduced_motion": "reduce"}
# Count what is wrong: `look(shapes, points)` gets the shapes of a picture, and its points by name.
LOOK = """
  const OVER = ["bar", "tools", "leg", "intro-line", "intro-why", "transport", "character-open",
    "character-hint", "support-hint"];
  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const wrong = {}, note = (what) => (wrong[what] = (wrong[what] ?? 0) + 1);
  let labels = 0, pictures = 0;
  const look = (shapes, points) => {
    const covers = OVER.filter((id) => document.getElementById(id).checkVisibility()).map((id) => {
      const { left, top, right, bottom } = sight.box(id);
      return [id, [left, top, right, bottom]];
    });
    const boxes = shapes.filter((v) => v.text !== undefined).map(({ text, at: [x, y], size, italic }) => {
      const wide = draw.widthOf(text, size, italic) / 2;
      return [text, [x - wide, y - 0.4 * size, x + wide, y + 0.4 * size]];
    });
    boxes.forEach(([text, box], i) => {
      for (const [other, there] of boxes.slice(i + 1)) if (meet(box, there)) note(`${text}, ${other}`);
      for (const [id, there] of covers) if (meet(box, there)) note(`${text} below ${id}`);
    });
    const { width, height } = main.size();
    for (const [name, [x, y]] of Object.entries(points)) {
      if (!(x >= 0 && y >= 0 && x <= width && y <= height)) note(`${name} outside`);
      for (const [id, there] of covers) if (meet([x, y, x, y], there)) note(`${name} below ${id}`);
    }
    labels += boxes.length;
    pictures++;
  };
"""  # noqa: E501
FOUND = "return { wrong, labels: labels / pictures, pictures };"

WALK = f"""(seconds) => {{ {LOOK}
  let time = performance.now() + 1e6;
  walk.rest();
  for (let i = 0; i < 20 * seconds; i++) {{
    walk.step((time += 50));
    creature.follow(time);
    if (i % 5) continue;
    const {{ hips, knees, feet }} = walk.at(), cam = creature.camera(), k = leg.index();
    const [hip, knee, foot] = [hips, knees, feet].map((v) => space.project(cam, v[k]));
    look(creature.shapes(true), {{ hip, knee, foot }});
  }}
  walk.rest();
  {FOUND}
}}"""
CLIPS = f"""() => {{ {LOOK}
  const {{ clips, skeleton, up }} = character.it().source;
  clips.forEach(({{ count }}, clip) => {{
    character.chooseClip(clip);
    for (let frame = 0; frame < count; frame += 6) {{
      character.seek(frame);
      main.drawNow();
      for (const {{ limb, root, joint, end }} of character.limbs()) {{
        character.choose(limb);
        const [a, b, c] = [root, joint, end].map((v) => character.view.toPixels(v, up));
        look(character.shapes(true), {{ root: a, joint: b, end: c }});
      }}
    }}
  }});
  {FOUND}
}}"""
LIMB = f"""() => {{ {LOOK}
  main.wander(true);
  main.drawNow();
  const {{ scene, r1, r2, root }} = state.now, draws = scene === "space" ? space : plane;
  for (let t = 0; t < 60; t += 0.2) {{
    const way = [0.82 * Math.sin(0.9 * t + 0.9), 0.66 * Math.sin(1.31 * t + 0.6),
      scene === "space" ? 0.6 * Math.sin(0.71 * t + 0.4) : 0];
    const s = {{ ...state.now, target: way.map((v, i) => root[i] + v * (r1 + r2)) }};
    const found = limb.solve(s), joint = limb.vectors.plus(s.root, found.joint);
    const [a, b, c] = [s.root, joint, s.target].map(sight.toPixels);
    look(draws.shapes(s, found, true), {{ root: a, joint: b, target: c }});
  }}
  main.wander(false);
  {FOUND}
}}"""
MOVES = "() => !lesson.isMoving() && document.querySelector('.step.now') !== null"


def assert_clear(found, labels, pictures):
    assert found["wrong"] == {}
    assert found["labels"] > labels
    assert found["pictures"] >= pictures


@pytest.mark.parametrize(
    ("animal", "number", "size", "seconds"),
    [
        ("spider", 8, "desk", 20),
        *slow(
            ("insect", 6, "desk", 60),
            ("dog", 4, "tablet", 60),
            ("spider", 8, "tablet", 60),
            ("bird", 2, "phone", 60),
            ("crab", 8, "tablet", 60),
            ("centipede", 20, "phone", 60),
        ),
    ],
)
def test_the_leg_of_an_animal_is_beside_its_card(visit, animal, number, size, seconds):
    address = f"scene=creature&ground=0.15&animal={animal}&leg={number}"
    page = visit(address, *SIZES[size], panel=False, **QUIET)
    page.wait_for_function("() => walk.at() !== null && leg.index() >= 0")
    page.evaluate("main.wander(true)")
    assert_clear(page.evaluate(WALK, seconds), 2, 4 * seconds)


# All legs beside the words of the first screen.
LEGS = f"""(seconds) => {{ {LOOK}
  let time = performance.now() + 1e6;
  main.wander(true); // here, so that each run has the same walk
  walk.rest();
  for (let i = 0; i < 20 * seconds; i++) {{
    walk.step((time += 50));
    creature.follow(time);
    if (i % 5) continue;
    const cam = creature.camera(), points = {{}};
    for (const [name, list] of Object.entries({{ hip: walk.at().hips, knee: walk.at().knees, foot: walk.at().feet }}))
      list.forEach((v, k) => (points[`${{name}} ${{k}}`] = space.project(cam, v)));
    look([], points);
  }}
  walk.rest();
  {FOUND}
}}"""  # noqa: E501


@pytest.mark.parametrize(
    ("animal", "width", "height"),
    [
        ("spider", 960, 800),
        ("spider", 667, 375),
        *slow(
            ("spider", 740, 360),
            ("spider", 844, 390),
            ("spider", 1280, 800),
            ("insect", 960, 1000),
            ("spider", 390, 844),
        ),
    ],
)
def test_no_leg_of_an_animal_is_below_the_words_of_the_first_screen(visit, animal, width, height):
    address = f"scene=creature&ground=0.15&animal={animal}&language=de"
    page = visit(address, width, height, panel=False, **QUIET)
    page.wait_for_function("() => walk.at() !== null")
    assert_clear(page.evaluate(LEGS, 60), -1, 240)


@pytest.mark.parametrize(
    ("size", "panel"), [("phone", True), *slow(("desk", False), ("tablet", True))]
)
def test_limbs_of_the_figure_are_seen_in_all_of_its_clips(visit, size, panel):
    page = visit("scene=character", *SIZES[size], panel=panel, **QUIET)
    assert_clear(page.evaluate(CLIPS), 0.9, 200)


@pytest.mark.parametrize("size", ["desk", *slow("phone")])
@pytest.mark.parametrize(
    ("name", "step"),
    [
        *(("plane", 6), ("break", 6)),
        *slow(
            *(("plane", step) for step in (1, 2, 3, 4, 5, 7)),
            *(("space", step) for step in (1, 3, 5)),
            *(("break", step) for step in (1, 3, 7)),
        ),
    ],
)
def test_a_target_that_wanders_through_a_lesson_stays_in_sight(visit, name, step, size):
    scene = "space" if name == "space" else "plane"
    page = visit(f"lesson={name}&scene={scene}&step={step}", *SIZES[size], **QUIET)
    page.wait_for_function(MOVES)
    assert_clear(page.evaluate(LIMB), 1.5, 300)
