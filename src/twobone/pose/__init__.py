"""From points to rotations: turns out of vectors, and the limbs of skeletons."""

from twobone.pose.aiming import Aim, correct_aim
from twobone.pose.branches import Branch, follow_branch, nearest_branch
from twobone.pose.conversions import (
    matrix_to_quaternion,
    quaternion_to_matrix,
    quaternion_to_rotation_vector,
    rotation_vector_to_quaternion,
)
from twobone.pose.corrections import Correction, correct_limb
from twobone.pose.hinge import angle_about, clamp_angle
from twobone.pose.limb import Controls, Limb, Posed
from twobone.pose.rotations import (
    TwistSwing,
    frame,
    inverse,
    look_at,
    multiply,
    nlerp,
    normalize,
    rotate,
    shortest_turn,
    slerp,
    twist_swing,
)
from twobone.pose.skeleton import GlobalPose, LocalPose, Skeleton

__all__ = [
    "Aim",
    "Branch",
    "Controls",
    "Correction",
    "GlobalPose",
    "Limb",
    "LocalPose",
    "Posed",
    "Skeleton",
    "TwistSwing",
    "angle_about",
    "clamp_angle",
    "correct_aim",
    "correct_limb",
    "follow_branch",
    "frame",
    "inverse",
    "look_at",
    "matrix_to_quaternion",
    "multiply",
    "nearest_branch",
    "nlerp",
    "normalize",
    "quaternion_to_matrix",
    "quaternion_to_rotation_vector",
    "rotate",
    "rotation_vector_to_quaternion",
    "shortest_turn",
    "slerp",
    "twist_swing",
]
