"""Keyframes of an animated model: a recording as positions and rotations of nodes.

The nodes are root > body > station > thigh > shin > metatarsus > foot, so a leg never comes apart.
The root is on the ground below the body and has its heading. A bone lies along its node's +y; the
leg bends about +x of thigh and shin, so the knee is a hinge. Legs without a third segment have no
metatarsus. Each node is computed relative to its parents as rounded to float32, so rounding errors
do not add up along a leg.
"""

import itertools
from typing import NamedTuple

import numpy as np

from twobone.core import solver
from twobone.errors import CreatureError, FileError
from twobone.files.recordings import check
from twobone.pictures.figure import foot_rotations, stations_of_legs
from twobone.pictures.legs import along, has_ankle, leg_normals, without_flips
from twobone.pictures.trunk import Trunk
from twobone.rotations import inverse, multiply, normalize, rotate, slerp

STILL = np.array([0.0, 0.0, 0.0, 1.0])
GIVES = 3e-7  # changes of length to ignore, in lengths of a leg: the resolution of float32
FARTHEST = 1e9  # m or s; beyond, float32 cannot resolve legs
PATH = 0.5  # seconds; standard deviation of the bell that smooths the root's path
FASTEST = 1000.0  # keys per second


class Keys(NamedTuple):
    """Keyframes of T frames and L legs, float32. Constant values have one row instead of T.

    Rotations are quaternions xyzw.
    """

    time: np.ndarray  # (T), seconds from the first frame
    root_position: np.ndarray  # (T, 3), on the ground below the body
    root_rotation: np.ndarray  # (T, 4), the heading
    body_position: np.ndarray  # (T, 3), in the root's space
    body_rotation: np.ndarray  # (T, 4), in the root's space
    stations: np.ndarray  # (T or 1, S, 3), in the body's space
    station_rotations: np.ndarray  # (T or 1, S, 4), in the body's space
    head: np.ndarray  # (T or 1, 4), in the space of the front station
    tail: np.ndarray  # (T or 1, K, 4): the first in the space of the rear station, others in that
    # of the link before
    hips: np.ndarray  # (T or 1, L, 3), in the space of the leg's station
    thighs: np.ndarray  # (T, L, 4), in the space of the leg's station
    shins: np.ndarray  # (T, L, 4), in the thigh's space
    metatarsi: np.ndarray  # (T or 1, L, 4), in the shin's space; the identity if there is none
    feet: np.ndarray  # (T, L, 4), in the metatarsus's space
    lengths: np.ndarray  # (T or 1, L, 3), of thigh, shin and metatarsus; 0 if there is none
    bearers: np.ndarray  # (L), int: the station of each leg


ROTATIONS = (
    *("root_rotation", "body_rotation", "station_rotations", "head", "tail"),
    *("thighs", "shins", "metatarsi", "feet"),
)


class Points(NamedTuple):
    """Positions of the joints of all legs."""

    hips: np.ndarray
    knees: np.ndarray
    ankles: np.ndarray
    feet: np.ndarray


def make_keys(recording, feet=()):
    """Return the keyframes of a recording; `feet` are the parts that are drawn at feet.

    Raises
    ------
    FileError
        If a field is not finite or too large for float32, if a leg has no length, or if times
        do not increase in float32. The attribute `field` is the name of the field.
    """
    recording = check(recording, finite=True)
    check_sizes(recording)
    time = _to_single(recording.time - recording.time[0])
    if not np.all(np.diff(time) > 0):
        raise FileError("the recording", "increasing times", "times that do not", field="time")
    root, heading, position, rotation = _body_keys(recording)
    body, turn = _in_world(root, heading, position, rotation)
    stations, station_rotations = _station_keys(recording, body, turn)
    bearers = stations_of_legs(recording)
    hips, lengths = _offsets(recording, bearers), _lengths(recording)

    body, turn = _on_body(body, turn, stations[:, bearers], station_rotations[:, bearers])
    starts = body + rotate(turn, hips.astype(np.float64))
    into = inverse(turn)
    first = rotate(into, recording.knees - starts)
    normals = leg_normals(first, rotate(into, recording.ankles - recording.knees))
    thighs = _to_keys(along(first, normals))

    turn = _turned(turn, thighs)
    knees = starts + rotate(turn, _up(lengths[..., 0]))
    second = rotate(inverse(turn), recording.ankles - knees)
    shins = _to_keys(_hinged(second))

    turn = _turned(turn, shins)
    ankles = knees + rotate(turn, _up(lengths[..., 1]))
    third = rotate(inverse(turn), recording.feet - ankles)
    bent = has_ankle(recording.bones)
    metatarsi = _to_keys(np.where(bent[:, None], _hinged(third), STILL))
    metatarsi = metatarsi if bent.any() else metatarsi[:1]

    feet = multiply(inverse(_turned(turn, metatarsi)), foot_rotations(recording, feet))
    return Keys(
        *(time, root, heading, position, rotation, stations, station_rotations),
        *(_head_keys(recording), _tail_keys(recording)),
        *(hips, thighs, shins, metatarsi, _to_keys(feet), lengths, bearers),
    )


