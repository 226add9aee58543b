"""Programs have the bits of the formula in NumPy: any operations, values, numbers of rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twobone
from engines import KERNEL, SETS, engines_as_they_were
from twobone import Limits, Policy, Soft, Stretch
from twobone.core import programs
from twobone.core.arrays import NUMPY
from twobone.core.exact import FLOAT32, FLOAT64

REALS = {"float32": FLOAT32, "float64": FLOAT64}
pytestmark = pytest.mark.skipif(KERNEL is None, reason="no kernel")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.nan, np.inf, -np.inf, 1e-45, 1e-310, 3.5, -2.25]


def run_with_numpy(formula, dtype, inputs, tails, outputs):
    """Return the results of a formula, called with the columns of the inputs."""
    rows = max(len(array) for array in inputs.values())
    parts = {
        name: tuple(array[:, k] for k in range(array.shape[1])) if tails[name] else array[:, 0]
        for name, array in inputs.items()
    }
    with np.errstate(all="ignore"):
        found = formula(NUMPY, REALS[dtype], **parts)
    results = []
    for result, tail in zip(found, outputs, strict=True):
        columns = result if tail else (result,)
        wide = [np.broadcast_to(np.asarray(part), rows) for part in columns]
        results.append(np.stack(wide, axis=-1).astype(np.int8 if tail is None else dtype))
    return results


def run_compiled(formula, dtype, inputs, tails, outputs):
    program = programs.compile_formula(formula, REALS[dtype], tails, outputs)
    rows = max(len(array) for array in inputs.values())
    made = [
        np.empty((rows, int(np.prod(tail or ()))), np.int8 if tail is None else dtype)
        for tail in outputs
    ]
    programs.run(program, [inputs[name] for name in program.names], made)
    return made


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        if one.dtype.kind == "f":
            known = one == one
            assert np.array_equal(np.signbit(one[known]), np.signbit(other[known]))


# --- any formula --------------------------------------------------------------------------

STEPS = st.lists(st.tuples(st.integers(0, 13), *[st.integers(0, 10**6)] * 3), max_size=60)


def formula_of(steps):
    """Return a formula that does what a list of numbers says, and three numbers and a truth."""

    def formula(xp, t, *, u, v, w):
        one = t.eps * 0.0 + 1.0  # a plain number
        numbers, truths = [*u, *v, w, one, -0.75], [w > 0.0, u[0] == v[0]]
        for kind, i, j, k in steps:
            a, b = numbers[i % len(numbers)], numbers[j % len(numbers)]
            p, q = truths[k % len(truths)], truths[j % len(truths)]
            if not (hasattr(a, "trace") or hasattr(a, "dtype")):
                a = w + a  # of two plain numbers Python computes the result itself
            match kind:
                case 0:
                    numbers.append(a + b)
                case 1:
                    numbers.append(b - a)
                case 2:
                    numbers.append(a * b)
                case 3:
                    numbers.append(b / xp.where(a == 0.0, 1.0, a))
                case 4:
                    numbers.append(-a)
                case 5:
                    numbers.append(xp.sqrt(xp.where(a > 0.0, a, 2.0)))
                case 6:
                    truths.append(a > b)
                case 7:
                    truths.append(a <= b)
                case 8:
                    truths.append(a != b)
                case 9:
                    truths.append(p & q)
                case 10:
                    truths.append(p | q)
                case 11:
                    truths.append(~p)
                case _:
                    numbers.append(xp.where(p, a, b))
        last = xp.where(truths[-1], 1.0 + 0.0 * u[1], 3.0)
        return (tuple(numbers[-3:]), numbers[len(numbers) // 2], xp.where(last == 1.0, 2.0, 0.0))

    return formula


@pytest.mark.parametrize("dtype", REALS)
@settings(max_examples=60)
@given(steps=STEPS, rows=st.integers(1, 70), seed=st.integers(0, 10**6), same=st.booleans())
def test_any_formula_has_the_bits_of_numpy(dtype, steps, rows, seed, same):
    rng = np.random.default_rng(seed)

    def numbers(count, width):
        values = rng.normal(size=(count, width))
        special = rng.choice(SPECIAL, size=values.shape)
        return np.where(rng.random(values.shape) < 0.2, special, values).astype(dtype)

    inputs = {"u": numbers(rows, 3), "v": numbers(1 if same else rows, 2), "w": numbers(rows, 1)}
    tails, outputs = {"u": (3,), "v": (2,), "w": ()}, [(3,), (), None]
    formula = formula_of(steps)
    wanted = run_with_numpy(formula, dtype, inputs, tails, outputs)
    with engines_as_they_were() as engines:
        for name in SETS:
            engines.use(name)
            assert_same(run_compiled(formula, dtype, inputs, tails, outputs), wanted)


def test_an_argument_that_is_read_late_takes_no_place_that_is_still_needed():
    def formula(xp, t, *, u, v):
        total = u[0] + u[1]
        return (total * v[0], (v[1] + total) / v[0]), total == total

    inputs = {"u": np.array([[1.0, 2.0]]), "v": np.array([[4.0, 8.0]])}
    tails = {"u": (2,), "v": (2,)}
    found = run_compiled(formula, "float64", inputs, tails, [(2,), None])
    assert [part.tolist() for part in found] == [[[12.0, 2.75]], [[1]]]


@pytest.mark.parametrize("dtype", REALS)
def test_many_rows_on_threads_are_those_of_one_thread(dtype):
    def formula(xp, t, *, u):
        return (u[0] / u[1] - u[2], xp.sqrt(u[0] * u[0]), u[2])

    u = np.random.default_rng(1).normal(size=(3 * programs.SHARE, 3)).astype(dtype)
    before = twobone.engine().threads
    results = []
    for count in (1, 2):
        twobone.engine(threads=count)
        results.append(
            run_compiled(lambda *a, **k: (formula(*a, **k),), dtype, {"u": u}, {"u": (3,)}, [(3,)])
        )
    twobone.engine(threads=before)
    assert_same(*results)


# --- frames -------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 3, 40])
@pytest.mark.parametrize("dtype", REALS)
def test_what_a_frame_carries_over_is_read_by_the_next(dtype, rows, instruction_set):
    def formula(xp, t, *, state, added):
        return (state[0] + added, state[1] * 0.5 - added), state[0]

    rng = np.random.default_rng(rows)
    added = rng.normal(size=(50, rows, 1)).astype(dtype)
    first = rng.normal(size=(rows, 2)).astype(dtype)
    program = programs.compile_formula(
        formula, REALS[dtype], {"state": (2,), "added": ()}, [(2,), ()]
    )
    states, old = np.empty((50, rows, 2), dtype), np.empty((50, rows, 1), dtype)
    programs.run(program, [first, added], [states, old], carried=(0, -1))
    state = first
    for i in range(50):
        assert np.array_equal(old[i, :, 0], state[:, 0])
        state = np.stack(
            [state[:, 0] + added[i, :, 0], state[:, 1] * dtype_of(dtype, 0.5) - added[i, :, 0]],
            axis=-1,
        )
        assert np.array_equal(states[i], state)


def dtype_of(dtype, number):
    return np.dtype(dtype).type(number)


# --- triangles ----------------------------------------------------------------------------

POLICIES = ["clamp", "stretch", "nan", Soft(0.1), Limits(20, 160) | Soft(0.05) | Stretch(1.2)]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("dtype", REALS)
def test_triangles_have_the_bits_of_the_solver(dtype, policy, instruction_set):
    def formula(xp, t, *, v):
        x, y, end, status = xp.triangle(*v, policy)
        return (y, x, end), status

    rng = np.random.default_rng(2)
    v = rng.uniform(0.0, 2.5, (200, 3))
    v[::7] = rng.choice([0.0, 1e-300, 1.0, 1e300, np.nan, np.inf, -1.0], (29, 3))
    with np.errstate(all="ignore"):
        v = v.astype(dtype)
        points, codes = run_compiled(formula, dtype, {"v": v}, {"v": (3,)}, [(3,), None])
        target = np.stack([v[:, 0], v[:, 0] * 0], axis=-1)
        wanted = twobone.reach(target, v[:, 1], v[:, 2], unreachable=policy)
    columns = [wanted.joint[:, 1], wanted.joint[:, 0], wanted.end[:, 0]]
    assert_same([points, codes[:, 0]], [np.stack(columns, axis=-1), wanted.status])


# --- what cannot be traced ----------------------------------------------------------------


class Own(Policy):
    def place(self, xp, distance, inner, outer):
        return 0.5 * distance


@pytest.mark.parametrize(
    "formula",
    [
        lambda xp, t, *, v: (v[0] if v[0] > 0.0 else v[1],),
        lambda xp, t, *, v: (xp.xp.sin(v[0]),),
        lambda xp, t, *, v: (v[0] + np.ones(3),),
        lambda xp, t, *, v: (abs(v[0]),),
        lambda xp, t, *, v: (xp.triangle(*v, 1.0, Own())[0],),
        lambda xp, t, *, v: (xp.triangle(*v, 1.0, "clamp")[0] + xp.triangle(*v, 1.0, "nan")[0],),
    ],
    ids=["if", "sine", "array", "abs", "policy", "two policies"],
)
def test_what_needs_values_has_no_program(formula):
    assert programs.compile_formula(formula, FLOAT64, {"v": (2,)}, [()]) is None


def test_conditions_may_be_plain_truths():
    """Which a formula has where its arguments are plain numbers in some calls."""

    def formula(xp, t, *, u):
        is_up = u > 0.0
        known = [is_up & True, is_up & False, True | is_up, is_up | False]
        return [*(xp.where(truth, u, -1.0) for truth in known), xp.where(True, u, 2.0)]

    inputs = {"u": np.array([[-2.0], [3.0]])}
    tails = {"u": ()}
    found = run_compiled(formula, "float64", inputs, tails, [()] * 5)
    assert_same(found, run_with_numpy(formula, "float64", inputs, tails, [()] * 5))
    assert [part.ravel().tolist() for part in found] == [
        [-1.0, 3.0],
        [-1.0, -1.0],
        [-2.0, 3.0],
        [-1.0, 3.0],
        [-2.0, 3.0],
    ]


@pytest.mark.parametrize("wanted", [(0,), (1,), (2,), (3,), (0, 2), (1, 3), (3, 0)])
def test_a_triangle_may_have_results_that_nothing_uses(wanted):
    def formula(xp, t, *, u):
        found = xp.triangle(u, 1.0, 0.8, "clamp")
        return [found[i] for i in wanted]

    def of_all(xp, t, *, u):
        return xp.triangle(u, 1.0, 0.8, "clamp")

    inputs, tails, outputs = {"u": np.array([[0.5], [3.0]])}, {"u": ()}, [(), (), (), None]
    every = run_compiled(of_all, "float64", inputs, tails, outputs)
    found = run_compiled(formula, "float64", inputs, tails, [outputs[i] for i in wanted])
    assert_same(found, [every[i] for i in wanted])


def test_a_formula_of_more_arrays_than_the_kernel_takes_has_no_program():
    def formula(xp, t, **given):
        return [sum(given.values())]

    tails = {f"v{i}": () for i in range(programs.MOST_ARRAYS + 1)}
    assert programs.compile_formula(formula, FLOAT64, tails, [()]) is None
    del tails["v0"]
    assert programs.compile_formula(formula, FLOAT64, tails, [()]) is not None


def test_mistakes_in_a_formula_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        programs.compile_formula(lambda xp, t, *, v: (v[0] / (1 / 0),), FLOAT64, {"v": (2,)}, [()])


# --- the kernel checks what it is given ---------------------------------------------------

ADD = [(0, 0, 0, 0, 0), (2, 1, 0, -1, 0), (1, 0, 0, 1, 0)]


def program_of(code, places=2, constants=(1.0,), policy=0, steps=()):
    return KERNEL.program(
        np.array(code, np.int32), np.array(constants), places, policy, np.array(steps, float)
    )


def test_a_program_of_the_kernel_adds():
    out = np.empty((3, 1))
    KERNEL.run_program(program_of(ADD), (np.arange(3.0)[:, None],), (out,), (-1,))
    assert out[:, 0].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "change",
    [
        {"code": [(99, 0, 0, 0, 0)]},
        {"code": [(16, 0, 0, 0, 0)]},
        {"code": [(15, 0, 0, 0, 0)]},
        {"code": [(2, 2, 0, 0, 0)]},
        {"code": [(2, -1, 0, 0, 0)]},
        {"code": [(2, 0, 0, 5, 0)]},
        {"code": [(2, 0, 0, -2, 0)]},
        {"code": [(0, 0, programs.MOST_ARRAYS, 0, 0)]},
        {"code": [(0, 0, 0, -1, 0)]},
        {"code": [(1, 0, -1, 0, 0)]},
        {"code": np.zeros((2, 4))},
        {"places": -1},
        {"places": 2**20},
        {"policy": 3},
        {"steps": [1.0]},
        {"steps": [0.0] * 45},
        {"steps": [3.0, 0.0, 0.0, 0.0, 0.0]},
        {"steps": [np.nan, 0.0, 0.0, 0.0, 0.0]},
    ],
)
def test_wrong_programs_are_refused(change):
    with pytest.raises(ValueError, match="not a program"):
        program_of(**{"code": ADD, **change})


IN, OUT = np.zeros((3, 1)), np.empty((3, 1))


@pytest.mark.parametrize(
    ("inputs", "outputs", "carried"),
    [
        ((), (OUT,), ()),
        ((IN,), (), (-1,)),
        ((IN,), (OUT,), ()),
        ((IN,), (OUT,), (1,)),
        ((IN,), (OUT,), (-2,)),
        ((IN,), (OUT,), (2**70,)),
        ((IN,), (OUT,), ("x",)),
        ((IN.astype(np.float32),), (OUT,), (-1,)),
        ((IN.astype(">f8"),), (OUT,), (-1,)),
        ((np.zeros((2, 1)),), (OUT,), (-1,)),
        ((np.zeros((3, 0)),), (OUT,), (-1,)),
        ((np.zeros(3),), (OUT,), (-1,)),
        (([[1.0]],), (OUT,), (-1,)),
        ((IN,), (np.broadcast_to(OUT[0], (3, 1)),), (-1,)),
        ((np.zeros((2, 3, 1)),), (OUT,), (-1,)),
    ],
)
def test_wrong_arrays_are_refused(inputs, outputs, carried):
    with pytest.raises(ValueError, match="arrays"):
        KERNEL.run_program(program_of(ADD), inputs, outputs, carried)


def test_no_other_object_is_a_program():
    with pytest.raises(ValueError, match="PyCapsule"):
        KERNEL.run_program(None, (IN,), (OUT,), (-1,))


def test_operations_are_those_of_the_kernel():
    """A program of each operation does what its name says."""
    assert len(programs.OPERATIONS) == 18
    with pytest.raises(ValueError, match="not a program"):
        program_of([(len(programs.OPERATIONS), 0, 0, 0, 0)])
