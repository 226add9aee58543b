"""The lesson "Break it": five methods beside an exact answer, and the tasks of its steps."""

import random
from decimal import Decimal, localcontext

import numpy as np
import pytest

import twobone
from browsing import HAND, arrive, section

SOLVED = "(n) => lesson.isSolved('break', n)"
OUTER, INNER = "[data-scrub=outer]", "[data-scrub=inner]"


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


@pytest.fixture
def broken(visit):
    return visit("lesson=break&step=1", reduced_motion="reduce")


def test_the_exact_answer_is_exact(broken):
    cases = [*limbs(200, 1), ([0.0, 0.0], 1.0, 1.0, -1), ([0.0, 0.0], 1.0, 0.5, 1),
             ([0.0, 0.0], 0.5, 1.0, 1), ([0.8, 0.6], 1.0, 1e-6, 1), ([5e-324, 0.0], 1.0, 1.0, 1),
             ([1e6, 1e-300], 1e6, 3.0, -1)]  # fmt: skip
    texts = broken.evaluate(
        "(cases) => cases.map(([p, r1, r2, side]) => { const e = exactly.joint(p, r1, r2, side);"
        " return [...e.joint.map(String), String(e.scale)]; })",
        cases,
    )
    for (p, r1, r2, side), (x, y, scale) in zip(cases, texts, strict=True):
        with localcontext() as context:
            context.prec = 80
            unit = Decimal(2) ** int(scale)
            for have, want in zip((Decimal(x) / unit, Decimal(y) / unit),
                                  exact_joint(p, r1, r2, side), strict=True):  # fmt: skip
                assert abs(have - want) < Decimal("1e-55") * Decimal(r1), (p, r1, r2)


def test_the_errors_that_are_shown_are_those_of_the_methods(broken):
    eps = Decimal(2) ** -52
    worst = {}
    for limb in limbs(150, 2):
        rows = broken.evaluate(
            "([p, r1, r2, side]) => methods.compare(p, r1, r2, side, 'float64')", limb
        )
        want = exact_joint(*limb)
        for row in rows:
            apart = sum((Decimal(v) - w) ** 2 for v, w in zip(row["joint"], want, strict=True))
            error = apart.sqrt() / Decimal(limb[1]) / eps
            assert row["error"] == pytest.approx(float(error), rel=1e-6, abs=1e-9)
            worst[row["name"]] = max(worst.get(row["name"], 0), row["error"])
    assert worst["ours"] < 2.5
    assert worst["article"] > 1e6
    assert worst["cosines"] > 1e6


def test_our_formula_has_the_bits_of_the_solver_and_of_python(broken):
    cases = list(limbs(400, 3))
    run = (
        "([type, cases]) => cases.map(([p, r1, r2, side]) =>"
        " methods.formula(methods.arithmetic(type), p, r1, r2, side).joint)"
    )
    doubles = broken.evaluate(run, ["float64", cases])
    solver = broken.evaluate(
        "(cases) => cases.map(([p, r1, r2, side]) => twobone.reach(p, r1, r2, { side }).joint)",
        cases,
    )
    assert doubles == solver
    single = np.float32
    rounded = [([float(single(v)) for v in p], float(single(a)), float(single(b)), side)
               for p, a, b, side in cases]  # fmt: skip
    have = np.array(broken.evaluate(run, ["float32", rounded]))
    p, r1, r2, side = (np.array([case[i] for case in rounded], dtype=single) for i in range(4))
    np.testing.assert_array_equal(have, twobone.solve(p, r1, r2, side=side).astype(float))


@pytest.mark.parametrize(
    ("step", "focus", "key"),
    [
        (1, HAND, "ArrowRight"),
        (2, OUTER, "ArrowLeft"),
        (3, INNER, "ArrowLeft"),
        (4, HAND, None),
        (5, HAND, None),
        (6, "[data-scrub=offset]", None),
        (7, OUTER, "ArrowLeft"),
    ],
)
def test_every_task_is_solved_with_keys(visit, step, focus, key):
    page = visit(f"lesson=break&step={step}", reduced_motion="reduce")
    arrive(page, step)
    if step == 7:
        section(page, step).locator("[data-type=float32]").press("Enter")
    place = page.locator(focus) if focus == HAND else section(page, step).locator(focus)
    place.focus()
    rows = {
        4: ["ArrowLeft"] * 17 + ["ArrowDown"] * 9,
        5: ["Shift+ArrowLeft"] * 9 + ["Shift+ArrowDown"] * 7,
        6: ["Home", "End"],
    }
    for press in rows.get(step, []):
        page.keyboard.press(press)
        page.evaluate("main.drawNow()")
    for _ in range(0 if step in rows else 60):
        if page.evaluate(SOLVED, step):
            break
        page.keyboard.press(key)
        page.evaluate("main.drawNow()")
    assert page.evaluate(SOLVED, step)


def test_each_case_breaks_what_it_says(visit):
    page = visit("lesson=break&step=4&target=0,0,0&r1=0.7&r2=0.7", reduced_motion="reduce")
    arrive(page, 4)
    cells = lambda step: {  # noqa: E731
        row.get_attribute("data-method"): row.locator("td").all_inner_texts()
        for row in section(page, step).locator("tbody tr").all()
    }
    assert cells(4)["article"][2] == cells(4)["cosines"][2] == "NaN"
    assert float(cells(4)["ours"][2]) < 2.5
    assert "AMBIGUOUS" in section(page, 4).inner_text()
    page.locator("#lesson-next").click()
    arrive(page, 5)
    assert cells(5)["ccd"][0] == "100+"
    assert "TOO_FAR" in section(page, 5).inner_text()
    page.locator("#lesson-next").click()
    arrive(page, 6)
    assert float(cells(6)["ours"][2]) < 2.5
