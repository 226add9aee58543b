"""Gaits: when each leg swings, and the trajectory of a foot through the air.

A gait is data: the phase of the cycle at which each leg leaves the ground, and the duty factor, the
fraction of a cycle that a foot is on the ground. Both may change with speed. In the wave gait of
walking arthropods the swings on each side run from rear to front, each leg 1 - `duty_factor` of a
cycle after the one behind it, and the sides are half a cycle apart (J. Exp. Biol. 221(22),
jeb189142; Nirody, arXiv:2104.01203): as the duty factor falls, it goes from one leg at a time to
tripods. Four-legged gaits are told apart by the phase between the feet of one side (Hildebrand,
Science 150, 1965: a quarter of a cycle in a walk, a half in a trot, none in a pace).

The phase advances with the distance walked, so a standing animal takes no steps and the step length
does not depend on speed. The exception is slow walking: while a foot is in the air or away from its
nominal foothold, the phase advances at least as fast as at a quarter of full speed, so steps are
shorter.
"""

from __future__ import annotations

import functools
from typing import Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from twobone.core import arrays, engine
from twobone.core.array_types import ArrayLike, NDArray, Number
from twobone.core.elementary import exp
from twobone.core.immutable import Immutable
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

EARLY = 0.96  # a swing takes this fraction of its time slot, so it ends before the next may start
LOCK = 0.75  # fraction of a swing after which its foothold no longer changes
WARP = 0.5  # of `warp`; 0.56 would make the speed in the middle of a swing the most even

GaitName: TypeAlias = Literal["wave", "ripple", "tripod", "crawl", "walk", "trot", "pace", "bound"]
Balance: TypeAlias = Literal["static", "dynamic"]


class Named(NamedTuple):
    """What the name of a gait stands for."""

    lag: float | None  # phase of each leg after the one behind it; None: 1 - duty factor, a wave
    right: float  # phase of the right legs after the left ones
    duty_factor: float
    sway: tuple[float, float] = (0.0, 0.0)
    stride: float | None = None  # if the gait needs a stride of its own
    balance: Balance = "static"


GAITS: dict[str, Named] = {
    "wave": Named(None, 0.5, 5 / 6),
    "ripple": Named(None, 0.5, 2 / 3),
    "tripod": Named(0.5, 0.5, 0.5),
    "crawl": Named(None, 0.5, 0.88, sway=(0.85, 0.0), stride=0.22),
    "walk": Named(0.25, 0.5, 0.7, balance="dynamic"),
    "trot": Named(0.5, 0.5, 0.55, balance="dynamic"),
    "pace": Named(0.0, 0.5, 0.6, balance="dynamic"),
    "bound": Named(0.5, 0.0, 0.6, balance="dynamic"),
}


