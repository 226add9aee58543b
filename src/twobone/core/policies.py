"""What became of a target (`Status`), and one small thing for each policy.


A policy is a pure function of distances. The named ones are plain words; the objects
(`Soft`, `Stretch`, `Limits`, your own) take and give a `Fit`: where along the way to the
target the end is put. They compose with `|`, from left to right.
"""

from __future__ import annotations

import math
import reprlib
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, SupportsInt, TypeAlias

from twobone.core import arrays, fitting, formula
from twobone.errors import ArrayTypeError, PolicyError, ShapeError


class Status(IntEnum):
    """What became of a target.

    `REACHED` means that the end is at the target and both bones have their own lengths, but
    for rounding (4 eps of the edge's radius). Whatever a policy does, a target for which that
    is not so is `TOO_FAR` or `TOO_NEAR`.

    Examples
    --------
    >>> import twobone
    >>> twobone.Status(twobone.reach([3.0, 0.0], 1.0, 1.0).status)
    <Status.TOO_FAR: 1>
    """

    if TYPE_CHECKING:  # whose own takes `int` alone; codes are numbers of NumPy, or of a tensor

        def __new__(cls, value: SupportsInt) -> Self: ...

    REACHED = 0
    TOO_FAR = 1
    TOO_NEAR = 2
    AMBIGUOUS = 3
    INVALID = 4


# --- named policies -----------------------------------------------------------------------


class Named(NamedTuple):
    """A policy that is a word; what the words mean is computed in `answer.py`."""

    word: str
    gives: bool = False  # the bones give: joint at the foot point, end on the target
    signals: bool = False  # NaN where the target is not reached
    raises: bool = False
    fits: bool = False

    def __repr__(self) -> str:
        return repr(self.word)


NAMED = {
    "clamp": Named("clamp"),
    "stretch": Named("stretch", gives=True),
    "nan": Named("nan", signals=True),
    "raise": Named("raise", raises=True),
}


# --- policies that fit --------------------------------------------------------------------


class Policy:
    """A way to treat what cannot be reached: base class of `Soft`, `Stretch`, `Limits` and yours.

    Write your own by giving `place`: a function of the distance of the target and the edges of
    the ring, all from the root, that says at which distance to put the end. What it returns is
    kept within the ring; NaN makes the row NaN and INVALID. Write it with `xp.where` and
    arithmetic, never `if`: it is given whole arrays of whichever library the target came from.

    Examples
    --------
    An arm that never uses the last tenth of its reach:

    >>> import twobone
    >>> class Lazy(twobone.Policy):
    ...     def place(self, xp: Any, distance: Any, inner: Any, outer: Any) -> Any:
    ...         return xp.where(distance > 0.9 * outer, 0.9 * outer, distance)
    >>> twobone.reach([5.0, 0.0], 1.0, 1.0, unreachable=Lazy()).end
    array([1.8, 0. ])

    One with a parameter. As a frozen dataclass it equals every other one with the same parameter,
    so `jax.jit` with a static policy traces once for all of them. Objects of other classes of
    yours equal only themselves.

    >>> import dataclasses
    >>> @dataclasses.dataclass(frozen=True)
    ... class Share(twobone.Policy):
    ...     share: float
    ...     def place(self, xp, distance, inner, outer):
    ...         return xp.where(distance > self.share * outer, self.share * outer, distance)
    >>> Share(0.5), Share(0.5) == Share(0.5)
    (Share(share=0.5), True)
    """

    fits = True
    raises = False
    signals = False

    def place(self, xp: Any, distance: Any, inner: Any, outer: Any) -> Any:
        """Return the distance from the root at which the end is put."""
        raise PolicyError(f"{type(self).__name__}: a policy must say `place` (or `fit`).")

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        """Return the `Fit` after this policy; `place` is the easy way to say so."""
        d = fitting.end_distance(xp, fit)
        came = d * fit.unit
        placed = self.place(xp, came, fit.inner * fit.unit, fit.outer * fit.unit)
        placed = _distances(self, placed, d)
        other = (placed < came) | (placed > came) | (placed != placed)
        placed = placed / fit.unit
        return fit._replace(
            far=xp.where(other, fit.outer - placed, fit.far),
            near=xp.where(other, placed - fit.inner, fit.near),
            moved=fit.moved | other,
        )

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        known = [f"{name}={value!r}" for name, value in vars(self).items() if name[0] != "_"]
        return f"{type(self).__name__}({', '.join(known)})"

    def __or__(self, other: Policy) -> Chain:
        if not isinstance(other, Policy):
            raise PolicyError(
                f"{self!r} joins with Soft(...), Stretch(...), Limits(...) or a Policy of your own,"
                f" got {_shown(other)}; a word stands alone."
            )
        return Chain(self, other)

    __ror__ = __or__  # of what is no policy: it raises


