"""Where joints of a limb get to their limits, as functions of the angle of a joint that is given.

Seven joints of which one is given, and one is at a limit: five angles remain, as many as a general
chain of six joints has besides the given one. So at most 16 poses of the limb, in all branches, are
at that limit (Raghavan and Roth, "Inverse kinematics of the general 6R manipulator and related
linkages", Journal of Mechanical Design 115, 1993), and they are the roots of a trigonometric
polynomial of degree 8 in the given angle.

Its values need no elimination. The first three angles of the other six joints follow from two
square roots, whose signs are those of the branches, and "the joint is at its limit" is an equation
`f = 0` between their sines and cosines. The product of `f` over all signs of the roots has no roots
in it any more, also where these are imaginary; and times what sines and cosines are divided by, it
is the polynomial. For the three joints whose axes meet its degree is 8, for the others it is 4 or
less, as for the radicands of the square roots. That nothing is left of higher degrees is not proven
here but measured, for each class of limbs (`test_limits_are_polynomials_of_known_degrees`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core.formula import dot
from twobone.core.vectors import minus, plus
from twobone.robots import redundant, straight
from twobone.robots.pose_branches import Pose, Sphere, product, seen_from, total_dot
from twobone.robots.redundant import is_narrow
from twobone.robots.roots import Values
from twobone.robots.structure import CROSSED, LATE, LEG
from twobone.robots.subproblems import in_plane, rotated_by, transposed, turned_by

DEGREES = 4, 8  # of the polynomials of the first and of the last three joints
NOISE = 2.0**-48  # by how much rounding may change sines, cosines and components of vectors
SIGNS = tuple(np.array([1.0, -1.0]).reshape(shape) for shape in ((2, 1, 1, 1), (1, 2, 1, 1)))


class Turn(NamedTuple):
    """The angle of a joint, for each sign of the square roots."""

    cos: Any
    sin: Any
    under: Any = None  # by what both have been divided: the square of a distance from an axis


class Branch(NamedTuple):
    """The first three joints of a limb."""

    axes: Any
    turns: tuple[Turn, ...]
    alone: tuple  # the radicand that depends on no other root, and the size of its terms
    other: tuple


def knows(limb) -> bool:
    """Return whether the polynomials of a limb are known, and not those of one that is near it."""
    return isinstance(limb.six.solver, Sphere) and limb.six.steps >= 0


class Limits:
    """The polynomials of one limb, as straight-line code.

    `reaches_all` is whether the joints whose axes meet have angles for every rotation.
    """

    def __init__(self, limb):
        self.limb = limb
        numbers = limb.six.view.numbers
        self.ranges = [limb.six.ranges[number] for number in numbers]
        ball, axes = limb.six.solver.ball, limb.six.view.axes[3:]
        self.reaches_all = ball.pair.cos == 0.0 and dot(*axes[1:]) == 0.0
        tails = {"position": 3, "rotation": 9, "given": 1, "shoulder": 1, "elbow": 1, "zero": 1}
        self._codes = [
            straight.compiled(formula, tails, True) for formula in (self._first, self._last)
        ]

    def evaluate(self, which, position, rotation):
        """Return the function that `roots_in` takes: of the first three joints, or of the last."""

        def values(rows, angles):
            parts = *position[rows].T[..., None], *rotation[rows].reshape(-1, 9).T[..., None]
            with np.errstate(all="ignore"):
                found = self._codes[which](*parts, angles, *SIGNS, np.zeros(1, complex))
                fours = zip(*[iter(found)] * 4, strict=True)
                every = [_without_roots(self.limb.size, *each) for each in fours]
            shape = *angles.shape, len(every)
            whole = Values(np.empty(shape), np.empty(shape))
            for i, each in enumerate(every):
                for part, one in zip(whole, each, strict=True):
                    part[..., i] = one
            return whole

        return values

    def _first(self, xp, t, *, position, rotation, given, **signs):
        """Return the functions of the first three joints: value, divisors and the size of terms."""
        branch, _ = self._branch(xp, position, rotation, given, **signs)
        found = [(value, 1.0, 1.0, size) for value, size in (branch.alone, branch.other)]
        for turn, limits in zip(branch.turns, self.ranges, strict=False):
            for limit in limits if is_narrow(*limits) else ():
                sine = turn.sin * math.cos(limit) - turn.cos * math.sin(limit)
                found.append((sine, 1.0 if turn.under is None else turn.under, 1.0, 1.0))
        return tuple(found)

    def _last(self, xp, t, *, position, rotation, given, **signs):
        """Return the functions of the joints whose axes meet.

        `u . K v` for the rotation `K` of these joints is a constant at each limit: see
        `redundant.equations`. One of the vectors is always the first or the last of the axes.
        """
        branch, seen = self._branch(xp, position, rotation, given, **signs)
        axes = self.limb.six.view.axes[3:]
        a, _, c = axes
        out, back = a, rotated_by(seen.rotation, c)
        for axis, turn in zip(branch.axes[::-1], branch.turns[::-1], strict=True):
            out = turned_by(axis, turn.cos, turn.sin, out)
        for axis, turn in zip(branch.axes, branch.turns, strict=True):
            back = turned_by(axis, turn.cos, -turn.sin, back)
        out = rotated_by(transposed(seen.rotation), out)
        unders = [turn.under for turn in branch.turns if turn.under is not None]
        found = []
        for u, v, wanted in redundant.equations(self.limb.six.solver.ball, axes, self.ranges[3:]):
            if wanted is not None:
                found.append((dot(u, back) if v == c else dot(out, v)) - wanted)
        return tuple((value, *unders, 1.0) for value in found)

    def _branch(self, xp, position, rotation, given, shoulder, elbow, zero):
        solver, view = self.limb.six.solver, self.limb.six.view
        pose = Pose(position, (rotation[:3], rotation[3:6], rotation[6:]))
        seen = seen_from(view, redundant.without_given(xp, self.limb, pose, given))
        there = minus(seen.position, rotated_by(seen.rotation, minus(view.tip, solver.wrist)))

        def root(radicand):
            return xp.sqrt(radicand + zero)

        solve = {LEG: _leg, CROSSED: _crossed, LATE: _late}[solver.kind]
        return solve(root, solver, there, shoulder, elbow), seen


def _without_roots(size, value, one, two, terms):
    """Return the product of a function over the signs of roots, as a polynomial, and its noise."""
    value = _with_axes(value)
    noise = NOISE * np.abs(terms)
    for under in (one, two):
        if np.ndim(under):
            noise = noise + NOISE * size / np.sqrt(np.abs(under))
    factors = value.reshape(-1, *value.shape[2:])
    noises = np.broadcast_to(noise, value.shape).reshape(factors.shape)
    product, lost = factors[0], noises[0]
    for factor, each in zip(factors[1:], noises[1:], strict=True):
        lost = lost * np.abs(factor) + each * (np.abs(product) + lost)
        product = product * factor
    for under in (one, two):
        weight = _weight(under, len(factors))
        product, lost = product * weight, lost * np.abs(weight)
    fine = np.isfinite(product)
    return np.where(fine, product.real, 0.0), np.where(fine, lost, math.inf)


def _weight(under, count):
    """Return what a product of so many factors must be multiplied with to be a polynomial."""
    under = _with_axes(under)
    each = under.shape[0] * under.shape[1]
    product = under.prod(axis=(0, 1))
    return product ** (count // 2) if each == 1 else product


def _with_axes(value):
    """Return an array with axes for both signs."""
    value = np.asarray(value)
    return value.reshape((1,) * (4 - value.ndim) + value.shape)


# --- the first three joints ---------------------------------------------------------------


def _leg(root, s, there, shoulder, elbow):
    """As `pose_branches._as_leg`."""
    g, r1, r2 = s.leg.geometry, s.leg.r1, s.leg.r2
    b, c, a = (dot(axis, there) - shift for axis, shift in zip(g.frame, g.shift, strict=True))
    radius = b * b + c * c
    alone = radius - g.offset * g.offset
    out = shoulder * root(alone)
    first = _turn((g.offset, out), (b, c), radius)
    p = out - g.hip, a
    square = p[0] * p[0] + p[1] * p[1]
    joint, other = _triangle(root, p, square, r1, r2 * r2, elbow)
    one, two = _turn(g.upper, joint, r1 * r1), _turn(g.lower, minus(p, joint), r2 * r2)
    knee = product(two, (one[0], -one[1]))
    turns = (
        Turn(*first, radius),
        Turn(one[0], g.signs[0] * one[1], square),
        Turn(knee[0], g.signs[1] * knee[1]),
    )
    axes = [joint.axis for joint in g.chain.joints]
    return Branch(axes, turns, (alone, radius + g.offset**2), other)


def _crossed(root, s, there, shoulder, elbow):
    """As `pose_branches._crossed`."""
    bones, axis = s.bones, s.bones.basis.axis
    (a, b), (c, d) = bones.upper, bones.lower
    w = minus(there, s.start)
    # The dot product of both bones in their plane, and the cross product.
    along = 0.5 * (dot(w, w) - bones.aside**2 - bones.r1**2 - bones.r2**2)
    square = (bones.r1 * bones.r2) ** 2
    radicand = square - along * along
    third = _turn((a * c + b * d, a * d - b * c), (along, elbow * root(radicand)), square)
    m = plus(bones.start, turned_by(axis, *third, bones.end))
    first, second, other = _two_turns(root, s.pair, m, w, shoulder)
    axes = s.pair.a, s.pair.b, axis
    return Branch(axes, (first, second, Turn(*third)), (radicand, square + along * along), other)


def _late(root, s, there, shoulder, elbow):
    """As `pose_branches._late`."""
    bones, axis = s.bones, s.bones.basis.axis
    w = minus(there, s.start)
    across, out = in_plane(bones.basis, w), in_plane(bones.basis, bones.start)
    along = dot(axis, w) - total_dot(axis, bones.start)
    radius = dot(across, across)
    square = total_dot(bones.end, bones.end) - along * along
    r1 = math.hypot(*out)
    joint, alone = _triangle(root, across, radius, r1, square, elbow)
    first = _turn(out, joint, r1 * r1)
    m = minus(turned_by(axis, first[0], -first[1], w), bones.start)
    second, third, other = _two_turns(root, s.pair, bones.end, m, shoulder)
    axes = axis, s.pair.a, s.pair.b
    return Branch(axes, (Turn(*first, radius), second, third._replace(under=None)), alone, other)


def _triangle(root, p, square, r1, other, side):
    """Return the joint between two bones, and the radicand with the size of its terms.

    `square` and `other` are those of the distance to the target, and of the second bone.
    """
    along = 0.5 * (square + r1 * r1 - other)
    radicand = square * (r1 * r1) - along * along
    across = side * root(radicand)
    joint = (along * p[0] - across * p[1]) / square, (along * p[1] + across * p[0]) / square
    return joint, (radicand, square * (r1 * r1) + along * along)


def _two_turns(root, pair, m, w, sign):
    """As `subproblems.two_turns`: both turns, and the radicand with the size of its terms."""
    a, b, k, s, at_a, at_b = pair
    along_a, along_b = dot(a, w), dot(b, m)
    flat_w, flat_m = in_plane(at_a, w), in_plane(at_b, m)
    radius, other = dot(flat_w, flat_w), dot(flat_m, flat_m)
    aside = (along_b - k * along_a) / s
    radicand = radius - aside * aside
    between = (along_a - k * along_b) / s, sign * root(radicand)
    second = _turn(flat_m, between, other)
    first = _turn(in_plane(at_a, turned_by(b, *second, m)), flat_w, radius)
    return Turn(*first, radius), Turn(*second, other), (radicand, radius + aside * aside)


def _turn(u, v, square):
    """Return cosine and sine of the angle between two vectors of a plane whose lengths are equal.

    `square` is that of the length.
    """
    return (u[0] * v[0] + u[1] * v[1]) / square, (u[0] * v[1] - u[1] * v[0]) / square
