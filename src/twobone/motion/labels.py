"""Labels of contacts as JSON files: reading and writing them."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twobone.errors import ClipError, PoseError
from twobone.files import atomic
from twobone.files.columns import quote
from twobone.files.contents import described, wide_encoding
from twobone.motion.clip import Clip

MOST = 1 << 26  # bytes of a file: millions of contacts

Contacts = Mapping[str, Sequence[tuple[int, int]]]


def write_labels(path: str | os.PathLike[str], clip: Clip, contacts: Contacts) -> None:
    """Write contacts as a JSON file: `{"frames": T, "contacts": {"LeftFoot": [[0, 12]]}}`.

    Parameters
    ----------
    path : str or path
        The file is written completely or not at all.
    clip : Clip
        The clip that the contacts belong to.
    contacts : dict
        Contacts as `find_contacts` returns them: (first, last + 1) for each joint.

    Returns
    -------
    None

    Raises
    ------
    ClipError
        If the contacts do not fit the clip, see `read_labels`.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone.motion import find_contacts, write_labels
    >>> write_labels("walk.json", clip, find_contacts(clip))  # doctest: +SKIP
    """
    checked = check_contacts(clip, contacts, "the contacts")
    lists = {name: [list(pair) for pair in pairs] for name, pairs in checked.items()}
    text = json.dumps({"frames": len(clip), "contacts": lists}, ensure_ascii=False)
    with atomic.opened(path) as file:
        file.write(f"{text}\n".encode())


def read_labels(path: str | os.PathLike[str], clip: Clip) -> dict[str, list[tuple[int, int]]]:
    """Read the contacts of a clip from a JSON file that `write_labels` or another program wrote.

    Parameters
    ----------
    path : str or path
    clip : Clip
        The clip that the contacts belong to.

    Returns
    -------
    dict of str to list of (int, int)
        Contacts as `find_contacts` returns them: (first, last + 1), sorted. Contacts of a joint
        that touch or overlap are joined.

    Raises
    ------
    ClipError
        If the file is not such an object, is larger than 64 MiB, has another number of frames or
        an unknown joint, or if a contact is not within the frames of the clip.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import os, tempfile
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, read_labels, write_labels
    >>> skeleton = Skeleton([-1], [[0, 0, 0]], names=["Foot"])
    >>> clip = Clip(skeleton, LocalPose([skeleton.rotations] * 9), fps=30)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "labels.json")
    ...     write_labels(path, clip, {"Foot": [(6, 9), (0, 3)]})
    ...     read_labels(path, clip)
    {'Foot': [(0, 3), (6, 9)]}
    """
    atomic.check_path("path", path)
    found = _parse(_read(path), path)
    if not isinstance(found, dict) or set(found) != {"frames", "contacts"}:
        wanted = 'an object with "frames" and "contacts"'
        came = _members(found) if isinstance(found, dict) else quote(found, json.dumps)
        raise ClipError(path, wanted, came)
    frames = found["frames"]
    if isinstance(frames, bool) or frames != len(clip):
        wanted = f"{len(clip)}, as in the clip"
        raise ClipError(path, wanted, quote(frames, json.dumps), field="frames")
    return check_contacts(clip, found["contacts"], path)


def check_contacts(clip: Clip, contacts: Any, source: object) -> dict[str, list[tuple[int, int]]]:
    """Return contacts sorted and joined; raise a ClipError that names `source` if they are invalid.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip
    >>> from twobone.motion.labels import check_contacts
    >>> skeleton = Skeleton([-1], [[0, 0, 0]], names=["Foot"])
    >>> clip = Clip(skeleton, LocalPose([skeleton.rotations] * 9), fps=30)
    >>> check_contacts(clip, {"Foot": [(2, 5), (0, 2)]}, "the contacts")
    {'Foot': [(0, 5)]}
    """
    if not isinstance(contacts, Mapping):
        raise ClipError(source, "contacts by joint", quote(contacts), field="contacts")
    out: dict[str, list[tuple[int, int]]] = {}
    owners: dict[int, str] = {}
    for name, pairs in contacts.items():
        joint = _joint(clip, name, source)
        if joint in owners:
            wanted = f"each joint once ({owners[joint]!r} is the same)"
            raise ClipError(source, wanted, quote(name), field="contacts")
        owners[joint] = name
        out[name] = _joined(_pairs(pairs, len(clip), name, source))
    return out


def _joint(clip: Clip, name: Any, source: object) -> int:
    """Return the index of a joint by its name, its path or, if it has none, the digits of it."""
    skeleton = clip.skeleton
    if not isinstance(name, str):
        raise ClipError(source, "names of joints", quote(name), field="contacts")
    try:
        if skeleton.names is not None:
            return skeleton.index(name)
    except PoseError as error:
        if not (name.isascii() and name.isdigit() and len(name) < 10):
            came = f"{quote(name)}: {error.came}" if "which could be" in error.came else quote(name)
            raise ClipError(source, f"a joint; it must {error.wanted}", came) from None
    try:
        return skeleton.index(int(name))
    except (ValueError, PoseError):
        wanted = f"a joint: its name, or an index below {len(skeleton.parents)}"
        raise ClipError(source, wanted, quote(name), field="contacts") from None


def _pairs(pairs: Any, frames: int, name: str, source: object) -> list[tuple[int, int]]:
    if isinstance(pairs, str | bytes | Mapping) or not hasattr(pairs, "__iter__"):
        raise ClipError(source, "a list of [first, last + 1]", quote(pairs), field=name)
    out = []
    for pair in pairs:
        whole = isinstance(pair, Sequence) and len(pair) == 2 and all(map(_is_whole, pair))
        if not whole:
            wanted = "[first, last + 1], two whole numbers"
            raise ClipError(source, wanted, quote(pair), field=name)
        first, stop = int(pair[0]), int(pair[1])
        if not 0 <= first < stop <= frames:
            wanted = f"two frames from 0 to {frames}, the second larger"
            raise ClipError(source, wanted, quote([first, stop]), field=name)
        out.append((first, stop))
    return out


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _joined(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for first, stop in sorted(pairs):
        if out and first <= out[-1][1]:
            out[-1] = out[-1][0], max(stop, out[-1][1])
        else:
            out.append((first, stop))
    return out


# --- JSON ---------------------------------------------------------------------------------


def _read(path: str | os.PathLike[str]) -> bytes:
    mode = os.stat(path).st_mode  # check before opening, since opening a pipe waits for its writer
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ClipError(path, "a file", "a device or a pipe")
    with open(Path(path), "rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ClipError(path, f"at most {MOST} bytes", "more")
    return data


def _parse(data: bytes, path: object) -> Any:
    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise ClipError(path, "each name once in an object", quote(name, json.dumps))
            found[name] = value
        return found

    if not data or wide_encoding(data):
        raise ClipError(path, "JSON in UTF-8", described(data))
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=to_object)
    except ClipError:
        raise
    except UnicodeDecodeError as error:
        line, came = data.count(b"\n", 0, error.start) + 1, f"the byte 0x{data[error.start]:02x}"
        raise ClipError(path, "UTF-8 text", came, line=line) from None
    except json.JSONDecodeError as error:
        came = f"invalid text: {error.msg}"
        raise ClipError(path, "JSON", came, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise ClipError(path, "JSON", "lists or objects nested too deeply") from None
    except ValueError:
        raise ClipError(path, "JSON", "a number with too many digits") from None


def _members(found: dict[str, Any]) -> str:
    few = [quote(name, json.dumps) for name in list(found)[:4]]
    more = ", ..." if len(found) > 4 else ""
    return f"one with {', '.join(few)}{more}" if few else "an empty one"
