"""What a report of pinned feet shows: heels and toes before and after, and the frames to look at.

Positions are in metres, y up, whatever the axes and units of the clip are.
"""

import itertools
from typing import NamedTuple

import numpy as np

from twobone.motion import chains, footplants, writing
from twobone.motion.legs import listed
from twobone.motion.report import upright

CLOSE = 3.0  # seconds of a close-up
WHOLE = 4.5  # seconds; a clip that is no longer is its own close-up
MOST_FEET = 12  # that are drawn
FARTHEST = 1e12  # metres; positions beyond are drawn there, so that nothing overflows


class Hold(NamedTuple):
    """A footplant: frames and place, in metres, y up."""

    first: int
    stop: int  # the frame after the last
    place: np.ndarray  # (3)


class Track(NamedTuple):
    """A heel or a toe over all T frames."""

    joint: int
    label: str
    role: str  # "heel" or "toe"; "foot" if the limb has no toe
    foot: int  # index of its limb among those shown
    before: np.ndarray  # (T, 3)
    after: np.ndarray  # (T, 3)
    holds: list  # of Hold


class Subject(NamedTuple):
    """A clip before and after its feet were pinned, and what is shown of it."""

    before: object  # Clip
    after: object  # Clip
    limbs: list  # those whose feet are shown
    names: list  # of these limbs
    hidden: int  # number of limbs with feet that are not shown
    tracks: list  # of Track
    body: int  # joint that carries the body
    floor: float  # height of the lowest joint in contact before
    leg: float  # median length of a leg
    forward: np.ndarray  # (3), horizontal unit vector: where the body faces in the close-up
    faces: np.ndarray | None  # (T, 3), horizontal: where it faces in each frame, by its hips
    close: tuple  # first and last + 1 frame of the close-up
    steps: list  # for each limb, the frames in which a joint of it makes a new step


def subject_of(clip, pinned, limbs):
    """Return what to show of a clip and of what `pin` made of it."""
    plants = {}
    for plant in pinned.anchors:
        joint = footplants.joint_of(clip, plant.joint, "the anchors")
        place = metres(clip, np.array(plant.position))
        plants.setdefault(joint, []).append(Hold(plant.first, plant.stop, place))
    limbs = listed(limbs)
    feet = [limb for limb in limbs if _has_foot(limb, plants)]
    shown = feet[:MOST_FEET]
    joints = {joint for limb in limbs for joint in (limb.start, limb.mid, limb.end, limb.toe)}
    body = writing.carriers(clip, shown)[0] if shown else 0
    needed = (joints | {body}) - {None}
    # Files may hold any number: what overflows is drawn at the border.
    with np.errstate(all="ignore"):
        was, now = (_places(each, needed) for each in (clip, pinned.clip))
        tracks = [
            Track(joint, str(clip.skeleton.label(joint)), role, foot, was[joint], now[joint], holds)
            for foot, limb in enumerate(shown)
            for joint, role, holds in _joints(limb, plants)
        ]
        bones = [
            np.median(_norm(was[b] - was[a]))
            for limb in shown
            for a, b in itertools.pairwise((limb.start, limb.mid, limb.end))
        ]
        leg = 2.0 * float(np.median(bones)) if bones else 0.0
        leg = leg if leg > 0.0 else _extent(was)
        close = _close_up(clip, tracks)
        faces = _faces(shown, was, leg)
        forward = _forward(faces, was[body], close, leg)
    held = [hold for own in plants.values() for hold in own]
    if held:
        lows = [
            track.before[hold.first : hold.stop, 1].min()
            for track in tracks
            for hold in track.holds
        ]
    else:
        lows = [track.before[:, 1].min() for track in tracks]
    names = [_name(clip, limb) for limb in shown]
    floor = float(min(lows, default=min(float(at[:, 1].min()) for at in was.values())))
    hidden = len(feet) - len(shown)
    return Subject(
        clip,
        pinned.clip,
        shown,
        names,
        hidden,
        tracks,
        body,
        floor,
        leg,
        forward,
        faces,
        close,
        [_steps(clip, limb, pinned.report) for limb in shown],
    )


