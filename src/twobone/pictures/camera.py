"""The camera of films of walks: it follows the animal and projects points to pixels.

It looks horizontally, with the picture shifted down (a shift lens, as in photographs of
architecture): vertical lines stay vertical, and each column of pixels sees one vertical plane.
"""

import math
from typing import NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.pictures.figure import unit_rotations
from twobone.rotations import rotate

WIDTH, HEIGHT = 1280, 720  # px
LENS = 2.1  # focal length, in heights of the picture
TALL, WIDE = 0.36, 0.56  # maximum fractions of the picture's height and width for the animal
LOW = 0.6  # fraction of the picture above the animal's centre
AROUND = math.radians(52.0)  # angle from the first heading to the direction of the camera
ABOVE = (0.36, 0.43, 0.5)  # heights of the camera to try, in multiples of its distance
HIDDEN = 0.1  # maximum fraction of feet hidden by hills
CLEAR = 0.1  # minimum height above the ground, in multiples of the distance
SMOOTHING = 0.45  # seconds; standard deviation of the bell that smooths the camera's motion
FAR = 1e6  # maximum distance from the origin, in lengths of the animal


class Camera(NamedTuple):
    """The camera of one frame. In its space x is to the right, y up and z into the picture."""

    place: np.ndarray  # (3)
    axes: np.ndarray  # (3, 3): rows are right, up and into the picture
    focal: float  # px
    middle: tuple  # px: column and row of the point straight ahead
    size: tuple  # px: width and height
    unit: float  # distance to the animal

    def to_space(self, points):
        """Transform points from the world to the camera's space."""
        return (np.asarray(points) - self.place) @ self.axes.T

    def project(self, points):
        """Return columns and rows, in px, of points in the camera's space."""
        across, up, ahead = np.moveaxis(np.asarray(points), -1, 0)
        ahead = np.maximum(ahead, 1e-3 * self.unit)
        return (
            self.middle[0] + self.focal * across / ahead,
            self.middle[1] - self.focal * up / ahead,
        )


def follow(recording, height, size=(WIDTH, HEIGHT)):
    """Return a function that returns the `Camera` of a frame, given its index.

    Parameters
    ----------
    recording : Recording
        Must be finite.
    height : callable
        `height(x, z)` returns the height of the ground.
    size : (int, int)
        Width and height of the picture in px; even.
    """
    away = _direction(recording)
    ahead = -away
    axes = np.stack([np.cross(ahead, [0.0, 1.0, 0.0]), [0.0, 1.0, 0.0], ahead])
    distance = _distance(recording, axes, size, ABOVE[0])
    aims = _smooth(_aims(recording), SMOOTHING / recording.dt)
    rise = _rise(recording, height, distance * away)
    distance = _distance(recording, axes, size, rise)
    eyes = aims + distance * (away + np.array([0.0, rise, 0.0]))
    floor = height(eyes[:, 0], eyes[:, 2]) + CLEAR * distance
    lifted = _smooth(np.maximum(floor, eyes[:, 1]), SMOOTHING / recording.dt)
    eyes[:, 1] = np.maximum(eyes[:, 1], lifted)
    focal = LENS * size[1]

    def camera(frame):
        rows = focal * (eyes[frame, 1] - aims[frame, 1]) / distance
        middle = 0.5 * size[0], float(LOW * size[1] - rows)
        return Camera(eyes[frame], axes, focal, middle, size, distance)

    return camera


def span_of(recording):
    """Return the size of the animal: the median over frames of its largest extent.

    Raises
    ------
    FileError
        If the animal has no extent, or is too far from the origin for float64.
    """
    points = np.concatenate([recording.hips, recording.knees, recording.feet], axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.max(points.max(axis=1) - points.min(axis=1), axis=-1)
    span = float(np.median(extent))
    reach = max(float(np.max(np.abs(points))), float(np.max(np.abs(recording.body_position))))
    if not 1e-9 < span < 1e9 or reach > FAR * span:
        wanted = f"an animal of nonzero size, at most {FAR:g} times its size from the origin"
        came = f"size {span:g} at {reach:g}"
        raise FileError("the recording", wanted, came, field="feet")
    return span


def _direction(recording):
    """Return the horizontal direction from the animal to the camera, which sees its front."""
    forward = rotate(unit_rotations(recording.body_rotation[0]), np.array([0.0, 0.0, 1.0]))
    heading = math.atan2(forward[0], forward[2]) + AROUND
    return np.array([math.sin(heading), 0.0, math.cos(heading)])


def _distance(recording, axes, size, rise):
    """Return the distance at which the animal takes up `TALL` or `WIDE` of the picture."""
    points = np.concatenate([recording.hips, recording.knees, recording.feet], axis=1)
    seen = (points - recording.body_position[:, None]) @ axes.T
    # The camera is above the animal, so horizontal depth adds to its height in the picture.
    tall = seen[..., 1] + rise * seen[..., 2]
    wide = float(np.median(np.ptp(seen[..., 0], axis=1)))
    high = float(np.median(np.ptp(tall, axis=1)))
    focal = LENS * size[1]
    return focal * max(high / (TALL * size[1]), wide / (WIDE * size[0]))


def _rise(recording, height, away):
    """Return the first height of `ABOVE` at which nearly all feet are seen over the hills."""
    some = np.linspace(0, len(recording.feet) - 1, 40).astype(int)
    feet = recording.feet[some].reshape(-1, 1, 3)
    fractions = np.linspace(0.02, 0.9, 40)[:, None]
    points = feet + fractions * away
    ground = height(points[..., 0], points[..., 2])
    for rise in ABOVE:
        over = points[..., 1] + fractions[:, 0] * rise * np.linalg.norm(away)
        if np.mean(np.any(ground > over, axis=1)) <= HIDDEN:
            return rise
    return ABOVE[-1]


def _aims(recording):
    """Return the points the camera looks at: halfway in height from the body to the mean foot."""
    aims = recording.body_position.copy()
    aims[:, 1] = 0.5 * (aims[:, 1] + recording.feet[..., 1].mean(axis=1))
    return aims


def _smooth(values, frames):
    """Smooth values over time with a Gaussian whose standard deviation is `frames`."""
    values = np.asarray(values, np.float64)
    half = min(math.ceil(3.0 * frames), len(values) - 1, 2000)
    if half < 1:
        return values
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / frames) ** 2)
    bell /= bell.sum()
    # Padded by point reflection about both ends, so that motion at constant speed is unchanged.
    before, after = (
        2.0 * values[:1] - values[half:0:-1],
        2.0 * values[-1:] - values[-2 : -half - 2 : -1],
    )
    padded = np.concatenate([before, values, after]).reshape(len(values) + 2 * half, -1)
    rows = [np.convolve(row, bell, mode="valid") for row in padded.T]
    return np.stack(rows, axis=-1).reshape(values.shape)
