"""What the fields of a recording must be: kinds, shapes, sizes."""

from typing import Any

import numpy as np

from twobone.creature.recording import Recording
from twobone.errors import WalkError

# T frames, L legs.
SHAPES: dict[str, tuple] = {
    "time": ("T",),
    "body_position": ("T", 3),
    "body_rotation": ("T", 4),
    "hips": ("T", "L", 3),
    "knees": ("T", "L", 3),
    "feet": ("T", "L", 3),
    "stance": ("T", "L"),
    "bones": ("L", 2),
    "ground": ("T", "L"),
    "dt": (),
}
OPTIONAL: dict[str, tuple] = {"blocked": ("T",)}  # None if they are not known
TRUTHS = ("stance", "blocked")
MOST = 1 << 30  # bytes in a recording: a file must not fill the memory by what it claims


def check(fields, source="the recording", *, finite=False):
    """Return a recording of float64 and bool arrays, once its fields have been looked at.

    Parameters
    ----------
    fields : Recording or mapping
        By name: arrays, or lists of numbers.
    source : str
        Where they come from, for messages.
    finite : bool
        Whether NaN and infinity are refused.

    Raises
    ------
    WalkError
        Naming the field, what it must be and what it is.
    """
    given = fields._asdict() if isinstance(fields, Recording) else fields
    missing = [name for name in SHAPES if name not in given]
    if missing:
        raise WalkError(source, f"have the fields {', '.join(SHAPES)}", f"no {', '.join(missing)}")
    known = [name for name in OPTIONAL if given.get(name) is not None]
    arrays: dict[str, Any] = {
        name: _to_array(given[name], name, source) for name in (*SHAPES, *known)
    }
    sizes = {"T": len(np.atleast_1d(arrays["time"])), "L": len(np.atleast_1d(arrays["bones"]))}
    for name in arrays:
        axes = (SHAPES | OPTIONAL)[name]
        _check_shape(arrays[name], name, [sizes.get(axis, axis) for axis in axes], source)
        if finite and not np.isfinite(arrays[name]).all():
            came = arrays[name][~np.isfinite(arrays[name])].flat[0]
            raise WalkError(source, "be finite", came, name)
    if not (arrays["dt"] > 0 and np.isfinite(arrays["dt"])):
        raise WalkError(source, "be seconds between frames, above 0", arrays["dt"], "dt")
    arrays["dt"] = float(arrays["dt"])
    return Recording(**arrays)


def _to_array(value, name, source):
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RecursionError):  # rows of unlike lengths
        raise WalkError(
            source, f"have shape {shape_of(name)}", "rows of unlike sizes", name
        ) from None
    truths = name in TRUTHS
    if not (array.dtype == bool if truths else array.dtype.kind in "iuf"):
        wanted = "be true or false" if truths else "be numbers"
        raise WalkError(source, wanted, f"values of type {array.dtype}", name)
    return array if truths else array.astype(np.float64)


def _check_shape(array, name, wanted, source):
    if array.shape != tuple(wanted):
        shape = f"have shape {shape_of(name)}, here {tuple(wanted)}"
        raise WalkError(source, shape, array.shape, name)
    if 0 in array.shape:
        raise WalkError(source, "have at least one frame and one leg", array.shape, name)


def shape_of(name):
    """Return the shape of a field as the documentation writes it."""
    shape = (SHAPES | OPTIONAL)[name]
    axes = ", ".join(map(str, shape))
    return f"({axes},)" if len(shape) == 1 else f"({axes})"
