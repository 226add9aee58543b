"""Models of walks in Blender: one rig, whose bones are where the recording has them.

They need an interpreter that has `bpy`. It has a NumPy too old for this package, so it is one of
its own: CONTRIBUTING.md says how to make it.
"""

import importlib.util
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from twobone import creature
from twobone.pictures import keyframes, legs, model

SCRIPT = Path(__file__).parents[1] / "blender_import.py"
KEYS = (24, 30, 60)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def walks():
    """Return a walk of each animal."""
    return {
        name: creature.walk(name, terrain=0.1, seconds=1.0, turn=0.5, seed=2)
        for name in creature.ANIMALS
    }


@pytest.fixture(scope="module", params=KEYS)
def imported(request, walks, tmp_path_factory):
    """Return keys per second, and what Blender has imported for each animal."""
    folder, keys = tmp_path_factory.mktemp("models"), request.param
    files = [str(folder / f"{name}.glb") for name in walks]
    for file, walk in zip(files, walks.values(), strict=True):
        model.write_glb(file, walk, 0, keys=keys)
    return keys, dict(zip(walks, ran_in_blender(keys, files), strict=True))


def ran_in_blender(keys, files):
    """Return what Blender finds in files; skip where there is no Blender."""
    python = os.environ.get("TWOBONE_BLENDER")
    if not python:
        if importlib.util.find_spec("bpy") is None:
            pytest.skip("bpy is not installed")
        python = sys.executable
    command = [python, str(SCRIPT), str(keys), *files]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    told = [line for line in (ran.stdout + ran.stderr).splitlines() if not line.startswith("[{")]
    assert not [line for line in told if "WARN" in line or "ERROR" in line or "rror:" in line]
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("[{")]
    return json.loads(line)


@pytest.fixture(params=creature.ANIMALS)
def seen(request, walks, imported):
    """Return the walk with the keys of the model, and what Blender has imported."""
    keys, found = imported
    walk = keyframes.at_rate(walks[request.param], keys)
    assert found[request.param]["done"] == ["FINISHED"]
    return walk, found[request.param]


def test_there_is_one_rig_of_named_bones(seen):
    walk, found = seen
    bones = found["bones"]
    assert found["rigs"] == ["rig"]
    assert [name for name, bone in bones.items() if bone["parent"] is None] == ["root"]
    above = {name: bone["parent"] for name, bone in bones.items()}
    spine = ["body", *(f"spine_{k}" for k in range(1, len(walk.along)))]
    assert [above[name] for name in spine] == ["root", *spine[:-1]]
    assert {above[name] for name in above if name.startswith("thigh")} == set(spine)
    tail = [name for name in above if name.startswith("tail")]
    assert [above[name] for name in tail] == ["body", *tail][: len(tail)]
    assert above["head"] == "neck" if "neck" in above else above["head"] == spine[-1]
    bent = int(legs.has_ankle(walk.bones).sum())
    own = 1 + len(spine) + len(tail) + ("head" in above) + ("neck" in above)
    assert len(bones) == own + 4 * len(walk.bones) + bent
    for name in above:
        part, _, leg = name.partition("_")
        if part == "socket":
            assert above[name] == f"foot_{leg}"
        elif part == "foot":
            assert above[name] in (f"shin_{leg}", f"metatarsus_{leg}")
        elif part in ("shin", "metatarsus"):
            assert above[name] == f"{'thigh' if part == 'shin' else 'shin'}_{leg}"
    # Bones of legs are drawn from joint to joint.
    for name, bone in bones.items():
        part = name.partition("_")[0]
        if part in ("shin", "metatarsus", "foot"):
            np.testing.assert_allclose(bones[above[name]]["tail"], bone["head"], atol=1e-4)
    # Those of trunk, neck and tail point to the next one.
    for chain in (spine, ["neck", "head"], tail):
        for name, after in itertools.pairwise([name for name in chain if name in bones]):
            start, end = (np.array(bones[name][part]) for part in ("head", "tail"))
            way = np.array(bones[after]["head"]) - start
            assert np.dot(way, end - start) > 0.999 * np.linalg.norm(way) * np.linalg.norm(
                end - start
            )


def test_the_mesh_has_the_rigs_skin(seen):
    _, found = seen
    assert found["parent"] == "rig"
    assert found["modifiers"] == [["ARMATURE", "rig"]]
    assert set(found["groups"]) == set(found["bones"])
    assert set(found["weights"]) <= {1, 2, 3, 4}  # of each vertex
    assert found["sums"] == [1.0]


def test_the_walk_is_one_action_with_keys_on_whole_frames(seen):
    walk, found = seen
    assert found["actions"] == ["walk"]
    np.testing.assert_allclose(found["times"], np.arange(len(walk.time)), atol=1e-3)
    moved, turned = (
        {path.split('"')[1] for path in found["curves"] if path.endswith(kind)}
        for kind in ("location", "rotation_quaternion")
    )
    assert {name for name in moved if not name.startswith("spine")} == {"root", "body"}
    still = ("socket", "spine", "head", "tail")  # some animals have stiff ones
    assert {name for name in turned if not name.startswith(still)} == {
        name for name in found["bones"] if not name.startswith(still)
    }


def test_bones_and_mesh_are_where_the_recording_has_them(seen):
    walk, found = seen
    leg = walk.bones.sum(axis=1).max()
    points = {"thigh": walk.hips, "shin": walk.knees, "foot": walk.feet}
    points |= {"metatarsus": walk.ankles}
    points |= {"socket": walk.feet}
    for number, frame in enumerate(found["frames"]):
        place = {name: np.array([x, z, -y]) for name, (x, y, z, _) in frame.items()}
        np.testing.assert_allclose(place["body"], walk.stations[number, 0], atol=1e-5)
        for name, there in place.items():
            part, _, which = name.partition("_")
            if part in points:
                row = points[part][number]
                away = np.linalg.norm(row - there, axis=-1)
                assert np.min(away) < 1e-5 * max(leg, 1.0)
                # It is the same leg as the hip of that name.
                hip = np.linalg.norm(walk.hips[number] - place[f"thigh_{which}"], axis=-1)
                assert np.argmin(away) == np.argmin(hip)
        for name, (*_, away) in frame.items():
            if name.startswith(("socket", "shin", "metatarsus")):
                assert away < 0.06 * leg, name  # from the mesh
    # The root moves with the body, on the ground.
    root = np.array([frame["root"][:2] for frame in found["frames"]]) * [1.0, -1.0]
    assert np.max(np.abs(root - walk.body_position[:, [0, 2]])) < 0.1 * leg
    assert np.linalg.norm(root[-1] - root[0]) > 0.02 * leg


def test_a_loop_is_two_actions(walks, tmp_path):
    file, cycle = tmp_path / "loop.glb", creature.walk_cycle("dog", speed=0.9, fps=30)
    model.write_glb(file, cycle, loop=True)
    [found] = ran_in_blender(30, [str(file)])
    assert found["actions"] == ["walk", "walk_root_motion"]
    np.testing.assert_allclose(found["times"], np.arange(len(cycle.time)), atol=1e-3)
