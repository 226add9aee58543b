"""The Character scene in a browser: dragging, keys, clips, and files that are dropped on it."""

import json
import os
import re

import numpy as np
import pytest

import twobone
import vrm_files
from browsing import (
    DROP,
    RESTS,
    button,
    centre,
    copied,
    description,
    field,
    numbers,
    pixels_of,
    press,
)
from browsing import drag as drag_to
from characters import FILES, GLBS, changed, glb, made_clip
from twobone import cli, motion
from twobone.play import session
from twobone.play.characters import CharacterFile

HERE = "scene=character"
QUIET = {"reduced_motion": "reduce"}
ARM = "Right arm"


def handle(page, limb=ARM, kind="hand"):
    """Return the handle of a hand, a foot or a pole."""
    return page.get_by_role("button", name=re.compile(f"^{limb}, {kind}: "))


def at(page, limb=ARM, kind="hand"):
    """Return where a handle says that it is in the world."""
    return numbers(handle(page, limb, kind).get_attribute("aria-label").partition(": ")[2])


def drag(page, kind, dx, dy, limb=ARM):
    x, y = centre(handle(page, limb, kind))
    drag_to(page, (x, y), (x + dx, y + dy), steps=3)
    page.evaluate(RESTS)


def status(page):
    """Return what the first screen or the picture says of the chosen limb."""
    return description(page).rpartition(": ")[2]


def drop(page, name, data, says=""):
    """Drop a file, and wait until the page says something of it."""
    page.evaluate(DROP, [name, list(data)])
    said = page.get_by_role("status", include_hidden=True).filter(has_text=name)
    said.filter(has_text=re.compile(f"(?!Reading){re.escape(says)}")).first.wait_for(
        state="attached"
    )
    page.wait_for_function(  # a message fades after some seconds
        "(one) => !one.textContent.startsWith('Reading')", arg=said.first.element_handle()
    )
    page.evaluate(RESTS)
    return said.first.text_content()


def test_hands_and_poles_are_dragged_and_released(visit):
    page = visit(HERE, panel=False, **QUIET)
    assert status(page) == "follows the clip"
    rests = at(page)
    drag(page, "hand", 10, -70)
    assert page.get_by_text("Right arm: reached.").is_visible()
    assert at(page)[1] > rests[1] + 0.05
    hand, picture = at(page), page.get_by_role("img").screenshot()
    drag(page, "pole", -200, 10)
    assert at(page) == hand
    assert page.get_by_role("img").screenshot() != picture  # the elbow is elsewhere
    drag(page, "hand", -420, -10)  # far away: the arm is straight, and the page says by how much
    assert page.get_by_text(re.compile("^Right arm: too far by ")).is_visible()
    page.keyboard.press("Control+z")
    page.evaluate(RESTS)
    assert at(page) == hand
    handle(page).focus()
    page.keyboard.press("Delete")
    page.evaluate(RESTS)
    assert status(page) == "follows the clip"
    assert at(page) == rests


def test_the_expressions_of_a_model_have_sliders_and_are_seen(visit):
    page = visit(HERE, locale="de", webgl=True, width=800, height=520, **QUIET)
    assert page.get_by_role("region", name="Mimik").count() == 0
    drop(page, "made.vrm", vrm_files.vrm(1))
    picture = lambda: pixels_of(page.get_by_role("img").screenshot()).astype(int)  # noqa: E731
    before, slider = picture(), page.get_by_role("slider", name="aa")
    assert page.get_by_role("slider", name="Blinzeln").input_value() == "0"
    slider.focus()
    page.keyboard.press("End")
    page.evaluate(RESTS)
    assert slider.get_attribute("aria-valuetext") == "100 %"
    moved = np.sum(np.any(np.abs(picture() - before) > 24, axis=-1))
    assert moved > 30  # the chin
    page.keyboard.press("Control+z")
    page.evaluate(RESTS)
    assert slider.input_value() == "0"
    assert np.sum(np.any(np.abs(picture() - before) > 24, axis=-1)) < moved / 2
    page.keyboard.press("Control+y")
    page.evaluate(RESTS)
    assert slider.input_value() == "1"
    press(page, "Lösen")
    page.evaluate(RESTS)
    assert slider.input_value() == "0"
    press(page, "Ebene")
    slider.wait_for(state="hidden")


