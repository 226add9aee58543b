"""Walkers: animals that go where they are told, on legs that `twobone.solve` bends.

A foot on the ground stays where it was put, to the last bit. All else follows from feet: when
one leaves the ground it makes for where its home will be in the middle of the next stance, and
the body's height and tilt are those of a plane through the feet.
"""

from typing import Any, NamedTuple

import numpy as np

from twobone.core import solver
from twobone.creature import animals, footing
from twobone.creature.gait import EARLY, LOCK, Swing, arch, glide, settle
from twobone.creature.terrain import as_terrain
from twobone.errors import CreatureError
from twobone.pose import conversions

STEP = 1.0 / 120.0  # seconds: longer steps are taken in pieces
EASE = 6.0  # a second: how quickly speed follows what is asked
CARRY = 9.0  # a second: how quickly the body follows its feet
LEAN = 14.0  # a second: how quickly it leans over those that bear it
SLOW_FROM, SLOW_TO = 0.88, 0.95  # shares of reach between which it slows down to nothing
WAIT = 0.3  # of their pace is left to legs while one goes as far as that
STRAY = 0.04  # of the leg's length: a foot farther from home steps, also when it stands
LOST = 2.0  # of the leg's length: a foot farther from home is put there at once


class Stance(NamedTuple):
    """Where walkers are: arrays of shape (N, ...), without N for a single one."""

    body_position: np.ndarray  # (N, 3)
    body_rotation: np.ndarray  # (N, 4), quaternions xyzw
    hips: np.ndarray  # (N, L, 3)
    knees: np.ndarray
    feet: np.ndarray
    stance: np.ndarray  # (N, L), bool: the foot is on the ground


