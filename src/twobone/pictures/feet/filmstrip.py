"""A filmstrip: stick figures from the side at equal steps of time, before and after."""

import itertools
from typing import NamedTuple

import numpy as np

from twobone.pictures import canvas
from twobone.pictures.feet import axes, html
from twobone.pictures.feet.subject import metres, side_of
from twobone.pose import LocalPose

FIGURES = 12
WIDTH, WIDE = 168.0, 256.0  # px of a cell; WIDE for bodies that are wider than tall
TALL, MARGIN, EARTH = 224.0, 12.0, 12.0  # px; EARTH is below the ground
STEADY = 0.9  # cosine of the largest angle by which a body may turn before it is followed
LONG = 1.5  # legs: a bone that is longer leads to something else, such as a control
MOST = 300  # bones of a figure
SMALL = 1.0  # px: bones that are shorter are not drawn
APART = 0.5  # legs: if the body moves further than this, both figures are drawn at one place


class Film(NamedTuple):
    """A filmstrip: its HTML, and what must be said about it."""

    cells: list
    step: float  # metres between the ticks on the ground; 0 if the body turns
    together: bool  # whether the figures before were moved to those after


def filmstrip(subject):
    """Return a filmstrip of the close-up."""
    first, last = subject.close
    frames = np.unique(np.linspace(first, last - 1, FIGURES).round().astype(int))
    with np.errstate(all="ignore"):
        was, now = (_pose(clip, frames) for clip in (subject.before, subject.after))
    bones = _bones(subject, now)
    away = (now - was)[:, subject.body] * [1.0, 0.0, 1.0]
    together = bool(np.max(np.abs(away)) > APART * subject.leg)
    if together:
        was = was + away[:, None]
    ahead, turns = _directions(subject, frames)
    centre = np.sum(now[:, subject.body] * ahead, axis=-1)
    drawn = sorted({joint for bone in bones for joint in bone}) or [subject.body]
    flat = [
        np.stack(
            [
                np.sum(at * ahead[:, None], axis=-1) - centre[:, None],
                at[..., 1] - subject.floor,
            ],
            axis=-1,
        )
        for at in (was, now)
    ]
    points = np.concatenate([at[:, drawn].reshape(-1, 2) for at in flat])
    small = 0.2 * subject.leg
    half = max(float(np.abs(points[:, 0]).max()), small)
    low, high = min(float(points[:, 1].min()), 0.0), max(float(points[:, 1].max()), small)
    width = WIDE if high - low < half else WIDTH
    scale = min((0.5 * width - MARGIN) / half, (TALL - 2 * MARGIN) / (high - low))
    height = scale * (high - low) + 2 * MARGIN + EARTH
    step = 0.0 if turns else axes.round_step(2 * half, 4)
    place = canvas.Frame((0.5 * width, MARGIN + scale * high), scale, width, height)
    cells = []
    for k, frame in enumerate(frames.tolist()):
        parts = [_earth(place, centre[k], step), _figure(place, flat[0][k], bones, "old")]
        parts += _limbs(subject, place, flat[1][k], bones)
        parts += _rings(subject, place, frame, centre[k], ahead[k])
        seconds = f"{frame / subject.before.fps:.2f} s"
        said = f"The figure before, dashed, and after, in frame {frame}{_held(subject, frame)}."
        size = f'viewBox="0 0 {width:g} {canvas.number(height)}"'
        picture = html.svg(f"frame {frame}, {seconds}", said, parts, size=size)
        cells.append(f"<li>{picture}{seconds} <small>frame {frame}</small></li>")
    classes = "cells wide" if width == WIDE else "cells"
    return Film([f'<ol class="{classes}">', *cells, "</ol>"], step, together)


def _directions(subject, frames):
    """Return the direction to the right in each picture, (F, 3), and whether it changes.

    A body that turns is always seen from its own side.
    """
    if subject.faces is not None:
        faces = subject.faces[frames]
        if np.min(faces @ subject.forward) < STEADY:
            return faces, True
    return np.tile(subject.forward, (len(frames), 1)), False


