"""Walkers: animals that go where they are told, on legs that `twobone.solve` bends.

A foot on the ground stays where it was put, to the last bit. All else follows from feet: when
one leaves the ground it makes for where its home will be in the middle of the next stance, and
the body's height and tilt are those of a plane through the feet.

NumPy's call overhead dominates the cost of one walker, so NumPy is called seldom: places seen
from above are complex numbers, points lie as x, z, y (see `footing`), what does not change is
prepared once (`anatomy.Made`), and legs are bent for display only at the end of a step.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals, footing
from twobone.creature.anatomy import SLOW_FROM, made
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.gait import EARLY, between
from twobone.creature.posture import rotation_of
from twobone.creature.swinging import RESTLESS, Swinging
from twobone.errors import CreatureError
from twobone.terrain.arguments import finite, forward, like
from twobone.terrain.ground import Ground, as_terrain

STEP = 1.0 / 120.0  # seconds: longer steps are taken in pieces
EASE = 5.0  # a second: how quickly speed follows what is asked
SLOW_TO = 0.95  # of reach: from SLOW_FROM on it slows down, here to nothing
WAIT = 0.3  # of their pace is left to legs while one goes as far as that, till the body comes after
LATE = 0.6  # of a stride: legs go faster while a foot stands farther from home, as at a start
HURRY = 12.0  # a second: how quickly they do
LONGEST = 3600.0  # seconds in one step
NIMBLE = 1.35  # times full speed: how fast the outermost foot may go round as it turns
SLIM = 0.3  # of the leg's length: no animal counts as narrower, and turns faster
CURVED = 0.6  # of full speed is lost at the fastest turn
AGILE = 6.0  # a second: how quickly speed changes at most, over full speed
PATIENCE = 1.0  # seconds: who does not get on for so long is blocked
SEEKS = 0.3  # seconds: who does not get on for so long begins to put its feet ahead
AHEAD = 0.2  # of the leg's length: how far ahead it puts them at most


class WalkerState(NamedTuple):
    """Where walkers are: arrays of shape (N, ...), without N for a single one."""

    body_position: NDArray[np.float64]  # (N, 3)
    body_rotation: NDArray[np.float64]  # (N, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]
    feet: NDArray[np.float64]
    stance: NDArray[np.bool]  # (N, L), bool: the foot is on the ground


class Walker(Swinging):
    """An animal on some ground, or many of them.

    Parameters
    ----------
    animal : Animal or str
        What walks: one of `ANIMALS` or your own.
    terrain : terrain, callable or number
        What it walks on; see `as_terrain`.
    count : int, optional
        How many walk, all at once; their arrays then have a first axis. They start at
        `position`, shape (count, 2).
    position : array, shape (2) or (count, 2)
        x and z. Where it cannot stand, since a foot finds no ground within reach or a knee or
        the body would be in the ground, a CreatureError says so.
    heading : number or array, shape (count)
        Radians from +z towards +x, to the left.

    Notes
    -----
    y is up, +z forward, +x to the left. The same orders lead to the same walk, to the bit. Steps
    of time longer than 1/120 s are taken in pieces: at 30, 60 and 120 frames a second a walk
    is the same to the bit too; at 144 bodies are within .2 % of the leg's length of it and feet
    within 3 %, and do not drift apart.

    Carried off by `put`, on ground that rises above it or after seconds in one step, a walker gets
    back on its feet. Until then legs may be straight and feet
    out of reach, and a recording's `measures` tell so.

    A foot only goes to ground that bears it within reach of its leg; if it finds none it stays
    where it is. The body slows down and stops before a leg gets straighter than .95 of its reach
    or a knee or the body meets the ground; see `blocked`.

    Animals with six legs or more are statically stable at any moment of their walk, whatever
    their orders are. Four legs are stable by swaying while they go on evenly. Two are not.

    Examples
    --------
    >>> from twobone.creature import Walker
    >>> walker = Walker("insect")
    >>> for _ in range(60):
    ...     walker.step(1 / 60, 1.0)
    >>> bool(walker.state.body_position[2] > 0.5)
    True
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
        self.made = made(self.animal)
        self.length = animals.length(self.animal)
        self.pairs = len(self.made.footholds) // 2
        self.breadth = max(SLIM * self.length, float(np.max(np.abs(self.made.footholds))))
        self.stride = self.animal.gait.stride * self.length
        self.place, self.heading = np.empty((n, 2)), np.empty(n)
        self._stand_at(position, heading)
        self.motion = np.zeros((n, 3))  # left and forward; radians a second
        self.phase = np.zeros(n)
        self.duty_factor = np.full(n, self.animal.gait.duty_factor_at(0.0))
        self.swing = np.zeros((n, 2 * self.pairs, 4, 3))  # place, speed, bend, goal: see `glide`
        self._look()
        self.swing[:, :, [0, 3]] = footing.on_ground(self.terrain, self._homes())[:, :, None]
        self.progress = np.ones((n, 2 * self.pairs))  # of the swing; 1: on the ground
        self.fixed = np.zeros(self.progress.shape, bool)  # aims that stay till the foot is there
        self.held = np.zeros(self.progress.shape, bool)  # feet in the air that could not go on
        self.late = np.zeros(self.progress.shape, bool)  # feet in the air that were held up
        self.stuck = np.zeros(self.progress.shape, bool)  # feet that found no ground to go to
        self.lift = np.zeros(self.progress.shape)
        self.aside = np.zeros(self.progress.shape, np.complex128)  # to a better foothold
        self.aims = self._homes()  # footholds for which feet were put where they are, or will be
        self.over = self._homes()  # where hips will be when a foot comes to its goal
        self._begin()

    def __repr__(self):
        count = "" if self.single else f", count={len(self.place)}"
        return f"Walker({self.animal.name!r}, {self.terrain!r}{count})"

    def step(self, dt: float, velocity: ArrayLike[Any] = 0.0, turn: ArrayLike[Any] = 0.0) -> None:
        """Walk on.

        Parameters
        ----------
        dt : float
            Seconds.
        velocity : number or array, shape (2) or (count, 2)
            Forward, or to the left and forward, in units of length a second.
        turn : number or array, shape (count)
            Radians a second, to the left.

        Notes
        -----
        Orders beyond what the animal can do are limited. Its speed is at most `animal.speed`;
        in a turn its outermost foot goes at most 1.35 times as fast; at the fastest turn the
        speed is at most .4 of full speed; and speed changes by at most 6 times full speed a
        second.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, or the ground has no heights.
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
    def blocked(self) -> bool | NDArray[np.bool]:
        """Whether ground that it cannot cross keeps it from going on; an array if it is many.

        For a second it went less than a tenth as fast as it was told to.
        """
        found = self.waited >= PATIENCE
        return bool(found[0]) if self.single else found

    def _wait(self, dt, asked):
        """Count for how long orders had no effect; feet then go ahead of the body.

        From where they stand it may go on: higher over what is in its way, or out of a hole.
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
        """Bring orders down to what the animal can do."""
        full = self.animal.speed
        most = NIMBLE * full / self.breadth
        asked[:, 2] = np.minimum(np.maximum(asked[:, 2], -most), most)
        speed = np.hypot(asked[:, 0], asked[:, 1])
        fast = full * (1.0 - CURVED * (asked[:, 2] / most) ** 2)
        asked[:, :2] *= (fast / np.maximum(speed, fast))[:, None]

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body: it gets a velocity, to the left and forward, and its legs step after it.

        Parameters
        ----------
        velocity : array, shape (2) or (count, 2)
        """
        push = forward(finite("velocity", velocity))
        self.motion[:, :2] += like("velocity", push, self.motion[:, :2])

    def put(self, position: ArrayLike[Any], heading: ArrayLike[Any] = 0.0) -> None:
        """Put it elsewhere at once; it stands there on all its feet.

        Raises
        ------
        CreatureError
            If a number is not finite or beyond 1e9, a foot finds no ground within reach, or a
            knee or the body would be in the ground.
        """
        self._stand_at(position, heading)
        self.motion[:] = 0.0
        self._look()
        self._plant(np.ones(self.progress.shape, bool), self._homes())
        self._begin()

    def _stand_at(self, position, heading):
        self.place[:] = like("position", finite("position", position), self.place)
        self.heading[:] = like("heading", finite("heading", heading), self.heading)

    @property
    def state(self) -> WalkerState:
        """Where it is: a `WalkerState`."""
        body, hips, knees, feet = self.shown
        rotation = rotation_of(self.plane, self.heading)
        found = WalkerState(body, rotation, hips, knees, feet, self.progress >= 1.0)
        return WalkerState(*(part[0] for part in found)) if self.single else found

    def _step(self, dt, asked):
        self._look()
        before, hips = self._kept(), self.hips
        self._ease(dt, asked)
        self._brake()
        self._move(dt)
        (strayed, away), full = self._strayed(), self.animal.speed
        flies, by = self.progress < 1.0, self._fastest()
        restless = np.logical_or.reduce(away | flies, 1)
        rate = np.maximum(self.duty_factor * by, RESTLESS * full * restless) / self.stride
        # Feet in the air go on as the cycle does, so its pace must not jump.
        late = np.maximum.reduce(strayed * ~flies, 1) / (LATE * self.stride)
        goal = between(late, 1.0, 1.4) * (WAIT + (1.0 - WAIT) * pace(self.strain))
        self.hurry += (1.0 - math.exp(-HURRY * dt)) * (goal - self.hurry)
        rate *= self.hurry
        cycles = dt * rate
        self.late &= flies
        waits = np.logical_or.reduce(self.late, 1)  # for a foot that takes longer than it should
        self._go_on(np.where(waits, 0.0, cycles), by / full)
        share = EARLY * (1.0 - self.duty_factor)  # of a cycle that a foot is in the air
        starts = self._starts(share, away | (by > 0.02 * full)[:, None])
        self.going = cycles / (share * dt)
        self._swing_feet(starts, cycles / share, rate, share)
        self._sway(dt, rate, share)
        self._settle_body(dt)
        self._hold(before, hips, dt)
        self._wait(dt, asked)

    def _ease(self, dt, asked):
        """Change speed towards what is asked."""
        slow = pace(np.maximum(self.reach, self.strain))
        follow = 1.0 - math.exp(-EASE * dt)
        change = follow * (asked * slow[:, None] - self.motion)
        most = AGILE * dt * self.animal.speed
        change[:, :2] *= (most / np.maximum(np.hypot(change[:, 0], change[:, 1]), most))[:, None]
        self.motion += change

    def _fastest(self):
        """Return how fast the ground goes by under the fastest foot."""
        turning = self.motion[:, 2:] * self.made.whirl
        return np.maximum.reduce(np.abs(self.velocity[:, None] + turning), 1)

    def _go_on(self, cycles, speed):
        """Advance the cycle of legs, and move the duty factor to that of a share of full speed."""
        self.phase += cycles
        change = self.animal.gait.duty_factor_at(speed) - self.duty_factor
        most = 0.3 / self.pairs * cycles  # so that no leg's phase ever goes back
        self.duty_factor += np.maximum(np.minimum(change, most), -most)


def pace(reach):
    """Return the share of its pace that a walker keeps with its legs so far out."""
    return between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)
