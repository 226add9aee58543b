"""`write_svg`: a walk as one picture, with poses from the side, the path and the stance phases.

Each pose is drawn from the side of the animal, at the distance that it has covered, so a walk
that turns is drawn like a straight one.
"""

from __future__ import annotations

import math
import os
from typing import BinaryIO, NamedTuple

import numpy as np

from twobone.creature.appearance import NODES
from twobone.creature.polygons import hull
from twobone.errors import FileError
from twobone.files import atomic
from twobone.files.recordings import Recording, check
from twobone.pictures import canvas, figure, scene
from twobone.pictures.footprints import footprints, ground_of
from twobone.pictures.legs import cones_of, has_ankle, points_of
from twobone.pictures.shading import Shading
from twobone.rotations import rotate
from twobone.terrain.ground import Ground, ground_of_walk

WIDTH, MARGIN, LABEL = 960.0, 24.0, 40.0  # px: width of the page, margin, space for row names
TALL = 260.0  # px; maximum height of the view from above
LARGE = 270.0  # px; minimum length of the animal, which limits how much of the walk is drawn
POSES = 9  # approximate number of poses
LONGEST = 12.0  # seconds; maximum time for which stance phases are drawn
LENGTHIEST = 1e9  # seconds; maximum duration of a walk
MOST_LEGS, MOST_PRINTS, POINTS = 256, 1500, 160
ROW = 16.0  # px
SMALL = 0.12  # lengths of a leg; smaller parts are drawn only in the last pose
# Shadows on the ground, in lengths of a leg: how thick that of the body is (those of feet are half
# as thick), how far that of a foot reaches, and the height of a foot at which it fades. The last
# number is the strength of that of the body, where feet that stand have 1.
THICK, WIDE, FADES, BELOW = 0.07, 0.11, 0.12, 0.8
BODY = tuple(node for node in NODES if node != "foot")
RULES = (
    ".twobone .limb{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}"
    ".twobone .earth{fill:currentColor;opacity:.08}"
)


class Walk(NamedTuple):
    """A recording and what drawing it needs."""

    recording: Recording
    place: np.ndarray  # (T, 3): of the body
    along: np.ndarray  # (T): distance covered by the body
    forward: np.ndarray  # (T, 3): horizontal unit vectors, the body's heading
    span: float  # size of the animal
    figure: figure.Figure
    poses: figure.Pose  # in all frames
    bent: np.ndarray  # (L), bool: legs with a third segment
    left: np.ndarray  # (L), bool: legs of the left side
    order: list  # legs in the order of the rows: left, then right, from front to rear
    window: tuple  # first and last frame drawn from the side
    shading: Shading
    bones: bool  # whether bones are to be told apart


def write_svg(
    file: str | os.PathLike[str] | BinaryIO,
    recording: Recording,
    terrain: Ground | None = None,
    *,
    bones: bool = False,
) -> None:
    """Write a walk as one SVG picture.

    Parameters
    ----------
    file : path or binary file
        Where to write. A path is written completely or not at all.
    recording : Recording
        Must be finite.
    terrain : terrain, callable or 0, optional
        As for `twobone.creature.report`. By default a smooth surface through the
        footprints.
    bones : bool
        Whether the two bones of legs are blue and orange, as in diagrams, instead of the animal's
        own colours.

    Raises
    ------
    FileError
        If a field of the recording is invalid.
    CreatureError
        If the terrain returns heights that are not finite, or is a number other than 0.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> from twobone import creature
    >>> from twobone.pictures.walking import write_svg
    >>> write_svg("dog.svg", creature.walk("dog", seconds=4))  # doctest: +SKIP
    """
    text = draw(recording, terrain, bones=bones)
    with atomic.opened(file) as opened:
        opened.write(text.encode())


def draw(recording, terrain=None, *, bones=False):
    """Return the text of an SVG picture of a walk; see `write_svg`."""
    walk = _look_at(recording, bones=bones)
    if terrain is None:
        terrain = ground_of(walk.recording, scene.leg_of(walk.recording, walk.span))
    height = ground_of_walk(terrain).height
    side, top = _draw_side(walk, height, MARGIN)
    above, top = _draw_above(walk, top + 16.0)
    steps, top = _draw_steps(walk, top + 16.0)
    seconds = walk.recording.dt * (len(walk.along) - 1)
    legs = len(walk.recording.bones)
    title = f"A walk on {legs} legs"
    said = (
        f"{seconds:.3g} seconds, {walk.along[-1]:.3g} metres: poses of the animal from the side;"
        " its path and footprints from above; and the times when each foot is on the ground."
    )
    frame = canvas.Frame((0.0, 0.0), 1.0, WIDTH, 8.0 * math.ceil((top + MARGIN) / 8.0))
    style = f"<style>{RULES}{walk.shading.style()}</style>"
    return canvas.document(
        frame, title, said, (), [style, walk.shading.gradients(), *side, *above, *steps]
    )


