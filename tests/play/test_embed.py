"""The page embedded in another one: the code to paste, what is left of the page, its address."""

import html
import re

import pytest

import twobone
from browsing import (
    RESTING,
    RESTS,
    address,
    arrive,
    button,
    copied,
    drag,
    limb_of,
    middle,
    place,
    press,
)

pytestmark = pytest.mark.sampled(3, "nightly")

POSED = "target=0.4,0.7,0.35&side=-1"
SMALL = {"panel": False, "width": 640, "height": 400}
OWN = ("file:", "blob:", "data:")
FOCUS = "(one) => one === document.activeElement"


def source_of(code):
    [source] = re.findall('<iframe src="([^"<>]*)"', code)
    return html.unescape(source)


def link_of(page):
    """Return the link to the whole page."""
    link = page.get_by_role("link", name="Open the full page")
    return link, link.evaluate("(one) => one.href")


def code_of(page):
    return page.get_by_label("Embed code").input_value()


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Return a page that knows its public address."""
    path = tmp_path_factory.mktemp("known") / "page.html"
    twobone.play.export(path, public_url="https://example.org/a?b=1&c=2")
    return path


def test_an_embedded_page_is_a_picture_a_line_and_a_link(visit, exported):
    page = visit(f"{POSED}&embed=1", **SMALL)
    buttons = page.get_by_role("button").all()
    assert [one.get_attribute("aria-roledescription") for one in buttons] == ["handle"]
    line = page.get_by_role("contentinfo").get_by_role("paragraph")
    assert line.inner_text() == "Drag the hand. Where is the elbow?"
    link, to = link_of(page)
    assert link.get_attribute("target") == "_blank"
    assert link.get_attribute("rel") == "noopener"
    assert to == f"{exported.as_uri()}#{POSED}"
    assert link.bounding_box()["height"] >= 24
    assert page.get_by_role("contentinfo").bounding_box()["height"] <= 56
    # A press beside the limb brings the hand there: nothing lies on the picture.
    page.mouse.click(10, 10)
    page.evaluate(RESTS)
    assert middle(page, "target") == pytest.approx((10, 10), abs=1)


def test_the_link_of_an_embedded_page_has_the_present_state(visit):
    page = visit(f"{POSED}&embed=1", **SMALL)
    x, y = middle(page, "target")
    drag(page, (x, y), (x - 40, y + 30))
    target = address(page)["target"]
    assert target != "0.4,0.7,0.35"
    assert f"target={target}&" in link_of(page)[1] + "&"


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("step=3", "Two lengths are two circles"),
        ("lesson=space&step=2", "The pole picks one point"),
        ("scene=space&r1=0.8", "Drag the hand. Which way to bend?"),
        ("scene=creature", "Click the ground: it walks there."),
    ],
)
def test_every_scene_and_step_can_be_embedded(visit, state, line):
    page = visit(f"{state}&embed=1", **SMALL)
    shown = page.get_by_role("contentinfo").get_by_text(line, exact=True)
    shown.wait_for()
    assert page.get_by_role("complementary").is_hidden()
    page.keyboard.press("Escape")  # closes nothing
    page.evaluate(RESTS)
    assert shown.is_visible()


def test_a_wheel_over_an_embedded_picture_scrolls_the_page_around_it(visit, exported, tmp_path):
    for state in (RESTING, "scene=space&r1=0.8"):
        host = tmp_path / "host.html"
        frame = f'<iframe src="{exported.as_uri()}#{state}&embed=1" width=600 height=400></iframe>'
        host.write_text(f'<body style="height: 4000px">{frame}', encoding="utf-8")
        page = visit()
        page.goto(host.as_uri())
        inner = page.frames[1]
        before = link_of(inner)[1]
        page.mouse.move(300, 200)
        page.mouse.wheel(0, 300)
        page.wait_for_timeout(300)
        assert page.locator("iframe").bounding_box()["y"] < -100
        inner.evaluate(RESTS)
        assert link_of(inner)[1] == before  # no zoom
        picture = inner.get_by_role("img").locator("..")
        assert picture.evaluate("(one) => getComputedStyle(one).touchAction") == "pan-y"


def test_the_code_opens_the_picture_in_another_page(visit, exported):
    page = visit(POSED)
    press(page, "Embed")
    code = code_of(page)
    assert source_of(code) == f"page.html#{POSED}&embed=1"
    assert page.get_by_text("no public address").is_visible()
    host = exported.parent / "host.html"
    host.write_text(f"<!doctype html><title>A lecture</title>{code}", encoding="utf-8")
    page.goto(host.as_uri())
    inner = page.frames[1]
    assert place(inner, "target") == [0.4, 0.7]
    assert link_of(inner)[0].is_visible()
    frame = page.locator("iframe")
    assert frame.get_attribute("title") == "Two-bone inverse kinematics, interactive"
    assert frame.bounding_box()["width"] > 1200


def test_the_dialog_is_worked_by_keys(visit):
    page = visit("step=3", panel=False)
    arrive(page, 3)
    opener, dialog = button(page, "Embed"), page.get_by_role("dialog")
    assert opener.get_attribute("aria-haspopup") == "dialog"
    opener.press("Enter")
    dialog.wait_for()
    assert "step=3&amp;embed=1" in code_of(page)
    assert dialog.locator(":focus").count() == 1
    button(page, "Copy the code").press("Enter")
    dialog.get_by_role("status").filter(
        has_text=re.compile("Copied|Press Ctrl.C to copy")
    ).wait_for()
    page.keyboard.press("f")  # keys of the picture do nothing here
    assert limb_of(page)["side"] == 1
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    arrive(page, 3)
    assert opener.evaluate(FOCUS)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 568)])
def test_the_dialog_fits_on_every_screen(visit, width, height):
    page = visit(RESTING, width=width, height=height)
    press(page, "Embed")
    dialog = page.get_by_role("dialog")
    box = dialog.bounding_box()
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    for one in dialog.get_by_role("button").all():
        size = one.bounding_box()
        assert min(size["width"], size["height"]) >= 24


def test_a_public_address_is_in_links_and_in_the_code(opened, known):
    page = opened(f"{known.as_uri()}#{POSED}", lambda url: url.startswith(OWN))
    assert copied(page, "Link", "Share") == f"https://example.org/a?b=1&c=2#{POSED}"
    press(page, "Embed")
    assert source_of(code_of(page)) == f"https://example.org/a?b=1&c=2#{POSED}&embed=1"
    assert page.get_by_text("no public address").is_hidden()
    page = opened(f"{known.as_uri()}#{POSED}&embed=1", lambda url: url.startswith(OWN), panel=False)
    assert link_of(page)[1] == f"https://example.org/a?b=1&c=2#{POSED}"
