"""`twobone pin`: hold the feet of motion clips in place while they are on the ground."""

import contextlib
import functools
import json
from typing import NamedTuple

import rich_click as click

from twobone.commands import corpus, pin_pages
from twobone.commands.clips import (
    clip_inputs,
    clip_output,
    find_legs,
    is_loop,
    load_clip,
    motion,
)
from twobone.commands.endings import printable, say
from twobone.commands.jobs import jobs_of, make_folders
from twobone.commands.journal import Journal
from twobone.commands.numbers import real
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, words
from twobone.errors import ClipError
from twobone.files import atomic
from twobone.files.numbers import is_whole

BODY = ("least", "keep", "follow")
REACH = ("exact", "soft", "stretch")
HEADING = (
    *("file", "contacts", "drift before", "drift after", "body moved", "air moved", "missed"),
    "new steps",
)
FOOT = (
    "Lengths in mm. Drift, body and air (feet in it) moved: 95 % of the frames.",
    "Missed: farthest from an anchor. New steps: new jerks of legs (worst frame).",
)
GUESSED = "the unit is guessed; see twobone limbs"
NOTHING = "no contacts, so nothing is changed"


class Row(NamedTuple):
    """A line of the table: what was done to one clip; lengths in metres."""

    name: str
    contacts: int
    drift_before: float
    drift_after: float
    body_moved: float
    air_moved: float
    missed: float
    new_steps: int
    frame: int | None  # of the largest new step
    notes: tuple[str, ...]  # what the user should know about this clip
    is_doubtful: bool = False  # whether some of the notes name an option that is probably needed


@click.command
@clip_inputs
@clip_output
@click.option(
    "--contacts",
    metavar="FILE",
    type=FILE,
    help="Contacts as twobone contacts writes them, for one input file. Default: found.",
)
@click.option(
    "--ground",
    metavar="HEIGHT",
    type=real(-1e9, 1e9),
    help="Height of level ground, in units of the file. Default: found from the feet.",
)
@click.option(
    "--conform",
    metavar="HEIGHT",
    type=real(-1e9, 1e9),
    help="Put feet that float or sink on level ground of this height, in units of the file;"
    " --ground is then that of the clip as it is.",
)
@click.option(
    "--body",
    metavar="WORD",
    shell_complete=words(*BODY),
    default="least",
    help="What the body may do: least (lower the hips where feet are out of reach), keep"
    " (not move at all; feet can miss), or follow (move along with the planted feet).",
)
@click.option(
    "--reach",
    metavar="WORD",
    shell_complete=words(*REACH),
    default="exact",
    help="What legs do where a foot is almost out of reach: exact (reach it), soft (let it"
    " lag behind, so that the leg straightens smoothly), or stretch (lengthen the bones).",
)
@click.option(
    "--keep-sliding",
    multiple=True,
    metavar="JOINT:FIRST:LAST",
    help="Frames in which a heel or toe slides on purpose: the first and the last of them,"
    " counted from 0. Repeatable.",
)
@is_loop
@click.option(
    "--in-place/--no-in-place",
    default=None,
    help="Whether the character walks in place, as on a treadmill. Default: found.",
)
@click.option(
    "--clip",
    metavar="NAME",
    help="Name or number (from 0) of the clip, if a file holds several; all pins all clips"
    " of each file, and writes them to one file.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=FILE,
    help="Write all measures as JSON, in metres; for several files, to a folder of this name.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=FILE,
    help="Write a page with plots, footprints and a filmstrip; for several files, a folder"
    " of pages and their index.html.",
)
@corpus.options
@click.option(
    "--strict",
    is_flag=True,
    help="End with exit status 1 if a clip probably needs --loop or --in-place. All files"
    " are written nevertheless, also those that are up to date.",
)
@click.option(
    "--quiet", "-q", is_flag=True, help="Show no progress, table or notes; errors are still shown."
)
def pin(
    inputs,
    output,
    contacts,
    ground,
    conform,
    body,
    reach,
    keep_sliding,
    loop,
    in_place,
    clip,
    report,
    html,
    jobs,
    scheduler,
    measures,
    force,
    strict,
    quiet,
):
    """Hold feet in place while they are on the ground, and save the clips.

    Legs, contacts and the ground are found unless given. Everything else in a file stays as it is.
    A table shows how far feet moved while on the ground, before and after.

    Several files, or folders, are written to the folder OUT, as the same tree. Files are written
    completely or not at all. If a run is interrupted, repeat it: files are skipped whose input and
    output have not changed since they were written with the same options.

    Exit status: 0 on success, 1 if some of several files failed or, with --strict, if a clip
    probably needs other options, 2 on an error.
    """
    slides = [parse_sliding(text) for text in keep_sliding or []]
    for option, word, known in (("body", body, BODY), ("reach", reach, REACH)):
        if word not in known:
            raise CommandError(f"--{option} must be {', '.join(known)}, got {word!r}")
    how = corpus.How(jobs, scheduler, measures, force, quiet)
    corpus.check(how)
    todo, several = jobs_of(inputs, output, report, html)
    if contacts is not None and (several or clip == "all"):
        raise CommandError("--contacts belongs to one clip: give one file, and not --clip all")
    options = dict(ground=ground, body=body, reach=reach, keep_sliding=slides, loop=loop)
    options |= dict(in_place=in_place, conform=conform)
    work = functools.partial(pin_file, clip=clip, contacts=contacts, options=options)
    if several:
        record = Journal(output, "pin", {**options, "clip": clip})
        outcome = corpus.do_all(work, todo, how, record, again=strict)
        if html is not None:
            pin_pages.write_list(html, todo)
    else:
        outcome = corpus.do_one(work, todo[0], how)
    if not quiet:
        show(outcome.rows)
    status = corpus.tell(outcome, len(todo))
    return 1 if strict and outcome.is_doubtful else status


