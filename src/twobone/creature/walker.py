"""Walkers: animals that go where they are told, on legs that `twobone.solve` bends.

A foot on the ground stays where it was put, to the last bit. All else follows from feet: when
one leaves the ground it makes for where its home will be in the middle of the next stance, and
the body's height and tilt are those of a plane through the feet.

One walker costs as much as NumPy is called, so it is called seldom: places seen from above are
complex numbers and points lie as x, z, y (see `footing`), what does not change is prepared once
(`Made`), and what only who looks on needs is made at the end of a step (`_solve`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twobone.core import solver
from twobone.core.array_types import ArrayLike, NDArray
from twobone.creature import animals, footing
from twobone.creature.anatomy import SLOW_FROM, XZY, made
from twobone.creature.animals import Animal, AnimalName
from twobone.creature.arguments import finite, forward, like
from twobone.creature.footing import facing, from_above
from twobone.creature.gait import EARLY, LOCK, arch, between, glide, settle
from twobone.creature.posture import axes_of, rotation_of
from twobone.creature.terrain import Ground, as_terrain
from twobone.errors import CreatureError

STEP = 1.0 / 120.0  # seconds: longer steps are taken in pieces
EASE = 5.0  # a second: how quickly speed follows what is asked
CARRY = 9.0  # a second: how quickly the body follows its feet
LEAN = 14.0  # a second: how quickly it leans over those that bear it
SLOW_TO = 0.95  # of reach: from SLOW_FROM on it slows down, here to nothing
WAIT = 0.3  # of their pace is left to legs while one goes as far as that, till the body comes after
STRAY = 0.04  # of the leg's length: a foot farther from home steps, also when it stands
RESTLESS = 0.25  # of the pace at full speed: the least while a foot is in the air or away
LATE = 0.6  # of a stride: legs go faster while a foot stands farther from home, as at a start
HURRY = 12.0  # a second: how quickly they do
LONGEST = 3600.0  # seconds in one step
LOST = 2.0  # of the leg's length: a foot farther from home is put there at once


class Stance(NamedTuple):
    """Where walkers are: arrays of shape (N, ...), without N for a single one."""

    body_position: NDArray[np.float64]  # (N, 3)
    body_rotation: NDArray[np.float64]  # (N, 4), quaternions xyzw
    hips: NDArray[np.float64]  # (N, L, 3)
    knees: NDArray[np.float64]
    feet: NDArray[np.float64]
    stance: NDArray[np.bool]  # (N, L), bool: the foot is on the ground


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
    is the same to the bit too; at 144 bodies are within .2 % of the leg's length of it and feet
    within 3 %, and do not drift apart.

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
        self.pairs = len(self.made.homes) // 2
        self.stride = self.animal.gait.stride * self.length
        self.place, self.heading = np.empty((n, 2)), np.empty(n)
        self._stand_at(position, heading)
        self.motion = np.zeros((n, 3))  # left and forward; radians a second
        self.phase = np.zeros(n)
        self.duty = np.full(n, self.animal.gait.duty_at(0.0))
        self.swing = np.zeros((n, 2 * self.pairs, 4, 3))  # place, speed, bend, goal: see `glide`
        self._look()
        self.swing[:, :, [0, 3]] = footing.on_ground(self.terrain, self._homes())[:, :, None]
        self.progress = np.ones((n, 2 * self.pairs))  # of the swing; 1: on the ground
        self.fixed = np.zeros(self.progress.shape, bool)  # aims that stay till the foot is there
        self.lift = np.zeros(self.progress.shape)
        self.aside = np.zeros(self.progress.shape, np.complex128)  # to a better foothold
        self.aims = self._homes()  # homes for which feet were put where they are, or will be
        self.over = self._homes()  # where hips will be when a foot comes to its goal
        self._stand()

    def __repr__(self):
        count = "" if self.single else f", count={len(self.place)}"
        return f"Walker({self.animal.name!r}, {self.terrain!r}{count})"

    # --- what one asks of it ------------------------------------------------------------

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
        pieces = max(1, math.ceil(float(seconds) / STEP - 1e-9))
        for _ in range(pieces if seconds > 0.0 else 0):
            self._step(float(seconds) / pieces, asked)
        self._solve()

    def shove(self, velocity: ArrayLike[Any]) -> None:
        """Push the body: it gets a velocity, to the left and forward, and its legs step after it.

        Parameters
        ----------
        velocity : array, shape (2) or (count, 2)
        """
        push = forward(finite("velocity", velocity))
        self.motion[:, :2] += like("velocity", push, self.motion[:, :2])

    def put(self, position: ArrayLike[Any], heading: ArrayLike[Any] = 0.0) -> None:
        """Put it elsewhere at once; it stands there on all its feet."""
        self._stand_at(position, heading)
        self.motion[:] = 0.0
        self._look()
        self._plant(np.ones(self.progress.shape, bool), self._homes())
        self._stand()

    def _stand_at(self, position, heading):
        self.place[:] = like("position", finite("position", position), self.place)
        self.heading[:] = like("heading", finite("heading", heading), self.heading)

    @property
    def stance(self) -> Stance:
        """Where it is: a `Stance`."""
        body, hips, knees, feet = self.shown
        rotation = rotation_of(self.plane, self.heading)
        found = Stance(body, rotation, hips, knees, feet, self.progress >= 1.0)
        return Stance(*(part[0] for part in found)) if self.single else found

    # --- a short step of time ---------------------------------------------------------------

    def _look(self):
        """See all from above: views, taken anew since arrays may be others, in a copy say."""
        self.facing = facing(self.heading)
        self.at, self.velocity = from_above(self.place), from_above(self.motion)
        self.stands = from_above(self.swing[:, :, 0])

    def _step(self, dt, asked):
        self._look()
        self._move(dt, asked)
        (strayed, away), full = self._strayed(), self.animal.speed
        flies, by = self.progress < 1.0, self._fastest()
        restless = np.logical_or.reduce(away | flies, 1)
        rate = np.maximum(self.duty * by, RESTLESS * full * restless) / self.stride
        # Feet in the air go on as the cycle does, so its pace must not jump.
        late = np.maximum.reduce(strayed * ~flies, 1) / (LATE * self.stride)
        goal = between(late, 1.0, 1.4) * (WAIT + (1.0 - WAIT) * pace(self.strain))
        self.hurry += (1.0 - math.exp(-HURRY * dt)) * (goal - self.hurry)
        rate *= self.hurry
        cycles = dt * rate
        self._go_on(cycles, by / full)
        share = EARLY * (1.0 - self.duty)  # of a cycle that a foot is in the air
        starts = self._starts(share, away | (by > 0.02 * full)[:, None])
        self._swing_feet(starts, cycles / share, rate, share)
        self._sway(dt, rate, share)
        self._settle_body(dt)

    def _move(self, dt, asked):
        """Go on with the body, over feet that stay."""
        slow = pace(np.maximum(self.reach, self.strain))
        follow = 1.0 - math.exp(-EASE * dt)
        self.motion += follow * (asked * slow[:, None] - self.motion)
        turn = dt * self.motion[:, 2]
        self.at += dt * self.velocity * self.facing * np.exp(-0.5j * turn)  # on half the turn
        self.heading += turn
        self.facing = facing(self.heading)

    def _homes(self):
        """Return homes as the body is now."""
        return self.at[:, None] + self.facing[:, None] * self.made.homes

    def _strayed(self):
        """Return how far feet are from home, and which should go there; bring those that are lost.

        A foot may stand beside its home: what counts is how far that has gone since.
        """
        homes = self._homes()
        away = np.abs(self.stands - homes)
        if away.max() > LOST * self.length:
            lost = away > LOST * self.length
            self._plant(lost, homes)
            away[lost] = 0.0
        return away, np.abs(self.aims - homes) > STRAY * self.length

    def _plant(self, which, homes):
        """Put feet on the ground at home."""
        planted = np.zeros((np.count_nonzero(which), 4, 3))
        planted[:, [0, 3]] = footing.on_ground(self.terrain, homes[which])[:, None]
        self.swing[which], self.progress[which] = planted, 1.0
        self.aims[which] = homes[which]

    def _fastest(self):
        """Return how fast the ground goes by under the fastest foot."""
        turning = self.motion[:, 2:] * self.made.whirl
        return np.maximum.reduce(np.abs(self.velocity[:, None] + turning), 1)

    def _go_on(self, cycles, speed):
        """Go on in the cycle of legs, and change the duty to that of a share of full speed."""
        self.phase += cycles
        change = self.animal.gait.duty_at(speed) - self.duty
        most = 0.3 / self.pairs * cycles  # so that no leg's phase ever goes back
        self.duty += np.maximum(np.minimum(change, most), -most)

    def _phases(self):
        return (self.phase[:, None] - self.animal.gait.offsets(self.pairs, self.duty)) % 1.0

    # --- feet in the air; `feet` are numbers of feet, those of all walkers counted on -----------

    def _starts(self, share, wanted):
        """Return the feet that leave the ground now."""
        starts = (self._phases() < 0.5 * share[:, None]) & (self.progress >= 1.0) & wanted
        if not np.count_nonzero(starts):
            return _feet(starts)
        # Neighbours on a side never swing together.
        swings = np.zeros((len(starts), starts.shape[1] + 4), bool)
        swings[:, 2:-2] = self.progress < 1.0
        return _feet(starts & ~swings[:, 4:] & ~swings[:, :-4])

    def _swing_feet(self, starts, made, rate, share):
        """Go on with all that are in the air, by some progress of theirs; some start now."""
        self.progress.reshape(-1)[starts] = 0.0
        self.fixed.reshape(-1)[starts] = False
        aims = _feet((self.progress < LOCK) & ~self.fixed)
        if aims.size:
            plain, under, over = self._footholds(rate, share)
            if starts.size:
                self._lift_feet(starts, plain.take(starts), over.take(starts))
            self.over.reshape(-1)[aims] = over.take(aims)
            self._aim(aims, plain.take(aims), under.take(aims))
        flies = _feet(self.progress < 1.0)
        if flies.size:
            self._fly(flies, made.take(flies // (2 * self.pairs)))

    def _footholds(self, rate, share):
        """Return homes and hips as they will be in the middle of the next stance, from above.

        And hips as they will be when it begins, as feet land.
        """
        rate = np.maximum(rate, RESTLESS * self.animal.speed / self.stride)
        left = (1.0 - self.progress) * share[:, None]
        rest = 0.5 * self.duty[:, None] / rate[:, None]
        ahead = left / rate[:, None] + rest
        half = np.exp(-0.5j * self.motion[:, 2:] * ahead)  # of the turn until then
        middle = self.facing[:, None] * half  # on the way there
        way, there = middle * self.velocity[:, None], middle * half
        place = self.at[:, None] + ahead * way
        under, back = place + there * self.made.under, rest * self.velocity[:, None] * there
        return place + there * self.made.homes, under, under - back

    def _lift_feet(self, feet, plain, over):
        """Choose footholds near plain ones, and how high to lift feet on the way there."""
        start, leg = self.swing.reshape(-1, 4, 3)[feet, 0], feet % (2 * self.pairs)
        near, far = self.made.near.take(leg), self.made.long.take(leg)
        legs = footing.Standing(start, over, self._tops(feet), near, far)
        aside = footing.better(self.terrain, plain, self.length, legs)
        there = footing.on_ground(self.terrain, plain + aside)
        clearance = self.animal.gait.lift * self.length
        self.aside.reshape(-1)[feet] = aside
        self.lift.reshape(-1)[feet] = footing.lift_over(self.terrain, start, there, clearance)

    def _aim(self, feet, plain, under):
        """Choose where feet will land, within reach of where hips will be."""
        self.aims.reshape(-1)[feet] = plain
        self.swing.reshape(-1, 4, 3)[feet, 3] = footing.within_reach(
            self.terrain,
            plain + self.aside.take(feet),
            under,
            self._tops(feet),
            self.made.used.take(feet % (2 * self.pairs)),
        )

    def _tops(self, feet):
        """Return how high hips will be, for all the body can be told now."""
        return (self.hips[..., 2] + self.rise[:, None]).take(feet)

    def _fly(self, feet, made):
        """Go on through the air, by some progress; land at the end."""
        swings, progress = self.swing.reshape(-1, 4, 3), self.progress.take(feet)
        swing, share = swings.take(feet, 0), made / (1.0 - progress)
        swing[:, :3] = glide(swing, np.minimum(share, 1.0))
        progress += made
        lands = share >= 1.0
        if np.count_nonzero(lands):
            swing[lands, 0], swing[lands, 1:3], progress[lands] = swing[lands, 3], 0.0, 1.0
        swings[feet] = swing
        self.progress.reshape(-1)[feet] = progress

    # --- the body ---------------------------------------------------------------------------

    def _sway(self, dt, rate, share):
        """Go after those feet that bear the body."""
        if any(self.animal.body.sway):
            goal = self._lean(rate, share)
            self.sway, self.swaying = settle(self.sway, self.swaying, goal, LEAN, dt)

    def _lean(self, rate, share):
        """Return how far to lean over the feet that will bear the body when it gets there."""
        # A damped spring is late by 2 over its rate, so it is told that much ahead.
        phases = (self._phases() + (rate * (2.0 / LEAN))[:, None]) % 1.0
        fade = np.maximum(0.5 * (self.duty[:, None] - 0.5), 0.02)
        loads = _smooth((1.0 - phases) / fade) * _smooth((phases - share[:, None]) / fade) + 1e-3
        feet = np.where(self.progress < 1.0, from_above(self.swing[:, :, 3]), self.stands)
        middle = np.add.reduce(loads * feet, 1) / np.add.reduce(loads, 1)
        ahead = self.at + (2.0 / LEAN) * self.velocity * self.facing
        goal = (middle - ahead) * self.facing.conj()
        aside, forward = self.animal.body.sway
        return aside * goal.real + 1j * forward * goal.imag

    def _stand(self):
        """Stand still on all feet, at once."""
        self.reach, self.plane = np.zeros(len(self.at)), np.zeros((len(self.at), 3))
        self.hurry, self.strain = np.ones(len(self.at)), np.zeros(len(self.at))
        self.floor = self.ceiling = np.full(len(self.at), -np.inf)
        self.sway, self.swaying = np.zeros((2, len(self.at)), np.complex128)
        if any(self.animal.body.sway):
            self.sway = self._lean(np.zeros(len(self.at)), EARLY * (1.0 - self.duty))
        for _ in range(2):  # only who stands knows how high it may go
            self._settle_body(np.inf)
        self._solve()

    def _settle_body(self, dt):
        """Follow the plane through the feet; at once where dt is infinite."""
        body, feet = self.animal.body, self.swing[:, :, 0]
        there = footing.plane_through(feet, self.at, self.facing, self.made.stiff)
        there[:, :2] *= body.tilt
        crouch = 3.0 * self.length * np.maximum(self.reach - body.stretch, 0.0)
        there[:, 2] -= np.minimum(crouch, 0.5 * body.height)
        clear = np.maximum(self._clear(), self.floor)
        self.rise = np.maximum(clear - self.plane[:, 2], 0.0)  # what it lacks, for feet to know
        there[:, 2] = np.maximum(there[:, 2], np.minimum(clear, self.ceiling))
        if dt == np.inf:
            self.plane, self.leaning = there, np.zeros_like(there)
        else:
            self.plane, self.leaning = settle(self.plane, self.leaning, there, CARRY, dt)
        self.axes = axes_of(self.plane, self.facing)
        self.body = np.empty_like(there)
        from_above(self.body)[...] = self.at + self.sway * self.facing
        self.body[:, 2] = self.plane[:, 2] + body.height
        self.hips = self.body[:, None] + self.made.hips @ self.axes
        way = feet - self.hips
        self.reach = np.maximum.reduce(np.sqrt(np.vecdot(way, way)) / self.made.reach, 1)
        # As high as it may go until a leg is nearly straight, as low until one is folded.
        aside = np.abs(from_above(way)) ** 2
        room = np.sqrt(np.maximum(self.made.long**2 - aside, 0.0)) + way[..., 2]
        self.ceiling = self.plane[:, 2] + np.minimum.reduce(room, 1)
        room = np.sqrt(np.maximum(self.made.short**2 - aside, 0.0)) + way[..., 2]
        self.floor = self.plane[:, 2] + np.maximum.reduce(room, 1)
        self._look_ahead()

    def _look_ahead(self):
        """See how far a leg will be out when its foot, now in the air, comes to its goal.

        A goal that is very far stays as it is, since a body that slows down for it could move
        it deeper still into the hole.
        """
        flies = _feet(self.progress < 1.0)
        self.strain = np.zeros(len(self.at))
        if flies.size:
            who, leg = np.divmod(flies, 2 * self.pairs)
            goals = self.swing.reshape(-1, 4, 3)[flies, 3]
            aside = np.abs(from_above(goals) - self.over.take(flies))
            below = self.hips[..., 2].take(flies) - goals[:, 2]
            away, long = np.hypot(aside, below), self.made.long.take(leg)
            np.maximum.at(self.strain, who, away / self.made.reach.take(leg))
            self.fixed.reshape(-1)[flies[away > long]] = True
            room = np.sqrt(np.maximum(long * long - aside * aside, 0.0)) - below
            np.minimum.at(self.ceiling, who, self.plane[:, 2].take(who) + room)

    def _clear(self):
        """Return how high the plane must be so that the body on it passes over the ground."""
        # A damped spring is late by 2 over its rate, so it looks that much ahead.
        ahead = self.at + (2.0 / CARRY) * self.velocity * self.facing
        places = ahead[:, None] + self.facing[:, None] * self.made.belly
        under = footing.heights(self.terrain, places)
        leans = (from_above(self.plane)[:, None].conj() * self.made.belly).real
        return np.maximum.reduce(under + leans + self.made.low, 1) - self.animal.body.height

    def _solve(self):
        """Bend the legs: all that is shown of them, in points x, y, z."""
        feet = self.swing[:, :, 0].take(XZY, -1)
        feet[..., 1] += self.lift * arch(self.progress)
        body, hips = self.body.take(XZY, -1), self.hips.take(XZY, -1)
        poles = (self.made.poles @ self.axes).take(XZY, -1)
        knees = hips + solver.solve(feet - hips, *self.made.bones, side=1.0, pole=poles)
        self.shown = body, hips, knees, feet


def pace(reach):
    """Return the share of its pace that a walker keeps with its legs so far out."""
    return between((SLOW_TO - reach) / (SLOW_TO - SLOW_FROM), 0.0, 1.0)


def _feet(mask):
    """Return the numbers of feet that a mask, shape (N, L), chooses."""
    return mask.reshape(-1).nonzero()[0]


def _smooth(t):
    t = between(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
