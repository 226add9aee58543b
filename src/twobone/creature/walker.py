"""Walkers: animals that walk at a given velocity, their legs solved by `twobone.solve`.

A foot in stance stays where it landed, to the last bit. When it leaves the ground, it swings to
where its nominal foothold will be in the middle of the next stance. The height and tilt of the body
follow the plane through the feet.

NumPy's call overhead dominates the cost of one walker, so the code makes few calls: places seen
from above are complex numbers, points are stored as x, z, y (see `footing`), constants are computed
once (`anatomy.Anatomy`), and the knees of `WalkerState` only at the end of a step.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals, footing
from twobone.creature.anatomy import SLOW_FROM, anatomy_of
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.gait import EARLY, between
from twobone.creature.posture import rotation_of
from twobone.creature.swinging import RESTLESS, Swinging
from twobone.errors import CreatureError
from twobone.terrain.arguments import finite, forward, like
from twobone.terrain.ground import Ground, as_terrain

STEP = 1.0 / 120.0  # seconds: longer steps are divided
EASE = 5.0  # per second: rate at which the motion approaches what is asked
SLOW_TO = 0.95  # of reach: speed falls from full at SLOW_FROM to 0 here
WAIT = 0.3  # fraction of the gait's rate that remains when a leg is so far out
LATE = 0.6  # of a stride: the gait is faster while a foot in stance is far from its foothold
HURRY = 12.0  # per second: rate at which the gait's rate is adapted
LONGEST = 3600.0  # seconds: maximum of one call
NIMBLE = 1.35  # times full speed: maximum speed of the outermost foot due to turning
SLIM = 0.3  # of the leg's length: minimum breadth, so that narrow animals do not turn too fast
CURVED = 0.6  # fraction of full speed lost at the fastest turn
AGILE = 6.0  # per second: maximum acceleration over full speed
PATIENCE = 1.0  # seconds without progress after which a walker is blocked
SEEKS = 0.3  # seconds without progress after which a walker puts its feet ahead
AHEAD = 0.2  # of the leg's length: how far ahead at most


class WalkerState(NamedTuple):
    """The pose of N walkers with L legs; for a single walker, without the axis N."""

    body_position: NDArray[np.float64]  # (N, 3)
    body_rotation: NDArray[np.float64]  # (N, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]  # (N, L, 3)
    feet: NDArray[np.float64]  # (N, L, 3)
    stance: NDArray[np.bool]  # (N, L), bool: the foot is on the ground


class Walker(Swinging):
    """One or more animals of one kind, walking on a terrain.

    Parameters
    ----------
    animal : Animal or str
        Your own animal, or the name of one in `ANIMALS`.
    terrain : terrain, callable or number
        The ground; see `as_terrain`.
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
    y is up, +z forward, +x to the left. The same inputs give the same walk, to the bit. Time steps
    longer than 1/120 s are divided, so a walk is the same to the bit at 30, 60 and 120 frames per
    second. At 144, positions of bodies differ by at most 0.2 % and those of feet by at most 3 % of
    the leg's length, and the differences do not grow.

    After `put`, on ground that rises above it, or after a step of several seconds, a walker regains
    its footing. Until then legs may be straight and feet out of reach; the figures of a recording
    (`report`) show it.

    A foot steps only on ground that it can stand on, within reach of its leg; if it finds none it
    stays where it is. The body slows down and stops before a leg gets straighter than 0.95 of its
    reach, or a knee or the body touches the ground; see `blocked`.

    Animals with six or more legs are statically stable at every moment, whatever velocity they are
    given. Four legs are kept stable by swaying as long as they walk evenly. Two are not stable.

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

    def __init__(
        self,
        animal: AnimalName | Animal,
        terrain: Ground = 0.0,
        *,
        count: int | None = None,
        position: ArrayLike[Any] = (0.0, 0.0),
        heading: ArrayLike[Any] = 0.0,
    ) -> None:
        self.animal = animals.check(animals.as_animal(animal))
        self.terrain = as_terrain(terrain)
        self.single = count is None
        if not (count is None or (type(count) is int and count > 0)):
            raise CreatureError("count", "be a whole number above 0", repr(count))
        n = count or 1
        self.anatomy = anatomy_of(self.animal)
        self.length = animals.length(self.animal)
        self.pairs = len(self.anatomy.footholds) // 2
        self.breadth = max(SLIM * self.length, float(np.max(np.abs(self.anatomy.footholds))))
        self.stride = self.animal.gait.stride * self.length
        self.place, self.heading = np.empty((n, 2)), np.empty(n)
        self._stand_at(position, heading)
        # See `Carriage` for what the arrays hold.
        self.motion = np.zeros((n, 3))
        self.phase = np.zeros(n)
        self.duty_factor = np.full(n, self.animal.gait.duty_factor_at(0.0))
        self.swing = np.zeros((n, 2 * self.pairs, 4, 3))
        self._look()
        self.swing[:, :, [0, 3]] = footing.on_ground(self.terrain, self._nominal_footholds())[
            :, :, None
        ]
        self.progress = np.ones((n, 2 * self.pairs))
        self.fixed = np.zeros(self.progress.shape, bool)
        self.held = np.zeros(self.progress.shape, bool)
        self.late = np.zeros(self.progress.shape, bool)
        self.stuck = np.zeros(self.progress.shape, bool)
        self.lift = np.zeros(self.progress.shape)
        self.aside = np.zeros(self.progress.shape, np.complex128)
        self.aims = self._nominal_footholds()
        self.over = self._nominal_footholds()
        self._begin()

    def __repr__(self):
        count = "" if self.single else f", count={len(self.place)}"
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
            Desired turn in radians per second, to the left.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, `dt` is out of range, or the terrain returns
            heights that are not finite.
        ShapeError
            If `velocity` or `turn` has another shape.

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
        asked = np.empty(self.motion.shape)
        asked[:, :2] = like("velocity", forward(finite("velocity", velocity)), asked[:, :2])
        asked[:, 2] = like("turn", finite("turn", turn), asked[:, 2])
        self._limit(asked)
        pieces = max(1, math.ceil(float(seconds) / STEP - 1e-9))
        for _ in range(pieces if seconds > 0.0 else 0):
            self._step(float(seconds) / pieces, asked)
        self._solve()

    @property
    def fastest_turn(self) -> float:
        """The fastest turn the animal can do, in radians per second."""
        return float(NIMBLE * self.animal.speed / self.breadth)

    @property
    def blocked(self) -> bool | NDArray[np.bool]:
        """Whether the ground keeps the walker from going on; an array if there are several.

        It is blocked if for a second it has moved less than a tenth as fast as it was told to.
        """
        found = self.waited >= PATIENCE
        return bool(found[0]) if self.single else found

    def _wait(self, dt, asked):
        """Measure how long orders have had no effect, and then put footholds ahead of the body.

        From feet that stand farther ahead the body may rise over an obstacle, or get out of a hole.
        """
        told, goes = (
            np.hypot(motion[:, 0], motion[:, 1]) + self.breadth * np.abs(motion[:, 2])
            for motion in (asked, self.motion)
        )
        waits = (told > 0.02 * self.animal.speed) & (goes < 0.1 * told)
        self.waited = np.where(waits, self.waited + dt, 0.0)
        far = AHEAD * self.length * between(self.waited / SEEKS - 1.0, 0.0, 1.0)
        goal = asked * (far / np.maximum(told, 1e-300))[:, None]
        self.seeks += (1.0 - math.exp(-EASE * dt)) * (goal - self.seeks)

    def _limit(self, asked):
        """Limit the desired motion to what the animal can do, in place."""
        full = self.animal.speed
        most = self.fastest_turn
        asked[:, 2] = np.minimum(np.maximum(asked[:, 2], -most), most)
        speed = np.hypot(asked[:, 0], asked[:, 1])
        fast = full * (1.0 - CURVED * (asked[:, 2] / most) ** 2)
        asked[:, :2] *= (fast / np.maximum(speed, fast))[:, None]

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body; the legs step after it.

        Parameters
        ----------
        velocity : number or array, shape (2) or (count, 2)
            Added to the velocity of the body: a number is forward, two are to the left and forward.

        Raises
        ------
        CreatureError, ShapeError
            If a number is not finite or beyond 1e9, or the shape is another.
        """
        push = forward(finite("velocity", velocity))
        self.motion[:, :2] += like("velocity", push, self.motion[:, :2])

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
        ShapeError
            If an argument has another shape.
        """
        self._stand_at(position, heading)
        self.motion[:] = 0.0
        self._look()
        self._plant(np.ones(self.progress.shape, bool), self._nominal_footholds())
        self._begin()

    def _stand_at(self, position, heading):
        self.place[:] = like("position", finite("position", position), self.place)
        self.heading[:] = like("heading", finite("heading", heading), self.heading)

    @property
    def state(self) -> WalkerState:
        """The current pose, a `WalkerState`."""
        body, hips, knees, feet = self.shown
        rotation = rotation_of(self.plane, self.heading)
        found = WalkerState(body, rotation, hips, knees, feet, self.progress >= 1.0)
        return WalkerState(*(part[0] for part in found)) if self.single else found

    def _step(self, dt, asked):
        """Walk for at most `STEP` seconds; `asked` is the desired motion, (N, 3)."""
        self._look()
        before, hips = self._kept(), self.hips
        self._ease(dt, asked)
        self._brake()
        self._move(dt)
        (strayed, away), full = self._strayed(), self.animal.speed
        flies, by = self.progress < 1.0, self._fastest()
        restless = np.logical_or.reduce(away | flies, 1)
        rate = np.maximum(self.duty_factor * by, RESTLESS * full * restless) / self.stride
        # The swings advance with the gait cycle, so its rate must not jump.
        late = np.maximum.reduce(strayed * ~flies, 1) / (LATE * self.stride)
        goal = between(late, 1.0, 1.4) * (WAIT + (1.0 - WAIT) * pace(self.strain))
        self.hurry += (1.0 - math.exp(-HURRY * dt)) * (goal - self.hurry)
        rate *= self.hurry
        cycles = dt * rate
        self.late &= flies
        waits = np.logical_or.reduce(self.late, 1)  # the cycle stops until a late foot has landed
        self._go_on(np.where(waits, 0.0, cycles), by / full)
        swing_fraction = EARLY * (1.0 - self.duty_factor)  # of a cycle
        starts = self._starts(swing_fraction, away | (by > 0.02 * full)[:, None])
        self.going = cycles / (swing_fraction * dt)
        self._swing_feet(starts, cycles / swing_fraction, rate, swing_fraction)
        self._sway(dt, rate, swing_fraction)
        self._settle_body(dt)
        self._hold(before, hips, dt)
        self._wait(dt, asked)

    def _ease(self, dt, asked):
        """Change the motion towards the desired one."""
        slow = pace(np.maximum(self.reach, self.strain))
        follow = 1.0 - math.exp(-EASE * dt)
        change = follow * (asked * slow[:, None] - self.motion)
        most = AGILE * dt * self.animal.speed
        change[:, :2] *= (most / np.maximum(np.hypot(change[:, 0], change[:, 1]), most))[:, None]
        self.motion += change

    def _fastest(self):
        """Return the maximum speed of a nominal foothold over the ground."""
        turning = self.motion[:, 2:] * self.anatomy.whirl
        return np.maximum.reduce(np.abs(self.velocity[:, None] + turning), 1)

    def _go_on(self, cycles, speed):
        """Advance the gait cycle, and change the duty factor towards that of the speed.

        `speed` is a fraction of full speed.
        """
        self.phase += cycles
        change = self.animal.gait.duty_factor_at(speed) - self.duty_factor
        most = 0.3 / self.pairs * cycles  # so that no leg's phase ever decreases
        self.duty_factor += np.maximum(np.minimum(change, most), -most)


def pace(reach):
    """Return the fraction of its pace that a walker keeps; `reach` is the extension of its legs."""
    return between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)
