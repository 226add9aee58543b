"""What one takes along from the page: text, pictures, a video."""

import io
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from browsing import (
    RESTING,
    address,
    button,
    copied,
    description,
    middle,
    pixels_of,
    press,
    rgb,
    saved,
    visit_again,
)
from twobone.pictures import theme

pytestmark = pytest.mark.sampled(3, "nightly")

NS = "{http://www.w3.org/2000/svg}"


def said(page):
    """Return what the page says of what was copied or saved last."""
    export = page.get_by_role("region", name="Export")
    return export.get_by_role("status").inner_text()


def until_said(page, words):
    page.get_by_role("region", name="Export").get_by_text(words).wait_for()


# --- pictures -----------------------------------------------------------------------------


@pytest.mark.parametrize("state", [RESTING, "scene=space&r1=0.8", "target=3,2,1&policy=nan"])
def test_the_svg_parses_and_shows_the_joint_where_it_is(visit, state):
    page = visit(state)
    data, name = saved(page, "SVG")
    assert name == "twobone.svg"
    assert said(page) == "Saved twobone.svg"
    root = ET.fromstring(data)
    assert root.tag == f"{NS}svg"
    named = {each.get("id"): each for each in root.iter(f"{NS}circle") if each.get("id")}
    if "nan" in state:
        assert "joint" not in named
    else:
        have = [float(named["joint"].get(key)) for key in ("cx", "cy")]
        assert have == pytest.approx(middle(page, "joint"), abs=0.6)
    assert b"NaN" not in data


def test_a_picture_of_what_lies_without_end_is_still_one(visit):
    data, _ = saved(visit("target=1e-160,0,0"), "SVG")
    ET.fromstring(data)
    assert b"Infinity" not in data
    assert b"NaN" not in data


def test_the_png_has_the_right_pixels(visit):
    page = visit()
    data, name = saved(page, "PNG")
    assert name == "twobone.png"
    pixels = pixels_of(data)
    places = [middle(page, "joint"), middle(page, "target"), (5, 795)]
    for (x, y), want in zip(places, (theme.JOINT, theme.TARGET, theme.GROUND), strict=True):
        assert pixels[round(y), round(x), :3].tolist() == rgb(want.light)


@pytest.mark.parametrize("webgl", [True, False], ids=["webgl2", "canvas2d"])
def test_the_space_arm_is_drawn_either_way(visit, webgl):
    page = visit("scene=space&r1=0.8", webgl=webgl)
    x, y = middle(page, "joint")
    red, green, blue, _ = pixels_of(saved(page, "PNG")[0])[round(y), round(x)].astype(int)
    assert red > green + 40
    assert red > blue + 60


def test_space_looks_the_same_far_from_the_origin(visit):
    pictures = []
    for far in (0, 300_000):
        numbers = [far] * 3, [far + part for part in (0.75, 0.5, 0.25)]
        root, target = (",".join(map(str, each)) for each in numbers)
        page = visit(f"scene=space&root={root}&target={target}", width=700, height=500)
        pictures.append(pixels_of(saved(page, "PNG")[0]).astype(float))
    assert np.abs(pictures[0] - pictures[1]).mean() < 0.5


# --- a video ------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["", "scene=space", "scene=creature"])
def test_a_video_of_every_scene_shows_what_moves(visit, state):
    av = pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    page = visit(state, width=900, height=500, webgl=True)
    if button(page, "Motion").get_attribute("aria-pressed") == "false":
        press(page, "Motion")
    page.wait_for_timeout(300)
    press(page, "Video")
    page.wait_for_timeout(900)
    page.set_viewport_size({"width": 1000, "height": 480})  # a video keeps its size
    page.wait_for_timeout(900)
    data, name = saved(page, "Stop")
    button(page, "Video").wait_for()
    assert (name == "twobone.mp4" and data[4:8] == b"ftyp") or (
        name == "twobone.webm" and data.startswith(b"\x1a\x45\xdf\xa3")
    )
    with av.open(io.BytesIO(data)) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) > 3
    assert {frame.shape for frame in frames} == {(500, 580, 3)}
    assert frames[0][2, 2].min() > 200  # the light ground, or the fog
    changed = np.abs(frames[-1].astype(int) - frames[0]) > 40
    assert np.count_nonzero(changed) > 500


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("delete window.MediaRecorder", "it has no MediaRecorder"),
        ("delete HTMLCanvasElement.prototype.captureStream", "it has no captureStream"),
        ("MediaRecorder.isTypeSupported = () => false", "it can write neither MP4 nor WebM"),
        (
            "MediaRecorder.prototype.start = () => { throw new Error('the encoder is busy'); }",
            "the encoder is busy",
        ),
        (
            "window.MediaRecorder = class { constructor() { throw new Error('no'); }"
            " static isTypeSupported() { return true; } }",
            "no",
        ),
    ],
)
def test_a_browser_that_cannot_record_says_why(visit, missing, words):
    page = visit(RESTING, script=missing)
    for _ in range(2):  # it tries again
        press(page, "Video")
        assert said(page) == f"This browser cannot record video: {words}"
        assert button(page, "Video").get_attribute("aria-pressed") == "false"


