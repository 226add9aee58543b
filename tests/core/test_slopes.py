"""The kernel's derivatives of a limb: those of the exact answer, and at kinks those of PyTorch."""

import numpy as np
import pytest

from differentiated import (
    ARGUMENTS,
    NAMES,
    POLICIES,
    assert_close,
    by_torch,
    nearly_parallel,
    random_limbs,
    special_limbs,
)
from engines import KERNEL
from twobone import Limits
from twobone.core import engine, policies, programs
from twobone.core.exact import FLOAT32, FLOAT64
from twobone.core.policies import Chain

pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted")


def slopes(values, policy, dtype="float64"):
    """Return the derivatives of joint and end, shape (..., 2 size, 4 or 8)."""
    given = {name: np.asarray(value, dtype) for name, value in values.items()}
    return slopes_with(given, engine._how(policies.resolve(policy), dtype))


def slopes_with(values, how):
    """Return the same for a policy as the kernel takes it: a word, or the numbers of its steps."""
    given = [values[name] for name in ARGUMENTS if name in values]
    size = given[0].shape[-1]
    if isinstance(how, str):
        return np.concatenate(KERNEL.slopes[size, how](*given), axis=-2)
    return np.concatenate(KERNEL.slopes[size, "steps"](*given, how), axis=-2)


def uneven_limbs(size, count, seed=0):
    """Return limbs of any size, some with a thin bone, or with a pole nearly along the target."""
    rng = np.random.default_rng(seed)
    values = random_limbs(size, count, seed)
    unit = 10.0 ** rng.uniform(-8, 8, count)
    thin = 10.0 ** rng.uniform(-3, 3, count)
    r1, r2 = values["r1"] * thin, values["r2"]
    inner, outer = abs(r1 - r2), r1 + r2
    distance = inner + (outer - inner) * 10.0 ** rng.uniform(-6, 0.1, count)
    way = values["target"] / np.linalg.norm(values["target"], axis=-1, keepdims=True)
    values |= {"target": (unit * distance)[:, None] * way, "r1": unit * r1, "r2": unit * r2}
    if size == 3:
        off = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-5, 0, (count, 1))
        values["pole"] = (way + off) * 10.0 ** rng.uniform(-8, 8, (count, 1))
    return values


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_derivatives_are_those_of_automatic_differentiation(size, policy, instruction_set):
    for values in (random_limbs(size, 3000), special_limbs(size)):
        with np.errstate(all="ignore"):
            wanted = by_torch(values, policy)
        found = slopes(values, policy)
        assert np.all(np.isfinite(found))
        # Where the exact derivative is too large for a float, PyTorch may find anything.
        known = np.all(np.abs(wanted) < 1e250, axis=(-2, -1))
        assert np.mean(known) > 0.9
        assert_close(found[known], wanted[known], 1e-12)


# --- the exact answer -------------------------------------------------------------------------


def exactly(values, policy, row):
    """Return the derivatives of one limb by differences in 350 bits, or None at a kink."""
    from exact_derivatives import reach_of, slope_of

    at = {name: np.asarray(value[row]) for name, value in values.items()}
    at["root"] = np.zeros(at["target"].shape)
    columns = []
    for name in (name for name in NAMES if name in at):
        size = np.max(np.abs(at[name]))
        for index in np.ndindex(at[name].shape):
            ways = {key: np.zeros(np.shape(value)) for key, value in at.items()}
            ways[name][index] = size
            found = slope_of(reach_of(policy), at, ways)
            if found is None:
                return None
            columns.append(found.first / size)
    return np.array(columns).T


@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "nan"], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("limbs", [random_limbs, uneven_limbs])
def test_derivatives_are_those_of_the_exact_answer(limbs, size, policy):
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed")
    for dtype, tolerance in (("float64", 1e-12), ("float32", 1e-6)):
        values = limbs(size, 20, seed=1)
        values = {name: value.astype(dtype).astype(float) for name, value in values.items()}
        wanted = [exactly(values, policy, row) for row in range(20)]
        smooth = [row for row, part in enumerate(wanted) if part is not None]
        assert len(smooth) > 12
        wanted = np.array([wanted[row] for row in smooth])
        assert_close(slopes(values, policy, dtype)[smooth], wanted, tolerance)


