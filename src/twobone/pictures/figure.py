"""The shape of an animal: its parts and the radii of its legs, as `creature.Appearance` has them.

Models (`model.py`), films (`scene.py`), SVG pictures (`walking.py`) and the page share it. A
recording without a description is drawn with a plain body and head around its hips.
"""

from typing import NamedTuple

import numpy as np

from twobone.creature.animals import ROUND, body_size
from twobone.creature.appearance import (
    MOST,
    NODES,
    Appearance,
    Capsule,
    Ellipsoid,
    LegRadii,
    fault_of,
    from_rows,
    pivot_of,
    radii_of,
)
from twobone.creature.contacts import latest, touch_downs
from twobone.creature.palette import BRIGHTEST, Palette, array_to_palette, pairs_of
from twobone.errors import FileError
from twobone.pictures import theme
from twobone.pictures.trunk import AHEAD, Seat, Trunk, space
from twobone.rotations import (
    inverse,
    multiply,
    normalize,
    rotate,
    rotation_vector_to_quaternion,
    slerp,
)

# How legs are coloured to show their two bones, as in diagrams of limbs.
BONES = {
    "thighs": theme.FIRST,
    "shins": theme.SECOND,
}
GROUND = "#C9C4B8"
# Radii, in multiples of the length of the longest leg; those of legs are in `LegRadii`.
FOOT = LegRadii().foot  # of marks around feet
KNEE = LegRadii().knee
# How thick a thigh is at the knee, in multiples of the shin there: where two surfaces coincide,
# pixels of both show.
KNEECAP = 1.06
SOLE = 0.6  # how far up the leg the centre of a foot's ball is, in multiples of its radius
HEAD = (("head", -1),)  # the links of an animal that has no others


class Figure(NamedTuple):
    """The parts of an animal, their pivots and the radii of its legs, as lengths."""

    parts: tuple  # of `Ellipsoid` and `Capsule`, relative to the pivot of their node
    pivots: dict  # (3) for each node but the foot, in the body's space
    links: tuple  # of (node, parent), see `creature.Link`
    legs: tuple  # of `LegRadii`, one for each leg
    leg: float  # the length of the longest leg
    colours: dict  # a `theme.Colour` for each paint

    def with_bones(self):
        """Return the figure with legs in the colours of first and second bones."""
        return self._replace(colours=self.colours | BONES)

    def of(self, *nodes):
        """Return the parts of some nodes."""
        return [part for part in self.parts if part.node in nodes]

    @property
    def tail(self):
        """The straight tail: from its pivot to the farthest end of its parts, (3); its x is 0."""
        ends = [end_of(part) * np.array([0.0, 1.0, 1.0]) for part in self.of("tail")]
        return max(ends, key=lambda end: float(np.dot(end, end)), default=np.zeros(3))


def make_figure(appearance, radii, leg, links=HEAD):
    """Return the figure of an appearance.

    Parameters
    ----------
    appearance : Appearance
    radii : sequence of LegRadii, or of their numbers
        One for each leg.
    leg : float
        The length of the longest leg.
    links : sequence of (str, int)
        The node of each link, and the number of the one that bears it, -1 for the front station.
    """
    pivots = {"body": np.zeros(3), "tail": leg * np.array(appearance.tail)}
    pivots |= {node: leg * np.array(pivot_of(appearance, node)) for node, _ in links}
    parts = tuple(_scaled(part, leg, pivots) for part in appearance.parts)
    legs = tuple(LegRadii(*(leg * np.array(row, np.float64)).tolist()) for row in radii)
    colours = {name: theme.Colour(*pair) for name, pair in pairs_of(appearance.palette).items()}
    return Figure(parts, pivots, tuple(links), legs, leg, colours)


def _scaled(part, leg, pivots):
    pivot = pivots.get(part.node, np.zeros(3))
    if isinstance(part, Capsule):
        start, end = (leg * np.array(point) - pivot for point in (part.start, part.end))
        return part._replace(start=start, end=end, radii=tuple(leg * r for r in part.radii))
    centre, half = leg * np.array(part.centre) - pivot, leg * np.array(part.half)
    return part._replace(centre=centre, half=half)


