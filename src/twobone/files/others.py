"""Columns of a table of targets that pass through to the answers, between CSV and JSON too.

From CSV to CSV and from JSON to JSON they are copied unchanged. From CSV to JSON every cell becomes
a string. From JSON to CSV a string becomes its text, a number its digits, null an empty cell, and
a list or an object its JSON.
"""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from twobone.errors import FileError
from twobone.files.columns import Names, quote


class CsvOthers(NamedTuple):
    """Other columns of some rows of a CSV table, as unparsed cells.

    Methods return two lists: columns before those of the answers, and columns after them.
    """

    source: str
    names: Names
    header: list[str]
    columns: list

    def cells(self, delimiter, names):
        """Return the columns as cells of CSV."""
        del delimiter, names  # the answers have the same as the table
        return self._parted(self.columns)

    def heads(self, delimiter):
        """Return the header of the columns."""
        del delimiter
        return self._parted(self.header)

    def members(self):
        """Return the columns as texts of members of JSON objects, row by row."""
        names = [*self.names.before, *self.names.after]
        for name, count in Counter(names).items():
            if count > 1:
                wanted = "different names, as members of a JSON object must have"
                raise FileError(self.source, wanted, f"{quote(name)} twice")
        columns = [
            [f"{to_json(name)}: {to_json(unquote(cell))}" for cell in column]
            for name, column in zip(names, self.columns, strict=True)
        ]
        before, after = self._parted(columns)
        count = len(self.columns[0])
        return _rows(before, count), _rows(after, count)

    def all_names(self):
        """Return the set of all names."""
        return {*self.names.before, *self.names.after}

    def _parted(self, columns):
        count = len(self.names.before)
        return columns[:count], columns[count:]


class Members(NamedTuple):
    """Other members of a JSON object, as unparsed text."""

    names: tuple[str, ...]
    before: int  # how many are before the first target column
    texts: tuple[str, ...]  # texts of the whole members
    values: tuple[str, ...]  # texts of their values


class JsonOthers(NamedTuple):
    """Other members of the objects on some JSON lines; `names` are those of the first line.

    Methods return two lists: members before those of the answers, and members after them.
    """

    source: str
    names: Names
    places: Sequence
    rows: list[Members]

    def cells(self, delimiter, names):
        """Return the columns with the given names as cells of CSV; a missing member is empty."""
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
        """Return the header of the columns, which are those of the first row."""
        return tuple(
            [to_cell(self._encodable(name, None), delimiter) for name in part]
            for part in self.names
        )

    def members(self):
        """Return the unchanged texts of the members, row by row."""
        before = [row.texts[: row.before] for row in self.rows]
        return before, [row.texts[row.before :] for row in self.rows]

    def all_names(self):
        """Return the set of all names."""
        return set(chain.from_iterable({row.names for row in self.rows}))

    def _sorted(self, row, wanted, place):
        for name in row.names:
            if name not in wanted:
                expected = "only columns of the first row, since the answers are CSV"
                raise FileError(self.source, expected, quote(name), line=place)
        found = dict(zip(row.names, row.values, strict=True))
        return [found.get(name, "null") for name in wanted]

    def _cell(self, text, delimiter, place):
        """Convert the JSON text of a value to a cell."""
        if text[0] != '"':
            return "" if text == "null" else to_cell(text, delimiter)
        if "\\" in text:
            return to_cell(self._encodable(json.loads(text), place), delimiter)
        return to_cell(text[1:-1], delimiter)

    def _encodable(self, text, place):
        """Return a text; raise if it has an unpaired surrogate, which JSON allows."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise FileError(self.source, "Unicode text", quote(text, ascii), line=place) from None
        return text


def _rows(columns, count):
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[]] * count


# --- cells and values ---------------------------------------------------------------------


def unquote(cell):
    """Return the text of an unparsed cell of CSV."""
    bare = cell.lstrip(" ")
    return bare[1:-1].replace('""', '"') if bare.startswith('"') else cell


def to_cell(text, delimiter):
    """Return a text as a cell of CSV, in quotes if necessary."""
    if delimiter in text or '"' in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text


to_json = json.JSONEncoder(ensure_ascii=False).encode
