"""Characters on the page: limbs found, posed and read from files as Python does."""

import base64
import json
import random
import re

import numpy as np
import pytest

import gltf_files
import twobone
import vrm_files
from characters import FILES, GLBS, changed, made_clip
from slow import all_but
from twobone import Limb, LocalPose, Skeleton, motion
from twobone.motion import joint_names, keys
from twobone.rotations import normalize, quaternion_to_matrix

QUICK = ("Fox.glb", "platformer_game_pack_Character.glb", "02_01.bvh")
RIGS = all_but(FILES, *(path for path in FILES if path.name in QUICK))
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason="no motion clips beside the project"))
STATUSES = {0: "REACHED", 1: "TOO_FAR", 2: "TOO_NEAR", 3: "AMBIGUOUS", 4: "INVALID"}
READ = """
import { readFileSync } from "node:fs";
import { readBvh } from "./scenes/character/bvh.js";
import { readGltf } from "./scenes/character/gltf.js";
const read = async (path) => {
  const { buffer } = new Uint8Array(readFileSync(path));
  return path.endsWith("bvh") ? { source: readBvh(buffer) } : readGltf(buffer);
};
"""


@pytest.fixture
def answer(modules):
    """Return a function that runs JavaScript: an expression of `given`."""

    def run(imports, expression, given, before=""):
        names = {f"scenes/character/{module}": parts for module, parts in imports.items()}
        return modules(names, expression, given, before)

    return run


# --- limbs --------------------------------------------------------------------------------

FIND = """(async () => {
  const out = [];
  for (const path of given) {
    const { source } = await read(path), { skeleton, up, metres } = source;
    const clips = source.clips.map((clip) => ({ ...clip, ...limbsIn(source, clip) }));
    out.push({ names: skeleton.names, parents: skeleton.parents, up, metres, clips });
  }
  return out;
})()"""


def found_by_python(clip):
    limbs = motion.find_limbs(clip)
    return [
        {
            **{name: getattr(limb, name) for name in ("name", "kind", "side", "place")},
            **{name: getattr(limb, name) for name in ("start", "mid", "end", "toe")},
            "isDetached": limb.detached,
            "confidence": limb.confidence,
        }
        for limb in (*limbs.legs, *limbs.arms)
    ]


def assert_same_clips(found, clips):
    """Compare what the page read of a file with the clips that Python loads."""
    first = clips[0]
    assert tuple(found["names"]) == first.skeleton.names
    assert tuple(found["parents"]) == first.skeleton.parents
    assert (found["up"], found["metres"]) == (first.up, pytest.approx(first.metres))
    assert len(found["clips"]) == len(clips)
    for there, clip in zip(found["clips"], clips, strict=True):
        assert (there["name"], there["count"]) == (clip.name, len(clip))
        assert there["fps"] == pytest.approx(clip.fps)
        limbs = [{name: limb[name] for name in one} for limb, one in _pairs(there, clip)]
        assert limbs == found_by_python(clip)


def _pairs(there, clip):
    wanted = found_by_python(clip)
    assert [limb["name"] for limb in there["limbs"]] == [limb["name"] for limb in wanted]
    return zip(there["limbs"], wanted, strict=True)


@pytest.mark.parametrize("path", RIGS or [ABSENT], ids=lambda path: getattr(path, "name", ""))
def test_limbs_of_files_are_those_that_python_finds(answer, path):
    [found] = answer({"clips": "limbsIn"}, FIND, [str(path)], READ)
    assert_same_clips(found, motion.load_all(path))


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
@pytest.mark.parametrize("is_named", [True, False])
def test_limbs_are_found_with_and_without_names(answer, tmp_path, is_named, suffix):
    path = tmp_path / f"made{suffix}"
    motion.save(made_clip(is_named), path)
    [found] = answer({"clips": "limbsIn"}, FIND, [str(path)], READ)
    clips = motion.load_all(path)
    assert_same_clips(found, clips)
    assert [limb["kind"] for limb in found["clips"][0]["limbs"]] == ["leg", "leg", "arm", "arm"]


