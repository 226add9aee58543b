"""`twobone joints`: arrays in, clips out; several motions; what is said and what fails."""

import numpy as np
import pytest

import clip_files
import complaints
import moving_joints
from twobone import cli, motion
from twobone.errors import ClipError, FileError
from twobone.motion.joints import reading


@pytest.fixture(scope="module")
def points():
    return moving_joints.positions(moving_joints.person(40))


def run(*arguments):
    return cli.run(["joints", *map(str, arguments)])


def complaint(capsys, *arguments):
    return complaints.complaint(capsys, "joints", *arguments)


def written(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".jsonl")


def apart(path, points):
    return np.abs(motion.load(path).joints()[:, : points.shape[1]] - points).max()


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_an_array_becomes_a_clip(points, tmp_path, suffix, capsys):
    source, out = tmp_path / "walk.npy", tmp_path / f"walk{suffix}"
    np.save(source, points)
    assert run(source, "--fps", 20, "-o", out) == 0
    clip = motion.load(out)
    assert clip.fps == pytest.approx(20.0)
    place = [clip.skeleton.index(name) for name in ("left_wrist", "right_foot", "head")]
    assert np.abs(clip.joints()[:, place] - points[:, [20, 11, 15]]).max() < 1e-5
    assert capsys.readouterr().out == ""
    if suffix == ".bvh":  # a reader and kinematics that are not ours
        read = clip_files.bvh(out)
        place = [read.skeleton.names.index(name) for name in ("left_wrist", "right_foot", "head")]
        assert (
            np.abs(moving_joints.positions(read)[:, place] - points[:, [20, 11, 15]]).max() < 1e-5
        )


def test_one_array_goes_into_a_folder_under_its_own_name(points, tmp_path):
    np.save(tmp_path / "walk.npy", points)
    for out in (tmp_path, f"{tmp_path / 'new'}/"):
        assert run(tmp_path / "walk.npy", "--fps", 20, "-q", "-o", out) == 0
    assert written(tmp_path) == ["new", "walk.bvh", "walk.npy"]
    assert written(tmp_path / "new") == ["walk.bvh"]


def test_results_of_motion_diffusion_become_a_folder(points, tmp_path, capsys):
    source, out = tmp_path / "results.npy", tmp_path / "motions"
    both = np.stack([points, points[::-1]]).transpose(0, 2, 3, 1)
    np.save(source, {"motion": both, "text": ["a", "b"], "lengths": np.array([40, 25])})
    assert run(source, "--fps", 20, "--pin", "--glb", "-o", out) == 0
    assert written(out) == ["results_0.glb", "results_1.glb"]
    assert [len(motion.load(out / f"results_{n}.glb")) for n in (0, 1)] == [40, 25]
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].startswith("file ")
    assert "results_1" in printed.out


def test_animations_have_the_names_of_their_files(points, tmp_path):
    np.save(tmp_path / "results.npy", {"motion": np.stack([points] * 2).transpose(0, 2, 3, 1)})
    for pin in [["--pin"], []]:
        assert run(tmp_path / "results.npy", "--fps", 20, "--glb", "-o", tmp_path, *pin) == 0
        assert motion.load(tmp_path / "results_1.glb").name == "results_1"


def test_several_motions_are_not_written_to_a_folder_that_is_named_as_a_file(
    points, tmp_path, capsys
):
    np.save(tmp_path / "two.npy", np.stack([points] * 2))
    out = tmp_path / "two.bvh"
    said = complaint(capsys, tmp_path / "two.npy", "--fps", 20, "-o", out)
    assert f"--output must be a folder for several files, got {out}" in said
    assert not out.exists()


def test_motions_that_fail_do_not_stop_the_others(points, tmp_path, capsys):
    source, out = tmp_path / "two.npz", tmp_path / "out"
    holes = points.copy()
    holes[:, 5] = np.nan
    gap = points.copy()
    gap[10:12, 20] = np.nan
    np.savez(source, whole=points, none=holes, gap=gap, fps=np.array(20.0), other=np.ones((3, 3)))
    assert run(source, "--fps", 20, "-o", out) == 1
    printed = capsys.readouterr().err
    assert "two_none: " in printed
    assert "none of right_knee" in printed
    assert "two_gap: gaps were filled in 2 of 40 frames, of left_wrist" in printed
    assert "1 of 3 motions failed" in printed
    assert written(out) == ["two_gap.bvh", "two_whole.bvh"]
    alone = tmp_path / "alone.npy"
    np.save(alone, points)
    assert run(alone, "--fps", 20, "-q", "-o", tmp_path / "alone.bvh") == 0
    assert (tmp_path / "alone.bvh").read_bytes() == (out / "two_whole.bvh").read_bytes()


