"""SymPy runs the very source that runs on numbers, and both bone lengths come out exact."""

import pytest

from slow import slow
from twobone.core import answer, blocks, exact
from twobone.core.answer import Targets
from twobone.core.arrays import Library
from twobone.core.policies import NAMED

sympy = pytest.importorskip("sympy", reason="sympy is not installed")

R1, R2 = sympy.symbols("r1 r2", positive=True)
PLANE = sympy.symbols("px py", real=True)
SPACE = sympy.symbols("px py pz", real=True)
POLE = sympy.symbols("nx ny nz", real=True)
EXACT = exact.FLOAT64._replace(eps=sympy.Integer(0))


def symbols_with(witness):
    """Return a library of symbols, in which each choice falls as it does for some numbers."""

    def where(condition, a, b):
        if condition in (True, False):
            return a if condition else b
        return a if bool(condition.subs(witness)) else b

    return Library(name="sympy", sqrt=root_of, where=where, constant=lambda v: v)


ROOT = sympy.Symbol("root", positive=True)


def root_of(expression):
    return sympy.sqrt(sympy.nsimplify(expression, rational=True))


def is_zero(expression):
    """Say whether an expression is 0, whatever the sign of its root."""
    expression = sympy.nsimplify(expression, rational=True)
    roots = [r for r in expression.atoms(sympy.Pow) if r.exp == sympy.Rational(1, 2)]
    (root,) = [r for r in roots if r.has(PLANE[0])] or [ROOT]
    numerator = sympy.numer(sympy.together(expression.subs(root, ROOT)))
    powers = sympy.Poly(numerator, ROOT).all_coeffs()[::-1]
    even_and_odd = (
        [
            c * (root.base if root is not ROOT else 1) ** (k // 2)
            for k, c in enumerate(powers)
            if k % 2 == odd
        ]
        for odd in (0, 1)
    )
    return all(sympy.expand(sympy.numer(sympy.together(sum(half)))) == 0 for half in even_and_odd)


def squared(vector):
    return sum(part * part for part in vector)


def difference(u, v):
    return [a - b for a, b in zip(u, v, strict=True)]


def solve(p, pole, side, witness, policy="clamp"):
    targets = Targets(p, R1, R2, sympy.Integer(side), pole)
    found, _ = answer.easy(symbols_with(witness), EXACT, targets, NAMED[policy])
    return found


@pytest.mark.parametrize("side", [1, -1])
def test_in_the_plane_both_bones_have_their_lengths(side):
    witness = {PLANE[0]: 3, PLANE[1]: 1, R1: 2, R2: 2}
    joint = solve(PLANE, (), side, witness).joint
    assert is_zero(squared(joint) - R1**2)
    assert is_zero(squared(difference(joint, PLANE)) - R2**2)


@pytest.mark.parametrize("side", slow(1, -1))
def test_in_space_both_bones_have_their_lengths(side):
    witness = dict(zip((*SPACE, *POLE), (3, 1, 1, 0, 1, 0), strict=True)) | {R1: 2, R2: 2}
    joint = solve(SPACE, POLE, side, witness).joint
    assert is_zero(squared(joint) - R1**2)
    assert is_zero(squared(difference(joint, SPACE)) - R2**2)


def test_in_space_the_joint_lies_in_the_plane_of_target_and_pole_on_the_side_of_the_pole():
    numbers = dict(zip((*SPACE, *POLE), (3, 1, 1, 0, 1, 0), strict=True)) | {R1: 2, R2: 2}
    joint = solve(SPACE, POLE, 1, numbers).joint
    normal = sympy.Matrix(SPACE).cross(sympy.Matrix(POLE))
    assert is_zero(normal.dot(sympy.Matrix(joint)))
    across = sympy.Matrix(joint) - sympy.Matrix(SPACE) * sympy.Rational(1, 2)
    assert across.dot(sympy.Matrix(POLE)).subs(numbers) > 0


def test_on_the_left_of_the_way_is_side_one():
    numbers = {PLANE[0]: 3, PLANE[1]: 1, R1: 2, R2: 2}
    x, y = solve(PLANE, (), 1, numbers).joint
    assert (PLANE[0] * y - PLANE[1] * x).subs(numbers) > 0


@pytest.mark.parametrize(
    ("numbers", "reach"),
    [
        ({PLANE[0]: 9, PLANE[1]: 1, R1: 2, R2: 3}, R1 + R2),
        ({PLANE[0]: 1, PLANE[1]: 1, R1: 2, R2: 7}, R2 - R1),
        ({PLANE[0]: 1, PLANE[1]: 1, R1: 7, R2: 2}, R1 - R2),
    ],
)
def test_out_of_reach_both_bones_have_their_lengths_and_point_at_the_target(numbers, reach):
    found = solve(PLANE, (), 1, numbers)
    assert is_zero(squared(found.joint) - R1**2)
    assert is_zero(squared(found.end) - reach**2)
    assert is_zero(squared(difference(found.joint, found.end)) - R2**2)
    assert is_zero(found.end[0] * PLANE[1] - found.end[1] * PLANE[0])


def test_stretch_puts_the_joint_on_the_foot_point_of_the_article():
    numbers = {PLANE[0]: 9, PLANE[1]: 1, R1: 2, R2: 3}
    joint = solve(PLANE, (), 1, numbers, "stretch").joint
    h = squared(PLANE)
    for part, p in zip(joint, PLANE, strict=True):
        assert is_zero(part - p * (h + R1**2 - R2**2) / (2 * h))


@pytest.mark.parametrize("side", [1, -1])
def test_limbs_of_any_size_have_their_lengths_too(side):
    """The general path: units (here the sizes themselves), and sums with threefold precision."""
    witness = {PLANE[0]: 3, PLANE[1]: 1, R1: 2, R2: 2}
    numbers = EXACT._replace(nudge=sympy.Integer(1), digits=sympy.Integer(1))
    targets = Targets(PLANE, R1, R2, float(side), ())
    joint = blocks.any(symbols_with(witness), numbers, targets, NAMED["clamp"]).joint
    assert is_zero(squared(joint) - R1**2)
    assert is_zero(squared(difference(joint, PLANE)) - R2**2)
