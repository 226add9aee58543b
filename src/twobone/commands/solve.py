"""`twobone solve`: solve one target or a table of targets."""

import re
import sys
from contextlib import contextmanager, nullcontext
from itertools import chain
from typing import NamedTuple

import numpy as np
import rich_click as click

import twobone
from twobone.commands import endings, streams
from twobone.commands.numbers import real, whole
from twobone.commands.picture import Picture
from twobone.commands.streams import CommandError, Output
from twobone.commands.words import FILE, quiet, words
from twobone.core.policies import NAMED, Status
from twobone.errors import PolicyError, TwoBoneError, UnreachableError
from twobone.files import answers, atomic
from twobone.files.columns import quote, resembled, shorten
from twobone.files.numbers import is_number

FEW = 10  # rows named in a message
INVALID = (
    "INVALID (a number is NaN or infinite, a length is negative, or a side is neither +1 nor -1)"
)

POLICIES = {  # class, number of parameters, form
    "soft": (twobone.Soft, "one number", "soft:SOFTNESS"),
    "stretch": (twobone.Stretch, "one number", "stretch:LIMIT"),
    "limits": (twobone.Limits, "two numbers", "limits:LEAST:GREATEST"),
}
FORMATS = ("csv", "jsonl", "npy")
DELIMITERS = {",": ",", ";": ";", "tab": "\t"}


class MissedError(TwoBoneError):
    """A target is out of reach or invalid, with `--unreachable raise`."""

    exit_code = 1


class Wanted(NamedTuple):
    """The options of the command that apply to all targets."""

    options: dict  # arguments of `twobone.reach` that were given
    both: bool
    delimiter: str | None
    quiet: bool


# Without this setting, click would take the target -1 for an option.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument(
    "targets",
    nargs=-1,
    metavar="[TARGET|FILE]...",
    type=FILE,
    help="One target as 2 or 3 numbers, or a table of targets (.csv, .jsonl, .ndjson or"
    " .npy); - or nothing reads a table from standard input. Columns: x, y and, in space,"
    " z; optionally r1, r2, side, nx, ny, nz, which override the options. Other columns"
    " are copied to the output.",
)
@click.option("--r1", metavar="LENGTH", type=real(), help="Length of the first bone.")
@click.option("--r2", metavar="LENGTH", type=real(), help="Length of the second bone.")
@click.option(
    "--side",
    metavar="SIDE",
    type=whole(),
    shell_complete=words("+1", "-1"),
    help="+1 or -1: bend to the left or to the right of the target direction; in space,"
    " towards the pole or away from it. Default: +1.",
)
@click.option(
    "--pole",
    nargs=3,
    metavar="NX NY NZ",
    type=real(),
    help="Pole vector, for targets in space only: the joint bends towards it.",
)
@click.option(
    "--unreachable",
    metavar="POLICY",
    shell_complete=words(*NAMED, *(f"{word}:" for word in POLICIES)),
    default="clamp",
    help="What to do with a target out of reach: clamp, stretch, nan or raise; or"
    " soft:SOFTNESS, stretch:LIMIT, limits:LEAST:GREATEST (joint angles in degrees),"
    " several of them joined with + or |.",
)
@click.option(
    "--both", is_flag=True, help="Return both solutions, side +1 first; ignores a column side."
)
@click.option(
    "--output", "-o", metavar="FILE", type=FILE, help="Output file. Default: standard output."
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    help="Output format. Default: by the file's suffix, or csv.",
)
@click.option(
    "--input-format",
    type=click.Choice(FORMATS),
    help="Input format. Default: by the file's suffix, or csv.",
)
@click.option(
    "--delimiter",
    metavar="CHARACTER",
    shell_complete=words(*DELIMITERS),
    help="Delimiter of CSV input and output: , ; or tab. Default: detected from the first"
    " line of the input.",
)
@click.option(
    "--svg",
    metavar="FILE",
    type=FILE,
    help="Also draw the limbs to an SVG file (at most the first 4096).",
)
@quiet
def solve(
    targets,
    r1,
    r2,
    side,
    pole,
    unreachable,
    both,
    output,
    output_format,
    input_format,
    delimiter,
    svg,
    quiet,
):
    """Solve one target or a table of targets.

    The output has the joint, the end and the status of every target; its numbers are written
    with all their digits. A file is written completely or not at all. A .npy file has one record
    for each target, with fields joint (or joints), end and status.

    Exit status: 0 on success, 1 if a target is out of reach or INVALID and --unreachable is
    raise, 2 on an error.
    """
    _check_side(side, both)
    given = {"r1": r1, "r2": r2, "side": side, "pole": pole}
    options = {name: value for name, value in given.items() if value is not None}
    options["unreachable"] = parse_policy(unreachable)
    wanted = Wanted(options, both, parse_delimiter(delimiter), quiet)
    output = None if output == "-" else output
    to = Output(output, streams.output_format(output, output_format), svg)
    with streams.open_input(targets or [], input_format, wanted.delimiter) as source:
        streams.check_apart(source, to)
        if delimiter is not None and "csv" not in (source.kind, to.kind):
            raise CommandError("--delimiter is for CSV: neither the input nor the output is CSV")
        _solve_table(source, wanted, to)