def part_in_body(figure, part):
    """Return a part in the body's space, or the foot's, in which neither head nor tail rotates."""
    pivot = figure.pivots.get(part.node, np.zeros(3))
    if isinstance(part, Capsule):
        return part._replace(start=part.start + pivot, end=part.end + pivot)
    return part._replace(centre=part.centre + pivot)


def figure_of_animal(animal):
    """Return the figure of a `creature.Animal`, validated or not."""
    anatomy = animal.anatomy
    hips = [[leg.aside, leg.up, anatomy.along[leg.station]] for leg in anatomy.legs]
    leg = max(each.upper + each.lower + each.third for each in anatomy.legs)
    appearance = animal.appearance or plain(hips, leg)
    links = [(link.node, link.parent) for link in anatomy.links]
    return make_figure(appearance, radii_of(appearance, len(hips)), leg, links)


def figure_of(recording, hips, leg):
    """Return the figure of a recording.

    Parameters
    ----------
    recording : Recording
        Must be finite.
    hips : array, shape (..., 3)
        Its hips in the body's space, for a plain body.
    leg : float
        The length of the longest leg.

    Raises
    ------
    FileError
        If its description of the body is invalid, or its trunk is much longer than its legs.
    """
    if not np.all(np.abs(recording.along) <= MOST * leg):
        wanted = f"stations within {MOST:g} lengths of a leg"
        came = float(np.max(np.abs(recording.along)))
        raise FileError("the recording", wanted, f"{came:g}", field="along")
    palette = _palette_of(recording)
    if recording.body_parts is None:
        appearance = plain(hips, leg)._replace(palette=palette)
        return make_figure(appearance, [LegRadii()] * len(recording.bones), leg)
    radii, rows = recording.leg_radii, recording.neck_links
    rows = (
        np.array([[NODES.index("head"), -1, *recording.body_pivots[0]]]) if rows is None else rows
    )
    appearance = from_rows(recording.body_parts, recording.body_pivots, rows)
    appearance = appearance._replace(palette=palette)
    fault = fault_of(appearance)
    if fault:
        wanted = f"`{fault.field}` to {fault.wanted}"
        raise FileError("the recording", wanted, fault.came, field="body_parts")
    if not np.all((radii >= 0.0) & (radii <= MOST)):
        came = radii[(radii < 0.0) | (radii > MOST)].flat[0]
        raise FileError("the recording", f"radii from 0 to {MOST:g}", came, field="leg_radii")
    links = [(pivot.node, int(row[1])) for pivot, row in zip(appearance.pivots, rows, strict=True)]
    known = ("body", "tail", "foot", *(node for node, _ in links))
    strange = [part.node for part in appearance.parts if part.node not in known]
    late = [node for i, (node, parent) in enumerate(links) if not -1 <= parent < i]
    if strange or late or len(set(known)) < len(known):
        wanted = "different links, after those that bear them, for all parts"
        raise FileError(
            "the recording", wanted, ", ".join(strange or late or known[3:]), field="neck_links"
        )
    return make_figure(appearance, radii, leg, links)


def _palette_of(recording):
    colours = recording.palette
    if colours is None:
        return Palette()
    is_inside = (colours >= 0.0) & (colours <= BRIGHTEST)
    if not np.all(is_inside):
        wanted, came = f"colours from 0 to {BRIGHTEST:g}", colours[~is_inside].flat[0]
        raise FileError("the recording", wanted, came, field="palette")
    return array_to_palette(colours)


def plain(hips, leg):
    """Return a plain body around hips, with a head and eyes that show its front.

    Parameters
    ----------
    hips : array, shape (..., 3)
        The hips in the body's space, in one frame or all frames.
    leg : float
        The length of the longest leg.
    """
    hips = np.reshape(hips, (-1, 3))
    low, high = hips.min(axis=0), hips.max(axis=0)
    centre, half = (low + high) / 2 / leg, body_size(hips, leg) / 2 / leg
    head = np.array([0.5, 0.5, 0.5]) * min(half[0], half[1] * 1.6)
    place = centre + np.array([0.0, 0.25 * half[1], half[2] + 0.3 * head[2]])
    parts = [
        Ellipsoid("body", centre, half, ROUND),
        Ellipsoid("light", centre + half * [0.0, 0.34, -0.1], half * [0.72, 0.74, 0.8], 3.0),
        Ellipsoid("accent", place, head, node="head"),
    ]
    for side in (1.0, -1.0):
        eye = place + head * [0.55 * side, 0.42, 0.62]
        parts.append(Ellipsoid("dark", eye, np.full(3, 0.26 * head[0]), node="head"))
    return Appearance(tuple(parts), head=tuple(centre + half * [0.0, 0.0, 1.0]))


