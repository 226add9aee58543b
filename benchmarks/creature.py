"""Time 1, 100 and 10,000 walking animals: `python benchmarks/creature.py`

A step is 1/60 s of an insect that turns on rough ground. Times are medians; the memory is the
peak that NumPy allocates during a step, divided by the number of walkers.

NumPy's call overhead dominates the cost of one walker: its two steps of 1/120 s are hundreds of
calls of 0.25 to 0.9 us each, however small the arrays are. About two thirds of them look ahead
for obstacles of a leg, a knee or the body. Only compiled code would be much faster, and it would
have to reproduce gait, footing and terrains bit for bit.
"""

import argparse
import statistics
import time
import tracemalloc

import numpy as np
import recorded

from twobone import creature
from twobone.core import engine
from twobone.terrain.ground import Noise

COUNTS = (1, 100, 10_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, action="append", help="walkers; may be repeated")
    recorded.option(parser)
    options, found = parser.parse_args(), []
    counts = options.count or COUNTS
    print(f"engine: {engine.engine().name}; an insect on rough ground")
    print(
        f"{'walkers':>10}{'ms per step':>12}{'us each':>14}{'steps per second':>17}{'kB each':>10}"
    )
    for count in counts:
        seconds = time_of_a_step(count)
        each = memory_of_a_step(count) / count / 1e3
        rate = f"{count / seconds:,.0f}"
        micro = 1e6 * seconds / count
        print(f"{count:10,}{1e3 * seconds:12.3f}{micro:14.2f}{rate:>17}{each:10.2f}")
        found.append({"walkers": count, "step_us": 1e6 * seconds, "kB_each": each})
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=found)


def walkers(count):
    ground = Noise(0.15 * 2.8, 5.6, 1)
    found = creature.Walker("insect", ground, count=count, heading=range(count))
    # Other phases, so that not all lift the same feet at once.
    found._state.cycle.phase[:] = np.linspace(0.0, 1.0, count)
    return found


def time_of_a_step(count):
    """Return the median time of a step, after a second of walking."""
    walker = walkers(count)
    for _ in range(20):
        walker.step(1 / 60, 1.2, 0.2)
    found = []
    for _ in range(max(8, min(300, 30_000 // count))):
        began = time.perf_counter()
        walker.step(1 / 60, 1.2, 0.2)
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def memory_of_a_step(count):
    """Return the peak memory of a step, in bytes."""
    walker = walkers(count)
    tracemalloc.start()
    for _ in range(3):
        walker.step(1 / 60, 1.2, 0.2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    main()
