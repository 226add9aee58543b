"""Animals: what they are made of and what they look like, the built-in ones and your own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from twobone.core.array_types import NDArray
from twobone.creature import gaits, kinds, zoo
from twobone.creature.appearance import Appearance, fault_of
from twobone.creature.checking import checked
from twobone.creature.deriving import derived
from twobone.creature.gaits import GaitName
from twobone.creature.stepping.anatomy import Anatomy, Gait
from twobone.creature.stepping.numbers import GRAVITY
from twobone.errors import ArrayTypeError, CreatureError
from twobone.terrain import arguments

ROUND = 4  # exponent of the superellipsoid |x/a|^4 + |y/b|^4 + |z/c|^4 = 1 that is a body's shape


class _Parts(NamedTuple):
    anatomy: Anatomy
    appearance: Appearance | None = None


class Animal(_Parts):
    """An animal: its anatomy, and how it is drawn. Raises an `ArrayTypeError` for other types."""

    __slots__ = ()

    anatomy: Anatomy  # see `make_anatomy`
    appearance: Appearance | None  # None: a plain body around the hips

    def __new__(cls, anatomy: Anatomy, appearance: Appearance | None = None) -> Animal:
        _check_types(anatomy, appearance)
        return super().__new__(cls, anatomy, appearance)

    def __repr__(self):
        return f"Animal({self.name!r}, <{self.legs} legs, {self.length:.3g} long>)"

    @property
    def name(self) -> str:
        """Its name, used in reports."""
        return self.anatomy.name or "animal"

    @property
    def legs(self) -> int:
        """The number of its legs."""
        return len(self.anatomy.legs)

    @property
    def length(self) -> float:
        """The length of its longest leg, all segments together."""
        return self.anatomy.reach

    @property
    def top_speed(self) -> float:
        """Its highest speed, in metres per second, as gaits and legs allow."""
        return self.anatomy.top_speed

    @property
    def walking_speed(self) -> float:
        """The highest speed of its slowest gait, in metres per second."""
        high = self.anatomy.gaits[0].high * math.sqrt(GRAVITY * self.anatomy.hip)
        return min(high, self.top_speed)

    def with_gait(
        self,
        gait: GaitName | Gait | None = None,
        duty_factor: float | tuple[float, float] | None = None,
    ) -> Animal:
        """Return the animal with another gait, at all its speeds.

        Parameters
        ----------
        gait : str or Gait, optional
            The name of a gait in `GAITS`, or a gait. None keeps the animal's own.
        duty_factor : float or (float, float), optional
            Fraction of a cycle that a foot stands: one number, or those of slow and fast steps. By
            default that of the gait.

        Returns
        -------
        Animal
            Its top speed is as the gait allows.

        Raises
        ------
        CreatureError
            If there is no such gait, `duty_factor` is out of range, or the animal has too few legs.

        Examples
        --------
        >>> from twobone import creature
        >>> dog = creature.animal("dog").with_gait("trot", duty_factor=0.5)
        >>> dog.anatomy.gaits[0].duty_high
        0.5
        """
        anatomy = self.anatomy
        if isinstance(gait, Gait):
            anatomy = anatomy._replace(gaits=(gait,))
            if duty_factor is not None:
                anatomy = gaits.with_duty_factor(anatomy, duty_factor)
        elif gait is not None:
            anatomy = gaits.with_named(anatomy, gait, duty_factor)
        elif duty_factor is not None:
            anatomy = gaits.with_duty_factor(anatomy, duty_factor)
        return self._replace(anatomy=derived(checked(anatomy)))

    def with_liveliness(self, share: float) -> Animal:
        """Return the animal with its body moving less along with its legs.

        Parameters
        ----------
        share : float
            From 0, a body that glides, to 1, its own manner.

        Examples
        --------
        >>> from twobone import creature
        >>> creature.animal("dog").with_liveliness(0.5).anatomy.manner.heave
        0.5
        """
        size = arguments.number("liveliness", share)
        if not 0.0 <= size <= 1.0:
            raise CreatureError("liveliness", "be from 0 to 1", arguments.shown(share))
        anatomy = self.anatomy
        manner = anatomy.manner._replace(
            **{name: size * value for name, value in anatomy.manner._asdict().items()}
        )
        return self._replace(anatomy=anatomy._replace(manner=manner))


def check(animal: Animal) -> Animal:
    """Validate an animal; return it with floats and what follows from them."""
    _check_types(animal.anatomy, animal.appearance)
    if animal.appearance is not None:
        fault = fault_of(animal.appearance)
        if fault:
            raise CreatureError(f"appearance.{fault.field}", fault.wanted, fault.came)
        known = ("body", "tail", "foot", *(link.node for link in animal.anatomy.links))
        for number, part in enumerate(animal.appearance.parts):
            if part.node not in known:
                wanted = f"be one of {', '.join(known)}, as the anatomy has them"
                raise CreatureError(f"appearance.parts[{number}].node", wanted, part.node)
    return animal._replace(anatomy=derived(checked(animal.anatomy)))


def _check_types(anatomy: Any, appearance: Any) -> None:
    """Raise if the parts of an animal are something else."""
    if not isinstance(anatomy, Anatomy):
        wanted = "an Anatomy, as `make_anatomy` makes"
        raise ArrayTypeError("anatomy", wanted, arguments.shown(anatomy))
    if not isinstance(appearance, Appearance | None):
        raise ArrayTypeError("appearance", "an Appearance or None", arguments.shown(appearance))


AnimalName: TypeAlias = Literal[
    "insect", "spider", "dog", "horse", "bird", "human", "crab", "centipede"
]
ANIMALS: dict[AnimalName, Callable[[], Animal]] = {
    "insect": lambda: Animal(kinds.insect(), zoo.INSECT),
    "spider": lambda: Animal(kinds.spider(), zoo.SPIDER),
    "dog": lambda: Animal(kinds.dog(), zoo.DOG),
    "horse": lambda: Animal(kinds.horse(), zoo.HORSE),
    "bird": lambda: Animal(kinds.bird(), zoo.BIRD),
    "human": lambda: Animal(kinds.human(), zoo.HUMAN),
    "crab": lambda: Animal(kinds.crab(), zoo.CRAB),
    "centipede": lambda: Animal(kinds.centipede(), zoo.CENTIPEDE),
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
    >>> creature.animal("spider").legs
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