class _Value(Policy):
    """A policy that cannot be changed and equals others of its class with the same `_fields`.

    Objects of a derived class may have more than those fields, so they equal only themselves.
    """

    _fields: tuple[str, ...]  # by hand: importing `dataclasses` takes a ms

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse_change_of(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse_change_of(name)
        object.__delattr__(self, name)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not self._is_all_fields():
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        if not self._is_all_fields():
            return object.__hash__(self)
        return hash((type(self), *self._values()))

    def _refuse_change_of(self, name):
        if self._is_all_fields() or name in self._fields:
            raise AttributeError(f"`{name}`: {self!r} cannot be changed; make another one.")

    def _is_all_fields(self):
        return "_fields" in vars(type(self))

    def _values(self):
        return [getattr(self, name) for name in self._fields]


class Chain(_Value):
    """Several policies, one after the other; made by `|`."""

    policies: tuple[Policy, ...]
    _fields = ("policies",)

    def __init__(self, *policies: Policy) -> None:
        flat = [
            part
            for each in policies
            for part in (each.policies if isinstance(each, Chain) else (each,))
        ]
        for policy in flat[:-1]:
            if isinstance(policy, Stretch):
                raise PolicyError(
                    f"{policy!r} must come last in a chain and stand there alone:"
                    " the bones give where all the others have left the end."
                )
        limits = [policy for policy in flat if isinstance(policy, Limits)]
        least = max((policy.least_degrees for policy in limits), default=0.0)
        if any(policy.greatest_degrees < least for policy in limits):
            raise PolicyError(f"No opening is within all of {', '.join(map(repr, limits))}.")
        _set(self, policies=tuple(flat))

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        for policy in self.policies:
            fit = policy.fit(xp, fit)
        return fit

    def __repr__(self) -> str:
        return " | ".join(repr(policy) for policy in self.policies)


class Soft(_Value):
    """Approach the edges of the ring smoothly, so that the joint never snaps straight.

    With `s = softness * outer` (at most half the ring's width), the end follows the target
    up to `outer - s`; from there to `outer + s` what is left to the edge shrinks as
    `(far + s)^2 / (4 s)`, then it is 0. The end's way is C1 and monotone, it never passes
    the target, and its speed goes to 0 just as fast as the root in the joint's grows. The
    inner edge likewise, with `s = softness * inner`. (The curve is Spine's.)

    Parameters
    ----------
    softness : float
        The share of the reach in which the end lags behind, in (0, 1).

    Notes
    -----
    Targets in the soft zone are not met, so their status is TOO_FAR (or TOO_NEAR).

    Examples
    --------
    >>> import twobone
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=twobone.Soft(0.1)).end
    array([1.95, 0.  ])
    """

    softness: float
    _fields = ("softness",)

    def __init__(self, softness: float) -> None:
        _set(self, softness=_number("Soft", "softness", softness))
        if not 0.0 < self.softness < 1.0:
            raise PolicyError(f"Soft: `softness` must lie between 0 and 1, got {self.softness}.")

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        half = 0.5 * fit.width
        far, slow = _ease(xp, fit, fit.far, formula.least(xp, self.softness * fit.outer, half))
        near, fast = _ease(xp, fit, fit.near, formula.least(xp, self.softness * fit.inner, half))
        return fit._replace(
            far=xp.where(fast, fit.width - near, far),
            near=xp.where(slow, fit.width - far, near),
            moved=fit.moved | slow | fast,
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.softness})"


