"""Accuracy on limbs of every kind, against the exact answer.

`BOUND` is the promise: errors of the joint and of the first bone's length stay below it, in
units of eps r1, for every finite limb but the exceptions of docs/guarantees.md. What else was
found and is held here: an end away from the target is within `END` eps of its exact place, the foot
point of "stretch" within `FOOT` eps of the larger of r1 and its own distance, and a status is exact
but within 4 eps of an edge.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import twobone
from families import FAMILIES, make, make_bits
from oracle import (
    TOO_FAR,
    bend_in_eps,
    end_error_in_eps,
    exact_joint,
    is_strictly_within,
    is_within,
    length_error_in_eps,
    spacing,
    turn,
)
from slow import all_but
from twobone import Status

BOUND = 2.5
SUM_OF_ROUNDINGS = 1.75  # plane: two products and two sums of the last step make 1.62 on paper
ELSEWHERE = 4.0  # torch and JAX
END = 2.5
FOOT = 2.5
SLACK = 4.001  # eps: 4, and the rounding of 8 eps r^2 in which the edges are compared
QUICK, MANY = 400, 1500  # limbs of each kind in a plain run, and in the slow tests
EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
BOTH = [*itertools.product(EPS, (2, 3))]
RANDOM_BITS = "random_bits"

KINDS = pytest.mark.parametrize(
    ("name", "dtype", "size", "count"),
    [
        pytest.param(
            *(name, dtype, size, count),
            id=f"{name}-{np.dtype(dtype)}-{size}d-{count}",
            marks=[pytest.mark.slow] if count == MANY else [],
        )
        for name in [*FAMILIES, RANDOM_BITS]
        for dtype in EPS
        for size in (2, 3)
        for count in (QUICK, MANY)
    ],
)


def every_kind(test):
    """Give a test limbs of all kinds: a third by default, of each family some."""
    return pytest.mark.sampled(3)(KINDS(test))


class Limbs(NamedTuple):
    """Limbs as Python numbers, row by row."""

    target: list
    r1: list
    r2: list
    side: list
    pole: list


class Found(NamedTuple):
    """What an engine answered, and what the oracle says to it, row by row."""

    limbs: Limbs
    joint: list
    end: list
    status: list
    exact: list  # None where the limb is ambiguous or invalid


def limbs_of(name, dtype, size, count):
    """Return limbs of a family as arrays, always the same ones."""
    rng = np.random.default_rng([count, size, np.dtype(dtype).itemsize])
    if name == RANDOM_BITS:
        return make_bits(dtype, size, count, rng)
    return make(name, dtype, size, count, rng)


def as_rows(target, r1, r2, side, pole):
    pole = [None] * len(r1) if pole is None else pole.tolist()
    return Limbs(target.tolist(), r1.tolist(), r2.tolist(), side.astype(int).tolist(), pole)


@functools.cache
def found(name, dtype, size, count, unreachable="clamp"):
    """Answer a family once for all tests."""
    arrays = limbs_of(name, dtype, size, count)
    target, r1, r2, side, pole = arrays
    joint, end, status = twobone.reach(
        target, r1, r2, side=side, pole=pole, unreachable=unreachable
    )
    rows = as_rows(*arrays)
    gives = unreachable == "stretch"
    exact = [
        None
        if code in (Status.AMBIGUOUS, Status.INVALID) or not any(p)
        else exact_joint(p, r1, r2, side, pole, gives=gives)
        for p, r1, r2, side, pole, code in zip(*rows, status.tolist(), strict=True)
    ]
    return Found(rows, joint.tolist(), end.tolist(), status.tolist(), exact)


def each(answers):
    """Yield `i, p, r1, r2, pole` of the rows that the oracle has an answer for."""
    target, r1, r2, _, pole = answers.limbs
    for i, exact in enumerate(answers.exact):
        if exact is not None:
            yield i, target[i], r1[i], r2[i], pole[i]


def row(answers, i):
    """Return one limb for the message of a failing test."""
    return {name: values[i] for name, values in answers.limbs._asdict().items()}


# --- the promise --------------------------------------------------------------------------


@every_kind
def test_the_joint_is_exact_to_the_last_bits(name, dtype, size, count):
    answers = found(name, dtype, size, count)
    for i, _, r1, _, _ in each(answers):
        error = answers.exact[i].error(answers.joint[i], spacing(EPS[dtype], r1))
        assert error <= BOUND, row(answers, i)


@every_kind
def test_the_first_bone_keeps_its_length(name, dtype, size, count):
    answers = found(name, dtype, size, count)
    for i, code in enumerate(answers.status):
        if code != Status.INVALID:
            r1 = answers.limbs.r1[i]
            error = length_error_in_eps(answers.joint[i], r1, eps=EPS[dtype])
            assert error <= BOUND, row(answers, i)


@every_kind
def test_the_status_is_exact_but_within_4_eps_of_an_edge(name, dtype, size, count):
    answers, eps = found(name, dtype, size, count), EPS[dtype]
    for i, p, r1, r2, _ in each(answers):
        code = answers.status[i]
        if code == Status.REACHED:
            assert is_within(p, r1, r2, SLACK * eps) == (True, True), row(answers, i)
        else:
            assert code == answers.exact[i].status, row(answers, i)
            over = code != TOO_FAR
            assert not is_within(p, r1, r2, (8 - SLACK) * eps)[over], row(answers, i)


@every_kind
def test_the_joint_is_on_the_side_that_was_asked_for(name, dtype, size, count):
    answers = found(name, dtype, size, count)
    bends = 0
    for i, p, r1, r2, pole in each(answers):
        if bend_in_eps(p, r1, r2, eps=EPS[dtype]) > BOUND:
            bends += 1
            assert turn(answers.joint[i], p, pole) == answers.limbs.side[i], row(answers, i)
    assert bends or name in STRAIGHT


STRAIGHT = {"one_bone", RANDOM_BITS}  # families that need not bend at all


@every_kind
def test_the_end_is_the_target_itself_or_at_the_edge(name, dtype, size, count):
    answers, eps = found(name, dtype, size, count), EPS[dtype]
    for i, p, r1, r2, _ in each(answers):
        end = answers.end[i]
        if is_strictly_within(p, r1, r2):
            assert end == p, row(answers, i)
        else:
            assert end_error_in_eps(end, p, r1, r2, eps=eps) <= END, row(answers, i)


@every_kind
def test_the_foot_point_is_exact_to_the_last_bits(name, dtype, size, count):
    answers, eps = found(name, dtype, size, count, "stretch"), EPS[dtype]
    for i, p, r1, r2, _ in each(answers):
        assert answers.end[i] == p
        near, thin = FOOT_RATIOS[dtype]
        if max(map(abs, p)) > near * max(r1, r2) and r1 > thin * r2:
            away = max(r1, math.hypot(*answers.joint[i]))
            if math.isinf(away):  # as the foot point is, or nearly
                assert answers.exact[i].error(p, np.finfo(dtype).max) > 0.5, row(answers, i)
                continue
            error = answers.exact[i].error(answers.joint[i], spacing(eps, away))
            assert error <= FOOT, row(answers, i)


# A target nearer than this beside the bones, or a first bone thinner than this beside the second:
# there the foot point is finite or nearly so, but not to be relied on.
FOOT_RATIOS = {np.float64: (2.0**-480, 0.0), np.float32: (2.0**-60, 0.0)}


def test_there_are_a_hundred_thousand_limbs():
    assert MANY * len(FAMILIES) * len(EPS) * 2 >= 100_000


# --- the hardest limbs ever found, by climbing from bit to bit ----------------------------

HARDEST = [
    (
        np.float64,
        (9.219997716750628e-05, 0.0009819179504228577),
        0.26264882319168614,
        0.2626674245094619,
        1,
        None,
    ),
    (
        np.float64,
        (-0.4991526637212929, 0.03227908530807527),
        0.258588239530894,
        0.5671024352451642,
        1,
        None,
    ),
    (
        np.float32,
        (-0.005822988227009773, -0.031304992735385895),
        1.0306891202926636,
        1.0307010412216187,
        -1,
        None,
    ),
    (
        np.float32,
        (2.1248218651808956e37, 1.9522128233348538e36),
        4.393917326944846e37,
        4.478380886438053e37,
        1,
        None,
    ),
    (np.float32, (0.24868696711, 0.03526544198), 0.2550792098045349, 0.35792964696884155, 1, None),
]


@pytest.mark.parametrize(("dtype", "p", "r1", "r2", "side", "pole"), HARDEST)
def test_the_hardest_limbs_stay_within_the_sum_of_all_rounding_errors(dtype, p, r1, r2, side, pole):
    joint = twobone.solve(np.array(p, dtype), dtype(r1), dtype(r2), side=side, pole=pole)
    exact = exact_joint(p, r1, r2, side, pole)
    assert exact.error(joint.tolist(), spacing(EPS[dtype], r1)) <= SUM_OF_ROUNDINGS


# --- near the seams, wherever hypothesis looks --------------------------------------------


@st.composite
def near_a_seam(draw, dtype, size):
    """Draw a limb whose target is a few bits from an edge, bones of any size and ratio."""
    eps, bits = EPS[dtype], np.finfo(dtype).bits
    number = st.floats(1.0, 2.0, width=bits, exclude_max=True)
    power, ratio = draw(st.integers(-90, 90)), draw(st.integers(-12, 12))
    r1 = math.ldexp(draw(number), power)
    r2 = math.ldexp(draw(st.one_of(st.just(1.0), number)), power + ratio)
    if draw(st.booleans()):
        r2 = r1 * (1 + eps * draw(st.integers(0, 8)))
    edge = r1 + r2 if draw(st.booleans()) else abs(r1 - r2)
    part = st.floats(-1.0, 1.0, width=bits)
    way = draw(
        st.one_of(st.tuples(*[part] * size), st.sampled_from([(1.0,) + (0.0,) * (size - 1)]))
    )
    assume(math.hypot(*way) > 1e-3)
    target = np.array([edge * each / math.hypot(*way) for each in way], dtype)
    for _ in range(draw(st.integers(0, 3))):
        i = draw(st.integers(0, size - 1))
        target[i] = np.nextafter(target[i], draw(st.sampled_from([-1, 1])) * dtype(np.inf))
    pole = np.array(draw(st.tuples(*[part] * size)), dtype) if size == 3 else None
    return target, dtype(r1), dtype(r2), draw(st.sampled_from([-1, 1])), pole


@pytest.mark.parametrize(("dtype", "size"), all_but(BOTH, (np.float32, 2), (np.float64, 3)))
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_near_the_seams_nothing_changes(dtype, size, data):
    target, r1, r2, side, pole = data.draw(near_a_seam(dtype, size))
    joint, end, status = twobone.reach(target, r1, r2, side=side, pole=pole)
    assert np.all(np.isfinite(joint))
    assert length_error_in_eps(joint.tolist(), r1, eps=EPS[dtype]) <= BOUND
    assume(np.any(target))
    p, pole = target.tolist(), None if pole is None else pole.tolist()
    inside = is_within(p, r1, r2)
    if status in (Status.TOO_FAR, Status.TOO_NEAR):
        assert inside == (status != Status.TOO_FAR, status != Status.TOO_NEAR)
    else:
        assert is_within(p, r1, r2, SLACK * EPS[dtype]) == (True, True)
    if status == Status.AMBIGUOUS or (pole and sine(p, pole) < 1e-6):
        return
    exact = exact_joint(p, r1, r2, side, pole)
    assert exact.error(joint.tolist(), spacing(EPS[dtype], r1)) <= BOUND
    if is_strictly_within(p, r1, r2):
        tiny = EPS[dtype] ** 2 * max(map(abs, p))  # beside the rest; may be taken for zero
        assert [a for a, b in zip(end.tolist(), p, strict=True) if abs(b) > tiny] == [
            b for b in p if abs(b) > tiny
        ]
    else:
        assert end_error_in_eps(end.tolist(), p, r1, r2, eps=EPS[dtype]) <= END


def sine(u, v):
    """Return the sine of the angle between two vectors, nearly."""
    u, v = (np.array(w, float) / (math.hypot(*w) or 1.0) for w in (u, v))
    return float(np.linalg.norm(np.cross(u, v)))


# --- the other libraries ------------------------------------------------------------------


def all_limbs(dtype, size, names):
    """Return all families in one."""
    made = [limbs_of(name, dtype, size, 200) for name in names]
    return [None if part[0] is None else np.concatenate(part) for part in zip(*made, strict=True)]


def assert_joints_are_exact(joints, limbs, dtype, bound):
    for joint, p, r1, r2, side, pole in zip(joints.tolist(), *as_rows(*limbs), strict=True):
        if any(p):
            error = exact_joint(p, r1, r2, side, pole).error(joint, spacing(EPS[dtype], r1))
            assert error <= bound, (p, r1, r2, side, pole)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", EPS)
def test_torch_is_exact_to_the_last_bits(dtype, size):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    limbs = all_limbs(dtype, size, FAMILIES)
    target, r1, r2, side, pole = (None if v is None else torch.from_numpy(v) for v in limbs)
    joints = twobone.solve(target, r1, r2, side=side, pole=pole)
    assert_joints_are_exact(joints, limbs, dtype, ELSEWHERE)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", EPS)
def test_jax_is_exact_to_the_last_bits_under_jit(dtype, size):
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    limbs = all_limbs(dtype, size, [name for name in FAMILIES if name not in SUBNORMAL])
    with jax.enable_x64(dtype == np.float64):
        target, r1, r2, side, pole = (None if v is None else jax.numpy.asarray(v) for v in limbs)
        solve = jax.jit(lambda p, r1, r2, side, n: twobone.solve(p, r1, r2, side=side, pole=n))
        joints = np.asarray(solve(target, r1, r2, side, pole))
    assert joints.dtype == dtype
    assert_joints_are_exact(joints, limbs, dtype, ELSEWHERE)


SUBNORMAL = {"small", "any_size", "tiny_target"}  # XLA flushes subnormal numbers to zero
