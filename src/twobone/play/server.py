"""The HTTP and WebSocket server of the page, on one port of 127.0.0.1.

The address contains a random token. Requests with another Host (DNS rebinding) or another
Origin (a page of another site) are refused. Programs other than browsers send no Origin and
need the token alone. All other requests get one line of text.
"""

import contextlib
import errno
import hmac
import http
import json
import logging
import socket
import threading
import time
import traceback
from email.utils import formatdate
from typing import Any, cast

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from twobone.errors import PageError
from twobone.play import bundle, messages, page_state, tokens
from twobone.play.characters import CharacterFile
from twobone.play.shared import Outbox, Shared

HOST = "127.0.0.1"
PORTS = 100  # number of ports to try, starting at the requested one
LONGEST_MESSAGE = 65536  # bytes
MOST_ERRORS = 10_000  # of one page, before its connection is closed
MOST_SOCKETS = 96  # open at once, including idle ones
SECONDS_TO_CLOSE = 1.0
TOO_LONG = 1009  # close codes: RFC 6455, section 7.4.1
GOING_AWAY, AGAINST_THE_RULES, TRY_LATER = 1001, 1008, 1013

LOG = logging.getLogger("twobone.play")
LOG.addHandler(logging.NullHandler())  # connection errors are not printed on the terminal

