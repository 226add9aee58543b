"""A page that a script drives and listens to: `twobone.play()`."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import threading
import time
import traceback
import weakref
import webbrowser
from collections.abc import Callable
from typing import Any, Generic, Self, TypeAlias, TypedDict, TypeVar, Unpack, overload

import numpy as np

from twobone.core.array_types import Array, ArrayLike, NDArray
from twobone.core.solver import Reach
from twobone.errors import MissingError, PageError
from twobone.play import page_state
from twobone.play.page_state import PolicyName, Scene

T = TypeVar("T")  # of what is read
V = TypeVar("V")  # of what is set
Point: TypeAlias = tuple[float, ...]
PointLike: TypeAlias = ArrayLike[Any] | Array
R = TypeVar("R")  # of what a callback returns


class Field(Generic[T, V]):
    """A field of the shared state as an attribute of the page."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, page: None, owner: Any = None) -> Self: ...
    @overload
    def __get__(self, page: Page, owner: Any = None) -> T: ...
    def __get__(self, page: Page | None, owner: Any = None) -> Any:
        return self if page is None else page._read(self.name)

    def __set__(self, page: Page, value: V) -> None:
        fields: Any = {self.name: value}
        page.update(**fields)


class Fields(TypedDict, total=False):
    """Fields of the shared state by name, as `Page.update` takes them."""

    scene: Scene
    root: PointLike
    target: PointLike
    pole: PointLike
    r1: float
    r2: float
    side: int
    policy: PolicyName
    limit: float
    soft: float
    least: float
    greatest: float


