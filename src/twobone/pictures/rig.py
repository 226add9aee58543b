"""The bones of an animated model: a recording as places and rotations of nodes.

The bones are root > body > spine > neck > head, with the legs and the tail on the trunk: see
`model.write_glb`. A bone lies along its +y; that of the root is up. A leg bends about +x of thigh
and shin, so the knee is a hinge. Each bone is computed relative to its parents as rounded to
float32, so rounding errors do not add up along a chain.
"""

import itertools
from typing import NamedTuple

import numpy as np

from twobone.core.array_types import NDArray
from twobone.errors import FileError
from twobone.pictures.figure import (
    HEAD,
    end_of,
    foot_rotations,
    hips_in_body,
    stations_of_legs,
)
from twobone.pictures.legs import along, has_ankle, leg_normals, without_flips
from twobone.pictures.trunk import AHEAD
from twobone.rotations import inverse, multiply, normalize, rotate, slerp

STILL = np.array([0.0, 0.0, 0.0, 1.0])
LEFT = np.array([1.0, 0.0, 0.0])  # of an animal that faces +z; +x of bones along the body
GIVES = 3e-7  # changes of length to ignore, in lengths of a leg: the resolution of float32
FARTHEST = 1e9  # m or s; beyond, float32 cannot resolve legs
PATH = 0.5  # seconds; standard deviation of the bell that smooths the root's path
MIDDLE = 1e-3  # in lengths of a leg; hips closer to the midline are on neither side
SEGMENTS = ("thigh", "shin", "metatarsus")


class Bone(NamedTuple):
    """A node of the armature in T frames, float32. Constant values have one row instead of T."""

    name: str
    parent: int | None
    place: NDArray[np.float32]  # (T or 1, 3), in the parent's space
    turn: NDArray[np.float32]  # (T or 1, 4), xyzw
    stretch: NDArray[np.float32] | None = None  # (T, 3), its scale


class Rig:
    """Bones, parents first, and where their keys put them in the world.

    Parameters
    ----------
    size : float
        The length of the longest leg: changes of place far below it are left out.
    """

    def __init__(self, size):
        self.size = size
        self.bones = []
        self.places = []  # (T or 1, 3) and
        self.turns = []  # (T or 1, 4), in the world

    def index(self, name):
        """Return the number of a bone."""
        return next(i for i, bone in enumerate(self.bones) if bone.name == name)

    def pose(self, name, parent, place, turn):
        """Add a bone that is at a place with a rotation in the world; return its number."""
        above, back = self._above(parent)
        own = rotate(back, place - above)
        return self.add(name, parent, _rest(own, self.size), multiply(back, turn))

    def aim(self, name, parent, start, end, axis=LEFT):
        """Add a bone that starts at a place of its parent's space and points to one in the world.

        Its +x is along `axis`, in the parent's space, if that is perpendicular to it.
        """
        above, back = self._above(parent)
        way = rotate(back, end - above) - start
        return self.add(name, parent, start, along(way, np.broadcast_to(axis, way.shape)))

    def add(self, name, parent, place, turn, stretch=None):
        """Add a bone with its place, (T or 1, 3), and rotation in the parent's space."""
        turn = without_flips(turn)
        if np.all(np.abs(turn - turn[0]) <= GIVES):
            turn = turn[:1]
        bone = Bone(name, parent, to_single(place), to_single(turn), stretch)
        self.bones.append(bone)
        self._follow(bone)
        return len(self.bones) - 1

    def _follow(self, bone):
        """Note where a bone is in the world, given its rounded keys."""
        place, turn = bone.place.astype(np.float64), normalize(bone.turn.astype(np.float64))
        if bone.parent is not None:
            above, over = self.places[bone.parent], self.turns[bone.parent]
            place, turn = above + rotate(over, place), multiply(over, turn)
        self.places.append(place)
        self.turns.append(turn)

    def _above(self, parent):
        """Return the place of a parent and the inverse of its rotation."""
        return self.places[parent], inverse(self.turns[parent])

    def halfway(self):
        """Return the rig as players have it halfway between its keys."""
        found = Rig(self.size)
        for bone in self.bones:
            rows = bone.place.astype(np.float64), normalize(bone.turn.astype(np.float64))
            place, turn = rows
            place = place if len(place) == 1 else (place[:-1] + place[1:]) / 2
            turn = turn if len(turn) == 1 else slerp(turn[:-1], turn[1:], 0.5)
            found.bones.append(bone._replace(place=place, turn=turn))
            found._follow(found.bones[-1])
        return found


