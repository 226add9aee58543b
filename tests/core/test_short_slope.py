"""The short formula that PyTorch and JAX differentiate: derivatives and bits of `blocks.any`."""

import contextlib
from typing import Any

import numpy as np
import pytest

import twobone
from differentiated import (
    NAMES,
    POLICIES,
    assert_close,
    by_torch,
    nearly_parallel,
    random_limbs,
    special_limbs,
)
from twobone import Limits, Policy, Soft, Stretch
from twobone.core import answer, arrays, blocks, policies, slopes
from twobone.core.exact import FLOAT32, FLOAT64

torch = pytest.importorskip("torch", reason="torch is not installed")

# PyTorch itself calls it when forward derivatives are first taken.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")

LIMBS = [random_limbs, special_limbs]


def limbs_of(draw, size):
    return draw(size, 3000) if draw is random_limbs else draw(size)


def by_slopes(values, policy):
    """Return the derivatives of joint and end by the short formula."""
    return by_torch(values, policy, slopes.any)


def library_and(values, dtype="float64", *, differentiable=False):
    """Return PyTorch as a library, its constants of a dtype, and limbs as its `Targets`."""
    library = arrays.library_of({"target": torch.zeros(2)})
    given = {name: torch.tensor(v, dtype=getattr(torch, dtype)) for name, v in values.items()}
    for name in NAMES:
        if name in given and differentiable:
            given[name].requires_grad_()
    pole = given["pole"].unbind(-1) if "pole" in given else ()
    r1, r2, side = (given[name] for name in ("r1", "r2", "side"))
    targets = answer.Targets(given["target"].unbind(-1), r1, r2, side, pole)
    real = FLOAT64 if dtype == "float64" else FLOAT32
    return library, real._replace(constant=library.constant), given, targets


# --- first derivatives --------------------------------------------------------------------


@pytest.mark.parametrize("draw", LIMBS)
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_derivatives_are_those_of_the_whole_formula(size, policy, draw):
    values = limbs_of(draw, size)
    with np.errstate(all="ignore"):
        wanted = by_torch(values, policy)
    found = by_slopes(values, policy)
    assert np.all(np.isfinite(found))
    # Where the exact derivative is too large for a float, PyTorch may find anything.
    known = np.all(np.abs(wanted) < 1e250, axis=(-2, -1))
    if policy == "stretch":  # very far away, those of the whole formula are wrong; see below
        known &= np.max(np.abs(values["target"]), axis=-1) < 1e100
    assert np.mean(known) > 0.8
    assert_close(found[known], wanted[known], 1e-12)


@pytest.mark.parametrize("size", [2, 3])
def test_very_far_away_a_stretched_joint_moves_half_as_far_as_the_target(size):
    values = special_limbs(size)
    far = np.max(np.abs(values["target"]), axis=-1) > 1e100
    values = {name: value[far] for name, value in values.items()}
    found = by_slopes(values, "stretch")[:, :size, : size + 2]
    wanted = np.concatenate([0.5 * np.eye(size), np.zeros((size, 2))], axis=-1)
    np.testing.assert_allclose(found, np.broadcast_to(wanted, found.shape), atol=1e-15)


