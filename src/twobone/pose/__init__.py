"""From points to rotations: turns out of vectors, and the limbs of skeletons."""

from twobone.pose.aiming import Aim, correct_aim
from twobone.pose.branches import Branch, follow_branch, nearest_branch
from twobone.pose.corrections import Correction, correct_limb
from twobone.pose.limb import Controls, Limb, Posed
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
    "correct_aim",
    "correct_limb",
    "follow_branch",
    "nearest_branch",
]
