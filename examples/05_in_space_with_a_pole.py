"""Solve a leg in space, with a pole vector that sets the direction of the knee."""

import numpy as np

import twobone

hip = np.array([0.1, 0.95, 0.0])
foot = np.array([0.15, 0.05, 0.2])
thigh, shin = 0.5, 0.48
forward = np.array([0.0, 0.0, 1.0])  # z is forward, y is up

# With `root`, target and result are in world coordinates. The pole is a direction, not a point.
knee, ankle, status = twobone.reach(foot, thigh, shin, pole=forward, root=hip)
print("knee ", knee.round(3), " ankle", ankle.round(3), " ", twobone.Status(status).name)
print(f"thigh {np.linalg.norm(knee - hip):.3f}, shin {np.linalg.norm(ankle - knee):.3f}")

# With side=-1 the knee bends away from the pole, like that of a bird.
knee = twobone.reach(foot, thigh, shin, pole=forward, root=hip, side=-1).joint
print("knee of a bird", knee.round(3))

# The pole need not be perpendicular to the leg or of length 1. If it is parallel to the leg, any
# bending direction would do: the status is AMBIGUOUS.
for pole in ([0.0, 0.0, 5.0], [0.0, 0.5, 0.5], foot - hip):
    knee, _, status = twobone.reach(foot, thigh, shin, pole=pole, root=hip)
    print("pole", np.round(pole, 2), "knee", knee.round(3), twobone.Status(status).name)
