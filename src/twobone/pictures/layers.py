"""Layers of the picture of one limb, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from twobone.errors import TwoBoneError

LayerName: TypeAlias = Literal[
    "ring",
    "circles",
    "way",
    "across",
    "foot",
    "triangle",
    "other",
    "bones",
    "labels",
    "words",
]
LAYERS: tuple[LayerName, ...] = (
    "ring",  # the targets that can be reached
    "circles",  # r1 around the root, r2 around the target
    "way",  # from root to target
    "across",  # the line on which both answers lie
    "foot",  # the foot point q, where it meets the way
    "triangle",  # Pythagoras: the right angle at q, and s
    "other",  # the other answer
    "bones",  # the answer
    "labels",
    "words",  # the line at the foot: status and numbers
)


def check(show: str | Iterable[LayerName]) -> tuple[LayerName, ...]:
    """Return the layers that are to be shown, or raise naming one that does not exist."""
    names: tuple = (show,) if isinstance(show, str) else tuple(show)
    for name in names:
        if name not in LAYERS:
            raise TwoBoneError(f"No layer {name!r} for `show`; there are {', '.join(LAYERS)}.")
    return names
