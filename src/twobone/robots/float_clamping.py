"""Solutions within limits, one target in Python floats: `clamping`, written out."""

from math import dist

from twobone.core.arrays import FINITE_FLOATS
from twobone.core.exact import FLOAT64
from twobone.robots import choice, closed_form, float_nearest, floats, kinematics
from twobone.robots.choice import Chosen, Tried
from twobone.robots.closed_form import REACHED, TOO_FAR, TOO_NEAR
from twobone.robots.float_corrections import carried


def clamp(problem, shared, goal, near):
    """Return the solution that `clamping.clamp` returns."""
    free = floats.choose(problem, shared, goal, near)
    if free.within and free.status in REACHED:
        return _clipped(problem, shared, free)
    tried = []
    if problem.boundary is None or shared.skewed:
        found, seen = floats.find(problem, shared, goal)
        for branch, signs in zip(found, problem.signs, strict=True):
            angles, status, within = floats.finished(problem, shared, seen, branch, signs)
            if problem.wide:
                angles = choice.near_to(FINITE_FLOATS, FLOAT64, problem, angles, near)
            tried.append(_clipped(problem, shared, Chosen(angles, (), status, within)))
    if problem.boundary is not None:
        pose = float_nearest.nearest(FLOAT64, problem, goal.target, near)
        end = carried(shared.chain, pose.angles, shared.end)
        tried.append(Chosen(pose.angles, end, free.status, pose.within))
    best = tried[0] if len(tried) == 1 else _best(problem, goal, near, tried)
    return best._replace(status=_status(problem, shared, goal, best))


def _best(problem, goal, near, tried):
    """Return the best of several solutions, by the rules that arrays have."""
    misses = [dist(each.end, goal.target) for each in tried]
    ranks = choice.ranks(FINITE_FLOATS, FLOAT64, problem.geometry, misses)
    every = [
        Tried(each, rank, choice.apart(each.angles, near))
        for each, rank in zip(tried, ranks, strict=True)
    ]
    return choice.best_of(FINITE_FLOATS, FLOAT64, every)


def _clipped(problem, shared, found):
    """Return a solution with angles within their limits, and its end."""
    angles = tuple(
        min(max(angle, low), high)
        for angle, (low, high) in zip(found.angles, problem.ranges, strict=True)
    )
    if angles == found.angles and found.end:
        return found
    return found._replace(angles=angles, end=carried(shared.chain, angles, shared.end))


def _status(problem, shared, goal, found):
    """Return the status within limits, given that without them."""
    if found.status not in REACHED or dist(found.end, goal.target) <= shared.tolerance:
        return found.status
    hip = kinematics.hip(FINITE_FLOATS, problem.geometry.chain, shared.yaw, found.angles)
    reach, wanted = dist(found.end, hip), dist(goal.target, hip)
    short = closed_form.is_short(FLOAT64, problem.geometry, reach, wanted)
    return TOO_FAR if short else TOO_NEAR
