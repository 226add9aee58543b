"""Bring the hand of somebody who walks past a rail onto it for a second, and let it go again."""

import numpy as np

from twobone import LocalPose, Skeleton, motion

names = [
    "hips",
    *(f"{side} {part}" for side in ("left", "right") for part in ("arm", "elbow", "hand")),
]
arm = [[0.0, -0.28, -0.02], [0.0, -0.26, 0.02]]
offsets = [[0.0, 1.0, 0.0], [0.2, 0.45, 0.0], *arm, [-0.2, 0.45, 0.0], *arm]
person = Skeleton([-1, 0, 1, 2, 0, 4, 5], offsets, names=names)
limbs = [motion.FoundLimb("left arm", "arm", "left", None, 1, 2, 3, None, False, False, 1.0)]

# Three seconds at 1 m/s along z, with arms that hang down.
time = np.arange(90) / 30
translations = np.tile(person.offsets, (90, 1, 1))
translations[:, 0, 2] += time
clip = motion.Clip(person, LocalPose(np.tile(person.rotations, (90, 1, 1)), translations), 30)

# The rail is beside the way at a height of 1.1 m. The hand slides along it, from frame 30 to 59.
rail = np.stack([0.4 + 0.0 * time, 1.1 + 0.0 * time, time + 0.1], axis=-1)[30:60]
moved = motion.move_end(clip, "left hand", rail, frames=(30, 60), blend=0.4, limbs=limbs)

after = person.to_global(moved.pose).positions[:, 3]
print(f"on the rail: within {np.abs(after[30:60] - rail).max():.6f} m")
for frame in (15, 21, 27, 30, 45):
    print(f"frame {frame}: hand at {after[frame].round(3)}")
acceleration = np.linalg.norm(np.diff(after, 2, axis=0), axis=-1) * 30**2
print(f"largest acceleration of the hand: {acceleration.max():.1f} m/s2")
