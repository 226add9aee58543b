"""Half precision: arrays of float16 and bfloat16 are computed in float32 and returned as they came.

Only arrays of PyTorch and JAX, where such types are common. Conversions have derivatives.
"""

import functools
import sys
from types import FunctionType

import numpy as np

from twobone.core import arrays
from twobone.core.arrays import HALVES, LISTS, PLAIN
from twobone.core.policies import Policy

# Types that are met most often, and need no search.
OTHERS = {np.ndarray, float, int, bool, str, type(None), dict, np.float64, FunctionType}


def in_float32(function):
    """Let a function of arrays accept half precision.

    If its arguments are promoted to half precision, its results of floats have that dtype.
    """

    @functools.wraps(function)
    def wrapped(*values, **named):
        if not _may_be_there() or not any(map(_has_half, (*values, *named.values()))):
            return function(*values, **named)
        found = [pair for value in (*values, *named.values()) for pair in _arrays(value)]
        half = next(array for array, _ in found if _is_half(array))
        xp, dtype = arrays.library_of({"target": half}).xp, _dtype_of(found, half)
        values = _each(_widen, values)
        named = {name: _each(_widen, value) for name, value in named.items()}
        result = function(*values, **named)
        if dtype not in HALVES:
            return result
        return _each(lambda v: xp.astype(v, getattr(xp, dtype)) if _is_float(v) else v, result)

    return wrapped


def _dtype_of(found, half):
    """Return the dtype to which arrays are promoted beside one of half precision."""
    library = arrays.library_of({"target": half})
    ranks = [
        (arrays.dtype_in_words(array.dtype), 0 if is_listed else arrays.rank(library, array))
        for array, is_listed in found
    ]
    return arrays.strongest([(dtype, rank) for dtype, rank in ranks if "float" in dtype])


def _may_be_there():
    return "torch" in sys.modules or "jax" in sys.modules


def _has_half(value):
    """Return whether there are arrays of half precision in nested tuples and lists."""
    if type(value) in OTHERS:
        return False
    if not isinstance(value, LISTS):
        return any(map(_is_half, value._leaves())) if _is_policy(value) else _is_half(value)
    kinds = set(map(type, value))
    return not kinds <= OTHERS and any(map(_has_half, value))


def _arrays(value, is_listed=False):
    """Return the arrays in nested tuples and lists, as pairs: also whether one is in a list."""
    if isinstance(value, LISTS):
        is_listed = is_listed or not hasattr(value, "_fields")
        return [pair for item in value for pair in _arrays(item, is_listed)]
    if _is_policy(value):
        return [(leaf, False) for leaf in value._leaves()]
    is_array = isinstance(value, np.ndarray) or arrays.may_be_half(value)
    return [(value, is_listed)] if is_array else []


def _is_policy(value):
    """Return whether a value is a policy with arrays."""
    return isinstance(value, Policy) and value.per_row


def _is_half(array):
    return arrays.may_be_half(array) and arrays.dtype_in_words(array.dtype) in HALVES


def _is_float(value):
    return arrays.may_be_half(value) and "float" in arrays.dtype_in_words(value.dtype)


def _widen(value):
    if not _is_half(value):
        return value
    xp = arrays.library_of({"target": value}).xp
    return xp.astype(value, xp.float32)


def _each(function, value):
    """Apply a function to all that is in nested tuples and lists."""
    if isinstance(value, LISTS):
        items = [_each(function, item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if _is_policy(value):
        return value._mapped(function)
    return value if isinstance(value, PLAIN) else function(value)
