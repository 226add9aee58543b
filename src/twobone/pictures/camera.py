"""The camera of films of walks: it follows the animal and projects points to pixels.

It looks horizontally, with the picture shifted down (a shift lens, as in photographs of
architecture): vertical lines stay vertical, and each column of pixels sees one vertical plane.
"""

import math
from typing import NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.rotations import rotate

WIDTH, HEIGHT = 1280, 720  # px
LENS = 2.1  # focal length, in heights of the picture
TALL, WIDE = 0.36, 0.56  # maximum fractions of the picture's height and width for the animal
LOW = 0.6  # fraction of the picture above the animal's centre
HIDDEN = 0.1  # maximum fraction of feet hidden by hills
CLEAR = 0.1  # minimum height above the ground, in multiples of the distance
SMOOTHING = 0.45  # seconds; standard deviation of the bell that smooths the camera's motion
TURNING = 0.7  # seconds; the same for its direction
EDGE = 0.03  # of the picture's width and height, which the animal keeps clear of
FARTHER = 2.5  # by which the distance may be increased for that
FAR = 1e6  # maximum distance from the origin, in lengths of the animal


class View(NamedTuple):
    """From where a camera sees the animal."""

    around: float  # degrees from the heading to the direction of the camera, to the left
    above: tuple  # heights of the camera to try, in multiples of its distance
    turns: bool  # whether it turns with the heading; otherwise the first heading counts


VIEWS = {
    "side": View(-90.0, (0.16, 0.24, 0.33, 0.43, 0.5), True),
    "front": View(0.0, (0.22, 0.3, 0.36, 0.43, 0.5), True),
    "three-quarter": View(52.0, (0.36, 0.43, 0.5), False),
    "follow": View(180.0, (0.46, 0.5), True),
}
USUAL = "three-quarter"


