"""Keyframes of an animated model: a recording as positions and rotations of nodes.

The nodes are root > body > thigh > shin > foot, so a leg never comes apart. The root is on the
ground below the body and has its heading. A bone lies along its node's +y; the leg bends about +x
of thigh and shin, so the knee is a hinge. In legs with a hock the shin ends there, and between it
and the foot is a metatarsus, which keeps its angle to the shin. Each node is computed relative to
its parents as rounded to float32, so rounding errors do not add up along a leg.
"""

from typing import NamedTuple

import numpy as np

from twobone.core import solver
from twobone.errors import CreatureError, FileError
from twobone.files.recordings import check
from twobone.pictures.figure import foot_rotations, hocks_of, unit_rotations
from twobone.pictures.hocks import along, bones_below, leg_normals, lengths_below, without_flips
from twobone.rotations import inverse, multiply, normalize, rotate, shortest_arc, slerp

GIVES = 3e-7  # changes of length to ignore, in lengths of a leg: the resolution of float32
FARTHEST = 1e9  # m or s; beyond, float32 cannot resolve legs
PATH = 0.5  # seconds; standard deviation of the bell that smooths the root's path
FASTEST = 1000.0  # keys per second


class Keys(NamedTuple):
    """Keyframes of T frames and L legs, float32. Constant values have one row instead of T."""

    time: np.ndarray  # (T), seconds from the first frame
    root_position: np.ndarray  # (T, 3), on the ground below the body
    root_rotation: np.ndarray  # (T, 4), the heading; a quaternion xyzw, like all rotations
    body_position: np.ndarray  # (T, 3), in the root's space
    body_rotation: np.ndarray  # (T, 4), in the root's space
    head_rotation: np.ndarray  # (T or 1, 4), in the body's space
    tail_rotation: np.ndarray  # (T or 1, 4), in the body's space
    bend: np.ndarray  # (T or 1, 4), of the trunk, see `Recording.body_bend`
    hips: np.ndarray  # (T or 1, L, 3), in the body's space
    thighs: np.ndarray  # (T, L, 4), in the body's space
    shins: np.ndarray  # (T, L, 4), in the thigh's space
    metatarsi: np.ndarray  # (1, L, 4), in the shin's space; the identity if there is none
    feet: np.ndarray  # (T, L, 4), in the metatarsus's space
    lengths: np.ndarray  # (T or 1, L, 3), of thigh, shin and metatarsus; 0 if there is none


ROTATIONS = (
    *("root_rotation", "body_rotation", "head_rotation", "tail_rotation"),
    *("thighs", "shins", "metatarsi", "feet"),
)


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
    root, heading, position, rotation = _body_keys(recording)
    hips, (lower, metatarsi) = _offsets(recording), _hock_turns(recording)
    lengths = _lengths(recording)

    body, turn = _in_world(root, heading, position, rotation)
    turn = turn[:, None]
    into_body = inverse(turn)
    starts = body[:, None] + rotate(turn, hips.astype(np.float64))
    first = rotate(into_body, recording.knees - starts)
    normals = leg_normals(first, rotate(into_body, recording.feet - recording.knees))
    thighs = _to_keys(along(first, normals))

    turn = multiply(turn, normalize(thighs.astype(np.float64)))
    knees = starts + rotate(turn, _up(lengths[..., 0]))
    second = rotate(inverse(turn), recording.feet - knees)
    shins = along(second, np.broadcast_to([1.0, 0.0, 0.0], second.shape))
    shins = _to_keys(multiply(shins, lower))

    turn = multiply(turn, normalize(shins.astype(np.float64)))
    turn = multiply(turn, normalize(metatarsi.astype(np.float64)))
    feet = foot_rotations(recording, normalize(recording.body_rotation))
    feet = _to_keys(multiply(inverse(turn), feet))
    head, tail = (_own(getattr(recording, f"{node}_rotation")) for node in ("head", "tail"))
    return Keys(
        *(time, root, heading, position, rotation),
        *(head, tail, _bend(recording), hips, thighs, shins, metatarsi, feet, lengths),
    )


