"""Two-bone inverse kinematics by vector geometry: two bones, a target, where is the joint?"""

import importlib
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from twobone.pose import (
        Aim,
        Branch,
        Controls,
        Correction,
        GlobalPose,
        Limb,
        LocalPose,
        Posed,
        Skeleton,
        correct_aim,
        correct_limb,
        follow_branch,
        nearest_branch,
    )

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


def __getattr__(name):
    """Open the room `pose` when something of it is asked for: most who import need none of it."""
    if name == "pose" or name in __all__:
        pose = importlib.import_module("twobone.pose")
        return pose if name == "pose" else getattr(pose, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
