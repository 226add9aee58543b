"""The file of a character that the server gives to its page."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from twobone.errors import ClipError, PageError
from twobone.files import atomic

SUFFIXES = (".glb", ".vrm", ".bvh")
MOST = 128 << 20  # bytes; the page refuses larger files too


class CharacterFile:
    """A file that exists, is not too large, has a known suffix and can be read.

    It is read for each request, so that reloading the page shows a new version of it.

    Examples
    --------
    >>> from twobone.play.characters import CharacterFile
    >>> CharacterFile("fox.glb").name  # doctest: +SKIP
    'fox.glb'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        atomic.check_path("character", path)
        self.path = Path(path)
        self.name = self.path.name
        *most, last = SUFFIXES
        if self.path.suffix.lower() not in SUFFIXES:
            wanted = f"be a file whose name ends in {', '.join(most)} or {last}"
            raise PageError("character", wanted, repr(str(path)))
        self._check(self.read())

    def _check(self, data: bytes) -> None:
        """Raise a ClipError if the file is damaged, or of another kind than its name says."""
        from twobone.files import bvh  # imported late: a page without a character needs no readers
        from twobone.files.gltf.document import Document
        from twobone.motion import from_bvh

        source = str(self.path)
        if self.path.suffix.lower() == ".bvh":
            from_bvh.to_clip(bvh.read(data, source))
        elif not Document(data, source).is_binary:
            raise ClipError(source, "GLB", "the JSON of a .gltf file")

    def read(self) -> bytes:
        """Return the contents of the file; raise a PageError or an OSError if that is impossible.

        A device or a pipe is refused before it is opened, since opening a pipe waits for its
        writer.
        """
        told = os.stat(self.path)
        if not stat.S_ISREG(told.st_mode):
            raise PageError("character", "be a file", f"{str(self.path)!r}, which is none")
        if told.st_size > MOST:
            wanted = f"be a file of at most {MOST >> 20} MB"
            raise PageError("character", wanted, f"{told.st_size >> 20} MB")
        return self.path.read_bytes()