class Stretch(_Value):
    """Lengthen both bones in proportion to meet a far target, up to a limit, then clamp.

    It comes last in a chain: after `Soft` the bones begin to give as soon as the end would lag,
    and the end stays on the target through the soft zone. A target that is too near is clamped:
    longer bones do not help.

    Parameters
    ----------
    limit : float
        The greatest factor on both lengths, at least 1; `math.inf` for no limit.

    Examples
    --------
    >>> import twobone
    >>> twobone.reach([2.2, 0.0], 1.0, 1.0, unreachable=twobone.Stretch(limit=1.2)).end
    array([2.2, 0. ])
    """

    limit: float
    _fields = ("limit",)

    def __init__(self, limit: float) -> None:
        _set(self, limit=_number("Stretch", "limit", limit))
        if not self.limit >= 1.0:
            raise PolicyError(f"Stretch: `limit` must be at least 1, got {self.limit}.")

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        fit = keep_within(xp, fit)
        d = fitting.end_distance(xp, fit)
        # An end at the root stays there; no limit but none at all meets a target past measure.
        short = fit.moved & (d < fit.distance) & (d > fit.real.near)
        factor = xp.where(short, fit.distance, 1.0) / xp.where(short, d, 1.0)
        met = short & (factor <= self.limit)
        if self.limit < math.inf:
            met = met & (fit.distance < fitting.farthest(fit.real))
        return fit._replace(stretch=xp.where(short & ~met, self.limit, fit.stretch), met=met)

    def __repr__(self) -> str:
        limit = self.limit if self.limit < math.inf else "float('inf')"  # what `eval` understands
        return f"{type(self).__name__}(limit={limit})"


class Limits(_Value):
    """Keep the opening of the joint, the angle between the bones, within limits.

    An opening of 180 degrees is straight, 0 folded. A limit on it is a limit on the distance
    from root to end, so the ring is only narrower: `outer^2 = (r1 + r2)^2 - 4 r1 r2 c` with
    `c = cos^2(greatest / 2)`, `inner^2 = (r1 - r2)^2 + 4 r1 r2 s` with `s = sin^2(least / 2)`.
    The end goes as near to the target as it can.

    Parameters
    ----------
    least_degrees, greatest_degrees : float
        Limits of the opening, 0 <= least <= greatest <= 180.

    Examples
    --------
    >>> import twobone
    >>> twobone.reach([2.0, 0.0], 1.0, 1.0, unreachable=twobone.Limits(greatest_degrees=90)).joint
    array([0.70710678, 0.70710678])
    """

    least_degrees: float
    greatest_degrees: float
    least: Shares
    greatest: Shares
    _fields = ("least_degrees", "greatest_degrees")

    def __init__(self, least_degrees: float = 0.0, greatest_degrees: float = 180.0) -> None:
        least = _number("Limits", "least_degrees", least_degrees)
        greatest = _number("Limits", "greatest_degrees", greatest_degrees)
        _set(self, least_degrees=least, greatest_degrees=greatest)
        if not 0.0 <= self.least_degrees <= self.greatest_degrees <= 180.0:
            raise PolicyError(
                "Limits: wanted 0 <= least_degrees <= greatest_degrees <= 180,"
                f" got {self.least_degrees} and {self.greatest_degrees}."
            )
        _set(self, least=_shares(least), greatest=_shares(greatest))

    def fit(self, xp: Any, fit: fitting.Fit) -> fitting.Fit:
        ring = fit.ring
        four = 4.0 * ring.r1 * ring.r2
        # What an earlier policy has taken from the ring is not taken twice.
        outer_rest = formula.greatest(xp, four * self.greatest.cos2, fit.outer_rest)
        outer_over = formula.least(xp, four * self.greatest.sin2, fit.outer_over)
        inner_rest = formula.greatest(xp, four * self.least.sin2, fit.inner_rest)
        inner_under = formula.least(xp, four * self.least.cos2, fit.inner_under)
        outer = _edge(xp, ring, outer_over, outer_rest)
        inner = _edge(xp, ring, inner_rest, inner_under)
        lower = (outer_rest > fit.outer_rest) | (outer_over < fit.outer_over)
        higher = (inner_rest > fit.inner_rest) | (inner_under < fit.inner_under)
        outer = xp.where(lower, outer, fit.outer)
        inner = xp.where(higher, inner, fit.inner)
        # The edges move by differences of squares over sums: no cancellation. Each difference is
        # that of the smaller squares.
        hardly_opens, hardly_closes = outer_over < outer_rest, inner_under < inner_rest
        less = xp.where(hardly_opens, fit.outer_over - outer_over, outer_rest - fit.outer_rest)
        more = xp.where(hardly_closes, fit.inner_under - inner_under, inner_rest - fit.inner_rest)
        less = less / _positive(xp, fit.outer + outer)
        more = more / _positive(xp, fit.inner + inner)
        square = xp.where(hardly_opens, outer_over - inner_rest, inner_under - outer_rest)
        width = formula.greatest(xp, square, 0.0) / _positive(xp, outer + inner)
        width = xp.where(lower | higher, width, fit.width)
        # What is left to the nearer edge is known best; the rest of the width is to the other.
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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.least_degrees}, {self.greatest_degrees})"


