"""Whether the numbers of an animal can be those of one."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from twobone.creature.appearance import LINKS
from twobone.creature.stepping.anatomy import Anatomy, Gait, Leg, Link, Manner
from twobone.creature.stepping.path import fold_of, reach_of
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

DERIVED = (
    "hip",
    "middle",
    "span",
    "fan",
    "highest",
    "travel",
    "across",
    "reach",
    "slowest",
    "fastest",
    "top_speed",
)
NEEDED = ("height", "along", "legs", "gaits")
LEAST, LARGEST = 1e-6, 1e6  # metres
MOST_STATIONS = 64
MOST_LEGS = 256
MOST_LINKS = 64  # of a tail
ANGLE = -3.2, 3.2  # radians
LENGTH = 0.0, LARGEST
PLACE = -LARGEST, LARGEST
SHARE = 0.0, 1.0
# From where to where a number of a field may be.
ANATOMY = {
    "height": (LEAST, LARGEST),
    "bend": (0.0, ANGLE[1]),
    "limp": SHARE,
    "tilt": SHARE,
    "bank": SHARE,
    "belly": LENGTH,
    "half": LENGTH,
    "stride": (0.1, 10.0),
    "lift": (0.0, 2.0),
    "quick": (0.01, 60.0),
    "strong": (0.01, 100.0),
    "balance": SHARE,
    "lead": (0.01, 0.5),
    "straight": (0.3, 0.99),
    "least": (0.0, 0.9),
    "wide": SHARE,
}
LEG = {
    "side": (-1.0, 1.0),
    "aside": PLACE,
    "up": PLACE,
    "foot_aside": PLACE,
    "foot_ahead": PLACE,
    "upper": (LEAST, LARGEST),
    "lower": (LEAST, LARGEST),
    "third": LENGTH,
    "pole_aside": (-1.0, 1.0),
    "pole_up": (-1.0, 1.0),
    "pole_ahead": (-1.0, 1.0),
    "rest": ANGLE,
    "peel": ANGLE,
    "curl": ANGLE,
    "land": ANGLE,
    "share": (1e-6, 1e6),
    "heel": LENGTH,
    "locks": SHARE,
    "still": SHARE,
}
GAIT = {
    "low": (0.0, 100.0),
    "high": (1e-3, 100.0),
    "duty_low": (0.05, 0.98),
    "duty_high": (0.05, 0.98),
    "vault": (-1.0, 1.0),
    "flex": (-10.0, 10.0),
    "lift": (0.0, 100.0),
    "rise": (-1.0, 1.0),
    "over": SHARE,
    "kick": (0.0, 2.0),
    "lean": (-1.0, 1.0),
}
MANNER = (-10.0, 10.0)
LINK: dict[str, tuple[float, float]] = dict.fromkeys(
    ("twist", "tip", "look", "swing", "run", "nod", "pump", "glance", "holds", "bobs", "trails"),
    (-10.0, 10.0),
)
LINK["quick"] = 0.0, 100.0  # a spring that is faster does not settle in steps of time


def checked_names(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields of an anatomy; raise if some are unknown, derived or missing."""
    known = [name for name in Anatomy._fields if name not in DERIVED]
    for name in fields:
        if name not in known:
            raise CreatureError("anatomy", f"have the fields {', '.join(known)}", repr(name))
    for name in NEEDED:
        if name not in fields:
            raise CreatureError("anatomy", f"have {', '.join(NEEDED)}", f"no {name}")
    return fields


def checked(animal: Anatomy) -> Anatomy:
    """Return an animal whose numbers are of the right type; raise if it cannot be one."""
    along = tuple(_numbers("along", animal.along, PLACE))
    if not 0 < len(along) <= MOST_STATIONS:
        raise CreatureError("along", f"be 1 to {MOST_STATIONS} stations", str(len(along)))
    if any(b <= a for a, b in itertools.pairwise(along)):
        raise CreatureError("along", "increase from rear to front", str(along)[:80])
    legs = tuple(
        _leg(f"legs[{i}]", leg, i, len(along)) for i, leg in enumerate(_items("legs", animal.legs))
    )
    if not 2 <= len(legs) <= MOST_LEGS or len(legs) % 2:
        raise CreatureError("legs", f"be an even number from 2 to {MOST_LEGS}", str(len(legs)))
    for k in range(len(along)):
        if not any(leg.station == k for leg in legs):
            raise CreatureError("along", "be stations that each bear a leg", f"none at {k}")
    gaits = tuple(
        _gait(f"gaits[{i}]", gait, len(legs))
        for i, gait in enumerate(_items("gaits", animal.gaits))
    )
    if not gaits:
        raise CreatureError("gaits", "be one or more", "none")
    if not isinstance(animal.manner, Manner):
        raise ArrayTypeError("manner", "a Manner", arguments.shown(animal.manner))
    manner = {
        name: _number(f"manner.{name}", value, MANNER)
        for name, value in animal.manner._asdict().items()
    }
    found = _fields("", animal, ANATOMY)
    if found["least"] >= found["straight"]:
        raise CreatureError(
            "least", f"be below straight, {found['straight']:g}", f"{found['least']}"
        )
    links = tuple(
        _link(f"links[{i}]", link, i, len(legs))
        for i, link in enumerate(_items("links", animal.links))
    )
    nodes = [link.node for link in links]
    if len(set(nodes)) < len(nodes) or "head" not in nodes:
        raise CreatureError("links", "be different ones, one of them a head", ", ".join(nodes))
    if type(animal.tail) is not int or not 0 <= animal.tail <= MOST_LINKS:
        raise CreatureError("tail", f"be 0 to {MOST_LINKS} links", arguments.shown(animal.tail))
    if not isinstance(animal.name, str):
        raise ArrayTypeError("name", "text", arguments.shown(animal.name))
    flags = {name: flag(name, getattr(animal, name)) for name in ("waits", "steady", "sideways")}
    animal = animal._replace(
        **found, **flags, along=along, legs=legs, gaits=gaits, links=links, manner=Manner(**manner)
    )
    _check_stand(animal)
    return animal


