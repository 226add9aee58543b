"""The page: two bones to drag, and live Python behind them. `twobone.play()` opens it.

With `with twobone.play() as page:` a script drives the page and listens to it: see `Page`.
The package is also the function, `session.play`.
"""

import inspect
import sys
import types

from twobone.play.bundle import export
from twobone.play.session import Page, play

__all__ = ["Page", "export", "play"]


class _CallableRoom(types.ModuleType):
    """A package that is a function too: `twobone.play` is both."""

    __call__ = staticmethod(play)
    __signature__ = inspect.signature(play)  # inspect would take `port` for a `self`


sys.modules[__name__].__class__ = _CallableRoom