def _look_at(recording, *, bones=False):
    recording = check(recording, finite=True)
    legs = len(recording.bones)
    if legs > MOST_LEGS:
        wanted = f"at most {MOST_LEGS} rows (legs) for a picture"
        raise FileError("the recording", wanted, legs, field="bones")
    if not recording.dt * len(recording.time) <= LENGTHIEST:
        wanted = f"a walk of at most {LENGTHIEST:g} s for a picture"
        raise FileError("the recording", wanted, f"{recording.dt:g} per frame", field="dt")
    span = scene.span_of(recording)
    place = recording.body_position
    forward = rotate(recording.body_rotation, np.array([0.0, 0.0, 1.0])) * [1.0, 0.0, 1.0]
    size = np.linalg.norm(forward, axis=-1, keepdims=True)
    forward = np.where(size > 1e-6, forward / np.maximum(size, 1e-6), [0.0, 0.0, 1.0])
    steps = np.diff(place, axis=0, prepend=place[:1])
    # Distance along the heading, negative if it walks backwards; for an animal that walks mostly
    # sideways, the length of its path.
    along = np.cumsum(np.sum(steps * forward, axis=-1))
    length = np.cumsum(np.linalg.norm(steps * [1.0, 0.0, 1.0], axis=-1))
    along = along if np.ptp(along) > 0.5 * length[-1] else length
    hips = figure.hips_in_body(recording)
    shape = figure.figure_of(recording, np.clip(hips, -span, span), scene.leg_of(recording, span))
    shape = shape.with_bones() if bones else shape
    hips = hips.mean(axis=0)
    poses = figure.poses_of(shape, recording)
    left = hips[:, 0] > 0.0
    order = sorted(range(legs), key=lambda leg: (not left[leg], -round(hips[leg, 2] / span, 6)))
    window = _choose_window(along, span)
    bent = has_ankle(recording.bones)
    seen = recording, place, along, forward, span, shape, poses, bent, left, order, window
    return Walk(*seen, Shading(shape.colours), bool(bones))


def _choose_window(along, span):
    """Return the first and last frame drawn from the side: as many as fit, about the middle."""
    most = ((WIDTH - 2.0 * MARGIN) / LARGE - 1.0) * span
    if np.ptp(along) <= most:
        return 0, len(along) - 1
    first = len(along) // 2
    last = first
    while True:  # grows by one frame at both ends
        wider = max(first - 1, 0), min(last + 1, len(along) - 1)
        if np.ptp(along[wider[0] : wider[1] + 1]) > most or wider == (first, last):
            return first, last
        first, last = wider


# --- from the side ------------------------------------------------------------------------


def _draw_side(walk, height, top):
    """Draw poses over the ground; return the parts and their lower edge."""
    first, last = walk.window
    some = np.unique(np.linspace(first, last, POSES).round().astype(int))
    flat = _flatten(walk, some)
    low, high = (f(axis=(0, 1)) for f in (flat.min, flat.max))
    profile = _profile(walk, height, low[0], high[0])
    low[1], high[1] = min(low[1], profile[:, 1].min()), max(high[1], profile[:, 1].max())
    room = 0.03 * walk.span
    low, high = low - room, high + room
    scale = (WIDTH - 2.0 * MARGIN) / max(high[0] - low[0], 0.2 * (high[1] - low[1]), 1e-12)
    scale = min(scale, 420.0 / (high[1] - low[1]))
    top += 24.0
    bottom = top + scale * (high[1] - low[1])
    middle = 0.5 * WIDTH - scale * 0.5 * (low[0] + high[0])
    frame = canvas.Frame((middle, bottom + scale * low[1]), scale, WIDTH, 0.0)
    every = walk.recording.dt * (last - first) / max(len(some) - 1, 1)
    parts = [_title(top - 12.0, "from the side", f"every {canvas.quantity(every)} s")]
    parts += _earth(frame, profile, bottom)
    parts.append(_foot_path(walk, frame))
    parts.append(_shadows(walk, frame, some[-1], profile))
    for frame_number, share in zip(some, np.linspace(0.0, 1.0, len(some)), strict=True):
        parts.append(_pose(walk, frame, frame_number, share))
    return parts, bottom + 8.0


