"""Files left half written: those of writers that are gone are removed, no others."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from twobone.files import atomic
from twobone.files.atomic import replacing

needs_locks = pytest.mark.skipif(atomic.LOCKS is None, reason="no locks on this system")
NAME = ".twobone-7-0123abcd.part"


def write(folder, text=b"new"):
    """Write a file as every command does; return what stands in the folder then."""
    with replacing(folder / "o.csv") as file:
        file.write(text)
    assert (folder / "o.csv").read_bytes() == text
    return sorted(path.name for path in folder.iterdir() if path.name != "o.csv")


@needs_locks
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    code = "from twobone.files.atomic import replacing\n"
    code += "with replacing('o.csv') as file: print(flush=True); input()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        [part] = os.listdir(tmp_path)
        assert atomic.NAME.fullmatch(part)
        assert write(tmp_path) == [part]  # its writer lives
        process.send_signal(signal.SIGKILL)
    assert write(tmp_path) == []


@needs_locks
def test_files_that_are_written_at_once_leave_each_other_alone(tmp_path):
    with replacing(tmp_path / "a") as first:
        first.write(b"a")
        with replacing(tmp_path / "b") as second:
            second.write(b"b")
            first.flush()
            assert write(tmp_path)[0].startswith(".twobone-")
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"a", b"b"]
    assert len(list(tmp_path.iterdir())) == 3


@needs_locks
def test_only_files_of_ours_are_removed(tmp_path):
    (tmp_path / "real").write_text("kept")
    (tmp_path / ".twobone-1-0123abcd.part").symlink_to("real")
    (tmp_path / ".twobone-2-0123abcd.part").symlink_to("absent")
    (tmp_path / ".twobone-3-0123abcd.part").mkdir()
    os.mkfifo(tmp_path / ".twobone-4-0123abcd.part")
    for name in (".twobone-5-0123abcd.part.csv", ".twobone-x-0123abcd.part", "x" + NAME):
        (tmp_path / name).touch()
    before = sorted(path.name for path in tmp_path.iterdir())
    (tmp_path / NAME).touch()
    assert write(tmp_path) == before


@needs_locks
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_file_of_another_user_is_left_alone(tmp_path):
    (tmp_path / NAME).touch()
    os.chown(tmp_path / NAME, 12345, 12345)
    assert write(tmp_path) == [NAME]


@needs_locks
@pytest.mark.parametrize("removes", [False, True])
def test_a_new_file_that_is_taken_for_abandoned_is_made_again(tmp_path, monkeypatch, removes):
    flock, taken = atomic.LOCKS.flock, []

    def another_comes_first(descriptor, how):
        if not taken:
            [part] = tmp_path.iterdir()
            taken.append(open(part, "rb"))  # noqa: SIM115
            flock(taken[0].fileno(), how)
            if removes:
                part.unlink()
                taken[0].close()
        flock(descriptor, how)

    monkeypatch.setattr(atomic.LOCKS, "flock", another_comes_first)
    assert write(tmp_path) == ([] if removes else [os.path.basename(taken[0].name)])
    taken[0].close()


@needs_locks
def test_a_file_is_locked_until_it_has_been_moved(tmp_path, monkeypatch):
    replace = Path.replace

    def another_comes_first(part, place):
        atomic.remove_abandoned(tmp_path)
        return replace(part, place)

    monkeypatch.setattr(Path, "replace", another_comes_first)
    assert write(tmp_path) == []


@needs_locks
def test_a_file_that_was_moved_before_it_could_be_removed_stays(tmp_path, monkeypatch):
    (tmp_path / NAME).write_text("done")
    flock = atomic.LOCKS.flock

    def moved_first(descriptor, how):
        if (tmp_path / NAME).exists():
            (tmp_path / NAME).rename(tmp_path / "done")
        flock(descriptor, how)

    monkeypatch.setattr(atomic.LOCKS, "flock", moved_first)
    assert write(tmp_path) == ["done"]


@needs_locks
def test_where_a_file_system_has_no_locks_nothing_is_removed(tmp_path, monkeypatch):
    def refuse(descriptor, how):
        raise OSError(errno.ENOLCK, "No locks available")

    (tmp_path / NAME).touch()
    monkeypatch.setattr(atomic.LOCKS, "flock", refuse)
    assert write(tmp_path) == [NAME]


def test_without_locks_only_old_files_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "LOCKS", None)
    (tmp_path / NAME).touch()
    assert write(tmp_path) == [NAME]
    os.utime(tmp_path / NAME, (1e9, 1e9))
    assert write(tmp_path) == []


def _fill(path):
    with replacing(path) as file:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text("old")
    with pytest.raises(OSError, match=r"No space.*walk\.bvh"):
        _fill(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_other_errors_of_a_writer_are_told_as_they_are(tmp_path):
    def fail():
        with replacing(tmp_path / "walk.bvh"):
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="output error") as caught:
        fail()
    assert caught.value.filename is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_listed_is_written_to(tmp_path, monkeypatch):
    def refuse(folder):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(atomic.os, "scandir", refuse)
    with replacing(tmp_path / "o.csv") as file:
        file.write(b"new")
    assert os.listdir(tmp_path) == ["o.csv"]
