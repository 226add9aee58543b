"""Robots: legs and small arms of URDF files, solved in closed form, in radians and metres."""

from twobone.robots.limb import Answer, Arm, Leg, Solutions
from twobone.robots.mujoco import from_mujoco
from twobone.robots.robot import Robot, read_urdf

__all__ = ["Answer", "Arm", "Leg", "Robot", "Solutions", "from_mujoco", "read_urdf"]
