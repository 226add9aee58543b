"""The dtype of a result is that to which its library promotes the arguments."""

import contextlib

import numpy as np
import pytest

import twobone
from twobone import LocalPose, rotations
from twobone.errors import ArrayTypeError, TwoBoneError

POLE = [0.0, 0.0, 1.0]
SKELETON = twobone.Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
LEG = twobone.Limb(SKELETON, 0, 1, 2)
FLOATS = ["float16", "bfloat16", "float32", "float64"]


def name_of(array):
    return str(getattr(array.dtype, "name", array.dtype)).rpartition(".")[2]


# --- NumPy --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["float32", "float64"])
@pytest.mark.parametrize("other", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(), (1,)])
def test_numpy_arrays_are_promoted_as_numpy_does(target, other, shape):
    target, other = np.ones((1, 2), target), np.ones(shape, other)
    for given in ((target, other, 1.0), (target, 1.0, other)):
        assert twobone.solve(*given).dtype == np.result_type(target, other)
        assert twobone.reach(*given).end.dtype == np.result_type(target, other)
    assert twobone.solve_both(target, other, 1).dtype == np.result_type(target, other)


@pytest.mark.parametrize("other", [1, 1.0, np.float64(1.0), np.int64(1), [1.0], np.ones(1, int)])
def test_numbers_lists_and_integers_adapt_to_numpy_arrays(other):
    assert twobone.solve(np.ones((1, 2), np.float32), other, 1).dtype == np.float32


# --- PyTorch ------------------------------------------------------------------------------


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.parametrize("shape", [(), (1,)], ids=["zero-dim", "with an axis"])
@pytest.mark.parametrize("other", [*FLOATS, "int32", "int64"])
@pytest.mark.parametrize("target", [*FLOATS, "int32"])
def test_tensors_are_promoted_as_pytorch_does(torch, target, other, shape):
    target = torch.ones(1, 2, dtype=getattr(torch, target))
    other = torch.ones(shape, dtype=getattr(torch, other))

    def promoted(*arrays):
        dtype = torch.result_type(*arrays)
        return dtype if dtype.is_floating_point else torch.get_default_dtype()

    for given in ((target, other, 1.0), (target, 1, other)):
        assert twobone.solve(*given).dtype == promoted(target, other)
        assert twobone.reach(*given).end.dtype == promoted(target, other)
        assert twobone.reach(*given, root=target).joint.dtype == promoted(target, other)
    assert twobone.solve_both(target, other, 1).dtype == promoted(target, other)
    stacked = twobone.solve(target, [other.reshape(())], 1.0)  # a list has an axis
    assert stacked.dtype == promoted(target, other.reshape(1))


@pytest.mark.parametrize("number", [1, 1.0, np.float64(1.0), np.int64(1), [1.0]])
@pytest.mark.parametrize("target", FLOATS)
def test_numbers_adapt_to_tensors(torch, target, number):
    target = torch.ones(1, 2, dtype=getattr(torch, target))
    assert twobone.solve(target, number, 1).dtype == target.dtype


@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("target", FLOATS)
def test_numpy_arrays_adapt_to_tensors(torch, target, shape):
    target = torch.ones(1, 2, dtype=getattr(torch, target))
    for dtype in (np.float32, np.float64, np.int64):
        assert twobone.solve(target, np.ones(shape, dtype), 1).dtype == target.dtype
        assert twobone.solve(np.ones((1, 2), dtype), target[0, 0], 1).dtype == target.dtype
    integers = torch.ones(1, 2, dtype=torch.int64)
    assert twobone.solve(integers, np.ones(shape), 1).dtype == torch.float64


def test_compiled_functions_promote_alike(torch):
    pairs = [
        (torch.ones(1, 2), torch.ones((), dtype=torch.float64)),
        (torch.ones(1, 2), torch.ones(1, dtype=torch.float64)),
        (torch.ones(1, 2, dtype=torch.float16), torch.ones((), dtype=torch.float64)),
        (torch.ones(1, 2, dtype=torch.float16), torch.ones(1, dtype=torch.bfloat16)),
        (torch.ones(1, 2, dtype=torch.int64), torch.ones(1, dtype=torch.int32)),
        (torch.ones(1, 2), np.ones(1)),
    ]
    for target, other in pairs:
        torch.compiler.reset()
        solve = torch.compile(twobone.solve, fullgraph=True, backend="eager")
        assert solve(target, other, 1.0).dtype == twobone.solve(target, other, 1.0).dtype


