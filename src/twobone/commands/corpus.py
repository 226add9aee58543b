"""What commands for many motions share: what is up to date, who does the rest, what is written."""

import contextlib
import csv
import functools
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rich_click as click

import twobone
from twobone.commands import executors, journal
from twobone.commands.endings import say
from twobone.commands.jobs import make_folders
from twobone.commands.numbers import whole
from twobone.commands.progress import progress_bar
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE
from twobone.errors import TwoBoneError
from twobone.files import atomic

FIRST = ("motion", "error", "notes")  # columns of the table of measures


class How(NamedTuple):
    """How a command does many jobs."""

    processes: int
    scheduler: str | None
    measures: str | None
    force: bool
    quiet: bool


class Done(NamedTuple):
    """What came of a job that succeeded."""

    rows: Sequence[Any]  # for the table that is printed
    lines: Sequence[dict[str, Any]]  # of the table of measures, by column: one for each motion
    is_doubtful: bool = False


class Outcome(NamedTuple):
    """What came of many jobs."""

    rows: Sequence[Any]
    failures: Sequence[str]  # messages
    is_doubtful: bool = False


class _Attempt(NamedTuple):
    """What a process sends back: the job and the hashes of its outputs, or an error."""

    done: Done | None = None
    outputs: Sequence[str | None] = ()
    error: str | None = None


def options(command):
    """Add the options of commands for many motions, which `how` collects."""
    added = (
        click.option(
            "--jobs",
            metavar="N",
            type=whole(1, 4096),
            default=1,
            help="How many processes of this machine work on several motions.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, such as tcp://host:8786, whose workers do it"
            " instead; they must see the same files.",
        ),
        click.option(
            "--measures",
            metavar="FILE",
            type=FILE,
            help="Write a .csv table with a line for each motion: all measures, or its error.",
        ),
        click.option(
            "--force",
            is_flag=True,
            help="Also do again what is up to date in a folder of outputs.",
        ),
    )
    return functools.reduce(lambda made, option: option(made), reversed(added), command)


def check(how):
    """Raise if options do not go together, or the table cannot be written."""
    if how.scheduler is not None and how.processes > 1:
        raise CommandError("give --jobs or --scheduler, not both")
    if how.measures is not None:
        if Path(how.measures).suffix.lower() != ".csv":
            raise CommandError(f"--measures must end in .csv, got {how.measures}")
        make_folders([how.measures])


def do_one(work, job, how):
    """Do a single job; errors are raised, and nothing is recorded."""
    done = work(job)
    if how.measures is not None:
        write_measures(how.measures, done.lines)
    return Outcome(done.rows, (), done.is_doubtful)


def do_all(work, jobs, how, record, what="files", again=False):
    """Do all jobs that are not up to date.

    Parameters
    ----------
    work : function
        Takes a `Job`, writes its outputs and returns a `Done`; it is called in other processes.
    jobs : list of Job
    how : How
    record : Journal
        Of the folder of outputs.
    what : str
        What jobs are, in messages.
    again : bool
        Whether jobs that are up to date but doubtful are done again.

    Returns
    -------
    Outcome
        In the order of the jobs. Failures do not stop the others.
    """
    record.open()
    keys = [record.key(job) for job in jobs]
    entries: list[Any] = [None] * len(jobs)
    if not how.force:
        entries = [record.finished(job, key) for job, key in zip(jobs, keys, strict=True)]
    if again:
        entries = [None if entry is None or entry.is_doubtful else entry for entry in entries]
    todo = [number for number, entry in enumerate(entries) if entry is None]
    if len(todo) < len(jobs) and not how.quiet:
        say(f"{len(jobs) - len(todo)} of {len(jobs)} {what} are up to date (--force repeats)")
    rows, errors = {}, {}
    with progress_bar(how.quiet) as advance:
        steps = _progress([jobs[number].size for number in todo], advance)
        for place, attempt in _attempts(work, [jobs[number] for number in todo], how):
            number = todo[place]
            if attempt.done is not None:
                done = attempt.done
                entry = journal.Entry(
                    jobs[number].name, keys[number], attempt.outputs, done.lines, done.is_doubtful
                )
                if keys[number] is not None:
                    record.add(entry)
                entries[number], rows[number] = entry, done.rows
            else:
                errors[number] = attempt.error
            steps(place)
    record.tidy()
    if how.measures is not None:
        lines = [
            line
            for number, job in enumerate(jobs)
            for line in _lines_of(job, entries[number], errors.get(number))
        ]
        write_measures(how.measures, lines)
    return Outcome(
        [row for number in sorted(rows) for row in rows[number]],
        [errors[number] for number in sorted(errors)],
        any(entry is not None and entry.is_doubtful for entry in entries),
    )


