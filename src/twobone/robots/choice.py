"""The choice of a branch: the reached one within limits that is nearest to given angles."""

from typing import Any, NamedTuple

from twobone.core import formula, vectors
from twobone.robots import closed_form, kinematics
from twobone.robots.closed_form import FINE, INFINITE
from twobone.rotations import angles

ALIKE = 2.0**-24  # relative difference up to which squares of distances of angles are equal


class Chosen(NamedTuple):
    """The best of several solutions."""

    angles: tuple
    end: tuple
    status: Any
    within: Any


class Tried(NamedTuple):
    """A solution, and what decides whether it is the best."""

    chosen: Chosen
    rank: Any  # the least is the best;
    apart: Any  # of equal ones that with the least sum of squares of differences from given angles


def choose(xp, t, limb, goal, near, clips=False):
    """Return the reached branch within limits that is nearest to given angles.

    If there is none, a reached one is better than one within limits. With `clips`, angles that are
    beyond limits, be it by rounding, are clipped.
    """
    found = [tried(xp, t, limb, each, near) for each in closed_form.branches(xp, t, limb, goal)]
    # In a chain of comparisons, XLA would compute the angles anew for each.
    joins = xp.name == "jax"
    best = best_on_axis(xp, t, _joined(xp, found)) if joins else best_of(xp, t, found)
    found = clipped(xp, limb, best.angles) if clips else best.angles
    return best._replace(angles=found, end=kinematics.forward(xp, limb.geometry.chain, found))


def tried(xp, t, limb, each, near):
    """Return a branch with what decides whether it is the best."""
    found = near_to(xp, t, limb, each.angles, near)
    zero = 0.0 * each.status
    rank = xp.where(closed_form.is_reached(each.status), zero, 2.0)
    rank = rank + xp.where(each.within, zero, 1.0)
    return Tried(Chosen(found, (), each.status, each.within), rank, apart(found, near))


def apart(found, near):
    """Return the sum of the squares of the differences of angles."""
    return formula.dot(*[vectors.minus(found, near)] * 2)


def is_nearer(t, apart, other):
    """Return whether one sum of squares is less than another by more than rounding.

    The first of equally near solutions is taken, so one target and the same target in an array
    have one answer, though the last bits of their angles differ. For numbers and arrays.
    """
    return (1.0 + max(ALIKE, 64.0 * t.eps)) * apart < other


def ranks(xp, t, geometry, misses):
    """Return the rank of each solution: 0 if its tip is nearest to the target up to rounding.

    `misses` are distances from the target. For numbers and arrays.
    """
    least = misses[0]
    for missed in misses[1:]:
        least = xp.where(missed < least, missed, least)
    most = least + closed_form.tie(t, geometry, least)
    return [xp.where(missed <= most, 0.0 * most, 1.0) for missed in misses]


def best_of(xp, t, tried):
    """Return the best of several solutions, of equal ones the first."""
    best, *others = tried
    for each in others:
        better = each.rank < best.rank
        better = better | ((each.rank == best.rank) & is_nearer(t, each.apart, best.apart))
        one, two = each.chosen, best.chosen
        best = Tried(
            Chosen(
                vectors.choose(xp, better, one.angles, two.angles),
                vectors.choose(xp, better, one.end, two.end),
                xp.where(better, one.status, two.status),
                xp.where(better, one.within, two.within),
            ),
            xp.where(better, each.rank, best.rank),
            xp.where(better, each.apart, best.apart),
        )
    return best.chosen


def best_on_axis(xp, t, tried):
    """Return the best of the solutions along the first axis of arrays, of equal ones the first.

    Ranks must be whole numbers: others XLA may compute twice, with different last bits.
    """
    chosen, rank, apart = tried
    rank, apart = xp.constant(rank), xp.constant(apart)
    best = rank == xp.xp.min(rank, axis=0)
    least = xp.xp.min(xp.where(best, apart, INFINITE), axis=0)
    best = xp.xp.astype(best & ~is_nearer(t, least, apart), apart.dtype)
    index = xp.xp.astype(xp.xp.argmax(best, axis=0), apart.dtype)
    picked = column(xp, 0.0 * rank[0, ...], range(rank.shape[0])) == index

    def pick(part):
        return xp.xp.sum(xp.where(picked, part, 0.0), axis=0)

    within = xp.xp.any(picked & chosen.within, axis=0)
    return Chosen(tuple(map(pick, chosen.angles)), (), pick(chosen.status), within)


def _joined(xp, tried):
    """Return solutions one after the other on a new first axis."""
    shape = (tried[0].rank + tried[0].apart).shape

    def join(parts):
        return xp.xp.stack([xp.xp.broadcast_to(part, shape) for part in parts])

    chosen, ranks, aparts = zip(*tried, strict=True)
    angles, _, statuses, within = zip(*chosen, strict=True)
    angles = tuple(map(join, zip(*angles, strict=True)))
    return Tried(Chosen(angles, (), join(statuses), join(within)), join(ranks), join(aparts))


def column(xp, zero, numbers):
    """Return numbers one after the other on a new first axis; `zero` has the shape of the rest."""
    return xp.xp.stack([zero + float(number) for number in numbers])


def clipped(xp, limb, found):
    """Return angles within their limits."""
    return tuple(
        xp.where(angle < low, low, xp.where(angle > high, high, angle))
        for angle, (low, high) in zip(found, limb.ranges, strict=True)
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
