"""PyTorch on accelerators: moderate limbs by one fused kernel, forward and backward.

`torch.compile` makes the kernels of the formulas in `fused.py`. The formula for all limbs is too
long for it, so the rows of other limbs are gathered and solved by single operations (`slopes.py`),
for which the host waits once for the device. Nothing here depends on the kind of device.
"""

# PyTorch's annotations do not fit functions of autograd, nor those of a `NamedTuple` lists.
# pyright: reportArgumentType=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportIncompatibleMethodOverride=false

import functools
import math
import threading
import warnings

import numpy as np
import torch
from torch import fx
from torch.fx.proxy import GraphAppendingTracer

from twobone.core import arrays, engine, exact, for_torch, fused
from twobone.core.answer import Answer, Targets
from twobone.core.exact import FLOAT32, FLOAT64, as_it_is
from twobone.core.for_torch import Given

# A kernel is compiled (10 to 30 s) for a batch whose intermediate results, about 200 tensors, fill
# a good part of a device's memory (160 MB in float64), or when single operations have taken about
# as long as that: 1,000 of them, of 5 to 10 us, for each call.
MANY_ROWS = 100_000
MANY_CALLS = 2_000
MOST_ROWS = 2**29  # four numbers a row are counted in 31 bits

REALS = {torch.float32: fused.SINGLE, torch.float64: fused.DOUBLE}
SLOPES = {torch.float32: fused.SINGLE_SLOPES, torch.float64: fused.DOUBLE_SLOPES}
# Options of Inductor, where a release has them. The first two: operations are rounded as they are
# written. The third: a number that took more than 8 operations and is used twice gets a name;
# written out at each use, sums of sums would make code of exponential length. The last: all of
# these are one kernel.
OPTIONS = {
    "emulate_precision_casts": True,
    "eager_numerics.division_rounding": True,
    "realize_opcount_threshold": 8,
    "max_fusion_size": 10_000,
}


# --- formulas as graphs -------------------------------------------------------------------


LIBRARY = arrays.Library(
    name="torch",
    sqrt=torch.sqrt,
    where=torch.where,
    constant=as_it_is,
    pin=lambda v: torch.where(v == v, v, 0.0),
)


def fma(a, b, c):
    """Return `a b + c`, rounded once, for `c = -(a b)`; of proxies, an operation of the graph."""
    if isinstance(a, fx.Proxy):
        return a.tracer.create_proxy("call_function", fma, (a, b, c), {})
    if torch.compiler.is_compiling():
        from torch._inductor import inductor_prims  # unreached: inductor

        if hasattr(inductor_prims, "fma"):
            return inductor_prims.fma(a, b, c)
    # An older release, or a graph that runs as it is, as after `set_stance("force_eager")`.
    t = (FLOAT32 if a.dtype is torch.float32 else FLOAT64)._replace(pin=LIBRARY.pin)
    p, e = exact.two_product(t, exact.split(t, a), exact.split(t, b))
    return e + (p + c)


def graph_of(formula, names):
    """Return a module that calls operations of PyTorch alone: those of a formula of tensors."""
    graph = fx.Graph()
    tracer = GraphAppendingTracer(graph)
    found = formula(**{name: fx.Proxy(graph.placeholder(name), tracer) for name in names})
    graph.output(tuple(each.node for each in found))
    graph.eliminate_dead_code()
    return fx.GraphModule(torch.nn.Module(), graph)


def _targets(size, target, r1, r2, side, pole=None):
    """Return limbs; what all rows share is repeated, so that it needs no kernel of its own."""
    p = arrays.parts(target, size)
    pole = () if pole is None else arrays.parts(pole, size)
    return Targets(p, *arrays.each(lambda v: v.expand_as(p[0]), (r1, r2, side, pole)))


def solver(size, dtype, policy, whole):
    """Return the formula of joint, with `whole` also of end and status, and of the hard rows."""
    t = REALS[dtype]._replace(pin=LIBRARY.pin, fma=fma)

    def formula(**values):
        found, hard = fused.solve(LIBRARY, t, _targets(size, **values), policy)
        joint = torch.stack(found.joint, -1)
        if not whole:
            return joint, hard
        return joint, torch.stack(found.end, -1), found.status.to(torch.int8), hard

    return formula


