"""`write_index`: a table of many reports of pinned feet, with a link to each."""

import json
import math
import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

from twobone.files import atomic
from twobone.pictures.feet import html
from twobone.pictures.feet.header import SUMMARY

HEAD = 8192  # bytes at the start of a report that are searched for its figures
FIGURES = re.compile(rf'<meta name="{SUMMARY}" content="([^"]*)">')
MOST = 5000  # rows
COLUMNS = (  # key, heading, factor, digits
    ("frames", "frames", 1.0, 0),
    ("contacts", "contacts", 1.0, 0),
    ("drift_before", "drift before, mm", 1000.0, 1),
    ("drift_after", "drift after, mm", 1000.0, 1),
    ("body", "body moved, mm", 1000.0, 1),
    ("missed", "missed, mm", 1000.0, 1),
    ("air", "air moved, mm", 1000.0, 1),
    ("knees", "knees, ratio", 1.0, 2),
    ("steps", "new steps", 1.0, 0),
    ("checks", "look at", 1.0, 0),
)


def write_index(path, reports):
    """Write a page with a table of reports and links to them.

    The figures are read from the reports, so it does not matter when these were written.

    Parameters
    ----------
    path : path
        The page to write, in a folder above or beside the reports. It is written completely or not
        at all.
    reports : iterable of (str, path)
        For each clip its name, and the file that `write_html` wrote.

    Raises
    ------
    ArrayTypeError
        If `path` is not a path.
    OSError
        If the page cannot be written.

    Examples
    --------
    >>> from twobone.pictures.feet import write_index
    >>> write_index("reports/index.html", [("walk.bvh", "reports/walk.html")])  # doctest: +SKIP
    """
    atomic.check_path("path", path)
    reports = list(reports)
    folder = Path(path).parent
    rows = [_row(name, Path(report), folder) for name, report in reports[:MOST]]
    heads = "".join(f'<th scope="col" class="value">{heading}</th>' for _, heading, *_ in COLUMNS)
    more = f"<p>{len(reports) - MOST} more are not listed.</p>" if len(reports) > MOST else ""
    parts = [
        f"<h1>Pinned feet: {len(reports)} clips</h1>",
        "<p>Drift of heels and toes in contact, motion of the body and of feet in the air: 95 % of"
        " the frames are below. Missed: the farthest that a joint in contact is from its footplant."
        " Knees: acceleration after to before, 99.5 %. New steps: frames in which a hip, knee or"
        " ankle jerks as it did not before. Look at: how many remarks the report has.</p>",
        '<div class="scroll plain" tabindex="0" role="region" aria-label="Clips">',
        f'<table><thead><tr><th scope="col">clip</th>{heads}</tr></thead><tbody>',
        *rows,
        "</tbody></table></div>",
        more,
    ]
    with atomic.replacing(path) as file:
        file.write(html.page(f"Pinned feet: {len(reports)} clips", parts).encode())


def figures_of(report):
    """Return the figures of a report by name; none if there is no report."""
    try:
        with open(report, "rb") as file:
            head = file.read(HEAD).decode(errors="replace")
    except FileNotFoundError:
        return None
    found = FIGURES.search(head)
    try:
        values = json.loads(unescape(found[1])) if found else {}
    except ValueError:
        values = {}
    numbers = values if isinstance(values, dict) else {}
    return {key: v for key, v in numbers.items() if type(v) in (int, float) and math.isfinite(v)}


def _row(name, report, folder):
    figures = figures_of(report)
    if figures is None:
        cells = f'<td colspan="{len(COLUMNS)}">no report: it could not be pinned</td>'
        return f'<tr><th scope="row">{html.name(name)}</th>{cells}</tr>'
    # A relative address that no browser takes for one of another kind, such as "javascript:".
    relative = os.path.relpath(report, folder).replace(os.sep, "/")
    address = f"./{quote(os.fsencode(relative))}"
    cells = "".join(
        f'<td class="value">{_shown(figures.get(key), factor, digits)}</td>'
        for key, _, factor, digits in COLUMNS
    )
    return f'<tr><th scope="row"><a href="{address}">{html.name(name)}</a></th>{cells}</tr>'


def _shown(value, factor, digits):
    return "\N{EN DASH}" if value is None else f"{value * factor:.{digits}f}"