class Gait(Immutable):
    """When each leg steps, how far and how high.

    Parameters
    ----------
    offsets : str, (str, str) or array, shape (L) or (2, L)
        The phase of the cycle, from 0 to 1, at which each leg leaves the ground, for legs in pairs
        from rear to front, left before right. Or the name of a gait in `GAITS`: "wave", "ripple"
        and "tripod" for six legs and more; "crawl", "walk", "trot", "pace" and "bound" for four;
        "walk" for two. Two names or two rows are the offsets at rest and at full speed.
    duty_factor : float or (float, float), optional
        Fraction of a cycle that a foot is on the ground, from 0.5 to 0.95: one number, or the
        values at rest and at full speed. By default that of the named gait, otherwise 0.75.
    stride : float, optional
        Distance that the body covers in one stance, divided by the leg's length; from 0.01 to 2.
        By default that of the named gait, otherwise 0.4. At a speed v and a duty factor d, a swing
        takes `stride * leg / v * (1 - d) / d` seconds; if that is less than a few frames, feet seem
        to slide or to jump.
    lift : float
        Height of a swing over flat ground, divided by the leg's length; from 0 to 2. Steps shorter
        than 1.5 strides are lower in proportion, down to a tenth.
    sway : (float, float), optional
        How far the body moves towards the middle of the feet that support it, sideways and forward,
        as fractions of the distance, from 0 to 1: 1 until it is above them. By default that of the
        named gait, otherwise 0.
    balance : "static" or "dynamic", optional
        In a static gait a foot leaves the ground only if the body stays above the support polygon
        of the others. In a dynamic gait it needs only as many other feet on the ground as there are
        pairs of legs: the animal would fall if it stopped in the middle of a step. "walk", "trot",
        "pace" and "bound" are dynamic, all others are static by default. Two-legged walking is
        always dynamic.

    Raises
    ------
    CreatureError, ArrayTypeError, ShapeError
        If an argument is outside its range or of a wrong type or shape.

    Examples
    --------
    >>> from twobone.creature import Gait
    >>> Gait("trot")
    Gait('trot', duty_factor=(0.55, 0.55), stride=0.4, lift=0.12)

    A walk that becomes a trot with speed:

    >>> gait = Gait(("walk", "trot"), duty_factor=(0.7, 0.55))
    >>> gait.offsets_at(0.7, pairs=2).tolist()  # left hind, right hind, left fore, right fore
    [0.0, 0.5, 0.25, 0.75]
    >>> gait.offsets_at(0.55, pairs=2).tolist()
    [0.0, 0.5, 0.5, 0.0]

    In a wave at duty factor 0.75, legs of one side never swing at the same time:

    >>> Gait("wave").offsets_at(0.75, pairs=3).tolist()
    [0.0, 0.5, 0.25, 0.75, 0.5, 0.0]
    """

    _set_once = ("offsets", "duty_factor", "stride", "lift", "sway", "balance", "_anchors")

    def __init__(
        self,
        offsets: GaitName | tuple[GaitName, GaitName] | ArrayLike[Any] = "wave",
        duty_factor: float | tuple[float, float] | list[float] | None = None,
        stride: float | None = None,
        lift: float = 0.12,
        *,
        sway: tuple[float, float] | None = None,
        balance: Balance | None = None,
    ) -> None:
        self.offsets = _checked_offsets(offsets)
        ends = self._ends
        if duty_factor is None:
            duty_factor = ends[0].duty_factor, ends[-1].duty_factor
        slow, fast = _pair("duty_factor", duty_factor, 0.5, 0.95)
        self.duty_factor = slow, fast
        self.stride = _number(
            "stride", ends[0].stride or 0.4 if stride is None else stride, 0.01, 2
        )
        self.lift = _number("lift", lift, 0.0, 2.0)
        self.sway = _pair("sway", ends[0].sway if sway is None else sway, 0.0, 1.0)
        self._anchors = self._anchors_of_offsets()
        if balance is None:
            balance = self._usual_balance
        if balance not in ("static", "dynamic"):
            raise CreatureError("balance", 'be "static" or "dynamic"', arguments.shown(balance))
        self.balance: Balance = balance
        if len(ends) == 2 and self._anchors[0] == self._anchors[1]:
            raise CreatureError("duty_factor", "differ if the offsets do", f"{slow:g} twice")

    @property
    def _ends(self) -> list[Named]:
        """The defaults at rest and at full speed: one entry if the offsets do not change."""
        return [GAITS[each] if isinstance(each, str) else OWN for each in self.offsets]

    @property
    def _usual_balance(self) -> Balance:
        return "dynamic" if any(end.balance == "dynamic" for end in self._ends) else "static"

    @property
    def _given(self) -> Any:
        """The offsets, as `__init__` takes them."""
        return self.offsets[0] if len(self.offsets) == 1 else self.offsets

    @overload
    def duty_factor_at(self, speed_fraction: Number) -> np.float64: ...
    @overload
    def duty_factor_at(self, speed_fraction: NDArray[Any]) -> NDArray[np.float64]: ...
    def duty_factor_at(self, speed_fraction: Any) -> Any:
        """Return the duty factor at a speed.

        Parameters
        ----------
        speed_fraction : float or array, shape (...)
            The speed divided by full speed; clipped to the range from 0 to 1.

        Returns
        -------
        float or array, shape (...)
            The duty factor: at 0 that at rest, at 1 that at full speed, linear in between.
        """
        if type(speed_fraction) is not np.ndarray:  # checked only here: it is called in each step
            speed_fraction = _array("speed_fraction", speed_fraction)
        slow, fast = self.duty_factor
        return slow + (fast - slow) * between(speed_fraction, 0.0, 1.0)

    def offsets_at(self, duty_factor: ArrayLike[Any], pairs: int) -> NDArray[np.float64]:
        """Return the phase at which each leg leaves the ground.

        Parameters
        ----------
        duty_factor : float or array, shape (...)
        pairs : int
            Number of pairs of legs.

        Returns
        -------
        array, shape (..., 2 pairs)
            Phases in cycles, from 0 to 1, for legs in pairs from rear to front, left before right.
            Between two gaits they change in proportion to the duty factor, from that of the first
            gait to that of the second.

        Raises
        ------
        CreatureError
            If the gait has offsets for another number of legs.
        """
        if type(pairs) is not int:
            raise ArrayTypeError("pairs", "a whole number", arguments.shown(pairs))
        duty_factor = _array("duty_factor", duty_factor)[..., None]
        start, change, slow, fast = self.line(pairs)
        if slow == fast:
            along = 1.0 - duty_factor
        else:
            along = between((duty_factor - slow) / (fast - slow), 0.0, 1.0)
        return (start + change * along) % 1.0

    def line(self, pairs: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]:
        """Return offsets of legs, their change, and the duty factors between which they change.

        If these are equal, the change is in proportion to 1 minus the duty factor, or it is 0.
        """
        return _line(self.offsets, self._anchors, pairs)

    def _anchors_of_offsets(self):
        """Return the duty factors at which the offsets are those at rest and at full speed."""
        found = [GAITS[each].duty_factor for each in self.offsets if isinstance(each, str)]
        return (found[0], found[-1]) if found and found[0] != found[-1] else self.duty_factor

    def steepness(self, pairs: int) -> float:
        """Return by how many cycles at most an offset changes if the duty factor changes by 1."""
        slow, fast = anchors = self._anchors
        if self.offsets in WAVES or slow == fast:
            return float(pairs)
        change = _rows(self.offsets, anchors, pairs)[1]
        return max(float(pairs), float(np.max(np.abs(change))) / abs(fast - slow))

    def neighbours_swing_together(self, pairs: int) -> bool:
        """Return whether swings of neighbours on one side overlap, at rest or at full speed."""
        for duty_factor in self.duty_factor:
            offsets = self.offsets_at(duty_factor, pairs).reshape(pairs, 2)
            apart = np.abs((np.diff(offsets, axis=0) + 0.5) % 1.0 - 0.5)
            if np.any(apart < 0.8 * (1.0 - duty_factor)):
                return True
        return False

    def with_duty_factor(self, duty_factor: float | tuple[float, float]) -> Gait:
        """Return the gait with another duty factor.

        Examples
        --------
        >>> from twobone.creature import Gait
        >>> Gait("walk").with_duty_factor(0.6)
        Gait('walk', duty_factor=(0.6, 0.6), stride=0.4, lift=0.12)
        """
        given = self._given
        slow, fast = _pair("duty_factor", duty_factor, 0.5, 0.95)
        if slow == fast and len(self.offsets) == 2 and not isinstance(given[0], str):
            given = self.offsets_at(slow, len(given[0]) // 2)
        rest = self.stride, self.lift
        return Gait(given, (slow, fast), *rest, sway=self.sway, balance=self.balance)

    def __repr__(self) -> str:
        rest = f"duty_factor={self.duty_factor}, stride={self.stride}, lift={self.lift}"
        if self.sway != self._ends[0].sway:
            rest += f", sway={self.sway}"
        if self.balance != self._usual_balance:
            rest += f", balance={self.balance!r}"
        return f"Gait({self._given!r}, {rest})"


OWN = Named(None, 0.5, 0.75)  # defaults for offsets given as numbers
WAVES = {(name,) for name, gait in GAITS.items() if gait.lag is None}
FORM = "be the name of a gait, two names, or phases of shape (L) or (2, L)"


def _checked_offsets(offsets):
    """Return offsets as a tuple with one or two names, or one or two tuples of phases."""
    rows = (offsets,) if isinstance(offsets, str) else offsets
    if isinstance(rows, tuple | list) and rows and all(isinstance(row, str) for row in rows):
        for name in rows:
            if name not in GAITS:
                raise CreatureError("offsets", f"be one of {', '.join(GAITS)}", repr(name))
        if len(rows) > 2:
            raise ShapeError("offsets", FORM, (len(rows),), f"{len(rows)} names")
        return tuple(rows)
    found = _array("offsets", offsets)
    if found.ndim not in (1, 2) or found.size == 0 or (found.ndim == 2 and len(found) > 2):
        raise ShapeError("offsets", FORM, found.shape, arguments.shape_shown(found.shape))
    if not np.all((found >= 0.0) & (found <= 1.0)):
        raise CreatureError("offsets", "be phases from 0 to 1", arguments.shown(offsets))
    return tuple(tuple(row) for row in np.atleast_2d(found).tolist())


def _pair(name: str, value: Any, least: float, greatest: float) -> tuple[float, float]:
    """Return one number or two as two numbers in a range."""
    pair = value if isinstance(value, tuple | list) else [value] * 2
    if len(pair) != 2:
        raise ShapeError(name, "be one number or two", (len(pair),), f"{len(pair)}")
    first, second = (_number(name, each, least, greatest) for each in pair)
    return first, second


@functools.cache
def _order(pairs):
    """Return the rank of each leg on its side, from rear to front, and the phase of that side."""
    return np.repeat(np.arange(float(pairs)), 2), np.tile([0.0, 0.5], pairs)


@functools.cache
def _line(offsets, anchors, pairs):
    """Return what `Gait.line` does."""
    if offsets in WAVES:
        ranks, sides = _order(pairs)
        return sides, ranks, 0.0, 0.0
    return *_rows(offsets, anchors, pairs), *anchors


@functools.cache
def _rows(offsets, anchors, pairs):
    """Return the offsets at the first anchor, and their change to the second."""
    rows = []
    for each, duty_factor in zip(offsets, anchors, strict=False):
        if isinstance(each, str):
            lag, right = GAITS[each].lag, GAITS[each].right
            ranks = _order(pairs)[0] * (1.0 - duty_factor if lag is None else lag)
            rows.append(ranks + np.tile([0.0, right], pairs))
        elif len(each) != 2 * pairs:
            raise CreatureError("gait.offsets", f"be {2 * pairs}, one for each leg", str(len(each)))
        else:
            rows.append(np.array(each))
    change = rows[-1] - rows[0]
    if not isinstance(offsets[0], str):
        change -= np.rint(change)  # the short way round
    return rows[0], change


# Polynomials in s, the fraction of the remaining swing by which a foot advances: coefficients of
# 1, s, s^2 ... s^5. PLACE, SPEED and BEND give the position, velocity and acceleration after that
# advance, each in terms of the position, velocity and acceleration before it (the three rows); GOAL
# has the terms in the goal. Positions follow the quintic Hermite basis (Flash and Hogan's
# 10 s^3 - 15 s^4 + 6 s^5 for the goal); velocities are its first derivative times 1 - s and
# accelerations its second times (1 - s)^2, because time is measured in units of what remains.
PLACE = [[1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5]]
SPEED = [[0, 0, -30, 90, -90, 30], [1, -1, -18, 50, -47, 15], [0, 1, -5.5, 10.5, -8.5, 2.5]]
BEND = [[0, -60, 300, -540, 420, -120], [0, -36, 168, -288, 216, -60], [1, -11, 37, -55, 38, -10]]
GOAL = [[0, 0, 0, 10, -15, 6], [0, 0, 30, -90, 90, -30], [0, 60, -300, 540, -420, 120]]
ROWS = [[*now, goal] for now, goal in zip((PLACE, SPEED, BEND), GOAL, strict=True)]
GLIDE = np.array(ROWS, np.float64).reshape(12, 6).T.copy()


def glide(swing, fraction):
    """Advance feet along the minimum-jerk path to their goals, which may move between calls.

    The path is the polynomial of fifth degree from the foot's current position, velocity and
    acceleration to rest at the goal (Flash and Hogan 1985; `10 t^3 - 15 t^4 + 6 t^5` from rest to
    rest). It is computed anew at each step, so all three stay continuous when the goal moves. Time
    is that of `warp`.

    Parameters
    ----------
    swing : array, shape (M, 4, 3)
        Position, velocity, acceleration and goal of each foot, one row each. The unit of time is
        the time that remains of the swing.
    fraction : array, shape (M)
        Fraction of the remaining time by which to advance, from 0 to 1.

    Returns
    -------
    array, shape (M, 3, 3)
        New position, velocity and acceleration, in units of the time that then remains.
    """
    weights = glide_weights(fraction)
    parts = (weights[:, :, i, None] * swing[:, None, i] for i in range(4))
    return next(parts) + next(parts) + next(parts) + next(parts)


def glide_weights(fraction):
    """Return the weights of the rows of a swing in position, velocity and acceleration, (M, 3, 4).

    They are those after fractions of the remaining time, an array of shape (M).
    """
    weights = GLIDE[-1]
    for coefficients in GLIDE[-2::-1]:
        weights = weights * fraction[:, None] + coefficients
    return weights.reshape(-1, 3, 4)


def warp(progress):
    """Return how far along its trajectory a foot is after a fraction of the time of its swing.

    `t + WARP t (1 - t) (1 - 2 t)`: faster at both ends and slower in the middle, so that the peak
    speed of a foot is 1.4 instead of 1.9 times its mean speed. Speed and acceleration are still 0
    at both ends.
    """
    t = between(progress, 0.0, 1.0)
    return t + WARP * t * (1.0 - t) * (1.0 - 2.0 * t)


def arch(along):
    """Return the height of a swing relative to its top, `64 (t (1 - t))^3`; `t` is from `warp`."""
    t = between(along, 0.0, 1.0)
    t = t * (1.0 - t)
    return 64.0 * t * t * t


def between(value, least, greatest):
    """Return values clipped to a range, like `np.clip` but twice as fast on small arrays."""
    return np.minimum(np.maximum(value, least), greatest)


def settle(value, speed, goal, rate, dt):
    """Return value and speed of a critically damped spring after `dt`; exact for any time step."""
    turn, fade = rate * dt, exp(-rate * dt)
    if engine.KERNEL is not None and value.dtype == np.float64:
        return engine.KERNEL.settle(value, speed, goal, rate, dt, fade)
    away = value - goal
    there = goal + (fade * (1.0 + turn)) * away + (fade * dt) * speed
    return there, (fade * (1.0 - turn)) * speed - (fade * rate * turn) * away


def _array(name, value):
    """Return a value as a float64 array; raise if it does not consist of numbers."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    return np.asarray(arrays.as_array(arrays.NUMPY, name, value), np.float64)


def _number(name: str, value: Any, least: float, greatest: float) -> float:
    found = arguments.number(name, value)
    if not least <= found <= greatest:
        raise CreatureError(name, f"be from {least} to {greatest}", repr(value))
    return found
