"""The table of a report: each measure with its unit, meaning and source, and what it misses."""

import math
from typing import NamedTuple


class Figure(NamedTuple):
    """A measure of `twobone.motion.Report`, and how to show it."""

    field: str
    name: str
    factor: float  # from the report's unit to the one shown
    unit: str
    digits: int
    meaning: str
    source: str
    misses: str
    is_ratio_shown: bool = False


OWN = "twobone.motion.measures."
GROUPS = {
    "Feet in contact": (
        Figure(
            "drift_95",
            "Drift, 95 %",
            1000.0,
            "mm",
            1,
            "How far heels and toes in contact are from their mean position in that contact;"
            " 95 % of the frames are below.",
            OWN + "drift",
            "contacts that were not found, and joints that are held in the wrong place.",
        ),
        Figure(
            "drift_most",
            "Drift, largest",
            1000.0,
            "mm",
            1,
            "The same, in the worst frame.",
            OWN + "drift",
            "how often it happens: one frame decides.",
        ),
        Figure(
            "slide",
            "Slide",
            1000.0,
            "mm",
            1,
            "The horizontal path of all heels and toes while in contact, added up.",
            OWN + "slide",
            "the direction: jitter counts like sliding. Longer clips have more of it.",
        ),
        Figure(
            "missed_95",
            "Missed, 95 %",
            1000.0,
            "mm",
            1,
            "How far held heels and toes are from the places where they should be held; 95 % of"
            " the frames are below.",
            "twobone.motion.Report",
            "whether these places are the right ones.",
        ),
        Figure(
            "missed_most",
            "Missed, largest",
            1000.0,
            "mm",
            1,
            "The same, in the worst frame.",
            "twobone.motion.Report",
            "how often it happens: one frame decides.",
        ),
    ),
    "Ground": (
        Figure(
            "penetration",
            "Penetration, deepest",
            1000.0,
            "mm",
            1,
            "How far a toe, or a foot without one, is below the lowest joint in contact before.",
            OWN + "penetration",
            "uneven ground, and the sole: joints are inside the foot.",
        ),
        Figure(
            "floating_95",
            "Float, 95 %",
            1000.0,
            "mm",
            1,
            "How far heels and toes in contact are above their lowest height in contact; 95 % of"
            " the frames are below.",
            OWN + "floating",
            "uneven ground: standing on a step counts as floating.",
        ),
    ),
    "Knees": (
        Figure(
            "knee_acceleration_95",
            "Knee acceleration, 95 %",
            1.0,
            "m/s²",
            1,
            "How abruptly knees move; 95 % of the frames are below. The ratio is after to before.",
            OWN + "acceleration",
            "single pops, which are rarer than 5 % of the frames.",
            True,
        ),
        Figure(
            "knee_acceleration_99_5",
            "Knee acceleration, 99.5 %",
            1.0,
            "m/s²",
            1,
            "The same for the most abrupt frames: a knee that pops shows here.",
            OWN + "acceleration",
            "the cause: a hard landing in the clip before looks the same.",
            True,
        ),
        Figure(
            "largest_new_step",
            "Step of one frame, largest that grew",
            1000.0,
            "mm",
            1,
            "How far a hip, knee or ankle is off the line between the frames beside, twice; where"
            " it grew most. Before: the largest within a quarter of a second.",
            OWN + "steps",
            "motion that is wrong but smooth.",
        ),
        Figure(
            "new_steps",
            "Frames with new steps",
            1.0,
            "",
            0,
            "Frames in which a step of a hip, knee or ankle is more than twice as large as before"
            " within a quarter of a second.",
            OWN + "usual_steps",
            "how large they are, and those beside errors of the clip itself.",
        ),
        Figure(
            "extension",
            "Extension, largest",
            100.0,
            "%",
            1,
            "How straight the straightest limb is: 100 % is straight.",
            OWN + "extension",
            "how often a limb is straight, and how suddenly it becomes so.",
        ),
    ),
    "What else moved": (
        Figure(
            "body_moved_95",
            "Body shift, 95 %",
            1000.0,
            "mm",
            1,
            "How far the body moved from where it was; 95 % of the frames are below.",
            "twobone.motion.Report",
            "its direction: lowered hips and a shift along the ground count alike.",
        ),
        Figure(
            "body_moved_most",
            "Body shift, largest",
            1000.0,
            "mm",
            1,
            "The same, in the worst frame.",
            "twobone.motion.Report",
            "how often it happens: one frame decides.",
        ),
        Figure(
            "feet_in_air_moved_95",
            "Swing moved, 95 %",
            1000.0,
            "mm",
            1,
            "How far feet in the air moved from where they were; 95 % of the frames are below.",
            "twobone.motion.Report",
            "toes and the orientation of feet: it measures the end of the second bone.",
        ),
        Figure(
            "feet_in_air_moved_most",
            "Swing moved, largest",
            1000.0,
            "mm",
            1,
            "The same, in the worst frame.",
            "twobone.motion.Report",
            "how often it happens: one frame decides.",
        ),
        Figure(
            "bones",
            "Bones, largest change",
            100.0,
            "%",
            3,
            "By how much the length of a bone changed, as a share of it.",
            "twobone.motion.Report",
            "bones outside of limbs in contact.",
        ),
    ),
    "Published measures, for comparison with papers": (
        Figure(
            "skating_ratio",
            "Skating ratio (GMD)",
            100.0,
            "%",
            1,
            "The share of frames in which a toe lower than 50 mm moves faster than 0.5 m/s.",
            "Karunratanakul et al., Guided Motion Diffusion, ICCV 2023",
            "all slower sliding; and it counts feet that swing low as skating.",
        ),
        Figure(
            "foot_skating",
            "Foot skating (NeMF)",
            1.0,
            "cm/frame",
            3,
            "The mean horizontal step of low feet; the lower they are, the more it counts.",
            "He et al., NeMF, NeurIPS 2022",
            "the difference between landing and sliding; it depends on the frame rate.",
        ),
        Figure(
            "slow_feet",
            "Contacts found (HumanML3D)",
            100.0,
            "%",
            1,
            "The share of the contacts used here that HumanML3D would also label as contact.",
            "Guo et al., HumanML3D, CVPR 2022",
            "sliding below 0.9 m/s at 20 frames per second; it depends on the frame rate.",
        ),
        Figure(
            "physical_foot_contact",
            "Physical foot contact (EDGE)",
            1.0,
            "",
            2,
            "Pushes of the body without a foot that stands still, relative to the largest push.",
            "Tseng et al., EDGE, CVPR 2023",
            "one sliding foot while the other stands; one jerk improves the score.",
        ),
    ),
}


