"""Reader of CSV tables of targets, with or without a header, with commas, semicolons or tabs."""

import csv
import re
from functools import cache, partial
from itertools import chain, compress
from typing import NamedTuple

import numpy as np

from twobone.errors import FileError
from twobone.files.columns import COLUMNS, Columns, arguments, find_columns, quote, shorten
from twobone.files.numbers import is_number
from twobone.files.others import CsvOthers, unquote
from twobone.files.rows import Parsed, Rows, blocks, parse_each, table

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
# Many countries write 1.5 as "1,5"; a number in that form gets its own error message.
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


class Layout(NamedTuple):
    """The layout of a CSV table, found from its first line."""

    delimiter: str
    columns: Columns
    header: list[str]  # its unparsed cells; empty if there is no header


def read_csv(stream, source, delimiter=None):
    """Yield the targets of a CSV table; by default, guess the delimiter from the first line."""
    layout = None
    for text, first, fraction in blocks(stream, source):
        lines = text.split("\n")
        if layout is None:
            layout = _find_layout(lines, source, first, delimiter)
            if layout is None:
                continue
        known, has_others = layout.columns.known, bool(layout.columns.others)
        parse = _parse_cells if has_others else _parse_numbers
        parsed = parse(text, lines, source, first, layout)
        others = _others(source, layout, parsed.others) if has_others else None
        values = arguments(known, parsed.numbers)
        yield Rows(values, parsed.places, "line", fraction, others, layout.delimiter)
        if parsed.wrong:
            raise parsed.wrong
    if layout is None:
        raise FileError(source, "rows of coordinates", "nothing but white space")


def _others(source, layout, columns):
    header = [layout.header[i] for i in layout.columns.others]
    return CsvOthers(source, layout.columns.other_names(), header, columns)


# --- the first line -----------------------------------------------------------------------


def _find_layout(lines, source, first, delimiter):
    """Return the layout by the first line that is not blank, and blank it if it is a header.

    A header has columns x and y, or contains no number at all. So a first row with one bad cell is
    not mistaken for a header, and the error names that cell.
    """
    found = next(((i, line) for i, line in enumerate(lines) if line.strip()), None)
    if found is None:
        return None
    i, line = found
    delimiter = delimiter or _guess_delimiter(line)
    cells = _split(line, delimiter, source, first + i)
    names = list(map(_name, cells))
    if _is_header(names):
        lines[i] = ""
        return Layout(delimiter, find_columns(names, source, first + i), cells)
    if len(names) not in (2, 3):
        wanted = f"2 or 3 fields, or a header of {', '.join(COLUMNS)}, on the first line"
        raise FileError(source, wanted, f"{len(names)} without a header", line=first + i)
    return Layout(delimiter, find_columns(COLUMNS[: len(names)], source, first + i), [])


def _name(cell):
    """Return the name of a column, in lower case if it is a target column."""
    name = unquote(cell).strip()
    return name.lower() if name.lower() in COLUMNS else name


def _is_header(names):
    return {"x", "y"} <= set(names) or not any(map(_looks_like_a_number, names))


def _looks_like_a_number(text):
    return is_number(text) or DECIMAL_COMMA.fullmatch(text) is not None


def _guess_delimiter(line):
    """Return the most likely delimiter of a header or a first row."""
    names = {delimiter: _names(line, delimiter) for delimiter in DELIMITERS}
    headers = [delimiter for delimiter in names if {"x", "y"} <= set(names[delimiter])]
    if headers:
        return headers[0]
    several = [delimiter for delimiter in names if len(names[delimiter]) > 1]
    for delimiter in reversed(several):  # the comma last, since it may be a decimal comma
        if any(map(_looks_like_a_number, names[delimiter])):
            return delimiter
    return max(names, key=lambda delimiter: len(names[delimiter]))


def _names(line, delimiter):
    try:
        return list(map(_name, _split(line, delimiter, "", None)))
    except FileError:
        return []


