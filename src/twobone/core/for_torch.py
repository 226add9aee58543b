"""PyTorch: tensors on the CPU are solved by the kernel, forward and backward.

`solve` and `reach` are operators, so that they work in eager mode, in `torch.compile` and in
`torch.export`. Their derivatives come from the operator `pull`, whose own derivatives come from
the formula. Where operators give no tangents, which is under the transforms of `torch.func` and in
forward mode, and on other devices, the formula is used instead (`dispatch.py`).
"""

# PyTorch's annotations fit neither lists of optional tensors nor functions of autograd.
# pyright: reportArgumentType=false, reportCallIssue=false
# pyright: reportReturnType=false, reportAssignmentType=false

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad

from twobone.core import derivatives, dispatch, engine, half_angles, policies, torch_graphs
from twobone.core.answer import Answer
from twobone.core.arrays import (
    LISTS,
    NUMBERS,
    SMALL,
    VECTORS,
    checked,
    common_dtype,
    device_of,
    dtype_name,
    of_torch,
    ragged,
    rank,
    strongest,
)
from twobone.core.exact import FLOAT32, FLOAT64
from twobone.errors import ArrayTypeError, PolicyError, ShapeError

REALS = {torch.float32: FLOAT32, torch.float64: FLOAT64}
HALVES = (torch.float16, torch.bfloat16)
NAMES = ("target", "r1", "r2", "side", "pole")
LENGTHS = NAMES[1:4]
BY_NAMES = (*derivatives.NAMES, "steps")  # what is differentiated by

# Inductor writes Triton for these, which can round as IEEE 754 asks for.
ACCELERATORS = ("cuda", "xpu")

SYMBOLS = (torch.SymFloat, torch.SymInt)  # numbers that are arguments of a compiled function
NUMPY_FLOATS = (np.float64, np.float32)
KINDS = (Tensor, torch.nn.Parameter)  # other subclasses may redefine what operations do

# Private names of PyTorch. Where a release lacks one, the formula or the operator is used.
is_transformed = getattr(torch._C, "_are_functorch_transforms_active", lambda: True)
count_modes = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 1)
_count_function_modes = getattr(torch._C, "_len_torch_function_stack", lambda: 1)


EAGER, COMPILED = of_torch(False), of_torch(True)


def library():
    """Return the functions of PyTorch that the formula calls."""
    return COMPILED if torch.compiler.is_compiling() else EAGER


class Given(NamedTuple):
    """Arguments of the operators."""

    target: Tensor
    r1: Tensor | None  # None: its number is used
    r2: Tensor | None
    side: Tensor | None
    pole: Tensor | None  # None in the plane
    steps: Tensor | None  # of the policy, where each row has its own; None: its numbers are used
    # r1, r2 and side, where they are numbers; then those of the policy, or with `steps` the kinds.
    numbers: list[float]


# --- the way to the operators -------------------------------------------------------------


def answer_plain(target, r1, r2, side, pole, unreachable, *, root=None, both=False, whole=False):
    """Return an `Answer` for plain arguments, and None for all others.

    Plain are tensors of one dtype on the CPU; lengths and side may be numbers, and target, pole
    and root lists of numbers. While PyTorch compiles, all arguments are converted to these.
    """
    values = {"target": target, "r1": r1, "r2": r2, "side": side, "pole": pole, "root": root}
    if not torch.compiler.is_compiling():
        policy = policies.resolve(unreachable)
        return _answer_plain(values | policies.parameters(policy), policy, both, whole, _is_plain)
    if not torch_graphs.is_known(unreachable) or getattr(unreachable, "per_row", False):
        policy = policies.resolve(unreachable)
        values |= policies.parameters(policy)
        return _answer_compiling(values, policy, both, whole, _from_numpy(values))
    # Each call of a compiled function checks all that Dynamo followed, which costs more than the
    # solution of a thousand limbs. It does not follow this.
    came, told = _from_numpy(values), torch_graphs.told(unreachable)
    given = [_as_tensor(name, value) for name, value in values.items()]
    found = torch_graphs.call(__name__, "_answer_in_graph", told, both, whole, came, *given)
    return Answer(*found) if whole else Answer(*found, None, None)


def _from_numpy(values):
    return tuple(isinstance(value, np.ndarray) for value in values.values())


