"""Solve one block of targets with arrays of any library, and apply a policy.

`easy` solves ordinary limbs without scaling; `plain` solves every limb, and `fitted` moves the end
to the distance that a policy object chose (`blocks.any` does both). They are accurate where
`is_easy` holds, but their last bits may differ. All engines therefore use `is_easy` to choose
between them row by row, which gives the same bits in all engines. float32 limbs that are not easy
but are easy as float64 (`exact.WIDE`) are solved so, and rounded. A status is a float here,
because not every library supports `where` with integers. The code is pure, as in `formula.py`.
"""

from typing import Any, NamedTuple, TypeAlias

from twobone.core import fitting, formula, scaling
from twobone.core.easing import Named, keep_within
from twobone.core.exact import Array, Flag, Real, Vector
from twobone.core.fitting import Fit
from twobone.core.formula import FindGap, Solution
from twobone.core.scaling import ScaledSolution

NAN = float("nan")
REACHED, TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID = 0.0, 1.0, 2.0, 3.0, 4.0  # as in `Status`
CLAMP = Named("clamp")
Parts: TypeAlias = Any  # the components of a vector, or in Python an array of vectors


class Targets(NamedTuple):
    """Limbs to solve: vectors as tuples of components, and lengths; all arrays broadcast."""

    p: Vector
    r1: Array
    r2: Array
    side: Array
    pole: Vector  # () in the plane


class Answer(NamedTuple):
    """The joint, the end and the status."""

    joint: Parts
    end: Parts
    status: Array


class Plain(NamedTuple):
    """The answer of a named policy, and what a policy object needs."""

    answer: Answer
    targets: Targets  # 1 in place of all numbers of invalid rows
    valid: Flag
    scaled: ScaledSolution


def is_easy(xp: Any, t: Real, targets: Targets) -> Flag:
    """Return where `easy` is valid, except for a pole parallel to the target direction."""
    p, r1, r2, side, pole = targets
    if pole:
        return formula.is_easy_in_space(xp, t, p, r1, r2, side, pole)
    return formula.is_easy_in_plane(xp, t, p, r1, r2, side)


def easy(
    xp: Any, t: Real, targets: Targets, policy: Named, find_gap: FindGap = formula.gap
) -> tuple[Answer, Flag]:
    """Solve easy limbs with a named policy; `find_gap` is as in `formula.py`.

    Return also where the pole is parallel to the target direction: use `plain` there.
    """
    solution = easy_solution(xp, t, targets, find_gap)
    joint = formula.place(xp, t, solution, w_of(xp, solution, policy))
    end = end_of(xp, solution, targets.p, 1.0, policy)
    answer = Answer(joint, end, status_of(xp, solution))
    return signal(xp, answer, policy), solution.ambiguous


def easy_solution(xp: Any, t: Real, targets: Targets, find_gap: FindGap) -> Solution:
    """Solve easy limbs, before any policy."""
    p, r1, r2, side, pole = targets
    if pole:
        return formula.easy_limb_in_space(xp, t, p, r1, r2, side, pole, find_gap)
    return formula.easy_limb_in_plane(xp, t, p, r1, r2, side, find_gap)


def plain(xp: Any, t: Real, targets: Targets, policy: Named) -> Plain:
    """Solve any limb with a named policy."""
    p, r1, r2, side, pole = targets
    valid = scaling.is_valid(xp, t, p, r1, r2, side, pole)
    sound = only_valid(xp, valid, targets)
    scaled = scaling.any_limb(xp, t, sound.p, sound.r1, sound.r2, sound.side, sound.pole)
    return Plain(named(xp, t, scaled, sound.p, policy), sound, valid, scaled)


def only_valid(xp: Any, valid: Flag, targets: Targets) -> Targets:
    """Return the targets with 1 in place of all numbers of invalid rows."""
    return Targets(
        p=tuple(xp.where(valid, part, 1.0) for part in targets.p),
        r1=xp.where(valid, targets.r1, 1.0),
        r2=xp.where(valid, targets.r2, 1.0),
        side=xp.where(valid, targets.side, 1.0),
        pole=tuple(xp.where(valid, part, 1.0) for part in targets.pole),
    )


