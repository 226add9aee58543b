"""What answers: the compiled kernel where there is one, else NumPy in blocks; on how many threads.

`TWOBONE_ENGINE=numpy` does without the kernel, `TWOBONE_ENGINE=compiled` insists on it,
`TWOBONE_THREADS` is the number of threads.
"""

import itertools
import math
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from twobone.core import answer
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import NUMPY, PLAIN_REALS, VECTORS, parts, views_of_tensors
from twobone.core.threads import Threads
from twobone.errors import EngineError

BLOCK = 16384  # rows: fewer spend time on calls, more no longer fit the cache
Function = TypeVar("Function", bound=Callable[..., Any])
NDITER_FLAGS: Any = ["external_loop", "buffered", "delay_bufalloc", "copy_if_overlap"]
WHOLE = "be a whole number from 1"
SHARE = 150_000  # rows: with fewer for each, threads cost more than they gain


def _load_kernel():
    """Return the compiled kernel, or None where it is not built or not wanted."""
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
        return None
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
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS.start_afresh)


class Engine(NamedTuple):
    """What is running."""

    name: str
    instruction_set: str
    threads: int


def engine(*, threads: int | None = None) -> Engine:
    """Say what is running.

    Parameters
    ----------
    threads : int, optional
        From now on, use so many threads for large arrays; by default as many as there are
        cores, or what the environment variable `TWOBONE_THREADS` says. In a forked worker it
        is 1. NumPy's engine always uses one.

    Returns
    -------
    Engine
        `name` ("compiled" or "numpy"; see the environment variable `TWOBONE_ENGINE`),
        `instruction_set` and `threads`.

    Raises
    ------
    EngineError
        If `threads` is not a whole number from 1.

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
    """Return a function of floats as the kernel has it, where there is one."""
    if KERNEL is None:
        return function
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    doc = f"{function.__name__}({', '.join(names)}=1)\n--\n\n{function.__doc__}"
    return KERNEL.scalar(function, function.__module__, names, function.__name__, doc)


def short_way(target, r1, r2, side, pole, unreachable, out):
    """Solve what is as simple as it usually is, with the kernel; return None for all the rest."""
    if KERNEL is None:
        return None
    most = 2 * SHARE if THREADS.count > 1 else None
    joint = KERNEL.solve(target, r1, r2, side, pole, unreachable, out, most)
    if joint is None and out is None:
        return _short_rows(target, r1, r2, side, pole, unreachable)
    return joint


def _short_rows(target, r1, r2, side, pole, word):
    """Solve plain rows in space, each with a pole and perhaps bones; None for all the rest."""
    if type(side) is int and abs(side) == 1:
        side = float(side)
    numbers = r1, r2, side
    if (
        type(word) is not str
        or word not in WORDS
        or not _is_plain(target)
        or not _is_plain(pole)
        or not all(type(value) is float or _is_plain(value) for value in numbers)
    ):
        return None
    rows = target.shape[:-1]
    if (
        target.shape != pole.shape
        or target.shape[-1:] != (3,)
        or not {np.shape(value) for value in numbers} <= {(), rows[-1:], rows}
        or target.size >= 3 * SHARE
    ):
        return None
    return KERNEL.solvers[3, False, word](target, *numbers, pole)


def _is_plain(value):
    return type(value) is np.ndarray and value.dtype == np.float64


def views(library, values, policy):
    """Return NumPy's views of other arrays, if the kernel can answer for them; else None."""
    if KERNEL is None or policy.fits or library.name != "torch":
        return None
    return views_of_tensors(values)


