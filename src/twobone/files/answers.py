"""Tables of answers: CSV, JSON lines and .npy, written in pieces as the answers come.

Columns: joint, end and status; both joints where both sides are wanted. `tables.py` reads.
"""

import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from twobone.core.policies import Status
from twobone.files import parts

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
        self.dtype: Any = None  # of the records: known when the first come

    def write(self, answer):
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
    parts.remove_abandoned(place.parent)
    with parts.beside(place, str(path)) as (part, file):
        yield file
        file.close()
        if old is not None:
            part.chmod(stat.S_IMODE(old))
        part.replace(place)
