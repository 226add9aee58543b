"""Numbers as text, as all tables, options and arguments accept them; names of dtypes."""

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


def kind_of(dtype):
    """Return what values of a NumPy dtype are, in words for errors about files."""
    if dtype.kind in "iuf":
        return "numbers" if dtype.itemsize <= 8 else f"numbers of {8 * dtype.itemsize} bits"
    words = {"b": "true or false", "c": "complex numbers", "S": "text", "U": "text"}
    if dtype.kind in "mM":
        return "dates or times"
    return words.get(dtype.kind, "objects (a pickle)" if dtype.hasobject else "records")


def is_whole(text):
    """Return whether a text is a whole number in decimal digits."""
    return WHOLE.fullmatch(text) is not None
