"""`diagram`: a picture of one limb and the construction of its solution, in layers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from twobone.core.array_types import AnyArray
from twobone.core.policies import Status, Unreachable
from twobone.pictures import canvas, labels, layers, sketch, theme
from twobone.pictures.labels import Label
from twobone.pictures.layers import LAYERS, LayerName

WIDTH, TALLEST, MARGIN, FOOT = 720.0, 640.0, 40.0, 56.0  # px
LONGEST_NAME = 34  # characters of a policy's name


class Scene(NamedTuple):
    """What is drawn, and where on the page."""

    limb: sketch.DrawnLimb
    annulus: sketch.Annulus | None
    frame: canvas.Frame
    show: tuple[LayerName, ...]

    def at(self, point):
        """Map a point of the limb's plane to px."""
        return np.array(self.frame.at(point))

    @property
    def root(self):
        """The root, in px."""
        return self.at((0.0, 0.0))

    @property
    def bone_points(self):
        """Root, joint and end in px, or None where no bone is drawn."""
        joint = self.limb.joint if "bones" in self.show else None
        return None if joint is None else self._bones_to(joint)

    @property
    def other_points(self):
        """Root, joint and end of the other solution in px, or None if both look the same."""
        other = self.limb.other if "other" in self.show else None
        if other is None or self.limb.joint is None or self.px(other - self.limb.joint) < 4.0:
            return None
        return self._bones_to(other)

    @property
    def falls_short(self):
        """Whether the end is visibly away from the target."""
        limb = self.limb
        return limb.end is not None and self.px(limb.end - limb.target.point) > 2.0

    @property
    def circles(self):
        """Name ("first" or "second"), centre and radius of the circles, in px."""
        things = zip(("first", "second"), self.limb.construction.circles, strict=False)
        found = [(thing, self.at(c), radius * self.frame.scale) for thing, (c, radius) in things]
        return [circle for circle in found if circle[2] > 0.0 and "circles" in self.show]

    @property
    def forward(self):
        """The target direction on the page, y down."""
        return self.limb.target.forward * (1.0, -1.0)

    @property
    def up(self):
        """The direction on the page, perpendicular to `forward`, to which the limb bends."""
        left = np.array([self.forward[1], -self.forward[0]])
        joint = self.limb.joint
        bent_right = joint is not None and (joint * (1.0, -1.0)) @ left < -1e-6
        return -left if bent_right else left

    @property
    def foot(self):
        """The height of the strip of words, in px."""
        return FOOT if "words" in self.show else 0.0

    def px(self, away):
        """Return the length of a vector in px."""
        return float(np.hypot(*away)) * self.frame.scale

    def _bones_to(self, joint):
        end = self.limb.target.point if self.limb.end is None else self.limb.end
        return self.root, self.at(joint), self.at(end)


def diagram(
    target: AnyArray,
    r1: AnyArray,
    r2: AnyArray,
    *,
    side: AnyArray = 1,
    pole: AnyArray | None = None,
    unreachable: Unreachable = "clamp",
    show: LayerName | Iterable[LayerName] = LAYERS,
    title: str | None = None,
) -> str:
    """Draw one limb, with the construction of its solution.

    Parameters
    ----------
    target : array, shape (2,) or (3,)
        Where the second bone must end. In space the picture shows the plane of the limb, with
        the target direction to the right and the pole up.
    r1, r2, side, pole, unreachable
        As for `twobone.solve`, for a single limb.
    show : str or sequence of str
        The layers to draw, from `LAYERS`:

        - "annulus": the reachable range
        - "circles": the circles of radius `r1` around the root and `r2` around the target
        - "direction": the line from root to target
        - "across": the line on which both solutions lie
        - "foot": the foot point, where that line crosses the line to the target
        - "triangle": the right triangle of root, foot point and joint
        - "other": the other solution
        - "bones": the solution
        - "labels": the symbols of points and lengths
        - "words": status and numbers, at the bottom
    title : str, optional
        The title of the SVG, read by screen readers.

    Returns
    -------
    str
        The text of an SVG file.

    Raises
    ------
    TwoBoneError
        If `show` has a name that is not in `LAYERS`.
    ShapeError
        If the arguments describe more than one limb.

    Examples
    --------
    >>> from twobone.pictures.svg import diagram
    >>> diagram([1.2, 0.5], 1.0, 0.8).splitlines()[1]
    '<title>Two bones reach a target</title>'

    Only the bones and their symbols, for a target that is too far away:

    >>> text = diagram([3.0, 0.5], 1.0, 0.8, show=("bones", "labels"))
    """
    shown = layers.check(show)
    limb = sketch.look_at(target, r1, r2, side, pole, unreachable)
    annulus = sketch.annulus_of(r1, r2, unreachable, limb) if "annulus" in shown else None
    scene = Scene(limb, annulus, _frame_of(limb, annulus, shown), shown)
    parts = [draw(scene) for name, draw in DRAWN.items() if name in shown or name == "points"]
    if "words" in shown:
        parts.append(_draw_words(scene, unreachable, r1, r2))
    status = limb.facts.status
    title, said = title or TITLES[status], _describe(limb, r1, r2)
    return canvas.document(scene.frame, title, said, (status,), parts)


