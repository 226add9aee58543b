"""`twobone walk`: what it asks of the animal, what it writes and prints, how it ends."""

import json
import re
import subprocess
import sys
import types
from contextlib import nullcontext

import numpy as np
import pytest

import complaints
import handmade
from twobone import cli, creature
from twobone.commands import walk as command
from twobone.errors import TwoBoneError, install_command
from twobone.files import recordings

ANIMALS = "insect, spider, dog, horse, bird, human, crab or centipede"


@pytest.fixture
def room(monkeypatch):
    """Put an animal in that walks as if by hand, and keep what it was asked."""
    asked = {}

    def make_terrain(kind, creature, *, seed):
        asked["ground"] = kind, creature, seed
        return handmade.flat if kind == "flat" else handmade.hills

    def walk(creature, *, terrain, fps, seed, seconds=None, progress=None, **more):
        if progress is None:  # again, for the report
            return handmade.make_walk(seconds, fps, terrain=terrain)
        asked["walk"] = dict(creature=creature, fps=fps, seed=seed, **more)
        if seconds is None:
            seconds = 3.0
        else:
            asked["walk"]["seconds"] = seconds
        for share in (0.0, 0.5, 1.0):
            progress(share)
        if seed == 13:
            raise TwoBoneError("an unlucky walk")
        found = handmade.make_walk(seconds, fps, terrain=terrain)
        return found._replace(blocked=found.time >= asked.get("blocked", np.inf))

    def make_path(kind, creature):
        return np.array([[0.0, len(kind)], [1.0, len(creature)]])

    def compare(recording, fine, terrain, name):
        asked["compared"] = name, len(recording.time), len(fine.time), fine.dt
        lines = ["slide  0.0", f"at 1, 2  {terrain(np.array(1.0), np.array(2.0)):.6f}"]
        return lines, asked.get("broken", [])

    def walker(name):
        own = types.SimpleNamespace(name=name)
        return types.SimpleNamespace(animal=own, top_speed=float(len(name)), fastest_turn=2.0)

    for name, stand_in in {
        "make_terrain": make_terrain,
        "make_path": make_path,
        "walk": walk,
        "animal": lambda name: name,
        "Walker": walker,
    }.items():
        monkeypatch.setattr(creature, name, stand_in)
    monkeypatch.setattr(command.walk_report, "compare", compare)
    return types.SimpleNamespace(asked=asked)


def fastest(name="insect"):
    """Return what is said about an animal of the fixture `room`, or about the insect."""
    return f"twobone: top speed of the {name}: {len(name)} m/s\n"


def run(*arguments):
    return cli.run(["walk", *map(str, arguments)])


def complaint(capsys, *arguments):
    return complaints.complaint(capsys, "walk", *arguments)


def test_what_is_given_is_asked_for(room, tmp_path, capsys):
    path = tmp_path / "walk.npz"
    options = "--creature spider --terrain 0.15 --seed 3 --seconds 1 --fps 30 --speed 0.5 --turn -1"
    assert run(*options.split(), "--out", path) == 0
    assert room.asked["ground"] == (0.15, "spider", 3)
    assert room.asked["walk"] == {
        "creature": "spider",
        "seconds": 1.0,
        "fps": 30.0,
        "seed": 3,
        "speed": 0.5,
        "turn": -1.0,
    }
    assert recordings.read_recording(path).feet.shape == (30, 6, 3)
    assert capsys.readouterr() == ("", fastest("spider"))


def test_what_is_not_given_is_left_to_the_animal(room, tmp_path):
    assert run("--out", tmp_path / "walk.json", "--seconds", 1) == 0
    assert room.asked["ground"] == ("flat", "insect", 0)
    assert set(room.asked["walk"]) == {"creature", "seconds", "fps", "seed"}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("--gait trot", ("trot", None)),
        ("--gait pace --duty-factor .65", ("pace", 0.65)),
        ("--duty-factor .6", (None, 0.6)),
    ],
)
def test_a_gait_is_chosen(options, wanted, monkeypatch, tmp_path):
    asked, walk = [], creature.walk
    monkeypatch.setattr(
        creature, "walk", lambda who, **more: asked.append(who) or walk(who, **more)
    )
    out = tmp_path / "walk.npz"
    assert run("--creature", "dog", *options.split(), "--seconds", 0.1, "--out", out) == 0
    assert asked[0] == creature.animal("dog").with_gait(*wanted)


