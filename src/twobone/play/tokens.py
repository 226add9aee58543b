"""The secret token in the address of the page, kept in a file so that open pages can reconnect."""

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


def kept_token() -> str:
    """Return the token of this user, from a file in their home; create it if it is missing.

    A file that others can read or write, or that contains anything else, is not trusted and is
    replaced. If no file can be written, the token is a new one at every call.
    """
    try:
        path = token_path()
        return _read(path) or _make(path)
    except (OSError, RuntimeError):  # no home directory, or it cannot be written to
        return fresh_token()


def fresh_token() -> str:
    """Return a new secret of 192 random bits, as 32 URL-safe characters."""
    return secrets.token_urlsafe(24)


def token_path() -> Path:
    """Return the path of the token's file, in XDG_STATE_HOME or else in ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return folder / "twobone" / "play-token"


def _read(path):
    """Return the token in a file, or None unless the user owns the file and alone can access it."""
    # Do not follow a symbolic link, which another user could have made; do not wait for a pipe.
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
        # unreached: windows
        return True  # on Windows the user's folder is private, and file modes do not tell
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077


def _make(path):
    """Create a token and write its file atomically, never readable by others."""
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
