"""Axes, grids and curves of plots; long curves are thinned to extremes of each column."""

import math

import numpy as np

from twobone.pictures.canvas import number


def round_step(length, most):
    """Return 1, 2 or 5 times a power of ten that divides a length into at most so many steps.

    Examples
    --------
    >>> from twobone.pictures.feet.axes import round_step
    >>> round_step(7.0, 4), round_step(0.3, 4), round_step(20.0, 4)
    (2.0, 0.1, 5.0)
    """
    if not 1e-9 < length < 1e15:
        return 1.0 if length <= 1e-9 else 1e15
    step = 10.0 ** math.floor(math.log10(length / most))
    return next(
        step * part for part in (1.0, 2.0, 5.0, 10.0) if length <= 1.0001 * most * step * part
    )


def ticks(low, high, most):
    """Return multiples of a round step within a range."""
    step = round_step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * i for i in range(first, min(last, first + most) + 1)]


def thinned(values, columns):
    """Return indices and values of a curve of at most two values for each column.

    Parameters
    ----------
    values : array, shape (T,)
        A value for each frame.
    columns : int
        How many columns there are.

    Returns
    -------
    frames : array
        Where to draw, in frames.
    values : array
        All values if there are at most two for each column; else the lowest and the highest value
        of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from twobone.pictures.feet.axes import thinned
    >>> thinned(np.array([3.0, 1.0, 2.0, 0.0, 9.0, 5.0, 6.0, 7.0]), 2)
    (array([1., 3., 5., 7.]), array([0., 3., 5., 9.]))
    """
    count = len(values)
    if count <= 2 * columns:
        return np.arange(count, dtype=float), values
    edges = np.linspace(0, count, columns + 1).astype(int)
    lows = np.minimum.reduceat(values, edges[:-1])
    highs = np.maximum.reduceat(values, edges[:-1])
    sizes = np.diff(edges)
    frames = np.stack([edges[:-1] + sizes / 4, edges[:-1] + 3 * sizes / 4], axis=-1)
    return frames.ravel(), np.stack([lows, highs], axis=-1).ravel()


def merged(spans, gap):
    """Return spans in order, those joined that are less than `gap` apart.

    Examples
    --------
    >>> from twobone.pictures.feet.axes import merged
    >>> merged([(10, 20), (0, 5), (6, 8)], 2)
    [(0, 8), (10, 20)]
    """
    found = []
    for first, last in sorted(spans):
        if found and first - found[-1][1] < gap:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def curve(classes, xs, ys):
    """Draw a curve through points, in px with one decimal."""
    pairs = [f"{number(x, 1)} {number(y, 1)}" for x, y in zip(xs, ys, strict=True)]
    return f'<path class="{classes}" d="M{"L".join(pairs)}"/>'


def near_path(points, apart):
    """Return the points of a path (N, 2) without those closer than `apart` to the one before."""
    kept = [points[0]]
    for point in points[1:-1]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= apart:
            kept.append(point)
    return np.array([*kept, points[-1]])


def grid(frame, step):
    """Draw a grid with lines at multiples of a step."""
    (x, y), scale = frame.origin, frame.scale
    data = []
    for low, high, line in (
        (-x, frame.width - x, "M{} 0V" + number(frame.height)),
        (y - frame.height, y, "M0 {}H" + number(frame.width)),
    ):
        upright = low == -x
        for i in range(math.ceil(low / scale / step), math.floor(high / scale / step) + 1):
            place = x + scale * step * i if upright else y - scale * step * i
            data.append(line.format(number(place, 1)))
    return f'<path class="rule" d="{"".join(data)}"/>'