def _answer_in_graph(unreachable, both, whole, from_numpy, *given):
    """Return arrays only, as what is taken into a graph must; raise for unfit arguments."""
    values = dict(zip((*NAMES, "root"), given, strict=True))
    found = _answer_compiling(values, policies.resolve(unreachable), both, whole, from_numpy)
    if found is None:
        if both:
            values["side"] = [1, -1]  # unreached: dynamo
        found = dispatch.answer_for(**values, unreachable=unreachable, both=both, whole=whole)
    return tuple(found) if whole else (found.joint,)


def _answer_compiling(values, policy, both, whole, from_numpy):
    values, half = _adapt(values, from_numpy)
    # Only tensors without values, of compilers, are taken to have their operators.
    found = _answer_plain(
        values, policy, both, whole, lambda v: type(v) not in KINDS or _is_plain(v)
    )
    if found is None or half is None:
        return found
    end = None if found.end is None else found.end.to(half)
    return Answer(found.joint.to(half), end, found.status)


def _answer_plain(values, policy, both, whole, is_plain):
    first = next((value for value in values.values() if isinstance(value, Tensor)), None)
    if first is None:
        return None
    numbers = [1.0, 1.0, 1.0]
    for name, value in values.items():
        if isinstance(value, Tensor):
            if not (is_plain(value) and _is_like(value, first)):
                return None
        elif value is None and name in ("pole", "root"):
            continue
        elif name in LENGTHS and _is_symbolic(value):
            values[name] = scalar(value, first)
        elif name in LENGTHS and isinstance(value, LISTS) and any(map(_is_symbolic, value)):
            values[name] = torch.stack([scalar(item, first) for item in value])
        elif name in LENGTHS:
            if not _is_number(value):
                return None
            numbers[LENGTHS.index(name)] = float(value)
            values[name] = None
        elif isinstance(value, LISTS) and all(map(_is_number, value)):
            values[name] = torch.tensor(value, dtype=first.dtype, device=first.device)
        else:
            return None
    dispatch.check_vectors({name: value for name, value in values.items() if value is not None})
    if both:
        side = torch.tensor([1.0, -1.0], dtype=first.dtype, device=first.device)
        values = {name: _with_axis(name, value) for name, value in values.items()} | {"side": side}
    _check_shapes(values)
    return _answer(values, numbers, policy, whole)


def _adapt(given, from_numpy):
    """Convert tensors to one dtype and device, as `arrays.to_arrays` does.

    `torch.compile` can follow only what is done with tensors and numbers. NumPy's arrays and lists
    of tensors become tensors. Return also the dtype of the answer if it is half precision.
    """
    numpy, floats = dict(zip(given, from_numpy, strict=True)), []
    values: dict[str, Any] = {name: _as_tensor(name, value) for name, value in given.items()}
    tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
    for name, value in tensors.items():
        dtype = dtype_name(name, checked(name, value))
        if "float" in dtype:
            is_listed = isinstance(given[name], LISTS)
            floats.append((dtype, 0 if is_listed else 2 if numpy[name] else rank(EAGER, value)))
    decided = strongest(floats)
    if decided is None:
        decided = common_dtype((), torch.get_default_dtype() is torch.float64)
    dtype = getattr(torch, decided)
    half = dtype if dtype in HALVES else None
    put = device_of(library(), list(tensors.items()))
    dtype = dtype if half is None else torch.float32
    return values | {name: value.to(dtype=dtype, **put) for name, value in tensors.items()}, half


def _as_tensor(name, value):
    if isinstance(value, np.ndarray):
        return torch.as_tensor(value)  # unreached: dynamo
    if isinstance(value, LISTS) and not all(map(_is_number, value)):
        items = [_as_tensor(name, item) for item in value]  # unreached: dynamo
        if any(not _is_number(item) and not isinstance(item, Tensor | list) for item in items):
            raise ArrayTypeError(name, NUMBERS, "a list of other objects")
        dtype = next((item.dtype for item in items if isinstance(item, Tensor)), None)
        items = [torch.as_tensor(item, dtype=dtype) for item in items]
        if len({tuple(item.shape) for item in items}) > 1:
            raise ragged(name)
        return torch.stack(items)
    return value


def answer_tensors(values, policy, whole):
    """Return an `Answer` for checked tensors, and None where the formula must be used."""
    told = engine.in_numbers(policy)
    if not all(map(_is_plain, values.values())):
        return None
    values = {"pole": None, **values}
    given = Given(*(values[name] for name in NAMES), None, [1.0] * 3 + (told or []))
    return _answer_fast(given, policy, told, whole)


