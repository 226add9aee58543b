"""Find rotations from joint positions, and measure them: `python benchmarks/joints.py CLIPS`

CLIPS is a folder with BVH clips of persons, whose rotations are known. They move a skeleton of 22
joints as SMPL has; its positions at 20 frames a second are what `from_joints` gets: as they are,
with noise, and with bones of varying length. Half of the clips were looked at while the algorithm
was built; the others were not. Forward kinematics are those of this script, by matrices.
"""

import argparse
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import recorded

from twobone.motion import Clip, from_joints, load

RATE, NOISE, VARY, SMOOTH, TURNS = 20.0, 0.005, 0.02, 0.25, 5
SEEDS = 5  # of noise
FLIP, WITHIN = 60.0, 1.0 / 15.0  # degrees of twist, and seconds in which they are a flip
LOOKED_AT = ("01_01", "fair1_dab", "cmu1_jumping_jacks")
ENDS = (7, 8, 20, 21)
PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
SOURCES = """Hips LeftUpLeg/LeftHip RightUpLeg/RightHip LowerBack/lowerback/Spine LeftLeg/LeftKnee
RightLeg/RightKnee Spine1/Chest LeftFoot/LeftAnkle RightFoot/RightAnkle Spine3/Chest2/Spine1
LeftToeBase/LeftToe RightToeBase/RightToe Neck LeftCollar/LeftShoulder RightCollar/RightShoulder
Head LeftArm/LeftShoulder RightArm/RightShoulder LeftForeArm/LeftElbow RightForeArm/RightElbow
LeftHand/LeftWrist RightHand/RightWrist""".split()  # noqa: SIM905 (names of each joint in files)
OFFSETS = {  # in metres and y up, of joints that files lack, or have where their parents are
    3: (0.0, 0.11, -0.02),
    6: (0.0, 0.13, 0.0),
    9: (0.0, 0.06, 0.02),
    12: (0.0, 0.21, -0.02),
    13: (0.08, 0.12, -0.02),
    14: (-0.08, 0.12, -0.02),
    15: (0.0, 0.09, 0.05),
}
FRAMES = (196, 4000)


class Case(NamedTuple):
    """A motion whose rotations are known."""

    name: str
    points: np.ndarray  # (T, 22, 3), metres
    rotations: np.ndarray  # (T, 22, 3, 3), of the joints in the world
    axes: np.ndarray  # (21, 3), directions of all bones but the root's


def matrices(quaternions):
    """Return rotation matrices of quaternions."""
    unit = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    x, y, z, w = np.moveaxis(unit, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def world(clip: Clip):
    """Return rotations (T, J, 3, 3) and positions (T, J, 3) of a clip in the world."""
    local, at = matrices(clip.pose.rotations), clip.pose.translations
    turned, placed = np.empty_like(local), np.empty_like(at)
    parents = clip.skeleton.parents
    for joint in sorted(range(len(parents)), key=lambda each: len(clip.skeleton.path(each))):
        turned[:, joint], placed[:, joint] = local[:, joint], at[:, joint]
        if parents[joint] >= 0:
            above = turned[:, parents[joint]]
            turned[:, joint] = above @ local[:, joint]
            shift = np.einsum("tij,tj->ti", above, at[:, joint])
            placed[:, joint] = placed[:, parents[joint]] + shift
    return turned, placed


def case(path):
    """Return a file's motion on a skeleton of 22 joints, or None if it lacks some."""
    clip = load(path)
    clip = clip[1 :: max(1, round(clip.fps / RATE))]
    place = {name: joint for joint, name in enumerate(clip.skeleton.names)}
    sources = []
    for name in SOURCES:
        found = [place[each] for each in name.split("/") if each in place]
        if not found:
            return None
        sources.append(found[0])
    turned, placed = world(clip)
    turned, rest = turned[:, sources], clip.skeleton.rest.positions
    points = np.empty((len(clip), len(PARENTS), 3))
    axes = np.empty((len(PARENTS) - 1, 3))
    points[:, 0] = clip.metres * placed[:, sources[0]]
    for joint, parent in list(enumerate(PARENTS))[1:]:
        away = clip.metres * (rest[sources[joint]] - rest[sources[parent]])
        x, y, z = OFFSETS.get(joint, (0.0, 0.0, 0.0))
        if joint in OFFSETS:
            away = np.array((x, y, z) if clip.up == "y" else (x, -z, y))
        axes[joint - 1] = away / np.linalg.norm(away)
        points[:, joint] = points[:, parent] + turned[:, parent] @ away
    if clip.up == "z":
        points = np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)
    return Case(path.stem, points, turned, axes)


