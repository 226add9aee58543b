"""Drawing functions for docs/walking.md: bodies, legs, feet, ground, plots."""

import itertools
from typing import NamedTuple

import numpy as np

import twobone
from twobone import creature, rotations
from twobone.creature import polygons
from twobone.creature.journey import record
from twobone.pictures import canvas, figure, hocks, shapes, theme
from twobone.pictures import stage as on

WIDTH = 560.0  # px: text stays legible on a phone
UP = np.array([0.0, 1.0, 0.0])
WHOLE, FRONT, TRUNK = ("body", "head", "tail"), ("body", "head"), ("body",)  # parts of a body
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


def with_gait(name, duty_factor, *, stride=None, lift=None, sway=None):
    """Return an animal in a static gait with the same duty factor at all speeds."""
    animal = creature.animal(name)
    if animal.gait.balance == "dynamic":
        animal = animal.with_gait("crawl")
    own = animal.gait
    gait = creature.Gait(
        own.offsets[0], duty_factor, stride or own.stride, lift or own.lift, sway=sway or own.sway
    )
    return animal._replace(gait=gait)


def turned_back(walk, frame, heading):
    """Return a walk rotated and moved so that in one frame it is at the origin and faces +z."""
    back = np.array([0.0, np.sin(-0.5 * heading), 0.0, np.cos(0.5 * heading)])
    start = walk.body_position[frame] * [1.0, 0.0, 1.0]
    moved = {
        name: rotations.rotate(back, getattr(walk, name) - start)
        for name in ("body_position", "hips", "knees", "feet")
    }
    return walk._replace(body_rotation=rotations.multiply(back, walk.body_rotation), **moved)


class Moment(NamedTuple):
    """One frame of a walk, and the figure of the animal."""

    position: np.ndarray
    rotation: np.ndarray
    hips: np.ndarray
    knees: np.ndarray
    feet: np.ndarray
    stance: np.ndarray
    figure: figure.Figure
    hocks: np.ndarray | None = None  # where the legs of the figure have hocks


def moment(animal, walk, frame):
    """Return one frame of a recording."""
    drawn = figure.figure_of_animal(animal)
    bends = hocks.hock_points(drawn.hocks, walk, walk.body_rotation)
    rows = (walk.body_position, walk.body_rotation, walk.hips, walk.knees, walk.feet, walk.stance)
    return Moment(*(row[frame] for row in rows), drawn, bends[frame])


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


def _parts(it, nodes=WHOLE):
    """Return the parts of some nodes in the body's space."""
    return [figure.part_in_body(it.figure, part) for part in it.figure.of(*nodes)]


def _body_points(it):
    """Return points on the surfaces of body, head and tail."""
    parts = [shapes.part_shape(part, it.figure.leg).points for part in _parts(it)]
    return [it.position + rotations.rotate(it.rotation, part) for part in parts]


def body(place, it, *, nodes=WHOLE, ghost=False):
    """Draw body, head and tail, or some of them."""
    axes = np.stack([place.right, place.up])
    drawn = []
    for part in _parts(it, nodes):
        outlined = figure.outline(part, it.position, it.rotation, axes, count=18)
        corners = [place.frame.at(point) for point in outlined]
        ends = [part.start, part.end] if isinstance(part, creature.Capsule) else [part.centre]
        depth = place.toward(rotations.rotate(it.rotation, np.mean(ends, axis=0)))
        drawn.append((depth, "joint" if part.paint == "accent" else "hushed", corners))
    if ghost:
        return outline("line hushed dashed", hull(np.concatenate([part[2] for part in drawn])))
    drawn.sort(key=lambda part: part[0])
    return "".join(outline(f"mark {thing}", corners) for _, thing, corners in drawn)


def _shin(it, k):
    """Return the points of a drawn shin: knee, hock if there is one, and foot."""
    bend = [it.hocks[k]] if it.figure.hocks[k] else []
    return [it.knees[k], *bend, it.feet[k]]


def leg(place, it, k, *, ring=True):
    """Draw one leg, with a ring around its foot if it is on the ground."""
    hip, knee, foot = (place.at(part[k]) for part in (it.hips, it.knees, it.feet))
    shin = (place.at(point) for point in _shin(it, k))
    drawn = canvas.line("bone leg second", *shin) + canvas.line("bone leg first", hip, knee)
    drawn += canvas.circle("mark joint", knee, 2.6)
    if ring and it.stance[k]:
        drawn = canvas.circle("circle target", foot, 5.0) + drawn
    return drawn


def animal(place, it, *, nodes=WHOLE, ring=True):
    """Draw an animal: the far legs, the body, the near legs."""
    far, near = [], []
    for k in np.argsort([place.toward(foot) for foot in it.feet], kind="stable"):
        above = place.up[1] < 0.2  # seen from above, all legs start under the body
        side = place.toward(it.hips[k] - it.position) > -1e-9
        (near if side and not above else far).append(leg(place, it, k, ring=ring))
    return "".join([*far, body(place, it, nodes=nodes), *near])


def shadow(place, it, height):
    """Draw the shadow of an animal on the ground."""
    parts = [
        points[::6]
        for points in _body_points(it)
        if np.ptp(points, axis=0).max() > 0.2 * it.figure.leg
    ]
    bodies = len(parts)
    for k in range(len(it.hips)):
        parts += [np.stack([it.hips[k], it.knees[k]]), np.stack(_shin(it, k))]
    drawn = []
    for n, part in enumerate(parts):
        fall = np.array([[x, height(x, z), z] for x, _, z in part])
        if n < bodies:
            drawn.append(outline("mark ink", hull([place.at(p) for p in fall])))
        else:
            drawn.append(canvas.line("bone leg ink", *(place.at(p) for p in fall)))
    return f'<g opacity=".12">{"".join(drawn)}</g>'


# --- ground -------------------------------------------------------------------------------


def hills(place, height, centre, wide, deep):
    """Draw ground as ridges, from far to near: each hides what is behind it.

    Its sides should be outside of the picture, because they are drawn too.
    """
    rows, points = 26, 56
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
