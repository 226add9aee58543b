"""Turn joint positions, as a network gives them, into BVH and GLB files with planted feet."""

import tempfile
from pathlib import Path

import numpy as np

import twobone
from twobone import LocalPose, Skeleton, motion
from twobone.motion.joints.reading import read_joints

# A stand-in for a network's output: somebody who walks for three seconds at 20 frames a second, in
# the 22 joints of SMPL, with 5 mm of noise.
middle = {3: [0, 0.11, -0.02], 6: [0, 0.13, 0], 9: [0, 0.06, 0.02], 12: [0, 0.21, -0.02]}
middle |= {0: [0, 0.9, 0], 15: [0, 0.09, 0.05]}
left = {1: [0.07, -0.09, 0], 4: [0.02, -0.39, 0.01], 7: [0, -0.4, -0.02], 10: [0.02, -0.05, 0.13]}
left |= {13: [0.08, 0.12, -0.02], 16: [0.1, 0.03, 0], 18: [0.26, 0, 0], 20: [0.25, 0, 0]}
right = {joint + 1: [-x, y, z] for joint, (x, y, z) in left.items()}
offsets = [offset for _, offset in sorted({**middle, **left, **right}.items())]
parents = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
body = Skeleton(parents, offsets)
time = np.arange(60) / 20
translations = np.tile(body.offsets, (60, 1, 1))
translations[:, 0, 1:] = np.stack([0.87 + 0.01 * np.cos(4 * np.pi * time), 1.1 * time], axis=-1)
pose = LocalPose(np.tile(body.rotations, (60, 1, 1)), translations)
for thigh, arm, x, later in (1, 16, 0.09, 0.0), (2, 17, -0.09, 0.5):
    step, phase = np.divmod(time + later, 1.0)
    t = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
    z = step - later + 0.3 + t * t * (3.0 - 2.0 * t)  # of the ankle: the body is 10 % faster
    ankle = np.stack([x + 0.0 * t, 0.07 + 0.1 * np.sin(np.pi * t) ** 2, z], axis=-1)
    leg = twobone.Limb(body, thigh, thigh + 3, thigh + 6, bend_towards=[0, 0, 1])
    pose = leg.reach(pose, ankle, bend="rest", end_rotation=[0, 0, 0, 1]).pose
    swing = -0.3 * np.cos(2 * np.pi * (time + later))
    wrist = np.stack([2.5 * x + 0.0 * t, 0.95 + 0.0 * t, 1.1 * time + 0.1 + swing], axis=-1)
    elbow = twobone.Limb(body, arm, arm + 2, arm + 4, bend_towards=[0, 0, -1])
    pose = elbow.reach(pose, wrist, pole=[0.3 * np.sign(x), -0.3, -1.0]).pose
points = body.to_global(pose).positions
points = points + 0.005 * np.random.default_rng(0).normal(size=points.shape)
folder = Path(tempfile.mkdtemp())
np.save(folder / "motion.npy", points)

# From here on, it is what you do with your own array of shape (T, 22, 3).
[given] = read_joints(folder / "motion.npy")
clip = motion.from_joints(given.points, 20)
apart = np.linalg.norm(clip.joints() - points, axis=-1)
print(f"bones have constant lengths; joints moved by {1000 * np.median(apart):.1f} mm (median)")
pinned = motion.pin(clip)
drift = pinned.report.drift_95
print(f"feet drift by {1000 * drift.before:.0f} mm before, by {1000 * drift.after:.3f} mm after")
for name in ("motion.bvh", "motion.glb", "motion.npz"):
    motion.save(pinned.clip, folder / name)
print("written:", *sorted(path.name for path in folder.iterdir()))
