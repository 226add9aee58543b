"""Loading and saving clips: the suffix names the format, and files are whole or absent."""

from types import SimpleNamespace

import numpy as np
import pytest

import clip_files
from bvh_files import ODD
from gltf_files import IDENTITY, walker
from twobone import ArrayTypeError, ClipError, LocalPose, Skeleton, motion
from twobone.motion import from_gltf


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "walk.BVH"
    found.write_bytes(ODD)
    return found


def test_a_clip_is_loaded_and_saved_by_suffix(path, tmp_path):
    clip = motion.load(str(path))
    assert len(clip) == 2
    assert clip.document.source == str(path)
    motion.save(clip, tmp_path / "new.bvh")
    assert (tmp_path / "new.bvh").read_bytes() == ODD


@pytest.mark.parametrize("name", ["walk.fbx", "walk", "walk.bvh.txt"])
def test_other_suffixes_are_refused(path, name):
    for call in (
        motion.load,
        lambda path: motion.save(motion.load(path.parent / "walk.BVH"), path),
    ):
        with pytest.raises(ClipError, match=r"a name that ends in .*\.bvh"):
            call(path.parent / name)


def test_a_path_is_a_path(path):
    with pytest.raises(ArrayTypeError, match="path"):
        motion.load(7)
    with pytest.raises(ArrayTypeError, match="path"):
        motion.save(motion.load(path), None)


def test_a_bvh_file_holds_one_clip(path):
    with pytest.raises(ClipError, match=r"one clip, without a name\), got 'Walk'"):
        motion.load(path, clip="Walk")


def test_a_clip_that_cannot_be_saved_leaves_the_old_file(path):
    clip = motion.load(path)
    rotations = clip.pose.rotations.copy()
    rotations[0, 0] = np.nan
    with pytest.raises(ClipError, match="finite numbers"):
        motion.save(clip.with_pose(clip.pose._replace(rotations=rotations)), path)
    assert path.read_bytes() == ODD
    assert [each.name for each in path.parent.iterdir()] == ["walk.BVH"]


def test_a_broken_file_is_named(path):
    path.write_bytes(ODD[:300])
    with pytest.raises(ClipError, match=r"walk\.BVH, line \d+, column \d+: expected"):
        motion.load(path)


# --- the order of joints ------------------------------------------------------------------


CLIPS = ("cmu_bvh/02_01.bvh", clip_files.DAB, clip_files.FOX, clip_files.SPIDER, clip_files.HORSE)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CLIPS)
def test_joints_of_loaded_clips_have_the_same_order_after_saving_in_any_format(name, tmp_path):
    clip = motion.load_all(clip_files.path_of(name))[0]
    new = motion.Clip(clip.skeleton, clip.pose, clip.fps, up=clip.up, metres=clip.metres)
    names = clip.skeleton.names
    for first, second in ((".glb", ".bvh"), (".bvh", ".glb")):
        motion.save(new, tmp_path / f"one{first}")
        again = motion.load(tmp_path / f"one{first}")
        assert again.skeleton.names == names
        assert again.skeleton.parents == clip.skeleton.parents
        motion.save(again, tmp_path / f"two{second}")
        assert motion.load(tmp_path / f"two{second}").skeleton.names == names


def test_joints_of_arrays_are_loaded_depth_first(tmp_path):
    skeleton = Skeleton([2, -1, 1, 1], np.eye(4, 3), names=["tip", "root", "arm", "leg"])
    clip = motion.Clip(skeleton, LocalPose([skeleton.rotations] * 2), 30)
    for suffix in (".bvh", ".glb"):
        motion.save(clip, tmp_path / f"clip{suffix}")
        again = motion.load(tmp_path / f"clip{suffix}").skeleton
        assert again.names == ("root", "arm", "tip", "leg")
        assert again.parents == (-1, 0, 1, 0)


# --- several clips ------------------------------------------------------------------------


