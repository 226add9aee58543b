"""Recordings of walks: their fields, and the .npz and .json files that hold them."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.errors import FileError
from twobone.files import atomic, tables
from twobone.files.columns import quote

# T frames, L legs.
SHAPES: dict[str, tuple] = {
    "time": ("T",),
    "body_position": ("T", 3),
    "body_rotation": ("T", 4),
    "hips": ("T", "L", 3),
    "knees": ("T", "L", 3),
    "feet": ("T", "L", 3),
    "stance": ("T", "L"),
    "bones": ("L", 2),
    "ground": ("T", "L"),
    "dt": (),
}
OPTIONAL: dict[str, tuple] = {"blocked": ("T",)}  # None if unknown
BOOLEANS = ("stance", "blocked")
MOST = 1 << 30  # bytes in a recording: a file must not fill the memory by what it claims
VERSION = 1  # of the .json
MOST_TEXT = 1 << 28  # bytes of .json, which take ten times as much while they are read


class Recording(NamedTuple):
    """A walk of one animal with L legs, in T frames.

    y is up and +z forward, so that +x is to the left of an animal that looks along +z.
    """

    time: NDArray[np.float64]  # (T), seconds
    body_position: NDArray[np.float64]  # (T, 3)
    body_rotation: NDArray[np.float64]  # (T, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (T, L, 3), where each leg is fixed to the body
    knees: NDArray[np.float64]  # (T, L, 3)
    feet: NDArray[np.float64]  # (T, L, 3)
    stance: NDArray[np.bool]  # (T, L), bool: the foot is on the ground
    bones: NDArray[np.float64]  # (L, 2), lengths
    ground: NDArray[np.float64]  # (T, L), height of the terrain under each foot
    dt: float  # seconds between frames
    blocked: NDArray[np.bool] | None = None  # (T), the ground keeps it from going on; if known


def write_recording(file: str | os.PathLike[str] | BinaryIO, recording: Recording) -> None:
    """Write a recording as .npz or .json.

    Both keep every number to the bit: `.npz` holds one array for each field of `Recording`,
    `.json` the same as lists, plus `version`.

    Parameters
    ----------
    file : path or binary file
        A path must end in `.npz` or `.json`; the file is written whole or not at all. An open
        file gets `.npz`.
    recording : Recording
        Must be finite for `.json`.

    Raises
    ------
    FileError
        If the path has another ending, or a field of the recording is wrong.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone.files.recordings import read_recording, write_recording
    >>> write_recording("walk.npz", recording)  # doctest: +SKIP
    >>> read_recording("walk.npz").feet.shape  # doctest: +SKIP
    (3600, 6, 3)
    """
    write = write_npz if hasattr(file, "write") else WRITERS[suffix_of(file, WRITERS)]
    with atomic.opened(file) as opened:
        write(opened, recording)


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording from a .npz or .json file. Nothing in it is unpickled or executed.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    Recording
        Arrays of float64 and bool.

    Raises
    ------
    FileError
        If the path has another ending, a field is missing or has the wrong type or shape, or
        the file is truncated or claims more than 1 GiB.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone.files.recordings import read_recording
    >>> read_recording("walk.json").dt  # doctest: +SKIP
    0.016666666666666666
    """
    read = READERS[suffix_of(path, READERS)]
    mode = os.stat(path).st_mode  # before it is opened: opening a pipe waits for its writer
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise FileError(path, "a file", "a device or a pipe")
    with open(path, "rb") as file:
        return read(file, str(path))


def suffix_of(path, known):
    """Return the suffix of a path, or raise an error that names the known ones."""
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        *most, last = known
        wanted = f"a name that ends in {', '.join(most)} or {last}"
        raise FileError(path, wanted, repr(suffix) if suffix else "one without an ending")
    return suffix


def check(fields, source="the recording", *, finite=False):
    """Return a recording of float64 and bool arrays, once its fields have been looked at.

    Parameters
    ----------
    fields : Recording or mapping
        By name: arrays, or lists of numbers.
    source : str
        Where they come from, for messages.
    finite : bool
        Whether NaN and infinity are refused.

    Raises
    ------
    FileError
        Naming the field, what it must be and what it is.
    """
    given = fields._asdict() if isinstance(fields, Recording) else fields
    missing = [name for name in SHAPES if name not in given]
    if missing:
        raise FileError(source, f"the fields {', '.join(SHAPES)}", f"no {', '.join(missing)}")
    known = [name for name in OPTIONAL if given.get(name) is not None]
    arrays: dict[str, Any] = {
        name: _to_array(given[name], name, source) for name in (*SHAPES, *known)
    }
    sizes = {"T": len(np.atleast_1d(arrays["time"])), "L": len(np.atleast_1d(arrays["bones"]))}
    for name in arrays:
        axes = (SHAPES | OPTIONAL)[name]
        _check_shape(arrays[name], name, [sizes.get(axis, axis) for axis in axes], source)
        if finite and not np.isfinite(arrays[name]).all():
            came = arrays[name][~np.isfinite(arrays[name])].flat[0]
            raise FileError(source, "finite numbers", came, field=name)
    if not (arrays["dt"] > 0 and np.isfinite(arrays["dt"])):
        raise FileError(source, "seconds between frames, above 0", arrays["dt"], field="dt")
    arrays["dt"] = float(arrays["dt"])
    return Recording(**arrays)


