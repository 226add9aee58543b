"""What a good walk holds: a bound for each figure of a report that has one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from twobone.creature.report import Report

EPS_OF_BONES = 4.0  # beyond what rounding knees costs where the animal is
REACH = 0.95
DRIFT = 0.2  # mm per metre of leg, at 60 keys a second
TURN = 60.0 * math.acos(0.95)  # radians a second, of a knee's plane
FALLS = 0.6  # of the speed at touch-down is left at most as dt halves
GROWS = 1.5  # times at most the acceleration of feet is as dt halves
STEADY = 0.75  # duty factor from which on an animal of six or eight legs is held to more


class Bound(NamedTuple):
    """What a figure must be: from `least` to `most`, both included."""

    least: float = -math.inf
    most: float = math.inf
    words: str = ""  # instead of the numbers

    def holds(self, value: float) -> bool:
        """Say whether a figure is within; NaN is not."""
        return bool(self.least <= value <= self.most)


def bounds(
    report: Report, *, duty_factor: float = 0.5, backwards: bool = False
) -> dict[str, Bound]:
    """Return what bounds the figures of a report, by their names.

    Parameters
    ----------
    report : Report
        Its legs, length of frames and rounding say what can be asked of the others.
    duty_factor : float
        The least share of a cycle that a foot was on the ground: from .75 on six legs keep four
        feet down and a margin of .10, eight six feet.
    backwards : bool
        Whether the animal was told to go backwards.

    Returns
    -------
    dict of str to Bound
        No static margin of two legs: who walks on two falls from foot to foot.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.creature.bounds import bounds
    >>> found = creature.report(creature.walk("insect", seconds=1.0))
    >>> bounds(found)["greatest_reach"].holds(found.greatest_reach)
    True
    """
    dt = report.seconds / max(1, report.frames - 1)
    most = EPS_OF_BONES + report.knee_rounding
    nothing = Bound(most=0.0)
    found = {
        "slide": nothing,
        "drift": Bound(most=DRIFT, words="at most 0.2 at 60 keys a second"),
        "bone_error": Bound(most=most, words="at most 4 beyond rounding"),
        "greatest_reach": Bound(most=REACH),
        "unreachable": nothing,
        "least_feet_down": Bound(least=_feet(report.legs, duty_factor)),
        "least_margin_over_leg": Bound(least=_margin(report.legs, duty_factor)),
        "depth_of_feet": nothing,
        "depth_of_knees": nothing,
        "knee_plane_turn": Bound(most=TURN * dt),
        "landing_as_dt_halves": Bound(most=FALLS),
        "acceleration_as_dt_halves": Bound(most=GROWS),
        "backwards": nothing,
    }
    if report.legs < 4:
        del found["least_margin_over_leg"]
    if backwards:
        del found["backwards"]
    return found


def _feet(legs, duty_factor):
    """Return how many feet must be on the ground."""
    if legs == 4:
        return 3
    return 3 * legs // 4 if duty_factor >= STEADY else legs // 2


def _margin(legs, duty_factor):
    """Return the least static margin, of the leg's length."""
    if legs == 4:
        return 0.0  # by swaying
    if legs == 6:
        return 0.10 if duty_factor >= STEADY else 0.04
    return 0.15
