"""The command line: what it prints, how it ends, what it leaves."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from threading import Timer
from types import ModuleType
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

import twobone
from slow import slow
from twobone import cli
from twobone.errors import install_command

COMMAND = [sys.executable, "-m", "twobone"]
LENGTHS = ["--r1", "2", "--r2", "1.5"]
# As from a shell: nothing that changes how Python writes or warns should be seen.
ODD = ("PYTHONWARNINGS", "PYTHONUNBUFFERED")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ODD}
ENVIRONMENT["COLUMNS"] = "100"

posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")


class Done(NamedTuple):
    """What a run has left."""

    returncode: int
    stdout: bytes
    stderr: str


def run_apart(*arguments, text=None, **options):
    """Run twobone to its end, in a process of its own, with pipes."""
    data = text.encode() if isinstance(text, str) else text
    options = {"input": data} if data is not None else {"stdin": subprocess.DEVNULL, **options}
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        env=ENVIRONMENT,
        timeout=300,
        check=False,
        **options,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


def run(*arguments, text=b"", cwd="."):
    """Run what the process runs, in this one, which saves the time to start Python."""
    data = text.encode() if isinstance(text, str) else text
    files = [io.BytesIO(data), io.BytesIO(), io.BytesIO()]
    streams = [io.TextIOWrapper(file, "utf-8", write_through=True) for file in files]
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(cwd):
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        patch.setenv("COLUMNS", ENVIRONMENT["COLUMNS"])
        code = cli.run(list(map(str, arguments)))
    return Done(code, files[1].getvalue(), files[2].getvalue().decode())


def solved(*arguments, run=run, **options):
    """Return what a run that must end well has printed."""
    done = run("solve", *arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def complaint(*arguments, code=2, printed=b"", run=run, **options):
    """Return the one line that a run which must not end well complains with."""
    done = run(*arguments, **options)
    assert done.returncode == code, done.stderr
    assert done.stdout == printed
    assert re.fullmatch(r"twobone: [^\n]*\n", done.stderr), done.stderr
    return done.stderr.removeprefix("twobone: ").rstrip("\n")


def assert_csv(text, answer):
    """Assert that a CSV table is an answer, to the bit."""
    rows = [line.split(",") for line in text.decode().splitlines()[1:]]
    numbers = np.array([row[:-1] for row in rows], float)
    points = [part.reshape(len(rows), -1) for part in (answer.joint, answer.end)]
    np.testing.assert_array_equal(numbers, np.concatenate(points, axis=1))
    assert [twobone.Status[row[-1]] for row in rows] == answer.status.tolist()


def assert_json(text, answer):
    """Assert that JSON lines are an answer, to the bit."""
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["joint"] for row in rows] == answer.joint.tolist()
    assert [row["end"] for row in rows] == answer.end.tolist()
    assert [twobone.Status[row["status"]] for row in rows] == answer.status.tolist()


def csv_of(array, header=None):
    lines = [header] if header else []
    return "\n".join(lines + [",".join(map(repr, row)) for row in array.tolist()]) + "\n"


RNG = np.random.default_rng(5)
PLANE = RNG.normal(size=(60, 2)) * 2.0
SPACE = RNG.normal(size=(60, 3)) * 2.0


# --- one target ---------------------------------------------------------------------------


def test_it_says_its_version_and_engine():
    done = run_apart("--version")
    version = f"twobone {twobone.__version__} (engine: {twobone.engine().name})\n"
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, version, "")


def test_help_lists_every_command_before_any_is_imported():
    lines = run_apart("--help").stdout.decode().splitlines()
    for name in cli.NAMES:
        assert any(re.match(rf"\W+{name}  +[A-Z]", line) for line in lines), name


def test_help_names_every_option():
    assert b"solve" in run("--help").stdout
    text = run("solve", "--help").stdout.decode()
    for option in ("--r1", "--r2", "--side", "--pole", "--unreachable", "--both", "--output"):
        assert option in text
    assert re.search("--both +Return both", text)  # a flag, without the name of a type
    assert re.search(r"\W\[TARGET\|FILE\]\.\.\.  One target", text)  # as in the usage
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize(
    ("arguments", "target", "options"),
    [
        ("3 2 --r1 2 --r2 2", [3, 2], {}),
        ("--r1 2 --r2 2 -- -1 -.5e0", [-1, -0.5], {}),
        ("-1 -.5e0 --r1 2 --r2 2", [-1, -0.5], {}),
        ("-1 --side -1 -.5e0 --r1=2 --r2=2", [-1, -0.5], {"side": -1}),
        ("-inf nan --r1 2 --r2 2", [-np.inf, np.nan], {}),
        ("3 2 -1 --pole 0 -1 0 --r1 2 --r2 2", [3, 2, -1], {"pole": [0, -1, 0]}),
        ("3 2 -1 --pole 0,-1,.5 --r1 2 --r2 2", [3, 2, -1], {"pole": [0, -1, 0.5]}),
        ("3 2 -1 --pole=-1,-1,0 --r1 2 --r2 2", [3, 2, -1], {"pole": [-1, -1, 0]}),
        ("9 2 --r1 2 --r2 2 --unreachable stretch", [9, 2], {"unreachable": "stretch"}),
        ("9 2 --r1 2 --r2 2 --unreachable nan", [9, 2], {"unreachable": "nan"}),
        (
            "4 .5 --r1 2 --r2 2 --unreachable soft:5e-2+stretch:1.2",
            [4, 0.5],
            {"unreachable": twobone.Soft(0.05) | twobone.Stretch(1.2)},
        ),
        (
            "0.1 .5 --r1 2 --r2 2 --unreachable limits:30:1.5e+2|soft:1e-2",
            [0.1, 0.5],
            {"unreachable": twobone.Limits(30, 150) | twobone.Soft(0.01)},
        ),
    ],
)
def test_one_target_is_answered_as_reach_does(arguments, target, options, capfd):
    answer = twobone.reach([target], 2.0, 2.0, **options)
    assert cli.run(["solve", *arguments.split()]) == 0  # what the process runs; to save time
    printed = capfd.readouterr()
    if np.isfinite(target).all():
        assert printed.err == ""
    else:
        assert printed.err.startswith("twobone: the target is INVALID (a number is NaN or ")
    assert_csv(printed.out.encode(), answer)


def test_a_negative_target_is_one_for_the_process_too():
    answer = twobone.reach([[-1.0, -0.5]], 1.0, 1.0)
    printed = solved("-1", "-.5e0", "--r1", "1", "--r2", "1", run=run_apart)
    assert_csv(printed, answer)


# --- tables, in and out -------------------------------------------------------------------


@pytest.mark.parametrize("target", [PLANE, SPACE], ids=["plane", "space"])
def test_every_format_goes_both_ways_to_the_bit(target, tmp_path):
    options = {"pole": [0.0, 1.0, 0.5]} if target.shape[1] == 3 else {}
    words = ["--pole", "0,1,.5"] if options else []
    answer = twobone.reach(target, 2.0, 1.5, **options)
    (tmp_path / "t.csv").write_text(csv_of(target))
    (tmp_path / "t.jsonl").write_text("".join(f"{row}\n" for row in target.tolist()))
    np.save(tmp_path / "t.npy", target)
    for read, written in (("csv", "npy"), ("npy", "jsonl"), ("jsonl", "csv")):
        files = (tmp_path / f"t.{read}", "-o", tmp_path / f"o.{written}")
        assert solved(*files, *LENGTHS, *words) == b""
    records = np.load(tmp_path / "o.npy")
    for name, part in zip(records.dtype.names, answer, strict=True):
        np.testing.assert_array_equal(records[name], part)
    assert_json((tmp_path / "o.jsonl").read_bytes(), answer)
    assert_csv((tmp_path / "o.csv").read_bytes(), answer)


@pytest.mark.parametrize("kind", ["jsonl", *slow("csv", "npy")])
def test_standard_input_and_output_take_every_format(kind):
    array = io.BytesIO()
    np.save(array, PLANE)
    texts = {
        "csv": csv_of(PLANE).encode(),
        "jsonl": "".join(f"{row}\n" for row in PLANE.tolist()).encode(),
        "npy": array.getvalue(),
    }
    named = [] if kind == "csv" else ["--input-format", kind, "-"]
    printed = solved(*named, "--format", kind, *LENGTHS, run=run_apart, text=texts[kind])
    answer = twobone.reach(PLANE, 2.0, 1.5)
    if kind == "csv":
        assert_csv(printed, answer)
    elif kind == "jsonl":
        assert_json(printed, answer)
    else:
        records = np.load(io.BytesIO(printed))
        np.testing.assert_array_equal(records["joint"], answer.joint)
        np.testing.assert_array_equal(records["status"], answer.status)


def test_columns_go_before_options():
    columns = np.column_stack([SPACE, np.abs(PLANE), np.sign(PLANE[:, 0]), SPACE[::-1]])
    text = csv_of(columns, "x,y,z,r1,r2,side,nx,ny,nz")
    options = ["--r1", "9", "--r2", "9", "--side", "1", "--pole", "1", "0", "0"]
    r1, r2 = np.abs(PLANE).T
    answer = twobone.reach(SPACE, r1, r2, side=columns[:, 5], pole=SPACE[::-1])
    assert_csv(solved(*options, text=text), answer)


def test_both_sides_stand_side_by_side():
    text = csv_of(PLANE)
    header, *lines = solved("--both", *LENGTHS, text=text).decode().splitlines()
    assert header == "joint_plus_x,joint_plus_y,joint_minus_x,joint_minus_y,end_x,end_y,status"
    joints = np.array([line.split(",")[:4] for line in lines], float).reshape(-1, 2, 2)
    np.testing.assert_array_equal(joints, twobone.solve_both(PLANE, 2.0, 1.5))
    rows = solved("--both", *LENGTHS, "--format", "jsonl", text=text).splitlines()
    assert [json.loads(row)["joints"] for row in rows] == joints.tolist()


def test_invalid_values_are_answers():
    done = run("solve", *LENGTHS, text="x,y,side\nnan,1,1\n1,1,7\n1,1,1\n")
    printed = done.stdout.splitlines()
    assert done.returncode == 0
    assert [line.rpartition(b",")[2] for line in printed[1:]] == [
        b"INVALID",
        b"INVALID",
        b"REACHED",
    ]
    said = "standard input: 2 of 3 targets are INVALID (a number is NaN or infinite, a length is"
    said += " negative, or a side is neither +1 nor -1): line 2, line 3"
    assert done.stderr == f"twobone: {said}\n"
    done = run("solve", "nan", 1, *LENGTHS, "--format", "jsonl")
    assert (done.returncode, json.loads(done.stdout)["joint"]) == (0, [None, None])
    assert done.stderr.startswith("twobone: the target is INVALID (a number is NaN or infinite, a")
    text = "1,1\n" + 20 * "nan,1\n"
    said = run("solve", *LENGTHS, text=text).stderr
    assert "20 of 21 targets are INVALID" in said
    assert said.endswith("line 10, line 11, ...\n")
    assert run("solve", *LENGTHS, "--quiet", text=text).stderr == ""


def test_a_table_of_a_header_alone_has_a_header_alone_as_its_answer():
    assert solved(*LENGTHS, text="x,y\n") == b"joint_x,joint_y,end_x,end_y,status\n"
    assert solved(*LENGTHS, "--format", "jsonl", text="x,y\n") == b""
    assert np.load(io.BytesIO(solved(*LENGTHS, "--format", "npy", text="x,y\n"))).shape == (0,)


def test_the_example_shows_every_edge():
    path = os.path.join(os.path.dirname(__file__), "..", "examples", "targets.csv")
    words = {line.rpartition(b",")[2] for line in solved(path).splitlines()[1:]}
    assert words == {b"REACHED", b"TOO_FAR", b"TOO_NEAR", b"AMBIGUOUS"}


# --- pictures -----------------------------------------------------------------------------


@pytest.fixture
def drawn(monkeypatch):
    """Return the calls to draw, which draw nothing."""
    calls = []
    svg = ModuleType("twobone.pictures.svg")
    for name in ("diagram", "overview"):
        setattr(
            svg,
            name,
            lambda *limbs, name=name, **rest: calls.append((name, limbs, rest)) or "<svg>",
        )
    monkeypatch.setitem(sys.modules, "twobone.pictures.svg", svg)
    monkeypatch.setattr(twobone.pictures, "svg", svg, raising=False)
    return calls


def test_one_target_is_drawn_as_a_diagram(drawn, tmp_path, capfd):
    path = str(tmp_path / "p.svg")
    assert (
        cli.run(["solve", "3", "2", "--r1", "2", "--r2", "1.5", "--side", "-1", "--svg", path]) == 0
    )
    options = {"side": -1, "unreachable": "clamp"}
    assert drawn == [("diagram", ([3.0, 2.0], 2.0, 1.5), options)]
    assert (tmp_path / "p.svg").read_text() == "<svg>"
    assert_csv(capfd.readouterr().out.encode(), twobone.reach([[3, 2]], 2.0, 1.5, side=-1))


def test_the_first_of_many_targets_are_drawn_as_an_overview(drawn, tmp_path):
    targets = np.tile(PLANE, (100, 1))
    table = np.column_stack([targets, np.abs(targets[:, :1])])
    (tmp_path / "t.csv").write_text(csv_of(table, "x,y,r1"))
    arguments = [str(tmp_path / "t.csv"), "-o", str(tmp_path / "o.csv")]
    assert cli.run(["solve", *arguments, *LENGTHS, "--svg", str(tmp_path / "p.svg")]) == 0
    [(name, (target, r1, r2), rest)] = drawn
    assert (name, r2, rest) == ("overview", 1.5, {"unreachable": "clamp"})
    np.testing.assert_array_equal(target, targets[:4096])
    np.testing.assert_array_equal(r1, np.abs(targets[:4096, 0]))


def test_pictures_are_svg(tmp_path):
    (tmp_path / "t.csv").write_text(csv_of(SPACE))
    words = [*LENGTHS, "--pole", "0,1,0", "--unreachable", "soft:.1", "--svg"]
    solved("1", "2", "0.5", *words, tmp_path / "one.svg")
    solved(tmp_path / "t.csv", *words, tmp_path / "many.svg")
    for name in ("one", "many"):
        assert ElementTree.parse(tmp_path / f"{name}.svg").getroot().tag.endswith("}svg")


def test_a_picture_is_not_left_where_the_table_is_bad(tmp_path):
    (tmp_path / "t.csv").write_text("1,2\n1,x\n")
    arguments = ["t.csv", *LENGTHS, "-o", "o.csv", "--svg", "p.svg"]
    complaint("solve", *arguments, cwd=tmp_path)
    assert os.listdir(tmp_path) == ["t.csv"]


# --- mistakes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (
            "3 2",
            "the lengths of both bones are missing: give --r1 and --r2, or columns r1 and r2",
        ),
        (
            "3 2 1 --r2 1",
            "the length of the first bone is missing: give --r1, or a column r1; targets in space"
            " need a pole, the direction towards which the joint bends: give --pole NX NY NZ, or",
        ),
        ("ids.csv -o o.npy --r1 1 --r2 1", "targets in space need a pole, the direction"),
        ("3 2 --r1 2", "the length of the second bone is missing: give --r2, or a column r2"),
        ("3 2 --r2 2", "the length of the first bone is missing: give --r1, or a column r1"),
        ("3 2 --r1 2 --r2 2 --side 0", "--side must be +1 or -1, got 0"),
        ("3 2 --side 1 --both", "--both and --side exclude each other: --both returns both sides"),
        ("3 --r1 2", "a target has 2 or 3 numbers, got 1: 3"),
        ("3 2 1 0", "a target has 2 or 3 numbers, got 4"),
        ("3 abc", "a target has 2 or 3 numbers, got 'abc'"),
        ("3 2 --unreachble nan", "no such option: --unreachble; see twobone solve --help"),
        ("3 2 --r1", "Option '--r1' requires an argument."),
        (
            "3 2 1 --r1 1 --r2 1",
            "targets in space need a pole, the direction towards which the joint bends:"
            " give --pole NX NY NZ, or columns nx, ny, nz",
        ),
        (
            "3 2 --r1 1 --r2 1 --pole 1 0 0",
            "targets in the plane take no --pole: use --side or a column side",
        ),
        (
            "3 2 --unreachable clamp+soft:.1",
            "--unreachable 'clamp+soft:.1': 'clamp' cannot be joined with others",
        ),
        (
            "3 2 --unreachable soft:.1|nan",
            "--unreachable 'soft:.1|nan': 'nan' cannot be joined with others",
        ),
        (
            "3 2 --unreachable soft:.1+lazy",
            "No policy 'lazy' for --unreachable 'soft:.1+lazy'; choose one of clamp, stretch,"
            " nan, raise, or join soft:SOFTNESS, stretch:LIMIT, limits:LEAST:GREATEST with + or |.",
        ),
        (
            "3 2 --unreachable soft:0.1:0.2",
            "--unreachable: `soft` takes one number, soft:SOFTNESS, got 'soft:0.1:0.2'",
        ),
        (
            "3 2 --unreachable limits:30,170",
            "--unreachable: `limits` takes two numbers, limits:LEAST:GREATEST, got 'limits:30,170'",
        ),
        (
            "3 2 --unreachable limits",
            "--unreachable: `limits` takes two numbers, limits:LEAST:GREATEST, got 'limits'",
        ),
        ("3 2 --unreachable soft:7", "Soft: `softness` must lie between 0 and 1, got 7.0."),
        (
            "3 2 --output o.txt",
            "o.txt: expected a name that ends in .csv, .jsonl, .ndjson, .npy, or --format",
        ),
        ("3 2 --r1 1 --r2 1 -o no/o.csv", "no/o.csv: No such file or directory"),
        ("3 2 --r1 1 --r2 1 --svg no/p.svg", "no/p.svg: No such file or directory"),
        ("3 2 --r1 1 --r2 1 --svg .", ".: Is a directory"),
        ("absent.csv", "absent.csv: No such file or directory"),
        (".", ".: Is a directory"),
        ("t.csv --r1 1 --r2 1 -o t.csv", "the input and --output are the same file"),
        ("t.csv --r1 1 --r2 1 -o link.csv", "the input and --output are the same file"),
        ("t.csv --r1 1 --r2 1 --svg t.csv", "the input and --svg are the same file"),
        ("t.csv --r1 1 --r2 1 -o a.csv --svg ./a.csv", "--output and --svg are the same file"),
        (
            "bad.csv --r1 1 --r2 1 -o o.csv",
            "bad.csv, line 7, column y: expected a number, got 'abc'",
        ),
        ("t.csv --input-format npy", "t.csv: expected a .npy file, got one without a header"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments, wanted, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("1,2\n")
    (tmp_path / "link.csv").symlink_to("t.csv")
    (tmp_path / "bad.csv").write_text("x,y\n1,2\n1,2\n1,2\n1,2\n1,2\n1,abc\n1,2\n")
    (tmp_path / "ids.csv").write_text("id,x,y,z\n1,1,2,3\n")
    before = sorted(os.listdir(tmp_path))
    assert cli.run(["solve", *arguments.split()]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"twobone: {wanted}")
    assert printed.err.find("\n") == len(printed.err) - 1
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "t.csv").read_text() == "1,2\n"


def test_what_a_terminal_would_obey_is_shown_not_done(tmp_path):
    said = complaint("solve", "no\x1b[2J\n.csv", cwd=tmp_path)
    assert said == "no\\x1b[2J .csv: No such file or directory"
    said = complaint(
        "solve",
        *LENGTHS,
        "--input-format",
        "jsonl",
        printed=solved(*LENGTHS, "--format", "csv", text="1,2"),
        text='[1,2]\n{"\\u001b[2J": 1}',
    )
    assert said == "standard input, line 2: expected x, y, as in the first row, got \\x1b[2J"


def test_mistakes_that_click_finds_are_one_line_too():
    assert complaint("foo") == "No such command 'foo'; `twobone --help` lists the commands"
    asked = complaint("wlak")  # new versions ask whether 'walk' was meant
    hint = "`twobone --help` lists the commands"
    assert asked.endswith((f"'wlak'; {hint}", f"? {hint}"))
    said = complaint("walk", "centipede")
    assert said.endswith("(centipede); `twobone walk --help` lists the options")
    said = complaint("--foo")
    assert said.startswith("No such option")
    assert said.endswith("; `twobone --help` lists the options")
    asked = complaint("walk", "--sped", "1")
    assert "--speed" in asked
    assert asked.endswith(" `twobone walk --help` lists the options")
    assert "--format" in complaint("solve", "1", "2", "--format", "xml")
    assert "--r1" in complaint("solve", "1", "2", "--r1", "long")


def test_rows_before_a_bad_line_are_printed_and_the_code_is_2():
    good = solved(*LENGTHS, text="1,2\n3,1\n")
    done = run_apart("solve", *LENGTHS, text="1,2\n3,1\n1,x\n4,4\n")
    assert (done.returncode, done.stdout) == (2, good)
    assert done.stderr == "twobone: standard input, line 3, column y: expected a number, got 'x'\n"


def test_raise_names_the_lines_of_the_file_and_ends_with_1(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n\n1,1\n9,9\nnan,1\n")
    invalid = "(a number is NaN or infinite, a length is negative, or a side is neither +1 nor -1)"
    missed = f"{path}: out of reach: line 4 (TOO_FAR); INVALID {invalid}: line 5"
    assert complaint("solve", path, *LENGTHS, "--unreachable", "raise", code=1) == missed
    np.save(tmp_path / "t.npy", np.full((30, 2), 9.0))
    out = tmp_path / "o.csv"
    arguments = ("solve", tmp_path / "t.npy", *LENGTHS, "--unreachable", "raise", "-o", out)
    listed = ", ".join(f"row {i} (TOO_FAR)" for i in range(10))
    assert complaint(*arguments, code=1) == f"{tmp_path / 't.npy'}: out of reach: {listed}, ..."
    assert not out.exists()
    one = complaint("solve", "9", "9", *LENGTHS, "--unreachable", "raise", code=1)
    assert one == "the target is out of reach (TOO_FAR)"
    arguments = ("solve", "nan", "9", *LENGTHS, "--unreachable", "raise")
    one = complaint(*arguments, code=1, run=run_apart)
    assert one == f"the target is INVALID {invalid}"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do all")
def test_a_file_that_may_not_be_read_or_written_is_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n")
    path.chmod(0o444)
    assert complaint("solve", "1", "2", *LENGTHS, "-o", path) == f"{path}: Permission denied"
    path.chmod(0)
    assert complaint("solve", path, *LENGTHS) == f"{path}: Permission denied"


def test_without_the_extra_it_says_what_to_install():
    code = "import sys; sys.modules['rich_click'] = None; from twobone.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    message = f"twobone: the command line needs rich-click: {install_command('play')}\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


def test_a_command_imports_neither_the_others_nor_what_prints_help():
    code = "import sys; from twobone import cli; cli.run({}); print(*sys.modules)"
    for arguments, commands in ((["--version"], set()), (["robot", "absent.urdf"], {"robot"})):
        done = subprocess.run(
            [sys.executable, "-c", code.format(arguments)],
            capture_output=True,
            text=True,
            check=True,
        )
        loaded = set(done.stdout.split())
        assert "rich" not in loaded
        assert {name for name in cli.NAMES if f"twobone.commands.{name}" in loaded} == commands


def test_import_twobone_does_not_import_the_command_line():
    names = {"click", "rich_click", "rich", "twobone.files"}
    code = f"import sys, twobone; print({names} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"set()\n"


# --- interrupted, closed, endless ---------------------------------------------------------


def start(*arguments, **options):
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        **options,
    )


@contextlib.contextmanager
def ended_after(process, seconds):
    """Make a test that would wait for ever go red instead."""
    timer = Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def wait_until(holds):
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@posix
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("SIGINT", 130, b"twobone: interrupted\n"),
        *slow(("SIGTERM", 143, b""), ("SIGHUP", 129, b"")),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", *slow("npy")])
def test_an_interrupted_run_leaves_all_as_it_was(name, code, said, suffix, tmp_path):
    out = tmp_path / f"o.{suffix}"
    out.write_text("old")
    with start("solve", *LENGTHS, "-o", out) as process:
        process.stdin.write(b"1,2\n" * 100_000)
        process.stdin.flush()
        wait_until(lambda: any(p.stat().st_size > 99 for p in tmp_path.glob(".twobone-*")))
        process.send_signal(getattr(signal, name))
        assert process.wait(20) == code
        assert process.stderr.read() == said
    assert os.listdir(tmp_path) == [out.name]
    assert out.read_text() == "old"


@posix
def test_a_slow_pipe_is_answered_at_once():
    with start("solve", *LENGTHS, stdout=subprocess.PIPE) as process, ended_after(process, 20):
        process.stdin.write(b"1,2\n")
        process.stdin.flush()
        process.stdout.readline()
        first = process.stdout.readline()
        process.stdin.write(b"3,")
        process.stdin.flush()
        process.stdin.write(b"1\n")
        process.stdin.close()
        second = process.stdout.readline()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""
    assert_csv(b"header\n" + first + second, twobone.reach([[1.0, 2.0], [3.0, 1.0]], 2.0, 1.5))


@posix
@pytest.mark.parametrize("kind", ["csv", *slow("jsonl")])
def test_nobody_reading_on_ends_it_quietly(kind, tmp_path):
    (tmp_path / "t.csv").write_text("1,2\n" * 300_000)
    arguments = ("solve", tmp_path / "t.csv", *LENGTHS, "--format", kind)
    with start(*arguments, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(20) == 141
        assert process.stderr.read() == b""


@posix
def test_nobody_reading_at_all_ends_it_quietly_too():
    with start("solve", *LENGTHS, stdout=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write(b"1,2\n")
        process.stdin.close()
        assert process.wait(20) == 141
        assert process.stderr.read() == b""


@posix
def test_a_link_and_a_pipe_with_a_name_are_written_through(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    command = ["cat", tmp_path / "pipe"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader, ended_after(reader, 20):
        assert solved("1", "2", *LENGTHS, "-o", tmp_path / "pipe") == b""
        assert reader.stdout.read() == solved("1", "2", *LENGTHS)
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    solved("1", "2", *LENGTHS, "-o", tmp_path / "link.csv")
    assert_csv((tmp_path / "real.csv").read_bytes(), twobone.reach([[1.0, 2.0]], 2.0, 1.5))


@posix
def test_a_table_is_not_added_to_itself(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n")
    with open(path, "ab") as file:
        done = subprocess.run(
            [*COMMAND, "solve", path, *LENGTHS], stdout=file, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr == b"twobone: the input and standard output are the same file\n"
    assert path.read_text() == "1,2\n"


@posix
def test_a_full_disk_is_told():
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "solve", "1", "2", *LENGTHS],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"twobone: No space left on device\n")


@pytest.mark.slow
@posix
def test_memory_stays_flat_however_long_the_table_is(tmp_path):
    few, many = (
        measure_memory(tmp_path, "solve", *LENGTHS, "-o", tmp_path / f"o.{suffix}", rows=rows)
        for suffix, rows in (("csv", 20_000), ("npy", 600_000))
    )
    assert np.load(tmp_path / "o.npy", mmap_mode="r").shape == (600_000,)
    assert many < few + 16_000_000  # as lists of texts the rows would take 150 MB


def measure_memory(folder, *arguments, rows):
    """Return the greatest memory of a run that reads so many rows from a pipe."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, *COMMAND, *map(str, arguments)]
    text = b"".join(b"%d.5,0.%d\n" % (i % 7, i) for i in range(rows))
    unit = 1 if sys.platform == "darwin" else 1024
    return int(subprocess.run(command, input=text, capture_output=True, check=True).stdout) * unit


