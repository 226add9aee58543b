"""Live Python: a script drives the page and hears of it; the command serves it and ends."""

import gc
import inspect
import os
import re
import signal
import subprocess
import sys
import threading
import time
import types
import webbrowser
from contextlib import contextmanager
from urllib.parse import urlsplit

import numpy as np
import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

from websockets.exceptions import ConnectionClosed

import twobone
from slow import slow
from twobone import cli
from twobone.errors import MissingError, PageError, install_command
from twobone.play import bundle, session
from twobone.play.page_state import DEFAULTS
from visitors import ask, page_at, receive, request, say, wait_until

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture
def live(state_home):
    """Return a page as a script has it."""
    with twobone.play(port=0, open_browser=False) as page:
        yield page


# --- a script drives ----------------------------------------------------------------------


def test_what_a_script_sets_is_shown(live):
    with page_at(live.address) as (page, hello):
        assert "state" not in hello
        live.target = (1.2, 0.4)
        wanted = {**DEFAULTS, "target": [1.2, 0.4, 0.35]}
        assert receive(page) == {"type": "set", "state": wanted}
        live.r1 = 2
        assert receive(page) == {"type": "set", "state": {"r1": 2}}
        live.r1 = 2.0  # no news
        live.update(scene="space", target=np.array([1.0, 2.0, 3.0]), least=20, greatest=30)
        changed = {"scene": "space", "target": [1, 2, 3], "least": 20, "greatest": 30}
        assert receive(page) == {"type": "set", "state": changed}
        with page_at(live.address) as (_, hello):
            assert hello["state"] == {**wanted, **changed, "r1": 2}


def test_attributes_are_what_the_page_shows(live):
    for name, value in DEFAULTS.items():
        wanted = tuple(value[:2] if name != "pole" else value) if type(value) is list else value
        assert getattr(live, name) == wanted
    with page_at(live.address) as (page, _):
        ask(page, say({**DEFAULTS, "target": [3, 4, 5], "policy": "nan"}))
    assert (live.target, live.policy) == ((3, 4), "nan")
    live.scene = "space"
    assert (live.target, live.root) == ((3, 4, 5), (0, 0, 0))


@pytest.mark.parametrize(
    ("name", "value"),
    [("target", (1, 2, 3)), ("r1", -1), ("side", 0), ("policy", "soft"), ("least", 181)],
)
def test_what_makes_no_sense_is_told_and_changes_nothing(live, name, value):
    with page_at(live.address) as (page, _):
        with pytest.raises(PageError, match=f"^`{name}` must"):
            live.update(**{"r2": 5, name: value})
        with pytest.raises(PageError, match=f"^`{name}` must"):
            setattr(live, name, value)
        assert live.r2 == DEFAULTS["r2"]
        assert ask(page, say(DEFAULTS))["type"] == "answer"  # no news before it
    with pytest.raises(AttributeError):
        live.taget = (1, 2)


def test_the_answer_is_that_of_reach(live):
    live.update(root=(1, 2), target=(1.5, 2.5), side=-1)
    wanted = twobone.reach([1.5, 2.5], 0.8, 0.6, side=-1, root=[1, 2])
    for part, other in zip(live.answer(), wanted, strict=True):
        np.testing.assert_array_equal(part, other)
    live.update(target=(9, 9), policy="raise")
    assert live.answer().status == twobone.Status.TOO_FAR


def test_a_script_may_be_faster_than_pages(live):
    with page_at(live.address) as (page, _):
        for count in range(3000):
            live.target = (count, 0)
        messages, last = 0, None
        while last != [2999, 0, 0.35]:
            last = receive(page)["state"]["target"]
            messages += 1
        assert messages <= 3000


def test_it_waits_for_a_page(live):
    assert live.wait_for_page(0.01) is False
    assert live.pages == 0
    found = []
    waiting = threading.Thread(target=lambda: found.append(live.wait_for_page()))
    waiting.start()
    with page_at(live.address):
        waiting.join(5)
        assert found == [True]
        assert live.wait_for_page(0) is True
        assert live.pages == 1


