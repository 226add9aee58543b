"""Definitions of animals: body, legs and gait, the built-in ones and your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from twobone.core import arrays
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import zoo
from twobone.creature.appearance import Appearance, fault_of
from twobone.creature.gait import GAITS, Gait, GaitName
from twobone.errors import ArrayTypeError, CreatureError
from twobone.terrain import arguments


class Legs(NamedTuple):
    """Legs in pairs from rear to front, the left leg of a pair first.

    Coordinates are in the body's space: +z forward, +y up, +x to the left, the origin at the
    body's middle.
    """

    hips: NDArray[np.float64]  # (L, 3), roots of the legs
    footholds: NDArray[np.float64]  # (L, 2), nominal footholds: x and z of the feet at rest
    bones: NDArray[np.float64]  # (L, 2), lengths r1 and r2
    poles: NDArray[np.float64]  # (L, 3), pole vectors, towards which the knees bend


class Body(NamedTuple):
    """The size of a body, and how it moves over the feet.

    `size` is the size of the body, which must stay above the ground; by default it is that of the
    body which pictures draw around the hips.
    """

    height: float  # height of the body's middle above the ground at rest
    tilt: float = 0.8  # fraction of the ground's slope that the body takes: 0 stays level
    stretch: float = 0.84  # fraction of their reach that legs use before the body goes lower
    size: tuple[float, float, float] | None = None  # width, height, length; None: as it is drawn
    bend: float = 0.0  # fraction of the ground's unevenness to which the trunk bends: 0 is stiff


class Animal(NamedTuple):
    """An animal: its body, legs, gait and speed."""

    body: Body  # size of the body, and how it moves
    legs: Legs  # see `pairs`
    gait: Gait  # when and how far each leg steps
    speed: float  # full speed, in units of length per second
    name: str = "animal"  # used in reports and when it is printed
    appearance: Appearance | None = None  # how it is drawn; None: a plain body around the hips
    liveliness: float = 1.0  # how much the body bobs, leans and breathes, from 0 to 1

    def __repr__(self):
        bones = getattr(self.legs, "bones", None)
        legs = repr(self.legs)  # in full only if they are not valid arrays
        if isinstance(bones, np.ndarray) and bones.ndim == 2:
            legs = f"<{len(bones)} legs, {np.max(bones.sum(1), initial=0.0):.3g} long>"
        rest = f"body={self.body!r}, gait={self.gait!r}, speed={self.speed!r}"
        return f"Animal(name={self.name!r}, legs={legs}, {rest})"

    def with_gait(
        self, gait: GaitName | Gait, duty_factor: float | tuple[float, float] | None = None
    ) -> Animal:
        """Return the animal with another gait.

        Parameters
        ----------
        gait : str or Gait
            The name of a gait in `GAITS`, with the stride and lift of the animal's own, or a gait.
        duty_factor : float or (float, float), optional
            By default that of the gait.

        Returns
        -------
        Animal
            Its full speed is that of the animal, or as much less as is needed for feet to stay in
            the air as long as in the animal's own gait at full speed.

        Raises
        ------
        CreatureError
            If there is no such gait, or `duty_factor` is out of range.

        Examples
        --------
        >>> from twobone import creature
        >>> dog = creature.animal("dog").with_gait("trot", duty_factor=0.6)
        >>> dog.gait.duty_factor
        (0.6, 0.6)
        """
        if isinstance(gait, str) and gait in GAITS:
            own_stride = None if GAITS[gait].stride else self.gait.stride
            gait = Gait(gait, duty_factor, own_stride, self.gait.lift)
        elif not isinstance(gait, Gait):
            names = ", ".join(GAITS)
            raise CreatureError("gait", f"be a Gait or one of {names}", arguments.shown(gait))
        elif duty_factor is not None:
            gait = gait.with_duty_factor(duty_factor)
        fastest = self.speed * _swing_path(gait) / _swing_path(self.gait)
        return self._replace(gait=gait, speed=min(self.speed, fastest))


def _swing_path(gait):
    """Return how far the body moves during a swing at full speed, divided by the leg's length."""
    duty_factor = gait.duty_factor[1]
    return gait.stride * (1.0 - duty_factor) / duty_factor


ROUND = 4  # exponent of the superellipsoid |x/a|^4 + |y/b|^4 + |z/c|^4 = 1 that is a body's shape
PARTS = (  # of an animal: their types, and how errors describe them
    ("body", Body, "a Body"),
    ("legs", Legs, "Legs, as `pairs` returns them"),
    ("gait", Gait, "a Gait"),
)
MIRROR = ((-1.0, 1.0, 1.0), (-1.0, 1.0), (1.0, 1.0), (-1.0, 1.0, 1.0))
ROW = "(hip (x, y, z), foothold (x, z), bones (r1, r2), pole (x, y, z)), one for each left leg"


