"""SMPL's arrays: joints are where their rotations put them, and come back from files."""

import numpy as np
import pytest

import moving_joints
from twobone import motion
from twobone.errors import ClipError, FileError
from twobone.motion import from_joints, loading

OFFSETS = np.where(np.arange(22)[:, None] == 0, [[0.01, -0.2, 0.03]], moving_joints.OFFSETS)


def amass(path, person, upright=False, width=156, **more):
    """Write the rotations of a person as AMASS has them; `upright` means z up."""
    x, y, z, w = np.moveaxis(person.pose.rotations, -1, 0)
    sine = np.sqrt(x * x + y * y + z * z)
    factor = 2.0 * np.arctan2(sine, w) / np.maximum(sine, 1e-12)
    vectors = factor[..., None] * np.stack([x, y, z], axis=-1)
    trans = person.pose.translations[:, 0] - OFFSETS[0]
    if upright:
        root = person.pose.rotations[:, 0]
        turned = lying_rotations(root)
        vectors[:, 0] = turned
        place = person.pose.translations[:, 0]
        trans = np.stack([place[:, 0], -place[:, 2], place[:, 1]], axis=-1) - OFFSETS[0]
    poses = np.zeros((len(person), width))
    poses[:, :66] = vectors.reshape(len(person), -1)
    poses[:, 66:] = more.pop("hands", 0.0)
    np.savez(
        path, poses=poses, trans=trans, **{"mocap_framerate": 30.0, "betas": np.ones(16), **more}
    )


def lying_rotations(root):
    """Return rotation vectors of rotations about y, then by 90 degrees about x."""
    from scipy.spatial.transform import Rotation

    return (Rotation.from_euler("x", 90, degrees=True) * Rotation.from_quat(root)).as_rotvec()


@pytest.fixture
def person():
    return moving_joints.person(20)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("width", [72, 156, 165])
def test_joints_are_where_the_rotations_put_them(person, tmp_path, upright, width):
    if upright:
        pytest.importorskip("scipy")
    path = tmp_path / "walk_poses.npz"
    amass(path, person, upright, width)
    offsets = np.concatenate([OFFSETS, [[0.08, 0, 0], [-0.08, 0, 0]]]) if width == 72 else OFFSETS
    clip = motion.load(path, offsets=offsets)
    points = moving_joints.positions(person)
    if upright:
        points = np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
    assert clip.up == ("z" if upright else "y")
    assert clip.fps == 30.0
    assert np.abs(moving_joints.positions(clip)[:, :22] - points).max() < 1e-9
    rest = clip.skeleton.rest.positions
    assert rest[15, "xyz".index(clip.up)] > rest[7, "xyz".index(clip.up)] + 1.0
    out = tmp_path / "out.npz"
    motion.save(clip, out)
    with np.load(path) as before, np.load(out) as after:
        np.testing.assert_allclose(after["poses"], before["poses"], atol=1e-9)
        np.testing.assert_allclose(after["trans"], before["trans"], atol=1e-9)
        assert after["mocap_framerate"] == 30.0


def test_hands_are_kept_and_the_skeleton_is_that_of_an_adult(person, tmp_path):
    path, out = tmp_path / "walk.npz", tmp_path / "out.npz"
    amass(path, person, hands=0.25)
    clip = motion.load(path)
    motion.save(clip, out)
    with np.load(out) as after:
        assert (after["poses"][:, 66:] == 0.25).all()
    motion.save(clip[:10], out)
    with np.load(out) as after:
        assert after["poses"].shape == (10, 156)
    heights = clip.skeleton.rest.positions[:, 1]
    assert 1.3 < np.ptp(heights) < 1.7
    assert len(motion.find_limbs(clip).legs) == 2


