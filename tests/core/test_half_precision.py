"""float16 and bfloat16 of PyTorch and JAX: computed in float32, returned in the type that came."""

import numpy as np
import pytest

import twobone
from twobone.errors import ArrayTypeError

POLE = [0.0, 0.0, 1.0]


@pytest.fixture(params=["torch", "jax"])
def xp(request):
    """Return the library: functions that make arrays, convert their dtype, and differentiate."""
    library = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return Torch(library) if request.param == "torch" else Jax(library)


class Torch:
    def __init__(self, torch):
        self.torch = torch

    def array(self, values, dtype):
        return self.torch.tensor(values, dtype=getattr(self.torch, dtype))

    def to(self, array, dtype):
        return array.to(getattr(self.torch, dtype))

    def slope(self, function, at):
        at = at.clone().requires_grad_()
        return self.torch.autograd.grad(function(at).sum(), at)[0]

    def compiled(self, function):
        return self.torch.compile(function, fullgraph=True, backend="aot_eager")

    def numbers(self, array):
        return array.detach().double().numpy()


class Jax:
    def __init__(self, jax):
        self.jax, self.jnp = jax, jax.numpy
        jax.config.update("jax_enable_x64", True)

    def array(self, values, dtype):
        return self.jnp.asarray(values, dtype=dtype)

    def to(self, array, dtype):
        return array.astype(dtype)

    def slope(self, function, at):
        return self.jax.grad(lambda v: function(v).sum())(at)

    def compiled(self, function):
        return self.jax.jit(function)

    def numbers(self, array):
        return np.asarray(array, np.float64)


def name_of(array):
    return str(getattr(array.dtype, "name", array.dtype)).rpartition(".")[2]


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_answers_are_those_of_float32_rounded(xp, half):
    rng = np.random.default_rng(0)
    target = xp.array(rng.normal(size=(50, 3)), half)
    lengths = xp.array(rng.uniform(0.5, 1.5, 50), half)

    def answer(target, lengths):
        found = twobone.reach(target, lengths, 0.8, pole=POLE, root=target[0])
        return twobone.solve(target, lengths, 0.8, pole=POLE), *found

    narrow = answer(target, lengths)
    wide = answer(xp.to(target, "float32"), xp.to(lengths, "float32"))
    compiled = xp.compiled(answer)(target, lengths)
    for found, same, wanted in zip(narrow[:3], compiled[:3], wide[:3], strict=True):
        assert name_of(found) == name_of(same) == half
        rounded = xp.numbers(xp.to(wanted, half))
        np.testing.assert_array_equal(xp.numbers(found), rounded)
        np.testing.assert_array_equal(xp.numbers(same), rounded)
    assert name_of(narrow[3]) == "int8"
    assert name_of(twobone.solve_both(target, 1.0, 0.8, pole=POLE)) == half


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_derivatives_are_those_of_float32_rounded(xp, half):
    target = xp.array([[1.0, 0.5], [0.25, -0.75]], half)

    def joint(target):
        return twobone.solve(target, 1.0, 0.8)

    found = xp.slope(joint, target)
    assert name_of(found) == half
    wanted = xp.slope(joint, xp.to(target, "float32"))
    np.testing.assert_array_equal(xp.numbers(found), xp.numbers(xp.to(wanted, half)))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("float16", "float16", "float16"),
        ("float16", "bfloat16", "float32"),
        ("float16", "float32", "float32"),
        ("bfloat16", "float64", "float64"),
        ("float16", "int32", "float16"),
    ],
)
def test_mixed_types_are_promoted_as_the_library_does(xp, one, other, both):
    found = twobone.solve(xp.array([[1.0, 0.5]], one), xp.array([1.0], other), 1)
    assert name_of(found) == both
    assert name_of(xp.array([1.0], one) + xp.array([1.0], other)) == both
    found = twobone.solve(xp.array([[1.0, 0.5]], other), xp.array([1.0], one), 1)
    assert name_of(found) == both


def test_what_float16_cannot_hold_is_infinite(xp):
    found = twobone.reach(xp.array([60000.0, 0.0], "float16"), 1e5, 1.0)
    assert xp.numbers(found.end)[0] == np.inf  # the minimum reach
    assert int(found.status) == twobone.Status.TOO_NEAR


def test_numpy_refuses_float16():
    with pytest.raises(ArrayTypeError, match="`target` must be of float32, float64"):
        twobone.solve(np.ones(2, np.float16), 1.0, 1.0)
