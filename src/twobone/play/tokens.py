"""The secret in the address of the page: kept for the user, so that an open page can come back."""

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


def kept_token() -> str:
    """Return the token of this user: the one kept in their files, or a new one.

    A file that others can read or write, or that holds something else, is not trusted: it is
    replaced. Where nothing can be kept the token is a fresh one, for this run.
    """
    try:
        path = token_path()
        return _read(path) or _make(path)
    except (OSError, RuntimeError):  # no home, or none to write in
        return fresh_token()


def fresh_token() -> str:
    """Return a new secret of 192 random bits, as 32 letters that may stand in an address."""
    return secrets.token_urlsafe(24)


def token_path() -> Path:
    """Return where the token is kept: XDG_STATE_HOME, ~/.local/state unless that is set."""
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return folder / "twobone" / "play-token"


def _read(path):
    """Return the token in a file of ours that only we can read; None where there is none."""
    # Not through a link, which another could have put there; not waiting for a pipe.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        if not _is_private(os.fstat(descriptor)):
            return None
        text = file.read(100).decode("ascii", errors="replace").removesuffix("\n")
    return text if TOKEN.fullmatch(text) else None


def _is_private(status):
    if not stat.S_ISREG(status.st_mode):
        return False
    if os.name != "posix":
        return True  # a user's own folder is private there, and modes say nothing
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077


def _make(path):
    """Keep a new token; the file is there whole or not at all, and never readable by others."""
    token = fresh_token()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(f"{token}\n")
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return token