def test_sides_of_limbs_without_names_are_those_of_their_toes(answer, tmp_path):
    path = tmp_path / "made.bvh"
    motion.save(made_clip(False, size=0.3), path)
    [found] = answer({"clips": "limbsIn"}, FIND, [str(path)], READ)
    assert_same_clips(found, motion.load_all(path))
    assert [limb["side"] for limb in found["clips"][0]["limbs"]] == ["left", "right"] * 2
    assert np.allclose(found["clips"][0]["ahead"], [0, 0, 40], atol=1)


def test_frame_rates_are_those_of_python(answer):
    random = np.random.default_rng(1)
    cases = [
        [np.arange(count) / fps + random.uniform(-error, error, count) for _ in range(channels)]
        for channels in (1, 2)
        for count, fps in ((48, 24), (240, 24), (90, 60), (300, 30 / 1.001), (20, 15), (4, 0.8))
        for error in (0.0, 1e-3, 0.1 / fps)
    ]
    expression = "given.map((times) => frameRate(times))"
    found = answer({"keys": "frameRate"}, expression, [[t.tolist() for t in c] for c in cases])
    for there, case in zip(found, cases, strict=True):
        rate = keys.frame_rate(case)
        assert (there["fps"], there["near"]) == (pytest.approx(rate.fps), rate.near)


@pytest.mark.slow
def test_of_very_many_limbs_the_page_finds_those_that_python_finds(answer, tmp_path):
    parents, offsets, names = [-1], [[0, 1, 0]], ["root"]
    for leg in range(240):
        first = len(parents)
        parents += [0, first, first + 1]
        offsets += [[np.cos(leg), 0, np.sin(leg)], [0, -0.5 - 1e-3 * leg, 0.01], [0, -0.5, -0.01]]
        names += [f"a{leg}", f"b{leg}", f"c{leg}"]
    names[1:4] = ["LeftUpLeg", "LeftLeg", "LeftFoot"]
    skeleton = Skeleton(parents, offsets, names=names)
    path = tmp_path / "many.glb"
    motion.save(motion.Clip(skeleton, LocalPose([skeleton.rotations] * 9), 30), path)
    [found] = answer({"clips": "limbsIn"}, FIND, [str(path)], READ)
    assert_same_clips(found, motion.load_all(path))
    assert len(found["clips"][0]["limbs"]) >= 199


def test_names_of_joints_mean_the_same(answer):
    words = " ".join(joint_names.WORDS.values()).split()
    words += [*joint_names.OTHERS, *joint_names.SIDES, *joint_names.PLACES]
    names = [*words, *(f"mixamorig:Left{word.title()}" for word in words)]
    names += [f"{word}_L.001" for word in words] + [f"R_{word.upper()}" for word in words]
    names += [
        "lfemur",
        "rhumerus",
        "LeftUpLeg",
        "Lower Leg",
        "Fore Arm R",
        "IKFoot.L",
        "",
        "左足首",
    ]
    names += ["右腕", "つま先左", "UPPERArm", "b_LeftForeArm_010", "頭"]
    found = answer({"names": "meaning"}, "given.map(meaning)", names)
    for name, there in zip(names, found, strict=True):
        said = joint_names.meaning(name)
        wanted = (*said[:5], " ".join(said.words))
        parts = ("side", "place", "kind", "role", "isOther", "words")
        assert tuple(there[part] for part in parts) == wanted, name


@pytest.mark.parametrize("version", [0, 1])
def test_limbs_of_vrm_models_are_found_by_their_humanoid_bones(answer, tmp_path, version):
    path = tmp_path / "made.vrm"
    path.write_bytes(vrm_files.vrm(version))
    [found] = answer({"clips": "limbsIn"}, FIND, [str(path)], READ)
    clips = motion.load_all(path)
    assert_same_clips(found, clips)
    limbs = found["clips"][0]["limbs"]
    bones = clips[0].human_bones
    for limb, part in ((limb, part) for limb in limbs for part in ("start", "mid", "end")):
        names = ("UpperLeg", "LowerLeg", "Foot")
        if limb["kind"] == "arm":
            names = ("UpperArm", "LowerArm", "Hand")
        name = dict(zip(("start", "mid", "end"), names, strict=True))[part]
        assert limb[part] == bones[limb["side"] + name]
    assert len(limbs) == 4
    ahead = found["clips"][0]["ahead"]
    assert np.allclose(ahead / np.linalg.norm(ahead), [0, 0, 1 if version else -1], atol=0.05)


# --- morph targets ------------------------------------------------------------------------

