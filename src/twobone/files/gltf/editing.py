"""Editor: new keys for some properties of nodes; everything else in the file stays as it is.

New data are appended. Parts of the JSON that nothing would use any more are reused for them, so
that no part is left over: an accessor, a buffer view or a sampler is changed in place if only
channels that get new keys use it, and otherwise a new one is appended.
"""

from __future__ import annotations

import base64
import filecmp
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from twobone.errors import ClipError
from twobone.files import atomic
from twobone.files.gltf import animations, container, resources
from twobone.files.gltf.document import Document
from twobone.files.gltf.nodes import Transform
from twobone.files.gltf.references import count_references
from twobone.files.gltf.text import TextEdits

IS_BINARY = {".glb": True, ".vrm": True, ".vrma": True, ".gltf": False}  # by suffix
TYPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4"}
FLOAT = 5126


class Editor:
    """Changes of a document, and the file with them."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.edits = TextEdits(document.text)
        self.added = bytearray()
        buffers = document.root.array("buffers")
        binary = document.binary
        is_ours = len(buffers) > 0 and buffers[0].has("uri")
        is_lost = len(buffers) > 0 and binary is None  # compressed files do without it
        self.appends = document.is_binary and not is_ours and not is_lost
        self.host = 0 if self.appends else len(buffers)  # the buffer of the new data
        self.start = len(binary or b"") if self.appends else 0
        self.start += -self.start % 4
        self.counts = {
            name: len(document.root.array(name)) for name in ("accessors", "bufferViews")
        }

    # --- changes --------------------------------------------------------------------------

    def make_animatable(self, node: int, transform: Transform) -> None:
        """Replace the matrix of a node, if it has one, by what can be animated.

        Raises
        ------
        ClipError
            If the matrix has shear.
        """
        member = self.document.root.array("nodes")[node]
        if not member.has("matrix"):
            return
        if np.any(transform.stretch != np.diag(np.diagonal(transform.stretch))):
            member.member("matrix").fail("a matrix without shear for a node to animate", "shear")
        kept = {key: value for key, value in member.value.items() if key != "matrix"}
        parts = {
            "translation": transform.translation.tolist(),
            "rotation": transform.rotation.tolist(),
            "scale": np.diagonal(transform.stretch).tolist(),
        }
        self.edits.replace(("nodes", node), kept | parts)

    def replace_keys(
        self,
        animation: int,
        times: np.ndarray,
        new: dict[tuple[int, str], np.ndarray],
        near: float,
    ) -> None:
        """Give new keys, interpolated linearly, to properties of nodes. Call it once.

        Parameters
        ----------
        animation : int
            The index of the animation.
        times : array, shape (T,)
            In seconds, increasing. A sampler whose times differ by less than `near` keeps them.
        new : dict of (int, str) to array, shape (T, width)
            The values of each node and property.
        """
        self._check_times(times)
        channels = animations.channels(self.document, animation)
        old = {(each.node, each.path): each for each in channels}
        keeps = {
            each.input: self._has_times(each, times, near)
            for target, each in old.items()
            if target in new
        }
        slots = _Slots(self.document, channels, new, keeps)
        path = "animations", animation
        samplers = len(self.document.root.array("animations")[animation].array("samplers"))
        shared, refilled = None, set()  # accessors of the new times
        for target, values in new.items():
            channel = old.get(target)
            given = None if channel is None else channel.input
            if given is None or not (keeps[given] or given in refilled):
                slot = slots.accessor(given)
                if slot is not None:
                    refilled.add(self._put(times, slot, slots, bounds=True))
                elif shared is None:
                    shared = self._put(times, None, slots, bounds=True)
                given = shared if slot is None else slot
            output = None if channel is None else channel.output
            output = self._put(values, slots.accessor(output), slots)
            sampler = {"input": given, "output": output, "interpolation": "LINEAR"}
            if channel is None:
                self.edits.append((*path, "samplers"), sampler)
                drives = {"node": target[0], "path": target[1]}
                self.edits.append((*path, "channels"), {"sampler": samplers, "target": drives})
                samplers += 1
                continue
            member = self.document.root.array("animations")[animation]
            whole = member.array("samplers")[channel.sampler].value | sampler
            if slots.sampler(channel.sampler):
                self.edits.replace((*path, "samplers", channel.sampler), whole)
                continue
            self.edits.append((*path, "samplers"), whole)
            replaced = member.array("channels")[channel.place].value | {"sampler": samplers}
            self.edits.replace((*path, "channels", channel.place), replaced)
            samplers += 1

    def _has_times(self, channel, times, near):
        own = animations.times(self.document, channel)
        return len(own) == len(times) and bool(np.all(np.abs(own - times) < near))

    def add_animation(
        self,
        name: str | None,
        times: np.ndarray,
        new: dict[tuple[int, str], np.ndarray],
        still: dict[tuple[int, str], np.ndarray],
    ) -> None:
        """Add an animation.

        Parameters
        ----------
        name : str or None
        times : array, shape (T,)
            In seconds, increasing.
        new : dict of (int, str) to array, shape (T, width)
            The values of each node and property, interpolated linearly.
        still : dict of (int, str) to array, shape (width,)
            Values that stay as they are: a single key each.
        """
        self._check_times(times)
        channels, samplers = [], []
        single = {target: value[None] for target, value in still.items()}
        for at, values in ((times, new), (times[:1], single)):
            given = self._put(at, None, None, bounds=True) if values else None
            for (node, path), keys in values.items():
                channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
                output = self._put(keys, None, None)
                samplers.append({"input": given, "output": output, "interpolation": "LINEAR"})
        named = {} if name is None else {"name": name}
        self.edits.append(("animations",), {**named, "channels": channels, "samplers": samplers})

    def _check_times(self, times):
        if np.any(np.diff(times.astype(np.float32)) <= 0.0):
            wanted = "times of frames that float32 can tell apart"
            raise ClipError(self.document.source, wanted, f"{times[0]:g} to {times[-1]:g}")

    def _put(self, values, slot, slots, *, bounds=False):
        """Add an array, in the place of an accessor or as a new one; return its index."""
        try:
            with np.errstate(over="raise"):
                values = np.ascontiguousarray(values, "<f4")
        except FloatingPointError as error:
            wanted = "numbers that float32 can hold"
            raise ClipError(self.document.source, wanted, str(error)) from error
        view: dict[str, Any] = {
            "buffer": self.host,
            "byteOffset": self.start + len(self.added),
            "byteLength": values.nbytes,
        }
        self.added += values.tobytes()
        place = None if slots is None else slots.view(slot)
        accessor: dict[str, Any] = {
            "bufferView": self._set("bufferViews", place, view, ("byteStride",)),
            "componentType": FLOAT,
            "count": len(values),
            "type": TYPES[values.shape[1:]],
        }
        if bounds:
            accessor["min"], accessor["max"] = [float(values[0])], [float(values[-1])]
        gone = ("byteOffset", "normalized", "sparse", "min", "max")
        return self._set("accessors", slot, accessor, gone)

    def _set(self, name, index, new, gone):
        """Replace an element of an array, or append one if the index is None; return its index."""
        if index is None:
            self.edits.append((name,), new)
            self.counts[name] += 1
            return self.counts[name] - 1
        old = self.document.root.array(name)[index].value
        kept = {key: value for key, value in old.items() if key not in gone}
        self.edits.replace((name, index), kept | new)
        return index

    # --- the file -------------------------------------------------------------------------

    def to_bytes(self, *, binary: bool) -> bytes:
        """Return the contents of a .glb file or, if not `binary`, of a .gltf file."""
        document = self.document
        has_edits = self.edits.replaced or self.edits.appended
        if not has_edits and binary == document.is_binary:
            return document.data
        edits = TextEdits(document.text)
        edits.replaced, edits.appended = dict(self.edits.replaced), dict(self.edits.appended)
        data = bytes(document.binary or b"")
        if self.added and self.appends:
            data += bytes(self.start - len(data)) + self.added
        elif self.added:
            new = {"byteLength": len(self.added), "uri": _data_uri(self.added)}
            edits.append(("buffers",), new)
        own = self.appends and (self.added or not binary) and data
        if own:
            changed: dict[str, Any] = {"byteLength": len(data)} if self.added else {}
            changed |= {} if binary else {"uri": _data_uri(data)}
            if len(document.root.array("buffers")):
                first = document.root.array("buffers")[0].value
                edits.replace(("buffers", 0), first | changed)
            else:
                edits.append(("buffers",), {"byteLength": len(data)} | changed)
        others = [chunk for chunk in document.chunks if chunk.kind != container.BINARY]
        try:
            text = edits.apply().encode()
        except RecursionError:
            wanted = "JSON that is not nested so deeply"
            raise ClipError(document.source, wanted, "too deep") from None
        if not binary:
            if others:
                came = f"{len(others)} chunks of extensions"
                raise ClipError(document.source, "a file without more chunks", came)
            return text
        chunks = [container.Chunk(container.BINARY, data)] if data else []
        return container.join([container.Chunk(container.JSON, text), *chunks, *others])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, completely or not at all; copy files that belong to it if need be.

        Raises
        ------
        ClipError
            If the name has another suffix, or a copy would replace a file with other contents.
        OSError
            If a file cannot be written.
        """
        atomic.check_path("path", path)
        place = Path(path)
        if place.suffix.lower() not in IS_BINARY:
            wanted = f"a name that ends in {', '.join(IS_BINARY)}"
            raise ClipError(str(path), wanted, repr(place.suffix))
        data = self.to_bytes(binary=IS_BINARY[place.suffix.lower()])
        for source, target in self._copies(place.parent):
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(source, "rb") as old, atomic.replacing(target) as new:
                shutil.copyfileobj(old, new)
        with atomic.replacing(path) as file:
            file.write(data)

    def _copies(self, folder):
        """Return (source, target) of all files that must be copied beside the new one."""
        document, found = self.document, []
        if document.folder is None or folder.resolve() == document.folder.resolve():
            return []
        for part, source in document.files_beside():
            uri = part.string("uri")
            target = resources.find_beside(uri, folder)
            if target is None or (target.exists() and not _is_same(source, target)):
                came = f"another file at {folder / uri}"
                part.member("uri").fail("a place for a copy of the file", came)
            if not target.exists():
                found.append((source, target))
        return list(dict.fromkeys(found))