def _solve_table(source, wanted, to):
    """Solve a table piece by piece and write the answers."""
    picture = Picture()
    # Both are opened before the work, so that a file that cannot be written is reported at once.
    with (
        atomic.replacing(to.picture) if to.picture is not None else nullcontext() as drawing,
        streams.open_output(to) as file,
        answers.writing(
            file,
            to.kind,
            goes_back=streams.is_new_file(file, to),
            delimiter=wanted.delimiter,
        ) as writer,
    ):
        table = _checked(source, to, wanted)
        first = next(table)  # before the progress bar, so that notes appear above it
        invalid = Invalid()
        with _progress(source, to, wanted.quiet) as advance:
            for rows in chain([first], table):
                answer = _answer(rows, source, wanted)
                invalid.add(answer.status, rows)
                writer.write(answer, rows)
                if to.path is None:
                    file.flush()  # so that a reader of a pipe gets each answer at once
                if drawing is not None:
                    picture.add(rows)
                advance(rows)
        if drawing is not None:
            picture.draw(drawing, wanted.options)
    if invalid.count and not wanted.quiet:
        endings.say(invalid.note(source))


class Invalid:
    """The INVALID targets of a table, counted; the first of them are kept to be named."""

    def __init__(self):
        self.count = self.total = 0
        self.first = []

    def add(self, status, rows):
        found = np.flatnonzero(status == Status.INVALID)
        self.count += len(found)
        self.total += len(status)
        self.first += [_name_of(rows, i) for i in found[: FEW - len(self.first)]]

    def note(self, source):
        """Return a note that says how many targets are INVALID, and where."""
        if not any(self.first):  # a target given as arguments has no line
            return f"{source.name} is {INVALID}"
        are = "target is" if self.total == 1 else "targets are"
        return (
            f"{source.name}: {self.count:,} of {self.total:,} {are} {INVALID}:"
            f" {_listed(self.first, self.count)}"
        )


def _checked(source, to, wanted):
    """Yield the rows of a table; raise if an argument is missing or of the wrong dimension.

    Note once which columns are not written or may be misspelt.
    """
    quiet = wanted.quiet
    for rows in source.table:
        _check_arguments({**wanted.options, **rows.values})
        if rows.others and not quiet:
            quiet = True
            names = sorted(rows.others.all_names())
            if to.kind == "npy":
                listed = shorten(", ".join(names), 200)
                endings.say(f"{source.name}: columns that .npy cannot hold, not written: {listed}")
            for name in names:
                if (meant := resembled(name)) is not None:
                    endings.say(
                        f"{source.name}: column {quote(name)} is not used; did you mean {meant}?"
                    )
        yield rows


def _answer(rows, source, wanted):
    """Solve some targets; with `both` the joints have shape (n, 2, d)."""
    arguments = {**wanted.options, **rows.values}
    try:
        if not wanted.both:
            return twobone.reach(**arguments)
        plus, minus = (twobone.reach(**{**arguments, "side": side}) for side in (1, -1))
        return plus._replace(joint=np.stack([plus.joint, minus.joint], axis=1))
    except UnreachableError as error:
        raise MissedError(_describe_missed(error, rows, source)) from None


