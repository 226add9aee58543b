"""JAX on the CPU runs the kernel: with the bits of NumPy, under every transformation."""

import functools
import itertools
import math

import numpy as np
import pytest

import twobone
from engines import KERNEL
from families import FAMILIES, make, make_bits
from slow import nightly
from twobone import Limits, Soft, Stretch

jax = pytest.importorskip("jax", reason="jax is not installed")
pytestmark = [
    pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or not wanted"),
    pytest.mark.skipif(not hasattr(jax, "ffi"), reason="JAX before 0.5.0 cannot call the kernel"),
]
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy

POLICIES = [
    "clamp",
    "stretch",
    "nan",
    Soft(0.05),
    Stretch(limit=math.inf),
    Limits(20, 170) | Soft(0.05) | Stretch(1.2),
]
DTYPES = [np.float32, np.float64]
NAMES = ("target", "r1", "r2", "side", "pole")
BY = ("target", "r1", "r2", "pole")

every_policy = pytest.mark.parametrize("policy", POLICIES, ids=repr)
both_sizes = pytest.mark.parametrize("size", [2, 3])
both_dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)


@functools.lru_cache
def compiled(policy, size, function=twobone.reach):
    return jax.jit(lambda **given: function(**given, unreachable=policy))


def limbs(size, dtype, count=200, seed=0):
    """Return limbs of every family, and limbs of random bits, many of them subnormal."""
    rng = np.random.default_rng(seed)
    rows = [make(name, dtype, size, count, rng) for name in FAMILIES]
    rows.append(make_bits(dtype, size, count, rng))
    tiny = np.nextafter(dtype(0), dtype(1)) * 1000
    rows.append(
        tuple(
            None if v is None else v if i == 3 else (v * tiny).astype(dtype)
            for i, v in enumerate(make("generic", dtype, size, count, rng))
        )
    )
    columns = zip(*rows, strict=True)
    return {
        name: np.concatenate(parts)
        for name, parts in zip(NAMES, columns, strict=True)
        if parts[0] is not None
    }


def assert_same(found, wanted):
    for have, want in zip(found, wanted, strict=True):
        assert have.dtype == want.dtype
        assert have.shape == want.shape
        np.testing.assert_array_equal(np.asarray(have), want)


# --- values -------------------------------------------------------------------------------


@every_policy
@both_sizes
@both_dtypes
def test_all_rows_have_the_bits_of_numpy(dtype, size, policy):
    given = limbs(size, dtype)
    wanted = twobone.reach(**given, unreachable=policy)
    assert_same(compiled(policy, size)(**given), wanted)
    joint = compiled(policy, size, twobone.solve)(**given)
    assert_same([joint], [wanted.joint])


@every_policy
@both_sizes
@both_dtypes
def test_rows_of_one_limb_have_the_bits_of_numpy(dtype, size, policy):
    given = limbs(size, dtype, 50)
    given |= {name: given[name][0] for name in given if name != "target"}
    given["side"] = dtype(1)
    wanted = twobone.solve(**given, unreachable=policy)
    assert_same([compiled(policy, size, twobone.solve)(**given)], [wanted])


def test_subnormal_rows_are_not_flushed_to_zero():
    target = np.array([[1e-310, 2e-310]])
    joint = twobone.solve(jnp.asarray(target), 2e-310, 2e-310)
    assert np.all(np.asarray(joint) != 0.0)
    assert_same([joint], [twobone.solve(target, 2e-310, 2e-310)])
    assert float(jax.jit(lambda v: v * 0.5)(1e-310)) == 0.0  # XLA's own way is unchanged