def measures(name: str, values: Any, count: int) -> Any:
    """Return so many numbers as floats; raise if they are something else."""
    items = _items(name, values)
    if len(items) != count:
        raise ShapeError(name, f"be {count} numbers", (len(items),), str(len(items)))
    return [arguments.number(f"{name}[{i}]", each) for i, each in enumerate(items)]


def flag(name: str, value: Any) -> bool:
    """Return a boolean, also one of NumPy; raise if it is something else."""
    if not isinstance(value, bool | np.bool):
        raise ArrayTypeError(name, "True or False", arguments.shown(value))
    return bool(value)


def _leg(name: str, leg: Any, i: int, stations: int) -> Leg:
    if not isinstance(leg, Leg):
        raise ArrayTypeError(name, "a Leg, as `pair` makes two", arguments.shown(leg))
    if type(leg.station) is not int or not 0 <= leg.station < stations:
        wanted = f"be one of the stations 0 to {stations - 1}"
        raise CreatureError(f"{name}.station", wanted, arguments.shown(leg.station))
    found = _fields(f"{name}.", leg, LEG)
    if found["side"] != (1.0, -1.0)[i % 2]:
        wanted = "be 1 and -1 in turn, left legs before right ones"
        raise CreatureError(f"{name}.side", wanted, f"{found['side']:g}")
    if found["foot_aside"] * found["side"] <= 0.0:
        wanted = "be on the leg's own side of the trunk"
        raise CreatureError(f"{name}.foot_aside", wanted, f"{found['foot_aside']:g}")
    pole = [found[each] for each in ("pole_aside", "pole_up", "pole_ahead")]
    if abs(sum(part * part for part in pole) - 1.0) > 1e-6:
        wanted = "be a direction in which the knee points, such as (0, 1, 0) for up"
        raise CreatureError(f"{name}.pole", wanted, str(tuple(pole)))
    return leg._replace(**found, radial=flag(f"{name}.radial", leg.radial))


def _gait(name: str, gait: Any, legs: int) -> Gait:
    if not isinstance(gait, Gait):
        raise ArrayTypeError(name, "a Gait", arguments.shown(gait))
    found = _fields(f"{name}.", gait, GAIT)
    if not found["low"] < found["high"]:
        raise CreatureError(f"{name}.low", f"be below high, {found['high']:g}", f"{found['low']:g}")
    offsets = {}
    for each in ("offsets_low", "offsets_high"):
        values = _numbers(f"{name}.{each}", getattr(gait, each), (-100.0, 100.0))
        if len(values) != legs:
            wanted = f"be {legs} numbers, one for each leg"
            raise ShapeError(f"{name}.{each}", wanted, (len(values),), str(len(values)))
        offsets[each] = tuple(values)
    return gait._replace(**found, **offsets)


def _link(name: str, link: Any, i: int, legs: int) -> Link:
    if not isinstance(link, Link):
        raise ArrayTypeError(name, "a Link", arguments.shown(link))
    if link.node not in LINKS:
        wanted = f"be one of {', '.join(LINKS)}"
        raise CreatureError(f"{name}.node", wanted, arguments.shown(link.node))
    for each, most in (("parent", i), ("leg", legs)):
        value = getattr(link, each)
        if type(value) is not int or not -1 <= value < most:
            wanted = f"be from -1 to {most - 1}"
            raise CreatureError(f"{name}.{each}", wanted, arguments.shown(value))
    return link._replace(**_fields(f"{name}.", link, LINK))


def _check_stand(animal: Anatomy) -> None:
    """Raise if a leg does not reach its foot at rest, or has no room for its bones there."""
    for i, leg in enumerate(animal.legs):
        high = animal.height + leg.up
        aside, ahead = leg.foot_aside - leg.aside, leg.foot_ahead
        distance = (aside * aside + ahead * ahead + high * high) ** 0.5
        most, least = reach_of(leg, animal.straight), fold_of(leg, animal.least)
        if high <= 0.0:
            raise CreatureError(f"legs[{i}].up", "leave the hip above the ground", f"{leg.up:g}")
        if not least <= distance <= most:
            raise CreatureError(
                f"legs[{i}]",
                f"reach its foot at rest, {least:.3g} to {most:.3g} from the hip (try longer bones,"
                " a lower trunk or a nearer foot)",
                f"{distance:.3g}",
            )


def _fields(name: str, record: Any, ranges: dict[str, tuple[float, float]]) -> dict[str, Any]:
    return {
        each: _number(name + each, getattr(record, each), between)
        for each, between in ranges.items()
    }


def _number(name: str, value: Any, between: tuple[float, float]) -> float:
    least, most = between
    found = arguments.number(name, value)
    if not least <= found <= most:
        raise CreatureError(name, f"be from {least:g} to {most:g}", f"{found:g}")
    return found


def _numbers(name: str, values: Any, between: tuple[float, float]) -> list[float]:
    return [_number(f"{name}[{i}]", value, between) for i, value in enumerate(_items(name, values))]


def _items(name: str, values: Any) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        raise ArrayTypeError(name, "a sequence", arguments.shown(values)) from None
