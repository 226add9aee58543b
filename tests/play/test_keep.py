"""What one takes along from the page: text that runs, pictures, a video."""

import io
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import twobone
from browsing import RESTING, middle, random_states
from twobone.pictures import theme
from twobone.play import page_state

# --- what one takes along ------------------------------------------------------------------


def saved(page, button):
    with page.expect_download() as download:
        page.locator(button).click()
    return download.value.path().read_bytes(), download.value.suggested_filename


@pytest.mark.parametrize("address", [RESTING, "scene=space&r1=0.8", "target=3,2,1&policy=nan"])
def test_the_svg_parses_and_shows_the_joint_where_it_is(visit, address):
    page = visit(address)
    data, name = saved(page, "[data-save=svg]")
    assert name == "twobone.svg"
    root = ET.fromstring(data)
    ns = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{ns}svg"
    named = {e.get("id"): e for e in root.iter(f"{ns}circle") if e.get("id")}
    found = page.evaluate("main.found()")
    if found["joint"][0] is None or np.isnan(found["joint"][0]):
        assert "joint" not in named
    else:
        place = middle(page, "joint")
        have = [float(named["joint"].get(k)) for k in ("cx", "cy")]
        assert have == pytest.approx(place, abs=0.6)
    assert b"NaN" not in data


def test_the_png_has_the_right_pixels(visit):
    page = visit()
    data, name = saved(page, "[data-save=png]")
    assert name == "twobone.png"
    assert data.startswith(b"\x89PNG")
    places = [middle(page, "joint"), middle(page, "target"), (5, 795)]
    colours = page.evaluate(
        "async ([bytes, places]) => {"
        " const b = await createImageBitmap(new Blob([new Uint8Array(bytes)]));"
        " const c = new OffscreenCanvas(b.width, b.height).getContext('2d'); c.drawImage(b, 0, 0);"
        " const at = ([x, y]) => [...c.getImageData(Math.round(x), Math.round(y), 1, 1).data];"
        " return places.map(at); }",
        [list(data), places],
    )
    for have, want in zip(colours, (theme.JOINT, theme.TARGET, theme.GROUND), strict=True):
        assert have[:3] == [int(want.light[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("address", ["", "scene=space", "scene=creature"])
def test_a_video_of_every_scene_shows_what_moves(visit, address):
    av = pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    page = visit(address, width=900, height=500, webgl=True)
    if "creature" not in address:
        page.evaluate("main.wander(true)")
    page.wait_for_timeout(300)
    page.locator("#record").click()
    assert page.locator("#record").inner_text() == "Stop"
    page.wait_for_timeout(600)
    # Software may take long to render a frame in space.
    page.wait_for_function(
        "(n) => main.times.length > n + 9", arg=page.evaluate("main.times.length")
    )
    data, name = saved(page, "#record")
    assert page.locator("#record").inner_text() == "Video"
    assert (name == "twobone.mp4" and data[4:8] == b"ftyp") or (
        name == "twobone.webm" and data.startswith(b"\x1a\x45\xdf\xa3")
    )
    with av.open(io.BytesIO(data)) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) > 3
    width, height = page.evaluate("[ink.width, ink.height]")
    assert frames[0].shape == (height - height % 2, width - width % 2, 3)
    assert frames[0][2, 2].min() > 200  # the light ground, or the fog
    changed = np.abs(frames[-1].astype(int) - frames[0]) > 40
    assert np.count_nonzero(changed) > 500


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("delete window.MediaRecorder", "it has no MediaRecorder"),
        ("delete HTMLCanvasElement.prototype.captureStream", "it has no captureStream"),
        ("MediaRecorder.isTypeSupported = () => false", "it can write neither MP4 nor WebM"),
        (
            "MediaRecorder.prototype.start = () => { throw new Error('the encoder is busy'); }",
            "the encoder is busy",
        ),
    ],
)
def test_a_browser_that_cannot_record_says_why(visit, missing, said):
    page = visit(RESTING, script=missing)
    page.locator("#record").click()
    words = page.locator("#said").inner_text()
    assert words == f"This browser cannot record video: {said}"
    assert page.locator("#record").get_attribute("aria-pressed") == "false"
    assert page.locator("#record").inner_text() == "Video"
    page.locator("#record").click()  # tries again
    assert page.locator("#said").inner_text() == words


