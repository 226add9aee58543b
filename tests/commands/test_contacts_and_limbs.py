"""`twobone contacts` and `twobone limbs`: what they print and write."""

import json

import numpy as np
import pytest

import clip_files
import dinosaurs
import walkers
from twobone import cli, motion


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "walk.bvh"
    motion.save(walkers.walk(30, seconds=1.5, stretch=1.15).clip, path)
    return path


def run(*arguments):
    return cli.run([*map(str, arguments)])


@pytest.mark.parametrize("command", ["contacts", "limbs"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("none.bvh", "none.bvh: No such file"),
        ("walk.bvh --clip a", "--clip: expected 0 or None (BVH"),
    ],
)
def test_mistakes_are_told_in_one_line(command, arguments, message, path, monkeypatch, capsys):
    monkeypatch.chdir(path.parent)
    assert run(command, *arguments.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert message in printed.err


def test_a_file_that_cannot_be_written_is_told_before_the_work(path, monkeypatch, capsys):
    monkeypatch.setattr(motion, "find_contacts", None)  # which is not called
    assert run("contacts", path, "-o", path.parent / "no" / "labels.json") == 2
    assert "labels.json: No such file" in capsys.readouterr().err


# --- contacts -----------------------------------------------------------------------------


def test_contacts_are_written_as_pin_reads_them(path, tmp_path, capfd):
    labels = tmp_path / "labels.json"
    assert run("contacts", path, "-o", labels) == 0
    clip = motion.load(path)
    found = motion.find_contacts(clip)
    assert motion.read_labels(labels, clip) == found
    assert capfd.readouterr() == ("", "")
    assert run("contacts", path) == 0
    printed = capfd.readouterr()
    assert printed.out == labels.read_text()
    assert json.loads(printed.out)["frames"] == len(clip)
    assert run("pin", path, "-o", tmp_path / "out.bvh", "--contacts", labels, "-q") == 0
    pinned = motion.load(tmp_path / "out.bvh").pose.rotations
    np.testing.assert_allclose(pinned, motion.pin(clip).clip.pose.rotations, atol=1e-12)


def test_contacts_take_no_height_of_the_ground(path, capsys):
    # Feet rest on the ground where they are lowest, so that a height would change nothing.
    assert run("contacts", path, "--ground", "-5") == 2
    assert "No such option" in capsys.readouterr().err


def test_contacts_do_not_replace_the_clip(path, capsys):
    before = path.read_bytes()
    assert run("contacts", path, "-o", path) == 2
    assert "would be written over an input" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_contacts_of_a_clip_without_legs_are_an_error(tmp_path, capsys):
    path = tmp_path / "stick.bvh"
    joint = "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
    path.write_text(f"HIERARCHY\n{joint}MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n")
    assert run("contacts", path) == 2
    assert "a skeleton with legs" in capsys.readouterr().err
    assert run("limbs", path) == 0
    assert "limbs       none found" in capsys.readouterr().out


# --- limbs --------------------------------------------------------------------------------


def test_limbs_are_printed_with_units_and_axis(path, capsys):
    assert run("limbs", path) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == ["frames 45 at 30 a second, 1.50 s", "joints 11", "up y (guessed)"]
    assert lines[3].startswith("unit ")
    assert lines[3].endswith(" m (guessed)")
    assert lines[6] == "start mid end toe confidence"
    assert lines[7].startswith("left leg left thigh left shin left foot left toes ")
    assert len(lines) == 9


def test_limbs_of_a_person_and_its_t_pose(capsys):
    assert run("limbs", clip_files.path_of("cmu_bvh/02_01.bvh")) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "T-pose rest pose and first frame" in lines
    assert "right arm RightArm RightForeArm RightHand - 1.00" in lines


def test_the_clips_of_a_file_are_listed(capsys):
    assert run("limbs", clip_files.path_of(clip_files.FOX)) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0][:2] == ["3", "clips;"]
    assert lines[1:] == [["0", "Survey"], ["1", "Walk"], ["2", "Run"]]
    assert run("limbs", clip_files.path_of(clip_files.FOX), "--clip", "Run") == 0
    assert "frames      29 at 24 a second" in capsys.readouterr().out


def test_legs_in_the_air_are_told(tmp_path, capsys):
    path = tmp_path / "dinosaur.glb"
    motion.save(dinosaurs.standing(0.9), path)
    assert run("limbs", path) == 0
    lines = capsys.readouterr().out.splitlines()
    marked = [line.split("  ")[0] for line in lines if "never near the ground" in line]
    assert marked == ["left front leg", "right front leg"]
    assert run("contacts", path) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["contacts"]["FrontFoot.L"] == []
    told = "twobone: no contacts of the {} front leg, which never comes near the ground\n"
    assert printed.err == told.format("left") + told.format("right")


def test_detached_feet_are_marked(capsys):
    assert run("limbs", clip_files.path_of(clip_files.HORSE), "--clip", "0") == 0
    text = capsys.readouterr().out
    assert text.count("detached foot") == 4
    assert "T-pose      neither rest pose nor first frame" in text