def _flatten(walk, frames):
    """Return the joints of legs and the body's outline in the side view, (F, N, 2)."""
    points = points_of(walk.recording, frames).reshape(len(frames), -1, 3)
    outlines = [
        np.concatenate([corners for _, corners in _outlines(walk, number, BODY)])
        for number in frames
    ]
    return np.concatenate([_along(walk, frames[:, None], points), outlines], axis=1)


def _along(walk, frames, points):
    off = points - walk.place[frames]
    ahead = walk.along[frames] + np.sum(off * walk.forward[frames], axis=-1)
    return np.stack([ahead, points[..., 1]], axis=-1)


def _profile(walk, height, start, stop):
    """Return the ground below the near feet, continued straight ahead at both ends."""
    first, last = walk.window
    rows = slice(first, last + 1)
    along, position = walk.along[rows], walk.place[rows]
    forward = walk.forward[rows]
    near = walk.recording.feet[rows][:, _near(walk)].mean(axis=1) - position
    aside = np.stack([forward[:, 2], 0.0 * along, -forward[:, 0]], axis=-1)
    aside *= np.median(np.sum(near * aside, axis=-1))
    grows, index = np.unique(np.maximum.accumulate(along), return_index=True)
    ahead = np.linspace(start, stop, POINTS)
    beyond = ahead - np.clip(ahead, grows[0], grows[-1])
    end = np.where(beyond < 0.0, index[0], index[-1])
    line = (position + aside)[index]
    x, z = (np.interp(ahead, grows, line[:, i]) + beyond * forward[end, i] for i in (0, 2))
    return np.stack([ahead, height(x, z)], axis=-1)


def _earth(frame, profile, bottom):
    points = [frame.at(point) for point in profile]
    corners = [(points[-1][0], bottom + 8.0), (points[0][0], bottom + 8.0)]
    filled = canvas.path_data(*points, *corners, digits=1)
    return [
        f'<path class="earth ink" d="{filled}z"/>',
        f'<path class="line hushed" d="{canvas.path_data(*points, digits=1)}"/>',
    ]


def _foot_path(walk, frame):
    """Draw the path of the foremost foot of the near side."""
    first, last = walk.window
    some = np.unique(np.linspace(first, last, 5 * POINTS).round().astype(int))
    flat = _along(walk, some, walk.recording.feet[some, _near(walk)[0]])
    data = canvas.path_data(*(frame.at(point) for point in flat), digits=1)
    return f'<path class="circle target" opacity=".6" d="{data}"/>'


def _shadows(walk, frame, number, profile):
    """Draw the soft shadows under the body and the feet of a pose."""
    leg, recording = walk.figure.leg, walk.recording
    outlines = np.concatenate([corners for _, corners in _outlines(walk, number, ("body",))])
    low, high = outlines[:, 0].min(), outlines[:, 0].max()
    spots = [(0.5 * (low + high), 0.55 * (high - low), THICK, BELOW)]
    feet = _along(walk, number, recording.feet[number])[:, 0]
    above = np.maximum(recording.feet[number, :, 1] - recording.ground[number], 0.0) / leg
    for at, strength in zip(feet, np.exp(-((above / FADES) ** 2)), strict=True):
        spots.append((at, WIDE * leg, 0.5 * THICK, float(strength)))
    drawn = ""
    for at, half, thick, strength in spots:
        ends = np.interp([at - half, at + half], *profile.T)
        centre = frame.at((at, float(np.interp(at, *profile.T))))
        slope = math.degrees(math.atan2(ends[0] - ends[1], 2.0 * half))
        size = frame.scale * half, frame.scale * thick * leg
        drawn += walk.shading.shadow(centre, size, slope, strength)
    return drawn


def _near(walk):
    """Return the legs nearer to the viewer: the right ones, as the animal walks to the right."""
    right = [leg for leg in walk.order if not walk.left[leg]]
    return right or list(walk.order)