def test_everything_can_be_done_by_keys_and_numbers(visit):
    page = visit(HERE, **QUIET)
    before = at(page)
    handle(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.evaluate(RESTS)
    after = at(page)
    assert after[1] > before[1]
    limb = page.get_by_role("region", name=ARM)
    field(page, "Target: where the hand or foot should be, y").fill("1.25")
    page.keyboard.press("Enter")
    page.evaluate(RESTS)
    assert at(page) == pytest.approx([after[0], 1.25, after[2]], abs=6e-3)
    field(page, "Maximum joint angle").fill("120")
    page.keyboard.press("Enter")
    field(page, "Target: where the hand or foot should be, x").fill("-9")
    page.keyboard.press("Enter")
    page.evaluate(RESTS)
    rows = page.get_by_role("group", name="Limbs").get_by_role("paragraph")
    assert rows.nth(3).inner_text().startswith("too far by 8.")
    pole = field(page, "Pole: the direction towards which the joint bends, x")
    pole.fill("near")
    page.keyboard.press("Enter")
    assert pole.get_attribute("aria-invalid") == "true"
    alert = page.get_by_role("complementary").get_by_role("alert")
    assert "expected a number" in alert.inner_text()
    press(page, "Reset")
    page.evaluate(RESTS)
    assert rows.all_inner_texts() == ["follows the clip"] * 4
    assert at(page) == before
    assert limb.is_visible()


def test_the_clip_is_played_and_scrubbed_while_a_hand_stays(visit):
    page = visit(HERE, panel=False, **QUIET)
    drag(page, "hand", -60, -80)
    held, slider = at(page), page.get_by_role("slider", name="Frame")
    slider.fill("60")
    page.evaluate(RESTS)
    assert page.get_by_text("61 of 150").is_visible()
    assert at(page) == held
    press(page, "Play")
    page.get_by_text("61 of 150").wait_for(state="hidden")
    page.keyboard.press("Space")
    button(page, "Play").wait_for()
    assert at(page) == held
    foot = centre(handle(page, "Left leg", "foot"))
    assert 400 < foot[0] < 1100  # the view is where the figure is
    page.get_by_role("combobox", name="Clip").select_option(label="Walk")
    page.evaluate(RESTS)
    assert page.get_by_text("1 of 165").is_visible()
    slider.fill("80")  # half a circle away
    page.evaluate(RESTS)
    assert abs(centre(handle(page, "Left leg", "foot"))[0] - foot[0]) < 120


def test_dropped_files_are_shown_or_refused_whole(visit, tmp_path):
    page = visit("", panel=False, **QUIET)
    motion.save(made_clip(True), tmp_path / "made.glb")
    said = drop(page, "made.glb", (tmp_path / "made.glb").read_bytes())
    assert said == "made.glb: 17 joints, 4 limbs."
    assert button(page, "Character").get_attribute("aria-pressed") == "true"
    drag(page, "hand", -40, -40)
    kept = at(page)
    damaged, reason = next(one for one in GLBS if one[1] == "The file ends too early")
    for name, data, why in [
        ("cut.glb", damaged, reason),
        ("walk.bvh", b"HIERARCHY ROOT hip }", "Line 1: expected {"),
        ("scene.fbx", b"", "Its name must end in .glb, .vrm or .bvh."),
    ]:
        said = drop(page, name, data)
        assert said.startswith(f"Cannot show {name}. {why}")
    assert description(page).startswith("made.glb; ")
    assert at(page) == kept
    motion.save(made_clip(True), tmp_path / "made.bvh")
    assert drop(page, "made.bvh", (tmp_path / "made.bvh").read_bytes()).startswith("made.bvh: 17")


def test_a_german_page_refuses_files_in_german(visit):
    page = visit(f"{HERE}&language=de", panel=False, **QUIET)
    for name, data, why in [
        (
            "cut.glb",
            changed()[:-8],
            "Die Datei endet zu früh: Sie wurde nicht vollständig kopiert.",
        ),
        (
            "odd.glb",
            changed(nodes=[{"children": [7]}]),
            "Die Datei ist beschädigt: es fehlt: Knoten",
        ),
        ("walk.bvh", b"HIERARCHY ROOT hip }", "Zeile 1: erwartet {, gefunden „}“."),
        ("walk.bvh", b"", "Zeile 1: erwartet das Wort HIERARCHY, gefunden das Ende der Datei."),
    ]:
        assert drop(page, name, data).startswith(f"{name} lässt sich nicht zeigen. {why}")


@pytest.mark.skipif(not FILES, reason="no motion clips beside the project")
@pytest.mark.parametrize(
    ("name", "limb", "kind"),
    [
        ("Fox.glb", "Left front leg", "foot"),
        ("platformer_game_pack_Character.glb", "Left arm", "hand"),
    ],
)
def test_limbs_of_real_characters_are_dragged(visit, name, limb, kind):
    page = visit(HERE, panel=False, **QUIET)
    path = next(path for path in FILES if path.name == name)
    drop(page, name, path.read_bytes())
    handle(page, limb, kind).focus()
    page.keyboard.press("Shift+ArrowUp")
    page.evaluate(RESTS)
    assert status(page) == "reached"


@pytest.mark.parametrize("version", [0, 1])
def test_hands_and_feet_of_vrm_models_are_dragged(visit, version):
    page = visit(HERE, panel=False, **QUIET)
    said = drop(page, "made.vrm", vrm_files.vrm(version))
    assert said == "made.vrm: 29 joints, 4 limbs."
    for limb, kind in (("Left leg", "foot"), ("Right leg", "foot")):
        handle(page, limb, kind).focus()
        before = at(page, limb, kind)
        page.keyboard.press("Shift+ArrowUp")
        page.evaluate(RESTS)
        assert at(page, limb, kind)[1] > before[1]
        assert status(page) == "reached"


# Run the copied GLSL on the graphics card; return the joint and the end.
SHADER = """(text) => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const program = gl.createProgram();
  const vertex = `#version 300 es
precision highp float;
${text}
out vec3 joint_; out vec3 end_;
void main() { vec3 tip; joint_ = x(tip); end_ = tip; gl_Position = vec4(0.0); }`;
  const fragment = `#version 300 es
precision highp float;
out vec4 colour;
void main() { colour = vec4(1); }`;
  for (const [kind, code] of [["VERTEX_SHADER", vertex], ["FRAGMENT_SHADER", fragment]]) {
    const shader = gl.createShader(gl[kind]);
    gl.shaderSource(shader, code);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, ["joint_", "end_"], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 24, gl.STATIC_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 1);
  gl.endTransformFeedback();
  const found = new Float32Array(6);
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, found);
  return [[...found.slice(0, 3)], [...found.slice(3)]];
}"""


def test_copied_glsl_puts_joint_and_end_where_python_has_them(visit):
    """Also where the hinge is not perpendicular to the bones, as in the arms of this figure."""
    page, card = visit(HERE, **QUIET), visit(webgl=True)
    for limb, kind, soft in ((ARM, "hand", "0"), ("Left leg", "foot", "0.1")):
        page.get_by_role("group", name="Limbs").get_by_role("button", name=limb, exact=True).click()
        field(page, "Softness").fill(soft)
        page.keyboard.press("Enter")
        handle(page, limb, kind).focus()
        page.keyboard.press("Shift+ArrowUp")
        page.evaluate(RESTS)
        text = copied(page, "GLSL", "Copy code for this limb")
        joint, end = card.evaluate(SHADER, text)
        assert np.all(np.isfinite(joint))
        if soft == "0":
            np.testing.assert_allclose(end, at(page, limb, kind), atol=1e-3)


def test_python_gives_a_file_to_its_page_alone(state_home, opened, tmp_path):
    path = tmp_path / "made.glb"
    motion.save(made_clip(True), path)
    with twobone.play(port=0, open_browser=False, character=path) as served:
        assert served.scene == "character"
        own = served.address.split("/")[2]
        page = opened(served.address, lambda url: own in url, may_lose=True, panel=False, **QUIET)
        page.get_by_role("img", name="made.glb; ").wait_for()
        said = page.get_by_role("status", include_hidden=True)
        assert "made.glb: 17 joints, 4 limbs." in said.all_text_contents()
        assert button(page, "Character").get_attribute("aria-pressed") == "true"
        policy = page.locator("meta[http-equiv]").get_attribute("content")
        assert "connect-src 'self' ws://127.0.0.1:*" in policy
        path.unlink()
        page.reload()
        page.get_by_text("made.glb cannot be read").wait_for()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("garbage.glb", b"garbage\n", "expected GLB, or JSON in UTF-8, got b'garbage"),
        ("cut.glb", changed()[:-8], "expected .* got"),
        ("text.glb", b'{"asset": {"version": "2.0"}}', "expected GLB, got the JSON of a .gltf"),
        ("deep.vrm", glb(b'{"asset":' + b"[" * 10**5 + b"]" * 10**5 + b"}"), "too many levels"),
        ("garbage.bvh", b"garbage\n", "line 1, column 1: expected the word HIERARCHY"),
        ("binary.bvh", bytes(range(256)), "expected the word HIERARCHY"),
    ],
)
def test_a_damaged_file_is_told_in_one_line_instead_of_served(
    name, data, said, state_home, tmp_path, monkeypatch, capsys
):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(twobone.ClipError, match=said):
        CharacterFile(path)
    monkeypatch.setattr(session.Page, "wait", lambda _: None)  # serving would end at once
    assert cli.run(["play", str(path), "--port", "0", "--no-browser"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"twobone: {path}")
    assert printed.err.count("\n") == 1


def test_files_of_characters_are_checked(tmp_path):
    for name, wanted in {
        "walk.fbx": r"`character` must be a file whose name ends in \.glb, \.vrm or \.bvh",
        "folder.glb": "`character` must be a file, got",
    }.items():
        path = tmp_path / name
        path.mkdir()
        with pytest.raises(twobone.PageError, match=wanted):
            CharacterFile(path)
    (tmp_path / "large.glb").touch()
    os.truncate(tmp_path / "large.glb", (128 << 20) + 1)  # it takes no room on the disk
    with pytest.raises(twobone.PageError, match="must be a file of at most 128 MB, got 128 MB"):
        CharacterFile(tmp_path / "large.glb")
    with pytest.raises(OSError, match="absent"):
        CharacterFile(tmp_path / "absent.glb")
    with pytest.raises(twobone.ArrayTypeError, match="character"):
        CharacterFile(json)
