"""Animals as they are drawn: points inside of parts, knees in the body, shins in the ground."""

import numpy as np

from twobone.creature import Ellipsoid
from twobone.pictures.figure import figure_of, figure_of_animal, poses_of, turn_of
from twobone.rotations import inverse, rotate


def trunk_of(animal):
    """Return the largest part of the body of an animal; without an appearance, its plain body."""
    return figure_of_animal(animal).parts[0]


def feet_of(animal):
    """Return the parts that are drawn at each foot of an animal."""
    return figure_of_animal(animal).of("foot")


def is_inside(part, points):
    """Return which points, in the space of a part's node, are inside it."""
    if isinstance(part, Ellipsoid):
        scaled = rotate(inverse(turn_of(part)), points - part.centre) / part.half
        return np.sum(np.abs(scaled) ** part.power, axis=-1) < 1.0
    return distance(points, part.start, part.end, part.radii) < 0.0


def distance(points, start, end, radii):
    """Return about how far points are outside a cone with round ends."""
    axis = end - start
    share = np.sum((points - start) * axis, -1) / np.maximum(np.sum(axis * axis, -1), 1e-300)
    share = np.clip(share, 0.0, 1.0)[..., None]
    away = np.linalg.norm(points - start - share * axis, axis=-1)
    return away - (radii[0] + share[..., 0] * (radii[1] - radii[0]))


def body_parts(walk):
    """Return the parts of the body of a recording of an animal, without head and tail."""
    return figure_of(walk, None, float(np.max(walk.bones.sum(1)))).of("body")


def in_world(walk, part, points):
    """Return points (n, 3) of a part of a body in the world, (T, n, 3)."""
    place, turn = space_of(walk, part)
    return place + rotate(turn, points)


def in_part(walk, part, points):
    """Return points of the world, (T, n, 3), in the space of a part of a body."""
    place, turn = space_of(walk, part)
    return rotate(inverse(turn), points - place)


def space_of(walk, part):
    """Return the places and rotations, (T, 1, ...), of the space of a part of a body."""
    drawn = figure_of(walk, walk.hips, float(np.max(walk.bones.sum(1))))
    [(place, turn)] = poses_of(drawn, walk).spaces_of(part)
    return place[:, None], turn[:, None]


def knees_inside(walk):
    """Return the fraction of frames in which a knee is inside the drawn body."""
    inside = [is_inside(part, in_part(walk, part, walk.knees)) for part in body_parts(walk)]
    return float(np.mean(np.any(inside, axis=(0, 2))))


def depth_of_shins(walk, ground):
    """Return the maximum depth of segments below knees in a ground; 0 if none is below."""
    parts = np.linspace(0.05, 0.95, 19)[:, None, None, None]
    shins = walk.knees + parts * (walk.ankles - walk.knees)
    below = walk.ankles + parts * (walk.feet - walk.ankles)
    x, y, z = np.moveaxis(np.concatenate([shins, below]), -1, 0)
    return max(0.0, float(np.max(ground.height(x, z) - y)))
