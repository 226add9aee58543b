"""The camera of films of walks: it follows the animal and projects points to pixels.

Most cameras look horizontally, with the picture shifted down (a shift lens, as in photographs of
architecture): vertical lines stay vertical, and each column of pixels sees one vertical plane. A
camera may also be tilted, down to where it looks straight down.
"""

import math
from typing import NamedTuple

import numpy as np

from twobone.rotations import rotate

WIDTH, HEIGHT = 1280, 720  # px
LENS = 2.1  # focal length, in heights of the picture
FILL = 0.76, 0.58  # fractions of the picture's width and height of which the animal takes one
LOW = 0.53  # fraction of the picture above the animal's centre
HIDDEN = 0.1  # maximum fraction of feet hidden by hills
CLEAR = 0.1  # minimum height above the ground, in multiples of the distance
SMOOTHING = 0.45  # seconds; standard deviation of the bell that smooths the camera's motion
TURNING = 0.7  # seconds; the same for its direction
EDGE = 0.03  # of the picture's width and height, which the animal keeps clear of
FARTHER = 2.5  # by which the distance may be increased for that
STANDS = 0.1  # of a leg: an animal that moves no farther stands
SOME = 200  # frames in which the whole animal is measured, not only its legs


class View(NamedTuple):
    """From where a camera sees the animal."""

    around: float  # degrees from the heading to the direction of the camera, to the left
    above: tuple  # heights of the camera to try, in multiples of its distance
    turns: bool  # whether it turns with the heading; otherwise the first heading counts
    across: bool = False  # whether the way of the animal counts, if that is sideways
    tilt: float = 0.0  # degrees by which the camera itself looks down, to 90


VIEWS = {
    "side": View(-90.0, (0.16, 0.24, 0.33, 0.43, 0.5), True, across=True),
    "front": View(0.0, (0.22, 0.3, 0.36, 0.43, 0.5), True),
    "three-quarter": View(52.0, (0.36, 0.43, 0.5), False),
    "follow": View(180.0, (0.46, 0.5), True),
    "above": View(-90.0, (1.2,), True),
    "top": View(-90.0, (0.0,), True, across=True, tilt=90.0),
}
USUAL = "three-quarter"


