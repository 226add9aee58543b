"""Load clips from files and save them; the suffix of a path names the format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twobone.core.array_types import ArrayLike
from twobone.errors import ClipError
from twobone.files import atomic
from twobone.files.gltf import document
from twobone.motion import from_bvh, from_gltf, from_smpl
from twobone.motion.clip import Clip

GLTF = (".glb", ".gltf", ".vrm", ".vrma")
SMPL = ".npz"
FORMATS = {".bvh": from_bvh, **dict.fromkeys(GLTF, from_gltf), SMPL: from_smpl}


def load(
    path: str | os.PathLike[str],
    clip: str | int | None = None,
    *,
    offsets: ArrayLike[Any] | None = None,
) -> Clip:
    """Load a motion clip from a .bvh, .glb, .gltf, .vrm or .vrma file, or SMPL's .npz.

    Parameters
    ----------
    path : str or path
        The suffix names the format.
    clip : str or int, optional
        The name or the index of the clip, needed if the file holds several. A BVH file holds one
        clip without a name: 0.
    offsets : array, shape (22, 3) or (24, 3), optional
        For .npz files of SMPL and AMASS, which have none: where each joint is relative to its
        parent in the T-pose, in metres, y up; the first is the place of the pelvis. By default
        those of an average adult.

    Returns
    -------
    Clip
        Its `document` is the file; `save` keeps all of it that does not change. BVH files state
        neither units nor axes, so `up` and `metres` are guessed; `Clip.guessed` says so.

    Raises
    ------
    ClipError
        If the path has another suffix, the file holds several clips and none or an unknown one is
        named, or the file is invalid; the message says where.
    FileError
        If a .npz file is damaged, or expands to more than 100 times its size.
    ArrayTypeError
        If `path` is not a path.
    OSError
        If the file cannot be read.

    See Also
    --------
    load_all, save

    Notes
    -----
    Joints are loaded depth first: each is followed by all of its descendants, and children are in
    the order of the file. So a clip that was loaded has the same order of joints after it was saved
    in any format and loaded again.

    Examples
    --------
    >>> from twobone import motion
    >>> motion.load("walk.bvh")  # doctest: +SKIP
    Clip(344 frames at 120 a second, 38 joints)
    >>> motion.load("fox.glb", clip="Walk")  # doctest: +SKIP
    Clip(18 frames at 24 a second, 24 joints)
    """
    suffix = check_suffix(path)
    if suffix == SMPL:
        return from_smpl.load(path, clip, offsets)
    if offsets is not None:
        raise ClipError(path, "offsets for .npz files alone", suffix, field="offsets")
    return FORMATS[suffix].load(path, clip)


def is_clip(path: str | os.PathLike[str]) -> bool:
    """Return whether a file of a folder is a clip: by its suffix, and by what is in a .npz file."""
    suffix = Path(path).suffix.lower()
    return suffix in FORMATS and (suffix != SMPL or from_smpl.is_smpl(path))


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """Return a file and those that belong to it: buffers and images beside a glTF file."""
    if Path(path).suffix.lower() not in GLTF:
        return [Path(path)]
    return [Path(path), *(place for _, place in document.read(path).files_beside())]


def load_all(path: str | os.PathLike[str]) -> list[Clip]:
    """Load all motion clips of a file.

    Parameters
    ----------
    path : str or path
        A .bvh, .glb, .gltf, .vrm, .vrma or .npz file.

    Returns
    -------
    list of Clip
        In the order of the file. Each has its `name`, or None where the file has none. There is at
        least one: that of a file without animations is a single frame, its rest pose.

    Raises
    ------
    ClipError, ArrayTypeError, OSError
        As `load` does.

    See Also
    --------
    save_all

    Examples
    --------
    >>> from twobone import motion
    >>> [clip.name for clip in motion.load_all("fox.glb")]  # doctest: +SKIP
    ['Survey', 'Walk', 'Run']
    """
    return FORMATS[check_suffix(path)].load_all(path)


def clip_names(path: str | os.PathLike[str]) -> list[str | None]:
    """Return the names of the clips of a file, None for those without one; see `load_all`."""
    return FORMATS[check_suffix(path)].clip_names(path)


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Save a motion clip as a .bvh, .glb, .gltf, .vrm or .vrma file, or SMPL's .npz.

    A clip that was loaded from a file of the same format keeps everything in that file that did not
    change, byte for byte, the other clips included. The file is written completely or not at all.

    Parameters
    ----------
    clip : Clip
    path : str or path
        The suffix names the format.

    Returns
    -------
    None

    Raises
    ------
    ClipError
        If the path has another suffix, or the format cannot represent the clip: NaN, a joint of
        a BVH file that moves without having channels for it, other frames than those of a glTF
        file whose clip also animates scales or morph targets, or joints that SMPL does not have.
    ArrayTypeError
        If `path` is not a path.
    OSError
        If the file cannot be written.

    See Also
    --------
    save_all, load

    Notes
    -----
    A clip made of arrays can have its joints in any order. In files, each joint is followed by its
    descendants; so the order can be another one after loading, but names and motion are the same.

    Examples
    --------
    Save the frames 100 to 199 of a BVH file:

    >>> from twobone import motion
    >>> clip = motion.load("walk.bvh")  # doctest: +SKIP
    >>> motion.save(clip[100:200], "part.bvh")  # doctest: +SKIP

    Play a clip twice as fast. A new clip has only the settings that it is given:

    >>> fast = motion.Clip(
    ...     clip.skeleton,
    ...     clip.pose,
    ...     2 * clip.fps,
    ...     up=clip.up,
    ...     metres=clip.metres,
    ...     guessed=clip.guessed,
    ...     document=clip.document,
    ... )  # doctest: +SKIP
    >>> motion.save(fast, "run.bvh")  # doctest: +SKIP
    """
    FORMATS[check_suffix(path)].save(clip, path)


def save_all(clips: Sequence[Clip], path: str | os.PathLike[str]) -> None:
    """Save several clips of one file as a file.

    Parameters
    ----------
    clips : sequence of Clip
        Clips that one call of `load_all` returned, with the same or other poses. Those of its
        clips that are missing stay as they were. To a .bvh or .npz file only one clip can be saved.
    path : str or path
        The suffix names the format.

    Returns
    -------
    None

    Raises
    ------
    ClipError
        As `save` does, or if the clips are not those of one file.
    ArrayTypeError, OSError
        As `save` does.

    See Also
    --------
    load_all

    Examples
    --------
    Pin the feet in all clips of a file:

    >>> from twobone import motion
    >>> clips = motion.load_all("fox.glb")  # doctest: +SKIP
    >>> motion.save_all([motion.pin(clip).clip for clip in clips], "out.glb")  # doctest: +SKIP
    """
    clips = list(clips)
    if not clips:
        raise ClipError("the clips", "at least one clip", "none")
    if len(clips) == 1:
        save(clips[0], path)
    else:
        FORMATS[check_suffix(path)].save_all(clips, path)


def check_suffix(path):
    """Return the suffix of a path; raise an error that lists the known ones if it is another."""
    atomic.check_path("path", path)
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        *most, last = FORMATS
        came = repr(suffix) if suffix else "one without an ending"
        raise ClipError(path, f"a name that ends in {', '.join(most)} or {last}", came)
    return suffix
