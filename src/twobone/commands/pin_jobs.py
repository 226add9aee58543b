"""Which file `twobone pin` writes for each input, and which of them are already finished."""

import json
import os
from pathlib import Path
from typing import NamedTuple

import twobone
from twobone.commands.clips import check_apart, is_clip, motion_suffixes
from twobone.commands.streams import CommandError
from twobone.files import atomic

RECORD = ".twobone-pin.json"  # in the output folder: the options of the last run


class Job(NamedTuple):
    """One clip to pin."""

    name: str  # for tables and messages
    source: Path
    target: Path
    report: Path | None
    html: Path | None
    size: int  # bytes of the source


def jobs_of(inputs, output, report, html=None):
    """Return the jobs, and whether there are several files: then outputs are folders.

    Parameters
    ----------
    inputs : list of str
        Files and folders; of a folder, all clips in its tree.
    output : str
        The file to write or, if there are several inputs, a folder or the last is a folder, the
        folder that gets the same tree. A name that ends in a slash is a folder, too.
    report, html : str or None
        As `output`, for reports.

    Returns
    -------
    list of Job, bool

    Raises
    ------
    CommandError
        If a file would be written twice or over an input, or there is nothing to do.
    OSError
        If an input does not exist.
    """
    several = len(inputs) > 1 or os.path.isdir(inputs[0])
    if several:
        for option, path in (("--output", output), ("--report", report), ("--html", html)):
            if path is not None and os.path.exists(path) and not os.path.isdir(path):
                raise CommandError(f"{option} must be a folder for several files, got {path}")
    sources = [
        found for given in inputs for found in _sources(Path(given), {Path(output).resolve()})
    ]
    if not sources:
        raise CommandError(f"no motion clips ({', '.join(motion_suffixes())}) in {inputs[0]}")
    jobs = [_job(source, name, output, report, html, several) for source, name in sources]
    written = [path for job in jobs for path in (job.target, job.report, job.html)]
    check_apart([job.source for job in jobs], written)
    return jobs, several


def is_finished(job, since=0):
    """Return whether the outputs of a job are newer than its input, and not older than `since`.

    Outputs appear only once they are complete, so one that exists is whole.
    """
    outputs = [path for path in (job.target, job.report, job.html) if path is not None]
    try:
        changed = job.source.stat().st_mtime_ns
        written = [path.stat().st_mtime_ns for path in outputs]
    except FileNotFoundError:
        return False
    return min(written) > changed and min(written) >= since


def record_options(folder, options):
    """Return since when, in nanoseconds, files of a folder are written with these options.

    The options are in a file of the folder. If they are other ones than before, it is written
    anew, and then it is newer than all files that were written with the old ones.
    """
    path = Path(folder) / RECORD
    text = json.dumps({"twobone": twobone.__version__, "options": options}, sort_keys=True) + "\n"
    make_folders([path])
    if not path.is_file() or path.read_bytes() != text.encode():
        with atomic.replacing(path) as file:
            file.write(text.encode())
    return path.stat().st_mtime_ns


def make_folders(paths):
    """Make the folders of files to write; raise if one of folders and files cannot be written."""
    for folder in dict.fromkeys(Path(path).parent for path in paths if path is not None):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise CommandError(f"cannot write to the folder {folder}: permission denied")
    for path in paths:
        if path is not None:
            atomic.check_replaceable(path)


def _sources(given, left_out):
    """Yield the clips of an input, and their paths below the output; a tree in sorted order."""
    if not given.is_dir():
        given.stat()  # raises if it does not exist
        yield given, Path(given.name)
        return
    for folder, inner, files in os.walk(given, onerror=_fail):
        here = Path(folder)
        inner[:] = sorted(
            each
            for each in inner
            if not each.startswith(".") and (here / each).resolve() not in left_out
        )
        for each in sorted(files):
            if not each.startswith(".") and is_clip(here / each):
                yield here / each, (here / each).relative_to(given)


def _fail(error):
    raise error


def _job(source, name, output, report, html, several):
    size = source.stat().st_size
    if several:
        target = Path(output) / name
        reports = [
            None if folder is None else Path(folder) / name.with_name(f"{name.name}{suffix}")
            for folder, suffix in ((report, ".json"), (html, ".html"))
        ]
    else:
        is_folder = os.path.isdir(output) or output.endswith(("/", os.sep))
        target = Path(output) / name if is_folder else Path(output)
        reports = [None if path is None else Path(path) for path in (report, html)]
    return Job(str(name), source, target, reports[0], reports[1], size)
