"""`twobone move`: bring a hand or foot of a motion clip to a target for some frames."""

import numpy as np
import rich_click as click

from twobone.commands.clips import check_apart, clip_name, load_clip, motion
from twobone.commands.endings import say
from twobone.commands.numbers import real, several
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet
from twobone.files import tables
from twobone.files.numbers import is_number, is_whole

NEAR = 1e-6  # metres; ends that miss by less are at their target
POINT = "must be three numbers such as 0.3,1.2,-0.4"


@click.command
@click.argument(
    "source", metavar="IN", type=FILE, help="Motion clip: .bvh, .glb, .gltf, .vrm or .vrma."
)
@click.argument("end", metavar="END", help="The joint to move, a wrist or an ankle: LeftHand.")
@click.option(
    "--to",
    "target",
    metavar="X,Y,Z|JOINT",
    help="The target: a point in units and axes of the file, or a joint, which it follows.",
)
@click.option(
    "--offset",
    metavar="X,Y,Z",
    help="With a joint: how far from it the target is, in the space of the joint.",
)
@click.option(
    "--along",
    metavar="FILE",
    type=FILE,
    help="Instead of --to: a table of targets (.csv, .jsonl or .npy), one for each frame.",
)
@click.option(
    "--frames",
    metavar="FIRST:STOP",
    help="The first frame at the target, and the frame after the last one, counted from 0."
    " Default: all.",
)
@click.option(
    "--blend",
    metavar="SECONDS",
    type=real(0.0, 1e6),
    default=0.2,
    help="How long the joint takes to go to the target before these frames, and back after them.",
)
@click.option("--output", "-o", required=True, metavar="OUT", type=FILE, help="File to write.")
@clip_name
@quiet
def move(source, end, target, offset, along, frames, blend, output, clip, quiet):
    """Bring a hand or foot to a target for some frames of a motion clip, and save it.

    The limb bends by two-bone inverse kinematics; all other joints keep their rotations. It goes to
    the target and back smoothly. Where the target is out of reach, the limb points to it.

    Exit status: 0 on success, 2 on an error.
    """
    if (target is None) == (along is None):
        raise CommandError("give the target by --to or by --along")
    check_apart([source, along] if along is not None else [source], [output])
    loaded = load_clip(source, clip)
    span = span_of(frames, len(loaded))
    goal = read_path(along) if along is not None else target_of(target, offset)
    made = motion().move_end(loaded, end, goal, frames=span, blend=blend)
    motion().save(made, output)
    if not quiet:
        tell_miss(made, end, goal, span)


def span_of(frames, count):
    """Return the first frame of `--frames`, and the one after the last."""
    if frames is None:
        return 0, count
    parts = frames.split(":")
    if len(parts) != 2 or not all(map(is_whole, parts)):
        raise CommandError(f"--frames must be FIRST:STOP such as 120:180, got {frames!r}")
    return int(parts[0]), int(parts[1])


def target_of(text, offset):
    """Return the target of `--to`: a point, or a point of a joint."""
    if any(map(is_number, text.replace(",", " ").split())):
        if offset is not None:
            raise CommandError("--offset belongs to a joint, not to a point")
        return point(text, f"--to {POINT}")
    return motion().JointPoint(text, point(offset or "0,0,0", f"--offset {POINT}"))


def point(text, wanted):
    """Return three numbers."""
    numbers = several(text, wanted)
    if len(numbers) != 3:
        raise CommandError(f"{wanted}, got {text!r}")
    return numbers


def read_path(path):
    """Return the points of a table, (N, 3)."""
    with open(path, "rb") as file:
        pieces = [
            rows.values["target"] for rows in tables.read(file, path, tables.format_of(path, "csv"))
        ]
    return np.concatenate(pieces)


def tell_miss(clip, end, goal, span):
    """Say by how much the joint misses its target, if it does."""
    from twobone.motion.moving import miss  # imported late, as `motion`

    missed = clip.metres * miss(clip, end, goal, frames=span)
    if missed > NEAR:
        say(f"{end} misses the target by up to {1000.0 * missed:.1f} mm: it is out of reach")
