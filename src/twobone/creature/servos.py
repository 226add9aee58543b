"""Angles and speeds of the servos of a robot whose legs are coxa, femur and tibia."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.core.policies import Status
from twobone.core.solver import reach
from twobone.errors import CreatureError, FileError
from twobone.files import atomic
from twobone.files.recordings import Recording, check
from twobone.rotations import inverse, normalize, rotate
from twobone.terrain import arguments

FASTEST = 350.0  # degrees per second, of common hobby servos
JOINTS = ("yaw", "femur", "tibia")


class ServoAngles(NamedTuple):
    """Angles of the servos of a walk, in radians, for T frames and L legs."""

    time: NDArray[np.float64]  # (T), in seconds
    yaw: NDArray[np.float64]  # (T, L), of the coxa: 0 is straight to the side, positive forward
    femur: NDArray[np.float64]  # (T, L): 0 is level, positive up
    tibia: NDArray[np.float64]  # (T, L): 0 in line with the femur, positive down

    def peak_speeds(self) -> NDArray[np.float64]:
        """Return the greatest speed of each servo, (L, 3): yaw, femur, tibia; radians per second.

        Speeds are differences between neighbouring frames, so they need enough of these: 60 per
        second are.
        """
        angles = np.stack(self[1:], axis=-1)
        if len(angles) < 2:
            return np.zeros(angles.shape[1:])
        return np.max(np.abs(np.diff(angles, axis=0)), axis=0) / (self.time[1] - self.time[0])

    def report(self, fastest: float = FASTEST) -> list[str]:
        """Return a line for the peak speed of each joint, and a warning for each leg too fast.

        Parameters
        ----------
        fastest : float
            Degrees per second that the servos can do.
        """
        fastest = arguments.positive("fastest", fastest)
        speeds = np.degrees(self.peak_speeds())
        lines = []
        for joint, column in zip(JOINTS, speeds.T, strict=True):
            lines.append(f"peak speed of {joint:5}  {np.max(column):6.0f} degrees/s")
        for leg, joint in np.argwhere(speeds > fastest):
            lines.append(
                f"warning: {JOINTS[joint]} of leg {leg} turns at {speeds[leg, joint]:.0f}"
                f" degrees/s; its servo does {fastest:g}"
            )
        return lines

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the angles to a .csv or .npz file.

        A .csv file has a row per frame: the time in seconds, then yaw, femur and tibia of each leg
        in degrees. An .npz file has the fields of this tuple, in radians, and `peak_speeds`.

        Raises
        ------
        FileError
            If the name does not end in .csv or .npz.
        OSError
            If the file cannot be written.
        """
        suffix = os.path.splitext(os.fspath(file))[1].lower()
        if suffix not in (".csv", ".npz"):
            raise FileError(os.fspath(file), "a name that ends in .csv or .npz", repr(suffix))
        with atomic.opened(file) as opened:
            if suffix == ".npz":
                np.savez(opened, **self._asdict(), peak_speeds=self.peak_speeds())
                return
            legs = range(self.yaw.shape[1])
            head = ",".join(["time", *(f"{joint}_{leg}" for leg in legs for joint in JOINTS)])
            angles = np.degrees(np.stack(self[1:], axis=-1)).reshape(len(self.time), -1)
            rows = np.concatenate([self.time[:, None], angles], axis=1)
            lines = [",".join(f"{value:.6g}" for value in row) for row in rows]
            opened.write("\n".join([head, *lines, ""]).encode())


def servo_angles(
    recording: Recording, coxa: float = 0.0, neutral: float | ArrayLike[Any] = 0.0
) -> ServoAngles:
    """Return the angles of the servos that put a robot's feet where those of a recording are.

    Each leg has three servos. The first turns the coxa about the body's vertical axis, towards the
    foot. The others bend the leg in the upright plane of the coxa, with the knee above the line
    from coxa to foot. That plane is not that of the recorded knee unless the pole vector points up,
    so knees may be elsewhere than in the recording; feet are not.

    Parameters
    ----------
    recording : Recording
        Any walk on legs of two bones, femur and tibia. Legs with a third segment are refused: it
        needs a servo of its own, and its plane is not that of the coxa.
    coxa : float
        The length of the coxa. The recorded hip is its end in its neutral direction.
    neutral : float or array, shape (L)
        The neutral direction of each coxa seen from above, in radians: 0 is straight to the side,
        positive forward.

    Returns
    -------
    ServoAngles
        With `peak_speeds()`, `report()` and `save(file)`.

    Raises
    ------
    CreatureError
        If a leg has a third segment, a foot is out of reach of its leg, or an argument is not a
        number in range.
    ShapeError
        If `neutral` is not a number or one for each leg.

    Examples
    --------
    >>> from twobone import creature
    >>> crab = creature.animal("crab").anatomy
    >>> bare = [leg._replace(lower=0.94, third=0.0) for leg in crab.legs]
    >>> robot = creature.Animal(crab._replace(legs=tuple(bare)))
    >>> found = creature.servo_angles(creature.walk(robot, seconds=1.0))
    >>> found.femur.shape, found.peak_speeds().shape
    ((61, 8), (8, 3))
    >>> found.report(fastest=1000.0)[0][:21]
    'peak speed of yaw    '
    """
    recording = check(recording, finite=True)
    coxa = arguments.at_least_0("coxa", coxa)
    bones = recording.bones[:, :2]
    longer = np.flatnonzero(recording.bones[:, 2])
    if len(longer):
        came = f"{recording.bones[longer[0], 2]:g} of leg {longer[0]}"
        raise CreatureError("recording", "have legs without a third segment", came)
    given = arguments.finite("neutral", neutral)
    ways = np.asarray(arguments.like("neutral", given, bones[:, 0]), np.float64)
    back = inverse(normalize(recording.body_rotation))[:, None]
    hips, feet = (
        rotate(back, points - recording.body_position[:, None])
        for points in (recording.hips, recording.feet)
    )
    side = np.where(np.mean(hips[..., 0], axis=0) < 0.0, -1.0, 1.0)
    roots = hips - coxa * np.stack(
        [side * np.cos(ways), np.zeros(len(ways)), np.sin(ways)], axis=-1
    )
    x, y, z = np.moveaxis(feet - roots, -1, 0)
    plane = np.stack([np.hypot(x, z) - coxa, y], axis=-1)
    found = reach(plane, bones[:, 0], bones[:, 1], side=1)
    far = np.argwhere(np.asarray(found.status) != Status.REACHED)
    if len(far):
        frame, leg = far[0]
        wanted = f"have feet within reach; leg {leg} needs a reach below {bones[leg].sum():.3g}"
        came = f"{math.hypot(*plane[frame, leg]):.3g} in frame {frame}"
        raise CreatureError("recording", wanted, came)
    knee = np.asarray(found.joint)
    femur = np.arctan2(knee[..., 1], knee[..., 0])
    shin = plane - knee
    tibia = femur - np.arctan2(shin[..., 1], shin[..., 0])
    yaw = np.arctan2(z, x * side)
    return ServoAngles(
        np.asarray(recording.time), *(np.unwrap(angle, axis=0) for angle in (yaw, femur, tibia))
    )
