"""Waypoints of `twobone walk --path`: from a named path, from numbers, or from a file."""

import io
import re
from contextlib import contextmanager

import numpy as np

from twobone.commands.streams import CommandError
from twobone.errors import FileError
from twobone.files import tables
from twobone.files.numbers import is_number

MOST = 1 << 24  # maximum size of a file, in bytes
WANTED = '--path must be circle, eight, waypoints such as "0,5 5,5" or a file (.csv, .jsonl, .npy)'
Y = "{}: waypoints have columns x and z, got a column y, which is up"


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
    rename = RENAMED.get(kind, _as_it_is)
    data = rename(data, name)
    with _naming_z():
        pieces = list(tables.read(io.BytesIO(data), name, kind))
    first = pieces[0].values
    has_others = any(rows.others for rows in pieces)
    if has_others or set(first) != {"target"} or first["target"].shape[1] != 2:
        raise CommandError(f"{name}: waypoints must have two columns, x and z")
    path = np.concatenate([rows.values["target"] for rows in pieces]).astype(np.float64)
    if not len(path):
        raise CommandError(f"{name}: contains no waypoints")
    return _finite(path, name)


# Tables of targets have columns x and y. Those of waypoints are renamed before they are read, and
# in errors afterwards.


def _rename_header(data, name):
    """Rename the column z of a CSV table to y, if its first line is a header."""
    first, *rest = data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)
    cells = re.split(rb"([,;\t])", first)
    names = [cell.strip(b' "\r').lower() for cell in cells]
    if b"y" in names:
        raise CommandError(Y.format(name))
    cells = [b"y" if known == b"z" else cell for known, cell in zip(names, cells, strict=True)]
    return b"\n".join([b"".join(cells), *rest])


def _rename_members(data, name):
    """Rename the members z of JSON objects to y."""
    if re.search(rb'"y"\s*:', data):
        raise CommandError(Y.format(name))
    return re.sub(rb'"z"(\s*:)', rb'"y"\1', data)


@contextmanager
def _naming_z():
    """Raise errors of a table with the second column named z, as in the file."""
    try:
        yield
    except FileError as error:
        wanted = error.wanted.replace("x and y", "x and z").replace("x, y", "x, z")
        column = "z" if error.column == "y" else error.column
        raise FileError(error.source, wanted, error.came, line=error.line, column=column) from None


def _as_it_is(data, name):
    """Return a table without renaming: its columns have no names, or are already x and y."""
    return data


RENAMED = {"csv": _rename_header, "jsonl": _rename_members}


def _finite(path, name):
    if not np.all(np.isfinite(path)):
        row = int(np.argwhere(~np.isfinite(path))[0, 0])
        raise CommandError(f"{name}: waypoints must be finite, got {path[row].tolist()}")
    return path
