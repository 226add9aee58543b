"""The command line: `twobone play`, `solve`, `walk`, `bench`, `twobone --version`.

Exit codes: 0; 1 where `--unreachable raise` met a target out of reach; 2 for a mistake in the
command or in what it reads or writes; 130, 143 when interrupted; 141 when nobody reads on.
Nothing but data goes to standard output.
"""

import functools
import json
import os
import re
import signal
import sys
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, cast

import numpy as np
import typer

import twobone
from twobone import walking
from twobone.core.policies import NAMED
from twobone.errors import PolicyError, TwoBoneError, UnreachableError
from twobone.files import answers, streams
from twobone.files.picture import Picture
from twobone.files.streams import CommandError, Output
from twobone.play import command as page

FEW = 10  # rows named in a message

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Format(StrEnum):
    """How a table is written."""

    csv = "csv"
    jsonl = "jsonl"
    npy = "npy"


class MissedError(TwoBoneError):
    """A target out of reach, which `--unreachable raise` asked to hear of."""


# --- how it starts and ends ---------------------------------------------------------------


def run(arguments):
    """Run the command line; return its exit code."""
    # typer and click, which it is made of, have moved about; this name of theirs is public.
    misuse = cast(Any, typer.BadParameter).__base__.__base__
    with _signals():
        try:
            return app(_split_pole(arguments), prog_name="twobone", standalone_mode=False) or 0
        except misuse as error:
            _say(error.format_message())
            return 2
        except (KeyboardInterrupt, typer.Abort):
            return 130


@contextmanager
def _signals():
    """Leave through an exception when told to end, so that temporary files are removed."""

    def leave(number, frame):
        sys.exit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # One that is ignored (nohup) stays so.
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


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


@contextmanager
def _endings():
    """Turn every way to end into an exit code and at most one line on standard error."""
    try:
        yield
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(141) from None
    except KeyboardInterrupt:
        _forget_output()
        _say("interrupted")
        raise typer.Exit(130) from None
    except TwoBoneError as error:
        _say(error)
        raise typer.Exit(1 if isinstance(error, MissedError) else 2) from None
    except OSError as error:
        _forget_output()
        where = f"{error.filename}: " if error.filename else ""
        _say(f"{where}{error.strerror or error}")
        raise typer.Exit(2) from None


