"""The compiled kernel: the bits of the formula on every instruction set, wherever numbers lie."""

import itertools
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import twobone
from engines import KERNEL, SETS
from families import FAMILIES, make, make_bits
from twobone.core import engine
from twobone.core.answer import Answer
from twobone.core.arrays import REALS
from twobone.core.policies import NAMED, Chain, Limits, Policy, Soft, Stretch
from twobone.errors import PolicyError

pytestmark = [
    pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted"),
    pytest.mark.usefixtures("engines"),
]
WORDS = ["clamp", "stretch", "nan"]


def by_numpy(values, word):
    """Return joint, end and status as the formula itself gives them, in NumPy."""
    target = values["target"]
    shape = target.shape[:-1]
    out = Answer(np.empty_like(target), np.empty_like(target), np.empty(shape, np.int8))
    with np.errstate(all="ignore"):
        policy = NAMED[word] if isinstance(word, str) else word
        engine._fill_in_blocks(REALS[target.dtype.name], values, policy, shape, out)
    return out


def limbs(name, dtype, size, count, seed):
    """Return named columns of a family, as the engines are given them."""
    rng = np.random.default_rng([seed, size, np.dtype(dtype).itemsize])
    maker = make_bits if name == "bits" else None
    target, r1, r2, side, pole = (
        maker(dtype, size, count, rng) if maker else make(name, dtype, size, count, rng)
    )
    values = {"target": target, "r1": r1, "r2": r2, "side": side} | (
        {} if pole is None else {"pole": pole}
    )
    with np.errstate(all="ignore"):
        return {
            key: np.ascontiguousarray(
                np.broadcast_to(value, target.shape[: np.ndim(target) - 1] + np.shape(value)[1:]),
                dtype,
            )
            for key, value in values.items()
        }


def assert_same_bits(found, wanted):
    kind = {8: np.uint64, 4: np.uint32, 1: np.uint8}[wanted.dtype.itemsize]
    same = np.ascontiguousarray(found).view(kind) == wanted.view(kind)
    if wanted.dtype.kind == "f":
        same |= np.isnan(found) & np.isnan(wanted)
    assert np.all(same), np.argwhere(~same)[:3]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_instruction_set_gives_the_bits_of_the_formula(instruction_set, dtype, size):
    for name, word in itertools.product([*FAMILIES, "bits"], WORDS):
        values = limbs(name, dtype, size, 300, 1)
        wanted = by_numpy(values, word)
        joint, end, status = KERNEL.solvers[size, True, word](*values.values())
        for found, want in zip((joint, end, status), wanted, strict=True):
            assert_same_bits(found, want)
        assert_same_bits(KERNEL.solvers[size, False, word](*values.values()), wanted.joint)


