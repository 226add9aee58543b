"""What no test reaches is named by function and line, and each place has a reason."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

import unreached
from unreached import Reason

SOURCE = """\
import sys
if sys.platform == "darwin":
    import mac


def f(a):
    if a:
        a = 1
        a = 2
    for each in ():
        print(each)
    return a
"""
# Of a run with `f(0)`, not on a Mac; nothing ends the loop, because it has no passes.
REPORT = {
    "": ([1, 2, 6], [3], [[2, 3]]),
    "f": ([7, 10, 12], [8, 9, 11], [[7, 8], [10, 11]]),
}
MAC = Reason("only on a Mac")
NOT_REACHED = {
    "m.py: import mac",
    "m.py: f: a = 1",
    "m.py: f: print(each)",
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a function that checks the module against reasons, and gives the exit code."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/m.py").write_text(SOURCE)
    functions = {
        name: dict(zip(("executed_lines", "missing_lines", "missing_branches"), parts, strict=True))
        for name, parts in REPORT.items()
    }
    (tmp_path / "report.json").write_text(
        json.dumps({"files": {"src/m.py": {"functions": functions}}})
    )
    monkeypatch.setattr(unreached, "PROJECT", tmp_path)
    reasons = tmp_path / "reasons.toml"

    def check(explained, *told):
        reasons.write_text(unreached.as_toml(explained), encoding="utf-8")
        command = ["unreached.py", str(tmp_path / "report.json"), "--reasons", str(reasons)]
        monkeypatch.setattr(sys, "argv", [*command, *told])
        with pytest.raises(SystemExit) as end:
            unreached.main()
        return end.value.code, unreached.reasons(tomllib.loads(reasons.read_text("utf-8")))

    return check


def test_all_that_has_a_reason_is_let_pass(project):
    assert project(dict.fromkeys(NOT_REACHED, MAC))[0] == 0


def test_what_has_no_reason_is_named(project, capsys):
    explained = dict.fromkeys(NOT_REACHED - {"m.py: f: a = 1"}, MAC)
    assert project(explained)[0] == 1
    assert "there is no reason: m.py: f: a = 1\n" in capsys.readouterr().out
    assert project(explained | {"m.py: f: a = 1": Reason("")})[0] == 1


def test_a_reason_for_what_is_reached_or_gone_is_named(project, capsys):
    assert project(dict.fromkeys([*NOT_REACHED, "m.py: f: return a"], MAC))[0] == 1
    assert "reached, or gone: m.py: f: return a\n" in capsys.readouterr().out


def test_what_is_reached_sometimes_may_be_reached(project):
    race = {"m.py: f: return a": Reason("a race", sometimes=True)}
    explained = dict.fromkeys(NOT_REACHED, MAC) | race
    assert project(explained) == (0, explained)
    assert project(explained, "--write") == (0, explained)


def test_the_keys_are_brought_up_to_date_and_reasons_stay(project):
    code, explained = project({"m.py: import mac": MAC, "m.py: g: b": Reason("gone")}, "--write")
    assert code == 1  # until a person has written the reasons
    assert explained == dict.fromkeys(NOT_REACHED, Reason("")) | {"m.py: import mac": MAC}


def test_a_branch_that_is_not_taken_has_both_its_ends():
    lines = SOURCE.splitlines()
    part = {"executed_lines": [7, 8, 9, 10, 12], "missing_lines": [11]}
    part["missing_branches"] = [[7, 10], [10, -6], [10, 11]]
    found = list(unreached.of_a_function(part, lines))
    assert found == ["print(each)", "if a: -> for each in ():", "for each in (): -> the end"]


def test_each_place_that_is_not_reached_has_a_reason():
    table = tomllib.loads(unreached.REASONS.read_text(encoding="utf-8"))
    keys = [key for each in table["unreached"] for key in each["what"]]
    assert len(set(keys)) == len(keys)
    assert all(len(each["reason"]) > 10 for each in table["unreached"])
    source = Path(unreached.__file__).parents[1] / "src"
    assert all((source / key.partition(": ")[0]).exists() for key in keys)
