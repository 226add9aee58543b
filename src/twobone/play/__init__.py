"""The interactive page and its server: `twobone.play()` opens it, `export` writes it to a file.

A script can control the page and receive its changes: `with twobone.play() as page:`; see
`Page`. The package `twobone.play` can be called; a call runs `session.play`.
"""

import inspect
import sys
import types

from twobone.play.bundle import export
from twobone.play.session import Page, play
from twobone.play.steps import Step

__all__ = ["Page", "Step", "export", "play"]


class _CallableRoom(types.ModuleType):
    """A package that can be called, as `twobone.play()`."""

    __call__ = staticmethod(play)
    __signature__ = inspect.signature(play)  # inspect would drop `port`, taking it for `self`


sys.modules[__name__].__class__ = _CallableRoom
