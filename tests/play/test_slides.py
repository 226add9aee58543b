"""SVG and PNG for slides: 1920 x 1080, on a light ground, a dark one or none, with large type."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from browsing import RESTING, address, middle, pixels_of, rgb
from browsing import saved as saved_with_name
from twobone.pictures import theme

pytestmark = pytest.mark.sampled(3, "nightly")

NS = "{http://www.w3.org/2000/svg}"
LOOKS = {
    "": "As on the screen",
    "light": "Light",
    "dark": "Dark",
    "light clear": "None, for light slides",
    "dark clear": "None, for dark slides",
}


def saved(page, kind, size, look):
    page.get_by_label("Size", exact=True).select_option(label=size)
    page.get_by_label("Background", exact=True).select_option(label=LOOKS[look])
    return saved_with_name(page, kind)[0]


SCREEN, SLIDE = "As on the screen", "Slide, 1920 \N{MULTIPLICATION SIGN} 1080"


def pixels(page, *choices):
    return pixels_of(saved(page, "PNG", *choices))


def count(pixels, colour):
    """Return how many pixels have a colour."""
    return np.count_nonzero(np.all(pixels == [*rgb(colour), 255], axis=-1))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_png_for_slides_has_their_size_and_the_chosen_ground(visit, scheme):
    page = visit(RESTING, color_scheme=scheme)
    picture = page.get_by_role("img")
    before, place = picture.screenshot(), middle(page, "target")
    for look in LOOKS:
        found = pixels(page, SLIDE, look)
        assert found.shape == (1080, 1920, 4)
        kind = look.split()[0] if look else scheme
        if "clear" in look:
            assert found[0, 0].tolist() == [0, 0, 0, 0]
            assert count(found, getattr(theme.GROUND, kind)) == 0
        else:
            assert found[0, 0].tolist() == [*rgb(getattr(theme.GROUND, kind)), 255]
        # Bones are 6 x 2.25 pixels wide, several hundred long.
        assert count(found, getattr(theme.FIRST, kind)) > 5000
        assert count(found, getattr(theme.SECOND, kind)) > 4000
    apart = np.abs(pixels_of(before).astype(int) - pixels_of(picture.screenshot()))
    assert apart.mean() < 0.1  # the screen shows again what it did
    assert middle(page, "target") == place


def test_a_png_of_the_screen_can_have_another_ground(visit):
    page = visit(RESTING, color_scheme="dark")
    found = pixels(page, SCREEN, "light")
    assert found.shape == (800, 960, 4)
    assert found[0, 0].tolist() == [*rgb(theme.GROUND.light), 255]
    found = pixels(page, SCREEN, "")
    assert found[0, 0].tolist() == [*rgb(theme.GROUND.dark), 255]


@pytest.mark.parametrize("scene", ["space", "creature"])
def test_solids_are_rendered_for_slides_in_the_colours_of_their_ground(visit, scene):
    options = {"color_scheme": "dark", "reduced_motion": "reduce", "webgl": True}
    page = visit(f"scene={scene}&r1=0.81&liveliness=0", **options)
    page.wait_for_timeout(500)  # until it is drawn at full quality
    picture = page.get_by_role("img")
    before = picture.screenshot()
    light = pixels(page, SLIDE, "light")
    assert light.shape == (1080, 1920, 4)
    assert min(light[0, 0]) > 200
    clear = pixels(page, SLIDE, "light clear")
    assert clear[0, 0, 3] == 0
    page.wait_for_timeout(500)
    apart = np.abs(pixels_of(before).astype(int) - pixels_of(picture.screenshot()))
    assert apart.mean() < 0.5  # the screen shows again what it did


@pytest.mark.parametrize("state", [RESTING, "scene=space&r1=0.81"])
def test_an_svg_for_slides_has_type_for_the_back_row(visit, state):
    page = visit(state)
    for look in LOOKS:
        check_svg(saved(page, "SVG", SLIDE, look), look)


def check_svg(data, look):
    root = ET.fromstring(data)
    assert (root.get("width"), root.get("height")) == ("1920", "1080")
    width = float(root.get("viewBox").split()[2])
    grounds = [e.get("fill") for e in root.iter(f"{NS}rect")]
    kind = look.split()[0] if look else "light"
    assert grounds == ([] if "clear" in look else [getattr(theme.GROUND, kind)])
    texts = list(root.iter(f"{NS}text"))
    assert {"x", "p", "r₁", "r₂"} <= {e.text for e in texts}
    for text in texts:
        assert float(text.get("font-size")) * 1920 / width >= (
            28 if text.text in ("pole", "shoulder") else 48
        )
        assert ("paint-order" in text.attrib) == ("clear" not in look)
    for mark in root.iter(f"{NS}circle"):
        x, y = float(mark.get("cx")), float(mark.get("cy"))
        assert 0 < x < width
        assert 0 < y < width * 9 / 16


def test_a_slide_keeps_the_chosen_view(visit):
    page = visit("at=0.3,0.4,0.8&r1=0.81")
    root = ET.fromstring(saved(page, "SVG", SLIDE, ""))
    width, height = map(float, root.get("viewBox").split()[2:])
    [target] = [e for e in root.iter(f"{NS}circle") if e.get("id") == "target"]
    assert float(target.get("cx")) == pytest.approx(width / 2 + 0.45 * height / 0.8, abs=0.1)
    assert float(target.get("cy")) == pytest.approx(height / 2 - 0.15 * height / 0.8, abs=0.1)
    assert address(page)["at"] == "0.3,0.4,0.8"


def test_the_choices_are_large_enough(visit):
    page = visit(RESTING)
    for label in ("Size", "Background"):
        assert page.get_by_label(label, exact=True).bounding_box()["height"] >= 24


def test_the_slides_of_a_lesson_can_be_saved(visit):
    page = visit("step=3&present=1", panel=False, color_scheme="dark")
    page.wait_for_timeout(900)
    strip = page.get_by_role("navigation", name="Presentation")
    with page.expect_download() as download:
        strip.get_by_role("button", name="Save SVG").press("Enter")
    assert download.value.suggested_filename == "twobone-plane-3.svg"
    assert strip.get_by_role("status").inner_text() == "Saved twobone-plane-3.svg"
    root = ET.fromstring(download.value.path().read_bytes())
    assert root.get("width") == "1920"
    # As on the screen: both circles, words instead of symbols, the dark ground.
    words = {e.text for e in root.iter(f"{NS}text")}
    assert words == {"shoulder", "elbow", "hand", "or here"}
    assert next(root.iter(f"{NS}rect")).get("fill") == theme.GROUND.dark
    strokes = [e.get("stroke") for e in root.iter(f"{NS}circle")]
    assert {theme.FIRST.dark, theme.SECOND.dark} <= set(strokes)
    page.keyboard.press("PageDown")
    page.wait_for_timeout(100)
    assert strip.get_by_role("status").inner_text() == ""
