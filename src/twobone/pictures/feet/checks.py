"""What to look at in a pinned clip: sentences about measures that are out of the usual range."""

import math
from html import escape

from twobone.pictures.feet import html
from twobone.pictures.feet.figures import ratio

MISSED, DEEPER = 0.005, 0.005  # metres
DRIFT, BODY, AIR = 0.005, 0.1, 0.12  # metres; 95 %
KNEE = 1.5  # times the acceleration before


def checks(report):
    """Return HTML sentences, one for each thing to look at; none if all is as usual."""
    found = []
    if not report.footplants:
        return ["No contacts: nothing was pinned. Check them with <code>twobone contacts</code>."]
    worst = max(report.footplants, key=lambda plant: plant.missed)
    if worst.missed > MISSED:
        found.append(f"Feet miss their places by up to {_mm(worst.missed)}: {_where(worst)}.")
    if report.drift_95.after > DRIFT:
        worst = max(report.footplants, key=lambda plant: plant.drift.after)
        found.append(f"Feet still drift, most by {_mm(worst.drift.after)}: {_where(worst)}.")
    if report.new_steps:
        frames = len(report.new_steps)
        where = "one frame has a new step" if frames == 1 else f"{frames} frames have new steps"
        found.append(
            f"{where.capitalize()} of a hip, knee or ankle; the largest is {step(report)}."
        )
    times = ratio(report.knee_acceleration_99_5)
    if times > KNEE:
        found.append(f"Knees are {times:.1f} times as abrupt as before: look for pops.")
    if report.body_moved_95 > BODY:
        found.append(f"The body moved by up to {_mm(report.body_moved_most)}.")
    if report.feet_in_air_moved_95 > AIR:
        found.append(f"Feet in the air moved by {_mm(report.feet_in_air_moved_95)} (95 %).")
    if report.penetration.after > report.penetration.before + DEEPER:
        found.append(
            f"Toes go deeper than before: {_mm(report.penetration.after)},"
            f" {_mm(report.penetration.before)} before."
        )
    return [*found, *map(escape, report.doubts)]


def step(report):
    """Return the largest new step as HTML: its size, joint and frame."""
    found = report.largest_new_step
    return (
        f"{_mm(found.size)} ({_mm(found.usual)} before, around): {html.name(found.joint)},"
        f" frame {found.frame}"
    )


def _mm(metres):
    return f"{1000.0 * metres:.0f} mm" if math.isfinite(metres) else "an infinite distance"


def _where(plant):
    return f"{html.name(plant.joint)}, frames {plant.first} to {plant.stop - 1}"
