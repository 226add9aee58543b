"""The command line: `twobone` and its commands `play`, `walk`, `solve`, `pin` and others.

Only results go to standard output. `commands/endings.py` lists the exit codes.
"""

import inspect
import os
from typing import Annotated

import typer

import twobone
from twobone.commands import bench, contacts, endings, limbs, pin, play, robot, solve, walk
from twobone.commands.streams import CommandError

COMPLETES = "_TWOBONE_COMPLETE"  # set by the shell when it asks for completions
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

app = typer.Typer(pretty_exceptions_enable=False)


def _add(command, **settings):
    """Add a command. Its help is its docstring without the line breaks inside of paragraphs.

    Typer would keep these, and break the lines again at the width of the terminal.
    """
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    app.command(help="\n\n".join(" ".join(each.split()) for each in paragraphs), **settings)(
        command
    )


_add(play.play)
_add(walk.walk)
# Without this, typer would take the target -1 for an option.
_add(solve.solve, context_settings={"ignore_unknown_options": True})
_add(pin.pin)
_add(contacts.contacts)
_add(limbs.limbs)
_add(robot.robot)
_add(bench.bench)


def run(arguments):
    """Run the command line; return its exit code."""
    return endings.end(lambda: _run(_split_pole(arguments)))


def _run(arguments):
    command = typer.main.get_command(app)
    if COMPLETES in os.environ:
        # Keep each help text on one line: the shell takes every line for a completion.
        os.environ["COLUMNS"] = "10000"
        return command.main(arguments, "twobone", COMPLETES, standalone_mode=False)
    if arguments[:1] in (["--install-completion"], ["--show-completion"]):
        _check_shell()
    # `command.main` would catch exceptions and exit by itself; `endings` does that here.
    with command.make_context("twobone", arguments) as context:
        return command.invoke(context)


def _check_shell():
    """Raise if the calling shell has no completion, before typer prints its own message."""
    import shellingham  # what typer detects the shell with

    try:
        shell = shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        shell = "this shell (it could not be detected)"
    if shell not in SHELLS:
        raise CommandError(
            f"no completion for {shell}; supported shells: {', '.join(SHELLS)}."
            f" {COMPLETES}=source_bash twobone prints the script for bash"
        )


def _split_pole(arguments):
    """Rewrite `--pole 0,1,0` and `--pole=0,1,0` as `--pole 0 1 0`."""
    plain = []
    for argument in arguments:
        named = argument.startswith("--pole=")
        value = argument.removeprefix("--pole=")
        if (named or plain[-1:] == ["--pole"]) and "," in value:
            plain += ["--pole"] * named + value.split(",")
        else:
            plain.append(argument)
    return plain


# --- twobone ------------------------------------------------------------------------------


def _print_version(wanted: bool):
    if wanted:
        print(f"twobone {twobone.__version__} (engine: {twobone.engine().name})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and the engine in use, and exit.",
        ),
    ] = False,
):
    """Two-bone inverse kinematics: find the joint between two bones, given a target."""
    if context.invoked_subcommand is None:
        print(context.get_help())
