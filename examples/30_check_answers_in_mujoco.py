"""Solve a leg and an arm, and see that MuJoCo puts foot and hand where the answers say."""

from pathlib import Path

import numpy as np

try:
    import mujoco
except ImportError as missing:
    raise SystemExit(print(f"skipped: {missing}")) from None
from twobone import Status, robots, rotations

path = Path(__file__).parent / "human.urdf"
robot = robots.read_urdf(path)
spec = mujoco.MjSpec.from_file(str(path))
spec.compiler.fusestatic = False  # keep links that only fixed joints move, such as feet
spec.compiler.boundmass, spec.compiler.boundinertia = 0.1, 0.001  # the file has no masses
model = spec.compile()
data = mujoco.MjData(model)


def check(limb, **options):
    """Solve a thousand random poses of a limb, and say what MuJoCo's tip makes of the answers."""
    rng, worst = np.random.default_rng(1), np.zeros(2)
    low, high = limb.limits.T
    wanted = limb.forward_kinematics(rng.uniform(low, high, (1000, len(limb.joint_names))))
    answer = limb.reach(*wanted, **options)
    reached = (answer.status == Status.REACHED) & answer.within
    places = [model.joint(name).qposadr[0] for name in limb.joint_names]
    for row in np.flatnonzero(reached):
        data.qpos[places] = answer.angles[row]
        mujoco.mj_kinematics(model, data)
        tip, base = data.body(limb.tip), data.body(limb.base)
        axes = base.xmat.reshape(3, 3)  # of the link in whose axes targets are
        position = axes.T @ (tip.xpos - base.xpos)
        rotation = axes.T @ tip.xmat.reshape(3, 3)
        matrix = rotations.quaternion_to_matrix(wanted.rotation[row])
        off = np.abs(position - wanted.position[row]).max(), np.abs(rotation - matrix).max()
        worst = np.maximum(worst, off)
    print(f"{limb.tip}: {reached.sum()} of 1000 reached within limits;", end=" ")
    print("position and rotation are MuJoCo's:", bool((worst < 1e-12).all()))


check(robot.pose_limb("left_foot"))
check(robot.redundant_limb("left_hand", "waist_yaw_link"), swivel="limits")

# The same leg from the compiled model, in which bodies, sites and geoms are tips.
leg, other = robots.from_mujoco(model, "left_foot", "pelvis"), robot.pose_limb("left_foot")
assert isinstance(leg, robots.PoseLimb)
pose = other.forward_kinematics(other.rest)
print("from the model:", np.allclose(leg.solve(*pose), other.solve(*pose), rtol=0, atol=1e-12))
