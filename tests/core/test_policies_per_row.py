"""Parameters of policies may be arrays: each row has the answer of its own numbers."""

import copy
import functools
import pickle
import re
import sys
import types

import mpmath
import numpy as np
import pytest

import exact_derivatives
import twobone
from engines import KERNEL
from twobone import (
    ArrayTypeError,
    Limits,
    Policy,
    PolicyError,
    ShapeError,
    Soft,
    Status,
    Stretch,
)
from twobone.core import blocks, policies
from twobone.core.answer import Targets
from twobone.core.half_angles import HalfAngle

ROWS = 60
MAKES = {
    "soft": lambda s, k, a, b: Soft(s),
    "stretch": lambda s, k, a, b: Stretch(k),
    "limits": lambda s, k, a, b: Limits(a, b),
    "greatest": lambda s, k, a, b: Limits(greatest_degrees=b),
    "least": lambda s, k, a, b: Limits(a),
    "soft, limit of all": lambda s, k, a, b: Soft(s) | Stretch(1.25),
    "soft of all, stretch": lambda s, k, a, b: Soft(0.05) | Stretch(k),
    "two softs": lambda s, k, a, b: Soft(s) | Limits(5, b) | Soft(0.5 * s),
    "limits of all, limits": lambda s, k, a, b: Limits(10, 175) | Limits(a, b),
    "chain": lambda s, k, a, b: Limits(a, b) | Soft(s) | Stretch(k),
}
WRONG = {"softness": 2, "limit": 3, "least_degrees": 4, "greatest_degrees": 5}  # rows


def parameters(rng, count):
    """Return a softness, a limit, and a least and a greatest angle for each row."""
    spans = (0.01, 0.9), (1.0, 1.6), (0.0, 80.0), (90.0, 180.0)
    return [rng.uniform(*span, count) for span in spans]


def rows(seed=0, size=2, dtype=np.float64):
    """Return limbs and parameters, some of which are out of range or special."""
    rng = np.random.default_rng(seed)
    limbs = {
        "target": rng.normal(size=(ROWS, size)) * 1.2,
        "r1": rng.uniform(0.4, 1.5, ROWS),
        "r2": rng.uniform(0.4, 1.5, ROWS),
        "side": rng.choice([-1.0, 1.0], ROWS),
    }
    if size == 3:
        limbs["pole"] = rng.normal(size=(ROWS, 3))
    numbers = parameters(rng, ROWS)
    soft, limit, least, greatest = numbers
    limit[6], least[7], greatest[7], greatest[8] = np.inf, 90.0, 90.0, 180.0
    limbs["target"][9], limbs["r2"][9] = 0.0, limbs["r1"][9]
    limbs["target"][10] *= 1e3
    soft[2], limit[3], least[4], greatest[5] = 1.0, np.nan, -1.0, np.nan
    soft[11], limit[11], least[11], greatest[11] = np.nan, 0.99, 120.0, 110.0
    limbs = {name: value.astype(dtype) for name, value in limbs.items()}
    return limbs, [number.astype(dtype) for number in numbers]


