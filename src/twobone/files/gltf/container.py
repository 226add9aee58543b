"""GLB containers: a header, a chunk of JSON, a chunk of binary data, and chunks of extensions."""

from __future__ import annotations

import struct
from typing import NamedTuple

from twobone.errors import ClipError

MAGIC, VERSION = b"glTF", 2
JSON, BINARY = 0x4E4F534A, 0x004E4942
HEADER = 12  # bytes; a chunk has 8 before its data
LARGEST = 2**32 - 1


class Chunk(NamedTuple):
    """A chunk of a container: its type and its data."""

    kind: int
    data: memoryview | bytes


def split(data: bytes, source: str) -> list[Chunk]:
    """Return the chunks of a GLB file, the one with JSON first.

    Raises
    ------
    ClipError
        If the file is not GLB 2.0, its lengths do not fit, or a chunk occurs twice.
    """
    if data[:4] != MAGIC:
        raise ClipError(source, "a GLB header", f"{bytes(data[:HEADER])!r}", field="header")
    if len(data) < HEADER:
        came = f"{len(data)}: the file is truncated"
        raise ClipError(source, f"a GLB header of {HEADER} bytes", came, field="header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != VERSION:
        raise ClipError(source, "version 2", version, field="header.version")
    if length != len(data):
        came = f"{len(data)}{': the file is truncated' * (len(data) < length)}"
        wanted = f"{length} bytes, as the header states"
        raise ClipError(source, wanted, came, field="header.length")
    chunks: list[Chunk] = []
    at, view = HEADER, memoryview(data)
    while at < length:
        field = f"chunks[{len(chunks)}]"
        if at + 8 > length:
            raise ClipError(source, "a chunk", f"{length - at} bytes", field=field)
        size, kind = struct.unpack_from("<II", data, at)
        if size > length - at - 8:
            came = f"{size} with {length - at - 8} bytes left"
            raise ClipError(source, "a length inside the file", came, field=f"{field}.length")
        if (kind == JSON) != (not chunks):
            came = "JSON again" if chunks else f"type {kind:#x}"
            raise ClipError(source, "JSON as the first chunk", came, field=f"{field}.type")
        if kind == BINARY and len(chunks) != 1:
            came = "a chunk of binary data"
            raise ClipError(source, "binary data as the second", came, field=f"{field}.type")
        chunks.append(Chunk(kind, view[at + 8 : at + 8 + size]))
        at += 8 + size
    if not chunks:
        raise ClipError(source, "a chunk of JSON", "no chunk", field="chunks")
    return chunks


def join(chunks: list[Chunk]) -> bytes:
    """Return a GLB file of chunks, each padded to a multiple of four bytes."""
    parts = []
    for kind, data in chunks:
        padding = (b" " if kind == JSON else b"\0") * (-len(data) % 4)
        parts += [struct.pack("<II", len(data) + len(padding), kind), data, padding]
    length = HEADER + sum(map(len, parts))
    if length > LARGEST:
        raise ClipError("the file", "less than 4 GiB", f"{length} bytes")  # unreached: gigabytes
    return b"".join([MAGIC, struct.pack("<II", VERSION, length), *parts])
