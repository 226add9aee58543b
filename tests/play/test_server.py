"""The server alone: who is let in, what is refused, and that nothing brings it down."""

import contextlib
import errno
import json
import os
import random
import re
import socket
import stat
import threading
import time

import pytest

pytest.importorskip("websockets", reason="websockets is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request

import twobone
from twobone.errors import PageError
from twobone.play import bundle, server, shared, tokens
from twobone.play.page_state import DEFAULTS, answer
from twobone.play.server import Server
from twobone.play.shared import Shared
from visitors import ask, page_at, receive, request, say, wait_until

SEED = 20240607


@pytest.fixture
def served(state_home):
    """Return a server on any port."""
    ours = Server(Shared(), 0)
    yield ours
    ours.close()


def one_line(response, status):
    """Assert that a response is a refusal: one line of plain text, and nothing to be kept."""
    assert response.status == status
    assert re.fullmatch(r"[^\n<>]+\n", response.text), response.text
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert_safe(response.headers)


def assert_safe(headers):
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "Server" not in headers


def refused(address, status, **options):
    """Assert that a socket is refused."""
    with pytest.raises(InvalidStatus) as raised, page_at(address, **options):
        pass
    response = raised.value.response
    assert response.status_code == status
    assert re.fullmatch(rb"[^\n<>]+\n", response.body)
    assert_safe(response.headers)


# --- the page -----------------------------------------------------------------------------


def test_the_page_is_served_to_whoever_knows_the_address(served):
    response = request(served.address)
    page = bundle.bundle({"live": "live"})
    assert (response.status, response.text) == (200, page.html)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Content-Security-Policy"] == page.policy
    assert_safe(response.headers)
    assert request(f"{served.address}?x=1", f"/{served.token}/?x=1").status == 200


def test_only_this_machine_can_come(served):
    assert served.address.startswith("http://127.0.0.1:")
    assert served.server.socket.getsockname()[0] == "127.0.0.1"
    assert re.fullmatch(r"[\w-]{32}", served.token)


@pytest.mark.parametrize(
    "path",
    ["/", "/x/", "/favicon.ico", "//", "/../", "/{0}x/", "/{1}/", "/{2}/live", "/%00/", "/{1}"],
)
def test_a_wrong_token_is_refused(served, path):
    token = served.token
    path = path.format(token, token[:-1], token.swapcase())
    one_line(request(served.address, path), 403)


def test_the_address_without_its_last_slash_leads_to_the_page(served):
    for path in (f"/{served.token}", f"/{served.token}?x=1"):
        response = request(served.address, path)
        assert (response.status, response.headers["Location"]) == (307, f"/{served.token}/")
        assert_safe(response.headers)
    one_line(request(served.address, f"/{served.token[:-1]}"), 403)
    one_line(request(served.address, f"/{served.token}", Host="evil.org"), 403)


@pytest.mark.parametrize("path", ["/x", "/live", "/live/", "//", "/../", "/index.html"])
def test_there_is_nothing_else(served, path):
    one_line(request(served.address, f"/{served.token}{path}"), 404)


@pytest.mark.skipif(
    "method" not in Request.__dataclass_fields__,
    reason="this websockets hangs up on any other method",
)
def test_it_can_only_be_read(served):
    response = request(served.address, method="DELETE")
    one_line(response, 405)
    assert response.headers["Allow"] == "GET"
    one_line(request(served.address, "/", method="OPTIONS"), 403)


@pytest.mark.parametrize(
    "host", ["evil.org", "evil.org:{}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.org:{}", ""]
)
def test_another_name_for_this_machine_is_refused(served, host):
    host = host.format(served.port)
    one_line(request(served.address, Host=host), 403)
    one_line(request(served.address, Host=[f"127.0.0.1:{served.port}", host]), 403)


def test_localhost_is_a_name_for_this_machine(served):
    host = f"localhost:{served.port}"
    assert request(served.address, Host=host).status == 200
    with page_at(served.address, origin=f"http://{host}"):
        pass


def test_a_page_that_cannot_be_made_is_told_without_details(served, monkeypatch, capfd):
    monkeypatch.setattr(bundle, "bundle", lambda *_, **__: 1 / 0)
    one_line(request(served.address), 500)
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_what_is_no_request_is_no_harm(served, capfd):
    lines = [b"\0\1\2\n\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nbad\r\n\r\n", b"x" * 20_000]
    where = ("127.0.0.1", served.port)
    for line in lines:
        with socket.create_connection(where, 5) as wire, contextlib.suppress(ConnectionError):
            wire.sendall(line)
            wire.shutdown(socket.SHUT_WR)
            assert b"Traceback" not in wire.recv(10_000)
    assert request(served.address).status == 200
    assert capfd.readouterr() == ("", "")


# --- sockets ------------------------------------------------------------------------------


def test_a_page_is_greeted_by_who_answers(served):
    with page_at(served.address) as (_, hello):
        engine = twobone.engine()
        assert hello == {
            "type": "hello",
            "version": twobone.__version__,
            "engine": {
                "name": engine.name,
                "instructions": engine.instruction_set,
                "threads": engine.threads,
            },
        }


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.org",
        "null",
        "https://127.0.0.1:{}",
        "http://127.0.0.1",
        "http://localhost:1",
        "http://127.0.0.1:{}.evil.org",
        "",
    ],
)
def test_a_page_of_another_origin_is_refused(served, origin):
    refused(served.address, 403, origin=origin.format(served.port))


