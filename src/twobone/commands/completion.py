"""Shell completion: the options that print the script of a shell, or install it."""

import os
from pathlib import Path
from typing import NamedTuple

import rich_click as click
from click.shell_completion import get_completion_class, shell_complete

from twobone.commands.words import words

NAME = "twobone"
VARIABLE = "_TWOBONE_COMPLETE"  # set by the scripts when they ask for completions
CURRENT = ""  # the value of an option without a value


class Place(NamedTuple):
    """Where the script of a shell is installed, and how the shell finds it; in the home folder."""

    script: str
    start: str | None = None  # a file that the shell runs when it starts
    line: str = ""  # what this file must contain


PLACES = {
    "bash": Place(
        f".bash_completions/{NAME}.sh", ".bashrc", f"source ~/.bash_completions/{NAME}.sh"
    ),
    "zsh": Place(f".zfunc/_{NAME}", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": Place(f".config/fish/completions/{NAME}.fish"),
}


def is_asked():
    """Return whether the script of a shell runs this command, for the script or completions."""
    return bool(os.environ.get(VARIABLE))


def answer(command):
    """Print what the script of a shell asks for; return the exit code."""
    return shell_complete(command, {}, NAME, VARIABLE, os.environ[VARIABLE])


def options(command):
    """Add the options `--install-completion` and `--show-completion` to a command."""
    for name, work, what in (
        ("--show-completion", _show, "Print the completion script of a shell"),
        ("--install-completion", _install, "Install completion for a shell"),
    ):
        command = click.option(
            name,
            metavar="[SHELL]",
            is_flag=False,
            flag_value=CURRENT,
            is_eager=True,
            expose_value=False,
            callback=_ending(work),
            shell_complete=words(*PLACES),
            help=f"{what}: bash, zsh or fish. Default: that of $SHELL.",
        )(command)
    return command


def _ending(work):
    """Return a callback that does the work of an option and ends the command."""

    def callback(context, option, shell):
        if shell is not None and not context.resilient_parsing:
            work(context.command, _check_shell(shell))
            context.exit()

    return callback


def _check_shell(name):
    """Return the name of a shell that has completion; raise if it has none."""
    shell = Path(os.environ.get("SHELL", "")).name if name == CURRENT else name
    if shell not in PLACES:
        source = " from $SHELL" if name == CURRENT else ""
        raise click.BadParameter(f"expected bash, zsh or fish, got {shell!r}{source}")
    return shell


def _script(command, shell):
    return get_completion_class(shell)(command, {}, NAME, VARIABLE).source()


def _show(command, shell):
    print(_script(command, shell))


def _install(command, shell):
    script, start, line = PLACES[shell]
    path = Path.home() / script
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_script(command, shell))
    if start is not None:
        with open(Path.home() / start, "a+b") as file:
            file.seek(0)
            text = file.read()
            if line.encode() not in text.splitlines():
                file.write(b"\n" * (text[-1:] not in (b"", b"\n")) + f"{line}\n".encode())
    print(f"{path} completes {NAME} in each {shell} that is started from now on")
