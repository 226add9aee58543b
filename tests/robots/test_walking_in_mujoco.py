"""A robot with the masses of a Go2 walks in MuJoCo, with PD control: skipped without mujoco."""

import numpy as np
import pytest

import robot_files
from twobone import robots

RADIUS = 0.022  # of the feet
KP, KD = 200.0, 5.0  # Nm/rad, Nms/rad
RATE = 500
REST = [0.0, 0.9, -1.8]
INERTIAS = {  # mass, centre and diagonal inertia of links, as in the robot's published description
    "base": (6.921, (0.0211, 0.0, -0.0054), (0.02448, 0.09808, 0.107)),
    "hip": (0.678, (0.0, 0.0, 0.0), (0.00048, 0.00088, 0.0006)),
    "thigh": (1.152, (-0.0037, 0.0, -0.0327), (0.00584, 0.0058, 0.00103)),
    "calf": (0.154, (0.0055, 0.0, -0.115), (0.00108, 0.0011, 0.00003)),
    "foot": (0.04, (0.0, 0.0, 0.0), (1e-5, 1e-5, 1e-5)),
}
TORQUES = {"hip": 23.7, "thigh": 23.7, "calf": 45.43}  # Nm, limits


def inertial(link):
    mass, *parts = INERTIAS[link]
    place, inertia = (" ".join(map(str, part)) for part in parts)
    return f'<inertial mass="{mass}" pos="{place}" diaginertia="{inertia}"/>'


def body(name, link, place, axis):
    hinge = f'<joint name="{name}_{link}_joint" axis="{axis}"/>' if axis else ""
    return f'<body name="{name}_{link}" pos="{place}">{inertial(link)}{hinge}'


def model_of(mujoco):
    """Return the robot of `robot_files.quadruped` with masses, on a plane."""
    legs = ""
    for name, front, left in (("FL", 1, 1), ("FR", 1, -1), ("RL", -1, 1), ("RR", -1, -1)):
        legs += body(name, "hip", f"{0.1934 * front} {0.0465 * left} 0", "1 0 0")
        legs += body(name, "thigh", f"0 {0.0955 * left} 0", "0 1 0")
        legs += body(name, "calf", "0 0 -0.213", "0 1 0")
        legs += body(name, "foot", "0 0 -0.213", "")
        legs += f'<geom type="sphere" size="{RADIUS}" friction="0.8 0.02 0.01" condim="6"/>'
        legs += "</body>" * 4
    motors = "".join(
        f'<motor joint="{name}_{link}_joint" ctrllimited="true" ctrlrange="-{most} {most}"/>'
        for name in ("FL", "FR", "RL", "RR")
        for link, most in TORQUES.items()
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{1 / RATE}" cone="elliptic" impratio="100"/>'
        '<default><joint damping="0.1" armature="0.01" frictionloss="0.2"/></default>'
        '<worldbody><geom type="plane" size="0 0 1"/><body name="base"><freejoint/>'
        f"{inertial('base')}{legs}</body></worldbody><actuator>{motors}</actuator></mujoco>"
    )


@pytest.fixture(scope="module")
def mujoco():
    return pytest.importorskip("mujoco", reason="mujoco is not installed")


@pytest.fixture(scope="module")
def planned():
    robot = robots.read_urdf(robot_files.quadruped())
    walk = robots.walk(robot, REST, seconds=12.0, fps=100, speed=0.05, foot_radius=RADIUS)
    return robot, walk


def put(model, data, walk, frame):
    """Set the pose of a frame of a walk."""
    data.qpos[:3] = walk.base_position[frame]
    data.qpos[3:7] = walk.base_rotation[frame, [3, 0, 1, 2]]
    data.qpos[[model.joint(name).qposadr[0] for name in walk.joint_names]] = walk.angles[frame]


def test_in_mujoco_feet_stay_where_they_are(mujoco, planned):
    _, walk = planned
    model = model_of(mujoco)
    data = mujoco.MjData(model)
    stood = {}
    for frame in range(len(walk.time)):
        put(model, data, walk, frame)
        mujoco.mj_kinematics(model, data)
        for tip, stands in zip(walk.feet, walk.stance[frame], strict=True):
            place = data.body(tip).xpos.copy()
            if not stands:
                stood.pop(tip, None)
                continue
            assert np.abs(place - stood.setdefault(tip, place)).max() < 1e-12
            assert abs(place[2] - RADIUS) < 1e-12


def test_with_masses_it_walks_as_planned(mujoco, planned):
    robot, walk = planned
    model = model_of(mujoco)
    data = mujoco.MjData(model)
    put(model, data, walk, 0)
    mujoco.mj_forward(model, data)
    time = np.arange(round(walk.time[-1] * RATE)) / RATE
    angles = np.stack([np.interp(time, walk.time, each) for each in walk.angles.T], axis=1)
    speeds = np.gradient(angles, time, axis=0)
    forces = support(robot, walk, data.subtree_com[1] - data.qpos[:3], model.body_mass.sum())
    at = [model.joint(name).qposadr[0] for name in walk.joint_names]
    moves = [model.joint(name).dofadr[0] for name in walk.joint_names]
    tilt = 0.0
    for k in range(len(time)):
        errors = angles[k] - data.qpos[at], speeds[k] - data.qvel[moves]
        frame = min(round(time[k] * 100), len(walk.time) - 1)
        data.ctrl[:] = KP * errors[0] + KD * errors[1] + forces[frame]
        mujoco.mj_step(model, data)
        _, x, y, _ = data.qpos[3:7]
        tilt = max(tilt, float(np.degrees(np.arccos(1.0 - 2.0 * (x * x + y * y)))))
    assert np.linalg.norm(data.qpos[:3] - walk.base_position[-1]) < 0.02
    assert tilt < 10.0
    assert data.qpos[0] > 0.5


def support(robot, walk, centre, mass):
    """Return the torques that bear the weight, in each frame: J^T times the forces of the feet."""
    torques = np.zeros_like(walk.angles)
    legs = [robot.limb(tip) for tip in walk.feet]
    parts = np.split(walk.angles, len(legs), axis=1)
    feet = np.stack(
        [leg.forward_kinematics(part) for leg, part in zip(legs, parts, strict=True)], axis=1
    )
    jacobians = [leg.jacobian(part) for leg, part in zip(legs, parts, strict=True)]
    for frame, stands in enumerate(walk.stance):
        across = feet[frame, :, :2] - centre[:2]
        balance = np.vstack([np.ones(len(legs)), across.T]) * stands
        up = np.linalg.lstsq(balance, [9.81 * mass, 0.0, 0.0], rcond=None)[0]
        for i, force in enumerate(np.maximum(up, 0.0) * stands):
            torques[frame, 3 * i : 3 * i + 3] = -force * jacobians[i][frame, 2]
    return torques
