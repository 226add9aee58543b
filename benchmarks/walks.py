"""How safely animals walk, from recordings: one row for each animal and ground.

`python benchmarks/walks.py` lets each animal walk 80 times for 30 seconds on flat ground, steps,
hills of .15 and .25 of a leg, blocks and slopes of 30 degrees, each time with other orders, and ten
times over kerbs, ditches, walls and holes. Animals, `--grounds`, `--count`, `--seconds` and
`--seed` narrow it. `--json FILE` records the rows; `--against FILE` repeats a recorded run and
exits with 1 if one got worse. Columns:

  in ground   walks with a part of a leg or the belly deeper than .01 of a leg; the deepest
  speed       over what was asked for, mean
  slip        of feet that stand, metres
  bones       error of their lengths, in eps of the coordinates
  margin      static margin over a leg's length, least (six legs and more)
  down        vertical acceleration of the body, least, in g
  knees       angular acceleration, greatest, over the 99th percentile on flat ground
  planes      degrees by which the plane of a leg turns in a frame, greatest
  slow        walks below .3 of what was asked for during 5 seconds without being blocked
  blocked     share of the time
"""

import argparse
import itertools
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import recorded

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from steps_measured import OBSTACLES, SPEEDS, walked
from twobone import creature

GROUNDS = "flat", "steps", "0.15", "0.25", "blocks", "slope"
DEEP = 0.01  # of a leg
LONG = 5.0  # seconds
SEEN = 5e-4  # of a leg: less is shown as 0
# By how much a figure may differ from the recorded one: runs on other machines have the same bits,
# so this is for walks that have been changed on purpose.
WORSE = {"share": -0.02, "margin": -0.01, "down": -0.1, "knees": 0.5, "planes": 1.0}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("animals", nargs="*", metavar="ANIMAL", help=f"of {', '.join(SPEEDS)}")
    parser.add_argument("--grounds", nargs="*", default=[*GROUNDS, *OBSTACLES])
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=550_000)
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with a recorded run")
    recorded.option(parser)
    chosen = parser.parse_args()
    then = json.loads(chosen.against.read_text(encoding="utf-8")) if chosen.against else None
    if then:
        chosen.count, chosen.seconds, chosen.seed = then["count"], then["seconds"], then["seed"]
    print(HEAD)
    rows, worse = [], False
    with ProcessPoolExecutor() as pool:
        for row in measured(pool, chosen):
            rows.append(row)
            print(line(row), flush=True)
            for each in worsened(row, then):
                worse = True
                print(f"    worse: {each}", flush=True)
    if chosen.json:
        about = {"count": chosen.count, "seconds": chosen.seconds, "seed": chosen.seed}
        recorded.write(chosen.json, recorded.machine(), **about, rows=rows)
    sys.exit(worse)


def measured(pool, chosen):
    """Yield the row of each animal and ground."""
    for animal in chosen.animals or SPEEDS:
        knees = None
        for kind in chosen.grounds if "flat" not in chosen.grounds else order(chosen.grounds):
            count = max(1, chosen.count // 8) if kind in OBSTACLES else chosen.count
            seeds = range(chosen.seed, chosen.seed + count)
            walks = every(pool, animal, kind, chosen.seconds, seeds)
            if knees is None:
                flat = walks if kind == "flat" else every(pool, animal, "flat", 10.0, seeds)
                knees = np.percentile(np.concatenate([walk.bends for walk in flat]), 99)
            yield row_of(animal, kind, walks, float(knees))


def order(grounds):
    """Return grounds with the flat one first, since others are compared with it."""
    return ["flat", *(kind for kind in grounds if kind != "flat")]


def every(pool, animal, kind, seconds, seeds):
    """Return the figures of a walk for each seed."""
    arguments = itertools.repeat(animal), itertools.repeat(kind), itertools.repeat(seconds)
    return list(pool.map(walked, *arguments, seeds))


def row_of(animal, kind, walks, knees):
    """Return the figures of several walks; `knees` is the usual acceleration of a knee."""
    worst = [walk.deepest for walk in walks]
    stable = creature.animal(animal).legs >= 6  # others fall without the next step
    depth, part = max(worst)
    return {
        "animal": animal,
        "ground": kind,
        "walks": len(walks),
        "deep": sum(found > DEEP for found, _ in worst),
        "deepest": depth,
        "part": part if depth > SEEN else "",
        "share": float(np.mean([walk.share for walk in walks])),
        "slip": max(walk.slip for walk in walks),
        "bones": max(walk.bones for walk in walks),
        "margin": min(walk.margin for walk in walks) if stable else None,
        "down": min(walk.down for walk in walks),
        "knees": max(float(np.max(walk.bends)) for walk in walks) / knees,
        "planes": max(walk.planes for walk in walks),
        "slow": sum(walk.slow >= LONG for walk in walks),
        "blocked": float(np.mean([walk.blocked for walk in walks])),
    }


HEAD = (
    f"{'':10}{'':8}{'in ground':>12}{'deepest':>9} {'':6}{'speed':>6}{'slip':>9}{'bones':>7}"
    f"{'margin':>8}{'down':>7}{'knees':>7}{'planes':>8}{'slow':>6}{'blocked':>9}"
)


def line(row):
    """Return a row as text."""
    margin = "" if row["margin"] is None else f"{row['margin']:.3f}"
    return (
        f"{row['animal']:10}{row['ground']:8}{row['deep']:>6} of {row['walks']:2}"
        f"{row['deepest']:9.3f} {row['part']:6}{row['share']:6.2f}{row['slip']:9.1g}"
        f"{row['bones']:7.1f}{margin:>8}{row['down']:7.2f}{row['knees']:7.1f}{row['planes']:8.1f}"
        f"{row['slow']:6}{row['blocked']:9.3f}"
    )


def worsened(row, then):
    """Yield what got worse than in a recorded run."""
    if then is None:
        return
    found = [
        each
        for each in then["rows"]
        if (each["animal"], each["ground"]) == (row["animal"], row["ground"])
    ]
    if not found:
        yield "it is not in the recorded run"
        return
    for name, limit in {"deep": 0.0, "slip": 0.0, "bones": 0.5, "slow": 0.0, **WORSE}.items():
        if row[name] is None:
            continue
        more = row[name] - found[0][name]
        if more < limit if limit < 0.0 else more > limit:
            yield f"{name} is {row[name]:.3g}, was {found[0][name]:.3g}"


if __name__ == "__main__":
    main()
