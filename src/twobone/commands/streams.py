"""Input and output of `twobone solve`: arguments, files and standard streams."""

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
    """The source of targets."""

    name: str  # for messages
    table: Iterable  # of `Rows`
    file: object = None  # the open file; None if the target is given as arguments
    kind: str | None = None  # the format: csv, jsonl or npy


class Output(NamedTuple):
    """The destination of answers."""

    path: str | None  # None for standard output
    kind: str  # the format: csv, jsonl or npy
    picture: str | None  # path of an SVG file


class CommandError(TwoBoneError):
    """Arguments or options are invalid, or do not go together."""


# --- input --------------------------------------------------------------------------------


@contextmanager
def open_input(targets, kind, delimiter=None):
    """Open the input given by the arguments: a target, a file or standard input."""
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


# --- output -------------------------------------------------------------------------------


@contextmanager
def open_output(to):
    """Open a file, which appears only once it is complete, or standard output."""
    if to.path is None:
        yield _standard_output()
        sys.stdout.flush()
    else:
        with atomic.replacing(to.path) as file:
            yield file


def is_new_file(file, to):
    """Return whether the output is a new regular file, in which the writer can seek back."""
    return to.path is not None and _identity(file) is not None


def _standard_output():
    return sys.stdout.buffer


def output_format(path, given):
    """Return the output format: the one given, or that of a path's suffix."""
    if given is not None:
        kind = given
    elif path is None or (Path(path).exists() and not Path(path).is_file()):
        kind = "csv"
    else:
        kind = tables.format_of(path)
    if kind is None:
        known = ", ".join(tables.SUFFIXES)
        raise CommandError(f"{path}: expected a name that ends in {known}, or --format")
    if kind == "npy" and path is None and _standard_output().isatty():
        raise CommandError("--format npy cannot be shown on a terminal: give --output, or a pipe")
    return kind


# --- files used twice ---------------------------------------------------------------------


def check_apart(source, to, **others):
    """Raise if two of input, output, picture and other inputs, by name, are the same file."""
    seen = {}
    for name, file in (
        *((f"the {name}", path) for name, path in others.items()),
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
    """Return an identity of a file or path; None for pipes and devices, which may be shared."""
    if file is None:
        return None
    try:
        status = os.stat(file if isinstance(file, str) else file.fileno())
    except (OSError, ValueError):
        return str(Path(file).resolve()) if isinstance(file, str) else None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
