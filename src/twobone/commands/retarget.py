"""`twobone retarget`: put the motion of a clip on another skeleton."""

from pathlib import Path

import rich_click as click

from twobone.commands.clips import check_apart, clip_name, load_clip, motion
from twobone.commands.endings import say
from twobone.commands.streams import CommandError
from twobone.commands.words import FILE, quiet, words

HANDS = ("body", "world")
GLTF = (".glb", ".gltf", ".vrm")


@click.command
@click.argument(
    "source", metavar="IN", type=FILE, help="Motion clip: .bvh, .glb, .gltf, .vrm or .vrma."
)
@click.option(
    "--to",
    "character",
    required=True,
    metavar="FILE",
    type=FILE,
    help="The character: any such file; only its skeleton and its model count.",
)
@click.option(
    "--hands",
    metavar="WORD",
    shell_complete=words(*HANDS),
    default="body",
    help="Where hands go: body (arms point to where they do in the clip) or world (hands are where"
    " they are in the clip, scaled).",
)
@click.option(
    "--contacts",
    metavar="FILE",
    type=FILE,
    help="Contacts of the clip as twobone contacts writes them. Default: found.",
)
@click.option(
    "--hold/--no-hold", default=True, help="Whether feet are held in place while on the ground."
)
@click.option("--output", "-o", required=True, metavar="OUT", type=FILE, help="File to write.")
@clip_name
@quiet
def retarget(source, character, hands, contacts, hold, output, clip, quiet):
    """Put the motion of a clip on another skeleton, and save it.

    Bones point to where those of the clip do, feet are where the scaled ones are, and are held in
    place while they are on the ground. If OUT and the character are glTF files, the motion becomes
    a further animation of the character, named as the clip; otherwise OUT has a skeleton alone.

    Exit status: 0 on success, 2 on an error.
    """
    if hands not in HANDS:
        raise CommandError(f"--hands must be {' or '.join(HANDS)}, got {hands!r}")
    check_apart([source, *([] if contacts is None else [contacts])], [output])
    loaded = load_clip(source, clip)
    labels = None if contacts is None else motion().read_labels(contacts, loaded)
    target = motion().load_all(character)[0]
    made = motion().retarget(loaded, target, hands=hands, contacts=labels, hold=hold)
    made.name = loaded.name or Path(source).stem
    motion().save(made, output)
    if not quiet and has_model(character) and not has_model(output):
        say(f"{output} has a skeleton alone; a .glb file would keep the model of {character}")


def has_model(path):
    """Return whether a file can hold a model."""
    return Path(path).suffix.lower() in GLTF
