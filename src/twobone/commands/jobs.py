"""Which files a command for motions writes for each of its inputs."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from twobone.commands.clips import check_apart, is_clip, motion_suffixes
from twobone.commands.streams import CommandError
from twobone.files import atomic


class Job(NamedTuple):
    """One input, and the files to write for it."""

    name: str  # for tables and messages
    source: Path
    target: Path
    report: Path | None = None
    html: Path | None = None
    size: float = 0.0  # bytes of the source
    number: int | None = None  # of the motion, if the source may hold several; from 0

    @property
    def outputs(self):
        """The files to write, None for those that are not asked for."""
        return self.target, self.report, self.html


class Kind(NamedTuple):
    """Which files of a folder are inputs."""

    name: str  # in errors
    is_input: Callable[[Path], bool]
    suffixes: Callable[[], tuple[str, ...]]


CLIPS = Kind("motion clips", is_clip, motion_suffixes)


def is_several(inputs):
    """Return whether there are several files, or a folder: then outputs are folders."""
    return len(inputs) > 1 or os.path.isdir(inputs[0])


def sources_of(inputs, output, kind=CLIPS):
    """Return the files of inputs, and their paths below the output, as a list of pairs.

    Parameters
    ----------
    inputs : list of str
        Files and folders; of a folder, all files of this kind in its tree.
    output : str
        If it is a folder inside of an input, it is left out.
    kind : Kind
        Which files of folders are inputs.

    Raises
    ------
    CommandError
        If there are none.
    OSError
        If an input does not exist.
    """
    left_out = {Path(output).resolve()}
    found = [each for given in inputs for each in _sources(Path(given), left_out, kind.is_input)]
    if not found:
        raise CommandError(f"no {kind.name} ({', '.join(kind.suffixes())}) in {inputs[0]}")
    return found


def check_folders(**paths):
    """Raise if an option that names a folder for several files names a file; None is no option."""
    names = (*motion_suffixes(), ".json", ".html")
    for option, path in paths.items():
        if path is None or is_folder(path):
            continue
        if os.path.exists(path) or Path(path).suffix.lower() in names:
            raise CommandError(f"--{option} must be a folder for several files, got {path}")


def jobs_of(inputs, output, report=None, html=None, suffix=None):
    """Return the jobs for motion clips, and whether there are several files.

    Parameters
    ----------
    inputs : list of str
        Files and folders; of a folder, all clips in its tree.
    output : str
        The file to write or, if there are several inputs, a folder or the last is a folder, the
        folder that gets the same tree. A name that ends in a slash is a folder, too.
    report, html : str or None
        As `output`, for reports.
    suffix : str or None
        That of files in a folder of outputs. By default that of the input.

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
    several = is_several(inputs)
    if several:
        check_folders(output=output, report=report, html=html)
    jobs = [
        _job(source, name if suffix is None else name.with_suffix(suffix), name, output, rest)
        for rest in [(report, html, several)]
        for source, name in sources_of(inputs, output)
    ]
    check_jobs(jobs)
    return jobs, several


def check_jobs(jobs):
    """Raise if a file would be written twice or over an input."""
    check_apart(
        list(dict.fromkeys(job.source for job in jobs)),
        [path for job in jobs for path in job.outputs],
    )


def is_folder(path):
    """Return whether an output is a folder: by what is there, or by its name."""
    return os.path.isdir(path) or str(path).endswith(("/", os.sep))


def make_folders(paths):
    """Make the folders of files to write; raise if one of folders and files cannot be written."""
    for folder in dict.fromkeys(Path(path).parent for path in paths if path is not None):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise CommandError(f"cannot write to the folder {folder}: permission denied")
    for path in paths:
        if path is not None:
            atomic.check_replaceable(path)


def _sources(given, left_out, is_input):
    """Yield the files of an input, and their paths below the output; a tree in sorted order."""
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
            if not each.startswith(".") and is_input(here / each):
                yield here / each, (here / each).relative_to(given)


def _fail(error):
    raise error  # unreached: root


def _job(source, made, name, output, rest):
    report, html, several = rest
    size = source.stat().st_size
    if several:
        target = Path(output) / made
        reports = [
            None if folder is None else Path(folder) / name.with_name(f"{name.name}{suffix}")
            for folder, suffix in ((report, ".json"), (html, ".html"))
        ]
    else:
        target = Path(output) / made if is_folder(output) else Path(output)
        reports = [None if path is None else Path(path) for path in (report, html)]
    return Job(str(name), source, target, reports[0], reports[1], size)
