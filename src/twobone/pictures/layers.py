"""Names of the layers of a diagram, and their check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from twobone.errors import TwoBoneError

LayerName: TypeAlias = Literal[
    "annulus",
    "circles",
    "direction",
    "across",
    "foot",
    "triangle",
    "other",
    "bones",
    "labels",
    "words",
]
LAYERS: tuple[LayerName, ...] = (
    "annulus",  # the reachable range
    "circles",  # of radius r1 around the root and r2 around the target
    "direction",  # the line from root to target
    "across",  # the line on which both solutions lie
    "foot",  # the foot point q, where that line crosses the line to the target
    "triangle",  # root, q and joint: the right angle at q, and the side s
    "other",  # the other solution
    "bones",  # the solution
    "labels",  # symbols of points and lengths
    "words",  # the line at the bottom: status and numbers
)


def check(show: str | Iterable[LayerName]) -> tuple[LayerName, ...]:
    """Return the names of layers as a tuple, or raise if one does not exist."""
    names: tuple = (show,) if isinstance(show, str) else tuple(show)
    for name in names:
        if name not in LAYERS:
            raise TwoBoneError(f"No layer {name!r} for `show`; there are {', '.join(LAYERS)}.")
    return names
