"""Names of branches: true of the robot, whatever the signs of the axes in its file are."""

import re

import numpy as np
import pytest

import robot_files
from robot_files import LIMBS, POSE_LIMBS, SEVEN
from twobone import RobotError, robots

EVERY = {
    **{name: (make(), tip) for name, (make, tip) in LIMBS.items()},
    **{name: (make(), "tip") for name, make in (POSE_LIMBS | SEVEN).items()},
}


def named(name, **options):
    text, tip = EVERY[name]
    return robots.read_urdf(text).limb(tip, **options)


@pytest.mark.parametrize("name", EVERY)
def test_each_branch_has_a_name_of_its_own_and_branch_0_is_as_at_rest(name):
    limb = named(name)
    assert len(set(limb.branch_names)) == len(limb.branch_names) in (2, 4, 8)
    assert "flipped" not in limb.branch_names[0]


def other_way(text):
    """Return a file in which every joint turns about the opposite axis, with the same poses."""

    def turned(match):
        axis = " ".join(repr(-float(part)) for part in match[1].split())
        return f'<axis xyz="{axis}"/>'

    text = re.sub(r'<axis xyz="([^"]*)"/>', turned, text)
    return re.sub(
        r'lower="([^"]*)" upper="([^"]*)"',
        lambda m: f'lower="{-float(m[2])}" upper="{-float(m[1])}"',
        text,
    )


@pytest.mark.parametrize("name", EVERY)
def test_names_do_not_depend_on_the_signs_of_axes(name):
    rest = named(name).rest + 0.25  # not straight, so that branch 0 is the same
    limb = named(name, rest=rest)
    text, tip = EVERY[name]
    other = robots.read_urdf(other_way(text)).limb(tip, rest=-rest)
    assert set(other.branch_names) == set(limb.branch_names)
    assert other.branch_names[0] == limb.branch_names[0]


def test_legs_that_mirror_each_other_have_the_same_names_but_for_left_and_right():
    robot = robots.read_urdf(robot_files.quadruped())
    left, right = (robot.leg(tip).branch_names for tip in ("FL_foot", "FR_foot"))
    assert left[0] == "hip left, knee backward"
    swapped = {"left": "right", "right": "left"}
    assert right == tuple(re.sub("left|right", lambda m: swapped[m[0]], name) for name in left)


def link(text, limb, number, angles):
    """Return where the link behind a joint is."""
    given = dict(zip(limb.joint_names, angles, strict=True))
    return np.array(robot_files.tip_of(text, f"l{number}", given))


REST = [0.0, 0.0, -0.5, 1.0, -0.5, 0.0]


@pytest.mark.parametrize("name", ["humanoid leg", "other ankle"])
def test_a_knee_that_is_forward_is_before_the_line_from_hip_to_ankle(name):
    text, _ = EVERY[name]
    limb = named(name, rest=REST)
    angles = np.random.default_rng(3).uniform(-0.3, 0.3, (20, 6)) + REST
    found = limb.solve_all(*limb.forward_kinematics(angles))
    for number, told in enumerate(limb.branch_names):
        for row in found.angles[:, number]:
            hip, knee, ankle = (link(text, limb, i, row) for i in (3, 4, 5))
            ahead = knee[0] - hip[0] - (ankle - hip)[0] * (knee - hip)[2] / (ankle - hip)[2]
            assert (ahead > 0.0) == ("knee forward" in told)
    assert limb.branch_names[0] == "knee forward"


def test_an_arm_has_its_elbow_where_the_name_says():
    text, tip = EVERY["kuka"]
    rest = [0.0, -0.7, 1.2, 0.0, 0.7, 0.0]
    limb = robots.read_urdf(text).limb(tip, rest=rest)
    found = limb.solve_all(*limb.forward_kinematics(rest))
    heights = {}
    for told, row in zip(limb.branch_names[:4], found.angles[:4], strict=True):
        heights[told] = link(text, limb, 3, row)[2]
    up = [height for told, height in heights.items() if "elbow up" in told]
    down = [height for told, height in heights.items() if "elbow down" in told]
    assert len(up) == len(down) == 2
    assert min(up) > max(down) + 0.1


def test_branches_are_chosen_by_their_names():
    leg = named("quadruped")
    target = leg.forward_kinematics([0.1, 0.8, -1.5])
    for number, told in enumerate(leg.branch_names):
        angles = leg.solve_xyz(*target.tolist(), branch=told)
        assert angles == leg.solve_xyz(*target.tolist(), branch=number)
    with pytest.raises(RobotError, match="no branch 'knee up'; this limb has: 'hip right, knee ba"):
        leg.solve_xyz(*target.tolist(), branch="knee up")
    arm = named("desk arm")
    assert arm.branch_names[1] == "elbow up"
    given = [*arm.forward_kinematics(arm.rest + 0.1).tolist(), 0.3]
    assert arm.solve_xyz(*given, branch="elbow up") == arm.solve_xyz(*given, branch=1)
    limb = named("humanoid leg", rest=REST)
    pose = [part.tolist() for part in limb.forward_kinematics(REST)]
    assert limb.solve_pose(*pose, "knee backward") == limb.solve_pose(*pose, 2)
    hand = named("iiwa")
    pose = [part.tolist() for part in hand.forward_kinematics(hand.rest + 0.3)]
    assert hand.solve_pose(*pose, branch="wrist flipped") == hand.solve_pose(*pose, branch=1)
