"""Time a frame of walking animals, pose included: `python benchmarks/frames.py [animals]`

CPU time of `Walker.step(1 / 60)` and `Walker.state`, in microseconds for each animal, on flat
ground and on hills of .15 of a leg: in Python alone (mean, and the slowest frame), one animal in
the kernel (the median of its seconds), and each of many that walk together (`--count`); and the
time that passes for each of them, since all cores share them. One turns at half its top speed; of
many each has a speed and a turn of its own. Let the machine be idle.
"""

import argparse
import statistics
import time

import numpy as np
import recorded

from twobone import creature
from twobone.core import engine

SECONDS = 10  # of the walk of one animal
AWAY, FRAMES = 60, 20  # of many: until they are timed, and those of which the median is taken
FPS = 60


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("animals", nargs="*", default=list(creature.ANIMALS))
    parser.add_argument("--count", type=int, default=10_000, help="how many walk together")
    recorded.option(parser)
    chosen = parser.parse_args()
    print(engine.engine())
    rows = []
    many = f"each of {chosen.count:,}"
    print(f"{'':16}{'Python':>9}{'slowest':>9}{'kernel':>9}{many:>16}{'in all cores':>14}")
    for name in chosen.animals:
        for kind, roughness in (("flat", 0.0), ("hills", 0.15)):
            ground = creature.make_terrain(roughness, name, seed=5)
            plain = np.array(by_python(name, ground))
            by_second = np.mean(np.reshape(alone(name, ground), (SECONDS, FPS)), axis=1)
            each, passed = together(name, ground, chosen.count)
            row = {
                "animal": name,
                "ground": kind,
                "python_us": float(plain.mean()),
                "slowest_us": float(plain.max()),
                "kernel_us": statistics.median(by_second.tolist()),
                "each_us": each,
                "passed_us": passed,
            }
            rows.append(row)
            print(
                f"{name:10}{kind:6}{row['python_us']:9.0f}{row['slowest_us']:9.0f}"
                f"{row['kernel_us']:9.1f}{row['each_us']:16.1f}"
                f"{row['passed_us']:14.1f}",
                flush=True,
            )
    if chosen.json:
        recorded.write(chosen.json, recorded.machine(), count=chosen.count, rows=rows)


def by_python(name, ground):
    """Return the microseconds of each frame of one animal without the kernel."""
    kernel, engine.KERNEL = engine.KERNEL, None
    try:
        return alone(name, ground)
    finally:
        engine.KERNEL = kernel


def alone(name, ground):
    """Return the microseconds of each frame of one animal, which turns."""
    walker = creature.Walker(name, ground)
    return frames_of(walker, SECONDS * FPS, 0.5 * walker.top_speed, 0.2)


def together(name, ground, count):
    """Return the microseconds of a frame of each of many animals, which start at one place.

    They are CPU time, and time that passes.
    """
    draw = np.random.default_rng(3)
    walkers = creature.Walker(name, ground, count=count)
    speeds = draw.uniform(0.3, 0.7, count)[:, None] * [0.0, walkers.top_speed]
    turns = draw.uniform(-0.5, 0.5, count)
    frames_of(walkers, AWAY, speeds, turns)
    return [
        statistics.median(frames_of(walkers, FRAMES, speeds, turns, clock)) / count
        for clock in (time.process_time, time.perf_counter)
    ]


def frames_of(walker, frames, velocity, turn, clock=time.process_time):
    """Return the microseconds of each frame of a walk by a clock."""
    found = []
    for _ in range(frames):
        before = clock()
        walker.step(1.0 / FPS, velocity, turn)
        walker.state  # noqa: B018 the knees are computed when it is asked for
        found.append(1e6 * (clock() - before))
    return found


if __name__ == "__main__":
    main()
