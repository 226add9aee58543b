"""The choice of a branch: the reached one within limits that is nearest to given angles."""

from typing import Any, NamedTuple

from twobone.core import formula, vectors
from twobone.robots import closed_form, kinematics
from twobone.robots.closed_form import AMBIGUOUS, FINE
from twobone.rotations import angles


class Chosen(NamedTuple):
    """The best of several branches."""

    angles: tuple
    end: tuple
    status: Any
    within: Any


def choose(xp, t, limb, goal, near, clips=False):
    """Return the reached branch within limits that is nearest to given angles.

    If there is none, a reached one is better than one within limits. With `clips`, angles that are
    beyond limits, be it by rounding, are clipped.
    """
    tried = []
    for each in closed_form.branches(xp, t, limb, goal):
        found = near_to(xp, t, limb, each.angles, near)
        reached = (each.status == 0.0) | (each.status == AMBIGUOUS)
        zero = 0.0 * each.status
        rank = xp.where(reached, zero, 2.0) + xp.where(each.within, zero, 1.0)
        away = formula.dot(*[vectors.minus(found, near)] * 2)
        tried.append((Chosen(found, (), each.status, each.within), rank, away))
    best, *others = tried
    for each in others:
        best = _better(xp, each, best)
    found = clipped(xp, limb, best[0].angles) if clips else best[0].angles
    return best[0]._replace(angles=found, end=kinematics.forward(xp, limb.geometry.chain, found))


def clipped(xp, limb, found):
    """Return angles within their limits."""
    return tuple(
        xp.where(angle < low, low, xp.where(angle > high, high, angle))
        for angle, (low, high) in zip(found, limb.ranges, strict=True)
    )


def _better(xp, new, old):
    better = (new[1] < old[1]) | ((new[1] == old[1]) & (new[2] < old[2]))
    return (
        Chosen(
            vectors.choose(xp, better, new[0].angles, old[0].angles),
            (),
            xp.where(better, new[0].status, old[0].status),
            xp.where(better, new[0].within, old[0].within),
        ),
        xp.where(better, new[1], old[1]),
        xp.where(better, new[2], old[2]),
    )


def near_to(xp, t, limb, found, near):
    """Return angles with those whole turns, of all within limits, that are nearest to other angles.

    Angles of so many turns that rounding them would move the tip are not taken.
    """
    turned, most = [], max(FINE / t.eps, 16.0)
    for angle, wanted, (low, high) in zip(found, near, limb.ranges, strict=True):
        if high - low >= 2.0 * angles.PI:
            wanted = wanted + 0.0 * angle  # numbers of the rest pose become arrays
            sound = xp.where(formula.magnitude(xp, wanted) <= most, wanted, angle)  # not NaN
            # Within half a turn of these bounds, one angle is always within the limits.
            least, greatest = low + angles.PI, high - angles.PI
            sound = xp.where(sound < least, least, sound)
            sound = xp.where(sound > greatest, greatest, sound)
            other = angles.nearest_turn(xp, t, angle, 0.0, sound)
            angle = xp.where((other >= low) & (other <= high), other, angle)
        turned.append(angle)
    return tuple(turned)
