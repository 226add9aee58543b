"""PyTorch on accelerators: one fused kernel each way, compiled for the CPU in its place.

The nightly tests let Inductor compile. In the others, the same graphs of operations run one by one.
"""

# pyright: reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportArgumentType=false, reportOptionalMemberAccess=false

import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import twobone
from engines import KERNEL
from families import FAMILIES, make, make_bits
from oracle import exact_joint, spacing
from slow import nightly
from twobone import Soft, Status
from twobone.core import engine

torch = pytest.importorskip("torch", reason="torch is not installed")

from twobone.core import for_accelerators, for_torch, fused  # noqa: E402

F, COMPILE = torch.func, torch.compile
GOLDEN = Path(__file__).parents[1] / "golden"
BOUND = 2.5  # eps r1, the promise
EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
DTYPES = {np.float32: torch.float32, np.float64: torch.float64}
WORDS = ("clamp", "stretch", "nan")
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated")


class Accelerator:
    """The CPU as an accelerator, which compiles for every batch of two rows and more."""

    def __init__(self, monkeypatch):
        self.patch = monkeypatch.setattr
        self.compiled = []
        self.patch(for_accelerators, "MANY_ROWS", 2)
        self.switch(True)

    def switch(self, on):
        self.patch(for_torch, "ACCELERATORS", ("cpu",) if on else ())

    def by_kernel(self, function, *arguments):
        """Call a function as on the CPU."""
        self.switch(False)
        try:
            return function(*arguments)
        finally:
            self.switch(True)

    def run_graphs(self):
        """Do not compile."""

        def compile_graph(graph, **options):
            self.compiled.append(graph)
            return graph

        self.patch(torch, "compile", compile_graph)


@pytest.fixture
def device(monkeypatch):
    """Return an `Accelerator` that runs graphs operation by operation."""
    for_accelerators.kernels_of.cache_clear()
    found = Accelerator(monkeypatch)
    found.run_graphs()
    yield found
    for_accelerators.kernels_of.cache_clear()


every_case = pytest.mark.parametrize(
    ("size", "dtype", "word"), list(itertools.product((2, 3), DTYPES, WORDS))
)
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=["float32", "float64"])
every_size = pytest.mark.parametrize("size", [2, 3])


def rows_of(dtype, size, count=60):
    """Return limbs of every family, hostile ones too: target, r1, r2, side and the pole or None."""
    rng = np.random.default_rng([size, np.dtype(dtype).itemsize])
    parts = [make(name, dtype, size, count, rng) for name in FAMILIES]
    parts.append(make_bits(dtype, size, count, rng))
    return [
        None if each[0] is None else torch.tensor(np.concatenate(each))
        for each in zip(*parts, strict=True)
    ]


def given_of(values, word="clamp"):
    target, r1, r2, side, pole = values
    return {"target": target, "r1": r1, "r2": r2, "side": side, "pole": pole, "unreachable": word}


def moderate(size, dtype=torch.float64, count=50, seed=0):
    """Return limbs in reach and out of it, of which all are moderate."""
    rng = np.random.default_rng(seed)
    values = [
        *(rng.normal(size=(count, size)), *rng.uniform(0.4, 1.6, (2, count))),
        *(rng.choice([-1.0, 1.0], count), rng.normal(size=(count, size))),
    ]
    return [torch.tensor(v, dtype=dtype) for v in values[:4]] + (
        [torch.tensor(values[4], dtype=dtype)] if size == 3 else [None]
    )


def leaves(values):
    return [None if v is None else v.detach().clone().requires_grad_() for v in values]


def slopes(values, word, bars):
    """Return derivatives of a loss by target, r1, r2 and pole, side by side, and the answer."""
    values = leaves(values)
    found = twobone.reach(**given_of(values, word))
    loss = sum((torch.nan_to_num(part) * bar).sum() for part, bar in zip(found, bars, strict=False))
    wanted = [v for i, v in enumerate(values) if v is not None and i != 3]
    grads = torch.autograd.grad(loss, wanted)
    rows = len(values[0])
    return torch.cat([grad.reshape(rows, -1) for grad in grads], 1).double(), found


