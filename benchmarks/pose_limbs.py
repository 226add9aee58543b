"""Limbs of six and seven joints: batches, one pose, swivel ranges, beside EAIK and ssik.

`python benchmarks/pose_limbs.py` takes two minutes; `--json` records it. Numbers are microseconds a
pose: all branches and `reach` in batches of 4,096, one branch in floats (`solve_pose`), one pose by
`reach`, ranges of the free angle in batches of 1,000, and both batches under `jax.jit`. Times are
those of the thread (of JAX, of all threads), so other programs disturb them little. EAIK and ssik
are measured where they are installed; both solve pose by pose.
"""

import argparse
import contextlib
import importlib
import importlib.metadata
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import recorded

from twobone import robots, rotations

ROWS, ROUNDS = 4096, 7
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><origin xyz="{4}"/>'
JOINT += '<axis xyz="{5}"/><limit lower="{6}" upper="{7}" effort="1" velocity="1"/></joint>'
LIMBS = {  # offset and axis of each joint, then the tip
    "leg of a humanoid": (
        ("0 0.085 -0.27", "0 0 1"),
        ("0 0 0", "1 0 0"),
        ("0 0 0", "0 1 0"),
        ("0 0 -0.38", "0 1 0"),
        ("0 0 -0.325", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0 0 -0.107", None),
    ),
    "arm with a spherical wrist": (
        ("0 0 0.675", "0 0 1"),
        ("0.26 0 0", "0 1 0"),
        ("0 0 0.68", "0 1 0"),
        ("0.67 0 -0.035", "1 0 0"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0.158 0 0", None),
    ),
    "UR5": (
        ("0 0 0.089159", "0 0 1"),
        ("0 0.13585 0", "0 1 0"),
        ("0 -0.1197 0.425", "0 1 0"),
        ("0 0 0.39225", "0 1 0"),
        ("0 0.093 0", "0 0 1"),
        ("0 0 0.09465", "0 1 0"),
        ("0 0.0823 0", None),
    ),
    "iiwa": (
        ("0 0 0.36", "0 0 1"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "0 0 1"),
        ("0 0 0.42", "0 -1 0"),
        ("0 0 0", "0 0 1"),
        ("0 0 0.4", "0 1 0"),
        ("0 0 0", "0 0 1"),
        ("0 0 0.126", None),
    ),
    "TIAGo": (
        ("0.15505 0.014 -0.151", "0 0 1"),
        ("0.125 0.0195 -0.031", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0.31 -0.02 0", "0 1 0"),
        ("0 0 -0.0215", "1 0 0"),
        ("0.32 0 0", "0 1 0"),
        ("0 0 0", "0 0 1"),
        ("0.1 0 0", None),
    ),
    "Panda": (
        ("0 0 0.333", "0 0 1"),
        ("0 0 0", "0 1 0"),
        ("0 0 0.316", "0 0 1"),
        ("0.0825 0 0", "0 -1 0"),
        ("-0.0825 0 0.384", "0 0 1"),
        ("0 0 0", "0 -1 0"),
        ("0.088 0 0", "0 0 -1"),
        ("0 0 -0.107", None),
    ),
}


def text_of(rows):
    """Return a URDF file of a chain whose joints have limits of 2.5 radians."""
    names = [f"l{i}" for i in range(len(rows))] + ["tip"]
    text = "".join(f'<link name="{name}"/>' for name in names)
    for i, (place, axis) in enumerate(rows):
        kind = "revolute" if axis else "fixed"
        text += JOINT.format(f"j{i}", kind, *names[i : i + 2], place, axis or "1 0 0", -2.5, 2.5)
    return f'<robot name="limb">{text}</robot>'


def least(function, number, clock=time.thread_time):
    """Return the least time of a function in microseconds, of this thread."""
    taken = []
    for _ in range(ROUNDS):
        started = clock()
        for _ in range(number):
            function()
        taken.append((clock() - started) / number * 1e6)
    return min(taken)


def ours(limb):
    """Return the columns of a limb: microseconds a pose."""
    angles = np.random.default_rng(1).uniform(*limb.limits.T, (ROWS, len(limb.joint_names)))
    position, rotation = limb.forward_kinematics(angles)
    free = {"swivel": limb.swivel(angles)} if isinstance(limb, robots.RedundantLimb) else {}
    one = {name: float(value[0]) for name, value in free.items()}
    for _ in range(9):  # until the code is compiled
        limb.solve_all(position, rotation, **free)
        limb.reach(position, rotation, near=angles, **free)
        limb.reach(position[0], rotation[0], near=angles[0], **one)
    p, r = position[0].tolist(), rotation[0].tolist()
    yield least(lambda: limb.solve_all(position, rotation, **free), 1) / ROWS
    yield least(lambda: limb.reach(position, rotation, near=angles, **free), 1) / ROWS
    yield least(lambda: limb.solve_pose(p, r, **one), 200)
    yield least(lambda: limb.reach(position[0], rotation[0], near=angles[0], **one), 20)


def ranges(limb):
    """Return the time of the ranges of the swivel angle: microseconds a pose."""
    angles = np.random.default_rng(2).uniform(*limb.limits.T, (1000, 7))
    pose = limb.forward_kinematics(angles)
    limb.swivel_ranges(*pose)
    return least(lambda: limb.swivel_ranges(*pose), 1) / len(angles)


def poses_of(limb, count):
    """Return poses of the tip as matrices of shape (4, 4), and the angles they are from."""
    angles = np.random.default_rng(1).uniform(*limb.limits.T, (count, len(limb.joint_names)))
    poses = np.zeros((count, 4, 4))
    position, rotation = limb.forward_kinematics(angles)
    poses[:, :3, :3] = rotations.quaternion_to_matrix(rotation)
    poses[:, :3, 3], poses[:, 3, 3] = position, 1.0
    return poses, angles


def jax(limb):
    """Return the times of `solve_all` and `reach` under `jax.jit`, of all threads."""
    module = importlib.import_module("jax")
    angles = np.random.default_rng(1).uniform(*limb.limits.T, (ROWS, len(limb.joint_names)))
    with module.enable_x64(True):
        given = [module.numpy.asarray(part) for part in limb.forward_kinematics(angles)]
        near = module.numpy.asarray(angles)
        free = {}
        if isinstance(limb, robots.RedundantLimb):
            free = {"swivel": module.numpy.asarray(limb.swivel(angles))}
        for solve in (
            lambda p, r, q: limb.solve_all(p, r, **free),
            lambda p, r, q: limb.reach(p, r, near=q, **free),
        ):
            compiled = module.jit(solve)
            run = lambda: module.block_until_ready(compiled(*given, near))  # noqa: B023, E731
            run()
            yield least(run, 1, time.process_time) / ROWS


def eaik(limb, path):
    """Return the time of EAIK for all branches of a pose."""
    module = importlib.import_module("eaik.IK_URDF")
    arm = module.UrdfRobot(str(path))
    poses, _ = poses_of(limb, 200)
    return least(lambda: [arm.IK(pose) for pose in poses], 1) / len(poses)


def ssik(limb, path):
    """Return the times of ssik for all angles that it finds for a pose, and for one near others."""
    module = importlib.import_module("ssik")
    arm = module.Manipulator.from_urdf(str(path), base="l0", ee="tip")
    arm.prepare()
    poses, angles = poses_of(limb, 20)
    pairs = list(zip(poses, angles, strict=True))
    yield least(lambda: [arm.solve(pose) for pose in poses], 1) / len(poses)
    near = least(lambda: [arm.solve(p, max_solutions=1, q_seed=q) for p, q in pairs], 1)
    yield near / len(poses)


def measured(name):
    """Return the row of a limb."""
    text = text_of(LIMBS[name])
    limb = robots.read_urdf(text).limb("tip")
    row: dict[str, Any] = {"limb": name}
    row |= zip(("all", "reach", "floats", "one"), ours(limb), strict=True)
    if isinstance(limb, robots.RedundantLimb):
        row["ranges"] = ranges(limb)
    with contextlib.suppress(ImportError):
        row |= zip(("jax all", "jax reach"), jax(limb), strict=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "limb.urdf"
        path.write_text(text, encoding="utf-8")
        with contextlib.suppress(ImportError):
            if len(limb.joint_names) == 6:
                row["eaik"] = eaik(limb, path)
        with contextlib.suppress(ImportError):
            row |= zip(("ssik", "ssik near"), ssik(limb, path), strict=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    recorded.option(parser)
    chosen = parser.parse_args()
    rows = []
    for name in LIMBS:
        rows.append(measured(name))
        print(", ".join(f"{key} {each}" for key, each in rows[-1].items()), flush=True)
    if chosen.json:
        others = {name: version(name) for name in ("eaik", "ssik")}
        recorded.write(chosen.json, recorded.machine(**others), rows=rows)


def version(package):
    """Return the version of a package, or None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
