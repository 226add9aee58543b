"""Replay the walk of a robot in MuJoCo, and see that feet on the ground stay where they are."""

import numpy as np

try:
    import mujoco
except ImportError as missing:
    raise SystemExit(print(f"skipped: {missing}")) from None
from twobone import robots

JOINT = '<link name="{2}"/><joint name="to_{2}" type="{0}"><parent link="{1}"/><child link="{2}"/>'
JOINT += '<origin xyz="{3}"/><axis xyz="{4}"/><limit lower="-2.8" upper="2.8"/></joint>'
text = '<mujoco><compiler fusestatic="false" boundmass="0.1" boundinertia="0.001"/></mujoco>'
text += '<link name="world"/>' + JOINT.format("floating", "world", "base", "0 0 0", "1 0 0")
for name, x, y in (("FL", 1, 1), ("FR", 1, -1), ("RL", -1, 1), ("RR", -1, -1)):
    links = ["base", *(f"{name}_{part}" for part in ("hip", "thigh", "calf", "foot"))]
    places = f"{0.19 * x} {0.05 * y} 0", f"0 {0.09 * y} 0", "0 0 -0.2", "0 0 -0.2"
    for i, place in enumerate(places):
        kind, axis = "fixed" if i == 3 else "revolute", "0 1 0" if i else "1 0 0"
        text += JOINT.format(kind, links[i], links[i + 1], place, axis)
text = f'<robot name="dog">{text}</robot>'
walk = robots.walk(robots.read_urdf(text), [0.0, 0.8, -1.6], seconds=3.0, lead_in=1.0)

model = mujoco.MjModel.from_xml_string(text)
data, feet = mujoco.MjData(model), []
joints = [model.joint(name).qposadr[0] for name in walk.joint_names]
for frame, angles in enumerate(walk.angles):
    data.qpos[:3] = walk.base_position[frame]
    data.qpos[3:7] = walk.base_rotation[frame, [3, 0, 1, 2]]  # MuJoCo has w first
    data.qpos[joints] = angles
    mujoco.mj_kinematics(model, data)  # a viewer would show the frame here
    feet.append([data.body(foot).xpos.copy() for foot in walk.feet])
moved = np.linalg.norm(np.diff(feet, axis=0), axis=-1)
planted = walk.stance[1:] & walk.stance[:-1]
print(len(feet), "frames; the base moves by", walk.base_position[-1].round(2) + 0.0, "m")
print("planted feet stay:", moved[planted].max() < 1e-12)
print("others move by up to", moved[~planted].max().round(3), "m a frame")