def fill(t, values, policy, shape, out):
    """Write the answer to named NumPy arrays into `out`, an `Answer` of arrays.

    End and status are None if they are not wanted. The caller has silenced NumPy's warnings.
    """
    if KERNEL is None or policy.fits:
        _fill_in_blocks(t, values, policy, shape, out)
        return
    word = "clamp" if policy.raises else policy.word
    names = [name for name in ("target", "r1", "r2", "side", "pole") if name in values]
    arguments = [values[name] for name in names]
    count = min(THREADS.count, math.prod(shape) // SHARE)
    if count < 2:
        _fill_compiled(word, arguments, out)
        return
    # Threads write while others read: what `out` overlaps is copied, unless it goes in place.
    arguments = [
        value.copy()
        if np.may_share_memory(value, out.joint) and not _is_in_place(value, out.joint)
        else value
        for value in arguments
    ]
    axis = max(range(len(shape)), key=shape.__getitem__)

    def share(start, stop):
        def cut(value, vector):
            return _cut(value, vector, len(shape) - axis, start, stop)

        pieces = [cut(v, name in VECTORS) for name, v in zip(names, arguments, strict=True)]
        places = None if out.end is None else cut(out.end, True)
        codes = None if out.status is None else cut(out.status, False)
        return lambda: _fill_compiled(word, pieces, Answer(cut(out.joint, True), places, codes))

    THREADS.run([share(*pair) for pair in shares(shape[axis], count)])


FOR_PYTHON = -1  # the status of a limb whose end moves on an ellipse: the kernel leaves it alone
WORDS = ("clamp", "stretch", "nan")
# Axes of what describes one limb: start, mid, end; target, pole, mid_axis; options and wishes.
POSE = (2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0)
CORRECTION = (1, 1, 0, 0)


def correct(arguments, word, shape, solve):
    """Correct limbs given as matrices, compiled: both turns, statuses and what is at fault.

    `arguments` are start, mid, end, target, pole, mid_axis, cosine and sine of half the twist,
    soften and weight; pole and what comes after the axis may be None. Where the policy is no
    word, `solve` finds triangles from `d, r1, r2`: x and y of the joint, end and status.
    """
    pole, axis, cos, _, soften, weight = arguments[4:]
    wishes = 4 * (pole is not None) | 8 * (cos is not None)
    wishes |= 16 * (soften is not None) | 32 * (weight is not None)
    inputs = [0.0 if value is None else value for value in arguments]
    inputs[4] = axis if pole is None else pole
    if word:
        inputs.append(np.int8(wishes | WORDS.index(word)))
        return _correct(KERNEL.correct_limb, inputs, POSE, shape)
    inputs.append(np.int8(wishes))
    inputs += solve(*KERNEL.limb_before(*inputs))
    return _correct(KERNEL.limb_after, inputs, (*POSE, 0, 0, 0, 0), shape)


def short_correction(start, mid, end, target, pole, mid_axis, policy):
    """Correct limbs given as they usually are, without options, compiled; None for all the rest.

    That is plain arrays of one dtype, for one limb or a row of them, pole and axis one each or one
    for all, and a policy that is a word.
    """
    given = [start, mid, end, target, mid_axis if pole is None else pole, mid_axis]
    if KERNEL is None or policy.fits or {type(value) for value in given} != {np.ndarray}:
        return None
    kinds, lead = {value.dtype for value in given}, start.shape[:-2]
    vector, vectors = (*lead, 3), {(3,), (*lead, 3)}
    if (
        len(kinds) > 1
        or not kinds <= PLAIN_REALS.keys()
        or len(lead) > 1
        or not start.shape == mid.shape == end.shape == (*lead, 4, 4)
        or target.shape != vector
        or not {given[4].shape, mid_axis.shape} <= vectors
    ):
        return None
    word = "clamp" if policy.raises else policy.word
    return correct([*given[:4], pole, mid_axis, None, None, None, None], word, lead, None)


def _correct(ufunc, inputs, axes, shape):
    """Let the kernel answer, threads sharing the limbs where they are many."""
    count = min(THREADS.count, math.prod(shape) // SHARE)
    if count < 2 and len(shape) < 2:
        return ufunc(*inputs)
    # In one piece, whichever way the arguments lie.
    kinds = [np.int8 if n == 0 else inputs[0].dtype for n in CORRECTION]
    out = [np.empty(shape + (4,) * n, kind) for n, kind in zip(CORRECTION, kinds, strict=True)]
    longest = max(range(len(shape)), key=shape.__getitem__)

    def share(start, stop):
        def cut(values, axes):
            pairs = zip(values, axes, strict=True)
            return [_cut(value, n, len(shape) - longest, start, stop) for value, n in pairs]

        pieces, places = cut(inputs, axes), cut(out, CORRECTION)
        return lambda: ufunc(*pieces, out=tuple(places))

    jobs = [share(*pair) for pair in shares(shape[longest], max(count, 1))]
    THREADS.run(jobs) if len(jobs) > 1 else jobs[0]()
    return out


def shares(length, count):
    """Return where the shares of each thread start and stop."""
    return list(itertools.pairwise(length * i // count for i in range(count + 1)))


def _is_in_place(value, joint):
    return value.__array_interface__ == joint.__array_interface__


def _cut(value, vector, axis, start, stop):
    """Return some rows of an array; the axis is counted from the last of the shape."""
    place = np.ndim(value) - vector - axis
    if place < 0 or value.shape[place] == 1:
        return value
    return value[(slice(None),) * place + (slice(start, stop),)]


def _fill_compiled(word, arguments, out):
    """Let the kernel write its answer."""
    target, r1, r2, side, *pole = arguments
    pole = pole[0] if pole else None
    if out.end is None:
        if KERNEL.solve(target, r1, r2, side, pole, word, out.joint, None) is None:
            KERNEL.solvers[target.shape[-1], False, word](*arguments, out=(out.joint,))
    else:
        KERNEL.solvers[target.shape[-1], True, word](
            *arguments, out=(out.joint, out.end, out.status)
        )


def _fill_in_blocks(t, values, policy, shape, out):
    """Let NumPy answer, in blocks that stay in the cache: memory is flat for any number of rows."""
    size = values["target"].shape[-1]
    pole = parts(values["pole"], size) if "pole" in values else ()
    lengths = values["r1"], values["r2"], values["side"]
    inputs = [*parts(values["target"], size), *lengths, *pole]
    end = () if out.end is None else parts(out.end, size)
    out = Answer(parts(out.joint, size), end, out.status)
    if math.prod(shape) <= BLOCK:
        _store(out, _block(t, _targets(inputs), policy))
        return
    # Arguments without axes are copied, since `out` may overlap them; the rest goes block by block.
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
            _store(_pick(out, iter(values[len(moving) :])), _block(t, _targets(inputs), policy))


def _targets(inputs):
    """Return a flat list of parts as `Targets`."""
    size = 3 if len(inputs) == 9 else 2
    r1, r2, side = inputs[size : size + 3]
    return Targets(tuple(inputs[:size]), r1, r2, side, tuple(inputs[size + 3 :]))


def _block(t, targets, policy):
    """Answer one block: what is easy at once, the rest row by row chosen."""
    if policy.fits:
        return answer.any(NUMPY, t, targets, policy)
    result, along = answer.easy(NUMPY, t, targets, policy)
    holds = answer.is_easy(NUMPY, t, targets) & np.logical_not(along)
    if np.all(holds):
        return result
    inputs = [*targets.p, targets.r1, targets.r2, targets.side, *targets.pole]
    shape = np.broadcast(*inputs).shape
    rows = np.nonzero(~np.broadcast_to(holds, shape).ravel())[0] if shape else ...

    def take(value):
        return np.broadcast_to(value, shape).ravel()[rows] if np.ndim(value) else value

    hard = answer.any(NUMPY, t, _targets([take(value) for value in inputs]), policy)
    if not shape:
        return hard
    return Answer(
        tuple(
            _mend(whole, rows, part, shape)
            for whole, part in zip(result.joint, hard.joint, strict=True)
        ),
        tuple(
            _mend(whole, rows, part, shape)
            for whole, part in zip(result.end, hard.end, strict=True)
        ),
        _mend(result.status, rows, hard.status, shape),
    )


def _mend(whole, rows, part, shape):
    whole = np.array(np.broadcast_to(whole, shape))
    whole.reshape(-1)[rows] = part
    return whole


def _pick(out, values):
    """Return `out` with the next values in place of its arrays."""
    return Answer(
        tuple(next(values) for _ in out.joint),
        tuple(next(values) for _ in out.end),
        None if out.status is None else next(values),
    )


def _store(out, result):
    """Write what is wanted: joints, perhaps ends, perhaps statuses."""
    for place, value in zip((*out.joint, *out.end), (*result.joint, *result.end), strict=False):
        place[...] = value
    if out.status is not None:
        out.status[...] = result.status