def varied(points, rng):
    """Return points whose bones vary by `VARY` of their lengths, slowly."""
    count = len(points)
    window = np.hanning(int(RATE) | 1)
    out = points.copy()
    for joint, parent in list(enumerate(PARENTS))[1:]:
        noise = np.convolve(rng.normal(size=count + len(window) - 1), window, "valid")
        scale = 1.0 + VARY * noise / np.linalg.norm(window)
        bone = points[:, joint] - points[:, parent]
        out[:, joint] = out[:, parent] + scale[:, None] * bone
    return out


def twists(turned, axes):
    """Return by how many degrees bones twist about themselves within `WITHIN`, (T - n, J - 1)."""
    step = max(1, round(WITHIN * RATE))
    own = turned[:, PARENTS[1:]]
    change = np.swapaxes(own[:-step], -1, -2) @ own[step:]
    skew = np.stack(
        [change[..., a, b] - change[..., b, a] for a, b in ((2, 1), (0, 2), (1, 0))], -1
    )
    along = np.einsum("ji,tjik,jk->tj", axes, change, axes)
    sine = (skew * axes).sum(-1)
    return np.degrees(np.arctan2(sine, np.trace(change, axis1=-2, axis2=-1) - along))


def flips(clip, motion):
    """Return how many bones twist by `FLIP` degrees when those of the motion do not, per minute."""
    axes = clip.skeleton.offsets[1:]
    axes = axes / np.linalg.norm(axes, axis=-1, keepdims=True)
    own, true = twists(world(clip)[0], axes), twists(motion.rotations, motion.axes)
    on = (np.abs(own) > FLIP) & (np.abs(own - true) > 0.5 * FLIP)
    found = (np.diff(on.astype(int), axis=0, prepend=0) > 0).sum()
    return 60.0 * float(found) / (len(clip) / clip.fps)


def apart(clip, points, joints=slice(None)):
    """Return the distances of joints from points in mm, in one row."""
    _, placed = world(clip)
    return 1000.0 * np.linalg.norm(placed - points, axis=-1)[:, joints].ravel()


def measured(motion, given, **options):
    """Return the distances from what was given and from the truth, and flips a minute."""
    clip = from_joints(given, RATE, **options)
    distances = {
        "all": apart(clip, given),
        "ends": apart(clip, given, ENDS),
        "truth": apart(clip, motion.points),
    }
    return distances, flips(clip, motion)


def measure(motion, seed):
    """Return what `measured` does by kind of input: as it is, with noise, with varying bones."""
    rng = np.random.default_rng(seed)
    noisy = motion.points + NOISE * rng.normal(size=motion.points.shape)
    return {
        "clean": measured(motion, motion.points),
        "noise": measured(motion, noisy),
        "noise, exact": measured(motion, noisy, ends="exact"),
        "noise, smooth": measured(motion, noisy, smooth=SMOOTH),
        "bones vary": measured(motion, varied(motion.points, rng)),
    }


def summary(measures):
    """Return percentiles of the distances in several motions, and their mean flips a minute."""
    found = {
        key: [
            float(np.percentile(np.concatenate([d[key] for d, _ in measures]), p)) for p in (95, 99)
        ]
        for key in ("all", "ends", "truth")
    }
    return {**found, "flips": float(np.mean([count for _, count in measures]))}


def seconds(points, frames):
    """Return the processor's time for a noisy motion of so many frames."""
    rng = np.random.default_rng(0)
    long = np.concatenate([points] * -(-frames // len(points)))[:frames]
    long = long + NOISE * rng.normal(size=long.shape)
    times = []
    for _ in range(TURNS):
        begun = time.process_time()
        from_joints(long, RATE)
        times.append(time.process_time() - begun)
    return min(times)


def show(name, row):
    text = "".join(
        f"{key} {row[key][0]:.4f} ({row[key][1]:.4f})  " for key in ("all", "ends", "truth")
    )
    print(f"{name:20} {row['input']:14} {text}flips {row['flips']:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=Path)
    recorded.option(parser)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    cases = [found for path in sorted(arguments.clips.rglob("*.bvh")) if (found := case(path))]
    rows, pools = [], {}
    for motion in cases:
        kind = "looked at" if motion.name in LOOKED_AT else "others"
        found = [measure(motion, seed) for seed in range(SEEDS)]
        for name in found[0]:
            each = [by_input[name] for by_input in found]
            pools.setdefault((kind, name), []).extend(each)
            rows.append({"clip": motion.name, "input": name, **summary(each)})
            show(motion.name, rows[-1])
    for (kind, name), each in sorted(pools.items()):
        rows.append({"clip": kind, "input": name, **summary(each)})
        show(kind, rows[-1])
    times = {str(frames): seconds(cases[0].points, frames) for frames in FRAMES}
    print("seconds:", {frames: round(found, 4) for frames, found in times.items()})
    if arguments.json:
        recorded.write(arguments.json, recorded.machine(), rows=rows, seconds=times)


if __name__ == "__main__":
    main()
