"""`twobone limbs`: what is found in a motion clip: legs, arms, units, up axis, T-pose."""

import rich_click as click

from twobone.commands.clips import clip_name, clip_names, load_clip, motion
from twobone.commands.endings import printable
from twobone.commands.words import FILE


@click.command
@click.argument(
    "source", metavar="IN", type=FILE, help="Motion clip: .bvh, .glb, .gltf, .vrm, .vrma or .npz."
)
@clip_name
def limbs(source, clip):
    """Print the legs and arms that are found in a motion clip, its units, up axis and frame rate.

    The joints of a limb are hip, knee, ankle and toe, or shoulder, elbow and wrist. The confidence
    is from 0 to 1; it is at most 0.65 if the names of joints say nothing. A foot that is not a
    descendant of the shin, as in rigs with baked controls, is marked as detached. A leg that never
    comes near the ground of the clip is marked, too; it has no contacts, so twobone pin does not
    hold it.

    If a file holds several clips and --clip is not given, their numbers and names are printed.

    Exit status: 0 on success, 2 on an error.
    """
    names = clip_names(source)
    if clip is None and len(names) > 1:
        print(f"{len(names)} clips; choose one by --clip:")
        for number, name in enumerate(names):
            print(f"{number:4}  {printable(name or '-')}")
        return
    loaded = load_clip(source, clip)
    for line in describe(loaded, motion().find_limbs(loaded)):
        print(printable(line).rstrip())


def describe(clip, limbs):
    """Return what is found in a clip, as lines of text."""
    seconds = len(clip) / clip.fps
    guessed = {name: " (guessed)" * (name in clip.guessed) for name in ("up", "metres")}
    return [
        f"frames      {len(clip)} at {clip.fps:g} a second, {seconds:.2f} s",
        f"joints      {len(clip.skeleton.parents)}",
        f"up          {clip.up}{guessed['up']}",
        f"unit        {clip.metres:.4g} m{guessed['metres']}",
        f"T-pose      {t_poses(clip, limbs)}",
        *table(clip, limbs),
    ]


def t_poses(clip, limbs):
    """Return which of rest pose and first frame are T-poses, in words."""
    from twobone import LocalPose
    from twobone.motion.t_pose import is_t_pose

    first = clip.skeleton.to_global(LocalPose(*(part[:1] for part in clip.pose)))
    poses = {"rest pose": clip.skeleton.rest.positions, "first frame": first.positions[0]}
    found = [name for name, at in poses.items() if is_t_pose(at, limbs, clip.up)]
    return " and ".join(found) or "neither rest pose nor first frame"


def table(clip, limbs):
    """Return a line for each limb: its name, joints and confidence."""
    in_air = legs_in_air(clip, limbs)
    rows = [row_of(clip, limb, limb.name in in_air) for limb in (*limbs.legs, *limbs.arms)]
    if not rows:
        return ["limbs       none found"]
    rows.insert(0, ["", "start", "mid", "end", "toe", "confidence"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return ["", *lines]


def legs_in_air(clip, limbs):
    """Return the names of the legs that never come near the ground in a clip."""
    from twobone.motion.contacts import contacts_and_air  # imported late, as `motion`

    return {leg.name for leg in contacts_and_air(clip, limbs)[1]}


def row_of(clip, limb, is_in_air):
    """Return the cells of a limb."""
    joints = (limb.start, limb.mid, limb.end, limb.toe)
    labels = ["-" if joint is None else str(clip.skeleton.label(joint)) for joint in joints]
    labels = [printable(label) for label in labels]
    notes = ", detached foot" * limb.detached + ", never near the ground" * is_in_air
    return [limb.name, *labels, f"{limb.confidence:.2f}{notes}"]