def by_row(make, limbs, numbers, **options):
    """Return what `reach` returns for each row with the numbers of that row."""
    found = []
    size = limbs["target"].shape[-1]
    for i in range(ROWS):
        try:
            policy = make(*(float(number[i]) for number in numbers))
        except PolicyError:
            nan = np.full(size, np.nan)
            found.append((nan, nan, np.int8(Status.INVALID)))
            continue
        limb = {name: value[i] for name, value in limbs.items()}
        found.append(twobone.reach(**limb, unreachable=policy, **options))
    return [np.array(part) for part in zip(*found, strict=True)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_each_row_has_the_bits_of_its_own_numbers(both_engines, make, dtype, size):
    limbs, numbers = rows(size=size, dtype=dtype)
    found = twobone.reach(**limbs, unreachable=make(*numbers))
    for part, one in zip(found, by_row(make, limbs, numbers), strict=True):
        np.testing.assert_array_equal(part, one.astype(part.dtype))
    joint = twobone.solve(**limbs, unreachable=make(*numbers))
    np.testing.assert_array_equal(joint, found.joint)
    assert joint.dtype == dtype


def test_rows_of_many_blocks_and_threads_have_these_bits_too(both_engines, engines):
    limbs, numbers = rows()
    many = 700
    tiled = {
        name: np.tile(value, (many, *(1,) * (value.ndim - 1))) for name, value in limbs.items()
    }
    make = MAKES["chain"]
    policy = make(*(np.tile(number, many) for number in numbers))
    few = twobone.reach(**limbs, unreachable=make(*numbers))
    engines.share(5000, threads=3)
    found = twobone.reach(**tiled, unreachable=policy)
    for part, one in zip(found, few, strict=True):
        np.testing.assert_array_equal(part, np.tile(one, (many, *(1,) * (one.ndim - 1))))


def test_parameters_broadcast_and_choose_the_dtype():
    soft = np.array([[0.1], [0.3]])
    found = twobone.reach([[1.9, 0.0], [2.5, 0.0], [0.5, 0.2]], 1.0, 1.0, unreachable=Soft(soft))
    assert found.joint.shape == (2, 3, 2)
    assert found.status.shape == (2, 3)
    one = twobone.reach([1.9, 0.0], 1.0, 1.0, unreachable=Soft(0.3))
    np.testing.assert_array_equal(found.joint[1, 0], one.joint)
    both = twobone.solve_both([1.9, 0.0], 1.0, 1.0, unreachable=Soft(soft[:, 0]))
    assert both.shape == (2, 2, 2)
    for i, softness in enumerate((0.1, 0.3)):
        expected = twobone.solve_both([1.9, 0.0], 1.0, 1.0, unreachable=Soft(softness))
        np.testing.assert_array_equal(both[i], expected)
    target = np.ones(2, np.float32)
    assert twobone.solve(target, 1, 1, unreachable=Soft(soft)).dtype == np.float64
    assert twobone.solve(target, 1, 1, unreachable=Soft(soft.astype("f"))).dtype == np.float32
    whole = np.array([1, 2])
    np.testing.assert_array_equal(
        twobone.solve([3.0, 0.0], 1.0, 1.0, unreachable=Stretch(whole))[:, 0], [1.0, 1.5]
    )
    empty = twobone.solve([3.0, 0.0], 1.0, 1.0, unreachable=Stretch(np.ones(0)))
    assert empty.shape == (0, 2)


def test_a_root_an_out_and_a_side_go_with_parameters_too():
    soft, root = np.array([0.1, 0.4]), np.array([1.0, 2.0])
    out = np.empty((2, 2))
    target = np.array([[2.9, 2.0], [2.9, 2.1]])
    twobone.solve(target, 1.0, 1.0, side=[-1, 1], unreachable=Soft(soft), out=out)
    found = twobone.reach(target + root, 1.0, 1.0, side=[-1, 1], root=root, unreachable=Soft(soft))
    np.testing.assert_allclose(found.joint - root, out, rtol=0, atol=1e-14)


def test_rows_out_of_range_are_invalid_and_leave_the_others_alone(both_engines):
    limbs, numbers = rows()
    status = twobone.reach(**limbs, unreachable=MAKES["chain"](*numbers)).status
    assert set(np.nonzero(status == Status.INVALID)[0]) == {2, 3, 4, 5, 11}
    # No angle satisfies both limits in the second row.
    both = Limits(0, np.array([50.0, 50.0])) | Limits(np.array([40.0, 60.0]))
    assert twobone.reach([1.0, 1.0], 1, 1, unreachable=both).status.tolist()[1] == Status.INVALID
    both = Limits(60, 180) | Limits(0, np.array([70.0, 50.0]))
    assert twobone.reach([1.0, 1.0], 1, 1, unreachable=both).status.tolist()[1] == Status.INVALID


# --- errors -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Soft(np.ones(2, bool)), "Soft: `softness` must be of float32, float64 or int"),
        (lambda: Soft(np.ones(2, complex)), "got complex128."),
        (lambda: Stretch(np.ones(2, np.float16)), "Stretch: `limit` must be of float32"),
        (lambda: Limits(0, np.array(["a"])), "Limits: `greatest_degrees` must be of float32"),
        (lambda: Limits(np.array([0.0]), 200.0), "got [0.] and 200.0."),
        (lambda: Limits(np.nan, np.array([90.0])), "got nan and [90.]."),
        (lambda: Soft([0.1, 0.2]), "Soft: `softness` must be a number or an array, got list."),
        (lambda: Soft(np.array([0.1, "a"], object)), "got ndarray."),
        (
            lambda: Soft(np.ma.array([0.1, 0.2], mask=[True, False])),
            "Soft: `softness` must be without masked values",
        ),
    ],
)
def test_parameters_that_are_no_numbers_are_refused(make, message):
    with pytest.raises(PolicyError, match=re.escape(message)):
        make()


