"""Waypoints of `twobone walk --path`: from a named path, from numbers, or from a file."""

import io
import re

import numpy as np

from twobone.commands.streams import CommandError
from twobone.files import tables
from twobone.files.numbers import is_number

MOST = 1 << 24  # maximum size of a file, in bytes
WANTED = '--path must be circle, eight, waypoints such as "0,5 5,5" or a file (.csv, .jsonl, .npy)'
HEADER = re.compile(rb"x([,;\t])z")  # replaced by x and y, the columns of a table of targets


def read_path(text, make_path, creature):
    """Return the waypoints given by the value of `--path`.

    Parameters
    ----------
    text : str
        "circle" or "eight", the name of a file, or numbers such as "x,z x,z ...".
    make_path : callable
        `make_path(word, creature)` returns the path of that name.
    creature : str
        The animal whose size determines the size of a named path.

    Returns
    -------
    array, shape (K, 2)
        x and z of each waypoint, in metres.

    Raises
    ------
    CommandError, FileError
        If `text` or the contents of the file are no waypoints.
    OSError
        If the file cannot be read.

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
        raise CommandError(f"{name}: a file of waypoints must have at most {MOST} bytes")
    if kind == "csv":
        first, *rest = data.split(b"\n", 1)
        bare = first.removeprefix(b"\xef\xbb\xbf").replace(b" ", b"").lower()
        if header := HEADER.fullmatch(bare.rstrip(b"\r")):
            data = b"\n".join([b"x" + header[1] + b"y", *rest])
    pieces = list(tables.read(io.BytesIO(data), name, kind))
    first = pieces[0].values
    has_others = any(rows.others for rows in pieces)
    if has_others or set(first) != {"target"} or first["target"].shape[1] != 2:
        raise CommandError(f"{name}: waypoints must have two columns, x and z")
    path = np.concatenate([rows.values["target"] for rows in pieces]).astype(np.float64)
    if not len(path):
        raise CommandError(f"{name}: contains no waypoints")
    return _finite(path, name)


def _finite(path, name):
    if not np.all(np.isfinite(path)):
        row = int(np.argwhere(~np.isfinite(path))[0, 0])
        raise CommandError(f"{name}: waypoints must be finite, got {path[row].tolist()}")
    return path
