"""Time limbs and skeletons on one core: `python benchmarks/poses.py`

`Limb.reach`, `Limb.controls`, `Skeleton.to_global` and `Skeleton.to_local`, with the kernel's
programs (core/programs.py) and with the same formula in NumPy. Times are medians of processor time,
runs in turns, in one process.
"""

import argparse
import statistics
import time
from unittest import mock

import numpy as np
import recorded

import twobone
from twobone import Limb, LocalPose, Skeleton, Soft
from twobone.core import engine

FRAMES, JOINTS = 1000, 31


def rotations(rng, *shape):
    q = np.concatenate([0.3 * rng.normal(size=(*shape, 3)), np.ones((*shape, 1))], axis=-1)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def cases():
    """Return functions by name, and how many poses each computes."""
    rng = np.random.default_rng(6)
    offsets = 0.2 * rng.normal(size=(JOINTS, 3))
    skeleton = Skeleton([-1, *((i - 1) // 2 for i in range(1, JOINTS))], offsets)
    clip = LocalPose(rotations(rng, FRAMES, JOINTS))
    world = skeleton.to_global(clip)
    leg = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.45, 0.02], [0, -0.43, -0.02]])
    limb, one = Limb(leg, 0, 1, 2), LocalPose(leg.rotations)
    frames = LocalPose(rotations(rng, FRAMES, 3))
    targets = rng.uniform([-0.5, 0.2, -0.5], [0.5, 0.8, 0.5], (FRAMES, 3))
    pole = np.array([0.0, 0.0, 1.0])
    target = [0.1, 0.3, 0.2]
    return {
        "`Limb.reach`, one pose": (lambda: limb.reach(one, target), 1),
        "`Limb.reach`, 1,000 poses, pole": (
            lambda: limb.reach(frames, targets, pole=pole),
            FRAMES,
        ),
        "`Limb.reach`, 1,000 poses, `Soft`": (
            lambda: limb.reach(frames, targets, pole=pole, unreachable=Soft(0.1)),
            FRAMES,
        ),
        "`Limb.reach`, 1,000 frames, parallel transport": (
            lambda: limb.reach(frames, targets, bend="transport"),
            FRAMES,
        ),
        "`Limb.controls`, 1,000 poses": (lambda: limb.controls(frames), FRAMES),
        "`Skeleton.to_global`, 1,000 frames of 31 joints": (
            lambda: skeleton.to_global(clip),
            FRAMES,
        ),
        "`Skeleton.to_local`, 1,000 frames of 31 joints": (
            lambda: skeleton.to_local(world),
            FRAMES,
        ),
    }


def measure(function, runs):
    start = time.process_time()
    for _ in range(runs):
        function()
    return (time.process_time() - start) / runs


def with_numpy(function):
    """Return a function that computes without the kernel."""

    def compute():
        with mock.patch.object(engine, "KERNEL", None):
            return function()

    return compute


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    recorded.option(parser)
    options = parser.parse_args()
    twobone.engine(threads=1)
    rows = []
    print(f"{'microseconds a call':50} {'kernel':>10} {'NumPy':>12}")
    for name, (function, count) in cases().items():
        for _ in range(10):
            function()  # formulas are traced
        plain = with_numpy(function)
        plain()
        many = 200 if count == 1 else 5
        few = 20 if count == 1 else 1
        pairs = [(measure(function, many), measure(plain, few)) for _ in range(7)]
        kernel, numpy = (1e6 * statistics.median(times) for times in zip(*pairs, strict=True))
        rows.append({"what": name, "us": {"kernel": kernel, "numpy": numpy}})
        print(f"{name:50} {kernel:10.1f} {numpy:12.1f}", flush=True)
    if options.json:
        recorded.write(options.json, recorded.machine(), rows=rows)


if __name__ == "__main__":
    main()
