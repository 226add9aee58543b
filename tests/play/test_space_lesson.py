"""The lesson in space, and the joint angles in the panel and in the copied code."""

import json
import math

import numpy as np
import pytest

from browsing import HAND, arrive, limb_of, section

SOLVED = "(n) => lesson.isSolved('space', n)"
POLE = "#handle-pole"
# What solves the task of each step with the keyboard alone.
KEYS = {
    1: [(HAND, ["Shift+ArrowRight"] * 5)],
    2: [(POLE, ["Shift+ArrowRight", *["Shift+ArrowDown"] * 3])],
    3: [(HAND, ["Shift+ArrowLeft"] * 6 + ["Shift+PageDown"] * 2)],
    4: [("[data-scrub=soft]", ["ArrowRight"] * 5), (HAND, ["Shift+ArrowRight"] * 3)],
    5: [
        ("[data-act=carry]", ["Enter"]),
        (HAND, ["Shift+ArrowLeft"] * 4 + ["Shift+PageUp"] * 2),
    ],
}


@pytest.mark.parametrize("step", KEYS)
def test_every_task_is_solved_with_keys(visit, step):
    page = visit(f"lesson=space&step={step}", reduced_motion="reduce")
    arrive(page, step)
    assert limb_of(page)["scene"] == "space"
    assert not page.evaluate(SOLVED, step)
    for focus, keys in KEYS[step]:
        within = page if focus.startswith("#") else section(page, step)
        within.locator(focus).focus()
        for key in keys:
            page.keyboard.press(key)
            page.evaluate("main.drawNow()")
    assert page.evaluate(SOLVED, step)


# The largest move of the elbow while the hand goes over the shoulder in 60 steps.
SWING = """(isCarried) => {
  state.set({ target: [0.6, 0.7, 0.02], pole: [0, 1, 0] }, "lesson");
  if (isCarried) lesson.acts.carry();
  let last = null, most = 0;
  for (let i = 0; i <= 60; i++) {
    state.set({ target: [0.6 - 0.02 * i, 0.7, 0.02] });
    const { joint } = limb.solve(state.now);
    if (last) most = Math.max(most, limb.vectors.size(limb.vectors.minus(joint, last)));
    last = joint;
  }
  return most;
}"""


def test_a_pole_that_is_carried_along_is_perpendicular_from_the_start(visit):
    page = visit("lesson=space&step=5", reduced_motion="reduce")
    arrive(page, 5)
    angle = section(page, 5).locator("[data-live=angle]")
    assert angle.inner_text() == "47\N{DEGREE SIGN}"
    words = page.locator("#ink").get_attribute("aria-label")
    section(page, 5).locator("[data-act=carry]").click()
    page.wait_for_function(
        "() => document.querySelector('.now [data-live=angle]').innerText === '90°'"
    )
    # The elbow stays where it is: only the part along the line has gone.
    assert page.locator("#ink").get_attribute("aria-label") == words


def test_a_plane_that_is_carried_along_does_not_flip(visit):
    page = visit("lesson=space&step=5", reduced_motion="reduce")
    arrive(page, 5)
    assert page.evaluate(SWING, False) > 0.3
    assert page.evaluate(SWING, True) < 0.05
    found = page.evaluate("[state.now.pole, main.found().p]")
    assert abs(np.dot(*found)) < 1e-6


def test_the_plot_shows_where_the_elbow_is(visit):
    page = visit("lesson=space&step=4", reduced_motion="reduce")
    arrive(page, 4)
    circle = section(page, 4).locator("svg circle[r='6']")
    before = [float(circle.get_attribute(name)) for name in ("cx", "cy")]
    assert before == pytest.approx([190, 150 - 1.5 * 36.8], abs=1)  # 95 % of the reach
    page.evaluate("state.set({ target: [3, 0, 0] })")
    page.evaluate("main.drawNow()")
    assert [float(circle.get_attribute(name)) for name in ("cx", "cy")] == [380, 150]


# --- joint angles -----------------------------------------------------------------------------


def told(page, name):
    degrees, radians = page.locator(f"#angle-{name} span:last-child").inner_text()[:-4].split("° ")
    return [float(part.replace("\N{MINUS SIGN}", "-")) for part in (degrees, radians)]


@pytest.mark.parametrize("scene", ["plane", "space"])
@pytest.mark.parametrize("side", [1, -1])
def test_joint_angles_place_the_bones(visit, scene, side):
    page = visit(f"scene={scene}&r1=0.9&side={side}&root=0.1,-0.2,0.3")
    found = page.evaluate("main.found()")
    angles = page.evaluate("angles.of(main.found())")
    for name, value in angles.items():
        assert told(page, name) == pytest.approx([np.degrees(value), value], abs=0.06)
    cosine = (0.9**2 + 0.6**2 - found["h"]) / (2 * 0.9 * 0.6)
    assert np.degrees(angles["joint"]) == pytest.approx(np.degrees(np.arccos(cosine)))
    if scene == "plane":
        first, both = angles["first"], angles["first"] + angles["second"]
        joint = 0.9 * np.array([np.cos(first), np.sin(first)])
        np.testing.assert_allclose(joint, found["joint"], atol=1e-14)
        end = joint + 0.6 * np.array([np.cos(both), np.sin(both)])
        np.testing.assert_allclose(end, found["end"], atol=1e-14)


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_the_copied_code_has_the_angles(visit, scene, capsys):
    page = visit(f"scene={scene}&r1=0.9&root=0.1,-0.2,0.3&side=-1")
    want = page.evaluate("angles.of(main.found())")
    space = {}
    exec(page.evaluate("keep.texts.python()"), space)
    wanted = [want["first"], want["second"]] if scene == "plane" else [want["second"]]
    np.testing.assert_allclose(space["angles"], wanted, atol=1e-14)
    assert "degrees" in capsys.readouterr().out
    told = json.loads(page.evaluate("keep.texts.json()"))["angles"]
    assert told["radians"] == pytest.approx(want)
    assert told["degrees"]["joint"] == pytest.approx(np.degrees(want["joint"]))
    assert "atan(" in page.evaluate("keep.texts.glsl()")


def test_without_a_joint_there_are_no_angles(visit):
    page = visit("target=3,0,0&policy=nan")
    assert page.locator("#angle-first span:last-child").inner_text() == "none"
    assert json.loads(page.evaluate("keep.texts.json()"))["angles"]["radians"]["first"] is None


def test_where_the_pole_fails_the_upper_arm_starts_beside_the_pole(visit):
    page = visit("lesson=space&step=3", reduced_motion="reduce")
    arrive(page, 3)
    places = "[state.now.root, limb.solve(state.now).joint, space.poleTip(state.now)]"
    root, joint, tip = page.evaluate(f"{places}.map((v) => sight.toPixels(v).slice(0, 2))")
    ways = [math.atan2(y - root[1], x - root[0]) for x, y in (joint, tip)]
    assert abs(math.degrees(ways[0] - ways[1])) > 15
