"""Firefox and WebKit, driven by their own protocols: nothing to install but the browsers.

A driver opens addresses, runs JavaScript, finds elements by role and name, drags and clicks with a
mouse, presses keys, takes screenshots, and keeps what the page complains of.
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from websockets.sync.client import connect

from browsing import FRAMES

WIDTH, HEIGHT = 1000, 700
SECONDS = 120  # for one answer of a browser
KEYS = {"ArrowRight": "\ue014"}  # as WebDriver writes them; letters are written as they are

# `find(role, name, group)` is the first that is shown of what has a role and a name, a regular
# expression of all of it; in a group of such a name, or anywhere.
FIND = """
  const TAGS = { button: "button", complementary: "aside", region: "section",
    slider: "input[type=range]", textbox: "textarea" };
  const find = (role, name = ".*", group = "") => {
    const named = new RegExp(`^(${name})$`, "s"), within = group ? find("group", group) : document;
    const said = (one) => one.ariaLabel
      ?? (document.getElementById(one.getAttribute("aria-labelledby")) ?? one).textContent.trim();
    return [...within.querySelectorAll(`${TAGS[role] ?? role}, [role=${role}]`)].find((one) =>
      one.getClientRects().length && !one.closest("[aria-hidden=true]") && named.test(said(one)));
  };
"""
# A change is drawn in the next frame, and a busy browser may be asked before.
DRAWN = f"await ({FRAMES})();"


@contextlib.contextmanager
def process(*command, **options):
    """Run a program for as long as the block."""
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True, **options)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


@contextlib.contextmanager
def display():
    """Yield an environment with a screen: the one that there is, or a virtual one, or none."""
    if os.environ.get("DISPLAY") or not shutil.which("Xvfb"):
        yield dict(os.environ)
        return
    read, write = os.pipe()
    screen = ("-screen", "0", "1400x1000x24", "-nolisten", "tcp")
    command = ("Xvfb", "-displayfd", str(write), *screen)
    with process(*command, pass_fds=[write], stderr=subprocess.DEVNULL):
        os.close(write)
        with os.fdopen(read) as file:
            yield {**os.environ, "DISPLAY": f":{file.readline().strip()}"}


class Driver:
    """What both browsers can do, told in terms of `_run`, `_act` and `screenshot`."""

    def run(self, script):
        """Return what the body of an asynchronous function returns, as JSON carries it."""
        return json.loads(self._run(FIND + script))

    def wait_for(self, condition, seconds=SECONDS):
        end = time.monotonic() + seconds
        while not self.run(f"return !!({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.05)

    def drag(self, *places):
        """Press the mouse at the first place, move through all, let go at the last; it is shown."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20} for x, y in places
        ]
        button = {"button": 0}
        self._act("pointer", [moves[0], {"type": "pointerDown"} | button, *moves[1:],
                              {"type": "pointerUp"} | button])  # fmt: skip
        self.run(DRAWN)

    @contextlib.contextmanager
    def holding(self, key):
        """Hold a key of the keyboard for as long as the block."""
        self._act("key", [{"type": "keyDown", "value": key}])
        yield
        self._act("key", [{"type": "keyUp", "value": key}])

    def type(self, *keys):
        values = [KEYS.get(key, key) for key in keys]
        kinds = ("keyDown", "keyUp")
        self._act("key", [{"type": kind, "value": v} for v in values for kind in kinds])

    def middle(self, *what):
        """Return where the middle of an element is, of what `find` takes, once it is there."""
        found = f"find(...{json.dumps(what)})"
        self.wait_for(found)
        return self.run(
            f"const one = {found}; one.scrollIntoView({{ block: 'nearest' }});"
            "const { x, y, width, height } = one.getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]"
        )

    def click(self, *what):
        """Click an element, of what `find` takes."""
        self.drag(self.middle(*what))

    def rest(self):
        """Wait until nothing moves."""
        before, end = None, time.monotonic() + SECONDS
        while (now := self.screenshot()) != before:
            assert time.monotonic() < end
            before = now
            self.run(DRAWN)


