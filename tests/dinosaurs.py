"""A biped whose arms are named as front legs, as in many rigs: y up, metres, facing +z."""

import numpy as np

from twobone import LocalPose, Skeleton
from twobone.motion import Clip

PARTS = ("UpLeg", "LowLeg", "Foot")
HANDS, FEET = ["FrontFoot.L", "FrontFoot.R"], ["BackFoot.L", "BackFoot.R"]


def standing(hands, frames=60):
    """Return a biped that stands, and slides by 6 cm; its arms have names of front legs.

    The shoulders are 1.3 above the ground, and arms hang down to hands at a height.
    """
    names, parents, offsets = ["Hips"], [-1], [[0.0, 1.0, 0.0]]
    half = 0.5 * (1.3 - hands)
    for place, lengths, x, up, ahead in (
        ("Back", (0.45, 0.45), 0.15, 0.0, 0.0),
        ("Front", (half, half), 0.2, 0.3, 0.5),
    ):
        for side, sign in (("L", 1.0), ("R", -1.0)):
            parent = 0
            for part, offset in zip(
                PARTS,
                ([sign * x, up, ahead], [0.0, -lengths[0], 0.0], [0.0, -lengths[1], 0.0]),
                strict=True,
            ):
                names.append(f"{place}{part}.{side}")
                parents.append(parent)
                offsets.append(offset)
                parent = len(names) - 1
    body = Skeleton(parents, offsets, names=names)
    moved = np.tile(offsets, (frames, 1, 1))
    moved[:, 0, 2] += np.linspace(0.0, 0.06, frames)
    return Clip(body, LocalPose(np.tile(body.rotations, (frames, 1, 1)), moved), 30.0)
