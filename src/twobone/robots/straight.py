"""Straight-line code: a formula of one limb, written out for Python floats or NumPy arrays.

A formula of `pose_branches` is recorded as `core.programs` does it. What depends on the limb alone
is computed then: products with 0 and 1 vanish, and equal operations are one. The rest is compiled
as one Python function without calls of functions and tuples, which would take most of the time of a
single target: without it, a branch in Python floats takes 70 to 115 microseconds instead of 4 to 5,
and all branches in arrays 10 instead of 3. The text that is compiled has operators and numbers in
it, and nothing of a file.
"""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

import twobone
from twobone.core import solver
from twobone.core.arrays import Library, flat
from twobone.core.exact import FLOAT64, as_it_is
from twobone.core.programs import Operation, Trace, Value, uses_of

SYMBOLS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "greater": ">",
    "at_least": ">=",
    "equal": "==",
    "and": "&",
    "or": "|",
}
FUNCTIONS = {"root": math.sqrt, "sin": math.sin, "cos": math.cos, "atan2": math.atan2}
LONGEST = 120  # letters of an expression that is written into another


class Tape(Trace):
    """A `Trace` that computes what is known, and records sines, arc tangents and joints too."""

    def __init__(self):
        super().__init__()
        self.library = Library(
            name="straight",
            sqrt=lambda v: self.number("root", v),
            where=lambda condition, a, b: self.number("choose", condition, a, b),
            constant=as_it_is,
            differentiates=False,
            solve_xy=self.solve_xy,
            xp=SimpleNamespace(
                sin=lambda v: self.number("sin", v),
                cos=lambda v: self.number("cos", v),
                atan2=lambda y, x: self.number("atan2", y, x),
            ),
        )

    def number(self, name, *operands, extra=()) -> Any:
        """Return the result of an operation on numbers, some of which are known."""
        known = _simplified(name, operands) if operands else None
        return super().number(name, *operands, extra=extra) if known is None else known

    def solve_xy(self, x, y, r1, r2, side):
        """Return the joint between two bones."""
        joint = Value(self, self.index("solve_xy", (x, y, r1, r2, side)))
        return tuple(Value(self, self.index("part", (joint,), (i,))) for i in range(2))


def _simplified(name, operands: Any) -> Any:
    """Return the result of an operation if it needs none, else None."""
    if not any(isinstance(each, Value) for each in operands):
        return _computed(name, operands)
    a, b = operands[0], operands[-1]
    zeros = [not isinstance(each, Value) and each == 0.0 for each in operands]
    if name == "multiply":
        return _product(a, b, zeros)
    if name == "add" and any(zeros):
        return b if zeros[0] else a
    if name == "subtract":
        if isinstance(a, Value) and isinstance(b, Value) and a.index == b.index:
            return 0.0
        if any(zeros):
            return -b if zeros[0] else a
    if name == "choose" and not isinstance(a, Value):
        return operands[1] if a else operands[2]
    if name == "divide" and zeros[0]:
        return 0.0
    if name == "negate":
        before = a.trace.operations[a.index]
        return Value(a.trace, before.operands[0]) if before.name == "negate" else None
    return None


def _product(a, b, zeros):
    if any(zeros):
        return 0.0
    for number, other in ((a, b), (b, a)):
        if not isinstance(other, Value) and abs(other) == 1.0:
            return number if other > 0.0 else -number
    return None


def _computed(name, operands):
    """Return a function or a choice of known numbers; Python computes their sums and products."""
    if name == "choose":
        return operands[1] if operands[0] else operands[2]
    return FUNCTIONS[name](*operands)


# --- code ---------------------------------------------------------------------------------


