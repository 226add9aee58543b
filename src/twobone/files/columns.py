"""Columns of a table of targets: arguments of `twobone.reach`, and others that pass through."""

from typing import NamedTuple

from twobone.errors import FileError

COLUMNS = ("x", "y", "z", "r1", "r2", "side", "nx", "ny", "nz")
POLE = ("nx", "ny", "nz")


class Names(NamedTuple):
    """Names of the columns that pass through."""

    before: list[str]  # before the first target column
    after: list[str]  # after it


class Columns(NamedTuple):
    """The columns of a table, in their order. Target columns are those in `COLUMNS`."""

    names: list[str]  # of all columns
    known: list[str]  # names of the target columns
    at: list[int]  # indices of the target columns
    others: list[int]  # indices of the other columns
    before: int  # number of other columns before the first target column

    def other_names(self):
        """Return the names of the other columns."""
        names = [self.names[i] for i in self.others]
        return Names(names[: self.before], names[self.before :])


def find_columns(names, source, line):
    """Find the target columns among names; raise if one is missing or occurs twice."""
    at = [i for i, name in enumerate(names) if name in COLUMNS]
    known = [names[i] for i in at]
    for name in known:
        if known.count(name) > 1:
            raise FileError(source, "each column once", f"{name} twice", line=line)
    listed = shorten(", ".join(names), 200)
    for name in ("x", "y"):
        if name not in known:
            raise FileError(source, "columns x and y", listed, line=line)
    pole = [name for name in POLE if name in known]
    if pole and (len(pole) < 3 or "z" not in known):
        wanted = "nx, ny and nz together, and z with them"
        raise FileError(source, wanted, listed, line=line)
    others = [i for i, name in enumerate(names) if name not in COLUMNS]
    return Columns(list(names), known, at, others, sum(i < at[0] for i in others))


def resembled(name):
    """Return the target column that a name such as "r_1" or "R1" resembles, or None."""
    bare = "".join(filter(str.isalnum, name)).lower()
    return bare if bare in COLUMNS and name not in COLUMNS else None


def arguments(columns, table):
    """Return the columns of a table of numbers as arguments of `twobone.reach`, by name."""
    place = {name: i for i, name in enumerate(columns)}
    values = {"target": table[:, [place[name] for name in ("x", "y", "z") if name in place]]}
    for name in ("r1", "r2", "side"):
        if name in place:
            values[name] = table[:, place[name]]
    if "nx" in place:
        values["pole"] = table[:, [place[name] for name in POLE]]
    return values


def quote(value, write=repr):
    """Return a short representation of a value for error messages."""
    return shorten(write(value))


def counted(count, noun):
    """Return a count with its noun, which is in the plural but for 1."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def shorten(text, most=60):
    """Return a text, truncated to `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
