"""`twobone robot`: list the limbs of a URDF file, and solve a table of feet."""

import math
from typing import Any

import rich_click as click

from twobone.commands import endings, streams
from twobone.commands.endings import printable
from twobone.commands.numbers import REST, real, several
from twobone.commands.streams import CommandError, Output
from twobone.commands.words import FILE
from twobone.core.policies import Status
from twobone.errors import FileError
from twobone.files import tables
from twobone.files.answers import AnglesWriter
from twobone.files.columns import counted, quote


@click.command
@click.argument(
    "source", metavar="ROBOT", type=FILE, help="Robot: a URDF file. Meshes are not opened."
)
@click.argument(
    "targets",
    required=False,
    metavar="[FILE]",
    type=FILE,
    help="With --limb: table of targets with columns x, y and z, in metres, in the axes of"
    " the base link (.csv, .jsonl, .ndjson or .npy). Other columns are copied to the"
    " output.",
)
@click.option("--limb", metavar="LINK", help="Solve the limb whose tip is this link.")
@click.option(
    "--output", "-o", metavar="FILE", type=FILE, help="CSV file to write. Default: standard output."
)
@click.option(
    "--base", metavar="LINK", help="Link at which the limb begins. Default: the root of the robot."
)
@click.option(
    "--rest",
    metavar="ANGLES",
    help="Rest pose in radians, such as 0,0.9,-1.8: each answer is the branch nearest to"
    " it. Default: the middle of the limits.",
)
@click.option(
    "--point",
    metavar="X,Y,Z",
    help="Point of the link to bring to the targets, in metres, in its own axes, such as"
    " 0,0,-0.2. Default: its origin.",
)
@click.option(
    "--pitch",
    metavar="RADIANS",
    type=real(),
    help="Of an arm: the pitch of its tool; -1.5708 points down.",
)
@click.option(
    "--roll", metavar="RADIANS", type=real(), help="Of an arm: the angle of its last joint."
)
@click.option(
    "--clamp",
    is_flag=True,
    help="Keep the angles within the limits of the joints. The tip of a leg then comes as near to"
    " its target as they allow; each angle of an arm is clipped.",
)
def robot(source, targets, limb, output, base, rest, point, pitch, roll, clamp):
    """List the limbs of a robot that have a closed form with their class, and why others have none.

    With --limb and a table of targets, solve them: the output is a CSV table with the angle of each
    joint in radians, where the tip is, a status, and whether the angles are within their limits.

    Exit status: 0 on success, 2 on an error.
    """
    from twobone.robots import read_urdf  # imported late: other commands do not need it

    found = read_urdf(source)
    if limb is None:
        if targets is not None or output is not None:
            raise CommandError("a table of targets needs --limb LINK, the tip of the limb")
        given = {"base": base, "rest": rest, "point": point, "pitch": pitch, "roll": roll}
        unused = [name for name, value in given.items() if value is not None] + ["clamp"] * clamp
        if unused:
            raise CommandError(f"--{unused[0]} needs --limb LINK, the tip of the limb")
        for line in describe(found):
            print(printable(line).rstrip())
        return
    if targets is None:
        raise CommandError("--limb needs a table of targets, with columns x, y and z")
    pose = None if rest is None else several(rest, REST)
    at = None if point is None else several(point, "--point must be three numbers such as 0,0,-0.2")
    chosen = found.limb(limb, base, pose, at)
    options = tool(chosen, pitch, roll)
    options |= {"limits": "clamp"} if clamp else {}
    solve_table(chosen, source, targets, output, options)


def tool(limb, pitch, roll):
    """Return the options of an arm's tool; raise where a limb takes none or needs one."""
    from twobone.robots import Arm, PoseLimb

    if isinstance(limb, PoseLimb):
        count = len(limb.joint_names)
        raise CommandError(
            f"{limb.tip} has {count} joints: its target is a pose, and a table holds points;"
            " use twobone.robots in Python"
        )
    if not isinstance(limb, Arm):
        if pitch is not None or roll is not None:
            raise CommandError(f"{limb.tip} is a leg, which takes neither --pitch nor --roll")
        return {}
    if pitch is None:
        raise CommandError(f"{limb.tip} is an arm, which needs --pitch")
    return {"pitch": pitch} | ({} if roll is None else {"roll": roll})


def solve_table(limb, source, path, output, options):
    """Solve a table of targets and write the angles; `source` is the file of the robot."""
    for name in limb.joint_names:
        if name.casefold() in AnglesWriter.OTHERS:
            raise CommandError(
                f"the table would have two columns {quote(name)}: it is the name of a joint"
            )
    to = Output(output, "csv", None)
    kind = tables.format_of(path, "csv")
    if output is not None and tables.format_of(output, "csv") != "csv":
        raise CommandError(f"{output}: angles are written as CSV: expected a name ending in .csv")
    with open(path, "rb") as file:
        streams.check_apart(streams.Input(path, (), file, kind), to, robot=source)
        with streams.open_output(to) as out:
            writer, invalid = AnglesWriter(out, limb.joint_names), 0
            for rows in tables.read(file, path, kind):
                target = rows.values["target"]
                if target.shape[-1] != 3:
                    raise FileError(path, "columns x, y and z", "x and y alone")
                answer = limb.reach(target, **options)
                writer.write(answer, rows)
                invalid += int((answer.status == Status.INVALID).sum())
            writer.finish()
    if invalid:
        endings.say(f"{path}: INVALID targets, with NaN or infinite numbers: {invalid:,}")


# --- what there is ------------------------------------------------------------------------


def describe(robot):
    """Return what is found in a robot, as lines of text."""
    counts = counted(len(robot.links), "link"), counted(len(robot.joint_names), "joint")
    lines = [f"{robot.name or 'robot'}: {', '.join(counts)}"]
    for limb in robot.limbs.values():
        lines += ["", *_of_limb(limb)]
    if not robot.limbs:
        lines += ["", "no limbs found"]
        if not robot.misfits:
            lines.append("No link is moved by two joints or more.")
    if robot.misfits:
        lines += ["", "these do not fit:"]
        lines += [f"  {error}" for error in robot.misfits.values()]
    return lines


def _of_limb(limb: Any):
    from twobone.robots import PoseLimb, RedundantLimb

    if isinstance(limb, PoseLimb):
        yield f"{limb.tip}  limb with {len(limb.joint_names)} joints from {limb.base}"
        yield f"  class     {limb.kind}"
        yield f"  branches  {len(limb.branch_names)}"
        if isinstance(limb, RedundantLimb):
            swivels = limb.given == "swivel"
            yield f"  free      {'swivel angle of the elbow' if swivels else limb.given}"
        yield f"  gap       {limb.gap:.2g} m"
        yield f"  skew      {limb.skew:.2g} rad"
    else:
        bones = ", ".join(f"{bone:.4g}" for bone in limb.bones)
        yield f"{limb.tip}  {type(limb).__name__.lower()} from {limb.base}"
        yield f"  bones     {bones} m"
        yield f"  offset    {limb.offset:.4g} m"
        yield f"  branches  {4 if len(limb.joint_names) > 2 else 2}"
        yield f"  skew      {limb.skew:.2g} rad"
    width = max(map(len, limb.joint_names))
    for name, (low, high) in zip(limb.joint_names, limb.limits.tolist(), strict=True):
        free = not (math.isfinite(low) or math.isfinite(high))
        limits = "no limits" if free else f"{low:.4f} to {high:.4f} rad"
        yield f"  {name.ljust(width)}  {limits}"
