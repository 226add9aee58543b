"""Many motions at once: the same bytes by processes and clusters, what is killed, what fails."""

import csv
import functools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import complaints
import done_elsewhere
import moving_joints
import people
import twobone
from twobone import Skeleton, cli, motion
from twobone.commands import corpus as corpora
from twobone.commands import executors, journal
from twobone.commands.jobs import Job
from twobone.motion.joints import reading

JOINTS = ("joints", "--fps", 20, "--pin")
ONLY_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def run(*arguments):
    return cli.run([*map(str, arguments), "-q"])


def outputs(folder):
    """Return the content of all files of a folder by name, except for the journal."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and not path.name.startswith(".twobone-")
    }


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Write a folder of motions: two arrays, a file of two, one that is bad, and one of text."""
    folder = tmp_path_factory.mktemp("corpus") / "in"
    (folder / "deep").mkdir(parents=True)
    points = moving_joints.positions(moving_joints.person(30))
    noise = np.random.default_rng(0).normal(size=(5, *points.shape))
    several = points + 0.003 * noise
    np.save(folder / "a.npy", several[0])
    np.save(folder / "b.npy", several[1])
    both = several[2:4].transpose(0, 2, 3, 1)
    np.save(folder / "deep" / "results.npy", {"motion": both, "lengths": np.array([30, 20])})
    bad = several[4].copy()
    bad[:, 5] = np.nan
    np.save(folder / "deep" / "bad.npy", bad)
    (folder / "deep" / "cut.npz").write_bytes(b"PK\x03\x04")
    return folder


@pytest.fixture(scope="module")
def serial(corpus):
    """Return the outputs of a run without other processes, the table of measures included."""
    out = corpus.parent / "serial"
    assert run(*JOINTS, corpus, "-o", out, "--measures", out / "all.csv") == 1
    return outputs(out)


# --- one process --------------------------------------------------------------------------


def test_a_folder_of_joints_becomes_a_folder_of_clips(corpus, serial):
    made = ["a.bvh", "all.csv", "b.bvh", "deep/results_0.bvh", "deep/results_1.bvh"]
    assert list(serial) == made
    lines = table(corpus.parent / "serial" / "all.csv")
    names = ["a", "b", "deep/bad", "deep/cut", "deep/results_0", "deep/results_1"]
    assert [line["motion"].replace(os.sep, "/") for line in lines] == names
    errors = [line["error"] for line in lines]
    assert errors[:2] == errors[4:] == ["", ""]
    assert "none of right_knee" in errors[2]
    assert f"{corpus / 'deep' / 'cut.npz'}: expected a .npz file" in errors[3]
    whole = lines[0]
    assert (whole["frames"], whole["fps"], lines[5]["frames"]) == ("30", "20.0", "20")
    assert float(whole["drift_95_before"]) > 0.02
    assert float(whole["drift_95_after"]) < 1e-6
    assert 0.001 < float(whole["joints_moved_95"]) < 0.02
    assert lines[2]["frames"] == lines[3]["drift_95_after"] == ""


def test_a_clip_of_a_folder_has_the_bytes_of_the_clip_alone(corpus, serial, tmp_path):
    assert run(*JOINTS, corpus / "a.npy", "-o", tmp_path / "a.bvh") == 0
    assert (tmp_path / "a.bvh").read_bytes() == serial["a.bvh"]


def test_one_motion_has_a_table_too(corpus, tmp_path):
    measures = tmp_path / "measures.csv"
    given = (corpus / "a.npy", "-o", tmp_path / "a.bvh", "--measures", measures)
    assert run("joints", "--fps", 20, *given) == 0
    [line] = table(measures)
    assert list(line) == [
        *("motion", "error", "notes", "frames", "fps"),
        *("joints_moved_95", "joints_moved_most"),
    ]


