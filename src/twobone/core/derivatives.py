"""Derivatives of joint and end, computed by the kernel.

`pull` is the vector-Jacobian product, which reverse-mode differentiation needs. The arrays are
NumPy's; `for_torch.py` passes the memory of tensors.
"""

import math

import numpy as np

from twobone.core import engine
from twobone.core.arrays import VECTORS

NAMES = ("target", "r1", "r2", "pole")  # what joint and end are differentiated by


def pull(values, how, joint_bar, end_bar, wanted):
    """Return the derivatives of a loss by arguments, given those by joint and end.

    Parameters
    ----------
    values : dict
        Arrays of one dtype, float32 or float64, by name: "target", "r1", "r2", "side" and, in
        space, "pole". Their batch axes broadcast; strides may be any.
    how : str or array
        A policy as the kernel takes it, see `engine.how`.
    joint_bar, end_bar : array, shape (..., d), or None
        Derivatives of the loss by joint and end; None for those that are zero.
    wanted : sequence of str
        Names among `NAMES`.

    Returns
    -------
    list
        An array for each of `wanted`, of the shape to which all arguments broadcast. Derivatives
        too large for the dtype become its largest number.
    """
    size = values["target"].shape[-1]
    word, steps = (how, ()) if isinstance(how, str) else ("steps", (how,))
    names = [name for name in ("target", "r1", "r2", "side", "pole") if name in values]
    arguments = [(values[name], name in VECTORS) for name in names]
    zero = np.zeros(size, values["target"].dtype)
    joint_bar = zero if joint_bar is None else joint_bar
    rest = end_bar is not None or bool(set(wanted) - {"target"})
    bars = [(joint_bar, True), (zero if end_bar is None else end_bar, True)][: 1 + rest]
    function = engine.KERNEL.pulls[size, rest, word]
    outputs = [name for name in NAMES if name in values] if rest else ["target"]
    shape = np.broadcast_shapes(
        *(np.shape(value)[: np.ndim(value) - vector] for value, vector in [*arguments, *bars])
    )
    found = {
        name: np.empty((*shape, size) if name in VECTORS else shape, zero.dtype) for name in outputs
    }
    count = min(engine.THREADS.count, math.prod(shape) // engine.SHARE)

    def run(cut):
        inputs = [cut(*argument) for argument in arguments]
        out = tuple(cut(part, name in VECTORS) for name, part in found.items())
        function(*inputs, *steps, *(cut(*bar) for bar in bars), out=out)

    if count < 2:
        run(lambda value, vector: value)
    else:
        axis = max(range(len(shape)), key=shape.__getitem__)

        def share(start, stop):
            place = len(shape) - axis
            return lambda: run(
                lambda value, vector: engine.cut_rows(value, vector, place, start, stop)
            )

        engine.THREADS.run([share(*pair) for pair in engine.shares(shape[axis], count)])
    return [found[name] for name in wanted]
