"""Columns of a table that are none of a target's: they pass through to the answers.

Cells of CSV go to CSV as they stand, members of JSON objects to JSON. Between the two, text
becomes text, a number its digits, null an empty cell, a list or an object its JSON.
"""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from twobone.errors import FileError
from twobone.files.columns import Names, quote


class CsvOthers(NamedTuple):
    """Other columns of some rows of a CSV table; cells are as they stand there."""

    source: str
    names: Names
    header: list[str]
    columns: list

    def cells(self, delimiter, names):
        """Return the columns as cells of CSV, before and after those of answers."""
        del delimiter, names  # both are those of the table
        return self._parted(self.columns)

    def heads(self, delimiter):
        """Return the header of these columns, before and after."""
        del delimiter
        return self._parted(self.header)

    def members(self):
        """Return the members of JSON objects as text, row by row, before and after."""
        names = [*self.names.before, *self.names.after]
        for name, count in Counter(names).items():
            if count > 1:
                wanted = "names that differ, as members of a JSON object do"
                raise FileError(self.source, wanted, f"{quote(name)} twice")
        columns = [
            [f"{to_json(name)}: {to_json(unquote(cell))}" for cell in column]
            for name, column in zip(names, self.columns, strict=True)
        ]
        before, after = self._parted(columns)
        count = len(self.columns[0])
        return _rows(before, count), _rows(after, count)

    def all_names(self):
        """Return every name that there is."""
        return {*self.names.before, *self.names.after}

    def _parted(self, columns):
        count = len(self.names.before)
        return columns[:count], columns[count:]


class Members(NamedTuple):
    """Members of a JSON object, but for those of the target, as they stand there."""

    names: tuple[str, ...]
    before: int  # how many stand before the first of the target
    texts: tuple[str, ...]  # of name and value
    values: tuple[str, ...]  # of the value alone


class JsonOthers(NamedTuple):
    """Other members of the objects on some JSON lines; `names` are those of the first line."""

    source: str
    names: Names
    places: Sequence
    rows: list[Members]

    def cells(self, delimiter, names):
        """Return the columns of those names as cells of CSV; a member that is missing is empty."""
        wanted = (*names.before, *names.after)
        rows = [
            row.values if row.names == wanted else self._sorted(row, wanted, place)
            for row, place in zip(self.rows, self.places, strict=True)
        ]
        columns = list(zip(*rows, strict=True)) or [()] * len(wanted)
        columns = [
            [
                self._cell(text, delimiter, place)
                for text, place in zip(column, self.places, strict=True)
            ]
            for column in columns
        ]
        return columns[: len(names.before)], columns[len(names.before) :]

    def heads(self, delimiter):
        """Return the header of the columns of the first row, before and after."""
        return tuple(
            [to_cell(self._encodable(name, None), delimiter) for name in part]
            for part in self.names
        )

    def members(self):
        """Return the members as they stand there, row by row, before and after."""
        before = [row.texts[: row.before] for row in self.rows]
        return before, [row.texts[row.before :] for row in self.rows]

    def all_names(self):
        """Return every name that there is."""
        return set(chain.from_iterable({row.names for row in self.rows}))

    def _sorted(self, row, wanted, place):
        for name in row.names:
            if name not in wanted:
                expected = "no more columns than in the first row, as the answers are CSV"
                raise FileError(self.source, expected, quote(name), line=place)
        found = dict(zip(row.names, row.values, strict=True))
        return [found.get(name, "null") for name in wanted]

    def _cell(self, text, delimiter, place):
        """Return a value, which is given as JSON, as a cell."""
        if text[0] != '"':
            return "" if text == "null" else to_cell(text, delimiter)
        if "\\" in text:
            return to_cell(self._encodable(json.loads(text), place), delimiter)
        return to_cell(text[1:-1], delimiter)

    def _encodable(self, text, place):
        """Return a text unless it has half a surrogate pair, which JSON allows."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise FileError(self.source, "Unicode text", quote(text, ascii), line=place) from None
        return text


def _rows(columns, count):
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[]] * count


# --- cells and values ---------------------------------------------------------------------


def unquote(cell):
    """Return the text of a cell of CSV."""
    bare = cell.lstrip(" ")
    return bare[1:-1].replace('""', '"') if bare.startswith('"') else cell


def to_cell(text, delimiter):
    """Return a text as a cell of CSV."""
    if delimiter in text or '"' in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text


to_json = json.JSONEncoder(ensure_ascii=False).encode
