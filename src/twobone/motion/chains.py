"""Forward kinematics of the joints that limbs depend on, for all frames of a clip at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.motion.clip import Clip
from twobone.pose import Skeleton
from twobone.rotations import quaternions

Floats = NDArray[np.float64]


class Chains(NamedTuple):
    """World positions (3, T), world rotations (4, T) and unit local rotations, by joint."""

    positions: dict[int, Floats]
    rotations: dict[int, Floats]
    local: dict[int, Floats]


def with_ancestors(skeleton: Skeleton, joints: Iterable[int]) -> list[int]:
    """Return joints and all their ancestors, parents first."""
    found: dict[int, None] = {}
    for joint in joints:
        found.update(dict.fromkeys(skeleton.path(joint)))
    depth = {joint: len(skeleton.path(joint)) for joint in found}
    return sorted(found, key=lambda joint: depth[joint])


def forward(clip: Clip, joints: Iterable[int]) -> Chains:
    """Return where the given joints and their ancestors are in all frames.

    `Skeleton.to_global` does it for all joints, with any array library, and turns invalid
    quaternions into NaN; here a quaternion of 0 is the identity.
    """
    skeleton = clip.skeleton
    order = with_ancestors(skeleton, joints)
    # Components first, frames last: every operation runs along contiguous memory.
    rotations = np.ascontiguousarray(clip.pose.rotations[:, order].transpose(1, 2, 0))
    translations = clip.pose.translations
    assert translations is not None
    offsets = np.ascontiguousarray(translations[:, order].transpose(1, 2, 0))
    squares = (rotations * rotations).sum(1, keepdims=True)
    rotations /= np.sqrt(np.where(squares > 0.0, squares, 1.0))
    rotations[:, 3] += squares[:, 0] == 0.0  # no rotation at all: the identity
    if skeleton.parent_scales is not None:
        offsets *= np.array([skeleton.parent_scales[joint] for joint in order])[:, None, None]
    chains = Chains({}, {}, dict(zip(order, rotations, strict=True)))
    for joint, own, offset in zip(order, rotations, offsets, strict=True):
        parent = skeleton.parents[joint]
        if parent < 0:
            chains.rotations[joint], chains.positions[joint] = own, offset
            continue
        rotation = chains.rotations[parent]
        chains.rotations[joint] = multiply(rotation, own)
        chains.positions[joint] = chains.positions[parent] + rotate(rotation, offset)
    return chains


def multiply(p: Floats, q: Floats) -> Floats:
    """Return the product of quaternions whose components are on the first axis."""
    return np.stack(quaternions.multiply(p, q))


def rotate(q: Floats, v: Floats) -> Floats:
    """Rotate vectors by unit quaternions; components are on the first axis."""
    return np.stack(quaternions.rotate(q, v))


def inverse(q: Floats) -> Floats:
    """Return the inverse of unit quaternions whose components are on the first axis."""
    return np.stack(quaternions.conjugate(q))
