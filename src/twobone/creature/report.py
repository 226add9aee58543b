"""Reports of all figures of a walk, and tables that compare reports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from twobone.creature import measures
from twobone.creature.stepping.numbers import GRAVITY
from twobone.errors import ArrayTypeError, CreatureError
from twobone.files.recordings import Recording
from twobone.terrain import arguments
from twobone.terrain.ground import Ground, ground_of_walk

JOINTS = ("hips", "knees", "ankles", "feet")


class Bound(NamedTuple):
    """The range of a figure: from `least` to `most`, both included."""

    least: float = -math.inf
    most: float = math.inf
    words: str = ""  # shown in tables instead of the numbers

    def holds(self, value: float) -> bool:
        """Return whether a figure is in the range; NaN is not."""
        return bool(self.least <= value <= self.most)


class Report(NamedTuple):
    """All figures of a recording; each is explained at its function in `measures`."""

    seconds: float  # time from the first to the last frame, in seconds
    frames: int  # number of frames
    legs: int  # number of legs
    leg: float  # length of the longest leg, all segments, in metres
    slide: float  # maximum foot sliding, in metres
    bone_error: float  # maximum error of a bone's length, in eps of the coordinates
    greatest_reach: float  # maximum distance from hip to ankle, over r1 + r2
    unreachable: int  # number of ankles out of reach, summed over frames
    least_feet_down: int  # minimum number of feet on the ground
    mean_feet_down: float  # mean number of feet on the ground
    least_margin: float  # minimum static margin, in metres
    least_margin_over_leg: float  # minimum static margin, over `leg`
    depth_of_feet: float  # maximum depth of a foot below the ground, in metres
    depth_of_legs: float  # maximum depth of a leg from knee to foot; NaN if no terrain was given
    knee_plane_rotation: float  # maximum rotation of a leg's plane between two frames, in radians
    knee_acceleration: float  # maximum angular acceleration of a knee, in radians/s^2
    touch_down_speed: float  # maximum speed of a foot that lands, in metres per second
    peak_acceleration: float  # maximum acceleration of a foot, in metres per second squared
    speed: float  # mean speed of the body, in metres per second
    least_acceleration: float  # minimum acceleration of the body upwards, in m/s^2
    backwards: float  # maximum step of the body against its heading, in metres
    tilt: float  # maximum angle between the body's up axis and the vertical, in radians
    bob: float  # amplitude of the body's motion up and down, over `leg`
    sway: float  # amplitude of its motion from side to side, over `leg`
    roll: float  # amplitude of its roll, in radians
    pitch: float  # amplitude of its pitch, in radians
    lateral_speed: float  # mean speed to either side over that forward
    path_over_distance: float  # length of its path over that of the smoothed path
    jerk: float  # root mean square of its jerk, in metres per second cubed
    # Figures that a recording may not contain; NaN if unknown. `_replace` sets the last four:
    blocked: float = math.nan  # time for which the animal was kept from going on, in seconds
    depth_of_belly: float = math.nan  # maximum depth of the belly below the ground, in metres
    drift: float = math.nan  # motion of planted feet between keys of a model, in mm per m of leg
    landing_as_dt_halves: float = math.nan  # ratio of touch-down speeds, see `as_dt_halves`
    acceleration_as_dt_halves: float = math.nan  # ratio of peak accelerations, see `as_dt_halves`

    def lines(self) -> list[str]:
        """Return the lines of a table, one for each figure."""
        return table({"": self})

    def __str__(self) -> str:
        return "\n".join(self.lines())


@np.errstate(all="ignore")  # a recording may hold NaN, infinity and the largest numbers
def report(recording: Recording, terrain: Ground | None = None) -> Report:
    """Compute all figures of a recording.

    Parameters
    ----------
    recording : Recording
        Any walk.
    terrain : terrain, callable or 0, optional
        The ground of the walk, see `as_terrain`; for a walk of some roughness, pass what
        `make_terrain` returned. It is needed for the depth of legs, since a recording has only the
        height of the ground under the feet.

    Returns
    -------
    Report
        It prints as a table. If positions are not finite, figures may be NaN or infinite.

    Raises
    ------
    ArrayTypeError, ShapeError, CreatureError
        If `recording` is not a `Recording`, its shapes do not match, dt is not positive, a bone's
        length is negative, or `terrain` is no terrain or a number other than 0, which could be a
        roughness or a height.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import report
    >>> found = report(original_insect(0.0, seconds=5.0), 0.0)
    >>> found.least_feet_down
    3
    >>> print(found.lines()[4])
    foot sliding                          0  m
    """
    recording = _checked(recording)
    hips, knees, ankles, feet = (getattr(recording, name) for name in JOINTS)
    stance, bones, dt = recording.stance, recording.bones, recording.dt
    ground = None if terrain is None else ground_of_walk(terrain)
    position, rotation = recording.body_position, recording.body_rotation
    margin = measures.static_margin(position, feet, stance)
    leg = float(np.max(np.sum(bones, axis=1), initial=0.0))
    least = float(np.min(margin, initial=math.inf))
    down = measures.feet_down(stance)
    found = measures.velocity(position, rotation, dt)
    depth = math.nan if ground is None else measures.depth_of_legs(knees, ankles, feet, ground)
    return Report(
        seconds=float(dt * max(0, len(feet) - 1)),
        frames=len(feet),
        legs=len(bones),
        leg=leg,
        slide=measures.slide(feet, stance),
        bone_error=measures.bone_error(hips, knees, ankles, feet, bones),
        greatest_reach=measures.greatest_reach(hips, ankles, bones),
        unreachable=measures.unreachable(hips, ankles, bones),
        least_feet_down=down.least,
        mean_feet_down=down.mean,
        least_margin=least,
        least_margin_over_leg=least / leg if leg else math.nan,
        depth_of_feet=measures.depth_of_feet(feet, recording.ground),
        depth_of_legs=depth,
        knee_plane_rotation=measures.knee_plane_rotation(hips, knees, ankles),
        knee_acceleration=_greatest(np.abs(measures.knee_acceleration(hips, knees, ankles, dt))),
        touch_down_speed=_greatest(measures.touch_down_speed(feet, stance, dt)),
        peak_acceleration=measures.peak_acceleration(feet, dt),
        speed=float(np.mean(np.hypot(*found.T))) if len(found) else 0.0,
        least_acceleration=-_greatest(-measures.vertical_acceleration(position, dt)),
        backwards=measures.backwards(position, rotation),
        tilt=measures.tilt(rotation),
        bob=measures.bob(position, dt) / leg if leg else math.nan,
        sway=measures.sway(position, rotation, dt) / leg if leg else math.nan,
        roll=measures.roll(rotation, dt),
        pitch=measures.pitch(rotation, dt),
        lateral_speed=measures.lateral_speed(position, rotation),
        path_over_distance=measures.path_over_distance(position, dt),
        jerk=measures.jerk(position, dt),
        blocked=math.nan if recording.blocked is None else _seconds(recording.blocked, dt),
    )


def _greatest(values):
    """Return the maximum of values, or 0 if there are none."""
    return float(np.max(values, initial=0.0))


def _seconds(flags, dt):
    """Return the time for which `flags` is true, in seconds."""
    return float(dt * np.count_nonzero(flags))


def _check_recording(name, recording):
    if not isinstance(recording, Recording):
        raise ArrayTypeError(name, "a Recording", arguments.shown(recording))


def _checked(recording):
    """Return a recording of arrays; raise if it is none or a field does not fit."""
    _check_recording("recording", recording)
    known = recording._asdict().items()
    optional = Recording._field_defaults
    fields = {
        k: v for k, v in known if k in measures.SHAPES and (v is not None or k not in optional)
    }
    found = dict(zip(fields, measures.checked(**fields), strict=True))
    below = found["bones"] < 0.0
    if below.any():
        raise CreatureError("bones", "be lengths, 0 or more", str(found["bones"][below][0]))
    return recording._replace(**found, dt=arguments.positive("dt", recording.dt))


def as_dt_halves(coarse: Recording, fine: Recording) -> dict[str, float]:
    """Return the ratios by which touch-down speed and peak acceleration change as dt halves.

    Parameters
    ----------
    coarse, fine : Recording
        The same walk, `fine` at twice as many frames per second.

    Returns
    -------
    dict
        The values of two fields of `Report`. The mean touch-down speed falls to about a quarter if
        feet land at rest, and does not change if they hit the ground. The peak acceleration doubles
        if velocity is not continuous. NaN if nothing moves.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import as_dt_halves
    >>> coarse, fine = (original_insect(0.0, 5.0, dt) for dt in (1 / 60, 1 / 120))
    >>> round(as_dt_halves(coarse, fine)["acceleration_as_dt_halves"])
    2
    """

    _check_recording("coarse", coarse)
    _check_recording("fine", fine)

    def landing(recording):
        # The mean, since it depends on chance how much of its last frame a swing takes.
        speeds = measures.touch_down_speed(recording.feet, recording.stance, recording.dt)
        return float(np.mean(speeds)) if speeds.size else 0.0

    def acceleration(recording):
        return measures.peak_acceleration(recording.feet, recording.dt)

    def ratio(measure):
        before, after = measure(coarse), measure(fine)
        return after / before if before else math.nan

    return {
        "landing_as_dt_halves": ratio(landing),
        "acceleration_as_dt_halves": ratio(acceleration),
    }


class _Row(NamedTuple):
    """A row of a table: a field of `Report`, its label, its unit, and the factor to that unit."""

    name: str
    words: str
    unit: str
    factor: float = 1.0


DEGREE = 180.0 / math.pi
IN_G = 1.0 / GRAVITY
ROWS = [
    _Row("seconds", "length", "s"),
    _Row("frames", "frames", ""),
    _Row("legs", "legs", ""),
    _Row("leg", "longest leg", "m"),
    _Row("slide", "foot sliding", "m"),
    _Row("drift", "drift of a planted foot between keys", "mm per m of leg"),
    _Row("bone_error", "error of a bone's length", "eps of the coordinates"),
    _Row("greatest_reach", "greatest reach", "of the bones"),
    _Row("unreachable", "ankles out of reach", "legs x frames"),
    _Row("least_feet_down", "feet down, least", ""),
    _Row("mean_feet_down", "feet down, mean", ""),
    _Row("least_margin", "static margin, least", "m"),
    _Row("least_margin_over_leg", "static margin, least", "of the leg"),
    _Row("depth_of_feet", "foot under ground", "m"),
    _Row("depth_of_legs", "leg under ground", "m"),
    _Row("depth_of_belly", "belly under ground", "m"),
    _Row("knee_plane_rotation", "rotation of a knee's plane", "degrees a frame", DEGREE),
    _Row("knee_acceleration", "peak acceleration of a knee", "degrees/s^2", DEGREE),
    _Row("touch_down_speed", "speed at touch-down", "m/s"),
    _Row("landing_as_dt_halves", "  at twice the frames a second", "times as much"),
    _Row("peak_acceleration", "peak acceleration of a foot", "m/s^2"),
    _Row("acceleration_as_dt_halves", "  at twice the frames a second", "times as much"),
    _Row("speed", "speed, mean", "m/s"),
    _Row("least_acceleration", "acceleration upwards, least", "g", IN_G),
    _Row("backwards", "step backwards", "m a frame"),
    _Row("tilt", "tilt of the body", "degrees", DEGREE),
    _Row("bob", "bob of the body", "of the leg"),
    _Row("sway", "sway of the body", "of the leg"),
    _Row("roll", "roll of the body", "degrees", DEGREE),
    _Row("pitch", "pitch of the body", "degrees", DEGREE),
    _Row("lateral_speed", "lateral over forward speed", ""),
    _Row("path_over_distance", "path over distance", ""),
    _Row("jerk", "jerk of the body", "m/s^3"),
    _Row("blocked", "blocked", "s"),
]


UNKNOWN = ("depth_of_legs", *Report._field_defaults)  # NaN is shown as "-" in these


def table(
    reports: Mapping[str, Report], bounds: Mapping[str, Mapping[str, Bound]] | None = None
) -> list[str]:
    """Format several reports as one table.

    Parameters
    ----------
    reports : mapping of str to Report
        The reports by the titles of their columns.
    bounds : mapping of str to (mapping of str to Bound), optional
        For each column the bounds of its figures, see `bounds.bounds`. Each bounded figure is then
        marked "ok" or "NO", and the bound is shown at the end of its line.

    Returns
    -------
    list of str
        The titles, if there are any, then one line for each figure, with its unit at the end.
        Optional figures that are unknown in all reports are omitted.

    Raises
    ------
    ArrayTypeError
        If `reports` or `bounds` is not such a mapping.
    CreatureError
        If `bounds` lacks a report.

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import report, table
    >>> flat = report(original_insect(0.0, seconds=1.0))
    >>> [line.split() for line in table({"ours": flat, "theirs": flat})[:2]]
    [['ours', 'theirs'], ['length', '1', '1', 's']]

    Marked by bounds:

    >>> from twobone.creature.bounds import bounds
    >>> lines = table({"theirs": flat}, {"theirs": bounds(flat)})
    >>> print(lines[0].split(), lines[5].split())
    ['theirs', 'wanted'] ['foot', 'sliding', '0', 'ok', 'm', '0']
    """
    _check_tables(reports, bounds)
    rows = [row for row in ROWS if row.name not in Report._field_defaults or _known(row, reports)]
    columns = [_Column("", [row.words for row in rows])]
    for name, figures in reports.items():
        columns.append(_Column(name, [_written(row, figures) for row in rows], right=True))
        if bounds:
            columns.append(_Column("", [_mark(row, figures, bounds[name]) for row in rows]))
    columns.append(_Column("", [row.unit for row in rows]))
    if bounds:
        columns.append(_Column("wanted", [_wanted(row, bounds) for row in rows]))
    heads = "  ".join(column.head_line() for column in columns).rstrip()
    lines = zip(*(column.lines() for column in columns), strict=True)
    return [heads] * any(reports) + ["  ".join(parts).rstrip() for parts in lines]


def _check_tables(reports, bounds):
    """Raise if the arguments of `table` are not mappings of reports and of their bounds."""
    wanted = "a mapping of names to Reports"
    if not isinstance(reports, Mapping):
        raise ArrayTypeError("reports", wanted, arguments.shown(reports))
    for name, each in reports.items():
        if not (isinstance(name, str) and isinstance(each, Report)):
            came = f"{arguments.shown(each)} for {arguments.shown(name)}"
            raise ArrayTypeError("reports", wanted, came)
    if bounds is None:
        return
    wanted = "a mapping of names to what `bounds.bounds` returns"
    if not isinstance(bounds, Mapping):
        raise ArrayTypeError("bounds", wanted, arguments.shown(bounds))
    for name in reports:
        if name not in bounds:
            raise CreatureError("bounds", "be given for each report", f"none for {name!r}")
        each = bounds[name]
        if not isinstance(each, Mapping) or not all(isinstance(b, Bound) for b in each.values()):
            came = f"{arguments.shown(each)} for {name!r}"
            raise ArrayTypeError("bounds", wanted, came)


class _Column(NamedTuple):
    """A column of a table; figures are aligned to the right, text to the left."""

    head: str
    cells: list
    right: bool = False

    def head_line(self):
        return self._set(self.head)

    def lines(self):
        return [self._set(cell) for cell in self.cells]

    def _set(self, text):
        width = max(10 if self.right else 0, len(self.head), *map(len, self.cells))
        return text.rjust(width) if self.right else text.ljust(width)


def _known(row, reports):
    return any(not math.isnan(getattr(figures, row.name)) for figures in reports.values())


def broken(figures: Report, bounds: Mapping[str, Bound]) -> list[str]:
    """Return the labels of the figures that are out of bounds, in the order of the table.

    Parameters
    ----------
    figures : Report
    bounds : mapping of str to Bound
        The bounds by name of the figure. Optional figures that are unknown are not judged.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from twobone.creature.original import original_insect
    >>> from twobone.creature.report import Bound, broken, report
    >>> broken(report(original_insect(0.0, seconds=5.0)), {"backwards": Bound(most=0.0)})
    ['step backwards']
    """
    if not isinstance(figures, Report):
        raise ArrayTypeError("figures", "a Report", arguments.shown(figures))
    if not isinstance(bounds, Mapping):
        raise ArrayTypeError("bounds", "what `bounds.bounds` returns", arguments.shown(bounds))
    return [row.words for row in ROWS if _mark(row, figures, bounds) == "NO"]


def _mark(row, figures, bounds):
    value = getattr(figures, row.name)
    if row.name not in bounds or (math.isnan(value) and row.name in UNKNOWN):
        return ""
    return "ok" if bounds[row.name].holds(value) else "NO"


def _wanted(row, bounds):
    """Return the bound of a figure as text: of the first column, then of others that differ."""
    found = {name: _bound(row, each[row.name]) for name, each in bounds.items() if row.name in each}
    first = next(iter(found.values()), "")
    others = [f"{name}: {words}" for name, words in found.items() if words != first]
    return f"{first} ({', '.join(others)})" if others else first


def _bound(row, bound):
    if bound.words:
        return bound.words
    least, most = (_number(limit * row.factor) for limit in (bound.least, bound.most))
    if bound.most == math.inf:
        return f"at least {least}"
    return f"at most {most}" if bound.most else "0"


def _written(row, figures):
    value = getattr(figures, row.name)
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "-" if row.name in UNKNOWN else "NaN"
    return _number(value * row.factor)


def _number(value):
    value += 0.0  # not -0
    return f"{value:.3f}".rstrip("0").rstrip(".") if 1e-2 <= abs(value) < 1e6 else f"{value:.2g}"
