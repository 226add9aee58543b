"""Solve one block of targets of any size with any policy, a named one or an object."""

from typing import Any, NamedTuple

from twobone.core import answer, fitting
from twobone.core.answer import CLAMP, Answer, Targets
from twobone.core.exact import Flag, Real
from twobone.core.scaling import ScaledSolution


class Known(NamedTuple):
    """Intermediate results of `any`."""

    valid: Flag
    scaled: ScaledSolution
    fit: fitting.Fit | None  # before the policy; None for named policies


def any(xp: Any, t: Real, targets: Targets, policy: Any) -> Answer:
    """Solve any limb with any policy; invalid rows become NaN and INVALID."""
    return any_known(xp, t, targets, policy)[0]


def any_known(xp: Any, t: Real, targets: Targets, policy: Any) -> tuple[Answer, Known]:
    """Return the same as `any`, and what `slopes.py` needs to differentiate it."""
    found, sound, valid, scaled = answer.plain(xp, t, targets, CLAMP if policy.fits else policy)
    fit = None
    if policy.fits:
        fit = fitting.fit_target(xp, t, scaled)
        found = answer.fitted(xp, t, scaled, policy.fit(xp, fit), sound.p, found)
    return answer.marked(xp, valid, found), Known(valid, scaled, fit)
