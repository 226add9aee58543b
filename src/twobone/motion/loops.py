"""Loops: clips that can be played again and again, continued before and after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.motion.clip import Clip
from twobone.motion.curves import Flags, runs
from twobone.motion.footplants import Footplant
from twobone.motion.legs import Limb
from twobone.motion.writing import carriers
from twobone.pose import LocalPose

Floats = NDArray[np.float64]
Counts = NDArray[np.intp]

CLOSED = 0.003  # of the size of the character: how far joints may be from where they began
AROUND = 1.5  # seconds: what is further away than this does not matter to a frame
REPEATED = 0.25  # of the steps beside the seam: if the gap is smaller, the last pose is the first

UNEVEN = 0.1  # of how far joints that almost stay move: if they differ by more, it is no travel

# If the last frame of a loop is the one before its first, the step across the seam, from the last
# frame to the first, is like other steps.
SHORTEST = 8  # frames; shorter clips do not show how smooth they are
LONGER = 2.5  # no joint's step is longer than the longest of the two on either side by this factor
ROUGHER = 2.5  # and no joint's velocity changes more than within the clip by this factor
ALMOST = 0.9  # of the steps beside the seam: a last pose that is closer may belong to a loop
SMOOTHER = 0.8  # of the changes of velocity that there would be if the last pose were the first


class Loop(NamedTuple):
    """How a loop goes on after its end."""

    travel: Floats  # (3,), how far each cycle takes the character over the ground
    period: int  # frames of a cycle: all, or all but the last, which is the first one again


class Around(NamedTuple):
    """The frames of a loop, and those before and after it."""

    frames: Counts  # which frame of the clip each is
    cycles: Counts  # and in which cycle: 0 for the clip's own frames
    own: slice  # which of them are the clip's own


def find_loop(clip: Clip, limbs: Iterable[Limb], is_loop: bool | None = None) -> Loop | None:
    """Return how a loop goes on after its end; None if the clip is no loop.

    The last pose of a loop is its first one, or that of the frame before. The positions of joints
    are compared that move with the body: neither those that limbs hang from (the armature may stay
    behind while its hips move), nor others beside the body, such as targets for the knees in a rig.

    If `is_loop` is given, it is known whether the clip is a loop. Then there may be a jump at its
    end: the last pose is taken for the first one if it is closer to it than half a step, or else
    for that of the frame before. A travel of less than two steps is taken for a part of the jump.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip
    >>> from twobone.motion.loops import find_loop
    >>> leg = Skeleton([-1, 0, 1], [[0, 0.9, 0], [0, -0.45, 0], [0, -0.45, 0]])
    >>> translations = np.tile(leg.offsets, (30, 1, 1))
    >>> translations[:, 0, 2] = np.linspace(0.0, 1.2, 30)
    >>> clip = Clip(leg, LocalPose([leg.rotations] * 30, translations), 30)
    >>> find_loop(clip, [SimpleNamespace(start=0, mid=1, end=2, toe=None)])
    Loop(travel=array([0. , 0. , 1.2]), period=29)
    """
    skeleton = clip.skeleton
    joints = _of_body(clip, list(limbs))
    if is_loop is False or len(clip) < 3 or not joints:
        return None
    ends = skeleton.to_global(_part(clip, [0, 1, 2, -3, -2, -1])).positions[:, joints]
    up = "xyz".index(clip.up)
    near = CLOSED * float(np.linalg.norm(np.ptp(ends[0], axis=0)))
    moved = ends[-1] - ends[0]
    by = np.median(moved, axis=0)
    gaps = moved - by
    is_closed = np.linalg.norm(gaps, axis=-1).max() <= near and abs(by[up]) <= near
    by[up] = 0.0
    stays = np.linalg.norm(moved, axis=-1).max() <= near and _size(gaps) > UNEVEN * _size(moved)
    if stays:  # the body did not quite come back, and the feet did
        by[:] = 0.0
    steps = (ends[[1, -1]] - ends[[0, -2]]).mean(0)
    steps -= np.median(steps, axis=0)
    if not (is_closed and _size(gaps) <= REPEATED * _size(steps)):
        travel = _travel_of_open(clip, ends, gaps, joints, near, up)
        if travel is not None:
            return Loop(travel, len(clip))
    if is_closed:
        return Loop(by, len(clip) - 1)
    return _with_jump(ends, gaps, by, near, up, len(clip)) if is_loop else None


def _of_body(clip: Clip, limbs: list[Limb]) -> list[int]:
    """Return the joints that move with the body, and feet apart from it, without those above."""
    skeleton = clip.skeleton
    tops = carriers(clip, limbs) if limbs else range(len(skeleton.parents))
    feet = [joint for limb in limbs for joint in (limb.end, limb.toe) if joint is not None]
    moving = {joint for top in {*tops, *feet} for joint in skeleton.below(top)}
    return sorted(moving - {joint for limb in limbs for joint in skeleton.path(limb.start)[:-1]})


def _with_jump(ends: Floats, gaps: Floats, by: Floats, near: float, up: int, count: int) -> Loop:
    """Return how a loop of `count` frames goes on whose end does not quite meet its beginning."""
    steps = ends[[1, -1]] - ends[[0, -2]]
    apart = steps - np.median(steps, axis=1, keepdims=True)
    is_first = _size(gaps) < 0.5 * np.mean([_size(step) for step in apart])
    travel = by if is_first else _missing(ends, near, up)
    pace = float(np.mean([_size(step) for step in steps]))
    if np.linalg.norm(travel) <= 2.0 * max(pace, near):
        travel = np.zeros(3)
    return Loop(travel, count - 1 if is_first else count)


def _missing(ends: Floats, near: float, up: int) -> Floats:
    """Return how far a loop travels that ends a step before its first pose.

    The step that is missing is like those beside it. Joints whose velocity does not change know it
    best, feet on the ground exactly. If there are none of these, all joints count.
    """
    before, after = ends[-1] - ends[-2], ends[1] - ends[0]
    whole = ends[-1] + 0.5 * (before + after) - ends[0]
    changes = np.linalg.norm(after - before, axis=-1)
    weights = 1.0 / (changes + 1e-5 * near + np.finfo(float).tiny)
    by = weights @ whole / weights.sum()
    by[up] = 0.0
    return by


def _travel_of_open(
    clip: Clip, ends: Floats, gaps: Floats, joints: list[int], near: float, up: int
) -> Floats | None:
    """Return how far a loop travels whose last frame is the one before its first; None if not.

    `ends` (6, J, 3) are the first and last three positions of joints, `gaps` (J, 3) by how much
    the last are not the first, and `near` is the length that does not matter.
    """
    if len(clip) < SHORTEST:
        return None
    before, after = ends[-1] - ends[-2], ends[1] - ends[0]
    by = _missing(ends, near, up)
    beside = np.linalg.norm(np.diff(ends, axis=0)[[0, 1, 3, 4]], axis=-1).max(0)
    closed = ((after - before) ** 2).sum() + 2.0 * (gaps**2).sum()
    changes = None
    for travel in (np.zeros(3), by):  # one that is almost 0 is 0
        step = ends[0] + travel - ends[-1]
        bends = np.stack([step - before, after - step])
        is_smooth = (bends**2).sum() <= SMOOTHER**2 * closed
        lengths = np.linalg.norm(step, axis=-1)
        if not (is_smooth and (lengths <= LONGER * np.maximum(beside, near)).all()):
            continue
        if changes is None:  # unreached: loop-in-place
            points = clip.skeleton.to_global(clip.pose).positions[:, joints]
            changes = np.linalg.norm(np.diff(points, 2, axis=0), axis=-1).max(0)
        most = ROUGHER * np.maximum(changes, near)
        if (np.linalg.norm(bends, axis=-1) <= most).all():
            return travel
    return None


def _size(vectors: Floats) -> float:
    """Return the root of the mean of the squares of lengths of vectors (J, 3)."""
    return float(np.sqrt((vectors**2).sum(-1).mean()))


def jump_at_end(clip: Clip, limbs: Iterable[Limb]) -> float:
    """Return how far joints jump if a clip that is no loop starts again, in units of the clip.

    It is 0 unless the last pose is so close to the first one that the clip is probably meant as a
    loop: closer than most of a step.
    """
    joints = _of_body(clip, list(limbs))
    if len(clip) < SHORTEST or not joints:
        return 0.0
    ends = clip.skeleton.to_global(_part(clip, [0, 1, -2, -1])).positions[:, joints]
    moved, steps = ends[-1] - ends[0], ends[[1, -1]] - ends[[0, -2]]
    gap = _size(moved - np.median(moved, axis=0))
    apart = steps - np.median(steps, axis=1, keepdims=True)
    return gap if gap < ALMOST * np.mean([_size(step) for step in apart]) else 0.0


def around(count: int, period: int, pad: int) -> Around:
    """Return the frames of a loop of `count` frames, with `pad` more before and after it.

    There are at most a hundred times as many, as frames may be far shorter than they should be.
    """
    pad = min(pad, 100 * count)
    index = np.arange(-pad, count + pad)
    cycles, frames = np.divmod(index, period)
    own = slice(pad, pad + count)
    # The last frame may be the first one of the next cycle, but for rounding: it stays what it is.
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


def closed(on: Flags, period: int) -> Flags:
    """Return flags of a loop, true in the first and last frame if one is, if they are one pose."""
    out = on.copy()
    if period < len(on):
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