def test_only_functions_can_listen(live):
    with pytest.raises(PageError, match="`callback` must be a function, got None"):
        live.on_change(None)


def test_errors_are_counted(live):
    with page_at(live.address) as (page, _):
        ask(page, "nonsense")
    assert live.errors == 1


def test_a_notebook_shows_the_page_and_does_not_store_the_token(live):
    """The frame's address leads to the page while Python runs; the saved file holds no more."""
    html, token = live._repr_html_(), live.address.split("/")[3]
    assert token not in html
    assert token not in repr(live)
    address = re.match(r'<iframe src="([^"]+)"', html)[1]
    response = request(address)
    assert (response.status, response.headers["Location"]) == (307, f"/{token}/")
    assert request(f"{address}live").status == 404
    assert request(address, Host="evil.org").status == 403
    live.close()
    with twobone.play(port=0, open_browser=False) as again:
        assert again.address.split("/")[3] == token
        assert request(again.address, urlsplit(address).path).status == 403


# --- a script hears -----------------------------------------------------------------------


def test_a_change_on_a_page_is_heard(live):
    heard = []

    @live.on_change
    def on_change(page):
        heard.append((page is live, page.target, threading.current_thread().name))

    assert callable(on_change)
    with page_at(live.address) as (page, _):
        ask(page, say({**DEFAULTS, "target": [1, 2, 3]}))
        wait_until(lambda: heard)
        assert heard == [(True, (1, 2), "twobone-callbacks")]
        ask(page, say({**DEFAULTS, "target": [1, 2, 3]}, 2))  # the same again is no change
        live.target = (5, 6)  # nor is what a script says, nor a page that says it back
        assert receive(page)["type"] == "set"
        ask(page, say({**DEFAULTS, "target": [5, 6, 3]}, 3))
        time.sleep(0.1)
        assert len(heard) == 1


def test_a_callback_may_set_and_be_slow_and_fail(live, capfd):
    calls, gate = [], threading.Event()

    @live.on_change
    def fail(page):
        raise RuntimeError("on purpose")

    @live.on_change
    def follow(page):
        calls.append(page.r1)
        gate.wait(5)
        page.r2 = page.r1

    with page_at(live.address) as (page, _):
        for r1 in (1, 2, 3, 4):  # each is answered, though the callback still waits
            assert ask(page, say({**DEFAULTS, "r1": r1}))["type"] == "answer"
            wait_until(lambda: calls)
        gate.set()
        wait_until(lambda: live.r2 == 4)
        wait_until(lambda: len(calls) == 2)
        assert calls == [1, 4]  # the last, and not all in between
        while receive(page)["state"] != {"r2": 4}:
            pass
    assert capfd.readouterr().err.count("RuntimeError: on purpose\n") == 2


def test_a_callback_that_wants_to_exit_is_called_again(live):
    calls = []

    @live.on_change
    def leave(page):
        calls.append(page.r1)
        raise SystemExit

    with page_at(live.address) as (page, _):
        for number, r1 in enumerate((1, 2), 1):
            ask(page, say({**DEFAULTS, "r1": r1}))
            wait_until(lambda number=number: len(calls) == number)


def test_a_callback_may_close_the_page(state_home):
    live = twobone.play(port=0, open_browser=False)
    live.on_change(lambda page: page.close())
    with page_at(live.address) as (page, _):
        ask(page, say({**DEFAULTS, "r1": 1}))
        live.wait()
        with pytest.raises(ConnectionClosed):
            page.recv(5)


# --- the end, and what comes after --------------------------------------------------------


def test_a_closed_page_cannot_be_set(live):
    live.close()
    with pytest.raises(PageError, match="`page` must be open"):
        live.r1 = 1
    assert live.wait_for_page(1) is False
    live.wait()
    live.close()


