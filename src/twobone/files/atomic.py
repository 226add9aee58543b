"""Atomic writing: a file is written under a temporary name, locked, and then moved into place.

A process that is killed leaves its temporary file behind. The next process that writes to the same
folder removes it. It knows that the writer is gone because a lock always ends with its process.
"""

import errno
import io
import os
import re
import secrets
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from twobone.errors import ArrayTypeError
from twobone.files.columns import quote

try:
    import fcntl as locks
# unreached: windows
except ImportError:  # Windows
    locks = None

NAME = re.compile(r"\.twobone-\d+-[0-9a-f]{8}\.part")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # what the system says of a full disk
OLD = 3600.0  # seconds since the last change until a file is abandoned, if there are no locks
LOCKS: Any = locks
WRITING: set[Path] = set()  # temporary files of this process


@contextmanager
def replacing(path):
    """Open a binary file that replaces the one at `path` once it has been written completely.

    Until then it is in the same folder under a temporary name. If anything goes wrong it is
    removed, and the file at `path` stays as it was. If `path` is not a regular file (/dev/null, a
    pipe), it is written directly.
    """
    place = Path(path).resolve()
    old = place.stat().st_mode if place.exists() else None
    check_replaceable(path)
    if old is not None and not stat.S_ISREG(old):
        with open(place, "wb") as file:
            yield file
        return
    remove_abandoned(place.parent)
    with beside(place, str(path)) as (part, file):
        yield file
        file.close()
        if old is not None:
            part.chmod(stat.S_IMODE(old))
        part.replace(place)


def check_replaceable(path):
    """Raise an OSError if there is something at a path that `replacing` cannot replace.

    Commands call it before work whose result they write to that path.
    """
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))  # unreached: root


@contextmanager
def opened(file):
    """Open a path like `replacing`; an open binary file is used as it is."""
    check_file(file)
    if hasattr(file, "write"):
        yield file
        return
    with replacing(file) as new:
        yield new


def check_file(file):
    """Raise if something to write to is neither a path nor an open binary file."""
    wanted = "a path or an open binary file"
    if isinstance(file, io.TextIOBase):
        raise ArrayTypeError("file", wanted, "a text file")
    if not hasattr(file, "write"):
        check_path("file", file, wanted)


def check_path(name, path, wanted="a path"):
    """Raise if an argument is not a path: a string or an object such as `pathlib.Path`."""
    if not isinstance(path, str | os.PathLike):
        raise ArrayTypeError(name, wanted, quote(path))


@contextmanager
def beside(place, asked):
    """Open a new temporary file in the folder of a path; remove it at the end unless it was moved.

    Parameters
    ----------
    place : Path
        Where the file will be moved to.
    asked : str
        The name of the file in errors.

    Yields
    ------
    (Path, binary file)
    """
    file, part = _create(place, asked)
    lock = None if LOCKS is None else os.dup(file.fileno())  # keeps the lock after `file` is closed
    try:
        with file:
            yield part, file
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = asked
        raise
    finally:
        _remove(part)
        if lock is not None:
            os.close(lock)


def remove_all():
    """Remove all temporary files of this process."""
    for part in list(WRITING):
        _remove(part)  # unreached: signal


def remove_abandoned(folder):
    """Remove the temporary files in a folder that this user's killed processes left behind."""
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
        file.close()  # another process removed it as abandoned before it was locked


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
        pass  # the file system has no locks, so no process can lock it and then remove it
    return True


def _is_at(path, descriptor):
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except OSError:
        return False


def _remove_abandoned(path):
    if LOCKS is None:
        # Windows does not remove open files; a file closed recently may be about to be moved.
        if time.time() - os.lstat(path).st_mtime > OLD:
            os.unlink(path)
        return
    # By now the path may lead to a link or a pipe, so do not follow it and do not wait.
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            LOCKS.flock(descriptor, LOCKS.LOCK_EX | LOCKS.LOCK_NB)  # raises if its writer is alive
            os.unlink(path)  # names are unique: if the file was moved by now, this removes nothing
    finally:
        os.close(descriptor)
