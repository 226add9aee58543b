"""Which array library is this? The only room that knows there are several.

A `Library` is what the formula needs of one: `sqrt`, `where`, `constant` (a value through
which no derivative passes), `differentiates` (whether derivatives may be taken at all) and, for
the solver, the making and joining of arrays.
"""

import math
import sys
from itertools import chain
from numbers import Number
from types import SimpleNamespace
from typing import Any

import numpy as np

from twobone.core.exact import FLOAT32, FLOAT64, as_it_is
from twobone.errors import ArrayTypeError, ShapeError, install_command


class Library(SimpleNamespace):
    """One array library: functions by name, and `name` itself."""


def _of_floats(function):
    """Return NumPy's function for Python floats: the same bits, NaN where `math` would raise."""
    return lambda *values: float(function(*values))


FLOATS = Library(
    name="float",
    sqrt=math.sqrt,
    where=lambda condition, a, b: a if condition else b,
    constant=as_it_is,
    differentiates=False,
    xp=SimpleNamespace(**{f: _of_floats(getattr(np, f)) for f in ("sin", "cos", "atan2")}),
)


def _library(name, xp, *, constant=as_it_is, pin=as_it_is):
    """Return a library of arrays; one that differentiates has a `constant` of its own."""
    return Library(
        name=name,
        sqrt=xp.sqrt,
        where=xp.where,
        constant=constant,
        differentiates=constant is not as_it_is,
        pin=pin,
        xp=xp,
    )


NUMPY = _library("numpy", np)


VECTORS = ("target", "pole", "root")  # arguments whose last axis holds the parts
LISTS = (list, tuple)
# What needs no look at which library it is of; the abstract class comes last, it is slow.
PLAIN = (np.ndarray, np.generic, float, int, *LISTS, str, type, type(None), Number)
MOST_AXES = 32  # that NumPy can broadcast


def library_of(arguments):
    """Return the library of some named arguments: NumPy unless one of them says otherwise."""
    found = NUMPY
    for name, array in _arrays(arguments):
        library = _library_of_one(name, array)
        if library is None or library.name == found.name:
            continue
        if found is not NUMPY:
            raise ArrayTypeError(
                name, f"of the same library as the rest ({found.name})", library.name
            )
        found = library
    return found


def _arrays(arguments):
    """Return the arrays among the arguments and in their lists, each with its argument's name."""
    return [
        (name, array)
        for name, value in arguments.items()
        for array in (_arrays_in(name, value) if isinstance(value, LISTS) else [value])
        if is_strong(array)
    ]


def _arrays_in(name, items):
    """Return what nested lists hold of other libraries than NumPy; raise where it is masked.

    A list may be long and seldom holds any: its types are gathered a level at a time, in C.
    """
    found = []
    for _ in range(MOST_AXES):
        kinds = set(map(type, items))
        if any(kind.__module__.startswith("numpy.ma") for kind in kinds):
            for item in items:
                check_unmasked(name, item)
        if not all(issubclass(kind, PLAIN) for kind in kinds):
            found += [item for item in items if _library_of_one(name, item) is not None]
        if not any(issubclass(kind, LISTS) for kind in kinds):
            break
        if not kinds <= set(LISTS):
            items = [item for item in items if isinstance(item, LISTS)]
        items = list(chain.from_iterable(items))
    return found


def _library_of_one(name, value):
    if isinstance(value, PLAIN):
        return None
    if _is_a(value, "torch", "Tensor"):
        return _torch(name)
    if _is_a(value, "dask.array", "Array"):
        return Library(name="dask")
    if _is_a(value, "cupy", "ndarray"):
        return _standard(_compat(name).array_namespace(value))
    try:
        return _standard(value.__array_namespace__())
    except Exception:  # it has none: NumPy says whether it is an array all the same
        return None


def _is_a(value, module, kind):
    """Say whether a value is of a library's class, or of one made from it; load no library."""
    return isinstance(value, getattr(sys.modules.get(module), kind, ()))