def _pose(walk, frame, number, share):
    """Draw the animal in one frame: the last pose with all details, others as shadows and lines."""
    near = _near(walk)
    if share < 1.0:
        large = [
            corners
            for part, corners in _outlines(walk, number, BODY)
            if np.max(np.ptp(corners, axis=0)) > SMALL * walk.figure.leg
        ]
        drawn = _filled("ink", frame, *large) + _legs(walk, frame, number, near, 2.5)
        return f'<g opacity="{canvas.number(0.12 + 0.26 * share)}">{drawn}</g>'
    far = [leg for leg in walk.order if leg not in near]
    behind = "".join(_whole_leg(walk, frame, number, leg) for leg in far)
    body = "".join(
        _shaded(walk, part.paint, frame, corners) for part, corners in _outlines(walk, number, BODY)
    )
    front = "".join(_whole_leg(walk, frame, number, leg) for leg in near)
    points = _along(walk, number, points_of(walk.recording, number))[..., 1]
    ends = (frame.at((0.0, end))[1] for end in (points.max(), points.min()))
    return f'{walk.shading.leg_gradients(*ends)}<g opacity=".6">{behind}</g>{body}{front}'


def _outlines(walk, number, nodes):
    """Return the parts of some nodes with their outlines in the side view, from far to near.

    How near a part is counts across its own space: those on the midline stay in their order where
    the head turns.
    """
    forward = walk.forward[number]
    pose = walk.poses.at(number)
    axes = np.stack([forward, [0.0, 1.0, 0.0]])
    offset = [walk.along[number] - forward @ walk.place[number], 0.0]
    left = np.array([forward[2], 0.0, -forward[0]])
    parts = [
        (part, place, turn)
        for part in walk.figure.of(*nodes)
        for place, turn in pose.spaces_of(part)
    ]
    parts.sort(key=lambda found: -float(rotate(found[2], _aside(walk.figure, found[0])) @ left))
    return [(part, figure.outline(part, place, turn, axes) + offset) for part, place, turn in parts]


def _aside(drawn, part):
    """Return how far to the left of the midline a part is in the body's space, as a vector."""
    return figure.middle_of(figure.part_in_body(drawn, part)) * [1.0, 0.0, 0.0]


def _middle(part, place, turn):
    """Return the place of a part."""
    return place + rotate(turn, figure.middle_of(part))


def _filled(thing, frame, *outlines):
    data = "".join(
        canvas.path_data(*(frame.at(point) for point in corners), digits=1) + "z"
        for corners in outlines
    )
    return f'<path class="mark {thing}" d="{data}"/>'


def _shaded(walk, paint, frame, *outlines):
    """Fill outlines in the colour of a paint, light above and dark below."""
    return _filled(f"shaded {walk.shading.name(paint)}", frame, *outlines)


def _whole_leg(walk, frame, number, leg):
    """Draw a leg with its thickness, its joints and its foot, with a ring if it is in stance."""
    recording, radii = walk.recording, walk.figure.legs[leg]
    points = _along(walk, number, points_of(recording, number)[leg])
    _, knee, _, foot = points
    least = 1.25 / frame.scale  # px
    cones = cones_of(points, radii, walk.bent[leg], walk.figure.leg)
    drawn = "".join(
        _filled(
            f"leg {walk.shading.name(paint)}",
            frame,
            _leg_outline(start, end, [max(r, least) for r in ends]),
        )
        for paint, start, end, ends in reversed(cones)
    )
    if walk.bones:
        drawn += canvas.circle("mark joint", frame.at(knee), max(frame.scale * radii.knee, 2.0))
    if recording.stance[number, leg]:
        drawn += canvas.circle(
            "circle target", frame.at(foot), 1.5 * frame.scale * figure.FOOT * walk.figure.leg + 2.0
        )
    return drawn + _foot(walk, frame, number, leg)


def _foot(walk, frame, number, leg):
    """Draw the parts of a foot."""
    forward, recording = walk.forward[number], walk.recording
    axes = np.stack([forward, [0.0, 1.0, 0.0]])
    offset = [walk.along[number] - forward @ walk.place[number], 0.0]
    return "".join(
        _shaded(
            walk,
            part.paint,
            frame,
            figure.outline(
                part, recording.feet[number, leg], walk.poses.feet.rotation[number, leg], axes
            )
            + offset,
        )
        for part in walk.figure.of("foot")
    )


def _leg_outline(start, end, radii):
    angles = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
    flat = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return figure.capsule_outline(start, end, radii, flat)