def test_a_page_finds_its_server_again(state_home):
    with twobone.play(port=0, open_browser=False) as live:
        address = live.address
        with page_at(address) as (page, _):
            live.close()
            with pytest.raises(ConnectionClosed) as raised:
                page.recv(5)
            assert raised.value.rcvd.code == 1001
    port = urlsplit(address).port
    with twobone.play(port=port, open_browser=False) as live:
        assert live.address == address
        with page_at(address) as (page, _):
            assert ask(page, say(DEFAULTS))["type"] == "answer"


def test_a_page_that_nobody_holds_ends(state_home):
    live = twobone.play(port=0, open_browser=False)
    live.on_change(lambda page: None)
    address = live.address
    assert request(address).status == 200
    with page_at(address) as (page, _):
        ask(page, say({**DEFAULTS, "r1": 1}))
        time.sleep(0.05)
        del live
        gc.collect()
        with pytest.raises(ConnectionClosed):
            page.recv(5)


def test_the_room_is_a_function_too():
    assert isinstance(twobone.play, types.ModuleType)
    assert callable(twobone.play)
    assert inspect.signature(twobone.play) == inspect.signature(session.play)
    assert twobone.Page is twobone.play.Page
    from twobone.play import play

    assert play is session.play


# --- processes ----------------------------------------------------------------------------


def python(code):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=120,  # a busy machine takes long
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_script_that_just_ends_ends(state_home):
    code = (
        "import twobone\n"
        "page = twobone.play(port=0, open_browser=False)\n"
        "page.on_change(print)\n"
        "page.target = (1, 2)\n"
        "print(page.target)"
    )
    assert python(code) == (0, "(1, 2)\n", "")


def test_without_the_extra_it_says_what_to_install(tmp_path):
    said = f"the page needs websockets: {install_command('play')}"
    code = "import sys; sys.modules['websockets'] = None; "
    assert python(f"{code}from twobone.__main__ import main; sys.argv[1:] = ['play']; main()") == (
        2,
        "",
        f"twobone: {said}\n",
    )
    code += "import twobone; twobone.play()"
    assert python(code)[2].endswith(f"MissingError: {said}\n")
    assert issubclass(MissingError, ImportError)


def test_nothing_of_it_is_loaded_before_it_is_needed():
    code = "import sys, twobone; twobone.{}; print('websockets' in sys.modules)"
    assert python(code.format("engine()"))[1] == "False\n"
    assert python(code.format("play"))[1] == "False\n"
    assert python(code.format("Page"))[1] == "False\n"


