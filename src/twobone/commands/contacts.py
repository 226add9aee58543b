"""`twobone contacts`: find when the feet of a motion clip are on the ground."""

import rich_click as click

from twobone.commands.clips import check_apart, clip_name, find_legs, is_loop, load_clip, motion
from twobone.commands.endings import say
from twobone.commands.streams import Output, open_output
from twobone.commands.words import FILE


@click.command
@click.argument(
    "source", metavar="IN", type=FILE, help="Motion clip: .bvh, .glb, .gltf, .vrm, .vrma or .npz."
)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=FILE,
    help="JSON file to write. Default: standard output.",
)
@clip_name
@is_loop
def contacts(source, output, clip, loop):
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
        found, in_air = _contacts_and_air(loaded, find_legs(source, loaded), loop)
        for leg in in_air:
            say(f"no contacts of the {leg.name}, which never comes near the ground")
        motion().write_labels(file, loaded, found)


def _contacts_and_air(clip, limbs, loop):
    from twobone.motion.contacts import contacts_and_air  # imported late, as `motion`

    return contacts_and_air(clip, limbs, loop=loop)