def test_parameters_that_do_not_broadcast_are_named():
    with pytest.raises(ShapeError, match="`softness` must broadcast with the others"):
        twobone.solve(np.ones((3, 2)), 1.0, 1.0, unreachable=Soft(np.ones(2)))
    chain = Soft(np.full(3, 0.1)) | Limits(0, np.full(3, 90.0)) | Soft(np.full(2, 0.1))
    with pytest.raises(ShapeError, match=r"`policies\[2\]\.softness` must broadcast"):
        twobone.reach(np.ones((3, 2)), 1.0, 1.0, unreachable=chain)
    with pytest.raises(ShapeError, match="`limit` must have at most 32 leading axes"):
        twobone.solve([1.0, 1.0], 1.0, 1.0, unreachable=Stretch(np.ones((1,) * 33)))


def test_parameters_of_another_library_are_named():
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    with pytest.raises(ArrayTypeError, match="`softness` must be of the same library"):
        twobone.solve(torch.ones(2), 1.0, 1.0, unreachable=Soft(jax.numpy.ones(2)))
    with pytest.raises(ArrayTypeError, match="`softness` must be on the device of `target`, cpu"):
        twobone.solve(torch.ones(2), 1.0, 1.0, unreachable=Soft(torch.ones(2, device="meta")))
    with pytest.raises(PolicyError, match="`softness` must be dense"):
        Soft(torch.ones(2).to_sparse())
    # NumPy's arrays adapt to tensors.
    found = twobone.solve(torch.ones(2), 1.0, 1.0, unreachable=Soft(np.array([0.1, 0.2])))
    assert found.dtype == torch.float32
    assert found.shape == (2, 2)


# --- values -------------------------------------------------------------------------------


def test_policies_of_numbers_are_values_and_those_of_arrays_equal_themselves():
    assert Soft(0.1) == Soft(np.float64(0.1)) == Soft(np.array(0.1))
    assert hash(Soft(0.1) | Stretch(2)) == hash(Soft(0.1) | Stretch(2.0))
    array = np.array([0.1, 0.2])
    one, other = Soft(array), Soft(array)
    assert one == one
    assert one != other
    assert one != Soft(0.1)
    assert one != "clamp"
    assert len({one, other, one, Soft(0.1)}) == 3
    chain = one | Stretch(2)
    assert chain == chain
    assert chain != one | Stretch(2)
    assert chain != Soft(0.1) | Stretch(2)
    assert repr(chain) == "Soft(array([0.1, 0.2])) | Stretch(limit=2.0)"
    assert repr(Limits(array, 90)) == "Limits(array([0.1, 0.2]), 90.0)"
    with pytest.raises(AttributeError, match="immutable"):
        one.softness = 1
    for made in (copy.deepcopy(chain), pickle.loads(pickle.dumps(chain))):
        np.testing.assert_array_equal(made.policies[0].softness, array)
        np.testing.assert_array_equal(
            twobone.solve([1.9, 0.0], 1, 1, unreachable=made),
            twobone.solve([1.9, 0.0], 1, 1, unreachable=chain),
        )


def test_a_derived_policy_may_have_arrays():
    class Softer(Soft):
        def fit(self, xp, fit):
            return super().fit(xp, fit)

    array = np.array([0.1, 0.2, 3.0])
    found = twobone.solve([1.9, 0.0], 1, 1, unreachable=Softer(array))
    np.testing.assert_array_equal(found, twobone.solve([1.9, 0.0], 1, 1, unreachable=Soft(array)))


@pytest.mark.parametrize("library", ["torch", "jax", "array_api_strict"])
def test_other_libraries_have_policies_of_ones_own_after_parameters(library):
    xp = pytest.importorskip({"jax": "jax.numpy"}.get(library, library))

    class Half(Policy):
        def place(self, xp, distance, inner, outer):
            return 0.5 * distance

    def solve(asarray):
        target, softness = asarray([1.9, 0.0]), asarray([0.1, 0.2])
        chain = Soft(softness) | Limits(100.0 * softness, 170.0) | Half()
        return twobone.solve(target, 1, 1, unreachable=chain)

    found = solve(lambda values: xp.asarray(values, dtype=xp.float32))
    np.testing.assert_allclose(np.asarray(found), solve(np.array), rtol=1e-6)


