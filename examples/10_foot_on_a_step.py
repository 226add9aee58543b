"""A leg of a skeleton puts its foot on a step, frame by frame."""

import numpy as np

import twobone
from twobone.pose import LocalPose, Skeleton

skeleton = Skeleton(
    parents=[-1, 0, 1, 2, 3],
    names=["hips", "thigh", "shin", "foot", "toe"],
    offsets=[[0, 1, 0], [-0.1, -0.05, 0], [0, -0.45, 0.03], [0, -0.43, -0.03], [0, -0.07, 0.15]],
)
leg = twobone.Limb(skeleton, "thigh", "shin", "foot")

# Five frames of a clip: the figure stands still, its foot goes up to the step and forward.
clip = LocalPose(np.tile(skeleton.rotations, (5, 1, 1)))
share = np.linspace(0.0, 1.0, 5)[:, None]
ankle = (1.0 - share) * [-0.1, 0.07, 0.0] + share * [-0.1, 0.27, 0.35]
ankle[:, 1] += 0.2 * np.sin(np.pi * share[:, 0])  # over the edge

# At rest the leg is all but straight: a soft limb then lags a few millimetres behind.
posed = leg.reach(clip, ankle, pole=[0.0, 0.0, 1.0], unreachable=twobone.Soft(0.02))
world = skeleton.to_global(posed.pose)
for frame in range(5):
    knee, foot = world.positions[frame, 2:4].round(3)
    print(f"frame {frame}: knee {knee}, foot {foot}  {twobone.Status(posed.status[frame]).name}")

# The foot stays level; the rest of the figure was not touched.
print("the foot turns by", np.abs(world.rotations[:, 3, :3]).max().round(12))
print("hips as before:", np.array_equal(posed.pose.rotations[:, 0], clip.rotations[:, 0]))
