"""Answers have the same bits in every engine and with every instruction set: one table of hashes.

If an answer changes on purpose, `python tests/determinism.py` prints the new ones.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engines import KERNEL
from slow import slow

SCRIPT = Path(__file__).with_name("determinism.py")
HASHES = {
    "reach, 2-D, float64, clamp": "9cbeb9ec269e47c8",
    "reach, 2-D, float64, stretch": "1b1413f8ae2939e1",
    "reach, 2-D, float64, nan": "a073bb9d6b95a152",
    "reach, 2-D, float64, soft": "2ff668d6465afca6",
    "reach, 2-D, float64, chain": "586ac2ca2eefceb5",
    "reach, 2-D, float32, clamp": "9dfe8ffef751c122",
    "reach, 2-D, float32, stretch": "c8cc0a6828e169ec",
    "reach, 2-D, float32, nan": "1186310648d5758f",
    "reach, 2-D, float32, soft": "af0e87c70927904a",
    "reach, 2-D, float32, chain": "d9bf46445079bba3",
    "reach, 3-D, float64, clamp": "e8892ff7bd2e21fb",
    "reach, 3-D, float64, stretch": "3611eefe59dc8f66",
    "reach, 3-D, float64, nan": "46f6c124282059a8",
    "reach, 3-D, float64, soft": "682e1b1befdc74dc",
    "reach, 3-D, float64, chain": "2a0b63777306c538",
    "reach, 3-D, float32, clamp": "58bd7db1224c17cf",
    "reach, 3-D, float32, stretch": "666bedbf909074a8",
    "reach, 3-D, float32, nan": "7952f9c6fa265123",
    "reach, 3-D, float32, soft": "890c4de23fe290bc",
    "reach, 3-D, float32, chain": "d1fa543290c173c0",
    "solve_xyz": "3bcdb966eab2844e",
    "Limb.reach, pole": "2018d5313c5f0e3b",
    "Limb.reach, transport, soft": "6b4acff4701426cc",
    "correct_limb": "9439acb9ed099d98",
    "motion.pin": "deb93a583463e5c5",
    "motion.pin, soft": "6fa4e3d6cee34b91",
    "motion.move_end": "b04b78e3b72c529b",
    "walk of insect": "51609d847731e130",
    "walk of dog": "ce1376fd707559ef",
    "walk of bird": "0ba46b26276c863b",
    "walk of crab": "b71d88c3010a22dd",
    "walk of spider": "f9d3d9d3ca920cb0",
    "walk of centipede": "f2b560a27e07e522",
    "walk of horse": "cbe382ff4459631a",
    "walk of human": "7e784580dbf627fd",
}


def run(name):
    """Return the hashes of an engine, for each of its instruction sets."""
    done = subprocess.run(
        [sys.executable, SCRIPT],
        env={**os.environ, "TWOBONE_ENGINE": name},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["compiled", *slow("numpy")])
def test_each_scenario_has_its_hash(name):
    if name == "compiled" and KERNEL is None:
        pytest.skip("the kernel is not built")
    found = run(name)
    assert found
    for instruction_set, hashes in found.items():
        assert hashes == HASHES, instruction_set
