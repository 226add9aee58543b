"""PyTorch: formulas on tensors on the CPU are programs of the kernel, forward and backward.

`run_program` is an operator for any recorded formula, and `pull_program` is the one for its
derivatives, so that they work in eager mode, in `torch.compile` and in `torch.export`. A program is
passed to them as text. The derivatives of `pull_program` come from the formula itself. Where
operators give no tangents, which is under the transforms of `torch.func` and in forward mode, and
on other devices, the formula is used instead (`batches.run`).
"""

import base64
import functools
import itertools
import json
import math
import weakref
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from twobone.core import batches, engine, programs, reverse
from twobone.core.arrays import common_shape
from twobone.core.exact import FLOAT32, FLOAT64
from twobone.core.for_torch import KINDS, REALS, count_modes, may_operate, view
from twobone.errors import TwoBoneError

MOST_KEPT = 256  # programs that were made from text


class Task:
    """A formula with its programs: the one that runs it, and those of its derivatives."""

    def __init__(self, formula, given, outputs):
        self.formula, self.given, self.outputs = formula, given._replace(values={}), outputs
        self.tails = given.tails_of_values()
        self.double = given.real.eps == FLOAT64.eps
        real = FLOAT64 if self.double else FLOAT32
        program = programs.compile_formula(formula, real, self.tails, outputs)
        # None if the formula cannot be recorded.
        self.text = program and Stored.of(program, self.tails.values(), outputs).text()
        self.pulls = {}

    def pull(self, wanted):
        """Return the text of the program for the derivatives with respect to some arguments.

        `wanted` has a truth value for each argument. Derivatives of float32 are computed in
        float64: they are those of the exact answer, rounded.
        """
        if wanted not in self.pulls:
            names = [name for name, is_wanted in zip(self.tails, wanted, strict=True) if is_wanted]
            program = reverse.compile_pull(self.formula, FLOAT64, self.tails, self.outputs, names)
            if program is None:
                # unreached: broken
                raise AssertionError("a formula could be recorded, but not its derivatives")
            weights = [tail for tail in self.outputs if tail is not None]
            inputs, found = [*self.tails.values(), *weights], [self.tails[name] for name in names]
            self.pulls[wanted] = Stored.of(program, inputs, found).text()
        return self.pulls[wanted]

    def by_formula(self, values):
        """Return the results for tensors, computed by the formula."""
        values = dict(zip(self.tails, values, strict=True))
        shape = _lead_shape(values.values(), self.tails.values())
        given = self.given._replace(values=values, shape=shape)
        return batches.run_other(self.formula, given, self.outputs)


TASKS: weakref.WeakValueDictionary[str, Task] = weakref.WeakValueDictionary()
COMPILED: dict[str, Task] = {}  # those of compiled programs, whose end nobody tells


class Stored(NamedTuple):
    """A program, and the trailing shapes of its inputs and outputs; None is one of a status."""

    parts: programs.Parts
    inputs: list
    outputs: list

    @classmethod
    def of(cls, program, inputs, outputs):
        return cls(program.parts, [tuple(tail) for tail in inputs], list(outputs))

    def text(self):
        """Return the program as text."""
        parts = self.parts._asdict()
        arrays = {name: parts.pop(name) for name in ("code", "constants", "steps")}
        held = {name: [array.shape, array.tobytes().hex()] for name, array in arrays.items()}
        told = json.dumps([parts, held, self.inputs, self.outputs])
        return base64.b85encode(zlib.compress(told.encode())).decode()


class Ready(NamedTuple):
    """A program that can run, with the trailing shapes of its inputs and outputs."""

    program: Any
    inputs: list
    outputs: list


@functools.lru_cache(MOST_KEPT)
def ready(text):
    """Return the `Ready` program of a text; the kernel checks that it is one."""
    parts, held, inputs, outputs = json.loads(zlib.decompress(base64.b85decode(text)))
    arrays: dict[str, Any] = {
        name: np.frombuffer(bytes.fromhex(data), np.int32 if name == "code" else np.float64)
        .reshape(shape)
        .copy()
        for name, (shape, data) in held.items()
    }
    found = programs.Parts(**parts, **arrays)
    names = tuple(map(str, range(len(inputs))))
    return Ready(
        programs.Program(engine.KERNEL.program(*found), names, found),
        [tuple(tail) for tail in inputs],
        [None if tail is None else tuple(tail) for tail in outputs],
    )


# --- the way to the operators -------------------------------------------------------------


