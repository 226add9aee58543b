"""Solutions within limits: of a leg the nearest to the target, of an arm that with clipped angles.

Where a branch is reached within limits, it is the solution, as without limits.
"""

from twobone.core import vectors
from twobone.robots import choice, closed_form, float_nearest, kinematics
from twobone.robots.choice import Chosen, Tried, apart, best_of, clipped, near_to, ranks
from twobone.robots.closed_form import INFINITE, TOO_FAR, TOO_NEAR, is_reached
from twobone.robots.nearest import nearest


def clamp(xp, t, limb, goal, near):
    """Return a solution within limits: the nearest of a leg, the best clipped branch of an arm.

    Where tips are equally near to the target up to rounding, angles decide: see `choice`.
    """
    branches = closed_form.branches(xp, t, limb, goal)
    tried = [_clipped(xp, t, limb, goal, each, near) for each in branches]
    if limb.boundary is not None:
        tried.append(_nearest(xp, t, limb, goal, branches, near))
    found = ranks(xp, t, limb.geometry, [each.rank for each in tried])
    tried = [each._replace(rank=rank) for each, rank in zip(tried, found, strict=True)]
    chosen = best_of(xp, t, tried)
    return chosen._replace(end=kinematics.forward(xp, limb.geometry.chain, chosen.angles))


def _clipped(xp, t, limb, goal, each, near):
    """Return a branch with clipped angles, and by how much it misses as its rank.

    That is negative where the branch is reached within limits, and there is no other one of a leg
    with square axes.
    """
    found = clipped(xp, limb, near_to(xp, t, limb, each.angles, near))
    status, missed = each.status, 0.0 * each.status + INFINITE
    if limb.boundary is None or limb.corrects:
        status, missed = _met(xp, t, limb, goal.target, found, each.status)
    missed = xp.where(is_reached(each.status) & each.within, -limb.geometry.length, missed)
    return Tried(Chosen(found, (), status, each.within), missed, apart(found, near))


def _nearest(xp, t, limb, goal, branches, near):
    """Return the nearest pose of a leg."""
    valid = closed_form.is_valid(xp, goal)
    target = closed_form.made_sound(xp, goal, valid).target
    if xp.name == "float":
        _, found, within = float_nearest.nearest(t, limb, target, near)
    else:
        found, within = nearest(xp, t, limb, target, near)
    free = best_of(xp, t, [choice.tried(xp, t, limb, each, near) for each in branches]).status
    status, missed = _met(xp, t, limb, target, found, free)
    missed = xp.where(valid, missed, INFINITE)
    return Tried(Chosen(found, (), status, within), missed, apart(found, near))


def _met(xp, t, limb, target, found, free):
    """Return the status of angles within limits, given that without, and by how much they miss."""
    chain = limb.geometry.chain
    end = kinematics.forward(xp, chain, found)
    missed = vectors.length(xp, vectors.minus(end, target))
    hip = kinematics.hip(xp, chain, limb.geometry.yaw, found)
    reach, wanted = (vectors.minus(v, hip) for v in (end, target))
    far = closed_form.is_short(
        t, limb.geometry, vectors.length(xp, reach), vectors.length(xp, wanted)
    )
    beyond = is_reached(free) & (missed > closed_form.tolerance(t, limb.geometry))
    return xp.where(beyond, xp.where(far, TOO_FAR, 0.0 * missed + TOO_NEAR), free), missed