def test_liveliness_is_chosen(monkeypatch, capsys, tmp_path):
    asked, walk = [], creature.walk
    monkeypatch.setattr(
        creature, "walk", lambda who, **more: asked.append(who) or walk(who, **more)
    )
    out = tmp_path / "walk.npz"
    for given in ([], ["--liveliness", ".25"]):
        assert run(*given, "--seconds", 0.1, "--out", out) == 0
    own, less = (who.anatomy.manner for who in asked)
    assert less == creature.Manner(*(0.25 * value for value in own))
    capsys.readouterr()
    said = complaint(capsys, "--liveliness", "2", "--out", out)
    assert "--liveliness must be from 0 to 1, got 2.0" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--gait gallop", "--gait must be wave, ripple, tripod, crawl, walk, "),
        ("--gait trot --duty-factor 2", "--duty-factor must be from 0.15 to 0.95, got 2"),
    ],
)
def test_what_is_no_gait_is_told(options, said, capsys, tmp_path):
    assert said in complaint(capsys, *options.split(), "--out", tmp_path / "walk.npz")


def test_several_files_and_the_report_come_of_one_walk(room, tmp_path, capsys):
    paths = [tmp_path / f"walk.{ending}" for ending in ("npz", "json", "glb")]
    outs = [part for path in paths for part in ("--out", path)]
    assert run("--seconds", 1, "--terrain", "0.1", "--report", *outs) == 0
    height = handmade.hills(1.0, 2.0)
    assert capsys.readouterr() == (f"slide  0.0\nat 1, 2  {height:.6f}\n", fastest())
    arrays, text = (recordings.read_recording(path) for path in paths[:2])
    np.testing.assert_array_equal(arrays.feet, text.feet)
    assert b'"ground"' in paths[2].read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_a_model_has_as_many_keys_as_are_asked_for(room, tmp_path):
    counts = {}
    for rate in (None, 24):
        keys = [] if rate is None else ["--keys", rate]
        path = tmp_path / f"{rate}.glb"
        assert run("--seconds", 1, "--out", path, *keys) == 0
        data = path.read_bytes()
        scene = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
        times = scene["animations"][0]["samplers"][0]["input"]
        counts[rate] = scene["accessors"][times]["count"]
    assert counts[24] == int((counts[None] - 1) / 60 * 24) + 1


def test_a_loop_is_one_cycle_in_place_and_with_root_motion(tmp_path):
    outs = ["--out", tmp_path / "dog.glb", "--out", tmp_path / "dog.npz"]
    assert run("--creature", "dog", "--loop", "--speed", 0.9, "--keys", 30, *outs) == 0
    cycle = recordings.read_recording(tmp_path / "dog.npz")
    assert cycle.dt == 1.0 / 30.0
    data = (tmp_path / "dog.glb").read_bytes()
    scene = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert [clip["name"] for clip in scene["animations"]] == ["walk", "walk_root_motion"]
    times = scene["accessors"][scene["animations"][0]["samplers"][0]["input"]]
    assert times["count"] == len(cycle.time)
    assert times["max"] == pytest.approx([cycle.time[-1]])


def test_a_loop_that_is_too_fast_names_the_option(tmp_path, capsys):
    said = complaint(
        capsys, "--creature", "dog", "--loop", "--speed", 9, "--out", tmp_path / "a.glb"
    )
    assert "to 7.96, got 9" in said
    assert not any(tmp_path.iterdir())


def test_a_film_and_a_picture_come_of_it_too(room, tmp_path, monkeypatch):
    pytest.importorskip("av", reason="PyAV is not installed: pip install '.[video]'")
    shares = []
    monkeypatch.setattr(command, "progress_bar", lambda quiet: nullcontext(shares.append))
    outs = ["--out", tmp_path / "walk.svg", "--out", tmp_path / "walk.mp4"]
    assert run("--seconds", 0.1, "--fps", 30, *outs) == 0
    assert (tmp_path / "walk.mp4").read_bytes()[4:8] == b"ftyp"
    assert (tmp_path / "walk.svg").read_text().startswith("<svg ")
    # One bar for all: the walk is a small part, the film's frames are most of it.
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[2] < 0.1
    assert sum(0.1 < share < 1.0 for share in shares) >= 2
    assert shares[-1] == 1.0


