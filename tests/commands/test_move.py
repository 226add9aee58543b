"""`twobone move`: the file it writes, and what it says."""

import numpy as np
import pytest

import people
import walkers
from twobone import cli, motion


def run(*arguments):
    return cli.run(["move", *map(str, arguments)])


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "stand.bvh"
    motion.save(people.standing(60), path)
    return path


def hand(path):
    clip = motion.load(path)
    return walkers.positions(clip)[:, clip.skeleton.index("LeftHand")] / clip.metres


def test_a_point_is_reached_in_the_frames_that_are_named(source, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    point = ("--to", "-0.1,1.4,0.4")
    assert run(source, "LeftHand", *point, "--frames", "20:30", "-o", out) == 0
    assert capsys.readouterr() == ("", "")
    assert np.abs(hand(out)[20:30] - [-0.1, 1.4, 0.4]).max() < 1e-9
    assert np.array_equal(hand(out)[[0, 9, 40, 59]], hand(source)[[0, 9, 40, 59]])


def test_a_joint_is_followed_and_a_path(source, tmp_path):
    out, table = tmp_path / "out.bvh", tmp_path / "path.csv"
    assert run(source, "LeftHand", "--to", "Head", "--offset", "0.1,0,0.1", "-o", out) == 0
    clip = motion.load(source)
    head = clip.skeleton.rest.positions[clip.skeleton.index("Head")]
    assert np.abs(hand(out) - head - [0.1, 0.0, 0.1]).max() < 1e-9
    table.write_text("x,y,z\n0.2,1.4,0.3\n0.3,1.4,0.3\n")
    assert run(source, "LeftHand", "--along", table, "--frames", "4:6", "-o", out) == 0
    assert np.abs(hand(out)[4:6] - [[0.2, 1.4, 0.3], [0.3, 1.4, 0.3]]).max() < 1e-9


def test_a_target_out_of_reach_is_told(source, tmp_path, capsys):
    assert run(source, "LeftHand", "--to", "9,1,1", "-o", tmp_path / "out.bvh") == 0
    assert "LeftHand misses the target by up to" in capsys.readouterr().err
    assert run(source, "LeftHand", "--to", "9,1,1", "-o", tmp_path / "out.bvh", "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("LeftHand", "give the target by --to or by --along"),
        ("LeftHand --to 1,2", "--to must be three numbers such as 0.3,1.2,-0.4, got '1,2'"),
        ("LeftHand --to 1,2,3 --offset 1,2,3", "--offset belongs to a joint"),
        ("LeftHand --to Head --frames 5", "--frames must be FIRST:STOP such as 120:180, got '5'"),
        ("LeftHand --to Head --frames 5:99", "within the 60 frames"),
        ("Head --to 1,2,3", "the end of a limb (LeftFoot"),
    ],
)
def test_mistakes_are_told_in_one_line(source, tmp_path, arguments, message, capsys):
    out = tmp_path / "out.bvh"
    assert run(source, *arguments.split(), "-o", out) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert message in printed
    assert not out.exists()
    assert run(source, "LeftHand", "--to", "1,1,1", "-o", source) == 2
    assert "would be written over an input" in capsys.readouterr().err