def run(formula, given, outputs, kept, key):
    """Return what `batches.run` returns; None where the formula must be used."""
    values = list(given.values.values())
    if not (may_operate() and all(map(is_plain, values))):
        return None
    task = find(formula, given, outputs, kept, key)
    if task is None:
        return None
    if torch.compiler.is_compiling() or count_modes() > 0:
        COMPILED[task.text] = task
        return run_program(values, task.text)
    if torch.is_grad_enabled() and any(value.requires_grad for value in values):
        return list(Recorded.apply(task, *values))
    return _run_program(values, task.text)


def without_gradients(values, function):
    """Return what a function of a `Real` and arrays returns for tensors; None if some record."""
    recorded = torch.is_grad_enabled() and any(value.requires_grad for value in values)
    if recorded or count_modes() > 0 or not (may_operate() and all(map(is_plain, values))):
        return None
    found = function(REALS[values[0].dtype], *map(view, values))
    return None if found is None else [torch.from_numpy(np.asarray(part)) for part in found]


def find(formula, given, outputs, kept, key):
    """Return the `Task` of a formula, or None if it cannot be recorded.

    It is recorded at the first call: with tensors, one call of the formula takes as long.
    """
    key = (key, given.real.eps, tuple(given.values))
    if key not in kept.tasks:
        task = Task(formula, given, outputs)
        # Equal limbs share one, so that it is there as long as one of them is.
        kept.keep(kept.tasks, key, TASKS.setdefault(task.text, task) if task.text else None)
    return kept.tasks[key]


def is_plain(value):
    """Return whether the kernel can read a tensor."""
    return (
        (type(value) in KINDS or count_modes() > 0)
        and value.dtype in REALS
        and value.device.type == "cpu"
        and value.layout is torch.strided
    )


# --- operators ----------------------------------------------------------------------------


def _lead_shape(values, tails):
    """Return the shape to which the batch axes of tensors broadcast."""
    pairs = zip(values, tails, strict=True)
    return common_shape([tuple(value.shape[: value.ndim - len(tail)]) for value, tail in pairs])


def _rows(array, tail, shape):
    """Return an array as a matrix with one row, or with a row for each pose."""
    lead = array.shape[: array.ndim - len(tail)]
    if math.prod(lead) > 1:
        array = np.broadcast_to(array, (*shape, *tail))
    return array.reshape(-1, math.prod(tail))


def _run_program(values, text):
    known = ready(text)
    arrays = [view(value) for value in values]
    shape, dtype = _lead_shape(values, known.inputs), arrays[0].dtype
    results = [
        np.empty((*shape, *(tail or ())), np.int8 if tail is None else dtype)
        for tail in known.outputs
    ]
    rows = math.prod(shape)
    programs.run(
        known.program,
        [_rows(*pair, shape) for pair in zip(arrays, known.inputs, strict=True)],
        [
            result.reshape(rows, math.prod(tail or ()))
            for result, tail in zip(results, known.outputs, strict=True)
        ],
    )
    return [torch.from_numpy(result) for result in results]


@torch.library.custom_op("twobone::run_program", mutates_args=())
def run_program(values: Sequence[Tensor], program: str) -> list[Tensor]:
    """Run a program for all poses of tensors whose batch axes broadcast."""
    return _run_program(values, program)


@run_program.register_fake
def _(values, program):
    known = ready(program)
    shape = _lead_shape(values, known.inputs)
    return [
        values[0].new_empty((*shape, *(tail or ())), dtype=torch.int8 if tail is None else None)
        for tail in known.outputs
    ]


@torch.library.custom_op("twobone::pull_program", mutates_args=())
def pull_program(
    values: Sequence[Tensor], slopes: Sequence[Tensor | None], program: str, wanted: Sequence[bool]
) -> list[Tensor]:
    """Return the derivatives of a loss with respect to the wanted ones of some values.

    `slopes` are its derivatives with respect to the results, None for 0.
    """
    return _pull_program(values, slopes, program, wanted)


def _pull_program(values, slopes, program, wanted):
    known = ready(program)
    inputs, weights = known.inputs[: len(values)], known.inputs[len(values) :]
    shape = _lead_shape(values, inputs)
    arrays = [view(value) for value in values]
    dtype = arrays[0].dtype
    given = [
        np.zeros((1,) * len(shape) + tail) if slope is None else view(slope)
        for slope, tail in zip(slopes, weights, strict=True)
    ]
    given = [
        _rows(array.astype(np.float64, copy=False), tail, shape)
        for array, tail in zip([*arrays, *given], known.inputs, strict=True)
    ]
    rows = math.prod(shape)
    found = [np.empty((rows, math.prod(tail))) for tail in known.outputs]
    programs.run(known.program, given, found)
    of = (array for array, is_wanted in zip(arrays, wanted, strict=True) if is_wanted)
    return [
        torch.from_numpy(
            _summed(part.reshape((*shape, *tail)), array.shape).astype(dtype, copy=False)
        )
        for part, tail, array in zip(found, known.outputs, of, strict=True)
    ]


