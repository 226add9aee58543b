"""Rows: run a formula of one limb on rows of any library, as straight-line code where that pays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, batches
from twobone.core.arrays import FINITE_FLOATS, NUMPY
from twobone.core.exact import FLOAT64
from twobone.core.halves import in_float32
from twobone.robots import straight
from twobone.robots.closed_form import slack_of

BLOCK = 1024  # rows at a time: intermediate results fit the cache
PAYS = 8.0  # calls after which compiling a formula has paid off,
ROWS = 300.0  # rows that take about as long as another call


class Output(NamedTuple):
    """A result of a formula."""

    tail: tuple[int, ...] | None  # the trailing shape; None stands for a code
    invalid: float  # what rows with invalid arguments get


class Task(NamedTuple):
    """A formula, and what is done to its arguments before.

    `sound(xp, t, **parts)` returns the arguments of the formula, all finite, and whether those of
    a row are valid. `formula(xp, t, slack=..., **parts)` returns one tuple or number per output.
    """

    key: Any
    sound: Callable
    formula: Callable
    outputs: tuple[Output, ...]
    compiles: bool = True  # whether straight-line code may pay; that of many iterations is long


class Codes:
    """The straight-line code of the formulas of one limb, by key; made when it pays."""

    def __init__(self):
        self.kept = {}

    def find(self, task, tails, of_arrays, rows) -> Any:
        """Return the code of a task, or None if it does not pay yet."""
        key = task.key, of_arrays, tuple(tails.items())
        found: Any = self.kept.get(key, 0.0)
        if not isinstance(found, float):
            return found
        found += 1.0 + rows / ROWS
        if found >= PAYS and task.compiles:
            found = straight.compiled(task.formula, tails, of_arrays)
        self.kept[key] = found
        return None if isinstance(found, float) else found

    @in_float32
    def run(self, task: Task, tails, given) -> list[Any]:
        """Return the results of a task for arguments of any library."""
        found = batches.gather(given, tails)
        if found.library is not NUMPY:
            return _by_formula(task, found)
        dtype = next(iter(found.values.values())).dtype
        slack = slack_of(found.real)
        count = math.prod(found.shape)
        results = [
            np.empty((count, math.prod(each.tail or ())), np.int8 if each.tail is None else float)
            for each in task.outputs
        ]
        columns = {name: _columns(found, name, value) for name, value in found.values.items()}
        with np.errstate(all="ignore"):
            for start in range(0, count, BLOCK):
                stop = min(start + BLOCK, count)
                parts = {
                    name: tuple(each[start:stop] for each in every)
                    for name, every in columns.items()
                }
                self._run_block(task, parts, slack, [result[start:stop] for result in results])
        return [
            result.reshape((*found.shape, *(each.tail or ()))).astype(
                np.int8 if each.tail is None else dtype, copy=False
            )[()]
            for result, each in zip(results, task.outputs, strict=True)
        ]

    def _run_block(self, task, parts, slack, results):
        rows = len(results[0])
        xp, t = (FINITE_FLOATS, FLOAT64) if rows == 1 else (NUMPY, FLOAT64)
        if rows == 1:
            parts = {name: tuple(float(each[0]) for each in every) for name, every in parts.items()}
            if not math.isfinite(sum(abs(part) for every in parts.values() for part in every)):
                xp = arrays.FLOATS
        parts, valid = task.sound(xp, t, **{name: _one(every) for name, every in parts.items()})
        parts = {name: _all(every) for name, every in parts.items()}
        if rows == 1:
            xp = FINITE_FLOATS
        tails = {name: len(every) for name, every in parts.items()} | {"slack": 1}
        code = self.find(task, tails, rows > 1, rows)
        if code is not None:
            numbers = code(*(part for every in parts.values() for part in every), slack)
        else:
            parts = {name: _one(every) for name, every in parts.items()}
            numbers = arrays.flat(task.formula(xp, t, slack=slack, **parts))
        numbers = iter(numbers)
        bad = None if np.all(valid) else ~np.asarray(valid)
        for result, each in zip(results, task.outputs, strict=True):
            for i in range(result.shape[1]):
                result[:, i] = next(numbers)
            if bad is not None:
                result[bad if bad.ndim else slice(None)] = each.invalid


def _columns(found, name, value):
    """Return the components of an argument as contiguous arrays with one axis."""
    tail = found.tails[name]
    whole = np.broadcast_to(value, (*found.shape, *tail)).reshape(-1, math.prod(tail))
    return tuple(np.ascontiguousarray(whole.T, np.float64))


def _one(every):
    return every if len(every) > 1 else every[0]


def _all(every):
    return tuple(arrays.flat(every)) if isinstance(every, tuple) else (every,)


def _by_formula(task, found):
    """Return the results for arrays of a library other than NumPy."""

    def formula(xp, t, **parts):
        flat = {name: _one(_all(part)) for name, part in parts.items()}
        sound, valid = task.sound(xp, t, **flat)
        parts = {name: _one(_all(part)) for name, part in sound.items()}
        numbers = task.formula(xp, t, slack=slack_of(t), **parts)
        return tuple(
            _masked(xp, valid, part, each.invalid)
            for part, each in zip(numbers, task.outputs, strict=True)
        )

    return batches.run_other(formula, found, [each.tail for each in task.outputs])


def _masked(xp, valid, part, invalid):
    if isinstance(part, tuple):
        return tuple(_masked(xp, valid, each, invalid) for each in part)
    return xp.where(valid, part, invalid)
