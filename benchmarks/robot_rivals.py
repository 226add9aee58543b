"""What robots.py compares with: arc cosines by hand, EAIK, a loop with pinocchio, and ikpy.

Each solver is a function of a target, a pose and a seed that returns angles. The target is where
the foot is; the pose is the matrix that EAIK needs, with a rotation that a foot which is a point
does not have. Solvers whose package is not installed are left out, and it is told why.
"""

import importlib
import importlib.metadata
import math
import tempfile
from pathlib import Path

import numpy as np

JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>'
JOINT += '<origin xyz="{4}" rpy="0 0 0"/><axis xyz="{5}"/>'
JOINT += '<limit lower="{6}" upper="{7}" effort="1" velocity="1"/></joint>'
LINKS = ("base", "hip", "thigh", "calf", "foot")
OFFSETS = ((0.1934, -0.0465, 0.0), (0.0, -0.0955, 0.0), (0.0, 0.0, -0.213), (0.0, 0.0, -0.213))
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0))
LIMITS = ((-1.0472, 1.0472), (-1.5708, 3.4907), (-2.7227, -0.83776))
STEPS, ENOUGH, DAMPING = 100, 1e-12, 1e-9  # of the loop: steps, metres, metres squared


def leg_text():
    """Return the URDF file of a leg with the measures of a Go2."""
    text = "".join(f'<link name="{name}"/>' for name in LINKS)
    for i, (offset, axis, limits) in enumerate(zip(OFFSETS, AXES, LIMITS, strict=False)):
        place = " ".join(map(str, offset))
        turns = " ".join(map(str, axis))
        ends = LINKS[i], LINKS[i + 1]
        text += JOINT.format(f"joint_{i}", "revolute", *ends, place, turns, *limits)
    place = " ".join(map(str, OFFSETS[3]))
    text += f'<joint name="ankle" type="fixed"><parent link="{LINKS[3]}"/>'
    text += f'<child link="{LINKS[4]}"/><origin xyz="{place}" rpy="0 0 0"/></joint>'
    return f'<robot name="leg">{text}</robot>'


def by_hand(x, y, z, d=-0.0955, r1=0.213, r2=0.213):
    """Return the angles of the same leg by the law of cosines, as most code does."""
    x -= 0.1934
    y += 0.0465
    s = math.sqrt(max(y * y + z * z - d * d, 0.0))
    q1 = math.atan2(z, y) + math.atan2(s, d)
    cosine = (x * x + s * s - r1 * r1 - r2 * r2) / (2.0 * r1 * r2)
    q3 = -math.acos(max(-1.0, min(1.0, cosine)))
    q2 = math.atan2(-x, s) - math.atan2(r2 * math.sin(q3), r1 + r2 * math.cos(q3))
    return q1, q2, q3


def _pinocchio(pinocchio):
    """Return the usual loop: damped least squares on the position of the foot's frame."""
    model = pinocchio.buildModelFromXML(leg_text())
    data, foot = model.createData(), model.getFrameId("foot")
    axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    damping = DAMPING * np.eye(3)

    def solve(target, pose, seed):
        q = seed.copy()
        for _ in range(STEPS):
            pinocchio.computeJointJacobians(model, data, q)
            miss = target - pinocchio.updateFramePlacement(model, data, foot).translation
            if miss @ miss < ENOUGH * ENOUGH:
                break
            matrix = pinocchio.getFrameJacobian(model, data, foot, axes)[:3]
            step = matrix.T @ np.linalg.solve(matrix @ matrix.T + damping, miss)
            q = pinocchio.integrate(model, q, step)
        return q

    return solve


def _eaik(module):
    arm = module.HPRobot(np.array(AXES), np.array(OFFSETS))

    def solve(target, pose, seed):
        answer = arm.IK(pose)
        exact = [q for q, is_close in zip(answer.Q, answer.is_LS, strict=True) if not is_close]
        found = exact or answer.Q
        return found[int(np.argmin([np.abs(q - seed).sum() for q in found]))]

    return solve


def _ikpy(module):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "leg.urdf"
        path.write_text(leg_text())
        chain = module.Chain.from_urdf_file(
            str(path), base_elements=["base"], active_links_mask=[False, True, True, True, False]
        )

    def solve(target, pose, seed):
        start = [0.0, *seed, 0.0]
        return np.array(chain.inverse_kinematics(target, initial_position=start)[1:4])

    return solve


RIVALS = {  # name: package, module, function that makes it
    "EAIK": ("eaik", "eaik.IK_HP", _eaik),
    "loop, pinocchio": ("pin", "pinocchio", _pinocchio),
    "ikpy": ("ikpy", "ikpy.chain", _ikpy),
}


def rivals():
    """Return the solvers that are there by name, with versions, and why others are left out."""
    found, missing = {}, []
    for name, (package, module, make) in RIVALS.items():
        try:
            solver = make(importlib.import_module(module))
        except ImportError as error:
            missing.append(f"{name} is left out: {error}")
            continue
        found[f"{name} {importlib.metadata.version(package)}"] = solver
    return found, missing
