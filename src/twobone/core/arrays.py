"""Array libraries: detect them, and convert arguments. `for_*.py` and `torch_*.py` know one each.

A `Library` provides what the formula needs: `sqrt`, `where`, `constant` (stops gradients),
`differentiates` (whether the library has gradients) and, for the solver, `xp`, the namespace with
functions that create and join arrays.
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
    """The functions of one array library, and its `name`."""

    @staticmethod
    def none(condition):
        """Return whether a condition holds in no row, if the library can tell; else False."""
        return False

    @staticmethod
    def repeat(count, step, state):
        """Return what a function makes of a state (tuples of numbers) when it is called often."""
        for _ in range(count):
            state = step(state)
        return state


def _of_floats(function):
    """Return a NumPy function for Python floats: same bits, and NaN where `math` would raise."""
    return lambda *values: float(function(*values))


FLOATS = Library(
    name="float",
    sqrt=math.sqrt,
    where=lambda condition, a, b: a if condition else b,
    constant=as_it_is,
    none=lambda condition: not condition,
    differentiates=False,
    xp=SimpleNamespace(**{f: _of_floats(getattr(np, f)) for f in ("sin", "cos", "atan2")}),
)

# The same for finite numbers alone, where functions of `math` do not raise and are faster.
FINITE_FLOATS = Library(
    **vars(FLOATS) | {"xp": SimpleNamespace(sin=math.sin, cos=math.cos, atan2=math.atan2)}
)


def _library(name, xp, *, constant=as_it_is, pin=as_it_is, **more):
    """Return a `Library`; one with gradients passes its own `constant`."""
    return Library(
        name=name,
        sqrt=xp.sqrt,
        where=xp.where,
        constant=constant,
        differentiates=constant is not as_it_is,
        pin=pin,
        xp=xp,
        **more,
    )


NUMPY = _library("numpy", np, none=lambda condition: not np.any(condition))


VECTORS = ("target", "pole", "root")  # arguments whose last axis holds components
LISTS = (list, tuple)
# Types that belong to NumPy or to no library. The abstract class is last because it is slow.
PLAIN = (np.ndarray, np.generic, float, int, *LISTS, str, type, type(None), Number)
ALL_EXACT = 2.0**53  # float64 holds all integers up to this one
SMALL = 2**24  # float32 holds all integers up to this one
MOST_AXES = 32  # NumPy cannot broadcast more


def library_of(arguments):
    """Return the library of named arguments: NumPy unless one of them belongs to another."""
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
    """Return all arrays in the arguments and their lists as pairs of argument name and array."""
    return [
        (name, array)
        for name, value in arguments.items()
        for array in (_arrays_in(name, value) if isinstance(value, LISTS) else [value])
        if is_strong(array)
    ]


def _arrays_in(name, items):
    """Return the arrays in nested lists that are not NumPy's.

    Raise for masked values, and for booleans, times and other types that raise by themselves too,
    but of which NumPy makes numbers beside numbers. Long lists usually hold numbers alone, so the
    types of each level are collected in C first.
    """
    found = []
    for _ in range(MOST_AXES):
        kinds = set(map(type, items))
        for kind in kinds - {float, int}:
            if issubclass(kind, bool | np.generic):
                _check_dtype(name, np.dtype(kind))
            elif issubclass(kind, np.ndarray):
                for item in items:
                    if isinstance(item, np.ndarray) and item.dtype != object:
                        dtype_name(name, item)
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
        return _standard(_compat(name).array_namespace(value))  # unreached: gpu
    try:
        return _standard(value.__array_namespace__())
    except Exception:  # not an array-API array: NumPy may still be able to convert it
        return None


def _is_a(value, module, kind):
    """Return whether a value is an instance of a library's class, without importing the library."""
    return isinstance(value, getattr(sys.modules.get(module), kind, ()))


