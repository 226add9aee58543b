"""Joint positions in files: .npy and .npz arrays, and results of networks."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError
from twobone.files import archives, atomic, pickles, tables
from twobone.files.columns import quote
from twobone.files.numbers import kind_of
from twobone.motion.curves import runs
from twobone.motion.joints import features

SUFFIXES = (".npy", ".npz")
GROWTH = 100.0  # how many times as large as its file an archive may be; that of numbers is 10
MOTION, LENGTHS = "motion", "lengths"  # of motion-diffusion-model's dictionaries
SMPL = ("poses", "trans")  # of archives that hold rotations


class Motion(NamedTuple):
    """Joint positions (T, J, 3) of a file, and what it says beside them."""

    name: str
    points: NDArray[Any]
    skeleton: str | None = None
    contacts: dict[str, list[tuple[int, int]]] | None = None  # by joints: first frame, last + 1


def read_joints(path: str | os.PathLike[str]) -> list[Motion]:
    """Read the joint positions of a .npy or .npz file.

    An array of shape (T, J, 3) is a motion, as is one of (J, 3, T), or features of shape (T, 263)
    or (T, 251), whose contacts are taken. An axis in front counts motions. A .npz file may have
    several arrays. A .npy file may hold a pickled dictionary as motion-diffusion-model writes it,
    with `motion`, an array (N, J, 3, T), and `lengths`, (N); nothing in it is executed.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    list of Motion
        At least one. Names are those of the file, with a number if there are several.

    Raises
    ------
    ClipError
        If there are no such arrays.
    FileError
        If the file is damaged, expands to more than 100 times its size or 1 GiB, or is a pickle
        of something else.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion.joints.reading import read_joints
    >>> np.save("motion.npy", np.zeros((196, 22, 3)))  # doctest: +SKIP
    >>> [motion.name for motion in read_joints("motion.npy")]  # doctest: +SKIP
    ['motion']
    """
    return [_decoded(name, part) for name, part in parts(path)]


def parts(path: str | os.PathLike[str]) -> list[tuple[str, NDArray[Any]]]:
    """Return the names of the motions of a file, and their arrays as they are in it.

    Raises as `read_joints` does, which decodes each.
    """
    atomic.check_path("path", path)
    source, stem = str(path), Path(path).stem
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        wanted = f"a name that ends in {' or '.join(SUFFIXES)}"
        raise ClipError(path, wanted, repr(suffix) if suffix else "one without an ending")
    with open(path, "rb") as file:
        if suffix == ".npz":
            arrays = archives.read_npz(file, source, lambda name, size: True, GROWTH)
            if all(name in arrays for name in SMPL):
                wanted = "joint positions"
                raise ClipError(source, wanted, "rotations of SMPL, which `motion.load` reads")
            named = [
                (f"{stem}_{_as_name(name)}" if len(arrays) > 1 else stem, array)
                for name, array in arrays.items()
            ]
            lengths = None
        else:
            array, lengths = _read_npy(file, source)
            named = [(stem, array)]
    found = [part for name, array in named for part in _parts(name, array, lengths)]
    if not found:
        shapes = ", ".join(str(array.shape) for _, array in named) or "none"
        wanted = "arrays of shape (T, J, 3), (T, 263) or (T, 251)"
        raise ClipError(source, wanted, shapes)
    return found


def read_joints_of(path: str | os.PathLike[str], number: int) -> Motion:
    """Return one motion of a file, counted from 0; see `read_joints`."""
    status = os.stat(path)
    name, part = _kept(os.fspath(path), status.st_mtime_ns, status.st_size)[number]
    return _decoded(name, part)


@functools.lru_cache(maxsize=1)
def _kept(path, changed, size):
    """Return the parts of a file, which a process that converts them one by one reads once."""
    return parts(path)


def _read_npy(file, source):
    """Return the array of a .npy file, or that of a pickled dictionary, and lengths of motions."""
    shape, fortran, dtype = tables.read_array_header(file, source)
    if not dtype.hasobject:
        if dtype.kind not in "fiu":
            raise ClipError(source, "numbers", kind_of(dtype))
        start = file.tell()
        size = file.seek(0, os.SEEK_END) - start
        if size > archives.MOST:
            # unreached: gigabytes
            raise ClipError(source, f"at most {archives.MOST} bytes", f"{size} bytes")
        file.seek(start)
        return archives.array_of(file.read(), shape, fortran, dtype, source), None
    data = file.read(archives.MOST + 1)
    if len(data) > archives.MOST:
        raise ClipError(source, f"at most {archives.MOST} bytes", "more")  # unreached: gigabytes
    found = pickles.read_pickle(data, source)
    motion = found.get(MOTION) if isinstance(found, dict) else found
    if not isinstance(motion, np.ndarray):
        came = type(found).__name__
        if isinstance(found, dict):
            came = f"one with {', '.join(map(quote, found)) or 'nothing'}"
        raise ClipError(source, f"a dictionary with an array {MOTION!r}", came)
    lengths = found.get(LENGTHS) if isinstance(found, dict) else None
    return motion, lengths


def _parts(name, array, lengths):
    """Return names and arrays of the motions of an array, none if it has another shape."""
    if array.dtype.kind not in "fiu" or not array.size:
        return []
    if array.ndim == 2:
        return [(name, array)] if array.shape[-1] in features.WIDTHS else []
    if array.ndim == 3 and array.shape[-1] not in features.WIDTHS:
        return [(name, array)] if 3 in array.shape[1:] else []
    if array.ndim not in (3, 4):
        return []
    digits = len(str(len(array) - 1))
    each = [f"{name}_{n:0{digits}}" if len(array) > 1 else name for n in range(len(array))]
    cut = [_cut(part, lengths, n) for n, part in enumerate(array)]
    return [found for one, part in zip(each, cut, strict=True) for found in _parts(one, part, None)]


def _decoded(name, array):
    """Return the motion of an array (T, J, 3), (J, 3, T), or of features."""
    if array.ndim == 2:
        return _of_features(name, array)
    return Motion(name, array if array.shape[-1] == 3 else array.transpose(2, 0, 1))


def _as_name(text):
    """Return the name of an array as a part of a file's name: an archive may have any."""
    return "".join(each if each.isalnum() or each in "-_." else "_" for each in text)


def _cut(part, lengths, n):
    """Return the frames of a motion that its length counts; the others are padding."""
    length = np.asarray(lengths).ravel() if lengths is not None else np.zeros(0)
    if n >= len(length) or length.dtype.kind not in "iu" or not length[n] > 0:
        return part
    is_last = part.ndim == 3 and part.shape[-1] != 3
    return part[..., : length[n]] if is_last else part[: length[n]]


def _of_features(name, array):
    decoded = features.decoded(array.astype(np.float64))
    contacts = {
        joint: [(first, stop) for first, stop in runs(on).tolist()]
        for joint, on in decoded.contacts.items()
    }
    return Motion(name, decoded.points, decoded.skeleton, contacts)