MORPHS = """(async () => {
  const { source, model } = await read(given.path), [clip] = source.clips, meshes = [];
  model.object.traverse((node) => node.isMesh && meshes.push(node));
  const shown = [0, 1, 2.5, 10].map((frame) => {
    const pose = clip.poseAt(frame);
    model.apply(pose, toWorld(source.skeleton, pose));
    model.object.updateMatrixWorld(true);
    return meshes.map((mesh) => Array.from({ length: mesh.geometry.attributes.position.count },
      (_, i) => mesh.getVertexPosition(i, new Vector3()).toArray()));
  });
  const has = meshes.map((mesh) => "position" in mesh.geometry.morphAttributes);
  return { count: clip.count, shown, has };
})()"""
WITH_VECTORS = READ + '\nimport { Vector3 } from "three";'


@pytest.mark.parametrize("version", [0, 1])
def test_morph_targets_move_the_vertices_of_a_face(answer, tmp_path, version):
    path, weights = tmp_path / "made.vrm", np.random.default_rng(version).uniform(0, 1, (11, 2))
    weights[0] = 0.0
    path.write_bytes(vrm_files.vrm(version, Talk=weights))
    found = answer({"skeleton": "toWorld"}, MORPHS, {"path": str(path)}, WITH_VECTORS)
    assert (found["count"], found["has"]) == (len(weights), [False, True, True])
    body, *faces = map(np.array, zip(*found["shown"], strict=True))
    assert np.ptp(body, axis=0).max() == 0.0
    at = np.array([weights[0], weights[1], weights[2:4].mean(0), weights[10]])  # of the frames
    wanted = np.zeros((4, 8, 3))
    wanted[..., 1] = -0.06 * at[:, 1, None]
    wanted[:, vrm_files.CHIN, 1] = -0.06 * at[:, 0, None]
    for face in faces:
        np.testing.assert_allclose(face - face[0], wanted, atol=1e-6)


def test_morph_targets_that_nothing_shows_take_no_memory(answer, tmp_path):
    path = tmp_path / "made.vrm"
    content = gltf_files.edited(vrm_files.vrm(1), without_expressions)
    path.write_bytes(content)
    found = answer({"skeleton": "toWorld"}, MORPHS, {"path": str(path)}, WITH_VECTORS)
    assert found["has"] == [False, False, False]


# --- expressions --------------------------------------------------------------------------

FACES = """(async () => {
  const { source, model } = await read(given.path), [clip] = source.clips, faces = [];
  model.object.traverse((node) => node.isMesh && node.morphTargetInfluences && faces.push(node));
  const shown = given.values.map((face) => {
    const pose = clip.poseAt(given.frame ?? 0);
    model.apply(pose, toWorld(source.skeleton, pose), face);
    return faces.map((mesh) => mesh.morphTargetInfluences);
  });
  return { names: model.expressions, shown };
})()"""


def faces(answer, path, values, frame=0):
    given = {"path": str(path), "values": values, "frame": frame}
    return answer({"skeleton": "toWorld"}, FACES, given, READ)


def without_expressions(json):
    del json["extensions"]["VRMC_vrm"]["expressions"]
    del json["meshes"][1]["extras"]


def with_names(json):
    del json["extensions"]["VRMC_vrm"]["expressions"]


def with_few_that_fit(json):
    bind = {"node": len(json["nodes"]) - 1, "index": 1, "weight": 0.5}
    wrong = [bind | {"index": 7}, bind | {"node": 999}, bind | {"weight": "x"}, None, 3]
    json["extensions"]["VRMC_vrm"]["expressions"] = {
        "preset": {"happy": {"morphTargetBinds": [*wrong, bind]}, "sad": {}, "angry": None},
        "custom": {"Wink": {"morphTargetBinds": [bind, bind | {"index": 0, "weight": 1}]}},
    }