def test_two_origins_are_none(served):
    origin = f"http://127.0.0.1:{served.port}"
    refused(served.address, 403, additional_headers={"Origin": origin})


def test_a_program_that_is_no_browser_needs_the_token_alone(served):
    with page_at(served.address, origin=None):
        pass
    refused(served.address.replace(served.token, "x" * 32), 403, origin=None)


def test_a_socket_needs_the_token_and_the_host(served):
    refused(served.address[:-2] + "/", 403)
    with pytest.raises(InvalidStatus) as raised, page_at(f"{served.address}x/"):
        pass
    assert raised.value.response.status_code == 404
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Host": "evil.org"}
    one_line(request(served.address, f"/{served.token}/live", **headers), 403)


def test_a_state_is_answered_to_the_bit(served):
    state = {**DEFAULTS, "target": [0.1, 0.7, 0.3], "root": [0.3, 0.0, 0]}
    with page_at(served.address) as (page, _):
        for scene, number in (("plane", 0), ("space", 2**53)):
            state = {**state, "scene": scene}
            reply = ask(page, say(state, number))
            assert reply == {"type": "answer", "id": number, **answer(state)}
        reply = ask(page, say({**state, "policy": "nan", "r1": 0.01}))
        assert (reply["joint"], reply["status"]) == ([None] * 3, 1)
    assert served.shared.errors == 0


def test_a_page_hears_what_another_has_changed(served):
    with page_at(served.address) as (one, _), page_at(served.address) as (other, _):
        ask(one, say(DEFAULTS))
        ask(other, say({**DEFAULTS, "r1": 2}))
        assert receive(one) == {"type": "set", "state": {"r1": 2}}
        # One that has said nothing yet is told everything; what it shows nobody knows.
        with page_at(served.address) as (third, _):
            state = {**DEFAULTS, "r1": 2, "side": -1}
            ask(one, say(state))
            assert receive(third) == {"type": "set", "state": state}
        assert receive(other) == {"type": "set", "state": {"side": -1}}
        for page in (one, other):
            ask(page, say(state))  # nothing but the answer came


def test_what_a_page_has_not_touched_is_not_undone(served):
    """It tells the whole state, but a script may have set a field since it last heard."""
    with page_at(served.address) as (page, _):
        ask(page, say(DEFAULTS))
        [outbox] = served.shared.outboxes
        outbox.close()  # what the script says is still on its way
        served.shared.set({"r1": 3})
        ask(page, say({**DEFAULTS, "r2": 4}))
        state = served.shared.state
        assert (state["r1"], state["r2"]) == (3, 4)
        assert outbox.wanted == state


