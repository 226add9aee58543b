"""What the commands for motion clips share: options, and loading a clip with legs."""

from pathlib import Path
from typing import Any

import rich_click as click

from twobone.commands.streams import CommandError
from twobone.commands.words import FILE
from twobone.errors import ClipError
from twobone.files.numbers import is_whole

clip_inputs = click.argument(
    "inputs",
    nargs=-1,
    required=True,
    metavar="IN...",
    type=FILE,
    help="Motion clips: .bvh, .glb, .gltf, .vrm, .vrma or SMPL's .npz; or folders of them.",
)

clip_output = click.option(
    "--output",
    "-o",
    required=True,
    metavar="OUT",
    type=FILE,
    help="File to write; for several files or a folder, the folder to write to.",
)

clip_name = click.option(
    "--clip", metavar="NAME", help="Name or number (from 0) of the clip, if a file holds several."
)

is_loop = click.option(
    "--loop/--no-loop",
    default=None,
    help="Whether the clip is a loop. Default: found; a loop with a visible jump at its end is"
    " not.",
)


def motion() -> Any:
    """Import `twobone.motion` late: other commands do not need it."""
    import twobone.motion

    return twobone.motion


def load_clip(path, name, more=""):
    """Return the clip of a file; `name` is the value of `--clip`, and `more` what else it can be.

    A number is the index of a clip, unless a clip has this name.
    """
    for given in [name, int(name)] if name is not None and is_whole(name) else [name]:
        try:
            return motion().load(path, given)
        except ClipError as error:
            if error.field != "clip":
                raise
            failed = error
    came = failed.came if name is not None else "none"
    raise CommandError(f"{path}: --clip: expected {failed.wanted}{more}, got {came}")


def clip_names(path):
    """Return the names of the clips of a file, None for those without one."""
    from twobone.motion import loading  # imported late, as `motion`

    return loading.clip_names(path)


def find_legs(path, clip):
    """Return the limbs of a clip; raise an error if it has no legs."""
    limbs = motion().find_limbs(clip)
    if not limbs.legs:
        raise ClipError(path, "a skeleton with legs", "one in which none are found")
    return limbs


def check_apart(inputs, outputs):
    """Raise if a file would be written twice, or over an input. None is not a file."""
    seen = {Path(path).resolve() for path in inputs}
    for path in outputs:
        place = None if path is None else Path(path).resolve()
        if place in seen:
            raise CommandError(f"{path} would be written over an input or another output")
        if place is not None:
            seen.add(place)


def motion_suffixes():
    """Return the suffixes of the files that can be loaded."""
    from twobone.motion.loading import FORMATS

    return tuple(FORMATS)


def is_clip(path):
    """Return whether a file of a folder is a motion clip."""
    from twobone.motion import loading

    return loading.is_clip(path)
