"""Limbs of real robots: which are solved, and whether Pinocchio and MuJoCo see the same tips.

`python benchmarks/robot_limbs.py LIMBS.csv FOLDER` takes a table with the columns `class`,
`package_file`, `base` and `tip`, and a folder into which the packages of the files have been
unpacked. For each limb it draws poses within limits, lets Pinocchio compute where they put the tip,
and solves for that. It counts the poses that are among the branches again, and those for which
`reach` finds angles within limits; then both programs compute where these angles put the tip.
"""

import argparse
import collections
import csv
import itertools
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pinocchio
import recorded

from twobone import RobotError, Status, robots

POSES, IN_MUJOCO = 2000, 200
SAME = 1e-5  # radians: two poses of a rounded file that are one
OTHERS = ("2R crossed", "3R spherical", "3R other", "4R other", "5R other")  # necks, torsos, thumbs
MASS = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"


class Pinocchio:
    """Kinematics of a file by Pinocchio."""

    def __init__(self, path, limb):
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.frames = [self.model.getFrameId(name) for name in (limb.base, limb.tip)]
        joints = [self.model.joints[self.model.getJointId(name)] for name in limb.joint_names]
        self.places = [(joint.idx_q, joint.nq) for joint in joints]

    def tip(self, angles):
        """Return the position and the rotation of the tip in the axes of the base."""
        q = pinocchio.neutral(self.model)
        for (at, count), angle in zip(self.places, angles, strict=True):
            q[at : at + count] = [angle] if count == 1 else [np.cos(angle), np.sin(angle)]
        pinocchio.framesForwardKinematics(self.model, self.data, q)
        base, tip = (self.data.oMf[frame] for frame in self.frames)
        found = base.inverse() * tip
        return found.translation.copy(), found.rotation.copy()


class MuJoCo:
    """Kinematics of a file by MuJoCo, without meshes, each link with some mass."""

    def __init__(self, path, limb):
        text = path.read_text(encoding="utf-8", errors="replace")
        root = ET.fromstring(
            re.sub(r"([\s<]/?)\w+:(?=\w)", r"\1", text)
        )  # prefixes need not be declared
        for each in [*root.findall("transmission"), *root.findall("gazebo")]:
            root.remove(each)
        for link in root.findall("link"):
            for part in [*link.findall("visual"), *link.findall("collision")]:
                link.remove(part)
            for part in link.findall("inertial"):
                link.remove(part)
            link.append(ET.fromstring(f"{MASS}</inertial>"))
        for joint in root.findall("joint"):
            for part in joint.findall("mimic"):
                joint.remove(part)
            if joint.get("type") == "floating":  # MuJoCo has them at the world alone
                joint.set("type", "fixed")
        ET.SubElement(ET.SubElement(root, "mujoco"), "compiler", fusestatic="false")
        self.model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
        self.data = mujoco.MjData(self.model)
        children = {each.find("child").get("link") for each in root.findall("joint")}
        is_root = limb.base not in children  # which MuJoCo merges with the world
        self.ends = [0 if is_root else self.model.body(limb.base).id, self.model.body(limb.tip).id]
        self.places = [self.model.joint(name).qposadr[0] for name in limb.joint_names]

    def tip(self, angles):
        """Return the position and the rotation of the tip in the axes of the base."""
        self.data.qpos[:] = self.model.qpos0
        self.data.qpos[self.places] = angles
        mujoco.mj_kinematics(self.model, self.data)
        p, q = (self.data.xpos[each] for each in self.ends)
        base, tip = (self.data.xmat[each].reshape(3, 3) for each in self.ends)
        return base.T @ (q - p), base.T @ tip


def file_of(folder, name):
    """Return the path of a file, wherever below the folder its package is."""
    parts = Path(name).parts
    return max(folder.rglob(parts[-1]), key=lambda path: _shared(path.parts, parts), default=None)


def _shared(one, two):
    """Return how many of the last parts of two paths are the same."""
    pairs = zip(reversed(one), reversed(two), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def limb_of(path, base, tip):
    """Return a limb, and how it was made."""
    robot = robots.read_urdf(path)
    try:
        return robot.limb(tip, base=base), "closed form"
    except RobotError:
        try:
            return robot.limb(tip, base=base, approximate=True), "approximate"
        except RobotError:
            return None, "refused"


def solved(limb, tips, angles):
    """Return all branches, and the answer nearest to the angles."""
    position, rotation = (np.array(part) for part in zip(*tips, strict=True))
    given, more = (position, rotation), {}
    if isinstance(limb, robots.Leg):
        given = (position,)
    elif isinstance(limb, robots.Arm):
        given, more = (position,), {"pitch": limb.pitch(angles)}
        if len(limb.joint_names) == 5:
            more["roll"] = angles[:, -1]
    elif isinstance(limb, robots.RedundantLimb):
        more["swivel"] = limb.swivel(angles)
    return limb.solve_all(*given, **more), limb.reach(*given, **more, near=angles)


def measured(path, limb):
    """Return what is measured of one limb."""
    count = len(limb.joint_names)
    ranges = limb.limits.clip(-np.pi, np.pi)
    angles = np.random.default_rng(0).uniform(*ranges.T, (POSES, count))
    pin = Pinocchio(path, limb)
    tips = [pin.tip(each) for each in angles]
    every, best = solved(limb, tips, angles)
    away = np.abs((every.angles - angles[:, None] + np.pi) % (2.0 * np.pi) - np.pi).max(-1)
    away[~_reached(every.status)] = np.inf
    found = _reached(best.status)
    row = {"generating": float((away.min(-1) < SAME).mean())}
    row["within"] = float((found & best.within).mean())
    rows = np.flatnonzero(found)
    for name, program, some in (
        ("pinocchio", pin, rows),
        ("mujoco", MuJoCo(path, limb), rows[:IN_MUJOCO]),
    ):
        pairs = [(*program.tip(best.angles[i]), *tips[i]) for i in some]
        row[name] = {"position": max(float(np.linalg.norm(p - q)) for p, _, q, _ in pairs)}
        if not isinstance(limb, robots.Leg | robots.Arm):
            row[name]["rotation"] = max(float(np.abs(a - b).max()) for _, a, _, b in pairs)
    return row


def _reached(status):
    return (status == Status.REACHED) | (status == Status.AMBIGUOUS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("limbs", type=Path, help="the table of limbs")
    parser.add_argument("folder", type=Path, help="where the files are")
    recorded.option(parser)
    chosen = parser.parse_args()
    with chosen.limbs.open(newline="", encoding="utf-8") as file:
        lines = [each for each in csv.DictReader(file) if not each["class"].startswith(OTHERS)]
    rows = []
    for each in lines:
        path = file_of(chosen.folder, each["package_file"])
        if path is None:
            sys.exit(f"{each['package_file']} is not in {chosen.folder}.")
        limb, made = limb_of(path, each["base"], each["tip"])
        row = {"class": each["class"], "file": path.name, "tip": each["tip"], "made": made}
        if limb is not None:
            gap = getattr(limb, "gap", 0.0)
            row |= {"gap": gap, "skew": limb.skew, **measured(path, limb)}
        rows.append(row)
        print(*(f"{name}: {value}" for name, value in row.items()), sep=", ", flush=True)
    print(collections.Counter(row["made"] for row in rows))
    if chosen.json:
        about = recorded.machine(pinocchio=pinocchio.__version__, mujoco=mujoco.__version__)
        recorded.write(chosen.json, about, poses=POSES, rows=rows)


if __name__ == "__main__":
    main()