@pytest.mark.parametrize(
    ("version", "change", "names", "weights"),
    [
        (0, None, ["a", "blink"], np.eye(2)),
        (1, None, ["aa", "blink"], np.eye(2)),
        (1, with_names, ["Fcl_MTH_A", "Fcl_EYE_Close"], np.eye(2)),
        (1, with_few_that_fit, ["happy", "Wink"], [[0, 0.5], [1, 0.5]]),
    ],
)
def test_the_expressions_of_a_file_move_its_morph_targets(
    answer, tmp_path, version, change, names, weights
):
    path = tmp_path / "made.vrm"
    content = vrm_files.vrm(version)
    path.write_bytes(gltf_files.edited(content, change) if change else content)
    values = np.array([[0.0, 0.0], [1.0, 0.0], [0.25, 0.75]])
    found = faces(answer, path, values.tolist())
    assert found["names"] == names
    for mesh in np.moveaxis(found["shown"], 1, 0):
        np.testing.assert_allclose(mesh, values @ weights, atol=1e-7)


def test_expressions_override_others_as_a_vrm_says(answer, tmp_path):
    def binding(json):
        face = len(json["nodes"]) - 1
        bind = [[{"node": face, "index": i, "weight": 1.0}] for i in range(2)]
        json["extensions"]["VRMC_vrm"]["expressions"] = {
            "preset": {
                "happy": {"morphTargetBinds": bind[0], "overrideBlink": "blend"},
                "angry": {
                    "morphTargetBinds": bind[0],
                    "overrideBlink": "block",
                    "overrideMouth": "wrong",
                    "isBinary": True,
                },
                "blink": {"morphTargetBinds": bind[1], "overrideBlink": "block"},
                "aa": {"morphTargetBinds": bind[1], "isBinary": "yes"},
            }
        }

    path = tmp_path / "made.vrm"
    path.write_bytes(gltf_files.edited(vrm_files.vrm(1), binding))
    # happy, angry, blink, aa, and what the two targets of the face become.
    cases = [
        ([0.25, 0, 1, 0], [0.25, 0.75]),  # blended
        ([0, 0.5, 1, 0], [0, 1]),  # one half of a binary one is nothing
        ([0, 0.6, 1, 0], [1, 0]),  # shown wholly, and it blocks
        ([1, 0.6, 1, 0], [2, 0]),
        ([0, 1, 0, 0.5], [1, 0.5]),  # a word that VRM has not overrides nothing
        ([0, 0, 0.5, 0], [0, 0.5]),  # none overrides itself
    ]
    found = faces(answer, path, [face for face, _ in cases])
    assert found["names"] == ["happy", "angry", "blink", "aa"]
    shown = [meshes[-1] for meshes in found["shown"]]
    np.testing.assert_allclose(shown, [weights for _, weights in cases], atol=1e-7)


def test_a_binary_expression_of_an_older_vrm_is_shown_wholly_or_not(answer, tmp_path):
    def binary(json):
        for group in json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"]:
            group["isBinary"] = True

    path = tmp_path / "made.vrm"
    path.write_bytes(gltf_files.edited(vrm_files.vrm(0), binary))
    found = faces(answer, path, [[0.5, 0.51]])
    np.testing.assert_allclose(found["shown"][0][0], [0, 1])


def test_expressions_are_added_to_what_a_clip_shows(answer, tmp_path):
    path = tmp_path / "made.vrm"
    path.write_bytes(vrm_files.vrm(1, Talk=np.array([[0.0, 0.0], [0.5, 0.25]])))
    found = faces(answer, path, [[0, 0], [0.25, 0.5]], frame=1)
    assert found["shown"] == [[[0.5, 0.25]] * 2, [[0.75, 0.75]] * 2]


def test_an_animation_moves_morph_targets_of_a_node_that_is_a_joint(answer, tmp_path):
    def to_joint(json):
        face = json["nodes"][-1]
        del face["skin"]
        json["skins"][0]["joints"].append(len(json["nodes"]) - 1)
        json["skins"][0].pop("inverseBindMatrices")

    path = tmp_path / "made.vrm"
    content = vrm_files.vrm(1, Talk=np.array([[0.0, 0.0], [0.5, 0.25]]))
    path.write_bytes(gltf_files.edited(content, to_joint))
    found = faces(answer, path, [[0, 0], [0.25, 0.5]], frame=1)
    assert found["shown"] == [[[0.5, 0.25]] * 2, [[0.75, 0.75]] * 2]


# --- poses --------------------------------------------------------------------------------

