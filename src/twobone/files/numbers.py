"""Numbers as text, as all tables, options and arguments accept them."""

import re

WHOLE = re.compile(r"\s*[+-]?\d{1,4000}\s*", re.ASCII)  # Python's `int` refuses many more digits


def is_number(text):
    """Return whether a text is a number; "nan" and "inf" are.

    `float` also accepts 1_000 and the digits of other scripts; most programs and this one do not.
    """
    if "_" in text or not text.isascii():
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_whole(text):
    """Return whether a text is a whole number in decimal digits."""
    return WHOLE.fullmatch(text) is not None
