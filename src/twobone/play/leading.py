"""What a script asks of the animals on pages: an animal, its ground, a velocity, a shove.

Each function checks arguments and returns a part of the message "lead", as values for JSON.
"""

from typing import Any

import numpy as np

from twobone.creature.animals import Animal, check
from twobone.errors import CreatureError
from twobone.terrain.arguments import finite, forward, like
from twobone.terrain.ground import HeightArray, HeightFunction, Terrain

MOST_LEGS = 64
MOST_HEIGHTS = 250_000
# Pages cannot call a function of Python, so they get its heights on a grid around the origin.
SAMPLES, SPACING = 401, 0.2


def asked_animal(animal: Animal | str | None) -> dict[str, Any]:
    """Return an animal for the page: the name of a built-in one, or all its numbers."""
    if not isinstance(animal, Animal):
        return {"animal": animal}
    from twobone.play.animals_table import entry  # imported late: it needs the pictures

    legs = check(animal).legs
    if legs > MOST_LEGS:
        raise CreatureError("animal", f"have at most {MOST_LEGS} legs on a page", str(legs))
    return {"animal": entry(animal)}


def asked_terrain(terrain: Terrain | None) -> dict[str, Any]:
    """Return the formula of a terrain for the page; a function becomes an array of heights."""
    if terrain is None:
        return {"terrain": None}
    if isinstance(terrain, HeightFunction):
        terrain = sampled(terrain)
    if isinstance(terrain, HeightArray) and terrain.heights.size > MOST_HEIGHTS:
        came = f"{terrain.heights.size:,}"
        raise CreatureError("terrain", f"have at most {MOST_HEIGHTS:,} heights on a page", came)
    return {"terrain": terrain.formula()}


def sampled(terrain: Terrain) -> HeightArray:
    """Return the heights of a terrain on a square grid, `SPACING` apart, around the origin."""
    first = -0.5 * SPACING * (SAMPLES - 1)
    places = first + SPACING * np.arange(SAMPLES)
    heights = terrain.height(*np.meshgrid(places, places))
    return HeightArray(np.broadcast_to(heights, (SAMPLES, SAMPLES)), SPACING, (first, first))


def asked_order(velocity: Any, turn: Any) -> dict[str, Any]:
    """Return a velocity and a turning rate; a single number is a velocity forward."""
    rate = like("turn", finite("turn", turn), np.empty(()))
    return {"order": {"velocity": _two(velocity), "turn": float(rate)}}


def asked_shove(velocity: Any) -> dict[str, Any]:
    """Return a velocity to add to that of the body."""
    return {"shove": _two(velocity)}


def _two(velocity):
    return like("velocity", forward(finite("velocity", velocity)), np.empty(2)).tolist()