class Root(NamedTuple):
    """Where the root is: on the ground below the body, with its heading."""

    place: NDArray[np.float64]  # (T, 3)
    turn: NDArray[np.float64]  # (T, 4)


def make_rig(recording, shape, root):
    """Return the bones of an animal.

    Parameters
    ----------
    recording : Recording
        Checked, see `check_sizes`.
    shape : Figure
    root : Root
    """
    rig = Rig(float(recording.bones.sum(1).max()))
    rig.add("root", None, _rest(root.place, rig.size), root.turn)
    spine = _add_spine(rig, recording)
    _add_links(rig, recording, shape, spine[-1])
    _add_tail(rig, recording, shape, spine[0])
    _add_legs(rig, recording, shape, spine)
    return rig


# --- trunk --------------------------------------------------------------------------------

FORWARD = along(AHEAD, LEFT)  # the rotation of a bone that points forward


def _add_spine(rig, recording):
    """Add a bone for each station, each on the one behind it; return their numbers."""
    found = [0]
    turns = normalize(recording.station_rotations)
    for k in range(len(recording.along)):
        turn = multiply(turns[:, k], FORWARD)
        name = f"spine_{k}" if k else "body"
        found.append(rig.pose(name, found[-1], recording.stations[:, k], turn))
    return found[1:]


def _add_links(rig, recording, shape, front):
    """Add the bones of the links of neck, arms and ears; a head without parts is left out."""
    if shape.links == HEAD and not shape.of("head"):
        return
    station = normalize(recording.station_rotations[:, -1])
    still = np.tile(STILL, (1, len(shape.links), 1))
    # Of a neck whose links are unknown, the last one bears the head.
    links = still if recording.neck is None else normalize(recording.neck[:, -len(shape.links) :])
    bones, places, turns = [], [], []
    for i, (node, parent) in enumerate(shape.links):
        pivot = shape.pivots[node]
        if parent < 0:
            above = front, recording.stations[:, -1], station, recording.along[-1] * AHEAD
        else:
            bearer = shape.pivots[shape.links[parent][0]]
            above = bones[parent], places[parent], turns[parent], bearer
        bone, place, turn, origin = above
        places.append(place + rotate(turn, pivot - origin))
        turns.append(multiply(station, links[:, i]))
        own = along(way_of(shape, node), LEFT)
        bones.append(rig.pose(node, bone, places[-1], multiply(turns[-1], own)))


def child_of(shape, node):
    """Return the link that a link of the midline bears there, as a neck does the head, or None."""
    number = next(i for i, (name, _) in enumerate(shape.links) if name == node)
    for name, parent in shape.links:
        way = shape.pivots[name] - shape.pivots[node]
        if parent == number and abs(way[0]) <= MIDDLE * shape.leg and np.any(way):
            return name
    return None


def way_of(shape, node):
    """Return the way from the pivot of a link to its child, or to its farthest end, (3)."""
    child = child_of(shape, node)
    if child is not None:
        return shape.pivots[child] - shape.pivots[node]
    ends = [end_of(part) for part in shape.of(node)]
    if node == "head":
        ends = [np.multiply(end, [0.0, 1.0, 1.0]) for end in ends]
    way = max(ends, key=lambda end: float(np.dot(end, end)), default=AHEAD)
    return way if np.any(way) else AHEAD


def _add_tail(rig, recording, shape, rear):
    """Add a bone for each link of the tail, if there are parts of it."""
    if not shape.of("tail"):
        return
    station = normalize(recording.station_rotations[:, 0])
    pivot = shape.pivots["tail"] - recording.along[0] * AHEAD
    start = recording.stations[:, 0] + rotate(station, pivot)
    links = STILL[None, None] if recording.tail is None else normalize(recording.tail)
    own = along(shape.tail, LEFT)
    for link in range(links.shape[1]):
        name = f"tail_{link + 1}" if links.shape[1] > 1 else "tail"
        turn = multiply(station, links[:, link])
        rear = rig.pose(name, rear, start, multiply(turn, own))
        start = start + rotate(turn, shape.tail / links.shape[1])


# --- legs ---------------------------------------------------------------------------------


