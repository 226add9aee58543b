# pyright: strict
"""Legs and arms of robots: which of them it is must be known where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from twobone import robots
from twobone.files.robot_walks import write_robot_walk
from twobone.robots import (
    Answer,
    Arm,
    Leg,
    PoseLimb,
    RedundantLimb,
    Robot,
    RobotWalk,
    Solutions,
    TipPose,
)

Floats = NDArray[np.float64]

robot = robots.read_urdf("go2.urdf")
assert_type(robot, Robot)
assert_type(robot.links, tuple[str, ...])
assert_type(robot.limbs, Mapping[str, Leg | Arm | PoseLimb])

# --- a leg, an arm, and a limb that may be either -----------------------------------------

leg = robot.leg("FR_foot", rest=[0.0, 0.9, -1.8])
assert_type(leg, Leg)
assert_type(leg.joint_names, tuple[str, ...])
assert_type(leg.limits, Floats)
assert_type(leg.bones, tuple[float, ...])
assert_type(leg.skew, float)
assert_type(leg.reach([0.2, -0.14, -0.3], near=np.zeros(3), limits="clamp"), Answer)
assert_type(leg.solve_all(np.zeros((5, 3))), Solutions)
assert_type(leg.solve_xyz(0.2, -0.14, -0.3, branch=1), tuple[float, ...])
assert_type(leg.solve_xyz(0.2, -0.14, -0.3, "knee backward"), tuple[float, ...])
assert_type(leg.branch_names, tuple[str, ...])

arm = robot.arm("gripper", base="base", rest={"pan": 0.0}, point=(0.0, 0.0, 0.1))
assert_type(arm, Arm)
assert_type(arm.reach([0.2, 0.1, 0.0], pitch=-1.5, roll=0.3), Answer)
assert_type(arm.solve_xyz(0.2, 0.1, 0.0, -1.5), tuple[float, ...])
angle: float = arm.pitch(np.zeros(5))

limb = robot.limb("FR_foot")
assert_type(limb, Leg | Arm | PoseLimb)
assert_type(limb.tip, str)
torques: Any = leg.jacobian(limb.rest).T @ [0.0, 0.0, -40.0]
if isinstance(limb, Leg):
    tip: Floats = limb.forward_kinematics(limb.rest)
    limb.solve([0.2, -0.14, -0.3])
elif isinstance(limb, Arm):
    limb.solve([0.2, -0.14, -0.3], pitch=0.0)
else:
    limb.solve([0.2, -0.14, -0.3], [0.0, 0.0, 0.0, 1.0])

# --- limbs whose target is a pose -----------------------------------------------------------

sole = robot.pose_limb("left_sole", approximate=True)
assert_type(sole, PoseLimb)
assert_type(sole.branch_names, tuple[str, ...])
assert_type(sole.forward_kinematics(sole.rest), TipPose)
assert_type(sole.reach([0.1, 0.1, -0.8], [0.0, 0.0, 0.0, 1.0], near=sole.rest), Answer)
assert_type(sole.solve_all(np.zeros((5, 3)), np.ones((5, 4))), Solutions)
assert_type(sole.solve_pose([0.1, 0.1, -0.8], [0, 0, 0, 1], "knee forward"), tuple[float, ...])

hand = robot.redundant_limb("left_hand", base="chest")
assert_type(hand, RedundantLimb)
assert_type(hand.reach([0.1, 0.1, 0.8], [0.0, 0.0, 0.0, 1.0], swivel="limits"), Answer)
assert_type(hand.reach([0.1, 0.1, 0.8], np.eye(3), elbow=[0.0, 1.0, 0.0]), Answer)
assert_type(hand.swivel_ranges([0.1, 0.1, 0.8], [0.0, 0.0, 0.0, 1.0]), Floats)


def solved(model: Any) -> Floats:
    """Take a compiled model."""
    found = robots.from_mujoco(model, "FR_foot")
    assert_type(found, Leg | Arm | PoseLimb)
    assert isinstance(found, Leg)
    angles: Floats = found.solve([0.2, -0.14, -0.3])
    return angles


# --- walks --------------------------------------------------------------------------------

walk = robots.walk(robot, [0.0, 0.9, -1.8], seconds=4, terrain="steps", turn=0.1)
assert_type(walk, RobotWalk)
assert_type(walk.angles, Floats)
assert_type(walk.within, NDArray[np.bool])
robots.walk(robot, {"FR_foot": [0, 1, 2], "FL_foot": [0, 1, 2]}, terrain=0.1, forward="-y")
write_robot_walk(Path("walk.csv"), walk)
