"""Tables of targets and of answers: CSV, JSON lines and .npy, read and written in pieces.

A table may be larger than memory: `read` yields `Rows`, a piece at a time, and the writers
take answers as they come. Text comes in blocks of whole lines, whatever has arrived, so a
slow pipe is answered at once.

Columns of targets: x, y, z where they are in space, and optionally r1, r2, side, nx, ny, nz
(the pole). Columns of answers: joint, end and status. NaN and infinity are values.
"""

import csv
import json
import os
import secrets
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

from twobone.core.policies import Status
from twobone.errors import TableError

COLUMNS = ("x", "y", "z", "r1", "r2", "side", "nx", "ny", "nz")
POLE = ("nx", "ny", "nz")
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
        yield Rows(_arguments(columns, table), places, "line", share)
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
            _check_columns(names, source, first + i)
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
            raise TableError(source, number, name, "a number", _quote(cell.strip()))
    return map(float, cells)


def _split(line, source, number):
    try:
        return next(csv.reader([line], strict=True, skipinitialspace=True))
    except csv.Error:
        wanted = "fields with commas between, quotes closed"
        raise TableError(source, number, None, wanted, _quote(line)) from None


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
            _check_columns(columns, source, first + i)
        table, places, error = _parse_jsonl(lines, source, first, columns)
        yield Rows(_arguments(columns, table), places, "line", share)
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
        raise TableError(source, number, None, wanted, ", ".join(map(_shorten, row)))
    numbers = [row[name] for name in columns]
    for name, value in zip(columns, numbers, strict=True):
        if type(value) is not float and value is not None:
            raise TableError(source, number, name, "a number", _quote(value, json.dumps))
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
        raise TableError(source, number, None, wanted, _quote(line))
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
    shape, fortran, dtype = _read_array_header(file, source)
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


def _read_array_header(file, source):
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


# --- columns ------------------------------------------------------------------------------


def _check_columns(names, source, line):
    known = ", ".join(COLUMNS)
    for name in names:
        if name not in COLUMNS:
            raise TableError(source, line, None, f"columns among {known}", _quote(name))
        if names.count(name) > 1:
            raise TableError(source, line, None, "each column once", f"{name} twice")
    for name in ("x", "y"):
        if name not in names:
            raise TableError(source, line, None, "columns x and y", ", ".join(names))
    pole = [name for name in POLE if name in names]
    if pole and (len(pole) < 3 or "z" not in names):
        wanted = "nx, ny and nz together, and z with them"
        raise TableError(source, line, None, wanted, ", ".join(names))


def _arguments(columns, table):
    """Return a table of numbers as arguments of `twobone.reach`, by name."""
    place = {name: i for i, name in enumerate(columns)}
    values = {"target": table[:, [place[name] for name in ("x", "y", "z") if name in place]]}
    for name in ("r1", "r2", "side"):
        if name in place:
            values[name] = table[:, place[name]]
    if "nx" in place:
        values["pole"] = table[:, [place[name] for name in POLE]]
    return values


def _quote(value, write=repr):
    return _shorten(write(value))


def _shorten(text):
    return text if len(text) <= 60 else f"{text[:57]}..."


READERS = {"csv": read_csv, "jsonl": read_jsonl, "npy": read_npy}

# --- answers ------------------------------------------------------------------------------
WORDS = {int(status): status.name for status in Status}


@contextmanager
def writing(file, kind, *, goes_back=False):
    """Open a writer of "csv", "jsonl" or "npy" over an open binary file.

    Its `write` takes, as often as you like, a `Reach` of joints (n, d), or of joints (n, 2, d)
    where both are wanted: side +1, then side -1. `goes_back` says that the file is a new one
    in which one can go back; .npy goes through a temporary file where it is not.
    """
    if kind == "npy" and not goes_back:
        with tempfile.TemporaryFile() as copy:
            with writing(copy, kind, goes_back=True) as writer:
                yield writer
            copy.seek(0)
            shutil.copyfileobj(copy, file)
        return
    writer = WRITERS[kind](file)
    yield writer
    writer.finish()


