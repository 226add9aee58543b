"""`twobone joints`: find the rotations of joint positions, as networks give them."""

import os
import warnings
from pathlib import Path
from typing import NamedTuple

import rich_click as click

from twobone.commands.clips import check_apart, motion
from twobone.commands.endings import say
from twobone.commands.numbers import real
from twobone.commands.pin import message, notes, row_of, table
from twobone.commands.pin_jobs import Job, make_folders
from twobone.commands.progress import progress_bar
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet, words
from twobone.errors import TwoBoneError

ENDS = ("shared", "exact")
SKELETONS = ("smpl22", "smpl24", "kit21", "coco17", "h36m17")
UP = ("y", "z")


@click.command
@click.argument("source", metavar="IN", type=FILE, help="Joint positions: .npy or .npz.")
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
@quiet
def joints(source, output, fps, skeleton, up, metres, ends, smooth, pin, glb, quiet):
    """Find the rotations of joint positions, and save them as motion clips.

    Positions are arrays of shape (T, J, 3), features of HumanML3D or KIT-ML (263 or 251 numbers a
    frame), or the results.npy of motion-diffusion-model. Bones get constant lengths; gaps are
    filled. If there are several motions, each becomes a file in the folder OUT.

    Exit status: 0 on success, 1 if some of several motions failed, 2 on an error.
    """
    from twobone.motion.joints.reading import read_joints  # imported late, as `motion`

    for option, word, known in (("ends", ends, ENDS), ("up", up, (*UP, None))):
        if word not in known:
            listed = ", ".join(filter(None, known))
            raise CommandError(f"--{option} must be {listed}, got {word!r}")
    found = read_joints(source)
    is_folder = len(found) > 1 or os.path.isdir(output) or output.endswith(("/", os.sep))
    targets = _targets(source, output, found, is_folder, glb)
    options = dict(up=up, metres=metres, ends=ends, smooth=smooth)
    rows, failures = [], []
    with progress_bar(quiet) as advance:
        for n, (each, target) in enumerate(zip(found, targets, strict=True)):
            job = Job(each.name, Path(source), target, None, None, 0)
            try:
                given = skeleton or each.skeleton
                rows.append(convert(each, target, fps, dict(skeleton=given, **options), pin))
            except (TwoBoneError, OSError, MemoryError) as error:
                if len(found) == 1:
                    raise
                failures.append(f"{each.name}: {message(job, error)}")
            advance((n + 1) / len(found))
    if not quiet:
        if pin and rows:
            print(*table(rows), sep="\n", flush=True)
        for note in notes(rows):
            say(note)
    for failure in failures:
        say(failure)
    if failures:
        say(f"{len(failures)} of {len(found)} motions failed")
    return 1 if failures else 0


class Converted(NamedTuple):
    """What was said of a motion that is not pinned."""

    name: str
    notes: tuple[str, ...]


def convert(given, target, fps, options, pin):
    """Convert and save one motion; return its line of the table, or its notes if not pinned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", motion().JointsWarning)
        clip = motion().from_joints(given.points, fps, **options)
    said = tuple(str(each.message) for each in caught)
    found = Converted(given.name, said)
    if pin:
        limbs = motion().find_limbs(clip)
        pinned = motion().pin(clip, given.contacts, limbs)
        row, clip = row_of(given.name, clip, limbs, pinned), pinned.clip
        found = row._replace(notes=(*said, *row.notes))
    motion().save(clip, target)
    return found


def _targets(source, output, found, is_folder, glb):
    """Return the files to write; raise if one cannot be written, or would be another's."""
    from twobone.motion.loading import check_suffix  # imported late, as `motion`

    if is_folder:
        if os.path.exists(output) and not os.path.isdir(output):
            raise CommandError(f"--output must be a folder for several motions, got {output}")
        targets = [Path(output) / f"{each.name}{'.glb' if glb else '.bvh'}" for each in found]
    else:
        targets = [Path(output)]
        if glb and targets[0].suffix.lower() != ".glb":
            raise CommandError(f"--glb is for folders, or a file that ends in .glb, got {output}")
        check_suffix(targets[0])
    check_apart([source], targets)
    make_folders(targets)
    return targets
