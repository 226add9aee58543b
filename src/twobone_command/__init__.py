"""The console script `twobone`: set up Ctrl-C handling before NumPy is imported.

This is a separate package because importing any module of `twobone` imports NumPy first.
"""

# `signal` would import `enum`, which takes milliseconds; a Ctrl-C then would print a traceback.
import _signal as signal  # pyright: ignore[reportMissingImports]
import os
import sys


def main():
    """Run the command line."""
    begin()
    from twobone.__main__ import main as run

    run()


def begin():
    """Make Ctrl-C during imports end the process silently, and import the engine.

    Python's own handler would print a traceback. An invalid value of TWOBONE_ENGINE or
    TWOBONE_THREADS makes the import fail: print the error in one line and exit with code 2.
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
