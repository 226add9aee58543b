"""Measuring speed: what is shown and written. How long anything takes is no matter of tests."""

import json
import re

import numpy as np
import pytest

import twobone
from twobone import cli
from twobone.commands import bench_rows as rows
from twobone.commands import stopwatch

QUICK = ["bench", "--count", "1", "--count", "40", "--seconds", "0"]
CASES = [
    rows.Case(place, dtype, 7, 1, "baseline")
    for place in ("plane", "space")
    for dtype in ("float64", "float32")
]


# --- the command --------------------------------------------------------------------------


def test_the_command_shows_a_line_for_every_case(capfd):
    assert cli.run(QUICK) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    for place in ("plane", "space"):
        for dtype in ("float64", "float32"):
            for count in (1, 40):
                number = r"[\d.]+"
                columns = rf"{count} +1" + rf" +{number}" * 5
                assert re.search(rf"^{place} {dtype} +{columns}[ ~]*$", printed.out, re.MULTILINE)
    assert re.search(r"^solve_xy: \d+ ns per call$", printed.out, re.MULTILINE)
    assert re.search(r"^solve_xyz: \d+ ns per call$", printed.out, re.MULTILINE)


def test_the_command_writes_what_it_measured(tmp_path, capfd):
    assert cli.run([*QUICK, "--json", str(tmp_path / "s.json")]) == 0
    found = json.loads((tmp_path / "s.json").read_text())
    assert found["machine"]["numpy"] == np.__version__
    known = rows.from_json(found)
    assert rows.to_json(found["machine"], known) == found
    wanted = {"twobone", "twobone, mixed", "twobone, new array", "np.copyto", "solve_xy"}
    assert {row.who for row in known} >= wanted
    assert all(0.0 < row.least <= row.median for row in known)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ("--count 0", "Invalid value for '--count'"),
        ("--count many", "Invalid value for '--count'"),
        ("--seconds -1", "Invalid value for '--seconds'"),
        ("--count 1 --json no/s.json", "no/s.json: No such file or directory"),
        (f"--count {10**15}", "not enough memory for so many targets: reduce --count"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments, wanted, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert cli.run(["bench", "--seconds", "0", *arguments.split()]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"twobone: {wanted}")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


# --- what is measured ---------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_limbs_are_as_the_case_says(case):
    limbs = rows.make_limbs(case._replace(count=20_000))
    reached, mixed = (
        (distance > limbs.r1 - limbs.r2) & (distance < limbs.r1 + limbs.r2)
        for distance in (np.linalg.norm(t.astype(float), axis=-1) for t in limbs[:2])
    )
    assert limbs.target.dtype == limbs.mixed.dtype == limbs.out.dtype == case.dtype
    assert limbs.target.shape == limbs.mixed.shape == (20_000, 2 if case.place == "plane" else 3)
    assert reached.all()
    assert np.mean(mixed) == pytest.approx(0.8, abs=0.01)


def test_things_are_measured_in_turns():
    calls = []
    runs = {name: lambda name=name: calls.append(name) for name in "ab"}
    taken = stopwatch.measure(runs, 0.0, fewest=3)
    assert set(taken) == {"a", "b"}
    assert all(t.samples == 3 for t in taken.values())
    blocks = re.sub(r"(.)\1+", r"\1", "".join(calls))
    assert blocks.endswith("ababab")


def test_all_threads_are_measured_where_they_are_used():
    shared = [case for case in rows.cases((1000, 10**6), 4) if case.threads > 1]
    assert {case.count for case in shared} == {10**6}
    assert {case.threads for case in shared} == {4}
    assert not [case for case in rows.cases((1000, 10**6), 1) if case.threads > 1]


def test_the_engine_stays_what_it_was():
    before = twobone.engine()
    rows.measure(rows.Case("plane", "float64", 5, before.threads + 1, "baseline"), 0.0)
    assert twobone.engine() == before
