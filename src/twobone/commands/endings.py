"""How every command ends: with an exit code, and at most one line on standard error.

0; 1 where `--unreachable raise` met a target out of reach or a figure of `walk --report` is out
of its bounds; 2 for a mistake in the command or in
what it reads or writes; 129, 130, 143 when hung up, interrupted, terminated; 141 when nobody
reads the output.
"""

import contextlib
import errno
import functools
import os
import signal
import sys
from typing import Any, cast

import typer

from twobone.errors import TwoBoneError
from twobone.files import atomic

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
# typer and click, which it is made of, have moved about; this name of theirs is public.
MISUSE = cast(Any, typer.BadParameter).__base__.__base__


class Terminated(SystemExit):
    """A signal has asked the process to end."""


def end(work):
    """Run a command and return its exit code.

    Parameters
    ----------
    work : callable
        The command. It returns an exit code, or None for 0.

    Returns
    -------
    int
        Every exception that a user can cause has become a code and a line.
    """
    before = {}
    # The first signal unwinds, so it may arrive anywhere below, also while another error is
    # reported; the second one ends the process at once.
    try:
        _listen(before)
        code = _code_of(work)
        _restore(before)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
        _clean_up()
        say("interrupted")
        _restore(before)
    except Terminated as ending:
        code = cast(int, ending.code)
        _clean_up()
        _restore(before)
    return code


def _code_of(work):
    _open_closed()
    try:
        code = _exit_code(work)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        code = 141
    except MISUSE as error:
        say(error.format_message())
        code = 2
    except TwoBoneError as error:
        say(error)
        code = getattr(error, "exit_code", 2)
    except OSError as error:
        say(_describe(error))
        code = 2
    _settle(sys.stdout)
    return code


def _exit_code(work):
    """Return what the command or typer ends with, who has several ways to say so."""
    try:
        return work() or 0
    except typer.Exit as ending:
        return ending.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Terminated:
        raise
    except SystemExit as ending:  # of rich where nobody reads a help text; of shell completion
        if isinstance(ending.__context__, BrokenPipeError):
            raise ending.__context__ from None
        return ending.code or 0


def _describe(error):
    if error.errno == errno.EBADF and error.filename is None:
        return "standard output is closed"
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


# --- messages -----------------------------------------------------------------------------


def say(message):
    """Tell what is wrong, or worth knowing, in one line."""
    line = " ".join(str(message).splitlines())
    # Names of files and columns may hold what a terminal would obey.
    write("twobone: " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line))


def write(line):
    """Write a line to standard error, if it is there."""
    if sys.stderr is not None:
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:
            _drop(sys.stderr)


# --- standard streams ---------------------------------------------------------------------


def _open_closed():
    """Open those of the standard streams that are closed, or files of ours would be in their place.

    Whoever writes to standard output is then told that it is closed: it is opened for reading.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)


def _settle(stream):
    """Flush a stream; send what cannot be written nowhere, or Python fails on it while leaving."""
    try:
        stream.flush()
    except OSError:
        _drop(stream)


def _drop(stream):
    """Send what a stream still holds nowhere."""
    with contextlib.suppress(OSError):  # not every stream of a notebook or a test is a file
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


# --- signals ------------------------------------------------------------------------------


def _listen(before):
    """Answer signals by unwinding; `before` receives what was set before."""
    before["unraisable"] = sys.unraisablehook
    sys.unraisablehook = functools.partial(_hear_unraisable, sys.unraisablehook)
    for number in SIGNALS:
        old = signal.getsignal(number)
        # One that is ignored (nohup, a job in the background) stays ignored.
        if old in (signal.SIG_DFL, signal.default_int_handler):
            before[number] = old
            signal.signal(number, _unwind)


def _restore(before):
    for key in list(before):
        if key == "unraisable":
            sys.unraisablehook = before[key]
        else:
            signal.signal(key, before[key])


def _unwind(number, frame):
    """End through an exception, so that what is half done is undone."""
    for other in SIGNALS:
        if signal.getsignal(other) is _unwind:
            signal.signal(other, _end_at_once)
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(128 + number)


def _end_at_once(number, frame):
    atomic.remove_all()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _clean_up():
    """Remove what is half written, also where the signal came before anyone could do so."""
    _drop(sys.stdout)  # flushing could block: perhaps nobody reads on
    atomic.remove_all()


def _hear_unraisable(before, unraisable):
    """End at once where a signal arrived in a place that swallows exceptions, such as `__del__`."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _end_at_once(signal.SIGINT, None)
    elif issubclass(unraisable.exc_type, Terminated):
        _end_at_once(unraisable.exc_value.code - 128, None)
    else:
        before(unraisable)