def test_a_film_has_half_the_frames_unless_told_otherwise(room, tmp_path, monkeypatch):
    asked = []

    def write(file, recording, terrain, **options):
        asked.append((1.0 / recording.dt, options.pop("fps"), options.pop("camera"), options))
        assert callable(options.pop("progress"))

    monkeypatch.setattr(command.encoder, "load_encoder", lambda: None)
    monkeypatch.setattr(command.encoder, "write_mp4", write)
    out = "--out", tmp_path / "walk.mp4"
    assert run("--seconds", 0.1, *out) == 0
    assert run("--seconds", 0.1, "--fps", 50, "--camera", "follow", *out) == 0
    assert run("--seconds", 0.1, "--size", "640X360", "--no-rings", "--bones", *out) == 0
    usual = {"size": (1280, 720), "rings": True, "bones": False}
    own = {"size": (640, 360), "rings": False, "bones": True}
    rates, kinds = [given[:2] for given in asked], [given[2:] for given in asked]
    assert rates == [pytest.approx((60.0, 30.0)), (50.0, 50.0), pytest.approx((60.0, 30.0))]
    assert kinds == [("three-quarter", usual), ("follow", usual), ("three-quarter", own)]


FIRST = "#0072B2"  # the first bone, on a light background


def test_bones_are_shown_in_pictures_too(room, tmp_path):
    shown = []
    for options in ([], ["--bones"]):
        assert run("--seconds", 0.2, "--out", tmp_path / "walk.svg", *options) == 0
        shown.append((tmp_path / "walk.svg").read_text())
    assert FIRST in re.findall(r"-thighs{color:(#\w+)}", shown[1])
    assert FIRST not in re.findall(r"-thighs{color:(#\w+)}", shown[0])


def test_progress_that_is_not_shown_on_a_terminal_is_a_line_now_and_then(
    room, tmp_path, monkeypatch, capsys
):
    class Clock:
        now = 0.0

        def monotonic(self):
            return self.now

    clock = Clock()

    def write(file, recording, terrain, *, progress, **options):
        for share in np.linspace(0.0, 1.0, 101):
            clock.now += 0.25
            progress(share)

    monkeypatch.setattr("twobone.commands.progress.time", clock)
    monkeypatch.setattr(command.encoder, "load_encoder", lambda: None)
    monkeypatch.setattr(command.encoder, "write_mp4", write)
    options = "--seconds", 0.1, "--out", tmp_path / "walk.mp4"
    assert run(*options) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines.pop().startswith("twobone: top speed of the insect: ")
    assert [line.partition(" % ")[2] for line in lines] == [
        f"after {s} s" for s in (5, 10, 15, 20, 25)
    ]
    done = [int(line.removeprefix("twobone: ").partition(" ")[0]) for line in lines]
    assert done == sorted(done)
    assert 10 < done[0] < 40
    assert run(*options, "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("options", "hidden", "message"),
    [
        ([], True, f"a film (.mp4) needs av: {install_command('video')}"),
        (["--fps", "1000"], False, "field dt: expected 1/240 to 1 seconds for a film, got 0.001"),
    ],
)
def test_what_makes_no_film_is_told_before_the_walk(
    room, tmp_path, monkeypatch, capsys, options, hidden, message
):
    monkeypatch.setitem(sys.modules, "av", None if hidden else types.ModuleType("av"))
    assert message in complaint(capsys, *options, "--out", tmp_path / "walk.mp4")
    assert room.asked == {}
    assert not list(tmp_path.iterdir())


def test_the_report_sees_the_walk_again_at_twice_the_frames(room):
    assert run("--report", "--seconds", 12, "--fps", 20) == 0
    assert room.asked["compared"] == ("insect", 240, 400, 1 / 40)  # ten seconds are enough
    assert run("--report", "--creature", "dog", "--seconds", 2, "--fps", 20) == 0
    assert room.asked["compared"] == ("dog", 40, 78, 1 / 40)


