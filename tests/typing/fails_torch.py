"""What is wrong with tensors: a checker must say so of each line marked, and of no other."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

import twobone
from twobone.pose import LocalPose, Skeleton

target = torch.ones(2)
skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
leg = twobone.Limb(skeleton, 0, 1, 2)
rest = LocalPose(torch.tensor(skeleton.rotations))

array: NDArray[np.float64] = twobone.solve(target, 1.0, 1.0)  # error
tensor: torch.Tensor = twobone.solve([1.0, 1.0], 1.0, 1.0)  # error
twobone.solve(target, None, 1.0)  # error
twobone.solve(target, "1.0", 1.0)  # error
twobone.solve(target, 1.0, 1.0, unreachable="clmap")  # error
twobone.solve(target, 1.0, 1.0, out=target)  # error
twobone.solve(target, 1.0, 1.0).joint  # error
twobone.reach(target, 1.0, 1.0).joint.nothing()  # error
leg.reach(rest, target, bend="carrry")  # error
leg.reach(rest, target).pose.positions  # error
twobone.rotations.multiply(target, None)  # error