def test_parameters_go_before_a_policy_of_ones_own():
    class Half(Policy):
        def place(self, xp, distance, inner, outer):
            return 0.5 * distance

    chain = Soft(np.array([0.1, 0.2])) | Half()
    found = twobone.reach([1.9, 0.0], 1, 1, unreachable=chain)
    for i, softness in enumerate((0.1, 0.2)):
        one = twobone.reach([1.9, 0.0], 1, 1, unreachable=Soft(softness) | Half())
        np.testing.assert_array_equal(found.end[i], one.end)


def test_dask_arrays_take_parameters_along():
    da = pytest.importorskip("dask.array")
    limbs, numbers = rows()
    policy = MAKES["chain"](*numbers)
    target = da.from_array(limbs["target"], chunks=(25, 2))
    expected = twobone.reach(limbs["target"], 1.0, 0.8, unreachable=policy)
    found = twobone.reach(target, 1.0, 0.8, unreachable=policy)
    for part, one in zip(found, expected, strict=True):
        np.testing.assert_array_equal(part.compute(), one)


# --- PyTorch ------------------------------------------------------------------------------


def tensors(torch, limbs, numbers, dtype=None):
    limbs = {name: torch.tensor(value, dtype=dtype) for name, value in limbs.items()}
    return limbs, [torch.tensor(number, dtype=dtype) for number in numbers]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_tensors_have_the_answers_of_numpy(make, dtype, size):
    torch = pytest.importorskip("torch")
    limbs, numbers = rows(size=size, dtype=dtype)
    expected = twobone.reach(**limbs, unreachable=make(*numbers))
    limbs, numbers = tensors(torch, limbs, numbers)
    same = np.testing.assert_array_equal if KERNEL is not None else assert_near
    for requires in (False, True):
        for number in numbers:
            number.requires_grad_(requires)
        found = twobone.reach(**limbs, unreachable=make(*numbers))
        joint = twobone.solve(**limbs, unreachable=make(*numbers))
        for part, one in zip((*found, joint), (*expected, expected.joint), strict=True):
            same(part.detach().numpy(), one)


def assert_near(part, one):
    eps = np.finfo(one.dtype).eps if one.dtype != np.int8 else 0
    assert part.dtype == one.dtype
    np.testing.assert_allclose(part, one, rtol=8 * eps, atol=8 * eps)


def assert_close(found, expected):
    for part, one in zip(found, expected, strict=True):
        assert_near(np.asarray(part), one)


def loss(found, weights):
    joint, end = (part[:, 0] * weights[0] + part[:, 1] * weights[1] for part in found[:2])
    return joint + 2.0 * end


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_derivatives_by_parameters_are_those_of_differences(make):
    torch = pytest.importorskip("torch")
    limbs, numbers = rows(seed=3)
    bad = twobone.reach(**limbs, unreachable=make(*numbers)).status == Status.INVALID
    for number, good in zip(numbers, (0.2, 1.2, 30.0, 150.0), strict=True):
        number[bad | (np.arange(ROWS) == 6) | (np.arange(ROWS) == 7)] = good
    weights = np.random.default_rng(1).normal(size=(2, ROWS))
    tensors_of_limbs, leaves = tensors(torch, limbs, numbers)
    leaves = [leaf.requires_grad_() for leaf in leaves]
    found = twobone.reach(**tensors_of_limbs, unreachable=make(*leaves))
    total = loss(found, torch.tensor(weights)).sum()
    slopes = torch.autograd.grad(total, leaves, allow_unused=True)
    for place, slope in enumerate(slopes):
        if slope is None:
            continue
        step = 1e-5 * numbers[place]
        sides = []
        for way in (-1.0, 1.0):
            moved = [number + way * step * (i == place) for i, number in enumerate(numbers)]
            sides.append(loss(twobone.reach(**limbs, unreachable=make(*moved)), weights))
        differences = (sides[1] - sides[0]) / (2.0 * step)
        scale = 1.0 + np.abs(differences)
        smooth = np.abs(differences - slope.numpy()) < 1e-6 * scale
        assert smooth[~np.isnan(differences)].mean() > 0.9  # the others have a kink near by
        kinks = np.nonzero(~smooth & ~np.isnan(differences))[0]
        for i in kinks:  # where the slopes of both sides differ
            middle = loss(twobone.reach(**limbs, unreachable=make(*numbers)), weights)
            ones = [(sides[1] - middle)[i] / step[i], (middle - sides[0])[i] / step[i]]
            near = min(abs(each - slope[i].item()) for each in ones)
            assert near < 1e-3 * scale[i], (place, i, ones, slope[i])


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_derivatives_of_the_kernel_are_those_of_the_formula(make, dtype, size):
    torch = pytest.importorskip("torch")
    limbs, numbers = tensors(torch, *rows(seed=5, size=size, dtype=dtype))
    names, leaves = list(limbs), [*limbs.values(), *numbers]

    def reach(*given):
        limb = dict(zip(names, given[: len(names)], strict=True))
        found = twobone.reach(**limb, unreachable=make(*given[len(names) :]))
        return torch.nan_to_num(found.joint), torch.nan_to_num(found.end)

    rng = np.random.default_rng(2)
    bars = tuple(torch.tensor(rng.normal(size=(ROWS, size)), dtype=leaves[0].dtype) for _ in "je")
    by_formula = torch.func.vjp(reach, *leaves)[1](bars)  # operators are not used there
    leaves = [leaf.requires_grad_() for leaf in leaves]
    by_kernel = torch.autograd.grad(reach(*leaves), leaves, bars, allow_unused=True)
    for name, one, other in zip([*names, *"skab"], by_kernel, by_formula, strict=True):
        if one is None or name == "side":
            assert not other.any()
            continue
        bound = 1e-6 if dtype == np.float64 else 2e-5
        scale = 1.0 + other.abs()
        assert ((one - other).abs() <= bound * scale).all(), name
    assert any(part is not None and part.any() for part in by_kernel[len(names) :])


