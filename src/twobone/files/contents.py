"""What a file contains that is not of the format that was expected, in words for errors."""

from __future__ import annotations

import codecs

from twobone.files.columns import quote

SHOWN = 12  # bytes
MARKS = {  # those of UTF-32 first: one of them begins with one of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def wide_encoding(data: bytes) -> str | None:
    """Return "UTF-16" or "UTF-32" if that is how a text is encoded, else None.

    Without a byte order mark, its first letter tells: a zero is beside it.

    Examples
    --------
    >>> from twobone.files.contents import wide_encoding
    >>> wide_encoding("HIERARCHY".encode("utf-16")), wide_encoding(b"HIERARCHY")
    ('UTF-16', None)
    """
    for mark, name in MARKS.items():
        if data.startswith(mark):
            return name
    pair, four = data[:2], data[:4]
    if four.count(0) == 3 and len(four) == 4 and (four[0] or four[3]):
        return "UTF-32"
    return "UTF-16" if len(pair) == 2 and pair.count(0) == 1 else None


def described(data: bytes) -> str:
    """Return what a file contains: nothing, text in a wide encoding, or its first bytes.

    Examples
    --------
    >>> from twobone.files.contents import described
    >>> described(b""), described("{}".encode("utf-16")), described(b"Kaydara FBX Binary")
    ('nothing: it is empty', 'text in UTF-16', "b'Kaydara FBX '...")
    """
    if not data:
        return "nothing: it is empty"
    wide = wide_encoding(data)
    if wide is not None:
        return f"text in {wide}"
    return f"{quote(data[:SHOWN])}{'...' if len(data) > SHOWN else ''}"
