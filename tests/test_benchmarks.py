"""The scripts of benchmarks/: what they compare with is right, and counts are read right."""

import ctypes
import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

import steps_measured
import twobone
import twobone.robots
from twobone.commands import bench_rows as rows

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
HEAVY = ("numba", "jax", "torch")  # they take seconds to compile


@pytest.fixture(autouse=True)
def beside_the_scripts(monkeypatch):
    if not BENCHMARKS.exists():
        pytest.skip("only an installed package, no project around it")
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.mark.parametrize("name", ["article", "heron", "cosines"])
@pytest.mark.parametrize("place", ["plane", "space"])
@pytest.mark.parametrize("arrays", [False, True])
def test_the_formulas_solve_what_we_solve(name, place, arrays):
    limbs = rows.make_limbs(rows.Case(place, "float64", 50, 1, ""))
    side, r1, r2 = -1.0, limbs.r1, limbs.r2
    if arrays:
        side, r1, r2 = (np.full(50, value) for value in (side, r1, r2))
    formula = getattr(importlib.import_module("formulas"), name)
    joint = formula(limbs.target, r1, r2, side, limbs.pole)
    wanted = twobone.solve(limbs.target, r1, r2, side=side, pole=limbs.pole)
    np.testing.assert_allclose(joint, wanted, atol=1e-12)


def test_without_a_compiler_there_is_one_copy(monkeypatch):
    limits = importlib.import_module("limits")
    monkeypatch.setattr(limits, "load", limits.load.__wrapped__)  # nothing is compiled yet
    monkeypatch.setenv("CC", "no-such-compiler")
    assert limits.told() == "np.copyto alone: the C compiler (no-such-compiler) failed"
    assert limits.copies(np.ones(3), np.ones(3), 1) == {}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_divider_divides(dtype):
    limits = importlib.import_module("limits")
    try:
        limits.load()
    except limits.NoCompilerError as error:
        pytest.skip(str(error))
    case = rows.Case("plane", dtype, 1000, 1, "baseline")
    found = limits.dividers(case)
    assert limits.dividers(case._replace(threads=2)) == {}
    assert limits.dividers(case._replace(instruction_set="NumPy's")) == {}
    for run in found.values():  # none on other processors than x86
        room, numbers, count, _ = run.args
        run()
        kind = ctypes.c_double if dtype == "float64" else ctypes.c_float
        taken = np.array((kind * 1024).from_address(room.value))
        given = np.array((kind * 512).from_address(numbers.value))
        assert count == 1000
        assert np.array_equal(taken, np.concatenate([np.sqrt(given), 1.0 / given]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 7, 64, 1000, 150_001])
def test_every_copy_copies_everything(count, threads):
    limits = importlib.import_module("limits")
    target = np.random.default_rng(1).normal(size=(count + 1, 2))[1:]  # not aligned
    out = np.zeros_like(target)
    try:
        limits.load()
    except limits.NoCompilerError as error:
        pytest.skip(str(error))
    runs = limits.copies(target, out, threads)
    assert "ordinary" in runs
    assert set(runs) <= set(rows.COPIES)
    runs["np.copyto"] = rows.share(
        threads, target, out, lambda to, source: lambda: np.copyto(to, source)
    )
    for name, run in runs.items():
        out[...] = 0.0
        run()
        assert np.array_equal(out, target), name


def test_rivals_that_are_not_there_are_told_and_left_out(monkeypatch):
    scripts = importlib.import_module("rivals")
    monkeypatch.setattr(scripts, "MISSING", dict.fromkeys(HEAVY, "left out"))
    monkeypatch.setattr(scripts, "SINGLE", {"no_such_solver": None, "math": scripts._formula})
    found = scripts.rivals(rows.make_limbs(rows.Case("plane", "float64", 1, 1, "")), 1)
    assert set(found) == {"article", "cosines", "article in Python"}
    assert scripts.MISSING["no_such_solver"].startswith("no_such_solver is left out: No module")


def test_a_rival_that_solves_something_else_is_not_measured():
    scripts = importlib.import_module("rivals")
    limbs = rows.make_limbs(rows.Case("space", "float32", 20, 1, ""))
    with pytest.raises(ValueError, match="wrong solves something else"):
        scripts._check({"wrong": lambda: limbs.target}, limbs)


def test_the_cosines_in_python_correct_limbs_as_we_do():
    scripts = importlib.import_module("limbs")
    limbs = scripts.make_limbs(200, "float64")
    pole, mid_axis = np.array(scripts.POLE), np.array(scripts.MID_AXIS)
    wanted = twobone.correct_limb(*limbs, pole=pole, mid_axis=mid_axis)
    way = limbs.target - limbs.start[:, :3, 3]
    sine = np.linalg.norm(np.cross(way, pole), axis=1) / np.linalg.norm(way, axis=1)
    clear = np.flatnonzero(sine > 0.2)  # elsewhere our pole has not its full say
    assert len(clear) > 150
    for i in clear:
        limb = [value[i].tolist() for value in limbs]
        turns = scripts.cosines(*limb, scripts.POLE, scripts.MID_AXIS)
        for turn, want in zip(turns, (wanted.start[i], wanted.mid[i]), strict=True):
            sign = np.sign(np.dot(turn, want))
            np.testing.assert_allclose(sign * np.array(turn), want, atol=1e-6)


