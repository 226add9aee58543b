"""Engines: the compiled kernel if it is available, else NumPy in blocks; and threads.

Environment variables: `TWOBONE_ENGINE=numpy` disables the kernel, `TWOBONE_ENGINE=compiled`
requires it, and `TWOBONE_THREADS` sets the number of threads.
"""

import functools
import itertools
import math
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from twobone.core import answer, blocks, policies
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import NUMPY, VECTORS, common_shape, parts
from twobone.core.exact import FLOAT32, WIDE
from twobone.core.policies import Policy
from twobone.core.threads import Threads
from twobone.errors import EngineError

BLOCK = 16384  # rows: with fewer, NumPy's call overhead dominates; more do not fit the cache
Function = TypeVar("Function", bound=Callable[..., Any])
NDITER_FLAGS: Any = ["external_loop", "buffered", "delay_bufalloc", "copy_if_overlap"]
WHOLE = "be a positive integer"
WORDS = ("clamp", "stretch", "nan")  # the policies that the kernel knows
BY_ROW = len(WORDS) + 1.0  # in the place of a word: a policy that has steps for each row
SHARE = 150_000  # rows per thread: with fewer, a thread costs more than it saves


def _load_kernel():
    """Return the compiled kernel, or None if it is not built or is disabled."""
    wanted = os.environ.get("TWOBONE_ENGINE", "")
    if wanted not in ("", "numpy", "compiled"):
        raise EngineError("TWOBONE_ENGINE", 'be "numpy" or "compiled"', repr(wanted))
    if wanted == "numpy":
        return None
    try:
        from twobone.core import _kernel  # pyright: ignore[reportAttributeAccessIssue]
    except ImportError as error:
        if wanted == "compiled":
            came = "compiled, but the kernel is not built or cannot be loaded"
            raise EngineError("TWOBONE_ENGINE", "name an engine that is installed", came) from error
        return None  # unreached: no-kernel
    return _kernel


def _usual_threads():
    asked = os.environ.get("TWOBONE_THREADS", "")
    if not asked:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if not (asked.isascii() and asked.isdigit() and int(asked) > 0):
        raise EngineError("TWOBONE_THREADS", WHOLE, repr(asked))
    return int(asked)


KERNEL: Any = _load_kernel()
THREADS = Threads(_usual_threads())
if hasattr(os, "register_at_fork"):  # unreached: windows
    os.register_at_fork(after_in_child=THREADS.start_afresh)


class Engine(NamedTuple):
    """The engine in use; see `engine`."""

    name: str  # "compiled" or "numpy"
    instruction_set: str  # of the compiled kernel, such as "avx2"
    threads: int  # how many threads solve large arrays


def engine(*, threads: int | None = None) -> Engine:
    """Return which engine is in use; with `threads`, set its number of threads first.

    Parameters
    ----------
    threads : int, optional
        From now on, use this many threads for large arrays and for many walkers. The default is
        the value of the environment variable `TWOBONE_THREADS` or else the number of available
        cores. A forked process starts with 1. The NumPy engine always uses one thread.

    Returns
    -------
    Engine
        `name` ("compiled" or "numpy"; see the environment variable `TWOBONE_ENGINE`),
        `instruction_set` and `threads`.

    Raises
    ------
    EngineError
        If `threads` is not a positive integer.

    Examples
    --------
    >>> import twobone
    >>> twobone.engine().name in ("compiled", "numpy")
    True
    """
    if threads is not None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise EngineError("threads", WHOLE, repr(threads))
        THREADS.count = threads
    if KERNEL is None:
        return Engine("numpy", "NumPy's", 1)
    return Engine("compiled", KERNEL.instruction_set(), THREADS.count)


def compiled(function: Function) -> Function:
    """Return the kernel's version of a function of floats; without a kernel, the function."""
    if KERNEL is None:
        return function
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    doc = f"{function.__name__}({', '.join(names)}=1)\n--\n\n{function.__doc__}"
    return KERNEL.scalar(function, function.__module__, names, function.__name__, doc)


