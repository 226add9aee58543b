# pyright: strict
"""Points in, points out: numbers, lists and arrays of NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import twobone

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Codes = NDArray[np.int8]

rng = np.random.default_rng(0)
legs = rng.normal(size=(5, 2))
singles = legs.astype(np.float32)
whole = np.array([[1, 1]], dtype=np.int64)
one: Floats = np.zeros(2)
unknown = np.array([1.0, 1.0])  # an array of any dtype, as NumPy has it

# --- numbers and lists: float64 -----------------------------------------------------------

assert_type(twobone.solve([1.0, 1.0], 1.0, 1.0), Floats)
assert_type(twobone.solve((1, 1), 1, 1, side=-1), Floats)
assert_type(twobone.solve([[1, 1], (1.0, 2)], [1.0, 2.0], np.int64(1), side=[1, -1]), Floats)
assert_type(twobone.solve([1.0, 1.0, 0.0], 1.0, 1.0, pole=[0.0, 0.0, 1.0]), Floats)
assert_type(twobone.solve([Fraction(1, 2), 1], Decimal("0.5"), np.float32(1.0)), Floats)
assert_type(twobone.solve([np.float32(1.0), 1.0], 1.0, 1.0), Floats)
assert_type(twobone.solve([[[[1.0, 1.0]]]], 1.0, 1.0), Floats)
assert_type(twobone.solve(range(2), 1.0, 1.0), Floats)
assert_type(twobone.solve([one, one], 1.0, 1.0), Floats)
assert_type(twobone.solve(whole, 1.0, 1.0), Floats)
assert_type(twobone.solve_both([1.0, 1.0], 1.0, 1.0), Floats)

# --- arrays: their dtype ------------------------------------------------------------------

assert_type(twobone.solve(legs, 1.6, 1.2), Floats)
assert_type(twobone.solve(legs, unknown, 1.2), Floats)
assert_type(twobone.solve(legs, np.abs(legs[:, 0]), 1.2, side=np.array([1, -1])), Floats)
assert_type(twobone.solve(legs, 1.6, 1.2, out=np.empty_like(legs)), Floats)
assert_type(twobone.solve([1.0, 1.0], legs, 1.2), Floats)
assert_type(twobone.solve(singles, 1.6, 1.2), Singles)
assert_type(twobone.solve(singles, whole, [1.2, 1.3]), Singles)
assert_type(twobone.solve([1.0, 1.0], singles, 1.2), Singles)
assert_type(twobone.solve_both(singles, 1.6, 1.2), Singles)
some: Floats = twobone.solve(unknown, 1.0, 1.0)
some = twobone.reach(unknown, 1.0, 1.0).joint
mixed: NDArray[np.floating[Any]] = twobone.solve(singles, legs, 1.2)

# --- several results ----------------------------------------------------------------------

found = twobone.reach(legs, 1.6, 1.2, root=[0.0, 1.0])
assert_type(found, twobone.Reach[Floats, Codes])
assert_type(found.end, Floats)
joint, end, status = found
assert_type(joint, Floats)
assert_type(status, Codes)
assert_type(twobone.reach(singles, 1.6, 1.2).end, Singles)
assert_type(twobone.Status(status[0]), twobone.Status)
assert_type(twobone.Status(twobone.reach([3.0, 0.0], 1.0, 1.0).status), twobone.Status)
reached: NDArray[np.bool] = status == twobone.Status.REACHED


def say(answer: twobone.Reach) -> NDArray[Any]:
    """Take an answer of NumPy, which needs no more to be said."""
    return answer.joint


say(found)

# --- policies -----------------------------------------------------------------------------

soft = twobone.Soft(0.1)
policies: list[twobone.Unreachable] = ["clamp", "nan", soft, soft | twobone.Stretch(limit=1.2)]
for policy in policies:
    assert_type(twobone.solve([5.0, 0.0], 1.0, 1.0, unreachable=policy), Floats)
joined: twobone.Policy = twobone.Limits(20, 170) | soft | twobone.Stretch(1.2)
assert_type(soft.softness, Any)
assert_type(twobone.Limits(greatest_degrees=90).least_degrees, Any)
rows: twobone.Policy = twobone.Soft(np.array([0.1, 0.2])) | twobone.Stretch(np.float32(1.2))


class Lazy(twobone.Policy):
    """A policy of one's own."""

    def place(self, xp: Any, distance: Any, inner: Any, outer: Any) -> Any:
        return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)


twobone.solve([5.0, 0.0], 1.0, 1.0, unreachable=Lazy() | soft)

# --- one limb in floats, and the rest -----------------------------------------------------

assert_type(twobone.solve_xy(1.0, 1.0, 1.0, 1.0), tuple[float, float])
assert_type(
    twobone.solve_xyz(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, side=-1), tuple[float, float, float]
)
assert_type(twobone.engine().name, str)
assert_type(twobone.engine(threads=1).threads, int)
try:
    twobone.solve(legs, 0.1, 0.1, unreachable="raise")
except twobone.UnreachableError as error:
    assert_type(error.rows, list[tuple[int, ...]])
    assert_type(error.statuses[0].name, str)
except twobone.ShapeError as error:
    assert_type(error.shape, tuple[int, ...] | None)


def knees(feet: Sequence[Sequence[float]] | Floats) -> Floats:
    """Return what a function of one's own says it does."""
    return twobone.solve(feet, 0.5, 0.48)
