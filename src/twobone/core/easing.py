"""The formulas of the policies: each maps a `Fit`, which holds the distance of the end, to another.

The code is pure, as in `formula.py`. What a policy is called, and which parameters it takes, is in
`policies.py`.
"""

from typing import Any, NamedTuple

from twobone.core import fitting, formula
from twobone.core.exact import Array, Flag, Real
from twobone.core.fitting import Fit
from twobone.core.scaling import ReachableRange


class Named(NamedTuple):
    """A policy that is chosen by a string; implemented in `answer.py`."""

    word: str
    gives: bool = False  # the bones change length: joint at the foot point, end at the target
    signals: bool = False  # NaN where the target is not reached
    raises: bool = False
    fits: bool = False  # a policy object, with a method `fit`
    per_row: bool = False  # some parameters are arrays

    def __repr__(self) -> str:
        return repr(self.word)


class HalfAngle(NamedTuple):
    """Squared sine and cosine of half a joint angle."""

    sin2: Array
    cos2: Array


def keep_within(xp: Any, fit: Fit) -> Fit:
    """Clamp the end to the reachable range."""
    over = fit.far < 0.0
    under = fit.near < 0.0
    return fit._replace(
        far=xp.where(over, 0.0, xp.where(under, fit.width, fit.far)),
        near=xp.where(over, fit.width, xp.where(under, 0.0, fit.near)),
        moved=fit.moved | over | under,
    )


def soft(xp: Any, fit: Fit, softness: Array) -> Fit:
    """Approach the edges of the reachable range smoothly."""
    half = 0.5 * fit.width
    far, slow = ease(xp, fit, fit.far, formula.least(xp, softness * fit.outer, half))
    near, fast = ease(xp, fit, fit.near, formula.least(xp, softness * fit.inner, half))
    return fit._replace(
        far=xp.where(fast, fit.width - near, far),
        near=xp.where(slow, fit.width - far, near),
        moved=fit.moved | slow | fast,
    )


def ease(xp: Any, fit: Fit, left: Array, zone: Array) -> tuple[Array, Flag]:
    """Return the difference to an edge after easing, and where easing changed it."""
    eased = (left < zone) & (zone > 0.0)
    inside = xp.where(eased, left + zone, 0.0)
    inside = xp.where(inside > 0.0, inside, 0.0) / fit.fine  # gradients square the zone
    curve = inside * inside / (4.0 * xp.where(zone > 0.0, zone / fit.fine, 1.0)) * fit.fine
    return xp.where(eased, curve, left), eased


def stretch(xp: Any, t: Real, fit: Fit, limit: Array, farthest: Array) -> Fit:
    """Stretch both bones in proportion to reach a far target, up to a limit, then clamp.

    A distance capped at `fitting.farthest` exceeds any finite limit: `farthest` is that distance,
    or infinite where there is no limit.
    """
    fit = keep_within(xp, fit)
    d = fitting.end_distance(xp, fit)
    # An end at the root stays there.
    short = fit.moved & (d < fit.distance) & (d > t.near)
    factor = xp.where(short, fit.distance, 1.0) / xp.where(short, d, 1.0)
    met = short & (factor <= limit) & (fit.distance < farthest)
    return fit._replace(stretch=xp.where(short & ~met, limit, fit.stretch), met=met)


def narrow(xp: Any, fit: Fit, least: HalfAngle, greatest: HalfAngle) -> Fit:
    """Keep the joint angle between two angles, by narrowing the reachable range."""
    reachable = fit.reachable
    four = 4.0 * reachable.r1 * reachable.r2
    # An earlier policy may have narrowed the range already: the narrower edges apply.
    outer_rest = formula.greatest(xp, four * greatest.cos2, fit.outer_rest)
    outer_over = formula.least(xp, four * greatest.sin2, fit.outer_over)
    inner_rest = formula.greatest(xp, four * least.sin2, fit.inner_rest)
    inner_under = formula.least(xp, four * least.cos2, fit.inner_under)
    lower = (outer_rest > fit.outer_rest) | (outer_over < fit.outer_over)
    higher = (inner_rest > fit.inner_rest) | (inner_under < fit.inner_under)
    outer = xp.where(lower, edge(xp, reachable, outer_over, outer_rest), fit.outer)
    inner = xp.where(higher, edge(xp, reachable, inner_rest, inner_under), fit.inner)
    # The edges move by a difference of squares over a sum, from the smaller squares of the two
    # representations: no cancellation.
    hardly_opens, hardly_closes = outer_over < outer_rest, inner_under < inner_rest
    less = xp.where(hardly_opens, fit.outer_over - outer_over, outer_rest - fit.outer_rest)
    more = xp.where(hardly_closes, fit.inner_under - inner_under, inner_rest - fit.inner_rest)
    less = less / positive(xp, fit.outer + outer)
    more = more / positive(xp, fit.inner + inner)
    square = xp.where(hardly_opens, outer_over - inner_rest, inner_under - outer_rest)
    width = formula.greatest(xp, square, 0.0) / positive(xp, outer + inner)
    width = xp.where(lower | higher, width, fit.width)
    # The difference to the nearer edge is the more accurate one; the other follows from it.
    low = fit.near < fit.far
    far, near = fit.far - less, fit.near - more
    return fit._replace(
        far=xp.where(low, width - near, far),
        near=xp.where(low, near, width - far),
        outer=outer,
        inner=inner,
        width=width,
        outer_rest=outer_rest,
        outer_over=outer_over,
        inner_rest=inner_rest,
        inner_under=inner_under,
    )


def edge(xp: Any, reachable: ReachableRange, over: Array, under: Array) -> Array:
    """Return an edge: its square is minimum reach^2 + over, and maximum reach^2 - under."""
    inner, outer = reachable.inner[0], reachable.outer[0]
    square = xp.where(over < under, inner * inner + over, outer * outer - under)
    return xp.where(square > 0.0, xp.sqrt(positive(xp, square)), 0.0)


def positive(xp: Any, v: Array) -> Array:
    """Return `v`, or 1 where it is not positive, for use under a root or as a divisor."""
    return xp.where(v > 0.0, v, 1.0)