def compiled(formula, tails, arrays):
    """Return a function of the numbers of all arguments, one after the other.

    Parameters
    ----------
    formula : callable
        `formula(xp, t, **parts)`, as for `batches.run`.
    tails : dict
        The number of components of each argument.
    arrays : bool
        Whether the function takes NumPy arrays, not Python floats.

    Returns
    -------
    callable
        Takes the components in the order of `tails`, and returns those of the results as a tuple.
        Arrays have one axis; results that do not depend on the arguments are numbers.
    """
    tape, parts, inputs = Tape(), {}, []
    for name, count in tails.items():
        numbers = tuple(tape.number("read", extra=(len(inputs) + i,)) for i in range(count))
        inputs += [each.index for each in numbers]
        parts[name] = numbers if count > 1 else numbers[0]
    results = [tape.operand(each) for each in flat(formula(tape.library, FLOAT64, **parts))]
    lines = _Writer(tape.operations, results, inputs, arrays).lines()
    arguments = ", ".join(f"v{index}" for index in inputs)
    spaces = {"float": float, "nan": math.nan, "inf": math.inf}
    spaces |= _for_arrays() if arrays else _for_floats()
    bound = ", ".join(f"{name}={name}" for name in spaces)
    text = f"def straight({arguments}, *, {bound}):\n" + "\n".join(f"    {line}" for line in lines)
    exec(compile(text, "<straight>", "exec"), spaces)
    return spaces["straight"]


def _for_floats():
    return FUNCTIONS | {"solve_xy": solver.solve_xy}


def _for_arrays():
    functions = {"root": np.sqrt, "sin": np.sin, "cos": np.cos, "atan2": np.arctan2}
    return functions | {"where": np.where, "solve_xy": _solve_arrays}


def _solve_arrays(x, y, r1, r2, side):
    shape = np.broadcast_shapes(np.shape(x), np.shape(y), np.shape(r1), np.shape(r2))
    target = np.empty((*shape, 2))
    target[..., 0], target[..., 1] = x, y
    joint = twobone.solve(target, r1, r2, side=side if np.ndim(side) else int(side))
    return joint[..., 0].copy(), joint[..., 1].copy()


class _Writer:
    """Statements that compute results; a name of an array is used again once it is not needed."""

    def __init__(self, operations, results, inputs, arrays):
        self.operations, self.results, self.arrays = operations, results, arrays
        self.uses = uses_of(operations, results)
        self.text = {index: f"v{index}" for index in inputs}
        self.free, self.count = [], 0

    def lines(self):
        """Return all statements."""
        found = []
        for index, (name, operands, _) in enumerate(self.operations):
            if not self.uses[index] or name in ("read", "part"):
                continue
            if name == "solve_xy":
                found.append(self._solved(index, operands))
                continue
            text = self._expression(name, operands)
            if not self.arrays and self.uses[index] == 1 and len(text) < LONGEST:
                self.text[index] = text
                continue
            self.text[index] = self._name()
            found.append(f"{self.text[index]} = {text}")
        found.append(f"return ({''.join(f'{self._of(each)}, ' for each in self.results)})")
        return found

    def _solved(self, index, operands):
        arguments = ", ".join(map(self._of, operands))
        names = []
        for i in range(2):
            part = Operation("part", (index,), (i,))
            name = self._name()
            names.append(name)
            for k in range(index + 1, min(index + 3, len(self.operations))):
                if self.operations[k] == part:
                    self.text[k] = name
        return f"{', '.join(names)} = solve_xy({arguments})"

    def _expression(self, name, operands):
        parts = list(map(self._of, operands))
        if name in SYMBOLS:
            return f"({parts[0]} {SYMBOLS[name]} {parts[1]})"
        if name == "negate":
            return f"(-{parts[0]})"
        if name == "not":
            return f"(~{parts[0]})" if self.arrays else f"(not {parts[0]})"
        if name == "choose":
            condition, a, b = parts
            if self.arrays:
                return f"where({condition}, {a}, {b})"
            return f"({a} if {condition} else {b})"
        return f"{name}({', '.join(parts)})"

    def _of(self, operand):
        if type(operand) is not int:
            return f"({operand!r})"
        self.uses[operand] -= 1
        text = self.text[operand]
        if self.arrays and not self.uses[operand] and text.startswith("w"):
            self.free.append(text)
        return text

    def _name(self):
        if self.arrays and self.free:
            return self.free.pop()
        self.count += 1
        return f"w{self.count}"
