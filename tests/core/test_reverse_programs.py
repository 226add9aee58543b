"""Programs for derivatives: the rule of each operation, and what they do not compute."""

from itertools import pairwise

import numpy as np
import pytest

import twobone
from engines import KERNEL
from twobone.core import exact, programs, reverse
from twobone.core.exact import FLOAT64
from twobone.core.programs import OPERATIONS

pytestmark = pytest.mark.skipif(KERNEL is None, reason="no compiled kernel")
TAILS = {"a": (), "v": (2,)}
ROWS = 50


def draw(tails=TAILS, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(0.5, 2.0, (ROWS, int(np.prod(tail)))) for name, tail in tails.items()}


def run(program, inputs, widths):
    outputs = [np.empty((ROWS, width)) for width in widths]
    programs.run(program, inputs, outputs)
    return outputs


def width(tail):
    return int(np.prod(tail))


def differences(formula, values, tails, outputs, ways, step=1e-6):
    """Return the change of all outputs along a direction, by central differences."""
    program = programs.compile_formula(formula, FLOAT64, tails, outputs)
    at = [
        run(program, [values[n] + sign * step * ways[n] for n in tails], map(width, outputs))
        for sign in (1, -1)
    ]
    return [(more - less) / (2 * step) for more, less in zip(*at, strict=True)]


def assert_derivatives(formula, outputs, tails=TAILS, values=None):
    """Compare the program with differences, along one direction in all arguments."""
    values, ways = values or draw(tails), draw(tails, seed=1)
    weights = [np.random.default_rng(2).normal(size=(ROWS, width(tail))) for tail in outputs]
    wanted = differences(formula, values, tails, outputs, ways)
    given = [values[name] for name in tails]
    pull = reverse.compile_pull(formula, FLOAT64, tails, outputs, list(tails))
    found = run(pull, [*given, *weights], [width(tail) for tail in tails.values()])
    one = sum(np.sum(part * ways[name], -1) for part, name in zip(found, tails, strict=True))
    other = sum(np.sum(part * weight, -1) for part, weight in zip(wanted, weights, strict=True))
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7)


RULES = {
    "add": lambda xp, a, b, c: a + b + 2.0,
    "subtract": lambda xp, a, b, c: a - b - (c - 1.0),
    "multiply": lambda xp, a, b, c: a * b * c * 3.0,
    "square": lambda xp, a, b, c: a * a,
    "divide": lambda xp, a, b, c: (a / b + 1.0 / c) / 3.0,
    "negate": lambda xp, a, b, c: -(a * b),
    "root": lambda xp, a, b, c: xp.sqrt(a * b + c),
    "choose": lambda xp, a, b, c: xp.where(a > b, a * c, xp.where(b >= c, c / a, 1.0)),
    "a sum of many": lambda xp, a, b, c: (a + b * c + a * b + a * c + a / b + b / c + c / a) * c,
    "twice the same": lambda xp, a, b, c: (a + a) * (b - a) + (c + c),
    "what cancels": lambda xp, a, b, c: (a * b + c) - c,
}


@pytest.mark.parametrize("name", RULES)
def test_each_operation_has_its_rule(name):
    rule = RULES[name]
    assert_derivatives(lambda xp, t, a, v: [rule(xp, a, *v)], [()])


def test_results_may_be_vectors_arguments_and_numbers():
    assert_derivatives(
        lambda xp, t, a, v: [(v[1], a * v[0]), 2.0, v[0], (v[0], 1.0)], [(2,), (), (), (2,)]
    )


@pytest.mark.parametrize("policy", ["clamp", "stretch", twobone.Soft(0.2)], ids=str)
def test_triangles_are_differentiated_by_the_kernel(policy):
    def formula(xp, t, a, v):
        x, y, end, status = xp.triangle(a + v[0], v[0], v[1], policy)
        other = xp.triangle(v[0], a, v[1] + 1.0, policy)
        return [x * y, (end, x), other[2] * other[1], status]

    values = draw()
    values["a"] *= 0.5
    outputs = [(), (2,), (), None]
    assert_derivatives(lambda *a, **k: formula(*a, **k)[:3], outputs[:3], values=values)
    pull = reverse.compile_pull(formula, FLOAT64, TAILS, outputs, ["a"])
    names = [OPERATIONS[code] for code in pull.parts.code[:, 0]]
    assert names.count("slopes") == 2  # one for each triangle


def test_constants_and_comparisons_have_no_derivatives():
    def formula(xp, t, a, v):
        return [t.constant(a) * v[0] + xp.where(a > v[1], 1.0, 2.0) + xp.constant(a * a)]

    pull = reverse.compile_pull(formula, FLOAT64, TAILS, [()], ["a", "v"])
    values = draw()
    of_a, of_v = run(pull, [*values.values(), np.ones((ROWS, 1))], [1, 2])
    assert np.all(of_a == 0.0)
    assert np.array_equal(of_v, np.concatenate([values["a"], 0.0 * values["a"]], axis=-1))


ERRORS = {
    "two_sum": lambda t, a, b: exact.two_sum(a, b),
    "fast_two_sum": lambda t, a, b: exact.fast_two_sum(a, b),
    "two_product": lambda t, a, b: exact.two_product(t, exact.split(t, a), exact.split(t, b)),
    "two_square": lambda t, a, b: exact.two_square(t, exact.split(t, a)),
}


@pytest.mark.parametrize("name", ERRORS)
def test_rounding_errors_have_no_derivatives(name):
    def formula(xp, t, a, v):
        return ERRORS[name](t, a * v[0], v[1])

    pull = reverse.compile_pull(formula, FLOAT64, TAILS, [(), ()], ["a", "v"])
    plain = reverse.compile_pull(
        lambda *g, **k: formula(*g, **k)[:1], FLOAT64, TAILS, [()], ["a", "v"]
    )
    assert [*map(list, pull.parts.code)] == [*map(list, plain.parts.code)]
    high = {"two_product": lambda p, q: p * q, "two_square": lambda p, q: p * p}
    rule = high.get(name, lambda p, q: p + q)
    assert_derivatives(lambda xp, t, a, v: [rule(a * v[0], v[1])], [()])


def test_only_what_is_wanted_is_computed():
    def formula(xp, t, a, v):
        return [a * v[0] / v[1]]

    lengths = [
        len(reverse.compile_pull(formula, FLOAT64, TAILS, [()], wanted).parts.code)
        for wanted in (["a"], ["a", "v"])
    ]
    assert all(less < more for less, more in pairwise(lengths))


def test_a_reverse_program_is_at_most_a_few_times_as_long_as_its_formula():
    def formula(xp, t, a, v):
        for _ in range(100):
            a = xp.sqrt(a * v[0] + v[1] / a)
        return [a]

    length = len(programs.compile_formula(formula, FLOAT64, TAILS, [()]).parts.code)
    pull = reverse.compile_pull(formula, FLOAT64, TAILS, [()], ["a", "v"])
    assert len(pull.parts.code) < 5 * length


def test_formulas_that_cannot_be_recorded_have_no_programs():
    def choosy(xp, t, a, v):
        return [a if a > 1.0 else v[0]]

    many = {f"a{i}": () for i in range(programs.MOST_ARRAYS)}
    for formula, tails in ((choosy, TAILS), (lambda xp, t, **parts: [parts["a0"]], many)):
        assert reverse.compile_pull(formula, FLOAT64, tails, [()], []) is None
