# pyright: strict
"""What is wrong with limbs: a checker must say so of each line marked, and of no other."""

from __future__ import annotations

import numpy as np

import twobone
from twobone import pose, rotations
from twobone.pose import GlobalPose, LocalPose, Skeleton

skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
local = LocalPose(skeleton.rotations)
leg = twobone.Limb(skeleton, 0, 1, 2)
goal = [0.0, 0.3, 0.2]

Skeleton(["hips"], [[0, 1, 0]])  # error
Skeleton([-1], "up")  # error
Skeleton([-1], [[0, 1, 0]], names=[1])  # error
twobone.Limb("skeleton", 0, 1, 2)  # error
twobone.Limb(skeleton, 0, 1)  # error
twobone.Limb(skeleton, 0.5, 1, 2)  # error
twobone.Limb(skeleton, 0, 1, 2, limits="all")  # error
twobone.Limb(skeleton, 0, 1, 2, twist={"shin": "half"})  # error
twobone.Limb(skeleton, 0, 1, 2, twst={"shin": 0.5})  # error

leg.reach(local)  # error
leg.reach(skeleton.rotations, goal)  # error
leg.reach(local, "there")  # error
leg.reach(local, goal, bend="carrry")  # error
leg.reach(local, goal, end_rotation="word")  # error
leg.reach(local, goal, unreachable="strech")  # error
leg.reach(local, goal, pole="forward")  # error
leg.reach(local, goal, pol=[0.0, 0.0, 1.0])  # error
leg.reach(local, goal, position_weight="half")  # error
leg.reach(local, goal, before=local)  # error
leg.reach(local, goal).pose.positions  # error
leg.reach(skeleton.rest, goal).pose.translations  # error
world: GlobalPose = leg.reach(local, goal).pose  # error
leg.controls(skeleton)  # error
leg.reech(local, goal)  # error

skeleton.to_global(skeleton.rest)  # error
skeleton.to_local(local)  # error
skeleton.index(None)  # error
LocalPose()  # error
LocalPose(skeleton.rotations).rotation  # error

eye = np.eye(4)
twobone.correct_limb(eye, eye, eye)  # error
twobone.correct_limb(eye, eye, "eye", goal, mid_axis=goal)  # error
twobone.correct_limb(eye, eye, eye, goal, mid_axis=goal, unreachable="far")  # error
twobone.correct_limb(eye, eye, eye, goal, mid_axis=goal).end  # error
twobone.correct_aim(eye, goal)  # error
twobone.correct_aim(eye, goal, forward="z")  # error
twobone.nearest_branch(goal)  # error
twobone.follow_branch(eye, hysteresis="some")  # error

rotations.multiply(eye)  # error
rotations.multiply("p", "q")  # error
rotations.rotate(eye, None)  # error
rotations.slerp(eye, eye)  # error
rotations.look_at(goal, goal, foward=goal)  # error
rotations.clamp_angle("2.5")  # error
rotations.angle_about(goal, goal, {})  # error
pose.multiplied(eye, eye)  # error