def test_a_second_run_does_what_is_left(corpus, serial, tmp_path, capsys):
    out, measures = tmp_path / "out", tmp_path / "all.csv"
    arguments = [*JOINTS, corpus, "-o", out, "--measures", measures]
    assert run(*arguments) == 1
    first = outputs(out)
    assert {**first, "all.csv": measures.read_bytes()} == serial
    stamps = {name: (out / name).stat().st_mtime_ns for name in first}
    (out / "b.bvh").write_bytes(b"edited")
    capsys.readouterr()
    assert cli.run(list(map(str, arguments))) == 1
    assert "3 of 6 motions are up to date (--force repeats)" in capsys.readouterr().err
    assert outputs(out) == first
    assert {**first, "all.csv": measures.read_bytes()} == serial
    assert [name for name in first if (out / name).stat().st_mtime_ns == stamps[name]] == [
        name for name in first if name != "b.bvh"
    ]


def test_what_a_killed_run_left_in_the_journal_is_passed_over(corpus, serial, tmp_path, capsys):
    out = tmp_path / "out"
    given = [*JOINTS, corpus / "a.npy", corpus / "b.npy", "-o", out]
    assert run(*given) == 0
    journal = out / ".twobone-joints.jsonl"
    first, second = journal.read_bytes().splitlines()
    for torn in (b"", b"not json", b"{}", b"[1]", b"\xff\xfe", second[: len(second) // 2]):
        journal.write_bytes(first + b"\n" + torn)
        assert cli.run(list(map(str, given))) == 0
        assert "1 of 2 motions are up to date" in capsys.readouterr().err
        assert journal.read_bytes().splitlines() == [first, second]
        assert outputs(out).items() <= serial.items()


def test_two_runs_into_one_folder_keep_what_both_did(corpus, tmp_path, monkeypatch, capsys):
    out, save = tmp_path / "out", motion.save

    def other_first(clip, path):
        monkeypatch.setattr(motion, "save", save)
        run(*JOINTS, corpus / "b.npy", corpus / "deep" / "results.npy", "-o", out)
        save(clip, path)

    monkeypatch.setattr(motion, "save", other_first)
    again = tmp_path / "again.npy"
    again.write_bytes((corpus / "a.npy").read_bytes())
    assert run(*JOINTS, corpus / "a.npy", again, "-o", out) == 0
    capsys.readouterr()
    both = [*map(str, JOINTS), str(corpus / "b.npy"), str(corpus / "a.npy"), "-o", str(out)]
    assert cli.run(both) == 0
    assert "2 of 2 motions are up to date" in capsys.readouterr().err
    lines = (out / ".twobone-joints.jsonl").read_text().splitlines()
    names = [json.loads(line)["name"] for line in lines]
    assert names == ["a", "again", "b", "results_0", "results_1"]


def test_names_of_arrays_lead_nowhere_else(tmp_path):
    points = moving_joints.positions(moving_joints.person(20))
    source = tmp_path / "in" / "two.npz"
    source.parent.mkdir()
    np.savez(source, **{"/../../../evil": points, "a b": points})
    assert [found.name for found in reading.read_joints(source)] == [
        "two__.._.._.._evil",
        "two_a_b",
    ]
    assert run("joints", "--fps", 20, source, "-o", tmp_path / "out") == 0
    assert list(outputs(tmp_path / "out")) == ["two__.._.._.._evil.bvh", "two_a_b.bvh"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("in --measures all.txt", "--measures must end in .csv, got all.txt"),
        ("in --jobs 0", "expected a whole number from 1"),
        ("in --jobs 2 --scheduler tcp://127.0.0.1:1", "--jobs or --scheduler, not both"),
        ("in/a.npy in/a.npy", "would be written over an input or another output"),
        ("empty", "no joint positions (.npy, .npz) in empty"),
        ("none.npy", "none.npy: No such file"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    corpus, arguments, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("in").mkdir()
    Path("in/a.npy").write_bytes((corpus / "a.npy").read_bytes())
    given = ["--fps", 20, "-o", "out", *arguments.split()]
    assert message in complaints.complaint(capsys, "joints", *given)
    assert not Path("out").exists()


def test_an_input_of_many_motions_is_read_once_for_its_hash(tmp_path, monkeypatch):
    points = moving_joints.positions(moving_joints.person(8))
    np.save(tmp_path / "many.npy", np.stack([points] * 5))
    read, digest = [], journal.digest
    monkeypatch.setattr(journal, "digest", lambda path: read.append(path) or digest(path))
    assert run("joints", "--fps", 20, tmp_path / "many.npy", "-o", tmp_path / "out") == 0
    assert read.count(tmp_path / "many.npy") == 1


def test_a_worker_of_another_version_says_so(corpus, tmp_path):
    job = Job("a", corpus / "a.npy", tmp_path / "a.bvh")
    attempt = corpora._attempt(None, "9.9.9", job)
    assert attempt.error == f"{job.source}: the worker has twobone {twobone.__version__}, not 9.9.9"


def test_an_error_of_ours_fails_one_motion_alone(corpus, tmp_path, monkeypatch, capsys):
    save = motion.save

    def fail(clip, path):
        if path.name == "a.bvh":
            raise ZeroDivisionError("no")
        save(clip, path)

    monkeypatch.setattr(motion, "save", fail)
    out = tmp_path / "out"
    assert run(*JOINTS, corpus / "a.npy", corpus / "b.npy", "-o", out) == 1
    assert list(outputs(out)) == ["b.bvh"]
    said = capsys.readouterr().err
    assert f"twobone: a: {corpus / 'a.npy'}: ZeroDivisionError: no\n" in said


def test_what_could_not_be_read_for_its_hash_is_done_but_not_recorded(tmp_path):
    record = journal.Journal(tmp_path, "joints", {})
    jobs = [Job(name, tmp_path / f"{name}.npy", tmp_path / f"{name}.bvh") for name in "ab"]
    jobs[0].source.write_bytes(b"")  # the other one comes only while the command runs
    how = corpora.How(1, None, None, force=False, quiet=True)
    found = corpora.do_all(lambda job: corpora.Done([job.name], []), jobs, how, record)
    assert found == corpora.Outcome(["a", "b"], [], False)
    assert [*record.entries] == ["a"]


@pytest.mark.slow
def test_a_job_that_kills_its_process_fails_alone(tmp_path):
    jobs = [Job(name, tmp_path / name, tmp_path / "out") for name in ("good", "bad")]
    record = journal.Journal(tmp_path, "joints", {})
    how = corpora.How(2, None, None, force=False, quiet=True)
    work = functools.partial(done_elsewhere.killed_by_name, "bad", corpora.Done(["row"], []))
    found = corpora.do_all(work, jobs, how, record)
    told = f"{tmp_path / 'bad'}: {executors.KILLED}"
    assert found == corpora.Outcome(["row"], [told], False)


# --- retarget -----------------------------------------------------------------------------


@pytest.fixture
def clips(tmp_path):
    """Write two clips into a folder, and a model; return both paths."""
    folder, model = tmp_path / "in", tmp_path / "small.glb"
    folder.mkdir()
    for hip in (-20, -10):
        motion.save(people.standing(30, right_hip=hip), folder / f"stand{-hip}.bvh")
    person = people.standing(1).skeleton
    small = Skeleton(person.parents, 0.5 * person.offsets, names=person.names)
    motion.save(motion.Clip(small, people.standing(1).pose._replace(translations=None), 30), model)
    return folder, model


def test_a_folder_is_put_on_a_character(clips, tmp_path, capsys):
    folder, model = clips
    out, measures = tmp_path / "out", tmp_path / "all.csv"
    arguments = ["retarget", folder, "--to", model, "-o", out, "--measures", measures]
    assert cli.run(list(map(str, arguments))) == 0
    assert list(outputs(out)) == ["stand10.glb", "stand20.glb"]
    assert motion.load_all(out / "stand20.glb")[-1].name == "stand20"
    assert all(float(line["drift_95_after"]) < 1e-6 for line in table(measures))
    assert run("retarget", folder / "stand10.bvh", "--to", model, "-o", tmp_path / "one.glb") == 0
    assert (tmp_path / "one.glb").read_bytes() == (out / "stand10.glb").read_bytes()
    capsys.readouterr()
    assert cli.run(list(map(str, arguments))) == 0
    assert "2 of 2 files are up to date" in capsys.readouterr().err
    motion.save(motion.load(folder / "stand10.bvh"), model)  # another character
    assert cli.run(list(map(str, arguments))) == 0
    assert "up to date" not in capsys.readouterr().err


def test_contacts_and_a_bad_character_are_told_once(clips, tmp_path, capsys):
    folder, model = clips
    given = [folder, "--to", model, "-o", tmp_path / "out"]
    said = complaints.complaint(capsys, "retarget", *given, "--contacts", model)
    assert "--contacts belongs to one clip" in said
    model.write_bytes(b"")
    assert str(model) in complaints.complaint(capsys, "retarget", *given)


# --- several processes --------------------------------------------------------------------


@pytest.mark.slow
def test_processes_write_the_same_bytes(corpus, serial, tmp_path):
    out = tmp_path / "out"
    assert run(*JOINTS, corpus, "-o", out, "--jobs", 2, "--measures", out / "all.csv") == 1
    assert outputs(out) == serial
    assert (out / ".twobone-joints.jsonl").read_bytes() == (
        corpus.parent / "serial" / ".twobone-joints.jsonl"
    ).read_bytes()


@pytest.mark.slow
def test_a_process_that_is_killed_loses_nothing(corpus, serial, tmp_path):
    out, killed = tmp_path / "out", []

    def kill():
        while not list(out.rglob("*.bvh")):
            time.sleep(0.01)
        children = multiprocessing.active_children()
        killed.extend(children[:1])
        for child in children[:1]:
            child.kill()

    watcher = threading.Thread(target=kill)
    watcher.start()
    assert run(*JOINTS, corpus, "-o", out, "--jobs", 2, "--measures", out / "all.csv") == 1
    watcher.join()
    assert killed
    assert outputs(out) == serial
    if sys.platform != "win32":  # there, temporary files of killed processes are kept for an hour
        assert not list(tmp_path.rglob("*.part"))


def started(corpus, out, *more):
    """Start a run of many motions in a group of processes of its own; return it once it writes."""
    many = out.parent / "many"
    if not many.exists():
        many.mkdir()
        for n in range(40):
            (many / f"{n:02}.npy").write_bytes((corpus / "a.npy").read_bytes())
    command = [sys.executable, "-m", "twobone", *map(str, JOINTS), many, "-o", out, *more, "-q"]
    process = subprocess.Popen(
        list(map(str, command)), stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    while len(list(out.rglob("*.bvh"))) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    return process


def is_gone(group, seconds=20.0):
    """Return whether all processes of a group are gone, or go soon."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return True
        time.sleep(0.05)
    return False


@ONLY_POSIX
@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_goes_on(corpus, tmp_path, serial, jobs, capsys):
    out = tmp_path / "out"
    process = started(corpus, out, "--jobs", jobs)
    process.kill()
    process.communicate()
    assert is_gone(process.pid)  # and its processes with it
    left = len(outputs(out))
    assert 3 <= left < 40
    assert all(content == serial["a.bvh"] for content in outputs(out).values())
    arguments = [*JOINTS, tmp_path / "many", "-o", out, "--jobs", jobs]
    assert cli.run(list(map(str, arguments))) == 0
    said = capsys.readouterr().err
    done = int(said.split(" of 40 motions are up to date")[0].split()[-1])
    assert left - 3 <= done <= left + 3
    assert [*outputs(out).values()] == 40 * [serial["a.bvh"]]
    assert not list(out.rglob("*.part"))


@ONLY_POSIX
@pytest.mark.slow
@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_whole_files_alone(corpus, tmp_path, serial, signalled):
    out = tmp_path / "out"
    process = started(corpus, out, "--jobs", "2", "--measures", out / "all.csv")
    os.killpg(process.pid, signalled)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 128 + signalled
    assert said == ("twobone: interrupted\n" if signalled == signal.SIGINT else "")
    assert is_gone(process.pid)
    assert all(content == serial["a.bvh"] for content in outputs(out).values())
    assert not (out / "all.csv").exists()
    if signalled == signal.SIGINT:
        assert not list(out.rglob("*.part"))


@pytest.mark.slow
def test_a_script_without_a_guard_is_told(corpus, serial, tmp_path):
    given = [*JOINTS, corpus, "-o", tmp_path / "out", "--jobs", 2, "-q"]
    script = tmp_path / "script.py"
    script.write_text(f"from twobone import cli\ncli.run({[*map(str, given)]})\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert "twobone: --jobs: no process can be started; scripts must call" in done.stderr
    # On a loaded machine some files were written all the same; they must be whole.
    assert outputs(tmp_path / "out").items() <= serial.items()


# --- a cluster ----------------------------------------------------------------------------


@pytest.fixture
def cluster():
    """Start a Dask cluster of two processes; it starts those again that are killed."""
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    ) as found:
        yield found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of dask's own threads, when processes are killed
def test_a_cluster_writes_the_same_bytes_though_a_worker_is_killed(
    corpus, serial, tmp_path, cluster, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere, but paths of the user lead there
    copied = tmp_path / "many"
    copied.mkdir()
    for n in range(30):
        (copied / f"{n:02}.npy").write_bytes((corpus / "a.npy").read_bytes())
    out = Path("out")

    def kill():
        while len(list(out.rglob("*.bvh"))) < 2:
            time.sleep(0.01)
        cluster.workers[0].process.process._process.kill()

    watcher = threading.Thread(target=kill)
    watcher.start()
    assert run(*JOINTS, "many", "-o", out, "--scheduler", cluster.scheduler_address) == 0
    watcher.join()
    assert [*outputs(out).values()] == 30 * [serial["a.bvh"]]
    given = (os.path.relpath(corpus), "-o", "all", "--measures", "all/all.csv")
    assert run(*JOINTS, *given, "--scheduler", cluster.scheduler_address) == 1
    assert run(*JOINTS, os.path.relpath(corpus), "-o", "here", "--measures", "here/all.csv") == 1
    assert outputs("all") == outputs("here")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_ends_is_told_and_what_is_done_stays(
    corpus, serial, tmp_path, cluster, capsys
):
    for n in range(60):
        (tmp_path / f"{n:02}.npy").write_bytes((corpus / "a.npy").read_bytes())
    out, address = tmp_path / "out", cluster.scheduler_address

    def close():
        while len(list(out.rglob("*.bvh"))) < 2:
            time.sleep(0.01)
        cluster.close()

    watcher = threading.Thread(target=close)
    watcher.start()
    assert run(*JOINTS, tmp_path, "-o", out, "--scheduler", address) == 2
    watcher.join()
    told = f"twobone: the cluster at {address} is gone; repeat the command to go on\n"
    assert capsys.readouterr().err.endswith(told)
    assert set(outputs(out).values()) == {serial["a.bvh"]}


def test_a_scheduler_that_is_not_there_is_told(corpus, tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    import dask

    given = [corpus, "-o", tmp_path / "out", "--fps", 20]
    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}):
        said = complaints.complaint(capsys, "joints", *given, "--scheduler", "tcp://127.0.0.1:1")
    assert "--scheduler: cannot reach tcp://127.0.0.1:1: " in said
    assert complaints.complaint(capsys, "joints", *given, "--scheduler", "no").count("no") > 1