SAFE = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Server:
    """A server of the page and its WebSockets; its threads are daemons."""

    def __init__(
        self,
        shared: Shared,
        port: int,
        public_url: str | None = None,
        character: CharacterFile | None = None,
    ):
        self.shared = shared
        self.public_url = public_url
        self.character = character
        self.token = tokens.kept_token()
        # A notebook saves the address of its iframe. The ticket in it is valid only while this
        # server runs, whereas the token outlives the server.
        self.ticket = tokens.fresh_token()
        self.connections: list[ServerConnection] = []
        self.lock = threading.Lock()
        listener = _listen(port)
        self.port = listener.getsockname()[1]
        names = [f"{name}:{self.port}" for name in (HOST, "localhost")]
        self.hosts = names + ([HOST, "localhost"] if self.port == 80 else [])
        self.origins = [f"http://{name}" for name in self.hosts]
        self.server = serve(
            self._serve_page,
            sock=listener,
            process_request=self._answer_request,
            process_response=self._add_headers,
            create_connection=cast(Any, self._admit),  # typed as a class, but any callable works
            compression=None,  # not worth its time on one machine
            max_size=LONGEST_MESSAGE,
            close_timeout=SECONDS_TO_CLOSE,
            server_header=None,
            logger=LOG,
        )
        # Threads started by a daemon thread are daemons too.
        self.thread = threading.Thread(
            target=self.server.serve_forever, name="twobone-play", daemon=True
        )
        self.thread.start()

    @property
    def address(self):
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def passing_address(self):
        """An address without the token, which redirects to the page while this server runs."""
        return f"http://{HOST}:{self.port}/{self.ticket}/"

    def close(self):
        """Close all connections and stop; takes at most a few seconds, whatever the pages do."""
        outboxes = self.shared.close()
        goodbyes = [_start(_say_goodbye, outbox) for outbox in outboxes]
        stop = _start(self.server.shutdown)
        end = time.monotonic() + SECONDS_TO_CLOSE
        for thread in goodbyes:
            thread.join(max(0.0, end - time.monotonic()))
        with self.lock:
            connections, self.connections = self.connections, []
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)
        for thread in (*goodbyes, stop, self.thread):
            thread.join(SECONDS_TO_CLOSE)

    # --- requests ---

    def _admit(self, *arguments, **options):
        """Create a connection unless there are too many; raising here closes the socket."""
        with self.lock:
            self.connections = [one for one in self.connections if one.socket.fileno() >= 0]
            if len(self.connections) >= MOST_SOCKETS or self.shared.is_closed:
                raise ConnectionError("too many connections")
            connection = ServerConnection(*arguments, **options)
            self.connections.append(connection)
        return connection

    def _answer_request(self, connection: ServerConnection, request: Request):
        """Return a response, or None to go on and open a WebSocket."""
        if _only(request, "Host") not in self.hosts:
            return _text(403, "This server answers to 127.0.0.1 and localhost only.")
        path = request.path.partition("?")[0]
        _, secret, *rest = [*path.split("/", 2), ""][:3]
        has_token, has_ticket = _same(secret, self.token), _same(secret, self.ticket)
        if not (has_token or has_ticket):
            return _text(403, "Open the address that `twobone play` printed.")
        if getattr(request, "method", "GET") != "GET":
            response = _text(405, "Only GET is supported.")
            response.headers["Allow"] = "GET"
            return response
        if rest == [""] and (has_ticket or not path.endswith("/")):
            return self._redirect()
        if has_ticket:
            return _text(404, "Not found.")
        if rest == ["live"] and request.headers.get_all("Upgrade"):
            return self._refuse_socket(request)
        if rest == ["character"] and self.character is not None:
            return self._give_character(request)  # unreached: browser
        if rest != [""] or not path.endswith("/"):
            return _text(404, "Not found.")
        config: dict[str, Any] = {"live": "live"}
        if self.character is not None:
            # unreached: browser
            config["character"] = {"name": self.character.name, "path": "character"}
        try:
            page = bundle.bundle(config, public_url=self.public_url)
        except Exception:
            traceback.print_exc()
            return _text(500, "The page could not be created; the error is printed by twobone.")
        return _response(200, page.html, "text/html", page.policy)

    def _redirect(self):
        """Return a redirect to the page, for requests that have the token or the ticket."""
        response = _text(307, "See Location.")
        response.headers["Location"] = f"/{self.token}/"
        return response

    def _refuse_socket(self, request):
        """Return a response that refuses a WebSocket, or None to accept it."""
        if request.headers.get_all("Origin") and _only(request, "Origin") not in self.origins:
            return _text(403, "Pages of other origins may not connect.")
        if self.shared.is_full():
            return _text(503, "Too many pages are open.")
        return None

    def _give_character(self, request):
        """Return the file of the character, to the page of this server and to no other."""
        assert self.character is not None  # unreached: browser
        if request.headers.get_all("Origin") and _only(request, "Origin") not in self.origins:
            return _text(403, "Pages of other origins may not read this file.")
        if _only(request, "Sec-Fetch-Site") not in (None, "same-origin"):
            return _text(403, "Only the page of this server may read this file.")
        try:
            data = self.character.read()
        except (OSError, PageError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            return _text(404, f"{self.character.name} cannot be read: {reason}")
        response = _response(200, data, "application/octet-stream", "default-src 'none'")
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response

    def _add_headers(self, connection, request, response):
        for name, value in SAFE.items():
            response.headers[name] = value
        if "Content-Security-Policy" not in response.headers:
            response.headers["Content-Security-Policy"] = "default-src 'none'"

    # --- pages ---

    def _serve_page(self, connection: ServerConnection):
        """Exchange messages with one page until its connection is closed."""
        outbox = self.shared.join(connection)
        if outbox is None:
            connection.close(TRY_LATER, "too many pages")  # unreached: race
            return
        try:
            connection.send(_dump(messages.hello(outbox.known, outbox.lead)))
            outbox.start()
            self._listen_to(connection, outbox)
        except ConnectionClosed as end:
            if end.sent is not None and end.sent.code == TOO_LONG:
                self.shared.count_error()
        except OSError:  # unreached: race
            pass  # the connection broke while sending
        finally:
            self.shared.leave(outbox)

    def _listen_to(self, connection, outbox):
        errors = 0
        for text in connection:
            try:
                reply = self._answer(outbox, text)
            except PageError as error:
                reply = {"type": "error", "message": str(error)}
            except Exception:
                traceback.print_exc()
                reply = {"type": "error", "message": "Python failed; see its terminal."}
            if reply["type"] == "error":
                errors += 1
                self.shared.count_error()
            connection.send(_dump(reply))
            if errors >= MOST_ERRORS:
                connection.close(AGAINST_THE_RULES, "too many errors")
                return

    def _answer(self, outbox, text):
        said = messages.read(text)
        if said.kind == "step":
            self.shared.on_step(said.content._replace(page=outbox.number))
            return {"type": "step", "id": said.number}
        self.shared.hear(outbox, said.content)
        return {"type": "answer", "id": said.number, **page_state.answer(said.content)}


# --- ports and threads --------------------------------------------------------------------


def _listen(port):
    """Return a socket that listens on a port, or on the next free one; 0 is any free port."""
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise PageError("port", "be a whole number from 0 to 65535", page_state.shown(port))
    for number in range(port, min(port + PORTS, 65536)):
        try:
            return socket.create_server((HOST, number))
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise PageError("port", f"be free, or one of the next {PORTS - 1}", f"{port}: all are in use")


def _start(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def _say_goodbye(outbox: Outbox):
    outbox.close()
    with contextlib.suppress(ConnectionClosed, OSError):
        outbox.connection.close(GOING_AWAY, "twobone has stopped")


# --- responses ----------------------------------------------------------------------------


def _same(given, secret):
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _only(request, name):
    """Return a header, or None unless it occurs exactly once."""
    values = request.headers.get_all(name)
    return values[0] if len(values) == 1 else None


def _text(status, line):
    return _response(status, f"{line}\n", "text/plain", "default-src 'none'")


def _response(status, text, kind, policy):
    body = text.encode() if isinstance(text, str) else text
    charset = "; charset=utf-8" if isinstance(text, str) else ""
    headers = Headers(
        {
            "Date": formatdate(usegmt=True),
            "Connection": "close",
            "Content-Length": str(len(body)),
            "Content-Type": f"{kind}{charset}",
            "Content-Security-Policy": policy,
        }
    )
    return Response(status, http.HTTPStatus(status).phrase, headers, body)


def _dump(message):
    return json.dumps(message, allow_nan=False)
