"""Clips of a synthetic person: y up, metres, facing +z; 17 joints named as in Mixamo."""

import numpy as np

from twobone import LocalPose, Skeleton
from twobone.motion import Clip

LEG = {
    "UpLeg": [0.1, -0.05, 0.0],
    "Leg": [0.0, -0.42, 0.02],
    "Foot": [0.0, -0.41, -0.02],
    "ToeBase": [0.0, -0.06, 0.13],
}
ARM = {"Arm": [0.18, 0.45, 0.0], "ForeArm": [0.28, 0.0, 0.0], "Hand": [0.25, 0.0, 0.0]}


def skeleton():
    """Return the skeleton: hips, legs, a head, arms that point sideways, and their tips."""
    names, parents, offsets = ["Hips"], [-1], [[0.0, 0.97, 0.0]]
    for parts in (LEG, ARM):
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            parent = 0
            for part, (x, y, z) in parts.items():
                names.append(side + part)
                parents.append(parent)
                offsets.append([sign * x, y, z])
                parent = len(names) - 1
    for name, parent, y in (("Neck", 0, 0.5), ("Head", len(names), 0.2)):
        names.append(name)
        parents.append(parent)
        offsets.append([0.0, y, 0.0])
    return Skeleton(parents, offsets, names=names)


def standing(frames, right_hip=0.0):
    """Return a clip of standing; the right hip may be bent by some degrees throughout."""
    person = skeleton()
    rotations = np.tile(person.rotations, (frames, 1, 1))
    half = np.radians(0.5 * right_hip)
    rotations[:, person.index("RightUpLeg")] = [np.sin(half), 0.0, 0.0, np.cos(half)]
    return Clip(person, LocalPose(rotations), 50.0)
