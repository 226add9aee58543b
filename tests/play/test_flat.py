"""Scenes drawn flat, without WebGL, show what WebGL shows: the same parts in the same places."""

import numpy as np
import pytest

# For each colour of the palette: pixels that have its hue in both pictures, and in any of them.
# Shading changes the brightness of a hue, the clear ground of the flat picture has none.
AGREE = """() => {
  const HUES = { r1: 201, r2: 36, joint: 18 };
  const hueOf = (r, g, b) => {
    const high = Math.max(r, g, b), low = Math.min(r, g, b), wide = high - low;
    if (wide < 0.45 * high || wide < 40) return null;
    const hue = high === r ? (g - b) / wide : high === g ? 2 + (b - r) / wide : 4 + (r - g) / wide;
    return (60 * hue + 360) % 360;
  };
  const picture = (isClear) => {
    const canvas = main.toCanvas({ isSlide: false, theme: "", isClear });
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const made = [];
    for (let i = 0; i < data.length; i += 4) {
      const hue = data[i + 3] < 128 ? null : hueOf(...data.slice(i, i + 3));
      const near = Object.keys(HUES).find((name) => hue !== null && Math.abs(HUES[name] - hue) < 8);
      made.push(near ?? "");
    }
    return made;
  };
  const [solid, flat] = [picture(false), picture(true)];
  return Object.fromEntries(Object.keys(HUES).map((name) => {
    const both = solid.filter((v, i) => v === name && flat[i] === name).length;
    return [name, [both, solid.filter((v, i) => v === name || flat[i] === name).length]];
  }));
}"""


def agreement(page):
    """Return the shares of pixels of a colour that both pictures have, by the colour."""
    counts = page.evaluate(AGREE)
    return {name: both / of for name, (both, of) in counts.items() if of > 50}


ANIMALS = ("insect", "spider", "dog", "bird", "crab", "centipede")


# Before parts were drawn from back to front in short pieces, with their real outlines, these shares
# were as low as 0.57, 0.65 and 0.30; now the lowest are 0.73, 0.85 and 0.61.
@pytest.mark.parametrize("yaw", [35, 160])
@pytest.mark.parametrize("address", ["character", *(f"creature&animal={name}" for name in ANIMALS)])
def test_flat_shapes_are_where_the_solids_are(visit, address, yaw):
    address = f"scene={address}&ground=flat&liveliness=0&yaw={yaw}"
    page = visit(address, 900, 600, reduced_motion="reduce", webgl=True, panel=False)
    page.wait_for_function("() => main.isLit() && !solid.hidden")
    found = agreement(page)
    assert found["r1"] > 0.7
    assert found["r2"] > 0.8
    assert found["joint"] > 0.55


def test_a_ball_is_in_front_of_the_bone_that_begins_in_it(visit):
    page = visit("scene=space&r1=0.8")
    colour, wanted = page.evaluate(
        """() => {
          const canvas = main.toCanvas({ isSlide: false, theme: "", isClear: true });
          const to = (v) => space.project(space.camera(state.now), v);
          const [x, y] = to(state.now.root), [u, v] = to(main.found().joint), far = Math.hypot(u - x, v - y);
          const place = [x - (5 * (u - x)) / far, y - (5 * (v - y)) / far].map(Math.round);
          const ink = draw.colour("ink");
          return [[...canvas.getContext("2d").getImageData(...place, 1, 1).data].slice(0, 3),
            [1, 3, 5].map((i) => parseInt(ink.slice(i, i + 2), 16))];
        }"""  # noqa: E501
    )
    np.testing.assert_allclose(colour, wanted, atol=2)


# The distance in pixels from each foot on the ground to the shadow.
GROUNDED = """() => {
  const [shadow] = main.shapes(false).filter((v) => v.fill === "shade");
  const cam = creature.camera();
  return walk.at().feet.filter((_, i) => walk.at().down[i]).map((foot) => {
    const [x, y] = space.project(cam, foot);
    return Math.min(...shadow.areas.flat().map(([u, v]) => Math.hypot(u - x, v - y)));
  });
}"""


@pytest.mark.parametrize("ground", ["flat", "0.2"])
def test_the_shadow_begins_at_the_feet(visit, ground):
    page = visit(f"scene=creature&liveliness=0&ground={ground}", reduced_motion="reduce")
    page.wait_for_function("() => walk.at() !== null")
    distances = page.evaluate(GROUNDED)
    assert len(distances) >= 3
    assert max(distances) < 8


def test_overlapping_areas_are_filled_as_one(visit):
    page = visit()
    square = [[[0, 0], [20, 0], [20, 20], [0, 20]], [[10, 10], [30, 10], [30, 30], [10, 30]]]
    shape = {"areas": square, "fill": "ink", "alpha": 0.5}
    drawn = page.evaluate(
        "(shape) => { const pen = document.createElement('canvas').getContext('2d');"
        " draw.paint(pen, [shape]); return [5, 15, 25].map((i) => pen.getImageData(i, i, 1, 1).data[3]); }",  # noqa: E501
        shape,
    )
    assert set(drawn) == {128}
    svg = page.evaluate("(shape) => draw.svg([shape], 40, 40, '')", shape)
    assert 'd="M0 0L20 0L20 20L0 20ZM10 10L30 10L30 30L10 30Z"' in svg