def test_limbs_are_measured_and_shown():
    scripts = importlib.import_module("limbs")
    before = twobone.engine()
    shown = list(scripts.lines([1, 20], 0.001))
    assert twobone.engine() == before
    assert [line.split()[:2] for line in shown[2:-1]] == [
        [dtype, count] for dtype in ("float32", "float64") for count in ("1", "20")
    ]
    assert "131 ns (not measured in this run)" in shown[-1]


CALLGRIND = """\
version: 1
ob=(1) /lib/a.so
fn=(1) f
3 10
cob=(2) b
cfn=(2) g
calls=1 5
4 999
* 10
-1 1
ob=(2)
fn=(2)
+5 7
ob=(1)
fn=(1)
0 1000
totals: 1028
"""


def test_instructions_are_counted_where_they_run():
    scripts = importlib.import_module("instructions")
    assert scripts.costs_by_object(CALLGRIND.splitlines()) == {"/lib/a.so": 1021, "b": 7}


def test_more_instructions_are_noticed():
    scripts = importlib.import_module("instructions")
    stored = {"a": 100.0, "b": 100.0, "c": 100.0}
    lines, grown = scripts.compare({"a": 104.9, "b": 105.1, "c": 50.0, "d": 9.0}, stored)
    assert grown == ["b"]
    assert [line.split()[2] for line in lines] == ["+4.9", "+5.1", "-50.0", "new"]


def test_the_compiler_is_read_from_the_kernel(tmp_path):
    scripts = importlib.import_module("instructions")
    for text, wanted in (
        (b"..GCC: (Debian 12.2.0-14+deb12u1) 12.2.0..", "gcc 12"),
        (b"..GCC: (GNU) 13.1..Ubuntu clang version 18.1.3..", "clang 18"),
        (b"", "unknown"),
    ):
        (tmp_path / "kernel").write_bytes(text)
        assert scripts.compiler_of(tmp_path / "kernel") == wanted


def test_every_workload_that_is_counted_is_stored_and_runs():
    scripts = importlib.import_module("instructions")
    stored = json.loads(scripts.STORED.read_text())["instructions a limb"]
    assert set(stored) == set(scripts.workloads())
    assert all(value > 1.0 for value in stored.values())


# --- recorded runs, and README's numbers ----------------------------------------------------


def test_a_run_is_written_one_row_a_line_and_read_again(tmp_path, monkeypatch):
    recorded = importlib.import_module("recorded")
    found = [{"ns": 1.23456, "who": "a"}, {"ns": None, "times": {"b": 2e-9}}]
    recorded.write(tmp_path / "run.json", {"processor": "one"}, seed=1, rows=found)
    assert (tmp_path / "run.json").read_text().splitlines()[4:] == [
        '{"ns": 1.235, "who": "a"},',
        '{"ns": null, "times": {"b": 2e-09}}',
        "]",
        "}",
    ]
    monkeypatch.setattr(recorded, "HERE", tmp_path)
    assert recorded.read("run")["rows"][1] == found[1]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "accuracy",
            "blocks",
            "creature",
            "engines",
            "frames",
            "insects",
            "instructions",
            "limbs",
        ),
        *("page", "speed", "walks"),
    ],
)
def test_a_recorded_run_says_where_and_when(name):
    about = importlib.import_module("recorded").read(name)["machine"]
    assert {"date", "processor", "cores", "python", "numpy", "twobone"} <= set(about)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["date"])


def test_the_numbers_of_readme_are_those_of_the_recorded_runs():
    scripts = importlib.import_module("tables")
    texts = [page.read_text(encoding="utf-8") for page in scripts.PAGES]
    blocks = [name for text in texts for _, name, _ in scripts.BLOCK.findall(text)]
    assert set(blocks) == set(scripts.MEASURED)
    assert texts == [scripts.written(text) for text in texts], "run benchmarks/tables.py"


def test_accuracy_is_told_by_its_bound_and_not_by_the_largest_error_that_was_found(monkeypatch):
    """Another search finds a larger one."""
    scripts = importlib.import_module("tables")
    sentence = list(scripts.accuracy())[-1]
    assert re.findall(r"\d\.\d+", sentence) == ["2.5"]
    guarantees = (Path(__file__).parents[1] / "docs/guarantees.md").read_text(encoding="utf-8")
    assert f"at most **{scripts.GUARANTEED} eps `r1`**" in guarantees
    monkeypatch.setattr(scripts, "GUARANTEED", 1.0)
    with pytest.raises(SystemExit, match="above the guarantee"):
        list(scripts.accuracy())


