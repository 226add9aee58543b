"""Tables of targets: CSV, JSON lines and .npy, read in pieces.

A table may be larger than memory: `read` yields `Rows`, a piece at a time, and the writers of
`answers.py` take answers as they come. Text comes in blocks of whole lines, whatever has
arrived, so a slow pipe is answered at once.

Columns: x, y, z where targets are in space, and optionally r1, r2, side, nx, ny, nz (the
pole). NaN and infinity are values.
"""

import csv
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, compress
from operator import itemgetter
from pathlib import Path
from tokenize import TokenError
from types import NoneType
from typing import NamedTuple

import numpy as np

from twobone.errors import TableError
from twobone.files.columns import COLUMNS, arguments, check_columns, quote, shorten

SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".npy": "npy"}

BLOCK = 1 << 18  # bytes of text at a time, some ten thousand rows
LONGEST = 1 << 16  # bytes in a line: a file without line ends must not fill the memory
CHUNK = 1 << 16  # rows of an array at a time


class Rows(NamedTuple):
    """Some targets of a table.

    `values` has `target`, shape (n, d), and where the table has such columns `r1`, `r2`,
    `side`, shape (n,), and `pole`, shape (n, 3). `places` are the lines they stood on (in an
    array the rows, from 0), `word` is "line" or "row". `share` is how much of the table has
    been read, or None where its size is unknown.
    """

    values: dict
    places: Sequence
    word: str
    share: float | None


def format_of(name, default=None):
    """Return "csv", "jsonl" or "npy" by the suffix of a file's name, or the default."""
    return SUFFIXES.get(Path(name).suffix.lower(), default)


def read(stream, source, kind):
    """Yield the targets in an open binary stream.

    Parameters
    ----------
    stream : binary file
        A file or a pipe.
    source : str
        Its name, for messages.
    kind : {"csv", "jsonl", "npy"}

    Yields
    ------
    Rows
        At least one, which may be empty. All have the same columns.

    Raises
    ------
    TableError
        Naming line, column and what was expected there. What stands before it has been yielded.
    """
    return READERS[kind](stream, source)


# --- text ---------------------------------------------------------------------------------


def read_csv(stream, source):
    """Yield the targets of a CSV table, with or without a header."""
    columns = None
    for text, first, share in _blocks(stream, source):
        lines = text.split("\n")
        if columns is None:
            columns = _find_columns(lines, source, first)
            if columns is None:
                continue
        table, places, error = _parse_csv(lines, source, first, columns)
        yield Rows(arguments(columns, table), places, "line", share)
        if error:
            raise error
    if columns is None:
        raise TableError(source, None, None, "targets", "nothing but white space")


def _find_columns(lines, source, first):
    """Return the columns that the first line with anything on it says; blank it if a header.

    A header is a line without a single number: one bad cell in a table without a header is
    then found as what it is.
    """
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        names = [name.strip() for name in _split(line, source, first + i)]
        if not any(map(is_number, names)):
            lines[i] = ""
            names = [name.lower() for name in names]
            check_columns(names, source, first + i)
            return names
        if len(names) not in (2, 3):
            wanted = f"2 or 3 fields, or a header of {', '.join(COLUMNS)}, on the first line"
            raise TableError(source, first + i, None, wanted, f"{len(names)} without a header")
        return list(COLUMNS[: len(names)])
    return None


def _parse_csv(lines, source, first, columns):
    """Return the numbers on lines, the lines they stood on, and the error that ended it."""
    try:
        rows = list(csv.reader(lines, strict=True, skipinitialspace=True))
        sizes = set(map(len, rows))
        if len(rows) == len(lines) and sizes <= {0, len(columns)}:
            places = range(first, first + len(lines))
            if 0 in sizes:
                places = list(compress(places, rows))
            if not any("_" in line for line in lines):  # 1_000 is a number to Python alone
                return _table(map(float, chain.from_iterable(rows)), columns), places, None
    except (csv.Error, ValueError):
        pass  # somewhere there is a bad cell: look again, line by line
    return _parse_each(lines, first, columns, partial(_parse_csv_line, source, columns))