# --- float32 ------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "nan"], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_float32_rows_have_the_derivatives_of_the_same_numbers(size, policy, instruction_set):
    """Also at the edges of the reachable range: one rounding there would be another derivative."""
    limbs = random_limbs(size, 2000, seed=2), special_limbs(size)
    largest = float(np.finfo(np.float32).max)
    for values in limbs:
        narrow = {
            name: np.clip(value, -largest, largest).astype(np.float32)
            for name, value in values.items()
        }
        exact = {name: value.astype(np.float64) for name, value in narrow.items()}
        if size == 3:  # a pole within a few roundings of the target's line counts as along it
            exact["pole"][nearly_parallel(exact["target"], exact["pole"])] = 0.0
        how = engine._how(policies.resolve(policy), np.float32)
        assert how is not None
        wanted = slopes_with(exact, how if isinstance(how, str) else how.astype(np.float64))
        wanted = np.clip(wanted, -largest, largest)
        found = slopes(narrow, policy, "float32")
        assert np.all(np.isfinite(found))
        assert_close(found, wanted, 1e-6)


# --- rows and arrays ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3])
def test_invalid_rows_have_no_derivatives_and_spoil_no_others(size, dtype, instruction_set):
    values = random_limbs(size, 40, seed=3)
    good = slopes(values, "clamp", dtype)
    values["target"][3, 1], values["r1"][5], values["r2"][7] = np.nan, -1.0, np.inf
    values["side"][9] = 0.5
    found = slopes(values, "clamp", dtype)
    bad = [3, 5, 7, 9]
    assert np.all(found[bad] == 0.0)
    np.testing.assert_array_equal(np.delete(found, bad, 0), np.delete(good, bad, 0))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_every_instruction_set_gives_the_same_bits(engines, size, policy):
    found = []
    for name in KERNEL.instruction_sets():
        engines.use(name)
        both = [slopes(limbs, policy) for limbs in (random_limbs(size, 301), special_limbs(size))]
        found.append(np.concatenate([*both, slopes(random_limbs(size, 301), policy, "float32")]))
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@pytest.mark.parametrize("size", [2, 3])
def test_any_strides_and_numbers_of_rows_give_the_same_derivatives(size, instruction_set):
    values = random_limbs(size, 37, seed=4)
    wanted = slopes(values, "clamp")
    for count in (1, 2, 7, 16, 37):
        some = {name: value[:count] for name, value in values.items()}
        np.testing.assert_array_equal(slopes(some, "clamp"), wanted[:count])
    turned = {name: np.array(value[::-1])[::-1] for name, value in values.items()}
    turned["target"] = np.asfortranarray(turned["target"])
    np.testing.assert_array_equal(slopes(turned, "clamp"), wanted)
    width = 4 if size == 2 else 8
    out = tuple(np.zeros((width, 37, size)).transpose(1, 2, 0) for _ in range(2))
    given = [values[n] for n in ARGUMENTS if n in values]
    KERNEL.slopes[size, "clamp"](*given, out=out)
    np.testing.assert_array_equal(np.concatenate(out, axis=-2), wanted)


def test_a_derivative_too_large_for_the_type_is_the_largest_number(instruction_set):
    for dtype, tiny in (("float64", 5e-324), ("float32", 1e-45)):
        found = slopes(
            {"target": np.array([0.0, tiny]), "r1": 1.0, "r2": 1.0, "side": 1.0}, "clamp", dtype
        )
        largest = np.finfo(dtype).max
        assert found[0, :2].tolist() == [0.0, 0.0] or np.max(np.abs(found)) == largest
        assert np.max(np.abs(found)) == largest


