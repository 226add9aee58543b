"""Close-ups of footplants: where a heel or toe slid while in contact, and where it is held now."""

import numpy as np

from twobone.pictures import canvas
from twobone.pictures.feet import axes, html

MOST = 24  # footplants that are shown
SIZE, MARGIN = 120.0, 12.0  # px of a cell
POINTS = 400  # of a path
SMALLEST = 0.02  # legs: half of the smallest width of a cell


def closeups(subject):
    """Return cells for the footplants of the close-up, by frame, and the grid's step in metres.

    Of many footplants, those are shown in which joints slid the most.
    """
    first, last = subject.close
    x, _, z = subject.forward
    across = np.array([[x, 0.0, z], [z, 0.0, -x]])
    found = [
        (track, hold, _around_mean(track.before[hold.first : hold.stop]) @ across.T)
        for track in subject.tracks
        for hold in track.holds
        if hold.first < last and hold.stop > first
    ]
    found.sort(key=lambda row: -float(np.abs(row[2]).max()))
    left_out = max(len(found) - MOST, 0)
    found = sorted(found[:MOST], key=lambda row: (row[1].first, row[0].foot, row[0].role))
    half = max((float(np.abs(path).max()) for *_, path in found), default=0.0)
    half = max(half, SMALLEST * subject.leg)
    step = axes.round_step(2.0 * half, 4)
    frame = canvas.Frame((0.5 * SIZE, 0.5 * SIZE), (0.5 * SIZE - MARGIN) / half, SIZE, SIZE)
    cells = [_cell(subject, track, hold, path, across, frame, step) for track, hold, path in found]
    if not cells:
        return [], step, 0
    return ['<ol class="cells small">', *cells, "</ol>"], step, left_out


def _around_mean(at):
    """Return positions from their mean: where a joint is held, unless the body moves as well."""
    return at - at.mean(axis=0)


def _cell(subject, track, hold, before, across, frame, step):
    """Draw one footplant from above; the body faces to the right."""
    after = (track.after[hold.first : hold.stop] - hold.place) @ across.T
    farthest = [1000.0 * float(np.hypot(*path.T).max()) for path in (before, after)]
    x, y = frame.at(_thin(before)[0])
    parts = [
        axes.grid(frame, step),
        _path(frame, before, "was"),
        f'<circle class="start" cx="{canvas.number(x, 1)}" cy="{canvas.number(y, 1)}" r="4"/>',
        canvas.circle("ring", frame.origin, 7.0),
        _path(frame, after, "now"),
        canvas.circle("disc", frame.at(_thin(after)[-1]), 3.5),
    ]
    where = f"{html.text(subject.names[track.foot])}, {track.role}"
    frames = f"frames {hold.first}\N{EN DASH}{hold.stop - 1}"
    moved = f"up to {farthest[0]:.0f} mm away before, {farthest[1]:.0f} mm after"
    size = f'viewBox="0 0 {SIZE:g} {SIZE:g}"'
    picture = html.svg(f"{where}, {frames}", f"From above: {moved}.", parts, size=size)
    arrow = f"{farthest[0]:.0f} \N{RIGHTWARDS ARROW} {farthest[1]:.0f} mm"
    return f"<li>{picture}{where}<br><small>{frames}<br>{arrow}</small></li>"


def _path(frame, path, classes):
    at = np.array([frame.at(point) for point in _thin(path)])
    return axes.curve(classes, *axes.near_path(at, 0.5).T)


def _thin(path):
    return path[:: -(-len(path) // POINTS)]
