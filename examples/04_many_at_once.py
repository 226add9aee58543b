"""Solve a million legs in one call, into an existing array."""

import time
import tracemalloc

import numpy as np

import twobone

count = 1_000_000
rng = np.random.default_rng(1)
feet = rng.uniform(-1.2, 1.2, (count, 2))
thighs = rng.uniform(0.5, 0.7, count)  # lengths broadcast: one per leg, or one for all
knees = np.empty_like(feet)

twobone.solve(feet[:100], thighs[:100], 0.6, out=knees[:100])  # warm up
tracemalloc.start()
begin = time.perf_counter()
twobone.solve(feet, thighs, 0.6, out=knees)
seconds = time.perf_counter() - begin
_, peak = tracemalloc.get_traced_memory()
tracemalloc.stop()

lengths = np.hypot(knees[:, 0], knees[:, 1])
print(f"{count:,} legs in {seconds:.2f} s: {count / seconds / 1e6:.1f} million per second")
print(f"additional memory: {peak / 1e6:.1f} MB; the result has {knees.nbytes / 1e6:.0f} MB")
print(f"maximum relative error of a thigh's length: {np.max(np.abs(lengths / thighs - 1.0)):.1e}")

status = twobone.reach(feet, thighs, 0.6).status
for code, number in zip(*np.unique(status, return_counts=True), strict=True):
    print(f"{number:9,} {twobone.Status(code).name}")
