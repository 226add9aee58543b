"""Keyframes of an animated model: a recording at another rate, and what players make of it."""

import numpy as np

from twobone.core import solver
from twobone.errors import CreatureError
from twobone.files.recordings import check
from twobone.pictures.figure import figure_of, hips_in_body, stations_of_legs
from twobone.pictures.rig import check_sizes, make_rig, root_of, times_of
from twobone.rotations import inverse, normalize, rotate, slerp

FASTEST = 1000.0  # keys per second
CLOSED = 1e-6  # of the leg, or as a rotation: how exactly the last pose of a loop is the first
PLACES = ("stations", "hips", "knees", "ankles", "feet")
TURNS = ("station_rotations", "neck", "tail", "foot_rotation")


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


def in_place(recording):
    """Return a loop without its travel, and the travel in each frame, (T, 3).

    The last frame becomes the first one.

    Raises
    ------
    CreatureError
        If the pose of the last frame is not that of the first, moved along the ground.
    """
    recording = check(recording, finite=True)
    share = (np.arange(len(recording.time)) / max(len(recording.time) - 1, 1))[:, None]
    body = recording.body_position * [1.0, 0.0, 1.0]
    travel = share * (body[-1] - body[0])
    travel += (body - travel)[:-1].mean(axis=0)  # the root is below the middle of the body's sway
    found = {}
    for name in (*PLACES, *TURNS):
        if (values := getattr(recording, name)) is not None:
            moved = values - travel[:, None] if name in PLACES else normalize(values)
            away = moved[-1] - moved[0]
            if name in TURNS:  # a rotation and its negative are the same
                away = np.minimum(np.abs(away), np.abs(moved[-1] + moved[0]))
            size = float(recording.bones.sum(1).max()) if name in PLACES else 1.0
            if np.max(np.abs(away), initial=0.0) > CLOSED * size:
                wanted = "be of a recording whose last pose is its first, as `walk_cycle` returns"
                raise CreatureError("loop", wanted, f"other {name}")
            found[name] = np.concatenate([moved[:-1], moved[:1]])
    return recording._replace(**found), travel - travel[0]


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
    check_sizes(recording)
    times_of(recording)
    shape = figure_of(recording, hips_in_body(recording), float(recording.bones.sum(1).max()))
    halfway = make_rig(recording, shape, root_of(recording)).halfway()
    numbers = [i for i, bone in enumerate(halfway.bones) if bone.name.startswith("foot_")]
    feet = np.stack([halfway.places[i] for i in numbers], axis=1)
    stood = (recording.feet[1:] + recording.feet[:-1]) / 2
    drift = np.linalg.norm(feet - stood, axis=-1) / recording.bones.sum(1)
    return 1000.0 * float(np.max(drift[planted]))