def fast_path(target, r1, r2, side, pole, unreachable, out):
    """Solve plain NumPy arrays directly with the kernel; return None for all other arguments.

    A list of two or three numbers, one vector, counts as plain.
    """
    if KERNEL is None:
        return None
    how = _as_numbers(unreachable)
    joint = KERNEL.solve(target, r1, r2, side, pole, how, out, most_rows())
    if joint is None and out is None:
        return _fast_path_rows(target, r1, r2, side, pole, unreachable)
    return joint


def fast_reach(target, r1, r2, side, pole, unreachable):
    """Do the same as `fast_path`, but return joint, end and status, or None."""
    if KERNEL is None:
        return None
    how = _as_numbers(unreachable)
    return KERNEL.reach(target, r1, r2, side, pole, how, most_rows())


def _as_numbers(unreachable):
    """Return a word as it is, the steps of a policy object as an array, and otherwise None."""
    if type(unreachable) is str:
        return unreachable
    return _how(unreachable, np.float64) if isinstance(unreachable, Policy) else None


def most_rows():
    """Return the number of rows from which threads share the work, or None with one thread."""
    return 2 * SHARE if THREADS.count > 1 else None


def _fast_path_rows(target, r1, r2, side, pole, word):
    """Solve plain rows in space with a pole for each row; return None for all other arguments.

    Lengths and side may be numbers or arrays.
    """
    if type(side) is int and abs(side) == 1:
        side = float(side)
    if type(word) is not str or word not in WORDS or not (_is_plain(target) and _is_plain(pole)):
        return None
    shape = target.shape
    if shape != pole.shape or shape[-1:] != (3,) or target.size >= 3 * SHARE:
        return None
    numbers, rows = (r1, r2, side), shape[:-1]
    for value in numbers:
        if type(value) is not float and not (
            _is_plain(value) and np.shape(value) in ((), rows[-1:], rows)
        ):
            return None
    return KERNEL.solvers[3, False, word](target, *numbers, pole)


def _is_plain(value):
    return type(value) is np.ndarray and value.dtype == np.float64


def fill(t, values, policy, shape, out):
    """Solve named NumPy arrays and write the result into `out`, an `Answer` of arrays.

    In `out`, end and status are both arrays or both None. The caller silences NumPy's warnings.
    """
    how = None
    if KERNEL is not None:
        dtype = values["target"].dtype
        how = steps_of_rows(NUMPY, policy, dtype) if policy.per_row else _how(policy, dtype)
    if how is None:
        _fill_in_blocks(t, values, policy, shape, out)
    else:
        fill_compiled(how, values, shape, out)


