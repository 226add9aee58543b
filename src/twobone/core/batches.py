"""Batches: apply a formula written for one pose to arrays of poses.

A formula `formula(xp, t, **parts)` takes vectors and matrices as tuples of their components and
returns such tuples and numbers. A single pose is computed with Python floats, a NumPy array in
blocks that fit the cache, and arrays of other libraries in one piece.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, engine, programs
from twobone.core.arrays import FLOATS, NUMPY
from twobone.core.halves import in_float32
from twobone.errors import ArrayTypeError, ShapeError

NUMBER, VECTOR, QUATERNION, MATRIX = (), (3,), (4,), (3, 3)  # trailing shapes
BLOCK = 2048  # rows: three matrices each and their intermediate results fit the cache


class Given(NamedTuple):
    """Arguments as arrays of one library and dtype, and the shape of their batch axes."""

    library: arrays.Library
    real: object  # `exact.Real`, the constants of the dtype
    values: dict
    tails: dict  # the trailing shape of each
    shape: tuple

    def tails_of_values(self):
        """Return the trailing shape of each argument that is given."""
        return {name: self.tails[name] for name in self.values}


@np.errstate(over="ignore")  # a number too large for the dtype becomes infinite
def gather(arguments, tails, needed=(), constants=None):
    """Convert arguments to arrays and broadcast their batch axes.

    Arguments that are None are left out, except those in `needed`, which then raise. `constants`
    are NumPy arrays by name, whose dtype does not matter.
    """
    arguments = {k: v for k, v in arguments.items() if v is not None or k in needed}
    constants = constants or {}
    found, library = arrays.plain_arrays(arguments), NUMPY
    if found is not None:
        dtype = next(iter(found[0].values())).dtype
        found[0].update((name, value.astype(dtype)) for name, value in constants.items())
    elif plain := arrays.plain_tensors(arguments):
        library, found = plain
        like = next(iter(found[0].values()))
        more = (
            (name, library.xp.asarray(v.tolist(), dtype=like.dtype))
            for name, v in constants.items()
        )
        found[0].update(more)
    else:
        arguments |= {name: value.tolist() for name, value in constants.items()}
        library = arrays.library_of(arguments)
        if library.name == "dask":
            name = next(name for name, value in arguments.items() if hasattr(value, "dask"))
            wanted = "an array of NumPy, PyTorch or JAX (`dask.array.map_blocks` works on those)"
            raise ArrayTypeError(name, wanted, "one of dask")
        found = arrays.to_arrays(library, arguments)
    values, real = found
    leads = {}
    for name, value in values.items():
        tail = tails[name]
        cut = value.ndim - len(tail)
        if cut < 0 or tuple(value.shape[cut:]) != tail:
            wanted = ", ".join(["...", *map(str, tail)])
            raise ShapeError(name, f"have shape ({wanted})", value.shape)
        leads[name] = tuple(value.shape[:cut])
    return Given(library, real, values, tails, arrays.broadcast_shapes(leads))


@np.errstate(over="ignore")
def shape_of(name, value):
    """Return the shape of an argument."""
    if not hasattr(value, "shape"):
        value = arrays.to_arrays(arrays.library_of({name: value}), {name: value})[0][name]
    return tuple(value.shape)


def answer(formula, output, **arguments):
    """Return the single result of a formula; pass each argument as (value, trailing shape)."""
    (found,) = answers(lambda *given, **parts: (formula(*given, **parts),), (output,), **arguments)
    return found


def answers(formula, outputs, **arguments):
    """Return all results of a formula, as arrays; no argument may be None."""
    for name, (value, _) in arguments.items():
        if value is None:
            raise ArrayTypeError(name, "an array", "None")
    values = {name: value for name, (value, _) in arguments.items()}
    tails = {name: tail for name, (_, tail) in arguments.items()}
    return _answers(formula, tails, outputs, **values)


@in_float32
def _answers(formula, tails, outputs, /, **values):
    return run(formula, gather(values, tails), outputs)


@np.errstate(all="ignore")
def run(formula, given, outputs, kept=None, key=None, block=BLOCK) -> list[Any]:
    """Apply a formula to the arguments and return one array for each of `outputs`.

    `outputs` holds the trailing shapes of the results; None stands for a status. `kept` are the
    `Programs` of the formula, if any, and `key` is what it depends on beside the arguments. NumPy
    computes `block` rows at a time.
    """
    if given.library is not NUMPY:
        found = _run_on_tensors(formula, given, outputs, kept, key)
        return run_other(formula, given, outputs) if found is None else found
    program = kept and kept.find(key, formula, given, outputs)
    dtype = next(iter(given.values.values())).dtype
    results = [
        np.empty(given.shape, np.int8) if tail is None else np.empty((*given.shape, *tail), dtype)
        for tail in outputs
    ]
    if program:
        rows = math.prod(given.shape)
        programs.run(
            program,
            [_rows(given, name)[0] for name in program.names],
            [
                result.reshape(rows, math.prod(tail or ()))
                for result, tail in zip(results, outputs, strict=True)
            ],
        )
        return [result[()] for result in results]
    if given.shape == () and dtype == np.float64:
        parts = {name: _parts_of_one(value) for name, value in given.values.items()}
        _store(results, formula(FLOATS, given.real, **parts))
        return [result[()] for result in results]
    rows = [result.reshape(-1, *tail or ()) for result, tail in zip(results, outputs, strict=True)]
    flat = {name: _rows(given, name) for name in given.values}
    for start in range(0, math.prod(given.shape), block):
        stop = start + block
        parts = {name: _parts(value, start, stop) for name, value in flat.items()}
        found = formula(NUMPY, given.real, **parts)
        _store([row[start:stop] for row in rows], found)
    return [result[()] for result in results]


def holds_everywhere(xp, condition):
    """Return whether a condition is known to hold everywhere; False if values are not visible."""
    if xp.name == "float":
        return condition
    return xp is NUMPY and bool(condition.all())


def holds_nowhere(xp, condition):
    """Return whether a condition is known to hold nowhere; False if values are not visible."""
    if xp.name == "float":
        return not condition
    return xp is NUMPY and not condition.any()


def mend(formula, given, outputs, found, rows):
    """Recompute those rows of the results `found` where the mask `rows` holds, with a formula."""
    if not np.any(rows):
        return found
    if not given.shape:
        return run(formula, given, outputs)
    values = {
        name: np.broadcast_to(value, (*given.shape, *given.tails[name]))[rows]
        for name, value in given.values.items()
    }
    few = given._replace(values=values, shape=(int(np.sum(rows)),))
    for whole, part in zip(found, run(formula, few, outputs), strict=True):
        whole[rows] = part
    return found


def _run_on_tensors(formula, given, outputs, kept, key):
    """Apply a formula to tensors of PyTorch with the kernel; return None if it cannot."""
    if given.library.name != "torch" or kept is None or engine.KERNEL is None:
        return None
    from twobone.core import torch_programs

    return torch_programs.run(formula, given, outputs, kept, key)


def without_gradients(library, tensors, function):
    """Apply a function of NumPy arrays to tensors that record nothing; return None for others."""
    if library.name != "torch" or engine.KERNEL is None:
        return None
    from twobone.core import torch_programs

    return torch_programs.without_gradients(tensors, function)


def run_other(formula, given, outputs):
    """Apply a formula to arrays of a library other than NumPy, in one piece."""
    library, shape = given.library, given.shape
    parts = {}
    for name, value in given.values.items():
        tail = given.tails[name]
        parts[name] = arrays.nest(lambda *at, v=value: v[(..., *at)], tail)
    results = []
    for found, tail in zip(formula(library, given.real, **parts), outputs, strict=True):
        if tail is None:
            results.append(arrays.to_codes(library, found, shape))
        elif tail == ():
            results.append(library.xp.broadcast_to(found, shape))
        else:
            joined = arrays.join(library, arrays.flat(found), shape)
            results.append(library.xp.reshape(joined, (*shape, *tail)))
    return results


def _rows(given, name):
    """Return an argument as a matrix with one row, or with a row for each pose, and its tail."""
    value, tail = given.values[name], given.tails[name]
    lead = value.shape[: value.ndim - len(tail)]
    if math.prod(lead) > 1:
        value = np.broadcast_to(value, (*given.shape, *tail))
    return value.reshape(-1, math.prod(tail)), tail


def _parts(rows, start, stop):
    """Return the components of some rows as contiguous arrays; as numbers if there is one row."""
    values, tail = rows
    columns = values[0] if len(values) == 1 else np.ascontiguousarray(values[start:stop].T)
    return arrays.nest(lambda *at: columns[np.ravel_multi_index(at, tail) if at else 0], tail)


def _parts_of_one(value):
    listed = value.tolist()
    return _tuples(listed) if isinstance(listed, list) else listed


def _tuples(listed):
    return tuple(_tuples(item) if isinstance(item, list) else item for item in listed)


def _store(results, found):
    for result, parts in zip(results, found, strict=True):
        if isinstance(parts, tuple):
            numbers = arrays.flat(parts)
            place = result.reshape(*result.shape[: result.ndim - _depth(parts)], len(numbers))
            for i, number in enumerate(numbers):
                place[..., i] = number
        else:
            result[...] = parts


def _depth(parts):
    return 1 + _depth(parts[0]) if isinstance(parts, tuple) else 0
