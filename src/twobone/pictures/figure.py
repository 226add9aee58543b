"""The shape of an animal: colours, thicknesses, and a body and head built around its hips.

Models (`model.py`), films (`scene.py`), SVG pictures (`walking.py`) and the page share it.
"""

from typing import NamedTuple

import numpy as np

from twobone.creature.animals import ROUND, body_size
from twobone.pictures import theme

COLOURS = {
    "body": "#3B4252",
    "head": theme.JOINT.light,
    "joints": "#5B6678",
    "thighs": theme.FIRST.dark,
    "shins": theme.SECOND.dark,
    "feet": theme.JOINT.light,
}
GROUND = "#C9C4B8"
# Radii, in multiples of the length of the longest leg.
HIP, KNEE, ANKLE, JOINT, FOOT = 0.034, 0.026, 0.014, 0.042, 0.026
SOLE = 0.6  # how far up the shin the centre of a foot's ball is, in multiples of its radius
RADII = {  # for the page
    "hip": HIP,
    "knee": KNEE,
    "ankle": ANKLE,
    "joint": JOINT,
    "foot": FOOT,
    "sole": SOLE * FOOT,
}


class Part(NamedTuple):
    """A superellipsoid in the body's space: |x/a|^p + |y/b|^p + |z/c|^p = 1 around a centre."""

    paint: str  # a key of `COLOURS`
    centre: np.ndarray  # (3)
    half: np.ndarray  # (3): a, b, c
    power: float  # p: 2 is an ellipsoid, larger is closer to a box
    sides: int = 28  # number of sides around it, where it is made of triangles


def body_parts(hips, leg):
    """Return the parts of a body around the hips, and of a head with eyes that shows its front.

    Parameters
    ----------
    hips : array, shape (..., 3)
        The hips in the body's space, in one frame or all frames.
    leg : float
        The length of the longest leg.

    Returns
    -------
    list of Part
        The body first.
    """
    hips = np.reshape(hips, (-1, 3))
    low, high = hips.min(axis=0), hips.max(axis=0)
    centre, half = (low + high) / 2, body_size(hips, leg) / 2
    back = Part(
        "joints",
        centre + half * [0.0, 0.34, -0.1],
        half * [0.72, 0.74, 0.8],
        3.0,
    )
    head = np.array([0.5, 0.5, 0.5]) * min(half[0], half[1] * 1.6)
    place = centre + np.array([0.0, 0.25 * half[1], half[2] + 0.3 * head[2]])
    parts = [Part("body", centre, half, ROUND), back, Part("head", place, head, 2.0, 20)]
    for side in (1.0, -1.0):
        eye = place + head * [0.55 * side, 0.42, 0.62]
        parts.append(Part("body", eye, np.full(3, 0.26 * head[0]), 2.0, 10))
    return parts
