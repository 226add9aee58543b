"""`twobone pin`: one file, many files, what is skipped, what fails and how it ends."""

import json
import os

import numpy as np
import pytest

import clip_files
import complaints
import dinosaurs
import twobone
import walkers
from twobone import cli, motion
from twobone.commands import pin as command

MM = 0.001
FEET = "left foot, left toes, right foot, right toes"
RECORD = ".twobone-pin.jsonl"


def run(*arguments):
    return cli.run(["pin", *map(str, arguments)])


def complaint(capsys, *arguments):
    return complaints.complaint(capsys, "pin", *arguments)


def drift(path, contacts):
    """Return the drift of joints in a written file; reader and kinematics are not ours."""
    clip = clip_files.renamed(clip_files.bvh(path), walkers.NAMES)  # it reads single words
    return walkers.drift(clip, contacts).max()


def tree(folder):
    """Return the files of a folder, without the record of options."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != RECORD]
    return sorted(str(path.relative_to(folder)) for path in files)


# --- one file -----------------------------------------------------------------------------


def test_feet_stay_in_the_file_that_is_written(bvh, tmp_path, walk, capsys):
    source, out = bvh(), tmp_path / "out.bvh"
    before = source.read_bytes()
    assert run(source, "-o", out) == 0
    loaded = motion.load(source)
    contacts = motion.find_contacts(loaded)
    assert drift(source, contacts) > 20 * MM
    assert drift(out, contacts) < 1e-6 * MM
    assert source.read_bytes() == before
    printed = capsys.readouterr()
    heading, row, *foot = printed.out.splitlines()
    assert heading.split("  ")[0] == "file"
    name, count, was, now, *_ = row.split()
    assert (name, int(count), float(now)) == ("walk.bvh", sum(map(len, contacts.values())), 0.0)
    assert 10.0 < float(was) < 500.0
    assert foot[0].startswith("Lengths in mm.")
    assert all(len(line) <= 80 for line in foot)
    assert printed.err == "twobone: walk.bvh: the unit is guessed; see twobone limbs\n"


def test_feet_are_put_on_level_ground(bvh, tmp_path, walk):
    out, page = tmp_path / "out.bvh", tmp_path / "page.html"
    assert run(bvh(), "-o", out, "--conform", "0.5", "--html", page) == 0
    made = motion.load(out)
    toes = [made.skeleton.index(f"{side} toes") for side in ("left", "right")]
    heights = walkers.positions(made)[:, toes, 1] / made.metres
    assert abs(heights.min() - 0.5) < 1e-6
    assert "put on level ground at" in page.read_text(encoding="utf-8")


def test_quiet_prints_nothing(bvh, tmp_path, capsys):
    assert run(bvh(), "-o", tmp_path / "out.bvh", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_options_are_those_of_pin(bvh, tmp_path, walk, capsys):
    source, out, report = bvh(), tmp_path / "out.bvh", tmp_path / "report.json"
    labels = tmp_path / "labels.json"
    motion.write_labels(labels, walk.clip, walk.contacts)
    given = "--ground 0.02 --body follow --reach soft --loop"
    slides = ["--keep-sliding", "left foot:0:10", "--keep-sliding=right toes:3:3"]
    files = ["-o", out, "--contacts", labels, "--report", report]
    assert run(source, *given.split(), *slides, *files) == 0
    expected = motion.pin(
        motion.load(source),
        walk.contacts,
        ground=0.02,
        body="follow",
        reach="soft",
        keep_sliding=[("left foot", 0, 10), ("right toes", 3, 3)],
        loop=True,
    )
    written = motion.load(out).pose.rotations
    np.testing.assert_allclose(written, expected.clip.pose.rotations, atol=1e-12)
    written = json.loads(report.read_text())
    assert written == json.loads(json.dumps({"clip": None, **expected.report.as_dict()}))


def test_a_file_goes_into_a_folder_that_exists(bvh, tmp_path):
    (tmp_path / "out").mkdir()
    assert run(bvh(), "-o", tmp_path / "out") == 0
    assert tree(tmp_path / "out") == ["walk.bvh"]


def test_folders_that_do_not_exist_are_made(bvh, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = bvh()
    assert run(source, "-o", "new/", "-q") == 0
    assert run(source, "-o", "deep/er/out.bvh", "--report", "reports/walk.json", "-q") == 0
    made = ["deep/er/out.bvh", "new/walk.bvh", "reports/walk.json", "walk.bvh"]
    assert tree(tmp_path) == [os.path.normpath(path) for path in made]


def test_a_clip_of_a_file_is_chosen_by_name_or_number(tmp_path, capsys):
    fox = clip_files.path_of(clip_files.FOX)
    for name in ("Walk", "1"):
        out = tmp_path / f"{name}.glb"
        assert run(fox, "-o", out, "--clip", name, "-q", "--body", "follow") == 0
        clip = motion.load(fox, "Walk")
        contacts = motion.find_contacts(clip)
        written = clip_files.glb(out, "Walk", clip.fps)
        assert clip.metres * walkers.drift(written, contacts).max() < 1e-3 * MM
    for name, came in (([], "none"), (["--clip", "Walkk"], "'Walkk'"), (["--clip=3"], "3")):
        said = complaint(capsys, fox, "-o", tmp_path / "none.glb", *name)
        wanted = "expected one of 'Survey', 'Walk', 'Run' or all"
        assert said == f"twobone: {fox}: --clip: {wanted}, got {came}\n"
    assert not (tmp_path / "none.glb").exists()


def test_a_bvh_file_has_the_clip_0(bvh, tmp_path):
    assert run(bvh(), "-o", tmp_path / "zero.bvh", "--clip", "0", "-q") == 0
    assert run(bvh(), "-o", tmp_path / "none.bvh", "-q") == 0
    assert (tmp_path / "zero.bvh").read_bytes() == (tmp_path / "none.bvh").read_bytes()


def test_all_clips_of_a_file_are_pinned_in_one_file(tmp_path, capsys):
    fox, out = clip_files.path_of(clip_files.FOX), tmp_path / "out.glb"
    report = tmp_path / "report.json"
    assert run(fox, "-o", out, "--clip", "all", "--report", report, "--body", "follow") == 0
    before, after = motion.load_all(fox), motion.load_all(out)
    assert [clip.name for clip in after] == ["Survey", "Walk", "Run"]
    for old in before:
        written, contacts = clip_files.glb(out, old.name, old.fps), {}
        for plant in motion.pin(old, body="follow").anchors:
            frames = plant.first, min(plant.stop, len(written))  # the reader leaves out the last
            contacts.setdefault(plant.joint, []).append(frames)
        assert old.metres * walkers.drift(written, contacts).max() < 0.01 * MM
    printed = capsys.readouterr()
    rows = printed.out.splitlines()[1:4]
    assert [row.split("  ")[0] for row in rows] == [
        "Fox.glb: Survey",
        "Fox.glb: Walk",
        "Fox.glb: Run",
    ]
    assert "twobone: Fox.glb: Survey and 2 more: the unit is guessed" in printed.err
    found = json.loads(report.read_text())
    assert [(one["clip"], one["frames"]) for one in found] == [(c.name, len(c)) for c in before]


@pytest.mark.slow
def test_a_folder_of_files_with_several_clips(bvh, tmp_path, capsys):
    folder = bvh("in/walk.bvh").parent
    for name in (clip_files.FOX, clip_files.CHARACTER):
        path = clip_files.path_of(name)
        (folder / path.name).write_bytes(path.read_bytes())
    assert run(folder, "-o", tmp_path / "all", "--clip", "all") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 3 + 18 + 1 + 2
    assert run(folder, "-o", tmp_path / "one", "--clip", "Walk") == 1
    printed = capsys.readouterr()
    assert tree(tmp_path / "one") == ["Fox.glb"]
    assert "expected 0 or None (BVH files have one clip, without a name)" in printed.err
    assert " more or all, got 'Walk'" in printed.err
    assert all(len(line) < 300 for line in printed.err.splitlines())


@pytest.mark.parametrize("without", [["Survey"], ["Survey", "Walk", "Run"]])
def test_clips_without_legs_stay_as_they_are(tmp_path, monkeypatch, capsys, without):
    fox, out, find_limbs = (
        clip_files.path_of(clip_files.FOX),
        tmp_path / "out.glb",
        motion.find_limbs,
    )

    def find(clip):
        return motion.Limbs((), ()) if clip.name in without else find_limbs(clip)

    monkeypatch.setattr(motion, "find_limbs", find)
    if len(without) == 3:
        assert "a skeleton with legs" in complaint(capsys, fox, "-o", out, "--clip", "all")
        assert not out.exists()
        return
    assert run(fox, "-o", out, "--clip", "all") == 0
    assert [row.split()[1] for row in capsys.readouterr().out.splitlines()[1:3]] == ["Walk", "Run"]
    kept = motion.load(fox, "Survey").pose.rotations
    np.testing.assert_array_equal(motion.load(out, "Survey").pose.rotations, kept)


# --- notes --------------------------------------------------------------------------------


def notes(capsys, *arguments):
    assert run(*arguments) == 0
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("height", "note"),
    [
        ("0", ""),
        ("-0.05", ""),
        ("0.3", "--ground 0.3 is 0.28 m above the lowest joint of the feet"),
        ("-2", "--ground -2 is 2 m below the lowest joint of the feet"),
    ],
)
def test_a_ground_far_from_the_feet_is_told(tmp_path, capsys, height, note):
    clip = walkers.walk(30, seconds=1.5).clip  # the toes are 2 cm above a ground of 0
    motion.save(clip, tmp_path / "walk.glb")
    said = notes(capsys, tmp_path / "walk.glb", "-o", tmp_path / "out.glb", "--ground", height)
    assert said == (f"twobone: walk.glb: {note}\n" if note else "")


def test_legs_that_never_come_near_the_ground_are_told_once(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    for name, hands in ("a", 0.8), ("b", 0.9):
        motion.save(dinosaurs.standing(hands), tmp_path / "in" / f"{name}.glb")
    said = notes(capsys, tmp_path / "in", "-o", tmp_path / "out")
    told = "a.glb and 1 more: Legs that never come near the ground are not held: left front leg,"
    assert told in said
    assert said.count("\n") == 1


@pytest.fixture
def slides(tmp_path):
    """Return the file of a figure that lands: its feet slide below a body that stays."""
    path = tmp_path / "in" / "landing.glb"
    path.parent.mkdir()
    ahead = 0.3 * np.interp(np.arange(72) / 30.0, [0.0, 0.4], [0.5, -0.5])
    motion.save(walkers.standing(ahead).clip, path)
    return path


def test_feet_that_slide_below_a_body_that_stays_are_told(slides, tmp_path, capsys):
    out, page = tmp_path / "out.glb", tmp_path / "page.html"
    told = "while the body stays, and are held still. If the character walks in place, use"
    assert told in notes(capsys, slides, "-o", out, "--html", page)
    assert told in page.read_text()
    for options in (["--in-place"], ["--no-in-place"], ["--body", "follow"]):
        assert told not in notes(capsys, slides, "-o", out, *options)
    notes(capsys, slides, "-o", out, "--in-place", "--html", page)
    assert "<dt>walks in place</dt><dd><bdi>yes</bdi></dd>" in page.read_text()
    assert "<dt>in place</dt><dd>the ground moves at " in page.read_text()


def test_doubts_give_an_exit_status_if_the_user_is_strict(slides, bvh, tmp_path, capsys):
    out = tmp_path / "out"
    bvh("in/walk.bvh")
    assert run(slides.parent, "-o", out) == 0
    assert run(slides.parent, "-o", out, "--strict") == 1  # although all is up to date
    assert tree(out) == ["landing.glb", "walk.bvh"]
    assert run(slides.parent, "-o", out, "--strict", "--no-in-place", "-q") == 0
    assert run(slides, "-o", tmp_path / "out.glb", "--strict", "-q") == 1
    assert run(slides.parent / "walk.bvh", "-o", tmp_path / "out.bvh", "--strict") == 0
    capsys.readouterr()


def test_a_unit_that_is_not_guessed_is_not_told(bvh, tmp_path, walk, capsys):
    motion.save(walk.clip, tmp_path / "walk.glb")
    assert notes(capsys, tmp_path / "walk.glb", "-o", tmp_path / "out.glb") == ""
    bvh("in/a.bvh"), bvh("in/b.bvh"), motion.save(walk.clip, tmp_path / "in" / "c.glb")
    said = notes(capsys, tmp_path / "in", "-o", tmp_path / "out")
    assert said == "twobone: a.bvh and 1 more: the unit is guessed; see twobone limbs\n"


def test_no_contacts_are_told(bvh, tmp_path, walk, capsys):
    source, labels = bvh(), tmp_path / "labels.json"
    labels.write_text(json.dumps({"frames": len(walk.clip), "contacts": {}}))
    said = notes(capsys, source, "-o", tmp_path / "out.bvh", "--contacts", labels)
    assert "walk.bvh: no contacts, so nothing is changed" in said
    assert (tmp_path / "out.bvh").read_bytes() == source.read_bytes()


def test_a_t_pose_that_is_left_out_is_told(tmp_path, capsys):
    source = clip_files.path_of("cmu_bvh/02_01.bvh")
    said = notes(capsys, source, "-o", tmp_path / "out.bvh")
    assert "02_01.bvh: The T-pose at the beginning is not measured." in said


# --- mistakes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("walk.bvh", "Missing option '--output'"),
        ("none.bvh -o out.bvh", "none.bvh: No such file"),
        ("walk.bvh -o walk.bvh", "walk.bvh would be written over an input"),
        ("walk.bvh -o out.bvh --report ./out.bvh", "would be written over an input or another"),
        ("walk.bvh -o out.xyz", "expected a name that ends in .bvh"),
        ("walk.bvh -o out.bvh --body jump", "--body must be least, keep, follow, got 'jump'"),
        ("walk.bvh -o out.bvh --reach far", "--reach must be exact, soft, stretch, got 'far'"),
        ("walk.bvh -o out.bvh --ground nan", "expected a number from -1e+09 to 1e+09, got 'nan'"),
        ("walk.bvh -o out.bvh --keep-sliding foot", "must be JOINT:FIRST:LAST, got 'foot'"),
        ("walk.bvh -o out.bvh --keep-sliding foot:1:x", "must be JOINT:FIRST:LAST"),
        ("walk.bvh -o out.bvh --keep-sliding nose:1:2", f"one of {FEET}, got 'nose'"),
        ("walk.bvh -o out.bvh --keep-sliding hips:1:2", f"one of {FEET}, got 'hips'"),
        ("walk.bvh -o out.bvh --reach stretch", "which moves in frame 0 (or a .glb file)"),
        ("walk.bvh -o out.bvh --contacts walk.bvh", "walk.bvh"),
        ("walk.bvh -o out.bvh --contacts l.json --clip all", "--contacts belongs to one clip"),
        ("walk.bvh -o out.bvh --clip Walk", "walk.bvh: --clip: expected 0 or None (BVH"),
        ("walk.bvh other.bvh -o walk.bvh", "--output must be a folder for several files"),
        ("walk.bvh walk.bvh -o out", "would be written over an input or another output"),
        ("walk.bvh other.bvh -o .", "would be written over an input"),
        ("walk.bvh other.bvh -o out --contacts l.json", "--contacts belongs to one clip"),
        ("empty -o out", "no motion clips (.bvh, .glb, .gltf, .vrm, .vrma, .npz) in empty"),
    ],
)
def test_mistakes_are_told_in_one_line(bvh, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    bvh(), bvh("other.bvh"), (tmp_path / "empty").mkdir()
    before = tree(tmp_path)
    assert message in complaint(capsys, *arguments.split())
    assert tree(tmp_path) == before


def test_a_clip_without_legs_is_told(tmp_path, capsys):
    path = tmp_path / "stick.bvh"
    joint = "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
    path.write_text(f"HIERARCHY\n{joint}MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n")
    said = complaint(capsys, path, "-o", tmp_path / "out.bvh")
    assert "expected a skeleton with legs, got one in which none are found" in said


# --- many files ---------------------------------------------------------------------------


def test_a_tree_becomes_the_same_tree(bvh, tmp_path, capsys):
    for name in ("in/a.bvh", "in/deep/er/b.BVH", "in/.hidden.bvh", "in/.git/c.bvh"):
        bvh(name)
    (tmp_path / "in" / "notes.txt").write_text("no clip")
    # Outputs inside the input folder are not inputs of the next run.
    out, report = tmp_path / "in" / "out", tmp_path / "reports"
    for _ in range(2):
        assert run(tmp_path / "in", "-o", out, "--report", report, "--force") == 0
        assert tree(out) == ["a.bvh", "deep/er/b.BVH"]
        assert tree(report) == ["a.bvh.json", "deep/er/b.BVH.json"]
    rows = capsys.readouterr().out.splitlines()[1:3]
    assert [row.split()[0] for row in rows] == ["a.bvh", os.path.join("deep", "er", "b.BVH")]
    contacts = motion.find_contacts(motion.load(tmp_path / "in" / "a.bvh"))
    assert drift(out / "deep/er/b.BVH", contacts) < 1e-6 * MM


def test_files_and_folders_can_be_given_together(bvh, tmp_path):
    assert run(bvh("one/a.bvh"), bvh("two/b.bvh").parent, "-o", tmp_path / "out", "-q") == 0
    assert tree(tmp_path / "out") == ["a.bvh", "b.bvh"]


def test_some_that_fail_are_listed_and_the_others_written(bvh, tmp_path, capsys):
    good, cut, empty = bvh("in/a.bvh"), bvh("in/b.bvh"), tmp_path / "in" / "c.glb"
    cut.write_bytes(good.read_bytes()[:-40])
    empty.write_bytes(b"")
    assert run(tmp_path / "in", "-o", tmp_path / "out") == 1
    assert tree(tmp_path / "out") == ["a.bvh"]
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 4
    _, first, second, last = printed.err.splitlines()
    assert first.startswith(f"twobone: {cut}, line")
    assert str(empty) in second
    assert last == "twobone: 2 of 3 files failed"


def test_an_interrupted_run_goes_on(bvh, tmp_path, monkeypatch, capsys):
    for name in ("in/a.bvh", "in/b.bvh", "in/c.bvh"):
        bvh(name)
    out, save, done = tmp_path / "out", motion.save_all, []

    def interrupted(clips, path):
        if path.name == "b.bvh" and "b.bvh" not in done:
            done.append("b.bvh")
            raise KeyboardInterrupt
        save(clips, path)
        done.append(path.name)

    monkeypatch.setattr(motion, "save_all", interrupted)
    assert run(tmp_path / "in", "-o", out) == 130
    assert tree(out) == ["a.bvh"]
    capsys.readouterr()
    assert run(tmp_path / "in", "-o", out) == 0
    assert tree(out) == ["a.bvh", "b.bvh", "c.bvh"]
    assert done == ["a.bvh", "b.bvh", "b.bvh", "c.bvh"]  # a is not done again
    assert "1 of 3 files are up to date (--force repeats)" in capsys.readouterr().err


def test_files_are_done_again_if_their_content_changed(bvh, tmp_path, capsys):
    source, other = bvh("in/a.bvh"), bvh("in/b.bvh")
    out, reports = tmp_path / "out", tmp_path / "reports"

    def done(*more):
        assert run(source.parent, "-o", out, *more) == 0
        return [row.split()[0] for row in capsys.readouterr().out.splitlines()[1:-2]]

    assert done() == ["a.bvh", "b.bvh"]
    for path in (source, out / "a.bvh"):
        os.utime(path, (2e9, 1e9))  # times do not count
    assert done() == []
    assert done("--report", reports) == ["a.bvh", "b.bvh"]
    assert done("--report", reports) == done() == []  # less is asked for
    (reports / "a.bvh.json").unlink()
    assert done("--report", reports) == ["a.bvh"]
    (out / "b.bvh").write_bytes((out / "b.bvh").read_bytes() + b"\n")
    assert done() == ["b.bvh"]
    other.write_bytes(other.read_bytes() + b"\n")
    assert done() == ["b.bvh"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "options",
    [
        "--body=keep",
        "--ground=0.01",
        "--reach=soft",
        "--clip=0",
        "--no-loop",
        "--keep-sliding=left foot:3:9",
    ],
)
def test_other_options_make_all_files_again(bvh, tmp_path, capsys, options):
    for name in ("in/a.bvh", "in/b.bvh"):
        bvh(name)
    out = tmp_path / "out"

    def lines(*more):
        assert run(tmp_path / "in", "-o", out, *more) == 0
        return len(capsys.readouterr().out.splitlines())

    assert lines() == 5
    assert lines() == 0
    assert lines(options) == 5
    assert lines(options) == 0
    assert lines() == 5


def test_after_an_interruption_with_other_options_the_rest_is_made_again(
    bvh, tmp_path, monkeypatch, capsys
):
    for name in ("in/a.bvh", "in/b.bvh"):
        bvh(name)
    out, save = tmp_path / "out", motion.save_all
    assert run(tmp_path / "in", "-o", out, "-q") == 0

    def interrupted(clips, path):
        if path.name == "b.bvh":
            raise KeyboardInterrupt
        save(clips, path)

    monkeypatch.setattr(motion, "save_all", interrupted)
    assert run(tmp_path / "in", "-o", out, "-q", "--body", "keep") == 130
    monkeypatch.undo()
    capsys.readouterr()
    assert run(tmp_path / "in", "-o", out, "--body", "keep") == 0
    printed = capsys.readouterr()
    assert [row.split()[0] for row in printed.out.splitlines()[1:-2]] == ["b.bvh"]
    assert "1 of 2 files are up to date" in printed.err


def test_a_folder_that_cannot_be_written_to_is_told_at_once(bvh, tmp_path, monkeypatch, capsys):
    source, out = bvh(), tmp_path / "out"
    out.mkdir()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != out and access(path, mode))
    monkeypatch.setattr(motion, "pin", None)  # which is not called
    for arguments in ([source, "-o", out / "walk.bvh"], [source, bvh("b.bvh"), "-o", out]):
        said = complaint(capsys, *arguments)
        assert f"cannot write to the folder {out}: permission denied" in said
    assert tree(out) == []


@pytest.mark.parametrize("option", ["-o", "--report", "--html"])
def test_a_file_that_cannot_be_written_is_told_before_the_work(
    option, bvh, tmp_path, monkeypatch, capsys
):
    source, out = bvh(), tmp_path / "out.bvh"
    where = tmp_path / "folder.bvh"  # of that name there is a folder already
    (where / "walk.bvh").mkdir(parents=True)
    monkeypatch.setattr(motion, "pin", None)  # which is not called
    options = ["-o", where] if option == "-o" else ["-o", out, option, where]
    assert "bvh: Is a directory" in complaint(capsys, source, *options)
    assert not out.exists()


def test_a_clip_that_cannot_be_saved_leaves_no_report(bvh, tmp_path, capsys):
    report = tmp_path / "report.json"
    said = complaint(capsys, bvh(), "-o", tmp_path / "out.xyz", "--report", report)
    assert "expected a name that ends in" in said
    assert not report.exists()


def test_forced_all_are_done_again(bvh, tmp_path, capsys):
    bvh("in/a.bvh")
    for options, rows in ((), 4), ((), 0), (["--force"], 4):
        assert run(tmp_path / "in", "-o", tmp_path / "out", *options) == 0
        assert len(capsys.readouterr().out.splitlines()) == rows


def test_names_that_a_terminal_would_obey_are_escaped():
    row = command.Row("\x1b[31mred.bvh", 1, 1.0, 0.0, 0.0, 0.0, 0.0, 0, None, ())
    assert "\x1b" not in "".join(command.table([row]))


def test_the_table_counts_new_steps_and_names_the_worst_frame():
    quiet = command.Row("a.bvh", 1, 1.0, 0.0, 0.0, 0.012, 0.0, 0, None, ())
    jerks = command.Row("b.bvh", 1, 1.0, 0.0, 0.0, 0.0, 0.0, 3, 41, ())
    heading, first, second, *_ = command.table([quiet, jerks])
    assert heading.split("  ")[-1] == "new steps"
    assert first.split()[-3:] == ["12.0", "0.0", "0"]
    assert second.split()[-2:] == ["3", "(41)"]


@pytest.mark.parametrize(("name", "words"), [("body", command.BODY), ("reach", command.REACH)])
def test_the_words_are_those_of_pin(name, words):
    with pytest.raises(twobone.ClipError) as caught:
        motion.pin(dinosaurs.standing(0.9), **{name: "no such word"})
    known = str(caught.value).partition(", got")[0].partition("expected ")[2]
    assert {word.strip("'") for word in known.split(" or ")} == set(words)


def test_a_folder_in_the_place_of_an_output_is_told_and_the_rest_is_made(bvh, tmp_path, capsys):
    for name in ("in/a.bvh", "in/b.bvh"):
        bvh(name)
    (tmp_path / "out" / "a.bvh").mkdir(parents=True)
    assert run(tmp_path / "in", "-o", tmp_path / "out", "-q") == 1
    assert f"{tmp_path / 'out' / 'a.bvh'}: Is a directory" in capsys.readouterr().err
    assert (tmp_path / "out" / "b.bvh").is_file()
