"""All animals as one table of numbers for the page: how they look, walk and stand."""

from typing import Any

import numpy as np

from twobone.creature import Capsule, animals
from twobone.creature.anatomy import anatomy_of
from twobone.creature.animals import Animal
from twobone.creature.gait import GAITS, Gait
from twobone.pictures.figure import KNEECAP, SOLE, figure_of_animal, part_in_body, turn_of
from twobone.rotations import quaternion_to_matrix


def animals_table() -> dict[str, dict[str, Any]]:
    """Return the entries of all built-in animals by their names."""
    return {name: entry(make()) for name, make in animals.ANIMALS.items()}


def entry(animal: Animal) -> dict[str, Any]:
    """Return what the page needs to draw an animal and to let it walk, as values for JSON.

    The names are those of Python's records, in camel case. In `anatomy`, as in `Anatomy`, points
    are x, z, y and places x, z; there is one row for each leg or point.
    """
    animal = animals.check(animal)
    body = animal.body
    return {
        **describe(animal),
        "body": {name: _values(value) for name, value in body._asdict().items()},
        "gait": _gait(animal.gait),
        "liveliness": float(animal.liveliness),
        "anatomy": _anatomy(anatomy_of(animal)),
    }


def _gait(gait: Gait):
    """Return a gait; the name of a gait is replaced by what it stands for."""
    offsets = [
        {
            "lag": GAITS[each].lag,
            "right": GAITS[each].right,
            "dutyFactor": GAITS[each].duty_factor,
        }
        if isinstance(each, str)
        else list(each)
        for each in gait.offsets
    ]
    names = ("duty_factor", "stride", "lift", "sway", "balance")
    return {"offsets": offsets, **{_camel(name): _values(getattr(gait, name)) for name in names}}


def _anatomy(anatomy):
    found: Any = _record(anatomy)
    # Here by leg and by point.
    found["bones"] = anatomy.bones.T.tolist()
    found["underside"]["keel"] = anatomy.underside.keel.T.tolist()
    return found


def _record(record):
    return {
        _camel(name): _record(value) if hasattr(value, "_asdict") else _values(value)
        for name, value in record._asdict().items()
    }


def _values(value):
    """Return numbers as lists and numbers of Python; complex ones are pairs."""
    if isinstance(value, str | bool):
        return value
    array: Any = np.asarray(value)
    return (np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array).tolist()


def _camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# --- looks ----------------------------------------------------------------------------------


def describe(beast: Any) -> dict[str, Any]:
    """Return the data with which the page solves and draws the legs and the body of an animal."""
    figure = figure_of_animal(beast)
    legs = {name: np.asarray(getattr(beast.legs, name)).tolist() for name in beast.legs._fields}
    parts = [part_in_body(figure, part) for part in figure.parts]
    return {
        "name": beast.name, "speed": beast.speed, "height": beast.body.height, "leg": figure.leg,
        **legs, "radii": [radii._asdict() for radii in figure.legs],
        "sole": SOLE, "kneecap": KNEECAP,
        "hocks": [hock and hock._asdict() for hock in figure.hocks],
        "parts": [_listed(part) for part in parts], "extent": _extent(parts),
        "pivots": {name: figure.pivots[name].tolist() for name in ("head", "tail")},
    }  # fmt: skip


def _extent(parts):
    """Return how far a body extends horizontally from its middle."""
    ends = [
        np.hypot(point[0], point[2])
        for part in parts
        if part.node != "foot"
        for point in ((part.start, part.end) if isinstance(part, Capsule) else (part.centre,))
    ]
    return float(max(*ends, parts[0].half[0], parts[0].half[2]))


def _listed(part):
    """Return a part of an animal as values for JSON; the axes of an ellipsoid are rows."""
    found = {name: np.asarray(value).tolist() for name, value in part._asdict().items()}
    if "turn" in found:
        found["axes"] = quaternion_to_matrix(turn_of(part)).T.tolist()
        del found["turn"]
    return found
