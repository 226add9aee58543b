"""Which array library is this? The only room that knows there are several.

A `Library` is what the formula needs of one: `sqrt`, `where`, `constant` (a value through
which no derivative passes) and, for the solver, the making and joining of arrays.
"""

import math
import sys
from types import SimpleNamespace

import numpy as np

from twobone.core.exact import FLOAT32, FLOAT64
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

NUMPY = Library(name="numpy", sqrt=np.sqrt, where=np.where, constant=_same, xp=np)


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
    constant = sys.modules["jax"].lax.stop_gradient if name == "jax" else _same
    return Library(name=name, sqrt=xp.sqrt, where=xp.where, constant=constant, xp=xp)


def _torch():
    _compat()
    import array_api_compat.torch as xp

    return Library(name="torch", sqrt=xp.sqrt, where=xp.where, constant=lambda v: v.detach(), xp=xp)


def _compat():
    try:
        import array_api_compat
    except ImportError:
        raise ArrayTypeError(
            "target", "an array of an installed extra: pip install 'twobone[torch]'", "a tensor"
        ) from None
    return array_api_compat


# --- from whatever came to floating-point arrays ------------------------------------------


def to_arrays(library, arguments):
    """Return the arguments as arrays of one floating-point dtype, by name.

    Numbers and lists of them adapt to the arrays; arrays of integers too. Where nothing
    says otherwise it is the library's own default, float64 in NumPy.
    """
    xp = library.xp
    arrays = {name: _to_array(library, name, value) for name, value in arguments.items()}
    strong = [
        array.dtype
        for name, array in arrays.items()
        if _kind(xp, array.dtype) != "int"
        and not isinstance(arguments[name], int | float | list | tuple)
    ]
    dtype = _widest(library, strong)
    device = _device_of(arguments)
    put = {} if device is None else {"device": device}
    return {
        name: xp.asarray(array, dtype=dtype, **put)
        if library is NUMPY or isinstance(array, np.ndarray)
        else xp.astype(array, dtype, copy=False)
        for name, array in arrays.items()
    }, real_of(xp, dtype)


def real_of(xp, dtype):
    """Return the constants of a dtype."""
    return FLOAT32 if dtype == xp.float32 else FLOAT64


def _to_array(library, name, value):
    if _library_of_one(value) is None:
        try:
            array = np.asarray(value)
        except ValueError:
            raise ShapeError(
                name, "be an array, or a list whose rows are equally long", None, "a ragged list"
            ) from None
        _kind(np, array.dtype, name)
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    _kind(library.xp, value.dtype, name)
    return value


def _kind(xp, dtype, name="target"):
    """Return "int" or "float", or raise."""
    if dtype == xp.float64 or dtype == xp.float32:
        return "float"
    if xp is np:
        if isinstance(dtype, np.dtype) and dtype.newbyteorder("=") in (np.float32, np.float64):
            return "float"
        if np.issubdtype(dtype, np.integer):
            return "int"
    else:
        for integer in ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"):
            if dtype == getattr(xp, integer, None):
                return "int"
        if isinstance(dtype, np.dtype):
            return _kind(np, dtype, name)
    wanted = "of float32, float64 or integers"
    raise ArrayTypeError(name, wanted, "strings" if str(dtype).startswith("<U") else str(dtype))


def _widest(library, dtypes):
    xp = library.xp
    if not dtypes:
        return xp.float64 if library is NUMPY else _default_dtype(library)
    double = any(_is_double(xp, dtype) for dtype in dtypes)
    if double and library.name == "jax":
        return _default_dtype(library)
    return xp.float64 if double else xp.float32


def _is_double(xp, dtype):
    return dtype == (np.float64 if isinstance(dtype, np.dtype) else xp.float64)


def _default_dtype(library):
    return library.xp.asarray(1.0).dtype


def _device_of(arguments):
    for value in arguments.values():
        if type(value).__module__.partition(".")[0] == "torch":
            return value.device
    return None


def broadcast_shapes(shapes):
    """Return the common shape of some named shapes."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        came = ", ".join(f"`{name}` {shape}" for name, shape in shapes.items())
        name = list(shapes)[-1] if len(shapes) > 1 else "target"
        raise ShapeError(
            name,
            f"broadcast with the others without their last axis of parts ({came})",
            shapes[name],
        ) from None


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
    dtype = np.result_type(
        *(value.dtype for value in arguments.values() if hasattr(value, "dtype"))
    )
    dtype = dtype if dtype in (np.float32, np.float64) else np.dtype(np.float64)
    dtypes = [np.dtype(np.int8) if name == "status" else dtype for name in outputs]
    found = da.apply_gufunc(
        chunk,
        f"{inner}->{','.join(outer[name] for name in outputs)}",
        *arguments.values(),
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
        import jax

        return None if isinstance(array, jax.core.Tracer) else np.asarray(array)
    if library.name == "torch":
        return array.detach().cpu().numpy()
    return np.asarray(array)