def test_what_crosses_with_what_a_script_says_does_not_undo_it(served):
    with page_at(served.address) as (page, _):
        ask(page, say(DEFAULTS))
        [outbox] = served.shared.outboxes
        for r1 in (3, 5):
            served.shared.set({"r1": r1})
            wait_until(lambda r1=r1: outbox.known["r1"] == r1)  # sent, and not read yet
        for crossing in (DEFAULTS["r1"], 3):
            page.send(json.dumps(say({**DEFAULTS, "r1": crossing, "r2": 4})))
            wait_until(lambda: served.shared.state["r2"] == 4)
            assert served.shared.state["r1"] == 5
        page.send(json.dumps(say({**DEFAULTS, "r1": 5, "r2": 6})))
        wait_until(lambda: served.shared.state["r2"] == 6)
        assert served.shared.state["r1"] == 5
        # Now it knows better, and wants that.
        page.send(json.dumps(say({**DEFAULTS, "r1": 3, "r2": 7})))
        wait_until(lambda: served.shared.state["r2"] == 7)
        assert served.shared.state["r1"] == 3


def test_what_a_script_says_before_a_page_has_spoken_holds(served):
    with page_at(served.address) as (page, _):
        served.shared.set({"r1": 3})
        page.send(json.dumps(say(DEFAULTS)))
        while receive(page)["type"] != "answer":
            pass
        assert served.shared.state["r1"] == 3
        page.send(json.dumps(say({**DEFAULTS, "r1": 3, "r2": 4})))
        wait_until(lambda: served.shared.state["r2"] == 4)
        assert served.shared.state["r1"] == 3


# --- nonsense -----------------------------------------------------------------------------

NONSENSE = [
    ("", "JSON"),
    ("{", "JSON"),
    ("hello", "JSON"),
    ("NaN", "JSON"),
    ("7" * 5000, "JSON"),
    ("[" * 60_000, "nested"),
    ('{"type":' * 5000, "nested"),
    ("[]", "object"),
    ("null", "object"),
    ("7", "object"),
    ("\"__import__('os')\"", "object"),
    (b"{}", "text"),
    ({}, "`type`"),
    ({"type": "eval", "state": DEFAULTS}, "`type`"),
    ({"type": ["state"]}, "`type`"),
    ({"type": "state", "id": 1}, "`state`"),
    ({"type": "state", "id": 1, "state": []}, "`state`"),
    ({"type": "state", "id": 1, "state": {}}, "`state`"),
    ({"type": "state", "state": DEFAULTS}, "`id`"),
    ({"type": "state", "id": True, "state": DEFAULTS}, "`id`"),
    ({"type": "state", "id": 1.5, "state": DEFAULTS}, "`id`"),
    ({"type": "state", "id": 10**30, "state": DEFAULTS}, "`id`"),
    ({"type": "state", "id": 1, "state": DEFAULTS, "x": 1}, "fields"),
    (say({**DEFAULTS, "x": 1}), "fields"),
    (say({**DEFAULTS, "\ud800": 1}), "fields"),
    (say({**DEFAULTS, "target": [0, 0]}), "`target`"),
    (say({**DEFAULTS, "r1": float("inf")}), "JSON"),
    (json.dumps(say({**DEFAULTS, "r1": 33})).replace("33", "1e999"), "`r1`"),
    (json.dumps(say({**DEFAULTS, "r1": 33})).replace("33", "-NaN"), "JSON"),
    (json.dumps(say({**DEFAULTS, "r1": 33})).replace("33", "7" * 400), "`r1`"),
]


def test_nonsense_is_answered_counted_and_not_obeyed(served, capfd):
    with page_at(served.address) as (page, _):
        for count, (message, said) in enumerate(NONSENSE, 1):
            reply = ask(page, message)
            assert reply.keys() == {"type", "message"}
            assert reply["type"] == "error"
            assert said in reply["message"]
            assert len(reply["message"]) < 300
            assert served.shared.errors == count
        assert ask(page, say(DEFAULTS))["type"] == "answer"
    assert served.shared.state == DEFAULTS
    assert capfd.readouterr() == ("", "")


def garbage(count):
    """Return messages that were a good one once."""
    chance = random.Random(SEED)
    good = json.dumps(say(DEFAULTS))
    for _ in range(count):
        letters = list(good)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(letters))
            letters[at] = chance.choice(['"', "{", "}", "[", "]", ",", "é", "\0", "e9", "-", ""])
        text = "".join(letters)[: chance.choice([None, None, chance.randrange(len(good))])]
        yield chance.choice([text, text, text.encode(), chance.randbytes(chance.randrange(300))])


