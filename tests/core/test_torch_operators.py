"""PyTorch on the CPU: the kernel as operators, forward and backward, in every mode of PyTorch."""

import itertools
import operator

import numpy as np
import pytest

import twobone
from engines import KERNEL
from twobone import Limits, Soft, Status, Stretch, errors
from twobone.core import engine

torch = pytest.importorskip("torch", reason="torch is not installed")
if KERNEL is None:
    pytest.skip("the kernel is not built", allow_module_level=True)

from twobone.core import for_torch, torch_graphs, torch_programs  # noqa: E402

CHAIN = Limits(20, 170) | Soft(0.1) | Stretch(1.2)
POLICIES = ["clamp", "stretch", "nan", Soft(0.1), CHAIN]
F = torch.func


class Unknown(twobone.Policy):
    """Leaves every end where it is: "clamp", as a policy that the kernel does not know."""

    def place(self, xp, distance, inner, outer):
        return distance


def limbs(size, dtype=torch.float64, count=60, seed=0):
    """Return target, r1, r2, side and pole: in reach and out of it, and special ones."""
    rng = np.random.default_rng(seed)
    r1, r2 = rng.uniform(0.4, 1.6, (2, count))
    way = rng.normal(size=(count, size))
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    distance = rng.uniform(0.05, 1.4, count) * (r1 + r2)
    distance[:3] = 0.0, (r1 + r2)[1], abs(r1 - r2)[2]
    target, pole = way * distance[:, None], rng.normal(size=(count, size))
    pole[3], target[4, 0] = target[3], np.nan
    values = [target, r1, r2, rng.choice([-1.0, 1.0], count), *([pole] if size == 3 else [])]
    return [torch.tensor(value, dtype=dtype) for value in values]


def solve(*values, **options):
    """Solve with a pole or without."""
    target, r1, r2, side, *pole = values
    return twobone.solve(target, r1, r2, side=side, pole=pole[0] if pole else None, **options)


def slopes_by_formula(function, values, bars):
    """Return derivatives by the formula, which the transforms of `torch.func` use."""
    return F.vjp(function, *values)[1](bars)


def leaves(values):
    return [value.detach().clone().requires_grad_() for value in values]


# --- values -------------------------------------------------------------------------------


@pytest.mark.parametrize("records", [False, True])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("size", [2, 3])
def test_values_are_those_of_numpy(size, dtype, policy, records):
    values = limbs(size, dtype)
    arrays = [value.numpy() for value in values]
    given = leaves(values) if records else values
    np.testing.assert_array_equal(
        solve(*given, unreachable=policy).detach(), solve(*arrays, unreachable=policy)
    )
    options = {"side": -1, "unreachable": policy, "root": arrays[0][5]}
    target, r1, r2, _, *pole = given
    options["pole"] = pole[0] if pole else None
    found = twobone.reach(target, r1, r2, **options)
    options["pole"] = arrays[4] if pole else None
    for part, wanted in zip(found, twobone.reach(*arrays[:3], **options), strict=True):
        np.testing.assert_array_equal(part.detach(), wanted)
    assert found.joint.requires_grad == found.end.requires_grad == records
    assert not found.status.requires_grad
    both = twobone.solve_both(target, r1, r2, pole=pole[0] if pole else None)
    wanted = twobone.solve_both(*arrays[:3], pole=arrays[4] if pole else None)
    np.testing.assert_array_equal(both.detach(), wanted)


def test_numbers_lists_and_tensors_mix():
    target = torch.tensor([[1.0, 0.5, 0.2], [0.1, 0.7, -0.3]], dtype=torch.float32)
    wanted = twobone.solve(target.numpy(), 1.0, 0.8, pole=[0, 0, 1])
    for r1, pole in itertools.product(
        [1, 1.0, np.float64(1.0), torch.tensor(1.0), torch.tensor(1.0, requires_grad=True)],
        [[0, 0, 1], np.array([0, 0, 1]), torch.tensor([0.0, 0.0, 1.0])],
    ):
        found = twobone.solve(target, r1, 0.8, pole=pole)
        assert found.dtype == torch.float32
        np.testing.assert_array_equal(found.detach(), wanted)