class _Slots:
    """Parts that nothing uses once some channels have new keys; each is given out once."""

    def __init__(self, document, channels, new, keeps):
        self.document = document
        users = Counter(each.sampler for each in channels)
        changed = [each for each in channels if (each.node, each.path) in new]
        changed_users = Counter(each.sampler for each in changed)
        self.samplers = {i for i, count in changed_users.items() if count == users[i]}
        references = count_references(document)
        freed: Counter[int] = Counter()
        for each in {channel.sampler: channel for channel in changed}.values():
            if each.sampler in self.samplers:
                freed[each.output] += 1
                freed[each.input] += not keeps[each.input]
        parts = document.root.array("accessors")
        self.accessors = {
            i
            for i, count in freed.items()
            if count == references.accessors[i] and not parts[i].has("extensions")
        }
        owned = Counter(parts[i].integer("bufferView", None) for i in self.accessors)
        views = document.root.array("bufferViews")
        self.views = {
            i
            for i, count in owned.items()
            if i is not None and count == references.views[i] and not views[i].has("extensions")
        }

    def sampler(self, index):
        return self._take(self.samplers, index) is not None

    def accessor(self, index):
        return self._take(self.accessors, index)

    def view(self, accessor):
        """Return the view of an accessor that is reused, if the view can be reused too."""
        if accessor is None:
            return None
        parts = self.document.root.array("accessors")
        return self._take(self.views, parts[accessor].integer("bufferView", None))

    @staticmethod
    def _take(slots, index):
        if index not in slots:
            return None
        slots.discard(index)
        return index


def _is_same(first, second):
    return second.is_file() and filecmp.cmp(first, second, shallow=False)


def _data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()