def _standard(xp):
    name = xp.__name__.partition(".")[0]
    if name != "jax":
        return _library(name, xp)
    constant = sys.modules["jax"].lax.stop_gradient
    return _library(name, xp, constant=constant, pin=_pin_with(xp.where), repeat=_repeat_in_jax)


def _repeat_in_jax(count, step, state):
    """Return what `Library.repeat` does; XLA compiles the function once."""
    if not count:
        return state
    jax: Any = sys.modules["jax"]

    def as_after(part, like):
        return jax.numpy.broadcast_to(part, like.shape).astype(like.dtype)

    state = jax.tree.map(as_after, state, jax.eval_shape(step, state))
    return jax.lax.fori_loop(0, count, lambda _, each: step(each), state)


def _pin_with(where):
    """Return a `pin`: a `where` that keeps XLA and Triton from fusing a product with a sum."""
    return lambda v: where(v == v, v, 0.0)


def _torch(name):
    _compat(name)
    from twobone.core import for_torch

    return for_torch.library()


def of_torch(compiles):
    """Return the library of PyTorch's tensors, for eager mode or for programs that it compiles."""
    import array_api_compat.torch

    xp: Any = array_api_compat.torch
    pin = _pin_with(xp.where) if compiles else as_it_is
    return _library("torch", xp, constant=lambda v: v.detach(), pin=pin)


def is_taken_into_graph():
    """Return whether Dynamo, which compiles and exports for PyTorch, reads the caller."""
    torch = sys.modules.get("torch")
    return torch is not None and torch.compiler.is_dynamo_compiling()


def _compat(name):
    try:
        import array_api_compat
    except ImportError:
        raise ArrayTypeError(
            name, f"an array of an installed extra: {install_command('torch')}", "a tensor"
        ) from None
    return array_api_compat


# --- conversion to floating-point arrays --------------------------------------------------

REALS = {"float32": FLOAT32, "float64": FLOAT64}
HALVES = ("float16", "bfloat16")  # of PyTorch and JAX; they are computed in float32
CODES = {"f": "float32", "d": "float64"}  # NumPy itself takes microseconds to say the name
NUMBERS = "of float32, float64 or integers"


PLAIN_REALS = {np.dtype(name): real for name, real in REALS.items()}


def plain_arrays(arguments):
    """Return the same as `to_arrays` for numbers, flat lists and NumPy arrays of one dtype.

    Return None for all else, and for integers that a float32 might round.
    """
    dtypes = {value.dtype for value in arguments.values() if type(value) is np.ndarray}
    if len(dtypes) != 1:
        return None
    dtype = dtypes.pop()
    if dtype not in PLAIN_REALS or not all(map(_is_plain, arguments.values())):
        return None
    values = {name: np.asarray(value, dtype) for name, value in arguments.items()}
    return values, PLAIN_REALS[dtype]


def plain_tensors(arguments):
    """Return the library, and the same as `to_arrays`, for numbers, flat lists and plain tensors.

    Plain are tensors of PyTorch of one dtype on the CPU. Return None for all else.
    """
    torch: Any = sys.modules.get("torch")
    kind = getattr(torch, "Tensor", None)
    tensors = {name: value for name, value in arguments.items() if type(value) is kind}
    if not tensors or "array_api_compat" not in sys.modules:
        return None
    name, first = next(iter(tensors.items()))
    real = REALS.get(str(first.dtype)[6:])  # without "torch."
    for value in tensors.values():
        if value.dtype != first.dtype or not value.is_cpu or value.layout != torch.strided:
            return None
    others = [value for key, value in arguments.items() if key not in tensors]
    if real is None or not all(map(_is_plain_list, others)):
        return None
    values = {
        key: value if key in tensors else torch.tensor(value, dtype=first.dtype)
        for key, value in arguments.items()
    }
    library = _torch(name)
    return library, (values, real._replace(pin=library.pin, constant=library.constant))


def _is_plain(value):
    return type(value) is np.ndarray or _is_plain_list(value)


