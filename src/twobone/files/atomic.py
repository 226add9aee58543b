"""Write a file whole or not at all: beside its place under another name, locked, then moved.

A process that is killed leaves its file behind. The next one that writes to that folder removes
it: a lock ends with its process, whatever happens, and no other process can seem to hold it.
"""

import os
import re
import secrets
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

try:
    import fcntl as locks
except ImportError:  # Windows
    locks = None

NAME = re.compile(r"\.twobone-\d+-[0-9a-f]{8}\.part")
OLD = 3600.0  # seconds since the last change; asked only where there are no locks
LOCKS: Any = locks
WRITING: set[Path] = set()  # those of this process


@contextmanager
def replacing(path):
    """Open a binary file that takes the place of `path` when all is written, and only then.

    Until then it stands beside it, under another name; whatever goes wrong, it is removed and
    what was at `path` stays. A path that is no regular file (/dev/null, a pipe) is written to
    as it is.
    """
    place = Path(path).resolve()
    old = place.stat().st_mode if place.exists() else None
    if old is not None and not stat.S_ISREG(old):
        with open(place, "wb") as file:
            yield file
        return
    if old is not None and not os.access(place, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    remove_abandoned(place.parent)
    with beside(place, str(path)) as (part, file):
        yield file
        file.close()
        if old is not None:
            part.chmod(stat.S_IMODE(old))
        part.replace(place)


@contextmanager
def opened(file):
    """Open a path as `replacing` does; an open binary file is taken as it is."""
    if hasattr(file, "write"):
        yield file
        return
    with replacing(file) as new:
        yield new


@contextmanager
def beside(place, asked):
    """Open a new binary file beside a path; at the end it is removed unless it has been moved.

    Parameters
    ----------
    place : Path
        Where the file will be moved.
    asked : str
        What errors call it.

    Yields
    ------
    (Path, binary file)
    """
    file, part = _create(place, asked)
    lock = None if LOCKS is None else os.dup(file.fileno())  # the lock survives closing the file
    try:
        with file:
            yield part, file
    finally:
        _remove(part)
        if lock is not None:
            os.close(lock)


def remove_all():
    """Remove whatever this process is writing."""
    for part in list(WRITING):
        _remove(part)


def remove_abandoned(folder):
    """Remove the files in a folder whose writers are gone: only ours, of this user."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if NAME.fullmatch(entry.name):
                with suppress(OSError):
                    if entry.is_file(follow_symlinks=False):
                        _remove_abandoned(entry.path)


def _create(place, asked):
    while True:
        part = place.with_name(f".twobone-{os.getpid()}-{secrets.token_hex(4)}.part")
        WRITING.add(part)
        try:
            file = open(part, "xb")  # noqa: SIM115  (the caller closes it)
        except OSError as error:
            WRITING.discard(part)
            raise OSError(error.errno, error.strerror, asked) from None
        if LOCKS is None or (_lock(file.fileno()) and _is_at(part, file.fileno())):
            return file, part
        file.close()  # another process took it for abandoned before it was locked


def _remove(part):
    with suppress(OSError):
        part.unlink()
    WRITING.discard(part)


def _lock(descriptor):
    """Lock a file; return False if another process holds it."""
    try:
        LOCKS.flock(descriptor, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks: nobody can lock it, so nobody removes it
    return True


def _is_at(path, descriptor):
    """Return whether an open file is the one at a path."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except OSError:
        return False


def _remove_abandoned(path):
    if LOCKS is None:
        # An open file cannot be removed on Windows; one just closed may be about to be moved.
        if time.time() - os.lstat(path).st_mtime > OLD:
            os.unlink(path)
        return
    # By now it may be a link or a pipe.
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            LOCKS.flock(descriptor, LOCKS.LOCK_EX | LOCKS.LOCK_NB)  # or raise: its writer lives
            os.unlink(path)  # names are used once: if it was moved by now, nothing is there
    finally:
        os.close(descriptor)