@pytest.mark.parametrize(
    "shapes",
    [
        [(), (), (), ()],
        [(0,), (), (), ()],
        [(4, 0), (1, 1), (0,), ()],
        [(3, 1), (2,), (3, 2), (1,)],
        [(1, 5), (4, 1), (), (3, 1, 1)],
        [(2, 1, 3), (4, 1), (2, 4, 3), (1, 1, 3)],
    ],
    ids=repr,
)
@both_sizes
def test_shapes_broadcast_as_in_numpy(size, shapes):
    rng = np.random.default_rng(0)
    given = dict(zip(("target", "r1", "r2", "pole"), shapes, strict=True))
    given = {
        name: rng.uniform(0.5, 1.5, (*shape, size) if name in ("target", "pole") else shape)
        for name, shape in given.items()
        if name != "pole" or size == 3
    }
    for way in (jax.jit, lambda function: function):
        assert_same(way(twobone.reach)(**jax.tree.map(jnp.asarray, given)), twobone.reach(**given))
        both = {name: jnp.asarray(value) for name, value in given.items()}
        assert_same([way(twobone.solve_both)(**both)], [twobone.solve_both(**given)])
    total = jax.jit(
        jax.grad(lambda given: sum(jnp.sum(part) for part in twobone.reach(**given)[:2]))
    )(given)
    assert {name: part.shape for name, part in total.items()} == {
        name: value.shape for name, value in given.items()
    }


def test_compiled_programs_call_the_kernel_and_repeat_no_number():
    target = jnp.ones((1000, 3))

    def total(target, r1):
        return jnp.sum(twobone.solve(target, r1, 0.8, pole=[0.0, 0.0, 1.0]))

    text = jax.jit(jax.grad(total, (0, 1))).lower(target, jnp.asarray(1.0)).as_text()
    assert "@twobone_pull" in text
    assert text.count("stablehlo.sqrt") == 0
    (call,) = [line for line in text.splitlines() if "@twobone_pull" in line]
    assert "(tensor<1000x3xf64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<3xf64>," in call


def test_without_jit_the_same(monkeypatch):
    target = jnp.asarray([[0.5, 0.6], [3.0, 0.0]])
    wanted = twobone.solve(np.asarray(target), 1.0, 0.8)
    with jax.disable_jit():
        assert_same([twobone.solve(target, 1.0, 0.8)], [wanted])
        grad = jax.grad(lambda t: twobone.solve(t, 1.0, 0.8).sum())(target)
    assert_same([jax.grad(lambda t: twobone.solve(t, 1.0, 0.8).sum())(target)], [np.asarray(grad)])


def test_raise_works_where_there_are_values_and_is_refused_under_jit():
    target = jnp.asarray([3.0, 0.0])
    with pytest.raises(twobone.UnreachableError):
        twobone.solve(target, 1.0, 1.0, unreachable="raise")
    with pytest.raises(twobone.PolicyError):
        jax.jit(lambda t: twobone.solve(t, 1.0, 1.0, unreachable="raise"))(target)
    joint = twobone.solve(0.5 * target, 1.0, 1.0, unreachable="raise")
    assert_same([joint], [twobone.solve([1.5, 0.0], 1.0, 1.0)])


@pytest.mark.parametrize("policy", ["clamp", Soft(jnp.full(4, 0.1))], ids=["one", "rows"])
def test_what_is_exported_runs_without_this_package(policy):
    function = jax.jit(lambda t: twobone.solve(t, 1.0, 0.8, unreachable=policy))
    program = jax.export.export(function)(jnp.ones((4, 2)))
    assert "@twobone_" not in program.mlir_module()
    assert_near(program.call(jnp.ones((4, 2))), function(jnp.ones((4, 2))), 1e-14)


def test_a_policy_of_ones_own_stays_with_the_formula():
    class Half(twobone.Policy):
        def place(self, xp, distance, inner, outer):
            return 0.5 * distance

    given = {"target": np.array([1.0, 0.2]), "r1": 1.0, "r2": 0.8}
    joint = jax.jit(lambda t: twobone.solve(t, 1.0, 0.8, unreachable=Half()))(given["target"])
    wanted = twobone.solve(**given, unreachable=Half())
    np.testing.assert_allclose(joint, wanted, rtol=1e-14)


# --- derivatives --------------------------------------------------------------------------


def ordinary(size, count=12, seed=1):
    """Return limbs apart from kinks, as JAX arrays in the order of `NAMES`; the side is 1."""
    rng = np.random.default_rng(seed)
    target = rng.normal(size=(count, size))
    target *= (np.linspace(0.3, 2.6, count) / np.linalg.norm(target, axis=-1))[:, None]
    given = {"target": target, "r1": rng.uniform(0.9, 1.1, count), "r2": np.array(0.8)}
    if size == 3:
        given["pole"] = rng.normal(size=3)
    return {name: jnp.asarray(value) for name, value in given.items()}


