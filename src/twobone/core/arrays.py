"""Which array library is this? The only room that knows there are several.

A `Library` is what the formula needs of one: `sqrt`, `where`, `constant` (a value through
which no derivative passes) and, for the solver, the making and joining of arrays.
"""

import math
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from twobone.core.exact import FLOAT32, FLOAT64, as_it_is
from twobone.errors import ArrayTypeError, ShapeError


class Library(SimpleNamespace):
    """One array library: functions by name, and `name` itself."""


def _same(v):
    return v


FLOATS = Library(
    name="float",
    sqrt=math.sqrt,
    where=lambda condition, a, b: a if condition else b,
    constant=_same,
)

NUMPY = Library(name="numpy", sqrt=np.sqrt, where=np.where, constant=_same, pin=as_it_is, xp=np)


def library_of(arguments):
    """Return the library of some named arguments: NumPy unless one of them says otherwise."""
    found = NUMPY
    for name, value in arguments.items():
        library = _library_of_one(value)
        if library is None or library is NUMPY:
            continue
        if found is not NUMPY and found.name != library.name:
            raise ArrayTypeError(
                name, f"of the same library as the rest ({found.name})", library.name
            )
        found = library
    return found


def _library_of_one(value):
    if isinstance(value, np.ndarray | np.generic | int | float | list | tuple) or value is None:
        return None
    module = type(value).__module__.partition(".")[0]
    if module == "torch":
        return _torch()
    if module == "dask":
        return Library(name="dask")
    if hasattr(value, "__array_namespace__"):
        return _standard(value.__array_namespace__())
    if module == "cupy":
        return _standard(_compat().array_namespace(value))
    return None


def _standard(xp):
    name = xp.__name__.partition(".")[0]
    if name != "jax":
        return Library(name=name, sqrt=xp.sqrt, where=xp.where, constant=_same, pin=as_it_is, xp=xp)
    constant = sys.modules["jax"].lax.stop_gradient
    pin = _pin_with(xp.where)
    return Library(name=name, sqrt=xp.sqrt, where=xp.where, constant=constant, pin=pin, xp=xp)


def _pin_with(where):
    """Return what keeps XLA and Triton from fusing a product with a sum: a choice between them."""
    return lambda v: where(v == v, v, 0.0)


def _torch():
    _compat()
    import array_api_compat.torch
    import torch

    xp: Any = array_api_compat.torch

    pin = _pin_with(xp.where) if torch.compiler.is_compiling() else as_it_is
    return Library(
        name="torch", sqrt=xp.sqrt, where=xp.where, constant=lambda v: v.detach(), pin=pin, xp=xp
    )


def _compat():
    try:
        import array_api_compat
    except ImportError:
        raise ArrayTypeError(
            "target", "an array of an installed extra: pip install 'twobone[torch]'", "a tensor"
        ) from None
    return array_api_compat


# --- from whatever came to floating-point arrays ------------------------------------------

REALS = {"float32": FLOAT32, "float64": FLOAT64}


def to_arrays(library, arguments):
    """Return the arguments as arrays of one floating-point dtype, by name, and its constants.

    Numbers, lists and arrays of integers adapt to the arrays of floats; where there are none
    the library's own default counts, float64 in NumPy.
    """
    xp = library.xp
    arrays = {name: as_array(name, value) for name, value in arguments.items()}
    found = {
        dtype_name(name, array) for name, array in arrays.items() if is_strong(arguments[name])
    }
    default = dtype_name("target", xp.asarray(1.0))
    dtype = "float64" if "float64" in found else "float32" if "float32" in found else default
    if library.name == "jax" and default == "float32":
        dtype = default  # without its x64 mode JAX has no float64
    put = _device(arguments)
    wanted = getattr(xp, dtype)
    return {
        name: xp.asarray(array, dtype=wanted, **put)
        if library is NUMPY or isinstance(array, np.ndarray)
        else xp.astype(array, wanted, copy=False)
        for name, array in arrays.items()
    }, REALS[dtype]._replace(pin=library.pin, constant=library.constant)


