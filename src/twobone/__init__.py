"""Two-bone inverse kinematics by vector geometry: two bones, a target, where is the joint?"""

from twobone.core.engine import engine
from twobone.core.policies import Limits, Policy, Soft, Status, Stretch
from twobone.core.solver import Reach, reach, solve, solve_both, solve_xy, solve_xyz
from twobone.errors import (
    ArrayTypeError,
    PolicyError,
    PoseError,
    ShapeError,
    TableError,
    TwoBoneError,
    UnreachableError,
)
from twobone.pose.aiming import Aim, correct_aim
from twobone.pose.branches import Branch, follow_branch, nearest_branch
from twobone.pose.corrections import Correction, correct_limb
from twobone.pose.limb import Controls, Limb, Posed
from twobone.pose.skeleton import GlobalPose, LocalPose, Skeleton

__all__ = [
    "Aim",
    "ArrayTypeError",
    "Branch",
    "Controls",
    "Correction",
    "GlobalPose",
    "Limb",
    "Limits",
    "LocalPose",
    "Policy",
    "PolicyError",
    "PoseError",
    "Posed",
    "Reach",
    "ShapeError",
    "Skeleton",
    "Soft",
    "Status",
    "Stretch",
    "TableError",
    "TwoBoneError",
    "UnreachableError",
    "correct_aim",
    "correct_limb",
    "engine",
    "follow_branch",
    "nearest_branch",
    "reach",
    "solve",
    "solve_both",
    "solve_xy",
    "solve_xyz",
]
__version__ = "0.1.0"
