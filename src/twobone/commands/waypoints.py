"""Waypoints of a walk: from words, from numbers in an argument, from a file of two columns."""

import io
import re

import numpy as np

from twobone.commands.streams import CommandError
from twobone.files import tables
from twobone.files.numbers import is_number

MOST = 1 << 24  # bytes of a file
WANTED = '--path must be circle, eight, waypoints such as "0,5 5,5" or a file (.csv, .jsonl, .npy)'
HEADER = re.compile(rb"x([,;\t])z")  # what a table of targets calls x and y


def read_path(text, make_path, creature):
    """Return the waypoints that a text names, shape (K, 2).

    Parameters
    ----------
    text : str
        A word for `make_path`, the name of a file, or `x,z x,z ...`.
    make_path : callable
        `make_path(word, creature)`.
    creature : str
        Whose size such a path has.

    Raises
    ------
    CommandError, FileError
        Naming what cannot be read. OSError where a file cannot.

    Examples
    --------
    >>> from twobone.creature import make_path
    >>> from twobone.commands.waypoints import read_path
    >>> read_path("0,5 5,5", make_path, "insect").tolist()
    [[0.0, 5.0], [5.0, 5.0]]
    """
    if text in ("circle", "eight"):
        return make_path(text, creature)
    kind = tables.format_of(text)
    return _read_numbers(text) if kind is None else _read_file(text, kind)


def _read_numbers(text):
    rows = [part.split(",") for part in text.split()]
    if not rows:
        raise CommandError(f"{WANTED}, got {text!r}")
    for row in rows:
        if len(row) != 2 or not all(map(is_number, row)):
            raise CommandError(f"{WANTED}, got {','.join(row)!r}")
    return _finite(np.array(rows, np.float64), "--path")


def _read_file(name, kind):
    with open(name, "rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise CommandError(f"{name}: must be at most {MOST} bytes of waypoints")
    if kind == "csv":
        first, *rest = data.split(b"\n", 1)
        bare = first.removeprefix(b"\xef\xbb\xbf").replace(b" ", b"").lower()
        if header := HEADER.fullmatch(bare.rstrip(b"\r")):
            data = b"\n".join([b"x" + header[1] + b"y", *rest])
    pieces = list(tables.read(io.BytesIO(data), name, kind))
    first = pieces[0].values
    has_others = any(rows.others for rows in pieces)
    if has_others or set(first) != {"target"} or first["target"].shape[1] != 2:
        raise CommandError(f"{name}: waypoints have two columns, x and z")
    path = np.concatenate([rows.values["target"] for rows in pieces]).astype(np.float64)
    if not len(path):
        raise CommandError(f"{name}: holds no waypoint")
    return _finite(path, name)


def _finite(path, name):
    if not np.all(np.isfinite(path)):
        row = int(np.argwhere(~np.isfinite(path))[0, 0])
        raise CommandError(f"{name}: waypoints must be finite, got {path[row].tolist()}")
    return path