def test_zero_is_the_one_clip_of_a_bvh_file(path):
    assert motion.load(path, 0).pose.rotations.tolist() == motion.load(path).pose.rotations.tolist()
    [only] = motion.load_all(path)
    assert (only.name, len(only)) == (None, 2)
    for other in (1, True, "0"):
        with pytest.raises(ClipError, match=r"0 or None \(BVH files have one clip") as caught:
            motion.load(path, other)
        assert caught.value.field == "clip"


def several(folder):
    """Return a glTF file with two clips of the same joints, and one of another node."""
    made = walker()
    for number, name in enumerate(["run", "idle"]):
        turns = [IDENTITY, [0.0, 0.6, 0.0, 0.8], IDENTITY]
        made.animate(name, **{f"rotation_{number + 1}": ([0, 0.1, 0.2 + number], turns)})
    (folder / "several.glb").write_bytes(made.glb(extras={"note": "kept"}))
    return folder / "several.glb"


def test_all_clips_of_a_file_are_loaded_with_their_names(tmp_path):
    path = several(tmp_path)
    clips = motion.load_all(path)
    assert [clip.name for clip in clips] == ["walk", "run", "idle"]
    for index, clip in enumerate(clips):
        assert clip.pose.rotations.tolist() == motion.load(path, index).pose.rotations.tolist()


def rolled(clip, by=0.5):
    """Return a clip whose last joint has another rotation in each frame."""
    rotations = clip.pose.rotations.copy()
    rotations[:, -1] = [np.sin(by), 0.0, 0.0, np.cos(by)]
    return clip.with_pose(clip.pose._replace(rotations=rotations))


def test_all_clips_are_saved_into_one_file(tmp_path, validate):
    path, out = several(tmp_path), tmp_path / "out.glb"
    clips = motion.load_all(path)
    motion.save_all([clip.with_pose(clip.pose) for clip in clips], out)
    assert out.read_bytes() == path.read_bytes()
    motion.save_all([rolled(clips[0]), rolled(clips[2], 0.7)], out)
    again = motion.load_all(out)
    for clip, expected in zip(
        again, [rolled(clips[0]), clips[1], rolled(clips[2], 0.7)], strict=True
    ):
        np.testing.assert_allclose(clip.pose.rotations, expected.pose.rotations, atol=1e-6)
        assert clip.fps == expected.fps
    assert b'"note": "kept"' in out.read_bytes()
    assert validate(out.read_bytes())["numErrors"] == 0


def test_only_clips_of_one_file_are_saved_together(tmp_path, path):
    clips = motion.load_all(several(tmp_path))
    others = motion.load_all(several(tmp_path))
    for mixed in ([clips[0], others[1]], [clips[0], clips[0]], [motion.load(path), clips[0]]):
        with pytest.raises(
            ClipError, match="clips that one call of `load_all` returned, each once"
        ):
            motion.save_all(mixed, tmp_path / "out.glb")
    with pytest.raises(ClipError, match="at least one clip, got none"):
        motion.save_all([], tmp_path / "out.glb")
    with pytest.raises(ClipError, match="one clip, because BVH files cannot hold more, got 3"):
        motion.save_all(clips, tmp_path / "out.bvh")
    assert not (tmp_path / "out.glb").exists()


def test_a_list_of_many_clips_is_shortened(tmp_path):
    made = walker()
    for number in range(80):
        made.animate(f"movement {number}", rotation_1=([0, 1], [IDENTITY] * 2))
    (tmp_path / "many.glb").write_bytes(made.glb())
    with pytest.raises(ClipError, match=r"one of 'walk', 'movement 0'.* and 76 more, got none"):
        motion.load(tmp_path / "many.glb")


def test_many_clips_of_a_small_file_are_bounded():
    """Together they may be four times as large as one."""
    file = SimpleNamespace(source="many.glb", budget=40)
    from_gltf.check_size_of_clips(file, 160)
    with pytest.raises(ClipError, match="clips that fit the size of the file"):
        from_gltf.check_size_of_clips(file, 161)
