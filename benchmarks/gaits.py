"""One cycle of every gait at a steady pace on flat ground, beside animated and captured animals.

`python benchmarks/gaits.py` prints one row for each gait of ours and, where `../shared/clips` is,
one for each clip. Animals narrow it, `--json FILE` records it. Lengths are over h, the height of
the hips; angles are in degrees, from the least to the greatest. Columns:

  duty       fraction of a cycle that a foot stands
  flight     share of time with all feet in the air
  travel     how far a foot moves along the body
  bob        of the mean of the hips, up and down
  yaw        of the pelvis: the line through the hips of the rear legs, seen from above
  spine      of shoulders over pelvis, up and down or from side to side, whichever is more
  pitch      of a foot: of the segment below the ankle
  rise       of it, from the middle of the stance to its last moment
  knee       the straightest, 180 is straight
  down, up   vertical acceleration of the hips, least and greatest, in g; of ours alone
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import recorded

from twobone import creature, motion
from twobone.creature import contacts
from twobone.files.recordings import mean_rotation
from twobone.rotations import (
    inverse,
    multiply,
    quaternion_to_rotation_vector,
)

CLIPS = Path(__file__).resolve().parents[2] / "shared" / "clips"
GRAVITY, FPS = 9.81, 120
SETTLE = 8.0  # seconds until a pace is steady
LOW, BACK = 0.25, 0.25  # see `_on_ground`
GAITS = (
    ("dog", "walk", 0.9),
    ("dog", "trot", 2.2),
    ("dog", "canter", 3.6),
    ("dog", "gallop", 5.0),
    ("horse", "walk", 1.6),
    ("horse", "trot", 3.6),
    ("horse", "canter", 5.5),
    ("horse", "gallop", 9.0),
    ("human", "walk", 1.35),
    ("human", "run", 3.2),
    ("bird", "walk", 1.0),
    ("bird", "run", 3.0),
)
FOX, HORSE = "mesh2motion_glb/fox-animations.glb", "quaternius_glb/animals_pack_Horse.glb"
# Joints of the horse's legs, which end in joints of their own: hip or elbow, knee, ankle, hoof.
HORSE_LEGS = (
    ("BackLeg", "BackUpperLeg", "BackLowerLeg", "FFB"),
    ("FrontUpperLeg", "FrontLowerLeg", "IKFrontLeg", "FF"),
)
REAL = (
    ("fox", "walk", FOX, "Walk"),
    ("fox", "run", FOX, "Run"),
    ("horse", "walk", HORSE, "AnimalArmature|Walk"),
    ("horse", "gallop", HORSE, "AnimalArmature|Gallop"),
    ("human", "walk", "cmu_bvh/02_01.bvh", None),
    ("human", "run", "cmu_bvh/09_01.bvh", None),
)


class Cycle(NamedTuple):
    """T frames of L legs, the rear ones first, over ground that stands still at height 0."""

    points: np.ndarray  # (T, L, 4, 3): hip, knee, ankle, foot
    contact: np.ndarray  # (T, L)
    spine: np.ndarray  # (T, 4): rotation of the shoulders over that of the pelvis, in the world
    dt: float
    ahead: np.ndarray  # (3): where it goes; a unit vector


class Measured(NamedTuple):
    """Measures of a gait, as above."""

    duty: float
    flight: float
    travel: float
    bob: float
    yaw: float
    spine: float
    pitch: float
    rise: float
    knee: float
    down: float
    up: float


def ours(name, speed):
    """Return cycles of a steady walk of one of our animals."""
    walker = creature.Walker(name)
    walker.step(SETTLE, speed)
    states = [walker.state]
    for _ in range(2 * FPS):
        walker.step(1.0 / FPS, speed)
        states.append(walker.state)
    walk = creature.record(walker, states, 1.0 / FPS)
    lands = np.flatnonzero(contacts.touch_downs(walk.stance)[1:, 0])
    walk = walk.select(slice(int(lands[0]), int(lands[-1])))
    points = np.stack([walk.hips, walk.knees, walk.ankles, walk.feet], axis=2)
    turns = walk.station_rotations
    spine = multiply(turns[:, -1], inverse(turns[:, 0]))
    return Cycle(points, walk.stance, spine, walk.dt, np.array([0.0, 0.0, 1.0]))


def clip_of(path, name):
    """Return a cycle of a clip, and the velocity of the ground where it walks in place."""
    clip = motion.load(CLIPS / path, name)
    found = clip.skeleton.to_global(clip.pose)
    joints = _legs(clip, path)
    pelvis, chest = (_above(clip.skeleton.parents, pair) for pair in (joints[:2], joints[-2:]))
    spine = multiply(found.rotations[:, chest], inverse(found.rotations[:, pelvis]))
    # The last frame of a loop is the first, and the first of a captured one is a T-pose.
    frames = slice(0, -1) if name else slice(1, None)
    points, spine = found.positions[frames][:, joints], spine[frames]
    went = points[-1, :2, 0].mean(axis=0) - points[0, :2, 0].mean(axis=0)
    if name:
        ahead = _ahead(points)
    else:
        ahead = went * [1.0, 0.0, 1.0] / np.linalg.norm(went[[0, 2]])
        turns = _turn(points, ahead)
        points, spine = points[turns], spine[turns]
    floor = points[..., 3, 1].min()
    contact, velocity = _on_ground(points, 1.0 / clip.fps, ahead, loop=bool(name))
    times = np.arange(len(points)) / clip.fps
    points = points - [0.0, floor, 0.0] - (times[:, None] * velocity)[:, None, None]
    return Cycle(points, contact, spine, 1.0 / clip.fps, ahead)


def _legs(clip, path):
    """Return hip, knee, ankle and foot of each leg, rear ones first, left before right."""
    if path == HORSE:
        names = clip.skeleton.names
        return [
            [names.index(f"{name}.{side}") for name in leg] for leg in HORSE_LEGS for side in "LR"
        ]
    legs = sorted(motion.find_limbs(clip).legs, key=lambda leg: (leg.place == "front", leg.side))
    return [(leg.start, leg.mid, leg.end, leg.toe) for leg in legs]


def _above(parents, legs):
    """Return the nearest joint above the hips of a pair of legs."""
    chains = []
    for leg in legs:
        chain = [leg[0]]
        while parents[chain[-1]] >= 0:
            chain.append(parents[chain[-1]])
        chains.append(chain)
    return next(joint for joint in chains[0] if all(joint in chain for chain in chains))


def _turn(points, ahead):
    """Return the frames of a cycle of a walk: from a foot farthest ahead to it there again."""
    away = (points[..., 3, :] - points[:, :, 0].mean(axis=1)[:, None]) @ ahead
    for foot in away.T:
        rises = np.diff(foot) > 0.0
        peaks = np.flatnonzero(rises[:-1] & ~rises[1:] & (foot[1:-1] > 0.5 * foot.max()))
        if len(peaks) > 1:
            return slice(peaks[0], peaks[1])
    raise ValueError("no cycle")


def _ahead(points):
    """Return where an animal on four legs faces."""
    way = points[:, 2:, 0].mean(axis=(0, 1)) - points[:, :2, 0].mean(axis=(0, 1))
    return way * [1.0, 0.0, 1.0] / np.linalg.norm(way[[0, 2]])


def _on_ground(points, dt, ahead, loop):
    """Return when feet stand, and the velocity of the ground below them.

    Animated feet slide and roll. They stand while they are in the lowest quarter of their height
    and go back at a quarter or more of the speed of the ground over which the body moves.
    """
    feet = points[..., 3, :]
    height = feet[..., 1] - feet[..., 1].min(axis=0)
    low = height < LOW * height.max(axis=0)
    if loop:
        speeds = (np.roll(feet, -1, axis=0) - np.roll(feet, 1, axis=0)) / (2.0 * dt)
        back = -speeds @ ahead
        speed = float(np.median(back[low & (back > 0.0)]))
        return low & (back > BACK * speed), -speed * ahead
    body = points[:, :, 0].mean(axis=1)
    speed = float((body[-1] - body[0]) @ ahead) / (dt * (len(body) - 1))
    along = np.gradient(feet, dt, axis=0) @ ahead
    return low & (along < BACK * speed), np.zeros(3)


def measure(found):
    """Return the measures of cycles."""
    hips, knees, ankles, feet = np.moveaxis(found.points, 2, 0)
    ahead, up = found.ahead, np.array([0.0, 1.0, 0.0])
    left = np.cross(up, ahead)
    body = hips.mean(axis=1)
    tall = float(body[:, 1].mean())
    line = hips[:, 0] - hips[:, 1]
    bent = quaternion_to_rotation_vector(
        multiply(found.spine, inverse(mean_rotation(found.spine[None])[0]))
    )
    foot = feet - ankles
    pitch = np.degrees(np.unwrap(np.arctan2(-foot[..., 1], foot @ ahead), axis=0))
    thigh, shin = knees - hips, ankles - knees
    cosine = np.sum(thigh * shin, axis=-1) / np.sqrt(
        np.sum(thigh * thigh, axis=-1) * np.sum(shin * shin, axis=-1)
    )
    lifted = np.diff(body[:, 1], n=2) / (found.dt * found.dt * GRAVITY)
    away = (feet - hips) @ ahead
    return Measured(
        duty=float(found.contact.mean()),
        flight=float(np.mean(~found.contact.any(axis=1))),
        travel=float(np.ptp(away, axis=0).mean()) / tall,
        bob=float(np.ptp(body[:, 1])) / tall,
        yaw=float(np.ptp(np.degrees(np.arctan2(line @ ahead, line @ left)))),
        spine=float(np.degrees(max(np.ptp(bent @ left), np.ptp(bent @ up)))),
        pitch=float(np.ptp(pitch, axis=0).mean()),
        rise=float(
            np.mean([_rise(pitch[:, i], found.contact[:, i]) for i in range(len(pitch[0]))])
        ),
        knee=float(180.0 - np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).min()),
        down=float(lifted.min()),
        up=float(lifted.max()),
    )


def _rise(pitch, contact):
    """Return by how much a foot has risen when it lifts, since the middle of its stance."""
    count = len(contact)
    for last in np.flatnonzero(contact & ~np.roll(contact, -1)):
        first = last
        while contact[first - 1] and last - first < count - 1:
            first -= 1
        if first >= 0 or last - first < count:
            return float(pitch[last] - pitch[(first + last) // 2])
    return float("nan")


HEAD = f"{'':16}{'m/s':>6}" + "".join(f"{name:>8}" for name in Measured._fields)


def line(row):
    """Return a row as text."""
    speed = "" if row["speed"] is None else f"{row['speed']:.2f}"
    words = [f"{row[name]:8.1f}" if row[name] is not None else f"{'':8}" for name in MEASURES[4:9]]
    sizes = [f"{row[name]:8.2f}" for name in MEASURES[:4]]
    forces = [f"{row[name]:8.2f}" if row[name] is not None else "" for name in MEASURES[9:]]
    return f"{row['animal'] + ' ' + row['gait']:16}{speed:>6}" + "".join(sizes + words + forces)


MEASURES = Measured._fields


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("animals", nargs="*", metavar="ANIMAL", help="those of the table")
    recorded.option(parser)
    chosen = parser.parse_args()
    rows = []
    print(HEAD)
    for animal, gait, speed in GAITS:
        known = animal in creature.ANIMALS and animal in (chosen.animals or (animal,))
        if known:
            rows.append({"animal": animal, "gait": gait, "speed": speed})
            rows[-1] |= measure(ours(animal, speed))._asdict()
            print(line(rows[-1]), flush=True)
    for animal, gait, path, name in REAL if CLIPS.is_dir() and not chosen.animals else ():
        found = measure(clip_of(path, name))._asdict()
        rows.append({"animal": f"clip: {animal}", "gait": gait, "speed": None, **found})
        rows[-1] |= {"down": None, "up": None}
        print(line(rows[-1]), flush=True)
    if chosen.json:
        recorded.write(chosen.json, recorded.machine(), rows=rows)


if __name__ == "__main__":
    main()
