"""Retarget clips to other skeletons, and measure them: `python benchmarks/retarget.py CLIPS`

CLIPS is a folder with clips, or several files. Each is put on the skeletons of CMU's clips, of a
BVH file with z up, of an adult with the proportions of body models, of a child and of all other
files that are named by `--characters`, as far as they are not its own. All measures use the forward
kinematics of this script, by matrices.

Drift is that of joints in contact, as `find_contacts` finds them in the clip. Ankles are compared
with those of the clip, scaled by the lengths of the legs and raised by the difference of the soles.
Accelerations of knees are compared with those of the clip, scaled: percentiles 95 and 99.5.
"""

import argparse
import time
from pathlib import Path

import feet
import numpy as np
import recorded

from twobone import LocalPose, Skeleton
from twobone.motion import Clip, find_contacts, find_limbs, load_all, retarget

BARS = {  # the most that is allowed
    "drift_mm": 0.1,
    "toes_under_mm": 2.0,
    "ankles_mm": 35.0,
    "knee_95": 2.0,
    "knee_99_5": 2.0,
}
NEAR = 0.15  # of a leg: feet so near to height 0 stand there
SIDE = ("hip", "knee", "ankle", "foot")
ABOVE = ("collar", "shoulder", "elbow", "wrist")
NAMES = ["Pelvis", *(f"{side}_{part}" for side in ("Left", "Right") for part in SIDE)]
NAMES += ["Spine1", "Spine2", "Spine3", "Neck", "Head"]
NAMES += [f"{side}_{part}" for side in ("Left", "Right") for part in ABOVE]
PARENTS = [-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 12, 11, 14, 15, 16, 11, 18, 19, 20]
LEG = [[0.06, -0.09, -0.01], [0.04, -0.38, 0.0], [-0.01, -0.42, -0.04], [0.04, -0.055, 0.12]]
SPINE = [[0.0, 0.12, -0.03], [0.0, 0.14, 0.0], [0.0, 0.06, 0.03], [0.0, 0.21, -0.03]]
ARM = [[0.08, 0.12, -0.02], [0.09, 0.03, -0.01], [0.26, -0.01, -0.02], [0.25, 0.01, 0.0]]


def mirrored(offsets):
    return [[-x, y, z] for x, y, z in offsets]


def adult():
    """Return a skeleton of 22 joints with the proportions of body models, in a T-pose."""
    head = [[0.0, 0.07, 0.05]]
    offsets = [[0.0, 0.95, 0.0], *LEG, *mirrored(LEG), *SPINE, *head, *ARM, *mirrored(ARM)]
    return Skeleton(PARENTS, offsets, names=NAMES)


def child():
    """Return the skeleton of a child: short legs, a large head, thighs shorter than shins."""
    whole = adult()
    offsets = 0.55 * whole.offsets
    for side in ("Left", "Right"):
        for part, factor in (("knee", 0.85), ("ankle", 0.9), ("elbow", 0.9), ("wrist", 0.85)):
            offsets[whole.index(f"{side}_{part}")] *= factor
    return Skeleton(PARENTS, offsets, names=NAMES)


def pair(limbs):
    return sorted(limbs.legs, key=lambda leg: leg.side)


