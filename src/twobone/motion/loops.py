"""Loops: clips that end in the pose in which they begin, continued before and after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.motion.clip import Clip
from twobone.motion.curves import Flags, runs
from twobone.motion.footplants import Footplant
from twobone.motion.legs import Limb
from twobone.pose import LocalPose

Floats = NDArray[np.float64]
Counts = NDArray[np.intp]

CLOSED = 0.003  # of the size of the character: how far joints may be from where they began
AROUND = 1.5  # seconds: what is further away than this does not matter to a frame


class Around(NamedTuple):
    """The frames of a loop, and those before and after it."""

    frames: Counts  # which frame of the clip each is
    cycles: Counts  # and in which cycle: 0 for the clip's own frames
    own: slice  # which of them are the clip's own


def travel(clip: Clip, limbs: Iterable[Limb]) -> Floats | None:
    """Return how far (3,) a loop takes the character over the ground; None if it is no loop.

    A loop ends in the pose in which it begins. The positions of joints are compared, but for
    those that limbs hang from, as they may stay behind: an armature whose hips move.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip
    >>> from twobone.motion.loops import travel
    >>> leg = Skeleton([-1, 0, 1], [[0, 0.9, 0], [0, -0.45, 0], [0, -0.45, 0]])
    >>> translations = np.tile(leg.offsets, (30, 1, 1))
    >>> translations[:, 0, 2] = np.linspace(0.0, 1.2, 30)
    >>> clip = Clip(leg, LocalPose([leg.rotations] * 30, translations), 30)
    >>> travel(clip, [SimpleNamespace(start=0, mid=1, end=2, toe=None)])
    array([0. , 0. , 1.2])
    """
    skeleton = clip.skeleton
    above = {joint for limb in limbs for joint in skeleton.path(limb.start)[:-1]}
    joints = [joint for joint in range(len(skeleton.parents)) if joint not in above]
    if len(clip) < 3 or not joints:
        return None
    first, last = skeleton.to_global(_part(clip, [0, -1])).positions
    moved = (last - first)[joints]
    by = np.median(moved, axis=0)
    up = "xyz".index(clip.up)
    near = CLOSED * np.linalg.norm(np.ptp(first[joints], axis=0))
    if not (np.linalg.norm(moved - by, axis=-1).max() <= near and abs(by[up]) <= near):
        return None
    by[up] = 0.0
    return by


def around(count: int, pad: int) -> Around:
    """Return the frames of a loop of `count` frames, with `pad` more before and after it."""
    index = np.arange(-pad, count + pad)
    cycles, frames = np.divmod(index, count - 1)
    own = slice(pad, pad + count)
    # The last frame is the first one of the next cycle, but for rounding: it stays what it is.
    frames[own], cycles[own] = np.arange(count), 0
    return Around(frames, cycles, own)


def padding(flags: Iterable[Flags], fps: float) -> int:
    """Return how many frames to add: contacts at the ends of the clip must be whole in them."""
    most = 0
    for on in flags:
        for first, last in runs(on).tolist():
            if first == 0 or last == len(on):
                most = max(most, last - first)
    return most + round(AROUND * fps)


def closed(on: Flags) -> Flags:
    """Return flags that are true in the first and last frame if one is: they are one pose."""
    out = on.copy()
    out[[0, -1]] = on[0] or on[-1]
    return out


def continued(clip: Clip, by: Floats, whole: Around) -> Clip:
    """Return a loop with the frames before and after it; each cycle takes it further by `by`."""
    return _moved(clip, _part(clip, whole.frames), whole.cycles[:, None] * by)


def driven(clip: Clip, velocity: Floats) -> Clip:
    """Return a clip whose character also moves at a velocity (3,), in units a second."""
    frames = np.arange(len(clip))
    return _moved(clip, _part(clip, frames), frames[:, None] / clip.fps * velocity)


def _part(clip: Clip, frames: Any) -> LocalPose[Any]:
    """Return some frames of a clip; a copy if they are given as indices."""
    assert clip.pose.translations is not None
    return LocalPose(clip.pose.rotations[frames], clip.pose.translations[frames])


def _moved(clip: Clip, pose: LocalPose[Any], by: Floats) -> Clip:
    """Return a clip with a pose of its own whose roots are moved by vectors (T, 3), in place."""
    roots = [joint for joint, parent in enumerate(clip.skeleton.parents) if parent < 0]
    assert pose.translations is not None
    pose.translations[:, roots] += by[:, None]
    return clip.with_pose(pose)


def cut(clip: Clip, plants: Iterable[Footplant], own: slice) -> tuple[Clip, list[Footplant]]:
    """Return the clip's own frames of a loop, and the footplants within them."""
    made = clip.with_pose(_part(clip, own))
    found = []
    for joint, first, last, position in plants:
        first, last = max(first - own.start, 0), min(last - own.start, len(made))
        if first < last:
            found.append(Footplant(joint, first, last, position))
    return made, found