def test_contacts_of_features_are_taken(points, tmp_path):
    points = points - points[:1, :1] * [1.0, 0.0, 1.0]
    contacts = np.zeros((40, 4))
    contacts[5:20, 0] = 1.0
    source = tmp_path / "features.npy"
    np.save(source, moving_joints.features(points, contacts))
    [found] = reading.read_joints(source)
    assert found.contacts["left_ankle"] == [(5, 20)]
    assert found.contacts["right_foot"] == []
    assert run(source, "--fps", 20, "--pin", "-q", "-o", tmp_path / "out.glb") == 0
    clip = motion.load(tmp_path / "out.glb")
    held = clip.joints()[5:20, clip.skeleton.index("left_ankle")]
    assert np.ptp(held, axis=0).max() < 1e-5


@pytest.mark.parametrize(
    ("shape", "count", "frames"),
    [
        ((40, 22, 3), 1, 40),
        ((22, 3, 40), 1, 40),
        ((3, 40, 22, 3), 3, 40),
        ((3, 22, 3, 40), 3, 40),
        ((40, 263), 1, 40),
        ((2, 40, 251), 2, 40),
    ],
)
def test_shapes_of_arrays(shape, count, frames, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros(shape, np.float32))
    found = reading.read_joints(tmp_path / "a.npy")
    assert len(found) == count
    assert {each.points.shape[0] for each in found} == {frames}
    assert found[0].name == ("a" if count == 1 else "a_0")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.ones((5, 66)), r"arrays of shape \(T, J, 3\).*got \(5, 66\)"),
        (np.array(["a"]), "expected numbers, got text"),
        ({"lengths": 3}, "a dictionary with an array 'motion', got one with 'lengths'"),
        ({"motion": {1, 2}}, "a pickle of arrays"),
        ({"motion": np.array(["a"])}, r"arrays of shape \(T, J, 3\).*got \(1,\)"),
        (np.array("walk", object), "a dictionary with an array 'motion', got str"),
    ],
)
def test_files_without_motions(value, text, tmp_path):
    np.save(tmp_path / "a.npy", value, allow_pickle=True)
    with pytest.raises((ClipError, FileError), match=text):
        reading.read_joints(tmp_path / "a.npy")


def test_files_of_other_kinds_have_no_joints(tmp_path):
    np.savez(tmp_path / "a.npz", poses=np.zeros((5, 66)), trans=np.zeros((5, 3)))
    with pytest.raises(ClipError, match="got rotations of SMPL, which `motion"):
        reading.read_joints(tmp_path / "a.npz")
    for name, came in (("a.txt", "'.txt'"), ("a", "one without an ending")):
        with pytest.raises(ClipError, match=f"npz, got {came}"):
            reading.read_joints(tmp_path / name)


def test_errors_name_the_option(points, tmp_path, capsys):
    source = tmp_path / "walk.npy"
    np.save(source, points)
    out = tmp_path / "out.bvh"
    assert "--ends must be shared, exact" in complaint(
        capsys, source, "--fps", 20, "-o", out, "--ends", "near"
    )
    assert "--up must be y, z" in complaint(capsys, source, "--fps", 20, "-o", out, "--up", "x")
    assert "--glb is for folders" in complaint(capsys, source, "--fps", 20, "-o", out, "--glb")
    assert ".bvh, .glb" in complaint(capsys, source, "--fps", 20, "-o", tmp_path / "out.txt")
    wanted = "its unit is probably 1 m"
    assert wanted in complaint(capsys, source, "--fps", 20, "-o", out, "--metres", 0.01)
    assert "expected 22 joints for smpl22" not in capsys.readouterr().err
    np.save(source, np.ones((5, 17, 3)))
    assert "'coco17' or 'h36m17'" in complaint(capsys, source, "--fps", 20, "-o", out)
    source.write_bytes(b"")
    assert "a .npy file" in complaint(capsys, source, "--fps", 20, "-o", out)
    assert not out.exists()