def _summed(array, shape):
    """Return the sum over the axes along which an array of a shape was broadcast."""
    more = array.ndim - len(shape)
    axes = [more + i for i, n in enumerate(shape) if n == 1 and array.shape[more + i] != 1]
    axes = (*range(more), *axes)
    return array.sum(axis=axes, keepdims=True).reshape(shape) if axes else array


@pull_program.register_fake
def _(values, slopes, program, wanted):
    return [
        torch.empty_like(v, memory_format=torch.contiguous_format) for v in _picked(values, wanted)
    ]


def _picked(values, wanted):
    return list(itertools.compress(values, wanted))


def _setup(ctx, inputs, output):
    values, text = inputs
    ctx.task = TASKS.get(text)
    ctx.wanted = tuple(value.requires_grad for value in values)
    ctx.save_for_backward(*values)
    ctx.set_materialize_grads(False)


def _backward(ctx, slopes):
    if ctx.task is None:
        raise TwoBoneError(
            "An exported program of a limb gives values, but no derivatives, where the limb is not"
            " there that it was made of."
        )
    kept = [s for s, tail in zip(slopes, ctx.task.outputs, strict=True) if tail is not None]
    values = list(ctx.saved_tensors)
    found = iter(pull_program(values, kept, ctx.task.pull(ctx.wanted), ctx.wanted))
    return [next(found) if is_wanted else None for is_wanted in ctx.wanted], None


run_program.register_autograd(_backward, setup_context=_setup)


class Recorded(torch.autograd.Function):
    """`run_program` in eager mode, where an operator costs more than this."""

    @staticmethod
    def forward(ctx, task, *values):
        ctx.task, ctx.wanted = task, ctx.needs_input_grad[1:]
        ctx.save_for_backward(*values)
        ctx.set_materialize_grads(False)
        found = _run_program(values, task.text)
        ctx.mark_non_differentiable(*(part for part in found if part.dtype == torch.int8))
        return tuple(found)

    @staticmethod
    def backward(ctx, *slopes):
        kept = [s for s, tail in zip(slopes, ctx.task.outputs, strict=True) if tail is not None]
        plain = not torch.is_grad_enabled() and count_modes() == 0
        pull = _pull_program if plain else pull_program
        given = list(ctx.saved_tensors), kept, ctx.task.pull(ctx.wanted), ctx.wanted
        found = iter(pull(*given))
        return None, *(next(found) if is_wanted else None for is_wanted in ctx.wanted)


def _setup_pull(ctx, inputs, output):
    values, slopes, text, wanted = inputs
    ctx.task = next((task for task in TASKS.values() if text in task.pulls.values()), None)
    ctx.wanted, ctx.count = wanted, len(values)
    ctx.is_given = [slope is not None for slope in slopes]
    ctx.save_for_backward(*values, *(slope for slope in slopes if slope is not None))
    ctx.set_materialize_grads(False)


def _backward_of_pull(ctx, ways):
    """Differentiate the derivatives of the formula."""
    task, count = ctx.task, ctx.count
    with torch.enable_grad():
        # Views, so that derivatives end here, though the slopes may depend on the values.
        given = [tensor.view_as(tensor) for tensor in ctx.saved_tensors]
        given = [tensor if tensor.requires_grad else tensor.requires_grad_() for tensor in given]
        values, slopes = given[:count], iter(given[count:])
        found = task.by_formula(values)
        outputs = [part for part, tail in zip(found, task.outputs, strict=True) if tail is not None]
        pairs = [
            (part, next(slopes))
            for part, is_given in zip(outputs, ctx.is_given, strict=True)
            if is_given
        ]
        pairs = [(part, slope) for part, slope in pairs if part.requires_grad]
        first = torch.autograd.grad(
            [part for part, _ in pairs],
            _picked(values, ctx.wanted),
            [slope for _, slope in pairs],
            create_graph=True,
            allow_unused=True,
        )
        pairs = [
            (part, way)
            for part, way in zip(first, ways, strict=True)
            if part is not None and way is not None and part.requires_grad
        ]
        second = (
            torch.autograd.grad(
                [part for part, _ in pairs],
                given,
                [way for _, way in pairs],
                create_graph=torch.is_grad_enabled(),
                allow_unused=True,
            )
            if pairs
            else [None] * len(given)
        )
    rest = iter(second[count:])
    return (
        list(second[:count]),
        [next(rest) if is_given else None for is_given in ctx.is_given],
        None,
        None,
    )


pull_program.register_autograd(_backward_of_pull, setup_context=_setup_pull)
