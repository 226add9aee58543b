"""T-poses: whether a skeleton stands upright with its arms stretched out to the sides.

Files of motion capture often begin with one, from which the body jumps to the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twobone.motion import chains
from twobone.motion.branches import y_up
from twobone.motion.clip import Clip
from twobone.motion.limbs import FoundLimb, Limbs

STRAIGHT = 0.95  # of both bones together: limbs are at least this long
LEVEL = 0.4  # of an arm: its hand is at most this far above or below the shoulder
DOWN = 0.9  # of a leg: its foot is at least this far below the hip
OPPOSITE = -0.8  # cosine of the angle between the arms
KINDS = "leg", "arm"
JUMP = 0.25  # of a leg: what a hand or foot moves in a frame from a T-pose to the motion
LONGEST = 2.0  # seconds that such a T-pose lasts


def is_t_pose(positions: Any, limbs: Limbs, up: str) -> bool:
    """Return whether a pose is a T-pose: straight legs that point down, level arms to both sides.

    Parameters
    ----------
    positions : array, shape (J, 3)
        The joints in world space.
    limbs : Limbs
        The limbs of the clip, as `find_limbs` returns them.
    up : {"y", "z"}
        The axis that points up.

    Returns
    -------
    bool
        False if there are not two arms and two legs.

    Examples
    --------
    >>> from twobone.motion.limbs import FoundLimb, Limbs
    >>> from twobone.motion.t_pose import is_t_pose
    >>> def limb(kind, start):
    ...     joints = start, start + 1, start + 2, None
    ...     return FoundLimb("", kind, None, None, *joints, False, False, 1.0)
    >>> limbs = Limbs((limb("leg", 0), limb("leg", 3)), (limb("arm", 6), limb("arm", 9)))
    >>> legs = [[x, y, 0] for x in (0.1, -0.1) for y in (0.9, 0.5, 0.1)]
    >>> arms = [[side * x, 1.4, 0] for side in (1, -1) for x in (0.2, 0.5, 0.7)]
    >>> is_t_pose(legs + arms, limbs, "y"), is_t_pose(legs + arms, limbs, "z")
    (True, False)
    """
    if len(limbs.legs) != 2 or len(limbs.arms) != 2:
        return False
    points = y_up(np.asarray(positions, np.float64), up)
    with np.errstate(all="ignore"):
        if not all(_extension(points, limb) > STRAIGHT for limb in (*limbs.legs, *limbs.arms)):
            return False
        legs = [_direction(points, limb) for limb in limbs.legs]
        one, other = (_direction(points, limb) for limb in limbs.arms)
        level = max(abs(one[1]), abs(other[1])) < LEVEL
        return bool(level and one @ other < OPPOSITE and all(leg[1] < -DOWN for leg in legs))


def frames_before_motion(clip: Clip, limbs: Sequence[Any]) -> int:
    """Return how many frames at the beginning of a clip are a T-pose before the motion.

    A T-pose counts only if a hand or foot then jumps: clips may also begin with somebody who
    stands in a T-pose and then moves.

    Parameters
    ----------
    clip : Clip
    limbs : sequence of limbs
        Two legs and two arms, as `find_limbs` finds them. Without these it is 0.

    Returns
    -------
    int
        Mostly 0 or 1.

    Examples
    --------
    >>> from twobone import motion
    >>> from twobone.motion.t_pose import frames_before_motion
    >>> clip = motion.load("walk.bvh")  # doctest: +SKIP
    >>> limbs = motion.find_limbs(clip)  # doctest: +SKIP
    >>> frames_before_motion(clip, [*limbs.legs, *limbs.arms])  # doctest: +SKIP
    1
    """
    found = [[limb for limb in limbs if getattr(limb, "kind", "") == kind] for kind in KINDS]
    few = clip[: int(LONGEST * clip.fps) + 2]
    if len(few) < 2 or any(len(each) != 2 for each in found):
        return 0
    legs, arms = found
    joints = sorted({joint for limb in limbs for joint in (limb.start, limb.mid, limb.end)})
    placed = chains.forward(few, joints).positions
    at = np.zeros((len(few), len(clip.skeleton.parents), 3))
    for joint in joints:
        at[:, joint] = placed[joint].T
    hip, knee, ankle = (at[0, joint] for joint in (legs[0].start, legs[0].mid, legs[0].end))
    size = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
    steps = np.diff(at[:, [limb.end for limb in (*legs, *arms)]], axis=0)
    jumps = np.flatnonzero(np.linalg.norm(steps, axis=-1).max(1) > JUMP * size)
    if not len(jumps):
        return 0
    first, both = int(jumps[0]) + 1, Limbs(tuple(legs), tuple(arms))
    return first if all(is_t_pose(at[n], both, clip.up) for n in (0, first - 1)) else 0


def _direction(points: Any, limb: FoundLimb) -> Any:
    along = points[limb.end] - points[limb.start]
    return along / np.linalg.norm(along)


def _extension(points: Any, limb: FoundLimb) -> float:
    start, mid, end = points[limb.start], points[limb.mid], points[limb.end]
    bones = np.linalg.norm(mid - start) + np.linalg.norm(end - mid)
    return float(np.linalg.norm(end - start) / bones)
