"""Bytes as printable characters, 1.224 for each byte."""

# All printable ASCII characters except "<", so that the text may be in an element of a page.
DIGITS = "".join(chr(code) for code in range(32, 127) if chr(code) != "<")
BASE = len(DIGITS)  # 94
BITS = 13  # two digits have room for 13 bits, and for one more if these are small
MOST = BASE * BASE - 1 - 2**BITS


def to_text(data: bytes) -> str:
    """Return bytes as printable characters; `page/unpack.js` reads them.

    Two characters are a number of two digits, the lower one first. It has the next 13 bits, or 14
    if the number is then still below 94 * 94. (This is basE91, by Joachim Henke, with three digits
    more.)
    """
    made, bits, count = [], 0, 0
    for byte in data:
        bits |= byte << count
        count += 8
        if count > BITS:
            size = BITS if bits & (2**BITS - 1) > MOST else BITS + 1
            value = bits & (2**size - 1)
            made += DIGITS[value % BASE], DIGITS[value // BASE]
            bits >>= size
            count -= size
    if count:
        made += DIGITS[bits % BASE], DIGITS[bits // BASE]
    return "".join(made)
