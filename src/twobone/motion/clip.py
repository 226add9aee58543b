"""A motion clip: the poses of a skeleton at equal steps of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ArrayTypeError, ClipError
from twobone.pose import LocalPose, Skeleton

FARTHEST = 1e100  # units: products of three coordinates are finite
FASTEST = 100_000.0  # frames per second; windows of seconds hold too many frames above that


class Clip:
    """The poses of a skeleton at equal steps of time.

    Parameters
    ----------
    skeleton : Skeleton
        The joints, J of them.
    pose : LocalPose
        One pose per frame: rotations (T, J, 4), quaternions xyzw, and translations (T, J, 3) or
        None for the skeleton's offsets, in units of the file.
    fps : float
        Frames per second.
    up : {"y", "z"}
        The axis that points up.
    metres : float
        Metres per unit of length.
    guessed : iterable of str
        Which of "up" and "metres" the file does not state, so that they were guessed.
    human_bones : mapping of str to int
        The joint of each humanoid bone that the file names, as VRM does: {"leftFoot": 12}.
    document : optional
        The file that the clip was read from; `save` keeps all of it that did not change.
    name : str, optional
        The name of the clip, as files with several clips have it.

    Attributes
    ----------
    skeleton, pose, fps, up, metres, guessed, human_bones, document, name
        As given; `pose` holds float64 arrays, and translations are never None.

    Raises
    ------
    ClipError
        If shapes do not fit the skeleton, there is no frame, or a setting is invalid.

    Notes
    -----
    `len(clip)` is the number of frames, and `clip[first:stop]` the clip of the frames from `first`
    to `stop - 1`, as with lists. With a step, `clip[::2]`, the motion keeps its speed: there are
    half as many frames per second. A step below 0 plays the clip backwards.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip
    >>> leg = Skeleton([-1, 0, 1], [[0, 0.9, 0], [0, -0.45, 0], [0, -0.45, 0]])
    >>> Clip(leg, LocalPose([[[0, 0, 0, 1]] * 3] * 60), 30)
    Clip(60 frames at 30 a second, 3 joints)

    The first second, and every second frame:

    >>> clip = Clip(leg, LocalPose([[[0, 0, 0, 1]] * 3] * 60), 30)
    >>> clip[:30], clip[::2]
    (Clip(30 frames at 30 a second, 3 joints), Clip(30 frames at 15 a second, 3 joints))
    """

    def __init__(
        self,
        skeleton: Skeleton,
        pose: LocalPose[Any],
        fps: float,
        *,
        up: Literal["y", "z"] = "y",
        metres: float = 1.0,
        guessed: Iterable[str] = (),
        human_bones: Mapping[str, int] | None = None,
        document: Any = None,
        name: str | None = None,
    ) -> None:
        joints = len(skeleton.parents)
        rotations = np.asarray(pose.rotations, np.float64)
        if rotations.ndim != 3 or rotations.shape[1:] != (joints, 4) or not len(rotations):
            wanted = f"rotations of shape (T, {joints}, 4) with T > 0"
            raise ClipError("the clip", wanted, rotations.shape, field="rotations")
        given = skeleton.offsets if pose.translations is None else pose.translations
        translations = np.asarray(given, np.float64)
        shape = (len(rotations), joints, 3)
        if translations.shape != shape and pose.translations is not None:
            wanted = f"translations of shape {shape}"
            raise ClipError("the clip", wanted, translations.shape, field="translations")
        translations = np.broadcast_to(translations, shape)
        for setting, number in (("fps", fps), ("metres", metres)):
            if not (np.isfinite(number) and number > 0):
                raise ClipError("the clip", "a number above 0", number, field=setting)
        if up not in ("y", "z"):
            raise ClipError("the clip", "'y' or 'z'", repr(up), field="up")
        self.skeleton = skeleton
        self.pose: LocalPose[NDArray[np.float64]] = LocalPose(rotations, translations)
        self.fps = float(fps)
        self.up: Literal["y", "z"] = up
        self.metres = float(metres)
        self.guessed = frozenset(guessed)
        self.human_bones = dict(human_bones or {})
        self.document = document
        self.name = name

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.pose.rotations)

    def __repr__(self) -> str:
        frames = f"{len(self)} frames at {self.fps:g} a second"
        return f"Clip({frames}, {len(self.skeleton.parents)} joints)"

    def __getitem__(self, frames: slice) -> Clip:
        """Return the clip of some frames, such as `clip[10:200]`."""
        if not isinstance(frames, slice):
            raise ArrayTypeError("frames", "a slice such as clip[10:200]", repr(frames))
        given = self.pose.translations
        assert given is not None
        rotations, translations = self.pose.rotations[frames], given[frames]
        if not len(rotations):
            first, stop, _ = frames.indices(len(self))
            wanted = f"at least one of the {len(self)} frames"
            raise ClipError("the clip", wanted, f"none in [{first}:{stop}]", field="frames")
        fps = self.fps / abs(frames.step or 1)
        return self._with(LocalPose(rotations, translations), fps)

    def with_pose(self, pose: LocalPose[Any]) -> Clip:
        """Return the same clip with other poses: the same skeleton, settings and document."""
        return self._with(pose, self.fps)

    def joints(self) -> NDArray[np.float64]:
        """Return the positions of all joints in each frame, shape (T, J, 3), in the clip's units.

        `from_joints` is the inverse of it.
        """
        return self.skeleton.to_global(self.pose).positions

    def _with(self, pose: LocalPose[Any], fps: float) -> Clip:
        return Clip(
            self.skeleton,
            pose,
            fps,
            up=self.up,
            metres=self.metres,
            guessed=self.guessed,
            human_bones=self.human_bones,
            document=self.document,
            name=self.name,
        )


def check_far(source: object, coordinates: np.ndarray, field: str) -> None:
    """Raise an error if coordinates of a file are so large that lengths could not be computed."""
    if np.size(coordinates) and not (most := np.abs(coordinates).max()) <= FARTHEST:
        raise ClipError(source, f"coordinates up to {FARTHEST:g}", float(most), field=field)


def check_rate(clip: Clip) -> None:
    """Raise an error if a clip has too many frames per second, as of a wrong frame time."""
    if clip.fps > FASTEST:
        wanted = f"at most {FASTEST:.0f} frames per second"
        raise ClipError("the clip", wanted, clip.fps, field="fps")