def puller(size, dtype, policy, wanted):
    """Return the formula of the wanted derivatives, from the arguments and those of the loss."""
    t, largest = SLOPES[dtype]._replace(pin=LIBRARY.pin, fma=fma), torch.finfo(dtype).max

    def formula(joint_bar=None, end_bar=None, **values):
        values = {name: value.to(torch.float64) for name, value in values.items()}
        bars = (
            None if bar is None else arrays.parts(bar.to(torch.float64), size)
            for bar in (joint_bar, end_bar)
        )
        by_target, by_r1, by_r2, by_pole = fused.pull(
            LIBRARY, t, _targets(size, **values), policy, *bars
        )
        found = (by_target, by_r1, by_r2, by_pole)
        # One too large for the type becomes the largest number.
        found = [
            arrays.each(lambda v: v.clamp(-largest, largest).to(dtype), each)
            for each, is_wanted in zip(found, wanted, strict=True)
            if is_wanted
        ]
        return [torch.stack(each, -1) if isinstance(each, tuple) else each for each in found]

    return formula


# --- kernels ------------------------------------------------------------------------------


class Kernels:
    """The kernels for limbs of one kind, and how often their formula has been called."""

    def __init__(self, kind):
        self.device, self.dtype, self.size, self.numbers, self.ranks = kind
        self.policy = engine.policy_of_numbers(self.numbers)
        self.calls = 0
        self.made = {}  # what was compiled; None where it failed
        self.lock = threading.RLock()

    def serve(self, rows):
        """Return whether to use a kernel for a batch, not single operations."""
        self.calls += 1
        return rows >= MANY_ROWS or self.calls > MANY_CALLS

    def solver(self, whole):
        """Return the kernel that solves, or None."""
        formula = solver(self.size, self.dtype, self.policy, whole)
        return self._make(whole, formula, self._names(), functools.partial(self._check, whole))

    def puller(self, bars, wanted):
        """Return the kernel that differentiates, or None; it gets the bars that are not None."""
        names = [
            n for n, bar in zip(("joint_bar", "end_bar"), bars, strict=True) if bar is not None
        ]
        formula = puller(self.size, self.dtype, self.policy, wanted)
        check = functools.partial(self._check_pull, names, wanted)
        return self._make((*names, *wanted), formula, self._names() + names, check)

    def _names(self):
        return list(for_torch.NAMES[: self.size + 2])

    def _make(self, key, formula, names, check):
        if key not in self.made:
            with self.lock:
                if key not in self.made:  # unreached: race
                    self.made[key] = self._compiled(formula, names, check)
        return self.made[key]

    def _compiled(self, formula, names, check):
        """Compile a formula for any number of rows; return None if that fails."""
        try:
            from torch import _inductor

            known = _inductor.list_options()
            options = {name: value for name, value in OPTIONS.items() if name in known}
            kernel = torch.compile(
                graph_of(formula, names), dynamic=True, fullgraph=True, options=options
            )
            check(kernel)
        except Exception as error:  # a compiler may fail in any way
            lines = str(error).strip().splitlines() or [""]
            warnings.warn(
                f"{self.device}: limbs are solved by single operations of PyTorch, which takes "
                f"longer, because torch.compile failed: {type(error).__name__}: {lines[0]}",
                RuntimeWarning,
                stacklevel=2,
            )
            return None
        return kernel

    def sample(self):
        """Return some limbs of this kind, near the edges of the reachable range too."""
        rng = np.random.default_rng(1)
        count = 64
        r1, r2 = rng.uniform(0.6, 1.4, (2, count))
        side, pole = rng.choice([-1.0, 1.0], count), rng.normal(size=(count, 3))
        r1, r2, side, pole = (
            v if rank else v[0]
            for v, rank in zip((r1, r2, side, pole), (*self.ranks, 1)[:4], strict=True)
        )
        way = rng.normal(size=(count, self.size))
        way /= np.linalg.norm(way, axis=-1, keepdims=True)
        edge = np.where(np.arange(count) % 2, r1 + r2, abs(r1 - r2))
        edge = edge * (1.0 + rng.choice([-1, 1], count) * 10.0 ** rng.uniform(-7, -1, count))
        values = [way * edge[:, None], r1, r2, side, pole][: self.size + 2]
        return [torch.as_tensor(v, dtype=self.dtype, device=self.device) for v in values]

    def _check(self, whole, kernel):
        """Raise unless a kernel solves the sample as the formula does, within the accuracy."""
        values = self.sample()
        with torch.no_grad():
            *found, hard = kernel(*values)
            wanted = self.by_formula(values, whole)
        limit = 5.0 * torch.finfo(self.dtype).eps * values[1]  # each is within half of that
        for part, other in zip(found[:2], wanted, strict=False):
            apart = torch.linalg.vector_norm(torch.nan_to_num(part - other), dim=-1)
            if not bool((apart <= limit + 0.0 * apart).all()) or bool(hard.all()):
                raise ArithmeticError("its joints are not those of the formula")
        if whole and not torch.equal(found[2], wanted.status):
            raise ArithmeticError("its statuses are not those of the formula")

    def _check_pull(self, names, wanted, kernel):
        """Raise unless a kernel differentiates the sample as the formula does."""
        values = self.sample()
        bars = [torch.ones_like(values[0]) for _ in names]
        with torch.no_grad():
            found = kernel(*values, *bars)
            given = self.given(values, torch.arange(len(values[0]), device=self.device))
            bars = dict(zip(names, bars, strict=True))
            bars = bars.get("joint_bar"), bars.get("end_bar")
            others = _pull_by_formula(given, bars, wanted)
        for part, other in zip(found, [each for each in others if each is not None], strict=True):
            if not bool((part - other).abs().max() <= 1e-2 * other.abs().max()):
                raise ArithmeticError("its derivatives are not those of the formula")

    def given(self, values, rows):
        """Return selected rows as arguments of the formula; what all rows share is repeated."""
        picked = [
            None
            if value is None
            else value.index_select(0, rows)
            if value.ndim > is_vector
            else value.expand(len(rows), *value.shape)
            for value, is_vector in zip(_five(values), VECTORS, strict=True)
        ]
        return Given(*picked, None, [1.0] * 3 + self.numbers)

    def by_formula(self, values, whole, rows=None):
        """Solve with single operations: all rows, or selected ones. Nothing is differentiated."""
        if rows is None:
            rows = torch.arange(len(values[0]), device=self.device)
        return for_torch.by_formula(self.given(values, rows), self.policy, whole, PLAIN)


