"""Programs: formulas traced once into a list of operations, which the compiled kernel runs.

A formula in the portable subset (see `formula.py`) performs the same operations whatever the
values are. So it can be called once with `Value`s in place of numbers, which record each operation.
The kernel then performs the same operations in the same order for any number of poses, and the
bits are the same (except for the sign of NaN). Formulas that depend on values by `if`, use
trigonometry or call a policy of the user's own cannot be traced, and stay with NumPy.
"""

import math
import threading
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from twobone.core import arrays, engine
from twobone.core.arrays import Library
from twobone.core.exact import as_it_is

# The operations, in the order of the kernel (`Op` in loops.hpp).
OPERATIONS = "read write add subtract multiply divide negate root greater at_least equal and or not"
OPERATIONS = (*OPERATIONS.split(), "choose", "triangle", "slopes", "more")
RESULTS = {"triangle": 4, "slopes": 9}  # of other operations there is one
CODE = {name: code for code, name in enumerate(OPERATIONS)}
TRUTHS = ("greater", "at_least", "equal", "and", "or", "not")  # operations that give a truth value
MOST_ARRAYS = 64  # inputs of a program, and outputs
# Tracing takes 5 to 30 ms, as long as some calls of NumPy, so it must pay off.
SINGLE = 8  # a formula is traced at this call if calls have fewer than `MANY` poses,
BATCH = 2  # at this one if they have more,
AT_ONCE = 2000  # and at the first call with so many poses
MANY = 64
MOST_KEPT = 32  # programs of one limb or skeleton
SHARE = 10_000  # rows per thread
LOCK = threading.Lock()


class NotTraceableError(Exception):
    """The formula needs values."""


class Value:
    """A number or a truth value that is not known before the program runs."""

    __slots__ = ("index", "trace")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # so that NumPy scalars defer to the operators of this class

    def __init__(self, trace, index):
        self.trace = trace
        self.index = index

    def __bool__(self):
        raise NotTraceableError("the truth of a value")

    def __add__(self, other):
        return self.trace.number("add", self, other)

    def __radd__(self, other):
        return self.trace.number("add", other, self)

    def __sub__(self, other):
        return self.trace.number("subtract", self, other)

    def __rsub__(self, other):
        return self.trace.number("subtract", other, self)

    def __mul__(self, other):
        return self.trace.number("multiply", self, other)

    def __rmul__(self, other):
        return self.trace.number("multiply", other, self)

    def __truediv__(self, other):
        return self.trace.number("divide", self, other)

    def __rtruediv__(self, other):
        return self.trace.number("divide", other, self)

    def __neg__(self):
        return self.trace.number("negate", self)

    def __gt__(self, other):
        return self.trace.number("greater", self, other)

    def __lt__(self, other):
        return self.trace.number("greater", other, self)

    def __ge__(self, other):
        return self.trace.number("at_least", self, other)

    def __le__(self, other):
        return self.trace.number("at_least", other, self)

    def __eq__(self, other):
        return self.trace.number("equal", self, other)

    def __ne__(self, other):
        return ~self.trace.number("equal", self, other)

    def __invert__(self):
        return self.trace.number("not", self)

    def __and__(self, other):
        if not isinstance(other, Value):
            return self if other else False
        return self.trace.number("and", self, other)

    def __or__(self, other):
        if not isinstance(other, Value):
            return True if other else self
        return self.trace.number("or", self, other)

    __rand__, __ror__ = __and__, __or__


class Operation(NamedTuple):
    """One operation of a formula."""

    name: str
    operands: tuple  # indices of operations, or floats
    extra: tuple = ()  # "read": number of the array and component; "more": which result it is


class Trace:
    """The operations of a formula, each once, in the order in which they were met.

    With `differentiates`, the formula is recorded as a library with derivatives sees it, and what
    it marks as constant is recorded too, as an operation "constant" that the kernel does not know.
    """

    def __init__(self, differentiates=False):
        self.operations = []
        self.known = {}
        self.policies = []  # those of the triangles
        self.library = Library(
            name="program",
            sqrt=lambda v: self.number("root", v) if isinstance(v, Value) else math.sqrt(v),
            where=self.where,
            constant=self.constant if differentiates else as_it_is,
            differentiates=differentiates,
            triangle=self.triangle,
            slopes=self.slopes,
        )

    def number(self, name, *operands, extra=()):
        """Return the result of an operation on values and numbers."""
        return Value(self, self.index(name, operands, extra))

    def index(self, name, operands, extra=()):
        """Return the index of an operation; equal ones are the same."""
        operation = Operation(name, tuple(map(self.operand, operands)), extra)
        key = repr(operation)  # text, because 0.0 == -0.0 and NaN != NaN
        if key not in self.known:
            self.known[key] = len(self.operations)
            self.operations.append(operation)
        return self.known[key]

    def constant(self, value):
        """Return a value without its derivatives."""
        return self.number("constant", value) if isinstance(value, Value) else value

    def reader(self, array, tail):
        """Return a function from indices to the components of an argument."""

        def read(*at):
            part = int(np.ravel_multi_index(at, tail)) if at else 0
            return self.number("read", extra=(array, part))

        return read

    def operand(self, value):
        """Return the index of a value, or a plain number."""
        if isinstance(value, Value):
            return value.index
        if np.ndim(value):
            raise NotTraceableError("an array")
        return float(value)

    def where(self, condition, a, b):
        """Return `a` where the condition holds, else `b`."""
        if not isinstance(condition, Value):
            return a if condition else b
        return self.number("choose", condition, a, b)

    def triangle(self, d, r1, r2, unreachable):
        """Return x and y of the joint, the end and the status, for targets on the x axis."""
        return self.solved("triangle", d, r1, r2, unreachable)

    def slopes(self, d, r1, r2, unreachable):
        """Return the derivatives of x, of y and of the end, each with respect to d, r1 and r2."""
        return self.solved("slopes", d, r1, r2, unreachable)

    def solved(self, name, d, r1, r2, unreachable):
        """Return the results of an operation of several results."""
        if unreachable not in self.policies:
            self.policies.append(unreachable)
        first = self.number(name, d, r1, r2)
        others = range(RESULTS[name] - 1)
        return (first, *(self.number("more", first, extra=(i,)) for i in others))


