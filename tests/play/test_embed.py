"""The page embedded in another one: the code to paste, what is left of the page, its address."""

import html
import re

import pytest

import twobone
from browsing import RESTING, drag, limb_of, middle

POSED = "target=0.4,0.7,0.35&side=-1"


def source_of(code):
    [source] = re.findall('<iframe src="([^"<>]*)"', code)
    return html.unescape(source)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Return a page that knows its public address."""
    path = tmp_path_factory.mktemp("known") / "page.html"
    twobone.play.export(path, public_url="https://example.org/a?b=1&c=2")
    return path


def test_an_embedded_page_is_a_picture_a_line_and_a_link(visit, exported):
    page = visit(f"{POSED}&embed=1", panel=False, width=640, height=400)
    for part in ("#bar button", "#tools", "#panel", "#lesson", "#intro", "#strip"):
        assert page.locator(part).first.is_hidden()
    assert page.locator("#embed-line").inner_text() == "Drag the hand. Where is the elbow?"
    link = page.locator("#embed-link")
    assert link.get_attribute("target") == "_blank"
    assert link.get_attribute("rel") == "noopener"
    assert link.evaluate("a => a.href") == f"{exported.as_uri()}#{POSED}"
    assert link.bounding_box()["height"] >= 24
    assert page.locator("#credit").bounding_box()["height"] <= 56
    assert page.evaluate("main.isInSight(plane.toWorld([10, 10]))")


def test_the_link_of_an_embedded_page_has_the_present_state(visit):
    page = visit(f"{POSED}&embed=1", panel=False, width=640, height=400)
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 40, y + 30))
    page.wait_for_timeout(60)
    target = ",".join(f"{v:g}" for v in limb_of(page)["target"])
    assert target != "0.4,0.7,0.35"
    assert f"target={target}" in page.locator("#embed-link").evaluate("a => a.href")


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("step=3", "Two lengths are two circles"),
        ("lesson=space&step=2", "The pole picks one point"),
        ("scene=space&r1=0.8", "Drag the hand. Which way to bend?"),
        ("scene=creature", "Click the ground: it walks there."),
    ],
)
def test_every_scene_and_step_can_be_embedded(visit, address, line):
    page = visit(f"{address}&embed=1", panel=False, width=640, height=400)
    page.wait_for_function("(text) => document.getElementById('embed-line').textContent === text",
                           arg=line)  # fmt: skip
    assert page.locator("#lesson").is_hidden()
    assert page.locator("#panel").is_hidden()
    page.keyboard.press("Escape")  # closes nothing
    page.evaluate("main.drawNow()")
    assert page.locator("#embed-line").inner_text() == line


def test_a_wheel_over_an_embedded_picture_scrolls_the_page_around_it(visit, exported, tmp_path):
    for state in (RESTING, "scene=space&r1=0.8"):
        host = tmp_path / "host.html"
        frame = f'<iframe src="{exported.as_uri()}#{state}&embed=1" width=600 height=400></iframe>'
        host.write_text(f'<body style="height: 4000px">{frame}', encoding="utf-8")
        page = visit()
        page.goto(host.as_uri())
        inner = page.frames[1]
        inner.wait_for_function("() => typeof main !== 'undefined' && main.found() !== null")
        zoom = inner.evaluate("[plane.view.scale, state.now.zoom]")
        page.mouse.move(300, 200)
        page.mouse.wheel(0, 300)
        page.wait_for_function("() => scrollY > 0")
        assert inner.evaluate("[plane.view.scale, state.now.zoom]") == zoom
        touch = "getComputedStyle(document.getElementById('picture')).touchAction"
        assert inner.evaluate(touch) == "pan-y"


def test_the_code_opens_the_picture_in_another_page(visit, exported):
    page = visit(POSED)
    page.locator("#panel [data-embed]").click()
    code = page.locator("#embed-code").input_value()
    assert source_of(code) == f"page.html#{POSED}&embed=1"
    assert "no public address" in page.locator("#embed-note").inner_text()
    host = exported.parent / "host.html"
    host.write_text(f"<!doctype html><title>A lecture</title>{code}", encoding="utf-8")
    page.goto(host.as_uri())
    inner = page.frames[1]
    inner.wait_for_function("() => typeof main !== 'undefined' && main.found() !== null")
    assert inner.evaluate("state.limb().target") == [0.4, 0.7, 0.35]
    assert inner.locator("#credit").is_visible()
    frame = page.locator("iframe")
    assert frame.get_attribute("title") == "Two-bone inverse kinematics, interactive"
    assert frame.bounding_box()["width"] > 1200


def test_the_dialog_is_worked_by_keys(visit):
    page = visit("step=3", panel=False)
    button = page.locator("#embed-tool")
    assert button.get_attribute("aria-haspopup") == "dialog"
    button.press("Enter")
    assert page.locator("#embed").is_visible()
    assert "step=3&amp;embed=1" in page.locator("#embed-code").input_value()
    assert page.evaluate("document.getElementById('embed').contains(document.activeElement)")
    page.locator("#embed-copy").press("Enter")
    said = page.locator("#embed-said")
    page.wait_for_function("() => document.getElementById('embed-said').textContent")
    assert said.inner_text() in ("Copied", "Press Ctrl+C to copy")
    page.keyboard.press("f")  # keys of the picture do nothing here
    assert limb_of(page)["side"] == 1
    page.keyboard.press("Escape")
    assert page.locator("#embed").is_hidden()
    assert page.locator("#lesson").is_visible()
    assert page.evaluate("document.activeElement.id") == "embed-tool"


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 568)])
def test_the_dialog_fits_on_every_screen(visit, width, height):
    page = visit(RESTING, width=width, height=height)
    page.evaluate("document.querySelector('#panel [data-embed]').click()")
    box = page.locator("#embed").bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    for button in page.locator("#embed button").all():
        size = button.bounding_box()
        assert min(size["width"], size["height"]) >= 24


def test_a_public_address_is_in_links_and_in_the_code(opened, known):
    own = ("file:", "blob:", "data:")
    page = opened(f"{known.as_uri()}#{POSED}", lambda url: url.startswith(own))
    assert page.evaluate("keep.link()") == f"https://example.org/a?b=1&c=2#{POSED}"
    page.locator("[data-copy=link]").click()
    assert page.locator("#copied").input_value() == f"https://example.org/a?b=1&c=2#{POSED}"
    page.wait_for_function("() => document.getElementById('said').textContent")
    page.locator("#panel [data-embed]").click()
    code = page.locator("#embed-code").input_value()
    assert source_of(code) == f"https://example.org/a?b=1&c=2#{POSED}&embed=1"
    assert page.locator("#embed-note").is_hidden()
    page = opened(f"{known.as_uri()}#{POSED}&embed=1", lambda url: url.startswith(own), panel=False)
    link = page.locator("#embed-link").evaluate("a => a.href")
    assert link == f"https://example.org/a?b=1&c=2#{POSED}"


def test_a_served_page_names_the_public_address_and_never_its_own(opened, state_home):
    with twobone.play(port=0, open_browser=False, public_url="https://example.org/ik") as live:
        origin = live.address.split("/")[2]
        page = opened(f"{live.address}#{RESTING}", lambda url: origin in url)
        page.wait_for_function("() => live.isOpen()")
        assert page.evaluate("keep.link()").startswith("https://example.org/ik#")
        assert "127.0.0.1" not in page.evaluate("keep.embed()")
        page.evaluate("document.querySelector('link[rel=canonical]').remove()")
        assert source_of(page.evaluate("keep.embed()")).startswith("page.html#")


def test_no_state_breaks_out_of_the_code(visit):
    page = visit(RESTING)
    where = "new URL('https://a.org/%22%3E%3Cscript%3E/\\'x')"
    code = page.evaluate(f"keep.embed({where})")
    assert code.count("<") == 2
    assert code.count('"') % 2 == 0
    assert source_of(code).startswith("https://a.org/%22%3E%3Cscript%3E/")


@pytest.mark.parametrize("size", [(900, 560), (390, 500)])
def test_the_embedded_picture_is_in_the_middle(visit, size):
    page = visit("embed=1", panel=False, width=size[0], height=size[1])
    page.evaluate("main.drawNow()")
    free = page.evaluate("[plane.view.free.left, plane.view.free.width, plane.toPixels([0, 0])[0]]")
    assert free == [0.0, size[0], pytest.approx(size[0] / 2.0, abs=2.0)]
