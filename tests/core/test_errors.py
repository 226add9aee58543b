"""Shapes and types raise, and the message says what was wanted, what came and what exists."""

import copy
import datetime
import pickle
import re
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import twobone
import twobone.creature
from twobone import (
    ArrayTypeError,
    FileError,
    PolicyError,
    ShapeError,
    Status,
    TwoBoneError,
    UnreachableError,
)

SHAPES = [
    (dict(target=1.0), "`target` must have shape (..., 2) or (..., 3), got ()."),
    (dict(target=[1.0]), "`target` must have shape (..., 2) or (..., 3), got (1,)."),
    (dict(target=np.ones((5, 4))), "`target` must have shape (..., 2) or (..., 3), got (5, 4)."),
    (
        dict(target=[[1.0, 2.0], [3.0]]),
        "`target` must be an array, or a list whose rows are equally long, got a ragged list.",
    ),
    (
        dict(target=np.ones((5, 3))),
        "`pole` must be given, shape (..., 3), for a target in space, got nothing.",
    ),
    (
        dict(target=np.ones((5, 2)), pole=[0, 0, 1]),
        "`pole` must be left out in the plane, where `side` chooses, got (3,).",
    ),
    (
        dict(target=np.ones((5, 3)), pole=[0, 1]),
        "`pole` must have shape (..., 3) as the target has, got (2,).",
    ),
    (
        dict(target=np.ones((5, 2)), r1=np.ones(4)),
        "`r1` must broadcast with the others"
        " (leading axes: `target` (5,), `r2` (), `side` ()), got (4,).",
    ),
    (
        dict(target=np.ones((5, 2)), side=[1, -1]),
        "`side` must broadcast with the others"
        " (leading axes: `target` (5,), `r1` (), `r2` ()), got (2,).",
    ),
    (
        dict(target=np.ones((5, 3)), pole=np.ones((4, 3))),
        "`pole` must broadcast with the others"
        " (leading axes: `target` (5,), `r1` (), `r2` (), `side` ()), got (4,).",
    ),
    (
        dict(target=np.ones((5, 2)), out=np.ones((5, 3))),
        "`out` must have shape (5, 2), got (5, 3).",
    ),
]
TYPES = [
    (dict(target=[1j, 1.0]), "`target` must be of float32, float64 or integers, got complex128."),
    (dict(target=["a", "b"]), "`target` must be of float32, float64 or integers, got strings."),
    (dict(target="3 2"), "`target` must be of float32, float64 or integers, got strings."),
    (dict(target=None), "`target` must be of float32, float64 or integers, got NoneType."),
    (dict(target=[None, 1.0]), "`target` must be of float32, float64 or integers, got NoneType."),
    (dict(target={1, 2}), "`target` must be of float32, float64 or integers, got set."),
    (dict(target=np.ndarray), "`target` must be of float32, float64 or integers, got type."),
    (dict(r1=[2**70, True]), "`r1` must be of float32, float64 or integers, got bool."),
    (
        dict(target=np.zeros(2, [("x", float)])),
        "`target` must be of float32, float64 or integers, got void64.",
    ),
    (
        dict(target=np.ma.array([1.0, 1.0], mask=[True, False])),
        "`target` must be without masked values (`filled(nan)` makes INVALID rows of them),"
        " got a masked array.",
    ),
    (
        dict(out=np.ma.array([1.0, 1.0], mask=[True, False])),
        "`out` must be without masked values (`filled(nan)` makes INVALID rows of them),"
        " got a masked array.",
    ),
    (
        dict(
            target=np.ones((3, 2)), out=np.lib.stride_tricks.as_strided(np.ones(2), (3, 2), (0, 8))
        ),
        "`out` must be an array whose elements do not overlap, got one that overlaps itself.",
    ),
    (dict(target=[True, False]), "`target` must be of float32, float64 or integers, got bool."),
    (dict(r1=True), "`r1` must be of float32, float64 or integers, got bool."),
    (dict(r2="1"), "`r2` must be of float32, float64 or integers, got strings."),
    (dict(side="left"), "`side` must be of float32, float64 or integers, got strings."),
    (
        dict(target=np.ones(2, np.float16)),
        "`target` must be of float32, float64 or integers, got float16.",
    ),
    (
        dict(target=np.array(["2020-01-01"] * 2, "M8[D]")),
        "`target` must be of float32, float64 or integers, got datetime64[D].",
    ),
    (dict(out=[0.0, 0.0]), "`out` must be a NumPy array, got list."),
    (
        dict(out=np.ones(2, np.float32)),
        "`out` must be of float64, the dtype of the result, got float32.",
    ),
]


