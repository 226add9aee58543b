"""What is probably wrong with joint positions: their units, their up axis, or their sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError
from twobone.motion.joints.layouts import Layout

Floats = NDArray[np.float64]

TALLEST, SHORTEST = 3.5, 0.4  # metres; figures between may be giants and toddlers
PERSON = 1.7  # metres: how tall figures are assumed to be
TALL = 1.6  # how tall a person is, over the bones from the hips to the tip of the farther limb
UNITS = (1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048)
ASKEW = 0.5  # of the frames, from which on a figure is taken to look the wrong way
HEADS = ("head", "neck", "nose")


class JointsWarning(UserWarning):
    """Joint positions that `from_joints` converted, though something seems to be wrong."""


def check_size(lengths: Floats, layout: Layout, metres: float, of_features: bool) -> None:
    """Raise an error if a human figure is far too tall or too small for the unit of length.

    Lengths (J) are those of the bones; features have metres if they are not normalized.
    """
    if layout.rest is None:
        return
    reach = np.zeros(len(lengths))
    for joint in np.argsort([_depth(layout.parents, each) for each in range(len(lengths))]):
        parent = layout.parents[joint]
        reach[joint] = 0.0 if parent < 0 else reach[parent] + lengths[joint]
    units = TALL * float(reach.max())
    if units <= 0.0:
        raise ClipError("the joints", "bones of some length", "joints that all coincide")
    tall = metres * units
    if not SHORTEST <= tall <= TALLEST:
        likely = min(UNITS, key=lambda unit: abs(np.log(unit * units / PERSON)))
        hint = ""
        if of_features:
            hint = "; are these features normalized? Times the standard deviation, plus the mean"
        elif SHORTEST <= likely * units <= TALLEST:
            hint = f"; its unit is probably {likely:g} m: metres={likely:g}"
        wanted = f"a person of {SHORTEST} to {TALLEST} m"
        raise ClipError("the joints", wanted, f"one of {tall:.3g} m{hint}", field="metres")


def _depth(parents, joint):
    depth = 0
    while parents[joint] >= 0:
        joint, depth = parents[joint], depth + 1
    return depth


def upward(points: Floats, layout: Layout) -> tuple[str, float]:
    """Return the axis along which heads are above ankles, such as "z", and its sign.

    `points` has shape (T, J, 3).
    """
    names = layout.names or ()
    head = next(joint for name in HEADS for joint, each in enumerate(names) if each == name)
    ankles = [joint for joint, each in enumerate(names) if each.endswith("_ankle")]
    above = np.median(points[:, head] - points[:, ankles].mean(1), axis=0)
    axis = int(np.argmax(np.abs(above)))
    return "xyz"[axis], float(np.sign(above[axis]))


def is_mirrored(points: Floats, layout: Layout) -> bool:
    """Return whether knees and toes point backward in most frames, with y up.

    Then left and right are exchanged, or the data are mirrored. `points` has shape (T, J, 3).
    """
    place = {each: joint for joint, each in enumerate(layout.names or ())}
    left, right = (points[:, place[f"{side}_hip"]] for side in ("left", "right"))
    forward = np.cross(left - right, [0.0, 1.0, 0.0])
    votes = np.zeros(len(points))
    for side in ("left", "right"):
        hip, knee, ankle = (points[:, place[f"{side}_{p}"]] for p in ("hip", "knee", "ankle"))
        votes += ((2.0 * knee - hip - ankle) * forward).sum(-1)
        foot = place.get(f"{side}_foot")
        if foot is not None:
            votes += ((points[:, foot] - ankle) * forward).sum(-1)
    return bool(np.mean(np.sign(votes)) < -ASKEW)
