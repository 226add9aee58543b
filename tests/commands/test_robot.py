"""`twobone robot`: what it lists, and the tables it writes."""

import csv

import numpy as np
import pytest

import robot_files
from twobone import cli, robots


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    (tmp_path / "dog.urdf").write_text(robot_files.quadruped())
    (tmp_path / "arm.urdf").write_text(robot_files.desk_arm())
    (tmp_path / "post.urdf").write_text('<robot name="post"><link name="a"/></robot>')
    (tmp_path / "feet.csv").write_text(
        "frame;x;y;z;who\n1;0.2;-0.14;-0.3;a\n2;0.2;-0.14;-0.9;b\n3;nan;0;0;c\n"
    )
    (tmp_path / "flat.csv").write_text("x,y\n1,2\n")
    monkeypatch.chdir(tmp_path)


def run(line):
    return cli.run(line.split())


def test_limbs_are_listed(capsys):
    assert run("robot dog.urdf") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "robot: 23 links, 22 joints"
    at = lines.index("FR_foot  leg from base")
    assert lines[at + 1 : at + 8] == [
        "  bones     0.213, 0.213 m",
        "  offset    -0.0955 m",
        "  branches  4",
        "  skew      0 rad",
        "  FR_hip_joint    -1.0472 to 1.0472 rad",
        "  FR_thigh_joint  -1.5708 to 3.4907 rad",
        "  FR_calf_joint   -2.7227 to -0.8378 rad",
    ]
    assert "these do not fit:" not in lines


def test_limbs_of_six_joints_are_listed_with_their_class(capsys, tmp_path):
    (tmp_path / "man.urdf").write_text(robot_files.humanoid_leg())
    assert run("robot man.urdf") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:8] == [
        "tip  limb with 6 joints from l0",
        "  class     three axes that meet at one end, and two parallel ones square to the axis at"
        " the other",
        "  branches  8",
        "  gap       0 m",
        "  skew      0 rad",
        "  j1  -0.3490 to 1.5700 rad",
    ]
    np.save("feet.npy", [[0.0, 0.0, -0.9]])
    assert run("robot man.urdf --limb tip feet.npy") == 2
    assert "tip has 6 joints: its target is a pose, and a table" in capsys.readouterr().err


def test_limbs_of_seven_joints_are_listed_with_what_is_free(capsys, tmp_path):
    for name, free in (("iiwa", "swivel angle of the elbow"), ("panda", "j7")):
        (tmp_path / "arm.urdf").write_text(robot_files.SEVEN[name]())
        assert run("robot arm.urdf") == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[2] == "tip  limb with 7 joints from l0"
        assert f"  free      {free}" in lines


def test_what_does_not_fit_is_told(capsys):
    assert run("robot arm.urdf") == 0
    printed = capsys.readouterr().out
    assert "tip  arm from base\n  bones     0.116, 0.135, 0.1592 m\n" in printed
    assert "these do not fit:\n  jaw: 6 joints from base (pan, lift, elbow, wrist," in printed
    assert run("robot post.urdf") == 0
    printed = capsys.readouterr().out
    assert (
        printed
        == "post: 1 link, 0 joints\n\nno limbs found\nNo link is moved by two joints or more.\n"
    )