def _answer_fast(given, policy, told, whole):
    """Return an `Answer` without the formula, or None; `told` is the policy in numbers."""
    if told is None or not takes_operators():
        return None
    if given.target.device.type in ACCELERATORS:
        if torch.compiler.is_compiling() or count_modes() > 0 or given.steps is not None:
            return None  # function modes may be active: `torch.set_default_device` is one
        from twobone.core import for_accelerators

        return for_accelerators.answer(given, policy, whole)
    if engine.KERNEL is None or given.target.device.type != "cpu":
        return None
    return _operate(given, whole)


def _answer(values, numbers, policy, whole):
    if policy.raises and torch.compiler.is_compiling():
        raise PolicyError(dispatch.UNSEEN)
    root, given = values.pop("root"), values["target"]
    if root is not None:
        values["target"] = given - root
    if policy.per_row:
        if values["r1"] is None:
            values["r1"] = scalar(numbers[0], given)
        values, policy = policies.for_rows(library(), values, policy)
    wanted, (told, steps) = whole or policy.raises, _tell(policy, given.dtype)
    limbs = Given(*(values[name] for name in NAMES), steps, numbers + (told or []))
    answer = _answer_fast(limbs, policy, told, wanted) or by_formula(limbs, policy, wanted)
    if policy.raises:
        dispatch.raise_if_unreachable(library(), answer.status)
    if root is None:
        return answer if whole else Answer(answer.joint, None, None)
    met = torch.all(answer.end == values["target"], dim=-1, keepdim=True)
    end = torch.where(met, given, answer.end + root)
    return Answer(answer.joint + root, end, answer.status)


def _tell(policy, dtype):
    """Return a policy as operators take it: numbers, and steps for each row; None if they cannot.

    Arrays of a policy are ready for the formula.
    """
    if not policy.per_row:
        return engine.in_numbers(policy), None
    kinds = engine.kinds_of_rows(policy)
    if kinds is None:
        return None, None
    return [engine.BY_ROW, *kinds], engine.steps_of_rows(library(), policy, dtype)


def _policy_of(given):
    """Return the policy of which `_tell` told."""
    word, *kinds = given.numbers[3:]
    if given.steps is None:
        return engine.policy_of_numbers([word, *kinds])
    return policies.from_rows(kinds, given.steps)


def scalar(number, like):
    """Return a number as a tensor of the dtype and on the device of another tensor."""
    if type(number) is float and abs(number) > torch.finfo(like.dtype).max:
        number = float(torch.tensor(number, dtype=like.dtype))  # `torch.full` would raise
    return torch.full((), number, dtype=like.dtype, device=like.device)


def by_formula(given, policy, whole, found=None):
    """Solve with operations of PyTorch alone; `found` is the library to use."""
    target = given.target
    values = {"target": target}
    for i, name in enumerate(LENGTHS):
        value = given[i + 1]
        if value is None:
            value = scalar(given.numbers[i], target)
        values[name] = value
    if given.pole is not None:
        values["pole"] = given.pole
    found = found or library()
    real = REALS[target.dtype]._replace(pin=found.pin, constant=found.constant)
    limbs = dispatch.Checked(real, values, policy, tuple(shape_of(given)), target.shape[-1])
    return dispatch.answer_other(found, limbs, whole, whole)


def _check_shapes(values):
    """Raise if shapes do not broadcast, in a way that `torch.compile` can follow."""
    shapes = {
        name: value.shape[:-1] if name in VECTORS else value.shape
        for name, value in values.items()
        if value is not None
    }
    common = [1] * max(len(shape) for shape in shapes.values())
    for name, shape in shapes.items():
        for i in range(1, len(shape) + 1):
            if common[-i] == 1:
                common[-i] = shape[-i]
            elif shape[-i] not in (1, common[-i]):
                raise ShapeError(name, "broadcast with the others", shape)


def _operate(given, whole):
    """Solve with the operator, or, where nothing looks at it, with what it calls."""
    if _is_watched():
        way = REACH.call if whole else SOLVE.call
    elif _is_recorded(given):
        way = _Reach.apply if whole else _Solve.apply
    else:
        way = _reach if whole else _solve
    return Answer(*way(*given)) if whole else Answer(way(*given), None, None)