def assert_alike(found, wanted, limit=1e-6):
    """Compare derivatives, with the largest of each row."""
    largest = wanted.abs().amax(1)
    apart = (found - wanted).abs().amax(1)
    bad = ~(apart <= limit * largest)
    assert not bad.any(), (bad.nonzero().ravel(), found[bad], wanted[bad])


# --- values and derivatives ---------------------------------------------------------------


@every_case
def test_answers_are_those_of_the_cpu(device, size, dtype, word):
    assert_answers(device, size, dtype, word)


def assert_answers(device, size, dtype, word):
    """Compare rows of every family with those of the CPU, and with exact ones."""
    values = rows_of(dtype, size)
    given = given_of(values, word)
    found = twobone.reach(**given)
    wanted = device.by_kernel(lambda: twobone.reach(**given))
    assert torch.equal(found.status, wanted.status)
    # Other rows are those of the formula, bit for bit.
    limbs = for_torch.Given(*values, None, [1.0] * 3)
    policy = engine.policy_of_numbers([WORDS.index(word)])
    formula = for_torch.by_formula(limbs, policy, True, for_accelerators.PLAIN)
    hard, eps = are_hard(values), EPS[dtype]
    for part, other in zip(found[:2], formula[:2], strict=True):
        torch.testing.assert_close(part[hard], other[hard], rtol=0, atol=0, equal_nan=True)
    length = wanted.joint.abs().amax(-1) if word == "stretch" else given["r1"]
    length = torch.maximum(given["r1"], length)
    assert_near(found.joint[~hard], wanted.joint[~hard], length[~hard], eps)
    assert_near(found.end[~hard], wanted.end[~hard], wanted.end[~hard].abs().amax(-1), eps)
    if word != "clamp":
        return
    joint, target, side = found.joint.tolist(), given["target"].tolist(), given["side"].tolist()
    pole = [None] * len(joint) if given["pole"] is None else given["pole"].tolist()
    lengths = given["r1"].tolist(), given["r2"].tolist()
    rows = zip(joint, target, *lengths, side, pole, found.status.tolist(), strict=True)
    for joint, p, r1, r2, side, pole, code in list(rows)[::7]:
        if code not in (Status.AMBIGUOUS, Status.INVALID) and any(p):
            exact = exact_joint(p, r1, r2, int(side), pole)
            assert exact.error(joint, spacing(eps, r1)) <= BOUND


def assert_near(found, wanted, length, eps):
    """Compare vectors: each is within 2.5 eps of a length."""
    assert torch.equal(found.isnan(), wanted.isnan())
    apart = torch.nan_to_num(found.double() - wanted.double()).abs().amax(-1)
    assert (apart <= torch.nan_to_num(5.0 * eps * length.double())).all()


@every_case
def test_derivatives_are_those_of_the_cpu(device, size, dtype, word):
    assert_derivatives(device, size, dtype, word)


def assert_derivatives(device, size, dtype, word):
    """Compare slopes of rows of every family with those of the CPU."""
    if KERNEL is None:
        pytest.skip("no compiled kernel")
    values = rows_of(dtype, size)
    generator = np.random.default_rng(5)
    bars = torch.tensor(generator.normal(size=(2, *values[0].shape)).astype(dtype))
    found, _ = slopes(values, word, bars)
    wanted, _ = device.by_kernel(slopes, values, word, bars)
    hard = device.by_kernel(are_hard, values)
    assert 0 < hard.sum() < len(hard)
    assert_alike(found[~hard], wanted[~hard])


def are_hard(values):
    dtype, size = values[0].dtype, values[0].shape[-1]
    t = for_accelerators.REALS[dtype]
    limbs = for_accelerators._targets(size, *values)
    policy = engine.policy_of_numbers([0.0])
    return fused.solve(for_torch.EAGER, t, limbs, policy)[1]


