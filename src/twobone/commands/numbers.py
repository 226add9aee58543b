"""Parsers of numeric options, which accept the same numbers as tables."""

import math

import rich_click as click

from twobone.commands.streams import CommandError
from twobone.files.columns import quote
from twobone.files.numbers import is_number, is_whole

REST = "--rest must be angles such as 0,0.9,-1.8"


def real(least=-math.inf, most=math.inf):
    """Return a parser of numbers from `least` to `most`; without bounds it takes nan and inf."""
    bounded = (least, most) != (-math.inf, math.inf)
    wanted = "a number" + (f" from {least:g} to {most:g}" if bounded else "")

    def number(text):
        value = float(text) if is_number(str(text)) else None  # defaults arrive as numbers
        if value is None or (bounded and not least <= value <= most):
            raise click.BadParameter(f"expected {wanted}, got {text!r}")
        return value

    return number


def whole(least=None, most=None):
    """Return a parser of whole numbers from `least` to `most`."""
    wanted = "a whole number"
    wanted += "" if least is None else f" from {least}"
    wanted += "" if most is None else f" to {most}"

    def integer(text):
        value = int(text) if is_whole(str(text)) else None
        low = value is None or (least is not None and value < least)
        if low or (most is not None and value > most):
            raise click.BadParameter(f"expected {wanted}, got {text!r}")
        return value

    return integer


def several(text, wanted):
    """Return the numbers of an option, with commas or blanks between them."""
    parts = text.replace(",", " ").split()
    if not parts or not all(map(is_number, parts)):
        raise CommandError(f"{wanted}, got {quote(text)}")
    return [float(part) for part in parts]