def test_a_path_is_asked_for_with_or_without_seconds(room, tmp_path):
    path = tmp_path / "way.csv"
    path.write_text("x,z\n0,1\n2,3\n")
    for text, way in (("circle", [[0, 6], [1, 6]]), ("1,2 3,-4", [[1, 2], [3, -4]])):
        assert run("--path", text, "--out", tmp_path / "walk.npz") == 0
        assert room.asked["walk"].pop("path").tolist() == way
        assert set(room.asked["walk"]) == {"creature", "fps", "seed"}
    assert run("--path", path, "--seconds", 2, "--speed", 1, "--out", tmp_path / "walk.npz") == 0
    assert room.asked["walk"].pop("path").tolist() == [[0, 1], [2, 3]]
    assert room.asked["walk"]["seconds"] == 2.0


@pytest.mark.parametrize("word", ["flat", "slope", "steps"])
def test_ground_has_names(room, word):
    assert run("--terrain", word, "--report", "--seconds", 1) == 0
    assert room.asked["ground"][0] == word


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to do: give --out FILE, --report, or both"),
        (["--creature", "cat", "--terrain", "hills"], "--creature must be insect, spider, dog"),
        (["--terrain", "lake"], "--terrain must be flat, slope, steps, hills or a roughness"),
        (["--path", "0,1 2"], '--path must be circle, eight, waypoints such as "0,5'),
        (
            ["--report", "--terrain", "hilly"],
            "--terrain must be flat, slope, steps, hills or a roughness",
        ),
        (["--report", "--terrain", "nan"], "from 0 to 1, got 'nan'"),
        (["--report", "--terrain", "-0.1"], "from 0 to 1, got '-0.1'"),
        (["--report", "--terrain", "1_0"], "from 0 to 1, got '1_0'"),
        (
            ["--report", "--creature", "cow"],
            f"--creature must be {ANIMALS}, got 'cow'",
        ),
        (
            ["--report", "--creature", "cow", "--path", "circle"],
            f"--creature must be {ANIMALS}, got 'cow'",
        ),
        (["--report", "--seconds", "0"], "--seconds must be above 0 and finite, got 0.0"),
        (["--report", "--seconds", "inf"], "--seconds must be above 0 and finite, got inf"),
        (
            ["--camera", "below", "--out", "walk.mp4"],
            "--camera must be side, front, three-quarter, follow, above or top, got 'below'",
        ),
        *(
            (
                ["--size", size, "--out", "walk.mp4"],
                "--size must be WIDTHxHEIGHT in pixels, even numbers from 32 to 8192, "
                f"got '{size}'",
            )
            for size in ("0x0", "1920", "1921x1080", "1280x", "-32x32", "99999999999x720", "axb")
        ),
        (["--report", "--fps", "nan"], "--fps must be above 0 and finite, got nan"),
        (["--report", "--keys", "0"], "--keys must be above 0, at most 1000, got 0"),
        (["--report", "--keys", "nan"], "--keys must be above 0, at most 1000, got nan"),
        (["--report", "--seconds", "1e5"], "is more than 1,000,000 frames"),
        (["--report", "--speed", "1e10"], "--speed must be finite and at most 1e+09, got 1e+10"),
        (["--report", "--turn", "nan"], "--turn must be finite and at most 1e+09, got nan"),
        (["--report", "--seed", "-1"], "--seed"),
        (["--report", "--path", "0,1", "--turn", "0"], "--turn and --path exclude each other"),
        (
            ["--report", "--path", "0,1", "--speed", "-1"],
            "--speed must be above 0 and finite, got -1.0",
        ),
        (["--report", "--path", "0,1 2"], '--path must be circle, eight, waypoints such as "0,5'),
        (["--report", "--path", "0,1 nan,2"], "--path: waypoints must be finite, got [nan, 2.0]"),
        (
            ["--out", "walk.gltf"],
            "walk.gltf: expected a name that ends in .npz, .json, .glb, .svg or .mp4",
        ),
        (["--out", "a.npz", "--out", "./a.npz"], "--out ./a.npz is given twice"),
        (["--loop", "--turn", "1", "--out", "a.glb"], "--loop and --turn exclude each other"),
        (["--loop", "--report"], "--loop and --report exclude each other"),
        (["--loop", "--terrain", "0.1", "--out", "a.glb"], "--loop and --terrain exclude"),
    ],
)
def test_mistakes_are_told_before_the_walk(room, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in complaint(capsys, *arguments)
    assert room.asked == {}
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_told_before_the_walk(tmp_path):
    command = [sys.executable, "-m", "twobone", "walk", "--out", "no/such/walk.npz"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, text=True, check=False)
    message = "twobone: no/such/walk.npz: No such file or directory\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_nothing_is_left_where_the_walk_fails(room, tmp_path, capsys):
    (tmp_path / "old.json").write_text("before")
    outs = ["--out", tmp_path / "new.npz", "--out", tmp_path / "old.json"]
    assert "an unlucky walk" in complaint(capsys, "--seed", 13, *outs)
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").read_text() == "before"


@pytest.mark.parametrize(
    ("option", "value", "suffix"),
    [("keys", 24, ".glb"), ("camera", "side", ".mp4"), ("size", "640x360", ".mp4")],
)
def test_an_option_of_a_file_that_is_not_written_is_refused(
    tmp_path, capsys, option, value, suffix
):
    said = complaint(capsys, f"--{option}", value, "--out", tmp_path / "walk.npz")
    assert f"--{option} needs --out FILE{suffix}" in said
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("flag", "files"), [("--no-rings", ".mp4"), ("--bones", ".mp4 or .svg")])
def test_a_flag_of_a_file_that_is_not_written_is_refused(tmp_path, capsys, flag, files):
    said = complaint(capsys, flag, "--out", tmp_path / "walk.npz")
    assert f"{flag} needs --out FILE{files}" in said
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_ground_on_which_it_cannot_stand_is_told_by_the_option(tmp_path, capsys):
    ground = "--creature", "centipede", "--terrain", 1, "--seed", 2
    said = complaint(capsys, *ground, "--seconds", 1, "--out", tmp_path / "walk.npz")
    wanted = "--terrain must let the animal stand where it starts, got none for some foot at (0, 0)"
    assert wanted in said
    assert "`" not in said


