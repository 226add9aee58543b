"""Time 1, 100 and 10,000 walking animals: `python benchmarks/creature.py [--against SRC]`

A step is 1/60 s of an insect that turns, on flat and on rough ground: two steps of the walker. CPU
times are medians; the memory is the peak that NumPy allocates during a step, divided by the number
of walkers. `--against` times another checkout in turns with this one (SRC is
its folder `src`, with a kernel built) and prints the ratios of the medians. `--instructions` counts
those of a step of one insect under valgrind, which other load on the machine does not affect.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
import recorded

from twobone import creature
from twobone.core import engine
from twobone.terrain.ground import Noise

COUNTS = (1, 100, 10_000)
GROUNDS = {"flat": 0.0, "rough": Noise(0.15 * 2.8, 5.6, 1)}
HERE = Path(creature.__file__).parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, action="append", help="walkers; may be repeated")
    parser.add_argument("--against", type=Path, metavar="SRC", help="another checkout to compare")
    parser.add_argument("--instructions", action="store_true", help="count those of one insect")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    recorded.option(parser)
    options, found = parser.parse_args(), []
    if options.serve:
        return serve()
    sources = [HERE, *([options.against.resolve()] if options.against else [])]
    if options.instructions:
        return print_instructions(sources)
    print(f"engine: {engine.engine().name}; an insect; CPU time of a step of 1/60 s")
    print(f"{'walkers':>10}{'ground':>8}{'us each':>12}{'kB each':>10}{'other us':>12}{'ratio':>8}")
    for count in options.count or COUNTS:
        row = {"walkers": count}
        for ground in GROUNDS:
            times = in_turns(sources, count, ground)
            micro = [1e6 * seconds / count for seconds in times]
            each = memory_of_a_step(count, ground) / count / 1e3
            line = f"{count:10,}{ground:>8}{micro[0]:12.2f}{each:10.2f}"
            for other in micro[1:]:
                line += f"{other:12.2f}{other / micro[0]:8.2f}"
            print(line, flush=True)
            row |= {"flat_us": 1e6 * times[0]} if ground == "flat" else {"step_us": 1e6 * times[0]}
        found.append({**row, "kB_each": each})
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=found)
    return None


def walkers(count, ground):
    """Return insects that have walked for a third of a second."""
    found = creature.Walker("insect", GROUNDS[ground], count=count, heading=range(count))
    # They set off at different times, so that not all lift the same feet at once.
    late = np.arange(count) % 20
    for frame in range(40):
        ahead = np.where(frame >= late, 1.2, 0.0)
        found.step(1 / 60, np.stack([0.0 * ahead, ahead], axis=-1), 0.2)
    return found


def memory_of_a_step(count, ground):
    """Return the peak memory of a step, in bytes."""
    walker = walkers(min(count, 1000), ground)
    tracemalloc.start()
    for _ in range(3):
        walker.step(1 / 60, 1.2, 0.2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak * count / min(count, 1000)


# --- times --------------------------------------------------------------------------------


def serve():
    """Time steps for another process: `COUNT GROUND` first, then a line for each round."""
    count, ground = sys.stdin.readline().split()
    walker, steps = walkers(int(count), ground), max(1, 40 // int(count))
    for _ in sys.stdin:
        began = time.process_time()
        for _ in range(steps):
            walker.step(1 / 60, 1.2, 0.2)
        print((time.process_time() - began) / steps, flush=True)


def in_turns(sources, count, ground):
    """Return the median time of a step for each checkout, measured in turns."""
    command = [sys.executable, __file__, "--serve"]
    processes = [
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(source)},
        )
        for source in sources
    ]
    times = [[] for _ in sources]
    for process in processes:
        print(count, ground, file=process.stdin, flush=True)
    for _ in range(max(8, min(30, 30_000 // count))):
        for process, found in zip(processes, times, strict=True):
            print(file=process.stdin, flush=True)
            found.append(float(process.stdout.readline()))
    for process in processes:
        process.communicate()
    return [statistics.median(found) for found in times]


# --- instructions -------------------------------------------------------------------------

# Threads of BLAS take instructions while they wait; modules are to be compiled in all runs or none.
EVEN = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
STEPS = """
import numpy as np
from twobone import creature
from twobone.terrain.ground import Noise
walker = creature.Walker("insect", {ground})
for _ in range({steps}):
    walker.step(1 / 60, 1.2, 0.2)
"""


def print_instructions(sources):
    """Print how many instructions the two steps of 1/120 s in 1/60 s take, each."""
    print("instructions of a step of 1/120 s, one insect")
    for ground, text in (("flat", "0.0"), ("rough", "Noise(0.42, 5.6, 1)")):
        counts = [instructions(source, text) for source in sources]
        line = "".join(f"{count:14,.0f}" for count in counts)
        print(f"{ground:>8}{line}{counts[-1] / counts[0]:8.2f}", flush=True)


def instructions(source, ground, steps=30):
    """Return the instructions of a step: those of a longer run less those of a shorter one."""
    shorter, longer = (
        _counted(source, STEPS.format(ground=ground, steps=count)) for count in (12, 12 + steps)
    )
    return (longer - shorter) / steps / 2


def _counted(source, code):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        done = subprocess.run(
            [*command, sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": str(source)} | EVEN,
            capture_output=True,
            text=True,
            check=True,
        )
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


if __name__ == "__main__":
    main()