def solve(**given):
    return twobone.solve(**({"target": [1.0, 1.0], "r1": 1.0, "r2": 1.0} | given))


@pytest.mark.parametrize(("given", "message"), SHAPES)
def test_a_shape_that_does_not_fit_says_what_was_wanted_and_what_came(given, message):
    with pytest.raises(ShapeError) as caught:
        solve(**given)
    assert str(caught.value) == message
    assert caught.value.name == re.match("`(.*?)`", message)[1]
    assert isinstance(caught.value, TwoBoneError)


@pytest.mark.parametrize(("given", "message"), TYPES)
def test_a_type_that_does_not_fit_says_what_was_wanted_and_what_came(given, message):
    with pytest.raises(ArrayTypeError) as caught:
        solve(**given)
    assert str(caught.value) == message
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, TwoBoneError)


def test_a_read_only_out_is_refused():
    out = np.ones(2)
    out.flags.writeable = False
    with pytest.raises(ArrayTypeError, match=r"`out` must be writeable, got a read-only array"):
        solve(out=out)


@pytest.mark.parametrize("cause", [RuntimeError, ValueError])
def test_an_object_that_cannot_become_an_array_is_the_cause(cause):
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise cause("no data")

    with pytest.raises(ArrayTypeError, match="`r1` must be an array, got Broken") as caught:
        solve(r1=Broken())
    assert isinstance(caught.value.__cause__, cause)


@pytest.mark.parametrize("name", ["target", "r1"])
def test_more_axes_than_numpy_can_broadcast_are_refused(name):
    last = (2,) if name == "target" else ()
    assert solve(**{name: np.ones((1,) * 32 + last)}).ndim == 33
    with pytest.raises(ShapeError, match=f"`{name}` must have at most 32 leading axes, got "):
        solve(**{name: np.ones((1,) * 33 + last)})
    with pytest.raises(ShapeError, match=f"`{name}` must have at most 32 leading axes, got "):
        solve(**{name: np.ones((1,) * 33 + last).tolist()})


ERRORS = [
    ShapeError("target", "have shape (..., 2)", (5, 3)),
    ArrayTypeError("r1", "of floats", "strings"),
    PolicyError("No policy"),
    UnreachableError([(1, 2)], [Status.TOO_FAR], 9),
    FileError("a.csv", "a number", "'two'", line=3, column="x"),
    TwoBoneError("that"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_copied_and_pickled_with_their_facts(error):
    error.add_note("seen")
    packed = (pickle.dumps(error, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1))
    for again in (copy.copy(error), copy.deepcopy(error), *map(pickle.loads, packed)):
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_the_root_must_have_the_targets_size():
    with pytest.raises(ShapeError, match=r"`root` must have shape \(..., 2\) as the target has"):
        twobone.reach([1.0, 1.0], 1.0, 1.0, root=[0.0, 0.0, 0.0])


@pytest.mark.parametrize("unreachable", ["clmap", "", None, 3, twobone.Soft, ["clamp"]])
def test_an_unknown_policy_lists_those_that_exist(unreachable):
    with pytest.raises(PolicyError) as caught:
        solve(unreachable=unreachable)
    message = str(caught.value)
    assert repr(unreachable) in message
    for word in ('"clamp"', '"stretch"', '"nan"', '"raise"', "Soft", "Stretch", "Limits"):
        assert word in message


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: twobone.Soft(0), "Soft: `softness` must lie between 0 and 1, got 0."),
        (lambda: twobone.Soft(1.0), "Soft: `softness` must lie between 0 and 1, got 1.0."),
        (lambda: twobone.Soft(float("nan")), "between 0 and 1, got nan."),
        (lambda: twobone.Soft("0.1"), "Soft: `softness` must be a number or an array, got str."),
        (lambda: twobone.Soft(True), "`softness` must be a number or an array, got bool."),
        (lambda: twobone.Soft(np.True_), "`softness` must be a number or an array, got bool."),
        (lambda: twobone.Soft(10**400), "Soft: `softness` must lie between 0 and 1, got inf"),
        (lambda: twobone.Stretch(0.9), "Stretch: `limit` must be at least 1, got 0.9."),
        (lambda: twobone.Stretch(float("nan")), "Stretch: `limit` must be at least 1, got nan."),
        (
            lambda: twobone.Limits(-1, 90),
            "must satisfy 0 <= least_degrees <= greatest_degrees <= 180",
        ),
        (lambda: twobone.Limits(91, 90), "got 91.0 and 90.0."),
        (lambda: twobone.Limits(0, 181), "got 0.0 and 181.0."),
    ],
)
def test_a_policy_of_nonsense_numbers_is_refused(make, message):
    with pytest.raises(PolicyError, match=re.escape(message)):
        make()


