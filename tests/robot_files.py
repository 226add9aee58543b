"""Small URDF files, of kinematics alone, and forward kinematics that share no code with twobone."""

import math
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import mpmath
import numpy as np

TURN = 2.0 * math.pi


def from_rpy(rpy):
    """Return the matrix of roll, pitch and yaw, about the fixed axes x, y and z."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    roll = np.array([[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]])
    pitch = np.array([[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]])
    yaw = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    return yaw @ pitch @ roll


def joint(name, parent, child, xyz, axis="1 0 0", *, kind="revolute", limits=None, rpy="0 0 0"):
    """Return a joint as text."""
    limit = ""
    if limits:
        limit = f'<limit lower="{limits[0]}" upper="{limits[1]}" effort="1" velocity="1"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{limit}</joint>\n'
    )


def robot(*joints, name="robot", more=""):
    """Return a URDF file with the links that joints name."""
    text = "".join(joints)
    found = ET.fromstring(f"<all>{text}</all>")
    ends = [each.find(end).get("link") for each in found for end in ("parent", "child")]
    links = "".join(f'<link name="{link}"/>\n' for link in dict.fromkeys(ends))
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n{links}{text}{more}</robot>\n'


def leg(
    side, where, *, abduct, axes=("1 0 0", "0 1 0", "0 1 0"), thigh, shin, foot, limits, rpy=""
):
    """Return the joints of one leg."""
    rpy = rpy or "0 0 0"
    names = [f"{side}_{part}" for part in ("hip", "thigh", "calf", "foot")]
    ends = ["base", *names]
    parts = [
        joint(f"{name}_joint", ends[i], name, place, axis, limits=limit, rpy=turn)
        for i, (name, place, axis, limit, turn) in enumerate(
            zip(
                names[:3],
                (where, abduct, thigh),
                axes,
                limits,
                (rpy, "0 0 0", "0 0 0"),
                strict=True,
            )
        )
    ]
    more = joint(f"{side}_shin_joint", names[2], f"{side}_ankle", shin, kind="fixed")
    return (
        "".join(parts)
        + more
        + joint(f"{side}_foot_joint", f"{side}_ankle", names[3], foot, kind="fixed")
    )


GO2_LIMITS = ((-1.0472, 1.0472), (-1.5708, 3.4907), (-2.7227, -0.83776))


def quadruped():
    """Return a robot with the measures of a Go2: knees backward, hips beside the first axis."""
    legs = [
        leg(
            name,
            f"{0.1934 * front} {0.0465 * left} 0",
            abduct=f"0 {0.0955 * left} 0",
            thigh="0 0 -0.213",
            shin="0 0 -0.1",
            foot="0 0 -0.113",
            limits=GO2_LIMITS,
        )
        for name, front, left in (("FL", 1, 1), ("FR", 1, -1), ("RL", -1, 1), ("RR", -1, -1))
    ]
    rotors = joint("FL_rotor_joint", "FL_thigh", "FL_rotor", "0 0 0", "0 1 0", kind="continuous")
    return robot(*legs, rotors, joint("imu_joint", "base", "imu", "0 0 0.1", kind="fixed"))


def small_quadruped():
    """Return a robot with the measures of a Go1."""
    legs = [
        leg(
            name,
            f"{0.1881 * front} {0.04675 * left} 0",
            abduct=f"0 {0.08 * left} 0",
            thigh="0 0 -0.213",
            shin="0 0 -0.1",
            foot="0 0 -0.113",
            limits=((-0.863, 0.863), (-0.686, 4.501), (-2.818, -0.888)),
        )
        for name, front, left in (("FR", 1, -1), ("FL", 1, 1), ("RR", -1, -1), ("RL", -1, 1))
    ]
    return robot(*legs)


def large_quadruped():
    """Return a robot with the measures of an ANYmal C, whose axes mirror each other."""
    legs = [
        leg(
            name,
            f"{0.2999 * front} {0.104 * left} 0",
            abduct=f"{0.0599 * front} {0.08381 * left} 0",
            axes=(f"{front} 0 0", f"0 {left} 0", f"0 {left} 0"),
            thigh=f"0 {0.1003 * left} -0.285",
            shin=f"{0.08795 * front} {0.01305 * left} -0.1",
            foot="0 0 -0.23797",
            limits=((-0.72, 0.72), (-9.42478, 9.42478), (-9.42478, 9.42478)),
        )
        for name, front, left in (("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1))
    ]
    return robot(*legs)


def inward():
    """Return a robot whose axes point against each other, with knees inward (as ANYmal's)."""
    legs = [
        leg(
            name,
            f"{0.277 * front} {0.116 * left} 0",
            abduct=f"{0.0635 * front} {0.041 * left} 0",
            axes=(f"{front} 0 0", f"0 {left} 0", f"0 {-2 * left} 0"),
            thigh=f"0 {0.109 * left} -0.25",
            shin=f"{0.1 * front} {-0.02 * left} 0",
            foot="0 0 -0.32125",
            limits=((-0.72, 0.49), (-9.42478, 9.42478), (-9.42478, 9.42478)),
            rpy=f"{0.3 * left} 0 {0 if front > 0 else 3.14159265358979}",
        )
        for name, front, left in (("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1))
    ]
    return robot(*legs)


def hexapod():
    """Return a hexapod with vertical first axes, radially placed, and axes of any direction."""
    legs = []
    for i in range(6):
        angle = TURN * i / 6 + 0.3
        legs.append(
            leg(
                f"leg{i}",
                f"{0.1 * math.cos(angle)!r} {0.1 * math.sin(angle)!r} 0.02",
                abduct="0.052 0 0",
                axes=("0 0 1", "0 -1 0", "0 3 0"),
                thigh="0.066 0 0.01",
                shin="0.0 0 -0.132",
                foot="0.02 0.001 0",
                limits=((-1.5, 1.5), (-1.6, 1.6), (-2.6, 2.6)),
                rpy=f"0 0 {angle!r}",
            )
        )
    return robot(*legs)


def desk_arm():
    """Return an arm with the joints of an SO-101: yaw, three parallel, roll, and a jaw."""
    return robot(
        joint("pan", "base", "shoulder", "0.0388 0 0.0624", "0 0 -1", limits=(-1.92, 1.92)),
        joint(
            "lift",
            "shoulder",
            "upper",
            "-0.0304 -0.0183 -0.0542",
            "0 0 1",
            rpy="-1.5707963267948966 -1.5707963267948966 0",
            limits=(-1.75, 1.75),
        ),
        joint(
            "elbow",
            "upper",
            "lower",
            "-0.11257 -0.028 0",
            "0 0 1",
            rpy="0 0 1.5707963267948966",
            limits=(-1.69, 1.69),
        ),
        joint(
            "wrist",
            "lower",
            "hand",
            "-0.1349 0.0052 0",
            "0 0 1",
            rpy="0 0 -1.5707963267948966",
            limits=(-1.66, 1.66),
        ),
        joint(
            "roll",
            "hand",
            "gripper",
            "0 -0.0611 0.0181",
            "0 0 1",
            rpy="1.5707963267948966 0.0486795 3.141592653589793",
            limits=(-2.74, 2.84),
        ),
        joint("tip_joint", "gripper", "tip", "-0.0079 -0.0002 -0.0981", kind="fixed"),
        joint("jaw_joint", "gripper", "jaw", "0.02 0.018 -0.023", "0 1 0", limits=(-0.17, 1.75)),
    )


def four_joints():
    """Return an arm of four joints whose tip has an offset, with a gripper that slides."""
    return robot(
        joint("yaw", "base", "turret", "0 0 0.1", "0 0 1", kind="continuous"),
        joint("first", "turret", "upper", "0.02 0.03 0.05", "0 1 0", kind="continuous"),
        joint("second", "upper", "lower", "0.0 0.01 0.3", "0 -1 0", kind="continuous"),
        joint("third", "lower", "hand", "0.25 -0.02 0.0", "0 1 0", kind="continuous"),
        joint("tool", "hand", "tip", "0.1 0.005 0.02", kind="fixed"),
        joint("finger", "hand", "claw", "0.05 0 0", "0 1 0", kind="prismatic", limits=(0, 0.1)),
    )


def planar():
    """Return a leg of two parallel joints about an axis that is no coordinate axis."""
    return robot(
        joint("hip", "base", "thigh", "0.1 0.2 0.3", "0.6 0.8 0", kind="continuous"),
        joint("knee", "thigh", "shin", "0.01 0 -0.25", "-3 -4 0", kind="continuous"),
        joint("ankle", "shin", "foot", "0 0.02 -0.3", kind="fixed"),
    )


def planar_arm():
    """Return the arm of textbooks: three parallel joints, about axes of any direction."""
    return robot(
        joint("one", "base", "upper", "0.1 0.2 0.3", "0.6 0.8 0", limits=(-3, 3)),
        joint("two", "upper", "lower", "0.01 0 -0.25", "-3 -4 0", limits=(-3, 3)),
        joint("three", "lower", "hand", "0 0.02 -0.3", "0.6 0.8 0", limits=(-3, 3)),
        joint("tool", "hand", "tip", "0.08 0 -0.1", kind="fixed"),
    )


def wheeled():
    """Return a leg that ends with a wheel, and a rotor beside it."""
    return robot(
        joint("a", "base", "hip", "0.1 0.1 0", "1 0 0", limits=(-1, 1)),
        joint("b", "hip", "thigh", "0 0.1 0", "0 1 0", limits=(-1, 2)),
        joint("c", "thigh", "calf", "0 0 -0.2", "0 1 0", limits=(-2.5, -0.5)),
        joint("w", "calf", "wheel", "0 0.03 -0.2", "0 1 0", kind="continuous"),
        joint("r", "thigh", "rotor", "0 0.02 0", "0 1 0", kind="continuous"),
    )


def series(*rows, tip="0 0 0", turn="0 0 0", limits=None):
    """Return a chain of joints j1, j2, ...: offset, axis and perhaps rpy of each; then a tip."""
    joints = []
    for i, (place, axis, *rpy) in enumerate(rows, 1):
        limit = limits[i - 1] if limits else None
        kind = "revolute" if limit else "continuous"
        parts = (f"j{i}", f"l{i - 1}", f"l{i}", place, axis)
        joints.append(joint(*parts, kind=kind, limits=limit, rpy=rpy[0] if rpy else "0 0 0"))
    last = joint("end", f"l{len(rows)}", "tip", tip, kind="fixed", rpy=turn)
    return robot(*joints, last)


def humanoid_leg():
    """Return a leg with the measures of a Talos: hip yaw, roll, pitch, knee, ankle pitch, roll."""
    return series(
        ("-0.02 0.085 -0.27105", "0 0 1"),
        ("0 0 0", "1 0 0"),
        ("0 0 0", "0 1 0"),
        ("0 0 -0.38", "0 1 0"),
        ("0 0 -0.325", "0 1 0"),
        ("0 0 0", "1 0 0"),
        tip="0 0 -0.107",
        limits=(
            (-0.349, 1.57),
            (-0.52, 0.52),
            (-2.095, 0.7),
            (0, 2.618),
            (-1.27, 0.68),
            (-0.52, 0.52),
        ),
    )


def other_ankle():
    """Return a humanoid's leg whose ankle rolls before it pitches, with a knee in front."""
    return series(
        ("0 -0.1 -0.05", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0 0 0", "0 0 1"),
        ("0.02 0 -0.4", "0 1 0"),
        ("-0.02 0.01 -0.38", "1 0 0"),
        ("0 0 0", "0 1 0"),
        tip="0.03 0 -0.08",
        turn="0.1 0.2 -0.3",
    )


def puma():
    """Return an arm with the measures of a Puma 560."""
    quarter = "1.5707963267948966"
    return series(
        ("0 0 0.672", "0 0 1"),
        ("0 0 0", "0 0 1", f"-{quarter} 0 0"),
        ("0.4318 0 0.1501", "0 0 1"),
        ("-0.0203 -0.4318 0", "0 0 1", f"{quarter} 0 0"),
        ("0 0 0", "0 0 1", f"-{quarter} 0 0"),
        ("0 0 0", "0 0 1", f"{quarter} 0 0"),
        tip="0 0 0.0563",
    )


def kuka():
    """Return an arm with the measures of a KR 16, whose shoulder is beside its first axis."""
    return series(
        ("0 0 0.675", "0 0 -1"),
        ("0.26 0 0", "0 1 0"),
        ("0.68 0 0", "0 1 0"),
        ("0.67 0 -0.035", "-1 0 0"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "-1 0 0"),
        tip="0.158 0 0",
        turn="0 1.5707963267948966 0",
        limits=((-3.2, 3.2), (-2.7, 0.6), (-2.2, 2.6), (-6.1, 6.1), (-2.2, 2.2), (-6.1, 6.1)),
    )


def oblique():
    """Return an arm whose wrist has axes at 50 and 65 degrees, in frames of any direction."""
    return series(
        ("0.1 0 0.3", "0 0 1", "0.3 -0.2 0.5"),
        ("0.05 0.02 0.1", "0 1 0"),
        ("0.3 0.03 0.05", "0 -1 0", "0 0.7 0"),
        ("0.25 0 0.02", f"{math.cos(0.3)!r} 0 {math.sin(0.3)!r}"),
        ("0 0 0", f"{math.cos(0.3 + 0.8727)!r} 0 {math.sin(0.3 + 0.8727)!r}"),
        ("0 0 0", f"{math.cos(0.3 - 0.2618)!r} 0 {math.sin(0.3 - 0.2618)!r}"),
        tip="0.1 0.02 0.03",
        turn="1 2 3",
    )


def crossed_arm():
    """Return an arm whose shoulder's axes meet at 60 degrees, with an elbow out of the plane."""
    return series(
        ("0 0 0.3", "0 0 1"),
        ("0 0 0", f"{math.sin(math.pi / 3)!r} 0 0.5"),
        ("0.1 0.05 0.3", "0.3 1 0.1"),
        ("0.05 0.02 0.25", "0 0 1"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "0 0 1"),
        tip="0 0 0.1",
    )


def late_arm():
    """Return an arm whose second and third axes meet beside the first."""
    return series(
        ("0 0 0.1", "0 0 1"),
        ("0.3 0 0.05", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0.02 0.03 0.28", "0 0 1"),
        ("0 0 0", "0 1 0"),
        ("0 0 0", "1 0 0"),
        tip="0.1 0 0.1",
    )


def parallel_arm():
    """Return an arm with the measures of a UR5."""
    return series(
        ("0 0 0.089159", "0 0 1"),
        ("0 0.13585 0", "0 1 0", "0 1.5707963267948966 0"),
        ("0 -0.1197 0.425", "0 1 0"),
        ("0 0 0.39225", "0 1 0", "0 1.5707963267948966 0"),
        ("0 0.093 0", "0 0 1"),
        ("0 0 0.09465", "0 1 0"),
        tip="0 0.0823 0",
        turn="0 0 1.5707963267948966",
    )


def offset_hip():
    """Return a humanoid's leg whose hip rolls, yaws and then pitches beside both axes."""
    return series(
        ("-0.05 0.1 0", "1 0 0"),
        ("0.05 0 -0.07", "0 0 1"),
        ("0.01 0.04 -0.05", "0 1 0"),
        ("0 0 -0.36", "0 -1 0"),
        ("0 0 -0.34", "0 1 0"),
        ("0 0 -0.02", "1 0 0"),
        tip="0.02 0 -0.04",
    )


def rounded_leg(gap=3e-6, angle=2e-5):
    """Return a humanoid's leg whose axes miss each other as those of rounded files do."""
    return series(
        ("0 0.1 0", "0 0 1"),
        (f"{gap} 0 0", f"1 {angle} 0"),
        (f"0 0 {-gap}", f"0 1 {-angle}"),
        ("0 0 -0.38", f"{angle} 1 0"),
        ("0 0 -0.34", "0 1 0"),
        ("0 0 0", f"1 {angle} {angle}"),
        tip="0.02 0 -0.05",
    )


POSE_LIMBS = {  # limbs of six joints, whose tip is "tip"
    "humanoid leg": humanoid_leg,
    "other ankle": other_ankle,
    "puma": puma,
    "kuka": kuka,
    "oblique": oblique,
    "crossed arm": crossed_arm,
    "late arm": late_arm,
    "parallel arm": parallel_arm,
    "offset hip": offset_hip,
    "rounded leg": rounded_leg,
}


def iiwa():
    """Return an arm with the measures and limits of an LBR iiwa 14."""
    axes = ("0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1")
    places = ("0.36", "0", "0", "0.42", "0", "0.4", "0")
    limits = [(-b, b) for b in (2.967, 2.094, 2.967, 2.094, 2.967, 2.094, 3.054)]
    rows = [(f"0 0 {place}", axis) for place, axis in zip(places, axes, strict=True)]
    return series(*rows, tip="0 0 0.126", limits=limits)


def human_arm():
    """Return a humanoid's arm: an elbow beside both lines, a shoulder and a wrist of any axes."""
    return series(
        ("0 0.2 0.4", "0 0.939692620785908 0.342020143325669"),
        ("0 0 0", "1 0 0"),
        ("0 0 0", "0 0 1"),
        ("0.02 0.01 -0.28", "0 1 0.1"),
        ("-0.02 0 -0.12", "0 0 1"),
        ("0 0 -0.1", "1 0.2 0"),
        ("0 0 0", "0 1 0"),
        tip="0.01 0.02 -0.1",
        turn="0.3 0.2 0.1",
        limits=(
            (-2.9, 1.9),
            (-0.5, 2.8),
            (-1.8, 1.8),
            (-2.1, 0.1),
            (-1.8, 1.8),
            (-0.7, 0.7),
            (-1.0, 1.0),
        ),
    )


def panda():
    """Return an arm with the measures and limits of a Panda: its last axis is beside the wrist."""
    q = "1.5707963267948966"
    return series(
        ("0 0 0.333", "0 0 1"),
        ("0 0 0", "0 0 1", f"-{q} 0 0"),
        ("0 -0.316 0", "0 0 1", f"{q} 0 0"),
        ("0.0825 0 0", "0 0 1", f"{q} 0 0"),
        ("-0.0825 0.384 0", "0 0 1", f"-{q} 0 0"),
        ("0 0 0", "0 0 1", f"{q} 0 0"),
        ("0.088 0 0", "0 0 1", f"{q} 0 0"),
        tip="0 0 0.107",
        limits=(
            (-2.8973, 2.8973),
            (-1.7628, 1.7628),
            (-2.8973, 2.8973),
            (-3.0718, -0.0698),
            (-2.8973, 2.8973),
            (-0.0175, 3.7525),
            (-2.8973, 2.8973),
        ),
    )


def offset_shoulder():
    """Return an arm with a spherical wrist whose first axis is beside the shoulder, as TIAGo's."""
    return series(
        ("0.15 0 0", "0 0 1"),
        ("0.125 0.02 -0.03", "0 1 0"),
        ("0 0 0", "1 0 0"),
        ("0.31 -0.02 0.02", "0 1 0"),
        ("0.2 0.02 -0.02", "1 0 0"),
        ("0.1 0 0", "0 1 0"),
        ("0 0 0", "0 0 1"),
        tip="0.1 0 0",
        turn="1 0 0",
        limits=((-1.1, 1.5), (-1.5, 2.5), (-3.4, 1.5), (-2.2, 2.2), (-2, 2), (-1.4, 1.4), (-2, 2)),
    )


def rounded_iiwa():
    """Return an iiwa whose axes miss each other by some micrometres."""
    text = iiwa()
    for name, place in (("j2", "0.000003 0 0"), ("j7", "0 -0.000002 0")):
        at = text.index(f'name="{name}"')
        text = text[:at] + text[at:].replace('xyz="0 0 0"', f'xyz="{place}"', 1)
    return text


SEVEN = {  # limbs of seven joints, whose tip is "tip"
    "iiwa": iiwa,
    "human arm": human_arm,
    "panda": panda,
    "offset shoulder": offset_shoulder,
    "rounded iiwa": rounded_iiwa,
}

LIMBS = {  # text of a file, and a tip in it
    "quadruped": (quadruped, "FR_foot"),
    "quadruped's other side": (quadruped, "RL_foot"),
    "knees inward": (inward, "LH_foot"),
    "knees inward, right": (inward, "RF_foot"),
    "hexapod": (hexapod, "leg2_foot"),
    "wheeled": (wheeled, "wheel"),
    "planar": (planar, "foot"),
    "desk arm": (desk_arm, "tip"),
    "four joints": (four_joints, "tip"),
}
LEGS = [name for name, (_, tip) in LIMBS.items() if tip != "tip"]
ARMS = [name for name in LIMBS if name not in LEGS]


# --- MuJoCo -------------------------------------------------------------------------------


def model_of(text, tip):
    """Return a stand-in for a compiled model with the joints from the root to a tip."""
    path = path_of(text, tip)
    quaternions, positions, axes, ranges, count = [[1, 0, 0, 0]], [[0, 0, 0]], [], [], [0]
    for each in path:
        m = from_rpy(numbers(each, "origin", "rpy"))
        w = math.sqrt(max(0.0, 1 + np.trace(m))) / 2
        assert w > 0.1
        skew = [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]
        quaternions.append([w, *(np.array(skew) / (4 * w))])
        positions.append(numbers(each, "origin", "xyz"))
        moves = each.get("type") in ("revolute", "continuous")
        count.append(int(moves))
        if moves:
            axis = np.array(numbers(each, "axis", "xyz"))
            axes.append(axis / np.linalg.norm(axis))
            limit = each.find("limit")
            ranges.append(
                [float(limit.get(k)) for k in ("lower", "upper")] if limit is not None else [0, 0]
            )
    names = ["world", *(each.find("child").get("link") for each in path)]
    moving = [each.get("name") for each in path if each.get("type") in ("revolute", "continuous")]

    def found(listed):
        def get(key):
            if isinstance(key, str) and key not in listed:
                raise KeyError(f"Invalid name {key!r}. Valid names: {listed}")
            index = listed.index(key) if isinstance(key, str) else int(key)
            return SimpleNamespace(id=index, name=listed[index])

        return get

    last = len(names) - 1
    return SimpleNamespace(
        body=found(names),
        joint=found(moving),
        site=found(["toe"]),
        geom=found(["ball"]),
        site_bodyid=np.array([last]),
        site_pos=np.array([[0.0, 0.0, 0.01]]),
        geom_bodyid=np.array([last]),
        geom_pos=np.zeros((1, 3)),
        body_parentid=np.array([0, *range(last)]),
        body_pos=np.array(positions, float),
        body_quat=np.array(quaternions, float),
        body_jntnum=np.array(count),
        body_jntadr=np.cumsum([0, *count[:-1]]),
        jnt_type=np.full(len(moving), 3),
        jnt_axis=np.array(axes),
        jnt_pos=np.zeros((len(moving), 3)),
        jnt_range=np.array(ranges),
        jnt_limited=np.array([bool(low or high) for low, high in ranges]),
        jnt_qposadr=np.arange(len(moving)),
        qpos0=np.zeros(len(moving)),
    )


# --- forward kinematics, from the text alone -----------------------------------------------


def path_of(text, tip):
    """Return the joint elements from the root to a tip."""
    above = {each.find("child").get("link"): each for each in ET.fromstring(text).findall("joint")}
    path = []
    while tip in above:
        path.append(above[tip])
        tip = above[tip].find("parent").get("link")
    return path[::-1]


def numbers(element, tag, attribute):
    found = element.find(tag)
    return [float(part) for part in found.get(attribute).split()]


def about(axis, angle, sin, cos):
    """Return the matrix of a rotation about a unit axis, of numbers of any kind."""
    x, y, z = axis
    s, c = sin(angle), cos(angle)
    rows = [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [x * y * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [x * z * (1 - c) - y * s, y * z * (1 - c) + x * s, c + z * z * (1 - c)],
    ]
    return [[0 * angle + part for part in row] for row in rows]


def tip_of(text, tip, angles, number=np.float64, sin=np.sin, cos=np.cos):
    """Return the tip's position by matrices, for a dictionary of angles by joint."""
    return pose_of(text, tip, angles, number, sin, cos)[0]


def pose_of(text, tip, angles, number=np.float64, sin=np.sin, cos=np.cos):
    """Return the tip's position and rotation by matrices, for a dictionary of angles by joint."""

    def times(a, b):
        return [
            [
                sum(p * q for p, q in zip(row, column, strict=True))
                for column in zip(*b, strict=True)
            ]
            for row in a
        ]

    rotation = [[number(i == j) for j in range(3)] for i in range(3)]
    position = [number(0)] * 3
    for each in path_of(text, tip):
        offset = [number(v) for v in numbers(each, "origin", "xyz")]
        position = [
            p + sum(a * b for a, b in zip(row, offset, strict=True))
            for p, row in zip(position, rotation, strict=True)
        ]
        for axis, angle in zip(np.eye(3)[::-1], numbers(each, "origin", "rpy")[::-1], strict=True):
            turn = about([number(v) for v in axis.tolist()], number(angle), sin, cos)
            rotation = times(rotation, turn)
        name = each.get("name")
        if name in angles:
            axis = [number(v) for v in numbers(each, "axis", "xyz")]
            size = sum(v * v for v in axis) ** number(0.5)
            turn = about([v / size for v in axis], angles[name], sin, cos)
            rotation = times(rotation, turn)
    return position, rotation


def exact_tip(text, tip, names, angles):
    """Return the tip's position with 40 digits."""
    with mpmath.workdps(40):
        given = dict(zip(names, map(mpmath.mpf, angles), strict=True))
        return tip_of(text, tip, given, mpmath.mpf, mpmath.sin, mpmath.cos)


def exact_miss(text, tip, names, angles, target):
    """Return the distance of the tip from a target."""
    with mpmath.workdps(40):
        end = exact_tip(text, tip, names, map(float, angles))
        square = sum((p - mpmath.mpf(float(q))) ** 2 for p, q in zip(end, target, strict=True))
        return float(mpmath.sqrt(square))


def exact_pose(text, tip, names, angles):
    """Return the tip's position and rotation with 40 digits."""
    with mpmath.workdps(40):
        given = dict(zip(names, map(mpmath.mpf, angles), strict=True))
        return pose_of(text, tip, given, mpmath.mpf, mpmath.sin, mpmath.cos)


def many_poses(text, tip, names, angles):
    """Return the tip's positions and rotation matrices for an array of angles, shape (..., n)."""
    angles = np.asarray(angles)
    given = {name: angles[..., i] for i, name in enumerate(names)}
    position, rotation = pose_of(text, tip, given)
    zero = 0.0 * angles[..., 0]
    rows = [np.stack([part + zero for part in row], axis=-1) for row in rotation]
    return np.stack([part + zero for part in position], axis=-1), np.stack(rows, axis=-2)


def many_tips(text, tip, names, angles):
    """Return the tip's positions for an array of angles, shape (..., n)."""
    angles = np.asarray(angles)
    given = {name: angles[..., i] for i, name in enumerate(names)}
    parts = tip_of(text, tip, given)
    return np.stack([part + 0.0 * angles[..., 0] for part in parts], axis=-1)