POSE = """given.map(({ skeleton: [parents, turned, translations], joints, ...one }) => {
  const rest = { rotations: turned, translations };
  const skeleton = skeletonOf(parents.map(String), parents, rest);
  const [start, mid, end] = joints, limb = limbOf(skeleton, { start, mid, end }, one.axis);
  let before = null;
  return one.poses.map((rotations, i) => {
    const pose = structuredClone({ rotations, translations }), world = toWorld(skeleton, pose);
    const controls = controlsOf(skeleton, limb, world);
    const options = { ...one.options, pole: one.poles ? one.poles[i] : null, before };
    const found = reach(skeleton, limb, pose, world, one.targets[i], options);
    before = found.transported;
    return { ...found, ...pose, controls, positions: world.positions };
  });
})"""
IMPORTS = {"reach": "controlsOf, limbOf, reach", "skeleton": "skeletonOf, toWorld"}
SKELETON = [-1, 0, 1, 2, 3, 4, 2]  # hips, chest, start, between, mid, end, a branch


def random_limb(seed, frames=30):
    """Return a limb, poses and targets: near and far, along the pole, at the root."""
    draw = np.random.default_rng(seed)
    skeleton = Skeleton(
        SKELETON,
        draw.normal(size=(7, 3)),
        rotations=normalize(draw.normal(size=(7, 4))),
    )
    joints = (2, 4, 5)
    limb = Limb(skeleton, *joints)
    poses = normalize(draw.normal(size=(frames, 7, 4)))
    world = skeleton.to_global(LocalPose(poses))
    roots = world.positions[:, 2]
    size = sum(np.linalg.norm(skeleton.offsets[3:6], axis=1))
    poles = draw.normal(size=(frames, 3))
    targets = roots + draw.normal(size=(frames, 3)) * size * draw.uniform(0.05, 1.2, (frames, 1))
    targets[3] = roots[3]
    targets[4] = roots[4] + 0.5 * poles[4]
    targets[5] = roots[5] + 0.5 * poles[5] + 0.03 * draw.normal(size=3)  # the pole fades
    return skeleton, joints, limb, poses, targets, poles


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("bend", "has_pole", "end", "policy", "limits"),
    [
        ("pole", True, "world", "clamp", (0, 180)),
        ("pole", True, "local", twobone.Soft(0.2), (0, 180)),
        ("rest", False, "world", "clamp", (30, 150)),
        ("rest", False, "local", twobone.Soft(0.05), (10, 170)),
        ("transport", True, "world", "clamp", (0, 180)),
        ("transport", False, "world", twobone.Soft(0.1), (0, 180)),
    ],
)
def test_limbs_are_posed_as_python_poses_them(answer, bend, has_pole, end, policy, limits):
    given, wanted = [], []
    for seed in range(12):
        skeleton, joints, limb, poses, targets, poles = random_limb(seed)
        limb = Limb(skeleton, *joints, mid_axis=limb.mid_axis, limits=limits)
        options = {"bend": bend, "endIsLocal": end == "local", "unreachable": {}}
        if policy != "clamp":
            options["unreachable"]["soft"] = policy.softness
        if limits != (0, 180):
            options["unreachable"]["limits"] = limits
        given.append(
            {
                "skeleton": [SKELETON, skeleton.rotations, skeleton.offsets],
                "joints": joints,
                "axis": limb.mid_axis,
                "poses": poses,
                "targets": targets,
                "poles": poles if has_pole else None,
                "options": options,
            }
        )
        pole = {"pole": poles} if has_pole else {}
        posed = limb.reach(
            LocalPose(poses), targets, bend=bend, end_rotation=end, unreachable=policy, **pole
        )
        wanted.append((skeleton, limb, poses, posed))
    found = answer(IMPORTS, POSE, given)
    for there, (skeleton, limb, poses, posed) in zip(found, wanted, strict=True):
        close = {"rtol": 0, "atol": 1e-9}
        assert [frame["status"] for frame in there] == posed.status.tolist()
        rotations = np.array([frame["rotations"] for frame in there])
        same_sign = np.sign(np.sum(rotations * posed.pose.rotations, -1, keepdims=True))
        np.testing.assert_allclose(rotations * same_sign, posed.pose.rotations, **close)
        positions = skeleton.to_global(posed.pose).positions
        np.testing.assert_allclose([frame["positions"] for frame in there], positions, **close)
        np.testing.assert_allclose([f["sine"] for f in there], posed.conditioning, **close)
        transported = [frame["transported"] for frame in there]
        np.testing.assert_allclose(transported, posed.transported, **close)
        controls = limb.controls(LocalPose(poses))
        for name in ("target", "pole"):
            there_too = [frame["controls"][name] for frame in there]
            np.testing.assert_allclose(there_too, getattr(controls, name), **close)


