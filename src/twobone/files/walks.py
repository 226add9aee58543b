"""Files of a walk: .npz and .json, written and read; .glb, .mp4 and .svg, written."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from twobone.creature import Recording
from twobone.creature.recording_fields import MOST, OPTIONAL, SHAPES, check
from twobone.errors import TableError, WalkError
from twobone.files import answers, glb, tables
from twobone.files.columns import quote
from twobone.film import encoder
from twobone.pictures import walking
from twobone.terrain.ground import HasHeight, OfPlaces

VERSION = 1  # of the .json
MOST_TEXT = 1 << 28  # bytes of .json, which take ten times as much while they are read


def write_walk(
    path: str | os.PathLike[str],
    recording: Recording,
    terrain: HasHeight | OfPlaces | None = None,
    *,
    progress: Callable[[float], object] | None = None,
) -> None:
    """Write a recording as the ending of a name says, whole or not at all.

    Parameters
    ----------
    path : str or path
        `.npz`: arrays named as the fields of `Recording`, `dt` too, to the bit. `.json`: the
        same as lists, and `version`; also to the bit. `.glb`: a glTF 2.0 model, animated, with
        the recording's frames as keys. `.mp4`: a film, of 1 to 240 frames a second; it needs
        PyAV (the extra `video`). `.svg`: the walk as one picture.
    recording : Recording
        Metres, seconds, y up. But for `.npz` all of it must be finite.
    terrain : callable, optional
        `height(x, z)` for arrays of one shape, or an object with such a method: the ground of
        a `.glb`, an `.mp4` or an `.svg`. The others have no place for it.
    progress : callable, optional
        Called with the share that is done, from 0 to 1: films take a while.

    Raises
    ------
    WalkError
        Naming the endings there are, or the field that is wrong.
    MissingError
        For a film without PyAV.
    OSError
        Where the file cannot be written.

    Examples
    --------
    >>> from twobone.files.walks import read_walk, write_walk
    >>> write_walk("walk.npz", recording)  # doctest: +SKIP
    >>> read_walk("walk.npz").feet.shape  # doctest: +SKIP
    (3600, 6, 3)
    """
    ending = ending_of(path, WRITERS)
    with answers.replacing(path) as file:
        WRITERS[ending](file, recording, terrain, progress)


def read_walk(path: str | os.PathLike[str]) -> Recording:
    """Read a recording from a .npz or .json file. Nothing in it is unpickled or run.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    Recording
        Arrays of float64 and bool.

    Raises
    ------
    WalkError
        Naming what is wrong: the ending, a field that is missing, of another kind or shape, a
        file that is cut off or claims more than 1 GiB.
    OSError
        Where the file cannot be read.

    Examples
    --------
    >>> from twobone.files.walks import read_walk
    >>> read_walk("walk.json").dt  # doctest: +SKIP
    0.016666666666666666
    """
    ending = ending_of(path, READERS)
    kind = os.stat(path).st_mode  # before it is opened: a pipe would wait for who writes
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise WalkError(path, "be a file", "a device or a pipe")
    with open(path, "rb") as file:
        return READERS[ending](file, str(path))


def ending_of(path, known=None):
    """Return the ending of a name, or raise naming those there are."""
    known = WRITERS if known is None else known
    ending = Path(path).suffix.lower()
    if ending not in known:
        *most, last = known
        wanted = f"have a name that ends in {', '.join(most)} or {last}"
        raise WalkError(path, wanted, repr(ending) if ending else "one without an ending")
    return ending


def _known(recording):
    """Return the fields of a recording, without those that are not known."""
    return {name: value for name, value in recording._asdict().items() if value is not None}


# --- arrays -------------------------------------------------------------------------------


def write_npz(file, recording, terrain=None, progress=None):
    """Write a recording as a zip of arrays into an open binary file."""
    del terrain, progress  # other endings have use for them
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
                raise WalkError(source, f"hold at most {MOST} bytes", f"{size} bytes")
            arrays = {name: _read_member(archive, found[name], name, source) for name in found}
    except WalkError:
        raise
    except wrong as error:  # NotImplementedError, of unknown compressions, is a RuntimeError
        raise WalkError(source, "be a .npz file", _say(error)) from None
    return check(arrays, source)


def _read_member(archive, info, name, source):
    """Read one array. A zip never yields more than the size it states, which was looked at."""
    with archive.open(info) as member:
        data = io.BytesIO(member.read())
    try:
        shape, fortran, dtype = tables.read_array_header(data, source)
    except TableError:
        raise WalkError(source, "be an array", "one without a header", name) from None
    if dtype.kind not in "fiub":
        came = "objects (a pickle)" if dtype.hasobject else f"values of type {dtype}"
        raise WalkError(source, "be numbers", came, name)
    count = 1
    for size in shape:
        count *= size if size >= 0 else MOST
    came = data.getbuffer().nbytes - data.tell()
    if count * dtype.itemsize != came:
        raise WalkError(source, f"have {count * dtype.itemsize} bytes of numbers", came, name)
    array = np.frombuffer(data.read(), dtype).astype(dtype.newbyteorder("="))
    return array.reshape(shape, order="F" if fortran else "C")


# --- text ---------------------------------------------------------------------------------


def write_json(file, recording, terrain=None, progress=None):
    """Write a recording as a JSON object of lists, a line for each field."""
    del terrain, progress  # other endings have use for them
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
        raise WalkError(source, f"hold at most {MOST_TEXT} bytes of text", "more")
    try:
        # Whole numbers become floats from their digits: no limit on how many.
        fields = json.loads(text.decode(), parse_int=float)
    except (ValueError, RecursionError) as error:
        raise WalkError(source, "be JSON", _say(error)) from None
    if not isinstance(fields, dict):
        raise WalkError(source, "be an object with the fields of a recording", "another value")
    if fields.get("version") != VERSION:
        came = quote(fields.get("version"))
        raise WalkError(source, f"be {VERSION}", came, "version")
    return check(fields, source, finite=True)


def _say(error):
    return f"one that cannot be read ({' '.join(str(error).split()) or type(error).__name__})"


WRITERS = {
    ".npz": write_npz,
    ".json": write_json,
    ".glb": glb.write_glb,
    ".mp4": encoder.write_mp4,
    ".svg": walking.write_svg,
}
READERS = {".npz": read_npz, ".json": read_json}