def tell(outcome, count, what="files"):
    """Say which jobs failed; return the exit status."""
    for failure in outcome.failures:
        say(failure)
    if outcome.failures:
        say(f"{len(outcome.failures)} of {count} {what} failed")
    return 1 if outcome.failures else 0


# --- one job ------------------------------------------------------------------------------


def _attempts(work, jobs, how):
    """Yield the place of each job in the list, and what came of it."""
    given = jobs if how.scheduler is None else [_elsewhere(job) for job in jobs]
    call = functools.partial(_attempt, work, twobone.__version__)
    found = executors.results(call, given, how.processes, how.scheduler)
    with contextlib.closing(found):
        for place, result in found:
            if isinstance(result, executors.Lost):
                result = _Attempt(error=_message(jobs[place], result.reason))
            elif result.error is not None and how.scheduler is not None:
                shown = result.error.replace(str(given[place].source), str(jobs[place].source))
                result = result._replace(error=shown)
            yield place, result


def _attempt(work, version, job):
    """Do a job, in any process; an error becomes a message, so that the others go on."""
    if version != twobone.__version__:
        wrong = f"the worker has twobone {twobone.__version__}, not {version}"
        return _Attempt(error=_message(job, wrong))
    try:
        done = work(job)
        return _Attempt(done, journal.digests(job))
    except (TwoBoneError, OSError, MemoryError) as error:
        return _Attempt(error=message(job, error))
    except Exception as error:  # an error of ours: it must not end a run of hours
        return _Attempt(error=_message(job, f"{type(error).__name__}: {error}"))


def _elsewhere(job):
    """Return a job for a process that works in another folder."""
    source, *outputs = (
        None if path is None else Path(os.path.abspath(path)) for path in (job.source, *job.outputs)
    )
    target, report, html = outputs
    return job._replace(source=source, target=target, report=report, html=html)


def message(job, error):
    """Return an error as a text that names the file."""
    if isinstance(error, OSError):
        named = error.filename or job.source
        return _message(job, f"{named}: {error.strerror or error}", str(named))
    return _message(job, str(error) or "not enough memory")


def _message(job, text, named=None):
    text = text if (named or str(job.source)) in text else f"{job.source}: {text}"
    return text if job.number is None else f"{job.name}: {text}"


def _progress(sizes, advance):
    """Return a function that advances the progress by the size of a job."""
    done, total = 0.0, sum(sizes)

    def step(place):
        nonlocal done
        done += sizes[place]
        advance(done / total if total else 1.0)

    return step


# --- the table of measures ----------------------------------------------------------------


def _lines_of(job, entry, error):
    return [{"motion": job.name, "error": error}] if entry is None else entry.lines


def write_measures(path, lines):
    """Write a .csv table of lines by column, completely or not at all; None is an empty cell."""
    columns = list(dict.fromkeys([*FIRST, *(name for line in lines for name in line)]))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    with atomic.replacing(path) as file:
        file.write(text.getvalue().encode())


def line(name, clip, notes, report=None, **measures):
    """Return the line of a motion in the table of measures."""
    start = {"motion": name, "error": None, "notes": "; ".join(notes)}
    start |= {"frames": len(clip), "fps": clip.fps, **measures}
    return start | ({} if report is None else _of_report(report))


def _of_report(report):
    """Return the measures of a report by column: numbers, text, or None where undefined."""
    found: dict[str, Any] = {}
    for name, value in report.as_dict().items():
        if name in ("units", "warnings", "frames", "fps"):
            continue
        if name in ("footplants", "new_steps"):
            found[name] = len(value)
        elif name == "largest_new_step":
            found[name] = None if value is None else value["size"] - value["usual"]
        elif name == "legs_in_air":
            found[name] = "; ".join(leg["name"] for leg in value)
        elif isinstance(value, dict):
            found |= {f"{name}_{part}": each for part, each in value.items()}
        elif isinstance(value, list):
            found |= {f"{name}_{axis}": each for axis, each in zip("xyz", value, strict=True)}
        else:
            found[name] = value
    return found