@pytest.mark.parametrize("draw", LIMBS)
@pytest.mark.parametrize("policy", ["clamp", "stretch", Soft(0.05), Limits(20, 170)], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_float32_limbs_have_the_derivatives_of_the_same_numbers(size, policy, draw):
    largest = float(np.finfo(np.float32).max)
    narrow = {
        name: np.clip(value, -largest, largest).astype(np.float32)
        for name, value in limbs_of(draw, size).items()
    }
    exact = {name: value.astype(np.float64) for name, value in narrow.items()}
    if size == 3:  # a pole within a few roundings of the target's line counts as along it
        exact["pole"][nearly_parallel(exact["target"], exact["pole"])] = 0.0
    wanted = by_torch(exact, policy)
    library, real, given, targets = library_and(narrow, "float32", differentiable=True)
    found = slopes.any(library, real, targets, policies.resolve(policy))
    rows, count = [], len(narrow["r1"])
    for part in (*found.joint, *found.end):
        by = [given[name] for name in NAMES if name in given]
        columns = torch.autograd.grad(part.sum(), by, retain_graph=True, materialize_grads=True)
        rows.append(np.concatenate([c.numpy().reshape(count, -1) for c in columns], axis=-1))
    found = np.stack(rows, axis=-2).astype(np.float64)
    small = np.max(np.abs(wanted), axis=(-2, -1)) < 1e30
    assert np.mean(small) > 0.9
    # Pairs of float32 hold 48 digits, which limits what is known of limbs at an edge.
    assert_close(found[small], wanted[small], 2e-6)


# --- values -------------------------------------------------------------------------------


def assert_same_bits(found, wanted):
    """Compare all bits of floats but those of NaN."""
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_values_have_the_bits_of_the_whole_formula(size, policy, dtype):
    limbs = [random_limbs(size, 1000), special_limbs(size)]
    values = {name: np.concatenate([part[name] for part in limbs]) for name in limbs[0]}
    largest = float(np.finfo(dtype).max)
    values = {name: np.clip(value, -largest, largest) for name, value in values.items()}
    values["target"][3, 1], values["r1"][5], values["r2"][7] = np.nan, -1.0, np.inf
    values["side"][9] = 0.5
    library, real, _, targets = library_and(values, dtype)
    wanted = blocks.any(library, real, targets, policies.resolve(policy))
    library, real, _, targets = library_and(values, dtype, differentiable=True)
    found = slopes.any(library, real, targets, policies.resolve(policy))
    assert found.joint[0].requires_grad
    for a, b in zip(arrays.flat((*found,)), arrays.flat((*wanted,)), strict=True):
        assert_same_bits(a.detach().numpy(), b.numpy())


def test_values_have_the_same_bits_under_jit():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    values = special_limbs(2)
    arguments = [jax.numpy.asarray(values[name]) for name in ("target", "r1", "r2")]
    library = arrays.library_of({"target": arguments[0]})
    real = FLOAT64._replace(pin=library.pin, constant=library.constant)

    def joint(way, target, r1, r2):
        targets = answer.Targets((target[:, 0], target[:, 1]), r1, r2, 1.0, ())
        return way(library, real, targets, policies.NAMED["clamp"]).joint

    found, wanted = (
        jax.jit(joint, static_argnums=0)(way, *arguments) for way in (slopes.any, blocks.any)
    )
    for a, b in zip(found, wanted, strict=True):
        assert_same_bits(np.asarray(a), np.asarray(b))


# --- second derivatives -------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["clamp", "stretch", Soft(0.3), Limits(40, 120)], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
def test_second_derivatives_are_those_of_the_exact_answer(size, policy, engines):
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed")
    from exact_derivatives import reach_of, slope_of

    engines.use("numpy")
    values = random_limbs(size, 16, seed=7)
    rng, checked = np.random.default_rng(8), 0
    for row in range(16):
        at = {name: np.asarray(value[row]) for name, value in values.items()}
        at["root"] = np.zeros(size)
        way = {name: np.zeros_like(value) for name, value in at.items()}
        for name in NAMES[: size + 1]:
            way[name] = rng.normal(size=np.shape(at[name]))
        wanted = slope_of(reach_of(policy), at, way)
        if wanted is None:
            continue
        names = [name for name in NAMES if name in at]

        def call(*given, at=at, names=names):
            arguments = {name: torch.tensor(at[name]) for name in at} | dict(
                zip(names, given, strict=True)
            )
            found = twobone.reach(**arguments, unreachable=policy)
            return torch.cat([found.joint, found.end])

        given, along = ([torch.tensor(v[name]) for name in names] for v in (at, way))

        def slope(*given, call=call, along=along):
            return torch.func.jvp(call, given, tuple(along))[1]

        first, second = torch.func.jvp(slope, tuple(given), tuple(along))
        for found, exact in ((first, wanted.first), (second, wanted.second)):
            np.testing.assert_allclose(found, exact, rtol=0, atol=1e-9 * np.max(np.abs(exact)))
        checked += 1
    assert checked > 9


# --- policies of one's own ----------------------------------------------------------------


class UpTo(Policy):
    """Stop at a share of the reach; the share may be a tensor."""

    def __init__(self, share):
        self.share = share

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > self.share * outer, self.share * outer, distance)


