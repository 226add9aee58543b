"""Derivatives of formulas: programs derived from recorded ones, operation by operation.

The reverse program of a formula (`compile_pull`) multiplies the derivatives of its results by
weights and sums them for each argument: it performs the recorded operations, and then the rule of
each operation in the opposite order. Formulas are recorded as a library with derivatives sees them
(`differentiates`); what they mark as constant, and comparisons, have none.

Sums and differences are seen through: each value is a sum of terms times whole numbers, and terms
that cancel are dropped. So the rounding error that `exact.two_sum` returns has no derivative.
"""

from twobone.core import arrays, programs
from twobone.core.programs import TRUTHS, Value

MOST_TERMS = 6  # of a sum that is seen through; with more, an operation is a term itself


def compile_pull(formula, real, tails, outputs, wanted):
    """Return the `Program` that multiplies by the derivatives of a formula from the left.

    Its inputs are those of the formula and then, for each output that is not a status, the
    derivative of a loss with respect to it. Its outputs are the derivatives of the loss with
    respect to the arguments named in `wanted`, summed over the outputs. Return None if the formula
    cannot be recorded. The arguments are those of `programs.compile_formula`.
    """
    recorded = _record(formula, real, tails, outputs, len(tails) + len(outputs), len(wanted))
    if recorded is None:
        return None
    trace, results = recorded
    slopes = _Slopes(trace, {list(tails).index(name) for name in wanted})
    weights = [i for i, tail in enumerate(outputs) if tail is not None]
    for (i, part), value in results.items():
        if i in weights and slopes.is_active(value):
            read = trace.number("read", extra=(len(tails) + weights.index(i), part))
            slopes.add(value, read)
    slopes.pull()
    found = {}
    for k, name in enumerate(wanted):
        for part in range(arrays.count(tails[name])):
            found[k, part] = slopes.of_argument(list(tails).index(name), part)
    return programs.assemble(trace, found, tails)


def _record(formula, real, tails, outputs, inputs, results):
    """Record a formula with its constants; None if that fails or there are too many arrays."""
    if max(inputs, results, len(outputs)) > programs.MOST_ARRAYS:
        return None
    return programs.record(formula, real, tails, differentiates=True)


class _Slopes:
    """The derivatives of the operations of a trace."""

    def __init__(self, trace, arguments):
        self.trace = trace
        self.operations = list(trace.operations)
        self.others = {}  # further results of an operation, by their number
        for i, operation in enumerate(self.operations):
            if operation.name == "more":
                self.others.setdefault(operation.operands[0], {})[operation.extra[0]] = i
        self.terms = []  # of each operation: {term: how many times}; {} has no derivative
        for i, operation in enumerate(self.operations):
            self.terms.append(self.terms_of(i, operation, arguments))
        self.found = {}  # the derivative of the loss with respect to each term

    def terms_of(self, index, operation, arguments):
        """Return the terms of which an operation is the sum."""
        name, operands = operation.name, operation.operands
        if name == "read":
            return {index: 1} if operation.extra[0] in arguments else {}
        if name == "constant" or name in TRUTHS:
            return {}
        if name in ("add", "subtract", "negate"):
            signs = {"add": (1, 1), "subtract": (1, -1), "negate": (-1,)}[name]
            total = {}
            for sign, operand in zip(signs, operands, strict=True):
                for term, times in self.terms_at(operand).items():
                    total[term] = total.get(term, 0) + sign * times
            total = {term: times for term, times in total.items() if times}
            few = len(total) <= MOST_TERMS and all(abs(times) == 1 for times in total.values())
            return total if few else {index: 1}
        if name == "more":
            # The status, the last result of a triangle, is a constant.
            active = operation.extra[0] < 2 and self.terms_at(operands[0])
        else:
            active = any(map(self.terms_at, operands[1:] if name == "choose" else operands))
        return {index: 1} if active else {}

    def terms_at(self, operand):
        return self.terms[operand] if type(operand) is int else {}

    def is_active(self, operand):
        """Return whether an operand depends on the arguments."""
        return bool(self.terms_at(operand))

    def value(self, operand):
        return Value(self.trace, operand) if type(operand) is int else operand

    def add(self, operand, slope):
        """Add a derivative of the loss with respect to an operand."""
        for term, times in self.terms_at(operand).items():
            self.add_to_term(term, times, slope)

    def add_to_term(self, term, times, slope):
        if term not in self.found:
            self.found[term] = slope if times == 1 else -slope
        elif times == 1:
            self.found[term] = self.found[term] + slope
        else:
            self.found[term] = self.found[term] - slope

    def pull(self):
        """Go through all operations, the last one first."""
        for i in reversed(range(len(self.operations))):
            operation = self.operations[i]
            if operation.name == "triangle":
                self.pull_triangle(i, operation.operands)
            elif i in self.found and operation.name not in ("read", "more"):
                self.pull_one(i, operation)

    def pull_one(self, index, operation):
        """Apply the rule of one operation."""
        name, slope = operation.name, self.found[index]
        first, second, *_ = (*operation.operands, None)
        if name == "multiply":
            self.add_product(first, slope, second)
            self.add_product(second, slope, first)
        elif name == "divide":
            share = slope / self.value(second)
            self.add(first, share)
            if self.is_active(second):
                self.add(second, -(share * Value(self.trace, index)))
        elif name == "root":
            self.add(first, 0.5 * slope / Value(self.trace, index))
        elif name == "choose":
            condition, (_, yes, no) = self.value(first), operation.operands
            for operand, there in ((yes, (slope, 0.0)), (no, (0.0, slope))):
                if self.is_active(operand):
                    self.add(operand, self.trace.where(condition, *there))
        else:  # a sum or difference of many terms
            self.add(first, slope)
            self.add(second, slope if name == "add" else -slope)

    def add_product(self, operand, slope, factor):
        if self.is_active(operand):
            self.add(operand, slope * self.value(factor))

    def pull_triangle(self, index, operands):
        """Apply the rule of a triangle: its results are x, y, end and the status."""
        results = [index, *(self.others.get(index, {}).get(i) for i in range(2))]
        slopes = [self.found.get(result) for result in results]
        if all(slope is None for slope in slopes):
            return
        found = self.slopes_of(operands)
        for i, operand in enumerate(operands):
            if self.is_active(operand):
                parts = (
                    slope * found[3 * k + i] for k, slope in enumerate(slopes) if slope is not None
                )
                total = next(parts)
                for part in parts:
                    total = total + part
                self.add(operand, total)

    def slopes_of(self, operands):
        """Return the nine derivatives of a triangle; a trace has one policy for all triangles."""
        (policy,) = self.trace.policies
        return self.trace.slopes(*map(self.value, operands), policy)

    def of_argument(self, array, part):
        """Return the operand that holds the derivative with respect to an argument's component."""
        key = self.trace.index("read", (), (array, part))
        return self.trace.operand(self.found.get(key, 0.0))