def _turned(turn, keys):
    """Return rotations in the world of nodes in the space of others, from their keys."""
    return multiply(turn, normalize(keys.astype(np.float64)))


def _hinged(bones):
    """Return the rotations with +y along bones, about +x if they are perpendicular to it."""
    return along(bones, np.broadcast_to([1.0, 0.0, 0.0], bones.shape))


def _body_keys(recording):
    """Return position and rotation of the root, and of the body in the root's space."""
    body = recording.body_position
    # Smoothed, so that the body's sway and steps of the ground do not shake the root.
    path = np.stack([body[:, 0], recording.ground.mean(axis=1), body[:, 2]], axis=-1)
    root = _to_single(_smooth(path, PATH / recording.dt))
    rotation = recording.body_rotation
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
    return root + rotate(heading, position.astype(np.float64)), _turned(heading, rotation)


def _on_body(body, turn, places, rotations):
    """Return positions and rotations in the world, (T, n), of keys in the body's space."""
    turn = turn[:, None]
    return body[:, None] + rotate(turn, places.astype(np.float64)), _turned(turn, rotations)


def _station_keys(recording, body, turn):
    """Return positions and rotations of the stations in the body's space: one row if constant."""
    if len(recording.along) == 1:  # it is the body
        return np.zeros((1, 1, 3), np.float32), _to_single(STILL[None, None])
    back = inverse(turn)[:, None]
    places = rotate(back, recording.stations - body[:, None])
    turns = without_flips(multiply(back, normalize(recording.station_rotations)))
    return _to_single(_rest(places, places.mean(axis=0), recording)), _constant(turns)


def _constant(rotations):
    """Return rotations as keys: one row if they never change."""
    still = np.all(np.abs(rotations - rotations[0]) <= GIVES)
    return _to_single(rotations[:1] if still else rotations)


def _head_keys(recording):
    """Return rotations of the head as keys."""
    neck = recording.neck
    return _constant(without_flips(STILL[None] if neck is None else normalize(neck[:, -1])))


def _tail_keys(recording):
    """Return rotations of the links of the tail as keys, each in the space of the one before."""
    if recording.tail is None:
        return _to_single(STILL[None, None])
    turns = _to_keys(normalize(recording.tail[:, :1]))
    found, turn = [turns], normalize(turns.astype(np.float64))
    for link in range(1, recording.tail.shape[1]):
        own = multiply(inverse(turn), normalize(recording.tail[:, link : link + 1]))
        found.append(_to_keys(own))
        turn = _turned(turn, found[-1])
    return _constant(np.concatenate(found, axis=1))


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


def check_sizes(recording):
    """Raise if a field is too large for float32, or a leg has no length."""
    for name in ("time", "stations", "hips", "knees", "ankles", "feet", "bones", "ground", "along"):
        size = float(np.max(np.abs(getattr(recording, name))))
        if size > FARTHEST:
            wanted = f"sizes up to {FARTHEST:g} for a model"
            raise FileError("the recording", wanted, f"{size:g}", field=name)
    least = float(np.min(recording.bones.sum(1)))
    if least <= 0:
        raise FileError("the recording", "a length for each leg", f"{least:g}", field="bones")


def place(keys):
    """Return the hips, knees, ankles and feet that keyframes produce (forward kinematics)."""
    body, turn = _in_world(*keys[1:5])
    rows = keys.stations[:, keys.bearers], keys.station_rotations[:, keys.bearers]
    body, turn = _on_body(body, turn, *rows)
    points = [body + rotate(turn, keys.hips.astype(np.float64))]
    for bone, turns in enumerate((keys.thighs, keys.shins, keys.metatarsi)):
        turn = _turned(turn, turns)
        points.append(points[-1] + rotate(turn, _up(keys.lengths[..., bone])))
    return Points(*points)


def trunk_of(keys, along):
    """Return the trunk that keyframes produce, in the body's space, for `along` of its stations."""
    places, rotations = keys.stations.astype(np.float64), keys.station_rotations.astype(np.float64)
    return Trunk(along, places, normalize(rotations))


