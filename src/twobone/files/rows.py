"""Rows of tables, and reading text in blocks of whole lines."""

import os
import stat
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import FileError

BLOCK = 1 << 18  # bytes of text at a time, about ten thousand rows
LONGEST = 1 << 16  # bytes in a line: a file without line ends must not fill the memory


class Rows(NamedTuple):
    """A piece of a table of targets."""

    # Arguments of `twobone.reach`: `target`, shape (n, d), and if the table has these columns `r1`,
    # `r2` and `side`, shape (n,), and `pole`, shape (n, 3).
    values: dict
    places: Sequence  # numbers of their lines from 1; in an array their rows from 0
    word: str  # what `places` are: "line" or "row"
    share: float | None  # fraction of the table that has been read; None if its size is unknown
    others: Any = None  # the columns that pass through: `CsvOthers` or `JsonOthers`
    delimiter: str | None = None  # of a CSV table


class Parsed(NamedTuple):
    """The contents of some lines."""

    numbers: np.ndarray  # (n, target columns)
    places: Sequence  # numbers of the lines
    others: list  # the other columns; for JSON and `parse_each`, row by row
    wrong: FileError | None  # the error that ended parsing


def parse_each(lines, first, width, parse):
    """Parse line by line, up to the first error.

    `parse(line, number)` returns the numbers and the other columns of a line.
    """
    numbers, places, others, wrong = [], [], [], None
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            found, rest = parse(line, number)
        except FileError as error:
            wrong = error
            break
        numbers.extend(found)
        others.append(rest)
        places.append(number)
    return Parsed(table(numbers, width), places, others, wrong)


def table(numbers, width):
    """Return numbers as an array of rows; None (null in JSON) becomes NaN."""
    return np.array(list(numbers), np.float64).reshape(-1, width)


def blocks(stream, source):
    """Yield blocks of whole lines, the number of their first line, and the fraction read so far.

    The fraction is None if the size of the stream is unknown.
    """
    size = size_of(stream)
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
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if text:
            # Without the last line end, after which splitting would find an empty line.
            yield text.removesuffix("\n"), number, done / size if size else None
        number += text.count("\n")
        if wrong:
            raise FileError(source, "UTF-8 text", wrong, line=number)
        if len(rest) > LONGEST:
            raise FileError(source, f"a line of at most {LONGEST} bytes", "more", line=number)
    if done == 0:
        raise FileError(source, "rows of coordinates", "nothing: it is empty")


def _decode(data):
    """Return the text up to the first line that is not UTF-8, and its bad byte or None."""
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        good = max(data.rfind(b"\n", 0, error.start), data.rfind(b"\r", 0, error.start)) + 1
        return data[:good].decode("utf-8"), f"the byte 0x{data[error.start]:02x}"


def size_of(stream):
    """Return the size of a regular file in bytes, or None for other streams."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # io.BytesIO and other streams without a file
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
