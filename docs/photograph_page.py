"""Take the screenshots of the page that README shows: `python docs/photograph_page.py`.

A real browser draws them, so glyphs and edges differ slightly between machines. A test checks that
the stored pictures still match the page.
"""

import base64
import shutil
import tempfile
from pathlib import Path

import twobone

PICTURES = Path(__file__).parent / "pictures"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
DRAWN = "() => typeof main !== 'undefined' && main.found() !== null"

STATE = "step=6"
CREATURE = "scene=creature&zoom=1.35&yaw=88&pitch=16&embed=1"  # without words beside it
SECONDS = 6.4  # of the automatic motion
# After the camera has come to rest, at full resolution.
WALKING = """(seconds) => {
    const TICK = 1000 / 120;
    let time = 1e7;
    main.wander(true);
    walk.rest();
    for (let i = 0; i <= 120 * seconds; i++) walk.step((time += TICK));
    main.wander(false);
    for (let i = 0; i < 400; i++) creature.follow((time += 16));
    const canvas = document.createElement("canvas");
    main.compose(canvas);
    return canvas.toDataURL("image/png").split(",")[1];
}"""


def open_page(browser, state, **options):
    """Open the exported page; it is loaded before its temporary file is deleted."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        twobone.play.export(file)
        page = browser.new_page(color_scheme="light", reduced_motion="reduce", **options)
        page.goto(f"{file.as_uri()}#{state}")
        page.wait_for_function(DRAWN)
    return page


def photograph_page(browser, path):
    """Write a screenshot of the page, at twice the pixel density, as a PNG."""
    size = {"width": 1120, "height": 830}
    page = open_page(browser, STATE, viewport=size, device_scale_factor=2)
    page.wait_for_timeout(200)
    page.screenshot(path=path)
    page.close()


def photograph_creature(browser, path):
    """Write a picture of the page's animal as a PNG."""
    size = {"width": 1120, "height": 649}  # with a line of 49 pixels below the picture
    page = open_page(browser, CREATURE, viewport=size, device_scale_factor=1.5)
    page.wait_for_function("() => walk.at() !== null")
    path.write_bytes(base64.b64decode(page.evaluate(WALKING, SECONDS)))
    page.close()


PHOTOGRAPHS = {"page.png": photograph_page, "creature.png": photograph_creature}

if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as api:
        name = next(filter(None, map(shutil.which, BROWSERS)))
        chromium = api.chromium.launch(executable_path=name, args=ARGUMENTS)
        for file, photograph in PHOTOGRAPHS.items():
            photograph(chromium, PICTURES / file)
