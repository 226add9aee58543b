"""The solids of an animal in each frame of a film: rounded cones and superellipsoids."""

from typing import NamedTuple

import numpy as np

from twobone.creature.appearance import Ellipsoid
from twobone.pictures import figure
from twobone.pictures.legs import balls_of, cones_of, has_ankle, points_of
from twobone.rotations import quaternion_to_matrix


class Cone(NamedTuple):
    """A bone: a cone with round ends, or a ball if both ends coincide. In the camera's space."""

    paint: str
    start: np.ndarray  # (3)
    end: np.ndarray
    radii: tuple  # at the start and at the end


class Lump(NamedTuple):
    """A superellipsoid, see `creature.appearance.Ellipsoid`. In the camera's space."""

    paint: str
    centre: np.ndarray  # (3)
    axes: np.ndarray  # (3, 3): rows
    half: np.ndarray  # (3)
    power: float

    def bounds(self):
        """Return centres (n, 3) and radii (n) of balls whose convex hull contains the solid."""
        across = 1.08 * self.half[:, None] * self.axes
        corners = [self.centre + sign * across[i] for i in range(3) for sign in (1.0, -1.0)]
        return np.array(corners), np.repeat(0.42 * np.sort(self.half)[1], 6)


class Animal:
    """The animal of a recording, as solids."""

    def __init__(self, recording, span):
        self.recording = recording
        self.leg = leg_of(recording, span)
        hips = figure.hips_in_body(recording, span)
        self.figure = figure.figure_of(recording, hips, self.leg)
        self.poses = figure.poses_of(self.figure, recording)
        self.bent = has_ankle(recording.bones)
        self.own = [
            quaternion_to_matrix(figure.turn_of(part)).T if isinstance(part, Ellipsoid) else None
            for part in self.figure.parts
        ]

    def solids(self, frame, camera):
        """Return the solids of a frame, in the camera's space, in float32."""
        pose = self.poses.at(frame)
        parts: list = [
            (part, own, *node)
            for part, own in zip(self.figure.parts, self.own, strict=True)
            for node in pose.spaces_of(part)
        ]
        places = camera.to_space(np.reshape([place for _, _, place, _ in parts], (-1, 3)))
        turns = quaternion_to_matrix(np.reshape([turn for *_, turn in parts], (-1, 4)))
        axes = np.swapaxes(turns, -1, -2) @ camera.axes.T
        found: list = [
            _solid(part, own, place, turned)
            for (part, own, _, _), place, turned in zip(parts, places, axes, strict=True)
        ]
        legs = camera.to_space(points_of(self.recording, frame)).astype(np.float32)
        for points, radii, bent in zip(legs, self.figure.legs, self.bent, strict=True):
            found += [Cone(*cone) for cone in cones_of(points, radii, bent, self.leg)]
            for paint, at, radius in balls_of(points, radii, self.leg):
                found.append(Cone(paint, at, at, (radius, radius)))
        return found


def _solid(part, own, place, axes):
    """Return a part whose node is at a place; rows of `axes` are the node's, `own` the part's."""
    if isinstance(part, Ellipsoid):
        centre, half = place + np.asarray(part.centre) @ axes, np.asarray(part.half)
        turned = (own @ axes).astype(np.float32)
        return Lump(
            part.paint, centre.astype(np.float32), turned, half.astype(np.float32), part.power
        )
    start = (place + part.start @ axes).astype(np.float32)
    if np.array_equal(part.start, part.end):
        return Cone(part.paint, start, start, part.radii)
    return Cone(part.paint, start, (place + part.end @ axes).astype(np.float32), part.radii)


def leg_of(recording, span):
    """Return the length of the longest leg, from which thicknesses are derived.

    It is limited relative to the animal's size, in case a file has wrong lengths of bones.
    """
    return float(np.clip(recording.bones.sum(axis=1).max(), 0.1 * span, 2.0 * span))
