"""Clips from glTF files and back: checked with FK and interpolation that are not ours."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gltf_files
from gltf_files import IDENTITY, Maker, walker
from twobone.errors import ClipError
from twobone.motion import Clip, from_gltf, keys
from twobone.pose import LocalPose, Skeleton

CLIPS = Path(__file__).parents[3] / "shared" / "clips"
FILES = sorted(CLIPS.glob("*/*.glb")) or [
    pytest.param(None, marks=pytest.mark.skip("there are no clips beside the project"))
]
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem if path else "none")


def loaded(made, folder, clip=None, name="clip.glb"):
    (folder / name).write_bytes(made.glb())
    return from_gltf.load(folder / name, clip)


def positions(clip):
    return clip.skeleton.to_global(clip.pose).positions


def assert_as_in_file(clip, data, animation, tolerance):
    """Compare positions of all joints in the world with those by the letter of the format."""
    size = np.ptp(clip.skeleton.rest.positions) + 1e-9
    found, origin = positions(clip), clip.document
    for frame in {0, len(clip) // 2, len(clip) - 1}:
        expected = gltf_files.positions(data, animation, origin.times[frame])
        expected = np.array([expected[node] for node in origin.nodes])
        np.testing.assert_allclose(found[frame] / size, expected / size, atol=tolerance)


# --- real files ---------------------------------------------------------------------------


@by_file
def test_all_joints_are_where_the_file_has_them(path):
    data = path.read_bytes()
    names = [clip["name"] for clip in gltf_files.parts(data)[0]["animations"]]
    for index in {0, len(names) // 2, len(names) - 1, *_walks(names)}:
        clip = from_gltf.load(path, index)
        assert clip.fps == (30 if path.stem == "fox-animations" else 24)
        assert_as_in_file(clip, data, index, 1e-5)


@by_file
def test_a_clip_without_changes_writes_the_same_bytes(path, tmp_path):
    for suffix in (".glb", ".vrm"):
        clip = from_gltf.load(path, 0)
        from_gltf.save(clip.with_pose(LocalPose(*clip.pose)), tmp_path / f"same{suffix}")
        assert (tmp_path / f"same{suffix}").read_bytes() == path.read_bytes()


@by_file
def test_one_joint_is_changed_and_others_are_the_same_bits(path, tmp_path, validate):
    data = path.read_bytes()
    [index, *_] = _walks([clip["name"] for clip in gltf_files.parts(data)[0]["animations"]])
    clip = from_gltf.load(path, index)
    rotations, translations = clip.pose.rotations.copy(), clip.pose.translations.copy()
    joint = len(clip.skeleton.parents) // 2
    rotations[:, joint] = np.roll(rotations[:, joint], 1, axis=0)
    rotations[:, joint, 0] += 0.1
    translations[:, joint + 1, 1] += 0.1
    from_gltf.save(clip.with_pose(LocalPose(rotations, translations)), tmp_path / "new.glb")
    again = from_gltf.load(tmp_path / "new.glb", index)
    rotations[:, joint] /= np.linalg.norm(rotations[:, joint], axis=-1, keepdims=True)
    dots = np.abs(np.sum(again.pose.rotations[:, joint] * rotations[:, joint], axis=-1))
    np.testing.assert_allclose(dots, 1.0, atol=1e-7)
    expected = translations[:, joint + 1]
    np.testing.assert_allclose(again.pose.translations[:, joint + 1], expected, rtol=2e-7)
    others = [each for each in range(len(clip.skeleton.parents)) if each not in (joint, joint + 1)]
    for now, then in zip(again.pose, clip.pose, strict=True):
        np.testing.assert_array_equal(now[:, others], then[:, others])
    assert len((tmp_path / "new.glb").read_bytes()) < len(data) + 28 * 4 * len(clip) + 1000
    old, new = (validate(each)["messages"] for each in (data, (tmp_path / "new.glb").read_bytes()))
    assert [m["code"] for m in new] == [m["code"] for m in old]


def _walks(names):
    return [index for index, name in enumerate(names) if name.split("|")[-1] == "Walk"]


@pytest.mark.parametrize(
    ("size", "metres"), [(1.0, 1.0), (30.0, 1.0), (0.1, 1.0), (0.02, 100.0), (340.0, 0.01)]
)
def test_the_unit_is_guessed_only_for_giants_and_tiny_skeletons(tmp_path, size, metres):
    """A skeleton of half a metre, times factors that exporters apply."""

    def scale(content):
        for node in content["nodes"]:
            if "translation" in node:
                node["translation"] = [size * part for part in node["translation"]]

    path = tmp_path / "leg.glb"
    path.write_bytes(gltf_files.edited(walker().glb(), scale))
    clip = from_gltf.load(path)
    assert clip.metres == metres
    assert clip.guessed == ({"metres"} if metres != 1.0 else set())


def test_a_fox_as_large_as_a_tower_is_in_centimetres():
    path = CLIPS / "khronos_glb" / "Fox.glb"
    if not path.exists():
        pytest.skip("there are no clips beside the project")
    fox = from_gltf.load(path, "Walk")
    assert fox.metres == 0.01
    assert fox.guessed == {"metres"}
    assert fox.up == "y"
    with pytest.raises(ClipError, match="one of 'Survey', 'Walk', 'Run', got none") as caught:
        from_gltf.load(path)
    assert caught.value.field == "clip"


# --- which animation ----------------------------------------------------------------------


def test_animations_are_chosen_by_name_or_index(tmp_path):
    made = walker()
    assert len(loaded(made, tmp_path)) == 10
    made.animate("walk", rotation_1=([0, 1], [IDENTITY] * 2))
    made.animate("run", rotation_1=([0, 2], [IDENTITY] * 2))
    assert loaded(made, tmp_path, "run").document.animation == 2
    assert loaded(made, tmp_path, np.int64(1)).document.animation == 1
    for clip, message in [
        (None, "one of 'walk', 'walk', 'run', got none"),
        ("jump", "one of 'walk', 'walk', 'run', got 'jump'"),
        ("walk", "the name of one clip, got 'walk', which 0 and 1 have"),
        (3, "got 3"),
        (-1, "got -1"),
        (True, "got True"),
        (1.0, "got 1.0"),
    ]:
        with pytest.raises(ClipError, match=message) as caught:
            loaded(made, tmp_path, clip)
        assert caught.value.field == "clip"


def test_a_file_without_animations_is_its_rest_pose(tmp_path, validate):
    made = Maker({"children": [1]}, {"translation": [0, 1, 0]}, skins=[{"joints": [0, 1]}])
    clip = loaded(made, tmp_path)
    assert len(clip) == 1
    assert clip.skeleton.names == ("node_0", "node_1")
    np.testing.assert_array_equal(positions(clip), [[[0, 0, 0], [0, 1, 0]]])
    with pytest.raises(ClipError, match="no animation"):
        loaded(made, tmp_path, "walk")
    turned = clip.with_pose(LocalPose([[[0, 0, 0.6, 0.8], IDENTITY]]))
    from_gltf.save(turned, tmp_path / "turned.glb")
    again = from_gltf.load(tmp_path / "turned.glb")
    np.testing.assert_allclose(positions(again), positions(turned), atol=1e-7)
    assert validate((tmp_path / "turned.glb").read_bytes())["numErrors"] == 0


# --- joints -------------------------------------------------------------------------------


def test_joints_are_animated_or_in_a_skin_or_above_these(tmp_path):
    made = Maker(
        {"name": "scene", "children": [1, 5]},
        {"name": "hips", "children": [2, 3]},
        {"name": "mesh"},
        {"name": "leg", "children": [4]},
        {"name": "sole"},
        {"name": "lamp"},
        {"name": "elsewhere"},
        skins=[{"joints": [3]}],
    )
    driven = [IDENTITY] * 2
    made.animate(rotation_1=([0, 1], driven), rotation_6=([0, 1], driven))
    clip = loaded(made, tmp_path)
    assert clip.skeleton.names == ("scene", "hips", "leg")
    assert clip.skeleton.parents == (-1, 0, 1)


def test_channels_of_other_kinds_are_none_of_ours(tmp_path):
    made = walker()
    channels = made.json["animations"][0]["channels"]
    channels.append({"sampler": 0, "target": {"node": 3, "path": "weights"}})
    channels.append({"sampler": 0, "target": {"path": "pointer", "extensions": {}}})
    assert len(loaded(made, tmp_path)) == 10


def test_a_clip_of_morph_targets_and_of_what_no_node_has_is_at_rest(tmp_path):
    made = Maker({"name": "hips"}, {"name": "face"})
    made.animate("talk", weights_1=(np.arange(12) / 24, np.linspace(0, 1, 24)))
    made.json["animations"][0]["channels"].append({"sampler": 0, "target": {"path": "pointer"}})
    clip = loaded(made, tmp_path)
    assert (len(clip), clip.fps) == (12, 24.0)


def test_a_clip_of_morph_targets_alone_has_the_frames_of_its_times(tmp_path):
    made = Maker({"name": "hips", "children": [1]}, {"name": "face"})
    made.animate("talk", weights_1=(np.arange(12) / 24, np.linspace(0, 1, 24)))
    clip = loaded(made, tmp_path)
    assert (len(clip), clip.fps) == (12, 24.0)
    assert np.ptp(clip.pose.rotations, axis=0).max() == 0.0
    # Joints move in those frames, and the weights stay.
    rotations = clip.pose.rotations.copy()
    rotations[:, 0] = [[np.sin(angle), 0, 0, np.cos(angle)] for angle in np.linspace(0, 1, 12)]
    path = tmp_path / "moved.glb"
    from_gltf.save(clip.with_pose(clip.pose._replace(rotations=rotations)), path)
    again = from_gltf.load(path)
    assert (len(again), again.fps) == (12, 24.0)
    np.testing.assert_allclose(again.pose.rotations[:, 0], rotations[:, 0], atol=1e-6)
    animation = gltf_files.parts(path.read_bytes())[0]["animations"][0]
    paths = [each["target"]["path"] for each in animation["channels"]]
    assert sorted(paths) == ["rotation", "weights"]


# --- interpolation ------------------------------------------------------------------------

TIMES = np.array([0.5, 0.6, 0.9])
BETWEEN = 0.5 + np.arange(13) / 30


def sampled(folder, path, values, *more):
    made = Maker({"children": [1]}, {})
    grid = np.arange(15, 28) / 30, np.zeros((13, 3))  # its times give the frame rate
    made.animate(**{f"{path}_1": (TIMES, values, *more), "translation_0": grid})
    clip = loaded(made, folder)
    assert clip.fps == 30
    assert len(clip) == 13
    return clip.pose.rotations[:, 1] if path == "rotation" else clip.pose.translations[:, 1]


def test_translations_between_keys(tmp_path):
    values = np.array([[0, 0, 1], [3, 0, 1], [3, 6, 1.0]])
    found = sampled(tmp_path, "translation", values)
    expected = np.stack([np.interp(BETWEEN, TIMES, values[:, i]) for i in range(3)], 1)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_array_equal(found[[0, 3, 12]], values)  # at keys exactly
    stepped = sampled(tmp_path, "translation", values, "STEP")
    np.testing.assert_array_equal(stepped, values[[0] * 3 + [1] * 9 + [2]])


def test_rotations_take_the_shortest_arc(tmp_path):
    half = np.sqrt(0.5)
    values = np.array([IDENTITY, [0, 0, -half, -half], [0, 0, half, half]])
    found = sampled(tmp_path, "rotation", values)
    angles = np.interp(BETWEEN, TIMES, [0, np.pi / 2, np.pi / 2]) / 2
    expected = np.stack([0 * angles, 0 * angles, np.sin(angles), np.cos(angles)], 1)
    np.testing.assert_allclose(np.abs(np.sum(found * expected, 1)), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.abs(found[:3]), expected[:3], atol=1e-6)


def test_splines_are_those_of_the_specification(tmp_path):
    rng = np.random.default_rng(5)
    for path, width in (("translation", 3), ("rotation", 4)):
        values = rng.normal(size=(3, 3, width)).astype(np.float32)
        if path == "rotation":
            values[:, 1] += [0, 0, 0, 3]
        found = sampled(tmp_path, path, values.reshape(9, width), "CUBICSPLINE")
        for frame, time in zip(found, BETWEEN, strict=True):
            k = 0 if time < 0.6 - 1e-6 else 1
            length = TIMES[k + 1] - TIMES[k]
            t = (time - TIMES[k]) / length
            before, outgoing = values[k, 1], values[k, 2] * length
            after, incoming = values[k + 1, 1], values[k + 1, 0] * length
            expected = (
                (2 * t**3 - 3 * t**2 + 1) * before
                + (t**3 - 2 * t**2 + t) * outgoing
                + (-2 * t**3 + 3 * t**2) * after
                + (t**3 - t**2) * incoming
            )
            expected = expected / np.linalg.norm(expected) if width == 4 else expected
            np.testing.assert_allclose(frame, expected, atol=3e-6)


def test_a_spline_through_zero_raises(tmp_path):
    values = np.zeros((6, 4))
    values[1], values[4] = IDENTITY, [0, 0, 0, -1]  # with flat tangents: 0 in the middle
    made = Maker({"children": [1]}, {})
    grid = np.arange(5) / 32
    made.animate(rotation_0=([0, 2 / 32], values, "CUBICSPLINE"), rotation_1=(grid, [IDENTITY] * 5))
    with pytest.raises(ClipError, match="quaternions of length 0") as caught:
        loaded(made, tmp_path)
    assert caught.value.field == "animations[0].samplers[0].output"


# --- frame rates --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "fps", "frames"),
    [
        (np.arange(48) / 24, 24, 48),
        (1 / 30 + np.arange(90) / 30, 30, 90),
        (1000 + np.arange(90) / 60, 60, 90),
        (np.arange(500) / 120, 120, 500),
        (np.arange(90) * 1.001 / 30, 30 / 1.001, 90),
        (np.round(np.arange(90) / 30, 3), 30, 90),  # written with three digits
        (np.delete(np.arange(48) / 24, [3, 4, 9, 17]), 24, 48),  # keys left out
        (np.array([0, 2, 4, 6, 9, 11, 20]) / 24, 24, 21),  # every second frame, mostly
        (np.arange(20) / 15, 15, 20),
        ([0, 0.5, 1, 1.5], 24, 37),
        ([0, 1.25, 2.5, 3.75], 24, 91),
        ([0, 1 / 3], 24, 9),
        ([2.0], 30, 1),
        ([0, 1 / 24, 2 / 24, 2.6 / 24], 24, 4),  # the last key between two frames
    ],
)
def test_the_frame_rate_is_that_of_the_keys(tmp_path, times, fps, frames):
    made = Maker({})
    values = np.stack([np.array(times)] * 3, 1)
    made.animate(translation_0=(times, values))
    clip = loaded(made, tmp_path)
    assert clip.fps == pytest.approx(fps, rel=1e-5)
    assert len(clip) == frames
    exact = times[0] + np.minimum(np.arange(frames) / fps, times[-1] - times[0])
    np.testing.assert_allclose(clip.pose.translations[:, 0, 0], exact, atol=2e-3)
    assert clip.pose.translations[-1, 0, 0] == np.float32(times[-1])


def test_a_frame_rate_that_is_no_usual_one_is_a_multiple_of_that_of_the_keys():
    rate = keys.frame_rate([np.array([0.0, 1.037, 2.41])])
    assert 1.037 * rate.fps == pytest.approx(25.0)


def test_a_frame_rate_of_few_keys_at_odd_times_has_frames_near_them(tmp_path):
    made = Maker({"children": [1]}, {})
    times = [0.0, 1.0], [0.13, 0.71]
    made.animate(**{f"translation_{k}": (times[k], np.eye(3)[:2]) for k in (0, 1)})
    clip = loaded(made, tmp_path)
    frames = np.array([time for pair in times for time in pair]) * clip.fps
    assert np.abs(frames - frames.round()).max() < 0.5
    assert 1 / 0.13 <= clip.fps <= 200


def imprecise(count, fps, error, seed):
    """Return times of keys that are off by up to an error, in seconds."""
    return np.arange(count) / fps + np.random.default_rng(seed).uniform(-error, error, count)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("count", "fps", "error"),
    [(48, 24, 4e-3), (240, 24, 4e-3), (900, 30, 3e-3), (90, 60, 2e-3), (300, 30 / 1.001, 1e-3)],
)
def test_keys_whose_times_are_imprecise_keep_their_rate(tmp_path, count, fps, error, seed):
    made = Maker({"children": [1]}, {})
    times = [imprecise(count, fps, error, 10 * seed + node) + 1.0 for node in (0, 1)]
    values = np.stack([np.arange(count)] * 3, 1)
    made.animate(translation_0=(times[0], values), translation_1=(times[1], values))
    clip = loaded(made, tmp_path)
    assert clip.fps == pytest.approx(fps, rel=1e-9 if fps == round(fps) else 2e-4)
    assert len(clip) == count
    assert clip.pose.translations[..., 0].tolist() == [[k, k] for k in range(count)]


def test_a_frame_rate_that_varies_is_not_taken_for_errors(tmp_path):
    steps = np.repeat([1 / 60, 1 / 25, 1 / 40], 30)
    times = np.concatenate([[0], np.cumsum(steps)])
    made = Maker({})
    made.animate(translation_0=(times, np.stack([times] * 3, 1)))
    clip = loaded(made, tmp_path)
    np.testing.assert_allclose(
        clip.pose.translations[:, 0, 0],
        np.minimum(np.arange(len(clip)) / clip.fps, times[-1]),
        atol=2e-3,
    )


@pytest.mark.parametrize(
    ("times", "nodes"), [([0, 1e9], 1), ([0, 1 / 30, 1e8], 1), ([0, 1 / 30, 1000], 2000)]
)
def test_small_files_do_not_become_large_clips(tmp_path, times, nodes):
    made = Maker(*[{} for _ in range(nodes)], skins=[{"joints": list(range(nodes))}])
    made.json["scenes"][0]["nodes"] = list(range(nodes))
    made.animate(translation_0=(times, np.zeros((len(times), 3))))
    with pytest.raises(ClipError, match="fit the size of the file") as caught:
        loaded(made, tmp_path)
    assert caught.value.field == "animations[0]"


def test_zeros_without_data_are_bounded_by_the_file(tmp_path):
    made = Maker({})
    made.animate(translation_0=([0, 1], np.zeros((2, 3))))
    made.json["accessors"][1] = {"componentType": 5126, "count": 10**9, "type": "VEC3"}
    with pytest.raises(ClipError, match="fits the size of the file") as caught:
        loaded(made, tmp_path)
    assert caught.value.field == "accessors[1].count"
    made.json["accessors"][1]["count"] = 2
    np.testing.assert_array_equal(
        loaded(made, tmp_path).pose.translations, np.zeros((8 * 3 + 1, 1, 3))
    )


def test_too_many_joints_raise(tmp_path):
    made = Maker(*[{} for _ in range(10_001)], skins=[{"joints": list(range(10_001))}])
    made.json["scenes"][0]["nodes"] = list(range(10_001))
    with pytest.raises(ClipError, match="at most 10000 joints"):
        loaded(made, tmp_path)


# --- scales -------------------------------------------------------------------------------


def chain(*scales, matrix=None):
    """Return a chain of nodes that rotate, with scales."""
    rng = np.random.default_rng(3)
    nodes = [{"translation": rng.normal(size=3).tolist(), "scale": list(s)} for s in scales]
    if matrix is not None:
        nodes[0] = {"matrix": matrix.T.ravel().tolist()}
    for index, node in enumerate(nodes[:-1]):
        node["children"] = [index + 1]
    made = Maker(*nodes)
    channels = {}
    for index in range(matrix is not None, len(nodes)):
        turns = rng.normal(size=(7, 4)).astype(np.float32)
        channels[f"rotation_{index}"] = (np.arange(7) / 30, turns)
    made.animate(**channels)
    return made


SCALES = {
    "uniform": [(100, 100, 100), (1, 1, 1), (0.5, 0.5, 0.5), (1, 1, 1)],
    "not uniform": [(200, 162, 200), (1, 1, 1), (1, 1, 1), (1, 1, 1)],
    "at several nodes": [(1, 2, 3), (4, 4, 4), (0.5, 1, 2), (3, 1, 1)],
    "mirrored": [(-1, 1, 1), (1, 1, 1), (-2, -2, -2), (1, 1, 1)],
    "at the end": [(1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 5, 9)],
}


@pytest.mark.parametrize("name", SCALES)
def test_any_scale_is_that_of_the_file_and_can_be_edited(tmp_path, name):
    clip = loaded(chain(*SCALES[name]), tmp_path)
    data = (tmp_path / "clip.glb").read_bytes()
    assert_as_in_file(clip, data, 0, 1e-6)
    from_gltf.save(clip, tmp_path / "same.glb")
    assert (tmp_path / "same.glb").read_bytes() == data
    rotations = clip.pose.rotations.copy()
    rotations[:, 1] = rotations[::-1, 1]
    turned = clip.with_pose(LocalPose(rotations, clip.pose.translations))
    from_gltf.save(turned, tmp_path / "turned.glb")
    again = from_gltf.load(tmp_path / "turned.glb")
    size = np.ptp(positions(clip))
    np.testing.assert_allclose(positions(again) / size, positions(turned) / size, atol=1e-6)
    assert_as_in_file(again, (tmp_path / "turned.glb").read_bytes(), 0, 1e-6)


@pytest.mark.parametrize("shear", [0.0, 0.3])
def test_matrices_are_decomposed(tmp_path, shear):
    whole = gltf_files.matrix([1, 2, 3], [0.1, 0.2, 0.3, 0.9], [100, 100, 100])
    whole[:3, :3] @= np.array([[1, shear, 0], [0, 1, 0], [0, 0, 1]])
    clip = loaded(chain((1, 1, 1), (1, 1, 1), (1, 1, 1), matrix=whole), tmp_path)
    assert_as_in_file(clip, (tmp_path / "clip.glb").read_bytes(), 0, 1e-6)
    assert (clip.skeleton.scales[0] == pytest.approx(100)) == (shear == 0.0)
    rotations = clip.pose.rotations.copy()
    rotations[:, 0] = [0.6, 0, 0, 0.8]
    turned = clip.with_pose(LocalPose(rotations, clip.pose.translations))
    if shear:
        with pytest.raises(ClipError, match="without shear"):
            from_gltf.save(turned, tmp_path / "turned.glb")
        return
    from_gltf.save(turned, tmp_path / "turned.glb")
    again = from_gltf.load(tmp_path / "turned.glb")
    np.testing.assert_allclose(positions(again), positions(turned), rtol=1e-5, atol=1e-4)


def test_animated_scales(tmp_path):
    made = chain((1, 1, 1), (1, 1, 1), (1, 1, 1))
    sampler = {"input": 0, "output": made.accessor(np.full((7, 3), 2.0))}
    animation = made.json["animations"][0]
    animation["samplers"].append(sampler)
    driven = {"sampler": 3, "target": {"node": 0, "path": "scale"}}
    animation["channels"].append(driven)
    clip = loaded(made, tmp_path)
    assert clip.skeleton.scales == (2, 1, 1)
    assert_as_in_file(clip, (tmp_path / "clip.glb").read_bytes(), 0, 1e-6)
    sampler["output"] = made.accessor(np.linspace([1, 1, 1], [0, 2, 2], 7))
    clip = loaded(made, tmp_path)  # at the last frame a joint is scaled to nothing
    assert clip.skeleton.scales == (1, 1, 1)
    data = (tmp_path / "clip.glb").read_bytes()
    assert_as_in_file(clip, data, 0, 1e-6)
    from_gltf.save(clip, tmp_path / "same.glb")
    assert (tmp_path / "same.glb").read_bytes() == data


def test_scales_that_overflow_raise(tmp_path):
    with pytest.raises(ClipError) as caught:
        loaded(chain(*[(1e38, 1e38, 1e38)] * 12), tmp_path)
    assert caught.value.field == "nodes"


# --- VRM ----------------------------------------------------------------------------------

BONES = {"hips": {"node": 0}, "leftUpperLeg": {"node": 1}, "leftLowerLeg": {"node": 2}}
OLD_BONES = [{"bone": name, **bone, "useDefaultValues": True} for name, bone in BONES.items()]


@pytest.mark.parametrize(
    "extensions",
    [
        {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": BONES}}},
        {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": BONES}}},
        {"VRM": {"specVersion": "0.0", "humanoid": {"humanBones": OLD_BONES}}},
    ],
    ids=lambda extensions: next(iter(extensions)),
)
def test_bones_of_vrm(tmp_path, extensions):
    made = walker()
    made.json["nodes"].append({"name": "happy"})
    made.json["scenes"][0]["nodes"].append(4)
    made.animate("smile", translation_4=([0, 1], np.eye(3)[:2]))
    if "VRMC_vrm_animation" in extensions:
        faces = {"preset": {"happy": {"node": 4}}}
        extensions = {
            "VRMC_vrm_animation": extensions["VRMC_vrm_animation"]
            | {"expressions": faces, "lookAt": {"node": 5}}
        }
        made.json["nodes"].append({"name": "eyes"})
        made.json["scenes"][0]["nodes"].append(5)
        made.animate("look", rotation_5=([0, 1], [IDENTITY] * 2))
    made.json["extensions"] |= extensions
    clip = loaded(made, tmp_path, "walk", "model.vrma")
    assert clip.human_bones == {"hips": 0, "leftUpperLeg": 1, "leftLowerLeg": 2}
    assert clip.with_pose(clip.pose).human_bones == clip.human_bones
    assert "eyes" not in clip.skeleton.names
    assert ("happy" in clip.skeleton.names) == ("VRMC_vrm_animation" not in extensions)


def test_thumbs_of_old_vrm_have_new_names(tmp_path):
    made = walker()
    bones = [{"bone": "leftThumbProximal", "node": 1}, {"bone": "leftThumbIntermediate", "node": 2}]
    bones.append({"bone": "jaw", "node": -1})  # not there
    made.json["extensions"] |= {"VRM": {"humanoid": {"humanBones": bones}}}
    found = loaded(made, tmp_path).human_bones
    assert found == {"leftThumbMetacarpal": 1, "leftThumbProximal": 2}


@pytest.mark.parametrize(
    ("extension", "field"),
    [
        ({"VRM": {"humanoid": {"humanBones": {}}}}, "VRM.humanoid.humanBones"),
        ({"VRM": {"humanoid": {"humanBones": [{"node": 1}]}}}, "VRM.humanoid.humanBones[0].bone"),
        ({"VRMC_vrm": {"humanoid": {"humanBones": []}}}, "VRMC_vrm.humanoid.humanBones"),
        (
            {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 4}}}}},
            "VRMC_vrm.humanoid.humanBones.hips.node",
        ),
    ],
)
def test_bones_that_lie(tmp_path, extension, field):
    made = walker()
    made.json["extensions"] |= extension
    with pytest.raises(ClipError) as caught:
        loaded(made, tmp_path)
    assert caught.value.field == f"extensions.{field}"


# --- saving -------------------------------------------------------------------------------


def test_a_part_of_a_clip_is_saved_with_the_rest_of_the_file(tmp_path, validate):
    made = walker()
    made.animate("idle", rotation_1=([0, 0.5], [IDENTITY] * 2))
    clip = loaded(made, tmp_path, "walk")
    for part in (clip[2:7], clip[::3], clip[:1], clip[::-1]):
        from_gltf.save(part, tmp_path / "part.glb")
        again = from_gltf.load(tmp_path / "part.glb", "walk")
        np.testing.assert_allclose(positions(again), positions(part), atol=1e-6)
        assert again.fps == pytest.approx(part.fps) or len(part) == 1
        data = (tmp_path / "part.glb").read_bytes()
        assert validate(data)["numErrors"] == 0
        idle = from_gltf.load(tmp_path / "clip.glb", "idle").pose.rotations
        np.testing.assert_array_equal(
            from_gltf.load(tmp_path / "part.glb", "idle").pose.rotations, idle
        )


def test_a_part_of_a_clip_that_also_scales_is_refused(tmp_path):
    made = walker()
    made.animate("grow", scale_1=([0, 0.5], [[1, 1, 1], [2, 2, 2]]))
    clip = loaded(made, tmp_path, "grow")
    with pytest.raises(ClipError, match="because that animates more than rotations and trans"):
        from_gltf.save(clip[:3], tmp_path / "part.glb")
    assert not (tmp_path / "part.glb").exists()


def test_poses_and_joints_are_those_of_the_document(tmp_path):
    clip = loaded(walker(), tmp_path)
    fewer = Clip(
        Skeleton([-1], [[0, 0, 0]]), LocalPose([[IDENTITY]] * 10), clip.fps, document=clip.document
    )
    with pytest.raises(ClipError, match="3 joints, as its document has, got 1"):
        from_gltf.save(fewer, tmp_path / "short.glb")
    for name, part in (("rotations", 0), ("translations", 1)):
        pose = [array.copy() for array in clip.pose]
        pose[part][3, 1, 0] = np.nan
        with pytest.raises(ClipError, match="finite") as caught:
            from_gltf.save(clip.with_pose(LocalPose(*pose)), tmp_path / "nan.glb")
        assert caught.value.field == name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.glb"]


def test_signs_of_new_rotations_do_not_jump(tmp_path):
    clip = loaded(walker(), tmp_path)
    angles = np.linspace(0, 3 * np.pi, 10) / 2
    rotations = clip.pose.rotations.copy()
    rotations[:, 2] = np.stack([0 * angles, np.sin(angles), 0 * angles, np.cos(angles)], 1)
    rotations[::2, 2] *= -5.0  # of any length and sign
    from_gltf.save(
        clip.with_pose(LocalPose(rotations, clip.pose.translations)), tmp_path / "new.glb"
    )
    found = from_gltf.load(tmp_path / "new.glb").pose.rotations[:, 2]
    assert np.all(np.sum(found[1:] * found[:-1], axis=1) > 0.8)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-12)


def leg(**more):
    skeleton = Skeleton(
        [1, -1, 0],
        [[0, -0.4, 0.1], [0, 0.9, 0], [0, -0.45, 0]],
        names=["knee", "hip", "foot"],
        rotations=[[0.1, 0, 0, 1], [0, 0, 0, 1], [0, 0.2, 0, 1]],
        scales=[1, 2, 1],
    )
    rotations = np.random.default_rng(4).normal(size=(20, 3, 4))
    translations = np.tile(skeleton.offsets, (20, 1, 1))
    translations[:, 1, 2] = np.linspace(0, 3, 20)
    return Clip(skeleton, LocalPose(rotations, translations), 25, **more)


def test_a_clip_from_arrays_becomes_a_new_file(tmp_path, validate):
    clip = leg()
    from_gltf.save(clip, tmp_path / "leg.glb")
    again = from_gltf.load(tmp_path / "leg.glb")
    assert sorted(again.skeleton.names) == ["foot", "hip", "knee"]
    assert (again.fps, len(again), again.metres) == (25, 20, 1)
    order = [again.skeleton.names.index(name) for name in clip.skeleton.names]
    np.testing.assert_allclose(positions(again)[:, order], positions(clip), atol=1e-6)
    rest = again.skeleton.rest.positions[order]
    np.testing.assert_allclose(rest, clip.skeleton.rest.positions, atol=1e-6)
    issues = validate((tmp_path / "leg.glb").read_bytes())
    assert issues["numErrors"] == issues["numWarnings"] == 0
    matrices = gltf_files.array((tmp_path / "leg.glb").read_bytes(), -1).reshape(3, 4, 4)
    np.testing.assert_allclose(matrices[1].T @ [0, 0.9, 0, 1], [0, 0, 0, 1], atol=1e-6)


def test_new_files_are_y_up_and_in_metres(tmp_path):
    clip = leg(up="z", metres=0.01)
    from_gltf.save(clip, tmp_path / "leg.gltf")
    again = from_gltf.load(tmp_path / "leg.gltf")
    order = [again.skeleton.names.index(name) for name in clip.skeleton.names]
    x, y, z = np.moveaxis(positions(clip), -1, 0)
    expected = 0.01 * np.stack([x, z, -y], -1)
    np.testing.assert_allclose(positions(again)[:, order], expected, atol=1e-7)
    assert sorted(again.skeleton.names) == ["foot", "hip", "knee"]  # and no node above them


def test_skins_of_new_files_are_at_rest_in_the_rest_pose(tmp_path, validate):
    from_gltf.save(leg(up="z", metres=0.01, name="kick"), tmp_path / "leg.glb")
    data = (tmp_path / "leg.glb").read_bytes()
    again = from_gltf.load(tmp_path / "leg.glb")
    assert again.name == "kick"
    issues = validate(data)
    assert issues["numErrors"] == issues["numWarnings"] == 0
    matrices = gltf_files.array(data, -1).reshape(3, 4, 4)
    # The rest position of each joint in the scene becomes the joint's own origin.
    for name, matrix in zip(["knee", "hip", "foot"], matrices, strict=True):
        at = again.skeleton.rest.positions[again.skeleton.names.index(name)]
        np.testing.assert_allclose(matrix.T @ [*at, 1.0], [0, 0, 0, 1], atol=1e-5)


def test_skeletons_of_several_roots_get_a_node_above_them(tmp_path, validate):
    two = Skeleton([-1, -1], [[0, 0, 0], [1, 0, 0]], names=["one", "other"])
    clip = Clip(two, LocalPose([[IDENTITY] * 2] * 3), 30)
    from_gltf.save(clip, tmp_path / "two.glb")
    again = from_gltf.load(tmp_path / "two.glb")
    assert again.skeleton.names == ("scene", "one", "other")
    assert validate((tmp_path / "two.glb").read_bytes())["numErrors"] == 0


def test_one_frame_at_rest_needs_no_animation(tmp_path, validate):
    skeleton = leg().skeleton
    clip = Clip(skeleton, LocalPose(skeleton.rotations[None]), 30)
    from_gltf.save(clip, tmp_path / "rest.glb")
    assert "animations" not in gltf_files.parts((tmp_path / "rest.glb").read_bytes())[0]
    again = from_gltf.load(tmp_path / "rest.glb")
    assert len(again) == 1
    assert validate((tmp_path / "rest.glb").read_bytes())["numErrors"] == 0


# --- broken files -------------------------------------------------------------------------

WHOLE = {"glb": walker().glb(), "gltf": walker().gltf()}


def try_to_load(data, folder):
    (folder / "broken.glb").write_bytes(data)
    try:
        clip = from_gltf.load(folder / "broken.glb")
    except ClipError:
        return
    assert np.all(np.isfinite(clip.pose.rotations))
    assert np.all(np.isfinite(clip.pose.translations))
    try:
        from_gltf.save(clip, folder / "again.glb")
    except ClipError:
        return
    # Text in a .glb file becomes binary.
    assert data[:4] != b"glTF" or (folder / "again.glb").read_bytes() == data


@pytest.mark.parametrize("kind", WHOLE)
@given(data=st.data())
def test_files_broken_at_any_byte_load_or_raise(kind, data, tmp_path_factory):
    whole = bytearray(WHOLE[kind])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(whole) - 1))
        change = data.draw(st.sampled_from(["set", "cut", "digit", "remove", "insert"]))
        if change == "set":
            whole[place] = data.draw(st.integers(0, 255))
        elif change == "cut":
            whole = whole[: max(place, 1)]
        elif change == "digit":
            whole[place] = ord(data.draw(st.sampled_from('0123456789-.eE[]{}",:')))
        elif change == "remove" and len(whole) > 1:
            del whole[place]
        elif change == "insert":
            whole[place:place] = data.draw(st.binary(min_size=1, max_size=4))
    try_to_load(bytes(whole), tmp_path_factory.getbasetemp())


LEAVES = 'null true -1 0 1 2.5 1000000000000000000000 1e300 "" "VEC3" [] [0] [[]] {} {"node":0}'
LEAVES = st.sampled_from(LEAVES.split()).map(json.loads)


@given(data=st.data())
def test_members_of_any_type_load_or_raise(data, tmp_path_factory):
    made = walker()
    for _ in range(data.draw(st.integers(1, 2))):
        part = made.json
        while True:
            keys = sorted(part) if isinstance(part, dict) else range(len(part))
            key = data.draw(st.sampled_from(list(keys)))
            if not isinstance(part[key], dict | list) or not part[key] or data.draw(st.booleans()):
                break
            part = part[key]
        if data.draw(st.booleans()) and isinstance(part, dict) and key != "nodes":
            del part[key]
        else:
            part[key] = data.draw(LEAVES)
        if not isinstance(made.json.get("bufferViews"), list):
            break
    try_to_load(made.glb(), tmp_path_factory.getbasetemp())


def test_json_nested_almost_too_deeply_is_saved_or_refused(tmp_path):
    """Python reads it to some depth, and may not print what is as deep."""
    path = tmp_path / "deep.glb"
    document, binary = gltf_files.parts(walker().glb())
    document["buffers"][0]["extras"] = "HERE"
    text, told = json.dumps(document), set()
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        nested = text.replace('"HERE"', "[" * depth + "]" * depth)
        path.write_bytes(gltf_files.glb(nested, binary))
        try:
            clip = from_gltf.load(path, "walk")
            rotations = clip.pose.rotations.copy()
            rotations[:, 1] = [0.6, 0.0, 0.0, 0.8]
            from_gltf.save(clip.with_pose(LocalPose(rotations, clip.pose.translations)), path)
        except ClipError as error:
            told.add(error.wanted)
    assert told <= {"JSON that is not nested so deeply"}  # it depends on the version of Python


def test_a_file_without_nodes_has_no_skeleton(tmp_path):
    with pytest.raises(ClipError, match="field nodes: expected nodes of a skeleton, got no node"):
        loaded(Maker(scenes=[{"nodes": []}]), tmp_path)


def test_numbers_beyond_float32_are_not_written(tmp_path):
    """Neither into a new file nor into the one that a clip came from."""
    far = LocalPose([[IDENTITY]] * 2, [[[1e300] * 3]] * 2)
    new = Clip(Skeleton([-1], [[0.0, 0.0, 0.0]]), far, 30.0)
    old = loaded(walker(), tmp_path)
    moved = old.pose.translations.copy()
    moved[:, 0] = 1e300
    for clip in (new, old.with_pose(LocalPose(old.pose.rotations, moved))):
        with pytest.raises(ClipError, match="expected numbers that float32 can hold"):
            from_gltf.save(clip, tmp_path / "far.glb")
    assert [path.name for path in tmp_path.iterdir()] == ["clip.glb"]


def test_a_further_animation_has_keys_for_what_others_move(tmp_path):
    """Blender leaves what has no keys as the animation before had it."""
    made = walker()
    made.animate(
        "run",
        translation_3=([0.0, 1.0], [[0, -0.5, 0], [0, -0.5, 0.2]]),
        rotation_3=([0.0], [[0, 0, 0, 1]]),  # at rest, as without keys
        scale_3=([0.0, 1.0], [[1, 1, 1], [2, 2, 2]]),
    )
    old = loaded(made, tmp_path, clip="walk")
    rest = old.skeleton
    rotations = np.tile(rest.rotations, (5, 1, 1))
    rotations[:, 1] = [0.6, 0.0, 0.0, 0.8]
    origin = from_gltf.without_animation(old.document)
    pose = LocalPose(rotations, np.tile(rest.offsets, (5, 1, 1)))
    new = Clip(rest, pose, 30.0, document=origin, name="new")
    from_gltf.save(new, tmp_path / "new.glb")
    written, _ = gltf_files.parts((tmp_path / "new.glb").read_bytes())
    assert [each["name"] for each in written["animations"]] == ["walk", "run", "new"]
    made = written["animations"][2]
    keys = {
        (channel["target"]["node"], channel["target"]["path"]): written["accessors"][
            made["samplers"][channel["sampler"]]["output"]
        ]["count"]
        for channel in made["channels"]
    }
    assert keys.pop((1, "rotation")) == 5
    still = {(2, "rotation"), (0, "translation"), (3, "translation"), (3, "scale")}
    assert keys == dict.fromkeys(still, 1)
    again = from_gltf.load(tmp_path / "new.glb", "new")
    assert (len(again), again.fps) == (5, 30.0)
    np.testing.assert_allclose(again.pose.rotations, rotations, atol=1e-6)
    np.testing.assert_allclose(again.pose.translations, pose.translations, atol=1e-6)


def test_a_clip_of_a_file_without_animation_gets_one(tmp_path):
    made = walker()
    del made.json["animations"]
    still = loaded(made, tmp_path)
    rotations = np.repeat(still.pose.rotations, 3, axis=0)
    rotations[1, 1] = [0.6, 0.0, 0.0, 0.8]
    moved = still.with_pose(LocalPose(rotations, np.repeat(still.pose.translations, 3, axis=0)))
    from_gltf.save(moved, tmp_path / "moved.glb")
    found = from_gltf.load(tmp_path / "moved.glb")  # of two joints: no others are animated
    np.testing.assert_allclose(found.pose.rotations, moved.pose.rotations[:, :2], atol=1e-6)