@contextmanager
def command(*arguments, **environment):
    """Run twobone play; yield the process and the address it has printed."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "twobone", "play", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    with process:
        timer = threading.Timer(30, process.kill)
        timer.start()
        try:
            yield process, process.stdout.readline().rstrip("\n")
        finally:
            timer.cancel()
            process.kill()


def ended(process):
    """Return how a process ended and what else it said."""
    code = process.wait(20)
    return code, process.stdout.read(), process.stderr.read()


@posix
@pytest.mark.parametrize(
    ("name", "code", "said"), [("SIGINT", 0, "stopped\n"), *slow(("SIGTERM", 143, ""))]
)
def test_the_command_serves_until_it_is_told_to_end(state_home, name, code, said):
    with command("--port", "0", "--no-browser") as (process, address):
        assert bundle.page_html({"live": "live"}) == request(address).text
        with page_at(address) as (page, _):
            assert ask(page, say(DEFAULTS))["status"] == 0
            process.send_signal(getattr(signal, name))
            with pytest.raises(ConnectionClosed) as raised:
                page.recv(10)
            assert raised.value.rcvd.code == 1001
        assert ended(process) == (code, "", said)


@posix
def test_a_script_that_waits_goes_on_after_ctrl_c(state_home):
    code = (
        "import twobone\n"
        "with twobone.play(port=0, open_browser=False) as page:\n"
        "    print(page.address, flush=True)\n"
        "    page.wait()\n"
        "    print('goes on')"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert request(process.stdout.readline().strip()).status == 200
        time.sleep(0.1)  # the request may be quicker than the script
        process.send_signal(signal.SIGINT)
        assert (process.stdout.read(), process.wait(20)) == ("goes on\n", 0)


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_does_not_say_that_it_stopped(state_home, monkeypatch, capfd, quiet):
    monkeypatch.setattr(session.Page, "wait", lambda page: None)
    shown = []
    monkeypatch.setattr(session, "show", shown.append)
    assert cli.run(["play", "--port", "0", "--no-browser", *["--quiet"] * quiet]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("http://")
    assert (err, shown) == ("" if quiet else "stopped\n", [])


def test_a_script_opens_a_browser(state_home, monkeypatch):
    shown = []
    monkeypatch.setattr(session, "show", shown.append)
    with twobone.play(port=0) as page:
        assert shown == [page.address]


def test_ctrl_c_ends_the_command_cleanly_at_any_time(monkeypatch, capfd):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "play", interrupted)
    assert cli.run(["play"]) == 0
    assert capfd.readouterr() == ("", "stopped\n")


@posix
@pytest.mark.slow
def test_a_killed_server_is_found_again_at_the_same_address(state_home):
    with command("--port", "0", "--no-browser") as (process, address):
        with page_at(address) as (page, _):
            process.kill()
            with pytest.raises(ConnectionClosed):
                page.recv(10)
        process.wait(10)
    port = str(urlsplit(address).port)
    with command("--port", port, "--no-browser") as (_, again):
        assert again == address
        with page_at(address) as (page, _):
            assert ask(page, say(DEFAULTS))["type"] == "answer"
        with command("--port", port, "--no-browser") as (_, other):
            assert urlsplit(other).port > int(port)
            assert request(other).status == 200


@posix
def test_a_browser_of_the_terminal_is_opened_only_if_it_is_named(tmp_path, monkeypatch):
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o700)
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser(str(browser)))
    monkeypatch.delenv("BROWSER", raising=False)
    session._show("http://127.0.0.1:1/")
    assert not opened.exists()
    monkeypatch.setenv("BROWSER", str(browser))
    session._show("http://127.0.0.1:1/")
    assert opened.read_text() == "http://127.0.0.1:1/\n"


@posix
@pytest.mark.slow
def test_the_command_opens_a_browser_where_there_is_one(state_home, tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part; mv {opened}.part {opened}\n')
    browser.chmod(0o700)
    with command("--port", "0", BROWSER=f"{browser} %s") as (process, address):
        wait_until(opened.exists)
        assert opened.read_text() == f"{address}\n"
        process.send_signal(signal.SIGINT)
        assert ended(process) == (0, "", "stopped\n")
    with command("--port", "0", BROWSER=str(tmp_path / "absent"), PATH="") as (process, address):
        assert request(address).status == 200
        process.send_signal(signal.SIGINT)
        assert ended(process) == (0, "", "stopped\n")


@pytest.mark.slow
def test_the_command_writes_the_page(tmp_path):
    code = "from twobone.__main__ import main; import sys; sys.argv[1:] = {}; main()"
    path = tmp_path / "page.html"
    arguments = ["play", "--export", str(path)]
    assert python(code.format(arguments)) == (0, "", "")
    page = bundle.page_html()
    assert path.read_text(encoding="utf-8") == page
    assert python(code.format(["play", "--export", "-"])) == (0, page, "")
    arguments[-1] = str(tmp_path / "no" / "page.html")
    said = f"twobone: {arguments[-1]}: No such file or directory\n"
    assert python(code.format(arguments)) == (2, "", said)
    assert list(tmp_path.iterdir()) == [path]
