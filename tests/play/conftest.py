"""A headless Chromium for the page; where there is none, tests say what they miss.

Software draws everything here, WebGL at several times the cost of the rest of a page: a test that
needs it opens the page with `webgl=True`, in others scenes are drawn with lines.
"""

import re
import shutil

import pytest

import node_scripts
import twobone
from browsing import FRAMES, NO_WEBGL, RESTING
from twobone.play.animals_table import animals_table

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    # Software that imitates a graphics card is slower than software that does without one.
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--disable-accelerated-2d-canvas",
]
OPEN = re.compile("^(Controls|Regler)$")
PATIENCE = 120_000  # milliseconds for each thing a browser does, on a busy machine


@pytest.fixture(scope="session")
def modules(tmp_path_factory):
    """Return what asks the page's modules in node, without a browser."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    asked = node_scripts.Modules(tmp_path_factory.mktemp("modules"))
    yield asked
    asked.close()


@pytest.fixture(scope="session")
def table():
    """Return the table of animals, which takes an eighth of a second."""
    return animals_table()


@pytest.fixture(scope="session")
def _page_in_node(tmp_path_factory, table):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    asked = node_scripts.Modules(tmp_path_factory.mktemp("logic"), table)
    yield asked
    asked.close()


# The state is that of an address, and a frame solves the limb and shows nothing.
STARTED = """(async ([address, given]) => {
  frames.begin({ solve: () => limb.solve(state.now), show: () => {}, advance: () => {} });
  state.set(state.read(address), "address");
  state.settle();
  frames.drawNow();
  return EXPRESSION;
})(given)"""


@pytest.fixture
def logic(_page_in_node):
    """Return what asks the page's logic in node: at an address, an expression of `given`.

    Elements of the page are there, but show nothing.
    """

    def run(address, imports, expression, given=None):
        imports = {"stage/frames": "frames", "limb/limb": "limb", "state/state": "state", **imports}
        code = STARTED.replace("EXPRESSION", expression)
        return _page_in_node(imports, code, [address, given])

    return run


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: there is none of {', '.join(NAMES)}")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    twobone.play.export(path)
    return path


@pytest.fixture
def opened(browser):
    """Open the page somewhere; it may neither complain nor ask for anything but its own."""
    contexts, complaints = [], []

    def open_page(address, is_own, script=None, may_lose=False, panel=True, webgl=False, **options):
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        for each in (None if webgl else NO_WEBGL, script):
            if each:
                page.add_init_script(each)
        page.on("pageerror", lambda error: complaints.append(error.message))
        page.on("request", lambda r: is_own(r.url) or complaints.append(r.url))
        if not may_lose:  # a lost connection is told by browsers as an error
            page.on("console", lambda m: m.type != "error" or complaints.append(m.text))
        page.goto(address)  # a page that has loaded is drawn
        if panel and "step=" not in address:  # most tests are about what the controls do
            page.get_by_role("button", name=OPEN).click()
            page.evaluate(FRAMES)  # the picture is narrower beside them
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def visit(opened, exported):
    """Open the page from disk."""

    def visit(address=RESTING, width=1280, height=800, **options):
        size = {"width": width, "height": height}
        where = f"{exported.as_uri()}#{address}" if address else exported.as_uri()
        own = ("file:", "blob:", "data:")
        return opened(where, lambda url: url.startswith(own), viewport=size, **options)

    return visit


@pytest.fixture
def live(state_home):
    with twobone.play(port=0, open_browser=False) as page:
        yield page


@pytest.fixture
def visitor(opened):
    """Open the address of a server."""

    def visit(address, gone=False, state=RESTING, size=(1100, 750), **options):
        origin, view = address.split("/")[2], dict(zip(("width", "height"), size, strict=True))
        options |= {"may_lose": gone, "viewport": view}
        return opened(f"{address}#{state}", lambda url: origin in url, **options)

    return visit
