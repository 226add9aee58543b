"""Clips from joint positions, in closed form: bones of constant length, and rotations."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twobone.errors import ArrayTypeError, ClipError
from twobone.motion.clip import Clip, check_far
from twobone.motion.joints import features, filling, layouts, plausible, posing, solving
from twobone.motion.joints.layouts import Layout
from twobone.motion.joints.plausible import JointsWarning
from twobone.pose import Skeleton

ENDS = ("shared", "exact")
NAMED = 3  # joints with gaps that a warning names


def from_joints(
    points: Any,
    fps: float,
    *,
    skeleton: str | None = None,
    parents: Sequence[int | None] | None = None,
    names: Sequence[str] | None = None,
    up: Literal["y", "z"] | None = None,
    metres: float | None = None,
    ends: Literal["shared", "exact"] = "shared",
    smooth: float = 0.0,
) -> Clip:
    """Make a clip of joint positions, as networks and trackers give them: find the rotations.

    Bones get constant lengths, the medians of the clip. Hips and chest are rotated as a whole,
    wrists and ankles are reached by two-bone inverse kinematics, and elbows and knees bend about
    hinges that do not flip. How hands, feet and heads are twisted about their own bones is not in
    the positions: they keep the rotation of the joint above.

    Parameters
    ----------
    points : array, shape (T, J, 3), (T, 263) or (T, 251)
        Positions of the joints in each frame, or the features of HumanML3D and KIT-ML, not
        normalized. NaN where a joint is not known.
    fps : float
        Frames per second.
    skeleton : {"smpl22", "smpl24", "kit21", "coco17", "h36m17"}, optional
        The order of the joints. Needed if several have J joints.
    parents : sequence of int, optional
        For a skeleton of your own: the parent of each joint, -1 for the root.
    names : sequence of str, optional
        Names of the joints. By default those of the skeleton.
    up : {"y", "z"}, optional
        The axis that points up. By default that along which the head is above the feet; for
        `parents`, y.
    metres : float, optional
        Metres per unit. By default 1, for "kit21" 0.001.
    ends : {"shared", "exact"}
        Where bones of constant length do not fit the positions: "shared" moves ends and middle
        joints of limbs, each a little, so that both are steady; "exact" brings wrists and ankles
        to their positions, and elbows and knees may shake; bones twist as with "shared". Where a
        limb is too short, shoulders, hips and spine give way, by at most five times the noise.
    smooth : float
        Seconds over which positions are smoothed before, by parabolas; 0 for not at all.

    Returns
    -------
    Clip
        In the units and axes of the points. The rest pose is a T-pose that faces +z; with
        `parents`, it is about the mean pose. The layout "coco17" gets two joints more: "pelvis"
        and "neck", halfway between hips and shoulders.

    Warns
    -----
    JointsWarning
        If gaps were filled, another axis seems to point up, or left and right seem to be exchanged.

    Raises
    ------
    ClipError
        If shapes fit no skeleton or several, a person is smaller than 0.4 m or taller than 3.5 m,
        a joint is not known in any frame, or an option is invalid.
    ArrayTypeError
        If `points` does not hold real numbers.

    See Also
    --------
    Clip.joints, pin

    Notes
    -----
    Positions that a skeleton with constant bones can take are reproduced exactly, but for rounding.
    In layouts and `parents`, joints that coincide in all frames share their rotation.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone import motion
    >>> points = np.load("motion.npy")  # doctest: +SKIP
    >>> motion.from_joints(points, 20)  # doctest: +SKIP
    Clip(196 frames at 20 a second, 22 joints)

    An arm of your own:

    >>> t = np.linspace(0.0, 1.0, 30)
    >>> elbow = np.stack([np.cos(t), np.sin(t), 0.0 * t], axis=-1)
    >>> arm = np.stack([0.0 * elbow, elbow, elbow + [1.0, 0.0, 0.0]], axis=1)
    >>> clip = motion.from_joints(arm, 30, parents=[-1, 0, 1], names=["upper", "lower", "hand"])
    >>> bool(np.abs(clip.joints() - arm).max() < 1e-9)
    True
    """
    clip, notes = converted(
        points,
        fps,
        skeleton=skeleton,
        parents=parents,
        names=names,
        up=up,
        metres=metres,
        ends=ends,
        smooth=smooth,
    )
    for note in notes:
        warnings.warn(note, JointsWarning, stacklevel=2)
    return clip


def converted(
    points,
    fps,
    *,
    skeleton=None,
    parents=None,
    names=None,
    up=None,
    metres=None,
    ends: Any = "shared",
    smooth=0.0,
) -> tuple[Clip, list[str]]:
    """Return the clip of `from_joints`, and what it warns of: threads share their warnings."""
    given = _array(points)
    of_features = given.ndim == 2 and parents is None
    if of_features:
        decoded = features.decoded(given)
        given, skeleton = decoded.points, decoded.skeleton
    layout = _layout(given, skeleton, parents, names)
    metres = layout.metres if metres is None else float(metres)
    _check_options(fps, metres, up, ends, smooth)
    check_far("the joints", given[np.isfinite(given)], "points")
    known, notes = _whole(given, layout)
    axis, more = _up(known, layout, up)
    if axis == "z":
        known = np.stack([known[:, 0], known[:, 2], -known[:, 1]], axis=1)
    if smooth:
        known = filling.smoothed(known, round(0.5 * smooth * fps))
    limb_joints = layout.limbs if layout.rest is not None else _found_limbs(known, layout, fps)
    body = solving.measured(known, layout.parents, limb_joints, layout.rest)
    plausible.check_size(body.lengths, layout, metres, of_features)
    if (
        layout.rest is not None
        and not more
        and plausible.is_mirrored(known.transpose(2, 0, 1), layout)
    ):
        more.append("left and right seem to be exchanged: knees and toes point backward")
    solved = solving.solve(known, body, fps, ends)
    made = posing.clip_of(solved, layout, fps, axis, metres, up is None)
    made.human_bones = layout.human_bones
    if names is None or layout.rest is None:
        return made, [*notes, *more]
    labels = (*names, *(layout.names or ())[layout.count :])
    made.skeleton = Skeleton(layout.parents, made.skeleton.offsets, names=labels)
    return made, [*notes, *more]


def _array(points):
    """Return points as float64, NaN wherever a number is not finite."""
    try:
        given = np.asarray(points)
    except ValueError:
        raise ArrayTypeError("points", "an array of numbers", "rows of different lengths") from None
    if given.dtype.kind not in "fiu":
        raise ArrayTypeError("points", "an array of real numbers", str(given.dtype))
    given = given.astype(np.float64)
    return np.where(np.isfinite(given), given, np.nan)


def _layout(points, skeleton, parents, names) -> Layout:
    """Return the layout of points (T, J, 3)."""
    if points.ndim != 3 or points.shape[-1] != 3 or not points.size:
        wanted = "an array of shape (T, J, 3), (T, 263) or (T, 251), one motion at a time"
        raise ClipError("the joints", wanted, points.shape, field="points")
    count = points.shape[1]
    if parents is None:
        layout = layouts.chosen(skeleton, count)
    elif skeleton is not None:
        raise ClipError("the joints", "skeleton or parents", "both", field="skeleton")
    else:
        layout = layouts.of_parents(parents, names)
    if layout.count != count:
        raise ClipError("the joints", f"{count} parents", layout.count, field="parents")
    if names is not None and len(names) != count:
        raise ClipError("the joints", f"{count} names", len(names), field="names")
    return layout


def _check_options(fps, metres, up, ends, smooth):
    for name, value, least in (("fps", fps, 0.0), ("metres", metres, 0.0)):
        if not (np.isfinite(value) and value > least):
            raise ClipError("the joints", "a number above 0", value, field=name)
    if not (np.isfinite(smooth) and smooth >= 0.0):
        raise ClipError("the joints", "seconds, 0 or more", smooth, field="smooth")
    if ends not in ENDS:
        raise ClipError("the joints", "'shared' or 'exact'", repr(ends), field="ends")
    if up not in (None, "y", "z"):
        raise ClipError("the joints", "'y' or 'z'", repr(up), field="up")


def _whole(points, layout):
    """Return points (J, 3, T) without gaps, joints between others included, and a note on gaps."""
    known = np.ascontiguousarray(points.transpose(1, 2, 0))
    valid = np.all(np.isfinite(known), axis=1)
    label = (layout.names or [str(joint) for joint in range(len(known))]).__getitem__
    notes = []
    if not np.all(valid):
        for joint in np.flatnonzero(~np.any(valid, axis=1)).tolist():
            wanted = "positions of each joint in at least one frame"
            raise ClipError("the joints", wanted, f"none of {label(joint)}")
        gaps = np.flatnonzero(~np.all(valid, axis=1)).tolist()
        root = layout.parents.index(-1) if layout.parents.index(-1) < len(known) else gaps[0]
        known = filling.filled(known, valid, root)
        named = ", ".join(label(joint) for joint in gaps[:NAMED])
        more = f" and {len(gaps) - NAMED} more" if len(gaps) > NAMED else ""
        frames = int(np.any(~valid, axis=0).sum())
        notes.append(f"gaps were filled in {frames} of {len(points)} frames, of {named}{more}")
    between = [0.5 * (known[a] + known[b]) for a, b in layout.middles]
    return np.concatenate([known, np.array(between).reshape(-1, *known.shape[1:])]), notes


def _up(known, layout, up):
    """Return the axis that points up, and what is to be said about it."""
    if layout.rest is None:
        return up or "y", []
    axis, sign = plausible.upward(known.transpose(2, 0, 1), layout)
    found = axis if axis in "yz" else "y"
    if sign < 0.0 or axis == "x":
        turned = "down" if sign < 0.0 else "up"
        return up or found, [f"the figure seems to have {axis} {turned}: turn it before"]
    if up is not None and up != found:
        return up, [f"the figure seems to have {found} up, and not {up}"]
    return found, []


def _found_limbs(known, layout, fps):
    """Return start, mid and end joint of the limbs that are found in a provisional clip."""
    from twobone.motion.limbs import find_limbs

    some = known[:, :, solving.spread_frames(known.shape[-1], 100)]
    body = solving.measured(some, layout.parents, (), None)
    solved = solving.solve(some, body, fps, "shared")
    found = find_limbs(posing.clip_of(solved, layout, fps, "y", 1.0, False))
    return tuple((limb.start, limb.mid, limb.end) for limb in (*found.legs, *found.arms))
