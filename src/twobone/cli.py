"""The command line: `twobone play`, `solve`, `walk`, `bench`, `twobone --version`.

Nothing but data goes to standard output. `commands/endings.py` lists the exit codes.
"""

import os
from typing import Annotated

import typer

import twobone
from twobone.commands import bench, endings, play, solve, walk
from twobone.commands.streams import CommandError

COMPLETES = "_TWOBONE_COMPLETE"  # set by the shell when it asks for words
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(play.play)
app.command()(walk.walk)
app.command(context_settings={"ignore_unknown_options": True})(solve.solve)  # -1 is a target
app.command()(bench.bench)


def run(arguments):
    """Run the command line; return its exit code."""
    return endings.end(lambda: _run(_split_pole(arguments)))


def _run(arguments):
    command = typer.main.get_command(app)
    if COMPLETES in os.environ:
        os.environ["COLUMNS"] = "10000"  # a shell takes each line of a help text for a word
        return command.main(arguments, "twobone", COMPLETES, standalone_mode=False)
    if arguments[:1] in (["--install-completion"], ["--show-completion"]):
        _check_shell()
    # Else not `main`, which has endings of its own.
    with command.make_context("twobone", arguments) as context:
        return command.invoke(context)


def _check_shell():
    """Raise where there is no completion for the shell that called; typer would print it itself."""
    import shellingham  # as typer does

    try:
        shell = shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        shell = "this shell, which cannot be told"
    if shell not in SHELLS:
        raise CommandError(
            f"no completion for {shell}: there is one for {', '.join(SHELLS)};"
            f" {COMPLETES}=source_bash twobone prints that for bash"
        )


def _split_pole(arguments):
    """Write `--pole 0,1,0` and `--pole=0,1,0` as `--pole 0 1 0`."""
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
            help="Print the version and the engine that runs.",
        ),
    ] = False,
):
    """Two bones, a target: where is the joint?"""
    if context.invoked_subcommand is None:
        print(context.get_help())
