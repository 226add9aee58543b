"""Animals of one kind that walk on one ground, as arrays.

`Crowd` here is Python; `_kernel.Crowd` is the same walker (`stepping`) printed as C++. Both have
the same methods and give the same bits.
"""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import NDArray
from twobone.creature.stepping import command, journey, standing
from twobone.creature.stepping.anatomy import Anatomy
from twobone.creature.stepping.records import Journey, Order
from twobone.creature.stepping.shown import shown
from twobone.terrain.ground import Terrain


class Shapes(NamedTuple):
    """N animals with L legs, S stations of the trunk, and K links of the tail."""

    stations: NDArray[np.float64]  # (N, S, 3)
    station_rotations: NDArray[np.float64]  # (N, S, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]  # (N, L, 3)
    ankles: NDArray[np.float64]  # (N, L, 3)
    feet: NDArray[np.float64]  # (N, L, 3)
    stance: NDArray[np.bool]  # (N, L)
    foot_rotation: NDArray[np.float64]  # (N, L, 4)
    neck: NDArray[np.float64]  # (N, 1, 4)
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

    __slots__ = ("animal", "journeys", "terrain")

    def __init__(self, animal: Anatomy, terrain: Terrain, starts: NDArray[np.float64]) -> None:
        self.animal, self.terrain = animal, terrain
        self.journeys = [
            journey.set_off(animal, x, z, heading, terrain.height_at)
            for x, z, heading in starts.tolist()
        ]

    def misfits(self) -> NDArray[np.int64]:
        """Return why each animal cannot stand as it does: see `standing.misfit`; shape (N)."""
        ground = self.terrain.height_at
        found = [
            standing.misfit(self.animal, each.walk, journey.seen(each), ground)
            for each in self.journeys
        ]
        return np.array(found, np.int64)

    def travel(self, dt: float, orders: NDArray[np.float64]) -> None:
        """Walk for any number of seconds with orders, shape (N, 3): left, forward, turn.

        If the terrain raises an error, all animals are as they were.
        """
        ground = self.terrain.height_at
        may_raise = self.terrain.for_kernel() is None
        kept = pickle.dumps(self.journeys) if may_raise else None
        try:
            for each, order in zip(self.journeys, orders.tolist(), strict=True):
                journey.travel(self.animal, each, Order(*order), dt, ground)
        except BaseException:
            if kept is not None:
                self.journeys = pickle.loads(kept)
            raise

    def shove(self, velocities: NDArray[np.float64]) -> None:
        """Add velocities to those of the bodies, shape (N, 2): left and forward."""
        for each, (aside, ahead) in zip(self.journeys, velocities.tolist(), strict=True):
            command.shove(self.animal, each.walk, aside, ahead)

    def courses(self) -> NDArray[np.float64]:
        """Return x, z, heading, velocity to the left and forward, and yaw rate: shape (N, 6)."""
        return np.array([journey.motion(each.walk) for each in self.journeys])

    def blocked(self) -> NDArray[np.bool]:
        """Return which animals are kept from doing what they are told, shape (N)."""
        return np.array([journey.is_blocked(each) for each in self.journeys])

    def shapes(self) -> Shapes:
        """Return what is shown of the animals."""
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


def crowd_of(animal: Anatomy, terrain: Terrain, starts: NDArray[np.float64]) -> Any:
    """Return a crowd of the compiled kernel where there is one, else that of Python."""
    kind = Crowd if engine.KERNEL is None else engine.KERNEL.Crowd
    return kind(animal, terrain, starts)