def test_a_table_is_solved(capfd):
    assert run("robot dog.urdf --limb FR_foot feet.csv -o angles.csv") == 0
    assert capfd.readouterr() == (
        "",
        "twobone: feet.csv: INVALID targets, with NaN or infinite numbers: 1\n",
    )
    with open("angles.csv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    leg = robots.read_urdf("dog.urdf").limb("FR_foot")
    answer = leg.reach([[0.2, -0.14, -0.3], [0.2, -0.14, -0.9]])
    for row, angles, end in zip(rows, answer.angles, answer.end, strict=False):
        assert [float(row[name]) for name in leg.joint_names] == angles.tolist()
        assert [float(row[f"end_{axis}"]) for axis in "xyz"] == end.tolist()
    assert [row["status"] for row in rows] == ["REACHED", "TOO_FAR", "INVALID"]
    assert [row["within"] for row in rows] == ["true", "false", "false"]
    assert [row["who"] for row in rows] == ["a", "b", "c"]
    assert list(rows[0])[:2] == ["frame", "FR_hip_joint"]


def test_rest_clamp_and_arrays(capfd):
    np.save("feet.npy", [[0.2, -0.14, -0.3], [0.2, -0.14, -0.9]])
    assert run("robot dog.urdf --limb FR_foot --rest 0,0.9,1.8 feet.npy") == 0
    first = capfd.readouterr().out.splitlines()[1].split(",")
    assert float(first[1]) == pytest.approx(0.769265, abs=1e-6)  # the only one within limits
    assert run("robot dog.urdf --limb FR_foot --clamp feet.npy") == 0
    second = capfd.readouterr().out.splitlines()[2].split(",")
    assert float(second[2]) == -0.83776


def test_a_point_of_the_tip(capfd):
    assert run("robot dog.urdf --limb FR_foot feet.csv") == 0
    wanted = capfd.readouterr().out
    assert run("robot dog.urdf --limb FR_calf --point 0,0,-0.213 feet.csv") == 0
    found = capfd.readouterr().out
    for row, other in zip(wanted.splitlines()[1:], found.splitlines()[1:], strict=True):
        ours, theirs = (each.split(";") for each in (row, other))
        assert ours[7:] == theirs[7:]
        numbers = np.array([ours[1:7], theirs[1:7]], float)
        np.testing.assert_allclose(*numbers, atol=1e-12)


def test_names_of_joints_are_quoted_and_differ_from_other_columns(capfd, tmp_path):
    text = robot_files.quadruped().replace("FR_hip_joint", "hip, &quot;front;\ttwo&quot;")
    (tmp_path / "odd.urdf").write_text(text)
    assert run("robot odd.urdf --limb FR_foot feet.csv -o angles.csv") == 0
    with open("angles.csv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert list(rows[0])[:3] == ["frame", 'hip, "front; two"', "FR_thigh_joint"]
    assert [row["status"] for row in rows] == ["REACHED", "TOO_FAR", "INVALID"]
    assert [row["who"] for row in rows] == ["a", "b", "c"]
    capfd.readouterr()
    text = robot_files.quadruped().replace("FR_hip_joint", "end_x")
    (tmp_path / "same.urdf").write_text(text)
    assert run("robot same.urdf --limb FR_foot feet.csv") == 2
    assert "two columns 'end_x'" in capfd.readouterr().err


def test_the_tool_of_an_arm(capfd):
    np.save("picks.npy", [[-0.17, 0.04, 0.0]])
    assert run("robot arm.urdf --limb tip --pitch -1.5708 --roll 0.3 picks.npy") == 0
    header, row = (line.split(",") for line in capfd.readouterr().out.splitlines())
    assert header[:5] == ["pan", "lift", "elbow", "wrist", "roll"]
    assert row[4] == "0.3"
    assert row[8] == "REACHED"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none.urdf", "none.urdf: No such file"),
        ("feet.csv", "feet.csv, line 1, column 6: expected an XML document"),
        ("dog.urdf feet.csv", "a table of targets needs --limb LINK"),
        ("dog.urdf --rest 0,0,0", "--rest needs --limb LINK"),
        ("dog.urdf --base base --clamp", "--base needs --limb LINK"),
        ("dog.urdf --pitch 1", "--pitch needs --limb LINK"),
        ("dog.urdf --roll 0", "--roll needs --limb LINK"),
        ("dog.urdf --clamp", "--clamp needs --limb LINK"),
        ("dog.urdf --point 0,0,1", "--point needs --limb LINK"),
        ("dog.urdf --limb FR_calf --point 0,a,0 feet.csv", "--point must be three numbers such as"),
        ("dog.urdf --limb FR_calf --point 0,0 feet.csv", "`point` must be three finite numbers"),
        ("dog.urdf --limb FR_foot", "--limb needs a table of targets"),
        ("dog.urdf --limb FR_toe feet.csv", "`tip` must be a link of the robot, got 'FR_toe'"),
        ("dog.urdf --limb FR_foot flat.csv", "flat.csv: expected columns x, y and z, got x and y"),
        ("dog.urdf --limb FR_foot --rest a feet.csv", "--rest must be angles such as 0,0.9,-1.8"),
        ("dog.urdf --limb FR_foot --rest 1 feet.csv", "`rest` must be 3 finite angles"),
        ("dog.urdf --limb FR_foot --pitch 1 feet.csv", "FR_foot is a leg, which takes neither"),
        ("arm.urdf --limb tip feet.csv", "tip is an arm, which needs --pitch"),
        ("dog.urdf --limb FR_foot feet.csv -o a.npy", "a.npy: angles are written as CSV"),
        ("dog.urdf --limb FR_foot feet.csv -o feet.csv", "are the same file"),
        ("dog.urdf --limb FR_foot feet.csv -o ./dog.urdf", "the robot and --output are the same"),
        ("arm.urdf --limb jaw feet.csv", "jaw: 6 joints from base (pan, lift"),
    ],
)
def test_mistakes_are_told_in_one_line(line, message, capsys):
    assert run(f"robot {line}") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert message in printed.err


def test_a_robot_of_misfits_alone_is_told(capsys):
    axes = ("1 0 0", "1 1 0", "0 1 0")  # the second is neither parallel nor square
    joints = "".join(
        f'<joint name="{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0 0 1"/><axis xyz="{axis}"/><limit lower="-1" upper="1"/></joint>'
        f'<link name="l{i + 1}"/>'
        for i, axis in enumerate(axes)
    )
    with open("odd.urdf", "w") as file:
        file.write(f'<robot name="odd"><link name="l0"/>{joints}</robot>')
    assert run("robot odd.urdf") == 0
    told = capsys.readouterr().out.splitlines()
    assert "no limbs found" in told
    assert "these do not fit:" in told
    assert not any("two joints or more" in line for line in told)
