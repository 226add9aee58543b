"""`twobone.play()` and `Page`, with which a script controls the page and receives its changes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import threading
import time
import weakref
import webbrowser
from collections.abc import Callable
from typing import Any, Generic, Self, TypeAlias, TypedDict, TypeVar, Unpack, get_args, overload

import numpy as np

from twobone.core.array_types import Array, ArrayLike, NDArray
from twobone.core.solver import Reach
from twobone.creature.animals import Animal, AnimalName, as_animal
from twobone.errors import MissingError, PageError
from twobone.play import leading, page_state
from twobone.play import public_url as public_urls
from twobone.play.characters import CharacterFile
from twobone.play.listeners import Listeners
from twobone.play.schema import DIMENSIONS, PolicyName, Scene
from twobone.play.steps import Step
from twobone.terrain.ground import Ground, Terrain, as_terrain

T = TypeVar("T")  # the type of a field when read
V = TypeVar("V")  # the type of a field when set
Point: TypeAlias = tuple[float, ...]
PointLike: TypeAlias = ArrayLike[Any] | Array
R = TypeVar("R")  # what a callback returns

PORT = 8765  # of the server, unless another one is asked for


class Field(Generic[T, V]):
    """A descriptor: a field of the shared state as an attribute of the page."""

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
    """Fields of the shared state, the keyword arguments of `Page.update`."""

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
    """A page opened by `twobone.play`: read and change what it shows.

    The attributes from `scene` to `greatest` are the fields of a state that the script shares with
    all open pages. Reading one returns what the pages show; setting one changes every open page. An
    invalid value raises `PageError` and changes nothing. Setting never waits for a page: a page
    that is slower than the script skips to the newest state.

    In the scene "creature", each open page lets an animal walk by itself. A script leads the
    animals of all pages with `animal`, `terrain`, `lead` and `shove`, and is told where they are by
    `on_step`. Somebody at a page has precedence as long as they hold a key or a finger, or until
    the animal is where they have clicked.

    Examples
    --------
    >>> import twobone
    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     page.target = (1.0, 1.0)
    ...     page.update(r1=1.0, r2=1.0, side=-1)
    ...     page.answer().joint
    array([1., 0.])

    Call a function whenever someone drags the target:

    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     @page.on_change
    ...     def show(page):
    ...         print(page.target)

    Lead a dog over steps:

    >>> from twobone.creature import Steps
    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     page.scene = "creature"
    ...     page.animal = "dog"
    ...     page.terrain = Steps(0.1, 1.0)
    ...     page.lead(velocity=0.6, turn=0.2)
    """

    __slots__ = ("__weakref__", "_animal", "_finalizer", "_listeners", "_server", "_terrain")

    scene = Field[Scene, Scene](
        f"What the page shows: {', '.join(f'`{name}`' for name in get_args(Scene))}."
    )
    root = Field[Point, PointLike](
        "Where the first bone is fixed: 2 numbers in the plane, 3 in space."
    )
    target = Field[Point, PointLike](
        "Where the second bone should end: 2 numbers in the plane, 3 in space."
    )
    pole = Field[Point, PointLike](
        "In space: the pole vector, towards which the joint bends; 3 numbers."
    )
    r1 = Field[float, float]("Length of the first bone.")
    r2 = Field[float, float]("Length of the second bone.")
    side = Field[int, int]("+1 or -1: the side to which the joint bends.")
    policy = Field[PolicyName, PolicyName](
        'What to do with a target out of reach: "clamp", "stretch", "proportion" (as'
        ' `twobone.Stretch`), "nan" or "raise".'
    )
    limit = Field[float, float]('The limit of `twobone.Stretch`, for the policy "proportion".')
    soft = Field[float, float]("The softness of `twobone.Soft`, from 0 (none) to below 1.")
    least = Field[float, float]("Minimum joint angle, in degrees.")
    greatest = Field[float, float]("Maximum joint angle, in degrees.")

    def __init__(self, server: Any) -> None:
        self._server = server
        self._listeners = Listeners(weakref.ref(self))
        self._animal: Animal | None = None
        self._terrain: Terrain | None = None
        server.shared.on_change = self._listeners.change
        server.shared.on_step = self._listeners.step
        # A page that is garbage collected stops serving. This is not done at interpreter exit:
        # the threads are daemons, and no new thread can be started then.
        self._finalizer = weakref.finalize(self, _end_aside, server, self._listeners)
        self._finalizer.atexit = False

    def _read(self, name):
        state = self._server.shared.state
        value = state[name]
        if name in ("root", "target") and DIMENSIONS.get(state["scene"]) != 3:
            value = value[:2]
        return tuple(value) if isinstance(value, list) else value

    def update(self, **fields: Unpack[Fields]) -> None:
        """Set several fields at once; no page shows some of them without the others.

        Parameters
        ----------
        **fields
            New values of attributes of the page, by name.

        Raises
        ------
        PageError
            If a value is invalid; then nothing is set.

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
        """Solve the limb that the page shows, with `twobone.reach`.

        Returns
        -------
        Reach
            `joint` and `end` in world coordinates (2 numbers in the plane, 3 in space), and
            `status`. The policy "raise" does not raise here: the result is that of "clamp", and
            `status` says whether the target was reached.
        """
        return page_state.answer_in_world(self._server.shared.state)

    def on_change(self, callback: Callable[[Page], R]) -> Callable[[Page], R]:
        """Register a function to be called whenever someone changes something on a page.

        Parameters
        ----------
        callback : callable
            Called with this page. All callbacks run in one separate thread, one after the
            other. If changes arrive faster than the callbacks return, several changes share one
            call. Changes made by a script do not call it. An exception that it raises is
            printed to standard error and otherwise ignored.

        Returns
        -------
        callable
            The same function, so that `@page.on_change` works as a decorator.

        Raises
        ------
        PageError
            If `callback` is not callable.
        """
        if not callable(callback):
            raise PageError("callback", "be a function", repr(callback))
        self._listeners.add(self._listeners.of_change, callback)
        return callback

    # --- the animal ---

    @property
    def animal(self) -> Animal | None:
        """The animal that walks on all pages; None if every page chooses its own.

        Set it to an `Animal` or to the name of a built-in one; an `Animal` may be one of
        your own, and has at most 64 legs. It starts where the one before was.

        Raises
        ------
        CreatureError, ArrayTypeError, ShapeError
            If it is no animal that can walk, as for `twobone.creature.Walker`, or has more legs.

        Examples
        --------
        >>> import twobone
        >>> from twobone.creature import animal
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.animal = "spider"
        ...     page.animal.name
        'spider'

        A dog that trots at any speed and hardly bobs:

        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.animal = animal("dog").with_gait("trot").with_liveliness(0.2)
        """
        return self._animal

    @animal.setter
    def animal(self, animal: AnimalName | Animal | None) -> None:
        found = None if animal is None else as_animal(animal, "animal")
        self._server.shared.order(leading.asked_animal(animal))
        self._animal = found

    @property
    def terrain(self) -> Terrain | None:
        """The ground of all pages; None if every page chooses its own.

        Set it to anything that `twobone.creature.as_terrain` takes: a terrain, a height, an array
        of heights, or a function of x and z. Pages compute terrains with a formula and arrays of at
        most 250,000 heights as Python does. They cannot call a function: its heights are computed
        at once, 0.2 apart, up to 40 from the origin, and interpolated as by
        `twobone.creature.HeightArray`. For another grid, set such an array.

        Raises
        ------
        CreatureError, ArrayTypeError, ShapeError
            If it is no terrain, as for `twobone.creature.Walker`, an array of more heights, or a
            function whose heights are not finite.

        Examples
        --------
        >>> import twobone
        >>> from twobone.creature import Noise
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.terrain = Noise(0.3, 5.0, seed=2)
        ...     page.terrain
        Noise(0.3, 5.0, seed=2)

        Ground of your own, as a function of arrays:

        >>> import numpy as np
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.terrain = lambda x, z: 0.2 * np.sin(x) * np.cos(z)
        """
        return self._terrain

    @terrain.setter
    def terrain(self, terrain: Ground | None) -> None:
        found = None if terrain is None else as_terrain(terrain)
        self._server.shared.order(leading.asked_terrain(found))
        self._terrain = found

    def lead(self, velocity: PointLike = 0.0, turn: float = 0.0) -> None:
        """Let the animals of all pages walk with a velocity, from now on.

        Parameters
        ----------
        velocity : number or array, shape (2)
            Desired velocity, in units of length per second: a number is forward, two are to the
            left and forward. As in `Walker.step`, it is limited to what the animal can do.
        turn : float
            Desired turning rate in radians per second, to the left.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9.
        ShapeError
            If `velocity` or `turn` has another shape.

        Notes
        -----
        The order holds until the next call, also for pages that are opened later. It ends the
        automatic motion of a page, which somebody can switch on again there.

        Examples
        --------
        >>> import twobone
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.lead(1.0)
        ...     page.lead((0.2, 0.8), turn=-0.3)
        ...     page.lead()  # stand still
        """
        self._server.shared.order(leading.asked_order(velocity, turn))

    def shove(self, velocity: PointLike) -> None:
        """Push the animals of all open pages; their legs step to catch up.

        Parameters
        ----------
        velocity : number or array, shape (2)
            Added to the velocity of the body: a number is forward, two are to the left and forward.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9.
        ShapeError
            If `velocity` has another shape.

        Examples
        --------
        >>> import twobone
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     page.shove((1.5, 0.0))
        """
        self._server.shared.order(leading.asked_shove(velocity), lasts=False)

    def on_step(self, callback: Callable[[Page, Step], R]) -> Callable[[Page, Step], R]:
        """Register a function to be called as the animals on pages walk.

        Parameters
        ----------
        callback : callable
            Called with this page and a `Step`: the number of the open page (the first is 1), the
            name of its animal, for how many seconds it has walked, its `WalkerState`, and whether
            it is blocked. Every page reports its own animal, after at most every frame that it
            draws; a hidden page and an animal at rest report nothing. The callback runs in the
            same thread as those of `on_change`. If it is slow, pages skip to their newest step.

        Returns
        -------
        callable
            The same function, so that `@page.on_step` works as a decorator.

        Raises
        ------
        PageError
            If `callback` is not callable.

        Examples
        --------
        Stop in front of a wall at z = 3:

        >>> import twobone
        >>> with twobone.play(port=0, open_browser=False) as page:
        ...     @page.on_step
        ...     def stop(page, step):
        ...         page.lead(1.0 if step.state.body_position[2] < 2.0 else 0.0)
        """
        if not callable(callback):
            raise PageError("callback", "be a function", repr(callback))
        self._listeners.add(self._listeners.of_step, callback)
        self._server.shared.order({"steps": True})
        return callback

    # --- the server ---

    @property
    def address(self) -> str:
        """URL of the page, for browsers on this machine. Keep it secret: it contains a token."""
        return self._server.address

    @property
    def errors(self) -> int:
        """Number of invalid messages received from pages."""
        return self._server.shared.errors

    @property
    def pages(self) -> int:
        """Number of open pages."""
        return len(self._server.shared.outboxes)

    def wait_for_page(self, timeout: float | None = None) -> bool:
        """Wait until a page is open.

        Parameters
        ----------
        timeout : float, optional
            Maximum time to wait, in seconds. By default there is no limit.

        Returns
        -------
        bool
            Whether a page is open; False after the timeout, or once this page is closed.
        """
        return _patiently(self._server.shared.wait_for_page, timeout)

    def wait(self) -> None:
        """Wait until another thread closes the page, or until Ctrl-C is pressed."""
        with contextlib.suppress(KeyboardInterrupt):
            _patiently(self._server.shared.wait_until_closed, None)

    def close(self) -> None:
        """Stop serving. Open pages show that, and reconnect when a server runs again."""
        self._finalizer.detach()
        self._listeners.close()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # Notebooks save their output, so the token must not appear here or in `_repr_html_`.
        return f"<twobone page at http://127.0.0.1:{self._server.port}/...>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{self._server.passing_address}" title="twobone"'
            ' width="100%" height="640" style="border: 0"'
            ' allow="clipboard-write; fullscreen"></iframe>'
        )


