"""Chains of joints that could be limbs: branches of a skeleton, their bones and how these move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twobone.motion.clip import Clip
from twobone.pose import LocalPose, tree
from twobone.rotations import multiply

FARTHEST = 1e60  # frames with joints beyond are left out: squares of areas would overflow
FRAMES = 120  # at most so many frames, spread over the clip, are looked at
LIMB = 0.4  # branches longer than this fraction of the longest are limbs
HAND = 0.1  # and so are those longer than this, if they are also
THICK = 0.5  # longer than this fraction of what is before them
SHORT = 0.06  # bones shorter than this fraction of the longest in their chain are left out
STRAIGHT = 8.0  # degrees; joints that never bend more lie inside a bone, as twist joints do
BENT = 15.0  # degrees; but only in a chain where other joints move through more than that


class Motion(NamedTuple):
    """Positions and rotations of all joints in some frames of a clip, with y up.

    Units are those of the file. T frames, J joints.
    """

    positions: NDArray[np.float64]  # (T, J, 3)
    rotations: NDArray[np.float64]  # (T, J, 4), quaternions xyzw
    clearance: NDArray[np.float64]  # (T, J), height above the lowest joint of the frame


def y_up(points: NDArray[np.float64], up: str) -> NDArray[np.float64]:
    """Return points of a clip in axes where y is up; a rotation by 90 degrees about x for z up.

    Examples
    --------
    >>> from twobone.motion.branches import y_up
    >>> y_up(np.array([1.0, 2.0, 3.0]), "z")
    array([ 1.,  3., -2.])
    """
    if up == "y":
        return points
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def sample(clip: Clip) -> Motion:
    """Return the motion in at most 120 frames of a clip; frames with invalid joints are left out.

    Examples
    --------
    >>> from twobone import LocalPose, Skeleton
    >>> from twobone.motion import Clip
    >>> from twobone.motion.branches import sample
    >>> leg = Skeleton([-1, 0, 1], [[0, 0.9, 0], [0, -0.45, 0], [0, -0.45, 0]])
    >>> sample(Clip(leg, LocalPose([leg.rotations] * 600), 30)).clearance.shape
    (120, 3)
    """
    frames = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), FRAMES)).round().astype(int))
    local = LocalPose(*(np.asarray(part)[frames] for part in clip.pose))
    with np.errstate(all="ignore"):
        pose = clip.skeleton.to_global(local)
        valid = np.all(np.abs(pose.positions) < FARTHEST, axis=(1, 2))
    valid &= np.all(np.isfinite(pose.rotations), axis=(1, 2))
    positions = y_up(pose.positions[valid], clip.up)
    heights = positions[..., 1]
    clearance = heights - np.min(heights, axis=1, keepdims=True)
    turned = pose.rotations[valid]
    if clip.up == "z":
        turned = multiply([-(0.5**0.5), 0.0, 0.0, 0.5**0.5], turned)
    return Motion(positions, turned, clearance)


def distance(motion: Motion, a: int, b: int) -> NDArray[np.float64]:
    """Return the distance between two joints in each frame."""
    return np.linalg.norm(motion.positions[:, a] - motion.positions[:, b], axis=-1)


def median_lengths(
    motion: Motion, some: Sequence[int], others: Sequence[int]
) -> NDArray[np.float64]:
    """Return the median distance between each of some joints and one of others."""
    apart = motion.positions[:, some] - motion.positions[:, others]
    return np.median(np.linalg.norm(apart, axis=-1), axis=0)


def find_chains(parents: tuple[int, ...], motion: Motion) -> list[list[int]]:
    """Return the branches of a skeleton that could be limbs, each from its first joint to its tip.

    A joint belongs to the trunk if branches of the size of limbs divide there or below. Fingers,
    which are much shorter than the arm before them, do not divide it. Each branch off the trunk is
    a chain, so a leg may start with a joint of the pelvis. Where it divides, the chain follows the
    longer part.
    """
    order = tree.parents_first(parents, None)
    sizes = median_lengths(motion, range(len(parents)), parents).tolist()
    length = [0.0 if parent < 0 else size for size, parent in zip(sizes, parents, strict=True)]
    branches: list[list[int]] = [[] for _ in parents]  # the children, those of long branches first
    extent, second = [0.0] * len(parents), [0.0] * len(parents)
    for joint in reversed(order):
        branches[joint].sort(key=lambda child: -(length[child] + extent[child]))
        for child in branches[joint][:1]:
            extent[joint] = length[child] + extent[child]
        # The bones to the branches are not counted: those to controls may have any length.
        second[joint] = sorted([0.0, 0.0, *(extent[child] for child in branches[joint])])[-2]
        if parents[joint] >= 0:
            branches[parents[joint]].append(joint)
    trunk = _trunk(parents, order, length, second)
    chains = []
    for joint in order:
        if joint not in trunk and (parents[joint] < 0 or parents[joint] in trunk):
            chain = [joint]
            while branches[chain[-1]]:
                chain.append(branches[chain[-1]][0])
            chains.append(chain)
    return chains


def _trunk(parents, order, length, second):
    """Return the joints where branches of the size of limbs divide, and all their ancestors."""
    largest = max(second)
    before = [0.0] * len(parents)  # length since the trunk last divided
    trunk = set()
    for joint in order:
        if parents[joint] >= 0:
            before[joint] = before[parents[joint]] + length[joint]
        if second[joint] > LIMB * largest or (
            second[joint] > HAND * largest and second[joint] > THICK * before[joint]
        ):
            before[joint] = 0.0
            while joint >= 0 and joint not in trunk:
                trunk.add(joint)
                joint = parents[joint]
    return trunk


def bones(
    chain: list[int], motion: Motion, named: frozenset[int], ends: frozenset[int] = frozenset()
) -> list[int]:
    """Return the joints of a chain at which bones meet, and its tip.

    Of two joints at almost the same place, the one in `named` is kept. A joint that never bends in
    a chain that does is inside a bone, and is left out; but not those in `ends`, which are named as
    wrists and ankles.
    """
    sizes = median_lengths(motion, chain[:-1], chain[1:]).tolist()
    least = SHORT * max(sizes, default=0.0)
    kept = chain[:1]
    for joint, size in zip(chain[1:], sizes, strict=True):
        if size > least:
            kept.append(joint)
        elif joint in named and kept[-1] not in named:
            kept[-1] = joint
    if len(kept) < 3:
        return kept
    angles = bending(motion, kept[:-2], kept[1:-1], kept[2:])
    if np.max(np.ptp(angles, axis=0)) > BENT:
        is_rigid = np.min(angles, axis=0) > 180.0 - STRAIGHT
        rigid = {joint for joint, each in zip(kept[1:-1], is_rigid, strict=True) if each} - ends
        kept = [joint for joint in kept if joint not in rigid]
    return kept


def bending(
    motion: Motion, start: Sequence[int], mid: Sequence[int], end: Sequence[int]
) -> NDArray[np.float64]:
    """Return the joint angles at `mid` in each frame, in degrees; 180 is straight."""
    first = motion.positions[:, start] - motion.positions[:, mid]
    second = motion.positions[:, end] - motion.positions[:, mid]
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.degrees(np.arctan2(across, np.sum(first * second, axis=-1)))
