"""Two-bone inverse kinematics by vector geometry: two bones, a target, where is the joint?"""

from twobone.core.engine import engine
from twobone.core.policies import Limits, Policy, Soft, Status, Stretch
from twobone.core.solver import Reach, reach, solve, solve_both, solve_xy, solve_xyz
from twobone.errors import (
    ArrayTypeError,
    PolicyError,
    ShapeError,
    TableError,
    TwoBoneError,
    UnreachableError,
)

__all__ = [
    "ArrayTypeError",
    "Limits",
    "Policy",
    "PolicyError",
    "Reach",
    "ShapeError",
    "Soft",
    "Status",
    "Stretch",
    "TableError",
    "TwoBoneError",
    "UnreachableError",
    "engine",
    "reach",
    "solve",
    "solve_both",
    "solve_xy",
    "solve_xyz",
]
__version__ = "0.1.0"
