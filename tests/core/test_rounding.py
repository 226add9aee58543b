"""Numbers that the dtype of the arrays cannot hold are rounded once, by every entry point."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import twobone
from conftest import LIBRARIES, Arrays
from twobone import LocalPose, Skeleton, Status
from twobone.core import arrays

NEAR = 2**60 + 2**36  # halfway between two float32
LAST = 2**128 - 2**103  # halfway between the largest float32 and the next power of two
NUMBERS = [
    NEAR + 1,
    NEAR - 1,
    NEAR,
    2**60 + 3 * 2**36 - 1,
    2**53 + 2**29 + 1,
    2**63 + 2**39 + 1,  # beyond int64
    2**64 + 2**40 + 1,  # beyond uint64
    2**100 + 2**76 + 1,
    LAST - 1,
    LAST,
    Fraction(1) + Fraction(1, 2**24) + Fraction(1, 2**80),
    Fraction(1) + Fraction(3, 2**24) - Fraction(1, 2**80),
    Decimal(1) + Decimal(2) ** -24 + Decimal("1e-27"),
    2**1024,
    10**400,
]


@np.errstate(over="ignore")
def nearest(number):
    """Return the float32 nearest to a number, from comparisons of exact numbers alone."""
    if number >= LAST:
        return np.float32(np.inf)
    guess = np.float32(min(float(number), float(np.finfo(np.float32).max)))
    largest = float(np.finfo(np.float32).max)
    near = [np.nextafter(guess, np.float32(way)) for way in (-np.inf, np.inf)]
    distance = {
        float(each): abs(Fraction(float(each)) - Fraction(number))
        for each in (guess, *near)
        if abs(each) <= largest
    }
    least = min(distance.values())
    best = [np.float32(each) for each in distance if distance[each] == least]
    return next(each for each in best if len(best) == 1 or not each.view(np.uint32) % 2)


def shown(found):
    """Return the bits of all arrays in a result, but for the sign of NaN, which means nothing.

    A limb has a compiled program from some call on, whose NaN may have another sign.
    """
    parts = found if isinstance(found, tuple) else (found,)
    return [
        shown(part) if isinstance(part, tuple) else bits(np.asarray(part))
        for part in parts
        if part is not None
    ]


def bits(array):
    return np.where(np.isnan(array), np.nan, array).astype(array.dtype).tobytes()


@pytest.fixture(params=["as it is", "numpy"])
def either_engine(request, engines):
    if request.param == "numpy":
        engines.use("numpy")


def f4(*values):
    return np.array(values, np.float32)


MATRICES = [np.eye(4, dtype=np.float32) for _ in range(3)]
for height, matrix in zip((1.0, 0.5, 0.0), MATRICES, strict=True):
    matrix[1, 3] = height
SKELETON = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
LEG = twobone.Limb(SKELETON, 0, 1, 2)
POSE = LocalPose(SKELETON.rotations.astype(np.float32))
UP = [0.0, 0.0, 1.0]
CALLS = {
    "r1": lambda v: twobone.solve(f4(1e20, 0.0), v, 1.0),
    "r2": lambda v: twobone.solve(f4(3e18, 0.0), 1.0, v),
    "side": lambda v: twobone.solve(f4(1.0, 0.0), 1.0, 1.0, side=v),
    "rows": lambda v: twobone.solve(np.full((9, 2), 1e20, np.float32), v, 1.0),
    "list of lengths": lambda v: twobone.solve(np.full((2, 2), 1e20, np.float32), [v, 0.5], 1.0),
    "target": lambda v: twobone.solve([v, 0.0], f4(1e20)[0:1], 1e20),
    "space": lambda v: twobone.solve(f4(1e20, 0.0, 0.0), v, 1.0, pole=UP),
    "pole": lambda v: twobone.solve(f4(1.0, 1.0, 0.0), 1.0, 1.0, pole=[v, 0.0, NEAR]),
    "poles": lambda v: twobone.solve(f4(1.0, 1.0, 0.0), 1.0, 1.0, pole=[[v, 0.5, 1]] * 2),
    "both": lambda v: twobone.solve_both(f4(1e20, 0.0), v, 1.0),
    "reach": lambda v: twobone.reach(f4(1e20, 0.0), v, 1.0),
    "root": lambda v: twobone.reach(f4(1.0, 0.0), 1.0, 1.0, root=[v, 0.0]),
    "correct_limb": lambda v: twobone.correct_limb(
        *MATRICES, [v, 0.0, 0.0], pole=f4(0.0, 0.0, 1.0), mid_axis=[1.0, 0.0, 0.0]
    ),
    "correct_aim": lambda v: twobone.correct_aim(
        MATRICES[0], [v, 1.0, 3.0], forward=[0.0, 0.0, 1.0]
    ),
    "Limb.reach": lambda v: LEG.reach(POSE, [0.0, 0.3, v], pole=[0.0, v, 1.0]),
    "rotate": lambda v: twobone.rotations.rotate(f4(0.0, 0.0, 0.6, 0.8), [v, 0.0, 1.0]),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("call", CALLS)
def test_a_number_is_rounded_once(call, number, either_engine):
    assert shown(CALLS[call](number)) == shown(CALLS[call](float(nearest(number))))


@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("name", [name for name in LIBRARIES if name != "jax.jit"])
def test_other_libraries_get_the_same_number(name, number):
    xp = Arrays(name)
    target = xp([[1.0, 2.0]] * 2, "float32")
    for r1 in (number, [number, 0.5]):
        with np.errstate(over="ignore"):
            library = arrays.library_of({"target": target})
            values, _ = arrays.to_arrays(library, {"target": target, "r1": r1})
        assert xp.back(values["r1"]).dtype == np.float32
        assert xp.back(values["r1"]).reshape(-1)[0] == nearest(number)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_dask_gets_the_same_number(number):
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    target = np.full((4, 2), 1e20, np.float32)
    found = twobone.solve(da.from_array(target, chunks=2), number, 1.0).compute()
    assert shown(found) == shown(twobone.solve(target, nearest(number), 1.0))


@pytest.mark.parametrize("number", [2**1024, -(2**1024), 10**400, 2**128])
def test_a_number_beyond_the_dtype_is_infinite_and_its_row_invalid(number, either_engine):
    for target in ([1.0, 0.0], f4(1.0, 0.0)):
        if abs(number) < 2**1000 and not isinstance(target, np.ndarray):
            continue  # float64 holds it
        found = twobone.reach(target, number, 1.0)
        assert found.status == Status.INVALID
        assert np.isnan(found.joint).all()
        both = twobone.reach(target, [number, 1.0], 1.0)
        assert both.status.tolist() == [Status.INVALID, Status.REACHED]
    if abs(number) > 2**1000:
        assert all(map(math.isnan, twobone.solve_xy(1.0, 0.0, number, 1.0)))


def test_policies_hold_float64_whatever_the_arrays_are(either_engine):
    for number in (NEAR + 1, Fraction(4, 3), 10**400):
        given, rounded = twobone.Stretch(number), twobone.Stretch(np.float64(float_of(number)))
        assert given == rounded
        target = f4(9.0, 0.0)
        found = [twobone.solve(target, 1.0, 1.0, unreachable=each) for each in (given, rounded)]
        assert shown(found[0]) == shown(found[1])


def float_of(number):
    return math.inf if number > 2**1023 else float(number)


def test_a_number_that_only_becomes_a_float_is_taken_as_it_is():
    class Length:
        def __float__(self):
            return float(NEAR)

    found = twobone.solve(f4(1e20, 0.0), [Length()], 1.0)
    assert shown(found) == shown(twobone.solve(f4(1e20, 0.0), [float(NEAR)], 1.0))
