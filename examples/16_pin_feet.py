"""Hold the feet of a walk that slide over the ground in place, and save it as BVH."""

import tempfile
from pathlib import Path

import numpy as np

import twobone
from twobone import LocalPose, Skeleton, motion

parts = ["thigh", "shin", "foot", "toe", "tip"]
names = ["hips", *(f"{part}_{side}" for side in "lr" for part in parts)]
leg = [[0, -0.42, 0], [0, -0.42, 0], [0, -0.06, 0.14], [0, 0, 0.07]]
offsets = [[0, 0.85, 0], [0.1, 0, 0], *leg, [-0.1, 0, 0], *leg]
skeleton = Skeleton([-1, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9], offsets, names=names)

# A walk of three seconds whose feet do not slide: each is down for 60 % of a second.
time = np.arange(90) / 30
translations = np.tile(skeleton.offsets, (90, 1, 1))
translations[:, 0, 1:] = np.stack([0.85 + 0.0 * time, 0.9 * time], axis=-1)
pose = LocalPose(np.tile(skeleton.rotations, (90, 1, 1)), translations)
for side, x, later in ("l", 0.1, 0.0), ("r", -0.1, 0.5):
    step, phase = np.divmod(time + later, 1.0)
    t = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
    z = 0.9 * (step - later + 0.3 + t * t * (3.0 - 2.0 * t))
    ankle = np.stack([x + 0.0 * t, 0.08 + 0.1 * np.sin(np.pi * t) ** 2, z], axis=-1)
    joints = f"thigh_{side}", f"shin_{side}", f"foot_{side}"
    limb = twobone.Limb(skeleton, *joints, bend_towards=[0, 0, 1])
    pose = limb.reach(pose, ankle, bend="rest", end_rotation=[0, 0, 0, 1]).pose

# The body is made to walk 15 % further than its steps, so that the feet slide. `pin` finds them.
translations[:, 0, 2] *= 1.15
pinned = motion.pin(motion.Clip(skeleton, LocalPose(pose.rotations, translations), 30))
drift, moved = pinned.report.drift_95, pinned.report.body_moved_95
print(f"{len(pinned.anchors)} contacts; feet drift by {1000 * drift.before:.0f} mm before,")
print(f"by {1000 * drift.after:.3f} mm after; the body moves by {1000 * moved:.0f} mm")

path = Path(tempfile.mkdtemp()) / "pinned.bvh"
motion.save(pinned.clip, path)
print("written:", path)
