"""Bounds that the figures of a good walk must meet."""

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

from twobone.creature.measures import ROUNDING
from twobone.creature.report import Bound, Report
from twobone.creature.stepping.limbs import STRAIGHT
from twobone.creature.stepping.numbers import GRAVITY
from twobone.errors import ArrayTypeError, CreatureError
from twobone.terrain import arguments

EPS_OF_BONES = 4.0  # of the coordinates
TURN = 60.0 * math.radians(18.0)  # radians a second, rotation of the plane of a leg
FINEST = 1.0 / 61.0  # seconds: steps are of 1/120 s, so finer frames have no accelerations

Going: TypeAlias = Literal["even", "rough", "steep"]


class _Ground(NamedTuple):
    """What is allowed on a kind of ground. Lengths are over that of a leg."""

    depth: float  # of a leg or the belly
    six: float  # static margin on six legs
    more: float  # on eight and more
    falls: float  # acceleration downwards, in g
    lands: float  # ratio of touch-down speeds as dt halves: 1/2 is a soft landing, 1 a hard one
    grows: float  # ratio of accelerations of feet as dt halves: 2 is a velocity that jumps
    back: float  # a body that shifts over its feet goes back in a frame
    steady: float  # drift of planted feet at 60 keys a second, in mm per metre of leg
    unsteady: float  # the same of animals that are not steady: their legs are straighter


GROUNDS = {
    "even": _Ground(0.01, 0.05, 0.08, 1.1, 0.8, 1.4, 0.001, 0.15, 2.0),
    "rough": _Ground(0.01, 0.05, 0.08, 1.2, 0.8, 1.5, 0.001, 0.15, 3.0),
    "steep": _Ground(0.03, 0.03, 0.05, 1.6, 0.9, 2.0, 0.002, 0.6, 3.0),
}


def bounds(
    report: Report,
    *,
    ground: Going = "steep",
    steady: bool = True,
    backwards: bool = False,
) -> dict[str, Bound]:
    """Return the bounds for the figures of a report.

    Parameters
    ----------
    report : Report
        The report of the walk. Some bounds depend on its number of legs, the length of these and
        its time step.
    ground : "even", "rough" or "steep"
        The kind of the ground: flat ground and steps; hills with a root mean square of up to .15 of
        the leg; everything else.
    steady : bool
        Whether the animal stays over the feet that stand (`animal.anatomy.steady`). If it does not,
        the number of feet on the ground and, on fewer than six legs, the static margin have no
        bound.
    backwards : bool
        Whether the animal was told to walk backwards; then backward steps are not bounded.

    Returns
    -------
    dict of str to Bound
        The bounds by name of the figure. Fewer than four legs have no bound on the static margin,
        since a two-legged walk is not statically stable. More than 60 frames a second have none on
        accelerations, since a walker's steps are 1/120 s long.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.creature.bounds import bounds
    >>> found = creature.report(creature.walk("insect", seconds=1.0))
    >>> bounds(found)["greatest_reach"].holds(found.greatest_reach)
    True
    """
    if not isinstance(report, Report):
        raise ArrayTypeError("report", "a Report", arguments.shown(report))
    if not (isinstance(ground, str) and ground in get_args(Going)):
        raise CreatureError("ground", "be even, rough or steep", arguments.shown(ground))
    allowed = GROUNDS[ground]
    dt = report.seconds / max(1, report.frames - 1)
    nothing, drift = Bound(most=0.0), allowed.steady if steady else allowed.unsteady
    depth = Bound(most=allowed.depth * report.leg, words=f"at most {allowed.depth:g} of the leg")
    found = {
        "slide": nothing,
        "drift": Bound(most=drift, words=f"at most {drift:g} at 60 keys a second"),
        "bone_error": Bound(most=EPS_OF_BONES),
        "greatest_reach": Bound(most=STRAIGHT * (1.0 + ROUNDING), words=f"at most {STRAIGHT:g}"),
        "unreachable": nothing,
        "depth_of_feet": nothing,
        "depth_of_legs": depth,
        "depth_of_belly": depth,
        "knee_plane_rotation": Bound(most=TURN * dt),
        "landing_as_dt_halves": Bound(most=allowed.lands),
    }
    if dt > FINEST:
        found["acceleration_as_dt_halves"] = Bound(most=allowed.grows)
        found["least_acceleration"] = Bound(least=-allowed.falls * GRAVITY)
    if report.legs >= 4 and steady:
        found["least_margin_over_leg"] = Bound(least=_margin(report.legs, allowed))
    if steady:
        found["least_feet_down"] = Bound(least=3 if report.legs < 8 else 4)
    if not backwards:
        back = allowed.back
        found["backwards"] = Bound(most=back * report.leg, words=f"at most {back:g} of the leg")
    return found


def _margin(legs, allowed):
    """Return the minimum static margin, as a fraction of the leg's length."""
    return 0.0 if legs < 6 else allowed.six if legs < 8 else allowed.more
