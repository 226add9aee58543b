"""Joint positions of a synthetic person who moves, with the rotations that they are made of."""

import numpy as np

from twobone import LocalPose, Skeleton
from twobone.motion import Clip

PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
OFFSETS = np.array(
    [
        *([0, 0.93, 0], [0.07, -0.09, 0], [-0.07, -0.09, 0], [0, 0.11, -0.02]),
        *([0.02, -0.39, 0], [-0.02, -0.39, 0], [0, 0.13, 0], [0, -0.4, -0.02], [0, -0.4, -0.02]),
        *([0, 0.06, 0.02], [0.02, -0.06, 0.13], [-0.02, -0.06, 0.13], [0, 0.21, -0.02]),
        *([0.08, 0.12, -0.02], [-0.08, 0.12, -0.02], [0, 0.09, 0.05]),
        *(
            [0.1, 0.03, 0],
            [-0.1, 0.03, 0],
            [0.26, 0, 0],
            [-0.26, 0, 0],
            [0.25, 0, 0],
            [-0.25, 0, 0],
        ),
    ]
)
HINGES = {4: [1, 0, 0], 5: [1, 0, 0], 18: [0, -1, 0], 19: [0, 1, 0]}  # of knees and elbows


def person(frames, seed=0, bent=(20.0, 90.0), fps=20.0, turning=40.0):
    """Return a clip of a person with 22 joints who moves, and turns by degrees a second.

    Elbows and knees are bent by angles from `bent`, in degrees; negative ones bend backward.
    """
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(PARENTS, OFFSETS)
    time = np.arange(frames) / fps
    vectors = np.zeros((frames, len(PARENTS), 3))
    for joint in range(len(PARENTS)):
        phase, speed = rng.uniform(0, 6.28, 3), rng.uniform(1.0, 3.0, 3)
        swing = np.sin(speed * time[:, None] + phase)
        size = 15.0 if joint in (3, 6, 9, 12, 13, 14) else 40.0
        vectors[:, joint] = size * swing
        if joint in HINGES:
            angle = bent[0] + (bent[1] - bent[0]) * (0.5 + 0.5 * swing[:, :1])
            vectors[:, joint] = angle * np.array(HINGES[joint])
    vectors[:, 0] = [0.0, 1.0, 0.0] * (turning * time[:, None])
    translations = np.tile(OFFSETS, (frames, 1, 1))
    translations[:, 0] += np.stack([time, 0.05 * np.sin(5 * time), 0.3 * np.cos(time)], axis=-1)
    return Clip(skeleton, LocalPose(rotations(vectors), translations), fps)


def rotations(degrees):
    """Return quaternions of rotation vectors in degrees."""
    vectors = np.radians(degrees)
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    axis = vectors / np.maximum(angle, 1e-12)
    return np.concatenate([np.sin(0.5 * angle) * axis, np.cos(0.5 * angle)], axis=-1)


def positions(clip):
    """Return the positions of all joints of a clip by matrices, shape (T, J, 3)."""
    x, y, z, w = np.moveaxis(clip.pose.rotations, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    local = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    turned, placed = {}, {}
    parents = clip.skeleton.parents
    for joint in sorted(range(len(parents)), key=lambda each: len(clip.skeleton.path(each))):
        parent, at = parents[joint], clip.pose.translations[:, joint]
        above = turned.get(parent, np.eye(3)[None])
        turned[joint] = above @ local[:, joint]
        placed[joint] = placed.get(parent, 0.0) + np.einsum("tij,tj->ti", above, at)
    return np.stack([placed[joint] for joint in range(len(parents))], axis=1)


def features(points, contacts):
    """Return the features of HumanML3D of positions (T, J, 3) whose hips are at joints 1 and 2.

    Rotations and velocities of joints, which nobody reads, are 0. The root of the first frame must
    be at x = z = 0 and face +z.
    """
    frames, joints = points.shape[:2]
    across = points[:, 1] - points[:, 2]
    yaw = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
    yaw -= yaw[0]
    cos, sin = np.cos(yaw), np.sin(yaw)
    local = points - points[:, :1] * [1.0, 0.0, 1.0]
    level = _turned(local[..., [0, 2]], cos[:, None], sin[:, None])
    steps = np.diff(points[:, 0][:, [0, 2]], axis=0)
    found = np.zeros((frames, 12 * joints - 1))
    found[:-1, 0] = -0.5 * np.diff(yaw)
    found[:-1, 1:3] = _turned(steps, cos[1:], sin[1:])
    found[:, 3] = points[:, 0, 1]
    inner = np.stack([level[..., 0], local[..., 1], level[..., 1]], axis=-1)[:, 1:]
    found[:, 4 : 4 + 3 * (joints - 1)] = inner.reshape(frames, -1)
    found[:, -4:] = contacts
    return found


def _turned(level, cos, sin):
    x, z = level[..., 0], level[..., 1]
    return np.stack([cos * x - sin * z, sin * x + cos * z], axis=-1)
