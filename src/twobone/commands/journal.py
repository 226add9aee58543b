"""The journal in a folder of outputs: which of them are finished, with what content and options.

It is a file of JSON lines, one for each job. A line is added when a job is done, so that a run that
was killed goes on where it stopped. What counts are hashes of the inputs, options and outputs; not
the times of files, which copies and checkouts change.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import twobone
from twobone.commands.jobs import make_folders
from twobone.files import atomic


class Entry(NamedTuple):
    """A job that is done."""

    name: str
    key: str  # the hash of inputs and options
    outputs: Sequence[str | None]  # their hashes
    lines: Sequence[dict[str, Any]]  # of the table of measures
    is_doubtful: bool


class Journal:
    """The journal of a command in a folder.

    Parameters
    ----------
    folder : path
        It is made if need be.
    command : str
    settings : dict
        Options as JSON, and hashes of inputs that all jobs have.
    """

    def __init__(self, folder, command, settings):
        self.path = Path(folder) / f".twobone-{command}.jsonl"
        self.settings = [twobone.__version__, command, settings]
        self.entries = {}
        self.sources = {}  # hashes of inputs: one may hold a thousand motions

    def open(self):
        """Read the journal, and remove what a killed run left in it."""
        make_folders([self.path])
        self.tidy()

    def tidy(self):
        """Write one line for each job, in the order of their names, so that order does not tell.

        Another run may have added lines meanwhile.
        """
        data = self.path.read_bytes() if self.path.is_file() else b""
        found = [entry for line in data.splitlines() if (entry := _parsed(line)) is not None]
        self.entries = {entry.name: entry for entry in found}
        kept = b"".join(_line(self.entries[name]) for name in sorted(self.entries))
        if kept != data:
            with atomic.replacing(self.path) as file:
                file.write(kept)

    def key(self, job):
        """Return the hash of what a job depends on, or None if its input cannot be read."""
        if job.source not in self.sources:
            self.sources[job.source] = _digests_of(job.source)
        if self.sources[job.source] is None:
            return None
        text = json.dumps([*self.settings, self.sources[job.source], job.number], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def finished(self, job, key):
        """Return the entry of a job whose outputs are what it would write, or None."""
        entry = self.entries.get(job.name)
        if entry is None or key is None or entry.key != key:
            return None
        now = zip(digests(job), entry.outputs, strict=True)
        return entry if all(found in (None, written) for found, written in now) else None

    def add(self, entry):
        """Add the entry of a job that is done."""
        self.entries[entry.name] = entry
        with open(self.path, "ab") as file:
            file.write(_line(entry))


def _digests_of(source):
    """Return the hashes of a file and of those that belong to it; None if one cannot be read."""
    from twobone.motion.loading import files_of  # imported late: `motion` takes a while

    try:
        return [digest(path) for path in files_of(source)]
    except (OSError, twobone.TwoBoneError):
        return None


def digests(job):
    """Return the hashes of the outputs of a job; None for those that are not asked for."""
    found = []
    for path in job.outputs:
        try:
            found.append(None if path is None else digest(path))
        except OSError:
            found.append("missing")
    return found


def digest(path):
    """Return the hash of the content of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(entry):
    return json.dumps(entry._asdict()).encode() + b"\n"


def _parsed(line):
    """Return the entry of a line; None if a killed process wrote only a part of it."""
    try:
        return Entry(**json.loads(line))
    except (ValueError, TypeError):
        return None
