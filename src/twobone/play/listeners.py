"""Functions that a script wants called when something happens on a page."""

from __future__ import annotations

import threading
import traceback
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twobone.play.steps import Step

if TYPE_CHECKING:
    from twobone.play.session import Page


class Listeners:
    """Callbacks for changes and steps on pages, and the thread that calls them one by one.

    What happens while a callback runs is kept: that there was a change, and the last step of
    each page.
    """

    def __init__(self, page: weakref.ref[Page]):
        self.page = page
        self.of_change: list[Callable[[Page], Any]] = []
        self.of_step: list[Callable[[Page, Step], Any]] = []
        self.is_closed = False
        self.has_changed = False
        self.steps: dict[int, Step] = {}  # the last of each page, not yet reported
        self.happened = threading.Condition()
        self.thread: threading.Thread | None = None

    def add(self, callbacks, callback):
        with self.happened:
            callbacks.append(callback)
            if self.thread is None:
                self.thread = threading.Thread(
                    target=self._run, name="twobone-callbacks", daemon=True
                )
                self.thread.start()

    def change(self):
        with self.happened:
            self.has_changed = bool(self.of_change)
            self.happened.notify()

    def step(self, step: Step):
        with self.happened:
            if self.of_step:
                self.steps[step.page] = step
                self.happened.notify()

    def close(self):
        with self.happened:
            self.is_closed = True
            self.happened.notify()

    def _run(self):
        while True:
            with self.happened:
                self.happened.wait_for(lambda: self.has_changed or self.steps or self.is_closed)
                if self.is_closed:
                    return
                changed, self.has_changed = self.has_changed, False
                steps, self.steps = self.steps, {}
                of_change, of_step = list(self.of_change), list(self.of_step)
            for callback in of_change if changed else ():
                self._call(callback)
            for step in steps.values():
                for callback in of_step:
                    self._call(callback, step)

    def _call(self, callback, *told):
        page = self.page()
        if page is None or self.is_closed:
            return  # unreached: race
        try:
            callback(page, *told)
        except BaseException:  # SystemExit too: it would end the thread, and with it all callbacks
            traceback.print_exc()