def test_an_encoder_that_fails_keeps_what_was_recorded(visit):
    script = (
        "const start = MediaRecorder.prototype.start;"
        "MediaRecorder.prototype.start = function (...all) { window.made = this;"
        " this.addEventListener('dataavailable', ({ data }) => { window.bytes = data.size; });"
        " return start.apply(this, all); };"
    )
    page = visit(RESTING, script=script)
    page.locator("#record").click()
    page.wait_for_function("() => window.bytes > 0")  # the encoder has begun
    with page.expect_download() as download:
        page.evaluate("made.onerror({ error: new Error('out of memory') })")
    assert download.value.path().stat().st_size > 500
    page.wait_for_function("() => document.getElementById('said').textContent.includes('early')")
    words = "The recording ended early: out of memory"
    assert page.locator("#said").inner_text() == words
    assert page.locator("#record").get_attribute("aria-pressed") == "false"


def test_a_video_that_is_stopped_at_once_has_a_picture(visit):
    page = visit()
    for _ in range(3):
        with page.expect_download() as download:
            page.evaluate("b => { b.click(); b.click(); }", page.query_selector("#record"))
        assert download.value.path().stat().st_size > 500


def test_a_video_without_a_picture_is_told_and_not_saved(visit):
    page = visit()
    page.evaluate(
        "() => { HTMLCanvasElement.prototype.captureStream = () => new MediaStream();"
        " MediaRecorder.prototype.start = () => {}; MediaRecorder.prototype.stop = function () {"
        " this.onstop(); };"
        " Object.defineProperty(MediaRecorder.prototype, 'state', { get: () => 'recording' });"
        " window.setTimeout = ((old) => (f, ms) => old(f, ms / 50))(setTimeout);"
        " URL.createObjectURL = () => { throw new Error('saved'); }; }"
    )
    page.locator("#record").click()
    page.locator("#record").click()
    page.wait_for_function(
        "() => document.getElementById('said').textContent.includes('recorded no picture')"
    )
    assert page.locator("#record").get_attribute("aria-pressed") == "false"


def test_the_copied_python_runs_and_gives_the_same_joint(visit, capsys):
    page = visit()
    for state in random_states(60, seed=6):
        if state["policy"] == "raise":
            continue
        code, found = page.evaluate(
            "(s) => { state.set({ least: 0, greatest: 180 }); state.set(s);"
            " const f = limb.solve(state.now); return [keep.texts.python(), f]; }",
            state,
        )
        space = {}
        exec(code, space)
        reached = space["reached"]
        want = np.array([np.nan if v is None else v for v in found["joint"]])
        joint = want + np.array(found["root"])
        np.testing.assert_allclose(
            np.asarray(reached.joint), joint, rtol=0, atol=1e-14, err_msg=code
        )
        assert int(reached.status) == found["status"]
        assert twobone.Status(found["status"]).name in capsys.readouterr().out


GLSL = """(code) => {
  const gl = document.createElement("canvas").getContext("webgl2"), p = gl.createProgram();
  const add = (kind, text) => {
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\\nprecision highp float;\\n" + text);
    gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
    gl.attachShader(p, s);
  };
  const wide = code.includes("vec3 x()");
  const call = wide ? "x()" : "vec3(x(), 0)";
  add(gl.VERTEX_SHADER, `${code} out vec3 found; void main() { found = ${call}; }`);
  add(gl.FRAGMENT_SHADER, "out vec4 c; void main() { c = vec4(1); }");
  gl.transformFeedbackVaryings(p, ["found"], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(p);
  gl.useProgram(p);
  const b = gl.createBuffer(), out = new Float32Array(3);
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, b);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12, gl.STREAM_READ);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, b);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 1);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  return [...out].slice(0, wide ? 3 : 2);
}"""


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_the_copied_glsl_compiles_and_gives_the_same_joint(visit, scene):
    page = visit(webgl=True)
    for target in ([0.75, 0.55, 0.35], [3, 1, -1], [0.06, 0.02, 0.01]):
        state = {**page_state.DEFAULTS, "scene": scene, "target": target, "root": [0.5, -1, 2]}
        state["target"] = [a + b for a, b in zip(target, state["root"], strict=True)]
        code = page.evaluate("(s) => { state.set(s); return keep.texts.glsl(); }", state)
        found = page.evaluate("limb.solve(state.now)")
        want = np.array(found["joint"]) + found["root"]
        np.testing.assert_allclose(page.evaluate(GLSL, code), want, atol=2e-5, err_msg=str(target))