class Parts(NamedTuple):
    """What the kernel makes a program from."""

    code: np.ndarray  # a row for each instruction
    constants: np.ndarray
    places: int  # how many values are kept at once
    policy: int  # of triangles: a number of `engine.WORDS`, and the steps of a chain
    steps: np.ndarray


class Program(NamedTuple):
    """A program of the kernel, and the names of the arguments that it reads."""

    compiled: Any
    names: tuple
    parts: Parts


def compile_formula(formula, real, tails, outputs):
    """Return the `Program` of a formula, or None if it cannot be traced.

    `tails` holds the trailing shape of each argument by name, `outputs` those of the results,
    None for a status.
    """
    if max(len(tails), len(outputs)) > MOST_ARRAYS:
        return None
    recorded = record(formula, real, tails)
    return recorded and assemble(*recorded, tails)


def record(formula, real, tails, *, differentiates=False):
    """Return the `Trace` of a formula and its results, or None if it cannot be traced.

    Results are operands by the number of the result and its component.
    """
    trace = Trace(differentiates)
    if differentiates:
        real = real._replace(constant=trace.constant)
    parts = {
        name: arrays.nest(trace.reader(i, tail), tail)
        for i, (name, tail) in enumerate(tails.items())
    }
    try:
        found = formula(trace.library, real, **parts)
        results = {
            (i, k): trace.operand(number)
            for i, result in enumerate(found)
            for k, number in enumerate(arrays.flat(result))
        }
    except (NotTraceableError, AttributeError, TypeError):  # the last two: `Value` lacks a method
        return None
    return None if engine.policy_of_triangles(trace.policies) is None else (trace, results)


def assemble(trace, results, names):
    """Return the `Program` that computes results of a trace; `names` are those of its inputs."""
    operations, results = _without_constants(trace.operations, results)
    assembler = Assembler(operations, results)
    code = np.array(assembler.code, np.int32)
    constants = np.array([float(text) for text in assembler.constants], np.float64)
    how: Any = engine.policy_of_triangles(trace.policies)
    parts = Parts(code, constants, assembler.places, *how)
    return Program(engine.KERNEL.program(*parts), tuple(names), parts)


def _without_constants(operations, results):
    """Return operations and results in which each "constant" is replaced by its operand."""
    meant, kept = {}, []

    def seen(operand):
        return meant.get(operand, operand) if type(operand) is int else operand

    for i, operation in enumerate(operations):
        operands = tuple(map(seen, operation.operands))
        if operation.name == "constant":
            meant[i] = operands[0]
        kept.append(operation._replace(operands=operands))
    return kept, {result: seen(value) for result, value in results.items()}


def uses_of(operations, results):
    """Return how often each operation is used by results, and by operations that are used."""
    uses = [0] * len(operations)
    for result in results:
        if type(result) is int:
            uses[result] += 1
    for index in reversed(range(len(operations))):
        if uses[index]:
            for operand in operations[index].operands:
                if type(operand) is int:
                    uses[operand] += 1
    return uses


