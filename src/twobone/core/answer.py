"""Solve one block of targets with arrays of any library: the formula, then the policy.

`easy` solves ordinary limbs without scaling; `any` solves every limb. Both are accurate where
`is_easy` holds, but their last bits may differ. All engines therefore use `is_easy` to choose
between them row by row, which gives the same bits in all engines. float32 limbs that are not easy
but are easy as float64 (`exact.WIDE`) are solved so, and rounded. A status is a float here,
because not every library supports `where` with integers.
"""

from typing import NamedTuple

from twobone.core import fitting, formula, scaling
from twobone.core.exact import Array
from twobone.core.policies import NAMED, Status, keep_within

NAN = float("nan")
TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID = (float(status) for status in list(Status)[1:])


class Targets(NamedTuple):
    """Limbs to solve: vectors as tuples of components, and lengths; all arrays broadcast."""

    p: tuple
    r1: Array
    r2: Array
    side: Array
    pole: tuple  # () in the plane


class Known(NamedTuple):
    """Intermediate results of `any`."""

    valid: Array  # bool
    scaled: scaling.ScaledSolution
    fit: fitting.Fit | None  # before the policy; None for named policies


class Answer(NamedTuple):
    """The joint and the end, as arrays or as tuples of components, and the status."""

    joint: Array
    end: Array
    status: Array


def is_easy(xp, t, targets):
    """Return where `easy` is valid, except for a pole parallel to the target direction."""
    p, r1, r2, side, pole = targets
    if pole:
        return formula.is_easy_in_space(xp, t, p, r1, r2, side, pole)
    return formula.is_easy_in_plane(xp, t, p, r1, r2, side)


def easy(xp, t, targets, policy, find_gap=formula.gap):
    """Solve easy limbs with a named policy; `find_gap` is as in `formula.py`.

    Return also where the pole is parallel to the target direction: use `any` there.
    """
    p, r1, r2, side, pole = targets
    if pole:
        solution = formula.easy_limb_in_space(xp, t, p, r1, r2, side, pole, find_gap)
    else:
        solution = formula.easy_limb_in_plane(xp, t, p, r1, r2, side, find_gap)
    joint = formula.place(xp, t, solution, _along(xp, t, solution, policy))
    end = _end(xp, solution, p, 1.0, policy)
    return _signal(xp, Answer(joint, end, _status(xp, solution)), policy), solution.ambiguous


def any(xp, t, targets, policy):
    """Solve any limb with any policy; invalid rows become NaN and INVALID."""
    return any_known(xp, t, targets, policy)[0]


def any_known(xp, t, targets, policy):
    """Return the same as `any`, and what `slopes.py` needs to differentiate it."""
    valid = scaling.is_valid(xp, t, *targets)
    targets = only_valid(xp, valid, targets)
    scaled = scaling.any_limb(xp, t, *targets)
    fit = fitting.fit_target(xp, t, scaled) if policy.fits else None
    answer = _named(xp, t, scaled, targets.p, NAMED["clamp"] if policy.fits else policy)
    if policy.fits:
        answer = _fitted(xp, t, scaled, fit, targets.p, policy, answer)
    answer = Answer(
        tuple(xp.where(valid, part, NAN) for part in answer.joint),
        tuple(xp.where(valid, part, NAN) for part in answer.end),
        xp.where(valid, answer.status, INVALID),
    )
    return answer, Known(valid, scaled, fit)


def only_valid(xp, valid, targets):
    """Return the targets with 1 in place of all numbers of invalid rows."""
    p, r1, r2, side, pole = targets
    p, pole = (tuple(xp.where(valid, part, 1.0) for part in v) for v in (p, pole))
    r1, r2, side = (xp.where(valid, v, 1.0) for v in (r1, r2, side))
    return Targets(p, r1, r2, side, pole)


def _named(xp, t, scaled, p, policy):
    """Apply a named policy."""
    solution, units, _, outside, _ = scaled
    joint = formula.place(xp, t, solution, _along(xp, t, solution, policy))
    end = _end(xp, solution, p, units.longer, policy)
    if policy.gives:
        # Where the bones stretch, the unit of the first bone no longer applies.
        unit = xp.where(solution.triangle.inside, units.first, units.longer / units.thin)
        away = tuple(outside.along * part * units.target for part in solution.p)
        folded = _named(xp, t, scaled, p, NAMED["clamp"]).joint
        away = _choose(xp, units.at_root, folded, away)
        joint = _choose(xp, outside.there, away, tuple(part * unit for part in joint))
    else:
        joint = tuple(part * units.first for part in joint)
    return _signal(xp, Answer(joint, end, _status(xp, solution)), policy)


def _fitted(xp, t, scaled, fit, p, policy, plain):
    """Apply a policy object; `plain` is the answer where the policy leaves the end in place."""
    fit = keep_within(xp, policy.fit(xp, fit))
    joint, end = fitting.limb_at(xp, t, scaled, fit)
    end = _choose(xp, fit.met, p, end)
    d = fitting.end_distance(xp, fit)
    slack = 4.0 * t.eps * formula.greatest(xp, fit.inner, d)
    status = xp.where(fit.distance - d > slack, TOO_FAR, plain.status)
    status = xp.where(d - fit.distance > slack, TOO_NEAR, status)
    status = xp.where(d == d, status, INVALID)
    return Answer(
        _choose(xp, fit.moved, joint, plain.joint),
        _choose(xp, fit.moved, end, plain.end),
        xp.where(fit.moved, status, plain.status),
    )


def _along(xp, t, solution, policy):
    """Return `w`; without a triangle, the value with which the first bone keeps its length."""
    if policy.gives:
        return solution.triangle.w
    return _choose(
        xp, solution.triangle.inside, solution.triangle.w, formula.straight_along(solution)
    )


def _end(xp, solution, p, unit, policy):
    """Return the end of the second bone."""
    if policy.gives:
        return p
    triangle = solution.triangle
    along = triangle.edge * solution.root / triangle.h[0]
    return _choose(xp, triangle.met, p, tuple(along * part * unit for part in solution.p))


def _status(xp, solution):
    zero = solution.triangle.h[0] * 0.0
    status = xp.where(solution.ambiguous, zero + AMBIGUOUS, zero)
    status = xp.where(solution.triangle.too_near, TOO_NEAR, status)
    return xp.where(solution.triangle.too_far, TOO_FAR, status)


def _signal(xp, answer, policy):
    if not policy.signals:
        return answer
    missed = (answer.status == TOO_FAR) | (answer.status == TOO_NEAR)
    return Answer(
        tuple(xp.where(missed, NAN, part) for part in answer.joint),
        tuple(xp.where(missed, NAN, part) for part in answer.end),
        answer.status,
    )


def _choose(xp, condition, u, v):
    return tuple(xp.where(condition, a, b) for a, b in zip(u, v, strict=True))
