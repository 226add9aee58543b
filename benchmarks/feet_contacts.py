"""Score the contacts found in clips that slide: `python benchmarks/feet_contacts.py`

Clips of CMU in ../shared/clips are stretched along the ground, at 120 and at 30 frames a second.
Contacts found in them are compared with labels of the clean clip (tests/contact_labels.py), and
with the contacts that are found in the clean clip. Scores are F1 over frames of heels and toes.

Then precision and recall of the contacts found in clean clips, and in the same clips with noise on
the rotations of hips, legs and feet. Labels are those of the clean clips by two limits. Clips of
CMU can be given instead, to judge by other clips than those the limits were chosen with.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np

import clip_files
from contact_labels import TOES, as_flags, f1, labels, labels_until_left, precision_and_recall
from twobone import LocalPose
from twobone.motion import Clip, find_contacts, load

CLIPS = {  # what they show
    "02_01": "walk",
    "09_01": "run",
    "01_01": "hops and turns",
    "02_04": "jumps and balancing",
}
FACTORS = (0.85, 1.0, 1.15)
GRACE = 0.05  # seconds
STANDING = ("01_01", "02_01", "02_04")  # of the clips: a run has few labels by fixed limits
NOISE = (0.0, 0.1, 0.2, 0.4)  # degrees


def scores(name, every, factor):
    """Return a row of numbers for a clip, every so many frames of it, and a factor."""
    clean = clip_files.cmu(name, every)
    clip = clip_files.stretched(clean, factor)
    started = time.perf_counter()
    found = as_flags(find_contacts(clip), len(clip))
    seconds = time.perf_counter() - started
    wanted, own = labels(clean), as_flags(find_contacts(clean), len(clean))
    grace = round(GRACE * clip.fps)
    return {
        "clip": name,
        "shows": CLIPS[name],
        "fps": round(clip.fps),
        "factor": factor,
        "f1": f1(found, wanted),
        "toes": f1(found, wanted, feet=TOES),
        "grace": f1(found, wanted, grace),
        "smooth": f1(found, labels(clean, 1 / 60)),
        "own": f1(found, own),
        "own, toes": f1(found, own, feet=TOES),
        "ms": 1e3 * seconds,
    }


def loaded(path, every):
    """Return a clip of CMU without its first frame, a T-pose, or every so many frames of it."""
    clip = load(path)
    pose = LocalPose(*(values[1::every] for values in clip.pose))
    return Clip(clip.skeleton, pose, clip.fps / every, metres=clip_files.CMU)


def print_precision(paths):
    """Print precision and recall of each clip and of all, for each noise."""
    print("\nagainst labels by two limits: precision, recall for noise in degrees")
    print(" ".join([f"{'clip':>10} {'fps':>5}", *(f"{noise:>14}" for noise in NOISE)]))
    for every in (1, 4):
        rows = []
        for path in paths:
            clean = loaded(path, every)
            wanted = labels_until_left(clean)
            rows.append(
                [
                    precision_and_recall(as_flags(find_contacts(each), len(each)), wanted)
                    for each in (clip_files.noisy(clean, noise) for noise in NOISE)
                ]
            )
            print_scores(path.stem, clean.fps, rows[-1])
        print_scores("mean", clean.fps, np.mean(rows, axis=0))


def print_scores(name, fps, row):
    cells = [f"{precision:>8.3f} {recall:.3f}" for precision, recall in row]
    print(" ".join([f"{name:>10} {fps:5.0f}", *cells]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clips", nargs="*", type=Path, help="BVH files of CMU")
    options = parser.parse_args()
    if options.clips:
        print_precision(options.clips)
        return
    print("f1, toes: against labels; grace: errors within 50 ms of a boundary forgiven;")
    print("smooth: labels with velocities over 33 ms; own: against contacts of the clean clip")
    first = True
    for name in CLIPS:
        for every in (1, 4):
            for factor in FACTORS:
                row = scores(name, every, factor)
                if first:
                    print(" ".join(f"{head:>10}" for head in row if head != "shows"))
                    first = False
                cells = [
                    f"{value:>10.3f}" if isinstance(value, float) else f"{value:>10}"
                    for head, value in row.items()
                    if head != "shows"
                ]
                print(" ".join(cells), f" {row['shows']}", flush=True)
    print_precision([clip_files.path_of(f"cmu_bvh/{name}.bvh") for name in STANDING])


if __name__ == "__main__":
    main()
