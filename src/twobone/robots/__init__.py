"""Robots: legs and arms of URDF files, solved in closed form, and walks on such legs."""

from twobone.files.robot_walks import RobotWalk
from twobone.robots.limb import Answer, Arm, Leg, Solutions
from twobone.robots.mujoco import from_mujoco
from twobone.robots.pose_limb import PoseLimb, TipPose
from twobone.robots.redundant_limb import RedundantLimb
from twobone.robots.robot import Robot, read_urdf
from twobone.robots.walking import walk

__all__ = [
    "Answer",
    "Arm",
    "Leg",
    "PoseLimb",
    "RedundantLimb",
    "Robot",
    "RobotWalk",
    "Solutions",
    "TipPose",
    "from_mujoco",
    "read_urdf",
    "walk",
]
