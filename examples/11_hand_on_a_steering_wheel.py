"""Keep a hand on a turning steering wheel: its position and its rotation."""

import numpy as np

import twobone
from twobone.pose import LocalPose, Skeleton

# x is to the left, y up, z forward. At rest the arm hangs straight along -y. A straight limb does
# not tell how it bends, so `bend_towards` says that the elbow bends backwards.
arm = Skeleton(
    parents=[-1, 0, 1, 1, 1],
    names=["upper", "lower", "twist1", "twist2", "hand"],
    offsets=[[0.2, 1.2, 0], [0, -0.3, 0], [0, -0.09, 0], [0, -0.18, 0], [0, -0.27, 0]],
)
limb = twobone.Limb(
    arm,
    *("upper", "lower", "hand"),
    bend_towards=[0, 0, -1],
    twist={"twist1": 1 / 3, "twist2": 2 / 3},
)

# The centre of the wheel, and its angle about the z axis in each of seven frames.
middle, radius = np.array([0.1, 1.0, 0.38]), 0.17
turn = np.radians(np.linspace(-60.0, 60.0, 7))
rim = middle + radius * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)
still = 0.0 * turn
grip = np.stack([still, still, np.sin(turn / 2), np.cos(turn / 2)], axis=-1)  # quaternions xyzw

pose = LocalPose(np.tile(arm.rotations, (7, 1, 1)))
posed = limb.reach(pose, rim, pole=[0.5, -1.0, 0.0], end_rotation=grip)
world = arm.to_global(posed.pose)
for frame, angle in enumerate(np.degrees(turn)):
    elbow, off = world.positions[frame, 1], world.positions[frame, 4] - rim[frame]
    print(f"wheel {angle:+4.0f}: elbow {elbow.round(3)}, hand off by {np.linalg.norm(off):.0e}")
same = np.abs(np.sum(world.rotations[:, 4] * grip, axis=-1))
print("the hand turns with the wheel:", np.allclose(same, 1.0))
print("reached:", np.all(posed.status == twobone.Status.REACHED))
