"""Walks of robots: joint angles and the pose of the base, and writing them as .npz and .csv."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.core.policies import Status
from twobone.errors import ArrayTypeError
from twobone.files import atomic
from twobone.files.columns import quote
from twobone.files.recordings import suffix_of


class RobotWalk(NamedTuple):
    """A walk of a robot with L legs and J = 3 L joints, in T frames.

    The world's axes are those of the base at the start, and z is up.
    """

    time: NDArray[np.float64]  # (T), seconds
    joint_names: tuple[str, ...]  # (J), the joints of each leg, in the order of `feet`
    angles: NDArray[np.float64]  # (T, J), radians
    base_position: NDArray[np.float64]  # (T, 3), metres
    base_rotation: NDArray[np.float64]  # (T, 4), quaternions xyzw
    feet: tuple[str, ...]  # (L), the tips of the legs
    stance: NDArray[np.bool]  # (T, L), whether each foot is on the ground
    status: NDArray[np.int8]  # (T, L), codes of `twobone.Status`
    within: NDArray[np.bool]  # (T, L), whether the angles are within their limits
    blocked: NDArray[np.bool]  # (T), whether the robot could not go on, and steps on the spot


def write_robot_walk(file: str | os.PathLike[str] | BinaryIO, walk: RobotWalk) -> None:
    """Write the walk of a robot as .npz or .csv.

    `.npz` has one array for each field of `RobotWalk`; names are arrays of text. `.csv` has one row
    for each frame: `time`, an angle for each joint, `base_x`, `base_y`, `base_z`, `base_qx`,
    `base_qy`, `base_qz`, `base_qw`, `NAME_stance` for each foot, `status`, which is REACHED if all
    feet are, `within`, which is true if all angles are within their limits, and `blocked`. Both
    preserve every number to the bit.

    Parameters
    ----------
    file : path or binary file
        A path must end in `.npz` or `.csv`; its file is written completely or not at all. Into an
        open file, the format `.npz` is written.
    walk : RobotWalk

    Raises
    ------
    FileError
        If the path has another suffix.
    ArrayTypeError
        If `walk` is not a `RobotWalk`, or `file` is neither a path nor a binary file.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone.files.robot_walks import write_robot_walk
    >>> write_robot_walk("walk.csv", walk)  # doctest: +SKIP
    """
    atomic.check_file(file)
    if not isinstance(walk, RobotWalk):
        raise ArrayTypeError("walk", "a RobotWalk", quote(walk))
    write = write_npz if hasattr(file, "write") else WRITERS[suffix_of(file, WRITERS)]
    with atomic.opened(file) as opened:
        write(opened, walk)


def write_npz(file: Any, walk: RobotWalk) -> None:
    """Write the walk of a robot as .npz into an open binary file."""
    fields: dict[str, Any] = {name: np.array(part) for name, part in walk._asdict().items()}
    np.savez_compressed(file, **fields)


def write_csv(file: Any, walk: RobotWalk) -> None:
    """Write the walk of a robot as a table, one row for each frame, into an open binary file."""
    base = [f"base_{name}" for name in ("x", "y", "z", "qx", "qy", "qz", "qw")]
    stance = [f"{foot}_stance" for foot in walk.feet]
    names = ["time", *walk.joint_names, *base, *stance, "status", "within", "blocked"]
    numbers = [walk.time[:, None], walk.angles, walk.base_position, walk.base_rotation]
    columns = [map(repr, column) for part in numbers for column in part.T.tolist()]
    columns += [_flags(column) for column in walk.stance.T]
    worst = walk.status.max(axis=1)
    columns += [[Status(code).name for code in worst.tolist()], _flags(walk.within.all(axis=1))]
    columns.append(_flags(walk.blocked))
    rows = map(",".join, zip(*columns, strict=True))
    file.write("".join([f"{row}\n" for row in (",".join(names), *rows)]).encode())


def _flags(values):
    return ["true" if value else "false" for value in values.tolist()]


WRITERS = {".npz": write_npz, ".csv": write_csv}
