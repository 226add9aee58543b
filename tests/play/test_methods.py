"""The five methods of the lesson "Break it", and the exact answer beside them, in node."""

import random
from decimal import Decimal, localcontext

import numpy as np
import pytest

import twobone


def limbs(count, seed):
    """Return limbs in the plane: ordinary, nearly straight, nearly folded, and out of reach."""
    draw = random.Random(seed)
    for number in range(count):
        r1, r2 = draw.uniform(0.5, 2), draw.uniform(0.5, 1.9)
        angle = draw.uniform(-3.1, 3.1)
        edge = [r1 + r2, abs(r1 - r2)][number % 2]
        far = [
            draw.uniform(0.01, 4),
            edge * (1 + draw.choice([-1, 1]) * 10 ** draw.uniform(-15, -1)),
        ]
        p = far[number % 3 > 0] * np.array([np.cos(angle), np.sin(angle)])
        yield [*map(float, p)], r1, r2, draw.choice([1, -1])


def exact_joint(p, r1, r2, side):
    """Return the joint that clamps, to 80 digits."""
    with localcontext() as context:
        context.prec = 80
        x, y, a, b = (Decimal(v) for v in (*p, r1, r2))
        h = x * x + y * y
        if h == 0:
            return (Decimal(0), side * a) if a == b else (a if a > b else -a, Decimal(0))
        w = h + a * a - b * b
        under = 4 * a * a * h - w * w
        if under < 0:
            sign = 1 if h > (a - b) ** 2 or a >= b else -1
            return sign * a * x / h.sqrt(), sign * a * y / h.sqrt()
        k = side * under.sqrt()
        return (w * x - k * y) / (2 * h), (w * y + k * x) / (2 * h)


def test_the_exact_answer_is_exact(modules):
    cases = [*limbs(200, 1), ([0.0, 0.0], 1.0, 1.0, -1), ([0.0, 0.0], 1.0, 0.5, 1),
             ([0.0, 0.0], 0.5, 1.0, 1), ([0.8, 0.6], 1.0, 1e-6, 1), ([5e-324, 0.0], 1.0, 1.0, 1),
             ([1e6, 1e-300], 1e6, 3.0, -1)]  # fmt: skip
    texts = modules(
        {"limb/exactly": "exactly"},
        """given.map(([p, r1, r2, side]) => {
             const { joint, scale } = exactly.joint(p, r1, r2, side);
             return [...joint, scale].map((v) => `exactly ${v}`);
           })""",
        cases,
    )
    for (p, r1, r2, side), numbers in zip(cases, texts, strict=True):
        x, y, scale = (text.split()[1] for text in numbers)
        with localcontext() as context:
            context.prec = 80
            unit = Decimal(2) ** int(scale)
            for have, want in zip((Decimal(x) / unit, Decimal(y) / unit),
                                  exact_joint(p, r1, r2, side), strict=True):  # fmt: skip
                assert abs(have - want) < Decimal("1e-55") * Decimal(r1), (p, r1, r2)


COMPARE = "given.map(([p, r1, r2, side]) => methods.compare(p, r1, r2, side, 'float64'))"


def test_the_errors_that_are_shown_are_those_of_the_methods(modules):
    eps = Decimal(2) ** -52
    cases, worst = list(limbs(150, 2)), {}
    for limb, rows in zip(cases, modules({"limb/methods": "methods"}, COMPARE, cases), strict=True):
        want = exact_joint(*limb)
        for row in rows:
            apart = sum((Decimal(v) - w) ** 2 for v, w in zip(row["joint"], want, strict=True))
            error = apart.sqrt() / Decimal(limb[1]) / eps
            assert row["error"] == pytest.approx(float(error), rel=1e-6, abs=1e-9)
            worst[row["name"]] = max(worst.get(row["name"], 0), row["error"])
    assert worst["ours"] < 2.5
    assert worst["article"] > 1e6
    assert worst["cosines"] > 1e6


FORMULA = """given[1].map(([p, r1, r2, side]) =>
  methods.formula(methods.arithmetic(given[0]), p, r1, r2, side).joint)"""
SOLVER = "given.map(([p, r1, r2, side]) => twobone.reach(p, r1, r2, { side }).joint)"


def test_our_formula_has_the_bits_of_the_solver_and_of_python(modules):
    cases = list(limbs(400, 3))
    run = lambda kind, cases: modules({"limb/methods": "methods"}, FORMULA, [kind, cases])  # noqa: E731
    assert run("float64", cases) == modules({"solver": "twobone"}, SOLVER, cases)
    single = np.float32
    rounded = [([float(single(v)) for v in p], float(single(a)), float(single(b)), side)
               for p, a, b, side in cases]  # fmt: skip
    have = np.array(run("float32", rounded))
    p, r1, r2, side = (np.array([case[i] for case in rounded], dtype=single) for i in range(4))
    np.testing.assert_array_equal(have, twobone.solve(p, r1, r2, side=side).astype(float))