def as_array(name, value):
    """Return arrays as they are and the rest as NumPy's; raise where it is not of numbers."""
    if _library_of_one(value) is None:
        try:
            value = np.asarray(value)
        except ValueError:
            wanted = "be an array, or a list whose rows are equally long"
            raise ShapeError(name, wanted, None, "a ragged list") from None
    dtype_name(name, value)
    return value


def dtype_name(name, array):
    """Return the name of an array's dtype: of floats or integers, or raise."""
    dtype = str(getattr(array.dtype, "name", array.dtype)).rpartition(".")[2]
    if dtype not in REALS and not dtype.startswith(("int", "uint")):
        came = "strings" if dtype.startswith("str") else dtype
        raise ArrayTypeError(name, "of float32, float64 or integers", came)
    return dtype


def is_strong(value):
    """Say whether the dtype of an argument counts; that of numbers and lists does not."""
    return not isinstance(value, int | float | list | tuple)


def _device(arguments):
    for value in arguments.values():
        if type(value).__module__.partition(".")[0] == "torch":
            return {"device": value.device}
    return {}


def broadcast_shapes(shapes):
    """Return the common shape of some named shapes."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        name = _odd_one_out(shapes)
        others = ", ".join(f"`{key}` {shape}" for key, shape in shapes.items() if key != name)
        wanted = f"broadcast with the others (leading axes: {others})"
        raise ShapeError(name, wanted, shapes[name]) from None


def _odd_one_out(shapes):
    """Return the name of the first shape that does not go with those before it."""
    common = ()
    for name, shape in shapes.items():
        try:
            common = np.broadcast_shapes(common, shape)
        except ValueError:
            return name
    raise AssertionError("all shapes go together")


def insert_axis(array, place):
    """Give an array an axis of size 1; numbers need none."""
    if place == -1:
        return array[..., None] if array.ndim else array
    return array[..., None, :]


def parts(array, size):
    """Return the parts of vectors: views."""
    return tuple(array[..., i] for i in range(size))


def to_codes(library, status, shape):
    """Return a status of floats as small integers."""
    return library.xp.astype(library.xp.broadcast_to(status, shape), library.xp.int8)


def map_chunks(arguments, chunk, *, both, outputs):
    """Answer dask arrays chunk by chunk: joints, ends and statuses, as `outputs` has it."""
    import dask.array as da

    core = {"target": "(d)", "pole": "(d)", "root": "(d)"}
    inner = ",".join(
        core.get(name, "(e)" if both and name == "side" else "()") for name in arguments
    )
    outer = {"joint": "(e,d)" if both else "(d)", "end": "(d)", "status": "()"}
    strong = {dtype_name(name, value) for name, value in arguments.items() if is_strong(value)}
    dtype = np.dtype("float32" if "float32" in strong and "float64" not in strong else "float64")
    dtypes = [np.dtype(np.int8) if name == "status" else dtype for name in outputs]
    found = da.apply_gufunc(
        chunk,
        f"{inner}->{','.join(outer[name] for name in outputs)}",
        *(v if is_strong(v) else np.asarray(v, dtype) for v in arguments.values()),
        output_dtypes=dtypes if len(outputs) > 1 else dtypes[0],
        allow_rechunk=True,
    )
    found = found if len(outputs) > 1 else (found,)
    return (*found, None, None)[:3]


def join(library, parts, shape):
    """Stack the parts of a vector on a new last axis."""
    xp = library.xp
    return xp.stack([xp.broadcast_to(part, shape) for part in parts], axis=-1)


def concrete(library, array):
    """Return the values as a NumPy array, or None where there are none yet (under jit)."""
    if library is NUMPY:
        return array
    if library.name == "jax":
        from jax.core import Tracer

        return None if isinstance(array, Tracer) else np.asarray(array)
    if library.name == "torch":
        return array.detach().cpu().numpy()
    return np.asarray(array)