# What `unreachable` may be.
Unreachable: TypeAlias = Literal["clamp", "stretch", "nan", "raise"] | Policy


def keep_within(xp, fit):
    """Clamp the end to the ring."""
    over = fit.far < 0.0
    under = fit.near < 0.0
    return fit._replace(
        far=xp.where(over, 0.0, xp.where(under, fit.width, fit.far)),
        near=xp.where(over, fit.width, xp.where(under, 0.0, fit.near)),
        moved=fit.moved | over | under,
    )


def resolve(unreachable):
    """Return the policy that `unreachable` names or is."""
    if isinstance(unreachable, Policy):
        return unreachable
    if isinstance(unreachable, str) and unreachable in NAMED:
        return NAMED[unreachable]
    words = ", ".join(f'"{word}"' for word in NAMED)
    raise PolicyError(
        f"No policy {_shown(unreachable)} for `unreachable`; there are {words},"
        " Soft(...), Stretch(...), Limits(...), joined with |, or a Policy of your own."
    )


def _ease(xp, fit, left, zone):
    """Return what is left to an edge after easing, and where that is not what came."""
    eased = (left < zone) & (zone > 0.0)
    inside = xp.where(eased, left + zone, 0.0)
    inside = xp.where(inside > 0.0, inside, 0.0) / fit.fine  # a derivative squares the zone
    curve = inside * inside / (4.0 * xp.where(zone > 0.0, zone / fit.fine, 1.0)) * fit.fine
    return xp.where(eased, curve, left), eased


def _edge(xp, ring, over, under):
    """Return an edge whose square is the fold's and `over`, and full reach's less `under`."""
    fold, reach = ring.inner[0], ring.outer[0]
    square = xp.where(over < under, fold * fold + over, reach * reach - under)
    return xp.where(square > 0.0, xp.sqrt(_positive(xp, square)), 0.0)


def _positive(xp, v):
    """Return `v`, or where it is not positive something that a root and a division can bear."""
    return xp.where(v > 0.0, v, 1.0)


class Shares(NamedTuple):
    """How an opening divides `4 r1 r2` between the fold and full reach."""

    sin2: float  # of half the opening
    cos2: float


def _shares(degrees: float) -> Shares:
    return Shares(_sin2_half(degrees), _sin2_half(180.0 - degrees))


def _sin2_half(degrees):
    """Return `sin^2(angle / 2)`, exactly 1/2 for a right angle."""
    return 0.5 if degrees == 90.0 else math.sin(math.radians(degrees) / 2.0) ** 2


def _set(policy: Policy, **values: Any) -> None:
    """Set attributes of a frozen policy, while it is being made."""
    for name, value in values.items():
        object.__setattr__(policy, name, value)


def _number(policy: str, name: str, value: Any) -> float:
    try:
        return arrays.to_float(name, value) + 0.0  # -0.0 is shown as 0.0, which it equals
    except ArrayTypeError as error:
        raise PolicyError(f"{policy}: `{name}` must be a number, got {error.came}.") from error


def _shown(value):
    """Return what came as text; a number may be too long to be one."""
    try:
        return repr(value)
    except ValueError:
        return f"of {type(value).__name__}"


def _distances(policy, placed, given):
    """Return what a policy's `place` returned, if it is distances and as many as it was given."""
    name, wanted = f"{type(policy).__name__}.place", tuple(given.shape)
    if isinstance(placed, int | float):
        return arrays.to_float(name, placed)
    if not hasattr(placed, "dtype"):
        raise PolicyError(f"{name} must return distances, got {type(placed).__name__}.")
    arrays.dtype_name(name, placed)
    shape = tuple(placed.shape)
    if shape[::-1] != wanted[::-1][: len(shape)]:
        raise ShapeError(name, f"return distances of shape {wanted}, as it is given", shape)
    return placed
