"""Score the contacts found in clips that slide: `python benchmarks/feet_contacts.py`

Clips of CMU in ../shared/clips are stretched along the ground, at 120 and at 30 frames a second.
Contacts found in them are compared with labels of the clean clip (tests/contact_labels.py), and
with the contacts that are found in the clean clip. Scores are F1 over frames of heels and toes.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import clip_files
from contact_labels import TOES, as_flags, f1, labels
from twobone.motion import find_contacts

CLIPS = {  # what they show
    "02_01": "walk",
    "09_01": "run",
    "01_01": "hops and turns",
    "02_04": "jumps and balancing",
}
FACTORS = (0.85, 1.0, 1.15)
GRACE = 0.05  # seconds


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.parse_args()
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


if __name__ == "__main__":
    main()