def play(
    port: int = PORT,
    *,
    open_browser: bool = True,
    public_url: str | None = None,
    character: str | os.PathLike[str] | None = None,
) -> Page:
    """Serve the interactive page on this machine and open it in a browser.

    Parameters
    ----------
    port : int
        The port on 127.0.0.1. If it is taken, the next free one is used; 0 is any free port.
    open_browser : bool
        Whether to open the page in a web browser. If there is none, nothing happens; the
        attribute `address` has the URL to open by hand.
    public_url : str, optional
        The address at which others can open an exported page, an http or https URL. Links and
        embed code that are copied from the page use it, because only this machine can open the
        page itself.
    character : str or path, optional
        A .glb, .vrm or .bvh file. The page opens with this character, whose hands and feet can be
        dragged. The file is given to this page alone, which reads it again whenever it is reloaded.

    Returns
    -------
    Page
        The object that controls the page. As a context manager it stops serving at the end of the
        block. As the result of a notebook cell it shows the page.

    Raises
    ------
    PageError
        If `port` is not a port number, or it and the 99 ports after it are taken; or if
        `public_url` is not such a URL, or has a user name, a password or a part from `#` on; or if
        `character` has another suffix, is no file, or is larger than 128 MB.
    ClipError
        If `character` is damaged, or is not what its suffix says.
    OSError
        If `character` cannot be read.
    MissingError
        If the package websockets is not installed; the extra `play` installs it.

    Examples
    --------
    >>> import twobone
    >>> with twobone.play(port=0, open_browser=False) as page:
    ...     page.target = (1.2, 0.4)
    ...     page.address.startswith("http://127.0.0.1:")
    True
    """
    if public_url is not None:
        public_urls.check(public_url)
    if not _is_there("websockets"):
        raise MissingError("the page", "websockets", "play")
    from twobone.play.server import Server  # imported late: it needs websockets
    from twobone.play.shared import Shared

    shared, file = Shared(), None
    if character is not None:
        file = CharacterFile(character)
        shared.state = {**shared.state, "scene": "character"}  # unreached: browser
    page = Page(Server(shared, port, public_url, file))
    if open_browser:
        show(page.address)
    return page


def show(address: str) -> None:
    """Open an address in a graphical browser, if there is one, without waiting for it."""
    threading.Thread(target=_show, args=(address,), name="twobone-show", daemon=True).start()


def _show(address):
    # A text-mode browser would take over the terminal, so it is used only if BROWSER names it.
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
    """Call `wait(seconds)` repeatedly with short waits: on Windows Ctrl-C cannot end a long one."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = 0.5 if end is None else min(0.5, end - time.monotonic())
        if (done := wait(max(0.0, left))) is not None:
            return done
        if end is not None and time.monotonic() >= end:
            return False


def _end_aside(server, listeners):
    # A finalizer can run in any thread, even one that `close` waits for, so it must not wait.
    listeners.close()
    threading.Thread(target=server.close, daemon=True).start()