def test_derivatives_have_the_type_of_what_they_are_for(torch):
    target = torch.tensor([[1.0, 0.5]], dtype=torch.bfloat16, requires_grad=True)
    r1 = torch.tensor([1.1], dtype=torch.float64, requires_grad=True)
    twobone.solve(target, r1, 1.0).sum().backward()
    assert target.grad.dtype == torch.bfloat16
    assert r1.grad.dtype == torch.float64


# --- JAX ----------------------------------------------------------------------------------


@pytest.fixture
def jax():
    return pytest.importorskip("jax", reason="jax is not installed")


def wide(jax, is_wide):
    """Switch JAX's mode of 64 bits on or off."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(is_wide)
    modes = pytest.importorskip("jax.experimental")
    return modes.enable_x64() if is_wide else modes.disable_x64()


@pytest.mark.parametrize("is_wide", [True, False], ids=["x64", "no x64"])
@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("other", [*FLOATS, "int32", "weak", "numpy"])
@pytest.mark.parametrize("target", [*FLOATS, "int32"])
def test_arrays_are_promoted_as_jax_does(jax, target, other, shape, is_wide):
    jnp = jax.numpy
    with wide(jax, is_wide), contextlib.suppress(UserWarning):
        target = jnp.ones((1, 2), np.dtype(jnp.dtype(target)) if is_wide else narrow(jnp, target))
        if other == "weak":
            other = jnp.broadcast_to(jnp.asarray(1.0), shape)
            assert other.weak_type
        elif other == "numpy":
            other = np.ones(shape)
        else:
            other = jnp.ones(shape, jnp.dtype(other) if is_wide else narrow(jnp, other))
        wanted = jnp.result_type(target, other)
        wanted = wanted if jnp.issubdtype(wanted, jnp.floating) else jnp.result_type(float)
        assert jax.eval_shape(twobone.solve, target, other, 1.0).dtype == wanted
        assert twobone.solve(target, other, 1.0).dtype == wanted
        assert twobone.solve(target, 1, other).dtype == wanted
        assert twobone.reach(target, other, 1.0, root=target).end.dtype == wanted
        assert twobone.solve_both(target, other, 1.0).dtype == wanted
        assert twobone.solve(target, 1.0, 1).dtype == jnp.result_type(target, 1.0)


def narrow(jnp, dtype):
    return jnp.dtype("float32" if dtype == "float64" else dtype)


# --- half precision in poses and rotations ------------------------------------------------


def poses(xp, half):
    """Return calls of pose functions with arrays as the function `xp` makes them."""
    rng = np.random.default_rng(0)
    q = xp(rng.normal(size=(5, 3, 4)), half)
    target, pole = xp(rng.normal(size=(5, 3)), half), xp(rng.normal(size=(5, 3)), half)
    matrix = np.tile(np.eye(4), (5, 1, 1))
    mid, end = matrix.copy(), matrix.copy()
    mid[:, :3, 3], end[:, :3, 3] = [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]
    start, mid, end = (xp(each, half) for each in (matrix, mid, end))
    axis = [0.0, 0.0, 1.0]
    both = xp(rng.normal(size=(5, 2, 3)), half)
    return {
        "rotate": lambda: rotations.rotate(q[:, 0], target),
        "slerp": lambda: rotations.slerp(q[:, 0], q[:, 1], 0.25),
        "twist_swing": lambda: rotations.twist_swing(q[:, 0], target),
        "clamp_angle": lambda: rotations.clamp_angle(target, -0.5, 0.5),
        "matrix": lambda: rotations.quaternion_to_matrix(q[:, 0]),
        "to_global": lambda: SKELETON.to_global(LocalPose(q)),
        "to_local": lambda: SKELETON.to_local(SKELETON.to_global(LocalPose(q))),
        "reach": lambda: LEG.reach(LocalPose(q), target, pole=pole),
        "reach in world space": lambda: LEG.reach(SKELETON.to_global(LocalPose(q)), target),
        "reach with weights": lambda: LEG.reach(LocalPose(q), target, position_weight=pole[:, 0]),
        "reach along": lambda: LEG.reach(LocalPose(q), target, bend="transport"),
        "reach stretched": lambda: LEG.reach(LocalPose(q), target, unreachable="stretch"),
        "controls": lambda: LEG.controls(LocalPose(q)),
        "correct_limb": lambda: twobone.correct_limb(
            start, mid, end, target, pole=pole, mid_axis=axis
        ),
        "correct_aim": lambda: twobone.correct_aim(start, target, forward=[1.0, 0.0, 0.0]),
        "nearest_branch": lambda: twobone.nearest_branch(both, target),
        "follow_branch": lambda: twobone.follow_branch(both),
    }


def flat(found):
    if isinstance(found, tuple):
        return [array for part in found for array in flat(part)]
    return [] if found is None else [found]


@pytest.fixture(params=["torch", "jax"])
def make(request):
    """Return a function that makes an array of a library, of numbers that the dtype holds."""
    library = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    if request.param == "torch":
        return lambda values, dtype: library.tensor(values, dtype=library.float16).to(
            getattr(library, dtype)
        )
    library.config.update("jax_enable_x64", True)
    return lambda values, dtype: library.numpy.asarray(values, "float16").astype(dtype)


def as_numbers(array):
    return np.asarray(array.tolist() if hasattr(array, "tolist") else array, np.float64)


@pytest.mark.parametrize("call", list(poses(lambda values, dtype: np.asarray(values), None)))
def test_poses_of_half_precision_are_those_of_float32_rounded(make, call):
    narrow, wide = (flat(poses(make, dtype)[call]()) for dtype in ("float16", "float32"))
    assert len(narrow) == len(wide) > 0
    for found, exact in zip(narrow, wide, strict=True):
        if name_of(exact) == "int8":
            assert name_of(found) == "int8"
            continue
        assert (name_of(found), name_of(exact)) == ("float16", "float32")
        wanted = as_numbers(exact).astype(np.float16).astype(np.float64)
        if call == "to_local" or "world" in call:  # their arguments were rounded
            np.testing.assert_allclose(as_numbers(found), wanted, atol=0.02)
        else:
            np.testing.assert_array_equal(as_numbers(found), wanted)


def test_poses_of_half_precision_are_differentiated_and_compiled(torch):
    q = torch.tensor([[[0.1, 0.2, 0.3, 1.0]] * 3], dtype=torch.float16, requires_grad=True)
    target = torch.tensor([[0.25, 0.5, 0.25]], dtype=torch.float16, requires_grad=True)

    def reach(q, target):
        return LEG.reach(LocalPose(q), target).pose.rotations

    found = torch.autograd.grad((reach(q, target) ** 2)[..., 0].sum(), (q, target))
    wide = [v.detach().float().requires_grad_() for v in (q, target)]
    wanted = torch.autograd.grad((reach(*wide) ** 2)[..., 0].sum(), wide)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == torch.float16
        torch.testing.assert_close(one.float(), other, rtol=2e-2, atol=2e-3)
    compiled = torch.compile(reach, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(q, target), reach(q, target), rtol=0, atol=0)


# --- bad input ----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "complex64"])
@pytest.mark.parametrize("name", ["target", "r1", "r2", "side", "pole", "root"])
def test_other_dtypes_raise_and_name_the_argument(make, name, dtype):
    given = {
        "target": make(np.ones((1, 3)), "float16"),
        **dict.fromkeys(("r1", "r2", "side"), make(np.ones(1), "float16")),
        **dict.fromkeys(("pole", "root"), make(np.ones((1, 3)), "float16")),
    }
    given[name] = make(np.ones(given[name].shape), dtype)
    with pytest.raises(ArrayTypeError, match=f"`{name}` must be of float32, float64 or integers"):
        twobone.reach(**given)


@pytest.mark.parametrize("call", [twobone.solve, twobone.reach])
def test_numpy_refuses_half_precision_beside_tensors_too(make, call):
    with pytest.raises(TwoBoneError, match="`r1` must be of float32, float64 or integers"):
        call(make(np.ones((1, 2)), "float32"), np.ones(1, np.float16), 1.0)
