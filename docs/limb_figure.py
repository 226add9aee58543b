"""The leg in the pictures of docs/limbs.md, and functions that draw it."""

import math

import numpy as np

import twobone
from twobone.pictures import stage as on
from twobone.pose import GlobalPose, LocalPose, Skeleton

WIDTH = 560.0  # px: text stays legible on a phone
BASE = 24.0  # px from the bottom of a picture to the baseline of the panels' captions

FORWARD, UP, OUT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), np.array([-1.0, 0.0, 0.0])
NAMES = ("hips", "thigh", "shin", "foot", "toe")
OFFSETS = [
    [0.0, 1.0, 0.0],
    [-0.1, -0.05, 0.0],
    [0.0, -0.45, 0.03],
    [0.0, -0.43, -0.03],
    [0.0, -0.07, 0.15],
]
LEG = Skeleton([-1, 0, 1, 2, 3], OFFSETS, names=NAMES)
STRAIGHT = Skeleton(
    [-1, 0, 1, 2, 3], np.multiply(OFFSETS, [[1, 1, 1]] * 2 + [[1, 1, 0]] * 2 + [[1, 1, 1]])
)
SOLE = np.array(
    [
        [0.0, 0.0, -0.035],
        [0.0, -0.055, -0.07],
        [0.0, -0.07, -0.06],
        [0.0, -0.07, 0.17],
        [0.0, -0.045, 0.17],
        [0.0, 0.01, 0.03],
    ]
)
LIMB = twobone.Limb(LEG, "thigh", "shin", "foot")
REST = LocalPose(LEG.rotations)


# --- poses and shapes ----------------------------------------------------------------------


def about(axis, degrees):
    """Return the quaternion of a rotation about an axis."""
    half = math.radians(0.5 * degrees)
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.array([*(math.sin(half) * axis), math.cos(half)])


def rotated(q, v):
    """Rotate vectors by a quaternion."""
    twice = 2.0 * np.cross(q[:3], v)
    return v + q[3] * twice + np.cross(q[:3], twice)


def positions(pose, skeleton=LEG, joints=(1, 2, 3)):
    """Return the positions of a limb's joints in a pose."""
    pose = pose if isinstance(pose, GlobalPose) else skeleton.to_global(pose)
    return pose.positions[..., list(joints), :]


def foot(place, pose, *, skeleton=LEG, classes="mark hushed", joint=3):
    """Draw the foot with its rotation."""
    pose = pose if isinstance(pose, GlobalPose) else skeleton.to_global(pose)
    shape = pose.positions[joint] + rotated(pose.rotations[joint], SOLE)
    return on.solid(place, classes, *shape)


def leg(place, pose, *, skeleton=LEG, ghost=False):
    """Draw a leg with its foot."""
    classes = "mark hushed other" if ghost else "mark hushed"
    return foot(place, pose, skeleton=skeleton, classes=classes) + on.bones(
        place, positions(pose, skeleton), ghost=ghost
    )


def ground(place, *points):
    """Draw the ground: a line from left to right, filled below."""
    below = [points[-1] - 0.16 * UP, points[0] - 0.16 * UP]
    low = min(point[1] for point in points) - 0.1
    below = [np.array([p[0], low, p[2]]) for p in below]
    return on.solid(place, "ring", *points, *below) + on.path(place, "line hushed", *points)


def at(z, y=0.0, x=-0.1):
    return np.array([x, y, z])


def matrix(position, rotation):
    """Return a 4x4 matrix of a position and a rotation."""
    found = np.eye(4)
    found[:3, :3] = np.stack([rotated(rotation, v) for v in np.eye(3)], axis=1)
    found[:3, 3] = position
    return found


def multiply(p, q):
    """Return the product of two quaternions: rotation `q` first, then `p`."""
    v = p[3] * q[:3] + q[3] * p[:3] + np.cross(p[:3], q[:3])
    return np.array([*v, p[3] * q[3] - np.dot(p[:3], q[:3])])
