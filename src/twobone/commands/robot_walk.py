"""`twobone walk --robot`: the walk of a robot, as joint angles."""

from contextlib import ExitStack

import numpy as np
from click.core import ParameterSource

from twobone.commands.endings import say
from twobone.commands.numbers import REST, several
from twobone.commands.streams import CommandError
from twobone.core.policies import Status
from twobone.files import atomic, recordings, robot_walks
from twobone.files.columns import counted

# Options of `twobone walk` that also apply to robots.
OURS = ("robot", "seconds", "fps", "speed", "turn", "terrain", "out", "quiet")
MORE = ("rest", "forward", "foot_radius", "lead_in")  # of robots alone


def check_options(context, robot, rest):
    """Raise if options are given that do not go together with `--robot`, or without it."""
    given = [name for name in context.params if is_given(context, name)]
    if robot is None:
        wrong = [name for name in given if name in MORE]
        told = "needs --robot FILE"
    else:
        wrong = [name for name in given if name not in (*OURS, *MORE)]
        told = "and --robot exclude each other"
    if wrong:
        raise CommandError(f"--{wrong[0].replace('_', '-')} {told}")
    if robot is not None and not rest:
        raise CommandError("--robot needs --rest ANGLES, in which the robot stands")


def is_given(context, name):
    """Return whether the user has given an option."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def rest_of(texts):
    """Return the rest pose that the values of `--rest` give."""
    named = [text.partition("=") for text in texts if "=" in text]
    if not named and len(texts) == 1:
        return several(texts[0], REST)
    tips = [tip for tip, _, _ in named]
    if len(named) < len(texts) or len(set(tips)) < len(tips):
        raise CommandError("--rest must be given once, or once for each leg as LINK=ANGLES")
    return {tip: several(angles, REST) for tip, _, angles in named}


def walk_robot(file, rest, out, quiet, **options):
    """Let the robot of a URDF file walk, and write its walk."""
    if not out:
        raise CommandError("nothing to do: give --out FILE")
    suffixes = [recordings.suffix_of(path, robot_walks.WRITERS) for path in out]
    from twobone import robots  # imported late: other commands do not need it

    robot = robots.read_urdf(file)
    given = {name: value for name, value in options.items() if value is not None}
    # Opened before the walk, so that a file that cannot be written is reported at once.
    with ExitStack() as files:
        opened = [files.enter_context(atomic.replacing(path)) for path in out]
        walk = robots.walk(robot, rest_of(rest), **given)
        for written, suffix in zip(opened, suffixes, strict=True):
            robot_walks.WRITERS[suffix](written, walk)
    if not quiet:
        note(walk)


def note(walk):
    """Note which feet are not where they should be, or not within limits, and a blocked walk."""
    for bad, what in (
        (walk.status != Status.REACHED, "out of reach"),
        (~walk.within, "beyond the limits of its joints"),
    ):
        for foot, frames in zip(walk.feet, bad.T, strict=True):
            if frames.any():
                first = walk.time[int(np.argmax(frames))]
                count = counted(int(frames.sum()), "frame")
                say(f"{foot} is {what} in {count}, first after {first:.2f} s")
    if walk.blocked.any():
        first = walk.time[int(np.argmax(walk.blocked))]
        lost = np.count_nonzero(walk.blocked) * walk.time[-1] / (len(walk.time) - 1)
        say(f"the robot cannot go on for {lost:.2f} s, first after {first:.2f} s, and stays there")
