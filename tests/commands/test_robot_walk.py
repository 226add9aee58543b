"""`twobone walk --robot`: the files it writes, and options that do not go together."""

import csv

import numpy as np
import pytest

import robot_files
from twobone import cli, robots
from twobone.commands import robot_walk


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    (tmp_path / "dog.urdf").write_text(robot_files.quadruped())
    (tmp_path / "big.urdf").write_text(robot_files.large_quadruped())
    (tmp_path / "bad.urdf").write_text("<robot")
    monkeypatch.chdir(tmp_path)


def run(line):
    return cli.run(f"walk {line}".split())


def test_walks_are_written(capsys, tmp_path):
    line = "--robot dog.urdf --rest 0,0.9,-1.8 --seconds 0.5 --fps 30 --speed 0.05 --turn 0.1"
    line += " --lead-in 0.2"
    line += " --terrain slope --foot-radius 0.02 --forward y --out walk.npz --out walk.csv"
    assert run(line) == 0
    assert capsys.readouterr() == ("", "")
    wanted = robots.walk(
        robots.read_urdf(tmp_path / "dog.urdf"),
        [0.0, 0.9, -1.8],
        seconds=0.5,
        fps=30,
        speed=0.05,
        turn=0.1,
        terrain="slope",
        foot_radius=0.02,
        forward="y",
        lead_in=0.2,
    )
    with np.load("walk.npz", allow_pickle=False) as found:
        for name, value in wanted._asdict().items():
            assert np.array_equal(found[name], np.array(value)), name
    with open("walk.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    angles = [[float(row[name]) for name in wanted.joint_names] for row in rows]
    assert angles == wanted.angles.tolist()


def test_each_leg_may_have_its_own_rest_pose(tmp_path):
    legs = {"LF": (0.6, -1.2), "RF": (-0.6, 1.2), "LH": (-0.6, 1.2), "RH": (0.6, -1.2)}
    rest = {f"{name}_foot": [0.0, *pair] for name, pair in legs.items()}
    line = " ".join(f"--rest {tip}={','.join(map(str, each))}" for tip, each in rest.items())
    assert run(f"--robot big.urdf {line} --seconds 0.2 --out walk.npz") == 0
    wanted = robots.walk(robots.read_urdf(tmp_path / "big.urdf"), rest, seconds=0.2)
    with np.load("walk.npz") as found:
        assert np.array_equal(found["angles"], wanted.angles)


@pytest.mark.parametrize("quiet", ["", " --quiet"])
def test_feet_beyond_limits_are_told(quiet, capsys, tmp_path):
    text = robot_files.quadruped().replace('"-1.0472" upper="1.0472"', '"-0.1" upper="0.1"')
    (tmp_path / "dog.urdf").write_text(text)
    line = f"--robot dog.urdf --rest 0,0.9,-1.8 --seconds 2 --fps 20 --out walk.csv{quiet}"
    assert run(line) == 0
    told = capsys.readouterr().err
    if quiet:
        assert told == ""
        return
    with open("walk.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    beyond = [abs(float(row["FL_hip_joint"])) > 0.1 for row in rows]
    assert 1 < sum(beyond) < 41
    wanted = f"twobone: FL_foot is beyond the limits of its joints in {sum(beyond)} frames,"
    assert told.splitlines()[0] == f"{wanted} first after {beyond.index(True) / 20:.2f} s"


def test_a_blocked_walk_and_single_frames_are_told(capsys):
    robot = robots.read_urdf("dog.urdf")
    walk = robots.walk(robot, [0.0, 0.9, -1.8], seconds=0.5, fps=20)
    robot_walk.note(walk)
    assert capsys.readouterr().err == ""
    within = walk.within.copy()
    within[3, 1] = False
    robot_walk.note(walk._replace(blocked=walk.time > 0.21, within=within))
    assert capsys.readouterr().err.splitlines() == [
        "twobone: FR_foot is beyond the limits of its joints in 1 frame, first after 0.15 s",
        "twobone: the robot cannot go on for 0.30 s, first after 0.25 s, and stays there",
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--robot dog.urdf --rest 0,0.9,-1.8", "nothing to do: give --out FILE"),
        ("--robot dog.urdf --out a.csv", "--robot needs --rest ANGLES"),
        ("--rest 0,0.9,-1.8 --out a.npz", "--rest needs --robot FILE"),
        ("--forward x --out a.npz", "--forward needs --robot FILE"),
        ("--foot-radius 0 --out a.npz", "--foot-radius needs --robot FILE"),
        ("--lead-in 1 --out a.npz", "--lead-in needs --robot FILE"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --lead-in -1 --out a.npz", "-1"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --lead-in 1e9 --out a.npz", "--lead-in must take at"),
        ("--robot dog.urdf --rest 0,1,2 --gait trot", "--gait and --robot exclude each other"),
        ("--robot dog.urdf --rest 0,1,2 --duty-factor .7", "--duty-factor and --robot exclude"),
        ("--robot dog.urdf --rest 0,1,2 --creature dog", "--creature and --robot exclude"),
        ("--robot dog.urdf --rest 0,1,2 --report", "--report and --robot exclude"),
        ("--robot dog.urdf --rest 0,1,2 --out a.glb", "a name that ends in .npz or .csv"),
        ("--robot dog.urdf --rest 0,1,2 --out a.csv --out a.csv", "--out a.csv is given twice"),
        ("--robot dog.urdf --rest 0,1,2 --rest 0,1,2 --out a.csv", "once for each leg as LINK="),
        ("--robot dog.urdf --rest a=0,1 --rest a=0,1 --out a.csv", "once for each leg as LINK="),
        ("--robot dog.urdf --rest a=0,b,1 --out a.csv", "--rest must be angles such as"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --forward z --out a.csv", "`forward` must be one of"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --terrain sea --out a.csv", "--terrain must be"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --seconds 0 --out a.csv", "--seconds must be above 0"),
        ("--robot dog.urdf --rest 0,.9,-1.8 --out no/a.csv", "no/a.csv: No such file"),
        ("--robot none.urdf --rest 0,.9,-1.8 --out a.csv", "none.urdf: No such file"),
        ("--robot bad.urdf --rest 0,.9,-1.8 --out a.csv", "bad.urdf"),
    ],
)
def test_what_is_refused(line, words, capsys, tmp_path):
    before = sorted(tmp_path.iterdir())
    assert run(line) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
    assert sorted(tmp_path.iterdir()) == before