# Two bones, and how far targets spread; in float32 the last five are not easy.
ONE_PAIR = [(1.0, 0.7, 1.6), (1.0, 1.0, 3.0), (0.1, 1.0, 1.2), (1e-30, 1.0, 1.0)]
ONE_PAIR += [(110.0, 90.0, 200.0), (1e-3, 1.0, 1.0), (3e20, 1e20, 3e20)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_pair_of_bones_for_all_targets_gives_the_same_bits(instruction_set, dtype, size):
    rng = np.random.default_rng(3)
    for r1, r2, reach in ONE_PAIR:
        target = (rng.normal(size=(1003, size)) * reach / 2).astype(dtype)
        target[100:200:7, 0] *= 1e-9
        target[5::50, 0] = 0.0
        target[7] = target[8, 0] = target[9, 1] = np.nan
        target[10, 1] = np.inf
        target[11] = 0.0
        pole = np.array([0.1, 1.0, -0.3], dtype)
        values = {"target": target, "r1": dtype(r1), "r2": dtype(r2), "side": dtype(-1.0)}
        if size == 3:
            values["pole"] = pole
        values = {name: np.asarray(value) for name, value in values.items()}
        for word in WORDS:
            want = by_numpy(values, word).joint
            options = {"unreachable": word} | ({"pole": pole} if size == 3 else {})
            found = twobone.solve(target, r1, r2, side=-1, **options)
            assert_same_bits(found, want)
            whole = twobone.reach(target, r1, r2, side=-1, **options)
            for a, b in zip(whole, by_numpy(values, word), strict=True):
                assert_same_bits(a, b)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_without_the_kernel_the_bits_are_the_same(engines, dtype, size):
    for name, word in itertools.product([*FAMILIES, "bits"], WORDS):
        rows = limbs(name, dtype, size, 300, 2)
        one_pair = {key: value if key == "target" else value[0] for key, value in rows.items()}
        for values in (rows, one_pair):
            found = twobone.reach(**values, unreachable=word)
            with engines.using("numpy"):
                wanted = twobone.reach(**values, unreachable=word)
            for one, other in zip(found, wanted, strict=True):
                assert_same_bits(one, np.asarray(other))


def test_single_limbs_give_the_bits_of_python(instruction_set):
    for name in [*FAMILIES, "bits"]:
        flat, space = limbs(name, np.float64, 2, 60, 5), limbs(name, np.float64, 3, 60, 6)
        wanted = by_numpy(flat, "clamp").joint
        for i, want in enumerate(wanted):
            p, r1, r2, side = (flat[key][i].tolist() for key in ("target", "r1", "r2", "side"))
            assert_same_bits(np.array(twobone.solve_xy(*p, r1, r2, side)), want)
        wanted = by_numpy(space, "clamp").joint
        for i, want in enumerate(wanted):
            p, r1, r2, side, pole = (value[i].tolist() for value in space.values())
            assert_same_bits(np.array(twobone.solve_xyz(*p, r1, r2, *pole, side)), want)


LAYOUTS = {
    "backwards": lambda a: a[::-1].copy()[::-1],
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2],
    "columns": np.asfortranarray,
    "byte-swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "unaligned": lambda a: np.frombuffer(b"?" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "parts backwards": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_may_lie_anywhere(dtype, size, layout):
    values = limbs("generic", dtype, size, 101, 9)
    want = twobone.reach(**values)
    lay = LAYOUTS[layout]
    scattered = {
        name: lay(value) if value.ndim > 1 or layout != "parts backwards" else value
        for name, value in values.items()
    }
    for found, wanted in zip(twobone.reach(**scattered), want, strict=True):
        assert_same_bits(found, np.asarray(wanted))
    assert_same_bits(twobone.solve(**scattered), want.joint)
    # a target anywhere with plain numbers beside it, and an answer that goes anywhere
    one = {key: value[0] for key, value in values.items() if key not in ("target", "side")}
    plain = twobone.solve(values["target"], **one)
    assert_same_bits(twobone.solve(scattered["target"], **one), plain)
    out = np.zeros((202, 2 * size), dtype)[::-2, ::2]
    assert twobone.solve(values["target"], **one, out=out) is out
    assert_same_bits(out.copy(), plain)


@pytest.mark.parametrize(
    ("second", "target"),
    [  # float32 limbs that `gap` and `fine_gap` round differently
        ("0x1.7f5fa2p-2", ("0x1.d40f42p-7", "0x1.5fcbf4p+0")),
        ("0x1.004f70p+0", ("0x1.00213ap+1", "0x1.9d2d16p-7")),
        ("0x1.9db860p-1", ("0x1.d501a6p-3", "0x1.cad3e0p+0")),
        ("0x1.9b2ce8p-2", ("-0x1.4c4d0cp-7", "-0x1.66b37ap+0")),
        ("0x1.837272p-2", ("0x1.60505cp+0", "-0x1.0a057cp-6")),
        ("0x1.b41308p-1", ("-0x1.d97470p+0", "-0x1.5ff248p-4")),
    ],
)
def test_digits_that_the_short_sum_lacks_are_noticed(instruction_set, second, target):
    assert_kept("0x1p+0", second, target)


@pytest.mark.parametrize(
    ("first", "second", "target"),
    [  # float32 limbs for which `gap` and `fine_gap` have b in other pairs, w in another sum
        ("0x1p+0", "0x1.cc8b4p+2", ("0x1.8a170cp+2", "-0x1.64bd06p-1")),
        ("0x1.7771a6p-1", "0x1.5d38dep+2", ("-0x1.15e296p+2", "0x1.dc4f4p+0")),
        ("0x1p+0", "0x1.037ba4p+3", ("0x1.f19b72p-3", "-0x1.57784ep-1", "-0x1.c54b94p+2")),
        ("0x1.012a48p+0", "0x1.7a67cp+2", ("0x1.79d3e6p+0", "-0x1.a69c4ap-1", "0x1.3ff702p+2")),
        ("0x1p+0", "0x1.b6fc2cp-4", ("-0x1.1e5a14p-1", "0x1.0c8cdcp-1", "-0x1.d47402p-2")),
    ],
)
def test_another_high_word_of_the_short_sum_is_noticed(instruction_set, first, second, target):
    assert_kept(first, second, target)


def assert_kept(first, second, target):
    """Compare a float32 limb whose target no policy moves, in many rows."""
    p = np.array([[float.fromhex(part) for part in target]] * 100, np.float32)
    values = {"target": p, "r1": np.float32(float.fromhex(first))}
    values |= {"r2": np.float32(float.fromhex(second)), "side": np.float32(1)}
    if len(target) == 3:
        values["pole"] = np.array([0.0, 0.0, 1.0], np.float32)
    found = twobone.solve(**values, unreachable=Stretch(1.2), out=np.empty_like(p))
    assert_same_bits(found, by_numpy(values, Stretch(1.2)).joint)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 300, 400_003])
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("unreachable", ["clamp", twobone.Soft(0.1)])
def test_in_place_and_overlapping_answers_are_right(size, count, unreachable):
    values = limbs("generic", np.float64, size, count, 4)
    bones = {"r1": 1.3, "r2": 0.9} | ({"pole": np.array([0.0, 0.2, 1.0])} if size == 3 else {})
    bones["unreachable"] = unreachable
    want = twobone.solve(values["target"].copy(), **bones)
    for threads in (1, 3):
        twobone.engine(threads=threads)
        place = values["target"].copy()
        assert twobone.solve(place, **bones, out=place) is place
        assert_same_bits(place, want)
        room = np.zeros((count + 5, size))
        room[5:] = values["target"]
        twobone.solve(room[5:], **bones, out=room[:count])
        assert_same_bits(room[:count], want)
        room[:count] = values["target"]
        twobone.solve(room[:count], **bones, out=room[5:])
        assert_same_bits(room[5:], want)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_bits(threads):
    twobone.engine(threads=threads)
    rng = np.random.default_rng(8)
    target = rng.normal(size=(2, 3, 160_001, 2))
    r1 = rng.uniform(0.5, 1.5, (3, 1))
    found = twobone.reach(target, r1, 1.0, side=[[[1]], [[-1]]])
    twobone.engine(threads=1)
    want = twobone.reach(target, r1, 1.0, side=[[[1]], [[-1]]])
    for a, b in zip(found, want, strict=True):
        assert_same_bits(a, b)
    assert_same_bits(
        twobone.solve_both(target[0, 0], 1.0, 1.0)[:, 1], twobone.solve(target[0, 0], 1, 1, side=-1)
    )


