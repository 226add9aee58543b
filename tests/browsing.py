"""What tests of the page do and see: a hand on its handles, words, the address, what is drawn.

All of it is what a person has: roles and names, visible text, pixels. What canvases show is told by
the calls that draw on them, since pixels of letters and lines are hard to read back.
"""

import io
import json
import random
import re

import numpy as np
import pytest

from twobone.play.page_state import DEFAULTS

RESTING = "r1=0.8"  # any address: the target does not wander
# Waits longer than the page waits before it writes a change into its address, and for a frame.
RESTS = (
    "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 280))"
)
# What moves has moved in each of three frames, however late they are.
FRAMES = """async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}"""

# Put a file on the page as a hand would: dragged over it, then dropped.
DROP = """([name, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(bytes)], name));
  const options = { dataTransfer: data, bubbles: true, cancelable: true };
  for (const type of ["dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(type, options));
}"""

NO_WEBGL = """{
const real = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
}; }
"""

# Some fifteen frames in a second: software draws them, and sixty cost four times that.
FEW_FRAMES = """{
const frame = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (then) => setTimeout(() => frame(then), 50);
}
"""

# Notes what is drawn on a canvas of the page: `pictured()` tells the last whole picture, in pixels
# of the window. Lines and discs have their colours, texts the box that they take.
PEN = """{
const proto = CanvasRenderingContext2D.prototype;
let marks = [], path = [], canvas = null, scale = 1;
const note = (name, what) => {
  const real = proto[name];
  proto[name] = function (...all) {
    if (this.canvas.isConnected) what(this, all);
    return real.apply(this, all);
  };
};
const put = (mark, { globalAlpha, lineWidth }) =>
  marks.push({ ...mark, alpha: globalAlpha, width: lineWidth });
note("clearRect", (pen) => {
  marks = [];
  canvas = pen.canvas;
  scale = (pen.getTransform().a * canvas.clientWidth) / canvas.width;
});
note("beginPath", () => (path = []));
note("moveTo", (_, at) => path.push({ line: [at] }));
note("lineTo", (_, at) => path.at(-1)?.line?.push(at));
note("arc", (_, [x, y, r]) => path.push({ disc: [x, y, r] }));
note("stroke", (pen) => {
  for (const part of path) put({ ...part, stroke: pen.strokeStyle }, pen);
});
note("fill", (pen) => {
  for (const part of path) put({ ...part, fill: pen.fillStyle }, pen);
});
note("fillText", (pen, [text, x, y]) => {
  const wide = pen.measureText(text).width / 2, size = parseFloat(pen.font.match(/([0-9.]+)px/)[1]);
  const box = [[x - wide, y - 0.4 * size], [x + wide, y + 0.4 * size]];
  put({ text, line: box, size, fill: pen.fillStyle }, pen);
});
window.pictured = () => {
  const { left, top } = canvas.getBoundingClientRect();
  const to = ([x, y]) => [left + scale * x, top + scale * y];
  return marks.map(({ line, disc, ...mark }) => ({
    ...mark,
    ...(line && { line: line.map(to) }),
    ...(disc && { disc: [...to(disc), scale * disc[2]] }),
  }));
}; }
"""