def _standard(xp):
    name = xp.__name__.partition(".")[0]
    if name != "jax":
        return _library(name, xp)
    constant = sys.modules["jax"].lax.stop_gradient
    return _library(name, xp, constant=constant, pin=_pin_with(xp.where))


def _pin_with(where):
    """Return what keeps XLA and Triton from fusing a product with a sum: a choice between them."""
    return lambda v: where(v == v, v, 0.0)


def _torch(name):
    _compat(name)
    import array_api_compat.torch
    import torch

    xp: Any = array_api_compat.torch

    pin = _pin_with(xp.where) if torch.compiler.is_compiling() else as_it_is
    return _library("torch", xp, constant=lambda v: v.detach(), pin=pin)


def _compat(name):
    try:
        import array_api_compat
    except ImportError:
        raise ArrayTypeError(
            name, f"an array of an installed extra: {install_command('torch')}", "a tensor"
        ) from None
    return array_api_compat


# --- from whatever came to floating-point arrays ------------------------------------------

REALS = {"float32": FLOAT32, "float64": FLOAT64}
NUMBERS = "of float32, float64 or integers"


PLAIN_REALS = {np.dtype(name): real for name, real in REALS.items()}


def plain_arrays(arguments):
    """Return what `to_arrays` does, if all are floats or plain arrays of one dtype; else None."""
    dtypes = {value.dtype for value in arguments.values() if type(value) is np.ndarray}
    if {type(value) for value in arguments.values()} - {np.ndarray, float} or len(dtypes) != 1:
        return None
    dtype = dtypes.pop()
    if dtype not in PLAIN_REALS:
        return None
    values = {name: np.asarray(value, dtype) for name, value in arguments.items()}
    return values, PLAIN_REALS[dtype]


def to_arrays(library, arguments):
    """Return the arguments as arrays of one floating-point dtype, by name, and its constants.

    Numbers (NumPy's scalars are numbers), lists and arrays of integers adapt to the arrays of
    floats; where there are none the library's own default counts, float64 in NumPy.
    """
    xp = library.xp
    arrays = {name: as_array(library, name, value) for name, value in arguments.items()}
    strong = [(name, arrays[name]) for name, value in arguments.items() if is_strong(value)]
    if library is not NUMPY:  # whose lists hold no arrays
        strong += _arrays({n: value for n, value in arguments.items() if isinstance(value, LISTS)})
    dtypes = {dtype_name(name, array) for name, array in strong}
    wide = xp.asarray(1.0).dtype == xp.float64
    if library.name == "jax" and not wide:
        dtypes = {"float32"}  # without its x64 mode JAX has no float64
    dtype = "float64" if "float64" in dtypes or (wide and "float32" not in dtypes) else "float32"
    put = _device(library, strong)
    values = {name: _cast(library, name, array, dtype, put) for name, array in arrays.items()}
    return values, REALS[dtype]._replace(pin=library.pin, constant=library.constant)


def as_array(library, name, value):
    """Return arrays as they are, lists that hold some as lists of arrays, the rest as NumPy's."""
    if library is not NUMPY:
        if isinstance(value, LISTS) and _arrays_in(name, value):
            return [as_array(library, name, item) for item in value]
        if _library_of_one(name, value) is not None:
            return _checked(name, value)
    return _checked(name, _to_numpy(name, value))


def _checked(name, array):
    dtype_name(name, array)
    layout = str(getattr(array, "layout", "torch.strided"))
    if layout != "torch.strided":
        raise ArrayTypeError(name, "dense", f"a tensor of layout {layout}")
    return array


def _to_numpy(name, value):
    check_unmasked(name, value)
    try:
        array = np.asarray(value)
    except Exception as error:
        if isinstance(value, LISTS) and isinstance(error, ValueError):
            raise _ragged(name) from error
        came = f"{type(value).__name__}, which cannot become one"
        raise ArrayTypeError(name, "an array", came) from error
    if array.dtype != object:
        return array
    numbers = [to_float(name, number, NUMBERS) for number in array.ravel().tolist()]
    return np.array(numbers, np.float64).reshape(array.shape)