def show(rows):
    """Print the table of clips, and what is to be known about them."""
    if rows:
        print(*table(rows), sep="\n", flush=True)
    for note in notes(rows):
        say(note)


def parse_sliding(text):
    """Return joint, first and last frame of a value of `--keep-sliding`."""
    joint, *frames = text.rsplit(":", 2)
    if not joint or len(frames) != 2 or not all(map(is_whole, frames)):
        raise CommandError(f"--keep-sliding must be JOINT:FIRST:LAST, got {text!r}")
    return joint, int(frames[0]), int(frames[1])


def pin_file(job, clip, contacts, options):
    """Pin one or all clips of a file, and write it and its report."""
    make_folders([job.target, job.report, job.html])
    source, several = str(job.source), clip == "all"
    clips = motion().load_all(source) if several else [load_clip(source, clip, " or all")]
    made, rows, lines, reports, pages = [], [], [], [], []
    for loaded in clips:
        limbs = motion().find_limbs(loaded) if several else find_legs(source, loaded)
        if not limbs.legs:
            continue  # it stays as it is
        name = f"{job.name}: {loaded.name}" if len(clips) > 1 else job.name
        pinned, row = pin_clip(name, loaded, limbs, contacts, options)
        made.append(pinned.clip)
        rows.append(row)
        lines.append(corpus.line(name, loaded, row.notes, pinned.report))
        reports.append({"clip": loaded.name, **pinned.report.as_dict()})
        if job.html is not None:
            pages.append((name, pin_pages.page(name, loaded, pinned, limbs, contacts, options)))
    if not made:
        find_legs(source, clips[0])  # raises an error
    text = json.dumps(reports if several else reports[0], indent=1, allow_nan=False)
    # The report is moved into place after the clip was written, so that a failure leaves neither.
    with contextlib.ExitStack() as stack:
        if job.report is not None:
            file = stack.enter_context(atomic.replacing(job.report))
            file.write(f"{text}\n".encode())
        motion().save_all(made, job.target)
        if job.html is not None:
            pin_pages.write_pages(job.html, pages)
    return corpus.Done(rows, lines, any(row.is_doubtful for row in rows))


def pin_clip(name, clip, limbs, contacts, options):
    """Pin a clip; return the result, and its line of the table."""
    check_sliding(clip, limbs, options["keep_sliding"])
    labels = None if contacts is None else motion().read_labels(contacts, clip)
    pinned = motion().pin(clip, labels, limbs, **options)
    return pinned, row_of(name, clip, limbs, pinned, options["ground"])


def row_of(name, clip, limbs, pinned, ground=None):
    """Return the line of the table about a clip that was pinned."""
    found, largest = pinned.report, pinned.report.largest_new_step
    return Row(
        name,
        len(pinned.anchors),
        found.drift_95.before,
        found.drift_95.after,
        found.body_moved_95,
        found.feet_in_air_moved_95,
        found.missed_most,
        len(found.new_steps),
        largest.frame if found.new_steps and largest is not None else None,
        tuple(notes_of(clip, limbs, pinned, ground)),
        bool(found.doubts),
    )


def check_sliding(clip, limbs, slides):
    """Raise if a joint of `--keep-sliding` is not the end or the toe of a limb."""
    from twobone.motion.footplants import joint_of

    feet = {joint for limb in (*limbs.legs, *limbs.arms) for joint in (limb.end, limb.toe)}
    for name, _, _ in slides:
        try:
            is_foot = joint_of(clip, name, "--keep-sliding") in feet
        except ClipError:
            is_foot = False
        if not is_foot:
            known = ", ".join(str(clip.skeleton.label(each)) for each in sorted(feet - {None}))
            raise CommandError(f"--keep-sliding: expected one of {known}, got {name!r}")


def notes_of(clip, limbs, pinned, ground):
    """Yield what the user should know about a clip that was pinned."""
    from twobone.motion.ground import gap_below_feet

    if "metres" in clip.guessed:
        yield GUESSED
    yield from pinned.report.warnings
    if not pinned.anchors:
        yield NOTHING
    gap = 0.0 if ground is None else clip.metres * gap_below_feet(clip, ground, limbs)
    if gap:
        place = "below" if gap > 0.0 else "above"
        yield f"--ground {ground:g} is {abs(gap):.2g} m {place} the lowest joint of the feet"


def notes(rows):
    """Return the notes of all clips; one that several clips have is given once."""
    names = {}
    for row in rows:
        for note in row.notes:
            names.setdefault(note, []).append(row.name)
    return [
        f"{first}{f' and {len(others)} more' if others else ''}: {note}"
        for note, (first, *others) in names.items()
    ]


def table(rows):
    """Return the lines of the table."""
    cells = [
        [
            *(printable(row.name), str(row.contacts)),
            *(f"{1000.0 * length:.1f}" for length in row[2:7]),
            f"{row.new_steps}" + ("" if row.frame is None else f" ({row.frame})"),
        ]
        for row in rows
    ]
    lines = [list(HEADING), *cells]
    first = max(len(line[0]) for line in lines)
    text = [
        f"{line[0]:{first}}"
        + "".join(
            f"  {cell:>{len(head)}}" for cell, head in zip(line[1:], HEADING[1:], strict=True)
        )
        for line in lines
    ]
    return [*text, *FOOT]
