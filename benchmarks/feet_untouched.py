"""Measure what pinning costs clips that do not slide: `python benchmarks/feet_untouched.py CLIPS`

CLIPS is a folder with recorded clips, or several files. Each is pinned as it is, with the contacts
that are found. Printed is how far hips move, the lowest joints of legs (toes) while none of their
leg is held, and by which factor knees are more abrupt. Lengths are in millimetres. Positions are by
the forward kinematics of benchmarks/feet.py. Clips whose name begins with NN_NN are taken for clips
of CMU, whose first frame is a T-pose.
"""

import argparse
import re
from pathlib import Path

import numpy as np
from feet import part, positions

from twobone.motion import find_limbs, load, pin

RATES = (120.0, 30.0)
HEADS = ("hips 95 %", "hips most", "toes 95 %", "toes most", "knees 99.5 %")


def measure(clip):
    """Return what pinning a clip changes, in the order of `HEADS`; None if nothing is held."""
    legs = list(find_limbs(clip).legs)
    made = pin(clip)
    if not made.anchors:
        return None
    before, after = positions(clip), positions(made.clip)
    moved = 1000.0 * np.linalg.norm(after - before, axis=-1)
    hips = moved[:, [leg.start for leg in legs]].mean(-1)
    swinging = [np.zeros(1)]
    for leg in legs:
        air = np.ones(len(clip), bool)
        for joint, first, last, _ in made.anchors:
            if joint in {clip.skeleton.label(j) for j in (leg.end, leg.toe) if j is not None}:
                air[first:last] = False
        swinging.append(moved[air, leg.end if leg.toe is None else leg.toe])
    toes = np.concatenate(swinging)
    jerks = [
        np.percentile(
            np.linalg.norm(np.diff(at[:, [leg.mid for leg in legs]], 2, 0), axis=-1), 99.5
        )
        for at in (before, after)
    ]
    found = (np.percentile(hips, 95), hips.max(), np.percentile(toes, 95), toes.max())
    return (*found, jerks[1] / jerks[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+", type=Path, help="files, or folders with .bvh files")
    options = parser.parse_args()
    folders = [sorted(p.rglob("*.bvh")) if p.is_dir() else [p] for p in options.clips]
    print(f"{'':24}" + "".join(f"{head:>14}" for head in HEADS))
    rows = []
    for path in (path for paths in folders for path in paths):
        clip = load(path)
        clip = part(clip, 1 if re.match(r"\d\d_\d\d", path.stem) else 0, 1)
        for rate in RATES:
            step = round(clip.fps / rate)
            found = measure(part(clip, 0, step)) if step else None
            if found is not None:
                rows.append(found)
                label = f"{path.stem[:17]} at {rate:.0f}"
                print(f"{label:24}" + "".join(f"{value:14.3g}" for value in found), flush=True)
    for name, reduce in (("median", np.median), ("most", np.max)):
        print(f"{name:24}" + "".join(f"{value:14.3g}" for value in reduce(rows, axis=0)))


if __name__ == "__main__":
    main()