BY = for_torch.BY[:4]  # the places of target, r1, r2 and pole
VECTORS = (True, False, False, False, True)  # which of the five arguments have a last axis
PLAIN = arrays.Library(**vars(for_torch.EAGER) | {"differentiates": False})


def _five(values):
    return (*values, None)[:5]


@functools.lru_cache(maxsize=1_000)
def kernels_of(*kind):
    """Return the `Kernels` for limbs of one kind."""
    return Kernels(kind)


# --- limbs --------------------------------------------------------------------------------


def answer(given, policy, whole):
    """Return an `Answer`, or None where single operations are the better or the only way."""
    target = given.target
    shape = tuple(for_torch.shape_of(given))
    rows = math.prod(shape)
    told = engine.in_numbers(policy)
    if policy.fits or told is None or not 1 < rows <= MOST_ROWS or _is_captured(target.device):
        return None
    values = _flat(given, shape)
    ranks = tuple(
        value.ndim - is_vector for value, is_vector in zip(values[1:], VECTORS[1:], strict=False)
    )
    kernels = kernels_of(target.device, target.dtype, target.shape[-1], Numbers(told), ranks)
    if not kernels.serve(rows) or kernels.solver(whole) is None:
        return None
    if torch.is_grad_enabled() and any(value.requires_grad for value in values):
        found = _Solve.apply(kernels, whole, *values)
    else:
        *found, _ = _solve(kernels, whole, values)
    found = [part.reshape(*shape, *part.shape[1:]) for part in found]
    return Answer(*found) if whole else Answer(found[0], None, None)