def _legs(walk, frame, number, legs, wide):
    """Draw legs as lines."""
    first = second = ""
    for leg in legs:
        points = points_of(walk.recording, number)[leg]
        hip, *below = (frame.at(point) for point in _along(walk, number, points))
        first += canvas.path_data(hip, below[0], digits=1)
        second += canvas.path_data(*_below_knee(walk, leg, below), digits=1)
    width = f'stroke-width="{canvas.number(wide)}"'
    thighs, shins = (walk.shading.name(paint) for paint in ("thighs", "shins"))
    drawn = f'<path class="limb {shins}" {width} d="{second}"/>' if second else ""
    return drawn + (f'<path class="limb {thighs}" {width} d="{first}"/>' if first else "")


def _below_knee(walk, leg, points):
    """Return those of knee, ankle and foot that the leg has."""
    return points if walk.bent[leg] else points[::2]


# --- from above ---------------------------------------------------------------------------


def _draw_above(walk, top):
    """Draw path, footprints and one support polygon; return the parts and their lower edge."""
    recording = walk.recording
    axes = _axes_above(recording)
    path = walk.place @ axes.T
    feet = recording.feet.reshape(-1, 3) @ axes.T
    moment = walk.window[1]
    animal = _outlines_above(walk, axes, moment)
    seen = np.concatenate([path, feet, *(corners for _, corners in animal)])
    low, high = seen.min(axis=0), seen.max(axis=0)
    top += 24.0
    wide, tall = high - low
    scale = min((WIDTH - 2.0 * MARGIN - 16.0) / wide, TALL / max(tall, 1e-12))
    bottom = top + 8.0 + scale * tall
    middle = 0.5 * WIDTH - scale * 0.5 * (low[0] + high[0])
    frame = canvas.Frame((middle, bottom + scale * low[1]), scale, WIDTH, 0.0)
    some = np.unique(np.linspace(0, len(path) - 1, 2 * POINTS).round().astype(int))
    line = canvas.path_data(*(frame.at(point) for point in path[some]), digits=1)
    down = int(recording.stance[moment].sum())
    parts = [
        _title(top - 12.0, "from above", f"path, footprints, and support polygon of {down} feet"),
        _support(walk, frame, axes, moment),
        # Faint, so that the path and footprints stay visible.
        f'<g opacity=".6">{"".join(_shaded(walk, name, frame, at) for name, at in animal)}</g>',
        *_prints(walk, frame, axes),
        f'<path class="line ink" d="{line}"/>',
        canvas.circle("mark ink", frame.at(path[moment]), 4.0),
    ]
    return parts, bottom + 8.0


def _axes_above(recording):
    """Return the horizontal axes to the right and up on the page; the walk goes to the right."""
    position = recording.body_position[:, [0, 2]]
    course = position[-1] - position[0]
    off = position - position.mean(axis=0)
    spread = off.T @ off
    if np.linalg.norm(course) < 0.3 * np.sqrt(np.trace(spread) / len(off)) or not np.any(course):
        course = np.linalg.eigh(spread)[1][:, 1]
    x, z = course / np.linalg.norm(course)
    return np.array([[x, 0.0, z], [z, 0.0, -x]])