def by_kernel(policy):
    """Return joint and end of limbs, joined, as a function of what they are differentiated by."""

    def both(*values):
        given = dict(zip(BY, values, strict=False))
        found = twobone.reach(**given, unreachable=policy)
        return jnp.concatenate([found.joint, found.end], axis=-1)

    return both


def by_formula(policy):
    """Return the same by the formula, which JAX differentiates itself."""
    from twobone.core import for_jax, policies

    told = for_jax._policy(policies.resolve(policy))

    def both(*values):
        target, r1, r2, *pole = values
        joint, end, _ = for_jax._by_formula(
            target, r1, r2, jnp.ones((), target.dtype), *pole, policy=told, whole=True
        )
        return jnp.concatenate([joint, end], axis=-1)

    return both


def assert_near(found, wanted, tolerance):
    for have, want in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert have.shape == want.shape
        size = np.nanmax(np.abs(want), initial=1.0)
        np.testing.assert_allclose(have, want, rtol=0, atol=tolerance * size)


def first_derivatives(function, size):
    """Return a function that gives products with the Jacobian, forwards and in reverse."""
    values = list(ordinary(size).values())
    rng = np.random.default_rng(2)
    moves = [jnp.asarray(rng.normal(size=v.shape)) for v in values]
    bar = jnp.asarray(rng.normal(size=(len(values[0]), 2 * size)))

    def all_of():
        moved = jax.jvp(function, values, moves)
        back = jax.vjp(function, *values)[1](bar)
        alone = jax.grad(lambda r1: jnp.sum(bar * function(values[0], r1, *values[2:])))(values[1])
        return moved, back, alone

    return all_of


@every_policy
@both_sizes
def test_first_derivatives_are_those_of_the_formula(size, policy):
    found = jax.jit(first_derivatives(by_kernel(policy), size))()
    wanted = first_derivatives(by_formula(policy), size)()  # compiling it would take long
    assert_near(found, wanted, 1e-12)


@pytest.mark.parametrize("policy", ["clamp", Soft(0.05) | Stretch(1.2)], ids=repr)
@both_sizes
def test_all_nestings_of_derivatives_agree_with_the_exact_ones(size, policy):
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed")
    from exact_derivatives import reach_of, slope_of

    given = ordinary(size, 6)
    function = by_kernel(policy)
    by = tuple(range(len(given)))
    rng = np.random.default_rng(3)
    ways = {
        name: rng.normal(size=value.shape[-1:] if name in ("target", "pole") else ())
        for name, value in given.items()
    }

    def along(derivative):
        """Contract the last two axes, and those of the arguments, with the direction."""
        way = list(ways.values())

        def second(*values):
            found = derivative(*values)
            total = 0.0
            for row, a in zip(found, way, strict=True):
                for part, b in zip(row, way, strict=True):
                    part = jnp.tensordot(part, b, b.ndim) if b.ndim else part * b
                    total = total + (jnp.tensordot(part, a, a.ndim) if a.ndim else part * a)
            return total

        return second

    nestings = [
        jax.jacfwd(jax.jacrev(function, by), by),
        jax.jacrev(jax.jacrev(function, by), by),
        jax.jacrev(jax.jacfwd(function, by), by),
        jax.jacfwd(jax.jacfwd(function, by), by),
    ]
    axes = tuple(0 if name in ("target", "r1") else None for name in given)
    found = [jax.jit(jax.vmap(along(each), axes))(*given.values()) for each in nestings]
    first = jax.vmap(
        lambda *values: jax.jvp(function, values, tuple(map(jnp.asarray, ways.values())))[1], axes
    )(*given.values())
    for row in range(6):
        place = {n: np.asarray(v)[row] if n in ("target", "r1") else v for n, v in given.items()}
        extra = {"root": np.zeros(size), "side": np.array(1.0)}
        still = {name: np.zeros_like(value) for name, value in extra.items()}
        exact = slope_of(reach_of(policy), place | extra, ways | still)
        assert exact is not None
        assert_near(first[row], exact.first.astype(float), 1e-12)
        for each in found:
            assert_near(each[row], exact.second.astype(float), 1e-11)


