"""One API for every array library: what goes in comes out, with the same answers."""

import subprocess
import sys

import numpy as np
import pytest

import twobone
from families import make
from twobone import Limits, Soft, Status, Stretch

POLICIES = ["clamp", "stretch", "nan", Soft(0.1), Limits(20, 150), Soft(0.1) | Stretch(limit=1.2)]


def limbs(name, size, dtype=np.float64, count=60):
    target, r1, r2, side, pole = make(name, dtype, size, count, np.random.default_rng(1))
    return {"target": target, "r1": r1, "r2": r2, "side": side} | (
        {"pole": pole} if size == 3 else {}
    )


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_every_library_answers_as_numpy_does(xp, size, dtype, policy):
    given = limbs("out_of_reach", size, np.dtype(dtype).type)
    given["target"][::2] = limbs("generic", size, np.dtype(dtype).type)["target"][::2]
    wanted = twobone.reach(**given, unreachable=policy)
    solve = xp.compiled(lambda given: twobone.reach(**given, unreachable=policy))
    found = solve({name: xp(value, dtype) for name, value in given.items()})
    eps = np.finfo(dtype).eps
    for have, want in zip(found[:2], wanted[:2], strict=True):
        have = xp.back(have)
        assert have.dtype == dtype
        scale = np.maximum(np.abs(want), given["r1"][:, None] + given["r2"][:, None])
        np.testing.assert_array_less(
            np.abs(have - want)[~np.isnan(want)], (40 * eps * scale)[~np.isnan(want)]
        )
        np.testing.assert_array_equal(np.isnan(have), np.isnan(want))
    np.testing.assert_array_equal(xp.back(found.status), wanted.status)


def test_the_kind_of_array_and_its_dtype_stay_what_they_are(xp):
    for dtype in ("float64", "float32"):
        target = xp([[1.0, 1.0], [3.0, 0.0]], dtype)
        for result in (
            twobone.solve(target, 1.0, 1.0),
            twobone.solve(target, 1, np.float64(1.0), side=[1, -1]),
            twobone.reach(target, 1.0, 1.0).end,
            twobone.solve_both(target, 1.0, 1.0),
        ):
            assert type(result) is type(target)
            assert result.dtype == target.dtype
        status = twobone.reach(target, 1.0, 1.0).status
        assert type(status) is type(target)
        assert xp.back(status).tolist() == [Status.REACHED, Status.TOO_FAR]


def test_both_answers_have_an_axis_of_their_own(xp):
    target = xp(np.ones((4, 5, 2)))
    both = twobone.solve_both(target, 1.0, xp(np.ones((5,))))
    assert both.shape == (4, 5, 2, 2)
    assert xp.back(both)[2, 3].tolist() == [[0.0, 1.0], [1.0, 0.0]]


BROADCAST = [
    # target, r1, r2, side, pole -> joint
    ((2,), (), (), (), None, (2,)),
    ((7, 2), (), (), (), None, (7, 2)),
    ((2,), (7,), (), (), None, (7, 2)),
    ((2,), (), (), (2,), None, (2, 2)),
    ((7, 1, 2), (5,), (), (), None, (7, 5, 2)),
    ((7, 1, 2), (5,), (7, 1), (3, 1, 1), None, (3, 7, 5, 2)),
    ((1, 2), (4,), (4,), (4,), None, (4, 2)),
    ((0, 2), (), (), (), None, (0, 2)),
    ((3, 0, 2), (0,), (), (3, 1), None, (3, 0, 2)),
    ((3,), (), (), (), (3,), (3,)),
    ((7, 3), (), (), (), (3,), (7, 3)),
    ((3,), (), (), (), (7, 3), (7, 3)),
    ((7, 1, 3), (5,), (), (), (6, 1, 1, 3), (6, 7, 5, 3)),
    ((0, 3), (), (), (), (3,), (0, 3)),
]


@pytest.mark.parametrize(("target", "r1", "r2", "side", "pole", "joint"), BROADCAST)
def test_everything_broadcasts(xp, target, r1, r2, side, pole, joint):
    rng = np.random.default_rng(0)
    given = {
        "target": rng.normal(size=target),
        "r1": rng.uniform(0.5, 1, r1),
        "r2": rng.uniform(0.5, 1, r2),
        "side": rng.choice([-1.0, 1.0], side),
    }
    if pole is not None:
        given["pole"] = rng.normal(size=pole)
    found = twobone.reach(**{name: xp(value) for name, value in given.items()})
    assert tuple(found.joint.shape) == joint
    assert tuple(found.end.shape) == joint
    assert tuple(found.status.shape) == joint[:-1]
    full = {
        name: np.broadcast_to(value, joint if name in ("target", "pole") else joint[:-1])
        for name, value in given.items()
    }
    np.testing.assert_allclose(xp.back(found.joint), twobone.solve(**full), rtol=0, atol=1e-14)


