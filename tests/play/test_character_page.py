"""The Character scene in a browser: dragging, keys, clips, and files that are dropped on it."""

import base64
import json

import numpy as np
import pytest

import twobone
import vrm_files
from browsing import DROP
from characters import FILES, GLBS, changed, glb, made_clip
from twobone import cli, motion
from twobone.play import session
from twobone.play.characters import CharacterFile

HERE = "scene=character"
SHOWN = "() => character.limbs().map((one) => ({ name: one.limb.name, ...one, limb: null }))"
SAID = "() => !document.getElementById('character-said').textContent.startsWith('Reading')"
# Lift the end of a limb towards its root; return how far from it the nearest joint of three.js is.
LIFT = """(name) => {
  const posing = character.it(), limb = posing.limbs.find((one) => one.name === name);
  const shown = () => character.limbs().find((one) => one.limb === limb);
  const { target, root } = shown(), by = [0.05, 0.1, 0.05].map((part) => part * limb.reach);
  const lifted = target.map((v, i) => v + 0.3 * (root[i] - v) + by[i]);
  posing.hold(limb, { target: lifted });
  main.drawNow();
  const { object } = posing.character.model, nodes = [], place = object.position.toArray();
  object.updateMatrixWorld(true); // also where lines are drawn instead of meshes
  object.traverse((node) => nodes.push(node));
  const away = nodes.filter((node) => node.isBone).map(({ matrixWorld: { elements: m } }) =>
    Math.hypot(...shown().end.map((v, i) => m[12 + i] - place[i] - v)));
  const has = nodes.some((node) => node.isSkinnedMesh);
  return { has, away: Math.min(...away) / limb.reach, word: shown().word };
}"""
IS_REFUSED = "() => document.getElementById('character-said').dataset.refused === 'true'"
QUIET = {"reduced_motion": "reduce"}


def limb_of(page, name="right arm"):
    return next(limb for limb in page.evaluate(SHOWN) if limb["name"] == name)


def place(page, name="right arm", kind="limb"):
    """Return the selector of a handle and its middle, in pixels."""
    index = [limb["name"] for limb in page.evaluate(SHOWN)].index(name)
    selector = f"#character-{kind}-{index}"
    box = page.locator(selector).bounding_box()
    return selector, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, kind, dx, dy):
    _, x, y = place(page, kind=kind)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()
    page.evaluate("main.drawNow()")


def drop(page, name, data):
    page.evaluate(DROP, [name, list(data)])
    page.wait_for_function(SAID)
    page.evaluate("main.drawNow()")
    return page.text_content("#character-said")  # of what fades after some seconds too


def test_hands_and_poles_are_dragged_and_released(visit):
    page = visit(HERE, panel=False, **QUIET)
    assert limb_of(page)["isPinned"] is False
    drag(page, "limb", 10, -70)
    arm = limb_of(page)
    assert (arm["isPinned"], arm["word"]) == (True, "REACHED")
    assert np.allclose(arm["target"], arm["end"])
    assert page.inner_text("#intro-count") == "Right arm: reached."
    elbow = arm["joint"]
    drag(page, "pole", -200, 10)
    assert np.linalg.norm(np.subtract(limb_of(page)["joint"], elbow)) > 0.02
    assert np.allclose(limb_of(page)["end"], arm["end"])
    drag(page, "limb", -420, -10)  # far away: the arm is straight, and the page says by how much
    assert limb_of(page)["word"] == "TOO_FAR"
    assert page.inner_text("#intro-count").startswith("Right arm: too far by ")
    page.keyboard.press("Control+z")
    page.evaluate("main.drawNow()")
    assert limb_of(page)["word"] == "REACHED"
    page.focus(place(page)[0])
    page.keyboard.press("Delete")
    page.evaluate("main.drawNow()")
    assert limb_of(page)["isPinned"] is False


INFLUENCES = """() => {
  const found = [];
  character.it().character.model.object.traverse((node) => {
    if (node.morphTargetInfluences) found.push(...node.morphTargetInfluences);
  });
  return found;
}"""


