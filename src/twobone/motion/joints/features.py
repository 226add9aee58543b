"""HumanML3D's features of motion: 263 numbers a frame for SMPL, 251 for KIT.

In the order of a frame: the turn of the root about y (radians to the next frame, halved), its steps
along x and z in its own space, its height; positions of the other joints in the space of the root,
their rotations, velocities of all joints, and contacts of ankles and toes, left before right.

Source: Guo and others, "Generating Diverse and Natural 3D Human Motions from Text", 2022.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.errors import ClipError

Floats = NDArray[np.float64]

WIDTHS = {263: "smpl22", 251: "kit21"}
CONTACTS = {  # the joints of the last four numbers
    "smpl22": ("left_ankle", "left_foot", "right_ankle", "right_foot"),
    "kit21": ("left_foot", "left_toe", "right_foot", "right_toe"),
}
ON = 0.5  # contacts of networks are numbers around 0 and 1


class Decoded(NamedTuple):
    """Positions (T, J, 3), the layout of their joints, and contacts (T) by the joint's name."""

    points: Floats
    skeleton: str
    contacts: dict[str, NDArray[np.bool_]]


def decoded(features: Floats) -> Decoded:
    """Return the motion that features (T, 263) or (T, 251) describe.

    They must be what the data set holds: a network's output, times its standard deviation, plus
    its mean.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.motion.joints.features import decoded
    >>> decoded(np.zeros((60, 263))).points.shape
    (60, 22, 3)
    """
    count = features.shape[-1]
    if count not in WIDTHS:
        raise ClipError("the joints", "263 or 251 numbers a frame", count, field="points")
    skeleton = WIDTHS[count]
    joints = (count + 1) // 12
    angles = np.concatenate([[0.0], 2.0 * np.cumsum(features[:-1, 0])])
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    steps = np.concatenate([np.zeros((1, 2)), features[:-1, 1:3]])
    path = np.cumsum(_turned(steps, cos, sin), axis=0)
    local = features[:, 4 : 4 + 3 * (joints - 1)].reshape(len(features), joints - 1, 3)
    points = np.empty((len(features), joints, 3))
    points[:, 0, 0], points[:, 0, 1], points[:, 0, 2] = path[:, 0], features[:, 3], path[:, 1]
    points[:, 1:, [0, 2]] = _turned(local[:, :, [0, 2]], cos[:, None], sin[:, None]) + path[:, None]
    points[:, 1:, 1] = local[:, :, 1]
    flags = features[:, -4:] > ON
    names = CONTACTS[skeleton]
    return Decoded(points, skeleton, {name: flags[:, n] for n, name in enumerate(names)})


def _turned(level, cos, sin):
    """Return x and z (..., 2), turned about y from the root's space into the world."""
    x, z = level[..., 0, None], level[..., 1, None]
    return np.concatenate([cos * x - sin * z, sin * x + cos * z], axis=-1)
