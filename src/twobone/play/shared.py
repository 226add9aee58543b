"""The shared state of scripts and pages, and an outbox that sends its changes to each page.

A script never waits for a page: it puts the newest state into the page's `Outbox`, whose thread
sends the fields that differ from what the page has.
"""

import contextlib
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
from twobone.play.steps import Step

MOST_PAGES = 32
MOST_UNDERWAY = 256  # unconfirmed values kept per field; a responsive page has a few
PATIENCE = 5.0  # seconds; the connection to a page that receives nothing for so long is closed


class Outbox:
    """One page: the newest state and orders for it, and the thread that sends them."""

    def __init__(
        self, connection: ServerConnection, number: int, known: dict[str, Any], lead: dict[str, Any]
    ):
        self.connection = connection
        self.number = number  # of the page: 1 is the page that was opened first
        self.lead = lead  # orders for its animal, which it is greeted with
        self.known = known  # the state of the page, as received from it or sent to it
        self.wanted = known  # the state it should have
        self.orders: dict[str, Any] = {}  # for its animal, not sent yet
        # Earlier values of the fields that were sent and are not yet confirmed by the page.
        self.underway: dict[str, list[Any]] = {}
        self.has_spoken = bool(known)  # a page greeted without a state begins by sending its own
        self.is_closed = False
        self.sending_since: float | None = None
        self.changed = threading.Condition()

    def start(self):
        threading.Thread(target=self._run, name="twobone-page", daemon=True).start()

    def offer(self, state):
        """Set the state to send; it replaces one that is still waiting to be sent."""
        with self.changed:
            self.wanted = state
            self.changed.notify()
        self._cut_if_stuck()

    def order(self, asked):
        """Add orders to those still waiting to be sent; new ones replace old ones.

        Shoves are added up.
        """
        with self.changed:
            if "shove" in asked and "shove" in self.orders:
                pairs = zip(self.orders["shove"], asked["shove"], strict=True)
                asked = {**asked, "shove": [old + new for old, new in pairs]}
            self.orders = {**self.orders, **asked}
            self.changed.notify()
        self._cut_if_stuck()

    def _cut_if_stuck(self):
        since = self.sending_since
        if since is not None and time.monotonic() - since > PATIENCE:
            self.cut()

    def changes(self, said):
        """Return the fields that were changed on the page, given the whole state it reports.

        The report may have been sent before the page received an earlier update. An old value
        of a field that is still under way is therefore not a change.
        """
        with self.changed:
            first, self.has_spoken = not self.has_spoken, True
            if first and self.wanted:  # a script set something before the page's first message
                self.underway = {name: [said[name]] for name in differences(said, self.known)}
                return {}
            found = {
                name: value
                for name, value in differences(self.known, said).items()
                if value not in self.underway.get(name, ())
            }
            for name in [name for name in self.underway if said[name] == self.known[name]]:
                del self.underway[name]  # the page has confirmed it
            return found

    def heard(self, said, state):
        """Record the state that the page has, with updates under way, and the one to send."""
        with self.changed:
            sent = {name: self.known[name] for name in self.underway}
            self.known, self.wanted = {**said, **sent}, state
            self.changed.notify()

    def close(self):
        with self.changed:
            self.is_closed = True
            self.changed.notify()

    def cut(self):
        """Close the connection without waiting."""
        with contextlib.suppress(OSError):
            self.connection.socket.shutdown(socket.SHUT_RDWR)

    def _run(self):
        while True:
            with self.changed:
                self.changed.wait_for(
                    lambda: self.is_closed or self.wanted is not self.known or self.orders
                )
                if self.is_closed:
                    return
                fields = differences(self.known, self.wanted)
                for name in fields.keys() & self.known.keys():
                    old = self.underway.get(name, [])
                    self.underway[name] = [*old[1 - MOST_UNDERWAY :], self.known[name]]
                self.known = self.wanted
                orders, self.orders = self.orders, {}
                self.sending_since = time.monotonic()
            try:
                if fields:
                    self.connection.send(json.dumps({"type": "set", "state": fields}))
                if orders:
                    self.connection.send(json.dumps({"type": "lead", **orders}))
            except (ConnectionClosed, OSError):
                return
            finally:
                self.sending_since = None


def differences(known: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a state that are missing from `known` or differ from it."""
    return {
        name: value for name, value in state.items() if name not in known or known[name] != value
    }


class Shared:
    """The state, the pages that show it, and the number of invalid messages."""

    def __init__(self):
        self.lock = threading.RLock()
        self.joined = threading.Condition(self.lock)
        self.state = page_state.check(page_state.DEFAULTS)
        self.lead: dict[str, Any] = {}  # orders for the animals of all pages, also of later ones
        self.is_scripted = False  # pages keep their own state until a script sets something
        self.is_closed = False
        self.errors = 0
        self.outboxes: set[Outbox] = set()
        self.opened = 0  # number of pages so far
        self.on_change: Callable[[], None] = lambda: None  # called when a page changed the state
        self.on_step: Callable[[Step], None] = lambda _: None  # called with each step of an animal

    # --- scripts ---

    def set(self, fields):
        """Set some fields, for a script."""
        with self.lock:
            self._check_open()
            self.state = page_state.changed(self.state, fields)
            self.is_scripted = True
            for outbox in self.outboxes:
                outbox.offer(self.state)

    def order(self, asked, *, lasts=True):
        """Send orders for the animals to all pages, and to later ones too if they last."""
        with self.lock:
            self._check_open()
            if lasts:
                self.lead = {**self.lead, **asked}
            for outbox in self.outboxes:
                outbox.order(asked)

    def _check_open(self):
        if self.is_closed:
            raise PageError("page", "be open to be changed", "a closed page")

    # --- pages ---

    def join(self, connection: ServerConnection):
        """Add a page; return its outbox, or None if there are too many pages or all is closed."""
        with self.lock:
            if self.is_closed or self.is_full():
                return None
            known = self.state if self.is_scripted else {}
            self.opened += 1
            outbox = Outbox(connection, self.opened, known, self.lead)
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
        """Take over the changes of a page, which sends its whole state, already checked.

        Only fields that differ from what the page was known to have were changed there; the
        others may be older than what a script or another page has set in the meantime.
        """
        with self.lock:
            state = {**self.state, **outbox.changes(said)}
            if state["least"] > state["greatest"]:  # one set by the page, the other by a script
                state = said  # unreached: race
            outbox.heard(said, state)
            if state == self.state:
                return
            self.state = state
            for each in self.outboxes:  # the page it came from has it, so its outbox sends nothing
                each.offer(state)
        self.on_change()

    def count_error(self):
        with self.lock:
            self.errors += 1

    # --- waiting ---

    def wait_for_page(self, seconds):
        """Return True if a page is open, False if all is closed, None after a timeout."""
        with self.joined:
            self.joined.wait_for(lambda: self.outboxes or self.is_closed, seconds)
            return False if self.is_closed else True if self.outboxes else None

    def wait_until_closed(self, seconds):
        """Return True once all is closed, or None after a timeout."""
        with self.joined:
            return self.joined.wait_for(lambda: self.is_closed, seconds) or None

    def close(self):
        """Accept no more pages; return the outboxes of the open ones."""
        with self.lock:
            self.is_closed = True
            self.joined.notify_all()
            return list(self.outboxes)
