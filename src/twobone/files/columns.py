"""The columns of a table of targets: those of `twobone.reach`, and others, which pass through."""

from typing import NamedTuple

from twobone.errors import FileError

COLUMNS = ("x", "y", "z", "r1", "r2", "side", "nx", "ny", "nz")
POLE = ("nx", "ny", "nz")


class Names(NamedTuple):
    """The names of columns that pass through."""

    before: list[str]  # those before the columns of targets
    after: list[str]


class Columns(NamedTuple):
    """The columns of a table, in the order in which they stand there."""

    names: list[str]  # of all
    known: list[str]  # those of targets
    at: list[int]  # where these stand
    others: list[int]  # where the others stand
    before: int  # how many of the others stand before the first of a target

    def other_names(self):
        """Return the names of the others: those before and those after."""
        names = [self.names[i] for i in self.others]
        return Names(names[: self.before], names[self.before :])


def find_columns(names, source, line):
    """Return which columns are those of targets; raise if one is missing or twice there."""
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
    """Return which column of targets a name may be meant for, such as r_1; None for most."""
    bare = "".join(filter(str.isalnum, name)).lower()
    return bare if bare in COLUMNS and name not in COLUMNS else None


def arguments(columns, table):
    """Return a table of numbers as arguments of `twobone.reach`, by name."""
    place = {name: i for i, name in enumerate(columns)}
    values = {"target": table[:, [place[name] for name in ("x", "y", "z") if name in place]]}
    for name in ("r1", "r2", "side"):
        if name in place:
            values[name] = table[:, place[name]]
    if "nx" in place:
        values["pole"] = table[:, [place[name] for name in POLE]]
    return values


def quote(value, write=repr):
    """Return what a table holds as a message shows it."""
    return shorten(write(value))


def shorten(text, most=60):
    """Return a text, or its beginning."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
