"""How safely the animals of `creature.stepping` walk: one row for each animal and ground.

`python benchmarks/walks.py` lets each animal walk 80 times for 30 seconds on flat ground, steps,
hills of .15 and .25 of a leg, blocks and slopes, each time with other orders. Animals, `--grounds`,
`--count`, `--seconds` and `--seed` narrow it. Columns:

  in ground   walks with a part of a leg or the belly deeper than .01 of a leg; the deepest
  speed       over what was asked for, mean
  margin      static margin over a leg's length, least (six legs and more)
  down        vertical acceleration of the body, least, in g
  knees       angular acceleration, greatest, over the 99th percentile on flat ground
  planes      degrees by which the plane of a leg turns in a frame, greatest
  slow        walks that were slower than .3 of what was asked for during 5 seconds
"""

import argparse
import itertools
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from steps_measured import SPEEDS, walked

GROUNDS = "flat", "steps", "0.15", "0.25", "blocks", "slope"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("animals", nargs="*", default=list(SPEEDS))
    parser.add_argument("--grounds", nargs="*", default=GROUNDS)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=550_000)
    chosen = parser.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    print(
        f"{'':10}{'':8}{'in ground':>12}{'deepest':>9}{'':7}{'speed':>6}{'slip':>9}{'bones':>7}"
        f"{'margin':>8}{'down':>7}{'knees':>7}{'planes':>8}{'slow':>6}"
    )
    with ProcessPoolExecutor() as pool:
        for animal in chosen.animals:
            usual = _all(pool, animal, "flat", chosen.seconds, seeds)
            knees = np.percentile([walk.bends for walk in usual], 99)
            for kind in chosen.grounds:
                walks = usual
                if kind != "flat":
                    walks = _all(pool, animal, kind, chosen.seconds, seeds)
                print(_row(animal, kind, walks, knees), flush=True)


def _all(pool, animal, kind, seconds, seeds):
    arguments = itertools.repeat(animal), itertools.repeat(kind), itertools.repeat(seconds)
    return list(pool.map(walked, *arguments, seeds))


def _row(animal, kind, walks, knees):
    worst = [max((depth, part) for part, (depth, _) in walk.buried.items()) for walk in walks]
    buried = sum(depth > 0.01 for depth, _ in worst)
    depth, part = max(worst)
    margin = min(walk.margin for walk in walks)
    still = f"{margin:.3f}" if np.isfinite(margin) else ""
    return (
        f"{animal:10}{kind:8}{buried:>6} of {len(walks):<3}{max(depth, 0.0):9.3f} "
        f"{part if depth > 0.0 else '':6}{np.mean([walk.share for walk in walks]):6.2f}"
        f"{max(walk.slip for walk in walks):9.1g}{max(walk.bones for walk in walks):7.1f}"
        f"{still:>8}{min(walk.down for walk in walks):7.2f}"
        f"{max(walk.bends.max() for walk in walks) / knees:7.1f}"
        f"{max(walk.planes for walk in walks):8.1f}{sum(walk.slow >= 5.0 for walk in walks):6}"
    )


if __name__ == "__main__":
    main()
