"""Pictures of limbs in space: an orthographic view per panel, and shapes to draw in it.

Points are in the world, y up; a `Stage` maps them to the page. Colours and markers are those of
`diagram.py`. The pole has the colour of the line across, on which it selects the joint.
"""

import math
from typing import NamedTuple

import numpy as np

from twobone.pictures import canvas, theme

SIDE = (0.0, 0.0)  # z to the right
FRONT = (90.0, 0.0)  # x to the right, the figure faces the viewer
ABOVE = (0.0, 90.0)


class Stage(NamedTuple):
    """A panel: the mapping from the world to the page."""

    frame: canvas.Frame
    right: np.ndarray  # unit vectors in the world
    up: np.ndarray

    def at(self, point):
        """Map a point of the world to px."""
        return np.array(self.frame.at(self.flat(point)))

    def along(self, direction):
        """Project a direction of the world onto the page, y down; not a unit vector."""
        x, y = self.flat(direction)
        return np.array([x, -y])

    def flat(self, point):
        """Project a point of the world onto the plane of the page, y up."""
        return np.array([np.dot(point, self.right), np.dot(point, self.up)])

    def toward(self, point):
        """Return how close to the viewer a point of the world is."""
        return float(np.dot(point, np.cross(self.right, self.up)))


def stage(at, scale, *, view=SIDE, centre=(0.0, 0.0, 0.0)):
    """Return a stage that shows the point `centre` at a point in px, with `scale` px per unit.

    `view` is the direction it is seen from: degrees about the vertical, from the side (z to the
    right) towards the front, and degrees of elevation.
    """
    turn, height = (math.radians(angle) for angle in view)
    c, s, low, high = math.cos(turn), math.sin(turn), math.cos(height), math.sin(height)
    right, up = np.array([s, 0.0, c]), np.array([c * high, low, -s * high])
    x, y = (scale * np.dot(centre, axis) for axis in (right, up))
    return Stage(canvas.Frame((at[0] - x, at[1] + y), scale, 0.0, 0.0), right, up)


# --- shapes -------------------------------------------------------------------------------


def bones(place, points, *, ghost=False):
    """Draw root, both bones and the joint; with `ghost`, faint and dashed."""
    root, joint, end = (place.at(point) for point in points)
    if ghost:
        drawn = canvas.line("bone second gaps", end, joint)
        drawn += canvas.line("bone first gaps", root, joint)
        return f'<g class="other">{drawn}{canvas.circle("mark joint", joint, 7.0)}</g>'
    drawn = canvas.line("bone first", root, joint) + canvas.line("bone second", joint, end)
    return (
        drawn + canvas.circle("mark joint edge", joint, 8.0) + canvas.square("mark root", root, 6.0)
    )


def faint(place, points, opacity=0.35):
    """Draw both bones with thin lines, as one limb of many."""
    root, joint, end = (place.at(point) for point in points)
    drawn = canvas.line("bone thin second", joint, end) + canvas.line(
        "bone thin first", root, joint
    )
    drawn += canvas.circle("mark joint", joint, 3.0)
    return f'<g opacity="{canvas.number(opacity)}">{drawn}</g>'


def target(place, point):
    """Draw a target."""
    at = place.at(point)
    return canvas.circle("circle target", at, 10.0) + canvas.circle("mark target", at, 4.5)


def arrow(place, thing, start, direction, length):
    """Draw an arrow from a point along a unit vector, `length` long in the world."""
    at, offset = place.at(start), place.along(direction) * (length * place.frame.scale)
    size = float(np.hypot(*offset))
    if size < 4.0:  # it points at the viewer
        return canvas.circle(f"circle {thing}", at, 7.0) + canvas.circle(f"mark {thing}", at, 3.0)
    return canvas.arrow(f"circle {thing}", at + offset, offset / size, size)


class Angle(NamedTuple):
    """An angle to mark: from one direction to another, as seen from a point."""

    corner: np.ndarray
    start: np.ndarray  # direction, of any length
    stop: np.ndarray


def angle(place, thing, marked, radius, *, head=True):
    """Draw an arc that marks an `Angle`, with an arrowhead at its end; `radius` is in px."""
    at = place.at(marked.corner)
    first, last = (math.atan2(*place.along(v)[::-1]) for v in (marked.start, marked.stop))
    sweep = math.remainder(last - first, 2.0 * math.pi)
    angles = first + sweep * np.linspace(0.0, 1.0, max(int(abs(sweep) * 12), 2))
    points = at + radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    drawn = canvas.line(f"circle {thing}", *points)
    if not head:
        return drawn
    sign = math.copysign(1.0, sweep)
    tangent = sign * np.array([-math.sin(angles[-1]), math.cos(angles[-1])])
    return drawn + canvas.arrow(f"circle {thing}", points[-1], tangent, 1.0)


def solid(place, classes, *points):
    """Draw a closed polygon, which may be filled."""
    return canvas.line(classes, *(place.at(point) for point in points)).replace('"/>', 'z"/>')


def path(place, classes, *points):
    """Draw a polyline through points of the world."""
    return canvas.line(classes, *(place.at(point) for point in points))


def beside(point, right, down):
    """Return a point moved to the right and down, in px."""
    return point[0] + right, point[1] + down


def say(point, thing, text, *, anchor="middle", classes=""):
    """Write text in the colour of a thing."""
    return canvas.words(point, (f"{classes} {thing}".strip(), text), anchor=anchor)


def code(point, text):
    """Write text in a monospaced font, for code under a panel."""
    return say(point, "ink", text, classes="code")


def page(title, description, size, parts):
    """Return the SVG document of a picture, given the parts of its panels."""
    frame = canvas.Frame((0.0, 0.0), 1.0, *size)
    code = f"<style>.twobone .code{{font:{theme.WORDS}px {theme.MONO}}}</style>"
    return canvas.document(frame, title, description, (), [code, *parts])