def test_every_layout_of_memory_is_solved():
    target, r1, r2, side, pole = limbs(3)
    wanted = solve(target, r1, r2, side, pole).numpy()
    turned = target.t().contiguous().t()
    spread = torch.stack([target, target], dim=-1)[..., 0]
    flipped = torch.complex(target, -target).conj().imag  # its sign is a flag
    for other in (turned, spread, flipped):
        np.testing.assert_array_equal(solve(other, r1, r2, side, pole), wanted)
        leaf = other.detach().requires_grad_()
        solve(leaf, r1, r2, side, pole).nansum().backward()
        assert leaf.grad.shape == target.shape
    same = target[5].expand(7, 3).requires_grad_()
    (slope,) = torch.autograd.grad(twobone.solve(same, 1.0, 0.8, pole=pole[5]).sum(), same)
    assert slope.shape == (7, 3)
    empty = torch.zeros(0, 3, requires_grad=True)
    twobone.solve(empty, 1.0, 0.8, pole=[0, 0, 1]).sum().backward()
    assert empty.grad.shape == (0, 3)


# --- derivatives --------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_derivatives_are_those_of_the_formula(size, policy):
    values = limbs(size)
    bars = torch.tensor(np.random.default_rng(2).normal(size=(60, size)))

    def joint(*values):
        return torch.nan_to_num(solve(*values, unreachable=policy))

    def end(*values):
        target, r1, r2, side, *pole = values
        options = {"side": side, "pole": pole[0] if pole else None, "unreachable": policy}
        return torch.nan_to_num(twobone.reach(target, r1, r2, **options).end)

    for function in (joint, end):
        given = leaves(values)
        found = torch.autograd.grad(function(*given), given, bars, allow_unused=True)
        for i, wanted in enumerate(slopes_by_formula(function, values, bars)):
            if i == 3:
                assert found[i] is None  # of the side, by which nothing can be differentiated
            else:
                scale = 1.0 + wanted.abs().max()
                np.testing.assert_allclose(found[i], wanted, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("place", range(5))
def test_any_argument_may_be_the_one_that_is_differentiated(place):
    values = limbs(3)
    values = [values[0][5:8], values[1][5], values[2][5], torch.tensor(1.0).double(), values[4][5]]
    values[place].requires_grad_()
    joint = solve(*values)
    if place == 3:
        assert torch.autograd.grad(joint.sum(), values[3], allow_unused=True) == (None,)
        return
    (found,) = torch.autograd.grad(joint.sum(), values[place])
    wanted = slopes_by_formula(solve, [v.detach() for v in values], torch.ones(3, 3).double())
    np.testing.assert_allclose(found, wanted[place], rtol=1e-10, atol=1e-12)


def test_one_loss_may_use_joint_and_end():
    target, r1, r2, _, pole = limbs(3)
    target.requires_grad_()
    found = twobone.reach(target, r1, r2, pole=pole, unreachable=Soft(0.2))
    together = torch.autograd.grad((found.joint * found.end).nansum(), target, retain_graph=True)[0]
    joint = torch.autograd.grad(
        (found.joint * found.end.detach()).nansum(), target, retain_graph=True
    )
    end = torch.autograd.grad((found.joint.detach() * found.end).nansum(), target)
    np.testing.assert_allclose(together, joint[0] + end[0], rtol=1e-12, atol=1e-12)


def test_rows_of_nan_stay_in_their_rows():
    target, r1, r2, _, pole = limbs(3)
    for value in (target, r1, r2, pole):
        value.requires_grad_()
    twobone.solve(target, r1, r2, pole=pole).nansum().backward()
    for value in (target, r1, r2, pole):
        assert torch.isfinite(value.grad).all()
        assert (value.grad[4] == 0.0).all()


@pytest.mark.parametrize("policy", ["clamp", CHAIN], ids=repr)
def test_second_derivatives(policy):
    values = [value[[6, 8, 9]] for value in limbs(3)]
    values[1] = values[1][0]  # of a shape of its own
    given = leaves(values)

    def joint(target, r1, r2, pole):
        return solve(target, r1, r2, values[3], pole, unreachable=policy)

    arguments = given[:3] + given[4:]
    assert torch.autograd.gradcheck(joint, arguments)
    assert torch.autograd.gradgradcheck(joint, arguments)


def test_second_derivatives_where_one_argument_depends_on_another():
    target = torch.tensor([[0.9, 0.5, 0.1]], dtype=torch.float64)

    def loss(r1):
        joint = twobone.solve(target * r1, r1, 0.8, pole=[0, 0, 1])
        return (joint * joint).sum() + joint[..., 1].sum()

    r1 = torch.tensor(1.1, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(loss(r1), r1, create_graph=True)
    (second,) = torch.autograd.grad(first, r1)
    wanted = F.grad(F.grad(loss))(r1.detach())
    np.testing.assert_allclose(second.item(), wanted.item(), rtol=1e-10)


# --- modes of PyTorch ---------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_transforms_and_forward_mode_use_the_formula():
    target, r1, r2, side, pole = (value[5:9] for value in limbs(3))

    def joint(target):
        return solve(target, r1, r2, side, pole)

    backward = F.jacrev(joint)(target)
    np.testing.assert_allclose(F.jacfwd(joint)(target), backward, atol=1e-12)
    given = target.clone().requires_grad_()
    eager = torch.autograd.functional.jacobian(joint, given)
    np.testing.assert_allclose(eager, backward, atol=1e-12)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(target, torch.ones_like(target))
        tangent = torch.autograd.forward_ad.unpack_dual(joint(dual)).tangent
    np.testing.assert_allclose(tangent, backward.sum((-1, -2)), atol=1e-12)
    one = F.vmap(lambda *values: solve(*values))(target, r1, r2, side, pole)
    np.testing.assert_array_equal(one, joint(target))


@pytest.mark.parametrize("policy", ["clamp", CHAIN], ids=repr)
def test_compiled_as_one_graph(policy):
    values = limbs(3)

    def loss(*values):
        target, r1, r2, _, pole = values
        joint = solve(*values, unreachable=policy)
        found = twobone.reach(target, r1, 0.8, pole=[0, 0, 1], root=pole, unreachable=policy)
        both = twobone.solve_both(target, 1.0, r2, pole=pole)
        return joint.nansum() + found.end.nansum() + both.nansum() + found.status.sum()

    given, others = leaves(values), leaves(values)
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager", dynamic=True)
    eager = loss(*given)
    assert compiled(*others).item() == eager.item()
    compiled(*others).backward()
    eager.backward()
    for value, other in zip(given, others, strict=True):
        assert value.grad is None or torch.equal(value.grad, other.grad)
    few = [value[:7] for value in values]
    assert compiled(*few).item() == loss(*few).item()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated")
def test_compiled_by_inductor():
    values = leaves(limbs(3, torch.float32))
    compiled = torch.compile(lambda *values: (2.0 * solve(*values)).sin(), fullgraph=True)
    try:
        found = compiled(*values)
    except Exception as error:
        if "compiler" in str(error).lower():
            pytest.skip("there is no C++ compiler")
        raise
    np.testing.assert_allclose(found.detach(), (2.0 * solve(*values)).sin().detach(), rtol=1e-6)
    assert torch.autograd.grad(found.nansum(), values[0])[0].shape == (60, 3)


@pytest.mark.parametrize("policy", ["clamp", Soft(0.1) | Unknown()], ids=repr)
def test_a_length_may_be_too_large_for_the_dtype(policy):
    target = torch.tensor([[1.0, 0.5]])
    solve = operator.methodcaller("solve", target, 1e300, 1.0, unreachable=policy)
    assert solve(twobone).isnan().all()
    of_rows = F.vmap(lambda t: twobone.solve(t, 1e300, 1.0, unreachable=policy))
    assert of_rows(target).isnan().all()


def test_a_pole_of_numpy_goes_with_a_tensor():
    target, pole = [1.0, 2.0, 0.5], np.array([0.0, 0.0, 1.0])
    found = twobone.solve(torch.tensor(target, dtype=torch.float64), 1.0, 1.5, pole=pole)
    np.testing.assert_array_equal(found.numpy(), twobone.solve(target, 1.0, 1.5, pole=pole))


@pytest.mark.filterwarnings("ignore:.*Dynamo does not know how to trace")
def test_a_compiled_function_may_solve_a_list():
    def moved(t):
        return t + float(twobone.solve([1.0, 2.0], 1.0, 1.5)[0])

    found = torch.compile(moved, backend="eager")(torch.ones(2))
    torch.testing.assert_close(found, moved(torch.ones(2)))


@pytest.mark.parametrize("strict", [False, True])
def test_exported(strict):
    class Leg(torch.nn.Module):
        def forward(self, target):
            return twobone.reach(target, 1.0, 0.8, pole=[0, 0, 1], unreachable=Soft(0.1))

    target = limbs(3)[0]
    batch = torch.export.Dim("batch", min=2, max=1000)
    program = torch.export.export(
        Leg(), (target,), strict=strict, dynamic_shapes={"target": {0: batch}}
    )
    assert "twobone.reach" in str(program.graph)
    for some in (target, target[:9]):
        for found, wanted in zip(program.module()(some), Leg()(some), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("name", ["solve", "reach", "pull"])
def test_the_operators_keep_the_rules_of_operators(name, by_row):
    target, r1, _, _, pole = (value[5:8] for value in limbs(3))
    policy, steps = [0.0], None
    if by_row:
        policy, steps = [engine.BY_ROW, 0.0], torch.tensor([[0.0, 0.3, 0.0, 0.0, 0.0]] * 3)
        steps = steps.to(target.dtype).requires_grad_()
    arguments = (target, r1[0], None, None, pole, steps, [1.0, 0.8, 1.0, *policy])
    if name == "pull":
        arguments = (*arguments, target, pole, [True, False, False, True, by_row])
    torch.library.opcheck(getattr(torch.ops.twobone, name).default, arguments)


def test_autocast_changes_nothing():
    target, _, _, _, pole = limbs(3, torch.float32)
    leaf = target.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        joint = twobone.solve(leaf, 1.0, 0.8, pole=pole)
    assert joint.dtype == torch.float32
    joint.nansum().backward()
    assert leaf.grad.dtype == torch.float32


def test_no_grad_and_inference_mode():
    target = torch.tensor([1.0, 0.5], requires_grad=True)
    with torch.no_grad():
        assert not twobone.solve(target, 1.0, 0.8).requires_grad
    with torch.inference_mode():
        assert twobone.solve(target, 1.0, 0.8).is_inference()
    assert twobone.solve(torch.nn.Parameter(target), 1.0, 0.8).requires_grad


# --- other ways, and errors ---------------------------------------------------------------


def test_policies_of_the_users_own_and_long_chains_use_the_formula():
    target = torch.tensor([[1.0, 0.5], [3.0, 0.0]], dtype=torch.float64, requires_grad=True)
    wanted = torch.autograd.grad(twobone.solve(target, 1.0, 0.8).sum(), target)[0]
    long = Limits()
    for _ in range(KERNEL.MOST_STEPS):
        long = long | Limits()
    for policy in (Unknown(), long):
        joint = twobone.solve(target, 1.0, 0.8, unreachable=policy)
        np.testing.assert_allclose(torch.autograd.grad(joint.sum(), target)[0], wanted, atol=1e-12)


def test_raise_raises_in_eager_mode_and_is_refused_by_compilers():
    target = torch.tensor([[1.0, 0.5], [3.0, 0.0]], requires_grad=True)

    def strict(target):
        return twobone.solve(target, 1.0, 0.8, unreachable="raise")

    strict(target[:1]).sum().backward()
    with pytest.raises(errors.UnreachableError) as raised:
        strict(target)
    assert raised.value.statuses == [Status.TOO_FAR]
    with pytest.raises(Exception, match=r"raise.*needs values"):
        torch.compile(strict, fullgraph=True, backend="eager")(target[:1].detach())


@pytest.mark.parametrize("way", ["eager", "compiled", "one graph"])
@pytest.mark.parametrize(
    ("values", "name"),
    [
        ((torch.ones(4), 1.0, 0.8, None), "target"),
        ((torch.ones(3), 1.0, 0.8, None), "pole"),
        ((torch.ones(2), 1.0, 0.8, torch.ones(3)), "pole"),
        ((torch.ones(5, 3), torch.ones(4), 0.8, torch.ones(3)), "r1"),
        ((torch.ones(3), torch.ones(()).bool(), 0.8, torch.ones(3)), "r1"),
        ((torch.ones(3), 1.0, 0.8, torch.ones(3).cfloat()), "pole"),
        ((torch.ones(3), 1.0, torch.ones(2, device="meta"), torch.ones(3)), "r2"),
        ((torch.eye(3).to_sparse(), 1.0, 0.8, torch.ones(3)), "target"),
        ((torch.ones(3), "1", 0.8, torch.ones(3)), "r1"),
    ],
)
def test_errors_name_the_argument(values, name, way):
    def call(target, r1, r2, pole):
        return twobone.solve(target, r1, r2, pole=pole)

    torch.compiler.reset()
    if way == "one graph":
        if values[0].is_sparse or isinstance(values[1], str):
            return  # the compiler refuses them itself
        # It raises its own error, which shows ours.
        with pytest.raises(Exception, match=rf"(Shape|ArrayType)Error\('`{name}` must"):
            torch.compile(call, fullgraph=True, backend="eager")(*values)
        return
    function = call if way == "eager" else torch.compile(call, backend="eager")
    with pytest.raises(errors.TwoBoneError, match=f"`{name}` must"):
        function(*values)


# --- all kinds of arguments in compiled programs ------------------------------------------


def one_graph(function):
    torch.compiler.reset()  # what earlier tests compiled does not count against its limit
    return torch.compile(function, fullgraph=True, backend="aot_eager")


MIXED = {
    "a list as target": lambda t: twobone.solve([0.3, 0.9, 0.2], t[:, 0], 0.8, pole=[0, 0, 1]),
    "a list of tensors": lambda t: twobone.solve([t[0, 0], t[0, 1], 0.5], 1, 0.8, pole=[0, 0, 1]),
    "integers": lambda t: twobone.solve((9 * t).int(), 2, torch.tensor(3), pole=t),
    "float32 and float64": lambda t: twobone.solve(t.float(), t[:, 0], 0.8, pole=t),
    "NumPy arrays": lambda t: twobone.solve(t, np.ones(4), np.float64(0.8), pole=np.ones(3)),
    "both solutions": lambda t: twobone.solve_both(t, 1, 0.8, pole=[0, 0, 1]),
    "a root": lambda t: twobone.reach(t, 1.0, 0.8, pole=t, root=[0.1, 0.0, 0.2]).joint,
    "a policy made inside": lambda t: twobone.solve(
        t, 1.0, 0.8, pole=t.flip(1), unreachable=Limits(20, 170) | Soft(0.1) | Stretch(1.2)
    ),
    "a policy of one's own": lambda t: twobone.solve(t, 1.0, 0.8, pole=t, unreachable=Unknown()),
    "vmap": lambda t: F.vmap(lambda p: twobone.solve(p, 1.0, 0.8, pole=[0, 0, 1]))(t),
    "jacrev": lambda t: F.jacrev(lambda p: twobone.solve(p, 1.0, 0.8, pole=[0, 0, 1]))(t),
    "jacfwd": lambda t: F.jacfwd(lambda p: twobone.solve(p, 1.0, 0.8, pole=[0, 0, 1]))(t),
}


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("name", MIXED)
def test_compilers_follow(name):
    target = limbs(3)[0][5:9].clone()  # PyTorch's compiled forward mode refuses views
    found, wanted = one_graph(MIXED[name])(target), MIXED[name](target)
    assert found.dtype == wanted.dtype
    if name.startswith(("jac", "a policy of one")):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_array_equal(found, wanted)


def test_a_compiled_call_is_one_operator_that_calls_python_once():
    from functorch.compile import make_boxed_func

    graphs = {}

    def remember(name):
        def keep(graph, _):
            graphs[name] = [node for node in graph.graph.nodes if node.op == "call_function"]
            return make_boxed_func(graph.forward)

        return keep

    def follow(graph, given):
        remember("followed")(graph, given)
        return graph.forward

    target = limbs(3)[0].requires_grad_()
    torch.compiler.reset()

    def call(t):
        return twobone.solve(t, 1.0, 0.8, pole=[0, 0, 1])

    torch.compile(call, fullgraph=True, backend=follow)(target)
    followed = [node.target for node in graphs["followed"]]
    assert followed == [torch_graphs.call, operator.getitem]
    ways = {"fw_compiler": remember("forward"), "bw_compiler": remember("backward")}
    backend = torch._dynamo.backends.common.aot_autograd(**ways)
    torch.compiler.reset()
    torch.compile(call, fullgraph=True, backend=backend)(target).sum().backward()
    for way, name in (("forward", "solve_values"), ("backward", "pull_values")):
        ours = [str(node.target) for node in graphs[way] if "twobone" in str(node.target)]
        assert ours == [f"twobone.{name}.default"]


def test_numbers_may_change_between_calls_of_a_compiled_function():
    target = limbs(3)[0]
    compiled = one_graph(lambda t, r1: twobone.solve(t, r1, 0.8, pole=[0, 0, 1]))
    for r1 in (1.0, 1.1, 1.2, 2):
        wanted = twobone.solve(target, r1, 0.8, pole=[0, 0, 1])
        np.testing.assert_array_equal(compiled(target, r1), wanted)


ARGUMENTS_THAT_CHANGE = {
    "integers in lists": ("side", [1, -1, 1], [-1, 1, 1]),
    "lengths in lists": ("r1", [1, 2, 3], [1, 2, 4]),
    "parameters of other batches": ("soft", torch.full((3,), 0.1), torch.full((4,), 0.1)),
}


@pytest.mark.parametrize("name", ARGUMENTS_THAT_CHANGE)
def test_arguments_may_change_between_calls_of_a_compiled_function(name):
    keyword, *values = ARGUMENTS_THAT_CHANGE[name]

    def call(target, value):
        if keyword == "soft":
            return twobone.solve(target, 1.0, 0.8, unreachable=Soft(value))
        return twobone.solve(target, **{"r1": 1.0, "r2": 0.8, keyword: value})

    compiled = one_graph(call)
    for value in values:
        target = torch.ones(len(value), 2)
        np.testing.assert_array_equal(compiled(target, value), call(target, value))


def test_tensors_without_memory_keep_their_way_in_graphs():
    target = torch.ones(4, 2, device="meta")
    torch.compiler.reset()
    solve = torch.compile(lambda t: twobone.solve(t, 1.0, 0.8), fullgraph=True, backend="eager")
    assert solve(target).device.type == "meta"
    assert solve(target).shape == (4, 2)


@pytest.mark.parametrize("whole", [False, True])
def test_batches_of_gradients(whole):
    values = [value[5:8] for value in limbs(3)]
    target, r1, _, _, pole = given = leaves([values[0], values[1], *values[2:]])
    pole = pole[0]
    found = twobone.reach(target, r1, given[2], pole=pole)
    out = found.joint + found.end if whole else twobone.solve(target, r1, given[2], pole=pole)
    bars = torch.eye(9, dtype=torch.float64).reshape(9, 3, 3)
    ways = target, r1, pole
    together = torch.autograd.grad(out, ways, bars, is_grads_batched=True, retain_graph=True)
    for i, bar in enumerate(bars):
        one = torch.autograd.grad(out, ways, bar, retain_graph=True)
        for many, single in zip(together, one, strict=True):
            np.testing.assert_allclose(many[i], single, rtol=1e-9, atol=1e-12)


def test_the_default_device_does_not_matter():
    target = limbs(3)[0][5:9]
    torch.set_default_device("meta")
    try:
        joint = twobone.solve(target, 1.0, 0.8, pole=[0, 0, 1])
        both = twobone.solve_both(target, 1.0, 0.8, pole=[0, 0, 1])
    finally:
        torch.set_default_device(None)
    np.testing.assert_array_equal(joint, both[:, 0])


@pytest.mark.parametrize("records", [False, True])
def test_modes_of_functions_and_of_operations_see_an_operator(records):
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Functions(TorchFunctionMode):
        def __torch_function__(self, function, types, arguments=(), options=None):
            seen.append(str(function))
            return function(*arguments, **(options or {}))

    class Operations(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), options=None):
            seen.append(str(function))
            return function(*arguments, **(options or {}))

    target = limbs(3)[0][5:9].requires_grad_(records)
    for mode in (Functions, Operations):
        seen = []
        with mode():
            joint = twobone.solve(target, 1.0, 0.8, pole=[0, 0, 1])
        assert any("twobone.solve" in name for name in seen)
        wanted = twobone.solve(target, 1.0, 0.8, pole=[0, 0, 1])
        np.testing.assert_array_equal(joint.detach(), wanted.detach())


def test_other_subclasses_of_tensors_use_the_formula():
    class Mine(torch.Tensor):
        pass

    target = limbs(3)[0][5:9]
    joint = twobone.solve(target.as_subclass(Mine), 1.0, 0.8, pole=[0, 0, 1])
    assert type(joint) is Mine
    wanted = twobone.solve(target, 1.0, 0.8, pole=[0, 0, 1])
    np.testing.assert_allclose(joint.as_subclass(torch.Tensor), wanted, rtol=1e-14)


def test_arguments_that_change_after_the_call_are_noticed():
    target = limbs(3)[0][5:9].requires_grad_()
    moved = 1.0 * target
    joint = twobone.solve(moved, 1.0, 0.8, pole=[0, 0, 1])
    moved.add_(1.0)
    with pytest.raises(RuntimeError, match="inplace operation"):
        joint.sum().backward()


def test_releases_of_pytorch_without_its_private_names_use_the_formula(monkeypatch):
    target = limbs(3)[0][5:9].requires_grad_()

    def both():
        joint = twobone.solve(target, 1.0, 0.8, pole=[0, 0, 1])
        return type(joint.grad_fn), joint.detach(), torch.autograd.grad(joint.sum(), target)[0]

    operator, *wanted = both()
    monkeypatch.setattr(for_torch, "is_transformed", lambda: True)
    assert not for_torch.may_operate()
    formula, *found = both()
    assert formula is not operator
    for part, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(part, other, rtol=1e-12, atol=1e-12)


# --- programs and policies ---------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "?", "c" * 100])
def test_wrong_programs_are_refused(text):
    with pytest.raises(Exception, match=r"."):
        torch_programs.run_program([torch.zeros(3, 2)], text)


@pytest.mark.parametrize("policy", [Soft(0.1), Soft(0.2) | Stretch(1.5), Limits(10, 170), "nan"])
def test_policies_are_told_to_graphs_as_words_and_numbers(policy):
    assert torch_graphs.policy_of(torch_graphs.told(policy)) == policy
