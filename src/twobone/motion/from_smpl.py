"""Clips from SMPL's arrays (.npz), as AMASS has them, and back.

An archive has `poses` (T, 3 J), rotation vectors of joints relative to their parents, of which the
first 22 are those of the body in SMPL, SMPL-H and SMPL-X; `trans` (T, 3), in metres; and frames per
second. Nothing of these licensed models is needed: offsets of joints are given, or those of an
average adult are assumed.

Source: Mahmood and others, "AMASS: Archive of Motion Capture as Surface Shapes", 2019.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import ArrayLike
from twobone.errors import ClipError
from twobone.files import archives, atomic
from twobone.files.columns import quote
from twobone.motion.clip import Clip, check_far
from twobone.motion.guesses import guess_up
from twobone.motion.joints.layouts import LAYOUTS
from twobone.pose import LocalPose, Skeleton
from twobone.rotations import (
    multiply,
    normalize,
    quaternion_to_rotation_vector,
    rotate,
    rotation_vector_to_quaternion,
)

RATES = ("mocap_framerate", "mocap_frame_rate", "fps")
POSES, TRANS = "poses", "trans"
BODY = 22  # joints that all of these models have
WIDTH = 156  # numbers of a frame in new files, those of SMPL-H
GROWTH = 100.0  # how many times as large as its file an archive may be; that of numbers is 10
PELVIS = (0.0, -0.22, 0.02)  # metres: the pelvis of an average adult in the models' space
LENGTHS = {  # metres, of an average adult: the bone that ends at each joint
    "hip": 0.11,
    "knee": 0.39,
    "ankle": 0.4,
    "foot": 0.14,
    "spine1": 0.11,
    "spine2": 0.13,
    "spine3": 0.06,
    "neck": 0.21,
    "head": 0.1,
    "collar": 0.14,
    "shoulder": 0.11,
    "elbow": 0.26,
    "wrist": 0.25,
    "hand": 0.09,
}
Z_UP = (0.5**0.5, 0.0, 0.0, 0.5**0.5)  # from y up
Y_UP = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)  # from z up


class Origin(NamedTuple):
    """What `save` needs of the file that a clip was read from."""

    pelvis: np.ndarray  # (3), where the pelvis is without a translation
    others: np.ndarray  # (T, n), numbers of the joints that the clip does not have


def load(
    path: str | os.PathLike[str],
    clip: str | int | None = None,
    offsets: ArrayLike[Any] | None = None,
) -> Clip:
    """Read an archive of SMPL's arrays as a clip, as `twobone.motion.load` does.

    Joints are the 22 of the body, and the two hands if the file has 24 joints. The rest pose is the
    T-pose in which all rotations are 0. Shape parameters (`betas`) are ignored.

    Parameters
    ----------
    path : path
        A .npz file with `poses`, `trans` and `mocap_framerate` (or `mocap_frame_rate`, `fps`).
    clip : 0, optional
        There is one clip.
    offsets : array, shape (22, 3) or (24, 3), optional
        Where each joint is relative to its parent in the T-pose, in metres, y up; the first is the
        place of the pelvis. By default those of an average adult.

    Returns
    -------
    Clip
        In metres. The axis that points up is guessed: z in AMASS, y elsewhere.

    Raises
    ------
    ClipError
        If arrays are missing or have other shapes.
    FileError
        If the file is damaged or expands to more than 100 times its size.
    OSError
        If the file cannot be read.
    """
    is_first = not isinstance(clip, bool | str) and clip == 0
    if not (clip is None or is_first):
        raise ClipError(path, "0 or None (one clip, without a name)", quote(clip), field="clip")
    wanted = (POSES, TRANS, *RATES)
    with open(path, "rb") as file:
        found = archives.read_npz(file, str(path), lambda name, size: name in wanted, GROWTH)
    poses, trans, fps = _checked(path, found)
    layout = LAYOUTS["smpl24" if poses.shape[1] == 24 else "smpl22"]
    rest = _offsets(path, layout, offsets)
    count = len(rest)
    rotations = rotation_vector_to_quaternion(poses[:, :count])
    translations = np.tile(rest, (len(poses), 1, 1))
    translations[:, 0] += trans
    skeleton = Skeleton(layout.parents, rest, names=layout.names)
    up = guess_up(skeleton, LocalPose(rotations, translations))
    if up == "z":
        rotations[:, 0] = multiply(rotations[:, 0], Y_UP)
        rotations[:, 1:] = _conjugated(rotations[:, 1:], Z_UP)
        upright = rotate(Z_UP, rest)
        skeleton = Skeleton(layout.parents, upright, names=layout.names)
        translations[:, 1:] = upright[1:]
    origin = Origin(rest[0], poses[:, count:].reshape(len(poses), -1))
    pose = LocalPose(rotations, translations)
    return Clip(skeleton, pose, fps, up=up, guessed=("up",), document=origin)


def load_all(path: str | os.PathLike[str]) -> list[Clip]:
    """Return the clip of an archive, as `twobone.motion.load_all` does."""
    return [load(path)]


def clip_names(path: str | os.PathLike[str]) -> list[str | None]:
    """Return that there is one clip, without a name; the file is not read."""
    return [None]


def is_smpl(path: str | os.PathLike[str]) -> bool:
    """Return whether a .npz file has the arrays of a motion; others may have anything."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return False
    return {f"{POSES}.npy", f"{TRANS}.npy"} <= names


