"""The console script `twobone`: what must happen before NumPy is imported.

This is a package of its own because importing any module of `twobone` imports NumPy first.
"""

# Not `signal`: it imports enum, milliseconds in which a Ctrl-C would print a traceback.
import _signal as signal  # pyright: ignore[reportMissingImports]
import os
import sys


def main():
    """Run the command line."""
    begin()
    from twobone.__main__ import main as run

    run()


def begin():
    """Make Ctrl-C during the imports end the process silently, and import what may refuse.

    Python's own handler would print a traceback. An unknown value in the environment
    (TWOBONE_ENGINE, TWOBONE_THREADS) makes the import fail: that ends with one line and 2.
    """
    # A signal that is ignored, as in a background job, stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        import twobone.core.engine  # noqa: F401
    except ImportError as error:
        _say(" ".join(str(error).split()))
        sys.exit(2)


def _say(line):
    from contextlib import suppress

    with suppress(OSError):  # standard error may be closed or full
        os.write(2, f"twobone: {line}\n".encode(errors="backslashreplace"))