def table(report):
    """Return the table of all measures."""
    rows = [
        "<table><caption>Before and after pinning. Each measure has a meaning, a source, and"
        " something that it misses.</caption>",
        '<thead><tr><th scope="col">measure</th><th scope="col" class="value">before</th>'
        '<th scope="col" class="value">after</th></tr></thead>',
    ]
    for group, figures in GROUPS.items():
        rows.append(f'<tbody><tr class="group"><th colspan="3" scope="rowgroup">{group}</th></tr>')
        rows += [_row(figure, value_of(report, figure.field)) for figure in figures]
        rows.append("</tbody>")
    return [*rows, "</table>"]


def value_of(report, field):
    """Return a measure of a report: one number, or those before and after."""
    value = getattr(report, field)
    if field == "largest_new_step":
        return math.nan if value is None else (value.usual, value.size)
    return len(value) if field == "new_steps" else value


def ratio(change):
    """Return how many times a figure is what it was before; NaN if it was 0."""
    return change.after / change.before if change.before else math.nan


def shown(value, figure):
    """Return a number in the unit of its figure; a dash if it is not defined."""
    value = figure.factor * value
    if not math.isfinite(value):
        return "\N{EN DASH}"
    large = abs(value) >= 1e7
    text = f"{value:.2e}" if large else f"{value:.{figure.digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def _row(figure, value):
    before, after = value if isinstance(value, tuple) else (math.nan, value)
    cells = [shown(before, figure), shown(after, figure)]
    if figure.is_ratio_shown and math.isfinite(ratio(value)):
        cells[1] += f"<small>\N{MULTIPLICATION SIGN} {ratio(value):.2f}</small>"
    unit = f' <span class="unit">{figure.unit}</span>' if figure.unit else ""
    said = (
        f"<small>{figure.meaning}</small>"
        f"<small>Misses: {figure.misses} Source: {figure.source}.</small>"
    )
    return (
        f'<tr><th scope="row">{figure.name}{unit}{said}</th>'
        + "".join(f'<td class="value">{cell}</td>' for cell in cells)
        + "</tr>"
    )
