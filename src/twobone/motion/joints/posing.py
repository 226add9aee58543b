"""Clips of world rotations: a T-pose that stands on the ground, and local rotations."""

from __future__ import annotations

import numpy as np

from twobone.motion.chains import inverse, multiply
from twobone.motion.clip import Clip
from twobone.pose import LocalPose, Skeleton, tree


def clip_of(solved, layout, fps, up, metres, is_guessed) -> Clip:
    """Return the clip of world rotations (J, 4, T) with y up, in axes where `up` points up."""
    parents = layout.parents
    local, offsets = solved.rotations.copy(), solved.offsets.copy()
    roots = [joint for joint, parent in enumerate(parents) if parent < 0]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            back = inverse(solved.rotations[parent])
            local[joint] = multiply(back, solved.rotations[joint])
    for root in roots:
        offsets[root] = solved.positions[root, :, 0]
    if layout.rest is not None:
        offsets[roots[0]] = [0.0, _hip_height(offsets, parents, roots[0]), 0.0]
    rotations = np.ascontiguousarray(local.transpose(2, 0, 1))
    moved = solved.positions[roots].transpose(2, 0, 1)
    if up == "z":
        rotations[..., :3], offsets, moved = (
            _z_up(v) for v in (rotations[..., :3], offsets, moved)
        )
    translations = np.tile(offsets, (len(rotations), 1, 1))
    translations[:, roots] = moved
    made = Skeleton(parents, offsets, names=layout.names)
    guessed = ("up",) if is_guessed and layout.rest is not None else ()
    pose = LocalPose(rotations, translations)
    return Clip(made, pose, fps, up=up, metres=metres, guessed=guessed)


def _hip_height(offsets, parents, root):
    """Return the height of the root of a T-pose whose lowest joint is at 0."""
    heights = np.zeros(len(parents))
    for joint in tree.parents_first(parents, None):
        if joint != root:
            heights[joint] = heights[parents[joint]] + offsets[joint, 1]
    return -float(heights.min())


def _z_up(vectors):
    """Return vectors (..., 3) of axes with y up in axes with z up."""
    return np.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], axis=-1)