TITLES = {
    Status.REACHED: "Two bones reach a target",
    Status.TOO_FAR: "A target too far for two bones",
    Status.TOO_NEAR: "A target too near for two bones",
    Status.AMBIGUOUS: "Two bones reach a target in more ways than two",
    Status.INVALID: "Two bones without a valid target",
}


def _frame_of(limb, annulus, show):
    """Return the frame that fits what is shown onto the page."""
    target, bones = limb.target, limb.bones
    discs = list(limb.construction.circles) if "circles" in show else [(np.zeros(2), bones.r1)]
    if target.point is None or target.far or annulus is not None:
        edges = annulus.edges if annulus else ()
        discs.append((np.zeros(2), max(bones.reach or 1.0, *edges, 0.0)))
    points = (target.point, limb.joint, limb.end)
    discs += [(point, 0.0) for point in points if point is not None]
    low = np.min([centre - radius for centre, radius in discs], axis=0)
    high = np.max([centre + radius for centre, radius in discs], axis=0)
    foot = FOOT if "words" in show else 0.0
    return canvas.fit_frame(low, high, width=WIDTH, tallest=TALLEST, margin=MARGIN, foot=foot)


# --- layers -------------------------------------------------------------------------------


def _draw_annulus(scene):
    if scene.annulus is None:
        return ""
    (inner, outer, edges), scale = scene.annulus, scene.frame.scale
    filled = canvas.ring("ring", scene.root, inner * scale, outer * scale)
    circles = [canvas.circle("line hushed dashed", scene.root, edge * scale) for edge in edges]
    return filled + "".join(circles)


def _draw_circles(scene):
    circles = [canvas.circle(f"circle {thing}", *disc) for thing, *disc in scene.circles]
    radii = [canvas.line(f"line {thing}", a, b) for thing, a, b in _radii(scene)]
    return "".join(circles + radii)


def _radii(scene):
    """Return a radius of each circle, which shows a bone's length when bones are not drawn."""
    if scene.bone_points is not None:
        return []
    turned = np.array([[0.6, -0.8], [0.8, 0.6]])  # away from the target line and its labels
    slants = {"first": turned @ -scene.forward, "second": turned.T @ scene.forward}
    return [(thing, c, c + radius * slants[thing]) for thing, c, radius in scene.circles]


def _draw_direction(scene):
    p = scene.limb.target.point
    if p is None:
        return ""
    short = scene.bone_points is not None and scene.falls_short
    return canvas.line("line hushed", scene.root, scene.at(scene.limb.end if short else p))


def _draw_across(scene):
    ends = _across(scene)
    return "" if ends is None else canvas.line("line across dashed", *ends)


def _across(scene):
    """Return the ends of the line across, in px, or None."""
    circles, q, meets = scene.limb.construction
    if q is None:
        return None
    forward = scene.limb.target.forward
    square = np.array([-forward[1], forward[0]])
    half = 0.45 * scene.limb.bones.reach
    if meets:
        half = np.sqrt(max(circles[0][1] ** 2 - float(q @ q), 0.0))
    half = half + 28.0 / scene.frame.scale
    return scene.at(q - half * square), scene.at(q + half * square)


def _draw_foot(scene):
    q = scene.limb.construction.q
    if q is None:
        return ""
    q = scene.at(q)
    tick = canvas.line("circle across", q - 6.0 * scene.forward, q + 6.0 * scene.forward)
    return tick + canvas.circle("mark across", q, 2.5)


def _draw_triangle(scene):
    corner, angle = _corner(scene), _right_angle(scene)
    if corner is None or angle is None:
        return ""
    q, x, _ = corner
    wash = canvas.line("wash across", scene.root, q, x)
    return wash + canvas.line("circle across", q, x) + canvas.line("line across", *angle)


def _right_angle(scene):
    """Return the three points of the right-angle marker, or None."""
    corner = _corner(scene)
    if corner is None:
        return None
    q, x, size = corner
    up = (x - q) / np.hypot(*(x - q))
    back = scene.root - q
    length = np.hypot(*back)
    back = back / length if length > 1.0 else -scene.forward
    return q + size * up, q + size * (up + back), q + size * back