# --- tables of numbers only ---------------------------------------------------------------


def _parse_numbers(text, lines, source, first, layout):
    """Parse lines of a table without other columns, all at once by `csv` if possible."""
    width = len(layout.columns.names)
    try:
        dialect = {"delimiter": layout.delimiter, "strict": True, "skipinitialspace": True}
        rows = list(csv.reader(lines, **dialect))
        sizes = set(map(len, rows))
        if len(rows) == len(lines) and sizes <= {0, width} and _is_plain(text):
            places = range(first, first + len(lines))
            if 0 in sizes:
                places = list(compress(places, rows))
            return Parsed(table(map(float, chain.from_iterable(rows)), width), places, [], None)
    except (csv.Error, ValueError):
        pass  # there is a bad cell; find it line by line
    return parse_each(lines, first, width, partial(_parse_line, source, layout))


def _is_plain(text):
    """Return whether `float` accepts only numbers in a text that other programs accept too."""
    return text.isascii() and "_" not in text


def _parse_line(source, layout, line, number):
    """Return the target columns of a line as numbers, and the other cells unparsed."""
    columns = layout.columns
    cells = _split(line, layout.delimiter, source, number)
    if len(cells) != len(columns.names):
        names = shorten(", ".join(columns.names), 200)
        wanted = f"{len(columns.names)} fields ({names})"
        raise FileError(source, wanted, len(cells), line=number)
    numbers = [unquote(cells[i]) for i in columns.at]
    for name, cell in zip(columns.known, numbers, strict=True):
        if not is_number(cell):
            with_comma = DECIMAL_COMMA.fullmatch(cell)
            wanted = "a number with a decimal point" if with_comma else "a number"
            raise FileError(source, wanted, quote(cell.strip()), line=number, column=name)
    return map(float, numbers), [cells[i] for i in columns.others]


# --- tables with other columns ------------------------------------------------------------


def _parse_cells(text, lines, source, first, layout):
    """Parse lines of a table with other columns, whose cells are kept unparsed."""
    columns = layout.columns
    full = [line for line in lines if line and not line.isspace()]
    try:
        rows = [_split(line, layout.delimiter, source, None) for line in full]
        if set(map(len, rows)) <= {len(columns.names)}:
            cells = list(zip(*rows, strict=True)) or [()] * len(columns.names)
            numbers = [cells[i] for i in columns.at]
            if '"' in text:
                numbers = [list(map(unquote, column)) for column in numbers]
            if all(_is_plain("".join(column)) for column in numbers):
                values = np.array([list(map(float, column)) for column in numbers], np.float64)
                places = range(first, first + len(lines))
                if len(full) != len(lines):
                    places = [p for p, line in zip(places, lines, strict=True) if line.strip()]
                return Parsed(values.T.copy(), places, [cells[i] for i in columns.others], None)
    except (FileError, ValueError):
        pass  # there is a bad cell; find it line by line
    parsed = parse_each(lines, first, len(columns.at), partial(_parse_line, source, layout))
    others = list(zip(*parsed.others, strict=True)) or [()] * len(columns.others)
    return parsed._replace(others=others)


def _split(line, delimiter, source, number):
    """Return the unparsed cells of a line, quotes and spaces included."""
    if '"' not in line:
        return line.split(delimiter)
    cells = _cell(delimiter).findall(line)
    if sum(map(len, cells)) + len(cells) - 1 != len(line):  # part of the line matches no cell
        wanted = f"fields separated by {DELIMITERS[delimiter]}, quotes closed on the same line"
        raise FileError(source, wanted, quote(line), line=number)
    return cells


@cache
def _cell(delimiter):
    """Return the pattern of a cell: without quotes, or in quotes that spaces may precede."""
    return re.compile(rf'(?:\A|{delimiter})( *"[^"]*(?:""[^"]*)*"|(?! *")[^{delimiter}]*)')
