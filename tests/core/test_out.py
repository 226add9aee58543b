"""`out` of `reach`: the same bits in arrays of the caller, and nothing written by mistake."""

import numpy as np
import pytest

import twobone
from twobone import Soft, Status, Stretch
from twobone.core import engine

POLICIES = ["clamp", "stretch", "nan", Soft(0.1), Soft(0.05) | Stretch(limit=1.1)]


class Own(twobone.Policy):
    """A policy that the kernel does not know."""

    def place(self, xp, distance, inner, outer):
        return xp.where(distance > outer, outer, distance)


def targets(count, size, dtype, seed=0):
    rng = np.random.default_rng(seed)
    given = {"target": rng.uniform(-2.0, 2.0, (count, size)).astype(dtype), "r1": 1.2, "r2": 0.9}
    given["target"][:: max(count // 7, 1)] = np.nan
    if size == 3:
        given["pole"] = rng.normal(size=(count, 3)).astype(dtype)
    return given


def places(shape, size, dtype):
    return (
        np.full((*shape, size), 7.0, dtype),
        np.full((*shape, size), 7.0, dtype),
        np.full(shape, 7, np.int8),
    )


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("policy", [*POLICIES, Own()], ids=str)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_arrays_of_the_caller_hold_the_same_bits(policy, size, dtype):
    for count in (1, 5, 3000):
        given = targets(count, size, dtype) | {"unreachable": policy}
        out = places((count,), size, dtype)
        found = twobone.reach(**given, out=out)
        assert all(one is other for one, other in zip(found, out, strict=True))
        assert_same(found, twobone.reach(**given))


def test_one_target_and_several_axes():
    out = places((), 2, float)
    found = twobone.reach([1.0, 1.0], 1.0, 1.0, out=out)
    assert found.joint is out[0]
    assert found.status == Status.REACHED
    assert_same(out, twobone.reach([1.0, 1.0], 1.0, 1.0))
    given = targets(12, 3, float)
    given = {name: v.reshape(3, 4, 3) if np.ndim(v) else v for name, v in given.items()}
    out = places((3, 4), 3, float)
    assert_same(twobone.reach(**given, out=out), twobone.reach(**given))


def test_columns_of_one_array_and_the_target_itself():
    given = targets(1000, 2, float)
    wanted = twobone.reach(**given)
    room = np.zeros((1000, 4))
    status = np.zeros(2000, np.int8)[::2]
    assert_same(twobone.reach(**given, out=(room[:, :2], room[:, 2:], status)), wanted)
    for place in (0, 1):
        own = given["target"].copy()
        out = list(places((1000,), 2, float))
        out[place] = own
        assert_same(twobone.reach(own, 1.2, 0.9, out=out), wanted)


def test_many_threads_read_what_others_write():
    count = 4 * engine.SHARE
    given = targets(count, 2, float)
    wanted = twobone.reach(**given)
    before = twobone.engine().threads
    try:
        twobone.engine(threads=2)
        for shift in (0, 1, 5):
            room = np.empty((count + shift, 2))
            own = room[:count]
            own[...] = given["target"]
            joint, _, status = places((count,), 2, float)
            out = joint, room[shift:], status
            assert_same(twobone.reach(own, 1.2, 0.9, out=out), wanted)
    finally:
        twobone.engine(threads=before)


def test_with_a_root_the_target_may_be_overwritten():
    given = targets(50, 3, float)
    root = np.array([1.0, -2.0, 0.5])
    wanted = twobone.reach(**given, root=root)
    _, end, status = places((50,), 3, float)
    out = given["target"], end, status
    assert_same(twobone.reach(**given, root=root, out=out), wanted)


def test_nothing_is_written_where_a_target_cannot_be_reached():
    out = places((2,), 2, float)
    with pytest.raises(twobone.UnreachableError):
        twobone.reach([[1.0, 1.0], [9.0, 0.0]], 1.0, 1.0, unreachable="raise", out=out)
    assert all(np.all(part == 7) for part in out)
    found = twobone.reach([[1.0, 1.0]] * 2, 1.0, 1.0, unreachable="raise", out=out)
    np.testing.assert_array_equal(found.joint, [[0.0, 1.0]] * 2)


TWICE = np.zeros((2, 2))
WRONG = {
    "not three": ((np.zeros((2, 2)),) * 2, "`out` must be three NumPy arrays.*, got 2"),
    "no tuple": (np.zeros((3, 2, 2)), "`out` must be three NumPy arrays.*, got ndarray"),
    "a list": (([0.0], np.zeros((2, 2)), np.zeros(2, np.int8)), r"`out\[0\]` must be a NumPy"),
    "dtype": ((np.zeros((2, 2)), np.zeros((2, 2), "f4"), np.zeros(2, np.int8)), r"`out\[1\]` .*64"),
    "status": ((np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2, int)), r"`out\[2\]` .* of int8"),
    "shape": ((np.zeros((2, 2)), np.zeros((2, 3)), np.zeros(2, np.int8)), r"`out\[1\]` .*\(2, 2\)"),
    "shared": ((TWICE, TWICE, np.zeros(2, np.int8)), "arrays that share no memory, got some"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_written_is_refused(wrong):
    out, message = WRONG[wrong]
    with pytest.raises(twobone.TwoBoneError, match=message):
        twobone.reach([[1.0, 1.0], [0.5, 0.0]], 1.0, 1.0, out=out)


def test_arrays_are_refused_if_it_takes_long_to_find_out_whether_they_share_memory():
    memory, shape = np.zeros(42_200), (3,) * 7
    steps = (24, 96, 384, 1592, 8136, 26152, 132160), (24, 56, 240, 1216, 4792, 13088, 68560)
    joint, end = (
        np.lib.stride_tricks.as_strided(memory[i:], shape, steps[i][::-1]) for i in (0, 1)
    )
    out = joint, end, np.zeros(shape[:-1], np.int8)
    with pytest.raises(twobone.ArrayTypeError, match="arrays that share no memory"):
        twobone.reach(np.ones(shape), 1.0, 1.0, pole=[0.0, 0.0, 1.0], out=out)


def test_other_libraries_have_no_out():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(twobone.TwoBoneError, match="`out` must be left out"):
        twobone.reach(torch.ones(1, 2), 1.0, 1.0, out=places((1,), 2, "float32"))
