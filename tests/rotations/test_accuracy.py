"""Accuracy to the last bits, against the exact answer for the given floats, wherever we look.

The bounds are in `rotations_cases.CASES`; `tools/climb_rotations.py` looks for more, for longer.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rotations_oracle as oracle
from climb_rotations import climb
from rotations_cases import CASES, errors, not_parallel, without_dust
from slow import slow
from twobone import rotations

DTYPES = ["float64", "float32"]
with_dtypes = pytest.mark.parametrize("dtype", DTYPES)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", ["float64", *slow("float32")])
def test_errors_stay_below_their_bounds(name, dtype):
    case = CASES[name]
    arguments = case.make(np.random.default_rng(11), 250, dtype)
    assert len(arguments[0]) >= 100
    assert np.max(errors(case, dtype, arguments)) <= case.bound


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_climbing_for_a_moment_finds_no_more(name):
    worst, where = climb(CASES[name], "float32", 0.1, seed=5)
    assert worst <= CASES[name].bound, where


def test_a_smaller_bound_would_not_hold():
    """The measure sees errors: a turn in float32 is far from exact in float64's eps."""
    case = CASES["shortest_arc"]
    a, b = case.make(np.random.default_rng(0), 20, "float32")
    found = errors(case, "float32", (a, b))
    assert 0.3 < np.max(found) < 4.0
    rough = case._replace(function=lambda a, b: rotations.shortest_arc(a, b).astype(np.float16))
    assert np.max(errors(rough, "float32", (a, b))) > 100.0


# --- random bits --------------------------------------------------------------------------


def vectors_of_bits(rng, count, dtype):
    """Return vectors of random bit patterns, of which NaN and infinity are made 1."""
    whole = {"float32": np.uint32, "float64": np.uint64}[dtype]
    bits = rng.integers(0, np.iinfo(whole).max, (count, 3), dtype=whole, endpoint=True)
    v = bits.view(dtype)
    return np.where(np.isfinite(v), v, 1.0).astype(dtype)


@pytest.mark.sampled(2)
@with_dtypes
def test_turns_out_of_random_bits(dtype):
    rng = np.random.default_rng(12)
    arguments = without_dust(*(vectors_of_bits(rng, 300, dtype) for _ in range(2)))
    assert np.max(errors(CASES["shortest_arc"], dtype, arguments)) <= 4.0


@pytest.mark.sampled(2)
@with_dtypes
def test_quaternions_out_of_random_bits(dtype):
    rng = np.random.default_rng(13)
    q = np.hstack([vectors_of_bits(rng, 300, dtype), vectors_of_bits(rng, 300, dtype)[:, :1]])
    assert np.max(errors(CASES["normalize"], dtype, (q,))) <= 4.0
    case = CASES["quaternion_to_matrix"]
    assert np.max(errors(case, dtype, (q,))) <= case.bound


# --- one ulp apart ------------------------------------------------------------------------


def floats_of(dtype, most):
    width = 64 if dtype == "float64" else 32
    most = float(np.dtype(dtype).type(most))
    return st.floats(-most, most, allow_nan=False, width=width)


@pytest.mark.sampled(2)
@with_dtypes
@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_turns_between_any_two_vectors_hypothesis_can_think_of(dtype, data):
    part = floats_of(dtype, 1e300 if dtype == "float64" else 1e38)
    a, b = (np.array([data.draw(part) for _ in range(3)], dtype) for _ in range(2))
    a, b = (np.where(np.any(v != 0), v, np.array([1, 0, 0], dtype)) for v in (a, b))
    arguments = without_dust(a[None], b[None])
    assert np.max(errors(CASES["shortest_arc"], dtype, arguments)) <= 4.0


