"""Plots of each heel and toe: height and speed before and after, contacts as bands below.

Only the curves are stretched to the width of the screen; lines and words keep their sizes.
"""

import math

import numpy as np

from twobone.pictures.canvas import number
from twobone.pictures.feet import axes, html
from twobone.pictures.feet.subject import speed

WIDE = 1000.0  # units of the curves' horizontal axis
TOP, TALL, GAP, SPEED = 20.0, 104.0, 28.0, 72.0  # px: space above, height panel, between, speed
BAND = 10.0  # px, of contacts
COLUMNS = 300  # of a plot, where curves are thinned
ALL_COLUMNS = 3600  # of all plots together
SLIDING = 0.7  # legs per second; speeds up to this are always shown
SPANS = 12  # contacts that a description lists


def plots(subject):
    """Return the figures of all heels and toes, for the whole clip and for the close-up."""
    tracks = subject.tracks
    whole = (0, len(subject.before))
    ranges = [whole] if subject.close == whole else [whole, subject.close]
    columns = min(COLUMNS, ALL_COLUMNS // max(len(tracks) * len(ranges), 1))
    limits = _limits(subject)
    pair = " pair" if len(tracks) == 2 * len(subject.limbs) else ""
    rows = [f'<div class="feet{pair}">']
    for track in tracks:
        limb = html.text(subject.names[track.foot])
        rows.append(f"<figure><h3>{limb}, {track.role} ({html.name(track.label)})</h3>")
        rows += [_plot(subject, track, part, limits, columns) for part in ranges]
        rows.append("</figure>")
    return [*rows, "</div>"], columns


def _limits(subject):
    """Return the lowest and highest height and the highest speed of all plots; not all zero."""
    heights = [at[:, 1] - subject.floor for t in subject.tracks for at in (t.before, t.after)]
    low = min((float(h.min()) for h in heights), default=0.0)
    high = max((float(h.max()) for h in heights), default=0.0)
    fps = subject.before.fps
    speeds = [speed(at, fps) for t in subject.tracks for at in (t.before, t.after)]
    fastest = max((float(v.max()) for v in speeds), default=0.0)
    held = [
        v[hold.first : hold.stop]
        for track, v in zip(subject.tracks, speeds[::2], strict=True)
        for hold in track.holds
    ]
    sliding = float(np.percentile(np.concatenate(held), 98)) if held else 0.0
    top = min(fastest, max(SLIDING * subject.leg, 1.5 * sliding))
    # Round limits; heights begin below 0 if feet go below the ground.
    step = axes.round_step(max(high, 0.05 * subject.leg) - min(low, 0.0), 4)
    lowest = step * 0.5 * math.floor(2.0 * low / step) if low < -0.02 * step else 0.0
    highest = max(step * 0.5 * math.ceil(2.0 * high / step), step)
    return lowest, highest, max(top, 0.1 * subject.leg), fastest > 1.01 * top


def _plot(subject, track, part, limits, columns):
    """Draw one heel or toe in a range of frames."""
    first, last = part
    count, fps = last - first, subject.before.fps
    low, high, fastest, _ = limits
    sides = [at[first:last] for at in (track.before, track.after)]
    speeds = [speed(at, fps) for at in (track.before, track.after)]
    spans = [
        (max(hold.first, first) - first, min(hold.stop, last) - first)
        for hold in track.holds
        if hold.first < last and hold.stop > first
    ]
    bars = axes.merged(spans, count / WIDE)
    steps = [frame - first for frame in subject.steps[track.foot] if first <= frame < last]
    second = TOP + TALL + GAP
    bottom = second + SPEED + 8.0
    total = bottom + BAND + 40.0
    heights = [at[:, 1] - subject.floor for at in sides]
    kind = "close-up: " if part != (0, len(track.before)) else ""
    speeds = [v[first:last] for v in speeds]
    parts = [
        _name(TOP - 8.0, f"{kind}height, mm"),
        _name(second - 8.0, f"{kind}speed along the ground, m/s"),
    ]
    parts += _panel(TOP, TALL, heights, (low, high), bars, steps, columns, 1000.0)
    parts += _panel(second, SPEED, speeds, (0.0, fastest), bars, steps, columns, 1.0)
    parts += [_bars(bars, count, BAND, "band", f' y="{number(bottom)}"')]
    parts += _clock(part, fps, bottom + BAND)
    title = f"{html.text(subject.names[track.foot])}, {track.role}: frames {first} to {last - 1}"
    said = _said(track, part, heights, speeds)
    if steps:
        said += f" New steps in frames {', '.join(str(first + frame) for frame in steps[:SPANS])}."
    return html.svg(
        title, said, parts, size=f'width="100%" height="{number(total)}"', classes="plot"
    )


def _panel(top, tall, values, limits, bars, steps, columns, factor):
    """Draw the curves of one quantity over the bands of contact, cut off at the limits."""
    low, high = limits
    rules, numbers = _scale(top, tall, limits, factor)
    count = len(values[0])
    drawn = [_bars(bars, count, tall, "held", ""), *_marks(steps, count, tall)]
    for classes, own in zip(("was", "now"), values, strict=True):
        frames, ys = axes.thinned(own, columns)
        if count == 1:
            frames, ys = np.array([0.0, 1.0]), np.repeat(ys, 2)
        xs = WIDE * frames / max(count - 1, 1)
        drawn.append(axes.curve(classes, xs, tall * (high - ys) / (high - low)))
    stretched = (
        f'<svg y="{number(top)}" width="100%" height="{number(tall)}"'
        f' viewBox="0 0 {WIDE:g} {number(tall)}" preserveAspectRatio="none">{"".join(drawn)}</svg>'
    )
    return [*rules, stretched, *numbers]


def _marks(frames, count, tall):
    """Draw upright lines at frames with new steps."""
    scale = WIDE / max(count - 1, 1)
    lines = "".join(f"M{number(frame * scale, 1)} 0V{number(tall, 1)}" for frame in frames)
    return [f'<path class="step" d="{lines}"/>'] if lines else []


def _bars(spans, count, tall, classes, placed):
    """Draw bars over spans of frames, as wide as the screen."""
    scale = WIDE / max(count - 1, 1)
    bars = []
    for first, last in spans:
        left, right = max(first - 0.5, 0.0) * scale, min(last - 0.5, max(count - 1, 1)) * scale
        width = max(right - left, 1.0)
        bars.append(
            f"M{number(left, 1)} 0h{number(width, 1)}v{number(tall, 1)}h-{number(width, 1)}z"
        )
    drawn = f'<path class="{classes}" d="{"".join(bars)}"/>' if bars else ""
    if not placed:
        return drawn
    empty = f'<path class="track" d="M0 {number(tall / 2)}H{WIDE:g}"/>'
    return (
        f'<svg{placed} width="100%" height="{number(tall)}" viewBox="0 0 {WIDE:g} {number(tall)}"'
        f' preserveAspectRatio="none">{empty}{drawn}</svg>'
    )


def _scale(top, tall, limits, factor):
    """Return lines and numbers of the vertical axis; `factor` is from metres to its unit."""
    low, high = limits
    rules, numbers = [], []
    places = axes.ticks(low, high, 4)
    step = places[1] - places[0] if len(places) > 1 else high - low
    digits = max(0, -math.floor(math.log10(max(step * factor, 1e-12)) + 1e-9))
    for place in places:
        y = top + tall * (high - place) / (high - low)
        rule = "rule zero" if place == 0.0 else "rule"
        rules.append(f'<line class="{rule}" x1="0" x2="100%" y1="{number(y)}" y2="{number(y)}"/>')
        shown = f"{place * factor:.{min(digits, 6)}f}".replace("-", "\N{MINUS SIGN}")
        numbers.append(f'<text class="tick" x="2" y="{number(y - 3.0)}">{shown}</text>')
    return rules, numbers


def _clock(part, fps, top):
    """Draw ticks and labels of time: frames, and seconds below."""
    first, last = part
    parts = []
    for k, frame in enumerate(_moments(first, last - 1, fps)):
        share = min(max((frame - first) / max(last - 1 - first, 1), 0.0), 1.0)
        x = f"{number(100.0 * share)}%"
        anchor = "start" if share < 0.06 else "end" if share > 0.94 else "middle"
        parts.append(_tick(x, top))
        rows = ("" if k else "frame ") + f"{frame:.0f}", f"{number(frame / fps, 3)} s"
        for row, shown in zip((18.0, 34.0), rows, strict=True):
            parts.append(
                f'<text x="{x}" y="{number(top + row)}" text-anchor="{anchor}">{shown}</text>'
            )
    return parts


def _moments(first, last, fps):
    """Return frames to be marked: at round seconds if frames are there, else at round frames."""
    if first == last:
        return [first]
    places = [place * fps for place in axes.ticks(first / fps, last / fps, 4)]
    if len(places) > 2 and all(abs(place - round(place)) < 0.1 for place in places):
        return places
    return [place for place in axes.ticks(first, last, 4) if place == round(place)]


def _tick(x, top):
    return (
        f'<line class="rule zero" x1="{x}" x2="{x}" y1="{number(top)}" y2="{number(top + 5.0)}"/>'
    )


def _name(y, shown):
    return f'<text x="100%" y="{number(y)}" text-anchor="end">{shown}</text>'


def _said(track, part, heights, speeds):
    """Return the description of a plot: ranges, and when the joint is held."""
    spans = [
        f"{hold.first} to {hold.stop - 1}"
        for hold in track.holds
        if hold.first < part[1] and hold.stop > part[0]
    ]
    more = f" and {len(spans) - SPANS} more" if len(spans) > SPANS else ""
    held = f"held in frames {', '.join(spans[:SPANS])}{more}" if spans else "never held"
    tops = [f"{1000.0 * h.max():.0f}" for h in heights]
    fast = [f"{v.max():.2f}" for v in speeds]
    return (
        f"Highest {tops[0]} mm before and {tops[1]} mm after; fastest {fast[0]} m/s before and"
        f" {fast[1]} m/s after; {held}."
    )