def pairs(rows: Iterable[Sequence[ArrayLike[Any]]]) -> Legs:
    """Return pairs of legs from their left legs; the right legs are mirror images.

    Parameters
    ----------
    rows : list of (hip, foothold, bones, pole)
        One row for each left leg, from rear to front, in the body's space (+x to the left, +y up,
        +z forward): `hip` (x, y, z) is the root of the leg, `foothold` (x, z) the nominal
        foothold, `bones` (r1, r2) the lengths, and the knee bends towards the pole vector `pole`
        (x, y, z).

    Returns
    -------
    Legs
        Two legs for each row, the left one first.

    Raises
    ------
    CreatureError
        If `rows` is not such a list.

    Examples
    --------
    >>> from twobone import creature
    >>> fore = ((0.2, 0.0, 0.4), (0.25, 0.4), (0.4, 0.5), (0.0, 0.0, -1.0))
    >>> hind = ((0.2, 0.0, -0.4), (0.25, -0.4), (0.4, 0.5), (0.0, 0.0, 1.0))
    >>> creature.pairs([hind, fore]).hips.tolist()[:2]
    [[0.2, 0.0, -0.4], [-0.2, 0.0, -0.4]]
    """
    try:
        rows = list(rows)
        columns: Any = zip(zip(*rows, strict=True), MIRROR, strict=True)
        left = [_float64("rows", column).reshape(len(rows), len(flip)) for column, flip in columns]
    except (TypeError, ValueError):
        raise CreatureError("rows", f"be a list of {ROW}", repr(rows)[:200]) from None
    both = [np.stack([part, part * flip], axis=1) for part, flip in zip(left, MIRROR, strict=True)]
    return Legs(*(part.reshape(-1, part.shape[-1]) for part in both))


