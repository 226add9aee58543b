"""Compare our insect with a re-creation of Inigo Quilez's: `python benchmarks/insects.py`

Both walk for a minute on the same hills, with a root mean square of .15 of a leg; then four seconds
on flat ground at rising frame rates. `--json FILE` records the figures.
"""

import argparse
import math

import recorded

from twobone import creature
from twobone.creature import measures

ROUGH, SECONDS = 0.15, 60.0
RATES = (
    30,
    60,
    120,
)  # a walker's steps are 1/120 s: more frames have no accelerations of their own
NAMES = ("twobone", "original insect")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    recorded.option(parser)
    options = parser.parse_args()
    ground = creature.make_terrain(ROUGH, "insect", seed=1)
    ours = creature.walk("insect", terrain=ground, seconds=SECONDS, seed=1)
    walks = dict(zip(NAMES, (ours, creature.original_insect(ground, SECONDS)), strict=True))
    reports = {name: creature.report(walk, ground) for name, walk in walks.items()}
    print(*creature.table(reports), sep="\n")
    rows = [accelerations(fps) for fps in RATES]
    print(*rows, sep="\n")
    if options.json:
        found = {
            name: {key: None if math.isnan(value) else value for key, value in each.items()}
            for name, each in ((name, report._asdict()) for name, report in reports.items())
        }
        recorded.write(options.json, recorded.machine(), reports=found, accelerations=rows)


def accelerations(fps):
    """Return the peak acceleration of feet at a frame rate."""
    ours = creature.walk("insect", seconds=6.0, fps=fps, speed=1.2, turn=0.0)
    steady = ours.select(slice(4 * fps, None))
    theirs = creature.original_insect(0.0, 4.0, 1.0 / fps)
    found = (measures.peak_acceleration(walk.feet, walk.dt) for walk in (steady, theirs))
    return {"fps": fps, **dict(zip(NAMES, found, strict=True))}


if __name__ == "__main__":
    main()