class Camera(NamedTuple):
    """The camera of one frame. In its space x is to the right, y up and z into the picture.

    x is horizontal. y is vertical unless the camera is tilted.
    """

    place: np.ndarray  # (3)
    axes: np.ndarray  # (3, 3): rows are right, up and into the picture
    focal: float  # px
    middle: tuple  # px: column and row of the point straight ahead
    size: tuple  # px: width and height
    unit: float  # distance to the animal

    def is_tilted(self):
        """Return whether it looks down."""
        return self.axes[2, 1] != 0.0

    def upright(self):
        """Return the axes of its space if it were not tilted, in its space, (3, 3).

        Rows are right, up, as in the world, and ahead.
        """
        rise, fall = self.axes[1:, 1]
        return np.array([[1.0, 0.0, 0.0], [0.0, rise, fall], [0.0, -fall, rise]])

    def halved(self):
        """Return the camera of the same picture in half the size."""
        column, row = self.middle
        width, rows = self.size
        return self._replace(
            focal=0.5 * self.focal, middle=(0.5 * column, 0.5 * row), size=(width // 2, rows // 2)
        )

    def rays(self, aside=(0.0, 0.0)):
        """Return x of each column and y of each row where rays meet the plane at depth 1, float32.

        They go through the middles of pixels, or so many columns and rows beside these.
        """
        # Subtract in float64 first; rounding to float32 is then far less than the rays' spacing.
        (width, rows), (column, row) = self.size, self.middle
        across = (np.arange(width) + (0.5 + aside[0] - column)) / self.focal
        up = ((row - 0.5 - aside[1]) - np.arange(rows)) / self.focal
        return across.astype(np.float32), up.astype(np.float32)

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


def follow(animal, height, size=(WIDTH, HEIGHT), view=USUAL):
    """Return a function that returns the `Camera` of a frame, given its index.

    Parameters
    ----------
    animal : scene.Animal
    height : callable
        `height(x, z)` returns the height of the ground.
    size : (int, int)
        Width and height of the picture in px; even.
    view : str
        A key of `VIEWS`.
    """
    shot = _Shot(animal, VIEWS[view], height, size)
    distance = shot.fitted(3.0 * animal.span, VIEWS[view].above[0])
    rise = _rise(animal.recording, height, distance * shot.away, VIEWS[view].above)
    distance = shot.fitted(distance, rise)
    eyes, middles, distance = shot.placed(distance, rise)

    def camera(frame):
        column, row = middles[frame].tolist()
        return Camera(eyes[frame], shot.axes[frame], shot.focal, (column, row), size, distance)

    return camera


class _Shot:
    """What a camera that follows an animal sees, from any distance and height.

    `rise` is the height of the camera above the animal, in multiples of its distance.
    """

    def __init__(self, animal, view, height, size):
        self.recording, self.height, self.size = animal.recording, height, np.array(size)
        self.focal = LENS * size[1]
        self.away = _directions(self.recording, view)
        up = 0.0 * self.away + [0.0, 1.0, 0.0]
        cosine, sine = _of_angle(view.tilt)
        self.axes = np.stack(
            [
                np.cross(-self.away, up),
                cosine * up - sine * self.away,
                -cosine * self.away - sine * up,
            ],
            axis=1,
        )
        # All of the animal in some frames, and its joints in all of them.
        self.some = np.unique(np.linspace(0, len(self.away) - 1, SOME).round().astype(int))
        self.bounds, self.joints = animal.bounds(self.some), animal.joints(slice(None))
        middle = np.mean(animal.box(self.some), axis=0)
        aims = self.recording.body_position + rotate(self.recording.body_rotation, middle)
        self.aims = self._smoothed(aims)

    def fitted(self, distance, rise):
        """Return the distance at which the animal takes `FILL` of the picture, near another one."""
        for _ in range(6):  # its size in the picture is nearly inverse to the distance
            low, high = self._seen(*self._eyes(distance, rise))
            shares = (high - low) / (FILL * self.size)
            share = float(np.median(np.max(shares, axis=-1)))
            distance *= min(max(share, 0.5), 4.0)
        return distance

    def placed(self, distance, rise):
        """Return where the camera is, (T, 3), the middles of its pictures, (T, 2), and a distance.

        The animal is in the middle of the picture, and the distance is increased until it is inside
        in all frames.
        """
        for farther in np.linspace(1.0, FARTHER, 26):
            eyes, middles = self._centred(farther * distance, rise)
            if self._is_inside(eyes, middles):
                return eyes, middles, farther * distance
        # The recording has feet that are far away from the body.
        return *self._centred(distance, rise), distance

    def _centred(self, distance, rise):
        """Return what `_eyes` does, with the animal in the middle of the picture."""
        eyes, middles = self._eyes(distance, rise)
        boxes = self._seen(eyes, middles)
        boxes = boxes[:, np.all(np.isfinite(boxes), axis=(0, 2))]
        centre = self.size * (0.5, LOW)
        if boxes.size:  # unreached: behind-camera
            centre -= np.median(np.mean(boxes, axis=0), axis=0)
        return eyes, middles + centre

    def _eyes(self, distance, rise):
        """Return the places of the camera, and where points straight ahead are, from the aim."""
        eyes = self.aims + distance * (np.array([0.0, rise, 0.0]) - self.axes[:, 2])
        floor = self.height(eyes[:, 0], eyes[:, 2]) + CLEAR * distance
        lifted = self._smoothed(np.maximum(floor, eyes[:, 1]))
        eyes[:, 1] = np.maximum(eyes[:, 1], lifted)
        aims = np.einsum("tij,tj->ti", self.axes[:, 1:], self.aims - eyes)
        down = self.focal * aims[:, 0] / aims[:, 1]
        return eyes, np.stack([0.0 * down, down], axis=-1)

    def _seen(self, eyes, middles):
        some = self.some
        return self._boxes(self.bounds, self.axes[some], eyes[some], middles[some])

    def _is_inside(self, eyes, middles):
        """Return whether the animal is in the picture in all frames, off its edges."""
        boxes = self._seen(eyes, middles), self._boxes(self.joints, self.axes, eyes, middles)
        edge = EDGE * self.size
        return all(np.all((box >= edge) & (box <= self.size - edge)) for box in boxes)

    def _boxes(self, points, axes, eyes, middles):
        """Return the least and the greatest column and row of points (F, n, 3), (2, F, 2), in px.

        They are infinite if a point is behind the camera.
        """
        seen = (points - eyes[:, None]) @ np.swapaxes(axes, 1, 2)
        ahead = seen[..., 2:]
        with np.errstate(divide="ignore", invalid="ignore"):
            places = middles[:, None] + self.focal * seen[..., :2] * (1.0, -1.0) / ahead
        behind = np.any(ahead <= 0.0, axis=1)
        low, high = places.min(axis=1), places.max(axis=1)
        return np.stack([np.where(behind, -np.inf, low), np.where(behind, np.inf, high)])

    def _smoothed(self, values):
        return _smooth(values, SMOOTHING / self.recording.dt)


def _directions(recording, view):
    """Return the horizontal directions from the animal to the camera, (T, 3)."""
    frames = slice(None) if view.turns else slice(0, 1)
    rotations = recording.body_rotation[frames]
    forward = rotate(rotations, np.array([0.0, 0.0, 1.0]))
    heading = np.unwrap(np.arctan2(forward[:, 0], forward[:, 2]))
    if view.across:
        heading = heading + _way(recording, heading)
    if view.turns:
        heading = _smooth(heading, TURNING / recording.dt)
    heading = np.broadcast_to(heading + math.radians(view.around), len(recording.time))
    return np.stack([np.sin(heading), 0.0 * heading, np.cos(heading)], axis=-1)


def _of_angle(degrees):
    """Return the cosine and the sine of an angle; exact for 0 and 90 degrees."""
    angle = math.radians(degrees)
    return math.sin(math.radians(90.0 - degrees)), math.sin(angle)


def _way(recording, heading):
    """Return a quarter turn if an animal goes sideways more than ahead, to that side, else 0.

    One that stands shifts its weight to its sides.
    """
    if len(recording.time) < 2:
        return 0.0
    steps = np.diff(recording.body_position, axis=0)
    sine, cosine = np.sin(heading[:-1]), np.cos(heading[:-1])
    aside = np.sum(steps[:, 0] * cosine - steps[:, 2] * sine)
    ahead = np.sum(steps[:, 0] * sine + steps[:, 2] * cosine)
    goes = abs(aside) > max(abs(ahead), STANDS * recording.bones.sum(axis=1).max())
    return math.copysign(0.5 * math.pi, aside) if goes else 0.0


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
