"""Keyframes of an animated model: a recording as positions and rotations of nodes.

The nodes are body > thigh > shin > foot, so a leg never comes apart. A bone lies along its
node's +y; the leg bends about +x of thigh and shin, so the knee is a hinge. Each node is computed
relative to its parents as rounded to float32, so rounding errors do not add up along a leg.
"""

from typing import NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.files.recordings import check
from twobone.rotations import frame, inverse, multiply, normalize, rotate, slerp

STRAIGHT = 1e-6  # sine of the knee's angle below which a leg counts as straight
GIVES = 3e-7  # changes of length to ignore, in lengths of a leg: the resolution of float32
FARTHEST = 1e9  # m or s; beyond, float32 cannot resolve legs
HALF_TURN = np.sqrt([0.5, 0.5, 0.0, 0.0])  # swaps +x and +y


class Keys(NamedTuple):
    """Keyframes of T frames and L legs, float32. Constant values have one row instead of T."""

    time: np.ndarray  # (T), seconds from the first frame
    body_position: np.ndarray  # (T, 3)
    body_rotation: np.ndarray  # (T, 4), a quaternion xyzw, like all rotations
    hips: np.ndarray  # (T or 1, L, 3), in the body's space
    thighs: np.ndarray  # (T, L, 4), in the body's space
    shins: np.ndarray  # (T, L, 4), in the thigh's space
    lengths: np.ndarray  # (T or 1, L, 2), of the bones


class Points(NamedTuple):
    """Positions of the joints of all legs."""

    hips: np.ndarray
    knees: np.ndarray
    feet: np.ndarray


def make_keys(recording):
    """Return the keyframes of a recording.

    Raises
    ------
    FileError
        If a field is not finite or too large for float32, if a leg has no length, or if times
        do not increase in float32. The attribute `field` is the name of the field.
    """
    recording = check(recording, finite=True)
    _check_sizes(recording)
    time = _to_single(recording.time - recording.time[0])
    if not np.all(np.diff(time) > 0):
        raise FileError("the recording", "increasing times", "times that do not", field="time")
    position = _to_single(recording.body_position)
    rotation = _to_keys(normalize(recording.body_rotation))
    hips, lengths = _offsets(recording), _lengths(recording)

    turn = normalize(rotation.astype(np.float64))[:, None]
    into_body = inverse(turn)
    starts = position[:, None] + rotate(turn, hips.astype(np.float64))
    first = rotate(into_body, recording.knees - starts)
    normals = _leg_normals(first, rotate(into_body, recording.feet - recording.knees))
    thighs = _to_keys(_along(first, normals))

    turn = multiply(turn, normalize(thighs.astype(np.float64)))
    knees = starts + rotate(turn, _up(lengths[..., 0]))
    second = rotate(inverse(turn), recording.feet - knees)
    shins = _to_keys(_along(second, np.broadcast_to([1.0, 0.0, 0.0], second.shape)))
    return Keys(time, position, rotation, hips, thighs, shins, lengths)


def _check_sizes(recording):
    for name in ("time", "body_position", "hips", "knees", "feet", "bones"):
        size = float(np.max(np.abs(getattr(recording, name))))
        if size > FARTHEST:
            wanted = f"sizes up to {FARTHEST:g} for a model"
            raise FileError("the recording", wanted, f"{size:g}", field=name)
    least = float(np.min(recording.bones.sum(1)))
    if least <= 0:
        raise FileError("the recording", "a length for each leg", f"{least:g}", field="bones")


def place(keys):
    """Return the hips, knees and feet that keyframes produce (forward kinematics)."""
    body = normalize(keys.body_rotation.astype(np.float64))[:, None]
    hips = keys.body_position[:, None] + rotate(body, keys.hips.astype(np.float64))
    thighs = multiply(body, normalize(keys.thighs.astype(np.float64)))
    knees = hips + rotate(thighs, _up(keys.lengths[..., 0]))
    shins = multiply(thighs, normalize(keys.shins.astype(np.float64)))
    return Points(hips, knees, knees + rotate(shins, _up(keys.lengths[..., 1])))