def _add_legs(rig, recording, shape, spine):
    """Add the bones of all legs, from thigh to socket."""
    bearers = stations_of_legs(recording)
    names = leg_names(hips_in_body(recording)[0], rig.size)
    lengths, bent = lengths_of(recording, rig.size), has_ankle(recording.bones)
    soles = multiply(foot_rotations(recording), FORWARD)
    for leg, name in enumerate(names):
        points = [
            part[:, leg]
            for part in (recording.hips, recording.knees, recording.ankles, recording.feet)
        ]
        ends = points if bent[leg] else points[:3]
        above = _add_segments(rig, name, spine[bearers[leg]], ends, lengths[:, leg])
        last = len(ends) - 2
        start = _up(lengths[:, leg, last])
        back = inverse(rig.turns[above])
        foot = rig.add(f"foot_{name}", above, start, multiply(back, soles[:, leg]))
        rig.add(f"socket_{name}", foot, np.zeros((1, 3)), inverse(FORWARD)[None])


def _add_segments(rig, name, station, ends, lengths):
    """Add the bones of a leg's segments between points in the world; return the last one."""
    above, back = rig._above(station)
    start = _rest(rotate(back, ends[0] - above), rig.size)
    first = rotate(back, ends[1] - above) - start
    normals = leg_normals(first[:, None], rotate(back, ends[2] - ends[1])[:, None])[:, 0]
    bone = rig.aim(f"thigh_{name}", station, start, ends[1], normals)
    for part, end, length in zip(SEGMENTS[1:], ends[2:], lengths.T, strict=False):
        bone = rig.aim(f"{part}_{name}", bone, _up(length), end)
    return bone


def add_stretched(rig, bones, lengths, usual):
    """Add a bone at each of some, which is scaled along +y from its usual length to `lengths`."""
    found = []
    for bone, rows, length in zip(bones, lengths.T, usual, strict=False):
        stretch = np.ones((len(rows), 3), np.float32)
        stretch[:, 1] = rows / length
        name = f"{rig.bones[bone].name}_stretched"
        found.append(rig.add(name, bone, np.zeros((1, 3)), STILL[None], stretch))
    return found


def leg_names(hips, leg):
    """Return names of legs such as "left_1"; hips are in the body's space, +x left, +z forward."""
    across = np.where(np.abs(hips[:, 0]) < MIDDLE * leg, 0.0, np.sign(hips[:, 0]))
    names = [""] * len(hips)
    for side, word in ((1.0, "left"), (-1.0, "right"), (0.0, "middle")):
        from_front = [i for i in np.argsort(-hips[:, 2], kind="stable") if across[i] == side]
        for number, i in enumerate(from_front, 1):
            names[i] = f"{word}_{number}" if len(from_front) > 1 else word
    return names


def lengths_of(recording, size):
    """Return the lengths of bones, (T or 1, L, 3): one row if they never change."""
    points = recording.hips, recording.knees, recording.ankles, recording.feet
    ends = itertools.pairwise(points)
    found = np.stack([np.linalg.norm(b - a, axis=-1) for a, b in ends], axis=-1)
    still = np.all(np.abs(found - recording.bones) <= GIVES * size)
    return to_single(recording.bones[None] if still else found)


def _rest(places, size):
    """Return places of a bone in its parent's space: one row if they never change."""
    usual = places.mean(axis=0)
    return usual[None] if np.all(np.abs(places - usual) <= GIVES * size) else places


def _up(lengths):
    return np.asarray(lengths, np.float64)[:, None] * [0.0, 1.0, 0.0]


# --- root ---------------------------------------------------------------------------------


def root_of(recording):
    """Return the root of a walk.

    It is smoothed, so that the body's sway and steps of the ground do not shake it.
    """
    body = recording.body_position
    path = np.stack([body[:, 0], recording.ground.mean(axis=1), body[:, 2]], axis=-1)
    # The part of the rotation that is about the vertical; none for a body that is upside down.
    heading = recording.body_rotation * [0.0, 1.0, 0.0, 1.0]
    sizes = np.linalg.norm(heading, axis=-1, keepdims=True)
    heading = np.where(sizes > 1e-6, heading / np.maximum(sizes, 1e-6), STILL)
    return Root(_smooth(path, PATH / recording.dt), heading)


def at_origin(frames):
    """Return a root that stays at the origin."""
    return Root(np.zeros((frames, 3)), np.tile(STILL, (frames, 1)))


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


# --- numbers ------------------------------------------------------------------------------


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


def times_of(recording):
    """Return seconds from the first frame, (T), float32; raise if they do not increase."""
    time = to_single(recording.time - recording.time[0])
    if not np.all(np.diff(time) > 0):
        raise FileError("the recording", "increasing times", "times that do not", field="time")
    return time


def to_single(values):
    """Return an array as float32."""
    return np.asarray(values, np.float32)
