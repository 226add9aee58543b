"""Take the picture of the page on top of README: python docs/photograph_page.py

It is made in a real browser, so letters and edges differ a little between machines; a test
sees that the picture that is kept is still one of the page.
"""

import shutil
import tempfile
from pathlib import Path

import twobone

PICTURE = Path(__file__).parent / "pictures" / "page.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1120, "height": 730}
STATE = "target=0.72,0.62,0.35&r1=0.9&r2=0.62"


def photograph(browser, path):
    """Write a picture of the page, at twice the density, as a PNG."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        twobone.play.export(file)
        page = browser.new_page(viewport=SIZE, device_scale_factor=2, color_scheme="light")
        page.goto(f"{file.as_uri()}#{STATE}")
        page.wait_for_function("() => typeof main !== 'undefined' && main.found() !== null")
        page.wait_for_timeout(200)
        page.screenshot(path=path)
        page.close()


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as api:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        photograph(api.chromium.launch(executable_path=path, args=["--no-sandbox"]), PICTURE)
