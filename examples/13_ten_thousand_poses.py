"""Correct ten thousand random poses in one call, and check the result."""

import time

import numpy as np

import twobone
from twobone.pose import LocalPose, Skeleton

count = 10_000
rng = np.random.default_rng(1)
skeleton = Skeleton(
    parents=[-1, 0, 1, 2, 3],
    names=["hips", "thigh", "shin", "foot", "toe"],
    offsets=[[0, 1, 0], [-0.1, -0.05, 0], [0, -0.45, 0.03], [0, -0.43, -0.03], [0, -0.07, 0.15]],
)
leg = twobone.Limb(skeleton, "thigh", "shin", "foot", limits=(20, 178))

rotations = rng.normal(size=(count, 5, 4))
rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
poses = LocalPose(rotations)
hip = skeleton.to_global(poses).positions[:, 1]
targets = hip + 0.5 * rng.normal(size=(count, 3))  # about half of them are out of reach
poles = rng.normal(size=(count, 3))

begin = time.perf_counter()
posed = leg.reach(poses, targets, pole=poles)
seconds = time.perf_counter() - begin
print(f"{count:,} limbs in {1e3 * seconds:.0f} ms: {count / seconds:,.0f} a second")

world = skeleton.to_global(posed.pose).positions
bones = np.linalg.norm(np.diff(world[:, 1:4], axis=1), axis=-1)
print(f"the worst bone is off by {np.max(np.ptp(bones, axis=0)):.0e} m")
met = posed.status == twobone.Status.REACHED
print(
    f"the worst end is off by {np.max(np.linalg.norm(world[met, 3] - targets[met], axis=-1)):.0e} m"
)
for code, number in zip(*np.unique(posed.status, return_counts=True), strict=True):
    print(f"{number:6,} {twobone.Status(code).name}")