def _is_watched():
    """Return whether PyTorch must see an operator: it compiles or exports, or a mode is active."""
    if torch.compiler.is_compiling():
        return True
    return count_modes() > 0 or _count_function_modes() > 0


def _is_recorded(given):
    if not torch.is_grad_enabled():
        return False
    return any(value is not None and value.requires_grad for value in given[:6])


def may_operate():
    """Return whether the kernel is there and operators have derivatives."""
    return engine.KERNEL is not None and takes_operators()


def takes_operators():
    """Return whether operators have derivatives: not under functorch nor in forward mode."""
    if is_transformed() or torch.jit.is_tracing():  # pyright: ignore
        return False
    return getattr(forward_ad, "_current_level", 0) < 0


def _is_plain(value):
    return (
        type(value) in KINDS
        and value.dtype in REALS
        and value.device.type in ("cpu", *ACCELERATORS)
        and value.layout is torch.strided
    )


def _is_like(value, other):
    return value.dtype is other.dtype and value.device == other.device


def _is_number(value):
    kind = type(value)
    if kind in SYMBOLS:
        return True
    return kind is float or (kind is int and -SMALL <= value <= SMALL) or kind in NUMPY_FLOATS


def _is_symbolic(value):
    return type(value) in SYMBOLS


def _with_axis(name, value):
    """Insert an axis for both sides."""
    if value is None or (value.ndim == 0 and name not in VECTORS):
        return value
    return value.unsqueeze(-2 if name in VECTORS else -1)


# --- parameters of each row ---------------------------------------------------------------


@torch.library.custom_op("twobone::half_angle", mutates_args=())
def half_angle(degrees: Tensor, is_cosine: bool) -> Tensor:
    """Return the squared sine, or cosine, of half of each angle."""
    return _half_angles(degrees, is_cosine)


def _half_angles(degrees, is_cosine):
    found = half_angles.of_numpy(view(degrees.cpu()), is_cosine)
    return torch.from_numpy(np.asarray(found)).to(degrees.device)


@half_angle.register_fake
def _(degrees, is_cosine):
    return torch.empty_like(degrees)


# unreached: old-torch
if hasattr(half_angle, "register_vmap"):  # from 2.5 on

    @half_angle.register_vmap
    def _(info, in_dims, degrees, is_cosine):
        return half_angle(degrees, is_cosine), in_dims[0]


def half_angles_of(degrees, is_cosine):
    """Return the squared sine, or cosine, of half of each angle, without derivatives."""
    way = half_angle if _is_watched() or is_transformed() else _half_angles
    return way(degrees, is_cosine)


# --- what operators do ---------------------------------------------------------------------


def shape_of(given):
    """Return the shape of the answer without its last axis."""
    shapes = [
        value.shape[:-1] if name in ("target", "pole", "steps") else value.shape
        for name, value in zip((*NAMES, "steps"), given[:6], strict=True)
        if value is not None
    ]
    return torch.broadcast_shapes(*shapes)


def view(tensor):
    """Return a tensor's memory as a NumPy array."""
    tensor = tensor.detach()
    return (tensor.resolve_neg() if tensor.is_neg() else tensor).numpy()


@np.errstate(over="ignore")  # a number too large for the dtype becomes infinite
def _arrays(given):
    """Return the arguments as NumPy arrays by name, and the policy as the kernel takes it."""
    values = {"target": view(given.target)}
    for i, name in enumerate(NAMES[1:], 1):
        if given[i] is not None:
            values[name] = view(given[i])
        elif name in LENGTHS:
            values[name] = np.asarray(given.numbers[i - 1], values["target"].dtype)
    if given.steps is not None:
        return values, view(given.steps)
    return values, engine.of_numbers(given.numbers[3:], values["target"].dtype)


def _solve(*arguments):
    given = Given(*arguments)
    joint = _solve_simple(given) if given.steps is None else None
    if joint is None:
        values, how = _arrays(given)
        joint = dispatch.answer_compiled(values, how, tuple(shape_of(given)), False).joint
    return torch.from_numpy(joint)


def _solve_simple(given):
    """Solve contiguous targets of one limb, which costs least; return None for all others."""
    target, *lengths, pole, _, numbers = given
    lengths = (
        number if value is None else view(value)
        for value, number in zip(lengths, numbers, strict=False)
    )
    pole = None if pole is None else view(pole)
    how = engine.of_numbers(numbers[3:], np.float64)
    return engine.KERNEL.solve(view(target), *lengths, pole, how, None, engine.most_rows())