def check_unmasked(name, value):
    """Raise where values are masked: what the mask means would be lost."""
    if _is_a(value, "numpy.ma", "MaskedArray") and np.ma.is_masked(value):
        wanted = "without masked values (`filled(nan)` makes INVALID rows of them)"
        raise ArrayTypeError(name, wanted, "a masked array")


def to_float(name, value, wanted="a number"):
    """Return a number of any kind as a float; one too large for floats is infinite."""
    check_unmasked(name, value)
    try:
        if _is_a(value, "jax.core", "Tracer") or getattr(value, "requires_grad", False):
            raise TypeError("a float would lose the derivatives")
        number = value.item() if getattr(value, "shape", None) == () else value
        if hasattr(number, "__float__") and not isinstance(number, bool):
            return float(number)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except Exception as error:
        raise ArrayTypeError(name, wanted, type(value).__name__) from error
    raise ArrayTypeError(name, wanted, type(value).__name__)


def to_floats(**numbers):
    """Return named numbers as floats."""
    return [
        value if type(value) is float else to_float(name, value) for name, value in numbers.items()
    ]


def _cast(library, name, array, dtype, put):
    """Return an array of the library and of a dtype; a list of arrays is stacked."""
    xp = library.xp
    if isinstance(array, list):
        items = [_cast(library, name, item, dtype, put) for item in array]
        if len({tuple(item.shape) for item in items}) > 1:
            raise _ragged(name)
        return xp.stack(items)
    if library is NUMPY:
        return np.asarray(array, dtype)
    if isinstance(array, np.ndarray):
        # A copy, since PyTorch takes no array that is read-only, backward or byte-swapped.
        return xp.asarray(np.array(array, dtype), **put)
    array = xp.astype(array, getattr(xp, dtype), copy=False)
    return array.to(**put) if put else array


def _ragged(name):
    wanted = "be an array, or a list whose rows are equally long"
    return ShapeError(name, wanted, None, "a ragged list")


def dtype_name(name, array):
    """Return the name of an array's dtype: of floats or integers, or raise."""
    dtype = str(getattr(array.dtype, "name", array.dtype)).rpartition(".")[2]
    if dtype not in REALS and not dtype.startswith(("int", "uint")):
        raise ArrayTypeError(name, NUMBERS, "strings" if dtype.startswith("str") else dtype)
    return dtype


def is_strong(value):
    """Say whether the dtype of an argument counts; that of numbers and lists does not.

    NumPy's scalars are numbers here: `lengths[0]` must not make float64 of a float32 target.
    """
    return not isinstance(value, np.generic | Number | list | tuple)


def _device(library, arrays):
    """Return, for PyTorch, the device of all tensors; one number on the CPU goes with any."""
    if library.name != "torch":
        return {}
    placed = [
        (name, array.device)
        for name, array in arrays
        if _is_a(array, "torch", "Tensor") and (array.ndim or array.device.type != "cpu")
    ]
    first, device = placed[0] if placed else ("target", "cpu")
    for name, other in placed:
        if other != device:
            raise ArrayTypeError(name, f"on the device of `{first}`, {device}", f"one on {other}")
    return {"device": device}


def broadcast_shapes(shapes):
    """Return the common shape of some named shapes."""
    for name, shape in shapes.items():
        if len(shape) > MOST_AXES:
            raise ShapeError(name, f"have at most {MOST_AXES} leading axes", shape)
    kinds = {*shapes.values(), ()}
    if len(kinds) < 3:
        return max(kinds, key=len)
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


def take(library, array, rows):
    """Return some rows of matrices, those on the axis before the last."""
    xp = library.xp
    return xp.take(array, xp.asarray(rows, **_beside(library, array)), axis=-2)


