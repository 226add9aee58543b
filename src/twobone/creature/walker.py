"""Walkers: animals that walk at a given velocity, their legs solved by `twobone.solve_xyz`.

What a step is, is in `stepping`. A `Walker` checks what it is given, and keeps a crowd (`crowd`) of
one animal or more: that of the compiled kernel, or that of Python, which has the same bits.
"""

from __future__ import annotations

import copy
import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import engine
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals, crowd
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.stepping import command, standing
from twobone.errors import CreatureError
from twobone.files.recordings import mean_rotation
from twobone.terrain import arguments
from twobone.terrain.arguments import fill, finite, forward, like
from twobone.terrain.ground import Ground, Terrain, as_terrain

MOST = 1_000_000  # walkers
LONGEST = 3600.0  # seconds: maximum of one call
# Why an animal cannot stand somewhere, by the numbers of `standing.misfit`.
MISFITS = {
    standing.TOO_FAR: ("have ground within reach of all feet", "none for some foot"),
    standing.TOO_NEAR: ("have room between trunk and ground for all legs", "too little for some"),
    standing.LEG_BURIED: ("have room for all legs above the ground", "ground in the way of one"),
    standing.BELLY_BURIED: ("have room for the trunk above the ground", "ground in its way"),
}


class WalkerState(NamedTuple):
    """The pose of N walkers with L legs; for a single walker, without the axis N.

    A trunk has S stations from rear to front, each with a place and a rotation; the neck has M
    links and the tail K, which may be 0. Rotations are quaternions xyzw.
    """

    stations: NDArray[np.float64]  # (N, S, 3)
    station_rotations: NDArray[np.float64]  # (N, S, 4): 1 if level and facing +z
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]  # (N, L, 3)
    ankles: NDArray[np.float64]  # (N, L, 3): the feet of legs without a third segment
    feet: NDArray[np.float64]  # (N, L, 3): the points that are planted
    stance: NDArray[np.bool]  # (N, L): the foot is on the ground
    foot_rotation: NDArray[np.float64]  # (N, L, 4): 1 if level with toes towards +z
    neck: NDArray[np.float64]  # (N, M, 4), in the space of the front station
    tail: NDArray[np.float64]  # (N, K, 4), each link in the space of the rear station

    @property
    def body_position(self) -> NDArray[np.float64]:
        """The middle of the stations, shape (N, 3)."""
        return self.stations.mean(-2)

    @property
    def body_rotation(self) -> NDArray[np.float64]:
        """The mean rotation of the stations, shape (N, 4)."""
        return mean_rotation(self.station_rotations)