def test_tensors_of_a_policy_have_derivatives():
    target = torch.tensor([[1.5, 0.2], [0.3, 0.4], [4.0, 1.0]], dtype=torch.float64)

    def joint(share) -> Any:
        return twobone.solve(target, 1.0, 0.8, unreachable=UpTo(share) | Stretch(1.1))

    at, step = torch.tensor(0.7, dtype=torch.float64), 1e-6
    wanted = (joint(at + step) - joint(at - step)) / (2.0 * step)
    assert float(wanted.abs().max()) > 0.1
    for jacobian in (torch.func.jacfwd, torch.func.jacrev):
        torch.testing.assert_close(jacobian(joint)(at), wanted, atol=1e-8, rtol=0.0)
    at.requires_grad_()
    torch.testing.assert_close(torch.autograd.grad(joint(at).sum(), at)[0], wanted.sum())


def test_a_policy_that_returns_nan_spoils_no_derivative_of_other_rows():
    target = torch.tensor([[1.0, 0.5], [3.0, 0.0]], dtype=torch.float64, requires_grad=True)

    class Refuse(Policy):
        def place(self, xp, distance, inner, outer):
            return xp.where(distance > outer, np.nan, distance)

    joint = twobone.solve(target, 1.0, 1.0, unreachable=Refuse())
    assert torch.all(torch.isnan(joint[1]))
    plain = torch.autograd.functional.jacobian(lambda p: twobone.solve(p, 1.0, 1.0), target[0])
    for i in range(2):
        found = torch.autograd.grad(joint[0, i], target, retain_graph=True)[0][0]
        torch.testing.assert_close(found, plain[i])


# --- how short it is ----------------------------------------------------------------------


def count_nodes(output):
    """Return how many operations PyTorch recorded."""
    seen, left = set(), [output.grad_fn]
    while left:
        node = left.pop()
        if node is not None and node not in seen:
            seen.add(node)
            left += [each for each, _ in node.next_functions]
    return len(seen)


@pytest.mark.parametrize(("policy", "most"), [("clamp", 200), ("stretch", 230), (Soft(0.1), 330)])
def test_few_operations_are_recorded_for_differentiation(policy, most, engines):
    engines.use("numpy")
    target = torch.tensor([1.0, 0.5, 0.2], requires_grad=True)
    lengths = [torch.tensor(v, requires_grad=True) for v in (1.0, 0.8)]
    pole = torch.tensor([0.0, 0.1, 1.0], requires_grad=True)
    joint = twobone.solve(target, *lengths, pole=pole, unreachable=policy)
    assert count_nodes(joint) < most


# --- JAX without double precision -----------------------------------------------------------


def test_float32_derivatives_of_jax_without_doubles_are_good_to_a_few_roundings():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    values = random_limbs(3, 2000, seed=9)
    narrow = {name: value.astype(np.float32) for name, value in values.items()}
    wanted = by_torch({name: v.astype(np.float64) for name, v in narrow.items()}, "clamp")[:, :3]
    with getattr(jax, "enable_x64", contextlib.nullcontext)(False):

        def joint(target, r1, r2, side, pole):
            return twobone.solve(target, r1, r2, side=side, pole=pole)

        jacobian = jax.jit(jax.vmap(jax.jacfwd(joint, argnums=(0, 1, 2, 4))))
        columns = jacobian(*(jax.numpy.asarray(narrow[name]) for name in narrow))
        assert columns[0].dtype == "float32"
    found = np.concatenate([np.asarray(c).reshape(2000, 3, -1) for c in columns], axis=-1)
    off = np.max(np.abs(found - wanted), axis=(-2, -1)) / np.max(np.abs(wanted), axis=(-2, -1))
    assert np.median(off) < 3e-7
    assert np.mean(off < 1e-5) > 0.99
