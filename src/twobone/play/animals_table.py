"""All animals as one table of numbers for the page: how they look, walk and stand."""

from typing import Any

import numpy as np

from twobone.creature import Walker, animals, record
from twobone.creature.animals import Animal
from twobone.pictures.figure import KNEECAP, SOLE, figure_of_animal, part_in_body, turn_of
from twobone.pictures.legs import IN_LINE
from twobone.pictures.scene import Animal as Drawn
from twobone.play.schema import DUTY_FACTORS
from twobone.rotations import quaternion_to_matrix


def animals_table() -> dict[str, dict[str, Any]]:
    """Return the entries of all built-in animals by their names."""
    return {name: entry(make()) for name, make in animals.ANIMALS.items()}


def entry(animal: Animal) -> dict[str, Any]:
    """Return what the page needs to draw an animal and to let it walk, as values for JSON.

    `anatomy` is what the walker takes, which is printed in JavaScript from `creature/stepping`.
    `limits` are by duty factor, for those that the page offers; 0 is the animal's own.
    """
    animal = animals.check(animal)
    return {
        **describe(animal),
        "anatomy": as_json(animal.anatomy),
        "pace": animal.walking_speed,
        "limits": {f"{duty:g}": _limits(animal, duty) for duty in DUTY_FACTORS},
    }


def _limits(animal: Animal, duty: float) -> dict[str, float]:
    """Return what a duty factor changes of the derived numbers of an animal."""
    anatomy = (animal.with_gait(None, duty) if duty else animal).anatomy
    return {"fastest": anatomy.fastest, "topSpeed": anatomy.top_speed}


def as_json(value: Any) -> Any:
    """Return records as objects with the names that printed JavaScript has, tuples as lists."""
    if hasattr(value, "_fields"):
        return {camel(name): as_json(each) for name, each in value._asdict().items()}
    return [as_json(each) for each in value] if isinstance(value, tuple) else value


def camel(name: str) -> str:
    """Return a name in camel case."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# --- looks ----------------------------------------------------------------------------------


def describe(animal: Animal) -> dict[str, Any]:
    """Return the data with which the page draws the legs and the body of an animal."""
    figure = figure_of_animal(animal)
    parts = [part_in_body(figure, part) for part in figure.parts]
    links = [
        {"node": node, "parent": parent, "pivot": figure.pivots[node].tolist()}
        for node, parent in figure.links
    ]
    tail = figure.pivots["tail"]
    return {
        "name": animal.name, "length": figure.leg,
        "radii": [radii._asdict() for radii in figure.legs],
        "sole": SOLE, "kneecap": KNEECAP, "inLine": IN_LINE,
        "parts": [_listed(part) for part in parts], "box": _box(animal),
        "colours": {name: [*pair] for name, pair in figure.colours.items()},
        "links": links, "tail": tail.tolist(), "tip": (tail + figure.tail).tolist(),
    }  # fmt: skip


def _box(animal):
    """Return the middle and half the size of an animal that stands, in its body's space."""
    walker = Walker(animal)
    low, high = Drawn(record(walker, [walker.state], 1.0)).box(np.array([0]))
    return {"centre": (0.5 * (low + high)).tolist(), "half": (0.5 * (high - low)).tolist()}


def _listed(part):
    """Return a part of an animal as values for JSON; the axes of an ellipsoid are rows."""
    found = {name: np.asarray(value).tolist() for name, value in part._asdict().items()}
    if "turn" in found:
        found["axes"] = quaternion_to_matrix(turn_of(part)).T.tolist()
        del found["turn"]
    return found