def test_the_bar_is_for_terminals_and_on_standard_error(room, monkeypatch, capsys):
    assert run("--report", "--seconds", 1) == 0
    assert capsys.readouterr().err == fastest()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    assert run("--report", "--seconds", 1) == 0
    printed = capsys.readouterr()
    assert "100 %" in printed.err
    assert printed.out.startswith("slide")


def test_figures_out_of_bounds_are_named_and_make_an_exit_code(room, capsys):
    room.asked["broken"] = ["foot sliding", "greatest reach"]
    assert run("--report", "--seconds", 1) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("slide")
    assert printed.err == fastest() + "twobone: out of bounds: foot sliding, greatest reach\n"


def test_what_the_ground_does_not_let_it_do_is_told_in_one_line(room, capsys):
    room.asked["blocked"] = 0.5
    assert run("--report", "--seconds", 1) == 0
    said = capsys.readouterr().err
    assert said.startswith(fastest() + "twobone: blocked after 0.5 s at x = 0.05, z = 0.40: ")
    assert said.count("\n") == 2
    assert "no foothold in reach, no room for the body, or it would lose its balance" in said
    assert run("--report", "--seconds", 1, "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_a_speed_or_turn_beyond_what_it_can_do_is_told(room, capsys):
    assert run("--report", "--seconds", 1, "--speed", 100) == 0
    said = fastest() + "twobone: --speed 100 exceeds this animal's maximum of 6 m/s\n"
    assert capsys.readouterr().err == said
    assert run("--report", "--seconds", 1, "--turn", -2.5) == 0
    said = fastest() + "twobone: --turn -2.5 exceeds this animal's maximum of 2 rad/s\n"
    assert capsys.readouterr().err == said
    assert run("--report", "--seconds", 1, "--speed", -6, "--turn", 2) == 0
    assert capsys.readouterr().err == fastest()


def test_an_insect_told_to_run_at_100_walks_at_full_speed_within_its_bounds(capsys):
    assert run("--report", "--seconds", 1.5, "--speed", 100) == 0
    printed = capsys.readouterr()
    assert "exceeds this animal's maximum of 1.8 m/s" in printed.err
    slide = next(line for line in printed.out.splitlines() if line.startswith("foot sliding"))
    assert slide.split()[2:4] == ["0", "ok"]


def test_a_walk_has_at_least_one_frame(capsys, tmp_path):
    said = complaint(capsys, "--seconds", 0.01, "--fps", 10, "--out", tmp_path / "walk.npz")
    assert said == "twobone: --seconds 0.01 at --fps 10 is less than one frame\n"
