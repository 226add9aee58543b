"""Derivatives of the exact answer: differences of the package's own formulas, in 350 bits.

A formula runs on any numbers, so here it runs on `gmpy2.mpfr` as on a floating-point type of 350
bits. Differences over a step of 1e-25 are then good to 20 digits, and see through every branch
that automatic differentiation may stop at.
"""

import contextlib
import functools
from types import SimpleNamespace
from typing import NamedTuple
from unittest import mock

import numpy as np

from engines import engines_as_they_were
from twobone.core import batches, blocks, policies
from twobone.core.answer import Targets
from twobone.core.arrays import Library
from twobone.core.exact import Real
from twobone.pose import corrections, limb
from twobone.pose.bending import Triangle

BITS = 350
STEP = 1e-25
BESIDE = 1e-10  # a place with a seam nearer than this is no place to differentiate at


class Slope(NamedTuple):
    """Values of a function, and its first and second derivatives in one direction."""

    value: np.ndarray
    first: np.ndarray
    second: np.ndarray


@functools.cache
def big():
    """Return the library and the constants of a floating-point type of 350 bits."""
    import gmpy2

    gmpy2.get_context().precision = BITS
    library = Library(
        name="float",  # numbers, of which the formulas may look at the values
        sqrt=gmpy2.sqrt,
        where=lambda condition, a, b: a if condition else b,
        constant=lambda v: v,
        differentiates=False,
        xp=SimpleNamespace(sin=gmpy2.sin, cos=gmpy2.cos, atan2=gmpy2.atan2),
    )
    two = gmpy2.mpfr(2)
    real = Real(
        eps=two ** (1 - BITS),
        splitter=two ** (BITS // 2) + 1,
        nudge=two**-BITS * (1 + two ** (1 - BITS)),
        digits=two ** (BITS - 1),
        largest=two**100_000,
        coarse=two**500,
        step=two**600,
        flush=two**-5_000,
        faint=two**-5_000,
        speck=two**-2_000,
        near=two**-480,
        thin=two**900,
        plane_size=two**100,
        plane_part=two**200,
        space_size=two**60,
        space_part=two**80,
    )
    return library, real


# --- from public functions to formulas ----------------------------------------------------


class RecordedError(Exception):
    """Ends a call of a public function once its formula is known."""


def formula_of(call, values, joints):
    """Return what a public function of `twobone.pose` computes, as a function of exact numbers.

    `joints` are the joints of a pose that its formula is given.
    """
    calls = []

    def run(formula, given, outputs, *_):
        calls.append((formula, given, outputs))
        raise RecordedError

    def plane_solver(unreachable):
        def solve(xp, d, r1, r2):
            policy = policies.resolve(unreachable)
            found = blocks.any(xp, big()[1], Targets((d, 0 * d), r1, r2, 1, ()), policy)
            return Triangle(*found.joint, found.end[0]), found.status

        return solve

    @contextlib.contextmanager
    def in_many_bits():
        with (
            mock.patch.object(limb, "plane_solver", plane_solver),
            mock.patch.object(corrections, "plane_solver", plane_solver),
        ):
            yield

    with (
        mock.patch.object(batches, "run", run),
        engines_as_they_were() as engines,
        in_many_bits(),
        contextlib.suppress(RecordedError),
    ):
        engines.use("numpy")
        call(**values)
    ((formula, given, outputs),) = calls

    def evaluate(numbers):
        parts = {}
        for name, value in given.values.items():
            array = numbers.get(name)
            if array is None:
                array = exactly(value)
            elif array.shape != value.shape:
                array = array[list(joints)]
            parts[name] = _nested(array)
        with in_many_bits():  # the solver of a policy is made when the formula is called
            found = formula(*big(), **parts)
        wanted = zip(found, outputs, strict=True)
        return _flat([parts for parts, tail in wanted if tail is not None])

    return evaluate


def reach_of(policy):
    """Return what `twobone.reach` computes, as a function of exact numbers."""

    def evaluate(numbers):
        root = numbers["root"]
        p = tuple(numbers["target"] - root)
        lengths = (numbers[name][()] for name in ("r1", "r2", "side"))
        targets = Targets(p, *lengths, tuple(numbers.get("pole", ())))
        found = blocks.any(*big(), targets, policies.resolve(policy))
        return [*(np.array(found.joint) + root), *(np.array(found.end) + root)]

    return evaluate


def exactly(values):
    """Return floats as exact numbers: an array of objects."""
    zero = big()[1].eps * 0
    found = np.empty(np.shape(values), dtype=object)
    for index in np.ndindex(found.shape):
        found[index] = zero + float(values[index])
    return found


def _nested(array):
    return tuple(_nested(array[i, ...]) for i in range(len(array))) if array.ndim else array[()]


def _flat(parts):
    return [x for p in parts for x in _flat(p)] if isinstance(parts, tuple | list) else [parts]


# --- differences --------------------------------------------------------------------------


def slope_of(evaluate, values, direction):
    """Return the `Slope` at floats, along a direction; None where there is a kink or a jump."""
    h = big()[1].eps * 0 + STEP
    places = {name: exactly(value) for name, value in values.items()}
    ways = {name: exactly(way) * h for name, way in direction.items()}
    found = [
        evaluate({n: np.asarray(place + k * ways[n], object) for n, place in places.items()})
        for k in (-2, -1, 0, 1, 2)
    ]
    slopes = [_differences(h, *row) for row in zip(*found, strict=True)]
    if None in slopes:
        return None
    return Slope(*np.array(slopes).T)


def _differences(h, *row):
    a, b, c, d, e = row
    if not all(v - v == 0 for v in row):
        return None
    slope, left, right = (d - b) / (2 * h), (c - b) / h, (d - c) / h
    bend, before, after = (
        (u - 2 * v + w) / (h * h) for u, v, w in ((b, c, d), (a, b, c), (c, d, e))
    )
    if abs(left - right) > 1e-12 * (1 + abs(slope)):
        return None
    if abs(before - after) > 1e-6 * (1 + abs(bend)):
        return None
    return float(c), float(slope), float(bend)


def smooth_slope_of(evaluate, values, direction, beside):
    """Return the `Slope`, or None where it is not much the same on both sides of the place.

    `beside` are directions, of which a small share is added to the values.
    """
    found = slope_of(evaluate, values, direction)
    if found is None:
        return None
    for side in (-BESIDE, BESIDE):
        moved = {name: value + side * beside[name] for name, value in values.items()}
        other = slope_of(evaluate, moved, direction)
        if other is None or any(map(_differ, found, other)):
            return None
    return found


def _differ(a, b):
    return np.max(np.abs(a - b)) > 1e-4 * (1 + np.max(np.abs(a)))
