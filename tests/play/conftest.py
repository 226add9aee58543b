"""A headless Chromium for the page; where there is none, tests say what they miss."""

import shutil

import pytest

import twobone

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]


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
    yield page
    page.close()


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    twobone.play.export(path)
    return path


@pytest.fixture
def visit(browser, exported):
    """Open the page from disk; nothing may be asked of a network, or complain."""
    contexts, complaints = [], []

    def visit(address="r1=0.8", width=1280, height=800, script=None, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        if script:
            page.add_init_script(script)
        page.on("pageerror", lambda error: complaints.append(error.message))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on(
            "request",
            lambda r: r.url.startswith(("file:", "blob:", "data:")) or complaints.append(r.url),
        )
        page.goto(f"{exported.as_uri()}#{address}" if address else exported.as_uri())
        page.wait_for_function("() => typeof main !== 'undefined' && main.found() !== null")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not complaints
