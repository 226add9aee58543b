"""Compare the compiled kernel with the NumPy engine: `python benchmarks/engines.py`

Each engine runs in processes of its own, in turns. The least time of each call is kept, because
other programs can only make a call slower.
"""

import argparse
import json
import os
import subprocess
import sys
import timeit

import numpy as np
import recorded

import twobone
from twobone import Limb, LocalPose, Skeleton, creature

ROUNDS = 3
SECONDS = 0.02  # for one measurement; fewer calls are too few for the clock


def calls():
    """Return what is timed, by name."""
    rng = np.random.default_rng(4)
    many, one = rng.uniform(-1.3, 1.3, (100_000, 2)), np.array([1.2, 0.4])
    skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
    leg, pose = Limb(skeleton, 0, 1, 2), LocalPose(skeleton.rotations)
    clip = LocalPose(np.tile(skeleton.rotations, (1000, 1, 1)))
    targets = rng.uniform(-0.3, 0.3, (1000, 3))
    walker = creature.Walker("dog")
    return {
        "solve_xy": lambda: twobone.solve_xy(1.2, 0.4, 1.0, 0.8),
        "solve, one limb": lambda: twobone.solve(one, 1.0, 0.8),
        "solve, 1,000 limbs": lambda: twobone.solve(many[:1000], 1.0, 0.8),
        "solve, 100,000 limbs": lambda: twobone.solve(many, 1.0, 0.8),
        "Limb.reach, one pose": lambda: leg.reach(pose, [0.0, 0.3, 0.2]),
        "Limb.reach, 1,000 poses": lambda: leg.reach(clip, targets),
        "Walker.step(1 / 60), one dog": lambda: walker.step(1 / 60, velocity=1.0),
    }


def least(call):
    """Return the least time of a call, in seconds."""
    for _ in range(10):  # formulas are traced in the first calls
        call()
    number = max(1, int(SECONDS / min(timeit.repeat(call, number=1, repeat=3))))
    return min(timeit.repeat(call, number=number, repeat=5)) / number


def run(engine):
    """Return the times of all calls in a new process with an engine."""
    done = subprocess.run(
        [sys.executable, __file__, "--here"],
        env=os.environ | {"TWOBONE_ENGINE": engine, "TWOBONE_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--here", action="store_true", help="time this process alone")
    recorded.option(parser)
    options = parser.parse_args()
    if options.here:
        print(json.dumps({name: least(call) for name, call in calls().items()}))
        return
    runs = {engine: [] for engine in ("compiled", "numpy")}
    for _ in range(ROUNDS):
        for engine, found in runs.items():
            found.append(run(engine))
    rows = []
    for name in runs["compiled"][0]:
        times = {engine: min(each[name] for each in found) for engine, found in runs.items()}
        rows.append({"what": name, "us": {engine: 1e6 * t for engine, t in times.items()}})
        ratio = times["numpy"] / times["compiled"]
        print(
            f"{name:30}" + "".join(f"{1e6 * t:12.2f} us" for t in times.values()), f"{ratio:8.1f}"
        )
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=rows)


if __name__ == "__main__":
    main()
