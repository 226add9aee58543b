"""Skeletons for tests, and where a pose puts them by 4x4 matrices: none of our own quaternions."""

import numpy as np

from twobone.pose import LocalPose, Skeleton


def matrix_of(q):
    """Return rotation matrices (..., 3, 3) of quaternions xyzw of any length."""
    x, y, z, w = np.moveaxis(np.asarray(q, np.float64) / norm(q)[..., None], -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def norm(v):
    """Return the lengths of vectors."""
    return np.linalg.norm(np.asarray(v, np.float64), axis=-1)


def unit(v):
    """Return vectors brought to length 1."""
    return np.asarray(v, np.float64) / norm(v)[..., None]


def angle_between(a, b):
    """Return the angle between vectors in radians."""
    a, b = unit(a), unit(b)
    return 2.0 * np.arctan2(norm(a - b), norm(a + b))


def turn_between(m, n):
    """Return the angle in radians of the turn from one rotation matrix to another."""
    chord = np.linalg.norm(m - n, axis=(-2, -1)) / np.sqrt(8.0)
    return 2.0 * np.arcsin(np.minimum(chord, 1.0))


def places(skeleton, pose):
    """Return positions (..., J, 3) and rotation matrices (..., J, 3, 3) in the world."""
    rotations = matrix_of(pose.rotations)
    moved = skeleton.offsets if pose.translations is None else pose.translations
    moved = np.asarray(moved, np.float64)
    shape = np.broadcast_shapes(rotations.shape[:-3], moved.shape[:-2])
    matrices = np.zeros((*shape, len(skeleton.parents), 4, 4))
    matrices[..., :3, :3], matrices[..., :3, 3], matrices[..., 3, 3] = rotations, moved, 1.0
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            matrices[..., joint, :, :] = matrices[..., parent, :, :] @ matrices[..., joint, :, :]
    return matrices[..., :3, 3], matrices[..., :3, :3]


def turns(rng, shape=()):
    """Return random quaternions."""
    return unit(rng.normal(size=(*shape, 4)))


def about(axis, degrees):
    """Return the quaternion that turns about an axis."""
    half = np.radians(np.asarray(degrees, np.float64)) / 2.0
    return np.concatenate([np.sin(half)[..., None] * unit(axis), np.cos(half)[..., None]], axis=-1)


def chain(*offsets, names=None, rotations=None):
    """Return a skeleton whose joints hang one from the other."""
    return Skeleton(range(-1, len(offsets) - 1), offsets, names=names, rotations=rotations)


LEG = chain(
    [0.0, 1.0, 0.0],
    [0.0, -0.5, 0.02],
    [0.0, -0.45, -0.02],
    [0.0, -0.05, 0.15],
    names=["hip", "knee", "foot", "toes"],
)


def random_skeleton(rng, between=0):
    """Return a skeleton of a limb within a body, and the joints start, mid, end.

    Above the limb hang two joints, from each joint of the limb one more, and between start and
    mid, mid and end as many as are wanted. All are turned at rest.
    """
    parents = list(range(-1, 4 + 2 * between))
    limb = [2, 3 + between, 4 + 2 * between]
    parents += [0, *limb]
    parents.append(len(parents) - 1)
    count = len(parents)
    offsets = rng.normal(size=(count, 3))
    return Skeleton(parents, offsets, rotations=turns(rng, (count,))), limb


def hinged(skeleton, limb, rng, shape=()):
    """Return poses that differ from rest above the limb, in it as its hinge allows, and below."""
    rotations = np.broadcast_to(skeleton.rotations, (*shape, *skeleton.rotations.shape)).copy()
    free = [j for j in range(len(skeleton.parents)) if j not in between_of(skeleton, limb)]
    rotations[..., free, :] = turns(rng, (*shape, len(free)))
    turn = about(limb.mid_axis, rng.uniform(-40.0, 40.0, shape))
    rotations[..., limb.mid, :] = product(skeleton.rotations[limb.mid], turn)
    return LocalPose(rotations)


def between_of(skeleton, limb):
    """Return the joints of a limb that only its hinge may turn: mid and what is on the way."""
    return [j for j in skeleton.path(limb.end) if j > limb.start and j != limb.end]


def product(p, q):
    """Return the quaternion of one turn after another, `q` first."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
    vector = a * v + b * u + np.cross(u, v)
    return np.concatenate([vector, a * b - np.sum(u * v, axis=-1, keepdims=True)], axis=-1)