def _corner(scene):
    """Return the foot point q, the joint, and the size of the right-angle marker, or None."""
    _, q, meets = scene.limb.construction
    if q is None or not meets or scene.limb.joint is None:
        return None
    q, x = scene.at(q), scene.at(scene.limb.joint)
    size = min(11.0, 0.4 * np.hypot(*(x - q)))
    return (q, x, size) if size >= 4.0 else None


def _draw_other(scene):
    if scene.other_points is None:
        return ""
    root, x, end = scene.other_points
    bones = canvas.line("bone second gaps", end, x) + canvas.line("bone first gaps", root, x)
    return f'<g class="other">{bones}{canvas.circle("mark joint", x, 7.0)}</g>'


def _draw_bones(scene):
    if scene.bone_points is None:
        return ""
    root, x, end = scene.bone_points
    first, second = "bone first", "bone second"
    if _lie_together(root, x, end):
        first, second = "bone first around", "bone second inside"
    parts = [canvas.line(first, root, x), canvas.line(second, x, end)]
    if scene.falls_short:
        parts.insert(0, canvas.line("line hushed dotted", end, scene.at(scene.limb.target.point)))
        parts.append(canvas.circle("mark second edge", end, 5.5))
    return "".join([*parts, canvas.circle("mark joint edge", x, 8.0)])


def _lie_together(root, x, end):
    """Return whether one bone covers the other."""
    u, v = root - x, end - x
    return bool(u @ v > 0.0 and abs(u[0] * v[1] - u[1] * v[0]) < 0.04 * np.hypot(*u) * np.hypot(*v))


def _draw_points(scene):
    root = canvas.square("mark root", scene.root, 6.0)
    p = scene.limb.target.point
    if p is None:
        return root
    p = scene.at(p)
    target = canvas.circle("circle target", p, 10.0) + canvas.circle("mark target", p, 4.5)
    if scene.limb.target.far:
        tip = p + 34.0 * scene.forward
        target += canvas.arrow("circle target", tip, scene.forward)
    return root + target


# --- labels -------------------------------------------------------------------------------


def _draw_labels(scene):
    return labels.place_labels(_labels(scene), _busy(scene), scene.frame, scene.foot)


def _labels(scene):
    """Return the labels, those that can move least first."""
    limb, show, up = scene.limb, scene.show, scene.up
    p, (_, q, meets) = limb.target.point, limb.construction
    found = []
    if p is not None:
        found.append(_label("target", "p", scene.at(p), scene.forward - 0.7 * up, 12.0))
    corner = _corner(scene)
    foot = "foot" in show and q is not None
    one = foot and corner is None and meets and scene.bone_points is not None
    if scene.bone_points is not None:
        found.append(_label("joint", "x = q" if one else "x", scene.bone_points[1], up, 10.0))
    if scene.other_points is not None and scene.px(limb.other - limb.joint) > 16.0:
        found.append(_label("joint", "x\N{PRIME}", scene.other_points[1], -up, 9.0))
    if foot and not one:
        found.append(_label("across", "q", scene.at(q), scene.forward - up, 5.0))
    if "triangle" in show and corner is not None:
        q, x, _ = corner  # in px
        anchors = tuple((q + t * (x - q), scene.forward, 4.0) for t in (0.5, 0.62, 0.4, 0.75))
        found.append(Label("across", "s", "", anchors))
    return found + _length_labels(scene)


def _label(thing, text, point, direction, least):
    return Label(thing, text, "", ((point, direction, least),))


def _length_labels(scene):
    """Return the labels of both lengths: on the bones, or on radii if bones are not drawn."""
    lines = _radii(scene)
    if scene.bone_points is not None:
        root, x, end = scene.bone_points
        lines = [("first", root, x), ("second", x, end)]
    factors = (1.0, 1.0) if scene.bone_points is None else scene.limb.bones.factors
    said = {"first": ("1", factors[0]), "second": ("2", factors[1])}
    return [
        _length_label(scene, thing, a, b, *said[thing])
        for thing, a, b in lines
        if np.hypot(*(b - a)) > 1.0
    ]


def _length_label(scene, thing, a, b, sub, factor):
    """Return the label of one length, with a factor if the bone is stretched."""
    aside = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
    aside = aside if aside @ scene.up >= 0.0 else -aside
    spots = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
    anchors = tuple((a + t * (b - a), aside, 5.0) for t in spots)
    return Label(thing, "r", sub, anchors, "" if factor == 1.0 else canvas.quantity(factor))


