"""Palettes: the colours of an animal, by the names of its paints."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from twobone.core.array_types import NDArray

Colour: TypeAlias = str | tuple[str, str]
BRIGHTEST = 255.0  # of red, green and blue
HEX = re.compile("#[0-9A-Fa-f]{6}")


class Palette(NamedTuple):
    """The colours of an animal: two tones, an accent, and those of its legs.

    A colour is `"#RRGGBB"`, or a pair of them: on a light and on a dark background.

    Examples
    --------
    >>> from twobone import creature
    >>> creature.Palette(body="#B9793F", light=("#EBD9BC", "#F3E6CF")).body
    '#B9793F'
    """

    body: Colour = ("#3B4252", "#8D99AE")  # most of it
    light: Colour = ("#7C8798", "#C6CEDB")  # the second tone
    accent: Colour = ("#C2410C", "#FF7A45")  # of few parts, such as a collar or a beak
    joints: Colour = ("#5B6678", "#667085")  # of balls at hips and knees, see `LegRadii`
    feet: Colour = ("#2E3440", "#5B6678")  # of balls at feet, and of parts of feet
    dark: Colour = ("#1B1F24", "#14171C")  # eyes, nose, claws
    thighs: Colour = ("#4C566A", "#8D99AE")  # of the first bone
    shins: Colour = ("#7C8798", "#B4BDCB")  # of the second bone
    metatarsi: Colour = ("#69748A", "#A3ADBD")  # of the segment below the ankle, if there is one


PAINTS = Palette._fields


class Fault(NamedTuple):
    """What is wrong with an appearance."""

    field: str
    wanted: str
    came: str


def pairs_of(palette: Palette) -> dict[str, tuple[str, str]]:
    """Return the colours of all paints on a light and on a dark background."""
    pairs = ((each, each) if isinstance(each, str) else (each[0], each[1]) for each in palette)
    return dict(zip(PAINTS, pairs, strict=True))


def palette_to_array(palette: Palette) -> NDArray[np.float64]:
    """Return red, green and blue, 0 to 255, of each paint on both backgrounds, (9, 2, 3)."""
    pairs = pairs_of(palette).values()
    return np.array(
        [[[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in pair] for pair in pairs], float
    )


def array_to_palette(numbers: NDArray[np.float64]) -> Palette:
    """Return the palette of an array, see `palette_to_array`."""
    pairs = np.rint(numbers).astype(int).tolist()
    return Palette(
        *(("#{:02X}{:02X}{:02X}".format(*a), "#{:02X}{:02X}{:02X}".format(*b)) for a, b in pairs)
    )


def fault_of_palette(palette: Any) -> Fault | None:
    """Return the first fault of a palette, or None."""
    if not isinstance(palette, Palette):
        return Fault("palette", "be a Palette", repr(palette)[:80])
    for name, colour in palette._asdict().items():
        pair = colour if isinstance(colour, tuple | list) else (colour, colour)
        if len(pair) != 2 or not all(isinstance(c, str) and HEX.fullmatch(c) for c in pair):
            wanted = 'be "#RRGGBB", or two of them: on a light and on a dark background'
            return Fault(f"palette.{name}", wanted, repr(colour)[:80])
    return None