def test_the_expressions_of_a_model_have_sliders(visit):
    page = visit(HERE, locale="de", **QUIET)
    assert page.locator("#face").is_hidden()  # the page's own figure has none
    drop(page, "made.vrm", vrm_files.vrm(1))
    assert page.locator("#face label").all_inner_texts() == ["aa", "Blinzeln"]
    slider = page.get_by_role("slider", name="Blinzeln")
    slider.focus()
    page.keyboard.press("End")
    page.evaluate("main.drawNow()")
    assert page.evaluate(INFLUENCES) == [0, 1, 0, 1]  # of both meshes of the face
    assert slider.get_attribute("aria-valuetext") == "100 %"
    page.keyboard.press("Control+z")
    page.evaluate("main.drawNow()")
    assert page.evaluate(INFLUENCES) == [0, 0, 0, 0]
    assert slider.input_value() == "0"
    page.keyboard.press("Control+y")
    page.locator("#character-reset").click()
    page.evaluate("main.drawNow()")
    assert page.evaluate(INFLUENCES) == [0, 0, 0, 0]
    page.locator("#scene-plane").click()
    page.evaluate("main.drawNow()")
    assert page.locator("#face").is_hidden()


def test_everything_can_be_done_by_keys_and_numbers(visit):
    page = visit(HERE, **QUIET)
    selector, *_ = place(page)
    page.focus(selector)
    before = limb_of(page)["target"]
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.evaluate("main.drawNow()")
    after = limb_of(page)["target"]
    assert after[1] > before[1]
    assert "hand: " in page.locator(selector).get_attribute("aria-label")
    page.fill("#limb-target-y", "1.25")
    page.keyboard.press("Enter")
    page.evaluate("main.drawNow()")
    assert limb_of(page)["target"] == pytest.approx([after[0], 1.25, after[2]])
    page.fill("#limb-greatest", "120")
    page.keyboard.press("Enter")
    page.fill("#limb-target-x", "-9")
    page.keyboard.press("Enter")
    page.evaluate("main.drawNow()")
    arm = limb_of(page)
    bones = [np.subtract(arm[end], arm["joint"]) for end in ("root", "end")]
    cosine = np.dot(*bones) / np.prod(np.linalg.norm(bones, axis=1))
    # The limit holds in the plane of the hinge, to which this arm is not quite parallel.
    assert np.degrees(np.arccos(cosine)) == pytest.approx(120, abs=4)
    page.fill("#limb-pole-x", "near")
    page.keyboard.press("Enter")
    assert page.locator("#limb-pole-x").get_attribute("aria-invalid") == "true"
    assert "expected a number" in page.inner_text("#refused")
    page.click("#character-reset")
    page.evaluate("main.drawNow()")
    assert not any(limb["isPinned"] for limb in page.evaluate(SHOWN))


def test_the_clip_is_played_and_scrubbed_while_a_hand_stays(visit):
    page = visit(HERE, panel=False, **QUIET)
    drag(page, "limb", -60, -80)
    held = limb_of(page)["end"]
    page.fill("#clip-frame", "60")
    page.evaluate("main.drawNow()")
    assert page.inner_text("#clip-where") == "61 of 150"
    assert np.allclose(limb_of(page)["end"], held)
    page.click("#clip-play")
    page.wait_for_function("() => character.it().frame > 61")
    page.keyboard.press("Space")
    x, y = page.evaluate("character.view.toPixels(character.it().world.positions[0], 'y')")[:2]
    assert 400 < x < 1100  # the view is where the figure is
    assert 200 < y < 700
    assert page.evaluate("motion.isOn()") is False
    assert page.evaluate("character.it().frame % 1") == 0
    page.select_option("#clip-name", label="Walk")
    page.evaluate("main.drawNow()")
    assert page.inner_text("#clip-where") == "1 of 165"
    page.fill("#clip-frame", "80")  # half a circle away
    page.evaluate("main.drawNow()")
    away = page.evaluate("character.view.toPixels(character.it().world.positions[0], 'y')")[0] - x
    assert abs(away) < 60


def test_dropped_files_are_shown_or_refused_whole(visit, tmp_path):
    page = visit("", panel=False, **QUIET)
    motion.save(made_clip(True), tmp_path / "made.glb")
    said = drop(page, "made.glb", (tmp_path / "made.glb").read_bytes())
    assert said == "made.glb: 17 joints, 4 limbs."
    assert page.evaluate("state.now.scene") == "character"
    drag(page, "limb", -40, -40)
    kept = limb_of(page)
    damaged, reason = next(one for one in GLBS if one[1] == "The file ends too early")
    for name, data, why in [
        ("cut.glb", damaged, reason),
        ("walk.bvh", b"HIERARCHY ROOT hip }", "Line 1: expected {"),
        ("scene.fbx", b"", "Its name must end in .glb, .vrm or .bvh."),
    ]:
        said = drop(page, name, data)
        assert said.startswith(f"Cannot show {name}. {why}")
    assert page.evaluate("character.it().character.name") == "made.glb"
    assert limb_of(page) == kept
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
def test_characters_with_meshes_follow_their_skeleton(visit):
    """Vertices of the hand are where the page says that the hand is; one file has scaled nodes."""
    page = visit(HERE, panel=False, **QUIET)
    for name, limb in (
        ("Fox.glb", "left front leg"),
        ("platformer_game_pack_Character.glb", "left arm"),
    ):
        path = next(path for path in FILES if path.name == name)
        drop(page, name, path.read_bytes())
        found = page.evaluate(LIFT, limb)
        assert found["has"]
        assert found["away"] < 1e-5
        assert found["word"] == "REACHED"