# --- on a terminal ------------------------------------------------------------------------


@posix
def test_progress_is_shown_on_a_terminal_alone(tmp_path):
    import pty

    (tmp_path / "t.csv").write_text("1,2\n" * 200_000)
    arguments = [*COMMAND, "solve", tmp_path / "t.csv", *LENGTHS, "-o", tmp_path / "o.csv"]
    ours, theirs = pty.openpty()
    environment = {**ENVIRONMENT, "TERM": "xterm"}
    with subprocess.Popen(
        arguments, stderr=theirs, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment
    ) as process:
        os.close(theirs)
        shown = b""
        while piece := read_terminal(ours):
            shown += piece
        assert process.wait(20) == 0
        assert process.stdout.read() == b""
    os.close(ours)
    assert b"targets" in shown


def read_terminal(descriptor):
    try:
        return os.read(descriptor, 4096)
    except OSError:  # Linux's way to say that the other end is closed
        return b""


@posix
def test_a_terminal_is_not_waited_for():
    import pty

    ours, theirs = pty.openpty()
    assert complaint("solve", *LENGTHS, run=run_apart, stdin=theirs).startswith(
        "no targets: give one"
    )
    os.close(ours)
    os.close(theirs)


def test_a_delimiter_is_one_of_three_and_for_csv_alone():
    comma = solved(*LENGTHS, text="x,y\n1,2\n")
    assert solved(*LENGTHS, "--delimiter", "tab", text="x\ty\n1\t2\n") == comma.replace(b",", b"\t")
    said = complaint("solve", "1", "2", *LENGTHS, "--delimiter", "x")
    assert said == "--delimiter must be , ; or tab, got 'x'"
    lines = ("--input-format", "jsonl", "--format", "jsonl", "--delimiter", ";")
    said = complaint("solve", *LENGTHS, *lines, text="[1,2]\n")
    assert said == "--delimiter is for CSV: neither the input nor the output is CSV"


def test_columns_that_are_not_used_are_told_once():
    done = run(
        "solve", *LENGTHS, "--format", "npy", text="x,y,R_1,name\n1,2,3,4\n" + "1,2,3,4\n" * 9
    )
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "twobone: standard input: columns that .npy cannot hold, not written: R_1, name",
        "twobone: standard input: column 'R_1' is not used; did you mean r1?",
    ]
    done = run("solve", *LENGTHS, text="x,y,R_1,name\n1,2,3,4\n")  # which CSV can hold
    assert done.stderr.splitlines() == [
        "twobone: standard input: column 'R_1' is not used; did you mean r1?"
    ]
    assert run("solve", *LENGTHS, "-q", text="x,y,R_1\n1,2,3\n").stderr == ""


@posix
def test_an_array_is_not_shown_on_a_terminal(monkeypatch, capsys):
    ours, theirs = os.openpty()
    with open(theirs, "w") as terminal, open(ours, "rb"):
        monkeypatch.setattr(sys, "stdout", terminal)
        assert cli.run(["solve", "1", "2", *LENGTHS, "--format", "npy"]) == 2
    said = "twobone: --format npy cannot be shown on a terminal: give --output, or a pipe\n"
    assert capsys.readouterr().err == said
