"""Validation of the fields of a recording by a table of their shapes."""

from typing import Any

import numpy as np

from twobone.errors import FileError
from twobone.files.numbers import kind_of

BOOLEANS = ("stance", "blocked")
# The fields that have a size, and on which axis; the first one counts.
AXES = (
    *(("T", "time", 0), ("L", "bones", 0), ("S", "along", 0), ("P", "body_parts", 0)),
    *(("M", "neck", 1), ("M", "neck_links", 0), ("K", "tail", 1)),
)


def checked(given, shapes, optional, source, *, finite=False) -> dict[str, Any]:
    """Return the fields of tables as float64 and bool arrays, and `dt` as a float.

    Parameters
    ----------
    given : dict
        Arrays or lists of numbers by name.
    shapes, optional : dict
        The shape of each field, with letters of `AXES` for sizes; optional ones may be None or
        missing.
    source : str
        The name of their source in error messages.
    finite : bool
        Whether to refuse NaN and infinity.

    Raises
    ------
    FileError
        If a field is missing or has a wrong type, shape or value; the message names it.
    """
    missing = [name for name in shapes if name not in given]
    if missing:
        raise FileError(source, f"the fields {', '.join(shapes)}", f"no {', '.join(missing)}")
    known = shapes | {name: optional[name] for name in optional if given.get(name) is not None}
    arrays: dict[str, Any] = {
        name: _to_array(given[name], name, shape, source) for name, shape in known.items()
    }
    sizes: dict[str, int] = {}
    for letter, name, axis in AXES:
        if name in arrays:
            sizes.setdefault(letter, _size(arrays[name], axis))
    for name, shape in known.items():
        _check_shape(arrays[name], name, shape, [sizes.get(size, size) for size in shape], source)
        if finite and not np.isfinite(arrays[name]).all():
            came = arrays[name][~np.isfinite(arrays[name])].flat[0]
            raise FileError(source, "finite numbers", came, field=name)
    if not (arrays["dt"] > 0 and np.isfinite(arrays["dt"])):
        raise FileError(source, "seconds between frames, above 0", arrays["dt"], field="dt")
    below = arrays["bones"] < 0.0
    if below.any():
        came = arrays["bones"][below][0]
        raise FileError(source, "lengths, 0 or more", came, field="bones")
    return arrays | {"dt": float(arrays["dt"])}


def _size(array, axis):
    """Return a size of an array, 1 where it has no such axis; its shape is checked later."""
    return array.shape[axis] if array.ndim > axis else 1


def _to_array(value, name, shape, source):
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RecursionError):  # rows of different lengths
        came = "rows of different sizes"
        raise FileError(source, f"shape {shape_shown(shape)}", came, field=name) from None
    is_boolean = name in BOOLEANS
    if not (array.dtype == bool if is_boolean else array.dtype.kind in "iuf"):
        wanted = "true or false" if is_boolean else "numbers"
        came = "null or other values" if array.dtype.hasobject else kind_of(array.dtype)
        raise FileError(source, wanted, came, field=name)
    return array if is_boolean else array.astype(np.float64)


def _check_shape(array, name, shape, wanted, source):
    if array.shape != tuple(wanted):
        if not wanted:
            raise FileError(source, "a single number", f"shape {array.shape}", field=name)
        expected = f"shape {shape_shown(shape)}, here {tuple(wanted)}"
        raise FileError(source, expected, array.shape or "a single number", field=name)
    if 0 in array.shape:
        raise FileError(source, "at least one frame and one leg", array.shape, field=name)


def shape_shown(shape):
    """Return a shape as text, such as "(T, L, 3)"."""
    axes = ", ".join(map(str, shape))
    return f"({axes},)" if len(shape) == 1 else f"({axes})"
