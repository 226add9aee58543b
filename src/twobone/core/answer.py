"""From targets to answers: the formula, then the policy, on one block of any library.

`easy` is the usual case without scaling; `any` is every case. Where `easy` says that it
holds the two agree to the last digits, and the engines choose row by row in the same way,
so that they give the same bits. A status is a float here: not every library can choose
between integers.
"""

from typing import NamedTuple

from twobone.core import fitting, formula, scaling
from twobone.core.exact import Array
from twobone.core.policies import NAMED, Status, keep_within

NAN = float("nan")
TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID = (float(status) for status in list(Status)[1:])


class Targets(NamedTuple):
    """Limbs to solve: parts of vectors and lengths, arrays that broadcast with each other."""

    p: tuple
    r1: Array
    r2: Array
    side: Array
    pole: tuple  # () in the plane


class Answer(NamedTuple):
    """Parts of the joint, parts of the end, and the status."""

    joint: Array
    end: Array
    status: Array


def is_easy(xp, t, targets):
    """Say where `easy` holds, but for a pole along the way to the target."""
    p, r1, r2, side, pole = targets
    if pole:
        return formula.is_easy_in_space(xp, t, p, r1, r2, side, pole)
    return formula.is_easy_in_plane(xp, t, p, r1, r2, side)


def easy(xp, t, targets, policy):
    """Answer where it is easy, by a named policy; say also where the pole lies along the way."""
    p, r1, r2, side, pole = targets
    if pole:
        limb = formula.easy_limb_in_space(xp, t, p, r1, r2, side, pole)
    else:
        limb = formula.easy_limb_in_plane(xp, t, p, r1, r2, side)
    joint = formula.place(xp, t, limb, _along(xp, t, limb, policy))
    end = _end(xp, limb, p, 1.0, policy)
    return _signal(xp, Answer(joint, end, _status(xp, limb)), policy), limb.ambiguous


def any(xp, t, targets, policy):
    """Answer every row, valid or not."""
    valid = scaling.is_valid(xp, t, *targets)
    p, pole = (tuple(xp.where(valid, part, 1.0) for part in v) for v in (targets.p, targets.pole))
    r1, r2, side = (xp.where(valid, v, 1.0) for v in (targets.r1, targets.r2, targets.side))
    limb, units, ring = scaling.any_limb(xp, t, p, r1, r2, side, pole)
    answer = _named(xp, t, limb, units, p, NAMED["clamp"] if policy.fits else policy)
    if policy.fits:
        answer = _fitted(xp, t, limb, units, ring, p, policy, answer)
    return Answer(
        tuple(xp.where(valid, part, NAN) for part in answer.joint),
        tuple(xp.where(valid, part, NAN) for part in answer.end),
        xp.where(valid, answer.status, INVALID),
    )


def _named(xp, t, limb, units, p, policy):
    """Answer as a named policy does."""
    joint = formula.place(xp, t, limb, _along(xp, t, limb, policy))
    end = _end(xp, limb, p, units.longer, policy)
    if policy.gives:
        # Where the bones give, the first one's own size no longer matters.
        unit = xp.where(limb.bend.inside, units.first, units.longer / units.thin)
        away = tuple(units.wild_along * part * units.target for part in limb.p)
        folded = _named(xp, t, limb, units, p, NAMED["clamp"]).joint
        away = _choose(xp, units.at_root, folded, away)
        joint = _choose(xp, units.wild, away, tuple(part * unit for part in joint))
    else:
        joint = tuple(part * units.first for part in joint)
    return _signal(xp, Answer(joint, end, _status(xp, limb)), policy)


def _fitted(xp, t, limb, units, ring, p, policy, plain):
    """Answer as a policy that fits does; `plain` is the answer where it moves nothing."""
    fit = fitting.fit_target(xp, t, limb, units, ring)
    fit = keep_within(xp, policy.fit(xp, fit))
    joint, end = fitting.limb_at(xp, t, limb, units, fit)
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


def _along(xp, t, limb, policy):
    """Return `w`, or where there is no triangle what keeps the first bone's length."""
    if policy.gives:
        return limb.bend.w
    return _choose(xp, limb.bend.inside, limb.bend.w, formula.straight_along(limb))


def _end(xp, limb, p, unit, policy):
    """Return where the second bone really ends."""
    if policy.gives:
        return p
    bend = limb.bend
    along = bend.edge * limb.root / bend.h[0]
    return _choose(xp, bend.met, p, tuple(along * part * unit for part in limb.p))


def _status(xp, limb):
    zero = limb.bend.h[0] * 0.0
    status = xp.where(limb.ambiguous, zero + AMBIGUOUS, zero)
    status = xp.where(limb.bend.too_near, TOO_NEAR, status)
    return xp.where(limb.bend.too_far, TOO_FAR, status)


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
