"""The head of a report: the clip, what was asked, the main measures, and what to look at."""

import json
import math
from html import escape

from twobone.pictures.feet import figures, html
from twobone.pictures.feet.checks import step
from twobone.pictures.feet.figures import ratio

SUMMARY = "twobone-feet"  # name of the meta element that `index.py` reads
MILLIMETRES = figures.Figure("", "", 1000.0, "mm", 1, "", "", "")


def summary(pinned, found):
    """Return the figures of a report for the index of many reports, as a meta element."""
    report = pinned.report
    values = {
        "contacts": len(pinned.anchors),
        "frames": report.frames,
        "drift_before": report.drift_95.before,
        "drift_after": report.drift_95.after,
        "body": report.body_moved_95,
        "missed": report.missed_most,
        "air": report.feet_in_air_moved_95,
        "knees": ratio(report.knee_acceleration_99_5),
        "steps": len(report.new_steps),
        "checks": len(found),
    }
    plain = {key: value if math.isfinite(value) else None for key, value in values.items()}
    return f'<meta name="{SUMMARY}" content="{escape(json.dumps(plain))}">'


def facts(clip, pinned, subject, asked):
    """Return what is known of the clip and what was asked, as a list of terms."""
    frames = len(clip)
    seconds = frames / clip.fps
    up = " (guessed)" if "up" in clip.guessed else ""
    unit = ""
    if "metres" in clip.guessed:
        unit = " (guessed; if it is wrong, so are the lengths here)"
    feet = ", ".join(html.text(limb) for limb in subject.names) or "none found"
    rows = {
        "clip": f"{frames} frames at {clip.fps:.6g} per second, {seconds:.3g} s;"
        f" {len(clip.skeleton.parents)} joints",
        "unit": f"{clip.metres:.4g} m{unit}; {clip.up} is up{up}",
        "feet": feet + (f", and {subject.hidden} more" if subject.hidden else ""),
        "contacts": f"{len(pinned.anchors)}",
    }
    speed = math.hypot(*pinned.report.ground_velocity)
    if speed > 0.0:
        rows["in place"] = f"the ground moves at {speed:.3g} m/s below the body"
    if pinned.report.legs_in_air:
        rows["not held"] = "never near the ground: " + ", ".join(
            f"{html.text(leg.name)} (at least {leg.height:.2g} m above the lowest foot)"
            for leg in pinned.report.legs_in_air
        )
    rows |= {html.text(key): html.name(value) for key, value in asked.items()}
    items = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in rows.items())
    return f"<dl>{items}</dl>"


def most_important(report):
    """Return the measures that matter most, in large type."""
    drift, times = report.drift_95, ratio(report.knee_acceleration_99_5)
    unit, arrow = " <small>mm</small>", "\N{RIGHTWARDS ARROW}"
    knees = f"\N{MULTIPLICATION SIGN}{times:.2f}" if math.isfinite(times) else "\N{EN DASH}"
    rows = {
        "drift in contact, 95 %": f"{_mm(drift.before)} {arrow} {_mm(drift.after)}{unit}",
        "missed, largest": f"{_mm(report.missed_most)}{unit}",
        "body shift, 95 %": f"{_mm(report.body_moved_95)}{unit}",
        "swing moved, 95 %": f"{_mm(report.feet_in_air_moved_95)}{unit}",
        "knees, after to before": knees,
        "frames with new steps": str(len(report.new_steps)),
    }
    items = "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in rows.items())
    return f'<dl class="key">{items}</dl>'


def _mm(metres):
    return figures.shown(metres, MILLIMETRES)


def remarks(found, report):
    """Return the sentences of `checks` as a list."""
    if not found:
        said = f"The step that grew most is {step(report)}." if report.largest_new_step else ""
        fine = "All measures are within the usual range."
        return f'<div class="note fine"><p>{fine} {said}</p></div>'
    rows = "".join(f"<li>{sentence}</li>" for sentence in found)
    return f'<div class="note"><p>Look at:</p><ul>{rows}</ul></div>'