def test_callers_in_many_threads_do_not_disturb_each_other():
    rng = np.random.default_rng(2)
    targets = [rng.normal(size=(200_000 + i, 2)) for i in range(4)]
    want = [twobone.solve(target, 1.0, 1.0) for target in targets]
    found = [None] * len(targets)

    def work(i):
        for _ in range(5):
            found[i] = twobone.solve(targets[i], 1.0, 1.0)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(targets))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for a, b in zip(found, want, strict=True):
        assert_same_bits(a, b)


def test_bad_values_warn_nobody_not_even_in_the_ufuncs_themselves():
    target = np.array([[np.nan, 1.0], [np.inf, 0.0], [1e308, 1e308], [5e-324, 0.0]])
    with np.errstate(all="raise"):
        for solver in (KERNEL.solvers[2, True, "clamp"], KERNEL.solvers[2, False, "stretch"]):
            solver(target, 1.0, -1.0, 1.0)


def test_the_ufuncs_broadcast_and_convert_as_ufuncs_do():
    solver = KERNEL.solvers[2, False, "clamp"]
    assert solver([[1, 1], [3, 0]], [[1.0], [2.0]], 1, [1, -1]).shape == (2, 2, 2)
    assert solver(np.ones((3, 2), np.float32), np.float32(1), np.float32(1), 1.0).dtype == "float32"
    with pytest.raises(ValueError, match="core dimension"):
        solver([1.0, 1.0, 1.0], 1.0, 1.0, 1.0)


