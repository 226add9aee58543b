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

from twobone.core import derivatives, dispatch, engine, policies
from twobone.core.answer import Answer
from twobone.core.arrays import (
    LISTS,
    NUMBERS,
    SMALL,
    VECTORS,
    broadcast_shapes,
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

# Inductor writes Triton for these, which can round as IEEE 754 asks for.
ACCELERATORS = ("cuda", "xpu")

NUMPY_FLOATS = (np.float64, np.float32)
KINDS = (Tensor, torch.nn.Parameter)  # other subclasses may redefine what operations do

# Private names of PyTorch. Where a release lacks one, the formula or the operator is used.
_is_transformed = getattr(torch._C, "_are_functorch_transforms_active", lambda: True)
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
    numbers: list[float]  # r1, r2 and side, where they are numbers; then those of the policy


# --- the way to the operators -------------------------------------------------------------


def answer_plain(target, r1, r2, side, pole, unreachable, *, root=None, both=False, whole=False):
    """Return an `Answer` for plain arguments, and None for all others.

    Plain are tensors of one dtype on the CPU; lengths and side may be numbers, and target, pole
    and root lists of numbers. While PyTorch compiles, all arguments are converted to these.
    """
    policy = policies.resolve(unreachable)
    values = {"target": target, "r1": r1, "r2": r2, "side": side, "pole": pole, "root": root}
    compiles = torch.compiler.is_compiling()
    half = None
    if compiles:
        values, half = _adapt(values)
    first = next((value for value in values.values() if isinstance(value, Tensor)), None)
    if first is None:
        return None
    numbers = [1.0, 1.0, 1.0]
    for name, value in values.items():
        if isinstance(value, Tensor):
            if not compiles and not (_is_plain(value) and _is_like(value, first)):
                return None
        elif value is None and name in ("pole", "root"):
            continue
        elif name in LENGTHS:
            if not _is_number(value):
                return None
            numbers[LENGTHS.index(name)] = float(value)
            values[name] = None
        elif type(value) in LISTS and all(map(_is_number, value)):
            values[name] = torch.tensor(value, dtype=first.dtype, device=first.device)
        else:
            return None
    dispatch.check_vectors({name: value for name, value in values.items() if value is not None})
    if both:
        side = torch.tensor([1.0, -1.0], dtype=first.dtype, device=first.device)
        values = {name: _with_axis(name, value) for name, value in values.items()} | {"side": side}
    _check_shapes(values)
    found = _answer(values, numbers, policy, whole)
    if half is None:
        return found
    end = None if found.end is None else found.end.to(half)
    return Answer(found.joint.to(half), end, found.status)


def _adapt(values):
    """Convert tensors to one dtype and device, as `arrays.to_arrays` does.

    `torch.compile` can follow only what is done with tensors and numbers. NumPy's arrays and lists
    of tensors become tensors. Return also the dtype of the answer if it is half precision.
    """
    given, floats = values, []
    values = {name: _as_tensor(name, value) for name, value in values.items()}
    tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
    for name, value in tensors.items():
        dtype = dtype_name(name, checked(name, value))
        if "float" in dtype:
            is_listed = isinstance(given[name], LISTS)
            floats.append((dtype, 0 if is_listed else rank(EAGER, given[name])))
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
        return torch.as_tensor(value)
    if type(value) in LISTS and not all(map(_is_number, value)):
        items = [_as_tensor(name, item) for item in value]
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
    given = Given(*(values[name] for name in NAMES), [1.0] * 3 + (told or []))
    return _answer_fast(given, policy, told, whole)


def _answer_fast(given, policy, told, whole):
    """Return an `Answer` without the formula, or None; `told` is the policy in numbers."""
    if told is None or not takes_operators():
        return None
    if given.target.device.type in ACCELERATORS:
        if torch.compiler.is_compiling() or count_modes() > 0:
            return None  # function modes may be active: `torch.set_default_device` is one
        from twobone.core import for_accelerators

        return for_accelerators.answer(given, policy, whole)
    return None if engine.KERNEL is None else _operate(given, whole)


def _answer(values, numbers, policy, whole):
    if policy.raises and torch.compiler.is_compiling():
        raise PolicyError(dispatch.UNSEEN)
    root, given = values.pop("root"), values["target"]
    if root is not None:
        values["target"] = given - root
    wanted, told = whole or policy.raises, engine.in_numbers(policy)
    limbs = Given(*(values[name] for name in NAMES), numbers + (told or []))
    answer = _answer_fast(limbs, policy, told, wanted) or by_formula(limbs, policy, wanted)
    if policy.raises:
        dispatch.raise_if_unreachable(library(), answer.status)
    if root is None:
        return answer if whole else Answer(answer.joint, None, None)
    if not whole:
        return Answer(answer.joint + root, None, None)
    met = torch.all(answer.end == values["target"], dim=-1, keepdim=True)
    end = torch.where(met, given, answer.end + root)
    return Answer(answer.joint + root, end, answer.status)


def by_formula(given, policy, whole, found=None):
    """Solve with operations of PyTorch alone; `found` is the library to use."""
    target = given.target
    values = {"target": target}
    for i, name in enumerate(LENGTHS):
        value = given[i + 1]
        if value is None:
            value = torch.full((), given.numbers[i], dtype=target.dtype, device=target.device)
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
        way = reach if whole else solve
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
    return any(value is not None and value.requires_grad for value in given[:5])


def may_operate():
    """Return whether the kernel is there and operators have derivatives."""
    return engine.KERNEL is not None and takes_operators()


def takes_operators():
    """Return whether operators have derivatives: not under functorch nor in forward mode."""
    if _is_transformed() or torch.jit.is_tracing():  # pyright: ignore
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
    return kind is float or (kind is int and -SMALL <= value <= SMALL) or kind in NUMPY_FLOATS


def _with_axis(name, value):
    """Insert an axis for both sides."""
    if value is None or (value.ndim == 0 and name in LENGTHS):
        return value
    return value.unsqueeze(-1 if name in LENGTHS else -2)


# --- operators ----------------------------------------------------------------------------


def shape_of(given):
    """Return the shape of the answer without its last axis; raise if shapes do not broadcast."""
    shapes = {
        name: value.shape[:-1] if name in ("target", "pole") else value.shape
        for name, value in zip(NAMES, given[:5], strict=True)
        if value is not None
    }
    try:
        return torch.broadcast_shapes(*shapes.values())
    except RuntimeError:
        broadcast_shapes({name: tuple(shape) for name, shape in shapes.items()})
        raise


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
    return values, engine.of_numbers(given.numbers[3:], values["target"].dtype)


def _solve(*arguments):
    given = Given(*arguments)
    joint = _solve_simple(given)
    if joint is None:
        values, how = _arrays(given)
        joint = dispatch.answer_compiled(values, how, tuple(shape_of(given)), False).joint
    return torch.from_numpy(joint)


def _solve_simple(given):
    """Solve contiguous targets of one limb, which costs least; return None for all others."""
    target, *lengths, pole, numbers = given
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


@torch.library.custom_op("twobone::solve", mutates_args=(), device_types="cpu")
def solve(
    target: Tensor,
    r1: Tensor | None,
    r2: Tensor | None,
    side: Tensor | None,
    pole: Tensor | None,
    numbers: list[float],
) -> Tensor:
    """Return joints."""
    return _solve(target, r1, r2, side, pole, numbers)


@torch.library.custom_op("twobone::reach", mutates_args=(), device_types="cpu")
def reach(
    target: Tensor,
    r1: Tensor | None,
    r2: Tensor | None,
    side: Tensor | None,
    pole: Tensor | None,
    numbers: list[float],
) -> tuple[Tensor, Tensor, Tensor]:
    """Return joints, ends and statuses."""
    return _reach(target, r1, r2, side, pole, numbers)


@torch.library.custom_op("twobone::pull", mutates_args=(), device_types="cpu")
def pull(
    target: Tensor,
    r1: Tensor | None,
    r2: Tensor | None,
    side: Tensor | None,
    pole: Tensor | None,
    numbers: list[float],
    joint_bar: Tensor | None,
    end_bar: Tensor | None,
    wanted: list[bool],
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the derivatives by target, r1, r2 and pole; empty tensors for those not wanted."""
    given = Given(target, r1, r2, side, pole, numbers)
    return tuple(
        target.new_empty(0) if found is None else found
        for found in _pull(given, joint_bar, end_bar, wanted)
    )


def _pull(given, joint_bar, end_bar, wanted):
    """Return the derivatives by target, r1, r2 and pole; None for those not wanted."""
    values, how = _arrays(given)
    names = [name for name, is_wanted in zip(derivatives.NAMES, wanted, strict=True) if is_wanted]
    bars = (None if bar is None else view(bar) for bar in (joint_bar, end_bar))
    found = dict(zip(names, derivatives.pull(values, how, *bars, names), strict=True))
    return [
        _summed(found[name], values[name].shape) if name in found else None
        for name in derivatives.NAMES
    ]


def _summed(slopes, shape):
    """Return derivatives as a tensor, summed over the axes along which an argument was repeated."""
    tensor = torch.from_numpy(np.asarray(slopes))
    return tensor if slopes.shape == shape else tensor.sum_to_size(shape)


@solve.register_fake
def _(*arguments):
    given = Given(*arguments)
    return given.target.new_empty((*shape_of(given), given.target.shape[-1]))


@reach.register_fake
def _(*arguments):
    given = Given(*arguments)
    target, shape = given.target, shape_of(given)
    vectors = (*shape, target.shape[-1])
    codes = target.new_empty(shape, dtype=torch.int8)
    return target.new_empty(vectors), target.new_empty(vectors), codes


@pull.register_fake
def _(target, r1, r2, side, pole, numbers, joint_bar, end_bar, wanted):
    parts = zip((target, r1, r2, pole), wanted, strict=True)
    return tuple(target.new_empty(part.shape if is_wanted else 0) for part, is_wanted in parts)


# --- derivatives of the operators ---------------------------------------------------------


BY = (0, 1, 2, 4)  # the places of what is differentiated by: all but the side


def _remember(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:5])
    ctx.numbers = inputs[5]


def _backward(ctx, joint_bar, end_bar=None, status_bar=None):
    needs = ctx.needs_input_grad
    wanted = [needs[i] for i in BY]
    grads = [None] * 6
    if any(wanted) and not (joint_bar is None and end_bar is None):
        given = Given(*ctx.saved_tensors, ctx.numbers)
        if _is_watched():
            found = pull(*given, joint_bar, end_bar, wanted)
        elif not all(bar is None or has_memory(bar) for bar in (joint_bar, end_bar)):
            found = pull_by_formula(given, joint_bar, end_bar, wanted)
        elif torch.is_grad_enabled():
            found = pull(*given, joint_bar, end_bar, wanted)
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
        leaves = [_leaf(value) for value in given[:5]]
        answer = by_formula(
            Given(*leaves, given.numbers),
            engine.policy_of_numbers(given.numbers[3:]),
            end_bar is not None,
        )
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


solve.register_autograd(_backward, setup_context=_remember)
reach.register_autograd(_backward, setup_context=_remember)


class _Solve(torch.autograd.Function):
    """The operator `solve` in eager mode, where the way through PyTorch's dispatcher costs most."""

    @staticmethod
    def forward(ctx, *arguments):
        _remember(ctx, arguments, None)
        return _solve(*arguments)

    backward = staticmethod(_backward)


class _Reach(torch.autograd.Function):
    """The operator `reach` in eager mode."""

    @staticmethod
    def forward(ctx, *arguments):
        _remember(ctx, arguments, None)
        joint, end, status = _reach(*arguments)
        ctx.mark_non_differentiable(status)
        return joint, end, status

    backward = staticmethod(_backward)


def _remember_pull(ctx, inputs, output):
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:5], *inputs[6:8])
    ctx.numbers = inputs[5]


def _differentiate_pull(ctx, *bars):
    """Differentiate the derivatives, by those of the formula."""
    grads: list[Any] = [None] * 9
    wanted = [i for i, bar in enumerate(bars) if bar is not None]
    if not wanted:
        return tuple(grads)
    creates = torch.is_grad_enabled()
    with torch.enable_grad():
        leaves = [_leaf(value) for value in ctx.saved_tensors]
        asked = [bar is not None for bar in bars]
        first = pull_by_formula(Given(*leaves[:5], ctx.numbers), *leaves[5:], asked)
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
        grads[i if i < 5 else i + 1] = grad
    return tuple(grads)


pull.register_autograd(_differentiate_pull, setup_context=_remember_pull)