def _is_plain_list(value):
    kind = type(value)
    if kind is list or kind is tuple:
        return all(type(item) is float or _is_small_int(item) for item in value)
    return kind is float or _is_small_int(value)


def _is_small_int(value):
    return type(value) is int and -SMALL <= value <= SMALL


def to_arrays(library, arguments):
    """Return the arguments as arrays of one floating-point dtype, by name, and its `Real`.

    Numbers (including NumPy scalars), lists and integer arrays adapt to the dtype of the float
    arrays; without any, the default dtype of the library applies, which is float64 in NumPy. Half
    precision becomes float32: see `halves.py`.
    """
    arrays = {name: _as_array(library, name, value) for name, value in arguments.items()}
    strong = [(name, arrays[name]) for name, value in arguments.items() if is_strong(value)]
    listed = []
    if library is not NUMPY:  # with NumPy, no list holds arrays of another library
        listed = _arrays({n: value for n, value in arguments.items() if isinstance(value, LISTS)})
    dtype = decided(library, strong, listed)
    dtype = "float32" if dtype in HALVES else dtype
    put = device_of(library, strong + listed)
    values = {
        name: _cast(library, name, array, arguments[name], dtype, put)
        for name, array in arrays.items()
    }
    return values, REALS[dtype]._replace(pin=library.pin, constant=library.constant)


def decided(library, strong, listed=()):
    """Return the name of the dtype that arrays decide, by the rules of their library.

    `strong` are arguments, as pairs of name and array, and `listed` the arrays in lists. In
    PyTorch, tensors with axes decide before tensors without, and NumPy's arrays only where no
    tensor holds floats. In JAX, arrays that are made of Python numbers decide last.
    """
    found = [(dtype_name(*pair), rank(library, pair[1])) for pair in strong]
    found += [(dtype_name(*pair), 0) for pair in listed]
    dtype = strongest([(dtype, rank) for dtype, rank in found if "float" in dtype])
    wide = library.xp.asarray(1.0).dtype == library.xp.float64
    if library.name == "jax" and not wide and dtype not in HALVES:
        return "float32"  # without its x64 mode JAX has no float64
    return dtype or common_dtype((), wide)


def rank(library, array):
    """Return how many kinds of arrays decide the dtype before an array."""
    if library.name == "torch":
        return 2 if isinstance(array, np.ndarray) else int(array.ndim == 0)
    return int(getattr(array, "weak_type", False))


def strongest(floats):
    """Return the dtype to which those of the lowest rank are promoted, or None without any.

    `floats` are pairs of the name of a dtype and its rank.
    """
    least = min([rank for _, rank in floats], default=0)
    names = {name for name, rank in floats if rank == least}
    if len(names) < 2:
        return names.pop() if names else None
    return common_dtype(names, False)


def common_dtype(dtypes, wide):
    """Return the dtype of the result; `wide`: that of the library is float64 by default."""
    return "float64" if "float64" in dtypes or (wide and "float32" not in dtypes) else "float32"


def as_array(library, name, value):
    """Convert a value to a NumPy array, unless it is, or is a list with, arrays of the library."""
    if isinstance(value, LISTS):
        _arrays_in(name, value)  # raises for what is no number
    return _as_array(library, name, value)


def _as_array(library, name, value):
    """Do the same for a value that `library_of` has seen."""
    if library is not NUMPY:
        if isinstance(value, LISTS) and _arrays_in(name, value):
            return [_as_array(library, name, item) for item in value]
        if _library_of_one(name, value) is not None:
            return checked(name, value)
    return checked(name, _to_numpy(name, value))


def checked(name, array):
    """Return an array unchanged; raise unless it is dense and holds floats or integers."""
    dtype_name(name, array)
    is_plain = isinstance(array, np.ndarray)  # for which `torch.compile` misreads `getattr`
    layout = "torch.strided" if is_plain else str(getattr(array, "layout", "torch.strided"))
    if layout.startswith("torch.") and layout != "torch.strided":
        raise ArrayTypeError(name, "dense", f"a tensor of layout {layout}")
    return array