def along(function):
    """Return the derivative of a function of a vector, as a function of the vector and a way."""
    return lambda at, way: jax.jvp(function, (at,), (way,))[1]


def against(function):
    """Return a product with the transposed Jacobian of a function of a vector."""
    return lambda at, bar: jax.vjp(function, at)[1](bar)[0]


def operators():
    """Return the four derivatives of a joint: products with first and second ones, both ways."""
    target = jnp.asarray([0.5, 0.6])

    def joint(t):
        return twobone.solve(t, 1.0, 0.8)

    def push(way):
        return along(joint)(target, way)

    def pull(bar):
        return against(joint)(target, bar)

    def bend(one, two):
        return along(lambda t: along(joint)(t, one))(target, two)

    def curve(way, bar):
        return along(lambda t: against(joint)(t, bar))(target, way)

    return push, pull, bend, curve


WAYS = [jnp.asarray(each) for each in ([0.3, -0.2], [0.1, 0.7], [1.0, 2.0])]


def test_products_with_derivatives_are_differentiated_as_what_they_are_linear():
    push, pull, bend, curve = operators()
    one, two, bar = WAYS
    found_and_wanted = [
        (along(push)(one, two), push(two)),
        (against(push)(one, bar), pull(bar)),
        (along(pull)(bar, two), pull(two)),
        (against(pull)(bar, two), push(two)),
        (along(lambda way: bend(way, two))(one, bar), bend(bar, two)),
        (along(lambda way: bend(one, way))(two, bar), bend(one, bar)),
        (against(lambda way: bend(way, two))(one, bar), curve(two, bar)),
        (along(lambda way: curve(way, bar))(one, two), curve(two, bar)),
        (along(lambda bar: curve(one, bar))(bar, two), curve(one, two)),
        (against(lambda way: curve(way, bar))(one, two), curve(two, bar)),
        (against(lambda bar: curve(one, bar))(bar, two), bend(one, two)),
    ]
    for found, wanted in found_and_wanted:
        assert_near(found, wanted, 1e-14)
        assert np.linalg.norm(wanted) > 1e-3


@pytest.mark.parametrize("name", ["push", "pull", "bend", "curve"])
def test_what_is_not_used_has_no_part_in_a_transposition(name):
    one, two, bar = WAYS
    operator = dict(zip(("push", "pull", "bend", "curve"), operators(), strict=True))[name]
    rest = () if name in ("push", "pull") else (two,)

    def doubled(way):
        operator(way, *rest)
        return 2.0 * way

    (found,) = jax.linear_transpose(jax.jit(doubled), one)(bar)
    assert_same([found], [2.0 * np.asarray(bar)])


@pytest.mark.parametrize("name", ["joint", "end"])
def test_a_product_is_transposed_with_respect_to_one_of_its_vectors(name):
    target, way, none = jnp.asarray([0.3, 1.1]), WAYS[0], jnp.zeros(2)

    def joint_and_end(target):
        found = twobone.reach(target, 1.0, 0.9)
        return {"joint": found.joint, "end": found.end}

    _, against_both = jax.vjp(joint_and_end, target)

    def against_one(bar):
        return against_both({"joint": none, "end": none, name: bar})[0]

    (found,) = jax.linear_transpose(against_one, none)(way)
    assert_near(found, along(joint_and_end)(target, way)[name], 1e-14)


@pytest.mark.parametrize("policy", ["clamp", Soft(jnp.asarray([0.1, 0.2]))], ids=["one", "rows"])
def test_a_side_has_no_derivative(policy):
    def total(side):
        return twobone.reach([0.5, 0.6], 1.0, 0.8, side=side, unreachable=policy).joint.sum()

    assert jax.grad(total)(1.0) == 0.0


