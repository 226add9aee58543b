"""Pin the feet of clips that slide, and measure them: `python benchmarks/feet.py CLIPS`

CLIPS is a folder with clips, or several files. Each clip is stretched: its motion along the ground
is multiplied by 1.15, so that its feet slide. Labels of contact are those of the clip before:
frames in which a joint is slower than 0.15 m/s, or 12 % of the speed of the body, and near its
lowest height. All measures use the forward kinematics of this script, by matrices.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import recorded

from twobone import LocalPose
from twobone.motion import Clip, find_limbs, load, pin

STRETCH, RATES, FRAMES, TURNS = 1.15, (120.0, 30.0), 2700, 3
SLOW, SHARE, NEAR_ANKLE, NEAR_TOE = 0.15, 0.12, 0.06, 0.05
BARS = {  # the most that is allowed
    "drift_mm": 0.1,
    "knee_95": 1.5,
    "knee_99_5": 1.5,
    "toes_deeper_mm": 1.0,
    "body_mm": 100.0,
    "air_mm": 120.0,
    "again_mm": 0.1,
    "seconds_per_1000_frames": 0.03,
}


class Case(NamedTuple):
    """A clip, its legs and labels of contact."""

    name: str
    clip: Clip
    legs: list
    contacts: dict


def positions(clip):
    """Return the positions (T, J, 3) of all joints in metres, y up."""
    rotations = clip.pose.rotations
    x, y, z, w = np.moveaxis(rotations / np.linalg.norm(rotations, axis=-1, keepdims=True), -1, 0)
    columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ]
    local = np.moveaxis(np.array(columns), (0, 1), (-1, -2))
    scales = clip.skeleton.scales
    if scales is not None:
        local = local * np.reshape(scales, (len(scales), -1))[:, 0][:, None, None]
    at, world = np.empty(clip.pose.translations.shape), np.empty_like(local)
    order = sorted(range(len(clip.skeleton.parents)), key=lambda j: len(clip.skeleton.path(j)))
    for joint in order:
        parent = clip.skeleton.parents[joint]
        offset = clip.pose.translations[:, joint]
        at[:, joint], world[:, joint] = offset, local[:, joint]
        if parent >= 0:
            at[:, joint] = at[:, parent] + np.einsum("tij,tj->ti", world[:, parent], offset)
            world[:, joint] = world[:, parent] @ local[:, joint]
    if clip.up == "z":
        at = np.stack([at[..., 0], at[..., 2], -at[..., 1]], axis=-1)
    return at * clip.metres


def label(clip, legs):
    """Return spans of contact of a clip whose feet do not slide."""
    at, contacts = positions(clip), {}
    body = speed(at[:, legs[0].start], clip.fps)
    for leg in legs:
        for joint, near in ((leg.end, NEAR_ANKLE), (leg.toe, NEAR_TOE)):
            if joint is None:
                continue
            slow = speed(at[:, joint], clip.fps) < np.maximum(SLOW, SHARE * body)
            on = slow & (at[:, joint, 1] < at[:, joint, 1].min() + near)
            edges = np.flatnonzero(np.diff(on.astype(int), prepend=0, append=0)).tolist()
            name = clip.skeleton.label(joint)
            contacts[name] = list(zip(edges[::2], edges[1::2], strict=True))
    return contacts


def speed(at, fps):
    return np.linalg.norm(np.gradient(at, axis=0), axis=-1) * fps


def stretched(clip):
    """Return a clip whose motion along the ground is multiplied by `STRETCH`."""
    translations = clip.pose.translations.copy()
    level = [axis for axis in range(3) if axis != "xyz".index(clip.up)]
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent < 0:
            moved = translations[:, joint, level]
            translations[:, joint, level] = moved[:1] + STRETCH * (moved - moved[:1])
    return clip.with_pose(LocalPose(clip.pose.rotations, translations))


def part(clip, first, step):
    """Return a clip without its first frames, with one frame of `step`."""
    pose = LocalPose(*(values[first::step] for values in clip.pose))
    return Clip(clip.skeleton, pose, clip.fps / step, up=clip.up, metres=clip.metres)


def repeated(case):
    """Return a clip of at least `FRAMES` frames and its labels: the same clip again and again."""
    count = len(case.clip)
    times = -(-FRAMES // count)
    pose = LocalPose(*(np.concatenate([values] * times) for values in stretched(case.clip).pose))
    contacts = {
        joint: [(k * count + a, k * count + b) for k in range(times) for a, b in spans]
        for joint, spans in case.contacts.items()
    }
    return case.clip.with_pose(pose), contacts


def cases(paths):
    """Return the clips at both frame rates, those that have legs with contacts."""
    for path in paths:
        clip = load(path)
        # The first frame of clips of the CMU database is a T-pose that was inserted.
        clip = part(clip, 1 if path.parent.name == "cmu_bvh" else 0, 1)
        for rate in RATES:
            step = round(clip.fps / rate)
            if step < 1:
                continue
            slower = part(clip, 0, step)
            legs = list(find_limbs(slower).legs)
            contacts = label(slower, legs) if legs else {}
            if any(contacts.values()):
                yield Case(f"{path.stem} at {slower.fps:.0f}", slower, legs, contacts)


def measure(case):
    """Return the measures of a case by name, as in `BARS`."""
    clip = stretched(case.clip)
    made = pin(clip, case.contacts, case.legs).clip
    again = pin(made, case.contacts, case.legs).clip
    before, after, twice = (positions(each) for each in (clip, made, again))
    index = clip.skeleton.index
    drifts, lows = [], []
    for name, spans in case.contacts.items():
        for first, last in spans:
            held = after[first:last, index(name)]
            drifts.append(np.linalg.norm(held - np.median(held, axis=0), axis=-1))
            lows.append(before[first:last, index(name), 1])
    toes = [leg.end if leg.toe is None else leg.toe for leg in case.legs]
    knees = [leg.mid for leg in case.legs]
    floor = np.percentile(np.concatenate(lows), 1)
    depths = [np.maximum(floor - at[:, toes, 1], 0.0) for at in (before, after)]
    pops = [np.linalg.norm(np.diff(at[:, knees], 2, axis=0), axis=-1) for at in (before, after)]
    moved = np.linalg.norm(after - before, axis=-1)
    found = {
        "drift_mm": 1000.0 * np.percentile(np.concatenate(drifts), 95),
        "knee_95": np.percentile(pops[1], 95) / np.percentile(pops[0], 95),
        "knee_99_5": np.percentile(pops[1], 99.5) / np.percentile(pops[0], 99.5),
        "toes_deeper_mm": 1000.0 * (depths[1] - depths[0]).max(),
        "body_mm": 1000.0 * np.percentile(moved[:, case.legs[0].start], 95),
        "air_mm": 1000.0 * np.percentile(in_the_air(case, moved), 95),
        "again_mm": 1000.0 * np.percentile(np.linalg.norm(twice - after, axis=-1), 95),
        "seconds_per_1000_frames": timed(case),
    }
    return {name: float(value) for name, value in found.items()}


def in_the_air(case, moved):
    """Return by how much ends of legs moved in the frames in which nothing of them is held."""
    found = [np.zeros(1)]
    for leg in case.legs:
        air = np.ones(len(moved), bool)
        for joint in {leg.end, leg.toe} - {None}:
            for first, last in case.contacts.get(case.clip.skeleton.label(joint), []):
                air[first:last] = False
        found.append(moved[air, leg.end])
    return np.concatenate(found)


def timed(case):
    """Return the processor time of `pin` and its report for 1,000 frames, the best of some runs."""
    clip, contacts = repeated(case)
    times = []
    for _ in range(TURNS):
        start = time.process_time()
        pin(clip, contacts, case.legs)
        times.append(time.process_time() - start)
    return min(times) / len(clip) * 1000.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+", type=Path, help="files, or folders with .bvh files")
    recorded.option(parser)
    options = parser.parse_args()
    folders = [sorted(p.rglob("*.bvh")) if p.is_dir() else [p] for p in options.clips]
    rows = []
    print(f"{'':32}" + "".join(f"{name.split('_per_')[0]:>16}" for name in BARS))
    print(f"{'at most':32}" + "".join(f"{bar:16g}" for bar in BARS.values()))
    for case in cases([path for paths in folders for path in paths]):
        found = measure(case)
        rows.append({"clip": case.name, **found})
        marks = ((value, " " if value <= BARS[name] else "!") for name, value in found.items())
        print(f"{case.name:32}" + "".join(f"{v:15.3g}{m}" for v, m in marks), flush=True)
    if options.json:
        recorded.write(options.json, recorded.machine(), clips=rows)


if __name__ == "__main__":
    main()
