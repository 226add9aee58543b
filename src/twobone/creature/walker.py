"""Walkers: animals that walk at a given velocity, their legs solved by `twobone.solve`.

A foot in stance stays where it landed, to the last bit. When it leaves the ground, it swings to
where its nominal foothold will be in the middle of the next stance. The height and tilt of the body
follow the plane through the feet.

A step (`Walker._step`) is a few functions that replace records of the state (`state.State`): the
velocity approaches the commanded one (`pacing`), is reduced before a limit (`braking`) and moves
the body; the gait advances (`pacing`), feet swing (`swinging`) and knees point (`knees`);
the body sways and settles over its feet (`carriage`); then whatever passed a limit is undone
(`restraint`).

NumPy's call overhead dominates the cost of one walker, so the code makes few calls: places seen
from above are complex numbers, points are stored as x, z, y (see `footing`), constants are computed
once (`anatomy.Anatomy`), and the knees of `WalkerState` only when it is read. Most functions of a
step are compiled too (`engine.KERNEL`, `src/kernel/walking.cpp`): the same operations in the same
order, so both engines have the same bits. There, products of complex numbers are written out
(`rotated`), and so are sums of products (`dot`), because NumPy fuses or reorders those of its own
on some machines.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import (
    animals,
    braking,
    carriage,
    following,
    knees,
    liveliness,
    pacing,
    restraint,
    standing,
    swinging,
)
from twobone.creature.anatomy import anatomy_of
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.posture import rotation_of
from twobone.errors import CreatureError
from twobone.terrain.arguments import fill, finite, forward, like
from twobone.terrain.ground import Ground, Terrain, as_terrain

STEP = 1.0 / 120.0  # seconds: longer steps are divided
LONGEST = 3600.0  # seconds: maximum of one call
PATIENCE = 1.0  # seconds without progress after which a walker is blocked


class WalkerState(NamedTuple):
    """The pose of N walkers with L legs; for a single walker, without the axis N."""

    body_position: NDArray[np.float64]  # (N, 3)
    body_rotation: NDArray[np.float64]  # (N, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]  # (N, L, 3)
    feet: NDArray[np.float64]  # (N, L, 3)
    stance: NDArray[np.bool]  # (N, L), bool: the foot is on the ground
    # Quaternions xyzw; None: as the body.
    foot_rotation: NDArray[np.float64] | None = None  # (N, L, 4): 1 if level with toes towards +z
    head_rotation: NDArray[np.float64] | None = None  # (N, 4), in the body's space
    tail_rotation: NDArray[np.float64] | None = None  # (N, 4), in the body's space
    body_bend: NDArray[np.float64] | None = None  # (N, 4): see `Recording`; 0 if it is stiff


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
    y is up, +z forward, +x to the left. The same inputs give the same walk, bit for bit. Time steps
    longer than 1/120 s are divided, so a walk is also the same at 30, 60 and 120 frames per second.
    At 144, on flat ground, positions of bodies differ by at most 0.3 % and those of feet by at most
    3 % of the leg's length, and the differences do not grow. On rough ground a foot may find
    another foothold, from where on the walks differ.

    After `put`, on ground that changes and rises above its feet, or after a step of several
    seconds, a walker needs some time to find its footing. Until then legs may be straight and feet
    out of reach; the figures of a recording (`report`) show it.

    A foot steps only on ground that it can stand on, within reach of its leg; if it finds none it
    stays where it is or, if the animal has ten legs or more, may hang in the air. The body slows
    down and stops before a leg gets straighter than 0.95 of its reach, or a knee or the body
    touches the ground; see `blocked`.

    In a static gait (`Gait.balance`), animals with six or more legs are statically stable at every
    moment, whatever velocity they are given. Four legs are kept stable by swaying as long as they
    walk evenly. In a dynamic gait, and on two legs, none is.

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

    __slots__ = ("__weakref__", "_single", "_state")

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
        if not (count is None or (type(count) is int and count > 0)):
            raise CreatureError("count", "be a whole number above 0", repr(count))
        self._single = count is None
        n = count or 1
        duty_factor = np.full(n, animal.gait.duty_factor_at(0.0))
        places, headings = _start(n, position, heading)
        anatomy = anatomy_of(animal)
        cycle = pacing.resting(animal, anatomy, np.zeros(n), duty_factor)
        self._state = standing.stand(animal, anatomy, terrain, places, headings, cycle)

    def __repr__(self):
        count = "" if self._single else f", count={len(self._state.feet.progress)}"
        return f"Walker({self.animal.name!r}, {self.terrain!r}{count})"

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
        Inputs beyond what the animal can do are limited. Its speed is at most `animal.speed`. While
        it turns, its outermost foot moves at most 1.35 times as fast as that, and at the fastest
        turn the speed is at most 0.4 of full speed. Speed changes by at most 6 times full speed per
        second.
        """
        seconds = finite("dt", dt)
        if seconds.shape or not 0.0 <= seconds <= LONGEST:
            wanted = f"be a number of seconds, 0 or more, at most {LONGEST:g}"
            raise CreatureError("dt", wanted, str(seconds))
        asked = np.empty(self._state.course.motion.shape)
        fill("velocity", asked[:, :2], forward(finite("velocity", velocity)))
        fill("turn", asked[:, 2], finite("turn", turn))
        pacing.limit_orders(self._state, asked)
        pieces = max(1, math.ceil(float(seconds) / STEP - 1e-9))
        for _ in range(pieces if seconds > 0.0 else 0):
            self._step(float(seconds) / pieces, asked)

    def _step(self, dt, asked):
        """Walk for at most `STEP` seconds; `asked` is the desired motion, (N, 3)."""
        state = self._state
        before = restraint.kept(state)
        pacing.ease(state, dt, asked)
        braking.brake(state)
        state.course = state.course.after(dt)
        strayed = swinging.stray(state)
        speed = pacing.foothold_speed(state.anatomy, state.course.motion)
        pacing.advance_gait(state, dt, asked, speed, strayed)
        phases = state.cycle.leg_phases(state.animal.gait, state.anatomy.pairs)
        swinging.swing_feet(state, dt, swinging.starting(state, speed, strayed, phases))
        knees.point_knees(state, before.feet, dt)
        carriage.sway(state, dt)
        liveliness.stir(state, dt, speed, phases)
        carriage.settle_body(state, dt)
        restraint.hold(state, before, dt)
        following.follow(state, dt, speed)
        pacing.measure_delay(state, dt, asked)

    @property
    def animal(self) -> Animal:
        """The animal, validated."""
        return self._state.animal

    @property
    def terrain(self) -> Terrain:
        """The ground; set it to anything that `Walker` takes, for the steps to come."""
        return self._state.terrain

    @terrain.setter
    def terrain(self, terrain: Ground) -> None:
        self._state.terrain = as_terrain(terrain)

    @property
    def length(self) -> float:
        """The length of the longest leg."""
        return self._state.anatomy.length

    @property
    def place(self) -> NDArray[np.float64]:
        """x and z of the body, without sway: shape (N, 2), for a single walker (1, 2)."""
        place = self._state.course.place
        return np.stack([place.real, place.imag], -1)

    @property
    def heading(self) -> NDArray[np.float64]:
        """The heading in radians from +z towards +x: shape (N), for a single walker (1)."""
        return self._state.course.heading.copy()

    @property
    def motion(self) -> NDArray[np.float64]:
        """Velocity to the left and forward, and yaw rate: shape (N, 3), for a single walker (1, 3).

        The velocity is in units of length per second, the yaw rate in radians per second.
        """
        return self._state.course.motion.copy()

    @property
    def fastest_turn(self) -> float:
        """The maximum turning rate of the animal, in radians per second."""
        return pacing.fastest_turn(self._state)

    @property
    def blocked(self) -> bool | NDArray[np.bool]:
        """Whether the walker is kept from going on; an array if there are several.

        It is blocked if for a second it has moved less than a tenth as fast as it was told to. Then
        it has no foothold within reach or no room for the body, or it would lose its balance: an
        animal with four legs and no `Body.sway` stops on flat ground too.
        """
        found = self._state.delay.seconds >= PATIENCE
        return bool(found[0]) if self._single else found

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body; the legs step to catch up with it.

        Parameters
        ----------
        velocity : number or array, shape (2) or (count, 2)
            Added to the velocity of the body: a number is forward, two are to the left and forward.

        Raises
        ------
        CreatureError, ShapeError, ArrayTypeError
            If a number is not finite or beyond 1e9, or the shape or the type is another.
        """
        push = forward(finite("velocity", velocity))
        course = self._state.course
        motion = course.motion.copy()
        motion[:, :2] += like("velocity", push, motion[:, :2])
        self._state.course = course.moving(motion)

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
            If a number is not finite or beyond 1e9, a foot has no ground within reach, or a knee or
            the body would be in the ground.
        ShapeError, ArrayTypeError
            If an argument has another shape or type.

        Notes
        -----
        After an error the walker is where it was.
        """
        was = self._state
        cycle = pacing.resting(was.animal, was.anatomy, was.cycle.phase, was.cycle.duty_factor)
        places, headings = _start(len(was.cycle.phase), position, heading)
        self._state = standing.stand(was.animal, was.anatomy, was.terrain, places, headings, cycle)

    @property
    def state(self) -> WalkerState:
        """The current pose, a `WalkerState`."""
        state = self._state
        body, hips, knees, feet = carriage.solved(state)
        rotation = rotation_of(state.suspension.carried, state.course.heading)
        turned = carriage.foot_rotations(state)
        head, tail = following.rotations(state, rotation)
        stance, spine, bend = ~state.feet.flies, state.anatomy.spine, state.suspension.bend
        bend = np.zeros((len(bend), 4)) if spine is None else spine.coefficients(bend)
        found: Any = (body, rotation, hips, knees, feet, stance, turned, head, tail, bend)
        return WalkerState(*(part[0] for part in found) if self._single else found)


def _start(n, position, heading):
    """Return the places (N, 2) and headings (N) of N walkers."""
    places = like("position", finite("position", position), np.empty((n, 2)))
    return places, like("heading", finite("heading", heading), np.empty(n))
