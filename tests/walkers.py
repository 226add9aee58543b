"""A walking figure with legs alone, whose steps are known, and forward kinematics by matrices."""

from typing import NamedTuple

import numpy as np

from twobone import LocalPose, Skeleton
from twobone.motion import Clip

THIGH, SHIN, ANKLE = 0.42, 0.42, 0.08
FOOT, TIP = (0.0, -0.06, 0.14), (0.0, 0.0, 0.07)
NAMES = ["hips"]
PARENTS, OFFSETS = [-1], [(0.0, 0.85, 0.0)]
for _side, _x in (("left", 0.1), ("right", -0.1)):
    _first = len(NAMES)
    NAMES += [f"{_side} {part}" for part in ("thigh", "shin", "foot", "toes", "toes End Site")]
    PARENTS += [0, *range(_first, _first + 4)]
    OFFSETS += [(_x, 0.0, 0.0), (0.0, -THIGH, 0.0), (0.0, -SHIN, 0.0), FOOT, TIP]
FIGURE = Skeleton(PARENTS, OFFSETS, names=NAMES)


class Leg(NamedTuple):
    start: int
    mid: int
    end: int
    toe: int | None


LEGS = [Leg(1, 2, 3, 4), Leg(6, 7, 8, 9)]


class Walk(NamedTuple):
    clip: Clip
    contacts: dict


