"""The command line: `twobone play`, `solve`, `walk`, `bench`, `twobone --version`.

Nothing but data goes to standard output. `commands/endings.py` lists the exit codes.
"""

import json
import os
from contextlib import nullcontext
from typing import Annotated

import typer

import twobone
from twobone import walking
from twobone.commands import endings
from twobone.commands import solve as solving
from twobone.commands.numbers import real, whole
from twobone.files import answers
from twobone.files.streams import CommandError
from twobone.play import command as page

MOST = 10**15  # targets: with more, NumPy no longer tells that memory is short

COMPLETES = "_TWOBONE_COMPLETE"  # set by the shell when it asks for words
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(page.play)
app.command()(walking.walk)
app.command(context_settings={"ignore_unknown_options": True})(solving.solve)  # -1 is a target


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


# --- twobone bench ------------------------------------------------------------------------


@app.command()
def bench(
    count: Annotated[
        list[int] | None,
        typer.Option(
            parser=whole(1, MOST),
            metavar="N",
            show_default=False,
            help="How many targets at once; may be given again. 1, 1000, 100000 and ten million"
            " unless given (without the kernel, one million).",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            parser=real(0, 60), metavar="S", help="How long to measure each thing, about."
        ),
    ] = 0.05,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Also write what was measured as JSON."),
    ] = None,
):
    """Measure how fast this machine solves, next to copying the same bytes.

    Medians; the things that are compared take turns. Under a minute, on a machine with
    nothing else to do.
    """
    from twobone.speed import rows  # only here: the other commands do without it

    with answers.replacing(json_file) if json_file else nullcontext() as file:
        about = rows.machine()
        print(*(f"{name}: {value}" for name, value in about.items()), "", sep="\n", flush=True)
        cases = rows.cases(count or rows.usual_counts(), about["threads"])
        try:
            found = rows.run(cases, seconds, lambda text: print(text, flush=True))
        except MemoryError:
            raise CommandError("not enough memory for so many targets: give --count") from None
        if file is not None:
            file.write(json.dumps(rows.to_json(about, found), indent=1).encode() + b"\n")
