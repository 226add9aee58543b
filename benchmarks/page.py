"""Time the interactive page in Chromium: `python benchmarks/page.py`

Opens the page from disk. Drags the target and measures, in milliseconds on the page's own clock:
the pointer's event until the state has changed, and solving and drawing once per frame (at 60 per
second a frame has 16.7 ms). Then it measures the round trip of a state to Python and back by
WebSocket, and the walking animal.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import recorded

import twobone
from twobone import motion
from twobone.rotations import normalize

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SOFTWARE = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=400, help="movements of the pointer")
    recorded.option(parser)
    arguments, found = parser.parse_args(), []
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as api, tempfile.TemporaryDirectory() as folder:
        browser = api.chromium.launch(executable_path=path, args=SOFTWARE)
        file = Path(folder) / "page.html"
        twobone.play.export(file)
        size = file.stat().st_size
        print(f"Chromium {browser.version}, software rendering, {size:,} bytes")
        print(f"{'':24}{'median':>10}{'95th':>10}  milliseconds")
        show(found, "opening", openings(browser, f"{file.as_uri()}#r1=0.8"))
        for scene in ("plane", "space"):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{file.as_uri()}#scene={scene}&r1=0.8")
            page.wait_for_timeout(500)
            drag(page, arguments.moves)
            show(found, f"{scene}: event", page.evaluate("handles.costs"))
            show(found, f"{scene}: solve and draw", page.evaluate("main.times")[5:])
            page.close()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{file.as_uri()}#scene=character")
        open_character(page, Path(folder) / "octopod.glb")
        show(found, "character: pose 100 joints", page.evaluate(POSES, arguments.moves))
        page.close()
        with twobone.play(port=0, open_browser=False) as live:
            page = browser.new_page()
            page.goto(live.address)
            page.wait_for_function("() => !document.getElementById('by-python').disabled")
            show(found, "to Python and back", round_trips(page, arguments.moves))
            page.evaluate("state.set({ scene: 'creature' }); main.wander(true)")
            page.wait_for_timeout(6000)  # until the page has settled on a level of detail
            page.evaluate("main.times.length = 0")
            rate = pictures(page)
            show(found, "creature: bend and draw", page.evaluate("main.times"))
            print(
                f"creature: {rate:.0f} frames per second, at level {page.evaluate('stage.level()')}"
            )
        about = recorded.machine(browser=f"Chromium {browser.version}", drawing="in software")
        browser.close()
    if arguments.json:
        recorded.write(arguments.json, about, bytes=size, pictures_a_second=rate, rows=found)


# Pose all joints of a frame, hold all limbs and set the nodes of three.js: 20 frames for each time,
# because clocks of browsers are coarse.
POSES = """(count) => {
  const posing = character.it(), times = [];
  for (const { limb, target } of character.limbs())
    posing.hold(limb, { target: target.map((v, i) => v + [0.1, 0.2, 0.1][i]) });
  for (let k = 0; k < count; k++) {
    const began = performance.now();
    for (let i = 0; i < 20; i++) {
      posing.advance(1 / 60);
      character.solve();
    }
    times.push((performance.now() - began) / 20);
  }
  return times;
}"""


def open_character(page, path):
    """Open an animal of 100 joints with eight legs."""
    names, parents = ["hips", "head", "tail", "tip"], [-1, 0, 0, 2]
    offsets = [[0.0, 1.0, 0.0]]
    offsets += [[0, 0, 0.4], [0, 0, -0.4], [0, 0, -0.2]]
    for leg in range(8):
        side, ahead = (1, -1)[leg % 2], 0.3 * (leg // 2) - 0.45
        for joint in range(12):
            names.append(f"leg_{leg}_{joint}")
            parents.append(0 if joint == 0 else len(parents) - 1)
            long = {0: 0.2, 1: 0.5, 2: 0.6}.get(joint, 0.02)
            offsets.append([side * long, 0.3 * long * (2 - joint), ahead if joint == 0 else 0.0])
    skeleton = twobone.Skeleton(parents, offsets, names=names)
    turned = np.tile(skeleton.rotations, (60, 1, 1))
    turned[:, 4:, 2] = 0.2 * np.sin(np.linspace(0.0, 6.0, 60))[:, None]
    pose = twobone.LocalPose(normalize(turned))
    motion.save(motion.Clip(skeleton, pose, 30), path)
    page.set_input_files("#character-file", path)
    page.wait_for_function("() => character.it().character.name === 'octopod.glb'")
    joints = "character.it().source.skeleton.names.length"
    assert page.evaluate(f"[{joints}, character.limbs().length]") == [100, 8]


DRAWN = """
const look = () => {
  if (typeof main !== "undefined" && main.found()) window.drawn = performance.now();
  else setTimeout(look);
};
look();
"""


def openings(browser, address, count=20):
    """Return the times from the navigation to the first drawn frame, without a cache."""
    times = []
    for _ in range(count):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(DRAWN)
        page.goto(address)
        page.wait_for_function("() => window.drawn")
        times.append(page.evaluate("window.drawn"))
        page.close()
    return times


def drag(page, moves):
    """Drag the target in circles, in and out of reach."""
    box = page.locator("#handle-target").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for angle in np.linspace(0.0, 6.0 * np.pi, moves):
        page.mouse.move(x - 150 + 150 * np.cos(angle), y + 150 * np.sin(angle))
        time.sleep(0.004)
    page.mouse.up()


def round_trips(page, count):
    """Return the round-trip times of states sent to Python."""
    return page.evaluate(
        """async (count) => {
          const socket = new WebSocket(live.address()), found = [];
          await new Promise((done) => (socket.onopen = done));
          for (let i = 0; i < count; i++) {
            const began = performance.now();
            const answered = new Promise((done) => {
              socket.onmessage = ({ data }) => JSON.parse(data).type === "answer" && done();
            });
            socket.send(JSON.stringify({ type: "state", state: state.limb(), id: i }));
            await answered;
            found.push(performance.now() - began);
          }
          return found;
        }""",
        count,
    )


def pictures(page):
    """Return the number of frames per second."""
    return page.evaluate(
        """() => new Promise((done) => {
          const began = performance.now();
          let count = 0;
          const next = () => {
            count++;
            const gone = performance.now() - began;
            if (gone < 4000) requestAnimationFrame(next);
            else done((1000 * count) / gone);
          };
          requestAnimationFrame(next);
        })"""
    )


def show(found, name, milliseconds):
    """Show the median and the 95th percentile, and append them to `found`."""
    middle, high = np.percentile(milliseconds, [50, 95]).tolist()
    print(f"{name:24}{middle:10.2f}{high:10.2f}")
    found.append({"what": name, "median_ms": middle, "p95_ms": high})


if __name__ == "__main__":
    main()
