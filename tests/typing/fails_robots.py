# pyright: strict
"""What is wrong with robots: a checker must say so of each line marked, and of no other."""

from __future__ import annotations

from twobone import robots
from twobone.files.robot_walks import write_robot_walk

robot = robots.read_urdf("go2.urdf")
leg = robot.leg("FR_foot")
arm = robot.arm("gripper")
limb = robot.limb("FR_foot")

robots.read_urdf(3)  # error
robot.limb()  # error
robot.limb(3)  # error
robot.foot("FR_foot")  # error
robot.leg("FR_foot", rest=0.9)  # error
leg.solve()  # error
leg.solve([0.2, -0.14, -0.3], pitch=0.0)  # error
leg.reach([0.2, -0.14, -0.3], limits="clip")  # error
leg.solve_xyz(0.2, -0.14)  # error
leg.solve_xyz("0.2", -0.14, -0.3)  # error
leg.pitch([0.0, 0.9, -1.8])  # error
leg.angles  # error
arm.solve([0.2, 0.1, 0.0])  # error
arm.solve_xyz(0.2, 0.1, 0.0)  # error
limb.solve([0.2, 0.1, 0.0])  # error
limb.pitch([0.0, 0.0])  # error
robots.walk(robot)  # error
robots.walk("go2.urdf", [0.0, 0.9, -1.8])  # error
robots.walk(robot, [0.0, 0.9, -1.8], terrain="sea")  # error
write_robot_walk("walk.csv", leg)  # error
