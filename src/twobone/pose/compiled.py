"""`correct_limb` computed by the compiled kernel, on several threads if there are many limbs."""

import math

import numpy as np

from twobone.core import engine
from twobone.core.arrays import PLAIN_REALS
from twobone.core.engine import THREADS, WORDS, cut_rows, shares

FOR_PYTHON = -1  # status of a limb whose end moves on an ellipse: Python must solve it
# The number of axes of each kernel argument for one limb: the matrices start, mid and end; the
# vectors target, pole and mid_axis; cosine and sine of half the twist, soften, weight and flags.
POSE = (2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0)
CORRECTION = (1, 1, 0, 0)


def correct(arguments, word, shape, solve):
    """Correct limbs given as matrices with the kernel.

    Return both rotations, the statuses and the codes of invalid arguments. `arguments` are start,
    mid, end, target, pole, mid_axis, cosine and sine of half the twist, soften and weight; pole
    and all after mid_axis may be None. `word` is a named policy or None; with None, `solve` maps
    `d, r1, r2` to x and y of the joint, the end and the status.
    """
    pole, axis, cos, _, soften, weight = arguments[4:]
    flags = 4 * (pole is not None) | 8 * (cos is not None)
    flags |= 16 * (soften is not None) | 32 * (weight is not None)
    inputs = [0.0 if value is None else value for value in arguments]
    inputs[4] = axis if pole is None else pole
    if word:
        inputs.append(np.int8(flags | WORDS.index(word)))
        return _correct(engine.KERNEL.correct_limb, inputs, POSE, shape)
    inputs.append(np.int8(flags))
    inputs += solve(*engine.KERNEL.limb_before(*inputs))
    return _correct(engine.KERNEL.limb_after, inputs, (*POSE, 0, 0, 0, 0), shape)


def correct_plain(arguments, policy):
    """Correct plain arrays of limbs directly with the kernel; return None for other arguments.

    `arguments` are start, mid, end, target, pole and mid_axis; pole and mid_axis may be None.
    "Plain" means NumPy arrays of one dtype for one limb or one batch axis, with a pole and an axis
    for each limb or for all, and a named policy.
    """
    start, mid, end, target, pole, mid_axis = arguments
    given = [start, mid, end, target, mid_axis if pole is None else pole, mid_axis]
    if engine.KERNEL is None or policy.fits or {type(value) for value in given} != {np.ndarray}:
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
    """Call a ufunc of the kernel, on several threads if there are many limbs."""
    count = min(THREADS.count, math.prod(shape) // engine.SHARE)
    if count < 2 and len(shape) < 2:
        return ufunc(*inputs)
    # C-contiguous results, whatever the memory layout of the arguments.
    kinds = [np.int8 if n == 0 else inputs[0].dtype for n in CORRECTION]
    out = [np.empty(shape + (4,) * n, kind) for n, kind in zip(CORRECTION, kinds, strict=True)]
    longest = max(range(len(shape)), key=shape.__getitem__)

    def share(start, stop):
        def cut_all(values, axes):
            pairs = zip(values, axes, strict=True)
            return [cut_rows(value, n, len(shape) - longest, start, stop) for value, n in pairs]

        pieces, places = cut_all(inputs, axes), cut_all(out, CORRECTION)
        return lambda: ufunc(*pieces, out=tuple(places))

    jobs = [share(*pair) for pair in shares(shape[longest], max(count, 1))]
    THREADS.run(jobs) if len(jobs) > 1 else jobs[0]()
    return out