def test_how_long_solve_xy_takes_is_one_number():
    scripts = importlib.import_module("tables")
    *_, sentence = scripts.headline()
    shown = float(re.search(r"`solve_xy` takes ([\d.]+) ns", sentence)[1])
    heads, _, row = scripts.single()
    place = [cell.strip() for cell in heads.split("|")].index("`solve_xy`")
    assert float(row.split("|")[place]) == round(shown / 1e3, 2)
    text = (Path(__file__).parents[1] / "docs/how-to/batches.md").read_text(encoding="utf-8")
    [told] = [sentence for sentence in re.split(r"[.\n]", text) if "take and return" in sentence]
    assert not re.search(r"\d", told)


def test_readme_has_no_other_measured_number():
    scripts = importlib.import_module("tables")
    text = scripts.BLOCK.sub("", scripts.PAGES[0].read_text(encoding="utf-8"))
    units = r"(?:ns|us|ms|microseconds|nanoseconds|MB|GB|fps|instructions|times|x)"
    found = re.findall(rf"\b\d[\d.,]* ?{units}\b", text)
    assert not found


def test_a_number_that_was_changed_by_hand_is_noticed():
    scripts = importlib.import_module("tables")
    text = scripts.PAGES[0].read_text(encoding="utf-8")
    assert scripts.written(text.replace("| ordinary |", "| ordinary | 0.1 |")) == text


# --- walks --------------------------------------------------------------------------------


def test_what_got_worse_in_walks_is_named(monkeypatch):
    walks = importlib.import_module("walks")
    found = steps_measured.walked("insect", "flat", 2.0, 1)
    row = walks.row_of("insect", "flat", [found, found], float(np.max(found.bends)))
    assert (row["walks"], row["deep"], row["deepest"], row["slow"]) == (2, 0, 0.0, 0)
    assert (row["slip"], row["knees"]) == (0.0, 1.0)
    assert row["bones"] <= 4.0
    assert row["margin"] > 0.05
    assert walks.line(row).split()[:5] == ["insect", "flat", "0", "of", "2"]
    assert list(walks.worsened(row, None)) == []
    assert list(walks.worsened(row, {"rows": []})) == ["it is not in the recorded run"]
    assert list(walks.worsened(row, {"rows": [row]})) == []
    deep = found._replace(buried={**found.buried, "belly": 0.05}, slow=6.0, share=0.5)
    worse = walks.row_of("insect", "flat", [found, deep], float(np.max(found.bends)))
    assert [each.split()[0] for each in walks.worsened(worse, {"rows": [row]})] == [
        "deep",
        "slow",
        "share",
    ]
    assert walks.line(worse).split()[4:7] == ["2", "0.050", "belly"]


# --- robots -------------------------------------------------------------------------------


def test_the_leg_by_hand_and_its_pose_are_right():
    scripts, others = (importlib.import_module(name) for name in ("robots", "robot_rivals"))
    leg = twobone.robots.read_urdf(others.leg_text()).leg("foot")
    assert leg.limits.tolist() == [list(each) for each in others.LIMITS]
    for angles in ([0.1, 0.9, -1.8], [-0.4, 0.2, -1.0]):
        foot = leg.forward_kinematics(angles)
        assert others.by_hand(*foot) == pytest.approx(angles)
        pose = scripts.pose_of(leg, angles)
        ahead = leg.forward_kinematics(angles) + pose[:3, :3] @ [0.0, 0.0, -0.1]
        longer = twobone.robots.read_urdf(others.leg_text()).leg("foot", point=[0.0, 0.0, -0.1])
        np.testing.assert_allclose(longer.forward_kinematics(angles), ahead, atol=1e-15)


def test_solvers_of_robots_that_are_not_there_are_left_out(monkeypatch):
    others = importlib.import_module("robot_rivals")
    monkeypatch.setattr(others, "RIVALS", {"none": ("no-such", "no_such_solver", None)})
    found, missing = others.rivals()
    assert found == {}
    assert missing == ["none is left out: No module named 'no_such_solver'"]


def test_solvers_of_robots_that_are_there_solve_the_leg():
    scripts, others = (importlib.import_module(name) for name in ("robots", "robot_rivals"))
    leg = twobone.robots.read_urdf(others.leg_text()).leg("foot")
    found, _ = others.rivals()
    if not found:
        pytest.skip("none of EAIK, pinocchio and ikpy is installed")
    angles = np.array([0.1, 0.8, -1.7])
    target, pose = leg.forward_kinematics(angles), scripts.pose_of(leg, angles)
    for name, solve in found.items():
        solved = solve(target, pose, scripts.SEED)
        np.testing.assert_allclose(solved, angles, atol=1e-4, err_msg=name)


def test_limbs_of_every_kind_are_measured_with_square_axes_and_others(monkeypatch):
    scripts = importlib.import_module("robots")
    assert scripts.limb(scripts.ARM, "0 0 0.1", [0.0] * 5, 1e-5).skew == pytest.approx(1e-5)
    monkeypatch.setattr(
        scripts, "alternately", lambda functions, *_, **__: [f().status for f in functions]
    )
    lines = list(scripts.one_target())
    assert len(lines) == 9
    assert all(line.endswith(" 0.0 us") for line in lines[1:])  # all are REACHED
