"""JAX: arrays on the CPU are solved by the kernel, which XLA calls.

There are six primitives:

    solve                                  joint, or joint, end and status
    rows   the same for policies with parameters of each row
    push   its Jacobian, times tangents    joint, or joint and end
    pull   cotangents, times its Jacobian  target, or target, r1, r2 and, in space, pole
    bend   the derivative of push in a second direction
    curve  the derivative of pull in a direction

All but `rows` are differentiated and transposed to each other, so that they work under all
transformations; the derivatives of `rows` and of the last two are those of the formula. Where there
is no kernel for a platform, and in exported programs, which must run without this package, all are
lowered to the formula.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from twobone.core import arrays, dispatch, engine, policies
from twobone.core.answer import Answer
from twobone.core.arrays import REALS

NAMES = ("target", "r1", "r2", "side", "pole")
BY = (0, 1, 2, 4)  # the places of what is differentiated by: all but the side


def answer_arrays(values, policy, whole):
    """Return an `Answer` for checked arrays, and None where the primitives cannot."""
    if not hasattr(jax, "ffi"):
        return None  # unreached: old-jax
    arguments = [values[name] for name in NAMES if name in values]
    if policy.per_row:
        kinds, way = engine.kinds_of_rows(policy), rows_p
        told = None if kinds is None else (engine.BY_ROW, *kinds)
    else:
        told, way = _policy(policy), solve_p
    if told is None:
        return None
    if policy.per_row:
        dtype = arguments[0].dtype
        library = arrays.library_of(values)
        arguments.append(engine.steps_of_rows(library, policy, dtype))
    if any(map(_is_of_mesh, arguments)):
        return None  # unreached: old-jax
    found = way.bind(*arguments, policy=told, whole=whole)
    return Answer(*found) if whole else Answer(found[0], None, None)


def _policy(policy):
    """Return a policy as the primitives take it, or None if they cannot."""
    numbers = engine.in_numbers(policy)
    return None if numbers is None else tuple(numbers)


def _is_of_mesh(value):
    """Return whether a value varies over a mesh axis, which `jax.shard_map` checks by its type."""
    kind = jax.typeof(value) if hasattr(jax, "typeof") else None
    return bool(getattr(kind, "vma", None) or getattr(getattr(kind, "mat", None), "varying", None))


# --- shapes -------------------------------------------------------------------------------


def _is_vector(place):
    """Return 1 for the places of vectors among the arguments, and 0 for those of numbers."""
    return int(place in (0, 4))


def _vectors(places):
    return [_is_vector(i) for i in places]


def _rows(values, vectors):
    """Return the shape to which batch axes broadcast."""
    shapes = (v.shape[: v.ndim - n] for v, n in zip(values, vectors, strict=True))
    return tuple(map(int, jnp.broadcast_shapes(*shapes)))


def _spread(values, vectors):
    """Broadcast the batch axes of all arrays to one shape."""
    rows = _rows(values, vectors)
    return [
        jnp.broadcast_to(v, (*rows, *v.shape[v.ndim - n :]))
        for v, n in zip(values, vectors, strict=True)
    ]


def _add_up(value, shape):
    """Sum over the axes along which an array of a shape was broadcast."""
    extra = value.ndim - len(shape)
    kept = (i for i, length in enumerate(shape) if length == 1 and value.shape[extra + i] != 1)
    axes = (*range(extra), *(extra + i for i in kept))
    return jnp.sum(value, axis=axes).reshape(shape) if axes else value


# --- the arguments of the primitives ------------------------------------------------------


def _count(values, more):
    """Return how many arguments are those of a limb; `more` others follow them."""
    return len(values) - more


def _vectors_of_solve(values, **params):
    return _vectors(range(len(values)))


def _vectors_of_rows(values, **params):
    return [*_vectors(range(len(values) - 1)), 1]


def _vectors_of_push(values, *, places, **params):
    return [*_vectors(range(_count(values, len(places)))), *_vectors(places)]


def _vectors_of_pull(values, *, bars, **params):
    return [*_vectors(range(_count(values, sum(bars)))), *[1] * sum(bars)]


def _vectors_of_bend(values, *, first, second, **params):
    return _vectors_of_push(values, places=(*first, *second))


def _vectors_of_curve(values, *, places, bars, **params):
    limb = range(_count(values, len(places) + sum(bars)))
    return [*_vectors(limb), *_vectors(places), *[1] * sum(bars)]


def _describe_joint(target, rows, whole):
    return [ShapedArray((*rows, target.shape[-1]), target.dtype)] * (1 + whole)


def _describe_solve(target, rows, *, whole, **params):
    codes = [ShapedArray(rows, np.dtype("int8"))] if whole else []
    return _describe_joint(target, rows, whole) + codes


def _describe_push(target, rows, *, whole, **params):
    return _describe_joint(target, rows, whole)


def _describe_pull(target, rows, *, rest, **params):
    (vector,), number = _describe_joint(target, rows, False), ShapedArray(rows, target.dtype)
    return [vector, number, number, vector][: target.shape[-1] + 1 if rest else 1]


# --- the formula --------------------------------------------------------------------------


def _values_by_formula(*arguments, **params):
    """Return what `_by_formula` does, for values alone: without the operations of derivatives."""
    return _by_formula(*arguments, **params, differentiates=False)


def _rows_by_formula(*arguments, policy, whole, differentiates=True):
    """Do the same for a policy of each row, whose steps are the last argument."""
    *limb, steps = arguments
    shape = _rows(arguments, _vectors_of_rows(arguments))
    chosen = policies.from_rows(policy[1:], steps)
    return _found_by_formula(limb, chosen, shape, whole, differentiates)


def _rows_of_values(*arguments, **params):
    return _rows_by_formula(*arguments, **params, differentiates=False)


def _by_formula(*arguments, policy, whole, differentiates=True):
    """Return joint or joint, end and status as the formula computes them."""
    chosen = engine.policy_of_numbers(policy)
    shape = _rows(arguments, _vectors_of_solve(arguments))
    return _found_by_formula(arguments, chosen, shape, whole, differentiates)


def _found_by_formula(limb, policy, shape, whole, differentiates):
    values: dict[str, Any] = dict(zip(NAMES, limb, strict=False))
    target = values["target"]
    library = arrays.library_of(values)
    library = arrays.Library(**vars(library) | {"differentiates": differentiates})
    real = REALS[str(target.dtype)]._replace(pin=library.pin, constant=library.constant)
    checked = dispatch.Checked(real, values, policy, shape, target.shape[-1])
    found = dispatch.answer_other(library, checked, whole, whole)
    return list(found) if whole else [found.joint]


def _at(function, values, places):
    """Return a function of the values at some places, and these values."""

    def moved(*moving):
        given = list(values)
        for i, value in zip(places, moving, strict=True):
            given[i] = value
        return function(*given)

    return moved, [values[i] for i in places]


def _push_by_formula(*values, policy, whole, places):
    # unreached: third-derivatives
    values = _spread(values, _vectors_of_push(values, places=places))
    count = _count(values, len(places))

    def solve(*limb):
        # unreached: third-derivatives
        return _by_formula(*limb, policy=policy, whole=whole)[: 1 + whole]

    function, at = _at(solve, values[:count], places)
    return jax.jvp(function, at, values[count:])[1]


def _pull_by_formula(*values, policy, bars, rest):
    values = _spread(values, _vectors_of_pull(values, bars=bars))
    count = _count(values, sum(bars))

    def solve(*limb):
        return _by_formula(*limb, policy=policy, whole=bars[1])[: 1 + bars[1]]

    places = [i for i in (BY if rest else BY[:1]) if i < count]
    function, at = _at(solve, values[:count], places)
    outputs, back = jax.vjp(function, *at)
    given = iter(values[count:])
    return list(
        back(
            [
                next(given) if has else jnp.zeros_like(out)
                for has, out in zip(bars, outputs, strict=False)
            ]
        )
    )


def _bend_by_formula(*values, first, second, **params):
    # unreached: third-derivatives
    values = _spread(values, _vectors_of_bend(values, first=first, second=second))
    kept = _count(values, len(second))
    push = functools.partial(_push_by_formula, places=first, **params)
    function, at = _at(push, values[:kept], second)
    return jax.jvp(function, at, values[kept:])[1]


def _curve_by_formula(*values, places, bars, **params):
    values = _spread(values, _vectors_of_curve(values, places=places, bars=bars))
    count = _count(values, len(places) + sum(bars))
    pull = functools.partial(_pull_by_formula, bars=bars, **params)
    limb, tangents, given = np.split(np.arange(len(values)), [count, count + len(places)])
    function, at = _at(pull, [values[i] for i in (*limb, *given)], places)
    return jax.jvp(function, at, [values[i] for i in tangents])[1]


# --- primitives ---------------------------------------------------------------------------


def _bits(flags):
    return sum(1 << i for i, flag in enumerate(flags) if flag)


def _places(places):
    """Return the bits of the attribute `given` for tangents of target, r1, r2 and pole."""
    return _bits(i in places for i in BY)


def _primitive(name, formula, vectors, describe, given, function=None):
    """Return a primitive with several results that is lowered to a function of the kernel.

    `vectors(values, **params)` says which arguments hold components on their last axis,
    `describe(target, rows, **params)` returns the shapes of results, and `given(**params)` the
    attribute of that name (see xla.cpp).
    """
    made = Primitive(f"twobone_{name}")
    made.multiple_results = True

    @functools.lru_cache(maxsize=256)
    def compiled(params):
        return jax.jit(lambda *values: made.bind(*values, **dict(params)))

    @made.def_impl
    def _(*values, **params):
        with jax.disable_jit(False):
            return compiled(tuple(sorted(params.items())))(*values)

    @made.def_abstract_eval
    def _(*values, **params):
        return describe(values[0], _rows(values, vectors(values, **params)), **params)

    def batch(values, dims, **params):
        """Move batch axes to the front, where they broadcast: nothing is repeated."""
        unbatched = [v.ndim - (d is not None) for v, d in zip(values, dims, strict=True)]
        tails = vectors(values, **params)
        rank = max(n - tail for n, tail in zip(unbatched, tails, strict=True))
        moved = []
        for value, place, tail in zip(values, dims, tails, strict=True):
            if place is not None:
                value = jnp.moveaxis(value, place, 0)
                length, *rest = value.shape
                value = value.reshape(length, *(1,) * (rank + tail - len(rest)), *rest)
            moved.append(value)
        found = made.bind(*moved, **params)
        return found, [0] * len(found)

    batching.primitive_batchers[made] = batch
    by_formula = mlir.lower_fun(formula, multiple_results=True)
    mlir.register_lowering(made, by_formula)
    if engine.KERNEL is not None and hasattr(jax, "ffi"):  # unreached: no-kernel
        target, handlers = f"twobone_{name}", engine.KERNEL.xla_handlers
        handler = handlers[f"twobone_{function or name}"]
        jax.ffi.register_ffi_target(target, handler, platform="cpu")
        by_kernel = jax.ffi.ffi_lowering(target)

        def lower(ctx, *values, **params):
            told = getattr(ctx.module_context, "lowering_parameters", None)
            if getattr(told, "for_export", False):
                return by_formula(ctx, *values, **params)
            policy = np.array(params["policy"], np.float64)
            return by_kernel(ctx, *values, policy=policy, given=np.int32(given(**params)))

        mlir.register_lowering(made, lower, platform="cpu")
    return made


solve_p = _primitive(
    "solve",
    _values_by_formula,
    _vectors_of_solve,
    _describe_solve,
    lambda **params: 0,
)
rows_p = _primitive(
    "rows",
    _rows_of_values,
    _vectors_of_rows,
    _describe_solve,
    lambda **params: 0,
    "solve",
)
push_p = _primitive(
    "push",
    _push_by_formula,
    _vectors_of_push,
    _describe_push,
    lambda *, places, **params: _places(places),
)
pull_p = _primitive(
    "pull",
    _pull_by_formula,
    _vectors_of_pull,
    _describe_pull,
    lambda *, bars, **params: _bits(bars),
)
bend_p = _primitive(
    "bend",
    _bend_by_formula,
    _vectors_of_bend,
    _describe_push,
    lambda *, first, second, **params: _places(first) | _places(second) << 4,
)
curve_p = _primitive(
    "curve",
    _curve_by_formula,
    _vectors_of_curve,
    _describe_pull,
    lambda *, places, bars, **params: _places(places) | _bits(bars) << 4,
)


# --- forward mode -------------------------------------------------------------------------


def _is_zero(value):
    return type(value) is ad.Zero


def _zero(value):
    """Return a symbolic zero, the tangent of a value that has none."""
    is_real = jnp.issubdtype(value.dtype, jnp.floating)
    return ad.Zero(ShapedArray(value.shape, value.dtype if is_real else jax.dtypes.float0))


def _moving(tangents):
    """Return the places in a limb whose tangents are not zero, and these tangents."""
    places = tuple(i for i in BY if i < len(tangents) and not _is_zero(tangents[i]))
    return places, [tangents[i] for i in places]


def _moved(places, tangents):
    """Return those of `places` whose tangents are not zero, and these tangents."""
    kept = [(i, t) for i, t in zip(places, tangents, strict=True) if not _is_zero(t)]
    return tuple(i for i, _ in kept), [t for _, t in kept]


def _kept(bars, tangents):
    """Return which of joint and end have tangents that are not zero, and these tangents."""
    places = [i for i, has in enumerate(bars) if has]
    kept, moving = _moved(places, tangents)
    return tuple(i in kept for i in range(2)), moving


def _total(found, sums):
    """Add up lists of tangents; without any, return symbolic zeros."""
    if not sums:
        return [_zero(value) for value in found]
    return [functools.reduce(jnp.add, parts) for parts in zip(*sums, strict=True)]


def _differentiate_solve(values, tangents, *, policy, whole):
    found = solve_p.bind(*values, policy=policy, whole=whole)
    places, moving = _moving(tangents)
    if not places:
        return found, _total(found, [])
    moved = push_p.bind(*values, *moving, policy=policy, whole=whole, places=places)
    return found, [*moved, _zero(found[2])] if whole else moved


def _differentiate_rows(values, tangents, *, policy, whole):
    found = rows_p.bind(*values, policy=policy, whole=whole)
    places = tuple(i for i, tangent in enumerate(tangents) if not _is_zero(tangent))

    def joint_and_end(*arguments):
        return _rows_by_formula(*arguments, policy=policy, whole=whole)[: 1 + whole]

    function, at = _at(joint_and_end, values, places)
    moved = jax.jvp(function, at, [tangents[i] for i in places])[1]
    return found, [*moved, _zero(found[2])] if whole else moved


def _differentiate_push(values, tangents, *, places, **params):
    found = push_p.bind(*values, places=places, **params)
    count, sums = _count(values, len(places)), []
    kept, moving = _moved(places, tangents[count:])
    if kept:
        sums.append(push_p.bind(*values[:count], *moving, places=kept, **params))
    second, moving = _moving(tangents[:count])
    if second:
        sums.append(bend_p.bind(*values, *moving, first=places, second=second, **params))
    return found, _total(found, sums)


def _differentiate_pull(values, tangents, *, bars, **params):
    found = pull_p.bind(*values, bars=bars, **params)
    count, sums = _count(values, sum(bars)), []
    kept, moving = _kept(bars, tangents[count:])
    if moving:
        sums.append(pull_p.bind(*values[:count], *moving, bars=kept, **params))
    places, moving = _moving(tangents[:count])
    if places:
        limb, given = values[:count], values[count:]
        sums.append(curve_p.bind(*limb, *moving, *given, places=places, bars=bars, **params))
    return found, _total(found, sums)


def _differentiate_bend(values, tangents, *, first, second, **params):
    found = bend_p.bind(*values, first=first, second=second, **params)
    count = _count(values, len(first) + len(second))
    end, sums = count + len(first), []
    limb, one, two = values[:count], values[count:end], values[end:]
    kept, moving = _moved(first, tangents[count:end])
    if kept:
        sums.append(bend_p.bind(*limb, *moving, *two, first=kept, second=second, **params))
    kept, moving = _moved(second, tangents[end:])
    if kept:
        sums.append(bend_p.bind(*limb, *one, *moving, first=first, second=kept, **params))
    formula = functools.partial(_bend_by_formula, first=first, second=second, **params)
    return found, _total(found, sums + _by_library(formula, values, tangents[:count]))


def _differentiate_curve(values, tangents, *, places, bars, **params):
    found = curve_p.bind(*values, places=places, bars=bars, **params)
    count = _count(values, len(places) + sum(bars))
    end, sums = count + len(places), []
    limb, along, given = values[:count], values[count:end], values[end:]
    kept, moving = _moved(places, tangents[count:end])
    if kept:
        sums.append(curve_p.bind(*limb, *moving, *given, places=kept, bars=bars, **params))
    kept, moving = _kept(bars, tangents[end:])
    if moving:
        sums.append(curve_p.bind(*limb, *along, *moving, places=places, bars=kept, **params))
    formula = functools.partial(_curve_by_formula, places=places, bars=bars, **params)
    return found, _total(found, sums + _by_library(formula, values, tangents[:count]))


def _by_library(formula, values, tangents):
    """Return, in a list, what JAX finds as the derivatives of a formula by a limb.

    The list is empty if all tangents are zero.
    """
    places, moving = _moving(tangents)
    function, at = _at(formula, values, places)
    return [jax.jvp(function, at, moving)[1]] if places else []


# --- reverse mode -------------------------------------------------------------------------


def _nothing(values) -> list[Any]:
    return [None] * len(values)


def _unknown(values, places, start):
    """Return the places of the tangents, from `start` on, that a transposition is for.

    Return also whether they include others than the target.
    """
    found = [(k, i) for k, i in enumerate(places, start) if ad.is_undefined_primal(values[k])]
    return found, any(i != 0 for _, i in found)


def _bars(cotangents, whole):
    """Return which of joint and end have cotangents that are not zero, and these cotangents."""
    kept = [not _is_zero(cotangents[0]), whole and not _is_zero(cotangents[-1])]
    return tuple(kept), [bar for bar in cotangents if not _is_zero(bar)]


def _directions(cotangents):
    """Return the places among `BY` whose cotangents are not zero, and these cotangents."""
    places = BY[: len(cotangents)]
    return _moved(places, cotangents)


def _give(given, values, found, unknown):
    """Put derivatives by the arguments of a limb, summed to shape, in their places."""
    for k, i in unknown:
        given[k] = _add_up(found[BY.index(i)], values[k].aval.shape)


def _give_bars(given, values, found, bars, start):
    kept = [part for part, has in zip(found, bars, strict=False) if has]
    for k, part in enumerate(kept, start):
        if ad.is_undefined_primal(values[k]):
            given[k] = _add_up(part, values[k].aval.shape)


def _transpose_push(cotangents, *values, policy, whole, places):
    count, given = _count(values, len(places)), _nothing(values)
    bars, bar = _bars(cotangents, whole)
    if bar:  # unreached: zero-cotangents
        unknown, rest = _unknown(values, places, count)
        found = pull_p.bind(*values[:count], *bar, policy=policy, bars=bars, rest=rest)
        _give(given, values, found, unknown)
    return given


def _transpose_pull(cotangents, *values, policy, bars, rest):
    count, given = _count(values, sum(bars)), _nothing(values)
    places, moving = _directions(cotangents)
    if places:  # unreached: zero-cotangents
        limb = values[:count]
        found = push_p.bind(*limb, *moving, policy=policy, whole=bars[1], places=places)
        _give_bars(given, values, found, bars, count)
    return given


def _transpose_bend(cotangents, *values, policy, whole, first, second):
    count, given = _count(values, len(first) + len(second)), _nothing(values)
    bars, bar = _bars(cotangents, whole)
    if not bar:
        return given  # unreached: zero-cotangents
    end = count + len(first)
    sides = ((first, count, values[end:], second), (second, end, values[count:end], first))
    for places, start, others, along in sides:
        unknown, rest = _unknown(values, places, start)
        if unknown:
            params = {"policy": policy, "places": along, "bars": bars, "rest": rest}
            _give(given, values, curve_p.bind(*values[:count], *others, *bar, **params), unknown)
    return given


def _transpose_curve(cotangents, *values, policy, places, bars, rest):
    count, given = _count(values, len(places) + sum(bars)), _nothing(values)
    directions, moving = _directions(cotangents)
    if not directions:
        return given  # unreached: zero-cotangents
    end, limb = count + len(places), values[:count]
    unknown, more = _unknown(values, places, count)
    if unknown:  # second derivatives are symmetric
        params = {"policy": policy, "places": directions, "bars": bars, "rest": more}
        _give(given, values, curve_p.bind(*limb, *moving, *values[end:], **params), unknown)
    if any(map(ad.is_undefined_primal, values[end:])):
        params = {"policy": policy, "whole": bars[1], "first": directions, "second": places}
        found = bend_p.bind(*limb, *moving, *values[count:end], **params)
        _give_bars(given, values, found, bars, end)
    return given


ad.primitive_jvps[solve_p] = _differentiate_solve
ad.primitive_jvps[rows_p] = _differentiate_rows
ad.primitive_jvps[push_p] = _differentiate_push
ad.primitive_jvps[pull_p] = _differentiate_pull
ad.primitive_jvps[bend_p] = _differentiate_bend
ad.primitive_jvps[curve_p] = _differentiate_curve
ad.primitive_transposes[push_p] = _transpose_push
ad.primitive_transposes[pull_p] = _transpose_pull
ad.primitive_transposes[bend_p] = _transpose_bend
ad.primitive_transposes[curve_p] = _transpose_curve