def test_the_short_way_raises_what_it_was_not_asked_to_pass_on():
    target = np.ones((2, 2))
    assert KERNEL.solve(target, 1.0, 1.0, 1, None, "clamp", None, 1) is None
    for most, error in (("a", TypeError), (10**30, OverflowError)):
        with pytest.raises(error):
            KERNEL.solve(target, 1.0, 1.0, 1, None, "clamp", None, most)


@pytest.mark.parametrize("shape", [(), (7,), (4, 7)])
@pytest.mark.parametrize("word", WORDS)
def test_rows_with_poles_of_their_own_have_the_same_bits_on_the_short_way(shape, word):
    rng = np.random.default_rng(5)
    target, pole = rng.normal(size=(2, 4, 7, 3))
    target[0, :3] = np.nan, 0.0, 9.0
    r1, r2 = rng.uniform(0.5, 1.0, (2, *shape))
    r1, r2 = (r1, r2) if shape else (float(r1), float(r2))
    found = engine._fast_path_rows(target, r1, r2, 1, pole, word)
    assert_same_bits(found, twobone.solve(target, r1, r2, pole=pole, unreachable=word))
    long = np.empty_like(target)  # whoever brings an array to write to goes the long way
    twobone.solve(target, r1, r2, pole=pole, unreachable=word, out=long)
    assert_same_bits(found, long)


def test_what_is_no_plain_row_goes_the_long_way():
    rows, one = np.ones((2, 3)), np.ones(3)
    plain = {"target": rows, "r1": 1.0, "r2": 1.0, "side": 1, "pole": rows, "word": "clamp"}
    assert engine._fast_path_rows(**plain) is not None
    for name, value in [
        ("target", rows.tolist()),
        ("target", rows.astype(np.float32)),
        ("target", one),
        ("target", np.ones((engine.SHARE, 3))),
        ("pole", None),
        ("r1", one),
        ("r2", 1),
        ("side", 2),
        ("word", "raise"),
        ("word", NAMED["clamp"]),
    ]:
        assert engine._fast_path_rows(**(plain | {name: value})) is None, name
    many = np.ones((engine.SHARE, 3))
    assert engine._fast_path_rows(**(plain | {"target": many, "pole": many})) is None


TARGETS = {2: [[1.25, 0.5], [3.0, -0.0], [0.0, 0.0], [math.nan, 1.0], [2, 1]]}
TARGETS[3] = [[*target, 0.25] for target in TARGETS[2]]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("made", [list, tuple, np.float64, np.float32])
def test_one_limb_and_many_have_the_same_answers_on_the_short_way(made, size, word):
    for numbers in (*TARGETS[size], np.array([TARGETS[size]] * 3)):
        many = isinstance(numbers, np.ndarray)
        if many and made in (list, tuple):
            continue
        target = made(numbers)
        options = {"unreachable": word} | ({"pole": made([0.0, 2, -1])} if size == 3 else {})
        joint = twobone.solve(target, 1.5, 1, **options)
        found = KERNEL.reach(target, 1.5, 1, 1, options.get("pole"), word, None)
        same = twobone.reach(target, 1.5, 1, **options)
        values = {"target": np.array(target, joint.dtype), "r1": 1.5, "r2": 1.0, "side": 1.0}
        if size == 3:
            values["pole"] = np.array(options["pole"], joint.dtype)
        values = {name: np.asarray(value, joint.dtype) for name, value in values.items()}
        wanted = by_numpy(values, word)
        assert_same_bits(joint, wanted.joint)
        for answer in (found, same):
            assert_same_bits(answer[0], wanted.joint)
            assert_same_bits(answer[1], wanted.end)
            assert np.array_equal(answer[2], wanted.status)
            assert answer[0].dtype == answer[1].dtype == values["target"].dtype
            assert type(answer[2]) is (np.ndarray if many else np.int8)


