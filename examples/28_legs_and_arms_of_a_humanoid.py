"""Solve the legs and arms of a humanoid: poses, branches, swivel angles and their ranges."""

import math
from pathlib import Path

import numpy as np

from twobone import Status, robots

DOWN = [0.0, 0.0, 0.0, 1.0]  # as all links are while all angles are 0: x, y, z, w
robot = robots.read_urdf(Path(__file__).parent / "human.urdf")

# A leg of six joints: where the foot is, and how it is rotated.
rest = {"left_hip_yaw": 0, "left_hip_roll": 0, "left_hip_pitch": -0.4, "left_knee": 0.8}
leg = robot.pose_limb("left_foot", rest=rest | {"left_ankle_pitch": -0.4, "left_ankle_roll": 0})
turned = [0.0, 0.0, math.sin(0.2), math.cos(0.2)]  # by 0.4 radians about z
answer = leg.reach([0.1, 0.12, -0.8], turned)
print("leg:", answer.angles.round(3) + 0.0, Status(int(answer.status)).name, answer.within)
found = leg.solve_all([0.1, 0.12, -0.8], turned)
for name, within in zip(leg.branch_names, found.within, strict=True):
    print("  ", name, "(within limits)" if within else "")

# A squat of 1,000 frames in one call, and the velocities of its joints.
heights = -0.85 + 0.2 * np.sin(np.linspace(0.0, math.pi, 1000))
feet = np.stack([np.full(1000, 0.02), np.full(1000, 0.1), heights], axis=-1)
squat = leg.reach(feet, DOWN)
print("squat:", f"{(squat.status == Status.REACHED).sum()} of 1000 reached")
speeds = leg.velocity(squat.angles[500], [0.0, 0.0, 0.1, 0.0, 0.0, 0.0])
print("       knee at 0.1 m/s:", round(float(speeds[3]), 3), "rad/s")

# An arm of seven joints: the elbow is free to move about the line from shoulder to wrist.
arm = robot.redundant_limb("left_hand", "waist_yaw_link", rest=[0.2, 1.5, 0.0, -1.2, 0.0, 0.0, 0.0])
pose = [0.25, 0.25, 0.1], [0.0, -math.sqrt(0.5), 0.0, math.sqrt(0.5)]
for name, answer in {
    "as at rest": arm.reach(*pose),
    "swivel 0.5": arm.reach(*pose, swivel=0.5),
    "elbow to the side": arm.reach(*pose, elbow=[0.0, 1.0, 0.2]),
    "within limits": arm.reach(*pose, swivel="limits"),
}.items():
    swivel = float(arm.swivel(answer.angles))
    print(f"arm, {name}: swivel {swivel:.3f},", "within" if answer.within else "beyond", "limits")
ranges = arm.swivel_ranges(*pose)
print("ranges of the swivel angle:", ranges[~np.isnan(ranges)].reshape(-1, 2).round(3).tolist())