def marked(xp: Any, valid: Flag, answer: Answer) -> Answer:
    """Return an answer whose invalid rows are NaN and INVALID."""
    return Answer(
        tuple(xp.where(valid, part, NAN) for part in answer.joint),
        tuple(xp.where(valid, part, NAN) for part in answer.end),
        xp.where(valid, answer.status, INVALID),
    )


def named(xp: Any, t: Real, scaled: ScaledSolution, p: Vector, policy: Named) -> Answer:
    """Apply a named policy."""
    solution, units = scaled.solution, scaled.units
    joint = formula.place(xp, t, solution, w_of(xp, solution, policy))
    end = end_of(xp, solution, p, units.longer, policy)
    if policy.gives:
        # Where the bones stretch, the unit of the first bone no longer applies.
        unit = xp.where(solution.triangle.inside, units.first, units.longer / units.thin)
        outside = scaled.outside.along
        along = tuple(outside * part * units.target for part in solution.p)
        joint = choose(xp, scaled.outside.there, along, tuple(part * unit for part in joint))
        if not xp.none(units.at_root & scaled.outside.there):
            folded = named(xp, t, scaled, p, CLAMP).joint
            joint = choose(xp, units.at_root & scaled.outside.there, folded, joint)
    else:
        joint = tuple(part * units.first for part in joint)
    return signal(xp, Answer(joint, end, status_of(xp, solution)), policy)


def fitted(
    xp: Any, t: Real, scaled: ScaledSolution, chosen: Fit, p: Vector, plain: Answer
) -> Answer:
    """Apply a policy object: `chosen` is its `Fit`, `plain` the answer where it moves nothing."""
    fit = keep_within(xp, chosen)
    if xp.none(fit.moved):
        return plain
    joint, end = fitting.limb_at(xp, t, scaled, fit)
    d = fitting.end_distance(xp, fit)
    slack = 4.0 * t.eps * formula.greatest(xp, fit.inner, d)
    status = xp.where(fit.distance - d > slack, TOO_FAR, plain.status)
    status = xp.where(d - fit.distance > slack, TOO_NEAR, status)
    status = xp.where(d == d, status, INVALID)
    return Answer(
        choose(xp, fit.moved, joint, plain.joint),
        choose(xp, fit.moved, choose(xp, fit.met, p, end), plain.end),
        xp.where(fit.moved, status, plain.status),
    )


def w_of(xp: Any, solution: Solution, policy: Named) -> tuple[Array, Array]:
    """Return `w`; without a triangle, the value with which the first bone keeps its length."""
    triangle = solution.triangle
    if policy.gives:
        return triangle.w
    w, w_low = formula.straight_along(solution)
    return xp.where(triangle.inside, triangle.w[0], w), xp.where(
        triangle.inside, triangle.w[1], w_low
    )


def end_of(xp: Any, solution: Solution, p: Vector, unit: Array, policy: Named) -> Vector:
    """Return the end of the second bone."""
    if policy.gives:
        return p
    triangle = solution.triangle
    along = triangle.edge * solution.root / triangle.h[0]
    return choose(xp, triangle.met, p, tuple(along * part * unit for part in solution.p))


def status_of(xp: Any, solution: Solution) -> Array:
    """Return the status before a policy object."""
    reached = solution.triangle.h[0] * 0.0
    status = xp.where(solution.ambiguous, reached + AMBIGUOUS, reached)
    status = xp.where(solution.triangle.too_near, TOO_NEAR, status)
    return xp.where(solution.triangle.too_far, TOO_FAR, status)


def signal(xp: Any, answer: Answer, policy: Named) -> Answer:
    """Return NaN where the target is not reached, if the policy wants that."""
    if not policy.signals:
        return answer
    missed = (answer.status == TOO_FAR) | (answer.status == TOO_NEAR)
    return Answer(
        tuple(xp.where(missed, NAN, part) for part in answer.joint),
        tuple(xp.where(missed, NAN, part) for part in answer.end),
        answer.status,
    )


def choose(xp: Any, condition: Flag, u: Vector, v: Vector) -> Vector:
    """Return one vector where a condition holds, else another one."""
    return tuple(xp.where(condition, a, b) for a, b in zip(u, v, strict=True))