@every_size
def test_golden_vectors(device, size):
    name = {2: "plane", 3: "space"}[size]
    table = json.loads((GOLDEN / f"{name}.json").read_text())
    columns = dict(zip(table["columns"], zip(*table["rows"], strict=True), strict=True))

    def column(name):
        numbers = [v if isinstance(v, int) else float.fromhex(v) for v in columns[name]]
        return torch.tensor(numbers, dtype=torch.float64)

    def vectors(prefix):
        return torch.stack([column(f"{prefix}{part}") for part in "xyz"[:size]], -1)

    policies = np.array(columns["unreachable"])
    for word in WORDS:
        rows = torch.tensor(np.nonzero(policies == word)[0])
        given = {"target": vectors("p"), **{n: column(n) for n in ("r1", "r2", "side")}}
        if size == 3:
            given["pole"] = vectors("n")
        given = {name: value[rows] for name, value in given.items()}
        found = twobone.reach(**given, unreachable=word)
        assert torch.equal(found.status, column("status")[rows].to(torch.int8))
        wanted = vectors("")[rows]
        assert_near(
            found.joint, wanted, torch.maximum(given["r1"], wanted.abs().amax(-1)), 2.0**-52
        )


def test_a_thin_second_bone_near_an_edge_has_exact_derivatives(device):
    """Where `r1 / y` and `x r1 / (d y)` nearly cancel, of the kernel too."""
    target = torch.tensor([[-0.21510443986523684, -0.32745007724057107]] * 2, dtype=torch.float64)
    r1 = torch.tensor(0.3917824308653613, dtype=torch.float64, requires_grad=True)
    bar = torch.tensor([-0.6122687481297199, 2.0021187846260236], dtype=torch.float64)

    def slope():
        joint = twobone.solve(target, r1, 6.775477803251314e-13, side=-1)
        return torch.autograd.grad((joint * bar).sum(), r1)[0].item() / 2

    exact = -1.91180133  # by mpmath, from the textbook's formula
    assert abs(slope() - exact) < 1e-8
    if KERNEL is not None:
        assert abs(device.by_kernel(slope) - exact) < 1e-8


def test_derivatives_too_large_for_the_type_are_finite(device):
    values = [value.float() for value in moderate(3)]
    values[:3] = [value * 1e20 for value in values[:3]]
    values[4] *= 1e-25
    assert not are_hard(values).any()
    found, _ = slopes(values, "clamp", torch.ones(2, 50, 3))
    values = [value.double() for value in values]
    wanted, _ = slopes(values, "clamp", torch.ones(2, 50, 3, dtype=torch.float64))
    largest = torch.finfo(torch.float32).max
    assert (wanted > largest).any()
    assert_alike(found, wanted.clamp(-largest, largest))


# --- which rows are moderate --------------------------------------------------------------


@every_dtype
@every_size
def test_usual_limbs_of_any_unit_are_moderate(size, dtype):
    for unit in (1e-6, 1.0, 45.0, 1e4):
        values = moderate(size, DTYPES[dtype], 100_000)
        values[:3] = [value * unit for value in values[:3]]
        assert not are_hard(values).any()


@every_dtype
@every_size
def test_special_rows_are_not_moderate(size, dtype):
    values = moderate(size, DTYPES[dtype], 9)
    target, r1, r2, side, pole = values
    target[0], target[1, 0], r1[2], r2[3], side[4], r1[5] = 0.0, np.nan, 0.0, -1.0, 0.5, 1e-30
    target[6] = np.inf
    if size == 3:
        pole[7], pole[8] = 0.0, 2.0 * target[8]
    assert are_hard(values).tolist() == [True] * 7 + [size == 3] * 2


# --- shapes and arguments -----------------------------------------------------------------


def compare(device, function, *arguments):
    """Compare a function of tensors, and its derivatives, with those of the CPU."""

    def answer():
        given = [a.detach().clone().requires_grad_() for a in arguments]
        found = function(*given)
        loss = torch.nan_to_num(found).square().sum()
        return [found.detach(), *torch.autograd.grad(loss, given, materialize_grads=True)]

    for part, other in zip(answer(), device.by_kernel(answer), strict=True):
        assert part.shape == other.shape
        assert part.dtype == other.dtype
        torch.testing.assert_close(part, other, rtol=1e-5, atol=1e-5, equal_nan=True)