class Camera(NamedTuple):
    """The camera of one frame. In its space x is to the right, y up and z into the picture."""

    place: np.ndarray  # (3)
    axes: np.ndarray  # (3, 3): rows are right, up and into the picture
    focal: float  # px
    middle: tuple  # px: column and row of the point straight ahead
    size: tuple  # px: width and height
    unit: float  # distance to the animal

    def halved(self):
        """Return the camera of the same picture in half the size."""
        column, row = self.middle
        width, rows = self.size
        return self._replace(
            focal=0.5 * self.focal, middle=(0.5 * column, 0.5 * row), size=(width // 2, rows // 2)
        )

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


def follow(recording, height, size=(WIDTH, HEIGHT), view=USUAL):
    """Return a function that returns the `Camera` of a frame, given its index.

    Parameters
    ----------
    recording : Recording
        Must be finite.
    height : callable
        `height(x, z)` returns the height of the ground.
    size : (int, int)
        Width and height of the picture in px; even.
    view : str
        A key of `VIEWS`.
    """
    view = VIEWS[view]
    away = _directions(recording, view)
    axes = np.stack([np.cross(-away, [0.0, 1.0, 0.0]), 0.0 * away + [0.0, 1.0, 0.0], -away], axis=1)
    distance = _distance(recording, axes, size, view.above[0])
    rise = _rise(recording, height, distance * away, view.above)
    aims = _smooth(_aims(recording), SMOOTHING / recording.dt)
    focal = LENS * size[1]

    def look(distance):
        """Return the places of the camera, and how far the picture is shifted, in px."""
        eyes = aims + distance * (away + np.array([0.0, rise, 0.0]))
        floor = height(eyes[:, 0], eyes[:, 2]) + CLEAR * distance
        lifted = _smooth(np.maximum(floor, eyes[:, 1]), SMOOTHING / recording.dt)
        eyes[:, 1] = np.maximum(eyes[:, 1], lifted)
        return eyes, LOW * size[1] - focal * (eyes[:, 1] - aims[:, 1]) / distance

    distance = _distance(recording, axes, size, rise)
    points = _joints(recording)
    for farther in np.linspace(1.0, FARTHER, 26):
        eyes, shift = look(farther * distance)
        if _is_inside(points, axes, eyes, (focal, shift, size)):
            distance *= farther
            break
    else:  # the recording has feet that are far away from the body
        eyes, shift = look(distance)

    def camera(frame):
        middle = 0.5 * size[0], float(shift[frame])
        return Camera(eyes[frame], axes[frame], focal, middle, size, distance)

    return camera


def _joints(recording):
    """Return all joints of all legs, (T, 4 L, 3)."""
    parts = recording.hips, recording.knees, recording.ankles, recording.feet
    return np.concatenate(parts, axis=1)


def span_of(recording):
    """Return the size of the animal: the median over frames of its largest extent.

    Raises
    ------
    FileError
        If the animal has no extent, or is too far from the origin for float64.
    """
    points = _joints(recording)
    with np.errstate(over="ignore", invalid="ignore"):
        extent = np.max(points.max(axis=1) - points.min(axis=1), axis=-1)
        span = float(np.median(extent))
    reach = max(float(np.max(np.abs(points))), float(np.max(np.abs(recording.stations))))
    if not 1e-9 < span < 1e9 or reach > FAR * span:
        wanted = f"an animal of nonzero size, at most {FAR:g} times its size from the origin"
        came = f"size {span:g} at {reach:g}"
        raise FileError("the recording", wanted, came, field="feet")
    return span


def _directions(recording, view):
    """Return the horizontal directions from the animal to the camera, (T, 3)."""
    frames = slice(None) if view.turns else slice(0, 1)
    rotations = recording.body_rotation[frames]
    forward = rotate(rotations, np.array([0.0, 0.0, 1.0]))
    heading = np.unwrap(np.arctan2(forward[:, 0], forward[:, 2]))
    if view.turns:
        heading = _smooth(heading, TURNING / recording.dt)
    heading = np.broadcast_to(heading + math.radians(view.around), len(recording.time))
    return np.stack([np.sin(heading), 0.0 * heading, np.cos(heading)], axis=-1)


def _distance(recording, axes, size, rise):
    """Return the distance at which the animal takes up `TALL` or `WIDE` of the picture."""
    points = _joints(recording)
    seen = (points - recording.body_position[:, None]) @ np.swapaxes(axes, 1, 2)
    # The camera is above the animal, so horizontal depth adds to its height in the picture.
    tall = seen[..., 1] + rise * seen[..., 2]
    wide = float(np.median(np.ptp(seen[..., 0], axis=1)))
    high = float(np.median(np.ptp(tall, axis=1)))
    focal = LENS * size[1]
    return focal * max(high / (TALL * size[1]), wide / (WIDE * size[0]))


def _is_inside(points, axes, eyes, lens):
    """Return whether points (T, n, 3) are in the picture in all frames, off its edges."""
    focal, shift, (width, rows) = lens
    across, up, ahead = np.moveaxis((points - eyes[:, None]) @ np.swapaxes(axes, 1, 2), -1, 0)
    if np.any(ahead <= 0.0):
        return False
    off = np.abs(across) * focal <= (0.5 - EDGE) * width * ahead
    row = shift[:, None] - focal * up / ahead
    return bool(np.all(off & (row >= EDGE * rows) & (row <= (1.0 - EDGE) * rows)))


def _rise(recording, height, away, above):
    """Return the first height of some at which nearly all feet are seen over the hills."""
    some = np.linspace(0, len(recording.feet) - 1, 40).astype(int)
    feet = recording.feet[some][:, :, None]  # (40, L, 1, 3)
    fractions = np.linspace(0.02, 0.9, 40)[:, None]
    points = feet + fractions * away[some][:, None, None]
    ground = height(points[..., 0], points[..., 2])
    for rise in above:
        over = points[..., 1] + fractions[:, 0] * rise * np.linalg.norm(away[0])
        if np.mean(np.any(ground > over, axis=-1)) <= HIDDEN:
            return rise
    return above[-1]


def _aims(recording):
    """Return the points the camera looks at: halfway in height from the body to the mean foot."""
    aims = recording.body_position
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