@both_sizes
def test_vmap_over_any_argument_and_axis(size):
    given = ordinary(size, 5)
    function = by_kernel("clamp")
    one = [value[0] if name in ("target", "r1") else value for name, value in given.items()]
    rng = np.random.default_rng(4)
    for name in given:
        i = list(given).index(name)
        many = jnp.asarray(one[i] + 0.1 * rng.random((4, *one[i].shape)))
        place = many.ndim - 1
        axes = [None] * len(one)
        axes[i] = place
        values = [*one[:i], jnp.moveaxis(many, 0, place), *one[i + 1 :]]
        derivative = jax.jacrev(jax.jacfwd(function, i), 0)
        found = jax.jit(jax.vmap(derivative, axes))(*values)
        wanted = [derivative(*one[:i], each, *one[i + 1 :]) for each in many]
        assert_near(found, jnp.stack(wanted), 1e-14)


NESTED = [*itertools.product(("fwd", "rev"), repeat=3)]


@pytest.mark.parametrize(
    ("one", "two", "three"),
    [
        ("fwd", "rev", "fwd"),
        *nightly(*(each for each in NESTED if each != ("fwd", "rev", "fwd"))),
    ],
)
def test_third_derivatives_are_those_of_the_formula(one, two, three):
    one, two, three = (getattr(jax, f"jac{mode}") for mode in (one, two, three))
    values = [value[0] for value in list(ordinary(2).values())[:1]]
    formula = jax.jacfwd(jax.jacrev(jax.jacfwd(lambda t: by_formula("clamp")(t, *ONE))))
    wanted = jax.jit(formula)(*values)
    found = jax.jit(one(two(three(lambda t: by_kernel("clamp")(t, 1.0, 0.8)))))(*values)
    assert_near(found, wanted, 1e-10)


ONE = (jnp.asarray(1.0), jnp.asarray(0.8))


@both_dtypes
@both_sizes
def test_no_derivative_is_nan_at_any_input(size, dtype):
    given = limbs(size, dtype, 60)
    side = given.pop("side")
    for policy in POLICIES:

        def total(given, policy=policy):
            found = twobone.reach(**given, side=side, unreachable=policy)
            return sum(jnp.sum(jnp.where(jnp.isfinite(part), part, 0.0)) for part in found[:2])

        def one(given, way, total=total):
            return jax.jvp(jax.grad(total), (given,), (way,))

        first, second = jax.jit(one)(given, jax.tree.map(np.ones_like, given))
        for part in jax.tree.leaves(first):
            assert part.dtype == dtype
            assert not np.any(np.isnan(part))  # a sum may be too large for the dtype
        for part in jax.tree.leaves(second):
            assert not np.any(np.isnan(part))


def test_under_other_transformations():
    target, pole = ordinary(3)["target"], jnp.asarray([0.1, 0.2, 1.0])

    def joint(t):
        return twobone.solve(t, 1.0, 0.8, pole=pole)

    wanted = jax.grad(lambda t: joint(t).sum())(target)
    found = jax.grad(lambda t: jax.checkpoint(joint)(t).sum())(target)
    assert_near(found, wanted, 1e-14)
    out, linear = jax.linearize(joint, target)
    assert_near(
        linear(jnp.ones_like(target)), jax.jvp(joint, (target,), (jnp.ones_like(target),))[1], 0
    )
    assert_near(out, joint(target), 0)
    scanned = jax.lax.scan(lambda carry, t: (carry, joint(t)), 0.0, target)[1]
    assert_near(scanned, joint(target), 0)


def test_without_float64():
    with (
        jax.experimental.disable_x64() if not hasattr(jax, "enable_x64") else jax.enable_x64(False)
    ):
        target = jnp.asarray([[0.5, 0.6], [0.1, 0.9]])
        assert target.dtype == jnp.float32
        wanted = twobone.solve(np.asarray(target), 1.0, 0.8)
        assert_same([jax.jit(lambda t: twobone.solve(t, 1.0, 0.8))(target)], [wanted])
        hessian = jax.jit(jax.hessian(lambda t: twobone.solve(t, 1.0, 0.8).sum()))(target[0])
        assert hessian.dtype == jnp.float32
        assert np.all(np.isfinite(hessian))
