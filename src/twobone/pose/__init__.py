"""Skeletons, their poses, and limbs solved by two-bone inverse kinematics."""

from twobone.pose.aiming import Aim, correct_aim
from twobone.pose.corrections import Correction, correct_limb
from twobone.pose.limb import Controls, Limb, Posed
from twobone.pose.skeleton import GlobalPose, LocalPose, Skeleton

__all__ = [
    "Aim",
    "Controls",
    "Correction",
    "GlobalPose",
    "Limb",
    "LocalPose",
    "Posed",
    "Skeleton",
    "correct_aim",
    "correct_limb",
]