def halfway(keys):
    """Return keyframes interpolated halfway between the given ones, T - 1 in all."""

    def middle(values):
        values = values.astype(np.float64)
        return values if len(values) == 1 else (values[:-1] + values[1:]) / 2

    def turned(values):
        values = normalize(values.astype(np.float64))
        return values if len(values) == 1 else slerp(values[:-1], values[1:], 0.5)

    found = {
        name: (turned if name in ROTATIONS else middle)(value)
        for name, value in keys._asdict().items()
        if name != "bearers"
    }
    return keys._replace(**found)


def at_rate(recording, rate):
    """Return a recording with so many frames per second.

    A frame of the given recording at the same time is kept as it is. Between two frames the body
    and the feet are interpolated and the legs are solved again, so bones keep their lengths and
    feet in stance stay where they are.

    Raises
    ------
    CreatureError
        If `rate` is not above 0 and at most 1000.
    FileError
        If a field is too large for a model, or a leg has no length.
    """
    recording = check(recording, finite=True)
    if not (np.ndim(rate) == 0 and np.isreal(rate) and 0.0 < rate <= FASTEST):
        wanted = f"be a number of keys per second above 0, at most {FASTEST:g}"
        raise CreatureError("keys", wanted, repr(rate))
    check_sizes(recording)
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

    def blend(values):
        weight = share.reshape(-1, *(1,) * (values.ndim - 1))
        return (1.0 - weight) * values[low] + weight * values[high]

    def turn(rotations):
        rotations = normalize(rotations)
        return slerp(rotations[low], rotations[high], share[:, None])

    found = {name: blend(getattr(recording, name)) for name in ("time", "stations", "ground")}
    for name in ("station_rotations", "neck", "tail", "foot_rotation"):
        if getattr(recording, name) is not None:
            found[name] = turn(getattr(recording, name))
    # Hips are interpolated in the space of their station, in which they hardly move.
    legs = stations_of_legs(recording)
    into = inverse(normalize(recording.station_rotations))[:, legs]
    offsets = blend(rotate(into, recording.hips - recording.stations[:, legs]))
    hips = found["stations"][:, legs] + rotate(found["station_rotations"][:, legs], offsets)
    exact = (share == 0.0)[:, None, None]
    found["hips"] = np.where(exact, recording.hips[low], hips)
    found["feet"] = np.where(
        (recording.feet[low] == recording.feet[high]), recording.feet[low], blend(recording.feet)
    )
    # The third segments turn, and keep their lengths.
    third = blend(recording.ankles - recording.feet)
    size = np.linalg.norm(third, axis=-1, keepdims=True)
    third *= recording.bones[:, 2:] / np.where(size > 0.0, size, 1.0)
    found["ankles"] = np.where(exact, recording.ankles[low], found["feet"] + third)
    found["knees"] = blend(recording.knees)
    found["stance"] = np.where(
        exact[..., 0], recording.stance[low], recording.stance[low] & recording.stance[high]
    )
    if recording.blocked is not None:
        found["blocked"] = recording.blocked[low]
    return found


def _knees(recording):
    """Return knees solved for hips and ankles, on the side of the given knees."""
    hips, knees, (first, second, _) = recording.hips, recording.knees, recording.bones.T
    target, pole = recording.ankles - hips, knees - hips
    return hips + solver.solve(target, first, second, pole=pole, unreachable="stretch")


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


def _offsets(recording, bearers):
    """Return the hips in the spaces of their stations: one row if they never move in them."""
    turn = inverse(normalize(recording.station_rotations))[:, bearers]
    offsets = rotate(turn, recording.hips - recording.stations[:, bearers])
    return _to_single(_rest(offsets, offsets.mean(axis=0), recording))


def _lengths(recording):
    """Return the lengths of bones: one row if they never change."""
    points = recording.hips, recording.knees, recording.ankles, recording.feet
    ends = itertools.pairwise(points)
    found = np.stack([np.linalg.norm(b - a, axis=-1) for a, b in ends], axis=-1)
    return _to_single(_rest(found, recording.bones, recording))


def _rest(values, usual, recording):
    leg = recording.bones.sum(1).max()
    still = np.all(np.abs(values - usual) <= GIVES * leg)
    return usual[None] if still else values


# --- rotations ----------------------------------------------------------------------------


def _up(lengths):
    return np.asarray(lengths, np.float64)[..., None] * [0.0, 1.0, 0.0]


def _to_keys(rotations):
    return _to_single(without_flips(rotations))


def _to_single(values):
    return np.asarray(values, np.float32)