def halfway(keys):
    """Return keyframes interpolated halfway between the given ones, T - 1 in all."""

    def middle(values):
        values = values.astype(np.float64)
        return values if len(values) == 1 else (values[:-1] + values[1:]) / 2

    def turned(values):
        values = normalize(values.astype(np.float64))
        return slerp(values[:-1], values[1:], 0.5)

    rotations = {name: turned(getattr(keys, name)) for name in ("body_rotation", "thighs", "shins")}
    return keys._replace(
        time=middle(keys.time),
        body_position=middle(keys.body_position),
        hips=middle(keys.hips),
        lengths=middle(keys.lengths),
        **rotations,
    )


def drift_between_keys(recording):
    """Measure how far feet in stance move between the keyframes of a model.

    Players interpolate rotations, so a foot that is at rest in two keyframes can move a little
    in between.

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    float
        The maximum distance, in mm per metre of leg, of a foot halfway between two keyframes
        from the midpoint of its places in them, over all feet that are in stance in both. 0 if
        there are none.

    Examples
    --------
    >>> from twobone.pictures.keyframes import drift_between_keys
    >>> drift_between_keys(recording)  # doctest: +SKIP
    0.033
    """
    recording = check(recording)
    planted = recording.stance[1:] & recording.stance[:-1]
    if not planted.any():
        return 0.0
    feet = place(halfway(make_keys(recording))).feet
    stood = (recording.feet[1:] + recording.feet[:-1]) / 2
    drift = np.linalg.norm(feet - stood, axis=-1) / recording.bones.sum(1)
    return 1000.0 * float(np.max(drift[planted]))


# --- constant values ----------------------------------------------------------------------


def _offsets(recording):
    """Return the hips in the body's space: one row if they never move in it."""
    turn = inverse(normalize(recording.body_rotation))[:, None]
    offsets = rotate(turn, recording.hips - recording.body_position[:, None])
    return _rest(offsets, offsets.mean(axis=0), recording)


def _lengths(recording):
    """Return the lengths of bones: one row if they never change."""
    ends = (recording.hips, recording.knees), (recording.knees, recording.feet)
    found = np.stack([np.linalg.norm(b - a, axis=-1) for a, b in ends], axis=-1)
    return _rest(found, recording.bones, recording)


def _rest(values, usual, recording):
    leg = recording.bones.sum(1).max()
    still = np.all(np.abs(values - usual) <= GIVES * leg)
    return _to_single(usual[None] if still else values)


# --- rotations ----------------------------------------------------------------------------


def _along(bone, normal):
    """Return the rotation with +y along a bone and +x along the normal of the leg's plane."""
    return multiply(frame(bone, normal), HALF_TURN)


def _leg_normals(first, second):
    """Return normals of the legs' planes that change continuously.

    A straight leg keeps its last normal, or else takes the first one to come. A leg that bends
    to the other side keeps its normal too, and the angle of its hinge changes sign.
    """
    normals = np.cross(first, second)
    sizes = np.linalg.norm(normals, axis=-1)
    bent = sizes > STRAIGHT * np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    frames = np.where(bent, np.arange(len(bent))[:, None], -1)
    last = np.maximum.accumulate(frames, axis=0)
    last = np.where(last < 0, np.argmax(bent, axis=0), last)
    normals = normals / np.where(bent, sizes, 1.0)[..., None]
    return without_flips(np.take_along_axis(normals, last[..., None], axis=0))


def without_flips(vectors):
    """Negate vectors, or quaternions, that point away from the one before."""
    dots = np.sum(vectors[1:] * vectors[:-1], axis=-1, keepdims=True)
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    return np.concatenate([vectors[:1], vectors[1:] * signs])


def _up(lengths):
    return np.asarray(lengths, np.float64)[..., None] * [0.0, 1.0, 0.0]


def _to_keys(rotations):
    return _to_single(without_flips(rotations))


def _to_single(values):
    return np.asarray(values, np.float32)
