"""How commands end, without a process of their own: exceptions and signals become codes."""

import os
import signal

import click
import pytest

from twobone.commands import endings

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def raising(error):
    def work():
        raise error

    return work


def test_a_prompt_that_is_cancelled_is_an_interruption(capsys):
    assert endings.end(raising(click.Abort())) == 130
    assert capsys.readouterr() == ("", "twobone: interrupted\n")


def test_an_exit_keeps_its_code(capsys):
    assert endings.end(raising(SystemExit(3))) == 3
    assert endings.end(raising(SystemExit(None))) == 0
    assert capsys.readouterr() == ("", "")


def test_an_exit_because_of_a_closed_pipe_is_a_closed_pipe(capsys):
    def work():
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            raise SystemExit(1)  # noqa: B904

    assert endings.end(work) == 141
    assert capsys.readouterr() == ("", "")


@posix
def test_a_signal_that_was_ignored_stays_ignored(capsys):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert endings.end(lambda: signal.raise_signal(signal.SIGHUP)) == 0
        assert endings.end(lambda: signal.raise_signal(signal.SIGTERM)) == 143
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert capsys.readouterr() == ("", "")
