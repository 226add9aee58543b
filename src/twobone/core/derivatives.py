"""Derivatives of joint and end, computed by the kernel.

`pull` is the vector-Jacobian product, which reverse-mode differentiation needs, and `push` the
Jacobian-vector product, which forward mode needs. The arrays are NumPy's; `for_torch.py` passes
the memory of tensors.
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
        A policy as the kernel takes it, see `engine.of_numbers`.
    joint_bar, end_bar : array, shape (..., d), or None
        Derivatives of the loss by joint and end; None for those that are zero.
    wanted : sequence of str
        Names among `NAMES`, and "steps" for the numbers of the policy.

    Returns
    -------
    list
        An array for each of `wanted`, of the shape to which all arguments broadcast. Derivatives
        too large for the dtype become its largest number.
    """
    size = values["target"].shape[-1]
    rest = end_bar is not None or bool(set(wanted) - {"target"})
    bars = [(bar, True) for bar in (joint_bar, end_bar)[: 1 + rest]]
    outputs = [name for name in NAMES if name in values] if rest else ["target"]
    places = [size if name in VECTORS else 0 for name in outputs]
    word = None
    if "steps" in wanted:
        outputs, places, word = [*outputs, "steps"], [*places, how.shape[-1]], "rows"
    products = _products("pulls", values, how, rest, bars, places, word)
    found = dict(zip(outputs, products, strict=True))
    return [found[name] for name in wanted]


def push(values, how, tangents, whole):
    """Return the derivatives of joint and end, given those of arguments in one direction.

    Parameters
    ----------
    values : dict
        As for `pull`.
    how : str or array
        A policy as the kernel takes it, see `engine.of_numbers`.
    tangents : dict
        Derivatives of the arguments by name, among `NAMES`, in the dtype of `values`. Their batch
        axes broadcast with those of `values`. Those that are missing are zero.
    whole : bool
        Whether to return the derivatives of the end, too.

    Returns
    -------
    tuple
        Arrays of the shape to which all arguments broadcast, for the joint and for the end; None
        for an end that is not wanted. Derivatives too large for the dtype become its largest
        number.
    """
    moving = [(tangents.get(name), name in VECTORS) for name in NAMES if name in values]
    places = [values["target"].shape[-1]] * (1 + whole)
    found = _products("pushes", values, how, whole, moving, places)
    return found[0], found[1] if whole else None


def _products(kind, values, how, flag, factors, places, word=None):
    """Multiply with Jacobians by a ufunc of the kernel, on several threads if there are many rows.

    `factors` are pairs of an array, or None for zero, and whether it has vectors; `places` says of
    each result how many components it has, 0 for a number. `word` is the kind of ufunc, if it does
    not follow from the policy.
    """
    target = values["target"]
    size, dtype = target.shape[-1], target.dtype
    is_word = isinstance(how, str)
    function = getattr(engine.KERNEL, kind)[size, flag, word or (how if is_word else "steps")]
    names = [name for name in ("target", "r1", "r2", "side", "pole") if name in values]
    arguments = [(values[name], name in VECTORS) for name in names]
    arguments += [] if is_word else [(how, True)]
    factors = [
        (np.zeros(size if vector else (), dtype) if value is None else value, vector)
        for value, vector in factors
    ]
    if sum(value.size for value, _ in (*arguments, *factors)) < engine.SHARE:
        found = function(*(value for value, _ in (*arguments, *factors)))
        return list(found) if isinstance(found, tuple) else [found]
    shape = np.broadcast_shapes(
        *(np.shape(value)[: np.ndim(value) - vector] for value, vector in [*arguments, *factors])
    )
    found = [np.empty((*shape, parts) if parts else shape, dtype) for parts in places]
    count = min(engine.THREADS.count, math.prod(shape) // engine.SHARE)

    def run(cut):
        inputs = [cut(*argument) for argument in arguments]
        out = tuple(cut(part, parts > 0) for part, parts in zip(found, places, strict=True))
        function(*inputs, *(cut(*factor) for factor in factors), out=out)

    if count < 2:
        run(lambda value, vector: value)
        return found
    axis = max(range(len(shape)), key=shape.__getitem__)
    place = len(shape) - axis

    def share(start, stop):
        return lambda: run(lambda value, vector: engine.cut_rows(value, vector, place, start, stop))

    engine.THREADS.run([share(*pair) for pair in engine.shares(shape[axis], count)])
    return found