ODD = [
    {"target": [0, 0, 0], "r1": 0.8, "r2": 0.8},
    {"target": [0, 0, 0]},
    {"target": [0, 0.9, 0]},  # in space the pole lies along it
    {"target": [0.4, 0.9, 0.2], "pole": [0, 0, 0]},
    {"target": [0.4, 0.9, 0.2], "pole": [3e5, 1e5, 0]},
    {"target": [0, 0, 0], "r1": 0, "r2": 0},
]


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_the_copied_glsl_holds_at_odd_places(visit, scene):
    page = visit(webgl=True)
    for odd in ODD:
        state = {**page_state.DEFAULTS, "scene": scene, **odd}
        code = page.evaluate("(s) => { state.set(s); return keep.texts.glsl(); }", state)
        want = page.evaluate("limb.solve(state.now).joint")
        np.testing.assert_allclose(page.evaluate(GLSL, code), want, atol=2e-5, err_msg=str(odd))


def test_the_copied_glsl_says_what_it_leaves_out(visit):
    page = visit()
    assert "clamps" not in page.evaluate("keep.texts.glsl()")
    page.evaluate("state.set({ greatest: 90 })")
    assert "clamps" in page.evaluate("keep.texts.glsl()")


def test_the_copied_json_and_link_carry_the_numbers(visit):
    page = visit("target=0.2,0.9,0&side=-1")
    told = json.loads(page.evaluate("keep.texts.json()"))
    assert told["target"] == [0.2, 0.9, 0]
    assert told["status"] == "REACHED"
    page.locator("[data-copy=link]").click()
    assert page.locator("#copied").input_value() == "#target=0.2,0.9,0&side=-1"  # no file:///
    page.wait_for_function("() => document.getElementById('said').textContent")
    page.locator("[data-copy=json]").click()
    assert json.loads(page.locator("#copied").input_value()) == told


PRIVATE = (
    "file:///home/me/page.html", "http://localhost:8000/page.html", "http://127.0.0.1:8765/secret/",
    "http://192.168.1.7/p", "http://10.0.0.2/p", "http://172.20.0.1/p", "http://[::1]:80/p",
    "http://desk/p", "http://desk.local/p", "http://app.localhost/p", "http://169.254.1.1/p",
    "http://localhost./x", "http://desk.local./p", "http://100.64.0.1/p", "http://100.127.9.9/p",
)  # fmt: skip


def test_a_link_names_only_an_address_that_others_can_open(visit):
    page = visit("side=-1")
    link = lambda where: page.evaluate("(t) => keep.link(new URL(t))", where)  # noqa: E731
    for where in PRIVATE:
        assert link(where) == "#side=-1", where
    assert link("https://a.github.io/two/?token=x#side=1") == "https://a.github.io/two/#side=-1"
    assert link("https://172.15.org/p") == "https://172.15.org/p#side=-1"
    assert link("http://100.128.0.1/p") == "http://100.128.0.1/p#side=-1"


def test_while_a_file_is_made_the_message_about_the_one_before_is_gone(visit):
    slow = """{
      const real = HTMLCanvasElement.prototype.toBlob;
      HTMLCanvasElement.prototype.toBlob = function (...given) {
        window.finish = (...blob) => (blob.length ? given[0](...blob) : real.apply(this, given));
      };
    }"""
    page = visit(script=slow)
    said = page.locator("#said")
    with page.expect_download():
        page.locator("[data-save=svg]").click()
    assert said.inner_text() == "Saved twobone.svg"
    page.locator("[data-save=png]").click()
    assert said.inner_text() == ""
    with page.expect_download():
        page.evaluate("finish()")
    assert said.inner_text() == "Saved twobone.png"
    page.locator("[data-save=png]").click()
    page.evaluate("finish(null)")  # of a canvas that is too large for the browser
    assert said.inner_text() == "The browser recorded no picture"
