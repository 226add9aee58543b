"""Footprints from above: paths of heels and toes before and after, and where they are held."""

import numpy as np

from twobone.pictures import canvas
from twobone.pictures.feet import axes, html
from twobone.pictures.feet.subject import side_of

WIDTH, MARGIN, TALL = 1096.0, 24.0, 420.0  # px
FINE = 0.7  # px between the points of paths
MOST = 1500  # points of a path


def above(subject):
    """Return a picture of the close-up from above; the body faces to the right."""
    x, _, z = subject.forward
    across = np.array([[x, 0.0, z], [z, 0.0, -x]])
    first, last = subject.close
    paths = [
        [at[first:last] @ across.T for at in (track.before, track.after)]
        for track in subject.tracks
    ]
    points = np.concatenate([each for pair in paths for each in pair])
    low, high = points.min(0), points.max(0)
    room = max(float(high[0] - low[0]), 0.25 * subject.leg)
    tall = max(float(high[1] - low[1]), 0.1 * subject.leg)
    scale = min((WIDTH - 2 * MARGIN) / room, TALL / tall)
    height = scale * tall + 2 * MARGIN
    middle = 0.5 * (low + high)
    frame = canvas.Frame(
        (0.5 * WIDTH - scale * middle[0], 0.5 * height + scale * middle[1]), scale, WIDTH, height
    )
    step = axes.round_step(WIDTH / scale, 12)
    parts = [axes.grid(frame, step)]
    held = [
        (track, number, hold)
        for number, track in enumerate(subject.tracks)
        for hold in track.holds
        if hold.first < last and hold.stop > first
    ]
    for _, number, hold in held:
        part = slice(max(hold.first, first) - first, hold.stop - first)
        parts.append(_path(frame, paths[number][0][part], "slid"))
    parts += [_path(frame, was, "path") for was, _ in paths]
    parts += [_path(frame, now, "now") for _, now in paths]
    parts += [_anchor(subject, track, frame.at(across @ hold.place)) for track, _, hold in held]
    parts.append(canvas.arrow("rule zero", (MARGIN + 40.0, 16.0), (1.0, 0.0), 32.0))
    title = f"Footprints from above, frames {first} to {last - 1}"
    said = (
        f"Paths of {len(paths)} heels and toes before and after, and {len(held)} footplants; the"
        f" body faces to the right; lines of the grid are {step:g} m apart."
    )
    box = f"{WIDTH:g} {canvas.number(height)}"
    wide, tall = box.split()
    size = f'width="{wide}" height="{tall}" viewBox="0 0 {box}"'
    return html.svg(title, said, parts, size=size), step


def _path(frame, path, classes):
    """Draw a path (N, 2), thinned to what can be seen."""
    at = np.array([frame.at(point) for point in path[:: -(-len(path) // MOST)]])
    return axes.curve(classes, *axes.near_path(at, FINE).T)


def _anchor(subject, track, point):
    """Draw where a joint is held: heels large, toes small; hollow on the right side."""
    x, y = (canvas.number(v, 1) for v in point)
    size = 4.0 if track.role == "toe" else 6.0
    classes = "hollow" if side_of(subject.limbs[track.foot]) == "right" else "disc"
    return f'<circle class="{classes}" cx="{x}" cy="{y}" r="{size:g}"/>'
