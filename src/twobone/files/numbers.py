"""Numbers as text: what every table, option and argument takes for one."""

import re

WHOLE = re.compile(r"\s*[+-]?\d{1,4000}\s*", re.ASCII)  # Python refuses to read longer ones


def is_number(text):
    """Return whether a text is a number as other programs write them; "nan" and "inf" are.

    Python alone also takes 1_000 and the digits of other scripts.
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