def test_the_derivative_by_the_softness_is_that_of_the_curve_in_many_digits():
    torch = pytest.importorskip("torch")
    mpmath.mp.dps = 50
    distances = np.array([1.75, 1.95, 1.999, 2.02, 2.1, 2.19])
    soft = torch.full((6,), 0.11, dtype=torch.float64, requires_grad=True)
    target = torch.stack([torch.tensor(distances), torch.zeros(6, dtype=torch.float64)], -1)
    joint, end, _ = twobone.reach(target, 1.1, 0.9, unreachable=Soft(soft))

    def place(distance, part, softness):
        s, left = 2 * softness, 2 - mpmath.mpf(distance)
        e = mpmath.mpf(distance) if left >= s else 2 - (left + s) ** 2 / (4 * s)
        r1, r2 = mpmath.mpf(1.1), mpmath.mpf(0.9)
        x = (e * e + r1 * r1 - r2 * r2) / (2 * e)
        return (x, mpmath.sqrt(r1 * r1 - x * x), e)[part]

    for part, values in enumerate((joint[:, 0], joint[:, 1], end[:, 0])):
        (slope,) = torch.autograd.grad(values.sum(), soft, retain_graph=True)
        for i, distance in enumerate(distances):
            curve = functools.partial(place, distance, part)
            exact = mpmath.diff(curve, mpmath.mpf(0.11), h=1e-20)
            assert abs(slope[i].item() - float(exact)) <= 1e-9 * (1 + abs(float(exact))), (part, i)


def exact_policy(kind, numbers):
    """Return a policy of numbers of 350 bits."""
    import gmpy2

    soft, limit, *angles = numbers
    halves = [gmpy2.const_pi() * angle / 360 for angle in angles]
    least, greatest = (HalfAngle(gmpy2.sin(half) ** 2, gmpy2.cos(half) ** 2) for half in halves)
    parts = {
        "soft": [Soft(0.5)._with(softness=soft)],
        "stretch": [Stretch(2.0)._with(limit=limit)],
        "limits": [Limits(20.0, 90.0)._with(least=least, greatest=greatest)],
    }
    parts["chain"] = [*parts["limits"], *parts["soft"], *parts["stretch"]]
    first, *others = parts[kind]
    return functools.reduce(lambda chain, part: chain | part, others, first)


