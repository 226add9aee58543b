"""Figures of walks and their bounds; walks over steep hills that once broke one.

Statistics of all animals are made by `tools/walk_statistics.py`, every night.
"""

import json
import sys

import numpy as np
import pytest

import walk_statistics
from slow import slow
from twobone import creature
from twobone.creature import animals
from walk_statistics import CASES


def test_bounds_that_are_broken_are_named():
    case = CASES["insect"]
    walk, ground = next(walk_statistics.walk_ten(case.animal, 0.0, 1.0))
    walk.feet[-20:] += 1e-3
    found = walk_statistics.broken(case, walk_statistics.figures(walk, ground))
    assert {"slide", "bone_error"} < set(found)
    assert found["slide"] == (pytest.approx(3**0.5 * 1e-3), 0.0)


def test_statistics_are_recorded_and_what_got_worse_is_named(tmp_path, monkeypatch, capsys):
    def run(*told):
        monkeypatch.setattr(
            sys, "argv", ["walk_statistics.py", "insect", "--roughness", "0", *told]
        )
        with pytest.raises(SystemExit) as end:
            walk_statistics.main()
        return end.value.code, capsys.readouterr().out

    file = tmp_path / "walks.json"
    assert run("--seconds", "0.5", "--record", str(file))[0] == 0
    again = run("--against", str(file))
    assert again[0] == 0
    assert "worse" not in again[1]
    recorded = json.loads(file.read_text())
    found = recorded["rows"][0]["figures"]
    assert found["slide"] == {"median": 0.0, "worst": 0.0, "broken": 0}
    assert found["way"]["worst"] <= found["way"]["median"]  # the least is the worst
    assert found["way"]["broken"] == walk_statistics.COUNT  # too short for it
    found["way"] |= {"worst": 9.0, "broken": 9}
    file.write_text(json.dumps(recorded))
    code, said = run("--against", str(file))
    assert code == 1
    assert [line for line in said.splitlines() if "worse" in line] == [
        "  worse: way: bound broken by 10 of 10, was 9",
        f"  worse: way: median {found['way']['median']:g}, the worst was 9",
    ]
    file.write_text(json.dumps(recorded | {"rows": []}))
    code, said = run("--against", str(file))
    assert code == 1
    assert "not in the recorded run" in said


@pytest.mark.parametrize(
    ("name", "figure", "seed", "seconds"),
    slow(
        # Feet stood on behind a crest, or under the body, while the body went on.
        ("insect", "depth_of_shins", 661050, 11),
        ("centipede", "knees_inside", 661050, 14),
        ("centipede", "knee_plane_rotation", 310010, 7),
    ),
)
def test_legs_on_steep_hills_that_once_met_the_ground_or_the_body(name, figure, seed, seconds):
    ten = walk_statistics.walk_ten(creature.animal(name), walk_statistics.STEEP, seconds, seed)
    worse, bound = walk_statistics.BOUNDS[figure]
    assert worse(walk_statistics.figures(*walk)[figure] for walk in ten) <= bound


@pytest.mark.parametrize("name", slow(*creature.ANIMALS))
def test_slow_walks_go_on_over_hills(name):
    """At a tenth of full speed: steps are short, and still every foot gets over the ground."""
    animal = creature.animal(name)
    length, share, dt = animals.length(animal), 0.1, 1 / 30
    walker = walk_statistics.ten_walkers(animal, 0.25, seed=700)
    begin, blocked = walker.place, np.zeros(walk_statistics.COUNT)
    seconds = 2.0 * length / (share * animal.speed)
    for _ in range(round(seconds / dt)):
        walker.step(dt, share * animal.speed)
        blocked += dt * walker.blocked
    way = np.linalg.norm(walker.place - begin, axis=1)
    assert np.median(way) > 0.8 * 2.0 * length
    # One may come to a hole in which its foot finds no ground, and stop.
    assert np.sort(way)[1] > 0.5 * 2.0 * length
    assert np.sort(blocked)[-2] < 3.0