def _describe_missed(error, rows, source):
    """Return which targets are out of reach and which are INVALID."""
    missed = list(zip((i for i, *_ in error.rows), error.statuses, strict=True))
    invalid = [_name_of(rows, i) for i, status in missed if status == Status.INVALID]
    far = [
        f"{_name_of(rows, i)} ({status.name})".lstrip()
        for i, status in missed
        if status != Status.INVALID
    ]
    if rows.word == "":  # one target, given as arguments
        return f"{source.name} is {f'out of reach {far[0]}' if far else INVALID}"
    parts = [f"out of reach: {_listed(far, len(far))}"] * bool(far)
    parts += [f"{INVALID}: {_listed(invalid, len(invalid))}"] * bool(invalid)
    return f"{source.name}: {'; '.join(parts)}"


def _name_of(rows, i):
    """Return the name of a row in messages, such as "line 7"."""
    return f"{rows.word} {rows.places[i]}".strip()


def _listed(names, count):
    """Return the first names of `count` rows as text."""
    return ", ".join(names[:FEW]) + (", ..." if count > FEW else "")


# --- options ------------------------------------------------------------------------------


def parse_policy(text):
    """Return the policy given by a text such as "clamp" or "soft:0.05+stretch:1.2"."""
    if text in NAMED:
        return text
    policy = None
    # A + before a digit, as in 1e+3, is a sign and does not join policies.
    for part in re.split(r"\s*(?:\||\+(?![\d.]))\s*", text):
        found = _parse_one_policy(part, text)
        policy = found if policy is None else policy | found
    return policy


def _parse_one_policy(part, text):
    word, *numbers = re.split(r"[:,;=\s]\s*", part)
    if word in POLICIES:
        policy, count, form = POLICIES[word]
        if part.count(":") == form.count(":") == len(numbers) and all(map(is_number, numbers)):
            return policy(*map(float, numbers))
        raise PolicyError(f"--unreachable: `{word}` takes {count}, {form}, got {part!r}")
    if part in NAMED:
        raise PolicyError(f"--unreachable {text!r}: {part!r} cannot be joined with others")
    raise PolicyError(
        f"No policy {part!r} for --unreachable {text!r}; choose one of {', '.join(NAMED)}, or"
        " join soft:SOFTNESS, stretch:LIMIT, limits:LEAST:GREATEST with + or |."
    )


def parse_delimiter(text):
    """Return the delimiter given by a text, or None if none is given."""
    if text is None:
        return None
    found = {**DELIMITERS, "\\t": "\t", "\t": "\t"}.get(text)
    if found is None:
        raise CommandError(f"--delimiter must be , ; or tab, got {text!r}")
    return found


def _check_side(side, both):
    if side not in (None, 1, -1):
        raise CommandError(f"--side must be +1 or -1, got {side}")
    if side is not None and both:
        raise CommandError("--both and --side exclude each other: --both returns both sides")


def _check_arguments(arguments):
    """Raise one error about all arguments that are missing."""
    missing = [name for name in ("r1", "r2") if name not in arguments]
    wrong = []
    if len(missing) == 2:
        wrong.append(
            "the lengths of both bones are missing: give --r1 and --r2, or columns r1 and r2"
        )
    elif missing:
        (name,) = missing
        which = {"r1": "first", "r2": "second"}[name]
        wrong.append(
            f"the length of the {which} bone is missing: give --{name}, or a column {name}"
        )
    in_space = arguments["target"].shape[-1] == 3
    if in_space and "pole" not in arguments:
        wrong.append(
            "targets in space need a pole, the direction towards which the joint bends:"
            " give --pole NX NY NZ, or columns nx, ny, nz"
        )
    if "pole" in arguments and not in_space:
        wrong.append("targets in the plane take no --pole: use --side or a column side")
    if wrong:
        raise CommandError("; ".join(wrong))


# --- progress -----------------------------------------------------------------------------


@contextmanager
def _progress(source, to, quiet):
    """Show progress on a terminal, unless the answers themselves are printed there."""
    shown = to.path is not None or not sys.stdout.isatty()
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    if quiet or source.file is None or not (on_terminal and shown):
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