def _reach(*arguments):
    given = Given(*arguments)
    values, how = _arrays(given)
    found = dispatch.answer_compiled(values, how, tuple(shape_of(given)), True)
    return tuple(torch.from_numpy(np.asarray(part)) for part in found)


def _pull_all(target, r1, r2, side, pole, steps, numbers, joint_bar, end_bar, wanted):
    """Return the derivatives by target, r1, r2, pole and steps; empty tensors if not wanted."""
    given = Given(target, r1, r2, side, pole, steps, numbers)
    return tuple(
        target.new_empty(0) if found is None else found
        for found in _pull(given, joint_bar, end_bar, wanted)
    )


def _pull(given, joint_bar, end_bar, wanted):
    """Return the derivatives by target, r1, r2, pole and steps; None for those not wanted."""
    values, how = _arrays(given)
    names = [name for name, is_wanted in zip(BY_NAMES, wanted, strict=True) if is_wanted]
    bars = (None if bar is None else view(bar) for bar in (joint_bar, end_bar))
    found = iter(derivatives.pull(values, how, *bars, names))
    return [
        _summed(next(found), given[i].shape) if is_wanted else None
        for i, is_wanted in zip(BY, wanted, strict=True)
    ]


def _summed(slopes, shape):
    """Return derivatives as a tensor, summed over the axes along which an argument was repeated."""
    tensor = torch.from_numpy(np.asarray(slopes))
    return tensor if slopes.shape == shape else tensor.sum_to_size(shape)


def _fake_solve(*arguments):
    given = Given(*arguments)
    return given.target.new_empty((*shape_of(given), given.target.shape[-1]))


def _fake_reach(*arguments):
    given = Given(*arguments)
    target, shape = given.target, shape_of(given)
    vectors = (*shape, target.shape[-1])
    codes = target.new_empty(shape, dtype=torch.int8)
    return target.new_empty(vectors), target.new_empty(vectors), codes


def _fake_pull(target, r1, r2, side, pole, steps, numbers, joint_bar, end_bar, wanted):
    parts = zip((target, r1, r2, pole, steps), wanted, strict=True)
    return tuple(target.new_empty(part.shape if is_wanted else 0) for part, is_wanted in parts)


# --- derivatives of the operators ---------------------------------------------------------


BY = (0, 1, 2, 4, 5)  # the places of what is differentiated by: all but the side


def _remember(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:6])
    ctx.numbers = inputs[6]


def _backward(ctx, joint_bar, end_bar=None, status_bar=None):
    needs = ctx.needs_input_grad
    wanted = [needs[i] for i in BY]
    grads = [None] * 7
    if any(wanted) and not (joint_bar is None and end_bar is None):
        given = Given(*ctx.saved_tensors, ctx.numbers)
        if _is_watched():
            found = PULL.call(*given, joint_bar, end_bar, wanted)
        elif not all(bar is None or has_memory(bar) for bar in (joint_bar, end_bar)):
            found = pull_by_formula(given, joint_bar, end_bar, wanted)
        elif torch.is_grad_enabled():
            found = PULL.call(*given, joint_bar, end_bar, wanted)
        else:
            found = _pull(given, joint_bar, end_bar, wanted)
        for i, grad in zip(BY, found, strict=True):
            grads[i] = grad if needs[i] else None
    return tuple(grads)


def has_memory(tensor):
    """Return whether a tensor has memory: those of a batch of gradients (vmap) have none."""
    try:
        tensor.data_ptr()
    except RuntimeError:
        return False
    return True


def pull_by_formula(given, joint_bar, end_bar, wanted):
    """Do the same as `_pull`, with operations of PyTorch alone; differentiable."""
    creates = torch.is_grad_enabled()
    with torch.enable_grad():
        leaves = [_leaf(value) for value in given[:6]]
        moved = Given(*leaves, given.numbers)
        answer = by_formula(moved, _policy_of(moved), end_bar is not None)
        pairs = ((answer.joint, joint_bar), (answer.end, end_bar))
        outputs = [(out, bar) for out, bar in pairs if bar is not None]
        found = torch.autograd.grad(
            [out for out, _ in outputs],
            [leaves[i] for i, is_wanted in zip(BY, wanted, strict=True) if is_wanted],
            [bar for _, bar in outputs],
            create_graph=creates,
            materialize_grads=True,
        )
    found = iter(found)
    return [next(found) if is_wanted else None for is_wanted in wanted]