def _body_keys(recording):
    """Return position and rotation of the root, and of the body in the root's space."""
    body = recording.body_position
    # Smoothed, so that the body's sway and steps of the ground do not shake the root.
    path = np.stack([body[:, 0], recording.ground.mean(axis=1), body[:, 2]], axis=-1)
    root = _to_single(_smooth(path, PATH / recording.dt))
    rotation = normalize(recording.body_rotation)
    # The part of the rotation that is about the vertical; none for a body that is upside down.
    heading = rotation * [0.0, 1.0, 0.0, 1.0]
    sizes = np.linalg.norm(heading, axis=-1, keepdims=True)
    heading = np.where(sizes > 1e-6, heading / np.maximum(sizes, 1e-6), [0.0, 0.0, 0.0, 1.0])
    heading = _to_keys(heading)
    back = inverse(normalize(heading.astype(np.float64)))
    position = _to_single(rotate(back, body - root))
    return root, heading, position, _to_keys(multiply(back, rotation))


def _in_world(root, heading, position, rotation):
    """Return position and rotation of the body in the world, from those of root and body."""
    heading = normalize(heading.astype(np.float64))
    turn = multiply(heading, normalize(rotation.astype(np.float64)))
    return root + rotate(heading, position.astype(np.float64)), turn


def _own(rotations):
    """Return rotations in the body's space as keys: one row if there are none."""
    if rotations is None:
        return np.array([[0.0, 0.0, 0.0, 1.0]], np.float32)
    return _to_keys(unit_rotations(rotations))


def _bend(recording):
    """Return the bend of the trunk as keys: one row if it is stiff."""
    bend = recording.body_bend
    return _to_single(np.zeros((1, 4)) if bend is None else bend)


def _smooth(values, frames):
    """Smooth values over time with a Gaussian; the first and the last value stay as they are."""
    half = int(min(3.0 * frames, len(values) - 1, 2000))
    if half < 1:
        return values
    bell = np.exp(-0.5 * (np.arange(-half, half + 1) / frames) ** 2)
    bell /= bell.sum()
    # Padded by point reflection about both ends, so that motion at constant speed is unchanged.
    before = 2.0 * values[:1] - values[half:0:-1]
    after = 2.0 * values[-1:] - values[-2 : -half - 2 : -1]
    padded = np.concatenate([before, values, after])
    return np.stack([np.convolve(row, bell, mode="valid") for row in padded.T], axis=-1)


def _check_sizes(recording):
    for name in ("time", "body_position", "hips", "knees", "feet", "bones", "body_bend"):
        values = getattr(recording, name)
        if values is None:
            continue
        size = float(np.max(np.abs(values)))
        if size > FARTHEST:
            wanted = f"sizes up to {FARTHEST:g} for a model"
            raise FileError("the recording", wanted, f"{size:g}", field=name)
    least = float(np.min(recording.bones.sum(1)))
    if least <= 0:
        raise FileError("the recording", "a length for each leg", f"{least:g}", field="bones")


def place(keys):
    """Return the hips, knees and feet that keyframes produce (forward kinematics)."""
    position, body = _in_world(*keys[1:5])
    body = body[:, None]
    hips = position[:, None] + rotate(body, keys.hips.astype(np.float64))
    thighs = multiply(body, normalize(keys.thighs.astype(np.float64)))
    knees = hips + rotate(thighs, _up(keys.lengths[..., 0]))
    shins = multiply(thighs, normalize(keys.shins.astype(np.float64)))
    hocks = knees + rotate(shins, _up(keys.lengths[..., 1]))
    metatarsi = multiply(shins, normalize(keys.metatarsi.astype(np.float64)))
    return Points(hips, knees, hocks + rotate(metatarsi, _up(keys.lengths[..., 2])))


def halfway(keys):
    """Return keyframes interpolated halfway between the given ones, T - 1 in all."""

    def middle(values):
        values = values.astype(np.float64)
        return values if len(values) == 1 else (values[:-1] + values[1:]) / 2

    def turned(values):
        values = normalize(values.astype(np.float64))
        return values if len(values) == 1 else slerp(values[:-1], values[1:], 0.5)

    return Keys(
        **{
            name: (turned if name in ROTATIONS else middle)(value)
            for name, value in keys._asdict().items()
        }
    )


