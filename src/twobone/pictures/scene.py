"""The solids of an animal in each frame of a film: rounded cones and superellipsoids."""

from typing import NamedTuple

import numpy as np

from twobone.pictures import figure
from twobone.rotations import quaternion_to_matrix, rotate


class Cone(NamedTuple):
    """A bone: a cone with round ends, or a ball if both ends coincide. In the camera's space."""

    paint: str
    start: np.ndarray  # (3)
    end: np.ndarray
    radii: tuple  # at the start and at the end

    def bounds(self):
        """Return centres (n, 3) and radii (n) of balls whose convex hull contains the solid."""
        return np.stack([self.start, self.end]), np.array(self.radii)


class Lump(NamedTuple):
    """A part of a body: a superellipsoid, see `figure.Part`. In the camera's space."""

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
        self.rotation = unit_rotations(recording.body_rotation)
        back = self.rotation * [-1.0, -1.0, -1.0, 1.0]
        hips = rotate(back[:, None], recording.hips - recording.body_position[:, None])
        self.parts = figure.body_parts(np.clip(hips, -span, span), self.leg)

    def solids(self, frame, camera):
        """Return the solids of a frame, in the camera's space, in float32."""
        turn = quaternion_to_matrix(self.rotation[frame])  # from the body to the world
        axes = turn.T @ camera.axes.T
        body = camera.to_space(self.recording.body_position[frame])
        found: list = []
        for part in self.parts:
            centre = (body + part.centre @ axes).astype(np.float32)
            half = part.half.astype(np.float32)
            found.append(Lump(part.paint, centre, axes.astype(np.float32), half, part.power))
        joints = [
            camera.to_space(points[frame]).astype(np.float32)
            for points in (self.recording.hips, self.recording.knees, self.recording.feet)
        ]
        for points in zip(*joints, strict=True):
            found += self._leg(*points)
        return found

    def _leg(self, hip, knee, foot):
        leg, thick = self.leg, figure
        shin = knee - foot
        up = shin / max(float(np.linalg.norm(shin)), 1e-9 * leg)
        sole = foot + thick.SOLE * thick.FOOT * leg * up
        return [
            Cone("thighs", hip, knee, (thick.HIP * leg, thick.KNEE * leg)),
            Cone("shins", knee, foot, (thick.KNEE * leg, thick.ANKLE * leg)),
            *(
                Cone(paint, place, place, (radius * leg,) * 2)
                for paint, place, radius in (
                    ("joints", hip, thick.JOINT),
                    ("joints", knee, thick.JOINT),
                    ("feet", sole, thick.FOOT),
                )
            ),
        ]


def leg_of(recording, span):
    """Return the length of the longest leg, from which thicknesses are derived.

    It is limited relative to the animal's size, in case a file has wrong lengths of bones.
    """
    return float(np.clip(recording.bones.sum(axis=1).max(), 0.1 * span, 2.0 * span))


def unit_rotations(rotations):
    """Normalize quaternions without overflow; a zero quaternion becomes the identity."""
    largest = np.max(np.abs(rotations), axis=-1, keepdims=True)
    still = np.array([0.0, 0.0, 0.0, 1.0])
    found = np.where(largest > 0.0, rotations / np.where(largest > 0.0, largest, 1.0), still)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)