def fill_compiled(how, values, shape, out):
    """Do the same with the kernel; `how` is what `_how` returns."""
    names = [name for name in ("target", "r1", "r2", "side", "pole") if name in values]
    arguments = [values[name] for name in names]
    count = min(THREADS.count, math.prod(shape) // SHARE)
    if count < 2:
        _fill_rows(how, arguments, out)
        return
    by_row = isinstance(how, np.ndarray) and how.ndim > 1
    # Threads write while others read, so arguments that overlap `out` are copied, except for an
    # argument that is exactly the joint: each thread then reads only the rows that it writes.
    places = [part for part in out if part is not None]
    arguments = [
        value.copy()
        if any(np.may_share_memory(value, place) for place in places)
        and not _is_in_place(value, out.joint)
        else value
        for value in arguments
    ]
    axis = max(range(len(shape)), key=shape.__getitem__)

    def share(start, stop):
        def cut(value, vector):
            return cut_rows(value, vector, len(shape) - axis, start, stop)

        pieces = [cut(v, name in VECTORS) for name, v in zip(names, arguments, strict=True)]
        places = None if out.end is None else cut(out.end, True)
        codes = None if out.status is None else cut(out.status, False)
        policy = cut(how, True) if by_row else how
        return lambda: _fill_rows(policy, pieces, Answer(cut(out.joint, True), places, codes))

    THREADS.run([share(*pair) for pair in shares(shape[axis], count)])


def shares(length, count):
    """Divide a length into `count` nearly equal parts; return (start, stop) of each."""
    return list(itertools.pairwise(length * i // count for i in range(count + 1)))


def _is_in_place(value, joint):
    return value.__array_interface__ == joint.__array_interface__


def cut_rows(value, vector, axis, start, stop):
    """Return rows of an array along a batch axis, counted from the last one; views."""
    place = np.ndim(value) - vector - axis
    if place < 0 or value.shape[place] == 1:
        return value
    return value[(slice(None),) * place + (slice(start, stop),)]


def _how(policy, dtype):
    """Return a policy as the kernel takes it: a word, or the steps of a chain that is not too long.

    Return None for all other policies.
    """
    numbers = in_numbers(policy)
    return None if numbers is None else of_numbers(numbers, dtype)


def in_numbers(policy):
    """Return a policy as operators of other libraries take it, or None if the kernel cannot.

    That is a list: the place of its word in `WORDS`; or the number after these, and the numbers of
    its steps. `torch.compile` can follow this.
    """
    if not policy.fits:
        return [float(WORDS.index("clamp" if policy.raises else policy.word))]
    steps = None if policy.per_row else _kernel_steps(policy)
    if steps is None:
        return None
    return [float(len(WORDS)), *(number for step in steps for number in step)]


def kinds_of_rows(policy):
    """Return the kinds of the steps of a policy with arrays, or None if the kernel cannot."""
    steps = _kernel_steps(policy)
    return None if steps is None else [step[0] for step in steps]


def _kernel_steps(policy):
    """Return the steps of a policy object, or None if there is no kernel that can do them."""
    steps = policy._steps()
    if KERNEL is None or steps is None or len(steps) > KERNEL.MOST_STEPS:
        return None
    return steps


def steps_of_rows(library, policy, dtype):
    """Return the steps of a policy with arrays, as an array of them for each row; None likewise.

    The policy is ready for the formula.
    """
    steps = _kernel_steps(policy)
    if steps is None:
        return None
    numbers = [number for step in steps for number in step]
    arrays = [number for number in numbers if type(number) is not float]
    shape = common_shape([tuple(array.shape) for array in arrays])
    if library is NUMPY:
        found = np.empty((*shape, len(numbers)), dtype)
        for i, number in enumerate(numbers):
            found[..., i] = number
        return found
    xp = library.xp
    numbers = [
        xp.zeros_like(arrays[0]) + number if type(number) is float else number for number in numbers
    ]
    return xp.stack([xp.astype(xp.broadcast_to(n, shape), dtype) for n in numbers], axis=-1)


def of_numbers(numbers, dtype):
    """Return what `in_numbers` returned as the kernel takes it."""
    word, *steps = numbers
    return np.array(steps, dtype) if steps else WORDS[int(word)]


def policy_of_numbers(numbers):
    """Return a policy that does what the one did of which `in_numbers` told."""
    word, *steps = numbers
    return policies.from_steps(steps) if steps else policies.NAMED[WORDS[int(word)]]


def policy_of_triangles(policies_met):
    """Return the policy of a program as the kernel takes it, or None if it cannot.

    That is a number of `WORDS` and the steps of a chain, which may be none.
    """
    if len(policies_met) > 1:
        return None
    how = _as_numbers(policies_met[0]) if policies_met else "clamp"
    if how is None:
        return None
    return (WORDS.index(how), np.empty(0)) if isinstance(how, str) else (0, how)


def is_compiled(unreachable):
    """Return whether the kernel can apply a policy; NumPy computes those that users write."""
    return KERNEL is not None and _as_numbers(unreachable) is not None


def _fill_rows(how, arguments, out):
    """Solve with the kernel, on this thread; `how` is what `_how` returns."""
    target, r1, r2, side, *pole = arguments
    whole, size = out.end is not None, target.shape[-1]
    outputs = out if whole else (out.joint,)
    if isinstance(how, np.ndarray):
        KERNEL.solvers[size, whole, "steps"](*arguments, how, out=tuple(outputs))
        return
    pole = pole[0] if pole else None
    if whole or KERNEL.solve(target, r1, r2, side, pole, how, out.joint, None) is None:
        KERNEL.solvers[size, whole, how](*arguments, out=tuple(outputs))


def _fill_in_blocks(t, values, policy, shape, out):
    """Solve with NumPy, in blocks that fit the cache and keep the use of memory constant."""
    size = values["target"].shape[-1]
    pole = parts(values["pole"], size) if "pole" in values else ()
    lengths = values["r1"], values["r2"], values["side"]
    leaves = policy._leaves() if policy.per_row else ()
    inputs = [*parts(values["target"], size), *lengths, *pole, *leaves]
    count = len(inputs) - len(leaves)

    def solve(inputs):
        chosen = policies.with_leaves(policy, inputs[count:]) if leaves else policy
        return _block(t, _targets(inputs[:count]), chosen)

    end = () if out.end is None else parts(out.end, size)
    out = Answer(parts(out.joint, size), end, out.status)
    if math.prod(shape) <= BLOCK:
        _store(out, solve(inputs))
        return
    # Arguments without axes are copied, because `out` may overlap them; `nditer` handles the rest.
    inputs = [value if np.ndim(value) else value[()] for value in inputs]
    outputs = [*out.joint, *out.end] + ([] if out.status is None else [out.status])
    moving = [i for i, value in enumerate(inputs) if np.ndim(value)]
    access: Any = [["readonly"]] * len(moving) + [["writeonly"]] * len(outputs)
    blocks = np.nditer(
        [*(inputs[i] for i in moving), *outputs],
        flags=NDITER_FLAGS,
        op_flags=access,
        itershape=shape,
        buffersize=BLOCK,
    )
    with blocks:
        blocks.reset()
        for values in blocks:
            for i, value in zip(moving, values, strict=False):
                inputs[i] = value
            _store(_pick(out, iter(values[len(moving) :])), solve(inputs))


def _targets(inputs):
    """Return a flat list of components as `Targets`."""
    size = 3 if len(inputs) == 9 else 2
    r1, r2, side = inputs[size : size + 3]
    return Targets(tuple(inputs[:size]), r1, r2, side, tuple(inputs[size + 3 :]))


def _block(t, targets, policy):
    """Solve one block: easy rows with `answer.easy`, the remaining rows with `blocks.any`."""
    if policy.fits:
        return blocks.any(NUMPY, t, targets, policy)
    if t.eps == FLOAT32.eps:
        rest = functools.partial(_float32_as_float64, policy)
    else:
        rest = functools.partial(_any, t, policy)
    return _with_rest(_easy(t, targets, policy), targets, rest)


def _easy(t, targets, policy):
    """Solve all rows with `answer.easy`; return the answer, and where it is valid."""
    result, along = answer.easy(NUMPY, t, targets, policy)
    return result, answer.is_easy(NUMPY, t, targets) & np.logical_not(along)


def _any(t, policy, targets):
    return blocks.any(NUMPY, t, targets, policy)


def _float32_as_float64(policy, targets):
    """Solve float32 rows as float64 where they are easy then, and otherwise with `any`."""
    wide = Targets(*(_cast(value, np.float64) for value in targets))
    result, holds = _easy(WIDE, wide, policy)
    result = Answer(*(_cast(value, np.float32) for value in result))
    return _with_rest((result, holds), targets, functools.partial(_any, FLOAT32, policy))


def _cast(value, dtype):
    if isinstance(value, tuple):
        return tuple(_cast(part, dtype) for part in value)
    return value.astype(dtype)


def _with_rest(solved, targets, rest):
    """Return an answer in which `rest` solves the rows where it is not valid."""
    result, holds = solved
    if np.all(holds):
        return result
    inputs = [*targets.p, targets.r1, targets.r2, targets.side, *targets.pole]
    shape = np.broadcast(*inputs).shape
    if not shape:
        return rest(targets)
    rows = np.nonzero(~np.broadcast_to(holds, shape).ravel())[0]

    def take(value):
        return np.broadcast_to(value, shape).ravel()[rows] if np.ndim(value) else value

    def mend(whole, part):
        if isinstance(whole, tuple):
            return tuple(map(mend, whole, part))
        whole = np.array(np.broadcast_to(whole, shape))
        whole.reshape(-1)[rows] = part
        return whole

    return Answer(*map(mend, result, rest(_targets([take(value) for value in inputs]))))


def _pick(out, values):
    """Return an `Answer` like `out` with the next values in place of its arrays."""
    return Answer(
        tuple(next(values) for _ in out.joint),
        tuple(next(values) for _ in out.end),
        None if out.status is None else next(values),
    )


def _store(out, result):
    """Write joints, and ends and statuses if they are requested."""
    for place, value in zip((*out.joint, *out.end), (*result.joint, *result.end), strict=False):
        place[...] = value
    if out.status is not None:
        out.status[...] = result.status
