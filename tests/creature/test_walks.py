"""Figures of walks and their bounds.

Statistics of all animals are made by `tools/walk_statistics.py`, every night.
"""

import json
import sys

import pytest

import walk_statistics
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
