"""Derivatives at zeros, ones, equal bones and axes are those of the exact answer.

`golden/derivatives.npz` holds them for a thousand places of each function (`make_derivatives.py`);
`derivative_cases.py` says which places these are.
"""

import functools
from pathlib import Path

import numpy as np
import pytest

import twobone
from derivative_cases import all_cases
from slow import nightly
from twobone import Limits, Soft, Stretch
from twobone.pose import LocalPose

GOLDEN = Path(__file__).parent / "golden" / "derivatives.npz"
TOLERANCE = 1e-6
COUNT = 1000

# PyTorch itself calls it when forward derivatives are first taken.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")


@functools.cache
def golden():
    """Return {function: [(arguments, directions, value, first, second) of each case]}."""
    found = {}
    with np.load(GOLDEN) as file:
        for key, array in file.items():
            name, index, *rest = key.split("/")
            found.setdefault(name, {}).setdefault(int(index), {})[tuple(rest)] = array
    return {
        name: [
            (
                {key[1]: v for key, v in parts.items() if key[0] == "at"},
                {key[1]: v for key, v in parts.items() if key[0] == "along"},
                *(parts[field,] for field in ("value", "first", "second")),
            )
            for _, parts in sorted(cases.items())
        ]
        for name, cases in found.items()
    }


def by_torch(case, arguments, directions, weights):
    """Return values, forward derivatives, and what reverse derivatives make of weighted values.

    Both are pairs: the first derivative along the directions, and the second.
    """
    torch = pytest.importorskip("torch", reason="torch is not installed")
    names, count = list(arguments), len(weights)
    at = tuple(torch.tensor(arguments[name]) for name in names)
    along = tuple(torch.tensor(directions[name]) for name in names)

    def function(*values):
        found = case.call(**dict(zip(names, values, strict=True)))
        return torch.cat([part.reshape(count, -1) for part in case.results(found)], dim=-1)

    def slope(*values):
        return torch.func.jvp(function, values, along)[1]

    def pull(values, create_graph):
        gradients = torch.autograd.grad(
            values.sum(), at, create_graph=create_graph, allow_unused=True
        )
        parts = zip(gradients, along, strict=True)
        return sum((g * a).reshape(count, -1).sum(-1) for g, a in parts if g is not None)

    first, second = torch.func.jvp(slope, at, along)
    at = tuple(part.requires_grad_() for part in at)
    value = function(*at)
    reverse = pull((value * torch.tensor(weights)).sum(-1), create_graph=True)
    straight = not reverse.requires_grad  # as of an angle that is only clamped
    reverse_twice = 0.0 * reverse if straight else pull(reverse, create_graph=False)
    found = value, (first, second), (reverse, reverse_twice)
    return torch.utils._pytree.tree_map(lambda part: part.detach().numpy(), found)


def by_jax(case, arguments, directions, weights, *, compiled):
    """Return the same by JAX; the second derivative is forward over reverse."""
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    names, count = list(arguments), len(weights)
    at = tuple(jax.numpy.asarray(arguments[name]) for name in names)
    along = tuple(jax.numpy.asarray(directions[name]) for name in names)

    def function(*values):
        found = case.call(**dict(zip(names, values, strict=True)))
        parts = [part.reshape(count, -1) for part in case.results(found)]
        return jax.numpy.concatenate(parts, axis=-1)

    def forward(*values):
        return jax.jvp(function, values, along)[1]

    def reverse(*values):
        gradients = jax.vjp(function, *values)[1](jax.numpy.asarray(weights))
        parts = zip(gradients, along, strict=True)
        return sum((g * a).reshape(count, -1).sum(-1) for g, a in parts)

    twice = [jax.jit(lambda *v, f=f: jax.jvp(f, v, along)) for f in (forward, reverse)]
    with jax.disable_jit(not compiled):
        found = jax.jit(function)(*at), *(both(*at) for both in twice)
    return jax.tree.map(np.asarray, found)


def assert_derivatives(take, case, arguments, directions, value, first, second):
    """Compare with the exact answer, each row by the size of its largest derivative."""
    weights = np.random.default_rng(value.shape).uniform(0.5, 1.5, value.shape)
    found, forward, reverse = take(case, arguments, directions, weights)
    size = np.max(np.abs(value), axis=-1) + 1.0
    assert np.all(np.abs(found - value) <= 1e-9 * size[:, None])
    for wanted, *parts in zip((first, second), forward, reverse, strict=True):
        size = np.maximum(size, np.max(np.abs(wanted), axis=-1))
        off = np.max(np.abs(parts[0] - wanted), axis=-1)
        off = np.maximum(off, np.abs(parts[1] - np.sum(weights * wanted, axis=-1)))
        wrong = np.flatnonzero(~(off <= TOLERANCE * size))
        few = [{key: array[row].tolist() for key, array in arguments.items()} for row in wrong[:2]]
        assert not few, f"{len(wrong)} of {len(value)} are wrong, such as {few}"


# It takes as long as ten others; `Limb.reach` and the case in the plane have most of its formulas.
LONGEST = "correct_limb"
IN_TORCH = [*(name for name in all_cases() if name != LONGEST), *nightly(LONGEST)]


@pytest.mark.parametrize("name", IN_TORCH)
def test_derivatives_at_special_places_are_those_of_the_exact_answer_in_torch(name):
    cases = all_cases()[name]
    assert sum(len(value) for _, _, value, *_ in golden()[name]) >= COUNT
    for case, (arguments, directions, *wanted) in zip(cases, golden()[name], strict=True):
        assert_derivatives(by_torch, case, arguments, directions, *wanted)


