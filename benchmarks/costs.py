"""Time what batches cost next to the simplest one: `python benchmarks/costs.py [--quick]`

The simplest batch has 20,000 targets, all in reach, one pair of bones, the policy "clamp" and an
array to write to. Everything else is a ratio to it, with the same dimension and dtype, in the same
run and on one thread. Times are medians of runs in turns.
"""

import argparse
import statistics
import time

import numpy as np
import recorded

import twobone
from twobone.commands import bench_rows as rows
from twobone.core import engine
from twobone.core.policies import Policy

COUNT = 20_000
TINY = {"float64": 1e-200, "float32": 1e-30}  # parts so small that products of them underflow
CHAIN = twobone.Limits(30.0, 170.0) | twobone.Soft(0.1)


class Own(Policy):
    """A policy of one's own, which only NumPy can compute."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


def cases(size, dtype):
    """Return functions by name; the first is the simplest batch."""
    case = rows.Case("plane" if size == 2 else "space", dtype, COUNT, 1, "")
    reached, mixed, r1, r2, direction, out = rows.make_limbs(case)
    pole = {} if size == 2 else {"pole": direction}
    rng = np.random.default_rng(5)
    own_bones = [(length * rng.uniform(0.9, 1.1, COUNT)).astype(dtype) for length in (r1, r2)]
    tiny = mixed.copy()
    tiny[:, 0] = TINY[dtype]

    def solve(target, first=r1, second=r2, **options):
        return lambda: twobone.solve(target, first, second, out=out, **pole, **options)

    found = {
        "in reach": solve(reached),
        "a fifth out of reach": solve(mixed),
        '"stretch"': solve(mixed, unreachable="stretch"),
        '"nan"': solve(mixed, unreachable="nan"),
        "without `out`": lambda: twobone.solve(mixed, r1, r2, **pole),
        "`reach`: end and status too": lambda: twobone.reach(mixed, r1, r2, **pole),
        "bones for each row": solve(mixed, *own_bones),
        "`Soft`": solve(mixed, unreachable=twobone.Soft(0.05)),
        "`Stretch`": solve(mixed, unreachable=twobone.Stretch(1.2)),
        "`Limits`": solve(mixed, unreachable=twobone.Limits(30.0, 170.0)),
        "`Limits` and `Soft`": solve(mixed, unreachable=CHAIN),
        "a policy of your own": solve(mixed, unreachable=Own()),
        "a first bone of a tenth": solve(mixed, 0.1 * r1, r2),
        "bones of 100": solve(100 * mixed, 100 * r1, 100 * r2),
        "a tiny coordinate": solve(tiny),
    }
    return found


def measure(functions, rounds):
    """Return the median time of each function in nanoseconds per limb, measured in turns."""
    times = {name: [] for name in functions}
    next(iter(functions.values()))()  # the first call of all takes longer
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append((time.perf_counter() - start) / COUNT * 1e9)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="three rounds only")
    recorded.option(parser)
    options = parser.parse_args()
    rounds = 3 if options.quick else 60
    twobone.engine(threads=1)
    sets = [name for name in engine.KERNEL.instruction_sets() if name != "baseline"]
    found = []
    for instruction_set in sets or ["baseline"]:
        engine.KERNEL.use_instruction_set(instruction_set)
        for size in (2, 3):
            for dtype in ("float64", "float32"):
                times = measure(cases(size, dtype), rounds)
                simplest = next(iter(times.values()))
                print(f"\n{instruction_set}, {size}-D, {dtype}: {simplest:.2f} ns per limb")
                for name, value in times.items():
                    print(f"  {name:30} {value / simplest:8.2f}")
                about = {"set": instruction_set, "size": size, "dtype": dtype}
                found.append({**about, "ns": times})
    if options.json:
        recorded.write(options.json, recorded.machine(), costs=found)


if __name__ == "__main__":
    main()
