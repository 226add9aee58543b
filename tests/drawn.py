"""Animals as they are drawn: points inside of parts, knees in the body, shins in the ground."""

import numpy as np

from twobone.creature import Ellipsoid
from twobone.pictures.figure import along_of, figure_of, figure_of_animal, turn_of
from twobone.pictures.trunk import UP, carried
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


def on_trunk(walk, part, points):
    """Return points of a part (T or 1, n, 3) where the trunk has moved them."""
    if walk.body_bend is None:
        return points[None]
    anchor, seat, turn = seat_of(walk, part)
    return seat + rotate(turn, points - anchor)


def off_trunk(walk, part, points):
    """Return points, (T, n, 3), where they are as seen from a part that the trunk has moved."""
    if walk.body_bend is None:
        return points
    anchor, seat, turn = seat_of(walk, part)
    return anchor + rotate(inverse(turn), points - seat)


def seat_of(walk, part):
    """Return the place on a straight trunk where a part sits, and places and rotations in a walk.

    They have shapes (3), (T, 1, 3) and (T, 1, 4).
    """
    anchor = np.array([0.0, 0.0, along_of(part)])
    height, turn = carried(walk.body_bend, along_of(part))
    return anchor, anchor + height[:, None, None] * UP, turn[:, None]


def knees_inside(walk):
    """Return the fraction of frames in which a knee is inside the drawn body."""
    knees = rotate(inverse(walk.body_rotation)[:, None], walk.knees - walk.body_position[:, None])
    inside = [is_inside(part, off_trunk(walk, part, knees)) for part in body_parts(walk)]
    return float(np.mean(np.any(inside, axis=(0, 2))))


def depth_of_shins(walk, ground):
    """Return the maximum depth of the second bones of legs below a ground; 0 if none is below."""
    parts = np.linspace(0.05, 0.95, 19)[:, None, None, None]
    x, y, z = np.moveaxis(walk.knees + parts * (walk.feet - walk.knees), -1, 0)
    return max(0.0, float(np.max(ground.height(x, z) - y)))