@pytest.mark.parametrize("version", [0, 1])
def test_hands_and_feet_of_vrm_models_are_dragged(visit, version):
    page = visit(HERE, panel=False, **QUIET)
    said = drop(page, "made.vrm", vrm_files.vrm(version))
    assert said == "made.vrm: 29 joints, 4 limbs."
    for limb in ("left arm", "right leg"):
        found = page.evaluate(LIFT, limb)
        assert found["has"]
        assert found["away"] < 1e-5
        assert found["word"] == "REACHED"
    drag(page, "limb", 20, 60)
    assert (limb_of(page)["isPinned"], limb_of(page)["word"]) == (True, "REACHED")


CHANGED = """async (texts) => {
  const [before, after] = await Promise.all(texts.map(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height).data;
  }));
  let count = 0;
  for (let i = 0; i < before.length; i += 4)
    count += [0, 1, 2].some((part) => Math.abs(before[i + part] - after[i + part]) > 24);
  return count;
}"""


def test_a_face_is_seen_to_move(visit):
    """The chin of the model goes down between the two frames, and nothing else moves."""
    page = visit(HERE, 400, 480, panel=False, webgl=True, **QUIET)
    drop(page, "made.vrm", vrm_files.vrm(1, Talk=np.array([[0.0, 0.0], [1.0, 0.0]])))
    shots = []
    for frame in (0, 1, 0):
        page.evaluate("(frame) => { character.seek(frame); main.drawNow(); }", frame)
        picture = page.locator("#picture").screenshot()
        shots.append(base64.b64encode(picture).decode())
    moved, back = (page.evaluate(CHANGED, [shots[0], shot]) for shot in shots[1:])
    assert moved > 100
    assert back == 0


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


def test_copied_glsl_puts_joint_and_end_where_the_page_has_them(visit):
    """Also where the hinge is not perpendicular to the bones, as in the arms of this figure."""
    page = visit(HERE, 400, 480, panel=False, webgl=True, **QUIET)
    for name, by, settings in (
        ("right arm", [0.0, 0.2, 0.1], {}),
        ("left leg", [0.1, 0.2, 0.1], {"soft": 0.1, "greatest": 150}),
        ("left arm", [0.5, 0.5, 0.5], {"soft": 0.2}),
    ):
        text, shown = page.evaluate(
            """([name, by, settings]) => {
              const posing = character.it(), limb = posing.limbs.find((one) => one.name === name);
              const shown = () => character.limbs().find((one) => one.limb === limb);
              character.choose(limb);
              Object.assign(posing.settings(limb), settings);
              posing.hold(limb, { target: shown().target.map((v, i) => v + by[i]) });
              character.solve();
              return [keep.texts["limb-glsl"](), shown()];
            }""",
            [name, by, settings],
        )
        joint, end = page.evaluate(SHADER, text)
        np.testing.assert_allclose(joint, shown["joint"], atol=1e-4)
        np.testing.assert_allclose(end, shown["end"], atol=1e-4)


def test_python_gives_a_file_to_its_page_alone(state_home, opened, tmp_path):
    path = tmp_path / "made.glb"
    motion.save(made_clip(True), path)
    with twobone.play(port=0, open_browser=False, character=path) as served:
        assert served.scene == "character"
        own = served.address.split("/")[2]
        # The clip does not play, and the message is read although it is shown for seconds only.
        page = opened(served.address, lambda url: own in url, may_lose=True, panel=False, **QUIET)
        page.wait_for_function("() => character.it().character.name === 'made.glb'")
        assert page.text_content("#character-said") == "made.glb: 17 joints, 4 limbs."
        assert page.evaluate("state.now.scene") == "character"
        policy = page.locator("meta[http-equiv]").get_attribute("content")
        assert "connect-src 'self' ws://127.0.0.1:*" in policy
        path.unlink()
        page.reload()
        page.wait_for_function(
            "() => document.getElementById('character-said').dataset.refused === 'true'"
        )
        assert "made.glb cannot be read" in page.inner_text("#character-said")


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
    with pytest.raises(OSError, match="absent"):
        CharacterFile(tmp_path / "absent.glb")
    with pytest.raises(twobone.ArrayTypeError, match="character"):
        CharacterFile(json)
