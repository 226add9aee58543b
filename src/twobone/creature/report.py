"""All figures of a walk, and tables that put walks side by side."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from twobone.creature import measures
from twobone.creature.recording import Recording


class Report(NamedTuple):
    """All figures of a recording; each is described where it is computed, in measures.py."""

    seconds: float  # how long it is
    frames: int
    legs: int
    slip: float  # m
    bone_error: float  # eps of the bone
    knee_rounding: float  # eps of the bone: what float64 alone may cost so far from the origin
    greatest_reach: float  # of r1 + r2
    unreachable: int  # legs, frame by frame
    least_feet_down: int
    mean_feet_down: float
    least_margin: float  # m
    least_margin_over_leg: float  # of r1 + r2, the mean of all legs
    depth_of_feet: float  # m
    depth_of_knees: float  # m; NaN if no terrain was given
    knee_plane_turn: float  # rad between frames
    touch_down_speed: float  # m/s, the greatest
    peak_acceleration: float  # m/s^2
    backwards: float  # m between frames
    tilt: float  # rad

    def lines(self) -> list[str]:
        """Return a table, a line for each figure."""
        return table({"": self})

    def __str__(self) -> str:
        return "\n".join(self.lines())


def report(recording: Recording, terrain: Any = None) -> Report:
    """Return all figures of a recording.

    Parameters
    ----------
    recording : Recording
        Any walk.
    terrain : terrain, number or callable, optional
        What it walked on, as `as_terrain` takes it: for the knees, under which a recording
        knows no ground.

    Returns
    -------
    Report
        It prints as a table.

    Raises
    ------
    ArrayTypeError, ShapeError, CreatureError
        If it is no recording, its shapes do not fit, or dt is not positive.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import report
    >>> found = report(original_insect(0.0, seconds=5.0), 0.0)
    >>> found.least_feet_down
    3
    >>> print(found.lines()[3])
    slip of a planted foot                          0  m
    """
    margin = measures.static_margin(recording)
    leg = float(np.mean(np.sum(recording.bones, axis=1))) if len(recording.bones) else math.nan
    least = float(np.min(margin, initial=math.inf))
    down = measures.feet_down(recording)
    return Report(
        seconds=float(recording.dt * max(0, len(recording.time) - 1)),
        frames=len(recording.time),
        legs=len(recording.bones),
        slip=measures.slip(recording),
        bone_error=measures.bone_error(recording),
        knee_rounding=measures.knee_rounding(recording),
        greatest_reach=measures.greatest_reach(recording),
        unreachable=measures.unreachable(recording),
        least_feet_down=down.least,
        mean_feet_down=down.mean,
        least_margin=least,
        least_margin_over_leg=least / leg if leg else math.nan,
        depth_of_feet=measures.depth_of_feet(recording),
        depth_of_knees=(
            math.nan if terrain is None else measures.depth_of_knees(recording, terrain)
        ),
        knee_plane_turn=measures.knee_plane_turn(recording),
        touch_down_speed=float(np.max(measures.touch_down_speed(recording), initial=0.0)),
        peak_acceleration=measures.peak_acceleration(recording),
        backwards=measures.backwards(recording),
        tilt=measures.tilt(recording),
    )


class _Row(NamedTuple):
    """How a figure is written: its words, its factor, its unit."""

    name: str
    words: str
    unit: str
    factor: float = 1.0


DEGREE = 180.0 / math.pi
ROWS = [
    _Row("seconds", "length", "s"),
    _Row("frames", "frames", ""),
    _Row("legs", "legs", ""),
    _Row("slip", "slip of a planted foot", "m"),
    _Row("bone_error", "error of a bone's length", "eps of the bone"),
    _Row("knee_rounding", "of which rounding so far out may cost", "eps of the bone"),
    _Row("greatest_reach", "greatest reach", "of the leg"),
    _Row("unreachable", "feet out of reach", "legs x frames"),
    _Row("least_feet_down", "feet down, least", ""),
    _Row("mean_feet_down", "feet down, mean", ""),
    _Row("least_margin", "static margin, least", "m"),
    _Row("least_margin_over_leg", "static margin, least", "of the leg"),
    _Row("depth_of_feet", "foot under ground", "m"),
    _Row("depth_of_knees", "knee under ground", "m"),
    _Row("knee_plane_turn", "turn of a knee's plane", "degrees a frame", DEGREE),
    _Row("touch_down_speed", "speed at touch-down", "m/s"),
    _Row("peak_acceleration", "peak acceleration of a foot", "m/s^2"),
    _Row("backwards", "step backwards", "m a frame"),
    _Row("tilt", "tilt of the body", "degrees", DEGREE),
]


def table(reports: Mapping[str, Report]) -> list[str]:
    """Return the lines of one table for several reports.

    Parameters
    ----------
    reports : mapping of str to Report
        What stands over each column.

    Returns
    -------
    list of str
        The head, if a column has a name, then a line for each figure, with its unit at the end.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import report, table
    >>> flat = report(original_insect(0.0, seconds=1.0))
    >>> [line.split() for line in table({"ours": flat, "theirs": flat})[:2]]
    [['ours', 'theirs'], ['length', '1', '1', 's']]
    """
    columns = [[_written(row, report) for row in ROWS] for report in reports.values()]
    widths = [
        max(10, len(name), *map(len, column)) for name, column in zip(reports, columns, strict=True)
    ]
    left = max(len(row.words) for row in ROWS)
    heads = "  ".join(f"{name:>{width}}" for name, width in zip(reports, widths, strict=True))
    lines = [f"{'':<{left}}  {heads}".rstrip()] if any(reports) else []
    for index, row in enumerate(ROWS):
        values = "  ".join(
            f"{column[index]:>{width}}" for column, width in zip(columns, widths, strict=True)
        )
        lines.append(f"{row.words:<{left}}  {values}  {row.unit}".rstrip())
    return lines


def _written(row, figures):
    value = getattr(figures, row.name)
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "-" if row.name == "depth_of_knees" else "NaN"
    if row.name == "bone_error" and value > 1e6:
        return f"{100 * value * measures.EPS:,.0f} %"
    value *= row.factor
    return f"{value:.3f}".rstrip("0").rstrip(".") if 1e-2 <= abs(value) < 1e6 else f"{value:.2g}"
