"""Documents: a glTF file as it is, its JSON, and access to its accessors."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import numpy as np

from twobone.errors import ClipError
from twobone.files import contents
from twobone.files.gltf import accessors, container, resources, text
from twobone.files.gltf.members import Member

MOST_SPACE = 1 << 16  # bytes of white space before JSON


class Document:
    """A glTF 2.0 file. It is not changed; `editing.Editor` makes new files of it.

    Parameters
    ----------
    data : bytes
        The contents of the file: GLB, or the JSON of a .gltf file.
    source : str
        The name of the file in errors.
    folder : Path, optional
        Where files that belong to the document are. By default there are none.

    Attributes
    ----------
    data, source, folder
        As given.
    chunks : list of Chunk
        The chunks of a GLB file after that of JSON; empty for a .gltf file.
    text : str
        The JSON.
    root : Member
        The value of the JSON.

    Raises
    ------
    ClipError
        If it is not glTF 2.0. Errors in parts of the document are raised when these are read.
    """

    def __init__(self, data: bytes, source: str = "the file", folder: Path | None = None) -> None:
        self.data = data
        self.source = source
        self.folder = folder
        self.is_binary = data[:4] == container.MAGIC
        if not (self.is_binary or _is_json(data)):
            raise ClipError(source, "GLB, or JSON in UTF-8", contents.described(data))
        whole = [container.Chunk(container.JSON, data)]
        first, *self.chunks = container.split(data, source) if self.is_binary else whole
        try:
            self.text = str(first.data, "utf-8")
        except UnicodeDecodeError as error:
            came = f"{error.object[error.start : error.start + 4]!r} at byte {error.start}"
            raise ClipError(source, "UTF-8", came) from None
        self.root = Member(source, text.parse(self.text, source))
        version = self.root.object("asset").string("version")
        if version.partition(".")[0] != "2":
            self.root.object("asset").member("version").fail("'2.0'")
        self._buffers: dict[int, memoryview] = {}

    @property
    def binary(self) -> memoryview | bytes | None:
        """The data of the binary chunk; None if there is none."""
        found = [chunk.data for chunk in self.chunks if chunk.kind == container.BINARY]
        return found[0] if found else None

    @property
    def budget(self) -> int:
        """How many elements may be read; a "count" could claim any number, so data limit it."""
        return 2**22 + 8 * (len(self.data) + sum(map(len, self._buffers.values())))

    def files_beside(self) -> list[tuple[Member, Path]]:
        """Return the buffers and images that are files of their own, and these files."""
        found = []
        for part in (*self.root.array("buffers"), *self.root.array("images")):
            place = resources.find_beside(part.string("uri", None) or "", self.folder)
            if place is not None and place.is_file():
                found.append((part, place))
        return found

    def buffer(self, index: int) -> memoryview:
        """Return the data of a buffer."""
        if index not in self._buffers:
            buffer = self.root.array("buffers")[index]
            self._buffers[index] = resources.buffer_data(buffer, self.binary, self.folder)
        return self._buffers[index]

    def view(self, member: Member, key: str = "bufferView") -> tuple[memoryview, int | None]:
        """Return the bytes of the buffer view that a member refers to, and its stride."""
        views = self.root.array("bufferViews")
        view = views[member.index(key, len(views))]
        for name in ("EXT_meshopt_compression", "KHR_meshopt_compression"):
            if view.find("extensions", name) is not None:
                view.member("extensions").fail("data that are not compressed", name)
        buffer = self.buffer(view.index("buffer", len(self.root.array("buffers"))))
        start, length = view.integer("byteOffset", 0), view.integer("byteLength", least=1)
        if start + length > len(buffer):
            came = f"{start} + {length} of {len(buffer)} bytes"
            view.member("byteLength").fail("a range inside the buffer", came)
        return buffer[start : start + length], view.integer("byteStride", None, least=1)

    def accessor(self, index: int) -> np.ndarray:
        """Return the elements of an accessor, shape (count, ...), as `accessors.read` does."""
        return accessors.read(self, self.root.array("accessors")[index])


def _is_json(data: bytes) -> bool:
    """Return whether data begin as JSON in UTF-8: an object, or an array."""
    start = data[:MOST_SPACE].removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    return start in (b"{", b"[") and contents.wide_encoding(data) is None


def read(path: str | os.PathLike[str]) -> Document:
    """Read a .glb, .gltf, .vrm or .vrma file.

    Raises
    ------
    ClipError
        If the file is not glTF 2.0.
    OSError
        If the file cannot be read.
    """
    place = Path(path)
    return Document(place.read_bytes(), str(path), place.parent)
