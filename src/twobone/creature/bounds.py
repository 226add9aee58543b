"""Bounds that the figures of a good walk must meet."""

import math

from twobone.creature.gait import Balance
from twobone.creature.report import Bound, Report
from twobone.errors import ArrayTypeError
from twobone.terrain import arguments

EPS_OF_BONES = 4.0  # in addition to the cost of rounding the knees, see `knee_rounding`
REACH = 0.95
DRIFT = {"static": 0.2, "dynamic": 0.5}  # mm per metre of leg, at 60 keys a second
TURN = 60.0 * math.acos(0.95)  # radians a second, rotation of the plane of a leg
FALLS = 0.6  # maximum ratio of the touch-down speeds as dt halves
GROWS = 1.5  # maximum ratio of the peak accelerations of feet as dt halves
STEADY = 0.75  # duty factor from which the bounds for six and eight legs are stricter


def bounds(
    report: Report,
    *,
    duty_factor: float = 0.5,
    backwards: bool = False,
    balance: Balance = "static",
) -> dict[str, Bound]:
    """Return the bounds for the figures of a report.

    Parameters
    ----------
    report : Report
        The report of the walk. Some bounds depend on its number of legs, its time step and its
        `knee_rounding`.
    duty_factor : float
        The smallest duty factor during the walk. From 0.75 on, six legs must keep four feet down
        and a static margin of 0.10 of the leg, and eight legs six feet down.
    backwards : bool
        Whether the animal was told to walk backwards; then backward steps are not bounded.
    balance : "static" or "dynamic"
        The balance of the gait, see `Gait`. A dynamic gait has no bound on the static margin, and
        must keep half of the feet down.

    Returns
    -------
    dict of str to Bound
        The bounds by name of the figure. Fewer than four legs have no bound on the static margin,
        since a two-legged walk is not statically stable.

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
    dt = report.seconds / max(1, report.frames - 1)
    most = EPS_OF_BONES + report.knee_rounding
    nothing, drift = Bound(most=0.0), DRIFT[balance]
    found = {
        "slide": nothing,
        "drift": Bound(most=drift, words=f"at most {drift:g} at 60 keys a second"),
        "bone_error": Bound(most=most, words="at most 4 beyond rounding"),
        "greatest_reach": Bound(most=REACH),
        "unreachable": nothing,
        "least_feet_down": Bound(least=_feet(report.legs, duty_factor, balance)),
        "least_margin_over_leg": Bound(least=_margin(report.legs, duty_factor)),
        "depth_of_feet": nothing,
        "depth_of_knees": nothing,
        "knee_plane_rotation": Bound(most=TURN * dt),
        "landing_as_dt_halves": Bound(most=FALLS),
        "acceleration_as_dt_halves": Bound(most=GROWS),
        "backwards": nothing,
    }
    if report.legs < 4 or balance == "dynamic":
        del found["least_margin_over_leg"]
    if backwards:
        del found["backwards"]
    return found


def _feet(legs, duty_factor, balance):
    """Return the minimum number of feet on the ground."""
    if balance == "dynamic":
        return legs // 2
    if legs == 4:
        return 3
    return 3 * legs // 4 if duty_factor >= STEADY else legs // 2


def _margin(legs, duty_factor):
    """Return the minimum static margin, as a fraction of the leg's length."""
    if legs == 4:
        return 0.0  # achieved by swaying
    if legs == 6:
        return 0.10 if duty_factor >= STEADY else 0.04
    return 0.15
