"""The numbers of BVH files: read them as an array, and rewrite those that changed."""

import numpy as np

from twobone.files.bvh_hierarchy import NUMBER

SPACE, BREAK, PART, OTHER = range(4)  # what a byte can be
KINDS = np.full(256, OTHER, np.uint8)
KINDS[list(b" \t\v\f")] = SPACE
KINDS[list(b"\r\n")] = BREAK
KINDS[list(b"0123456789+-.eE")] = PART
CHUNK = 1 << 14  # numbers converted at a time, so that intermediate results fit the cache
BLOCK = 1 << 20  # bytes rewritten at a time, to save memory
DIGITS = 15  # integers with so many digits are exact as floats
LONGEST = DIGITS + 2  # with a sign and a point
POWERS = 10.0 ** np.arange(DIGITS + 1)  # exact too


def read_numbers(text, motion, width):
    """Return the numbers below the header as an array of shape (T, C), with C the given width.

    Memory is proportional to the size of the file, whatever number of frames it claims.
    """
    codes = _codes(text.data, motion)
    kinds = _kinds(codes)
    spans = starts, stops = _spans(kinds)
    _check(text, kinds, starts, motion, width)
    numbers = np.empty(len(starts))
    for first in range(0, len(starts), CHUNK):
        some = slice(first, first + CHUNK)
        values, others = plain_numbers(codes, starts[some], stops[some])
        if len(others):
            values[others] = _to_floats(text, motion, *(each[some][others] for each in spans))
        numbers[some] = values
    return numbers.reshape(motion.frames, width)


def plain_numbers(codes, starts, stops):
    """Convert numbers such as -12.345 exactly; return also the indices of those it cannot convert.

    A number of at most 15 digits without an exponent is the quotient of two integers that are
    exact as floats, so one division gives the float that `float` gives. With NumPy this is three
    times as fast as `float` for each text.
    """
    lengths = stops - starts
    columns = np.arange(min(int(lengths.max()), LONGEST))[:, None]
    found = codes.take(starts + columns, mode="clip")
    inside = columns < lengths
    digits = found - ord("0")  # of uint8: other bytes become large
    is_digit = (digits < 10) & inside
    is_point = (found == ord(".")) & inside
    is_minus = found[0] == ord("-")
    count, points = (each.sum(axis=0, dtype=np.uint8) for each in (is_digit, is_point))
    signs = is_minus | (found[0] == ord("+"))
    whole = np.zeros(len(starts), np.int64)
    for digit, there in zip(digits, is_digit, strict=True):
        whole = np.where(there, whole * 10 + digit, whole)
    where = (is_point * columns.astype(np.uint8)).max(axis=0)  # of the point, if it is one
    decimals = np.where(points == 1, lengths - 1 - where, 0)
    is_plain = (count > 0) & (count <= DIGITS) & (points <= 1) & (count + points + signs == lengths)
    values = whole / POWERS[np.where(is_plain, decimals, 0)]
    return np.where(is_minus, -values, values), np.flatnonzero(~is_plain)


def rewritten(data, motion, numbers, changed):
    """Yield the pieces of a file in which some numbers, where a mask holds, are written anew."""
    at, done = motion.numbers_start, 0
    if not changed.any():  # where the numbers are is needed only if one changed
        yield data[at:]
        return
    numbers, changed = numbers.reshape(-1), changed.reshape(-1)
    while at < len(data):
        stop = data.find(b"\n", at + BLOCK)  # of a block, which so begins outside of numbers
        block = data[at : stop if stop > 0 else len(data)]
        starts, stops = _spans(_kinds(block))
        rows = np.flatnonzero(changed[done : done + len(starts)])
        texts = to_texts(numbers[done : done + len(starts)][rows])
        yield b"".join(_replaced(block, starts[rows].tolist(), stops[rows].tolist(), texts))
        at, done = at + len(block), done + len(starts)


def _replaced(block, begins, ends, texts):
    """Yield the pieces of a block with some numbers replaced."""
    at = 0
    for begin, end, text in zip(begins, ends, texts, strict=True):
        yield block[at:begin]
        yield text.encode()
        at = end
    yield block[at:]


def to_lines(numbers):
    """Yield the lines of a new file, without their ends: one for each frame."""
    for row in numbers:
        yield " ".join(to_texts(row)).encode()


def to_texts(numbers):
    """Return the shortest texts that give the same floats, without exponents.

    They may have more digits than the numbers of the file: some files have two decimals only, and a
    hundredth of a degree at the hip moves a foot by a tenth of a millimetre.
    """
    texts = list(map(repr, numbers.tolist()))
    return [
        np.format_float_positional(float(text), trim="0") if "e" in text else text for text in texts
    ]


def _codes(data, motion):
    return np.frombuffer(data, np.uint8, offset=motion.numbers_start)


def _kinds(codes):
    return np.frombuffer(bytes(codes).translate(KINDS.tobytes()), np.uint8)


def _spans(kinds):
    """Return where numbers start and stop. The first byte belongs to none: it follows a word."""
    is_part = kinds == PART
    edges = np.flatnonzero(is_part[1:] != is_part[:-1]) + 1
    if len(edges) % 2:
        edges = np.append(edges, len(kinds))
    return edges[::2].copy(), edges[1::2].copy()


def _check(text, kinds, starts, motion, width):
    """Raise if there is anything but numbers, or they are not as many as they should be."""
    begin = motion.numbers_start
    other = kinds == OTHER
    if other.any():
        at = int(other.argmax())
        # The word that holds the byte may begin before it, as that of "1,5" does.
        inside = (kinds[:at] == SPACE) | (kinds[:at] == BREAK)
        start = begin + (at - int(inside[::-1].argmax()) if inside.any() else 0)
        raise text.unexpected(start, "a finite number", text.data[start : start + 100].split()[0])
    breaks = np.searchsorted(starts, np.flatnonzero(kinds == BREAK))
    counts = np.diff(breaks, prepend=0, append=len(starts))
    counts = counts[counts > 0]
    wrong = np.flatnonzero(counts != width)
    if len(wrong):
        first = int(starts[counts[: wrong[0]].sum()])
        came = f"{counts[wrong[0]]}"
        wanted = f"{width} numbers in a line, one for each channel"
        raise text.error(begin + first, wanted, came)
    if len(counts) != motion.frames:
        wanted = f"the number of lines with numbers, {len(counts)}"
        raise text.error(motion.frames_span[0], wanted, motion.frames)


def _to_floats(text, motion, starts, stops):
    """Return the numbers at some places; raise if one of them is none or infinite."""
    places = [(motion.numbers_start + starts).tolist(), (motion.numbers_start + stops).tolist()]
    tokens = [text.data[start:stop] for start, stop in zip(*places, strict=True)]
    try:
        numbers = np.array(tokens, np.float64)
        if np.isfinite(numbers).all():
            return numbers
    except ValueError:
        pass
    bad = next(
        index
        for index, token in enumerate(tokens)
        if not (NUMBER.fullmatch(token) and abs(float(token)) < np.inf)
    )
    raise text.unexpected(places[0][bad], "a finite number", tokens[bad])