class Firefox(Driver):
    """Firefox over WebDriver BiDi, as the W3C describes it."""

    def __init__(self, session):
        self.session, self.numbers = session, itertools.count(1)
        self._complaints = []
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        [tab] = self._call("browsingContext.getTree")["contexts"]
        self.tab = {"context": tab["context"]}
        size = {"width": WIDTH, "height": HEIGHT}
        self._call("browsingContext.setViewport", **self.tab, viewport=size)

    def _call(self, method, **parameters):
        number = next(self.numbers)
        self.session.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.session.recv(SECONDS))).get("id") != number:
            if answer.get("method") == "log.entryAdded":
                entry = answer["params"]
                if entry["level"] in ("warn", "error"):
                    self._complaints.append(entry["text"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, address):
        """Open an address, and wait until it has loaded.

        The browser is asked, because Firefox itself now and then says too early that a page has
        loaded, or never.
        """
        self._call("browsingContext.navigate", **self.tab, url=address, wait="none")
        end = time.monotonic() + SECONDS
        while not self._has_loaded(address):
            assert time.monotonic() < end, address
            time.sleep(0.01)

    def _has_loaded(self, url):
        try:
            return self.run(
                f"const [here, there] = [location, new URL({json.dumps(url)})];"
                "return document.readyState === 'complete'"
                " && here.href.split('#')[0] === there.href.split('#')[0]"
            )
        except AssertionError:  # one page went away, and the next is not there yet
            return False

    def _run(self, script):
        answer = self._call(
            "script.evaluate",
            expression=f"(async () => {{ {script} }})().then((v) => JSON.stringify(v ?? null))",
            target=self.tab,
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return answer["result"]["value"]

    def _act(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self._call("input.performActions", **self.tab, actions=[source])

    def screenshot(self):
        return self._call("browsingContext.captureScreenshot", **self.tab)["data"]

    def complaints(self):
        """Return warnings and errors in the console since the last call."""
        found, self._complaints = self._complaints, []
        return found


class WebKit(Driver):
    """WebKit over WebDriver, as the W3C describes it."""

    def __init__(self, address):
        self.address = address
        self.session = ""
        capabilities = {"capabilities": {"alwaysMatch": {}}}
        self.session = f"/{self._call('', capabilities)['sessionId']}"
        self._call("/window/rect", {"width": WIDTH, "height": HEIGHT})

    def _call(self, path, body=None, method=None):
        request = urllib.request.Request(
            f"{self.address}/session{self.session}{path}",
            method=method or ("GET" if body is None else "POST"),
            data=None if body is None else json.dumps(body).encode(),
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, address):
        self._call("/url", {"url": address})
        self.run(LISTEN)

    def _run(self, script):
        body = (
            f"const done = arguments[0]; (async () => {{ {script} }})()"
            ".then((v) => done(JSON.stringify(v ?? null)), (e) => done(`{${e}`))"
        )
        return self._call("/execute/async", {"script": body, "args": []})

    def _act(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self._call("/actions", {"actions": [source]})

    def screenshot(self):
        return self._call("/screenshot")

    def complaints(self):
        """Return errors and warnings since the page has been loaded, which are then forgotten."""
        return self.run("return (window.complaints ?? []).splice(0)")


# WebDriver tells nothing of the console.
LISTEN = """
  window.complaints = [];
  for (const name of ["warn", "error"]) {
    const real = console[name];
    console[name] = (...all) => (complaints.push(all.join(" ")), real.apply(console, all));
  }
  addEventListener("error", (event) => complaints.push(event.message));
  addEventListener("unhandledrejection", (event) => complaints.push(String(event.reason)));
"""


# --- how they are started -----------------------------------------------------------------


@contextlib.contextmanager
def firefox(folder):
    """Run Firefox with a profile in a folder; without a screen it draws no WebGL."""
    with display() as environment:
        head = [] if "DISPLAY" in environment else ["--headless"]
        path = shutil.which("firefox-esr") or shutil.which("firefox")
        command = [path, *head, "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        with process(*command, stderr=subprocess.PIPE, env=environment) as browser:
            found = (re.search(r"BiDi listening on (ws://\S+)", line) for line in browser.stderr)
            address = next(filter(None, found))[1]
            # What it says later must not fill the pipe.
            rest = threading.Thread(target=browser.stderr.read, daemon=True)
            rest.start()
            with connect(f"{address}/session", max_size=None, proxy=None) as session:
                yield Firefox(session)
        rest.join()
        browser.stderr.close()


@contextlib.contextmanager
def webkit(folder):
    """Run WebKit's small browser; it needs a screen."""
    with display() as environment, socket.create_server(("127.0.0.1", 0)) as any_port:
        port = any_port.getsockname()[1]
        any_port.close()
        with process("WebKitWebDriver", f"--port={port}", env={**environment, "HOME": folder}):
            wait_for_port(port)
            driver = WebKit(f"http://127.0.0.1:{port}")
            yield driver
            driver._call("", method="DELETE")


def wait_for_port(port):
    end = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)


def missing(name):
    """Return what a browser needs and this machine has not, or None."""
    if name == "firefox":
        there = shutil.which("firefox-esr") or shutil.which("firefox")
        return None if there else "there is no Firefox"
    if not shutil.which("WebKitWebDriver"):
        return "there is no WebKit (webkit2gtk-driver)"
    if not (os.environ.get("DISPLAY") or shutil.which("Xvfb")):
        return "WebKit needs a screen (xvfb)"
    return None


START = {"firefox": firefox, "webkit": webkit}
