"""Animals of one kind that walk on one ground, as arrays.

`Crowd` here is Python; `_kernel.Crowd` is the same walker (`stepping`) printed as C++. Both have
the same methods and give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.creature.stepping import command, journey, legs, standing
from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.numbers import Damped
from twobone.creature.stepping.records import (
    Course,
    Frame,
    Journey,
    Order,
    Pose,
    Stand,
    Station,
    Step,
    Walk,
)
from twobone.creature.stepping.shown import shown
from twobone.terrain.ground import Terrain


class Shapes(NamedTuple):
    """N animals with L legs, S stations, M links of neck, arms and the like, and K of the tail."""

    stations: NDArray[np.float64]  # (N, S, 3)
    station_rotations: NDArray[np.float64]  # (N, S, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]  # (N, L, 3)
    ankles: NDArray[np.float64]  # (N, L, 3)
    feet: NDArray[np.float64]  # (N, L, 3)
    stance: NDArray[np.bool]  # (N, L)
    foot_rotation: NDArray[np.float64]  # (N, L, 4)
    neck: NDArray[np.float64]  # (N, M, 4)
    tail: NDArray[np.float64]  # (N, K, 4)


class Crowd:
    """N animals on their way.

    Parameters
    ----------
    animal : Anatomy
    terrain : Terrain
        The ground; it may be set at any time.
    starts : array, shape (N, 3)
        x, z and heading of each animal. It stands there even if it does not fit, see `misfits`.
    """

    __slots__ = ("_terrain", "animal", "journeys")

    def __init__(self, animal: Anatomy, terrain: Terrain, starts: NDArray[np.float64]) -> None:
        self.animal, self._terrain = animal, terrain
        self.journeys: list[Journey] = [
            journey.set_off(animal, x, z, heading, terrain.height_at)
            for x, z, heading in starts.tolist()
        ]

    @property
    def terrain(self) -> Terrain:
        """The ground. Feet that stand where it is not step onto it."""
        return self._terrain

    @terrain.setter
    def terrain(self, terrain: Terrain) -> None:
        def meet(each: Journey, _: int) -> None:
            legs.meet(self.animal, each.walk, terrain.height_at)

        self._change(meet)
        self._terrain = terrain

    def _change(self, change: Callable[[Journey, int], object]) -> None:
        """Change all animals; after an error or an interrupt they are as they were."""
        journeys = [copied(each) for each in self.journeys]
        for row, each in enumerate(journeys):
            change(each, row)
        self.journeys = journeys

    def misfits(self) -> NDArray[np.int64]:
        """Return why each animal cannot stand as it does: see `standing.misfit`; shape (N)."""
        ground = self.terrain.height_at
        found = [
            standing.misfit(self.animal, each.walk, journey.seen(each), ground)
            for each in self.journeys
        ]
        return np.array(found, np.int64)

    def travel(self, dt: float, orders: NDArray[np.float64], threads: int = 1) -> None:
        """Walk for any number of seconds with orders, shape (N, 3): left, forward, turn.

        The kernel shares many animals among so many threads; Python walks them one by one.
        """
        told = [Order(*order) for order in orders.tolist()]
        ground = self.terrain.height_at
        self._change(lambda each, row: journey.travel(self.animal, each, told[row], dt, ground))

    def shove(self, velocities: NDArray[np.float64]) -> None:
        """Add velocities to those of the bodies, shape (N, 2): left and forward."""
        pushes = velocities.tolist()
        self._change(lambda each, row: command.shove(self.animal, each.walk, *pushes[row]))

    def courses(self) -> NDArray[np.float64]:
        """Return the numbers of each `Motion`, shape (N, 9)."""
        return np.array([journey.motion(each) for each in self.journeys])

    def blocked(self) -> NDArray[np.bool]:
        """Return which animals are kept from doing what they are told, shape (N)."""
        return np.array([journey.is_blocked(each) for each in self.journeys])

    def shapes(self, threads: int = 1) -> Shapes:
        """Return what is shown of the animals; for threads see `travel`."""
        return Shapes(*map(np.stack, zip(*map(self._shape, self.journeys), strict=True)))

    def _shape(self, each: Journey) -> list[NDArray[Any]]:
        found = shown(self.animal, journey.seen(each))
        joints = np.array(found.joints)  # (L, 4, 3)
        return [
            np.array(found.stations),
            np.array(found.rotations),
            *np.moveaxis(joints, 1, 0),
            np.array(found.down),
            np.array(found.soles),
            np.array(found.neck),
            np.array(found.tail, np.float64).reshape(-1, 4),
        ]


# What changes in a walk, and what returns its fields.
FIELDS = {
    kind: attrgetter(*(field.name for field in fields(kind)))
    for kind in (Journey, Walk, Station, Step, Course, Damped, Pose, Frame, Stand)
}


def copied(value: Any) -> Any:
    """Return a copy of a walk."""
    kind = type(value)
    if kind is list:
        return [copied(each) for each in value]
    found = FIELDS.get(kind)
    return value if found is None else kind(*map(copied, found(value)))


def crowd_of(animal: Anatomy, terrain: Terrain, starts: NDArray[np.float64]) -> Any:
    """Return a crowd of the compiled kernel where there is one, else that of Python."""
    kind = Crowd if engine.KERNEL is None else engine.KERNEL.Crowd
    return kind(animal, terrain, starts)
