"""Gaits by name: when each leg lands, and for how much of a cycle it stands.

In the wave gait of walking arthropods the swings on each side run from rear to front, each leg
1 - `duty_factor` of a cycle after the one behind it, and the sides are half a cycle apart (J. Exp.
Biol. 221(22), jeb189142; Nirody, arXiv:2104.01203): as the duty factor falls, it goes from one leg
at a time to tripods. Four-legged gaits are told apart by the phase between the feet of one side
(Hildebrand, Science 150, 1965: a quarter of a cycle in a walk, a half in a trot, none in a pace).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from twobone.creature.stepping.anatomy import Anatomy, Gait
from twobone.errors import CreatureError, ShapeError
from twobone.terrain import arguments

GaitName: TypeAlias = Literal["wave", "ripple", "tripod", "crawl", "walk", "trot", "pace", "bound"]
LEAST, MOST = 0.15, 0.95  # duty factors


class Named(NamedTuple):
    """What the name of a gait stands for."""

    lag: float | None  # phase of each leg after the one behind it; None: 1 - duty factor, a wave
    right: float  # phase of the right legs after the left ones
    duty_factor: tuple[float, float]  # when it is slow, and when it is fast
    is_static: bool  # the body stays over the feet that stand
    high: float | None = None  # speed over sqrt(g hip) of its fastest; None: the animal's own
    vault: float = 0.0  # see `Gait`


GAITS: dict[str, Named] = {
    "wave": Named(None, 0.5, (5 / 6, 5 / 6), True),
    "ripple": Named(None, 0.5, (2 / 3, 2 / 3), True),
    "tripod": Named(0.5, 0.5, (0.5, 0.5), True),
    "crawl": Named(None, 0.5, (0.8, 0.8), True, 0.25),
    "walk": Named(0.25, 0.5, (0.68, 0.52), False, 0.85, 0.35),
    "trot": Named(0.5, 0.5, (0.5, 0.34), False, 1.3),
    "pace": Named(0.0, 0.5, (0.55, 0.4), False, 1.3),
    "bound": Named(0.5, 0.0, (0.5, 0.3), False, 1.6),
}


def offsets_of(lag: float | None, right: float, pairs: int, duty: float) -> tuple[float, ...]:
    """Return when each leg of some pairs lands, in cycles, from rear to front, left before right.

    Each leg is `lag` after the one behind it; None makes a wave.
    """
    lag = 1.0 - duty if lag is None else lag
    return tuple(k * lag + right * j for k in range(pairs) for j in (0, 1))


def wave(pairs: int, slow: float, fast: float, high: float) -> Gait:
    """Return the gait of many legs: waves from rear to front, on both sides in turn.

    `slow` and `fast` are its duty factors, `high` its highest speed over sqrt(g hip).
    """
    slowly, fastly = (offsets_of(None, 0.5, pairs, duty) for duty in (slow, fast))
    return Gait(0.0, high, slow, fast, slowly, fastly, 0.0, 0.0, 1.0, 0.0)


def with_named(anatomy: Anatomy, name: str, duty_factor: Any = None) -> Anatomy:
    """Return an animal whose only gait is that of a name; what follows from it is not derived.

    Raises
    ------
    CreatureError, ShapeError
        If there is no such gait, a duty factor is out of range, or the animal has too few legs.
    """
    if not isinstance(name, str) or name not in GAITS:
        raise CreatureError(
            "gait", f"be a Gait or one of {', '.join(GAITS)}", arguments.shown(name)
        )
    named = GAITS[name]
    count = len(anatomy.legs)
    if named.is_static and count < 6:
        wanted = "be walk, trot, pace or bound on fewer than six legs"
        raise CreatureError("gait", wanted, repr(name))
    slow, fast = duty_factors(named.duty_factor if duty_factor is None else duty_factor)
    # A body is over its feet only if there are three or more.
    if named.is_static and min(slow, fast) < 3.0 / count:
        wanted = f"be at least {3.0 / count:g}, so that three of {count} feet stand"
        raise CreatureError("duty_factor", wanted, f"{min(slow, fast):g}")
    own, last = anatomy.gaits[0], anatomy.gaits[-1]
    slowly, fastly = (offsets_of(named.lag, named.right, count // 2, duty) for duty in (slow, fast))
    high = last.high if named.high is None else min(named.high, last.high)
    gait = Gait(0.0, high, slow, fast, slowly, fastly, named.vault, own.flex, own.lift, own.rise)
    if not named.is_static:
        return anatomy._replace(gaits=(gait,), waits=False, steady=False, balance=0.0)
    return anatomy._replace(gaits=(gait,), waits=True, steady=True)


def with_duty_factor(anatomy: Anatomy, duty_factor: Any) -> Anatomy:
    """Return an animal in whose gaits a foot stands for such a part of a cycle."""
    slow, fast = duty_factors(duty_factor)
    gaits = tuple(each._replace(duty_low=slow, duty_high=fast) for each in anatomy.gaits)
    return anatomy._replace(gaits=gaits)


def duty_factors(value: Any) -> tuple[float, float]:
    """Return one duty factor or two as two numbers in their range."""
    pair = value if isinstance(value, tuple | list) else [value] * 2
    if len(pair) != 2:
        raise ShapeError("duty_factor", "be one number or two", (len(pair),), f"{len(pair)}")
    slow, fast = (arguments.number("duty_factor", each) for each in pair)
    for each in (slow, fast):
        if not LEAST <= each <= MOST:
            raise CreatureError("duty_factor", f"be from {LEAST:g} to {MOST:g}", f"{each:g}")
    return slow, fast
