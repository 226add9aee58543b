"""Placement of symbols in a picture, clear of its lines and of each other."""

import math
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from twobone.pictures import theme
from twobone.pictures.canvas import line, number

STEP = 3.0  # px between the points that represent a line


class Label(NamedTuple):
    """A symbol to be placed near one of several anchors, the preferred anchor first."""

    thing: str  # the thing whose colour it has
    text: str
    sub: str  # subscript
    anchors: tuple  # of (point, direction to try first, minimum distance)
    before: str = ""  # a factor before the symbol, upright


def points_on_line(a, b):
    """Return points along a line segment."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    count = int(min(np.hypot(*(b - a)), 4000.0) / STEP) + 2
    return a + np.linspace(0.0, 1.0, count)[:, None] * (b - a)


def points_on_circle(centre, radius):
    """Return points along a circle."""
    turn = np.linspace(0.0, 2.0 * np.pi, int(min(radius, 2000.0) * 6.3 / STEP) + 8)
    return np.asarray(centre, float) + radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)


def points_in_disc(centre, radius):
    """Return points that cover a disc."""
    radii = np.arange(0.0, radius + 0.1, STEP)
    return np.concatenate([points_on_circle(centre, r) for r in radii])


def place_labels(labels, busy, frame, foot):
    """Write labels where they cover neither the points `busy` nor each other.

    Labels are placed in order. `busy` has shape (N, 2), in px; `foot` is the height of the strip
    at the bottom that is kept free.
    """
    written, boxes = [], []
    for label in labels:
        place = _best_place(label, busy, boxes, frame, foot)
        half = _half_size(label)
        boxes.append((place.centre, half))
        if place.distance > 10.0:
            written.append(_leader(label, place, half))
        written.append(_symbol(label, place.centre, crowded=place.cost > 1.0))
    return "".join(written)


class Place(NamedTuple):
    """A possible place of a label, and its cost."""

    cost: float
    centre: np.ndarray
    anchor: np.ndarray  # the point it labels
    distance: float  # beyond the minimum distance from the anchor


def _best_place(label, busy, boxes, frame, foot):
    """Return the cheapest place for a label."""
    half = _half_size(label)
    low, high = half + 6.0, np.array([frame.width, frame.height - foot]) - half - 6.0
    best = Place(math.inf, busy[0], busy[0], 0.0)
    for rank, (point, direction, least) in enumerate(label.anchors):
        point = np.asarray(point, float)
        first = math.atan2(direction[1], direction[0])
        for step, (distance, turn) in enumerate(_tries()):
            outward = np.array([math.cos(first + turn), math.sin(first + turn)])
            reach = least + distance + abs(outward[0]) * half[0] + abs(outward[1]) * half[1]
            centre = point + reach * outward
            cost = 0.006 * step + 0.1 * rank + 0.01 * distance
            if cost >= best.cost:
                continue
            cost += 50.0 * float(np.any((centre < low) | (centre > high)))
            cost += _met(centre, half, busy) + _met_boxes(centre, half, boxes)
            if cost < best.cost:
                best = Place(cost, centre, point, distance)
    return best


def _tries():
    """Return distances and angles to try, near and in the preferred direction first."""
    turns = (0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.6, -1.6, 2.1, -2.1, 2.6, -2.6, math.pi)
    return [(distance, turn) for distance in (0.0, 6.0, 14.0, 26.0, 40.0) for turn in turns]


def _met(centre, half, busy):
    """Return the cost of a box: 1 for each point it covers, 0.05 for each point close to it."""
    away = np.abs(busy - centre) - half
    worst = np.max(away, axis=-1)
    return float(np.sum(worst < 2.0)) + 0.05 * float(np.sum(worst < 5.0))


def _met_boxes(centre, half, boxes):
    return 20.0 * sum(
        bool(np.all(np.abs(centre - other) < half + size + 2.0)) for other, size in boxes
    )


def _half_size(label):
    """Return the approximate half width and half height of a symbol."""
    plain = sum(0.58 if letter.isalnum() else 0.4 for letter in label.text) * theme.SYMBOLS
    small = 0.6 * theme.SMALL * len(label.sub) + 0.62 * theme.WORDS * len(label.before)
    return np.array([0.5 * (plain + small), 0.36 * theme.SYMBOLS + 2.0])


def _symbol(label, centre, crowded):
    """Write a symbol, with a halo if it covers lines."""
    x, y = centre[0], centre[1] + 0.27 * theme.SYMBOLS
    classes = f"symbol {label.thing}" + (" halo" if crowded else "")
    before = f'<tspan class="factor">{escape(label.before)}</tspan> ' if label.before else ""
    sub = f'<tspan class="sub" dy="5">{escape(label.sub)}</tspan>' if label.sub else ""
    return (
        f'<text class="{classes}" x="{number(x)}" y="{number(y)}">'
        f"{before}{escape(label.text)}{sub}</text>"
    )


def _leader(label, place, half):
    """Draw a thin line from a label to the point it labels."""
    away = place.anchor - place.centre
    length = np.hypot(*away)
    start = place.centre + away * (np.hypot(*half) / length)
    return line(f"line {label.thing}", start, place.anchor - away * (5.0 / length))