class Walker:
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
        x and z.
    heading : number or array, shape (count)
        Radians from +z towards +x, to the left.

    Notes
    -----
    y is up, +z forward, +x to the left. The same orders lead to the same walk, to the bit. Steps
    of time longer than 1/120 s are taken in pieces: at 30, 60 and 120 frames a second a walk
    is the same to the bit too; at 144 bodies are within .1 % of the leg's length of it and feet
    within 1 % (on two legs, whose body sways ahead of its feet, 4 %), and do not drift apart.

    Nothing that is done to a walker stops it: carried off by `put`, on ground that rises above it,
    after seconds in one step, it gets back on its feet. Until then legs may be straight and feet
    out of reach, and a recording's `measures` tell so.

    Animals with six legs or more are stable while they stand still at any moment of their
    walk; four are by swaying; two fall like all who walk on two legs, if one asks for statics:
    they are carried by a body that goes on.

    Examples
    --------
    >>> from twobone.creature import Walker
    >>> walker = Walker("insect")
    >>> for _ in range(60):
    ...     walker.step(1 / 60, 1.0)
    >>> bool(walker.stance.body_position[2] > 0.5)
    True
    """

    def __init__(self, animal, terrain: Any = 0.0, *, count=None, position=(0.0, 0.0), heading=0.0):
        self.animal = animals.check(animals.as_animal(animal))
        self.terrain = as_terrain(terrain)
        self.single = count is None
        n, legs = count or 1, self.animal.legs
        self.length = animals.length(self.animal)
        self.pairs = len(legs.hips) // 2
        self.stride = self.animal.gait.stride * self.length
        self.place = np.array(np.broadcast_to(np.asarray(position, np.float64), (n, 2)))
        self.heading = np.array(np.broadcast_to(np.asarray(heading, np.float64), (n,)))
        self.velocity, self.turning = np.zeros((n, 2)), np.zeros(n)  # left and forward; radians
        self.phase = np.zeros(n)
        self.duty = np.full(n, self.animal.gait.duty_at(0.0))
        self.sway, self.swaying = np.zeros((n, 2)), np.zeros((n, 2))
        homes = self._homes()
        feet = footing.on_ground(self.terrain, homes)
        still = np.zeros_like(feet)
        self.swing = Swing(feet, still, still.copy())
        self.progress = np.ones(feet.shape[:2])  # of the swing; 1: on the ground
        self.lift = np.zeros(feet.shape[:2])
        self.aside = np.zeros((*feet.shape[:2], 2))  # from a home to a better foothold
        self.goal = feet.copy()
        self.above = homes.copy()  # where hips will be, x and z, when a foot has come to its goal
        self.plane = footing.plane_through(feet, self.place, self.heading, legs.homes)
        self.leaning = np.zeros_like(self.plane)
        self.reach, self.strain = np.zeros(n), np.zeros(n)  # of feet now, and where they go
        self._settle_body(np.inf)
        self._solve()

    # --- what one asks of it ------------------------------------------------------------

    def step(self, dt, velocity=0.0, turn=0.0):
        """Walk on.

        Parameters
        ----------
        dt : float
            Seconds.
        velocity : number or array, shape (2) or (count, 2)
            Forward, or to the left and forward, in units of length a second.
        turn : number or array, shape (count)
            Radians a second, to the left.

        Raises
        ------
        CreatureError
            Naming what is not finite, or a ground without heights.
        """
        dt = _finite("dt", dt)
        if dt.shape or dt < 0.0:
            raise CreatureError("dt", "be a number of seconds, 0 or more", str(dt))
        wanted = _finite("velocity", velocity)
        if not wanted.shape:
            wanted = np.array([0.0, float(wanted)])
        wanted = np.broadcast_to(wanted, self.velocity.shape)
        turn = np.broadcast_to(_finite("turn", turn), self.turning.shape)
        pieces = max(1, int(np.ceil(float(dt) / STEP - 1e-9)))
        for _ in range(pieces if dt > 0.0 else 0):
            self._step(float(dt) / pieces, wanted, turn)
        self._solve()

    def shove(self, velocity):
        """Push the body: it gets a velocity, to the left and forward, and its legs step after it.

        Parameters
        ----------
        velocity : array, shape (2) or (count, 2)
        """
        self.velocity = self.velocity + _finite("velocity", velocity)

    def put(self, position, heading=0.0):
        """Put it elsewhere at once; it stands there on all its feet."""
        self.place = np.array(np.broadcast_to(_finite("position", position), self.place.shape))
        self.heading = np.array(np.broadcast_to(_finite("heading", heading), self.heading.shape))
        self.velocity, self.turning = 0.0 * self.velocity, 0.0 * self.turning
        self._plant(np.ones(self.progress.shape, bool))
        self._settle_body(np.inf)
        self._solve()

    @property
    def stance(self):
        """Where it is: a `Stance`."""
        found = Stance(
            self.body,
            conversions.matrix_to_quaternion(np.swapaxes(self.axes, -1, -2)),
            self.hips,
            self.knees,
            self.feet,
            self.progress >= 1.0,
        )
        return Stance(*(part[0] for part in found)) if self.single else found

    # --- a short step of time ---------------------------------------------------------------

    def _step(self, dt, wanted, turn):
        full = self.animal.speed
        slow = ease(np.maximum(self.reach, self.strain))
        follow = 1.0 - np.exp(-EASE * dt)
        self.velocity = self.velocity + follow * (wanted * slow[:, None] - self.velocity)
        self.turning = self.turning + follow * (turn * slow - self.turning)
        middle = self.heading + 0.5 * dt * self.turning
        self.place = self.place + dt * footing.turned(self.velocity, middle)
        self.heading = self.heading + dt * self.turning

        # How fast the ground goes by under the fastest foot decides how fast the legs go.
        homes = self.animal.legs.homes
        spin = self.turning[:, None, None] * np.stack([homes[:, 1], -homes[:, 0]], -1)
        by = np.max(np.sqrt(np.sum((self.velocity[:, None] + spin) ** 2, -1)), -1)
        rate = self.duty * by / self.stride
        away = self._away(STRAY) & (self.progress >= 1.0)
        restless = np.any((self.progress < 1.0) | away, -1)
        rate = np.maximum(rate, np.where(restless, 0.5 * full / self.stride, 0.0))
        rate = rate * (WAIT + (1.0 - WAIT) * ease(self.strain))  # till the body comes after
        self.phase = self.phase + dt * rate
        change = self.animal.gait.duty_at(by / full) - self.duty
        most = 0.3 / self.pairs * dt * rate  # so that no leg's phase ever goes back
        self.duty = self.duty + np.clip(change, -most, most)

        share = (EARLY * (1.0 - self.duty))[:, None]
        self._lift_feet(rate, share, (by > 0.02 * full)[:, None] | away)
        self._swing_feet(dt, rate, share)
        self._plant(self._away(LOST))
        self._sway(dt, rate, share)
        self._settle_body(dt)

    def _phases(self):
        return (self.phase[:, None] - self.animal.gait.offsets(self.pairs, self.duty)) % 1.0

    def _lift_feet(self, rate, share, wanted):
        down = self.progress >= 1.0
        starts = down & wanted & (self._phases() < 0.5 * share)
        # Neighbours on a side never swing together.
        swings = np.pad(~down, ((0, 0), (2, 2)))
        starts &= ~swings[:, 4:] & ~swings[:, :-4]
        if not np.any(starts):
            return
        self.progress = np.where(starts, 0.0, self.progress)
        plain, _ = self._footholds(rate)
        rows, legs = np.nonzero(starts)
        self.aside[rows, legs] = footing.better(
            self.terrain, plain[rows, legs], self.swing.place[rows, legs, 1], self.length
        )
        there = footing.on_ground(self.terrain, plain[rows, legs] + self.aside[rows, legs])
        clearance = self.animal.gait.lift * self.length
        self.lift[rows, legs] = footing.lift_over(
            self.terrain, self.swing.place[rows, legs], there, clearance
        )

    def _swing_feet(self, dt, rate, share):
        air = self.progress < 1.0
        if not np.any(air):
            return
        moves = air & (self.progress < LOCK)
        if np.any(moves):
            plain, below = self._footholds(rate)
            plain = plain + self.aside
            rows, legs = np.nonzero(moves)
            self.above[rows, legs] = below[rows, legs]
            self.goal[rows, legs] = footing.within_reach(
                self.terrain,
                plain[rows, legs],
                np.concatenate([below, self.hips[..., 1:2]], -1)[rows, legs],
                self.animal.body.stretch * self.animal.legs.bones.sum(-1)[legs],
            )
        rows, legs = np.nonzero(air)
        left = (1.0 - self.progress[rows, legs])[:, None]
        made = np.broadcast_to(dt * rate[:, None] / share, air.shape)[rows, legs][:, None]
        goal = self.goal[rows, legs]
        there = glide(Swing(*(part[rows, legs] for part in self.swing)), goal, left, made)
        landed = made >= left
        there = Swing(
            *(np.where(landed, u, v) for u, v in zip((goal, 0.0, 0.0), there, strict=True))
        )
        for part, new in zip(self.swing, there, strict=True):
            part[rows, legs] = new
        progress = self.progress[rows, legs] + made[:, 0]
        self.progress[rows, legs] = np.where(landed[:, 0], 1.0, progress)

    def _footholds(self, rate):
        """Return x and z of homes and of hips as they will be in the middle of the next stance."""
        left = np.clip(1.0 - self.progress, 0.0, 1.0) * EARLY * (1.0 - self.duty)[:, None]
        rate = np.maximum(rate, 0.25 * self.animal.speed / self.stride)
        ahead = (left + 0.5 * self.duty[:, None]) / rate[:, None]
        turn = self.turning[:, None] * ahead
        heading = self.heading[:, None]
        way = footing.turned(self.velocity[:, None], heading + 0.5 * turn) * ahead[..., None]
        middle = self.place[:, None] + way
        home = footing.turned(np.broadcast_to(self.animal.legs.homes, way.shape), heading + turn)
        hips = footing.turned(
            np.broadcast_to(self.animal.legs.hips[:, [0, 2]], way.shape), heading + turn
        )
        return middle + home, middle + hips

    def _homes(self):
        """Return x and z of homes as the body is now."""
        homes = np.broadcast_to(self.animal.legs.homes, (len(self.place), 2 * self.pairs, 2))
        return self.place[:, None] + footing.turned(homes, self.heading[:, None])

    def _away(self, share):
        """Say which feet are farther from home than a share of the leg's length."""
        away = self.swing.place[..., [0, 2]] - self._homes()
        return np.sum(away * away, -1) > (share * self.length) ** 2

    def _plant(self, which):
        if not np.any(which):
            return
        homes = footing.on_ground(self.terrain, self._homes())
        which = which[..., None]
        self.swing = Swing(
            *(np.where(which, v, u) for u, v in zip(self.swing, (homes, 0.0, 0.0), strict=True))
        )
        self.goal = np.where(which, homes, self.goal)
        self.progress = np.where(which[..., 0], 1.0, self.progress)

    # --- the body ---------------------------------------------------------------------------

    def _sway(self, dt, rate, share):
        """Lean over the feet that will bear the body when it gets there."""
        gain = self.animal.body.sway
        if not any(gain):
            return
        # A damped spring is late by 2 over its rate, so it is told that much ahead.
        phases = (self._phases() + (rate * (2.0 / LEAN))[:, None]) % 1.0
        fade = 0.5 * (self.duty[:, None] - 0.5)
        loads = _smooth((1.0 - phases) / fade) * _smooth((phases - share) / fade) + 1e-3
        feet = np.where((self.progress < 1.0)[..., None], self.goal, self.swing.place)[..., [0, 2]]
        middle = np.sum(loads[..., None] * feet, 1) / np.sum(loads, 1)[:, None]
        ahead = self.place + (2.0 / LEAN) * footing.turned(self.velocity, self.heading)
        goal = np.array(gain) * footing.turned(middle - ahead, -self.heading)
        self.sway, self.swaying = settle(self.sway, self.swaying, goal, LEAN, dt)

    def _settle_body(self, dt):
        """Follow the plane through the feet; at once where dt is infinite."""
        body = self.animal.body
        there = footing.plane_through(
            self.swing.place, self.place, self.heading, self.animal.legs.homes
        )
        there = there * np.array([1.0, body.tilt, body.tilt])
        crouch = 3.0 * np.maximum(self.reach - body.stretch, 0.0) * self.length
        there[:, 0] -= np.minimum(crouch, 0.5 * body.height)
        if dt == np.inf:
            self.plane, self.leaning = there, np.zeros_like(there)
        else:
            self.plane, self.leaning = settle(self.plane, self.leaning, there, CARRY, dt)
        aside = footing.turned(self.sway, self.heading)
        height = self.plane[:, 0] + body.height
        self.body = np.stack(
            [self.place[:, 0] + aside[:, 0], height, self.place[:, 1] + aside[:, 1]], -1
        )
        self.axes = axes_of(self.plane, self.heading)
        self.hips = self.body[:, None] + self.animal.legs.hips @ self.axes
        self.reach = self._farthest(self.swing.place - self.hips)
        # Of a foot in the air what counts is how far below the hip it will stand.
        later = np.stack([self.above[..., 0], self.hips[..., 1], self.above[..., 1]], -1)
        air = (self.progress < 1.0)[..., None]
        self.strain = self._farthest(air * (self.goal - later))

    def _farthest(self, ways):
        """Return how far the foot farthest from its hip is, over its leg's reach."""
        reach = self.animal.legs.bones.sum(-1)
        return np.max(np.sqrt(np.sum(ways * ways, -1)) / reach, -1)

    def _solve(self):
        legs = self.animal.legs
        high = np.where(self.progress < 1.0, self.lift * arch(self.progress), 0.0)
        self.feet = self.swing.place.copy()
        self.feet[..., 1] += high
        poles = legs.poles @ self.axes
        self.knees = self.hips + solver.solve(self.feet - self.hips, *legs.bones.T, pole=poles)


def axes_of(plane, heading):
    """Return the body's axes, a row each: the heading, then the shortest turn onto the slopes."""
    across, along = -plane[:, 1], -plane[:, 2]
    size = np.sqrt(1.0 + across * across + along * along)
    x, y, z = across / size, 1.0 / size, along / size
    both = -x * z / (1.0 + y)
    c, s = np.cos(heading), np.sin(heading)
    axes = np.empty((len(heading), 3, 3))
    for row, (u, v, w) in enumerate(
        ((1.0 - x * x / (1.0 + y), -x, both), (x, y, z), (both, -z, 1.0 - z * z / (1.0 + y)))
    ):
        axes[:, row, 0], axes[:, row, 1], axes[:, row, 2] = c * u + s * w, v, c * w - s * u
    return axes


def ease(reach):
    """Return the share of its pace that a walker keeps with its legs so far out."""
    return np.clip((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)


def _smooth(t):
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _finite(name, value):
    try:
        found = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise CreatureError(name, "be numbers", type(value).__name__) from None
    if not np.all(np.isfinite(found)):
        raise CreatureError(name, "be finite", "NaN or infinity")
    return found
