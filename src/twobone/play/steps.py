"""Steps of the animals on pages, as pages report them to Python."""

from typing import Any, NamedTuple

import numpy as np

from twobone.creature.checking import MOST_LINKS, MOST_STATIONS
from twobone.creature.walker import WalkerState
from twobone.errors import PageError
from twobone.play.leading import MOST_LEGS
from twobone.play.page_state import number, shown

FARTHEST = 1e9  # maximum of all coordinates, as for walkers
UNIT = 1e-6  # by which the length of a rotation may differ from 1
LONGEST_NAME = 100
# Each array of the state: how many numbers each leg, station or link has, and how many of these
# there may be. They are sent flat.
OF_LEGS = {"hips": 3, "knees": 3, "ankles": 3, "feet": 3, "foot_rotation": 4}
OF_TRUNK = {"stations": 3, "station_rotations": 4}
LINKS = {"neck": (1, MOST_LINKS), "tail": (0, MOST_LINKS)}
FIELDS = ("animal", "seconds", "blocked", *OF_TRUNK, *OF_LEGS, *LINKS, "stance")


class Step(NamedTuple):
    """What the animal on a page does; see `Page.on_step`."""

    page: int  # 1 is the page that was opened first
    animal: str  # its name
    seconds: float  # for which this animal has walked on this ground
    state: WalkerState  # of a single walker: its body, legs and feet
    blocked: bool  # whether it is kept from going on; see `Walker.blocked`


def check(told: Any) -> Step:
    """Return the step of a message, as that of page 0.

    Raises
    ------
    PageError
        If a field is missing, unknown or invalid.
    """
    if not isinstance(told, dict) or told.keys() != set(FIELDS):
        raise PageError("step", f"be an object with {', '.join(FIELDS)}", shown(told))
    name, blocked = told["animal"], told["blocked"]
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise PageError("animal", f"be at most {LONGEST_NAME} letters", shown(name))
    seconds = number(0, FARTHEST)("seconds", told["seconds"])
    if not isinstance(blocked, bool):
        raise PageError("blocked", "be true or false", shown(blocked))
    stance = told["stance"]
    if not isinstance(stance, list) or not all(isinstance(each, bool) for each in stance):
        raise PageError("stance", "be true or false for each leg", shown(stance))
    legs = len(stance)
    if not 0 < legs <= MOST_LEGS:
        raise PageError("stance", f"have from 1 to {MOST_LEGS} legs", str(legs))
    limbs = {key: _numbers(key, told[key], (legs, wide)) for key, wide in OF_LEGS.items()}
    stations = _count("stations", told["stations"], 3, (1, MOST_STATIONS))
    trunk = {key: _numbers(key, told[key], (stations, wide)) for key, wide in OF_TRUNK.items()}
    links = {
        key: _numbers(key, told[key], (_count(key, told[key], 4, most), 4))
        for key, most in LINKS.items()
    }
    state = WalkerState(**trunk, **limbs, **links, stance=np.array(stance))
    return Step(0, name, seconds, state, blocked)


def _count(name, values, wide, between):
    """Return how many rows of `wide` numbers a list has; it must be within a range."""
    count = len(values) / wide if isinstance(values, list) else -1
    least, most = between
    if count != int(count) or not least <= count <= most:
        raise PageError(name, f"be {least} to {most} times {wide} numbers", shown(values))
    return int(count)


def _numbers(name, values, shape):
    """Return a list as an array of some shape; rotations must have length 1."""
    count = int(np.prod(shape))
    if not isinstance(values, list) or len(values) != count:
        raise PageError(name, f"be {count} numbers", shown(values))
    check_one = number(-FARTHEST, FARTHEST)
    found = np.array([check_one(name, value) for value in values], np.float64).reshape(shape)
    if shape[-1] == 4 and np.any(np.abs(np.linalg.norm(found, axis=-1) - 1.0) > UNIT):
        raise PageError(name, "be quaternions of length 1", shown(values))
    return found
