"""Writers of tables of answers: CSV, JSON lines and .npy, in pieces as the answers come.

The columns are joint (or both joints), end and status. They take the place of the columns of the
targets; the other columns (see `others`) stay before and after them. `tables` reads.
"""

import shutil
import tempfile
from contextlib import contextmanager
from typing import Any

import numpy as np

from twobone.core.policies import Status
from twobone.errors import FileError
from twobone.files.columns import Names, quote
from twobone.files.others import to_cell

WORDS = {int(status): status.name for status in Status}


@contextmanager
def writing(file, kind, *, goes_back=False, delimiter=None):
    """Open a writer of answers over an open binary file.

    The writer has a method `write(answer, rows=None)`, to be called once for each piece. `answer`
    is a `Reach` whose joints have shape (n, d), or (n, 2, d) for both sides, +1 first. `rows` are
    the `Rows` of the targets, whose other columns pass through to CSV and JSON.

    Parameters
    ----------
    file : binary file
    kind : {"csv", "jsonl", "npy"}
    goes_back : bool
        Whether `file` is new and seekable. If not, .npy is written to a temporary file first.
    delimiter : str, optional
        Delimiter of CSV; by default that of the targets, or a comma.

    Yields
    ------
    CsvWriter, JsonWriter or ArrayWriter
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
    """Writer of CSV with columns joint_x, joint_y, end_x, end_y, status.

    For both joints, the columns are joint_plus_x, ..., joint_minus_x, ...
    """

    def __init__(self, file, delimiter=None):
        self.file = file
        # Both are known once the first rows have come.
        self.delimiter: Any = delimiter
        self.names: Any = None  # names of the columns that pass through

    def write(self, answer, rows=None):
        others = rows.others if rows else None
        if self.names is None:
            self.delimiter = self.delimiter or (rows and rows.delimiter) or ","
            self.names = others.names if others else Names([], [])
            self._write_header(answer, others)
        columns = self._columns(answer)
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
        names = [to_cell(name, self.delimiter) for name in ours]
        self.file.write(self.delimiter.join([*before, *names, *after]).encode() + b"\n")

    def _columns(self, answer):
        return _texts(answer)

    def _header(self, answer):
        axes = ("x", "y", "z")[: answer.end.shape[-1]]
        points = ["joint_plus", "joint_minus"] if _is_both(answer) else ["joint"]
        return [*(f"{point}_{axis}" for point in [*points, "end"] for axis in axes), "status"]


class AnglesWriter(CsvWriter):
    """Writer of CSV with a column for the angle of each joint, then the end, status and within.

    An answer has `angles`, shape (n, k), `end`, shape (n, 3), `status` and `within`.
    """

    OTHERS = ("end_x", "end_y", "end_z", "status", "within")

    def __init__(self, file, joint_names, delimiter=None):
        super().__init__(file, delimiter)
        self.joint_names = joint_names

    def _columns(self, answer):
        numbers = [map(repr, column) for part in answer[:2] for column in part.T.tolist()]
        within = ["true" if each else "false" for each in answer.within.tolist()]
        return [*numbers, [WORDS[code] for code in answer.status.tolist()], within]

    def _header(self, answer):
        del answer  # its columns are known
        return [*self.joint_names, *self.OTHERS]


class JsonWriter:
    """Writer of JSON lines with joint (or joints), end and status; NaN and infinity are null."""

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
    """Writer of a .npy file of records with joint (d,) or joints (2, d), end (d,) and status.

    The number of records is known only at the end, so the header is written again then; NumPy
    leaves room in it for the number to grow.
    """

    def __init__(self, file):
        self.file = file
        self.count = 0
        self.dtype: Any = None  # of the records; known once the first have come

    def write(self, answer, rows=None):
        del rows  # other columns do not pass through to an array
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
    """Raise if a column that passes through has the name of a column of the answers."""
    names = {name.casefold() for name in ours}
    for name in sorted(others.all_names()):
        if name.casefold() in names:
            wanted = f"no column with the name of a column of the answers ({', '.join(ours)})"
            raise FileError(others.source, wanted, quote(name))


def _texts(answer):
    """Return the columns of an answer as texts; numbers are written by `repr`, exactly."""
    joints = answer.joint.reshape(len(answer.joint), np.prod(answer.joint.shape[1:]))
    # Convert float32 to Python floats too: their digits are exact in float32 and in float64.
    columns = [map(repr, column) for part in (joints, answer.end) for column in part.T.tolist()]
    return [*columns, [WORDS[code] for code in answer.status.tolist()]]


def _is_both(answer):
    return answer.joint.ndim == 3