# JAX takes up to minutes to compile one of these, so only one is compiled; half a minute without.
IN_JAX = [("reach", 0), ("reach", 14), ("correct_aim", 3)]
IN_JAX += nightly(("correct_limb", 0), ("Limb.reach", 0))


@pytest.mark.parametrize(("name", "index"), IN_JAX)
def test_derivatives_at_special_places_are_those_of_the_exact_answer_in_jax(name, index):
    arguments, directions, *wanted = golden()[name][index]
    take = functools.partial(by_jax, compiled=(name, index) == ("reach", 0))
    assert_derivatives(take, all_cases()[name][index], arguments, directions, *wanted)


@pytest.mark.parametrize("name", all_cases())
def test_the_golden_derivatives_are_still_those_of_the_formulas(name):
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed")
    from exact_derivatives import slope_of

    cases = all_cases()[name]
    for index in {0, len(cases) // 2}:
        arguments, directions, *wanted = golden()[name][index]
        row = 7 % len(wanted[0])
        values = {key: array[row] for key, array in arguments.items()}
        way = {key: array[row] for key, array in directions.items()}
        found = slope_of(cases[index].exact(values), values, way)
        np.testing.assert_allclose(found, [array[row] for array in wanted], rtol=1e-12)


# --- what the golden places cannot show -----------------------------------------------------


def test_a_descent_on_the_pole_starts_from_the_pole_of_the_readme():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    pole = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
    target = torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64)
    twobone.solve(target, 1.0, 1.0, pole=pole)[0].backward()
    np.testing.assert_allclose(pole.grad.numpy(), [0.125**0.5, -(0.125**0.5), 0.0], atol=1e-15)


def numeric(function, at, along, step=1e-3):
    """Return both derivatives of a function of NumPy arrays by differences of fourth order."""
    a, b, c, d, e = (function(at + k * step * along) for k in (-2, -1, 0, 1, 2))
    first = (a - 8 * b + 8 * d - e) / (12 * step)
    return first, (-a + 16 * b - 30 * c + 16 * d - e) / (12 * step * step)


def leg_and_clip(frames=12):
    """Return a straight leg, and a clip in which it hangs along an axis while its target moves."""
    from derivative_cases import leg

    limb = leg("plain", 0)
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (frames, 6, 1))
    turn = np.linspace(0.0, 1.5, frames)
    target = np.stack([0.0 * turn, 1.0 - 0.75 * np.cos(turn), 0.75 * np.sin(turn)], axis=-1)
    return limb, rotations, target


@pytest.mark.parametrize("kind", ["transport", "global"])
def test_derivatives_of_clips_and_of_global_poses_are_those_of_differences(kind):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    limb, rotations, target = leg_and_clip()
    bend = "transport" if kind == "transport" else "pole"

    def reach(target):
        like = torch.tensor if isinstance(target, torch.Tensor) else np.array
        posed = LocalPose(like(rotations))
        if kind == "global":
            posed = limb.skeleton.to_global(posed)
        found = limb.reach(posed, target, pole=[0.0, 0.0, -1.0], bend=bend)
        return found.pose.rotations.reshape(len(target), -1)

    for axis in np.eye(3):
        along = np.tile(axis, (len(target), 1))
        wanted = numeric(reach, target, along)
        at, way = torch.tensor(target), torch.tensor(along)

        def slope(at, way=way):
            return torch.func.jvp(reach, (at,), (way,))[1]

        first, second = torch.func.jvp(slope, (at,), (way,))
        np.testing.assert_allclose(first.numpy(), wanted[0], atol=1e-6)
        np.testing.assert_allclose(second.numpy(), wanted[1], atol=1e-4)


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_weights_of_exactly_0_and_1_have_the_derivatives_of_weights_beside_them(weight):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    limb, rotations, _ = leg_and_clip(1)
    rotations[0, 2] = [0.6, 0.0, 0.0, 0.8]  # straight, its own end would be at an edge
    given = LocalPose(torch.tensor(rotations[0])), torch.tensor([0.25, 0.25, 0.5])
    beside = {0.0: 1e-9, 1.0: 1.0 - 1e-9}[weight]
    turned = torch.tensor([0.0, 0.6, 0.0, 0.8], dtype=torch.float64)
    for name in ("position_weight", "rotation_weight", "pole_weight"):

        def reach(value, name=name):
            weights = {"position_weight": 0.5, "rotation_weight": 0.5, "pole_weight": 0.5}
            options = weights | {name: value}
            found = limb.reach(*given, pole=[0.25, 0.0, 1.0], end_rotation=turned, **options)
            return found.pose.rotations[1:4]

        at, near = (
            torch.autograd.functional.jacobian(reach, torch.tensor(v, dtype=torch.float64))
            for v in (weight, beside)
        )
        torch.testing.assert_close(at, near, atol=1e-6, rtol=1e-6)
        assert float(near.abs().max()) > 1e-3


def test_a_policy_of_ones_own_has_derivatives_at_targets_on_axes():
    torch = pytest.importorskip("torch", reason="torch is not installed")

    class Lazy(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return 0.5 * distance * (1.0 + inner / outer) + 0.25 * outer

    policy = Lazy() | Limits(10, 170) | Soft(0.1) | Stretch(1.5)

    def joint(target):
        return twobone.solve(target, 1.0, 1.0, unreachable=policy)

    at = torch.tensor([0.0, 1.2], dtype=torch.float64)
    found = torch.func.hessian(joint)(at)
    for i, one in enumerate(torch.eye(2, dtype=torch.float64)):
        _, wanted = numeric(joint, at.numpy(), one.numpy())
        np.testing.assert_allclose(found[:, i, i].numpy(), wanted, atol=1e-6)
