"""SVG and PNG for slides: 1920 x 1080, on a light ground, a dark one or none, with large type."""

import base64
import xml.etree.ElementTree as ET

import pytest

from browsing import RESTING
from twobone.pictures import theme

NS = "{http://www.w3.org/2000/svg}"
LOOKS = ["", "light", "dark", "light clear", "dark clear"]
VIEW = "[plane.view, space.view, document.documentElement.dataset, main.size(),"
VIEW += " document.getElementById('ink').width]"

# The size of a PNG, the colour and opacity of its corner, and the shares of some colours.
PIXELS = """async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const b = await createImageBitmap(new Blob([bytes]));
  const ctx = new OffscreenCanvas(b.width, b.height).getContext("2d");
  ctx.drawImage(b, 0, 0);
  const { data } = ctx.getImageData(0, 0, b.width, b.height), counts = new Map();
  for (const v of new Uint32Array(data.buffer)) counts.set(v, (counts.get(v) ?? 0) + 1);
  const share = {};
  const hex = (v) => [v & 255, (v >> 8) & 255, (v >> 16) & 255]
    .map((part) => part.toString(16).padStart(2, "0")).join("").toUpperCase();
  for (const [v, count] of counts) if (v >>> 24 === 255) share["#" + hex(v)] = count;
  return { size: [b.width, b.height], corner: [...data.slice(0, 4)], share };
}"""


def pixels(page, *choices):
    data = base64.b64encode(saved(page, "png", *choices)).decode()
    return page.evaluate(PIXELS, data)


def saved(page, kind, size, ground):
    page.locator("#save-size").select_option(size)
    page.locator("#save-ground").select_option(ground)
    with page.expect_download() as download:
        page.locator(f"[data-save={kind}]").click()
    return download.value.path().read_bytes()


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_png_for_slides_has_their_size_and_the_chosen_ground(visit, scheme):
    page = visit(RESTING, color_scheme=scheme)
    before = page.evaluate(VIEW)
    for look in LOOKS:
        found = pixels(page, "slide", look)
        assert found["size"] == [1920, 1080]
        kind = look.split()[0] if look else scheme
        colour = lambda tone, kind=kind: getattr(tone, kind)  # noqa: E731
        if "clear" in look:
            assert found["corner"] == [0, 0, 0, 0]
            assert colour(theme.GROUND) not in found["share"]
        else:
            assert found["corner"] == [*rgb(colour(theme.GROUND)), 255]
        # Bones are 6 x 2.25 pixels wide, several hundred long.
        assert found["share"][colour(theme.FIRST)] > 5000
        assert found["share"][colour(theme.SECOND)] > 4000
    assert page.evaluate(VIEW) == before


def test_a_png_of_the_screen_can_have_another_ground(visit):
    page = visit(RESTING, color_scheme="dark")
    found = pixels(page, "screen", "light")
    assert found["size"] == [960, 800]
    assert found["corner"] == [*rgb(theme.GROUND.light), 255]
    found = pixels(page, "screen", "")
    assert found["corner"] == [*rgb(theme.GROUND.dark), 255]


@pytest.mark.parametrize("scene", ["space", "creature"])
def test_solids_are_rendered_for_slides_in_the_colours_of_their_ground(visit, scene):
    options = {"color_scheme": "dark", "reduced_motion": "reduce", "webgl": True}
    page = visit(f"scene={scene}&r1=0.81", **options)
    page.wait_for_function("() => !document.getElementById('solid').hidden")
    light = pixels(page, "slide", "light")
    assert light["size"] == [1920, 1080]
    assert min(light["corner"]) > 200
    clear = pixels(page, "slide", "light clear")
    assert clear["corner"][3] == 0
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    # The screen shows again what it did.
    assert page.evaluate("document.getElementById('solid').width") <= 960


@pytest.mark.parametrize("address", [RESTING, "scene=space&r1=0.81"])
def test_an_svg_for_slides_has_type_for_the_back_row(visit, address):
    page = visit(address)
    for look in LOOKS:
        check_svg(saved(page, "svg", "slide", look), look)


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
    root = ET.fromstring(saved(page, "svg", "slide", ""))
    width, height = map(float, root.get("viewBox").split()[2:])
    [joint] = [e for e in root.iter(f"{NS}circle") if e.get("id") == "joint"]
    found = page.evaluate("main.found().joint")
    x = width / 2 + (found[0] - 0.3) * height / 0.8
    assert float(joint.get("cx")) == pytest.approx(x, abs=0.1)
    assert page.evaluate("plane.seen()") == pytest.approx([0.3, 0.4, 0.8])


def test_the_choices_are_labelled_and_large_enough(visit):
    page = visit(RESTING)
    for name, label in (("size", "Size"), ("ground", "Background")):
        box = page.get_by_label(label, exact=True)
        assert box.get_attribute("id") == f"save-{name}"
        assert box.bounding_box()["height"] >= 24


def test_the_slides_of_a_lesson_can_be_saved(visit):
    page = visit("step=3&present=1", panel=False, color_scheme="dark")
    page.wait_for_function("() => !lesson.isMoving()")
    with page.expect_download() as download:
        page.locator("#strip-save").press("Enter")
    assert download.value.suggested_filename == "twobone-plane-3.svg"
    assert page.locator("#strip-said").inner_text() == "Saved twobone-plane-3.svg"
    root = ET.fromstring(download.value.path().read_bytes())
    assert root.get("width") == "1920"
    # As on the screen: both circles, words instead of symbols, the dark ground.
    words = {e.text for e in root.iter(f"{NS}text")}
    assert words == {"shoulder", "elbow", "hand", "or here"}
    assert next(root.iter(f"{NS}rect")).get("fill") == theme.GROUND.dark
    strokes = [e.get("stroke") for e in root.iter(f"{NS}circle")]
    assert {theme.FIRST.dark, theme.SECOND.dark} <= set(strokes)
    page.keyboard.press("PageDown")
    page.evaluate("main.drawNow()")
    assert page.locator("#strip-said").inner_text() == ""
