"""The speed picture of the README: targets per second by targets per call, and copying speed.

`draw` takes the JSON that speed.py wrote; docs/make_pictures.py draws the picture from it.
"""

import math

from twobone.commands import bench_rows as rows
from twobone.pictures import canvas

WIDTH, HEIGHT = 720.0, 512.0
LEFT, RIGHT, TOP, BOTTOM = 80.0, 576.0, 48.0, 448.0
DECADES = 1, 10  # range of targets per second, as powers of ten
LINES = {  # row name: label, colour and stroke
    rows.OURS: ("twobone", "joint", "line inside"),
    "numba": ("numba", "second", "line"),
    "torch.compile": ("torch.compile", "second", "line dashed"),
    "jax.jit": ("jax.jit", "target", "line"),
    "article": ("NumPy, article", "first", "line"),
    "cosines": ("NumPy, cosines", "first", "line dashed"),
    "torch": ("torch", "across", "line dashed"),
}
DOTS = ("solve_xy", "armkin", "EAIK", "roboticstoolbox", "ikpy", "tinyik")  # one limb per call
START = LEFT + 128.0  # of the lines; to their left are the solvers of one limb per call
ROOM = 17.0  # minimum distance of labels, in px
TICKS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw(found):
    """Return the picture as SVG text."""
    known = [row for row in rows.from_json(found) if is_shown(row.case)]
    counts = sorted({row.case.count for row in known})
    roof = best(known, rows.COPIES)
    place = Place(max(counts))
    parts = [*grid(place), *roof_of(place, roof)]
    names = []
    for who, (name, colour, classes) in LINES.items():
        speeds = best(known, (who,))
        if speeds:
            points = [place.at(n, speed) for n, speed in sorted(speeds.items())]
            parts.append(canvas.line(f"{colour} {classes}", *points))
            parts += [canvas.circle(f"{colour} mark", point, 3.5) for point in points]
            names.append((points[-1][1], colour, name))
    names.sort()
    for (_, colour, name), y in zip(names, spread([y for y, *_ in names]), strict=True):
        parts.append(canvas.words((RIGHT + 12.0, y), (f"{colour} small", name)))
    singles = {
        row.who: 1.0 / row.median for row in known if row.case.count == 1 and row.who in DOTS
    }
    for name, speed in singles.items():
        x, y = LEFT + 12.0, place.at(1, speed)[1]
        parts.append(canvas.square("ink mark", (x, y), 3.5))
        parts.append(canvas.words((x + 10.0, y + 4.0), ("hushed small", name)))
    machine = found["machine"]
    about = f"Plane, float64, all {machine['threads']} threads; {machine['processor']}."
    title = "Targets per second, by targets per call"
    frame = canvas.Frame((0.0, 0.0), 1.0, WIDTH, HEIGHT)
    told = "; ".join(f"{name}: {speed:.2g} per second" for name, speed in singles.items())
    ours = best(known, (rows.OURS,))[max(counts)]
    text = f"{about} twobone at {max(counts):,}: {ours:.2g} per second. One limb per call: {told}."
    return canvas.document(frame, title, text, (), parts)


def is_shown(case):
    return (case.place, case.dtype) == ("plane", "float64")


def best(known, names):
    """Return the highest number of targets per second, by number of targets per call."""
    found = {}
    for row in known:
        if row.who in names:
            count = row.case.count
            found[count] = max(found.get(count, 0.0), count / row.median)
    return found


class Place:
    """The mapping of a number of targets and a speed to px, on logarithmic axes."""

    def __init__(self, most):
        self.most = math.log10(most) or 1.0

    def at(self, count, speed):
        low, high = DECADES
        up = min(max((math.log10(speed) - low) / (high - low), 0.0), 1.0)
        across = math.log10(count) / self.most
        return START + across * (RIGHT - START), BOTTOM - up * (BOTTOM - TOP)


def grid(place):
    """Draw the axes: a line and a label for each power of ten."""
    for power in range(DECADES[0], DECADES[1] + 1):
        _, y = place.at(1, 10.0**power)
        yield canvas.line("hushed line other", (LEFT, y), (RIGHT, y))
        yield canvas.words((LEFT - 8.0, y + 4.0), ("hushed number", ten(power)), anchor="end")
    for power in range(round(place.most) + 1):
        x, _ = place.at(10**power, 1.0)
        yield canvas.line("hushed line", (x, BOTTOM), (x, BOTTOM + 6.0))
        yield canvas.words((x - 8.0, BOTTOM + 24.0), ("hushed number", ten(power)))
    yield canvas.words((LEFT - 56.0, TOP - 24.0), ("ink small", "targets per second"))
    yield canvas.words((LEFT, BOTTOM + 24.0), ("ink small", "one by one"))
    yield canvas.words((RIGHT, BOTTOM + 48.0), ("ink small", "targets in one call"), anchor="end")


def roof_of(place, roof):
    """Draw the speed of the fastest copy, and fill the area above it."""
    points = [place.at(n, speed) for n, speed in sorted(roof.items())]
    corners = [(points[-1][0], TOP), (points[0][0], TOP)]
    yield f'<path class="ink wash" d="{canvas.path_data(*points, *corners)}z"/>'
    yield canvas.line("ink line circle", *points)
    yield canvas.words(
        (START + 8.0, TOP + 20.0), ("ink small", "faster than copying the same bytes")
    )


def ten(power):
    return "10" + str(power).translate(TICKS)


def spread(heights):
    """Move labels apart that are too close, keeping their order."""
    placed = []
    for y in heights:
        placed.append(max(y + 4.0, placed[-1] + ROOM) if placed else y + 4.0)
    return placed