def test_chains_of_the_greatest_length_are_differentiated():
    longest = Chain(*(Limits(10.0 + k, 170.0 - k) for k in range(KERNEL.MOST_STEPS)))
    values = random_limbs(3, 200, seed=5)
    wanted = slopes(values, Limits(9.0 + KERNEL.MOST_STEPS, 171.0 - KERNEL.MOST_STEPS))
    assert_close(slopes(values, longest), wanted, 1e-9)


# --- programs ---------------------------------------------------------------------------------


def axis_limbs():
    """Return d, r1 and r2 of random and special triangles, and of some of very different sizes."""
    limbs = random_limbs(2, 3000, seed=6), special_limbs(2)
    parts = [(np.hypot(*v["target"].T), v["r1"], v["r2"]) for v in limbs]
    sizes = 10.0 ** np.arange(-36, 37, 12)
    uneven = [(d, r1, r1 + d * k) for d in sizes for r1 in sizes for k in (-1.0, -0.5, 0.0, 0.9)]
    return np.concatenate([*[np.stack(part, axis=-1) for part in parts], np.abs(uneven)])


def slopes_by_program(limbs, policy, dtype):
    """Return the nine derivatives of each triangle, shape (rows, 3, 3)."""

    def formula(xp, t, *, limb):
        return (xp.slopes(*limb, policy),)

    real = FLOAT64 if dtype == "float64" else FLOAT32
    program = programs.compile_formula(formula, real, {"limb": (3,)}, [(9,)])
    out = np.empty((len(limbs), 9), dtype)
    programs.run(program, [limbs.astype(dtype)], [out])
    return out.reshape(-1, 3, 3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_programs_differentiate_triangles(policy, dtype, instruction_set):
    limbs = axis_limbs()
    largest = float(np.finfo(dtype).max)
    limbs = np.clip(limbs, 0.0, largest).astype(dtype)
    values = {
        "target": np.stack([limbs[:, 0], 0 * limbs[:, 0]], axis=-1),
        "r1": limbs[:, 1],
        "r2": limbs[:, 2],
        "side": np.ones(len(limbs)),
    }
    whole = slopes(values, policy, dtype)
    wanted = whole[:, [[0], [1], [2]], [0, 2, 3]]
    found = slopes_by_program(limbs, policy, dtype)
    assert np.all(np.isfinite(found))
    assert_close(found, wanted, 1e-12 if dtype == "float64" else 2e-7, whole)


def test_a_program_must_have_places_for_all_nine_derivatives():
    code = programs.CODE
    right = [
        (code["read"], 0, 0, 0, 0),
        (code["slopes"], 1, 0, 0, 0),
        *[(code["more"], 0, 1, 2, 3)] * 3,
        (code["write"], 0, 0, 1, 0),
    ]

    def make(instructions):
        return KERNEL.program(np.array(instructions, np.int32), np.empty(0), 4, 0, np.empty(0))

    assert make(right) is not None
    for wrong in (right[:4], right[:3] + right[5:], [*right[:4], (code["more"], 0, 1, 2, 4)]):
        with pytest.raises(ValueError, match="not a program"):
            make(wrong)


def test_derivatives_that_nothing_uses_take_no_place_of_those_that_are_used():
    def formula(xp, t, *, limb):
        nine = xp.slopes(*limb, "clamp")
        return ((nine[8], nine[1] + limb[0], nine[3]),)

    limbs = axis_limbs()
    program = programs.compile_formula(formula, FLOAT64, {"limb": (3,)}, [(3,)])
    out = np.empty((len(limbs), 3))
    programs.run(program, [limbs], [out])
    nine = slopes_by_program(limbs, "clamp", "float64").reshape(-1, 9)
    wanted = np.stack([nine[:, 8], nine[:, 1] + limbs[:, 0], nine[:, 3]], axis=-1)
    np.testing.assert_array_equal(out, wanted)