def test_jax_vmap_goes_through_every_policy():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    targets = jax.numpy.asarray(np.random.default_rng(2).normal(size=(20, 3)))
    for policy in POLICIES:

        def one(target, policy=policy):
            return twobone.solve(target, 1.0, 0.8, pole=[0.0, 0.0, 1.0], unreachable=policy)

        np.testing.assert_allclose(jax.vmap(one)(targets), one(targets), rtol=0, atol=1e-14)
    np.testing.assert_allclose(jax.jit(jax.vmap(one))(targets), one(targets), rtol=0, atol=1e-14)


def test_torch_vmap_goes_through_every_policy():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    targets = torch.tensor(np.random.default_rng(2).normal(size=(20, 2)))
    for policy in POLICIES:

        def one(target, policy=policy):
            return twobone.solve(target, 1.0, 0.8, unreachable=policy)

        assert torch.equal(
            torch.nan_to_num(torch.func.vmap(one)(targets)), torch.nan_to_num(one(targets))
        )


def test_jax_without_its_x64_mode_answers_in_float32():
    pytest.importorskip("jax", reason="jax is not installed")
    code = (
        "import jax.numpy as jnp, numpy as np, twobone;"
        "x = twobone.solve(jnp.ones(2), np.float64(1.0), np.ones(()));"
        "assert x.dtype == 'float32', x.dtype; print(x)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_lists_of_arrays_are_stacked_and_derivatives_pass(xp):
    if xp.name == "numpy":
        pytest.skip("NumPy stacks its own")
    one, two = xp(1.0, "float32"), xp(2.0, "float32")
    joint = twobone.solve([[one, 0.1], [1, two]], [two, 1.5], 1.0)
    assert type(joint) is type(one)
    assert joint.dtype == one.dtype
    plain = twobone.solve(np.array([[1, 0.1], [1, 2]], np.float32), [2.0, 1.5], 1.0)
    np.testing.assert_allclose(xp.back(joint), plain, rtol=0, atol=1e-6)
    wide = twobone.solve([xp(1.0), 0.1], 1.0, 1.0)
    np.testing.assert_array_equal(xp.back(wide), twobone.solve([1.0, 0.1], 1.0, 1.0))


def test_derivatives_pass_through_lists():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)

    def height(x):
        return twobone.solve([x, 1.0], 1.0, 1.2)[1]

    wanted = jax.grad(lambda p: twobone.solve(p, 1.0, 1.2)[1])(jax.numpy.asarray([0.7, 1.0]))[0]
    np.testing.assert_allclose(jax.jit(jax.grad(height))(0.7), wanted, rtol=1e-14)
    x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    height(x).backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad, wanted, rtol=1e-14)


def test_tensors_of_a_class_of_ones_own_are_tensors():
    torch = pytest.importorskip("torch", reason="torch is not installed")

    class Mine(torch.Tensor):
        pass

    joint = twobone.solve(torch.ones(2).as_subclass(Mine), 1.0, 1.0)
    assert isinstance(joint, Mine)
    assert joint.tolist() == [0.0, 1.0]


def test_numpy_arrays_of_any_layout_go_with_other_libraries(xp):
    lengths = np.array([1.0, 2.0, 3.0])
    wanted = twobone.solve(np.ones(2), lengths, 1.5)
    target = xp(np.ones(2))
    fixed = lengths.copy()
    fixed.flags.writeable = False
    for same in (fixed, lengths[::-1].copy()[::-1], lengths.astype(">f8"), lengths.astype(object)):
        np.testing.assert_allclose(xp.back(twobone.solve(target, same, 1.5)), wanted, rtol=1e-14)


def test_a_default_dtype_of_pytorch_that_is_refused_does_not_matter():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.set_default_dtype(torch.float16)
    try:
        assert twobone.solve(torch.ones(2, dtype=torch.float32), 1.0, 1.0).dtype == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)


