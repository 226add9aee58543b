"""Drawing functions for docs/walking.md: bodies, legs, feet, ground, plots."""

import itertools
from typing import NamedTuple

import numpy as np

import twobone
from twobone.creature import polygons
from twobone.creature.appearance import NODES
from twobone.creature.journey import record
from twobone.pictures import canvas, figure, legs, theme
from twobone.pictures import stage as on

WIDTH = 560.0  # px: text stays legible on a phone
UP = np.array([0.0, 1.0, 0.0])
WHOLE = tuple(node for node in NODES if node != "foot")  # parts of a body
FRONT, TRUNK = tuple(node for node in WHOLE if node != "tail"), ("body",)
CODE = f".twobone .code{{font:{theme.WORDS}px {theme.MONO}}}"


# --- walks --------------------------------------------------------------------------------


def go(walker, seconds, velocity, turn=0.0, *, fps=60, shove=None):
    """Let a walker walk and return a recording; `shove` is applied at the beginning."""
    found = [walker.state]
    if shove is not None:
        walker.shove(shove)
    for _ in range(round(seconds * fps)):
        walker.step(1.0 / fps, velocity, turn)
        found.append(walker.state)
    return record(walker, found, 1.0 / fps)


class Moment(NamedTuple):
    """One frame of a walk, and the pose of the figure that is drawn."""

    position: np.ndarray
    points: np.ndarray  # (L, 4, 3): hips, knees, ankles, feet
    stance: np.ndarray
    pose: figure.Pose
    leg: float  # length of the longest leg

    @property
    def feet(self):
        """The feet, (L, 3)."""
        return self.points[:, 3]


def moment(animal, walk, frame):
    """Return one frame of a recording."""
    drawn = figure.figure_of_animal(animal)
    pose = figure.poses_of(drawn, walk).at(frame)
    position = walk.body_position[frame]
    points = legs.points_of(walk, frame)
    return Moment(position, points, walk.stance[frame], pose, animal.length)


def stances(walk, leg):
    """Return the first frame of each stance of a leg, and the first frame after it."""
    change = np.flatnonzero(np.diff(walk.stance[:, leg].astype(int))) + 1
    edges = np.concatenate([[0], change, [len(walk.time)]])
    return [(a, b) for a, b in itertools.pairwise(edges) if b > a and walk.stance[a, leg]]


# --- animals ------------------------------------------------------------------------------


def hull(points):
    """Return the corners of the convex hull of points on the page, in order."""
    points = np.round(points, 6)
    return points[polygons.hull(points)].tolist()


def outline(classes, corners):
    """Draw a closed shape on the page."""
    return f'<path class="{classes}" d="{canvas.path_data(*corners, digits=1)}z"/>'


def _outlines(it, axes, nodes=WHOLE):
    """Yield the parts of some nodes, their middles in the world and their outlines on axes."""
    for part in it.pose.figure.of(*nodes):
        for place, rotation in it.pose.spaces_of(part):
            middle = place + twobone.rotations.rotate(rotation, figure.middle_of(part))
            yield part, middle, figure.outline(part, place, rotation, axes, count=14)


def body(place, it, *, nodes=WHOLE, ghost=False):
    """Draw body, head and tail, or some of them."""
    axes = np.stack([place.right, place.up])
    drawn = []
    for part, middle, outlined in _outlines(it, axes, nodes):
        corners = [place.frame.at(point) for point in outlined]
        paint = "joint" if part.paint == "accent" else "hushed"
        drawn.append((place.toward(middle), paint, corners))
    if ghost:
        return outline("line hushed dashed", hull(np.concatenate([part[2] for part in drawn])))
    drawn.sort(key=lambda part: part[0])
    return "".join(outline(f"mark {thing}", corners) for _, thing, corners in drawn)


def leg(place, it, k, *, ring=True):
    """Draw one leg, with a ring around its foot if it is on the ground."""
    hip, knee, ankle, foot = (place.at(point) for point in it.points[k])
    drawn = canvas.line("bone leg ink", ankle, foot)
    drawn += canvas.line("bone leg second", knee, ankle) + canvas.line("bone leg first", hip, knee)
    drawn += canvas.circle("mark joint", knee, 2.6)
    if ring and it.stance[k]:
        drawn = canvas.circle("circle target", foot, 5.0) + drawn
    return drawn


