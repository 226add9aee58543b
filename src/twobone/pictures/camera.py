"""A camera that follows a walk, and where it sees things.

It looks along the level, and its picture is shifted down, as architects' cameras do: what is
upright stays upright, and each column of pixels sees one upright plane.
"""

import math
from typing import NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.pictures.scene import unit_turns
from twobone.rotations import rotate

WIDTH, HEIGHT = 1280, 720  # px
LENS = 2.1  # heights of the picture from the eye to it
TALL, WIDE = 0.36, 0.56  # shares of the picture that the animal takes at most
LOW = 0.6  # of the picture is above the animal's middle
AROUND = math.radians(52.0)  # between the way it walks at first and the way to the camera
ABOVE = (0.36, 0.43, 0.5)  # how high the camera is, in its distance: what hills ask for
HIDDEN = 0.1  # of feet at most
CLEAR = 0.1  # of its distance: how far it keeps above ground
CALM = 0.45  # seconds: how long the camera takes to follow
FAR = 1e6  # lengths of an animal: farther from the origin nothing is filmed


class Camera(NamedTuple):
    """What one frame is seen from. In its space x is to the right, y up and z into the picture."""

    place: np.ndarray  # (3)
    axes: np.ndarray  # (3, 3): rows are to the right, up, into the picture
    focal: float  # px
    middle: tuple  # px: column and row of what is straight ahead
    size: tuple  # px: width and height
    unit: float  # how far away the animal is

    def to_space(self, points):
        """Return points of the world in the camera's space."""
        return (np.asarray(points) - self.place) @ self.axes.T

    def project(self, points):
        """Return columns and rows, in px, where points of the camera's space are seen."""
        across, up, ahead = np.moveaxis(np.asarray(points), -1, 0)
        ahead = np.maximum(ahead, 1e-3 * self.unit)
        return (
            self.middle[0] + self.focal * across / ahead,
            self.middle[1] - self.focal * up / ahead,
        )


def follow(recording, height, size=(WIDTH, HEIGHT)):
    """Return a function that gives the camera of a frame.

    Parameters
    ----------
    recording : Recording
        Finite.
    height : callable
        height(x, z) of the ground.
    size : (int, int)
        Width and height of the picture in px; even.

    """
    away = _direction(recording)
    ahead = -away
    axes = np.stack([np.cross(ahead, [0.0, 1.0, 0.0]), [0.0, 1.0, 0.0], ahead])
    distance = _distance(recording, axes, size, ABOVE[0])
    aims = _calm(_aims(recording), CALM / recording.dt)
    rise = _rise(recording, height, distance * away)
    distance = _distance(recording, axes, size, rise)
    eyes = aims + distance * (away + np.array([0.0, rise, 0.0]))
    floor = height(eyes[:, 0], eyes[:, 2]) + CLEAR * distance
    eyes[:, 1] = np.maximum(eyes[:, 1], _calm(np.maximum(floor, eyes[:, 1]), CALM / recording.dt))
    focal = LENS * size[1]

    def camera(frame):
        rows = focal * (eyes[frame, 1] - aims[frame, 1]) / distance
        middle = 0.5 * size[0], float(LOW * size[1] - rows)
        return Camera(eyes[frame], axes, focal, middle, size, distance)

    return camera


def span_of(recording):
    """Return how large the animal is: the median of its extent.

    Raises
    ------
    FileError
        If there is nothing to be seen, or it is too far from the origin for float64.
    """
    points = np.concatenate([recording.hips, recording.knees, recording.feet], axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.max(points.max(axis=1) - points.min(axis=1), axis=-1)
    span = float(np.median(extent))
    reach = max(float(np.max(np.abs(points))), float(np.max(np.abs(recording.body_position))))
    if not 1e-9 < span < 1e9 or reach > FAR * span:
        wanted = f"an animal of some size within {FAR:g} times that of the origin"
        raise FileError("the recording", wanted, f"{span:g} and {reach:g}", field="feet")
    return span


def _direction(recording):
    """Return the level way from the animal to the camera, which sees it from its front."""
    forward = rotate(unit_turns(recording.body_rotation[0]), np.array([0.0, 0.0, 1.0]))
    heading = math.atan2(forward[0], forward[2]) + AROUND
    return np.array([math.sin(heading), 0.0, math.cos(heading)])


def _distance(recording, axes, size, rise):
    """Return how far away the camera must be for the animal to take its share of the picture."""
    points = np.concatenate([recording.hips, recording.knees, recording.feet], axis=1)
    seen = (points - recording.body_position[:, None]) @ axes.T
    # Level depth is seen too, since the camera looks down.
    tall = seen[..., 1] + rise * seen[..., 2]
    wide = float(np.median(np.ptp(seen[..., 0], axis=1)))
    high = float(np.median(np.ptp(tall, axis=1)))
    focal = LENS * size[1]
    return focal * max(high / (TALL * size[1]), wide / (WIDE * size[0]))


def _rise(recording, height, away):
    """Return how high the camera must be to see nearly all feet over the hills before them."""
    some = np.linspace(0, len(recording.feet) - 1, 40).astype(int)
    feet = recording.feet[some].reshape(-1, 1, 3)
    shares = np.linspace(0.02, 0.9, 40)[:, None]
    ways = feet + shares * away
    ground = height(ways[..., 0], ways[..., 2])
    for rise in ABOVE:
        over = ways[..., 1] + shares[:, 0] * rise * np.linalg.norm(away)
        if np.mean(np.any(ground > over, axis=1)) <= HIDDEN:
            return rise
    return ABOVE[-1]


def _aims(recording):
    """Return what the camera looks at: halfway between the body and the middle of its feet."""
    aims = recording.body_position.copy()
    aims[:, 1] = 0.5 * (aims[:, 1] + recording.feet[..., 1].mean(axis=1))
    return aims


def _calm(values, frames):
    """Smooth values along time: by a bell of so many frames, as far as there are some."""
    values = np.asarray(values, np.float64)
    half = min(math.ceil(3.0 * frames), len(values) - 1, 2000)
    if half < 1:
        return values
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / frames) ** 2)
    bell /= bell.sum()
    # Turned over about both ends, so that a steady way goes on.
    before, after = (
        2.0 * values[:1] - values[half:0:-1],
        2.0 * values[-1:] - values[-2 : -half - 2 : -1],
    )
    padded = np.concatenate([before, values, after]).reshape(len(values) + 2 * half, -1)
    rows = [np.convolve(row, bell, mode="valid") for row in padded.T]
    return np.stack(rows, axis=-1).reshape(values.shape)