def _leaf(value):
    """Return a view that can be differentiated by, because one argument may depend on another."""
    if value is None:
        return None
    return value.view_as(value) if value.requires_grad else value.detach().requires_grad_()


class _Solve(torch.autograd.Function):
    """The operator `solve` with derivatives."""

    @staticmethod
    def forward(ctx, *arguments):
        _remember(ctx, arguments, None)
        # Without the way through PyTorch's dispatcher, which costs most for few limbs.
        return SOLVE.values(*arguments) if _is_watched() else _solve(*arguments)

    backward = staticmethod(_backward)


class _Reach(torch.autograd.Function):
    """The operator `reach` with derivatives."""

    @staticmethod
    def forward(ctx, *arguments):
        _remember(ctx, arguments, None)
        way = REACH.values if _is_watched() else _reach
        joint, end, status = way(*arguments)
        ctx.mark_non_differentiable(status)
        return joint, end, status

    backward = staticmethod(_backward)


def _remember_pull(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:6], *inputs[7:9])
    ctx.numbers, ctx.wanted = inputs[6], inputs[9]


def _differentiate_pull(ctx, *bars):
    """Differentiate the derivatives, by those of the formula."""
    grads: list[Any] = [None] * 10
    asked = [bar is not None and has for bar, has in zip(bars, ctx.wanted, strict=True)]
    wanted = [i for i, is_asked in enumerate(asked) if is_asked]
    if not wanted:
        return tuple(grads)
    creates = torch.is_grad_enabled()
    with torch.enable_grad():
        leaves = [_leaf(value) for value in ctx.saved_tensors]
        first = pull_by_formula(Given(*leaves[:6], ctx.numbers), *leaves[6:], asked)
        first = [value for value in first if value is not None]
        places = [i for i, v in enumerate(leaves) if v is not None and i != 3]
        second = torch.autograd.grad(
            first,
            [leaves[i] for i in places],
            [bars[i] for i in wanted],
            create_graph=creates,
            allow_unused=True,
        )
    for i, grad in zip(places, second, strict=True):
        grads[i if i < 6 else i + 1] = grad
    return tuple(grads)


class _Pull(torch.autograd.Function):
    """The operator `pull`, which double backward differentiates."""

    @staticmethod
    def forward(ctx, *arguments):
        _remember_pull(ctx, arguments, None)
        return PULL.values(*arguments)

    backward = staticmethod(_differentiate_pull)


# --- operators ----------------------------------------------------------------------------


class Operator(NamedTuple):
    """An operator of PyTorch's dispatcher, which compilers see, in two layers.

    Compilers take the derivatives of `call` apart, and what remains in their graph is `values`,
    which has none. So a compiled graph calls Python once, where `torch.library.custom_op`, which
    has one layer, calls it three times.
    """

    call: Any
    values: Any


LIBRARY = torch.library.Library("twobone", "FRAGMENT")
ARGUMENTS = (
    "(Tensor target, Tensor? r1, Tensor? r2, Tensor? side, Tensor? pole, Tensor? steps, "
    "float[] numbers"
)
BARS = ", Tensor? joint_bar, Tensor? end_bar, bool[] wanted"


def _operator(name, schema, function, fake, recorded):
    """Define an operator whose derivatives are those of `recorded`, a function of autograd."""
    inner = name + "_values"
    for each in (name, inner):
        LIBRARY.define(each + schema)
        LIBRARY.impl(each, function, "CPU")
        torch.library.register_fake(f"twobone::{each}", fake, lib=LIBRARY)
    LIBRARY.impl(inner, torch.library.fallthrough_kernel, "Autograd")
    LIBRARY.impl(name, lambda *arguments: recorded.apply(*arguments), "Autograd")
    operators = torch.ops.twobone
    return Operator(getattr(operators, name).default, getattr(operators, inner).default)


SOLVE = _operator("solve", ARGUMENTS + ") -> Tensor", _solve, _fake_solve, _Solve)
REACH = _operator("reach", ARGUMENTS + ") -> (Tensor, Tensor, Tensor)", _reach, _fake_reach, _Reach)
PULL = _operator(
    "pull",
    ARGUMENTS + BARS + ") -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    _pull_all,
    _fake_pull,
    _Pull,
)