@every_dtype
def test_arguments_broadcast(device, dtype):
    target, r1, r2, _, pole = moderate(3, DTYPES[dtype], 12)
    target[3] = 0.0
    grid = target.reshape(3, 4, 3)
    number = torch.tensor(0.9, dtype=target.dtype)

    def solve(target, r1, r2, pole):
        return twobone.solve(target, r1, r2, side=-1, pole=pole)

    compare(device, solve, grid, r1[:4], number, pole[0])
    compare(device, solve, grid, r1[:3, None], r2[:4], pole[:4])
    compare(device, solve, target[5], r1, r2, pole[1])
    compare(device, solve, target.T.contiguous().T, r1[:1], number, pole[:1])
    compare(device, solve, target[5].expand(7, 3), number, number, pole[5])
    compare(device, solve, target[::2], r1[1::2], r2[::2], pole.flip(0)[::2])
    compare(device, lambda t: twobone.solve_both(t, 1.0, 0.8, pole=[0, 0, 1]), target)
    compare(
        device, lambda t, root: twobone.reach(t, 1, 0.8, root=root, pole=pole).end, target, r1[:3]
    )
    assert len(device.compiled) > 8


@every_size
def test_no_rows_and_one_row(device, size):
    target, *_, pole = moderate(size, count=3)
    given = {"side": -1, "pole": None if pole is None else pole[0]}
    for count in (0, 1):
        compare(device, lambda t: twobone.solve(t, 1.0, 0.8, **given), target[:count])
    compare(device, lambda t: twobone.solve(t, 1.0, 0.8, **given), target[0])
    assert not device.compiled  # PyTorch would compile for one row again


@pytest.mark.parametrize("place", range(5))
def test_any_argument_may_be_the_one_that_is_differentiated(device, place):
    values = moderate(3)
    values[0][7] = 0.0
    values[place].requires_grad_()

    def slope():
        joint = twobone.solve(**given_of(values))
        return torch.autograd.grad(joint.square().sum(), values[place], allow_unused=True)[0]

    found = slope()
    if place == 3:
        assert found is None  # nothing can be differentiated by a side
    else:
        torch.testing.assert_close(found, device.by_kernel(slope))


def test_one_loss_may_use_joint_or_end_alone(device):
    values = moderate(3)
    for name in ("joint", "end"):
        compare(
            device,
            lambda t, k, name=name: getattr(
                twobone.reach(t, 1.0, 0.8, pole=k, unreachable="stretch"), name
            ),
            values[0],
            values[4],
        )


def test_rows_of_nan_stay_in_their_rows(device):
    values = moderate(3)
    values[0][4, 0] = np.nan
    found, _ = slopes(values, "clamp", torch.ones(2, 50, 3, dtype=torch.float64))
    assert torch.isfinite(found).all()
    assert (found[4] == 0.0).all()


def test_half_precision_and_numbers(device):
    target = moderate(2)[0]
    found = twobone.solve(target.half(), 1, np.float64(0.8))
    assert found.dtype == torch.float16
    assert device.compiled
    wanted = device.by_kernel(lambda: twobone.solve(target.half(), 1, np.float64(0.8)))
    torch.testing.assert_close(found, wanted)


# --- what kernels do not serve ------------------------------------------------------------


def test_small_batches_wait_until_compiling_pays(device):
    device.patch(for_accelerators, "MANY_ROWS", 40)
    device.patch(for_accelerators, "MANY_CALLS", 3)
    target = moderate(2)[0]
    for calls in range(1, 6):
        twobone.solve(target[:39], 1.0, 0.8)
        assert len(device.compiled) == (calls > 3)
    twobone.solve(target, 1.0, torch.full((50,), 0.8, dtype=torch.float64))
    assert len(device.compiled) == 2


@pytest.mark.parametrize("fault", ["raises", "wrong", "wrong slopes"])
def test_without_a_working_compiler_the_formula_serves(device, fault):
    def compile_badly(graph, **options):
        if fault == "raises":
            raise RuntimeError("no compiler\nand more lines")
        differentiates = any(node.name == "joint_bar" for node in graph.graph.nodes)
        if differentiates != (fault == "wrong slopes"):
            return graph
        return lambda *values: [
            1.1 * part if part.is_floating_point() else part for part in graph(*values)
        ]

    device.patch(torch, "compile", compile_badly)
    target = moderate(2)[0]

    def slope():
        leaf = target.clone().requires_grad_()
        return torch.autograd.grad(twobone.solve(leaf, 1.0, 0.8).square().sum(), leaf)[0]

    words = "no compiler$" if fault == "raises" else "not those of the formula"
    with pytest.warns(RuntimeWarning, match=f"cpu: limbs are solved by single .*{words}"):
        found = slope()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = slope()  # it is not tried again
    wanted = device.by_kernel(slope)
    torch.testing.assert_close(found, wanted)
    torch.testing.assert_close(again, wanted)


