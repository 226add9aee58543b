"""Pick things up with a desk arm of five joints: a point, the gripper down, and its roll."""

import math

from twobone import Status, robots

JOINT = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/>'
JOINT += '<origin xyz="{3}"/><axis xyz="{4}"/><limit lower="{5}" upper="{6}"/></joint>'
LINKS = ("base", "shoulder", "upper", "lower", "hand", "gripper", "tip")
text = "".join(f'<link name="{name}"/>' for name in LINKS)
text += JOINT.format("pan", "base", "shoulder", "0 0 0.06", "0 0 1", -1.9, 1.9)
text += JOINT.format("lift", "shoulder", "upper", "0.03 0 0.05", "0 -1 0", -1.7, 1.7)
text += JOINT.format("elbow", "upper", "lower", "0 0 0.116", "0 -1 0", -3.0, 0.2)
text += JOINT.format("wrist", "lower", "hand", "0 0 0.135", "0 -1 0", -1.9, 1.9)
text += JOINT.format("roll", "hand", "gripper", "0 0 0.06", "0 0 1", -2.7, 2.8)
text += JOINT.format("grip", "gripper", "tip", "0 0 0.1", "0 0 1", 0, 0).replace(
    "revolute", "fixed"
)
arm = robots.read_urdf(f"<robot>{text}</robot>").arm("tip", rest=[0.0, -0.3, -1.2, -1.6, 0.0])
print(arm)

for x, y in ((0.2, 0.0), (0.2, 0.1), (0.15, -0.12), (0.5, 0.0)):
    answer = arm.reach([x, y, 0.02], pitch=-math.pi / 2, roll=0.4)
    state = Status(int(answer.status)).name + ("" if answer.within else ", not within limits")
    print((x, y), answer.angles.round(3), f"{math.degrees(arm.pitch(answer.angles)):.1f}", state)
