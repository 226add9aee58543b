"""BVH documents: the joints, channels and numbers of a file; unchanged parts keep their bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twobone.errors import ClipError
from twobone.files import atomic, bvh_numbers
from twobone.files.bvh_hierarchy import (
    CHANNELS,
    LINE_END,
    LONGEST,
    SECONDS,
    SHORTEST,
    Joint,
    Motion,
    Text,
    read_hierarchy,
    read_motion,
    written,
)
from twobone.files.bvh_numbers import read_numbers


class BvhDocument:
    """A BVH file: a hierarchy of joints, and one row of numbers for each frame.

    `read` returns the document of a file. Create a document from arrays to write a new file.

    Parameters
    ----------
    names : sequence of str
        Names of the J joints, in the order of the file: each joint is followed by its descendants.
        The name of an end site is not written; by convention it is "<parent> End Site".
    parents : sequence of int
        The index of each joint's parent; -1 for a root.
    offsets : array, shape (J, 3)
        The rest position of each joint, relative to its parent.
    channels : sequence of sequences of str
        The channels of each joint, in the order of the file and none twice: "Xposition",
        "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation".
    frame_time : float
        Seconds for each frame.
    numbers : array, shape (T, C)
        One row for each frame: the values of all channels, joint after joint. Rotations are in
        degrees.
    end_sites : sequence of bool, optional
        Which joints are end sites, which have no channels and no children. By default none.
    source : str
        The name of the file in errors.

    Attributes
    ----------
    names, parents, offsets, channels, frame_time, numbers, end_sites, source
        As given, as tuples and read-only arrays.
    columns : tuple of int
        The column of the first channel of each joint.

    Raises
    ------
    ClipError
        If the parts do not fit together, or a number is not finite.

    Examples
    --------
    >>> from twobone.files.bvh import BvhDocument
    >>> arm = BvhDocument(
    ...     names=["upper", "lower", "lower End Site"],
    ...     parents=[-1, 0, 1],
    ...     offsets=[[0, 0, 0], [1, 0, 0], [1, 0, 0]],
    ...     channels=[["Zrotation", "Yrotation", "Xrotation"], ["Zrotation"], []],
    ...     frame_time=1 / 30,
    ...     numbers=[[0, 0, 0, 90], [10, 0, 0, 80]],
    ...     end_sites=[False, False, True],
    ... )
    >>> arm
    BvhDocument(2 frames, 3 joints, 4 channels)
    >>> print(arm.to_bytes().decode().partition("MOTION")[2])
    <BLANKLINE>
    Frames: 2
    Frame Time: 0.03333333333333333
    0.0 0.0 0.0 90.0
    10.0 0.0 0.0 80.0
    <BLANKLINE>
    """

    def __init__(
        self,
        names: Sequence[str],
        parents: Sequence[int],
        offsets: ArrayLike,
        channels: Sequence[Sequence[str]],
        frame_time: float,
        numbers: ArrayLike,
        *,
        end_sites: Sequence[bool] | None = None,
        source: str = "the clip",
    ) -> None:
        ends = [False] * len(names) if end_sites is None else end_sites
        rows = np.asarray(offsets, np.float64)
        if rows.shape != (len(names), 3) or not np.isfinite(rows).all():
            wanted = f"finite numbers of shape ({len(names)}, 3)"
            raise ClipError(source, wanted, _came(rows), field="offsets")
        if not len(names) == len(parents) == len(channels) == len(ends) > 0:
            lengths = (len(names), len(parents), len(channels), len(ends))
            raise ClipError(source, "as many parents, channels and end sites as names", lengths)
        joints = [
            Joint(*each)
            for each in zip(names, parents, ends, rows.tolist(), map(list, channels), strict=True)
        ]
        _check_joints(joints, source)
        self._fill(joints, frame_time, source)
        self.numbers: NDArray[np.float64] = self._checked(numbers)
        self._text: Text | None = None
        self._motion: Motion | None = None

    def _fill(self, joints, frame_time, source):
        """Set all attributes that describe joints."""
        self._joints = joints
        self.names: tuple[str, ...] = tuple(joint.name for joint in joints)
        self.parents: tuple[int, ...] = tuple(joint.parent for joint in joints)
        self.offsets = np.array([joint.offset for joint in joints], np.float64)
        self.offsets.flags.writeable = False
        self.channels: tuple[tuple[str, ...], ...] = tuple(tuple(each.channels) for each in joints)
        self.end_sites: tuple[bool, ...] = tuple(bool(joint.is_end_site) for joint in joints)
        counts = [len(each) for each in self.channels]
        self.columns: tuple[int, ...] = tuple((np.cumsum(counts) - counts).tolist())
        self._width = sum(counts)
        self.frame_time = _checked_time(frame_time, source)
        self.source = str(source)

    @classmethod
    def _of_text(cls, text: Text) -> BvhDocument:
        """Return the document of the bytes of a file."""
        self = cls.__new__(cls)
        joints = read_hierarchy(text)
        motion = read_motion(text)
        self._fill(joints, motion.frame_time, text.source)
        if not self._width:
            raise text.error(motion.frames_span[0], "joints with channels", "none")
        self.numbers = read_numbers(text, motion, self._width)
        self.numbers.flags.writeable = False
        self._text, self._motion = text, motion
        return self

    def __repr__(self) -> str:
        frames = f"{len(self.numbers)} frames"
        return f"BvhDocument({frames}, {len(self.names)} joints, {self._width} channels)"

    def to_bytes(self, numbers: ArrayLike | None = None, frame_time: float | None = None) -> bytes:
        """Return the contents of the file, optionally with other numbers.

        Everything that does not change keeps its bytes: the header, numbers, blanks and line ends.
        Numbers that differ from those of the document are written as the shortest text that gives
        the same float. If there are more or fewer frames than in the document, all numbers are
        written in that way.

        Parameters
        ----------
        numbers : array, shape (T, C), optional
            One row for each frame.
        frame_time : float, optional
            Seconds for each frame.

        Returns
        -------
        bytes

        Raises
        ------
        ClipError
            If `numbers` has another number of columns or is not finite, or `frame_time` is not
            between 1e-300 and 1e300.

        Examples
        --------
        >>> from twobone.files import bvh
        >>> file = b"HIERARCHY ROOT hip { OFFSET 0 1.0 0 CHANNELS 2 Xposition Xrotation }"
        >>> file += b" MOTION Frames: 1 Frame Time: .01 0.10  20.00"
        >>> document = bvh.read(file)
        >>> document.to_bytes() == file
        True
        >>> document.to_bytes([[0.25, 20.0]])[-11:]
        b'0.25  20.00'
        """
        values = self.numbers if numbers is None else self._checked(numbers)
        seconds = self.frame_time if frame_time is None else _checked_time(frame_time, self.source)
        if self._text is None or self._motion is None:
            header = written(self._joints, len(values), seconds).encode()
            return b"\n".join([header[:-1], *bvh_numbers.to_lines(values), b""])
        data, motion = self._text.data, self._motion
        same_frames, same_time = len(values) == len(self.numbers), seconds == self.frame_time
        frames, time = motion.frames_span, motion.frame_time_span
        pieces = [
            data[: frames[0]],
            data[slice(*frames)] if same_frames else str(len(values)).encode(),
            data[frames[1] : time[0]],
            data[slice(*time)] if same_time else repr(seconds).encode(),
        ]
        if same_frames:
            pieces += bvh_numbers.rewritten(data, motion, values, values != self.numbers)
        else:
            line_end = LINE_END.search(data)
            lines = [b"", *bvh_numbers.to_lines(values), b""]
            pieces.append((line_end[0] if line_end else b"\n").join(lines))
        return b"".join(pieces)

    def _checked(self, numbers):
        """Return numbers as a read-only array with a column for each channel."""
        array = np.array(numbers, np.float64)
        array.flags.writeable = False
        is_table = array.ndim == 2 and array.shape[1] == self._width and array.size > 0
        if not is_table or not np.isfinite(array).all():
            wanted = f"finite numbers of shape (T, {self._width}), at least one row and one column"
            raise ClipError(self.source, wanted, _came(array), field="numbers")
        return array


def read(
    file: str | os.PathLike[str] | bytes | bytearray, source: str | None = None
) -> BvhDocument:
    """Read a BVH file.

    There may be several roots, and joints may have any channels in any order. In the hierarchy,
    blanks and line breaks may be anywhere between words. Each frame is one line of numbers.

    Parameters
    ----------
    file : str, path or bytes
        The path of a file, or its contents.
    source : str, optional
        The name of the file in errors; by default its path.

    Returns
    -------
    BvhDocument

    Raises
    ------
    ClipError
        If the file is not a BVH file, is truncated, or holds anything but finite numbers; with
        the line and the column.
    ArrayTypeError
        If `file` is neither a path nor bytes.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from twobone.files import bvh
    >>> bvh.read("walk.bvh").numbers.shape  # doctest: +SKIP
    (344, 96)
    """
    if isinstance(file, bytes | bytearray):
        return BvhDocument._of_text(Text(bytes(file), source or "the file"))
    atomic.check_path("file", file, "a path or bytes")
    source = str(file) if source is None else source
    mode = os.stat(file).st_mode  # check before opening, since opening a pipe waits for its writer
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ClipError(source, "a file", "a device or a pipe")
    with open(file, "rb") as opened:
        return BvhDocument._of_text(Text(opened.read(), source))


def _check_joints(joints, source):
    """Raise if a joint cannot be written as it is."""
    open_blocks: list[int] = []
    for index, joint in enumerate(joints):
        while open_blocks and open_blocks[-1] != joint.parent:
            open_blocks.pop()
        if joint.parent != -1 and not open_blocks:
            wanted = "joints of which each is followed by its descendants"
            raise ClipError(source, wanted, f"{joint.parent} for {joint.name!r}", field="parents")
        if joint.parent != -1 and joints[joint.parent].is_end_site:
            raise ClipError(source, "no child of an end site", repr(joint.name), field="end_sites")
        is_plain = joint.name == joint.name.strip() and joint.name.isprintable()
        if not (is_plain and len(joint.name) > 0 and not set(joint.name) & set("{}")):
            wanted = "names without braces, line breaks and blanks at the ends"
            raise ClipError(source, wanted, repr(joint.name), field="names")
        channels = joint.channels
        is_known = set(channels) <= set(CHANNELS) and len(set(channels)) == len(channels)
        if not is_known or (joint.is_end_site and channels):
            wanted = f"channels of {', '.join(CHANNELS)}, each once, and none of end sites"
            raise ClipError(source, wanted, f"{channels} of {joint.name!r}", field="channels")
        open_blocks.append(index)


def _checked_time(seconds, source):
    if not SHORTEST < seconds < LONGEST:
        raise ClipError(source, SECONDS, seconds, field="frame_time")
    return float(seconds)


def _came(array):
    return "NaN or infinity" if not np.isfinite(array).all() else f"shape {array.shape}"