def at_rate(recording, rate):
    """Return a recording with so many frames per second.

    A frame of the given recording at the same time is kept as it is. Between two frames the body
    and the feet are interpolated and the legs are solved again, so bones keep their lengths and
    feet in stance stay where they are.

    Raises
    ------
    CreatureError
        If `rate` is not above 0 and at most 1000.
    """
    recording = check(recording, finite=True)
    if not (np.ndim(rate) == 0 and np.isreal(rate) and 0.0 < rate <= FASTEST):
        wanted = f"be a number of keys per second above 0, at most {FASTEST:g}"
        raise CreatureError("keys", wanted, repr(rate))
    seconds = recording.dt * (len(recording.time) - 1)
    frames = np.arange(int(seconds * rate + 1e-6) + 1) / (rate * recording.dt)
    near = np.rint(frames)
    frames = np.where(np.abs(frames - near) < 1e-6, near, frames)
    low = np.minimum(frames.astype(int), len(recording.time) - 1)
    high = np.minimum(low + 1, len(recording.time) - 1)
    found = recording._replace(dt=1.0 / rate, **_between(recording, low, high, frames - low))
    knees = np.where((frames == low)[:, None, None], recording.knees[low], _knees(found))
    return found._replace(knees=knees)


def _between(recording, low, high, share):
    """Return fields of a recording between frames; the knees are on the lines between them."""

    def blend(values, share=share):
        share = share.reshape(-1, *(1,) * (values.ndim - 1))
        return (1.0 - share) * values[low] + share * values[high]

    body = normalize(recording.body_rotation)
    found = {name: blend(getattr(recording, name)) for name in ("time", "body_position", "ground")}
    found["body_rotation"] = slerp(body[low], body[high], share)
    if recording.body_bend is not None:
        found["body_bend"] = blend(recording.body_bend)
    for name in ("head_rotation", "tail_rotation", "foot_rotation"):
        own = getattr(recording, name)
        if own is not None:
            own = unit_rotations(own)
            found[name] = slerp(own[low], own[high], share.reshape(-1, *(1,) * (own.ndim - 2)))
    # Hips are interpolated in the body's space, in which they move only if the trunk bends.
    into = inverse(body)[:, None]
    offsets = blend(rotate(into, recording.hips - recording.body_position[:, None]))
    hips = found["body_position"][:, None] + rotate(found["body_rotation"][:, None], offsets)
    exact = (share == 0.0)[:, None, None]
    found["hips"] = np.where(exact, recording.hips[low], hips)
    found["feet"] = np.where(
        (recording.feet[low] == recording.feet[high]), recording.feet[low], blend(recording.feet)
    )
    found["knees"] = blend(recording.knees)
    found["stance"] = np.where(
        exact[..., 0], recording.stance[low], recording.stance[low] & recording.stance[high]
    )
    if recording.blocked is not None:
        found["blocked"] = recording.blocked[low]
    return found


def _knees(recording):
    """Return knees solved for hips and feet, on the side of the given knees."""
    hips, knees, feet = recording.hips, recording.knees, recording.feet
    found = solver.solve(feet - hips, *recording.bones.T, pole=knees - hips, unreachable="stretch")
    return hips + found


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
    return _to_single(_rest(offsets, offsets.mean(axis=0), recording))


def _lengths(recording):
    """Return the lengths of bones: one row if they never change."""
    ends = (recording.hips, recording.knees), (recording.knees, recording.feet)
    found = np.stack([np.linalg.norm(b - a, axis=-1) for a, b in ends], axis=-1)
    found = _rest(found, recording.bones, recording)
    shares = [lengths_below(hock) for hock in hocks_of(recording)]
    return _to_single(np.concatenate([found[..., :1], found[..., 1:] * shares], axis=-1))


def _rest(values, usual, recording):
    leg = recording.bones.sum(1).max()
    still = np.all(np.abs(values - usual) <= GIVES * leg)
    return usual[None] if still else values


# --- hocks --------------------------------------------------------------------------------


def _hock_turns(recording):
    """Return rotations of shins, and those of metatarsi in the space of the shins as keys."""
    bones = np.stack([bones_below(hock) for hock in hocks_of(recording)], axis=1)
    shins, metatarsi = shortest_arc([0.0, 1.0, 0.0], bones)
    return shins, _to_single(multiply(inverse(shins), metatarsi)[None])


# --- rotations ----------------------------------------------------------------------------


def _up(lengths):
    return np.asarray(lengths, np.float64)[..., None] * [0.0, 1.0, 0.0]


def _to_keys(rotations):
    return _to_single(without_flips(rotations))


def _to_single(values):
    return np.asarray(values, np.float32)