def put(library, array, rows):
    """Return matrices with some rows, {index: row}, in place of theirs; all broadcast."""
    xp = library.xp
    first = next(iter(rows.values()))
    shape = np.broadcast_shapes(tuple(array.shape[:-2]), tuple(first.shape[:-1]))
    whole = xp.broadcast_to(array, (*shape, *array.shape[-2:]))
    if library is NUMPY:
        whole = whole.copy()
        for index, row in rows.items():
            whole[..., index, :] = row
        return whole
    size = array.shape[-1]
    listed = [
        xp.broadcast_to(rows[i], (*shape, size)) if i in rows else whole[..., i, :]
        for i in range(array.shape[-2])
    ]
    return xp.stack(listed, axis=-2)


def _beside(library, array):
    return {"device": array.device} if library.name == "torch" else {}


def scan(library, step, state, frames):
    """Return the states that `step(state, frame)` goes through, along a new first axis.

    `frames` are arrays with a frame for each index of their first axis.
    """
    if library.name == "jax":
        jax = sys.modules["jax"]
        return jax.lax.scan(lambda s, f: (step(s, f),) * 2, state, frames)[1]
    states = []
    for i in range(frames[0].shape[0]):
        state = step(state, tuple(each[i, ...] for each in frames))
        states.append(state)
    return tuple(library.xp.stack(parts, axis=0) for parts in zip(*states, strict=True))


def to_codes(library, status, shape):
    """Return a status of floats as small integers."""
    return library.xp.astype(library.xp.broadcast_to(status, shape), library.xp.int8)


def map_chunks(arguments, arrays, chunk, *, both, outputs):
    """Answer dask arrays chunk by chunk: joints, ends and statuses, as `outputs` has it.

    `arrays` are the arguments as arrays already.
    """
    import dask.array as da

    inner = ",".join(
        "(d)" if name in VECTORS else "(e)" if both and name == "side" else "()"
        for name in arguments
    )
    outer = {"joint": "(e,d)" if both else "(d)", "end": "(d)", "status": "()"}
    strong = {
        dtype_name(name, arrays[name]) for name, value in arguments.items() if is_strong(value)
    }
    dtype = np.dtype("float32" if "float32" in strong and "float64" not in strong else "float64")
    dtypes = [np.dtype(np.int8) if name == "status" else dtype for name in outputs]
    found = da.apply_gufunc(
        chunk,
        f"{inner}->{','.join(outer[name] for name in outputs)}",
        *(
            arrays[name] if is_strong(value) else np.asarray(arrays[name], dtype)
            for name, value in arguments.items()
        ),
        output_dtypes=dtypes if len(outputs) > 1 else dtypes[0],
        allow_rechunk=True,
    )
    found = found if len(outputs) > 1 else (found,)
    return (*found, None, None)[:3]


def views_of_tensors(values):
    """Return NumPy's views of PyTorch's tensors, or None.

    None unless all are plain tensors in the memory of the CPU and nobody looks on: no
    derivative, no transform of functions, no tracing, no compiling.
    """
    import torch
    from torch.autograd import forward_ad

    tracing = torch.jit.is_tracing()  # pyright: ignore[reportPrivateImportUsage]
    watched = tracing or torch.compiler.is_compiling()
    # Where a release of PyTorch no longer says so, somebody may look on.
    watched = watched or getattr(forward_ad, "_current_level", 0) >= 0
    watched = watched or getattr(torch._C, "_len_torch_dispatch_stack", lambda: 1)() > 0
    for value in values.values():
        recorded = value.requires_grad and torch.is_grad_enabled()
        if watched or recorded or type(value) is not torch.Tensor or value.device.type != "cpu":
            return None
    try:
        return {name: value.detach().numpy() for name, value in values.items()}
    except RuntimeError:  # under `vmap` and `grad` there is no memory to look at
        return None


def from_numpy(library, array):
    """Return an array of NumPy's, or None, as one of the library's in the same memory."""
    return None if array is None else library.xp.asarray(np.asarray(array))


def join(library, parts, shape):
    """Stack the parts of a vector on a new last axis."""
    xp = library.xp
    return xp.stack([xp.broadcast_to(part, shape) for part in parts], axis=-1)


def concrete(library, array):
    """Return the values as a NumPy array; where there are none yet the library raises."""
    return array.detach().cpu().numpy() if library.name == "torch" else np.asarray(array)
