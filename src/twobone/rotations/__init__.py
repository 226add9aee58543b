"""Rotations: unit quaternions (xyzw), matrices, rotation vectors, Euler and hinge angles."""

from twobone.rotations.conversions import (
    matrix_to_quaternion,
    quaternion_to_matrix,
    quaternion_to_rotation_vector,
    rotation_vector_to_quaternion,
)
from twobone.rotations.euler import euler_to_quaternion, quaternion_to_euler
from twobone.rotations.hinge import angle_about, clamp_angle
from twobone.rotations.operations import (
    TwistSwing,
    frame,
    inverse,
    look_at,
    multiply,
    nlerp,
    normalize,
    rotate,
    shortest_arc,
    slerp,
    twist_swing,
)

__all__ = [
    "TwistSwing",
    "angle_about",
    "clamp_angle",
    "euler_to_quaternion",
    "frame",
    "inverse",
    "look_at",
    "matrix_to_quaternion",
    "multiply",
    "nlerp",
    "normalize",
    "quaternion_to_euler",
    "quaternion_to_matrix",
    "quaternion_to_rotation_vector",
    "rotate",
    "rotation_vector_to_quaternion",
    "shortest_arc",
    "slerp",
    "twist_swing",
]
