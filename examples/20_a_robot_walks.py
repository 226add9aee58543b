"""Let a robot walk, and write the angles of its joints as a table."""

import tempfile
from pathlib import Path

from twobone import robots
from twobone.files.robot_walks import write_robot_walk

JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>
<origin xyz="{4}"/><axis xyz="{5}"/><limit lower="{6}" upper="{7}"/></joint>"""


def leg(name, x, y):
    """Return the joints of one leg, as text."""
    links = ["base", *(f"{name}_{part}" for part in ("hip", "thigh", "calf", "foot"))]
    rows = [
        (f"{name}_abduct", "revolute", f"{x} {0.3 * y} 0", "1 0 0", -1.05, 1.05),
        (f"{name}_swing", "revolute", f"0 {0.7 * y} 0", "0 1 0", -1.57, 3.49),
        (f"{name}_knee", "revolute", "0 0 -0.213", "0 1 0", -2.72, -0.84),
        (f"{name}_end", "fixed", "0 0 -0.213", "1 0 0", 0, 0),
    ]
    text = "".join(f'<link name="{link}"/>' for link in links[1:])
    for row, *ends in zip(rows, links, links[1:], strict=False):
        text += JOINT.format(*row[:2], *ends, *row[2:])
    return text


corners = {"FL": (0.19, 0.14), "FR": (0.19, -0.14), "RL": (-0.19, 0.14), "RR": (-0.19, -0.14)}
legs = "".join(leg(name, *place) for name, place in corners.items())
robot = robots.read_urdf(f'<robot name="dog"><link name="base"/>{legs}</robot>')  # or a file
rest = [0.0, 0.9, -1.8]  # the angles of each leg in which the robot stands
walk = robots.walk(robot, rest, seconds=6.0, speed=0.05)
print(f"{walk.base_position[-1, 0]:.2f} m in {walk.time[-1]:g} s")
print("all feet reached:", not walk.status.any(), "within limits:", bool(walk.within.all()))
print("feet on the ground, at least:", walk.stance.sum(axis=1).min())
path = Path(tempfile.mkdtemp()) / "walk.csv"
write_robot_walk(path, walk)
print("written:", path)
