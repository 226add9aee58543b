"""PyTorch: tensors in, tensors out."""

from __future__ import annotations

from typing import assert_type

import numpy as np
import torch
from torch import Tensor

import twobone
from twobone import rotations
from twobone.pose import GlobalPose, LocalPose, Skeleton

target = torch.tensor([1.0, 1.0], requires_grad=True)
far = torch.ones(5, 3)
length = torch.tensor(1.0)
up = np.array([0.0, 0.0, 1.0])

assert_type(twobone.solve(target, 1.0, 1.0), Tensor)
assert_type(twobone.solve(target, length, 1, side=-1, unreachable=twobone.Soft(0.1)), Tensor)
assert_type(twobone.solve(target, 1, 1, unreachable=twobone.Soft(length)), Tensor)
assert_type(twobone.solve(far, 1.0, 1.0, pole=[0.0, 0.0, 1.0]), Tensor)
assert_type(twobone.solve(far, 1.0, 1.0, pole=up), Tensor)
assert_type(twobone.solve(far, [1.0], np.ones(5), pole=far), Tensor)
assert_type(twobone.solve([length, length], 1.0, 1.0), Tensor)
assert_type(twobone.solve([1.0, 1.0], length, length, out=None), Tensor)
assert_type(twobone.solve([1.0, 1.0], 1.0, length), Tensor)
assert_type(twobone.reach([1.0, 1.0], 1.0, 1.0, root=target).end, Tensor)
assert_type(twobone.solve(up, 1.0, 1.0, pole=torch.ones(3)), Tensor)
assert_type(twobone.solve_both(target, 1.0, 1.0), Tensor)
found = twobone.reach(target, 1.0, 1.0, root=[0.0, 1.0])
assert_type(found, twobone.Reach[Tensor, Tensor])
assert_type(found.joint, Tensor)
joint, end, status = found
assert_type(status, Tensor)
assert_type(twobone.Status(status), twobone.Status)
learnt: Tensor = twobone.solve([1.0, 1.0], torch.nn.Parameter(length), 1.0)


def elbow(hand: Tensor) -> Tensor:
    """Return what a function of one's own says it does."""
    return twobone.solve(hand, length, 1.0)


assert_type(torch.vmap(elbow)(far), Tensor)

# --- limbs of skeletons -------------------------------------------------------------------

skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
leg = twobone.Limb(skeleton, 0, 1, 2)
rest = LocalPose(torch.tensor(skeleton.rotations))
foot = torch.tensor([0.0, 0.1, 0.1], dtype=torch.float64)
assert_type(rest, LocalPose[Tensor])
posed = leg.reach(rest, foot, pole=foot, unreachable=twobone.Soft(0.05))
assert_type(posed.pose, LocalPose[Tensor])
assert_type(posed.pose.rotations, Tensor)
assert_type(posed.status, Tensor)
assert_type(posed.transported, Tensor)
assert_type(leg.reach(rest, [0.0, 0.1, 0.1]).pose, LocalPose[Tensor])
assert_type(leg.reach(LocalPose(skeleton.rotations), foot).pose, LocalPose[Tensor])
assert_type(skeleton.to_global(posed.pose), GlobalPose[Tensor])
assert_type(leg.reach(skeleton.to_global(rest), foot, bend="rest").pose, GlobalPose[Tensor])
assert_type(leg.reach(skeleton.rest, foot).pose, GlobalPose[Tensor])
assert_type(leg.controls(rest).target, Tensor)

eye = torch.eye(4)
assert_type(twobone.correct_limb(eye, eye, eye, [2.0, 0.0, 0.0], mid_axis=[0, 0, 1]).start, Tensor)
assert_type(twobone.correct_limb(np.eye(4), eye, eye, foot, mid_axis=foot).status, Tensor)
assert_type(twobone.correct_aim(eye, [1.0, 0.0, 0.0], forward=[0, 0, 1]).correction, Tensor)
assert_type(twobone.correct_aim(np.eye(4), direction=foot, forward=up).status, Tensor)
assert_type(twobone.correct_aim(np.eye(4), foot, forward=up).correction, Tensor)
assert_type(twobone.nearest_branch(far, [0.9, 0.1]).side, Tensor)
assert_type(twobone.follow_branch(far).joint, Tensor)

assert_type(rotations.multiply(far, [0.0, 0.0, 0.0, 1.0]), Tensor)
assert_type(rotations.rotate([0.0, 0.0, 0.0, 1.0], far), Tensor)
assert_type(rotations.normalize(far), Tensor)
assert_type(rotations.slerp(far, far, torch.rand(5)), Tensor)
assert_type(rotations.twist_swing(far, far), rotations.TwistSwing[Tensor])
assert_type(rotations.quaternion_to_matrix(far), Tensor)
assert_type(rotations.angle_about([0, 0, 1], far, far), Tensor)
assert_type(rotations.clamp_angle(far, 0.0, 2.0), Tensor)
