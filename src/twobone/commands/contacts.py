"""`twobone contacts`: find when the feet of a motion clip are on the ground."""

from typing import Annotated

import typer

from twobone.commands.clips import ClipName, IsLoop, check_apart, find_legs, load_clip, motion
from twobone.commands.streams import Output, open_output


def contacts(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="Motion clip: .bvh, .glb, .gltf, .vrm or .vrma."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="JSON file to write. Default: standard output.",
        ),
    ] = None,
    clip: ClipName = None,
    loop: IsLoop = None,
):
    """Find when heels and toes are on the ground, also where they slide over it.

    The result is a JSON object such as {"frames": 60, "contacts": {"LeftFoot": [[0, 12]]}}: for
    each joint the first frame of each contact and the frame after its last one; frames count
    from 0. Edit it if it is wrong, and give it to twobone pin --contacts.

    Exit status: 0 on success, 2 on an error.
    """
    check_apart([source], [output])
    # Opened before the work, so that a file that cannot be written is reported at once.
    with open_output(Output(output, "json", None)) as file:
        loaded = load_clip(source, clip)
        found = motion().find_contacts(loaded, find_legs(source, loaded), loop=loop)
        motion().write_labels(file, loaded, found)
