"""Time `solve` without the compiled kernel: `python benchmarks/blocks.py [--counts 1 1000 ...]`

Compares `twobone.solve` with the NumPy engine to the article's formula and the law of cosines in
plain NumPy: medians of interleaved runs, in one process. Then it times other block sizes
(`engine.BLOCK`), and measures the memory that one call needs beyond its `out=`.
"""

import argparse
import os
import statistics
import time
import tracemalloc

os.environ["TWOBONE_ENGINE"] = "numpy"  # before the package is imported

import numpy as np
import recorded
from formulas import article, cosines

import twobone
from twobone.core import engine

SECONDS = 1.0  # for one row of a table
BLOCKS = (512, 1024, 2048, 4096, 8192, 16384, 65536)


def limbs(size, dtype, count):
    """Return typical limbs, all with the same bones."""
    rng = np.random.default_rng(4)
    target = rng.normal(size=(count, size)).astype(dtype)
    r1, r2 = dtype(1.0), dtype(0.9)
    pole = rng.normal(size=(count, 3)).astype(dtype) if size == 3 else None
    return target, r1, r2, pole


def medians(functions, seconds=SECONDS):
    """Return the median time of each function; they run in turns, after a warm-up run."""
    for function in functions:
        function()
    times, end = [[] for _ in functions], time.perf_counter() + seconds
    while len(times[0]) < 5 or time.perf_counter() < end:
        for function, taken in zip(functions, times, strict=True):
            start = time.perf_counter()
            function()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def contestants(size, dtype, count):
    target, r1, r2, pole = limbs(size, dtype, count)
    out = np.empty_like(target)
    side, first, second = np.ones(count, dtype), np.full(count, r1), np.full(count, r2)
    return [
        lambda: twobone.solve(target, r1, r2, pole=pole, out=out),
        lambda: article(target, first, second, side, pole),
        lambda: cosines(target, first, second, side, pole),
    ]


def cases(counts):
    for size in (2, 3):
        for dtype in (np.float64, np.float32):
            for count in counts:
                yield size, dtype, count


def name(size, dtype, count):
    return f"{'plane' if size == 2 else 'space'} {np.dtype(dtype)} {count:>9}"


def show_times(counts):
    """Show times and return them as plain values, in nanoseconds per limb."""
    found = []
    print(f"{'':24}{'twobone':>12}{'article':>12}{'cosines':>12}   ns per limb, and ratios")
    for case in cases(counts):
        ours, plain, angles = medians(contestants(*case))
        cells = "".join(f"{t / case[2] * 1e9:12.1f}" for t in (ours, plain, angles))
        print(f"{name(*case):24}{cells}   {ours / plain:.2f} {ours / angles:.2f}", flush=True)
        size, dtype, count = case
        nanoseconds = [1e9 * t / count for t in (ours, plain, angles)]
        found.append(
            {
                "place": "plane" if size == 2 else "space",
                "dtype": str(np.dtype(dtype)),
                "count": count,
                "ns": dict(zip(("twobone", "article", "cosines"), nanoseconds, strict=True)),
            }
        )
    return found


def show_single():
    """Show and return the time of one call of `solve_xy`, in nanoseconds."""
    (taken,) = medians([lambda: [twobone.solve_xy(0.5, 0.7, 1.0, 0.9) for _ in range(100)]])
    print(f"solve_xy: {1e7 * taken:.0f} ns per call")
    return 1e7 * taken


def show_blocks(count):
    print(f"\nns per limb for blocks of {BLOCKS}; the default is {engine.BLOCK}")
    kept = engine.BLOCK
    for case in cases([count]):
        solve = contestants(*case)[0]

        def with_block(block, solve=solve):
            def run():
                engine.BLOCK = block
                solve()

            return run

        found = medians([with_block(block) for block in BLOCKS], 2 * SECONDS)
        print(f"{name(*case):24}" + "".join(f"{t / count * 1e9:9.1f}" for t in found), flush=True)
    engine.BLOCK = kept


def show_memory(counts):
    print("\nmemory beyond `out=`, in megabytes")
    for case in cases(counts):
        peaks = []
        for run in contestants(*case):
            tracemalloc.start()
            run()
            peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
            tracemalloc.stop()
        print(f"{name(*case):24}" + "".join(f"{peak:12.1f}" for peak in peaks), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 1000, 100_000, 1_000_000])
    recorded.option(parser)
    options = parser.parse_args()
    print(f"NumPy {np.__version__}, blocks of {engine.BLOCK} rows")
    found = show_times(options.counts)
    single = show_single()
    show_blocks(max(options.counts))
    show_memory(options.counts[-2:])
    if options.json:
        recorded.write(options.json, recorded.machine(), solve_xy_ns=single, rows=found)


if __name__ == "__main__":
    main()