def _parse_csv_line(source, columns, line, number):
    cells = _split(line, source, number)
    if len(cells) != len(columns):
        wanted = f"{len(columns)} fields ({', '.join(columns)})"
        raise TableError(source, number, None, wanted, len(cells))
    for name, cell in zip(columns, cells, strict=True):
        if not is_number(cell):
            raise TableError(source, number, name, "a number", quote(cell.strip()))
    return map(float, cells)


def _split(line, source, number):
    try:
        return next(csv.reader([line], strict=True, skipinitialspace=True))
    except csv.Error:
        wanted = "fields with commas between, quotes closed"
        raise TableError(source, number, None, wanted, quote(line)) from None


def is_number(text):
    """Say whether a text is a number; "nan" and "inf" are."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def read_jsonl(stream, source):
    """Yield the targets of JSON lines: objects, or arrays [x, y] and [x, y, z]."""
    columns = None
    for text, first, share in _blocks(stream, source):
        lines = text.split("\n")
        if columns is None:
            i = next((i for i, line in enumerate(lines) if line.strip()), None)
            if i is None:
                continue
            columns = list(_parse_json(source, lines[i], first + i))
            check_columns(columns, source, first + i)
        table, places, error = _parse_jsonl(lines, source, first, columns)
        yield Rows(arguments(columns, table), places, "line", share)
        if error:
            raise error
    if columns is None:
        raise TableError(source, None, None, "targets", "nothing but white space")


def _parse_jsonl(lines, source, first, columns):
    """Return the numbers on lines, the lines they stood on, and the error that ended it.

    All lines are tried as one text, which is three times as fast. A row broken over two lines
    would have the end of one and the start of the other within, so in a text or in an inner
    list: what is made of numbers alone is what stands there line by line.
    """
    lines = [line.strip() for line in lines]
    full = list(filter(None, lines))
    if all(line[0] + line[-1] in ("{}", "[]") for line in full):
        try:
            rows = JSON.decode(f"[{','.join(full)}]")
            numbers = _flatten(rows, columns)
            if len(rows) == len(full) and set(map(type, numbers)) <= {float, NoneType}:
                places = list(compress(range(first, first + len(lines)), lines))
                return _table(numbers, columns), places, None
        except (ValueError, KeyError, RecursionError):
            pass  # somewhere there is a bad row: look again, line by line
    return _parse_each(lines, first, columns, partial(_parse_json_line, source, columns))


def _flatten(rows, columns):
    kinds, sizes = set(map(type, rows)), set(map(len, rows))
    if sizes == {len(columns)} and kinds == {dict}:
        return list(chain.from_iterable(map(itemgetter(*columns), rows)))
    if sizes == {len(columns)} and kinds == {list} and columns == list(COLUMNS[: len(columns)]):
        return list(chain.from_iterable(rows))
    raise ValueError


def _parse_json_line(source, columns, line, number):
    row = _parse_json(source, line, number)
    if len(row) != len(columns) or not all(name in row for name in columns):
        wanted = f"{', '.join(columns)}, as in the first row"
        raise TableError(source, number, None, wanted, ", ".join(map(shorten, row)))
    numbers = [row[name] for name in columns]
    for name, value in zip(columns, numbers, strict=True):
        if type(value) is not float and value is not None:
            raise TableError(source, number, name, "a number", quote(value, json.dumps))
    return numbers


# Whole numbers become floats from their digits: no limit on how many.
JSON = json.JSONDecoder(parse_int=float)


def _parse_json(source, line, number):
    """Return an object, or an array as an object of x, y and z."""
    try:
        row = JSON.decode(line.strip())
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, list) and len(row) in (2, 3):
        return dict(zip(COLUMNS, row, strict=False))
    if not isinstance(row, dict):
        wanted = "a JSON object with x and y, or an array of 2 or 3 numbers"
        raise TableError(source, number, None, wanted, quote(line))
    return row


def _parse_each(lines, first, columns, parse):
    """Parse line by line, up to the first error."""
    numbers, places, wrong = [], [], None
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            numbers.extend(parse(line, number))
        except TableError as error:
            wrong = error
            break
        places.append(number)
    return _table(numbers, columns), places, wrong


def _table(numbers, columns):
    """Return rows of numbers; None, JSON's null, is NaN."""
    return np.array(list(numbers), np.float64).reshape(-1, len(columns))


