"""Clips of joint positions in Blender: joints are where they were, and feet stay.

They need an interpreter that has `bpy`: CONTRIBUTING.md says how to make it.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import moving_joints
from twobone import cli, motion

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "tutorials" / "joints.md"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python():
    """Return an interpreter that has bpy; skip where there is none."""
    found = os.environ.get("TWOBONE_BLENDER")
    if not found:
        if importlib.util.find_spec("bpy") is None:
            pytest.skip("bpy is not installed")
        found = sys.executable
    return found


def in_blender(python, files):
    """Return where Blender has the joints of files (T, J, 3), y up, by their names."""
    command = [python, str(TESTS / "blender_joints.py"), "20", *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("[{")]
    return [
        {name: np.array(at)[:, [0, 2, 1]] * [1, 1, -1] for name, at in each.items()}
        for each in json.loads(line)
    ]


def test_one_command_makes_files_whose_feet_stay_in_blender(python, tmp_path):
    points = moving_joints.positions(moving_joints.person(60, turning=0.0))
    points[:, :, 2] += np.linspace(0.0, 0.4, 60)[:, None]  # feet slide
    points += 0.003 * np.random.default_rng(0).normal(size=points.shape)
    np.save(tmp_path / "results.npy", {"motion": points.transpose(1, 2, 0)[None]})
    made = [tmp_path / "motion.glb", tmp_path / "motion.bvh"]
    for path in made:
        source = str(tmp_path / "results.npy")
        assert cli.run(["joints", source, "--fps", "20", "--pin", "-o", str(path)]) == 0
    [script] = re.findall(r"```python\n(import sys.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "convert.py").write_text(script)
    others = [tmp_path / "motion.fbx", tmp_path / "motion.usdc"]
    converted = [python, str(tmp_path / "convert.py"), "--", str(made[0]), *map(str, others)]
    subprocess.run(converted, capture_output=True, check=True)
    clip = motion.load(made[0])
    contacts = motion.find_contacts(motion.from_joints(points, 20))
    assert any(contacts.values())
    for found in in_blender(python, [*made, *others]):
        for joint, name in enumerate(clip.skeleton.names):
            np.testing.assert_allclose(found[name], clip.joints()[:, joint], atol=1e-5)
        for name, spans in contacts.items():
            for first, stop in spans:
                assert np.ptp(found[name][first:stop], axis=0).max() < 1e-4