def _prints(walk, frame, axes):
    """Draw footprints: filled on the left side, hollow on the right."""
    found = footprints(walk.recording)
    step = -(-len(found.leg) // MOST_PRINTS) or 1
    size = min(max(0.045 * scene.leg_of(walk.recording, walk.span) * frame.scale, 1.2), 4.0)
    marks = []
    for leg, place in zip(found.leg[::step], found.place[::step] @ axes.T, strict=True):
        point = frame.at(place)
        if walk.left[leg]:
            marks.append(canvas.circle("mark target", point, size))
        else:
            marks.append(canvas.circle("line target", point, size - 0.4))
    return marks


def _support(walk, frame, axes, moment):
    """Draw the support polygon of the feet on the ground, and all legs."""
    recording = walk.recording
    feet = recording.feet[moment][recording.stance[moment]] @ axes.T
    corners = [frame.at(point) for point in feet[hull(feet)]]
    drawn = ""
    if len(corners) > 1:
        data = canvas.path_data(*corners)
        drawn = f'<path class="wash across" d="{data}z"/><path class="line across" d="{data}z"/>'
    first = second = ""
    for leg, (hip, *below) in enumerate(points_of(recording, moment) @ axes.T):
        first += canvas.path_data(frame.at(hip), frame.at(below[0]), digits=1)
        line = (frame.at(point) for point in _below_knee(walk, leg, below))
        second += canvas.path_data(*line, digits=1)
    for paint, data in (("thighs", first), ("shins", second)):
        name = walk.shading.name(paint)
        drawn += f'<path class="limb {name}" stroke-width="2" d="{data}"/>'
    return drawn


def _outlines_above(walk, axes, moment):
    """Return the paints and outlines of the animal's parts, from below to above."""
    pose = walk.poses.at(moment)
    parts = [(part, *pose.spaces_of(part)[0]) for part in walk.figure.of(*BODY)]
    parts.sort(key=lambda found: float(_middle(*found)[1]))
    return [(part.paint, figure.outline(part, place, turn, axes)) for part, place, turn in parts]


# --- stance phases ------------------------------------------------------------------------


def _draw_steps(walk, top):
    """Draw one row per leg, with bars for stance phases; return the parts and their lower edge."""
    recording = walk.recording
    first, last = step_frames(walk)
    count = last + 1 - first
    left, wide = MARGIN + LABEL, WIDTH - 2.0 * MARGIN - LABEL
    row = min(ROW, 400.0 / len(walk.order))
    top += 24.0
    scale = wide / count  # px per frame
    found = footprints(recording)
    legs = found.leg.tolist()
    where = {leg: top + row * i for i, leg in enumerate(walk.order)}
    bars = []
    for leg, start, after in zip(legs, found.first, found.after, strict=True):
        start, after = max(start, first), min(after, last + 1)
        if start < after:
            x, y = left + scale * (start - first), where[leg] + 0.15 * row
            bars.append(
                f'<rect class="mark target" x="{canvas.number(x)}" y="{canvas.number(y)}"'
                f' width="{canvas.number(scale * (after - start))}"'
                f' height="{canvas.number(0.7 * row)}" rx="2"/>'
            )
    bottom = top + row * len(walk.order)
    parts = [_title(top - 12.0, "feet on the ground", "one row per leg, from front to rear")]
    parts += _rows(walk, where, row) if row >= 10.0 else []
    parts += [f'<g id="steps">{"".join(bars)}</g>']
    parts += _clock(recording.dt, (first, last), (left, scale), (top, bottom))
    x = left + scale * (walk.window[1] + 0.5 - first)
    parts.append(canvas.line("line across", (x, top - 2.0), (x, bottom + 4.0)))
    return parts, bottom + 16.0


def step_frames(walk):
    """Return the first and last frame for which stance phases are drawn."""
    last = len(walk.along) - 1
    if walk.recording.dt * last <= LONGEST:
        return 0, last
    length = math.floor(LONGEST / walk.recording.dt)
    start = min(max(walk.window[1] - length // 2, 0), last - length)
    return start, start + length


def _rows(walk, where, row):
    """Write the names of the rows."""
    counts = {True: 0, False: 0}
    named = []
    for leg in walk.order:
        side = bool(walk.left[leg])
        counts[side] += 1
        text = f"{'L' if side else 'R'}{counts[side]}"
        point = MARGIN + LABEL - 12.0, where[leg] + 0.5 * row + 4.5
        named.append(canvas.words(point, ("small hushed", text), anchor="end"))
    return named


def _clock(dt, frames, across, down):
    """Draw ticks and labels of the time axis."""
    (first, last), (left, scale), (_, bottom) = frames, across, down
    length = dt * (last + 1 - first)
    step = 10.0 ** math.floor(math.log10(max(length, 1e-9)))
    step *= next(part for part in (0.1, 0.2, 0.5, 1.0) if length / (step * part) <= 12.5)
    parts = []
    for i in range(math.ceil(dt * first / step - 1e-9), math.floor(dt * (last + 1) / step) + 1):
        x = left + scale * (i * step / dt - first)
        parts.append(canvas.line("line hushed", (x, bottom + 2.0), (x, bottom + 7.0)))
        text = f"{i * step:.6g}" + (" s" if not parts[1:] else "")
        parts.append(
            f'<text class="small hushed" x="{canvas.number(x)}" y="{canvas.number(bottom + 20.0)}"'
            f' text-anchor="middle">{text}</text>'
        )
    return parts


def _title(y, name, more):
    return canvas.words((MARGIN, y), ("ink", name), ("small hushed", more, 10.0))