def test_mixtures_of_lists_and_arrays_have_the_dtype_of_the_arrays():
    narrow = np.array([1.0, 0.5, 0.25], np.float32)
    assert twobone.solve(narrow, 1.0, 1.0, pole=[0.0, 0.0, 1.0]).dtype == np.float32
    assert twobone.solve([1.0, 0.5, 0.25], 1.0, 1.0, pole=narrow).dtype == np.float32
    assert twobone.reach([1.0, 0.5], np.float32(1.0), 1.0).joint.dtype == np.float64
    out = np.empty(2)
    assert twobone.solve([1.0, 0.5], 1.0, 1.0, out=out) is out
    assert_same_bits(out, twobone.solve(np.array([1.0, 0.5]), 1.0, 1.0))


@pytest.mark.parametrize(
    "target",
    [
        [1.0, True],
        [1.0],
        [1.0, 2.0, 3.0, 4.0],
        [[1.0, 2.0]],
        [1.0, 10**400],
        [1.0, "2"],
        [1.0, None],
        [1.0, np.float32(2.0)],
        (),
        "ab",
        np.ones((2, 2), int),
        np.ma.ones((2, 2)),
        np.ones((2, 4))[:, ::2],
    ],
)
def test_what_is_not_simple_goes_the_long_way(target):
    assert KERNEL.solve(target, 1.0, 1.0, 1, None, "clamp", None, None) is None
    assert KERNEL.reach(target, 1.0, 1.0, 1, None, "clamp", None) is None


def test_reach_goes_the_long_way_where_its_other_arguments_are_not_simple():
    simple = [np.ones((4, 2)), 1.0, 1.0, 1, None, "clamp", None]
    assert KERNEL.reach(*simple) is not None
    for place, value in [(1, [1.0]), (3, True), (4, [0.0, 1.0]), (5, "raise"), (5, None), (6, 3)]:
        assert KERNEL.reach(*simple[:place], value, *simple[place + 1 :]) is None, place


# --- policies that are objects --------------------------------------------------------------

POLICIES = [
    Soft(0.05),
    Stretch(1.2),
    Stretch(math.inf),
    Stretch(1e300),  # finite in float64, infinite in float32
    Limits(30.0, 170.0),
    Limits(90.0, 90.0),
    Limits(20.0, 160.0) | Soft(0.2) | Stretch(1.5),
]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [2, 3])
def test_policies_have_the_bits_of_the_formula(engines, policy, dtype, size):
    for name in ("generic", "extended", "lopsided", "tiny_target", "any_size", "bits"):
        values = limbs(name, dtype, size, 301, 3)
        wanted = by_numpy(values, policy)
        for name_of_set in SETS:
            engines.use(name_of_set)
            with np.errstate(all="ignore"):
                how = engine._how(policy, np.dtype(dtype))
            for whole in (True, False):
                found = KERNEL.solvers[size, whole, "steps"](*values.values(), how)
                for part, want in zip(found if whole else (found,), wanted, strict=False):
                    assert_same_bits(part, want)


@pytest.mark.parametrize("threads", [1, 3])
def test_many_limbs_with_a_policy_are_shared_among_threads(threads):
    twobone.engine(threads=threads)
    rng = np.random.default_rng(6)
    target = rng.uniform(-2.2, 2.2, (3 * engine.SHARE, 2))
    target[7] = np.nan
    policy = Limits(30.0, 170.0) | Soft(0.1)
    found = twobone.reach(target, 1.2, 0.9, unreachable=policy)
    values = {"target": target, "r1": 1.2, "r2": 0.9, "side": 1.0}
    wanted = by_numpy({name: np.asarray(value) for name, value in values.items()}, policy)
    for part, want in zip(found, wanted, strict=True):
        assert_same_bits(part, want)


class Own(Policy):
    def place(self, xp, distance, inner, outer):
        return 0.5 * distance


class Softer(Soft):
    def fit(self, xp, fit):
        return fit