class CsvWriter:
    """Answers as CSV: joint_x, joint_y, end_x, end_y, status; joint_plus_x, ... where both."""

    def __init__(self, file):
        self.file = file
        self.begun = False

    def write(self, answer):
        if not self.begun:
            self.file.write(",".join(self._header(answer)).encode() + b"\n")
            self.begun = True
        rows = zip(*_texts(answer), strict=True)
        self.file.write("".join([f"{row}\n" for row in map(",".join, rows)]).encode())

    def finish(self):
        pass

    @staticmethod
    def _header(answer):
        axes = ("x", "y", "z")[: answer.end.shape[-1]]
        points = ["joint_plus", "joint_minus"] if _is_both(answer) else ["joint"]
        return [*(f"{point}_{axis}" for point in [*points, "end"] for axis in axes), "status"]


class JsonWriter:
    """Answers as JSON lines: joint, end and status; joints where both. NaN is null."""

    def __init__(self, file):
        self.file = file

    def write(self, answer):
        point = f"[{', '.join(['%s'] * answer.end.shape[-1])}]"
        joint = f'"joints": [{point}, {point}]' if _is_both(answer) else f'"joint": {point}'
        line = f'{{{joint}, "end": {point}, "status": "%s"}}\n'
        *numbers, words = _texts(answer)
        if not (np.isfinite(answer.joint).all() and np.isfinite(answer.end).all()):
            numbers = [
                ["null" if text in ("nan", "inf", "-inf") else text for text in column]
                for column in numbers
            ]
        rows = zip(*numbers, words, strict=True)
        self.file.write("".join([line % row for row in rows]).encode())

    def finish(self):
        pass


class ArrayWriter:
    """Answers as a .npy file: records of joint (d,), end (d,) and status; joints (2, d) where both.

    How many there are is known at the end only, so the header is written again there: it
    leaves room for the number to grow.
    """

    def __init__(self, file):
        self.file = file
        self.count = 0
        self.dtype = None

    def write(self, answer):
        if self.dtype is None:
            self.dtype = self._records(answer)
            self._write_header()
        records = np.empty(len(answer.status), self.dtype)
        for name, part in zip(self.dtype.names, answer, strict=True):
            records[name] = part
        self.file.write(records.data)
        self.count += len(records)

    def finish(self):
        self.file.seek(0)
        self._write_header()

    def _write_header(self):
        description = np.lib.format.dtype_to_descr(self.dtype)
        header = {"descr": description, "fortran_order": False, "shape": (self.count,)}
        np.lib.format.write_array_header_1_0(self.file, header)

    @staticmethod
    def _records(answer):
        dtype = answer.joint.dtype
        name = "joints" if _is_both(answer) else "joint"
        parts = [(name, dtype, answer.joint.shape[1:]), ("end", dtype, answer.end.shape[1:])]
        return np.dtype([*parts, ("status", np.int8)])


WRITERS = {"csv": CsvWriter, "jsonl": JsonWriter, "npy": ArrayWriter}


def _texts(answer):
    """Return the columns of an answer as texts; numbers are exact, as `repr` writes them."""
    joints = answer.joint.reshape(len(answer.joint), np.prod(answer.joint.shape[1:]))
    # Python's floats, also of float32: their texts hold for readers of either.
    columns = [map(repr, column) for part in (joints, answer.end) for column in part.T.tolist()]
    return [*columns, [WORDS[code] for code in answer.status.tolist()]]


def _is_both(answer):
    return answer.joint.ndim == 3


# --- files that are whole or not there ----------------------------------------------------


@contextmanager
def replacing(path):
    """Open a binary file that takes the place of `path` when all is written, and only then.

    Until then it stands beside it, under another name; whatever goes wrong, it is removed and
    what was at `path` stays. A path that is no regular file (/dev/null, a pipe) is written to
    as it is.
    """
    place = Path(path).resolve()
    old = place.stat().st_mode if place.exists() else None
    if old is not None and not stat.S_ISREG(old):
        with open(place, "wb") as file:
            yield file
        return
    if old is not None and not os.access(place, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    part = place.with_name(f".twobone-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with _create(part, path) as file:
            yield file
        if old is not None:
            part.chmod(stat.S_IMODE(old))
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def _create(part, path):
    try:
        return open(part, "xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