def save(clip: Clip, path: str | os.PathLike[str]) -> None:
    """Write a clip as an archive of SMPL's arrays, as `twobone.motion.save` does.

    Rotations of the joints named as in `from_joints(skeleton="smpl22")` become `poses` (T, 156),
    with hands at rest; those of other joints of the file that the clip was read from are kept if it
    has as many frames. `betas` are 0 and the gender is neutral.

    Raises
    ------
    ClipError
        If the clip lacks joints of SMPL, or holds NaN or infinity.
    OSError
        If the file cannot be written.
    """
    layout = LAYOUTS["smpl22"]
    names = clip.skeleton.names or ()
    missing = [name for name in layout.names or () if name not in names]
    if missing:
        wanted = f"the joints of SMPL (a clip of `from_joints`), such as {missing[0]}"
        raise ClipError(path, wanted, f"joints without {len(missing)} of them")
    origin = clip.document if isinstance(clip.document, Origin) else None
    hands = [name for name in ("left_hand", "right_hand") if name in names]
    place = [names.index(name) for name in (*(layout.names or ()), *hands)]
    given = clip.pose.translations
    assert given is not None
    rotations, root = normalize(clip.pose.rotations[:, place]), clip.metres * given[:, place[0]]
    if not (np.isfinite(rotations).all() and np.isfinite(root).all()):
        raise ClipError(path, "finite poses", "others")
    if clip.up == "z":
        rotations[:, 0] = multiply(rotations[:, 0], Z_UP)
        rotations[:, 1:] = _conjugated(rotations[:, 1:], Y_UP)
    vectors = quaternion_to_rotation_vector(rotations).reshape(len(clip), -1)
    poses = np.zeros((len(clip), max(WIDTH, vectors.shape[1])))
    poses[:, : vectors.shape[1]] = vectors
    if origin is not None and len(origin.others) == len(clip):
        poses = np.concatenate([vectors, origin.others], axis=1)
    elif hands:
        poses = vectors
    pelvis = np.array(PELVIS) if origin is None else origin.pelvis
    with atomic.replacing(Path(path)) as file:
        np.savez_compressed(
            file,
            poses=poses,
            trans=root - pelvis,
            mocap_framerate=np.array(clip.fps),
            betas=np.zeros(16),
            gender=np.array("neutral"),
        )


def save_all(clips: list[Clip], path: str | os.PathLike[str]) -> None:
    """Refuse to write several clips."""
    raise ClipError(path, "one clip, because an archive cannot hold more", f"{len(clips)} clips")


def _conjugated(rotations, turn):
    """Return rotations of other axes, which `turn` brings the old ones to."""
    vectors = rotate(turn, rotations[..., :3])
    return np.concatenate([vectors, rotations[..., 3:]], axis=-1)


def _checked(path, found):
    """Return rotation vectors (T, J, 3), translations (T, 3) and frames per second."""
    for name in (POSES, TRANS):
        if name not in found:
            raise ClipError(path, f"an array {name!r}", "none: it is missing", field=name)
    poses, trans = (found[name].astype(np.float64) for name in (POSES, TRANS))
    if poses.ndim == 3 and poses.shape[2] == 3:
        poses = poses.reshape(len(poses), -1)
    if poses.ndim != 2 or poses.shape[1] % 3 or poses.shape[1] < 3 * BODY or not len(poses):
        wanted = f"shape (T, 3 J) with J >= {BODY}"
        raise ClipError(path, wanted, poses.shape, field=POSES)
    if trans.shape != (len(poses), 3):
        raise ClipError(path, f"shape ({len(poses)}, 3)", trans.shape, field=TRANS)
    for name, array in ((POSES, poses), (TRANS, trans)):
        if not np.isfinite(array).all():
            raise ClipError(path, "finite numbers", "others", field=name)
        check_far(path, array, name)
    rates = [found[name] for name in RATES if name in found]
    if not rates or rates[0].size != 1:
        raise ClipError(path, "frames per second", "none", field=RATES[0])
    return poses.reshape(len(poses), -1, 3), trans, float(rates[0].reshape(()))


def _offsets(path, layout, offsets):
    """Return the offsets (J, 3) of the joints, those given or those of an average adult."""
    count = len(layout.parents)
    if offsets is not None:
        wanted = f"finite numbers of shape ({count}, 3)"
        try:
            given = np.asarray(offsets, np.float64)
        except (TypeError, ValueError):
            raise ClipError(path, wanted, quote(offsets), field="offsets") from None
        if given.shape != (count, 3):
            raise ClipError(path, wanted, given.shape, field="offsets")
        if not np.isfinite(given).all():
            raise ClipError(path, wanted, "others", field="offsets")
        return given
    parts = [name.rsplit("_", 1)[-1] for name in layout.names or ()]
    lengths = np.array([LENGTHS.get(part, 0.0) for part in parts])[:, None]
    sizes = np.linalg.norm(layout.rest, axis=1, keepdims=True)
    rest = lengths * layout.rest / np.where(sizes > 0.0, sizes, 1.0)
    rest[0] = PELVIS
    return rest
