"""Tables of answers: CSV, JSON lines and .npy, written in pieces as the answers come.

Columns: joint, end and status; both joints where both sides are wanted. They stand where the
columns of the targets stood, and other columns (`others.py`) before and after them as there.
`tables.py` reads.
"""

import shutil
import tempfile
from contextlib import contextmanager
from typing import Any

import numpy as np

from twobone.core.policies import Status
from twobone.errors import FileError
from twobone.files.columns import Names, quote

WORDS = {int(status): status.name for status in Status}


@contextmanager
def writing(file, kind, *, goes_back=False, delimiter=None):
    """Open a writer of "csv", "jsonl" or "npy" over an open binary file.

    Its `write` takes, as often as you like, a `Reach` of joints (n, d), or of joints (n, 2, d)
    where both are wanted: side +1, then side -1; and the `Rows` of the targets, whose other
    columns pass through (not to .npy). `goes_back` says that the file is a new one in which one
    can go back; .npy goes through a temporary file where it is not. `delimiter` is that of CSV;
    by default it is that of the targets, or a comma.
    """
    if kind == "npy" and not goes_back:
        with tempfile.TemporaryFile() as copy:
            with writing(copy, kind, goes_back=True) as writer:
                yield writer
            copy.seek(0)
            shutil.copyfileobj(copy, file)
        return
    writer = CsvWriter(file, delimiter) if kind == "csv" else WRITERS[kind](file)
    yield writer
    writer.finish()


class CsvWriter:
    """Answers as CSV: joint_x, joint_y, end_x, end_y, status; joint_plus_x, ... where both."""

    def __init__(self, file, delimiter=None):
        self.file = file
        # Known, both of them, when the first rows come.
        self.delimiter: Any = delimiter
        self.names: Any = None  # of the columns that pass through

    def write(self, answer, rows=None):
        others = rows.others if rows else None
        if self.names is None:
            self.delimiter = self.delimiter or (rows and rows.delimiter) or ","
            self.names = others.names if others else Names([], [])
            self._write_header(answer, others)
        columns = _texts(answer)
        if others:
            before, after = others.cells(self.delimiter, self.names)
            columns = [*before, *columns, *after]
        lines = map(self.delimiter.join, zip(*columns, strict=True))
        self.file.write("".join([f"{line}\n" for line in lines]).encode())

    def finish(self):
        pass

    def _write_header(self, answer, others):
        ours = self._header(answer)
        before, after = ([], [])
        if others:
            _check_names(others, ours)
            before, after = others.heads(self.delimiter)
        self.file.write(self.delimiter.join([*before, *ours, *after]).encode() + b"\n")

    @staticmethod
    def _header(answer):
        axes = ("x", "y", "z")[: answer.end.shape[-1]]
        points = ["joint_plus", "joint_minus"] if _is_both(answer) else ["joint"]
        return [*(f"{point}_{axis}" for point in [*points, "end"] for axis in axes), "status"]


class JsonWriter:
    """Answers as JSON lines: joint, end and status; joints where both. NaN is null."""

    def __init__(self, file):
        self.file = file

    def write(self, answer, rows=None):
        point = f"[{', '.join(['%s'] * answer.end.shape[-1])}]"
        joint = f'"joints": [{point}, {point}]' if _is_both(answer) else f'"joint": {point}'
        line = f'{joint}, "end": {point}, "status": "%s"'
        *numbers, words = _texts(answer)
        if not (np.isfinite(answer.joint).all() and np.isfinite(answer.end).all()):
            numbers = [
                ["null" if text in ("nan", "inf", "-inf") else text for text in column]
                for column in numbers
            ]
        lines = [line % row for row in zip(*numbers, words, strict=True)]
        if rows and rows.others:
            _check_names(rows.others, ["joints" if _is_both(answer) else "joint", "end", "status"])
            members = zip(*rows.others.members(), strict=True)
            lines = [
                ", ".join([*before, line, *after])
                for line, (before, after) in zip(lines, members, strict=True)
            ]
        self.file.write("".join([f"{{{line}}}\n" for line in lines]).encode())

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
        self.dtype: Any = None  # of the records: known when the first come

    def write(self, answer, rows=None):
        del rows  # an array has no place for text
        if self.dtype is None:
            self.dtype = self._records(answer)
            self._write_header()
        records = np.empty(len(answer.status), self.dtype)
        for name, part in zip(self.dtype.names or (), answer, strict=True):
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


WRITERS = {"jsonl": JsonWriter, "npy": ArrayWriter}


def _check_names(others, ours):
    """Raise where a column that passes through has the name of one of the answers'."""
    names = {name.casefold() for name in ours}
    for name in sorted(others.all_names()):
        if name.casefold() in names:
            wanted = f"no column with a name of the answers ({', '.join(ours)})"
            raise FileError(others.source, wanted, quote(name))


def _texts(answer):
    """Return the columns of an answer as texts; numbers are exact, as `repr` writes them."""
    joints = answer.joint.reshape(len(answer.joint), np.prod(answer.joint.shape[1:]))
    # Python's floats, also of float32: their texts hold for readers of either.
    columns = [map(repr, column) for part in (joints, answer.end) for column in part.T.tolist()]
    return [*columns, [WORDS[code] for code in answer.status.tolist()]]


def _is_both(answer):
    return answer.joint.ndim == 3
