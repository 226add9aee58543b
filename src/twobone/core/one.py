"""Solve one limb of floats with the policy "clamp".

`solve_xyz` is printed from here: the page and C++ have no arrays, so `if` asks a truth value.
"""

from typing import Any

from twobone.core import answer
from twobone.core.answer import CLAMP, Parts, Targets
from twobone.core.exact import Real


def joint(xp: Any, t: Real, targets: Targets) -> Parts:
    """Return the components of the joint."""
    if answer.is_easy(xp, t, targets):
        found, is_along = answer.easy(xp, t, targets, CLAMP)
        if not is_along:
            return found.joint
    any_limb = answer.plain(xp, t, targets, CLAMP)
    return answer.marked(xp, any_limb.valid, any_limb.answer).joint


def joint_xyz(
    xp: Any,
    t: Real,
    px: float,
    py: float,
    pz: float,
    r1: float,
    r2: float,
    nx: float,
    ny: float,
    nz: float,
    side: float,
) -> tuple[float, float, float]:
    """Return the joint of a limb in space, as `solve_xyz` does."""
    found = joint(xp, t, Targets((px, py, pz), r1, r2, side, (nx, ny, nz)))
    return found[0], found[1], found[2]
