"""Pick things up with an arm like the SO-101: points on the desk, the gripper down, servo steps.

The measures are approximate. Zeros and directions of the joints are those of this file: for a real
arm, read its own URDF file, and calibrate the servos so that their middle is the angle 0.
"""

import math

from twobone import Status, robots

JOINT = '<joint name="{0}" type="{1}"><parent link="{0}"/><child link="{2}"/>'
JOINT += '<origin xyz="{3}"/><axis xyz="{4}"/><limit lower="{5}" upper="{6}"/></joint>'
JOINTS = [  # the upper arm points up at zero, the forearm and the gripper forward
    ("pan", "revolute", "lift", "0.039 0 0.062", "0 0 1", -1.92, 1.92),
    ("lift", "revolute", "elbow", "0.030 0.018 0.054", "0 1 0", -1.75, 1.75),
    ("elbow", "revolute", "wrist", "0.028 0 0.113", "0 1 0", -1.69, 1.69),
    ("wrist", "revolute", "roll", "0.135 0 0.005", "0 1 0", -1.66, 1.66),
    ("roll", "revolute", "gripper", "0.061 -0.018 0", "1 0 0", -2.74, 2.84),
    ("gripper", "fixed", "tip", "0.098 0 0", "1 0 0", 0, 0),
]
LINKS = "".join(f'<link name="{name}"/>' for name in [*(joint[0] for joint in JOINTS), "tip"])
URDF = f"<robot>{LINKS}{''.join(JOINT.format(*joint) for joint in JOINTS)}</robot>"
STEPS = 4096 / (2.0 * math.pi)  # of a servo, for each radian; 2048 is its middle

arm = robots.read_urdf(URDF).arm("tip", rest=[0.0, -0.3, 0.5, 1.2, 0.0])
print(arm)
angles = arm.rest
for place in ((0.25, 0.0, 0.07), (0.25, 0.0, 0.01), (0.22, 0.15, 0.05), (0.6, 0.0, 0.0)):
    answer = arm.reach(place, pitch=-math.pi / 2, roll=0.4, near=angles)
    if answer.status != Status.REACHED or not answer.within:
        print(place, Status(int(answer.status)).name, "within limits:", answer.within)
        continue
    angles, pitch = answer.angles, math.degrees(arm.pitch(answer.angles))
    print(place, f"pitch {pitch:.1f}, servos", (2048 + STEPS * angles).round().astype(int))
