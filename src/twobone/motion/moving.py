"""`move_end`: bring a hand or foot to a target for some frames of a clip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from twobone.errors import ArrayTypeError, ClipError, ShapeError
from twobone.motion import chains, curves, legs, swings, writing
from twobone.motion.chains import Floats, rotate
from twobone.motion.clip import Clip, check_rate
from twobone.motion.curves import Flags
from twobone.motion.footplants import joint_of
from twobone.motion.legs import Legs, Limb
from twobone.motion.limbs import Limbs, find_limbs
from twobone.motion.writing import Change
from twobone.pose import LocalPose

BENT = 0.015  # of its length: a limb that is shorter of straight moves its knee by angles


class JointPoint(NamedTuple):
    """A point that moves with a joint of the same clip: a target for `move_end`.

    Attributes
    ----------
    joint : str or int
        The joint, by name, by path or by index.
    offset : (float, float, float)
        Where the point is in the space of the joint, in units of the clip.
    """

    joint: str | int
    offset: Sequence[float] = (0.0, 0.0, 0.0)


Target: TypeAlias = "JointPoint | Any"


class Wanted(NamedTuple):
    """A target whose joint is known."""

    joints: list[int]  # the joint that the target moves with, or none
    points: Floats  # (3,): in the space of the joint or, without one, the world; or a path (N, 3)


@np.errstate(all="ignore")  # poses may hold anything
def move_end(
    clip: Clip,
    end: str | int,
    target: Target,
    *,
    frames: tuple[int, int] | None = None,
    blend: float = 0.2,
    limbs: Limbs | Sequence[Limb] | None = None,
) -> Clip:
    """Bring the end of a limb, such as a hand or foot, to a target for some frames.

    The limb is bent and rotated by two-bone inverse kinematics. Its end keeps its rotation in the
    world, and all other joints keep theirs.

    Parameters
    ----------
    clip : Clip
        The clip, which is not changed.
    end : str or int
        The joint at the end of a limb, by name or index: a wrist or an ankle.
    target : array, shape (3,) or (N, 3), or JointPoint
        Where the end goes, in units and axes of the clip: a point, one point for each of `frames`,
        or a point that moves with another joint.
    frames : (int, int), optional
        The first frame in which the end is at the target, and the frame after the last one. By
        default all frames of the clip.
    blend : float
        The seconds before and after `frames` in which the end goes over to the target and back.
        Its velocity and its acceleration are continuous. A path comes to rest in that time.
    limbs : Limbs or sequence of limbs, optional
        As for `pin`. By default `find_limbs(clip)`.

    Returns
    -------
    Clip
        The new clip. Frames outside of `frames` and the blends keep their bits. Where the target
        is out of reach, the limb is straight and points to it.

    Raises
    ------
    ClipError
        If `end` is not the end of a limb, the frames are not those of the clip, the target moves
        with the limb itself, or the clip or the target holds NaN or infinity.
    ShapeError
        If the target is neither a point nor a point for each frame.
    ArrayTypeError
        If `blend` is no number of 0 or more, or the target is not an array of numbers.

    See Also
    --------
    find_limbs, pin

    Notes
    -----
    A limb that is nearly straight would jerk its knee or elbow if its length changed evenly. As
    it goes over to the target, the angle of its joint changes evenly instead.

    Examples
    --------
    An arm of a person who stands, raised to a point for half a second:

    >>> import numpy as np
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip, JointPoint, move_end
    >>> names = ["Hips", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm",
    ...          "RightHand"]
    >>> offsets = [[0, 1, 0], [0.2, 0.5, 0], [0.3, 0, 0.01], [0.25, 0, 0],
    ...            [-0.2, 0.5, 0], [-0.3, 0, 0.01], [-0.25, 0, 0]]
    >>> person = Skeleton([-1, 0, 1, 2, 0, 4, 5], offsets, names=names)
    >>> clip = Clip(person, LocalPose([person.rotations] * 60), fps=30)
    >>> moved = move_end(clip, "LeftHand", [0.4, 1.7, 0.3], frames=(20, 35))
    >>> def hand(clip, side):
    ...     at = clip.skeleton.to_global(clip.pose).positions
    ...     return at[:, clip.skeleton.index(f"{side}Hand")]
    >>> hand(moved, "Left")[[0, 20, 34]].round(3)
    array([[0.75, 1.5 , 0.01],
           [0.4 , 1.7 , 0.3 ],
           [0.4 , 1.7 , 0.3 ]])

    The right hand throughout 5 cm in front of the left shoulder:

    >>> shoulder = JointPoint("LeftArm", [0, 0, 0.05])
    >>> hand(move_end(moved, "RightHand", shoulder), "Right")[0].round(3)
    array([0.2 , 1.5 , 0.05])
    """
    check_rate(clip)
    limb = limb_of(clip, end, limbs)
    first, stop = _span(clip, frames)
    wanted = _wanted(clip, target, stop - first)
    _check_apart(clip, limb, wanted)
    blends = _seconds(blend) * clip.fps
    for name, values in clip.pose._asdict().items():
        if not np.isfinite(values).all():
            raise ClipError("the clip", "finite numbers", "NaN or infinity", field=name)
    joints = [limb.start, limb.mid, limb.end, *([] if limb.toe is None else [limb.toe])]
    placed = chains.forward(clip, [*joints, *wanted.joints])
    at = legs.legs_of(placed, [limb])
    goal = _goal(placed, wanted, first, len(clip), blends)
    share = _share(len(clip), first, stop, blends)
    turns = legs.solve(at, _between(at, goal[:, None], share))
    still = legs.no_turn(share.shape)
    change = Change(np.zeros((3, len(clip))), np.ones(share.shape), turns, still, still)
    return _only(share[0] > 0.0, writing.write(clip, [limb], placed, at, change), clip)


def miss(clip: Clip, end: str | int, target: Target, *, frames: tuple[int, int]) -> float:
    """Return the distance by which the end of a limb misses a target at most, in units of the clip.

    Parameters are those of `move_end`.
    """
    joint, (first, stop) = joint_of(clip, end, "end"), frames
    wanted = _wanted(clip, target, stop - first)
    placed = chains.forward(clip, [joint, *wanted.joints])
    goal = _goal(placed, wanted, first, len(clip), 0.0)
    return float(legs.length(placed.positions[joint] - goal)[first:stop].max())


# --- what was asked for -------------------------------------------------------------------


def limb_of(clip: Clip, end: str | int, limbs: Limbs | Sequence[Limb] | None = None) -> Limb:
    """Return the limb that ends with a joint, or raise an error that lists those that can be."""
    found = legs.listed(find_limbs(clip) if limbs is None else limbs)
    joint = joint_of(clip, end, "end")
    for limb in found:
        if limb.end == joint:
            return limb
    known = ", ".join(str(clip.skeleton.label(limb.end)) for limb in found) or "none found"
    raise ClipError("end", f"the end of a limb ({known})", repr(end))


def _span(clip: Clip, frames: Any) -> tuple[int, int]:
    if frames is None:
        return 0, len(clip)
    wanted = f"frames (first, last + 1) within the {len(clip)} frames"
    try:
        first, stop = (int(frame) for frame in frames if frame == int(frame))
    except (TypeError, ValueError, OverflowError) as error:
        raise ClipError("frames", wanted, repr(frames)) from error
    if not 0 <= first < stop <= len(clip):
        raise ClipError("frames", wanted, f"({first}, {stop})")
    return first, stop


def _seconds(blend: Any) -> float:
    is_number = isinstance(blend, int | float | np.floating | np.integer)
    if not is_number or not (np.isfinite(blend) and blend >= 0.0):
        raise ArrayTypeError("blend", "a number of seconds, 0 or more", repr(blend))
    return float(blend)


def _wanted(clip: Clip, target: Target, count: int) -> Wanted:
    if isinstance(target, JointPoint):
        joint = joint_of(clip, target.joint, "target")
        return Wanted([joint], _numbers(target.offset, "target.offset", [(3,)]))
    return Wanted([], _numbers(target, "target", [(3,), (count, 3)]))


def _check_apart(clip: Clip, limb: Limb, wanted: Wanted) -> None:
    """Raise if a target moves with the limb itself."""
    for joint in wanted.joints:
        if limb.start in clip.skeleton.path(joint)[:-1] or joint in (limb.mid, limb.end, limb.toe):
            label = clip.skeleton.label(joint)
            raise ClipError("target", "a joint that does not move with the limb", repr(label))


def _numbers(given: Any, name: str, shapes: list[tuple[int, ...]]) -> Any:
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise ArrayTypeError(name, "an array of numbers or a JointPoint", repr(given)) from error
    if values.shape not in shapes:
        raise ShapeError(name, f"have shape {' or '.join(map(str, shapes))}", values.shape)
    if not np.isfinite(values).all():
        raise ClipError(name, "finite numbers", "NaN or infinity")
    return values


# --- from frame to frame ------------------------------------------------------------------


def _goal(placed: chains.Chains, wanted: Wanted, first: int, count: int, blends: float) -> Floats:
    """Return where the target is in all frames, (3, T)."""
    points = wanted.points
    for joint in wanted.joints:
        return placed.positions[joint] + rotate(placed.rotations[joint], points[:, None])
    if points.ndim == 1:
        return np.broadcast_to(points[:, None], (3, count)).copy()
    goal, stop = np.empty((3, count)), first + len(points)
    goal[:, first:stop] = points.T
    goal[:, :first] = _coming_to_rest(points.T, first, blends)[:, ::-1]
    goal[:, stop:] = _coming_to_rest(points.T[:, ::-1], count - stop, blends)
    return goal


def _coming_to_rest(path: Floats, count: int, blends: float) -> Floats:
    """Return points (3, count) before a path (3, N), backwards: it comes to rest at its beginning.

    That is the quintic polynomial with the path's velocity and acceleration, which are 0 after
    `blends` frames.
    """
    one, two, three = (path[:, min(k, path.shape[1] - 1)][:, None] for k in (0, 1, 2))
    velocity, acceleration = 0.5 * (4.0 * two - 3.0 * one - three), one - 2.0 * two + three
    left = max(blends, 1.0)
    s = np.minimum(np.arange(1, count + 1) / left, 1.0)
    rest = (1.0 - s) ** 3
    moved = -velocity * left * s * (1.0 + 3.0 * s) * rest
    return one + moved + 0.5 * acceleration * left * left * s * s * rest


def _only(some: Flags, made: Clip, clip: Clip) -> Clip:
    """Return a clip with some frames of one and the other frames of another."""
    rotations, translations = clip.pose.rotations.copy(), made.pose.translations
    rotations[some] = made.pose.rotations[some]
    assert translations is not None
    assert clip.pose.translations is not None
    translations = np.where(some[:, None, None], translations, clip.pose.translations)
    return clip.with_pose(LocalPose(rotations, translations))


def _share(count: int, first: int, stop: int, blends: float) -> Floats:
    """Return how far the end is on the way to the target, (1, T): 1 from `first` to `stop` - 1."""
    frames = np.arange(count)
    away = np.maximum(np.maximum(first - frames, frames - stop + 1), 0)
    return curves.ease(1.0 - away / (blends + 1.0))[None]


def _between(at: Legs, goal: Floats, share: Floats) -> Floats:
    """Return where an end goes, (3, 1, T): to the share of the way to its goal.

    The share counts for its direction from the start joint, and for how bent the limb is.
    """
    full = legs.bones(at)
    scale = BENT * full
    was, wanted = legs.length(at.end - at.start), legs.length(goal - at.start)
    bent = swings.bend(full - was, scale)
    bent = bent + share * (swings.bend(full - wanted, scale) - bent)
    between = legs.at_distance(at.start, goal, np.minimum(wanted, full))
    between = at.end + share * (between - at.end)
    between = legs.at_distance(at.start, between, full - swings.short_of(bent, scale))
    return np.where(share > 0.0, between, at.end)
