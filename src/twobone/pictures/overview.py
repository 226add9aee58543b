"""`overview`: a picture of many limbs at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from twobone.core import arrays, solver
from twobone.core.array_types import AnyArray
from twobone.core.policies import Status, Unreachable
from twobone.pictures import canvas, sketch, theme

WIDTH, MARGIN, FOOT = 720.0, 24.0, 56.0  # px
FEW = 3  # with more reachable ranges only their common range is drawn
MOST = 4000  # maximum number of targets drawn, evenly chosen
FAR = 1.3  # in longest reaches; a target beyond is drawn at the border
AXES = (  # the view axis, and the axes to the right and up with their signs
    ("x", ((2, -1.0), (1, 1.0)), "seen along x: \N{MINUS SIGN}z to the right, y up"),
    ("y", ((0, 1.0), (2, -1.0)), "seen along y: x to the right, \N{MINUS SIGN}z up"),
    ("z", ((0, 1.0), (1, 1.0)), "seen along z: x to the right, y up"),
)


class Crowd(NamedTuple):
    """Many limbs as they are drawn: points (n, 2) in the page's plane, y up, scaled."""

    target: np.ndarray
    joint: np.ndarray
    end: np.ndarray
    far: np.ndarray  # bool (n,): drawn at the border
    status: np.ndarray
    ranges: list  # distinct pairs of minimum and maximum reach
    size: float  # the longest maximum reach
    view: str  # how space was projected, or ""