def _to_numpy(name, value):
    check_unmasked(name, value)
    try:
        array = np.asarray(value)
    except Exception as error:
        if isinstance(value, LISTS) and isinstance(error, ValueError):
            raise ragged(name) from error
        came = f"{type(value).__name__}, which cannot become one"
        raise ArrayTypeError(name, "an array", came) from error
    if array.dtype != object:
        return array
    numbers = [to_float(name, number, NUMBERS) for number in array.ravel().tolist()]
    return np.array(numbers, np.float64).reshape(array.shape)


def check_unmasked(name, value):
    """Raise if values are masked, because the mask would be lost."""
    if _is_a(value, "numpy.ma", "MaskedArray") and np.ma.is_masked(value):
        wanted = "without masked values (`filled(nan)` makes INVALID rows of them)"
        raise ArrayTypeError(name, wanted, "a masked array")


def to_float(name, value, wanted="a number"):
    """Convert a number of any type to a float; a number too large for a float becomes infinite."""
    check_unmasked(name, value)
    try:
        if _is_a(value, "jax.core", "Tracer") or getattr(value, "requires_grad", False):
            raise TypeError("a float would lose the derivatives")
        number = _item(name, value)
        if hasattr(number, "__float__") and not isinstance(number, bool):
            return float(number)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except Exception as error:
        raise ArrayTypeError(name, wanted, type(value).__name__) from error
    raise ArrayTypeError(name, wanted, type(value).__name__)


def _item(name, value):
    """Return the number in an array without axes; return other numbers unchanged."""
    shape = getattr(value, "shape", None)
    if shape is None:
        return value
    if shape != ():
        raise TypeError("an array with axes is no number")
    if str(getattr(value, "dtype", "object")) != "object":
        dtype_name(name, value)
    return value.item()


def to_floats(**numbers):
    """Convert named numbers to floats."""
    return [
        value if type(value) is float else to_float(name, value) for name, value in numbers.items()
    ]


def _cast(library, name, array, given, dtype, put):
    """Convert an array to the library and to a dtype; stack a list of arrays.

    `given` is the argument that `as_array` converted to `array`.
    """
    xp = library.xp
    if isinstance(array, list):
        items = [
            _cast(library, name, item, part, dtype, put)
            for item, part in zip(array, given, strict=True)
        ]
        if len({tuple(item.shape) for item in items}) > 1:
            raise ragged(name)
        return xp.stack(items)
    if library is NUMPY:
        return _to_dtype(name, array, given, dtype)
    if isinstance(array, np.ndarray):
        # Copied, because PyTorch rejects read-only and byte-swapped arrays and negative strides.
        return xp.asarray(np.array(_to_dtype(name, array, given, dtype)), **put)
    array = xp.astype(array, getattr(xp, dtype), copy=False)
    return array.to(**put) if put else array


def _to_dtype(name, array, given, dtype):
    """Convert a NumPy array to a dtype; `given` is the argument that became the array.

    Each number is rounded once. NumPy and `float` would round integers and fractions to float64
    first, and then again to float32.
    """
    if dtype == "float32" and array.dtype == np.float64 and not is_strong(given):
        numbers = np.asarray(given)
        if numbers.dtype != object and np.any(np.abs(array) >= ALL_EXACT):
            numbers = np.array(given, object)  # may have been a mixture of integers and floats
        if numbers.dtype == object:
            numbers = [_to_odd(name, number) for number in numbers.ravel().tolist()]
            array = np.array(numbers, np.float64).reshape(array.shape)
    return np.asarray(array, dtype)