@pytest.mark.parametrize(("place", "what"), [(0, "joints"), (1, "joints"), (2, "statuses")])
def test_a_kernel_with_one_wrong_result_is_not_used(device, place, what):
    def compile_badly(graph, **options):
        def wrong(*values):
            found = list(graph(*values))
            found[place] = found[place] + 1
            return found

        return wrong

    device.patch(torch, "compile", compile_badly)
    target = moderate(2)[0]
    with pytest.warns(RuntimeWarning, match=f"its {what} are not those of the formula"):
        found = twobone.reach(target, 1.0, 0.8)
    wanted = device.by_kernel(twobone.reach, target, 1.0, 0.8)
    torch.testing.assert_close(tuple(found), tuple(wanted))


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_policy_objects_and_transforms_use_the_formula(device):
    target = moderate(2)[0]
    twobone.solve(target, 1.0, 0.8, unreachable=Soft(0.1))

    def solve(target):
        return twobone.solve(target, 1.0, 0.8)

    jacobian = F.vmap(F.jacrev(solve))(target)
    torch.testing.assert_close(jacobian, F.vmap(F.jacfwd(solve))(target))
    tangent = F.jvp(solve, (target,), (torch.ones_like(target),))[1]
    torch.testing.assert_close(tangent, jacobian.sum(-1))
    assert not device.compiled
    compiled = COMPILE(solve, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(target), device.by_kernel(solve, target))
    assert not device.compiled


def test_modes_of_pytorch(device):
    target = moderate(2)[0]
    with torch.device("cpu"):  # as `torch.set_default_device`
        twobone.solve(target, 1.0, 0.8)
    assert len(device.compiled) == 1
    with torch.inference_mode():
        assert twobone.solve(target, 1.0, 0.8).is_inference()
    from torch._subclasses import FakeTensorMode

    with FakeTensorMode() as mode:
        assert twobone.solve(mode.from_tensor(target), 1.0, 0.8).shape == target.shape
    assert len(device.compiled) == 1


def test_derivatives_of_derivatives(device):
    target = moderate(2)[0][:6].requires_grad_()
    lengths = torch.tensor([1.0, 0.8], dtype=torch.float64, requires_grad=True)

    def solve(target, lengths):
        return twobone.solve(target, lengths[0], lengths[1])

    assert torch.autograd.gradcheck(solve, (target, lengths))
    assert torch.autograd.gradgradcheck(solve, (target, lengths))
    joint = solve(target, lengths)
    batch = torch.ones(3, *joint.shape, dtype=torch.float64)
    (found,) = torch.autograd.grad(joint, target, batch, is_grads_batched=True)
    assert found.shape == (3, 6, 2)
    assert device.compiled


def test_a_graph_that_is_not_compiled_keeps_rounding_errors():
    a = torch.tensor([1.0 + 2.0**-20, 0.1], dtype=torch.float32)
    lost = for_accelerators.fma(a, a, -(a * a))
    wanted = (a.double() ** 2 - (a * a).double()).float()
    assert torch.equal(lost, wanted)
    assert lost.all()


# Both sizes, both types and all words, each once at least: what graphs show needs no compiler, and
# test_torch_operators.py compiles one.
@pytest.mark.parametrize(
    ("size", "dtype", "word"),
    nightly((2, np.float32, "nan"), (3, np.float32, "clamp"), (3, np.float64, "stretch")),
)
def test_inductor_makes_one_kernel_each_way_that_answers_as_the_cpu(monkeypatch, size, dtype, word):
    from torch._inductor import metrics

    for_accelerators.kernels_of.cache_clear()
    device = Accelerator(monkeypatch)
    metrics.reset()
    assert_answers(device, size, dtype, word)
    assert metrics.generated_kernel_count == 1
    assert_derivatives(device, size, dtype, word)
    assert metrics.generated_kernel_count == 2