class Assembler:
    """Instructions that compute the results, with as few places (registers) as possible.

    A place holds a value for many rows: the fewer there are, the more rows fit the fastest cache.
    """

    def __init__(self, operations, results):
        self.operations = operations
        self.written = {}  # the results that are equal to a value
        for result, value in results.items():
            if type(value) is int:
                self.written.setdefault(value, []).append(result)
        self.uses = uses_of(operations, results.values())  # of each value, from here on
        self.code, self.constants = [], {}
        self.place_of, self.free, self.places = {}, [], 0
        more = {}
        for index, operation in enumerate(operations):
            if operation.name == "more":
                more.setdefault(operation.operands[0], {})[operation.extra[0]] = index
        for index, operation in enumerate(operations):
            if self.uses[index] and operation.name not in ("read", "more"):
                self.emit(index, operation, more.get(index, {}))
        for value in self.written:
            if operations[value].name == "read":
                self.write(value)
        for (array, part), value in results.items():
            if type(value) is float:
                self.code.append((CODE["write"], 0, array, *self.use([value]), part))

    def new_place(self, value):
        """Return a place for a value; it is free again at once if nothing uses the value."""
        place = self.free.pop() if self.free else self.places
        self.places = max(self.places, place + 1)
        self.place_of[value] = place
        if not self.uses[value]:
            self.free.append(place)
        return place

    def use(self, operands):
        """Return the places of values, and ~index of constants; each value has one use less."""
        places = []
        for operand in operands:
            if type(operand) is float:
                places.append(~self.constants.setdefault(repr(operand), len(self.constants)))
                continue
            if operand not in self.place_of:  # arguments are read where they are first needed
                array, part = self.operations[operand].extra
                self.code.append((CODE["read"], self.new_place(operand), array, part, 0))
            places.append(self.place_of[operand])
        for operand in operands:  # not in the loop above: another operand must not take the place
            if type(operand) is int:
                self.uses[operand] -= 1
                if not self.uses[operand]:
                    self.free.append(self.place_of[operand])
        return places

    def emit(self, index, operation, more):
        """Add the instruction of an operation; `more` holds its further results."""
        sources = self.use(operation.operands)
        sources += sources[:1] * (3 - len(sources))
        if operation.name not in RESULTS:
            self.code.append((CODE[operation.name], self.new_place(index), *sources))
            self.write(index)
            return
        # The kernel writes results in their order, so one may take the place of an unused one.
        values = [index, *(more[i] for i in range(RESULTS[operation.name] - 1))]
        places = [self.new_place(value) for value in values]
        self.code.append((CODE[operation.name], places[0], *sources))
        others = places[1:] + places[:1] * (
            -len(places[1:]) % 3
        )  # an instruction has three operands
        for i in range(0, len(others), 3):
            self.code.append((CODE["more"], 0, *others[i : i + 3]))
        for value in values[1:]:
            if self.uses[value]:
                self.use([index])
        for value in values:
            self.write(value)

    def write(self, value):
        """Write a value to all results that are equal to it."""
        for array, part in self.written.get(value, ()):
            self.code.append((CODE["write"], 0, array, *self.use([value]), part))


# --- running ------------------------------------------------------------------------------


class Programs:
    """The programs of one limb or skeleton, one for each combination of settings."""

    def __init__(self):
        self.kept = {}  # by key: a `Program`, None if there cannot be one, or a share of the calls
        self.tasks = {}  # the same for tensors, by key: what `torch_programs` needs, or None
        self.eager = 0  # how many callers want programs at the first call

    def __reduce__(self):
        return Programs, ()  # copies make their own

    @contextmanager
    def made_at_once(self):
        """Make programs at the first call."""
        with LOCK:
            self.eager += 1
        try:
            yield
        finally:
            with LOCK:
                self.eager -= 1

    def find(self, key, formula, given, outputs, at_once=AT_ONCE):
        """Return the `Program` of a formula; None if there is none, or tracing does not pay yet.

        `key` holds the settings on which the formula depends.
        """
        if engine.KERNEL is None:
            return None
        key = (key, given.real.eps, tuple(given.values))
        found = self.kept.get(key, 0.0)
        if type(found) is not float:
            return found
        rows = math.prod(given.shape)
        pays = self.eager > 0 or rows >= at_once
        found += 1.0 if pays else 1.0 / (BATCH if rows >= MANY else SINGLE)
        if found >= 1.0:
            found = compile_formula(formula, given.real, given.tails_of_values(), outputs)
        self.keep(self.kept, key, found)
        return None if type(found) is float else found

    def keep(self, kept, key, found):
        """Keep what was found for a key, and no more than the newest `MOST_KEPT`."""
        if key not in kept:
            for oldest in list(kept)[: max(0, len(kept) - MOST_KEPT + 1)]:
                kept.pop(oldest, None)
        kept[key] = found


def run(program, inputs, outputs, carried=None):
    """Run a program for all rows of its arrays, on several threads if there are many.

    Arrays have the shape (rows, components) or (frames, rows, components); an input may have one
    row for all. `carried` holds a number for each input: that of the output of the previous frame
    which is the input of the next one (the given array is for the first frame), or -1.
    """
    carried = (-1,) * len(inputs) if carried is None else tuple(carried)
    rows = outputs[0].shape[-2]
    count = min(engine.THREADS.count, rows // SHARE)
    if count < 2:
        engine.KERNEL.run_program(program.compiled, tuple(inputs), tuple(outputs), carried)
        return

    def share(start, stop):
        def cut(array):
            return array if array.shape[-2] == 1 else array[..., start:stop, :]

        pieces = tuple(map(cut, inputs)), tuple(map(cut, outputs))
        return lambda: engine.KERNEL.run_program(program.compiled, *pieces, carried)

    engine.THREADS.run([share(*pair) for pair in engine.shares(rows, count)])