def test_a_detached_end_moves_with_the_second_bone(answer):
    parents = [-1, 0, 1, 2, 0]  # hips, thigh, knee, the tip of the shin, a foot below the hips
    offsets = [[0, 1, 0], [0.1, 0, 0], [0, -0.5, 0.05], [0, -0.45, 0], [0.1, -0.95, 0.05]]
    draw = np.random.default_rng(3)
    skeleton = Skeleton(parents, offsets)
    world, axis = skeleton.to_global(LocalPose(skeleton.rotations)), [-1.0, 0.0, 0.0]
    targets = world.positions[4] + 0.2 * draw.normal(size=(30, 3))
    poles = np.array([0.0, 0.0, 1.0]) + 0.3 * draw.normal(size=(30, 3))
    given = {
        "skeleton": [parents, skeleton.rotations, offsets],
        "joints": [1, 2, 4],
        "axis": axis,
        "poses": np.tile(skeleton.rotations, (30, 1, 1)),
        "targets": targets,
        "poles": poles,
        "options": {"bend": "pole", "unreachable": {"soft": 0.1}},
    }
    [found] = answer(IMPORTS, POSE, [given])
    matrices = np.tile(np.eye(4), (5, 1, 1))
    matrices[:, :3, :3] = quaternion_to_matrix(world.rotations)
    matrices[:, :3, 3] = world.positions
    wanted = twobone.correct_limb(
        *matrices[[1, 2, 4]],
        targets,
        pole=poles,
        mid_axis=axis,
        unreachable=twobone.Soft(0.1),
    )
    assert [frame["status"] for frame in found] == wanted.status.tolist()
    for frame, start, mid, target in zip(found, wanted.start, wanted.mid, targets, strict=True):
        np.testing.assert_allclose(frame["rotations"][1], start, atol=1e-9)
        np.testing.assert_allclose(frame["rotations"][2], mid, atol=1e-9)
        if frame["status"] == 0:
            np.testing.assert_allclose(frame["positions"][4], target, atol=1e-9)
    assert {0, 1} <= {frame["status"] for frame in found}


# --- the page's own figure ----------------------------------------------------------------

OWN = """(() => {
  const { source } = sample(), { skeleton } = source;
  const clips = source.clips.map(({ name, count, poseAt }) => {
    const worlds = Array.from({ length: count }, (_, i) => toWorld(skeleton, poseAt(i)).positions);
    return { name, worlds };
  });
  return { ...limbsIn(source, source.clips[0]), clips, names: skeleton.names };
})()"""


def test_the_figure_of_the_page_stands_and_walks_without_sliding(answer):
    imports = {"sample": "sample", "clips": "limbsIn", "skeleton": "toWorld"}
    found = answer(imports, OWN, None)
    assert [limb["name"] for limb in found["limbs"]] == [
        *("left leg", "right leg"),
        *("left arm", "right arm"),
    ]
    names = found["names"]
    assert 20 <= len(names) <= 60
    for clip in found["clips"]:
        worlds = np.array(clip["worlds"])
        feet = worlds[:, [names.index(f"{side}Toe") for side in ("Left", "Right")]]
        assert feet[..., 1].min() > 0.0
        assert worlds[..., 1].max() < 1.9
        thighs, shins = (
            np.linalg.norm(worlds[:, names.index(a)] - worlds[:, names.index(b)], axis=-1)
            for a, b in (("LeftUpLeg", "LeftLeg"), ("LeftLeg", "LeftFoot"))
        )
        assert max(np.ptp(thighs), np.ptp(shins)) < 1e-9
        # Toes on the ground stay where they are; a loop goes on where it ends.
        moved = np.linalg.norm(np.diff(feet, axis=0), axis=-1)
        low = feet[:-1, :, 1] < feet[..., 1].min() + 0.004
        assert moved[low].max() < 0.02 if clip["name"] == "Walk" else moved.max() < 1e-6
        assert np.abs(worlds[0] - worlds[-1]).max() < 0.25


# --- files that are refused ---------------------------------------------------------------