def animal(place, it, *, nodes=WHOLE, ring=True):
    """Draw an animal: the far legs, the body, the near legs."""
    far, near = [], []
    for k in np.argsort([place.toward(foot) for foot in it.feet], kind="stable"):
        above = place.up[1] < 0.2  # seen from above, all legs start under the body
        side = place.toward(it.points[k, 0] - it.position) > -1e-9
        (near if side and not above else far).append(leg(place, it, k, ring=ring))
    return "".join([*far, body(place, it, nodes=nodes), *near])


def shadow(place, it, height):
    """Draw the shadow of an animal on the ground."""
    drawn = []
    above = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for _part, _, flat in _outlines(it, above):
        if np.ptp(flat, axis=0).max() > 0.2 * it.leg:
            fall = [place.at(np.array([x, height(x, z), z])) for x, z in flat]
            drawn.append(outline("mark ink", hull(fall)))
    for points in it.points:
        fall = [place.at(np.array([x, height(x, z), z])) for x, _, z in points]
        drawn.append(canvas.line("bone leg ink", *fall))
    return f'<g opacity=".12">{"".join(drawn)}</g>'


# --- ground -------------------------------------------------------------------------------


def hills(place, height, centre, wide, deep, *, rows=14, points=36):
    """Draw ground as ridges, from far to near: each hides what is behind it.

    Its sides should be outside of the picture, because they are drawn too.
    """
    right = place.right * [1.0, 0.0, 1.0]
    right /= np.linalg.norm(right)
    away = np.cross(UP, right)
    drawn, low = [], []
    for n, depth in enumerate(np.linspace(1.0, -1.0, rows)):
        u = np.linspace(-wide, wide, points)
        x, z = (centre[i] + u * right[j] + depth * deep * away[j] for i, j in ((0, 0), (1, 2)))
        ridge = [place.at(p) for p in np.stack([x, height(x, z) + 0.0 * x, z], -1)]
        low = [(ridge[-1][0], ridge[-1][1] + 60.0), (ridge[0][0], ridge[0][1] + 60.0)]
        fog = canvas.number(0.45 * min(1.0, 0.15 + 1.1 * n / rows))
        data = canvas.path_data(*ridge, *low, digits=1)
        drawn.append(f'<path class="line hushed ground" stroke-opacity="{fog}" d="{data}z"/>')
    return "".join(drawn)


def profile(place, height, start, stop, *, deep, count):
    """Draw the profile of the ground in the plane x = 0, seen from the side."""
    z = np.linspace(start, stop, count)
    y = height(0.0 * z, z) + 0.0 * z
    line = np.stack([0.0 * z, y, z], -1)
    base = float(np.min(y)) - deep
    ends = [np.array([0.0, base, stop]), np.array([0.0, base, start])]
    return on.solid(place, "ring", *line, *ends) + on.path(place, "line hushed", *line)


# --- plots --------------------------------------------------------------------------------


class Plot(NamedTuple):
    """A panel with two axes, in px."""

    box: tuple  # left, top, right, bottom
    x: tuple  # values at the left and right edges
    y: tuple  # values at the bottom and top edges

    def at(self, x, y):
        """Return the px of a point of the plot."""
        left, top, right, bottom = self.box
        u = (x - self.x[0]) / (self.x[1] - self.x[0])
        v = (y - self.y[0]) / (self.y[1] - self.y[0])
        return left + u * (right - left), bottom - v * (bottom - top)

    def curve(self, classes, x, y):
        """Draw a curve."""
        points = [self.at(a, b) for a, b in zip(x, y, strict=True)]
        return f'<path class="{classes}" d="{canvas.path_data(*points, digits=1)}"/>'

    def level(self, y, classes="line hushed other"):
        """Draw a horizontal line."""
        return canvas.line(classes, self.at(self.x[0], y), self.at(self.x[1], y))

    def upright(self, x, classes="line hushed other"):
        """Draw a vertical line."""
        return canvas.line(classes, self.at(x, self.y[0]), self.at(x, self.y[1]))


def page(title, description, height, parts, *, slim=3.5):
    """Return the text of a picture."""
    frame = canvas.Frame((0.0, 0.0), 1.0, WIDTH, height)
    amber = (twobone.Status.TOO_FAR,)
    style = f"<style>{CODE}.twobone .leg{{stroke-width:{slim:g}}}</style>"
    return canvas.document(frame, title, description, amber, [style, *parts])