def test_policies_take_numbers_of_any_kind():
    for number in (np.float32(0.5), np.float64(0.5), np.array(0.5), Fraction(1, 2), Decimal("0.5")):
        assert twobone.Soft(number).softness == 0.5
    assert twobone.Stretch(np.int64(2)).limit == 2.0
    assert twobone.Stretch(10**400).limit == np.inf
    assert twobone.Limits(np.int8(20), np.float32(90)).greatest_degrees == 90.0


def test_a_policy_that_says_nothing_is_refused():
    for policy in (twobone.Policy(), twobone.Soft(0.1) | twobone.Policy()):
        with pytest.raises(PolicyError, match="Policy: a policy must define `place`"):
            solve(unreachable=policy)


@pytest.mark.parametrize("count", [3, 20000])
@pytest.mark.parametrize(
    ("placed", "kind", "message"),
    [
        (None, PolicyError, "Mine.place must return distances, got NoneType."),
        ([1.0], PolicyError, "Mine.place must return distances, got list."),
        (np.ones(2), ShapeError, "`Mine.place` must return distances of shape ("),
        (np.ones((1, 3, 1)), ShapeError, "that of its arguments, got (1, 3, 1)."),
        (np.ones(3) * 1j, ArrayTypeError, "`Mine.place` must be of float32"),
    ],
)
def test_a_policy_of_ones_own_that_places_nonsense_is_named(placed, kind, message, count):
    class Mine(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return placed

    with pytest.raises(kind, match=re.escape(message)):
        solve(target=np.ones((count, 2)), unreachable=Mine())


def test_a_policy_of_ones_own_may_place_all_at_one_distance():
    class Mine(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return 1

    end = twobone.reach(np.eye(2) * 2, 1.0, 1.0, unreachable=Mine()).end
    np.testing.assert_allclose(end, np.eye(2), rtol=0, atol=1e-15)


def test_policies_join_with_policies_only():
    for join in (lambda: twobone.Soft(0.1) | "stretch", lambda: "stretch" | twobone.Soft(0.1)):
        with pytest.raises(
            PolicyError, match=r"Soft\(0.1\) can be combined with .*, got 'stretch'; named"
        ):
            join()


def test_raise_names_the_rows_and_why():
    target = np.array([[1.0, 1.0], [3.0, 0.0], [0.1, 0.0], [np.nan, 0.0], [2.0, 0.0]])
    with pytest.raises(UnreachableError) as caught:
        twobone.solve(target, 1.0, 1.5, unreachable="raise")
    assert caught.value.rows == [(1,), (2,), (3,)]
    assert caught.value.statuses == [Status.TOO_FAR, Status.TOO_NEAR, Status.INVALID]
    assert str(caught.value) == (
        "3 of 5 targets cannot be reached: row 1: TOO_FAR, row 2: TOO_NEAR, row 3: INVALID."
    )


def test_raise_counts_what_it_does_not_name_and_needs_no_row_for_one_target():
    with pytest.raises(UnreachableError, match=r"row 9: TOO_FAR and 90 more\.$"):
        twobone.solve(np.full((100, 2), 9.0), 1.0, 1.0, unreachable="raise")
    with pytest.raises(UnreachableError, match=r"^The target cannot be reached: TOO_FAR\.$"):
        twobone.solve([9.0, 9.0], 1.0, 1.0, unreachable="raise")
    with pytest.raises(UnreachableError, match=r"row \(1, 0\): TOO_FAR"):
        twobone.solve([[[1.0, 1.0]], [[9.0, 9.0]]], 1.0, 1.0, unreachable="raise")


def test_raise_lets_good_and_ambiguous_targets_pass():
    joint = twobone.solve([[1.0, 1.0], [0.0, 0.0]], 1.0, 1.0, unreachable="raise")
    assert joint.tolist() == [[0.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize("count", [2, 20000])
def test_raise_leaves_out_as_it_was(count):
    target = np.ones((count, 2))
    target[1] = 9.0
    before = target.copy()
    with pytest.raises(UnreachableError):
        twobone.solve(target, 1.0, 1.0, unreachable="raise", out=target)
    np.testing.assert_array_equal(target, before)
    target[1] = 1.0
    assert twobone.solve(target, 1.0, 1.0, unreachable="raise", out=target) is target
    np.testing.assert_array_equal(target, np.tile([0.0, 1.0], (count, 1)))


def solve_or_raise(target):
    return twobone.solve(target, 1.0, 1.0, unreachable="raise")


def test_raise_where_there_are_no_values_says_so():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    for transform in (jax.jit, jax.vmap):
        with pytest.raises(PolicyError, match="there are none under jit, vmap"):
            transform(solve_or_raise)(jax.numpy.ones((2, 2)))


def test_raise_where_pytorch_has_no_values_says_so():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(PolicyError, match="there are none under jit, vmap") as caught:
        torch.vmap(solve_or_raise)(torch.ones(3, 2))
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(PolicyError, match="there are none under jit, vmap"):
        solve_or_raise(torch.ones(2, device="meta"))


def test_raise_where_dask_has_not_computed_says_so():
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    with pytest.raises(PolicyError, match="nor in dask before it computes"):
        solve_or_raise(da.ones((5, 2), chunks=2))


def test_a_tensor_without_its_extra_is_named(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    with pytest.raises(ArrayTypeError, match=r"`pole` must be .*pip install '\.\[torch\]' in the"):
        twobone.solve([1.0, 0.0, 0.0], 1.0, 1.0, pole=torch.ones(3))


def test_libraries_do_not_mix():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with pytest.raises(
        ArrayTypeError, match=r"`r1` must be of the same library as the rest \(torch\), got jax"
    ):
        twobone.solve(torch.ones(2), jax.numpy.ones(()), 1.0)


def test_libraries_do_not_mix_in_lists_either():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with pytest.raises(ArrayTypeError, match=r"`target` must be of the same library .*, got jax"):
        twobone.solve([torch.ones(()), jax.numpy.ones(())], 1.0, 1.0)


def test_devices_do_not_mix_but_for_a_number_on_the_cpu():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    away, here = torch.ones(2, device="meta"), torch.ones(2)
    message = "`r1` must be on the device of `target`, meta, got one on cpu."
    with pytest.raises(ArrayTypeError, match=message):
        twobone.solve(away, here, 1.0)
    with pytest.raises(ArrayTypeError, match="`r2` must be on the device of `target`, cpu"):
        twobone.solve(here, 1.0, torch.ones((), device="meta"))
    assert twobone.solve(away, torch.ones(()), [1.0]).device == away.device


def test_tensors_must_be_dense():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(ArrayTypeError, match=r"`target` must be dense, got a tensor of layout"):
        twobone.solve(torch.ones(2).to_sparse(), 1.0, 1.0)


def test_an_array_of_jax_that_is_not_of_numbers_is_refused():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with pytest.raises(ArrayTypeError, match="`target` must be an array, got PRNGKeyArray"):
        twobone.solve(jax.random.key(0), 1.0, 1.0)


def test_rows_of_tensors_must_be_equally_long():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for ragged in ([torch.ones(2), torch.ones(3)], [[torch.ones(()), 1.0], [1.0]]):
        with pytest.raises(ShapeError, match=r"`target` must be .* equally long, got a ragged"):
            twobone.solve(ragged, 1.0, 1.0)


def test_out_is_for_numpy_alone():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with pytest.raises(
        ArrayTypeError, match="`out` must be left out where the arrays are not NumPy's"
    ):
        twobone.solve(torch.ones(2), 1.0, 1.0, out=np.ones(2))


def test_what_is_no_number_is_refused_in_torch_too():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for dtype in (torch.complex64, torch.bool):
        with pytest.raises(ArrayTypeError, match=str(dtype).rpartition(".")[2]):
            twobone.solve(torch.ones(2, dtype=dtype), 1.0, 1.0)


def test_dask_checks_shapes_at_once():
    da = pytest.importorskip("dask.array", reason="dask is not installed")
    with pytest.raises(ShapeError, match="`pole` must be given"):
        twobone.solve(da.ones((5, 3)), 1.0, 1.0)
    with pytest.raises(ShapeError, match="`r1` must broadcast"):
        twobone.solve(da.ones((5, 2)), da.ones(4), 1.0)
    some = da.ones((5, 2))[da.ones(5) > 0]
    with pytest.raises(ShapeError, match=r"`target` must have known sizes .* got \(nan, 2\)"):
        twobone.solve(some, 1.0, 1.0)
    with pytest.raises(ArrayTypeError, match="`target` must be stacked first"):
        twobone.solve([some[:, 0], some[:, 1]], 1.0, 1.0)


@pytest.mark.parametrize("name", ["px", "py", "pz", "r1", "r2", "nx", "ny", "nz", "side"])
@pytest.mark.parametrize("bad", ["1", None, b"1", True, [1.0], np.ones(1), 1j, np.ma.masked])
def test_floats_refuse_what_is_no_number_and_name_it(name, bad):
    given = dict(px=1.0, py=1.0, r1=1.0, r2=1.0, side=1)
    if name in given:
        with pytest.raises(ArrayTypeError, match=f"`{name}` must be "):
            twobone.solve_xy(**given | {name: bad})
    given |= dict(pz=0.0, nx=0.0, ny=0.0, nz=1.0)
    with pytest.raises(ArrayTypeError, match=f"`{name}` must be "):
        twobone.solve_xyz(**given | {name: bad})


NO_NUMBERS = [
    True,
    np.True_,
    np.array(True),
    np.timedelta64(1, "ns"),
    np.datetime64(1, "ns"),
    np.float16(1.0),
    np.longdouble(1.0),
    np.complex64(1.0),
    datetime.timedelta(1),
    "1",
    np.str_("1"),
    b"1",
    None,
    object(),
]
DOG = twobone.creature.animal("dog")
WALKER = twobone.creature.Walker(DOG)
TAKING_NUMBERS = {
    "solve_xy": lambda v: twobone.solve_xy(v, 1.0, 1.0, 1.0),
    "a length": lambda v: solve(r1=v),
    "a list of lengths": lambda v: solve(r1=[v, 1.0]),
    "a float32 list of lengths": lambda v: solve(target=np.ones(2, np.float32), r1=[v, 1.0]),
    "a list of lists": lambda v: solve(target=[[1.0, 1.0], [v, 1.0]]),
    "a target": lambda v: solve(target=(v, 1)),
    "Stretch": twobone.Stretch,
    "Limits": lambda v: twobone.Limits(0, v),
    "hysteresis": lambda v: twobone.follow_branch(np.zeros((3, 2, 2)), hysteresis=v),
    "Skeleton": lambda v: twobone.Skeleton([-1], [[v, 1.0, 1.0]]),
    "rotate": lambda v: twobone.rotations.rotate([0.0, 0.0, 0.0, 1.0], [v, 1.0, 1.0]),
    "Flat": twobone.creature.Flat,
    "HeightArray": lambda v: twobone.creature.HeightArray([[v, 1.0], [2.0, 2.0]], 1.0),
    "Walker.step dt": lambda v: WALKER.step(v),
    "Walker.step velocity": lambda v: WALKER.step(0.0, velocity=v),
    "Walker.step turn": lambda v: WALKER.step(0.0, turn=[v]),
    "Walker.shove": lambda v: WALKER.shove([v, 0.0]),
    "Walker.put": lambda v: twobone.creature.Walker("dog").put([v, 0.0]),
    "the roughness": lambda v: twobone.creature.make_terrain(v, "dog"),
    "the stride of an animal": lambda v: twobone.creature.Walker(
        DOG._replace(anatomy=DOG.anatomy._replace(stride=v))
    ),
    "the share of a leg": lambda v: twobone.creature.Walker(
        DOG._replace(
            anatomy=DOG.anatomy._replace(
                legs=tuple(leg._replace(share=v) for leg in DOG.anatomy.legs)
            )
        )
    ),
}


@pytest.mark.parametrize("bad", NO_NUMBERS, ids=lambda bad: f"{type(bad).__name__} {bad!s:.5}")
@pytest.mark.parametrize("call", TAKING_NUMBERS)
def test_what_is_no_number_is_refused_wherever_a_number_is_wanted(call, bad):
    with pytest.raises(TwoBoneError, match=r"must be .*, got"):
        TAKING_NUMBERS[call](bad)


@pytest.mark.parametrize("call", TAKING_NUMBERS)
def test_numbers_of_any_kind_are_taken_wherever_a_number_is_wanted(call):
    for number in (1, 1.0, np.float32(1), np.int8(1), Fraction(1), Decimal(1)):
        TAKING_NUMBERS[call](number)


@pytest.mark.parametrize("call", ["Flat", "Walker.step velocity", "Walker.put", "HeightArray"])
def test_an_integer_that_no_float_holds_is_not_finite(call):
    for number in (10**400, -(10**5000)):
        with pytest.raises(TwoBoneError, match="must be finite"):
            TAKING_NUMBERS[call](number)


def test_numbers_that_carry_derivatives_do_not_silently_lose_them():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    jax = pytest.importorskip("jax", reason="jax is not installed")
    with pytest.raises(ArrayTypeError, match="`px` must be a number, got Tensor"):
        twobone.solve_xy(torch.ones((), requires_grad=True), 1.0, 1.0, 1.0)
    with pytest.raises(ArrayTypeError, match=r"`px` must be a number, got .*Tracer"):
        jax.grad(lambda x: twobone.solve_xy(x, 1.0, 1.0, 1.0)[0])(0.5)
    # Policies take arrays, and those of other libraries need no axes.
    target = jax.numpy.array([1.9, 0.1])
    assert jax.grad(lambda s: solve(target=target, unreachable=twobone.Soft(s))[0])(0.2) != 0.0


def test_masks_in_lists_are_seen():
    masked = np.ma.array([1.0, 1.0], mask=[True, False])
    for target in ([masked], [np.ma.masked, 1.0], [[1.0, 1.0], masked]):
        with pytest.raises(ArrayTypeError, match="`target` must be without masked values"):
            twobone.solve(target, 1.0, 1.0)
    whole = [np.ma.array([1.0, 0.5]), np.ma.array([1.0, 0.2])]
    np.testing.assert_array_equal(
        twobone.solve(whole, 1.0, 1.0), twobone.solve([[1.0, 0.5], [1.0, 0.2]], 1.0, 1.0)
    )


def test_a_number_may_be_an_object_of_numpy():
    assert twobone.Soft(np.array(Fraction(1, 4), dtype=object)) == twobone.Soft(0.25)
    with pytest.raises(PolicyError, match="`softness` must be a number"):
        twobone.Soft(np.array(None, dtype=object))


def test_tensors_need_the_extra(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for name in [name for name in sys.modules if name.startswith("array_api_compat")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    monkeypatch.delitem(sys.modules, "twobone.core.for_torch", raising=False)
    monkeypatch.delattr("twobone.core.for_torch", raising=False)
    with pytest.raises(
        ArrayTypeError, match="`target` must be an array of an installed extra: pip"
    ):
        twobone.solve(torch.ones(2), 1.0, 1.0)


def test_out_that_overlaps_itself_is_refused():
    out = np.lib.stride_tricks.as_strided(np.zeros(10), (3, 2), (8, 8))
    with pytest.raises(ArrayTypeError, match="elements do not overlap"):
        twobone.solve([[1.0, 1.0]] * 3, 1.0, 1.0, out=out)
    for good in (np.zeros((3, 4))[:, ::2], np.zeros((2, 3)).T, np.zeros((6, 2))[::-2]):
        assert twobone.solve([[1.0, 1.0]] * 3, 1.0, 1.0, out=good)[2].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("make", [twobone.Soft, lambda v: twobone.Limits(0, v)])
def test_numbers_of_any_length_are_refused_in_one_line(make):
    with pytest.raises(PolicyError, match="inf"):
        make(10**5000)
    with pytest.raises(PolicyError, match="No policy of int for"):
        twobone.solve([1.0, 1.0], 1.0, 1.0, unreachable=10**5000)
