"""Reader of JSON lines of targets: objects, or arrays [x, y] and [x, y, z]."""

import json
import re
from functools import partial
from itertools import chain, compress
from operator import itemgetter
from types import NoneType
from typing import Any, cast

from twobone.errors import FileError
from twobone.files.columns import COLUMNS, arguments, find_columns, quote, shorten
from twobone.files.others import JsonOthers, Members, to_json
from twobone.files.rows import Parsed, Rows, blocks, parse_each, table

# `parse_int=float`, because `int` limits the number of digits.
JSON = json.JSONDecoder(parse_int=float)
NO_MEMBERS = Members((), 0, (), ())
BETWEEN = re.compile(r"[ \t\n\r]*[:,{][ \t\n\r]*")


def read_jsonl(stream, source):
    """Yield the targets of JSON lines; the first row determines the columns."""
    columns = None
    parse = _parse_numbers
    for text, first, fraction in blocks(stream, source):
        lines = text.split("\n")
        if columns is None:
            i = next((i for i, line in enumerate(lines) if line.strip()), None)
            if i is None:
                continue
            columns = find_columns(list(_parse_row(source, lines[i], first + i)), source, first + i)
            if columns.others:
                parse = partial(_parse_members, _pattern(columns.names))
        parsed = parse(lines, source, first, columns)
        others = None
        if columns.others or any(members.names for members in parsed.others):
            others = JsonOthers(source, columns.other_names(), parsed.places, parsed.others)
        values = arguments(columns.known, parsed.numbers)
        yield Rows(values, parsed.places, "line", fraction, others)
        if parsed.wrong:
            raise parsed.wrong
    if columns is None:
        raise FileError(source, "rows of coordinates", "nothing but white space")


def _decode(lines, first):
    """Return the values on lines, the numbers of these lines, and the lines that are not empty.

    All lines are decoded as one text, which is three times as fast as one by one. That accepts a
    value that spans two lines if the line break falls into a string or an inner list, so the caller
    must make sure that there are none. Raise if a line cannot be a row.
    """
    lines = [line.strip() for line in lines]
    full = list(filter(None, lines))
    if not all(line[0] + line[-1] in ("{}", "[]") for line in full):
        raise ValueError
    rows = JSON.decode(f"[{','.join(full)}]")
    if len(rows) != len(full):
        raise ValueError
    return rows, list(compress(range(first, first + len(lines)), lines)), full


# Raised by the fast parsers if there is a bad row, or one with other columns; it is then found line
# by line.
BAD_ROW = (ValueError, KeyError, TypeError, RecursionError, FileError)


def _parse_numbers(lines, source, first, columns):
    """Parse lines whose rows have only target columns."""
    known = columns.known
    try:
        rows, places, _ = _decode(lines, first)
        numbers = _flatten(rows, known)
        if set(map(type, numbers)) <= {float, NoneType}:
            return Parsed(table(numbers, len(known)), places, [], None)
    except BAD_ROW:
        pass
    return parse_each(lines, first, len(known), partial(_parse_line, source, known))


def _flatten(rows, known):
    kinds, sizes = set(map(type, rows)), set(map(len, rows))
    if sizes == {len(known)} and kinds == {dict}:
        return list(chain.from_iterable(map(itemgetter(*known), rows)))
    if sizes == {len(known)} and kinds == {list} and known == list(COLUMNS[: len(known)]):
        return list(chain.from_iterable(rows))
    raise ValueError


def _parse_members(pattern, lines, source, first, columns):
    """Parse lines whose rows have other members too.

    In rows with the same members as the first row, `pattern` finds the texts of the others.
    """
    known = columns.known
    try:
        rows, places, full = _decode(lines, first)
        names = (*columns.other_names().before, *columns.other_names().after)
        numbers = list(chain.from_iterable(map(itemgetter(*known), rows)))
        others = []
        for line, place in zip(full, places, strict=True):
            match = pattern(line)
            if match is None:
                others.append(_parse_line(source, known, line, place)[1])
            else:
                found = match.groups()
                others.append(Members(names, columns.before, found[::2], found[1::2]))
        if set(map(type, numbers)) <= {float, NoneType}:
            return Parsed(table(numbers, len(known)), places, others, None)
    except BAD_ROW:
        pass
    return parse_each(lines, first, len(known), partial(_parse_line, source, known))


def _pattern(names):
    """Return a function that matches an object with the given members and simple values.

    Simple values are strings, numbers, true, false and null. The groups are the texts of the other
    members and of their values.
    """
    text = r'"[^"\\]*(?:\\.[^"\\]*)*"'
    word = r'[^\[\]{},"\s]+'
    members = []
    for name in names:
        key = re.escape(to_json(name)) + r"\s*:\s*"
        members.append(f"{key}{word}" if name in COLUMNS else f"({key}({text}|{word}))")
    return re.compile(r"\{\s*" + r"\s*,\s*".join(members) + r"\s*\}").fullmatch


def _parse_line(source, known, line, number):
    """Return the target columns of a line as numbers, and its other members."""
    row = _parse_row(source, line, number)
    ours = [name for name in row if name in COLUMNS]
    if set(ours) != set(known):
        wanted = f"{', '.join(known)}, as in the first row"
        raise FileError(source, wanted, shorten(", ".join(map(shorten, row)), 200), line=number)
    numbers = [row[name] for name in known]
    for name, value in zip(known, numbers, strict=True):
        if type(value) is not float and value is not None:
            raise FileError(source, "a number", quote(value, json.dumps), line=number, column=name)
    if len(ours) == len(row):
        return numbers, NO_MEMBERS
    members = _members(line.strip())
    names = [member[0] for member in members]
    if len(members) != len(row):
        twice = next(name for name in names if names.count(name) > 1)
        raise FileError(source, "each column once", f"{quote(twice)} twice", line=number)
    others = zip(*(member for member in members if member[0] not in COLUMNS), strict=True)
    found, texts, values = others
    return numbers, Members(found, names.index(ours[0]), texts, values)


def _parse_row(source, line, number):
    """Return a line as an object; an array becomes an object of x, y and z."""
    try:
        row = JSON.decode(line.strip())
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, list) and len(row) in (2, 3):
        return dict(zip(COLUMNS, row, strict=False))
    if not isinstance(row, dict):
        wanted = "a JSON object with x and y, or an array of 2 or 3 numbers"
        raise FileError(source, wanted, quote(line), line=number)
    return row


def _members(text):
    """Return the members of a non-empty object: name, text of the member, text of its value."""
    members, at = [], 0
    while between := BETWEEN.match(text, at):
        start = between.end()
        name, colon = JSON.raw_decode(text, start)
        begin = cast(Any, BETWEEN.match(text, colon)).end()
        _, at = JSON.raw_decode(text, begin)
        members.append((name, text[start:at], text[begin:at]))
    return members
