"""Arrays of .npz archives: nothing is unpickled, and sizes are checked before memory is taken."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from twobone.errors import FileError
from twobone.files import tables
from twobone.files.numbers import kind_of

DAMAGED = "one that is truncated or damaged"
MOST = 1 << 30  # bytes of all arrays: a small malicious file must not fill the memory
SUFFIX = ".npy"  # of members


def read_npz(
    file: BinaryIO,
    source: str,
    is_wanted: Callable[[str, Any], bool],
    growth: float = math.inf,
) -> dict[str, np.ndarray]:
    """Read arrays of numbers from an open .npz file.

    Parameters
    ----------
    file : binary file
        It can be rewound.
    source : str
        Its name in errors.
    is_wanted : function
        Whether to read an array, given its name and the bytes that it has (those of its header
        included).
    growth : float
        How many times as large as the file all wanted arrays may be.

    Returns
    -------
    dict of str to array

    Raises
    ------
    FileError
        If it is no archive, one that is damaged, or too large, or a wanted array is not of numbers.
    """
    start = file.read(2)
    whole = file.seek(0, io.SEEK_END)
    file.seek(0)
    if not start:
        raise FileError(source, "a .npz file", "nothing: it is empty")
    try:
        with zipfile.ZipFile(file) as archive:
            infos = {info.filename.removesuffix(SUFFIX): info for info in archive.infolist()}
            found = {
                name: info
                for name, info in infos.items()
                if info.filename.endswith(SUFFIX) and is_wanted(name, info.file_size)
            }
            size, most = sum(info.file_size for info in found.values()), min(MOST, growth * whole)
            if size > most:
                raise FileError(source, f"at most {most:.0f} bytes", f"{size} bytes")
            return {name: _read_member(archive, info, name, source) for name, info in found.items()}
    except FileError:
        raise
    except zipfile.BadZipFile:
        came = DAMAGED if start[:1] == b"P" else "one that is not a zip archive"
        raise FileError(source, "a .npz file", came) from None
    except (zlib.error, EOFError, ValueError, OSError):
        raise FileError(source, "a .npz file", DAMAGED) from None
    except RuntimeError as error:  # encrypted, or compressed in an unknown way
        came = f"one that cannot be read: {' '.join(str(error).split())}"
        raise FileError(source, "a .npz file", came) from None


def _read_member(archive, info, name, source):
    """Read one array; its size has been checked, since a zip yields no more than it states."""
    with archive.open(info) as member:
        data = io.BytesIO(member.read())
    try:
        shape, fortran, dtype = tables.read_array_header(data, source)
    except FileError:
        raise FileError(source, "an array", "one without a header", field=name) from None
    if dtype.kind not in "fiub":
        raise FileError(source, "numbers", kind_of(dtype), field=name)
    return array_of(data.getbuffer()[data.tell() :], shape, fortran, dtype, source, name)


def array_of(data, shape, fortran, dtype, source, name=None):
    """Return the array that bytes hold, in native byte order; raise if they are too few or many."""
    count = 1
    for size in shape:
        count *= size if size >= 0 else MOST
    if count * dtype.itemsize != len(data):
        raise FileError(source, f"{count * dtype.itemsize} bytes of numbers", len(data), field=name)
    array = np.frombuffer(data, dtype).astype(dtype.newbyteorder("="))
    return array.reshape(shape, order="F" if fortran else "C")