def test_dask_arrays_stay_lazy_and_keep_their_chunks():
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    rng = np.random.default_rng(0)
    target, pole = rng.normal(size=(100, 3)), rng.normal(size=3)
    lazy = da.from_array(target, chunks=(30, 3))
    wanted = twobone.reach(target, 1.0, 0.7, pole=pole)
    found = twobone.reach(lazy, 1.0, 0.7, pole=pole)
    for have, want in zip(found, wanted, strict=True):
        assert isinstance(have, da.Array)
        assert have.chunks[0] == (30, 30, 30, 10)
        assert have.dtype == want.dtype
        np.testing.assert_array_equal(have.compute(), want)
    flat = da.from_array(target[:, :2].astype(np.float32), chunks=(30, 1))
    joints = twobone.solve(flat, 1.0, da.from_array(np.float32(0.7)), unreachable="stretch")
    assert joints.dtype == np.float32
    np.testing.assert_array_equal(
        joints.compute(), twobone.solve(flat.compute(), 1.0, 0.7, unreachable="stretch")
    )
    np.testing.assert_array_equal(
        twobone.solve_both(flat, 1.0, 0.7).compute(), twobone.solve_both(flat.compute(), 1.0, 0.7)
    )


class TestNumPy:
    """What only NumPy's arrays can be."""

    def test_lists_tuples_and_integers_become_float64(self):
        for target in ([1, 1], (1.0, 1.0), np.array([1, 1], np.int8), [np.int64(1), 1]):
            joint = twobone.solve(target, 1, 1)
            assert isinstance(joint, np.ndarray)
            assert joint.dtype == np.float64
            assert joint.tolist() == [0.0, 1.0]

    def test_numbers_and_lists_adapt_to_float32_but_arrays_of_float64_do_not(self):
        target = np.ones(2, np.float32)
        assert twobone.solve(target, 1.0, [1.0]).dtype == np.float32
        assert twobone.solve(target, np.ones(3, np.int64), 1).dtype == np.float32
        assert twobone.solve(target, np.ones(3), 1).dtype == np.float64
        assert twobone.solve(target, np.ones(()), 1).dtype == np.float64
        assert twobone.solve(target, np.float64(1.0), 1).dtype == np.float32
        assert twobone.solve([1.0, 1.0], np.float32(1.0), 1).dtype == np.float64

    def test_other_byte_orders_strides_and_read_only_arrays_are_all_right(self):
        given = limbs("generic", 3, count=5000)
        wanted = twobone.solve(**given)
        swapped = {name: value.astype(value.dtype.newbyteorder()) for name, value in given.items()}
        assert twobone.solve(**swapped).dtype == np.float64
        np.testing.assert_array_equal(twobone.solve(**swapped), wanted)
        backward = {name: value[::-1] for name, value in given.items()}
        np.testing.assert_array_equal(twobone.solve(**backward)[::-1], wanted)
        fortran = given | {"target": np.asfortranarray(given["target"])}
        np.testing.assert_array_equal(twobone.solve(**fortran), wanted)
        wide = np.zeros((5000, 8))
        wide[:, 1:7:2] = given["target"]
        wide.flags.writeable = False
        np.testing.assert_array_equal(twobone.solve(**given | {"target": wide[:, 1:7:2]}), wanted)

    @pytest.mark.parametrize("count", [1, 10, 5000, 9001])
    @pytest.mark.parametrize("name", ["generic", "out_of_reach", "tiny_target", "one_bone"])
    def test_out_is_filled_and_returned_even_when_it_is_the_target(self, name, count):
        given = limbs(name, 2, count=count)
        wanted = twobone.solve(**given)
        out = np.full((count, 2), 7.0)
        assert twobone.solve(**given, out=out) is out
        np.testing.assert_array_equal(out, wanted)
        target = given.pop("target")
        assert twobone.solve(target, **given, out=target) is target
        np.testing.assert_array_equal(target, wanted)

    @pytest.mark.parametrize("count", [10, 9001])
    def test_out_may_overlap_the_target_and_lie_anywhere(self, count):
        given = limbs("generic", 2, count=count)
        wanted = twobone.solve(**given)
        buffer = np.zeros((count + 1, 2))
        buffer[:-1] = given.pop("target")
        twobone.solve(buffer[:-1], **given, out=buffer[1:])
        np.testing.assert_array_equal(buffer[1:], wanted)
        planes = np.zeros((2, count))
        twobone.solve(**limbs("generic", 2, count=count), out=planes.T)
        np.testing.assert_array_equal(planes.T, wanted)

    @pytest.mark.parametrize("count", [3, 20000])
    def test_out_may_hold_arguments_without_axes(self, count):
        lengths = np.random.default_rng(3).uniform(1.0, 2.0, count)
        out = np.zeros((count, 2))
        out[0] = [1.0, 0.5]
        wanted = twobone.solve([1.0, 0.5], lengths, 1.0)
        np.testing.assert_array_equal(twobone.solve(out[0], lengths, 1.0, out=out), wanted)
        target = np.random.default_rng(4).normal(size=(count, 2))
        out[0] = 1.25
        wanted = twobone.solve(target, 1.25, 1.0)
        np.testing.assert_array_equal(
            twobone.solve(target, out[0, 1:].reshape(()), 1.0, out=out), wanted
        )

    @pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
    def test_matrices_and_masked_arrays_without_masks_are_arrays(self):
        target = np.array([[1.0, 1.0], [3.0, 0.0]])
        wanted = twobone.solve(target, 1.0, 1.0)
        out = np.asmatrix(np.zeros((2, 2)))
        for given in (np.asmatrix(target), np.ma.array(target)):
            joint = twobone.solve(given, 1.0, 1.0)
            assert type(joint) is np.ndarray
            np.testing.assert_array_equal(joint, wanted)
            assert twobone.solve(given, 1.0, 1.0, out=out) is out
            np.testing.assert_array_equal(out, wanted)

    def test_there_may_be_no_rows_and_a_place_for_them(self):
        out = np.empty((0, 2))
        assert twobone.solve(out, 1.0, np.empty(0), out=out, unreachable="raise") is out

    def test_as_many_axes_as_numpy_broadcasts_go_block_by_block(self):
        shape = (2,) * 15 + (1,) * 17
        given = limbs("generic", 2, count=2**15)
        shaped = {k: v.reshape(*shape, *v.shape[1:]) for k, v in given.items()}
        joint = twobone.solve(**shaped)
        np.testing.assert_array_equal(joint.reshape(-1, 2), twobone.solve(**given))

    @pytest.mark.parametrize("size", [2, 3])
    def test_blocks_broadcasting_and_shape_make_no_bit_of_difference(self, size):
        given = limbs("lopsided_edge", size, count=9600)
        wanted = twobone.reach(**given, unreachable="stretch")
        for shape in ((9600,), (2, 4800), (40, 12, 20)):
            shaped = {k: v.reshape(*shape, *v.shape[1:]) for k, v in given.items()}
            found = twobone.reach(**shaped, unreachable="stretch")
            for have, want in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(have, want.reshape(have.shape))
        grid = twobone.reach(
            given["target"][:200, None],
            given["r1"][:60],
            0.5,
            **({} if size == 2 else {"pole": given["pole"][:200, None]}),
        )
        full = twobone.reach(
            np.repeat(given["target"][:200, None], 60, axis=1),
            np.tile(given["r1"][:60], (200, 1)),
            np.full((200, 60), 0.5),
            **({} if size == 2 else {"pole": np.repeat(given["pole"][:200, None], 60, axis=1)}),
        )
        for have, want in zip(grid, full, strict=True):
            np.testing.assert_array_equal(have, want)

    def test_arguments_are_never_written_to(self):
        given = limbs("out_of_reach", 3, count=100)
        before = {name: value.copy() for name, value in given.items()}
        for policy in POLICIES:
            twobone.reach(**given, unreachable=policy, root=np.ones(3))
        for name, value in given.items():
            np.testing.assert_array_equal(value, before[name])

    def test_a_root_moves_everything_and_a_met_target_stays_what_it_was(self):
        rng = np.random.default_rng(4)
        root, target = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
        pole = [0.0, 1.0, 0.0]
        found = twobone.reach(target, 1.0, 1.0, pole=pole, root=root)
        plain = twobone.reach(target - root, 1.0, 1.0, pole=pole)
        np.testing.assert_array_equal(found.status, plain.status)
        np.testing.assert_array_equal(found.joint, plain.joint + root)
        met = found.status == Status.REACHED
        assert np.any(met)
        assert np.any(~met)
        np.testing.assert_array_equal(found.end[met], target[met])
        np.testing.assert_allclose(found.end[~met], (plain.end + root)[~met], rtol=0, atol=1e-15)

    def test_threads_may_solve_at_once(self):
        from concurrent.futures import ThreadPoolExecutor

        given = limbs("generic", 3, count=20000)
        wanted = twobone.solve(**given)
        with ThreadPoolExecutor(4) as pool:
            for joint in pool.map(lambda _: twobone.solve(**given), range(8)):
                np.testing.assert_array_equal(joint, wanted)