def test_an_encoder_that_fails_keeps_what_was_recorded(visit):
    # The encoder of the browser fails when a test says so, after it has begun.
    script = (
        "const start = MediaRecorder.prototype.start;"
        "MediaRecorder.prototype.start = function (...all) {"
        " window.fail = () => this.onerror({ error: new Error('out of memory') });"
        " this.addEventListener('dataavailable', ({ data }) => { window.bytes = data.size; });"
        " return start.apply(this, all); };"
    )
    page = visit(RESTING, script=script)
    press(page, "Video")
    page.wait_for_function("() => window.bytes > 0")
    with page.expect_download() as download:
        page.evaluate("fail()")
    assert download.value.path().stat().st_size > 500
    until_said(page, "The recording ended early: out of memory")
    assert button(page, "Video").get_attribute("aria-pressed") == "false"


def test_a_video_that_is_stopped_at_once_has_a_picture(visit):
    page = visit()
    for _ in range(3):
        with page.expect_download() as download:
            button(page, "Video").dblclick()
        assert download.value.path().stat().st_size > 500


def test_a_video_without_a_picture_is_told_and_not_saved(visit):
    # An encoder that never makes a frame, and a page that waits a fiftieth of the time for it.
    script = (
        "HTMLCanvasElement.prototype.captureStream = () => new MediaStream();"
        " MediaRecorder.prototype.start = () => {};"
        " MediaRecorder.prototype.stop = function () { this.onstop(); };"
        " Object.defineProperty(MediaRecorder.prototype, 'state', { get: () => 'recording' });"
        " window.setTimeout = ((old) => (f, ms) => old(f, ms / 50))(setTimeout);"
        " URL.createObjectURL = () => { throw new Error('saved'); };"
    )
    page = visit(script=script)
    button(page, "Video").dblclick()
    until_said(page, "The browser recorded no picture")
    assert button(page, "Video").get_attribute("aria-pressed") == "false"


# --- texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state", ["target=0.4,0.9,0&side=-1", "scene=space&root=0.1,-0.2,0.3&r1=0.9"]
)
def test_the_copied_python_has_the_joint_of_the_picture(visit, state, capsys):
    page = visit(state)
    space = {}
    exec(copied(page, "Python"), space)
    told = json.loads(copied(page, "JSON"))
    np.testing.assert_allclose(space["reached"].joint, told["joint"], atol=1e-14)
    assert told["status"] == "REACHED"
    shown = ", ".join(f"{v:.2f}" for v in told["joint"]).replace("-", "\N{MINUS SIGN}")
    assert f"The elbow is at {shown}" in description(page)
    assert copied(page, "Link", "Share") == f"#{state}"  # no file:///
    until_said(page, "Press Ctrl+C to copy")


# Run the copied code on the graphics card, which is what it is for.
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


ODD = [
    {"target": [0.75, 0.55, 0.35], "root": [0.5, -1, 2]},
    {"target": [3, 1, -1], "root": [0.5, -1, 2]},
    {"target": [0.06, 0.02, 0.01]},
    {"target": [0, 0, 0], "r1": 0.8, "r2": 0.8},
    {"target": [0, 0, 0]},
    {"target": [0, 0.9, 0]},  # in space the pole lies along it
    {"target": [0.4, 0.9, 0.2], "pole": [0, 0, 0]},
    {"target": [0.4, 0.9, 0.2], "pole": [3e5, 1e5, 0]},
    {"target": [0, 0, 0], "r1": 0, "r2": 0},
]


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_the_copied_glsl_compiles_and_gives_the_same_joint(visit, scene):
    page = visit(f"scene={scene}")
    card = visit(webgl=True)
    for odd in ODD:
        root = odd.get("root", [0, 0, 0])
        fields = odd | {"target": [a + b for a, b in zip(odd["target"], root, strict=True)]}
        text = "&".join(
            f"{k}={','.join(map(str, np.ravel(v).tolist()))}" for k, v in fields.items()
        )
        visit_again(page, f"scene={scene}&{text}")
        address(page)
        want = json.loads(copied(page, "JSON"))["joint"]
        found = card.evaluate(GLSL, copied(page, "GLSL"))
        np.testing.assert_allclose(found, want, atol=2e-5, err_msg=str(odd))


def test_while_a_file_is_made_the_message_about_the_one_before_is_gone(visit):
    # A canvas whose pictures are made when a test says so, or not at all.
    slow = """{
      const real = HTMLCanvasElement.prototype.toBlob;
      HTMLCanvasElement.prototype.toBlob = function (...given) {
        window.finish = (...blob) => (blob.length ? given[0](...blob) : real.apply(this, given));
      };
    }"""
    page = visit(script=slow)
    saved(page, "SVG")
    assert said(page) == "Saved twobone.svg"
    press(page, "PNG")
    assert said(page) == ""
    with page.expect_download():
        page.evaluate("finish()")
    assert said(page) == "Saved twobone.png"
    press(page, "PNG")
    page.evaluate("finish(null)")  # of a canvas that is too large for the browser
    assert said(page) == "The browser recorded no picture"