@pytest.mark.sampled(2)
@with_dtypes
@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_turns_between_neighbours_and_their_opposites(dtype, data):
    part = floats_of(dtype, 4.0).filter(lambda v: abs(v) > 1e-3)
    a = np.array([data.draw(part) for _ in range(3)], dtype)
    step = np.array([data.draw(st.integers(-2, 2)) for _ in range(3)])
    whole = {"float32": np.int32, "float64": np.int64}[dtype]
    b = (a.view(whole) + step.astype(whole)).view(dtype) * data.draw(st.sampled_from([1, -1]))
    b = (b * np.dtype(dtype).type(2.0 ** data.draw(st.integers(-90, 90)))).astype(dtype)
    assert np.max(errors(CASES["shortest_arc"], dtype, (a[None], b[None]))) <= 4.0


@with_dtypes
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_rotation_vectors_of_all_sizes(dtype, data):
    """Above all beside half turns: the nearest floats to multiples of pi, and their neighbours."""
    type_of = np.dtype(dtype).type
    turns = data.draw(st.integers(0, 12))
    size = type_of(np.pi) * type_of(turns) + type_of(data.draw(floats_of(dtype, 1e-3)))
    angle = data.draw(st.floats(0, 6.25))
    r = np.array([size * np.cos(angle), size * np.sin(angle), 0.0]).astype(dtype)
    r = np.roll(r, data.draw(st.integers(0, 2)))
    case = CASES["rotation_vector_to_quaternion"]
    assert np.max(errors(case, dtype, (r[None],))) <= 4.0


@with_dtypes
@pytest.mark.parametrize("power", [-300, -200, -160, -40, -20, -8, -3])
def test_small_turns_and_what_lacks_to_half_turns_are_relative(dtype, power):
    """The whole way from turns by 1e-300 to turns that lack as much to a half turn."""
    if dtype == "float32" and power < -30:
        power = -30
    rng = np.random.default_rng(14)
    small = rng.normal(size=(20, 3)) * 10.0**power
    for q in (np.c_[small, np.ones(20)], np.c_[np.ones((20, 3)), small[:, :1]]):
        q = (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(dtype)
        for name in ("quaternion_to_rotation_vector", "normalize", "inverse"):
            assert np.max(errors(CASES[name], dtype, (q,))) <= 4.0, name
    case = CASES["rotation_vector_to_quaternion"]
    assert np.max(errors(case, dtype, (small.astype(dtype),))) <= 4.0


# --- exact opposites ----------------------------------------------------------------------


@with_dtypes
def test_half_turns_about_an_axis_are_as_exact(dtype):
    rng = np.random.default_rng(15)
    a, axis = not_parallel(rng, 200, dtype)
    found = rotations.shortest_arc(a, -2 * a, axis=axis)
    assert np.all(found[:, 3] == 0.0)
    with oracle.mp.workprec(oracle.DIGITS):
        for q, v, n in zip(found, a, axis, strict=True):
            want = oracle.half_turn(oracle.exact(v), oracle.exact(n))
            assert oracle.relative(q, want, dtype) <= 4.0


# --- torch and JAX ------------------------------------------------------------------------


@with_dtypes
@pytest.mark.parametrize(
    "name", ["shortest_arc", "rotation_vector_to_quaternion", "slerp", "twist_swing"]
)
@pytest.mark.parametrize("xp", ["torch", "jax.jit"], indirect=True)
def test_other_libraries_are_as_exact_among_normal_numbers(xp, name, dtype):
    """XLA takes numbers below the normal ones for 0, so that all is kept of moderate size."""
    case = CASES[name]
    arguments = case.make(np.random.default_rng(16), 200, dtype)
    least, most = (1e-6, 1e6) if dtype == "float32" else (1e-60, 1e60)
    fine = np.all(
        [
            np.all((np.abs(v) < most) & ((np.abs(v) > least) | (v == 0)), axis=-1)
            for v in (argument.reshape(len(argument), -1) for argument in arguments)
        ],
        axis=0,
    )
    arguments = [argument[fine] for argument in arguments]
    assert len(arguments[0]) > 60

    function = xp.compiled(case.function)

    def found(*given):
        result = function(*(xp(v, dtype) for v in given))
        both = isinstance(result, tuple)
        return tuple(xp.back(v) for v in result) if both else xp.back(result)

    assert np.max(errors(case._replace(function=found), dtype, arguments)) <= 8.0