def test_a_thousand_messages_of_garbage_do_no_harm(served, capfd):
    wrong = 0
    with page_at(served.address) as (page, _):
        for message in garbage(1000):
            reply = ask(page, message)
            wrong += reply["type"] == "error"
            assert reply["type"] in ("error", "answer")
        assert ask(page, say(DEFAULTS, 5))["id"] == 5
    assert served.shared.errors == wrong > 900
    assert capfd.readouterr() == ("", "")


def test_a_message_too_long_ends_the_connection_and_counts(served):
    with page_at(served.address) as (page, _):
        assert ask(page, "x" * 65536)["type"] == "error"
        page.send("x" * 65537)
        with pytest.raises(ConnectionClosed) as raised:
            page.recv(5)
        assert raised.value.rcvd.code == 1009
    wait_until(lambda: served.shared.errors == 2)
    with page_at(served.address) as (page, _):
        assert ask(page, say(DEFAULTS))["type"] == "answer"


def test_who_sends_nothing_but_nonsense_is_sent_away(served, monkeypatch):
    monkeypatch.setattr(server, "MOST_ERRORS", 20)
    with page_at(served.address) as (page, _):
        for _ in range(20):
            assert ask(page, "?")["type"] == "error"
        with pytest.raises(ConnectionClosed) as raised:
            page.recv(5)
        assert raised.value.rcvd.code == 1008
    assert server.MOST_ERRORS == 20


def test_a_fault_of_ours_is_told_without_details(served, monkeypatch, capfd):
    monkeypatch.setattr(server.page_state, "answer", lambda state: 1 / 0)
    with page_at(served.address) as (page, _):
        reply = ask(page, say(DEFAULTS))
        assert reply == {"type": "error", "message": "Python failed; see its terminal."}
    assert "ZeroDivisionError" in capfd.readouterr().err


# --- many, slow, dead ---------------------------------------------------------------------


def test_there_is_room_for_so_many_pages(served, monkeypatch):
    monkeypatch.setattr(shared, "MOST_PAGES", 3)
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(page_at(served.address))
        refused(served.address, 503)
        assert len(served.shared.outboxes) == 3
    wait_until(lambda: not served.shared.outboxes)
    with page_at(served.address):
        pass


def test_there_is_room_for_so_many_that_say_nothing(served, monkeypatch):
    monkeypatch.setattr(server, "MOST_SOCKETS", 4)
    where = ("127.0.0.1", served.port)
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(where)) for _ in range(4)]
        wait_until(lambda: len(served.connections) == 4)
        with socket.create_connection(where) as fifth:
            fifth.settimeout(60)
            assert fifth.recv(1) == b""
        lines[0].close()
        wait_until(lambda: any(one.socket.fileno() < 0 for one in served.connections))
        assert request(served.address).status == 200