def _blocks(stream, source):
    """Yield text of whole lines, the number of its first line, and the share read."""
    size = _size_of(stream)
    rest, number, done, more = b"", 1, 0, True
    while more:
        came = stream.read1(BLOCK)
        more = bool(came)
        done += len(came)
        data = rest + came
        if number == 1 and len(data) >= 3:
            data = data.removeprefix(b"\xef\xbb\xbf")
        cut = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1 if more else len(data)
        data, rest = data[:cut], data[cut:]
        text, wrong = _decode(data)
        # A line end starts no line of its own.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if text:
            yield text.removesuffix("\n"), number, done / size if size else None
        number += text.count("\n")
        if wrong:
            raise TableError(source, number, None, "UTF-8 text", wrong)
        if len(rest) > LONGEST:
            raise TableError(source, number, None, f"a line of at most {LONGEST} bytes", "more")
    if done == 0:
        raise TableError(source, None, None, "targets", "nothing: it is empty")


def _decode(data):
    """Return the text up to the line that is not text, and what is there."""
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        good = max(data.rfind(b"\n", 0, error.start), data.rfind(b"\r", 0, error.start)) + 1
        return data[:good].decode("utf-8"), f"the byte 0x{data[error.start]:02x}"


# --- arrays -------------------------------------------------------------------------------


def read_npy(stream, source):
    """Yield the targets of an array in a .npy file, shape (n, d) or (d,), mapped to memory."""
    with _seekable(stream) as file:
        array = _map_array(file, source)
        total = len(array)
        for start in range(0, total or 1, CHUNK):
            target = array[start : start + CHUNK]
            native = np.float64 if target.dtype.itemsize == 2 else target.dtype.newbyteorder("=")
            stop = start + len(target)
            share = stop / total if total else 1.0
            yield Rows({"target": target.astype(native)}, range(start, stop), "row", share)


def _map_array(file, source):
    shape, fortran, dtype = read_array_header(file, source)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        wanted = "an array of integers or of floats of at most 64 bits"
        raise TableError(source, None, None, wanted, _name_of(dtype))
    if not 1 <= len(shape) <= 2 or shape[-1] not in (2, 3) or shape[0] < 0:
        wanted = "an array of shape (n, 2), (n, 3), (2,) or (3,)"
        raise TableError(source, None, None, wanted, shape)
    shape = shape if len(shape) == 2 else (1, *shape)
    offset = file.tell()
    wanted, came = shape[0] * shape[1] * dtype.itemsize, _size_of(file) - offset
    if came < wanted:
        raise TableError(source, None, None, f"{wanted} bytes of numbers", f"{came}: it is cut off")
    if not wanted:
        return np.empty(shape, dtype)
    return np.memmap(file, dtype, "r", offset, shape, "F" if fortran else "C")


def _name_of(dtype):
    return "objects (a pickle)" if dtype.hasobject else str(dtype)


def read_array_header(file, source):
    """Return shape, order and dtype; nothing in a file is ever unpickled or run."""
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(file)
        if version == (2, 0):
            return np.lib.format.read_array_header_2_0(file)
    except (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError):
        pass
    raise TableError(source, None, None, "a .npy file", "one without a header that can be read")


@contextmanager
def _seekable(stream):
    """Open a copy of a stream, unless it is a regular file: only those can be mapped."""
    if _size_of(stream) is not None:
        yield stream
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(stream, file)
        file.seek(0)
        yield file


def _size_of(stream):
    """Return the bytes of a regular file, None for a pipe."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # io.BytesIO and its like
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


READERS = {"csv": read_csv, "jsonl": read_jsonl, "npy": read_npy}
