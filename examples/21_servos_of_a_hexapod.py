"""Let a hexapod walk, and turn its angles into the pulses of hobby servos, 50 times a second."""

import math
import tempfile
from pathlib import Path

import numpy as np

from twobone import robots

JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>
<origin xyz="{4}" rpy="0 0 {5}"/><axis xyz="{6}"/><limit lower="-1.4" upper="1.4"/></joint>"""


def leg(i):
    """Return the joints of one of six legs around the body: coxa, femur and tibia."""
    turn = math.pi / 6 + i * math.pi / 3
    names = ["body", *(f"{part}{i}" for part in ("coxa", "femur", "tibia", "foot"))]
    hip = f"{0.09 * math.cos(turn)} {0.09 * math.sin(turn)} 0"
    rows = [(hip, turn, "0 0 1"), ("0.05 0 0", 0, "0 1 0"), ("0.07 0 0", 0, "0 1 0")]
    rows.append(("0.005 0 -0.11", 0, "1 0 0"))  # the tibia points down while the angle is 0
    text = "".join(f'<link name="{name}"/>' for name in names[1:])
    for joint, *ends in zip(rows, names, names[1:], strict=False):
        kind = "fixed" if ends[1].startswith("foot") else "revolute"
        text += JOINT.format(f"to_{ends[1]}", kind, *ends, *joint)
    return text


robot = robots.read_urdf(f'<robot><link name="body"/>{"".join(map(leg, range(6)))}</robot>')
walk = robots.walk(robot, [0.0, -0.3, 0.3], seconds=5.0, fps=50, speed=0.08, lead_in=1.0)
direction = np.where([name.startswith("to_coxa") for name in walk.joint_names], -1.0, 1.0)
pulses = 1500.0 + direction * walk.angles * (1000.0 / (math.pi / 2))  # microseconds
fastest = np.abs(np.diff(walk.angles, axis=0)).max() * 50.0
print(f"{walk.base_position[-1, 0]:.2f} m in {walk.time[-1]:g} s; within:", walk.within.all())
print(f"pulses from {pulses.min():.0f} to {pulses.max():.0f} us; fastest {fastest:.1f} rad/s")
path = Path(tempfile.mkdtemp()) / "pulses.csv"
header = ",".join(walk.joint_names)
np.savetxt(path, pulses, fmt="%.0f", delimiter=",", header=header, comments="")
print(len(pulses), "rows in", path)