def measure(clip, target):
    """Return the measures of a clip on another skeleton by name, as in `BARS`."""
    start = time.process_time()
    made = retarget(clip, target)
    seconds = time.process_time() - start
    before, after = feet.positions(clip), feet.positions(made)
    limbs, others = find_limbs(clip), find_limbs(made)
    size, other = (
        np.mean([np.median(bones(at, leg)) for leg in each.legs])
        for at, each in ((before, limbs), (after, others))
    )
    scale = other / size
    contacts = find_contacts(clip, limbs)
    drifts, apart = [np.zeros(1)], []
    knees = [[], []]
    pairs = [*zip(pair(limbs), pair(others), strict=True)]
    for a, b in pairs:
        for joint, mine in ((a.end, b.end), (a.toe, b.toe)):
            spans = [] if joint is None or mine is None else contacts[clip.skeleton.label(joint)]
            for first, last in spans:
                held = after[first:last, mine]
                drifts.append(np.linalg.norm(held - np.median(held, axis=0), axis=-1))
        away = after[:, b.end] - scale * before[:, a.end]
        away[:, 1] -= np.median(away[:, 1])
        apart.append(np.linalg.norm(away, axis=-1))
        knees[0].append(np.linalg.norm(np.diff(scale * before[:, a.mid], 2, axis=0), axis=-1))
        knees[1].append(np.linalg.norm(np.diff(after[:, b.mid], 2, axis=0), axis=-1))
    old, new = (np.concatenate(each) for each in knees)
    found = {
        "drift_mm": 1000.0 * np.percentile(np.concatenate(drifts), 95),
        "toes_under_mm": 1000.0 * under(before, after, pairs, scale, at_rest(made, others, other)),
        "ankles_mm": 1000.0 * np.percentile(np.concatenate(apart), 95),
        "knee_95": np.percentile(new, 95) / np.percentile(old, 95),
        "knee_99_5": np.percentile(new, 99.5) / np.percentile(old, 99.5),
        "seconds_per_1000_frames": 1000.0 * seconds / len(clip),
    }
    return {name: float(value) for name, value in found.items()}


def under(before, after, pairs, scale, own):
    """Return how far toes, or ends without toes, go below the ground at most.

    The ground is where the lowest 1 % of the clip's are, scaled; or, if the clip's are near height
    0, at the height `own` that feet have at rest, of skeletons that stand at height 0 then.
    """
    lows = [
        np.min([at[:, leg.end if leg.toe is None else leg.toe, 1] for leg in side], axis=0)
        for at, side in zip((before, after), zip(*pairs, strict=True), strict=True)
    ]
    level = np.percentile(lows[0], 1)
    size = np.median(bones(before, pairs[0][0]))
    ground = scale * level if own is None or abs(level) > NEAR * size else own
    return max(ground - lows[1].min(), 0.0)


def at_rest(clip, limbs, size):
    """Return the height of the lowest joint of feet at rest, if it is near 0; else None."""
    rest = clip.with_pose(LocalPose(clip.skeleton.rotations[None], clip.skeleton.offsets[None]))
    joints = [joint for leg in limbs.legs for joint in (leg.end, leg.toe) if joint is not None]
    low = feet.positions(rest)[0, joints, 1].min()
    return low if abs(low) < NEAR * size else None


def bones(at, leg):
    joints = np.diff(at[:, [leg.start, leg.mid, leg.end]], axis=1)
    return np.linalg.norm(joints, axis=-1).sum(1)


def targets(characters):
    """Yield names and skeletons or clips to retarget to."""
    yield "adult", Clip(adult(), LocalPose(adult().rotations[None]), 30.0)
    yield "child", Clip(child(), LocalPose(child().rotations[None]), 30.0)
    for path in characters:
        yield path.stem, load_all(path)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+", type=Path, help="files, or folders with .bvh files")
    parser.add_argument(
        "--characters", nargs="*", default=[], type=Path, help="files to put them on"
    )
    recorded.option(parser)
    options = parser.parse_args()
    folders = [sorted(p.rglob("*.bvh")) if p.is_dir() else [p] for p in options.clips]
    rows = []
    print(f"{'':40}" + "".join(f"{name:>16}" for name in [*BARS, "s per 1,000"]))
    print(f"{'at most':40}" + "".join(f"{bar:16g}" for bar in BARS.values()))
    for path in [path for paths in folders for path in paths]:
        clip = load_all(path)[0]
        # The first frame of clips of the CMU database is a T-pose that was inserted.
        clip = feet.part(clip, 1 if path.parent.name == "cmu_bvh" else 0, 1)
        for name, target in targets(options.characters):
            found = measure(clip, target)
            rows.append({"clip": f"{path.stem} on {name}", **found})
            cells = [
                f"{value:15.3g}{'!' if value > BARS.get(key, np.inf) else ' '}"
                for key, value in found.items()
            ]
            print(f"{rows[-1]['clip']:40}" + "".join(cells), flush=True)
    if options.json:
        recorded.write(options.json, recorded.machine(), clips=rows)


if __name__ == "__main__":
    main()
