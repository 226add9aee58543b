"""Trunks: where a part of the body is that sits somewhere along a line of stations.

Between two stations the line is a cubic curve (of Hermite) that leaves each along its own +z, with
a speed of one metre per metre of the straight trunk, and its rotation goes from that of one to that
of the other (`nlerp`). Beyond the stations it is straight.
"""

from typing import NamedTuple

import numpy as np

from twobone.rotations import nlerp, rotate

AHEAD = np.array([0.0, 0.0, 1.0])


class Trunk(NamedTuple):
    """Stations from rear to front, with any axes in front of those given here."""

    along: np.ndarray  # (S): z of each station in the space of the body
    places: np.ndarray  # (..., S, 3)
    rotations: np.ndarray  # (..., S, 4), unit quaternions


class Seat(NamedTuple):
    """The space of something that sits on a trunk."""

    place: np.ndarray  # (..., 3)
    rotation: np.ndarray  # (..., 4)


def seat(trunk, along):
    """Return the place and the rotation of a trunk at a z of the body's space."""
    after = int(np.searchsorted(trunk.along, along))
    if after in (0, len(trunk.along)):
        end = min(after, len(trunk.along) - 1)
        place, rotation = trunk.places[..., end, :], trunk.rotations[..., end, :]
        return Seat(place + rotate(rotation, (along - trunk.along[end]) * AHEAD), rotation)
    (p, q), (u, v) = (
        np.moveaxis(part[..., after - 1 : after + 1, :], -2, 0)
        for part in (trunk.places, trunk.rotations)
    )
    length = trunk.along[after] - trunk.along[after - 1]
    t = (along - trunk.along[after - 1]) / length
    s = 1.0 - t
    bowed = length * s * t * (s * rotate(u, AHEAD) - t * rotate(v, AHEAD))
    place = s * s * (1.0 + 2.0 * t) * p + t * t * (1.0 + 2.0 * s) * q + bowed
    return Seat(place, nlerp(u, v, t))


def space(trunk, along):
    """Return the space in which a part of the body is given that sits at a z of the trunk."""
    place, rotation = seat(trunk, along)
    return Seat(place - rotate(rotation, along * AHEAD), rotation)