def check(animal: Animal) -> Animal:
    """Validate an animal; return it with float64 legs and its size. Raise if it could not stand."""
    for name, kind, wanted in PARTS:
        part = getattr(animal, name)
        if not isinstance(part, kind):
            raise ArrayTypeError(name, wanted, arguments.shown(part))
    legs = _checked_legs(animal.legs)
    count = len(legs.hips)
    animal = animal._replace(legs=legs)
    if animal.body.size is None:
        size: Any = tuple(body_size(legs.hips, length(animal)).tolist())
        animal = animal._replace(body=animal.body._replace(size=size))
    if np.any(legs.bones <= 0.0):
        raise CreatureError("legs.bones", "be lengths above 0", str(float(np.min(legs.bones))))
    animal = _with_floats(animal)
    animal.gait.offsets_at(animal.gait.duty_factor[0], count // 2)  # raises if there are others
    _check_appearance(animal.appearance)
    for leg, distance, reach, near in zip(
        range(count), stand(animal), legs.bones.sum(1), abs(np.diff(legs.bones)[:, 0]), strict=True
    ):
        if not near < distance <= 0.93 * reach:
            raise CreatureError(
                "legs",
                f"reach their footholds: the foothold of leg {leg} must be between {near:.3g} and"
                f" {0.93 * reach:.3g} from its hip (try longer bones, a lower body or a nearer"
                " foothold)",
                f"{distance:.3g}",
            )
    return animal


def _checked_legs(legs):
    """Return legs as float64 arrays; raise if they do not fit together or are not finite."""
    parts = {name: _float64(f"legs.{name}", value) for name, value in legs._asdict().items()}
    count = len(parts["hips"]) if parts["hips"].ndim else 2
    if count < 2 or count % 2:
        raise CreatureError("legs", "be an even number, two or more", str(count))
    for (name, value), width in zip(parts.items(), (3, 2, 2, 3), strict=True):
        name = f"legs.{name}"
        if value.shape != (count, width):
            wanted = f"have shape ({count}, {width})"
            raise CreatureError(name, wanted, arguments.shape_shown(value.shape))
        if not np.all(np.isfinite(value)):
            raise CreatureError(name, "be finite", "NaN or infinity")
        most = float(np.max(np.abs(value)))
        if most > arguments.FARTHEST:
            raise CreatureError(name, f"be at most {arguments.FARTHEST:g}", f"{most:g}")
    none = np.flatnonzero(~np.any(parts["poles"], axis=1))
    if len(none):
        wanted = "be directions in which knees point, such as (0, 1, 0) for up"
        raise CreatureError("legs.poles", wanted, f"(0, 0, 0) for leg {none[0]}")
    return Legs(**parts)


def _with_floats(animal):
    """Return an animal with its own numbers and its body's as floats; raise if out of range."""
    body, found = animal.body, {}
    for name, value, most in (
        ("speed", animal.speed, np.inf),
        ("body.height", body.height, np.inf),
        ("body.stretch", body.stretch, 1.0),
    ):
        found[name] = arguments.number(name, value)
        if not 0.0 < found[name] <= most:
            wanted = "be above 0" + (f", at most {most:g}" if np.isfinite(most) else "")
            raise CreatureError(name, wanted, str(value))
    for name, value in (
        ("liveliness", animal.liveliness),
        ("body.bend", body.bend),
        ("body.tilt", body.tilt),
    ):
        found[name] = arguments.number(name, value)
        if not 0.0 <= found[name] <= 1.0:
            raise CreatureError(name, "be from 0 to 1", str(value))
    most = 100.0 * length(animal)
    try:
        size = _float64("body.size", body.size).reshape(-1)
    except (TypeError, ValueError):  # text, or rows of different lengths
        size = np.empty(0)
    if len(size) != 3 or not np.all((size >= 0.0) & (size <= most)):
        wanted = f"be 3 numbers from 0 to {most:g}"
        raise CreatureError("body.size", wanted, arguments.shown(body.size))
    found["body.size"] = tuple(size.tolist())
    own = {name: value for name, value in found.items() if "." not in name}
    parts = {name.partition(".")[2]: found[name] for name in found.keys() - own.keys()}
    return animal._replace(**own, body=body._replace(**parts))


def _check_appearance(appearance):
    """Raise if an appearance is given and invalid."""
    if appearance is None:
        return
    if not isinstance(appearance, Appearance):
        raise ArrayTypeError("appearance", "an Appearance or None", arguments.shown(appearance))
    fault = fault_of(appearance)
    if fault:
        raise CreatureError(f"appearance.{fault.field}", fault.wanted, fault.came)


def stand(animal: Animal) -> NDArray[np.float64]:
    """Return the distance from each hip to its foot when the animal stands on flat ground."""
    aside, up, ahead = to_footholds(animal).T
    return np.sqrt(aside**2 + ahead**2 + up**2)


def to_footholds(animal: Animal) -> NDArray[np.float64]:
    """Return the vectors from the hips to the feet when the animal stands on flat ground."""
    hips, footholds = animal.legs.hips, animal.legs.footholds
    aside, ahead = (footholds - hips[:, [0, 2]]).T
    return np.stack([aside, -(animal.body.height + hips[:, 1]), ahead], -1)


def body_size(hips: NDArray[np.float64], leg: float) -> NDArray[np.float64]:
    """Return width, height and length of a body around the hips; `leg` is the longest leg."""
    hips = np.reshape(hips, (-1, 3))
    low, high = hips.min(axis=0), hips.max(axis=0)
    half = (high - low) / 2 + np.array([0.02, 0.06, 0.12]) * leg
    half = np.maximum(half, np.array([0.0, max(0.4 * half[0], 0.1 * leg), 0.2 * leg]))
    # The corners are rounded; grow the body until hips at the corners are inside it.
    across = ((hips - (low + high) / 2) / half)[:, [0, 2]]
    half[[0, 2]] *= max(1.0, np.max(np.sum(across**ROUND, axis=1))) ** (1.0 / ROUND)
    return 2.0 * half


def length(animal: Animal) -> float:
    """Return the length of an animal's longest leg."""
    return float(np.max(animal.legs.bones.sum(1)))


# --- built-in animals ---------------------------------------------------------------------

UP = (0.5, 1.0, 0.0)


def insect() -> Animal:
    """Return an insect: six legs with bones 1.6 and 1.2, hips at x = +-0.5, like Quilez's."""
    rows = [
        ((0.5, 0.0, z), (1.65, 1.75 * z), (1.6, 1.2), (0.3, 1.0, 0.0)) for z in (-0.8, 0.0, 0.8)
    ]
    return Animal(
        Body(1.1, tilt=0.9, stretch=0.78, size=(1.15, 0.56, 2.3)),
        pairs(rows),
        Gait("wave", (0.7, 0.5), 0.25, lift=0.1),
        1.85,
        "insect",
        zoo.INSECT,
    )


def spider() -> Animal:
    """Return a spider: eight long legs around a small body."""
    rows = [
        ((0.35, 0.0, 0.25 * k), (1.75 * np.cos(a), 1.75 * np.sin(a)), (1.5, 1.6), UP)
        for k, a in zip((-1.5, -0.5, 0.5, 1.5), np.radians([-58, -20, 20, 58]), strict=True)
    ]
    return Animal(
        Body(1.05, stretch=0.72, size=(0.85, 0.62, 1.5)),
        pairs(rows),
        Gait("wave", (0.7, 0.55), 0.24, lift=0.085),
        1.45,
        "spider",
        zoo.SPIDER,
    )


def dog() -> Animal:
    """Return a dog: its walk becomes a trot with speed. Not statically stable: see `Gait`."""
    # A short upper fore leg slants back to an elbow at the chest. The long part below it is
    # therefore almost upright, and the leg still keeps a fifth of its reach for rough ground.
    # Knees and elbows point a little outward, to pass waist and chest where a hill folds the legs.
    rows = [
        ((0.12, -0.08, -0.37), (0.13, -0.38), (0.37, 0.45), (0.35, 0.3, 1.0)),
        ((0.12, -0.06, 0.39), (0.13, 0.36), (0.3, 0.53), (0.2, 0.3, -1.0)),
    ]
    return Animal(
        Body(0.705, tilt=0.9, stretch=0.88, size=(0.33, 0.29, 1.02)),
        pairs(rows),
        Gait(("walk", "trot"), (0.7, 0.52), stride=0.39, lift=0.12),
        1.5,
        "dog",
        zoo.DOG,
    )


def bird() -> Animal:
    """Return a bird: two legs whose knees bend back. It is not statically stable: see `Walker`."""
    rows = [((0.14, 0.0, 0.0), (0.13, 0.0), (0.5, 0.55), (0.0, 0.0, -1.0))]
    body = Body(0.85, tilt=0.3, size=(0.4, 0.42, 0.7))
    gait = Gait("walk", (0.7, 0.6), 0.45, lift=0.15, sway=(0.4, 0.0))
    return Animal(body, pairs(rows), gait, 0.9, "bird", zoo.BIRD)


def crab() -> Animal:
    """Return a crab: eight legs, wide and low, best at walking sideways."""
    rows = [
        ((0.6, 0.0, z), (1.5, 1.5 * z), (0.8, 0.9), (0.4, 1.0, 0.0)) for z in (-0.6, -0.2, 0.2, 0.6)
    ]
    return Animal(
        Body(0.62, stretch=0.72, size=(1.35, 0.52, 1.7)),
        pairs(rows),
        Gait("wave", (0.7, 0.5), 0.25, lift=0.1),
        1.2,
        "crab",
        zoo.CRAB,
    )


def centipede() -> Animal:
    """Return a centipede: twenty short legs along a long body."""
    rows = [
        # The pole points outward too, away from feet that stand nearly below their hips.
        ((0.22, 0.0, z), (0.7, z), (0.5, 0.55), (1.0, 1.0, 0.0))
        for z in np.linspace(-2.25, 2.25, 10)
    ]
    return Animal(
        Body(0.45, stretch=0.67, size=(0.55, 0.22, 5.4), bend=1.0),
        pairs(rows),
        Gait("wave", 0.66, 0.35, lift=0.11),
        0.55,
        "centipede",
        zoo.CENTIPEDE,
    )


AnimalName: TypeAlias = Literal["insect", "spider", "dog", "bird", "crab", "centipede"]
ANIMALS: dict[AnimalName, Callable[[], Animal]] = {
    "insect": insect,
    "spider": spider,
    "dog": dog,
    "bird": bird,
    "crab": crab,
    "centipede": centipede,
}


def animal(name: AnimalName) -> Animal:
    """Return a built-in animal.

    Parameters
    ----------
    name : str
        One of the names in `ANIMALS`.

    Returns
    -------
    Animal

    Raises
    ------
    CreatureError
        If there is no animal of that name.

    Examples
    --------
    >>> from twobone import creature
    >>> len(creature.animal("spider").legs.hips)
    8
    """
    return _of_name("name", name)


def as_animal(value: AnimalName | Animal, name: str = "creature") -> Animal:
    """Return the built-in animal of a name; return an `Animal` unchanged.

    `name` is that of the argument in errors.
    """
    if isinstance(value, Animal):
        return value
    if not isinstance(value, str):
        raise ArrayTypeError(name, "an Animal or the name of one", arguments.shown(value))
    return _of_name(name, value)


def _of_name(argument, name):
    if not isinstance(name, str) or name not in ANIMALS:
        raise CreatureError(argument, f"be one of {', '.join(ANIMALS)}", arguments.shown(name))
    return ANIMALS[name]()


def _float64(name, value):
    """Return numbers as a new float64 array; raise if they are none."""
    return np.array(arrays.as_array(arrays.NUMPY, name, value), np.float64)
