"""The state that scripts and pages share, and what each page has been told of it.

A script never waits for a page: it leaves the newest state with the page's `Outbox`, whose own
thread sends what has changed since the page last heard or spoke.
"""

import contextlib
import functools
import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection

from twobone.errors import PageError
from twobone.play import page_state

MOST_PAGES = 32
MOST_UNDERWAY = 256  # values of a field; a page that answers has a few
PATIENCE = 5.0  # seconds: a page that takes nothing for so long is given up


class Outbox:
    """One page: the newest state for it, the thread that sends it, and its animal."""

    def __init__(self, connection: ServerConnection, known: dict[str, Any]):
        self.connection = connection
        self.known = known  # what the page has: it said so, or was told
        self.wanted = known
        self.underway: dict[str, list[Any]] = {}  # what fields had been before what was sent
        self.has_spoken = bool(known)  # a page that was greeted with nothing says what it has
        self.is_closed = False
        self.sending_since: float | None = None
        self.changed = threading.Condition()

    @functools.cached_property
    def stroll(self):
        """The animal of this page, once it walks: its room is opened no sooner."""
        from twobone.play.stroll import Stroll

        return Stroll()

    def start(self):
        threading.Thread(target=self._run, name="twobone-page", daemon=True).start()

    def offer(self, state):
        """Leave a state to be sent; one that waits there already is forgotten."""
        with self.changed:
            self.wanted = state
            self.changed.notify()
            since = self.sending_since
        if since is not None and time.monotonic() - since > PATIENCE:
            self.cut()

    def changes(self, said):
        """Return what was changed on a page, given all that it says it has.

        What it says may have crossed with what was sent: the old value of such a field is no
        change.
        """
        with self.changed:
            first, self.has_spoken = not self.has_spoken, True
            if first and self.wanted:  # something was set before it could say a word
                self.underway = {name: [said[name]] for name in differences(said, self.known)}
                return {}
            found = {
                name: value
                for name, value in differences(self.known, said).items()
                if value not in self.underway.get(name, ())
            }
            for name in [name for name in self.underway if said[name] == self.known[name]]:
                del self.underway[name]  # it has come
            return found

    def heard(self, said, state):
        """Note what the page has, or will have read, and what it should have."""
        with self.changed:
            sent = {name: self.known[name] for name in self.underway}
            self.known, self.wanted = {**said, **sent}, state
            self.changed.notify()

    def close(self):
        with self.changed:
            self.is_closed = True
            self.changed.notify()

    def cut(self):
        """End the connection without waiting for anybody."""
        with contextlib.suppress(OSError):
            self.connection.socket.shutdown(socket.SHUT_RDWR)

    def _run(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.is_closed or self.wanted is not self.known)
                if self.is_closed:
                    return
                fields = differences(self.known, self.wanted)
                for name in fields.keys() & self.known.keys():
                    old = self.underway.get(name, [])
                    self.underway[name] = [*old[1 - MOST_UNDERWAY :], self.known[name]]
                self.known = self.wanted
                self.sending_since = time.monotonic()
            try:
                if fields:
                    self.connection.send(json.dumps({"type": "set", "state": fields}))
            except (ConnectionClosed, OSError):
                return
            finally:
                self.sending_since = None


def differences(known: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a state that are not as they are known."""
    return {
        name: value for name, value in state.items() if name not in known or known[name] != value
    }


class Shared:
    """The state, the pages that show it, and how many messages made no sense."""

    def __init__(self):
        self.lock = threading.RLock()
        self.joined = threading.Condition(self.lock)
        self.state = page_state.check(page_state.DEFAULTS)
        self.is_scripted = False  # until a script has set something, pages keep what they show
        self.is_closed = False
        self.errors = 0
        self.outboxes: set[Outbox] = set()
        self.on_change: Callable[[], None] = lambda: None  # called when a page has changed it

    # --- scripts ---

    def set(self, fields):
        """Take some fields from a script."""
        with self.lock:
            if self.is_closed:
                raise PageError("page", "be open to be changed", "one that is closed")
            self.state = page_state.changed(self.state, fields)
            self.is_scripted = True
            for outbox in self.outboxes:
                outbox.offer(self.state)

    # --- pages ---

    def join(self, connection: ServerConnection):
        """Take in a page; return its outbox and the state to greet it with, or None when full."""
        with self.lock:
            if self.is_closed or self.is_full():
                return None
            known = self.state if self.is_scripted else {}
            outbox = Outbox(connection, known)
            self.outboxes.add(outbox)
            self.joined.notify_all()
            return outbox

    def leave(self, outbox):
        with self.lock:
            self.outboxes.discard(outbox)
        outbox.close()

    def is_full(self):
        return len(self.outboxes) >= MOST_PAGES

    def hear(self, outbox, said):
        """Take the whole state of a page, checked.

        Only what differs from what the page was known to have was changed there; the rest may
        be older than what a script or another page has set in the meantime.
        """
        with self.lock:
            state = {**self.state, **outbox.changes(said)}
            if state["least"] > state["greatest"]:  # one of them from here, the other from there
                state = said
            outbox.heard(said, state)
            if state == self.state:
                return
            self.state = state
            for each in self.outboxes:  # the one that said it has it already
                each.offer(state)
        self.on_change()

    def count_error(self):
        with self.lock:
            self.errors += 1

    # --- whoever waits ---

    def wait_for_page(self, seconds):
        """Return whether there is a page; None if neither that nor the end has come in time."""
        with self.joined:
            self.joined.wait_for(lambda: self.outboxes or self.is_closed, seconds)
            return False if self.is_closed else True if self.outboxes else None

    def wait_until_closed(self, seconds):
        """Return True at the end; None if it has not come in time."""
        with self.joined:
            return self.joined.wait_for(lambda: self.is_closed, seconds) or None

    def close(self):
        """Take no more pages; return the outboxes of those that are there."""
        with self.lock:
            self.is_closed = True
            self.joined.notify_all()
            return list(self.outboxes)