def test_policies_of_your_own_and_long_chains_are_not_the_kernels():
    longest = Chain(*(Limits(degrees, 170.0) for degrees in range(KERNEL.MOST_STEPS)))
    assert engine._how(longest, np.dtype(float)) is not None
    for policy in (Own(), Softer(0.1), Own() | Stretch(2.0), longest | Soft(0.1)):
        assert engine._how(policy, np.dtype(float)) is None
        assert engine._as_numbers(policy) is None
        values = {name: np.asarray(value) for name, value in SIMPLE.items()}
        joint = twobone.solve(**SIMPLE, unreachable=policy)
        assert_same_bits(joint, by_numpy(values, policy).joint)


SIMPLE = {"target": np.array([[1.5, 0.5], [3.0, 1.0]]), "r1": 1.0, "r2": 1.0, "side": 1.0}


@pytest.mark.parametrize("value", [np.zeros(5), np.array("clamp"), 1, None, ["clamp"], b"clamp"])
def test_what_is_no_policy_is_refused_on_every_way(value):
    for target in ([1.0, 0.5], np.ones(2), np.ones((4, 2)), [[1.0, 1.0]]):
        for function in (twobone.solve, twobone.reach):
            with pytest.raises(PolicyError):
                function(target, 1.0, 1.0, unreachable=value)


def test_steps_that_make_no_sense_are_not_read():
    for steps in (
        np.zeros(0),
        np.zeros(4),
        np.zeros(45),
        np.zeros((1, 5)),
        np.zeros(5, np.float32),
    ):
        assert KERNEL.solve(np.ones(2), 1.0, 1.0, 1, None, steps, None, None) is None


# --- tensors ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("size", [2, 3])
def test_tensors_on_the_cpu_get_the_bits_of_arrays(size, dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    values = limbs("any_size", dtype, size, 500, 3)
    tensors = {name: torch.from_numpy(value.copy()) for name, value in values.items()}
    found, want = twobone.reach(**tensors), twobone.reach(**values)
    for a, b in zip(found, want, strict=True):
        assert_same_bits(a.numpy(), b)
    assert_same_bits(twobone.solve(**tensors).numpy(), want.joint)
    backwards = {name: tensor.flip(0)[::2] for name, tensor in tensors.items()}
    assert_same_bits(twobone.solve(**backwards).numpy(), want.joint[::-1][::2].copy())
    one = twobone.reach(torch.tensor([1.0, 1.0]), 1.0, 1.0)
    assert (one.joint.dtype, one.status.dtype, one.status.shape) == (torch.float32, torch.int8, ())


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_the_kernel_keeps_out_where_derivatives_or_transforms_look_on():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    target = torch.tensor([[1.0, 0.5], [0.3, 1.2]], dtype=torch.float64)

    def solve(target):
        return twobone.solve(target, 1.0, 1.0)

    wanted = torch.autograd.functional.jacobian(solve, target[0])
    torch.testing.assert_close(torch.func.jacfwd(solve)(target[0]), wanted)
    torch.testing.assert_close(torch.func.jacrev(solve)(target[0]), wanted)
    torch.testing.assert_close(torch.func.vmap(solve)(target), solve(target))
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(target[0], torch.tensor([1.0, 0.0]).double())
        tangent = torch.autograd.forward_ad.unpack_dual(solve(dual)).tangent
    torch.testing.assert_close(tangent, wanted[:, 0])
    parameter = torch.nn.Parameter(target)
    assert solve(parameter).requires_grad
    with torch.no_grad():
        assert not solve(parameter).requires_grad


# --- the functions of floats --------------------------------------------------------------


def test_functions_of_floats_take_names_and_defaults_as_python_does():
    assert twobone.solve_xy(r1=1.0, r2=1.0, px=1.0, py=1.0) == (0.0, 1.0)
    assert twobone.solve_xy(1.0, 1.0, 1.0, 1.0, side=-1) == (1.0, 0.0)
    assert twobone.solve_xyz(1, 1, 0, 1, 1, 0, 1, nz=0) == (0.0, 1.0, 0.0)
    assert twobone.solve_xy(np.float64(1.0), 1, 1, 1) == (0.0, 1.0)
    for arguments, names in (
        ((1.0, 1.0, 1.0), {}),
        ((1.0,) * 6, {}),
        ((1.0,) * 4, {"px": 1.0}),
        ((1.0,) * 4, {"pz": 1.0}),
    ):
        with pytest.raises(TypeError, match="solve_xy"):
            twobone.solve_xy(*arguments, **names)


def test_functions_of_floats_are_documented_and_pickled_like_any_other():
    assert twobone.solve_xy.__doc__.startswith("Place one joint in the plane")
    assert twobone.solve_xyz.__text_signature__ == "(px, py, pz, r1, r2, nx, ny, nz, side=1)"
    assert pickle.loads(pickle.dumps(twobone.solve_xy)) is twobone.solve_xy
    assert pickle.loads(pickle.dumps(twobone.solve_xyz)) is twobone.solve_xyz


def test_a_thousand_calls_leave_nothing_behind():
    target, out, pole = np.ones((100, 2)), np.empty((100, 2)), [0.0, 0.0, 1.0]
    before = sys.getrefcount(target), sys.getrefcount(out), sys.getrefcount(pole)
    for _ in range(1000):
        twobone.solve(target, 1.0, 1.0, out=out)
        twobone.solve_xy(1.0, 1.0, 1.0, 1.0)
        twobone.solve(target, 1.0, 1.0)
        twobone.reach(target, 1.0, 1.0)
        twobone.reach([1.0, 1.0, 1.0], 1.0, 1.0, pole=pole)
    assert (sys.getrefcount(target), sys.getrefcount(out), sys.getrefcount(pole)) == before


# --- which engine, how many threads -------------------------------------------------------


def run(code, **environment):
    """Run Python in a fresh process and return what it prints."""
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        text=True,
    )
    return (found.stdout + found.stderr).strip()


