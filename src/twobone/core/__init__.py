"""Numbers and arrays: the formula, policies and the solver for two bones."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from twobone.core import fitting as fitting
    from twobone.core import formula as formula
    from twobone.core import scaling as scaling
else:

    def __getattr__(name):
        """Import the formula when first used: with the kernel, most programs never need it."""
        if name in ("fitting", "formula", "scaling"):
            return importlib.import_module(f"twobone.core.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
