"""`twobone retarget`: the file it writes, and what it says."""

import numpy as np
import pytest

import people
import walkers
from twobone import Skeleton, cli, motion


def run(*arguments):
    return cli.run(["retarget", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    """Write a clip and a model of half its size; return their paths."""
    source, model = tmp_path / "stand.bvh", tmp_path / "small.glb"
    clip = people.standing(30, right_hip=-20)
    motion.save(clip, source)
    person = clip.skeleton
    small = Skeleton(person.parents, 0.5 * person.offsets, names=person.names)
    motion.save(motion.Clip(small, clip[:1].pose._replace(translations=None), 30), model)
    return source, model


def test_the_motion_is_written_into_the_model(files, tmp_path, capsys):
    source, model = files
    out = tmp_path / "out.glb"
    assert run(source, "--to", model, "-o", out) == 0
    assert capsys.readouterr() == ("", "")
    *_, made = motion.load_all(out)
    assert (made.name, len(made)) == ("stand", 30)
    before, after = walkers.positions(motion.load(source)), walkers.positions(made)
    scale = after[0, :, 1].max() / before[0, :, 1].max()
    assert np.abs(after - scale * before).max() < 1e-3


def test_a_file_without_the_model_is_told(files, tmp_path, capsys):
    source, model = files
    out = tmp_path / "out.bvh"
    assert run(source, "--to", model, "-o", out, "--hands", "world", "--no-hold") == 0
    assert (
        "out.bvh has a skeleton alone; a .glb file would keep the model" in capsys.readouterr().err
    )
    assert len(motion.load(out)) == 30
    assert run(source, "--to", model, "-o", out, "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("stand.bvh --to small.glb --hands feet -o out.glb", "--hands must be body or world"),
        ("stand.bvh --to small.glb -o stand.bvh", "would be written over an input"),
        ("stand.bvh --to none.glb -o out.glb", "none.glb: No such file"),
        ("stand.bvh --to legs.bvh -o out.glb", "one left and one right arm, got none"),
    ],
)
def test_mistakes_are_told_in_one_line(files, monkeypatch, arguments, message, capsys):
    monkeypatch.chdir(files[0].parent)
    motion.save(walkers.walk(30, seconds=1.0).clip, "legs.bvh")
    assert run(*arguments.split()) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert message in printed