def _to_odd(name, number):
    """Round a number to float64 so that rounding the result to float32 rounds only once.

    If float64 cannot hold the number, the result is the neighbour whose last bit is 1. It is never
    halfway between two float32, and on the same side of halfway as the number.
    """
    value = to_float(name, number, NUMBERS)
    is_odd = math.frexp(value)[0] * 2**53 % 2 == 1
    if is_odd or value == number or not math.isfinite(value):
        return value
    try:
        return math.nextafter(value, math.inf if number > value else -math.inf)
    except TypeError:  # it cannot be compared, so its float is all that is known
        return value


def ragged(name):
    """Return the error about a list whose rows are not equally long."""
    wanted = "be an array, or a list whose rows are equally long"
    return ShapeError(name, wanted, None, "a ragged list")


def dtype_name(name, array):
    """Return the name of an array's dtype; raise unless it holds floats or integers."""
    if type(array) is np.ndarray and array.dtype.char in CODES:
        return CODES[array.dtype.char]
    dtype = dtype_in_words(array.dtype)
    if dtype in HALVES and may_be_half(array):
        return dtype
    return _check_dtype(name, array.dtype)


def may_be_half(array):
    """Return whether half precision is accepted of the library of an array."""
    return _is_a(array, "torch", "Tensor") or _is_a(array, "jax", "Array")


def dtype_in_words(dtype):
    return str(getattr(dtype, "name", dtype)).rpartition(".")[2]


def _check_dtype(name, dtype):
    dtype = dtype_in_words(dtype)
    if dtype not in REALS and not dtype.startswith(("int", "uint")):
        raise ArrayTypeError(name, NUMBERS, "strings" if dtype.startswith("str") else dtype)
    return dtype


def is_strong(value):
    """Return whether an argument decides the dtype of the result; numbers and lists do not.

    NumPy scalars count as numbers, so that a float64 `lengths[0]` does not promote a float32
    target.
    """
    return not isinstance(value, np.generic | Number | list | tuple)


def device_of(library, arrays):
    """Return the device of PyTorch tensors; CPU tensors without axes go with any device."""
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
    """Return the shape to which named shapes broadcast."""
    for name, shape in shapes.items():
        if len(shape) > MOST_AXES:
            raise ShapeError(name, f"have at most {MOST_AXES} leading axes", shape)
    try:
        return common_shape(list(shapes.values()))
    except ValueError:
        name = _odd_one_out(shapes)
        others = ", ".join(f"`{key}` {shape}" for key, shape in shapes.items() if key != name)
        wanted = f"broadcast with the others (leading axes: {others})"
        raise ShapeError(name, wanted, shapes[name]) from None


def common_shape(shapes):
    """Return the shape to which shapes broadcast, or raise ValueError.

    Sizes are compared, not hashed or converted: while PyTorch exports, they are symbols.
    """
    longest = max([len(shape) for shape in shapes], default=0)  # `max` by a key is not followed
    first = next((shape for shape in shapes if len(shape) == longest), ())
    if all(shape in ((), first) for shape in shapes):
        return first
    found = []
    for axis in range(-len(first), 0):
        sizes = [shape[axis] for shape in shapes if len(shape) >= -axis and shape[axis] != 1]
        if any(size != sizes[0] for size in sizes):
            raise ValueError(f"sizes {sizes}")
        found.append(sizes[0] if sizes else 1)
    return tuple(found)


def _odd_one_out(shapes):
    """Return the name of the first shape that does not broadcast with those before it."""
    common = ()
    for name, shape in shapes.items():
        try:
            common = common_shape([common, shape])
        except ValueError:
            return name
    raise AssertionError("all shapes broadcast")  # unreached: broken


def insert_axis(array, place):
    """Insert an axis of size 1 at -1 or -2; numbers stay as they are at -1."""
    if place == -1:
        return array[..., None] if array.ndim else array
    return array[..., None, :]


def parts(array, size):
    """Return the components of vectors, as views."""
    return tuple(array[..., i] for i in range(size))


def nest(pick, tail, at=()):
    """Return nested tuples of a trailing shape, with items from `pick(*indices)`."""
    if len(at) == len(tail):
        return pick(*at)
    return tuple(nest(pick, tail, (*at, i)) for i in range(tail[len(at)]))