def walk(fps=60, seconds=2.9, stretch=1.0, speed=0.9, duty=0.62, lift=0.1):
    """Return a walk of one step a second and foot; stretched, its feet slide.

    Of whole seconds, it is a loop without its first frame again.
    """
    time = np.arange(round(seconds * fps)) / fps
    rotations = np.zeros((len(time), len(NAMES), 4))
    rotations[..., 3] = 1.0
    translations = np.tile(OFFSETS, (len(time), 1, 1)).astype(float)
    translations[:, 0, 1] += 0.01 * np.cos(4.0 * np.pi * time)
    contacts = {}
    for number, leg in enumerate(LEGS):
        cycle = time + 0.5 * number
        step, phase = np.floor(cycle), cycle % 1.0
        here = speed * (step - 0.5 * number + 0.5 * duty)
        u = np.clip((phase - duty) / (1.0 - duty), 0.0, 1.0)
        ahead = here + speed * u * u * u * (10 - u * (15 - 6 * u))
        height = ANKLE + lift * np.sin(np.pi * u) ** 2
        down, forward = height - translations[:, 0, 1], ahead - speed * time
        thigh, knee = planar(down, forward)
        for joint, angle in ((leg.start, thigh), (leg.mid, knee), (leg.end, -thigh - knee)):
            rotations[:, joint, 0] = np.sin(0.5 * angle)
            rotations[:, joint, 3] = np.cos(0.5 * angle)
        spans = runs(phase <= duty)
        contacts[NAMES[leg.end]] = [(a, max(b - fps // 15, a)) for a, b in spans]
        contacts[NAMES[leg.toe]] = [(min(a + fps // 20, b), b) for a, b in spans]
    translations[:, 0, 2] = stretch * speed * time
    return Walk(Clip(FIGURE, LocalPose(rotations, translations), fps), contacts)


def climb(fps=60, seconds=6.0, step=(0.3, 0.0), slide=0.0):
    """Return a climb at one step a second and foot; `step` is how far up and forward half one is.

    With (0.3, 0) it is a ladder, with (0.17, 0.3) stairs. Everything is scaled by `1 + slide`.
    """
    time = np.arange(round(seconds * fps)) / fps
    up, forward = step
    rotations = np.zeros((len(time), len(NAMES), 4))
    rotations[..., 3] = 1.0
    translations = np.tile(OFFSETS, (len(time), 1, 1)).astype(float)
    translations[:, 0, 1] = 0.78 + up * (time - 0.3)
    translations[:, 0, 2] = forward * (time + 0.2)
    contacts = {}
    for number, leg in enumerate(LEGS):
        cycle = time + 0.5 * number
        u = np.clip((cycle % 1.0 - 0.6) / 0.4, 0.0, 1.0)
        done = np.floor(cycle) - 0.5 * number + u * u * u * (10 - u * (15 - 6 * u))
        away = np.sin(np.pi * u) ** 2  # above stairs, behind a ladder
        height = ANKLE + up * done + (0.06 * away if forward else 0.0)
        ahead = forward * done - (0.0 if forward else 0.08 * away)
        thigh, knee = planar(height - translations[:, 0, 1], ahead - translations[:, 0, 2])
        for joint, angle in ((leg.start, thigh), (leg.mid, knee), (leg.end, -thigh - knee)):
            rotations[:, joint, 0] = np.sin(0.5 * angle)
            rotations[:, joint, 3] = np.cos(0.5 * angle)
        contacts[NAMES[leg.end]] = runs(cycle % 1.0 <= 0.6)
        contacts[NAMES[leg.toe]] = runs(cycle % 1.0 <= 0.6)
    translations[:, 0, 1:] *= 1.0 + slide
    return Walk(Clip(FIGURE, LocalPose(rotations, translations), fps), contacts)


def standing(forward, fps=30):
    """Return a figure whose body does not move, and where its ankles are ahead of it, (T,)."""
    count = len(forward)
    rotations = np.zeros((count, len(NAMES), 4))
    rotations[..., 3] = 1.0
    translations = np.tile(OFFSETS, (count, 1, 1)).astype(float)
    thigh, knee = planar(np.full(count, ANKLE - OFFSETS[0][1] + 0.05), np.asarray(forward))
    translations[:, 0, 1] -= 0.05
    contacts = {}
    for leg in LEGS:
        for joint, angle in ((leg.start, thigh), (leg.mid, knee), (leg.end, -thigh - knee)):
            rotations[:, joint, 0] = np.sin(0.5 * angle)
            rotations[:, joint, 3] = np.cos(0.5 * angle)
        contacts |= {NAMES[leg.end]: [(0, count)], NAMES[leg.toe]: [(0, count)]}
    return Walk(Clip(FIGURE, LocalPose(rotations, translations), fps), contacts)


def planar(down, forward):
    """Return the angles about x of thigh and shin that bring the ankle to a place below the hip."""
    square = down * down + forward * forward
    bend = np.arccos((square - THIGH**2 - SHIN**2) / (2 * THIGH * SHIN))
    inner = np.arctan2(SHIN * np.sin(bend), THIGH + SHIN * np.cos(bend))
    return np.arctan2(-forward, -down) - inner, bend


def runs(on):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def positions(clip):
    """Return the world positions (T, J, 3) of all joints, in metres: 4x4 matrices, top down."""
    x, y, z, w = np.moveaxis(clip.pose.rotations, -1, 0)
    local = np.zeros((*x.shape, 4, 4))
    local[..., :3, :3] = np.moveaxis(
        np.array(
            [
                [w * w + x * x - y * y - z * z, 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), w * w - x * x + y * y - z * z, 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), w * w - x * x - y * y + z * z],
            ]
        ),
        (0, 1),
        (-2, -1),
    )
    local[..., :3, :3] /= (x * x + y * y + z * z + w * w)[..., None, None]
    if clip.skeleton.scales is not None:
        local[..., :3, :3] *= np.ravel(clip.skeleton.scales)[:, None, None]
    local[..., :3, 3] = clip.pose.translations
    local[..., 3, 3] = 1.0
    world = {}
    for joint in range(len(clip.skeleton.parents)):
        place(joint, clip.skeleton.parents, local, world)
    return np.stack([world[j][:, :3, 3] for j in range(len(world))], axis=1) * clip.metres


def place(joint, parents, local, world):
    if joint in world:
        return
    parent = parents[joint]
    if parent < 0:
        world[joint] = local[:, joint]
        return
    place(parent, parents, local, world)
    world[joint] = world[parent] @ local[:, joint]


def drift(clip, contacts):
    """Return the distance of joints in contact from their median places, all frames together."""
    at, found = positions(clip), [np.zeros(1)]
    for name, spans in contacts.items():
        joint = clip.skeleton.index(name)
        for first, last in spans:
            if last > first:
                away = at[first:last, joint] - np.median(at[first:last, joint], axis=0)
                found.append(np.linalg.norm(away, axis=-1))
    return np.concatenate(found)


def bones(clip):
    """Return the lengths (T, J) of bones; 0 for joints without a parent."""
    at, parents = positions(clip), np.array(clip.skeleton.parents)
    lengths = np.linalg.norm(at - at[:, parents], axis=-1)
    return np.where(parents >= 0, lengths, 0.0)


def accelerations(clip, joints):
    """Return the sizes of second differences of joints, all frames and joints together."""
    at = positions(clip)[:, joints]
    return np.linalg.norm(np.diff(at, 2, axis=0), axis=-1).ravel() * clip.fps**2
