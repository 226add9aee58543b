"""The columns of a table of targets: which there are, and what they are to `twobone.reach`."""

from twobone.errors import TableError

COLUMNS = ("x", "y", "z", "r1", "r2", "side", "nx", "ny", "nz")
POLE = ("nx", "ny", "nz")


def check_columns(names, source, line):
    """Raise unless names are those of columns of targets, each once and none missing."""
    known = ", ".join(COLUMNS)
    for name in names:
        if name not in COLUMNS:
            raise TableError(source, line, None, f"columns among {known}", quote(name))
        if names.count(name) > 1:
            raise TableError(source, line, None, "each column once", f"{name} twice")
    for name in ("x", "y"):
        if name not in names:
            raise TableError(source, line, None, "columns x and y", ", ".join(names))
    pole = [name for name in POLE if name in names]
    if pole and (len(pole) < 3 or "z" not in names):
        wanted = "nx, ny and nz together, and z with them"
        raise TableError(source, line, None, wanted, ", ".join(names))


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


def shorten(text):
    return text if len(text) <= 60 else f"{text[:57]}..."
