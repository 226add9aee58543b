"""Anatomies of animals from their measures, and what follows from these."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from twobone.creature.checking import checked, checked_names, flag, measures
from twobone.creature.deriving import derived, total
from twobone.creature.stepping.anatomy import Anatomy, Leg, Link, Manner
from twobone.errors import CreatureError
from twobone.terrain import arguments

ON_SIX = Manner(1.0, 0.6, 0.5, 0.12, 0.10, 0.07, 0.03, 0.3, 0.2, 0.5, 1.3, 0.012, 0.7, 0.0, 0.12)
# A head that looks where the animal goes, and stays level when it does not.
HEAD = Link("head", -1, 0.2, 0.2, 1.0, -1, 0.0, 0.0, 0.0)


# What animals on six legs and more have in common, and where others begin; sizes are derived.
USUAL = Anatomy(
    name="",
    height=0.0,
    along=(),
    bend=0.0,
    limp=0.0,
    tilt=0.8,
    bank=0.6,
    belly=0.0,
    half=0.0,
    legs=(),
    gaits=(),
    stride=2.4,
    lift=0.2,
    quick=0.22,
    strong=0.6,
    waits=True,
    steady=True,
    balance=0.2,
    lead=0.08,
    straight=0.965,
    least=0.15,
    sideways=False,
    wide=0.6,
    manner=ON_SIX,
    links=(HEAD,),
    tail=0,
    hip=0.0,
    middle=0.0,
    span=0.0,
    fan=1.0,
    highest=0.0,
    travel=0.0,
    across=0.0,
    reach=0.0,
    slowest=0.0,
    fastest=0.0,
    top_speed=0.0,
)


def make_anatomy(**fields: Any) -> Anatomy:
    """Make an animal from its measures, and derive what follows from them.

    Parameters
    ----------
    **fields
        Those of `Anatomy`, in metres, radians and cycles, but for the derived ones. What is not
        given is as for an animal on six legs. `height`, `along`, `legs` (see `pair`) and `gaits`
        are needed.

    Returns
    -------
    Anatomy

    Raises
    ------
    CreatureError
        If a field is unknown, missing or out of range, or a leg does not reach the ground; the
        message names it.
    ShapeError, ArrayTypeError
        If a field is of another kind.

    Examples
    --------
    >>> from twobone.creature import Gait, make_anatomy, pair
    >>> legs = [
    ...     leg
    ...     for station in (0, 1)
    ...     for leg in pair(
    ...         station, hip=(0.1, 0.0), foot=(0.1, 0.0), bones=(0.3, 0.3, 0.0), pole=(0, 0, 1)
    ...     )
    ... ]
    >>> offsets = (0.0, 0.5, 0.5, 0.0)
    >>> trot = Gait(0.0, 1.0, 0.5, 0.5, offsets, offsets, 0.0, 0.0, 1.0, 0.0)
    >>> stool = make_anatomy(
    ...     height=0.5, along=(-0.3, 0.3), legs=legs, gaits=[trot], waits=False, steady=False
    ... )
    >>> round(stool.top_speed, 1)
    2.2
    """
    return derived(checked(USUAL._replace(**checked_names(fields))))


def pair(
    station: int,
    *,
    hip: tuple[float, float],
    foot: tuple[float, float],
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    share: float = 1.0,
    radial: bool = False,
    heel: float = 0.0,
    locks: float = 0.0,
    still: float = 0.0,
) -> tuple[Leg, Leg]:
    """Return the left and the right leg of a station.

    Parameters
    ----------
    station : int
        Which station of the trunk bears them, counted from the rear.
    hip : (float, float)
        Of the left leg, to the left of the station and above it.
    foot : (float, float)
        Of the left leg at rest, to the left of the station and ahead of it.
    bones : (float, float, float)
        Lengths of the two bones, and of the third segment, on which the leg stands: 0 for none.
    pole : (float, float, float)
        Where the left knee points: to the left, up and ahead.
    angles : (float, float, float, float)
        Of the third segment, in radians: at rest above the ground, by how much it has risen when
        the foot lifts, by how much it folds more in a swing, and is stretched when it lands.
    share : float
        Of the weight that a leg bears, in any unit.
    radial : bool
        Whether the third segment lies away from the body, as a tarsus, and not forward.
    heel : float
        How far behind the foot its heel is, on which it lands; 0 if it stands on its toes.
    locks : float
        Share, 0 to 1, by which the third segment continues the second bone while the foot stands,
        as below the elbow of a horse or the knee of a spider.
    still : float
        Share, 0 to 1, by which the first bone keeps its direction, as the thigh of a bird.

    Raises
    ------
    ShapeError, ArrayTypeError, CreatureError
        If an argument has another number of numbers, one is not finite, or `radial` is no boolean.
    """
    if type(station) is not int or station < 0:
        raise CreatureError("station", "be a whole number, 0 or more", arguments.shown(station))
    hips, feet, lengths = (
        measures("hip", hip, 2),
        measures("foot", foot, 2),
        measures("bones", bones, 3),
    )
    ways, bends = measures("pole", pole, 3), measures("angles", angles, 4)
    weight, lies = arguments.number("share", share), flag("radial", radial)
    behind = arguments.number("heel", heel)
    holds = arguments.number("locks", locks), arguments.number("still", still)
    size = sqrt(total(part * part for part in ways)) or 1.0
    found = []
    for sign in (1.0, -1.0):
        ends = hips[0] * sign, hips[1], feet[0] * sign, feet[1]
        towards = ways[0] / size * sign, ways[1] / size, ways[2] / size
        numbers: Any = *ends, *lengths, *towards, *bends, lies, weight, 0.0, behind, *holds
        found.append(Leg(station, sign, *numbers))
    return found[0], found[1]


def standing_out(
    feet: Sequence[tuple[float, float]],
    *,
    hip: float,
    bones: tuple[float, float, float],
    pole: tuple[float, float, float],
    angles: tuple[float, float, float, float],
    locks: float = 0.0,
) -> tuple[Leg, ...]:
    """Return legs that stand out from a trunk: a pair at each station, with its left foot."""
    return tuple(
        leg
        for k, foot in enumerate(feet)
        for leg in pair(
            k,
            hip=(hip, 0.0),
            foot=foot,
            bones=bones,
            pole=pole,
            angles=angles,
            radial=True,
            locks=locks,
        )
    )
