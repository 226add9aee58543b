"""What an animal looks like: the parts of its body, head, tail and feet, as data.

Films, models, pictures and the page all draw this one description. Lengths are multiples of the
length of the animal's longest leg.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import NDArray
from twobone.creature.palette import PAINTS, Fault, Palette, fault_of_palette, palette_to_array
from twobone.creature.stepping.anatomy import Link

# What a part is attached to. Parts of the body move with the trunk where they are along it. The
# tail is a chain of links from its pivot on. A part of the foot is drawn at each foot, and rotates
# with it. All others are links (`stepping.anatomy.Link`): they rotate about their pivots, which
# are fixed to what bears them.
NODES = (
    *("body", "head", "tail", "foot", "chest", "neck"),
    *("arm_left", "arm_right", "forearm_left", "forearm_right"),
    *("ear_left", "ear_right", "antenna_left", "antenna_right"),
)
LINKS = tuple(node for node in NODES if node not in ("body", "tail", "foot"))
MOST = 100.0  # lengths of a leg; larger numbers are errors
SHARPEST = 20.0  # power of an ellipsoid, almost a box
Triple: TypeAlias = tuple[float, float, float] | NDArray[np.float64]


class Ellipsoid(NamedTuple):
    """A superellipsoid, `|x/a|^p + |y/b|^p + |z/c|^p = 1`, as a part of an animal."""

    paint: str  # its colour: the name of one in `Palette`
    centre: Triple  # in the body's or the foot's space, in lengths of a leg
    half: Triple  # a, b and c
    power: float = 2.0  # p: 2 makes an ellipsoid, larger numbers something closer to a box
    turn: Triple = (0.0, 0.0, 0.0)  # rotation about the centre: a rotation vector in radians
    node: str = "body"  # what it is attached to: "body", "tail", "foot" (each) or a link, as "head"


class Capsule(NamedTuple):
    """A cone with round ends, or a ball if both ends coincide, as a part of an animal."""

    paint: str  # its colour, as for `Ellipsoid`
    start: Triple  # centre of one end, in the body's or the foot's space, in lengths of a leg
    end: Triple  # centre of the other end
    radii: tuple[float, float]  # at the start and at the end
    node: str = "body"  # what it is attached to, as for `Ellipsoid`


class LegRadii(NamedTuple):
    """The radii of a leg: of its segments at their ends, and of balls, which 0 leaves out."""

    hip: float = 0.034  # of the thigh at the hip
    knee: float = 0.026  # of both bones at the knee
    ankle: float = 0.02  # of the shin and of the segment below it at the ankle
    tip: float = 0.014  # of the lowest segment at the foot
    joint: float = 0.042  # of the balls at hip and knee
    foot: float = 0.026  # of the ball at the foot
    heel: float = 0.0  # how far the segment below the ankle extends beyond it
    under: float = 0.0  # how far under the ankle its upper end is, away from the knee


RADII = len(LegRadii._fields)


class Pivot(NamedTuple):
    """The place about which a link of an animal rotates, with the parts that are attached to it."""

    node: str  # the link: "chest", "arm_left"; see `Link`
    place: Triple  # in the body's space, in lengths of a leg


_Mirrored = TypeVar("_Mirrored", Ellipsoid | Capsule, Pivot)


class Appearance(NamedTuple):
    """What an animal looks like.

    Coordinates are in the body's space: +z forward, +y up, +x to the left, with the line of the
    straight trunk on the z axis; those of a foot's parts are relative to the foot. All lengths are
    multiples of the length of the longest leg. Pairs of legs beyond those in `legs` are like the
    last one.
    """

    parts: tuple[Ellipsoid | Capsule, ...]  # the first is an ellipsoid: the trunk
    legs: LegRadii | tuple[LegRadii, ...] = LegRadii()  # for all pairs, or each from rear to front
    head: Triple = (0.0, 0.0, 0.0)  # pivot of the parts of the head
    tail: Triple = (0.0, 0.0, 0.0)  # pivot of those of tail or abdomen
    pivots: tuple[Pivot, ...] = ()  # of other links; those without one are at `head`
    palette: Palette = Palette()  # its colours


class Rows(NamedTuple):
    """An appearance as arrays, which recordings contain."""

    parts: NDArray[np.float64]  # (P, 12): node, paint, power, then as `_row` arranges them
    pivots: NDArray[np.float64]  # (2, 3): head, tail
    radii: NDArray[np.float64]  # (L, 8), as in `LegRadii`
    links: NDArray[np.float64]  # (M, 5): node, link that bears it or -1, pivot
    palette: NDArray[np.float64]  # (9, 2, 3), see `palette_to_array`


def both(*parts: _Mirrored) -> tuple[_Mirrored, ...]:
    """Return parts or pivots and their mirror images, for the left and the right side."""
    return (*parts, *(_mirrored(part) for part in parts))


def _mirrored(part: Any) -> Any:
    def flip(v):
        return (-v[0], v[1], v[2])

    part = part._replace(node=part.node.replace("left", "right"))
    if isinstance(part, Pivot):
        return part._replace(place=flip(part.place))
    if isinstance(part, Capsule):
        return part._replace(start=flip(part.start), end=flip(part.end))
    x, y, z = part.turn
    return part._replace(centre=flip(part.centre), turn=(x, -y, -z))


def radii_of(appearance: Appearance, legs: int) -> list[LegRadii]:
    """Return the radii of each of so many legs, which are in pairs from rear to front."""
    pairs = (appearance.legs,) if isinstance(appearance.legs, LegRadii) else appearance.legs
    return [pairs[min(leg // 2, len(pairs) - 1)] for leg in range(legs)]


def pivot_of(appearance: Appearance, node: str) -> Triple:
    """Return the pivot of a link, in lengths of a leg."""
    return next((each.place for each in appearance.pivots if each.node == node), appearance.head)


def to_rows(appearance: Appearance, legs: int, links: Sequence[Link]) -> Rows:
    """Return an appearance as arrays; `links` are those of the anatomy."""
    rows = [
        [NODES.index(each.node), each.parent, *pivot_of(appearance, each.node)] for each in links
    ]
    return Rows(
        np.array([_row(part) for part in appearance.parts], np.float64),
        np.array([appearance.head, appearance.tail], np.float64),
        np.array(radii_of(appearance, legs), np.float64),
        np.array(rows, np.float64),
        palette_to_array(appearance.palette),
    )


def _row(part):
    """Return a part as numbers; a capsule has power 0."""
    first = [NODES.index(part.node), PAINTS.index(part.paint)]
    if isinstance(part, Capsule):
        return [*first, 0.0, *part.start, *part.end, *part.radii, 0.0]
    return [*first, part.power, *part.centre, *part.half, *part.turn]


def from_rows(
    parts: NDArray[np.float64], pivots: NDArray[np.float64], links: NDArray[np.float64]
) -> Appearance:
    """Return the appearance of arrays, without its legs; it may be invalid, see `fault_of`."""
    found = [_part(*row[:3], *row[3:].reshape(3, 3).tolist()) for row in parts]
    head, tail = ((x, y, z) for x, y, z in pivots.tolist())
    places = [Pivot(_name(NODES, node), (x, y, z)) for node, _, x, y, z in links.tolist()]
    return Appearance(tuple(found), head=head, tail=tail, pivots=tuple(places))


def _part(node, paint, power, a, b, c):
    node, paint = _name(NODES, node), _name(PAINTS, paint)
    if power == 0.0:
        return Capsule(paint, tuple(a), tuple(b), tuple(c[:2]), node)
    return Ellipsoid(paint, tuple(a), tuple(b), float(power), tuple(c), node)


def _name(names, number):
    return names[int(number)] if number in range(len(names)) else f"{number:g}"


def fault_of(appearance: Appearance) -> Fault | None:
    """Return the first fault of an appearance, or None."""
    parts: Any = appearance.parts
    if not isinstance(parts, tuple | list) or not parts or not isinstance(parts[0], Ellipsoid):
        return Fault("parts", "be parts of which the first is an Ellipsoid", repr(parts)[:80])
    for number, part in enumerate(parts):
        fault = _fault_of_part(part, number)
        if fault:
            return fault
    for name in ("head", "tail"):
        if not _is_row(getattr(appearance, name), 3):
            return Fault(name, f"be {_numbers(3)}", repr(getattr(appearance, name))[:80])
    for number, pivot in enumerate(appearance.pivots):
        if not isinstance(pivot, Pivot) or pivot.node not in LINKS or not _is_row(pivot.place, 3):
            wanted = f"be a Pivot of {', '.join(LINKS)} at {_numbers(3)}"
            return Fault(f"pivots[{number}]", wanted, repr(pivot)[:80])
    return _fault_of_legs(appearance.legs) or fault_of_palette(appearance.palette)


def _fault_of_part(part, number):
    name = f"parts[{number}]"
    if not isinstance(part, Ellipsoid | Capsule):
        return Fault(name, "be an Ellipsoid or a Capsule", repr(part)[:80])
    for field, names in (("paint", PAINTS), ("node", NODES)):
        if getattr(part, field) not in names:
            came = repr(getattr(part, field))[:80]
            return Fault(f"{name}.{field}", f"be one of {', '.join(names)}", came)
    if number == 0 and part.node != "body":
        return Fault(f"{name}.node", "be body", repr(part.node))
    if isinstance(part, Capsule):
        wanted = {"start": (3, -MOST), "end": (3, -MOST), "radii": (2, 0.0)}
    else:
        wanted = {"centre": (3, -MOST), "half": (3, 1e-6), "turn": (3, -MOST)}
        if not _is_row((part.power,), 1, 1.0, SHARPEST):
            wanted_power = f"be a number from 1 to {SHARPEST:g}"
            return Fault(f"{name}.power", wanted_power, repr(part.power)[:80])
    for field, (count, least) in wanted.items():
        if not _is_row(getattr(part, field), count, least):
            came = repr(getattr(part, field))[:80]
            return Fault(f"{name}.{field}", f"be {_numbers(count, least)}", came)
    return None


def _fault_of_legs(radii):
    rows = (radii,) if isinstance(radii, LegRadii) else radii
    if not isinstance(rows, tuple | list) or not rows:
        return Fault("legs", "be LegRadii, or some for each pair of legs", repr(radii)[:80])
    for row in rows:
        if not isinstance(row, LegRadii) or not _is_row(row, RADII, 0.0):
            return Fault("legs", f"be LegRadii of {_numbers(RADII, 0.0)}", repr(row)[:80])
    return None


def _is_row(values, count, least=-MOST, most=MOST):
    try:
        found = np.asarray(arrays.as_array(arrays.NUMPY, "row", values), np.float64)
    except (TypeError, ValueError):  # text, or rows of different lengths
        return False
    return found.shape == (count,) and bool(np.all((found >= least) & (found <= most)))


def _numbers(count, least=-MOST):
    return f"{count} numbers from {least:g} to {MOST:g}"