REFUSE = """(async () => {
  const out = [];
  for (const [kind, data] of given) {
    const buffer = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer;
    try {
      if (kind === "bvh") readBvh(buffer);
      else await readGltf(buffer);
      out.push("");
    } catch (error) {
      out.push(error instanceof Refused ? error.message : `${error.stack}`);
    }
  }
  return out;
})()"""
READERS = {"bvh": "readBvh", "gltf": "readGltf", "refused": "Refused"}
HIP = "HIERARCHY\nROOT hip {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n"
TAIL = "End Site { OFFSET 0 -1 0 } }\nMOTION\nFrames: 1\nFrame Time: .01\n"
BVHS = {
    "": "Line 1: expected the word HIERARCHY, got the end of the file.",
    "HIERARCHY ROOT hip }": "Line 1: expected {, got “}”.",
    HIP: "Line 5: expected ROOT, JOINT, End Site, .* got the end of the file.",
    HIP + TAIL: "Expected 1 lines of numbers, one for each frame, got 0.",
    HIP + TAIL + "1 2\n": "Line 9: expected 1 numbers in a line, one for each channel, got 2.",
    HIP + TAIL + "nan\n": "Line 9: expected a number up to .*, got “nan”.",
    HIP.replace("Xrot", "Wrot") + TAIL: "Line 4: expected one of the channels .*“Wrotation”.",
    HIP.replace("0 1 0", "0 1 1e999") + TAIL: "Line 3: expected a number .*“1e999”.",
    HIP.replace("0 1 0", "0 1e308 0") + TAIL: r"Line 3: .* up to 1e\+100, got “1e308”.",
    HIP.replace("Xrotation", "Xposition") + TAIL + "1e308\n": "Line 9: .* up to 1e.100, got",
    HIP + TAIL.replace(".01", "1e-9") + "1\n": "",
    HIP + TAIL.replace(".01", "1e-301") + "1\n": r"Line 8: .*, between 1e-300 and 1e\+300, got",
    HIP + TAIL.replace("1\n", "-1\n", 1) + "1\n": "Line 7: expected a number of frames, 1 or more",
    "HIERARCHY " + "ROOT a { OFFSET 0 0 0 } " * 1001: "The skeleton has more than 1000 joints.",
}


def test_files_that_cannot_be_shown_are_refused_with_a_reason(answer):
    given = [("bvh", text.encode()) for text in BVHS] + [("glb", data) for data, _ in GLBS]
    encoded = [(kind, base64.b64encode(data).decode()) for kind, data in given]
    found = answer(READERS, REFUSE, encoded)
    wanted = [*BVHS.values(), *(said for _, said in GLBS)]
    for said, pattern in zip(found, wanted, strict=True):
        assert re.search(pattern, said) if pattern else said == "", (pattern, said)
        assert len(said) < 300


def test_damaged_bytes_are_read_or_refused_but_never_fail(answer):
    draw = random.Random(5)
    whole = [("glb", changed()), ("bvh", (HIP + TAIL + "1\n").encode())]
    given = []
    for kind, data in whole * 150:
        broken = bytearray(data)
        for _ in range(draw.choice([1, 3, 20])):
            broken[draw.randrange(len(broken))] = draw.choice([0, 32, 34, 48, 57, 123, 125, 255])
        given.append((kind, base64.b64encode(broken).decode()))
    for said in answer(READERS, REFUSE, given):
        assert "    at " not in said  # a stack: an error that nobody foresaw


# --- copied code --------------------------------------------------------------------------

