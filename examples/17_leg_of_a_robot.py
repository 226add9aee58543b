"""Read a robot leg from its URDF file and solve it: all branches, limits, and a 1 kHz loop."""

import math
import time

import twobone
from twobone import robots

JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>
<origin xyz="{4}"/><axis xyz="{5}"/><limit lower="{6}" upper="{7}"/></joint>"""
JOINTS = [
    ("hip", "revolute", "base", "hip_link", "0.19 -0.05 0", "1 0 0", -1.05, 1.05),
    ("thigh", "revolute", "hip_link", "thigh_link", "0 -0.1 0", "0 1 0", -1.57, 3.49),
    ("calf", "revolute", "thigh_link", "calf_link", "0 0 -0.213", "0 1 0", -2.72, -0.84),
    ("ankle", "fixed", "calf_link", "foot", "0 0 -0.213", "1 0 0", 0, 0),
]
LINKS = "".join(f'<link name="{name}"/>' for name in ["base", *(joint[3] for joint in JOINTS)])
URDF = f"<robot>{LINKS}{''.join(JOINT.format(*joint) for joint in JOINTS)}</robot>"

leg = robots.read_urdf(URDF).leg("foot")  # or robots.read_urdf("go2.urdf").leg("FR_foot")
print(leg)
answer = leg.reach([0.2, -0.15, -0.3])
print("angles:", answer.angles.round(4), twobone.Status(int(answer.status)).name)
print("foot:  ", answer.end.round(4))
found = leg.solve_all([0.2, -0.15, -0.3])
for angles, within in zip(found.angles, found.within, strict=True):
    print("  branch", angles.round(3), "within limits" if within else "")

# Below the foot's reach: the knee can bend by no less than 0.84. All joints stay within limits.
below = [0.2, -0.15, -0.5]
answer = leg.reach(below, limits="clamp")
print("nearest:", answer.angles.round(3), f"misses by {math.dist(answer.end, below):.3f} m")

# One second of a control loop at 1 kHz, in Python floats, without waiting between its steps.
started = time.perf_counter()
for step in range(1000):
    phase = 2.0 * math.pi * step / 1000
    angles = leg.solve_xyz(0.2 + 0.05 * math.cos(phase), -0.15, -0.3 + 0.03 * math.sin(phase))
print(f"1000 steps in {1e3 * (time.perf_counter() - started):.1f} ms; last {angles[2]:.4f}")