class Page:
    """The page of `twobone.play`, as a script has it: what it shows, and ways to change that.

    Each attribute below is a field of what page and script share. To read it tells what the
    page shows; to set it changes every open page. What makes no sense raises a `PageError`
    and changes nothing. Scripts never wait for a page: if they are faster, it shows the newest.

    Examples
    --------
    >>> import twobone
    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     page.target = (1.0, 1.0)
    ...     page.update(r1=1.0, r2=1.0, side=-1)
    ...     page.answer().joint
    array([1., 0.])
    """

    __slots__ = ("__weakref__", "_finalizer", "_listeners", "_server")

    scene = Field[Scene, Scene]('"plane", "space" or "creature".')
    root = Field[Point, PointLike](
        "Where the first bone is fixed: 2 numbers in the plane, 3 in space."
    )
    target = Field[Point, PointLike](
        "Where the second bone should end: 2 numbers in the plane, 3 in space."
    )
    pole = Field[Point, PointLike](
        "In space: the direction from the root towards which the joint bends."
    )
    r1 = Field[float, float]("Length of the first bone.")
    r2 = Field[float, float]("Length of the second bone.")
    side = Field[int, int]("+1 or -1: to which side the joint bends.")
    policy = Field[PolicyName, PolicyName](
        '"clamp", "stretch", "proportion" (up to `limit`), "nan" or "raise".'
    )
    limit = Field[float, float](
        'With "proportion": how many times their length the bones may have.'
    )
    soft = Field[float, float]("The last share of reach, which is approached smoothly; 0 for none.")
    least = Field[float, float]("Least opening of the joint, in degrees.")
    greatest = Field[float, float]("Greatest opening of the joint, in degrees.")

    def __init__(self, server: Any) -> None:
        self._server = server
        self._listeners = Listeners(weakref.ref(self))
        server.shared.on_change = self._listeners.wake
        # One that nobody holds any more ends too. Not at the end of the program: its threads are
        # daemons, and there are no new ones then.
        self._finalizer = weakref.finalize(self, _end_aside, server, self._listeners)
        self._finalizer.atexit = False

    def _read(self, name):
        state = self._server.shared.state
        value = state[name]
        if name in ("root", "target") and state["scene"] != "space":
            value = value[:2]
        return tuple(value) if isinstance(value, list) else value

    def update(self, **fields: Unpack[Fields]) -> None:
        """Set several fields at once: the page never shows some without the others.

        Parameters
        ----------
        **fields
            Attributes of the page by name.

        Raises
        ------
        PageError
            If one makes no sense; then none is set.

        Examples
        --------
        >>> import twobone
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.update(scene="space", target=(0.5, 0.5, 0.5), pole=(0, 0, 1))
        ...     page.target
        (0.5, 0.5, 0.5)
        """
        self._server.shared.set(fields)

    def answer(self) -> Reach[NDArray[np.float64], NDArray[np.int8]]:
        """Return what `twobone.reach` makes of what the page shows.

        Returns
        -------
        Reach
            `joint`, `end` and `status`; in the plane 2 numbers, in space 3. Where the policy
            is "raise" it is that of "clamp", and the status tells.
        """
        return page_state.answer_in_world(self._server.shared.state)

    def on_change(self, callback: Callable[[Page], R]) -> Callable[[Page], R]:
        """Have a function called whenever somebody has changed something on a page.

        Parameters
        ----------
        callback : callable
            Called with this page, one at a time, in a thread of their own. If changes come
            faster than it returns, it is called once for several. What a script sets calls
            nobody. What it raises is printed to standard error, and that is all.

        Returns
        -------
        callable
            The same function, so that this can stand as `@page.on_change` above it.

        Raises
        ------
        PageError
            If it is no function.
        """
        if not callable(callback):
            raise PageError("callback", "be a function", repr(callback))
        self._listeners.add(callback)
        return callback

    @property
    def address(self) -> str:
        """Where a browser of this machine finds the page; whoever knows it can change it."""
        return self._server.address

    @property
    def errors(self) -> int:
        """How many messages came that made no sense."""
        return self._server.shared.errors

    @property
    def pages(self) -> int:
        """How many pages are open."""
        return len(self._server.shared.outboxes)

    def wait_for_page(self, timeout: float | None = None) -> bool:
        """Wait until a page is open; return whether one is.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; without it, for as long as it takes.
        """
        return _patiently(self._server.shared.wait_for_page, timeout)

    def wait(self) -> None:
        """Wait until the page is closed from elsewhere in the program, or for Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            _patiently(self._server.shared.wait_until_closed, None)

    def close(self) -> None:
        """Stop serving; pages that are open say so, and come back if there is a server again."""
        self._finalizer.detach()
        self._listeners.close()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # Notebooks store what they show, so neither text holds the token.
        return f"<twobone page at http://127.0.0.1:{self._server.port}/...>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{self._server.passing_address}" title="twobone"'
            ' width="100%" height="640" style="border: 0"'
            ' allow="clipboard-write; fullscreen"></iframe>'
        )


class Listeners:
    """Functions to be called when a page has changed something, and the thread that does."""

    def __init__(self, page: weakref.ref[Page]):
        self.page = page
        self.callbacks: list[Callable[[Page], Any]] = []
        self.is_closed = False
        self.is_due = False
        self.changed = threading.Condition()
        self.thread: threading.Thread | None = None

    def add(self, callback):
        with self.changed:
            self.callbacks.append(callback)
            if self.thread is None:
                self.thread = threading.Thread(
                    target=self._run, name="twobone-on-change", daemon=True
                )
                self.thread.start()

    def wake(self):
        with self.changed:
            self.is_due = bool(self.callbacks)
            self.changed.notify()

    def close(self):
        with self.changed:
            self.is_closed = True
            self.changed.notify()

    def _run(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.is_due or self.is_closed)
                if self.is_closed:
                    return
                self.is_due = False
                callbacks = list(self.callbacks)
            for callback in callbacks:
                self._call(callback)

    def _call(self, callback):
        page = self.page()
        if page is None:
            return
        try:
            callback(page)
        except BaseException:  # also SystemExit: it would end the thread that calls the others
            traceback.print_exc()


def play(port: int = 8765, *, open_browser: bool = True) -> Page:
    """Serve the page from here, and open it where there is a browser.

    Parameters
    ----------
    port : int
        Of this machine, and only for it; if it is taken, the next free one. 0 is any.
    open_browser : bool
        Whether to open it at once. Where there is no browser, nothing happens: see `address`.

    Returns
    -------
    Page
        To drive it and to listen to it; with `with` it ends at the end of the block. In a
        notebook it shows the page.

    Raises
    ------
    PageError
        If `port` is none, or a hundred from there are taken.
    MissingError
        Without the package websockets, which comes with `twobone[play]`.

    Examples
    --------
    >>> import twobone
    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     page.target = (1.2, 0.4)
    ...     page.address.startswith("http://127.0.0.1:")
    True
    """
    if not _is_there("websockets"):
        raise MissingError("the page", "websockets", "play")
    from twobone.play.server import Server  # not before it is needed
    from twobone.play.shared import Shared

    page = Page(Server(Shared(), port))
    if open_browser:
        show(page.address)
    return page


def show(address: str) -> None:
    """Open an address in a browser, if there is one with a window, without waiting for it."""
    threading.Thread(target=_show, args=(address,), name="twobone-show", daemon=True).start()


def _show(address):
    # A browser in the terminal would take that from us; whoever names one wants it.
    with contextlib.suppress(Exception):
        browser = webbrowser.get()
        in_terminal = type(browser) is webbrowser.GenericBrowser
        if not in_terminal or os.environ.get("BROWSER"):
            browser.open(address)


def _is_there(package):
    if package in sys.modules:
        return sys.modules[package] is not None
    return importlib.util.find_spec(package) is not None


def _patiently(wait, timeout):
    """Wait in short turns: on Windows a long one would not hear Ctrl-C."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = 0.5 if end is None else min(0.5, end - time.monotonic())
        if (done := wait(max(0.0, left))) is not None:
            return done
        if end is not None and time.monotonic() >= end:
            return False


def _end_aside(server, listeners):
    # Whichever thread let go of the page must not wait here, least of all for itself.
    listeners.close()
    threading.Thread(target=server.close, daemon=True).start()