COPY = """(async () => {
  const { source } = given.path ? await read(given.path) : sample(), { skeleton } = source;
  const posing = new Posing({ name: given.path, source, solids: given.path ? null : () => [] });
  posing.frame = given.frame;
  const chosen = ({ name }, i) => (given.limb ? name === given.limb : i === given.index);
  const limb = posing.limbs.find(chosen);
  if (!limb) return null;
  Object.assign(posing.settings(limb), given.settings);
  const { target, pole } = posing.solve().limbs.find((one) => one.limb === limb);
  posing.hold(limb, { target: target.map((v, i) => v + given.by[i] * limb.reach), pole });
  const { limbs, world } = posing.solve(), shown = limbs.find((one) => one.limb === limb);
  // The copied function poses the same skeleton in three.js.
  const bones = skeleton.names.map(() => new Bone()), pose = posing.clip.poseAt(posing.frame);
  skeleton.parents.forEach((parent, i) => {
    bones[i].position.set(...pose.translations[i]);
    bones[i].quaternion.set(...pose.rotations[i]);
    if (parent >= 0) bones[parent].add(bones[i]);
  });
  const names = ["MathUtils", "Matrix4", "Quaternion", "Vector3"], text = code.three(posing, shown);
  const body = text.slice(0, text.indexOf("// This limb of")).replace(/^import.*$/m, "");
  const make = new Function(...names, body.replace("export function", "return function"));
  const solveLimb = make(MathUtils, Matrix4, Quaternion, Vector3);
  const three = [limb.start, limb.mid, limb.end].map((joint) => bones[joint]);
  const { soft, least, greatest, endIsLocal } = posing.settings(limb);
  const options = { soft, least, greatest, keepEnd: !endIsLocal };
  const vectors = [shown.target, shown.pole, limb.limb.midAxis].map((v) => new Vector3(...v));
  solveLimb(...three, ...vectors, options);
  const at = three.slice(1).map((bone) => bone.getWorldPosition(new Vector3()).toArray());
  const wanted = [limb.mid, limb.end].map((joint) => world.positions[joint]);
  const { reach, isDetached } = limb, { word } = shown;
  const texts = { python: code.python(posing, shown), glsl: code.glsl(posing, shown) };
  return { ...texts, at, wanted, reach, word, isDetached };
})()"""
COPIED = {"posing": "Posing", "code": "code", "sample": "sample"}
THREE = '\nimport { Bone, MathUtils, Matrix4, Quaternion, Vector3 } from "three";'


@pytest.mark.parametrize(
    ("limb", "by", "settings"),
    [
        ("left arm", (0.1, 0.2, 0.3), {}),
        ("right arm", (0.0, 0.9, 0.4), {"soft": 0.1, "endIsLocal": True}),
        ("left leg", (0.1, 0.3, 0.2), {"least": 60, "greatest": 150, "bend": "pole"}),
    ],
)
def test_copied_code_poses_the_limb_as_the_page_does(
    answer, tmp_path, monkeypatch, capsys, limb, by, settings
):
    monkeypatch.chdir(tmp_path)
    motion.save(made_clip(True), "made.bvh")
    for path in ("made.bvh", None):
        given = {"path": path and str(tmp_path / path), "frame": 7, "limb": limb, "by": by}
        found = answer(COPIED, COPY, given | {"settings": settings}, READ + THREE)
        exec(found["python"], {})
        printed = capsys.readouterr().out
        numbers = [float(v) for v in re.findall(r"-?\d+\.\d*(?:e-?\d+)?", printed)[:3]]
        close = {"rtol": 0, "atol": 1e-5 * found["reach"]}
        np.testing.assert_allclose(numbers, found["wanted"][1], **close)
        assert printed.split()[-1] == found["word"]
        np.testing.assert_allclose(found["at"], found["wanted"], **close)
        assert "vec3 joint(vec3 root" in found["glsl"]


@pytest.mark.parametrize("path", RIGS or [ABSENT], ids=lambda path: getattr(path, "name", ""))
def test_copied_code_is_exact_for_limbs_of_real_rigs(answer, monkeypatch, capsys, path):
    """Hinges of these limbs are up to 0.8 degrees away from perpendicular to their bones."""
    monkeypatch.chdir(path.parent)
    for index in range(4):
        given = {"path": str(path), "frame": 5, "index": index, "by": (0.03, 0.12, 0.05)}
        settings = {"soft": 0.05} if index % 2 else {}
        found = answer(COPIED, COPY, given | {"settings": settings}, READ + THREE)
        if found is None:
            break
        close = {"rtol": 0, "atol": 1e-5 * found["reach"]}
        np.testing.assert_allclose(found["at"], found["wanted"], **close)
        if not found["isDetached"]:
            exec(found["python"].replace(json.dumps(str(path)), json.dumps(path.name)), {})
            printed = capsys.readouterr().out
            numbers = [float(v) for v in re.findall(r"-?\d+\.\d*(?:e-?\d+)?", printed)[:3]]
            np.testing.assert_allclose(found["at"][1], numbers, **close)
    assert index >= 2
