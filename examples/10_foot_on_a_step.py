"""Place the foot of a skeleton on a step, for all frames of a clip at once."""

import numpy as np

import twobone
from twobone.pose import LocalPose, Skeleton

skeleton = Skeleton(
    parents=[-1, 0, 1, 2, 3],
    names=["hips", "thigh", "shin", "foot", "toe"],
    offsets=[[0, 1, 0], [-0.1, -0.05, 0], [0, -0.45, 0.03], [0, -0.43, -0.03], [0, -0.07, 0.15]],
)
leg = twobone.Limb(skeleton, "thigh", "shin", "foot")

# A clip of five frames in which the figure stands still, and targets that lift its ankle forward
# onto the step.
clip = LocalPose(np.tile(skeleton.rotations, (5, 1, 1)))
t = np.linspace(0.0, 1.0, 5)[:, None]
ankle = (1.0 - t) * [-0.1, 0.07, 0.0] + t * [-0.1, 0.27, 0.35]
ankle[:, 1] += 0.2 * np.sin(np.pi * t[:, 0])  # over the edge of the step

# At rest the leg is almost straight, where Soft keeps the end a few millimetres from the target.
posed = leg.reach(clip, ankle, pole=[0.0, 0.0, 1.0], unreachable=twobone.Soft(0.02))
world = skeleton.to_global(posed.pose)
for frame in range(5):
    knee, foot = world.positions[frame, 2:4].round(3)
    print(f"frame {frame}: knee {knee}, foot {foot}  {twobone.Status(posed.status[frame]).name}")

# The foot keeps its rotation in the world, and all other joints keep their local rotations.
print("the foot turns by", np.abs(world.rotations[:, 3, :3]).max().round(12))
print("hips as before:", np.array_equal(posed.pose.rotations[:, 0], clip.rotations[:, 0]))
