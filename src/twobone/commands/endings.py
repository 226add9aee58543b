"""Exit codes, error messages and signals: how every command ends.

A command that fails prints one line to standard error. The exit codes are

- 0: success
- 1: a target is out of reach or INVALID with `--unreachable raise`, a measure of
  `walk --report` is out of bounds, some of several motions failed, or a clip probably
  needs other options with `pin --strict`
- 2: invalid arguments or input, or a file that cannot be read or written
- 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM
- 141: the reader of standard output closed the pipe
"""

import contextlib
import errno
import functools
import os
import signal
import sys
from typing import cast

import click

from twobone.errors import TwoBoneError
from twobone.files import atomic

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


class Terminated(SystemExit):
    """Raised when SIGTERM or SIGHUP arrives."""


def end(work):
    """Run a command and return its exit code.

    Parameters
    ----------
    work : callable
        The command, called without arguments. It returns an exit code, or None for 0.

    Returns
    -------
    int
        The exit code. Every exception that a user can cause becomes an exit code and, except
        for a closed pipe, SIGTERM and SIGHUP, a line on standard error.
    """
    before = {}
    # The first signal raises an exception, possibly while another error is being reported;
    # the second one ends the process at once.
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


def _message(error):
    """Return what is wrong, and which help lists what exists if it is not about a value."""
    said = error.format_message()
    is_about_value = isinstance(error, (click.BadParameter, click.BadOptionUsage))
    if isinstance(error, click.UsageError) and error.ctx is not None and not is_about_value:
        is_of_group = hasattr(error.ctx.command, "commands")
        what = "options" if isinstance(error, click.NoSuchOption) or not is_of_group else "commands"
        joint = " " if said.endswith(("?", "?)")) else "; "
        said = said.removesuffix(".")
        return f"{said}{joint}`{error.ctx.command_path} --help` lists the {what}"
    return said


def _code_of(work):
    _open_closed()
    try:
        code = _exit_code(work)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        code = 141
    except click.ClickException as error:
        say(_message(error))
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
    """Return the exit code, whichever way the command or click reports it."""
    try:
        return work() or 0
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except Terminated:
        raise
    except SystemExit as ending:  # from rich, if the pipe is closed
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
    """Print an error or a note to standard error, in one line."""
    write(f"twobone: {printable(message)}")


def printable(text):
    """Return a text in one line, with escapes for what is not printable.

    Names of files, columns and joints may contain control sequences, which a terminal would obey.
    """
    line = " ".join(str(text).splitlines())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def write(line):
    """Write a line to standard error, if it is open."""
    if sys.stderr is not None:
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:
            _drop(sys.stderr)


# --- standard streams ---------------------------------------------------------------------


def _open_closed():
    """Open the standard streams that are closed, so that no other file gets their descriptors.

    Standard output is opened for reading only, so that writing to it still fails.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # gets the lowest free descriptor, which is this one
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)


def _settle(stream):
    """Flush a stream; discard what cannot be written, which would make Python fail at exit."""
    try:
        stream.flush()
    except OSError:
        _drop(stream)


def _drop(stream):
    """Redirect a stream to the null device, so that its buffer is discarded."""
    with contextlib.suppress(OSError):  # in a notebook or a test a stream may have no descriptor
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


# --- signals ------------------------------------------------------------------------------


def _listen(before):
    """Install handlers that raise; store the previous ones in `before`."""
    before["unraisable"] = sys.unraisablehook
    sys.unraisablehook = functools.partial(_hear_unraisable, sys.unraisablehook)
    for number in SIGNALS:
        old = signal.getsignal(number)
        # A signal that is ignored (nohup, a background job) stays ignored.
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
    """Raise an exception, so that unfinished files are removed on the way out."""
    for other in SIGNALS:
        if signal.getsignal(other) is _unwind:
            signal.signal(other, _end_at_once)
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(128 + number)


def _end_at_once(number, frame):
    atomic.remove_all()  # unreached: signal
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _clean_up():
    """Remove unfinished files, including those whose own clean-up the signal prevented."""
    _drop(sys.stdout)  # not flushed: that blocks if the reader of a full pipe has stopped reading
    atomic.remove_all()


def _hear_unraisable(before, unraisable):
    """End at once if a signal arrived where exceptions are swallowed, such as in `__del__`."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):  # unreached: signal
        _end_at_once(signal.SIGINT, None)
    elif issubclass(unraisable.exc_type, Terminated):
        _end_at_once(unraisable.exc_value.code - 128, None)
    else:
        before(unraisable)