def metres(clip, points):
    """Return positions (..., 3) of a clip in metres, y up, all of them finite."""
    points = upright(clip, points)
    return np.nan_to_num(np.clip(points, -FARTHEST, FARTHEST))


def speed(at, fps):
    """Return horizontal speeds (T) of positions (T, 3)."""
    if len(at) < 2:
        return np.zeros(len(at))
    steps = np.gradient(at[:, [0, 2]], axis=0)
    return np.hypot(*steps.T) * fps


def side_of(limb):
    """Return "left" or "right", or None if it is not known."""
    return getattr(limb, "side", None)


def _has_foot(limb, plants):
    is_leg = getattr(limb, "kind", "leg") == "leg"
    return is_leg or bool({limb.end, limb.toe} & plants.keys())


def _joints(limb, plants):
    """Yield the joints of a limb that touch the ground or are held, their roles and footplants."""
    touching = getattr(limb, "contacts", None) or (limb.end, limb.toe)
    for joint, role in ((limb.end, "heel" if limb.toe is not None else "foot"), (limb.toe, "toe")):
        if joint is not None and (joint in touching or joint in plants):
            yield joint, role, plants.get(joint, [])


def _steps(clip, limb, report):
    """Return the frames in which a joint of a limb makes a new step."""
    own = {clip.skeleton.label(joint) for joint in (limb.start, limb.mid, limb.end)}
    return [step.frame for step in report.new_steps if step.joint in own]


def _name(clip, limb):
    return getattr(limb, "name", "") or f"limb of {clip.skeleton.label(limb.end)}"


def _places(clip, joints):
    placed = chains.forward(clip, joints)
    return {joint: metres(clip, placed.positions[joint].T) for joint in joints}


def _extent(places):
    points = np.concatenate(list(places.values()))
    size = float(np.max(points.max(0) - points.min(0)))
    return size if size > 0.0 else 1.0


def _close_up(clip, tracks):
    """Return the frames of the close-up: those in which joints in contact slide the most."""
    count = len(clip)
    if count <= WHOLE * clip.fps:
        return 0, count
    length = max(round(CLOSE * clip.fps), 2)
    path = np.zeros(count)
    for track in tracks:
        steps = np.hypot(*np.diff(track.before[:, [0, 2]], axis=0).T)
        for hold in track.holds:
            path[hold.first + 1 : hold.stop] += steps[hold.first : hold.stop - 1]
    total = np.concatenate([[0.0], np.cumsum(path)])
    first = int(np.argmax(total[length:] - total[:-length]))
    return first, first + length


def _faces(limbs, at, leg):
    """Return where the body faces in each frame, (T, 3), by its hips; None if they do not say."""
    sides = {
        side: [at[limb.start] for limb in limbs if side_of(limb) == side]
        for side in ("left", "right")
    }
    if not (sides["left"] and sides["right"]):
        return None
    across = np.mean(sides["left"], axis=0) - np.mean(sides["right"], axis=0)
    facing = np.cross(across, [0.0, 1.0, 0.0])
    sizes = _norm(facing)
    return facing / np.maximum(sizes, 1e-300)[:, None] if sizes.min() > 0.02 * leg else None


def _forward(faces, body, close, leg):
    """Return where the body faces in the close-up, or else where it goes."""
    choices = [(body[close[1] - 1] - body[close[0]], 0.2 * leg)]
    if faces is not None:
        choices.insert(0, (faces[slice(*close)].mean(axis=0), 0.2))
    for choice, least in choices:
        size = float(_norm(choice * [1.0, 0.0, 1.0]))
        if np.isfinite(size) and size > least:
            return choice * [1.0, 0.0, 1.0] / size
    return np.array([0.0, 0.0, 1.0])


def _norm(v):
    return np.sqrt((v * v).sum(-1))
