"""`twobone joints`: find the rotations of joint positions, as networks give them."""

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np
import rich_click as click

from twobone.commands import corpus
from twobone.commands.clips import motion
from twobone.commands.endings import say
from twobone.commands.jobs import (
    Job,
    Kind,
    check_folders,
    check_jobs,
    is_folder,
    is_several,
    make_folders,
    sources_of,
)
from twobone.commands.journal import Journal
from twobone.commands.numbers import real
from twobone.commands.pin import notes, row_of, show
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet, words
from twobone.errors import TwoBoneError

ENDS = ("shared", "exact")
SKELETONS = ("smpl22", "smpl24", "kit21", "coco17", "h36m17")
UP = ("y", "z")
MOTIONS = "motions"


@click.command
@click.argument(
    "inputs",
    nargs=-1,
    required=True,
    metavar="IN...",
    type=FILE,
    help="Joint positions: .npy or .npz files, or folders of them.",
)
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="OUT",
    type=FILE,
    help="File to write: .bvh, .glb, or .npz of SMPL. For several motions, a folder.",
)
@click.option(
    "--fps",
    metavar="RATE",
    required=True,
    type=real(1e-3, 1e5),
    help="Frames per second: 20 for HumanML3D and networks trained on it, 12.5 for KIT-ML.",
)
@click.option(
    "--skeleton",
    metavar="NAME",
    shell_complete=words(*SKELETONS),
    help=f"The order of the joints: {', '.join(SKELETONS)}. Needed if several fit.",
)
@click.option(
    "--up",
    metavar="AXIS",
    shell_complete=words(*UP),
    help="The axis that points up, y or z. Default: found from the figure.",
)
@click.option("--metres", metavar="LENGTH", type=real(1e-9, 1e9), help="Metres per unit.")
@click.option(
    "--ends",
    metavar="WORD",
    shell_complete=words(*ENDS),
    default="shared",
    help="Where bones of constant length do not fit the positions: shared (move ends, elbows and"
    " knees a little) or exact (bring wrists and ankles to their positions).",
)
@click.option(
    "--smooth",
    metavar="SECONDS",
    default=0.0,
    type=real(0.0, 10.0),
    help="Smooth positions over so many seconds before, by parabolas.",
)
@click.option("--pin", is_flag=True, help="Hold feet in place while they are on the ground.")
@click.option("--glb", is_flag=True, help="Write .glb files to the folder, instead of .bvh.")
@corpus.options
@quiet
def joints(
    inputs,
    output,
    fps,
    skeleton,
    up,
    metres,
    ends,
    smooth,
    pin,
    glb,
    jobs,
    scheduler,
    measures,
    force,
    quiet,
):
    """Find the rotations of joint positions, and save them as motion clips.

    Positions are arrays of shape (T, J, 3), features of HumanML3D or KIT-ML (263 or 251 numbers a
    frame), or the results.npy of motion-diffusion-model. Bones get constant lengths; gaps are
    filled. If there are several motions, each becomes a file in the folder OUT. If such a run is
    interrupted, repeat it: what is up to date is skipped.

    Exit status: 0 on success, 1 if some of several motions failed, 2 on an error.
    """
    for option, word, known in (("ends", ends, ENDS), ("up", up, (*UP, None))):
        if word not in known:
            listed = ", ".join(filter(None, known))
            raise CommandError(f"--{option} must be {listed}, got {word!r}")
    how = corpus.How(jobs, scheduler, measures, force, quiet)
    corpus.check(how)
    todo, several = _jobs(inputs, output, glb)
    options = dict(up=up, metres=metres, ends=ends, smooth=smooth)
    work = functools.partial(convert, fps=fps, skeleton=skeleton, options=options, pin=pin)
    if several:
        record = Journal(output, "joints", dict(fps=fps, skeleton=skeleton, pin=pin, **options))
        outcome = corpus.do_all(work, todo, how, record, what=MOTIONS)
    else:
        make_folders(todo[0].outputs)
        outcome = corpus.do_one(work, todo[0], how)
    if not quiet:
        if pin:
            show(outcome.rows)
        else:
            for note in notes(outcome.rows):
                say(note)
    return corpus.tell(outcome, len(todo), MOTIONS)


class Converted(NamedTuple):
    """What was said of a motion that is not pinned."""

    name: str
    notes: tuple[str, ...]


def convert(job, fps, skeleton, options, pin):
    """Convert and save one motion."""
    from twobone.motion.joints.converting import converted  # imported late, as `motion`
    from twobone.motion.joints.reading import read_joints_of

    make_folders(job.outputs)
    given = read_joints_of(job.source, job.number)
    clip, said = converted(given.points, fps, skeleton=skeleton or given.skeleton, **options)
    clip.name = Path(job.name).name
    row, report = Converted(job.name, tuple(said)), None
    moved = _moved(clip, given.points)
    if pin:
        limbs = motion().find_limbs(clip)
        pinned = motion().pin(clip, given.contacts, limbs)
        row, clip, report = row_of(job.name, clip, limbs, pinned), pinned.clip, pinned.report
        row = row._replace(notes=(*said, *row.notes))
    motion().save(clip, job.target)
    return corpus.Done([row], [corpus.line(job.name, clip, row.notes, report, **moved)])


def _moved(clip, points):
    """Return how far joints of a clip are from the points that it was made of, in metres."""
    apart = np.linalg.norm(clip.joints()[:, : points.shape[1]] - points, axis=-1)
    known = clip.metres * apart[np.isfinite(apart)]
    return dict(
        joints_moved_95=float(np.percentile(known, 95)), joints_moved_most=float(known.max())
    )


def _jobs(inputs, output, glb):
    """Return a job for each motion, and whether there are several or a folder of them."""
    from twobone.motion.joints.reading import SUFFIXES
    from twobone.motion.loading import check_suffix  # imported late, as `motion`

    several = is_several(inputs)
    kind = Kind("joint positions", lambda path: path.suffix.lower() in SUFFIXES, lambda: SUFFIXES)
    jobs = [
        job
        for source, name in sources_of(inputs, output, kind)
        for job in _motions(source, name, Path(output), ".glb" if glb else ".bvh", several)
    ]
    if several or len(jobs) > 1:
        check_folders(output=output)
    elif not is_folder(output):
        if glb and Path(output).suffix.lower() != ".glb":
            raise CommandError(f"--glb is for folders, or a file that ends in .glb, got {output}")
        check_suffix(output)
        jobs = [jobs[0]._replace(target=Path(output))]
    check_jobs(jobs)
    return jobs, several or len(jobs) > 1


def _motions(source, name, output, suffix, several):
    """Return the jobs of a file, one for each motion in it."""
    from twobone.motion.joints.reading import parts

    try:
        found = [each for each, _ in parts(source)]
    except (TwoBoneError, OSError):
        if not several:
            raise
        found = [name.stem]  # the job fails in the same way, and the others are done
    size = source.stat().st_size / len(found)
    places = [name.parent / each for each in found]
    return [
        Job(str(place), source, output / f"{place}{suffix}", size=size, number=number)
        for number, place in enumerate(places)
    ]
