"""What tests of the page do and see: a hand on its handles, the limb that came of it."""

import random

RESTING = "r1=0.8"  # any address: the target does not wander
HAND = "#handle-target"
RESTS = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 80))"

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


def limb_of(page):
    return page.evaluate("state.limb()")


def middle(page, name):
    box = page.locator(f"#handle-{name}").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def world_of(page, x, y):
    """Return the point of the plane under some pixels."""
    return page.evaluate("([x, y]) => plane.toWorld([x, y])", [x, y])


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


def arrive(page, step):
    """Wait until a step is the current one and the limb is in its pose."""
    page.wait_for_function(
        "(n) => state.now.step === n && !lesson.isMoving() &&"
        " document.querySelectorAll('.step')[n - 1].classList.contains('now')",
        arg=step,
    )
    page.evaluate(RESTS)


def section(page, step):
    return page.locator(f".step:nth-child({step})")
