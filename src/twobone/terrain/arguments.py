"""Validation of arguments: places as arrays, numbers in range, seeds, numbers of frames."""

import math
import operator
from typing import Any

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import NDArray
from twobone.errors import ArrayTypeError, CreatureError, ShapeError

MOST_FRAMES = 1_000_000  # of a walk
MOST_SECONDS = 20_000.0  # of a walk: a second takes 120 steps, no matter how many frames
FARTHEST = 1e9  # maximum absolute value of numbers, so that squares and sums stay finite


def places(x: Any, z: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the coordinates of places as two float64 arrays of the same shape."""
    if not (type(x) is np.ndarray and x.dtype == np.float64):
        x = np.asarray(arrays.as_array(arrays.NUMPY, "x", x), np.float64)
    if not (type(z) is np.ndarray and z.dtype == np.float64):
        z = np.asarray(arrays.as_array(arrays.NUMPY, "z", z), np.float64)
    if x.shape != z.shape:
        shape = arrays.broadcast_shapes({"x": x.shape, "z": z.shape})
        x, z = np.broadcast_to(x, shape), np.broadcast_to(z, shape)
    return x, z


def is_number(value):
    """Return whether a value is a single number; booleans are not."""
    if not hasattr(value, "__float__"):
        return False
    array = np.asarray(value)
    return array.ndim == 0 and array.dtype.kind in "fiuO"  # O: Fraction and Decimal


def number(name, value):
    """Return a value as a float; raise if it is not a finite number up to +-`FARTHEST`."""
    try:
        found = arrays.to_float(name, value)
    except ArrayTypeError:
        raise ArrayTypeError(name, "a number", shown(value)) from None
    if not math.isfinite(found):
        raise CreatureError(name, "be finite", str(found))
    if abs(found) > FARTHEST:
        raise CreatureError(name, f"be at most {FARTHEST:g}", f"{found:g}")
    return found


def positive(name, value):
    """Return a value as a float; raise if it is not a number from 1 / `FARTHEST` to `FARTHEST`."""
    found = number(name, value)
    if not found > 0.0:
        raise CreatureError(name, "be positive", str(found))
    if found < 1.0 / FARTHEST:
        raise CreatureError(name, f"be at least {1.0 / FARTHEST:g}", f"{found:g}")
    return found


def frames(name, seconds, fps):
    """Return the number of frames of a walk; raise if the walk would take too long."""
    if not seconds * fps <= MOST_FRAMES:
        wanted = f"take at most {MOST_FRAMES:,} frames"
        raise CreatureError(name, wanted, f"{seconds:.6g} seconds at {fps:g} frames a second")
    if not seconds <= MOST_SECONDS:
        raise CreatureError(name, f"take at most {MOST_SECONDS:,.0f} seconds", f"{seconds:.6g}")
    return round(seconds * fps)


def at_least_0(name, value):
    """Return a value as a float; raise if it is not a number from 0 to `FARTHEST`."""
    found = number(name, value)
    if found < 0.0:
        raise CreatureError(name, "be at least 0", str(found))
    return found


def seed(value):
    """Return a seed as an int; raise if it is not a whole number of at least 0."""
    wanted = "a whole number"
    if isinstance(value, bool):
        raise ArrayTypeError("seed", wanted, shown(value))
    try:
        found = operator.index(value)
    except TypeError:
        raise ArrayTypeError("seed", wanted, shown(value)) from None
    if found < 0:
        raise CreatureError("seed", "be at least 0", str(found))
    return found


def shown(value):
    """Return a short description of a value for error messages."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    try:
        text = repr(value)
    except ValueError:  # an integer of too many digits
        return type(value).__name__
    return text if len(text) <= 60 else f"{type(value).__name__} {text[:50]}..."


def shape_shown(shape):
    """Return a shape for error messages; that of a number is not a tuple to the user."""
    return str(tuple(shape)) if shape else "a single number"


def forward(velocity):
    """Return a velocity as (left, forward); a single number is forward."""
    return velocity if velocity.shape else (0.0, float(velocity))


def finite(name, value):
    """Return numbers as a float64 array; raise if any is not finite or beyond +-`FARTHEST`."""
    if type(value) is float and abs(value) <= FARTHEST:  # as in most steps of a walker
        return np.asarray(value)
    if not (type(value) is np.ndarray and value.dtype == np.float64):
        value = arrays.as_array(arrays.NUMPY, name, value)
    found = np.asarray(value, np.float64)
    if np.count_nonzero(np.abs(found) <= FARTHEST) == found.size:
        return found
    if not np.isfinite(found).all():
        raise CreatureError(name, "be finite", "NaN or infinity")
    raise CreatureError(name, f"be at most {FARTHEST:g}", f"{np.max(np.abs(found)):g}")


def like(name, value, wanted):
    """Return a value in the shape of the array `wanted`, see `fill`."""
    found = np.empty(wanted.shape)
    fill(name, found, value)
    return found


def fill(name, out, value):
    """Write a value into an array: one of its shape, or one row for all; raise if it is neither."""
    value = np.asarray(value, np.float64)
    row = out.shape[1:]
    if value.shape not in (out.shape, row):
        one = f"shape {row}" if row else "be a number"
        wanted = f"have {one} or shape {out.shape}" if row else f"{one} or have shape {out.shape}"
        raise ShapeError(name, wanted, value.shape, f"shape {value.shape}")
    out[...] = value