def flat(parts):
    """Return the items of nested tuples; a number is its only item."""
    if not isinstance(parts, tuple):
        return [parts]
    return [item for part in parts for item in flat(part)]


def count(tail):
    """Return how many components an array of a trailing shape has."""
    return math.prod(tail or ())


def take(library, array, rows):
    """Return selected rows of matrices (indices on the second-to-last axis)."""
    xp = library.xp
    return xp.take(array, xp.asarray(rows, **_beside(library, array)), axis=-2)


def put(library, array, rows):
    """Return matrices with some rows replaced by those of {index: row}; all broadcast."""
    xp = library.xp
    first = next(iter(rows.values()))
    shape = common_shape([tuple(array.shape[:-2]), tuple(first.shape[:-1])])
    whole = xp.broadcast_to(array, (*shape, *array.shape[-2:]))
    if library is NUMPY:
        whole = whole.copy()
        for index, row in rows.items():
            whole[..., index, :] = row
        return whole
    size, pieces, start = array.shape[-1], [], 0
    for index in sorted(rows):  # what lies between them is one piece
        pieces += [whole[..., start:index, :]] if start < index else []
        pieces.append(xp.broadcast_to(rows[index][..., None, :], (*shape, 1, size)))
        start = index + 1
    pieces += [whole[..., start:, :]] if start < array.shape[-2] else []
    return xp.concat(pieces, axis=-2)


def _beside(library, array):
    return {"device": array.device} if library.name == "torch" else {}


def scan(library, step, state, frames):
    """Apply `state = step(state, frame)` frame by frame; return all states on a new first axis.

    `frames` are arrays whose first axis counts frames.
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
    """Convert a float status to int8."""
    return library.xp.astype(library.xp.broadcast_to(status, shape), library.xp.int8)


def map_chunks(arguments, arrays, chunk, *, both, outputs):
    """Solve dask arrays chunk by chunk, and return joints, ends and statuses or None.

    `outputs` names the results that `chunk` returns; `arrays` are the converted arguments.
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
            arrays[name] if is_strong(value) else _to_dtype(name, arrays[name], value, dtype.name)
            for name, value in arguments.items()
        ),
        output_dtypes=dtypes if len(outputs) > 1 else dtypes[0],
        allow_rechunk=True,
    )
    found = found if len(outputs) > 1 else (found,)
    return (*found, None, None)[:3]


def join(library, parts, shape):
    """Stack the components of a vector on a new last axis."""
    xp = library.xp
    return xp.stack([xp.broadcast_to(part, shape) for part in parts], axis=-1)


def concrete(library, array):
    """Return an array as a NumPy array; raise the library's error if it has no values (tracing)."""
    return array.detach().cpu().numpy() if library.name == "torch" else np.asarray(array)


# --- derivatives --------------------------------------------------------------------------


def each(function, value) -> Any:
    """Apply a function to every array in nested tuples."""
    if not isinstance(value, tuple):
        return function(value)
    items = [each(function, item) for item in value]
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def widened(library, real, *values) -> Any:
    """Return nested tuples of float32 arrays in float64, if the device has it.

    Return first a function that converts an array back, and the constants of the dtype.
    """
    if real.eps == FLOAT64.eps or not _has_float64(library, values):
        return (as_it_is, real, *values)
    xp = library.xp

    def wide(value):
        is_single = getattr(value, "dtype", None) == xp.float32
        return xp.astype(value, xp.float64) if is_single else value

    def narrow(value):
        return xp.astype(value, xp.float32)

    real = FLOAT64._replace(pin=real.pin, constant=real.constant)
    return (narrow, real, *(each(wide, value) for value in values))


def _has_float64(library, values):
    if library.name == "torch":
        return flat(values[0])[0].device.type != "mps"
    # JAX without its x64 mode has none, and warns where one asks for it.
    return library.xp.asarray(1.0).dtype == library.xp.float64