# A change is drawn in the next frame, and a busy browser may be asked before.
PICTURED = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(pictured()))))"""

# A clock that a test moves once it holds it: frames come when it says so.
CLOCK = """{
const clock = performance.now.bind(performance), frame = requestAnimationFrame.bind(window);
let held = null, queue = [];
performance.now = () => held ?? clock();
window.requestAnimationFrame = (then) => (held === null ? frame(then) : -queue.push(then));
window.hold = () => (held ??= clock());
window.tick = (milliseconds) => {
  held += milliseconds;
  const due = queue;
  queue = [];
  for (const then of due) then(held);
}; }
"""

# --- handles ------------------------------------------------------------------------------

HANDLES = {
    "target": "(Target|Hand|Ziel): ",
    "root": "Root: ",
    "joint": "Joint: ",
    "pole": "Pole: ",
    "r1": "Length of the first bone: ",
    "r2": "Length of the second bone: ",
}


def handle(page, name):
    """Return one of the handles of the limb."""
    return page.get_by_role("button", name=re.compile(f"^{HANDLES[name]}"))


def middle(page, name):
    """Return where a handle is, in pixels."""
    return centre(handle(page, name))


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place(page, name):
    """Return the numbers that a handle says: where it is in the world, or its length."""
    return numbers(handle(page, name).get_attribute("aria-label").partition(": ")[2])


def numbers(text):
    """Return the numbers in a text of the page, which writes a true minus."""
    return [float(part) for part in re.findall(r"-?\d+(?:\.\d+)?", text.replace("\u2212", "-"))]


def scale_of(page):
    """Return pixels for a unit of the plane, beside the open controls."""
    (x, y), (u, v) = middle(page, "root"), middle(page, "r1")
    return ((x - u) ** 2 + (y - v) ** 2) ** 0.5 / limb_of(page)["r1"]


def world_of(page, x, y):
    """Return the point of the plane under some pixels, beside the open controls."""
    (u, v), scale, root = middle(page, "root"), scale_of(page), limb_of(page)["root"]
    return [root[0] + (x - u) / scale, root[1] - (y - v) / scale]


def drag(page, start, end, steps=5):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()


def fingers(page):
    """Return what puts fingers on a page: a kind of event, and where they are.

    They are numbered as they come, or by name: f0, f2.
    """
    client = page.context.new_cdp_session(page)

    def touch(kind, *places, **named):
        numbered = dict(enumerate(places)) | {int(name[1:]): at for name, at in named.items()}
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in numbered.items()]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return touch


# --- words and numbers --------------------------------------------------------------------


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def press(page, name):
    button(page, name).click()


def field(page, name):
    """Return a number field by the beginning of its name."""
    return page.get_by_role("spinbutton", name=re.compile(f"^{re.escape(name)}"))


def enter(page, name, text):
    """Type a number into a field, and Enter."""
    field(page, name).fill(text)
    page.keyboard.press("Enter")


def description(page):
    """Return what those who cannot see the picture are told."""
    return page.get_by_role("img").get_attribute("aria-label")


def address(page):
    """Return what the address says after the change before this, by its names."""
    page.evaluate(RESTS)
    pairs = page.url.partition("#")[2].split("&")
    return dict(pair.split("=", 1) for pair in pairs if pair)


def limb_of(page):
    """Return the limb that the address holds, to the last bit."""
    told, limb = address(page), dict(DEFAULTS)
    for name in limb.keys() & told.keys():
        if isinstance(limb[name], str):
            limb[name] = told[name]
        else:
            parts = [json.loads(part) for part in told[name].split(",")]
            limb[name] = parts if isinstance(limb[name], list) else parts[0]
    return limb


def copied(page, what, group="Copy"):
    """Return what one of the buttons copies; the controls are open."""
    page.get_by_role("group", name=group, exact=True).get_by_role(
        "button", name=what, exact=True
    ).click()
    return page.get_by_label("Copied text").input_value()


def saved(page, what):
    """Return the bytes of a file that is downloaded, and its name."""
    with page.expect_download() as download:
        page.get_by_role("group", name="Save", exact=True).get_by_role("button", name=what).click()
    return download.value.path().read_bytes(), download.value.suggested_filename


def visit_again(page, state):
    """Paste another state into the address of a page that is open."""
    page.goto(f"{page.url.partition('#')[0]}#{state}")


# --- what is drawn ------------------------------------------------------------------------


def drawn(page):
    """Return the marks of the picture after a change; the page was opened with `script=PEN`."""
    return page.evaluate(PICTURED)


def words_of(page):
    """Return the labels of the picture, sorted."""
    return sorted(mark["text"] for mark in drawn(page) if "text" in mark)


def pixels_of(png):
    """Return a PNG as an array of red, green, blue and opacity."""
    av = pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    with av.open(io.BytesIO(png)) as image:
        frame = next(image.decode(video=0))
        if frame.format.name == "rgba":
            return frame.to_ndarray(format="rgba")
        pixels = frame.to_ndarray(format="rgb24")  # as it is: a conversion would round
        return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])


def rgb(colour):
    """Return the parts of a colour #RRGGBB."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


# --- lessons ------------------------------------------------------------------------------


def current(page):
    """Return the step of a lesson that is the current one: readers of the screen have no other."""
    return page.get_by_role("region", name="Steps of the lesson").get_by_role("region")


def arrive(page, step):
    """Wait until a step is the current one and the limb is in its pose."""
    dots = page.get_by_role("listitem").get_by_role("button")
    dots.and_(page.locator("[aria-current=step]")).and_(
        page.get_by_role("button", name=re.compile(f"^Step {step}:"))
    ).wait_for()
    still(page)


def still(page):
    """Wait until the hand of the limb rests."""
    page.evaluate(RESTS)
    before = None
    while (now := middle(page, "target")) != before:
        before = now
        page.evaluate(FRAMES)


def random_states(count, seed=4):
    draw = random.Random(seed)
    number = lambda: draw.choice([draw.uniform(-2, 2), draw.gauss(0, 0.3), 0.0])  # noqa: E731
    for _ in range(count):
        least = draw.choice([0, 0, draw.uniform(0, 90)])
        yield {
            "scene": draw.choice(["plane", "space"]),
            "root": [number() for _ in range(3)],
            "target": [number() for _ in range(3)],
            "pole": [number() for _ in range(3)],
            "r1": abs(number()),
            "r2": abs(number()),
            "side": draw.choice([1, -1]),
            "policy": draw.choice(["clamp", "clamp", "stretch", "proportion", "nan", "raise"]),
            "limit": draw.uniform(1, 2),
            "soft": draw.choice([0, draw.uniform(0, 0.9)]),
            "least": least,
            "greatest": draw.choice([180, draw.uniform(least, 180)]),
        }
