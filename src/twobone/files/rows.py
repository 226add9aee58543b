"""Rows of a table, and the lines of a text that they stand on, in blocks."""

import os
import stat
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twobone.errors import FileError

BLOCK = 1 << 18  # bytes of text at a time, some ten thousand rows
LONGEST = 1 << 16  # bytes in a line: a file without line ends must not fill the memory


class Rows(NamedTuple):
    """Some targets of a table.

    `values` has `target`, shape (n, d), and where the table has such columns `r1`, `r2`,
    `side`, shape (n,), and `pole`, shape (n, 3). `places` are the lines they stood on (in an
    array the rows, from 0), `word` is "line" or "row". `share` is how much of the table has
    been read, or None where its size is unknown. `others` are the columns that pass through,
    and `delimiter` is what stands between the columns of a CSV table.
    """

    values: dict
    places: Sequence
    word: str
    share: float | None
    others: Any = None  # of `others.py`
    delimiter: str | None = None


class Parsed(NamedTuple):
    """What stood on some lines."""

    numbers: np.ndarray  # (n, columns of targets)
    places: Sequence  # the lines
    others: list  # what else stood there, row by row
    wrong: FileError | None  # that ended it


def parse_each(lines, first, width, parse):
    """Parse line by line, up to the first error; `parse` returns the numbers and the rest."""
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
    """Return rows of numbers; None, JSON's null, is NaN."""
    return np.array(list(numbers), np.float64).reshape(-1, width)


def blocks(stream, source):
    """Yield text of whole lines, the number of its first line, and the share read."""
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
        # A line end starts no line of its own.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if text:
            yield text.removesuffix("\n"), number, done / size if size else None
        number += text.count("\n")
        if wrong:
            raise FileError(source, "UTF-8 text", wrong, line=number)
        if len(rest) > LONGEST:
            raise FileError(source, f"a line of at most {LONGEST} bytes", "more", line=number)
    if done == 0:
        raise FileError(source, "targets", "nothing: it is empty")


def _decode(data):
    """Return the text up to the line that is not text, and what is there."""
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        good = max(data.rfind(b"\n", 0, error.start), data.rfind(b"\r", 0, error.start)) + 1
        return data[:good].decode("utf-8"), f"the byte 0x{data[error.start]:02x}"


def size_of(stream):
    """Return the bytes of a regular file, None for a pipe."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # io.BytesIO and its like
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
