"""`make_animal`: an animal from what one can measure on a drawing of it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from twobone.creature import animals, gaits, kinds
from twobone.creature.animals import Animal
from twobone.creature.appearance import Appearance
from twobone.creature.building import make_anatomy, pair
from twobone.creature.checking import DERIVED
from twobone.creature.deriving import BRIEF
from twobone.creature.figures import Sizes, appearance_of
from twobone.creature.gaits import GaitName
from twobone.creature.stepping.anatomy import Anatomy, Gait
from twobone.creature.stepping.numbers import GRAVITY
from twobone.creature.stepping.rhythm import SLOWEST
from twobone.errors import ArrayTypeError, CreatureError, ShapeError
from twobone.terrain import arguments

LEGS = 2, 128  # from which number to which
# Proportions that are not given. All are taste, but for those of legs: with them an animal has
# reach left for hills.
SPRAWLS = 0.5  # of the hips' height: feet so far out from their hips make legs stand out
WIDTH = 0.35  # of the hips' height
BELLY = 0.25  # of the hips' height
BELOW = 0.12  # of the hips' height: how far hips are below the trunk's line, unless legs stand out
HALF = 0.8  # of the distance of a hip from the midline, where legs stand out
USED = 0.91  # of the reach of its two bones: how far a leg is stretched when it stands
MOST = 0.965  # the same, at the most
FOLDED = 0.15, 0.6  # the same, at the least: of legs that stand out, and of others
SPARE = 0.03  # by how much further a walking leg may be stretched
LOW, HIGH = 0.35, 1.45  # radians: the angle of a foot above the ground, at rest
FLAT = 0.8  # below this angle, the leg stands on its sole
OUT = 0.8  # the angle where legs stand out
AHEAD = 0.6  # of the foot's extent: how far its ball is ahead of the hip
HEEL = 1.35  # of the foot's extent: how far the heel of a sole is behind its ball
# Feet of legs that stand out are spread over so many lengths of the trunk, or distances of a foot
# from its hip: the line around them is about as long as wide. At most as far from their hips as a
# part of the reach of two bones.
SPREAD = 1.5, 2.2
FANNED = 0.35
LONG = 5  # pairs of legs: so many are a long animal, whose trunk bends
NECK, TAIL = 0.5, 0.6  # of the hips' height, on four legs
KNEES = {"hind": (0.12, 0.1, 1.0), "fore": (0.12, 0.1, -1.0), "out": (0.4, 1.0, 0.0)}
# By how much a foot has risen when it lifts, folds more in a swing, and is stretched when it lands.
ANGLES = {
    "hind": (0.75, 0.35, 0.25),
    "fore": (0.85, 1.1, 0.35),
    "flat": (0.95, 0.05, 0.55),
    "out": (0.6, 0.45, 0.15),
}
SHARES = 0.45, 0.55  # of the weight, of hind and fore legs of four
TAKEN = (  # from the built-in animal that is most alike
    *("bend", "limp", "tilt", "bank", "stride", "lift", "strong", "waits", "steady", "balance"),
    *("lead", "straight", "least", "wide", "manner"),
)


class _Pair(NamedTuple):
    """A pair of legs, with lengths in metres."""

    name: str  # of the argument with its bones: "hind" or "fore"
    hips: float
    bones: tuple[float, float, float]
    ankle: float | None  # height
    z: float  # of its station


def make_animal(
    name: str = "animal",
    *,
    legs: int,
    hips: float | tuple[float, float],
    hind: tuple[float, ...],
    fore: tuple[float, ...] | None = None,
    trunk: float | None = None,
    width: float | None = None,
    stance: float | None = None,
    ankles: float | tuple[float, float] | None = None,
    neck_length: float | None = None,
    tail_length: float | None = None,
    gait: GaitName | None = None,
    appearance: Appearance | None = None,
    **fields: Any,
) -> Animal:
    """Make an animal from what one can measure on a drawing of it.

    What is not given is derived from the rest, and from the built-in animal that is most alike:
    human, bird, dog or insect, or centipede for ten legs and more. Legs whose feet are far out from
    their hips (by half the height of the hips) stand out as those of a spider do; others are below
    the trunk, with knees that point forward on hind legs, and elbows that point back on fore legs.

    Parameters
    ----------
    name : str
        Used in reports.
    legs : int
        An even number from 2 to 128.
    hips : float or (float, float)
        Height of the hips above the ground, in metres; two numbers are those of hind and fore legs.
    hind, fore : tuple of two or three floats
        Lengths of the segments of a hind leg and of a fore leg, from the hip down: two bones, and
        the foot from ankle to toes, if it has one. Fore legs are like hind legs if not given;
        lengths of legs in between are in between.
    trunk : float
        From the hind hips to the fore hips; needed for four legs and more.
    width, stance : float, optional
        Between the left and the right hip, and between both feet.
    ankles : float or (float, float), optional
        Height of the ankles above the ground, of hind and fore legs. By default such that legs are
        well stretched: an animal with long enough bones stands on its soles, others on their toes.
    neck_length, tail_length : float, optional
        For the looks; 0 for none. An animal on two legs that has one or the other carries its body
        level, as a bird does; others have a torso with arms.
    gait : str, optional
        The name of a gait in `GAITS`; see `Animal.with_gait`. By default gaits for all speeds.
    appearance : Appearance, optional
        What it looks like. By default it has a trunk, a head and limbs of the sizes given.
    **fields
        Fields of `Anatomy` that replace what is derived, and fields of `Gait`, which are set in all
        gaits.

    Returns
    -------
    Animal

    Raises
    ------
    CreatureError, ShapeError, ArrayTypeError
        If a measure is missing, out of range or contradicts another; the message names it and says
        what would do.

    Examples
    --------
    >>> from twobone import creature
    >>> pony = creature.make_animal(
    ...     "pony", legs=4, hips=1.0, trunk=0.9, hind=(0.36, 0.35, 0.38), fore=(0.32, 0.35, 0.36)
    ... )
    >>> creature.report(creature.walk(pony, terrain=0.1, seconds=3.0)).slide
    0.0

    Six legs that stand out:

    >>> alien = creature.make_animal(
    ...     "alien", legs=6, hips=0.5, trunk=0.8, hind=(0.5, 0.6), width=0.3, stance=1.1
    ... )
    >>> round(alien.top_speed, 2)
    1.24
    """
    count = _even(legs)
    pairs = _pairs(count, hips, hind, fore, trunk, ankles)
    high = sum(each.hips for each in pairs) / count * 2.0
    wide = WIDTH * high if width is None else _positive("width", width)
    apart = wide if stance is None else _positive("stance", stance)
    sprawls = apart - wide > 2.0 * SPRAWLS * high
    neck = _length("neck_length", neck_length, NECK * high if count == 4 else 0.0)
    tail = _length("tail_length", tail_length, TAIL * high if count == 4 else 0.0)
    like = _alike(count, sprawls, bool(neck or tail))
    _check_size(high, like)
    height = max(each.hips for each in pairs) + (0.0 if sprawls else BELOW * high)
    span = pairs[-1].z - pairs[0].z if sprawls else None
    built = [
        _built(k, each, count, (0.5 * wide, 0.5 * apart), height, span)
        for k, each in enumerate(pairs)
    ]
    stretched = max(used for _, used in built)
    belly = BELLY * high
    found = {
        **{field: getattr(like, field) for field in TAKEN},
        "name": name,
        "height": height,
        "along": tuple(each.z for each in pairs),
        "belly": belly,
        "half": HALF * 0.5 * wide if sprawls and len(pairs) < LONG else 0.0,
        "legs": tuple(leg for both, _ in built for leg in both),
        "gaits": _gaits(like, count),
        "straight": max(like.straight, min(stretched + SPARE, 0.985)),
        "quick": min(like.quick * math.sqrt(high / like.hip), 60.0),
    }
    found["tail"] = 4 if tail else 0
    if neck:
        found["links"] = kinds.NECK, kinds.ON_NECK
    elif like.name == "human":
        found["links"] = like.links
    anatomy = make_anatomy(**_overridden(found, fields))
    sizes = Sizes(anatomy, neck, tail, sprawls)
    animal = Animal(anatomy, appearance_of(sizes) if appearance is None else appearance)
    animal = animals.check(animal)
    return animal if gait is None else animal.with_gait(gait)


def _alike(count, sprawls, is_level):
    """Return the built-in animal that is most alike; `is_level` if its body is, on two legs."""
    if count >= 2 * LONG:
        return kinds.centipede()
    if count >= 6:
        return kinds.insect()
    found = kinds.bird() if is_level or sprawls else kinds.human()
    found = kinds.dog() if count == 4 else found
    return found._replace(least=kinds.insect().least) if sprawls else found


def _check_size(hips, like):
    """Raise if an animal is so small that its steps would be too quick for a walker.

    Its slowest swings last as long as the briefest; see `building.derived`.
    """
    duty = max(max(gait.duty_low, gait.duty_high) for gait in like.gaits)
    least = GRAVITY * (SLOWEST * BRIEF / (1.0 - duty)) ** 2
    if hips < least:
        wanted = (
            f"be at least {least:.2g} m, because steps of smaller animals are too quick for a"
            " walker (make all measures ten times as large)"
        )
        raise CreatureError("hips", wanted, f"{hips:.3g}")


def _gaits(like, count):
    """Return the gaits of an animal, given one that is alike."""
    if count == len(like.legs):
        return like.gaits
    own = like.gaits[0]
    return (gaits.wave(count // 2, own.duty_low, own.duty_high, own.high),)


def _overridden(found, fields):
    """Return the fields of an anatomy with those that are given, in it and in its gaits."""
    known = [name for name in Anatomy._fields if name not in DERIVED]
    of_gaits = [name for name in Gait._fields if name not in known]
    for field in fields:
        if field not in known and field not in of_gaits:
            wanted = f"have the fields {', '.join((*known, *of_gaits))} beside the measures"
            raise CreatureError("animal", wanted, repr(field))
    found = found | {name: value for name, value in fields.items() if name in known}
    changed = {name: value for name, value in fields.items() if name in of_gaits}
    if changed and all(isinstance(each, Gait) for each in found["gaits"]):
        found["gaits"] = tuple(each._replace(**changed) for each in found["gaits"])
    return found


# --- measures -----------------------------------------------------------------------------


def _even(legs):
    least, most = LEGS
    if type(legs) is not int or legs % 2 or not least <= legs <= most:
        raise CreatureError("legs", f"be an even number from {least} to {most}", _shown(legs))
    return legs


def _pairs(count, hips, hind, fore, trunk, ankles):
    """Return the pairs of legs from rear to front."""
    number = count // 2
    bones = [_bones("hind", hind), _bones("hind", hind) if fore is None else _bones("fore", fore)]
    if number > 1 and trunk is None:
        raise CreatureError("trunk", "be given: the distance from hind hips to fore hips", "none")
    size = _positive("trunk", trunk) if number > 1 else 0.0
    if number == 1 and (trunk or fore is not None):
        which = "trunk" if trunk else "fore"
        raise CreatureError(which, "be omitted for an animal on two legs", _shown(trunk or fore))
    high = _two("hips", hips)
    low = (None, None) if ankles is None else _two("ankles", ankles)
    found = []
    for k in range(number):
        part = k / (number - 1) if number > 1 else 0.0
        upper, lower, third = (_mixed(bones[0][i], bones[1][i], part) for i in range(3))
        ankle = None if low[0] is None or low[1] is None else _mixed(low[0], low[1], part)
        which = "hind" if part < 0.5 or fore is None else "fore"
        found.append(
            _Pair(
                which,
                _mixed(high[0], high[1], part),
                (upper, lower, third),
                ankle,
                (part - 0.5) * size,
            )
        )
    return found if number > 1 else [found[0]._replace(z=0.0)]


def _mixed(a, b, part):
    return a + part * (b - a)


def _bones(name, lengths):
    """Return the lengths of three segments; the last is 0 if there are two."""
    try:
        found = [_positive(f"{name}[{i}]", each) for i, each in enumerate(lengths)]
    except TypeError:
        wanted = "two or three lengths, such as (0.4, 0.4, 0.15)"
        raise ArrayTypeError(name, wanted, _shown(lengths)) from None
    if len(found) not in (2, 3):
        wanted = "be two or three lengths: two bones, and the foot"
        raise ShapeError(name, wanted, (len(found),), str(len(found)))
    return (*found, 0.0) if len(found) == 2 else tuple(found)


def _two(name, value):
    """Return one number or two as two numbers above 0."""
    if isinstance(value, tuple | list):
        if len(value) != 2:
            wanted = "be one number, or two: of hind and fore legs"
            raise ShapeError(name, wanted, (len(value),), str(len(value)))
        return tuple(_positive(f"{name}[{i}]", each) for i, each in enumerate(value))
    return (_positive(name, value),) * 2


def _length(name, value, usual):
    if value is None:
        return usual
    found = arguments.number(name, value)
    if not 0.0 <= found <= 1e6:
        raise CreatureError(name, "be a length, 0 for none", _shown(value))
    return found


def _positive(name, value):
    found = arguments.positive(name, value)
    if found > 1e6:
        raise CreatureError(name, "be at most 1e+06", _shown(value))
    return found


def _shown(value):
    return arguments.shown(value)


# --- legs ---------------------------------------------------------------------------------


def _built(k, measures, count, sides, height, span):
    """Return a pair of legs, and the part of the reach of its bones that it uses at rest.

    `span` is the length of the trunk where legs stand out, else None.
    """
    inner, outer = sides
    sprawls = span is not None
    upper, lower, third = measures.bones
    kind = "out" if sprawls else "fore" if k >= count / 4.0 and count > 2 else "hind"
    out = outer - inner if sprawls else 0.0
    angle = _angle(measures, out)
    if sprawls:
        limit = FANNED * (upper + lower)
        wanted = _spread(measures.z, span, out) if 2 < count < 2 * LONG else 0.0
        ahead = min(max(wanted, -limit), limit)
    else:
        ahead = AHEAD * third * math.cos(angle)
    used = _used(measures, angle, out, ahead if sprawls else 0.0)
    _check_used(measures, used, out)
    bends = "flat" if kind == "hind" and third and angle < FLAT else kind
    both = pair(
        k,
        hip=(inner, measures.hips - height),
        foot=(outer, ahead),
        bones=measures.bones,
        pole=KNEES[kind],
        angles=(angle, *ANGLES[bends]),
        share=SHARES[k] if count == 4 else 1.0,
        radial=sprawls,
        heel=HEEL * third * math.cos(angle) if bends == "flat" else 0.0,
    )
    return both, used


def _spread(z, span, out):
    """Return how far a foot is ahead of its hip, whose station is at z of a trunk."""
    return z / span * max(SPREAD[0] * span, SPREAD[1] * out) - z


def _angle(measures, out):
    """Return the angle of the foot above the ground at which a leg is well stretched."""
    third = measures.bones[2]
    if not third:
        return 0.0
    if measures.ankle is not None:
        return math.asin(min(measures.ankle / third, 1.0))
    if out:
        return OUT
    low, high = LOW, HIGH
    for _ in range(50):  # the higher the ankle, the less is a leg stretched
        middle = 0.5 * (low + high)
        if _used(measures, middle, out, 0.0) > USED:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _used(measures, angle, out, ahead):
    """Return the distance from hip to ankle over the reach of two bones."""
    upper, lower, third = measures.bones
    along = third * math.cos(angle)
    if out:
        away = math.hypot(math.hypot(out, ahead) - along, measures.hips - third * math.sin(angle))
    else:
        away = math.hypot((1.0 - AHEAD) * along, measures.hips - third * math.sin(angle))
    return away / (upper + lower)


def _check_used(measures, used, out):
    """Raise if a leg is too short to stand, or too long to fold."""
    upper, lower, _ = measures.bones
    reach = upper + lower
    name = measures.name
    if used > MOST:
        other = "the feet nearer (stance)" if out else "the hips lower"
        wanted = f"be longer, so that the leg is not straight when it stands (or put {other})"
        came = f"bones of {reach:.3g} for {used * reach:.3g} from hip to ankle"
        raise CreatureError(name, wanted, came)
    folded = max(abs(upper - lower) / reach * 1.06, FOLDED[0] if out else FOLDED[1])
    if used < folded:
        wanted = "be shorter, so that the leg can fold when it stands (or put the hips higher)"
        came = f"bones of {reach:.3g} for {used * reach:.3g} from hip to ankle"
        raise CreatureError(name, wanted, came)