@pytest.mark.parametrize("count", [25, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("kind", ["soft", "stretch", "limits", "chain"])
def test_derivatives_by_parameters_are_those_of_differences_in_350_bits(kind, size, count):
    torch = pytest.importorskip("torch")
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed")
    rng = np.random.default_rng(count + size)
    r1, r2 = rng.uniform(0.4, 1.5, (2, count))
    way = rng.normal(size=(count, size))
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    # Half of the targets are within a thousandth of the limb from an edge of its range.
    distance = rng.uniform(0.1, 1.4, count) * (r1 + r2)
    edges = np.where(rng.random(count) < 0.5, r1 + r2, abs(r1 - r2))
    distance = np.where(rng.random(count) < 0.5, edges + rng.normal(size=count) * 1e-3, distance)
    values = {"target": way * distance[:, None], "r1": r1, "r2": r2}
    if size == 3:
        values["pole"] = rng.normal(size=(count, 3))
    numbers = parameters(rng, count)
    given = {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}
    leaves = [torch.tensor(number, requires_grad=True) for number in numbers]
    found = twobone.reach(**given, unreachable=MAKES[kind](*leaves))
    bars = torch.tensor(rng.normal(size=(2, count, size)))
    total = (found.joint * bars[0]).sum() + (found.end * bars[1]).sum()
    slopes = torch.autograd.grad(total, [*given.values(), *leaves], allow_unused=True)
    checked = 0
    for i in range(count):
        bar = [*map(float, bars[0, i]), *map(float, bars[1, i])]

        def loss(exact, bar=bar):
            p, *lengths = (exact[name] for name in given)
            pole = tuple(lengths.pop()) if size == 3 else ()
            targets = Targets(tuple(p), *(v[()] for v in lengths), 1, pole)
            policy = exact_policy(kind, [exact[f"parameter {k}"][()] for k in range(4)])
            answered = blocks.any(*exact_derivatives.big(), targets, policy)
            parts = [*answered.joint, *answered.end]
            return [sum(weight * part for weight, part in zip(bar, parts, strict=True))]

        place = {name: value[i] for name, value in values.items()}
        place |= {f"parameter {k}": number[i] for k, number in enumerate(numbers)}
        ours = {
            name: np.zeros(np.shape(value)) if slope is None else slope[i].numpy()
            for (name, value), slope in zip(place.items(), slopes, strict=True)
        }
        largest = max(np.max(np.abs(slope)) for slope in ours.values())
        direction = {name: rng.normal(size=np.shape(value)) for name, value in place.items()}
        expected = exact_derivatives.slope_of(loss, place, direction)
        if expected is None:  # a kink
            continue
        one = sum(np.sum(direction[name] * slope) for name, slope in ours.items())
        assert abs(one - expected.first[0]) <= 1e-9 * largest, (i, place)
        checked += 1
    assert checked >= 0.9 * count


def test_rows_that_are_invalid_have_derivatives_of_zero():
    torch = pytest.importorskip("torch")
    limbs, numbers = tensors(torch, *rows())
    limbs["target"][20, 0] = torch.nan
    leaves = [number.requires_grad_() for number in (*numbers, limbs["target"], limbs["r1"])]
    found = twobone.reach(**limbs, unreachable=MAKES["chain"](*numbers))
    total = torch.nansum(found.joint) + torch.nansum(found.end)
    slopes = torch.autograd.grad(total, leaves, retain_graph=True)
    # Derivatives of a loss that are NaN in these rows do not reach the parameters either.
    bars = [torch.where(torch.isnan(part), torch.nan, 1.0) for part in found[:2]]
    others = torch.autograd.grad(found[:2], numbers, bars)
    for slope, other in zip(slopes, others, strict=False):
        torch.testing.assert_close(slope, other)
    for slope in slopes:
        assert torch.isfinite(slope).all()
        assert not slope[[2, 3, 4, 5, 11, 20]].any()
    assert all(slope.any() for slope in slopes)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_transforms_of_pytorch_take_parameters():
    torch = pytest.importorskip("torch")
    limbs, numbers = tensors(torch, *rows(size=3))
    keep = slice(12, 20)
    names, limb = list(limbs), [value[keep] for value in limbs.values()]
    numbers = [number[keep] for number in numbers]
    count = len(limb)

    def solve(*given):
        limb = dict(zip(names, given[:count], strict=True))
        return twobone.solve(**limb, unreachable=MAKES["chain"](*given[count:]))

    given = (*limb, *numbers)
    expected = solve(*given)
    torch.testing.assert_close(torch.func.vmap(solve)(*given), expected)
    by = tuple(range(count, count + 4))
    reverse = torch.func.jacrev(solve, by)(*given)
    forward = torch.func.jacfwd(solve, by)(*given)
    torch.testing.assert_close(forward, reverse)
    assert all(part.any() for part in reverse)
    leaves = [number.clone().requires_grad_() for number in numbers]
    eager = torch.autograd.grad(solve(*limb, *leaves).sum(), leaves)
    torch.testing.assert_close(eager, tuple(part.sum((0, 1)) for part in reverse))
    first = torch.autograd.grad(solve(*limb, *leaves).sum(), leaves[0], create_graph=True)[0]
    (second,) = torch.autograd.grad(first.sum(), leaves[0])
    hessian = torch.func.hessian(lambda s: solve(*limb, s, *numbers[1:]).sum())(numbers[0])
    torch.testing.assert_close(second, torch.diag(hessian))


def test_compiled_and_exported_programs_take_parameters():
    torch = pytest.importorskip("torch")
    limbs, numbers = tensors(torch, *rows())
    target = limbs["target"]

    def solve(target, *numbers):
        found = twobone.reach(target, 1.0, 0.8, unreachable=MAKES["chain"](*numbers))
        return found.joint, found.end, found.status

    expected = solve(target, *numbers)
    compiled = torch.compile(solve, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(target, *numbers), expected, equal_nan=True)
    leaves = [number.clone().requires_grad_() for number in numbers]
    slopes = [
        torch.autograd.grad(torch.nansum(way(target, *leaves)[0]), leaves)
        for way in (compiled, solve)
    ]
    torch.testing.assert_close(*slopes)

    class Solver(torch.nn.Module):
        def forward(self, *given):
            return solve(*given)

    exported = torch.export.export(Solver(), (target, *numbers), strict=True).module()
    torch.testing.assert_close(exported(target, *numbers), expected, equal_nan=True)


def test_a_parameter_without_axes_keeps_its_derivatives():
    torch = pytest.importorskip("torch")
    softness = torch.tensor(0.2, dtype=torch.float64, requires_grad=True)
    joint = twobone.solve(torch.tensor([[1.9, 0.1]] * 3), 1.0, 1.0, unreachable=Soft(softness))
    assert joint.dtype == torch.float32  # as for r1: a tensor without axes decides last
    (slope,) = torch.autograd.grad(joint.sum(), softness)
    assert slope.shape == ()
    assert slope != 0.0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_parameters_of_half_precision_are_computed_in_float32(dtype):
    torch = pytest.importorskip("torch")
    target = torch.tensor([[1.9, 0.1], [2.5, 0.3]], dtype=getattr(torch, dtype))
    soft = torch.tensor([0.1, 0.25], dtype=getattr(torch, dtype), requires_grad=True)
    found = twobone.reach(target, 1.0, 1.0, unreachable=Soft(soft))
    wide = twobone.reach(target.float(), 1.0, 1.0, unreachable=Soft(soft.float()))
    assert found.joint.dtype == target.dtype
    assert torch.equal(found.joint, wide.joint.to(target.dtype))
    found.joint.sum().backward()
    assert soft.grad.dtype == soft.dtype
    assert soft.grad.any()


# --- JAX ----------------------------------------------------------------------------------


@pytest.fixture
def jax():
    found = pytest.importorskip("jax")
    before = found.config.jax_enable_x64
    found.config.update("jax_enable_x64", True)
    yield found
    found.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("make", ["soft", "stretch", "limits", "two softs", "chain"])
def test_arrays_of_jax_have_the_answers_of_numpy(jax, make, dtype, size):
    make = MAKES[make]
    limbs, numbers = rows(size=size, dtype=dtype)
    expected = twobone.reach(**limbs, unreachable=make(*numbers))
    arrays = {name: jax.numpy.asarray(value) for name, value in limbs.items()}
    policy = make(*map(jax.numpy.asarray, numbers))

    def reach(policy, arrays):
        return twobone.reach(**arrays, unreachable=policy)

    by_kernel = KERNEL is not None and hasattr(jax, "ffi")
    same = np.testing.assert_array_equal if by_kernel else assert_near
    for way in (reach, jax.jit(reach), jax.jit(jax.vmap(reach))):
        for part, one in zip(way(policy, arrays), expected, strict=True):
            same(np.asarray(part), one)


@pytest.mark.parametrize("make", ["soft", "chain"])
def test_policies_with_arrays_have_derivatives_in_jax(jax, make):
    make = MAKES[make]
    limbs, numbers = rows()
    arrays = {name: jax.numpy.asarray(value) for name, value in limbs.items()}
    policy = make(*map(jax.numpy.asarray, numbers))

    def reach(policy, arrays):
        return twobone.reach(**arrays, unreachable=policy)

    def total(policy):
        joint, end, _ = reach(policy, arrays)
        return jax.numpy.nansum(joint) + jax.numpy.nansum(end)

    slopes = jax.tree.leaves(jax.jit(jax.grad(total))(policy))
    torch = pytest.importorskip("torch")
    limbs, numbers = tensors(torch, limbs, numbers)
    leaves = [number.requires_grad_() for number in numbers]
    found = twobone.reach(**limbs, unreachable=make(*leaves))
    total = torch.nansum(found.joint) + torch.nansum(found.end)
    others = torch.autograd.grad(total, leaves, allow_unused=True)
    for i, other in enumerate(other for other in others if other is not None):
        order = (2, 3, 0, 1)[i] if len(slopes) == 4 else 0  # the chain begins with its limits
        np.testing.assert_allclose(slopes[order], other, rtol=1e-9, atol=1e-12)


def test_a_policy_is_a_pytree_whose_numbers_are_static(jax):
    array = jax.numpy.array([0.1, 0.2])
    chain = Limits(10, array * 500) | Soft(array) | Stretch(1.5)
    leaves, structure = jax.tree.flatten(chain)
    assert len(leaves) == 2
    other = jax.tree.flatten(Limits(10, array * 400) | Soft(array) | Stretch(1.5))[1]
    assert structure == other
    assert hash(structure) == hash(other)
    assert structure != jax.tree.flatten(Limits(11, array * 400) | Soft(array) | Stretch(1.5))[1]
    doubled = jax.tree.map(lambda leaf: 0.5 * leaf, chain)
    np.testing.assert_array_equal(doubled.policies[1].softness, 0.5 * array)
    assert jax.tree.leaves(Soft(0.1)) == []
    assert jax.tree.map(abs, Soft(0.1)) == Soft(0.1)
    assert "Soft(*)" in str(jax.tree.structure(Soft(array)))
    # A number in the place of an array makes a policy of numbers.
    limits = jax.tree.unflatten(jax.tree.structure(Limits(10, array)), [90.0])
    np.testing.assert_array_equal(
        twobone.solve([1.9, 0.0], 1, 1, unreachable=limits),
        twobone.solve([1.9, 0.0], 1, 1, unreachable=Limits(10, 90)),
    )
    traces = []

    @jax.jit
    def solve(policy, target):
        traces.append(policy)
        return twobone.solve(target, 1.0, 1.0, unreachable=policy)

    target = jax.numpy.array([1.9, 0.1])
    for policy in (Soft(array), Soft(2 * array), Soft(0.1), Soft(0.1)):
        np.testing.assert_allclose(
            solve(policy, target),
            twobone.solve(
                np.asarray(target),
                1.0,
                1.0,
                unreachable=policies.with_leaves(policy, map(np.asarray, policy._leaves()))
                if policy.per_row
                else policy,
            ),
            rtol=1e-14,
        )
    assert len(traces) == 2


def test_policies_are_made_while_jax_is_imported(monkeypatch):
    monkeypatch.setattr(policies, "REGISTERED", [])
    monkeypatch.setitem(sys.modules, "jax", types.ModuleType("jax"))  # it has no `tree_util` yet
    assert twobone.solve([1.9, 0.0], 1, 1, unreachable=Soft(np.array([0.1, 0.2]))).shape == (2, 2)
    assert policies.REGISTERED == []


def test_a_tracer_is_a_parameter(jax):
    def joint(softness):
        return twobone.solve(jax.numpy.array([1.9, 0.1]), 1.0, 1.0, unreachable=Soft(softness))[0]

    slope = jax.grad(joint)(0.2)
    near = (joint(0.2 + 1e-6) - joint(0.2 - 1e-6)) / 2e-6
    np.testing.assert_allclose(slope, near, rtol=1e-7)
    np.testing.assert_allclose(jax.jacfwd(joint)(0.2), slope, rtol=1e-12)
    np.testing.assert_allclose(jax.jit(jax.grad(joint))(0.2), slope, rtol=1e-12)


def test_a_leaf_of_a_policy_may_be_none_or_a_number(jax):
    policy = Limits(jax.numpy.ones(3) * 10, jax.numpy.array(170.0))
    axes = jax.tree.unflatten(jax.tree.structure(policy), [0, None])
    targets = jax.numpy.ones((3, 2))

    def solve(policy, target):
        return twobone.solve(target, 1.0, 0.8, unreachable=policy)

    found = jax.vmap(solve, in_axes=(axes, 0))(policy, targets)
    np.testing.assert_array_equal(found, solve(policy, targets))
    out_of_range = jax.tree.map(lambda _: 5.0, Soft(jax.numpy.array([0.1, 0.2])))
    status = twobone.reach(np.ones((2, 2)), 1.0, 0.8, unreachable=out_of_range).status
    assert status.tolist() == [Status.INVALID] * 2