def _to_array(value, name, source):
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RecursionError):  # rows of unlike lengths
        raise FileError(
            source, f"shape {shape_of(name)}", "rows of different sizes", field=name
        ) from None
    is_boolean = name in BOOLEANS
    if not (array.dtype == bool if is_boolean else array.dtype.kind in "iuf"):
        wanted = "true or false" if is_boolean else "numbers"
        raise FileError(source, wanted, f"values of type {array.dtype}", field=name)
    return array if is_boolean else array.astype(np.float64)


def _check_shape(array, name, wanted, source):
    if array.shape != tuple(wanted):
        shape = f"shape {shape_of(name)}, here {tuple(wanted)}"
        raise FileError(source, shape, array.shape, field=name)
    if 0 in array.shape:
        raise FileError(source, "at least one frame and one leg", array.shape, field=name)


def shape_of(name):
    """Return the shape of a field as the documentation writes it."""
    shape = (SHAPES | OPTIONAL)[name]
    axes = ", ".join(map(str, shape))
    return f"({axes},)" if len(shape) == 1 else f"({axes})"


def _known(recording):
    """Return the fields of a recording, without those that are not known."""
    return {name: value for name, value in recording._asdict().items() if value is not None}


# --- arrays -------------------------------------------------------------------------------


def write_npz(file, recording):
    """Write a recording as a zip of arrays into an open binary file."""
    np.savez_compressed(file, **_known(check(recording)))


def read_npz(file, source):
    """Read a recording from a zip of arrays."""
    wrong = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
    try:
        with zipfile.ZipFile(file) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            names = [name for name in (*SHAPES, *OPTIONAL) if f"{name}.npy" in infos]
            found = {name: infos[f"{name}.npy"] for name in names}
            size = sum(info.file_size for info in found.values())
            if size > MOST:
                raise FileError(source, f"at most {MOST} bytes", f"{size} bytes")
            arrays = {name: _read_member(archive, found[name], name, source) for name in found}
    except FileError:
        raise
    except wrong as error:  # NotImplementedError, of unknown compressions, is a RuntimeError
        raise FileError(source, "a .npz file", _say(error)) from None
    return check(arrays, source)


def _read_member(archive, info, name, source):
    """Read one array. A zip never yields more than the size it states, which was looked at."""
    with archive.open(info) as member:
        data = io.BytesIO(member.read())
    try:
        shape, fortran, dtype = tables.read_array_header(data, source)
    except FileError:
        raise FileError(source, "an array", "one without a header", field=name) from None
    if dtype.kind not in "fiub":
        came = "objects (a pickle)" if dtype.hasobject else f"values of type {dtype}"
        raise FileError(source, "numbers", came, field=name)
    count = 1
    for size in shape:
        count *= size if size >= 0 else MOST
    came = data.getbuffer().nbytes - data.tell()
    if count * dtype.itemsize != came:
        raise FileError(source, f"{count * dtype.itemsize} bytes of numbers", came, field=name)
    array = np.frombuffer(data.read(), dtype).astype(dtype.newbyteorder("="))
    return array.reshape(shape, order="F" if fortran else "C")


# --- text ---------------------------------------------------------------------------------


def write_json(file, recording):
    """Write a recording as a JSON object of lists, one line per field."""
    fields = _known(check(recording, finite=True))
    lists = {name: np.asarray(value).tolist() for name, value in fields.items()}
    lines = [
        f'"{name}": {json.dumps(value)}' for name, value in {"version": VERSION, **lists}.items()
    ]
    file.write(("{" + ",\n ".join(lines) + "}\n").encode())


def read_json(file, source):
    """Read a recording from a JSON object of lists."""
    text = file.read(MOST_TEXT + 1)
    if len(text) > MOST_TEXT:
        raise FileError(source, f"at most {MOST_TEXT} bytes of text", "more")
    try:
        # Whole numbers become floats from their digits: no limit on how many.
        fields = json.loads(text.decode(), parse_int=float)
    except (ValueError, RecursionError) as error:
        raise FileError(source, "JSON", _say(error)) from None
    if not isinstance(fields, dict):
        raise FileError(source, "an object with the fields of a recording", "another value")
    if fields.get("version") != VERSION:
        came = quote(fields.get("version"))
        raise FileError(source, f"{VERSION}", came, field="version")
    return check(fields, source, finite=True)


def _say(error):
    return f"one that cannot be read ({' '.join(str(error).split()) or type(error).__name__})"


WRITERS = {".npz": write_npz, ".json": write_json}
READERS = {".npz": read_npz, ".json": read_json}