# --- poses --------------------------------------------------------------------------------


class Pose(NamedTuple):
    """Where an animal is to which parts are attached: in one frame, or in T with T in front."""

    figure: Figure
    trunk: Trunk
    links: Seat  # (M, 3), their pivots, and (M, 4)
    tail: Seat  # (K, 3), the starts of its links, and (K, 4)
    feet: Seat  # (L, 3) and (L, 4)

    def at(self, frame):
        """Return the pose in a frame, given those of all."""
        figure, (along, *trunk), *seats = self
        return Pose(
            figure,
            Trunk(along, *(part[frame] for part in trunk)),
            *(Seat(*(part[frame] for part in seat)) for seat in seats),
        )

    def spaces_of(self, part):
        """Return the places (3) and rotations (4) of the spaces in which a part is given."""
        if part.node == "body":
            return [space(self.trunk, along_of(part))]
        nodes = [node for node, _ in self.figure.links]
        if part.node in nodes:
            link = nodes.index(part.node)
            return [Seat(*(each[..., link, :] for each in self.links))]
        if part.node == "tail":
            links = self.tail.place.shape[-2]
            link = link_of(self.figure, part, links)
            place, rotation = (each[..., link, :] for each in self.tail)
            return [Seat(place - rotate(rotation, link / links * self.figure.tail), rotation)]
        legs = range(self.feet.place.shape[-2])
        return [Seat(*(each[..., leg, :] for each in self.feet)) for leg in legs]


def poses_of(figure, recording):
    """Return the poses of a figure in all frames of a recording."""
    trunk = trunk_of(recording)
    front, rear = (
        Seat(trunk.places[:, end], trunk.rotations[:, end]) for end in (len(trunk.along) - 1, 0)
    )
    still = np.array([0.0, 0.0, 0.0, 1.0])
    neck, tail = (
        np.tile(still, (1, count, 1)) if links is None else normalize(links)
        for links, count in ((recording.neck, len(figure.links)), (recording.tail, 1))
    )
    rotations = multiply(rear.rotation[:, None], tail)
    starts = [rear.place + rotate(rear.rotation, figure.pivots["tail"] - trunk.along[0] * AHEAD)]
    for link in range(tail.shape[1] - 1):
        starts.append(starts[-1] + rotate(rotations[:, link], figure.tail / tail.shape[1]))
    # Of a neck whose links are unknown, the last one bears the head.
    turns = multiply(front.rotation[:, None], neck[:, -len(figure.links) :])
    pivots = [figure.pivots[node] for node, _ in figure.links]
    places = []
    for (_, parent), pivot in zip(figure.links, pivots, strict=True):
        if parent < 0:
            way = rotate(front.rotation, pivot - trunk.along[-1] * AHEAD)
            places.append(front.place + way)
        else:
            places.append(places[parent] + rotate(turns[:, parent], pivot - pivots[parent]))
    places = np.stack(places, axis=1)
    return Pose(
        figure,
        trunk,
        Seat(places, np.broadcast_to(turns, (*places.shape[:2], 4))),
        Seat(np.stack(starts, axis=1), rotations),
        Seat(recording.feet, foot_rotations(recording)),
    )


def trunk_of(recording):
    """Return the trunk of a recording, (T, S)."""
    return Trunk(recording.along, recording.stations, normalize(recording.station_rotations))


def link_of(figure, part, links):
    """Return which link of so many a part of the tail is on: the one where its middle is."""
    size = float(np.dot(figure.tail, figure.tail))
    share = float(np.dot(middle_of(part), figure.tail)) / size if size > 0.0 else 0.0
    return min(max(int(links * share), 0), links - 1)


