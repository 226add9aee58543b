"""The solids of an animal in each frame of a film: rounded cones and superellipsoids."""

from typing import NamedTuple

import numpy as np

from twobone.creature.appearance import Ellipsoid
from twobone.errors import FileError
from twobone.pictures import figure
from twobone.pictures.legs import balls_of, cones_of, has_ankle, points_of
from twobone.rotations import inverse, quaternion_to_matrix, rotate

FAR = 1e6  # maximum distance from the origin, in lengths of the animal


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
    """The animal of a recording, as solids.

    Parameters
    ----------
    recording : Recording
        Must be finite.

    Raises
    ------
    FileError
        If the animal has no extent, or is too far from the origin for float64.
    """

    def __init__(self, recording):
        self.recording = recording
        self.span = span = span_of(recording)
        self.leg = leg_of(recording, span)
        hips = figure.hips_in_body(recording, span)
        self.figure = figure.figure_of(recording, hips, self.leg)
        self.poses = figure.poses_of(self.figure, recording)
        self.bent = has_ankle(recording.bones)
        self.own = [
            quaternion_to_matrix(figure.turn_of(part)).T if isinstance(part, Ellipsoid) else None
            for part in self.figure.parts
        ]

    def joints(self, frames):
        """Return all joints of all legs in some frames, (F, 4 L, 3)."""
        return points_of(self.recording, frames).reshape(-1, 4 * len(self.bent), 3)

    def bounds(self, frames):
        """Return points around all of the animal in some frames, (F, N, 3)."""
        pose, found = self.poses.at(frames), [self.joints(frames)]
        for part in self.figure.parts:
            for place, rotation in pose.spaces_of(part):
                found.append(place[:, None] + rotate(rotation[:, None], _ends_of(part)))
        return np.concatenate(found, axis=1)

    def box(self, frames):
        """Return the least and the greatest coordinates in the body's space, as medians."""
        position, rotation = self.recording.body_position, self.recording.body_rotation
        off = self.bounds(frames) - position[frames, None]
        own = rotate(inverse(rotation[frames])[:, None], off)
        return np.median(own.min(axis=1), axis=0), np.median(own.max(axis=1), axis=0)

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


def _ends_of(part):
    """Return the farthest points of a part along the axes of its space, or of itself, (n, 3)."""
    ways = np.concatenate([np.eye(3), -np.eye(3)])
    if isinstance(part, Ellipsoid):
        return part.centre + rotate(figure.turn_of(part), ways * part.half)
    ends = zip((part.start, part.end), part.radii, strict=True)
    return np.concatenate([end + radius * ways for end, radius in ends])


def span_of(recording):
    """Return the size of the animal: the median over frames of its largest extent.

    Raises
    ------
    FileError
        If the animal has no extent, or is too far from the origin for float64.
    """
    points = np.concatenate(
        [recording.hips, recording.knees, recording.ankles, recording.feet], axis=1
    )
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.max(points.max(axis=1) - points.min(axis=1), axis=-1)
        span = float(np.median(extent))
    reach = max(float(np.max(np.abs(points))), float(np.max(np.abs(recording.stations))))
    if not 1e-9 < span < 1e9 or reach > FAR * span:
        wanted = f"an animal of nonzero size, at most {FAR:g} times its size from the origin"
        came = f"size {span:g} at {reach:g}"
        raise FileError("the recording", wanted, came, field="feet")
    return span


def leg_of(recording, span):
    """Return the length of the longest leg, from which thicknesses are derived.

    It is limited relative to the animal's size, in case a file has wrong lengths of bones.
    """
    return float(np.clip(recording.bones.sum(axis=1).max(), 0.1 * span, 2.0 * span))
