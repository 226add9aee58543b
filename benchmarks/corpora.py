"""Convert and pin many small motions, and measure batches: `python benchmarks/corpora.py CLIPS`

CLIPS is a folder with BVH clips of persons. Parts of 40 to 120 frames of them, at 20 frames a
second with 3 mm of noise, go through `twobone joints --pin`, in one process and in several; then
through the same command again, which has nothing left to do. Published measures are timed on a
batch of 1,000 motions of 196 frames, in one process, on one thread.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import recorded
from joints import RATE, case

from twobone.motion import batch_measures

NOISE, FRAMES, BATCH, TURNS = 0.003, (40, 120), (1000, 196, 22, 3), 3
MEASURES = ("skating_ratio", "foot_skating", "physical_foot_contact")
MEASURES += ("penetration", "floating", "sliding")


def write_parts(cases, folder, count):
    """Write parts of motions as arrays; return how many frames they have together."""
    rng, frames = np.random.default_rng(0), 0
    folder.mkdir()
    for number in range(count):
        points = cases[number % len(cases)].points
        size = min(len(points), int(rng.integers(*FRAMES)))
        first = int(rng.integers(0, len(points) - size + 1))
        part = points[first : first + size] + NOISE * rng.normal(size=(size, *points.shape[1:]))
        np.save(folder / f"{number:04}.npy", part)
        frames += size
    return frames


def seconds(folder, out, jobs):
    """Return how long the command takes."""
    command = [sys.executable, "-m", "twobone", "joints", folder, "--fps", RATE, "--pin", "-q"]
    command += ["-o", out, "--jobs", jobs, "--measures", out.with_suffix(".csv")]
    begun = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True)
    return time.perf_counter() - begun


def batches():
    """Return the seconds of each published measure."""
    points = np.random.default_rng(0).normal(size=BATCH)
    calls = {name: (getattr(batch_measures, name), ()) for name in MEASURES}
    calls["jitter"] = batch_measures.jitter, (RATE,)
    calls["acceleration"] = batch_measures.acceleration, (RATE,)
    found = {}
    for name, (measure, more) in calls.items():
        times = []
        for _ in range(TURNS):
            begun = time.process_time()
            measure(points, *more)
            times.append(time.process_time() - begun)
        found[name] = min(times)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", type=Path)
    parser.add_argument("--count", type=int, default=1000, help="motions")
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2], help="processes")
    recorded.option(parser)
    options = parser.parse_args()
    measures = batches()
    print("seconds for 1,000 motions of 196 frames:")
    for name, value in measures.items():
        print(f"  {name:24} {value:.3f}")
    cases = [found for path in sorted(options.clips.rglob("*.bvh")) if (found := case(path))]
    rows = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "in"
        frames = write_parts(cases, folder, options.count)
        print(f"{options.count} motions, {frames} frames, converted and pinned:")
        for jobs in options.jobs:
            out = Path(made) / f"out{jobs}"
            first, again = seconds(folder, out, jobs), seconds(folder, out, jobs)
            rows.append({"jobs": jobs, "seconds": first, "again": again})
            print(f"  --jobs {jobs}: {first:.1f} s, again {again:.1f} s", flush=True)
    if options.json:
        about = recorded.machine(motions=options.count, frames=frames)
        recorded.write(options.json, about, measures=measures, rows=rows)


if __name__ == "__main__":
    main()