def middle_of(part):
    """Return the middle of a part in its space, (3)."""
    if isinstance(part, Capsule):
        return 0.5 * np.add(part.start, part.end)
    return np.asarray(part.centre)


def along_of(part):
    """Return how far forward the middle of a part is, in its space."""
    return float(middle_of(part)[2])


def end_of(part):
    """Return the point of a part that is farthest from the origin of its space, roughly, (3)."""
    if not isinstance(part, Capsule):
        return np.asarray(part.centre)
    return max(part.start, part.end, key=lambda end: float(np.dot(end, end)))


def foot_rotations(recording):
    """Return the rotations of feet in the world, (T, L, 4).

    If the recording does not have them, a foot in stance keeps the rotation that the body had when
    it landed, and in swing it rotates to that of its next stance.
    """
    if recording.foot_rotation is None:
        return _turned_with_body(recording)
    return normalize(recording.foot_rotation)


def _turned_with_body(recording):
    """Return the rotations of feet that keep the body's while they stand."""
    rotations = recording.body_rotation
    stance, frames = recording.stance, np.arange(len(recording.time))[:, None]
    legs = np.arange(stance.shape[1])
    last = latest(stance)  # of all frames: the last one in stance, the first one coming
    coming = np.minimum.accumulate(np.where(stance, frames, frames[-1])[::-1], axis=0)[::-1]
    held = rotations[latest(touch_downs(stance))]
    share = (frames - last) / np.maximum(coming - last, 1)
    share = share * share * (3.0 - 2.0 * share)
    return slerp(held[last, legs], held[coming, legs], share)


def turn_of(part):
    """Return the rotation of an ellipsoid in its node's space."""
    return rotation_vector_to_quaternion(np.array(part.turn, np.float64))


def stations_of_legs(recording):
    """Return the station that bears each leg, (L): the one in whose plane its hip is, nearly."""
    trunk = trunk_of(recording)
    ahead = rotate(trunk.rotations, AHEAD)
    away = [
        np.abs(np.einsum("tli,ti->tl", recording.hips - trunk.places[:, None, k], ahead[:, k]))
        for k in range(len(trunk.along))
    ]
    return np.argmin([part.mean(axis=0) for part in away], axis=0)


def hips_in_body(recording, most=np.inf):
    """Return the hips in the body's space, (T, L, 3), limited to a distance."""
    legs = stations_of_legs(recording)
    back = inverse(normalize(recording.station_rotations))[:, legs]
    hips = rotate(back, recording.hips - recording.stations[:, legs])
    return np.clip(hips + recording.along[legs, None] * AHEAD, -most, most)


# --- outlines -----------------------------------------------------------------------------


def outline(part, place, rotation, axes, count=24):
    """Return the outline of a part seen along a direction.

    Parameters
    ----------
    part : Ellipsoid or Capsule
    place, rotation : array, shape (3) and (4)
        Of its node in the world.
    axes : array, shape (2, 3)
        The directions to the right and up on the page; orthonormal.
    count : int

    Returns
    -------
    array, shape (count, 2)
        Points along `axes`, counter-clockwise.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    flat = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    if isinstance(part, Capsule):
        start, end = (place + rotate(rotation, np.stack([part.start, part.end]))) @ axes.T
        return capsule_outline(start, end, part.radii, flat)
    turn = multiply(rotation, turn_of(part))
    # The farthest point of the surface in each direction, from the gradient of |x/a|^p + ...
    ahead = rotate(turn * [-1.0, -1.0, -1.0, 1.0], flat @ axes) * part.half
    power = max(part.power, 1.05)
    steep = np.abs(ahead) ** (power / (power - 1.0))
    sizes = np.sum(steep, axis=-1, keepdims=True) ** (1.0 / power)
    points = np.sign(ahead) * np.abs(ahead) ** (1.0 / (power - 1.0)) / sizes * part.half
    return (place + rotate(turn, points) + rotate(rotation, part.centre)) @ axes.T


def capsule_outline(start, end, radii, flat):
    """Return the outline of two discs; `flat` are the directions of its points."""
    farther = end @ flat.T + radii[1] > start @ flat.T + radii[0]
    radius = np.where(farther, radii[1], radii[0])[:, None]
    return np.where(farther[:, None], end, start) + radius * flat
