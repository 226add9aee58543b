"""Where the targets of a command come from and where its answers go: arguments, files, pipes."""

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from twobone.errors import TwoBoneError
from twobone.files import atomic, tables
from twobone.files.numbers import is_number
from twobone.files.rows import Rows


class Input(NamedTuple):
    """Where targets come from."""

    name: str
    table: Iterable  # of `Rows`
    file: object = None  # that is open to read them
    kind: str | None = None  # of the table


class Output(NamedTuple):
    """Where answers go to."""

    path: str | None  # None is standard output
    kind: str
    picture: str | None


class CommandError(TwoBoneError):
    """Options that do not fit together."""


# --- where targets come from --------------------------------------------------------------


@contextmanager
def open_input(targets, kind, delimiter=None):
    """Open what the arguments name: a target itself, a file or standard input."""
    for text in targets:
        if text.startswith("-") and text != "-" and not is_number(text):
            raise CommandError(f"no such option: {text}; see twobone solve --help")
    if len(targets) > 1:
        yield Input("the target", _read_arguments(targets))
    elif targets and targets[0] != "-":
        path = targets[0]
        if is_number(path) and not Path(path).exists():
            raise CommandError(f"a target has 2 or 3 numbers, got 1: {path}")
        kind = kind or tables.format_of(path, "csv")
        with open(path, "rb") as file:
            yield Input(path, tables.read(file, path, kind, delimiter), file, kind)
    else:
        file = _standard_input(asked=bool(targets))
        name, kind = "standard input", kind or "csv"
        yield Input(name, tables.read(file, name, kind, delimiter), file, kind)


def _standard_input(asked):
    if sys.stdin is None or (sys.stdin.isatty() and not asked):
        raise CommandError(
            "no targets: give one, such as 3 2, or a file, or pipe a table in;"
            " see twobone solve --help"
        )
    return sys.stdin.buffer


def _read_arguments(targets):
    for text in targets:
        if not is_number(text):
            raise CommandError(f"a target has 2 or 3 numbers, got {text!r}")
    if len(targets) > 3:
        raise CommandError(f"a target has 2 or 3 numbers, got {len(targets)}")
    yield Rows({"target": np.array([targets], float)}, [""], "", None)


# --- where answers go to ------------------------------------------------------------------


@contextmanager
def open_output(to):
    """Open a file that is whole or not there, or standard output."""
    if to.path is None:
        yield _standard_output()
        sys.stdout.flush()
    else:
        with atomic.replacing(to.path) as file:
            yield file


def is_new_file(file, to):
    """Say whether one can go back in an open output."""
    return to.path is not None and _identity(file) is not None


def _standard_output():
    return sys.stdout.buffer


def output_format(path, given):
    """Return how answers are written: as was given, or by the suffix of a path."""
    if given is not None:
        kind = given
    elif path is None or (Path(path).exists() and not Path(path).is_file()):
        kind = "csv"
    else:
        kind = tables.format_of(path)
    if kind is None:
        known = ", ".join(tables.SUFFIXES)
        raise CommandError(f"{path}: expected a name with {known}, or --format")
    if kind == "npy" and path is None and _standard_output().isatty():
        raise CommandError("--format npy is not for a terminal: give --output, or a pipe")
    return kind


# --- which is which -----------------------------------------------------------------------


def check_apart(source, to):
    """Raise where two of input, output and picture are one file."""
    seen = {}
    for name, file in (
        ("the input", source.file),
        ("standard output" if to.path is None else "--output", to.path or _standard_output()),
        ("--svg", to.picture),
    ):
        identity = _identity(file)
        if identity in seen:
            raise CommandError(f"{seen[identity]} and {name} are the same file")
        if identity is not None:
            seen[identity] = name


def _identity(file):
    """Return what tells a path or an open file from others; None where nothing can be lost."""
    if file is None:
        return None
    try:
        status = os.stat(file if isinstance(file, str) else file.fileno())
    except (OSError, ValueError):
        return str(Path(file).resolve()) if isinstance(file, str) else None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
