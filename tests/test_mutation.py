"""The mutants that `tools/mutation` makes: what changes, how each is called, what is said of it."""

import ast
import os
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "tools" / "mutation"
SOURCE = Path(__file__).parents[1] / "src" / "twobone"
mutants_of = runpy.run_path(str(FOLDER / "mutants.py"))["of"]


def changes(source):
    return {mutant.key.partition(": ")[2] for mutant in mutants_of(source, "m")}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a - b", {"a - b -> a + b", "a - b -> b - a", "a - b -> a"}),
        ("a & b", {"a & b -> a | b", "a & b -> a", "a & b -> b"}),
        ("a or b", {"a or b -> a and b", "a or b -> a", "a or b -> b"}),
        ("-a", {"-a -> a"}),
        ("a < b", {"a < b -> a > b"}),
        ("a is None", {"a is None -> a is not None"}),
        ("x[1:]", {"x[1:] -> x[2:]"}),
        ("0.5", {"0.5 -> 0.0", "0.5 -> -0.5"}),
        ("z.conj()", {"z.conj() -> z"}),
        ("np.minimum.at(1)", {"np.minimum.at(1) -> np.maximum.at(1)"}),
        ("f(a, k=b)", {"f(a, k=b) -> f(a)", "f(a, k=b) -> f(-a, k=b)"}),
        ("f(a, 2.0)", {"f(a, 2.0) -> f(2.0, a)", "f(a, 2.0) -> a"}),
        ("a if b else c", {"a if b else c -> a", "a if b else c -> c"}),
        ("[*a, b]", {"[*a, b] -> [b]", "[*a, b] -> [*a]"}),
    ],
)
def test_an_expression_changes_in_each_of_these_ways(source, expected):
    found = changes(f"r = {source}\n")
    assert expected <= found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a):\n    a = g(a)\n", "a = g(a) -> pass"),
        ("def f(a):\n    a.x = 'b'\n", "a.x = 'b' -> pass"),
        ("def f(a):\n    a *= b\n", "a *= b -> pass"),
        ("def f(a):\n    a *= b\n", "a *= b -> a *= -b"),
        ("def f():\n    g()\n", "g() -> pass"),
        ("def f(a):\n    return a.b\n", "return a.b -> return not a.b"),
        ("def f():\n    if a:\n        g()\n", "if a: -> if not a:"),
        ("def f():\n    if a:\n        g()\n", "if a: -> if False:"),
        ("def f():\n    for a in ('b', 'c'):\n        g()\n", "('b', 'c') -> ('b',)"),
    ],
)
def test_a_statement_is_left_out_or_changes(source, expected):
    assert expected in changes(source)


def test_text_for_people_types_and_imports_stay():
    source = '''
import a
def f(x: 1.0) -> 2.0:
    """Text."""
    raise ValueError(1 + 2)
'''
    assert changes(source) == set()


@pytest.mark.parametrize("name", ["core/exact.py", "pose/tree.py", "creature/checking.py"])
def test_every_mutant_is_other_valid_source_with_a_name_of_its_own(name):
    source = (SOURCE / name).read_text("utf-8")
    found = list(mutants_of(source, "m"))
    assert len(found) > 250
    assert len({mutant.key for mutant in found}) == len(found)
    same = ast.dump(ast.parse(source))
    assert all(ast.dump(ast.parse(mutant.of(source))) != same for mutant in found[::29])


def test_a_name_stays_when_lines_move_and_other_functions_change():
    source = (SOURCE / "core/exact.py").read_text("utf-8")
    moved = (
        "# a comment\n\n\n" + source.replace("\ndef ", "\n\n\ndef ") + "\n\ndef g():\n    a = 1\n"
    )
    before = {mutant.key for mutant in mutants_of(source, "exact")}
    after = {mutant.key for mutant in mutants_of(moved, "exact")}
    assert before == {key for key in after if not key.startswith("exact.g:")}


def test_each_survivor_is_explained_once():
    listed = tomllib.loads((FOLDER / "survivors.toml").read_text("utf-8"))
    keys = [key for each in listed["survivors"] for key in each["mutants"]]
    assert len(set(keys)) == len(keys)
    assert all(" -> " in key and ": " in key for key in keys)
    assert all(len(each["reason"]) > 20 for each in listed["survivors"])
    assert all((SOURCE / name).exists() for name in listed["elsewhere"])


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each mutant runs in a forked process")
def test_a_mutant_that_breaks_a_formula_is_caught():
    command = [sys.executable, FOLDER, "core/exact.py", "--function", "two_sum", "--count", "2"]
    done = subprocess.run(
        [*command, "--jobs", "1"], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.count("caught   ") == 2