def _pose(clip, frames):
    """Return positions (F, J, 3) of all joints, in metres, y up."""
    local = LocalPose(*(part[frames] for part in clip.pose))
    return metres(clip, clip.skeleton.to_global(local).positions)


def _bones(subject, at):
    """Return pairs of joints to draw as lines, the longest if there are many."""
    skeleton = subject.before.skeleton
    top = subject.body
    if subject.limbs:
        paths = [skeleton.path(limb.start) for limb in subject.limbs]
        shared = [joints[0] for joints in zip(*paths, strict=False) if len(set(joints)) == 1]
        top = shared[-1] if shared else -1
    inside = set(range(len(skeleton.parents))) if top < 0 else {top, *skeleton.below(top)}
    found = {}
    for joint, parent in enumerate(skeleton.parents):
        if joint in inside and parent in inside:
            found[parent, joint] = _length(at, parent, joint)
    for limb in subject.limbs:
        for pair in ((limb.start, limb.mid), (limb.mid, limb.end), (limb.end, limb.toe)):
            if None not in pair:
                found.setdefault(pair, _length(at, *pair))
    longest = sorted(found, key=lambda pair: -found[pair])
    far = LONG * subject.leg if subject.limbs else np.inf
    return [pair for pair in longest if found[pair] <= far][:MOST]


def _length(at, a, b):
    return float(np.sqrt(((at[:, a] - at[:, b]) ** 2).sum(-1)).max())


def _earth(place, centre, step):
    """Draw the ground with ticks at equal steps along it, which stay where they are."""
    y = place.origin[1]
    half = 0.5 * place.width / place.scale
    data = f"M0 {canvas.number(y)}H{place.width:g}"
    if step == 0.0:
        return f'<path class="rule zero" d="{data}"/>'
    for i in range(int(np.ceil((centre - half) / step)), int(np.floor((centre + half) / step)) + 1):
        x = place.at((i * step - centre, 0.0))[0]
        data += f"M{canvas.number(x, 1)} {canvas.number(y)}v6"
    return f'<path class="rule zero" d="{data}"/>'


def _figure(place, at, pairs, classes):
    """Draw bones as lines."""
    data = []
    for a, b in pairs:
        (x, y), (u, v) = place.at(at[a]), place.at(at[b])
        if abs(u - x) + abs(v - y) >= SMALL:
            numbers = [canvas.number(n, 1) for n in (x, y, u, v)]
            data.append("M{} {}L{} {}".format(*numbers))
    return f'<path class="limb {classes}" d="{"".join(data)}"/>' if data else ""


def _limbs(subject, place, at, bones):
    """Draw the figure after: limbs in the colours of their bones, those of the far side fainter."""
    parts, used = {"far": "", "": ""}, set()
    for limb in subject.limbs:
        far = "far" if side_of(limb) == "left" else ""
        pairs = ((limb.start, limb.mid), (limb.mid, limb.end), (limb.end, limb.toe))
        path = subject.before.skeleton.path(limb.end if limb.toe is None else limb.toe)
        below = path[path.index(limb.start) :] if limb.start in path else []
        used |= {*itertools.pairwise(below), *pairs}
        for pair, colour in zip(pairs, ("first", "second", "joint"), strict=True):
            if None not in pair:
                parts[far] += _figure(place, at, [pair], colour)
    rest = _figure(place, at, [pair for pair in bones if pair not in used], "rest")
    return [f'<g class="far">{parts["far"]}</g>', rest, parts[""]]


def _rings(subject, place, frame, centre, ahead):
    """Draw a ring around each place where a joint is held in a frame."""
    for track in subject.tracks:
        for hold in track.holds:
            if hold.first <= frame < hold.stop:
                point = float(hold.place @ ahead) - centre, hold.place[1] - subject.floor
                yield canvas.circle("ring", place.at(point), 4.5)


def _held(subject, frame):
    held = [
        f"{html.text(subject.names[track.foot])} {track.role}"
        for track in subject.tracks
        if any(hold.first <= frame < hold.stop for hold in track.holds)
    ]
    return f"; held: {', '.join(held)}" if held else "; no foot is held"