@contextlib.contextmanager
def dead_page(served):
    """Open a socket that never reads; yield its outbox."""
    with socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        wire.connect(("127.0.0.1", served.port))
        lines = (
            f"GET /{served.token}/live HTTP/1.1",
            f"Host: 127.0.0.1:{served.port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        )
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        wait_until(lambda: served.shared.outboxes)
        [outbox] = served.shared.outboxes
        outbox.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
        yield outbox


def set_until(served, holds):
    """Set targets until something holds; return the longest time that one has taken."""
    slowest, end, count = 0.0, time.monotonic() + 20, 0
    while not holds():
        assert time.monotonic() < end
        before = time.perf_counter()
        served.shared.set({"target": (count, 0.25)})
        slowest = max(slowest, time.perf_counter() - before)
        count += 1
        time.sleep(0.0001)
    return slowest


def is_stuck(outbox):
    since = outbox.sending_since
    return since is not None and time.monotonic() - since > 0.2


def test_a_page_that_takes_nothing_holds_up_nobody_and_is_given_up(served, monkeypatch):
    monkeypatch.setattr(shared, "PATIENCE", 0.5)
    with dead_page(served) as dead, page_at(served.address) as (page, _):
        slowest = set_until(served, lambda: dead not in served.shared.outboxes)
        assert slowest < 0.3
        served.shared.set({"target": (-7, 0)})
        heard = receive(page)
        while heard["state"].get("target") != [-7, 0, 0.35]:
            heard = receive(page)


def test_it_ends_though_a_page_takes_nothing(served):
    with dead_page(served) as dead:
        set_until(served, lambda: is_stuck(dead))
        begin = time.monotonic()
        served.close()
        assert time.monotonic() - begin < 4


def test_it_ends_at_once_whatever_pages_do(served):
    where = ("127.0.0.1", served.port)
    with socket.create_connection(where, 2) as idle, page_at(served.address) as (page, _):
        wait_until(lambda: len(served.connections) == 2)
        begin = time.monotonic()
        served.close()
        assert time.monotonic() - begin < 4
        with pytest.raises(ConnectionClosed) as raised:
            page.recv(5)
        assert raised.value.rcvd.code == 1001
        assert idle.recv(1) == b""
    with pytest.raises(ConnectionError):
        request(served.address)
    ours = [thread.name for thread in threading.enumerate() if thread.name.startswith("twobone-p")]
    assert ours == []
    served.close()  # again is no harm


# --- ports --------------------------------------------------------------------------------


def test_a_port_that_is_taken_makes_way_for_the_next(served):
    other = Server(Shared(), served.port)
    try:
        assert served.port < other.port <= served.port + 99
    finally:
        other.close()


def test_a_socket_that_cannot_be_made_is_told(served, monkeypatch):
    def too_many(*_):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(socket, "create_server", too_many)
    with pytest.raises(OSError, match="Too many open files"):
        Server(Shared(), 0)


def test_so_many_ports_are_tried(served, monkeypatch):
    monkeypatch.setattr(server, "PORTS", 1)
    with pytest.raises(PageError, match="`port` must be free"):
        Server(Shared(), served.port)


@pytest.mark.parametrize("port", [-1, 65536, True, "80", None, 1.0])
def test_what_is_no_port_is_told(port):
    with pytest.raises(PageError, match="`port` must be a whole number from 0 to 65535"):
        Server(Shared(), port)


# --- the token ----------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


@posix
def test_the_token_is_kept_for_the_user_alone(state_home):
    token = tokens.kept_token()
    path = state_home / "twobone" / "play-token"
    assert path.read_text() == f"{token}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["play-token"]
    assert tokens.kept_token() == token


@posix
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o602, 0o644])
def test_a_token_that_others_can_read_or_write_is_replaced(state_home, mode):
    token = tokens.kept_token()
    tokens.token_path().chmod(mode)
    assert tokens.kept_token() != token
    assert stat.S_IMODE(tokens.token_path().stat().st_mode) == 0o600


@posix
@pytest.mark.parametrize(
    "text", ["", "short", "x" * 33, "x" * 31 + "/", "x" * 32 + "\n\n", "é" * 16]
)
def test_a_token_that_is_none_is_replaced(state_home, text):
    token = tokens.kept_token()
    tokens.token_path().write_text(text)
    assert tokens.kept_token() not in (token, text)
    assert re.fullmatch(r"[\w-]{32}\n", tokens.token_path().read_text())


@posix
def test_a_link_a_folder_and_a_pipe_are_no_token(state_home, tmp_path):
    path = tokens.token_path()
    (tmp_path / "theirs").write_text("x" * 32)
    (tmp_path / "theirs").chmod(0o600)
    path.parent.mkdir()
    path.symlink_to(tmp_path / "theirs")
    assert tokens.kept_token() != "x" * 32
    assert not path.is_symlink()
    path.unlink()
    os.mkfifo(path, 0o600)
    token = tokens.kept_token()
    assert tokens.kept_token() == token
    path.unlink()
    path.mkdir()
    assert len({tokens.kept_token() for _ in range(2)}) == 2


def test_where_nothing_can_be_kept_the_token_is_for_this_run(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert len({tokens.kept_token() for _ in range(2)}) == 2
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tokens.token_path() == tmp_path / ".local" / "state" / "twobone" / "play-token"


def test_a_page_too_many_does_not_join():
    state = Shared()
    boxes = [state.join(None) for _ in range(shared.MOST_PAGES)]
    assert None not in boxes
    assert state.join(None) is None
    state.leave(boxes[0])
    assert state.join(None) is not None