class Walker:
    """One or more animals of one kind, walking on a terrain.

    Parameters
    ----------
    animal : Animal or str
        Your own animal, or the name of one in `ANIMALS`.
    terrain : terrain, callable or number
        The ground; see `as_terrain`. A number is the height of level ground; for hills of some
        roughness, pass what `make_terrain` returns.
    count : int, optional
        Number of walkers. If given, all arrays have a first axis of this size; otherwise there is
        a single walker and no such axis.
    position : array, shape (2) or (count, 2)
        x and z of the start. There must be ground within reach of all feet, and room for the knees
        and the body.
    heading : number or array, shape (count)
        Radians from +z towards +x, that is to the left.

    Raises
    ------
    CreatureError
        If a walker cannot stand at its position, or an argument is out of range.
    ShapeError, ArrayTypeError
        If an argument has a wrong shape or type.

    Notes
    -----
    y is up, +z forward, +x to the left. The same inputs give the same walk, bit for bit, and the
    same at any frame rate: the walker steps 120 times a second, and what it shows between two steps
    follows from both.

    A foot on the ground stays where it is to the last bit. Where a leg finds no foothold within its
    reach, the walker slows down and stops; see `blocked`.

    Animals with six legs or more stay over the feet that stand (`Anatomy.steady`). Others do not:
    they would fall if they stopped in the middle of a step.

    Examples
    --------
    >>> from twobone.creature import Steps, Walker
    >>> walker = Walker("insect")
    >>> for _ in range(60):
    ...     walker.step(1 / 60, velocity=1.0)
    >>> bool(walker.state.body_position[2] > 0.5)
    True

    Two walkers on steps, side by side:

    >>> walkers = Walker("dog", Steps(0.1, 1.0), count=2, position=[[0.0, 0.0], [3.0, 0.0]])
    >>> walkers.step(1 / 60, velocity=[[0.0, 0.3], [0.0, 0.2]], turn=0.1)
    >>> walkers.state.feet.shape
    (2, 4, 3)
    """

    __slots__ = ("__weakref__", "_animal", "_count", "_crowd", "_single", "_walks")

    def __init__(
        self,
        animal: AnimalName | Animal,
        terrain: Ground = 0.0,
        *,
        count: int | None = None,
        position: ArrayLike[Any] = (0.0, 0.0),
        heading: ArrayLike[Any] = 0.0,
    ) -> None:
        animal, terrain = animals.check(animals.as_animal(animal, "animal")), as_terrain(terrain)
        if not (count is None or (type(count) is int and 0 < count <= MOST)):
            wanted = f"be a whole number from 1 to {MOST:,}"
            raise CreatureError("count", wanted, arguments.shown(count))
        self._animal, self._single, self._walks = animal, count is None, False
        self._count = count or 1
        self._crowd = self._stand(terrain, position, heading)

    def _stand(self, terrain, position, heading):
        """Return a crowd that stands at places with headings; raise if one does not fit."""
        starts = np.empty((self._count, 3))
        fill("position", starts[:, :2], finite("position", position))
        turned = like("heading", finite("heading", heading), starts[:, 2])
        starts[:, 2] = [math.remainder(each, math.tau) for each in turned.tolist()]
        found = crowd.crowd_of(self._animal.anatomy, terrain, starts)
        misfits = found.misfits()
        if np.any(misfits):
            row = int(np.argmax(misfits != 0))
            wanted, came = MISFITS[int(misfits[row])]
            x, z = starts[row, :2]
            raise CreatureError("position", wanted, f"{came} at ({x:g}, {z:g})")
        return found

    def __repr__(self):
        count = "" if self._single else f", count={self._count}"
        return f"Walker({self.animal.name!r}, {self.terrain!r}{count})"

    def __copy__(self) -> Walker:
        return copy.deepcopy(self)

    def step(self, dt: float, velocity: ArrayLike[Any] = 0.0, turn: ArrayLike[Any] = 0.0) -> None:
        """Walk for a time step.

        Parameters
        ----------
        dt : float
            Seconds, from 0 to 3600.
        velocity : number or array, shape (2) or (count, 2)
            Desired velocity, in units of length per second: a number is forward, two are to the
            left and forward.
        turn : number or array, shape (count)
            Desired turning rate in radians per second, to the left.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, `dt` is out of range, or the terrain returns
            heights that are not finite.
        ShapeError, ArrayTypeError
            If `velocity` or `turn` has another shape, or an argument is not numbers.

        Notes
        -----
        Inputs beyond what the animal can do are limited in proportion: the trunk goes at most at
        `top_speed`, and turns as fast as that lets its feet go around it. After an error the walker
        is where it was. On ground that is a function of yours, nothing else may move the walker
        meanwhile: neither the function nor another thread.
        """
        seconds = finite("dt", dt)
        if seconds.shape or not 0.0 <= seconds <= LONGEST:
            wanted = f"be a number of seconds, 0 or more, at most {LONGEST:g}"
            raise CreatureError("dt", wanted, str(seconds))
        orders = np.empty((self._count, 3))
        fill("velocity", orders[:, :2], forward(finite("velocity", velocity)))
        fill("turn", orders[:, 2], finite("turn", turn))
        self._keep_still("step")
        self._walks = self.terrain.for_kernel() is None
        try:
            self._crowd.travel(float(seconds), orders, engine.THREADS.count)
        finally:
            self._walks = False

    def _keep_still(self, method):
        """Raise if the walker is in the middle of a step on ground of the user's own."""
        if self._walks:
            wanted = "not be called by the terrain of a walker or by another thread while it walks"
            raise CreatureError(method, wanted, "a call in the middle of a step")

    @property
    def animal(self) -> Animal:
        """The animal, validated."""
        return self._animal

    @property
    def terrain(self) -> Terrain:
        """The ground; it may be set to anything that `Walker` takes.

        Feet that stand where the new ground is not step onto it one after the other.
        """
        return self._crowd.terrain

    @terrain.setter
    def terrain(self, terrain: Ground) -> None:
        self._keep_still("terrain")
        self._crowd.terrain = as_terrain(terrain)

    @property
    def length(self) -> float:
        """The length of the longest leg."""
        return self._animal.length

    @property
    def top_speed(self) -> float:
        """The highest speed of the animal, in units of length per second."""
        return self._animal.top_speed

    @property
    def place(self) -> NDArray[np.float64]:
        """x and z of the body, without sway: shape (N, 2), for a single walker (1, 2)."""
        return self._crowd.courses()[:, :2].copy()

    @property
    def heading(self) -> NDArray[np.float64]:
        """The heading in radians from +z towards +x: shape (N), for a single walker (1)."""
        return self._crowd.courses()[:, 2].copy()

    @property
    def motion(self) -> NDArray[np.float64]:
        """Velocity to the left and forward, and yaw rate: shape (N, 3), for a single walker (1, 3).

        The velocity is in units of length per second, the yaw rate in radians per second.
        """
        return self._crowd.courses()[:, 3:6].copy()

    @property
    def front(self) -> NDArray[np.float64]:
        """x, z and heading of the front station, without sway: (N, 3), for a single walker (1, 3).

        In a curve of its way, the rest of a trunk that bends follows it.
        """
        return self._crowd.courses()[:, 6:].copy()

    @property
    def fastest_turn(self) -> float:
        """The maximum turning rate of the animal, in radians per second."""
        return self.top_speed / command.arm_of(self._animal.anatomy)

    @property
    def blocked(self) -> bool | NDArray[np.bool]:
        """Whether the walker is kept from going on; an array if there are several.

        It is blocked if for a second it has done less than a third of what it was told to, for
        whatever reason: there is no foothold within reach or no room for the body, or it would lose
        its balance.
        """
        found = self._crowd.blocked()
        return bool(found[0]) if self._single else found

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body; the legs step to catch up with it.

        Parameters
        ----------
        velocity : number or array, shape (2) or (count, 2)
            Added to the velocity of the body: a number is forward, two are to the left and forward.
            The sum is at most the top speed.

        Raises
        ------
        CreatureError, ShapeError, ArrayTypeError
            If a number is not finite or beyond 1e9, or the shape or the type is another.
        """
        push = forward(finite("velocity", velocity))
        self._keep_still("shove")
        self._crowd.shove(like("velocity", push, np.empty((self._count, 2))))

    def put(self, position: ArrayLike[Any], heading: ArrayLike[Any] = 0.0) -> None:
        """Place the walker elsewhere at once, standing on all its feet.

        Parameters
        ----------
        position : array, shape (2) or (count, 2)
            x and z.
        heading : number or array, shape (count)
            Radians from +z towards +x.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, a foot has no ground within reach, or a leg or
            the body would be in the ground.
        ShapeError, ArrayTypeError
            If an argument has another shape or type.

        Notes
        -----
        After an error the walker is where it was.
        """
        self._crowd = self._stand(self.terrain, position, heading)

    @property
    def state(self) -> WalkerState:
        """The current pose, a `WalkerState`."""
        found = self._crowd.shapes(engine.THREADS.count)
        return WalkerState(*(part[0] for part in found) if self._single else found)
