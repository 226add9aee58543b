"""Recordings of walks, and reading and writing them as .npz and .json files."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.errors import ArrayTypeError, FileError
from twobone.files import archives, atomic, first_recordings
from twobone.files.columns import quote
from twobone.files.fields import checked
from twobone.rotations import normalize

# The shapes of the fields, for T frames, L legs and a trunk of S stations.
SHAPES: dict[str, tuple] = {
    "time": ("T",),
    "stations": ("T", "S", 3),
    "station_rotations": ("T", "S", 4),
    "hips": ("T", "L", 3),
    "knees": ("T", "L", 3),
    "ankles": ("T", "L", 3),
    "feet": ("T", "L", 3),
    "stance": ("T", "L"),
    "bones": ("L", 3),
    "ground": ("T", "L"),
    "along": ("S",),
    "dt": (),
}
# None if unknown. A neck, with arms and the like, has M links, a tail K. Those from `body_parts` on
# describe the animal, which has P parts, see `creature.appearance.Rows`.
OPTIONAL: dict[str, tuple] = {
    "blocked": ("T",),
    "neck": ("T", "M", 4),
    "tail": ("T", "K", 4),
    "foot_rotation": ("T", "L", 4),
    "body_parts": ("P", 12),
    "body_pivots": (2, 3),
    "leg_radii": ("L", 8),
    "neck_links": ("M", 5),
    "rest_feet": ("L", 3),
    "palette": (9, 2, 3),
}
DESCRIPTION = ("body_parts", "body_pivots", "leg_radii")  # all of them or none
NAMES = tuple(dict.fromkeys((*SHAPES, *OPTIONAL, *first_recordings.NAMES)))  # in files
VERSION = 2  # of the format; files of version 1 are read, see `first_recordings`
MOST_TEXT = 1 << 28  # bytes of .json, which needs ten times as much memory to be read


class Recording(NamedTuple):
    """A walk of an animal with L legs and a trunk of S stations, in T frames.

    y is up. An animal that faces +z has +x to its left. Stations are points of the trunk's line,
    from rear to front; what the trunk bears is given in the space of a station, or in that of the
    body: there the trunk is straight and level, and a station is at (0, 0, `along`).
    """

    time: NDArray[np.float64]  # (T), seconds
    stations: NDArray[np.float64]  # (T, S, 3)
    # Rotations are quaternions xyzw. Those of stations are 1 if it is level and faces +z.
    station_rotations: NDArray[np.float64]  # (T, S, 4)
    hips: NDArray[np.float64]  # (T, L, 3), roots of the legs
    knees: NDArray[np.float64]  # (T, L, 3), joints between the first two bones
    ankles: NDArray[np.float64]  # (T, L, 3), ends of the second; the feet of legs of two bones
    feet: NDArray[np.float64]  # (T, L, 3), ends of the legs, which are planted
    stance: NDArray[np.bool]  # (T, L), whether each foot is on the ground
    bones: NDArray[np.float64]  # (L, 3), lengths: hip to knee, to ankle, to foot; the last may be 0
    ground: NDArray[np.float64]  # (T, L), height of the terrain under each foot
    along: NDArray[np.float64]  # (S), z of each station in the body's space; increasing
    dt: float  # seconds between frames
    blocked: NDArray[np.bool] | None = None  # (T), whether the animal is kept from going on
    # Rotations of the links of the neck, and of arms and the like, each in the space of the front
    # station, and of those of the tail, in that of the rear station. None: as the station.
    neck: NDArray[np.float64] | None = None  # (T, M, 4)
    tail: NDArray[np.float64] | None = None  # (T, K, 4)
    # Rotations of the feet in the world, 1 if level with toes towards +z; None: found from the
    # body's rotations.
    foot_rotation: NDArray[np.float64] | None = None  # (T, L, 4)
    # What the animal looks like, see `creature.appearance.Rows`; None: a plain body.
    body_parts: NDArray[np.float64] | None = None  # (P, 12)
    body_pivots: NDArray[np.float64] | None = None  # (2, 3)
    leg_radii: NDArray[np.float64] | None = None  # (L, 8)
    # What each link of the neck is: its node, the link that bears it or -1, its pivot; None: the
    # last one is the head.
    neck_links: NDArray[np.float64] | None = None  # (M, 5)
    # Where the feet are in the body's space when it stands on level ground; None: unknown.
    rest_feet: NDArray[np.float64] | None = None  # (L, 3)
    # Its colours on a light and on a dark background, 0 to 255; None: those of `creature.Palette`.
    palette: NDArray[np.float64] | None = None  # (9, 2, 3)

    @property
    def body_position(self) -> NDArray[np.float64]:
        """The middle of the stations, shape (T, 3)."""
        return self.stations.mean(axis=1)

    @property
    def body_rotation(self) -> NDArray[np.float64]:
        """The mean rotation of the stations, shape (T, 4); unit quaternions."""
        return mean_rotation(self.station_rotations)

    def select(self, frames: slice) -> Recording:
        """Return a recording of some frames.

        Examples
        --------
        >>> from twobone import creature
        >>> walk = creature.walk("dog", seconds=1.0)
        >>> walk.select(slice(10, 20)).feet.shape
        (10, 4, 3)
        """
        each = [name for name, shape in (SHAPES | OPTIONAL).items() if shape[:1] == ("T",)]
        known = {name: value for name in each if (value := getattr(self, name)) is not None}
        return self._replace(**{name: value[frames] for name, value in known.items()})


def write_recording(file: str | os.PathLike[str] | BinaryIO, recording: Recording) -> None:
    """Write a recording as .npz or .json.

    Both formats preserve every number to the bit: `.npz` has one array for each field of
    `Recording`, `.json` has the same as lists, and `version`. Optional fields that are None are
    omitted.

    Parameters
    ----------
    file : path or binary file
        A path must end in `.npz` or `.json`; its file is written completely or not at all. Into an
        open file, the format `.npz` is written.
    recording : Recording
        All numbers must be finite for `.json`.

    Raises
    ------
    FileError
        If the path has another suffix, or a field of the recording has the wrong type or shape.
    ArrayTypeError
        If `recording` is not a `Recording`, or `file` is neither a path nor a binary file.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone.files.recordings import read_recording, write_recording
    >>> write_recording("walk.npz", recording)  # doctest: +SKIP
    >>> read_recording("walk.npz").feet.shape  # doctest: +SKIP
    (3600, 6, 3)
    """
    atomic.check_file(file)
    write = write_npz if hasattr(file, "write") else WRITERS[suffix_of(file, WRITERS)]
    with atomic.opened(file) as opened:
        write(opened, recording)


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording from a .npz or .json file.

    Nothing in the file is unpickled or executed. Files of version 1 are converted: a body becomes a
    trunk of one station, or of a few if it was bent, and a hock becomes an ankle.

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
        If the path has another suffix, a field is missing or has the wrong type or shape, the file
        is truncated, or its contents are too large (1 GiB as .npz, 256 MiB as .json).
    ArrayTypeError
        If `path` is not a path.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone.files.recordings import read_recording
    >>> read_recording("walk.json").dt  # doctest: +SKIP
    0.016666666666666666
    """
    atomic.check_path("path", path)
    read = READERS[suffix_of(path, READERS)]
    mode = os.stat(path).st_mode  # check before opening, since opening a pipe waits for its writer
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise FileError(path, "a file", "a device or a pipe")
    with open(path, "rb") as file:
        return read(file, str(path))


