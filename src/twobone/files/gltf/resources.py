"""Data of buffers: the binary chunk, data: URIs, and files beside the document, never elsewhere."""

from __future__ import annotations

import base64
import re
import stat
from pathlib import Path
from urllib.parse import unquote

from twobone.errors import ClipError
from twobone.files.gltf.members import Member

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")  # also the drives of Windows
DATA = re.compile(r"data:[^,]*;base64,", re.IGNORECASE)


def buffer_data(buffer: Member, binary: memoryview | bytes | None, folder: Path | None):
    """Return the bytes of a buffer, as many as it states.

    Parameters
    ----------
    buffer : Member
        The element of "buffers".
    binary : bytes or None
        The binary chunk of the file, which is that of a first buffer without a URI.
    folder : Path or None
        Where the document is. Files are read from there and from the folders inside; symbolic
        links are followed only to places inside.

    Raises
    ------
    ClipError
        If there are fewer bytes than stated, or the URI leads elsewhere or cannot be read.
    """
    length = buffer.integer("byteLength", least=1)
    uri = buffer.string("uri", None)
    if uri is None and binary is not None and buffer.key == 0:
        data = binary
    elif uri is None:
        buffer.fail("a URI or a binary chunk", "neither")
    elif DATA.match(uri):
        data = _decoded(buffer, uri)
    else:
        place = find_beside(uri, folder)
        if place is None:
            buffer.member("uri").fail("a data: URI or a file beside the document")
        data = _read(buffer, place, length)
    if len(data) < length:
        came = f"{length}, but there are {len(data)} bytes"
        buffer.member("byteLength").fail("the length of the data", came)
    return memoryview(data)[:length]


def find_beside(uri: str, folder: Path | None) -> Path | None:
    """Return the file that a relative URI names, or None if it is not inside the folder."""
    name = unquote(uri)
    parts = name.split("/")
    is_elsewhere = SCHEME.match(uri) or SCHEME.match(name) or "\\" in name or "\0" in name
    if folder is None or is_elsewhere or ".." in parts or not parts[0]:
        return None
    try:
        inside = folder.resolve()
        place = (inside / name).resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, or a name too long
        return None
    return place if place.is_relative_to(inside) else None


def _decoded(buffer: Member, uri: str) -> bytes:
    try:
        return base64.b64decode(uri[uri.index(",") + 1 :], validate=True)
    except ValueError as error:
        buffer.member("uri").fail("base64", str(error))


def _read(buffer: Member, place: Path, length: int) -> bytes:
    try:
        found = place.stat()
        if not stat.S_ISREG(found.st_mode):
            buffer.member("uri").fail("a regular file", f"{place.name!r}, which is not")
        if found.st_size < length:
            came = f"{length}, but {place.name} has {found.st_size} bytes"
            buffer.member("byteLength").fail("the length of the data", came)
        with open(place, "rb") as file:
            return file.read(length)
    except (OSError, ValueError) as error:
        if isinstance(error, ClipError):
            raise
        came = getattr(error, "strerror", None) or str(error)
        buffer.member("uri").fail("a file that can be read", f"{place.name!r}: {came}")