def _forget_output():
    """Send what standard output still holds nowhere, or Python would fail on it while leaving."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _say(message):
    if sys.stderr is not None:
        line = " ".join(str(message).splitlines())
        # Names of files and columns may hold what a terminal would obey.
        line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
        print(f"twobone: {line}", file=sys.stderr)


# --- twobone ------------------------------------------------------------------------------


def _print_version(wanted: bool):
    if wanted:
        with _endings():
            print(f"twobone {twobone.__version__} (engine: {twobone.engine().name})", flush=True)
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


# --- twobone play -------------------------------------------------------------------------


@app.command()
@functools.wraps(page.play)
def play(**options):
    with _endings():
        page.play(**options)


# --- twobone walk -------------------------------------------------------------------------


@app.command()
@functools.wraps(walking.walk)
def walk(**options):
    with _endings():
        walking.walk(**options)


# --- twobone solve ------------------------------------------------------------------------


class Wanted(NamedTuple):
    """What was asked for, apart from the targets."""

    options: dict  # of `twobone.reach`: those given
    both: bool


@app.command(context_settings={"ignore_unknown_options": True})  # such as -1, a target
def solve(
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET|FILE",
            show_default=False,
            help="One target, as 2 or 3 numbers, or a table of them: .csv, .jsonl, .ndjson or"
            " .npy; standard input where it is - or nothing. Columns x, y and, in space, z;"
            " r1, r2, side, nx, ny, nz where they are there go before the options.",
        ),
    ] = None,
    r1: Annotated[float | None, typer.Option("--r1", help="Length of the first bone.")] = None,
    r2: Annotated[float | None, typer.Option("--r2", help="Length of the second bone.")] = None,
    side: Annotated[
        int | None,
        typer.Option(
            help="+1 or -1: bend to the left or to the right of the way to the target;"
            " in space towards the pole or away from it. +1 unless given.",
        ),
    ] = None,
    pole: Annotated[
        tuple[float, float, float] | None,
        typer.Option(
            metavar="NX NY NZ",
            help="In space, and only there: the direction towards which the joint bends.",
        ),
    ] = None,
    unreachable: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="What to do with a target out of reach: clamp, stretch, nan, raise, or"
            " soft:SOFTNESS, stretch:LIMIT, limits:LEAST:GREATEST (degrees), several joined"
            " with + or |.",
        ),
    ] = "clamp",
    both: Annotated[
        bool,
        typer.Option("--both", help="Answer both sides, +1 then -1, whatever a column side says."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; else standard output."),
    ] = None,
    output_format: Annotated[
        Format | None,
        typer.Option("--format", help="Of the output; else by its suffix, or csv."),
    ] = None,
    input_format: Annotated[
        Format | None,
        typer.Option("--input-format", help="Of the input; else by its suffix, or csv."),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also draw a picture of the targets, or of the one."),
    ] = None,
):
    """Place the joint of two bones for one target or a table of them.

    Joint, end and status of every target, in exact numbers.

    A file is written whole or not at all.

    Ends with 1 where --unreachable raise met a target out of reach, with 2 for a mistake.
    """
    with _endings():
        _check_side(side, both)
        given = {"r1": r1, "r2": r2, "side": side, "pole": pole}
        options = {name: value for name, value in given.items() if value is not None}
        options["unreachable"] = parse_policy(unreachable)
        output = None if output == "-" else output
        to = Output(output, streams.output_format(output, output_format), svg)
        with streams.open_input(targets or [], input_format) as source:
            streams.check_apart(source, to)
            _solve_table(source, Wanted(options, both), to)


def _solve_table(source, wanted, to):
    """Answer a table piece by piece."""
    picture = Picture()
    with (
        streams.open_output(to) as file,
        answers.writing(file, to.kind, goes_back=streams.is_new_file(file, to)) as writer,
        _progress(source, to) as advance,
    ):
        for rows in source.table:
            writer.write(_answer(rows, source, wanted))
            if to.path is None:
                file.flush()  # whoever reads on need not wait
            if to.picture is not None:
                picture.add(rows)
            advance(rows)
        if to.picture is not None:
            picture.draw(to.picture, wanted.options)


def _answer(rows, source, wanted):
    """Answer some targets; with both sides the joints are (n, 2, d)."""
    arguments = {**wanted.options, **rows.values}
    _check_lengths(arguments)
    _check_pole(arguments)
    try:
        if not wanted.both:
            return twobone.reach(**arguments)
        plus, minus = (twobone.reach(**{**arguments, "side": side}) for side in (1, -1))
        return plus._replace(joint=np.stack([plus.joint, minus.joint], axis=1))
    except UnreachableError as error:
        raise MissedError(f"{source.name}: out of reach: {_list_missed(error, rows)}") from None


def _list_missed(error, rows):
    named = [
        f"{rows.word} {rows.places[i]} ({status.name})".lstrip()
        for (i, *_), status in zip(error.rows[:FEW], error.statuses, strict=False)
    ]
    return ", ".join(named) + (", ..." if len(error.rows) > FEW else "")


# --- twobone bench ------------------------------------------------------------------------


@app.command()
def bench(
    count: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            metavar="N",
            show_default=False,
            help="How many targets at once; may be given again. 1, 1000, 100000 and ten million"
            " unless given (without the kernel, one million).",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.0, max=60.0, help="How long to measure each thing, about.")
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

    with _endings(), answers.replacing(json_file) if json_file else nullcontext() as file:
        about = rows.machine()
        print(*(f"{name}: {value}" for name, value in about.items()), "", sep="\n", flush=True)
        cases = rows.cases(count or rows.usual_counts(), about["threads"])
        try:
            found = rows.run(cases, seconds, lambda text: print(text, flush=True))
        except MemoryError:
            raise CommandError("not enough memory for so many targets: give --count") from None
        if file is not None:
            file.write(json.dumps(rows.to_json(about, found), indent=1).encode() + b"\n")


# --- what was asked for -------------------------------------------------------------------


def parse_policy(text):
    """Return the policy that a text names, such as "clamp" or "soft:0.05+stretch:1.2"."""
    if text in NAMED:
        return text
    policy = None
    # A sign within a number, as in 1e+3, joins nothing.
    for part in re.split(r"\s*(?:\||\+(?![\d.]))\s*", text):
        found = _parse_one_policy(part, text)
        policy = found if policy is None else policy | found
    return policy


POLICIES = {
    "soft": (twobone.Soft, 1),
    "stretch": (twobone.Stretch, 1),
    "limits": (twobone.Limits, 2),
}


def _parse_one_policy(part, text):
    word, *numbers = part.split(":")
    if word in POLICIES:
        policy, count = POLICIES[word]
        try:
            values = [float(number) for number in numbers]
        except ValueError:
            values = []
        if len(values) == count:
            return policy(*values)
    raise PolicyError(
        f"No policy {part!r} for --unreachable {text!r}; there are {', '.join(NAMED)}, and"
        " soft:SOFTNESS, stretch:LIMIT, limits:LEAST:GREATEST, which + or | joins."
    )


def _check_side(side, both):
    if side not in (None, 1, -1):
        raise CommandError(f"--side must be +1 or -1, got {side}")
    if side is not None and both:
        raise CommandError("--both answers side +1 and side -1: leave out --side")


def _check_lengths(arguments):
    for name, which in (("r1", "first"), ("r2", "second")):
        if name not in arguments:
            raise CommandError(
                f"the length of the {which} bone is missing: give --{name}, or a column {name}"
            )


def _check_pole(arguments):
    in_space = arguments["target"].shape[-1] == 3
    if in_space and "pole" not in arguments:
        raise CommandError(
            "targets in space need a pole, the direction towards which the joint bends:"
            " give --pole NX NY NZ, or columns nx, ny, nz"
        )
    if "pole" in arguments and not in_space:
        raise CommandError("targets in the plane take no --pole: --side chooses, or a column side")


# --- how far it is ------------------------------------------------------------------------


@contextmanager
def _progress(source, to):
    """Show on a terminal how far it is, unless the answers themselves are shown there."""
    shown = to.path is not None or not sys.stdout.isatty()
    if source.file is None or sys.stderr is None or not (sys.stderr.isatty() and shown):
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.fields[count]:,} targets"),
        BarColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=None, count=0)
        count = 0

        def advance(rows):
            nonlocal count
            count += len(rows.places)
            total = None if rows.share is None else 1.0
            bar.update(task, count=count, completed=rows.share, total=total)

        yield advance