def _busy(scene):
    """Return points on everything that labels must not cover."""
    target, q = scene.limb.target, scene.limb.construction.q
    show, scale = scene.show, scene.frame.scale
    busy = [labels.points_in_disc(scene.root, 8.0)]
    busy += [labels.points_on_circle(*disc) for _, *disc in scene.circles]
    busy += [labels.points_on_line(a, b) for _, a, b in _radii(scene)]
    if scene.annulus is not None:
        radii = (scene.annulus.inner, scene.annulus.outer, *scene.annulus.edges)
        busy += [labels.points_on_circle(scene.root, radius * scale) for radius in radii]
    if target.point is not None:
        p = scene.at(target.point)
        busy += [labels.points_in_disc(p, 11.0), labels.points_on_line(scene.root, p)]
        if target.far:
            busy.append(labels.points_on_line(p, p + 36.0 * scene.forward))
    across = _across(scene)
    if "across" in show and across is not None:
        busy.append(labels.points_on_line(*across))
    if "foot" in show and q is not None:
        busy.append(labels.points_in_disc(scene.at(q), 6.0))
    angle = _right_angle(scene)
    if "triangle" in show and angle is not None:
        busy += [labels.points_on_line(angle[0], angle[1]), labels.points_on_line(*angle[1:])]
    for points in (scene.bone_points, scene.other_points):
        if points is not None:
            busy += _busy_bones(*points)
    return np.concatenate(busy)


def _busy_bones(root, x, end):
    """Return points along both edges of two bones, and on their joint."""
    busy = [labels.points_in_disc(x, 8.0)]
    for a, b in ((root, x), (x, end)):
        aside = 3.0 * np.array([b[1] - a[1], a[0] - b[0]]) / (np.hypot(*(b - a)) or 1.0)
        busy += [labels.points_on_line(a + s * aside, b + s * aside) for s in (1.0, -1.0)]
    return busy


# In drawing order: later layers cover earlier ones.
DRAWN = {
    "annulus": _draw_annulus,
    "circles": _draw_circles,
    "triangle": _draw_triangle,
    "direction": _draw_direction,
    "across": _draw_across,
    "foot": _draw_foot,
    "other": _draw_other,
    "bones": _draw_bones,
    "points": _draw_points,
    "labels": _draw_labels,
}


# --- words --------------------------------------------------------------------------------


def _draw_words(scene, unreachable, r1, r2):
    facts, frame = scene.limb.facts, scene.frame
    base, left, right = frame.height - 22.0, MARGIN - 16.0, frame.width - MARGIN + 16.0
    shape = canvas.status_shape(facts.status, (left + 6.5, base - 5.5), 6.5)
    parts = [
        f'<path class="mark {theme.css_class(facts.status)}" d="{shape}"/>',
        canvas.words((left + 22.0, base), *_say(scene.limb, unreachable)),
    ]
    numbers = [("first", "r1", r1), ("second", "r2", r2)]
    if facts.status != Status.INVALID:
        numbers.append(("target", "|p|", facts.distance))
    pieces = []
    for thing, symbol, v in numbers:
        room = 16.0 if pieces else 0.0
        pieces += [(f"number {thing}", symbol, room), ("number ink", canvas.quantity(v), 6.0)]
    parts.append(canvas.words((right, base), *pieces, anchor="end"))
    if facts.in_space:
        said = "in the plane of the limb: the target to the right, the pole up"
        parts.append(canvas.words((left, 32.0), ("small hushed", said)))
    return "".join(parts)


def _say(limb, unreachable):
    """Return the pieces of text that state the result."""
    facts, bones = limb.facts, limb.bones
    word = theme.MARKS[facts.status].word
    if facts.status not in (Status.TOO_FAR, Status.TOO_NEAR):
        return [("ink", word)]
    if facts.missed > 1e-6 * bones.reach * bones.unit:
        word += f" by {canvas.quantity(facts.missed)}"
    return [("ink", word), ("number hushed", _policy_name(unreachable), 12.0)]


def _policy_name(unreachable):
    """Return a policy's name, without memory addresses so that pictures are reproducible."""
    name = unreachable if isinstance(unreachable, str) else repr(unreachable)
    name = re.sub(r"<(?:[\w.<>]*\.)?(\w+) object at 0x\w+>", r"\1()", name)
    return (
        name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )


def _describe(limb, r1, r2):
    """Describe the picture for screen readers."""
    facts = limb.facts
    said = f"Bones of {canvas.quantity(r1)} and {canvas.quantity(r2)}. "
    if limb.target.point is None:
        return said + "A length or the target is not a valid number: invalid."
    said += f"The target is {canvas.quantity(facts.distance)} from the root: "
    said += theme.MARKS[facts.status].word + ". "
    if limb.joint is not None:
        x, y = (canvas.quantity(part) for part in facts.joint)
        said += f"The joint is at ({x}, {y}). "
    if facts.in_space:
        said += "Drawn in the plane of the limb: the target to the right, the pole up. "
    return said.strip()
