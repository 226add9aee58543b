"""Robots: legs and small arms of URDF files, solved in closed form, and walks on such legs."""

from twobone.files.robot_walks import RobotWalk
from twobone.robots.limb import Answer, Arm, Leg, Solutions
from twobone.robots.mujoco import from_mujoco
from twobone.robots.robot import Robot, read_urdf
from twobone.robots.walking import walk

__all__ = [
    "Answer",
    "Arm",
    "Leg",
    "Robot",
    "RobotWalk",
    "Solutions",
    "from_mujoco",
    "read_urdf",
    "walk",
]