@pytest.mark.parametrize("upright", [False, True])
def test_clips_of_joints_become_smpl_and_bvh(person, tmp_path, upright):
    points = moving_joints.positions(person)
    if upright:
        points = np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)
    clip = from_joints(points, 20)
    motion.save(clip, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["poses"].shape == (20, 156)
        assert str(arrays["gender"]) == "neutral"
    rest = np.stack(
        [clip.skeleton.offsets[:, 0], clip.skeleton.offsets[:, 2], -clip.skeleton.offsets[:, 1]], -1
    )
    rest = rest if upright else clip.skeleton.offsets
    offsets = np.where(
        np.arange(22)[:, None] == 0, [motion.load(tmp_path / "a.npz").document.pelvis], rest
    )
    again = motion.load(tmp_path / "a.npz", offsets=offsets)
    assert again.up == clip.up
    assert np.abs(again.joints() - points).max() < 1e-6
    motion.save(again, tmp_path / "a.bvh")
    names = [
        again.skeleton.names.index(name) for name in motion.load(tmp_path / "a.bvh").skeleton.names
    ]
    assert np.abs(motion.load(tmp_path / "a.bvh").joints() - points[:, names]).max() < 1e-5


def test_what_does_not_fit_is_named(person, tmp_path):
    path = tmp_path / "a.npz"
    amass(path, person)
    with pytest.raises(ClipError, match=r"offsets: expected finite numbers of shape \(22, 3\)"):
        motion.load(path, offsets=np.zeros((23, 3)))
    for offsets, came in (("a.txt", "'a.txt'"), (np.full((22, 3), np.nan), "others")):
        with pytest.raises(ClipError, match=f"shape .22, 3., got {came}"):
            motion.load(path, offsets=offsets)
    with pytest.raises(ClipError, match="clip: expected 0 or None"):
        motion.load(path, "walk")
    motion.save(motion.load(path), tmp_path / "a.bvh")
    with pytest.raises(ClipError, match=r"offsets for [.]npz files alone"):
        motion.load(tmp_path / "a.bvh", offsets=OFFSETS)
    other = from_joints(np.random.default_rng(0).normal(size=(5, 3, 3)), 20, parents=[-1, 0, 1])
    with pytest.raises(ClipError, match="the joints of SMPL"):
        motion.save(other, path)
    for arrays, text in (
        ({"poses": np.zeros((5, 66))}, "'trans'"),
        ({"poses": np.zeros((5, 60)), "trans": np.zeros((5, 3))}, "J >= 22"),
        ({"poses": np.zeros((5, 66)), "trans": np.zeros((4, 3))}, r"shape \(5, 3\)"),
        ({"poses": np.zeros((5, 66)), "trans": np.zeros((5, 3))}, "frames per second"),
        ({"poses": np.full((5, 66), np.nan), "trans": np.zeros((5, 3)), "fps": 30}, "finite"),
    ):
        np.savez(path, **arrays)
        with pytest.raises(ClipError, match=text):
            motion.load(path)
    path.write_bytes(b"PK")
    with pytest.raises(FileError, match="truncated or damaged"):
        motion.load(path)


def test_what_an_archive_cannot_hold_is_refused(person, tmp_path):
    path = tmp_path / "a.npz"
    amass(path, person)
    clip = motion.load(path)
    before = path.read_bytes()
    rotations = clip.pose.rotations.copy()
    rotations[3, 5] = np.nan
    with pytest.raises(ClipError, match="expected finite poses, got others"):
        motion.save(clip.with_pose(clip.pose._replace(rotations=rotations)), path)
    with pytest.raises(ClipError, match="one clip, because an archive cannot hold more, got 2"):
        motion.save_all([clip, clip], path)
    assert path.read_bytes() == before


def test_an_archive_is_one_clip_and_may_have_an_axis_of_joints(person, tmp_path):
    path, other = tmp_path / "a.npz", tmp_path / "b.npz"
    amass(path, person)
    with np.load(path) as arrays:
        np.savez(other, **{**arrays, "poses": arrays["poses"].reshape(20, 52, 3)})
    assert loading.clip_names(path) == [None]
    (clip,) = motion.load_all(other)
    np.testing.assert_array_equal(clip.pose.rotations, motion.load(path).pose.rotations)


def test_clips_with_hands_are_saved_as_smpls_24_joints(person, tmp_path):
    points = moving_joints.positions(person)
    palms = points[:, 20:] + 0.08 * (points[:, 20:] - points[:, 18:20])
    clip = from_joints(np.concatenate([points, palms], axis=1), 20, skeleton="smpl24")
    motion.save(clip, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["poses"].shape == (20, 72)
    assert len(motion.load(tmp_path / "a.npz").skeleton.names) == 24


def test_a_folder_has_archives_of_other_things_too(person, tmp_path):
    amass(tmp_path / "walk_poses.npz", person)
    np.savez(tmp_path / "shape.npz", betas=np.ones(16))
    (tmp_path / "empty.npz").write_bytes(b"")
    found = [path.name for path in tmp_path.iterdir() if loading.is_clip(path)]
    assert found == ["walk_poses.npz"]
