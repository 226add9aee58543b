"""Guesses of what BVH files do not state: which axis points up, and how long a unit is."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twobone.pose import LocalPose, Skeleton, tree

FRAMES = 100  # looked at, evenly spread over the clip
# From the hips to the tip of the foot along the bones, in metres: a person of 1.7 m.
LEG = 1.15
UNITS = (1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45)  # the last is that of the CMU files
NEAR = 1.35  # a guess within this factor of a unit becomes the unit
FEET = ("foot", "ankle", "toe", "hoof", "paw")


@np.errstate(all="ignore")  # of offsets that overflow as squares
def guess_up(skeleton: Skeleton, pose: LocalPose[Any]) -> Literal["y", "z"]:
    """Return the axis along which the hips are above the feet, on average over the motion.

    Joints are feet if their names say so. If none does, those are that are farthest below the
    hips: the axis is that along which the hips are higher above the lowest joint.
    """
    positions = _positions(skeleton, pose)
    apart = positions[:, [_hips(skeleton)]] - positions
    feet = _feet(skeleton)
    above = apart[:, feet].mean(axis=1) if feet else apart.max(axis=1)
    _, y, z = np.mean(above, axis=0)
    return "z" if z > y else "y"


@np.errstate(all="ignore")
def guess_metres(skeleton: Skeleton, pose: LocalPose[Any], up: Literal["y", "z"]) -> float:
    """Return the length of a unit in metres, if the skeleton is that of a person of 1.7 m.

    Measured is the length of the bones from the hips to the tip of a foot, the longest of the feet
    below the hips. So all takes of one skeleton have the same unit, if its feet are known by their
    names. If none is, the foot is that joint which is most often the lowest. A guess near a usual
    unit becomes that unit.
    """
    lengths = _lengths_from_hips(skeleton)
    below = set(skeleton.below(_hips(skeleton)))
    feet = [joint for joint in _feet(skeleton) if joint in below]
    if feet:
        leg = lengths[feet].max()
    else:
        height = _positions(skeleton, pose)[..., "xyz".index(up)]
        leg = lengths[np.bincount(height.argmin(axis=1)).argmax()]
    if not 1e-9 < leg < 1e9:
        return 1.0
    metres = LEG / float(leg)
    unit = min(UNITS, key=lambda unit: abs(np.log(unit / metres)))
    return unit if 1.0 / NEAR < unit / metres < NEAR else float(f"{metres:.2g}")


def _positions(skeleton, pose):
    """Return the positions of all joints in some frames, without those that overflow."""
    frames = np.unique(np.linspace(0, len(pose.rotations) - 1, FRAMES).astype(int))
    some = LocalPose(pose.rotations[frames], pose.translations[frames])
    return np.clip(np.nan_to_num(skeleton.to_global(some).positions), -1e100, 1e100)


def _feet(skeleton):
    """Return the joints that are named as parts of feet."""
    return [
        joint
        for joint, name in enumerate(skeleton.names or ())
        if any(word in name.lower() for word in FEET)
    ]


def _lengths_from_hips(skeleton):
    """Return the length of the bones from the hips to each joint; of others, from their root."""
    hips, lengths = _hips(skeleton), np.zeros(len(skeleton.parents))
    own = np.linalg.norm(skeleton.offsets, axis=1)
    for joint in tree.parents_first(skeleton.parents, None):
        parent = skeleton.parents[joint]
        if parent >= 0 and joint != hips:
            lengths[joint] = lengths[parent] + own[joint]
    return lengths


def _hips(skeleton):
    """Return the first joint from the root down that has several children."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents):
        children.setdefault(parent, []).append(joint)
    joint = children[-1][0]
    while len(children.get(joint, [])) == 1:
        [joint] = children[joint]
    return joint