def overview(
    targets: AnyArray,
    r1: AnyArray,
    r2: AnyArray,
    *,
    side: AnyArray = 1,
    pole: AnyArray | None = None,
    unreachable: Unreachable = "clamp",
    title: str | None = None,
) -> str:
    """Draw many limbs at once: the reachable range, the limbs, and targets marked by status.

    Targets in space are seen along the coordinate axis along which they vary least; the picture
    says which axis that is. A target far out of reach is drawn at the border with an arrow. If
    there are more than 4000 targets, only every second, third, ... is drawn, but all are counted.

    Parameters
    ----------
    targets : array, shape (..., 2) or (..., 3)
        Where the second bones must end.
    r1, r2, side, pole, unreachable
        As for `twobone.solve`; they broadcast with the targets.
    title : str, optional
        The title of the SVG, read by screen readers.

    Returns
    -------
    str
        The text of an SVG file.

    Examples
    --------
    >>> from twobone.pictures.svg import overview
    >>> text = overview([[1.0, 0.5], [3.0, 0.0]], 1.0, 0.8)
    >>> text.count('class="mark reached"'), text.count('class="mark too-far"')  # one in the legend
    (2, 2)
    """
    crowd = _look_at_many(targets, r1, r2, side, pole, unreachable)
    counts = {status: int(np.sum(crowd.status == status)) for status in Status}
    half = FAR * crowd.size
    box = np.array([half, half])
    frame = canvas.fit_frame(-box, box, width=WIDTH, tallest=720.0, margin=MARGIN, foot=FOOT)
    step = -(-len(crowd.status) // MOST) or 1
    shown = crowd._replace(
        **{name: getattr(crowd, name)[::step] for name in ("target", "joint", "end", "far")},
        status=crowd.status[::step],
    )
    parts = [_draw_ranges(crowd, frame), _draw_limbs(shown, frame), _draw_far(shown, frame)]
    parts += [_draw_marks(shown, frame), canvas.square("mark root edge", frame.at((0, 0)), 6.0)]
    parts.append(_draw_legend(counts, crowd, frame, step))
    said = ", ".join(f"{count} {theme.MARKS[status].word}" for status, count in counts.items())
    view = f" Targets in space, {crowd.view}." if crowd.view else ""
    title = title or f"{len(crowd.status):,} targets of two bones"
    return canvas.document(frame, title, f"Targets: {said}.{view}", tuple(Status), parts)


def _look_at_many(targets, r1, r2, side, pole, unreachable):
    """Solve many limbs and project them."""
    targets = np.asarray(arrays.as_array(arrays.NUMPY, "targets", targets), float)
    joint, end, status = solver.reach(
        targets, r1, r2, side=side, pole=pole, unreachable=unreachable
    )
    size = joint.shape[-1]
    joint, end = joint.reshape(-1, size), end.reshape(-1, size)
    targets = np.broadcast_to(targets, (*np.shape(status), size)).reshape(-1, size)
    lengths = np.broadcast_arrays(np.asarray(r1, float), np.asarray(r2, float))
    lengths = np.unique(np.stack([np.ravel(v) for v in lengths], axis=-1), axis=0)
    lengths = lengths[np.all(np.isfinite(lengths) & (lengths >= 0.0), axis=-1)]
    with np.errstate(all="ignore"):
        unit = sketch.unit_of(list(np.ravel(lengths)), targets)
        ranges = [(abs(a / unit - b / unit), a / unit + b / unit) for a, b in lengths]
        reach = max((outer for _, outer in ranges), default=0.0) or 1.0
        drawn, far = _kept_within(targets, unit, FAR * reach)
        joint, end = joint / unit, end / unit
        view, axes = _view_of(drawn) if size == 3 else ("", ((0, 1.0), (1, 1.0)))
        flat = [_project(points, axes) for points in (drawn, joint, end)]
        flat[1:] = [_kept_within(points, 1.0, FAR * reach)[0] for points in flat[1:]]
        if size == 3:  # targets moved to the border in space go to the border of the page
            flat[0] = np.where(far[:, None], _kept_out(flat[0], FAR * reach), flat[0])
    return Crowd(*flat, far, np.ravel(status), ranges, reach, view)


def _kept_within(targets, unit, most):
    """Return scaled targets, moved to distance `most` if they are farther, and which were."""
    size = np.max(np.abs(targets), axis=-1, keepdims=True)
    forward = targets / np.where(size > 0.0, size, 1.0)
    length = np.hypot.reduce(forward, axis=-1, keepdims=True)
    away = size / unit * length
    far = (away > most) & np.isfinite(size)
    border = forward * (most / np.where(length > 0.0, length, 1.0))
    inside = np.where(np.isfinite(size), targets / unit, np.nan)
    return np.where(far, border, inside), far[:, 0]


def _kept_out(points, most):
    length = np.hypot(points[:, 0], points[:, 1])[:, None]
    return points * (most / np.where(length > 0.0, length, 1.0))


def _view_of(points):
    """Return the view along the coordinate axis along which targets vary least, z if equal."""
    good = points[np.all(np.isfinite(points), axis=-1)]
    spread = np.var(good, axis=0) if len(good) else np.zeros(3)
    _, axes, said = AXES[2 - int(np.argmin(spread[::-1]))]
    return said, axes


def _project(points, axes):
    return np.stack([sign * points[:, axis] for axis, sign in axes], axis=-1)


# --- drawing many -------------------------------------------------------------------------


def _draw_ranges(crowd, frame):
    """Fill the reachable range; of several ranges, the annulus that contains all."""
    if not crowd.ranges:
        return ""
    centre, scale = frame.at((0.0, 0.0)), frame.scale
    if len(crowd.ranges) == 1:
        ((inner, outer),) = crowd.ranges
        return canvas.ring("ring", centre, 0.0 if crowd.view else inner * scale, outer * scale) + (
            canvas.circle("line hushed dashed", centre, inner * scale)
            if crowd.view and inner > 0.0
            else ""
        )
    inner = min(inner for inner, _ in crowd.ranges)
    parts = [canvas.ring("ring", centre, inner * scale, crowd.size * scale)]
    if len(crowd.ranges) <= FEW:
        radii = {radius for pair in crowd.ranges for radius in pair} - {inner, crowd.size, 0.0}
        parts += [canvas.circle("line hushed dashed", centre, v * scale) for v in sorted(radii)]
    return "".join(parts)


def _draw_limbs(crowd, frame):
    """Draw all limbs in translucent layers, so that colours are deeper where many overlap."""
    good = np.all(np.isfinite(crowd.joint) & np.isfinite(crowd.end), axis=-1)
    joint, end = crowd.joint[good], crowd.end[good]
    if not len(joint):
        return ""
    layers = min(len(joint), 40)
    opacity = canvas.number(max(1.1 * len(joint) ** -0.25, 0.15))
    root = frame.at((0.0, 0.0))
    parts = []
    for layer in range(layers):
        pairs = [
            (frame.at(x), frame.at(e))
            for x, e in zip(joint[layer::layers], end[layer::layers], strict=True)
        ]
        first = "".join(canvas.path_data(root, x, digits=1) for x, _ in pairs)
        second = "".join(canvas.path_data(x, e, digits=1) for x, e in pairs)
        parts.append(f'<path class="bone thin second" d="{second}"/>')
        parts.append(f'<path class="bone thin first" d="{first}"/>')
    joints = f'<g class="joints">{_dots(joint, frame)}</g>'
    return f'<g opacity="{opacity}">{"".join(parts)}{joints}</g>'


def _dots(points, frame):
    shapes = (canvas.status_shape(Status.REACHED, frame.at(point), 1.5) for point in points)
    return f'<path class="mark joint" d="{"".join(shapes)}"/>'


def _mark_size(count):
    return 5.5 if count <= 60 else 4.0 if count <= 600 else 2.5


def _draw_far(crowd, frame):
    """Draw arrows from the border towards targets beyond it."""
    parts = []
    for point in crowd.target[crowd.far & (crowd.status != Status.INVALID)]:
        size = np.hypot(*point)
        direction = (point[0] / size, -point[1] / size) if size > 0.0 else (1.0, 0.0)
        x, y = frame.at(point)
        tip = (x + 18.0 * direction[0], y + 18.0 * direction[1])
        parts.append(canvas.arrow("line too-far", tip, direction, 9.0))
    return "".join(parts)


def _draw_marks(crowd, frame):
    """Draw the markers of targets, the reached ones first, so below the others."""
    size = _mark_size(len(crowd.status))
    parts = []
    for status in Status:
        chosen = crowd.status == status
        points = crowd.target[chosen & np.all(np.isfinite(crowd.target), axis=-1)]
        if len(points):
            data = "".join(canvas.status_shape(status, frame.at(p), size) for p in points)
            parts.append(f'<path class="mark {theme.css_class(status)}" d="{data}"/>')
    return "".join(parts)


def _draw_legend(counts, crowd, frame, step):
    base, x = frame.height - 22.0, MARGIN
    parts = []
    for status, count in counts.items():
        if not count and status != Status.REACHED:
            continue
        shape = canvas.status_shape(status, (x + 6.0, base - 5.5), 6.0)
        parts.append(f'<path class="mark {theme.css_class(status)}" d="{shape}"/>')
        text = f"{count:,} {theme.MARKS[status].word}"
        parts.append(canvas.words((x + 20.0, base), ("ink", text)))
        x += 20.0 + 8.2 * len(text) + 24.0
    notes = [crowd.view] if crowd.view else []
    notes += (
        [f"{len(crowd.ranges):,} different limbs: the shaded area contains all reachable ranges"]
        if len(crowd.ranges) > 1
        else []
    )
    notes += [f"1 of {step} is drawn"] if step > 1 else []
    parts += [
        canvas.words((MARGIN, 32.0 + 20.0 * row), ("small hushed", note))
        for row, note in enumerate(notes)
    ]
    return "".join(parts)