class Numbers(list):
    """Numbers of a policy that can be keys."""

    def __hash__(self):
        return hash(tuple(self))


def _is_captured(device):
    """Return whether a CUDA graph is recorded, when the host must not wait for the device."""
    return device.type == "cuda" and torch.cuda.is_current_stream_capturing()


def _flat(given, shape):
    """Return the arguments with one axis for all rows, or without it where all share a value."""
    target, values = given.target, []
    for i, value in enumerate(given[:5]):
        if value is None and i == 4:
            continue
        if value is None:
            number = given.numbers[i - 1]
            value = for_torch.scalar(number, target)
        tail = tuple(value.shape[-1:]) if VECTORS[i] else ()
        if i and value.numel() == math.prod(tail):
            values.append(value.reshape(tail))
            continue
        if value.shape != (*shape, *tail):
            value = value.expand(*shape, *tail)
        values.append(value.reshape(-1, *tail).contiguous())
    return values


def _solve(kernels, whole, values):
    """Return joint, end and status or the joint alone, and the rows that were not moderate."""
    with torch.no_grad():
        values = [value.detach() for value in values]
        *found, hard = kernels.solver(whole)(*values)
        rows = None
        if bool(hard.any()):  # here the host waits for the device
            rows = hard.nonzero().squeeze(1)
            rest = kernels.by_formula(values, whole, rows)
            for part, other in zip(found, rest, strict=False):
                part.index_copy_(0, rows, other)
    return *found, rows


def _pull_by_formula(given, bars, wanted):
    """Return the derivatives by target, r1, r2 and pole with operations of PyTorch alone."""
    return for_torch.pull_by_formula(given, *bars, (*wanted, False))[:4]


def _pull(kernels, values, rows, bars, wanted):
    """Return the derivatives by target, r1, r2 and pole; None for those not wanted."""
    kernel = kernels.puller(bars, wanted)
    if kernel is None:
        given = Given(*_five(values), None, [1.0] * 3 + kernels.numbers)
        return _pull_by_formula(given, bars, wanted)
    values = [value.detach() for value in values]
    found = iter(kernel(*values, *(bar.contiguous() for bar in bars if bar is not None)))
    found = [next(found) if is_wanted else None for is_wanted in wanted]
    if rows is not None:
        bars = (None if bar is None else bar.index_select(0, rows) for bar in bars)
        rest = _pull_by_formula(kernels.given(values, rows), bars, wanted)
        for part, other in zip(found, rest, strict=True):
            if part is not None:
                part.index_copy_(0, rows, other)
    by = [_five(values)[i] for i in BY]
    return [
        None if part is None else part.sum_to_size(value.shape)
        for part, value in zip(found, by, strict=True)
    ]


class _Solve(torch.autograd.Function):
    """Solve limbs, and differentiate them."""

    @staticmethod
    def forward(ctx, kernels, whole, *values):
        *found, rows = _solve(kernels, whole, values)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*_five(values), rows)
        ctx.kernels = kernels
        if whole:
            ctx.mark_non_differentiable(found[2])
        return tuple(found)

    @staticmethod
    def backward(ctx, *bars):
        bars = (*bars, None)[:2]
        needs = (*ctx.needs_input_grad[2:], False)[:5]
        wanted = tuple(needs[i] for i in BY)
        grads = [None] * 5
        if any(wanted) and any(bar is not None for bar in bars):
            *values, rows = ctx.saved_tensors
            has_memory = all(bar is None or for_torch.has_memory(bar) for bar in bars)
            if torch.is_grad_enabled() or not has_memory:
                given = Given(*values, None, [1.0] * 3 + list(ctx.kernels.numbers))
                found = _pull_by_formula(given, bars, wanted)
            else:
                values = [value for value in values if value is not None]
                found = _pull(ctx.kernels, values, rows, bars, wanted)
            for i, grad in zip(BY, found, strict=True):
                grads[i] = grad
        return (None, None, *grads[: len(ctx.needs_input_grad) - 2])
