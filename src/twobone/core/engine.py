"""What answers: which engine runs, and how NumPy is fed.

The compiled kernel belongs here; until it exists NumPy answers, in blocks that stay in the
cache, so that memory stays flat however many targets there are.
"""

from typing import Any, NamedTuple

import numpy as np

from twobone.core import answer
from twobone.core.answer import Answer, Targets
from twobone.core.arrays import NUMPY

BLOCK = 16384  # rows: fewer spend time on calls, more no longer fit the cache


class Engine(NamedTuple):
    """What is running."""

    name: str
    instruction_set: str
    threads: int


def engine():
    """Say what is running.

    Returns
    -------
    Engine
        `name` ("compiled" or "numpy"), `instruction_set` and `threads`.

    Examples
    --------
    >>> import twobone
    >>> twobone.engine()
    Engine(name='numpy', instruction_set="NumPy's", threads=1)
    """
    return Engine("numpy", "NumPy's", 1)


NDITER_FLAGS: Any = ["external_loop", "buffered", "delay_bufalloc", "copy_if_overlap"]


def fill(t, targets, policy, shape, out):
    """Write the answer to NumPy targets into `out`, an `Answer` without what is not wanted.

    The caller has silenced NumPy's warnings.
    """
    if not shape or np.prod(shape) <= BLOCK:
        _store(out, _block(t, targets, policy))
        return
    # Arguments without axes are copied, since `out` may overlap them; the rest goes block by block.
    inputs = [*targets.p, targets.r1, targets.r2, targets.side, *targets.pole]
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