def suffix_of(path, known):
    """Return the suffix of a path; raise an error that lists the known ones if it is another."""
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        *most, last = known
        wanted = f"a name that ends in {', '.join(most)} or {last}"
        raise FileError(path, wanted, repr(suffix) if suffix else "one without an ending")
    return suffix


def mean_rotation(rotations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of rotations along the axis before the last, shape (..., 4).

    It is their normalized sum, with the signs of the first (Markley and others, Averaging
    Quaternions, J. Guidance 30, 2007, for rotations that are near to each other).
    """
    with np.errstate(all="ignore"):  # files may hold quaternions of any size
        along = np.sum(rotations * rotations[..., :1, :], axis=-1, keepdims=True)
        return normalize(np.sum(np.where(along < 0.0, -1.0, 1.0) * rotations, axis=-2))


def check(fields, source="the recording", *, finite=False):
    """Validate the fields of a recording and convert them to float64 and bool arrays.

    Parameters
    ----------
    fields : Recording or dict
        Arrays or lists of numbers by name.
    source : str
        The name of their source in error messages.
    finite : bool
        Whether to refuse NaN and infinity.

    Returns
    -------
    Recording

    Raises
    ------
    FileError
        If a field is missing or has a wrong type, shape or value; the message names it.
    ArrayTypeError
        If `fields` is neither a recording nor a dictionary.
    """
    if not isinstance(fields, Recording | dict):
        raise ArrayTypeError("recording", "a Recording", quote(fields))
    given = fields._asdict() if isinstance(fields, Recording) else fields
    arrays = checked(given, SHAPES, OPTIONAL, source, finite=finite)
    along = arrays["along"]
    if not (np.all(np.isfinite(along)) and np.all(along[1:] > along[:-1])):
        came = ", ".join(f"{value:g}" for value in along[:8])
        raise FileError(source, "finite numbers that increase", came, field="along")
    lacks = [name for name in DESCRIPTION if name not in arrays]
    if 0 < len(lacks) < len(DESCRIPTION):
        wanted = f"all of {', '.join(DESCRIPTION)}, or none"
        raise FileError(source, wanted, f"no {', '.join(lacks)}")
    return Recording(**arrays)


def _known(recording):
    """Return the fields of a recording that are not None."""
    return {name: value for name, value in recording._asdict().items() if value is not None}


# --- .npz ---------------------------------------------------------------------------------


def write_npz(file, recording):
    """Write a recording as .npz into an open binary file."""
    np.savez_compressed(file, **_known(check(recording)))


def read_npz(file, source):
    """Read a recording from an open .npz file."""
    arrays = archives.read_npz(file, source, lambda name, size: name in NAMES)
    if "stations" not in arrays and "body_position" in arrays:
        arrays = first_recordings.converted(arrays, source)
    return check(arrays, source)


# --- .json --------------------------------------------------------------------------------


def write_json(file, recording):
    """Write a recording as a JSON object of lists, one line per field, into an open file."""
    fields = _known(check(recording, finite=True))
    lists = {name: np.asarray(value).tolist() for name, value in fields.items()}
    lines = [
        f'"{name}": {json.dumps(value)}' for name, value in {"version": VERSION, **lists}.items()
    ]
    file.write(("{" + ",\n ".join(lines) + "}\n").encode())


def read_json(file, source):
    """Read a recording from an open file with a JSON object of lists."""
    text = file.read(MOST_TEXT + 1)
    if len(text) > MOST_TEXT:
        raise FileError(source, f"at most {MOST_TEXT} bytes of text", "more")
    if not text:
        raise FileError(source, "a recording", "nothing: it is empty")
    fields = _parse_json(text, source)
    if not isinstance(fields, dict):
        raise FileError(source, "an object with the fields of a recording", "another value")
    wanted = f"1 or {VERSION}"
    if "version" not in fields:
        raise FileError(source, wanted, "none: it is missing", field="version")
    version = fields["version"]
    if version not in (1.0, VERSION):
        came = f"{version:g}" if isinstance(version, float) else quote(version, json.dumps)
        raise FileError(source, wanted, came, field="version")
    if version == 1.0:
        fields = first_recordings.converted(fields, source, finite=True)
    return check(fields, source, finite=True)


def _parse_json(data, source):
    try:
        # `parse_int=float`, because `int` limits the number of digits.
        return json.loads(data.decode(), parse_int=float)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        came = f"the byte 0x{data[error.start]:02x}"
        raise FileError(source, "UTF-8 text", came, line=line) from None
    except json.JSONDecodeError as error:
        came = f"invalid text: {error.msg}"
        raise FileError(source, "JSON", came, line=error.lineno, column=error.colno) from None
    except RecursionError:
        came = "lists or objects nested too deeply"
        raise FileError(source, "JSON", came) from None


WRITERS = {".npz": write_npz, ".json": write_json}
READERS = {".npz": read_npz, ".json": read_json}
