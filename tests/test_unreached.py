"""What no test reaches has a comment that names the reason."""

import json
import sys
import tomllib

import pytest

import unreached

SOURCE = """\
import sys
if sys.platform == "darwin":
    import mac  # unreached: mac


def f(a):
    # A comment. unreached: zero
    # Another.
    if a:
        a = 1
        a = 2
    for each in ():  # never; unreached: empty
        print(each)
    return a
"""
# Of a run with `f(1)`, not on a Mac; nothing ends the loop, because it has no passes.
REPORT = {
    "": ([1, 2, 6], [3], [[2, 3]]),
    "f": ([9, 10, 11, 12, 14], [13], [[9, 12], [12, 13]]),
}
TABLE = """
sometimes = ["race"]
[reasons]
mac = "only on a Mac"
zero = "no test gives zero"
empty = "there is nothing to print"
race = "another thread was faster"
"""


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Return what is said of a source: lines, and whether they are faults."""
    (tmp_path / "src").mkdir()
    (tmp_path / "reasons.toml").write_text(TABLE)
    parts = ("executed_lines", "missing_lines", "missing_branches")
    functions = {name: dict(zip(parts, each, strict=True)) for name, each in REPORT.items()}
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"files": {"src/m.py": {"functions": functions}}}))
    monkeypatch.setattr(unreached, "PROJECT", tmp_path)
    monkeypatch.setattr(unreached, "REASONS", tmp_path / "reasons.toml")
    monkeypatch.setattr(sys, "argv", ["unreached.py", str(report)])

    def said(source):
        (tmp_path / "src/m.py").write_text(source)
        with pytest.raises(SystemExit) as end:
            unreached.main()
        *faults, count = capsys.readouterr().out.splitlines()
        assert count == f"3 places are not reached; {len(faults)} faults"
        assert end.value.code == bool(faults)
        return faults

    return said


PRINTS = SOURCE.replace("  # never; unreached: empty", "").replace(
    "print(each)", "print(each)  # unreached: empty"
)


def test_all_that_has_a_reason_is_let_pass(said):
    assert said(PRINTS) == []


def test_a_comment_belongs_to_the_line_that_is_not_reached(said):
    missed, reached = said(SOURCE)
    assert missed == ("src/m.py:13: is not reached, and no comment says why: print(each)")
    assert reached == "src/m.py:12: it is reached, and its comment says 'empty'"


def test_a_branch_that_is_not_taken_is_told_by_its_ends(said):
    assert said(PRINTS.replace("unreached: zero", "")) == [
        "src/m.py:9: never goes on to line 12, and no comment says why: if a:"
    ]


def test_what_is_reached_sometimes_may_be_reached(said):
    assert said(PRINTS.replace("return a", "return a  # unreached: race")) == []


def test_a_reason_that_nobody_wrote_is_told(said):
    assert said(PRINTS.replace("unreached: zero", "unreached: none")) == [
        "src/m.py:9: tools/unreached.toml has no reason 'none'"
    ]


def test_only_the_first_line_of_a_run_needs_a_reason():
    part = {"executed_lines": [7, 12], "missing_lines": [8, 9, 11]}
    part["missing_branches"] = [[7, 8], [12, -6]]
    assert list(unreached.of_a_function(part)) == [
        (8, "is not reached"),
        (12, "never goes on to the end"),
    ]


def test_each_comment_names_a_reason_and_each_reason_is_named():
    table = tomllib.loads(unreached.REASONS.read_text(encoding="utf-8"))
    used = set()
    for path in (unreached.PROJECT / "src").rglob("*.py"):
        used |= set(unreached.named(path.read_text(encoding="utf-8").splitlines()).values())
    assert used == table["reasons"].keys()
    assert all(len(reason) > 10 for reason in table["reasons"].values())
    assert set(table["sometimes"]) <= used
