"""Two-bone inverse kinematics in closed form: given two bones and a target, find the joint."""

from twobone import starting  # noqa: F401  (must run before NumPy is imported)

# isort: split
import importlib
import typing

from twobone.core.engine import engine
from twobone.core.policies import Limits, Policy, Soft, Status, Stretch, Unreachable
from twobone.core.solver import Reach, reach, solve, solve_both, solve_xy, solve_xyz
from twobone.errors import (
    ArrayTypeError,
    ClipError,
    CreatureError,
    EngineError,
    FileError,
    LimitsError,
    MissingError,
    PageError,
    PolicyError,
    PoseError,
    RobotError,
    ShapeError,
    TwoBoneError,
    UnreachableError,
)

if typing.TYPE_CHECKING:
    from twobone import motion as motion
    from twobone import pose as pose
    from twobone import robots as robots
    from twobone import rotations as rotations
    from twobone.core.branches import Branch, follow_branch, nearest_branch
    from twobone.play import Page, play
    from twobone.pose import (
        Aim,
        Controls,
        Correction,
        GlobalPose,
        Limb,
        LocalPose,
        Posed,
        Skeleton,
        correct_aim,
        correct_limb,
    )

__all__ = [
    "Aim",
    "ArrayTypeError",
    "Branch",
    "ClipError",
    "Controls",
    "Correction",
    "CreatureError",
    "EngineError",
    "FileError",
    "GlobalPose",
    "Limb",
    "Limits",
    "LimitsError",
    "LocalPose",
    "MissingError",
    "Page",
    "PageError",
    "Policy",
    "PolicyError",
    "PoseError",
    "Posed",
    "Reach",
    "RobotError",
    "ShapeError",
    "Skeleton",
    "Soft",
    "Status",
    "Stretch",
    "TwoBoneError",
    "Unreachable",
    "UnreachableError",
    "correct_aim",
    "correct_limb",
    "engine",
    "follow_branch",
    "nearest_branch",
    "play",
    "reach",
    "solve",
    "solve_both",
    "solve_xy",
    "solve_xyz",
]
__version__ = "0.1.0"
_ROOM_OF = {  # where names that are imported on first use are defined, if not in `pose`
    "Branch": "core.branches",
    "Page": "play",
    "follow_branch": "core.branches",
    "nearest_branch": "core.branches",
}


# unreached: types
if not typing.TYPE_CHECKING:  # with `__getattr__`, type checkers would accept any misspelt name

    def __getattr__(name):
        """Import a subpackage when one of its names is first used: `import twobone` stays fast."""
        if name in ("motion", "play", "pose", "robots", "rotations"):
            return importlib.import_module(f"twobone.{name}")
        if name in __all__:
            room = importlib.import_module(f"twobone.{_ROOM_OF.get(name, 'pose')}")
            return getattr(room, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
