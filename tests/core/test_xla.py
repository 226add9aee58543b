"""The functions that XLA calls, called as XLA does: without JAX, so that sanitizers can watch."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p

import numpy as np
import pytest

import twobone
from engines import KERNEL
from twobone import Limits, Soft
from twobone.core import engine, policies

pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted")

# --- the structures of xla/ffi/api/c_api.h ------------------------------------------------

TYPES = {"float16": 10, "float32": 11, "float64": 12, "int8": 2, "int32": 4}
EXECUTE, METADATA = 3, 1
ARRAY, SCALAR = 1, 3


def structure(name, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


HEAD = {"struct_size": c_size_t, "extension": c_void_p}
Buffer = structure(
    "Buffer", **HEAD, dtype=c_int, data=c_void_p, rank=c_int64, dims=POINTER(c_int64)
)
Array = structure("Array", dtype=c_int, size=c_size_t, data=c_void_p)
Scalar = structure("Scalar", dtype=c_int, value=c_void_p)
Span = structure("Span", ptr=c_char_p, len=c_size_t)
Several = structure("Several", **HEAD, size=c_int64, types=POINTER(c_int), items=POINTER(c_void_p))
Attributes = structure(
    "Attributes",
    **HEAD,
    size=c_int64,
    types=POINTER(c_int),
    names=POINTER(POINTER(Span)),
    items=POINTER(c_void_p),
)
Version = structure("Version", **HEAD, major=c_int, minor=c_int)
CreateArgs = structure("CreateArgs", **HEAD, message=c_char_p, code=c_int)
Create = ctypes.CFUNCTYPE(c_void_p, POINTER(CreateArgs))
Api = structure("Api", **HEAD, version=Version, internal=c_void_p, create=Create)
Frame = structure(
    "Frame",
    **HEAD,
    api=POINTER(Api),
    context=c_void_p,
    stage=c_int,
    args=Several,
    rets=Several,
    attrs=Attributes,
    future=c_void_p,
)
Metadata = structure("Metadata", struct_size=c_size_t, version=Version, traits=ctypes.c_uint32)
Extension = structure(
    "Extension",
    struct_size=c_size_t,
    type=c_int,
    next=c_void_p,
    metadata=POINTER(Metadata),
)


def handler(name):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    address = pointer(KERNEL.xla_handlers[f"twobone_{name}"], None)
    return ctypes.CFUNCTYPE(c_void_p, POINTER(Frame))(address)


def buffer(array):
    dims = (c_int64 * array.ndim)(*array.shape)
    kind = TYPES[str(array.dtype)]
    return Buffer(0, None, kind, array.ctypes.data, array.ndim, dims)


def several(structures):
    pointers = [ctypes.cast(ctypes.pointer(item), c_void_p).value for item in structures]
    count = len(pointers)
    return Several(0, None, count, (c_int * count)(*[1] * count), (c_void_p * count)(*pointers))


def call(name, arguments, results, *, policy=(0.0,), given=0, stage=EXECUTE):
    """Call a handler; return the messages of the errors that it makes."""
    messages = []

    @Create
    def create(args):
        messages.append(args.contents.message.decode())
        return 1

    api = Api(create=create)
    numbers, bits = np.array(policy, np.float64), np.array(given, np.int32)
    attributes = [
        Scalar(TYPES["int32"], bits.ctypes.data),
        Array(TYPES["float64"], numbers.size, numbers.ctypes.data),
    ]
    names = [Span(word, len(word)) for word in (b"given", b"policy")]
    taken, given_back = (list(map(buffer, arrays)) for arrays in (arguments, results))
    frame = Frame(
        api=ctypes.pointer(api),
        stage=stage,
        args=several(taken),
        rets=several(given_back),
        attrs=Attributes(
            0,
            None,
            2,
            (c_int * 2)(SCALAR, ARRAY),
            (POINTER(Span) * 2)(*map(ctypes.pointer, names)),
            (c_void_p * 2)(*(ctypes.cast(ctypes.pointer(a), c_void_p).value for a in attributes)),
        ),
    )
    error = handler(name)(ctypes.byref(frame))
    assert bool(error) == bool(messages)
    return messages


# --- calls --------------------------------------------------------------------------------


def arguments(size, dtype, shape=(5,), seed=0):
    rng = np.random.default_rng(seed)
    found = [rng.normal(size=(*shape, size)), np.array(1.0), np.array(0.8), np.array(-1.0)]
    if size == 3:
        found.append(np.array([0.1, 0.2, 1.0]))
    return [np.array(array, dtype) for array in found]


def outputs(size, dtype, shape, wanted):
    """Return arrays for results by one letter each: a vector, a number or a code."""
    kinds = {"v": ((*shape, size), dtype), "n": (shape, dtype), "c": (shape, np.int8)}
    return [np.zeros(*kinds[letter]) for letter in wanted]


def steps(policy):
    return (3.0, *(number for step in policies.resolve(policy)._steps() for number in step))


both_sizes = pytest.mark.parametrize("size", [2, 3])
both_dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@pytest.mark.parametrize("policy", ["clamp", "stretch", "nan", Soft(0.1), Limits(20, 160)])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (1000,), (3, 1), (2, 0, 3), (4, 5)])
@both_sizes
@both_dtypes
def test_solve_has_the_bits_of_numpy(dtype, size, shape, policy):
    given = arguments(size, dtype, shape)
    word = engine.WORDS.index(policy) if isinstance(policy, str) else None
    found = outputs(size, dtype, shape, "vvc")
    told = steps(policy) if word is None else (float(word),)
    assert not call("solve", given, found, policy=told)
    target, r1, r2, side, *pole = given
    options = {"pole": pole[0]} if pole else {}
    wanted = twobone.reach(target, r1, r2, side=side, unreachable=policy, **options)
    for have, want in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 4)])
@both_sizes
@both_dtypes
def test_policies_of_each_row_are_the_last_argument(dtype, size, shape):
    given = arguments(size, dtype, shape)
    soft = np.random.default_rng(1).uniform(0.1, 0.5, shape[-1:]).astype(dtype)
    rows = np.zeros((*soft.shape, 10), dtype)
    rows[..., 1], rows[..., 5:8] = soft, [1.0, 1.2, 1.0]
    found = outputs(size, dtype, shape, "vvc")
    assert not call("solve", [*given, rows], found, policy=(engine.BY_ROW, 0.0, 1.0))
    target, r1, r2, side, *pole = given
    options = {"pole": pole[0]} if pole else {}
    chain = Soft(soft) | twobone.Stretch(float(dtype(1.2)))
    wanted = twobone.reach(target, r1, r2, side=side, unreachable=chain, **options)
    for have, want in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(have, want)
    for bad in (rows[..., :5], rows.astype(np.float16)):
        assert call("solve", [*given, bad], found, policy=(engine.BY_ROW, 0.0, 1.0))
    assert call("solve", [*given, rows], found, policy=(engine.BY_ROW,) + (0.0,) * 9)
    if size == 2:
        ones = outputs(size, dtype, shape, "v")
        assert call("pull", [*given, rows, found[0]], ones, policy=(engine.BY_ROW, 0.0, 1.0))


@both_sizes
def test_arguments_of_all_shapes_broadcast(size):
    rng = np.random.default_rng(1)
    shapes = [(2, 1, 3), (4, 1), (2, 4, 3), (), (1, 1, 3)][: 2 + size]
    given = [
        rng.uniform(0.5, 1.0, (*shape, size) if i in (0, 4) else shape)
        for i, shape in enumerate(shapes)
    ]
    given[3] = np.array(1.0)
    (joint,) = found = outputs(size, np.float64, (2, 4, 3), "v")
    assert not call("solve", given, found)
    target, r1, r2, side, *pole = given
    wanted = twobone.solve(target, r1, r2, side=side, **({"pole": pole[0]} if pole else {}))
    np.testing.assert_array_equal(joint, wanted)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (300,), (4, 5)])
@pytest.mark.parametrize("policy", [(0.0,), (1.0,), (2.0,), steps(Soft(0.1) | Limits(20, 160))])
@both_sizes
@both_dtypes
def test_the_four_kinds_of_derivatives_agree(dtype, size, policy, shape):
    given, rng = arguments(size, dtype, shape), np.random.default_rng(2)
    if size == 3:
        given[4] = given[4] + np.zeros((*shape, 3), dtype)
    places, count = [i for i in (0, 1, 2, 4) if i < len(given)], size + 1
    tails = {i: (size,) if i in (0, 4) else () for i in places}

    def some():
        return [rng.normal(size=(*shape, *tails[i])).astype(dtype) for i in places]

    first, second = some(), some()
    bars = [rng.normal(size=(*shape, size)).astype(dtype) for _ in range(2)]
    every, letters = 2**count - 1, "vnnv"[:count]
    pushed, bent = (outputs(size, dtype, shape, "vv") for _ in range(2))
    pulled, curved = (outputs(size, dtype, shape, letters) for _ in range(2))
    told = {"policy": policy}
    assert not call("push", [*given, *first], pushed, given=every, **told)
    assert not call("pull", [*given, *bars], pulled, given=3, **told)
    assert not call("bend", [*given, *first, *second], bent, given=every | every << 4, **told)
    assert not call("curve", [*given, *second, *bars], curved, given=every | 3 << 4, **told)

    def product(many, others):
        pairs = zip(many, others, strict=True)
        return sum(np.sum(np.asarray(a, float) * b) for a, b in pairs)

    for forwards, backwards in ((pushed, pulled), (bent, curved)):
        a, b = product(forwards, bars), product(backwards, first)
        assert a == pytest.approx(b, rel=1e-4 if dtype == np.float32 else 1e-11, abs=1e-9)
    assert not np.any(np.isnan(np.concatenate([part.ravel() for part in curved])))


@pytest.mark.parametrize(
    "change",
    [
        {"arguments": lambda given: given[:3]},
        {"arguments": lambda given: [*given, given[1]]},
        {"arguments": lambda given: [given[0][..., :1], *given[1:]]},
        {"arguments": lambda given: [given[0].astype(np.int32), *given[1:]]},
        {"arguments": lambda given: [given[0], given[1].astype(np.float32), *given[2:]]},
        {"arguments": lambda given: [given[0], np.ones(4), *given[2:]]},
        {"arguments": lambda given: [given[0], np.ones((5, 1)), *given[2:]]},
        {"arguments": lambda given: [np.array(1.0), *given[1:]]},
        {"results": lambda found: []},
        {"results": lambda found: [*found, found[0]]},
        {"results": lambda found: [found[0][:4]]},
        {"results": lambda found: [found[0][:1]]},
        {"results": lambda found: [found[0].astype(np.float32)]},
        {"policy": (7.0,)},
        {"policy": (0.5,)},
        {"policy": (float("nan"),)},
        {"policy": (0.0, 1.0)},
        {"policy": (3.0,)},
        {"policy": (3.0, 1.0)},
        {"policy": (3.0, *[0.0] * 45)},
        {"policy": (3.0, 9.0, 0.0, 0.0, 0.0, 0.0)},
        {"policy": ()},
    ],
)
@pytest.mark.parametrize("name", ["solve", "push", "pull", "bend", "curve"])
@both_sizes
def test_a_call_that_fits_nothing_is_refused(size, name, change):
    given, found = arguments(size, np.float64), outputs(size, np.float64, (5,), "v")
    more = {"solve": 0, "push": 1, "pull": 1, "bend": 2, "curve": 2}[name]
    bits = {"solve": 0, "push": 1, "pull": 1, "bend": 1 | 1 << 4, "curve": 1 | 1 << 4}[name]
    extra = [np.ones((5, size))] * more
    assert not call(name, [*given, *extra], found, given=bits)
    given = [*change.get("arguments", list)(given), *extra]
    found = change.get("results", list)(found)
    if len(found) == 2 and name in ("push", "bend"):
        found.append(found[0])  # two results are joint and end
    (message,) = call(name, given, found, given=bits, policy=change.get("policy", (0.0,)))
    assert message.startswith("twobone")


def test_the_version_of_the_interface_is_told():
    metadata = Metadata(version=Version())
    extension = Extension(0, METADATA, None, ctypes.pointer(metadata))
    frame = Frame(extension=ctypes.cast(ctypes.pointer(extension), c_void_p))
    assert not handler("solve")(ctypes.byref(frame))
    assert (metadata.version.major, metadata.version.minor) == (0, 1)


def test_only_the_stage_that_executes_does_anything():
    (joint,) = found = outputs(2, np.float64, (5,), "v")
    assert not call("solve", arguments(2, np.float64), found, stage=0)
    assert not joint.any()


def test_subnormal_numbers_are_kept_and_the_caller_s_way_is_restored():
    libm = ctypes.CDLL(None)
    environment = (c_double * 8)()  # more than a `fenv_t`
    if libm.fegetenv(environment):
        pytest.skip("the C library has no floating-point environment")
    before = bytes(environment)
    target = np.array([[1e-310, 2e-310]])
    given = [target, *(np.array(v) for v in (2e-310, 2e-310, 1.0))]
    (joint,) = found = outputs(2, np.float64, (1,), "v")
    assert not call("solve", given, found)
    np.testing.assert_array_equal(joint, twobone.solve(target, 2e-310, 2e-310))
    libm.fegetenv(environment)
    assert bytes(environment) == before
