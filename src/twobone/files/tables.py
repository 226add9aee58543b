"""Readers of tables of targets: CSV, JSON lines and .npy, in pieces.

A table may be larger than memory: `read` yields `Rows`, a piece at a time, and the writers in
`answers` write the answers as they come. Text is read in blocks of whatever whole lines have
arrived, so lines from a slow pipe are answered without delay.

Columns are x, y, in space z, and optionally r1, r2, side, and nx, ny, nz (the pole vector). NaN and
infinity are valid values. All other columns pass through to the answers.
"""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError

import numpy as np

from twobone.errors import FileError
from twobone.files.csv_rows import read_csv
from twobone.files.json_rows import read_jsonl
from twobone.files.numbers import kind_of
from twobone.files.rows import Rows, size_of

SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".npy": "npy"}

CHUNK = 1 << 16  # rows of an array at a time


def format_of(name, default=None):
    """Return "csv", "jsonl" or "npy" for the suffix of a file's name, or `default`."""
    return SUFFIXES.get(Path(name).suffix.lower(), default)


def read(stream, source, kind, delimiter=None):
    """Yield the targets in an open binary stream.

    Parameters
    ----------
    stream : binary file
        A file or a pipe.
    source : str
        Its name in error messages.
    kind : {"csv", "jsonl", "npy"}
    delimiter : {",", ";", "\\t"}, optional
        Delimiter of a CSV table; by default it is guessed from the first line.

    Yields
    ------
    Rows
        At least one, which may be empty. All have the same target columns.

    Raises
    ------
    FileError
        If the table is invalid; the message has the line, the column and what was expected there.
        All rows before it have been yielded.
    """
    if kind == "csv":
        return read_csv(stream, source, delimiter)
    return READERS[kind](stream, source)


# --- .npy ---------------------------------------------------------------------------------


def read_npy(stream, source):
    """Yield the targets of a memory-mapped .npy file; its array has shape (n, d) or (d,)."""
    with _seekable(stream) as file:
        array = _map_array(file, source)
        total = len(array)
        for start in range(0, total or 1, CHUNK):
            target = array[start : start + CHUNK]
            native = np.float64 if target.dtype.itemsize == 2 else target.dtype.newbyteorder("=")
            stop = start + len(target)
            fraction = stop / total if total else 1.0
            yield Rows({"target": target.astype(native)}, range(start, stop), "row", fraction)


def _map_array(file, source):
    shape, fortran, dtype = read_array_header(file, source)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        wanted = "an array of integers or of floats of at most 64 bits"
        raise FileError(source, wanted, kind_of(dtype))
    if not 1 <= len(shape) <= 2 or shape[-1] not in (2, 3) or shape[0] < 0:
        wanted = "an array of shape (n, 2), (n, 3), (2,) or (3,)"
        raise FileError(source, wanted, shape or "a single number")
    shape = shape if len(shape) == 2 else (1, *shape)
    offset = file.tell()
    wanted, came = shape[0] * shape[1] * dtype.itemsize, size_of(file) - offset
    if came < wanted:
        raise FileError(source, f"{wanted} bytes of numbers", f"{came}: it is cut off")
    if not wanted:
        return np.empty(shape, dtype)
    return np.memmap(file, dtype, "r", offset, shape, "F" if fortran else "C")


def read_array_header(file, source):
    """Return shape, Fortran order and dtype of a .npy file; nothing is unpickled or executed."""
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(file)
        if version == (2, 0):
            return np.lib.format.read_array_header_2_0(file)
    except (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError):
        pass
    raise FileError(source, "a .npy file", "one without a header that can be read")


@contextmanager
def _seekable(stream):
    """Return a stream, or a temporary copy if it is not a regular file, which memory maps need."""
    if size_of(stream) is not None:
        yield stream
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(stream, file)
        file.seek(0)
        yield file


READERS = {"jsonl": read_jsonl, "npy": read_npy}