def test_the_environment_chooses_engine_and_threads():
    name = "import twobone; print(*twobone.engine()[::2])"
    assert run(name, TWOBONE_ENGINE="numpy") == "numpy 1"
    assert run(name, TWOBONE_ENGINE="compiled", TWOBONE_THREADS="3") == "compiled 3"
    assert 'must be "numpy" or "compiled"' in run(name, TWOBONE_ENGINE="fast")
    for bad in ("0", "-1", "two", "\N{SUPERSCRIPT TWO}"):
        assert "`TWOBONE_THREADS` must be a positive integer" in run(name, TWOBONE_THREADS=bad)


def test_an_environment_that_cannot_be_met_raises_one_of_our_errors():
    code = "try: import twobone\nexcept ImportError as e: print(type(e).__name__, e.name)"
    assert run(code, TWOBONE_ENGINE="fast") == "EngineError TWOBONE_ENGINE"
    assert run(code, TWOBONE_THREADS="0") == "EngineError TWOBONE_THREADS"
    missing = "import sys; sys.modules['twobone.core._kernel'] = None\n" + code
    assert run(missing, TWOBONE_ENGINE="compiled") == "EngineError TWOBONE_ENGINE"


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads):
    with pytest.raises(twobone.EngineError, match="positive integer"):
        twobone.engine(threads=threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_forked_worker_uses_one_thread_and_answers():
    code = """
import os, warnings
warnings.simplefilter("ignore")
import numpy as np, twobone
twobone.engine(threads=2)
target = np.ones((400_000, 2))
twobone.solve(target, 1.0, 1.0)
if os.fork() == 0:
    print(twobone.engine().threads, twobone.solve(target, 1.0, 1.0)[-1], flush=True)
    os._exit(0)
os.wait()
print(twobone.engine().threads)
"""
    assert run(code).split() == ["1", "[0.", "1.]", "2"]


def test_memory_stays_flat():
    """The kernel allocates nothing but the answer."""
    import tracemalloc

    target = np.ones((100_000, 2))
    out = np.empty_like(target)
    tracemalloc.start()
    twobone.solve(target, 1.0, 1.0, out=out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4096


def test_infinite_numbers_of_python_are_values():
    assert all(math.isnan(part) for part in twobone.solve_xy(10**400, 1.0, 1.0, 1.0))
    assert np.isnan(twobone.solve(np.ones((2, 2)), 10**400, 1.0)).all()
    assert np.isnan(twobone.solve(np.ones((2, 2), np.float32), 1e300, 1.0)).all()
